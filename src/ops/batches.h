/* batches.h - the rows of one track as batches of columns. */
#ifndef RP_BATCHES_H
#define RP_BATCHES_H

#include "array.h"
#include "rows.h"

typedef struct rp_batches {
    rp_rows rows;
    rp_replay *replay;
    const rp_track *track;
    rp_arena arena;
    rp_arrays shared;
    reprise_error error; /* of the buffers */
    rp_array **arrays;
    const rp_column **columns;
    bool *missing; /* per column: this layout does not have it */
    bool *fixed;   /* per column: all values have the same size */
    const reprise_array **views;
    size_t column_count, rows_max;
    bool stored, derives;
    bool varying;  /* some columns have values of different sizes */
    void *derived; /* of the rows that are added, if a column needs them */
    size_t derived_size;
    reprise_batch batch;
    reprise_status ended; /* after the last batch: how reading ended */
    reprise_error end_error;
} rp_batches;

/* Call rp_batches_close also after a failure. */
reprise_status rp_batches_open(rp_batches *batches, rp_replay *replay, size_t track,
                               const reprise_batch_options *options, reprise_error *error);
reprise_status rp_batches_next(rp_batches *batches, const reprise_batch **ret_batch,
                               reprise_error *error);
void rp_batches_close(rp_batches *batches);

#endif
