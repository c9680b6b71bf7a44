/*
 * floattext_parse.c - parses text to the nearest float.
 *
 * The first 19 digits fit in a 64-bit integer. Its product with the power of ten, known to 64 bits,
 * gives the bits of the float, some more bits, and a bound on the error. Unless a midpoint between
 * two floats is within that error, the bits are final. If one is, which is rare, the decimal is
 * compared with the midpoint exactly, using big integers.
 */
#include "floattext.h"

#include <assert.h>

#include "pow10_table.h"
#include "reader.h"

__extension__ typedef unsigned __int128 u128;

/* Inlined for each type of float. */
#define HOT static inline __attribute__((always_inline))

enum {
    EXACT_DIGITS = 19,  /* any number of so many digits fits in 64 bits */
    EXPONENT_MAX = 308, /* 10^309 is infinite */
    /*
     * A midpoint between doubles has up to 767 digits. Of the digits after those it only matters
     * whether they are all zero, so longer texts need no more memory.
     */
    COMPARED_DIGITS = 768,
    /*
     * That many digits are 2555 bits. The other side of the comparison has at most 5^1092 (for
     * 10^-342 and 750 more digits) and the 54 bits of a midpoint: 2590 bits. Both sides are about
     * equal, so shifting one of them by a power of two makes it hardly larger than the other.
     */
    BIG_LIMBS = 48,
};

/* A floating-point type. */
typedef struct shape {
    int mantissa_bits; /* including the implicit bit */
    int field_max;     /* exponent field of infinity */
} shape;

/* A parsed number: digits * 10^exponent. */
typedef struct number {
    uint64_t digits; /* exact if there are at most EXACT_DIGITS */
    int64_t exponent;
    bool negative;
    const char *first;  /* the first digit ... */
    size_t digit_count; /* ... and their number; there may be a point between them */
    size_t size;        /* in bytes, 0 if there is no number */
} number;

/* The bits of a float without sign: the nearest one if `sure`, else one at or below it. */
typedef struct estimate {
    uint64_t bits;
    bool sure;
} estimate;

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Sets the highest bit of the first byte that is not a digit. Later bytes are undefined. */
static inline uint64_t mark_others(uint64_t word)
{
    /* Only bytes that are not digits carry or borrow, so the bytes before are correct. */
    return ((word + 0x4646464646464646) | (word - 0x3030303030303030)) & 0x8080808080808080;
}

/* Returns the value of eight digits, given as bytes 0 to 9, first digit lowest. */
static inline uint64_t join8(uint64_t bytes)
{
    uint64_t twos = bytes * 10 + (bytes >> 8);
    uint64_t odd = (twos & 0x000000ff000000ff) * (100 + (1000000ull << 32));
    uint64_t even = (twos >> 16 & 0x000000ff000000ff) * (1 + (10000ull << 32));
    return (odd + even) >> 32;
}

/* Appends the digits at `at` to *digits, which may overflow. Returns the end of the digits. */
static inline const char *scan_digits(const char *at, const char *end, uint64_t *digits)
{
    static const uint32_t pow10[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    while (end - at >= 8) {
        uint64_t word = rp_load64((const uint8_t *)at), others = mark_others(word);
        word -= 0x3030303030303030;
        if (others) {
            unsigned count = (unsigned)__builtin_ctzll(others) / 8;
            *digits = *digits * pow10[count] + join8(word << (56 - 8 * count) << 8);
            return at + count;
        }
        *digits = *digits * 100000000 + join8(word);
        at += 8;
    }
    for (; at < end && is_digit(*at); at++)
        *digits = *digits * 10 + (uint64_t)(*at - '0');
    return at;
}

/* Parses "e-12" and the like. An incomplete exponent is not part of the number. */
static const char *scan_exponent(const char *at, const char *end, int64_t *ret_exponent)
{
    const char *p = at + 1;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return at;
    int64_t exponent = 0;
    for (; p < end && is_digit(*p); p++)
        if (exponent < INT64_MAX / 100) /* far more than leading digits could compensate */
            exponent = exponent * 10 + (*p - '0');
    *ret_exponent = negative ? -exponent : exponent;
    return p;
}

HOT number scan_number(const char *text, size_t size)
{
    if (size == 0)
        return (number){0};
    const char *at = text, *end = text + size;
    bool negative = *at == '-';
    at += (*at == '-') | (*at == '+');
    const char *first = at;
    uint64_t digits = 0;
    for (; at < end && is_digit(*at); at++)
        digits = digits * 10 + (uint64_t)(*at - '0');
    if (at == first)
        return (number){0};
    size_t digit_count = (size_t)(at - first), fraction_count = 0;
    if (end - at >= 2 && *at == '.' && is_digit(at[1])) {
        const char *fraction = at + 1;
        at = scan_digits(fraction, end, &digits);
        fraction_count = (size_t)(at - fraction);
    }
    int64_t exponent = 0;
    if (at < end && (*at | 0x20) == 'e')
        at = scan_exponent(at, end, &exponent);
    return (number){
        .digits = digits,
        .exponent = exponent - (int64_t)fraction_count,
        .negative = negative,
        .first = first,
        .digit_count = digit_count + fraction_count,
        .size = (size_t)(at - text),
    };
}

/*
 * Estimates the float for digits * 10^exponent. If `more`, there are 19 digits and the number is
 * between that and (digits + 1) * 10^exponent.
 */
HOT estimate estimate_bits(uint64_t digits, int64_t exponent, bool more, shape s)
{
    estimate zero = {0, true}, infinity = {(uint64_t)s.field_max << (s.mantissa_bits - 1), true};
    if (digits == 0 || exponent < RP_POW10_MIN)
        return zero;
    if (exponent > EXPONENT_MAX)
        return infinity;
    /*
     * The upper half of the product is the number, in units of some power of two. It and both
     * factors were rounded down, so the true value is larger by less than `slack`.
     */
    int lead = __builtin_clzll(digits), ten = (int)exponent;
    uint64_t power = rp_pow10_table[ten - RP_POW10_MIN][0];
    uint64_t high = (uint64_t)((u128)(digits << lead) * power >> 64);
    uint64_t slack = more ? (1ull << lead) + 3 : 2;
    int shift = 63 + (int)(high >> 63) - s.mantissa_bits;
    int field = rp_pow10_log2(ten) + shift - lead + s.field_max / 2 + s.mantissa_bits;
    if (field >= s.field_max)
        return infinity;
    if (field < 1) {
        shift += 1 - field;
        field = 1;
        if (shift > 64) /* below half the smallest float, though perhaps not by `slack` */
            return (estimate){0, shift > 65};
    }
    uint64_t half = 1ull << (shift - 1), rest = high & (2 * half - 1);
    uint64_t mantissa = shift < 64 ? high >> shift : 0;
    uint64_t bits = mantissa + ((uint64_t)(field - 1) << (s.mantissa_bits - 1));
    bool unsure = half - rest < slack; /* wraps around if the rest is larger */
    return (estimate){bits + (!unsure && rest > half), !unsure};
}

/* A big integer, lowest limb first; the highest limb is not 0. */
typedef struct big {
    size_t count;
    uint64_t limbs[BIG_LIMBS];
} big;

static void big_push(big *b, uint64_t limb)
{
    assert(b->count < BIG_LIMBS);
    if (limb)
        b->limbs[b->count++] = limb;
}

static void big_multiply_add(big *b, uint64_t factor, uint64_t addend)
{
    for (size_t i = 0; i < b->count; i++) {
        u128 product = (u128)b->limbs[i] * factor + addend;
        b->limbs[i] = (uint64_t)product;
        addend = (uint64_t)(product >> 64);
    }
    big_push(b, addend);
}

static void big_multiply_pow5(big *b, int power)
{
    for (; power >= 27; power -= 27)
        big_multiply_add(b, 7450580596923828125, 0); /* 5^27, the largest that fits */
    uint64_t rest = 1;
    while (power--)
        rest *= 5;
    big_multiply_add(b, rest, 0);
}

static void big_shift_left(big *b, int bits)
{
    big_multiply_add(b, 1ull << (bits % 64), 0);
    size_t whole = (size_t)bits / 64;
    assert(b->count + whole <= BIG_LIMBS);
    memmove(b->limbs + whole, b->limbs, b->count * sizeof b->limbs[0]);
    memset(b->limbs, 0, whole * sizeof b->limbs[0]);
    b->count += whole;
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

/* Converts all digits of a number, and gives the power of ten to multiply them by. */
static big read_digits(const number *n, int *ret_exponent)
{
    big b = {0};
    const char *at = n->first;
    size_t left = n->digit_count, taken = 0;
    uint64_t chunk = 0, scale = 1;
    for (; left && taken < COMPARED_DIGITS; at++) {
        if (*at == '.')
            continue;
        chunk = chunk * 10 + (uint64_t)(*at - '0');
        scale *= 10;
        taken++;
        left--;
        if (taken % EXACT_DIGITS == 0) {
            big_multiply_add(&b, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    big_multiply_add(&b, scale, chunk);
    for (; left && (*at == '0' || *at == '.'); at++)
        left -= *at == '0';
    if (left) { /* marks that the number is larger than its first digits */
        big_multiply_add(&b, 10, 1);
        taken++;
    }
    *ret_exponent = (int)(n->exponent + (int64_t)n->digit_count - (int64_t)taken);
    return b;
}

/* Compares decimal * 10^exponent with the midpoint between a float and the next larger one. */
static int compare_midpoint(const big *decimal, int exponent, uint64_t bits, shape s)
{
    uint64_t implicit = 1ull << (s.mantissa_bits - 1);
    int field = (int)(bits >> (s.mantissa_bits - 1));
    uint64_t mantissa = bits & (implicit - 1);
    if (field)
        mantissa |= implicit;
    else
        field = 1;
    big left = *decimal, right = {1, {2 * mantissa + 1}};
    int power = field - s.field_max / 2 - s.mantissa_bits; /* of two, for the right side */
    if (exponent >= 0)
        big_multiply_pow5(&left, exponent);
    else
        big_multiply_pow5(&right, -exponent);
    if (exponent >= power)
        big_shift_left(&left, exponent - power);
    else
        big_shift_left(&right, power - exponent);
    return big_compare(&left, &right);
}

/* Returns the float nearest to the number, starting at or below it; of two, the even one. */
static uint64_t nearest_exact(const number *n, uint64_t bits, shape s)
{
    uint64_t infinity = (uint64_t)s.field_max << (s.mantissa_bits - 1);
    int exponent;
    big decimal = read_digits(n, &exponent);
    for (; bits < infinity; bits++) {
        int order = compare_midpoint(&decimal, exponent, bits, s);
        if (order <= 0)
            return bits + (order == 0 && bits % 2);
    }
    return infinity;
}

/* For numbers with more than 19 digits, and for those whose first estimate is not sure. */
static __attribute__((noinline)) uint64_t nearest_slow(const number *n, shape s)
{
    number m = *n; /* without leading zeros */
    for (; m.digit_count && (*m.first == '0' || *m.first == '.'); m.first++)
        m.digit_count -= *m.first == '0';
    int64_t dropped = 0;
    if (m.digit_count > EXACT_DIGITS) {
        const char *at = m.first;
        m.digits = 0;
        for (int left = EXACT_DIGITS; left; at++) {
            if (*at == '.')
                continue;
            m.digits = m.digits * 10 + (uint64_t)(*at - '0');
            left--;
        }
        dropped = (int64_t)(m.digit_count - EXACT_DIGITS);
    }
    estimate e = estimate_bits(m.digits, m.exponent + dropped, dropped > 0, s);
    return e.sure ? e.bits : nearest_exact(&m, e.bits, s);
}

HOT uint64_t nearest(number n, shape s)
{
    if (n.digit_count <= EXACT_DIGITS) {
        estimate e = estimate_bits(n.digits, n.exponent, false, s);
        if (__builtin_expect(e.sure, 1))
            return e.bits;
    }
    number copy = n; /* taking the address of `n` would keep it out of registers */
    return nearest_slow(&copy, s);
}

size_t rp_parse_f64(const char *text, size_t size, double *ret_value)
{
    number n = scan_number(text, size);
    if (n.size == 0)
        return 0;
    uint64_t bits = nearest(n, (shape){53, 0x7FF}) | (uint64_t)n.negative << 63;
    memcpy(ret_value, &bits, sizeof bits);
    return n.size;
}

size_t rp_parse_f32(const char *text, size_t size, float *ret_value)
{
    number n = scan_number(text, size);
    if (n.size == 0)
        return 0;
    uint32_t bits = (uint32_t)nearest(n, (shape){24, 0xFF}) | (uint32_t)n.negative << 31;
    memcpy(ret_value, &bits, sizeof bits);
    return n.size;
}

bool rp_parse_f64_loose(const char *text, size_t size, double *ret_value)
{
    /* Adds the missing digits around the point. */
    char usual[64];
    size_t used = 0;
    bool digits = false;
    if (size > sizeof usual / 2)
        return rp_parse_f64(text, size, ret_value) == size;
    for (size_t i = 0; i < size; i++) {
        bool digit = is_digit(text[i]);
        if (text[i] == '.' && !(used && is_digit(usual[used - 1])))
            usual[used++] = '0';
        if (used && usual[used - 1] == '.' && !digit)
            usual[used++] = '0';
        /* Digits after an 'e' belong to the exponent. */
        digits = digits || (digit && !memchr(usual, 'e', used) && !memchr(usual, 'E', used));
        usual[used++] = text[i];
    }
    if (used && usual[used - 1] == '.')
        usual[used++] = '0';
    double value;
    if (!digits || rp_parse_f64(usual, used, &value) != used)
        return false;
    *ret_value = value;
    return true;
}
