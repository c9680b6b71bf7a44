/* parquet_parts.h - the inside of the Parquet writer. */
#ifndef RP_PARQUET_PARTS_H
#define RP_PARQUET_PARTS_H

#include "arena.h"
#include "arrow_type.h"
#include "parquet_encode.h"
#include "table_writer.h"
#include "thrift.h"

/* Numbers of the format. */
typedef enum rp_pq_physical {
    RP_PQ_BOOLEAN = 0,
    RP_PQ_INT32 = 1,
    RP_PQ_INT64 = 2,
    RP_PQ_FLOAT = 4,
    RP_PQ_DOUBLE = 5,
    RP_PQ_BYTES = 6,
    RP_PQ_FIXED_BYTES = 7,
} rp_pq_physical;

/* One step from a row to a value: a field, and what it adds to the levels. */
typedef struct rp_pq_step {
    size_t child; /* of the field before */
    rp_arrow_kind kind;
    size_t width; /* of a fixed list */
    bool nullable;
} rp_pq_step;

/* ---- values ---- */

/* The values of a column in one batch that are not null, and the levels of all of them. */
typedef struct rp_pq_values {
    size_t slots; /* with nulls and empty lists */
    size_t count;
    const uint32_t *definitions, *repetitions; /* NULL: all have the highest, or 0 */
    const void *numbers;                       /* `count` of the physical width */
    const reprise_text *texts;
    const int32_t *indices;              /* into the dictionary of the array, if it has one */
    const struct ArrowArray *dictionary; /* or NULL */
} rp_pq_values;

/* Memory for the values of a batch, used again for each column. */
typedef struct rp_pq_scratch {
    rp_writer definitions, repetitions, places, numbers, texts, indices;
    rp_writer next_definitions, next_repetitions, next_places;
} rp_pq_scratch;

/* ---- dictionaries ---- */

/* The different values of a column in one row group. */
typedef struct rp_pq_dictionary {
    rp_writer values; /* as on the page */
    rp_writer keys;   /* uint64_t: each number, or where each text begins in `values` */
    uint32_t *slots;  /* open addressing: number of a value + 1, 0: free */
    size_t slot_count, count;
} rp_pq_dictionary;

enum { RP_PQ_NOT_FOUND = -1 };

/* ---- statistics ---- */

enum { RP_PQ_BOUND_MAX = 64 }; /* bytes of a least or greatest value that are worth keeping */

typedef struct rp_pq_bounds {
    bool known;
    uint8_t least_size, most_size;
    uint8_t least[RP_PQ_BOUND_MAX], most[RP_PQ_BOUND_MAX];
} rp_pq_bounds;

/* ---- columns ---- */

typedef struct rp_pq_page {
    size_t size;      /* with its header */
    size_t first_row; /* in the row group */
    size_t nulls, slots;
    rp_pq_bounds bounds;
} rp_pq_page;

typedef struct rp_pq_column {
    const char *const *path;
    size_t path_count;
    rp_pq_step *steps;
    size_t step_count;
    unsigned definition_max, repetition_max;
    rp_arrow_type type; /* of the value; of one with a dictionary, text */
    bool has_dictionary;
    rp_pq_physical physical;
    size_t width; /* of the physical value; 0: varies, or bits */
    /* of the row group */
    rp_writer data;  /* complete data pages */
    rp_writer pages; /* struct rp_pq_page */
    size_t raw_size, value_count, nulls;
    uint32_t encodings; /* bit per number that was used */
    rp_pq_bounds bounds;
    bool bounds_lost; /* some page has values but no bounds */
    rp_pq_dictionary dictionary;
    bool dictionary_used;
    rp_pq_encoding chosen, instead; /* `instead` if the dictionary is full */
    bool has_chosen;
    double chosen_cost; /* bytes per value when it was chosen */
} rp_pq_column;

typedef struct rp_pq_writer {
    rp_table_writer base;
    rp_arena arena;
    reprise_error error; /* of the writers */
    rp_pq_column *columns;
    size_t column_count;
    rp_pq_scratch scratch;
    struct ZSTD_CCtx_s *zstd;
    rp_writer raw, packed, best, head; /* of the page that is being made */
    rp_writer numbered;                /* its values as numbers of the dictionary */
    rp_writer map;                     /* per value of an array's dictionary, its number here */
    rp_writer groups;                  /* the finished row groups, as in the footer */
    size_t group_count;
    uint64_t row_count, group_rows;
} rp_pq_writer;

/* parquet_schema.c */
reprise_status rp_pq_find_columns(rp_pq_writer *pq, reprise_error *error);
void rp_pq_put_schema(rp_thrift *t, const struct ArrowSchema *schema);

/* parquet_values.c */
void rp_pq_scratch_init(rp_pq_scratch *scratch, rp_context *context, reprise_error *error);
void rp_pq_scratch_free(rp_pq_scratch *scratch);
/* Nothing in the result is defined if a writer failed meanwhile. */
void rp_pq_collect(const rp_pq_column *column, const struct ArrowArray *batch,
                   rp_pq_scratch *scratch, rp_pq_values *ret_values);

/* parquet_dictionary.c */
void rp_pq_dictionary_init(rp_pq_dictionary *dictionary, rp_context *context, reprise_error *error);
/* Also empties it; it can be used again. */
void rp_pq_dictionary_free(rp_pq_dictionary *dictionary);
/*
 * The number of a value, which is added if it is new; RP_PQ_NOT_FOUND if there are too many, if it
 * is hard to find, or after a failure. Texts have their size first on the page.
 */
int64_t rp_pq_dictionary_number(rp_pq_dictionary *dictionary, uint64_t value, size_t width);
int64_t rp_pq_dictionary_text(rp_pq_dictionary *dictionary, reprise_text text);

/* parquet_bounds.c */
void rp_pq_find_bounds(const rp_pq_column *column, const rp_pq_values *values,
                       rp_pq_bounds *ret_bounds);
void rp_pq_widen_bounds(const rp_pq_column *column, rp_pq_bounds *bounds, const rp_pq_bounds *by);
int rp_pq_compare(const rp_pq_column *column, const uint8_t *a, size_t a_size, const uint8_t *b,
                  size_t b_size);

/* parquet_page.c */
reprise_status rp_pq_add_page(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                              reprise_error *error);
/* Makes the dictionary page in pq->best, with its header in pq->head. */
reprise_status rp_pq_make_dictionary_page(rp_pq_writer *pq, rp_pq_column *column,
                                          size_t *ret_raw_size, reprise_error *error);

/* parquet_footer.c */
/* Writes the row group that was collected, and begins a new one. */
reprise_status rp_pq_end_group(rp_pq_writer *pq, reprise_error *error);
reprise_status rp_pq_write_footer(rp_pq_writer *pq, reprise_error *error);

static inline reprise_status rp_pq_failed(const rp_pq_writer *pq, reprise_error *error)
{
    if (pq->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = pq->error;
    return error->status;
}

#endif
