/*
 * analyse.h - every metric of a scene: who is in it and for how long, how far they move, what
 * changes in the world, and the size of textures. stats.c renders the totals, timeline.c plots
 * motion and changes.
 *
 * Memory grows only with the number of different classes and blocks.
 */
#ifndef MCREPLAY_ANALYSE_H
#define MCREPLAY_ANALYSE_H

#include "mcreplay.h"

enum { MC_MINUTES_MAX = 24 * 60 };

/* Counts under one name. */
typedef struct mc_tally {
    const char *name;
    uint64_t count;
    double seconds, metres;
} mc_tally;

/* Sorted by name. */
typedef struct mc_tallies {
    mc_tally *items;
    size_t count, capacity;
} mc_tallies;

typedef struct mc_analysis {
    mc_replay *replay;
    rp_arena *arena;
    mc_tallies classes, models;
    uint64_t entities, frames, parts;
    uint64_t visibility_changes;
    double distance;
    uint64_t changed_blocks, whole_frames;
    uint64_t per_minute_count;
    uint64_t *per_minute; /* changes of the world */
    uint64_t texture_bytes, texture_pixels;
    uint64_t triangles;
} mc_analysis;

/* Reads all entities, the world and the headers of textures. Lists are in the arena. */
reprise_status mc_analyse(mc_replay *replay, rp_arena *arena, mc_analysis *ret_analysis,
                          reprise_error *error);

/*
 * The block changes of a piece: the blocks that a frame of changes stores. A complete frame states
 * the world and changes nothing.
 */
uint64_t mc_stored_changes(const mc_world_piece *piece);

/* The motion of an entity or a camera. Starts zeroed. */
typedef struct mc_motion {
    double x, y, z; /* the last position, if any */
    bool any;
} mc_motion;

/* Metres since the previous call; 0 the first time. */
double mc_motion_step(mc_motion *motion, double x, double y, double z);

#endif
