/*
 * scene_materials.c - materials and textures of scenes and worlds, as glTF can show them.
 *
 * glTF has one colour texture per material. Animated textures advance with the recording's clock,
 * and colours that entities change are applied as a factor to the texture: exact for multiplied
 * colours, an approximation at half intensity for soft light. All other changes by channels are
 * reported as lost.
 *
 * Dithered transparency is how the add-on blends without sorting: water and glass are translucent.
 */
#include <math.h>

#include "scene_builder.h"

enum { LOOKS_MAX = 4096, TEXTURE_BYTES_MAX = 64 << 20 };

/* Numbers of mc_blend_names. */
enum { BLEND_OPAQUE, BLEND_CLIP, BLEND_HASHED, BLEND_BLEND };

static const mc_archive *archive_of(const mc_scene_builder *s, mc_scope scope)
{
    return scope == MC_SCOPE_WORLD ? &s->replay->inner : &s->replay->outer;
}

/* Members are listed in the order of the archive. */
static int64_t member_of_entry(const mc_members *members, int64_t entry)
{
    size_t low = 0, high = entry < 0 ? 0 : members->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t at = members->items[middle].entry;
        if (at == (size_t)entry)
            return (int64_t)middle;
        if (at < (size_t)entry)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Materials that cannot be read are omitted with a warning. */
static bool is_read(mc_scene_builder *s, reprise_status status, const reprise_error *failure)
{
    if (status != REPRISE_OK)
        (void)rp_skip_damage(&s->replay->base, failure, s->scene->error);
    return status == REPRISE_OK;
}

static int64_t texture_member(const mc_archive *archive, const rp_text *id)
{
    int64_t entry = mc_find_member(archive, "tex/", id->data, id->size, ".json");
    if (entry < 0)
        entry = mc_find_member(archive, "tex/", id->data, id->size, ".png");
    return member_of_entry(&archive->textures, entry);
}

static void read_picture(mc_scene_builder *s, const mc_archive *archive, size_t member,
                         mc_picture *to)
{
    mc_texture texture = {0};
    reprise_error failure = REPRISE_ERROR_INIT;
    if (!is_read(s, mc_texture_read(s->replay, archive, member, &s->scratch, &texture, &failure),
                 &failure) ||
        !texture.width)
        return;
    int64_t entry = rp_zip_find_last(archive->zip, texture.image.data);
    const char *data = NULL;
    size_t size = 0;
    if (entry < 0 || !is_read(s,
                              mc_read_member(archive, (size_t)entry, &s->scratch, TEXTURE_BYTES_MAX,
                                             "record_bytes", &data, &size, &failure),
                              &failure))
        return;
    uint32_t height = texture.height / RP_MAX(texture.frame_count, 1);
    if (texture.animation.data && height) {
        to->frame = (float)height / (float)texture.height;
        to->frame_count = texture.frame_count > 1 ? texture.frame_count : 0;
        to->frame_rate = texture.framerate;
    }
    to->number = rp_scene_picture(s->scene, texture.id.data, "image/png", data, size, true);
}

/* The image of a texture, which is read once; NULL if there is none. */
static const mc_picture *picture_of(mc_scene_builder *s, mc_scope scope, const rp_text *id)
{
    const mc_archive *archive = archive_of(s, scope);
    int64_t member = id->data && id->size ? texture_member(archive, id) : -1;
    if (member < 0)
        return NULL;
    size_t entry = archive->textures.items[member].entry;
    const mc_picture *known = s->pictures.items;
    for (size_t i = 0; i < s->pictures.count; i++) {
        if (known[i].entry == entry && known[i].scope == scope)
            return &known[i];
    }
    mc_picture *to = rp_vector_add(s->scene->context, &s->pictures, sizeof *to, s->scene->error);
    if (!to)
        return NULL;
    *to = (mc_picture){.entry = entry, .scope = scope, .number = -1, .frame = 1};
    read_picture(s, archive, (size_t)member, to);
    return to;
}

static float share(double value)
{
    return (float)fmin(fmax(value, 0), 1);
}

static bool is_block_colour(const mc_value *value)
{
    static const char name[] = "$VERTEX_COLOR";
    return value->override.size == sizeof name - 1 &&
           memcmp(value->override.data, name, sizeof name - 1) == 0;
}

/* The name of the channel that changes a value, or NULL. */
static const char *changed_by(mc_scene_builder *s, const mc_value *value)
{
    if (!value->override.size || is_block_colour(value))
        return NULL;
    return rp_arena_text(&s->scene->arena, value->override.data, value->override.size,
                         s->scene->error);
}

/* Numbers of mc_mix_names that can be shown. */
enum { NAMED_MULTIPLY = 0, NAMED_SOFT_LIGHT = 9 };

static void take_overrides(mc_scene_builder *s, const mc_material *from, mc_look *look,
                           rp_material *to)
{
    const char *colour = changed_by(s, &from->color), *second = changed_by(s, &from->color2);
    bool mixes = from->color2_blend_mode == NAMED_MULTIPLY ||
                 from->color2_blend_mode == NAMED_SOFT_LIGHT;
    if (colour && to->texture < 0) {
        look->painted_by = colour;
        look->mix = MC_MIX_COLOUR;
        look->lost[0] = second;
    } else if (second && mixes && !colour) {
        look->painted_by = second;
        look->mix = from->color2_blend_mode == NAMED_MULTIPLY ? MC_MIX_MULTIPLY : MC_MIX_SOFT_LIGHT;
        to->paint_mode = rp_enum_name(&mc_mix_names, from->color2_blend_mode);
    } else {
        look->lost[0] = colour ? colour : second;
    }
    to->painted_by = look->painted_by;
    look->lost[1] = changed_by(s, &from->roughness);
    look->lost[2] = changed_by(s, &from->metallic);
    look->lost[3] = changed_by(s, &from->emission);
}

const mc_look *mc_look_of_material(const mc_scene_builder *s, int32_t material)
{
    const mc_look *looks = s->looks.items;
    for (size_t i = 0; i < s->looks.count; i++) {
        if (looks[i].material == material)
            return &looks[i];
    }
    return NULL;
}

void mc_look_name_losses(mc_scene_builder *s, const mc_look *look, const mc_entity *entity)
{
    static const char *const what[] = {"colour", "roughness", "metallic", "emission"};
    for (size_t i = 0; i < RP_COUNT(what); i++) {
        for (uint32_t c = 0; look->lost[i] && c < entity->channel_count; c++) {
            const rp_text *name = &entity->channels[c].name;
            if (name->size == strlen(look->lost[i]) &&
                memcmp(name->data, look->lost[i], name->size) == 0)
                rp_scene_note_loss(s->scene, "material %s: what channel %s does to its %s",
                                   look->name, look->lost[i], what[i]);
        }
    }
}

void mc_look_paint(mc_mix mix, const double numbers[3], float ret_colour[4])
{
    for (size_t i = 0; i < 3; i++)
        ret_colour[i] = share(mix == MC_MIX_SOFT_LIGHT ? numbers[i] + 0.5 : numbers[i]);
    ret_colour[3] = 1;
}

/* A scene shows one texture per material: that of the colour. */
static void name_textures(mc_scene_builder *s, const mc_material *from, const mc_look *look)
{
    const struct {
        const mc_value *value;
        const char *what;
    } others[] = {{&from->roughness, "roughness"},
                  {&from->metallic, "metallic"},
                  {&from->normal, "normal"},
                  {&from->color2, "color2"}};
    for (size_t i = 0; i < RP_COUNT(others); i++) {
        if (others[i].value->texture.size)
            rp_scene_note_loss(s->scene, "material %s: its texture for %s", look->name,
                               others[i].what);
    }
    const rp_text *light = &from->emission.texture, *colour = &from->color.texture;
    if (light->size &&
        (light->size != colour->size || memcmp(light->data, colour->data, light->size) != 0))
        rp_scene_note_loss(s->scene, "material %s: its texture for emission", look->name);
}

static void take_material(mc_scene_builder *s, const mc_material *from, mc_look *look,
                          rp_material *to)
{
    const mc_picture *picture = is_block_colour(&from->color)
                                    ? NULL
                                    : picture_of(s, look->scope, &from->color.texture);
    to->texture = picture ? picture->number : -1;
    look->frame = picture ? picture->frame : 1;
    look->opaque = from->blend_mode == BLEND_OPAQUE;
    look->tinted = is_block_colour(&from->color) || is_block_colour(&from->color2);
    /* A missing texture is white. */
    bool plain = !from->color.texture.data && !is_block_colour(&from->color);
    to->colour[0] = plain ? share(from->color.x) : 1;
    to->colour[1] = plain ? share(from->color.y) : 1;
    to->colour[2] = plain ? share(from->color.z) : 1;
    to->rough = from->roughness.texture.data ? 1 : share(from->roughness.x);
    to->metal = from->metallic.texture.data ? 0 : share(from->metallic.x);
    bool glows = from->emission.texture.data || from->emission.x > 0 || from->emission.y > 0 ||
                 from->emission.z > 0;
    to->glow = glows ? share(from->emission_strength) : 0;
    bool textured = to->texture >= 0;
    to->cut_out = textured && from->blend_mode == BLEND_CLIP;
    to->blend = textured && (from->blend_mode == BLEND_BLEND || from->blend_mode == BLEND_HASHED);
    to->blend_name = from->blend_mode == BLEND_HASHED
                         ? rp_enum_name(&mc_blend_names, from->blend_mode)
                         : NULL;
    if (picture && textured) {
        to->frame_count = picture->frame_count;
        to->frame_rate = picture->frame_rate;
        to->frame_height = picture->frame;
    }
    name_textures(s, from, look);
    if (look->scope == MC_SCOPE_REPLAY)
        take_overrides(s, from, look, to);
}

static void make_look(mc_scene_builder *s, mc_look *look)
{
    const mc_archive *archive = archive_of(s, look->scope);
    rp_material to = {
        .name = look->name, .colour = {0.8f, 0.8f, 0.8f, 1}, .rough = 1, .texture = -1};
    mc_material from = {0};
    reprise_error unreadable = REPRISE_ERROR_INIT;
    int64_t entry = archive->zip
                        ? mc_find_member(archive, "mat/", look->name, strlen(look->name), ".json")
                        : -1;
    int64_t member = member_of_entry(&archive->materials, entry);
    if (member >= 0 && is_read(s,
                               mc_material_read(s->replay, archive, (size_t)member, &s->scratch,
                                                &from, &unreadable),
                               &unreadable))
        take_material(s, &from, look, &to);
    look->material = rp_scene_material(s->scene, &to);
}

uint32_t mc_look_of(mc_scene_builder *s, mc_scope scope, const char *name, size_t size)
{
    const mc_look *known = s->looks.items;
    for (size_t i = 0; i < s->looks.count; i++) {
        if (known[i].scope == scope && strlen(known[i].name) == size &&
            memcmp(known[i].name, name, size) == 0)
            return (uint32_t)i;
    }
    /* No real scene has thousands of materials: further ones look like the last. */
    if (s->looks.count == LOOKS_MAX)
        return LOOKS_MAX - 1;
    mc_look look = {.scope = scope, .frame = 1, .material = -1, .opaque = true};
    look.name = rp_arena_text(&s->scene->arena, name, size, s->scene->error);
    mc_look *to = look.name
                      ? rp_vector_add(s->scene->context, &s->looks, sizeof *to, s->scene->error)
                      : NULL;
    if (!to)
        return 0;
    make_look(s, &look);
    *to = look;
    return (uint32_t)(s->looks.count - 1);
}

bool mc_look_triangles(mc_scene_builder *s, const rp_obj *obj,
                       bool (*keep)(const rp_obj *, const rp_obj_face *, void *), void *ctx,
                       uint32_t look, rp_geometry *ret_geometry)
{
    rp_obj_triangles t = {0};
    if (rp_obj_triangulate(&s->scratch, obj, keep, ctx, &t, s->scene->error) != REPRISE_OK ||
        !t.index_count || look >= s->looks.count)
        return false;
    const mc_look *to = mc_look_at(s, look);
    for (size_t i = 0; t.uvs && i < t.vertex_count; i++)
        t.uvs[2 * i + 1] = (1 - t.uvs[2 * i + 1]) * to->frame;
    *ret_geometry = (rp_geometry){.mode = 4,
                                  .positions = (const rp_vec3 *)(const void *)t.positions,
                                  .normals = (const rp_vec3 *)(const void *)t.normals,
                                  .uvs = (const float(*)[2])(const void *)t.uvs,
                                  .count = t.vertex_count,
                                  .indices = t.indices,
                                  .index_count = t.index_count,
                                  .material = to->material};
    return true;
}
