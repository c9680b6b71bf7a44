/*
 * zstd.c - zstd data as a stream, decoded by libzstd.
 *
 * Everything a one-shot decoder accepts is accepted: frames in a row, skippable frames, checksums,
 * frames that do not tell their size. The data ends where the input does.
 */
#define ZSTD_STATIC_LINKING_ONLY /* for decoders that allocate through the context */
#include <zstd.h>
#include <zstd_errors.h>

#include "unpacker.h"

/* A block of at most 128 KiB takes at least four bytes: a bound on what a number may claim. */
enum { BLOCK_SIZE_MAX = 1 << 17, BLOCK_STORED_MIN = 4, WINDOW_LOG_MAX = 31 };

typedef struct zstd {
    rp_unpacker unpacker;
    ZSTD_DCtx *state;
    bool inside; /* a frame has begun and not ended */
} zstd;

static ZSTD_customMem memory_of(rp_context *context)
{
    return (ZSTD_customMem){rp_codec_alloc, rp_codec_free, context};
}

static reprise_status zstd_failure(const zstd *self, size_t code, reprise_error *error)
{
    ZSTD_ErrorCode number = ZSTD_getErrorCode(code);
    if (number == ZSTD_error_memory_allocation)
        return rp_error_set(error, REPRISE_E_NOMEM, "no memory for decoding zstd data");
    return rp_unpacker_damaged(&self->unpacker, (int)number, ZSTD_getErrorName(code), error);
}

static reprise_status zstd_decode(rp_unpacker *unpacker, uint8_t *to, size_t size, size_t *ret_size,
                                  reprise_error *error)
{
    zstd *self = (zstd *)unpacker;
    ZSTD_outBuffer out = {to, size, 0};
    for (;;) {
        ZSTD_inBuffer in = {unpacker->at, unpacker->left, 0};
        size_t code = ZSTD_decompressStream(self->state, &out, &in);
        unpacker->at += in.pos;
        unpacker->left -= in.pos;
        if (ZSTD_isError(code))
            return zstd_failure(self, code, error);
        if (in.pos || out.pos)
            self->inside = code != 0;
        if (out.pos) {
            *ret_size = out.pos;
            return REPRISE_OK;
        }
        if (unpacker->left)
            continue;
        RP_TRY(rp_unpacker_fill(unpacker, error));
        if (unpacker->left == 0) {
            *ret_size = 0;
            return self->inside ? rp_unpacker_short(unpacker, error) : REPRISE_OK;
        }
    }
}

static void zstd_free(rp_unpacker *unpacker)
{
    ZSTD_freeDCtx(((zstd *)unpacker)->state);
}

reprise_status rp_stream_open_zstd(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error)
{
    static const rp_unpacker_ops ops = {.codec = "zstd", .decode = zstd_decode, .free = zstd_free};
    zstd *self = rp_unpacker_new(input, name, ratio_max, &ops, sizeof *self, error);
    if (!self)
        return error->status;
    self->state = ZSTD_createDCtx_advanced(memory_of(input->context));
    /* A frame in one segment has a window as large as itself: only the memory limit is in force. */
    if (!self->state ||
        ZSTD_isError(ZSTD_DCtx_setParameter(self->state, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
        rp_error_set(error, REPRISE_E_NOMEM, "no memory for decoding zstd data");
        rp_stream_close(&self->unpacker.stream);
        return error->status;
    }
    *ret_stream = &self->unpacker.stream;
    return REPRISE_OK;
}

bool rp_zstd_plausible(uint64_t stored_size, uint64_t size)
{
    return size / BLOCK_SIZE_MAX <= stored_size / BLOCK_STORED_MIN;
}
