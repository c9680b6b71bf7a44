/*
 * test_floattext.c - the contract of floattext.h: parsing as exact as the C library's, the shortest
 * output, and the styles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "floattext.h"
#include "share.h"

enum { TEXT_SIZE = 2048 };

typedef struct random_source {
    uint64_t state;
} random_source;

static uint64_t next_random(random_source *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * 0x2545F4914F6CDD1D;
}

/* 0 to limit - 1. */
static int below(random_source *r, int limit)
{
    return (int)(next_random(r) % (uint64_t)limit);
}

static uint64_t bits_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double f64_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float f32_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double random_f64(random_source *r)
{
    for (;;) {
        double value = f64_of(next_random(r));
        if (isfinite(value))
            return value;
    }
}

static float random_f32(random_source *r)
{
    for (;;) {
        float value = f32_of((uint32_t)next_random(r));
        if (isfinite(value))
            return value;
    }
}

/* The complete text must be a number, with the value that the C library reads. */
static void check_parse(const char *text)
{
    size_t size = strlen(text);
    double f64 = 0;
    float f32 = 0;
    if (rp_parse_f64(text, size, &f64) != size || rp_parse_f32(text, size, &f32) != size)
        fail_msg("not read to the end: %.400s", text);
    if (bits_f64(f64) != bits_f64(strtod(text, NULL)))
        fail_msg("%.400s is not %a", text, f64);
    if (bits_f32(f32) != bits_f32(strtof(text, NULL)))
        fail_msg("%.400s is not %a as float", text, (double)f32);
}

static void parse__follows_the_grammar(void **state)
{
    static const struct {
        const char *text;
        size_t used;
        double value;
    } cases[] = {
        {"0", 1, 0},
        {"-0", 2, -0.0},
        {"+1", 2, 1},
        {"007", 3, 7},
        {"12.5", 4, 12.5},
        {"-12.5x", 5, -12.5},
        {"1.", 1, 1},
        {"1.e5", 1, 1},
        {"1e5", 3, 1e5},
        {"1E+5", 4, 1e5},
        {"25e-2,", 5, 0.25},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1e-x", 1, 1},
        {"1.5e", 3, 1.5},
        {"1.5.5", 3, 1.5},
        {"0x10", 1, 0},
        {"3 4", 1, 3},
        {"1_000", 1, 1},
        {"2,5", 1, 2},
        {"1e400", 5, INFINITY},
        {"-1e-400", 7, -0.0},
        {"0e999999999999", 14, 0},
        {"1.00000000:", 10, 1},
        {"1.2345678/", 9, 1.2345678},
    };
    RP_UNUSED(state);
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        double f64 = 0;
        float f32 = 0;
        size_t size = strlen(cases[i].text);
        assert_int_equal(rp_parse_f64(cases[i].text, size, &f64), cases[i].used);
        assert_int_equal(rp_parse_f32(cases[i].text, size, &f32), cases[i].used);
        assert_int_equal(bits_f64(f64), bits_f64(cases[i].value));
        assert_int_equal(bits_f32(f32), bits_f32((float)cases[i].value));
    }
}

static void parse__refuses_other_text(void **state)
{
    static const char *const texts[] = {"",    "-",   "+",   ".5",  "-.5", "e5",
                                        "nan", "inf", "NaN", "--1", "+-1", "Infinity",
                                        " 1",  "x",   ".",   "/",   ":",   "\xb1"};
    RP_UNUSED(state);
    for (size_t i = 0; i < RP_COUNT(texts); i++) {
        double f64 = 42;
        float f32 = 42;
        assert_int_equal(rp_parse_f64(texts[i], strlen(texts[i]), &f64), 0);
        assert_int_equal(rp_parse_f32(texts[i], strlen(texts[i]), &f32), 0);
        assert_true(f64 == 42 && f32 == 42);
    }
    double value = 42;
    assert_int_equal(rp_parse_f64(NULL, 0, &value), 0);
}

/* Bytes after the end would change the value if they were read. */
static void parse__stops_at_the_end(void **state)
{
    static const char text[] = "-98765.43210987654321e-1234567";
    RP_UNUSED(state);
    for (size_t size = 2; size < sizeof text; size++) {
        char copy[sizeof text] = {0};
        memcpy(copy, text, size);
        char *end;
        double expected = strtod(copy, &end), value = 0;
        size_t used = (size_t)(end - copy);
        if (copy[used - 1] == '.') /* which the C library accepts without a digit after it */
            used--;
        assert_int_equal(rp_parse_f64(text, size, &value), used);
        assert_int_equal(bits_f64(value), bits_f64(expected));
    }
}

/* Separated by spaces. */
static const char hard_texts[] =
    /* around the smallest and the largest numbers, half of them and halfway to the next */
    "4.9406564584124654e-324 2.4703282292062327208e-324 2.4703282292062328e-324 "
    "2.470328229206232720882843964341106861e-324 2.470328229206232720882843964341106862e-324 "
    "7.00649232162408535461864791644958065e-46 7.00649232162408535461864791644958066e-46 "
    "2.4703282292062327208299e-324 7.4109846876186981e-324 2.2250738585072011e-308 "
    "2.2250738585072012e-308 2.2250738585072014e-308 1.7976931348623157e308 "
    "1.7976931348623158e308 1.7976931348623159e308 1.797693134862315807e308 "
    "1.4012984643248171e-45 7.006492321624085e-46 7.006492321624085354618e-46 "
    "7.006492321624086e-46 1.1754942106924411e-38 1.1754943508222875e-38 "
    "3.4028234663852886e38 3.4028235677973366e38 3.4028235677973365e38 3.4028235677973367e38 "
    "340282356779733661637539395458142568447 340282356779733661637539395458142568448 "
    /* halfway between two floats or doubles, and the digit that tips the balance */
    "16777217 16777219 16777217.0000000000000000000000000000000000000001 "
    "16777216.9999999999999999999999999999999999999999 8388608.5 8388609.5 9007199254740993 "
    "9007199254740995 9007199254740992.999999999999999999999999 "
    "9007199254740993.000000000000000000000001 4503599627370496.5 4503599627370497.5 "
    "1.00000011920928955078125e0 1.00000017881393432617187499 1.000000178813934326171875 "
    "1.00000017881393432617187501 0.500000029802322387695312499 0.5000000298023223876953125 "
    "0.500000029802322387695312501 "
    /* known to have broken other readers */
    "1e23 8.5e22 9.5e-5 6.63e-34 1.8446744073709551616e19 5e-324 3.08984926168550152811e-32 "
    "9214843084008499 0.500000000000000166533453693773481063544750213623046875 "
    "3.518437208883201171875e13 62.5364939768271845828 8.10109172351e-10 "
    "1.50000000000000011102230246251565 179769313486231580793728971405301e276 "
    "6929495644600919.5 3.7455744005952583e15 1.0000000000000000000000000000001e-27 "
    "7.3177701707893310e+15 1.448997445238699 0.000e1234567890123456789 18446744073709551615 "
    "18446744073709551616 9999999999999999999 10000000000000000000 "
    "99999999999999999999999999999999999999 0.00000000000000000000000000000000000000000001 "
    "1e-342 1e-343 9.9e-343 18446744073709551615e-343 1e308 1e309 0.1e310 1e38 1e39 1e-45 "
    "1e-46 1e00000000000000000000000000000000000000000000000001 ";

static void parse__hard_cases_are_exact(void **state)
{
    RP_UNUSED(state);
    size_t count = 0;
    for (const char *at = hard_texts; *at; count++) {
        char text[TEXT_SIZE] = "-";
        size_t size = strcspn(at, " ");
        memcpy(text + 1, at, size);
        check_parse(text);
        check_parse(text + 1);
        at += size + 1;
    }
    assert_true(count > 80);
}

/* Many more zeros and digits than any number needs, with a compensating exponent. */
static void parse__length_does_not_matter(void **state)
{
    enum { ZEROS = 1000000 };
    static char text[ZEROS + 64];
    RP_UNUSED(state);
    memset(text, '0', sizeof text);
    text[1] = '.';
    snprintf(text + 2 + ZEROS, 60, "1234567890123456789012345e%d", ZEROS);
    check_parse(text);
    memset(text, '0', sizeof text);
    text[0] = '1';
    snprintf(text + 1 + ZEROS, 60, "e-%d", ZEROS);
    check_parse(text);
    /* 2^53 + 1 is halfway; the last of a million digits decides. */
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[ZEROS] = '\0';
    check_parse(text);
    text[ZEROS - 1] = '1';
    check_parse(text);
}

/* Random texts: each function writes one of less than TEXT_SIZE bytes. */

static void text_of_f64(random_source *r, char *to)
{
    snprintf(to, TEXT_SIZE, "%.*g", 1 + below(r, 17), random_f64(r));
}

static void text_of_f32(random_source *r, char *to)
{
    snprintf(to, TEXT_SIZE, "%.*g", 1 + below(r, 9), (double)random_f32(r));
}

static void text_of_measurement(random_source *r, char *to)
{
    static const double sizes[] = {1, 10, 360, 4096, 1e6};
    double unit = (double)(next_random(r) >> 11) / 9007199254740992.0 - 0.5;
    snprintf(to, TEXT_SIZE, "%.*f", below(r, 12), unit * sizes[below(r, 5)]);
}

static char *put_random_digits(random_source *r, char *to, int count)
{
    for (uint64_t left = 0; count > 0; count--, left /= 10) {
        if (left == 0)
            left = next_random(r);
        *to++ = (char)('0' + left % 10);
    }
    return to;
}

static void text_of_digits(random_source *r, char *to)
{
    static const char *const zeros[] = {"", "", "0", "000000000000", "0000000000000000000000000"};
    const char *end = to + TEXT_SIZE;
    if (below(r, 2))
        *to++ = below(r, 4) ? '-' : '+';
    to += snprintf(to, (size_t)(end - to), "%s", zeros[below(r, 5)]);
    to = put_random_digits(r, to, 1 + below(r, 24));
    if (below(r, 4)) {
        to += snprintf(to, (size_t)(end - to), ".%s", zeros[below(r, 5)]);
        to = put_random_digits(r, to, 1 + below(r, 24));
        to += snprintf(to, (size_t)(end - to), "%s", zeros[below(r, 5)]);
    }
    *to = '\0';
    if (below(r, 2))
        snprintf(to, (size_t)(end - to), "%c%+d", "eE"[below(r, 2)], below(r, 760) - 400);
}

static void text_of_small_exponent(random_source *r, char *to)
{
    to = put_random_digits(r, to, 1 + below(r, 9));
    snprintf(to, 16, "e%d", below(r, 90) - 50);
}

static void text_of_integer(random_source *r, char *to)
{
    snprintf(to, TEXT_SIZE, "%" PRIu64, next_random(r) >> below(r, 64));
}

static void text_of_subnormal(random_source *r, char *to)
{
    double value = below(r, 2) ? f64_of(next_random(r) >> (12 + below(r, 51)))
                               : (double)f32_of((uint32_t)(next_random(r) >> (41 + below(r, 22))));
    snprintf(to, TEXT_SIZE, "%.*e", below(r, 25), value);
}

/* Digits of an exact midpoint, sometimes truncated, sometimes with the last one changed. */
static void spoil(random_source *r, char *text)
{
    char *exponent = strchr(text, 'e');
    int choice = below(r, 4);
    if (exponent && choice == 1)
        exponent[-1] = (char)('0' + below(r, 10));
    else if (exponent && choice == 2)
        memmove(exponent - below(r, (int)(exponent - text) - 2), exponent, strlen(exponent) + 1);
}

static void text_of_f32_midpoint(random_source *r, char *to)
{
    uint32_t bits = (uint32_t)(next_random(r) % 0x7F7FFFFF);
    double midpoint = ((double)f32_of(bits) + (double)f32_of(bits + 1)) / 2;
    snprintf(to, TEXT_SIZE, "%.112e", midpoint);
    spoil(r, to);
}

/* Exact if long double has more bits than double; else these are only long texts. */
static void text_of_f64_midpoint(random_source *r, char *to)
{
    uint64_t bits = next_random(r) % 0x7FEFFFFFFFFFFFFF;
    if (below(r, 4) == 0)
        bits >>= 10 + below(r, 53);
    long double midpoint = ((long double)f64_of(bits) + (long double)f64_of(bits + 1)) / 2;
    snprintf(to, TEXT_SIZE, "%.766Le", midpoint);
    spoil(r, to);
}

static void text_of_many_digits(random_source *r, char *to)
{
    char *at = put_random_digits(r, to, 1 + below(r, 900));
    *at++ = '.';
    at = put_random_digits(r, at, 1 + below(r, 900));
    snprintf(at, 16, "e%d", below(r, 1800) - 1200);
}

static size_t random_count(void)
{
    const char *text = getenv("RP_FLOATTEXT_COUNT");
    return text ? (size_t)strtoull(text, NULL, 10) : all_cases_run() ? 10000000 : 1000000;
}

/* RP_FLOATTEXT_COUNT texts; else a million, or ten with all cases. Each is read as both types. */
static void parse__random_texts_are_exact(void **state)
{
    static const struct {
        void (*write)(random_source *r, char *to);
        int share; /* of 1000; expensive ones are less frequent */
    } kinds[] = {
        {text_of_f64, 120},
        {text_of_f32, 130},
        {text_of_measurement, 200},
        {text_of_digits, 150},
        {text_of_small_exponent, 200},
        {text_of_integer, 125},
        {text_of_subnormal, 30},
        {text_of_f32_midpoint, 40},
        {text_of_f64_midpoint, 4},
        {text_of_many_digits, 1},
    };
    RP_UNUSED(state);
    random_source r = {88172645463325252};
    char text[TEXT_SIZE];
    size_t count = random_count();
    for (size_t i = 0; i < count; i++) {
        int ticket = below(&r, 1000);
        size_t kind = 0;
        while (ticket >= kinds[kind].share)
            ticket -= kinds[kind++].share;
        kinds[kind].write(&r, text);
        check_parse(text);
    }
    print_message("%zu texts, each read as float and as double\n", count);
}

typedef size_t (*print_f32)(float value, char *to);
typedef size_t (*print_f64)(double value, char *to);

/* Prints with a guard after the buffer, and terminates the text. */
static void guarded_f32(print_f32 print, float value, char text[RP_FLOAT_TEXT_MAX + 1])
{
    char buffer[RP_FLOAT_TEXT_MAX + 8];
    memset(buffer, '#', sizeof buffer);
    size_t size = print(value, buffer);
    assert_true(size <= RP_FLOAT_TEXT_MAX);
    assert_memory_equal(buffer + RP_FLOAT_TEXT_MAX, "########", 8);
    memcpy(text, buffer, size);
    text[size] = '\0';
}

static void guarded_f64(print_f64 print, double value, char text[RP_FLOAT_TEXT_MAX + 1])
{
    char buffer[RP_FLOAT_TEXT_MAX + 8];
    memset(buffer, '#', sizeof buffer);
    size_t size = print(value, buffer);
    assert_true(size <= RP_FLOAT_TEXT_MAX);
    assert_memory_equal(buffer + RP_FLOAT_TEXT_MAX, "########", 8);
    memcpy(text, buffer, size);
    text[size] = '\0';
}

/* Every digit count in each style, from random bits and random decimals. */
static void print__random_values_read_back(void **state)
{
    RP_UNUSED(state);
    random_source r = {2463534242};
    char text[TEXT_SIZE];
    for (int i = 0; i < 500000; i++) {
        float f32 = random_f32(&r);
        double f64 = random_f64(&r);
        if (i % 2) {
            text_of_small_exponent(&r, text);
            f64 = strtod(text, NULL);
            f32 = strtof(text, NULL);
            if (!isfinite(f32))
                continue;
        }
        guarded_f32(rp_print_f32, f32, text);
        assert_int_equal(bits_f32(strtof(text, NULL)), bits_f32(f32));
        guarded_f32(rp_print_f32_dotnet, f32, text);
        assert_int_equal(bits_f32(strtof(text, NULL)), bits_f32(f32));
        guarded_f64(rp_print_f64, f64, text);
        assert_int_equal(bits_f64(strtod(text, NULL)), bits_f64(f64));
        guarded_f64(rp_print_f64_dotnet, f64, text);
        assert_int_equal(bits_f64(strtod(text, NULL)), bits_f64(f64));
    }
}

/* The digits of the lowest precision of %e that reads back, without trailing zeros. */
static rp_decimal searched(double value, bool single)
{
    for (int precision = 0;; precision++) {
        char text[TEXT_SIZE];
        snprintf(text, sizeof text, "%.*e", precision, fabs(value));
        if (single ? strtof(text, NULL) != fabsf((float)value) : strtod(text, NULL) != fabs(value))
            continue;
        rp_decimal d = {0, 0, signbit(value)};
        const char *at = text;
        for (; *at != 'e'; at++)
            if (*at != '.')
                d.digits = d.digits * 10 + (uint64_t)(*at - '0');
        d.exponent = (int)strtol(at + 1, NULL, 10) - precision;
        return d;
    }
}

static int digit_count(uint64_t digits)
{
    int count = 1;
    while (digits /= 10)
        count++;
    return count;
}

/*
 * %e rounds to the nearest decimal of its length, so the search finds the shortest one, and of
 * these the nearest. Just below a power of two, where floats are closer together, it may miss a
 * shorter one above.
 */
static void check_shortest(double value, bool single)
{
    rp_decimal found = single ? rp_decimal_f32((float)value) : rp_decimal_f64(value);
    rp_decimal expected = searched(value, single);
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s%" PRIu64 "e%d", found.negative ? "-" : "", found.digits,
             found.exponent);
    assert_true(single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value);
    assert_true(found.negative == expected.negative && found.digits % 10 != 0);
    int exponent;
    bool power_of_two = fabs(frexp(value, &exponent)) == 0.5;
    if (power_of_two && digit_count(found.digits) < digit_count(expected.digits))
        return;
    assert_int_equal(found.digits, expected.digits);
    assert_int_equal(found.exponent, expected.exponent);
}

static void print__digits_are_the_fewest_and_nearest(void **state)
{
    RP_UNUSED(state);
    random_source r = {362436069};
    char text[TEXT_SIZE];
    for (int i = 0; i < 50000; i++) {
        text_of_small_exponent(&r, text);
        float decimal = strtof(text, NULL);
        check_shortest((double)random_f32(&r), true);
        check_shortest(random_f64(&r), false);
        if (decimal != 0 && isfinite(decimal)) {
            check_shortest((double)decimal, true);
            check_shortest(strtod(text, NULL), false);
        }
    }
    for (int i = 1; i < 2000; i++) {
        check_shortest((double)f32_of((uint32_t)i), true);
        check_shortest(f64_of((uint64_t)i), false);
    }
}

static void print__powers_of_two_are_shortest(void **state)
{
    RP_UNUSED(state);
    for (int exponent = -1074; exponent < 1024; exponent++) {
        check_shortest(ldexp(1, exponent), false);
        check_shortest(-nextafter(ldexp(1, exponent), INFINITY), false);
    }
    for (int exponent = -149; exponent < 128; exponent++) {
        check_shortest(ldexp(1, exponent), true);
        check_shortest((double)-nextafterf(ldexpf(1, exponent), INFINITY), true);
    }
}

static void print__json_style(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1, "-1"},
        {10, "10"},
        {12, "12"},
        {0.1, "0.1"},
        {-0.5, "-0.5"},
        {12.5, "12.5"},
        {100, "100"},
        {1234567, "1234567"},
        {12345678, "12345678"},
        {1234567.5, "1234567.5"},
        {0.015625, "0.015625"},
        {0.000001, "0.000001"},
        {0.00000125, "0.00000125"},
        {0.0000001, "1e-7"},
        {1.25e-7, "1.25e-7"},
        {1e-10, "1e-10"},
        {123e18, "123000000000000000000"},
        {1e20, "100000000000000000000"},
        {1e21, "1e21"},
        {1.5e22, "1.5e22"},
        {-2.5e-11, "-2.5e-11"},
        {INFINITY, "Infinity"},
        {-INFINITY, "-Infinity"},
        {NAN, "NaN"},
        {-NAN, "NaN"},
    };
    RP_UNUSED(state);
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        char text[RP_FLOAT_TEXT_MAX + 1];
        guarded_f64(rp_print_f64, cases[i].value, text);
        assert_string_equal(text, cases[i].text);
        guarded_f32(rp_print_f32, (float)cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* Values that only one of the two types has. */
static void print__json_style_at_the_limits(void **state)
{
    static const struct {
        double value;
        const char *text;
    } doubles[] = {
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {-1.7976931348623157e308, "-1.7976931348623157e308"},
        {-0.0000012345678901234567, "-0.0000012345678901234567"},
        {9007199254740993.0, "9007199254740992"},
        {12345678901234567890.0, "12345678901234567000"},
        {1234567.25, "1234567.25"},
        {12345678.25, "12345678.25"},
        {123456789.25, "123456789.25"},
        {-1234567890123456.8, "-1234567890123456.8"},
        {5e-7, "5e-7"},
        {0.30000000000000004, "0.30000000000000004"},
        {1e23, "1e23"},
    };
    static const struct {
        float value;
        const char *text;
    } floats[] = {
        {1e-45f, "1e-45"},
        {1.4e-44f, "1.4e-44"},
        {1.17549435e-38f, "1.1754944e-38"},
        {-3.40282347e38f, "-3.4028235e38"},
        {-0.00000123456789f, "-0.0000012345679"},
        {16777216, "16777216"},
        {33554432, "33554432"},
        {123456789.0f, "123456790"},
        {0.3f, "0.3"},
        {3.14159274f, "3.1415927"},
        {1.00000012f, "1.0000001"},
        {8388607.5f, "8388607.5"},
        {9999999, "9999999"},
    };
    RP_UNUSED(state);
    char text[RP_FLOAT_TEXT_MAX + 1];
    for (size_t i = 0; i < RP_COUNT(doubles); i++) {
        guarded_f64(rp_print_f64, doubles[i].value, text);
        assert_string_equal(text, doubles[i].text);
    }
    for (size_t i = 0; i < RP_COUNT(floats); i++) {
        guarded_f32(rp_print_f32, floats[i].value, text);
        assert_string_equal(text, floats[i].text);
    }
}

static void print__dotnet_style(void **state)
{
    static const struct {
        double value;
        const char *f32, *f64;
    } cases[] = {
        {0, "0.0", "0.0"},
        {-0.0, "-0.0", "-0.0"},
        {12, "12.0", "12.0"},
        {-1, "-1.0", "-1.0"},
        {0.1, "0.1", "0.1"},
        {-12.5, "-12.5", "-12.5"},
        {0.0001, "0.0001", "0.0001"},
        {0.00025, "0.00025", "0.00025"},
        {0.00001, "1E-05", "1E-05"},
        {-2.5e-7, "-2.5E-07", "-2.5E-07"},
        {1234567, "1234567.0", "1234567.0"},
        {1e6, "1000000.0", "1000000.0"},
        {1e7, "1E+07", "10000000.0"},
        {16777216, "16777216.0", "16777216.0"},
        {123456792, "1.2345679E+08", "123456792.0"},
        {1e14, "1E+14", "100000000000000.0"},
        {1e15, "1E+15", "1E+15"},
        {1.5e16, "1.5E+16", "1.5E+16"},
        {9007199254740992, "9.007199E+15", "9007199254740992.0"},
        {1.5e-10, "1.5E-10", "1.5E-10"},
        {1e-320, "0.0", "1E-320"},
        {-1.7976931348623157e308, "-Infinity", "-1.7976931348623157E+308"},
        {INFINITY, "Infinity", "Infinity"},
        {NAN, "NaN", "NaN"},
    };
    RP_UNUSED(state);
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        char text[RP_FLOAT_TEXT_MAX + 1];
        guarded_f32(rp_print_f32_dotnet, (float)cases[i].value, text);
        assert_string_equal(text, cases[i].f32);
        guarded_f64(rp_print_f64_dotnet, cases[i].value, text);
        assert_string_equal(text, cases[i].f64);
    }
}

static void decimal__has_no_trailing_zeros(void **state)
{
    static const struct {
        double value;
        uint64_t digits;
        int exponent;
    } cases[] = {
        {0, 0, 0},     {1, 1, 0},     {-1200, 12, 2},           {0.5, 5, -1},
        {1e22, 1, 22}, {1e-7, 1, -7}, {-16777216, 16777216, 0}, {0.1015625, 1015625, -7},
    };
    RP_UNUSED(state);
    for (size_t i = 0; i < RP_COUNT(cases); i++) {
        rp_decimal f32 = rp_decimal_f32((float)cases[i].value);
        rp_decimal f64 = rp_decimal_f64(cases[i].value);
        assert_true(f32.digits == cases[i].digits && f64.digits == cases[i].digits);
        assert_true(f32.exponent == cases[i].exponent && f64.exponent == cases[i].exponent);
        assert_true(f32.negative == (cases[i].value < 0) && f64.negative == (cases[i].value < 0));
    }
    assert_true(rp_decimal_f32(-0.0f).negative && rp_decimal_f64(-0.0).negative);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse__follows_the_grammar),
        cmocka_unit_test(parse__refuses_other_text),
        cmocka_unit_test(parse__stops_at_the_end),
        cmocka_unit_test(parse__hard_cases_are_exact),
        cmocka_unit_test(parse__length_does_not_matter),
        cmocka_unit_test(parse__random_texts_are_exact),
        cmocka_unit_test(print__random_values_read_back),
        cmocka_unit_test(print__digits_are_the_fewest_and_nearest),
        cmocka_unit_test(print__powers_of_two_are_shortest),
        cmocka_unit_test(print__json_style),
        cmocka_unit_test(print__json_style_at_the_limits),
        cmocka_unit_test(print__dotnet_style),
        cmocka_unit_test(decimal__has_no_trailing_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
