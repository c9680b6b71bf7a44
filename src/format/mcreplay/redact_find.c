/*
 * redact_find.c - finds private data in a scene, by value: names, skins, the place, and foreign
 * data in images and documents.
 */
#include "private.h"

#include "json.h"
#include "png.h"
#include "write.h"

enum {
    LOOK_ENTITIES = 512,  /* the most that a quick look reads */
    LOOK_BYTES = 4 << 20, /* of images, likewise */
    FRAMES_BYTES = 1 << 16,
};

static bool ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && memcmp(text + n - m, suffix, m) == 0;
}

/* ---- textures ---- */

bool mc_is_texture(const char *name)
{
    return ends_with(name, ".png") || ends_with(name, ".json");
}

/* The document of an animated texture has two numbers. */
static bool is_frame_number(const char *key, const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    return (strcmp(key, "framerate") == 0 || strcmp(key, "frame_count") == 0) &&
           kind != REPRISE_VALUE_STRING && kind != REPRISE_VALUE_ARRAY &&
           kind != REPRISE_VALUE_OBJECT;
}

static void print_frames(rp_doc *doc, rp_writer *w, const reprise_value *from)
{
    static const rp_json_format format = {.exact_integers = true};
    reprise_value *to = rp_new_object(doc);
    for (size_t i = 0; i < reprise_value_count(from); i++) {
        const char *key = reprise_value_key(from, i); /* NULL in an array */
        if (key && is_frame_number(key, reprise_value_at(from, i)))
            rp_set(doc, to, key, rp_copy(doc, reprise_value_at(from, i)));
    }
    rp_json_write(w, to, &format);
}

static reprise_status plain_frames(rp_context *context, const char *name, rp_stream *from,
                                   rp_stream **ret_stream, reprise_error *error)
{
    uint8_t *data = NULL;
    size_t size = 0;
    RP_TRY(rp_stream_read_all(from, FRAMES_BYTES, "text_bytes", &data, &size, error));
    rp_arena arena;
    rp_arena_init(&arena, context);
    rp_doc doc = {.arena = &arena, .error = error};
    rp_writer w;
    rp_writer_init(&w, context, SIZE_MAX / 2, error);
    reprise_value *frames = NULL;
    if (rp_json_parse(&doc, (const char *)data, size, name, &frames, NULL) == REPRISE_OK)
        print_frames(&doc, &w, frames);
    rp_arena_free(&arena);
    rp_free(context, data, size);
    uint8_t *text = rp_writer_ok(&w) ? rp_alloc(context, w.size, error) : NULL;
    size_t text_size = w.size;
    if (text)
        memcpy(text, w.data, w.size);
    rp_writer_free(&w);
    return text ? rp_stream_open_owned(context, text, text_size, name, ret_stream, error)
                : error->status;
}

reprise_status mc_plain_texture(rp_context *context, const char *name, rp_stream *from,
                                rp_stream **ret_stream, reprise_error *error)
{
    return ends_with(name, ".json") ? plain_frames(context, name, from, ret_stream, error)
                                    : rp_png_plain(context, from, ret_stream, error);
}

static bool frames_have_more(const mc_archive *archive, size_t entry, rp_context *context,
                             reprise_error *error)
{
    rp_arena arena;
    rp_doc doc = {.arena = &arena, .error = error};
    const char *name = rp_zip_entry_at(archive->zip, entry)->name, *text = NULL;
    reprise_value *frames = NULL;
    size_t size = 0;
    bool more = false;
    rp_arena_init(&arena, context);
    if (mc_read_member(archive, entry, &arena, FRAMES_BYTES, "text_bytes", &text, &size, error) ==
            REPRISE_OK &&
        rp_json_parse(&doc, text, size, name, &frames, NULL) == REPRISE_OK) {
        more = reprise_value_kind_of(frames) != REPRISE_VALUE_OBJECT;
        for (size_t i = 0; i < reprise_value_count(frames); i++)
            more = more ||
                   !is_frame_number(reprise_value_key(frames, i), reprise_value_at(frames, i));
    }
    rp_arena_free(&arena);
    return more;
}

/* Whether a texture holds more than an image: its plain form has a different size. */
static bool has_more(const mc_archive *archive, size_t entry, rp_context *context,
                     reprise_error *error)
{
    const rp_zip_entry *about = rp_zip_entry_at(archive->zip, entry);
    if (ends_with(about->name, ".json"))
        return frames_have_more(archive, entry, context, error);
    rp_stream *stream = NULL, *plain = NULL;
    uint8_t piece[4096];
    uint64_t size = 0;
    size_t n = 1;
    reprise_status status = mc_open_member(archive, entry, about->name, &stream, error);
    if (status == REPRISE_OK)
        status = mc_plain_texture(context, about->name, stream, &plain, error);
    while (status == REPRISE_OK && n) {
        status = rp_stream_read(plain, piece, sizeof piece, &n, error);
        size += n;
    }
    /* The image may end before its member, whose checksum comes last. */
    for (n = 1; status == REPRISE_OK && n;)
        status = rp_stream_read(stream, piece, sizeof piece, &n, error);
    rp_stream_close(plain);
    rp_stream_close(stream);
    return status == REPRISE_OK && size != about->size;
}

static void look_at_textures(const mc_archive *archive, rp_context *context, rp_private *found,
                             reprise_error *error)
{
    uint64_t bytes = 0;
    for (size_t i = 0; archive->zip && i < archive->textures.count; i++) {
        size_t entry = archive->textures.items[i].entry;
        const rp_zip_entry *about = rp_zip_entry_at(archive->zip, entry);
        if (!mc_is_texture(about->name)) {
            rp_private_add(found, RP_PRIVATE_CONTENT, "unknown files", 1);
            continue;
        }
        bytes += about->size;
        if (found->quick && bytes > LOOK_BYTES) {
            found->incomplete = true;
            return;
        }
        reprise_error damage = REPRISE_ERROR_INIT;
        rp_private_add(found, RP_PRIVATE_CONTENT, "pictures with texts or other data",
                       has_more(archive, entry, context, &damage));
        (void)rp_private_add_unread(found, &damage, error);
    }
    rp_private_add_unproven(found, RP_PRIVATE_LOOKS, "pictures", "no program knows what they show",
                            false, archive->zip ? archive->textures.count : 0);
}

/* ---- materials and meta.json ---- */

static void look_at_materials(const mc_archive *archive, rp_context *context, rp_private *found,
                              reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, context);
    for (size_t i = 0; archive->zip && i < archive->materials.count; i++) {
        if (found->quick && i >= LOOK_ENTITIES) {
            found->incomplete = true;
            break;
        }
        reprise_value *document = NULL;
        reprise_error damage = REPRISE_ERROR_INIT;
        rp_arena_reset(&arena);
        if (mc_material_document(archive, i, &arena, &document, &damage) != REPRISE_OK) {
            (void)rp_private_add_unread(found, &damage, error);
            continue;
        }
        for (size_t k = 0; k < reprise_value_count(document); k++)
            rp_private_add(
                found, RP_PRIVATE_CONTENT, "tags and unknown keys of materials",
                mc_is_foreign_key(reprise_value_key(document, k), reprise_value_at(document, k)));
    }
    rp_arena_free(&arena);
}

static void look_at_about(const reprise_value *about, rp_private *found)
{
    static const char *const known[] = {"version", "encoder",    "offset",
                                        "origin",  "blockTypes", "faceLayers"};
    const char *encoder = rp_get_text(about, "encoder");
    rp_private_add(found, RP_PRIVATE_IDS, "encoder",
                   encoder && *encoder && strcmp(encoder, "Reprise") != 0);
    for (size_t i = 0; i < reprise_value_count(about); i++) {
        bool ours = false;
        for (size_t k = 0; k < RP_COUNT(known); k++)
            ours = ours || strcmp(known[k], reprise_value_key(about, i)) == 0;
        rp_private_add(found, RP_PRIVATE_EXTENSIONS, "unknown members of meta.json", !ours);
    }
}

/* ---- entities ---- */

static void look_at_name(const mc_entity_row *row, const char *id, rp_private *found)
{
    bool player = mc_is_player(row);
    const char *stand_in = player ? "Player" : "Entity";
    bool own = !mc_is_kind_name(row) && row->name.size &&
               !rp_is_substitute(row->name.data, row->name.size, stand_in);
    rp_private_add(found, RP_PRIVATE_NAMES, player ? "player names" : "names of entities", own);
    rp_private_add(found, RP_PRIVATE_NAMES, "names of members",
                   !own && strcmp(id, row->name.data) != 0 &&
                       !rp_is_substitute(id, strlen(id), stand_in));
    rp_private_add(found, RP_PRIVATE_CONTENT, "custom classes", mc_is_typed_class(&row->class));
    static const char ours[] = "minecraft:";
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "classes of mods",
                            "content, not people, as far as a program can tell", false,
                            row->class.size && !mc_is_typed_class(&row->class) &&
                                strncmp(row->class.data, ours, sizeof ours - 1) != 0);
}

static void look_at_parts(const mc_entity *entity, rp_private *found)
{
    uint64_t odd = 0;
    for (uint32_t i = 0; i < entity->part_count; i++)
        odd += entity->parts[i].name.size &&
               !rp_is_identifier(entity->parts[i].name.data, entity->parts[i].name.size);
    for (uint32_t i = 0; i < entity->channel_count; i++)
        odd += entity->channels[i].name.size &&
               !rp_is_identifier(entity->channels[i].name.data, entity->channels[i].name.size);
    rp_private_add_unproven(found, RP_PRIVATE_CONTENT, "names of parts and channels",
                            "not simple identifiers", true, odd);
}

static reprise_status look_at_entities(rp_plan *plan, rp_private *found, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)plan->source;
    for (size_t i = 0; i < replay->outer.entities.count; i++) {
        mc_entity_reader *reader = NULL;
        reprise_error damage = REPRISE_ERROR_INIT;
        if (found->quick && i >= LOOK_ENTITIES) {
            found->incomplete = true;
            break;
        }
        if (mc_entity_open_head(replay, i, &reader, &damage) != REPRISE_OK) {
            RP_TRY(rp_private_add_unread(found, &damage, error));
            continue;
        }
        const mc_entity *entity = mc_entity_of(reader);
        look_at_name(&entity->row, replay->outer.entities.items[i].id, found);
        look_at_parts(entity, found);
        reprise_status status = mc_survey_entity(plan, entity);
        mc_entity_close(reader);
        RP_TRY(status);
    }
    return REPRISE_OK;
}

/* ---- skins ---- */

/* The grey pixel that replaces a skin, under its new name. */
static bool is_neutral_skin(const mc_archive *archive, const char *id, rp_arena *arena)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    const char *text = NULL;
    size_t size = 0;
    if (strncmp(id, "skin/", 5) != 0)
        return false;
    int64_t member = mc_find_member(archive, "tex/", id, strlen(id), ".png");
    if (member < 0)
        return mc_find_member(archive, "tex/", id, strlen(id), ".json") < 0;
    if (mc_read_member(archive, (size_t)member, arena, 256, "text_bytes", &text, &size, &ignored) !=
        REPRISE_OK)
        return false;
    rp_writer w;
    rp_writer_init(&w, arena->context, 256, &ignored);
    mc_put_pixel(&w, MC_NEUTRAL);
    bool same = rp_writer_ok(&w) && w.size == size && memcmp(w.data, text, size) == 0;
    rp_writer_free(&w);
    return same;
}

static uint64_t count_fetched(const mc_members *list)
{
    uint64_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += mc_is_fetched(list->items[i].id);
    return count;
}

static reprise_status look_at_skins(rp_plan *plan, rp_private *found, reprise_error *error)
{
    const mc_replay *replay = (const mc_replay *)plan->source;
    reprise_error damage = REPRISE_ERROR_INIT;
    plan->doc.error = &damage;
    if (mc_survey_skins(plan, &damage) != REPRISE_OK)
        (void)rp_private_add_unread(found, &damage, error);
    const char *id;
    for (size_t i = 0; (id = mc_survey_skin(plan, i)); i++)
        rp_private_add(found, RP_PRIVATE_LOOKS, "skins",
                       !is_neutral_skin(&replay->outer, id, &plan->arena));
    rp_private_add(found, RP_PRIVATE_LOOKS, "skins of the world",
                   count_fetched(&replay->inner.textures) +
                       count_fetched(&replay->inner.materials));
    return error->status;
}

/* ---- all of it ---- */

static uint64_t count_others(const rp_replay *replay)
{
    uint64_t others = 0;
    for (size_t i = 0; i < replay->blob_count; i++) {
        const char *name = replay->blobs[i].name;
        others += strcmp(replay->blobs[i].kind, "other") == 0 && *name &&
                  name[strlen(name) - 1] != '/';
    }
    return others;
}

reprise_status mc_private_header(rp_replay *base, rp_private *found, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    rp_plan plan = {.source = base};
    rp_arena_init(&plan.arena, base->context);
    rp_arena_init(&plan.scratch, base->context);
    plan.doc = (rp_doc){.arena = &plan.arena, .error = error};
    reprise_error damage = REPRISE_ERROR_INIT;
    if (replay->has_world && mc_open_world(replay, &damage) != REPRISE_OK)
        (void)rp_private_add_unread(found, &damage, error);
    if (error->status == REPRISE_OK && mc_survey_begin(&plan, error) == REPRISE_OK &&
        look_at_entities(&plan, found, error) == REPRISE_OK)
        (void)look_at_skins(&plan, found, error);
    mc_plan_free(&plan);
    rp_arena_free(&plan.scratch);
    rp_arena_free(&plan.arena);
    RP_TRY(error->status);
    look_at_about(replay->outer.about, found);
    look_at_about(replay->inner.about, found);
    rp_private_add(found, RP_PRIVATE_ADDRESSES, "place in the world",
                   replay->offset[0] != 0 || replay->offset[1] != 0 || replay->offset[2] != 0);
    rp_private_add(found, RP_PRIVATE_CONTENT, "unknown files", count_others(base));
    look_at_materials(&replay->outer, base->context, found, error);
    look_at_materials(&replay->inner, base->context, found, error);
    look_at_textures(&replay->outer, base->context, found, error);
    look_at_textures(&replay->inner, base->context, found, error);
    return error->status;
}
