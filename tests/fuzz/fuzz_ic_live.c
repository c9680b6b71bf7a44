/* fuzz_ic_live.c - a live file of records whose checksums are made to fit. */
#include "fuzz_ironcurtain.h"

/* A live file of records whose checksums are made to fit. */
static void fuzz_live(bench *b, const uint8_t *data, size_t size)
{
    static const char metadata[] = "{\"game_speed\": \"slower\"}";
    put_head(b, (ic_replay_header){.orders_offset = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1},
             metadata);
    size_t start = b->w.size;
    rp_put(&b->w, data, size);
    for (size_t at = start; b->w.size - at >= IC_RECORD_SIZE;) {
        uint8_t *head = b->w.data + at;
        size_t stored = RP_MIN((size_t)rp_load32(head + 20), b->w.size - at - IC_RECORD_SIZE);
        rp_store32(head + 20, (uint32_t)stored);
        uint32_t crc = rp_crc32(0, head, IC_RECORD_SIZE - 4);
        rp_store32(head + 28, rp_crc32(crc, head + IC_RECORD_SIZE, stored));
        at += IC_RECORD_SIZE + stored;
    }
    (void)exercise_memory(b->w.data, b->w.size, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_live, data, size);
}
