/* array_rows.c - fills arrays column by column with the rows of decoding steps. See array.h. */
#include <math.h>
#include <string.h>

#include "array_parts.h"
#include "checked.h"

/* Adds the lowest `count` bits, at most 64, to those before; the bits above them are 0. */
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

/* Where the values of a column are: in the data of rows, or `stride` bytes apart. */
typedef struct cells {
    const rp_row *rows; /* NULL: use base */
    const char *base;
    size_t offset, stride;
} cells;

static inline const void *cell_at(const cells *from, size_t i)
{
    return (from->rows ? (const char *)from->rows[i].data : from->base + i * from->stride) +
           from->offset;
}

/* Without the first `count`. */
static cells cells_from(const cells *all, size_t count)
{
    cells from = *all;
    if (from.rows)
        from.rows += count;
    else
        from.base += count * from.stride;
    return from;
}

static cells cells_of(const rp_array *array, const rp_row *rows, const void *derived,
                      size_t derived_size)
{
    const rp_column *column = array->column;
    const char *base = (const char *)rows;
    size_t stride = array->arrays->row_stride;
    switch (column->source) {
    case RP_COLUMN_INDEX:
        return (cells){.base = base, .offset = offsetof(rp_row, index), .stride = sizeof *rows};
    case RP_COLUMN_TIME:
        return (cells){.base = base, .offset = offsetof(rp_row, time), .stride = sizeof *rows};
    case RP_COLUMN_OBJECT:
        return (cells){.base = base, .offset = offsetof(rp_row, object), .stride = sizeof *rows};
    case RP_COLUMN_PRESENT:
        return (cells){.base = base, .offset = offsetof(rp_row, present), .stride = sizeof *rows};
    case RP_COLUMN_STORED:
        if (stride)
            return (cells){.base = rows->data, .offset = column->offset, .stride = stride};
        return (cells){.rows = rows, .offset = column->offset};
    default:
        return (cells){.base = derived, .offset = column->offset, .stride = derived_size};
    }
}

/* Inlined with a constant width, so that each value is one load and one store. */
static inline void gather_width(uint8_t *to, const cells *from, size_t count, size_t width)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * width, cell_at(from, i), width);
}

static void gather(uint8_t *to, const cells *from, size_t count, size_t width)
{
    switch (width) {
    case 1:
        gather_width(to, from, count, 1);
        break;
    case 2:
        gather_width(to, from, count, 2);
        break;
    case 4:
        gather_width(to, from, count, 4);
        break;
    case 8:
        gather_width(to, from, count, 8);
        break;
    default:
        gather_width(to, from, count, width);
    }
}

/* Rows whose bits fit into one word. */
enum { WORD = 64 };

static uint64_t ones(size_t count)
{
    return count < WORD ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

static bool may_be_null(const rp_column *column)
{
    return column->sparse || (column->source == RP_COLUMN_DERIVED && column->kind == RP_F64);
}

/* Which of at most WORD rows have a value; that of a derived number that is missing is NaN. */
static uint64_t valid_bits(const rp_column *column, const rp_row *rows, size_t count,
                           const cells *from)
{
    uint64_t bits = 0;
    if (column->sparse) {
        for (size_t i = 0; i < count; i++)
            bits |= (rows[i].present >> column->presence_bit & 1) << i;
        return bits;
    }
    for (size_t i = 0; i < count; i++)
        bits |= (uint64_t)!isnan(*(const double *)cell_at(from, i)) << i;
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

static void add_numbers(rp_array *array, const rp_row *rows, size_t count, const cells *from)
{
    const rp_column *column = array->column;
    size_t width = array->about.width;
    uint8_t *to = put_values(array, count * width);
    if (!to)
        return;
    gather(to, from, count, width);
    if (!may_be_null(column) && !array->null_count) {
        array->length += count;
        return;
    }
    for (size_t at = 0, some; at < count; at += some) {
        some = RP_MIN(count - at, (size_t)WORD);
        cells part = cells_from(from, at);
        uint64_t bits = may_be_null(column) ? valid_bits(column, rows + at, some, &part)
                                            : ones(some);
        for (uint64_t nulls = bits ^ ones(some); nulls; nulls &= nulls - 1)
            memset(to + (at + (size_t)__builtin_ctzll(nulls)) * width, 0, width);
        add_valid_bits(array, bits, some);
    }
}

static void add_bools(rp_array *array, const rp_row *rows, size_t count, const cells *from)
{
    const rp_column *column = array->column;
    for (size_t at = 0, some; at < count; at += some) {
        some = RP_MIN(count - at, (size_t)WORD);
        cells part = cells_from(from, at);
        uint64_t bits = 0;
        uint64_t valid = may_be_null(column) ? valid_bits(column, rows + at, some, &part)
                                             : ones(some);
        for (size_t i = 0; i < some; i++)
            bits |= (uint64_t) * (const bool *)cell_at(&part, i) << i;
        add_bits(&array->values, array->length, bits & valid, some);
        add_valid_bits(array, valid, some);
    }
}

void rp_arrays_next_rows(rp_arrays *arrays, const rp_row *rows, size_t count)
{
    arrays->rotations.field = NULL;
    arrays->row_stride = 0;
    if (count < 2 || (const char *)rows[1].data <= (const char *)rows[0].data)
        return;
    size_t stride = (size_t)((const char *)rows[1].data - (const char *)rows[0].data);
    for (size_t i = 2; i < count; i++) {
        if ((const char *)rows[i].data != (const char *)rows[i - 1].data + stride)
            return;
    }
    arrays->row_stride = stride;
}

/* Rotations are packed in memory: each is unpacked once for its four columns. */
static const rp_rotations *unpack_rotations(rp_array *array, const cells *from, size_t count)
{
    rp_rotations *rotations = &array->arrays->rotations;
    const rp_column *column = array->column;
    if (rotations->field == column->field && rotations->offset == column->offset)
        return rotations;
    for (size_t i = 0; i < count; i++)
        rotations->values[i] = rp_rot_value(cell_at(from, i));
    rotations->field = column->field;
    rotations->offset = column->offset;
    return rotations;
}

bool rp_array_fixed(const rp_array *array)
{
    return array->about.type < REPRISE_ARRAY_TEXT;
}

void rp_array_add_rows(rp_array *array, const rp_row *rows, size_t count, const void *derived,
                       size_t derived_size)
{
    const rp_column *column = array->column;
    cells from = cells_of(array, rows, derived, derived_size);
    if (column->kind == RP_ROT)
        from = (cells){.base = (const char *)unpack_rotations(array, &from, count)->values,
                       .offset = column->axis * sizeof(float),
                       .stride = sizeof(rp_quat)};
    if (array->about.width && rp_array_fixed(array)) {
        add_numbers(array, rows, count, &from);
        return;
    }
    if (array->about.type == REPRISE_ARRAY_BOOL) {
        add_bools(array, rows, count, &from);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const void *computed = derived ? (const char *)derived + i * derived_size : NULL;
        if (rp_column_null(column, &rows[i], computed))
            rp_array_add_null(array);
        else
            rp_array_add_value(array, cell_at(&from, i));
    }
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
