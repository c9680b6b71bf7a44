/* zstd_pack.c - compresses to a sink with libzstd. */
#define ZSTD_STATIC_LINKING_ONLY /* custom allocators */
#include <assert.h>
#include <zstd.h>

#include "packer.h"

/* Input is passed in pieces of this size, so that the output does not depend on the calls. */
enum { PIECE_SIZE = 1 << 17, OUTPUT_SIZE = 1 << 16 };
enum { WINDOW_LOG_MAX = 24, LEVEL_WITH_LARGER_WINDOW = 20 };
/* Of one encoder; two of them and what they read fit the memory for a small input. */
enum { MEMORY_MAX = 16 << 20, TABLE_LOG_LEAST = 18 };

typedef struct zstd_packer {
    rp_packer packer;
    ZSTD_CCtx *state;
    uint8_t *piece, *output;
    size_t piece_size;
} zstd_packer;

static reprise_status encode(zstd_packer *self, bool last, reprise_error *error)
{
    ZSTD_inBuffer in = {self->piece, self->piece_size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {self->output, OUTPUT_SIZE, 0};
        left = ZSTD_compressStream2(self->state, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return rp_codec_no_memory(self->packer.context, "encoding zstd data", error);
        RP_TRY(rp_sink_write(self->packer.sink, self->output, out.pos, error));
    } while (last ? left > 0 : in.pos < in.size);
    self->piece_size = 0;
    return REPRISE_OK;
}

static reprise_status zstd_pack(rp_packer *packer, const void *data, size_t size, bool last,
                                reprise_error *error)
{
    zstd_packer *self = (zstd_packer *)packer;
    const uint8_t *at = data;
    while (size) {
        size_t n = RP_MIN(size, PIECE_SIZE - self->piece_size);
        memcpy(self->piece + self->piece_size, at, n);
        self->piece_size += n;
        at += n;
        size -= n;
        if (self->piece_size == PIECE_SIZE)
            RP_TRY(encode(self, false, error));
    }
    return last ? encode(self, true, error) : REPRISE_OK;
}

static void zstd_pack_free(rp_packer *packer)
{
    zstd_packer *self = (zstd_packer *)packer;
    ZSTD_freeCCtx(self->state);
    rp_free(packer->context, self->piece, PIECE_SIZE);
    rp_free(packer->context, self->output, OUTPUT_SIZE);
    rp_free(packer->context, self, sizeof *self);
}

/*
 * The parameters of a level, reduced to the memory available for any input: tables shrink before
 * the window does. Without this, high levels use up to 700 MiB even for a file of a few bytes.
 */
static ZSTD_compressionParameters parameters_of(int level, bool long_range)
{
    ZSTD_compressionParameters p = ZSTD_getCParams(level, ZSTD_CONTENTSIZE_UNKNOWN, 0);
    if (long_range || level >= LEVEL_WITH_LARGER_WINDOW)
        p.windowLog = WINDOW_LOG_MAX;
    while (ZSTD_estimateCStreamSize_usingCParams(p) > MEMORY_MAX) {
        if (p.chainLog >= p.hashLog && p.chainLog > TABLE_LOG_LEAST)
            p.chainLog--;
        else if (p.hashLog > TABLE_LOG_LEAST)
            p.hashLog--;
        else
            p.windowLog--;
    }
    return p;
}

static bool set_up(ZSTD_CCtx *state, int level, bool long_range)
{
    ZSTD_compressionParameters p = parameters_of(level, long_range);
    size_t codes[] = {
        ZSTD_CCtx_setParameter(state, ZSTD_c_compressionLevel, level),
        ZSTD_CCtx_setParameter(state, ZSTD_c_windowLog, (int)p.windowLog),
        ZSTD_CCtx_setParameter(state, ZSTD_c_hashLog, (int)p.hashLog),
        ZSTD_CCtx_setParameter(state, ZSTD_c_chainLog, (int)p.chainLog),
        ZSTD_CCtx_setParameter(state, ZSTD_c_enableLongDistanceMatching, long_range),
    };
    bool ok = true;
    for (size_t i = 0; i < RP_COUNT(codes); i++)
        ok = ok && !ZSTD_isError(codes[i]);
    return ok;
}

reprise_status rp_packer_open_zstd(rp_context *context, rp_sink *sink, int level, bool long_range,
                                   rp_packer **ret_packer, reprise_error *error)
{
    static const rp_packer_ops ops = {.pack = zstd_pack, .free = zstd_pack_free};
    assert(level >= 0 && level <= RP_ZSTD_LEVEL_MAX);
    zstd_packer *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self)
        return error->status;
    self->packer = (rp_packer){.ops = &ops, .context = context, .sink = sink};
    self->piece = rp_alloc(context, PIECE_SIZE, error);
    self->output = rp_alloc(context, OUTPUT_SIZE, error);
    ZSTD_customMem memory = {rp_codec_alloc, rp_codec_free, context};
    self->state = ZSTD_createCCtx_advanced(memory);
    if (!self->state || !set_up(self->state, level, long_range))
        rp_codec_no_memory(context, "encoding zstd data", error);
    if (error->status != REPRISE_OK) {
        zstd_pack_free(&self->packer);
        return error->status;
    }
    *ret_packer = &self->packer;
    return REPRISE_OK;
}

/*
 * Frame header: magic, descriptor, window, content size (RFC 8878, 3.1.1.1). Blocks do not depend
 * on it, so adding the size later gives the frame that a pledged size would have given.
 */
size_t rp_zstd_sized_head(const uint8_t *frame, size_t size, uint64_t content_size,
                          uint8_t *ret_head, size_t *ret_size)
{
    enum {
        HEAD = 6,
        DESCRIPTOR = 4,
        SINGLE_SEGMENT = 1 << 5,
        SIZE_U32 = 2 << 6,
        SIZE_U64 = 3 << 6
    };
    *ret_size = 0;
    if (size < HEAD || frame[DESCRIPTOR] & (SIZE_U64 | SINGLE_SEGMENT))
        return 0; /* already has the size */
    bool wide = content_size > UINT32_MAX;
    memcpy(ret_head, frame, HEAD);
    ret_head[DESCRIPTOR] |= wide ? SIZE_U64 : SIZE_U32;
    rp_store32(ret_head + HEAD, (uint32_t)content_size);
    if (wide)
        rp_store32(ret_head + HEAD + 4, (uint32_t)(content_size >> 32));
    *ret_size = HEAD + (wide ? 8 : 4);
    return HEAD;
}
