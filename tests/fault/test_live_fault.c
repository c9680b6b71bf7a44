/*
 * test_live_fault.c - recording, playing and importing while the Nth allocation or the Nth write
 * fails, for N = 1, 2, 3 ... Nothing leaks or hangs; what is lost is counted, and what a recorder
 * still finishes verifies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#include "options.h"
#include "recording.h"
#include "reprise/write.h"
#include "sign.h"
#include "test_allocator.h"

enum { FAULTS_MAX = 100000, TICKS = 330 };

/* The recorder has two threads, and both ask for memory. */
typedef struct locked {
    test_allocator inner;
    pthread_mutex_t mutex;
} locked;

static void *locked_alloc(void *ctx, size_t size)
{
    locked *l = ctx;
    pthread_mutex_lock(&l->mutex);
    void *memory = watched_alloc(&l->inner, size);
    pthread_mutex_unlock(&l->mutex);
    return memory;
}

static void *locked_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    locked *l = ctx;
    pthread_mutex_lock(&l->mutex);
    void *memory = watched_realloc(&l->inner, old, old_size, size);
    pthread_mutex_unlock(&l->mutex);
    return memory;
}

static void locked_free(void *ctx, void *old, size_t size)
{
    locked *l = ctx;
    pthread_mutex_lock(&l->mutex);
    watched_free(&l->inner, old, size);
    pthread_mutex_unlock(&l->mutex);
}

static reprise_allocator locked_hooks(locked *l, size_t fail_at)
{
    *l = (locked){.inner = {.fail_at = fail_at}, .mutex = PTHREAD_MUTEX_INITIALIZER};
    return (reprise_allocator){
        .alloc = locked_alloc, .realloc = locked_realloc, .free = locked_free, .ctx = l};
}

/* Later faults repeat earlier ones. */
static size_t next_fault(size_t n)
{
    return n + 1 + n / 100;
}

/* ---- recording ---- */

typedef struct outcome {
    reprise_status made, finished;
    uint64_t refused; /* ticks that the recorder did not take */
    reprise_ic_recorder_stats stats;
} outcome;

/* The relay has a separate context. */
static rp_context relay_context;
static rp_ed25519_key *relay_key;

static int relay_sign(void *ctx, const void *message, size_t size, uint8_t ret_signature[64])
{
    (void)ctx;
    reprise_error error = REPRISE_ERROR_INIT;
    return rp_ed25519_key_sign(relay_key, message, size, ret_signature, &error) == REPRISE_OK ? 0
                                                                                              : EIO;
}

static void play_and_record(match *m, reprise_ic_recorder *recorder, outcome *o)
{
    static const uint8_t opus[] = {0xFC, 1, 2};
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        reprise_error ignored = REPRISE_ERROR_INIT, error = REPRISE_ERROR_INIT;
        const reprise_ic_order *orders = NULL;
        size_t count = 0;
        uint8_t hash[32];
        m->recorder = recorder;
        match_events(m);
        reprise_ic_voice_frame voice = {.tick = tick, .opus_data = {(char *)opus, sizeof opus}};
        (void)!reprise_ic_recorder_voice(recorder, 1, &voice, &ignored);
        assert_int_equal(m->calls->state_hash(m->calls->ctx, hash, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_skirmish_orders(m->game, &orders, &count, &error), REPRISE_OK);
        reprise_ic_frame frame = {.tick = tick,
                                  .state_hash = rp_load64(hash),
                                  .orders = {(void *)(uintptr_t)orders, count}};
        o->refused += reprise_ic_recorder_tick(recorder, &frame, &error) != REPRISE_OK;
        rp_error_clear(&error);
        assert_int_equal(m->calls->apply_tick(m->calls->ctx, tick, orders, count, &error),
                         REPRISE_OK);
    }
}

static outcome record(const reprise_options *limits, disk *live, disk *whole)
{
    static const uint32_t agreed[] = {1};
    outcome o = {.stats = REPRISE_IC_RECORDER_STATS_INIT};
    match m = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_storage storage = {.ctx = live, .write = disk_write, .read = disk_read};
    reprise_sink sink = {.ctx = whole, .write = disk_keep};
    reprise_ic_signer signer = {.struct_size = sizeof signer, .sign = relay_sign};
    assert_int_equal(rp_ed25519_key_public_bytes(relay_key, signer.public_key, &error), REPRISE_OK);
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.storage = &storage;
    options.finished = &sink;
    options.sync_ms = UINT32_MAX;
    options.queue_ticks = 2 * TICKS;
    options.consenting = agreed;
    options.consenting_count = 1;
    options.signer = &signer;
    assert_int_equal(reprise_ic_skirmish_new(NULL, &m.game, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_skirmish_start(m.game, 7, 2, 3, &error), REPRISE_OK);
    m.calls = reprise_ic_skirmish_simulation(m.game);
    options.simulation = m.calls;
    reprise_ic_recorder *recorder = NULL;
    o.made = reprise_ic_recorder_new(test_metadata, &options, limits, &recorder, &error);
    if (o.made == REPRISE_OK) {
        play_and_record(&m, recorder, &o);
        rp_error_clear(&error);
        o.finished = reprise_ic_recorder_finish(recorder, NULL, NULL, &error);
        (void)!reprise_ic_recorder_get_stats(recorder, &o.stats, NULL);
        reprise_ic_recorder_free(recorder);
    }
    reprise_ic_skirmish_free(m.game);
    return o;
}

static void check_outcome(const outcome *o, const disk *whole, size_t n)
{
    if (o->made != REPRISE_OK || o->finished != REPRISE_OK)
        return;
    judged j = judge(whole->data, whole->size);
    if (j.first[0])
        fail_msg("fault %zu: %s", n, j.first);
    /* Every frame is present or counted as lost; a refused last one is after the end. */
    assert_true(j.frames + j.lost >= j.total_ticks && j.frames + o->refused <= TICKS);
    assert_true(j.total_ticks + o->refused >= TICKS);
    assert_int_equal(j.incomplete, j.lost > 0);
}

static void live_fault__recording_survives_any_allocation(void **state)
{
    (void)state;
    size_t hurt = 0; /* recordings that had begun */
    for (size_t n = 1; n <= FAULTS_MAX; n = next_fault(n)) {
        locked l;
        reprise_allocator hooks = locked_hooks(&l, n);
        TEST_OPTIONS(limits);
        reprise_options_set_allocator(limits, &hooks, NULL);
        disk live = {0}, whole = {0};
        outcome o = record(limits, &live, &whole);
        if (l.inner.live_count)
            fail_msg("allocation %zu failed and %zu blocks stayed", n, l.inner.live_count);
        check_outcome(&o, &whole, n);
        hurt += o.made == REPRISE_OK && (o.finished != REPRISE_OK || o.refused ||
                                         o.stats.lost_events + o.stats.lost_voice ||
                                         o.stats.lost_frames + o.stats.lost_keyframes);
        free(live.data);
        free(whole.data);
        if (test_allocator_survived(&l.inner)) {
            assert_int_equal(o.made, REPRISE_OK);
            assert_int_equal(o.finished, REPRISE_OK);
            assert_int_equal(o.refused + o.stats.lost_frames, 0);
            assert_true(hurt > 10);
            return;
        }
    }
    fail_msg("still failing after %d allocations", FAULTS_MAX);
}

static void live_fault__recording_survives_any_write(void **state)
{
    (void)state;
    for (unsigned n = 1;; n++) {
        disk live = {.fails_at = n, .fails_half = n % 2}, whole = {0};
        outcome o = record(NULL, &live, &whole);
        bool done = live.writes < n;
        assert_true(o.made == REPRISE_OK || n == 1);
        check_outcome(&o, &whole, n);
        free(live.data);
        free(whole.data);
        if (done)
            return;
    }
}

/* ---- playing ---- */

static reprise_status play_some(reprise_replay *replay, reprise_error *error)
{
    reprise_ic_playback *player = NULL;
    const reprise_ic_frame *frame = NULL;
    const char *metadata = NULL;
    reprise_ic_snapshot snapshot;
    reprise_status status = reprise_ic_playback_new(replay, NULL, &player, error);
    for (int i = 0; i < 310 && status == REPRISE_OK; i++)
        status = reprise_ic_playback_poll(player, &frame, error);
    uint64_t end = player ? reprise_ic_playback_length(player) : 0;
    if (status == REPRISE_OK)
        status = reprise_ic_playback_seek(player, end / 2, error);
    bool has_state = status == REPRISE_OK && reprise_ic_playback_has_state(player);
    if (has_state)
        status = reprise_ic_playback_state(player, &snapshot, error);
    if (has_state && status == REPRISE_OK)
        status = reprise_ic_playback_branch(player, end / 2, 0, &metadata, error);
    if (status == REPRISE_OK)
        status = reprise_ic_playback_seek(player, 1, error);
    if (status == REPRISE_OK)
        status = reprise_ic_playback_poll(player, &frame, error);
    reprise_ic_playback_free(player);
    return status == REPRISE_END ? REPRISE_OK : status;
}

typedef struct written {
    disk out;
    unsigned writes, fails_at;
} written;

static int written_write(void *ctx, const void *data, size_t size)
{
    written *w = ctx;
    return ++w->writes == w->fails_at ? ENOSPC : disk_keep(&w->out, data, size);
}

typedef reprise_status operation(reprise_replay *replay, written *to, reprise_error *error);

static reprise_status do_play(reprise_replay *replay, written *to, reprise_error *error)
{
    (void)to;
    return play_some(replay, error);
}

static reprise_status do_import(reprise_replay *replay, written *to, reprise_error *error)
{
    reprise_sink sink = {.ctx = to, .write = written_write};
    reprise_ic_import_options options = REPRISE_IC_IMPORT_INIT;
    reprise_write_options writing = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    options.lossless = true;
    writing.sink = &sink;
    return reprise_ic_import(replay, &options, &writing, &report, error);
}

static reprise_status do_restore(reprise_replay *replay, written *to, reprise_error *error)
{
    reprise_sink sink = {.ctx = to, .write = written_write};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    const reprise_value *report = NULL;
    writing.sink = &sink;
    writing.lossy = true; /* the sample has no trailer to bring back */
    return reprise_ic_export(replay, &writing, &report, error);
}

static const struct {
    const char *path;
    operation *run;
} cases[] = {
    {"tests/data/ironcurtain/all-orders.icrep", do_play},
    {"tests/data/ironcurtain/lost-frames.icrep", do_play},
    {"tests/data/ironcurtain/live-torn.icrep", do_play},
    {"tests/data/openra/p8-2p.orarep", do_play},
    {"tests/data/remastered/td-events-modem.bin", do_play},
    {"tests/data/openra/p8-2p.orarep", do_import},
    {"tests/data/remastered/td-events-modem.bin", do_import},
    {"tests/data/ironcurtain/imported-lossless.icrep", do_restore},
};

static void live_fault__playing_and_importing_survive_any_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool survived = false;
        for (size_t n = 1; n <= FAULTS_MAX && !survived; n = next_fault(n)) {
            locked l;
            reprise_allocator hooks = locked_hooks(&l, n);
            TEST_OPTIONS(options);
            reprise_options_set_allocator(options, &hooks, NULL);
            reprise_replay *replay = NULL;
            reprise_error error = REPRISE_ERROR_INIT;
            written to = {0};
            reprise_status status = reprise_open_file(cases[i].path, options, &replay, &error);
            if (status == REPRISE_OK)
                status = cases[i].run(replay, &to, &error);
            reprise_close(replay);
            if (l.inner.live_count)
                fail_msg("%s: allocation %zu failed and %zu blocks stayed", cases[i].path, n,
                         l.inner.live_count);
            survived = test_allocator_survived(&l.inner);
            if (status != (survived ? REPRISE_OK : REPRISE_E_NOMEM) && status != REPRISE_OK)
                fail_msg("%s: allocation %zu failed: %d %s", cases[i].path, n, status,
                         error.message);
            free(to.out.data);
        }
        assert_true(survived);
    }
}

static void live_fault__a_sink_that_fails_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].run == do_play)
            continue;
        for (unsigned n = 1;; n++) {
            written to = {.fails_at = n};
            reprise_replay *replay = NULL;
            reprise_error error = REPRISE_ERROR_INIT;
            assert_int_equal(reprise_open_file(cases[i].path, NULL, &replay, &error), REPRISE_OK);
            reprise_status status = cases[i].run(replay, &to, &error);
            reprise_close(replay);
            free(to.out.data);
            if (to.writes < n) {
                assert_true(n > 1);
                assert_int_equal(status, REPRISE_OK);
                break;
            }
            assert_int_equal(status, REPRISE_E_IO);
        }
    }
}

static int set_up(void **state)
{
    (void)state;
    static const uint8_t secret[32] = {1, 2, 3, 4, 5};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_context_init(&relay_context, NULL);
    return rp_ed25519_key_private(&relay_context, secret, &relay_key, &error) == REPRISE_OK ? 0
                                                                                            : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rp_ed25519_key_free(relay_key);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_fault__recording_survives_any_allocation),
        cmocka_unit_test(live_fault__recording_survives_any_write),
        cmocka_unit_test(live_fault__playing_and_importing_survive_any_allocation),
        cmocka_unit_test(live_fault__a_sink_that_fails_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
