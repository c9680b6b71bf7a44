/*
 * unpacker.h - what all decompressing streams share: getting at the input, keeping the limits,
 * telling failures. A codec adds how to decode, and nothing else.
 */
#ifndef RP_UNPACKER_H
#define RP_UNPACKER_H

#include "stream.h"

typedef struct rp_unpacker rp_unpacker;

typedef struct rp_unpacker_ops {
    const char *codec; /* in messages: "damaged brotli data" */
    /*
     * Decodes up to `size` bytes from at/left, calling rp_unpacker_fill when they run out, but only
     * while nothing was decoded yet, because that may fail. *ret_size = 0 means the end.
     */
    reprise_status (*decode)(rp_unpacker *unpacker, uint8_t *to, size_t size, size_t *ret_size,
                             reprise_error *error);
    /* The same into the codec's own memory; NULL if it has none to show. */
    reprise_status (*lend)(rp_unpacker *unpacker, const uint8_t **ret_data, size_t *ret_size,
                           reprise_error *error);
    void (*free)(rp_unpacker *unpacker); /* the codec's state; must bear a half-made one */
} rp_unpacker_ops;

/* The first member of every codec's own struct. */
struct rp_unpacker {
    rp_stream stream;
    const rp_unpacker_ops *ops;
    rp_stream *input;  /* owned */
    const uint8_t *at; /* input that is not decoded yet; the codec steps over it */
    size_t left;
    uint64_t filled; /* all input so far, with what is left */
    uint64_t ratio_max;
    uint8_t *buffer;         /* for inputs that do not lend */
    size_t struct_size;      /* of the codec's struct */
    reprise_status standing; /* the failure that stands */
};

/* Zeroed memory of `struct_size` bytes with the common part filled in; closes `input` if it fails.
 */
void *rp_unpacker_new(rp_stream *input, const char *name, uint64_t ratio_max,
                      const rp_unpacker_ops *ops, size_t struct_size, reprise_error *error);

/* Gets more input: at/left, which must be used up. left = 0 afterwards means the input's end. */
reprise_status rp_unpacker_fill(rp_unpacker *unpacker, reprise_error *error);

/* The failure of a codec that needs more input than there is. */
reprise_status rp_unpacker_short(const rp_unpacker *unpacker, reprise_error *error);

/* The failure of a codec: its own number and its own word for it. */
reprise_status rp_unpacker_damaged(const rp_unpacker *unpacker, int cause, const char *what,
                                   reprise_error *error);

/* The rp_stream_finish of any stream whose end is worth reading. */
reprise_status rp_stream_drain(rp_stream *stream, reprise_error *error);

/*
 * The limits on one stream: `given` bytes came out of `taken`. The ratio counts only above 16 MiB,
 * because small data may be as repetitive as it likes.
 */
reprise_status rp_decoded_limit(const rp_context *context, uint64_t given, uint64_t taken,
                                uint64_t ratio_max, reprise_error *error);

#endif
