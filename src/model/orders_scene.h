/*
 * orders_scene.h - the scene of a match of which only orders were recorded: a map from above with
 * arrows to where units were sent, pings, and buildings where they were placed. Positions are those
 * of orders, not of units, and the picture says so.
 */
#ifndef RP_ORDERS_SCENE_H
#define RP_ORDERS_SCENE_H

#include "orders_timeline.h"

/* Completes a timeline; the duration of the scene is known. */
typedef void rp_orders_timeline_visitor(rp_orders_timeline *lines, const rp_scene *scene);

/* Shows recorded orders, which it sorts, and adds them to the timeline. */
reprise_status rp_orders_scene(rp_scene *scene, rp_timeline *timeline, rp_foreign *foreign,
                               rp_orders_timeline_visitor *end);

#endif
