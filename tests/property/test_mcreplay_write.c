/*
 * test_mcreplay_write.c - the laws of writing, for every Minecraft sample: a written file reads
 * back equal row by row, writing it again gives the same bytes, and a cut shows at every moment
 * what the complete file shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive.h"
#include "exercise.h"
#include "json.h"
#include "options.h"
#include "reprise/write.h"
#include "samples.h"
#include "stream.h"
#include "utf8.h"
#include "written.h"

static reprise_replay *open_data(const void *data, size_t size)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    (void)!reprise_open_memory(data, size, NULL, &replay, &error);
    return replay;
}

/* Empty if the sample cannot be written because its world is damaged. */
static bytes rewritten(reprise_replay *replay, const double *range)
{
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.lossy = true;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_status status;
    if (range) {
        reprise_bound from = {.by = REPRISE_BY_TIME, .time = range[0]};
        reprise_bound to = {.by = REPRISE_BY_TIME, .time = range[1]};
        status = reprise_trim(replay, from, to, true, &options, &report, &error);
    } else {
        options.layout = "0.3.0";
        status = reprise_convert(replay, &options, &report, &error);
    }
    if (status != REPRISE_OK)
        result.size = 0;
    return result;
}

/* ---- comparing ---- */

/* The only column that writing may change: documents of materials are converted. */
static bool is_kept(const char *track, const char *column)
{
    return strcmp(track, "materials") != 0 || strcmp(column, "source") != 0;
}

typedef struct walk {
    reprise_rows *rows;
    reprise_error error;
    size_t columns[256], column_count;
} walk;

static walk walk_rows(reprise_replay *replay, size_t track)
{
    walk w = {.error = REPRISE_ERROR_INIT};
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << track;
    const char *name = reprise_track_name(replay, track);
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        if (is_kept(name, reprise_column_at(replay, track, i)->name))
            w.columns[w.column_count++] = i;
    }
    assert_int_equal(reprise_rows_open(replay, &options, &w.rows, &w.error), REPRISE_OK);
    return w;
}

static reprise_status next_text(walk *w, bytes *to)
{
    reprise_row_text_options format = {.struct_size = sizeof format,
                                       .with_stored = true,
                                       .columns = w->columns,
                                       .column_count = w->column_count};
    reprise_status status = reprise_rows_next(w->rows, &w->error);
    const char *text = NULL;
    size_t size = 0;
    to->size = 0;
    if (status != REPRISE_OK)
        return status;
    assert_int_equal(reprise_row_format(w->rows, &format, &text, &size, &w->error), REPRISE_OK);
    bytes_write(to, text, size);
    bytes_write(to, "", 1);
    return status;
}

static void compare_track(const char *path, reprise_replay *a, reprise_replay *b, size_t track)
{
    const char *name = reprise_track_name(a, track);
    walk x = walk_rows(a, track), y = walk_rows(b, track);
    bytes left = {0}, right = {0};
    for (size_t count = 0;; count++) {
        reprise_status s = next_text(&x, &left), t;
        do { /* plus textures that were made for colours */
            t = next_text(&y, &right);
        } while (t == REPRISE_OK && strcmp(name, "textures") == 0 &&
                 strstr((const char *)right.data, "\"reprise/rgb_"));
        if (s != t)
            fail_msg("%s: row %zu of %s: %s and %s", path, count, name, reprise_status_name(s),
                     reprise_status_name(t));
        if (s != REPRISE_OK)
            break;
        if (!same_bytes(&left, &right))
            fail_msg("%s: row %zu of %s differs:\n%.*s%.*s", path, count, name, (int)left.size,
                     (const char *)left.data, (int)right.size, (const char *)right.data);
    }
    bytes_free(&left);
    bytes_free(&right);
    reprise_rows_close(x.rows);
    reprise_rows_close(y.rows);
}

static void compare_rows(const char *path, reprise_replay *a, reprise_replay *b)
{
    for (size_t track = 0; track < reprise_track_count(a); track++)
        compare_track(path, a, b, track);
}

static void writing_keeps_everything(const sample *s)
{
    reprise_replay *original = open_data(s->data, s->size);
    if (!original)
        return;
    bytes first = rewritten(original, NULL);
    bool bad = strstr(s->path, "/bad/") != NULL;
    if (!first.size && !bad)
        fail_msg("%s was not written", s->path);
    if (first.size) {
        reprise_replay *again = open_data(first.data, first.size);
        assert_non_null(again);
        assert_string_equal(reprise_layout(again), "0.3.0");
        if (!bad)
            compare_rows(s->path, original, again);
        bytes second = rewritten(again, NULL);
        assert_int_equal(second.size, first.size);
        assert_memory_equal(second.data, first.data, first.size);
        reprise_close(again);
        free(second.data);
    }
    free(first.data);
    reprise_close(original);
}

static void mcreplay_25__writing_keeps_everything(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", writing_keeps_everything);
}

/* ---- what the add-on needs ---- */

typedef struct archive_file {
    rp_context context;
    reprise_error error;
    rp_source *source;
    rp_zip *zip;
} archive_file;

static void open_archive(archive_file *f, const bytes *b)
{
    rp_context_init(&f->context, NULL);
    f->error = (reprise_error)REPRISE_ERROR_INIT;
    expect_ok(rp_source_open_memory(&f->context, b->data, b->size, &f->source, &f->error),
              &f->error, "source");
    expect_ok(rp_zip_open(&f->context, f->source, &f->zip, &f->error), &f->error, "zip");
}

static void close_archive(archive_file *f)
{
    rp_zip_close(f->zip);
    rp_source_close(f->source);
}

/* A complete member, terminated. */
static bytes member_of(archive_file *f, size_t entry)
{
    bytes result = {0};
    rp_stream *stream = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    expect_ok(rp_zip_open_entry(f->zip, entry, "zip", 0, &stream, &f->error), &f->error, "entry");
    expect_ok(rp_stream_read_all(stream, UINT32_MAX, "decoded_bytes", &data, &size, &f->error),
              &f->error, "member");
    bytes_write(&result, data, size);
    bytes_write(&result, "", 1);
    rp_free(&f->context, data, size);
    rp_stream_close(stream);
    return result;
}

static size_t count_of(const char *text, const char *end, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part)) != NULL && text++ < end)
        count++;
    return count;
}

/* Single spaces, no commas; no blank lines; nothing after a ';'. */
static void check_spaces(const char *path, const char *text, const char *end)
{
    if (*text == '\n' || (end > text && end[-1] == '\n'))
        fail_msg("%s: a blank line at an end", path);
    for (const char *at = text; at < end; at++) {
        bool wrong = *at == ',' || *at == '\t' || *at == '\r' || strncmp(at, "\n\n", 2) == 0 ||
                     strncmp(at, "  ", 2) == 0 || (strncmp(at, "; ", 2) == 0 && at[2] != ';');
        if (wrong)
            fail_msg("%s: '%.20s' in an animation", path, at);
    }
}

/* One entry: 0, 4, 7 or 10 numbers, and for a part its visibility, 0 or 1. */
static void check_entry(const char *path, const char *at, const char *end)
{
    size_t spaces = 0;
    for (const char *c = at; c < end; c++)
        spaces += *c == ' ';
    size_t count = end == at || (end == at + 1 && *at == ' ') ? 0 : spaces + 1;
    bool right = count == 0 || count == 1 || count == 3 || count == 4 || count == 7 ||
                 count == 10 || count == 11;
    if (count == 11)
        right = end[-2] == ' ' && (end[-1] == '0' || end[-1] == '1');
    if (!right)
        fail_msg("%s: an entry of %zu: '%.*s'", path, count, (int)(end - at), at);
}

/* Every line has an entry for the root, each part and each channel: the add-on rejects more. */
static void check_entries(const char *path, const char *text, const char *end, size_t wanted)
{
    size_t count = 0;
    const char *start = text;
    for (const char *at = text; at <= end; at++) {
        if (at < end && *at == ';') {
            check_entry(path, start, at);
            start = at + 1;
            count++;
        } else if (at == end || *at == '\n') {
            if (count != wanted && (at != text || end != text))
                fail_msg("%s: %zu entries, not %zu", path, count, wanted);
            start = at + 1;
            count = 0;
        }
    }
}

/* Attributes that the add-on requires, and none that it does not read. */
static void check_entity(const char *path, const char *xml, size_t size)
{
    static const char head[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?><entity ";
    const char *all = xml + size;
    if (strncmp(xml, head, sizeof head - 1) != 0 || !strstr(xml, " name=\"") ||
        !strstr(xml, "<model rig-type=\""))
        fail_msg("%s: %.80s", path, xml);
    if (count_of(xml, all, "<!") || rp_utf8_valid(xml, size) != size)
        fail_msg("%s: no plain XML in UTF-8", path);
    size_t bones = count_of(xml, all, "<bone "), parts = count_of(xml, all, "<part ");
    if (count_of(xml, all, "<bone len=\"") != bones)
        fail_msg("%s: a bone without a length", path);
    bool armature = strstr(xml, "rig-type=\"armature\"") != NULL;
    if (armature && strstr(xml, "<mesh/>"))
        fail_msg("%s: an armature with an empty mesh", path);
    const char *text = strstr(xml, "<anim "), *end = strstr(xml, "</anim>");
    if (!text || !end)
        return;
    if (strncmp(text, "<anim fps=\"", 11) != 0 || !strstr(text, "\" start-time=\""))
        fail_msg("%s: %.40s", path, text);
    text = strchr(text, '>') + 1;
    check_spaces(path, text, end);
    check_entries(path, text, end, 1 + bones + parts + count_of(xml, all, "<override_channel "));
}

/* A version, an encoder, and an offset of three integers. */
static void check_about(archive_file *f, const char *path, const char *text, size_t size,
                        bool of_world)
{
    rp_arena arena;
    rp_arena_init(&arena, &f->context);
    rp_doc doc = {.arena = &arena, .error = &f->error};
    reprise_value *about = NULL;
    expect_ok(rp_json_parse(&doc, text, size, path, &about, NULL), &f->error, path);
    assert_string_equal(reprise_value_text(reprise_value_get(about, "version"), NULL), "0.3.0");
    assert_non_null(reprise_value_text(reprise_value_get(about, "encoder"), NULL));
    const reprise_value *offset = reprise_value_get(about, "offset");
    for (size_t i = 0; i < 3 && !of_world; i++)
        assert_int_equal(reprise_value_kind_of(reprise_value_at(offset, i)), REPRISE_VALUE_INT);
    rp_arena_free(&arena);
}

/* Corners come first, then their textures and normals, then faces. */
static void check_obj(const char *path, const char *text)
{
    static const char *const words[] = {"v ", "vt ", "vn "};
    size_t stage = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t of = 3;
        for (size_t i = 0; i < 3; i++)
            of = strncmp(line, words[i], strlen(words[i])) == 0 ? i : of;
        if (*line && of < stage)
            fail_msg("%s: '%.20s' too late in a mesh", path, line);
        stage = *line ? of : stage;
    }
}

/* Offsets of colours have eight bits, and the add-on does not recover more. */
static void check_colours(const char *path, const bytes *nbt)
{
    static const char head[] = "\x07\x00\x0c"
                               "colorPalette";
    for (size_t i = 0; i + sizeof head + 4 < nbt->size; i++) {
        const unsigned char *p = nbt->data + i;
        if (memcmp(p, head, sizeof head - 1) != 0)
            continue;
        p += sizeof head - 1;
        size_t size = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        if (size % 3 || size > 3 * 85)
            fail_msg("%s: %zu bytes of colours in a section", path, size);
    }
}

static void check_material(archive_file *f, const char *path, const char *text, size_t size)
{
    static const char *const colours[] = {"color", "color2", "emission", "normal"};
    rp_arena arena;
    rp_arena_init(&arena, &f->context);
    rp_doc doc = {.arena = &arena, .error = &f->error};
    reprise_value *material = NULL;
    expect_ok(rp_json_parse(&doc, text, size, path, &material, NULL), &f->error, path);
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) {
        const reprise_value *colour = reprise_value_get(material, colours[i]);
        if (colour && reprise_value_kind_of(colour) != REPRISE_VALUE_STRING)
            fail_msg("%s: %s is no texture", path, colours[i]);
    }
    if (reprise_value_get(material, "transparent") ||
        reprise_value_get(material, "useVertexColors"))
        fail_msg("%s: an old key", path);
    rp_arena_free(&arena);
}

static void check_archive(const char *path, const bytes *file);

static void check_member(archive_file *f, const char *path, const char *name, const bytes *content)
{
    const char *text = (const char *)content->data;
    size_t size = content->size - 1;
    bool of_world = rp_zip_find(f->zip, "world.dat") >= 0;
    if (name[strlen(name) - 1] == '/')
        fail_msg("%s: %s is a directory", path, name);
    if (strncmp(name, "entities/", 9) == 0)
        check_entity(path, text, size);
    else if (strncmp(name, "mat/", 4) == 0)
        check_material(f, path, text, size);
    else if (strncmp(name, "mesh/", 5) == 0)
        check_obj(path, text);
    else if (strcmp(name, "meta.json") == 0)
        check_about(f, path, text, size, of_world);
    else if (strcmp(name, "world.vcap") == 0)
        check_archive(path, &(bytes){.data = content->data, .size = size});
    else if (strcmp(name, "world.dat") == 0)
        check_colours(path, content);
}

static void check_archive(const char *path, const bytes *file)
{
    archive_file f;
    open_archive(&f, file);
    bool of_world = rp_zip_find(f.zip, "world.dat") >= 0;
    assert_true(rp_zip_find(f.zip, "meta.json") >= 0);
    assert_true(rp_zip_find(f.zip, of_world ? "mesh/empty.obj" : "world.vcap") >= 0);
    for (size_t i = 0; i < rp_zip_count(f.zip); i++) {
        bytes content = member_of(&f, i);
        check_member(&f, path, rp_zip_entry_at(f.zip, i)->name, &content);
        bytes_free(&content);
    }
    close_archive(&f);
}

/* The add-on fails where a frame names a model without a mesh. */
static void check_models(const char *path, const bytes *file)
{
    reprise_replay *replay = open_data(file->data, file->size);
    reprise_verify_summary summary;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    const reprise_value *findings = reprise_value_get(summary.document, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *id = reprise_value_get(reprise_value_at(findings, i), "id");
        const char *name = reprise_value_text(id, NULL);
        if (strcmp(name, "mcreplay.model-missing") == 0 || strcmp(name, "mcreplay.no-world") == 0)
            fail_msg("%s: %s", path, name);
    }
    reprise_close(replay);
}

static void addon_loads(const sample *s)
{
    reprise_replay *original = open_data(s->data, s->size);
    if (!original)
        return;
    bytes result = rewritten(original, NULL);
    if (result.size) {
        check_archive(s->path, &result);
        check_models(s->path, &result);
    }
    bytes_free(&result);
    reprise_close(original);
}

static void mcreplay_24__files_are_as_the_addon_wants_them(void **state)
{
    (void)state;
    walk_samples("tests/data/mcreplay", addon_loads);
}

static const reprise_value *row_document(reprise_replay *replay, rp_doc *doc, const char *track,
                                         const char *id)
{
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << reprise_track_find(replay, track);
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_row_text_options format = {.struct_size = sizeof format};
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, track);
    reprise_value *found = NULL;
    while (!found && reprise_rows_next(rows, &error) == REPRISE_OK) {
        const char *text = NULL;
        size_t size = 0;
        expect_ok(reprise_row_format(rows, &format, &text, &size, &error), &error, track);
        reprise_value *row = NULL;
        expect_ok(rp_json_parse(doc, text, size, track, &row, NULL), &error, track);
        if (strcmp(reprise_value_text(reprise_value_get(row, "id"), NULL), id) == 0)
            found = row;
    }
    reprise_rows_close(rows);
    assert_non_null(found);
    return found;
}

static void mcreplay_24__colours_become_textures_of_one_pixel(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/mcreplay/materials_full.replay");
    reprise_replay *original = open_data(s.data, s.size);
    bytes result = rewritten(original, NULL);
    archive_file f;
    open_archive(&f, &result);
    rp_arena arena;
    rp_arena_init(&arena, &f.context);
    rp_doc doc = {.arena = &arena, .error = &f.error};
    reprise_replay *written = open_data(result.data, result.size);
    static const struct {
        const char *material, *attribute, *texture;
        unsigned char pixel[3];
    } wanted[] = {
        {"all/vector", "color", "reprise/rgb_1a334d", {0x1A, 0x33, 0x4D}},
        {"all/vector", "color2", "reprise/rgb_ff8040", {0xFF, 0x80, 0x40}},
        {"all/vector", "emission", "reprise/rgb_ff0000", {0xFF, 0, 0}},
        {"all/scalar", "color", "reprise/rgb_808080", {0x80, 0x80, 0x80}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char name[64], value[64];
        snprintf(name, sizeof name, "mat/%s.json", wanted[i].material);
        snprintf(value, sizeof value, "\"%s\":\"%s\"", wanted[i].attribute, wanted[i].texture);
        bytes material = member_of(&f, (size_t)rp_zip_find(f.zip, name));
        assert_non_null(strstr((const char *)material.data, value));
        bytes_free(&material);
        snprintf(name, sizeof name, "tex/%s.png", wanted[i].texture);
        int64_t entry = rp_zip_find(f.zip, name);
        assert_true(entry >= 0);
        bytes png = member_of(&f, (size_t)entry);
        /* 8 of the signature, 25 of the head, 8 and 7 before the line, its filter. */
        assert_memory_equal(png.data + 8 + 25 + 8 + 7 + 1, wanted[i].pixel, 3);
        bytes_free(&png);
        const reprise_value *row = row_document(written, &doc, "textures", wanted[i].texture);
        assert_int_equal(reprise_value_int(reprise_value_get(row, "width"), 0), 1);
    }
    rp_arena_free(&arena);
    close_archive(&f);
    reprise_close(written);
    reprise_close(original);
    bytes_free(&result);
    free(s.data);
}

/* ---- cuts ---- */

static size_t frames_at(reprise_replay *replay, double time, char *to, size_t size)
{
    const reprise_value *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_at(replay, (reprise_moment){.time = time}, &at, &error), REPRISE_OK);
    size_t used = 0;
    static const char *const columns[] = {"pos_x", "pos_y", "rot_w", "rot_y"};
    const reprise_value *parts = reprise_value_get(at, "parts");
    for (size_t i = 0; i < reprise_value_count(parts); i++) {
        for (size_t k = 0; k < 4; k++) {
            const reprise_value *value = reprise_value_get(reprise_value_at(parts, i), columns[k]);
            int n = snprintf(to + used, size - used, "%a ", reprise_value_double(value, 0));
            assert_true(n > 0 && (size_t)n < size - used);
            used += (size_t)n;
        }
    }
    return used;
}

static void mcreplay_26__a_cut_shows_what_the_whole_shows(void **state)
{
    (void)state;
    static const char *const names[] = {"multipart_basic", "armature_basic", "omission_rules"};
    static const double ranges[][2] = {{0.3, 0.9}, {0, 0.5}, {0.7, 100}};
    enum { TEXT_MAX = 1 << 16 };
    char *whole = malloc(TEXT_MAX), *part = malloc(TEXT_MAX);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char path[128];
        snprintf(path, sizeof path, "tests/data/mcreplay/%s.replay", names[n]);
        sample s = load_sample(path);
        reprise_replay *original = open_data(s.data, s.size);
        for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
            bytes cut = rewritten(original, ranges[r]);
            assert_true(cut.size > 0);
            reprise_replay *result = open_data(cut.data, cut.size);
            assert_non_null(result);
            /* A cut begins with the first frame at or after its start: within one frame. */
            for (double time = ranges[r][0] + 0.05; time < ranges[r][1] && time < 1.2;
                 time += 0.05) {
                size_t a = frames_at(original, time + 0.001, whole, TEXT_MAX);
                size_t b = frames_at(result, time + 0.001, part, TEXT_MAX);
                if (a != b || memcmp(whole, part, a) != 0)
                    fail_msg("%s cut at %g shows something else at %g", path, ranges[r][0], time);
            }
            reprise_close(result);
            free(cut.data);
        }
        reprise_close(original);
        free(s.data);
    }
    free(whole);
    free(part);
}

/* ---- damage ---- */

static size_t frames_of(reprise_replay *replay)
{
    reprise_verify_summary summary;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    assert_int_equal(summary.faults, 0);
    const reprise_value *rows = reprise_value_get(summary.document, "rows");
    return (size_t)reprise_value_int(reprise_value_get(rows, "frames"), -1);
}

/* An archive of ours, whose local headers have sizes, loses only what follows the cut. */
static void mcreplay__whole_frames_are_recovered(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/mcreplay/multipart_basic.replay");
    reprise_replay *original = open_data(s.data, s.size);
    size_t all = frames_of(original), most = 0;
    bytes whole = rewritten(original, NULL);
    size_t steps = 0;
    for (size_t size = whole.size / 40; size <= whole.size; size += whole.size / 40) {
        TEST_OPTIONS(options);
        reprise_options_set_salvage(options, true, NULL);
        reprise_replay *damaged = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_memory(whole.data, size, options, &damaged, &error),
                         REPRISE_OK);
        bytes result = {0};
        reprise_sink sink = {.ctx = &result, .write = bytes_write};
        reprise_write_options how = REPRISE_WRITE_INIT;
        how.sink = &sink;
        const reprise_value *report = NULL;
        assert_int_equal(reprise_recover(damaged, &how, &report, &error), REPRISE_OK);
        reprise_replay *sound = open_data(result.data, result.size);
        assert_non_null(sound);
        size_t frames = frames_of(sound);
        assert_true(frames >= most && frames <= all);
        steps += frames > most;
        most = frames;
        reprise_close(sound);
        reprise_close(damaged);
        free(result.data);
    }
    /* Cut more often than entities become complete: cut entities keep their complete frames. */
    assert_true(most > all / 2 && steps > 6);
    reprise_close(original);
    free(whole.data);
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mcreplay_24__files_are_as_the_addon_wants_them),
        cmocka_unit_test(mcreplay_24__colours_become_textures_of_one_pixel),
        cmocka_unit_test(mcreplay_25__writing_keeps_everything),
        cmocka_unit_test(mcreplay_26__a_cut_shows_what_the_whole_shows),
        cmocka_unit_test(mcreplay__whole_frames_are_recovered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
