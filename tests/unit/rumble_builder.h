/* rumble_builder.h - makes the data of legacy RUMBLE files byte by byte. */
#ifndef RUMBLE_BUILDER_H
#define RUMBLE_BUILDER_H

#include "writer.h"
#include "zip_builder.h"

typedef struct maker {
    rp_context context;
    reprise_error error;
    rp_writer w;
} maker;

static inline void maker_init(maker *m)
{
    rp_context_init(&m->context, NULL);
    m->error = (reprise_error)REPRISE_ERROR_INIT;
    rp_writer_init(&m->w, &m->context, SIZE_MAX / 2, &m->error);
}

static inline void put_str7(rp_writer *w, const char *text)
{
    rp_put_leb32(w, (uint32_t)strlen(text));
    rp_put_text(w, text);
}

/* A legacy header without players. */
static inline void put_legacy_header(rp_writer *w, uint32_t frames, uint32_t structures,
                                     uint32_t types)
{
    rp_put_text(w, "REPLAY");
    put_str7(w, "1.0.0");
    put_str7(w, "Gym");
    put_str7(w, "2025-12-10 11:12:13");
    rp_put_u32(w, frames);
    rp_put_u32(w, structures);
    rp_put_u32(w, 50);
    rp_put_u32(w, 0);
    rp_put_u32(w, types);
    for (uint32_t i = 0; i < types && i < 1000; i++)
        rp_put_u8(w, 2);
}

/* One L1 frame; every structure has moved to x = time. */
static inline void put_l1_frame(rp_writer *w, float time, uint32_t structures)
{
    rp_put_f32(w, time);
    for (uint32_t i = 0; i < structures; i++) {
        rp_put_u8(w, 1);
        rp_put_f32(w, time);
        for (int k = 0; k < 5; k++)
            rp_put_f32(w, 0);
        rp_put_f32(w, 1);
        rp_put_u8(w, 1);
        rp_put_u8(w, 1);
    }
}

/* Wraps inner data; `lie` is added to the stated inner size. */
static inline blob wrap_rgzp(const rp_writer *inner, int32_t lie)
{
    blob packed = pack_gzip((blob){inner->data, inner->size});
    blob file = {malloc(packed.size + 12), packed.size + 12};
    memcpy(file.data, "RGZP", 4);
    rp_store32(file.data + 4, (uint32_t)((int32_t)inner->size + lie));
    rp_store32(file.data + 8, (uint32_t)packed.size);
    memcpy(file.data + 12, packed.data, packed.size);
    free(packed.data);
    return file;
}

#endif
