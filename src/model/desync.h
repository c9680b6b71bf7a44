/*
 * desync.h - finds the frames of a match for which two clients sent different sync hashes.
 *
 * Hashes are added as they are read. Clients wait for one another, so the hashes of a frame arrive
 * within a few frames: only RP_DESYNC_WINDOW frames are kept for comparison.
 */
#ifndef RP_DESYNC_H
#define RP_DESYNC_H

#include <stdbool.h>
#include <stdint.h>

enum { RP_DESYNC_WINDOW = 4096 };

typedef struct rp_desync {
    bool found;
    int64_t frame; /* the first that differs */
    int32_t clients[2];
    uint64_t frames; /* that differ */
    uint64_t hashes; /* that were added */
} rp_desync;

/* The first hash of a frame, which the others must equal. */
typedef struct rp_desync_frame {
    int64_t frame;
    uint64_t hash;
    int32_t client;
    bool used;
    bool compared; /* another client sent a hash as well */
    bool differs;
} rp_desync_frame;

/* Starts zeroed. */
typedef struct rp_desync_watch {
    rp_desync_frame frames[RP_DESYNC_WINDOW];
    rp_desync result;
} rp_desync_watch;

/* Returns the state of the frame, valid until the next call. */
const rp_desync_frame *rp_desync_watch_add(rp_desync_watch *watch, int64_t frame, int32_t client,
                                           uint64_t hash);

#endif
