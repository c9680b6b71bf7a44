/*
 * unpacker.h - the common part of all decompressing streams: reading input, enforcing limits,
 * reporting failures. A codec only adds the decoding.
 */
#ifndef RP_UNPACKER_H
#define RP_UNPACKER_H

#include "stream.h"

typedef struct rp_unpacker rp_unpacker;

typedef struct rp_unpacker_ops {
    const char *codec; /* for messages: "damaged brotli data" */
    /*
     * Decodes up to `size` bytes from at/left. Calls rp_unpacker_fill when they run out, but only
     * if nothing was decoded yet, because that may fail. *ret_size = 0 means the end.
     */
    reprise_status (*decode)(rp_unpacker *unpacker, uint8_t *to, size_t size, size_t *ret_size,
                             reprise_error *error);
    /* The same into the codec's own memory; NULL if it has none. */
    reprise_status (*lend)(rp_unpacker *unpacker, const uint8_t **ret_data, size_t *ret_size,
                           reprise_error *error);
    void (*free)(rp_unpacker *unpacker); /* must accept a partly initialised codec */
} rp_unpacker_ops;

/* The first member of every codec's own struct. */
struct rp_unpacker {
    rp_stream stream;
    const rp_unpacker_ops *ops;
    rp_stream *input;  /* owned */
    const uint8_t *at; /* input that is not decoded yet; advanced by the codec */
    size_t left;
    uint64_t filled; /* total input so far, including `left` */
    uint64_t ratio_max;
    uint8_t *buffer;         /* for inputs that do not lend */
    size_t struct_size;      /* of the codec's struct */
    reprise_status standing; /* the first failure */
};

/* Allocates `struct_size` zeroed bytes and fills in the common part. Closes `input` on failure. */
void *rp_unpacker_new(rp_stream *input, const char *name, uint64_t ratio_max,
                      const rp_unpacker_ops *ops, size_t struct_size, reprise_error *error);

/* Reads more input into at/left, which must be used up. left = 0 then means the end of input. */
reprise_status rp_unpacker_fill(rp_unpacker *unpacker, reprise_error *error);

/* Fails because the codec needs more input than there is. */
reprise_status rp_unpacker_short(const rp_unpacker *unpacker, reprise_error *error);

/* Fails because of damage, with the codec's error number and message. */
reprise_status rp_unpacker_damaged(const rp_unpacker *unpacker, int cause, const char *what,
                                   reprise_error *error);

/* An rp_stream_finish that reads to the end. */
reprise_status rp_stream_drain(rp_stream *stream, reprise_error *error);

/*
 * Checks the limits of a stream that decoded `given` bytes from `taken`. The ratio is checked only
 * above 16 MiB, because small data may be highly repetitive.
 */
reprise_status rp_decoded_limit(const rp_context *context, uint64_t given, uint64_t taken,
                                uint64_t ratio_max, reprise_error *error);

#endif
