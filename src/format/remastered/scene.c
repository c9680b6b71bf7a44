/* scene.c - a match seen from above: its orders as arrows and rings, and the recorded view. */
#include "scene_builder.h"

static reprise_status read_orders(void *replay, rp_foreign *foreign, reprise_error *error)
{
    return cnc_foreign(replay, foreign, error);
}

reprise_status cnc_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error)
{
    return rp_orders_scene(scene, timeline, read_orders, base, cnc_timeline_end, error);
}
