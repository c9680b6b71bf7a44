/* window.c - see window.h. */
#include "window.h"

/* Big enough that moving the rest to the front costs nothing, small enough for the cache. */
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

/* Room for n bytes from `start`, by moving to the front or growing to no more than twice. */
static reprise_status make_room(rp_window *window, size_t n, reprise_error *error)
{
    size_t left = rp_window_left(window);
    if (n <= window->capacity - window->start && window->end < window->capacity)
        return REPRISE_OK;
    if (left && window->start)
        memmove(window->data, window->data + window->start, left);
    window->start = 0;
    window->end = left;
    if (left == window->capacity) {
        size_t capacity = window->capacity ? window->capacity * 2 : (size_t)PIECE_SIZE;
        uint8_t *data = rp_realloc(window->context, window->data, window->capacity, capacity,
                                   error);
        if (!data)
            return error->status;
        window->data = data;
        window->capacity = capacity;
    }
    window->base = window->data;
    return REPRISE_OK;
}

reprise_status rp_window_fill(rp_window *window, size_t n, reprise_error *error)
{
    while (rp_window_left(window) < n && !window->ended) {
        RP_TRY(make_room(window, n, error));
        size_t got = 0;
        reprise_status status = rp_stream_read(window->stream, window->data + window->end,
                                               window->capacity - window->end, &got,
                                               &window->failure);
        window->end += status == REPRISE_OK ? got : 0;
        window->ended = status != REPRISE_OK || got == 0;
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
