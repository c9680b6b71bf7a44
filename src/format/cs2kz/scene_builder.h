/* scene_builder.h - the state that scene.c and timeline.c share while they build. */
#ifndef CS2KZ_SCENE_BUILDER_H
#define CS2KZ_SCENE_BUILDER_H

#include "analyse.h"
#include "shapes.h"

enum { KZ_KEYS = 6 };

/* Where something happened, and when in the scene. */
typedef struct kz_spot {
    rp_vec3 position;
    float time;
} kz_spot;

typedef struct kz_scene_builder {
    kz_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    const char *name; /* of the player */
    int32_t player, hulls[2], view, eyes, ray;
    int hull;     /* the one shown */
    bool counted; /* the last tick was a teleport that the game counts */
    kz_analysis analysis;
    /* the trail: positions, speeds, and where it breaks off */
    rp_vec3 *trail;
    float *trail_speed;
    bool *trail_breaks;
    size_t trail_count, trail_every, trail_skipped;
    bool trail_break_next;
    rp_vector teleports, checkpoints; /* kz_spot: pairs, and positions */
    int32_t arc_paints[3];            /* materials plus one: usual, good, best jumps */
    size_t arcs;
    rp_vec3 low, high; /* where the player was */
    rp_series *speed, *height, *latency, *keys[KZ_KEYS], *timer, *set, *gone; /* cp and tp */
    rp_series *sync, *width;       /* of strafes, jump by jump */
    double jump_time;              /* of the jump whose strafes are read; NaN outside the scene */
    float air_since, paused_since; /* below 0: on the ground; the timer runs */
    rp_table *jumps, *strafes, *aircalls, *events, *sections;
    rp_heat *heat, *falls;
    rp_path *path;
} kz_scene_builder;

#define KZ_UNIT_M 0.0254f

/* ---- scene.c ---- */

/* The flight of a jump, as it is recorded: it is seen from the take-off on. */
void kz_scene_jump(kz_scene_builder *s, const kz_jump *jump, uint32_t number, double landed);

/* ---- timeline.c ---- */

void kz_timeline_begin(kz_scene_builder *s);
void kz_timeline_tick(kz_scene_builder *s, bool teleported);
void kz_timeline_row(kz_scene_builder *s, const rp_row *row);
void kz_timeline_end(kz_scene_builder *s);

#endif
