/* rows.h - iterates over the rows of selected tracks within a range of time or frames. */
#ifndef RP_ROWS_H
#define RP_ROWS_H

#include "format.h"

typedef struct rp_rows {
    rp_decoder *decoder;
    rp_replay *own; /* the one that is read, if not that of the caller; or NULL */
    reprise_rows_options options;
    size_t at; /* of the next row in the decoder's batch */
    const rp_row *row;
    bool ended, ranged; /* at the end; not all rows are wanted */
} rp_rows;

reprise_status rp_rows_open(rp_replay *replay, const reprise_rows_options *options, rp_rows *rows,
                            reprise_error *error);
/* Steps to the next row in range; REPRISE_END after the last. */
reprise_status rp_rows_next(rp_rows *rows, reprise_error *error);
/*
 * The next rows in range, as many of one decoding step as follow one another, at most `max`. They
 * are valid until the next call. rp_rows_take steps over the first `count` of them.
 */
reprise_status rp_rows_peek(rp_rows *rows, size_t max, const rp_row **ret_rows, size_t *ret_count,
                            reprise_error *error);
void rp_rows_take(rp_rows *rows, size_t count);
void rp_rows_close(rp_rows *rows);

#endif
