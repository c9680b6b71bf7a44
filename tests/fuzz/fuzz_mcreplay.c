/*
 * fuzz_mcreplay.c - the members of Minecraft's scenes. Archives and their checksums would turn away
 * nearly every mutation, so the input is one member and the archive is made here. The first byte
 * says which: an entity (XML, animation, OBJ), a world (NBT), a block's mesh (OBJ), a material.
 */
#include <stdlib.h>

#include "checked.h"
#include "exercise.h"
#include "fuzz.h"
#include "hash.h"
#include "writer.h"

typedef struct entry {
    const char *name;
    const void *data;
    size_t size;
    uint32_t crc, place;
} entry;

static void put_names(rp_writer *w, const entry *e)
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

static void put_zip(rp_writer *w, entry *entries, size_t count)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char meta[] = "{\"version\":\"0.3.0\",\"offset\":[0,0,0]}";
    static const uint8_t world[] = {10, 0, 0, 0}; /* a root without frames */
    static const char *const names[] = {"entities/e.xml", "world.dat", "mesh/m.obj", "mat/m.json"};
    if (size < 1)
        return 0;
    size_t kind = data[0] % RP_COUNT(names);
    reprise_options options;
    reprise_options_init(&options);
    options.limits.memory_bytes_max = 64 << 20;
    rp_context context;
    rp_context_init(&context, &options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer file;
    rp_writer_init(&file, &context, SIZE_MAX / 2, &error);
    entry entries[] = {{.name = "meta.json", .data = meta, .size = sizeof meta - 1},
                       {.name = names[kind], .data = data + 1, .size = size - 1},
                       {.name = "world.dat", .data = world, .size = sizeof world}};
    put_zip(&file, entries, kind == 2 ? 3 : 2);
    exercise_memory(file.data, file.size, &options);
    rp_writer_free(&file);
    return 0;
}
