/*
 * fuzz_schema.c - any bytes through the wire engines. What reads must write back: the same bytes
 * for bincode and masked records, the same values for tagged ones.
 */
#include <stdlib.h>

#include "engine_records.h"
#include "fuzz.h"
#include "options.h"

static void must(bool condition)
{
    if (!condition)
        abort();
}

static bool rows_equal(const rp_record *record, const void *a, const void *b, uint64_t fields)
{
    for (size_t i = 0; i < record->count; i++) {
        if ((fields >> i & 1) && !rp_field_equal(&record->fields[i], a, b))
            return false;
    }
    return true;
}

static void check_tagged(rp_context *context, const uint8_t *data, size_t size, unsigned width)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(data, size, "fuzz", &error);
    rp_tag_map map;
    rp_tag_map_init(&map, &test_tagged_record, width);
    (void)rp_tagged_fits(&r, &map);
    test_tagged row = {0}, again = {0};
    uint64_t present = 0, present_again = 0;
    size_t unknown = 0;
    rp_tagged_read(&r, &map, &row, &present, &unknown);
    if (error.status != REPRISE_OK)
        return;
    unsigned rotation = row.turn.size == 7 && width ? 7 : 16;
    rp_writer w;
    rp_writer_init(&w, context, SIZE_MAX / 2, &error);
    rp_tagged_write(&w, &map, rotation, &row, present);
    if (error.status == REPRISE_OK) {
        rp_reader back = rp_reader_of(w.data, w.size, "fuzz", &error);
        rp_tagged_read(&back, &map, &again, &present_again, &unknown);
        must(error.status == REPRISE_OK && present == present_again);
        must(rows_equal(&test_tagged_record, &row, &again, present));
    }
    rp_writer_free(&w);
}

static void check_masked(rp_context *context, const uint8_t *data, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(data, size, "fuzz", &error);
    uint64_t known = rp_masked_bits(&test_masked_record, 3);
    test_masked row = {0};
    while (rp_ok(&r) && rp_left(&r)) {
        test_masked before = row, again;
        uint64_t mask = rp_u64(&r, "mask") & known;
        rp_masked_read(&r, &test_masked_record, mask, 3, &row);
        if (!rp_ok(&r))
            return;
        uint64_t diff = rp_masked_diff(&test_masked_record, 3, &before, &row);
        must((diff & ~mask) == 0);
        rp_writer w;
        rp_writer_init(&w, context, SIZE_MAX / 2, &error);
        rp_masked_write(&w, &test_masked_record, diff, 3, &row);
        again = before;
        rp_reader back = rp_reader_of(w.data, w.size, "fuzz", &error);
        rp_masked_read(&back, &test_masked_record, diff, 3, &again);
        must(error.status == REPRISE_OK && rp_left(&back) == 0);
        must(rows_equal(&test_masked_record, &row, &again, UINT64_MAX));
        rp_writer_free(&w);
    }
}

static void check_bincode(rp_context *context, const uint8_t *data, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(data, size, "fuzz", &error);
    rp_arena arena;
    rp_arena_init(&arena, context);
    test_node node = {0};
    rp_bincode_read(&r, &arena, &test_node_record, &node);
    if (rp_ok(&r)) {
        size_t used = size - rp_left(&r);
        rp_writer w;
        rp_writer_init(&w, context, SIZE_MAX / 2, &error);
        rp_bincode_write(&w, &test_node_record, &node);
        must(error.status == REPRISE_OK && w.size == used && memcmp(w.data, data, used) == 0);
        rp_writer_clear(&w);
        rp_record_json(&w, &test_node_record, &node);
        must(error.status == REPRISE_OK);
        rp_writer_free(&w);
    }
    rp_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    TEST_OPTIONS(options);
    options_limit(options, "memory_bytes", 64 << 20);
    rp_context context;
    rp_context_init(&context, options);
    switch (data[0] % 5) {
    case 0:
    case 1:
    case 2:
        check_tagged(&context, data + 1, size - 1, data[0] % 5);
        break;
    case 3:
        check_masked(&context, data + 1, size - 1);
        break;
    default:
        check_bincode(&context, data + 1, size - 1);
    }
    return 0;
}
