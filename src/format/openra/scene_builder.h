/* scene_builder.h - what scene.c and timeline.c share. */
#ifndef OPENRA_SCENE_BUILDER_H
#define OPENRA_SCENE_BUILDER_H

#include "openra.h"
#include "orders_scene.h"

/* timeline.c: adds the plots that need the duration of the scene. */
void ora_timeline_end(rp_orders_timeline *lines, const rp_scene *scene);

#endif
