/*
 * test_player.c - playback: frames, comparisons, gaps, seeking and pacing. Numbers in test names
 * are items of the conformance checklist.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checked.h"
#include "recording.h"

#define DATA "tests/data/ironcurtain/"

typedef struct heard {
    unsigned desyncs, gaps, ends, events, voices, divergences;
    uint64_t desync_tick, ours, recorded, gap_from, gap_to, gap_until, gap_frames;
    unsigned namings;
    uint64_t named_tick, named_keyframe;
    size_t part_count;
    char first_part[32];
    const reprise_ic_playback *player; /* where events and voice must come with their ticks */
} heard;

static void hear_desync(void *ctx, uint64_t tick, uint64_t ours, uint64_t recorded)
{
    heard *h = ctx;
    h->desyncs++;
    h->desync_tick = tick;
    h->ours = ours;
    h->recorded = recorded;
}

static void hear_parts(void *ctx, const reprise_ic_desync_parts *found)
{
    heard *h = ctx;
    h->namings++;
    h->named_tick = found->tick;
    h->named_keyframe = found->keyframe;
    h->part_count = found->part_count;
    snprintf(h->first_part, sizeof h->first_part, "%s", found->part_count ? found->parts[0] : "");
}

static void hear_gap(void *ctx, uint64_t from, uint64_t to, uint64_t until)
{
    heard *h = ctx;
    h->gaps++;
    h->gap_from = from;
    h->gap_to = to;
    h->gap_until = until;
    h->gap_frames += to - from;
}

static void hear_end(void *ctx, uint64_t tick)
{
    (void)tick;
    ((heard *)ctx)->ends++;
}

static void expect_tick(const heard *h, uint64_t tick)
{
    if (h->player)
        assert_int_equal(tick, reprise_ic_playback_tick(h->player));
}

static void hear_event(void *ctx, const reprise_ic_event *event)
{
    heard *h = ctx;
    h->events++;
    expect_tick(h, *(const uint64_t *)(const void *)event->as.unit_created); /* all begin so */
}

static void hear_voice(void *ctx, uint32_t player, const reprise_ic_voice_frame *frame)
{
    (void)player;
    heard *h = ctx;
    h->voices++;
    expect_tick(h, frame->tick);
}

static void hear_divergence(void *ctx, const reprise_ic_divergence *divergence)
{
    (void)divergence;
    ((heard *)ctx)->divergences++;
}

typedef struct stage {
    reprise_replay *replay;
    reprise_ic_playback *player;
    reprise_ic_playback_callbacks calls;
    heard heard;
} stage;

static void stage_open(stage *s, reprise_replay *replay, reprise_ic_playback_options options)
{
    reprise_error error = REPRISE_ERROR_INIT;
    *s = (stage){.replay = replay};
    s->calls = (reprise_ic_playback_callbacks){.struct_size = sizeof s->calls,
                                               .ctx = &s->heard,
                                               .event = hear_event,
                                               .voice = hear_voice,
                                               .desync = hear_desync,
                                               .gap = hear_gap,
                                               .divergence = hear_divergence,
                                               .end = hear_end,
                                               .desync_parts = hear_parts};
    options.callbacks = &s->calls;
    if (reprise_ic_playback_new(replay, &options, &s->player, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
}

static void stage_file(stage *s, const char *name, reprise_ic_playback_options options)
{
    char path[128];
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    snprintf(path, sizeof path, DATA "%s.icrep", name);
    assert_int_equal(reprise_open_file(path, NULL, &replay, &error), REPRISE_OK);
    stage_open(s, replay, options);
}

static void stage_close(stage *s)
{
    reprise_ic_playback_free(s->player);
    reprise_close(s->replay);
}

static reprise_status play_on(stage *s)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_ic_frame *frame = NULL;
    reprise_status status;
    uint64_t tick = reprise_ic_playback_tick(s->player);
    while ((status = reprise_ic_playback_poll(s->player, &frame, &error)) == REPRISE_OK)
        assert_int_equal(frame->tick, tick++);
    return status;
}

static const reprise_ic_playback_options plain = REPRISE_IC_PLAYBACK_INIT;

/* ---- frames and states ---- */

static void checklist_16__complete_samples_play_without_desync(void **state)
{
    (void)state;
    static const char *const files[] = {"all-events", "basic", "full", "zero-ticks",
                                        "lost-full-keyframe"};
    for (size_t i = 0; i < RP_COUNT(files); i++) {
        stage s;
        stage_file(&s, files[i], plain);
        assert_int_equal(play_on(&s), REPRISE_END);
        assert_int_equal(s.heard.desyncs, 0);
        assert_int_equal(s.heard.ends, 1);
        assert_int_equal(reprise_ic_playback_tick(s.player), reprise_ic_playback_length(s.player));
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_ic_playback_poll(s.player, NULL, &error), REPRISE_END);
        assert_int_equal(s.heard.ends, 1); /* called once */
        stage_close(&s);
    }
}

/* A match with one wrong hash in one frame. */
static disk with_wrong_hash(uint64_t at, uint64_t ticks)
{
    disk live = {0}, whole = {0};
    reprise_storage storage = {.ctx = &live, .write = disk_write, .read = disk_read};
    reprise_sink sink = {.ctx = &whole, .write = disk_keep};
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.storage = &storage;
    options.finished = &sink;
    options.queue_ticks = 4000;
    match m;
    reprise_error error = REPRISE_ERROR_INIT;
    match_begin(&m, &options, 4);
    for (uint64_t t = 0; t < ticks; t++) {
        const reprise_ic_order *orders = NULL;
        size_t count = 0;
        uint8_t hash[32];
        assert_int_equal(m.calls->state_hash(m.calls->ctx, hash, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_skirmish_orders(m.game, &orders, &count, &error), REPRISE_OK);
        reprise_ic_frame frame = {.tick = t,
                                  .state_hash = rp_load64(hash) ^ (t == at),
                                  .orders = {(void *)(uintptr_t)orders, count}};
        assert_int_equal(reprise_ic_recorder_tick(m.recorder, &frame, &error), REPRISE_OK);
        assert_int_equal(m.calls->apply_tick(m.calls->ctx, t, orders, count, &error), REPRISE_OK);
    }
    match_end(&m);
    match_free(&m);
    free(live.data);
    return whole;
}

static void checklist_17__one_wrong_hash_is_one_desync_and_playback_continues(void **state)
{
    (void)state;
    disk file = with_wrong_hash(123, 400);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error), REPRISE_OK);
    stage s;
    stage_open(&s, replay, plain);
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_int_equal(s.heard.desyncs, 1);
    assert_int_equal(s.heard.desync_tick, 123);
    assert_int_equal(s.heard.ours ^ 1, s.heard.recorded);
    assert_int_equal(s.heard.ends, 1);
    /* Only the hash was wrong. */
    assert_int_equal(s.heard.namings, 1);
    assert_int_equal(s.heard.named_keyframe, 300);
    assert_int_equal(s.heard.part_count, 0);
    /* After a seek the restored state is compared first. */
    assert_int_equal(reprise_ic_playback_seek(s.player, 123, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_playback_poll(s.player, NULL, &error), REPRISE_OK);
    assert_int_equal(s.heard.desyncs, 2);
    stage_close(&s);
    free(file.data);
}

static void player__a_desync_names_its_parts_at_the_next_keyframe(void **state)
{
    (void)state;
    reprise_error error = REPRISE_ERROR_INIT;
    stage s;
    stage_file(&s, "variants/bad/changed-order", plain);
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_true(s.heard.desyncs > 1);
    assert_int_equal(s.heard.namings, 1);
    assert_int_equal(s.heard.named_tick, 4);
    assert_int_equal(s.heard.named_keyframe, 300);
    assert_int_equal(s.heard.part_count, 2);
    assert_string_equal(s.heard.first_part, "arch:harvester");
    /* From a recorded state, later orders lead to the recorded states. */
    s.heard = (heard){0};
    assert_int_equal(reprise_ic_playback_seek(s.player, 300, &error), REPRISE_OK);
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_int_equal(s.heard.desyncs, 0);
    assert_int_equal(s.heard.namings, 0);
    /* After seeking back it is reported again. */
    assert_int_equal(reprise_ic_playback_seek(s.player, 2, &error), REPRISE_OK);
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_int_equal(s.heard.namings, 1);
    stage_close(&s);
}

static void player__events_and_voice_come_with_their_ticks(void **state)
{
    (void)state;
    stage s;
    stage_file(&s, "all-events", plain);
    s.heard.player = s.player;
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_true(s.heard.events >= 21);
    stage_close(&s);
    stage_file(&s, "full", plain);
    s.heard.player = s.player;
    assert_int_equal(play_on(&s), REPRISE_END);
    unsigned voices = s.heard.voices;
    assert_true(voices > 0);
    stage_close(&s);
    /* Above speed 4 voice is skipped. */
    static const double speeds[] = {4, 4.25, 8, 0};
    for (size_t i = 0; i < RP_COUNT(speeds); i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        stage_file(&s, "full", plain);
        assert_int_equal(reprise_ic_playback_set_speed(s.player, speeds[i], &error), REPRISE_OK);
        assert_int_equal(play_on(&s), REPRISE_END);
        assert_int_equal(s.heard.voices, i ? 0 : voices);
        stage_close(&s);
    }
}

/* Rows of a track from a tick on, read without playing. */
static unsigned rows_from(const char *name, const char *track, uint64_t tick)
{
    char path[128];
    reprise_replay *replay = NULL;
    reprise_rows *rows = NULL;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    unsigned count = 0;
    snprintf(path, sizeof path, DATA "%s.icrep", name);
    assert_int_equal(reprise_open_file(path, NULL, &replay, NULL), REPRISE_OK);
    options.tracks = UINT64_C(1) << reprise_track_find(replay, track);
    options.index_from = (int64_t)tick;
    assert_int_equal(reprise_rows_open(replay, &options, &rows, NULL), REPRISE_OK);
    while (reprise_rows_next(rows, NULL) == REPRISE_OK)
        count++;
    reprise_rows_close(rows);
    reprise_close(replay);
    return count;
}

/* From wherever playback starts, up to the event that ends the match after the last frame. */
static void player__every_event_and_voice_is_heard_once(void **state)
{
    (void)state;
    static const char *const files[] = {"all-events", "full", "live-clean", "live-torn"};
    for (size_t i = 0; i < RP_COUNT(files); i++) {
        stage s;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_ic_playback_options options = plain;
        options.orders_only = true;
        stage_file(&s, files[i], options);
        s.heard.player = s.player;
        uint64_t length = reprise_ic_playback_length(s.player);
        const uint64_t starts[] = {0, 1, length / 3, length - 1, length, 5};
        for (size_t k = 0; k < RP_COUNT(starts); k++) {
            s.heard.events = s.heard.voices = 0;
            if (k)
                assert_int_equal(reprise_ic_playback_seek(s.player, starts[k], &error), REPRISE_OK);
            assert_int_equal(play_on(&s), REPRISE_END);
            assert_int_equal(s.heard.events, rows_from(files[i], "events", starts[k]));
            assert_int_equal(s.heard.voices, rows_from(files[i], "voice", starts[k]));
        }
        stage_close(&s);
    }
    assert_int_equal(rows_from("full", "events", 3356), 1); /* MatchEnded, after 3356 frames */
}

/* ---- gaps ---- */

static void player__gaps_are_reported_once_and_end_at_the_next_keyframe(void **state)
{
    (void)state;
    stage s;
    stage_file(&s, "lost-frames", plain);
    assert_int_equal(play_on(&s), REPRISE_END);
    unsigned gaps = s.heard.gaps;
    uint64_t missing = s.heard.gap_frames;
    assert_int_equal(s.heard.desyncs, 0);
    assert_int_equal(s.heard.gap_until % 300 == 0 || s.heard.gap_until == 1400, true);
    stage_close(&s);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_verify_summary summary = {0};
    assert_int_equal(reprise_open_file(DATA "lost-frames.icrep", NULL, &replay, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_verify(replay, NULL, NULL, &summary, &error), REPRISE_OK);
    const reprise_value *ranges = reprise_value_get(summary.document, "missing_ranges");
    assert_int_equal(gaps, reprise_value_count(ranges));
    assert_int_equal(missing,
                     reprise_value_uint(reprise_value_get(summary.document, "missing_frames"), 0));
    reprise_close(replay);
}

static void player__strict_stops_at_the_gap(void **state)
{
    (void)state;
    stage s;
    reprise_ic_playback_options strict = plain;
    strict.strict = true;
    stage_file(&s, "lost-frames", strict);
    assert_int_equal(play_on(&s), REPRISE_E_TRUNCATED);
    uint64_t stopped = reprise_ic_playback_tick(s.player);
    stage_close(&s);
    stage_file(&s, "lost-frames", plain);
    reprise_error error = REPRISE_ERROR_INIT;
    while (!s.heard.gaps)
        assert_int_equal(reprise_ic_playback_poll(s.player, NULL, &error), REPRISE_OK);
    assert_int_equal(s.heard.gap_from, stopped);
    stage_close(&s);
}

/* ---- seeking ---- */

static uint64_t hash_now(reprise_ic_playback *player)
{
    reprise_ic_snapshot snapshot;
    reprise_ic_codec *ic = NULL;
    uint8_t hash[32];
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_playback_state(player, &snapshot, &error), REPRISE_OK);
    assert_int_equal(snapshot.core.tick, reprise_ic_playback_tick(player));
    assert_int_equal(reprise_ic_codec_new(NULL, &ic, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_state_hash(ic, &snapshot.core, hash, &error), REPRISE_OK);
    reprise_ic_codec_free(ic);
    return rp_load64(hash);
}

static void checklist_33__seek_and_step_back_give_the_played_states(void **state)
{
    (void)state;
    enum { TICKS = 700 };
    static uint64_t hashes[TICKS + 1];
    stage s;
    reprise_error error = REPRISE_ERROR_INIT;
    stage_file(&s, "basic", plain);
    for (uint64_t t = 0; t < TICKS; t++) {
        hashes[t] = hash_now(s.player);
        assert_int_equal(reprise_ic_playback_poll(s.player, NULL, &error), REPRISE_OK);
    }
    hashes[TICKS] = hash_now(s.player);
    static const uint64_t targets[] = {0, 299, 300, 301, 650, 12, 700, 599, 600, 1};
    for (size_t i = 0; i < RP_COUNT(targets); i++) {
        assert_int_equal(reprise_ic_playback_seek(s.player, targets[i], &error), REPRISE_OK);
        assert_int_equal(hash_now(s.player), hashes[targets[i]]);
        const reprise_ic_frame *frame = NULL;
        reprise_status status = reprise_ic_playback_peek(s.player, &frame, &error);
        assert_int_equal(status, targets[i] < TICKS ? REPRISE_OK : REPRISE_END);
        assert_true(status == REPRISE_END || frame->state_hash == hashes[targets[i]]);
    }
    for (uint64_t t = 310; t-- > 290;) {
        assert_int_equal(reprise_ic_playback_seek(s.player, t, &error), REPRISE_OK);
        assert_int_equal(hash_now(s.player), hashes[t]);
    }
    assert_int_equal(reprise_ic_playback_seek(s.player, TICKS + 1, &error), REPRISE_E_USAGE);
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_int_equal(s.heard.desyncs, 0);
    stage_close(&s);
}

/* ---- pacing ---- */

/* On an uneven clock, an hour has exactly the ticks of an hour. */
static void checklist_33__an_hour_has_no_drift_at_any_speed(void **state)
{
    (void)state;
    static const double speeds[] = {0.25, 0.5, 1, 2, 4, 8};
    for (size_t i = 0; i < RP_COUNT(speeds); i++) {
        stage s;
        reprise_error error = REPRISE_ERROR_INIT;
        stage_file(&s, "basic", plain);
        uint64_t now = 1000, begin = now, ticks = 0, dice = 99;
        uint64_t tick_us = reprise_ic_playback_tick_us(s.player);
        assert_int_equal(tick_us, 66667);
        assert_int_equal(reprise_ic_playback_set_speed(s.player, speeds[i], &error), REPRISE_OK);
        assert_int_equal(reprise_ic_playback_due(s.player, now), 0);
        while (now - begin < UINT64_C(3600000000)) {
            dice = dice * UINT64_C(6364136223846793005) + 1;
            now += 1 + (dice >> 40) % 33000;
            ticks += reprise_ic_playback_due(s.player, now);
        }
        uint64_t expected = (uint64_t)((double)(now - begin) * speeds[i] / (double)tick_us);
        assert_int_equal(ticks, expected);
        stage_close(&s);
    }
}

static void checklist_33__pause_stops_the_clock(void **state)
{
    (void)state;
    stage s;
    reprise_error error = REPRISE_ERROR_INIT;
    stage_file(&s, "basic", plain);
    assert_int_equal(reprise_ic_playback_due(s.player, 0), 0);
    assert_int_equal(reprise_ic_playback_due(s.player, 66667 * 3), 3);
    reprise_ic_playback_pause(s.player, true);
    assert_int_equal(reprise_ic_playback_due(s.player, 66667 * 9), 0);
    reprise_ic_playback_pause(s.player, false);
    assert_int_equal(reprise_ic_playback_due(s.player, 66667 * 10), 1);
    assert_int_equal(reprise_ic_playback_set_speed(s.player, 0, &error), REPRISE_OK);
    assert_int_equal(reprise_ic_playback_due(s.player, 66667 * 11), UINT64_MAX);
    assert_int_equal(reprise_ic_playback_set_speed(s.player, 0.3, &error), REPRISE_E_USAGE);
    rp_error_clear(&error);
    assert_int_equal(reprise_ic_playback_set_speed(s.player, 9, &error), REPRISE_E_USAGE);
    stage_close(&s);
}

/* ---- replays of other games ---- */

static void player__imported_replays_diverge_instead_of_desyncing(void **state)
{
    (void)state;
    stage s;
    stage_file(&s, "imported-lossless", plain);
    assert_false(reprise_ic_playback_has_state(s.player));
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_int_equal(s.heard.desyncs, 0);
    reprise_ic_divergence d = REPRISE_IC_DIVERGENCE_INIT;
    (void)!reprise_ic_playback_get_divergence(s.player, &d, NULL);
    assert_int_equal(d.level, REPRISE_IC_PLAUSIBLE);
    reprise_error error = REPRISE_ERROR_INIT;
    const char *metadata = NULL;
    assert_int_equal(reprise_ic_playback_branch(s.player, 3, 0, &metadata, &error),
                     REPRISE_E_UNSUPPORTED);
    stage_close(&s);
}

/* With has_unit, orders to units that do not exist are detected. */
static void player__orders_to_dead_units_are_detected(void **state)
{
    (void)state;
    stage s;
    reprise_ic_skirmish *game = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_ic_skirmish_new(NULL, &game, &error), REPRISE_OK);
    reprise_ic_playback_options options = plain;
    options.simulation = reprise_ic_skirmish_simulation(game);
    stage_file(&s, "imported-lossless", options);
    assert_int_equal(play_on(&s), REPRISE_END);
    reprise_ic_divergence d = REPRISE_IC_DIVERGENCE_INIT;
    (void)!reprise_ic_playback_get_divergence(s.player, &d, NULL);
    assert_true(d.dead_unit_orders > 0);
    assert_true(d.level > REPRISE_IC_PLAUSIBLE);
    assert_true(s.heard.divergences >= 1);
    assert_int_equal(s.heard.desyncs, 0);
    stage_close(&s);
    reprise_ic_skirmish_free(game);
}

/* ---- a game of the caller ---- */

/* Its state is one number, which grows with every tick. `outcome` replaces the result of one tick.
 */
typedef struct own_game {
    reprise_ic_codec *codec;
    reprise_ic_snapshot now;
    uint64_t outcome_at;
    reprise_status (*outcome)(reprise_error *error);
} own_game;

static reprise_status own_restore(void *ctx, const reprise_ic_snapshot *snapshot,
                                  reprise_error *error)
{
    (void)error;
    ((own_game *)ctx)->now = *snapshot; /* has no lists */
    return REPRISE_OK;
}

static reprise_status own_apply(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                size_t count, reprise_error *error)
{
    own_game *game = ctx;
    (void)orders;
    assert_int_equal(game->now.core.tick, tick);
    game->now.core.tick++;
    game->now.core.rng_state.s.s0 += 1 + tick + count;
    return game->outcome && tick == game->outcome_at ? game->outcome(error) : REPRISE_OK;
}

static reprise_status own_hash(void *ctx, uint8_t ret_hash[32], reprise_error *error)
{
    const own_game *game = ctx;
    return reprise_ic_state_hash(game->codec, &game->now.core, ret_hash, error);
}

static reprise_status own_snapshot(void *ctx, reprise_ic_snapshot *ret_snapshot,
                                   reprise_error *error)
{
    (void)error;
    *ret_snapshot = ((own_game *)ctx)->now;
    return REPRISE_OK;
}

static reprise_ic_simulation own_calls(own_game *game)
{
    reprise_error error = REPRISE_ERROR_INIT;
    *game = (own_game){
        .now.core = {.rng_state = {{1, 0, 0, 0}}, .map_state = {.width = 1, .height = 1}}};
    assert_int_equal(reprise_ic_codec_new(NULL, &game->codec, &error), REPRISE_OK);
    return (reprise_ic_simulation){.struct_size = sizeof(reprise_ic_simulation),
                                   .ctx = game,
                                   .restore = own_restore,
                                   .apply_tick = own_apply,
                                   .state_hash = own_hash,
                                   .snapshot = own_snapshot};
}

/* Ticks from `lost` to before `found` are not recorded. */
static disk record_own(const reprise_ic_simulation *calls, uint64_t ticks, uint32_t keyframe_ticks,
                       uint64_t lost, uint64_t found)
{
    disk live = {0}, whole = {0};
    reprise_storage storage = {.ctx = &live, .write = disk_write, .read = disk_read};
    reprise_sink sink = {.ctx = &whole, .write = disk_keep};
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    reprise_ic_recorder *recorder = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    options.storage = &storage;
    options.finished = &sink;
    options.queue_ticks = 4000;
    options.keyframe_ticks = keyframe_ticks;
    options.simulation = calls;
    if (reprise_ic_recorder_new("{}", &options, NULL, &recorder, &error) != REPRISE_OK)
        fail_msg("%s", error.message);
    for (uint64_t t = 0; t < ticks; t++) {
        uint8_t hash[32];
        assert_int_equal(calls->state_hash(calls->ctx, hash, &error), REPRISE_OK);
        reprise_ic_frame frame = {.tick = t, .state_hash = rp_load64(hash)};
        if (t < lost || t >= found)
            assert_int_equal(reprise_ic_recorder_tick(recorder, &frame, &error), REPRISE_OK);
        assert_int_equal(calls->apply_tick(calls->ctx, t, NULL, 0, &error), REPRISE_OK);
    }
    assert_int_equal(reprise_ic_recorder_finish(recorder, NULL, NULL, &error), REPRISE_OK);
    reprise_ic_recorder_free(recorder);
    free(live.data);
    return whole;
}

static void expect_at(stage *s, const own_game *game, uint64_t tick)
{
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_ic_playback_seek(s->player, tick, &error) != REPRISE_OK)
        fail_msg("seek to %llu: %s", (unsigned long long)tick, error.message);
    assert_int_equal(reprise_ic_playback_tick(s->player), tick);
    assert_int_equal(game->now.core.tick, tick);
    assert_int_equal(game->now.core.rng_state.s.s0, 1 + tick * (tick + 1) / 2);
}

static void player__a_game_of_the_caller_seeks_to_every_tick(void **state)
{
    (void)state;
    enum { TICKS = 200 };
    /* The default puts a keyframe at tick 0 only; lost frames leave a gap in the second case. */
    static const struct {
        uint32_t keyframe_ticks;
        uint64_t lost, found;
    } cases[] = {{0, 0, 0}, {0, 140, 160}, {60, 0, 0}, {60, 140, 160}};
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        own_game game;
        const reprise_ic_simulation calls = own_calls(&game);
        disk file = record_own(&calls, TICKS, cases[i].keyframe_ticks, cases[i].lost,
                               cases[i].found);
        reprise_replay *replay = NULL;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error),
                         REPRISE_OK);
        reprise_ic_playback_options options = plain;
        options.simulation = &calls;
        stage s;
        stage_open(&s, replay, options);
        expect_at(&s, &game, 150);
        for (uint64_t t = 0; t <= TICKS; t++)
            expect_at(&s, &game, t);
        for (uint64_t t = TICKS + 1; t-- > 0;)
            expect_at(&s, &game, t);
        assert_int_equal(play_on(&s), REPRISE_END);
        expect_at(&s, &game, 150); /* after the end */
        assert_int_equal(s.heard.desyncs, 0);
        stage_close(&s);
        reprise_ic_codec_free(game.codec);
        free(file.data);
    }
}

static reprise_status fail_silently(reprise_error *error)
{
    (void)error;
    return REPRISE_E_LIMIT;
}

static reprise_status fail_without_message(reprise_error *error)
{
    return error->status = REPRISE_E_LIMIT;
}

/* Ignores the failure of an inner call. */
static reprise_status fail_inside(reprise_error *error)
{
    assert_int_equal(reprise_ic_codec_new(NULL, NULL, error), REPRISE_E_USAGE);
    return REPRISE_OK;
}

static void player__a_failing_game_is_reported_in_words(void **state)
{
    (void)state;
    own_game game;
    const reprise_ic_simulation calls = own_calls(&game);
    disk file = record_own(&calls, 20, 0, 0, 0);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(reprise_open_memory(file.data, file.size, NULL, &replay, &error), REPRISE_OK);
    reprise_ic_playback_options options = plain;
    options.simulation = &calls;
    stage s;
    stage_open(&s, replay, options);
    game.outcome_at = 7;
    static reprise_status (*const ways[])(reprise_error *) = {fail_silently, fail_without_message};
    for (size_t i = 0; i < RP_COUNT(ways); i++) {
        game.outcome = ways[i];
        assert_int_equal(reprise_ic_playback_seek(s.player, 15, &error), REPRISE_E_LIMIT);
        assert_int_equal(error.status, REPRISE_E_LIMIT);
        assert_string_equal(error.message, "the simulation could not apply orders");
    }
    game.outcome = fail_inside;
    assert_int_equal(reprise_ic_playback_seek(s.player, 15, &error), REPRISE_OK);
    assert_int_equal(error.status, REPRISE_OK);
    stage_close(&s);
    reprise_ic_codec_free(game.codec);
    free(file.data);
}

/* ---- branching ---- */

static void player__a_branch_continues_from_its_tick(void **state)
{
    (void)state;
    disk live = {0}, whole = {0};
    reprise_storage storage = {.ctx = &live, .write = disk_write, .read = disk_read};
    reprise_sink sink = {.ctx = &whole, .write = disk_keep};
    stage s;
    reprise_ic_skirmish *game = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    const char *metadata = NULL;
    reprise_ic_recorder *recorder = NULL;
    assert_int_equal(reprise_ic_skirmish_new(NULL, &game, &error), REPRISE_OK);
    const reprise_ic_simulation *calls = reprise_ic_skirmish_simulation(game);
    reprise_ic_playback_options options = plain;
    options.simulation = calls;
    stage_file(&s, "basic", options);
    assert_int_equal(reprise_ic_playback_branch(s.player, 350, 1, &metadata, &error), REPRISE_OK);
    assert_non_null(strstr(metadata, "\"branch_tick\": 350"));
    assert_non_null(strstr(metadata, "\"original_player_slot\": 1"));
    reprise_ic_recorder_options recording = REPRISE_IC_RECORDER_INIT;
    recording.storage = &storage;
    recording.finished = &sink;
    recording.simulation = calls;
    recording.queue_ticks = 2000;
    assert_int_equal(reprise_ic_recorder_new(metadata, &recording, NULL, &recorder, &error),
                     REPRISE_OK);
    assert_int_equal(reprise_ic_playback_seek(s.player, 0, &error), REPRISE_OK);
    const reprise_ic_frame *frame = NULL;
    for (unsigned t = 0; t < 350; t++) {
        assert_int_equal(reprise_ic_playback_peek(s.player, &frame, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_recorder_tick(recorder, frame, &error), REPRISE_OK);
        assert_int_equal(reprise_ic_playback_poll(s.player, &frame, &error), REPRISE_OK);
    }
    for (uint64_t t = 350; t < 400; t++) {
        uint8_t hash[32];
        assert_int_equal(calls->state_hash(calls->ctx, hash, &error), REPRISE_OK);
        reprise_ic_frame own = {.tick = t, .state_hash = rp_load64(hash)};
        assert_int_equal(reprise_ic_recorder_tick(recorder, &own, &error), REPRISE_OK);
        assert_int_equal(calls->apply_tick(calls->ctx, t, NULL, 0, &error), REPRISE_OK);
    }
    assert_int_equal(reprise_ic_recorder_finish(recorder, NULL, NULL, &error), REPRISE_OK);
    judged j = judge(whole.data, whole.size);
    assert_string_equal(j.first, "");
    assert_int_equal(j.total_ticks, 400);
    assert_int_equal(j.mismatches, 0);
    reprise_ic_recorder_free(recorder);
    stage_close(&s);
    reprise_ic_skirmish_free(game);
    free(live.data);
    free(whole.data);
}

/* A file that is still being written plays up to its end. */
static void player__live_files_play(void **state)
{
    (void)state;
    stage s;
    stage_file(&s, "live-torn", plain);
    assert_int_equal(play_on(&s), REPRISE_END);
    assert_int_equal(reprise_ic_playback_tick(s.player), 800);
    assert_int_equal(s.heard.desyncs, 0);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checklist_16__complete_samples_play_without_desync),
        cmocka_unit_test(checklist_17__one_wrong_hash_is_one_desync_and_playback_continues),
        cmocka_unit_test(player__a_desync_names_its_parts_at_the_next_keyframe),
        cmocka_unit_test(player__events_and_voice_come_with_their_ticks),
        cmocka_unit_test(player__every_event_and_voice_is_heard_once),
        cmocka_unit_test(player__gaps_are_reported_once_and_end_at_the_next_keyframe),
        cmocka_unit_test(player__strict_stops_at_the_gap),
        cmocka_unit_test(checklist_33__seek_and_step_back_give_the_played_states),
        cmocka_unit_test(checklist_33__an_hour_has_no_drift_at_any_speed),
        cmocka_unit_test(checklist_33__pause_stops_the_clock),
        cmocka_unit_test(player__imported_replays_diverge_instead_of_desyncing),
        cmocka_unit_test(player__orders_to_dead_units_are_detected),
        cmocka_unit_test(player__a_game_of_the_caller_seeks_to_every_tick),
        cmocka_unit_test(player__a_failing_game_is_reported_in_words),
        cmocka_unit_test(player__a_branch_continues_from_its_tick),
        cmocka_unit_test(player__live_files_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
