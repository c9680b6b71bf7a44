/*
 * run_compare.h - two runs over the same course, compared place by place: how far one is behind the
 * other where it is, and in which part of the way the time was lost.
 *
 * Runs differ in pace, so the same moment finds them at different places. The gap is therefore the
 * difference of the timers at the same place.
 */
#ifndef RP_RUN_COMPARE_H
#define RP_RUN_COMPARE_H

#include "timeline.h"

typedef struct rp_comparison {
    reprise_value *about; /* the sections; owned by the first timeline */
    const rp_plot *gap;   /* among its plots */
} rp_comparison;

/* REPRISE_E_UNSUPPORTED: these are no runs; REPRISE_E_USAGE: not over the same course. */
reprise_status rp_run_compare(rp_timeline *a, const rp_timeline *b, rp_comparison *ret_comparison,
                              reprise_error *error);

#endif
