/*
 * read_header.c - metadata: manifest.json of the ZIP layouts, the binary header of the legacy ones.
 *
 * Both become one document with the manifest's member names, so that everything above asks the same
 * questions. Unknown members stay in it and survive rewriting.
 */
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "rumble.h"
#include "utf8.h"

/* ---- mods ---- */

int32_t rumble_mod_hash(const char *name, size_t size)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size;) {
        size_t n;
        uint32_t c = rp_utf8_next(name + i, &n);
        i += n;
        if (c >= 0x10000) {
            h = (h ^ (0xD7C0 + (c >> 10))) * 16777619u;
            c = 0xDC00 + (c & 0x3FF);
        }
        h = (h ^ c) * 16777619u;
    }
    return (int32_t)h;
}

const char *rumble_mod_name(const rumble_replay *replay, int32_t id)
{
    for (size_t i = 0; i < replay->mod_count; i++) {
        if (replay->mods[i].id == id)
            return replay->mods[i].name;
    }
    return NULL;
}

/* extensions/<mod>/...: the directory names are the only place where mods have names. */
static reprise_status add_mod(rumble_replay *replay, const char *path, reprise_error *error)
{
    static const char folder[] = "extensions/";
    if (strncmp(path, folder, sizeof folder - 1) != 0)
        return REPRISE_OK;
    const char *name = path + sizeof folder - 1;
    const char *end = strchr(name, '/');
    if (!end || end == name || rp_utf8_valid(name, (size_t)(end - name)) != (size_t)(end - name))
        return REPRISE_OK;
    int32_t id = rumble_mod_hash(name, (size_t)(end - name));
    if (rumble_mod_name(replay, id))
        return REPRISE_OK;
    char *copy = rp_arena_text(&replay->base.arena, name, (size_t)(end - name), error);
    if (!copy)
        return error->status;
    replay->mods[replay->mod_count++] = (rumble_mod){.id = id, .name = copy};
    return REPRISE_OK;
}

/* ---- archive ---- */

static const char *blob_kind(const char *name)
{
    if (strcmp(name, "manifest.json") == 0)
        return "manifest";
    if (strcmp(name, "replay") == 0)
        return "stream";
    if (strcmp(name, "voices.json") == 0)
        return "voices";
    if (strncmp(name, RUMBLE_VOICE_FOLDER, strlen(RUMBLE_VOICE_FOLDER)) == 0)
        return "voice";
    if (strncmp(name, "extensions/", 11) == 0)
        return "extension";
    return "other";
}

static reprise_status list_entries(rumble_replay *replay, reprise_error *error)
{
    rp_replay *base = &replay->base;
    size_t count = rp_zip_count(base->zip);
    base->blobs = rp_arena_array(&base->arena, count, sizeof *base->blobs, error);
    replay->mods = rp_arena_array(&base->arena, count, sizeof *replay->mods, error);
    if (!base->blobs || !replay->mods)
        return error->status;
    for (size_t i = 0; i < count; i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(base->zip, i);
        base->blobs[i] = (reprise_blob){
            .name = entry->name,
            .kind = blob_kind(entry->name),
            .size = entry->size,
            .stored_size = entry->stored_size,
        };
        if (entry->duplicate)
            rp_note(&base->findings, RUMBLE_FINDING(DUPLICATE_ENTRY), "zip", 0, entry->name,
                    "duplicate name in the archive; the first one is used");
        RP_TRY(add_mod(replay, entry->name, error));
    }
    base->blob_count = count;
    return REPRISE_OK;
}

static reprise_status find_entry(rumble_replay *replay, const char *name, int64_t *ret_index,
                                 reprise_error *error)
{
    int64_t index = rp_zip_find(replay->base.zip, name);
    if (index < 0) {
        rp_error_set(error, REPRISE_E_CORRUPT, "the archive has no entry '%s'", name);
        rp_error_place(error, "zip", 0, name);
        return error->status;
    }
    *ret_index = index;
    return REPRISE_OK;
}

/* Reads and parses one JSON member of the archive. */
static reprise_status read_json(rumble_replay *replay, size_t index, const char *stream_name,
                                reprise_value **ret_value, rp_json_notes *notes,
                                reprise_error *error)
{
    rp_replay *base = &replay->base;
    rp_stream *stream = NULL;
    RP_TRY(rp_zip_open_entry(base->zip, index, stream_name,
                             base->context->limits.expansion_ratio_max, &stream, error));
    uint8_t *data = NULL;
    size_t size = 0;
    reprise_status status = rp_stream_read_all(stream, base->context->limits.text_bytes_max,
                                               "text_bytes", &data, &size, error);
    rp_stream_close(stream);
    if (status != REPRISE_OK)
        return status;
    rp_doc doc = {.arena = &base->arena, .error = error};
    status = rp_json_parse(&doc, (const char *)data, size, stream_name, ret_value, notes);
    rp_free(base->context, data, size);
    return status;
}

/* ---- manifest ---- */

/* The length of an array, bounded because indices are u32 everywhere. */
static uint32_t count_of(const reprise_value *array)
{
    return (uint32_t)RP_MIN(reprise_value_count(array), UINT32_MAX);
}

static reprise_status whole_number(const reprise_value *header, const char *name, bool required,
                                   uint32_t *ret_number, reprise_error *error)
{
    const reprise_value *value = rp_get(header, name);
    if (!value && !required) {
        *ret_number = 0;
        return REPRISE_OK;
    }
    int64_t number = reprise_value_int(value, -1);
    if (!value || reprise_value_kind_of(value) != REPRISE_VALUE_INT || number < 0 ||
        number > INT32_MAX) {
        rp_error_set(error, REPRISE_E_CORRUPT,
                     value ? "must be an integer from 0 to %d"
                           : "is missing; a number from 0 to %d is needed",
                     INT32_MAX);
        rp_error_place(error, "zip:manifest.json", value ? value->offset : 0, name);
        return error->status;
    }
    *ret_number = (uint32_t)number;
    return REPRISE_OK;
}

static reprise_status take_counts(rumble_replay *replay, reprise_error *error)
{
    const reprise_value *header = replay->header;
    RP_TRY(whole_number(header, "FrameCount", true, &replay->frame_count, error));
    RP_TRY(whole_number(header, "PedestalCount", false, &replay->pedestal_count, error));
    RP_TRY(whole_number(header, "ScenePropCount", false, &replay->prop_count, error));
    replay->player_count = count_of(rp_get(header, "Players"));
    replay->structure_count = count_of(rp_get(header, "Structures"));
    replay->has_props = rp_get(header, "ScenePropCount") || rp_get(header, "SceneProps");
    replay->prop_count = RP_MAX(replay->prop_count, count_of(rp_get(header, "SceneProps")));
    /* Pedestals have no array to bound their number, and states are allocated per object. */
    RP_TRY(rp_limit(replay->pedestal_count, 65536, "PedestalCount", "65536", error));
    RP_TRY(rp_limit(replay->prop_count, 65536, "ScenePropCount", "65536", error));
    return REPRISE_OK;
}

/* Whether a version is one of the known builds, 1.0.0 to 1.2.4. */
static bool version_known(const char *text)
{
    static const unsigned long newest[] = {1, 2, 4};
    unsigned long parts[RP_COUNT(newest)] = {0};
    for (size_t i = 0; i < RP_COUNT(parts); i++) {
        char *end;
        if (*text < '0' || *text > '9')
            return false;
        parts[i] = strtoul(text, &end, 10);
        if (*end != (i + 1 < RP_COUNT(parts) ? '.' : '\0'))
            return false;
        text = end + 1;
    }
    for (size_t i = 0; i < RP_COUNT(parts); i++) {
        if (parts[i] != newest[i])
            return parts[i] < newest[i] && parts[0] == newest[0];
    }
    return true;
}

/* The version does not determine the layout, but an unknown build is worth a note. */
static void note_version(rumble_replay *replay, const char *stream)
{
    const char *version = rp_get_text(replay->header, "Version");
    if (version && *version && !version_known(version))
        rp_note(&replay->base.findings, RUMBLE_FINDING(UNKNOWN_VERSION), stream, 0, "Version",
                "'%.40s' is none of the known builds (1.0.0 to 1.2.4)", version);
}

static void note_manifest(rumble_replay *replay, const rp_json_notes *notes)
{
    rp_findings *findings = &replay->base.findings;
    const char *stream = "zip:manifest.json";
    if (notes->duplicate_keys)
        rp_note(findings, RUMBLE_FINDING(DUPLICATE_MEMBER), stream, notes->duplicate_offset,
                notes->duplicate_key, "duplicate member; the first one is used");
    const reprise_value *markers = rp_get(replay->header, "Markers");
    int64_t stated = reprise_value_int(rp_get(replay->header, "MarkerCount"), -1);
    if (markers && stated >= 0 && (uint64_t)stated != reprise_value_count(markers))
        rp_note(findings, RUMBLE_FINDING(MARKER_COUNT), stream, 0, "MarkerCount",
                "says %lld, the list has %zu", (long long)stated, reprise_value_count(markers));
}

static reprise_status read_voices(rumble_replay *replay, reprise_error *error)
{
    int64_t index = rp_zip_find(replay->base.zip, "voices.json");
    if (index < 0)
        return REPRISE_OK;
    /* A damaged voice index loses the voices, not the match. */
    reprise_error broken = REPRISE_ERROR_INIT;
    reprise_status status = read_json(replay, (size_t)index, "zip:voices.json", &replay->voices,
                                      NULL, &broken);
    if (rp_is_own_failure(replay->base.context, status))
        return rp_error_set(error, status, "%s", broken.message);
    if (status != REPRISE_OK) {
        replay->voices = NULL;
        rp_note(&replay->base.findings, RUMBLE_FINDING(VOICE_INDEX), broken.stream, broken.offset,
                broken.path, "%s", broken.message);
    }
    return REPRISE_OK;
}

static reprise_status read_manifest(rumble_replay *replay, reprise_error *error)
{
    int64_t manifest = -1;
    RP_TRY(find_entry(replay, "manifest.json", &manifest, error));
    rp_json_notes notes = {0};
    RP_TRY(
        read_json(replay, (size_t)manifest, "zip:manifest.json", &replay->header, &notes, error));
    if (reprise_value_kind_of(replay->header) != REPRISE_VALUE_OBJECT) {
        rp_error_set(error, REPRISE_E_CORRUPT, "the manifest is not an object");
        rp_error_place(error, "zip:manifest.json", 0, "");
        return error->status;
    }
    RP_TRY(take_counts(replay, error));
    note_version(replay, "zip:manifest.json");
    note_manifest(replay, &notes);
    return REPRISE_OK;
}

/* The directory lost one of the two names; the local headers may still have it. */
static reprise_status list_damaged(rumble_replay *replay, reprise_error *error)
{
    rp_replay *base = &replay->base;
    rp_zip *scanned = NULL;
    RP_TRY(rp_zip_open_damaged(base->context, base->source, &scanned, error));
    rp_zip_close(base->zip);
    base->zip = scanned;
    replay->mod_count = 0;
    return list_entries(replay, error);
}

static reprise_status salvage_zip_header(rumble_replay *replay, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    if (rp_zip_find(replay->base.zip, "manifest.json") < 0 ||
        rp_zip_find(replay->base.zip, "replay") < 0)
        RP_TRY(list_damaged(replay, error));
    RP_TRY(find_entry(replay, "replay", &replay->stream_entry, error));
    reprise_status status = read_manifest(replay, &damage);
    if (rp_is_own_failure(replay->base.context, status))
        return rp_error_set(error, status, "%s", damage.message);
    if (status != REPRISE_OK) {
        RP_TRY(rumble_make_up_header(replay, &damage, error));
        RP_TRY(take_counts(replay, error));
    }
    return read_voices(replay, error);
}

reprise_status rumble_open_zip_header(rumble_replay *replay, reprise_error *error)
{
    RP_TRY(list_entries(replay, error));
    if (replay->base.salvage)
        return salvage_zip_header(replay, error);
    int64_t manifest = -1;
    RP_TRY(find_entry(replay, "manifest.json", &manifest, error));
    RP_TRY(find_entry(replay, "replay", &replay->stream_entry, error));
    RP_TRY(read_manifest(replay, error));
    return read_voices(replay, error);
}

/* ---- legacy ---- */

static void set_string(rp_doc *doc, reprise_value *object, const char *key, rp_reader *r)
{
    uint32_t declared = rp_leb32(r, key);
    size_t size = rp_text_size(r, declared, doc->arena->context->limits.string_bytes_max, key);
    const uint8_t *text = rp_take(r, size, key);
    if (rp_ok(r))
        rp_set(doc, object, key, rp_new_text_n(doc, (const char *)text, size));
}

static void read_legacy_player(rp_doc *doc, reprise_value *players, rp_reader *r)
{
    reprise_value *player = rp_push_object(doc, players);
    rp_set_int(doc, player, "ActorId", rp_u8(r, "ActorId"));
    set_string(doc, player, "MasterId", r);
    set_string(doc, player, "Name", r);
    rp_set_int(doc, player, "BattlePoints", rp_i32(r, "BattlePoints"));
    set_string(doc, player, "VisualData", r);
    reprise_value *stones = rp_set_array(doc, player, "EquippedShiftStones");
    rp_push(doc, stones, rp_new_int(doc, rp_i16(r, "Shiftstone0")));
    rp_push(doc, stones, rp_new_int(doc, rp_i16(r, "Shiftstone1")));
    reprise_value *measurement = rp_set_object(doc, player, "Measurement");
    rp_set_f32(doc, measurement, "Length", rp_f32(r, "Length"));
    rp_set_f32(doc, measurement, "ArmSpan", rp_f32(r, "ArmSpan"));
    rp_set_bool(doc, player, "WasHost", rp_u8(r, "WasHost") != 0);
}

static uint32_t count_field(rp_reader *r, const char *what)
{
    int32_t count = rp_i32(r, what);
    if (count < 0)
        rp_fail(r, REPRISE_E_CORRUPT, what, "is %d", count);
    return count < 0 ? 0 : (uint32_t)count;
}

/* The smallest player: no text, 23 bytes. Frames hold at least a time and a flag per structure. */
enum { LEGACY_PLAYER_MIN = 23 };

static void read_legacy_lists(rumble_replay *replay, rp_doc *doc, rp_reader *r)
{
    reprise_value *header = replay->header;
    replay->player_count = count_field(r, "PlayerCount");
    size_t players = rp_count(r, replay->player_count, LEGACY_PLAYER_MIN,
                              replay->base.context->limits.items_max, "PlayerCount");
    reprise_value *list = rp_set_array(doc, header, "Players");
    for (size_t i = 0; i < players && rp_ok(r); i++)
        read_legacy_player(doc, list, r);
    uint32_t types = count_field(r, "StructureCount (second)");
    size_t count = rp_count(r, types, 1, replay->base.context->limits.items_max,
                            "StructureCount (second)");
    list = rp_set_array(doc, header, "Structures");
    for (size_t i = 0; i < count && rp_ok(r); i++)
        rp_set_int(doc, rp_push_object(doc, list), "Type", rp_u8(r, "structure type"));
    if (rp_ok(r) && types != replay->structure_count)
        rp_note(&replay->base.findings, RUMBLE_FINDING(STRUCTURE_COUNTS), r->stream, r->offset,
                "StructureCount", "stated twice: %u structures, %u types", replay->structure_count,
                types);
}

void rumble_read_legacy_header(rumble_replay *replay, rp_reader *r)
{
    rp_doc doc = {.arena = &replay->base.arena, .error = r->error};
    if (!rp_match(r, "REPLAY", 6)) {
        rp_fail(r, REPRISE_E_CORRUPT, "magic", "the inflated data does not begin with REPLAY");
        return;
    }
    reprise_value *header = rp_new_object(&doc);
    replay->header = header;
    set_string(&doc, header, "Version", r);
    set_string(&doc, header, "Scene", r);
    set_string(&doc, header, "DateUTC", r);
    replay->frame_count = count_field(r, "FrameCount");
    replay->structure_count = count_field(r, "StructureCount");
    rp_set_int(&doc, header, "FrameCount", replay->frame_count);
    rp_set_int(&doc, header, "StructureCount", replay->structure_count);
    rp_set_int(&doc, header, "FPS", rp_i32(r, "FPS"));
    read_legacy_lists(replay, &doc, r);
    if (rp_ok(r))
        note_version(replay, r->stream);
}

/* ---- questions ---- */

int64_t rumble_structure_type(const rumble_replay *replay, size_t index)
{
    const reprise_value *structure = reprise_value_at(rp_get(replay->header, "Structures"), index);
    const reprise_value *type = rp_get(structure, "Type");
    size_t size;
    const char *name = reprise_value_text(type, &size);
    int64_t number;
    if (name)
        return rp_enum_number(&rumble_structure_names, name, size, &number) ? number : -1;
    return reprise_value_int(type, -1);
}

static float float_of(const reprise_value *object, const char *key)
{
    return (float)reprise_value_double(rp_get(object, key), 0);
}

/* Early markers had a type instead of a name and colour. */
static void old_marker(int64_t type, rumble_marker *marker)
{
    static const float colours[][3] = {{1, 1, 1}, {0.7f, 0.6f, 0.85f}, {0, 0, 0}, {1, 0, 0}};
    const char *name = rp_enum_name(&rumble_marker_names, type);
    if (!name)
        return;
    marker->name = (rp_text){.data = name, .size = strlen(name)};
    marker->r = colours[type - 1][0];
    marker->g = colours[type - 1][1];
    marker->b = colours[type - 1][2];
}

bool rumble_marker_at(const rumble_replay *replay, size_t index, rumble_marker *ret_marker,
                      float *ret_time)
{
    const reprise_value *markers = rp_get(replay->header, "Markers");
    if (index >= reprise_value_count(markers))
        return false;
    const reprise_value *from = reprise_value_at(markers, index);
    const reprise_value *position = rp_get(from, "position");
    const reprise_value *player = rp_get(from, "PlayerIndex");
    rumble_marker marker = {
        .r = float_of(from, "r"),
        .g = float_of(from, "g"),
        .b = float_of(from, "b"),
        .player = (int32_t)reprise_value_int(player, -1),
        .pos = {float_of(position, "x"), float_of(position, "y"), float_of(position, "z")},
    };
    marker.name.data = reprise_value_text(rp_get(from, "name"), &marker.name.size);
    if (!marker.name.data)
        old_marker(reprise_value_int(rp_get(from, "type"), 0), &marker);
    *ret_marker = marker;
    *ret_time = float_of(from, "time");
    return true;
}
