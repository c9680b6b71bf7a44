/* zip_builder.h - builds valid and invalid archives byte by byte. */
#ifndef ZIP_BUILDER_H
#define ZIP_BUILDER_H

#include "codec_fixture.h"
#include "hash.h"
#include "writer.h"

enum {
    ENCRYPTED = 1 << 0,
    DESCRIPTOR = 1 << 3,
};

/* One entry. Members after `method` make it unusual. */
typedef struct item {
    const char *name;
    blob content;
    uint16_t method;
    uint16_t flags;
    bool zip64;        /* sizes and offset in the extra field */
    int32_t size_lie;  /* added to the declared size */
    uint32_t crc_flip; /* flipped bits of the declared CRC-32 */
} item;

typedef struct archive {
    const item *items;
    size_t count;
    bool zip64;          /* end of directory in ZIP64 */
    size_t comment_size; /* of the archive */
    uint64_t count_lie;  /* added to the declared number of entries */
} archive;

static inline blob pack_deflate(blob content)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
    size_t bound = libdeflate_deflate_compress_bound(compressor, content.size);
    blob b = {malloc(bound), 0};
    b.size = libdeflate_deflate_compress(compressor, content.data, content.size, b.data, bound);
    libdeflate_free_compressor(compressor);
    assert_true(b.size > 0);
    return b;
}

/* CRC-32, stored size and size, as in headers and descriptors. */
static inline void put_sums(rp_writer *w, const item *it, blob stored, bool wide)
{
    uint64_t size = it->content.size + (uint64_t)it->size_lie;
    rp_put_u32(w, rp_crc32(0, it->content.data, it->content.size) ^ it->crc_flip);
    rp_put_u32(w, wide ? UINT32_MAX : (uint32_t)stored.size);
    rp_put_u32(w, wide ? UINT32_MAX : (uint32_t)size);
}

/* The common part of local and central headers. */
static inline void put_head(rp_writer *w, const item *it, blob stored, bool central)
{
    rp_put_u16(w, it->zip64 ? 45 : 20);
    rp_put_u16(w, it->flags);
    rp_put_u16(w, it->method);
    rp_put_u32(w, 0x5B550000);
    if ((it->flags & DESCRIPTOR) && !central) {
        rp_put_u32(w, 0);
        rp_put_u32(w, 0);
        rp_put_u32(w, 0);
    } else {
        put_sums(w, it, stored, it->zip64);
    }
    rp_put_u16(w, (uint16_t)strlen(it->name));
    rp_put_u16(w, !it->zip64 ? 0 : central ? 28 : 20);
}

static inline void put_extra(rp_writer *w, const item *it, blob stored, uint64_t place,
                             bool central)
{
    rp_put_u16(w, 1);
    rp_put_u16(w, central ? 24 : 16);
    rp_put_u64(w, it->content.size + (uint64_t)it->size_lie);
    rp_put_u64(w, stored.size);
    if (central)
        rp_put_u64(w, place);
}

static inline uint64_t put_entry(rp_writer *w, const item *it, blob stored)
{
    uint64_t place = w->size;
    rp_put_u32(w, 0x04034B50);
    put_head(w, it, stored, false);
    rp_put_text(w, it->name);
    if (it->zip64)
        put_extra(w, it, stored, place, false);
    rp_put(w, stored.data, stored.size);
    if (it->flags & DESCRIPTOR) {
        rp_put_u32(w, 0x08074B50);
        put_sums(w, it, stored, false);
    }
    return place;
}

static inline void put_central(rp_writer *w, const item *it, blob stored, uint64_t place)
{
    rp_put_u32(w, 0x02014B50);
    rp_put_u16(w, 45);
    put_head(w, it, stored, true);
    rp_put_u16(w, 0);
    rp_put_u16(w, 0);
    rp_put_u16(w, 0);
    rp_put_u32(w, 0);
    rp_put_u32(w, it->zip64 ? UINT32_MAX : (uint32_t)place);
    rp_put_text(w, it->name);
    if (it->zip64)
        put_extra(w, it, stored, place, true);
}

static inline void put_end64(rp_writer *w, uint64_t count, uint64_t size, uint64_t offset)
{
    uint64_t place = w->size;
    rp_put_u32(w, 0x06064B50);
    rp_put_u64(w, 44);
    rp_put_u16(w, 45);
    rp_put_u16(w, 45);
    rp_put_u32(w, 0);
    rp_put_u32(w, 0);
    rp_put_u64(w, count);
    rp_put_u64(w, count);
    rp_put_u64(w, size);
    rp_put_u64(w, offset);
    rp_put_u32(w, 0x07064B50);
    rp_put_u32(w, 0);
    rp_put_u64(w, place);
    rp_put_u32(w, 1);
}

static inline void put_end(rp_writer *w, uint64_t count, uint64_t size, uint64_t offset, bool wide,
                           size_t comment_size)
{
    rp_put_u32(w, 0x06054B50);
    rp_put_u32(w, 0);
    rp_put_u16(w, wide ? UINT16_MAX : (uint16_t)count);
    rp_put_u16(w, wide ? UINT16_MAX : (uint16_t)count);
    rp_put_u32(w, wide ? UINT32_MAX : (uint32_t)size);
    rp_put_u32(w, wide ? UINT32_MAX : (uint32_t)offset);
    rp_put_u16(w, (uint16_t)comment_size);
    for (size_t i = 0; i < comment_size; i++)
        rp_put_u8(w, 'P');
}

/* The archive in a block of exactly its size. */
static inline blob make_archive(const archive *a)
{
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer w;
    rp_writer_init(&w, &context, SIZE_MAX, &error);
    uint64_t *places = calloc(a->count + 1, sizeof *places);
    blob *stored = calloc(a->count + 1, sizeof *stored);
    for (size_t i = 0; i < a->count; i++) {
        const item *it = &a->items[i];
        stored[i] = it->method == 8 ? pack_deflate(it->content) : it->content;
        places[i] = put_entry(&w, it, stored[i]);
    }
    uint64_t offset = w.size;
    for (size_t i = 0; i < a->count; i++) {
        put_central(&w, &a->items[i], stored[i], places[i]);
        if (a->items[i].method == 8)
            free(stored[i].data);
    }
    uint64_t size = w.size - offset;
    if (a->zip64)
        put_end64(&w, a->count + a->count_lie, size, offset);
    put_end(&w, a->count + a->count_lie, size, offset, a->zip64, a->comment_size);
    blob made = {malloc(w.size), w.size};
    memcpy(made.data, w.data, w.size);
    rp_writer_free(&w);
    free(places);
    free(stored);
    return made;
}

static inline blob text(const char *words)
{
    blob b = {malloc(strlen(words)), strlen(words)};
    memcpy(b.data, words, b.size);
    return b;
}

#endif
