/*
 * packer.h - compressors that write to a sink; the counterpart of the decompressing streams.
 *
 * The output depends only on the bytes and the level, not on how they are divided into calls, so
 * writing the same content twice gives the same file. Memory is bounded by the codec's window.
 */
#ifndef RP_PACKER_H
#define RP_PACKER_H

#include "reprise/write.h"
#include "sink.h"

typedef struct rp_packer rp_packer;

typedef struct rp_packer_ops {
    /* Compresses more; `last` ends the stream. */
    reprise_status (*pack)(rp_packer *packer, const void *data, size_t size, bool last,
                           reprise_error *error);
    void (*free)(rp_packer *packer);
} rp_packer_ops;

struct rp_packer {
    const rp_packer_ops *ops;
    rp_context *context;
    rp_sink *sink; /* not owned */
};

enum {
    RP_BROTLI_LEVEL_MAX = 11,
    RP_DEFLATE_LEVEL_MAX = 9,
    RP_ZSTD_LEVEL_MAX = 22,
};

/* The codec's levels for the named levels, for one use of a codec. */
typedef struct rp_levels {
    int fastest, balanced, compact, max;
} rp_levels;

/* Converts a level given by the user, named or numeric, to the codec's level. */
reprise_status rp_packer_level(const rp_levels *levels, int asked, int *ret_level,
                               reprise_error *error);

enum {
    /* The encoder uses about ten times its window; a writer may use 64 MiB in total. */
    RP_BROTLI_WINDOW = 20,
    RP_BROTLI_WINDOW_MIN = 16,
    RP_BROTLI_WINDOW_MAX = 22,
};

/* Levels are the codec's own and must be in range. The window has 2^window_bits bytes. */
reprise_status rp_packer_open_brotli(rp_context *context, rp_sink *sink, int level, int window_bits,
                                     rp_packer **ret_packer, reprise_error *error);
reprise_status rp_packer_open_gzip(rp_context *context, rp_sink *sink, int level,
                                   rp_packer **ret_packer, reprise_error *error);
/* Raw deflate without a wrapper, as used in ZIP archives. */
reprise_status rp_packer_open_deflate(rp_context *context, rp_sink *sink, int level,
                                      rp_packer **ret_packer, reprise_error *error);

/*
 * Writes one frame without a checksum. Readers need the window in memory, so it is at most 16 MiB
 * at any level. With `long_range`, all of it is searched for repetitions at any level.
 */
reprise_status rp_packer_open_zstd(rp_context *context, rp_sink *sink, int level, bool long_range,
                                   rp_packer **ret_packer, reprise_error *error);

enum { RP_ZSTD_HEAD_MAX = 14 };
/*
 * Makes a frame header that includes the content size. A streamed frame starts before that size is
 * known and lacks it, but many decoders require it. Takes the first bytes of the frame, gives the
 * bytes to put there instead, and returns how many bytes to replace.
 */
size_t rp_zstd_sized_head(const uint8_t *frame, size_t size, uint64_t content_size,
                          uint8_t *ret_head, size_t *ret_size);

static inline reprise_status rp_packer_write(rp_packer *packer, const void *data, size_t size,
                                             reprise_error *error)
{
    return size ? packer->ops->pack(packer, data, size, false, error) : REPRISE_OK;
}

/* Ends the compressed stream. Nothing may be written afterwards. */
static inline reprise_status rp_packer_finish(rp_packer *packer, reprise_error *error)
{
    return packer->ops->pack(packer, "", 0, true, error);
}

static inline void rp_packer_close(rp_packer *packer)
{
    if (packer)
        packer->ops->free(packer);
}

#endif
