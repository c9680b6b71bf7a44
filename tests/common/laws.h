/*
 * laws.h - what must hold for every RUMBLE replay, whether it was found or made up. Each law fails
 * the test with the name of the file.
 */
#ifndef LAWS_H
#define LAWS_H

#include <stdio.h>

#include "reprise/write.h"
#include "written.h"

/* Half a step of the 16 bits a packed rotation has, per component; the left out one adds up. */
#define PACKED_ROTATION 4e-5

static const char *const written_layouts[] = {"z6", "z5", "z4", "z4p", "l1"};
enum { WRITTEN_LAYOUTS = sizeof written_layouts / sizeof written_layouts[0] };

static inline bool is_written(const char *layout)
{
    for (size_t i = 0; i < WRITTEN_LAYOUTS; i++) {
        if (strcmp(layout, written_layouts[i]) == 0)
            return true;
    }
    return false;
}

static inline const char *layout_of(const bytes *b, char *to, size_t size)
{
    reprise_replay *replay = open_bytes(b, false);
    snprintf(to, size, "%s", reprise_layout(replay));
    reprise_close(replay);
    return to;
}

static inline int64_t frame_count(const bytes *b)
{
    reprise_replay *replay = open_bytes(b, false);
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    int64_t frames = reprise_value_int(reprise_value_get(info, "frames"), -1);
    reprise_close(replay);
    return frames;
}

/* ---- comparing ---- */

/* The report of a comparison belongs to `a`, which the caller closes. */
static inline const reprise_value *compared(reprise_replay *a, const bytes *b,
                                            double rotation_tolerance, bool *ret_equal)
{
    reprise_replay *right = open_bytes(b, false);
    reprise_diff_options options = REPRISE_DIFF_INIT;
    options.rotation_tolerance = rotation_tolerance;
    const reprise_value *report = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_diff(a, right, &options, ret_equal, &report, &error), &error, "diff");
    reprise_close(right);
    return report;
}

static inline int64_t number_in(const reprise_value *object, const char *name)
{
    return reprise_value_int(reprise_value_get(object, name), 0);
}

/* Compares rows only: headers of different layouts differ. */
static inline void expect_same_rows(const char *name, const char *what, const bytes *a,
                                    const bytes *b, double rotation_tolerance)
{
    reprise_replay *left = open_bytes(a, false);
    bool equal = false;
    const reprise_value *report = compared(left, b, rotation_tolerance, &equal);
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        if (number_in(track, "differ") || number_in(track, "only_a") || number_in(track, "only_b"))
            fail_msg("%s, %s: rows of %s differ", name, what, reprise_value_key(tracks, i));
    }
    reprise_close(left);
}

static inline void expect_same_content(const char *name, const char *what, const bytes *a,
                                       const bytes *b)
{
    reprise_replay *left = open_bytes(a, false);
    bool equal = false;
    (void)compared(left, b, 0, &equal);
    if (!equal)
        fail_msg("%s, %s: the content differs", name, what);
    reprise_close(left);
}

/* Rows of a range in every frame, as text. */
static inline bytes rows_of(const bytes *b, int64_t from, int64_t to, bool times)
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

/* ---- writing ---- */

/* read(write(x)) = x, in the layout the file has. */
static inline void law_reads_back(const char *name, const bytes *file)
{
    char layout[16];
    if (!is_written(layout_of(file, layout, sizeof layout)))
        return;
    bytes again = changed(file, (change){.convert = layout});
    expect_same_content(name, "written again", file, &again);
    bytes_free(&again);
}

/* Twice the same bytes, and the same bytes when our own file is written again. */
static inline void law_writes_the_same(const char *name, const bytes *file, const char *layout,
                                       bool can_be_told)
{
    bytes first = changed(file, (change){.convert = layout});
    bytes second = changed(file, (change){.convert = layout});
    if (!same_bytes(&first, &second))
        fail_msg("%s: writing %s twice gives other bytes", name, layout);
    char read_as[16];
    layout_of(&first, read_as, sizeof read_as);
    bool told = strcmp(read_as, layout) == 0;
    if (!told && can_be_told)
        fail_msg("%s: written as %s, read as %s", name, layout, read_as);
    bytes third = changed(&first, (change){.convert = layout});
    if (told && !same_bytes(&first, &third))
        fail_msg("%s: our own %s file is not written again byte by byte", name, layout);
    bytes_free(&first);
    bytes_free(&second);
    bytes_free(&third);
}

/* Older layouts lose no row in Z6. */
static inline void law_fits_z6(const char *name, const bytes *file)
{
    char layout[16];
    layout_of(file, layout, sizeof layout);
    /* Numbers of events mean other things in these two, and are changed. */
    if (strcmp(layout, "z3") == 0 || strcmp(layout, "z4p") == 0)
        return;
    bytes z6 = changed(file, (change){.convert = "z6"});
    expect_same_rows(name, "as z6", file, &z6, PACKED_ROTATION);
    bytes_free(&z6);
}

/* Any layout that is read, at two levels. */
static inline void law_recompresses(const char *name, const bytes *file)
{
    bytes fast = changed(file, (change){.recompress = true, .level = 1});
    bytes dense = changed(&fast, (change){.recompress = true, .level = 9});
    bytes again = changed(&dense, (change){.recompress = true, .level = 1});
    expect_same_content(name, "recompressed", file, &dense);
    if (!same_bytes(&fast, &again))
        fail_msg("%s: recompressing back gives other bytes", name);
    bytes_free(&fast);
    bytes_free(&dense);
    bytes_free(&again);
}

/* The file in its own layout if we write that, else as Z6. The caller frees it. */
static inline bytes in_a_written_layout(const bytes *file)
{
    char layout[16];
    layout_of(file, layout, sizeof layout);
    return changed(file, (change){.convert = is_written(layout) ? layout : "z6"});
}

/* ---- trimming and merging ---- */

/* trim(a..b) equals cat over a..b. */
static inline void law_trims(const char *name, const bytes *file, int64_t from, int64_t to)
{
    bytes base = in_a_written_layout(file);
    for (int keep = 0; keep < 2; keep++) {
        change cutting = {.trim = true, .keep_times = keep, .from = from, .to = to};
        bytes cut = changed(&base, cutting), straight = changed(file, cutting);
        bytes wanted = rows_of(&base, from, to, keep);
        bytes given = rows_of(&cut, INT64_MIN, INT64_MAX, keep);
        if (!same_bytes(&wanted, &given))
            fail_msg("%s: frames %lld to %lld are others when cut out", name, (long long)from,
                     (long long)to);
        expect_same_rows(name, "cut before it is converted", &cut, &straight, 0);
        bytes_free(&cut);
        bytes_free(&straight);
        bytes_free(&wanted);
        bytes_free(&given);
    }
    bytes_free(&base);
}

static inline bytes merged(const bytes *a, const bytes *b, const double *offsets)
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

/* What two halves make is the whole: all rows, and a header with an id of its own. */
static inline void expect_whole(const char *name, const bytes *whole, const bytes *made)
{
    expect_same_rows(name, "two halves", whole, made, 0);
    reprise_replay *left = open_bytes(whole, false);
    bool equal = false;
    const reprise_value *report = compared(left, made, 0, &equal);
    const reprise_value *metadata = reprise_value_get(report, "metadata");
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        const char *path = reprise_value_text(
            reprise_value_get(reprise_value_at(metadata, i), "path"), NULL);
        if (strcmp(path, "Guid") != 0 && strcmp(path, "Duration") != 0)
            fail_msg("%s: two halves have another %s", name, path);
    }
    reprise_close(left);
}

/* Two halves, given in either order, are the whole. Time must run forwards. */
static inline void law_merges(const char *name, const bytes *file, int64_t first_frames)
{
    static const double together[] = {0, 0};
    bytes whole = in_a_written_layout(file);
    int64_t frames = frame_count(&whole);
    bytes first = changed(&whole,
                          (change){.trim = true, .keep_times = true, .to = first_frames - 1});
    bytes rest = changed(
        &whole, (change){.trim = true, .keep_times = true, .from = first_frames, .to = frames});
    bytes one = merged(&first, &rest, together), other = merged(&rest, &first, together);
    expect_whole(name, &whole, &one);
    expect_whole(name, &whole, &other);
    bytes_free(&whole);
    bytes_free(&first);
    bytes_free(&rest);
    bytes_free(&one);
    bytes_free(&other);
}

/* ---- privacy ---- */

/* Members of the header that an anonymized file may have otherwise. */
static inline bool may_change(const char *path)
{
    static const char *const paths[] = {
        "Title",   "Date",   "DateUTC", "Guid",    "CustomMap", "Players",    "Nobody knows",
        "Markers", "Voices", "AvgPing", "MaxPing", "MinPing",   "UnknownKey", "A number"};
    const char *last = strrchr(path, '.');
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        size_t n = strlen(paths[i]);
        if (strncmp(path, paths[i], n) != 0)
            continue;
        if (strcmp(paths[i], "Players") == 0)
            return last && (!strcmp(last, ".Name") || !strcmp(last, ".MasterId") ||
                            !strcmp(last, ".VisualData") || !strcmp(last, ".BattlePoints") ||
                            !strcmp(last, ".Length") || !strcmp(last, ".ArmSpan"));
        if (strcmp(paths[i], "Markers") == 0)
            return last && !strcmp(last, ".name");
        return true;
    }
    return false;
}

/* Tracks whose rows say nothing about anybody, and fields of the others that do not. */
static inline void law_keeps_what_is_not_private(const char *name, const bytes *file)
{
    bytes base = in_a_written_layout(file);
    bytes result = changed(&base, (change){.anonymize = REPRISE_PRIVATE_ALL});
    reprise_replay *left = open_bytes(&base, false);
    bool equal;
    const reprise_value *report = compared(left, &result, 0, &equal);
    const reprise_value *metadata = reprise_value_get(report, "metadata");
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        const char *path = reprise_value_text(
            reprise_value_get(reprise_value_at(metadata, i), "path"), NULL);
        if (!may_change(path))
            fail_msg("%s: %s was changed", name, path);
    }
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const char *track_name = reprise_value_key(tracks, i);
        const reprise_value *track = reprise_value_at(tracks, i);
        const reprise_value *fields = reprise_value_get(track, "fields");
        bool private = strcmp(track_name, "extensions") == 0 || strcmp(track_name, "voices") == 0;
        bool markers = strcmp(track_name, "markers") == 0;
        for (size_t k = 0; !private && k < reprise_value_count(fields); k++) {
            const char *field = reprise_value_key(fields, k);
            bool private_text = strcmp(field, "visual_data") == 0 || strcmp(field, "length") == 0 ||
                                strcmp(field, "arm_span") == 0 || strcmp(field, "master_id") == 0 ||
                                (markers && strcmp(field, "name") == 0);
            if (!private_text)
                fail_msg("%s: %s.%s was changed", name, track_name, field);
        }
        if (!private && (number_in(track, "only_a") || number_in(track, "only_b")))
            fail_msg("%s: rows of %s are gone or new", name, track_name);
    }
    reprise_close(left);
    bytes_free(&base);
    bytes_free(&result);
}

/* ---- recovering ---- */

/* An undamaged file of ours comes back byte by byte, any other one as it would be converted. */
static inline void law_recovers_whole_files(const char *name, const bytes *file)
{
    bytes ours = in_a_written_layout(file);
    bytes again = changed(&ours, (change){.recover = true});
    if (!same_bytes(&ours, &again))
        fail_msg("%s: recovering a whole file changes it", name);
    bytes straight = changed(file, (change){.recover = true});
    expect_same_content(name, "recovered", &ours, &straight);
    bytes_free(&ours);
    bytes_free(&again);
    bytes_free(&straight);
}

#endif
