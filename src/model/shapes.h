/*
 * shapes.h - simple meshes for objects whose shape is not recorded. They are centred on the origin,
 * Y up, in metres.
 */
#ifndef RP_SHAPES_H
#define RP_SHAPES_H

#include "scene.h"

/* Makes a material in the colour of a player's slot, or grey for slot -1. */
int32_t rp_player_paint(rp_scene *scene, const char *name, int32_t slot);

int32_t rp_shape_box(rp_scene *scene, const char *name, rp_vec3 size, int32_t material);
/* A box whose edges are cut off, this far from them. */
int32_t rp_shape_slab(rp_scene *scene, const char *name, rp_vec3 size, float cut, int32_t material);
/* A flat cylinder along Y whose edges are cut off, this far from them. */
int32_t rp_shape_disc(rp_scene *scene, const char *name, float radius, float height, float cut,
                      int32_t material);
/* A closed cylinder along Y with at least 3 sides. A top radius of 0 gives a cone. */
int32_t rp_shape_column(rp_scene *scene, const char *name, float radius, float top_radius,
                        float height, unsigned sides, int32_t material);
/* A sphere stretched along Y to `height`. */
int32_t rp_shape_capsule(rp_scene *scene, const char *name, float radius, float height,
                         int32_t material);
/* A limb of a figure: a rounded tube between two points, relative to its joint. */
typedef struct rp_limb {
    uint16_t joint;
    rp_vec3 from, to;
    float radius, end_radius;
    float flat; /* depth as a share of the width */
    uint8_t sides;
    uint8_t paint; /* which of the materials, below RP_LIMB_PAINTS_MAX */
} rp_limb;
enum { RP_LIMB_PAINTS_MAX = 8 };
/* Makes one mesh of all limbs, which follow the joints; one part of it for each material used. */
int32_t rp_shape_limbs(rp_scene *scene, const char *name, const rp_limb *limbs, size_t count,
                       const rp_pose *poses, const int32_t *materials);
/* A sphere with few faces and an uneven surface. */
int32_t rp_shape_rock(rp_scene *scene, const char *name, float radius, int32_t material);
/* Spikes in all directions, the longest of this length: a burst. */
int32_t rp_shape_burst(rp_scene *scene, const char *name, float radius, int32_t material);
/* A flat pointer along -Z, the viewing direction. */
int32_t rp_shape_dart(rp_scene *scene, const char *name, rp_vec3 size, int32_t material);
/* A flat arrow along -Z, one metre long and wide. Its head is a quarter of its length. */
int32_t rp_shape_arrow(rp_scene *scene, const char *name, int32_t material);
/* A flat ring around Y; `inner` is the radius of its hole. */
int32_t rp_shape_ring(rp_scene *scene, const char *name, float radius, float inner,
                      int32_t material);
/* A grid on the ground between the bounds, with lines `step` apart. */
int32_t rp_shape_grid(rp_scene *scene, const char *name, rp_vec3 low, rp_vec3 high, float step,
                      int32_t material);
/* A polyline. */
int32_t rp_shape_path(rp_scene *scene, const char *name, const rp_vec3 *positions,
                      const uint8_t (*colours)[4], size_t count, double width_px, int32_t material);

/*
 * Adds a camera of kind "overview" that looks down from the south on everything between the bounds,
 * steeply if `above` is set.
 */
int32_t rp_overview_camera(rp_scene *scene, rp_vec3 low, rp_vec3 high, bool above);

#endif
