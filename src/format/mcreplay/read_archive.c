/*
 * read_archive.c - the members of a .replay and of the .vcap in it, and their meta.json.
 *
 * Entities have the order of the central directory. The last of several members with one name
 * counts. A name that would leave the directory refuses the file.
 */
#include <math.h>

#include "json.h"
#include "mcreplay.h"

/* ---- names ---- */

/* Absolute, with a drive, or with ".." between separators of either kind. */
static bool name_climbs(const char *name)
{
    bool letter = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
    if (name[0] == '/' || name[0] == '\\' || (letter && name[1] == ':'))
        return true;
    for (const char *part = name;; part++) {
        size_t size = strcspn(part, "/\\");
        if (size == 2 && part[0] == '.' && part[1] == '.')
            return true;
        part += size;
        if (!*part)
            return false;
    }
}

/* The id in folder + id + suffix, or NULL if the name does not have this form. */
static const char *id_of(rp_arena *arena, const char *name, const char *folder, const char *suffix,
                         reprise_error *error)
{
    size_t size = strlen(name), front = strlen(folder), back = strlen(suffix);
    if (size <= front + back || strncmp(name, folder, front) != 0 ||
        strcmp(name + size - back, suffix) != 0 || name[size - 1] == '/')
        return NULL;
    return rp_arena_text(arena, name + front, size - front - back, error);
}

int64_t mc_find_member(const mc_archive *archive, const char *folder, const char *id,
                       size_t id_size, const char *suffix)
{
    char name[1024];
    size_t front = strlen(folder), back = strlen(suffix);
    if (front + id_size + back >= sizeof name)
        return -1;
    memcpy(name, folder, front);
    memcpy(name + front, id, id_size);
    memcpy(name + front + id_size, suffix, back + 1);
    return rp_zip_find_last(archive->zip, name);
}

/* ---- members ---- */

reprise_status mc_open_member(const mc_archive *archive, size_t entry, const char *name,
                              rp_stream **ret_stream, reprise_error *error)
{
    /* No limit on expansion: an entity that never moves compresses to almost nothing. */
    return rp_zip_open_whole_entry(archive->zip, entry, name, 0, ret_stream, error);
}

reprise_status mc_open_member_head(const mc_archive *archive, size_t entry, const char *name,
                                   rp_stream **ret_stream, reprise_error *error)
{
    return rp_zip_open_entry(archive->zip, entry, name, 0, ret_stream, error);
}

reprise_status mc_read_member(const mc_archive *archive, size_t entry, rp_arena *arena,
                              uint64_t max, const char *limit, const char **ret_text,
                              size_t *ret_size, reprise_error *error)
{
    const rp_zip_entry *info = rp_zip_entry_at(archive->zip, entry);
    rp_stream *stream = NULL;
    reprise_status status = rp_limit(info->size, max, "size of a member", limit, error);
    if (status == REPRISE_OK)
        status = mc_open_member(archive, entry, "zip", &stream, error);
    uint8_t *data = NULL;
    size_t size = 0;
    if (status == REPRISE_OK)
        status = rp_stream_read_all(stream, max, limit, &data, &size, error);
    rp_stream_close(stream);
    const char *text = NULL;
    if (status == REPRISE_OK) {
        text = rp_arena_text(arena, data, size, error);
        status = error->status;
        rp_free(arena->context, data, size);
    }
    if (status != REPRISE_OK) {
        rp_error_place(error, "zip", 0, "");
        rp_error_at(error, "%s", info->name);
        return status;
    }
    *ret_text = text;
    *ret_size = size;
    return REPRISE_OK;
}

/* Marks entries hidden by a later one of the same name. */
static bool *find_hidden(mc_archive *archive, rp_arena *arena, reprise_error *error)
{
    size_t count = rp_zip_count(archive->zip);
    bool *hidden = rp_arena_array(arena, RP_MAX(count, 1), sizeof *hidden, error);
    int64_t *last = rp_arena_array(arena, RP_MAX(count, 1), sizeof *last, error);
    if (!hidden || !last)
        return NULL;
    for (size_t i = 0; i < count; i++)
        last[i] = -1;
    for (size_t i = 0; i < count; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(archive->zip, i);
        int64_t first = rp_zip_find(archive->zip, entry->name);
        if (entry->duplicate && first >= 0 && last[first] >= 0) {
            hidden[last[first]] = true;
            archive->duplicates++;
            archive->duplicate = entry->name;
        }
        if (first >= 0)
            last[first] = (int64_t)i;
    }
    return hidden;
}

static reprise_status add_member(rp_arena *arena, mc_members *members, size_t capacity,
                                 size_t entry, const char *id, reprise_error *error)
{
    if (!members->items)
        members->items = rp_arena_array(arena, capacity, sizeof *members->items, error);
    if (!members->items)
        return error->status;
    members->items[members->count++] = (mc_member){.entry = entry, .id = id};
    return REPRISE_OK;
}

/* Adds an entry to the list it belongs to. */
static reprise_status sort_entry(mc_archive *archive, rp_arena *arena, size_t index,
                                 reprise_error *error)
{
    const char *name = rp_zip_entry_at(archive->zip, index)->name;
    size_t capacity = rp_zip_count(archive->zip);
    bool world = archive->scope == MC_SCOPE_WORLD;
    const struct {
        const char *folder, *suffix;
        mc_members *members;
    } kinds[] = {
        {world ? "mesh/" : "entities/", world ? ".obj" : ".xml",
         world ? &archive->meshes : &archive->entities},
        {"mat/", ".json", &archive->materials},
        {"tex/", "", &archive->textures},
    };
    if (strcmp(name, "meta.json") == 0)
        archive->meta = (int64_t)index;
    else if (strcmp(name, world ? "world.dat" : "world.vcap") == 0)
        archive->world = (int64_t)index;
    for (size_t k = 0; k < RP_COUNT(kinds); k++) {
        const char *id = id_of(arena, name, kinds[k].folder, kinds[k].suffix, error);
        if (id)
            return add_member(arena, kinds[k].members, capacity, index, id, error);
    }
    return error->status;
}

static reprise_status refuse_name(const char *name, reprise_error *error)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "the name of a member points outside the archive");
    rp_error_place(error, "zip", 0, name);
    return error->status;
}

static reprise_status list_members(mc_archive *archive, rp_arena *arena, reprise_error *error)
{
    archive->meta = archive->world = -1;
    bool *hidden = find_hidden(archive, arena, error);
    if (!hidden)
        return error->status;
    for (size_t i = 0; i < rp_zip_count(archive->zip); i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(archive->zip, i);
        if (name_climbs(entry->name))
            return refuse_name(entry->name, error);
        if (!hidden[i])
            RP_TRY(sort_entry(archive, arena, i, error));
    }
    return REPRISE_OK;
}

/* ---- meta.json ---- */

static reprise_status read_about(mc_archive *archive, rp_arena *arena, reprise_error *error)
{
    const char *text = NULL;
    size_t size = 0;
    RP_TRY(mc_read_member(archive, (size_t)archive->meta, arena,
                          arena->context->limits.text_bytes_max, "text_bytes", &text, &size,
                          error));
    rp_doc doc = {.arena = arena, .error = error};
    reprise_value *about = NULL;
    RP_TRY(rp_json_parse(&doc, text, size, "zip:meta.json", &about, NULL));
    if (reprise_value_kind_of(about) != REPRISE_VALUE_OBJECT) {
        rp_error_set(error, REPRISE_E_CORRUPT, "not a JSON object");
        rp_error_place(error, "zip:meta.json", 0, "");
        return error->status;
    }
    archive->about = about;
    return REPRISE_OK;
}

static reprise_status read_offset(mc_replay *replay, const reprise_value *value, const char *key,
                                  reprise_error *error)
{
    bool good = reprise_value_kind_of(value) == REPRISE_VALUE_ARRAY &&
                reprise_value_count(value) == 3;
    for (size_t i = 0; good && i < 3; i++) {
        const reprise_value *number = reprise_value_at(value, i);
        double v = reprise_value_double(number, 0);
        good = rp_is_number(number) && isfinite(v);
        replay->offset[i] = v;
    }
    if (good)
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_CORRUPT, "not three numbers");
    rp_error_place(error, "zip:meta.json", value->offset, key);
    return error->status;
}

/* The specification calls the offset "origin"; no known writer does. */
static reprise_status find_offset(mc_replay *replay, reprise_error *error)
{
    const reprise_value *about = replay->outer.about;
    const reprise_value *offset = rp_get(about, "offset"), *origin = rp_get(about, "origin");
    rp_findings *findings = &replay->base.findings;
    if (offset)
        return read_offset(replay, offset, "offset", error);
    if (origin) {
        rp_note(findings, MC_FINDING(ORIGIN), "zip:meta.json", origin->offset, "origin",
                "'origin' is read as 'offset'");
        return read_offset(replay, origin, "origin", error);
    }
    /* Files before 0.2.1 have none. */
    const char *version = rp_get_text(about, "version");
    bool old = !version || strncmp(version, "0.1", 3) == 0 || strcmp(version, "0.2.0") == 0;
    rp_note_as(findings, MC_FINDING(NO_OFFSET), old ? REPRISE_NOTE : REPRISE_WARNING,
               "zip:meta.json", 0, "offset", "there is no offset; 0, 0, 0 is used");
    return REPRISE_OK;
}

static const char *const versions[] = {"0.1.0", "0.2.0", "0.2.1", "0.3.0"};

/* The layout is the version; an unknown one is read as the nearest known version. */
static const char *layout_of(mc_replay *replay, const mc_archive *archive)
{
    rp_findings *findings = &replay->base.findings;
    const char *version = rp_get_text(archive->about, "version");
    for (size_t i = 0; version && i < RP_COUNT(versions); i++) {
        if (strcmp(version, versions[i]) == 0)
            return versions[i];
    }
    if (version) {
        rp_note(findings, MC_FINDING(VERSION), "zip:meta.json", 0, "version",
                "version %.32s is unknown; read as 0.3.0", version);
        return "0.3.0";
    }
    if (replay->alone && !archive->about)
        return "vcap";
    rp_note(findings, MC_FINDING(VERSION), "zip:meta.json", 0, "version",
            "there is no version; read as 0.1.0");
    return "0.1.0";
}

bool mc_member_is_complete(const mc_archive *archive, size_t entry)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    reprise_status status = mc_open_member(archive, entry, "zip", &stream, &damage);
    if (status == REPRISE_OK)
        status = rp_stream_check(stream, &damage);
    rp_stream_close(stream);
    return status == REPRISE_OK;
}

/* ---- opening ---- */

static const char *kind_of(const mc_replay *replay, const char *name)
{
    static const struct {
        const char *start, *kind;
    } kinds[] = {
        {"meta.json", "manifest"}, {"world.", "world"},  {"entities/", "entity"},
        {"mesh/", "mesh"},         {"mat/", "material"}, {"tex/", "texture"},
    };
    RP_UNUSED(replay);
    for (size_t i = 0; i < RP_COUNT(kinds); i++) {
        if (strncmp(name, kinds[i].start, strlen(kinds[i].start)) == 0)
            return kinds[i].kind;
    }
    return "other";
}

static reprise_status list_blobs(mc_replay *replay, reprise_error *error)
{
    rp_replay *base = &replay->base;
    size_t count = rp_zip_count(base->zip);
    base->blobs = rp_arena_array(&base->arena, RP_MAX(count, 1), sizeof *base->blobs, error);
    if (!base->blobs)
        return error->status;
    base->blob_count = count;
    for (size_t i = 0; i < count; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(base->zip, i);
        base->blobs[i] = (reprise_blob){.name = entry->name,
                                        .kind = kind_of(replay, entry->name),
                                        .size = entry->size,
                                        .stored_size = entry->stored_size};
    }
    return REPRISE_OK;
}

static reprise_status missing(const char *what, reprise_error *error)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "%s is missing", what);
    rp_error_place(error, "zip", 0, what);
    return error->status;
}

static void note_duplicates(mc_replay *replay, const mc_archive *archive)
{
    if (archive->duplicates)
        rp_note(&replay->base.findings, MC_FINDING(DUPLICATE), "zip", 0, archive->duplicate,
                "%zu members have the name of a later one, which is used", archive->duplicates);
}

bool mc_is_damage(reprise_status status)
{
    return status == REPRISE_E_CORRUPT || status == REPRISE_E_TRUNCATED ||
           status == REPRISE_E_CHECKSUM;
}

/* Reads the world as far as possible; REPRISE_END if it is complete. */
static reprise_status try_world(mc_replay *replay, uint32_t *ret_whole, reprise_error *damage)
{
    mc_world_reader *reader = NULL;
    mc_world_piece piece = {0};
    reprise_status status = mc_world_open(replay, &reader, damage);
    while (status == REPRISE_OK) {
        status = mc_world_next(reader, &piece, damage);
        *ret_whole += status == REPRISE_OK && piece.about;
    }
    mc_world_close(reader);
    return status;
}

/* Counts the complete frames of the world; false if not even the first one is. */
static bool salvage_world(mc_replay *replay, reprise_error *ret_damage)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    uint32_t whole = 0;
    replay->world_whole = UINT32_MAX;
    reprise_status status = try_world(replay, &whole, &damage);
    if (status != REPRISE_END)
        replay->world_cut = damage;
    if (replay->world_cut.status == REPRISE_OK)
        return true;
    const reprise_error *cut = &replay->world_cut;
    replay->world_whole = whole;
    bool some = whole && (status == REPRISE_END || mc_is_damage(status));
    if (some)
        rp_note(&replay->base.findings, MC_FINDING(LOST_WORLD_FRAMES), cut->stream, cut->offset,
                cut->path, "frames of the world from %u on are lost: %s", whole, cut->message);
    else
        rp_note(&replay->base.findings, MC_FINDING(LOST_WORLD), cut->stream, cut->offset, cut->path,
                "the world is lost: %s", cut->message);
    if (!some)
        *ret_damage = *cut;
    return some;
}

static reprise_status open_alone(mc_replay *replay, reprise_error *error)
{
    mc_archive *inner = &replay->inner;
    *inner = (mc_archive){.zip = replay->base.zip, .scope = MC_SCOPE_WORLD};
    replay->has_world = replay->world_tried = true;
    RP_TRY(list_members(inner, &replay->base.arena, error));
    if (inner->world < 0)
        return missing("world.dat", error);
    if (inner->meta >= 0 &&
        (!replay->base.salvage || mc_member_is_complete(inner, (size_t)inner->meta)))
        RP_TRY(read_about(inner, &replay->base.arena, error));
    else
        rp_note(&replay->base.findings, MC_FINDING(NO_META), "zip", 0, "meta.json",
                "the world's meta.json is missing");
    note_duplicates(replay, inner);
    replay->base.layout = layout_of(replay, inner);
    /* Without its world the file holds nothing. */
    return !replay->base.salvage || salvage_world(replay, error) ? REPRISE_OK : error->status;
}

/* Without meta.json only the place of the scene is lost. */
static reprise_status salvage_meta(mc_replay *replay, const reprise_error *damage,
                                   reprise_error *error)
{
    rp_doc doc = {.arena = &replay->base.arena, .error = error};
    replay->outer.about = rp_new_object(&doc);
    rp_set_text(&doc, replay->outer.about, "version", "0.3.0");
    rp_note(&replay->base.findings, MC_FINDING(LOST_META), "zip", damage->offset, "meta.json",
            "meta.json is lost: %s", damage->message);
    return error->status;
}

static reprise_status read_meta(mc_replay *replay, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_status status = replay->outer.meta < 0
                                ? missing("meta.json", &damage)
                                : read_about(&replay->outer, &replay->base.arena, &damage);
    if (status != REPRISE_OK && replay->base.salvage &&
        !rp_is_own_failure(replay->base.context, status))
        return salvage_meta(replay, &damage, error);
    if (status != REPRISE_OK) {
        *error = damage;
        return status;
    }
    return find_offset(replay, error);
}

static reprise_status open_replay(mc_replay *replay, reprise_error *error)
{
    mc_archive *outer = &replay->outer;
    *outer = (mc_archive){.zip = replay->base.zip, .scope = MC_SCOPE_REPLAY};
    RP_TRY(list_members(outer, &replay->base.arena, error));
    replay->ends = rp_arena_array(&replay->base.arena, outer->entities.count, sizeof(mc_end),
                                  error);
    RP_TRY(error->status);
    RP_TRY(read_meta(replay, error));
    replay->has_world = outer->world >= 0;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (replay->base.salvage && replay->has_world)
        replay->has_world = salvage_world(replay, &damage);
    if (outer->world < 0)
        rp_note(&replay->base.findings, MC_FINDING(NO_WORLD), "zip", 0, "world.vcap",
                "the world is missing");
    note_duplicates(replay, outer);
    replay->base.layout = layout_of(replay, outer);
    return REPRISE_OK;
}

reprise_status mc_open(rp_replay *base, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)base;
    if (!base->zip) {
        rp_error_set(error, REPRISE_E_CORRUPT, "not a ZIP archive");
        rp_error_place(error, "file", 0, "");
        return error->status;
    }
    replay->alone = rp_zip_find(base->zip, "world.dat") >= 0;
    RP_TRY(list_blobs(replay, error));
    return replay->alone ? open_alone(replay, error) : open_replay(replay, error);
}

void mc_close(rp_replay *base)
{
    mc_replay *replay = (mc_replay *)base;
    rp_stream_close(replay->ahead);
    if (!replay->alone)
        rp_zip_close(replay->inner.zip);
    rp_source_close(replay->world_source);
    rp_free(base->context, replay->world_data, replay->world_size);
}

/* ---- the world inside ---- */

static reprise_status inflate_world(mc_replay *replay, reprise_error *error)
{
    rp_context *context = replay->base.context;
    rp_stream *stream = NULL;
    RP_TRY(mc_open_member(&replay->outer, (size_t)replay->outer.world, "zip:world.vcap", &stream,
                          error));
    reprise_status status = rp_stream_read_all(stream, context->limits.decoded_bytes_max,
                                               "decoded_bytes", &replay->world_data,
                                               &replay->world_size, error);
    rp_stream_close(stream);
    return status;
}

static reprise_status open_inner(mc_replay *replay, reprise_error *error)
{
    mc_archive *inner = &replay->inner;
    rp_context *context = replay->base.context;
    RP_TRY(inflate_world(replay, error));
    RP_TRY(rp_source_open_memory(context, replay->world_data, replay->world_size,
                                 &replay->world_source, error));
    inner->scope = MC_SCOPE_WORLD;
    RP_TRY(rp_zip_open(context, replay->world_source, &inner->zip, error));
    RP_TRY(list_members(inner, &replay->base.arena, error));
    if (inner->world < 0)
        return missing("world.dat", error);
    return inner->meta >= 0 ? read_about(inner, &replay->base.arena, error) : REPRISE_OK;
}

/* To the reader of archives the world is a file of its own; its offsets are of world.vcap. */
static void place_inside(reprise_error *error)
{
    if (strcmp(error->stream, "file") == 0 || strcmp(error->stream, "zip") == 0)
        rp_text_copy(error->stream, sizeof error->stream, "zip:world.vcap");
    rp_error_at(error, "world.vcap");
}

reprise_status mc_open_world(mc_replay *replay, reprise_error *error)
{
    if (!replay->world_tried) {
        replay->world_tried = true;
        if (open_inner(replay, &replay->world_error) != REPRISE_OK)
            place_inside(&replay->world_error);
    }
    if (replay->world_error.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = replay->world_error;
    return replay->world_error.status;
}

void mc_note_world(mc_replay *replay)
{
    if (replay->alone)
        return;
    if (!replay->inner.about)
        rp_note(&replay->base.findings, MC_FINDING(NO_META), "zip:world.vcap", 0, "meta.json",
                "the world's meta.json is missing");
    note_duplicates(replay, &replay->inner);
}
