/* range.h - finds a range in a replay, given by times, frames or markers. */
#ifndef RP_RANGE_H
#define RP_RANGE_H

#include "format.h"

typedef struct rp_range {
    int64_t index_from, index_to; /* inclusive */
    double time_from, time_to;    /* of these two frames or ticks */
    double time_least, time_end;  /* from the first frame, and before the one after the last */
} rp_range;

/*
 * The frames from the first at or after `from` to the last at or before `to`. An empty range is
 * REPRISE_E_USAGE. Reads the complete replay, but only its clock.
 */
reprise_status rp_range_find(rp_replay *replay, const reprise_bound *from, const reprise_bound *to,
                             rp_range *ret_range, reprise_error *error);

#endif
