/* fuzz_ic_events.c - analysis events, one after the other. */
#include "fuzz_ironcurtain.h"

static void fuzz_events(bench *b, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    while (rp_ok(&r) && rp_left(&r)) {
        rp_choice event;
        size_t before = rp_left(&r);
        rp_bincode_read_sum(&r, &b->arena, &ic_event, &event);
        if (!rp_ok(&r))
            return;
        rp_writer_clear(&b->w);
        rp_bincode_write_sum(&b->w, &ic_event, &event);
        same_bytes(b, data + (size - before), before - rp_left(&r));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_events, data, size);
}
