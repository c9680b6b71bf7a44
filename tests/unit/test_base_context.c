/* test_base_context.c - the contract of context.h: limits, allocator, memory counts, cancellation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "checked.h"
#include "context.h"
#include "options.h"
#include "test_allocator.h"
#include "whole.h"

static void limits__are_finite_and_as_documented(void **state)
{
    RP_UNUSED(state);
    static const struct {
        const char *name;
        uint64_t value;
    } known[] = {
        {"input_bytes", UINT64_C(4294967296)},
        {"decoded_bytes", UINT64_C(2147483648)},
        {"expansion_ratio", 1000},
        {"memory_bytes", 0},
        {"zip_entries", 100000},
        {"string_bytes", 16777216},
        {"record_bytes", 16777216},
        {"text_bytes", 16777216},
        {"material_bytes", 1048576},
        {"items", 16777216},
        {"depth", 64},
        {"output_bytes", 0},
        {"ticks", 0},
    };
    assert_int_equal(reprise_limit_count(), RP_COUNT(known));
    assert_null(reprise_limit_at(RP_COUNT(known)));
    for (size_t i = 0; i < RP_COUNT(known); i++) {
        const reprise_limit *limit = reprise_limit_at(i);
        uint64_t value = 1;
        assert_string_equal(limit->name, known[i].name);
        assert_true(limit->value == known[i].value);
        assert_true(strlen(limit->doc) > 8);
        assert_int_equal(reprise_options_get_limit(NULL, limit->name, &value, NULL), REPRISE_OK);
        assert_true(value == known[i].value);
    }
}

static void limits__set_by_name(void **state)
{
    RP_UNUSED(state);
    TEST_OPTIONS(options);
    for (size_t i = 0; i < reprise_limit_count(); i++)
        options_limit(options, reprise_limit_at(i)->name, 1000 + i);
    for (size_t i = 0; i < reprise_limit_count(); i++) {
        uint64_t value = 0;
        assert_int_equal(
            reprise_options_get_limit(options, reprise_limit_at(i)->name, &value, NULL),
            REPRISE_OK);
        assert_int_equal(value, 1000 + i);
    }
    assert_int_equal(options->limits.input_bytes_max, 1000);
    assert_int_equal(options->limits.depth_max, 1010);
}

static void limits__unknown_names_change_nothing(void **state)
{
    RP_UNUSED(state);
    TEST_OPTIONS(options);
    rp_limits before = options->limits;
    static const char *const names[] = {"", "input", "input_bytes_max", "Items", "depth "};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        uint64_t value = 5;
        assert_int_equal(reprise_options_set_limit(options, names[i], 1, NULL), REPRISE_E_USAGE);
        assert_int_equal(reprise_options_get_limit(options, names[i], &value, NULL),
                         REPRISE_E_USAGE);
        assert_int_equal(value, 5);
    }
    assert_memory_equal(&options->limits, &before, sizeof before);
}

static void options__init_gives_the_defaults(void **state)
{
    RP_UNUSED(state);
    reprise_options options;
    memset(&options, 0xFF, sizeof options);
    rp_options_init(&options);
    assert_int_equal(options.limits.depth_max, 64);
    assert_true(options.allocator.alloc == NULL);
    assert_null(options.format);
    assert_null(options.layout);
    assert_true(options.progress == NULL);
}

static void context__works_on_libc(void **state)
{
    RP_UNUSED(state);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    char *memory = rp_alloc(&context, 10, &error);
    assert_non_null(memory);
    memcpy(memory, "0123456789", 10);
    memory = rp_realloc(&context, memory, 10, 5000, &error);
    assert_non_null(memory);
    assert_memory_equal(memory, "0123456789", 10);
    assert_int_equal(context.bytes_live, 5000);
    rp_free(&context, memory, 5000);
    assert_int_equal(context.bytes_live, 0);
}

static void context__a_list_that_cannot_grow_stays_as_it_was(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 2);
    reprise_error error = REPRISE_ERROR_INIT;
    size_t capacity = 0;
    uint16_t *list = rp_grow(&context, NULL, 1, &capacity, sizeof *list, &error);
    assert_non_null(list);
    size_t first = capacity;
    list[0] = 7;
    assert_ptr_equal(rp_grow(&context, list, first, &capacity, sizeof *list, &error), list);
    assert_null(rp_grow(&context, list, first + 1, &capacity, sizeof *list, &error));
    assert_int_equal(error.status, REPRISE_E_NOMEM);
    assert_int_equal(capacity, first);
    assert_int_equal(list[0], 7);
    rp_error_clear(&error);
    assert_null(rp_grow(&context, list, SIZE_MAX, &capacity, sizeof *list, &error));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    rp_free(&context, list, capacity * sizeof *list);
    assert_int_equal(context.bytes_live, 0);
}

static void context__counts_live_memory(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    void *a = rp_alloc(&context, 100, &error);
    void *b = rp_alloc_zero(&context, 5, 8, &error);
    assert_int_equal(context.bytes_live, 140);
    a = rp_realloc(&context, a, 100, 300, &error);
    assert_int_equal(context.bytes_live, 340);
    a = rp_realloc(&context, a, 300, 20, &error);
    assert_int_equal(context.bytes_live, 60);
    rp_free(&context, a, 20);
    rp_free(&context, b, 40);
    rp_free(&context, NULL, 77);
    assert_int_equal(context.bytes_live, 0);
    assert_int_equal(allocator.live_count, 0);
}

static void context__size_zero_is_a_block(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    void *a = rp_alloc(&context, 0, &error);
    void *b = rp_alloc_zero(&context, 0, 8, &error);
    assert_non_null(a);
    assert_non_null(b);
    a = rp_realloc(&context, a, 0, 10, &error);
    a = rp_realloc(&context, a, 10, 0, &error);
    assert_non_null(a);
    rp_free(&context, a, 0);
    rp_free(&context, b, 0);
    assert_int_equal(context.bytes_live, 0);
    assert_int_equal(allocator.live_count, 0);
}

static void context__zeroed_memory_is_zero(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    uint8_t *memory = rp_alloc_zero(&context, 10, 10, &error);
    assert_non_null(memory);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(memory[i], 0);
    rp_free(&context, memory, 100);
}

static void context__memory_limit_is_exact(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    context.memory_max = 100;
    reprise_error error = REPRISE_ERROR_INIT;
    void *a = rp_alloc(&context, 60, &error);
    void *b = rp_alloc(&context, 40, &error);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(rp_alloc(&context, 1, &error));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_string_equal(error.message, "1 more bytes would pass limit memory_bytes=100");
    assert_int_equal(context.bytes_live, 100);

    rp_error_clear(&error);
    assert_null(rp_realloc(&context, b, 40, 41, &error));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    rp_error_clear(&error);
    assert_null(rp_alloc(&context, SIZE_MAX, &error));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_int_equal(context.bytes_live, 100);
    assert_int_equal(allocator.requests, 2);

    rp_free(&context, b, 40);
    b = rp_alloc(&context, 40, &error);
    assert_non_null(b);
    rp_free(&context, a, 60);
    rp_free(&context, b, 40);
}

static void context__small_input_gets_little_memory(void **state)
{
    RP_UNUSED(state);
    reprise_options options;
    rp_options_init(&options);
    rp_context context;
    rp_context_init(&context, &options);
    assert_true(context.memory_max == UINT64_C(2) << 30);
    rp_context_add_input(&context, 1000);
    assert_true(context.memory_max == (UINT64_C(48) << 20) + 16000);
    assert_true(context.output_max == (UINT64_C(1) << 30) + 1000000);
    assert_true(context.ticks_max == 900000 + 16000);
    rp_context_add_input(&context, UINT64_MAX);
    assert_true(context.memory_max >= UINT64_MAX - 16);

    options.limits.memory_bytes_max = 77;
    rp_context_init(&context, &options);
    rp_context_add_input(&context, 1000);
    assert_true(context.memory_max == 77);
}

static void context__peak_is_the_most_live_memory(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    void *a = rp_alloc(&context, 100, &error), *b = rp_alloc(&context, 50, &error);
    rp_free(&context, a, 100);
    rp_free(&context, b, 50);
    assert_int_equal(context.bytes_peak, 150);
}

/* If a library got no memory because of the limit, the message names the limit. */
static void context__codec_failure_names_the_limit(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_codec_no_memory(&context, "decoding x", &error);
    assert_int_equal(error.status, REPRISE_E_NOMEM);
    context.memory_max = 10;
    assert_null(rp_codec_alloc(&context, 100));
    rp_error_clear(&error);
    rp_codec_no_memory(&context, "decoding x", &error);
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_string_equal(error.message, "decoding x would pass limit memory_bytes=10");
    assert_true(rp_is_own_failure(&context, error.status));
}

static void context__product_that_overflows_is_refused(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    context.memory_max = UINT64_MAX;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_null(rp_alloc_zero(&context, SIZE_MAX / 4 + 1, 4, &error));
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_int_equal(allocator.requests, 0);
}

static void context__no_memory_keeps_the_old_block(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 2);
    reprise_error error = REPRISE_ERROR_INIT;
    char *memory = rp_alloc(&context, 4, &error);
    assert_non_null(memory);
    memcpy(memory, "keep", 4);
    assert_null(rp_realloc(&context, memory, 4, 1000, &error));
    assert_int_equal(error.status, REPRISE_E_NOMEM);
    assert_int_equal(context.bytes_live, 4);
    assert_memory_equal(memory, "keep", 4);
    rp_free(&context, memory, 4);
    assert_int_equal(allocator.live_count, 0);

    context = test_context(&allocator, 1);
    rp_error_clear(&error);
    assert_null(rp_alloc(&context, 4, &error));
    assert_int_equal(error.status, REPRISE_E_NOMEM);
    assert_string_equal(error.message, "no memory for 4 bytes");
    assert_int_equal(context.bytes_live, 0);
}

static void context__realloc_of_null_allocates(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    void *memory = rp_realloc(&context, NULL, 0, 30, &error);
    assert_non_null(memory);
    assert_int_equal(context.bytes_live, 30);
    rp_free(&context, memory, 30);
}

static void context__codec_memory_knows_its_size(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    for (size_t size = 0; size < 100; size += 9) {
        uint8_t *memory = rp_codec_alloc(&context, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        memset(memory, 1, size);
        rp_codec_free(&context, memory);
    }
    rp_codec_free(&context, NULL);
    assert_int_equal(allocator.live_count, 0);
    assert_int_equal(context.bytes_live, 0);
}

static void context__codec_memory_is_limited(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 1);
    assert_null(rp_codec_alloc(&context, SIZE_MAX));
    assert_int_equal(allocator.requests, 0);
    assert_null(rp_codec_alloc(&context, 10));
    context.memory_max = 1000;
    assert_null(rp_codec_alloc(&context, 1000));
    assert_int_equal(context.bytes_live, 0);
}

typedef struct watcher {
    uint64_t done, total;
    bool go_on;
} watcher;

static bool watch(void *ctx, uint64_t done, uint64_t total)
{
    watcher *self = ctx;
    self->done = done;
    self->total = total;
    return self->go_on;
}

static void context__progress_can_stop(void **state)
{
    RP_UNUSED(state);
    watcher seen = {.go_on = true};
    reprise_options options;
    rp_options_init(&options);
    options.progress = watch;
    options.progress_ctx = &seen;
    rp_context context;
    rp_context_init(&context, &options);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_progress(&context, 3, 10, &error), REPRISE_OK);
    assert_int_equal(seen.done, 3);
    assert_int_equal(seen.total, 10);
    seen.go_on = false;
    assert_int_equal(rp_progress(&context, 4, 10, &error), REPRISE_E_CANCELLED);
    assert_int_equal(error.status, REPRISE_E_CANCELLED);
}

static void context__works_without_a_progress_callback(void **state)
{
    RP_UNUSED(state);
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_progress(&context, 1, 0, &error), REPRISE_OK);
}

static void limit__is_inclusive_and_names_itself(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_limit(10, 10, "string size", "string_bytes", &error), REPRISE_OK);
    assert_int_equal(rp_limit(11, 10, "string size", "string_bytes", &error), REPRISE_E_LIMIT);
    assert_string_equal(error.message, "string size 11 is over limit string_bytes=10");
}

static void checked__overflow_is_reported(void **state)
{
    RP_UNUSED(state);
    size_t result = 77;
    assert_true(rp_add(SIZE_MAX - 5, 5, &result));
    assert_true(result == SIZE_MAX);
    result = 77;
    assert_false(rp_add(SIZE_MAX - 5, 6, &result));
    assert_int_equal(result, 77);
    assert_true(rp_mul(SIZE_MAX / 3, 3, &result));
    assert_true(result == SIZE_MAX / 3 * 3);
    assert_true(rp_mul(SIZE_MAX, 0, &result));
    assert_int_equal(result, 0);
    result = 77;
    assert_false(rp_mul(SIZE_MAX / 3 + 1, 3, &result));
    assert_int_equal(result, 77);
}

static void whole__every_number_converts(void **state)
{
    RP_UNUSED(state);
    static const struct {
        double number;
        int64_t i64;
        uint64_t u64;
        int32_t i32;
        uint32_t u32;
    } cases[] = {
        {0, 0, 0, 0, 0},
        {-0.0, 0, 0, 0, 0},
        {2.9, 2, 2, 2, 2},
        {-2.9, -2, 0, -2, 0},
        {4e9, 4000000000, 4000000000, INT32_MAX, 4000000000},
        {-4e9, -4000000000, 0, INT32_MIN, 0},
        {1e19, INT64_MAX, UINT64_C(10000000000000000000), INT32_MAX, UINT32_MAX},
        {0x1p63, INT64_MAX, UINT64_C(1) << 63, INT32_MAX, UINT32_MAX},
        {0x1p64, INT64_MAX, UINT64_MAX, INT32_MAX, UINT32_MAX},
        {-0x1p63, INT64_MIN, 0, INT32_MIN, 0},
        {1e300, INT64_MAX, UINT64_MAX, INT32_MAX, UINT32_MAX},
        {-1e300, INT64_MIN, 0, INT32_MIN, 0},
        {INFINITY, INT64_MAX, UINT64_MAX, INT32_MAX, UINT32_MAX},
        {-INFINITY, INT64_MIN, 0, INT32_MIN, 0},
        {NAN, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        assert_true(rp_whole(cases[i].number) == cases[i].i64);
        assert_true(rp_whole_u64(cases[i].number) == cases[i].u64);
        assert_true(rp_whole_i32(cases[i].number) == cases[i].i32);
        assert_true(rp_whole_u32(cases[i].number) == cases[i].u32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits__are_finite_and_as_documented),
        cmocka_unit_test(limits__set_by_name),
        cmocka_unit_test(limits__unknown_names_change_nothing),
        cmocka_unit_test(options__init_gives_the_defaults),
        cmocka_unit_test(context__works_on_libc),
        cmocka_unit_test(context__a_list_that_cannot_grow_stays_as_it_was),
        cmocka_unit_test(context__counts_live_memory),
        cmocka_unit_test(context__size_zero_is_a_block),
        cmocka_unit_test(context__zeroed_memory_is_zero),
        cmocka_unit_test(context__memory_limit_is_exact),
        cmocka_unit_test(context__small_input_gets_little_memory),
        cmocka_unit_test(context__peak_is_the_most_live_memory),
        cmocka_unit_test(context__codec_failure_names_the_limit),
        cmocka_unit_test(context__product_that_overflows_is_refused),
        cmocka_unit_test(context__no_memory_keeps_the_old_block),
        cmocka_unit_test(context__realloc_of_null_allocates),
        cmocka_unit_test(context__codec_memory_knows_its_size),
        cmocka_unit_test(context__codec_memory_is_limited),
        cmocka_unit_test(context__progress_can_stop),
        cmocka_unit_test(context__works_without_a_progress_callback),
        cmocka_unit_test(limit__is_inclusive_and_names_itself),
        cmocka_unit_test(checked__overflow_is_reported),
        cmocka_unit_test(whole__every_number_converts),
    };
    return cmocka_run_group_tests_name("context", tests, NULL, NULL);
}
