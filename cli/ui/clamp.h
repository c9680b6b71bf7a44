/*
 * clamp.h - converts a double to an integer.
 *
 * In C the cast of a number that does not fit is undefined, so all conversions of the command use
 * this function. It rounds toward zero; too large becomes UINT64_MAX, negative and NaN become 0.
 */
#ifndef CLI_CLAMP_H
#define CLI_CLAMP_H

#include <stdint.h>

static inline uint64_t cli_to_uint(double number)
{
    if (number >= 0x1p64)
        return UINT64_MAX;
    return number > 0 ? (uint64_t)number : 0;
}

#endif
