/*
 * packer.h - compressors: bytes go in, their compressed form goes to a sink. The mirror of the
 * decompressing streams.
 *
 * The output depends on the bytes and the level alone, not on the pieces they came in, so that
 * writing the same twice gives the same file. Memory is bounded by the codec's window.
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

/* What the levels with names mean for one use of a codec. */
typedef struct rp_levels {
    int fastest, balanced, compact, max;
} rp_levels;

/* A level as people ask for it, named or the codec's own number, as the codec's own. */
reprise_status rp_packer_level(const rp_levels *levels, int asked, int *ret_level,
                               reprise_error *error);

enum {
    /* The encoder takes about ten times its window; a writer may hold 64 MiB in all. */
    RP_BROTLI_WINDOW = 20,
    RP_BROTLI_WINDOW_MIN = 16,
    RP_BROTLI_WINDOW_MAX = 22,
};

/* Levels are the codecs' own and must be in range; the window is a power of two. */
reprise_status rp_packer_open_brotli(rp_context *context, rp_sink *sink, int level, int window_bits,
                                     rp_packer **ret_packer, reprise_error *error);
reprise_status rp_packer_open_gzip(rp_context *context, rp_sink *sink, int level,
                                   rp_packer **ret_packer, reprise_error *error);
/* Without any wrapper, as archives have it. */
reprise_status rp_packer_open_deflate(rp_context *context, rp_sink *sink, int level,
                                      rp_packer **ret_packer, reprise_error *error);

/*
 * One frame, without a checksum. Readers need the window in memory, so it is 16 MiB at most
 * whatever the level; with `long_range` repetitions are sought in all of it at any level.
 */
reprise_status rp_packer_open_zstd(rp_context *context, rp_sink *sink, int level, bool long_range,
                                   rp_packer **ret_packer, reprise_error *error);

enum { RP_ZSTD_HEAD_MAX = 14 };
/*
 * The head of such a frame, stating the size of its content. A streamed frame is begun before that
 * size is known and does not state it; many decoders insist on it. Takes the first bytes of the
 * frame, gives the bytes that take their place, and returns how many bytes those replace.
 */
size_t rp_zstd_sized_head(const uint8_t *frame, size_t size, uint64_t content_size,
                          uint8_t *ret_head, size_t *ret_size);

static inline reprise_status rp_packer_write(rp_packer *packer, const void *data, size_t size,
                                             reprise_error *error)
{
    return size ? packer->ops->pack(packer, data, size, false, error) : REPRISE_OK;
}

/* Ends the compressed stream; nothing may follow. */
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
