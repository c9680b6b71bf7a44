/*
 * clamp.h - a whole number of a floating-point one.
 *
 * A cast of a number that does not fit is undefined in C, and options need not fit: all such
 * conversions of the command go through here. Towards zero; what is too large becomes the largest,
 * and what is negative or no number 0.
 */
#ifndef CLI_CLAMP_H
#define CLI_CLAMP_H

#include <stdint.h>

static inline uint64_t cli_whole(double number)
{
    if (number >= 0x1p64)
        return UINT64_MAX;
    return number > 0 ? (uint64_t)number : 0;
}

#endif
