/*
 * test_run_compare.c - compares runs position by position: that the gap is the one
 * at the same position, that sections add up to the tick, and that what cannot be compared is
 * refused.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <math.h>

#include "checked.h"
#include "run_compare.h"
#include "test_allocator.h"

static const double tick_s = 1.0 / 64, half_turn = 3.14159265358979323846;

/* A made-up run: how fast, how far to the side in its middle, and where it waits. */
typedef struct runner {
    double pace_m;  /* per second */
    double aside_m; /* of the straight path, at its middle */
    double waits_s; /* halfway */
    bool returns;   /* returns on the same path */
    double length_m;
    double jump_m; /* lands after every jump_m metres; 0: never */
} runner;

typedef struct desk {
    test_allocator memory;
    rp_context context;
    reprise_error error;
    rp_timeline a, b;
} desk;

static void open_desk(desk *d, size_t fail_at)
{
    *d = (desk){.error = REPRISE_ERROR_INIT};
    d->context = test_context(&d->memory, fail_at);
    rp_timeline_init(&d->a, &d->context, &d->error);
    rp_timeline_init(&d->b, &d->context, &d->error);
}

static void close_desk(desk *d)
{
    rp_timeline_free(&d->a);
    rp_timeline_free(&d->b);
    assert_int_equal(d->memory.live_count, 0);
}

static void name_course(rp_timeline *t)
{
    t->course.map = "kz_map";
    t->course.name = "Main";
    t->course.mode = "Classic";
    t->course.runner = "somebody";
    t->course.tick_s = tick_s;
}

static void go(rp_timeline *t, const runner *r)
{
    name_course(t);
    double gone = 0, all = r->returns ? 2 * r->length_m : r->length_m;
    double waited = 0, landed = 0;
    for (uint32_t tick = 0; gone < all + r->pace_m * tick_s; tick++) {
        double at = fmin(gone, all), x = at > r->length_m ? 2 * r->length_m - at : at;
        rp_course_step step = {
            .position = {(float)x, 0, (float)(r->aside_m * sin(half_turn * x / r->length_m))},
            .time = (float)(5 + tick * tick_s),
            .tick = tick};
        if (r->jump_m > 0 && at - landed >= r->jump_m) {
            step.lands = true;
            landed += r->jump_m;
        }
        rp_course_add(t, &step);
        if (at >= all / 2 && waited < r->waits_s)
            waited += tick_s;
        else
            gone += r->pace_m * tick_s;
    }
}

static rp_comparison compare(desk *d, const runner *a, const runner *b)
{
    rp_comparison c = {0};
    go(&d->a, a);
    go(&d->b, b);
    assert_int_equal(rp_run_compare(&d->a, &d->b, &c, &d->error), REPRISE_OK);
    assert_non_null(c.about);
    assert_string_equal(c.gap->id, "gap");
    return c;
}

static double number(const reprise_value *object, const char *name)
{
    return reprise_value_double(rp_get(object, name), (double)NAN);
}

/* Sections follow on each other and add up exactly. */
static size_t check_sections(const rp_comparison *c)
{
    const reprise_value *list = rp_get(c->about, "sections");
    size_t n = reprise_value_count(list);
    double sum = 0, a = number(reprise_value_at(list, 0), "a0"),
           b = number(reprise_value_at(list, 0), "b0"), begin = b - a;
    for (size_t i = 0; i < n; i++) {
        const reprise_value *s = reprise_value_at(list, i);
        assert_true(number(s, "a0") == a && number(s, "b0") == b);
        assert_true(number(s, "a1") > a && number(s, "b1") > b);
        a = number(s, "a1");
        b = number(s, "b1");
        sum += number(s, "delta");
        assert_true(fabs(number(s, "line") + number(s, "speed") - number(s, "delta")) < 1e-9);
        assert_true(number(s, "t1") > number(s, "t0"));
        /* One that would be too short to say anything is a part of the one before it. */
        assert_true(n == 1 || number(s, "t1") - number(s, "t0") >= 1.5);
    }
    assert_true(sum == number(c->about, "final"));
    assert_true((b - a - begin) * tick_s == sum);
    return n;
}

/* The gap where the first run is at a moment of its timer. */
static double gap_at(const rp_comparison *c, double seconds)
{
    const rp_series *s = c->gap->series[0];
    size_t i = 0;
    while (i + 1 < s->count && (double)s->time[i + 1] <= 5 + seconds)
        i++;
    return (double)s->last[i];
}

static void first__is_the_tick_at_which_one_runner_waits(void **state)
{
    (void)state;
    const runner steady = {.pace_m = 4, .length_m = 20},
                 waiting = {.pace_m = 4, .length_m = 20, .waits_s = 1};
    desk d;
    open_desk(&d, SIZE_MAX);
    const reprise_value *first = rp_get(compare(&d, &steady, &waiting).about, "first");
    /* Half of 20 m at 4 m/s is tick 160; the one that waits is one tick of 4 m/s short of it. */
    assert_true(number(first, "tick") == 161);
    assert_true(fabs(number(first, "time") - 161 * tick_s) < 1e-9);
    assert_true(fabs(number(first, "apart_m") - 4 * tick_s) < 1e-4);
    close_desk(&d);
}

static void first__is_missing_from_equal_runs(void **state)
{
    (void)state;
    const runner steady = {.pace_m = 4, .length_m = 20};
    desk d;
    open_desk(&d, SIZE_MAX);
    assert_null(rp_get(compare(&d, &steady, &steady).about, "first"));
    close_desk(&d);
}

static void course__the_same_run_has_no_gap(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner r = {.pace_m = 6, .length_m = 90, .aside_m = 4, .jump_m = 13};
    rp_comparison c = compare(&d, &r, &r);
    check_sections(&c);
    assert_true(number(c.about, "final") == 0);
    for (double t = 0; t < 15; t += 0.5)
        assert_true(fabs(gap_at(&c, t)) < 1e-6);
    close_desk(&d);
}

static void course__half_the_pace_doubles_the_time_at_every_place(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner fast = {.pace_m = 8, .length_m = 96}, slow = {.pace_m = 4, .length_m = 96};
    rp_comparison c = compare(&d, &fast, &slow);
    check_sections(&c);
    assert_true(number(c.about, "final") == 12);
    for (double t = 0; t < 11.9; t += 0.5)
        assert_true(fabs(gap_at(&c, t) - t) <= tick_s);
    const reprise_value *list = rp_get(c.about, "sections");
    assert_int_equal(reprise_value_count(list), 2); /* 12 s without landings, cut by length */
    const reprise_value *first = reprise_value_at(list, 0);
    assert_false(reprise_value_bool(rp_get(first, "landing"), true));
    assert_true(fabs(number(first, "line")) < 0.1);
    assert_true(number(first, "speed") > 5);
    close_desk(&d);
}

static void course__a_wait_is_lost_where_it_was(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner a = {.pace_m = 8, .length_m = 96, .jump_m = 16}, b = a;
    b.waits_s = 3;
    rp_comparison c = compare(&d, &a, &b);
    assert_true(check_sections(&c) >= 4);
    assert_true(fabs(gap_at(&c, 5.8)) <= 2 * tick_s);
    assert_true(fabs(gap_at(&c, 6.3) - 3) <= 2 * tick_s);
    double most = 0;
    const reprise_value *list = rp_get(c.about, "sections");
    for (size_t i = 0; i < reprise_value_count(list); i++)
        most = fmax(most, number(reprise_value_at(list, i), "delta"));
    assert_true(most >= 3 - 2 * tick_s);
    close_desk(&d);
}

static void course__a_longer_way_is_told_from_a_slower_one(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner a = {.pace_m = 8, .length_m = 60}, b = a;
    b.aside_m = 12; /* the path is longer, and along the straight one it is as fast */
    rp_comparison c = compare(&d, &a, &b);
    check_sections(&c);
    double line = 0, speed = 0;
    const reprise_value *list = rp_get(c.about, "sections");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        line += number(reprise_value_at(list, i), "line");
        speed += number(reprise_value_at(list, i), "speed");
    }
    assert_true(line > 0.5 && speed < -0.5);
    close_desk(&d);
}

/* Whoever comes by twice is not found at the wrong time. */
static void course__places_that_are_passed_twice(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner a = {.pace_m = 8, .length_m = 48, .returns = true}, b = a;
    b.pace_m = 6.4;
    rp_comparison c = compare(&d, &a, &b);
    check_sections(&c);
    for (double t = 0.5; t < 11.5; t += 0.5)
        assert_true(fabs(gap_at(&c, t) - t / 4) < 0.1);
    close_desk(&d);
}

static void course__landings_cut(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner a = {.pace_m = 8, .length_m = 96, .jump_m = 16}, b = a;
    b.pace_m = 7;
    rp_comparison c = compare(&d, &a, &b);
    assert_int_equal(check_sections(&c), 6);
    const reprise_value *list = rp_get(c.about, "sections");
    for (size_t i = 0; i < 6; i++)
        assert_true(reprise_value_bool(rp_get(reprise_value_at(list, i), "landing"), false));
    close_desk(&d);
}

static void course__long_runs_are_matched_coarsely_first(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner a = {.pace_m = 6, .length_m = 1200, .aside_m = 30, .jump_m = 21}, b = a;
    b.pace_m = 5;
    rp_comparison c = compare(&d, &a, &b);
    assert_true(check_sections(&c) > 50);
    for (double t = 1; t < 199; t += 7)
        assert_true(fabs(gap_at(&c, t) - t / 5) < 0.1);
    assert_true(c.gap->high > 39 && c.gap->high < 45);
    close_desk(&d);
}

static void course__one_wrong_place_does_not_flatten_the_plot(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner a = {.pace_m = 8, .length_m = 96}, b = a;
    go(&d.a, &a);
    go(&d.b, &b);
    rp_course_step *steps = d.b.course.steps.items;
    for (size_t i = 300; i < 304; i++)
        steps[i].position.y += 500;
    rp_comparison c = {0};
    assert_int_equal(rp_run_compare(&d.a, &d.b, &c, &d.error), REPRISE_OK);
    check_sections(&c);
    assert_true(c.gap->high < 0.2);
    close_desk(&d);
}

static void refused(desk *d, reprise_status status, const char *words)
{
    rp_comparison c = {0};
    d->error = (reprise_error)REPRISE_ERROR_INIT;
    assert_int_equal(rp_run_compare(&d->a, &d->b, &c, &d->error), status);
    assert_non_null(strstr(d->error.message, words));
    assert_null(c.about);
}

static void course__other_courses_are_refused(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    runner r = {.pace_m = 8, .length_m = 16};
    go(&d.a, &r);
    go(&d.b, &r);
    d.b.course.tick_s = 0;
    refused(&d, REPRISE_E_UNSUPPORTED, "complete runs");
    d.b.course.tick_s = tick_s;
    d.b.course.mode = "Vanilla";
    refused(&d, REPRISE_E_USAGE, "different modes: Classic and Vanilla");
    d.b.course.name = "Bonus";
    refused(&d, REPRISE_E_USAGE, "different courses");
    d.b.course.map = "kz_other";
    refused(&d, REPRISE_E_USAGE, "different maps");
    close_desk(&d);
}

/* Stopped timers and invalid positions add no steps. */
static void course__steps_rise(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, 0);
    const rp_course_step steps[] = {
        {.tick = 3}, {.tick = 3}, {.tick = 2}, {.tick = 4, .position = {NAN, 0, 0}}, {.tick = 9}};
    for (size_t i = 0; i < RP_COUNT(steps); i++)
        rp_course_add(&d.a, &steps[i]);
    assert_int_equal(d.a.course.steps.count, 2);
    close_desk(&d);
}

static void course__survives_want_of_memory(void **state)
{
    (void)state;
    runner r = {.pace_m = 8, .length_m = 48, .jump_m = 16};
    for (size_t n = 1;; n++) {
        desk d;
        open_desk(&d, 0);
        go(&d.a, &r);
        go(&d.b, &r);
        d.memory.fail_at = d.memory.requests + n;
        rp_comparison c = {0};
        reprise_status status = rp_run_compare(&d.a, &d.b, &c, &d.error);
        close_desk(&d);
        if (status == REPRISE_OK)
            break;
        assert_int_equal(status, REPRISE_E_NOMEM);
        assert_true(n < 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first__is_the_tick_at_which_one_runner_waits),
        cmocka_unit_test(first__is_missing_from_equal_runs),
        cmocka_unit_test(course__the_same_run_has_no_gap),
        cmocka_unit_test(course__half_the_pace_doubles_the_time_at_every_place),
        cmocka_unit_test(course__a_wait_is_lost_where_it_was),
        cmocka_unit_test(course__a_longer_way_is_told_from_a_slower_one),
        cmocka_unit_test(course__places_that_are_passed_twice),
        cmocka_unit_test(course__landings_cut),
        cmocka_unit_test(course__long_runs_are_matched_coarsely_first),
        cmocka_unit_test(course__one_wrong_place_does_not_flatten_the_plot),
        cmocka_unit_test(course__other_courses_are_refused),
        cmocka_unit_test(course__steps_rise),
        cmocka_unit_test(course__survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
