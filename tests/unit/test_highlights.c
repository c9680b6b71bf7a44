/* test_highlights.c - which moments a timeline keeps as highlights, and what becomes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "highlights.h"

typedef struct desk {
    rp_context context;
    reprise_error error;
    rp_timeline timeline;
} desk;

static void begin(desk *d)
{
    *d = (desk){.error = REPRISE_ERROR_INIT};
    rp_context_init(&d->context, NULL);
    rp_timeline_init(&d->timeline, &d->context, &d->error);
}

static void add(desk *d, double from, double to, double score, const char *kind, const char *text)
{
    rp_timeline_highlight(&d->timeline, &(rp_highlight){from, from, to, score, kind, text, -1});
}

/* "text text ..." of a list of the document, then frees it. */
static void expect(desk *d, const char *list, const char *key, const char *wanted)
{
    char found[512] = "";
    const reprise_value *all = rp_get(d->timeline.root, list);
    for (size_t i = 0; i < reprise_value_count(all); i++) {
        strncat(found, i ? " " : "", sizeof found - strlen(found) - 1);
        strncat(found, rp_get_text(reprise_value_at(all, i), key),
                sizeof found - strlen(found) - 1);
    }
    assert_string_equal(found, wanted);
}

static void highlights__are_in_order_of_time(void **state)
{
    (void)state;
    desk d;
    begin(&d);
    add(&d, 30, 35, 0.9, "fight", "c");
    add(&d, 10, 15, 0.2, "fight", "a");
    add(&d, 20, 25, 0.5, "jump", "b");
    rp_timeline_set_highlights(&d.timeline, 100);
    expect(&d, "highlights", "text", "a b c");
    expect(&d, "chapters", "name", "a b c");
    rp_timeline_free(&d.timeline);
}

/* Of one kind only the better of two that overlap; of several kinds all, but one chapter. */
static void highlights__of_one_scene_are_one(void **state)
{
    (void)state;
    desk d;
    begin(&d);
    add(&d, 10, 15, 0.2, "fight", "worse");
    add(&d, 12, 17, 0.5, "fight", "better");
    add(&d, 14, 19, 0.5, "fight", "equal");
    add(&d, 17, 19, 0.1, "fight", "later");
    add(&d, 11, 13, 0.7, "jump", "jump");
    rp_timeline_set_highlights(&d.timeline, 100);
    expect(&d, "highlights", "text", "jump better later");
    expect(&d, "chapters", "name", "jump later");
    rp_timeline_free(&d.timeline);
}

static void highlights__keep_the_best(void **state)
{
    (void)state;
    desk d;
    begin(&d);
    for (int i = 0; i < 3 * RP_HIGHLIGHTS_MAX; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        add(&d, 10 * i, 10 * i + 5, i % 3 == 0 ? 0.8 : 0.3, "fight", text);
    }
    rp_timeline_set_highlights(&d.timeline, 1e6);
    const reprise_value *list = rp_get(d.timeline.root, "highlights");
    assert_int_equal(reprise_value_count(list), RP_HIGHLIGHTS_MAX);
    for (size_t i = 0; i < RP_HIGHLIGHTS_MAX; i++) {
        const reprise_value *one = reprise_value_at(list, i);
        assert_true(reprise_value_double(rp_get(one, "score"), 0) == 0.8);
        assert_true(reprise_value_double(rp_get(one, "t0"), -1) == 30.0 * (double)i);
    }
    rp_timeline_free(&d.timeline);
}

/* Cut to the recording, scores to 0 and 1; nothing without a length or a time. */
static void highlights__stay_within_the_recording(void **state)
{
    (void)state;
    desk d;
    begin(&d);
    add(&d, -4, 2, 7, "fight", "early");
    add(&d, 58, 66, -1, "fight", "late");
    add(&d, 30, 30, 1, "fight", "empty");
    add(&d, (double)NAN, 40, 1, "fight", "never");
    rp_timeline_set_highlights(&d.timeline, 60);
    expect(&d, "highlights", "text", "early late");
    const reprise_value *list = rp_get(d.timeline.root, "highlights");
    const reprise_value *early = reprise_value_at(list, 0), *late = reprise_value_at(list, 1);
    assert_true(reprise_value_double(rp_get(early, "t0"), -1) == 0);
    assert_true(reprise_value_double(rp_get(early, "score"), -1) == 1);
    assert_true(reprise_value_double(rp_get(late, "t1"), -1) == 60);
    assert_true(reprise_value_double(rp_get(late, "score"), -1) == 0);
    rp_timeline_free(&d.timeline);
}

static void highlights__leave_other_chapters_alone(void **state)
{
    (void)state;
    desk d;
    begin(&d);
    reprise_value *round = rp_push_object(&d.timeline.doc, d.timeline.chapters);
    rp_set_text(&d.timeline.doc, round, "name", "Round 1");
    add(&d, 1, 2, 0.5, "fight", "fight");
    rp_timeline_set_highlights(&d.timeline, 10);
    expect(&d, "chapters", "name", "Round 1");
    expect(&d, "highlights", "kind", "fight");
    rp_timeline_free(&d.timeline);
}

static void highlights__of_busy_windows(void **state)
{
    (void)state;
    const float slots[] = {0, 1, 0, 4, 6, 0, 0, 0, 3, 3, 0, 1};
    desk d;
    begin(&d);
    rp_timeline_highlight_windows(&d.timeline, &(rp_highlight_search){.slots = slots,
                                                                      .count = 12,
                                                                      .slot_s = 2,
                                                                      .window = 2,
                                                                      .least = 2,
                                                                      .full = 20,
                                                                      .score_max = 0.8,
                                                                      .most = 3,
                                                                      .kind = "fight",
                                                                      .name = "Fight",
                                                                      .unit = "hits",
                                                                      .player = -1});
    rp_timeline_set_highlights(&d.timeline, 24);
    expect(&d, "highlights", "text", "Fight: 10 hits in 4 s Fight: 6 hits in 4 s");
    const reprise_value *first = reprise_value_at(rp_get(d.timeline.root, "highlights"), 0);
    assert_true(reprise_value_double(rp_get(first, "t0"), -1) == 6);
    assert_true(reprise_value_double(rp_get(first, "t1"), -1) == 10);
    assert_true(reprise_value_double(rp_get(first, "score"), -1) == 0.4);
    rp_timeline_free(&d.timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(highlights__are_in_order_of_time),
        cmocka_unit_test(highlights__of_one_scene_are_one),
        cmocka_unit_test(highlights__keep_the_best),
        cmocka_unit_test(highlights__stay_within_the_recording),
        cmocka_unit_test(highlights__leave_other_chapters_alone),
        cmocka_unit_test(highlights__of_busy_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
