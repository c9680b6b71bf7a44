/*
 * desync_lane.h - shows whether the worlds of all players are equal, according to the hashes they
 * sent: a lane over time, a marker where they diverge, and a table of stretches.
 */
#ifndef RP_DESYNC_LANE_H
#define RP_DESYNC_LANE_H

#include "foreign.h"
#include "timeline.h"

/* Adds nothing if no two clients sent hashes. Sorts them. */
void rp_desync_lane_add(const rp_scene *scene, rp_timeline *timeline, rp_foreign *foreign);

#endif
