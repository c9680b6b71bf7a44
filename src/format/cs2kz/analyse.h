/*
 * analyse.h - every metric of a recording, computed once, row by row, in the order of the file.
 *
 * stats.c renders the totals as a document, timeline.c and scene.c what each row shows; the derived
 * columns of ticks are the same numbers.
 */
#ifndef CS2KZ_ANALYSE_H
#define CS2KZ_ANALYSE_H

#include "cs2kz.h"
#include "tile.h"

/* Values that are finite. */
typedef struct kz_range {
    uint64_t count;
    double sum, least, most;
} kz_range;

/* Totals over ticks. */
typedef struct kz_motion {
    uint64_t ticks, ground, air, ducked;
    uint64_t overlap, dead_air; /* ticks in the air with both, or neither, of the strafe keys */
    kz_range speed;             /* horizontal */
    double distance;
} kz_motion;

/* Totals over the strafes of one jump. */
typedef struct kz_jump_metrics {
    uint32_t strafes;
    double duration, sync, overlap, dead_air, bad_angles; /* seconds */
    double gain, max_gain, loss;                          /* units per second */
    double width;                                         /* degrees */
} kz_jump_metrics;

/* A part of the duration of a jump or a strafe, such as the time in sync; 0 if there is none. */
static inline double kz_share(double part_s, double duration_s)
{
    return duration_s > 0 ? part_s / duration_s : 0;
}

typedef struct kz_analysis {
    const kz_run_span *run;
    size_t reading; /* of the timer, at this tick */
    /* the last two ticks; `before` is NULL until there are two */
    const kz_tick *now, *before;
    kz_tick_derived shown, shown_before; /* what these two show */
    kz_motion recording, in_run;
    uint64_t gaps, jump_presses, subticks, command_subticks;
    int32_t checkpoints, teleports;
    kz_range latency, loss, framerate; /* of commands */
    kz_jump_metrics jump;              /* of the last jump so far */
    double section; /* of the last event: seconds since the split before, or NaN */
    kz_splits splits;
    kz_tick held[2];
} kz_analysis;

void kz_analyse_begin(kz_analysis *a, const kz_run_span *run);
void kz_analyse_row(kz_analysis *a, const rp_row *row);

/* Speed over the ground. */
double kz_speed(rp_vec3 velocity);
/* `reading` is that of the tick before, 0 at first. */
void kz_derive_tick(const kz_run_span *run, const kz_tick *tick, size_t *reading,
                    kz_tick_derived *ret_derived);
/* The same for many ticks, as columns (see tile.h). */
void kz_derive_ticks(const kz_run_span *run, const rp_tile *tile, void *ret_derived);

#endif
