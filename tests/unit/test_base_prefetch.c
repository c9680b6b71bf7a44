/* test_base_prefetch.c - the same slots in the same order, with and without a thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options.h"
#include "prefetch.h"

enum { SLOTS = 3, SLOTS_MAX = 40 };

typedef struct filler {
    uint32_t next, last;
} filler;

static bool fill(void *ctx, void *slot)
{
    filler *f = ctx;
    *(uint32_t *)slot = f->next;
    return f->next++ < f->last;
}

static rp_context context_with(unsigned threads)
{
    TEST_OPTIONS(options);
    reprise_options_set_threads(options, threads, NULL);
    rp_context context;
    rp_context_init(&context, options);
    return context;
}

static void prefetch__gives_every_slot_once_and_in_order(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, SLOTS, 8, 15, 16, SLOTS_MAX};
    for (unsigned n = 0; n < 3 * sizeof counts / sizeof *counts; n++) {
        rp_context context = context_with(n % 3);
        reprise_error error = REPRISE_ERROR_INIT;
        filler f = {.last = 999};
        uint32_t slots[SLOTS_MAX];
        rp_prefetch *relay = NULL;
        assert_int_equal(rp_prefetch_open(&context, fill, &f, slots, sizeof *slots, counts[n / 3],
                                          &relay, &error),
                         REPRISE_OK);
        for (uint32_t i = 0; i <= 999; i++) {
            const uint32_t *slot = rp_prefetch_next(relay);
            assert_non_null(slot);
            assert_int_equal(*slot, i);
        }
        assert_null(rp_prefetch_next(relay));
        assert_null(rp_prefetch_next(relay));
        rp_prefetch_close(relay);
        assert_int_equal(context.bytes_live, 0);
    }
}

static void prefetch__can_be_closed_at_any_time(void **state)
{
    (void)state;
    for (unsigned taken = 0; taken < 2 * SLOTS; taken++) {
        rp_context context = context_with(2);
        reprise_error error = REPRISE_ERROR_INIT;
        filler f = {.last = UINT32_MAX};
        uint32_t slots[SLOTS];
        rp_prefetch *relay = NULL;
        assert_int_equal(
            rp_prefetch_open(&context, fill, &f, slots, sizeof *slots, SLOTS, &relay, &error),
            REPRISE_OK);
        for (unsigned i = 0; i < taken; i++)
            assert_non_null(rp_prefetch_next(relay));
        rp_prefetch_close(relay);
        assert_true(f.next <= taken + SLOTS); /* no further ahead than there are slots */
    }
    rp_prefetch_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetch__gives_every_slot_once_and_in_order),
        cmocka_unit_test(prefetch__can_be_closed_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
