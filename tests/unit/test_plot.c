/*
 * test_plot.c - the rules of axes, the bounds of paths, and that texts stay texts: what makes a
 * picture readable without anybody looking at it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <math.h>

#include "checked.h"
#include "plot.h"
#include "reprise/scene.h"
#include "svg.h"

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static bool is_one_two_or_five(double step)
{
    double digit = step / pow(10, floor(log10(step) + 1e-9));
    return fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6 ||
           fabs(digit - 10) < 1e-6;
}

/* 4 to 7 lines, the first and the last at the ends, which hold everything and no more. */
static void plot__axes_have_four_to_seven_lines(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 200; i++) {
        double range = pow(10, (double)(next_random(&seed) % 12000) / 1000 - 4);
        double from = range * ((double)(next_random(&seed) % 20000) / 1000 - 10), to = from + range;
        double low = from, high = to, step = rp_plot_axis(&low, &high);
        assert_true(is_one_two_or_five(step));
        double lines = (high - low) / step + 1;
        assert_true(fabs(lines - round(lines)) < 1e-6);
        assert_true(lines > 3.5 && lines < 7.5);
        assert_true(fabs(low / step - round(low / step)) < 1e-6);
        assert_true(low <= from + 1e-6 * step && high >= to - 1e-6 * step);
        assert_true(from - low < step && high - to < step);
    }
}

static void plot__steps_give_three_to_eight_lines(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 200; i++) {
        double range = pow(10, (double)(next_random(&seed) % 12000) / 1000 - 4);
        double step = rp_plot_step(range);
        assert_true(is_one_two_or_five(step));
        double lines = floor(range / step) + 1;
        assert_true(lines >= 3 && lines <= 8);
    }
    assert_true(rp_plot_step(0) == 1);
    assert_true(rp_plot_step((double)NAN) == 1);
    assert_true(rp_plot_step((double)INFINITY) == 1);
}

static void plot__time_labels_stand_apart(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        double seconds = pow(10, (double)(next_random(&seed) % 5500) / 1000 - 0.5);
        double step = rp_plot_time_step(seconds, 888), apart = step / seconds * 888;
        assert_true(apart >= 80 || step == seconds);
        /* Further apart than that only where the next smaller step would be too close. */
        if (apart > 140)
            assert_true(step <= 0.1 || step == seconds || apart / 2.5 < 80);
    }
    assert_true(rp_plot_time_step(3600, 888) == 600);
    assert_true(rp_plot_time_step(0, 888) > 0);
}

/* ---- whole pictures ---- */

typedef struct desk {
    rp_context context;
    reprise_error error;
    rp_timeline timeline;
} desk;

static void open_desk(desk *d)
{
    *d = (desk){.error = REPRISE_ERROR_INIT};
    rp_context_init(&d->context, NULL);
    rp_timeline_init(&d->timeline, &d->context, &d->error);
}

static void close_desk(desk *d)
{
    rp_timeline_free(&d->timeline);
    assert_true(d->context.bytes_live == 0);
}

typedef struct picture {
    rp_context context;
    reprise_error error;
    rp_scene_export export;
    rp_plot *plot;
    rp_writer w;
    bool empty;
    const char *text;
} picture;

static void begin_picture(picture *p, const char *kind)
{
    *p = (picture){.error = REPRISE_ERROR_INIT};
    rp_context_init(&p->context, NULL);
    rp_timeline_init(&p->export.timeline, &p->context, &p->error);
    p->export.scene.context = &p->context;
    p->export.scene.latest = 10;
    p->plot = rp_timeline_plot(&p->export.timeline, "it", "It", "m", kind, 0, 0);
}

static void draw_plot(picture *p, const char *id, uint32_t width, uint32_t height)
{
    reprise_plot_options options = REPRISE_PLOT_INIT;
    options.plots = &id;
    options.plot_count = 1;
    options.width_px = width;
    options.height_px = height;
    rp_writer_init(&p->w, &p->context, 1 << 20, &p->error);
    assert_int_equal(rp_plot_write(&p->export, &options, &p->w, &p->empty, &p->error), REPRISE_OK);
    rp_put_u8(&p->w, 0);
    p->text = (const char *)p->w.data;
}

static void draw_picture(picture *p, uint32_t width, uint32_t height)
{
    draw_plot(p, "it", width, height);
}

static void end_picture(picture *p)
{
    rp_writer_free(&p->w);
    rp_timeline_free(&p->export.timeline);
    assert_true(p->context.bytes_live == 0);
}

static size_t count_of(const picture *p, const char *what)
{
    size_t count = 0;
    for (const char *at = p->text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* What has no values says so; what has any is drawn. Both have a frame with lines and labels. */
static void plot__what_has_no_values_says_so(void **state)
{
    (void)state;
    static const struct {
        double values[3];
        size_t count;
        bool empty;
    } cases[] = {
        {{0}, 0, true},
        {{(double)NAN}, 1, true},
        {{(double)NAN, (double)NAN}, 2, true},
        {{7}, 1, false},
        {{7, 7, 7}, 3, false},
        {{0, 0, 0}, 3, false},
        {{-3, -3, -3}, 3, false},
        {{(double)NAN, 4, (double)NAN}, 3, false},
    };
    static const char *const kinds[] = {"line", "step", "bars", "stack", "lanes"};
    for (size_t i = 0; i < RP_COUNT(cases) * RP_COUNT(kinds); i++) {
        picture p;
        begin_picture(&p, kinds[i % RP_COUNT(kinds)]);
        rp_series *s = rp_plot_series(&p.export.timeline, p.plot, "a", 0);
        for (size_t j = 0; j < cases[i / RP_COUNT(kinds)].count; j++)
            rp_series_add(&p.export.timeline, s, (double)j, cases[i / RP_COUNT(kinds)].values[j]);
        draw_picture(&p, 960, 320);
        assert_int_equal(p.empty, cases[i / RP_COUNT(kinds)].empty);
        assert_int_equal(count_of(&p, ">no values<"), p.empty);
        assert_int_equal(count_of(&p, ">It<"), 1);
        assert_true(count_of(&p, "class=\"g\"") + count_of(&p, "class=\"z\"") >= 5);
        end_picture(&p);
    }
}

/* One point, also between two gaps, is a mark and not a line of no length. */
static void plot__one_point_is_seen(void **state)
{
    (void)state;
    for (int at = 0; at <= 10; at += 5) {
        picture p;
        begin_picture(&p, "line");
        rp_series *s = rp_plot_series(&p.export.timeline, p.plot, "a", 0);
        rp_series_add(&p.export.timeline, s, at, 3);
        draw_picture(&p, 960, 320);
        assert_int_equal(count_of(&p, at == 10 ? "h-4\"/>" : "h4\"/>"), 1);
        end_picture(&p);
    }
}

static void add_names(picture *p, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        rp_series *s = rp_plot_series(&p->export.timeline, p->plot, name, (int32_t)i);
        rp_series_add(&p->export.timeline, s, 0, (double)i);
        rp_series_add(&p->export.timeline, s, 10, (double)i);
    }
}

/* Up to four names stand beside the title; more, or longer ones, in lines below it. */
static void legend__wraps_below_the_title(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        const char *name;
        uint32_t width, height;
        const char *first_line; /* of the grid: where the area begins */
        size_t shown;
        const char *more;
    } cases[] = {
        {4, "Ada", 960, 320, "M56.0 44.0h888.0", 4, NULL},
        {5, "Ada", 960, 320, "M56.0 60.0h888.0", 5, NULL},
        {4, "a name of twenty letters", 960, 320, "M56.0 60.0h888.0", 4, NULL},
        {9, "a name of twenty letters", 960, 320, "M56.0 92.0h888.0", 9, NULL},
        {12, "a name of twenty letters", 480, 160, "M56.0 76.0h408.0", 2, "and 10 more"},
        {5, "Ada", 960, 120, "M56.0 44.0h888.0", 0, NULL},
        {2, "", 960, 320, "M56.0 44.0h888.0", 0, NULL},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        picture p;
        begin_picture(&p, "line");
        add_names(&p, cases[i].count, cases[i].name);
        draw_picture(&p, cases[i].width, cases[i].height);
        assert_true(count_of(&p, cases[i].first_line) >= 1);
        assert_int_equal(count_of(&p, "h24\"/>"), cases[i].shown);
        if (cases[i].more)
            assert_int_equal(count_of(&p, cases[i].more), 1);
        else
            assert_int_equal(count_of(&p, " more<"), 0);
        end_picture(&p);
    }
}

static void warn(picture *p, const char *level, double from, double to)
{
    rp_doc *doc = &p->export.timeline.doc;
    reprise_value *warning = rp_push_object(doc, p->export.timeline.warnings);
    rp_set_text(doc, warning, "level", level);
    rp_set_text(doc, warning, "text", "lost <it>");
    if (!isnan(from))
        rp_set_f64(doc, warning, "t0", from);
    if (!isnan(to))
        rp_set_f64(doc, warning, "t1", to);
}

/* What could not be read is hatched: in its place, or after the end. */
static void plot__what_is_unreadable_is_hatched(void **state)
{
    (void)state;
    static const struct {
        const char *level;
        double from, to;
        const char *grid, *hatch; /* the first line of each */
    } cases[] = {
        {"error", 10, (double)NAN, "h864.0", "M920.0 52.0L928.0 44.0"},
        {"warn", 2, 4, "h888.0", "M233.6 52.0L241.6 44.0"},
        {"warn", 5, 5, "h888.0", "M500.0 52.0L506.0 46.0"},
        {"note", 10, (double)NAN, "h888.0", NULL},
        {"error", (double)NAN, (double)NAN, "h888.0", NULL},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        picture p;
        begin_picture(&p, "line");
        add_names(&p, 1, "a");
        warn(&p, cases[i].level, cases[i].from, cases[i].to);
        draw_picture(&p, 960, 320);
        assert_true(count_of(&p, cases[i].grid) >= 4);
        assert_int_equal(count_of(&p, "class=\"h\""), cases[i].hatch != NULL);
        assert_int_equal(count_of(&p, "<title>lost &lt;it&gt;</title>"), cases[i].hatch != NULL);
        if (cases[i].hatch)
            assert_int_equal(count_of(&p, cases[i].hatch), 1);
        end_picture(&p);
    }
}

/* ---- paths ---- */

/* Bounded however long it is, in order, and never without its leaps. */
static void way__long_ways_are_thinned(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    rp_path *path = rp_timeline_path(&d.timeline, "runner", 0);
    for (int i = 0; i < 100000; i++)
        rp_path_add(&d.timeline, path, &(rp_path_point){(float)i, 0, 1, i % 20000 == 19999, 0});
    const rp_path_point *points = path->points.items;
    size_t leaps = 0;
    assert_true(path->points.count > RP_PATH_POINTS_MAX / 4 &&
                path->points.count <= RP_PATH_POINTS_MAX);
    for (size_t i = 1; i < path->points.count; i++) {
        assert_true(points[i].x > points[i - 1].x);
        leaps += points[i].leap;
    }
    assert_int_equal(leaps, 5);
    rp_path_add(&d.timeline, path, &(rp_path_point){NAN, 0, 1, true, 0});
    assert_true(d.error.status == REPRISE_OK);
    close_desk(&d);
}

static void svg__texts_stay_texts(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    rp_writer w;
    rp_writer_init(&w, &d.context, 1 << 16, &d.error);
    rp_svg_text(&w, "a<b> & \"c\"\x01\n");
    rp_put_u8(&w, 0);
    assert_string_equal((const char *)w.data, "a&lt;b&gt; &amp; &quot;c&quot;&#10;");
    rp_writer_free(&w);
    close_desk(&d);
}

/* However many there are, they are one line of dashes, with a part for each. */
static void way__leaps_are_dashed(void **state)
{
    (void)state;
    for (size_t leaps = 0; leaps <= 3; leaps++) {
        picture p;
        begin_picture(&p, "line");
        rp_path *path = rp_timeline_path(&p.export.timeline, "runner", 0);
        for (size_t i = 0; i < 8; i++)
            rp_path_add(&p.export.timeline, path,
                        &(rp_path_point){(float)i, 0, (float)i, i && i <= 2 * leaps && i % 2, 0});
        draw_plot(&p, "path", 960, 320);
        static const char line[] = "<path class=\"z\" stroke-dasharray=";
        assert_int_equal(count_of(&p, line), leaps > 0);
        size_t parts = 0;
        for (const char *dashes = strstr(p.text, line); dashes && *dashes != '>'; dashes++)
            parts += *dashes == 'M';
        assert_int_equal(parts, leaps);
        end_picture(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plot__axes_have_four_to_seven_lines),
        cmocka_unit_test(plot__steps_give_three_to_eight_lines),
        cmocka_unit_test(plot__time_labels_stand_apart),
        cmocka_unit_test(plot__what_has_no_values_says_so),
        cmocka_unit_test(plot__one_point_is_seen),
        cmocka_unit_test(legend__wraps_below_the_title),
        cmocka_unit_test(plot__what_is_unreadable_is_hatched),
        cmocka_unit_test(way__long_ways_are_thinned),
        cmocka_unit_test(way__leaps_are_dashed),
        cmocka_unit_test(svg__texts_stay_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
