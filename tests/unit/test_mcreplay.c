/*
 * test_mcreplay.c - scenes that are assembled here: cases that no sample covers, and the items of
 * the checklist in docs/spec/mcreplay.md, whose numbers are in the names. Worlds are in
 * test_mcreplay_world.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mc_builder.h"
#include "options.h"
#include "reprise/write.h"
#include "written.h"

/* Frames and parts of one entity: root's x, and x of both parts, per frame. */
static void expect_x(const char *xml, const double (*expected)[3], size_t frames)
{
    scene s = one_entity(xml);
    assert_false(skipped(&s));
    assert_int_equal(rows_of(&s, "frames"), frames);
    for (size_t i = 0; i < frames; i++) {
        assert_true(number_at(&s, "frames", i, "pos_x") == expected[i][0]);
        assert_true(number_at(&s, "parts", 2 * i, "pos_x") == expected[i][1]);
        assert_true(number_at(&s, "parts", 2 * i + 1, "pos_x") == expected[i][2]);
    }
    close_scene(&s);
}

/* ---- the archive ---- */

static void mcreplay_1__descriptors_stored_deflated_and_zip64(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        scene s = {.count = 0};
        add(&s, "meta.json", bytes_of(META));
        add(&s, "entities/e.xml", bytes_of(SCENE("1 0 0 0 5 0 0;")));
        for (size_t i = 0; i < s.count; i++) {
            s.items[i].method = way & 1 ? 8 : 0;
            s.items[i].flags = way & 2 && way & 1 ? DESCRIPTOR : 0;
            s.items[i].zip64 = way == 2;
        }
        open_scene(&s);
        assert_non_null(s.replay);
        assert_true(number_at(&s, "frames", 0, "pos_x") == 5);
        close_scene(&s);
    }
}

static void mcreplay_1__recordings_of_packets_are_not_mistaken(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "metaData.json", bytes_of("{\"singleplayer\":false}"));
    add(&s, "recording.tmcpr", bytes_of("packets"));
    open_scene(&s);
    assert_null(s.replay);
    assert_int_equal(s.error.status, REPRISE_E_UNRECOGNIZED);
    assert_non_null(strstr(s.error.message, "ReplayMod"));
    close_scene(&s);
}

static void mcreplay_1__last_of_equal_names_counts(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/e.xml", bytes_of(SCENE("1 0 0 0 5 0 0;")));
    add(&s, "entities/e.xml", bytes_of(SCENE("1 0 0 0 6 0 0;")));
    open_scene(&s);
    assert_int_equal(rows_of(&s, "entities"), 1);
    assert_true(number_at(&s, "frames", 0, "pos_x") == 6);
    assert_non_null(finding(&s, "mcreplay.duplicate"));
    close_scene(&s);
}

static void mcreplay_1__encrypted_entities_are_reported(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/e.xml", bytes_of(SCENE("1 0 0 0;")))->flags = ENCRYPTED;
    add(&s, "entities/f.xml", bytes_of(SCENE("1 0 0 0;")));
    open_scene(&s);
    assert_int_equal(rows_of(&s, "entities"), 1);
    assert_true(skipped(&s));
    close_scene(&s);
}

static void mcreplay_1__names_outside_the_archive_refuse_the_file(void **state)
{
    (void)state;
    static const char *const names[] = {"../x", "a/../../x", "/etc/x", "C:/x", "a\\..\\x", "\\x"};
    for (size_t i = 0; i < RP_COUNT(names); i++) {
        scene s = {.count = 0};
        add(&s, "meta.json", bytes_of(META));
        add(&s, "entities/e.xml", bytes_of(SCENE("")));
        add(&s, names[i], bytes_of("x"));
        open_scene(&s);
        assert_null(s.replay);
        assert_int_equal(s.error.status, REPRISE_E_CORRUPT);
        close_scene(&s);
    }
}

static void mcreplay_3__offset_origin_and_neither(void **state)
{
    (void)state;
    static const struct {
        const char *meta, *finding;
        double x;
    } cases[] = {
        {"{\"version\":\"0.3.0\",\"offset\":[7,0,0],\"origin\":[9,0,0]}", NULL, 7},
        {"{\"version\":\"0.3.0\",\"origin\":[9,0,0]}", "mcreplay.origin", 9},
        {"{\"version\":\"0.3.0\"}", "mcreplay.no-offset", 0},
        {"{\"version\":\"0.4.0\",\"offset\":[0.5,0,0]}", "mcreplay.version", 0.5},
        {"{\"offset\":[1,0,0]}", "mcreplay.version", 1},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        scene s = {.count = 0};
        add(&s, "meta.json", bytes_of(cases[i].meta));
        add(&s, "entities/e.xml", bytes_of(SCENE("")));
        open_scene(&s);
        assert_non_null(s.replay);
        const reprise_value *info = NULL;
        assert_int_equal(reprise_info(s.replay, &info, &s.error), REPRISE_OK);
        const reprise_value *x = reprise_value_at(reprise_value_get(info, "offset"), 0);
        assert_true(reprise_value_double(x, -1) == cases[i].x);
        if (cases[i].finding)
            assert_non_null(finding(&s, cases[i].finding));
        close_scene(&s);
    }
}

static void mcreplay_3__offset_that_is_no_place_refuses(void **state)
{
    (void)state;
    static const char *const metas[] = {"{\"offset\":[1,2]}", "{\"offset\":\"1,2,3\"}",
                                        "{\"offset\":[1,2,\"3\"]}", "[]", "{\"offset\":null}"};
    for (size_t i = 0; i < RP_COUNT(metas); i++) {
        scene s = {.count = 0};
        add(&s, "meta.json", bytes_of(metas[i]));
        add(&s, "entities/e.xml", bytes_of(SCENE("")));
        open_scene(&s);
        assert_null(s.replay);
        close_scene(&s);
    }
}

/* ---- models ---- */

static void mcreplay_4__parts_are_numbered_depth_first(void **state)
{
    (void)state;
    scene s = one_entity(HEAD "<part name='a'><part name='b'><part name='c'/></part></part>"
                              "<part name='d'/></model><anim>;1 0 0 0 1 0 0;1 0 0 0 2 0 0;"
                              "1 0 0 0 3 0 0;1 0 0 0 4 0 0;</anim></entity>");
    for (size_t i = 0; i < 4; i++)
        assert_true(number_at(&s, "parts", i, "pos_x") == (double)i + 1);
    close_scene(&s);
}

static void mcreplay_4__model_after_the_animation(void **state)
{
    (void)state;
    scene s = one_entity("<entity name='n'><anim fps='10'>1 0 0 0 4 0 0;1 0 0 0 5 0 0;</anim>"
                         "<model rig-type='multipart'><part name='a'/></model></entity>");
    assert_false(skipped(&s));
    assert_int_equal(rows_of(&s, "frames"), 1);
    assert_true(number_at(&s, "parts", 0, "pos_x") == 5);
    close_scene(&s);
}

static void mcreplay_5__rig_types(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of("<entity><model><bone/></model><anim>;</anim></entity>"));
    add(&s, "entities/b.xml",
        bytes_of("<entity><model rig-type=''><bone/></model><anim>;</anim></entity>"));
    add(&s, "entities/c.xml",
        bytes_of("<entity><model rig-type='puppet'/><anim>;</anim></entity>"));
    open_scene(&s);
    assert_int_equal(rows_of(&s, "entities"), 2);
    assert_true(skipped(&s));
    assert_true(text_is(&s, "entities", 0, "rig", "armature"));
    assert_true(text_is(&s, "entities", 1, "rig", "armature"));
    assert_true(text_is(&s, "entities", 0, "name", "a"));
    close_scene(&s);
}

static void mcreplay_5__damaged_entities_are_skipped(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "<entity>",
        "<entity><anim>;</anim></entity>",
        "<thing><model/></thing>",
        "<entity><model/><model/></entity>",
        "<entity><model/><anim fps='0'>;</anim></entity>",
        "<entity><model/><anim fps='-1'>;</anim></entity>",
        "<entity><model/><anim fps='NaN'>;</anim></entity>",
        "<entity><model/><anim fps='x'>;</anim></entity>",
        "<entity><model/><anim start-time='Infinity'>;</anim></entity>",
        "<entity><model><override_channel name='c' type='matrix'/></model></entity>",
        "<entity><model><bone pos='1,2'/></model></entity>",
        "<entity><model><mesh>v 1 2</mesh></model></entity>",
        "<entity><model><mesh>f 1 2 3</mesh></model></entity>",
        "<!DOCTYPE e [<!ENTITY a 'aaaa'>]><entity><model/><anim>;</anim></entity>",
        "<entity><model/><anim>&undefined;</anim></entity>",
        "<entity a='1', b='2'><model/></entity>",
        "",
    };
    for (size_t i = 0; i < RP_COUNT(broken); i++) {
        scene s = {.count = 0};
        add(&s, "meta.json", bytes_of(META));
        add(&s, "entities/bad.xml", bytes_of(broken[i]))->method = 0;
        add(&s, "entities/good.xml", bytes_of(SCENE("1 0 0 0 5 0 0;")));
        open_scene(&s);
        if (!skipped(&s))
            fail_msg("'%s' was read", broken[i]);
        assert_true(text_is(&s, "entities", (size_t)rows_of(&s, "entities") - 1, "file",
                            "entities/good.xml"));
        assert_int_equal(s.summary.faults, 0);
        close_scene(&s);
    }
}

static void mcreplay_5__parts_too_deep_are_refused(void **state)
{
    (void)state;
    char xml[4096] = HEAD;
    for (int i = 0; i < 100; i++)
        strncat(xml, "<part name='p'>", sizeof xml - strlen(xml) - 1);
    scene s = one_entity(xml);
    assert_true(skipped(&s));
    close_scene(&s);
}

static void mcreplay_12__channels_come_after_parts(void **state)
{
    (void)state;
    scene s = one_entity("<entity><model rig-type='multipart'>"
                         "<override_channel name='t' type='vector'/><part name='a'/>"
                         "<override_channel name='s' type='scalar'/></model>"
                         "<anim>;1 0 0 0 3 0 0;0.5, 0.25, 1.0;7;\n;;1 2;;\n;;4 5 6 7;8 9;"
                         "</anim></entity>");
    assert_true(number_at(&s, "parts", 0, "pos_x") == 3);
    assert_true(number_at(&s, "overrides", 0, "y") == 0.25);
    assert_true(number_at(&s, "overrides", 1, "x") == 7);
    assert_true(number_at(&s, "overrides", 2, "x") == 0.5);
    assert_true(number_at(&s, "overrides", 3, "x") == 7);
    assert_true(number_at(&s, "overrides", 4, "z") == 6);
    assert_true(number_at(&s, "overrides", 5, "x") == 8);
    assert_non_null(finding(&s, "mcreplay.short-override"));
    close_scene(&s);
}

/* ---- animations ---- */

static void mcreplay_6__complete_groups_are_used(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "9 9 9",           "1 0 0 0 5",         "1 0 0 0 5 6",
        "1 0 0 0 5 6 7 8", "1 0 0 0 5 6 7 8 9", "1 0 0 0 5 6 7 8 9 10 1 99"};
    static const double pos[] = {0, 0, 0, 5, 5, 5}, scale[] = {1, 1, 1, 1, 1, 8};
    for (size_t i = 0; i < RP_COUNT(odd); i++) {
        char xml[512];
        snprintf(xml, sizeof xml, SCENE(";%s;"), odd[i]);
        scene s = one_entity(xml);
        assert_non_null(finding(&s, "mcreplay.entry-size"));
        assert_true(number_at(&s, "parts", 0, "pos_x") == pos[i]);
        assert_true(number_at(&s, "parts", 0, "scale_x") == scale[i]);
        close_scene(&s);
    }
}

static void mcreplay_7__omitted_groups_are_held(void **state)
{
    (void)state;
    static const double expected[][3] = {{1, 2, 0}, {1, 2, 0}, {1, 2, 3}, {1, 2, 3}, {4, 2, 3}};
    expect_x(SCENE("1 0 0 0 1 0 0;1 0 0 0 2 0 0;\n ; ;\n;;1 0 0 0 3 0 0;\n\n0 1 0 0 4 0 0"),
             expected, 5);
}

static void mcreplay_8__blank_first_and_last_line_are_layout(void **state)
{
    (void)state;
    static const double one[][3] = {{1, 0, 0}};
    static const double two[][3] = {{1, 0, 0}, {1, 0, 0}};
    static const double held[][3] = {{0, 0, 0}};
    expect_x(SCENE("\n   1 0 0 0 1 0 0;\n   "), one, 1);
    expect_x(SCENE("1 0 0 0 1 0 0;\n"), one, 1);
    expect_x(SCENE("1 0 0 0 1 0 0;\n\n"), two, 2);
    expect_x(SCENE(""), NULL, 0);
    expect_x(SCENE("  "), NULL, 0);
    expect_x(SCENE("\n"), NULL, 0);
    expect_x(SCENE("\n\n"), held, 1);
    expect_x(SCENE(";"), held, 1);
}

static void mcreplay_9__every_line_end_ends_a_frame_once(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n",    "\r\n",       "\r",   "&#13;\r\n",
                                       "&#13;", "&#xD;&#10;", "&#10;"};
    static const double expected[][3] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    for (size_t i = 0; i < RP_COUNT(ends); i++) {
        char xml[512];
        snprintf(xml, sizeof xml, SCENE("1 0 0 0 1 0 0;%s1 0 0 0 2 0 0;%s1 0 0 0 3 0 0;"), ends[i],
                 ends[i]);
        expect_x(xml, expected, 3);
    }
}

static void mcreplay_10__commas_tabs_and_spaces_separate(void **state)
{
    (void)state;
    static const double expected[][3] = {{1, 2, 3}, {1.5, 0.5, 2}};
    expect_x(SCENE("1, 0,0\t0  1 ,, 0 0 ;\t1 0 0 0 2 0 0; 1 0 0 0 3 0 0\n"
                   "<!-- note --><![CDATA[1 0 0 0 1.5 0 0;]]>1 0 0 0 .5 0 0;1 0 0 0 2. 0 0;"),
             expected, 2);
}

static void mcreplay_11__visibility_is_each_parts_own(void **state)
{
    (void)state;
    scene s = one_entity(SCENE("1 0 0 0 0 0 0 1 1 1 0;1 0 0 0 0 0 0 1 1 1 0;\n;;\n"
                               ";1 0 0 0 0 0 0 1 1 1 2;"));
    static const double shown[] = {0, 1, 0, 1, 1, 1};
    for (size_t i = 0; i < RP_COUNT(shown); i++)
        assert_true(number_at(&s, "parts", i, "visible") == shown[i]);
    close_scene(&s);
    s = one_entity("<entity><model><bone/></model><anim>;1 0 0 0 0 0 0 1 1 1 0;</anim></entity>");
    assert_true(number_at(&s, "parts", 0, "visible") == 1);
    close_scene(&s);
}

static void mcreplay_14__numbers_are_the_nearest(void **state)
{
    (void)state;
    scene s = one_entity(SCENE("1 0 0 0 4.9E-324 -0.0 1.0E7;1 0 0 0 0.1 1.7976931348623157E308 0;\n"
                               "1 0 0 0 NaN 1 1;1 0 0 0 1e999 1 1;\n1 0 0 0 -Infinity 1 1;"));
    assert_true(number_at(&s, "frames", 0, "pos_x") == 4.9E-324);
    assert_true(number_at(&s, "frames", 0, "pos_y") == 0 &&
                signbit(number_at(&s, "frames", 0, "pos_y")));
    assert_true(number_at(&s, "frames", 0, "pos_z") == 1.0E7);
    assert_true(number_at(&s, "parts", 0, "pos_y") == 1.7976931348623157E308);
    assert_true(number_at(&s, "frames", 1, "pos_x") == 4.9E-324);
    assert_true(number_at(&s, "parts", 2, "pos_x") == 0.1);
    assert_int_equal(
        reprise_value_int(reprise_value_get(finding(&s, "mcreplay.not-finite"), "count"), 0), 3);
    close_scene(&s);
}

static void mcreplay_14__words_skip_the_entity_and_name_the_place(void **state)
{
    (void)state;
    scene s = one_entity(SCENE("1 0 0 0;\n;1 0 zero 0;"));
    const reprise_value *one = finding(&s, "mcreplay.entity");
    assert_non_null(one);
    assert_string_equal(reprise_value_text(reprise_value_get(one, "path"), NULL),
                        "frame 1 entry 1");
    close_scene(&s);
}

/* A text of many pieces: where they are split must not matter. */
static void mcreplay_14__pieces_of_the_document_do_not_show(void **state)
{
    (void)state;
    enum { FRAMES = 6000 };
    enum { ROOM = FRAMES * 96 + 512 };
    char *xml = malloc(ROOM);
    size_t used = (size_t)snprintf(xml, ROOM, HEAD "<part name='a'/></model><anim fps='10'>");
    for (int i = 0; i < FRAMES; i++)
        used += (size_t)snprintf(xml + used, ROOM - used,
                                 "%s1.0 0.0 0.0 0.0 %d.25 0.0 0.0;1 0 0 0 %d.5 0 0;",
                                 i ? i % 3 ? "\n" : "&#13;\r\n" : "", i, i);
    snprintf(xml + used, ROOM - used, "</anim></entity>");
    scene s = one_entity(xml);
    assert_false(skipped(&s));
    assert_int_equal(rows_of(&s, "frames"), FRAMES);
    size_t track = (size_t)reprise_track_find(s.replay, "parts");
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    assert_int_equal(reprise_rows_open(s.replay, &options, &rows, &s.error), REPRISE_OK);
    size_t column = column_of(s.replay, track, "pos_x");
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(reprise_rows_next(rows, &s.error), REPRISE_OK);
        assert_true(reprise_row_double(rows, column) == i + 0.5);
    }
    reprise_rows_close(rows);
    close_scene(&s);
    free(xml);
}

static void mcreplay_22__windows_1252_is_reported(void **state)
{
    (void)state;
    scene s = one_entity("<entity name='\xC9ric \x80'><model/><anim>;</anim></entity>");
    assert_non_null(finding(&s, "mcreplay.windows-1252"));
    assert_true(text_is(&s, "entities", 0, "name", "\xC3\x89ric \xE2\x82\xAC"));
    close_scene(&s);
}

/* Characters of several bytes wherever the document may be split. */
static void mcreplay_22__long_documents_of_utf8_stay_utf8(void **state)
{
    (void)state;
    enum { NOTES = 70000 };
    for (int shift = 0; shift < 4; shift++) {
        enum { ROOM = NOTES * 4 + 512 };
        char *xml = malloc(ROOM);
        size_t used = (size_t)snprintf(xml, ROOM, "<entity name='\xC3\xA9'><!--%.*s", shift,
                                       "----");
        memset(xml + used - shift, ' ', (size_t)shift);
        for (int i = 0; i < NOTES; i++)
            used += (size_t)snprintf(xml + used, ROOM - used, "\xF0\x9F\x98\x80");
        snprintf(xml + used, ROOM - used, "--><model/><anim>;</anim></entity>");
        scene s = one_entity(xml);
        assert_false(skipped(&s));
        assert_null(finding(&s, "mcreplay.windows-1252"));
        assert_true(text_is(&s, "entities", 0, "name", "\xC3\xA9"));
        close_scene(&s);
        free(xml);
    }
}

static void mcreplay_26__a_moment_equals_playing_up_to_it(void **state)
{
    (void)state;
    scene s = one_entity(HEAD PARTS "</model><anim fps='10' start-time='1'>1 0 0 0 1 0 0;\n"
                                    ";1 0 0 0 2 0 0;\n1 0 0 0 3 0 0;</anim></entity>");
    static const struct {
        double time, root;
        size_t frames;
    } moments[] = {{0.99, 0, 0}, {1, 1, 1}, {1.1, 1, 1}, {1.25, 3, 1}, {1.3, 0, 0}, {99, 0, 0}};
    for (size_t i = 0; i < RP_COUNT(moments); i++) {
        const reprise_value *at = NULL;
        reprise_moment moment = {.time = moments[i].time};
        assert_int_equal(reprise_at(s.replay, moment, &at, &s.error), REPRISE_OK);
        const reprise_value *frames = reprise_value_get(at, "frames");
        assert_int_equal(reprise_value_count(frames), moments[i].frames);
        assert_int_equal(reprise_value_count(reprise_value_get(at, "parts")),
                         2 * moments[i].frames);
        const reprise_value *x = reprise_value_get(reprise_value_at(frames, 0), "pos_x");
        assert_true(reprise_value_double(x, 0) == moments[i].root);
    }
    close_scene(&s);
}

/* Both interpretations of nested parts and of armatures, where they differ. */
static void mcreplay_13__both_spaces_are_given(void **state)
{
    (void)state;
    scene s = one_entity(SCENE("1 0 0 0 100 0 0;1 0 0 0 10 0 0;1 0 0 0 1 0 0;"));
    const reprise_value *at = NULL;
    assert_int_equal(reprise_at(s.replay, (reprise_moment){.time = 0}, &at, &s.error), REPRISE_OK);
    const reprise_value *part = reprise_value_at(reprise_value_get(at, "parts"), 1);
    static const struct {
        const char *column;
        double x;
    } matrices[] = {{"world_matrix", 111}, {"entity_matrix", 11}, {"other_matrix", 1}};
    for (size_t i = 0; i < RP_COUNT(matrices); i++) {
        const reprise_value *m = reprise_value_get(part, matrices[i].column);
        assert_true(reprise_value_double(reprise_value_at(m, 3), -1) == matrices[i].x);
    }
    close_scene(&s);
    /* Turned by 180 degrees about X at rest: the bone's own Y points down. */
    s = one_entity("<entity><model><bone pos='0,5,0' rot='0,1,0,0'/></model>"
                   "<anim>1 0 0 0;1 0 0 0 0 1 0;</anim></entity>");
    assert_int_equal(reprise_at(s.replay, (reprise_moment){.time = 0}, &at, &s.error), REPRISE_OK);
    part = reprise_value_at(reprise_value_get(at, "parts"), 0);
    const reprise_value *ours = reprise_value_get(part, "entity_matrix");
    const reprise_value *other = reprise_value_get(part, "other_matrix");
    assert_true(fabs(reprise_value_double(reprise_value_at(ours, 7), 0) - 4) < 1e-12);
    assert_true(fabs(reprise_value_double(reprise_value_at(other, 7), 0) - 6) < 1e-12);
    close_scene(&s);
}

/* ---- meshes ---- */

static void mcreplay_15__obj_forms(void **state)
{
    (void)state;
    scene s = one_entity("<entity><model><mesh># c\r\nv 0 0 0 9\nv 1 0 \\\n 0\nv 1 1 0\nvt 0.5\n"
                         "vn 0 0 1\ng  one   two \nusemtl a b\ns 1\nf 1 2 3\ns off\n"
                         "f -3/-1 -2/1 -1//\ng\nf 1//1 2//1 3//-1 1\no x\nl 1 2\n</mesh></model>"
                         "<anim>;</anim></entity>");
    assert_false(skipped(&s));
    assert_int_equal(rows_of(&s, "meshes"), 1);
    size_t track = (size_t)reprise_track_find(s.replay, "meshes");
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    assert_int_equal(reprise_rows_open(s.replay, &options, &rows, &s.error), REPRISE_OK);
    assert_int_equal(reprise_rows_next(rows, &s.error), REPRISE_OK);
    const char *line = NULL;
    size_t size = 0;
    size_t columns[] = {column_of(s.replay, track, "polygons")};
    reprise_row_text_options format = {
        .struct_size = sizeof format, .columns = columns, .column_count = 1};
    assert_int_equal(reprise_row_format(rows, &format, &line, &size, &s.error), REPRISE_OK);
    const char expected[] =
        "{\"polygons\":["
        "{\"corners\":[{\"v\":0,\"vt\":-1,\"vn\":-1},{\"v\":1,\"vt\":-1,\"vn\":-1},"
        "{\"v\":2,\"vt\":-1,\"vn\":-1}],"
        "\"group\":\"one two\",\"material\":\"a b\",\"smoothing\":\"1\"},"
        "{\"corners\":[{\"v\":0,\"vt\":0,\"vn\":-1},{\"v\":1,\"vt\":0,\"vn\":-1},"
        "{\"v\":2,\"vt\":-1,\"vn\":-1}],"
        "\"group\":\"one two\",\"material\":\"a b\",\"smoothing\":null},"
        "{\"corners\":[{\"v\":0,\"vt\":-1,\"vn\":0},{\"v\":1,\"vt\":-1,\"vn\":0},"
        "{\"v\":2,\"vt\":-1,\"vn\":0},{\"v\":0,\"vt\":-1,\"vn\":-1}],"
        "\"group\":null,\"material\":\"a b\",\"smoothing\":null}]}\n";
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(line, expected, size);
    reprise_rows_close(rows);
    close_scene(&s);
}

static void mcreplay_15__wrong_places_are_refused(void **state)
{
    (void)state;
    static const char *const faces[] = {
        "f 0 1 2",   "f 1 2 4",    "f 1 2 -4", "f 1 2",
        "f 1/2 2 3", "f 1//1 2 3", "f a b c",  "f 1 2 99999999999999999999"};
    for (size_t i = 0; i < RP_COUNT(faces); i++) {
        char xml[256];
        snprintf(xml, sizeof xml,
                 "<entity><model><mesh>v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\n%s</mesh></model>"
                 "<anim>;</anim></entity>",
                 faces[i]);
        scene s = one_entity(xml);
        if (!skipped(&s))
            fail_msg("'%s' was read", faces[i]);
        close_scene(&s);
    }
}

static void mcreplay_2__a_damaged_world_leaves_the_entities(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "world.vcap", bytes_of("this is no archive"));
    add(&s, "entities/e.xml", bytes_of(SCENE("1 0 0 0 5 0 0;;;")));
    open_scene(&s);
    assert_non_null(s.replay);
    assert_int_equal(s.summary.faults, 1);
    assert_true(number_at(&s, "frames", 0, "pos_x") == 5);
    reprise_rows_options blocks = REPRISE_ROWS_INIT;
    blocks.tracks = UINT64_C(1) << reprise_track_find(s.replay, "blocks");
    reprise_rows *rows = NULL;
    assert_int_equal(reprise_rows_open(s.replay, &blocks, &rows, &s.error), REPRISE_OK);
    assert_true(reprise_rows_next(rows, &s.error) >= REPRISE_E_IO);
    assert_int_equal(s.error.advice, REPRISE_HINT_PARTS);
    reprise_rows_close(rows);
    close_scene(&s);
}

/* ---- looks ---- */

static void mcreplay_21__materials(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "mat/a/b.json",
        bytes_of("{\"color\":[1,0.5,0],\"roughness\":0.25,\"emission\":\"t\",\"blend_mode\":"
                 "\"CLIP\",\"color2_blend_mode\":\"Soft_Light\",\"future\":{\"x\":1},"
                 "\"overrides\":{\"color2\":\"$OTHER\"}}"));
    add(&s, "mat/old.json",
        bytes_of("{\"transparent\":true,\"useVertexColors\":true,"
                 "\"normal\":null,\"color\":{}}"));
    add(&s, "mat/mode.json", bytes_of("{\"blend_mode\":\"psychedelic\"}"));
    add(&s, "tex/t.json", bytes_of("{\"framerate\":5,\"frame_count\":2}"));
    add(&s, "tex/t_spritesheet.png", bytes_of("not a png"));
    add(&s, "entities/e.xml", bytes_of(SCENE("")));
    open_scene(&s);
    assert_non_null(s.replay);
    assert_int_equal(rows_of(&s, "materials"), 3);
    assert_int_equal(rows_of(&s, "textures"), 1);
    assert_true(text_is(&s, "materials", 0, "id", "a/b"));
    assert_true(text_is(&s, "materials", 0, "blend_mode", "clip"));
    assert_true(text_is(&s, "materials", 0, "color2_blend_mode", "soft_light"));
    assert_true(text_is(&s, "materials", 1, "blend_mode", "hashed"));
    assert_true(text_is(&s, "materials", 2, "blend_mode", "opaque"));
    assert_true(number_at(&s, "textures", 0, "framerate") == 5);
    const reprise_value *info = NULL;
    assert_int_equal(reprise_info(s.replay, &info, &s.error), REPRISE_OK);
    assert_int_equal(reprise_value_int(reprise_value_get(info, "textures"), -1), 1);
    static const char *const ids[] = {"mcreplay.override-reserved", "mcreplay.material-value",
                                      "mcreplay.material-mode", "mcreplay.texture-png"};
    for (size_t i = 0; i < RP_COUNT(ids); i++)
        assert_non_null(finding(&s, ids[i]));
    assert_int_equal(s.summary.faults, 0);
    close_scene(&s);
}

/* The add-on loads no scene without a world, and no armature with an empty mesh element. */
static void mcreplay_24__what_is_missing_is_written_empty(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/e.xml",
        bytes_of("<entity name=\"e\"><model><bone name=\"b\"/><mesh/></model>"
                 "<anim>1 0 0 0;1 0 0 0;</anim></entity>"));
    open_scene(&s);
    assert_non_null(finding(&s, "mcreplay.no-world"));
    assert_int_equal(rows_of(&s, "meshes"), 1);
    bytes file = {0};
    reprise_sink sink = {.ctx = &file, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    assert_int_equal(reprise_convert(s.replay, &options, &report, &error), REPRISE_OK);
    scene written = {.count = 0};
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &written.replay, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_verify(written.replay, NULL, NULL, &written.summary, &error),
                     REPRISE_OK);
    assert_null(finding(&written, "mcreplay.no-world"));
    assert_int_equal(rows_of(&written, "meshes"), 2); /* of the armature, and of no block */
    assert_int_equal(rows_of(&written, "world_frames"), 0);
    reprise_close(written.replay);
    bytes_free(&file);
    close_scene(&s);
}

/*
 * Kept colours are used instead of the textures that represent them, unless the texture was changed
 * since.
 */
/*
 * An entity without an animation is always visible, one with an empty animation never: a cut
 * removes no frame of either.
 */
static void mcreplay_25__entities_without_frames_are_kept(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/a.xml", bytes_of(SCENE("1 0 0 0 5 0 0;;;\n;;;")));
    add(&s, "entities/b.xml", bytes_of(HEAD PARTS "</model></entity>"));
    add(&s, "entities/c.xml",
        bytes_of(HEAD PARTS "</model><anim fps='10' start-time='5'></anim></entity>"));
    open_scene(&s);
    assert_non_null(finding(&s, "mcreplay.no-anim"));
    bytes file = {.data = s.file.data, .size = s.file.size};
    bytes made[] = {changed(&file, (change){.convert = "0.3.0"}),
                    changed(&file, (change){.trim = true, .from = 0, .to = 1})};
    for (size_t i = 0; i < RP_COUNT(made); i++) {
        scene again = {.replay = open_bytes(&made[i], false)};
        assert_int_equal(reprise_verify(again.replay, NULL, NULL, &again.summary, &again.error),
                         REPRISE_OK);
        assert_int_equal(rows_of(&again, "entities"), 3);
        assert_true(number_at(&again, "entities", 2, "start_time") == 5);
        close_scene(&again);
        bytes_free(&made[i]);
    }
    close_scene(&s);
}

static void mcreplay_25__kept_colours_are_read_again(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "mat/a.json",
        bytes_of("{\"color\":\"reprise/rgb_1a334d\",\"color2\":\"reprise/rgb_ff8040\","
                 "\"reprise\":{\"color\":[0.1,0.2,0.3],\"color2\":[0,0,0]}}"));
    add(&s, "tex/reprise/rgb_1a334d.png", bytes_of("not a png"));
    add(&s, "tex/reprise/rgb_ff8040.png", bytes_of("not a png"));
    add(&s, "entities/e.xml", bytes_of(SCENE("")));
    open_scene(&s);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(s.replay, "materials");
    reprise_row_text_options format = {.struct_size = sizeof format};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows *rows = NULL;
    const char *text = NULL;
    size_t size = 0;
    assert_int_equal(reprise_rows_open(s.replay, &options, &rows, &error), REPRISE_OK);
    assert_int_equal(reprise_rows_next(rows, &error), REPRISE_OK);
    assert_int_equal(reprise_row_format(rows, &format, &text, &size, &error), REPRISE_OK);
    char row[2048];
    assert_in_range(size, 1, sizeof row - 1);
    memcpy(row, text, size); /* the given text is not terminated */
    row[size] = 0;
    assert_non_null(strstr(row, "\"color\":{\"texture\":null,\"x\":0.1,\"y\":0.2,\"z\":0.3,"));
    assert_non_null(strstr(row, "\"color2\":{\"texture\":\"reprise/rgb_ff8040\","));
    reprise_rows_close(rows);
    close_scene(&s);
}

/* Members are limited by kind, and every limit is an option. */
static void mcreplay_23__limits_of_members_are_options(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "mat/a.json", bytes_of("{\"tags\":[\"0123456789\"]}"));
    archive a = {.items = s.items, .count = s.count};
    s.file = make_archive(&a);
    static const struct {
        const char *name;
        uint64_t value;
        reprise_status opened;
        int faults;
    } cases[] = {{"text_bytes", 20, REPRISE_E_LIMIT, 0},
                 {"material_bytes", 10, REPRISE_OK, 1},
                 {"material_bytes", 100, REPRISE_OK, 0}};
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        TEST_OPTIONS(options);
        options_limit(options, cases[i].name, cases[i].value);
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_verify_summary summary = {0};
        assert_int_equal(reprise_open_memory(s.file.data, s.file.size, options, &replay, &error),
                         cases[i].opened);
        if (replay)
            assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
        assert_int_equal(summary.faults, cases[i].faults);
        reprise_close(replay);
    }
    free(s.file.data);
}

static void mcreplay_21__broken_material_is_a_fault(void **state)
{
    (void)state;
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "mat/a.json", bytes_of("{\"color\":"));
    add(&s, "entities/e.xml", bytes_of(SCENE("")));
    open_scene(&s);
    assert_int_equal(s.summary.faults, 1);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mcreplay_1__descriptors_stored_deflated_and_zip64),
        cmocka_unit_test(mcreplay_1__recordings_of_packets_are_not_mistaken),
        cmocka_unit_test(mcreplay_1__last_of_equal_names_counts),
        cmocka_unit_test(mcreplay_1__encrypted_entities_are_reported),
        cmocka_unit_test(mcreplay_1__names_outside_the_archive_refuse_the_file),
        cmocka_unit_test(mcreplay_2__a_damaged_world_leaves_the_entities),
        cmocka_unit_test(mcreplay_3__offset_origin_and_neither),
        cmocka_unit_test(mcreplay_3__offset_that_is_no_place_refuses),
        cmocka_unit_test(mcreplay_4__parts_are_numbered_depth_first),
        cmocka_unit_test(mcreplay_4__model_after_the_animation),
        cmocka_unit_test(mcreplay_5__rig_types),
        cmocka_unit_test(mcreplay_5__damaged_entities_are_skipped),
        cmocka_unit_test(mcreplay_5__parts_too_deep_are_refused),
        cmocka_unit_test(mcreplay_6__complete_groups_are_used),
        cmocka_unit_test(mcreplay_7__omitted_groups_are_held),
        cmocka_unit_test(mcreplay_8__blank_first_and_last_line_are_layout),
        cmocka_unit_test(mcreplay_9__every_line_end_ends_a_frame_once),
        cmocka_unit_test(mcreplay_10__commas_tabs_and_spaces_separate),
        cmocka_unit_test(mcreplay_11__visibility_is_each_parts_own),
        cmocka_unit_test(mcreplay_12__channels_come_after_parts),
        cmocka_unit_test(mcreplay_13__both_spaces_are_given),
        cmocka_unit_test(mcreplay_14__numbers_are_the_nearest),
        cmocka_unit_test(mcreplay_14__words_skip_the_entity_and_name_the_place),
        cmocka_unit_test(mcreplay_14__pieces_of_the_document_do_not_show),
        cmocka_unit_test(mcreplay_15__obj_forms),
        cmocka_unit_test(mcreplay_15__wrong_places_are_refused),
        cmocka_unit_test(mcreplay_21__materials),
        cmocka_unit_test(mcreplay_21__broken_material_is_a_fault),
        cmocka_unit_test(mcreplay_23__limits_of_members_are_options),
        cmocka_unit_test(mcreplay_24__what_is_missing_is_written_empty),
        cmocka_unit_test(mcreplay_25__entities_without_frames_are_kept),
        cmocka_unit_test(mcreplay_25__kept_colours_are_read_again),
        cmocka_unit_test(mcreplay_22__windows_1252_is_reported),
        cmocka_unit_test(mcreplay_22__long_documents_of_utf8_stay_utf8),
        cmocka_unit_test(mcreplay_26__a_moment_equals_playing_up_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
