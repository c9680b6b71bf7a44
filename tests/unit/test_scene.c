/*
 * test_scene.c - axes, key reduction, columns, and the GLB form of a scene.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "checked.h"
#include "glb.h"
#include "json.h"
#include "shapes.h"
#include "topdown_map.h"
#include "typed_array.h"

static const double pi = 3.14159265358979323846;

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.9g is not %.9g within %g", a, b, tolerance);
}

static void assert_position(rp_vec3 p, double x, double y, double z)
{
    assert_near((double)p.x, x, 1e-5);
    assert_near((double)p.y, y, 1e-5);
    assert_near((double)p.z, z, 1e-5);
}

/* ---- axes ---- */

static void geometry__left_handed_places_mirror_z(void **state)
{
    (void)state;
    assert_position(rp_position_from_left_handed((rp_vec3){1, 2, 3}), 1, 2, -3);
}

/* Rotating and then converting must equal converting and then rotating. */
static void geometry__left_handed_turns_agree_with_places(void **state)
{
    (void)state;
    const rp_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6f, 0, 0.8f}};
    const rp_vec3 point = {0.3f, -1.2f, 2.5f};
    for (size_t i = 0; i < RP_COUNT(axes); i++) {
        for (int step = -3; step <= 3; step++) {
            rp_quat rotation = rp_rotation_about(axes[i], step * 0.7);
            rp_vec3 before = rp_position_from_left_handed(rp_rotation_apply(rotation, point));
            rp_vec3 after = rp_rotation_apply(rp_rotation_from_left_handed(rotation),
                                              rp_position_from_left_handed(point));
            assert_position(after, (double)before.x, (double)before.y, (double)before.z);
        }
    }
}

/* In the left-handed system a quarter turn about up goes from forward (+z) to the right (+x). */
static void geometry__left_handed_quarter_turn(void **state)
{
    (void)state;
    rp_quat quarter = {0, 0.70710678f, 0, 0.70710678f};
    assert_position(rp_rotation_apply(rp_rotation_from_left_handed(quarter), (rp_vec3){0, 0, -1}),
                    1, 0, 0);
}

static void geometry__z_up_places_in_metres(void **state)
{
    (void)state;
    assert_position(rp_position_from_z_up((rp_vec3){100, 200, 300}, 0.0254f), 2.54, 7.62, -5.08);
}

static void geometry__view_angles_look_where_they_say(void **state)
{
    (void)state;
    const double angles[][2] = {{0, 0}, {0, 90}, {0, 180}, {45, 0}, {-30, 135}, {89, -100}};
    for (size_t i = 0; i < RP_COUNT(angles); i++) {
        double p = angles[i][0] * pi / 180, y = angles[i][1] * pi / 180;
        rp_vec3 looks = {(float)(cos(p) * cos(y)), (float)(cos(p) * sin(y)), (float)-sin(p)};
        rp_vec3 wanted = rp_position_from_z_up(looks, 1);
        rp_vec3 got = rp_rotation_apply(rp_rotation_from_view_angles(angles[i][0], angles[i][1]),
                                        (rp_vec3){0, 0, -1});
        assert_position(got, (double)wanted.x, (double)wanted.y, (double)wanted.z);
    }
}

static void geometry__mix_goes_the_short_way(void **state)
{
    (void)state;
    rp_quat a = rp_rotation_about((rp_vec3){0, 1, 0}, 0.1),
            b = rp_rotation_about((rp_vec3){0, 1, 0}, 0.5);
    rp_quat minus = {-b.x, -b.y, -b.z, -b.w};
    rp_vec3 between = rp_rotation_between(rp_rotation_mix(a, minus, 0.25),
                                          rp_rotation_about((rp_vec3){0, 1, 0}, 0.2));
    assert_near((double)(fabsf(between.x) + fabsf(between.y) + fabsf(between.z)), 0, 1e-6);
}

/* Small and large rotations are computed differently and must agree. */
static void geometry__the_way_between_is_axis_times_angle(void **state)
{
    (void)state;
    rp_quat start = rp_rotation_about((rp_vec3){0.6f, 0, 0.8f}, 1.1);
    for (int i = 0; i <= 300; i++) {
        double angle = i * 0.01;
        rp_quat turned = rp_rotation_then(rp_rotation_about((rp_vec3){0, 1, 0}, angle), start);
        rp_vec3 between = rp_rotation_between(start, turned);
        assert_near((double)between.y, angle, 1e-6);
        assert_near((double)between.x, 0, 1e-6);
        assert_near((double)between.z, 0, 1e-6);
    }
}

static void geometry__no_direction_is_the_identity(void **state)
{
    (void)state;
    rp_quat q = rp_rotation_unit((rp_quat){0, 0, 0, 0}),
            n = rp_rotation_unit((rp_quat){NAN, 0, 0, 1});
    assert_true(q.w == 1 && n.w == 1);
}

/* ---- keys ---- */

enum { SAMPLES = 4000 };

typedef struct run {
    rp_context context;
    rp_anim_keys keys;
    rp_channel channel;
    reprise_error error;
    float time[SAMPLES], value[SAMPLES][4]; /* the input */
    float *kept_time, (*kept)[4];
} run;

static void begin(run *r, rp_channel_kind kind, bool steps, const rp_anim_key_options *options)
{
    *r = (run){.error = REPRISE_ERROR_INIT};
    rp_context_init(&r->context, NULL);
    assert_int_equal(rp_anim_keys_init(&r->keys, &r->context, options, &r->error), REPRISE_OK);
    rp_channel_init(&r->channel, kind, steps);
}

static int collect(void *ctx, const void *data, size_t size)
{
    uint8_t **to = ctx;
    memcpy(*to, data, size);
    *to += size;
    return 0;
}

static void finish(run *r)
{
    assert_int_equal(rp_channel_end(&r->keys, &r->channel, &r->error), REPRISE_OK);
    size_t n = (size_t)r->channel.kept, width = rp_channel_values(r->channel.kind);
    r->kept_time = malloc(n * 4 + 1);
    float *values = malloc(n * width * 4 + 1);
    r->kept = calloc(n + 1, sizeof *r->kept);
    uint8_t *to = (uint8_t *)r->kept_time;
    reprise_sink callback = {.ctx = &to, .write = collect};
    rp_sink *sink = NULL;
    assert_int_equal(rp_sink_open_callback(&r->context, &callback, &sink, &r->error), REPRISE_OK);
    assert_int_equal(rp_channel_write_times(&r->keys, &r->channel, sink, &r->error), REPRISE_OK);
    to = (uint8_t *)values;
    assert_int_equal(rp_channel_write_values(&r->keys, &r->channel, sink, &r->error), REPRISE_OK);
    rp_sink_close(sink);
    for (size_t i = 0; i < n; i++)
        memcpy(r->kept[i], values + i * width, width * 4);
    free(values);
}

static void end(run *r)
{
    free(r->kept_time);
    free(r->kept);
    rp_channel_free(&r->keys, &r->channel);
    rp_anim_keys_free(&r->keys);
    assert_true(r->context.bytes_live == 0);
}

/* The distance between an input value and the interpolation of the kept keys. */
static double place_error(const run *r, size_t i)
{
    size_t k = 0, n = (size_t)r->channel.kept;
    while (k + 2 < n && r->kept_time[k + 1] < r->time[i])
        k++;
    double span = (double)r->kept_time[k + 1] - (double)r->kept_time[k];
    double share = ((double)r->time[i] - (double)r->kept_time[k]) / span, sum = 0;
    for (size_t a = 0; a < 3; a++) {
        double at = (double)r->kept[k][a] +
                    share * ((double)r->kept[k + 1][a] - (double)r->kept[k][a]);
        sum += (at - (double)r->value[i][a]) * (at - (double)r->value[i][a]);
    }
    return sqrt(sum);
}

static double turn_error(const run *r, size_t i)
{
    size_t k = 0, n = (size_t)r->channel.kept;
    while (k + 2 < n && r->kept_time[k + 1] < r->time[i])
        k++;
    const float *a = r->kept[k], *b = r->kept[k + 1], *v = r->value[i];
    double span = (double)r->kept_time[k + 1] - (double)r->kept_time[k];
    rp_quat at = rp_rotation_mix((rp_quat){a[0], a[1], a[2], a[3]},
                                 (rp_quat){b[0], b[1], b[2], b[3]},
                                 ((double)r->time[i] - (double)r->kept_time[k]) / span);
    rp_vec3 between = rp_rotation_between(at, (rp_quat){v[0], v[1], v[2], v[3]});
    return sqrt((double)between.x * (double)between.x + (double)between.y * (double)between.y +
                (double)between.z * (double)between.z);
}

/* The same for programs that interpolate quaternions linearly and normalise them. */
static double even_turn_error(const run *r, size_t i)
{
    size_t k = 0, n = (size_t)r->channel.kept;
    while (k + 2 < n && r->kept_time[k + 1] < r->time[i])
        k++;
    const float *a = r->kept[k], *b = r->kept[k + 1], *v = r->value[i];
    double span = (double)r->kept_time[k + 1] - (double)r->kept_time[k];
    float share = (float)(((double)r->time[i] - (double)r->kept_time[k]) / span), mixed[4];
    for (size_t j = 0; j < 4; j++)
        mixed[j] = a[j] + share * (b[j] - a[j]);
    rp_vec3 between = rp_rotation_between(
        rp_rotation_unit((rp_quat){mixed[0], mixed[1], mixed[2], mixed[3]}),
        (rp_quat){v[0], v[1], v[2], v[3]});
    return sqrt((double)between.x * (double)between.x + (double)between.y * (double)between.y +
                (double)between.z * (double)between.z);
}

static const rp_anim_key_options usual = {.tolerance_m = 0.0001,
                                          .tolerance_rad = 0.01 * 3.14159 / 180};

static void put_waves(run *r)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        double t = (double)i * 0.02;
        r->time[i] = (float)t;
        r->value[i][0] = (float)(sin(t) * 2);
        r->value[i][1] = (float)(i % 1000 < 400 ? 1 : cos(t * 3));
        r->value[i][2] = (float)(t * 0.5);
        assert_int_equal(rp_channel_put(&r->keys, &r->channel, i ? r->time[i - 1] : 0, r->time[i],
                                        r->value[i], &r->error),
                         REPRISE_OK);
    }
}

static void anim_keys__places_stay_within_tolerance(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &usual);
    put_waves(r);
    finish(r);
    assert_true(r->channel.kept < SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++)
        assert_true(place_error(r, i) <= usual.tolerance_m + 2e-6);
    end(r);
    free(r);
}

static void anim_keys__turns_stay_within_tolerance(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_ROTATION, false, &usual);
    for (size_t i = 0; i < SAMPLES; i++) {
        double t = (double)i * 0.02;
        rp_quat q = rp_rotation_then(rp_rotation_about((rp_vec3){0, 1, 0}, t * 0.9),
                                     rp_rotation_about((rp_vec3){1, 0, 0}, 0.3 * sin(t)));
        r->time[i] = (float)t;
        memcpy(r->value[i], &q, sizeof q);
        if (i % 3 == 0) /* the same rotation with the other sign */
            q = (rp_quat){-q.x, -q.y, -q.z, -q.w};
        assert_int_equal(rp_channel_put(&r->keys, &r->channel, i ? r->time[i - 1] : 0, r->time[i],
                                        &q.x, &r->error),
                         REPRISE_OK);
    }
    finish(r);
    assert_true(r->channel.kept < SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        assert_true(turn_error(r, i) <= usual.tolerance_rad + 2e-6);
        assert_true(even_turn_error(r, i) <= 2 * usual.tolerance_rad);
    }
    assert_true(r->channel.seen == SAMPLES && r->channel.kept < r->channel.seen);
    end(r);
    free(r);
}

static void anim_keys__exact_keeps_all(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &(rp_anim_key_options){.exact = true});
    put_waves(r);
    finish(r);
    assert_int_equal(r->channel.kept, SAMPLES);
    assert_memory_equal(r->kept_time, r->time, sizeof r->time);
    end(r);
    free(r);
}

static void anim_keys__a_straight_line_needs_two(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &usual);
    for (int i = 0; i < 1000; i++) {
        float v[3] = {(float)i * 0.25f, 1, (float)i * -0.5f};
        assert_int_equal(
            rp_channel_put(&r->keys, &r->channel, (float)(i - 1), (float)i, v, &r->error),
            REPRISE_OK);
    }
    finish(r);
    assert_int_equal(r->channel.kept, 2);
    assert_true(r->kept_time[1] == 999);
    end(r);
    free(r);
}

static void anim_keys__constant_values_do_not_move(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &usual);
    const float v[3] = {1, 2, 3};
    for (int i = 0; i < 100; i++)
        assert_int_equal(
            rp_channel_put(&r->keys, &r->channel, (float)(i - 1), (float)i, v, &r->error),
            REPRISE_OK);
    finish(r);
    assert_false(rp_channel_moves(&r->channel));
    end(r);
    free(r);
}

/* A node that did not move until the previous frame starts to move there, not earlier. */
static void anim_keys__missing_values_hold_the_last(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &usual);
    const float a[3] = {0, 0, 0}, b[3] = {5, 0, 0};
    assert_int_equal(rp_channel_put(&r->keys, &r->channel, 0, 0, a, &r->error), REPRISE_OK);
    assert_int_equal(rp_channel_put(&r->keys, &r->channel, 9, 10, b, &r->error), REPRISE_OK);
    finish(r);
    assert_int_equal(r->channel.kept, 3);
    assert_true(r->kept_time[1] == 9 && r->kept[1][0] == 0);
    end(r);
    free(r);
}

static void anim_keys__a_jump_takes_no_time(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &usual);
    const float a[3] = {0, 0, 0}, b[3] = {5, 0, 0};
    assert_int_equal(rp_channel_put(&r->keys, &r->channel, 0, 0, a, &r->error), REPRISE_OK);
    assert_int_equal(rp_channel_jump(&r->keys, &r->channel, 10, b, &r->error), REPRISE_OK);
    finish(r);
    assert_int_equal(r->channel.kept, 3);
    assert_true(r->kept_time[1] == nextafterf(10, 0) && r->kept[1][0] == 0);
    assert_true(r->kept_time[2] == 10 && r->kept[2][0] == 5);
    end(r);
    free(r);
}

static void anim_keys__samples_are_at_regular_times(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false,
          &(rp_anim_key_options){.exact = true, .samples_per_s = 10});
    put_waves(r);
    finish(r);
    for (size_t i = 1; i < r->channel.kept; i++) {
        double n = (double)r->kept_time[i] * 10;
        assert_near(n, round(n), 1e-3);
        assert_true(r->kept_time[i] > r->kept_time[i - 1]);
    }
    end(r);
    free(r);
}

static void anim_keys__nan_keeps_the_last_value(void **state)
{
    (void)state;
    run *r = malloc(sizeof *r);
    begin(r, RP_CHANNEL_POSITION, false, &(rp_anim_key_options){.exact = true});
    const float a[3] = {1, 2, 3}, b[3] = {NAN, INFINITY, 4};
    assert_int_equal(rp_channel_put(&r->keys, &r->channel, 0, 0, a, &r->error), REPRISE_OK);
    assert_int_equal(rp_channel_put(&r->keys, &r->channel, 0, 1, b, &r->error), REPRISE_OK);
    finish(r);
    assert_true(r->kept[1][0] == 1 && r->kept[1][1] == 2 && r->kept[1][2] == 4);
    end(r);
    free(r);
}

/* ---- columns ---- */

static void typed_array__base64_has_padding(void **state)
{
    (void)state;
    rp_context context;
    rp_context_init(&context, NULL);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_doc doc = {.arena = &arena, .error = &error};
    const char *wanted[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t i = 0; i < RP_COUNT(wanted); i++)
        assert_string_equal(reprise_value_text(rp_new_base64(&doc, "foobar", i), NULL), wanted[i]);
    const float even[] = {0, 0.5f, 1, 1.5f}, odd[] = {0, 0.5f, 1.2f};
    assert_string_equal(
        reprise_value_text(rp_get(rp_typed_array_times(&doc, even, 4), "type"), NULL), "range");
    assert_string_equal(
        reprise_value_text(rp_get(rp_typed_array_times(&doc, odd, 3), "type"), NULL), "f32");
    rp_arena_free(&arena);
}

/* ---- scenes ---- */

typedef struct stage {
    rp_context context;
    reprise_error error;
    rp_scene scene;
    rp_writer out;
} stage;

static void open_stage(stage *s, const rp_scene_options *options)
{
    *s = (stage){.error = REPRISE_ERROR_INIT};
    rp_context_init(&s->context, NULL);
    rp_scene_init(&s->scene, &s->context, options, &s->error);
    rp_writer_init(&s->out, &s->context, 1 << 24, &s->error);
}

static void close_stage(stage *s)
{
    rp_writer_free(&s->out);
    rp_scene_free(&s->scene);
    assert_true(s->context.bytes_live == 0);
}

static const rp_scene_options whole = {.tracks = UINT64_MAX,
                                       .time_from = -1e300,
                                       .time_to = 1e300,
                                       .index_from = INT64_MIN,
                                       .index_to = INT64_MAX,
                                       .keys = {.tolerance_m = 0.0001, .tolerance_rad = 0.0001}};

static void scene__time_always_increases(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    const double times[] = {0, 1, 1, 0.5, (double)NAN, 1e300, 2, -5};
    float last = -1;
    for (size_t i = 0; i < RP_COUNT(times); i++) {
        assert_int_equal(rp_scene_clock(&s.scene, (int64_t)i, times[i]), RP_SHOWN);
        assert_true(s.scene.now > last && s.scene.now < 100);
        last = s.scene.now;
    }
    close_stage(&s);
}

/* A part from the middle starts at 0 with the pose from before. */
static void scene__a_part_keeps_earlier_poses(void **state)
{
    (void)state;
    stage s;
    rp_scene_options cut = whole;
    cut.time_from = 5;
    cut.time_to = 8;
    open_stage(&s, &cut);
    int32_t node = rp_scene_node(&s.scene, &(rp_node){RP_NODE});
    for (int i = 0; i < 20; i++) {
        rp_when when = rp_scene_clock(&s.scene, i, i);
        assert_int_equal(when, i < 5 ? RP_TOO_EARLY : i <= 8 ? RP_SHOWN : RP_TOO_LATE);
        if (i == 3)
            rp_scene_move(&s.scene, node, (rp_vec3){7, 0, 0}, false);
    }
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    assert_true(rp_scene_nodes(&s.scene)[node].position.x == 7);
    assert_true(s.scene.offset == 5 && rp_scene_duration(&s.scene) == 3);
    close_stage(&s);
}

/* A node from the start is visible until it is hidden; a later one is not. */
static void scene__hiding_later_starts_visible(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    rp_node node = {RP_NODE};
    node.mesh = rp_shape_box(&s.scene, "box", (rp_vec3){1, 1, 1}, -1);
    int32_t old = rp_scene_node(&s.scene, &node), late = -1;
    for (int i = 0; i <= 10; i++) {
        rp_scene_clock(&s.scene, i, i);
        if (i == 3)
            late = rp_scene_node(&s.scene, &node);
        if (i == 3)
            rp_scene_show(&s.scene, late, true);
        if (i == 4)
            rp_scene_show(&s.scene, old, false);
    }
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    const rp_channel *c = rp_scene_nodes(&s.scene)[old].channels[RP_CHANNEL_SIZE];
    assert_int_equal(c->kept, 2);
    assert_true(c->block[0] == 0 && c->block[1] == 1 && c->block[4] == 4 && c->block[5] == 0);
    assert_true(rp_scene_nodes(&s.scene)[old].size.x == 1);
    c = rp_scene_nodes(&s.scene)[late].channels[RP_CHANNEL_SIZE];
    assert_int_equal(c->kept, 2);
    assert_true(c->block[0] == 0 && c->block[1] == 0 && c->block[4] == 3 && c->block[5] == 1);
    close_stage(&s);
}

/* A node with values at 0, 4 and 10 that did not move from 4 to 8. */
static void scene__rare_values_are_interpolated(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    int32_t node = rp_scene_node(&s.scene, &(rp_node){RP_NODE});
    for (int i = 0; i <= 10; i++) {
        rp_scene_clock(&s.scene, i, i);
        if (i == 0)
            rp_scene_move_since(&s.scene, node, (rp_vec3){0, 0, 0}, 0);
        if (i == 4)
            rp_scene_move_since(&s.scene, node, (rp_vec3){8, 0, 0}, 0);
        if (i == 10)
            rp_scene_move_since(&s.scene, node, (rp_vec3){9, 0, 0}, 8);
    }
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    const rp_channel *c = rp_scene_nodes(&s.scene)[node].channels[RP_CHANNEL_POSITION];
    const float wanted[4][2] = {{0, 0}, {4, 8}, {8, 8}, {10, 9}};
    assert_int_equal(c->kept, RP_COUNT(wanted));
    for (size_t i = 0; i < RP_COUNT(wanted); i++)
        assert_true(c->block[4 * i] == wanted[i][0] && c->block[4 * i + 1] == wanted[i][1]);
    close_stage(&s);
}

/* Nodes are reused after they are hidden; more than the maximum are left out. */
static void transient_nodes__are_reused(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    rp_transient_nodes marks = {.name = "flash", .kind = "event", .player = -1, .mesh = -1};
    rp_transient_node mark = {.rotation = {0, 0, 0, 1}, .size = {2, 2, 2}, .seconds = 1.5};
    for (int i = 0; i < 20; i++) {
        rp_scene_clock(&s.scene, i, i);
        assert_true(rp_transient_nodes_show(&s.scene, &marks, &mark));
    }
    assert_int_equal(s.scene.nodes.count, 2);
    for (int i = 0; i < 2 * RP_TRANSIENT_NODES_MAX; i++)
        assert_int_equal(rp_transient_nodes_show(&s.scene, &marks, &mark),
                         i < RP_TRANSIENT_NODES_MAX - 2);
    assert_int_equal(s.scene.nodes.count, RP_TRANSIENT_NODES_MAX);
    /* Hidden, shown in its size at 0, hidden after a second and a half, and so on. */
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    const rp_channel *c = rp_scene_nodes(&s.scene)[0].channels[RP_CHANNEL_SIZE];
    assert_true(c->steps && c->block[0] == 0 && c->block[1] == 2);
    assert_true(c->block[4] == 1.5f && c->block[5] == 0);
    close_stage(&s);
}

/* An arrow from west to east is between both, has their distance as length, and points east. */
static void topdown_map__arrows_point_at_their_targets(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    rp_timeline timeline;
    rp_timeline_init(&timeline, &s.context, &s.error);
    rp_topdown_map *over = malloc(sizeof *over);
    rp_topdown_map_init(over, &s.scene, &timeline);
    assert_true(rp_topdown_map_add_player(over, "one", "#102030"));
    assert_true(rp_topdown_map_add_player(over, "two", NULL));
    const reprise_value *one = reprise_value_at(timeline.players, 0);
    assert_string_equal(reprise_value_text(reprise_value_get(one, "color"), NULL), "#102030");
    assert_null(reprise_value_get(reprise_value_at(timeline.players, 1), "color"));
    rp_scene_clock(&s.scene, 0, 0);
    rp_topdown_map_add_order(over,
                             &(rp_map_order){.arrow = true, .x = 2, .z = 3, .x2 = 10, .z2 = 3});
    rp_topdown_map_add_order(over, &(rp_map_order){.x2 = 20, .z2 = 30});
    rp_topdown_map_add_order(over, &(rp_map_order){.x2 = -5, .z2 = 30}); /* not on a map */
    assert_int_equal(s.scene.nodes.count, 2);
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    const rp_node *nodes = rp_scene_nodes(&s.scene);
    assert_string_equal(nodes[0].kind, "arrow");
    assert_near((double)nodes[0].position.x, 6, 1e-5);
    assert_near((double)nodes[0].position.z, 3, 1e-5);
    assert_position(rp_rotation_apply(nodes[0].rotation, (rp_vec3){0, 0, -1}), 1, 0, 0);
    assert_near((double)nodes[0].size.z, 8, 1e-5);
    assert_string_equal(nodes[1].kind, "ping");
    assert_near((double)nodes[1].position.x, 20, 1e-5);
    assert_near((double)nodes[1].position.z, 30, 1e-5);
    const char *kinds[] = {"Move"};
    rp_topdown_map_end(over, kinds, 1);
    assert_int_equal(reprise_value_count(timeline.glyphs), 2);
    rp_topdown_map_free(over);
    free(over);
    rp_timeline_free(&timeline);
    close_stage(&s);
}

/* Faces point outwards: the normal of a face agrees with those of its corners. */
static void shapes__faces_look_outwards(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    rp_shape_box(&s.scene, "box", (rp_vec3){1, 2, 3}, -1);
    rp_shape_column(&s.scene, "column", 1, 0.5f, 2, 7, -1);
    rp_shape_capsule(&s.scene, "capsule", 1, 3, -1);
    rp_shape_dart(&s.scene, "dart", (rp_vec3){1, 0.5f, 2}, -1);
    rp_shape_arrow(&s.scene, "arrow", -1);
    rp_shape_ring(&s.scene, "ring", 2, 1, -1);
    const rp_accessor *accessors = s.scene.accessors.items;
    const rp_mesh *meshes = s.scene.meshes.items;
    rp_source *bytes = NULL;
    assert_int_equal(rp_sink_reopen(s.scene.fixed, &bytes, &s.error), REPRISE_OK);
    for (size_t m = 0; m < s.scene.meshes.count; m++) {
        const rp_primitive *part = &meshes[m].primitives[0];
        const rp_accessor *p = &accessors[part->attributes[0]],
                          *n = &accessors[part->attributes[1]], *i = &accessors[part->indices];
        float positions[1024][3], normals[1024][3];
        uint16_t indices[4096];
        assert_int_equal(rp_source_read(bytes, p->offset, positions, p->size, &s.error),
                         REPRISE_OK);
        assert_int_equal(rp_source_read(bytes, n->offset, normals, n->size, &s.error), REPRISE_OK);
        assert_int_equal(rp_source_read(bytes, i->offset, indices, i->size, &s.error), REPRISE_OK);
        for (size_t f = 0; f + 2 < i->count; f += 3) {
            const float *a = positions[indices[f]], *b = positions[indices[f + 1]],
                        *c = positions[indices[f + 2]];
            float u[3], v[3], along = 0;
            for (size_t k = 0; k < 3; k++) {
                u[k] = b[k] - a[k];
                v[k] = c[k] - a[k];
            }
            for (size_t k = 0; k < 3; k++)
                along += (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) *
                         normals[indices[f]][k];
            assert_true(along > -1e-6f);
        }
    }
    rp_source_close(bytes);
    close_stage(&s);
}

static uint32_t word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void write_glb(stage *s, bool text)
{
    rp_sink *sink = NULL;
    rp_glb_options options = {.text = text, .name = "a \"name\"", .format = "test"};
    assert_int_equal(rp_sink_open_memory(&s->context, &s->out, &sink, &s->error), REPRISE_OK);
    assert_int_equal(rp_glb_write(&s->scene, NULL, &options, sink, &s->error), REPRISE_OK);
    rp_sink_close(sink);
}

static void glb__sizes_add_up_and_static_bytes_lead(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    rp_node node = {RP_NODE};
    node.mesh = rp_shape_box(&s.scene, "box", (rp_vec3){1, 2, 3}, -1);
    int32_t a = rp_scene_node(&s.scene, &node), b = rp_scene_node(&s.scene, &node);
    for (int i = 0; i < 500; i++) {
        rp_scene_clock(&s.scene, i, i * 0.1);
        float wave = (float)sin(i);
        rp_scene_move(&s.scene, a, (rp_vec3){wave, 0, 0}, false);
        rp_scene_move(&s.scene, b, (rp_vec3){0, wave, 0}, false);
    }
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    write_glb(&s, false);
    const uint8_t *p = s.out.data;
    assert_memory_equal(p, "glTF", 4);
    assert_int_equal(word(p + 8), s.out.size);
    uint32_t json = word(p + 12);
    assert_int_equal(json % 4, 0);
    assert_int_equal(20 + json + 8 + word(p + 20 + json), s.out.size);
    rp_arena arena;
    rp_arena_init(&arena, &s.context);
    rp_doc doc = {.arena = &arena, .error = &s.error};
    reprise_value *about = NULL;
    assert_int_equal(rp_json_parse(&doc, (const char *)p + 20, json, "glb", &about, NULL),
                     REPRISE_OK);
    const reprise_value *extras = rp_get(rp_get(rp_get(about, "asset"), "extras"), "reprise");
    uint64_t fixed = reprise_value_uint(rp_get(extras, "static_bytes"), 0);
    assert_true(fixed == rp_sink_size(s.scene.fixed));
    /* Both move at the same times, which are stored once. */
    const reprise_value *samplers = rp_get(reprise_value_at(rp_get(about, "animations"), 0),
                                           "samplers");
    assert_int_equal(reprise_value_count(samplers), 2);
    assert_int_equal(reprise_value_int(rp_get(reprise_value_at(samplers, 0), "input"), -1),
                     reprise_value_int(rp_get(reprise_value_at(samplers, 1), "input"), -2));
    rp_arena_free(&arena);
    close_stage(&s);
}

static void glb__text_form_is_json(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, &whole);
    rp_node node = {RP_NODE};
    node.mesh = rp_shape_capsule(&s.scene, "ball", 1, 2, -1);
    rp_scene_node(&s.scene, &node);
    assert_int_equal(rp_scene_end(&s.scene), REPRISE_OK);
    write_glb(&s, true);
    rp_arena arena;
    rp_arena_init(&arena, &s.context);
    rp_doc doc = {.arena = &arena, .error = &s.error};
    reprise_value *about = NULL;
    assert_int_equal(
        rp_json_parse(&doc, (const char *)s.out.data, s.out.size, "gltf", &about, NULL),
        REPRISE_OK);
    const reprise_value *buffer = reprise_value_at(rp_get(about, "buffers"), 0);
    size_t size = 0;
    const char *uri = reprise_value_text(rp_get(buffer, "uri"), &size);
    uint64_t bytes = reprise_value_uint(rp_get(buffer, "byteLength"), 0);
    assert_non_null(uri);
    assert_int_equal(size, strlen("data:application/octet-stream;base64,") + (bytes + 2) / 3 * 4);
    rp_arena_free(&arena);
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry__left_handed_places_mirror_z),
        cmocka_unit_test(geometry__left_handed_turns_agree_with_places),
        cmocka_unit_test(geometry__left_handed_quarter_turn),
        cmocka_unit_test(geometry__z_up_places_in_metres),
        cmocka_unit_test(geometry__view_angles_look_where_they_say),
        cmocka_unit_test(geometry__mix_goes_the_short_way),
        cmocka_unit_test(geometry__the_way_between_is_axis_times_angle),
        cmocka_unit_test(geometry__no_direction_is_the_identity),
        cmocka_unit_test(anim_keys__places_stay_within_tolerance),
        cmocka_unit_test(anim_keys__turns_stay_within_tolerance),
        cmocka_unit_test(anim_keys__exact_keeps_all),
        cmocka_unit_test(anim_keys__a_straight_line_needs_two),
        cmocka_unit_test(anim_keys__constant_values_do_not_move),
        cmocka_unit_test(anim_keys__missing_values_hold_the_last),
        cmocka_unit_test(anim_keys__a_jump_takes_no_time),
        cmocka_unit_test(anim_keys__samples_are_at_regular_times),
        cmocka_unit_test(anim_keys__nan_keeps_the_last_value),
        cmocka_unit_test(typed_array__base64_has_padding),
        cmocka_unit_test(scene__time_always_increases),
        cmocka_unit_test(scene__a_part_keeps_earlier_poses),
        cmocka_unit_test(scene__hiding_later_starts_visible),
        cmocka_unit_test(scene__rare_values_are_interpolated),
        cmocka_unit_test(transient_nodes__are_reused),
        cmocka_unit_test(topdown_map__arrows_point_at_their_targets),
        cmocka_unit_test(shapes__faces_look_outwards),
        cmocka_unit_test(glb__sizes_add_up_and_static_bytes_lead),
        cmocka_unit_test(glb__text_form_is_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
