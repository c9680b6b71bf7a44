/*
 * test_ic_entity_fastcheck.c - the fast check of entities gives the same results as the slow one.
 * An entity with an Extension always takes the slow path, and the other rules are the same for it.
 * An entity that is hashed in pieces has the same hash as in one piece. Numbers in test names are
 * items of the checklist in docs/spec/ironcurtain.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ironcurtain/wire/entity_fastcheck.h"

enum { NAMES = 3, EXTENSION_BYTES = 8 };

static const uint64_t extension = UINT64_C(1) << 63;

typedef struct bench {
    rp_context context;
    rp_arena arena;
    ic_core core;
    ic_entity entity;
    ic_text names[NAMES];
    ic_player players[3];
} bench;

static void bench_init(bench *b)
{
    static const char *const names[NAMES] = {"infantry", "e1", "m60mg"};
    *b = (bench){.players = {{.player = 0}, {.player = 5}, {.player = 0x7F}}};
    rp_context_init(&b->context, NULL);
    rp_arena_init(&b->arena, &b->context);
    for (size_t i = 0; i < NAMES; i++)
        b->names[i] = (rp_text){names[i], strlen(names[i])};
    b->core = (ic_core){.rng_state = {{1, 2, 3, 4}},
                        .intern_table = {{b->names, NAMES}},
                        .entities = {&b->entity, 1},
                        .player_states = {b->players, 3},
                        .map_state = {.width = 8, .height = 8}};
}

static bool accepts(bench *b, uint64_t mask, const uint8_t *bytes, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    b->entity = (ic_entity){{0, 1}, mask, {(const char *)bytes, size}};
    reprise_status status = ic_core_check(&b->core, &b->arena, &error);
    rp_arena_reset(&b->arena);
    return status == REPRISE_OK;
}

static void agree(bench *b, uint64_t mask, uint8_t *bytes, size_t size, size_t *accepted)
{
    bool fast = accepts(b, mask, bytes, size);
    memset(bytes + size, 0, EXTENSION_BYTES);
    bool slow = accepts(b, mask | extension, bytes, size + EXTENSION_BYTES);
    if (fast != slow)
        fail_msg("mask 0x%llx, %zu bytes: %d, but %d by the readers", (unsigned long long)mask,
                 size, fast, slow);
    *accepted += fast;
}

/* A valid entity with that mask, with or without a target, with a queue or an empty one. */
static size_t make(bench *b, uint64_t mask, bool target, bool queued, uint8_t *bytes)
{
    static ic_pos goal = {7, 8, 0};
    static ic_queue_item item = {.actor_type = 2};
    reprise_error error = REPRISE_ERROR_INIT;
    ic_components c = {.mask = mask};
    c.identity = (ic_identity){0, 1, 5};
    c.position.pos = (ic_pos){-32768, 5000, 1};
    c.health = (ic_health){-5, 10};
    c.mobile.locomotor = 4;
    c.navigation.target = target ? &goal : NULL;
    c.attackable.armor = 5;
    c.armament.weapon = 2;
    c.build_queue = (ic_build_queue){{&item, queued}, true};
    c.harvester.resource = 1;
    c.veterancy.level = 3;
    rp_text text = ic_components_write(&b->arena, &c, &error);
    assert_int_equal(error.status, REPRISE_OK);
    memcpy(bytes, text.data, text.size);
    return text.size;
}

static void checklist_07__usual_entities_are_checked_like_any_other(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 1, 2, 3, 4, 5, 6, 0x7F, 0x80, 0xFF};
    bench b;
    size_t accepted = 0, tried = 0;
    bench_init(&b);
    for (uint64_t i = 0; i < 1 << 14; i++) {
        uint64_t mask = i >> 2; /* bit 11 is reserved */
        uint8_t bytes[256];
        size_t size = make(&b, mask & 0x7FF, i & 1, i & 2, bytes);
        agree(&b, mask, bytes, size, &accepted);
        if (size)
            agree(&b, mask, bytes, size - 1, &accepted);
        bool closely = (mask & 7) == 7 && mask % 5 == 0;
        for (size_t at = 0; at < size && closely; at++) {
            uint8_t was = bytes[at];
            for (size_t k = 0; k < sizeof values; k++, tried++) {
                bytes[at] = values[k];
                agree(&b, mask, bytes, size, &accepted);
            }
            bytes[at] = was;
        }
    }
    /* Some entities are valid and some are not, or the test would prove little. */
    assert_true(accepted > tried / 50 && accepted < tried);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

/* Entities with sizes from small to more than a piece, archetypes in turn. */
static void fill_entities(bench *b, ic_entity *entities, size_t count)
{
    static char data[4096];
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < count; i++) {
        ic_components c = {.mask = i % 5 ? 0x47F : 0x7, .identity = {(uint32_t)(i % NAMES), 1, 5}};
        c.health = (ic_health){1, 2};
        c.navigation.target = i % 2 ? &(ic_pos){1, 2, 3} : NULL;
        c.veterancy.xp = (uint32_t)i;
        if (i % 7 == 0) {
            c.mask |= extension;
            c.extension.data = (rp_text){data, i * 37 % sizeof data};
        }
        rp_text bytes = ic_components_write(&b->arena, &c, &error);
        entities[i] = (ic_entity){{(uint16_t)i, 3}, c.mask, bytes};
    }
    assert_int_equal(error.status, REPRISE_OK);
}

/* Compares each leaf, hashed in pieces, with the digest of its bytes. */
static void check_leaves(ic_hasher *hasher, const ic_core *core, const ic_leaf *leaves,
                         size_t count, reprise_error *error)
{
    for (size_t i = 0; i < count; i++) {
        rp_text data;
        uint8_t digest[IC_HASH_SIZE];
        assert_int_equal(ic_leaf_data(hasher, core, i, &data, error), REPRISE_OK);
        ic_digest(hasher, hasher->leaf.data, hasher->leaf.size, digest);
        assert_memory_equal(digest, leaves[i].hash, sizeof digest);
    }
}

static void checklist_08__pieces_of_entities_give_the_hash_of_the_whole(void **state)
{
    (void)state;
    enum { ENTITIES = 300, LEAVES = NAMES + 5 };
    bench b;
    ic_hasher hasher;
    rp_writer w;
    ic_entity entities[ENTITIES];
    ic_leaf leaves[LEAVES];
    ic_snapshot read;
    ic_archetypes groups;
    uint8_t hash[IC_HASH_SIZE], grouped[IC_HASH_SIZE];
    reprise_error error = REPRISE_ERROR_INIT;
    bench_init(&b);
    fill_entities(&b, entities, ENTITIES);
    b.core.entities = (reprise_ic_entity_list){entities, ENTITIES};
    assert_int_equal(ic_hasher_init(&hasher, &b.context, &error), REPRISE_OK);
    assert_int_equal(ic_state_hash(&hasher, &b.core, hash, &error), REPRISE_OK);
    assert_int_equal(hasher.leaf_count, LEAVES);
    memcpy(leaves, hasher.leaves, sizeof leaves);
    check_leaves(&hasher, &b.core, leaves, LEAVES, &error);
    rp_writer_init(&w, &b.context, 1 << 20, &error);
    rp_bincode_write(&w, &ic_snapshot_record, &(ic_snapshot){.core = b.core});
    rp_reader r = rp_reader_of(w.data, w.size, "snapshot", &error);
    assert_true(ic_snapshot_read_grouped(&r, &b.arena, &read, &groups));
    assert_int_equal(ic_state_hash_grouped(&hasher, &read.core, &groups, grouped, &error),
                     REPRISE_OK);
    assert_memory_equal(grouped, hash, sizeof hash);
    rp_writer_free(&w);
    ic_hasher_free(&hasher);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

/* A state with a given count at some offset, followed by zeros. */
static void refuse_count(bench *b, size_t at, uint64_t count, size_t item)
{
    rp_writer w;
    ic_snapshot read;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer_init(&w, &b->context, 1 << 21, &error);
    rp_bincode_write(&w, &ic_snapshot_record, &(ic_snapshot){.core = b->core});
    assert_non_null(rp_put_raw(&w, (size_t)count * item));
    memset(w.data + at + 8, 0, w.size - at - 8);
    rp_store64(w.data + at, count);
    size_t before = b->context.bytes_live;
    rp_reader r = rp_reader_of(w.data, w.size, "snapshot", &error);
    assert_false(ic_snapshot_read(&r, &b->arena, &read));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_non_null(strstr(error.message, "at most"));
    assert_true(b->context.bytes_live - before <= 8192);
    rp_writer_free(&w);
}

/* Excessive counts are refused before a list is allocated. */
static void checklist_04__too_many_items_take_no_memory(void **state)
{
    (void)state;
    enum { STRINGS_AT = 80, SMALLEST_STRING = 8, SMALLEST_ENTITY = 20, SMALLEST_PLAYER = 39 };
    bench b;
    bench_init(&b);
    b.core.entities.count = 0;
    size_t entities_at = STRINGS_AT + 8;
    for (size_t i = 0; i < NAMES; i++)
        entities_at += SMALLEST_STRING + b.names[i].size;
    refuse_count(&b, STRINGS_AT, IC_STRINGS_MAX + 1, SMALLEST_STRING);
    refuse_count(&b, entities_at, IC_ENTITIES_MAX + 1, SMALLEST_ENTITY);
    refuse_count(&b, entities_at + 8, IC_PLAYERS_MAX + 1, SMALLEST_PLAYER);
    rp_arena_free(&b.arena);
    assert_int_equal(b.context.bytes_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_04__too_many_items_take_no_memory),
        cmocka_unit_test(checklist_07__usual_entities_are_checked_like_any_other),
        cmocka_unit_test(checklist_08__pieces_of_entities_give_the_hash_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
