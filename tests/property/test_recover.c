/*
 * test_recover.c - samples of different layouts, cut at every byte: each frame whose bytes are
 * wholly there is in the result, which reads to its end. What is there is counted by decompressing
 * the cut data here, without the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <brotli/decode.h>
#include <cmocka.h>
#include <zlib.h>

#include "laws.h"
#include "samples.h"

enum { STREAM_MAX = 1 << 20, FRAMES_MAX = 4096, KEPT_FRAMES = 8 };

/* Where the frames of a whole file are. */
typedef struct map {
    bool zip;
    size_t stream_offset, stream_size; /* of the compressed data in the file */
    size_t ends[FRAMES_MAX];           /* of frames in the decompressed data */
    size_t frames;
} map;

/* ---- what is there ---- */

static size_t unbrotli(const unsigned char *data, size_t size)
{
    static unsigned char to[STREAM_MAX];
    unsigned char *out = to;
    size_t room = sizeof to;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    BrotliDecoderDecompressStream(state, &size, &data, &room, &out, NULL);
    BrotliDecoderDestroyInstance(state);
    return sizeof to - room;
}

static size_t ungzip(const unsigned char *data, size_t size)
{
    static unsigned char to[STREAM_MAX];
    z_stream state = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    assert_int_equal(inflateInit2(&state, 31), Z_OK);
    state.next_out = to;
    state.avail_out = sizeof to;
    inflate(&state, Z_SYNC_FLUSH);
    size_t made = sizeof to - state.avail_out;
    inflateEnd(&state);
    return made;
}

static size_t frames_there(const map *m, const unsigned char *data, size_t size)
{
    if (size <= m->stream_offset)
        return 0;
    size_t left = size - m->stream_offset;
    left = left < m->stream_size ? left : m->stream_size;
    size_t made = m->zip ? unbrotli(data + m->stream_offset, left)
                         : ungzip(data + m->stream_offset, left);
    size_t frames = 0;
    while (frames < m->frames && m->ends[frames] <= made)
        frames++;
    return frames;
}

/* ---- the whole file ---- */

static void find_stream(const bytes *file, reprise_replay *replay, map *m)
{
    if (!m->zip) {
        m->stream_offset = 12;
        m->stream_size = file->size - 12;
        return;
    }
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        if (strcmp(reprise_blob_at(replay, i)->kind, "stream") != 0)
            continue;
        bytes blob = {0};
        reprise_sink sink = {.ctx = &blob, .write = bytes_write};
        reprise_error error = REPRISE_ERROR_INIT;
        expect_ok(reprise_blob_read(replay, i, &sink, &error), &error, "blob");
        for (size_t at = 0; at + blob.size <= file->size; at++) {
            if (memcmp(file->data + at, blob.data, blob.size) == 0)
                m->stream_offset = at;
        }
        m->stream_size = blob.size;
        bytes_free(&blob);
    }
    assert_true(m->stream_size > 0);
}

/* Ends of frames follow from their sizes, counted back from the end for legacy files. */
static map map_of(const bytes *file)
{
    static map m;
    m = (map){.zip = memcmp(file->data, "PK", 2) == 0};
    reprise_replay *replay = open_bytes(file, false);
    find_stream(file, replay, &m);
    reprise_rows_options options = REPRISE_ROWS_INIT;
    int track = reprise_track_find(replay, "frames");
    options.tracks = UINT64_C(1) << track;
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_rows_open(replay, &options, &rows, &error), &error, "rows");
    bool sized = m.zip && strcmp(reprise_layout(replay), "z2") != 0;
    size_t at = m.zip ? 4 : 0;
    while (reprise_rows_next(rows, &error) == REPRISE_OK) {
        at += (size_t)reprise_row_int(rows, 2) + (sized ? 4 : 0);
        m.ends[m.frames++] = at;
    }
    reprise_rows_close(rows);
    reprise_close(replay);
    if (!m.zip) {
        size_t header = ungzip(file->data + 12, file->size - 12) - at;
        for (size_t i = 0; i < m.frames; i++)
            m.ends[i] += header;
    }
    return m;
}

/* ---- recovering ---- */

static int64_t frames_in(const bytes *file)
{
    reprise_replay *replay = open_bytes(file, false);
    reprise_verify_summary summary;
    reprise_error error = REPRISE_ERROR_INIT;
    expect_ok(reprise_verify(replay, NULL, NULL, &summary, &error), &error, "verify");
    assert_int_equal(summary.faults, 0);
    assert_int_equal(summary.warnings, 0);
    const reprise_value *rows = reprise_value_get(summary.document, "rows");
    int64_t frames = reprise_value_int(reprise_value_get(rows, "frames"), -1);
    reprise_close(replay);
    return frames;
}

/* The number of frames, or -1 if nothing could be had. */
static int64_t recover_cut(const bytes *file, size_t size)
{
    reprise_options options;
    reprise_options_init(&options);
    options.salvage = true;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, file->data, size);
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    const reprise_value *report = NULL;
    reprise_status status = reprise_open_memory(copy, size, &options, &replay, &error);
    if (status == REPRISE_OK)
        status = reprise_recover(replay, &writing, &report, &error);
    reprise_close(replay);
    free(copy);
    if (status != REPRISE_OK)
        assert_int_equal(result.size, 0);
    int64_t frames = status == REPRISE_OK ? frames_in(&result) : -1;
    bytes_free(&result);
    return frames;
}

static void sweep(const char *name, const bytes *file)
{
    map m = map_of(file);
    for (size_t size = 0; size <= file->size; size++) {
        size_t wanted = frames_there(&m, file->data, size);
        int64_t given = recover_cut(file, size);
        if (given < (int64_t)wanted && !(given < 0 && wanted == 0))
            fail_msg("%s cut at %zu: %zu frames are there, %lld were kept", name, size, wanted,
                     (long long)given);
        if (given > (int64_t)m.frames)
            fail_msg("%s cut at %zu: %lld frames of %zu", name, size, (long long)given, m.frames);
    }
}

/* The first frames of a sample in a layout: small enough to be cut at every byte. */
static void sweep_layout(const char *path, const char *layout)
{
    sample s = load_sample(path);
    bytes original = {.data = s.data, .size = s.size};
    bytes whole = changed(&original, (change){.convert = layout});
    bytes few = changed(&whole, (change){.trim = true, .from = 0, .to = KEPT_FRAMES - 1});
    sweep(path, &few);
    bytes_free(&few);
    bytes_free(&whole);
    free(s.data);
}

static void recover__l1_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_layout("tests/data/rumble/l1_published_spec.replay", "l1");
}

static void recover__z4_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_layout("tests/data/rumble/z4_published_spec.replay", "z4");
}

static void recover__z5_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_layout("tests/data/rumble/z5_park_like_animator.replay", "z5");
}

static void sweep_sample(const char *path)
{
    sample s = load_sample(path);
    bytes original = {.data = s.data, .size = s.size};
    sweep(path, &original);
    free(s.data);
}

static void recover__z6_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/z6_edge.replay");
}

static void recover__z4p_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/z4p_edge.replay");
}

static void recover_whole(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    if (!strstr(s->path, "/bad/"))
        law_recovers_whole_files(s->path, &file);
}

static void recover__undamaged_files_are_left_alone(void **state)
{
    (void)state;
    walk_samples("tests/data/rumble", recover_whole);
}

/* Any flipped bit: cleanly refused, or a result that verifies. */
static void recover__flipped_bits_give_sound_files_or_nothing(void **state)
{
    (void)state;
    sample s = load_sample("tests/data/rumble/z6_edge.replay");
    bytes file = {.data = s.data, .size = s.size};
    for (size_t i = 0; i < s.size; i++) {
        s.data[i] ^= (unsigned char)(1u << (i % 8));
        recover_cut(&file, s.size);
        s.data[i] ^= (unsigned char)(1u << (i % 8));
    }
    free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recover__l1_cut_at_every_byte),
        cmocka_unit_test(recover__z4_cut_at_every_byte),
        cmocka_unit_test(recover__z5_cut_at_every_byte),
        cmocka_unit_test(recover__z6_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z4p_sample_cut_at_every_byte),
        cmocka_unit_test(recover__undamaged_files_are_left_alone),
        cmocka_unit_test(recover__flipped_bits_give_sound_files_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
