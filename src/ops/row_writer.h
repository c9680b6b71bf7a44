/* row_writer.h - writes a new replay row by row, by the names of tracks and columns. */
#ifndef RP_ROW_WRITER_H
#define RP_ROW_WRITER_H

#include "describe.h"
#include "output.h"
#include "tally.h"

typedef struct rp_row_writer {
    rp_context *context;
    const rp_format *format;
    rp_output output;
    rp_encoder *encoder;
    rp_arena arena; /* metadata, columns, states */
    rp_arena frame; /* rows of the current step */
    reprise_value *header;
    rp_columns columns;
    rp_batch batch;
    void **states[RP_TRACKS_MAX]; /* per object: its last row */
    size_t state_count[RP_TRACKS_MAX];
    int64_t index;                /* of the current step */
    size_t stepped;               /* rows of the batch that belong to earlier steps */
    bool lossy;                   /* write even if the game will not play the result */
    rp_batch order;               /* the same rows, or all rows, in the decoder's order */
    uint64_t rows[RP_TRACKS_MAX]; /* given so far */
    void *held;                   /* one row as a reader gets it */
    rp_tally *given;              /* sums of the rows that the result must have */
} rp_row_writer;

reprise_status rp_row_writer_begin(rp_row_writer *r, rp_context *context, const rp_format *format,
                                   const reprise_value *metadata, const rp_write_options *options,
                                   const rp_target *target, reprise_error *error);
reprise_status rp_row_writer_row(rp_row_writer *r, size_t track, uint32_t object, double time,
                                 reprise_error *error);
/* Sets a column of the current row. */
reprise_status rp_row_writer_set_int(rp_row_writer *r, int column, int64_t value,
                                     reprise_error *error);
reprise_status rp_row_writer_set_double(rp_row_writer *r, int column, double value,
                                        reprise_error *error);
reprise_status rp_row_writer_set_text(rp_row_writer *r, int column, const char *text, size_t size,
                                      reprise_error *error);
/* Sets any column, also lists and nested records. */
reprise_status rp_row_writer_set_value(rp_row_writer *r, int column, const reprise_value *value,
                                       reprise_error *error);
/* Sets the frame or tick of the next rows; otherwise each step counts up by one. */
reprise_status rp_row_writer_at(rp_row_writer *r, int64_t index, reprise_error *error);
reprise_status rp_row_writer_step(rp_row_writer *r, reprise_error *error);
reprise_status rp_row_writer_blob(rp_row_writer *r, const char *name, const void *data, size_t size,
                                  reprise_error *error);
reprise_status rp_row_writer_end(rp_row_writer *r, reprise_error *error);
void rp_row_writer_free(rp_row_writer *r);

#endif
