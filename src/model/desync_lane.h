/*
 * desync_lane.h - shows whether the worlds of all players are equal, according to the hashes they
 * sent: a lane over time, a marker where they diverge, and a table of stretches.
 */
#ifndef RP_DESYNC_LANE_H
#define RP_DESYNC_LANE_H

#include "foreign.h"
#include "timeline.h"

typedef struct rp_desync_lane rp_desync_lane;

rp_desync_lane *rp_desync_lane_new(rp_context *context, reprise_error *error);
/* NULL is allowed. */
void rp_desync_lane_free(rp_desync_lane *lane);

/* Compares the hashes of one frame, sorted by time. Frames are added in ascending order. */
void rp_desync_lane_add(rp_desync_lane *lane, const rp_foreign_sum *sums, size_t count,
                        reprise_error *error);
/* Adds nothing if no two clients sent hashes. The duration of the scene is known. */
void rp_desync_lane_show(const rp_desync_lane *lane, const rp_scene *scene, rp_timeline *timeline);

#endif
