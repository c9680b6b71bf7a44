/* test_json.c - reading and writing JSON: grammar, limits, error offsets, output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checked.h"
#include "json.h"

#include "document_fixture.h"

/* The value as text, valid until the next call. */
static const char *written(fixture *f, const reprise_value *value, rp_json_format format)
{
    rp_writer_clear(&f->w);
    rp_json_write(&f->w, value, &format);
    rp_put_u8(&f->w, 0);
    assert_int_equal(f->error.status, REPRISE_OK);
    return (const char *)f->w.data;
}

static const rp_json_format exact = {.exact_integers = true};

static void json__canonical_text_comes_back_unchanged(void **state)
{
    static const char *const texts[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-1",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890",
        "0.0",
        "-0.0",
        "1.50",
        "1E5",
        "1e+05",
        "0e-0",
        "12.25e-30",
        "1e999",
        "0.30000000000000000000000000000000000000001",
        "\"\"",
        "\"plain\"",
        "\"0123456\"",
        "\"01234567\"",
        "\"012345678\"",
        "\"\\b\\t\\n\\f\\r\\u0000\\u001f\\\"\\\\/\x7f\"",
        "\"Gr\xC3\xBC\xC3\x9F \xE2\x80\xA8\xE2\x80\xA9 \xF0\x9F\x98\x80\"",
        "[]",
        "{}",
        "[[],{},[[]],{\"\":{}}]",
        "[1,-2,3.5,\"x\",null,true,false]",
        "{\"a\":1,\"b\":{\"c\":[1,2,{\"d\":null}]},\"a\":2}",
        "{\"\\u0000\":0,\"\\u0000x\":1}",
    };
    fixture *f = *state;
    for (size_t i = 0; i < RP_COUNT(texts); i++)
        assert_string_equal(written(f, parsed(f, texts[i]), exact), texts[i]);
}

static void json__other_spellings_mean_the_same(void **state)
{
    static const struct {
        const char *text, *canonical;
    } cases[] = {
        {" \t\r\n[ 1 , 2 ]\n", "[1,2]"},
        {"{ }", "{}"},
        {"[\n]", "[]"},
        {" { \"a\" : 1 , \"b\" : [ ] } ", "{\"a\":1,\"b\":[]}"},
        {"\"\\u0041\\/\\u00e9\\u20AC\\uFFFF\"", "\"A/\xC3\xA9\xE2\x82\xAC\xEF\xBF\xBF\""},
        {"\"\\ud83d\\ude00\\uD800\\uDC00\\uDBFF\\uDFFF\"",
         "\"\xF0\x9F\x98\x80\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""},
        {"\"a\\nb\\u000ac\\u0008\"", "\"a\\nb\\nc\\b\""},
        {"\"\\\\\\\"\\\\\"", "\"\\\\\\\"\\\\\""},
        {"\"\\\\\"", "\"\\\\\""},
        {"{\"\\u0061\\\"\":1}", "{\"a\\\"\":1}"},
        {"\xEF\xBB\xBF[0]", "[0]"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < RP_COUNT(cases); i++)
        assert_string_equal(written(f, parsed(f, cases[i].text), exact), cases[i].canonical);
}

typedef struct rejected {
    const char *text;
    reprise_status status;
    uint64_t offset;
    const char *path, *message;
} rejected;

static void check_rejected(fixture *f, const rejected *c, size_t size)
{
    static reprise_value untouched;
    reprise_value *value = &untouched;
    rp_json_notes notes = {.duplicate_keys = 77};
    rp_error_clear(&f->error);
    reprise_status status = rp_json_parse(&f->doc, c->text, size, "zip:m.json", &value, &notes);
    if (status != c->status || f->error.status != c->status || f->error.offset != c->offset ||
        strcmp(f->error.path, c->path) != 0 || strcmp(f->error.message, c->message) != 0)
        fail_msg("%s: status %d offset %llu path '%s' message '%s'", c->text, (int)status,
                 (unsigned long long)f->error.offset, f->error.path, f->error.message);
    assert_string_equal(f->error.stream, "zip:m.json");
    assert_ptr_equal(value, &untouched);
    assert_int_equal(notes.duplicate_keys, 77);
    rp_error_clear(&f->error);
}

#define BAD REPRISE_E_CORRUPT
#define CUT REPRISE_E_TRUNCATED

static void json__bad_grammar_is_refused_with_its_offset(void **state)
{
    static const rejected cases[] = {
        {"", CUT, 0, "", "expected a value, found the end"},
        {" \n", CUT, 2, "", "expected a value, found the end"},
        {"\xEF\xBB\xBF", CUT, 3, "", "expected a value, found the end"},
        {"\xEF\xBB", BAD, 0, "", "expected a value, found byte 0xef"},
        {"[\xEF\xBB\xBF]", BAD, 1, "[0]", "expected a value, found byte 0xef"},
        {"\xEF\xBB\xBF\xEF\xBB\xBF{}", BAD, 3, "", "expected a value, found byte 0xef"},
        {"[", CUT, 1, "[0]", "expected a value, found the end"},
        {"[1", CUT, 2, "", "expected ',' or ']', found the end"},
        {"[1,", CUT, 3, "[1]", "expected a value, found the end"},
        {"[1,]", BAD, 3, "[1]", "expected a value, found ']'"},
        {"[,1]", BAD, 1, "[0]", "expected a value, found ','"},
        {"[1 2]", BAD, 3, "", "expected ',' or ']', found '2'"},
        {"[1}", BAD, 2, "", "expected ',' or ']', found '}'"},
        {"[}", BAD, 1, "[0]", "expected a value, found '}'"},
        {"]", BAD, 0, "", "expected a value, found ']'"},
        {"{", CUT, 1, "", "expected a key, found the end"},
        {"{]", BAD, 1, "", "expected a key, found ']'"},
        {"{,}", BAD, 1, "", "expected a key, found ','"},
        {"{a:1}", BAD, 1, "", "expected a key, found 'a'"},
        {"{'a':1}", BAD, 1, "", "expected a key, found '''"},
        {"{1:1}", BAD, 1, "", "expected a key, found '1'"},
        {"{\"a\"}", BAD, 4, "a", "expected ':', found '}'"},
        {"{\"a\"", CUT, 4, "a", "expected ':', found the end"},
        {"{\"a\" 1}", BAD, 5, "a", "expected ':', found '1'"},
        {"{\"a\":}", BAD, 5, "a", "expected a value, found '}'"},
        {"{\"a\":1,}", BAD, 7, "", "expected a key, found '}'"},
        {"{\"a\":1 \"b\":2}", BAD, 7, "", "expected ',' or '}', found '\"'"},
        {"{\"a\":1]", BAD, 6, "", "expected ',' or '}', found ']'"},
        {"[] []", BAD, 3, "", "expected the end, found '['"},
        {"1,", BAD, 1, "", "expected the end, found ','"},
        {"nul", BAD, 0, "", "expected a value, found 'n'"},
        {"nulL", BAD, 0, "", "expected a value, found 'n'"},
        {"nulll", BAD, 4, "", "expected the end, found 'l'"},
        {"True", BAD, 0, "", "expected a value, found 'T'"},
        {"tru", BAD, 0, "", "expected a value, found 't'"},
        {"fals3", BAD, 0, "", "expected a value, found 'f'"},
        {"NaN", BAD, 0, "", "expected a value, found 'N'"},
        {"[1,//x\n2]", BAD, 3, "[1]", "expected a value, found '/'"},
        {"[\v1]", BAD, 1, "[0]", "expected a value, found byte 0x0b"},
        {"[1\f]", BAD, 2, "", "expected ',' or ']', found byte 0x0c"},
        {"{\"Players\":[1,2,3,{\"Name\":}]}", BAD, 26, "Players[3].Name",
         "expected a value, found '}'"},
        {"[[0,[{\"x\":[1,@", BAD, 13, "[0][1][0].x[1]", "expected a value, found '@'"},
        {"{\"a\\n\\u001b\":@", BAD, 13, "a??", "expected a value, found '@'"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++)
        check_rejected(*state, &cases[i], strlen(cases[i].text));
}

static void json__bad_numbers_are_refused(void **state)
{
    static const rejected cases[] = {
        {"+1", BAD, 0, "", "expected a value, found '+'"},
        {".5", BAD, 0, "", "expected a value, found '.'"},
        {"-", CUT, 1, "", "expected a digit, found the end"},
        {"-x", BAD, 1, "", "expected a digit, found 'x'"},
        {"--1", BAD, 1, "", "expected a digit, found '-'"},
        {"01", BAD, 0, "", "number with a leading zero"},
        {"-012", BAD, 1, "", "number with a leading zero"},
        {"00", BAD, 0, "", "number with a leading zero"},
        {"1.", CUT, 2, "", "expected a digit, found the end"},
        {"[1.]", BAD, 3, "[0]", "expected a digit, found ']'"},
        {"1.e5", BAD, 2, "", "expected a digit, found 'e'"},
        {"1e", CUT, 2, "", "expected a digit, found the end"},
        {"1e+", CUT, 3, "", "expected a digit, found the end"},
        {"1e+-1", BAD, 3, "", "expected a digit, found '-'"},
        {"1e1.5", BAD, 3, "", "expected the end, found '.'"},
        {"0x10", BAD, 1, "", "expected the end, found 'x'"},
        {"1_000", BAD, 1, "", "expected the end, found '_'"},
        {"-Infinity", BAD, 1, "", "expected a digit, found 'I'"},
        {"1\xC2\xA0", BAD, 1, "", "expected the end, found byte 0xc2"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++)
        check_rejected(*state, &cases[i], strlen(cases[i].text));
}

static void json__bad_strings_are_refused(void **state)
{
    static const rejected cases[] = {
        {"\"", CUT, 1, "", "unterminated string"},
        {"\"abcdefghijk", CUT, 12, "", "unterminated string"},
        {"\"abc\\", CUT, 5, "", "unterminated string"},
        {"\"abc\\\"", CUT, 6, "", "unterminated string"},
        {"[\"a\nb\"]", BAD, 3, "[0]", "byte 0x0a in a string"},
        {"\"0123456789\x1f\"", BAD, 11, "", "byte 0x1f in a string"},
        {"\"\\x41\"", BAD, 2, "", "expected an escape, found 'x'"},
        {"\"ab\\'\"", BAD, 4, "", "expected an escape, found '''"},
        {"\"\\\n\"", BAD, 2, "", "expected an escape, found byte 0x0a"},
        {"\"\\\xC3\xA9\"", BAD, 2, "", "expected an escape, found byte 0xc3"},
        {"\"\\u12\"", BAD, 1, "", "\\u without four hexadecimal digits"},
        {"\"\\u\"", BAD, 1, "", "\\u without four hexadecimal digits"},
        {"\"\\u00g0\"", BAD, 1, "", "\\u without four hexadecimal digits"},
        {"\"\\u+123\"", BAD, 1, "", "\\u without four hexadecimal digits"},
        {"\"a\\\\\\uD800\"", BAD, 4, "", "lone surrogate \\ud800"},
        {"\"\\uD800\\n\"", BAD, 1, "", "lone surrogate \\ud800"},
        {"\"\\uD800\\u0041\"", BAD, 1, "", "lone surrogate \\ud800"},
        {"\"\\uD800\\uD800\"", BAD, 1, "", "lone surrogate \\ud800"},
        {"\"\\uD800\\u\"", BAD, 1, "", "lone surrogate \\ud800"},
        {"\"\\n\\uDC00\"", BAD, 3, "", "lone surrogate \\udc00"},
        {"\"\\uDFFF\\uD800\"", BAD, 1, "", "lone surrogate \\udfff"},
        {"\"\\uDC00\\uDC00\"", BAD, 1, "", "lone surrogate \\udc00"},
        {"\"ab\xFF\"", BAD, 3, "", "byte 0xff is not UTF-8"},
        {"\"\xC3\"", BAD, 1, "", "byte 0xc3 is not UTF-8"},
        {"\"\xC3\xA9\xC0\x80\"", BAD, 3, "", "byte 0xc0 is not UTF-8"},
        {"\"\xED\xA0\x80\"", BAD, 1, "", "byte 0xed is not UTF-8"},
        {"\"\\n\xE2\x82\\n\"", BAD, 3, "", "byte 0xe2 is not UTF-8"},
        {"{\"a\":1,\"\xFF\":2}", BAD, 8, "", "byte 0xff is not UTF-8"},
    };
    for (size_t i = 0; i < RP_COUNT(cases); i++)
        check_rejected(*state, &cases[i], strlen(cases[i].text));
}

static void json__zero_bytes_do_not_end_the_text(void **state)
{
    static const rejected in_list = {"[1\0]", BAD, 2, "", "expected ',' or ']', found byte 0x00"};
    static const rejected in_string = {"\"a\0b\"", BAD, 2, "", "byte 0x00 in a string"};
    static const rejected in_escape = {"\"a\\\0b\"", BAD, 3, "", "byte 0x00 in a string"};
    static const rejected trailing = {"[]\0", BAD, 2, "", "expected the end, found byte 0x00"};
    check_rejected(*state, &in_list, 4);
    check_rejected(*state, &in_string, 5);
    check_rejected(*state, &in_escape, 6);
    check_rejected(*state, &trailing, 3);
}

static void json__every_prefix_fails_cleanly(void **state)
{
    static const char text[] = "{\"a\\u00e9\\ud83d\\ude00\":[1,-2.5e+10,\"Gr\xC3\xBC\xC3\x9F"
                               "e\",true,{\"b\":null}]}";
    fixture *f = *state;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        /* A copy of exactly that size lets the sanitizer detect any overrun. */
        char *prefix = malloc(size ? size : 1);
        memcpy(prefix, text, size);
        reprise_value *value = NULL;
        rp_error_clear(&f->error);
        assert_int_not_equal(rp_json_parse(&f->doc, prefix, size, "test", &value, NULL),
                             REPRISE_OK);
        assert_true(f->error.offset <= size);
        free(prefix);
    }
    rp_error_clear(&f->error);
    parsed(f, text);
}

static void json__first_error_wins(void **state)
{
    fixture *f = *state;
    reprise_value *value = NULL;
    rp_error_set(&f->error, REPRISE_E_CHECKSUM, "earlier");
    assert_int_equal(rp_json_parse(&f->doc, "[}", 2, "test", &value, NULL), REPRISE_E_CHECKSUM);
    assert_string_equal(f->error.message, "earlier");
    assert_null(value);
}

static void json__long_paths_are_truncated_between_characters(void **state)
{
    fixture *f = *state;
    char text[400] = "{\"x";
    for (int i = 0; i < 60; i++)
        strncat(text, "\xC3\xA9", sizeof text - strlen(text) - 1);
    strncat(text, "\":[{\"key\":!", sizeof text - strlen(text) - 1);
    reprise_value *value = NULL;
    assert_int_equal(rp_json_parse(&f->doc, text, strlen(text), "test", &value, NULL), BAD);
    assert_int_equal(strlen(f->error.path), sizeof f->error.path - 1);
    assert_memory_equal(f->error.path, text + 2, sizeof f->error.path - 1);
    assert_string_equal(f->error.message, "expected a value, found '!'");
}

static void json__integers_are_exact(void **state)
{
    static const struct {
        const char *text;
        reprise_value_kind kind;
        int64_t integer;
        uint64_t natural;
        double real;
    } cases[] = {
        {"0", REPRISE_VALUE_INT, 0, 0, 0},
        {"-1", REPRISE_VALUE_INT, -1, 7, -1},
        {"9007199254740993", REPRISE_VALUE_INT, 9007199254740993, 9007199254740993, 0x1p53},
        {"9223372036854775807", REPRISE_VALUE_INT, INT64_MAX, INT64_MAX, 0x1p63},
        {"-9223372036854775808", REPRISE_VALUE_INT, INT64_MIN, 7, -0x1p63},
        {"9223372036854775808", REPRISE_VALUE_UINT, -7, UINT64_C(1) << 63, 0x1p63},
        {"18446744073709551615", REPRISE_VALUE_UINT, -7, UINT64_MAX, 0x1p64},
        {"18446744073709551616", REPRISE_VALUE_DOUBLE, -7, 7, 0x1p64},
        {"18446744073709551620", REPRISE_VALUE_DOUBLE, -7, 7, 0x1p64},
        {"184467440737095516150", REPRISE_VALUE_DOUBLE, -7, 7, 184467440737095516150.0},
        {"-9223372036854775809", REPRISE_VALUE_DOUBLE, INT64_MIN, 7, -0x1p63},
        {"1.0", REPRISE_VALUE_DOUBLE, 1, 1, 1},
        {"1e2", REPRISE_VALUE_DOUBLE, 100, 100, 100},
        {"1e999", REPRISE_VALUE_DOUBLE, -7, 7, HUGE_VAL},
        {"1e-999", REPRISE_VALUE_DOUBLE, 0, 0, 0},
    };
    fixture *f = *state;
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        const reprise_value *value = parsed(f, cases[i].text);
        assert_int_equal(reprise_value_kind_of(value), cases[i].kind);
        assert_true(reprise_value_int(value, -7) == cases[i].integer);
        assert_true(reprise_value_uint(value, 7) == cases[i].natural);
        assert_true(reprise_value_double(value, 7) == cases[i].real);
        assert_int_equal(value->raw_size, strlen(cases[i].text));
        assert_memory_equal(value->raw, cases[i].text, value->raw_size);
    }
    const reprise_value *minus_zero = parsed(f, "-0");
    assert_int_equal(reprise_value_kind_of(minus_zero), REPRISE_VALUE_DOUBLE);
    assert_true(signbit(reprise_value_double(minus_zero, 1)));
}

static void json__values_know_their_offset(void **state)
{
    fixture *f = *state;
    const reprise_value *root = parsed(f, "\xEF\xBB\xBF {\"a\": \"x\", \"b\":[ 12,\ttrue ]}");
    assert_true(f->notes.bom);
    assert_int_equal(root->offset, 4);
    assert_int_equal(rp_get(root, "a")->offset, 10);
    assert_int_equal(rp_get(root, "b")->offset, 19);
    assert_int_equal(reprise_value_at(rp_get(root, "b"), 0)->offset, 21);
    assert_int_equal(reprise_value_at(rp_get(root, "b"), 1)->offset, 25);
    parsed(f, "1");
    assert_false(f->notes.bom);
}

static void json__document_outlives_its_text(void **state)
{
    fixture *f = *state;
    char text[] = "{\"key\":[\"te\\u0078t\",12.50]}";
    const reprise_value *value = parsed(f, text);
    memset(text, '#', sizeof text);
    assert_string_equal(written(f, value, exact), "{\"key\":[\"text\",12.50]}");
    assert_string_equal(reprise_value_key(value, 0), "key");
    assert_string_equal(reprise_value_text(reprise_value_at(rp_get(value, "key"), 0), NULL),
                        "text");
}

static void json__duplicate_keys_are_kept_and_counted(void **state)
{
    fixture *f = *state;
    const reprise_value *value = parsed(f, "{\"a\":1,\"b\":{\"x\":0,\"x\":1},\"a\":2,\"a\":3}");
    assert_int_equal(reprise_value_count(value), 4);
    assert_int_equal(reprise_value_int(reprise_value_get(value, "a"), 0), 1);
    assert_int_equal(reprise_value_int(reprise_value_at(value, 3), 0), 3);
    assert_int_equal(f->notes.duplicate_keys, 3);
    assert_int_equal(f->notes.duplicate_offset, 18);
    assert_string_equal(f->notes.duplicate_key, "x");

    parsed(f, "{\"a\":1,\"\\u0061\":{\"x\":0,\"x\":1}}");
    assert_int_equal(f->notes.duplicate_keys, 2);
    assert_int_equal(f->notes.duplicate_offset, 7);
    assert_string_equal(f->notes.duplicate_key, "a");

    parsed(f, "[{\"a\":1,\"A\":2,\"a\\u0000\":3,\"\":4},{\"a\":1}]");
    assert_int_equal(f->notes.duplicate_keys, 0);
}

/* An object of `count` keys, of which every `period`th occurs twice. */
static size_t write_keys(char *to, size_t size, unsigned count, unsigned period)
{
    size_t n = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned key = i % period == period - 1 ? i - 1 : i;
        n += (size_t)snprintf(to + n, size - n, "%c\"key%06u\":%u", i ? ',' : '{', key, i);
    }
    n += (size_t)snprintf(to + n, size - n, "}");
    return n;
}

static void json__duplicates_are_found_in_objects_of_any_size(void **state)
{
    fixture *f = *state;
    enum { SIZE = 4000 };
    char text[SIZE], key[16];
    for (unsigned count = 1; count < 70; count++) {
        for (unsigned period = 2; period < 80; period += 11) {
            size_t size = write_keys(text, SIZE, count, period);
            parsed_n(f, text, size);
            assert_int_equal(f->notes.duplicate_keys, count / period);
            if (count < period)
                continue;
            snprintf(key, sizeof key, "key%06u", period - 2);
            assert_string_equal(f->notes.duplicate_key, key);
            assert_int_equal(f->notes.duplicate_offset,
                             strstr(strstr(text, key) + 1, key) - text - 1);
        }
    }
}

static void json__many_keys_take_no_quadratic_time(void **state)
{
    fixture *f = *state;
    enum { COUNT = 100000, SIZE = COUNT * 20 };
    char *text = malloc(SIZE);
    size_t size = write_keys(text, SIZE, COUNT, COUNT);
    clock_t before = clock();
    const reprise_value *value = parsed_n(f, text, size);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    assert_int_equal(reprise_value_count(value), COUNT);
    assert_int_equal(f->notes.duplicate_keys, 1);
    /* Comparing all pairs takes over ten seconds; sorting takes a few hundredths of one. */
    assert_true(seconds < 3);
    assert_memory_equal(written(f, value, exact), text, size);
    free(text);
}

static rp_limits default_limits(void)
{
    reprise_options options;
    rp_options_init(&options);
    return options.limits;
}

static reprise_status parse_within(fixture *f, const rp_limits *limits, const char *text)
{
    reprise_value *value = NULL;
    f->context.limits = *limits;
    rp_error_clear(&f->error);
    return rp_json_parse(&f->doc, text, strlen(text), "test", &value, NULL);
}

static void json__limits_hold_exactly(void **state)
{
    fixture *f = *state;
    rp_limits limits = default_limits();
    limits.depth_max = 3;
    assert_int_equal(parse_within(f, &limits, "[[[1]],{\"a\":[]}]"), REPRISE_OK);
    assert_int_equal(parse_within(f, &limits, "[{\"a\":[1,[]]}]"), REPRISE_E_LIMIT);
    assert_string_equal(f->error.message, "nesting 4 is over limit depth=3");
    assert_string_equal(f->error.path, "[0].a[1]");
    assert_int_equal(f->error.offset, 9);
    limits = default_limits();
    limits.string_bytes_max = 5;
    assert_int_equal(parse_within(f, &limits, "[\"12345\",\"\\u0031\\n345\",12345]"), REPRISE_OK);
    assert_int_equal(parse_within(f, &limits, "[0, \"123456\"]"), REPRISE_E_LIMIT);
    assert_string_equal(f->error.message, "string size 6 is over limit string_bytes=5");
    assert_int_equal(f->error.offset, 4);
    assert_int_equal(parse_within(f, &limits, "{\"123456\":1}"), REPRISE_E_LIMIT);
    assert_int_equal(parse_within(f, &limits, "[123456]"), REPRISE_E_LIMIT);
    assert_string_equal(f->error.message, "number size 6 is over limit string_bytes=5");
    limits = default_limits();
    limits.items_max = 2;
    assert_int_equal(parse_within(f, &limits, "[[1,2],[3,4]]"), REPRISE_OK);
    assert_int_equal(parse_within(f, &limits, "{\"a\":1,\"b\":2,\"c\":3}"), REPRISE_E_LIMIT);
    assert_string_equal(f->error.message, "list size 3 is over limit items=2");
    limits = default_limits();
    limits.text_bytes_max = 4;
    assert_int_equal(parse_within(f, &limits, "[10]"), REPRISE_OK);
    assert_int_equal(parse_within(f, &limits, "[100]"), REPRISE_E_LIMIT);
    assert_string_equal(f->error.message, "document size 5 is over limit text_bytes=4");
    assert_string_equal(f->error.stream, "test");
}

/* `depth` nested arrays. */
static void fill_nested(char *text, size_t depth)
{
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
}

static void json__depth_has_a_ceiling(void **state)
{
    fixture *f = *state;
    enum { DEPTH = 100000 };
    char *text = malloc(2 * DEPTH);
    f->context.limits.depth_max = UINT64_MAX;
    fill_nested(text, 1000);
    const reprise_value *value = parsed_n(f, text, 2000);
    assert_memory_equal(written(f, value, exact), text, 2000);
    assert_true(rp_value_equal(value, parsed_n(f, text, 2000)));
    fill_nested(text, DEPTH);
    reprise_value *deep = NULL;
    assert_int_equal(rp_json_parse(&f->doc, text, 2 * DEPTH, "test", &deep, NULL), REPRISE_E_LIMIT);
    assert_int_equal(f->error.offset, 1000);
    free(text);
}

static void json__integers_beyond_32_bits_are_strings(void **state)
{
    static const char *const numbers[] = {"0",  "-1",   "4294967295",  "-2147483648",
                                          "-0", "1e20", "4294967296.0"};
    static const char *const strings[] = {"4294967296",           "-2147483649",
                                          "9223372036854775807",  "-9223372036854775808",
                                          "18446744073709551615", "18446744073709551616",
                                          "-99999999999999999999"};
    fixture *f = *state;
    const rp_json_format plain = {0};
    char quoted[32];
    for (size_t i = 0; i < RP_COUNT(numbers); i++)
        assert_string_equal(written(f, parsed(f, numbers[i]), plain), numbers[i]);
    for (size_t i = 0; i < RP_COUNT(strings); i++) {
        snprintf(quoted, sizeof quoted, "\"%s\"", strings[i]);
        assert_string_equal(written(f, parsed(f, strings[i]), plain), quoted);
    }
    assert_string_equal(written(f, rp_new_int(&f->doc, INT64_MIN), plain),
                        "\"-9223372036854775808\"");
    assert_string_equal(written(f, rp_new_int(&f->doc, INT64_MIN), exact), "-9223372036854775808");
    assert_string_equal(written(f, rp_new_int(&f->doc, UINT32_MAX), plain), "4294967295");
    assert_string_equal(written(f, rp_new_uint(&f->doc, UINT64_MAX), plain),
                        "\"18446744073709551615\"");
    assert_string_equal(written(f, rp_new_uint(&f->doc, UINT64_MAX), exact),
                        "18446744073709551615");
}

static void json__numbers_of_lines(void **state)
{
    static const struct {
        double real;
        const char *text;
    } reals[] = {
        {0.5, "0.5"},
        {-0.0, "-0"},
        {12, "12"},
        {(double)NAN, "\"NaN\""},
        {HUGE_VAL, "\"Infinity\""},
        {-HUGE_VAL, "\"-Infinity\""},
    };
    fixture *f = *state;
    for (size_t i = 0; i < RP_COUNT(reals); i++) {
        rp_writer_clear(&f->w);
        rp_json_f32(&f->w, (float)reals[i].real);
        rp_json_f64(&f->w, reals[i].real);
        size_t size = strlen(reals[i].text);
        assert_int_equal(f->w.size, 2 * size);
        assert_memory_equal(f->w.data, reals[i].text, size);
        assert_memory_equal(f->w.data + size, reals[i].text, size);
    }
    rp_writer_clear(&f->w);
    rp_json_f32(&f->w, 0.1f);
    rp_json_int(&f->w, INT32_MIN);
    rp_json_int(&f->w, INT64_C(-2147483649));
    rp_json_uint(&f->w, UINT32_MAX);
    rp_json_uint(&f->w, UINT64_MAX);
    static const char text[] = "0.1-2147483648\"-2147483649\"4294967295\"18446744073709551615\"";
    assert_int_equal(f->w.size, sizeof text - 1);
    assert_memory_equal(f->w.data, text, sizeof text - 1);
}

static void json__floats_follow_the_format(void **state)
{
    fixture *f = *state;
    const rp_json_format dotnet = {.dotnet_floats = true};
    reprise_value *array = parsed(f, "[12.50,1e5]");
    rp_push(&f->doc, array, rp_new_f32(&f->doc, 12));
    rp_push(&f->doc, array, rp_new_f32(&f->doc, 1e-7f));
    rp_push(&f->doc, array, rp_new_f64(&f->doc, 12));
    rp_push(&f->doc, array, rp_new_f64(&f->doc, 1e-7));
    rp_push(&f->doc, array, rp_new_f32(&f->doc, NAN));
    assert_string_equal(written(f, array, exact), "[12.50,1e5,12,1e-7,12,1e-7,\"NaN\"]");
    assert_string_equal(written(f, array, dotnet), "[12.50,1e5,12.0,1E-07,12.0,1E-07,\"NaN\"]");
}

static void json__pretty_text_is_indented(void **state)
{
    static const char lines[] = "{\n"
                                "  \"a\": 1,\n"
                                "  \"b\": [\n"
                                "    true,\n"
                                "    {\n"
                                "      \"c\": []\n"
                                "    },\n"
                                "    {}\n"
                                "  ]\n"
                                "}";
    fixture *f = *state;
    const reprise_value *value = parsed(f, "{\"a\":1,\"b\":[true,{\"c\":[]},{}]}");
    assert_string_equal(written(f, value, (rp_json_format){.indent = 2}), lines);
    assert_string_equal(written(f, parsed(f, "[0]"), (rp_json_format){.indent = 3, .crlf = true}),
                        "[\r\n   0\r\n]");
    assert_string_equal(written(f, value, (rp_json_format){.crlf = true}),
                        "{\"a\":1,\"b\":[true,{\"c\":[]},{}]}");
    assert_string_equal(written(f, parsed(f, "[]"), (rp_json_format){.indent = 2}), "[]");
    assert_string_equal(written(f, NULL, (rp_json_format){.indent = 2}), "null");
}

static void json__strings_are_repaired(void **state)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"", "\"\""},
        {"a\xFF\"", "\"a\xEF\xBF\xBD\\\"\""},
        {"\xC3\xA9\xC3\xA9\n\xC3", "\"\xC3\xA9\xC3\xA9\\n\xEF\xBF\xBD\""},
        {"\xE2\x82\xE2\x82\xAC", "\"\xEF\xBF\xBD\xE2\x82\xAC\""},
        {"\xF0\x9F\x98x\x80", "\"\xEF\xBF\xBDx\xEF\xBF\xBD\""},
        {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\x01\x0b\x7f/", "\"\\u0001\\u000b\x7f/\""},
    };
    fixture *f = *state;
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        rp_writer_clear(&f->w);
        rp_json_string(&f->w, cases[i].bytes, strlen(cases[i].bytes));
        rp_put_u8(&f->w, 0);
        assert_string_equal((const char *)f->w.data, cases[i].text);
    }
}

static void json__writers_fill_up_to_the_last_byte(void **state)
{
    fixture *f = *state;
    rp_writer w;
    rp_writer_init(&w, &f->context, 9, &f->error);
    rp_json_int(&w, 1234);
    rp_json_string(&w, "abc", 3);
    assert_int_equal(f->error.status, REPRISE_OK);
    assert_memory_equal(w.data, "1234\"abc\"", 9);
    rp_json_f32(&w, 1);
    assert_int_equal(f->error.status, REPRISE_E_LIMIT);
    rp_writer_free(&w);
}

static void json__every_failed_allocation_is_reported(void **state)
{
    RP_UNUSED(state);
    enum { SIZE = 60000 };
    char *text = malloc(SIZE);
    size_t size = write_keys(text, SIZE, 2000, 2000), failures = 0;
    for (size_t n = 0;; n++) {
        fixture f;
        start(&f, n);
        reprise_value *value = NULL;
        reprise_status status = rp_json_parse(&f.doc, text, size, "test", &value, &f.notes);
        if (status == REPRISE_OK)
            rp_json_write(&f.w, value, &exact);
        else
            assert_null(value);
        status = f.error.status;
        finish(&f);
        if (status == REPRISE_OK)
            break;
        assert_int_equal(status, REPRISE_E_NOMEM);
        failures++;
    }
    assert_true(failures > 10);
    free(text);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(json__canonical_text_comes_back_unchanged),
        CASE(json__other_spellings_mean_the_same),
        CASE(json__bad_grammar_is_refused_with_its_offset),
        CASE(json__bad_numbers_are_refused),
        CASE(json__bad_strings_are_refused),
        CASE(json__zero_bytes_do_not_end_the_text),
        CASE(json__every_prefix_fails_cleanly),
        CASE(json__first_error_wins),
        CASE(json__long_paths_are_truncated_between_characters),
        CASE(json__integers_are_exact),
        CASE(json__values_know_their_offset),
        CASE(json__document_outlives_its_text),
        CASE(json__duplicate_keys_are_kept_and_counted),
        CASE(json__duplicates_are_found_in_objects_of_any_size),
        CASE(json__many_keys_take_no_quadratic_time),
        CASE(json__limits_hold_exactly),
        CASE(json__depth_has_a_ceiling),
        CASE(json__integers_beyond_32_bits_are_strings),
        CASE(json__numbers_of_lines),
        CASE(json__floats_follow_the_format),
        CASE(json__pretty_text_is_indented),
        CASE(json__strings_are_repaired),
        CASE(json__writers_fill_up_to_the_last_byte),
        cmocka_unit_test(json__every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
