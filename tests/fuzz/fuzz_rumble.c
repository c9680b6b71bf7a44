/*
 * fuzz_rumble.c - the stream inside a RUMBLE file. Compression and checksums would turn away nearly
 * every mutation, so the input is what lies behind them, and the container is made here: the first
 * byte chooses it, then come a manifest of two bytes' length and the stream (ZIP with Brotli), or
 * the inner data alone (RGZP with gzip).
 */
#include <brotli/encode.h>
#include <libdeflate.h>
#include <stdlib.h>

#include "exercise.h"
#include "fuzz.h"
#include "hash.h"
#include "writer.h"

typedef struct entry {
    const char *name;
    const uint8_t *data;
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
    rp_put_u32(w, 0x06054B50);
    rp_put_u32(w, 0);
    rp_put_u16(w, (uint16_t)count);
    rp_put_u16(w, (uint16_t)count);
    rp_put_u32(w, (uint32_t)w->size - 12 - directory);
    rp_put_u32(w, directory);
    rp_put_u16(w, 0);
}

static void wrap_zip(rp_writer *w, const uint8_t *data, size_t size)
{
    if (size < 2)
        return;
    size_t manifest = (size_t)(data[0] | data[1] << 8);
    manifest = manifest < size - 2 ? manifest : size - 2;
    const uint8_t *stream = data + 2 + manifest;
    size_t stream_size = size - 2 - manifest;
    size_t packed_size = BrotliEncoderMaxCompressedSize(stream_size) + 16;
    uint8_t *packed = malloc(packed_size);
    if (packed && BrotliEncoderCompress(0, 16, BROTLI_MODE_GENERIC, stream_size, stream,
                                        &packed_size, packed)) {
        entry entries[] = {{.name = "manifest.json", .data = data + 2, .size = manifest},
                           {.name = "replay", .data = packed, .size = packed_size}};
        put_zip(w, entries, 2);
    }
    free(packed);
}

static void wrap_rgzp(rp_writer *w, const uint8_t *data, size_t size)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_gzip_compress_bound(compressor, size);
    uint8_t *packed = malloc(bound);
    size_t packed_size = packed ? libdeflate_gzip_compress(compressor, data, size, packed, bound)
                                : 0;
    libdeflate_free_compressor(compressor);
    rp_put_text(w, "RGZP");
    rp_put_u32(w, (uint32_t)size);
    rp_put_u32(w, (uint32_t)packed_size);
    rp_put(w, packed, packed_size);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    reprise_options options;
    reprise_options_init(&options);
    options.limits.memory_bytes_max = 64 << 20;
    rp_context context;
    rp_context_init(&context, &options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer file;
    rp_writer_init(&file, &context, SIZE_MAX / 2, &error);
    if (data[0] & 1)
        wrap_rgzp(&file, data + 1, size - 1);
    else
        wrap_zip(&file, data + 1, size - 1);
    exercise_memory(file.data, file.size, &options);
    rp_writer_free(&file);
    return 0;
}
