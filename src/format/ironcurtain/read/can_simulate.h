/*
 * can_simulate.h - whether the orders of a replay can be played again here (chapters 10 and 16):
 * the simulation at hand must be of its game module, and its rules must be known.
 */
#ifndef IRONCURTAIN_READ_CAN_SIMULATE_H
#define IRONCURTAIN_READ_CAN_SIMULATE_H

#include "follow.h"

/*
 * Why a replay cannot be simulated here, or NULL if it can. `given` is a caller's own simulation;
 * NULL means the context's, and without that the built-in game. The text lives as long as the
 * replay. Fails only if memory or reading does: damage is for those who then play.
 */
reprise_status ic_unplayable(ic_replay *replay, const reprise_ic_simulation *given,
                             const char **ret_reason, reprise_error *error);
/* The same as an error, for those who cannot go on without. */
reprise_status ic_require_playable(ic_replay *replay, const reprise_ic_simulation *given,
                                   reprise_error *error);

#endif
