/* fuzz_ic_embedded.c - an embedded section in a file that has little else. */
#include "fuzz_ironcurtain.h"

/* An embedded section in a file that has little else: everything in it is listed and read. */
static void fuzz_embedded(bench *b, const uint8_t *data, size_t size)
{
    static const char metadata[] =
        "{\"map_hash\": "
        "\"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"}";
    const uint32_t start = IC_REPLAY_HEADER_SIZE + sizeof metadata - 1;
    put_head(b,
             (ic_replay_header){.orders_offset = start,
                                .keyframes_offset = start,
                                .keyframes_length = 8,
                                .embedded_offset = start + 8,
                                .embedded_length = (uint32_t)size},
             metadata);
    rp_put_u64(&b->w, 0);
    rp_put(&b->w, data, size);
    reprise_replay *replay = NULL;
    if (reprise_open_memory(b->w.data, b->w.size, NULL, &replay, &b->error) != REPRISE_OK)
        return;
    for (size_t i = 0; i < reprise_blob_count(replay); i++)
        must(reprise_blob_at(replay, i)->name != NULL);
    reprise_close(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_embedded, data, size);
}
