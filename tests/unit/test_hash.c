/* test_hash.c - digests and checksums against published values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hash.h"
#include "test_allocator.h"

static void sha256__known_digests_and_reuse(void **state)
{
    (void)state;
    static const uint8_t abc[RP_SHA256_SIZE] = {
        0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
        0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
        0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
    };
    static const uint8_t empty[RP_SHA256_SIZE] = {
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
        0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
        0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
    };
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_sha256 *hash = NULL;
    uint8_t digest[RP_SHA256_SIZE];
    assert_int_equal(rp_sha256_new(&context, &hash, &error), REPRISE_OK);
    for (size_t i = 0; i < 3; i++) {
        rp_sha256_update(hash, "a", 1);
        rp_sha256_update(hash, NULL, 0);
        rp_sha256_update(hash, "bc", 2);
        rp_sha256_final(hash, digest);
        assert_memory_equal(digest, abc, sizeof abc);
        rp_sha256_final(hash, digest);
        assert_memory_equal(digest, empty, sizeof empty);
    }
    rp_sha256_free(hash);
    rp_sha256_free(NULL);
    assert_int_equal(allocator.live_count, 0);
}

static void crc32__known_value_in_pieces(void **state)
{
    (void)state;
    assert_int_equal(rp_crc32(0, "123456789", 9), 0xCBF43926);
    uint32_t crc = rp_crc32(0, "1234", 4);
    crc = rp_crc32(crc, NULL, 0);
    assert_int_equal(rp_crc32(crc, "56789", 5), 0xCBF43926);
}

/* Bit by bit, as the checksum is defined. */
static uint32_t crc32_by_bits(uint32_t crc, const uint8_t *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void crc32__any_length_start_and_place(void **state)
{
    (void)state;
    uint8_t data[3000];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    for (size_t size = 0; size <= 2600; size++) {
        const uint8_t *at = data + size % 61;
        uint32_t start = (uint32_t)size * 2654435761u;
        assert_int_equal(rp_crc32(start, at, size), crc32_by_bits(start, at, size));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256__known_digests_and_reuse),
        cmocka_unit_test(crc32__known_value_in_pieces),
        cmocka_unit_test(crc32__any_length_start_and_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
