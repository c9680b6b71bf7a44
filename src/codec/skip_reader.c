/* skip_reader.c - see skip_reader.h. */
#include "skip_reader.h"

#include <assert.h>

enum { BUFFER_SIZE = 1 << 16 };

static const uint8_t
    nothing[1]; /* points to no bytes, because advancing a null pointer is undefined */

void rp_skip_reader_init(rp_skip_reader *reader, rp_stream *stream, const char *name)
{
    *reader = (rp_skip_reader){.stream = stream, .at = nothing, .name = name};
}

void rp_skip_reader_free(rp_skip_reader *reader)
{
    if (reader->stream)
        rp_free(reader->stream->context, reader->buffer, BUFFER_SIZE);
    rp_stream_close(reader->stream);
    reader->stream = NULL;
    reader->buffer = NULL;
}

/* Gets the next piece. Returns false at the end or after a failure. */
static bool next_piece(rp_skip_reader *reader, reprise_error *error)
{
    if (reader->ended)
        return false;
    const uint8_t *data = NULL;
    size_t size = 0;
    reprise_status status = rp_stream_lend(reader->stream, &data, &size, &reader->failure);
    if (status == REPRISE_OK && !data) {
        if (!reader->buffer)
            reader->buffer = rp_alloc(reader->stream->context, BUFFER_SIZE, error);
        if (!reader->buffer)
            return false;
        data = reader->buffer;
        status = rp_stream_read(reader->stream, reader->buffer, BUFFER_SIZE, &size,
                                &reader->failure);
    }
    reader->ended = status != REPRISE_OK || size == 0;
    reader->at = reader->ended ? nothing : data;
    reader->left = reader->ended ? 0 : size;
    return !reader->ended;
}

bool rp_skip_reader_gather(rp_skip_reader *reader, size_t n, rp_reader *ret_reader,
                           reprise_error *error)
{
    assert(n <= RP_SKIP_READER_MAX);
    uint64_t start = reader->offset;
    for (size_t have = 0; have < n;) {
        if (!reader->left && !next_piece(reader, error))
            return false;
        size_t part = RP_MIN(n - have, reader->left);
        memcpy(reader->spare + have, reader->at, part);
        reader->at += part;
        reader->left -= part;
        reader->offset += part;
        have += part;
    }
    *ret_reader = rp_reader_of(reader->spare, n, reader->name, error);
    ret_reader->offset = start;
    return true;
}

bool rp_skip_reader_pass(rp_skip_reader *reader, uint64_t n, reprise_error *error)
{
    while (n) {
        if (!reader->left && !next_piece(reader, error))
            return false;
        size_t part = (size_t)RP_MIN(n, (uint64_t)reader->left);
        reader->at += part;
        reader->left -= part;
        reader->offset += part;
        n -= part;
    }
    return true;
}
