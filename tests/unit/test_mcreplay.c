/*
 * test_mcreplay.c - scenes and worlds made here piece by piece: what no sample shows, and every
 * item of the conformance checklist, whose numbers are in the names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "exercise.h"
#include "nbt.h"
#include "zip_builder.h"

#define META        "{\"version\":\"0.3.0\",\"encoder\":\"test\",\"offset\":[1,2,3]}"
#define HEAD        "<entity name='n' class='c'><model rig-type='multipart'>"
#define PARTS       "<part name='a'><part name='b'/></part>"
#define SCENE(anim) HEAD PARTS "</model><anim fps='10'>" anim "</anim></entity>"

enum { ITEMS_MAX = 16 };

/* ---- making files ---- */

typedef struct scene {
    item items[ITEMS_MAX];
    size_t count;
    blob file;
    reprise_replay *replay;
    reprise_error error;
    reprise_verify_summary summary;
} scene;

static blob bytes_of(const char *words)
{
    return (blob){(uint8_t *)(uintptr_t)words, strlen(words)};
}

static item *add(scene *s, const char *name, blob content)
{
    assert_true(s->count < ITEMS_MAX);
    s->items[s->count] = (item){.name = name, .content = content, .method = 8};
    return &s->items[s->count++];
}

static void open_scene(scene *s)
{
    archive a = {.items = s->items, .count = s->count};
    s->file = make_archive(&a);
    s->error = (reprise_error)REPRISE_ERROR_INIT;
    (void)!reprise_open_memory(s->file.data, s->file.size, NULL, &s->replay, &s->error);
    if (s->replay)
        assert_int_equal(reprise_verify(s->replay, NULL, NULL, &s->summary, &s->error), REPRISE_OK);
}

static void close_scene(scene *s)
{
    reprise_close(s->replay);
    free(s->file.data);
}

/* A scene of one entity. */
static scene one_entity(const char *xml)
{
    scene s = {.count = 0};
    add(&s, "meta.json", bytes_of(META));
    add(&s, "entities/e.xml", bytes_of(xml));
    open_scene(&s);
    assert_non_null(s.replay);
    return s;
}

static const reprise_value *finding(const scene *s, const char *id)
{
    const reprise_value *findings = reprise_value_get(s->summary.document, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_at(findings, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "id"), NULL), id) == 0)
            return one;
    }
    return NULL;
}

static int64_t rows_of(const scene *s, const char *track)
{
    return reprise_value_int(
        reprise_value_get(reprise_value_get(s->summary.document, "rows"), track), -1);
}

static bool skipped(const scene *s)
{
    return finding(s, "mcreplay.entity") != NULL;
}

/* ---- looking at rows ---- */

static size_t column_of(const reprise_replay *replay, size_t track, const char *name)
{
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        if (strcmp(reprise_column_at(replay, track, i)->name, name) == 0)
            return i;
    }
    fail_msg("no column %s", name);
    return 0;
}

/* A number of the nth row of a track, every part in every frame; NAN past the last. */
static double number_at(const scene *s, const char *track_name, size_t row, const char *column)
{
    size_t track = (size_t)reprise_track_find(s->replay, track_name);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    options.every_frame = true;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_rows_open(s->replay, &options, &rows, &error), REPRISE_OK);
    double found = NAN;
    size_t number = column_of(s->replay, track, column);
    for (size_t i = 0; reprise_rows_next(rows, &error) == REPRISE_OK; i++) {
        if (i == row)
            found = reprise_row_double(rows, number);
    }
    reprise_rows_close(rows);
    return found;
}

static bool text_is(const scene *s, const char *track_name, size_t row, const char *column,
                    const char *expected)
{
    size_t track = (size_t)reprise_track_find(s->replay, track_name);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_rows_open(s->replay, &options, &rows, &error), REPRISE_OK);
    bool same = false;
    size_t number = column_of(s->replay, track, column);
    for (size_t i = 0; reprise_rows_next(rows, &error) == REPRISE_OK; i++) {
        size_t size = 0;
        const char *words = reprise_row_text(rows, number, &size);
        if (i == row)
            same = words && size == strlen(expected) && memcmp(words, expected, size) == 0;
    }
    reprise_rows_close(rows);
    return same;
}

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

static void mcreplay_1__encrypted_entity_is_told(void **state)
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

static void mcreplay_1__names_that_climb_refuse_the_file(void **state)
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

static void mcreplay_4__model_behind_the_animation(void **state)
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

static void mcreplay_5__broken_entities_are_left_out(void **state)
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

/* A text of many pieces: whatever is cut between two of them must not show. */
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

static void mcreplay_22__windows_1252_is_told(void **state)
{
    (void)state;
    scene s = one_entity("<entity name='\xC9ric \x80'><model/><anim>;</anim></entity>");
    assert_non_null(finding(&s, "mcreplay.windows-1252"));
    assert_true(text_is(&s, "entities", 0, "name", "\xC3\x89ric \xE2\x82\xAC"));
    close_scene(&s);
}

/* Characters of several bytes wherever pieces of the document may be cut. */
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

/* Both readings of nested parts and of armatures, where they differ. */
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

/* ---- the world ---- */

typedef struct nbt_maker {
    rp_context context;
    reprise_error error;
    rp_writer w;
} nbt_maker;

static void nbt_init(nbt_maker *m)
{
    reprise_options options;
    reprise_options_init(&options);
    rp_context_init(&m->context, &options);
    m->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_writer_init(&m->w, &m->context, SIZE_MAX / 2, &m->error);
    rp_nbt_put_head(&m->w, RP_NBT_COMPOUND, "");
}

static void put_names(rp_writer *w, const char *key, const char *const *names, size_t count)
{
    rp_nbt_put_head(w, RP_NBT_LIST, key);
    rp_nbt_put_list(w, RP_NBT_STRING, count);
    for (size_t i = 0; i < count; i++)
        rp_nbt_put_string(w, names[i], strlen(names[i]));
}

static void put_moment(rp_writer *w, uint8_t type, double time)
{
    rp_nbt_put_head(w, RP_NBT_DOUBLE, "time");
    rp_nbt_put_f64(w, time);
    rp_nbt_put_head(w, RP_NBT_BYTE, "type");
    rp_put_u8(w, type);
}

/* A whole frame of one section filled with one model, or with `state` in its first block. */
static void put_whole(rp_writer *w, double time, const char *model, int32_t state, bool wide)
{
    rp_nbt_put_head(w, RP_NBT_LIST, "sections");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(w, wide ? RP_NBT_INT_ARRAY : RP_NBT_BYTE_ARRAY, "blocks");
    rp_nbt_put_i32(w, 4096);
    for (int i = 0; i < 4096; i++) {
        if (wide)
            rp_nbt_put_i32(w, i == 0 ? state : 0);
        else
            rp_put_u8(w, (uint8_t)(i == 0 ? state : 0));
    }
    static const char axes[3][2] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        rp_nbt_put_head(w, RP_NBT_INT, axes[i]);
        rp_nbt_put_i32(w, -1);
    }
    put_names(w, "palette", &model, 1);
    rp_put_u8(w, 0);
    put_moment(w, 0, time);
    rp_put_u8(w, 0);
}

static void put_change(rp_writer *w, double time, const char *model, int32_t state)
{
    put_moment(w, 1, time);
    rp_nbt_put_head(w, RP_NBT_LIST, "blocks");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(w, RP_NBT_INT, "state");
    rp_nbt_put_i32(w, state);
    rp_nbt_put_head(w, RP_NBT_LIST, "pos");
    rp_nbt_put_list(w, RP_NBT_INT, 3);
    for (int i = 0; i < 3; i++)
        rp_nbt_put_i32(w, i);
    rp_put_u8(w, 0);
    put_names(w, "palette", &model, 1);
    rp_put_u8(w, 0);
}

static void put_frames(rp_writer *w, size_t count)
{
    rp_nbt_put_head(w, RP_NBT_LIST, "frames");
    rp_nbt_put_list(w, RP_NBT_COMPOUND, count);
}

static scene one_world(nbt_maker *m)
{
    rp_put_u8(&m->w, 0);
    scene s = {.count = 0};
    add(&s, "world.dat", (blob){m->w.data, m->w.size});
    add(&s, "mesh/stone.obj", bytes_of("v 0 0 0\n"));
    add(&s, "meta.json", bytes_of("{\"version\":\"0.3.0\"}"));
    open_scene(&s);
    assert_non_null(s.replay);
    return s;
}

static void mcreplay_16__any_key_order_and_unknown_tags(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    static const uint8_t sizes[] = {0, 1, 2, 4, 8, 4, 8};
    for (rp_nbt_id id = RP_NBT_BYTE; id <= RP_NBT_DOUBLE; id++) {
        rp_nbt_put_head(&m.w, id, "unknown");
        for (uint8_t i = 0; i < sizes[id]; i++)
            rp_put_u8(&m.w, i);
    }
    rp_nbt_put_head(&m.w, RP_NBT_LONG_ARRAY, "longs");
    rp_nbt_put_i32(&m.w, 1);
    rp_nbt_put_f64(&m.w, 1);
    rp_nbt_put_head(&m.w, RP_NBT_LIST, "lists");
    rp_nbt_put_list(&m.w, RP_NBT_LIST, 2);
    rp_nbt_put_list(&m.w, RP_NBT_END, 0);
    rp_nbt_put_list(&m.w, RP_NBT_COMPOUND, 1);
    rp_nbt_put_head(&m.w, RP_NBT_STRING, "inner");
    rp_nbt_put_string(&m.w, "text", 4);
    rp_put_u8(&m.w, 0);
    put_frames(&m.w, 1);
    put_whole(&m.w, 0, "stone", 0, true);
    scene s = one_world(&m);
    assert_int_equal(s.summary.faults, 0);
    assert_int_equal(rows_of(&s, "blocks"), 4096);
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_16__lying_lengths_and_depth_fail(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 6; way++) {
        nbt_maker m;
        nbt_init(&m);
        switch (way) {
        case 0:
            rp_nbt_put_head(&m.w, RP_NBT_INT_ARRAY, "a");
            rp_nbt_put_i32(&m.w, INT32_MAX);
            break;
        case 1:
            rp_nbt_put_head(&m.w, RP_NBT_BYTE_ARRAY, "a");
            rp_nbt_put_i32(&m.w, -1);
            break;
        case 2:
            rp_nbt_put_head(&m.w, RP_NBT_LIST, "a");
            rp_put_u8(&m.w, RP_NBT_END);
            rp_nbt_put_i32(&m.w, 5);
            break;
        case 3:
            rp_put_u8(&m.w, 13);
            rp_nbt_put_string(&m.w, "a", 1);
            break;
        case 4:
            for (int i = 0; i < 2000; i++)
                rp_nbt_put_head(&m.w, RP_NBT_COMPOUND, "a");
            break;
        default:
            rp_nbt_put_head(&m.w, RP_NBT_LIST, "a");
            for (int i = 0; i < 2000; i++)
                rp_nbt_put_list(&m.w, RP_NBT_LIST, 1);
            break;
        }
        scene s = one_world(&m);
        assert_int_equal(s.summary.faults, 1);
        assert_int_equal(rows_of(&s, "blocks"), 0);
        close_scene(&s);
        rp_writer_free(&m.w);
    }
}

static void mcreplay_17__places_in_negative_sections(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 1);
    put_whole(&m.w, 0, "stone", 0, true);
    scene s = one_world(&m);
    size_t index = (3 * 16 + 2) * 16 + 1;
    assert_true(number_at(&s, "blocks", index, "x") == -15);
    assert_true(number_at(&s, "blocks", index, "y") == -13);
    assert_true(number_at(&s, "blocks", index, "z") == -14);
    assert_true(number_at(&s, "blocks", index, "red") == 255);
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_18__frames_out_of_order_are_sorted(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 3);
    put_change(&m.w, 2, "late", 0);
    put_whole(&m.w, 0, "stone", 0, true);
    put_change(&m.w, 1, "stone", 0);
    scene s = one_world(&m);
    assert_int_equal(s.summary.faults, 0);
    assert_non_null(finding(&s, "mcreplay.world-order"));
    assert_non_null(finding(&s, "mcreplay.model-missing"));
    assert_int_equal(rows_of(&s, "world_frames"), 3);
    assert_true(text_is(&s, "world_frames", 0, "type", "intracoded"));
    assert_true(text_is(&s, "blocks", 4097, "model", "late"));
    const reprise_value *at = NULL;
    assert_int_equal(reprise_at(s.replay, (reprise_moment){.time = 1.5}, &at, &s.error),
                     REPRISE_OK);
    const reprise_value *blocks = reprise_value_get(at, "blocks");
    assert_int_equal(reprise_value_count(blocks), 1);
    assert_string_equal(
        reprise_value_text(reprise_value_get(reprise_value_at(blocks, 0), "model"), NULL), "stone");
    close_scene(&s);
    rp_writer_free(&m.w);
}

static void mcreplay_20__states_in_bytes_and_ints(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        for (int32_t first = 0; first < 2; first++) {
            nbt_maker m;
            nbt_init(&m);
            put_frames(&m.w, 1);
            put_whole(&m.w, 0, "stone", first, wide);
            scene s = one_world(&m);
            assert_int_equal(s.summary.faults, first);
            assert_int_equal(rows_of(&s, "blocks"), first ? 0 : 4096);
            close_scene(&s);
            rp_writer_free(&m.w);
        }
    }
}

static void mcreplay_16__gzip_around_the_world(void **state)
{
    (void)state;
    nbt_maker m;
    nbt_init(&m);
    put_frames(&m.w, 1);
    put_whole(&m.w, 0, "stone", 0, true);
    rp_put_u8(&m.w, 0);
    blob packed = pack_gzip((blob){m.w.data, m.w.size});
    scene s = {.count = 0};
    add(&s, "world.dat", packed);
    open_scene(&s);
    assert_non_null(s.replay);
    assert_string_equal(reprise_layout(s.replay), "vcap");
    assert_non_null(finding(&s, "mcreplay.world-gzip"));
    assert_non_null(finding(&s, "mcreplay.no-meta"));
    assert_int_equal(rows_of(&s, "blocks"), 4096);
    close_scene(&s);
    free(packed.data);
    rp_writer_free(&m.w);
}

static void mcreplay_2__a_broken_world_leaves_the_entities(void **state)
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
    static const char *const ids[] = {"mcreplay.override-reserved", "mcreplay.material-value",
                                      "mcreplay.material-mode", "mcreplay.texture-png"};
    for (size_t i = 0; i < RP_COUNT(ids); i++)
        assert_non_null(finding(&s, ids[i]));
    assert_int_equal(s.summary.faults, 0);
    close_scene(&s);
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
        cmocka_unit_test(mcreplay_1__last_of_equal_names_counts),
        cmocka_unit_test(mcreplay_1__encrypted_entity_is_told),
        cmocka_unit_test(mcreplay_1__names_that_climb_refuse_the_file),
        cmocka_unit_test(mcreplay_2__a_broken_world_leaves_the_entities),
        cmocka_unit_test(mcreplay_3__offset_origin_and_neither),
        cmocka_unit_test(mcreplay_3__offset_that_is_no_place_refuses),
        cmocka_unit_test(mcreplay_4__parts_are_numbered_depth_first),
        cmocka_unit_test(mcreplay_4__model_behind_the_animation),
        cmocka_unit_test(mcreplay_5__rig_types),
        cmocka_unit_test(mcreplay_5__broken_entities_are_left_out),
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
        cmocka_unit_test(mcreplay_16__any_key_order_and_unknown_tags),
        cmocka_unit_test(mcreplay_16__lying_lengths_and_depth_fail),
        cmocka_unit_test(mcreplay_16__gzip_around_the_world),
        cmocka_unit_test(mcreplay_17__places_in_negative_sections),
        cmocka_unit_test(mcreplay_18__frames_out_of_order_are_sorted),
        cmocka_unit_test(mcreplay_20__states_in_bytes_and_ints),
        cmocka_unit_test(mcreplay_21__materials),
        cmocka_unit_test(mcreplay_21__broken_material_is_a_fault),
        cmocka_unit_test(mcreplay_22__windows_1252_is_told),
        cmocka_unit_test(mcreplay_22__long_documents_of_utf8_stay_utf8),
        cmocka_unit_test(mcreplay_26__a_moment_equals_playing_up_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
