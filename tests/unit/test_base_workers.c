/* test_base_workers.c - the same slots in the same order, however many threads work on them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options.h"
#include "workers.h"

enum { SLOTS = 4, THREADS = 2 };

typedef struct job {
    uint32_t question, answer;
} job;

static void answer(void *ctx, void *slot)
{
    job *j = slot;
    j->answer = j->question;
    for (uint32_t i = 0; i < *(const uint32_t *)ctx + j->question % 7 * 100; i++)
        j->answer = j->answer * 1664525 + 1013904223;
}

static uint32_t expected(uint32_t question)
{
    job j = {.question = question};
    uint32_t least = 50;
    answer(&least, &j);
    return j.answer;
}

static rp_context context_with(unsigned threads)
{
    TEST_OPTIONS(options);
    reprise_options_set_threads(options, threads, NULL);
    rp_context context;
    rp_context_init(&context, options);
    return context;
}

static rp_workers *workers_of(rp_context *context, job slots[SLOTS])
{
    static uint32_t least = 50;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_workers *workers = NULL;
    assert_int_equal(rp_workers_open(context, answer, &least, slots, sizeof *slots, SLOTS, THREADS,
                                     &workers, &error),
                     REPRISE_OK);
    return workers;
}

static void workers__give_slots_back_in_order(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 6; threads++) {
        rp_context context = context_with(threads);
        job slots[SLOTS];
        rp_workers *workers = workers_of(&context, slots);
        assert_int_equal(rp_workers_help(workers), threads > 1);
        unsigned others = threads ? threads - 1 : 0;
        assert_int_equal(context.threads_busy, others < THREADS ? others : THREADS);
        uint32_t asked = 0, taken = 0;
        while (taken < 2000) {
            job *empty = asked < 2000 ? rp_workers_empty(workers) : NULL;
            if (empty) {
                *empty = (job){.question = asked++};
                rp_workers_give(workers);
                continue;
            }
            const job *done = rp_workers_take(workers);
            assert_non_null(done);
            assert_int_equal(done->question, taken);
            assert_int_equal(done->answer, expected(taken));
            taken++;
        }
        assert_null(rp_workers_take(workers));
        rp_workers_close(workers);
        assert_int_equal(context.bytes_live, 0);
        assert_int_equal(context.threads_busy, 0);
    }
}

static void workers__can_be_closed_at_any_time(void **state)
{
    (void)state;
    for (unsigned given = 0; given <= SLOTS; given++) {
        rp_context context = context_with(3);
        job slots[SLOTS];
        rp_workers *workers = workers_of(&context, slots);
        for (unsigned i = 0; i < given; i++) {
            *(job *)rp_workers_empty(workers) = (job){.question = i};
            rp_workers_give(workers);
        }
        assert_int_equal(rp_workers_empty(workers) == NULL, given == SLOTS);
        rp_workers_close(workers);
        assert_int_equal(context.bytes_live, 0);
    }
    rp_workers_close(NULL);
}

/* Two that work at the same time share what the context allows. */
static void workers__take_no_more_threads_than_allowed(void **state)
{
    (void)state;
    rp_context context = context_with(2);
    job slots[SLOTS], others[SLOTS];
    rp_workers *first = workers_of(&context, slots), *second = workers_of(&context, others);
    assert_true(rp_workers_help(first));
    assert_false(rp_workers_help(second));
    rp_workers_close(first);
    rp_workers_close(second);
    second = workers_of(&context, others);
    assert_true(rp_workers_help(second));
    rp_workers_close(second);
    assert_int_equal(context.threads_busy, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers__give_slots_back_in_order),
        cmocka_unit_test(workers__can_be_closed_at_any_time),
        cmocka_unit_test(workers__take_no_more_threads_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
