/* run.c - where in the recording the run is, and what its timer showed. */
#include <math.h>

#include "cs2kz.h"

static bool is_paused(const kz_run_span *run)
{
    return run->pause_count && run->pauses[run->pause_count - 1].to == UINT32_MAX;
}

/* An attempt that may become the run, when an end follows. */
static void note_timer(kz_run_span *attempt, kz_run_span *run, const kz_event *event)
{
    uint32_t tick = event->server_tick;
    switch (event->timer) {
    case KZ_TIMER_START:
        *attempt = (kz_run_span){.known = true, .start_tick = tick};
        break;
    case KZ_TIMER_PAUSE:
        if (attempt->known && !is_paused(attempt) && attempt->pause_count < KZ_PAUSES_MAX)
            attempt->pauses[attempt->pause_count++] = (kz_pause){.from = tick, .to = UINT32_MAX};
        break;
    case KZ_TIMER_RESUME:
        if (is_paused(attempt))
            attempt->pauses[attempt->pause_count - 1].to = tick;
        break;
    case KZ_TIMER_END:
        if (attempt->known) {
            *run = *attempt;
            run->end_tick = tick;
            run->time = event->run_time;
            /* Nobody resumed, and yet the timer came to an end: it was not paused. */
            if (is_paused(run))
                run->pause_count--;
        }
        break;
    default:
        break;
    }
}

void kz_find_run(kz_replay *replay)
{
    if (replay->run_sought)
        return;
    replay->run_sought = true;
    reprise_error ignored = REPRISE_ERROR_INIT;
    kz_lane lane;
    if (kz_lane_open(replay, KZ_SECTION_EVENTS, &lane, &ignored) != REPRISE_OK)
        return;
    rp_arena scratch;
    rp_arena_init(&scratch, replay->base.context);
    kz_run_span attempt = {0};
    while (lane.next < lane.section->count &&
           kz_lane_need(&lane, KZ_EVENT_SIZE, &ignored) == REPRISE_OK) {
        rp_reader r = rp_window_reader(&lane.window, &ignored);
        kz_event event;
        kz_read_event(&r, &scratch, &event);
        rp_window_skip(&lane.window, KZ_EVENT_SIZE);
        rp_arena_reset(&scratch);
        if (event.type == KZ_EVENT_TIMER)
            note_timer(&attempt, &replay->run, &event);
        lane.next++;
    }
    rp_arena_free(&scratch);
    kz_lane_close(&lane);
}

double kz_run_time_at(const kz_run_span *run, uint32_t tick)
{
    if (!run->known || tick < run->start_tick || tick > run->end_tick)
        return NAN;
    int64_t ticks = (int64_t)tick - run->start_tick;
    for (size_t i = 0; i < run->pause_count; i++) {
        const kz_pause *pause = &run->pauses[i];
        if (tick > pause->from && pause->to > pause->from)
            ticks -= (int64_t)RP_MIN(tick, pause->to) - pause->from;
    }
    return (double)RP_MAX(ticks, 0) * (double)KZ_TICK_SECONDS;
}

/* The other way round. Where the timer stands still, the moment it stopped counts. */
reprise_status kz_run_moment(rp_replay *base, double timer, double *ret_time, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    kz_find_run(replay);
    const kz_run_span *run = &replay->run;
    if (!run->known)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no complete run in this recording");
    double second = 1 / (double)KZ_TICK_SECONDS, end = run->end_tick;
    double length = kz_run_time_at(run, run->end_tick);
    /* Recorded times of runs are up to a tick off the ticks. */
    if (timer < 0 || (timer > length + (double)KZ_TICK_SECONDS && timer != INFINITY))
        return rp_error_set(error, REPRISE_E_USAGE, "the run takes %.3f seconds", length);
    double tick = run->start_tick + timer * second;
    for (size_t i = 0; i < run->pause_count; i++) {
        const kz_pause *pause = &run->pauses[i];
        if (tick > pause->from && pause->to > pause->from)
            tick += pause->to - pause->from;
    }
    *ret_time = RP_MIN(tick, end) * (double)KZ_TICK_SECONDS;
    return REPRISE_OK;
}
