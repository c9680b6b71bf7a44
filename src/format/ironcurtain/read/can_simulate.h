/*
 * can_simulate.h - whether the orders of a replay can be simulated here (specification, 10 and
 * 16): a simulation of its game module must be available, and the rules must be known.
 */
#ifndef IRONCURTAIN_READ_CAN_SIMULATE_H
#define IRONCURTAIN_READ_CAN_SIMULATE_H

#include "read.h"

/*
 * Sets `ret_reason` to why a replay cannot be simulated here, or to NULL if it can. `given` is a
 * caller's simulation; NULL means the context's, or else its engine. The text lives as long as
 * the replay. Damage is not a failure: playing reports it.
 */
reprise_status ic_unplayable(ic_replay *replay, const reprise_ic_simulation *given,
                             const char **ret_reason, reprise_error *error);
reprise_status ic_match_unplayable(const ic_match *match, const reprise_ic_simulation *given,
                                   const char **ret_reason, reprise_error *error);
/* Fails with the reason if the replay cannot be simulated by what its context provides. */
reprise_status ic_require_playable(ic_replay *replay, reprise_error *error);

#endif
