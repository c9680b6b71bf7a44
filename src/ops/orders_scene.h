/*
 * orders_scene.h - the scene of a match of which only orders were recorded: a map from above with
 * arrows to where units were sent, pings, and buildings where they were placed. Positions are those
 * of orders, not of units, and the picture says so.
 */
#ifndef RP_ORDERS_SCENE_H
#define RP_ORDERS_SCENE_H

#include "format.h"

/* For formats that provide recorded orders and no scene. */
reprise_status rp_orders_scene(rp_replay *replay, rp_scene *scene, rp_timeline *timeline,
                               reprise_error *error);

#endif
