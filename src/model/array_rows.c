/* array_rows.c - fills arrays column by column with the rows of a tile. See array.h. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "array_parts.h"
#include "checked.h"

/* Where the values of a column are. */
typedef struct cells {
    const char *base;
    size_t stride;
} cells;

static cells cells_of(const rp_array *array, rp_tile *tile)
{
    const rp_column *column = array->column;
    const char *rows = (const char *)tile->rows;
    switch (column->source) {
    case RP_COLUMN_INDEX:
        return (cells){rows + offsetof(rp_row, index), sizeof(rp_row)};
    case RP_COLUMN_TIME:
        return (cells){rows + offsetof(rp_row, time), sizeof(rp_row)};
    case RP_COLUMN_OBJECT:
        return (cells){rows + offsetof(rp_row, object), sizeof(rp_row)};
    case RP_COLUMN_PRESENT:
        return (cells){rows + offsetof(rp_row, present), sizeof(rp_row)};
    case RP_COLUMN_STORED:
        if (column->kind != RP_ROT)
            return (cells){tile->data + column->offset, tile->stride};
        return (cells){(const char *)&rp_tile_rotation_at(tile, column->offset)[column->axis],
                       sizeof(float)};
    default:
        assert(column->kind != RP_ROT);
        if (array->arrays->derives_columns)
            return (cells){tile->derived + column->offset * RP_TILE_ROWS,
                           RP_MAX(array->about.width, 1)};
        return (cells){tile->derived + column->offset, tile->derived_size};
    }
}

/* ---- bits ---- */

/* Rows whose bits fit into one word. */
enum { WORD = 64 };

static uint64_t ones(size_t count)
{
    return count < WORD ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* Adds the lowest `count` bits, at most WORD, to those before; the bits above them are 0. */
static void add_bits(rp_writer *w, size_t index, uint64_t bits, size_t count)
{
    size_t used = index % 8, first = used ? RP_MIN(8 - used, count) : 0;
    if (used && rp_writer_ok(w))
        w->data[index / 8] |= (uint8_t)(bits << used);
    bits >>= first;
    count -= first;
    uint8_t *to = count ? rp_put_raw(w, (count + 7) / 8) : NULL;
    for (size_t i = 0; to && i < (count + 7) / 8; i++)
        to[i] = (uint8_t)(bits >> 8 * i);
}

/* The lowest bits of WORD bytes that are 0 or 1: the product moves those of eight together. */
static uint64_t bits_of(const uint8_t bytes[WORD])
{
    uint64_t bits = 0;
    for (size_t i = 0; i < WORD / 8; i++)
        bits |= rp_load64(bytes + 8 * i) * UINT64_C(0x0102040810204080) >> 56 << 8 * i;
    return bits;
}

static uint64_t bits_of_cells(const cells *from, size_t count)
{
    uint8_t bytes[WORD] = {0};
    rp_gather(from->base, from->stride, count, 1, bytes);
    return bits_of(bytes);
}

static bool may_be_null(const rp_column *column)
{
    return column->sparse || (column->source == RP_COLUMN_DERIVED && column->kind == RP_F64);
}

/* Those that are not NaN; the values follow each other. */
static uint64_t numbers_there(const double *numbers, size_t count)
{
    uint64_t bits = 0, missing = 0;
    for (size_t i = 0; i < count; i++)
        missing += isnan(numbers[i]) ? 1 : 0;
    for (size_t i = 0; missing && i < count; i++)
        bits |= (uint64_t)!isnan(numbers[i]) << i;
    return missing ? bits : ones(count);
}

/*
 * Which of at most WORD rows have a value; that of a derived number that is missing is NaN.
 * `values` are those of the rows in the column.
 */
static uint64_t valid_bits(const rp_column *column, const rp_row *rows, size_t count,
                           const void *values)
{
    if (!may_be_null(column))
        return ones(count);
    if (!column->sparse)
        return numbers_there(values, count);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= (rows[i].present >> column->presence_bit & 1) << i;
    return bits;
}

static void add_valid_bits(rp_array *array, uint64_t bits, size_t count)
{
    uint64_t nulls = bits ^ ones(count);
    if (nulls && !array->null_count)
        rp_array_begin_validity(array);
    for (; nulls; nulls &= nulls - 1)
        array->null_count++;
    if (array->null_count)
        add_bits(&array->validity, array->length, bits, count);
    array->length += count;
}

/* ---- values of one size ---- */

/*
 * Room for values of all the rows. The columns of a batch grow together, and each growth moves them
 * all, so a column takes at first what the batch before needed, and then several times what it has.
 */
static uint8_t *put_values(rp_array *array, size_t size)
{
    enum { SMALL = 64 << 10 };
    rp_writer *w = &array->values;
    if (size > w->capacity - w->size) {
        size_t more = w->size ? w->size * 3 : array->size_before;
        if (more > size && w->size < SMALL && !rp_reserve(w, RP_MIN(more, w->size_max - w->size)))
            return NULL;
    }
    uint8_t *to = rp_put_raw(w, size);
    array->size_before = RP_MAX(array->size_before, w->size);
    array->arrays->bytes += size;
    return to;
}

static void add_numbers(rp_array *array, const rp_tile *tile, const cells *from)
{
    const rp_column *column = array->column;
    size_t width = array->about.width, count = tile->count;
    uint8_t *to = put_values(array, count * width);
    if (!to)
        return;
    rp_gather(from->base, from->stride, count, width, to);
    if (!may_be_null(column) && !array->null_count) {
        array->length += count;
        return;
    }
    for (size_t at = 0, some; at < count; at += some) {
        some = RP_MIN(count - at, (size_t)WORD);
        uint64_t bits = valid_bits(column, tile->rows + at, some, to + at * width);
        for (uint64_t nulls = bits ^ ones(some); nulls; nulls &= nulls - 1)
            memset(to + (at + (size_t)__builtin_ctzll(nulls)) * width, 0, width);
        add_valid_bits(array, bits, some);
    }
}

static void add_bools(rp_array *array, const rp_tile *tile, const cells *from)
{
    const rp_column *column = array->column;
    for (size_t at = 0, some; at < tile->count; at += some) {
        some = RP_MIN(tile->count - at, (size_t)WORD);
        cells part = {from->base + at * from->stride, from->stride};
        uint64_t valid = valid_bits(column, tile->rows + at, some, NULL);
        add_bits(&array->values, array->length, bits_of_cells(&part, some) & valid, some);
        add_valid_bits(array, valid, some);
    }
}

bool rp_array_fixed(const rp_array *array)
{
    return array->about.type < REPRISE_ARRAY_TEXT;
}

/* ---- columns whose values are side by side in memory ---- */

bool rp_array_beside(const rp_array *array, const rp_array *before)
{
    const rp_column *a = before->column, *b = array->column;
    bool apart = a->kind == RP_ROT || b->kind == RP_ROT ||
                 (a->source == RP_COLUMN_DERIVED && array->arrays->derives_columns);
    return !apart && a->source >= RP_COLUMN_STORED && a->source == b->source && !may_be_null(a) &&
           !may_be_null(b) && before->about.width == sizeof(uint32_t) &&
           array->about.width == sizeof(uint32_t) && rp_array_fixed(before) &&
           rp_array_fixed(array) && b->offset == a->offset + sizeof(uint32_t);
}

void rp_arrays_add_beside(rp_array *const *arrays, size_t columns, rp_tile *tile)
{
    cells from = cells_of(arrays[0], tile);
    uint8_t *to[RP_ARRAY_BESIDE];
    for (size_t k = 0; k < columns; k++) {
        to[k] = put_values(arrays[k], tile->count * sizeof(uint32_t));
        if (!to[k])
            return;
        arrays[k]->length += tile->count;
    }
    rp_gather_beside(from.base, from.stride, tile->count, columns, to);
}

/* ---- rows ---- */

void rp_array_add_rows(rp_array *array, rp_tile *tile)
{
    cells from = cells_of(array, tile);
    if (array->about.type == REPRISE_ARRAY_BOOL)
        add_bools(array, tile, &from);
    else
        add_numbers(array, tile, &from);
}

void rp_array_add_row(rp_array *array, const rp_row *row, const void *derived)
{
    const rp_column *column = array->column;
    const char *base = column->source == RP_COLUMN_DERIVED ? derived : row->data;
    bool text = column->kind == RP_TEXT || column->kind == RP_BYTES;
    if (text && !column->sparse)
        rp_array_add_text(array, (const void *)(base + column->offset));
    else if (rp_column_null(column, row, derived))
        rp_array_add_null(array);
    else
        rp_array_add_value(array, base + column->offset);
}

void rp_array_add_nulls(rp_array *array, size_t count)
{
    if (!array->about.width || !rp_array_fixed(array)) {
        for (size_t i = 0; i < count; i++)
            rp_array_add_null(array);
        return;
    }
    uint8_t *to = put_values(array, count * array->about.width);
    if (to)
        memset(to, 0, count * array->about.width);
    for (size_t at = 0; at < count; at += WORD)
        add_valid_bits(array, 0, RP_MIN(count - at, (size_t)WORD));
}

void rp_array_add_stored(rp_array *array, const rp_row *rows, size_t count)
{
    const rp_column *column = array->column;
    for (size_t i = 0; i < count; i++) {
        bool stored = column->source < RP_COLUMN_STORED ||
                      (column->source == RP_COLUMN_STORED &&
                       rows[i].present >> column->presence_bit & 1);
        rp_array_add_bit(&array->stored, array->stored_length++, stored);
    }
}
