/*
 * window.h - a stream seen through a sliding piece of memory, so that records can be read in place.
 *
 * Where the stream lends its memory the window lies on that, and only what straddles two pieces is
 * copied. Otherwise the piece grows to the largest record asked for and no further, and only as far
 * as bytes really come. A window may also stand on memory that is there already.
 */
#ifndef RP_WINDOW_H
#define RP_WINDOW_H

#include "stream.h"

typedef struct rp_window {
    rp_context *context;
    rp_stream *stream; /* NULL: everything is in memory */
    uint8_t *data;     /* our own memory, if there was need for it */
    size_t capacity;
    const uint8_t *lent; /* what the stream lent and the window does not show yet */
    size_t lent_size;
    size_t lent_copied;  /* bytes in front of them that went into `data` */
    const uint8_t *base; /* what is seen: base[start] to base[end] */
    size_t start, end;
    uint64_t offset; /* of base[start] in the stream */
    bool ended;
    reprise_error failure; /* why the stream ended early, if it did */
    const char *name;
} rp_window;

/* Owns the stream from now on. */
void rp_window_init_stream(rp_window *window, rp_context *context, rp_stream *stream,
                           const char *name);
void rp_window_init_memory(rp_window *window, const void *data, size_t size, const char *name);
void rp_window_free(rp_window *window);

static inline size_t rp_window_left(const rp_window *window)
{
    return window->end - window->start;
}

/* The rare half of rp_window_fill. */
reprise_status rp_window_refill(rp_window *window, size_t n, reprise_error *error);

/*
 * Tries to have n bytes in reach; fewer are there only at the end of the stream, or where it broke.
 * Only running out of memory is an error here: what a short stream means is the caller's to say.
 */
static inline reprise_status rp_window_fill(rp_window *window, size_t n, reprise_error *error)
{
    return rp_window_left(window) < n ? rp_window_refill(window, n, error) : REPRISE_OK;
}

/* Where the window begins; one whose stream gave nothing has no memory to point to. */
static inline const uint8_t *rp_window_at(const rp_window *window)
{
    return window->base ? window->base + window->start : NULL;
}

/* A reader on everything in reach. */
static inline rp_reader rp_window_reader(const rp_window *window, reprise_error *error)
{
    rp_reader r = rp_reader_of(rp_window_at(window), rp_window_left(window), window->name, error);
    r.offset = window->offset;
    return r;
}

/* A reader on n bytes from `start` on, which must be in reach. */
static inline rp_reader rp_window_part(const rp_window *window, size_t start, size_t n,
                                       reprise_error *error)
{
    rp_reader r = rp_reader_of(window->base + window->start + start, n, window->name, error);
    r.offset = window->offset + start;
    return r;
}

/* A cursor on everything in reach. */
static inline rp_cursor rp_window_cursor(const rp_window *window)
{
    return rp_cursor_at(rp_window_at(window), rp_window_left(window));
}

/* The next four bytes, which must be in reach, as a number. */
static inline uint32_t rp_window_peek32(const rp_window *window)
{
    return rp_load32(window->base + window->start);
}

/* Steps over n bytes, which must be in reach. */
static inline void rp_window_skip(rp_window *window, size_t n)
{
    window->start += n;
    window->offset += n;
}

/*
 * Why nothing more comes: the stream's own failure if it has one, else that `what` needs more bytes
 * than there are. Sets the error and returns its status.
 */
reprise_status rp_window_short(const rp_window *window, size_t need, const char *what,
                               reprise_error *error);

#endif
