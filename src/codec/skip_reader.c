/* skip_reader.c - see skip_reader.h. */
#include "skip_reader.h"

#include <assert.h>

enum { BUFFER_SIZE = 1 << 16 };

static const uint8_t nothing[1]; /* where no bytes are: stepping over none must start somewhere */

void rp_skip_reader_init(rp_skip_reader *skim, rp_stream *stream, const char *name)
{
    *skim = (rp_skip_reader){.stream = stream, .at = nothing, .name = name};
}

void rp_skip_reader_free(rp_skip_reader *skim)
{
    if (skim->stream)
        rp_free(skim->stream->context, skim->buffer, BUFFER_SIZE);
    rp_stream_close(skim->stream);
    skim->stream = NULL;
    skim->buffer = NULL;
}

/* The next piece; false at the end, for whatever reason. */
static bool next_piece(rp_skip_reader *skim, reprise_error *error)
{
    if (skim->ended)
        return false;
    const uint8_t *data = NULL;
    size_t size = 0;
    reprise_status status = rp_stream_lend(skim->stream, &data, &size, &skim->failure);
    if (status == REPRISE_OK && !data) {
        if (!skim->buffer)
            skim->buffer = rp_alloc(skim->stream->context, BUFFER_SIZE, error);
        if (!skim->buffer)
            return false;
        data = skim->buffer;
        status = rp_stream_read(skim->stream, skim->buffer, BUFFER_SIZE, &size, &skim->failure);
    }
    skim->ended = status != REPRISE_OK || size == 0;
    skim->at = skim->ended ? nothing : data;
    skim->left = skim->ended ? 0 : size;
    return !skim->ended;
}

bool rp_skip_reader_gather(rp_skip_reader *skim, size_t n, rp_reader *ret_reader,
                           reprise_error *error)
{
    assert(n <= RP_SKIP_READER_MAX);
    uint64_t start = skim->offset;
    for (size_t have = 0; have < n;) {
        if (!skim->left && !next_piece(skim, error))
            return false;
        size_t part = RP_MIN(n - have, skim->left);
        memcpy(skim->spare + have, skim->at, part);
        skim->at += part;
        skim->left -= part;
        skim->offset += part;
        have += part;
    }
    *ret_reader = rp_reader_of(skim->spare, n, skim->name, error);
    ret_reader->offset = start;
    return true;
}

bool rp_skip_reader_pass(rp_skip_reader *skim, uint64_t n, reprise_error *error)
{
    while (n) {
        if (!skim->left && !next_piece(skim, error))
            return false;
        size_t part = (size_t)RP_MIN(n, (uint64_t)skim->left);
        skim->at += part;
        skim->left -= part;
        skim->offset += part;
        n -= part;
    }
    return true;
}
