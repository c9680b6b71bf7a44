/*
 * anim_keys.h - what moves: values over time, one channel per node and property, reduced while they
 * come in and kept outside memory.
 *
 * Values arrive in the order of time over all channels. Those that interpolation between their
 * neighbours gives back within the tolerance are dropped at once: a channel remembers the last key
 * it kept and which straight lines from it still pass near everything since. Kept keys fill small
 * blocks that go to a spool, so memory depends on the number of channels, not on the length.
 */
#ifndef RP_ANIM_KEYS_H
#define RP_ANIM_KEYS_H

#include "geometry.h"
#include "sink.h"

typedef enum rp_path {
    RP_PATH_PLACE, /* three metres */
    RP_PATH_TURN,  /* quaternion x y z w */
    RP_PATH_SIZE,  /* three factors */
    /* of materials and cameras */
    RP_PATH_PAINT, /* red green blue opacity, in proportion to light */
    RP_PATH_SHIFT, /* of a picture: right and down, in its sizes */
    RP_PATH_FOV,   /* one angle, radians */
} rp_path;

typedef struct rp_anim_key_options {
    bool exact;           /* keep every key */
    double tolerance_m;   /* what a place may be off; sizes too, as factors */
    double tolerance_rad; /* what a turn may be off */
    double samples_per_s; /* 0: at the times of the recording */
} rp_anim_key_options;

enum { RP_ANIM_KEY_VALUES_MAX = 4 };

typedef struct rp_anim_key {
    float time;
    float value[RP_ANIM_KEY_VALUES_MAX];
} rp_anim_key;

typedef struct rp_channel {
    rp_path path;
    bool steps;    /* holds each value until the next key, else interpolates */
    uint64_t seen; /* values that came in */
    uint64_t kept;
    rp_anim_key first; /* of those kept */
    float last_time;
    uint64_t times_hash[2]; /* equal for channels with equal times */
    /* the rest is anim_keys.c's */
    bool any, held, pending;
    rp_anim_key raw;               /* the latest value that came in */
    rp_anim_key anchor, candidate; /* the last key kept, and the one that may follow */
    double low[3], high[3];        /* slopes from the anchor that pass near everything since */
    float *block;
    size_t block_count, block_capacity;
    uint64_t *offsets; /* of full blocks in the spool */
    size_t offset_count, offset_capacity;
} rp_channel;

typedef struct rp_anim_keys {
    rp_context *context;
    rp_sink *spool;
    rp_source *readable; /* the spool, once everything is in it */
    rp_anim_key_options options;
    uint64_t seen, kept;
} rp_anim_keys;

reprise_status rp_anim_keys_init(rp_anim_keys *keys, rp_context *context,
                                 const rp_anim_key_options *options, reprise_error *error);
void rp_anim_keys_free(rp_anim_keys *keys);

static inline size_t rp_path_values(rp_path path)
{
    static const uint8_t values[] = {3, 4, 3, 4, 2, 1}; /* asked for with every key */
    return values[path];
}

void rp_channel_init(rp_channel *channel, rp_path path, bool steps);
void rp_channel_free(rp_anim_keys *keys, rp_channel *channel);

/*
 * A value at a time, which must be later than that of the value before. `before` is the time of the
 * frame before: if the channel was silent then, its last value held until there.
 */
reprise_status rp_channel_put(rp_anim_keys *keys, rp_channel *channel, float before, float time,
                              const float *value, reprise_error *error);
/* The same, but nothing lies between: the last value holds until just before. */
reprise_status rp_channel_jump(rp_anim_keys *keys, rp_channel *channel, float time,
                               const float *value, reprise_error *error);
/* A value from before the part of the recording that is shown: it holds at the start. */
void rp_channel_prime(rp_channel *channel, const float *value);
/* No more values. */
reprise_status rp_channel_end(rp_anim_keys *keys, rp_channel *channel, reprise_error *error);
/* Whether it has more than one value to tell. */
static inline bool rp_channel_moves(const rp_channel *channel)
{
    return channel->kept > 1;
}

/* After all channels have ended: writes kept times or values, little-endian. */
reprise_status rp_channel_write_times(rp_anim_keys *keys, const rp_channel *channel, rp_sink *sink,
                                      reprise_error *error);
reprise_status rp_channel_write_values(rp_anim_keys *keys, const rp_channel *channel, rp_sink *sink,
                                       reprise_error *error);

#endif
