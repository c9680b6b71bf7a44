/*
 * skip_reader.h - reads small parts of a stream that is mostly skipped, without copying it.
 *
 * Unlike a window it keeps nothing: bytes are read where the stream lends them, and only reads that
 * span two pieces are copied.
 */
#ifndef RP_SKIP_READER_H
#define RP_SKIP_READER_H

#include "stream.h"

enum { RP_SKIP_READER_MAX = 1 << 12 };

typedef struct rp_skip_reader {
    rp_stream *stream; /* owned */
    const uint8_t *at; /* in the current piece */
    size_t left;
    uint64_t offset; /* of `at` in the stream */
    bool ended;
    reprise_error failure; /* why the stream ended early, if it did */
    const char *name;
    uint8_t *buffer; /* for streams that do not lend */
    uint8_t spare[RP_SKIP_READER_MAX];
} rp_skip_reader;

void rp_skip_reader_init(rp_skip_reader *reader, rp_stream *stream, const char *name);
void rp_skip_reader_free(rp_skip_reader *reader);

/* The slow paths of the two functions below. */
bool rp_skip_reader_gather(rp_skip_reader *reader, size_t n, rp_reader *ret_reader,
                           reprise_error *error);
bool rp_skip_reader_pass(rp_skip_reader *reader, uint64_t n, reprise_error *error);

/*
 * Gives a reader of the next n bytes (at most RP_SKIP_READER_MAX), valid until the next call, and
 * moves past them. Returns false if the stream ends or fails before.
 */
static inline bool rp_skip_reader_read(rp_skip_reader *reader, size_t n, rp_reader *ret_reader,
                                       reprise_error *error)
{
    if (n > reader->left)
        return rp_skip_reader_gather(reader, n, ret_reader, error);
    *ret_reader = rp_reader_of(reader->at, n, reader->name, error);
    ret_reader->offset = reader->offset;
    reader->at += n;
    reader->left -= n;
    reader->offset += n;
    return true;
}

/* Returns a cursor of the rest of the current piece. Skip what was used with rp_skip_reader_skip.
 */
static inline rp_cursor rp_skip_reader_cursor(const rp_skip_reader *reader)
{
    return rp_cursor_at(reader->at, reader->left);
}

/* Skips n bytes. Returns false if the stream ends or fails before. */
static inline bool rp_skip_reader_skip(rp_skip_reader *reader, uint64_t n, reprise_error *error)
{
    if (n > reader->left)
        return rp_skip_reader_pass(reader, n, error);
    reader->at += n;
    reader->left -= (size_t)n;
    reader->offset += n;
    return true;
}

#endif
