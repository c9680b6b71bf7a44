/* glb_parts.h - JSON helpers for the files that write glTF, and materials. */
#ifndef RP_GLB_PARTS_H
#define RP_GLB_PARTS_H

#include <string.h>

#include "json.h"
#include "scene.h"

static inline void rp_glb_key(rp_writer *w, const char *key)
{
    rp_put_u8(w, '"');
    rp_put_text(w, key);
    rp_put(w, "\":", 2);
}

static inline void rp_glb_text_member(rp_writer *w, const char *key, const char *text)
{
    rp_glb_key(w, key);
    rp_json_string(w, text, strlen(text));
}

static inline void rp_glb_floats(rp_writer *w, const char *key, const float *values, size_t count)
{
    rp_glb_key(w, key);
    for (size_t i = 0; i < count; i++) {
        rp_put_u8(w, i ? ',' : '[');
        rp_json_f32(w, values[i]);
    }
    rp_put_u8(w, ']');
}

/* A comma before every item but the first of a list. */
static inline void rp_glb_comma(rp_writer *w, size_t index)
{
    if (index)
        rp_put_u8(w, ',');
}

/* Whether there is anything to animate. */
static inline bool rp_glb_moves(const rp_channel *channel)
{
    return channel && rp_channel_moves(channel);
}

/* ---- glb_material.c ---- */

/* Writes one material object; `number` is its index in the file. */
void rp_glb_material(rp_writer *w, const rp_material *material, int32_t number);

#endif
