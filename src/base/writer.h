/*
 * writer.h - a growing buffer of output bytes, the mirror of reader.h.
 *
 * Its maximum size is set when it is created. Exceeding it or running out of memory sets the error,
 * and later writes do nothing, so checking once at the end is enough.
 */
#ifndef RP_WRITER_H
#define RP_WRITER_H

#include <string.h>

#include "context.h"

typedef struct rp_writer {
    rp_context *context;
    uint8_t *data;
    size_t size, capacity, size_max;
    reprise_error *error; /* sticky */
} rp_writer;

void rp_writer_init(rp_writer *w, rp_context *context, size_t size_max, reprise_error *error);
void rp_writer_free(rp_writer *w);

/* Makes room for n more bytes; false after a failure. */
bool rp_reserve(rp_writer *w, size_t n);

/* Empties the writer and keeps its memory. */
static inline void rp_writer_clear(rp_writer *w)
{
    w->size = 0;
}

static inline bool rp_writer_ok(const rp_writer *w)
{
    return w->error->status == REPRISE_OK;
}

/* Appends n bytes for the caller to fill in. Returns NULL after a failure. */
static inline uint8_t *rp_put_raw(rp_writer *w, size_t n)
{
    if (n > w->capacity - w->size && !rp_reserve(w, n))
        return NULL;
    uint8_t *p = w->data + w->size;
    w->size += n;
    return p;
}

static inline void rp_put(rp_writer *w, const void *bytes, size_t n)
{
    uint8_t *p = n ? rp_put_raw(w, n) : NULL;
    if (p)
        memcpy(p, bytes, n);
}

/* Stores a number in little-endian order. */
static inline void rp_store_bytes(uint8_t *p, uint64_t v, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(p, &v, size);
#else
    for (size_t i = 0; i < size; i++)
        p[i] = (uint8_t)(v >> (8 * i));
#endif
}

static inline void rp_store16(uint8_t *p, uint16_t v)
{
    rp_store_bytes(p, v, sizeof v);
}

static inline void rp_store32(uint8_t *p, uint32_t v)
{
    rp_store_bytes(p, v, sizeof v);
}

static inline void rp_store64(uint8_t *p, uint64_t v)
{
    rp_store_bytes(p, v, sizeof v);
}

static inline void rp_put_u8(rp_writer *w, uint8_t v)
{
    uint8_t *p = rp_put_raw(w, 1);
    if (p)
        *p = v;
}

static inline void rp_put_u16(rp_writer *w, uint16_t v)
{
    uint8_t *p = rp_put_raw(w, 2);
    if (p)
        rp_store16(p, v);
}

static inline void rp_put_u32(rp_writer *w, uint32_t v)
{
    uint8_t *p = rp_put_raw(w, 4);
    if (p)
        rp_store32(p, v);
}

static inline void rp_put_u64(rp_writer *w, uint64_t v)
{
    uint8_t *p = rp_put_raw(w, 8);
    if (p)
        rp_store64(p, v);
}

static inline void rp_put_f32(rp_writer *w, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    rp_put_u32(w, bits);
}

static inline void rp_put_f64(rp_writer *w, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    rp_put_u64(w, bits);
}

static inline void rp_put_text(rp_writer *w, const char *text)
{
    rp_put(w, text, strlen(text));
}

void rp_put_format(rp_writer *w, const char *format, ...) REPRISE_PRINTF(2, 3);
void rp_put_leb32(rp_writer *w, uint32_t v);
/* Text, in which U+FFFD replaces what is not UTF-8. */
void rp_put_utf8(rp_writer *w, const char *text, size_t size);

/* A u32 that rp_slot_end sets to the number of bytes written since rp_slot_begin. */
size_t rp_slot_begin(rp_writer *w);
void rp_slot_end(rp_writer *w, size_t slot);

#endif
