/*
 * write_materials.c - materials in the form that the Blender add-on loads, and the textures this
 * requires.
 *
 * The add-on rejects the complete file when a colour is given in numbers or a mode is unknown. So
 * colours become textures of one pixel, keys of older versions become those of 0.3.0, and values
 * that readers ignore are dropped. A pixel holds a colour in eight bits only, so the numbers are
 * kept as well, under a key that the add-on ignores and our reader uses. A material that needs none
 * of this is not changed.
 */
#include <stdlib.h>

#include "hash.h"
#include "json.h"
#include "write.h"

static bool is_text(const reprise_value *value)
{
    return reprise_value_kind_of(value) == REPRISE_VALUE_STRING;
}

/* ---- colours ---- */

static reprise_value *make_texture(mc_conversion *m, const double *triple)
{
    uint32_t colour = mc_pixel_of(triple);
    for (size_t i = 0; i < 3; i++)
        m->clipped = m->clipped || !(triple[i] >= 0 && triple[i] <= 1);
    m->made++;
    if (m->colours)
        rp_put(m->colours, &colour, sizeof colour);
    return rp_new_format(m->doc, MC_COLOUR_TEXTURE, colour);
}

typedef struct attribute {
    const char *name;
    double usual[3];
    bool number; /* the add-on accepts one number */
} attribute;

static const attribute attributes[] = {
    {"color", {1, 1, 1}, false},          {"color2", {1, 1, 1}, false},
    {"roughness", {0.5, 0.5, 0.5}, true}, {"metallic", {0, 0, 0}, true},
    {"normal", {0.5, 0.5, 1}, false},     {"emission", {0, 0, 0}, false},
};

/* The form in which an attribute is written; NULL: omitted, which is equivalent. */
static reprise_value *convert_attribute(mc_conversion *m, const attribute *a,
                                        const reprise_value *value)
{
    double v[3];
    if (is_text(value) || (a->number && rp_is_number(value)))
        return rp_copy(m->doc, value);
    m->changed = true;
    if (!mc_read_triple(value, v) || memcmp(v, a->usual, sizeof v) == 0)
        return NULL;
    if (a->number && v[0] == v[1] && v[1] == v[2])
        return rp_new_f64(m->doc, v[0]);
    if (!m->exact)
        m->exact = rp_new_object(m->doc);
    rp_set(m->doc, m->exact, a->name, rp_copy(m->doc, value));
    return make_texture(m, v);
}

/* ---- modes and keys of older versions ---- */

static bool knows_mode(const rp_enum *names, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    char lower[16] = "";
    for (size_t i = 0; text && i < size && i < sizeof lower - 1; i++)
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
    int64_t number;
    return text && size < sizeof lower && rp_enum_number(names, lower, size, &number);
}

static reprise_value *convert_mode(mc_conversion *m, const rp_enum *names,
                                   const reprise_value *value)
{
    if (knows_mode(names, value))
        return rp_copy(m->doc, value);
    m->changed = true;
    return NULL;
}

static reprise_value *convert_value(mc_conversion *m, const char *key, const reprise_value *value)
{
    for (size_t i = 0; i < RP_COUNT(attributes); i++) {
        if (strcmp(key, attributes[i].name) == 0)
            return convert_attribute(m, &attributes[i], value);
    }
    if (strcmp(key, "blend_mode") == 0)
        return convert_mode(m, &mc_blend_names, value);
    if (strcmp(key, "color2_blend_mode") == 0)
        return convert_mode(m, &mc_mix_names, value);
    bool old = strcmp(key, "transparent") == 0 || strcmp(key, "useVertexColors") == 0;
    bool odd = strcmp(key, "emission_strength") == 0 && !rp_is_number(value);
    if (old || odd) {
        m->changed = true;
        return NULL;
    }
    return rp_copy(m->doc, value);
}

static void renew_keys(mc_conversion *m, const reprise_value *from, reprise_value *to)
{
    if (reprise_value_bool(rp_get(from, "transparent"), false) && !rp_get(to, "blend_mode"))
        rp_set_text(m->doc, to, "blend_mode", "HASHED");
    if (!reprise_value_bool(rp_get(from, "useVertexColors"), false))
        return;
    reprise_value *overrides = (reprise_value *)(uintptr_t)rp_get(to, "overrides");
    if (reprise_value_kind_of(overrides) != REPRISE_VALUE_OBJECT)
        overrides = rp_set_object(m->doc, to, "overrides");
    if (!is_text(rp_get(overrides, "color2")))
        rp_set_text(m->doc, overrides, "color2", "$VERTEX_COLOR");
}

reprise_value *mc_convert_material(mc_conversion *m, const reprise_value *from)
{
    reprise_value *to = rp_new_object(m->doc);
    for (size_t i = 0; i < reprise_value_count(from); i++) {
        const char *key = reprise_value_key(from, i);
        const reprise_value *value = reprise_value_at(from, i);
        reprise_value *converted = convert_value(m, key, value);
        if (converted)
            rp_set(m->doc, to, key, converted);
    }
    renew_keys(m, from, to);
    if (m->exact)
        rp_replace(m->doc, to, MC_COLOURS_KEY, m->exact);
    return to;
}

/* ---- members ---- */

reprise_status mc_write_material(mc_encoder *e, const mc_material *material, reprise_error *error)
{
    static const rp_json_format format = {.exact_integers = true};
    rp_arena arena;
    rp_arena_init(&arena, e->base.context);
    rp_doc doc = {.arena = &arena, .error = error};
    mc_conversion m = {.doc = &doc, .colours = &e->colours[material->scope]};
    reprise_value *from = NULL;
    reprise_status status = rp_json_parse(&doc, material->source.data, material->source.size,
                                          material->id.data ? material->id.data : "", &from, NULL);
    reprise_value *to = status == REPRISE_OK ? mc_convert_material(&m, from) : NULL;
    bool recorded = !e->base.source; /* row by row: values are written as given */
    if (recorded)
        rp_writer_clear(m.colours);
    if (to && m.changed && !recorded)
        rp_json_write(&e->text, to, &format);
    else if (to)
        rp_put(&e->text, material->source.data, material->source.size);
    rp_arena_free(&arena);
    return error->status;
}

static void put_be32(rp_writer *w, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        rp_put_u8(w, (uint8_t)(value >> shift));
}

static void put_chunk(rp_writer *w, const char *type, const uint8_t *data, size_t size)
{
    put_be32(w, (uint32_t)size);
    size_t start = w->size;
    rp_put(w, type, 4);
    rp_put(w, data, size);
    if (rp_writer_ok(w))
        put_be32(w, rp_crc32(0, w->data + start, size + 4));
}

/* Too short to be worth compressing. */
void mc_put_pixel(rp_writer *w, uint32_t colour)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t head[13] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0};
    const uint8_t line[4] = {0, (uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour};
    uint8_t data[15] = {0x78, 0x01, 0x01, 4, 0, 0xFB, 0xFF};
    uint32_t a = 1, b = 0; /* Adler-32 */
    for (size_t i = 0; i < sizeof line; i++) {
        data[7 + i] = line[i];
        a += line[i];
        b += a;
    }
    const uint8_t sum[4] = {(uint8_t)(b >> 8), (uint8_t)b, (uint8_t)(a >> 8), (uint8_t)a};
    memcpy(data + 11, sum, sizeof sum);
    rp_put(w, magic, sizeof magic);
    put_chunk(w, "IHDR", head, sizeof head);
    put_chunk(w, "IDAT", data, sizeof data);
    put_chunk(w, "IEND", NULL, 0);
}

static reprise_status add_pixel(mc_encoder *e, mc_scope scope, uint32_t colour,
                                reprise_error *error)
{
    const mc_replay *source = (const mc_replay *)e->base.source;
    const mc_archive *archive = !source                   ? NULL
                                : scope == MC_SCOPE_WORLD ? &source->inner
                                                          : &source->outer;
    rp_arena arena;
    rp_arena_init(&arena, e->base.context);
    const char *name = rp_arena_format(&arena, error, "tex/" MC_COLOUR_TEXTURE ".png", colour);
    bool there = name && archive && archive->zip && rp_zip_find(archive->zip, name) >= 0;
    if (name && !there) {
        rp_writer_clear(&e->text);
        mc_put_pixel(&e->text, colour);
        if (e->error.status == REPRISE_OK)
            (void)rp_zip_add_bytes(scope == MC_SCOPE_WORLD ? e->world_zip : e->zip, name,
                                   e->text.data, e->text.size, error);
        rp_writer_clear(&e->text);
    }
    rp_arena_free(&arena);
    return error->status;
}

static int by_colour(const void *left, const void *right)
{
    uint32_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return a < b ? -1 : a > b;
}

reprise_status mc_write_colours(mc_encoder *e, mc_scope scope, reprise_error *error)
{
    rp_writer *list = &e->colours[scope];
    size_t count = list->size / sizeof(uint32_t);
    if (count)
        qsort(list->data, count, sizeof(uint32_t), by_colour);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = list->data + i * sizeof(uint32_t);
        uint32_t colour;
        memcpy(&colour, at, sizeof colour);
        if (!i || by_colour(at - sizeof colour, at) != 0)
            RP_TRY(add_pixel(e, scope, colour, error));
    }
    rp_writer_clear(list);
    if (e->error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = e->error;
    return error->status;
}
