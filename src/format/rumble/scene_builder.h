/* scene_builder.h - the state that scene.c, scene_body.c and timeline.c share while they build. */
#ifndef RUMBLE_SCENE_BUILDER_H
#define RUMBLE_SCENE_BUILDER_H

#include "analyse.h"
#include "shapes.h"
#include "transient_nodes.h"

/* A player: nodes in the scene, series in the plots, and what was seen last. */
typedef struct rumble_actor {
    const char *name; /* without markup */
    int32_t figure;   /* shows or hides all of the player */
    int32_t rig, head, hands[2], eyes;
    struct rumble_body *body;
    struct rumble_gear *gear;
    int32_t rockcam;
    double rockcam_since;
    reprise_value *rockcam_when;
    bool shown;
    double damage_before; /* taken before the part that is shown */
    uint32_t moves;       /* in the current stretch */
    double moves_from;    /* where that begins */
    rp_path *path;
    rp_caption *words; /* stones worn, and the move being made */
    const char *move;  /* NULL: none yet */
    double move_until; /* how long that is shown */
    bool captioned;
    const char *caption[3];  /* what `words` said last: two stones and a move; NULL: none */
    rp_series *damage_dealt; /* NULL: unknown */
    rp_series *health, *damage_taken, *head_speed, *hand_speed, *height, *move_rate;
} rumble_actor;

typedef struct rumble_scene_builder {
    rumble_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rumble_analysis analysis;
    rumble_actor *actors;
    struct rumble_piece *pieces; /* structures */
    int32_t *pedestals, *props;
    struct rumble_look *looks;
    int32_t paints[8]; /* of bodies: material plus one; 0: not yet */
    struct rumble_gear_meshes *gear_meshes;
    rp_vec3 low, high; /* ground that players stood on */
    bool stood;
    rp_heat *heat;
    rp_activity *damage;
    rp_series *interval;
    rp_table *hits, *moves, *marks;
    rp_vector ends; /* float: recorded times of rounds that ended */
    int behind[2];  /* of two players: by how much health each was behind at worst in this fight */
} rumble_scene_builder;

/* ---- scene.c ---- */

/* A node of a player. */
typedef struct rumble_part {
    const char *kind;
    int32_t parent, mesh, camera;
} rumble_part;
int32_t rumble_add_part(rumble_scene_builder *s, size_t player, rumble_part about);
/* A recorded rotation in the axes of the scene. */
rp_quat rumble_rotation_of(const rp_rot *rotation);

/* ---- scene_body.c: the skeleton of a player and the mesh that follows it ---- */

/* Sets the actor's nodes; in the arena. */
struct rumble_body *rumble_body_build(rumble_scene_builder *s, size_t player, float length,
                                      float span, int32_t material, rp_arena *arena);
void rumble_body_update(rumble_scene_builder *s, struct rumble_body *body, const rumble_player *now,
                        bool jump);

/* ---- scene_gear.c: the shiftstones in a player's hands and the health above the head ---- */

/* After the body; in the arena. */
struct rumble_gear *rumble_gear_build(rumble_scene_builder *s, size_t player, float length,
                                      rp_arena *arena);
void rumble_gear_update(rumble_scene_builder *s, size_t player, bool jump);
/* The node above the head, -1: none. */
int32_t rumble_gear_top(const struct rumble_gear *gear);

/* ---- timeline.c ---- */

void rumble_timeline_begin(rumble_scene_builder *s);
void rumble_timeline_frame(rumble_scene_builder *s);
void rumble_timeline_player(rumble_scene_builder *s, size_t index);
/* After the rows of a frame: plots the players that had none. */
void rumble_timeline_rest(rumble_scene_builder *s);
void rumble_timeline_event(rumble_scene_builder *s, const rp_row *row);
void rumble_timeline_marker(rumble_scene_builder *s, const rp_row *row);
void rumble_timeline_end(rumble_scene_builder *s);

#endif
