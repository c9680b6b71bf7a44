/*
 * floattext.h - floats to text and back, exactly.
 *
 * Parsing gives the float or double nearest to the decimal text, exactly as strtof and strtod do
 * but independent of the locale. Printing gives the fewest digits that read back as the same value.
 * Nothing here allocates.
 */
#ifndef RP_FLOATTEXT_H
#define RP_FLOATTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The printing functions need this much space at `to`. They write no terminator and may overwrite
 * any of these bytes after the text.
 */
enum { RP_FLOAT_TEXT_MAX = 32 };

/*
 * Parses [+-] digits [. digits] [e [+-] digits], also with E, at the start of text[0..size).
 * Returns how many bytes were used, or 0 if there is no number. Incomplete parts are not used: "1."
 * and "1e+" use one byte. Numbers that are too large give infinity, too small zero. Words such as
 * "nan" are not numbers. The time is proportional to the number of digits.
 */
size_t rp_parse_f64(const char *text, size_t size, double *ret_value);
size_t rp_parse_f32(const char *text, size_t size, float *ret_value);

/*
 * Whether the complete text is a number. Also accepts ".5", "1.", "1.e5" and "+.5". Slower than
 * rp_parse_f64.
 */
bool rp_parse_f64_loose(const char *text, size_t size, double *ret_value);

/*
 * Print the shortest decimal that reads back as `value` (of several, the nearest) as a JSON number:
 * "0.1", "1e-7", "-0", "12", "1.5e22". As in JavaScript, numbers below 0.000001 and from 1e21 on
 * have an exponent. NaN and infinities are "NaN", "Infinity" and "-Infinity". Return the length.
 */
size_t rp_print_f64(double value, char *to);
size_t rp_print_f32(float value, char *to);

/*
 * The digits of those texts: value = sign * digits * 10^exponent. The digits have no trailing
 * zeros. For finite values only.
 */
typedef struct rp_decimal {
    uint64_t digits;
    int exponent;
    bool negative;
} rp_decimal;
rp_decimal rp_decimal_f64(double value);
rp_decimal rp_decimal_f32(float value);

/*
 * Print in .NET's round-trip format with ".0" after integers: "12.0", "1E-05", "1.5E+16". Numbers
 * below 0.0001 have an exponent, and so do numbers with more places before the point than digits
 * and than 7 (float) or 15 (double).
 */
size_t rp_print_f32_dotnet(float value, char *to);
size_t rp_print_f64_dotnet(double value, char *to);

#endif
