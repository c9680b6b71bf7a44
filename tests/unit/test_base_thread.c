/* test_base_thread.c - bells and locks: wakeups, deadlines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "thread.h"

enum { MS_NS = 1000000, TURNS = 2000 };

/* Two threads that pass a number back and forth. */
typedef struct table {
    rp_bell to_us, to_them;
    _Atomic uint32_t ours, theirs;
} table;

static void await(rp_bell *bell, _Atomic uint32_t *number, uint32_t wanted)
{
    while (*number != wanted) {
        rp_bell_listen(bell);
        if (*number != wanted)
            assert_true(rp_bell_wait(bell, UINT64_MAX));
    }
}

static void *answer(void *ctx)
{
    table *t = ctx;
    for (uint32_t i = 1; i <= TURNS; i++) {
        await(&t->to_them, &t->ours, i);
        t->theirs = i;
        rp_bell_ring(&t->to_us);
    }
    return NULL;
}

/* A lost ring would leave both waiting forever. */
static void bell__no_ring_is_lost(void **state)
{
    (void)state;
    table t = {0};
    rp_thread them = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_bell_init(&t.to_us, &error), REPRISE_OK);
    assert_int_equal(rp_bell_init(&t.to_them, &error), REPRISE_OK);
    assert_int_equal(rp_thread_start(&them, answer, &t, &error), REPRISE_OK);
    for (uint32_t i = 1; i <= TURNS; i++) {
        t.ours = i;
        rp_bell_ring(&t.to_them);
        await(&t.to_us, &t.theirs, i);
    }
    rp_thread_join(&them);
    rp_bell_free(&t.to_us);
    rp_bell_free(&t.to_them);
}

static void bell__waiting_ends_at_the_deadline(void **state)
{
    (void)state;
    rp_bell bell;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_bell_init(&bell, &error), REPRISE_OK);
    rp_bell_ring(&bell); /* no listener */
    uint64_t begin = rp_now_ns();
    rp_bell_listen(&bell);
    assert_false(rp_bell_wait(&bell, begin + 3 * MS_NS));
    assert_true(rp_now_ns() - begin >= 3 * MS_NS);
    assert_false(rp_bell_wait(&bell, 1)); /* long ago */
    rp_bell_listen(&bell);
    rp_bell_ring(&bell);
    rp_bell_ring(&bell);
    assert_true(rp_bell_wait(&bell, 1));
    assert_false(rp_bell_wait(&bell, 1)); /* rung twice, heard once */
    rp_bell_free(&bell);
}

static void *try_lock(void *ctx)
{
    uint64_t begin = rp_now_ns();
    assert_false(rp_lock_take_until(ctx, begin + 3 * MS_NS));
    assert_true(rp_now_ns() - begin >= 3 * MS_NS);
    return NULL;
}

static void lock__waiting_ends_at_the_deadline(void **state)
{
    (void)state;
    rp_lock lock;
    rp_thread them = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_lock_init(&lock, &error), REPRISE_OK);
    assert_true(rp_lock_take_until(&lock, 1));
    assert_int_equal(rp_thread_start(&them, try_lock, &lock, &error), REPRISE_OK);
    rp_thread_join(&them);
    rp_lock_leave(&lock);
    rp_lock_free(&lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bell__no_ring_is_lost),
        cmocka_unit_test(bell__waiting_ends_at_the_deadline),
        cmocka_unit_test(lock__waiting_ends_at_the_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
