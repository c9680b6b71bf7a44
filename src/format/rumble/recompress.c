/* recompress.c - the same stream at another level; everything around it is copied. */
#include "write.h"

static reprise_status pump(rp_stream *from, rp_packer *to, reprise_error *error)
{
    uint8_t piece[1 << 15];
    for (;;) {
        size_t n;
        RP_TRY(rp_stream_read(from, piece, sizeof piece, &n, error));
        if (!n)
            return rp_packer_finish(to, error);
        RP_TRY(rp_packer_write(to, piece, n, error));
    }
}

static reprise_status measure(rp_replay *replay, uint64_t *ret_size, reprise_error *error)
{
    uint8_t piece[1 << 15];
    rp_stream *stream = NULL;
    RP_TRY(replay->format->read->stream_open(replay, 0, &stream, error));
    reprise_status status = REPRISE_OK;
    for (size_t n = 1; n && status == REPRISE_OK;)
        status = rp_stream_read(stream, piece, sizeof piece, &n, error);
    *ret_size = stream->offset;
    rp_stream_close(stream);
    return status;
}

/* The largest useful window that memory allows. */
static int window_for(uint64_t size, uint64_t memory)
{
    enum { MEMORY_OF_WINDOW = 20 }; /* times its size, at the best level */
    int bits = RP_BROTLI_WINDOW_MIN;
    while (bits < RP_BROTLI_WINDOW_MAX && size >> bits && memory >> (bits + 1) >= MEMORY_OF_WINDOW)
        bits++;
    return bits;
}

/* The decompressed stream, packed anew into a spool. */
static reprise_status repack(rp_replay *replay, int level, bool smallest, rp_sink *spool,
                             uint64_t *ret_size, reprise_error *error)
{
    rp_stream *stream = NULL;
    rp_packer *packer = NULL;
    int window = RP_BROTLI_WINDOW;
    if (smallest && replay->zip) {
        uint64_t size = 0;
        RP_TRY(measure(replay, &size, error));
        window = window_for(size, replay->context->memory_max);
    }
    RP_TRY(replay->format->read->stream_open(replay, 0, &stream, error));
    reprise_status status = replay->zip ? rp_packer_open_brotli(replay->context, spool, level,
                                                                window, &packer, error)
                                        : rp_packer_open_gzip(replay->context, spool, level,
                                                              &packer, error);
    if (status == REPRISE_OK)
        status = pump(stream, packer, error);
    *ret_size = stream->offset;
    rp_packer_close(packer);
    rp_stream_close(stream);
    return status;
}

/* Copies all members in their order, except for the stream. */
static reprise_status copy_archive(rumble_replay *replay, rp_source *stream, rp_zip_writer *zip,
                                   reprise_error *error)
{
    rp_replay *base = &replay->base;
    for (size_t i = 0; i < base->blob_count; i++) {
        if ((int64_t)i == replay->stream_entry) {
            RP_TRY(rp_zip_add_stored(zip, base->blobs[i].name, stream, error));
            continue;
        }
        rp_stream *content = NULL;
        RP_TRY(base->format->read->blob_open(base, i, &content, error));
        reprise_status status = rp_zip_add_stream(zip, base->blobs[i].name, content, error);
        rp_stream_close(content);
        RP_TRY(status);
    }
    return rp_zip_finish(zip, error);
}

reprise_status rumble_recompress(rp_replay *base, const rp_write_options *options, rp_sink *sink,
                                 reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)base;
    int level = 0;
    const rp_levels *levels = rumble_levels(base->zip != NULL);
    RP_TRY(
        rp_packer_level(levels, options->smallest ? levels->max : options->level, &level, error));
    rp_sink *spool = NULL;
    rp_source *packed = NULL;
    rp_zip_writer *zip = NULL;
    uint64_t size = 0;
    RP_TRY(rp_sink_open_spool(base->context, sink, &spool, error));
    reprise_status status = repack(base, level, options->smallest, spool, &size, error);
    if (status == REPRISE_OK)
        status = rp_sink_reopen(spool, &packed, error);
    if (status == REPRISE_OK && base->zip)
        status = rp_zip_writer_new(base->context, sink, &zip, error);
    if (status == REPRISE_OK && zip && options->smallest)
        status = rp_zip_set_level(zip, REPRISE_LEVEL_COMPACT, error);
    if (status == REPRISE_OK)
        status = base->zip ? copy_archive(replay, packed, zip, error)
                           : rumble_put_wrapper(sink, size, packed, error);
    rp_zip_writer_free(zip);
    rp_source_close(packed);
    rp_sink_close(spool);
    return status;
}
