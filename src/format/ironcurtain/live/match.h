/*
 * match.h - a match whose orders can be played: its frames tick by tick, and its keyframes.
 *
 * A replay provides one (ironcurtain/read/read_match.c), and so do the recorded orders of another
 * game (ironcurtain/import/foreign_match.c).
 */
#ifndef IRONCURTAIN_LIVE_MATCH_H
#define IRONCURTAIN_LIVE_MATCH_H

#include "ironcurtain/ironcurtain.h"

/* A checksum of the world that another game recorded: of the state before the orders of a tick. */
typedef struct ic_foreign_hash {
    uint64_t tick;
    uint64_t value; /* not 0 */
} ic_foreign_hash;

typedef struct ic_match {
    rp_context *context;
    rp_arena *arena;   /* of texts that live as long as the match */
    ic_replay *replay; /* NULL: the orders of another game */
    const char *game_module, *data_version;
    uint64_t total_ticks;
    double tick_seconds;
    bool imported;             /* recorded by another game: a hash of 0 was not recorded */
    uint64_t diverged_at;      /* as the recording states it; UINT64_MAX: it states none */
    const uint8_t *final_hash; /* state hash after the last tick, or NULL */
    rp_vector foreign_hashes;  /* ic_foreign_hash, ascending by tick */
    size_t keyframe_count;
    uint32_t width, height; /* of the map, in cells, as of the last keyframe loaded */
    void *ctx;
    /*
     * The frame of a tick, or NULL if it is missing; valid until the next call. Ticks ascend;
     * going back takes a seek.
     */
    reprise_status (*frame)(struct ic_match *match, uint64_t tick, const ic_frame **ret_frame,
                            reprise_error *error);
    /* Makes the frames of the last keyframe at or before a tick come next. */
    reprise_status (*seek)(struct ic_match *match, uint64_t tick, reprise_error *error);
    uint64_t (*keyframe_tick)(const struct ic_match *match, size_t keyframe);
    /* Loads the state of a keyframe; valid until the next load or seek. */
    reprise_status (*load)(struct ic_match *match, size_t keyframe, ic_snapshot *ret_snapshot,
                           reprise_error *error);
    void (*close)(struct ic_match *match); /* may be NULL */
} ic_match;

void ic_match_close(ic_match *match); /* may be NULL */

/* The last keyframe at or before a tick. */
size_t ic_match_keyframe(const ic_match *match, uint64_t tick);
/* The tick of the first keyframe after a tick, or the end of the match. */
uint64_t ic_match_next_keyframe(const ic_match *match, uint64_t tick);
/* Whether a keyframe has this very tick. */
bool ic_match_has_keyframe(const ic_match *match, uint64_t tick);

/* The sync hash recorded for a tick: the frame's, or else what another game recorded; 0: none. */
uint64_t ic_match_recorded(const ic_match *match, uint64_t tick, const ic_frame *frame);

#endif
