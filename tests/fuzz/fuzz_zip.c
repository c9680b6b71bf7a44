/*
 * fuzz_zip.c - any bytes as an archive, every entry read to its end. Memory and callbacks that give
 * a few bytes at a time must come to the same.
 */
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "fuzz.h"
#include "hash.h"
#include "options.h"

/* Aborts: a fuzzer takes that for a finding, and asserts may be off. */
static void must(bool condition)
{
    if (!condition)
        abort();
}

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static int64_t read_little(void *ctx, uint64_t offset, void *to, size_t size)
{
    const input *in = ctx;
    size_t left = in->size - (size_t)offset;
    size_t n = RP_MIN(RP_MIN(size, left), 301);
    memcpy(to, in->data + offset, n);
    return (int64_t)n;
}

/* Folds a number into the checksum of everything that happened. */
static uint32_t note(uint32_t sum, uint64_t number)
{
    return rp_crc32(sum, &number, sizeof number);
}

static uint32_t read_entry(rp_zip *zip, size_t index, uint32_t sum)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    reprise_status status = rp_zip_open_entry(zip, index, "zip:fuzz", 1000, &stream, &error);
    if (status == REPRISE_OK) {
        uint8_t piece[4096];
        size_t n = 0;
        do {
            status = rp_stream_read(stream, piece, sizeof piece, &n, &error);
            if (status == REPRISE_OK)
                sum = rp_crc32(sum, piece, n);
        } while (status == REPRISE_OK && n);
        must(status != REPRISE_OK || stream->offset == rp_zip_entry_at(zip, index)->size);
        rp_stream_close(stream);
    }
    must(status == error.status);
    return note(sum, status);
}

static uint32_t read_archive(rp_context *context, rp_source *source)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_zip *zip = NULL;
    uint32_t sum = note(0, rp_zip_open(context, source, &zip, &error));
    must((zip != NULL) == (error.status == REPRISE_OK));
    for (size_t i = 0; zip && i < rp_zip_count(zip); i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(zip, i);
        int64_t first = rp_zip_find(zip, entry->name);
        must(first >= 0 && (size_t)first <= i && entry->duplicate == ((size_t)first < i));
        sum = note(sum, rp_zip_name_safe(entry->name));
        sum = read_entry(zip, i, sum);
    }
    rp_zip_close(zip);
    rp_source_close(source);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    TEST_OPTIONS(options);
    /* Many entries may share one piece of data: together they must not take long. */
    options_limit(options, "decoded_bytes", 1 << 16);
    rp_context context;
    rp_context_init(&context, options);
    reprise_error error = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    must(rp_source_open_memory(&context, data, size, &source, &error) == REPRISE_OK);
    uint32_t sum = read_archive(&context, source);

    input in = {data, size};
    reprise_source callbacks = {.ctx = &in, .size = size, .read = read_little};
    must(rp_source_open_callbacks(&context, &callbacks, &source, &error) == REPRISE_OK);
    must(read_archive(&context, source) == sum);
    must(context.bytes_live == 0);
    return 0;
}
