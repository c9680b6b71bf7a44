/*
 * whole.h - whole numbers of floating-point ones.
 *
 * A cast of a number that does not fit is undefined in C, and numbers of replays need not fit: all
 * such conversions go through here. Towards zero like a cast; what is too large becomes the
 * largest, and what is no number 0.
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
    if (number >= 0x1p31)
        return INT32_MAX;
    if (number < -0x1p31)
        return INT32_MIN;
    return number == number ? (int32_t)number : 0;
}

static inline uint32_t rp_whole_u32(double number)
{
    if (number >= 0x1p32)
        return UINT32_MAX;
    return number > 0 ? (uint32_t)number : 0;
}

static inline size_t rp_whole_size(double number)
{
    return (size_t)rp_whole_u64(number);
}

#endif
