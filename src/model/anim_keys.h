/*
 * anim_keys.h - animation keys: values over time, one channel per node and property.
 *
 * Values arrive in time order over all channels and are reduced at once: a value is dropped if
 * interpolation between its neighbours reproduces it within the tolerance. A channel remembers the
 * last key it kept and the range of slopes from it that pass near all values since. Keys are
 * written to a spool in small blocks, so memory depends on the number of channels, not on the
 * duration.
 */
#ifndef RP_ANIM_KEYS_H
#define RP_ANIM_KEYS_H

#include "geometry.h"
#include "sink.h"

typedef enum rp_channel_kind {
    RP_CHANNEL_POSITION, /* x y z, metres */
    RP_CHANNEL_ROTATION, /* quaternion x y z w */
    RP_CHANNEL_SIZE,     /* three factors */
    /* of materials and cameras */
    RP_CHANNEL_PAINT, /* red green blue opacity, linear */
    RP_CHANNEL_SHIFT, /* of a texture: right and down, in texture sizes */
    RP_CHANNEL_FOV,   /* radians */
} rp_channel_kind;

typedef struct rp_anim_key_options {
    bool exact;           /* keep every key */
    double tolerance_m;   /* error of positions; also of sizes, as factors */
    double tolerance_rad; /* error of rotations */
    double samples_per_s; /* 0: the times of the recording */
} rp_anim_key_options;

enum { RP_ANIM_KEY_VALUES_MAX = 4 };

typedef struct rp_anim_key {
    float time;
    float value[RP_ANIM_KEY_VALUES_MAX];
} rp_anim_key;

typedef struct rp_channel {
    rp_channel_kind kind;
    bool steps;    /* hold each value until the next key instead of interpolating */
    uint64_t seen; /* number of values added */
    uint64_t kept;
    rp_anim_key first; /* the first kept key */
    float last_time;
    uint64_t times_hash[2]; /* equal for channels with equal times */
    /* private to anim_keys.c */
    bool any, held, pending;
    rp_anim_key raw;                     /* the latest value added */
    float given[RP_ANIM_KEY_VALUES_MAX]; /* `raw` as it was given; not finite: was mended */
    rp_anim_key anchor, candidate;       /* the last kept key, and the next candidate */
    double change[3];                    /* from the anchor to the candidate */
    double low[3], high[3]; /* slopes from the anchor that pass near all values since */
    float *block;
    size_t block_count, block_capacity;
    uint64_t *offsets; /* of full blocks in the spool */
    size_t offset_count, offset_capacity;
} rp_channel;

typedef struct rp_anim_keys {
    rp_context *context;
    rp_sink *spool;
    rp_source *readable; /* the complete spool */
    rp_anim_key_options options;
    uint64_t seen, kept;
} rp_anim_keys;

reprise_status rp_anim_keys_init(rp_anim_keys *keys, rp_context *context,
                                 const rp_anim_key_options *options, reprise_error *error);
void rp_anim_keys_free(rp_anim_keys *keys);

static inline size_t rp_channel_values(rp_channel_kind kind)
{
    static const uint8_t values[] = {3, 4, 3, 4, 2, 1}; /* by rp_channel_kind */
    return values[kind];
}

void rp_channel_init(rp_channel *channel, rp_channel_kind kind, bool steps);
void rp_channel_free(rp_anim_keys *keys, rp_channel *channel);

/*
 * Adds a value at a time later than that of the last value. `before` is the time of the previous
 * frame: if the channel got no value then, its last value holds until `before`.
 */
reprise_status rp_channel_put(rp_anim_keys *keys, rp_channel *channel, float before, float time,
                              const float *value, reprise_error *error);
/* The same without interpolation: the last value holds until just before `time`. */
reprise_status rp_channel_jump(rp_anim_keys *keys, rp_channel *channel, float time,
                               const float *value, reprise_error *error);
/* Sets the initial value, from before the part of the recording that is shown. */
void rp_channel_prime(rp_channel *channel, const float *value);
/* Ends the channel. */
reprise_status rp_channel_end(rp_anim_keys *keys, rp_channel *channel, reprise_error *error);
/* Whether it has more than one key. */
static inline bool rp_channel_moves(const rp_channel *channel)
{
    return channel->kept > 1;
}

/* Write the times or values of the kept keys, little-endian. All channels must have ended. */
reprise_status rp_channel_write_times(rp_anim_keys *keys, const rp_channel *channel, rp_sink *sink,
                                      reprise_error *error);
reprise_status rp_channel_write_values(rp_anim_keys *keys, const rp_channel *channel, rp_sink *sink,
                                       reprise_error *error);

#endif
