/* zip_write.c - see zip_write.h. */
#include "zip_write.h"

#include "hash.h"
#include "packer.h"
#include "utf8.h"

enum {
    LOCAL_HEADER = 0x04034b50,
    CENTRAL_HEADER = 0x02014b50,
    END_OF_DIRECTORY = 0x06054b50,
    VERSION_NEEDED = 20,
    FLAG_UTF8 = 1 << 11,
    METHOD_STORED = 0,
    METHOD_DEFLATE = 8,
    DATE_1980_01_01 = 0x21,
    PIECE_SIZE = 1 << 15,
};

static const rp_levels levels = {
    .fastest = 1, .balanced = 6, .compact = RP_DEFLATE_LEVEL_MAX, .max = RP_DEFLATE_LEVEL_MAX};

struct rp_zip_writer {
    rp_context *context;
    rp_sink *sink;
    uint64_t start; /* offset of the archive in the sink */
    rp_writer directory;
    reprise_error error; /* of the directory's writer */
    uint32_t count;
    int level;
};

typedef struct entry {
    const char *name;
    uint16_t method;
    uint32_t crc32;
    uint64_t size, stored_size;
} entry;

reprise_status rp_zip_writer_new(rp_context *context, rp_sink *sink, rp_zip_writer **ret_zip,
                                 reprise_error *error)
{
    rp_zip_writer *zip = rp_alloc_zero(context, 1, sizeof *zip, error);
    if (!zip)
        return error->status;
    zip->context = context;
    zip->sink = sink;
    zip->start = rp_sink_size(sink);
    zip->level = levels.balanced;
    rp_writer_init(&zip->directory, context, UINT32_MAX, &zip->error);
    *ret_zip = zip;
    return REPRISE_OK;
}

reprise_status rp_zip_set_level(rp_zip_writer *zip, int level, reprise_error *error)
{
    return rp_packer_level(&levels, level, &zip->level, error);
}

void rp_zip_writer_free(rp_zip_writer *zip)
{
    if (!zip)
        return;
    rp_writer_free(&zip->directory);
    rp_free(zip->context, zip, sizeof *zip);
}

/* ---- headers ---- */

/* Writes the common part of local and central headers. */
static void put_common(rp_writer *w, const entry *e)
{
    size_t name_size = strlen(e->name);
    bool ascii = true;
    for (size_t i = 0; i < name_size; i++)
        ascii = ascii && (uint8_t)e->name[i] < 0x80;
    bool utf8 = !ascii && rp_utf8_valid(e->name, name_size) == name_size;
    rp_put_u16(w, VERSION_NEEDED);
    rp_put_u16(w, utf8 ? FLAG_UTF8 : 0);
    rp_put_u16(w, e->method);
    rp_put_u16(w, 0);
    rp_put_u16(w, DATE_1980_01_01);
    rp_put_u32(w, e->crc32);
    rp_put_u32(w, (uint32_t)e->stored_size);
    rp_put_u32(w, (uint32_t)e->size);
    rp_put_u16(w, (uint16_t)name_size);
    rp_put_u16(w, 0);
}

static void put_central(rp_writer *w, const entry *e, uint32_t offset)
{
    rp_put_u32(w, CENTRAL_HEADER);
    rp_put_u16(w, VERSION_NEEDED);
    put_common(w, e);
    rp_put_u16(w, 0); /* comment */
    rp_put_u16(w, 0); /* disk */
    rp_put_u16(w, 0); /* internal attributes */
    rp_put_u32(w, 0); /* external attributes */
    rp_put_u32(w, offset);
    rp_put(w, e->name, strlen(e->name));
}

static reprise_status too_large(const entry *e, reprise_error *error)
{
    rp_error_set(error, REPRISE_E_LIMIT, "the archive would need ZIP64, which is not written");
    rp_error_place(error, "zip", 0, e->name);
    return error->status;
}

static reprise_status begin_entry(rp_zip_writer *zip, const entry *e, reprise_error *error)
{
    uint64_t offset = rp_sink_size(zip->sink) - zip->start;
    if (e->size >= UINT32_MAX || e->stored_size >= UINT32_MAX || offset >= UINT32_MAX ||
        strlen(e->name) > UINT16_MAX || zip->count == UINT16_MAX - 1)
        return too_large(e, error);
    put_central(&zip->directory, e, (uint32_t)offset);
    rp_writer local;
    rp_writer_init(&local, zip->context, UINT16_MAX + 64, error);
    rp_put_u32(&local, LOCAL_HEADER);
    put_common(&local, e);
    rp_put(&local, e->name, strlen(e->name));
    reprise_status status = rp_writer_ok(&local) && zip->error.status == REPRISE_OK
                                ? rp_sink_write(zip->sink, local.data, local.size, error)
                                : rp_codec_no_memory(zip->context, "an archive", error);
    rp_writer_free(&local);
    zip->count++;
    return status;
}

/* ---- entries ---- */

/* Reads the next piece of some content; 0 bytes at its end. */
typedef struct content {
    rp_stream *stream; /* or memory: */
    const uint8_t *data;
    size_t size;
} content;

static reprise_status next_piece(content *from, uint8_t *piece, const uint8_t **ret_data,
                                 size_t *ret_size, reprise_error *error)
{
    *ret_data = piece;
    if (from->stream)
        return rp_stream_read(from->stream, piece, PIECE_SIZE, ret_size, error);
    *ret_data = from->data;
    *ret_size = from->size;
    from->size = 0;
    return REPRISE_OK;
}

static reprise_status deflate_into(rp_packer *packer, content *from, entry *e, reprise_error *error)
{
    for (;;) {
        uint8_t piece[PIECE_SIZE];
        const uint8_t *data;
        size_t n;
        RP_TRY(next_piece(from, piece, &data, &n, error));
        if (!n)
            return rp_packer_finish(packer, error);
        e->crc32 = rp_crc32(e->crc32, data, n);
        e->size += n;
        RP_TRY(rp_packer_write(packer, data, n, error));
    }
}

/* The header contains the sizes, so the deflated data is spooled. */
static reprise_status add_deflated(rp_zip_writer *zip, const char *name, content from,
                                   reprise_error *error)
{
    entry e = {.name = name, .method = METHOD_DEFLATE};
    rp_sink *spool = NULL;
    rp_packer *packer = NULL;
    rp_source *deflated = NULL;
    RP_TRY(rp_sink_open_spool(zip->context, zip->sink, &spool, error));
    reprise_status status = rp_packer_open_deflate(zip->context, spool, zip->level, &packer, error);
    if (status == REPRISE_OK)
        status = deflate_into(packer, &from, &e, error);
    rp_packer_close(packer);
    e.stored_size = rp_sink_size(spool);
    if (status == REPRISE_OK)
        status = begin_entry(zip, &e, error);
    if (status == REPRISE_OK)
        status = rp_sink_reopen(spool, &deflated, error);
    if (status == REPRISE_OK)
        status = rp_sink_copy(zip->sink, deflated, error);
    rp_source_close(deflated);
    rp_sink_close(spool);
    return status;
}

reprise_status rp_zip_add_bytes(rp_zip_writer *zip, const char *name, const void *data, size_t size,
                                reprise_error *error)
{
    return add_deflated(zip, name, (content){.data = data, .size = size}, error);
}

reprise_status rp_zip_add_stream(rp_zip_writer *zip, const char *name, rp_stream *stream,
                                 reprise_error *error)
{
    return add_deflated(zip, name, (content){.stream = stream}, error);
}

static reprise_status checksum(rp_source *from, uint32_t *ret_crc32, reprise_error *error)
{
    uint8_t piece[PIECE_SIZE];
    uint32_t crc32 = 0;
    uint64_t size = rp_source_size(from);
    for (uint64_t at = 0; at < size;) {
        size_t n = (size_t)RP_MIN((uint64_t)sizeof piece, size - at);
        RP_TRY(rp_source_read(from, at, piece, n, error));
        crc32 = rp_crc32(crc32, piece, n);
        at += n;
    }
    *ret_crc32 = crc32;
    return REPRISE_OK;
}

reprise_status rp_zip_add_stored(rp_zip_writer *zip, const char *name, rp_source *from,
                                 reprise_error *error)
{
    uint64_t size = rp_source_size(from);
    entry e = {.name = name, .method = METHOD_STORED, .size = size, .stored_size = size};
    RP_TRY(checksum(from, &e.crc32, error));
    RP_TRY(begin_entry(zip, &e, error));
    return rp_sink_copy(zip->sink, from, error);
}

reprise_status rp_zip_finish(rp_zip_writer *zip, reprise_error *error)
{
    uint64_t offset = rp_sink_size(zip->sink) - zip->start;
    size_t size = zip->directory.size;
    if (offset >= UINT32_MAX || size >= UINT32_MAX - offset)
        return too_large(&(entry){.name = ""}, error);
    rp_writer *w = &zip->directory;
    rp_put_u32(w, END_OF_DIRECTORY);
    rp_put_u16(w, 0);
    rp_put_u16(w, 0);
    rp_put_u16(w, (uint16_t)zip->count);
    rp_put_u16(w, (uint16_t)zip->count);
    rp_put_u32(w, (uint32_t)size);
    rp_put_u32(w, (uint32_t)offset);
    rp_put_u16(w, 0);
    if (zip->error.status != REPRISE_OK) {
        *error = zip->error;
        return error->status;
    }
    return rp_sink_write(zip->sink, w->data, w->size, error);
}
