/* png_write.c - writes pictures of 8-bit red, green and blue as PNG. */
#include "png.h"

#include <libdeflate.h>
#include <string.h>

#include "checked.h"
#include "hash.h"

enum { CHANNELS = 3, CHUNK_EXTRA = 12, LEVEL = 6 };

static void put_be32(uint8_t to[4], uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void put_chunk(rp_writer *to, const char name[4], const uint8_t *data, size_t size)
{
    uint8_t number[4];
    put_be32(number, (uint32_t)size);
    rp_put(to, number, sizeof number);
    rp_put(to, name, 4);
    if (size)
        rp_put(to, data, size);
    put_be32(number, rp_crc32(rp_crc32(0, name, 4), data, size));
    rp_put(to, number, sizeof number);
}

/* Rows without a filter. */
static void copy_rows(uint8_t *to, const uint8_t *rgb, uint32_t width, uint32_t height)
{
    size_t row = (size_t)CHANNELS * width;
    for (size_t y = 0; y < height; y++) {
        to[y * (row + 1)] = 0;
        memcpy(to + y * (row + 1) + 1, rgb + y * row, row);
    }
}

reprise_status rp_png_write(rp_context *context, const uint8_t *rgb, uint32_t width,
                            uint32_t height, rp_writer *to, reprise_error *error)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint8_t header[13] = {[8] = 8, [9] = 2}; /* bits per channel, and colours without a palette */
    put_be32(header, width);
    put_be32(header + 4, height);
    size_t size = ((size_t)CHANNELS * width + 1) * height;
    struct libdeflate_compressor *packer = libdeflate_alloc_compressor(LEVEL);
    size_t room = packer ? libdeflate_zlib_compress_bound(packer, size) : 0;
    uint8_t *rows = packer ? rp_alloc(context, size, error) : NULL;
    uint8_t *packed = rows ? rp_alloc(context, room, error) : NULL;
    if (packed) {
        copy_rows(rows, rgb, width, height);
        rp_put(to, signature, sizeof signature);
        put_chunk(to, "IHDR", header, sizeof header);
        put_chunk(to, "IDAT", packed, libdeflate_zlib_compress(packer, rows, size, packed, room));
        put_chunk(to, "IEND", NULL, 0);
    } else if (error->status == REPRISE_OK) {
        (void)rp_error_set(error, REPRISE_E_NOMEM, "no memory to compress a picture");
    }
    rp_free(context, packed, room);
    rp_free(context, rows, rows ? size : 0);
    libdeflate_free_compressor(packer);
    return error->status;
}
