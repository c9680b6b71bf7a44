/* brotli.c - brotli data as a stream, decoded by libbrotlidec. */
#include <brotli/decode.h>

#include "unpacker.h"

typedef struct brotli {
    rp_unpacker unpacker;
    BrotliDecoderState *state;
} brotli;

static reprise_status brotli_failure(const brotli *self, reprise_error *error)
{
    BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(self->state);
    if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
        code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
        return rp_codec_no_memory(self->unpacker.stream.context, "decoding brotli data", error);
    return rp_unpacker_damaged(&self->unpacker, code, BrotliDecoderErrorString(code), error);
}

static reprise_status brotli_decode(rp_unpacker *unpacker, uint8_t *to, size_t size,
                                    size_t *ret_size, reprise_error *error)
{
    brotli *self = (brotli *)unpacker;
    for (;;) {
        size_t room = size;
        BrotliDecoderResult result = BrotliDecoderDecompressStream(self->state, &unpacker->left,
                                                                   &unpacker->at, &room, &to, NULL);
        if (room < size || result == BROTLI_DECODER_RESULT_SUCCESS) {
            *ret_size = size - room;
            return REPRISE_OK;
        }
        if (result == BROTLI_DECODER_RESULT_ERROR)
            return brotli_failure(self, error);
        RP_TRY(rp_unpacker_fill(unpacker, error));
        if (unpacker->left == 0)
            return rp_unpacker_short(unpacker, error);
    }
}

/* The decoder's window holds what it decoded last: saves one copy of all output. */
static reprise_status brotli_lend(rp_unpacker *unpacker, const uint8_t **ret_data, size_t *ret_size,
                                  reprise_error *error)
{
    brotli *self = (brotli *)unpacker;
    for (;;) {
        size_t no_room = 0;
        BrotliDecoderResult result = BrotliDecoderDecompressStream(
            self->state, &unpacker->left, &unpacker->at, &no_room, NULL, NULL);
        if (result == BROTLI_DECODER_RESULT_ERROR)
            return brotli_failure(self, error);
        size_t n = 0;
        const uint8_t *data = BrotliDecoderTakeOutput(self->state, &n);
        if (n || result == BROTLI_DECODER_RESULT_SUCCESS) {
            *ret_data = n ? data : (const uint8_t *)"";
            *ret_size = n;
            return REPRISE_OK;
        }
        RP_TRY(rp_unpacker_fill(unpacker, error));
        if (unpacker->left == 0)
            return rp_unpacker_short(unpacker, error);
    }
}

static void brotli_free(rp_unpacker *unpacker)
{
    brotli *self = (brotli *)unpacker;
    if (self->state)
        BrotliDecoderDestroyInstance(self->state);
}

reprise_status rp_stream_open_brotli(rp_stream *input, const char *name, uint64_t ratio_max,
                                     rp_stream **ret_stream, reprise_error *error)
{
    static const rp_unpacker_ops ops = {
        .codec = "brotli", .decode = brotli_decode, .lend = brotli_lend, .free = brotli_free};
    brotli *self = rp_unpacker_new(input, name, ratio_max, &ops, sizeof *self, error);
    if (!self)
        return error->status;
    self->state = BrotliDecoderCreateInstance(rp_codec_alloc, rp_codec_free, input->context);
    if (!self->state) {
        rp_codec_no_memory(input->context, "decoding brotli data", error);
        rp_stream_close(&self->unpacker.stream);
        return error->status;
    }
    *ret_stream = &self->unpacker.stream;
    return REPRISE_OK;
}
