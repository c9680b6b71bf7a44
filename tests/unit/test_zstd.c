/* test_zstd.c - zstd streams: blocks of every kind, and declared sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zstd.h>

#include "codec_fixture.h"

enum { RANDOM_SIZE = 200000, RUN_SIZE = 300000, BLOCK_SIZE = 1 << 17 };

static blob pack_at(blob content, int window_log)
{
    ZSTD_CCtx *encoder = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(encoder, ZSTD_c_compressionLevel, 5);
    ZSTD_CCtx_setParameter(encoder, ZSTD_c_checksumFlag, 1);
    if (window_log)
        ZSTD_CCtx_setParameter(encoder, ZSTD_c_windowLog, window_log);
    size_t bound = ZSTD_compressBound(content.size);
    blob b = {malloc(bound), 0};
    b.size = ZSTD_compress2(encoder, b.data, bound, content.data, content.size);
    assert_false(ZSTD_isError(b.size));
    ZSTD_freeCCtx(encoder);
    return b;
}

static const codec zstd = {"zstd", NULL, rp_stream_open_zstd};

static void put_noise(uint8_t *to, size_t size)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        to[i] = (uint8_t)(state >> 24);
    }
}

/* Raw blocks, runs, and a copy of the beginning, which needs a window. */
static blob mixed_content(void)
{
    blob content = {malloc(2 * RANDOM_SIZE + RUN_SIZE), 2 * RANDOM_SIZE + RUN_SIZE};
    put_noise(content.data, RANDOM_SIZE);
    memset(content.data + RANDOM_SIZE, 'x', RUN_SIZE);
    memcpy(content.data + RANDOM_SIZE + RUN_SIZE, content.data, RANDOM_SIZE);
    return content;
}

static void zstd__compressed_blocks_refer_to_raw_blocks_and_runs(void **state)
{
    RP_UNUSED(state);
    static const int window_logs[] = {0, 17, 18, 20, 24};
    static const size_t steps[] = {0, 7, 4096};
    blob content = mixed_content();
    for (size_t i = 0; i < RP_COUNT(window_logs); i++) {
        blob packed = pack_at(content, window_logs[i]);
        for (size_t k = 0; k < RP_COUNT(steps); k++) {
            fixture w;
            start(&w, 0);
            size_t size = 0;
            assert_int_equal(unpack(&w, &zstd, packed, content, steps[k], 1000, 0, &size),
                             REPRISE_OK);
            assert_int_equal(size, content.size);
            finish(&w);
        }
        free(packed.data);
    }
    free(content.data);
}

/* A single-segment frame: `size` bytes in runs of `byte`, then the given last block. */
static blob runs(uint64_t size, uint8_t byte, const uint8_t *last, size_t last_size)
{
    size_t count = (size_t)(size / BLOCK_SIZE);
    blob b = {malloc(13 + 4 * count + last_size), 0};
    uint32_t magic = 0xFD2FB528;
    memcpy(b.data, &magic, 4);
    b.data[4] = 0xE0;
    memcpy(b.data + 5, &size, 8);
    b.size = 13;
    for (size_t i = 0; i < count; i++) {
        uint32_t head = (i + 1 == count && !last_size ? 1u : 0u) | 2u | (uint32_t)BLOCK_SIZE << 3;
        memcpy(b.data + b.size, &head, 3);
        b.data[b.size + 3] = byte;
        b.size += 4;
    }
    if (last_size)
        memcpy(b.data + b.size, last, last_size);
    b.size += last_size;
    return b;
}

static reprise_status drain(fixture *w, blob packed, uint64_t *ret_size)
{
    dripping d;
    rp_source *source = open_source(w, packed, 0, &d);
    rp_stream *stream = open_unpacker(w, source, &zstd, 0);
    static uint8_t piece[1 << 16];
    size_t n = 1;
    reprise_status status = REPRISE_OK;
    while (status == REPRISE_OK && n)
        status = rp_stream_read(stream, piece, sizeof piece, &n, &w->error);
    *ret_size = stream->offset;
    rp_stream_close(stream);
    rp_source_close(source);
    return status;
}

static void zstd__runs_need_no_window(void **state)
{
    RP_UNUSED(state);
    const uint64_t size = UINT64_C(1) << 30;
    blob packed = runs(size, 0, NULL, 0);
    fixture w;
    start(&w, 0);
    w.context.memory_max = 1 << 20;
    uint64_t got = 0;
    assert_int_equal(drain(&w, packed, &got), REPRISE_OK);
    assert_true(got == size);
    finish(&w);
    free(packed.data);
}

/* A compressed block after 256 MiB of runs needs the window. */
static void zstd__windows_above_128_mib_are_refused(void **state)
{
    RP_UNUSED(state);
    uint8_t text[1000];
    memset(text, 'y', sizeof text);
    blob frame = pack_at((blob){text, sizeof text}, 10);
    assert_int_equal(frame.data[4] & 0x20, 0x20); /* one segment: size in two bytes */
    const uint8_t *block = frame.data + 7;
    assert_int_equal(block[0] >> 1 & 3, 2);
    size_t block_size = 3 + (size_t)((block[0] | block[1] << 8 | block[2] << 16) >> 3);
    blob packed = runs(UINT64_C(256) << 20, 0, block, block_size);
    fixture w;
    start(&w, 0);
    uint64_t got = 0;
    assert_int_equal(drain(&w, packed, &got), REPRISE_E_LIMIT);
    assert_non_null(strstr(w.error.message, "window"));
    assert_true(got == UINT64_C(256) << 20);
    finish(&w);
    free(packed.data);
    free(frame.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zstd__compressed_blocks_refer_to_raw_blocks_and_runs),
        cmocka_unit_test(zstd__runs_need_no_window),
        cmocka_unit_test(zstd__windows_above_128_mib_are_refused),
    };
    return cmocka_run_group_tests_name("zstd", tests, NULL, NULL);
}
