/* table_write.h - writes one track as a table file. */
#ifndef RP_TABLE_WRITE_H
#define RP_TABLE_WRITE_H

#include "batches.h"
#include "reprise/tables.h"
#include "sink.h"
#include "table_writer.h"

/* Opens the writer of a form; REPRISE_E_USAGE if there is no such form. */
reprise_status rp_table_open(rp_context *context, reprise_table_form form,
                             const struct ArrowSchema *schema, const rp_table_options *options,
                             rp_sink *sink, rp_table_writer **ret_writer, reprise_error *error);

typedef struct rp_table_written {
    uint64_t rows;
    bool finished; /* the file is complete, at least up to where reading failed */
} rp_table_written;

/*
 * Writes all rows. If reading fails because of the input, the rows before that make a complete file
 * and the failure is returned. `file` is the name of the input for the metadata, or NULL.
 */
reprise_status rp_table_write(rp_replay *replay, size_t track, reprise_table_form form,
                              const reprise_batch_options *options, const char *file, rp_sink *sink,
                              rp_table_written *written, reprise_error *error);

#endif
