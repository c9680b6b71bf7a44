/*
 * parquet_page.c - makes the pages of a Parquet column: levels, encoded values, zstd.
 *
 * Which encoding is smallest depends on the values. The first page of a row group is made with each
 * that fits, and again when pages grow; the smallest wins and is used until then.
 */
#define ZSTD_STATIC_LINKING_ONLY /* custom allocators */
#include <zstd.h>

#include "checked.h"
#include "parquet_parts.h"

enum { LEVEL = 1 }; /* higher ones gain a few percent after these encodings */

/* ---- encoding ---- */

static void put_levels(rp_writer *w, const uint32_t *levels, size_t count, unsigned most)
{
    size_t slot = rp_slot_begin(w);
    if (levels) {
        rp_pq_put_hybrid(w, levels, count, rp_bit_width(most));
    } else if (count) {
        rp_put_varint(w, (uint64_t)count << 1); /* one run of the highest */
        rp_put_u8(w, (uint8_t)most);
    }
    rp_slot_end(w, slot);
}

static uint64_t number_at(const void *numbers, size_t i, size_t width)
{
    return width == 4 ? ((const uint32_t *)numbers)[i] : ((const uint64_t *)numbers)[i];
}

/* The entries of an array's dictionary are looked up once each. */
static bool number_entries(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                           uint32_t *to)
{
    size_t entries = (size_t)values->dictionary->length;
    rp_writer_clear(&pq->map);
    int64_t *map = (int64_t *)(void *)rp_put_raw(&pq->map, RP_MAX(entries, 1) * sizeof *map);
    for (size_t i = 0; map && i < entries; i++)
        map[i] = RP_PQ_NOT_FOUND;
    for (size_t i = 0; map && i < values->count; i++) {
        int64_t *number = &map[values->indices[i]];
        if (*number == RP_PQ_NOT_FOUND)
            *number = rp_pq_dictionary_text(&column->dictionary, values->texts[i]);
        if (*number == RP_PQ_NOT_FOUND)
            return false;
        to[i] = (uint32_t)*number;
    }
    return map != NULL;
}

/* Replaces values by numbers of the dictionary; false if it has no room for them all. */
static bool number_values(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                          uint32_t *to)
{
    rp_pq_dictionary *dictionary = &column->dictionary;
    size_t before = dictionary->count, most = before + values->count / 2 + 1;
    if (values->dictionary)
        return number_entries(pq, column, values, to);
    for (size_t i = 0; i < values->count; i++) {
        int64_t number = column->physical == RP_PQ_BYTES
                             ? rp_pq_dictionary_text(dictionary, values->texts[i])
                             : rp_pq_dictionary_number(dictionary,
                                                       number_at(values->numbers, i, column->width),
                                                       column->width);
        if (number == RP_PQ_NOT_FOUND || dictionary->count > most)
            return false;
        to[i] = (uint32_t)number;
    }
    return true;
}

static bool put_numbered(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values)
{
    rp_writer *indices = &pq->numbered;
    rp_writer_clear(indices);
    uint32_t *to = (uint32_t *)(void *)rp_put_raw(indices,
                                                  RP_MAX(values->count, 1) * sizeof(uint32_t));
    if (!to || !number_values(pq, column, values, to))
        return false;
    unsigned width = rp_bit_width(column->dictionary.count ? column->dictionary.count - 1 : 0);
    rp_put_u8(&pq->raw, (uint8_t)width);
    rp_pq_put_hybrid(&pq->raw, to, values->count, width);
    return true;
}

static void put_bools(rp_writer *w, const uint8_t *values, size_t count)
{
    uint8_t *to = count ? rp_put_raw(w, (count + 7) / 8) : NULL;
    if (!to)
        return;
    memset(to, 0, (count + 7) / 8);
    for (size_t i = 0; i < count; i++)
        to[i / 8] |= (uint8_t)(values[i] << i % 8);
}

static void put_plain(rp_writer *w, const rp_pq_column *column, const rp_pq_values *values)
{
    switch (column->physical) {
    case RP_PQ_BOOLEAN:
        put_bools(w, values->numbers, values->count);
        break;
    case RP_PQ_FIXED_BYTES:
        rp_put(w, values->numbers, values->count * column->width);
        break;
    case RP_PQ_BYTES:
        for (size_t i = 0; i < values->count; i++) {
            rp_put_u32(w, (uint32_t)values->texts[i].size);
            rp_put(w, values->texts[i].data, values->texts[i].size);
        }
        break;
    default:
        rp_pq_put_plain(w, values->numbers, values->count, column->width);
    }
}

/* Puts levels and values into pq->raw; false if the encoding cannot hold them. */
static bool encode(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                   rp_pq_encoding encoding)
{
    rp_writer *w = &pq->raw;
    rp_writer_clear(w);
    if (column->repetition_max)
        put_levels(w, values->repetitions, values->slots, column->repetition_max);
    if (column->definition_max)
        put_levels(w, values->definitions, values->slots, column->definition_max);
    switch (encoding) {
    case RP_PQ_DICTIONARY:
        return put_numbered(pq, column, values);
    case RP_PQ_DELTA:
        rp_pq_put_deltas(w, values->numbers, values->count, column->width);
        break;
    case RP_PQ_SPLIT:
        rp_pq_put_split(w, values->numbers, values->count, column->width);
        break;
    default:
        put_plain(w, column, values);
    }
    return true;
}

static reprise_status pack(rp_pq_writer *pq, const rp_writer *raw, rp_writer *packed,
                           reprise_error *error)
{
    RP_TRY(rp_pq_failed(pq, error));
    size_t most = ZSTD_compressBound(raw->size);
    rp_writer_clear(packed);
    uint8_t *to = rp_put_raw(packed, most);
    RP_TRY(rp_pq_failed(pq, error));
    size_t size = ZSTD_compressCCtx(pq->zstd, to, most, raw->data, raw->size, LEVEL);
    if (ZSTD_isError(size))
        return rp_codec_no_memory(pq->base.context, "encoding zstd data", error);
    packed->size = size;
    return REPRISE_OK;
}

/* ---- choosing ---- */

static void swap(rp_writer *a, rp_writer *b)
{
    rp_writer held = *a;
    *a = *b;
    *b = held;
}

/* The encodings that are tried; a dictionary comes first, because it is only kept if it wins. */
static size_t candidates(const rp_pq_column *column, rp_pq_encoding to[3])
{
    size_t count = 0;
    switch (column->physical) {
    case RP_PQ_INT32:
    case RP_PQ_INT64:
        to[count++] = RP_PQ_DICTIONARY;
        if (column->step_count == 1) /* polars 2.1 fails with nested deltas, whoever writes them */
            to[count++] = RP_PQ_DELTA;
        break;
    case RP_PQ_FLOAT:
    case RP_PQ_DOUBLE:
        to[count++] = RP_PQ_DICTIONARY;
        to[count++] = RP_PQ_SPLIT;
        break;
    case RP_PQ_BYTES:
        to[count++] = RP_PQ_DICTIONARY;
        break;
    default:
        break;
    }
    to[count++] = RP_PQ_PLAIN;
    return count;
}

/* A page of a dictionary also costs the entries that it added. */
static size_t cost_of(rp_pq_encoding encoding, size_t packed_size, size_t entry_bytes)
{
    return packed_size + (encoding == RP_PQ_DICTIONARY ? entry_bytes / 2 : 0);
}

/* Makes the page in every way that fits; the smallest is in pq->best. */
static reprise_status choose(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                             size_t *ret_raw_size, reprise_error *error)
{
    rp_pq_encoding all[3];
    size_t count = candidates(column, all), best = SIZE_MAX, second = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t entries = column->dictionary.values.size;
        if (!encode(pq, column, values, all[i])) {
            RP_TRY(rp_pq_failed(pq, error));
            continue;
        }
        RP_TRY(pack(pq, &pq->raw, &pq->packed, error));
        size_t cost = cost_of(all[i], pq->packed.size, column->dictionary.values.size - entries);
        if (all[i] != RP_PQ_DICTIONARY && cost < second) {
            second = cost;
            column->instead = all[i];
        }
        if (cost >= best)
            continue;
        best = cost;
        column->chosen = all[i];
        *ret_raw_size = pq->raw.size;
        swap(&pq->packed, &pq->best);
    }
    if (column->chosen != RP_PQ_DICTIONARY && !column->dictionary_used)
        rp_pq_dictionary_free(&column->dictionary);
    column->has_chosen = true;
    column->chosen_cost = (double)best / (double)RP_MAX(values->slots, 1);
    return REPRISE_OK;
}

/* Makes the page in pq->best with the encoding that was chosen before. */
static reprise_status make(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                           size_t *ret_raw_size, reprise_error *error)
{
    static const double worse = 1.5;
    if (!encode(pq, column, values, column->chosen)) {
        RP_TRY(rp_pq_failed(pq, error));
        column->chosen = column->instead;
        (void)encode(pq, column, values, column->chosen);
    }
    *ret_raw_size = pq->raw.size;
    RP_TRY(pack(pq, &pq->raw, &pq->best, error));
    if ((double)pq->best.size > worse * column->chosen_cost * (double)values->slots)
        column->has_chosen = false;
    return REPRISE_OK;
}

/* Nulls say nothing about the values to come, and need no encoding. */
static reprise_status make_empty(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                                 size_t *ret_raw_size, reprise_error *error)
{
    (void)encode(pq, column, values, RP_PQ_PLAIN);
    *ret_raw_size = pq->raw.size;
    return pack(pq, &pq->raw, &pq->best, error);
}

/* ---- pages ---- */

enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum {
    PAGE_TYPE = 1,
    PAGE_RAW_SIZE = 2,
    PAGE_PACKED_SIZE = 3,
    PAGE_DATA_HEAD = 5,
    PAGE_DICTIONARY_HEAD = 7
};

static void make_head(rp_pq_writer *pq, int32_t type, size_t raw_size, size_t count,
                      rp_pq_encoding encoding)
{
    rp_thrift t = {.w = &pq->head};
    rp_writer_clear(&pq->head);
    rp_thrift_i32(&t, PAGE_TYPE, type);
    rp_thrift_i32(&t, PAGE_RAW_SIZE, (int32_t)raw_size);
    rp_thrift_i32(&t, PAGE_PACKED_SIZE, (int32_t)pq->best.size);
    rp_thrift_begin(&t, type == PAGE_DATA ? PAGE_DATA_HEAD : PAGE_DICTIONARY_HEAD);
    rp_thrift_i32(&t, 1, (int32_t)count);
    rp_thrift_i32(&t, 2, (int32_t)encoding);
    if (type == PAGE_DATA) {
        rp_thrift_i32(&t, 3, RP_PQ_RLE); /* of both kinds of levels */
        rp_thrift_i32(&t, 4, RP_PQ_RLE);
    }
    rp_thrift_end(&t);
    rp_put_u8(&pq->head, 0);
}

static void add_bounds(rp_pq_column *column, const rp_pq_values *values, rp_pq_page *page)
{
    rp_pq_find_bounds(column, values, &page->bounds);
    if (page->bounds.known)
        rp_pq_widen_bounds(column, &column->bounds, &page->bounds);
    else if (values->count)
        column->bounds_lost = true;
}

reprise_status rp_pq_add_page(rp_pq_writer *pq, rp_pq_column *column, const rp_pq_values *values,
                              reprise_error *error)
{
    size_t raw_size = 0;
    rp_pq_encoding encoding = RP_PQ_PLAIN;
    if (!values->count)
        RP_TRY(make_empty(pq, column, values, &raw_size, error));
    else if (column->has_chosen)
        RP_TRY(make(pq, column, values, &raw_size, error));
    else
        RP_TRY(choose(pq, column, values, &raw_size, error));
    if (values->count)
        encoding = column->chosen;
    if (raw_size > INT32_MAX || pq->best.size > INT32_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "a page of column '%.60s' is too large",
                            column->path[0]);
    make_head(pq, PAGE_DATA, raw_size, values->slots, encoding);
    rp_put(&column->data, pq->head.data, pq->head.size);
    rp_put(&column->data, pq->best.data, pq->best.size);
    rp_pq_page page = {.size = pq->head.size + pq->best.size,
                       .first_row = (size_t)pq->group_rows,
                       .nulls = values->slots - values->count,
                       .slots = values->slots};
    add_bounds(column, values, &page);
    rp_put(&column->pages, &page, sizeof page);
    column->raw_size += pq->head.size + raw_size;
    column->value_count += values->slots;
    column->nulls += page.nulls;
    column->encodings |= 1u << encoding;
    column->dictionary_used |= encoding == RP_PQ_DICTIONARY;
    return rp_pq_failed(pq, error);
}

reprise_status rp_pq_make_dictionary_page(rp_pq_writer *pq, rp_pq_column *column,
                                          size_t *ret_raw_size, reprise_error *error)
{
    const rp_pq_dictionary *dictionary = &column->dictionary;
    RP_TRY(pack(pq, &dictionary->values, &pq->best, error));
    make_head(pq, PAGE_DICTIONARY, dictionary->values.size, dictionary->count, RP_PQ_PLAIN);
    *ret_raw_size = dictionary->values.size;
    return rp_pq_failed(pq, error);
}
