/*
 * test_writing.c - the laws of writing, over every sample: what was written reads back the same,
 * writing twice gives the same bytes, and so does writing our own files again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "samples.h"
#include "written.h"

/* Half a step of the 16 bits a packed rotation has, per component; the left out one adds up. */
#define PACKED_ROTATION 4e-5

static const char *const written_layouts[] = {"z6", "z5", "z4", "z4p", "l1"};
enum { WRITTEN_LAYOUTS = sizeof written_layouts / sizeof written_layouts[0] };

static bytes bytes_of(const sample *s)
{
    return (bytes){.data = s->data, .size = s->size};
}

static bool is_whole(const sample *s)
{
    return strstr(s->path, "/bad/") == NULL;
}

static const char *layout_of(const bytes *b, char *to, size_t size)
{
    reprise_replay *replay = open_bytes(b, false);
    snprintf(to, size, "%s", reprise_layout(replay));
    reprise_close(replay);
    return to;
}

/* Compares rows only: headers of different layouts differ. */
static void expect_same_rows(const sample *s, const char *what, const bytes *a, const bytes *b,
                             double rotation_tolerance)
{
    reprise_replay *left = open_bytes(a, false), *right = open_bytes(b, false);
    reprise_diff_options options = REPRISE_DIFF_INIT;
    options.rotation_tolerance = rotation_tolerance;
    bool equal = false;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_diff(left, right, &options, &equal, &report, &error), &error, s->path);
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        if (reprise_value_int(reprise_value_get(track, "differ"), 0) ||
            reprise_value_int(reprise_value_get(track, "only_a"), 0) ||
            reprise_value_int(reprise_value_get(track, "only_b"), 0))
            fail_msg("%s, %s: rows of %s differ", s->path, what, reprise_value_key(tracks, i));
    }
    reprise_close(left);
    reprise_close(right);
}

static void expect_same_content(const sample *s, const char *what, const bytes *a, const bytes *b)
{
    reprise_replay *left = open_bytes(a, false), *right = open_bytes(b, false);
    bool equal = false;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_diff(left, right, NULL, &equal, &report, &error), &error, s->path);
    if (!equal)
        fail_msg("%s, %s: the content differs", s->path, what);
    reprise_close(left);
    reprise_close(right);
}

/* read(write(x)) = x, in the layout the sample has. */
static void read_back(const sample *s)
{
    bytes original = bytes_of(s);
    if (!is_whole(s))
        return;
    char layout[16];
    layout_of(&original, layout, sizeof layout);
    for (size_t i = 0; i < WRITTEN_LAYOUTS; i++) {
        if (strcmp(layout, written_layouts[i]) != 0)
            continue;
        bytes again = changed(&original, (change){.convert = layout});
        expect_same_content(s, "written again", &original, &again);
        bytes_free(&again);
    }
}

static void writing__reads_back_the_same(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", read_back);
}

static void convert_to_z6(const sample *s)
{
    bytes original = bytes_of(s);
    char layout[16];
    if (!is_whole(s))
        return;
    layout_of(&original, layout, sizeof layout);
    /* Numbers of events mean other things in these two, and are changed. */
    if (strcmp(layout, "z3") == 0 || strcmp(layout, "z4p") == 0)
        return;
    bytes z6 = changed(&original, (change){.convert = "z6"});
    expect_same_rows(s, "as z6", &original, &z6, PACKED_ROTATION);
    bytes_free(&z6);
}

static void writing__z6_holds_every_row_of_older_layouts(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", convert_to_z6);
}

/* Twice the same bytes, and the same bytes when our own file is written again. */
static void write_twice(const sample *s)
{
    bytes original = bytes_of(s);
    if (!is_whole(s))
        return;
    for (size_t i = 0; i < WRITTEN_LAYOUTS; i++) {
        const char *layout = written_layouts[i];
        bytes first = changed(&original, (change){.convert = layout});
        bytes second = changed(&original, (change){.convert = layout});
        if (!same_bytes(&first, &second))
            fail_msg("%s: writing %s twice gives other bytes", s->path, layout);
        char read_as[16];
        layout_of(&first, read_as, sizeof read_as);
        bool told = strcmp(read_as, layout) == 0;
        bool empty = strstr(s->path, "z5_empty") != NULL; /* nothing in it tells them apart */
        if (!told && !empty)
            fail_msg("%s: written as %s, read as %s", s->path, layout, read_as);
        bytes third = changed(&first, (change){.convert = layout});
        if (told && !same_bytes(&first, &third))
            fail_msg("%s: our own %s file is not written again byte by byte", s->path, layout);
        bytes_free(&first);
        bytes_free(&second);
        bytes_free(&third);
    }
}

static void writing__is_deterministic_and_own_files_are_rewritten_identically(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", write_twice);
}

/* Checklist 17: what a legacy file holds comes back, rotations rounded. */
static void legacy_round_trip(const sample *s)
{
    bytes original = bytes_of(s);
    char layout[16];
    if (!is_whole(s) || strcmp(layout_of(&original, layout, sizeof layout), "l1") != 0)
        return;
    bytes z6 = changed(&original, (change){.convert = "z6"});
    bytes back = changed(&z6, (change){.convert = "l1"});
    expect_same_rows(s, "l1 - z6 - l1", &original, &back, PACKED_ROTATION);
    reprise_replay *a = open_bytes(&original, false), *b = open_bytes(&back, false);
    reprise_diff_options options = REPRISE_DIFF_INIT;
    options.rotation_tolerance = PACKED_ROTATION;
    bool equal = false;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_diff(a, b, &options, &equal, &report, &error), &error, s->path);
    assert_true(equal); /* the header, too */
    reprise_close(a);
    reprise_close(b);
    bytes_free(&z6);
    bytes_free(&back);
}

static void writing__legacy_values_survive_the_way_through_z6(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", legacy_round_trip);
}

static int64_t frame_count(const bytes *b)
{
    reprise_replay *replay = open_bytes(b, false);
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    int64_t frames = reprise_value_int(reprise_value_get(info, "frames"), -1);
    reprise_close(replay);
    return frames;
}

/* Rows of a range in every frame, as text. */
static bytes rows_of(const bytes *b, int64_t from, int64_t to, bool times)
{
    static const char *const tracks[] = {"players", "structures", "pedestals",
                                         "props",   "events",     "extensions"};
    bytes text = {0};
    reprise_replay *replay = open_bytes(b, false);
    for (size_t i = 0; i < sizeof tracks / sizeof tracks[0]; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_rows_options options = REPRISE_ROWS_INIT;
        int track = reprise_track_find(replay, tracks[i]);
        options.tracks = UINT64_C(1) << track;
        options.index_from = from;
        options.index_to = to;
        options.every_frame = true;
        reprise_rows *rows = NULL;
        expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
        /* The frame number moves with the cut, the time unless it is kept. */
        size_t columns[256], count = 0;
        for (size_t c = times ? 1 : 2; c < reprise_column_count(replay, (size_t)track); c++)
            columns[count++] = c;
        reprise_row_text_options style = {.struct_size = sizeof style,
                                          .style = REPRISE_ROW_JSON,
                                          .columns = columns,
                                          .column_count = count,
                                          .with_track = true};
        while (reprise_rows_next(rows, &error) == REPRISE_OK) {
            const char *line;
            size_t size;
            expect_ok(reprise_row_format(rows, &style, &line, &size, &error), &error, "row");
            bytes_write(&text, line, size);
        }
        reprise_rows_close(rows);
    }
    reprise_close(replay);
    return text;
}

/* trim(a..b) equals cat over a..b. */
static void trim_some(const sample *s)
{
    bytes original = bytes_of(s);
    if (!is_whole(s))
        return;
    int64_t frames = frame_count(&original);
    if (frames < 3)
        return;
    const int64_t ranges[][2] = {
        {0, frames - 1}, {0, 0}, {frames - 1, frames - 1}, {1, frames - 2}, {frames / 2, frames}};
    bytes base = changed(&original, (change){.convert = "z6"});
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        int64_t from = ranges[i][0], to = ranges[i][1];
        for (int keep = 0; keep < 2; keep++) {
            bytes cut = changed(&base,
                                (change){.trim = true, .keep_times = keep, .from = from, .to = to});
            bytes wanted = rows_of(&base, from, to, keep);
            bytes given = rows_of(&cut, INT64_MIN, INT64_MAX, keep);
            if (!same_bytes(&wanted, &given))
                fail_msg("%s: frames %lld to %lld are others when cut out", s->path,
                         (long long)from, (long long)to);
            bytes_free(&cut);
            bytes_free(&wanted);
            bytes_free(&given);
        }
    }
    bytes_free(&base);
}

static void writing__trimming_equals_reading_the_range(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", trim_some);
}

/* Any layout that is read, at two levels. */
static void recompress(const sample *s)
{
    bytes original = bytes_of(s);
    if (!is_whole(s))
        return;
    bytes fast = changed(&original, (change){.recompress = true, .level = 1});
    bytes dense = changed(&fast, (change){.recompress = true, .level = 9});
    bytes again = changed(&dense, (change){.recompress = true, .level = 1});
    expect_same_content(s, "recompressed", &original, &dense);
    if (!same_bytes(&fast, &again))
        fail_msg("%s: recompressing back gives other bytes", s->path);
    bytes_free(&fast);
    bytes_free(&dense);
    bytes_free(&again);
}

static void writing__recompressing_keeps_the_content_of_every_layout(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", recompress);
}

/* ---- merging ---- */

static bytes merged(const bytes *a, const bytes *b, const double *offsets)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_replay *replays[2] = {open_bytes(a, false), open_bytes(b, false)};
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_merge(replays, 2, offsets, &options, &report, &error), &error, "merge");
    reprise_close(replays[0]);
    reprise_close(replays[1]);
    return result;
}

/* Two halves, given in either order, are the whole. */
static void merge_halves(const sample *s)
{
    static const double together[] = {0, 0};
    bytes original = bytes_of(s);
    if (!is_whole(s) || frame_count(&original) < 4 || strstr(s->path, "z6_edge") ||
        strstr(s->path, "z4p_edge"))
        return; /* in the two, time runs backwards: they have no halves */
    bytes whole = changed(&original, (change){.convert = "z6"});
    int64_t frames = frame_count(&whole);
    bytes first = changed(&whole, (change){.trim = true, .keep_times = true, .to = frames / 2});
    bytes rest = changed(
        &whole, (change){.trim = true, .keep_times = true, .from = frames / 2 + 1, .to = frames});
    bytes one = merged(&first, &rest, together), other = merged(&rest, &first, together);
    expect_same_rows(s, "halves", &whole, &one, 0);
    expect_same_rows(s, "halves, the other way round", &whole, &other, 0);
    bytes_free(&whole);
    bytes_free(&first);
    bytes_free(&rest);
    bytes_free(&one);
    bytes_free(&other);
}

static void writing__halves_merge_into_the_whole(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", merge_halves);
}

/* Two recordings that overlap find their places by themselves. */
static void writing__overlapping_recordings_are_aligned_by_motion(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    bytes whole = bytes_of(&s);
    int64_t frames = frame_count(&whole);
    bytes first = changed(&whole, (change){.trim = true, .to = frames * 2 / 3});
    bytes rest = changed(&whole, (change){.trim = true, .from = frames / 3, .to = frames});
    bytes both = merged(&first, &rest, NULL);
    assert_int_equal(frame_count(&both), frames);
    reprise_replay *a = open_bytes(&whole, false), *b = open_bytes(&both, false);
    reprise_diff_options options = REPRISE_DIFF_INIT;
    options.float_tolerance = 1e-2; /* of times: the offset is found, not known */
    bool equal;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_diff(a, b, &options, &equal, &report, &error), &error, s.path);
    const reprise_value *players = reprise_value_get(reprise_value_get(report, "tracks"),
                                                     "players");
    assert_int_equal(reprise_value_int(reprise_value_get(players, "differ"), -1), 0);
    reprise_close(a);
    reprise_close(b);
    bytes_free(&first);
    bytes_free(&rest);
    bytes_free(&both);
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing__reads_back_the_same),
        cmocka_unit_test(writing__z6_holds_every_row_of_older_layouts),
        cmocka_unit_test(writing__is_deterministic_and_own_files_are_rewritten_identically),
        cmocka_unit_test(writing__legacy_values_survive_the_way_through_z6),
        cmocka_unit_test(writing__trimming_equals_reading_the_range),
        cmocka_unit_test(writing__recompressing_keeps_the_content_of_every_layout),
        cmocka_unit_test(writing__halves_merge_into_the_whole),
        cmocka_unit_test(writing__overlapping_recordings_are_aligned_by_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
