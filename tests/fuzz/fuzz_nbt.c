/*
 * fuzz_nbt.c - any bytes as NBT: what can be walked tag by tag can also be skipped, to the same
 * place.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "nbt.h"
#include "options.h"
#include "stream.h"

/* Reads everything there is to read; returns where it ended, or SIZE_MAX. */
static size_t walk(rp_context *context, const uint8_t *data, size_t size, bool deep)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    rp_stream *stream = NULL;
    size_t end = SIZE_MAX;
    if (rp_source_open_memory(context, data, size, &source, &error) != REPRISE_OK ||
        rp_stream_open_range(context, source, 0, size, "nbt", &stream, &error) != REPRISE_OK) {
        rp_source_close(source);
        return end;
    }
    rp_window window = {0};
    rp_window_init_stream(&window, context, stream, "nbt");
    rp_nbt nbt;
    rp_nbt_init(&nbt, &window, size, 64, &error);
    rp_writer text;
    rp_writer_init(&text, context, 1 << 20, &error);
    rp_nbt_root(&nbt);
    for (rp_nbt_id id; (id = rp_nbt_next(&nbt)) != RP_NBT_END;) {
        size_t count;
        if (deep && id == RP_NBT_STRING)
            (void)rp_nbt_string(&nbt, &text);
        else if (deep &&
                 (id == RP_NBT_BYTE_ARRAY || id == RP_NBT_INT_ARRAY || id == RP_NBT_LONG_ARRAY))
            (void)rp_nbt_array(&nbt, id, &count);
        else if (deep && id == RP_NBT_DOUBLE)
            (void)rp_nbt_double(&nbt);
        else
            rp_nbt_skip(&nbt, id);
    }
    if (rp_nbt_ok(&nbt))
        end = (size_t)window.offset;
    rp_writer_free(&text);
    rp_window_free(&window);
    rp_source_close(source);
    return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TEST_OPTIONS(options);
    options_limit(options, "memory_bytes", 64 << 20);
    rp_context context;
    rp_context_init(&context, options);
    size_t read = walk(&context, data, size, true), skipped = walk(&context, data, size, false);
    /* Strings are looked at only when they are read, so reading may refuse more. */
    if (read != SIZE_MAX && read != skipped)
        abort();
    return 0;
}
