/*
 * again.h - states between keyframes, by playing the orders again from each of them on. Only the
 * recorded hashes tell whether the simulation is the game that was recorded.
 */
#ifndef IRONCURTAIN_READ_AGAIN_H
#define IRONCURTAIN_READ_AGAIN_H

#include "follow.h"

typedef struct ic_again {
    ic_follower follow;
    bool lost;    /* nothing can be had: it cannot be simulated, or the game does not tell */
    bool checked; /* the last one asked for was compared with the recorded hash */
    ic_snapshot reached;
} ic_again;

reprise_status ic_again_init(ic_again *again, ic_replay *replay, reprise_error *error);
void ic_again_free(ic_again *again); /* also if it is all zero */

/*
 * The state at a tick, which is not in front of the last one asked for; valid until the next call.
 * NULL if it cannot be had.
 */
reprise_status ic_again_reach(ic_again *again, uint64_t tick, const ic_core **ret_core,
                              reprise_error *error);

#endif
