/*
 * stream.h - sequential input: a part of a source, or another stream decompressed.
 *
 * Every decompressor is a stream that reads a stream and enforces the limits: decoded_bytes_max
 * always, the expansion ratio above 16 MiB. Memory is bounded by the codec's window.
 *
 * Bytes decoded before a failure are never lost: a read returns them first and the next read fails.
 * (After a limit, the last piece may be lost.) A stream that has failed keeps failing. If the check
 * at the end fails, such as a checksum, the read that would return the end fails.
 */
#ifndef RP_STREAM_H
#define RP_STREAM_H

#include "source.h"

typedef struct rp_stream rp_stream;

typedef struct rp_stream_ops {
    /* Reads up to `size` bytes (size > 0). *ret_size = 0 means the end, also in later calls. */
    reprise_status (*read)(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                           reprise_error *error);
    /* See rp_stream_lend; NULL if not supported. */
    reprise_status (*lend)(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                           reprise_error *error);
    /* See rp_stream_finish; NULL if there is nothing to check at the end. */
    reprise_status (*finish)(rp_stream *stream, reprise_error *error);
    /* See rp_stream_rewind; NULL if not supported. */
    bool (*rewind)(rp_stream *stream);
    void (*close)(rp_stream *stream);
} rp_stream_ops;

struct rp_stream {
    const rp_stream_ops *ops;
    rp_context *context;
    const char *name; /* for errors: "gzip", "zip:replay"; outlives the stream */
    uint64_t offset;  /* bytes returned so far */
};

static inline reprise_status rp_stream_read(rp_stream *stream, void *to, size_t size,
                                            size_t *ret_size, reprise_error *error)
{
    return stream->ops->read(stream, to, size, ret_size, error);
}

/*
 * Gives the next bytes without copying them, valid until the next call on this stream. If *ret_data
 * is NULL, the stream cannot lend and must be read. *ret_size = 0 with non-NULL data means the end.
 * May be mixed with rp_stream_read.
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
 * Runs the checks at the end of a stream that was not read to its end, reading the rest if needed.
 * Decompressors do this with their input: the checksum of an archive entry is checked even if the
 * compressed data ends before the entry does.
 */
static inline reprise_status rp_stream_finish(rp_stream *stream, reprise_error *error)
{
    return stream->ops->finish ? stream->ops->finish(stream, error) : REPRISE_OK;
}

/* Returns to the start. Returns false, changing nothing, if the stream cannot. */
static inline bool rp_stream_rewind(rp_stream *stream)
{
    return stream->ops->rewind && stream->ops->rewind(stream);
}

static inline void rp_stream_close(rp_stream *stream)
{
    if (stream)
        stream->ops->close(stream);
}

/* Reads part of a source. A range past the end is REPRISE_E_TRUNCATED. */
reprise_status rp_stream_open_range(rp_context *context, rp_source *source, uint64_t offset,
                                    uint64_t size, const char *name, rp_stream **ret_stream,
                                    reprise_error *error);

/* Reads memory that the stream then owns, even if opening fails, and can lend. */
reprise_status rp_stream_open_owned(rp_context *context, uint8_t *data, size_t size,
                                    const char *name, rp_stream **ret_stream, reprise_error *error);

/*
 * Decompressors. They own `input`, even if opening fails. Data that ends early is
 * REPRISE_E_TRUNCATED after all decodable bytes were returned; damage is REPRISE_E_CORRUPT. Bytes
 * after the end of the compressed data are not decoded. `ratio_max` 0 means no limit on expansion.
 *
 * gzip decodes one member; a wrong checksum or length is REPRISE_E_CHECKSUM. zstd decodes all
 * frames up to the end of its input. brotli and zstd can lend decoded bytes.
 */
reprise_status rp_stream_open_gzip(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error);
/* Raw deflate data without a checksum. */
reprise_status rp_stream_open_deflate(rp_stream *input, const char *name, uint64_t ratio_max,
                                      rp_stream **ret_stream, reprise_error *error);
reprise_status rp_stream_open_brotli(rp_stream *input, const char *name, uint64_t ratio_max,
                                     rp_stream **ret_stream, reprise_error *error);

reprise_status rp_stream_open_zstd(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error);

/*
 * Has another thread read the stream ahead, after its beginning and if the context can spare one.
 * Owns `input`, even if opening fails. What was lent by the input stays valid until the first read.
 */
reprise_status rp_stream_open_ahead(rp_stream *input, rp_stream **ret_stream, reprise_error *error);

/* Whether zstd data can begin with these bytes: those of a frame or a skippable frame. */
bool rp_zstd_begins(const uint8_t magic[4]);
/* Whether `stored_size` bytes of zstd data can decode to `size` bytes at all. */
bool rp_zstd_plausible(uint64_t stored_size, uint64_t size);

/*
 * Reads a stream to its end into memory. More than `max` bytes is REPRISE_E_LIMIT naming `limit`.
 * The caller frees *ret_data with rp_free(context, *ret_data, *ret_size).
 */
reprise_status rp_stream_read_all(rp_stream *stream, uint64_t max, const char *limit,
                                  uint8_t **ret_data, size_t *ret_size, reprise_error *error);

/* Reads a stream to its end, which checks its checksums. */
reprise_status rp_stream_check(rp_stream *stream, reprise_error *error);

/*
 * Decodes one complete gzip member in memory with libdeflate, twice as fast as streaming.
 * `expected` is the declared size; it is only a hint, bounded by `max` and by the size of the
 * compressed data. More than `max` bytes is REPRISE_E_LIMIT naming decoded_bytes. The caller frees
 * *ret_data as above.
 */
reprise_status rp_gzip_decode(rp_context *context, const void *data, size_t size, size_t expected,
                              uint64_t max, uint8_t **ret_data, size_t *ret_size,
                              reprise_error *error);

/*
 * Decodes raw deflate data of a known size in memory, in the same way. *ret_data is NULL, without
 * an error, if the data is damaged or of another size; a stream then finds out more.
 */
reprise_status rp_deflate_decode(rp_context *context, const void *data, size_t size,
                                 size_t decoded_size, uint8_t **ret_data, reprise_error *error);

#endif
