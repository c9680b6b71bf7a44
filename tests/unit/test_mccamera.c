/*
 * test_mccamera.c - camera animations, which accompany Minecraft's scenes: section 8 of
 * docs/spec/mcreplay.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "json.h"
#include "mc_builder.h"
#include "reprise/scene.h"
#include "reprise/write.h"
#include "samples.h"
#include "written.h"

#define ANIMATION(attributes, channels, data) \
    "<animation " attributes ">" channels "<anim_data>" data "</anim_data></animation>"
#define LOCATION "<channel name='location' size='3'/>"
#define EULER    "<channel name='rotation_euler' size='3'/>"
#define QUAT     "<channel name='rotation_quat' size='4'/>"
#define FOV      "<channel name='fov' size='1'/>"

static scene open_text(const char *text)
{
    scene s = {.count = 0};
    bytes file = {.data = (unsigned char *)(uintptr_t)text, .size = strlen(text)};
    s.replay = open_bytes(&file, false);
    assert_int_equal(reprise_verify(s.replay, NULL, NULL, &s.summary, &s.error), REPRISE_OK);
    return s;
}

static void expect_numbers(const char *text, const char *const *columns, const double *expected,
                           size_t count, size_t frames)
{
    scene s = open_text(text);
    assert_string_equal(reprise_format(s.replay), "mccamera");
    assert_int_equal(s.summary.faults, 0);
    assert_int_equal(rows_of(&s, "frames"), frames);
    for (size_t i = 0; i < frames; i++) {
        for (size_t k = 0; k < count; k++)
            assert_true(number_at(&s, "frames", i, columns[k]) == expected[i * count + k]);
    }
    close_scene(&s);
}

static void mccamera__channels_decode_in_their_order(void **state)
{
    (void)state;
    static const char *const euler[] = {"fov", "pitch", "yaw", "roll", "pos_x", "pos_y", "pos_z"};
    static const double numbers[] = {70, 1, 2, 3, 4, 5, 6, 71, -1, -2, -3, -4, -5, -6};
    expect_numbers(
        ANIMATION("fps='20'", FOV EULER LOCATION, "70 1 2 3 4 5 6\n71 -1 -2 -3 -4 -5 -6"), euler,
        numbers, 7, 2);
    static const char *const quat[] = {"rot_w", "rot_x", "rot_y", "rot_z", "time"};
    static const double turns[] = {1, 2, 3, 4, 0, 5, 6, 7, 8, 0.04};
    expect_numbers(ANIMATION("fps='25.0'", QUAT, "1 2 3 4\n5 6 7 8"), quat, turns, 5, 2);
}

static void mccamera__only_declared_channels_are_columns(void **state)
{
    (void)state;
    scene s = open_text(ANIMATION("fps='20'", LOCATION FOV, "1 2 3 4"));
    assert_int_equal(reprise_column_count(s.replay, 0), 2 + 4);
    close_scene(&s);
}

static void mccamera__line_ends_and_layout_are_not_frames(void **state)
{
    (void)state;
    static const char *const columns[] = {"fov"};
    static const double numbers[] = {1, 2, 3};
    static const char *const forms[] = {
        "1\n2\n3",
        "\n1\n2\n3\n",
        "1\r\n2\r\n3\r\n",
        "1\r2\r3",
        "\n\n 1 \n\t2\n3\n\n",
        "1&#13;\n2&#10;3&#10;",
        "<![CDATA[1\n2\n]]>3",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, ANIMATION("fps='20'", FOV, "%s"), forms[i]);
        expect_numbers(text, columns, numbers, 1, 3);
    }
}

static void mccamera__errors_name_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path;
    } cases[] = {
        {ANIMATION("fps='0'", FOV, "1"), "animation.fps"},
        {ANIMATION("fps='nan'", FOV, "1"), "animation.fps"},
        {ANIMATION("fps='1' offset='1,2,3'", FOV, "1"), "animation.offset"},
        {ANIMATION("fps='1' offset='[1,2]'", FOV, "1"), "animation.offset"},
        {ANIMATION("fps='1' fov='wide'", FOV, "1"), "animation.fov"},
        {ANIMATION("fps='1'", "", "1"), "animation.channel[0]"},
        {ANIMATION("fps='1'", "<channel name='fov' size='2'/>", "1 1"), "animation.channel[0]"},
        {ANIMATION("fps='1'", "<channel name='x' size='0'/>", ""), "animation.channel[0]"},
        {ANIMATION("fps='1'", "<channel name='x' size='257'/>", ""), "animation.channel[0]"},
        {ANIMATION("fps='1'", "<channel name='x' size='1e9'/>", ""), "animation.channel"},
        {ANIMATION("fps='1'", "<channel size='1'/>", "1"), "animation.channel[0]"},
        {ANIMATION("fps='1'", FOV FOV, "1 1"), "animation.channel[1]"},
        {ANIMATION("fps='1'", QUAT EULER, ""), "animation.channel[1]"},
        {"<animation fps='1'>" FOV "</animation>", "animation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(
            reprise_open_memory(cases[i].text, strlen(cases[i].text), NULL, &replay, &error),
            REPRISE_E_CORRUPT);
        assert_null(replay);
        assert_string_equal(error.path, cases[i].path);
    }
}

static void mccamera__a_wrong_line_ends_the_frames(void **state)
{
    (void)state;
    static const struct {
        const char *data, *path;
    } cases[] = {
        {"1 2 3\n1 2\n1 2 3", "frames[1]"},
        {"1 2 3\n1 2 3 4", "frames[1]"},
        {"1 2 3\n1 2 x", "frames[1]"},
        {"1 2 3\n1 2 NaN", "frames[1]"},
        {"1 2 3\n1 2 1e999", "frames[1]"},
        {"1 2 3\n\n1 2 3", "frames[1]"},
        {"1 2 3\n<b/>1 2 3", "animation.anim_data"},
        {"1 2 3</anim_data><anim_data>1 2 3", "animation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, ANIMATION("fps='20'", LOCATION, "%s"), cases[i].data);
        scene s = open_text(text);
        const reprise_value *fault = finding(&s, "mccamera.corrupt");
        assert_non_null(fault);
        assert_string_equal(reprise_value_text(reprise_value_get(fault, "path"), NULL),
                            cases[i].path);
        assert_true(rows_of(&s, "frames") <= 1);
        close_scene(&s);
    }
}

static void mccamera__a_declared_entity_is_not_expanded(void **state)
{
    (void)state;
    static const char bomb[] = "<!DOCTYPE a [<!ENTITY b '1 1 1 1 1 1 1 1'>]>" ANIMATION("fps='1'",
                                                                                        FOV, "&b;");
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(bomb, sizeof bomb - 1, NULL, &replay, &error),
                     REPRISE_E_UNRECOGNIZED);
}

/* ---- samples ---- */

static void writing_keeps(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    bytes once = changed(&file, (change){0}), twice = changed(&file, (change){0});
    bytes again = changed(&once, (change){0});
    assert_true(same_bytes(&once, &twice));
    assert_true(same_bytes(&once, &again));
    reprise_replay *a = open_bytes(&file, false), *b = open_bytes(&once, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    bool equal = false;
    expect_ok(reprise_diff(a, b, NULL, &equal, &report, &error), &error, "diff");
    assert_true(equal);
    reprise_close(b);
    reprise_close(a);
    bytes_free(&once);
    bytes_free(&twice);
    bytes_free(&again);
}

static void mccamera__writing_keeps_everything(void **state)
{
    (void)state;
    walk_samples("tests/data/mccamera", writing_keeps);
}

static void mccamera__a_moment_equals_reading_up_to_it(void **state)
{
    (void)state;
    scene s = open_text(
        ANIMATION("fps='4'", FOV "<channel name='x' size='2'/>", "1 2 3\n4 5 6\n7 8 9"));
    for (int step = -1; step < 9; step++) {
        const reprise_value *at = NULL;
        reprise_moment moment = {.time = step * 0.125};
        expect_ok(reprise_at(s.replay, moment, &at, &s.error), &s.error, "at");
        int64_t frame = step < 2 ? 0 : step < 4 ? 1 : 2;
        assert_int_equal(reprise_value_int(reprise_value_get(at, "frame"), -1), frame);
        const reprise_value *row = reprise_value_at(reprise_value_get(at, "frames"), 0);
        const reprise_value *others = reprise_value_get(row, "others");
        assert_int_equal(reprise_value_int(reprise_value_at(others, 1), -1), 3 * frame + 3);
    }
    const reprise_value *at = NULL;
    reprise_moment beyond = {.by_index = true, .index = 3};
    assert_int_equal(reprise_at(s.replay, beyond, &at, &s.error), REPRISE_E_USAGE);
    close_scene(&s);
}

/*
 * Cut anywhere after the header, every complete line is recovered; the last one may be cut inside a
 * number.
 */
static void mccamera__complete_frames_are_recovered(void **state)
{
    (void)state;
    static const char text[] = ANIMATION("fps='20'", LOCATION, "1 2 3\n4 5 6\n7 8 9");
    size_t head = (size_t)(strstr(text, "1 2 3") - text);
    for (size_t size = head; size < sizeof text - 1; size++) {
        bytes cut = {.data = (unsigned char *)(uintptr_t)text, .size = size};
        bytes made = changed(&cut, (change){.recover = true});
        size_t whole = 0;
        for (size_t i = head; i < size; i++)
            whole += text[i] == '\n';
        reprise_replay *replay = open_bytes(&made, false);
        reprise_verify_summary summary = {0};
        reprise_error error = REPRISE_ERROR_INIT;
        expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
        assert_int_equal(summary.faults, 0);
        assert_int_equal(
            reprise_value_int(
                reprise_value_get(reprise_value_get(summary.document, "rows"), "frames"), -1),
            whole);
        reprise_close(replay);
        bytes_free(&made);
    }
}

static void mccamera__trim_keeps_the_range(void **state)
{
    (void)state;
    static const char text[] = ANIMATION("fps='20'", FOV, "1\n2\n3\n4");
    bytes file = {.data = (unsigned char *)(uintptr_t)text, .size = sizeof text - 1};
    bytes cut = changed(&file, (change){.trim = true, .from = 1, .to = 2});
    assert_true(bytes_contain(&cut, "<anim_data>2.0\n3.0</anim_data>"));
    bytes_free(&cut);
}

static void mccamera_private__name_id_and_place_are_removed(void **state)
{
    (void)state;
    static const char text[] = ANIMATION(
        "fps='20' id='camera-77' name='My house' offset='[640, 72, -95]' by='somebody' fov='60'",
        LOCATION, "12345.25 64 7\n12346.25 65 8");
    bytes file = {.data = (unsigned char *)(uintptr_t)text, .size = sizeof text - 1};
    bytes made = changed(&file, (change){.anonymize = REPRISE_PRIVATE_ALL});
    static const char *const gone[] = {"camera-77", "My house", "640", "somebody", "1234"};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        assert_false(bytes_contain(&made, gone[i]));
    assert_true(bytes_contain(&made, "fov=\"60\""));
    assert_true(bytes_contain(&made, "0.25 0.0 0.0\n1.25 1.0 1.0</anim_data>"));
    bytes_free(&made);
}

/* ---- the scene ---- */

/* The direction of the camera in the first frame: its -z, rotated. */
static void look_of(const char *text, double to[3])
{
    scene s = open_text(text);
    reprise_scene *shown = NULL;
    bytes glb = {0};
    reprise_sink sink = {.ctx = &glb, .write = bytes_write};
    expect_ok(reprise_scene_open(s.replay, NULL, &shown, &s.error), &s.error, "scene");
    expect_ok(reprise_scene_write(shown, REPRISE_SCENE_GLB, &sink, &s.error), &s.error, "glb");
    rp_context context;
    rp_context_init(&context, NULL);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_doc doc = {.arena = &arena, .error = &s.error};
    reprise_value *document = NULL;
    uint32_t size;
    memcpy(&size, glb.data + 12, sizeof size);
    assert_int_equal(rp_json_parse(&doc, (const char *)glb.data + 20, size, "glb", &document, NULL),
                     REPRISE_OK);
    const reprise_value *node = reprise_value_at(reprise_value_get(document, "nodes"), 0);
    assert_non_null(reprise_value_get(node, "camera"));
    double q[4];
    for (size_t i = 0; i < 4; i++)
        q[i] = reprise_value_double(reprise_value_at(reprise_value_get(node, "rotation"), i),
                                    i == 3 ? 1 : 0);
    to[0] = -2 * (q[0] * q[2] + q[3] * q[1]);
    to[1] = -2 * (q[1] * q[2] - q[3] * q[0]);
    to[2] = -(1 - 2 * (q[0] * q[0] + q[1] * q[1]));
    rp_arena_free(&arena);
    reprise_scene_close(shown);
    bytes_free(&glb);
    close_scene(&s);
}

/* Without rotation it looks down; a pitch of 90 degrees makes it look north. */
static void mccamera_scene__it_looks_where_blender_looks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double look[3];
    } cases[] = {
        {ANIMATION("fps='20'", EULER, "0 0 0\n0 0 0"), {0, -1, 0}},
        {ANIMATION("fps='20'", EULER, "1.5707963267948966 0 0"), {0, 0, -1}},
        {ANIMATION("fps='20'", EULER, "1.5707963267948966 1.5707963267948966 0"), {-1, 0, 0}},
        {ANIMATION("fps='20'", EULER, "3.141592653589793 1 0"), {0, 1, 0}},
        {ANIMATION("fps='20'", EULER, "1.0471975511965976 3.141592653589793 0"),
         {0, -0.5, 0.8660254037844386}},
        {ANIMATION("fps='20'", EULER, "0 0 1.5707963267948966"), {1, 0, 0}},
        {ANIMATION("fps='20'", QUAT, "1 0 0 0"), {0, -1, 0}},
        {ANIMATION("fps='20'", QUAT, "2 2 0 0"), {0, 0, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double look[3];
        look_of(cases[i].text, look);
        for (size_t k = 0; k < 3; k++)
            assert_true(fabs(look[k] - cases[i].look[k]) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mccamera__channels_decode_in_their_order),
        cmocka_unit_test(mccamera__only_declared_channels_are_columns),
        cmocka_unit_test(mccamera__line_ends_and_layout_are_not_frames),
        cmocka_unit_test(mccamera__errors_name_their_place),
        cmocka_unit_test(mccamera__a_wrong_line_ends_the_frames),
        cmocka_unit_test(mccamera__a_declared_entity_is_not_expanded),
        cmocka_unit_test(mccamera__writing_keeps_everything),
        cmocka_unit_test(mccamera__a_moment_equals_reading_up_to_it),
        cmocka_unit_test(mccamera__complete_frames_are_recovered),
        cmocka_unit_test(mccamera__trim_keeps_the_range),
        cmocka_unit_test(mccamera_private__name_id_and_place_are_removed),
        cmocka_unit_test(mccamera_scene__it_looks_where_blender_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
