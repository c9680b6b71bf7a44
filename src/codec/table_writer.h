/*
 * table_writer.h - writers of table files: Arrow IPC (file and stream) and Parquet.
 *
 * A writer takes a schema and batches of the Arrow C data interface, in memory as the library's own
 * streams have it: no offsets, dictionaries of text with 32-bit indices that keep their meaning. It
 * writes to its sink from front to back and holds a bounded part of the table.
 */
#ifndef RP_TABLE_WRITER_H
#define RP_TABLE_WRITER_H

#include "reprise/arrow.h"
#include "sink.h"

typedef struct rp_table_pair {
    const char *key, *value;
} rp_table_pair;

typedef struct rp_table_options {
    const rp_table_pair *about; /* added to the metadata of the schema */
    size_t about_count;
} rp_table_options;

typedef struct rp_table_writer rp_table_writer;

typedef struct rp_table_writer_ops {
    reprise_status (*batch)(rp_table_writer *writer, const struct ArrowArray *batch,
                            reprise_error *error);
    reprise_status (*end)(rp_table_writer *writer, reprise_error *error);
    void (*free)(rp_table_writer *writer);
} rp_table_writer_ops;

struct rp_table_writer {
    const rp_table_writer_ops *ops;
    rp_context *context;
    rp_sink *sink;                    /* not owned */
    const struct ArrowSchema *schema; /* not owned; must stay valid */
    rp_table_options options;         /* likewise */
};

/* With `as_file`, the file format with a footer, else the stream format. */
reprise_status rp_arrow_ipc_open(rp_context *context, const struct ArrowSchema *schema,
                                 const rp_table_options *options, bool as_file, rp_sink *sink,
                                 rp_table_writer **ret_writer, reprise_error *error);
reprise_status rp_parquet_open(rp_context *context, const struct ArrowSchema *schema,
                               const rp_table_options *options, rp_sink *sink,
                               rp_table_writer **ret_writer, reprise_error *error);

/* The batch stays the caller's. */
static inline reprise_status rp_table_batch(rp_table_writer *writer, const struct ArrowArray *batch,
                                            reprise_error *error)
{
    return writer->ops->batch(writer, batch, error);
}

/* Writes what is left. Without it, the sink has an incomplete file. */
static inline reprise_status rp_table_end(rp_table_writer *writer, reprise_error *error)
{
    return writer->ops->end(writer, error);
}

static inline void rp_table_writer_free(rp_table_writer *writer)
{
    if (writer)
        writer->ops->free(writer);
}

#endif
