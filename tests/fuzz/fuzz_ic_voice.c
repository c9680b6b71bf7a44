/* fuzz_ic_voice.c - a stream of voices, and what was said as Ogg Opus files. */
#include "fuzz_ironcurtain.h"

/* What was said becomes files whatever the packets are. */
static void fuzz_voice(bench *b, const uint8_t *data, size_t size)
{
    ic_voice voice = {0};
    rp_reader r = rp_reader_of(data, size, "fuzz", &b->error);
    rp_bincode_read(&r, &b->arena, &ic_voice_record, &voice);
    if (rp_ok(&r))
        ic_voice_check(&r, &voice);
    if (!rp_ok(&r))
        return;
    rp_bincode_write(&b->w, &ic_voice_record, &voice);
    same_bytes(b, data, size - rp_left(&r));
    const ic_voice_track *tracks = voice.tracks.items;
    for (size_t i = 0; i < voice.tracks.count && i < 4; i++) {
        rp_writer_clear(&b->w);
        bool any = ic_voice_ogg(&voice, 1, tracks[i].player, 1 / 15.0, &b->w);
        must(any == (b->w.size > 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_with_bench(fuzz_voice, data, size);
}
