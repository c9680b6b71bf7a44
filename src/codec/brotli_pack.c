/* brotli_pack.c - brotli data into a sink, encoded by libbrotlienc. */
#include <assert.h>
#include <brotli/encode.h>

#include "packer.h"

enum {
    WINDOW_BITS = 22,
    /*
     * Told to the encoder always, because it would otherwise take the size of the first piece and
     * choose by it, and the output would depend on how the input was cut.
     */
    SIZE_HINT = 1 << 24,
};

typedef struct brotli_packer {
    rp_packer packer;
    BrotliEncoderState *state;
} brotli_packer;

static reprise_status brotli_pack(rp_packer *packer, const void *data, size_t size, bool last,
                                  reprise_error *error)
{
    brotli_packer *self = (brotli_packer *)packer;
    const uint8_t *at = data;
    BrotliEncoderOperation operation = last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    do {
        size_t no_room = 0;
        if (!BrotliEncoderCompressStream(self->state, operation, &size, &at, &no_room, NULL, NULL))
            return rp_error_set(error, REPRISE_E_NOMEM, "no memory for encoding brotli data");
        size_t n = 0;
        const uint8_t *made = BrotliEncoderTakeOutput(self->state, &n);
        if (n)
            RP_TRY(rp_sink_write(packer->sink, made, n, error));
    } while (size || BrotliEncoderHasMoreOutput(self->state) ||
             (last && !BrotliEncoderIsFinished(self->state)));
    return REPRISE_OK;
}

static void brotli_pack_free(rp_packer *packer)
{
    brotli_packer *self = (brotli_packer *)packer;
    if (self->state)
        BrotliEncoderDestroyInstance(self->state);
    rp_free(packer->context, self, sizeof *self);
}

reprise_status rp_packer_open_brotli(rp_context *context, rp_sink *sink, int level,
                                     rp_packer **ret_packer, reprise_error *error)
{
    static const rp_packer_ops ops = {.pack = brotli_pack, .free = brotli_pack_free};
    assert(level >= 0 && level <= RP_BROTLI_LEVEL_MAX);
    brotli_packer *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self)
        return error->status;
    self->packer = (rp_packer){.ops = &ops, .context = context, .sink = sink};
    self->state = BrotliEncoderCreateInstance(rp_codec_alloc, rp_codec_free, context);
    if (!self->state) {
        brotli_pack_free(&self->packer);
        return rp_error_set(error, REPRISE_E_NOMEM, "no memory for encoding brotli data");
    }
    BrotliEncoderSetParameter(self->state, BROTLI_PARAM_QUALITY, (uint32_t)level);
    BrotliEncoderSetParameter(self->state, BROTLI_PARAM_LGWIN, WINDOW_BITS);
    BrotliEncoderSetParameter(self->state, BROTLI_PARAM_SIZE_HINT, SIZE_HINT);
    *ret_packer = &self->packer;
    return REPRISE_OK;
}
