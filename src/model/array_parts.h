/* array_parts.h - the inside of an array, for the files that make, fill and export arrays. */
#ifndef RP_ARRAY_PARTS_H
#define RP_ARRAY_PARTS_H

#include <stdint.h>

#include "array.h"

/* A growing buffer, and how its values are found in a C struct. */
struct rp_array {
    reprise_array about; /* first: what the outside sees */
    rp_arrays *arrays;
    rp_kind kind;            /* of the value in memory */
    const rp_column *column; /* of a top-level array, else NULL */
    const rp_record *record; /* of the items of a list, or of a struct */
    const rp_sum *sum;       /* of a union, or of the struct in its place */
    uint8_t *variant_child;  /* of that struct: per variant its child, 0: it has no content */
    bool newtype;            /* a record of one field, shown as that field */
    rp_array **children;
    const reprise_array **views; /* the same children, for the outside */
    size_t length, null_count, stored_length;
    size_t size_before; /* of the values of the largest batch so far */
    rp_writer validity, stored, values, offsets;
    struct rp_arrow_names *names; /* the dictionary of a number with names, once exported */
};

/* Frees the dictionary of an array; batches that were exported keep theirs. */
void rp_arrow_names_free(rp_array *array);

/* Adds one value, which need not be there, as the C struct has it; see array.c. */
void rp_array_add_null(rp_array *array);
void rp_array_add_value(rp_array *array, const void *value);
void rp_array_add_text(rp_array *array, const rp_text *text);
/* Adds a bit to those before. */
void rp_array_add_bit(rp_writer *w, size_t index, bool bit);
/* Begins the bitmap of an array whose values so far are all there. */
void rp_array_begin_validity(rp_array *array);

/* One batch may not need offsets beyond 32 bits. */
#define RP_ARRAY_BYTES_MAX ((size_t)INT32_MAX)

#endif
