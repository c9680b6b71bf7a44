/*
 * skirmish.h - the reference game as a simulation: the engine's side of the simulation interface,
 * and matches that play themselves (match.c). The rules of the game are in game.h.
 */
#ifndef SIM_SKIRMISH_SKIRMISH_H
#define SIM_SKIRMISH_SKIRMISH_H

#include "game.h"
#include "ironcurtain/live/simulation.h"

typedef struct skirmish_sim {
    rp_context *context;
    reprise_ic_simulation calls;
    skirmish_game *game; /* NULL before the first restore */
    rp_arena states;     /* of the last snapshot or hash */
    ic_hasher hasher;
    ic_carry campaign, script; /* passed through: the game ignores them */
    /* match.c */
    uint64_t seed;
    rp_arena orders;
    ic_tag *seen; /* units after the previous tick, in one of `alive` */
    size_t seen_count;
    rp_arena alive[2];
    unsigned alive_turn;
} skirmish_sim;

/* Set in the context of every replay that is opened through the public interface. */
extern const struct rp_engine skirmish_engine;

reprise_status skirmish_init(skirmish_sim *s, rp_context *context, reprise_error *error);
void skirmish_free(skirmish_sim *s);

/* ---- match.c ---- */

/* The map file whose hash the states of self-playing matches contain. */
const void *skirmish_map(size_t *ret_size);
reprise_status skirmish_start(skirmish_sim *s, uint64_t seed, uint32_t players,
                              uint32_t units_per_player, reprise_error *error);
/* The orders of the next tick; valid until the next call. */
reprise_status skirmish_orders(skirmish_sim *s, const ic_order **ret_orders, size_t *ret_count,
                               reprise_error *error);
/* The units created and destroyed by the last tick; valid until the next orders. */
reprise_status skirmish_events(skirmish_sim *s, const reprise_ic_event **ret_events,
                               size_t *ret_count, reprise_error *error);

#endif
