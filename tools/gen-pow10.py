#!/usr/bin/env python3
"""Makes src/codec/pow10_table.h, the powers of ten for reading and printing floats.

Run by hand after a change here, from the root of the source tree, and commit the result:

    python3 tools/gen-pow10.py > src/codec/pow10_table.h

The range is what both directions need together. Parsing: below 10^-342 every 64-bit number is
less than half the smallest double, above 10^308 every one is infinite. Printing: a double c * 2^q
is scaled by a power of ten between 10^-292 (q = 971) and 10^324 (q = -1074).
"""

LOWEST = -342
HIGHEST = 324

# floor(log2(10^q)) = q * LOG_FACTOR >> LOG_SHIFT, checked below for every row.
LOG_FACTOR = 1741647
LOG_SHIFT = 19

HEAD = """\
/*
 * pow10_table.h - powers of ten as 128-bit fractions. Generated; do not edit.
 *
 * Row q - RP_POW10_MIN holds the 128 leading bits of 10^q, upper half first, the highest bit set
 * and the rest cut off: floor(10^q * 2^(127 - rp_pow10_log2(q))).
 *
 * The one file that defines RP_POW10_DEFINE before its #include gets the table itself.
 *
 * To regenerate: python3 tools/gen-pow10.py > src/codec/pow10_table.h
 */
#ifndef RP_POW10_TABLE_H
#define RP_POW10_TABLE_H

#include <stdint.h>

enum {{ RP_POW10_MIN = {lowest}, RP_POW10_MAX = {highest} }};

extern const uint64_t rp_pow10_table[RP_POW10_MAX - RP_POW10_MIN + 1][2];

/* floor(log2(10^q)) for every q in the table. */
static inline int rp_pow10_log2(int q)
{{
    return (q * {factor}) >> {shift};
}}

#ifdef RP_POW10_DEFINE
/* clang-format off */
const uint64_t rp_pow10_table[RP_POW10_MAX - RP_POW10_MIN + 1][2] = {{
"""

TAIL = """\
};
/* clang-format on */
#endif

#endif
"""


def leading_bits(q):
    """floor(10^q * 2^(127 - floor(log2(10^q)))), worked out in whole numbers."""
    log = q * LOG_FACTOR >> LOG_SHIFT
    shift = 127 - log
    if q < 0:
        bits = (1 << shift) // 10**-q
    elif shift < 0:
        bits = 10**q >> -shift
    else:
        bits = 10**q << shift
    assert bits.bit_length() == 128, f"wrong logarithm of 10^{q}"
    return bits


def main():
    print(HEAD.format(lowest=LOWEST, highest=HIGHEST, factor=LOG_FACTOR, shift=LOG_SHIFT), end="")
    for q in range(LOWEST, HIGHEST + 1):
        bits = leading_bits(q)
        high, low = bits >> 64, bits & (2**64 - 1)
        print(f"    {{0x{high:016x}, 0x{low:016x}}}, /* {q} */")
    print(TAIL, end="")


main()
