/*
 * test_moments.c - a moment is the same whether its replay is asked for the first time or again.
 *
 * A first seek stops at its moment, later ones use what earlier ones have learned: two ways to one
 * answer.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "handle.h"
#include "reprise/reprise.h"
#include "samples.h"
#include "value.h"

enum { TIMES = 9 };

static reprise_replay *open_sample(const sample *s)
{
    reprise_replay *replay = NULL;
    (void)!reprise_open_memory(s->data, s->size, NULL, &replay, NULL);
    return replay;
}

/* Times of rows, from the first to the last and one in between each. */
static size_t times_of(const sample *s, double times[TIMES])
{
    reprise_replay *replay = open_sample(s);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *rows = NULL;
    double first = INFINITY, last = -INFINITY;
    if (replay && reprise_rows_open(replay, &options, &rows, NULL) == REPRISE_OK) {
        while (reprise_rows_next(rows, NULL) == REPRISE_OK) {
            double time = reprise_row_time(rows);
            first = time < first ? time : first;
            last = time > last ? time : last;
        }
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    if (!(first <= last))
        return 0;
    for (size_t i = 0; i < TIMES; i++)
        times[i] = first + (last - first) * ((double)i - 0.5) / (TIMES - 2);
    return TIMES;
}

/* There and back again: the order of an earlier question must not matter. */
static void ask_again(const sample *s)
{
    double times[TIMES];
    if (strstr(s->path, "/bad/") || !times_of(s, times))
        return;
    reprise_replay *asked = open_sample(s);
    for (size_t i = 0; i < 2 * TIMES; i++) {
        reprise_moment moment = {.time = times[i * 4 % TIMES]};
        reprise_replay *fresh = open_sample(s);
        const reprise_value *a = NULL, *b = NULL;
        reprise_status first = reprise_at(fresh, moment, &a, NULL);
        assert_int_equal(reprise_at(asked, moment, &b, NULL), first);
        if (first == REPRISE_OK && !rp_value_equal(a, b))
            fail_msg("%s differs at %f", s->path, moment.time);
        reprise_close(fresh);
    }
    reprise_close(asked);
}

static void moments__cs2kz_gives_one_answer(void **state)
{
    (void)state;
    walk_samples("tests/data/cs2kz", ask_again);
}

static void moments__ironcurtain_gives_one_answer(void **state)
{
    (void)state;
    walk_samples("tests/data/ironcurtain", ask_again);
}

static void moments__mcreplay_gives_one_answer(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", ask_again);
}

static void moments__openra_gives_one_answer(void **state)
{
    (void)state;
    walk_samples("tests/data/openra", ask_again);
}

static void moments__remastered_gives_one_answer(void **state)
{
    (void)state;
    walk_samples("tests/data/remastered", ask_again);
}

static void moments__rumble_gives_one_answer(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", ask_again);
}

/* ---- damage ---- */

static uint64_t times_found(const reprise_replay *replay, const char *id)
{
    const rp_finding *found = replay->replay->findings.first;
    while (found && strcmp(found->about.id, id) != 0)
        found = found->next;
    return found ? found->about.count : 0;
}

/* Asks for two ticks in turn; only one of them finds what has this id, and each time. */
static void find_again(const char *path, const char *id, int64_t tick, int64_t other)
{
    sample s = load_sample(path);
    reprise_replay *asked = open_sample(&s), *fresh = open_sample(&s);
    reprise_moment moment = {.by_index = true, .index = tick};
    reprise_moment elsewhere = {.by_index = true, .index = other};
    const reprise_value *first = NULL, *again = NULL;
    assert_int_equal(reprise_at(fresh, moment, &first, NULL), REPRISE_OK);
    uint64_t count = times_found(fresh, id);
    assert_true(count > 0);
    for (uint64_t i = 1; i <= 4; i++) {
        assert_int_equal(reprise_at(asked, moment, &again, NULL), REPRISE_OK);
        assert_true(rp_value_equal(first, again));
        assert_int_equal(times_found(asked, id), i * count);
        assert_true(reprise_damage(asked, NULL));
        assert_int_equal(reprise_at(asked, elsewhere, &again, NULL), REPRISE_OK);
        assert_int_equal(times_found(asked, id), i * count);
    }
    reprise_close(fresh);
    reprise_close(asked);
    free(s.data);
}

static void moments__damage_is_found_each_time(void **state)
{
    (void)state;
    find_again("tests/data/ironcurtain/bad/sig-bytes.icrep", "icrep.signature-invalid", 85, 290);
    find_again("tests/data/ironcurtain/bad/frame-hash.icrep", "icrep.frame-hash", 310, 20);
}

static void ask(reprise_replay *replay)
{
    static const int64_t ticks[] = {3333, 650, 3300};
    const reprise_value *at = NULL;
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++)
        (void)!reprise_at(replay, (reprise_moment){.by_index = true, .index = ticks[i]}, &at, NULL);
}

/* The bytes of a source may change: that is not found everywhere, but nothing else goes wrong. */
static void moments__a_source_may_change(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/ironcurtain/full.icrep");
    for (size_t step = 61; step < 4000; step = step * 2 + 1) {
        reprise_replay *replay = open_sample(&s);
        ask(replay);
        for (size_t i = 600; i < s.size; i += step)
            s.data[i] ^= 0x20;
        ask(replay);
        for (size_t i = 600; i < s.size; i += step)
            s.data[i] ^= 0x20;
        reprise_close(replay);
    }
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments__cs2kz_gives_one_answer),
        cmocka_unit_test(moments__ironcurtain_gives_one_answer),
        cmocka_unit_test(moments__mcreplay_gives_one_answer),
        cmocka_unit_test(moments__openra_gives_one_answer),
        cmocka_unit_test(moments__remastered_gives_one_answer),
        cmocka_unit_test(moments__rumble_gives_one_answer),
        cmocka_unit_test(moments__damage_is_found_each_time),
        cmocka_unit_test(moments__a_source_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
