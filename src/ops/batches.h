/* batches.h - the rows of one track as batches of columns. */
#ifndef RP_BATCHES_H
#define RP_BATCHES_H

#include "arrow.h"
#include "rows.h"

typedef struct rp_batches {
    rp_rows rows;
    rp_replay *replay; /* NULL: only a schema */
    const rp_format *format;
    const rp_track *track;
    rp_arena arena;
    rp_arrays shared;
    reprise_error error; /* of the buffers */
    rp_array **arrays;
    const rp_column **columns;
    bool *missing;  /* per column: this layout does not have it */
    bool *fixed;    /* per column: all values have the same size */
    uint8_t *group; /* per column: how many are filled together, it and the next ones; 0: one */
    const reprise_array **views;
    size_t column_count, rows_max;
    bool stored, derives;
    size_t *varying; /* columns that have values of different sizes */
    size_t varying_count;
    void *derived; /* of the rows that are added, if a column needs them */
    rp_tile tile;
    /* Rows whose values of fixed size are not in the columns yet; their derived values come first.
     */
    rp_row *waiting;
    char *waiting_data;
    size_t waiting_count, row_size, row_stride;
    reprise_batch batch;
    reprise_status ended; /* after the last batch: how reading ended */
    reprise_error end_error;
} rp_batches;

/*
 * Call rp_batches_close also after a failure. `as_table` is that of rp_arrays; with it, the
 * presence bits asked for by options->stored are one more column instead of bitmaps.
 */
reprise_status rp_batches_open(rp_batches *batches, rp_replay *replay, size_t track,
                               const reprise_batch_options *options, bool as_table,
                               reprise_error *error);
reprise_status rp_batches_next(rp_batches *batches, const reprise_batch **ret_batch,
                               reprise_error *error);
/* The columns as a table; its arrays hold the values of the last batch. */
rp_arrow_table rp_batches_table(const rp_batches *batches);
void rp_batches_close(rp_batches *batches);

/* The schema of a track without a replay. Call rp_batches_close also after a failure. */
reprise_status rp_batches_open_schema(rp_batches *batches, rp_context *context,
                                      const rp_format *format, size_t track,
                                      const reprise_batch_options *options, reprise_error *error);

#endif
