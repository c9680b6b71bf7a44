/*
 * duel_rumble_write.c - a RUMBLE replay written again, row by row, against the Brotli encoder alone
 * at the same quality and window on the bytes that come out. Our side also reads the rows.
 *
 * usage: duel_rumble_write NAME FILE
 */
#include "decode_all.h"
#include "packer.h"
#include "rumble/rumble.h"

enum { QUALITY = 5 }; /* the default */

typedef struct bout {
    opened opened;
    uint8_t *stream; /* decompressed */
    size_t stream_size;
} bout;

/* Somewhere to write to that costs nothing. */
static int forget(void *ctx, const void *data, size_t size)
{
    (void)data;
    *(size_t *)ctx += size;
    return 0;
}

static reprise_status write_rows(rp_replay *replay, rp_sink *sink, reprise_error *error)
{
    const rp_format *format = replay->format;
    rp_write_options options = {.layout = replay->layout, .level = QUALITY};
    rp_encoder *encoder = NULL;
    rp_decoder *decoder = NULL;
    reprise_status status = rp_encoder_open(replay->context, format, &options,
                                            ((const rumble_replay *)replay)->header, replay, sink,
                                            &encoder, error);
    if (status == REPRISE_OK)
        status = rp_decoder_open(replay, (rp_selection){.tracks = UINT64_MAX}, &decoder, error);
    while (status == REPRISE_OK && (status = rp_decoder_next(decoder, error)) == REPRISE_OK)
        status = format->write->rows(encoder, &decoder->batch, error);
    if (status == REPRISE_END)
        status = format->write->end(encoder, error);
    rp_decoder_close(decoder);
    rp_encoder_close(encoder);
    return status;
}

static size_t write_again(void *ctx)
{
    bout *b = ctx;
    size_t made = 0;
    reprise_sink callback = {.ctx = &made, .write = forget};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_sink *sink = NULL;
    reprise_status status = rp_sink_open_callback(&b->opened.context, &callback, &sink, &error);
    if (status == REPRISE_OK)
        status = write_rows(b->opened.replay, sink, &error);
    rp_sink_close(sink);
    return status == REPRISE_OK ? made : 0;
}

static size_t encode_alone(void *ctx)
{
    bout *b = ctx;
    size_t made = 0;
    reprise_sink callback = {.ctx = &made, .write = forget};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_sink *sink = NULL;
    rp_packer *packer = NULL;
    reprise_status status = rp_sink_open_callback(&b->opened.context, &callback, &sink, &error);
    if (status == REPRISE_OK)
        status = rp_packer_open_brotli(&b->opened.context, sink, QUALITY, RP_BROTLI_WINDOW, &packer,
                                       &error);
    if (status == REPRISE_OK)
        status = rp_packer_write(packer, b->stream, b->stream_size, &error);
    if (status == REPRISE_OK)
        status = rp_packer_finish(packer, &error);
    rp_packer_close(packer);
    rp_sink_close(sink);
    return status == REPRISE_OK ? made : 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: duel_rumble_write NAME FILE\n");
        return 2;
    }
    bout b = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    open_replay(argv[2], "rumble", &b.opened);
    rp_replay *replay = b.opened.replay;
    reprise_status status = replay->format->read->stream_open(replay, 0, &stream, &error);
    if (status == REPRISE_OK)
        status = rp_stream_read_all(stream, SIZE_MAX, "memory", &b.stream, &b.stream_size, &error);
    if (status != REPRISE_OK) {
        fprintf(stderr, "%s: %s\n", argv[2], error.message);
        return 1;
    }
    duel(argv[1], write_again, encode_alone, &b);
    rp_stream_close(stream);
    rp_free(&b.opened.context, b.stream, b.stream_size);
    close_replay(&b.opened);
    return 0;
}
