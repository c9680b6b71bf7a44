/* test_sign.c - Ed25519 against published vectors, and signatures that must not verify. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sign.h"
#include "test_allocator.h"

/* RFC 8032, 7.1, test 2: one byte 0x72. */
static const uint8_t private_key[RP_ED25519_KEY] = {
    0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3, 0x46, 0xec, 0x11, 0x4e, 0x0f,
    0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab, 0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb,
};
static const uint8_t public_key[RP_ED25519_KEY] = {
    0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a, 0x92, 0xb7, 0x0a, 0xa7, 0x4d, 0x1b, 0x7e, 0xbc,
    0x9c, 0x98, 0x2c, 0xcf, 0x2e, 0xc4, 0x96, 0x8c, 0xc0, 0xcd, 0x55, 0xf1, 0x2a, 0xf4, 0x66, 0x0c,
};
static const uint8_t signature[RP_ED25519_SIGNATURE] = {
    0x92, 0xa0, 0x09, 0xa9, 0xf0, 0xd4, 0xca, 0xb8, 0x72, 0x0e, 0x82, 0x0b, 0x5f, 0x64, 0x25, 0x40,
    0xa2, 0xb2, 0x7b, 0x54, 0x16, 0x50, 0x3f, 0x8f, 0xb3, 0x76, 0x22, 0x23, 0xeb, 0xdb, 0x69, 0xda,
    0x08, 0x5a, 0xc1, 0xe4, 0x3e, 0x15, 0x99, 0x6e, 0x45, 0x8f, 0x36, 0x13, 0xd0, 0xf1, 0x1d, 0x8c,
    0x38, 0x7b, 0x2e, 0xae, 0xb4, 0x30, 0x2a, 0xee, 0xb0, 0x0d, 0x29, 0x16, 0x12, 0xbb, 0x0c, 0x00,
};

static void sign__published_vector(void **state)
{
    (void)state;
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_ed25519_key *key = NULL;
    uint8_t made[RP_ED25519_SIGNATURE], half[RP_ED25519_KEY];
    assert_int_equal(rp_ed25519_key_private(&context, private_key, &key, &error), REPRISE_OK);
    assert_int_equal(rp_ed25519_key_public_bytes(key, half, &error), REPRISE_OK);
    assert_memory_equal(half, public_key, sizeof half);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rp_ed25519_key_sign(key, "\x72", 1, made, &error), REPRISE_OK);
        assert_memory_equal(made, signature, sizeof made);
    }
    rp_ed25519_key_free(key);
    assert_int_equal(allocator.live_count, 0);
}

static void sign__any_flipped_bit_is_detected(void **state)
{
    (void)state;
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_ed25519_key *key = NULL;
    assert_int_equal(rp_ed25519_key_public(&context, public_key, &key, &error), REPRISE_OK);
    assert_true(rp_ed25519_key_verify(key, signature, "\x72", 1));
    assert_false(rp_ed25519_key_verify(key, signature, "\x73", 1));
    assert_false(rp_ed25519_key_verify(key, signature, "", 0));
    for (size_t bit = 0; bit < 8 * sizeof signature; bit++) {
        uint8_t bent[RP_ED25519_SIGNATURE];
        memcpy(bent, signature, sizeof bent);
        bent[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(rp_ed25519_key_verify(key, bent, "\x72", 1));
    }
    assert_true(rp_ed25519_key_verify(key, signature, "\x72", 1));
    rp_ed25519_key_free(key);
    assert_int_equal(allocator.live_count, 0);
}

static void sign__any_other_key_is_detected(void **state)
{
    (void)state;
    test_allocator allocator;
    rp_context context = test_context(&allocator, 0);
    for (size_t bit = 0; bit < 8 * sizeof public_key; bit++) {
        reprise_error error = REPRISE_ERROR_INIT;
        rp_ed25519_key *key = NULL;
        uint8_t bent[sizeof public_key];
        memcpy(bent, public_key, sizeof bent);
        bent[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (rp_ed25519_key_public(&context, bent, &key, &error) == REPRISE_OK)
            assert_false(rp_ed25519_key_verify(key, signature, "\x72", 1));
        rp_ed25519_key_free(key);
    }
    assert_int_equal(allocator.live_count, 0);
}

static void sign__random_bytes_differ(void **state)
{
    (void)state;
    uint8_t a[32], b[32];
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(rp_random(a, sizeof a, &error), REPRISE_OK);
    assert_int_equal(rp_random(b, sizeof b, &error), REPRISE_OK);
    assert_memory_not_equal(a, b, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign__published_vector),
        cmocka_unit_test(sign__any_flipped_bit_is_detected),
        cmocka_unit_test(sign__any_other_key_is_detected),
        cmocka_unit_test(sign__random_bytes_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
