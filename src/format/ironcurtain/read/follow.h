/*
 * follow.h - a simulation that follows the recorded frames: what players, scenes and verification
 * by playing again have in common.
 */
#ifndef IRONCURTAIN_READ_FOLLOW_H
#define IRONCURTAIN_READ_FOLLOW_H

#include "ironcurtain/live/simulation.h"
#include "read.h"

typedef struct ic_follower {
    ic_decoder *decoder;
    ic_simulation host;
    bool has_state; /* else ticks go by, and nobody plays them */
    bool gap;       /* a frame was missing: states are wrong until the next keyframe */
    uint64_t tick;  /* of the state */
} ic_follower;

/*
 * Reads ticks and other tracks. With `has_state` they are played by `simulation`, or if that is
 * NULL by the context's or the built-in one.
 */
reprise_status ic_follow_open(ic_follower *follower, ic_replay *replay, uint64_t others,
                              bool has_state, const reprise_ic_simulation *simulation,
                              reprise_error *error);
void ic_follow_close(ic_follower *follower); /* also if it is all zero */

/* Goes to a keyframe; frames go on where they are. */
reprise_status ic_follow_restore(ic_follower *follower, size_t keyframe, reprise_error *error);
/* The frame of the tick, NULL if it is missing; valid until the next one. */
reprise_status ic_follow_frame(ic_follower *follower, const ic_frame **ret_frame,
                               reprise_error *error);
/* Plays the tick, without orders if its frame is missing. Keyframes behind a gap put it right. */
reprise_status ic_follow_apply(ic_follower *follower, const ic_frame *frame, reprise_error *error);

#endif
