/*
 * array.h - columns in memory, laid out as Apache Arrow lays them out.
 *
 * An array is built value by value from the C structs that record tables describe; nested records,
 * lists and tagged unions become child arrays. The result is the public reprise_array.
 */
#ifndef RP_ARRAY_H
#define RP_ARRAY_H

#include "track.h"

typedef struct rp_array rp_array;

/* What the arrays of one batch share. */
typedef struct rp_arrays {
    rp_context *context;
    rp_arena *arena;      /* the arrays themselves */
    reprise_error *error; /* of the buffers; the first failure stays */
    size_t bytes;         /* in the buffers, roughly */
} rp_arrays;

/* An array for the values of one column; NULL with the error set. */
rp_array *rp_array_new(rp_arrays *arrays, const rp_column *column);
void rp_array_free(rp_array *array);

/* Empties the array and keeps its memory. */
void rp_array_clear(rp_array *array);
void rp_array_add_null(rp_array *array);
/* Adds the value of the array's column. `derived` is as for rp_column_value. */
void rp_array_add(rp_array *array, const rp_row *row, const void *derived);
/* Adds a bit to the `stored` bitmap. */
void rp_array_add_stored(rp_array *array, bool stored);

/* The values so far, valid until the next change. */
const reprise_array *rp_array_view(rp_array *array);

#endif
