/*
 * test_recover.c - samples of different layouts, cut at every byte: every complete frame is in the
 * result, which reads to its end. Complete frames are counted by decompressing the cut data here,
 * without the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <brotli/decode.h>
#include <cmocka.h>
#include <zlib.h>

#include "options.h"
#include "rumble_files.h"

#include "laws.h"
#include "reprise/write.h"
#include "samples.h"
#include "skip.h"

enum { STREAM_MAX = 1 << 20, FRAMES_MAX = 4096 };

/* Where the frames of an undamaged file are. */
typedef struct map {
    bool zip;
    size_t stream_offset, stream_size; /* of the compressed data in the file */
    size_t ends[FRAMES_MAX];           /* of frames in the decompressed data */
    size_t frames;
} map;

/* ---- what is there ---- */

static unsigned char unpacked[STREAM_MAX]; /* what the last of these two made */

static size_t unbrotli(const unsigned char *data, size_t size)
{
    unsigned char *out = unpacked;
    size_t room = sizeof unpacked;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    BrotliDecoderDecompressStream(state, &size, &data, &room, &out, NULL);
    BrotliDecoderDestroyInstance(state);
    return sizeof unpacked - room;
}

static size_t ungzip(const unsigned char *data, size_t size)
{
    z_stream state = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    assert_int_equal(inflateInit2(&state, 31), Z_OK);
    state.next_out = unpacked;
    state.avail_out = sizeof unpacked;
    inflate(&state, Z_SYNC_FLUSH);
    size_t made = sizeof unpacked - state.avail_out;
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

/* ---- the undamaged file ---- */

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
    TEST_OPTIONS(options);
    reprise_options_set_salvage(options, true, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, file->data, size);
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    writing.level = 1; /* thousands of times */
    const reprise_value *report = NULL;
    reprise_status status = reprise_open_memory(copy, size, options, &replay, &error);
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

static void sweep_sample(const char *path)
{
    sample s = load_sample(path);
    bytes original = {.data = s.data, .size = s.size};
    sweep(path, &original);
    free(s.data);
}

static void recover__l1_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/tiny/l1_tiny.replay");
}

static void recover__l2_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/tiny/l2_tiny.replay");
}

static void recover__z2_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/tiny/z2_tiny.replay");
}

static void recover__z3_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/tiny/z3_tiny.replay");
}

static void recover__z4a_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/tiny/z4a_tiny.replay");
}

static void recover__z4_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/tiny/z4_tiny.replay");
}

static void recover__z4p_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/z4p_edge.replay");
}

static void recover__z5_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/z5_empty.replay");
}

static void recover__z6_sample_cut_at_every_byte(void **state)
{
    (void)state;
    sweep_sample("tests/data/rumble/z6_edge.replay");
}

/* All of the larger ones, too: minutes, so only when there is time. */
static void sweep_whole(const sample *s)
{
    bytes file = {.data = s->data, .size = s->size};
    if (!strstr(s->path, "/bad/"))
        sweep(s->path, &file);
}

static void recover__every_sample_cut_at_every_byte(void **state)
{
    (void)state;
    if (!getenv("REPRISE_ROUNDS"))
        SKIP_BECAUSE("every byte takes hours; REPRISE_ROUNDS=1 runs it");
    walk_samples("tests/data/rumble", sweep_whole);
}

/* ---- layouts whose frames have sizes ---- */

static const char *const layouts[] = {"z3", "z4a", "z4", "z4p", "z5", "z6"};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], FEW_FRAMES = 5 };

/* A small one whose frames all hold something. */
static bytes small_file(const char *layout, uint64_t seed, model *m)
{
    choices c = {.state = seed};
    bytes file = {0};
    reprise_sink sink = {.ctx = &file, .write = bytes_write};
    do
        choose_model(&c, layout, m);
    while (m->frames < FEW_FRAMES);
    m->frames = FEW_FRAMES;
    const char *problem = is_written(layout) ? model_record(m, &sink) : model_build(m, &sink);
    if (problem)
        fail_msg("%s: %s", layout, problem);
    return file;
}

/* ---- damage inside the stream ---- */

/* The decompressed stream of a file, to be damaged. */
static bytes stream_of(const bytes *file, const map *m)
{
    bytes stream = {0};
    size_t size = unbrotli(file->data + m->stream_offset, m->stream_size);
    bytes_write(&stream, unpacked, size);
    return stream;
}

/* The same archive around another stream. */
static bytes with_stream(const bytes *file, const bytes *stream)
{
    bytes result = {0};
    reprise_sink to = {.ctx = &result, .write = bytes_write};
    reprise_replay *replay = open_bytes(file, false);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer packed, raw = {.data = stream->data, .size = stream->size};
    rp_writer_init(&packed, &context, SIZE_MAX / 2, &error);
    pack(&packed, &raw, true, &error);
    rp_sink *sink = NULL;
    rp_zip_writer *zip = NULL;
    expect_ok(rp_sink_open_callback(&context, &to, &sink, &error), &error, "sink");
    expect_ok(rp_zip_writer_new(&context, sink, &zip, &error), &error, "zip");
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        const reprise_blob *blob = reprise_blob_at(replay, i);
        bool is_stream = strcmp(blob->kind, "stream") == 0;
        bytes content = {0};
        reprise_sink collect = {.ctx = &content, .write = bytes_write};
        rp_source *source = NULL;
        expect_ok(reprise_blob_read(replay, i, &collect, &error), &error, blob->name);
        expect_ok(rp_source_open_memory(&context, is_stream ? packed.data : content.data,
                                        is_stream ? packed.size : content.size, &source, &error),
                  &error, "member");
        expect_ok(rp_zip_add_stored(zip, blob->name, source, &error), &error, blob->name);
        rp_source_close(source);
        bytes_free(&content);
    }
    expect_ok(rp_zip_finish(zip, &error), &error, "zip");
    rp_zip_writer_free(zip);
    rp_sink_close(sink);
    rp_writer_free(&packed);
    reprise_close(replay);
    return result;
}

/* Opens the damaged file, recovers it and counts the frames it keeps. */
static int64_t recover_damaged(const bytes *file, const bytes *stream, bytes *ret_result)
{
    bytes damaged = with_stream(file, stream);
    *ret_result = changed(&damaged, (change){.recover = true});
    bytes_free(&damaged);
    return frames_in(ret_result);
}

/* A frame whose size is wrong in any way is read by what it holds, and nothing is lost. */
static void recover__wrong_frame_sizes_are_corrected(void **state)
{
    (void)state;
    static model m;
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = small_file(layouts[i], 11, &m);
        map where = map_of(&file);
        bytes whole = in_a_written_layout(&file);
        for (size_t k = 0; k < FEW_FRAMES; k++) {
            size_t start = k ? where.ends[k - 1] : 4;
            uint32_t size = (uint32_t)(where.ends[k] - start - 4);
            const uint32_t wrong[] = {0, 7, size - 1, size + 1, size + 9, 2 * size, UINT32_MAX};
            for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
                bytes stream = stream_of(&file, &where), result;
                rp_store32(stream.data + start, wrong[n]);
                if (recover_damaged(&file, &stream, &result) != FEW_FRAMES)
                    fail_msg("%s: frame %zu is lost by a size of %u", layouts[i], k, wrong[n]);
                expect_same_rows(layouts[i], "corrected", &whole, &result, 0);
                bytes_free(&stream);
                bytes_free(&result);
            }
        }
        bytes_free(&whole);
        bytes_free(&file);
    }
}

/* Of one that makes no sense at all only itself is lost. */
static void recover__frames_after_a_ruined_one_are_found(void **state)
{
    (void)state;
    static model m;
    for (size_t i = 0; i < LAYOUTS; i++) {
        bytes file = small_file(layouts[i], 11, &m);
        map where = map_of(&file);
        for (size_t k = 0; k < FEW_FRAMES; k++) {
            bytes stream = stream_of(&file, &where), result;
            size_t start = k ? where.ends[k - 1] : 4;
            for (size_t n = start; n < where.ends[k]; n++)
                stream.data[n] = 0xEE;
            int64_t kept = recover_damaged(&file, &stream, &result);
            if (kept != FEW_FRAMES - 1)
                fail_msg("%s: %lld frames are left of %d without frame %zu", layouts[i],
                         (long long)kept, FEW_FRAMES, k);
            bytes_free(&stream);
            bytes_free(&result);
        }
        bytes_free(&file);
    }
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
        cmocka_unit_test(recover__l1_sample_cut_at_every_byte),
        cmocka_unit_test(recover__l2_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z2_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z3_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z4a_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z4_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z4p_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z5_sample_cut_at_every_byte),
        cmocka_unit_test(recover__z6_sample_cut_at_every_byte),
        cmocka_unit_test(recover__every_sample_cut_at_every_byte),
        cmocka_unit_test(recover__wrong_frame_sizes_are_corrected),
        cmocka_unit_test(recover__frames_after_a_ruined_one_are_found),
        cmocka_unit_test(recover__undamaged_files_are_left_alone),
        cmocka_unit_test(recover__flipped_bits_give_sound_files_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
