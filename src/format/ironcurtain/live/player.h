/*
 * player.h - playing a match tick by tick (specification, 12): player.c plays, pacing.c turns time
 * into ticks, divergence.c estimates how far a match of another game can be trusted, branch.c
 * starts a new recording at a tick.
 */
#ifndef IRONCURTAIN_LIVE_PLAYER_H
#define IRONCURTAIN_LIVE_PLAYER_H

#include "ironcurtain/read/read.h"

/* Turns time into ticks, in integers: quarters of microseconds. */
typedef struct ic_pacer {
    uint32_t tick_us;
    uint32_t quarters; /* of speed 1; 0: as fast as possible */
    bool paused, started;
    uint64_t last_us;
    uint64_t waiting; /* quarters of microseconds that do not make a tick yet */
} ic_pacer;

void ic_pacer_init(ic_pacer *pacer, uint32_t tick_us);
/* False if the speed is not supported. */
bool ic_pacer_set_speed(ic_pacer *pacer, double speed);
uint64_t ic_pacer_due(ic_pacer *pacer, uint64_t now_us);

typedef struct ic_playback {
    ic_match *match; /* the driver's */
    ic_driver driver;
    ic_decoder *decoder; /* of events and voice; NULL: the orders of another game */
    bool strict;
    const char *no_state; /* why nothing is simulated, or NULL */
    reprise_ic_playback_callbacks report;
    ic_pacer pacer;
    reprise_ic_divergence divergence;
    uint64_t gap_end;                                         /* of the gap reported last */
    bool ended;                                               /* and reported */
    enum { IC_NO_DESYNC, IC_DESYNC, IC_DESYNC_NAMED } desync; /* since the last seek */
    uint64_t desync_tick;                                     /* of the first one */
    bool jumped;      /* events and voice have not followed the last seek yet */
    ic_frame shown;   /* the frame returned last */
    rp_arena scratch; /* of the last answer */
} ic_playback;

/* Opens the match of a replay, with events, voice and the hashes of the game it came from. */
reprise_status ic_playback_match(ic_replay *replay, ic_match **ret_match, reprise_error *error);
/* Takes over the match, also if this fails. */
reprise_status ic_playback_init(ic_playback *player, ic_match *match,
                                const reprise_ic_playback_options *options, reprise_error *error);
void ic_playback_free(ic_playback *player);
reprise_status ic_playback_peek(ic_playback *player, const ic_frame **ret_frame,
                                reprise_error *error);
reprise_status ic_playback_poll(ic_playback *player, const ic_frame **ret_frame,
                                reprise_error *error);
reprise_status ic_playback_seek(ic_playback *player, uint64_t tick, reprise_error *error);

/* divergence.c */
/* Looks for signs that the simulation no longer plays the match that was recorded. */
void ic_divergence_frame(ic_playback *player, const ic_frame *frame);
void ic_divergence_state(ic_playback *player);

/* branch.c */
reprise_status ic_playback_branch(ic_playback *player, uint64_t tick, uint32_t slot,
                                  const char **ret_metadata, reprise_error *error);

#endif
