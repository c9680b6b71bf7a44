/* test_mcreplay_scene.c - where the first camera of a Minecraft scene looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mc_builder.h"
#include "reprise/scene.h"

/* META has an offset of 1 2 3, and cameras look at what is a metre above the ground. */
static void expect_target(scene *s, const reprise_scene_options *options, double x, double y,
                          double z)
{
    const double expected[3] = {x, y, z};
    reprise_scene *shown = NULL;
    open_scene(s);
    assert_non_null(s->replay);
    assert_int_equal(reprise_scene_open(s->replay, options, &shown, &s->error), REPRISE_OK);
    const reprise_value *cameras = reprise_value_get(reprise_scene_timeline(shown), "cameras");
    assert_int_equal(reprise_value_count(cameras), 1);
    const reprise_value *target = reprise_value_get(reprise_value_at(cameras, 0), "target");
    for (size_t i = 0; i < 3; i++)
        assert_true(reprise_value_double(reprise_value_at(target, i), NAN) == expected[i]);
    reprise_scene_close(shown);
    close_scene(s);
}

#define AT(x)  "1 0 0 0 " #x " 0 0;"
#define STAYS  SCENE(AT(10) "\n" AT(10) "\n" AT(10) "\n" AT(10) "\n" AT(10) "\n" AT(10))
#define WALKS  SCENE(AT(20) "\n" AT(21) "\n" AT(22) "\n" AT(23))
#define STROLL SCENE(AT(30) "\n" AT(31) "\n" AT(32) "\n")
#define NODS   SCENE(AT(40) AT(0) AT(0) "\n;" AT(1) AT(1) "\n;" AT(2) AT(2))

/* Neither the last entity nor one that only repeats poses. */
static void camera__looks_at_who_moves_most(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of(STAYS));
    add(&s, "entities/b.xml", bytes_of(WALKS));
    add(&s, "entities/c.xml", bytes_of(STROLL));
    expect_target(&s, NULL, 21, 3, 3);
}

/* Moving limbs count more than being carried along. */
static void camera__movement_of_parts_counts(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of(WALKS));
    add(&s, "entities/b.xml", bytes_of(NODS));
    add(&s, "entities/c.xml", bytes_of(STAYS));
    expect_target(&s, NULL, 41, 3, 3);
}

/* With a range only its frames count, and the camera looks at where they begin. */
static void camera__only_what_is_shown_counts(void **state)
{
    (void)state;
    scene s = {.count = 0};
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.time_from = 0.15;
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of(WALKS));
    add(&s, "entities/b.xml",
        bytes_of(SCENE(AT(50) "\n" AT(50) "\n" AT(50) "\n" AT(50) "\n" AT(51) "\n" AT(52))));
    expect_target(&s, &options, 51, 3, 3);
}

static void camera__of_equals_the_first(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of(STAYS));
    add(&s, "entities/b.xml", bytes_of(SCENE(AT(60) "\n" AT(60))));
    expect_target(&s, NULL, 11, 3, 3);
}

static void camera__without_entities_the_origin(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    expect_target(&s, NULL, 0, 1, 0);
}

/* The plot with this id; its first series. */
static const reprise_value *series_of(reprise_scene *shown, const char *id)
{
    const reprise_value *plots = reprise_value_get(reprise_scene_timeline(shown), "plots");
    for (size_t i = 0; i < reprise_value_count(plots); i++) {
        const reprise_value *plot = reprise_value_at(plots, i);
        if (strcmp(reprise_value_text(reprise_value_get(plot, "id"), NULL), id) == 0)
            return reprise_value_at(reprise_value_get(plot, "series"), 0);
    }
    return NULL;
}

static int64_t points_of(const reprise_value *series)
{
    return reprise_value_int(reprise_value_get(reprise_value_get(series, "v"), "n"), -1);
}

/* One entity leaves before the other: the number falls again, and a marker says so. */
static void timeline__entities_leave(void **state)
{
    (void)state;
    scene s = {.count = 0};
    reprise_scene *shown = NULL;
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of(STAYS));
    add(&s, "entities/b.xml", bytes_of(STROLL));
    open_scene(&s);
    assert_non_null(s.replay);
    assert_int_equal(reprise_scene_open(s.replay, NULL, &shown, &s.error), REPRISE_OK);
    const reprise_value *timeline = reprise_scene_timeline(shown);
    assert_int_equal(points_of(series_of(shown, "entities")), 2);
    const reprise_value *markers = reprise_value_get(timeline, "markers");
    assert_int_equal(reprise_value_int(reprise_value_get(markers, "n"), -1), 1);
    /* Five steps between six frames, and a gap after the last. */
    assert_int_equal(points_of(series_of(shown, "speed")), 6);
    reprise_scene_close(shown);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera__looks_at_who_moves_most),
        cmocka_unit_test(camera__movement_of_parts_counts),
        cmocka_unit_test(camera__only_what_is_shown_counts),
        cmocka_unit_test(camera__of_equals_the_first),
        cmocka_unit_test(timeline__entities_leave),
        cmocka_unit_test(camera__without_entities_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
