/*
 * test_recorder.c - recording a match: what is kept, what is lost and counted, and that the file
 * can be read at any time. Numbers in test names are items of the checklist in
 * docs/spec/ironcurtain.md, section 20.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checked.h"
#include "fake_clock.h"
#include "ironcurtain/live/recorder.h"
#include "recording.h"
#include "reprise/write.h"
#include "sign.h"

static char directory[] = "/tmp/reprise-recorder-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static disk load(const char *path)
{
    disk d = {0};
    uint8_t piece[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        disk_keep(&d, piece, n);
    fclose(f);
    return d;
}

static reprise_ic_recorder_options to_disk(disk *live, disk *whole)
{
    static reprise_storage storage;
    static reprise_sink sink;
    storage = (reprise_storage){.ctx = live, .write = disk_write, .read = disk_read};
    sink = (reprise_sink){.ctx = whole, .write = disk_keep};
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.storage = &storage;
    options.finished = &sink;
    options.sync_ms = UINT32_MAX;
    return options;
}

/* ---- signing ---- */

typedef struct relay {
    rp_context context;
    rp_ed25519_key *key;
    reprise_ic_signer signer;
} relay;

static int relay_sign(void *ctx, const void *message, size_t size, uint8_t ret_signature[64])
{
    relay *r = ctx;
    reprise_error error = REPRISE_ERROR_INIT;
    return rp_ed25519_key_sign(r->key, message, size, ret_signature, &error) == REPRISE_OK ? 0
                                                                                           : EIO;
}

static void relay_begin(relay *r)
{
    static const uint8_t secret[32] = {1, 2, 3, 4, 5};
    rp_context_init(&r->context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_ed25519_key_private(&r->context, secret, &r->key, &error), REPRISE_OK);
    r->signer = (reprise_ic_signer){.struct_size = sizeof r->signer, .ctx = r, .sign = relay_sign};
    assert_int_equal(rp_ed25519_key_public_bytes(r->key, r->signer.public_key, &error), REPRISE_OK);
}

/* ---- a whole match ---- */

static void recorder__a_match_is_recorded_and_signed(void **state)
{
    (void)state;
    relay r;
    relay_begin(&r);
    match m;
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.path = path_of("match.icrep");
    options.signer = &r.signer;
    match_begin(&m, &options, 10);
    for (unsigned i = 0; i < 3333; i++) {
        match_events(&m);
        match_tick(&m);
    }
    match_end(&m);
    reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
    (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
    assert_int_equal(stats.frames + stats.lost_frames, 3333);
    disk file = load(path_of("match.icrep"));
    judged j = judge(file.data, file.size);
    assert_string_equal(j.first, "");
    assert_int_equal(j.mismatches, 0);
    assert_int_equal(j.frames, stats.frames);
    assert_int_equal(j.total_ticks, 3333);
    assert_int_equal(j.ranked, stats.lost_frames + stats.lost_keyframes == 0);
    match_free(&m);
    free(file.data);
    rp_ed25519_key_free(r.key);
}

static void checklist_26__keyframes_come_every_300_and_3000(void **state)
{
    (void)state;
    disk live = {0}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.queue_ticks = 8000;
    match_begin(&m, &options, 4);
    match_run(&m, 3400);
    match_end(&m);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(whole.data, whole.size, NULL, &replay, &error),
                     REPRISE_OK);
    reprise_close(replay);
    const uint8_t *index = whole.data + rp_load32(whole.data + 24);
    assert_int_equal(rp_load64(index), 12);
    for (size_t i = 0; i < 12; i++) {
        const uint8_t *entry = index + 8 + i * IC_KEYFRAME_SIZE;
        assert_int_equal(rp_load64(entry), i * 300);
        assert_int_equal(entry[20], i % 10 == 0);
    }
    match_free(&m);
    free(live.data);
    free(whole.data);
}

/* Opened repeatedly while it grows, the file is always a valid recording. */
static void checklist_23__the_live_file_is_valid_at_every_moment(void **state)
{
    (void)state;
    match m;
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.path = path_of("growing.icrep");
    options.flush_ms = 1;
    match_begin(&m, &options, 6);
    uint64_t seen = 0;
    for (unsigned i = 0; i < 12;) {
        if (m.tick < (i + 1) * 40)
            match_run(&m, 40);
        disk file = load(path_of("growing.icrep"));
        contents c = walk_live(file.data, file.size);
        i += c.frames > seen; /* the next ticks when the file has grown */
        judged j = judge(file.data, file.size);
        if (c.keyframes) {
            assert_int_equal(j.opened, REPRISE_OK);
            assert_int_equal(j.faults, 0);
            assert_int_equal(j.mismatches, 0);
            assert_int_equal(j.frames, c.frames);
        }
        assert_true(c.frames >= seen);
        seen = c.frames;
        free(file.data);
    }
    match_end(&m);
    match_free(&m);
}

/* Frames of the finished file are those of the live one, and so is the rest. */
static void recorder__finishing_changes_the_layout_only(void **state)
{
    (void)state;
    disk live = {0}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.queue_ticks = 2000;
    options.flush_ms = 1;
    match_begin(&m, &options, 6);
    for (unsigned i = 0; i < 900; i++) {
        match_events(&m);
        match_tick(&m);
    }
    match_end(&m);
    reprise_error error = REPRISE_ERROR_INIT;
    size_t live_size = live.size, whole_size = whole.size;
    assert_int_equal(reprise_ic_recorder_finish(m.recorder, NULL, NULL, &error), REPRISE_E_USAGE);
    assert_non_null(strstr(error.message, "nothing was recorded"));
    assert_true(live.size == live_size && whole.size == whole_size);
    rp_error_clear(&error);
    reprise_replay *a = NULL, *b = NULL;
    const reprise_value *report = NULL;
    bool equal = false;
    assert_int_equal(reprise_open_memory(live.data, live.size, NULL, &a, &error), REPRISE_OK);
    assert_int_equal(reprise_open_memory(whole.data, whole.size, NULL, &b, &error), REPRISE_OK);
    assert_string_equal(reprise_layout(a), "live");
    assert_string_equal(reprise_layout(b), "final");
    assert_int_equal(reprise_diff(a, b, NULL, &equal, &report, &error), REPRISE_OK);
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    uint64_t rows = 0;
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        static const char *const differences[] = {"differ", "only_a", "only_b", "times"};
        const reprise_value *track = reprise_value_at(tracks, i);
        rows += reprise_value_uint(reprise_value_get(track, "rows_a"), 0);
        for (size_t k = 0; k < RP_COUNT(differences); k++)
            assert_int_equal(reprise_value_uint(reprise_value_get(track, differences[k]), 99), 0);
    }
    assert_true(rows > 900);
    reprise_close(a);
    reprise_close(b);
    match_free(&m);
    free(live.data);
    free(whole.data);
}

/* ---- loss ---- */

/* The disk stalls until 300 ticks were refused, then works again. */
static void checklist_25__a_full_queue_costs_5_ms_and_is_counted(void **state)
{
    (void)state;
    relay r;
    relay_begin(&r);
    sem_t gate;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    disk live = {.stalls_at = 3, .gate = &gate}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.queue_ticks = 32;
    options.flush_ms = 1;
    options.signer = &r.signer;
    match_begin(&m, &options, 4);
    clock_is_stuck = true;
    for (unsigned i = 0; i < 700; i++) {
        match_tick(&m);
        if (m.refused == 300 && clock_is_stuck) {
            clock_is_stuck = false;
            sem_post(&gate);
        }
    }
    match_end(&m);
    reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
    (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
    assert_int_equal(m.refused, 300);
    assert_int_equal(stats.lost_frames, 300);
    judged j = judge(whole.data, whole.size);
    assert_string_equal(j.first, ""); /* skipped_ticks of the chain agree with what is missing */
    assert_true(j.incomplete);
    assert_false(j.ranked);
    assert_int_equal(j.lost, stats.lost_frames + stats.lost_keyframes);
    assert_int_equal(j.frames, 700 - stats.lost_frames);
    assert_true(stats.longest_us <= 5000);
    match_free(&m);
    sem_destroy(&gate);
    free(live.data);
    free(whole.data);
    rp_ed25519_key_free(r.key);
}

enum { WAITING_TICKS = 1000, WAITING_QUEUE = 32 };

/* The disk blocks until the gate opens, so a call that waited for it would never return. */
static void checklist_25__a_disk_that_stands_still_holds_no_call_for_5_ms(void **state)
{
    (void)state;
    sem_t gate;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    disk live = {.stalls_at = 3, .gate = &gate}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.queue_ticks = WAITING_QUEUE;
    options.flush_ms = 1;
    match_begin(&m, &options, 4);
    clock_is_stuck = true;
    for (unsigned i = 0; i < WAITING_TICKS; i++)
        match_tick(&m);
    clock_is_stuck = false;
    sem_post(&gate);
    match_end(&m);
    reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
    (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
    assert_true(m.refused > WAITING_TICKS - 4 * WAITING_QUEUE); /* nearly all met a full queue */
    /* They did wait, the longest less than 5 ms. */
    assert_true(stats.p50_us >= 1000 && stats.longest_us <= 5000);
    judged j = judge(whole.data, whole.size);
    assert_string_equal(j.first, "");
    assert_int_equal(j.frames, WAITING_TICKS - m.refused);
    match_free(&m);
    sem_destroy(&gate);
    free(live.data);
    free(whole.data);
}

static bool is_full_at(const disk *whole, uint64_t tick)
{
    const uint8_t *index = whole->data + rp_load32(whole->data + 24);
    for (uint64_t i = 0; i < rp_load64(index); i++) {
        const uint8_t *entry = index + 8 + i * IC_KEYFRAME_SIZE;
        if (rp_load64(entry) == tick)
            return entry[20];
    }
    return false;
}

/*
 * The write of the full keyframe fails: deltas based on it are dropped, the next keyframe is full.
 */
static void checklist_25__after_a_lost_full_keyframe_comes_a_full_one(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (unsigned fails_at = 3; fails_at < 18; fails_at++) {
        disk live = {.fails_at = fails_at, .fails_half = fails_at % 2}, whole = {0};
        match m;
        reprise_ic_recorder_options options = to_disk(&live, &whole);
        options.keyframe_ticks = 50;
        options.full_ticks = 200;
        options.queue_ticks = 2000;
        options.flush_ms = UINT32_MAX; /* the clock would change which write is the keyframe */
        match_begin(&m, &options, 3);
        match_run(&m, 450);
        match_end(&m);
        judged j = judge(whole.data, whole.size);
        assert_string_equal(j.first, "");
        reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
        (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
        assert_int_equal(j.lost, stats.lost_frames + stats.lost_keyframes);
        if (stats.lost_keyframes && !is_full_at(&whole, 200))
            tried++;
        match_free(&m);
        free(live.data);
        free(whole.data);
    }
    assert_true(tried > 0);
}

/* ---- disks that fail ---- */

static void recorder__a_disk_that_is_full_keeps_what_fits(void **state)
{
    (void)state;
    for (size_t room = 3000; room < 9000; room += 571) {
        disk live = {.room = room}, whole = {0};
        match m;
        reprise_ic_recorder_options options = to_disk(&live, &whole);
        options.queue_ticks = 2000;
        options.flush_ms = 1;
        match_begin(&m, &options, 4);
        for (unsigned i = 0; i < 500; i++) {
            match_tick(&m);
        }
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = reprise_ic_recorder_finish(m.recorder, NULL, NULL, &error);
        reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
        (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
        contents c = walk_live(live.data, live.size);
        assert_true(live.size <= room);
        assert_int_equal(c.frames + stats.lost_frames, 500);
        if (status == REPRISE_OK) {
            judged j = judge(whole.data, whole.size);
            assert_string_equal(j.first, "");
            assert_int_equal(j.frames, c.frames);
            assert_int_equal(j.lost, stats.lost_frames + stats.lost_keyframes);
        } else {
            assert_int_equal(c.keyframes, 0); /* not even the start found room */
        }
        match_free(&m);
        free(live.data);
        free(whole.data);
    }
}

static void recorder__short_writes_lose_nothing(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 31, 1000};
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        disk live = {.write_max = sizes[i]}, whole = {0};
        match m;
        reprise_ic_recorder_options options = to_disk(&live, &whole);
        options.queue_ticks = 1000;
        match_begin(&m, &options, 4);
        match_run(&m, 400);
        match_end(&m);
        judged j = judge(whole.data, whole.size);
        assert_string_equal(j.first, "");
        assert_int_equal(j.frames, 400);
        assert_false(j.incomplete);
        match_free(&m);
        free(live.data);
        free(whole.data);
    }
}

static void recorder__any_write_may_fail(void **state)
{
    (void)state;
    relay r;
    relay_begin(&r);
    for (unsigned n = 2; n < 14; n++) {
        disk live = {.fails_at = n, .fails_half = n % 3 == 0}, whole = {0};
        match m;
        reprise_ic_recorder_options options = to_disk(&live, &whole);
        options.queue_ticks = 2000;
        options.signer = &r.signer;
        options.flush_ms = 3;
        match_begin(&m, &options, 4);
        for (unsigned i = 0; i < 600; i++) {
            match_events(&m);
            match_tick(&m);
        }
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = reprise_ic_recorder_finish(m.recorder, NULL, NULL, &error);
        judged j = judge(whole.data, whole.size);
        reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
        (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
        assert_int_equal(status, REPRISE_OK); /* also n = 2: the first keyframe is tried again */
        assert_string_equal(j.first, "");
        assert_int_equal(j.frames + stats.lost_frames, 600);
        match_free(&m);
        free(live.data);
        free(whole.data);
    }
    rp_ed25519_key_free(r.key);
}

/* ---- cuts ---- */

static disk short_live(void)
{
    disk live = {0}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.queue_ticks = 2000;
    match_begin(&m, &options, 3);
    for (unsigned i = 0; i < 310; i++) {
        match_events(&m);
        match_tick(&m);
    }
    match_end(&m);
    match_free(&m);
    free(whole.data);
    return live;
}

/* The file that ic_finalise makes where the header can be rewritten. */
static void finalise_in_memory(rp_context *context, rp_source *source, const ic_ending *ending,
                               rp_writer *file)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_sink *sink = NULL;
    rp_writer_init(file, context, IC_UNIT_MAX, &error);
    assert_int_equal(rp_sink_open_memory(context, file, &sink, &error), REPRISE_OK);
    assert_int_equal(ic_finalise(context, source, ending, sink, &error), REPRISE_OK);
    assert_int_equal(rp_sink_commit(sink, &error), REPRISE_OK);
    rp_sink_close(sink);
}

/*
 * A pipe cannot be rewritten, so this fails when the header is due: by then everything else was
 * written after zeros.
 */
static void recorder__the_header_of_the_finished_file_comes_last(void **state)
{
    (void)state;
    disk live = short_live();
    static uint8_t bytes[1 << 16];
    static const uint8_t zeros[IC_REPLAY_HEADER_SIZE];
    static const uint8_t hash[IC_HASH_SIZE] = {1};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    rp_context context;
    rp_arena arena;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    rp_sink *sink = NULL;
    rp_context_init(&context, NULL);
    rp_arena_init(&arena, &context);
    rp_doc doc = {.arena = &arena, .error = &error};
    ic_ending ending = {.total_ticks = 310, .final_hash = hash, .metadata = rp_new_object(&doc)};
    assert_int_equal(rp_source_open_memory(&context, live.data, live.size, &source, &error),
                     REPRISE_OK);
    assert_int_equal(rp_sink_open_descriptor(&context, ends[1], &sink, &error), REPRISE_OK);
    assert_int_equal(ic_finalise(&context, source, &ending, sink, &error), REPRISE_E_IO);
    rp_writer finished;
    finalise_in_memory(&context, source, &ending, &finished);
    size_t written = (size_t)rp_sink_size(sink);
    assert_int_equal(written, finished.size);
    assert_true(written < sizeof bytes);
    assert_int_equal(read(ends[0], bytes, sizeof bytes), written);
    assert_memory_equal(bytes, zeros, sizeof zeros);
    assert_memory_equal(bytes + sizeof zeros, finished.data + sizeof zeros, written - sizeof zeros);
    assert_memory_not_equal(finished.data, zeros, sizeof zeros);
    rp_writer_free(&finished);
    rp_sink_close(sink);
    rp_source_close(source);
    close(ends[0]);
    rp_arena_free(&arena);
    free(live.data);
}

/* All cuts within one record leave the same content, which is checked once and then compared. */
static void check_cut(const disk *live, size_t size, disk *last)
{
    contents c = walk_live(live->data, size);
    disk whole = {0};
    if (!c.keyframes) {
        assert_int_not_equal(recover(live->data, size, &whole), REPRISE_OK);
        return;
    }
    assert_int_equal(recover(live->data, size, &whole), REPRISE_OK);
    if (last->size != whole.size || memcmp(last->data, whole.data, whole.size) != 0) {
        judged j = judge(whole.data, whole.size);
        assert_string_equal(j.first, "");
        assert_int_equal(j.frames, c.frames);
        assert_int_equal(j.keyframes, c.keyframes);
        assert_int_equal(j.mismatches, 0);
    }
    free(last->data);
    *last = whole;
}

/* Every byte of the last records, and a sample of all others. */
static void checklist_24__a_cut_anywhere_keeps_all_whole_records(void **state)
{
    (void)state;
    disk live = short_live();
    contents c = walk_live(live.data, live.size);
    assert_int_equal(c.end, live.size);
    size_t from = c.last_start > 250 ? c.last_start - 250 : 0;
    disk last = {0};
    for (size_t size = 0; size < live.size; size += size < from ? 97 : 1)
        check_cut(&live, size, &last);
    check_cut(&live, live.size, &last);
    free(last.data);
    free(live.data);
}

/* The tick of the first frame in a live file. */
static uint64_t first_block(const uint8_t *data)
{
    size_t at = rp_load32(data + 16);
    while (memcmp(data + at, "ICOB", 4) != 0)
        at += IC_RECORD_SIZE + rp_load32(data + at + 20);
    return rp_load64(data + at + 8);
}

/* A write fails, so frames or keyframes are missing somewhere, and then the program is killed. */
static disk live_with_loss(unsigned fails_at, const reprise_ic_signer *signer)
{
    disk live = {.fails_at = fails_at, .fails_half = fails_at % 2}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.queue_ticks = 2000;
    options.keyframe_ticks = 60;
    options.full_ticks = 180;
    options.signer = signer;
    options.flush_ms = 1;
    match_begin(&m, &options, 3);
    for (unsigned i = 0; i < 400; i++) {
        match_events(&m);
        match_tick(&m);
    }
    match_free(&m); /* empties the queue and leaves the live file */
    return live;
}

static void checklist_24__what_was_lost_before_the_end_is_counted(void **state)
{
    (void)state;
    relay r;
    relay_begin(&r);
    unsigned before_first = 0, between = 0;
    for (unsigned n = 2; n < 24; n++) {
        disk live = live_with_loss(n, &r.signer);
        for (size_t cut = 0; cut < 3; cut++) {
            disk whole = {0};
            size_t size = live.size - cut * 41; /* in the middle of a record, most likely */
            contents c = walk_live(live.data, size);
            judged j = judge(live.data, size);
            if (j.first[0])
                fail_msg("write %u, cut %zu, live: %s", n, cut, j.first);
            assert_int_equal(recover(live.data, size, &whole), REPRISE_OK);
            j = judge(whole.data, whole.size);
            if (j.first[0])
                fail_msg("write %u, cut %zu: %s", n, cut, j.first);
            assert_int_equal(j.frames, c.frames);
            assert_int_equal(j.keyframes, keyframes_until(live.data, c.end, j.total_ticks));
            assert_true(j.incomplete);
            assert_int_equal(j.lost, RP_MAX(j.total_ticks - j.frames + (c.end != size), 1));
            uint64_t first = first_block(live.data);
            before_first += !cut && first > 0;
            between += !cut && first == 0 && j.total_ticks > j.frames;
            free(whole.data);
        }
        free(live.data);
    }
    assert_true(before_first + between > 4);
    rp_ed25519_key_free(r.key);
}

/* ---- voice ---- */

static void recorder__voice_needs_consent(void **state)
{
    (void)state;
    static const uint32_t agreed[] = {1};
    disk live = {0}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    options.consenting = agreed;
    options.consenting_count = 1;
    match_begin(&m, &options, 3);
    match_run(&m, 50);
    reprise_error error = REPRISE_ERROR_INIT;
    char opus[300] = {1, 2, 3};
    reprise_ic_voice_frame frame = {.tick = 10, .opus_data = {opus, 40}};
    assert_int_equal(reprise_ic_recorder_voice(m.recorder, 1, &frame, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_recorder_voice(m.recorder, 0, &frame, &error), REPRISE_E_USAGE);
    rp_error_clear(&error);
    frame.opus_data.size = 257;
    assert_int_equal(reprise_ic_recorder_voice(m.recorder, 1, &frame, &error), REPRISE_E_USAGE);
    rp_error_clear(&error);
    frame = (reprise_ic_voice_frame){.tick = 9, .opus_data = {opus, 40}};
    assert_int_equal(reprise_ic_recorder_voice(m.recorder, 1, &frame, &error), REPRISE_E_USAGE);
    rp_error_clear(&error);
    match_end(&m);
    reprise_replay *replay = NULL;
    reprise_verify_summary summary = {0};
    assert_int_equal(reprise_open_memory(whole.data, whole.size, NULL, &replay, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    const reprise_value *rows = reprise_value_get(summary.document, "rows");
    assert_int_equal(reprise_value_uint(reprise_value_get(rows, "voice"), 0), 1);
    assert_int_equal(summary.faults, 0);
    reprise_close(replay);
    match_free(&m);
    free(live.data);
    free(whole.data);
}

/* ---- desync ---- */

static void recorder__a_desync_writes_a_save_of_the_tick(void **state)
{
    (void)state;
    disk live = {0}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    match_begin(&m, &options, 3);
    match_run(&m, 77);
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_snapshot snapshot;
    assert_int_equal(m.calls->snapshot(m.calls->ctx, &snapshot, &error), REPRISE_OK);
    assert_int_equal(
        reprise_ic_recorder_desync(m.recorder, &snapshot, path_of("desync.icsave"), &error),
        REPRISE_OK);
    disk save = load(path_of("desync.icsave"));
    judged j = judge(save.data, save.size);
    assert_int_equal(j.opened, REPRISE_OK);
    assert_string_equal(j.first, "");
    reprise_ic_codec *ic = NULL;
    assert_int_equal(reprise_ic_codec_new(NULL, &ic, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_read_save(ic, save.data, save.size, &snapshot, &error), REPRISE_OK);
    assert_int_equal(snapshot.core.tick, 77);
    reprise_ic_codec_free(ic);
    free(save.data);
    match_end(&m);
    match_free(&m);
    free(live.data);
    free(whole.data);
}

/* ---- mistakes of the host ---- */

static void recorder__mistakes_are_refused(void **state)
{
    (void)state;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_recorder *recorder = NULL;
    disk live = {0}, whole = {0};
    reprise_ic_recorder_options options = to_disk(&live, &whole);
    assert_int_equal(reprise_ic_recorder_new("{\"cpu\":\"x\"}", &options, NULL, &recorder, &error),
                     REPRISE_E_USAGE);
    rp_error_clear(&error);
    options.keyframe_ticks = 70;
    assert_int_equal(reprise_ic_recorder_new(test_metadata, &options, NULL, &recorder, &error),
                     REPRISE_E_USAGE);
    rp_error_clear(&error);
    options.keyframe_ticks = 0;
    assert_int_equal(reprise_ic_recorder_new(test_metadata, &options, NULL, &recorder, &error),
                     REPRISE_OK);
    reprise_ic_frame frame = {.tick = 0};
    assert_int_equal(reprise_ic_recorder_tick(recorder, &frame, &error), REPRISE_E_USAGE);
    rp_error_clear(&error);
    assert_int_equal(reprise_ic_recorder_finish(recorder, NULL, NULL, &error), REPRISE_E_USAGE);
    reprise_ic_recorder_free(recorder);
    rp_error_clear(&error);
    options = (reprise_ic_recorder_options)REPRISE_IC_RECORDER_INIT;
    options.path = path_of("match.icrep"); /* recorded by an earlier case */
    FILE *f = fopen(options.path, "ab");
    fclose(f);
    assert_int_equal(reprise_ic_recorder_new(test_metadata, &options, NULL, &recorder, &error),
                     REPRISE_E_USAGE);
    free(live.data);
    free(whole.data);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"match.icrep", "growing.icrep", "desync.icsave"};
    for (size_t i = 0; i < RP_COUNT(names); i++)
        remove(path_of(names[i]));
    return rmdir(directory);
}

int main(void)
{
    clock_is_first = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorder__a_match_is_recorded_and_signed),
        cmocka_unit_test(checklist_26__keyframes_come_every_300_and_3000),
        cmocka_unit_test(checklist_23__the_live_file_is_valid_at_every_moment),
        cmocka_unit_test(recorder__finishing_changes_the_layout_only),
        cmocka_unit_test(checklist_25__a_full_queue_costs_5_ms_and_is_counted),
        cmocka_unit_test(checklist_25__a_disk_that_stands_still_holds_no_call_for_5_ms),
        cmocka_unit_test(checklist_25__after_a_lost_full_keyframe_comes_a_full_one),
        cmocka_unit_test(recorder__a_disk_that_is_full_keeps_what_fits),
        cmocka_unit_test(recorder__short_writes_lose_nothing),
        cmocka_unit_test(recorder__any_write_may_fail),
        cmocka_unit_test(recorder__the_header_of_the_finished_file_comes_last),
        cmocka_unit_test(checklist_24__a_cut_anywhere_keeps_all_whole_records),
        cmocka_unit_test(checklist_24__what_was_lost_before_the_end_is_counted),
        cmocka_unit_test(recorder__voice_needs_consent),
        cmocka_unit_test(recorder__a_desync_writes_a_save_of_the_tick),
        cmocka_unit_test(recorder__mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
