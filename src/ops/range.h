/* range.h - from when to when: by time, frame or marker, found in a replay. */
#ifndef RP_RANGE_H
#define RP_RANGE_H

#include "format.h"

typedef struct rp_range {
    int64_t index_from, index_to; /* inclusive */
    double time_from, time_to;    /* of these two frames or ticks */
    double time_least, time_end;  /* from the first on, and before the frame behind the last */
} rp_range;

/*
 * The frames from the first at or behind `from` to the last at or before `to`. No frames is
 * REPRISE_E_USAGE. Reads the whole replay, but only its clock.
 */
reprise_status rp_range_find(rp_replay *replay, const reprise_bound *from, const reprise_bound *to,
                             rp_range *ret_range, reprise_error *error);

#endif
