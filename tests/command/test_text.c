/* test_text.c - text on a terminal: widths, cutting, wrapping, sizes, lengths (cli/ui/strbuf.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/strbuf.h"

static void expect(cli_strbuf *text, const char *wanted)
{
    cli_putc(text, '\0');
    assert_string_equal(text->data, wanted);
    cli_strbuf_free(text);
    *text = (cli_strbuf){0};
}

/* ---- width ---- */

static void width__counts_columns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {"\xC3\xA9", 1},                 /* e with an acute accent */
        {"e\xCC\x81", 1},                /* the same of two code points */
        {"\xE6\x97\xA5\xE6\x9C\xAC", 4}, /* CJK */
        {"\xEA\xB0\x80", 2},             /* the first syllable of Hangul */
        {"\xED\x9E\xA3", 2},             /* the last one */
        {"\xF0\x9F\x98\x80", 2},         /* an emoji */
        {"\xE2\x80\x8B", 0},             /* zero width space */
        {"\033[1mbold\033[0m", 4},       /* colours take no room */
        {"\xD0\x94\xD0\xBC", 2},         /* Cyrillic */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cli_width(cases[i].text, strlen(cases[i].text)) != cases[i].columns)
            fail_msg("case %zu has %zu columns", i,
                     cli_width(cases[i].text, strlen(cases[i].text)));
    }
}

static void cut__keeps_columns_and_says_so(void **state)
{
    (void)state;
    cli_strbuf to = {0};
    cli_put_cut(&to, "twelve chars", 12, 12);
    expect(&to, "twelve chars");
    for (size_t columns = 5; columns < 12; columns++) {
        cli_put_cut(&to, "twelve chars", 12, columns);
        assert_int_equal(cli_width(to.data, to.size), columns + 3);
        assert_memory_equal(to.data + to.size - 3, "...", 3);
        assert_memory_equal(to.data, "twelve chars", to.size - 3);
        cli_strbuf_free(&to);
        to = (cli_strbuf){0};
    }
}

/* Every line is as full as it can be, and all words are there. */
static void wrap__fills_lines(void **state)
{
    (void)state;
    static const char text[] = "one three of them, and a longer word: incomprehensible. Some more";
    for (size_t width = 20; width < 70; width++) {
        cli_strbuf to = {0};
        cli_put_wrapped(&to, text, strlen(text), 3, width);
        cli_putc(&to, '\0');
        char joined[256] = "";
        size_t used = 0, column = 3, first = 3;
        for (const char *line = to.data; line;) {
            const char *end = strchr(line, '\n');
            size_t size = end ? (size_t)(end - line) : strlen(line);
            if (line != to.data) {
                assert_memory_equal(line, "   ", 3);
                line += 3;
                size -= 3;
                size_t word = strcspn(line, " \n");
                assert_true(first + column + 1 + word > width); /* it had no room before */
                joined[used++] = ' ';
            }
            assert_true(size + 3 <= width);
            assert_true(size > 0 && line[size - 1] != ' ');
            memcpy(joined + used, line, size);
            used += size;
            column = size;
            line = end ? end + 1 : NULL;
        }
        joined[used] = '\0';
        assert_string_equal(joined, text);
        cli_strbuf_free(&to);
    }
}

/* ---- values ---- */

static void sizes__have_their_unit(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},           {1, "1 B"},
        {1023, "1023 B"},     {1024, "1024 B"},
        {10239, "10239 B"},   {10240, "10.0 KiB"},
        {102400, "100 KiB"},  {1048576, "1.0 MiB"},
        {1468006, "1.4 MiB"}, {UINT64_C(1) << 30, "1.0 GiB"},
    };
    cli_strbuf to = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_put_size(&to, cases[i].bytes);
        expect(&to, cases[i].text);
    }
}

static void durations__are_rounded_to_milliseconds(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "0:00.000"},           {0.0004, "0:00.000"},    {0.0006, "0:00.001"},
        {9.9994, "0:09.999"},      {59.9996, "1:00.000"},   {60, "1:00.000"},
        {62.345, "1:02.345"},      {3599.999, "59:59.999"}, {3600, "1:00:00.000"},
        {3602.345, "1:00:02.345"}, {-0.5, "-0:00.500"},     {36000, "10:00:00.000"},
    };
    cli_strbuf to = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_put_duration(&to, cases[i].seconds);
        expect(&to, cases[i].text);
    }
}

static void reals__have_three_decimals_at_most(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *plain, *fixed;
    } cases[] = {
        {0, "0", "0.000"},        {1, "1", "1.000"},
        {-1.5, "-1.5", "-1.500"}, {0.125, "0.125", "0.125"},
        {2.0004, "2", "2.000"},   {2.0006, "2.001", "2.001"},
        {100, "100", "100.000"},  {1234.56, "1234.56", "1234.560"},
    };
    cli_strbuf to = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_put_real(&to, cases[i].value, false);
        expect(&to, cases[i].plain);
        cli_put_real(&to, cases[i].value, true);
        expect(&to, cases[i].fixed);
    }
}

/* ---- what a file may not do to a terminal ---- */

static void shown__escapes_every_control(void **state)
{
    (void)state;
    static const uint32_t kept[] = {0x20,   0x7E,   0xA0,   0x61B,  0x61D,  0x200D,  0x2010,
                                    0x2027, 0x202F, 0x2065, 0x206A, 0xFEFE, 0x10FFFF};
    static const uint32_t escaped[] = {0,      0x1F,   0x7F,   0x80,   0x9F,   0x61C, 0x200E,
                                       0x200F, 0x2028, 0x202E, 0x2066, 0x2069, 0xFEFF};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0] + sizeof escaped / sizeof escaped[0]; i++) {
        bool keeps = i < sizeof kept / sizeof kept[0];
        uint32_t c = keeps ? kept[i] : escaped[i - sizeof kept / sizeof kept[0]];
        char bytes[4];
        size_t size = 1;
        bytes[0] = (char)c;
        if (c >= 0x10000) {
            size = 4;
            bytes[0] = (char)(0xF0 | c >> 18);
        } else if (c >= 0x800) {
            size = 3;
            bytes[0] = (char)(0xE0 | c >> 12);
        } else if (c >= 0x80) {
            size = 2;
            bytes[0] = (char)(0xC0 | c >> 6);
        }
        for (size_t k = 1; k < size; k++)
            bytes[k] = (char)(0x80 | (c >> 6 * (size - 1 - k) & 0x3F));
        cli_strbuf to = {0};
        cli_put_shown(&to, bytes, size);
        bool same = to.size == size && memcmp(to.data, bytes, size) == 0;
        if (same != keeps)
            fail_msg("U+%04X", c);
        cli_strbuf_free(&to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width__counts_columns),
        cmocka_unit_test(cut__keeps_columns_and_says_so),
        cmocka_unit_test(wrap__fills_lines),
        cmocka_unit_test(sizes__have_their_unit),
        cmocka_unit_test(durations__are_rounded_to_milliseconds),
        cmocka_unit_test(reals__have_three_decimals_at_most),
        cmocka_unit_test(shown__escapes_every_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
