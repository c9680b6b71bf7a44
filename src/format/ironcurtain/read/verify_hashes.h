/*
 * verify_hashes.h - compares recorded hashes with each other: each frame has the sync hash of the
 * state before its orders; keyframes have that state, and signatures its state hash.
 */
#ifndef IRONCURTAIN_READ_VERIFY_HASHES_H
#define IRONCURTAIN_READ_VERIFY_HASHES_H

#include "ironcurtain/wire/state.h"

typedef struct ic_hashes {
    uint64_t frames;                 /* with a hash */
    uint64_t compared, differences;  /* with keyframes and signatures */
    uint64_t first_tick;             /* of the first difference */
    uint64_t frame_tick, frame_hash; /* of the last frame */
    bool any_frame;
    uint64_t waiting_tick, waiting[2]; /* hashes whose frame was not read yet */
    size_t waiting_count;
} ic_hashes;

/* How many hashes a call compared, and how many of them differ. */
typedef struct ic_hashes_found {
    unsigned compared, differences;
} ic_hashes_found;

/* Adds a frame; a hash of 0 was not recorded. */
ic_hashes_found ic_hashes_frame(ic_hashes *hashes, uint64_t tick, uint64_t hash);
/* Adds the state hash of a keyframe or a signature, at most two per tick. */
ic_hashes_found ic_hashes_state(ic_hashes *hashes, uint64_t tick, const uint8_t hash[IC_HASH_SIZE]);

#endif
