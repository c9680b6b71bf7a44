/*
 * test_fault.c - the Nth allocation fails, the Nth read fails, for N = 1, 2, 3 ... until nothing
 * fails any more. Every time: no leak, no crash, and if opening fails it says why.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "exercise.h"
#include "options.h"
#include "samples.h"
#include "test_allocator.h"

/* Larger samples do the same things more often; every family has small ones. */
enum { SAMPLE_SIZE_MAX = 5000, FAULTS_MAX = 400 };

static void fail_allocations(const sample *s)
{
    if (s->size > SAMPLE_SIZE_MAX)
        return;
    for (size_t n = 1; n <= FAULTS_MAX; n++) {
        test_allocator allocator;
        test_context(&allocator, n);
        TEST_OPTIONS(options);
        reprise_options_set_allocator(options, &allocator.hooks, NULL);
        exercise_memory(s->data, s->size, options);
        if (allocator.live_count)
            fail_msg("%s: allocation %zu failed and %zu blocks stayed", s->path, n,
                     allocator.live_count);
        if (test_allocator_survived(&allocator))
            return;
    }
}

static void fault__no_allocation_failure_leaks(void **state)
{
    (void)state;
    walk_samples("tests/data", fail_allocations);
}

static void check_first_failure(const sample *s)
{
    test_allocator allocator;
    test_context(&allocator, 1);
    TEST_OPTIONS(options);
    reprise_options_set_allocator(options, &allocator.hooks, NULL);
    exercise e = exercise_memory(s->data, s->size, options);
    assert_int_equal(e.opened, REPRISE_E_NOMEM);
}

static void fault__no_memory_is_reported_as_such(void **state)
{
    (void)state;
    walk_samples("tests/data", check_first_failure);
}

typedef struct failing {
    const sample *from;
    size_t reads, fail_at;
} failing;

static int64_t read_or_fail(void *ctx, uint64_t offset, void *to, size_t size)
{
    failing *source = ctx;
    if (++source->reads == source->fail_at)
        return -EIO;
    size_t left = offset < source->from->size ? source->from->size - (size_t)offset : 0;
    size_t n = size < left ? size : left;
    memcpy(to, source->from->data + offset, n);
    return (int64_t)n;
}

static void fail_reads(const sample *s)
{
    if (s->size > SAMPLE_SIZE_MAX)
        return;
    for (size_t n = 1; n <= FAULTS_MAX; n++) {
        failing state = {.from = s, .fail_at = n};
        reprise_source source = {.ctx = &state, .size = s->size, .read = read_or_fail};
        exercise e = {0};
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_replay *replay = NULL;
        e.opened = reprise_open_source(&source, NULL, &replay, &error);
        if (n == 1 && s->size)
            assert_int_equal(e.opened, REPRISE_E_IO);
        if (e.opened == REPRISE_OK)
            exercise_replay(&e, replay);
        reprise_close(replay);
        if (state.reads < n)
            return;
    }
}

static void fault__read_errors_are_survived(void **state)
{
    (void)state;
    walk_samples("tests/data", fail_reads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fault__no_memory_is_reported_as_such),
        cmocka_unit_test(fault__no_allocation_failure_leaks),
        cmocka_unit_test(fault__read_errors_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
