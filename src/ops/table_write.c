/* table_write.c - see table_write.h. */
#include "table_write.h"

/* Rows of a page or record batch; larger ones compress better, smaller ones are cheaper to skip. */
enum { PARQUET_ROWS = 32768, ARROW_ROWS = 16384 };

typedef struct job {
    rp_batches batches;
    struct ArrowSchema schema;
    rp_table_writer *writer;
    rp_table_written *written;
} job;

reprise_status rp_table_open(rp_context *context, reprise_table_form form,
                             const struct ArrowSchema *schema, const rp_table_options *options,
                             rp_sink *sink, rp_table_writer **ret_writer, reprise_error *error)
{
    switch (form) {
    case REPRISE_TABLE_PARQUET:
        return rp_parquet_open(context, schema, options, sink, ret_writer, error);
    case REPRISE_TABLE_ARROW:
    case REPRISE_TABLE_ARROW_STREAM:
        return rp_arrow_ipc_open(context, schema, options, form == REPRISE_TABLE_ARROW, sink,
                                 ret_writer, error);
    }
    return rp_error_set(error, REPRISE_E_USAGE, "there is no form %d of a table", (int)form);
}

static reprise_status write_batch(job *j, const reprise_batch *batch, reprise_error *error)
{
    rp_arrow_table table = rp_batches_table(&j->batches);
    struct ArrowArray rows;
    RP_TRY(rp_arrow_batch(j->batches.replay->context, &table, batch->row_count, &rows, error));
    reprise_status status = rp_table_batch(j->writer, &rows, error);
    rows.release(&rows);
    if (status == REPRISE_OK)
        j->written->rows += batch->row_count;
    return status;
}

/* Writes until reading ends. What a failure of reading leaves is still a table. */
static reprise_status write_batches(job *j, reprise_error *error)
{
    reprise_error ended = REPRISE_ERROR_INIT;
    const reprise_batch *batch = NULL;
    reprise_status status;
    while ((status = rp_batches_next(&j->batches, &batch, &ended)) == REPRISE_OK)
        RP_TRY(write_batch(j, batch, error));
    if (rp_is_own_failure(j->batches.replay->context, status))
        return *error = ended, status;
    RP_TRY(rp_table_end(j->writer, error));
    j->written->finished = true;
    if (status != REPRISE_END)
        *error = ended;
    return status;
}

static reprise_status write_all(job *j, reprise_table_form form, const char *file, rp_sink *sink,
                                reprise_error *error)
{
    const rp_table_pair about[] = {{"reprise.layout", j->batches.replay->layout},
                                   {"reprise.version", REPRISE_VERSION},
                                   {"reprise.file", file}};
    rp_table_options options = {about, file ? RP_COUNT(about) : RP_COUNT(about) - 1};
    rp_arrow_table table = rp_batches_table(&j->batches);
    RP_TRY(rp_arrow_schema(j->batches.replay->context, &table, &j->schema, error));
    RP_TRY(rp_table_open(j->batches.replay->context, form, &j->schema, &options, sink, &j->writer,
                         error));
    return write_batches(j, error);
}

reprise_status rp_table_write(rp_replay *replay, size_t track, reprise_table_form form,
                              const reprise_batch_options *options, const char *file, rp_sink *sink,
                              rp_table_written *written, reprise_error *error)
{
    job j = {.written = written};
    reprise_batch_options all = *options;
    if (!all.rows_max)
        all.rows_max = form == REPRISE_TABLE_PARQUET ? PARQUET_ROWS : ARROW_ROWS;
    *written = (rp_table_written){0};
    reprise_status status = rp_batches_open(&j.batches, replay, track, &all, true, error);
    if (status == REPRISE_OK)
        status = write_all(&j, form, file, sink, error);
    rp_table_writer_free(j.writer);
    if (j.schema.release)
        j.schema.release(&j.schema);
    rp_batches_close(&j.batches);
    return status == REPRISE_END ? REPRISE_OK : status;
}
