/*
 * foreign_frames.h - the recorded orders of another game as frames of this one, tick by tick
 * (specification, 14). Importing writes them to a file, playing feeds them to a simulation.
 */
#ifndef IRONCURTAIN_IMPORT_FOREIGN_FRAMES_H
#define IRONCURTAIN_IMPORT_FOREIGN_FRAMES_H

#include "import.h"

enum { IC_IMPORT_TICKS_PER_SECOND = 15 };

typedef struct ic_foreign_frames {
    rp_context *context;
    const rp_foreign *foreign;
    bool lossless;
    const reprise_value *source, *metadata; /* of the foreign replay */
    uint64_t total_ticks;
    size_t player_count;
    uint64_t tick;   /* of the next frame */
    rp_writer bytes; /* the current frame, encoded as replays store it */
    /* totals of the frames so far */
    uint64_t skipped, carried, translated, written;
    uint64_t orders[IC_PLAYERS_MAX]; /* per player */
    reprise_value *skipped_names;    /* how many orders of each name were left out */
    /* internal */
    ic_translator translator;
    int64_t tick_ms, ticks_per_frame;
    size_t next; /* foreign frame */
    uint64_t frame_orders;
    uint32_t per_player[IC_PLAYERS_MAX]; /* orders in the current frame */
    rp_writer one;
    rp_arena arena;
    rp_doc doc; /* in the arena */
    reprise_error *error;
} ic_foreign_frames;

/* `foreign` must outlive it. Fails if the match is longer than the limit of ticks. */
reprise_status ic_foreign_frames_init(ic_foreign_frames *frames, rp_context *context,
                                      const rp_foreign *foreign, bool lossless,
                                      reprise_error *error);
void ic_foreign_frames_free(ic_foreign_frames *frames); /* may be all zero */

/* Translates the next frame into `bytes`. There are `total_ticks` frames. */
reprise_status ic_foreign_frames_next(ic_foreign_frames *frames, reprise_error *error);
/* The next frame is that of tick 0 again. */
void ic_foreign_frames_rewind(ic_foreign_frames *frames);

/* The state before the first tick; lives as long as the frames. */
reprise_status ic_foreign_start(ic_foreign_frames *frames, ic_snapshot *ret_start,
                                reprise_error *error);
/* The game module of replays of the other game's mod. */
const char *ic_foreign_module(const ic_foreign_frames *frames);
/* The seed of the match; 0 if it is not recorded. */
uint64_t ic_foreign_seed(const ic_foreign_frames *frames);
/* The first tick at which the players' games differed, by the recording; UINT64_MAX: none. */
uint64_t ic_foreign_diverged_at(const ic_foreign_frames *frames);

#endif
