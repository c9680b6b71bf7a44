/*
 * duel_live.c - what recording and playing cost: the game's thread while recording, keyframes, and
 * jumping about in a match of an hour. One JSON object per line: {"measure", "value", "unit"}.
 *
 * There is no other program to compare with; the goals are those of the format's design
 * (duels/live.py).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ironcurtain/wire/delta_base.h"
#include "reprise/ironcurtain/live.h"
#include "thread.h"

enum { UNITS = 250, PLAYERS = 2, HOUR_TICKS = 54000 };

static const char metadata[] =
    "{\"replay_id\":\"00000000-0000-4000-8000-000000000001\","
    "\"timestamp\":\"2026-01-02T03:04:05Z\",\"engine_version\":\"0.1.0\",\"base_build\":1,"
    "\"game_module\":\"skirmish\",\"active_mods\":[],\"map_name\":\"Demonstration\","
    "\"game_speed\":\"slower\",\"players\":[],\"initial_rng_seed\":1,\"signed\":false}";

static void check(reprise_status status, const reprise_error *error)
{
    if (status == REPRISE_OK)
        return;
    fprintf(stderr, "duel_live: %s\n", error->message);
    exit(1);
}

static void tell(const char *what, double value, const char *unit)
{
    printf("{\"measure\":\"%s\",\"value\":%.3f,\"unit\":\"%s\"}\n", what, value, unit);
    fflush(stdout);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double part)
{
    qsort(values, count, sizeof *values, compare);
    return values[(size_t)((double)(count - 1) * part)];
}

/* ---- a match ---- */

typedef struct match {
    reprise_ic_skirmish *game;
    const reprise_ic_simulation *calls;
    reprise_ic_recorder *recorder;
    uint64_t tick;
} match;

static void begin(match *m, const char *path, uint32_t units, bool keyframes, uint32_t queue)
{
    reprise_error error = REPRISE_ERROR_INIT;
    *m = (match){0};
    check(reprise_ic_skirmish_new(NULL, &m->game, &error), &error);
    check(reprise_ic_skirmish_start(m->game, 7, PLAYERS, units, &error), &error);
    m->calls = reprise_ic_skirmish_simulation(m->game);
    reprise_ic_recorder_options options = REPRISE_IC_RECORDER_INIT;
    options.path = path;
    options.replace = true;
    options.sync_ms = 1000;
    options.tick_us = 20000;
    options.queue_ticks = queue;
    options.simulation = keyframes ? m->calls : NULL;
    check(reprise_ic_recorder_new(metadata, &options, NULL, &m->recorder, &error), &error);
    if (!keyframes) {
        reprise_ic_snapshot start;
        check(m->calls->snapshot(m->calls->ctx, &start, &error), &error);
        check(reprise_ic_recorder_keyframe(m->recorder, &start, &error), &error);
    }
}

static void end(match *m)
{
    reprise_ic_recorder_free(m->recorder);
    reprise_ic_skirmish_free(m->game);
}

static void wait_until(uint64_t when_ns)
{
    uint64_t now = rp_now_ns();
    if (now >= when_ns)
        return;
    struct timespec t = {.tv_sec = (time_t)((when_ns - now) / 1000000000),
                         .tv_nsec = (long)((when_ns - now) % 1000000000)};
    nanosleep(&t, NULL);
}

/* ---- measures ---- */

static void time_ticks(const char *path, double *took, uint64_t count)
{
    enum { ORDERS = 8 };
    static reprise_ic_tag tags[5];
    static reprise_ic_move move = {.units = {tags, 5}, .target = {1024, 2048, 0}};
    reprise_ic_order orders[ORDERS];
    reprise_error error = REPRISE_ERROR_INIT;
    match m;
    for (uint32_t i = 0; i < ORDERS; i++)
        orders[i] = (reprise_ic_order){.player = i,
                                       .order = {REPRISE_IC_PLAYER_ORDER_MOVE, {.move = &move}},
                                       .sub_tick_time = i};
    begin(&m, path, 10, false, 0);
    uint64_t start = rp_now_ns();
    for (uint64_t t = 0; t < count; t++) {
        wait_until(start + t * 1000000);
        reprise_ic_frame frame = {.tick = t, .state_hash = t, .orders = {orders, ORDERS}};
        uint64_t before = rp_now_ns();
        check(reprise_ic_recorder_tick(m.recorder, &frame, &error), &error);
        took[t] = (double)(rp_now_ns() - before) / 1000;
    }
    end(&m);
}

/*
 * Eight orders a tick, a thousand ticks a second: what a tick costs the game's thread. Of several
 * rounds the best counts: the others were disturbed.
 */
static void measure_tick(const char *path)
{
    enum { TICKS = 2000, ROUNDS = 5 };
    static double took[TICKS];
    double best[3] = {0};
    static const double parts[] = {0.5, 0.99, 0.999};
    for (int round = 0; round < ROUNDS; round++) {
        time_ticks(path, took, TICKS);
        for (int i = 0; i < 3; i++) {
            double value = quantile(took, TICKS, parts[i]);
            best[i] = round && best[i] < value ? best[i] : value;
        }
    }
    tell("recorder: a tick with 8 orders, p50", best[0], "us");
    tell("recorder: a tick with 8 orders, p99", best[1], "us");
    tell("recorder: a tick with 8 orders, p99.9", best[2], "us");
}

/* A thousand ticks a second with 500 units, on the disk every second. */
static void measure_loss(const char *path)
{
    enum { TICKS = 5000 };
    reprise_error error = REPRISE_ERROR_INIT;
    match m;
    begin(&m, path, UNITS, true, 0);
    uint64_t start = rp_now_ns();
    for (uint64_t t = 0; t < TICKS; t++) {
        const reprise_ic_order *orders = NULL;
        size_t count = 0;
        wait_until(start + t * 1000000);
        check(reprise_ic_skirmish_orders(m.game, &orders, &count, &error), &error);
        reprise_ic_frame frame = {.tick = t, .orders = {(void *)(uintptr_t)orders, count}};
        if (reprise_ic_recorder_tick(m.recorder, &frame, &error) == REPRISE_E_LIMIT)
            rp_error_clear(&error);
        check(m.calls->apply_tick(m.calls->ctx, t, orders, count, &error), &error);
    }
    reprise_ic_recorder_stats stats = REPRISE_IC_RECORDER_STATS_INIT;
    (void)!reprise_ic_recorder_get_stats(m.recorder, &stats, NULL);
    tell("recorder: lost at 1000 ticks/s, 500 units, fsync every second",
         (double)(stats.lost_frames + stats.lost_keyframes), "items");
    tell("  its p99.9, keyframes among it", stats.p999_us, "us");
    end(&m);
}

static double encode_ms(ic_delta_base *baseline, const reprise_ic_snapshot *state, bool is_full,
                        rp_writer *out)
{
    enum { ROUNDS = 31 };
    double took[ROUNDS];
    reprise_error error = REPRISE_ERROR_INIT;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t before = rp_now_ns();
        rp_writer_clear(out);
        check(ic_delta_base_encode(baseline, state, is_full, out, &error), &error);
        took[i] = (double)(rp_now_ns() - before) / 1e6;
    }
    return quantile(took, ROUNDS, 0.5);
}

static void measure_keyframes(void)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_ic_skirmish *game = NULL;
    rp_context context;
    ic_delta_base baseline;
    rp_writer out;
    rp_context_init(&context, NULL);
    check(ic_delta_base_init(&baseline, &context, &error), &error);
    rp_writer_init(&out, &context, SIZE_MAX / 2, &error);
    check(reprise_ic_skirmish_new(NULL, &game, &error), &error);
    check(reprise_ic_skirmish_start(game, 7, PLAYERS, UNITS, &error), &error);
    const reprise_ic_simulation *calls = reprise_ic_skirmish_simulation(game);
    reprise_ic_snapshot state;
    check(calls->snapshot(calls->ctx, &state, &error), &error);
    tell("full snapshot of 500 units", encode_ms(&baseline, &state, true, &out), "ms");
    ic_delta_base_accept(&baseline);
    for (uint64_t t = 0; t < 300; t++) {
        const reprise_ic_order *orders = NULL;
        size_t count = 0;
        check(reprise_ic_skirmish_orders(game, &orders, &count, &error), &error);
        check(calls->apply_tick(calls->ctx, t, orders, count, &error), &error);
    }
    check(calls->snapshot(calls->ctx, &state, &error), &error);
    tell("delta of 500 units after 300 ticks", encode_ms(&baseline, &state, false, &out), "ms");
    rp_writer_free(&out);
    ic_delta_base_free(&baseline);
    reprise_ic_skirmish_free(game);
}

/* Who came and went, and twenty positions: as many events as a busy match has. */
static void record_events(match *m, reprise_error *error)
{
    static reprise_ic_unit_position places[20];
    const reprise_ic_event *events = NULL;
    size_t count = 0;
    check(reprise_ic_skirmish_events(m->game, &events, &count, error), error);
    for (size_t i = 0; i < count; i++)
        check(reprise_ic_recorder_event(m->recorder, &events[i], error), error);
    for (uint16_t i = 0; i < 20; i++)
        places[i].tag.index = i;
    reprise_ic_position_sample sample = {.tick = m->tick, .positions = {places, 20}};
    reprise_ic_event event = {REPRISE_IC_EVENT_UNIT_POSITION_SAMPLE,
                              {.unit_position_sample = &sample}};
    if (m->tick % 5 == 0)
        check(reprise_ic_recorder_event(m->recorder, &event, error), error);
}

/* An hour, recorded as fast as it goes; the queue of a real match would be too short for that. */
static void record_hour(const char *path)
{
    reprise_error error = REPRISE_ERROR_INIT;
    match m;
    begin(&m, path, 12, true, HOUR_TICKS);
    for (uint64_t t = 0; t < HOUR_TICKS; t++) {
        const reprise_ic_order *orders = NULL;
        size_t count = 0;
        check(reprise_ic_skirmish_orders(m.game, &orders, &count, &error), &error);
        reprise_ic_frame frame = {.tick = t, .orders = {(void *)(uintptr_t)orders, count}};
        check(reprise_ic_recorder_tick(m.recorder, &frame, &error), &error);
        m.tick = t + 1;
        check(m.calls->apply_tick(m.calls->ctx, t, orders, count, &error), &error);
        record_events(&m, &error);
        if (t % 64 == 0)
            wait_until(rp_now_ns() + 200000);
    }
    check(reprise_ic_recorder_finish(m.recorder, NULL, NULL, &error), &error);
    end(&m);
}

/* The best of three: whatever else the machine does is not our time. */
static double seek_ms(reprise_ic_playback *player, uint64_t tick)
{
    double best = 0;
    reprise_error error = REPRISE_ERROR_INIT;
    for (int i = 0; i < 3; i++) {
        check(reprise_ic_playback_seek(player, (tick + 3000) % HOUR_TICKS, &error), &error);
        uint64_t before = rp_now_ns();
        check(reprise_ic_playback_seek(player, tick, &error), &error);
        double took = (double)(rp_now_ns() - before) / 1e6;
        best = i && best < took ? best : took;
    }
    return best;
}

static void measure_scrub(const char *path)
{
    enum { JUMPS = 200 };
    static double took[JUMPS];
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_ic_playback *player = NULL;
    uint64_t dice = 1;
    record_hour(path);
    check(reprise_open_file(path, NULL, &replay, &error), &error);
    check(reprise_ic_playback_new(replay, NULL, &player, &error), &error);
    for (int i = 0; i < JUMPS; i++) {
        dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t tick = (dice >> 33) % HOUR_TICKS;
        tick = i % 2 ? tick : tick / 300 * 300 + 299; /* the farthest from a keyframe */
        took[i] = seek_ms(player, tick);
    }
    tell("scrub to any tick of an hour, p50", quantile(took, JUMPS, 0.5), "ms");
    tell("scrub to any tick of an hour, slowest", quantile(took, JUMPS, 1), "ms");
    uint64_t before = rp_now_ns();
    check(reprise_ic_playback_poll(player, NULL, &error), &error);
    tell("  the first tick played after it", (double)(rp_now_ns() - before) / 1e6, "ms");
    reprise_ic_playback_free(player);
    reprise_close(replay);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: duel_live FILE_TO_WRITE\n");
        return 2;
    }
    measure_tick(argv[1]);
    measure_loss(argv[1]);
    measure_keyframes();
    measure_scrub(argv[1]);
    remove(argv[1]);
    return 0;
}
