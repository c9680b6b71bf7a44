/* test_gzip.c - the gzip header and trailer, and decoding in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <zlib.h>

#include "codec_fixture.h"
#include "hash.h"

/* A member whose header has every optional field, with the right header checksum. */
static blob make_full_header(blob content)
{
    static const uint8_t head[] = "\x1f\x8b\x08\x1f\0\0\0\0\0\x03"
                                  "\x05\0extra"
                                  "name.bin\0"
                                  "a comment";
    blob plain = pack_gzip(content);
    blob b = {malloc(sizeof head + 2 + plain.size), 0};
    memcpy(b.data, head, sizeof head);
    uint32_t crc = rp_crc32(0, head, sizeof head);
    b.data[sizeof head] = (uint8_t)crc;
    b.data[sizeof head + 1] = (uint8_t)(crc >> 8);
    memcpy(b.data + sizeof head + 2, plain.data + 10, plain.size - 10);
    b.size = sizeof head + 2 + plain.size - 10;
    free(plain.data);
    return b;
}

static void gzip__header_fields_are_skipped(void **state)
{
    (void)state;
    blob content = make_content(3000);
    blob packed = make_full_header(content);
    for (size_t step = 0; step < 3; step++) {
        fixture w;
        start(&w, 0);
        size_t size;
        assert_int_equal(unpack(&w, &codecs[0], packed, content, step, 512, 0, &size), REPRISE_OK);
        assert_int_equal(size, content.size);
        finish(&w);
    }
    size_t header = packed.size - 20 < 40 ? packed.size - 20 : 40;
    for (size_t cut = 0; cut < header; cut++) {
        fixture w;
        start(&w, 0);
        size_t size;
        assert_int_equal(
            unpack(&w, &codecs[0], (blob){packed.data, cut}, content, 0, 512, 0, &size),
            REPRISE_E_TRUNCATED);
        finish(&w);
    }
    free(packed.data);
    free(content.data);
}

static void gzip__header_and_trailer_are_checked(void **state)
{
    (void)state;
    blob content = make_content(3000);
    blob packed = make_full_header(content);
    const struct {
        size_t at;
        uint8_t flip;
        reprise_status status;
        size_t given;
        const char *message;
    } cases[] = {
        {0, 0xFF, REPRISE_E_CORRUPT, 0, "does not start with 1f 8b"},
        {2, 0x0F, REPRISE_E_UNSUPPORTED, 0, "method 7"},
        {3, 0x80, REPRISE_E_CORRUPT, 0, "flags"},
        {13, 0x01, REPRISE_E_CHECKSUM, 0, "header"},
        {packed.size - 8, 0x01, REPRISE_E_CHECKSUM, 3000, "CRC-32"},
        {packed.size - 4, 0x01, REPRISE_E_CHECKSUM, 3000, "3000 bytes, stored 3001"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        packed.data[cases[i].at] ^= cases[i].flip;
        fixture w;
        start(&w, 0);
        size_t size;
        assert_int_equal(unpack(&w, &codecs[0], packed, content, 0, 512, 0, &size),
                         cases[i].status);
        assert_int_equal(size, cases[i].given);
        assert_non_null(strstr(w.error.message, cases[i].message));
        finish(&w);
        packed.data[cases[i].at] ^= cases[i].flip;
    }
    free(packed.data);
    free(content.data);
}

static void gzip__damage_has_zlibs_own_code(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    uint8_t junk[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x07, 0xFF, 0xFF};
    blob content = make_content(10);
    size_t size;
    assert_int_equal(unpack(&w, &codecs[0], (blob){junk, sizeof junk}, content, 0, 100, 0, &size),
                     REPRISE_E_CORRUPT);
    assert_int_equal(w.error.cause, Z_DATA_ERROR);
    assert_non_null(strstr(w.error.message, "invalid block type"));
    free(content.data);
    finish(&w);
}

static void gzip__second_member_is_not_joined(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    blob content = make_content(700);
    blob packed = pack_gzip(content);
    blob twice = {malloc(packed.size * 2), packed.size * 2};
    memcpy(twice.data, packed.data, packed.size);
    memcpy(twice.data + packed.size, packed.data, packed.size);
    size_t size;
    assert_int_equal(unpack(&w, &codecs[0], twice, content, 0, 512, 0, &size), REPRISE_OK);
    assert_int_equal(size, content.size);
    uint8_t *data;
    assert_int_equal(
        rp_gzip_decode(&w.context, twice.data, twice.size, 0, 1 << 20, &data, &size, &w.error),
        REPRISE_OK);
    assert_int_equal(size, content.size);
    rp_free(&w.context, data, size);
    free(twice.data);
    free(packed.data);
    free(content.data);
    finish(&w);
}

static void gzip_decode__any_expected_size_works(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 5000, 1000000};
    for (size_t i = 0; i < RP_COUNT(sizes); i++) {
        blob content = make_content(sizes[i]);
        blob packed = pack_gzip(content);
        const size_t expected[] = {0, 1, sizes[i], sizes[i] + 1, sizes[i] / 3, SIZE_MAX};
        for (size_t j = 0; j < RP_COUNT(expected); j++) {
            fixture w;
            start(&w, 0);
            uint8_t *data = NULL;
            size_t size = 0;
            assert_int_equal(rp_gzip_decode(&w.context, packed.data, packed.size, expected[j],
                                            sizes[i], &data, &size, &w.error),
                             REPRISE_OK);
            assert_int_equal(size, content.size);
            assert_memory_equal(data, content.data, size);
            rp_free(&w.context, data, size);
            finish(&w);
        }
        free(packed.data);
        free(content.data);
    }
}

static void gzip_decode__expected_size_is_bounded_by_the_data(void **state)
{
    (void)state;
    fixture w;
    start(&w, 0);
    w.context.memory_max = 1 << 20;
    blob content = make_content(100);
    blob packed = pack_gzip(content);
    uint8_t *data;
    size_t size;
    assert_int_equal(rp_gzip_decode(&w.context, packed.data, packed.size, SIZE_MAX, UINT64_MAX,
                                    &data, &size, &w.error),
                     REPRISE_OK);
    rp_free(&w.context, data, size);
    free(packed.data);
    free(content.data);
    finish(&w);
}

static void gzip_decode__checks_the_header_like_the_stream(void **state)
{
    (void)state;
    blob content = make_content(3000);
    blob packed = make_full_header(content);
    for (uint8_t flip = 0; flip < 2; flip++) {
        packed.data[13] ^= flip;
        fixture w;
        start(&w, 0);
        uint8_t *data;
        size_t size;
        assert_int_equal(rp_gzip_decode(&w.context, packed.data, packed.size, 3000, 3000, &data,
                                        &size, &w.error),
                         flip ? REPRISE_E_CHECKSUM : REPRISE_OK);
        if (!flip)
            rp_free(&w.context, data, size);
        finish(&w);
    }
    free(packed.data);
    free(content.data);
}

static void gzip_decode__reports_the_damage(void **state)
{
    (void)state;
    blob content = make_content(5000);
    blob packed = pack_gzip(content);
    const struct {
        size_t cut, at;
        uint64_t max;
        reprise_status status;
        const char *message;
    } cases[] = {
        {1, SIZE_MAX, 5000, REPRISE_E_TRUNCATED, "ends early"},
        {packed.size / 2, SIZE_MAX, 5000, REPRISE_E_TRUNCATED, "ends early"},
        {packed.size, SIZE_MAX, 5000, REPRISE_E_TRUNCATED, "ends early"},
        {0, packed.size - 7, 5000, REPRISE_E_CHECKSUM, "CRC-32"},
        {0, 0, 5000, REPRISE_E_CORRUPT, "1f 8b"},
        {0, SIZE_MAX, 4999, REPRISE_E_LIMIT, "limit decoded_bytes=4999"},
        {0, SIZE_MAX, 0, REPRISE_E_LIMIT, "limit decoded_bytes=0"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        blob bad = {malloc(packed.size), packed.size - cases[i].cut};
        memcpy(bad.data, packed.data, packed.size);
        if (cases[i].at != SIZE_MAX)
            bad.data[cases[i].at] ^= 1;
        fixture w;
        start(&w, 0);
        uint8_t *data = NULL;
        size_t size;
        assert_int_equal(rp_gzip_decode(&w.context, bad.data, bad.size, 5000, cases[i].max, &data,
                                        &size, &w.error),
                         cases[i].status);
        assert_null(data);
        assert_non_null(strstr(w.error.message, cases[i].message));
        free(bad.data);
        finish(&w);
    }
    free(packed.data);
    free(content.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip__header_fields_are_skipped),
        cmocka_unit_test(gzip__header_and_trailer_are_checked),
        cmocka_unit_test(gzip__damage_has_zlibs_own_code),
        cmocka_unit_test(gzip__second_member_is_not_joined),
        cmocka_unit_test(gzip_decode__any_expected_size_works),
        cmocka_unit_test(gzip_decode__expected_size_is_bounded_by_the_data),
        cmocka_unit_test(gzip_decode__checks_the_header_like_the_stream),
        cmocka_unit_test(gzip_decode__reports_the_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
