/*
 * fuzz_cs2kz.c - the sections inside a CS2KZ file. Compression would turn away nearly every
 * mutation, so the input is what lies behind it: the first byte chooses the layout, the next two
 * the size of the header, which follows; then come sections, each with a size of two bytes, a count
 * of one, and its content. Headers are completed and sections stored in frames here.
 */
#include <stdlib.h>

#include "checked.h"
#include "exercise.h"
#include "fuzz.h"
#include "writer.h"

/* One frame in one segment with its content stored. */
static void put_stored_zstd(rp_writer *w, const uint8_t *data, size_t size)
{
    rp_put_u32(w, 0xFD2FB528);
    rp_put_u8(w, 0xA0);
    rp_put_u32(w, (uint32_t)size);
    size_t n = RP_MIN(size, (size_t)0x1FFFF);
    uint32_t head = (uint32_t)n << 3 | 1;
    rp_put_u8(w, (uint8_t)head);
    rp_put_u16(w, (uint16_t)(head >> 8));
    rp_put(w, data, n);
}

static size_t put_header(rp_writer *w, const uint8_t *data, size_t size)
{
    unsigned layout = data[0] % 9;
    size_t length = RP_MIN((size_t)(data[1] | data[2] << 8), size - 3);
    if (layout < 4) {
        rp_put_text(w, layout == 3 ? "S2KZ" : "s2kz");
        rp_put_u32(w, layout == 3 ? 1 : layout + 1);
    } else {
        rp_put_u32(w, (uint32_t)length + 2);
        rp_put_u8(w, 8);
        rp_put_u8(w, (uint8_t)(layout - 3));
    }
    rp_put(w, data + 3, length);
    return 3 + length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    reprise_options options;
    reprise_options_init(&options);
    options.format = "cs2kz";
    options.limits.memory_bytes_max = 64 << 20;
    options.limits.decoded_bytes_max = 1 << 20;
    rp_context context;
    rp_context_init(&context, &options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_writer file;
    rp_writer_init(&file, &context, SIZE_MAX / 2, &error);
    for (size_t at = put_header(&file, data, size); at + 3 <= size;) {
        size_t length = RP_MIN((size_t)(data[at] | data[at + 1] << 8), size - at - 3);
        rp_put_u32(&file, (uint32_t)length + 12);
        rp_put_u32(&file, (uint32_t)length);
        rp_put_u32(&file, data[at + 2]);
        put_stored_zstd(&file, data + at + 3, length);
        at += 3 + length;
    }
    exercise_memory(file.data, file.size, &options);
    rp_writer_free(&file);
    return 0;
}
