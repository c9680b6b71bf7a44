/* stored_archive.h - archives of stored entries, with checksums that fit whatever is put in. */
#ifndef STORED_ARCHIVE_H
#define STORED_ARCHIVE_H

#include "hash.h"
#include "writer.h"

typedef struct entry {
    const char *name;
    const void *data;
    size_t size;
    uint32_t crc, place;
} entry;

static inline void put_names(rp_writer *w, const entry *e)
{
    rp_put_u32(w, 0);
    rp_put_u16(w, 0);
    rp_put_u16(w, 0);
    rp_put_u32(w, e->crc);
    rp_put_u32(w, (uint32_t)e->size);
    rp_put_u32(w, (uint32_t)e->size);
    rp_put_u16(w, (uint16_t)strlen(e->name));
    rp_put_u16(w, 0);
}

static inline void put_zip(rp_writer *w, entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        entries[i].place = (uint32_t)w->size;
        entries[i].crc = rp_crc32(0, entries[i].data, entries[i].size);
        rp_put_u32(w, 0x04034B50);
        rp_put_u16(w, 20);
        put_names(w, &entries[i]);
        rp_put_text(w, entries[i].name);
        rp_put(w, entries[i].data, entries[i].size);
    }
    uint32_t directory = (uint32_t)w->size;
    for (size_t i = 0; i < count; i++) {
        rp_put_u32(w, 0x02014B50);
        rp_put_u32(w, 20 | 20 << 16);
        put_names(w, &entries[i]);
        rp_put_u64(w, 0);
        rp_put_u16(w, 0);
        rp_put_u32(w, entries[i].place);
        rp_put_text(w, entries[i].name);
    }
    uint32_t size = (uint32_t)w->size - directory;
    rp_put_u32(w, 0x06054B50);
    rp_put_u32(w, 0);
    rp_put_u16(w, (uint16_t)count);
    rp_put_u16(w, (uint16_t)count);
    rp_put_u32(w, size);
    rp_put_u32(w, directory);
    rp_put_u16(w, 0);
}

#endif
