/*
 * name_table.h - the dictionary of a column of numbers with names: an index for every number seen.
 *
 * The names come first, in their own order, so that most dictionaries never change; a number
 * without a name is added when it is first seen, as "#17". An index never changes.
 */
#ifndef RP_NAME_TABLE_H
#define RP_NAME_TABLE_H

#include "schema.h"

/* Numbers below this are found without a search. */
#define RP_NAMES_SMALL UINT64_C(256)

typedef struct rp_name_table {
    rp_context *context;
    reprise_error *error;
    bool is_unsigned; /* how 64-bit numbers without a name are printed */
    size_t count;     /* of texts */
    rp_writer offsets, texts;
    int64_t *numbers; /* open addressing; the slot's index is in `indices`, -1: free */
    int32_t *indices;
    size_t slots, used;
    int32_t small[RP_NAMES_SMALL + 1]; /* of small numbers and one larger; -1: not there */
} rp_name_table;

/* Call rp_name_table_free also after a failure, which is in `error`. */
void rp_name_table_init(rp_name_table *table, rp_context *context, const reprise_name *names,
                        size_t name_count, bool is_unsigned, reprise_error *error);
void rp_name_table_free(rp_name_table *table);
/* The index of a number's text; 0 after a failure. */
int32_t rp_name_table_index(rp_name_table *table, int64_t number);

#endif
