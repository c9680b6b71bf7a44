/*
 * parquet.c - writes Parquet files.
 *
 * Each batch becomes one page of every column, encoded and compressed at once; a row group ends
 * when its compressed pages or its rows reach a bound, so memory does not grow with the table.
 */
#define ZSTD_STATIC_LINKING_ONLY /* custom allocators */
#include <zstd.h>

#include "checked.h"
#include "parquet_parts.h"

enum {
    GROUP_ROWS_MAX = 1 << 20,
    GROUP_BYTES_MAX = 6 << 20, /* of finished pages */
};

static size_t group_bytes(const rp_pq_writer *pq)
{
    size_t size = 0;
    for (size_t i = 0; i < pq->column_count; i++)
        size += pq->columns[i].data.size + pq->columns[i].dictionary.values.size;
    return size;
}

static reprise_status pq_batch(rp_table_writer *writer, const struct ArrowArray *batch,
                               reprise_error *error)
{
    rp_pq_writer *pq = (rp_pq_writer *)writer;
    RP_TRY(rp_arrow_check(writer->schema, batch, error));
    if (!batch->length)
        return REPRISE_OK;
    for (size_t i = 0; i < pq->column_count; i++) {
        rp_pq_values values;
        rp_pq_collect(&pq->columns[i], batch, &pq->scratch, &values);
        RP_TRY(rp_pq_failed(pq, error));
        RP_TRY(rp_pq_add_page(pq, &pq->columns[i], &values, error));
    }
    pq->group_rows += (uint64_t)batch->length;
    pq->row_count += (uint64_t)batch->length;
    if (pq->group_rows < GROUP_ROWS_MAX && group_bytes(pq) < GROUP_BYTES_MAX)
        return REPRISE_OK;
    return rp_pq_end_group(pq, error);
}

static reprise_status pq_end(rp_table_writer *writer, reprise_error *error)
{
    rp_pq_writer *pq = (rp_pq_writer *)writer;
    if (pq->group_rows)
        RP_TRY(rp_pq_end_group(pq, error));
    return rp_pq_write_footer(pq, error);
}

static rp_writer *writer_at(rp_pq_writer *pq, size_t i)
{
    rp_writer *const all[] = {&pq->raw,      &pq->packed, &pq->best,  &pq->head,
                              &pq->numbered, &pq->map,    &pq->groups};
    return i < RP_COUNT(all) ? all[i] : NULL;
}

static void pq_free(rp_table_writer *writer)
{
    rp_pq_writer *pq = (rp_pq_writer *)writer;
    for (size_t i = 0; i < pq->column_count; i++) {
        rp_writer_free(&pq->columns[i].data);
        rp_writer_free(&pq->columns[i].pages);
        rp_pq_dictionary_free(&pq->columns[i].dictionary);
    }
    for (size_t i = 0; writer_at(pq, i); i++)
        rp_writer_free(writer_at(pq, i));
    rp_pq_scratch_free(&pq->scratch);
    ZSTD_freeCCtx(pq->zstd);
    rp_arena_free(&pq->arena);
    rp_free(writer->context, pq, sizeof *pq);
}

static reprise_status start(rp_pq_writer *pq, reprise_error *error)
{
    rp_context *context = pq->base.context;
    ZSTD_customMem memory = {rp_codec_alloc, rp_codec_free, context};
    pq->zstd = ZSTD_createCCtx_advanced(memory);
    if (!pq->zstd)
        return rp_codec_no_memory(context, "encoding zstd data", error);
    RP_TRY(rp_pq_find_columns(pq, error));
    return rp_sink_write(pq->base.sink, "PAR1", 4, error);
}

reprise_status rp_parquet_open(rp_context *context, const struct ArrowSchema *schema,
                               const rp_table_options *options, rp_sink *sink,
                               rp_table_writer **ret_writer, reprise_error *error)
{
    static const rp_table_writer_ops ops = {.batch = pq_batch, .end = pq_end, .free = pq_free};
    rp_pq_writer *pq = rp_alloc_zero(context, 1, sizeof *pq, error);
    if (!pq)
        return error->status;
    pq->base = (rp_table_writer){
        .ops = &ops, .context = context, .sink = sink, .schema = schema, .options = *options};
    rp_arena_init(&pq->arena, context);
    for (size_t i = 0; writer_at(pq, i); i++)
        rp_writer_init(writer_at(pq, i), context, SIZE_MAX / 2, &pq->error);
    rp_pq_scratch_init(&pq->scratch, context, &pq->error);
    if (start(pq, error) != REPRISE_OK) {
        pq_free(&pq->base);
        return error->status;
    }
    *ret_writer = &pq->base;
    return REPRISE_OK;
}
