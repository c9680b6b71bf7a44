/* scene.c - a match seen from above: its orders as arrows and rings, and the recorded view. */
#include "scene_builder.h"

reprise_status cnc_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error)
{
    rp_foreign foreign;
    rp_foreign_init(&foreign, base->context);
    reprise_status read = cnc_foreign(base, &foreign, error);
    reprise_status shown = rp_orders_scene(scene, timeline, &foreign, cnc_timeline_end);
    rp_foreign_reset(&foreign);
    return shown != REPRISE_OK ? shown : read;
}
