/* array_rows.c - fills arrays column by column with the rows of decoding steps. See array.h. */
#include <assert.h>
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

static cells source_of(rp_array *array, const rp_row *rows, size_t count, const void *derived,
                       size_t derived_size)
{
    cells from = cells_of(array, rows, derived, derived_size);
    if (array->column->kind != RP_ROT)
        return from;
    return (cells){.base = (const char *)unpack_rotations(array, &from, count)->values,
                   .offset = array->column->axis * sizeof(float),
                   .stride = sizeof(rp_quat)};
}

/* ---- columns whose values are side by side in memory ---- */

typedef uint32_t four __attribute__((vector_size(RP_ARRAY_BESIDE * sizeof(uint32_t))));

static_assert(RP_ARRAY_BESIDE == 4, "four columns are one vector");

bool rp_array_beside(const rp_array *array, const rp_array *before)
{
    const rp_column *a = before->column, *b = array->column;
    if (a->source < RP_COLUMN_STORED || a->source != b->source || may_be_null(a) ||
        may_be_null(b) || before->about.width != sizeof(uint32_t) ||
        array->about.width != sizeof(uint32_t) || !rp_array_fixed(before) || !rp_array_fixed(array))
        return false;
    if (a->kind == RP_ROT || b->kind == RP_ROT)
        return a->kind == b->kind && a->offset == b->offset && b->axis == a->axis + 1;
    return b->offset == a->offset + sizeof(uint32_t);
}

static inline four load_four(const void *from)
{
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store_four(uint8_t *to, four value)
{
    memcpy(to, &value, sizeof value);
}

/* Reads four values of four rows at a time, and writes four of each column. */
static inline void spread(uint8_t *const to[RP_ARRAY_BESIDE], const cells *from, size_t count)
{
    uint8_t *x = to[0], *y = to[1], *z = to[2], *w = to[3];
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        four a = load_four(cell_at(from, i)), b = load_four(cell_at(from, i + 1));
        four c = load_four(cell_at(from, i + 2)), d = load_four(cell_at(from, i + 3));
        four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        four cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        store_four(x + i * sizeof(uint32_t), __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
        store_four(y + i * sizeof(uint32_t), __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
        store_four(z + i * sizeof(uint32_t), __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
        store_four(w + i * sizeof(uint32_t), __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
    }
    for (; i < count; i++) {
        const char *cell = cell_at(from, i);
        for (size_t k = 0; k < RP_ARRAY_BESIDE; k++)
            memcpy(to[k] + i * sizeof(uint32_t), cell + k * sizeof(uint32_t), sizeof(uint32_t));
    }
}

void rp_arrays_add_beside(rp_array *const *arrays, const rp_row *rows, size_t count,
                          const void *derived, size_t derived_size)
{
    cells from = source_of(arrays[0], rows, count, derived, derived_size);
    uint8_t *to[RP_ARRAY_BESIDE];
    for (size_t k = 0; k < RP_ARRAY_BESIDE; k++) {
        to[k] = put_values(arrays[k], count * sizeof(uint32_t));
        if (!to[k])
            return;
        arrays[k]->length += count;
    }
    /* Apart, so that the loop need not ask for each row which of them it is. */
    if (from.rows)
        spread(to, &from, count);
    else
        spread(to, &(cells){.base = from.base, .offset = from.offset, .stride = from.stride},
               count);
}

void rp_array_add_rows(rp_array *array, const rp_row *rows, size_t count, const void *derived,
                       size_t derived_size)
{
    const rp_column *column = array->column;
    cells from = source_of(array, rows, count, derived, derived_size);
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
