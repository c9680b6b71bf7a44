/* fuzz_ic_bincode.c - any record by its table: the first byte chooses which. */
#include "fuzz_ironcurtain.h"

static void fuzz_record(bench *b, const uint8_t *data, size_t size)
{
    static const rp_record *const records[] = {
        &ic_voice_record,       &ic_embedded_record,      &ic_signature_record,
        &ic_proof_record,       &ic_campaign_record,      &ic_script_record,
        &ic_core_delta_record,  &ic_snapshot_record,      &ic_frame_record,
        &ic_keyframe_record,    &ic_replay_header_record, &ic_save_header_record,
        &ic_build_queue_record,
    };
    if (!size)
        return;
    const rp_record *record = records[data[0] % RP_COUNT(records)];
    void *row = rp_arena_alloc(&b->arena, record->size, &b->error);
    rp_reader r = rp_reader_of(data + 1, size - 1, "fuzz", &b->error);
    rp_bincode_read(&r, &b->arena, record, row);
    if (!rp_ok(&r))
        return;
    rp_bincode_write(&b->w, record, row);
    same_bytes(b, data + 1, size - 1 - rp_left(&r));
    rp_writer_clear(&b->w);
    rp_record_json(&b->w, record, row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_record, data, size);
}
