/* test_tile.c - columns of a tile hold what its rows hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "tile.h"

static void fill(void *to, size_t size)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        ((uint8_t *)to)[i] = (uint8_t)(state >> 24);
    }
}

/* Memory of exactly the rows, so that a sanitizer sees what is read after them. */
static void tile__gathers_columns_that_are_side_by_side(void **state)
{
    RP_UNUSED(state);
    for (size_t columns = 2; columns <= 4; columns++) {
        for (size_t stride = 4 * columns; stride <= 40; stride += 4) {
            for (size_t count = 1; count <= 19; count++) {
                uint32_t found[4][19];
                uint8_t *const to[4] = {(uint8_t *)found[0], (uint8_t *)found[1],
                                        (uint8_t *)found[2], (uint8_t *)found[3]};
                size_t offset = stride - 4 * columns;
                char *rows = malloc(count * stride);
                assert_non_null(rows);
                fill(rows, count * stride);
                rp_gather_beside(rows + offset, stride, count, columns, to);
                for (size_t i = 0; i < count * columns; i++)
                    assert_memory_equal(&found[i % columns][i / columns],
                                        rows + i / columns * stride + offset + 4 * (i % columns),
                                        4);
                free(rows);
            }
        }
    }
}

static void tile__gathers_values_of_every_width(void **state)
{
    RP_UNUSED(state);
    char rows[23 * 40], found[23 * 12];
    fill(rows, sizeof rows);
    for (size_t width = 1; width <= 12; width++) {
        for (size_t stride = width; stride <= 40; stride += 7) {
            for (size_t count = 0; count <= 23; count++) {
                rp_gather(rows, stride, count, width, found);
                for (size_t i = 0; i < count; i++)
                    assert_memory_equal(found + i * width, rows + i * stride, width);
            }
        }
    }
}

#define ROTATED(F, T)                \
    F(T, before, U8, 0, NULL, "")    \
    F(T, rotation, ROT, 0, NULL, "") \
    F(T, place, VEC3, 0, NULL, "")

RP_STRUCT(rotated, ROTATED);
RP_TABLE(rotated, ROTATED, "a row with a rotation");

static void tile__unpacks_rotations_as_single_ones(void **state)
{
    RP_UNUSED(state);
    static const uint8_t sizes[] = {7, 16, 0, 7, 7};
    static const rp_track track = {
        .name = "rotated", .parts = {{NULL, &rotated_record, 0}}, .part_count = 1};
    static rotated data[RP_TILE_ROWS];
    static rp_row rows[RP_TILE_ROWS];
    rp_context context;
    rp_arena arena;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_tile tile;
    rp_context_init(&context, NULL);
    rp_arena_init(&arena, &context);
    assert_int_equal(rp_tile_init(&tile, &arena, &track, &error), REPRISE_OK);
    fill(data, sizeof data);
    for (size_t i = 0; i < RP_TILE_ROWS; i++) {
        /* All packed at first, then all kinds. */
        data[i].rotation.size = i < RP_TILE_ROWS / 2 ? 7 : sizes[i % RP_COUNT(sizes)];
        data[i].rotation.bytes[6] %= 5;
        rows[i].data = &data[i];
    }
    for (size_t count = 1; count <= RP_TILE_ROWS; count += 17) {
        assert_true(rp_tile_set(&tile, rows + RP_TILE_ROWS - count, count));
        const rp_tile_floats *axes = rp_tile_rotation_at(&tile, offsetof(rotated, rotation));
        assert_ptr_equal(axes, rp_tile_rotation_at(&tile, offsetof(rotated, rotation)));
        for (size_t i = 0; i < count; i++) {
            rp_quat one = rp_rot_value(&data[RP_TILE_ROWS - count + i].rotation);
            const float found[4] = {axes[0].at[i], axes[1].at[i], axes[2].at[i], axes[3].at[i]};
            assert_memory_equal(found, &one, sizeof found);
        }
    }
    rp_arena_free(&arena);
}

static void tile__needs_rows_that_are_evenly_spaced(void **state)
{
    RP_UNUSED(state);
    char data[40];
    const rp_row rows[] = {
        {.data = data}, {.data = data + 8}, {.data = data + 16}, {.data = data + 32}};
    const rp_row falling[] = {{.data = data + 8}, {.data = data}};
    rp_tile tile = {0};
    assert_true(rp_tile_set(&tile, rows, 1));
    assert_true(rp_tile_set(&tile, rows, 3));
    assert_int_equal(tile.stride, 8);
    assert_false(rp_tile_set(&tile, rows, 4));
    assert_false(rp_tile_set(&tile, falling, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tile__gathers_columns_that_are_side_by_side),
        cmocka_unit_test(tile__gathers_values_of_every_width),
        cmocka_unit_test(tile__unpacks_rotations_as_single_ones),
        cmocka_unit_test(tile__needs_rows_that_are_evenly_spaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
