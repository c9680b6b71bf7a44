/*
 * fuzz_floattext.c - any bytes as the text of a number, and their first ones as a float.
 *
 * What parses must be what the C library reads from the same bytes, and what is printed must parse
 * as the same float again.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "floattext.h"
#include "fuzz.h"

enum { SIZE_MAX_TRIED = 65536 };

/* Aborts: a fuzzer takes that for a finding, and asserts may be off. */
static void must(bool condition)
{
    if (!condition)
        abort();
}

static void check_text(const char *text, size_t size)
{
    double f64 = 0;
    float f32 = 0;
    size_t used = rp_parse_f64(text, size, &f64);
    must(used <= size && rp_parse_f32(text, size, &f32) == used);
    size_t sign = size && (text[0] == '-' || text[0] == '+');
    must((used > 0) == (size > sign && text[sign] >= '0' && text[sign] <= '9'));
    if (used == 0 || used > SIZE_MAX_TRIED)
        return;
    char copy[SIZE_MAX_TRIED + 1], *end;
    memcpy(copy, text, used);
    copy[used] = '\0';
    double expected_f64 = strtod(copy, &end);
    must(end == copy + used && memcmp(&f64, &expected_f64, sizeof f64) == 0);
    float expected_f32 = strtof(copy, &end);
    must(end == copy + used && memcmp(&f32, &expected_f32, sizeof f32) == 0);
}

static void check_f64(double value)
{
    static size_t (*const styles[])(double value, char *to) = {rp_print_f64, rp_print_f64_dotnet};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        char text[RP_FLOAT_TEXT_MAX];
        double again = 0;
        size_t size = styles[i](value, text);
        must(size <= sizeof text);
        if (isfinite(value))
            must(rp_parse_f64(text, size, &again) == size && memcmp(&again, &value, 8) == 0);
    }
}

static void check_f32(float value)
{
    static size_t (*const styles[])(float value, char *to) = {rp_print_f32, rp_print_f32_dotnet};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        char text[RP_FLOAT_TEXT_MAX];
        float again = 0;
        size_t size = styles[i](value, text);
        must(size <= sizeof text);
        if (isfinite(value))
            must(rp_parse_f32(text, size, &again) == size && memcmp(&again, &value, 4) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_text((const char *)data, size);
    float f32;
    if (size >= sizeof f32) {
        memcpy(&f32, data, sizeof f32);
        check_f32(f32);
    }
    double f64;
    if (size >= sizeof f64) {
        memcpy(&f64, data, sizeof f64);
        check_f64(f64);
    }
    return 0;
}
