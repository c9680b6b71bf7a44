/* scene.c - a match seen from above: its orders as arrows and rings. */
#include "scene_builder.h"

static reprise_status read_orders(void *replay, rp_foreign *foreign, reprise_error *error)
{
    return ora_foreign(replay, foreign, error);
}

reprise_status ora_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error)
{
    return rp_orders_scene(scene, timeline, read_orders, base, ora_timeline_end, error);
}
