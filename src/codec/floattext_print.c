/*
 * floattext_print.c - prints floats with the fewest digits that read back as the same value.
 *
 * The algorithm is Raffaele Giulietti's Schubfach. All decimals between the midpoints to the two
 * neighbouring floats read back as the float. A power of ten 10^k is chosen so that at least one
 * multiple of it is between them, but at most one multiple of 10^(k+1). If there is one of the
 * latter, it is the shortest decimal without its trailing zeros; else the shortest is the multiple
 * of 10^k nearest to the float. Three multiplications by a power of ten find both.
 *
 * The digits of measured values are practically random, so code that depends on them has no
 * branches: half of them would be mispredicted.
 */
#include "floattext.h"

#include <string.h>

#define RP_POW10_DEFINE
#include "pow10_table.h"

__extension__ typedef unsigned __int128 u128;

/* Forces inlining; the compiler would not, because the slow styles call these functions too. */
#define HOT static inline __attribute__((always_inline))

/* A float as c * 2^q. */
typedef struct binary {
    uint64_t c;
    int q;
    bool uneven; /* the neighbour towards zero is half as far away as the other */
    bool negative, finite;
} binary;

/*
 * A shortest decimal: (lead + last / 10) * 10^exponent with lead > 0. If `last` is 0, `lead` may
 * end in zeros. The last digit is separate because eight or sixteen digits are printed at once.
 */
typedef struct shortest {
    uint64_t lead; /* below 10^8 for a float, below 10^16 for a double */
    unsigned last;
    int exponent;
} shortest;

/* The same as characters: 0.d1d2d3... * 10^point, where d1 is not 0. */
typedef struct digits {
    uint64_t text[2]; /* of `lead`: the first in the lowest byte, '0' after the last */
    int lead_count;
    char last;
    int count; /* of all digits, without trailing zeros */
    int point;
} digits;

static inline binary binary_of(uint64_t bits, int fraction_bits, int field_bits)
{
    int field_max = (1 << field_bits) - 1, field = (int)(bits >> fraction_bits) & field_max;
    int q_min = 1 - field_max / 2 - fraction_bits;
    uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
    return (binary){
        .c = field ? fraction | 1ull << fraction_bits : fraction,
        .q = field ? q_min - 1 + field : q_min,
        .uneven = fraction == 0 && field > 1,
        .negative = bits >> (fraction_bits + field_bits) & 1,
        .finite = field < field_max,
    };
}

static inline binary binary_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return binary_of(bits, 23, 8);
}

static inline binary binary_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return binary_of(bits, 52, 11);
}

/* floor(log10(2^q)), or of 3/4 * 2^q, the width of an uneven interval. For any double. */
static inline int floor_log10(int q, bool three_quarters)
{
    return (q * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/*
 * Chooses the decimal. The arguments are the lower midpoint, the float and the upper midpoint in
 * quarters of 10^k, rounded to odd: an odd number represents everything between its neighbours, so
 * comparing it with even numbers is exact. Midpoints read back as even floats only.
 */
static inline shortest choose(uint64_t below, uint64_t value, uint64_t above, bool even, int k)
{
    uint64_t lower = below + !even, upper = above - !even;
    uint64_t ones = value / 4, tens = ones / 10;
    bool round_up = ((value & 3) + (ones & 1) > 2) | (4 * ones < lower);
    if (__builtin_expect(ones < 10, 0)) /* the smallest floats have one digit */
        return (shortest){ones + round_up, 0, k};
    bool tens_inside = lower <= 40 * tens, next_inside = 40 * tens + 40 <= upper;
    unsigned inside = tens_inside | next_inside;
    unsigned last = (unsigned)(ones - 10 * tens) + round_up;
    return (shortest){tens + next_inside, last & (inside - 1), k + 1};
}

/*
 * c4 * power * 2^h / 2^64, rounded to odd. The power is too large by at most one, which adds less
 * than one to the product, so an integer result has no remainder. All others have one, even in 32
 * bits.
 */
static inline uint64_t scale_f32(uint64_t power, uint64_t c4, int h)
{
    uint64_t product = (uint64_t)((u128)power * (c4 << (h + 32)) >> 64);
    return product >> 32 | ((uint32_t)product != 0);
}

HOT shortest shortest_f32(binary b)
{
    int k = floor_log10(b.q, b.uneven);
    int h = b.q + rp_pow10_log2(-k) + 1;
    uint64_t power = rp_pow10_table[-k - RP_POW10_MIN][0] + 1, c4 = 4 * b.c;
    return choose(scale_f32(power, c4 - 2 + b.uneven, h), scale_f32(power, c4, h),
                  scale_f32(power, c4 + 2, h), b.c % 2 == 0, k);
}

/* The same with a power of 128 bits: c4 * power * 2^h / 2^128. */
static inline uint64_t scale_f64(u128 power, uint64_t c4, int h)
{
    uint64_t factor = c4 << h, high = (uint64_t)(power >> 64), low = (uint64_t)power;
    u128 product = (u128)high * factor + ((u128)low * factor >> 64);
    return (uint64_t)(product >> 64) | ((uint64_t)product != 0);
}

HOT shortest shortest_f64(binary b)
{
    /* If floats are at most 1 apart, an integer is its own shortest decimal. */
    if (b.q <= 0 && b.q > -53 && (b.c & ((1ull << -b.q) - 1)) == 0)
        return (shortest){b.c >> -b.q, 0, 0};
    int k = floor_log10(b.q, b.uneven);
    int h = b.q + rp_pow10_log2(-k) + 1;
    const uint64_t *row = rp_pow10_table[-k - RP_POW10_MIN];
    u128 power = ((u128)row[0] << 64 | row[1]) + 1;
    uint64_t c4 = 4 * b.c;
    return choose(scale_f64(power, c4 - 2 + b.uneven, h), scale_f64(power, c4, h),
                  scale_f64(power, c4 + 2, h), b.c % 2 == 0, k);
}

/* Returns the eight decimal digits of v as bytes 0 to 9, first digit lowest. */
static inline uint64_t split8(uint32_t v)
{
    uint32_t upper = v / 10000;
    uint64_t fours = upper | (uint64_t)(v - 10000 * upper) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;
    return tens | (twos - 10 * tens) << 8;
}

/* condition ? a : b without a branch. */
static inline int pick(bool condition, int a, int b)
{
    return b + ((a - b) & -(int)condition);
}

#define ZEROS8 0x3030303030303030ull

HOT digits digits_f32(shortest s)
{
    uint64_t bytes = split8((uint32_t)s.lead);
    int skip = __builtin_ctzll(bytes) / 8;
    bytes >>= 8 * skip;
    int lead_count = 8 - skip, stripped = 8 - __builtin_clzll(bytes) / 8;
    return (digits){
        .text = {bytes | ZEROS8, ZEROS8},
        .lead_count = lead_count,
        .last = (char)('0' + s.last),
        .count = pick(s.last != 0, lead_count + 1, stripped),
        .point = lead_count + s.exponent,
    };
}

HOT digits digits_f64(shortest s)
{
    uint32_t upper = (uint32_t)(s.lead / 100000000);
    uint64_t first = split8(upper), second = split8((uint32_t)(s.lead - upper * 100000000ull));
    int skip = first ? __builtin_ctzll(first) / 8 : 8 + __builtin_ctzll(second) / 8;
    u128 bytes = (first | (u128)second << 64) >> (8 * skip);
    first = (uint64_t)bytes;
    second = (uint64_t)(bytes >> 64);
    int lead_count = 16 - skip;
    int stripped = second ? 16 - __builtin_clzll(second) / 8 : 8 - __builtin_clzll(first) / 8;
    return (digits){
        .text = {first | ZEROS8, second | ZEROS8},
        .lead_count = lead_count,
        .last = (char)('0' + s.last),
        .count = pick(s.last != 0, lead_count + 1, stripped),
        .point = lead_count + s.exponent,
    };
}

static inline void store8(char *to, uint64_t text)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    text = __builtin_bswap64(text);
#endif
    memcpy(to, &text, sizeof text);
}

/* Writes all digits; may write up to 17 bytes. */
static inline void put_digits(const digits *d, char *to)
{
    store8(to, d->text[0]);
    store8(to + 8, d->text[1]);
    to[d->lead_count] = d->last;
}

/* Writes 0.00123, 12.3 or 12300, depending on `point`. */
static size_t put_fixed(const digits *d, char *to)
{
    char text[24];
    put_digits(d, text);
    size_t count = (size_t)d->count;
    if (d->point <= 0) {
        size_t zeros = (size_t)-d->point;
        memcpy(to, "0.", 2);
        memset(to + 2, '0', zeros);
        memcpy(to + 2 + zeros, text, count);
        return 2 + zeros + count;
    }
    size_t point = (size_t)d->point;
    if (count <= point) {
        memcpy(to, text, count);
        memset(to + count, '0', point - count);
        return point;
    }
    memcpy(to, text, point);
    to[point] = '.';
    memcpy(to + point + 1, text + point, count - point);
    return count + 1;
}

/* The exponent is e-7 and e22 in JSON, E-07 and E+22 in .NET. */
static size_t put_scientific(const digits *d, bool dotnet, char *to)
{
    put_digits(d, to + 1);
    to[0] = to[1];
    to[1] = '.';
    char *at = to + (d->count > 1 ? d->count + 1 : 1);
    *at++ = dotnet ? 'E' : 'e';
    int exponent = d->point - 1;
    if (exponent < 0)
        *at++ = '-';
    else if (dotnet)
        *at++ = '+';
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (size >= 100)
        *at++ = (char)('0' + size / 100);
    if (size >= 10 || dotnet)
        *at++ = (char)('0' + size / 10 % 10);
    *at++ = (char)('0' + size % 10);
    return (size_t)(at - to);
}

/*
 * The slow path of put_json, for numbers below 10^-6 and with more than seven digits before the
 * point.
 */
static __attribute__((noinline)) size_t put_json_rare(const digits *d, char *to)
{
    return d->point > 0 && d->point <= 21 ? put_fixed(d, to) : put_scientific(d, false, to);
}

/* Like put_fixed, but storing words: each store overwrites the excess bytes of the one before. */
HOT size_t put_json(digits d, char *to)
{
    if (d.point < -5 || d.point > 7) {
        digits copy = d; /* taking the address of `d` would keep it out of registers */
        return put_json_rare(&copy, to);
    }
    if (d.point <= 0) {
        store8(to, ZEROS8);
        to[1] = '.';
        put_digits(&d, to + 2 - d.point);
        return (size_t)(2 - d.point + d.count);
    }
    store8(to, d.text[0]);
    store8(to + d.point + 1, d.text[0] >> (8 * d.point));
    store8(to + 9, d.text[1]);
    to[d.lead_count + (d.point <= d.lead_count)] = d.last;
    to[d.point] = '.';
    return (size_t)pick(d.count <= d.point, d.point, d.count + 1);
}

/* Zero, infinities and NaN. */
static size_t put_special(binary b, char *to)
{
    bool is_nan = !b.finite && (b.c & (b.c - 1)) != 0; /* bits other than the implicit one */
    const char *word = b.finite ? "0" : is_nan ? "NaN" : "Infinity";
    size_t size = strlen(word), sign = b.negative && !is_nan;
    to[0] = '-';
    memcpy(to + sign, word, size);
    return sign + size;
}

size_t rp_print_f32(float value, char *to)
{
    binary b = binary_f32(value);
    if (!b.finite || b.c == 0)
        return put_special(b, to);
    to[0] = '-';
    return b.negative + put_json(digits_f32(shortest_f32(b)), to + b.negative);
}

size_t rp_print_f64(double value, char *to)
{
    binary b = binary_f64(value);
    if (!b.finite || b.c == 0)
        return put_special(b, to);
    to[0] = '-';
    return b.negative + put_json(digits_f64(shortest_f64(b)), to + b.negative);
}

/*
 * .NET writes up to `precision` digits before the point, or more if there are more, and up to three
 * zeros after it.
 */
static size_t put_dotnet(shortest s, int precision, bool negative, char *to)
{
    digits d = digits_f64(s);
    to[0] = '-';
    to += negative;
    if (d.point < -3 || d.point > (d.count > precision ? d.count : precision))
        return negative + put_scientific(&d, true, to);
    size_t size = put_fixed(&d, to);
    if (d.count > d.point)
        return negative + size;
    memcpy(to + size, ".0", 2);
    return negative + size + 2;
}

static size_t put_dotnet_special(binary b, char *to)
{
    size_t size = put_special(b, to);
    if (!b.finite)
        return size;
    memcpy(to + size, ".0", 2);
    return size + 2;
}

size_t rp_print_f32_dotnet(float value, char *to)
{
    binary b = binary_f32(value);
    if (!b.finite || b.c == 0)
        return put_dotnet_special(b, to);
    return put_dotnet(shortest_f32(b), 7, b.negative, to);
}

size_t rp_print_f64_dotnet(double value, char *to)
{
    binary b = binary_f64(value);
    if (!b.finite || b.c == 0)
        return put_dotnet_special(b, to);
    return put_dotnet(shortest_f64(b), 15, b.negative, to);
}

static rp_decimal decimal_of(shortest s, bool negative)
{
    if (s.last)
        return (rp_decimal){10 * s.lead + s.last, s.exponent - 1, negative};
    while (s.lead % 10 == 0) {
        s.lead /= 10;
        s.exponent++;
    }
    return (rp_decimal){s.lead, s.exponent, negative};
}

rp_decimal rp_decimal_f32(float value)
{
    binary b = binary_f32(value);
    return b.c ? decimal_of(shortest_f32(b), b.negative) : (rp_decimal){0, 0, b.negative};
}

rp_decimal rp_decimal_f64(double value)
{
    binary b = binary_f64(value);
    return b.c ? decimal_of(shortest_f64(b), b.negative) : (rp_decimal){0, 0, b.negative};
}
