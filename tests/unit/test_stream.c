/* test_stream.c - ranges, decompressing streams of every kind, and reading to the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <brotli/decode.h>
#include <zlib.h>

#include "codec_fixture.h"
#include "window.h"

/* ---- range ---- */

static void range__gives_the_part_and_then_the_end(void **state)
{
    (void)state;
    blob content = make_content(1000);
    static const size_t steps[] = {0, 1, 7, 31};
    for (size_t i = 0; i < RP_COUNT(steps); i++) {
        fixture w;
        start(&w, 0);
        dripping d;
        rp_source *source = open_source(&w, content, steps[i], &d);
        rp_stream *stream = NULL;
        assert_int_equal(
            rp_stream_open_range(&w.context, source, 100, 300, "part", &stream, &w.error),
            REPRISE_OK);
        uint8_t out[400];
        size_t size;
        assert_int_equal(read_up(&w, stream, 64, out, sizeof out, &size), REPRISE_OK);
        assert_int_equal(size, 300);
        assert_memory_equal(out, content.data + 100, 300);
        assert_int_equal(read_up(&w, stream, 64, out, sizeof out, &size), REPRISE_OK);
        assert_int_equal(size, 0);
        rp_stream_close(stream);
        rp_source_close(source);
        finish(&w);
    }
    free(content.data);
}

static void range__lends_memory_but_not_callbacks(void **state)
{
    (void)state;
    blob content = make_content(100);
    for (size_t step = 0; step < 2; step++) {
        fixture w;
        start(&w, 0);
        dripping d;
        rp_source *source = open_source(&w, content, step, &d);
        rp_stream *stream = NULL;
        assert_int_equal(
            rp_stream_open_range(&w.context, source, 10, 50, "part", &stream, &w.error),
            REPRISE_OK);
        const uint8_t *data = content.data;
        size_t size = 99;
        assert_int_equal(rp_stream_lend(stream, &data, &size, &w.error), REPRISE_OK);
        assert_ptr_equal(data, step ? NULL : content.data + 10);
        assert_int_equal(size, step ? 0 : 50);
        assert_int_equal(rp_stream_lend(stream, &data, &size, &w.error), REPRISE_OK);
        assert_int_equal(size, 0);
        assert_true(step || data != NULL);
        rp_stream_close(stream);
        rp_source_close(source);
        finish(&w);
    }
    free(content.data);
}

static void range__past_the_end_is_truncated(void **state)
{
    (void)state;
    blob content = make_content(100);
    static const struct {
        uint64_t offset, size;
    } bad[] = {{0, 101}, {101, 0}, {50, 51}, {UINT64_MAX, 2}, {2, UINT64_MAX}};
    for (size_t i = 0; i < RP_COUNT(bad); i++) {
        fixture w;
        start(&w, 0);
        dripping d;
        rp_source *source = open_source(&w, content, 0, &d);
        rp_stream *stream = NULL;
        assert_int_equal(rp_stream_open_range(&w.context, source, bad[i].offset, bad[i].size,
                                              "part", &stream, &w.error),
                         REPRISE_E_TRUNCATED);
        assert_null(stream);
        rp_source_close(source);
        finish(&w);
    }
    free(content.data);
}

/* ---- both codecs ---- */

static void unpack__reads_the_same_from_every_source(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 31, 5000, 300000};
    static const size_t source_steps[] = {0, 1, 7, 31, 5000};
    static const size_t read_steps[] = {1, 7, 4096, 1 << 20};
    for (size_t c = 0; c < RP_COUNT(codecs); c++)
        for (size_t s = 0; s < RP_COUNT(sizes); s++) {
            blob content = make_content(sizes[s]);
            blob packed = codecs[c].pack(content);
            for (size_t i = 0; i < RP_COUNT(source_steps); i++)
                for (size_t j = 0; j < RP_COUNT(read_steps); j++) {
                    fixture w;
                    start(&w, 0);
                    size_t size;
                    assert_int_equal(unpack(&w, &codecs[c], packed, content, source_steps[i],
                                            read_steps[j], 1000, &size),
                                     REPRISE_OK);
                    assert_int_equal(size, sizes[s]);
                    finish(&w);
                }
            free(packed.data);
            free(content.data);
        }
}

/* How much the library itself decodes from a prefix. */
static size_t decodable(const codec *c, blob packed, uint8_t *out, size_t room)
{
    if (c->open == rp_stream_open_gzip) {
        z_stream z = {.next_in = packed.data, .avail_in = (unsigned)packed.size};
        z.next_out = out;
        z.avail_out = (unsigned)room;
        assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
        inflate(&z, Z_NO_FLUSH);
        size_t size = room - z.avail_out;
        inflateEnd(&z);
        return size;
    }
    BrotliDecoderState *brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    size_t left = packed.size, size = room;
    const uint8_t *at = packed.data;
    BrotliDecoderDecompressStream(brotli, &left, &at, &size, &out, NULL);
    BrotliDecoderDestroyInstance(brotli);
    return room - size;
}

static void unpack__truncated_anywhere_gives_all_decodable_bytes(void **state)
{
    (void)state;
    blob content = make_content(1500);
    uint8_t *out = malloc(content.size);
    for (size_t c = 0; c < RP_COUNT(codecs); c++) {
        blob packed = codecs[c].pack(content);
        for (size_t cut = 0; cut < packed.size; cut++)
            for (size_t step = 0; step < 2; step++) {
                fixture w;
                start(&w, 0);
                blob part = {packed.data, cut};
                size_t size;
                assert_int_equal(unpack(&w, &codecs[c], part, content, step, 512, 0, &size),
                                 REPRISE_E_TRUNCATED);
                assert_int_equal(size, decodable(&codecs[c], part, out, content.size));
                assert_string_equal(w.error.stream, codecs[c].name);
                assert_int_equal(w.error.offset, size);
                finish(&w);
            }
        free(packed.data);
    }
    free(out);
    free(content.data);
}

static void unpack__damage_never_gives_wrong_success(void **state)
{
    (void)state;
    blob content = make_content(1500);
    size_t corrupt = 0;
    for (size_t c = 0; c < RP_COUNT(codecs); c++) {
        blob packed = codecs[c].pack(content);
        uint8_t *out = malloc(1 << 16);
        for (size_t i = 0; i < packed.size; i++) {
            packed.data[i] ^= 0x10;
            fixture w;
            start(&w, 0);
            dripping d;
            rp_source *source = open_source(&w, packed, 0, &d);
            rp_stream *stream = open_unpacker(&w, source, &codecs[c], 0);
            size_t size;
            reprise_status status = read_up(&w, stream, 512, out, 1 << 16, &size);
            if (status == REPRISE_E_CORRUPT) {
                corrupt++;
                assert_non_null(strstr(w.error.message, codecs[c].name));
            }
            /* gzip has a checksum, so decoded data is correct. (Some bits have no meaning.) */
            if (codecs[c].open == rp_stream_open_gzip && status == REPRISE_OK) {
                assert_int_equal(size, content.size);
                assert_memory_equal(out, content.data, size);
            }
            rp_stream_close(stream);
            rp_source_close(source);
            finish(&w);
            packed.data[i] ^= 0x10;
        }
        free(out);
        free(packed.data);
    }
    assert_true(corrupt > 50);
    free(content.data);
}

static void unpack__failure_is_sticky(void **state)
{
    (void)state;
    blob content = make_content(1500);
    for (size_t c = 0; c < RP_COUNT(codecs); c++) {
        fixture w;
        start(&w, 0);
        blob packed = codecs[c].pack(content);
        dripping d;
        blob part = {packed.data, packed.size - 1};
        rp_source *source = open_source(&w, part, 0, &d);
        rp_stream *stream = open_unpacker(&w, source, &codecs[c], 0);
        uint8_t out[2000];
        size_t size;
        for (size_t i = 0; i < 3; i++) {
            rp_error_clear(&w.error);
            assert_int_equal(read_up(&w, stream, 512, out, sizeof out, &size), REPRISE_E_TRUNCATED);
            if (i > 0)
                assert_int_equal(size, 0);
        }
        const uint8_t *data;
        rp_error_clear(&w.error);
        assert_int_equal(rp_stream_lend(stream, &data, &size, &w.error), REPRISE_E_TRUNCATED);
        rp_stream_close(stream);
        rp_source_close(source);
        free(packed.data);
        finish(&w);
    }
    free(content.data);
}

static void unpack__source_failure_is_passed_on(void **state)
{
    (void)state;
    blob content = make_content(500000);
    for (size_t c = 0; c < RP_COUNT(codecs); c++) {
        fixture w;
        start(&w, 0);
        blob packed = codecs[c].pack(content);
        dripping d;
        rp_source *source = open_source(&w, packed, 5000, &d);
        d.fails_at = packed.size - 10;
        rp_stream *stream = open_unpacker(&w, source, &codecs[c], 0);
        uint8_t *out = malloc(content.size);
        size_t size;
        assert_int_equal(read_up(&w, stream, 512, out, content.size, &size), REPRISE_E_IO);
        assert_int_equal(w.error.cause, EIO);
        assert_memory_equal(out, content.data, size);
        free(out);
        rp_stream_close(stream);
        rp_source_close(source);
        free(packed.data);
        finish(&w);
    }
    free(content.data);
}

static void unpack__decoded_bytes_limit(void **state)
{
    (void)state;
    blob content = make_content(5000);
    for (size_t c = 0; c < RP_COUNT(codecs); c++) {
        blob packed = codecs[c].pack(content);
        for (uint64_t max = 4999; max <= 5000; max++) {
            fixture w;
            start(&w, 0);
            w.context.limits.decoded_bytes_max = max;
            size_t size;
            reprise_status status = unpack(&w, &codecs[c], packed, content, 0, 100, 0, &size);
            assert_int_equal(status, max < 5000 ? REPRISE_E_LIMIT : REPRISE_OK);
            if (max < 5000)
                assert_non_null(strstr(w.error.message, "limit decoded_bytes=4999"));
            finish(&w);
        }
        free(packed.data);
    }
    free(content.data);
}

static void unpack__ratio_counts_above_16_mib(void **state)
{
    (void)state;
    enum { FREE = 16 << 20 };
    static const struct {
        size_t size;
        uint64_t ratio_max;
        reprise_status status;
    } cases[] = {
        {FREE, 100, REPRISE_OK},
        {FREE + 1, 100, REPRISE_E_LIMIT},
        {FREE + 1, 0, REPRISE_OK},
        {FREE + 1, 10000000, REPRISE_OK},
    };
    for (size_t c = 0; c < RP_COUNT(codecs); c++)
        for (size_t i = 0; i < RP_COUNT(cases); i++) {
            fixture w;
            start(&w, 0);
            blob content = make_zeros(cases[i].size);
            blob packed = codecs[c].pack(content);
            size_t size;
            assert_int_equal(
                unpack(&w, &codecs[c], packed, content, 0, 1 << 16, cases[i].ratio_max, &size),
                cases[i].status);
            if (cases[i].status != REPRISE_OK)
                assert_non_null(strstr(w.error.message, "limit expansion_ratio=100"));
            free(packed.data);
            free(content.data);
            finish(&w);
        }
}

/* Opens, reads and closes. The error has the result. */
static void unpack_all(fixture *w, const codec *c, blob packed)
{
    dripping d = {.all = packed, .step = 31, .fails_at = UINT64_MAX};
    reprise_source callbacks = {.ctx = &d, .size = packed.size, .read = drip};
    rp_source *source = NULL;
    rp_stream *stream = NULL;
    if (rp_source_open_callbacks(&w->context, &callbacks, &source, &w->error) != REPRISE_OK)
        return;
    if (rp_stream_open_range(&w->context, source, 0, packed.size, "range", &stream, &w->error) ==
            REPRISE_OK &&
        c->open(stream, c->name, 0, &stream, &w->error) == REPRISE_OK) {
        uint8_t *data;
        size_t size;
        if (rp_stream_read_all(stream, 1 << 20, "test", &data, &size, &w->error) == REPRISE_OK)
            rp_free(&w->context, data, size);
        rp_stream_close(stream);
    }
    rp_source_close(source);
}

static void unpack__any_allocation_may_fail(void **state)
{
    (void)state;
    blob content = make_content(100000);
    for (size_t c = 0; c < RP_COUNT(codecs); c++) {
        blob packed = codecs[c].pack(content);
        for (size_t n = 1;; n++) {
            fixture w;
            start(&w, n);
            unpack_all(&w, &codecs[c], packed);
            finish(&w);
            if (test_allocator_survived(&w.allocator)) {
                assert_int_equal(w.error.status, REPRISE_OK);
                assert_true(n > 6);
                break;
            }
            assert_int_equal(w.error.status, REPRISE_E_NOMEM);
        }
        free(packed.data);
    }
    free(content.data);
}

static void unpack__one_codec_inside_the_other(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    blob content = make_content(400000);
    blob inner = pack_brotli(content);
    blob outer = pack_gzip(inner);
    dripping d;
    rp_source *source = open_source(&w, outer, 0, &d);
    rp_stream *stream = open_unpacker(&w, source, &codecs[0], 1000);
    assert_int_equal(rp_stream_open_brotli(stream, "inner", 1000, &stream, &w.error), REPRISE_OK);
    uint8_t *data;
    size_t size;
    assert_int_equal(rp_stream_read_all(stream, content.size, "test", &data, &size, &w.error),
                     REPRISE_OK);
    assert_int_equal(size, content.size);
    assert_memory_equal(data, content.data, size);
    rp_free(&w.context, data, size);
    rp_stream_close(stream);
    rp_source_close(source);

    /* The checksum of the outer data is checked although the inner data ends before it. */
    outer.data[outer.size - 8] ^= 1;
    source = open_source(&w, outer, 0, &d);
    stream = open_unpacker(&w, source, &codecs[0], 1000);
    assert_int_equal(rp_stream_open_brotli(stream, "inner", 1000, &stream, &w.error), REPRISE_OK);
    assert_int_equal(rp_stream_read_all(stream, content.size, "test", &data, &size, &w.error),
                     REPRISE_E_CHECKSUM);
    assert_string_equal(w.error.stream, "gzip");
    rp_stream_close(stream);
    rp_source_close(source);
    free(outer.data);
    free(inner.data);
    free(content.data);
    finish(&w);
}

/* ---- brotli ---- */

static void brotli__lends_what_it_would_read(void **state)
{
    (void)state;
    blob content = make_content(900000);
    blob packed = pack_brotli(content);
    for (size_t mix = 0; mix < 2; mix++) {
        fixture w;
        start(&w, 0);
        dripping d;
        rp_source *source = open_source(&w, packed, 7000, &d);
        rp_stream *stream = open_unpacker(&w, source, &codecs[1], 0);
        size_t done = 0, turns = 0;
        for (;; turns++) {
            const uint8_t *data;
            uint8_t small[100];
            size_t n;
            if (mix && turns % 2) {
                assert_int_equal(rp_stream_read(stream, small, sizeof small, &n, &w.error),
                                 REPRISE_OK);
                data = small;
            } else {
                assert_int_equal(rp_stream_lend(stream, &data, &n, &w.error), REPRISE_OK);
                assert_non_null(data);
            }
            if (n == 0)
                break;
            assert_true(n <= content.size - done);
            assert_memory_equal(data, content.data + done, n);
            done += n;
        }
        assert_true(turns > 1);
        assert_int_equal(done, content.size);
        assert_int_equal(stream->offset, done);
        rp_stream_close(stream);
        rp_source_close(source);
        finish(&w);
    }
    free(packed.data);
    free(content.data);
}

static blob pack_with_window(blob content, int window_bits)
{
    blob b = {NULL, BrotliEncoderMaxCompressedSize(content.size)};
    b.data = malloc(b.size);
    assert_true(BrotliEncoderCompress(5, window_bits, BROTLI_MODE_GENERIC, content.size,
                                      content.data, &b.size, b.data));
    return b;
}

/* Reading the start of a stream must not fill the decoder's window first. */
static void brotli__output_comes_before_the_window_is_full(void **state)
{
    (void)state;
    blob content = make_content(3000000);
    for (int bits = 20; bits <= 24; bits += 2) {
        blob packed = pack_with_window(content, bits);
        fixture w;
        start(&w, 0);
        dripping d;
        rp_source *source = open_source(&w, packed, 0, &d);
        rp_stream *stream = open_unpacker(&w, source, &codecs[1], 0);
        const uint8_t *data;
        size_t n;
        assert_int_equal(rp_stream_lend(stream, &data, &n, &w.error), REPRISE_OK);
        assert_true(n > 0 && n < 100000);
        assert_memory_equal(data, content.data, n);
        rp_stream_close(stream);
        rp_source_close(source);
        finish(&w);
        free(packed.data);
    }
    free(content.data);
}

/* Wherever the damage is, and however input is divided, everything before it is returned. */
static void brotli__damage_loses_nothing_before_it(void **state)
{
    (void)state;
    blob content = make_content(300000);
    blob packed = pack_with_window(content, 22);
    uint8_t *out = malloc(content.size);
    for (size_t at = packed.size / 7; at + 64 < packed.size; at += packed.size / 7) {
        size_t before = decodable(&codecs[1], (blob){packed.data, at}, out, content.size);
        uint8_t *damaged = malloc(packed.size);
        memcpy(damaged, packed.data, packed.size);
        memset(damaged + at, 0xFF, 64);
        for (size_t step = 0; step < 8000; step += 7000) {
            fixture w;
            start(&w, 0);
            dripping d;
            rp_source *source = open_source(&w, (blob){damaged, packed.size}, step, &d);
            rp_stream *stream = open_unpacker(&w, source, &codecs[1], 0);
            size_t got = 0;
            (void)read_up(&w, stream, 5000, out, content.size, &got);
            assert_true(got >= before);
            assert_memory_equal(out, content.data, before);
            rp_stream_close(stream);
            rp_source_close(source);
            rp_error_clear(&w.error);
            finish(&w);
        }
        free(damaged);
    }
    free(out);
    free(packed.data);
    free(content.data);
}

static void brotli__damage_has_the_codecs_own_code(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    uint8_t junk[] = {0x11, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    blob content = make_content(10);
    size_t size;
    assert_int_equal(unpack(&w, &codecs[1], (blob){junk, sizeof junk}, content, 0, 100, 0, &size),
                     REPRISE_E_CORRUPT);
    assert_true(w.error.cause < 0);
    assert_non_null(strstr(w.error.message, "damaged brotli data"));
    free(content.data);
    finish(&w);
}

/* ---- read_all ---- */

static void read_all__keeps_the_maximum(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 16384, 16385, 100000};
    for (size_t i = 0; i < RP_COUNT(sizes); i++)
        for (uint64_t more = 0; more < 2; more++) {
            if (sizes[i] + more == 0)
                continue;
            fixture w;
            start(&w, 0);
            blob content = make_content(sizes[i]);
            dripping d;
            rp_source *source = open_source(&w, content, 0, &d);
            rp_stream *stream = NULL;
            assert_int_equal(
                rp_stream_open_range(&w.context, source, 0, content.size, "all", &stream, &w.error),
                REPRISE_OK);
            uint8_t *data = NULL;
            size_t size = 0;
            reprise_status status = rp_stream_read_all(stream, sizes[i] + more - 1, "text_bytes",
                                                       &data, &size, &w.error);
            if (more) {
                assert_int_equal(status, REPRISE_OK);
                assert_int_equal(size, content.size);
                assert_memory_equal(data, content.data, size);
                rp_free(&w.context, data, size);
            } else {
                assert_int_equal(status, REPRISE_E_LIMIT);
                assert_null(data);
                assert_non_null(strstr(w.error.message, "limit text_bytes="));
            }
            rp_stream_close(stream);
            rp_source_close(source);
            free(content.data);
            finish(&w);
        }
}

/* ---- window ---- */

/* Lends each piece from the same memory, so that the previous piece is overwritten. */
typedef struct pieces {
    rp_stream stream;
    blob content;
    size_t piece;
    uint8_t memory[4096];
} pieces;

static reprise_status lend_piece(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                 reprise_error *error)
{
    (void)error;
    pieces *self = (pieces *)stream;
    size_t size = RP_MIN(self->piece, self->content.size - (size_t)stream->offset);
    memset(self->memory, 0xEE, sizeof self->memory);
    memcpy(self->memory, self->content.data + stream->offset, size);
    stream->offset += size;
    *ret_data = self->memory;
    *ret_size = size;
    return REPRISE_OK;
}

static void close_pieces(rp_stream *stream)
{
    (void)stream;
}

/* Records that span pieces are complete, and after them the window views the piece again. */
static void window__moves_to_the_next_piece(void **state)
{
    (void)state;
    static const rp_stream_ops ops = {.lend = lend_piece, .close = close_pieces};
    static const size_t sizes[] = {1, 60, 199, 200, 1000, 4096};
    blob content = make_content(100 * 61);
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        fixture w;
        start(&w, 0);
        static pieces p;
        p = (pieces){.stream = {.ops = &ops}, .content = content, .piece = sizes[i]};
        rp_window window;
        rp_window_init_stream(&window, &w.context, &p.stream, "pieces");
        size_t at = 0, on_pieces = 0;
        for (; at < content.size; at += 61) {
            assert_int_equal(rp_window_fill(&window, 200, &w.error), REPRISE_OK);
            rp_cursor c = rp_window_cursor(&window);
            assert_true(c.left >= RP_MIN(200, content.size - at));
            assert_memory_equal(c.at, content.data + at, c.left);
            on_pieces += window.base != window.data;
            rp_window_skip(&window, 61);
        }
        assert_int_equal(rp_window_left(&window), 0);
        if (sizes[i] == 1000) /* at most five of the sixteen in a piece begin in the one before */
            assert_true(on_pieces >= 100 - 7 * 5);
        rp_window_free(&window);
        finish(&w);
    }
    free(content.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range__gives_the_part_and_then_the_end),
        cmocka_unit_test(range__lends_memory_but_not_callbacks),
        cmocka_unit_test(range__past_the_end_is_truncated),
        cmocka_unit_test(unpack__reads_the_same_from_every_source),
        cmocka_unit_test(unpack__truncated_anywhere_gives_all_decodable_bytes),
        cmocka_unit_test(unpack__damage_never_gives_wrong_success),
        cmocka_unit_test(unpack__failure_is_sticky),
        cmocka_unit_test(unpack__source_failure_is_passed_on),
        cmocka_unit_test(unpack__decoded_bytes_limit),
        cmocka_unit_test(unpack__ratio_counts_above_16_mib),
        cmocka_unit_test(unpack__any_allocation_may_fail),
        cmocka_unit_test(unpack__one_codec_inside_the_other),
        cmocka_unit_test(brotli__lends_what_it_would_read),
        cmocka_unit_test(brotli__output_comes_before_the_window_is_full),
        cmocka_unit_test(brotli__damage_loses_nothing_before_it),
        cmocka_unit_test(brotli__damage_has_the_codecs_own_code),
        cmocka_unit_test(read_all__keeps_the_maximum),
        cmocka_unit_test(window__moves_to_the_next_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
