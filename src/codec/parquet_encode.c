/* parquet_encode.c - see parquet_encode.h. */
#include "parquet_encode.h"

#include "checked.h"
#include "thrift.h"

unsigned rp_bit_width(uint64_t most)
{
    unsigned width = 0;
    for (; most; most >>= 1)
        width++;
    return width;
}

/* ---- bits ---- */

/* Appends values of `width` bits, least significant first, to whole bytes. */
static void put_bits(rp_writer *w, const uint64_t *values, size_t count, unsigned width)
{
    size_t size = (count * width + 7) / 8;
    uint8_t *to = size ? rp_put_raw(w, size) : NULL;
    uint64_t held = 0;
    unsigned bits = 0;
    if (!to)
        return;
    for (size_t i = 0; i < count; i++) {
        held |= values[i] << bits;
        if (bits + width < 64) {
            bits += width;
            continue;
        }
        rp_store64(to, held);
        to += 8;
        held = bits ? values[i] >> (64 - bits) : 0;
        bits = bits + width - 64;
    }
    rp_store_bytes(to, held, (bits + 7) / 8);
}

/* ---- runs and groups ---- */

enum { GROUP = 8, GROUPS_AT_ONCE = 64 };

static size_t run_length(const uint32_t *values, size_t count)
{
    size_t n = 1;
    while (n < count && values[n] == values[0])
        n++;
    return n;
}

static void put_run(rp_writer *w, uint32_t value, size_t count, unsigned width)
{
    rp_put_varint(w, (uint64_t)count << 1);
    uint8_t *to = width ? rp_put_raw(w, (width + 7) / 8) : NULL;
    if (to)
        rp_store_bytes(to, value, (width + 7) / 8);
}

/* Only the last group of a page may be filled up with zeros. */
static void put_groups(rp_writer *w, const uint32_t *values, size_t count, unsigned width)
{
    size_t groups = (count + GROUP - 1) / GROUP;
    rp_put_varint(w, (uint64_t)groups << 1 | 1);
    for (size_t at = 0; at < count; at += GROUP * GROUPS_AT_ONCE) {
        uint64_t wide[GROUP * GROUPS_AT_ONCE] = {0};
        size_t n = RP_MIN(count - at, RP_COUNT(wide));
        for (size_t i = 0; i < n; i++)
            wide[i] = values[at + i];
        put_bits(w, wide, (n + GROUP - 1) / GROUP * GROUP, width);
    }
}

/* How many values, in groups, precede the next group that would be a run. */
static size_t literal_length(const uint32_t *values, size_t count)
{
    size_t n = RP_MIN(count, GROUP);
    while (n < count && (count - n < GROUP || run_length(values + n, GROUP) < GROUP))
        n += RP_MIN(count - n, GROUP);
    return n;
}

void rp_pq_put_hybrid(rp_writer *w, const uint32_t *values, size_t count, unsigned width)
{
    while (count) {
        size_t run = run_length(values, count);
        size_t n = run;
        if (run >= GROUP) {
            put_run(w, values[0], run, width);
        } else {
            n = literal_length(values, count);
            put_groups(w, values, n, width);
        }
        values += n;
        count -= n;
    }
}

/* ---- deltas ---- */

enum { BLOCK = 128, MINIBLOCKS = 4, MINIBLOCK = BLOCK / MINIBLOCKS };

/* Differences wrap around within the width of the values, as readers add them up. */
static inline int64_t value_at(const void *values, size_t i, size_t width)
{
    return width == 4 ? ((const int32_t *)values)[i] : ((const int64_t *)values)[i];
}

static inline int64_t difference(const void *values, size_t i, size_t width)
{
    if (width == 4) {
        const uint32_t *v = values;
        return (int32_t)(v[i] - v[i - 1]);
    }
    const uint64_t *v = values;
    return (int64_t)(v[i] - v[i - 1]);
}

static void put_delta_block(rp_writer *w, const int64_t *deltas, size_t count, size_t width)
{
    uint64_t over[BLOCK] = {0};
    uint8_t widths[MINIBLOCKS] = {0};
    int64_t least = deltas[0];
    for (size_t i = 1; i < count; i++)
        least = RP_MIN(least, deltas[i]);
    for (size_t i = 0; i < count; i++) {
        over[i] = (uint64_t)deltas[i] - (uint64_t)least;
        if (width == 4)
            over[i] &= UINT32_MAX;
    }
    for (size_t i = 0; i < MINIBLOCKS; i++) {
        uint64_t all = 0;
        for (size_t k = 0; k < MINIBLOCK; k++)
            all |= over[i * MINIBLOCK + k];
        widths[i] = (uint8_t)rp_bit_width(all);
    }
    rp_put_varint(w, rp_zigzag(least));
    rp_put(w, widths, sizeof widths);
    for (size_t i = 0; i * MINIBLOCK < count; i++)
        put_bits(w, over + i * MINIBLOCK, MINIBLOCK, widths[i]);
}

void rp_pq_put_deltas(rp_writer *w, const void *values, size_t count, size_t width)
{
    rp_put_varint(w, BLOCK);
    rp_put_varint(w, MINIBLOCKS);
    rp_put_varint(w, count);
    rp_put_varint(w, rp_zigzag(count ? value_at(values, 0, width) : 0));
    for (size_t at = 1; at < count; at += BLOCK) {
        int64_t deltas[BLOCK] = {0};
        size_t n = RP_MIN(count - at, BLOCK);
        for (size_t i = 0; i < n; i++)
            deltas[i] = difference(values, at + i, width);
        put_delta_block(w, deltas, n, width);
    }
}

/* ---- floats and plain numbers ---- */

void rp_pq_put_split(rp_writer *w, const void *values, size_t count, size_t width)
{
    uint8_t *to = count ? rp_put_raw(w, count * width) : NULL;
    if (!to)
        return;
    if (width == 4) {
        const uint32_t *from = values;
        uint8_t *a = to, *b = a + count, *c = b + count, *d = c + count;
        for (size_t i = 0; i < count; i++) {
            a[i] = (uint8_t)from[i];
            b[i] = (uint8_t)(from[i] >> 8);
            c[i] = (uint8_t)(from[i] >> 16);
            d[i] = (uint8_t)(from[i] >> 24);
        }
        return;
    }
    const uint64_t *from = values;
    for (size_t byte = 0; byte < width; byte++) {
        for (size_t i = 0; i < count; i++)
            to[byte * count + i] = (uint8_t)(from[i] >> (8 * byte));
    }
}

void rp_pq_put_plain(rp_writer *w, const void *values, size_t count, size_t width)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    rp_put(w, values, count * width);
#else
    for (size_t i = 0; i < count; i++) {
        if (width == 4)
            rp_put_u32(w, ((const uint32_t *)values)[i]);
        else
            rp_put_u64(w, ((const uint64_t *)values)[i]);
    }
#endif
}
