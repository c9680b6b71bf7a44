/*
 * verify_states.h - hashes states of a simulation that goes on. If the context can spare threads
 * and the simulation can be copied, they hash copies; the answers are the same, in the same order.
 */
#ifndef IRONCURTAIN_READ_VERIFY_STATES_H
#define IRONCURTAIN_READ_VERIFY_STATES_H

#include "ironcurtain/live/driver.h"
#include "workers.h"

/* A state whose hash is needed. */
typedef struct ic_state_asked {
    uint64_t tick;
    ic_comparison recorded; /* by the frame */
    const uint8_t *wanted;  /* the signed hash, or NULL */
} ic_state_asked;

/* Called in the caller's thread, in the order of the states. */
typedef void ic_state_answer(void *ctx, ic_state_asked *asked, const uint8_t hash[IC_HASH_SIZE]);

typedef struct ic_states {
    const ic_simulation *simulation;
    ic_state_answer *answer;
    void *ctx;
    struct ic_state_copy *copies;
    size_t copy_count;
    rp_workers *workers; /* NULL: states are hashed where they are */
} ic_states;

/* `largest` is the size of the largest state known, in bytes. Close it also if this fails. */
reprise_status ic_states_open(ic_states *states, const ic_simulation *simulation, uint64_t largest,
                              ic_state_answer *answer, void *ctx, reprise_error *error);
/* Hashes the current state of the simulation. The answer may come later. */
reprise_status ic_states_add(ic_states *states, const ic_state_asked *asked, reprise_error *error);
/* Waits for all answers. Necessary before the simulation restores another state. */
reprise_status ic_states_wait(ic_states *states, reprise_error *error);
void ic_states_close(ic_states *states); /* may be all zero */

#endif
