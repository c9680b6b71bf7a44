/* stream.c - ranges of a source, reading to the end, and the common part of all decompressors. */
#include <assert.h>

#include "unpacker.h"
#include "writer.h"

enum {
    BUFFER_SIZE = 1 << 16,
    READ_ALL_START = 1 << 14,
};
#define RATIO_FREE_BYTES ((uint64_t)16 << 20)

/* ---- range ---- */

typedef struct range {
    rp_stream stream;
    rp_source *source;
    uint64_t start, size;
} range;

static reprise_status range_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                 reprise_error *error)
{
    range *self = (range *)stream;
    size_t n = (size_t)RP_MIN((uint64_t)size, self->size - stream->offset);
    RP_TRY(rp_source_read(self->source, self->start + stream->offset, to, n, error));
    stream->offset += n;
    *ret_size = n;
    return REPRISE_OK;
}

static reprise_status range_lend(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                 reprise_error *error)
{
    RP_UNUSED(error);
    range *self = (range *)stream;
    size_t n = (size_t)RP_MIN((uint64_t)SIZE_MAX, self->size - stream->offset);
    const uint8_t *data = rp_source_view(self->source, self->start + stream->offset, n);
    *ret_data = data;
    *ret_size = data ? n : 0;
    stream->offset += *ret_size;
    return REPRISE_OK;
}

static bool range_rewind(rp_stream *stream)
{
    stream->offset = 0;
    return true;
}

static void range_close(rp_stream *stream)
{
    rp_free(stream->context, stream, sizeof(range));
}

reprise_status rp_stream_open_range(rp_context *context, rp_source *source, uint64_t offset,
                                    uint64_t size, const char *name, rp_stream **ret_stream,
                                    reprise_error *error)
{
    static const rp_stream_ops ops = {
        .read = range_read, .lend = range_lend, .rewind = range_rewind, .close = range_close};
    uint64_t end = rp_source_size(source);
    if (offset > end || size > end - offset) {
        rp_error_set(error, REPRISE_E_TRUNCATED, "%s needs %llu bytes, %llu left", name,
                     (unsigned long long)size,
                     (unsigned long long)(offset > end ? 0 : end - offset));
        rp_error_place(error, "file", offset, "");
        return error->status;
    }
    range *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self)
        return error->status;
    self->stream = (rp_stream){.ops = &ops, .context = context, .name = name};
    self->source = source;
    self->start = offset;
    self->size = size;
    *ret_stream = &self->stream;
    return REPRISE_OK;
}

/* ---- decompressors ---- */

reprise_status rp_decoded_limit(const rp_context *context, uint64_t given, uint64_t taken,
                                uint64_t ratio_max, reprise_error *error)
{
    RP_TRY(
        rp_limit(given, context->limits.decoded_bytes_max, "decoded size", "decoded_bytes", error));
    if (ratio_max && given > RATIO_FREE_BYTES && given / ratio_max > taken)
        return rp_error_set(
            error, REPRISE_E_LIMIT, "%llu bytes from %llu are over limit expansion_ratio=%llu",
            (unsigned long long)given, (unsigned long long)taken, (unsigned long long)ratio_max);
    return REPRISE_OK;
}

reprise_status rp_unpacker_fill(rp_unpacker *self, reprise_error *error)
{
    assert(self->left == 0);
    const uint8_t *data;
    size_t size;
    RP_TRY(rp_stream_lend(self->input, &data, &size, error));
    if (!data) {
        if (!self->buffer) {
            self->buffer = rp_alloc(self->stream.context, BUFFER_SIZE, error);
            if (!self->buffer)
                return error->status;
        }
        RP_TRY(rp_stream_read(self->input, self->buffer, BUFFER_SIZE, &size, error));
        data = self->buffer;
    }
    self->at = data;
    self->left = size;
    self->filled += size;
    return REPRISE_OK;
}

reprise_status rp_unpacker_short(const rp_unpacker *self, reprise_error *error)
{
    return rp_error_set(error, REPRISE_E_TRUNCATED, "%s data ends early, after %llu bytes",
                        self->ops->codec, (unsigned long long)self->filled);
}

reprise_status rp_unpacker_damaged(const rp_unpacker *self, int cause, const char *what,
                                   reprise_error *error)
{
    if (error->status == REPRISE_OK)
        error->cause = cause;
    return rp_error_set(error, REPRISE_E_CORRUPT, "damaged %s data near its byte %llu: %s",
                        self->ops->codec, (unsigned long long)(self->filled - self->left), what);
}

static reprise_status failed_before(const rp_unpacker *self, reprise_error *error)
{
    return rp_error_set(error, self->standing, "%s data failed before this point",
                        self->ops->codec);
}

/* Records decoded bytes or a failure. */
static reprise_status account(rp_unpacker *self, reprise_status status, size_t size,
                              reprise_error *error)
{
    rp_stream *stream = &self->stream;
    if (status == REPRISE_OK)
        status = size ? rp_decoded_limit(stream->context, stream->offset + size,
                                         self->filled - self->left, self->ratio_max, error)
                      : rp_stream_finish(self->input, error);
    if (status == REPRISE_OK) {
        stream->offset += size;
    } else {
        rp_error_place(error, stream->name, stream->offset, "");
        self->standing = status;
    }
    return status;
}

static reprise_status unpacker_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                    reprise_error *error)
{
    rp_unpacker *self = (rp_unpacker *)stream;
    if (self->standing != REPRISE_OK)
        return failed_before(self, error);
    size_t n = 0;
    reprise_status status = self->ops->decode(self, to, size, &n, error);
    RP_TRY(account(self, status, n, error));
    *ret_size = n;
    return REPRISE_OK;
}

static reprise_status unpacker_lend(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                    reprise_error *error)
{
    rp_unpacker *self = (rp_unpacker *)stream;
    if (self->standing != REPRISE_OK)
        return failed_before(self, error);
    const uint8_t *data = NULL;
    size_t n = 0;
    if (self->ops->lend) {
        reprise_status status = self->ops->lend(self, &data, &n, error);
        RP_TRY(account(self, status, n, error));
    }
    *ret_data = data;
    *ret_size = n;
    return REPRISE_OK;
}

static void unpacker_close(rp_stream *stream)
{
    rp_unpacker *self = (rp_unpacker *)stream;
    self->ops->free(self);
    rp_stream_close(self->input);
    rp_free(stream->context, self->buffer, BUFFER_SIZE);
    rp_free(stream->context, self, self->struct_size);
}

void *rp_unpacker_new(rp_stream *input, const char *name, uint64_t ratio_max,
                      const rp_unpacker_ops *ops, size_t struct_size, reprise_error *error)
{
    static const rp_stream_ops stream_ops = {.read = unpacker_read,
                                             .lend = unpacker_lend,
                                             .finish = rp_stream_drain,
                                             .close = unpacker_close};
    rp_context *context = input->context;
    rp_unpacker *self = rp_alloc_zero(context, 1, struct_size, error);
    if (!self) {
        rp_stream_close(input);
        return NULL;
    }
    self->stream = (rp_stream){.ops = &stream_ops, .context = context, .name = name};
    self->ops = ops;
    self->input = input;
    self->ratio_max = ratio_max;
    self->struct_size = struct_size;
    return self;
}

/* ---- reading to the end ---- */

reprise_status rp_stream_drain(rp_stream *stream, reprise_error *error)
{
    const uint8_t *data;
    uint8_t rest[1 << 12];
    size_t n;
    do {
        RP_TRY(rp_stream_lend(stream, &data, &n, error));
        if (!data)
            RP_TRY(rp_stream_read(stream, rest, sizeof rest, &n, error));
    } while (n);
    return REPRISE_OK;
}

/* Checks for the end when exactly the maximum has been read. */
static reprise_status expect_end(rp_stream *stream, uint64_t max, const char *limit,
                                 reprise_error *error)
{
    uint8_t more;
    size_t n;
    RP_TRY(rp_stream_read(stream, &more, 1, &n, error));
    if (n == 0)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_LIMIT, "more than limit %s=%llu", limit, (unsigned long long)max);
    rp_error_place(error, stream->name, max, "");
    return error->status;
}

static reprise_status collect(rp_stream *stream, uint64_t max, const char *limit, rp_writer *all,
                              reprise_error *error)
{
    for (;;) {
        if (all->size == max)
            return expect_end(stream, max, limit, error);
        if (all->size == all->capacity && !rp_reserve(all, RP_MAX(all->size, READ_ALL_START)))
            return error->status;
        size_t room = (size_t)RP_MIN(max - all->size, (uint64_t)(all->capacity - all->size));
        size_t n;
        RP_TRY(rp_stream_read(stream, all->data + all->size, room, &n, error));
        if (n == 0)
            return REPRISE_OK;
        all->size += n;
    }
}

reprise_status rp_stream_read_all(rp_stream *stream, uint64_t max, const char *limit,
                                  uint8_t **ret_data, size_t *ret_size, reprise_error *error)
{
    rp_writer all;
    rp_writer_init(&all, stream->context, SIZE_MAX / 2, error);
    reprise_status status = collect(stream, max, limit, &all, error);
    if (status == REPRISE_OK) {
        /* The caller frees *ret_size bytes, so that must be the allocated size. */
        uint8_t *data = rp_realloc(stream->context, all.data, all.capacity, all.size, error);
        if (data) {
            *ret_data = data;
            *ret_size = all.size;
            return REPRISE_OK;
        }
        status = error->status;
    }
    rp_writer_free(&all);
    return status;
}

reprise_status rp_stream_check(rp_stream *stream, reprise_error *error)
{
    uint8_t piece[8192];
    size_t got = 1;
    while (got)
        RP_TRY(rp_stream_read(stream, piece, sizeof piece, &got, error));
    return REPRISE_OK;
}

/* ---- bytes in memory ---- */

typedef struct owned {
    rp_stream stream;
    uint8_t *data;
    size_t size;
} owned;

static reprise_status owned_read(rp_stream *stream, void *to, size_t size, size_t *ret_size,
                                 reprise_error *error)
{
    RP_UNUSED(error);
    owned *self = (owned *)stream;
    size_t n = RP_MIN(size, self->size - (size_t)stream->offset);
    if (n)
        memcpy(to, self->data + stream->offset, n);
    stream->offset += n;
    *ret_size = n;
    return REPRISE_OK;
}

static reprise_status owned_lend(rp_stream *stream, const uint8_t **ret_data, size_t *ret_size,
                                 reprise_error *error)
{
    RP_UNUSED(error);
    owned *self = (owned *)stream;
    *ret_data = self->data + stream->offset;
    *ret_size = self->size - (size_t)stream->offset;
    stream->offset = self->size;
    return REPRISE_OK;
}

static void owned_close(rp_stream *stream)
{
    owned *self = (owned *)stream;
    rp_context *context = stream->context;
    rp_free(context, self->data, self->size);
    rp_free(context, self, sizeof *self);
}

static const rp_stream_ops owned_ops = {
    .read = owned_read,
    .lend = owned_lend,
    .close = owned_close,
};

reprise_status rp_stream_open_owned(rp_context *context, uint8_t *data, size_t size,
                                    const char *name, rp_stream **ret_stream, reprise_error *error)
{
    owned *self = rp_alloc_zero(context, 1, sizeof *self, error);
    if (!self) {
        rp_free(context, data, size);
        return error->status;
    }
    *self = (owned){{.ops = &owned_ops, .context = context, .name = name}, data, size};
    *ret_stream = &self->stream;
    return REPRISE_OK;
}
