/*
 * stream.h - bytes that come one after the other: a part of a source, or what a codec makes of
 * another stream.
 *
 * Every decompressor is a stream over a stream and keeps the limits: decoded_bytes_max always, the
 * expansion ratio above 16 MiB. Memory is bounded by the codec's window.
 *
 * A failure never swallows bytes that were decoded before it: a read gives those first and fails
 * the next time. (Limits may take the last piece with them.) A stream that has failed keeps
 * failing; so does one whose end is wrong, for instance by its checksum: it fails where the end
 * would be told.
 */
#ifndef RP_STREAM_H
#define RP_STREAM_H

#include "source.h"

typedef struct rp_stream rp_stream;

typedef struct rp_stream_ops {
    /* Gives up to `size` bytes (size > 0). *ret_size = 0 means the end, and it stays the end. */
    reprise_status (*read)(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                           reprise_error *error);
    /* See rp_stream_lend; NULL in streams that never can. */
    reprise_status (*lend)(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                           reprise_error *error);
    /* See rp_stream_finish; NULL where the end has nothing to check. */
    reprise_status (*finish)(rp_stream *stream, reprise_error *error);
    /* See rp_stream_rewind; NULL in streams that never can. */
    bool (*rewind)(rp_stream *stream);
    void (*close)(rp_stream *stream);
} rp_stream_ops;

struct rp_stream {
    const rp_stream_ops *ops;
    rp_context *context;
    const char *name; /* for errors: "gzip", "zip:replay"; outlives the stream */
    uint64_t offset;  /* bytes given so far */
};

static inline reprise_status rp_stream_read(rp_stream *stream, void *to, size_t size,
                                            size_t *ret_size, reprise_error *error)
{
    return stream->ops->read(stream, to, size, ret_size, error);
}

/*
 * The next bytes where they are, without a copy: valid until the next call on this stream.
 * *ret_data = NULL means that the stream cannot lend and must be read; *ret_size = 0 with data that
 * is not NULL means the end. May be mixed with rp_stream_read.
 */
static inline reprise_status rp_stream_lend(rp_stream *stream, const uint8_t **ret_data,
                                            size_t *ret_size, reprise_error *error)
{
    if (stream->ops->lend)
        return stream->ops->lend(stream, ret_data, ret_size, error);
    *ret_data = NULL;
    *ret_size = 0;
    return REPRISE_OK;
}

/*
 * Runs the checks at the end of a stream that its reader left early, reading the rest if need be.
 * Decompressors do so with their input: the checksum of an archive entry is checked even when the
 * compressed data inside ends before the entry does.
 */
static inline reprise_status rp_stream_finish(rp_stream *stream, reprise_error *error)
{
    return stream->ops->finish ? stream->ops->finish(stream, error) : REPRISE_OK;
}

/* Goes back to the start; false where a stream cannot, and then nothing has changed. */
static inline bool rp_stream_rewind(rp_stream *stream)
{
    return stream->ops->rewind && stream->ops->rewind(stream);
}

static inline void rp_stream_close(rp_stream *stream)
{
    if (stream)
        stream->ops->close(stream);
}

/* A part of a source as it is; one that reaches past the end is REPRISE_E_TRUNCATED. */
reprise_status rp_stream_open_range(rp_context *context, rp_source *source, uint64_t offset,
                                    uint64_t size, const char *name, rp_stream **ret_stream,
                                    reprise_error *error);

/* Bytes in memory, which the stream owns from now on (also on failure) and can lend. */
reprise_status rp_stream_open_owned(rp_context *context, uint8_t *data, size_t size,
                                    const char *name, rp_stream **ret_stream, reprise_error *error);

/*
 * Decompressors. They own `input` and close it with themselves, also when opening fails. Data that
 * ends early is REPRISE_E_TRUNCATED after all bytes that could be decoded were given; damage is
 * REPRISE_E_CORRUPT. What follows the end of the compressed data is not decoded. `ratio_max` 0
 * means no limit on expansion.
 *
 * gzip decodes one member: its checksum or length being wrong is REPRISE_E_CHECKSUM. brotli can
 * lend what it decoded, and so can zstd, which decodes all frames up to the end of its input.
 */
reprise_status rp_stream_open_gzip(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error);
/* Deflate data without a wrapper: nothing is checked at its end. */
reprise_status rp_stream_open_deflate(rp_stream *input, const char *name, uint64_t ratio_max,
                                      rp_stream **ret_stream, reprise_error *error);
reprise_status rp_stream_open_brotli(rp_stream *input, const char *name, uint64_t ratio_max,
                                     rp_stream **ret_stream, reprise_error *error);

reprise_status rp_stream_open_zstd(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error);

/* Whether the first four bytes of zstd data can be these: of a frame, or of a skippable one. */
bool rp_zstd_begins(const uint8_t magic[4]);
/* Whether so many bytes can come out of so much zstd data at all, whatever it holds. */
bool rp_zstd_plausible(uint64_t stored_size, uint64_t size);

/*
 * Reads to the end into memory: at most `max` bytes, else REPRISE_E_LIMIT naming `limit`. The
 * caller frees *ret_data with rp_free(context, *ret_data, *ret_size).
 */
reprise_status rp_stream_read_all(rp_stream *stream, uint64_t max, const char *limit,
                                  uint8_t **ret_data, size_t *ret_size, reprise_error *error);

/*
 * One whole gzip member in memory by libdeflate, twice as fast as streaming. `expected` is the
 * stated size, believed only as far as `max` and the compressed bytes allow; when it is wrong the
 * data is still decoded. More than `max` bytes is REPRISE_E_LIMIT naming decoded_bytes. The caller
 * frees as above.
 */
reprise_status rp_gzip_decode(rp_context *context, const void *data, size_t size, size_t expected,
                              uint64_t max, uint8_t **ret_data, size_t *ret_size,
                              reprise_error *error);

#endif
