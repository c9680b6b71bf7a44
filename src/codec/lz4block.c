/* lz4block.c - see lz4block.h. Uses liblz4. */
#include <limits.h>
#include <lz4.h>
#include <lz4hc.h>

#include "lz4block.h"

static bool check_claim(rp_reader *r, uint32_t declared, size_t stored, rp_lz4_limits limits)
{
    if (declared > limits.size_max) {
        rp_fail(r, REPRISE_E_LIMIT, "size", "declared size %u exceeds the cap of %llu", declared,
                (unsigned long long)limits.size_max);
    } else if (declared / limits.ratio_max > stored ||
               (uint64_t)declared > limits.ratio_max * stored) {
        rp_fail(r, REPRISE_E_LIMIT, "size", "%u bytes out of %zu: decompression ratio over %llu:1",
                declared, stored, (unsigned long long)limits.ratio_max);
    } else if (declared > LZ4_MAX_INPUT_SIZE || stored > INT_MAX) {
        rp_fail(r, REPRISE_E_LIMIT, "size", "LZ4 blocks of that size do not exist");
    }
    return rp_ok(r);
}

/* Decodes the rest of the reader as one raw block. */
static bool read_block(rp_reader *r, uint32_t declared, rp_writer *to)
{
    rp_writer_clear(to);
    uint8_t *output = rp_put_raw(to, RP_MAX(declared, 1));
    if (!output) {
        if (rp_ok(r))
            *r->error = *to->error;
        return false;
    }
    to->size = declared;
    size_t left = rp_left(r);
    const uint8_t *block = rp_take(r, left, "block");
    int got = LZ4_decompress_safe((const char *)block, (char *)output, (int)left, (int)declared);
    if (got < 0)
        rp_fail(r, REPRISE_E_CORRUPT, "block", "damaged LZ4 block, or more than its %u bytes",
                declared);
    else if ((uint32_t)got != declared)
        rp_fail(r, REPRISE_E_CORRUPT, "block", "LZ4 block gives %d bytes, %u declared", got,
                declared);
    return rp_ok(r);
}

bool rp_lz4_read(rp_reader *r, rp_lz4_limits limits, rp_writer *to)
{
    size_t stored = rp_left(r);
    uint32_t declared = rp_u32(r, "size");
    return rp_ok(r) && check_claim(r, declared, stored, limits) && read_block(r, declared, to);
}

bool rp_lz4_read_plain(rp_reader *r, uint32_t declared, rp_lz4_limits limits, rp_writer *to)
{
    return rp_ok(r) && check_claim(r, declared, rp_left(r), limits) && read_block(r, declared, to);
}

static int encode(const void *data, int size, uint8_t *to, int room, rp_lz4_level level)
{
    static const int effort[] = {[RP_LZ4_BALANCED] = 6, [RP_LZ4_COMPACT] = LZ4HC_CLEVEL_MAX};
    if (level == RP_LZ4_FASTEST)
        return LZ4_compress_default(data, (char *)to, size, room);
    return LZ4_compress_HC(data, (char *)to, size, room, effort[level]);
}

void rp_lz4_write(rp_writer *w, const void *data, size_t size, rp_lz4_level level)
{
    if (size > LZ4_MAX_INPUT_SIZE) {
        rp_error_set(w->error, REPRISE_E_LIMIT, "%zu bytes do not fit one LZ4 block", size);
        return;
    }
    rp_put_u32(w, (uint32_t)size);
    int room = LZ4_compressBound((int)size);
    size_t start = w->size;
    uint8_t *to = rp_put_raw(w, (size_t)room);
    if (!to)
        return;
    int got = encode(size ? data : "", (int)size, to, room, level);
    if (got <= 0)
        rp_error_set(w->error, REPRISE_E_NOMEM, "no memory for LZ4 compression");
    else
        w->size = start + (size_t)got;
}
