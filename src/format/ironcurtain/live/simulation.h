/*
 * simulation.h - the simulation that re-plays recorded orders: the caller's, or one started by the
 * engine that the context names.
 */
#ifndef IRONCURTAIN_LIVE_SIMULATION_H
#define IRONCURTAIN_LIVE_SIMULATION_H

#include "reprise/ironcurtain/live.h"

#include "ironcurtain/ironcurtain.h"

/*
 * A game that can simulate replays whose callers bring no simulation. It lives in a layer above
 * this one and is set in rp_context.
 */
struct rp_engine {
    const char *const *game_modules; /* it plays replays of these; ends with NULL */
    const char *const *rules;        /* data versions it implements exactly; ends with NULL */
    reprise_status (*start)(rp_context *context, const reprise_ic_simulation **ret_calls,
                            reprise_error *error);
    void (*stop)(const reprise_ic_simulation *calls);
    /*
     * Gives a simulation that nothing else is done with the state of another one, to be hashed in
     * any thread while the other goes on. Both came from this engine. The state is valid until the
     * other one restores a state or is stopped.
     */
    reprise_status (*copy_state)(const reprise_ic_simulation *from, const reprise_ic_simulation *to,
                                 reprise_error *error);
    /* Whether `calls` came from this engine, for example because the caller started it. */
    bool (*owns)(const reprise_ic_simulation *calls);
};

typedef struct ic_simulation {
    const reprise_ic_simulation *calls;
    const struct rp_engine *engine; /* the one that started `calls`, or NULL: they are borrowed */
    rp_context *context;
    ic_carry *restored; /* what calls->state refers to after it was restored, or NULL */
} ic_simulation;

/* Whether a caller's simulation, which may be NULL, has its size and its required callbacks. */
reprise_status ic_simulation_check(const reprise_ic_simulation *calls, reprise_error *error);
/* Whether the simulation provides snapshots. */
bool ic_simulation_has_snapshots(const ic_simulation *simulation);
/* For a game that is played elsewhere and only asked for its state. Needs no ic_simulation_free. */
ic_simulation ic_simulation_of(const reprise_ic_simulation *calls, rp_context *context);
/* Uses `given` if it is not NULL, else the context's simulation, else starts its engine. */
reprise_status ic_simulation_init(ic_simulation *simulation, rp_context *context,
                                  const reprise_ic_simulation *given, reprise_error *error);
void ic_simulation_free(ic_simulation *simulation); /* may be all zero */

reprise_status ic_simulation_restore(ic_simulation *simulation, const ic_snapshot *snapshot,
                                     reprise_error *error);
reprise_status ic_simulation_apply(const ic_simulation *simulation, uint64_t tick,
                                   const reprise_ic_order_list *orders, reprise_error *error);
reprise_status ic_simulation_hash(const ic_simulation *simulation, uint8_t ret_hash[IC_HASH_SIZE],
                                  reprise_error *error);
/* REPRISE_E_UNSUPPORTED if the simulation provides no snapshots. */
reprise_status ic_simulation_snapshot(const ic_simulation *simulation, ic_snapshot *ret_snapshot,
                                      reprise_error *error);

#endif
