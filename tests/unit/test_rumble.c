/*
 * test_rumble.c - the corners of RUMBLE files that no sample shows. The files are made here byte by
 * byte; numbers in the names are those of the checklist in docs/spec/rumble.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exercise.h"
#include "options.h"
#include "rumble.h"
#include "rumble_builder.h"

/* ---- making files ---- */

static blob text_blob(const char *text)
{
    return (blob){(uint8_t *)(uintptr_t)text, strlen(text)};
}

static blob make_zip(const char *manifest, const rp_writer *stream, const archive *shape,
                     const item *extra)
{
    blob packed = pack_brotli((blob){stream->data, stream->size});
    item items[3] = {{.name = "manifest.json", .content = text_blob(manifest), .method = 8},
                     {.name = "replay", .content = packed}};
    if (extra)
        items[2] = *extra;
    for (size_t i = 0; shape && i < 3; i++)
        items[i].zip64 = shape->zip64;
    archive a = {.items = items, .count = extra ? 3 : 2, .zip64 = shape && shape->zip64};
    blob file = make_archive(&a);
    free(packed.data);
    return file;
}

/* A stream of frames that hold nothing. */
static void put_empty_frames(rp_writer *w, unsigned frames)
{
    rp_put_text(w, "RPLY");
    for (unsigned i = 0; i < frames; i++) {
        rp_put_u32(w, 8);
        rp_put_f32(w, (float)i);
        rp_put_u32(w, 0);
    }
}

typedef struct outcome {
    reprise_replay *replay;
    reprise_error error;
    reprise_verify_summary summary;
} outcome;

static outcome open_blob(blob file)
{
    outcome o = {.error = REPRISE_ERROR_INIT};
    (void)!reprise_open_memory(file.data, file.size, NULL, &o.replay, &o.error);
    if (o.replay)
        assert_int_equal(reprise_verify(o.replay, NULL, NULL, &o.summary, &o.error), REPRISE_OK);
    return o;
}

static bool has_finding(const outcome *o, const char *id)
{
    const reprise_value *findings = reprise_value_get(o->summary.document, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *found = reprise_value_get(reprise_value_at(findings, i), "id");
        if (strcmp(reprise_value_text(found, NULL), id) == 0)
            return true;
    }
    return false;
}

static int64_t rows_of(const outcome *o, const char *track)
{
    return reprise_value_int(
        reprise_value_get(reprise_value_get(o->summary.document, "rows"), track), -1);
}

/* ---- legacy ---- */

static void rumble_4__trailing_inner_data_is_tolerated(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 2, 1, 1);
    put_l1_frame(&m.w, 0, 1);
    put_l1_frame(&m.w, 1, 1);
    rp_put_text(&m.w, "future");
    blob file = wrap_rgzp(&m.w, 0);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_string_equal(reprise_layout(o.replay), "l1");
    assert_int_equal(rows_of(&o, "frames"), 2);
    assert_true(has_finding(&o, "rumble.trailing-bytes"));
    assert_int_equal(o.summary.faults, 0);
    assert_int_equal(o.summary.warnings, 1);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_4__unequal_structure_counts_are_honoured(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 2, 3, 1);
    put_l1_frame(&m.w, 0, 3);
    put_l1_frame(&m.w, 1, 3);
    blob file = wrap_rgzp(&m.w, 0);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(rows_of(&o, "structures"), 6);
    assert_true(has_finding(&o, "rumble.structure-counts"));
    assert_int_equal(o.summary.faults, 0);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_rule_3__wrong_inner_size_is_a_warning(void **state)
{
    (void)state;
    static const int32_t lies[] = {-20, 500, 1 << 30};
    for (size_t i = 0; i < RP_COUNT(lies); i++) {
        maker m;
        maker_init(&m);
        put_legacy_header(&m.w, 1, 1, 1);
        put_l1_frame(&m.w, 0, 1);
        blob file = wrap_rgzp(&m.w, lies[i]);
        outcome o = open_blob(file);
        assert_non_null(o.replay);
        assert_int_equal(rows_of(&o, "frames"), 1);
        assert_true(has_finding(&o, "rumble.inner-size"));
        assert_int_equal(o.summary.faults, 0);
        reprise_close(o.replay);
        free(file.data);
        rp_writer_free(&m.w);
    }
}

static void rumble_12__wrapper_sizes_must_fit(void **state)
{
    (void)state;
    static const int32_t sizes[][2] = {{-1, 10}, {100, -1}, {100, 1000}, {100, INT32_MAX}};
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        uint8_t file[32] = "RGZP";
        rp_store32(file + 4, (uint32_t)sizes[i][0]);
        rp_store32(file + 8, (uint32_t)sizes[i][1]);
        outcome o = open_blob((blob){file, sizeof file});
        assert_null(o.replay);
        assert_true(o.error.status == REPRISE_E_CORRUPT || o.error.status == REPRISE_E_TRUNCATED);
    }
    uint8_t cut[9] = "RGZP";
    outcome o = open_blob((blob){cut, sizeof cut});
    assert_null(o.replay);
    assert_int_equal(o.error.status, REPRISE_E_TRUNCATED);
}

static void rumble_12__claimed_structures_need_bytes(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 1, 2000000000, 0);
    rp_put_f32(&m.w, 0);
    blob file = wrap_rgzp(&m.w, 0);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(o.summary.faults, 1);
    assert_int_equal(rows_of(&o, "frames"), 0);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_12__two_billion_frames_fail_at_once(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_empty_frames(&m.w, 3);
    blob file = make_zip("{\"FrameCount\":2000000000,\"Players\":[],\"Structures\":[]}", &m.w, NULL,
                         NULL);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(rows_of(&o, "frames"), 3);
    assert_int_equal(o.summary.faults, 1);
    assert_int_equal(o.summary.worst, REPRISE_E_TRUNCATED);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

/* ---- ZIP ---- */

static void rumble_rule_7__zip64_is_read(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_empty_frames(&m.w, 3);
    archive shape = {.zip64 = true};
    blob file = make_zip("{\"FrameCount\":3}", &m.w, &shape, NULL);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(rows_of(&o, "frames"), 3);
    assert_int_equal(o.summary.faults, 0);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_rule_7__first_of_two_names_counts(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_empty_frames(&m.w, 3);
    item second = {.name = "manifest.json", .content = text_blob("{\"FrameCount\":9}")};
    blob file = make_zip("{\"FrameCount\":3}", &m.w, NULL, &second);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(rows_of(&o, "frames"), 3);
    assert_true(has_finding(&o, "rumble.duplicate-entry"));
    assert_int_equal(o.summary.faults, 0);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_rule_7__damaged_extra_member_is_found(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_empty_frames(&m.w, 1);
    item extra = {.name = "extensions/My.Mod/x", .content = text_blob("hello"), .crc_flip = 1};
    blob file = make_zip("{\"FrameCount\":1}", &m.w, NULL, &extra);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(o.summary.worst, REPRISE_E_CHECKSUM);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_18__voice_names_with_separators_are_reported(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_empty_frames(&m.w, 1);
    item extra = {.name = "voices.json",
                  .content = text_blob("{\"Tracks\":[{\"FileName\":\"../../evil.ogg\"}]}")};
    blob file = make_zip("{\"FrameCount\":1}", &m.w, NULL, &extra);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_true(has_finding(&o, "rumble.voice-name"));
    assert_int_equal(o.summary.warnings, 1);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble_rule_8__frame_count_is_required(void **state)
{
    (void)state;
    static const char *const manifests[] = {"{}", "{\"FrameCount\":-1}", "{\"FrameCount\":1.5}",
                                            "{\"FrameCount\":\"1\"}", "[1]"};
    for (size_t i = 0; i < RP_COUNT(manifests); i++) {
        maker m;
        maker_init(&m);
        put_empty_frames(&m.w, 1);
        blob file = make_zip(manifests[i], &m.w, NULL, NULL);
        outcome o = open_blob(file);
        assert_null(o.replay);
        assert_int_equal(o.error.status, REPRISE_E_CORRUPT);
        assert_string_equal(o.error.stream, "zip:manifest.json");
        free(file.data);
        rp_writer_free(&m.w);
    }
}

/* A player field that no build before the document had, in the last frame only. */
static void put_late_sign(rp_writer *w, unsigned frames, bool sign)
{
    rp_put_text(w, "RPLY");
    for (unsigned i = 0; i < frames; i++) {
        bool last = i + 1 == frames;
        uint8_t chunk[] = {8, 2, 20, 0, 9, 1, 1};
        size_t size = last && sign ? sizeof chunk : 4;
        rp_put_u32(w, (uint32_t)(8 + 9 + size));
        rp_put_f32(w, (float)i * 0.02f);
        rp_put_u32(w, 1);
        rp_put_u8(w, 0);
        rp_put_u32(w, 0);
        rp_put_u32(w, (uint32_t)size);
        rp_put(w, chunk, size);
    }
}

static void rumble_21__a_late_sign_settles_the_layout(void **state)
{
    (void)state;
    for (int sign = 0; sign < 2; sign++) {
        maker m;
        maker_init(&m);
        put_late_sign(&m.w, 200, sign);
        blob file = make_zip("{\"FrameCount\":200,\"Players\":[{}]}", &m.w, NULL, NULL);
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error),
                         REPRISE_OK);
        assert_string_equal(reprise_layout(replay), "z4");
        reprise_verify_summary summary;
        assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
        assert_string_equal(reprise_layout(replay), sign ? "z4p" : "z4");
        assert_int_equal(summary.faults, 0);
        reprise_close(replay);
        free(file.data);
        rp_writer_free(&m.w);
    }
}

/* For a day extensions had no SubIndex; read with one, their length comes from the payload. */
static void rumble_8__extensions_without_sub_index_in_a_long_file(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    rp_put_text(&m.w, "RPLY");
    for (unsigned i = 0; i < 200; i++) {
        uint8_t payload[400] = {0, 12, 0};
        rp_put_u32(&m.w, 8 + 9 + sizeof payload + 9 + 4);
        rp_put_f32(&m.w, (float)i);
        rp_put_u32(&m.w, 2);
        rp_put_u8(&m.w, 250);
        rp_put_u32(&m.w, 7);
        rp_put_u32(&m.w, sizeof payload);
        rp_put(&m.w, payload, sizeof payload);
        rp_put_u8(&m.w, 0);
        rp_put_u32(&m.w, 0);
        rp_put_u32(&m.w, 4);
        rp_put(&m.w, (uint8_t[]){9, 2, 20, 0}, 4);
    }
    blob file = make_zip("{\"FrameCount\":200,\"Players\":[{}]}", &m.w, NULL, NULL);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(o.summary.faults, 0);
    assert_int_equal(rows_of(&o, "extensions"), 200);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble__a_named_layout_is_taken(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_late_sign(&m.w, 3, false);
    blob file = make_zip("{\"FrameCount\":3,\"Players\":[{}]}", &m.w, NULL, NULL);
    TEST_OPTIONS(options);
    reprise_options_set_layout(options, "z4p", NULL);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, options, &replay, &error),
                     REPRISE_OK);
    assert_string_equal(reprise_layout(replay), "z4p");
    const reprise_value *at;
    reprise_moment first = {.by_index = true};
    assert_int_equal(reprise_at(replay, first, &at, &error), REPRISE_OK);
    const reprise_value *player = reprise_value_at(reprise_value_get(at, "players"), 0);
    assert_int_equal(reprise_value_int(reprise_value_get(player, "health"), -1), 20);
    reprise_close(replay);
    reprise_options_set_layout(options, "z9", NULL);
    assert_int_equal(reprise_open_memory(file.data, file.size, options, &replay, &error),
                     REPRISE_E_USAGE);
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble__the_prototype_is_named_and_refused(void **state)
{
    (void)state;
    uint8_t file[] = "REPLAY\x02\x00{}";
    outcome o = open_blob((blob){file, sizeof file - 1});
    assert_null(o.replay);
    assert_int_equal(o.error.status, REPRISE_E_UNSUPPORTED);
    assert_non_null(strstr(o.error.message, "prototype"));
}

/* ---- details ---- */

static void rumble_8__mod_hashes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t hash;
    } known[] = {{"BellSupport", 0x5B9DE5BF},
                 {"MyModId", 0xBA487C44},
                 {"My.Mod", 0x8CD31D45},
                 {"Za\xC5\xBC\xC3\xB3\xC5\x82\xC4\x87", 0x228D7E9A},
                 {"", 0x811C9DC5}};
    for (size_t i = 0; i < RP_COUNT(known); i++)
        assert_int_equal((uint32_t)rumble_mod_hash(known[i].name, strlen(known[i].name)),
                         known[i].hash);
}

static void rumble_20__a_stream_over_the_limit_is_refused(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_empty_frames(&m.w, 1000);
    blob file = make_zip("{\"FrameCount\":1000}", &m.w, NULL, NULL);
    TEST_OPTIONS(options);
    options_limit(options, "decoded_bytes", 5000);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, options, &replay, &error),
                     REPRISE_E_LIMIT);
    assert_non_null(strstr(error.message, "decoded_bytes"));
    free(file.data);
    rp_writer_free(&m.w);
}

static void rumble__a_frame_over_the_limit_is_refused(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    rp_put_text(&m.w, "RPLY");
    rp_put_u32(&m.w, 0x7FFFFFFF);
    blob file = make_zip("{\"FrameCount\":1}", &m.w, NULL, NULL);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_int_equal(o.summary.worst, REPRISE_E_LIMIT);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

/* Less than a time and a number of entries is no frame, and gives no rows. */
static void rumble_12__a_frame_below_the_least_size_is_refused(void **state)
{
    (void)state;
    for (uint32_t size = 0; size < 8; size++) {
        maker m;
        maker_init(&m);
        rp_put_text(&m.w, "RPLY");
        rp_put_u32(&m.w, 8);
        rp_put_f32(&m.w, 1);
        rp_put_u32(&m.w, 0);
        rp_put_u32(&m.w, size);
        rp_put_u64(&m.w, UINT64_MAX);
        blob file = make_zip("{\"FrameCount\":2}", &m.w, NULL, NULL);
        outcome o = open_blob(file);
        assert_non_null(o.replay);
        assert_int_equal(o.summary.worst, REPRISE_E_CORRUPT);
        assert_int_equal(rows_of(&o, "frames"), 1);
        reprise_close(o.replay);
        free(file.data);
        rp_writer_free(&m.w);
    }
}

static void rumble_16__seeking_backwards_gives_the_full_state(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 1000, 1, 1);
    for (unsigned i = 0; i < 1000; i++)
        put_l1_frame(&m.w, (float)i, 1);
    blob file = wrap_rgzp(&m.w, 0);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error), REPRISE_OK);
    static const double times[] = {999, 0, 511.5, 256, 255, 700.25, 1e6, -5};
    static const int64_t frames[] = {999, 0, 511, 256, 255, 700, 999, 0};
    for (size_t i = 0; i < RP_COUNT(times); i++) {
        const reprise_value *at;
        assert_int_equal(reprise_at(replay, (reprise_moment){.time = times[i]}, &at, &error),
                         REPRISE_OK);
        assert_int_equal(reprise_value_int(reprise_value_get(at, "frame"), -1), frames[i]);
        const reprise_value *structure = reprise_value_at(reprise_value_get(at, "structures"), 0);
        assert_int_equal(reprise_value_int(reprise_value_get(structure, "pos_x"), -1), frames[i]);
    }
    reprise_moment beyond = {.by_index = true, .index = 1000};
    const reprise_value *at;
    assert_int_equal(reprise_at(replay, beyond, &at, &error), REPRISE_E_USAGE);
    reprise_close(replay);
    free(file.data);
    rp_writer_free(&m.w);
}

/* The frame that a replay shows at a time, and where its structure is. */
static void expect_frame_at(reprise_replay *replay, double time, int64_t frame)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *at;
    assert_int_equal(reprise_at(replay, (reprise_moment){.time = time}, &at, &error), REPRISE_OK);
    assert_int_equal(reprise_value_int(reprise_value_get(at, "frame"), -1), frame);
    const reprise_value *structure = reprise_value_at(reprise_value_get(at, "structures"), 0);
    double x = reprise_value_double(reprise_value_get(structure, "pos_x"), -1);
    assert_true(x <= (double)(float)time || frame == 0);
}

typedef struct moment_case {
    double time;
    int64_t frame;
} moment_case;

/* Seeks in a recording of 20 frames a second whose clock jumps after 500 of them. */
static void expect_moments(float jump, const moment_case *cases, size_t count)
{
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 1000, 1, 1);
    for (unsigned i = 0; i < 1000; i++)
        put_l1_frame(&m.w, (float)i / 20 + (i < 500 ? 0 : jump), 1);
    blob file = wrap_rgzp(&m.w, 0);
    for (size_t i = 0; i < count; i++) {
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error),
                         REPRISE_OK);
        for (int k = 0; k < 3; k++)
            expect_frame_at(replay, cases[i].time, cases[i].frame);
        reprise_close(replay);
    }
    free(file.data);
    rp_writer_free(&m.w);
}

/* The first seek of a replay reads up to its moment, the second one makes an index. */
static void rumble_16__the_first_seek_finds_what_later_ones_find(void **state)
{
    (void)state;
    static const moment_case pause[] = {{-1, 0},    {0, 0},       {0.07, 1}, {12.8, 256},
                                        {40, 499},  {85.04, 500}, {90, 600}, {109.91, 998},
                                        {110, 999}, {1e6, 999}};
    static const moment_case back[] = {{-1, 0}, {0, 0}, {12.8, 256}, {24, 480}, {25, 999}};
    expect_moments(60, pause, RP_COUNT(pause));
    expect_moments(-25, back, RP_COUNT(back));
    static const moment_case last[] = {{24, 480}, {30, 499}, {1e9, 999}};
    expect_moments(1e8f, last, RP_COUNT(last));
}

static void rumble_19__large_legacy_data_is_streamed(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 5000, 3, 3);
    for (unsigned i = 0; i < 5000; i++)
        put_l1_frame(&m.w, (float)i, 3);
    /* Data that is announced to be this large is not inflated in one piece. */
    blob file = wrap_rgzp(&m.w, 64 << 20);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error), REPRISE_OK);
    exercise e = {0};
    exercise_rows(&e, replay, false);
    assert_int_equal(e.read, REPRISE_END);
    assert_int_equal(e.rows, 5000 * 4);
    reprise_close(replay);
    free(file.data);
    rp_writer_free(&m.w);
}

/* Read as a chunk, each of these states has a type that is none and a length beyond the prefix. */
static void rumble__the_beginning_of_l1_data_settles_its_layout(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    put_legacy_header(&m.w, 5000, 1, 1);
    for (unsigned i = 0; i < 5000; i++)
        put_l1_frame(&m.w, 0.1f + (float)i, 1);
    blob file = wrap_rgzp(&m.w, 0);
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    assert_int_equal(rp_source_open_memory(&m.context, file.data, file.size, &source, &m.error),
                     REPRISE_OK);
    assert_int_equal(rp_replay_open(&m.context, source, NULL, NULL, &replay, &m.error), REPRISE_OK);
    assert_string_equal(replay->layout, "l1");
    assert_true(((rumble_replay *)replay)->wire_certain);
    rp_replay_close(replay);
    rp_source_close(source);
    free(file.data);
    rp_writer_free(&m.w);
}

/* Head of a Z6 entry of the only structure. */
static void put_structure_entry(rp_writer *w, uint32_t size)
{
    rp_put_u8(w, RUMBLE_CHUNK_STRUCTURE);
    rp_put_u32(w, 0);
    rp_put_u32(w, size);
}

static void rumble__an_object_named_twice_has_one_row(void **state)
{
    (void)state;
    maker m;
    maker_init(&m);
    rp_put_text(&m.w, "RPLY");
    rp_put_u32(&m.w, 8 + 3 * 9 + 15 + 4);
    rp_put_f32(&m.w, 0);
    rp_put_u32(&m.w, 3);
    put_structure_entry(&m.w, 15);
    rp_put_u8(&m.w, 0);
    rp_put_u16(&m.w, 12);
    for (int i = 1; i <= 3; i++)
        rp_put_f32(&m.w, (float)i);
    put_structure_entry(&m.w, 0);
    put_structure_entry(&m.w, 4);
    rp_put_u8(&m.w, 3);
    rp_put_u16(&m.w, 1);
    rp_put_u8(&m.w, 1);
    blob file = make_zip("{\"FrameCount\":1,\"Structures\":[{\"Type\":1}],\"ScenePropCount\":0}",
                         &m.w, NULL, NULL);
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    assert_string_equal(reprise_layout(o.replay), "z6");
    assert_int_equal(rows_of(&o, "structures"), 1);
    reprise_rows *rows = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.tracks = UINT64_C(1) << RUMBLE_STRUCTURES;
    assert_int_equal(reprise_rows_open(o.replay, &options, &rows, &error), REPRISE_OK);
    assert_int_equal(reprise_rows_next(rows, &error), REPRISE_OK);
    reprise_row_text_options text = {
        .struct_size = sizeof text, .style = REPRISE_ROW_JSON, .with_stored = true};
    const char *line;
    size_t size;
    assert_int_equal(reprise_row_format(rows, &text, &line, &size, &error), REPRISE_OK);
    char copy[1024];
    assert_true(size < sizeof copy);
    memcpy(copy, line, size);
    copy[size] = '\0';
    assert_non_null(strstr(copy, "\"pos_y\":2"));
    assert_non_null(strstr(copy, "\"grounded\":true"));
    assert_non_null(strstr(copy, "[\"pos_x\",\"pos_y\",\"pos_z\",\"grounded\"]"));
    reprise_rows_close(rows);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

/* Seconds, then the place of player 0's rig if the frame stores one. */
typedef struct walk {
    float time, x;
    bool stored;
} walk;

/* A player who is active throughout, in layout Z6. */
static blob make_walk(maker *m, const walk *walks, size_t count)
{
    rp_put_text(&m->w, "RPLY");
    for (size_t i = 0; i < count; i++) {
        rp_put_u32(&m->w, walks[i].stored ? 8 + 9 + 19 : 8);
        rp_put_f32(&m->w, walks[i].time);
        rp_put_u32(&m->w, walks[i].stored);
        if (!walks[i].stored)
            continue;
        rp_put_u8(&m->w, 0);
        rp_put_u32(&m->w, 0);
        rp_put_u32(&m->w, 19);
        rp_put_u8(&m->w, 0);
        rp_put_u16(&m->w, 12);
        rp_put_f32(&m->w, walks[i].x);
        rp_put_f32(&m->w, 0);
        rp_put_f32(&m->w, 0);
        rp_put_u8(&m->w, 10);
        rp_put_u16(&m->w, 1);
        rp_put_u8(&m->w, 1);
    }
    char manifest[128];
    snprintf(manifest, sizeof manifest,
             "{\"FrameCount\":%zu,\"Players\":[{}],\"ScenePropCount\":0}", count);
    return make_zip(manifest, &m->w, NULL, NULL);
}

/* The speed of a step counts its own frame, not the rest before it; time after the last entry
 * counts. */
static void rumble_rule_32__time_passes_without_entries(void **state)
{
    (void)state;
    static const walk walks[] = {
        {0, 1, true}, {1, 0, false}, {2, 0, false}, {2.5f, 3, true}, {4, 0, false}};
    maker m;
    maker_init(&m);
    blob file = make_walk(&m, walks, RP_COUNT(walks));
    outcome o = open_blob(file);
    assert_non_null(o.replay);
    const reprise_value *stats = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_stats(o.replay, &stats, &error), REPRISE_OK);
    const reprise_value *player = reprise_value_at(rp_get(rp_get(stats, "derived"), "players"), 0);
    assert_float_equal(reprise_value_double(rp_get(player, "time_active"), -1), 4, 1e-9);
    assert_float_equal(reprise_value_double(rp_get(player, "head_distance"), -1), 2, 1e-6);
    const reprise_value *hand = rp_get(player, "left_hand");
    assert_float_equal(reprise_value_double(rp_get(hand, "speed_max"), -1), 4, 1e-6);
    assert_float_equal(reprise_value_double(rp_get(hand, "speed_mean"), -1), 0.5, 1e-6);
    reprise_close(o.replay);
    free(file.data);
    rp_writer_free(&m.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rumble_4__trailing_inner_data_is_tolerated),
        cmocka_unit_test(rumble_4__unequal_structure_counts_are_honoured),
        cmocka_unit_test(rumble_rule_3__wrong_inner_size_is_a_warning),
        cmocka_unit_test(rumble_12__wrapper_sizes_must_fit),
        cmocka_unit_test(rumble_12__claimed_structures_need_bytes),
        cmocka_unit_test(rumble_12__two_billion_frames_fail_at_once),
        cmocka_unit_test(rumble_rule_7__zip64_is_read),
        cmocka_unit_test(rumble_rule_7__first_of_two_names_counts),
        cmocka_unit_test(rumble_rule_7__damaged_extra_member_is_found),
        cmocka_unit_test(rumble_18__voice_names_with_separators_are_reported),
        cmocka_unit_test(rumble_rule_8__frame_count_is_required),
        cmocka_unit_test(rumble_21__a_late_sign_settles_the_layout),
        cmocka_unit_test(rumble_8__extensions_without_sub_index_in_a_long_file),
        cmocka_unit_test(rumble__a_named_layout_is_taken),
        cmocka_unit_test(rumble__the_prototype_is_named_and_refused),
        cmocka_unit_test(rumble_8__mod_hashes),
        cmocka_unit_test(rumble_20__a_stream_over_the_limit_is_refused),
        cmocka_unit_test(rumble__a_frame_over_the_limit_is_refused),
        cmocka_unit_test(rumble_12__a_frame_below_the_least_size_is_refused),
        cmocka_unit_test(rumble_16__seeking_backwards_gives_the_full_state),
        cmocka_unit_test(rumble_16__the_first_seek_finds_what_later_ones_find),
        cmocka_unit_test(rumble_19__large_legacy_data_is_streamed),
        cmocka_unit_test(rumble__the_beginning_of_l1_data_settles_its_layout),
        cmocka_unit_test(rumble__an_object_named_twice_has_one_row),
        cmocka_unit_test(rumble_rule_32__time_passes_without_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
