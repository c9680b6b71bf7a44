/*
 * test_plot.c - the rules of axes, the bounds of ways, and that texts stay texts: what makes a
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

static void plot__steps_give_four_to_eight_lines(void **state)
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
        double apart = rp_plot_time_step(seconds, 888) / seconds * 888;
        assert_true(apart >= 80 || rp_plot_time_step(seconds, 888) == seconds);
    }
    assert_true(rp_plot_time_step(3600, 888) == 600);
    assert_true(rp_plot_time_step(0, 888) > 0);
}

typedef struct desk {
    rp_context context;
    reprise_error error;
    rp_timeline timeline;
} desk;

static void open_desk(desk *d)
{
    *d = (desk){.error = REPRISE_ERROR_INIT};
    reprise_options defaults;
    reprise_options_init(&defaults);
    rp_context_init(&d->context, &defaults);
    rp_timeline_init(&d->timeline, &d->context, &d->error);
}

static void close_desk(desk *d)
{
    rp_timeline_free(&d->timeline);
    assert_true(d->context.bytes_live == 0);
}

/* Bounded however long it is, in order, and never without its leaps. */
static void way__long_ways_are_thinned(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    rp_way *way = rp_timeline_way(&d.timeline, "runner", 0);
    for (int i = 0; i < 100000; i++)
        rp_way_add(&d.timeline, way, &(rp_way_place){(float)i, 0, 1, i % 20000 == 19999, 0});
    const rp_way_place *places = way->places.items;
    size_t leaps = 0;
    assert_true(way->places.count > RP_WAY_MAX / 4 && way->places.count <= RP_WAY_MAX);
    for (size_t i = 1; i < way->places.count; i++) {
        assert_true(places[i].x > places[i - 1].x);
        leaps += places[i].leap;
    }
    assert_int_equal(leaps, 5);
    rp_way_add(&d.timeline, way, &(rp_way_place){NAN, 0, 1, true, 0});
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plot__steps_give_four_to_eight_lines),
        cmocka_unit_test(plot__time_labels_stand_apart),
        cmocka_unit_test(way__long_ways_are_thinned),
        cmocka_unit_test(svg__texts_stay_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
