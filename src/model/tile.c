/* tile.c - see tile.h. */
#include "tile.h"

#include <assert.h>
#include <string.h>

#include "checked.h"

/* ---- gathering ---- */

/* Inlined with a constant width, so that each value is one load and one store. */
static inline void gather_width(const char *restrict from, size_t stride, size_t count,
                                size_t width, char *restrict to)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4, from += 4 * stride, to += 4 * width) {
        memcpy(to, from, width);
        memcpy(to + width, from + stride, width);
        memcpy(to + 2 * width, from + 2 * stride, width);
        memcpy(to + 3 * width, from + 3 * stride, width);
    }
    for (; i < count; i++, from += stride, to += width)
        memcpy(to, from, width);
}

void rp_gather(const char *from, size_t stride, size_t count, size_t width, void *ret_values)
{
    if (stride == width) {
        memcpy(ret_values, from, count * width);
        return;
    }
    switch (width) {
    case 1:
        gather_width(from, stride, count, 1, ret_values);
        break;
    case 2:
        gather_width(from, stride, count, 2, ret_values);
        break;
    case 4:
        gather_width(from, stride, count, 4, ret_values);
        break;
    case 8:
        gather_width(from, stride, count, 8, ret_values);
        break;
    default:
        gather_width(from, stride, count, width, ret_values);
    }
}

enum { BESIDE = 4 };

typedef uint32_t four __attribute__((vector_size(BESIDE * sizeof(uint32_t))));

static inline four load_four(const char *from)
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
static inline size_t spread(const char *restrict from, size_t stride, size_t count, size_t columns,
                            uint8_t *const *to)
{
    uint8_t *restrict x = to[0], *restrict y = to[1];
    uint8_t *restrict z = columns > 2 ? to[2] : NULL, *restrict w = columns > 3 ? to[3] : NULL;
    size_t i = 0;
    for (; i + 4 <= count; i += 4, from += 4 * stride) {
        four a = load_four(from), b = load_four(from + stride);
        four c = load_four(from + 2 * stride), d = load_four(from + 3 * stride);
        four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        store_four(x + 4 * i, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
        store_four(y + 4 * i, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
        if (columns < 3)
            continue;
        four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        four cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        store_four(z + 4 * i, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
        if (columns == BESIDE)
            store_four(w + 4 * i, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
    }
    return i;
}

void rp_gather_beside(const char *from, size_t stride, size_t count, size_t columns,
                      uint8_t *const *to)
{
    /* Of two or three columns, four are read: not from the last row, and only if there is room. */
    size_t whole = columns == BESIDE ? count : stride >= BESIDE * sizeof(uint32_t) ? count - 1 : 0;
    size_t i = columns == 2   ? spread(from, stride, whole, 2, to)
               : columns == 3 ? spread(from, stride, whole, 3, to)
                              : spread(from, stride, whole, BESIDE, to);
    for (; i < count; i++) {
        for (size_t k = 0; k < columns; k++)
            memcpy(to[k] + i * sizeof(uint32_t), from + i * stride + k * sizeof(uint32_t),
                   sizeof(uint32_t));
    }
}

/* ---- tiles ---- */

reprise_status rp_tile_init(rp_tile *tile, rp_arena *arena, const rp_track *track,
                            reprise_error *error)
{
    *tile = (rp_tile){.derived_size = track->derived ? track->derived->size : 0};
    for (size_t round = 0; round < 2; round++) {
        size_t count = 0;
        for (size_t p = 0; p < track->part_count; p++) {
            const rp_part *part = &track->parts[p];
            for (size_t i = 0; i < part->record->count; i++) {
                const rp_field *field = &part->record->fields[i];
                if (field->kind != RP_ROT)
                    continue;
                if (round)
                    tile->rotations[count].offset = part->offset + field->offset;
                count++;
            }
        }
        if (!round)
            tile->rotations = rp_arena_array(arena, count, sizeof *tile->rotations, error);
        RP_TRY(error->status);
        tile->rotation_count = count;
    }
    return REPRISE_OK;
}

bool rp_tile_set(rp_tile *tile, const rp_row *rows, size_t count)
{
    const char *first = rows[0].data, *next = count > 1 ? rows[1].data : first;
    if (next < first)
        return false;
    size_t stride = (size_t)(next - first);
    for (size_t i = 2; i < count; i++) {
        if ((const char *)rows[i].data != (const char *)rows[i - 1].data + stride)
            return false;
    }
    tile->rows = rows;
    tile->count = count;
    tile->data = first;
    tile->stride = stride;
    for (size_t i = 0; i < tile->rotation_count; i++)
        tile->rotations[i].unpacked = false;
    return true;
}

const rp_tile_floats *rp_tile_rotation_at(rp_tile *tile, size_t offset)
{
    rp_tile_rotation *rotation = tile->rotations;
    while (rotation->offset != offset) {
        rotation++;
        assert(rotation < tile->rotations + tile->rotation_count);
    }
    if (!rotation->unpacked) {
        rp_tile_floats *axes = rotation->axes;
        rp_rot_columns(tile->data + offset, tile->stride, tile->count,
                       (float *const[4]){axes[0].at, axes[1].at, axes[2].at, axes[3].at});
    }
    rotation->unpacked = true;
    return rotation->axes;
}

void rp_tile_read(const rp_tile *tile, size_t offset, size_t columns, rp_tile_floats *ret_columns)
{
    uint8_t *to[BESIDE];
    for (size_t k = 0; k < columns; k++)
        to[k] = (uint8_t *)ret_columns[k].at;
    rp_gather_beside(tile->data + offset, tile->stride, tile->count, columns, to);
}
