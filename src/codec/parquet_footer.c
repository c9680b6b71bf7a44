/* parquet_footer.c - writes row groups with their page indices, and the footer. */
#include <stdio.h>

#include "arrow_message.h"
#include "checked.h"
#include "parquet_parts.h"

static const char magic[4] = {'P', 'A', 'R', '1'};

/* ---- page indices ---- */

enum { UNORDERED = 0, ASCENDING = 1, DESCENDING = 2 };

static const rp_pq_page *pages_of(const rp_pq_column *column, size_t *ret_count)
{
    *ret_count = column->pages.size / sizeof(rp_pq_page);
    return (const void *)column->pages.data;
}

static int boundary_order(const rp_pq_column *column)
{
    size_t count;
    const rp_pq_page *pages = pages_of(column, &count), *last = NULL;
    bool ascending = true, descending = true;
    for (size_t i = 0; i < count; i++) {
        const rp_pq_bounds *own = &pages[i].bounds, *old = last ? &last->bounds : NULL;
        if (!own->known)
            continue;
        last = &pages[i];
        if (!old)
            continue;
        int least = rp_pq_compare(column, old->least, old->least_size, own->least, own->least_size);
        int most = rp_pq_compare(column, old->most, old->most_size, own->most, own->most_size);
        ascending &= least <= 0 && most <= 0;
        descending &= least >= 0 && most >= 0;
    }
    return ascending ? ASCENDING : descending ? DESCENDING : UNORDERED;
}

static void put_column_index(rp_writer *w, const rp_pq_column *column)
{
    enum { NULL_PAGES = 1, LEAST = 2, MOST = 3, ORDER = 4, NULLS = 5 };
    size_t count;
    const rp_pq_page *pages = pages_of(column, &count);
    rp_thrift t = {.w = w};
    rp_thrift_list(&t, NULL_PAGES, RP_THRIFT_TRUE, count);
    for (size_t i = 0; i < count; i++)
        rp_thrift_item_bool(&t, !pages[i].bounds.known);
    rp_thrift_list(&t, LEAST, RP_THRIFT_BINARY, count);
    for (size_t i = 0; i < count; i++)
        rp_thrift_item_bytes(&t, pages[i].bounds.least, pages[i].bounds.least_size);
    rp_thrift_list(&t, MOST, RP_THRIFT_BINARY, count);
    for (size_t i = 0; i < count; i++)
        rp_thrift_item_bytes(&t, pages[i].bounds.most, pages[i].bounds.most_size);
    rp_thrift_i32(&t, ORDER, boundary_order(column));
    rp_thrift_list(&t, NULLS, RP_THRIFT_I64, count);
    for (size_t i = 0; i < count; i++)
        rp_thrift_item_int(&t, (int64_t)pages[i].nulls);
    rp_put_u8(w, 0);
}

static void put_offset_index(rp_writer *w, const rp_pq_column *column, uint64_t offset)
{
    enum { LOCATIONS = 1, OFFSET = 1, SIZE = 2, FIRST_ROW = 3 };
    size_t count;
    const rp_pq_page *pages = pages_of(column, &count);
    rp_thrift t = {.w = w};
    rp_thrift_list(&t, LOCATIONS, RP_THRIFT_STRUCT, count);
    for (size_t i = 0; i < count; i++) {
        rp_thrift_item_begin(&t);
        rp_thrift_i64(&t, OFFSET, (int64_t)offset);
        rp_thrift_i32(&t, SIZE, (int32_t)pages[i].size);
        rp_thrift_i64(&t, FIRST_ROW, (int64_t)pages[i].first_row);
        rp_thrift_end(&t);
        offset += pages[i].size;
    }
    rp_put_u8(w, 0);
}

/* ---- row groups ---- */

/* Where the parts of a column are in the file. */
typedef struct place {
    uint64_t start, data, size, raw_size;
    uint64_t offset_index, column_index;
    size_t offset_index_size, column_index_size; /* 0: none */
} place;

static reprise_status write_column(rp_pq_writer *pq, rp_pq_column *column, place *to,
                                   reprise_error *error)
{
    rp_sink *sink = pq->base.sink;
    *to = (place){.start = rp_sink_size(sink), .raw_size = column->raw_size};
    if (column->dictionary_used) {
        size_t raw_size = 0;
        RP_TRY(rp_pq_make_dictionary_page(pq, column, &raw_size, error));
        RP_TRY(rp_sink_write(sink, pq->head.data, pq->head.size, error));
        RP_TRY(rp_sink_write(sink, pq->best.data, pq->best.size, error));
        to->raw_size += pq->head.size + raw_size;
    }
    to->data = rp_sink_size(sink);
    RP_TRY(rp_sink_write(sink, column->data.data, column->data.size, error));
    to->size = rp_sink_size(sink) - to->start;
    return REPRISE_OK;
}

static reprise_status write_indices(rp_pq_writer *pq, const rp_pq_column *column, place *to,
                                    reprise_error *error)
{
    rp_sink *sink = pq->base.sink;
    rp_writer *w = &pq->raw;
    if (!column->bounds_lost) {
        rp_writer_clear(w);
        put_column_index(w, column);
        RP_TRY(rp_pq_failed(pq, error));
        to->column_index = rp_sink_size(sink);
        to->column_index_size = w->size;
        RP_TRY(rp_sink_write(sink, w->data, w->size, error));
    }
    rp_writer_clear(w);
    put_offset_index(w, column, to->data);
    RP_TRY(rp_pq_failed(pq, error));
    to->offset_index = rp_sink_size(sink);
    to->offset_index_size = w->size;
    return rp_sink_write(sink, w->data, w->size, error);
}

static void put_statistics(rp_thrift *t, const rp_pq_column *column)
{
    enum { STATISTICS = 12, NULLS = 3, MOST = 5, LEAST = 6, MOST_EXACT = 7, LEAST_EXACT = 8 };
    const rp_pq_bounds *bounds = &column->bounds;
    rp_thrift_begin(t, STATISTICS);
    rp_thrift_i64(t, NULLS, (int64_t)column->nulls);
    if (bounds->known && !column->bounds_lost) {
        rp_thrift_bytes(t, MOST, bounds->most, bounds->most_size);
        rp_thrift_bytes(t, LEAST, bounds->least, bounds->least_size);
        rp_thrift_bool(t, MOST_EXACT, true);
        rp_thrift_bool(t, LEAST_EXACT, true);
    }
    rp_thrift_end(t);
}

static void put_encodings(rp_thrift *t, const rp_pq_column *column)
{
    enum { ENCODINGS = 2 };
    uint32_t used = column->encodings | 1u << RP_PQ_RLE;
    if (column->dictionary_used)
        used |= 1u << RP_PQ_PLAIN;
    size_t count = 0;
    for (uint32_t bits = used; bits; bits &= bits - 1)
        count++;
    rp_thrift_list(t, ENCODINGS, RP_THRIFT_I32, count);
    for (int i = 0; i < 32; i++) {
        if (used >> i & 1)
            rp_thrift_item_int(t, i);
    }
}

static void put_column(rp_thrift *t, const rp_pq_column *column, const place *at)
{
    enum { FILE_OFFSET = 2, META = 3, OFFSET_INDEX = 4, COLUMN_INDEX = 6 };
    enum { TYPE = 1, PATH = 3, CODEC = 4, VALUES = 5, RAW = 6, PACKED = 7, DATA = 9, DICT = 11 };
    enum { ZSTD = 6 };
    rp_thrift_item_begin(t);
    rp_thrift_i64(t, FILE_OFFSET, 0); /* only in files whose columns are in other files */
    rp_thrift_begin(t, META);
    rp_thrift_i32(t, TYPE, (int32_t)column->physical);
    put_encodings(t, column);
    rp_thrift_list(t, PATH, RP_THRIFT_BINARY, column->path_count);
    for (size_t i = 0; i < column->path_count; i++)
        rp_thrift_item_bytes(t, column->path[i], strlen(column->path[i]));
    rp_thrift_i32(t, CODEC, ZSTD);
    rp_thrift_i64(t, VALUES, (int64_t)column->value_count);
    rp_thrift_i64(t, RAW, (int64_t)at->raw_size);
    rp_thrift_i64(t, PACKED, (int64_t)at->size);
    rp_thrift_i64(t, DATA, (int64_t)at->data);
    if (column->dictionary_used)
        rp_thrift_i64(t, DICT, (int64_t)at->start);
    put_statistics(t, column);
    rp_thrift_end(t);
    rp_thrift_i64(t, OFFSET_INDEX, (int64_t)at->offset_index);
    rp_thrift_i32(t, OFFSET_INDEX + 1, (int32_t)at->offset_index_size);
    if (at->column_index_size) {
        rp_thrift_i64(t, COLUMN_INDEX, (int64_t)at->column_index);
        rp_thrift_i32(t, COLUMN_INDEX + 1, (int32_t)at->column_index_size);
    }
    rp_thrift_end(t);
}

static void put_group(rp_pq_writer *pq, const place *places)
{
    enum { COLUMNS = 1, RAW = 2, ROWS = 3, OFFSET = 5, PACKED = 6, ORDINAL = 7 };
    rp_thrift t = {.w = &pq->groups};
    uint64_t raw_size = 0, size = 0;
    rp_thrift_list(&t, COLUMNS, RP_THRIFT_STRUCT, pq->column_count);
    for (size_t i = 0; i < pq->column_count; i++) {
        put_column(&t, &pq->columns[i], &places[i]);
        raw_size += places[i].raw_size;
        size += places[i].size;
    }
    rp_thrift_i64(&t, RAW, (int64_t)raw_size);
    rp_thrift_i64(&t, ROWS, (int64_t)pq->group_rows);
    rp_thrift_i64(&t, OFFSET, (int64_t)places[0].start);
    rp_thrift_i64(&t, PACKED, (int64_t)size);
    if (pq->group_count <= INT16_MAX)
        rp_thrift_i16(&t, ORDINAL, (int16_t)pq->group_count);
    rp_put_u8(&pq->groups, 0);
    pq->group_count++;
}

static void begin_column(rp_pq_column *column)
{
    rp_writer_clear(&column->data);
    rp_writer_clear(&column->pages);
    rp_pq_dictionary_free(&column->dictionary);
    column->raw_size = column->value_count = column->nulls = 0;
    column->encodings = 0;
    column->bounds.known = column->bounds_lost = false;
    column->dictionary_used = column->has_chosen = false;
}

reprise_status rp_pq_end_group(rp_pq_writer *pq, reprise_error *error)
{
    place *places = rp_alloc_zero(pq->base.context, pq->column_count, sizeof *places, error);
    reprise_status status = places ? REPRISE_OK : error->status;
    for (size_t i = 0; status == REPRISE_OK && i < pq->column_count; i++)
        status = write_column(pq, &pq->columns[i], &places[i], error);
    for (size_t i = 0; status == REPRISE_OK && i < pq->column_count; i++)
        status = write_indices(pq, &pq->columns[i], &places[i], error);
    if (status == REPRISE_OK) {
        put_group(pq, places);
        status = rp_pq_failed(pq, error);
    }
    rp_free(pq->base.context, places, pq->column_count * sizeof *places);
    for (size_t i = 0; i < pq->column_count; i++)
        begin_column(&pq->columns[i]);
    pq->group_rows = 0;
    return status;
}

/* ---- the footer ---- */

static void put_base64(rp_writer *w, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)data[i] << 16;
        three |= i + 1 < size ? (uint32_t)data[i + 1] << 8 : 0;
        three |= i + 2 < size ? (uint32_t)data[i + 2] : 0;
        rp_put_u8(w, (uint8_t)digits[three >> 18]);
        rp_put_u8(w, (uint8_t)digits[three >> 12 & 63]);
        rp_put_u8(w, i + 1 < size ? (uint8_t)digits[three >> 6 & 63] : '=');
        rp_put_u8(w, i + 2 < size ? (uint8_t)digits[three & 63] : '=');
    }
}

static void put_pair(rp_thrift *t, const void *key, size_t key_size, const void *value,
                     size_t value_size)
{
    rp_thrift_item_begin(t);
    rp_thrift_bytes(t, 1, key, key_size);
    rp_thrift_bytes(t, 2, value, value_size);
    rp_thrift_end(t);
}

/* The Arrow schema, from which readers of Arrow restore dictionaries and metadata of columns. */
static reprise_status make_arrow_schema(rp_pq_writer *pq, reprise_error *error)
{
    enum { ALIGNMENT = 8 };
    uint8_t head[RP_ARROW_HEAD_SIZE];
    RP_TRY(rp_arrow_schema_message(&pq->raw, pq->base.schema, &pq->base.options,
                                   RP_ARROW_IN_PARQUET, error));
    size_t padding = rp_arrow_head(0, pq->raw.size, ALIGNMENT, head);
    rp_writer_clear(&pq->packed);
    rp_put(&pq->packed, head, sizeof head);
    rp_put(&pq->packed, pq->raw.data, pq->raw.size);
    rp_put(&pq->packed, (const uint8_t[ALIGNMENT]){0}, padding);
    rp_writer_clear(&pq->best);
    RP_TRY(rp_pq_failed(pq, error));
    put_base64(&pq->best, pq->packed.data, pq->packed.size);
    return rp_pq_failed(pq, error);
}

static void put_metadata(rp_pq_writer *pq, rp_thrift *t)
{
    enum { FILE_METADATA = 5 };
    static const char arrow_key[] = "ARROW:schema";
    const rp_table_options *options = &pq->base.options;
    const char *metadata = pq->base.schema->metadata, *at = rp_arrow_pairs(metadata);
    size_t count = rp_arrow_pair_count(metadata);
    rp_thrift_list(t, FILE_METADATA, RP_THRIFT_STRUCT, count + options->about_count + 1);
    for (size_t i = 0; i < count; i++) {
        rp_arrow_pair pair = rp_arrow_pair_next(&at);
        put_pair(t, pair.key, pair.key_size, pair.value, pair.value_size);
    }
    for (size_t i = 0; i < options->about_count; i++) {
        const rp_table_pair *pair = &options->about[i];
        put_pair(t, pair->key, strlen(pair->key), pair->value, strlen(pair->value));
    }
    put_pair(t, arrow_key, sizeof arrow_key - 1, pq->best.data, pq->best.size);
}

reprise_status rp_pq_write_footer(rp_pq_writer *pq, reprise_error *error)
{
    enum { FORMAT = 1, ROWS = 3, GROUPS = 4, CREATED_BY = 6, ORDERS = 7 };
    enum { FORMAT_VERSION = 2, BY_TYPE = 1 };
    RP_TRY(make_arrow_schema(pq, error));
    rp_writer *w = &pq->raw;
    rp_writer_clear(w);
    rp_thrift t = {.w = w};
    rp_thrift_i32(&t, FORMAT, FORMAT_VERSION);
    rp_pq_put_schema(&t, pq->base.schema);
    rp_thrift_i64(&t, ROWS, (int64_t)pq->row_count);
    rp_thrift_list(&t, GROUPS, RP_THRIFT_STRUCT, pq->group_count);
    rp_put(w, pq->groups.data, pq->groups.size);
    put_metadata(pq, &t);
    rp_thrift_text(&t, CREATED_BY, "reprise version " REPRISE_VERSION);
    rp_thrift_list(&t, ORDERS, RP_THRIFT_STRUCT, pq->column_count);
    for (size_t i = 0; i < pq->column_count; i++) {
        rp_thrift_item_begin(&t);
        rp_thrift_begin(&t, BY_TYPE);
        rp_thrift_end(&t);
        rp_thrift_end(&t);
    }
    rp_put_u8(w, 0);
    rp_put_u32(w, (uint32_t)w->size);
    rp_put(w, magic, sizeof magic);
    RP_TRY(rp_pq_failed(pq, error));
    return rp_sink_write(pq->base.sink, w->data, w->size, error);
}
