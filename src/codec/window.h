/*
 * window.h - a sliding view of a stream, so that records can be read in place.
 *
 * If the stream lends its memory, the window uses that and copies only records that span two
 * pieces. Else it has a buffer that grows to the largest record requested, as far as bytes arrive.
 * A window can also view existing memory.
 */
#ifndef RP_WINDOW_H
#define RP_WINDOW_H

#include "hash.h"
#include "stream.h"

typedef struct rp_window {
    rp_context *context;
    rp_stream *stream; /* NULL: everything is in memory */
    uint8_t *data;     /* our own buffer, if needed */
    size_t capacity;
    const uint8_t *lent; /* lent by the stream and not yet in view */
    size_t lent_size;
    size_t lent_copied;  /* bytes before them that were copied to `data` */
    const uint8_t *base; /* the view is base[start] to base[end] */
    size_t start, end;
    uint64_t offset; /* of base[start] in the stream */
    rp_sha256 *hash; /* of all bytes that the stream gave; NULL: not wanted */
    bool ended;
    reprise_error failure; /* why the stream ended early, if it did */
    const char *name;
} rp_window;

/* Owns the stream. */
void rp_window_init_stream(rp_window *window, rp_context *context, rp_stream *stream,
                           const char *name);
void rp_window_init_memory(rp_window *window, const void *data, size_t size, const char *name);
void rp_window_free(rp_window *window);

static inline size_t rp_window_left(const rp_window *window)
{
    return window->end - window->start;
}

/* The slow path of rp_window_fill. */
reprise_status rp_window_refill(rp_window *window, size_t n, reprise_error *error);

/*
 * Tries to get n bytes into view. Fewer are available only at the end of the stream or after it
 * failed. Only running out of memory is an error; the caller decides what a short stream means.
 */
static inline reprise_status rp_window_fill(rp_window *window, size_t n, reprise_error *error)
{
    return rp_window_left(window) < n ? rp_window_refill(window, n, error) : REPRISE_OK;
}

/* Returns the start of the view, or NULL if the stream gave nothing. */
static inline const uint8_t *rp_window_at(const rp_window *window)
{
    return window->base ? window->base + window->start : NULL;
}

/* Returns a reader of the view. */
static inline rp_reader rp_window_reader(const rp_window *window, reprise_error *error)
{
    rp_reader r = rp_reader_of(rp_window_at(window), rp_window_left(window), window->name, error);
    r.offset = window->offset;
    return r;
}

/* Returns a reader of n bytes of the view, starting at `start`. */
static inline rp_reader rp_window_part(const rp_window *window, size_t start, size_t n,
                                       reprise_error *error)
{
    rp_reader r = rp_reader_of(window->base + window->start + start, n, window->name, error);
    r.offset = window->offset + start;
    return r;
}

/* Returns a cursor of the view. */
static inline rp_cursor rp_window_cursor(const rp_window *window)
{
    return rp_cursor_at(rp_window_at(window), rp_window_left(window));
}

/* Returns the next four bytes, which must be in view, as a number. */
static inline uint32_t rp_window_peek32(const rp_window *window)
{
    return rp_load32(window->base + window->start);
}

/*
 * Skips n bytes of the view. It never leaves the view, also if a source that changes between reads
 * no longer has what was found in it before.
 */
static inline void rp_window_skip(rp_window *window, size_t n)
{
    n = RP_MIN(n, rp_window_left(window));
    window->start += n;
    window->offset += n;
}

/*
 * Sets the error to the reason why no more bytes come: the stream's failure if there is one, else
 * that `what` needs more bytes than there are. Returns its status.
 */
reprise_status rp_window_short(const rp_window *window, size_t need, const char *what,
                               reprise_error *error);

#endif
