/*
 * test_writer.c - the public writer tells the truth: header and all rows of a good sample, given
 * tick by tick and in any order within one, make an equal replay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "format.h"
#include "json.h"
#include "options.h"
#include "reprise/write.h"
#include "samples.h"
#include "share.h"
#include "written.h"

/* A value of a row that the file stores. */
typedef struct cell {
    size_t column;
    reprise_type type;
    int64_t integer;
    double real;
    char *text; /* also JSON */
    size_t size;
} cell;

typedef struct given_row {
    size_t track, order;
    int64_t index;
    uint32_t object;
    double time;
    cell *cells;
    size_t count;
} given_row;

typedef struct given {
    given_row *rows;
    size_t count, capacity;
} given;

static char *copy_of(const char *text, size_t size)
{
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

/* The JSON of one column: the text between the colon and the brace. */
static void keep_json(reprise_rows *rows, size_t column, cell *to)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_row_text_options options = {.struct_size = sizeof options,
                                        .style = REPRISE_ROW_JSON,
                                        .columns = &column,
                                        .column_count = 1};
    const char *text = NULL;
    size_t size = 0;
    expect_ok(reprise_row_format(rows, &options, &text, &size, &error), &error, "json");
    const char *value = (const char *)memchr(text, ':', size) + 1;
    size_t end = (size_t)(text + size - value);
    while (end && value[end - 1] != '}')
        end--;
    to->text = copy_of(value, end - 1);
    to->size = end - 1;
}

static void keep_cell(reprise_replay *replay, reprise_rows *rows, size_t column, given_row *row)
{
    const reprise_column *about = reprise_column_at(replay, row->track, column);
    /* CS2KZ predicts what is left out, so its rows are given whole. */
    bool whole = strcmp(reprise_format(replay), "cs2kz") == 0;
    if (about->derived || reprise_row_null(rows, column) ||
        !(whole || reprise_row_stored(rows, column)))
        return;
    cell *to = &row->cells[row->count++];
    *to = (cell){.column = column, .type = about->type};
    size_t size = 0;
    switch (about->type) {
    case REPRISE_TYPE_FLOAT:
    case REPRISE_TYPE_DOUBLE:
        to->real = reprise_row_double(rows, column);
        break;
    case REPRISE_TYPE_LIST:
        keep_json(rows, column, to);
        break;
    case REPRISE_TYPE_TEXT:
    case REPRISE_TYPE_BYTES: {
        const char *text = reprise_row_text(rows, column, &size);
        if (text) {
            to->text = copy_of(text, size);
            to->size = size;
        } else {
            to->type = REPRISE_TYPE_LIST; /* bytes of a fixed number, or none */
            keep_json(rows, column, to);
            if (strcmp(to->text, "null") == 0 || strcmp(to->text, "\"\"") == 0) {
                free(to->text);
                row->count--;
            }
        }
        break;
    }
    default:
        to->integer = reprise_row_int(rows, column);
    }
}

/* Frame, tick and time are given with the row. */
static bool is_clock(const reprise_column *about)
{
    return strcmp(about->doc, "number, counted from 0") == 0 ||
           (strcmp(about->name, "time") == 0 && strcmp(about->doc, "seconds") == 0);
}

static given read_rows(reprise_replay *replay)
{
    given all = {0};
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_rows_open(replay, NULL, &rows, &error), &error, "rows");
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        if (all.count == all.capacity) {
            all.capacity = all.capacity ? 2 * all.capacity : 256;
            all.rows = realloc(all.rows, all.capacity * sizeof *all.rows);
            assert_non_null(all.rows);
        }
        size_t track = reprise_row_track(rows);
        given_row *row = &all.rows[all.count];
        *row = (given_row){.track = track,
                           .order = all.count++,
                           .index = reprise_row_index(rows),
                           .time = reprise_row_time(rows)};
        size_t columns = reprise_column_count(replay, track);
        row->cells = calloc(columns, sizeof *row->cells);
        assert_non_null(row->cells);
        for (size_t i = 0; i < columns; i++) {
            const reprise_column *about = reprise_column_at(replay, track, i);
            if (strcmp(about->doc, "which one") == 0)
                row->object = (uint32_t)reprise_row_int(rows, i);
            else if (!is_clock(about))
                keep_cell(replay, rows, i, row);
        }
    }
    reprise_rows_close(rows);
    return all;
}

static void free_rows(given *all)
{
    for (size_t i = 0; i < all->count; i++) {
        for (size_t k = 0; k < all->rows[i].count; k++)
            free(all->rows[i].cells[k].text);
        free(all->rows[i].cells);
    }
    free(all->rows);
}

/* Whether ticks rise in every track; a file whose ticks jump keeps the order it has. */
static bool rises(const given *all)
{
    int64_t last[64];
    for (size_t i = 0; i < 64; i++)
        last[i] = INT64_MIN;
    for (size_t i = 0; i < all->count; i++) {
        const given_row *row = &all->rows[i];
        if (row->index < last[row->track])
            return false;
        last[row->track] = row->index;
    }
    return true;
}

/* By tick, and within one the tracks backwards; rows of a track keep their order. */
static int later(const void *a, const void *b)
{
    const given_row *left = a, *right = b;
    if (left->index != right->index)
        return left->index < right->index ? -1 : 1;
    if (left->track != right->track)
        return left->track > right->track ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static reprise_status set_cell(reprise_writer *writer, int column, const cell *c,
                               reprise_error *error)
{
    switch (c->type) {
    case REPRISE_TYPE_FLOAT:
    case REPRISE_TYPE_DOUBLE:
        return reprise_writer_set_double(writer, column, c->real, error);
    case REPRISE_TYPE_LIST:
        return writer_set_json(writer, column, c->text, c->size, error);
    case REPRISE_TYPE_TEXT:
    case REPRISE_TYPE_BYTES:
        return reprise_writer_set_text(writer, column, c->text, c->size, error);
    default:
        return reprise_writer_set_int(writer, column, c->integer, error);
    }
}

/* Bytes of one layout say nothing in another. */
static bool is_foreign(const char *track, const char *column, bool other_layout)
{
    static const char *const stored[][2] = {
        {"packets", "offset"}, {"packets", "length"}, {"frames", "offset"}, {"frames", "size"}};
    bool about_bytes = strcmp(column, "raw") == 0;
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++)
        about_bytes |= strcmp(track, stored[i][0]) == 0 && strcmp(column, stored[i][1]) == 0;
    return other_layout && about_bytes;
}

static void write_row(reprise_replay *replay, reprise_writer *writer, const given_row *row,
                      bool other_layout)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const char *name = reprise_track_name(replay, row->track);
    int track = reprise_writer_track(writer, name);
    expect_ok(reprise_writer_row(writer, track, row->object, row->time, &error), &error, name);
    for (size_t i = 0; i < row->count; i++) {
        const char *column = reprise_column_at(replay, row->track, row->cells[i].column)->name;
        if (is_foreign(name, column, other_layout))
            continue;
        int number = reprise_writer_column(writer, track, column);
        expect_ok(set_cell(writer, number, &row->cells[i], &error), &error, column);
    }
}

/* Members that are made of the header and of rows. */
static bool is_ours(const char *kind)
{
    static const char *const made[] = {"stream", "manifest", "sync",    "world",
                                       "entity", "mesh",     "material"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        if (strcmp(kind, made[i]) == 0)
            return true;
    }
    return false;
}

static reprise_status write_blobs(reprise_replay *replay, reprise_writer *writer,
                                  const char *folder, reprise_error *error);

/* The world of a Minecraft scene is an archive of its own, with blobs of its own. */
static reprise_status write_inner_blobs(const bytes *content, const char *name,
                                        reprise_writer *writer, reprise_error *error)
{
    reprise_replay *inner = NULL;
    if (strcmp(name, "world.vcap") != 0)
        return REPRISE_OK;
    expect_ok(reprise_open_memory(content->data, content->size, NULL, &inner, error), error, name);
    reprise_status status = write_blobs(inner, writer, "world.vcap/", error);
    reprise_close(inner);
    return status;
}

static reprise_status write_blobs(reprise_replay *replay, reprise_writer *writer,
                                  const char *folder, reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < reprise_blob_count(replay) && status == REPRISE_OK; i++) {
        const reprise_blob *blob = reprise_blob_at(replay, i);
        bytes content = {0};
        reprise_sink sink = {.ctx = &content, .write = bytes_write};
        char name[256];
        snprintf(name, sizeof name, "%s%s", folder, blob->name);
        bool world = strcmp(blob->kind, "world") == 0;
        if (is_ours(blob->kind) && !world)
            continue;
        expect_ok(reprise_blob_read(replay, i, &sink, error), error, blob->name);
        status = world ? write_inner_blobs(&content, name, writer, error)
                       : reprise_writer_blob(writer, name, content.data, content.size, error);
        bytes_free(&content);
    }
    return status;
}

static char *json_of(const reprise_value *value)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_context context;
    rp_context_init(&context, NULL);
    rp_writer w;
    rp_writer_init(&w, &context, SIZE_MAX / 2, &error);
    if (value)
        rp_json_write(&w, value, &(rp_json_format){0});
    char *text = copy_of((const char *)w.data, w.size);
    rp_writer_free(&w);
    return text;
}

static char *header_text(reprise_replay *replay)
{
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    return json_of(reprise_value_get(info, "header"));
}

static reprise_status write_rows(reprise_replay *replay, reprise_writer *writer, const given *all,
                                 bool other_layout, reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < all->count && status == REPRISE_OK; i++) {
        if (i == 0 || all->rows[i].index != all->rows[i - 1].index) {
            status = reprise_writer_step(writer, error);
            if (status == REPRISE_OK)
                status = reprise_writer_at(writer, all->rows[i].index, error);
        }
        if (status == REPRISE_OK)
            write_row(replay, writer, &all->rows[i], other_layout);
    }
    return status;
}

/* A world that is no part of a scene becomes the world of one. */
static bool is_alone(reprise_replay *replay)
{
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        if (strcmp(reprise_blob_at(replay, i)->name, "world.dat") == 0)
            return true;
    }
    return false;
}

static reprise_status rewrite(reprise_replay *replay, const char *layout, bytes *to,
                              reprise_error *error)
{
    reprise_sink sink = {.ctx = to, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = layout;
    options.lossy = true; /* some samples cannot be played as they are */
    reprise_writer *writer = NULL;
    char *header = header_text(replay);
    given all = read_rows(replay);
    bool by_packet = strcmp(reprise_format(replay), "openra") == 0;
    bool other_layout = strcmp(layout, reprise_layout(replay)) != 0;
    if (by_packet || rises(&all))
        qsort(all.rows, all.count, sizeof *all.rows, later);
    reprise_status status = *header ? writer_begin_json(reprise_format(replay), header, &options,
                                                        NULL, &writer, error)
                                    : reprise_writer_begin(reprise_format(replay), NULL, &options,
                                                           NULL, &writer, error);
    if (status == REPRISE_OK)
        status = write_rows(replay, writer, &all, other_layout, error);
    if (status == REPRISE_OK)
        status = write_blobs(replay, writer, is_alone(replay) ? "world.vcap/" : "", error);
    if (status == REPRISE_OK)
        status = reprise_writer_end(writer, error);
    reprise_writer_close(writer);
    free_rows(&all);
    free(header);
    return status;
}

static uint64_t number_in(const reprise_value *object, const char *key)
{
    return reprise_value_uint(reprise_value_get(object, key), 0);
}

static bool says_nothing(const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    return text ? size == 0 : !reprise_value_count(value) && reprise_value_double(value, 0) == 0;
}

/* The last name of a path: "VisualData" of "Players[0].VisualData". */
static bool is_named(const char *path, const char *name)
{
    size_t size = strlen(path), end = strlen(name);
    return size >= end && strcmp(path + size - end, name) == 0 &&
           (size == end || path[size - end - 1] == '.');
}

/*
 * Whether a difference in the metadata is one that a writer makes: a count that was wrong, and
 * RUMBLE's three ways to say that there is no custom map. Another layout has other names for dates
 * and rates, another place for looks, a number of its own, and no place for what says nothing.
 */
static bool is_filled_in(const reprise_value *difference, bool same_layout)
{
    static const char *const always[] = {"MarkerCount", "CustomMap"};
    static const char *const between[] = {"FrameCount", "StructureCount", "Date",    "DateUTC",
                                          "FPS",        "TargetFPS",      "AvgPing", "MinPing",
                                          "version",    "VisualData"};
    const char *path = reprise_value_text(reprise_value_get(difference, "path"), NULL);
    const reprise_value *before = reprise_value_get(difference, "a");
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (is_named(path, always[i]))
            return true;
    }
    for (size_t i = 0; !same_layout && i < sizeof between / sizeof between[0]; i++) {
        if (is_named(path, between[i]))
            return true;
    }
    return !same_layout && (!before || says_nothing(before));
}

/* A layout may have states that another lacks, and stores its rows in other bytes. */
static bool track_is_same(const char *name, const reprise_value *track, bool same_layout)
{
    const reprise_value *fields = reprise_value_get(track, "fields");
    bool added = !same_layout && !number_in(track, "rows_a");
    if (number_in(track, "only_a") || (number_in(track, "only_b") && !added) ||
        number_in(track, "times"))
        return false;
    for (size_t i = 0; i < reprise_value_count(fields); i++) {
        if (!is_foreign(name, reprise_value_key(fields, i), !same_layout))
            return false;
    }
    return true;
}

static bool only_filled_in(const reprise_value *report, bool same_layout)
{
    const reprise_value *metadata = reprise_value_get(report, "metadata");
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    for (size_t i = 0; i < reprise_value_count(metadata); i++) {
        if (!is_filled_in(reprise_value_at(metadata, i), same_layout))
            return false;
    }
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        if (!track_is_same(reprise_value_key(tracks, i), reprise_value_at(tracks, i), same_layout))
            return false;
    }
    return true;
}

static void print_differences(const char *path, const reprise_value *report)
{
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    char *metadata = json_of(reprise_value_get(report, "metadata"));
    print_message("# %s differs; metadata %.300s\n", path, metadata);
    free(metadata);
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        char *text = json_of(track);
        if (number_in(track, "only_a") || number_in(track, "only_b") || number_in(track, "differ"))
            print_message("#   %s: %.400s\n", reprise_value_key(tracks, i), text);
        free(text);
    }
}

typedef struct family {
    const char *format, *folder;
    size_t own, other; /* at least so many come out equal in their own layout, in another */
} family;

/* Name, and how many files come out equal at least: in their own layout, in another. */
#define FAMILIES(F)     \
    F(rumble, 15, 38)   \
    F(cs2kz, 17, 28)    \
    F(openra, 12, 28)   \
    F(remastered, 9, 2) \
    F(mcreplay, 10, 2)  \
    F(mccamera, 3, 0)

#define FAMILY(name, in_own, in_other) \
    static family family_##name = {#name, "tests/data/" #name, in_own, in_other};
FAMILIES(FAMILY)

static size_t own, other, refused, different;

/* What came out is equal; or it was refused with a reason, and nothing came out. */
static void expect_same(const char *path, reprise_replay *replay, const char *layout)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *result = NULL;
    const reprise_value *report = NULL;
    bool same_layout = strcmp(layout, reprise_layout(replay)) == 0, equal = false;
    bytes to = {0};
    reprise_status status = rewrite(replay, layout, &to, &error);
    if (status == REPRISE_E_LOSSY && !same_layout) {
        assert_int_equal(to.size, 0);
        refused++;
        if (!strstr(error.message, "cannot hold ") && !strstr(error.message, "no place for "))
            fail_msg("%s in %s: %s", path, layout, error.message);
    } else if (status != REPRISE_OK) {
        print_message("# %s in %s: %s\n", path, layout, error.message);
        different++;
    } else {
        expect_ok(reprise_open_memory(to.data, to.size, NULL, &result, &error), &error, path);
        /* Layouts with seven bytes for a rotation round it. */
        reprise_diff_options options = REPRISE_DIFF_INIT;
        options.rotation_tolerance = same_layout ? 0 : 1e-4;
        expect_ok(reprise_diff(replay, result, &options, &equal, &report, &error), &error, path);
        if (!equal && !only_filled_in(report, same_layout)) {
            print_message("# in %s:\n", layout);
            print_differences(path, report);
            different++;
        }
        same_layout ? own++ : other++;
    }
    reprise_close(result);
    bytes_free(&to);
}

static void write_in_every_layout(const sample *s)
{
    if (strstr(s->path, "/bad/"))
        return;
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_open_memory(s->data, s->size, NULL, &replay, &error), &error, s->path);
    const rp_format *format = rp_format_find(reprise_format(replay));
    for (size_t i = 0; i < format->layout_count; i++) {
        bool is_own = strcmp(format->layouts[i].name, reprise_layout(replay)) == 0;
        if (format->layouts[i].writes && (is_own || case_runs(s->size + i, 3)))
            expect_same(s->path, replay, format->layouts[i].name);
    }
    reprise_close(replay);
}

/* Header and rows of every sample, in its own layout and the others of its family. */
static void in_every_layout(void **state)
{
    const family *f = *state;
    own = other = refused = different = 0;
    walk_samples(f->folder, write_in_every_layout);
    print_message("# %s: %zu equal in their own layout, %zu in others, %zu refused\n", f->format,
                  own, other, refused);
    assert_int_equal(different, 0);
    assert_true(own >= f->own && other >= (all_cases_run() ? f->other : f->other / 6));
}

/* L1 has players and structures only: what else was given is named, and nothing appears. */
static void writer__what_a_layout_cannot_hold_is_lossy(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_match_like_1.2.4.replay");
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_open_memory(s.data, s.size, NULL, &replay, &error), &error, s.path);
    bytes to = {0};
    given all = read_rows(replay);
    reprise_sink sink = {.ctx = &to, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = "l1";
    reprise_writer *writer = NULL;
    char *header = header_text(replay);
    expect_ok(writer_begin_json("rumble", header, &options, NULL, &writer, &error), &error, "");
    for (size_t i = 0; i < all.count; i++) {
        if (i && all.rows[i].index != all.rows[i - 1].index)
            expect_ok(reprise_writer_step(writer, &error), &error, "step");
        if (strcmp(reprise_track_name(replay, all.rows[i].track), "markers") != 0)
            write_row(replay, writer, &all.rows[i], true);
    }
    assert_int_equal(reprise_writer_end(writer, &error), REPRISE_E_LOSSY);
    assert_non_null(strstr(error.message, "layout l1 cannot hold "));
    assert_int_equal(to.size, 0);
    reprise_writer_close(writer);
    free(header);
    free_rows(&all);
    reprise_close(replay);
    free(s.data);
}

/* An OpenRA match without a lobby decodes, but the game would not open it. */
static void writer__what_the_game_cannot_play_is_refused(void **state)
{
    (void)state;
    bytes to = {0};
    reprise_sink sink = {.ctx = &to, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    reprise_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(writer_begin_json("openra", "{}", &options, NULL, &writer, &error), &error, "");
    int packets = reprise_writer_track(writer, "packets");
    for (int frame = 1; frame < 10; frame++) {
        expect_ok(reprise_writer_row(writer, packets, 0, 0, &error), &error, "row");
        const struct {
            const char *name;
            int64_t value;
        } cells[] = {{"packet", frame - 1}, {"client", 1}, {"frame", frame}, {"length", 4}};
        for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
            expect_ok(reprise_writer_set_int(writer,
                                             reprise_writer_column(writer, packets, cells[i].name),
                                             cells[i].value, &error),
                      &error, cells[i].name);
        expect_ok(reprise_writer_step(writer, &error), &error, "step");
    }
    assert_int_equal(reprise_writer_end(writer, &error), REPRISE_E_LOSSY);
    assert_non_null(strstr(error.message, "the game will not open this: rule P1"));
    assert_int_equal(to.size, 0);
    reprise_writer_close(writer);
}

/* ---- Minecraft by hand ---- */

typedef struct hand_cell {
    const char *column, *json;
} hand_cell;

static reprise_status hand_row(reprise_writer *writer, const char *track, uint32_t object,
                               const hand_cell *cells, size_t count, reprise_error *error)
{
    int number = reprise_writer_track(writer, track);
    reprise_status status = reprise_writer_row(writer, number, object, 0, error);
    for (size_t i = 0; i < count && status == REPRISE_OK; i++)
        status = writer_set_json(writer, reprise_writer_column(writer, number, cells[i].column),
                                 cells[i].json, strlen(cells[i].json), error);
    return status;
}

#define HAND_ROW(track, object, ...)                                                          \
    expect_ok(hand_row(writer, track, object, (const hand_cell[]){__VA_ARGS__},               \
                       sizeof((const hand_cell[]){__VA_ARGS__}) / sizeof(hand_cell), &error), \
              &error, track)

static reprise_writer *begin_scene(reprise_sink *sink)
{
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = sink;
    reprise_writer *writer = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(writer_begin_json("mcreplay", "{}", &options, NULL, &writer, &error), &error, "");
    return writer;
}

static double value_at(reprise_replay *replay, const char *track, int64_t frame, double entity,
                       const char *column)
{
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    double value = NAN;
    int number = reprise_track_find(replay, track), found = -1, object = -1;
    for (size_t i = 0; i < reprise_column_count(replay, (size_t)number); i++) {
        const char *name = reprise_column_at(replay, (size_t)number, i)->name;
        found = strcmp(name, column) == 0 ? (int)i : found;
        object = strcmp(name, "entity") == 0 ? (int)i : object;
    }
    assert_true(found >= 0 && object >= 0);
    expect_ok(reprise_rows_open(replay, NULL, &rows, &error), &error, track);
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        if (reprise_row_track(rows) == (size_t)number && reprise_row_index(rows) == frame &&
            reprise_row_double(rows, (size_t)object) == entity)
            value = reprise_row_double(rows, (size_t)found);
    }
    reprise_rows_close(rows);
    return value;
}

/* Two entities, frame by frame: each keeps its own animation, whatever the order of rows. */
static void writer__minecraft_entities_keep_their_own_animation(void **state)
{
    (void)state;
    bytes to = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = &to, .write = bytes_write};
    reprise_writer *writer = begin_scene(&sink);
    const char parts[] = "[{\"name\":\"body\",\"parent\":-1,\"mesh\":-1},"
                         "{\"name\":\"head\",\"parent\":0,\"mesh\":-1}]";
    HAND_ROW("parts", 1, {"part", "1"}, {"pos_y", "12"});
    HAND_ROW("frames", 1, {"pos_x", "10"});
    HAND_ROW("entities", 1, {"name", "\"b\""}, {"file", "\"entities/b.xml\""},
             {"rig", "\"multipart\""}, {"animated", "true"}, {"parts", parts});
    HAND_ROW("parts", 0, {"part", "1"}, {"pos_y", "2"});
    HAND_ROW("entities", 0, {"name", "\"a\""}, {"file", "\"entities/a.xml\""},
             {"rig", "\"multipart\""}, {"animated", "true"}, {"parts", parts});
    HAND_ROW("frames", 0, {"pos_x", "1"});
    expect_ok(reprise_writer_step(writer, &error), &error, "step");
    HAND_ROW("parts", 1, {"part", "1"}, {"pos_x", "7"});
    HAND_ROW("frames", 1, {"pos_z", "3"});
    HAND_ROW("frames", 0, {"pos_x", "2"});
    expect_ok(reprise_writer_end(writer, &error), &error, "end");
    reprise_writer_close(writer);
    reprise_replay *replay = open_bytes(&to, false);
    const reprise_value *info = NULL;
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    assert_string_equal(
        reprise_value_text(reprise_value_get(reprise_value_get(info, "header"), "version"), NULL),
        "0.3.0");
    static const struct {
        const char *track;
        int64_t frame;
        double entity;
        const char *column;
        double value;
    } expected[] = {
        {"frames", 0, 0, "pos_x", 1},   {"frames", 1, 0, "pos_x", 2},  {"frames", 0, 0, "rot_w", 1},
        {"frames", 0, 1, "pos_x", 10},  {"frames", 1, 1, "pos_x", 10}, {"frames", 1, 1, "pos_z", 3},
        {"frames", 1, 1, "scale_x", 1}, {"parts", 0, 0, "pos_y", 2},   {"parts", 0, 0, "rot_w", 1},
        {"parts", 0, 1, "pos_y", 12},   {"parts", 1, 1, "pos_x", 7},   {"parts", 1, 1, "pos_y", 12},
        {"parts", 1, 1, "part", 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double found = value_at(replay, expected[i].track, expected[i].frame, expected[i].entity,
                                expected[i].column);
        if (found != expected[i].value)
            fail_msg("%s.%s of entity %g at %lld: %g", expected[i].track, expected[i].column,
                     expected[i].entity, (long long)expected[i].frame, found);
    }
    reprise_close(replay);
    bytes_free(&to);
}

/* What a scene cannot hold is refused; nothing is dropped, and nothing lands elsewhere. */
static void writer__minecraft_rows_without_a_place_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *track;
        hand_cell cells[2];
        reprise_status status;
        const char *message;
    } cases[] = {
        {"frames", {{"pos_x", "1"}, {"pos_y", "1"}}, REPRISE_E_USAGE, "has no row of entities"},
        {"parts", {{"part", "0"}, {"pos_y", "1"}}, REPRISE_E_USAGE, "has no row of entities"},
        {"textures",
         {{"id", "\"wool\""}, {"image", "\"tex/wool.png\""}},
         REPRISE_E_LOSSY,
         "textures (0 of 1 rows)"},
        {"materials",
         {{"id", "\"wool\""}, {"emission_strength", "2"}},
         REPRISE_E_USAGE,
         "set 'source' of a material"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes to = {0};
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_sink sink = {.ctx = &to, .write = bytes_write};
        reprise_writer *writer = begin_scene(&sink);
        expect_ok(hand_row(writer, cases[i].track, 5, cases[i].cells, 2, &error), &error, "row");
        assert_int_equal(reprise_writer_end(writer, &error), cases[i].status);
        if (!strstr(error.message, cases[i].message))
            fail_msg("%s: %s", cases[i].track, error.message);
        assert_int_equal(to.size, 0);
        reprise_writer_close(writer);
    }
}

/* Iron Curtain files are made of states that rows do not have: said before anything is written. */
static void writer__iron_curtain_is_refused_at_begin_and_points_to_its_recorders(void **state)
{
    (void)state;
    static const char *const formats[] = {"icrep", "icsave", "icproof"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        bytes to = {0};
        reprise_sink sink = {.ctx = &to, .write = bytes_write};
        reprise_write_options options = REPRISE_WRITE_INIT;
        options.sink = &sink;
        reprise_writer *writer = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(writer_begin_json(formats[i], "{}", &options, NULL, &writer, &error),
                         REPRISE_E_UNSUPPORTED);
        assert_string_equal(error.hint,
                            "reprise/ironcurtain/live.h has a recorder for Iron Curtain");
        assert_null(writer);
        assert_int_equal(to.size, 0);
    }
}

#define FAMILY_TEST(name, in_own, in_other)                                                      \
    {"writer__" #name "_rows_give_an_equal_replay_in_every_layout", in_every_layout, NULL, NULL, \
     &family_##name},

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAMILIES(FAMILY_TEST) cmocka_unit_test(writer__what_a_layout_cannot_hold_is_lossy),
        cmocka_unit_test(writer__what_the_game_cannot_play_is_refused),
        cmocka_unit_test(writer__minecraft_entities_keep_their_own_animation),
        cmocka_unit_test(writer__minecraft_rows_without_a_place_are_refused),
        cmocka_unit_test(writer__iron_curtain_is_refused_at_begin_and_points_to_its_recorders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
