/*
 * analyse.h - every metric of a match, computed once, row by row, in the order of the file.
 *
 * stats.c renders the totals as a document, timeline.c what each row shows as plots and markers.
 */
#ifndef RUMBLE_ANALYSE_H
#define RUMBLE_ANALYSE_H

#include "rumble.h"

enum {
    RUMBLE_MOVES = 12,
    RUMBLE_STONES = 9, /* the last is no stone */
    RUMBLE_STONE_EFFECTS = 4,
    RUMBLE_STRUCTURE_TYPES = 256,
};

typedef struct rumble_player_metrics {
    /* the last two rows; `before` is NULL until there are two */
    const rumble_player *now, *before;
    rumble_player_derived world; /* of the last row */
    int64_t frame;               /* of the last row, counted by the analysis */

    /* what the last row shows */
    double elapsed;                 /* seconds since the frame before */
    bool moves;                     /* in the match in both rows, so that these are valid: */
    double head_step, hand_step[2]; /* metres since the frame before */
    bool begins_move, joins, changes_health;
    int damage; /* taken since the row before */

    /* totals */
    double time_active;
    double head_distance, hand_distance[2], hand_speed_max[2];
    double damage_taken, healed;
    uint32_t move_count[RUMBLE_MOVES];
    double stone_time[RUMBLE_STONES];
    uint32_t stone_uses[RUMBLE_STONE_EFFECTS];

    rumble_player held[2];
} rumble_player_metrics;

typedef struct rumble_structure_metrics {
    uint32_t made, held, flicked, broken;
} rumble_structure_metrics;

typedef struct rumble_analysis {
    const rumble_replay *replay;
    rumble_player_metrics *players;
    struct rumble_structure_state *structures;
    rumble_structure_metrics by_type[RUMBLE_STRUCTURE_TYPES + 1]; /* the last: unknown types */
    uint32_t effects[256];
    size_t marker_count;
    int64_t frames;               /* seen so far */
    double first_time, last_time; /* of frames: the first, and the latest */
    double now, elapsed;          /* of the current frame, and since the one before */
} rumble_analysis;

/* Zeroes the analysis; what it needs per object comes from the arena. */
reprise_status rumble_analyse_begin(rumble_analysis *a, const rumble_replay *replay,
                                    rp_arena *arena, reprise_error *error);
/* `time` is that of the row, in seconds from wherever the caller counts. */
void rumble_analyse_row(rumble_analysis *a, const rp_row *row, double time);

/* Rounds end where the recorder put such a marker. */
bool rumble_ends_round(rp_text marker_name);
/*
 * Sorts the times at which rounds end and keeps those that end one: rising, after `from` and not
 * after `to`. Returns how many are left.
 */
size_t rumble_sort_rounds(float *ends, size_t count, double from, double to);

#endif
