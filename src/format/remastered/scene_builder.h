/* scene_builder.h - what scene.c and timeline.c share. */
#ifndef REMASTERED_SCENE_BUILDER_H
#define REMASTERED_SCENE_BUILDER_H

#include "orders_scene.h"
#include "remastered.h"

/* timeline.c: adds the plots that need the duration of the scene. */
void cnc_timeline_end(rp_orders_timeline *lines, const rp_scene *scene);

#endif
