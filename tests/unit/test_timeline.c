/*
 * test_timeline.c - bands of high activity, texts of players, complete series, and failing
 * allocations.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "checked.h"
#include "timeline.h"

typedef struct desk {
    rp_context context;
    reprise_error error;
    rp_timeline timeline;
} desk;

static void open_desk(desk *d, double seconds)
{
    *d = (desk){.error = REPRISE_ERROR_INIT};
    rp_context_init(&d->context, NULL);
    rp_timeline_init(&d->timeline, &d->context, &d->error);
    for (double t = 0; t <= seconds; t++)
        rp_timeline_clock(&d->timeline, (float)t);
}

static const reprise_value *end(desk *d, const char *section)
{
    assert_int_equal(rp_timeline_end(&d->timeline), REPRISE_OK);
    return rp_get(d->timeline.root, section);
}

static void close_desk(desk *d)
{
    rp_timeline_free(&d->timeline);
    assert_true(d->context.bytes_live == 0);
}

static double number(const reprise_value *from, const char *key)
{
    return reprise_value_double(rp_get(from, key), -1);
}

/* One per second, and two spans of more; the first has a gap that is closed. */
static void bands__are_where_activity_is_above_twice_the_median(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 200);
    rp_activity *a = rp_timeline_activity(&d.timeline, "damage", "damage", 3);
    for (int second = 0; second < 200; second++)
        rp_activity_add(&d.timeline, a, second + 0.5, 1);
    for (int second = 40; second < 60; second++)
        rp_activity_add(&d.timeline, a, second, second == 50 ? 0 : 9);
    for (int second = 120; second < 130; second++)
        rp_activity_add(&d.timeline, a, second, 4);
    rp_timeline_marker(&d.timeline, 5, "hit", -1, 5, "is no band of its own");
    const reprise_value *bands = end(&d, "bands");
    assert_int_equal(reprise_value_count(bands), 2);
    const reprise_value *first = reprise_value_at(bands, 0), *second = reprise_value_at(bands, 1);
    /* Averaging over five seconds extends a span by two, or by one where two give only 1 + 4 / 5.
     */
    assert_true(number(first, "t0") == 38 && number(first, "t1") == 62);
    assert_true(number(second, "t0") == 119 && number(second, "t1") == 131);
    assert_true(number(first, "level") == 1);
    assert_true(fabs(number(second, "level") - 5.0 / 10) < 1e-6);
    assert_string_equal(rp_get_text(first, "kind"), "damage");
    assert_string_equal(rp_get_text(first, "text"), "195 damage");
    assert_string_equal(rp_get_text(second, "text"), "52 damage");
    assert_true(number(first, "player") == 3);
    close_desk(&d);
}

static void bands__come_from_markers_without_activities(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 100);
    rp_timeline_activity(&d.timeline, "damage", "damage", -1); /* which does not exist */
    for (int i = 0; i < 6; i++)
        rp_timeline_marker(&d.timeline, 50 + i, "hit", -1, 2, "hit");
    const reprise_value *bands = end(&d, "bands");
    assert_int_equal(reprise_value_count(bands), 1);
    assert_string_equal(rp_get_text(reprise_value_at(bands, 0), "kind"), "busy");
    assert_string_equal(rp_get_text(reprise_value_at(bands, 0), "text"), "6 events");
    assert_null(rp_get(reprise_value_at(bands, 0), "player"));
    close_desk(&d);
}

static void bands__ignore_weights_that_are_not_finite(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 10);
    rp_activity *a = rp_timeline_activity(&d.timeline, "x", "x", -1);
    const double bad[] = {(double)NAN, (double)INFINITY, -1, 0};
    for (size_t i = 0; i < RP_COUNT(bad); i++)
        rp_activity_add(&d.timeline, a, 1, bad[i]);
    const double never[] = {-1, (double)NAN, (double)INFINITY, 1e9};
    for (size_t i = 0; i < RP_COUNT(never); i++)
        rp_activity_add(&d.timeline, a, never[i], 1);
    assert_int_equal(a->seconds.count, 0);
    rp_activity_add(&d.timeline, NULL, 1, 1);
    close_desk(&d);
}

static void words__repeat_only_when_they_change(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 10);
    rp_caption *words = rp_timeline_caption(&d.timeline, 2);
    rp_timeline_caption(&d.timeline, 4); /* empty, so it is omitted */
    const char *const said[] = {"a", "a", "b", "b", "a"};
    for (size_t i = 0; i < RP_COUNT(said); i++)
        rp_caption_set(&d.timeline, words, (double)i, said[i]);
    const reprise_value *hud = end(&d, "hud");
    assert_int_equal(reprise_value_count(hud), 1);
    assert_true(number(reprise_value_at(hud, 0), "player") == 2);
    const float times[] = {0, 2, 4};
    assert_int_equal(words->times.count, RP_COUNT(times));
    assert_memory_equal(words->times.items, times, sizeof times);
    const reprise_value *text = rp_get(reprise_value_at(hud, 0), "text");
    assert_int_equal(reprise_value_count(rp_get(text, "values")), 2);
    assert_true(number(text, "n") == 3);
    close_desk(&d);
}

/* All points are there in order; of several at one time, the last one. */
static void series__keep_all_points_if_requested(void **state)
{
    (void)state;
    enum { POINTS = 20000 };
    for (int keep = 0; keep < 2; keep++) {
        desk d;
        open_desk(&d, 10);
        d.timeline.keep_points = keep;
        rp_plot *plot = rp_timeline_plot(&d.timeline, "speed", "Speed", "m/s", "line", 0, 0);
        rp_series *none = rp_plot_series(&d.timeline, plot, "short", 0);
        rp_series *s = rp_plot_series(&d.timeline, plot, "long", 1);
        rp_series_add(&d.timeline, none, 0, 1);
        for (int i = 0; i < POINTS; i++) {
            rp_series_add(&d.timeline, s, i, -1);
            rp_series_add(&d.timeline, s, i, i % 7);
        }
        assert_true(s->bucket_s > 0 && s->points == 2 * POINTS);
        assert_int_equal(s->all.count, keep ? POINTS : 0);
        assert_true(rp_series_is_longer(s) == (keep != 0));
        assert_false(rp_series_is_longer(none));
        const rp_point *all = s->all.items;
        for (size_t i = 0; i < s->all.count; i++)
            assert_true(all[i].time == (float)i && all[i].value == (float)(i % 7));
        const reprise_value *list = rp_get(reprise_value_at(end(&d, "plots"), 0), "series");
        assert_null(rp_get(reprise_value_at(list, 0), "full"));
        const char *full = rp_get_text(reprise_value_at(list, 1), "full");
        if (keep)
            assert_string_equal(full, "plots/speed/1");
        else
            assert_null(full);
        close_desk(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands__are_where_activity_is_above_twice_the_median),
        cmocka_unit_test(bands__come_from_markers_without_activities),
        cmocka_unit_test(bands__ignore_weights_that_are_not_finite),
        cmocka_unit_test(series__keep_all_points_if_requested),
        cmocka_unit_test(words__repeat_only_when_they_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
