/*
 * duel_rumble.c - all rows of a RUMBLE replay, against unpacking its stream and doing nothing with
 * it: libbrotlidec for the ZIP layouts, libdeflate for the RGZP ones.
 *
 * Both sides start from the file in memory and take what memory they need by themselves.
 *
 * usage: duel_rumble NAME FILE
 */
#include <brotli/decode.h>
#include <libdeflate.h>

#include "decode_all.h"
#include "rumble/rumble.h"

typedef struct bout {
    opened opened;
    uint8_t *packed; /* the compressed stream */
    size_t packed_size;
    size_t size; /* what it unpacks to */
} bout;

static size_t rows(void *ctx)
{
    bout *b = ctx;
    return decode_all(b->opened.replay);
}

static size_t unbrotli(void *ctx)
{
    const bout *b = ctx;
    size_t made = b->size;
    uint8_t *out = malloc(b->size);
    bool ok = out && BrotliDecoderDecompress(b->packed_size, b->packed, &made, out) ==
                         BROTLI_DECODER_RESULT_SUCCESS;
    free(out);
    return ok ? made : 0;
}

static size_t inflate(void *ctx)
{
    const bout *b = ctx;
    size_t made = 0;
    uint8_t *out = malloc(b->size);
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    bool ok = out && decompressor &&
              libdeflate_gzip_decompress(decompressor, b->packed, b->packed_size, out, b->size,
                                         &made) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(decompressor);
    free(out);
    return ok ? made : 0;
}

/* The compressed stream as it is in the file. */
static reprise_status find_packed(const rumble_replay *replay, rp_stream **ret_stream,
                                  reprise_error *error)
{
    const rp_replay *base = &replay->base;
    if (base->zip)
        return rp_zip_open_entry(base->zip, (size_t)replay->stream_entry, "packed", 0, ret_stream,
                                 error);
    return rp_stream_open_range(base->context, base->source, 12, replay->gzip_size, "packed",
                                ret_stream, error);
}

static reprise_status prepare(bout *b, reprise_error *error)
{
    rp_stream *stream = NULL;
    uint8_t *unpacked = NULL;
    const rumble_replay *replay = (const rumble_replay *)b->opened.replay;
    RP_TRY(find_packed(replay, &stream, error));
    RP_TRY(rp_stream_read_all(stream, SIZE_MAX, "memory", &b->packed, &b->packed_size, error));
    rp_stream_close(stream);
    RP_TRY(find_packed(replay, &stream, error));
    RP_TRY(replay->base.zip ? rp_stream_open_brotli(stream, "unpacked", 0, &stream, error)
                            : rp_stream_open_gzip(stream, "unpacked", 0, &stream, error));
    RP_TRY(rp_stream_read_all(stream, SIZE_MAX, "memory", &unpacked, &b->size, error));
    rp_stream_close(stream);
    rp_free(&b->opened.context, unpacked, b->size);
    return REPRISE_OK;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: duel_rumble NAME FILE\n");
        return 2;
    }
    bout b = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    open_replay(argv[2], "rumble", &b.opened);
    if (prepare(&b, &error) != REPRISE_OK) {
        fprintf(stderr, "%s: %s\n", argv[2], error.message);
        return 1;
    }
    duel(argv[1], rows, b.opened.replay->zip ? unbrotli : inflate, &b);
    rp_free(&b.opened.context, b.packed, b.packed_size);
    close_replay(&b.opened);
    return 0;
}
