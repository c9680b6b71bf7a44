/*
 * driver.h - re-simulating a match: restore a keyframe, play frames, compare the state with what
 * was recorded, and resynchronise after missing frames. Seeking, verification, signing, players
 * and scenes are built on it.
 */
#ifndef IRONCURTAIN_LIVE_DRIVER_H
#define IRONCURTAIN_LIVE_DRIVER_H

#include "match.h"
#include "simulation.h"

typedef struct ic_driver {
    ic_match *match;
    ic_simulation simulation;
    bool has_state; /* false: ticks pass without being simulated */
    bool gap;       /* a frame was missing: the state is wrong until the next keyframe */
    uint64_t tick;  /* the next one to play; the state is the one before its orders */
} ic_driver;

/* How the simulated state compares with the recorded one. */
typedef struct ic_comparison {
    bool known; /* a hash was recorded for this tick, and the state can be compared with it */
    bool same;
    uint64_t ours, recorded;    /* sync hashes */
    const uint8_t *complete;    /* the recorded hash of the state after the last tick, or NULL */
    uint8_t hash[IC_HASH_SIZE]; /* of the simulated state, if `known` */
} ic_comparison;

/*
 * Takes over the match, also if this fails. With `has_state` frames are simulated, by `given` or
 * else by what ic_simulation_init chooses. The driver has no state before it is restored.
 */
reprise_status ic_driver_open(ic_driver *driver, ic_match *match, bool has_state,
                              const reprise_ic_simulation *given, reprise_error *error);
void ic_driver_close(ic_driver *driver); /* may be all zero */

/* Continues with the state of a keyframe. */
reprise_status ic_driver_restore(ic_driver *driver, size_t keyframe, reprise_error *error);
/* The frame of the tick to play, NULL if it is missing; valid until the tick changes. */
reprise_status ic_driver_frame(ic_driver *driver, const ic_frame **ret_frame, reprise_error *error);
/*
 * Plays the tick, without orders if its frame is missing (NULL). After a gap the next keyframe is
 * restored as soon as its tick is reached.
 */
reprise_status ic_driver_play(ic_driver *driver, const ic_frame *frame, reprise_error *error);
/* What was recorded for the state of the tick to play: the first half of a comparison. */
reprise_status ic_driver_recorded(ic_driver *driver, ic_comparison *ret_comparison,
                                  reprise_error *error);
/* The second half, if the first one is `known`: the hash of that state. */
void ic_comparison_end(ic_comparison *comparison, const uint8_t hash[IC_HASH_SIZE]);
/* Compares the state with the hash recorded for its tick. */
reprise_status ic_driver_compare(ic_driver *driver, ic_comparison *ret_comparison,
                                 reprise_error *error);

/*
 * Plays to a tick that is not before the current one, starting at a keyframe in between if there
 * is one. Stops with `gap` set where a frame is missing: gaps may be millions of ticks long.
 */
reprise_status ic_driver_reach(ic_driver *driver, uint64_t tick, reprise_error *error);
/* Goes to any tick, playing missing frames without orders. */
reprise_status ic_driver_seek(ic_driver *driver, uint64_t tick, reprise_error *error);
/* Skips a gap: restores the next keyframe, or goes to the end with `gap` set if there is none. */
reprise_status ic_driver_skip_gap(ic_driver *driver, reprise_error *error);

#endif
