/*
 * gzip.c - decodes one gzip member (RFC 1952), as a stream with zlib or at once with libdeflate.
 *
 * zlib only inflates. Header and trailer are read here, because zlib's checksum takes a quarter of
 * the time and its status does not distinguish a wrong checksum from damage.
 */
#define ZLIB_CONST /* makes zlib's input pointer const */
#include <libdeflate.h>
#include <limits.h>
#include <zlib.h>

#include "hash.h"
#include "unpacker.h"

enum {
    HEADER_SIZE = 10,
    TRAILER_SIZE = 8,
    FLAG_HEADER_CRC = 1 << 1,
    FLAG_EXTRA = 1 << 2,
    FLAG_NAME = 1 << 3,
    FLAG_COMMENT = 1 << 4,
    FLAGS_RESERVED = 0xE0,
    METHOD_DEFLATE = 8,
    DEFLATE_RATIO_MAX = 1032, /* a match of 258 bytes takes at least two bits */
};

/* How gzip data in replays usually starts: deflate, and a header without optional parts. */
static const uint8_t usual_head[] = {0x1F, 0x8B, METHOD_DEFLATE, 0};

typedef enum part {
    PART_HEADER,
    PART_BODY,
    PART_TRAILER,
    PART_END,
} part;

typedef struct gzip {
    rp_unpacker unpacker;
    z_stream zlib;
    part part;    /* to be read next */
    bool bare;    /* raw deflate data, as in archives */
    uint32_t crc; /* of the current part: header, then content */
} gzip;

static void *zlib_alloc(void *context, unsigned count, unsigned size)
{
    size_t bytes;
    return rp_mul(count, size, &bytes) ? rp_codec_alloc(context, bytes) : NULL;
}

/* Reads n bytes of header or trailer. */
static reprise_status take(gzip *self, uint8_t *to, size_t n, reprise_error *error)
{
    rp_unpacker *unpacker = &self->unpacker;
    for (size_t i = 0; i < n; i++) {
        if (unpacker->left == 0)
            RP_TRY(rp_unpacker_fill(unpacker, error));
        if (unpacker->left == 0)
            return rp_unpacker_short(unpacker, error);
        to[i] = *unpacker->at++;
        unpacker->left--;
    }
    self->crc = rp_crc32(self->crc, to, n);
    return REPRISE_OK;
}

static reprise_status skip_text(gzip *self, reprise_error *error)
{
    uint8_t character;
    do
        RP_TRY(take(self, &character, 1, error));
    while (character);
    return REPRISE_OK;
}

static reprise_status skip_extra(gzip *self, reprise_error *error)
{
    uint8_t field[2];
    RP_TRY(take(self, field, sizeof field, error));
    for (unsigned left = rp_load16(field); left; left--)
        RP_TRY(take(self, field, 1, error));
    return REPRISE_OK;
}

static reprise_status check_header_crc(gzip *self, reprise_error *error)
{
    uint16_t computed = (uint16_t)self->crc;
    uint8_t field[2];
    RP_TRY(take(self, field, sizeof field, error));
    if (computed != rp_load16(field))
        return rp_error_set(error, REPRISE_E_CHECKSUM, "gzip header has checksum %04x, stored %04x",
                            computed, rp_load16(field));
    return REPRISE_OK;
}

static reprise_status read_header(gzip *self, reprise_error *error)
{
    uint8_t head[HEADER_SIZE];
    RP_TRY(take(self, head, sizeof head, error));
    if (head[0] != 0x1F || head[1] != 0x8B)
        return rp_unpacker_damaged(&self->unpacker, 0, "it does not start with 1f 8b", error);
    if (head[2] != METHOD_DEFLATE)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "gzip method %u is not supported",
                            head[2]);
    uint8_t flags = head[3];
    if (flags & FLAGS_RESERVED)
        return rp_unpacker_damaged(&self->unpacker, 0, "unknown flags in the header", error);
    if (flags & FLAG_EXTRA)
        RP_TRY(skip_extra(self, error));
    if (flags & FLAG_NAME)
        RP_TRY(skip_text(self, error));
    if (flags & FLAG_COMMENT)
        RP_TRY(skip_text(self, error));
    if (flags & FLAG_HEADER_CRC)
        RP_TRY(check_header_crc(self, error));
    self->crc = 0;
    self->part = PART_BODY;
    return REPRISE_OK;
}

static reprise_status read_trailer(gzip *self, reprise_error *error)
{
    uint32_t computed = self->crc;
    uint32_t length = (uint32_t)self->unpacker.stream.offset;
    uint8_t field[TRAILER_SIZE];
    RP_TRY(take(self, field, sizeof field, error));
    if (computed != rp_load32(field))
        return rp_error_set(error, REPRISE_E_CHECKSUM, "gzip data has CRC-32 %08x, stored %08x",
                            computed, rp_load32(field));
    if (length != rp_load32(field + 4))
        return rp_error_set(error, REPRISE_E_CHECKSUM, "gzip data has %u bytes, stored %u", length,
                            rp_load32(field + 4));
    self->part = PART_END;
    return REPRISE_OK;
}

static reprise_status inflate_failure(const gzip *self, int code, reprise_error *error)
{
    if (code == Z_MEM_ERROR)
        return rp_codec_no_memory(self->unpacker.stream.context, "decoding gzip data", error);
    const char *what = self->zlib.msg ? self->zlib.msg : "not deflate data";
    return rp_unpacker_damaged(&self->unpacker, code, what, error);
}

/* Inflates with one call of zlib; 0 bytes at the end of the deflate data. */
static reprise_status read_body(gzip *self, uint8_t *to, size_t size, size_t *ret_size,
                                reprise_error *error)
{
    rp_unpacker *unpacker = &self->unpacker;
    z_stream *zlib = &self->zlib;
    unsigned room = (unsigned)RP_MIN(size, UINT_MAX);
    for (;;) {
        unsigned left = (unsigned)RP_MIN(unpacker->left, UINT_MAX);
        zlib->next_in = unpacker->at;
        zlib->avail_in = left;
        zlib->next_out = to;
        zlib->avail_out = room;
        int code = inflate(zlib, Z_NO_FLUSH);
        if (left) /* there is no pointer to advance before the first piece */
            unpacker->at += left - zlib->avail_in;
        unpacker->left -= left - zlib->avail_in;
        size_t n = room - zlib->avail_out;
        if (code == Z_STREAM_END)
            self->part = self->bare ? PART_END : PART_TRAILER;
        if (n || code == Z_STREAM_END) {
            self->crc = rp_crc32(self->crc, to, n);
            *ret_size = n;
            return REPRISE_OK;
        }
        if (code != Z_OK && code != Z_BUF_ERROR)
            return inflate_failure(self, code, error);
        if (unpacker->left == 0) {
            RP_TRY(rp_unpacker_fill(unpacker, error));
            if (unpacker->left == 0)
                return rp_unpacker_short(unpacker, error);
        }
    }
}

static reprise_status gzip_decode(rp_unpacker *unpacker, uint8_t *to, size_t size, size_t *ret_size,
                                  reprise_error *error)
{
    gzip *self = (gzip *)unpacker;
    if (self->part == PART_HEADER)
        RP_TRY(read_header(self, error));
    if (self->part == PART_BODY) {
        RP_TRY(read_body(self, to, size, ret_size, error));
        if (*ret_size)
            return REPRISE_OK;
    }
    if (self->part == PART_TRAILER)
        RP_TRY(read_trailer(self, error));
    *ret_size = 0;
    return REPRISE_OK;
}

static void gzip_free(rp_unpacker *unpacker)
{
    gzip *self = (gzip *)unpacker;
    inflateEnd(&self->zlib);
}

static reprise_status open_inflate(rp_stream *input, const char *name, uint64_t ratio_max,
                                   const rp_unpacker_ops *ops, bool bare, rp_stream **ret_stream,
                                   reprise_error *error)
{
    gzip *self = rp_unpacker_new(input, name, ratio_max, ops, sizeof *self, error);
    if (!self)
        return error->status;
    self->bare = bare;
    self->part = bare ? PART_BODY : PART_HEADER;
    self->zlib.zalloc = zlib_alloc;
    self->zlib.zfree = rp_codec_free;
    self->zlib.opaque = input->context;
    if (inflateInit2(&self->zlib, -MAX_WBITS) != Z_OK) {
        rp_codec_no_memory(input->context, "decoding deflate data", error);
        rp_stream_close(&self->unpacker.stream);
        return error->status;
    }
    *ret_stream = &self->unpacker.stream;
    return REPRISE_OK;
}

reprise_status rp_stream_open_gzip(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error)
{
    static const rp_unpacker_ops ops = {.codec = "gzip", .decode = gzip_decode, .free = gzip_free};
    return open_inflate(input, name, ratio_max, &ops, false, ret_stream, error);
}

reprise_status rp_stream_open_deflate(rp_stream *input, const char *name, uint64_t ratio_max,
                                      rp_stream **ret_stream, reprise_error *error)
{
    static const rp_unpacker_ops ops = {
        .codec = "deflate", .decode = gzip_decode, .free = gzip_free};
    return open_inflate(input, name, ratio_max, &ops, true, ret_stream, error);
}

/* For rare cases: a header with optional parts, and damaged data, to report the damage. */
static reprise_status decode_slowly(rp_context *context, const void *data, size_t size,
                                    uint64_t max, uint8_t **ret_data, size_t *ret_size,
                                    reprise_error *error)
{
    rp_source *source;
    RP_TRY(rp_source_open_memory(context, data, size, &source, error));
    rp_stream *stream;
    reprise_status status = rp_stream_open_range(context, source, 0, size, "gzip", &stream, error);
    if (status == REPRISE_OK)
        status = rp_stream_open_gzip(stream, "gzip", 0, &stream, error);
    if (status == REPRISE_OK) {
        status = rp_stream_read_all(stream, max, "decoded_bytes", ret_data, ret_size, error);
        rp_stream_close(stream);
    }
    rp_source_close(source);
    return status;
}

/* Whether the trailer matches the content. */
static bool trailer_fits(const uint8_t *at, size_t left, const uint8_t *content, size_t size)
{
    return left >= TRAILER_SIZE && rp_load32(at) == rp_crc32(0, content, size) &&
           rp_load32(at + 4) == (uint32_t)size;
}

/* Decodes into a buffer of `room` bytes. If that is too small, gives no data without failing. */
static reprise_status decode_into(struct libdeflate_decompressor *decompressor, rp_context *context,
                                  const uint8_t *body, size_t size, size_t room,
                                  enum libdeflate_result *ret_result, uint8_t **ret_data,
                                  size_t *ret_size, reprise_error *error)
{
    uint8_t *out = rp_alloc(context, room, error);
    if (!out)
        return error->status;
    size_t used, made;
    *ret_result = libdeflate_deflate_decompress_ex(decompressor, body, size, out, room, &used,
                                                   &made);
    if (*ret_result == LIBDEFLATE_SUCCESS && !trailer_fits(body + used, size - used, out, made))
        *ret_result = LIBDEFLATE_BAD_DATA;
    if (*ret_result != LIBDEFLATE_SUCCESS) {
        rp_free(context, out, room);
        return REPRISE_OK;
    }
    /* The caller frees *ret_size bytes, so that must be the allocated size. */
    uint8_t *exact = made == room ? out : rp_realloc(context, out, room, made, error);
    if (!exact) {
        rp_free(context, out, room);
        return error->status;
    }
    *ret_data = exact;
    *ret_size = made;
    return REPRISE_OK;
}

reprise_status rp_gzip_decode(rp_context *context, const void *data, size_t size, size_t expected,
                              uint64_t max, uint8_t **ret_data, size_t *ret_size,
                              reprise_error *error)
{
    const uint8_t *head = data;
    if (size < HEADER_SIZE || memcmp(head, usual_head, sizeof usual_head) != 0)
        return decode_slowly(context, data, size, max, ret_data, ret_size, error);
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (!decompressor)
        return rp_error_set(error, REPRISE_E_NOMEM, "no memory for decoding gzip data");
    uint64_t most = RP_MIN(max, (uint64_t)size * DEFLATE_RATIO_MAX);
    most = RP_MIN(most, SIZE_MAX / 2);
    uint64_t room = RP_MIN(expected ? expected : (uint64_t)size * 4, most);
    enum libdeflate_result result;
    reprise_status status;
    for (;;) {
        status = decode_into(decompressor, context, head + HEADER_SIZE, size - HEADER_SIZE,
                             (size_t)room, &result, ret_data, ret_size, error);
        if (status != REPRISE_OK || result != LIBDEFLATE_INSUFFICIENT_SPACE || room == most)
            break;
        room = RP_MIN(room * 2, most);
    }
    libdeflate_free_decompressor(decompressor);
    if (status == REPRISE_OK && result != LIBDEFLATE_SUCCESS)
        status = decode_slowly(context, data, size, max, ret_data, ret_size, error);
    return status;
}

reprise_status rp_deflate_decode(rp_context *context, const void *data, size_t size,
                                 size_t decoded_size, uint8_t **ret_data, reprise_error *error)
{
    *ret_data = NULL;
    if (!decoded_size || decoded_size / DEFLATE_RATIO_MAX > size)
        return REPRISE_OK;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    uint8_t *out = rp_alloc(context, decoded_size, error);
    bool complete = decompressor && out &&
                    libdeflate_deflate_decompress(decompressor, data, size, out, decoded_size,
                                                  NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(decompressor);
    if (complete)
        *ret_data = out;
    else
        rp_free(context, out, decoded_size);
    return error->status;
}
