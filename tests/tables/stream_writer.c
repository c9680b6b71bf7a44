/*
 * stream_writer.c - the writers of table files for streams that other programs make. Tests and
 * duels load it into Python, which has the other writers and all readers.
 */
#include "table_writer.h"

int write_stream(struct ArrowArrayStream *stream, int form, const char *path);

static reprise_status write_batches(struct ArrowArrayStream *stream, rp_table_writer *writer,
                                    reprise_error *error)
{
    for (;;) {
        struct ArrowArray batch;
        if (stream->get_next(stream, &batch) != 0)
            return rp_error_set(error, REPRISE_E_IO, "the stream failed");
        if (!batch.release)
            return rp_table_end(writer, error);
        reprise_status status = rp_table_batch(writer, &batch, error);
        batch.release(&batch);
        RP_TRY(status);
    }
}

/* 0: Parquet, 1: Arrow file, 2: Arrow stream. Returns the status. */
int write_stream(struct ArrowArrayStream *stream, int form, const char *path)
{
    static const rp_table_options options;
    rp_context context;
    reprise_error error = REPRISE_ERROR_INIT;
    struct ArrowSchema schema = {.release = NULL};
    rp_table_writer *writer = NULL;
    rp_sink *sink = NULL;
    rp_context_init(&context, NULL);
    rp_context_add_input(&context, UINT64_C(1) << 30);
    reprise_status status = rp_sink_open_file(&context, path, true, 0, &sink, &error);
    if (status == REPRISE_OK && stream->get_schema(stream, &schema) != 0)
        status = REPRISE_E_IO;
    if (status == REPRISE_OK)
        status = form == 0 ? rp_parquet_open(&context, &schema, &options, sink, &writer, &error)
                           : rp_arrow_ipc_open(&context, &schema, &options, form == 1, sink,
                                               &writer, &error);
    if (status == REPRISE_OK)
        status = write_batches(stream, writer, &error);
    if (status == REPRISE_OK)
        status = rp_sink_commit(sink, &error);
    rp_table_writer_free(writer);
    rp_sink_close(sink);
    if (schema.release)
        schema.release(&schema);
    stream->release(stream);
    return (int)status;
}
