/* test_base_utf8.c - the contract of utf8.h, checked for all sequences where that is fast. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "checked.h"
#include "utf8.h"

static bool is_surrogate(uint32_t character)
{
    return character >= 0xD800 && character <= 0xDFFF;
}

static void utf8__every_character_round_trips(void **state)
{
    RP_UNUSED(state);
    for (uint32_t character = 0; character <= 0x10FFFF; character++) {
        char text[4];
        size_t size = rp_utf8_put(text, character);
        if (is_surrogate(character)) {
            assert_int_equal(rp_utf8_valid(text, size), 0);
            continue;
        }
        size_t size_expected = character < 0x80      ? 1
                               : character < 0x800   ? 2
                               : character < 0x10000 ? 3
                                                     : 4;
        size_t size_read = 0;
        if (size != size_expected || rp_utf8_valid(text, size) != size ||
            rp_utf8_next(text, &size_read) != character || size_read != size)
            fail_msg("character U+%04X", (unsigned)character);
    }
}

/* There are exactly as many well-formed sequences as characters of that length. */
static void utf8__no_other_sequence_is_valid(void **state)
{
    RP_UNUSED(state);
    size_t two = 0, three = 0;
    for (unsigned a = 0x80; a < 0x100; a++) {
        for (unsigned b = 0; b < 0x100; b++) {
            char text[3] = {(char)a, (char)b, 0};
            two += rp_utf8_valid(text, 2) == 2;
            for (unsigned c = 0; c < 0x100; c++) {
                text[2] = (char)c;
                three += rp_utf8_valid(text, 3) == 3;
            }
        }
    }
    assert_int_equal(two, 0x800 - 0x80);
    /* Three-byte characters, and two-byte ones followed by an ASCII character. */
    assert_int_equal(three, (0x10000 - 0x800 - 0x800) + two * 0x80);
}

static void utf8__four_byte_edges(void **state)
{
    RP_UNUSED(state);
    static const struct {
        const char *text;
        size_t valid;
    } cases[] = {
        {"\xF0\x90\x80\x80", 4}, {"\xF4\x8F\xBF\xBF", 4}, {"\xF0\x8F\xBF\xBF", 0}, /* overlong */
        {"\xF4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"\xF5\x80\x80\x80", 0}, {"\xF8\x88\x80\x80", 0}, {"\xF1\x80\x80\x7F", 0},
        {"\xF1\x80\xC0\x80", 0}, {"\xF1\x80\x80\xC0", 0}, {"\xFF\xFE\x41\x41", 0},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++)
        assert_int_equal(rp_utf8_valid(cases[i].text, 4), cases[i].valid);
}

static void utf8__finds_a_bad_byte_at_every_place(void **state)
{
    RP_UNUSED(state);
    char text[40];
    for (size_t size = 1; size <= sizeof text; size++) {
        for (size_t bad = 0; bad < size; bad++) {
            memset(text, 'a', size);
            text[bad] = (char)0x80;
            assert_int_equal(rp_utf8_valid(text, size), bad);
        }
        memset(text, 'a', size);
        assert_int_equal(rp_utf8_valid(text, size), size);
    }
}

static void utf8__truncated_characters_are_not_counted(void **state)
{
    RP_UNUSED(state);
    /* "aé€😀": the ends of its characters are 1, 3, 6, 10. */
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    static const size_t valid[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (size_t size = 0; size < sizeof text; size++)
        assert_int_equal(rp_utf8_valid(text, size), valid[size]);
}

static void utf8__nul_is_a_character(void **state)
{
    RP_UNUSED(state);
    assert_int_equal(rp_utf8_valid("a\0b", 3), 3);
    size_t size = 0;
    assert_int_equal(rp_utf8_next("\0", &size), 0);
    assert_int_equal(size, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8__every_character_round_trips),
        cmocka_unit_test(utf8__no_other_sequence_is_valid),
        cmocka_unit_test(utf8__four_byte_edges),
        cmocka_unit_test(utf8__finds_a_bad_byte_at_every_place),
        cmocka_unit_test(utf8__truncated_characters_are_not_counted),
        cmocka_unit_test(utf8__nul_is_a_character),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
