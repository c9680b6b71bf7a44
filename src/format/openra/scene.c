/* scene.c - a match seen from above: its orders as arrows and rings. */
#include "scene_builder.h"

reprise_status ora_scene(rp_replay *base, rp_scene *scene, rp_timeline *timeline,
                         reprise_error *error)
{
    rp_foreign foreign;
    rp_foreign_init(&foreign, base->context);
    reprise_status read = ora_foreign(base, &foreign, error);
    reprise_status shown = rp_orders_scene(scene, timeline, &foreign, ora_timeline_end);
    rp_foreign_reset(&foreign);
    return shown != REPRISE_OK ? shown : read;
}
