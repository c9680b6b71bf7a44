/*
 * test_rumble_damage.c - what damage in RUMBLE files may cost: a hole in the stream what comes
 * after it, a bad index its entry, a bad size a message about its frame; and never the layout.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <brotli/decode.h>
#include <cmocka.h>

#include "reprise/write.h"
#include "rumble.h"
#include "written.h"
#include "zip_builder.h"

/* ---- files ---- */

typedef struct maker {
    rp_context context;
    reprise_error error;
    rp_writer w;
} maker;

static void maker_init(maker *m)
{
    rp_context_init(&m->context, NULL);
    m->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_writer_init(&m->w, &m->context, SIZE_MAX / 2, &m->error);
    rp_put_text(&m->w, "RPLY");
}

static blob text_blob(const char *text)
{
    return (blob){(uint8_t *)(uintptr_t)text, strlen(text)};
}

static bytes archive_of(const char *manifest, blob packed)
{
    item items[2] = {{.name = "replay", .content = packed},
                     {.name = "manifest.json", .content = text_blob(manifest ? manifest : "")}};
    archive a = {.items = items, .count = manifest ? 2 : 1};
    blob file = make_archive(&a);
    return (bytes){.data = file.data, .size = file.size, .capacity = file.size};
}

static bytes file_of(const char *manifest, const rp_writer *stream)
{
    blob packed = pack_brotli((blob){stream->data, stream->size});
    bytes file = archive_of(manifest, packed);
    free(packed.data);
    return file;
}

/* The position of an object, as an entry with sizes of so many bytes. */
static void put_position(rp_writer *w, uint8_t type, uint32_t index, unsigned width, float x)
{
    rp_put_u8(w, type);
    rp_put_u32(w, index);
    rp_put_u32(w, 1 + width + 12);
    rp_put_u8(w, 0);
    rp_put_u8(w, 12);
    if (width == 2)
        rp_put_u8(w, 0);
    rp_put_f32(w, x);
    rp_put_f32(w, x / 3);
    rp_put_f32(w, -x);
}

static size_t begin_frame(rp_writer *w, float time, uint32_t entries)
{
    size_t slot = rp_slot_begin(w);
    rp_put_f32(w, time);
    rp_put_u32(w, entries);
    return slot;
}

/* ---- reading ---- */

typedef struct rows {
    size_t frames, players;
    int64_t last_frame; /* of the last player row */
    double x;           /* there */
    size_t in_order; /* player rows up to the first that is not x = frame + 1 of the next frame */
    reprise_error error;
} rows;

static rows read_rows(const bytes *file, bool salvage, const char *object)
{
    rows r = {.last_frame = -1, .error = REPRISE_ERROR_INIT};
    reprise_replay *replay = open_bytes(file, salvage);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    size_t frames = (size_t)reprise_track_find(replay, "frames");
    size_t players = (size_t)reprise_track_find(replay, object);
    options.tracks = UINT64_C(1) << frames | UINT64_C(1) << players;
    expect_ok(reprise_rows_open(replay, &options, &at, &error), &error, "rows");
    const char *column = strcmp(object, "players") == 0 ? "rig_pos_x" : "pos_x";
    while (reprise_rows_next(at, &r.error) == REPRISE_OK) {
        size_t track = reprise_row_track(at);
        r.frames += track == frames;
        if (track != players)
            continue;
        int64_t frame = reprise_row_int(at, 0);
        for (size_t c = 0; c < reprise_column_count(replay, track); c++) {
            if (strcmp(reprise_column_at(replay, track, c)->name, column) == 0)
                r.x = reprise_row_double(at, c);
        }
        bool next = frame == r.last_frame + 1 && r.x == (double)(frame + 1);
        r.in_order += r.in_order == r.players && next;
        r.last_frame = frame;
        r.players++;
    }
    reprise_rows_close(at);
    reprise_close(replay);
    return r;
}

static bool found(const reprise_value *document, const char *id)
{
    const reprise_value *findings = reprise_value_get(document, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_get(reprise_value_at(findings, i), "id");
        if (strcmp(reprise_value_text(one, NULL), id) == 0)
            return true;
    }
    return false;
}

/* ---- holes ---- */

enum { HOLE = 4096, LONG = 4000, NOISE = 40 };

/* A match that does not compress well: a player who moves, and noise of a mod. */
static void put_noisy_match(rp_writer *w, uint32_t frames)
{
    uint32_t noise = 1;
    for (uint32_t i = 0; i < frames; i++) {
        size_t slot = begin_frame(w, (float)i * 0.02f, 2);
        put_position(w, RUMBLE_CHUNK_PLAYER, 0, 2, (float)(i + 1));
        rp_put_u8(w, RUMBLE_CHUNK_EXTENSION);
        rp_put_u32(w, 7);
        rp_put_u32(w, 0);
        rp_put_u32(w, NOISE);
        for (size_t k = 0; k < NOISE; k++) {
            noise = noise * 1664525 + 1013904223;
            rp_put_u8(w, (uint8_t)(noise >> 24 & 63));
        }
        rp_slot_end(w, slot);
    }
}

enum { FRAME_SIZE = 4 + 8 + 9 + 15 + 13 + NOISE };

/* How many frames are wholly there before an offset of the compressed data. */
static size_t frames_before(const uint8_t *packed, size_t size)
{
    size_t room = 8 + LONG * FRAME_SIZE, all = room;
    uint8_t *out = malloc(room), *to = out;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    BrotliDecoderSetParameter(state, BROTLI_DECODER_PARAM_DISABLE_RING_BUFFER_REALLOCATION, 0);
    BrotliDecoderDecompressStream(state, &size, &packed, &room, &to, NULL);
    BrotliDecoderDestroyInstance(state);
    free(out);
    return (all - room - 4) / FRAME_SIZE;
}

static void try_hole(const uint8_t *packed, size_t size, unsigned percent, int fill)
{
    char manifest[128];
    snprintf(manifest, sizeof manifest,
             "{\"Version\":\"1.2.4\",\"FrameCount\":%d,\"ScenePropCount\":0,\"Players\":[{}]}",
             LONG);
    size_t at = size / 100 * percent;
    uint8_t *holed = malloc(size);
    memcpy(holed, packed, size);
    for (size_t i = 0; i < HOLE; i++)
        holed[at + i] = fill >= 0 ? (uint8_t)fill : (uint8_t)(i * 167 + (i >> 5));
    size_t before = frames_before(packed, at);
    assert_true(before > 0 && before < LONG);
    bytes file = archive_of(manifest, (blob){holed, size});
    rows shown = read_rows(&file, false, "players");
    if (shown.in_order < before)
        fail_msg("cat, hole at %u %%: %zu of %zu frames", percent, shown.in_order, before);
    assert_int_not_equal(shown.error.status, REPRISE_OK);
    bytes kept = changed(&file, (change){.recover = true});
    rows recovered = read_rows(&kept, false, "players");
    if (recovered.in_order < before)
        fail_msg("recover, hole at %u %%: %zu of %zu frames", percent, recovered.in_order, before);
    bytes_free(&kept);
    bytes_free(&file);
    free(holed);
}

static void rumble__a_hole_costs_only_what_is_after_it(void **state)
{
    (void)state;
    static const int windows[] = {20, 22, 24}, fills[] = {0, 255, -1};
    static const unsigned places[] = {10, 50, 90};
    maker m;
    maker_init(&m);
    put_noisy_match(&m.w, LONG);
    for (size_t w = 0; w < RP_COUNT(windows); w++) {
        size_t size = BrotliEncoderMaxCompressedSize(m.w.size);
        uint8_t *packed = malloc(size);
        assert_true(BrotliEncoderCompress(5, windows[w], BROTLI_MODE_GENERIC, m.w.size, m.w.data,
                                          &size, packed));
        for (size_t p = 0; p < RP_COUNT(places); p++)
            try_hole(packed, size, places[p], fills[(w + p) % RP_COUNT(fills)]);
        free(packed);
    }
    rp_writer_free(&m.w);
}

/* ---- what `info` costs ---- */

typedef struct counted_source {
    const bytes *file;
    uint64_t read;
} counted_source;

static int64_t count_read(void *ctx, uint64_t offset, void *to, size_t size)
{
    counted_source *c = ctx;
    if (offset >= c->file->size)
        return 0;
    size_t n = RP_MIN(size, c->file->size - (size_t)offset);
    memcpy(to, c->file->data + offset, n);
    c->read += n;
    return (int64_t)n;
}

typedef struct info_cost {
    uint64_t read; /* bytes of the file */
    uint64_t rows; /* data of other mods, which every frame has */
    bool complete;
} info_cost;

static info_cost cost_of_info(uint32_t frames)
{
    char manifest[160];
    snprintf(manifest, sizeof manifest,
             "{\"Version\":\"1.2.4\",\"Duration\":%u.98,\"FrameCount\":%u,\"ScenePropCount\":0,"
             "\"Players\":[{}]}",
             frames / 50 - 1, frames);
    maker m;
    maker_init(&m);
    put_noisy_match(&m.w, frames);
    bytes file = file_of(manifest, &m.w);
    counted_source counted = {.file = &file};
    reprise_source source = {.ctx = &counted, .size = file.size, .read = count_read};
    reprise_replay *replay = NULL;
    const reprise_value *info = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_open_source(&source, NULL, &replay, &error), &error, "open");
    expect_ok(reprise_info(replay, &info, &error), &error, "info");
    assert_int_equal(reprise_value_uint(reprise_value_get(info, "frames"), 0), frames);
    const reprise_value *list = reprise_value_get(info, "private");
    info_cost cost = {.read = counted.read};
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        if (strcmp(reprise_value_text(reprise_value_get(one, "kind"), NULL), "extensions") == 0)
            cost.rows = reprise_value_uint(reprise_value_get(one, "count"), 0);
    }
    cost.complete = reprise_value_bool(reprise_value_get(info, "private_complete"), true);
    reprise_close(replay);
    bytes_free(&file);
    rp_writer_free(&m.w);
    return cost;
}

/* The header says how long a match is, so only its beginning is decoded. */
static void rumble__info_reads_the_beginning_of_a_long_match(void **state)
{
    (void)state;
    enum { SECOND = 50, TEN_MINUTES = 600 * SECOND, PIECE = 1 << 16, ROWS_MAX = 128 };
    info_cost one_second = cost_of_info(SECOND), ten_minutes = cost_of_info(TEN_MINUTES);
    assert_true(one_second.complete);
    assert_int_equal(one_second.rows, SECOND);
    assert_false(ten_minutes.complete);
    assert_in_range(ten_minutes.rows, 1, ROWS_MAX);
    /* Twice the end of the archive, and the first piece of the member for each walk. */
    assert_in_range(ten_minutes.read, 1, 8 * PIECE);
}

/* ---- without a manifest ---- */

enum { SHORT = 20 };

/* Extensions of the one day without SubIndex, before and between two players. */
static void put_day_match(rp_writer *w)
{
    for (uint32_t i = 0; i < SHORT; i++) {
        static const uint8_t payload[] = {200, 1, 2, 3, 4, 5, 6};
        size_t slot = begin_frame(w, (float)i, 4);
        for (uint32_t player = 0; player < 2; player++) {
            rp_put_u8(w, RUMBLE_CHUNK_EXTENSION);
            rp_put_u32(w, 0x5B9DE5BF);
            rp_put_u32(w, sizeof payload);
            rp_put(w, payload, sizeof payload);
            put_position(w, RUMBLE_CHUNK_PLAYER, player, 1, (float)(i + 1));
        }
        rp_slot_end(w, slot);
    }
}

static void rumble__without_manifest_and_sub_index_players_are_kept(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_day_match(&m.w);
    bytes file = file_of(NULL, &m.w), kept = changed(&file, (change){.recover = true});
    rows r = read_rows(&kept, false, "players");
    assert_int_equal(r.error.status, REPRISE_OK);
    assert_int_equal(r.frames, SHORT);
    assert_int_equal(r.players, 2 * SHORT);
    assert_true(r.x == SHORT);
    bytes_free(&kept);
    bytes_free(&file);
    rp_writer_free(&m.w);
}

/* ---- one bad number ---- */

static const char match_manifest[] =
    "{\"Version\":\"1.2.4\",\"FrameCount\":20,\"ScenePropCount\":0,\"Players\":[{},{}],"
    "\"Structures\":[{\"Type\":1},{\"Type\":2}]}";

/*
 * A match of two players and two structures: all positions in the first frame, then only what
 * moves, which is the second structure. One frame names a player who is not there.
 */
static void put_match(rp_writer *w, uint32_t bad_frame, uint32_t bad_index)
{
    for (uint32_t i = 0; i < SHORT; i++) {
        bool bad = i == bad_frame;
        size_t slot = begin_frame(w, (float)i, (i ? 1u : 4u) + (i && bad ? 1u : 0u));
        if (!i) {
            put_position(w, RUMBLE_CHUNK_STRUCTURE, 0, 2, 100);
            put_position(w, RUMBLE_CHUNK_PLAYER, bad ? bad_index : 0, 2, 5);
            put_position(w, RUMBLE_CHUNK_PLAYER, 1, 2, 6);
        } else if (bad) {
            put_position(w, RUMBLE_CHUNK_PLAYER, bad_index, 2, 5);
        }
        put_position(w, RUMBLE_CHUNK_STRUCTURE, 1, 2, (float)(i + 1));
        rp_slot_end(w, slot);
    }
}

/* The state of an object in the last frame. */
static double last_position(const bytes *file, const char *track, size_t object)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at = NULL;
    expect_ok(reprise_at(replay, (reprise_moment){.time = 1e9}, &at, &error), &error, "at");
    const reprise_value *row = reprise_value_at(reprise_value_get(at, track), object);
    const char *name = strcmp(track, "players") == 0 ? "rig_pos_x" : "pos_x";
    double x = reprise_value_double(reprise_value_get(row, name), -1);
    reprise_close(replay);
    return x;
}

static const uint32_t bad_indices[] = {2, 99, 1048832, UINT32_MAX};
static const uint32_t bad_frames[] = {0, 1, 7, SHORT - 1};

static void rumble__a_bad_index_costs_its_entry_not_the_frame(void **state)
{
    (void)state;
    for (size_t f = 0; f < RP_COUNT(bad_frames); f++) {
        for (size_t i = 0; i < RP_COUNT(bad_indices); i++) {
            maker m;
            maker_init(&m);
            put_match(&m.w, bad_frames[f], bad_indices[i]);
            bytes file = file_of(match_manifest, &m.w);
            bytes kept = changed(&file, (change){.recover = true});
            rows r = read_rows(&kept, false, "structures");
            assert_int_equal(r.error.status, REPRISE_OK);
            assert_int_equal(r.frames, SHORT);
            assert_int_equal(r.players, SHORT + 1); /* one more in the first frame */
            assert_true(last_position(&kept, "structures", 0) == 100);
            assert_true(last_position(&kept, "structures", 1) == SHORT);
            assert_true(last_position(&kept, "players", 0) == (bad_frames[f] ? 5 : 0));
            assert_true(last_position(&kept, "players", 1) == 6);
            bytes_free(&kept);
            bytes_free(&file);
            rp_writer_free(&m.w);
        }
    }
}

/* Verifies a file: its layout, and where the one fault is said to be. */
static void expect_fault(const bytes *file, const char *layout, const char *path)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary;
    expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
    assert_string_equal(reprise_layout(replay), layout);
    assert_true(summary.faults > 0);
    const reprise_value *findings = reprise_value_get(summary.document, "findings");
    bool named = false;
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *one = reprise_value_get(reprise_value_at(findings, i), "path");
        named = named || strstr(reprise_value_text(one, NULL), path);
    }
    if (!named) {
        const reprise_value *one = reprise_value_at(findings, 0);
        fail_msg("not at %s but at %s: %s", path,
                 reprise_value_text(reprise_value_get(one, "path"), NULL),
                 reprise_value_text(reprise_value_get(one, "message"), NULL));
    }
    reprise_close(replay);
}

static void rumble__a_bad_index_keeps_the_layout_and_is_named(void **state)
{
    (void)state;
    for (size_t f = 0; f < RP_COUNT(bad_frames); f++) {
        for (size_t i = 0; i < RP_COUNT(bad_indices); i++) {
            maker m;
            maker_init(&m);
            put_match(&m.w, bad_frames[f], bad_indices[i]);
            bytes file = file_of(match_manifest, &m.w);
            char path[64];
            snprintf(path, sizeof path, "frames[%u].entries[%d]", bad_frames[f],
                     bad_frames[f] ? 0 : 1);
            expect_fault(&file, "z6", path);
            rows r = read_rows(&file, false, "structures");
            assert_int_equal(r.frames, bad_frames[f]);
            char message[64];
            snprintf(message, sizeof message, "player %d of 2", (int)bad_indices[i]);
            assert_string_equal(r.error.message, message);
            bytes_free(&file);
            rp_writer_free(&m.w);
        }
    }
}

static void rumble__a_frame_size_off_by_one_keeps_the_layout_and_is_named(void **state)
{
    (void)state;
    enum { FIRST = 4 + 8 + 4 * 24, OTHER = 4 + 8 + 24 };
    for (size_t f = 0; f + 1 < RP_COUNT(bad_frames); f++) {
        for (int by = -1; by <= 1; by += 2) {
            maker m;
            maker_init(&m);
            put_match(&m.w, UINT32_MAX, 0);
            size_t at = 4 + (bad_frames[f] ? FIRST + (bad_frames[f] - 1) * OTHER : 0);
            uint32_t size = (bad_frames[f] ? OTHER : FIRST) - 4;
            assert_int_equal(rp_load32(m.w.data + at), size);
            rp_store32(m.w.data + at, (uint32_t)((int)size + by));
            bytes file = file_of(match_manifest, &m.w);
            char path[64];
            snprintf(path, sizeof path, "frames[%u]", bad_frames[f]);
            expect_fault(&file, "z6", path);
            bytes kept = changed(&file, (change){.recover = true});
            rows r = read_rows(&kept, false, "structures");
            assert_int_equal(r.frames, SHORT);
            assert_int_equal(r.players, SHORT + 1);
            bytes_free(&kept);
            bytes_free(&file);
            rp_writer_free(&m.w);
        }
    }
}

/* ---- versions, effects and rotations ---- */

static void rumble__an_unknown_version_is_mentioned(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool known;
    } versions[] = {{"1.0.0", true},  {"1.0.3", true},   {"1.2.4", true},  {"1.2.5", false},
                    {"1.3.0", false}, {"2.0.0", false},  {"0.9.0", false}, {"next", false},
                    {"1.2", false},   {"1.2.4b", false}, {"", true}};
    for (size_t i = 0; i < RP_COUNT(versions); i++) {
        maker m;
        maker_init(&m);
        char manifest[128];
        snprintf(manifest, sizeof manifest, "{\"Version\":\"%s\",\"FrameCount\":0}",
                 versions[i].version);
        bytes file = file_of(manifest, &m.w);
        reprise_replay *replay = open_bytes(&file, false);
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_value *info = NULL;
        expect_ok(reprise_info(replay, &info, &error), &error, "info");
        if (found(info, "rumble.unknown-version") == versions[i].known)
            fail_msg("'%s' is %s", versions[i].version, versions[i].known ? "known" : "unknown");
        reprise_close(replay);
        bytes_free(&file);
        rp_writer_free(&m.w);
    }
}

static bytes load(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "tests/data/rumble/%s.replay", name);
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    bytes file = {0};
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, from)) > 0;)
        bytes_write(&file, piece, n);
    fclose(from);
    return file;
}

static size_t effects_by_name(const bytes *file)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *at = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    size_t track = (size_t)reprise_track_find(replay, "events"), count = 0;
    options.tracks = UINT64_C(1) << track;
    expect_ok(reprise_rows_open(replay, &options, &at, &error), &error, "rows");
    while (reprise_rows_next(at, &error) == REPRISE_OK) {
        for (size_t c = 0; c < reprise_column_count(replay, track); c++) {
            if (strcmp(reprise_column_at(replay, track, c)->name, "kind") != 0)
                continue;
            size_t size = 0;
            const char *text = reprise_row_text(at, c, &size);
            count += text && size == 9 && memcmp(text, "OneShotFX", 9) == 0;
        }
    }
    reprise_rows_close(at);
    reprise_close(replay);
    return count;
}

static void rumble__one_shot_effects_have_their_name_in_z4p(void **state)
{
    (void)state;
    bytes file = load("z4p_document"), now = changed(&file, (change){.convert = "z6"});
    size_t effects = effects_by_name(&file);
    assert_true(effects > 0);
    assert_int_equal(effects_by_name(&now), effects);
    bytes_free(&file);
    bytes_free(&now);
}

static void rumble__rotations_rounded_from_z4p_are_a_loss(void **state)
{
    (void)state;
    bytes file = load("z4p_document"), result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = &sink;
    options.layout = "z6";
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    reprise_replay *replay = open_bytes(&file, false);
    assert_int_equal(reprise_convert(replay, &options, &report, &error), REPRISE_E_LOSSY);
    assert_non_null(strstr(error.message, "rotations"));
    assert_int_equal(result.size, 0);
    reprise_close(replay);
    bytes_free(&file);
    bytes_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rumble__a_hole_costs_only_what_is_after_it),
        cmocka_unit_test(rumble__info_reads_the_beginning_of_a_long_match),
        cmocka_unit_test(rumble__without_manifest_and_sub_index_players_are_kept),
        cmocka_unit_test(rumble__a_bad_index_costs_its_entry_not_the_frame),
        cmocka_unit_test(rumble__a_bad_index_keeps_the_layout_and_is_named),
        cmocka_unit_test(rumble__a_frame_size_off_by_one_keeps_the_layout_and_is_named),
        cmocka_unit_test(rumble__an_unknown_version_is_mentioned),
        cmocka_unit_test(rumble__one_shot_effects_have_their_name_in_z4p),
        cmocka_unit_test(rumble__rotations_rounded_from_z4p_are_a_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
