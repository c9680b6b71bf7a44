/* checked.h - arithmetic on sizes from files that reports overflow. */
#ifndef RP_CHECKED_H
#define RP_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_COUNT(array)     (sizeof(array) / sizeof((array)[0]))
#define RP_MIN(a, b)        ((a) < (b) ? (a) : (b))
#define RP_MAX(a, b)        ((a) > (b) ? (a) : (b))
#define RP_UNUSED(variable) ((void)(variable))

/* Return false and leave the result untouched on overflow. */
static inline bool rp_add(size_t a, size_t b, size_t *ret_sum)
{
    if (b > SIZE_MAX - a)
        return false;
    *ret_sum = a + b;
    return true;
}

static inline bool rp_mul(size_t a, size_t b, size_t *ret_product)
{
    if (b && a > SIZE_MAX / b)
        return false;
    *ret_product = a * b;
    return true;
}

#endif
