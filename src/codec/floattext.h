/*
 * floattext.h - floats to text and back, exactly.
 *
 * Parsing gives the nearest float or double to the decimal text, bit for bit what strtof and
 * strtod give, without their locale. Printing gives the fewest digits that read back as the same
 * value. Neither allocates or fails half way.
 */
#ifndef RP_FLOATTEXT_H
#define RP_FLOATTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Room that the printing functions need at `to`. They write no terminator, and may overwrite bytes
 * behind their text, within this size.
 */
enum { RP_FLOAT_TEXT_MAX = 32 };

/*
 * Parses [+-] digits [. digits] [e [+-] digits], also with E, at the start of text[0..size).
 * Returns how many bytes were used, 0 if there is no number; an incomplete part is left over ("1."
 * and "1e+" use one byte). Too large gives infinity, too small zero. Words such as "nan" are not
 * numbers here. Any number of digits is read in time proportional to it.
 */
size_t rp_parse_f64(const char *text, size_t size, double *ret_value);
size_t rp_parse_f32(const char *text, size_t size, float *ret_value);

/*
 * Whether the whole text is a number, also where hand and printf leave digits out: ".5", "1.",
 * "1.e5", "+.5". Slower than the above.
 */
bool rp_parse_f64_loose(const char *text, size_t size, double *ret_value);

/*
 * The shortest decimal that reads back as `value`, and of several the nearest, as a JSON number
 * ("0.1", "1e-7", "-0", "12", "1.5e+22" is written 1.5e22). As in JavaScript, the exponent appears
 * below 0.000001 and from 1e21 on. Returns the length. NaN and infinities are "NaN", "Infinity",
 * "-Infinity".
 */
size_t rp_print_f64(double value, char *to);
size_t rp_print_f32(float value, char *to);

/*
 * The digits behind those texts: value = sign * digits * 10^exponent, digits without trailing
 * zeros (0 for zero). For finite values only.
 */
typedef struct rp_decimal {
    uint64_t digits;
    int exponent;
    bool negative;
} rp_decimal;
rp_decimal rp_decimal_f64(double value);
rp_decimal rp_decimal_f32(float value);

/*
 * As .NET's round-trip format does, with ".0" behind whole numbers: "12.0", "1E-05", "1.5E+16". The
 * exponent appears below 0.0001, and if there are more places in front of the point than digits and
 * more than 7 (float) or 15 (double).
 */
size_t rp_print_f32_dotnet(float value, char *to);
size_t rp_print_f64_dotnet(double value, char *to);

#endif
