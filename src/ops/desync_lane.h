/*
 * desync_lane.h - whether the worlds of all players are the same, as far as the sums they sent
 * tell: a lane over time, a marker where they part, and a table of stretches.
 */
#ifndef RP_DESYNC_LANE_H
#define RP_DESYNC_LANE_H

#include "foreign.h"
#include "timeline.h"

/* Nothing is told where no two clients sent any. Sorts them. */
void rp_desync_lane_add(const rp_scene *scene, rp_timeline *timeline, rp_foreign *foreign);

#endif
