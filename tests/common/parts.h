/*
 * parts.h - the parts of a replay after decompression, and the file with one of them replaced.
 *
 * A part is a piece of the content of its parent: a member of an archive, the content of a
 * compressed stream, a section, a record. part_replace() puts another content in its place and
 * makes everything around it right again: sizes, offsets, CRC-32, SHA-256, compression. A reader
 * then comes as far as the changed bytes, which a change of the file itself seldom allows.
 */
#ifndef PARTS_H
#define PARTS_H

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include "archive.h"
#include "hash.h"
#include "lz4block.h"
#include "samples.h"
#include "sink.h"
#include "source.h"
#include "written.h"
#include "zip_write.h"

enum { PARTS_MAX = 400, PARTS_DEPTH_MAX = 6, PART_SIZE_MAX = 8 << 20 };

typedef struct part part;
typedef struct part_list part_list;

/* Makes the new content of the parent from a new content of the part. */
typedef bytes part_wrapper(const part *p, const bytes *content);

struct part {
    const part *parent; /* NULL: the file */
    char name[96];      /* "world.vcap/meta.json" */
    bytes content;
    part_wrapper *wrap;
    size_t at, size; /* position in the parent, for those that are spliced in */
    size_t index;    /* which one, for those that are numbered */
};

struct part_list {
    part items[PARTS_MAX];
    size_t count;
};

/* ---- numbers and pieces ---- */

static inline uint32_t part_u32(const bytes *b, size_t at)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4 && at + i < b->size; i++)
        value |= (uint32_t)b->data[at + i] << (8 * i);
    return value;
}

static inline void part_put_u32(bytes *b, size_t at, size_t value)
{
    for (unsigned i = 0; i < 4 && at + i < b->size; i++)
        b->data[at + i] = (unsigned char)(value >> (8 * i));
}

static inline bool part_is(const bytes *b, size_t at, const char *magic)
{
    size_t size = strlen(magic);
    return at + size <= b->size && memcmp(b->data + at, magic, size) == 0;
}

static inline bytes part_copy(const void *data, size_t size)
{
    bytes copy = {0};
    bytes_write(&copy, data, size);
    return copy;
}

static inline bytes part_splice(const bytes *old, size_t at, size_t size, const bytes *piece)
{
    bytes result = part_copy(old->data, at);
    bytes_write(&result, piece->data, piece->size);
    bytes_write(&result, old->data + at + size, old->size - at - size);
    return result;
}

static inline bytes part_wrap_plain(const part *p, const bytes *content)
{
    return part_splice(&p->parent->content, p->at, p->size, content);
}

/* Adds a part; takes the content over. */
static inline part *part_add(part_list *list, const part *parent, const char *name,
                             part_wrapper *wrap, bytes content)
{
    if (list->count == PARTS_MAX || !content.size || content.size > PART_SIZE_MAX) {
        bytes_free(&content);
        return NULL;
    }
    part *p = &list->items[list->count++];
    *p = (part){.parent = parent, .wrap = wrap, .content = content};
    const char *above = parent && parent->parent ? parent->name : "";
    snprintf(p->name, sizeof p->name, "%.60s%s%.30s", above, *above ? "/" : "", name);
    return p;
}

/* ---- compressed streams ---- */

static inline bytes part_gunzip(const void *data, size_t size)
{
    bytes out = {0};
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    unsigned char piece[1 << 14];
    int status = inflateInit2(&z, 15 + 16);
    while (status == Z_OK && out.size < PART_SIZE_MAX) {
        z.next_out = piece;
        z.avail_out = sizeof piece;
        status = inflate(&z, Z_NO_FLUSH);
        bytes_write(&out, piece, sizeof piece - z.avail_out);
    }
    inflateEnd(&z);
    if (status != Z_STREAM_END)
        bytes_free(&out);
    return out;
}

static inline bytes part_gzip(const bytes *content)
{
    z_stream z = {.next_in = content->data, .avail_in = (uInt)content->size};
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t bound = deflateBound(&z, (uLong)content->size);
    bytes out = {.data = malloc(bound), .capacity = bound};
    assert_non_null(out.data);
    z.next_out = out.data;
    z.avail_out = (uInt)bound;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.size = z.total_out;
    deflateEnd(&z);
    return out;
}

static inline bytes part_wrap_gzip(const part *p, const bytes *content)
{
    (void)p;
    return part_gzip(content);
}

/* RGZP, size, stored size, gzip. */
static inline bytes part_wrap_rgzp(const part *p, const bytes *content)
{
    bytes packed = part_gzip(content);
    bytes result = part_splice(&p->parent->content, p->at, p->size, &packed);
    part_put_u32(&result, 4, content->size);
    part_put_u32(&result, 8, packed.size);
    bytes_free(&packed);
    return result;
}

static inline bytes part_unbrotli(const bytes *b)
{
    size_t size = PART_SIZE_MAX;
    bytes out = {.data = malloc(size), .capacity = size};
    assert_non_null(out.data);
    if (BrotliDecoderDecompress(b->size, b->data, &size, out.data) != BROTLI_DECODER_RESULT_SUCCESS)
        size = 0;
    out.size = size;
    return out;
}

static inline bytes part_wrap_brotli(const part *p, const bytes *content)
{
    (void)p;
    size_t size = BrotliEncoderMaxCompressedSize(content->size) + 16;
    bytes out = {.data = malloc(size), .capacity = size};
    assert_non_null(out.data);
    assert_true(BrotliEncoderCompress(1, 22, BROTLI_MODE_GENERIC, content->size, content->data,
                                      &size, out.data));
    out.size = size;
    return out;
}

/* ---- ZIP ---- */

static inline bytes part_entry(rp_zip *zip, size_t index, reprise_error *error)
{
    bytes out = {0};
    rp_stream *stream = NULL;
    if (rp_zip_open_entry(zip, index, "zip", UINT64_MAX, &stream, error) != REPRISE_OK)
        return out;
    unsigned char piece[1 << 14];
    size_t size = 0;
    while (rp_stream_read(stream, piece, sizeof piece, &size, error) == REPRISE_OK && size)
        bytes_write(&out, piece, size);
    rp_stream_close(stream);
    return out;
}

/* All entries again, in their order, stored or deflated as they were. */
static inline reprise_status part_put_entries(rp_context *context, const part *p,
                                              const bytes *content, rp_zip *zip, rp_zip_writer *to,
                                              reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < rp_zip_count(zip) && status == REPRISE_OK; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(zip, i);
        bytes old = part_entry(zip, i, error);
        const bytes *data = i == p->index ? content : &old;
        rp_source *source = NULL;
        status = error->status;
        if (status == REPRISE_OK && entry->method)
            status = rp_zip_add_bytes(to, entry->name, data->data, data->size, error);
        else if (status == REPRISE_OK)
            status = rp_source_open_memory(context, data->data, data->size, &source, error);
        if (source)
            status = rp_zip_add_stored(to, entry->name, source, error);
        rp_source_close(source);
        bytes_free(&old);
    }
    return status == REPRISE_OK ? rp_zip_finish(to, error) : status;
}

static inline rp_context part_context(void)
{
    rp_context context;
    rp_context_init(&context, NULL);
    return context;
}

static inline bytes part_wrap_zip(const part *p, const bytes *content)
{
    rp_context context = part_context();
    reprise_error error = REPRISE_ERROR_INIT;
    bytes result = {0};
    rp_source *source = NULL;
    rp_zip *zip = NULL;
    rp_sink *sink = NULL;
    rp_zip_writer *writer = NULL;
    const bytes *old = &p->parent->content;
    reprise_sink to = {.ctx = &result, .write = bytes_write};
    reprise_status status = rp_source_open_memory(&context, old->data, old->size, &source, &error);
    if (status == REPRISE_OK)
        status = rp_zip_open(&context, source, &zip, &error);
    if (status == REPRISE_OK)
        status = rp_sink_open_callback(&context, &to, &sink, &error);
    if (status == REPRISE_OK)
        status = rp_zip_writer_new(&context, sink, &writer, &error);
    if (status == REPRISE_OK)
        status = part_put_entries(&context, p, content, zip, writer, &error);
    if (status == REPRISE_OK)
        status = rp_sink_commit(sink, &error);
    if (status != REPRISE_OK)
        bytes_free(&result);
    rp_zip_writer_free(writer);
    rp_sink_close(sink);
    rp_zip_close(zip);
    rp_source_close(source);
    return result;
}

static inline void part_list_zip(part_list *list, const part *parent)
{
    rp_context context = part_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    rp_zip *zip = NULL;
    const bytes *file = &parent->content;
    if (rp_source_open_memory(&context, file->data, file->size, &source, &error) == REPRISE_OK &&
        rp_zip_open(&context, source, &zip, &error) == REPRISE_OK) {
        for (size_t i = 0; i < rp_zip_count(zip); i++) {
            const char *name = rp_zip_entry_at(zip, i)->name;
            bytes content = part_entry(zip, i, &error);
            if (error.status != REPRISE_OK) {
                bytes_free(&content);
                break;
            }
            part *p = part_add(list, parent, name, part_wrap_zip, content);
            if (p)
                p->index = i;
        }
    }
    rp_zip_close(zip);
    rp_source_close(source);
}

/* ---- CS2KZ: sections of (stored size, size, count, zstd) that follow one another ---- */

static inline bytes part_wrap_section(const part *p, const bytes *content)
{
    size_t bound = ZSTD_compressBound(content->size);
    bytes packed = {.data = malloc(bound), .capacity = bound};
    assert_non_null(packed.data);
    packed.size = ZSTD_compress(packed.data, bound, content->data, content->size, 1);
    assert_false(ZSTD_isError(packed.size));
    bytes result = part_splice(&p->parent->content, p->at, p->size, &packed);
    part_put_u32(&result, p->at - 12, packed.size);
    part_put_u32(&result, p->at - 8, content->size);
    bytes_free(&packed);
    return result;
}

static inline void part_list_sections(part_list *list, const part *parent)
{
    const bytes *file = &parent->content;
    for (size_t at = 12; at + 4 < file->size; at++) {
        size_t stored = part_u32(file, at - 12), size = part_u32(file, at - 8);
        if (part_u32(file, at) != ZSTD_MAGICNUMBER || stored > file->size - at ||
            size > PART_SIZE_MAX || !size)
            continue;
        bytes content = {.data = malloc(size), .size = size, .capacity = size};
        assert_non_null(content.data);
        if (ZSTD_decompress(content.data, size, file->data + at, stored) != size) {
            bytes_free(&content);
            continue;
        }
        char name[32];
        snprintf(name, sizeof name, "section%zu", at);
        part *p = part_add(list, parent, name, part_wrap_section, content);
        if (p) {
            p->at = at;
            p->size = stored;
        }
        at += stored - 1;
    }
}

/* ---- Iron Curtain ---- */

static inline bytes part_unlz4(const bytes *b, size_t at, size_t size)
{
    rp_context context = part_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer to;
    rp_writer_init(&to, &context, PART_SIZE_MAX, &error);
    rp_reader r = rp_reader_of(b->data + at, size, "lz4", &error);
    bytes out = {0};
    if (rp_lz4_read(&r, (rp_lz4_limits){PART_SIZE_MAX, 100000}, &to))
        bytes_write(&out, to.data, to.size);
    rp_writer_free(&to);
    return out;
}

static inline bytes part_lz4(const bytes *content)
{
    rp_context context = part_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer w;
    rp_writer_init(&w, &context, 2 * PART_SIZE_MAX, &error);
    rp_lz4_write(&w, content->data, content->size, RP_LZ4_FASTEST);
    bytes out = part_copy(w.data, w.size);
    rp_writer_free(&w);
    return out;
}

static inline bytes part_wrap_lz4(const part *p, const bytes *content)
{
    (void)p;
    return part_lz4(content);
}

/* A record: 32 bytes with lengths and CRC-32, then a block. */
static inline bytes part_wrap_record(const part *p, const bytes *content)
{
    bytes packed = part_lz4(content);
    bytes result = part_splice(&p->parent->content, p->at, p->size, &packed);
    unsigned char *head = result.data + p->at - 32;
    part_put_u32(&result, p->at - 12, packed.size);
    part_put_u32(&result, p->at - 8, content->size);
    uint32_t crc = rp_crc32(rp_crc32(0, head, 28), packed.data, packed.size);
    part_put_u32(&result, p->at - 4, crc);
    bytes_free(&packed);
    return result;
}

static inline void part_list_records(part_list *list, const part *parent, size_t at)
{
    const bytes *b = &parent->content;
    while (at + 32 <= b->size && part_is(b, at, "IC")) {
        size_t stored = part_u32(b, at + 20);
        if (stored > b->size - at - 32)
            break;
        char name[32];
        snprintf(name, sizeof name, "%.4s%zu", (const char *)b->data + at, at);
        part *p = part_add(list, parent, name, part_wrap_record, part_unlz4(b, at + 32, stored));
        if (p) {
            p->at = at + 32;
            p->size = stored;
        }
        at += 32 + stored;
    }
}

/* A keyframe: its entry has its lengths, those after it their offsets. */
static inline bytes part_wrap_keyframe(const part *p, const bytes *content)
{
    bytes packed = part_lz4(content);
    bytes result = part_splice(&p->parent->content, p->at, p->size, &packed);
    size_t count = part_u32(&result, 0), offset = part_u32(&result, 8 + 21 * p->index + 8);
    for (size_t i = 0; i < count; i++) {
        size_t field = 8 + 21 * i + 8, old = part_u32(&result, field);
        if (old > offset)
            part_put_u32(&result, field, old + packed.size - p->size);
    }
    part_put_u32(&result, 8 + 21 * p->index + 12, packed.size);
    part_put_u32(&result, 8 + 21 * p->index + 16, content->size);
    bytes_free(&packed);
    return result;
}

static inline void part_list_keyframes(part_list *list, const part *parent)
{
    const bytes *b = &parent->content;
    size_t count = part_u32(b, 0), index_end = 8 + 21 * count;
    for (size_t i = 0; i < count && index_end < b->size; i++) {
        size_t at = index_end + part_u32(b, 8 + 21 * i + 8), size = part_u32(b, 8 + 21 * i + 12);
        if (at > b->size || size > b->size - at)
            break;
        char name[32];
        snprintf(name, sizeof name, "keyframe%zu", i);
        part *p = part_add(list, parent, name, part_wrap_keyframe, part_unlz4(b, at, size));
        if (p) {
            p->at = at;
            p->size = size;
            p->index = i;
        }
    }
}

/* A section that the header has an offset and a length of, at p->index; others move. */
static const size_t part_ic_sections[] = {8, 16, 24, 32, 40, 88, 96};

static inline bytes part_wrap_ic_section(const part *p, const bytes *content)
{
    bytes result = part_splice(&p->parent->content, p->at, p->size, content);
    bool save = part_is(&result, 0, "ICSV");
    size_t count = save ? 2 : sizeof part_ic_sections / sizeof *part_ic_sections;
    for (size_t i = 0; i < count; i++) {
        size_t field = part_ic_sections[i], offset = part_u32(&result, field);
        if (offset > p->at)
            part_put_u32(&result, field, offset + content->size - p->size);
    }
    /* Records of a live file have no length there. */
    if (part_u32(&result, p->index + 4))
        part_put_u32(&result, p->index + 4, content->size);
    return result;
}

static inline bytes part_wrap_payload(const part *p, const bytes *content)
{
    bytes packed = part_lz4(content);
    bytes result = part_wrap_ic_section(p, &packed);
    part_put_u32(&result, 24, content->size);
    rp_context context = part_context();
    reprise_error error = REPRISE_ERROR_INIT;
    rp_sha256 *hash = NULL;
    expect_ok(rp_sha256_new(&context, &hash, &error), &error, "hash");
    rp_sha256_update(hash, packed.data, packed.size);
    if (result.size >= 36 + RP_SHA256_SIZE)
        rp_sha256_final(hash, result.data + 36);
    rp_sha256_free(hash);
    bytes_free(&packed);
    return result;
}

static inline void part_list_ic(part_list *list, const part *parent)
{
    static const char *const names[] = {"metadata",  "orders", "keyframes", "events",
                                        "signature", "voice",  "embedded"};
    const bytes *b = &parent->content;
    bool save = part_is(b, 0, "ICSV");
    bool live = !save && !part_u32(b, 20) && !part_u32(b, 28) && part_u32(b, 16);
    for (size_t i = 0; i < (save ? 2 : sizeof names / sizeof *names); i++) {
        size_t field = part_ic_sections[i], at = part_u32(b, field), size = part_u32(b, field + 4);
        if (!at || at >= b->size || !size || size > b->size - at)
            continue;
        bool payload = save && i == 1;
        part *p = part_add(list, parent, payload ? "payload" : names[i],
                           payload ? part_wrap_payload : part_wrap_ic_section,
                           payload ? part_unlz4(b, at, size) : part_copy(b->data + at, size));
        if (!p)
            continue;
        p->at = at;
        p->size = size;
        p->index = field;
        if (save)
            continue;
        if (i == 1)
            part_list_records(list, p, 0);
        else if (i == 2)
            part_list_keyframes(list, p);
        else if (i == 3 || i == 5)
            (void)part_add(list, p, "block", part_wrap_lz4, part_unlz4(b, at, size));
    }
    if (live)
        part_list_records(list, parent, part_u32(b, 16));
}

/* ---- all ---- */

static inline void part_list_below(part_list *list, const part *parent)
{
    const bytes *b = &parent->content;
    size_t first = list->count;
    if (part_is(b, 0, "PK\3\4")) {
        part_list_zip(list, parent);
    } else if (part_is(b, 0, "RGZP") && b->size > 12) {
        part *p = part_add(list, parent, "gzip", part_wrap_rgzp,
                           part_gunzip(b->data + 12, b->size - 12));
        if (p) {
            p->at = 12;
            p->size = b->size - 12;
        }
    } else if (part_is(b, 0, "\x1f\x8b")) {
        (void)part_add(list, parent, "gzip", part_wrap_gzip, part_gunzip(b->data, b->size));
    } else if (part_is(b, 0, "ICRP") || part_is(b, 0, "ICSV")) {
        part_list_ic(list, parent);
        return;
    } else if (parent->parent && strcmp(parent->name, "replay") == 0) {
        (void)part_add(list, parent, "brotli", part_wrap_brotli, part_unbrotli(b));
    } else if (!parent->parent) {
        part_list_sections(list, parent);
    }
    size_t depth = 0;
    for (const part *p = parent; p; p = p->parent)
        depth++;
    for (size_t i = first, end = list->count; i < end && depth < PARTS_DEPTH_MAX; i++)
        part_list_below(list, &list->items[i]);
}

/* All parts of a file, the file itself first. */
static inline part_list *parts_of(const void *data, size_t size)
{
    part_list *list = calloc(1, sizeof *list);
    assert_non_null(list);
    if (part_add(list, NULL, "file", NULL, part_copy(data, size)))
        part_list_below(list, &list->items[0]);
    return list;
}

static inline void parts_free(part_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        bytes_free(&list->items[i].content);
    free(list);
}

/* The file with another content in a part; empty if what is around it cannot be written again. */
static inline bytes part_replace(const part *p, const bytes *content)
{
    bytes now = part_copy(content->data, content->size);
    for (bool done = true; p->parent && done; p = p->parent) {
        bytes above = p->wrap(p, &now);
        bytes_free(&now);
        now = above;
        done = now.size > 0;
    }
    return now;
}

#endif
