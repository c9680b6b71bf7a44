/*
 * hashes.h - whether recorded hashes fit each other: every frame has one of the state before its
 * orders, and keyframes and signatures have that state, or its hash, once more.
 */
#ifndef IRONCURTAIN_READ_HASHES_H
#define IRONCURTAIN_READ_HASHES_H

#include "ironcurtain/wire/state.h"

typedef struct ic_hashes {
    uint64_t frames;                 /* that have a hash */
    uint64_t compared, differences;  /* with keyframes and signatures */
    uint64_t first_tick;             /* of a difference, if there is any */
    uint64_t frame_tick, frame_hash; /* of the last frame */
    bool any_frame;
    uint64_t waiting_tick, waiting[2]; /* hashes whose frame has not come yet */
    size_t waiting_count;
} ic_hashes;

/* How many hashes were compared by this, and how many of them differ. */
typedef struct ic_hashes_found {
    unsigned compared, differences;
} ic_hashes_found;

/* A frame; 0 is a hash that was not recorded. */
ic_hashes_found ic_hashes_frame(ic_hashes *hashes, uint64_t tick, uint64_t hash);
/* The state of a keyframe, or the hash that was signed, at most two for a tick. */
ic_hashes_found ic_hashes_state(ic_hashes *hashes, uint64_t tick, const uint8_t hash[IC_HASH_SIZE]);

#endif
