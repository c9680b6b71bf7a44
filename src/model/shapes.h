/*
 * shapes.h - plain bodies for things whose real form is not in the recording. All stand around the
 * origin, Y up, sizes in metres.
 */
#ifndef RP_SHAPES_H
#define RP_SHAPES_H

#include "scene.h"

/* A material in the colour of a player's slot, or grey for slot -1. */
int32_t rp_player_paint(rp_scene *scene, const char *name, int32_t slot);

int32_t rp_shape_box(rp_scene *scene, const char *name, rp_vec3 size, int32_t material);
/* Round about Y, with top and bottom; `sides` 3 and more. Top radius 0 is a cone. */
int32_t rp_shape_column(rp_scene *scene, const char *name, float radius, float top_radius,
                        float height, unsigned sides, int32_t material);
/* A ball drawn out along Y to `height`; as high as wide it is a ball. */
int32_t rp_shape_capsule(rp_scene *scene, const char *name, float radius, float height,
                         int32_t material);
/* A limb of a figure: round from one place of its joint to another, with round ends. */
typedef struct rp_limb {
    uint16_t joint;
    rp_vec3 from, to;
    float radius, end_radius;
    float flat; /* how thick it is from front to back, 1: as wide */
    uint8_t sides;
} rp_limb;
/* All limbs of a figure as one mesh that follows its joints. */
int32_t rp_shape_limbs(rp_scene *scene, const char *name, const rp_limb *limbs, size_t count,
                       const rp_stand *stands, int32_t material);
/* A ball with few faces and uneven surface. */
int32_t rp_shape_rock(rp_scene *scene, const char *name, float radius, int32_t material);
/* Flat and pointed, longer than wide: points along -Z, the way things look. */
int32_t rp_shape_dart(rp_scene *scene, const char *name, rp_vec3 size, int32_t material);
/* A flat arrow along -Z, one long and one wide: stretched, its head keeps a quarter of it. */
int32_t rp_shape_arrow(rp_scene *scene, const char *name, int32_t material);
/* A flat ring about Y; `inner` is its hole. */
int32_t rp_shape_ring(rp_scene *scene, const char *name, float radius, float inner,
                      int32_t material);
/* Straight lines on the ground between the bounds, `step` apart. */
int32_t rp_shape_grid(rp_scene *scene, const char *name, rp_vec3 low, rp_vec3 high, float step,
                      int32_t material);
/* A connected line. */
int32_t rp_shape_path(rp_scene *scene, const char *name, const rp_vec3 *places,
                      const uint8_t (*colours)[4], size_t count, double width_px, int32_t material);

/*
 * A camera that looks down on everything between the bounds from the south, steeply if `above`.
 * Its kind is "overview".
 */
int32_t rp_overview_camera(rp_scene *scene, rp_vec3 low, rp_vec3 high, bool above);

#endif
