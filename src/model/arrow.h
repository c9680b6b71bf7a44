/*
 * arrow.h - arrays as the structs of the Arrow C data interface.
 *
 * Schemas and arrays own all their memory, so they outlive the replay they came from and may be
 * released on any thread. That memory belongs to the consumer and no longer counts as the
 * replay's.
 */
#ifndef RP_ARROW_H
#define RP_ARROW_H

#include "array.h"
#include "reprise/arrow.h"

/* The schema of a table: a struct with one child per array. `about` is its metadata. */
typedef struct rp_arrow_table {
    const char *format, *track;
    rp_array *const *arrays;
    size_t count;
} rp_arrow_table;

reprise_status rp_arrow_schema(rp_context *context, const rp_arrow_table *table,
                               struct ArrowSchema *ret_schema, reprise_error *error);
/* Moves the values of all arrays, `length` rows, into one struct array; the arrays are empty then.
 */
reprise_status rp_arrow_batch(rp_context *context, const rp_arrow_table *table, size_t length,
                              struct ArrowArray *ret_batch, reprise_error *error);

#endif
