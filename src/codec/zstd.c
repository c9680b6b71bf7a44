/*
 * zstd.c - zstd data as a stream, decoded by libzstd.
 *
 * Accepts everything that a one-shot decoder accepts: consecutive frames, skippable frames,
 * checksums, frames without a content size. The data ends with the input.
 *
 * Blocks are decoded into our own ring buffer and lent from there. This saves the copy that
 * libzstd's streaming functions make, which takes a quarter of the time for data that expands a
 * thousandfold.
 *
 * The ring is as large as the window of the frame, which for a single-segment frame is its complete
 * content. Only compressed blocks refer back to it, so it is not allocated before the first one:
 * raw and RLE blocks pass through a small buffer, and their content is remembered in a form no
 * larger than the input. A small file of RLE blocks can declare gigabytes and still use little
 * memory.
 */
#define ZSTD_STATIC_LINKING_ONLY /* block decoding and custom allocators */
#include <zstd.h>
#include <zstd_errors.h>

#include "unpacker.h"

enum {
    /* A block of at most 128 KiB takes at least four bytes, which bounds declared sizes. */
    BLOCK_SIZE_MAX = 1 << 17,
    BLOCK_STORED_MIN = 4,
    HEADER_SIZE_LEAST = 5,
    SKIPPABLE_HEADER_SIZE = 8,
    GATHER_SIZE = BLOCK_SIZE_MAX + 64,
    /* Of a block header of three bytes. */
    BLOCK_TYPE_SHIFT = 1,
    BLOCK_TYPE_MASK = 3,
    BLOCK_RAW = 0,
    BLOCK_RUN = 1,
    BLOCK_COMPRESSED = 2,
};
/* The largest window of any compression level. */
#define WINDOW_SIZE_MAX ((uint64_t)128 << 20)
#define SKIPPABLE_MAGIC UINT32_C(0x184D2A50)
#define FRAME_MAGIC     UINT32_C(0xFD2FB528)

static bool is_skippable(uint32_t magic)
{
    return (magic & ~UINT32_C(15)) == SKIPPABLE_MAGIC;
}

bool rp_zstd_begins(const uint8_t magic[4])
{
    return rp_load32(magic) == FRAME_MAGIC || is_skippable(rp_load32(magic));
}

/* Content before the first compressed block: of raw blocks, or a run of one byte. */
typedef struct past {
    struct past *next;
    uint64_t size;
    bool run;
    uint8_t byte;   /* of the run */
    uint8_t data[]; /* else */
} past;

typedef struct zstd {
    rp_unpacker unpacker;
    ZSTD_DCtx *state;
    ZSTD_frameHeader about;
    bool inside; /* a frame has begun and not ended */
    bool plain;  /* no compressed block yet, so there is no ring */
    unsigned block_type;
    uint8_t *passing; /* one raw block, or a run */
    past *past_first, *past_last;
    uint64_t past_size;
    uint8_t *ring; /* the window of the frame, and room for a block */
    size_t ring_size, ring_at, block_max;
    bool wraps;           /* the frame is larger than the ring */
    const uint8_t *piece; /* decoded and not yet returned */
    size_t piece_left;
    uint8_t *gathered; /* input that came in parts */
} zstd;

static reprise_status zstd_failure(const zstd *self, size_t code, reprise_error *error)
{
    ZSTD_ErrorCode number = ZSTD_getErrorCode(code);
    if (number == ZSTD_error_memory_allocation)
        return rp_codec_no_memory(self->unpacker.stream.context, "decoding zstd data", error);
    return rp_unpacker_damaged(&self->unpacker, (int)number, ZSTD_getErrorName(code), error);
}

/* Returns the next n bytes of input as one piece. */
static reprise_status gather(zstd *self, size_t n, const uint8_t **ret_data, reprise_error *error)
{
    rp_unpacker *unpacker = &self->unpacker;
    if (unpacker->left >= n) {
        *ret_data = unpacker->at;
        unpacker->at += n;
        unpacker->left -= n;
        return REPRISE_OK;
    }
    if (!self->gathered) {
        self->gathered = rp_alloc(unpacker->stream.context, GATHER_SIZE, error);
        if (!self->gathered)
            return error->status;
    }
    for (size_t at = 0; at < n;) {
        if (unpacker->left == 0)
            RP_TRY(rp_unpacker_fill(unpacker, error));
        if (unpacker->left == 0)
            return rp_unpacker_short(unpacker, error);
        size_t part = RP_MIN(n - at, unpacker->left);
        memcpy(self->gathered + at, unpacker->at, part);
        unpacker->at += part;
        unpacker->left -= part;
        at += part;
    }
    *ret_data = self->gathered;
    return REPRISE_OK;
}

static reprise_status skip_input(zstd *self, uint32_t size, reprise_error *error)
{
    rp_unpacker *unpacker = &self->unpacker;
    while (size) {
        if (unpacker->left == 0)
            RP_TRY(rp_unpacker_fill(unpacker, error));
        if (unpacker->left == 0)
            return rp_unpacker_short(unpacker, error);
        size_t part = RP_MIN(size, unpacker->left);
        unpacker->at += part;
        unpacker->left -= part;
        size -= (uint32_t)part;
    }
    return REPRISE_OK;
}

/* ---- content before the first compressed block ---- */

static size_t past_bytes(const past *one)
{
    return sizeof *one + (one->run ? 0 : (size_t)one->size);
}

static void past_drop_first(zstd *self)
{
    past *first = self->past_first;
    self->past_first = first->next;
    self->past_last = self->past_first ? self->past_last : NULL;
    self->past_size -= first->size;
    rp_free(self->unpacker.stream.context, first, past_bytes(first));
}

static void past_drop_all(zstd *self)
{
    while (self->past_first)
        past_drop_first(self);
}

/* Remembers one raw block or run while it is within the window. */
static reprise_status past_add(zstd *self, const uint8_t *data, size_t size, reprise_error *error)
{
    bool run = self->block_type == BLOCK_RUN;
    past *last = self->past_last;
    if (size == 0)
        return REPRISE_OK;
    self->past_size += size;
    if (run && last && last->run && last->byte == data[0]) {
        last->size += size;
    } else {
        size_t bytes = sizeof *last + (run ? 0 : size);
        past *added = rp_alloc_zero(self->unpacker.stream.context, 1, bytes, error);
        if (!added)
            return error->status;
        *added = (past){.size = size, .run = run, .byte = data[0]};
        if (!run)
            memcpy(added->data, data, size);
        *(last ? &last->next : &self->past_first) = added;
        self->past_last = added;
    }
    while (self->past_first != self->past_last &&
           self->past_size - self->past_first->size >= self->about.windowSize)
        past_drop_first(self);
    return REPRISE_OK;
}

/* Copies the last bytes of it, up to the window size, to the front of the ring. */
static void past_replay(zstd *self)
{
    uint64_t skip = self->past_size - RP_MIN(self->past_size, self->about.windowSize);
    uint8_t *to = self->ring;
    for (const past *one = self->past_first; one; one = one->next) {
        uint64_t left_out = RP_MIN(skip, one->size);
        size_t n = (size_t)(one->size - left_out);
        if (one->run)
            memset(to, one->byte, n);
        else
            memcpy(to, one->data + left_out, n);
        skip -= left_out;
        to += n;
    }
    self->ring_at = (size_t)(to - self->ring);
    if (self->ring_at)
        ZSTD_insertBlock(self->state, self->ring, self->ring_at);
    past_drop_all(self);
}

/* ---- frames ---- */

static reprise_status make_ring(zstd *self, reprise_error *error)
{
    const ZSTD_frameHeader *header = &self->about;
    rp_context *context = self->unpacker.stream.context;
    size_t size = ZSTD_decodingBufferSize_min(header->windowSize, header->frameContentSize);
    uint64_t window = RP_MIN(header->windowSize, header->frameContentSize);
    if (ZSTD_isError(size) || window > WINDOW_SIZE_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT,
                            "zstd data needs a window of %llu bytes, more than %llu",
                            (unsigned long long)window, (unsigned long long)WINDOW_SIZE_MAX);
    self->ring_at = 0;
    self->block_max = header->blockSizeMax;
    self->wraps = size < header->frameContentSize;
    if (self->ring && size <= self->ring_size)
        return REPRISE_OK;
    rp_free(context, self->ring, self->ring_size);
    self->ring_size = 0;
    self->ring = rp_alloc(context, size, error); /* also for an empty frame */
    if (!self->ring)
        return error->status;
    self->ring_size = size;
    return REPRISE_OK;
}

/* Passes the frame header to the library in the sizes it expects. */
static reprise_status feed_header(zstd *self, const uint8_t *header, size_t size,
                                  reprise_error *error)
{
    size_t code = ZSTD_decompressBegin(self->state);
    for (size_t at = 0; at < size && !ZSTD_isError(code);) {
        size_t n = ZSTD_nextSrcSizeToDecompress(self->state);
        if (n == 0 || n > size - at)
            return rp_unpacker_damaged(&self->unpacker, 0, "frame header", error);
        code = ZSTD_decompressContinue(self->state, NULL, 0, header + at, n);
        at += n;
    }
    return ZSTD_isError(code) ? zstd_failure(self, code, error) : REPRISE_OK;
}

static reprise_status begin_frame(zstd *self, reprise_error *error)
{
    enum { HEADER_SIZE_MAX = ZSTD_FRAMEHEADERSIZE_MAX };
    uint8_t header[HEADER_SIZE_MAX];
    const uint8_t *data;
    RP_TRY(gather(self, HEADER_SIZE_LEAST, &data, error));
    memcpy(header, data, HEADER_SIZE_LEAST);
    uint32_t magic = rp_load32(header);
    if (is_skippable(magic)) {
        RP_TRY(gather(self, SKIPPABLE_HEADER_SIZE - HEADER_SIZE_LEAST, &data, error));
        memcpy(header + HEADER_SIZE_LEAST, data, SKIPPABLE_HEADER_SIZE - HEADER_SIZE_LEAST);
        return skip_input(self, rp_load32(header + 4), error);
    }
    if (magic != FRAME_MAGIC)
        return rp_unpacker_damaged(&self->unpacker, 0, "no frame begins here", error);
    size_t size = ZSTD_frameHeaderSize(header, HEADER_SIZE_LEAST);
    if (ZSTD_isError(size))
        return zstd_failure(self, size, error);
    RP_TRY(gather(self, size - HEADER_SIZE_LEAST, &data, error));
    memcpy(header + HEADER_SIZE_LEAST, data, size - HEADER_SIZE_LEAST);
    size_t code = ZSTD_getFrameHeader(&self->about, header, size);
    if (ZSTD_isError(code))
        return zstd_failure(self, code, error);
    past_drop_all(self);
    self->inside = self->plain = true;
    return feed_header(self, header, size, error);
}

/* Makes the library expect a block, for a frame with only raw blocks and runs so far. */
static reprise_status pass_block(zstd *self, const uint8_t *data, size_t need, reprise_error *error)
{
    if (!self->passing) {
        self->passing = rp_alloc(self->unpacker.stream.context, BLOCK_SIZE_MAX, error);
        if (!self->passing)
            return error->status;
    }
    size_t code = ZSTD_decompressContinue(self->state, self->passing, BLOCK_SIZE_MAX, data, need);
    if (ZSTD_isError(code))
        return zstd_failure(self, code, error);
    self->piece = self->passing;
    self->piece_left = code;
    return past_add(self, self->passing, code, error);
}

static reprise_status ring_block(zstd *self, const uint8_t *data, size_t need, reprise_error *error)
{
    if (self->wraps && self->ring_size - self->ring_at < self->block_max)
        self->ring_at = 0;
    uint8_t *to = self->ring + self->ring_at;
    size_t code = ZSTD_decompressContinue(self->state, to, self->ring_size - self->ring_at, data,
                                          need);
    if (ZSTD_isError(code))
        return zstd_failure(self, code, error);
    self->ring_at += code;
    self->piece = to;
    self->piece_left = code;
    return REPRISE_OK;
}

/* Reads one header or block, which may give nothing, or the end of the frame. */
static reprise_status next_block(zstd *self, reprise_error *error)
{
    size_t need = ZSTD_nextSrcSizeToDecompress(self->state);
    if (need == 0) {
        self->inside = false;
        return REPRISE_OK;
    }
    bool header = ZSTD_nextInputType(self->state) == ZSTDnit_blockHeader;
    const uint8_t *data;
    RP_TRY(gather(self, RP_MIN(need, (size_t)GATHER_SIZE), &data, error));
    if (header)
        self->block_type = data[0] >> BLOCK_TYPE_SHIFT & BLOCK_TYPE_MASK;
    if (!header && self->plain && self->block_type == BLOCK_COMPRESSED) {
        RP_TRY(make_ring(self, error));
        past_replay(self);
        self->plain = false;
    }
    return self->plain ? pass_block(self, data, need, error) : ring_block(self, data, need, error);
}

/* Decodes until there is output; none means the end. */
static reprise_status next_piece(zstd *self, reprise_error *error)
{
    while (self->piece_left == 0) {
        if (self->inside) {
            RP_TRY(next_block(self, error));
            continue;
        }
        if (self->unpacker.left == 0)
            RP_TRY(rp_unpacker_fill(&self->unpacker, error));
        if (self->unpacker.left == 0)
            return REPRISE_OK;
        RP_TRY(begin_frame(self, error));
    }
    return REPRISE_OK;
}

static reprise_status zstd_decode(rp_unpacker *unpacker, uint8_t *to, size_t size, size_t *ret_size,
                                  reprise_error *error)
{
    zstd *self = (zstd *)unpacker;
    RP_TRY(next_piece(self, error));
    size_t n = RP_MIN(size, self->piece_left);
    *ret_size = n;
    if (n == 0)
        return REPRISE_OK;
    memcpy(to, self->piece, n);
    self->piece += n;
    self->piece_left -= n;
    return REPRISE_OK;
}

static reprise_status zstd_lend(rp_unpacker *unpacker, const uint8_t **ret_data, size_t *ret_size,
                                reprise_error *error)
{
    zstd *self = (zstd *)unpacker;
    RP_TRY(next_piece(self, error));
    *ret_data = self->piece_left ? self->piece : (const uint8_t *)"";
    *ret_size = self->piece_left;
    self->piece_left = 0;
    return REPRISE_OK;
}

static void zstd_free(rp_unpacker *unpacker)
{
    zstd *self = (zstd *)unpacker;
    rp_free(unpacker->stream.context, self->ring, self->ring_size);
    rp_free(unpacker->stream.context, self->gathered, GATHER_SIZE);
    rp_free(unpacker->stream.context, self->passing, BLOCK_SIZE_MAX);
    past_drop_all(self);
    ZSTD_freeDCtx(self->state);
}

reprise_status rp_stream_open_zstd(rp_stream *input, const char *name, uint64_t ratio_max,
                                   rp_stream **ret_stream, reprise_error *error)
{
    static const rp_unpacker_ops ops = {
        .codec = "zstd", .decode = zstd_decode, .lend = zstd_lend, .free = zstd_free};
    zstd *self = rp_unpacker_new(input, name, ratio_max, &ops, sizeof *self, error);
    if (!self)
        return error->status;
    ZSTD_customMem memory = {rp_codec_alloc, rp_codec_free, input->context};
    self->state = ZSTD_createDCtx_advanced(memory);
    if (!self->state) {
        rp_codec_no_memory(input->context, "decoding zstd data", error);
        rp_stream_close(&self->unpacker.stream);
        return error->status;
    }
    *ret_stream = &self->unpacker.stream;
    return REPRISE_OK;
}

bool rp_zstd_plausible(uint64_t stored_size, uint64_t size)
{
    return size / BLOCK_SIZE_MAX <= stored_size / BLOCK_STORED_MIN;
}
