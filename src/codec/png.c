/* png.c - see png.h. */
#include "png.h"

#include <string.h>

enum { HEAD_SIZE = 8, CRC_SIZE = 4, END_SIZE = 12, SKIP_SIZE = 4096 };

static const uint8_t magic[HEAD_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
static const uint8_t grey_pixel[] = {
    0x89, 'P',  'N', 'G',  13,  10,  0x1A, 10,  0,    0,   0,   13,  'I',  'H',  'D',  'R', 0,
    0,    0,    1,   0,    0,   0,   1,    8,   0,    0,   0,   0,   0x3A, 0x7E, 0x9B, 'U', 0,
    0,    0,    10,  'I',  'D', 'A', 'T',  'x', 0x9C, 'c', 'h', 0,   0,    0,    0x82, 0,   0x81,
    'w',  0xCD, 'r', 0xB6, 0,   0,   0,    0,   'I',  'E', 'N', 'D', 0xAE, 'B',  0x60, 0x82};

typedef struct png_stream {
    rp_stream base;
    rp_stream *from;
    uint8_t head[HEAD_SIZE]; /* of the chunk, or the magic */
    const uint8_t *given;    /* to return first */
    size_t given_size;
    uint64_t left; /* bytes of the chunk, including its checksum */
    bool keeps;    /* this chunk */
    bool begun, ended;
} png_stream;

static bool is_picture(const uint8_t *type)
{
    static const char types[] = "IHDRPLTEIDATIENDtRNSgAMAcHRMsRGBsBITacTLfcTLfdAT";
    for (size_t i = 0; i < sizeof types - 1; i += 4) {
        if (memcmp(types + i, type, 4) == 0)
            return true;
    }
    return false;
}

static reprise_status read_full(rp_stream *from, uint8_t *to, size_t size, size_t *ret_size,
                                reprise_error *error)
{
    size_t done = 0, n = 1;
    while (done < size && n) {
        RP_TRY(rp_stream_read(from, to + done, size - done, &n, error));
        done += n;
    }
    *ret_size = done;
    return REPRISE_OK;
}

static void give(png_stream *png, const uint8_t *bytes, size_t size)
{
    png->given = bytes;
    png->given_size = size;
}

static reprise_status begin(png_stream *png, reprise_error *error)
{
    size_t n;
    RP_TRY(read_full(png->from, png->head, sizeof png->head, &n, error));
    png->begun = true;
    bool is_png = n == sizeof magic && memcmp(png->head, magic, n) == 0;
    png->ended = !is_png;
    give(png, is_png ? magic : grey_pixel, is_png ? sizeof magic : sizeof grey_pixel);
    return REPRISE_OK;
}

static reprise_status next_chunk(png_stream *png, reprise_error *error)
{
    size_t n;
    RP_TRY(read_full(png->from, png->head, sizeof png->head, &n, error));
    png->ended = n < sizeof png->head;
    const uint8_t *h = png->head;
    png->left = ((uint64_t)h[0] << 24 | (uint64_t)h[1] << 16 | (uint64_t)h[2] << 8 | h[3]) +
                CRC_SIZE;
    bool last = memcmp(h + 4, "IEND", 4) == 0;
    png->keeps = is_picture(h + 4) && !last;
    if (png->keeps && !png->ended)
        give(png, png->head, sizeof png->head);
    /* The end chunk is empty; any bytes in it do not belong to the picture. */
    if (last && !png->ended)
        give(png, grey_pixel + sizeof grey_pixel - END_SIZE, END_SIZE);
    png->ended = png->ended || last;
    return REPRISE_OK;
}

/* Reads more of the chunk, into `to` if it is kept. */
static reprise_status read_chunk(png_stream *png, void *to, size_t size, size_t *ret_size,
                                 reprise_error *error)
{
    uint8_t skipped[SKIP_SIZE];
    size_t n;
    if (!png->keeps) {
        to = skipped;
        size = sizeof skipped;
    }
    RP_TRY(rp_stream_read(png->from, to, (size_t)RP_MIN((uint64_t)size, png->left), &n, error));
    png->left -= n;
    png->ended = n == 0;
    *ret_size = png->keeps ? n : 0;
    return REPRISE_OK;
}

static reprise_status png_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                               reprise_error *error)
{
    png_stream *png = (png_stream *)stream;
    *ret_size = 0;
    while (!*ret_size) {
        if (png->given_size) {
            *ret_size = RP_MIN(size, png->given_size);
            memcpy(to, png->given, *ret_size);
            give(png, png->given + *ret_size, png->given_size - *ret_size);
        } else if (png->ended) {
            return REPRISE_OK;
        } else if (!png->begun) {
            RP_TRY(begin(png, error));
        } else if (!png->left) {
            RP_TRY(next_chunk(png, error));
        } else {
            RP_TRY(read_chunk(png, to, size, ret_size, error));
        }
    }
    stream->offset += *ret_size;
    return REPRISE_OK;
}

static void png_close(rp_stream *stream)
{
    rp_free(stream->context, stream, sizeof(png_stream));
}

reprise_status rp_png_plain(rp_context *context, rp_stream *from, rp_stream **ret_stream,
                            reprise_error *error)
{
    static const rp_stream_ops ops = {.read = png_read, .close = png_close};
    png_stream *png = rp_alloc_zero(context, 1, sizeof *png, error);
    if (!png)
        return error->status;
    png->base = (rp_stream){.ops = &ops, .context = context, .name = from->name};
    png->from = from;
    *ret_stream = &png->base;
    return REPRISE_OK;
}
