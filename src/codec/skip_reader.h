/*
 * skip_reader.h - reads a little here and there from a stream that is mostly skipped, without
 * copying it.
 *
 * Unlike a window it keeps nothing: bytes are looked at where the stream lends them, and only what
 * stands across two pieces is put together.
 */
#ifndef RP_SKIP_READER_H
#define RP_SKIP_READER_H

#include "stream.h"

enum { RP_SKIP_READER_MAX = 1 << 12 };

typedef struct rp_skip_reader {
    rp_stream *stream; /* owned */
    const uint8_t *at; /* of the piece at hand */
    size_t left;
    uint64_t offset; /* of `at` in the stream */
    bool ended;
    reprise_error failure; /* why the stream ended early, if it did */
    const char *name;
    uint8_t *buffer; /* for streams that do not lend */
    uint8_t spare[RP_SKIP_READER_MAX];
} rp_skip_reader;

void rp_skip_reader_init(rp_skip_reader *skim, rp_stream *stream, const char *name);
void rp_skip_reader_free(rp_skip_reader *skim);

/* The slow halves of the two below. */
bool rp_skip_reader_gather(rp_skip_reader *skim, size_t n, rp_reader *ret_reader,
                           reprise_error *error);
bool rp_skip_reader_pass(rp_skip_reader *skim, uint64_t n, reprise_error *error);

/*
 * A reader on the next n bytes (at most RP_SKIP_READER_MAX), which are then behind; valid until the
 * next call. False when they do not all come: the stream ended or failed.
 */
static inline bool rp_skip_reader_read(rp_skip_reader *skim, size_t n, rp_reader *ret_reader,
                                       reprise_error *error)
{
    if (n > skim->left)
        return rp_skip_reader_gather(skim, n, ret_reader, error);
    *ret_reader = rp_reader_of(skim->at, n, skim->name, error);
    ret_reader->offset = skim->offset;
    skim->at += n;
    skim->left -= n;
    skim->offset += n;
    return true;
}

/* The rest of the piece at hand, for loops that know what they step over: see rp_skip_reader_skip.
 */
static inline rp_cursor rp_skip_reader_cursor(const rp_skip_reader *skim)
{
    return rp_cursor_at(skim->at, skim->left);
}

/* Steps over n bytes. */
static inline bool rp_skip_reader_skip(rp_skip_reader *skim, uint64_t n, reprise_error *error)
{
    if (n > skim->left)
        return rp_skip_reader_pass(skim, n, error);
    skim->at += n;
    skim->left -= (size_t)n;
    skim->offset += n;
    return true;
}

#endif
