/*
 * scene_builder.h - builds the scene and timeline of a match; shared by scene.c, timeline.c and
 * timeline_checks.c.
 */
#ifndef IRONCURTAIN_READ_SCENE_BUILDER_H
#define IRONCURTAIN_READ_SCENE_BUILDER_H

#include "analyse.h"
#include "topdown_map.h"

enum { IC_SCENE_PLAYERS = RP_TOPDOWN_MAP_PLAYERS, IC_SCENE_SLOTS = 65536 };

typedef enum ic_look { IC_LOOK_FOOT, IC_LOOK_VEHICLE, IC_LOOK_BUILDING, IC_LOOKS } ic_look;

typedef struct ic_owner {
    const char *name;
    int32_t meshes[IC_LOOKS]; /* plus one; 0: not made yet */
    int32_t view;             /* camera node plus one */
    rp_series *curves[IC_METRIC_COUNT], *actions, *health;
    reprise_value *about; /* in the timeline */
    bool defeated;
    int64_t health_sum;
} ic_owner;

/* How the last full keyframe shows a thing: deltas do not list what is still, or again, like that.
 */
typedef struct ic_stay {
    bool known;
    ic_pos pos;
    int32_t facing, health;
} ic_stay;

/* A thing in an entity slot; slots are reused with another generation. */
typedef struct ic_thing {
    int32_t node; /* plus one; 0: none yet */
    uint16_t generation;
    bool here, labelled;
    ic_look look;
    uint32_t owner, type;
    int32_t health;
    rp_vec3 position;
    float seen;     /* scene time of the last position */
    uint32_t state; /* number of the keyframe that last listed it */
    ic_stay full;
} ic_thing;

typedef struct ic_scene_builder {
    rp_replay *replay;
    const reprise_value *metadata;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_arena *arena;
    rp_topdown_map over;
    int32_t grey[IC_LOOKS]; /* meshes of things without an owner, plus one */
    ic_owner owners[IC_SCENE_PLAYERS];
    size_t owner_count;
    ic_thing *things;
    size_t slots;     /* used slots of `things` */
    ic_driver driver; /* simulates the states between keyframes */
    bool simulates;   /* it can, and has not failed so far */
    rp_arena parts;   /* temporary, for components */
    rp_transient_nodes blasts;
    struct ic_ground *ground;
    bool any_time, shown, state_open;
    double time;        /* recorded time of the current rows */
    float state_before; /* scene time of the previous state and of the last one */
    float state_now;
    uint32_t state_number; /* of the keyframe whose rows are being read */
    bool state_is_full;
    int64_t second; /* actions per minute are plotted up to here */
    size_t strokes;
    rp_vector names; /* const char *: the interned names so far */
    rp_vector looks; /* uint8_t by type: its look, plus one */
    rp_table *orders, *chat, *builds, *events;
    rp_table *votes, *signatures; /* made on demand */
    rp_heat *deaths, *views, *combat, *harvest;
    ic_analysis analysis;
    rp_vector verdicts; /* results of comparing hashes, by time */
    double tick_s;
    float fighting_since; /* negative: no engagement in progress */
    bool is_save;
    struct ic_saved_state *saved; /* NULL: not a save */
} ic_scene_builder;

static inline ic_owner *ic_owner_of(ic_scene_builder *s, uint64_t player)
{
    return player < s->owner_count ? &s->owners[player] : NULL;
}
/* Cells are metres: x east, y south becomes z, z up becomes y. */
static inline rp_vec3 ic_scene_builder_position(const ic_pos *pos, float lift)
{
    return (rp_vec3){(float)pos->x / 1024, (float)pos->z / 1024 + lift, (float)pos->y / 1024};
}
/* The thing with a tag, or NULL if its slot has another one. */
static inline ic_thing *ic_thing_of(ic_scene_builder *s, const ic_tag *tag)
{
    ic_thing *thing = &s->things[tag->index];
    return thing->node && thing->generation == tag->generation ? thing : NULL;
}

/* ---- scene.c ---- */

extern const char ic_unknown[];
/* An interned name, or ic_unknown. */
const char *ic_scene_builder_name(const ic_scene_builder *builder, uint32_t id);
void ic_scene_builder_remove(ic_scene_builder *builder, ic_thing *thing);

/* ---- timeline.c ---- */

void ic_timeline_begin(ic_scene_builder *builder);
void ic_timeline_seconds(ic_scene_builder *builder, double until);
void ic_timeline_player(ic_scene_builder *builder, const ic_player *player);
/* Puts the name of a thing next to its node, once and as soon as it is known. */
void ic_timeline_label(ic_scene_builder *builder, ic_thing *thing, const char *name);
void ic_timeline_state(ic_scene_builder *builder);
void ic_timeline_order(ic_scene_builder *builder, const ic_order_data *row);
void ic_timeline_event(ic_scene_builder *builder, const rp_choice *event);
/* An amount of a resource was gathered from a cell. */
void ic_timeline_gathered(ic_scene_builder *builder, const ic_cell *cell, int64_t amount);
void ic_timeline_end(ic_scene_builder *builder);

/* ---- timeline_save.c ---- */

void ic_save_begin(ic_scene_builder *builder);
/* After the row was shown. */
void ic_save_row(ic_scene_builder *builder, const rp_row *row);
void ic_save_end(ic_scene_builder *builder);

/* ---- timeline_checks.c ---- */

void ic_timeline_frame(ic_scene_builder *builder, uint64_t tick, uint64_t hash);
/* The state hash of a keyframe or a signature. */
void ic_timeline_hash(ic_scene_builder *builder, uint64_t tick, const uint8_t hash[IC_HASH_SIZE]);
/* Whether the simulated state is the recorded one, now. */
void ic_timeline_simulated(ic_scene_builder *builder, bool same);
void ic_timeline_signature(ic_scene_builder *builder, uint64_t tick, const ic_signature_row *row);
void ic_timeline_vote_order(ic_scene_builder *builder, const ic_order *order);
void ic_timeline_vote(ic_scene_builder *builder, const ic_vote_event *event);
/* Adds the lane of state hashes, at the end. */
void ic_timeline_states(ic_scene_builder *builder);

#endif
