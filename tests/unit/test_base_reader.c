/* test_base_reader.c - the contract of reader.h: values, sticky errors, sub-readers, counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "reader.h"

static const uint8_t counting[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static void reader__reads_little_endian(void **state)
{
    RP_UNUSED(state);
    static const uint8_t bytes[] = {
        0xFE,                                           /* u8 */
        0x34, 0x12,                                     /* u16 */
        0x78, 0x56, 0x34, 0xF2,                         /* u32 */
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0xF1, /* u64 */
        0xFF, 0xFF,                                     /* i16 */
        0xFE, 0xFF, 0xFF, 0xFF,                         /* i32 */
        0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, /* i64 */
        0x00, 0x00, 0xC0, 0xBF,                         /* f32 */
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x40, /* f64 */
    };
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(bytes, sizeof bytes, "test", &error);
    assert_int_equal(rp_u8(&r, "a"), 0xFE);
    assert_int_equal(rp_u16(&r, "b"), 0x1234);
    assert_int_equal(rp_u32(&r, "c"), 0xF2345678);
    assert_true(rp_u64(&r, "d") == UINT64_C(0xF102030405060708));
    assert_int_equal(rp_i16(&r, "e"), -1);
    assert_int_equal(rp_i32(&r, "f"), -2);
    assert_int_equal(rp_i64(&r, "g"), -3);
    assert_true(rp_f32(&r, "h") == -1.5f);
    assert_true(rp_f64(&r, "i") == 2.5);
    assert_true(rp_ok(&r));
    assert_int_equal(rp_left(&r), 0);
    assert_int_equal(r.offset, sizeof bytes);
}

static void reader__failure_has_an_offset(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, 6, "zip:replay", &error);
    rp_skip(&r, 3, "head");
    assert_int_equal(rp_u32(&r, "frame.size"), 0);
    assert_false(rp_ok(&r));
    assert_int_equal(error.status, REPRISE_E_TRUNCATED);
    assert_string_equal(error.stream, "zip:replay");
    assert_string_equal(error.path, "frame.size");
    assert_string_equal(error.message, "need 4 bytes, 3 left");
    assert_int_equal(error.offset, 3);
}

static void reader__failure_is_sticky(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, 6, "test", &error);
    assert_int_equal(rp_u64(&r, "first"), 0);
    assert_int_equal(rp_left(&r), 0);
    assert_int_equal(r.offset, 6);
    assert_int_equal(rp_u8(&r, "second"), 0);
    assert_int_equal(rp_u16(&r, "second"), 0);
    assert_int_equal(rp_u32(&r, "second"), 0);
    assert_int_equal(rp_u64(&r, "second"), 0);
    assert_true(rp_f32(&r, "second") == 0);
    assert_true(rp_f64(&r, "second") == 0);
    assert_int_equal(rp_leb32(&r, "second"), 0);
    assert_null(rp_take(&r, 1, "second"));
    assert_false(rp_match(&r, counting, 1));
    assert_int_equal(rp_peek(&r), -1);
    assert_string_equal(error.path, "first");
    assert_int_equal(error.offset, 0);
}

static void reader__fail_keeps_the_first(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    rp_skip(&r, 2, "head");
    rp_fail(&r, REPRISE_E_CORRUPT, "kind", "kind %d is unknown", 7);
    rp_fail(&r, REPRISE_E_LIMIT, "other", "later");
    assert_int_equal(error.status, REPRISE_E_CORRUPT);
    assert_string_equal(error.path, "kind");
    assert_string_equal(error.message, "kind 7 is unknown");
    assert_int_equal(error.offset, 2);
    assert_int_equal(rp_left(&r), 0);
}

static void reader__huge_size_does_not_wrap(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    rp_skip(&r, 8, "head");
    assert_null(rp_take(&r, SIZE_MAX, "size"));
    assert_int_equal(error.status, REPRISE_E_TRUNCATED);
    assert_int_equal(rp_left(&r), 0);
}

static void reader__null_is_empty(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(NULL, 100, "test", &error);
    assert_int_equal(rp_left(&r), 0);
    assert_int_equal(rp_u8(&r, "byte"), 0);
    assert_int_equal(error.status, REPRISE_E_TRUNCATED);
}

static void reader__sub_cannot_escape(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    rp_skip(&r, 2, "head");
    rp_reader child = rp_sub(&r, 3, "chunk");
    assert_int_equal(rp_left(&child), 3);
    assert_int_equal(rp_u8(&child, "byte"), 3);
    assert_int_equal(rp_u32(&child, "inside"), 0);
    assert_int_equal(error.status, REPRISE_E_TRUNCATED);
    assert_string_equal(error.message, "need 4 bytes, 2 left");
    /* Offsets are relative to the stream, not to the sub-reader. */
    assert_int_equal(error.offset, 3);
}

static void reader__parent_moves_past_sub(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    rp_reader child = rp_sub(&r, 5, "chunk");
    assert_int_equal(r.offset, 5);
    assert_int_equal(rp_u8(&r, "next"), 6);
    assert_int_equal(rp_u8(&child, "inside"), 1);
    assert_int_equal(rp_u8(&r, "next"), 7);
    assert_int_equal(rp_left(&child), 4);
}

static void reader__sub_beyond_parent_is_empty(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    rp_reader child = rp_sub(&r, sizeof counting + 1, "chunk");
    assert_int_equal(rp_left(&child), 0);
    assert_int_equal(rp_left(&r), 0);
    assert_int_equal(error.status, REPRISE_E_TRUNCATED);
    assert_string_equal(error.path, "chunk");
}

static void reader__match_moves_only_if_equal(void **state)
{
    RP_UNUSED(state);
    static const uint8_t wrong[] = {1, 3};
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, 3, "test", &error);
    assert_false(rp_match(&r, wrong, sizeof wrong));
    assert_false(rp_match(&r, counting, 4));
    assert_int_equal(r.offset, 0);
    assert_true(rp_match(&r, counting, 2));
    assert_int_equal(r.offset, 2);
    assert_int_equal(rp_peek(&r), 3);
    assert_int_equal(rp_u8(&r, "last"), 3);
    assert_int_equal(rp_peek(&r), -1);
    assert_true(rp_ok(&r));
}

static uint32_t leb32_of(const uint8_t *bytes, size_t size, reprise_error *error, size_t *ret_left)
{
    rp_reader r = rp_reader_of(bytes, size, "test", error);
    uint32_t value = rp_leb32(&r, "number");
    *ret_left = rp_left(&r);
    return value;
}

static void reader__leb32_reads_all_lengths(void **state)
{
    RP_UNUSED(state);
    static const struct {
        uint8_t bytes[6];
        size_t used;
        uint32_t value;
    } cases[] = {
        {{0x00}, 1, 0},
        {{0x7F}, 1, 127},
        {{0x80, 0x01}, 2, 128},
        {{0xE5, 0x8E, 0x26}, 3, 624485},
        {{0xFF, 0xFF, 0xFF, 0x7F}, 4, 0x0FFFFFFF},
        {{0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, 5, UINT32_MAX},
        {{0x80, 0x00}, 2, 0}, /* a longer encoding than needed is valid */
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        size_t left;
        assert_int_equal(leb32_of(cases[i].bytes, 6, &error, &left), cases[i].value);
        assert_int_equal(error.status, REPRISE_OK);
        assert_int_equal(left, 6 - cases[i].used);
    }
}

static void reader__leb32_refuses_more_than_32_bits(void **state)
{
    RP_UNUSED(state);
    static const uint8_t cases[][6] = {
        {0xFF, 0xFF, 0xFF, 0xFF, 0x10},
        {0x80, 0x80, 0x80, 0x80, 0x80, 0x00},
        {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        size_t left;
        assert_int_equal(leb32_of(cases[i], 6, &error, &left), 0);
        assert_int_equal(error.status, REPRISE_E_CORRUPT);
        assert_int_equal(left, 0);
    }
}

static void reader__leb32_truncated_gives_zero(void **state)
{
    RP_UNUSED(state);
    static const uint8_t bytes[] = {0xE5, 0x8E};
    reprise_error error = REPRISE_ERROR_INIT;
    size_t left;
    assert_int_equal(leb32_of(bytes, sizeof bytes, &error, &left), 0);
    assert_int_equal(error.status, REPRISE_E_TRUNCATED);
}

static void reader__count_must_fit_the_window(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    assert_int_equal(rp_count(&r, 4, 4, 100, "items"), 4);
    assert_int_equal(rp_count(&r, 0, 4, 100, "items"), 0);
    assert_true(rp_ok(&r));
    assert_int_equal(rp_count(&r, 5, 4, 100, "items"), 0);
    assert_int_equal(error.status, REPRISE_E_CORRUPT);
    assert_string_equal(error.message, "5 items cannot fit in 16 bytes");
    assert_int_equal(rp_count(&r, 0, 0, 100, "later"), 0);
    assert_string_equal(error.path, "items");
}

static void reader__count_product_does_not_wrap(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    assert_int_equal(rp_count(&r, UINT64_C(1) << 62, 4, UINT64_MAX, "items"), 0);
    assert_int_equal(error.status, REPRISE_E_CORRUPT);
}

static void reader__count_keeps_the_limit(void **state)
{
    RP_UNUSED(state);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(counting, sizeof counting, "test", &error);
    assert_int_equal(rp_count(&r, 3, 0, 3, "items"), 3);
    assert_int_equal(rp_count(&r, 4, 0, 3, "items"), 0);
    assert_int_equal(error.status, REPRISE_E_LIMIT);
    assert_string_equal(error.message, "4 items are over limit items=3");
}

/* Reads a typical record: header, sized chunk, rest. Returns its sum. */
static uint64_t read_record(rp_reader *r)
{
    uint64_t sum = rp_u16(r, "a") + rp_u8(r, "b");
    rp_reader chunk = rp_sub(r, rp_u8(r, "size"), "chunk");
    while (rp_ok(&chunk) && rp_left(&chunk))
        sum += rp_u16(&chunk, "item");
    return sum + rp_leb32(r, "c") + rp_u32(r, "d");
}

static void reader__every_truncation_fails_cleanly(void **state)
{
    RP_UNUSED(state);
    static const uint8_t record[] = {1, 0, 2, 4, 3, 0, 4, 0, 0x85, 0x00, 6, 0, 0, 0};
    for (size_t size = 0; size <= sizeof record; size++) {
        /* A block of exactly this size, so the sanitizer detects any overrun. */
        uint8_t *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, record, size);
        reprise_error error = REPRISE_ERROR_INIT;
        rp_reader r = rp_reader_of(copy, size, "test", &error);
        uint64_t sum = read_record(&r);
        if (size == sizeof record) {
            assert_int_equal(error.status, REPRISE_OK);
            assert_int_equal(sum, 1 + 2 + 3 + 4 + 5 + 6);
        } else {
            assert_int_equal(error.status, REPRISE_E_TRUNCATED);
            assert_true(error.offset <= size);
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader__reads_little_endian),
        cmocka_unit_test(reader__failure_has_an_offset),
        cmocka_unit_test(reader__failure_is_sticky),
        cmocka_unit_test(reader__fail_keeps_the_first),
        cmocka_unit_test(reader__huge_size_does_not_wrap),
        cmocka_unit_test(reader__null_is_empty),
        cmocka_unit_test(reader__sub_cannot_escape),
        cmocka_unit_test(reader__parent_moves_past_sub),
        cmocka_unit_test(reader__sub_beyond_parent_is_empty),
        cmocka_unit_test(reader__match_moves_only_if_equal),
        cmocka_unit_test(reader__leb32_reads_all_lengths),
        cmocka_unit_test(reader__leb32_refuses_more_than_32_bits),
        cmocka_unit_test(reader__leb32_truncated_gives_zero),
        cmocka_unit_test(reader__count_must_fit_the_window),
        cmocka_unit_test(reader__count_product_does_not_wrap),
        cmocka_unit_test(reader__count_keeps_the_limit),
        cmocka_unit_test(reader__every_truncation_fails_cleanly),
    };
    return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
