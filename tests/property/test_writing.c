/*
 * test_writing.c - the laws of writing, over every sample: what was written reads back the same,
 * writing twice gives the same bytes, and so does writing our own files again. Numbers in names are
 * those of the format's conformance checklist; 16, seeking, is in test_rumble.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws.h"
#include "reprise/write.h"
#include "samples.h"
#include "share.h"

static bytes bytes_of(const sample *s)
{
    return (bytes){.data = s->data, .size = s->size};
}

static bool is_whole(const sample *s)
{
    return strstr(s->path, "/bad/") == NULL;
}

static void read_back(const sample *s)
{
    bytes file = bytes_of(s);
    if (is_whole(s))
        law_reads_back(s->path, &file);
}

static void rumble_13__what_was_written_decodes_as_its_source(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", read_back);
}

static void convert_to_z6(const sample *s)
{
    bytes file = bytes_of(s);
    if (is_whole(s))
        law_fits_z6(s->path, &file);
}

static void writing__z6_holds_every_row_of_older_layouts(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", convert_to_z6);
}

static void write_twice(const sample *s)
{
    bytes file = bytes_of(s);
    bool empty = strstr(s->path, "z5_empty") != NULL; /* nothing in it tells layouts apart */
    for (size_t i = 0; is_whole(s) && i < WRITTEN_LAYOUTS; i++)
        law_writes_the_same(s->path, &file, written_layouts[i], !empty);
}

static void rumble_14__writing_is_deterministic_and_own_files_are_rewritten(void **state)
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
    expect_same_rows(s->path, "l1 - z6 - l1", &original, &back, PACKED_ROTATION);
    reprise_replay *left = open_bytes(&original, false);
    bool equal = false;
    (void)compared(left, &back, PACKED_ROTATION, &equal);
    assert_true(equal); /* the header, too */
    reprise_close(left);
    bytes_free(&z6);
    bytes_free(&back);
}

static void rumble_17__legacy_values_survive_the_way_through_z6(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", legacy_round_trip);
}

static void trim_some(const sample *s)
{
    bytes file = bytes_of(s);
    int64_t frames = is_whole(s) ? frame_count(&file) : 0;
    if (frames < 3)
        return;
    const int64_t ranges[][2] = {
        {0, frames - 1}, {0, 0}, {frames - 1, frames - 1}, {1, frames - 2}, {frames / 2, frames}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (case_runs(s->size + i, 2))
            law_trims(s->path, &file, ranges[i][0], ranges[i][1]);
    }
}

static void rumble_15__a_first_frame_holds_the_full_state_wherever_it_is_cut(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", trim_some);
}

static void recompress(const sample *s)
{
    bytes file = bytes_of(s);
    if (is_whole(s))
        law_recompresses(s->path, &file);
}

static void writing__recompressing_keeps_the_content_of_every_layout(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", recompress);
}

static void merge_halves(const sample *s)
{
    bytes file = bytes_of(s);
    bool backwards = strstr(s->path, "z6_edge") || strstr(s->path, "z4p_edge");
    if (is_whole(s) && !backwards && frame_count(&file) >= 4)
        law_merges(s->path, &file, frame_count(&file) / 2 + 1);
}

/* Parts that kept their times are put together by these, however short what they share. */
static void writing__parts_that_overlap_find_their_times(void **state)
{
    (void)state;
    static const char path[] = "tests/data/rumble/z6_match_like_1.2.4.replay";
    enum { SHARED = 9 };
    sample s = load_sample(path);
    bytes file = bytes_of(&s), whole = in_a_written_layout(&file);
    int64_t frames = frame_count(&whole), half = frames / 2;
    bytes first = changed(&whole, (change){.trim = true, .keep_times = true, .to = half});
    bytes rest = changed(
        &whole, (change){.trim = true, .keep_times = true, .from = half - SHARED, .to = frames});
    bytes made = merged(&first, &rest, NULL);
    expect_same_rows(path, "two parts", &whole, &made, 0);
    bytes_free(&whole);
    bytes_free(&first);
    bytes_free(&rest);
    bytes_free(&made);
    free(s.data);
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

/* When the second of two recordings begins on the timeline of the first, by its own account. */
static double found_offset(const bytes *a, const bytes *b)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_replay *replays[2] = {open_bytes(a, false), open_bytes(b, false)};
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_merge(replays, 2, NULL, &options, &report, &error), &error, "merge");
    const reprise_value *second = reprise_value_at(reprise_value_get(report, "recordings"), 1);
    double offset = reprise_value_double(reprise_value_get(second, "offset"), 1e9);
    reprise_close(replays[0]);
    reprise_close(replays[1]);
    bytes_free(&result);
    return offset;
}

/* The time of a frame. */
static double time_of(const bytes *file, int64_t frame)
{
    reprise_replay *replay = open_bytes(file, false);
    const reprise_value *state = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(
        reprise_at(replay, (reprise_moment){.by_index = true, .index = frame}, &state, &error),
        &error, "at");
    double time = reprise_value_double(reprise_value_get(state, "time"), -1e9);
    reprise_close(replay);
    return time;
}

/* Motion yields the known offset: that of the first frame after the cut. */
static void writing__known_offsets_are_found_by_motion(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    bytes whole = bytes_of(&s);
    int64_t frames = frame_count(&whole);
    for (int64_t part = 1; part <= 3; part++) {
        int64_t from = frames * part / 6;
        bytes first = changed(&whole, (change){.trim = true, .to = frames * 2 / 3});
        bytes rest = changed(&whole, (change){.trim = true, .from = from, .to = frames});
        double known = time_of(&whole, from) - time_of(&whole, 0);
        double given = found_offset(&first, &rest), back = found_offset(&rest, &first);
        if (given < known - 5e-3 || given > known + 5e-3 || back < -known - 5e-3 ||
            back > -known + 5e-3)
            fail_msg("the second begins after %g, found %g and %g", known, given, back);
        bytes_free(&first);
        bytes_free(&rest);
    }
    free(s.data);
}

/* ---- every family ---- */

static size_t recompressed, grown;

static bool is_told(const reprise_value *report)
{
    const reprise_value *notes = reprise_value_get(report, "notes");
    for (size_t i = 0; i < reprise_value_count(notes); i++) {
        const char *note = reprise_value_text(reprise_value_at(notes, i), NULL);
        if (note && strstr(note, "larger than the original"))
            return true;
    }
    return false;
}

static void recompress_without_level(const sample *s)
{
    bytes file = bytes_of(s), result = {0};
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    const reprise_value *report = NULL;
    if (!is_whole(s) || reprise_open_memory(file.data, file.size, NULL, &replay, &error))
        return;
    if (reprise_recompress(replay, &options, &report, &error) == REPRISE_OK) {
        recompressed++;
        grown += result.size > file.size;
        if ((result.size > file.size) != is_told(report))
            fail_msg("%s: %zu bytes become %zu without a word, or with a wrong one", s->path,
                     file.size, result.size);
    }
    bytes_free(&result);
    reprise_close(replay);
}

static void recompressing__without_a_level_never_grows_a_file_unless_told(void **state)
{
    (void)state;
    walk_samples("tests/data", recompress_without_level);
    assert_true(recompressed > 50);
    assert_true(grown < recompressed / 2); /* compact is what it says */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rumble_13__what_was_written_decodes_as_its_source),
        cmocka_unit_test(writing__z6_holds_every_row_of_older_layouts),
        cmocka_unit_test(rumble_14__writing_is_deterministic_and_own_files_are_rewritten),
        cmocka_unit_test(rumble_17__legacy_values_survive_the_way_through_z6),
        cmocka_unit_test(rumble_15__a_first_frame_holds_the_full_state_wherever_it_is_cut),
        cmocka_unit_test(writing__recompressing_keeps_the_content_of_every_layout),
        cmocka_unit_test(writing__halves_merge_into_the_whole),
        cmocka_unit_test(writing__parts_that_overlap_find_their_times),
        cmocka_unit_test(writing__overlapping_recordings_are_aligned_by_motion),
        cmocka_unit_test(writing__known_offsets_are_found_by_motion),
        cmocka_unit_test(recompressing__without_a_level_never_grows_a_file_unless_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
