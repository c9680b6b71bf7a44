/* fuzz_ic_orders.c - frames with their orders, one after the other. */
#include "fuzz_ironcurtain.h"

static void fuzz_frames(bench *b, const uint8_t *data, size_t size)
{
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    while (rp_ok(&r) && rp_left(&r)) {
        ic_frame frame;
        size_t before = rp_left(&r);
        ic_frame_read(&r, &b->arena, &frame);
        if (!rp_ok(&r))
            return;
        rp_writer_clear(&b->w);
        rp_bincode_write(&b->w, &ic_frame_record, &frame);
        same_bytes(b, data + (size - before), before - rp_left(&r));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_frames, data, size);
}
