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

/* Adds the orders of a match to `foreign`, which shows them while they are read. */
typedef reprise_status rp_orders_reader(void *ctx, rp_foreign *foreign, reprise_error *error);

/*
 * Shows recorded orders and adds them to the timeline. If reading fails, what was read before is
 * shown, and the failure is returned.
 */
reprise_status rp_orders_scene(rp_scene *scene, rp_timeline *timeline, rp_orders_reader *read,
                               void *ctx, rp_orders_timeline_visitor *end, reprise_error *error);

#endif
