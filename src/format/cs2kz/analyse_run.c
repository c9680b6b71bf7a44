/* analyse_run.c - where in the recording the run is, and what its timer showed. */
#include <math.h>

#include "cs2kz.h"

static kz_reading *last_reading(kz_run_span *run)
{
    return &run->readings[run->reading_count - 1];
}

/* Events that contradict those before them say nothing about the timer. */
static void note_reading(kz_run_span *run, uint32_t tick, double time, bool paused)
{
    const kz_reading *last = last_reading(run);
    if (run->reading_count < KZ_READINGS_MAX && tick >= last->tick && time >= last->time)
        run->readings[run->reading_count++] = (kz_reading){tick, paused, time};
}

static void end_run(kz_run_span *attempt, kz_run_span *run, const kz_event *event)
{
    /* The timer ended without a resume, so it was not paused. */
    if (last_reading(attempt)->paused) {
        last_reading(attempt)->paused = false;
        attempt->pause_count--;
    }
    note_reading(attempt, event->server_tick, (double)event->run_time, true);
    *run = *attempt;
    run->end_tick = event->server_tick;
    run->time = event->run_time;
}

/* An attempt may become the run, when an end follows. */
static void note_timer(kz_run_span *attempt, kz_run_span *run, const kz_event *event)
{
    uint32_t tick = event->server_tick;
    double time = (double)event->run_time;
    if (event->timer == KZ_TIMER_START) {
        *attempt = (kz_run_span){.known = true, .start_tick = tick, .reading_count = 1};
        attempt->readings[0] = (kz_reading){.tick = tick};
        return;
    }
    if (!attempt->known)
        return;
    bool paused = last_reading(attempt)->paused;
    switch (event->timer) {
    case KZ_TIMER_PAUSE:
        if (!paused) {
            note_reading(attempt, tick, time, true);
            attempt->pause_count += last_reading(attempt)->paused;
        }
        break;
    case KZ_TIMER_RESUME:
        if (paused)
            note_reading(attempt, tick, last_reading(attempt)->time, false);
        break;
    case KZ_TIMER_END:
        end_run(attempt, run, event);
        break;
    case KZ_TIMER_STOP: /* an end after it still belongs to the last start */
        break;
    default:
        note_reading(attempt, tick, time, paused);
        break;
    }
}

static reprise_status read_run(kz_replay *replay, kz_section_reader *reader, rp_arena *scratch,
                               reprise_error *error)
{
    kz_run_span attempt = {0};
    for (; reader->next < reader->section->count; reader->next++) {
        RP_TRY(kz_section_reader_need(reader, KZ_EVENT_SIZE, error));
        rp_reader r = rp_window_reader(&reader->window, error);
        kz_event event;
        kz_read_event(&r, scratch, &event);
        RP_TRY(error->status);
        rp_window_skip(&reader->window, KZ_EVENT_SIZE);
        rp_arena_reset(scratch);
        if (event.type == KZ_EVENT_TIMER)
            note_timer(&attempt, &replay->run, &event);
    }
    return kz_section_reader_finish(reader, error);
}

reprise_status kz_find_run(kz_replay *replay, reprise_error *error)
{
    if (!replay->run_read) {
        kz_section_reader reader;
        rp_arena scratch;
        rp_arena_init(&scratch, replay->base.context);
        replay->run_damage = (reprise_error)REPRISE_ERROR_INIT;
        if (kz_section_reader_open(replay, KZ_SECTION_EVENTS, &reader, &replay->run_damage) ==
            REPRISE_OK) {
            (void)read_run(replay, &reader, &scratch, &replay->run_damage);
            kz_section_reader_close(&reader);
        }
        rp_arena_free(&scratch);
        replay->run_read = !rp_is_own_failure(replay->base.context, replay->run_damage.status);
    }
    if (!replay->run_read && error->status == REPRISE_OK)
        *error = replay->run_damage;
    return error->status;
}

/* The last reading at or before a tick; `near` may be the one of a tick nearby. */
static size_t reading_at(const kz_run_span *run, uint32_t tick, size_t near)
{
    if (run->readings[near].tick <= tick &&
        (near + 1 >= run->reading_count || run->readings[near + 1].tick > tick))
        return near;
    size_t i = 0;
    for (size_t left = run->reading_count; left > 1; left -= left / 2)
        i += run->readings[i + left / 2].tick <= tick ? left / 2 : 0;
    return i;
}

/*
 * Ticks are missing while the player is not alive, so counting them from the start would be wrong.
 * The event before tells what the timer showed, the event after it what it cannot exceed.
 */
static inline double time_near(const kz_run_span *run, uint32_t tick, size_t *reading)
{
    if (!run->known || tick < run->start_tick || tick > run->end_tick)
        return NAN;
    size_t i = *reading = reading_at(run, tick, *reading);
    const kz_reading *from = &run->readings[i];
    if (from->paused)
        return from->time;
    double time = from->time + (double)(tick - from->tick) * (double)KZ_TICK_SECONDS;
    return i + 1 < run->reading_count ? RP_MIN(time, from[1].time) : time;
}

double kz_run_time_near(const kz_run_span *run, uint32_t tick, size_t *reading)
{
    return time_near(run, tick, reading);
}

double kz_run_time_at(const kz_run_span *run, uint32_t tick)
{
    return time_near(run, tick, &(size_t){0});
}

void kz_run_times(const kz_run_span *run, const uint32_t *ticks, size_t count, double *ret_times)
{
    size_t reading = 0;
    for (size_t i = 0; i < count; i++)
        ret_times[i] = time_near(run, ticks[i], &reading);
}

double kz_split_section(kz_splits *splits, const kz_event *event)
{
    if (event->timer == KZ_TIMER_START)
        *splits = (kz_splits){0};
    if (event->timer < KZ_TIMER_SPLIT || event->timer > KZ_TIMER_STAGE)
        return (double)NAN;
    double *last = &splits->last[event->timer - KZ_TIMER_SPLIT];
    double section = (double)event->run_time - *last;
    *last = (double)event->run_time;
    return section;
}

/* The inverse. Of a pause, the moment at which the timer stopped is given. */
reprise_status kz_run_moment(rp_replay *base, double timer, double *ret_time, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)base;
    RP_TRY(kz_find_run(replay, error));
    RP_TRY(rp_skip_damage(base, &replay->run_damage, error));
    const kz_run_span *run = &replay->run;
    if (!run->known)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no complete run in this recording");
    double length = kz_run_time_at(run, run->end_tick);
    /* Recorded times of runs are up to a tick off the ticks. */
    if (timer < 0 || (timer > length + (double)KZ_TICK_SECONDS && timer != INFINITY))
        return rp_error_set(error, REPRISE_E_USAGE, "the run takes %.3f seconds", length);
    size_t i = 0;
    while (i + 1 < run->reading_count && run->readings[i + 1].time <= timer &&
           run->readings[i].time < timer)
        i++;
    const kz_reading *from = &run->readings[i];
    double tick = from->tick + (timer - from->time) / (double)KZ_TICK_SECONDS;
    double most = i + 1 < run->reading_count ? from[1].tick : run->end_tick;
    *ret_time = (timer >= length ? run->end_tick : RP_MIN(tick, most)) * (double)KZ_TICK_SECONDS;
    return REPRISE_OK;
}
