/*
 * scene_looks.c - materials and textures of scenes and worlds, as a scene takes them.
 *
 * A scene has one colour texture per material, so what changes while it plays (override channels,
 * frames of animated textures) shows as it is at the start. Dithered transparency becomes an edge
 * at half, because glTF has nothing between that and blending, which needs sorting.
 */
#include <math.h>

#include "stage.h"

enum { LOOKS_MAX = 4096, TEXTURE_BYTES_MAX = 64 << 20 };

/* Numbers of mc_blend_names. */
enum { BLEND_OPAQUE, BLEND_CLIP, BLEND_HASHED, BLEND_BLEND };

static const mc_archive *archive_of(const mc_show *s, mc_scope scope)
{
    return scope == MC_SCOPE_WORLD ? &s->replay->inner : &s->replay->outer;
}

/* Members are listed as they stand in the archive. */
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

/* Looks that cannot be read are left out, but not because there is no memory. */
static bool is_read(mc_show *s, reprise_status status, const reprise_error *failure)
{
    if (rp_our_trouble(s->scene->context, status) && s->scene->error->status == REPRISE_OK)
        *s->scene->error = *failure;
    return status == REPRISE_OK;
}

static int64_t texture_member(const mc_archive *archive, const rp_text *id)
{
    int64_t entry = mc_find_member(archive, "tex/", id->data, id->size, ".json");
    if (entry < 0)
        entry = mc_find_member(archive, "tex/", id->data, id->size, ".png");
    return member_of_entry(&archive->textures, entry);
}

static void read_picture(mc_show *s, const mc_archive *archive, size_t member, mc_picture *to)
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
    if (texture.animation.data && height)
        to->frame = (float)height / (float)texture.height;
    to->number = rp_scene_picture(s->scene, texture.id.data, "image/png", data, size, true);
}

/* The picture of a texture, which is read once; NULL if there is none. */
static const mc_picture *picture_of(mc_show *s, mc_scope scope, const rp_text *id)
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

static void take_material(mc_show *s, const mc_material *from, mc_look *look, rp_material *to)
{
    const mc_picture *picture = is_block_colour(&from->color)
                                    ? NULL
                                    : picture_of(s, look->scope, &from->color.texture);
    to->texture = picture ? picture->number : -1;
    look->frame = picture ? picture->frame : 1;
    look->opaque = from->blend_mode == BLEND_OPAQUE;
    look->tinted = is_block_colour(&from->color) || is_block_colour(&from->color2);
    /* What a texture that is not there would have covered is white. */
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
    to->cut_out = textured && (from->blend_mode == BLEND_CLIP || from->blend_mode == BLEND_HASHED);
    to->blend = textured && from->blend_mode == BLEND_BLEND;
}

static void make_look(mc_show *s, mc_look *look)
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

uint32_t mc_look_of(mc_show *s, mc_scope scope, const char *name, size_t size)
{
    const mc_look *known = s->looks.items;
    for (size_t i = 0; i < s->looks.count; i++) {
        if (known[i].scope == scope && strlen(known[i].name) == size &&
            memcmp(known[i].name, name, size) == 0)
            return (uint32_t)i;
    }
    /* Nobody has thousands of materials: what is beyond looks like the last one. */
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

bool mc_look_triangles(mc_show *s, const rp_obj *obj,
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
                                  .places = (const rp_vec3 *)(const void *)t.positions,
                                  .normals = (const rp_vec3 *)(const void *)t.normals,
                                  .uvs = (const float(*)[2])(const void *)t.uvs,
                                  .count = t.vertex_count,
                                  .indices = t.indices,
                                  .index_count = t.index_count,
                                  .material = to->material};
    return true;
}
