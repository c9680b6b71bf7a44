/*
 * skirmish.h - the reference simulation: a tiny deterministic game (chapter 13 of the profile).
 *
 * It is not Iron Curtain's. It stands where a game would, so that states between keyframes,
 * playback and recording can be tried without one.
 */
#ifndef IC_SKIRMISH_H
#define IC_SKIRMISH_H

#include "state.h"

typedef struct ic_sim ic_sim;

/* Starts from a state, of which a copy is made. */
reprise_status ic_sim_new(rp_context *context, const ic_core *core, ic_sim **ret_sim,
                          reprise_error *error);
void ic_sim_free(ic_sim *sim);

uint64_t ic_sim_tick(const ic_sim *sim);

/* Applies one tick's orders, as received. Orders that make no sense have no effect. */
reprise_status ic_sim_apply(ic_sim *sim, const ic_order *orders, size_t count,
                            reprise_error *error);

/* The state as it is now, in the arena. */
reprise_status ic_sim_core(const ic_sim *sim, rp_arena *arena, ic_core *ret_core,
                           reprise_error *error);

#endif
