/* scene_builder.h - a match on its way into a scene and a timeline; shared by scene.c and
 * timeline.c. */
#ifndef IRONCURTAIN_READ_SCENE_BUILDER_H
#define IRONCURTAIN_READ_SCENE_BUILDER_H

#include "analyse.h"
#include "topdown_map.h"

enum { IC_STAGE_PLAYERS = RP_TOPDOWN_MAP_PLAYERS, IC_STAGE_SLOTS = 65536 };

typedef enum ic_look { IC_LOOK_FOOT, IC_LOOK_VEHICLE, IC_LOOK_BUILDING, IC_LOOKS } ic_look;

typedef struct ic_owner {
    const char *name;
    int32_t meshes[IC_LOOKS]; /* plus one; 0: not yet */
    int32_t view;             /* camera node plus one */
    rp_series *curves[IC_METRIC_COUNT], *actions, *health;
    bool defeated;
    int64_t health_sum;
} ic_owner;

/* What is in a slot; the next one to have it is another thing. */
typedef struct ic_thing {
    int32_t node; /* plus one; 0: nothing yet */
    uint16_t generation;
    bool here;
    ic_look look;
    uint32_t owner, type;
    int32_t health;
    rp_vec3 place;
    float seen; /* scene time of the last place */
} ic_thing;

typedef struct ic_scene_builder {
    rp_replay *replay;
    const reprise_value *metadata;
    rp_scene *scene;
    rp_timeline *timeline;
    rp_arena *arena;
    rp_topdown_map over;
    int32_t grey[IC_LOOKS]; /* meshes of what belongs to nobody, plus one */
    ic_owner owners[IC_STAGE_PLAYERS];
    size_t owner_count;
    ic_thing *things;
    size_t slots;     /* of these, as far as any was taken */
    ic_driver driver; /* simulates the states between keyframes */
    bool simulates;   /* it can, and has not failed so far */
    rp_arena parts;   /* of the entities being looked at */
    rp_transient_nodes blasts;
    struct ic_ground *ground;
    bool any_time, shown, state_open;
    double time;        /* recorded, of the rows that come */
    float state_before; /* scene time of the last state but one, and of the last one */
    float state_now;
    int64_t second; /* up to which actions were counted */
    size_t strokes;
    rp_vector names; /* const char *: interned, as the rows of `strings` gave them */
    rp_vector looks; /* uint8_t by type: the look of those seen so far, plus one */
    rp_table *orders, *chat, *builds, *events;
    rp_table *votes, *signatures; /* made when there are any */
    rp_heat *deaths, *views, *combat, *harvest;
    ic_analysis analysis;
    rp_vector verdicts; /* about hashes, in order of time */
    double tick_s;
    float fighting_since; /* below 0: nobody fights */
} ic_scene_builder;

static inline ic_owner *ic_owner_of(ic_scene_builder *s, uint64_t player)
{
    return player < s->owner_count ? &s->owners[player] : NULL;
}
/* Cells are metres: x east, y south becomes z, z up becomes y. */
static inline rp_vec3 ic_scene_builder_place(const ic_pos *pos, float lift)
{
    return (rp_vec3){(float)pos->x / 1024, (float)pos->z / 1024 + lift, (float)pos->y / 1024};
}
/* The thing a tag means, or NULL if it is not known any more. */
static inline ic_thing *ic_thing_of(ic_scene_builder *s, const ic_tag *tag)
{
    ic_thing *thing = &s->things[tag->index];
    return thing->node && thing->generation == tag->generation ? thing : NULL;
}

/* ---- scene.c ---- */

/* An interned name, or a plain word. */
const char *ic_scene_builder_name(const ic_scene_builder *stage, uint32_t id);
void ic_scene_builder_remove(ic_scene_builder *stage, ic_thing *thing);

/* ---- timeline.c ---- */

void ic_timeline_begin(ic_scene_builder *stage);
void ic_timeline_seconds(ic_scene_builder *stage, double until);
void ic_timeline_player(ic_scene_builder *stage, const ic_player *player);
void ic_timeline_state(ic_scene_builder *stage);
void ic_timeline_order(ic_scene_builder *stage, const ic_order_data *row);
void ic_timeline_event(ic_scene_builder *stage, const rp_choice *event);
/* So much of a resource is gone from a cell. */
void ic_timeline_gathered(ic_scene_builder *stage, const ic_cell *cell, int64_t amount);
void ic_timeline_end(ic_scene_builder *stage);

/* ---- timeline_checks.c ---- */

void ic_timeline_frame(ic_scene_builder *stage, uint64_t tick, uint64_t hash);
/* Of a keyframe's state, or as it was signed. */
void ic_timeline_hash(ic_scene_builder *stage, uint64_t tick, const uint8_t hash[IC_HASH_SIZE]);
/* Whether the simulated state is the recorded one, now. */
void ic_timeline_simulated(ic_scene_builder *stage, bool same);
void ic_timeline_signature(ic_scene_builder *stage, uint64_t tick, const ic_signature_row *row);
void ic_timeline_vote_order(ic_scene_builder *stage, const ic_order *order);
void ic_timeline_vote(ic_scene_builder *stage, const ic_vote_event *event);
/* Everything said about hashes, at the end. */
void ic_timeline_states(ic_scene_builder *stage);

#endif
