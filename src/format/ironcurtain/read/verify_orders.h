/* verify_orders.h - verification by playing the recorded orders again (chapter 10, point 7). */
#ifndef IRONCURTAIN_READ_VERIFY_ORDERS_H
#define IRONCURTAIN_READ_VERIFY_ORDERS_H

#include "can_simulate.h"
#include "ironcurtain/container/chain.h"

typedef enum ic_orders_verdict {
    IC_ORDERS_NOT_REPLAYED,
    IC_ORDERS_REPLAYED, /* every recorded and every signed state came out again */
    IC_ORDERS_DIVERGED,
} ic_orders_verdict;

typedef struct ic_replaying {
    ic_orders_verdict verdict;
    const char *reason;     /* not replayed: why. Lives as long as the replay */
    uint64_t ticks;         /* played */
    uint64_t signed_states; /* of the chain that were reached and came out as signed */
    uint64_t diverged_at;   /* first tick with another state than the recorded or signed one */
    bool from_signature;    /* it was the signed hash that differed */
    uint64_t ours, recorded;
    char parts[160]; /* which parts of the state differ, in words */
} ic_replaying;

/*
 * Plays a replay again if the context asks for it and a simulation is at hand. Numbers go to the
 * summary as "simulation". Differences are in the result; making findings of them is the caller's.
 */
reprise_status ic_simulate(ic_replay *replay, const ic_chain *chain, rp_doc *doc,
                           reprise_value *summary, ic_replaying *ret, reprise_error *error);

#endif
