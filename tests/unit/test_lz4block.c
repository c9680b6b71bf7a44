/* test_lz4block.c - sized LZ4 blocks: declared sizes and decoded output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec_fixture.h"
#include "lz4block.h"

static const rp_lz4_limits usual = {.size_max = 1 << 20, .ratio_max = 256};

static reprise_status decode(fixture *w, const uint8_t *data, size_t size, rp_lz4_limits limits,
                             rp_writer *to)
{
    rp_error_clear(&w->error);
    to->error = &w->error;
    rp_reader r = rp_reader_of(data, size, "lz4", &w->error);
    bool ok = rp_lz4_read(&r, limits, to);
    assert_int_equal(ok, w->error.status == REPRISE_OK);
    return w->error.status;
}

static void lz4__every_level_round_trips(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 12, 13, 255, 70000};
    for (size_t s = 0; s < RP_COUNT(sizes); s++) {
        blob content = make_content(sizes[s]);
        for (int level = RP_LZ4_FASTEST; level <= RP_LZ4_COMPACT; level++) {
            fixture w;
            rp_writer packed, plain;
            start(&w, 0);
            rp_writer_init(&packed, &w.context, SIZE_MAX / 2, &w.error);
            rp_writer_init(&plain, &w.context, SIZE_MAX / 2, &w.error);
            rp_lz4_write(&packed, content.data, content.size, (rp_lz4_level)level);
            assert_int_equal(rp_load32(packed.data), sizes[s]);
            assert_int_equal(decode(&w, packed.data, packed.size, usual, &plain), REPRISE_OK);
            assert_int_equal(plain.size, content.size);
            if (content.size)
                assert_memory_equal(plain.data, content.data, content.size);
            rp_writer_free(&packed);
            rp_writer_free(&plain);
            finish(&w);
        }
        free(content.data);
    }
}

static void lz4__short_long_trailing_and_truncated_blocks_are_refused(void **state)
{
    (void)state;
    fixture w;
    rp_writer packed, plain;
    blob content = make_content(1000);
    start(&w, 0);
    rp_writer_init(&packed, &w.context, SIZE_MAX / 2, &w.error);
    rp_writer_init(&plain, &w.context, SIZE_MAX / 2, &w.error);
    rp_lz4_write(&packed, content.data, content.size, RP_LZ4_FASTEST);
    for (int lie = -1; lie <= 1; lie += 2) {
        rp_store32(packed.data, (uint32_t)(1000 + lie));
        assert_int_equal(decode(&w, packed.data, packed.size, usual, &plain), REPRISE_E_CORRUPT);
    }
    rp_store32(packed.data, 1000);
    for (size_t size = 0; size < packed.size; size++)
        assert_int_not_equal(decode(&w, packed.data, size, usual, &plain), REPRISE_OK);
    size_t whole = packed.size;
    rp_put_u8(&packed, 0);
    assert_int_equal(decode(&w, packed.data, whole + 1, usual, &plain), REPRISE_E_CORRUPT);
    rp_writer_free(&packed);
    rp_writer_free(&plain);
    free(content.data);
    finish(&w);
}

/* Declared sizes are checked before memory is allocated. */
static void lz4__declared_sizes_allocate_nothing(void **state)
{
    (void)state;
    static const uint32_t claims[] = {(1 << 20) + 1, 256 * 9 + 1, UINT32_MAX};
    for (size_t i = 0; i < RP_COUNT(claims); i++) {
        fixture w;
        rp_writer plain;
        uint8_t data[9] = {0};
        start(&w, 0);
        rp_writer_init(&plain, &w.context, SIZE_MAX / 2, &w.error);
        rp_store32(data, claims[i]);
        assert_int_equal(decode(&w, data, sizeof data, usual, &plain), REPRISE_E_LIMIT);
        assert_int_equal(w.allocator.requests, 0);
        rp_writer_free(&plain);
        finish(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lz4__every_level_round_trips),
        cmocka_unit_test(lz4__short_long_trailing_and_truncated_blocks_are_refused),
        cmocka_unit_test(lz4__declared_sizes_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
