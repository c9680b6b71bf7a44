/*
 * host.h - the simulation that plays orders again: the caller's, or the built-in game behind the
 * same callbacks.
 */
#ifndef IRONCURTAIN_LIVE_HOST_H
#define IRONCURTAIN_LIVE_HOST_H

#include "reprise/ironcurtain/live.h"

#include "ironcurtain/ironcurtain.h"
#include "skirmish.h"

/* The built-in game as a simulation. */
typedef struct ic_skirmish {
    rp_context *context;
    reprise_ic_simulation calls;
    ic_sim *sim;     /* NULL before the first restore */
    rp_arena states; /* of the last snapshot or hash */
    ic_hasher hasher;
    ic_carry campaign, script; /* the simulation never looks at them */
    /* a match of its own: demo.c */
    uint64_t seed;
    rp_arena orders;
    ic_tag *seen; /* units of the tick before, in `alive` */
    size_t seen_count;
    rp_arena alive[2];
    unsigned alive_turn;
    uint64_t seen_tick;
} ic_skirmish;

/* Whether these are the callbacks of the built-in game. */
bool ic_is_skirmish(const reprise_ic_simulation *calls);
reprise_status ic_skirmish_init(ic_skirmish *skirmish, rp_context *context, reprise_error *error);
void ic_skirmish_free(ic_skirmish *skirmish);

/* demo.c */
/* The map file whose hash the states of demonstrations name. */
const void *ic_demo_map(size_t *ret_size);
reprise_status ic_demo_start(ic_skirmish *skirmish, uint64_t seed, uint32_t players,
                             uint32_t units_per_player, reprise_error *error);
reprise_status ic_demo_orders(ic_skirmish *skirmish, const ic_order **ret_orders, size_t *ret_count,
                              reprise_error *error);
reprise_status ic_demo_events(ic_skirmish *skirmish, const rp_choice **ret_events,
                              size_t *ret_count, reprise_error *error);

/* Whatever plays orders again. */
typedef struct ic_host {
    const reprise_ic_simulation *calls;
    ic_skirmish own; /* when the caller has none */
} ic_host;

/* `given` may be NULL; then the context's is taken, and then the built-in one. */
reprise_status ic_host_init(ic_host *host, rp_context *context, const reprise_ic_simulation *given,
                            reprise_error *error);
void ic_host_free(ic_host *host); /* also if it is all zero */

reprise_status ic_host_restore(const ic_host *host, const ic_snapshot *snapshot,
                               reprise_error *error);
reprise_status ic_host_apply(const ic_host *host, uint64_t tick, const rp_list *orders,
                             reprise_error *error);
reprise_status ic_host_hash(const ic_host *host, uint8_t ret_hash[IC_HASH_SIZE],
                            reprise_error *error);
/* REPRISE_E_UNSUPPORTED if the simulation does not give states. */
reprise_status ic_host_snapshot(const ic_host *host, ic_snapshot *ret_snapshot,
                                reprise_error *error);

#endif
