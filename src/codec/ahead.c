/*
 * ahead.c - a stream that another thread reads ahead, 2 MiB at most.
 *
 * The caller reads the beginning: whoever needs no more of a file does not pay for a thread that
 * unpacks what follows. What the input lent before the first read stays valid until then.
 */
#include <string.h>

#include "checked.h"
#include "prefetch.h"
#include "stream.h"

enum { PIECES = 32, PIECE_SIZE = 1 << 16, BEGINNING = 8 * PIECE_SIZE };

typedef struct piece {
    uint8_t *data;
    size_t size;
    reprise_error failure; /* after these bytes */
} piece;

typedef struct ahead {
    rp_stream stream;
    rp_stream *input; /* owned; used by the thread alone while there is one */
    rp_prefetch *prefetch;
    piece pieces[PIECES];
    const piece *current;
    size_t given; /* bytes of the current piece */
    bool ended;   /* in the beginning */
} ahead;

static bool fill(void *ctx, void *slot)
{
    ahead *self = ctx;
    piece *to = slot;
    rp_error_clear(&to->failure);
    for (to->size = 0; to->size < PIECE_SIZE;) {
        size_t size = 0;
        if (rp_stream_read(self->input, to->data + to->size, PIECE_SIZE - to->size, &size,
                           &to->failure) != REPRISE_OK ||
            size == 0)
            return false;
        to->size += size;
    }
    return true;
}

/* Sets *ret_next to the next piece, or to NULL at the end. */
static reprise_status next_piece(ahead *self, const piece **ret_next, reprise_error *error)
{
    *ret_next = NULL;
    if (self->ended)
        return REPRISE_OK;
    if (!self->prefetch && self->stream.offset < BEGINNING) {
        self->ended = !fill(self, &self->pieces[0]);
        *ret_next = &self->pieces[0];
        return REPRISE_OK;
    }
    if (!self->prefetch)
        RP_TRY(rp_prefetch_open(self->stream.context, fill, self, self->pieces,
                                sizeof *self->pieces, PIECES, &self->prefetch, error));
    *ret_next = rp_prefetch_next(self->prefetch);
    return REPRISE_OK;
}

/* Up to `max` bytes that are valid until the next call; none at the end. */
static reprise_status take(ahead *self, size_t max, const uint8_t **ret_data, size_t *ret_size,
                           reprise_error *error)
{
    while (!self->current || self->given == self->current->size) {
        if (self->current && self->current->failure.status != REPRISE_OK) {
            *error = self->current->failure;
            return error->status;
        }
        const piece *next;
        RP_TRY(next_piece(self, &next, error));
        if (!next) {
            *ret_data = (const uint8_t *)"";
            *ret_size = 0;
            return REPRISE_OK;
        }
        self->current = next;
        self->given = 0;
    }
    *ret_data = self->current->data + self->given;
    *ret_size = RP_MIN(max, self->current->size - self->given);
    self->given += *ret_size;
    self->stream.offset += *ret_size;
    return REPRISE_OK;
}

static reprise_status ahead_lend(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                 reprise_error *error)
{
    return take((ahead *)stream, SIZE_MAX, ret_data, ret_size, error);
}

static reprise_status ahead_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                 reprise_error *error)
{
    const uint8_t *data;
    RP_TRY(take((ahead *)stream, size, &data, ret_size, error));
    memcpy(to, data, *ret_size);
    return REPRISE_OK;
}

/* The input checks itself, once the thread has left it alone. */
static reprise_status ahead_finish(rp_stream *stream, reprise_error *error)
{
    ahead *self = (ahead *)stream;
    const uint8_t *data;
    for (size_t size = 1; size > 0;)
        RP_TRY(take(self, SIZE_MAX, &data, &size, error));
    return rp_stream_finish(self->input, error);
}

static void ahead_close(rp_stream *stream)
{
    ahead *self = (ahead *)stream;
    rp_context *context = stream->context;
    rp_prefetch_close(self->prefetch);
    rp_stream_close(self->input);
    for (size_t i = 0; i < PIECES; i++)
        rp_free(context, self->pieces[i].data, self->pieces[i].data ? PIECE_SIZE : 0);
    rp_free(context, self, sizeof *self);
}

static const rp_stream_ops ahead_ops = {
    .read = ahead_read, .lend = ahead_lend, .finish = ahead_finish, .close = ahead_close};

reprise_status rp_stream_open_ahead(rp_stream *input, rp_stream **ret_stream, reprise_error *error)
{
    rp_context *context = input->context;
    ahead *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self) {
        rp_stream_close(input);
        return error->status;
    }
    self->stream = (rp_stream){
        .ops = &ahead_ops, .context = context, .name = input->name, .offset = input->offset};
    self->input = input;
    for (size_t i = 0; i < PIECES; i++) {
        self->pieces[i].data = rp_alloc(context, PIECE_SIZE, error);
        self->pieces[i].failure = (reprise_error)REPRISE_ERROR_INIT;
        if (!self->pieces[i].data) {
            ahead_close(&self->stream);
            return error->status;
        }
    }
    *ret_stream = &self->stream;
    return REPRISE_OK;
}
