/*
 * engine_records.h - records that use every kind a wire engine knows, for tests of the engines:
 * they belong to no game.
 */
#ifndef ENGINE_RECORDS_H
#define ENGINE_RECORDS_H

#include "schema.h"

#define TEST_TAGGED(F, T)          \
    F(T, place, VEC3, 0, NULL, "") \
    F(T, turn, ROT, 1, NULL, "")   \
    F(T, on, BOOL, 2, NULL, "")    \
    F(T, small, BYTE, 3, NULL, "") \
    F(T, number, INT, 5, NULL, "") \
    F(T, half, I16, 7, NULL, "")   \
    F(T, real, F32, 9, NULL, "")   \
    F(T, word, U32, 11, NULL, "")  \
    F(T, words, TEXT, 25, NULL, "")

static void test_plus_one(void *value)
{
    ++*(uint32_t *)value;
}
static const rp_predict test_predict = {RP_SUB_PREDICT, test_plus_one};

#define TEST_MASKED(F, T)                        \
    F(T, tick, U32, 0, &test_predict, "")        \
    F(T, when, F32, 1, NULL, "")                 \
    F(T, big, U64, 2, NULL, "")                  \
    F(T, place, VEC3, 3, NULL, "")               \
    F(T, a, I32, 4, NULL, "")                    \
    F(T, b, I32, 4, NULL, "shares a bit with a") \
    F(T, flag, U8, 9, NULL, "")

#define TEST_PAIR(F, T)         \
    F(T, key, U32, 0, NULL, "") \
    F(T, name, TEXT, 0, NULL, "")

#define TEST_LEAF(F, T)       \
    F(T, x, I64, 0, NULL, "") \
    F(T, on, BOOL, 0, NULL, "")

#define TEST_NODE(F, T)                               \
    F(T, leaf, REC, test_leaf, &test_leaf_record, "") \
    F(T, hash, RAW, 4, NULL, "")                      \
    F(T, name, TEXT, 0, NULL, "")                     \
    F(T, bytes, BYTES, 0, NULL, "")                   \
    F(T, many, SEQ, 0, &test_leaf_record, "")         \
    F(T, maybe, OPT, 0, &test_leaf_record, "")        \
    F(T, table, MAP, 0, &test_pair_record, "")        \
    F(T, either, SUM, 0, &test_choice, "")            \
    F(T, children, SEQ, 0, &test_node_record, "")

extern const rp_sum test_choice;
RP_STRUCT(test_tagged, TEST_TAGGED);
RP_STRUCT(test_masked, TEST_MASKED);
RP_STRUCT(test_pair, TEST_PAIR);
RP_STRUCT(test_leaf, TEST_LEAF);
RP_STRUCT(test_node, TEST_NODE);
RP_TABLE(test_tagged, TEST_TAGGED, "tagged");
RP_TABLE(test_masked, TEST_MASKED, "masked");
RP_TABLE(test_pair, TEST_PAIR, "pair");
RP_TABLE(test_leaf, TEST_LEAF, "leaf");
RP_TABLE(test_node, TEST_NODE, "node");

static const rp_record *const test_variants[] = {&test_leaf_record, NULL, &test_pair_record};
static const char *const test_variant_names[] = {"Leaf", "Nothing", "Pair"};
const rp_sum test_choice = {RP_SUB_SUM, "choice", test_variants, test_variant_names, 3};

#endif
