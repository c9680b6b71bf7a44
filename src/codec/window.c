/*
 * window.c - see window.h.
 *
 * A stream that lends exposes its own memory, and most records are inside one such piece. A record
 * that spans two pieces is assembled in `data`: the rest of the old piece, then as much of the new
 * one as requested. Once the old piece is used up, the window views the new piece, even if part of
 * it was copied.
 */
#include "window.h"

/* Large enough that moving the rest to the front is cheap, small enough for the cache. */
enum { PIECE_SIZE = 1 << 17 };

void rp_window_init_stream(rp_window *window, rp_context *context, rp_stream *stream,
                           const char *name)
{
    *window = (rp_window){.context = context, .stream = stream, .name = name};
}

void rp_window_init_memory(rp_window *window, const void *data, size_t size, const char *name)
{
    *window = (rp_window){.base = data, .end = size, .ended = true, .name = name};
}

void rp_window_free(rp_window *window)
{
    rp_stream_close(window->stream);
    if (window->data)
        rp_free(window->context, window->data, window->capacity);
    *window = (rp_window){0};
}

/* Moves the rest to the front of `data` and makes room after it. */
static reprise_status gather(rp_window *window, reprise_error *error)
{
    size_t left = rp_window_left(window);
    if (window->base != window->data || window->end == window->capacity) {
        size_t capacity = RP_MAX(window->capacity, (size_t)PIECE_SIZE);
        while (capacity <= left)
            capacity *= 2;
        const uint8_t *from = rp_window_at(window);
        if (capacity > window->capacity) {
            uint8_t *data = rp_alloc(window->context, capacity, error);
            if (!data)
                return error->status;
            if (left)
                memcpy(data, from, left);
            rp_free(window->context, window->data, window->capacity);
            window->data = data;
            window->capacity = capacity;
        } else if (left) {
            memmove(window->data, from, left);
        }
        window->base = window->data;
        window->start = 0;
        window->end = left;
    }
    return REPRISE_OK;
}

/* Gets the next piece of the stream: in `lent` if it lends, else after the rest. */
static reprise_status next_piece(rp_window *window, reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    size_t size = 0;
    /* Lent memory is valid until the next call, so the rest of it must be saved. */
    if (rp_window_left(window))
        RP_TRY(gather(window, error));
    status = rp_stream_lend(window->stream, &window->lent, &window->lent_size, &window->failure);
    window->lent_copied = 0;
    if (status == REPRISE_OK && window->lent) {
        if (window->hash)
            rp_sha256_update(window->hash, window->lent, window->lent_size);
        window->ended = window->lent_size == 0;
        return REPRISE_OK;
    }
    if (status == REPRISE_OK) {
        RP_TRY(gather(window, error));
        status = rp_stream_read(window->stream, window->data + window->end,
                                window->capacity - window->end, &size, &window->failure);
    }
    window->lent_size = 0;
    size = status == REPRISE_OK ? size : 0;
    if (window->hash && size)
        rp_sha256_update(window->hash, window->data + window->end, size);
    window->end += size;
    window->ended = status != REPRISE_OK || size == 0;
    return REPRISE_OK;
}

/* Adds lent bytes to the view: all of them if the view is empty, else up to n. */
static reprise_status take_lent(rp_window *window, size_t n, reprise_error *error)
{
    size_t left = rp_window_left(window), more = window->lent_size;
    if (left <= window->lent_copied) {
        window->base = window->lent - left;
        window->start = 0;
        window->end = left + more;
    } else {
        RP_TRY(gather(window, error));
        more = RP_MIN(RP_MIN(more, n - left), window->capacity - window->end);
        memcpy(window->data + window->end, window->lent, more);
        window->end += more;
    }
    window->lent_copied += more;
    window->lent += more;
    window->lent_size -= more;
    return REPRISE_OK;
}

reprise_status rp_window_refill(rp_window *window, size_t n, reprise_error *error)
{
    while (rp_window_left(window) < n && !window->ended) {
        if (window->lent_size == 0)
            RP_TRY(next_piece(window, error));
        if (window->lent_size)
            RP_TRY(take_lent(window, n, error));
    }
    return REPRISE_OK;
}

reprise_status rp_window_short(const rp_window *window, size_t need, const char *what,
                               reprise_error *error)
{
    if (window->failure.status != REPRISE_OK) {
        if (error->status == REPRISE_OK)
            *error = window->failure;
        return error->status;
    }
    rp_reader r = rp_window_reader(window, error);
    rp_fail_short(&r, need, what);
    return error->status;
}
