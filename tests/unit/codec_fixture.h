/*
 * codec_fixture.h - for tests of streams: a checked allocator, compressible content, and sources
 * that return few bytes at a time.
 */
#ifndef CODEC_FIXTURE_H
#define CODEC_FIXTURE_H

#include <brotli/encode.h>
#include <errno.h>
#include <libdeflate.h>

#include "stream.h"
#include "test_allocator.h"

typedef struct fixture {
    test_allocator allocator;
    rp_context context;
    reprise_error error;
} fixture;

static inline void start(fixture *w, size_t fail_at)
{
    w->context = test_context(&w->allocator, fail_at);
    rp_error_clear(&w->error);
}

static inline void finish(fixture *w)
{
    assert_int_equal(w->allocator.live_count, 0);
    assert_int_equal(w->context.bytes_live, 0);
}

/* ---- bytes ---- */

typedef struct blob {
    uint8_t *data;
    size_t size;
} blob;

/* Compressible, but not trivially: small steps of a random walk. */
static inline blob make_content(size_t size)
{
    blob b = {malloc(RP_MAX(size, 1)), size};
    uint32_t state = 12345;
    uint8_t value = 0;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        value = (uint8_t)(value + (state >> 30));
        b.data[i] = value;
    }
    return b;
}

static inline blob make_zeros(size_t size)
{
    return (blob){calloc(size, 1), size};
}

static inline blob pack_gzip(blob content)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
    size_t bound = libdeflate_gzip_compress_bound(compressor, content.size);
    blob b = {malloc(bound), 0};
    b.size = libdeflate_gzip_compress(compressor, content.data, content.size, b.data, bound);
    libdeflate_free_compressor(compressor);
    assert_true(b.size > 0);
    return b;
}

static inline blob pack_brotli(blob content)
{
    size_t bound = BrotliEncoderMaxCompressedSize(content.size) + 64;
    blob b = {malloc(bound), bound};
    assert_true(BrotliEncoderCompress(5, 18, BROTLI_MODE_GENERIC, content.size, content.data,
                                      &b.size, b.data));
    return b;
}

/* ---- sources and streams under test ---- */

typedef struct dripping {
    blob all;
    size_t step;
    uint64_t fails_at;
} dripping;

static inline int64_t drip(void *ctx, uint64_t offset, void *to, size_t size)
{
    const dripping *d = ctx;
    if (offset >= d->fails_at)
        return -EIO;
    size_t left = d->all.size - (size_t)offset;
    size_t n = RP_MIN(RP_MIN(size, left), d->step);
    n = (size_t)RP_MIN((uint64_t)n, d->fails_at - offset);
    memcpy(to, d->all.data + offset, n);
    return (int64_t)n;
}

typedef reprise_status opener(rp_stream *input, const char *name, uint64_t ratio_max,
                              rp_stream **ret_stream, reprise_error *error);

typedef struct codec {
    const char *name;
    blob (*pack)(blob content);
    opener *open;
} codec;

static const codec codecs[] = {
    {"gzip", pack_gzip, rp_stream_open_gzip},
    {"brotli", pack_brotli, rp_stream_open_brotli},
};

/* step 0: from memory; else through callbacks that return at most `step` bytes. */
static inline rp_source *open_source(fixture *w, blob all, size_t step, dripping *d)
{
    *d = (dripping){.all = all, .step = step, .fails_at = UINT64_MAX};
    reprise_source callbacks = {.ctx = d, .size = all.size, .read = drip};
    rp_source *source = NULL;
    reprise_status status = step ? rp_source_open_callbacks(&w->context, &callbacks, &source,
                                                            &w->error)
                                 : rp_source_open_memory(&w->context, all.data, all.size, &source,
                                                         &w->error);
    assert_int_equal(status, REPRISE_OK);
    return source;
}

static inline rp_stream *open_unpacker(fixture *w, rp_source *source, const codec *c,
                                       uint64_t ratio_max)
{
    rp_stream *stream = NULL;
    assert_int_equal(rp_stream_open_range(&w->context, source, 0, rp_source_size(source), "range",
                                          &stream, &w->error),
                     REPRISE_OK);
    assert_int_equal(c->open(stream, c->name, ratio_max, &stream, &w->error), REPRISE_OK);
    return stream;
}

/* Reads to the end or failure. Gives all bytes before that. */
static inline reprise_status read_up(fixture *w, rp_stream *stream, size_t step, uint8_t *to,
                                     size_t room, size_t *ret_size)
{
    size_t done = 0;
    for (;;) {
        size_t n = SIZE_MAX, size = step < room - done ? step : room - done;
        uint8_t spill;
        reprise_status status = rp_stream_read(stream, size ? to + done : &spill, size ? size : 1,
                                               &n, &w->error);
        if (status != REPRISE_OK || n == 0) {
            *ret_size = done;
            return status;
        }
        assert_true(n <= size);
        done += n;
        assert_int_equal(stream->offset, done);
    }
}

/* Reads one stream from open to close. Checks the bytes against the content. */
static inline reprise_status unpack(fixture *w, const codec *c, blob packed, blob content,
                                    size_t source_step, size_t read_step, uint64_t ratio_max,
                                    size_t *ret_size)
{
    /* In a block of exactly its size, so the sanitizer detects any overrun. */
    blob exact = {malloc(RP_MAX(packed.size, 1)), packed.size};
    memcpy(exact.data, packed.data, packed.size);
    dripping d;
    rp_source *source = open_source(w, exact, source_step, &d);
    rp_stream *stream = open_unpacker(w, source, c, ratio_max);
    uint8_t *out = malloc(RP_MAX(content.size, 1));
    reprise_status status = read_up(w, stream, read_step, out, content.size, ret_size);
    assert_true(*ret_size <= content.size);
    assert_memory_equal(out, content.data, *ret_size);
    free(out);
    rp_stream_close(stream);
    rp_source_close(source);
    free(exact.data);
    return status;
}

#endif
