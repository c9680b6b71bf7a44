/* stage.h - a match on its way into a scene and a timeline; shared by scene.c and timeline.c. */
#ifndef RUMBLE_STAGE_H
#define RUMBLE_STAGE_H

#include "marks.h"
#include "rumble.h"
#include "shapes.h"

/* A player: nodes in the scene, series in the plots, and what was seen last. */
typedef struct rumble_actor {
    const char *name; /* without markup */
    int32_t rig, head, body, hands[2], eyes;
    int32_t skull; /* the drawable of the head */
    int32_t rockcam;
    double rockcam_since;
    reprise_value *rockcam_when;
    bool seen, shown;
    rumble_player last;
    rumble_player_derived last_world;
    double last_time;
    double damage;
    uint32_t moves;    /* in the current stretch */
    double moves_from; /* where that begins */
    rp_way *way;
    rp_words *words;         /* stones worn, and the move being made */
    const char *move;        /* NULL: none yet */
    double move_until;       /* how long that is shown */
    rp_series *damage_dealt; /* NULL: nobody can tell */
    rp_series *health, *damage_taken, *head_speed, *hand_speed, *height, *move_rate;
} rumble_actor;

typedef struct rumble_stage {
    rumble_replay *replay;
    rp_scene *scene;
    rp_timeline *timeline;
    rumble_actor *actors;
    struct rumble_piece *pieces; /* structures */
    int32_t *pedestals, *props;
    struct rumble_look *looks;
    rp_vec3 low, high; /* ground that somebody stood on */
    bool stood;
    rp_heat *heat;
    rp_activity *damage;
    rp_series *interval;
    rp_table *hits, *moves, *marks;
    rp_vector ends; /* float: recorded times of rounds that ended */
} rumble_stage;

/* ---- timeline.c ---- */

void rumble_timeline_begin(rumble_stage *stage);
void rumble_timeline_frame(rumble_stage *stage);
void rumble_timeline_player(rumble_stage *stage, rumble_actor *actor, size_t index,
                            const rumble_player *now, const rumble_player_derived *world);
void rumble_timeline_event(rumble_stage *stage, const rp_row *row);
void rumble_timeline_marker(rumble_stage *stage, const rp_row *row);
void rumble_timeline_end(rumble_stage *stage);

#endif
