/*
 * run_compare.h - compares two runs of the same course position by position: the gap between them
 * along the course, and the sections where time was lost.
 *
 * At the same moment two runs are at different positions, so the gap is the difference of their
 * timers at the same position.
 */
#ifndef RP_RUN_COMPARE_H
#define RP_RUN_COMPARE_H

#include "timeline.h"

typedef struct rp_comparison {
    reprise_value *about; /* the sections; owned by the timeline of the first run */
    const rp_plot *gap;   /* among its plots */
} rp_comparison;

/* REPRISE_E_UNSUPPORTED: not runs. REPRISE_E_USAGE: not of the same course. */
reprise_status rp_run_compare(rp_timeline *a, const rp_timeline *b, rp_comparison *ret_comparison,
                              reprise_error *error);

#endif
