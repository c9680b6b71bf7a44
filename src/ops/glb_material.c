/* glb_material.c - glTF materials: colours, textures, and extras for what glTF lacks. */
#include <math.h>

#include "glb_parts.h"

/* Converts an sRGB component to linear, as glTF needs it. */
static float straight(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

/*
 * Texture coordinates refer to the first frame, so viewers without animated textures show that one.
 */
static void put_texture(rp_writer *w, const char *key, const rp_material *m)
{
    rp_put_u8(w, ',');
    rp_glb_key(w, key);
    rp_put_format(w, "{\"index\":%d", m->texture);
    if (rp_glb_moves(m->shift)) {
        rp_put_text(w, ",\"extensions\":{\"KHR_texture_transform\":{");
        rp_glb_floats(w, "offset", m->shift->first.value, 2);
        rp_put_text(w, "}}");
    }
    rp_put_u8(w, '}');
}

static void put_member(rp_writer *w, bool *any, const char *key, const char *text)
{
    if (!text)
        return;
    rp_glb_comma(w, *any);
    rp_glb_text_member(w, key, text);
    *any = true;
}

/* Properties that glTF lacks. The number distinguishes materials with the same name. */
static void put_material_extras(rp_writer *w, const rp_material *m, int32_t number)
{
    if (!m->blend_name && !m->painted_by && !m->frame_count)
        return;
    rp_put_format(w, ",\"extras\":{\"reprise\":{\"material\":%d", number);
    bool any = true;
    put_member(w, &any, "blend", m->blend_name);
    put_member(w, &any, "painted_by", m->painted_by);
    put_member(w, &any, "paint_mode", m->paint_mode);
    if (m->frame_count) {
        rp_put_format(w, ",\"frames\":%u,\"frames_per_s\":", m->frame_count);
        rp_json_f64(w, m->frame_rate);
        rp_put_text(w, ",\"frame_height\":");
        rp_json_f32(w, m->frame_height);
    }
    rp_put_text(w, "}}");
}

void rp_glb_material(rp_writer *w, const rp_material *m, int32_t number)
{
    float colour[4] = {straight(m->colour[0]), straight(m->colour[1]), straight(m->colour[2]),
                       m->colour[3]};
    float glow[3] = {colour[0] * m->glow, colour[1] * m->glow, colour[2] * m->glow};
    bool painted = m->paint && m->paint->kept;
    rp_put_u8(w, '{');
    rp_glb_text_member(w, "name", m->name ? m->name : "material");
    rp_put_text(w, ",\"pbrMetallicRoughness\":{");
    rp_glb_floats(w, "baseColorFactor", painted ? m->paint->first.value : colour, 4);
    if (m->texture >= 0)
        put_texture(w, "baseColorTexture", m);
    rp_put_text(w, ",\"metallicFactor\":");
    rp_json_f32(w, m->metal);
    rp_put_text(w, ",\"roughnessFactor\":");
    rp_json_f32(w, m->rough);
    rp_put_u8(w, '}');
    if (m->glow > 0) {
        rp_put_u8(w, ',');
        rp_glb_floats(w, "emissiveFactor", glow, 3);
        if (m->texture >= 0)
            put_texture(w, "emissiveTexture", m);
    }
    if (m->blend || m->cut_out)
        rp_put_format(w, ",\"alphaMode\":\"%s\"", m->blend ? "BLEND" : "MASK");
    if (m->double_sided)
        rp_put_text(w, ",\"doubleSided\":true");
    put_material_extras(w, m, number);
    rp_put_u8(w, '}');
}
