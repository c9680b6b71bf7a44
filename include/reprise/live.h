/*
 * live.h - recording and playing Iron Curtain replays from inside a game.
 *
 * ironcurtain.h has the types of the format and turns them into bytes. This header is for a game
 * that runs: it writes down what happens while it happens, and plays it again.
 *
 *   1  simulations    what the library asks of a game; a small complete one is built in
 *
 * Rules of reprise.h hold here too: a function that can fail returns a status, results are written
 * only on success, handles are for one thread at a time.
 */
#ifndef REPRISE_LIVE_H
#define REPRISE_LIVE_H

#include <reprise/ironcurtain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  simulations ------------------------------------------------------------------------ */

/*
 * A game as the library sees it. State t is the state before the orders of tick t; applying them
 * gives state t + 1. Pointers given to a callback are valid during the call. What a callback gives
 * stays valid until the next call of the same simulation.
 *
 * Give one in reprise_options.simulation and `reprise_at` and `reprise_verify` run it; players and
 * recorders take one of their own. Without one the built-in game is used.
 */
typedef struct reprise_simulation {
    void *ctx;
    /* Makes this the current state. Called again whenever playback jumps. */
    reprise_status (*restore)(void *ctx, const reprise_ic_snapshot *snapshot, reprise_error *error);
    /*
     * Applies the orders of one tick to the current state. They come as they were received; a game
     * sorts them by sub_tick_time and player, as the format demands.
     */
    reprise_status (*apply_tick)(void *ctx, uint64_t tick, const reprise_ic_order *orders,
                                 size_t count, reprise_error *error);
    /* The StateHash of the current state: reprise_ic_state_hash of its snapshot. */
    reprise_status (*state_hash)(void *ctx, uint8_t ret_hash[32], reprise_error *error);
    /* The current state. May be NULL: then states between keyframes cannot be shown. */
    reprise_status (*snapshot)(void *ctx, reprise_ic_snapshot *ret_snapshot, reprise_error *error);
    /* Whether a unit is alive. May be NULL: then orders to dead units are not noticed. */
    bool (*has_unit)(void *ctx, reprise_ic_tag unit);
} reprise_simulation;

/*
 * The built-in game, "skirmish": deterministic, small, complete. It shows what a host has to do,
 * and stands where a game would in `play`, `record`, `at` and `verify --simulate`.
 */
typedef struct reprise_skirmish reprise_skirmish;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_skirmish_new(const reprise_options *options,
                                                                 reprise_skirmish **ret_skirmish,
                                                                 reprise_error *error);
REPRISE_API void reprise_skirmish_free(reprise_skirmish *skirmish);
/* The callbacks of this game; they belong to it. */
REPRISE_API const reprise_simulation *reprise_skirmish_simulation(reprise_skirmish *skirmish);

/*
 * A match for demonstrations and tests: the state at its start, and what its players, who are not
 * very clever, order at the current tick. The same seed gives the same match. What is given stays
 * valid until the next call of the same game.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_skirmish_start(reprise_skirmish *skirmish,
                                                                   uint64_t seed, uint32_t players,
                                                                   uint32_t units_per_player,
                                                                   reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_skirmish_orders(reprise_skirmish *skirmish, const reprise_ic_order **ret_orders,
                        size_t *ret_count, reprise_error *error);
/* Who came and who went since the last call: choices of reprise_ic_event. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_skirmish_events(reprise_skirmish *skirmish, const reprise_choice **ret_events,
                        size_t *ret_count, reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
