/*
 * fuzz_rumble.c - the stream inside a RUMBLE file. Compression and checksums would turn away nearly
 * every mutation, so the input is what lies behind them, and the container is made here: the first
 * byte chooses it, then come a manifest of two bytes' length and the stream (ZIP with Brotli), or
 * the inner data alone (RGZP with gzip).
 */
#include <libdeflate.h>
#include <stdlib.h>

#include "checked.h"
#include "exercise.h"
#include "fuzz.h"
#include "hash.h"
#include "stored_archive.h"
#include "writer.h"

/* Brotli data that stores its bytes: uncompressed meta-blocks, then an empty last one. */
static void put_stored_brotli(rp_writer *w, const uint8_t *data, size_t size)
{
    for (size_t at = 0, n; at < size || at == 0; at += n) {
        n = RP_MIN(size - at, (size_t)65536);
        if (!n)
            break;
        unsigned window_bits = at == 0; /* one bit 0: a window of 64 KiB */
        uint32_t head = (uint32_t)(n - 1) << (3 + window_bits) | UINT32_C(1) << (19 + window_bits);
        uint8_t bytes[4];
        rp_store32(bytes, head);
        rp_put(w, bytes, 3);
        rp_put(w, data + at, n);
    }
    rp_put_u8(w, size ? 0x03 : 0x06);
}

static void wrap_zip(rp_writer *w, const uint8_t *data, size_t size)
{
    if (size < 2)
        return;
    size_t manifest = (size_t)(data[0] | data[1] << 8);
    manifest = RP_MIN(manifest, size - 2);
    rp_writer packed;
    rp_writer_init(&packed, w->context, w->size_max, w->error);
    put_stored_brotli(&packed, data + 2 + manifest, size - 2 - manifest);
    entry entries[] = {{.name = "manifest.json", .data = data + 2, .size = manifest},
                       {.name = "replay", .data = packed.data, .size = packed.size}};
    put_zip(w, entries, RP_COUNT(entries));
    rp_writer_free(&packed);
}

static void wrap_rgzp(rp_writer *w, const uint8_t *data, size_t size)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(0);
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
