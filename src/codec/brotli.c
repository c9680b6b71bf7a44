/*
 * brotli.c - brotli data as a stream, decoded by libbrotlidec.
 *
 * The decoder returns output when its window is full or its input is used up, and an error discards
 * output it has not returned. So input is passed in pieces: small ones first, for readers that only
 * want the start, then larger ones for speed. If a piece is damaged, the data is decoded again from
 * the start and that piece byte by byte, which gives everything before the damage. Input that
 * cannot be rewound is passed in small pieces only.
 */
#include <brotli/decode.h>

#include "unpacker.h"

enum { PIECE_FIRST = 1 << 12, PIECE_MAX = 1 << 16, PIECE_ONCE = 1 << 9 };

typedef struct brotli {
    rp_unpacker unpacker;
    BrotliDecoderState *state;
    size_t piece; /* size of the next piece */
    bool again;   /* decoding again after damage */
    /* While decoding again: */
    uint64_t given;   /* output already returned the first time that is still to be skipped */
    uint64_t damaged; /* offset of the damaged piece in the input */
} brotli;

static reprise_status no_memory(const brotli *self, reprise_error *error)
{
    return rp_codec_no_memory(self->unpacker.stream.context, "decoding brotli data", error);
}

static reprise_status open_state(brotli *self, reprise_error *error)
{
    self->state = BrotliDecoderCreateInstance(rp_codec_alloc, rp_codec_free,
                                              self->unpacker.stream.context);
    return self->state ? REPRISE_OK : no_memory(self, error);
}

static void close_state(brotli *self)
{
    if (self->state)
        BrotliDecoderDestroyInstance(self->state);
    self->state = NULL;
}

/* ---- pieces ---- */

static uint64_t input_offset(const rp_unpacker *unpacker)
{
    return unpacker->filled - unpacker->left;
}

static size_t piece_size(brotli *self)
{
    size_t left = self->unpacker.left;
    if (!self->again) {
        size_t size = RP_MIN(left, self->piece);
        if (self->piece >= PIECE_FIRST)
            self->piece = RP_MIN(self->piece * 2, (size_t)PIECE_MAX);
        return size;
    }
    uint64_t offset = input_offset(&self->unpacker);
    uint64_t sound = offset < self->damaged ? self->damaged - offset : 1;
    return (size_t)RP_MIN((uint64_t)left, sound);
}

/* Decodes the next piece of the input into the decoder's window. */
static BrotliDecoderResult feed(brotli *self)
{
    rp_unpacker *unpacker = &self->unpacker;
    size_t piece = piece_size(self), rest = unpacker->left - piece, no_room = 0;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(self->state, &piece, &unpacker->at,
                                                               &no_room, NULL, NULL);
    unpacker->left = rest + piece;
    return result;
}

static reprise_status more_input(rp_unpacker *unpacker, reprise_error *error)
{
    if (unpacker->left == 0)
        RP_TRY(rp_unpacker_fill(unpacker, error));
    return unpacker->left ? REPRISE_OK : rp_unpacker_short(unpacker, error);
}

/* ---- damage ---- */

/* Decodes again if that may give more; else reports the damage. */
static reprise_status handle_failure(brotli *self, uint64_t piece_offset, reprise_error *error)
{
    rp_unpacker *unpacker = &self->unpacker;
    BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(self->state);
    if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
        code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES)
        return no_memory(self, error);
    if (self->again || self->piece < PIECE_FIRST || !rp_stream_rewind(unpacker->input))
        return rp_unpacker_damaged(unpacker, code, BrotliDecoderErrorString(code), error);
    self->again = true;
    self->given = unpacker->stream.offset;
    self->damaged = piece_offset;
    unpacker->left = 0;
    unpacker->filled = 0;
    close_state(self);
    return open_state(self, error);
}

/* ---- output ---- */

/* Returns decoded bytes in the decoder's window, at most `max` (0: all); none at the end. */
static reprise_status next_output(brotli *self, size_t max, const uint8_t **ret_data,
                                  size_t *ret_size, reprise_error *error)
{
    rp_unpacker *unpacker = &self->unpacker;
    for (;;) {
        uint64_t offset = input_offset(unpacker);
        BrotliDecoderResult result = feed(self);
        if (result == BROTLI_DECODER_RESULT_ERROR) {
            RP_TRY(handle_failure(self, offset, error));
            continue;
        }
        size_t n = self->given ? (size_t)RP_MIN(self->given, (uint64_t)SIZE_MAX) : max;
        const uint8_t *data = BrotliDecoderTakeOutput(self->state, &n);
        if (self->given && n) {
            self->given -= n;
            continue;
        }
        if (n || result == BROTLI_DECODER_RESULT_SUCCESS) {
            *ret_data = n ? data : (const uint8_t *)"";
            *ret_size = n;
            return REPRISE_OK;
        }
        RP_TRY(more_input(unpacker, error));
    }
}

static reprise_status brotli_decode(rp_unpacker *unpacker, uint8_t *to, size_t size,
                                    size_t *ret_size, reprise_error *error)
{
    const uint8_t *data;
    RP_TRY(next_output((brotli *)unpacker, size, &data, ret_size, error));
    memcpy(to, data, *ret_size);
    return REPRISE_OK;
}

/* Lends the window itself, which saves a copy of all output. */
static reprise_status brotli_lend(rp_unpacker *unpacker, const uint8_t **ret_data, size_t *ret_size,
                                  reprise_error *error)
{
    return next_output((brotli *)unpacker, 0, ret_data, ret_size, error);
}

static void brotli_free(rp_unpacker *unpacker)
{
    close_state((brotli *)unpacker);
}

reprise_status rp_stream_open_brotli(rp_stream *input, const char *name, uint64_t ratio_max,
                                     rp_stream **ret_stream, reprise_error *error)
{
    static const rp_unpacker_ops ops = {
        .codec = "brotli", .decode = brotli_decode, .lend = brotli_lend, .free = brotli_free};
    brotli *self = rp_unpacker_new(input, name, ratio_max, &ops, sizeof *self, error);
    if (!self)
        return error->status;
    self->piece = input->offset == 0 && rp_stream_rewind(input) ? PIECE_FIRST : PIECE_ONCE;
    if (open_state(self, error) != REPRISE_OK) {
        rp_stream_close(&self->unpacker.stream);
        return error->status;
    }
    *ret_stream = &self->unpacker.stream;
    return REPRISE_OK;
}
