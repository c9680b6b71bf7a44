/*
 * shapes.h - plain bodies for things whose real form is not in the recording. All stand around the
 * origin, Y up, sizes in metres.
 */
#ifndef RP_SHAPES_H
#define RP_SHAPES_H

#include "scene.h"

int32_t rp_shape_box(rp_scene *scene, const char *name, rp_vec3 size, int32_t material);
/* Round about Y, with top and bottom; `sides` 3 and more. Top radius 0 is a cone. */
int32_t rp_shape_column(rp_scene *scene, const char *name, float radius, float top_radius,
                        float height, unsigned sides, int32_t material);
/* A ball drawn out along Y to `height`; as high as wide it is a ball. */
int32_t rp_shape_capsule(rp_scene *scene, const char *name, float radius, float height,
                         int32_t material);
/* A ball with few faces and uneven surface. */
int32_t rp_shape_rock(rp_scene *scene, const char *name, float radius, int32_t material);
/* Straight lines on the ground between the bounds, `step` apart. */
int32_t rp_shape_grid(rp_scene *scene, const char *name, rp_vec3 low, rp_vec3 high, float step,
                      int32_t material);
/* A connected line. */
int32_t rp_shape_path(rp_scene *scene, const char *name, const rp_vec3 *places,
                      const uint8_t (*colours)[4], size_t count, double width_px, int32_t material);

#endif
