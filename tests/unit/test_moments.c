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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments__cs2kz_gives_one_answer),
        cmocka_unit_test(moments__ironcurtain_gives_one_answer),
        cmocka_unit_test(moments__mcreplay_gives_one_answer),
        cmocka_unit_test(moments__openra_gives_one_answer),
        cmocka_unit_test(moments__remastered_gives_one_answer),
        cmocka_unit_test(moments__rumble_gives_one_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
