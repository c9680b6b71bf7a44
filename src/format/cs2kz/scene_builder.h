/* scene_builder.h - the state that scene.c and timeline.c share while they build. */
#ifndef CS2KZ_SCENE_BUILDER_H
#define CS2KZ_SCENE_BUILDER_H

#include "analyse.h"
#include "highlights.h"
#include "shapes.h"

enum { KZ_KEYS = 6 };

/* Where something happened, and when in the scene. */
typedef struct kz_spot {
    rp_vec3 position;
    float time;
} kz_spot;

/* A square of ground that the player stood on. */
typedef struct kz_tile {
    int32_t x, y, level; /* in squares of the game's units, and steps of height */
    float z;             /* in units */
    bool used;
} kz_tile;
typedef struct kz_tile_mesh {
    rp_vec3 *positions, *normals;
    uint8_t (*colours)[4];
    uint32_t *indices;
} kz_tile_mesh;

/* What the run tells about the ground. */
typedef struct kz_ground {
    kz_tile *tiles, *spare; /* hashed */
    size_t count;
    int32_t side;    /* of a tile, in units */
    rp_vec3 *flight; /* since take-off, tick by tick */
    size_t flight_count;
    rp_vec3 takeoff;
    bool stood;     /* `takeoff` is known */
    rp_vec3 *drops; /* pairs: top and bottom */
    size_t drop_count, every;
} kz_ground;

/* A tick: the position in metres of the scene and in units of the game. */
typedef struct kz_footing {
    rp_vec3 position, origin;
    bool on_ground;
    bool jumps; /* not connected to the tick before */
} kz_footing;

typedef struct kz_scene_builder {
    kz_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    const char *name; /* of the player */
    int32_t player, hulls[2], edges[2], view, eyes;
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
    kz_ground ground;
    uint64_t jump_count;
    int32_t arc_paints[3]; /* materials plus one: usual, good, best jumps */
    size_t arcs;
    rp_vec3 low, high; /* where the player was */
    rp_series *speed, *height, *latency, *keys[KZ_KEYS], *timer, *set, *gone; /* cp and tp */
    rp_series *sync, *width;       /* of strafes, jump by jump */
    double jump_time;              /* of the jump whose strafes are read; NaN outside the scene */
    float air_since, paused_since; /* below 0: on the ground; the timer runs */
    rp_table *jumps, *strafes, *aircalls, *events, *sections;
    rp_heat *heat, *falls;
    rp_path *path;
    float longest; /* jump so far, units */
    rp_highlight longest_jump;
    char longest_text[112];
} kz_scene_builder;

#define KZ_UNIT_M 0.0254f
/* Ticks that are further apart than this were not recorded in between. */
#define KZ_GAP_S 0.5f
/* The speed at the end of the colour scale of trails, in units per second. */
#define KZ_RAMP_SPEED 400

/* ---- scene.c ---- */

/* The flight of a jump, as it is recorded: it is seen from the take-off on. */
void kz_scene_jump(kz_scene_builder *s, const kz_jump *jump, uint32_t number, double landed);

/* ---- scene_ground.c ---- */

bool kz_ground_begin(kz_ground *ground, rp_arena *arena, reprise_error *error);
void kz_ground_tick(kz_ground *ground, const kz_footing *now);
/* Meshes of all tiles and of all lines; -1 if there are none. */
int32_t kz_ground_tiles(const kz_ground *ground, rp_scene *scene, rp_arena *arena);
int32_t kz_ground_drops(const kz_ground *ground, rp_scene *scene);

/* ---- timeline.c ---- */

void kz_timeline_begin(kz_scene_builder *s);
void kz_timeline_tick(kz_scene_builder *s, bool teleported);
void kz_timeline_row(kz_scene_builder *s, const rp_row *row);
void kz_timeline_end(kz_scene_builder *s);

#endif
