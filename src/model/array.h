/*
 * array.h - columns in memory, laid out as Apache Arrow lays them out.
 *
 * An array is built from the C structs that record tables describe. Numbers are copied column by
 * column, as many rows at a time as the caller has; nested records, lists and tagged unions become
 * child arrays, value by value. The result is the public reprise_array.
 */
#ifndef RP_ARRAY_H
#define RP_ARRAY_H

#include "track.h"

enum {
    RP_ARRAY_ROWS_MAX = 256, /* rows that can be added at a time */
    RP_ARRAY_BESIDE = 4,     /* columns that can be filled together */
};

typedef struct rp_array rp_array;

/* The rotations of one field in the rows that are added, for the columns of its four axes. */
typedef struct rp_rotations {
    const rp_field *field; /* NULL: none yet */
    size_t offset;
    rp_quat values[RP_ARRAY_ROWS_MAX];
} rp_rotations;

/* What the arrays of one batch share. */
typedef struct rp_arrays {
    rp_context *context;
    rp_arena *arena;      /* the arrays themselves */
    reprise_error *error; /* of the buffers; the first failure stays */
    size_t bytes;         /* in the buffers, roughly */
    size_t row_stride;    /* between the data of the rows that are added; 0: they are anywhere */
    rp_rotations rotations;
    /*
     * For consumers of tables, many of which know no unions: a choice is a struct of its kind and
     * one struct per variant that has content, of which one is not null. Text is valid UTF-8.
     */
    bool as_table;
} rp_arrays;

/* To be called when other rows are added than before; of these, any part may be added. */
void rp_arrays_next_rows(rp_arrays *arrays, const rp_row *rows, size_t count);

/* An array for the values of one column; NULL with the error set. */
rp_array *rp_array_new(rp_arrays *arrays, const rp_column *column);
void rp_array_free(rp_array *array);

/* Empties the array and keeps its memory. */
void rp_array_clear(rp_array *array);
void rp_array_add_nulls(rp_array *array, size_t count);
/* Whether every value takes the same space. */
bool rp_array_fixed(const rp_array *array);
/*
 * Adds the values of the array's column, at most RP_ARRAY_ROWS_MAX. `derived` has what derive()
 * computed for each row, one after the other, each of `derived_size` bytes.
 */
void rp_array_add_rows(rp_array *array, const rp_row *rows, size_t count, const void *derived,
                       size_t derived_size);
/*
 * Whether the values of two columns, never null and of four bytes, are side by side in each row.
 * RP_ARRAY_BESIDE such columns, one after the other, can be filled together: rows are read once
 * instead of once per column.
 */
bool rp_array_beside(const rp_array *array, const rp_array *before);
void rp_arrays_add_beside(rp_array *const *arrays, const rp_row *rows, size_t count,
                          const void *derived, size_t derived_size);
/* Adds the bits of rows to the `stored` bitmap. */
void rp_array_add_stored(rp_array *array, const rp_row *rows, size_t count);

/* The values so far, valid until the next change. */
const reprise_array *rp_array_view(rp_array *array);

#endif
