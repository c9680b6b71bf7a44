/* arrow_type.h - what the format strings and metadata of the Arrow C data interface mean. */
#ifndef RP_ARROW_TYPE_H
#define RP_ARROW_TYPE_H

#include "error.h"
#include "reprise/arrow.h"

typedef enum rp_arrow_kind {
    RP_ARROW_BOOL,
    RP_ARROW_INT,
    RP_ARROW_UINT,
    RP_ARROW_REAL,
    RP_ARROW_TEXT,
    RP_ARROW_BYTES,
    RP_ARROW_FIXED_BYTES,
    RP_ARROW_LIST,
    RP_ARROW_FIXED_LIST,
    RP_ARROW_STRUCT,
} rp_arrow_kind;

typedef struct rp_arrow_type {
    rp_arrow_kind kind;
    size_t width; /* bytes of a number or of fixed bytes, items of a fixed list */
} rp_arrow_type;

/* The type of a field; of one with a dictionary, that of the indices. */
reprise_status rp_arrow_type_of(const struct ArrowSchema *schema, rp_arrow_type *ret_type,
                                reprise_error *error);

static inline bool rp_arrow_valid(const uint8_t *validity, size_t i)
{
    return !validity || (validity[i / 8] >> i % 8 & 1);
}

/* The nulls of an array, counted if the producer did not. */
size_t rp_arrow_nulls(const struct ArrowArray *array);

typedef struct rp_arrow_pair {
    const char *key, *value;
    size_t key_size, value_size;
} rp_arrow_pair;
/* Pairs of metadata, which may be NULL. */
size_t rp_arrow_pair_count(const char *metadata);
/* The pair at *at, which then is the next one's place. Begin with the metadata themselves. */
rp_arrow_pair rp_arrow_pair_next(const char **at);
/* Steps to the first pair. */
const char *rp_arrow_pairs(const char *metadata);

/* Writers take arrays as the library makes them: without an offset into their buffers. */
reprise_status rp_arrow_check(const struct ArrowSchema *schema, const struct ArrowArray *array,
                              reprise_error *error);

#endif
