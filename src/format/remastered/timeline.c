/*
 * timeline.c - shows what follows from the orders of a match: the rates of orders, which players
 * agree about the game, and the delay that the game sets.
 */
#include "scene_builder.h"

void cnc_timeline_end(rp_orders_timeline *lines, const rp_scene *scene)
{
    rp_orders_timeline_end(lines, scene);
    rp_desync_lane_show(lines->lane, scene, lines->timeline);
    rp_orders_timeline_delays(lines, scene);
}
