/* read_materials.c - materials and textures: JSON and the heads of PNG files. */
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "mcreplay.h"
#include "whole.h"

static void warn(mc_replay *replay, const rp_finding_kind *kind, const char *stream,
                 const char *path, const char *message)
{
    rp_note(&replay->base.findings, kind, stream, 0, path, "%s", message);
}

static rp_text text_of(const reprise_value *value)
{
    rp_text text = {0};
    text.data = reprise_value_text(value, &text.size);
    return text;
}

static bool is_null(const reprise_value *value)
{
    return reprise_value_kind_of(value) == REPRISE_VALUE_NULL;
}

/* ---- materials ---- */

/* What reading one material needs. */
typedef struct looks {
    mc_replay *replay;
    const mc_archive *archive;
    const char *member;
    const reprise_value *document;
} looks;

static void check_texture(const looks *l, const char *attribute, rp_text id)
{
    if (mc_find_member(l->archive, "tex/", id.data, id.size, ".png") < 0 &&
        mc_find_member(l->archive, "tex/", id.data, id.size, ".json") < 0)
        warn(l->replay, MC_FINDING(TEXTURE_MISSING), l->member, attribute,
             "the texture is missing; white is used");
}

bool mc_read_triple(const reprise_value *value, double *to)
{
    for (size_t i = 0; i < 3; i++) {
        const reprise_value *one = rp_is_number(value) ? value : reprise_value_at(value, i);
        if (!rp_is_number(one))
            return false;
        to[i] = reprise_value_double(one, 0);
    }
    return rp_is_number(value) ||
           (reprise_value_kind_of(value) == REPRISE_VALUE_ARRAY && reprise_value_count(value) == 3);
}

uint32_t mc_pixel_of(const double *triple)
{
    uint32_t pixel = 0;
    for (size_t i = 0; i < 3; i++)
        pixel = pixel << 8 | rp_whole_u32(fmin(fmax(triple[i], 0), 1) * 255 + 0.5);
    return pixel;
}

/*
 * The value of an attribute. A texture that our writer made gives way to the colour it represents,
 * if that was kept and the texture is still ours.
 */
static const reprise_value *value_of(const looks *l, const char *attribute)
{
    const reprise_value *value = rp_get(l->document, attribute);
    const reprise_value *exact = rp_get(rp_get(l->document, MC_COLOURS_KEY), attribute);
    const char *texture = reprise_value_text(value, NULL);
    double triple[3];
    if (!texture || !mc_read_triple(exact, triple))
        return value;
    char own[32];
    snprintf(own, sizeof own, MC_COLOUR_TEXTURE, (unsigned)mc_pixel_of(triple));
    return strcmp(texture, own) == 0 ? exact : value;
}

/* A number, three numbers or a texture; anything else leaves the default. */
static void read_value(const looks *l, const char *attribute, double x, double y, double z,
                       mc_value *to)
{
    const reprise_value *value = value_of(l, attribute);
    *to = (mc_value){.x = x, .y = y, .z = z};
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_NULL:
        return;
    case REPRISE_VALUE_STRING:
        to->texture = text_of(value);
        check_texture(l, attribute, to->texture);
        return;
    case REPRISE_VALUE_INT:
    case REPRISE_VALUE_UINT:
    case REPRISE_VALUE_DOUBLE:
        to->x = to->y = to->z = reprise_value_double(value, 0);
        return;
    case REPRISE_VALUE_ARRAY:
        if (reprise_value_count(value) == 3) {
            to->x = reprise_value_double(reprise_value_at(value, 0), x);
            to->y = reprise_value_double(reprise_value_at(value, 1), y);
            to->z = reprise_value_double(reprise_value_at(value, 2), z);
            return;
        }
        break;
    default:
        break;
    }
    warn(l->replay, MC_FINDING(MATERIAL_VALUE), l->member, attribute,
         "neither a number, three numbers nor a texture; the default is used");
}

/* Names of modes, compared without case. */
static uint8_t read_mode(const looks *l, const char *attribute, const rp_enum *names,
                         uint8_t fallback)
{
    const reprise_value *value = rp_get(l->document, attribute);
    rp_text text = text_of(value);
    char lower[16] = "";
    for (size_t i = 0; text.data && i < text.size && i < sizeof lower - 1; i++)
        lower[i] = (char)(text.data[i] >= 'A' && text.data[i] <= 'Z' ? text.data[i] + 32
                                                                     : text.data[i]);
    int64_t number = fallback;
    if (!is_null(value) &&
        (text.size >= sizeof lower || !rp_enum_number(names, lower, strlen(lower), &number)))
        warn(l->replay, MC_FINDING(MATERIAL_MODE), l->member, attribute,
             "the mode is unknown; the default is used");
    return (uint8_t)number;
}

static void set_override(mc_material *m, const char *attribute, rp_text channel)
{
    const struct {
        const char *name;
        mc_value *value;
    } values[] = {
        {"color", &m->color},       {"color2", &m->color2}, {"roughness", &m->roughness},
        {"metallic", &m->metallic}, {"normal", &m->normal}, {"emission", &m->emission},
    };
    for (size_t i = 0; i < RP_COUNT(values); i++) {
        if (strcmp(values[i].name, attribute) == 0)
            values[i].value->override = channel;
    }
}

static void read_overrides(const looks *l, mc_material *m)
{
    static const rp_text vertex_color = {"$VERTEX_COLOR", 13};
    if (reprise_value_bool(rp_get(l->document, "useVertexColors"), false))
        set_override(m, "color2", vertex_color);
    const reprise_value *list = rp_get(l->document, "overrides");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        rp_text channel = text_of(reprise_value_at(list, i));
        const char *attribute = reprise_value_key(list, i);
        if (!channel.data || !attribute)
            continue;
        if (channel.size && channel.data[0] == '$' && strcmp(channel.data, vertex_color.data) != 0)
            warn(l->replay, MC_FINDING(OVERRIDE_RESERVED), l->member, attribute,
                 "names with '$' are reserved; the override is ignored");
        else
            set_override(m, attribute, channel);
    }
}

static reprise_status read_tags(const looks *l, rp_arena *arena, mc_material *m,
                                reprise_error *error)
{
    const reprise_value *tags = rp_get(l->document, "tags");
    size_t count = reprise_value_kind_of(tags) == REPRISE_VALUE_ARRAY ? reprise_value_count(tags)
                                                                      : 0;
    mc_name *names = rp_arena_array(arena, RP_MAX(count, 1), sizeof *names, error);
    for (size_t i = 0; names && i < count; i++)
        names[i].item = text_of(reprise_value_at(tags, i));
    m->tags = (rp_list){names, count};
    return error->status;
}

size_t mc_material_room(const rp_context *context)
{
    enum { GROWTH = 8 }; /* a byte may become an escape of six, and two quotes */
    return (size_t)RP_MIN(context->limits.material_bytes_max, (uint64_t)SIZE_MAX / 16) * GROWTH;
}

/* The document in one line, with numbers as stored. */
static reprise_status keep_source(const looks *l, rp_arena *arena, mc_material *m,
                                  reprise_error *error)
{
    static const rp_json_format format = {.exact_integers = true};
    rp_writer w;
    rp_writer_init(&w, arena->context, mc_material_room(arena->context), error);
    rp_json_write(&w, l->document, &format);
    if (rp_writer_ok(&w))
        m->source = (rp_text){rp_arena_text(arena, w.data, w.size, error), w.size};
    rp_writer_free(&w);
    return error->status;
}

static reprise_status parse_document(const mc_archive *archive, size_t entry, rp_arena *arena,
                                     reprise_value **ret_document, reprise_error *error)
{
    const char *text = NULL, *name = rp_zip_entry_at(archive->zip, entry)->name;
    size_t size = 0;
    RP_TRY(mc_read_member(archive, entry, arena, arena->context->limits.material_bytes_max,
                          "material_bytes", &text, &size, error));
    rp_doc doc = {.arena = arena, .error = error};
    RP_TRY(rp_json_parse(&doc, text, size, name, ret_document, NULL));
    if (reprise_value_kind_of(*ret_document) == REPRISE_VALUE_OBJECT)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_CORRUPT, "not a JSON object");
    rp_error_place(error, name, 0, "");
    return error->status;
}

reprise_status mc_material_document(const mc_archive *archive, size_t index, rp_arena *arena,
                                    reprise_value **ret_document, reprise_error *error)
{
    return parse_document(archive, archive->materials.items[index].entry, arena, ret_document,
                          error);
}

reprise_status mc_material_read(mc_replay *replay, const mc_archive *archive, size_t index,
                                rp_arena *arena, mc_material *ret_material, reprise_error *error)
{
    const mc_member *member = &archive->materials.items[index];
    reprise_value *document = NULL;
    RP_TRY(parse_document(archive, member->entry, arena, &document, error));
    looks l = {.replay = replay,
               .archive = archive,
               .member = rp_zip_entry_at(archive->zip, member->entry)->name,
               .document = document};
    mc_material m = {.scope = (uint8_t)archive->scope, .id = {member->id, strlen(member->id)}};
    read_value(&l, "color", 1, 1, 1, &m.color);
    read_value(&l, "color2", 1, 1, 1, &m.color2);
    read_value(&l, "roughness", 0.5, 0.5, 0.5, &m.roughness);
    read_value(&l, "metallic", 0, 0, 0, &m.metallic);
    read_value(&l, "normal", 0.5, 0.5, 1, &m.normal);
    read_value(&l, "emission", 0, 0, 0, &m.emission);
    m.emission_strength = reprise_value_double(rp_get(document, "emission_strength"), 1);
    bool transparent = reprise_value_bool(rp_get(document, "transparent"), false);
    m.blend_mode = read_mode(&l, "blend_mode", &mc_blend_names, transparent ? 2 : 0);
    m.color2_blend_mode = read_mode(&l, "color2_blend_mode", &mc_mix_names, 0);
    read_overrides(&l, &m);
    RP_TRY(read_tags(&l, arena, &m, error));
    RP_TRY(keep_source(&l, arena, &m, error));
    *ret_material = m;
    return REPRISE_OK;
}

/* ---- textures ---- */

static bool ends_with(const char *text, const char *suffix)
{
    size_t size = strlen(text), n = strlen(suffix);
    return size >= n && strcmp(text + size - n, suffix) == 0;
}

size_t mc_texture_id_size(const char *file)
{
    static const char *const suffixes[] = {"_spritesheet.png", ".png", ".json"};
    size_t size = strlen(file);
    for (size_t i = 0; i < RP_COUNT(suffixes); i++) {
        if (ends_with(file, suffixes[i]))
            return size - strlen(suffixes[i]);
    }
    return size;
}

static uint32_t big_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A PNG file piece by piece: its first bytes, and whether its chunks lead to the end. */
typedef struct png_walk {
    uint8_t head[24], chunk[8];
    size_t head_size, chunk_size;
    uint64_t skip; /* bytes of the signature or a chunk that are still to come */
    bool ends;
} png_walk;

static void walk_png(png_walk *w, const uint8_t *data, size_t size)
{
    size_t copied = RP_MIN(size, sizeof w->head - w->head_size);
    memcpy(w->head + w->head_size, data, copied);
    w->head_size += copied;
    for (size_t i = 0; i < size && !(w->ends && !w->skip);) {
        size_t skipped = (size_t)RP_MIN(w->skip, (uint64_t)(size - i));
        w->skip -= skipped;
        i += skipped;
        if (w->skip || i == size)
            return;
        w->chunk[w->chunk_size++] = data[i++];
        if (w->chunk_size < sizeof w->chunk)
            continue;
        w->ends = memcmp(w->chunk + 4, "IEND", 4) == 0;
        w->skip = (uint64_t)big_u32(w->chunk) + 4; /* and the checksum */
        w->chunk_size = 0;
    }
}

/* Reads all of an image, so that its checksum is compared before its size is believed. */
static reprise_status read_png(const mc_archive *archive, size_t entry, png_walk *ret_walk,
                               reprise_error *error)
{
    uint8_t piece[4096];
    size_t got = 1;
    rp_stream *stream = NULL;
    *ret_walk = (png_walk){.skip = 8};
    RP_TRY(mc_open_member(archive, entry, "zip", &stream, error));
    reprise_status status = REPRISE_OK;
    while (status == REPRISE_OK && got) {
        status = rp_stream_read(stream, piece, sizeof piece, &got, error);
        if (status == REPRISE_OK)
            walk_png(ret_walk, piece, got);
    }
    rp_stream_close(stream);
    return status;
}

static reprise_status read_animation(mc_replay *replay, const mc_archive *archive, size_t entry,
                                     rp_arena *arena, mc_texture *to, reprise_error *error)
{
    const char *name = rp_zip_entry_at(archive->zip, entry)->name;
    reprise_value *document = NULL;
    RP_TRY(parse_document(archive, entry, arena, &document, error));
    to->animation = (rp_text){name, strlen(name)};
    double rate = reprise_value_double(rp_get(document, "framerate"), 20);
    double count = reprise_value_double(rp_get(document, "frame_count"), 1);
    if (rate > 0 && isfinite(rate))
        to->framerate = rate;
    else
        warn(replay, MC_FINDING(TEXTURE_ANIMATION), name, "framerate", "not above 0; 20 is used");
    if (count >= 1 && count <= UINT32_MAX)
        to->frame_count = rp_whole_u32(count);
    else
        warn(replay, MC_FINDING(TEXTURE_ANIMATION), name, "frame_count", "not above 0; 1 is used");
    return REPRISE_OK;
}

static reprise_status read_image(mc_replay *replay, const mc_archive *archive, int64_t entry,
                                 mc_texture *to, reprise_error *error)
{
    if (entry < 0) {
        warn(replay, MC_FINDING(TEXTURE_MISSING), to->animation.data, to->id.data,
             "the image of an animated texture is missing");
        return REPRISE_OK;
    }
    const rp_zip_entry *info = rp_zip_entry_at(archive->zip, (size_t)entry);
    to->image = (rp_text){info->name, strlen(info->name)};
    to->size = info->size;
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    png_walk walk;
    RP_TRY(read_png(archive, (size_t)entry, &walk, error));
    bool png = walk.head_size == sizeof walk.head && memcmp(walk.head, magic, sizeof magic) == 0;
    if (png) {
        to->width = big_u32(walk.head + 16);
        to->height = big_u32(walk.head + 20);
    }
    if (!png)
        warn(replay, MC_FINDING(TEXTURE_PNG), info->name, "", "not a PNG file");
    else if (!walk.ends || walk.skip)
        warn(replay, MC_FINDING(TEXTURE_PNG), info->name, "", "the PNG file has no end");
    else if (to->frame_count > 1 && to->height % to->frame_count)
        warn(replay, MC_FINDING(TEXTURE_HEIGHT), info->name, "",
             "the height is not a multiple of the number of frames");
    return REPRISE_OK;
}

/*
 * Whether a member is a texture of its own: not the sheet of an animated one, which its description
 * represents. Gives the length of its id and the entry with the pixels, -1 if there is none.
 */
static bool find_texture(const mc_archive *archive, const mc_member *member, size_t *ret_id_size,
                         int64_t *ret_image)
{
    static const char sheet[] = "_spritesheet.png";
    const char *file = member->id;
    size_t size = strlen(file);
    if (ends_with(file, ".json")) {
        *ret_id_size = size - 5;
        *ret_image = mc_find_member(archive, "tex/", file, size - 5, sheet);
        if (*ret_image < 0)
            *ret_image = mc_find_member(archive, "tex/", file, size - 5, ".png");
        return true;
    }
    if (!ends_with(file, ".png"))
        return false;
    size_t base = ends_with(file, sheet) ? size - (sizeof sheet - 1) : 0;
    *ret_id_size = size - 4;
    *ret_image = (int64_t)member->entry;
    bool described = mc_find_member(archive, "tex/", file, size - 4, ".json") >= 0;
    return !(base && mc_find_member(archive, "tex/", file, base, ".json") >= 0) &&
           !(described && mc_find_member(archive, "tex/", file, size - 4, sheet) < 0);
}

size_t mc_texture_count(const mc_archive *archive)
{
    size_t count = 0, id_size;
    int64_t image;
    for (size_t i = 0; i < archive->textures.count; i++)
        count += find_texture(archive, &archive->textures.items[i], &id_size, &image);
    return count;
}

reprise_status mc_texture_read(mc_replay *replay, const mc_archive *archive, size_t index,
                               rp_arena *arena, mc_texture *ret_texture, reprise_error *error)
{
    const mc_member *member = &archive->textures.items[index];
    mc_texture t = {.scope = (uint8_t)archive->scope, .framerate = 20, .frame_count = 1};
    int64_t image = -1;
    if (!find_texture(archive, member, &t.id.size, &image))
        return REPRISE_END;
    t.id.data = rp_arena_text(arena, member->id, t.id.size, error);
    if (!t.id.data)
        return error->status;
    if (ends_with(member->id, ".json"))
        RP_TRY(read_animation(replay, archive, member->entry, arena, &t, error));
    RP_TRY(read_image(replay, archive, image, &t, error));
    *ret_texture = t;
    return REPRISE_OK;
}
