/* brotli_pack.c - compresses to a sink with libbrotlienc. */
#include <assert.h>
#include <brotli/encode.h>
#include <setjmp.h>

#include "checked.h"
#include "packer.h"

enum {
    /*
     * Always passed to the encoder. Else it would use the size of the first piece, and the output
     * would depend on how the input is divided.
     */
    SIZE_HINT = 1 << 24,
    /* The lowest levels encode each piece of input separately, so all pieces have this size. */
    LEVEL_BY_PIECES = 1,
    PIECE_SIZE = 1 << 17,
};

/* Stored before each of the encoder's allocations, so that all of them can be freed. */
typedef struct block {
    struct block *next, *previous;
} block;

typedef struct brotli_packer {
    rp_packer packer;
    BrotliEncoderState *state; /* NULL after a failure */
    block blocks;              /* a circular list */
    jmp_buf no_memory;
    uint8_t *piece; /* NULL at levels that do not need it */
    size_t piece_size;
} brotli_packer;

/*
 * The encoder exits the program if an allocation fails. So the allocator never returns NULL to it
 * but leaves the encoder with longjmp, and we free its memory. It holds no other resources.
 */
static void *brotli_alloc(void *opaque, size_t size)
{
    brotli_packer *self = opaque;
    size_t whole;
    block *b = rp_add(size, sizeof *b, &whole) ? rp_codec_alloc(self->packer.context, whole) : NULL;
    if (!b)
        longjmp(self->no_memory, 1);
    b->next = self->blocks.next;
    b->previous = &self->blocks;
    b->next->previous = b->previous->next = b;
    return b + 1;
}

static void brotli_release(void *opaque, void *memory)
{
    brotli_packer *self = opaque;
    if (!memory)
        return;
    block *b = (block *)memory - 1;
    b->next->previous = b->previous;
    b->previous->next = b->next;
    rp_codec_free(self->packer.context, b);
}

/* Frees the encoder and all of its memory. */
static void drop_state(brotli_packer *self)
{
    self->state = NULL;
    while (self->blocks.next != &self->blocks)
        brotli_release(self, self->blocks.next + 1);
}

static bool create_state(brotli_packer *self)
{
    if (setjmp(self->no_memory))
        return false;
    self->state = BrotliEncoderCreateInstance(brotli_alloc, brotli_release, self);
    return self->state != NULL;
}

static bool compress(brotli_packer *self, BrotliEncoderOperation operation, size_t *size,
                     const uint8_t **at)
{
    size_t no_room = 0;
    if (setjmp(self->no_memory))
        return false;
    return BrotliEncoderCompressStream(self->state, operation, size, at, &no_room, NULL, NULL);
}

static reprise_status no_memory(const rp_context *context, reprise_error *error)
{
    return rp_codec_no_memory(context, "encoding brotli data", error);
}

static reprise_status encode(rp_packer *packer, const uint8_t *at, size_t size, bool last,
                             reprise_error *error)
{
    brotli_packer *self = (brotli_packer *)packer;
    BrotliEncoderOperation operation = last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    do {
        if (!self->state || !compress(self, operation, &size, &at)) {
            drop_state(self);
            return no_memory(packer->context, error);
        }
        size_t n = 0;
        const uint8_t *made = BrotliEncoderTakeOutput(self->state, &n);
        if (n)
            RP_TRY(rp_sink_write(packer->sink, made, n, error));
    } while (size || BrotliEncoderHasMoreOutput(self->state) ||
             (last && !BrotliEncoderIsFinished(self->state)));
    return REPRISE_OK;
}

static reprise_status brotli_pack(rp_packer *packer, const void *data, size_t size, bool last,
                                  reprise_error *error)
{
    brotli_packer *self = (brotli_packer *)packer;
    const uint8_t *at = data;
    if (!self->piece)
        return encode(packer, at, size, last, error);
    while (size) {
        if (self->piece_size == PIECE_SIZE) {
            RP_TRY(encode(packer, self->piece, PIECE_SIZE, false, error));
            self->piece_size = 0;
        }
        size_t n = RP_MIN(size, PIECE_SIZE - self->piece_size);
        memcpy(self->piece + self->piece_size, at, n);
        self->piece_size += n;
        at += n;
        size -= n;
    }
    return last ? encode(packer, self->piece, self->piece_size, true, error) : REPRISE_OK;
}

static void brotli_pack_free(rp_packer *packer)
{
    brotli_packer *self = (brotli_packer *)packer;
    drop_state(self);
    rp_free(packer->context, self->piece, self->piece ? PIECE_SIZE : 0);
    rp_free(packer->context, self, sizeof *self);
}

reprise_status rp_packer_open_brotli(rp_context *context, rp_sink *sink, int level, int window_bits,
                                     rp_packer **ret_packer, reprise_error *error)
{
    static const rp_packer_ops ops = {.pack = brotli_pack, .free = brotli_pack_free};
    assert(level >= 0 && level <= RP_BROTLI_LEVEL_MAX);
    brotli_packer *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self)
        return error->status;
    self->packer = (rp_packer){.ops = &ops, .context = context, .sink = sink};
    self->blocks.next = self->blocks.previous = &self->blocks;
    if (level <= LEVEL_BY_PIECES)
        self->piece = rp_alloc(context, PIECE_SIZE, error);
    if (error->status == REPRISE_OK && !create_state(self))
        (void)no_memory(context, error);
    if (error->status != REPRISE_OK) {
        brotli_pack_free(&self->packer);
        return error->status;
    }
    BrotliEncoderSetParameter(self->state, BROTLI_PARAM_QUALITY, (uint32_t)level);
    BrotliEncoderSetParameter(self->state, BROTLI_PARAM_LGWIN, (uint32_t)window_bits);
    BrotliEncoderSetParameter(self->state, BROTLI_PARAM_SIZE_HINT, SIZE_HINT);
    *ret_packer = &self->packer;
    return REPRISE_OK;
}
