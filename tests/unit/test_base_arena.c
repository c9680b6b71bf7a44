/* test_base_arena.c - the contract of arena.h: zeroed, aligned, distinct, limited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena.h"
#include "checked.h"
#include "test_allocator.h"

typedef struct fixture {
    test_allocator allocator;
    rp_context context;
    reprise_error error;
    rp_arena arena;
} fixture;

static void begin(fixture *f, size_t fail_at)
{
    f->context = test_context(&f->allocator, fail_at);
    f->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_arena_init(&f->arena, &f->context);
}

static void end(fixture *f)
{
    rp_arena_free(&f->arena);
    assert_int_equal(f->allocator.live_count, 0);
    assert_int_equal(f->context.bytes_live, 0);
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i])
            return false;
    }
    return true;
}

static void arena__memory_is_zeroed_aligned_and_distinct(void **state)
{
    RP_UNUSED(state);
    enum { COUNT = 600 };
    uint8_t *blocks[COUNT];
    fixture f;
    begin(&f, 0);
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i * i % 5000;
        blocks[i] = rp_arena_alloc(&f.arena, size, &f.error);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        assert_true(all_zero(blocks[i], size));
        memset(blocks[i], (int)(i % 255) + 1, size);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < i * i % 5000; j++)
            assert_int_equal(blocks[i][j], i % 255 + 1);
    }
    end(&f);
}

static void arena__small_things_share_blocks(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    for (int i = 0; i < 10000; i++)
        assert_non_null(rp_arena_alloc(&f.arena, 16, &f.error));
    assert_true(f.allocator.requests < 20);
    end(&f);
}

static void arena__empty_allocations_are_distinct(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    void *a = rp_arena_alloc(&f.arena, 0, &f.error);
    void *b = rp_arena_alloc(&f.arena, 0, &f.error);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    end(&f);
}

static void arena__reset_gives_zeroed_memory_again(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    rp_arena_reset(&f.arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            uint8_t *bytes = rp_arena_alloc(&f.arena, 100, &f.error);
            assert_non_null(bytes);
            assert_true(all_zero(bytes, 100));
            memset(bytes, 0xFF, 100);
        }
        rp_arena_reset(&f.arena);
        assert_int_equal(f.allocator.live_count, 1);
    }
    end(&f);
}

static void arena__steady_use_with_reset_stops_allocating(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 100; i++)
            assert_non_null(rp_arena_alloc(&f.arena, 30, &f.error));
        rp_arena_reset(&f.arena);
    }
    assert_int_equal(f.allocator.requests, 1);
    end(&f);
}

static void arena__sizes_that_overflow_are_refused(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    assert_null(rp_arena_alloc(&f.arena, SIZE_MAX, &f.error));
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    rp_error_clear(&f.error);
    assert_null(rp_arena_alloc(&f.arena, SIZE_MAX - 20, &f.error));
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    rp_error_clear(&f.error);
    assert_null(rp_arena_array(&f.arena, SIZE_MAX / 2, 3, &f.error));
    assert_null(rp_arena_room(&f.arena, SIZE_MAX / 2, 3, &f.error));
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    rp_error_clear(&f.error);
    assert_null(rp_arena_text(&f.arena, "x", SIZE_MAX, &f.error));
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    assert_int_equal(f.allocator.requests, 0);
    end(&f);
}

static void arena__keeps_the_memory_limit(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    f.context.memory_max = 100000;
    size_t given = 0;
    while (rp_arena_alloc(&f.arena, 1000, &f.error))
        given += 1000;
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    assert_non_null(strstr(f.error.message, "memory_bytes=100000"));
    assert_in_range(given, 30000, 100000);
    assert_true(f.context.bytes_live <= 100000);
    end(&f);
}

static void arena__array_is_as_large_as_it_says(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    uint64_t *numbers = rp_arena_array(&f.arena, 3000, sizeof *numbers, &f.error);
    assert_non_null(numbers);
    assert_true(all_zero((const uint8_t *)numbers, 3000 * sizeof *numbers));
    memset(numbers, 0xFF, 3000 * sizeof *numbers);
    end(&f);
}

static void arena__text_is_copied_and_terminated(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    char original[] = "ab\0cd";
    char *copy = rp_arena_text(&f.arena, original, 5, &f.error);
    assert_non_null(copy);
    memset(original, 'x', sizeof original);
    assert_memory_equal(copy, "ab\0cd", 6);
    assert_string_equal(rp_arena_text(&f.arena, NULL, 0, &f.error), "");
    assert_string_equal(rp_arena_text(&f.arena, "abc", 2, &f.error), "ab");
    end(&f);
}

static void arena__format_is_never_truncated(void **state)
{
    RP_UNUSED(state);
    fixture f;
    begin(&f, 0);
    assert_string_equal(rp_arena_format(&f.arena, &f.error, "%s[%d]", "frames", 12), "frames[12]");
    char *wide = rp_arena_format(&f.arena, &f.error, "%9000d", 5);
    assert_non_null(wide);
    assert_int_equal(strlen(wide), 9000);
    assert_int_equal(wide[8999], '5');
    end(&f);
}

static void arena__a_list_keeps_its_items_when_it_grows(void **state)
{
    RP_UNUSED(state);
    enum { COUNT = 1000 };
    fixture f;
    begin(&f, 0);
    uint32_t *list = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *grown = rp_arena_grow(&f.arena, list, i + 1, &capacity, sizeof *list, &f.error);
        assert_non_null(grown);
        moves += grown != list;
        list = grown;
        assert_true(capacity > i && list[i] == 0);
        list[i] = i;
    }
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(list[i], i);
    assert_in_range(moves, 2, 10);
    size_t before = capacity;
    assert_null(rp_arena_grow(&f.arena, list, SIZE_MAX / 2, &capacity, sizeof *list, &f.error));
    assert_int_equal(f.error.status, REPRISE_E_LIMIT);
    assert_int_equal(capacity, before);
    end(&f);
}

static void arena__every_allocation_can_fail(void **state)
{
    RP_UNUSED(state);
    size_t n = 1;
    for (;; n++) {
        fixture f;
        begin(&f, n);
        bool done = rp_arena_alloc(&f.arena, 10, &f.error) &&
                    rp_arena_text(&f.arena, "text", 4, &f.error) &&
                    rp_arena_array(&f.arena, 1000, 8, &f.error) &&
                    rp_arena_room(&f.arena, 3000, 8, &f.error) &&
                    rp_arena_format(&f.arena, &f.error, "%20000d", 1);
        bool survived = test_allocator_survived(&f.allocator);
        assert_int_equal(done, survived);
        assert_int_equal(f.error.status, survived ? REPRISE_OK : REPRISE_E_NOMEM);
        end(&f);
        if (survived)
            break;
    }
    assert_true(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena__memory_is_zeroed_aligned_and_distinct),
        cmocka_unit_test(arena__small_things_share_blocks),
        cmocka_unit_test(arena__empty_allocations_are_distinct),
        cmocka_unit_test(arena__reset_gives_zeroed_memory_again),
        cmocka_unit_test(arena__steady_use_with_reset_stops_allocating),
        cmocka_unit_test(arena__sizes_that_overflow_are_refused),
        cmocka_unit_test(arena__keeps_the_memory_limit),
        cmocka_unit_test(arena__array_is_as_large_as_it_says),
        cmocka_unit_test(arena__text_is_copied_and_terminated),
        cmocka_unit_test(arena__format_is_never_truncated),
        cmocka_unit_test(arena__a_list_keeps_its_items_when_it_grows),
        cmocka_unit_test(arena__every_allocation_can_fail),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
