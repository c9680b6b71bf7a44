/*
 * whole.h - floating-point numbers to integers.
 *
 * A cast of a number that does not fit is undefined in C, and numbers in replays may not fit, so
 * all such conversions go through here. They truncate like a cast, clamp to the range of the type,
 * and turn NaN into 0.
 */
#ifndef RP_WHOLE_H
#define RP_WHOLE_H

#include <stddef.h>
#include <stdint.h>

static inline int64_t rp_whole(double number)
{
    if (number >= 0x1p63)
        return INT64_MAX;
    if (number < -0x1p63)
        return INT64_MIN;
    return number == number ? (int64_t)number : 0;
}

static inline uint64_t rp_whole_u64(double number)
{
    if (number >= 0x1p64)
        return UINT64_MAX;
    return number > 0 ? (uint64_t)number : 0;
}

static inline int32_t rp_whole_i32(double number)
{
    int64_t whole = rp_whole(number);
    return (int32_t)(whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole);
}

static inline uint32_t rp_whole_u32(double number)
{
    uint64_t whole = rp_whole_u64(number);
    return (uint32_t)(whole > UINT32_MAX ? UINT32_MAX : whole);
}

static inline size_t rp_whole_size(double number)
{
    return (size_t)rp_whole_u64(number);
}

#endif
