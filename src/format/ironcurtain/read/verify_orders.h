/*
 * verify_orders.h - verification by re-simulating the recorded orders (specification, 10, item 7).
 */
#ifndef IRONCURTAIN_READ_VERIFY_ORDERS_H
#define IRONCURTAIN_READ_VERIFY_ORDERS_H

#include "can_simulate.h"
#include "ironcurtain/container/chain.h"

typedef enum ic_orders_verdict {
    IC_ORDERS_NOT_REPLAYED,
    IC_ORDERS_REPLAYED, /* every recorded and signed state was reproduced */
    IC_ORDERS_DIVERGED,
} ic_orders_verdict;

typedef struct ic_replaying {
    ic_orders_verdict verdict;
    const char *reason;     /* why they were not replayed; lives as long as the replay */
    uint64_t ticks;         /* played */
    uint64_t signed_states; /* entries of the chain whose state was reproduced */
    uint64_t diverged_at;   /* first tick whose state differs from the recorded or signed one */
    bool from_signature;    /* the signed hash differed, not the recorded one */
    uint64_t ours, recorded;
    char parts[160]; /* the differing parts, for messages */
} ic_replaying;

/*
 * Re-simulates a replay if the context asks for it and a simulation is available. Adds "simulation"
 * to the summary. The caller turns differences into findings.
 */
reprise_status ic_simulate(ic_replay *replay, const ic_chain *chain, rp_doc *doc,
                           reprise_value *summary, ic_replaying *ret, reprise_error *error);

#endif
