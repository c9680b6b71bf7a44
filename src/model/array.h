/*
 * array.h - columns in memory, laid out as Apache Arrow lays them out.
 *
 * An array is built from the C structs that record tables describe. Numbers are copied column by
 * column, as many rows at a time as the caller has; nested records, lists and tagged unions become
 * child arrays, value by value. The result is the public reprise_array.
 */
#ifndef RP_ARRAY_H
#define RP_ARRAY_H

#include "tile.h"

/* Columns that can be filled together, at most. */
enum { RP_ARRAY_BESIDE = 4 };

typedef struct rp_array rp_array;

/* What the arrays of one batch share. */
typedef struct rp_arrays {
    rp_context *context;
    rp_arena *arena;      /* the arrays themselves */
    reprise_error *error; /* of the buffers; the first failure stays */
    size_t bytes;         /* in the buffers, roughly */
    bool derives_columns; /* computed values come as columns, see tile.h */
    /*
     * For consumers of tables, many of which know no unions: a choice is a struct of its kind and
     * one struct per variant that has content, of which one is not null. Text is valid UTF-8.
     */
    bool as_table;
} rp_arrays;

/* An array for the values of one column; NULL with the error set. */
rp_array *rp_array_new(rp_arrays *arrays, const rp_column *column);
void rp_array_free(rp_array *array);

/* Empties the array and keeps its memory. */
void rp_array_clear(rp_array *array);
void rp_array_add_nulls(rp_array *array, size_t count);
/* Whether every value takes the same space. */
bool rp_array_fixed(const rp_array *array);
/* Adds the values of a column of which every value takes the same space. */
void rp_array_add_rows(rp_array *array, rp_tile *tile);
/* Adds one value of any other column. `derived` has what derive() computed for the row. */
void rp_array_add_row(rp_array *array, const rp_row *row, const void *derived);
/*
 * Whether the values of two columns, never null and of four bytes, are side by side in each row.
 * Two to RP_ARRAY_BESIDE such columns, one after the other, can be filled together.
 */
bool rp_array_beside(const rp_array *array, const rp_array *before);
void rp_arrays_add_beside(rp_array *const *arrays, size_t columns, rp_tile *tile);
/* Adds the bits of rows to the `stored` bitmap. */
void rp_array_add_stored(rp_array *array, const rp_row *rows, size_t count);

/* The values so far, valid until the next change. */
const reprise_array *rp_array_view(rp_array *array);

#endif
