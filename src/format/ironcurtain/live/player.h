/*
 * player.h - playing a replay tick by tick (chapter 12): player.c plays, pacing.c says when,
 * divergence.c doubts replays of other games, branch.c goes on from one.
 */
#ifndef IRONCURTAIN_LIVE_PLAYER_H
#define IRONCURTAIN_LIVE_PLAYER_H

#include "ironcurtain/read/follow.h"

/* Time into ticks, in whole numbers: quarters of microseconds of play. */
typedef struct ic_pacer {
    uint32_t tick_us;
    uint32_t quarters; /* of speed 1; 0: as fast as possible */
    bool paused, started;
    uint64_t last_us;
    uint64_t waiting; /* quarters of microseconds that are not a whole tick yet */
} ic_pacer;

void ic_pacer_init(ic_pacer *pacer, uint32_t tick_us);
/* False if there is no such speed. */
bool ic_pacer_set_speed(ic_pacer *pacer, double speed);
uint64_t ic_pacer_due(ic_pacer *pacer, uint64_t now_us);

typedef struct ic_playback {
    ic_replay *replay;
    ic_follower follow;
    bool strict;
    const char *no_state; /* why no state is played, or NULL */
    reprise_ic_playback_callbacks tell;
    ic_pacer pacer;
    uint64_t diverged_at; /* as the recording says; UINT64_MAX: it does not */
    reprise_ic_divergence divergence;
    uint64_t gap_end;                                         /* of the gap that was told last */
    bool ended;                                               /* and that was told */
    enum { IC_NO_DESYNC, IC_DESYNC, IC_DESYNC_NAMED } desync; /* since the last jump */
    uint64_t desync_tick;                                     /* of the first one */
    bool jumped;    /* events and voice are still where they were */
    ic_frame shown; /* the frame that was given last */
    rp_vector
        sums; /* ic_sum, in order: recorded by another game, see ironcurtain/import/carried.c */
    rp_arena scratch; /* of the last answer */
} ic_playback;

reprise_status ic_playback_init(ic_playback *player, ic_replay *replay,
                                const reprise_ic_playback_options *options, reprise_error *error);
void ic_playback_free(ic_playback *player);
reprise_status ic_playback_peek(ic_playback *player, const ic_frame **ret_frame,
                                reprise_error *error);
reprise_status ic_playback_poll(ic_playback *player, const ic_frame **ret_frame,
                                reprise_error *error);
reprise_status ic_playback_seek(ic_playback *player, uint64_t tick, reprise_error *error);

/* divergence.c */
/* What the frame to be played says about whether this is still the match that was recorded. */
void ic_doubt_frame(ic_playback *player, const ic_frame *frame);
void ic_doubt_state(ic_playback *player, uint64_t ours, uint64_t recorded);

/* branch.c */
reprise_status ic_playback_branch(ic_playback *player, uint64_t tick, uint32_t slot,
                                  const char **ret_metadata, reprise_error *error);

#endif
