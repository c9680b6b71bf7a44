/*
 * skirmish.h - the reference simulation: a tiny deterministic game (chapter 13 of the profile).
 *
 * It is not Iron Curtain's. It stands where a game would, so that states between keyframes,
 * playback and recording can be tried without one.
 */
#ifndef IRONCURTAIN_LIVE_SKIRMISH_H
#define IRONCURTAIN_LIVE_SKIRMISH_H

#include "ironcurtain/wire/state.h"

typedef struct ic_sim ic_sim;

/* SplitMix64: the next number. Four of them seed the random numbers of a match. */
static inline uint64_t ic_split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Starts from a state, of which a copy is made. */
reprise_status ic_sim_new(rp_context *context, const ic_core *core, ic_sim **ret_sim,
                          reprise_error *error);
void ic_sim_free(ic_sim *sim);

uint64_t ic_sim_tick(const ic_sim *sim);

/* Applies one tick's orders, as received. Orders that make no sense have no effect. */
reprise_status ic_sim_apply(ic_sim *sim, const ic_order *orders, size_t count,
                            reprise_error *error);

/* ---- for those who make a match up ---- */

typedef struct ic_unit_view {
    ic_tag tag;
    uint32_t owner, type; /* type: interned */
    ic_pos pos;
    bool moves;
} ic_unit_view;

/* Puts a unit on the map; ic_sim_status tells whether all of them came to be. */
void ic_sim_spawn(ic_sim *sim, rp_text name, uint32_t owner, int64_t x, int64_t y);
reprise_status ic_sim_status(ic_sim *sim, reprise_error *error);
bool ic_sim_has(const ic_sim *sim, const ic_tag *unit);
size_t ic_sim_unit_count(const ic_sim *sim);
/* Ascending by the index of their tags. */
ic_unit_view ic_sim_unit(const ic_sim *sim, size_t index);
size_t ic_sim_side_count(const ic_sim *sim);
uint32_t ic_sim_side(const ic_sim *sim, size_t index);

/* The state as it is now, in the arena. */
reprise_status ic_sim_core(const ic_sim *sim, rp_arena *arena, ic_core *ret_core,
                           reprise_error *error);

#endif
