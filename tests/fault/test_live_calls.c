/*
 * test_live_calls.c - a recorder whose system calls fail, are interrupted or do half of the work,
 * and whose host leaves out ticks, gives too much at once or lives through jumps of the clock. What
 * is lost is counted, and nothing else is lost.
 *
 * The calls of the library go to the functions of their names here.
 */
#define _GNU_SOURCE /* syscall */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/syscall.h>

#include "checked.h"
#include "fake_clock.h"
#include "recording.h"
#include "sign.h"

enum { TICKS = 400 };

/* ---- system calls ---- */

typedef struct fault_plan {
    unsigned failing_syncs; /* this many fail, each with `cause` */
    unsigned interrupted;   /* of each kind of call, this many in a row before one works */
    size_t write_max;       /* most bytes per write; 0: all of them */
    int cause;
} fault_plan;

static fault_plan plan;
static atomic_uint syncs, writes, reads, failed;

static bool interrupts(atomic_uint *calls)
{
    return ++*calls % (plan.interrupted + 1) != 0;
}

int fdatasync(int fd)
{
    bool fails = syncs < plan.failing_syncs;
    if (interrupts(&syncs) && !fails) {
        errno = EINTR;
        return -1;
    }
    if (fails) {
        failed++;
        errno = plan.cause;
        return -1;
    }
    return (int)syscall(SYS_fdatasync, fd);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    if (interrupts(&writes)) {
        errno = EINTR;
        return -1;
    }
    size_t n = plan.write_max && size > plan.write_max ? plan.write_max : size;
    return syscall(SYS_pwrite64, fd, data, n, offset);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
    if (interrupts(&reads)) {
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_pread64, fd, to, size, offset);
}

static void faults(fault_plan wanted)
{
    plan = wanted;
    syncs = writes = reads = failed = 0;
}

/* ---- recording to a file ---- */

static char directory[] = "/tmp/reprise-live-calls-XXXXXX";

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

/* Records a match to a file, waits for that many syncs before its end, and judges the file. */
static reprise_ic_recorder_stats record_file(uint32_t sync_ms, unsigned syncs_before_end,
                                             judged *ret_judged)
{
    match m;
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.path = path_of("match.icrep");
    options.replace = true;
    options.queue_ticks = 2 * TICKS;
    options.flush_ms = 20;
    options.sync_ms = sync_ms;
    match_begin(&m, &options, 3);
    for (unsigned i = 0; i < TICKS; i++) {
        match_events(&m);
        match_tick(&m);
    }
    while (syncs < syncs_before_end)
        sched_yield();
    match_end(&m);
    reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
    assert_int_equal(reprise_ic_recorder_get_stats(m.recorder, &stats, NULL), REPRISE_OK);
    match_free(&m);
    assert_int_equal(stats.failed_syncs, failed);
    plan = (fault_plan){0};
    disk file = load(path_of("match.icrep"));
    *ret_judged = judge(file.data, file.size);
    free(file.data);
    return stats;
}

static void expect_everything(const judged *j, const reprise_ic_recorder_stats *stats)
{
    assert_string_equal(j->first, "");
    assert_int_equal(j->frames, TICKS);
    assert_int_equal(j->lost, 0);
    assert_false(j->incomplete);
    assert_int_equal(j->mismatches, 0);
    assert_int_equal(stats->failed_writes, 0);
    assert_int_equal(stats->lost_frames + stats->lost_keyframes + stats->lost_events, 0);
}

/* ---- syncing ---- */

static void live_calls__failed_syncs_are_counted_and_tried_again(void **state)
{
    (void)state;
    static const int causes[] = {EIO, ENOSPC, EDQUOT};
    for (size_t i = 0; i < RP_COUNT(causes); i++) {
        judged j;
        faults((fault_plan){.failing_syncs = 3, .cause = causes[i]});
        /* The fourth comes although nothing was added after the third failed. */
        reprise_ic_recorder_stats stats = record_file(1, 4, &j);
        assert_int_equal(stats.failed_syncs, 3);
        expect_everything(&j, &stats);
    }
}

static void live_calls__a_disk_that_never_syncs_is_reported(void **state)
{
    (void)state;
    judged j;
    /* Without an interval that ends, only the sync at the end is left. */
    faults((fault_plan){.failing_syncs = UINT32_MAX, .cause = EIO});
    reprise_ic_recorder_stats stats = record_file(UINT32_MAX - 1, 0, &j);
    assert_int_equal(stats.failed_syncs, 1);
    expect_everything(&j, &stats);
}

static void live_calls__the_live_file_can_be_left_unsynced(void **state)
{
    (void)state;
    judged j;
    faults((fault_plan){.failing_syncs = UINT32_MAX, .cause = EIO});
    reprise_ic_recorder_stats stats = record_file(UINT32_MAX, 0, &j);
    assert_int_equal(syncs, 0);
    expect_everything(&j, &stats);
}

/* ---- interruptions and short writes ---- */

static void live_calls__interruptions_cost_nothing(void **state)
{
    (void)state;
    for (unsigned times = 1; times < 4; times++) {
        judged j;
        faults((fault_plan){.interrupted = times});
        reprise_ic_recorder_stats stats = record_file(1, 0, &j);
        assert_int_equal(stats.failed_syncs, 0);
        assert_true(writes > times && reads > times && syncs > times);
        expect_everything(&j, &stats);
    }
}

static void live_calls__short_writes_cost_nothing(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 13, 500};
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        judged j;
        faults((fault_plan){.interrupted = 1, .write_max = sizes[i]});
        reprise_ic_recorder_stats stats = record_file(1, 0, &j);
        assert_true(writes > 2 * stats.bytes / sizes[i]);
        expect_everything(&j, &stats);
    }
}

/* ---- the clock ---- */

/* A suspended machine: flushing and syncing are due at once, and nothing is late. */
static void live_calls__jumps_of_the_clock_lose_nothing(void **state)
{
    (void)state;
    static const uint64_t jumps[] = {UINT64_C(1000000000), UINT64_C(3600000000000),
                                     UINT64_C(1) << 55};
    for (size_t i = 0; i < RP_COUNT(jumps); i++) {
        judged j;
        faults((fault_plan){0});
        clock_jump_ns = jumps[i];
        reprise_ic_recorder_stats stats = record_file(1, 0, &j);
        clock_jump_ns = 0;
        expect_everything(&j, &stats);
    }
}

/* ---- limits of the queues ---- */

static reprise_ic_recorder_options to_gated_disk(disk *live, disk *whole)
{
    static reprise_storage storage;
    static reprise_sink sink;
    static const uint32_t agreed[] = {1};
    storage = (reprise_storage){.ctx = live, .write = disk_write, .read = disk_read};
    sink = (reprise_sink){.ctx = whole, .write = disk_keep};
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.storage = &storage;
    options.finished = &sink;
    options.queue_ticks = 2 * TICKS;
    options.flush_ms = 1;
    options.consenting = agreed;
    options.consenting_count = 1;
    return options;
}

static uint64_t rows_of(const disk *whole, const char *track)
{
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    assert_int_equal(reprise_open_memory(whole->data, whole->size, NULL, &replay, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    assert_int_equal(summary.faults, 0);
    const reprise_value *rows = reprise_value_get(summary.document, "rows");
    uint64_t count = reprise_value_uint(reprise_value_get(rows, track), 0);
    reprise_close(replay);
    return count;
}

typedef reprise_status give(reprise_ic_recorder *recorder, uint64_t tick, reprise_error *error);

/* About 4 KiB; 8 MiB of events may wait for the disk. */
static reprise_status give_event(reprise_ic_recorder *recorder, uint64_t tick, reprise_error *error)
{
    static reprise_ic_unit_position positions[256];
    for (uint16_t i = 0; i < RP_COUNT(positions); i++)
        positions[i].tag.index = i;
    reprise_ic_position_sample sample = {.tick = tick, .positions = {positions, 256}};
    reprise_ic_event event = {.variant = REPRISE_IC_EVENT_UNIT_POSITION_SAMPLE,
                              .as.unit_position_sample = &sample};
    return reprise_ic_recorder_event(recorder, &event, error);
}

/* 1 MiB of each player's voice may wait. */
static reprise_status give_voice(reprise_ic_recorder *recorder, uint64_t tick, reprise_error *error)
{
    static char opus[256] = {(char)0xFC};
    reprise_ic_voice_frame frame = {.tick = tick, .opus_data = {opus, sizeof opus}};
    return reprise_ic_recorder_voice(recorder, 1, &frame, error);
}

/* Gives things while the disk does not answer, until a hundred found no room. */
static uint64_t give_too_much(reprise_ic_recorder *recorder, give *one, uint64_t tick,
                              uint64_t *ret_refused)
{
    enum { REFUSED = 100, GIVEN_MAX = 50000 };
    uint64_t given = 0;
    for (*ret_refused = 0; *ret_refused < REFUSED && given < GIVEN_MAX; given++) {
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = one(recorder, tick, &error);
        if (status != REPRISE_OK && status != REPRISE_E_LIMIT)
            fail_msg("%s", error.message);
        *ret_refused += status == REPRISE_E_LIMIT;
    }
    assert_int_equal(*ret_refused, REFUSED);
    return given - *ret_refused;
}

static void live_calls__full_queues_of_events_and_voice_are_counted(void **state)
{
    (void)state;
    static const struct {
        give *one;
        const char *track;
    } kinds[] = {{give_event, "events"}, {give_voice, "voice"}};
    for (size_t i = 0; i < RP_COUNT(kinds); i++) {
        sem_t gate;
        assert_int_equal(sem_init(&gate, 0, 0), 0);
        disk live = {.stalls_at = 3, .gate = &gate}, whole = {0};
        match m;
        reprise_ic_recorder_options options = to_gated_disk(&live, &whole);
        uint64_t refused = 0;
        match_begin(&m, &options, 3);
        match_run(&m, TICKS / 2);
        uint64_t kept = give_too_much(m.recorder, kinds[i].one, m.tick, &refused);
        sem_post(&gate);
        match_run(&m, TICKS / 2);
        match_end(&m);
        reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
        assert_int_equal(reprise_ic_recorder_get_stats(m.recorder, &stats, NULL), REPRISE_OK);
        assert_int_equal(stats.lost_events + stats.lost_voice, refused);
        assert_int_equal(stats.lost_frames + stats.lost_keyframes, 0);
        assert_int_equal(rows_of(&whole, kinds[i].track), kept);
        assert_int_equal(rows_of(&whole, "ticks"), TICKS);
        match_free(&m);
        sem_destroy(&gate);
        free(live.data);
        free(whole.data);
    }
}

/* ---- ticks that the host leaves out ---- */

static int relay_sign(void *ctx, const void *message, size_t size, uint8_t ret_signature[64])
{
    reprise_error error = REPRISE_ERROR_INIT;
    return rp_ed25519_key_sign(ctx, message, size, ret_signature, &error) == REPRISE_OK ? 0 : EIO;
}

/* The game plays on, and the recorder hears nothing of it. */
static void leave_out(match *m, uint64_t ticks)
{
    for (uint64_t i = 0; i < ticks; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        const reprise_ic_order *orders = NULL;
        size_t count = 0;
        assert_int_equal(reprise_ic_skirmish_orders(m->game, &orders, &count, &error), REPRISE_OK);
        assert_int_equal(m->calls->apply_tick(m->calls->ctx, m->tick++, orders, count, &error),
                         REPRISE_OK);
    }
}

static void live_calls__ticks_that_are_left_out_are_lost_and_counted(void **state)
{
    (void)state;
    static const uint8_t secret[32] = {9, 8, 7};
    enum { FEW = 10, MORE = 70 }; /* within one interval of signatures, and over several */
    rp_context context;
    rp_ed25519_key *key = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    rp_context_init(&context, NULL);
    assert_int_equal(rp_ed25519_key_private(&context, secret, &key, &error), REPRISE_OK);
    reprise_ic_signer signer = {.struct_size = sizeof signer, .ctx = key, .sign = relay_sign};
    assert_int_equal(rp_ed25519_key_public_bytes(key, signer.public_key, &error), REPRISE_OK);
    disk live = {0}, whole = {0};
    match m;
    reprise_ic_recorder_options options = to_gated_disk(&live, &whole);
    options.signer = &signer;
    match_begin(&m, &options, 3);
    match_run(&m, 100);
    leave_out(&m, FEW);
    match_run(&m, 90);
    leave_out(&m, MORE);
    match_run(&m, 50);
    match_end(&m);
    reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
    assert_int_equal(reprise_ic_recorder_get_stats(m.recorder, &stats, NULL), REPRISE_OK);
    assert_int_equal(stats.lost_frames, FEW + MORE);
    judged j = judge(whole.data, whole.size);
    assert_string_equal(j.first, ""); /* what the signatures skip is what is missing */
    assert_int_equal(j.frames, 240);
    assert_int_equal(j.total_ticks, 240 + FEW + MORE);
    assert_int_equal(j.lost, FEW + MORE);
    assert_true(j.incomplete);
    assert_false(j.ranked);
    match_free(&m);
    free(live.data);
    free(whole.data);
    rp_ed25519_key_free(key);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    remove(path_of("match.icrep"));
    return rmdir(directory);
}

int main(void)
{
    clock_is_first = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_calls__failed_syncs_are_counted_and_tried_again),
        cmocka_unit_test(live_calls__a_disk_that_never_syncs_is_reported),
        cmocka_unit_test(live_calls__the_live_file_can_be_left_unsynced),
        cmocka_unit_test(live_calls__interruptions_cost_nothing),
        cmocka_unit_test(live_calls__short_writes_cost_nothing),
        cmocka_unit_test(live_calls__jumps_of_the_clock_lose_nothing),
        cmocka_unit_test(live_calls__full_queues_of_events_and_voice_are_counted),
        cmocka_unit_test(live_calls__ticks_that_are_left_out_are_lost_and_counted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
