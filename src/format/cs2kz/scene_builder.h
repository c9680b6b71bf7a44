/* scene_builder.h - a run on its way into a scene and a timeline; shared by scene.c and timeline.c.
 */
#ifndef CS2KZ_SCENE_BUILDER_H
#define CS2KZ_SCENE_BUILDER_H

#include "cs2kz.h"
#include "shapes.h"

enum { KZ_KEYS = 6 };

/* Where something happened, and when in the scene. */
typedef struct kz_spot {
    rp_vec3 place;
    float time;
} kz_spot;

/* The strafes of the jump that is being read. */
typedef struct kz_strafing {
    bool any;
    double time, duration, sync, width;
    uint32_t count;
} kz_strafing;

typedef struct kz_scene_builder {
    kz_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    const char *name; /* of the player */
    int32_t player, hulls[2], view, eyes, ray;
    int hull;           /* the one shown */
    bool seen, counted; /* counted: the last tick was a teleport */
    kz_tick last;
    /* the trail: places, speeds, and where it breaks off */
    rp_vec3 *trail;
    float *trail_speed;
    bool *trail_breaks;
    size_t trail_count, trail_every, trail_skipped;
    bool trail_break_next;
    rp_vector teleports, checkpoints; /* kz_spot: pairs, and places */
    int32_t arc_paints[3];            /* materials plus one: usual, good, best jumps */
    size_t arcs;
    rp_vec3 low, high; /* where the player was */
    rp_series *speed, *height, *latency, *keys[KZ_KEYS], *timer, *set, *gone; /* cp and tp */
    rp_series *sync, *width; /* of strafes, jump by jump */
    kz_strafing strafing;
    float air_since, paused_since; /* below 0: on the ground; the timer runs */
    rp_table *jumps, *strafes, *aircalls, *events, *sections;
    kz_splits splits;
    rp_heat *heat, *falls;
    rp_way *way;
} kz_scene_builder;

#define KZ_UNIT_M 0.0254f

static inline double kz_speed_squared(rp_vec3 v)
{
    double x = (double)v.x, y = (double)v.y;
    return x * x + y * y;
}

/* ---- scene.c ---- */

/* The flight of a jump, as it is recorded: it is seen from the take-off on. */
void kz_scene_jump(kz_scene_builder *stage, const kz_jump *jump, uint32_t number, double landed);

/* ---- timeline.c ---- */

void kz_timeline_begin(kz_scene_builder *stage);
void kz_timeline_tick(kz_scene_builder *stage, const kz_tick *tick, bool teleported);
void kz_timeline_row(kz_scene_builder *stage, const rp_row *row);
void kz_timeline_end(kz_scene_builder *stage);

#endif
