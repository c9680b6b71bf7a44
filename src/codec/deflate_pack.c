/* deflate_pack.c - compresses to a sink as gzip or raw deflate, with zlib. */
#include <assert.h>
#include <zlib.h>

#include "checked.h"
#include "packer.h"

enum {
    GZIP_WINDOW = 15 + 16,
    BARE_WINDOW = -15,
    MEMORY_LEVEL = 8,
    PIECE_SIZE = 1 << 15,
};

typedef struct deflate_packer {
    rp_packer packer;
    z_stream state;
    bool ready;
    uint8_t piece[PIECE_SIZE];
} deflate_packer;

static void *zlib_alloc(void *context, unsigned count, unsigned size)
{
    size_t bytes;
    return rp_mul(count, size, &bytes) ? rp_codec_alloc(context, bytes) : NULL;
}

static reprise_status deflate_pack(rp_packer *packer, const void *data, size_t size, bool last,
                                   reprise_error *error)
{
    deflate_packer *self = (deflate_packer *)packer;
    z_stream *state = &self->state;
    const uint8_t *at = data;
    int result = Z_OK;
    do {
        if (!state->avail_in && size) {
            state->next_in = (Bytef *)(uintptr_t)at;
            state->avail_in = (uInt)RP_MIN(size, (size_t)1 << 30);
            at += state->avail_in;
            size -= state->avail_in;
        }
        state->next_out = self->piece;
        state->avail_out = PIECE_SIZE;
        result = deflate(state, last && !size ? Z_FINISH : Z_NO_FLUSH);
        assert(result != Z_STREAM_ERROR);
        size_t n = PIECE_SIZE - state->avail_out;
        if (n)
            RP_TRY(rp_sink_write(packer->sink, self->piece, n, error));
    } while (size || state->avail_in || !state->avail_out || (last && result != Z_STREAM_END));
    return REPRISE_OK;
}

static void deflate_pack_free(rp_packer *packer)
{
    deflate_packer *self = (deflate_packer *)packer;
    if (self->ready)
        deflateEnd(&self->state);
    rp_free(packer->context, self, sizeof *self);
}

static reprise_status open_zlib(rp_context *context, rp_sink *sink, int level, int window,
                                rp_packer **ret_packer, reprise_error *error)
{
    static const rp_packer_ops ops = {.pack = deflate_pack, .free = deflate_pack_free};
    assert(level >= 0 && level <= RP_DEFLATE_LEVEL_MAX);
    deflate_packer *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self)
        return error->status;
    self->packer = (rp_packer){.ops = &ops, .context = context, .sink = sink};
    self->state.zalloc = zlib_alloc;
    self->state.zfree = rp_codec_free;
    self->state.opaque = context;
    if (deflateInit2(&self->state, level, Z_DEFLATED, window, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        deflate_pack_free(&self->packer);
        return rp_codec_no_memory(context, "deflating", error);
    }
    self->ready = true;
    *ret_packer = &self->packer;
    return REPRISE_OK;
}

reprise_status rp_packer_open_gzip(rp_context *context, rp_sink *sink, int level,
                                   rp_packer **ret_packer, reprise_error *error)
{
    return open_zlib(context, sink, level, GZIP_WINDOW, ret_packer, error);
}

reprise_status rp_packer_open_deflate(rp_context *context, rp_sink *sink, int level,
                                      rp_packer **ret_packer, reprise_error *error)
{
    return open_zlib(context, sink, level, BARE_WINDOW, ret_packer, error);
}
