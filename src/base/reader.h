/*
 * reader.h - the only code that touches input bytes.
 *
 * A reader is a view of bytes it does not own. Reads move forward. A read past the end sets the
 * error, moves to the end and returns zero, and so does every later read. Check rp_ok once per
 * record, and always before using a value as an index, a count or a size.
 */
#ifndef RP_READER_H
#define RP_READER_H

#include <string.h>

#include "checked.h"
#include "error.h"

typedef struct rp_reader {
    const uint8_t *at, *end; /* at <= end; private to this file */
    uint64_t offset;         /* of `at` in its stream, for messages */
    const char *stream;      /* for messages */
    reprise_error *error;    /* sticky: the first failure wins */
} rp_reader;

/* Readers of no memory point here: adding zero to a null pointer is undefined in C. */
extern const uint8_t rp_no_bytes[1];

static inline rp_reader rp_reader_of(const void *data, size_t size, const char *stream,
                                     reprise_error *error)
{
    const uint8_t *at = data ? data : rp_no_bytes;
    return (rp_reader){.at = at, .end = data ? at + size : at, .stream = stream, .error = error};
}

static inline bool rp_ok(const rp_reader *r)
{
    return r->error->status == REPRISE_OK;
}

static inline size_t rp_left(const rp_reader *r)
{
    return (size_t)(r->end - r->at);
}

/* Sets the error at the current offset. `what` is the path, the rest the message. */
void rp_fail(rp_reader *r, reprise_status status, const char *what, const char *format, ...)
    REPRISE_PRINTF(4, 5) __attribute__((cold));
/* The failure of rp_take, out of line because it is rare. */
void rp_fail_short(rp_reader *r, size_t need, const char *what) __attribute__((cold));

/* Skips n bytes and returns a pointer to them, or fails and returns NULL. */
static inline const uint8_t *rp_take(rp_reader *r, size_t n, const char *what)
{
    if (__builtin_expect(n > (size_t)(r->end - r->at), 0)) {
        rp_fail_short(r, n, what);
        return NULL;
    }
    const uint8_t *p = r->at;
    r->at += n;
    r->offset += n;
    return p;
}

/* The same without setting the error or moving. For loops that keep r in registers. */
static inline const uint8_t *rp_take_if(rp_reader *r, size_t n)
{
    if (__builtin_expect(n > (size_t)(r->end - r->at), 0))
        return NULL;
    const uint8_t *p = r->at;
    r->at += n;
    r->offset += n;
    return p;
}

static inline void rp_skip(rp_reader *r, size_t n, const char *what)
{
    (void)rp_take(r, n, what);
}

/* Returns a reader of the next n bytes and moves this one past them. */
static inline rp_reader rp_sub(rp_reader *r, size_t n, const char *what)
{
    rp_reader child = *r;
    const uint8_t *p = rp_take(r, n, what);
    child.end = p ? p + n : child.at;
    return child;
}

/*
 * The position of a reader without its error, small enough for hot loops to keep in registers. When
 * a cursor runs out of bytes, the reader it came from reports why.
 */
typedef struct rp_cursor {
    const uint8_t *at; /* private to this file */
    size_t left;
} rp_cursor;

static inline rp_cursor rp_cursor_at(const void *data, size_t size)
{
    return (rp_cursor){.at = data ? data : rp_no_bytes, .left = data ? size : 0};
}

static inline rp_cursor rp_cursor_of(const rp_reader *r)
{
    return (rp_cursor){.at = r->at, .left = rp_left(r)};
}

/* Skips n bytes and returns a pointer to them, or returns NULL without moving. */
static inline const uint8_t *rp_cursor_take(rp_cursor *c, size_t n)
{
    if (__builtin_expect(n > c->left, 0))
        return NULL;
    const uint8_t *p = c->at;
    c->at += n;
    c->left -= n;
    return p;
}

/* Returns the next byte. The caller has checked that one remains. */
static inline uint8_t rp_cursor_peek(const rp_cursor *c)
{
    return *c->at;
}

/* Makes a cursor of the next n bytes. Returns false without moving if fewer remain. */
static inline bool rp_cursor_sub(rp_cursor *c, size_t n, rp_cursor *ret_sub)
{
    const uint8_t *p = rp_cursor_take(c, n);
    if (!p)
        return false;
    *ret_sub = (rp_cursor){.at = p, .left = n};
    return true;
}

/* Moves a reader forward to the position of a cursor made from it. */
static inline void rp_move_to_cursor(rp_reader *r, const rp_cursor *c)
{
    r->offset += (size_t)(c->at - r->at);
    r->at = c->at;
}

/* Little-endian loads, which compilers turn into single instructions. */
static inline uint16_t rp_load16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t rp_load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t rp_load64(const uint8_t *p)
{
    return (uint64_t)rp_load32(p) | (uint64_t)rp_load32(p + 4) << 32;
}

/* Counts leading zero bytes, at most eight. Eight bytes must be readable. */
enum { RP_ZERO_RUN_MAX = 8 };
static inline uint32_t rp_zero_run(const uint8_t *p)
{
    uint64_t word = rp_load64(p);
    return word ? (uint32_t)__builtin_ctzll(word) / 8 : RP_ZERO_RUN_MAX;
}

/* Whether n bytes remain and begin with the three bytes of `head`. n is at least 4. */
static inline bool rp_cursor_begins(const rp_cursor *c, uint32_t head, size_t n)
{
    return n <= c->left && (rp_load32(c->at) & 0xFFFFFF) == head;
}

/* Returns a pointer just past the next n bytes. The caller has checked that n bytes remain. */
static inline const uint8_t *rp_cursor_past(const rp_cursor *c, size_t n)
{
    return c->at + n;
}

/* Skips n bytes. The caller has checked that they remain. */
static inline void rp_cursor_skip(rp_cursor *c, size_t n)
{
    c->at += n;
    c->left -= n;
}

static inline float rp_load_f32(const uint8_t *p)
{
    uint32_t bits = rp_load32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double rp_load_f64(const uint8_t *p)
{
    uint64_t bits = rp_load64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Loads several floats: one copy on little-endian machines. */
static inline void rp_load_floats(const uint8_t *p, float *to, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, p, count * sizeof *to);
#else
    for (size_t i = 0; i < count; i++)
        to[i] = rp_load_f32(p + 4 * i);
#endif
}

/* Four numbers in one vector register. */
typedef uint32_t rp_quad __attribute__((vector_size(16)));
typedef int32_t rp_signed_quad __attribute__((vector_size(16)));
typedef uint64_t rp_long_pair __attribute__((vector_size(16)));
static inline rp_quad rp_load_quad(const uint8_t *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    rp_quad quad;
    memcpy(&quad, p, sizeof quad);
    return quad;
#else
    return (rp_quad){rp_load32(p), rp_load32(p + 4), rp_load32(p + 8), rp_load32(p + 12)};
#endif
}

static inline uint8_t rp_u8(rp_reader *r, const char *what)
{
    const uint8_t *p = rp_take(r, 1, what);
    return p ? *p : 0;
}

static inline uint16_t rp_u16(rp_reader *r, const char *what)
{
    const uint8_t *p = rp_take(r, 2, what);
    return p ? rp_load16(p) : 0;
}

static inline uint32_t rp_u32(rp_reader *r, const char *what)
{
    const uint8_t *p = rp_take(r, 4, what);
    return p ? rp_load32(p) : 0;
}

static inline uint64_t rp_u64(rp_reader *r, const char *what)
{
    const uint8_t *p = rp_take(r, 8, what);
    return p ? rp_load64(p) : 0;
}

static inline int16_t rp_i16(rp_reader *r, const char *what)
{
    return (int16_t)rp_u16(r, what);
}

static inline int32_t rp_i32(rp_reader *r, const char *what)
{
    return (int32_t)rp_u32(r, what);
}

static inline int64_t rp_i64(rp_reader *r, const char *what)
{
    return (int64_t)rp_u64(r, what);
}

static inline float rp_f32(rp_reader *r, const char *what)
{
    const uint8_t *p = rp_take(r, 4, what);
    return p ? rp_load_f32(p) : 0;
}

static inline double rp_f64(rp_reader *r, const char *what)
{
    const uint8_t *p = rp_take(r, 8, what);
    return p ? rp_load_f64(p) : 0;
}

/* Skips the next n bytes if they equal `bytes`. */
static inline bool rp_match(rp_reader *r, const void *bytes, size_t n)
{
    if (n > rp_left(r) || memcmp(r->at, bytes, n) != 0)
        return false;
    r->at += n;
    r->offset += n;
    return true;
}

/* Returns the next byte without moving, or -1 at the end. */
static inline int rp_peek(const rp_reader *r)
{
    return r->at < r->end ? *r->at : -1;
}

/* Reads an unsigned LEB128 number of at most 32 bits (five bytes). */
uint32_t rp_leb32(rp_reader *r, const char *what);

/*
 * Checks a declared number of items against `max` and against the remaining bytes, at `size_min`
 * bytes per item. Returns 0 on failure.
 */
size_t rp_count(rp_reader *r, uint64_t count, size_t size_min, uint64_t max, const char *what);
/* The same for the size of a text in bytes. */
size_t rp_text_size(rp_reader *r, uint64_t size, uint64_t max, const char *what);

#endif
