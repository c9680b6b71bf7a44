/*
 * blobs.c - the parts of a replay that can be extracted as files: map, rules, initial state, voice.
 *
 * Embedded content is untrusted (specification, 7.7). A map that is an archive is offered entry by
 * entry; scripts in it are named but never extracted. Contents are produced when they are listed,
 * because their sizes are only known then; together they are small.
 */
#include <stdio.h>

#include "ironcurtain/container/schema_unknown.h"
#include "ironcurtain/read/read.h"
#include "json.h"

enum { BLOBS_MAX = 20000 };

typedef struct listing {
    ic_replay *replay;
    rp_arena *arena; /* of the replay */
    reprise_blob *blobs;
    rp_text *contents;
    size_t count, capacity;
    uint64_t unpacked; /* bytes of archive entries so far */
    reprise_error *error;
} listing;

static reprise_status add(listing *l, reprise_blob blob, rp_text content)
{
    RP_TRY(l->error->status);
    if (l->count == BLOBS_MAX)
        return rp_error_set(l->error, REPRISE_E_LIMIT, "more than %d embedded files", BLOBS_MAX);
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 16;
        reprise_blob *blobs = rp_arena_array(l->arena, capacity, sizeof *blobs, l->error);
        rp_text *contents = rp_arena_array(l->arena, capacity, sizeof *contents, l->error);
        if (!blobs || !contents)
            return l->error->status;
        if (l->count) {
            memcpy(blobs, l->blobs, l->count * sizeof *blobs);
            memcpy(contents, l->contents, l->count * sizeof *contents);
        }
        l->blobs = blobs;
        l->contents = contents;
        l->capacity = capacity;
    }
    blob.size = content.size;
    if (!blob.stored_size)
        blob.stored_size = content.size;
    l->contents[l->count] = content;
    l->blobs[l->count++] = blob;
    return REPRISE_OK;
}

/* ---- maps ---- */

static reprise_status add_map_file(listing *l, const char *name, rp_text content)
{
    reprise_blob blob = {.name = name, .kind = "map", .guarded = true};
    if (ic_is_script(name, content.data, content.size))
        blob.barred = "scripts are never extracted";
    return add(l, blob, content);
}

static reprise_status read_entry(listing *l, rp_zip *zip, size_t index, rp_text *ret)
{
    const rp_zip_entry *entry = rp_zip_entry_at(zip, index);
    uint8_t *data = NULL;
    size_t size = 0;
    rp_stream *stream = NULL;
    if (l->unpacked + entry->size > IC_UNIT_MAX)
        return rp_error_set(l->error, REPRISE_E_LIMIT, "the embedded map unpacks to over 64 MiB");
    RP_TRY(rp_zip_open_entry(zip, index, "embedded map", IC_RATIO_MAX, &stream, l->error));
    reprise_status status = rp_stream_read_all(stream, IC_UNIT_MAX - l->unpacked, "embedded map",
                                               &data, &size, l->error);
    rp_stream_close(stream);
    RP_TRY(status);
    l->unpacked += size;
    *ret = (rp_text){rp_arena_text(l->arena, data, size, l->error), size};
    rp_free(l->replay->base.context, data, size);
    return l->error->status;
}

static reprise_status add_entries(listing *l, rp_zip *zip)
{
    for (size_t i = 0; i < rp_zip_count(zip); i++) {
        const rp_zip_entry *entry = rp_zip_entry_at(zip, i);
        rp_text content = {0};
        size_t length = strlen(entry->name);
        if (length && entry->name[length - 1] == '/')
            continue; /* a directory */
        RP_TRY(read_entry(l, zip, i, &content));
        const char *name = rp_arena_format(l->arena, l->error, "map/%s", entry->name);
        RP_TRY(l->error->status);
        RP_TRY(add_map_file(l, name, content));
    }
    return REPRISE_OK;
}

static reprise_status add_archive(listing *l, const rp_text *map)
{
    rp_source *source = NULL;
    rp_zip *zip = NULL;
    rp_context *context = l->replay->base.context;
    RP_TRY(rp_source_open_memory(context, map->data, map->size, &source, l->error));
    reprise_status status = rp_zip_open(context, source, &zip, l->error);
    if (status == REPRISE_OK)
        status = add_entries(l, zip);
    rp_zip_close(zip);
    rp_source_close(source);
    return status;
}

static reprise_status unpack(listing *l, const ic_bytes *packed, uint64_t size_max, rp_text *ret)
{
    rp_writer bytes;
    rp_writer_init(&bytes, l->replay->base.context, IC_UNIT_MAX + 1, l->error);
    if (ic_embedded_unpack(l->replay, packed, size_max, &bytes, l->error) == REPRISE_OK)
        *ret = (rp_text){rp_arena_text(l->arena, bytes.data, bytes.size, l->error), bytes.size};
    rp_writer_free(&bytes);
    return l->error->status;
}

static reprise_status add_map(listing *l, const ic_bytes *packed)
{
    rp_text map;
    RP_TRY(unpack(l, packed, IC_MAP_MAX, &map));
    bool archive = map.size >= 4 && memcmp(map.data, "PK\3\4", 4) == 0;
    return archive ? add_archive(l, &map) : add_map_file(l, "map.bin", map);
}

/* ---- rules and the initial state ---- */

static reprise_status add_rules(listing *l, const ic_manifest *manifest)
{
    for (size_t i = 0; i < manifest->rules.count; i++) {
        const ic_rule *rule = (const ic_rule *)manifest->rules.items + i;
        rp_text content = ic_rule_text(rule, l->arena, l->error);
        const char *name = rp_arena_format(
            l->arena, l->error, "rules/%.*s/%.*s", (int)RP_MIN(rule->mod_id.size, (size_t)1000),
            rule->mod_id.data, (int)RP_MIN(rule->path.size, (size_t)1000), rule->path.data);
        /* A NUL would cut the name short. */
        bool broken = rule->mod_id.size && memchr(rule->mod_id.data, 0, rule->mod_id.size);
        RP_TRY(add(l,
                   (reprise_blob){.name = name,
                                  .kind = "rules",
                                  .guarded = true,
                                  .barred = broken ? "unsafe name" : NULL,
                                  .stored_size = rule->yaml.size},
                   content));
    }
    return REPRISE_OK;
}

/* The metadata of a save of the initial state, from the replay's metadata. */
static reprise_status put_metadata(listing *l, rp_writer *to)
{
    static const char *const same[] = {"timestamp", "engine_version", "game_module", "active_mods",
                                       "map_name"};
    rp_doc doc = {.arena = l->arena, .error = l->error};
    reprise_value *meta = rp_new_object(&doc);
    rp_set_text(&doc, meta, "save_name", "Initial state");
    for (size_t i = 0; i < RP_COUNT(same); i++) {
        reprise_value *value = rp_get(l->replay->metadata, same[i]);
        if (value)
            rp_set(&doc, meta, same[i], value);
    }
    rp_set_uint(&doc, meta, "tick", 0);
    rp_set_uint(&doc, meta, "game_time_seconds", 0);
    rp_json_write(to, meta, &(rp_json_format){.indent = 1, .exact_integers = true});
    return l->error->status;
}

static reprise_status make_save(listing *l, const rp_text *raw, ic_hasher *hasher, rp_writer *meta,
                                rp_writer *out)
{
    ic_snapshot snapshot;
    uint8_t hash[IC_HASH_SIZE];
    rp_sink *sink = NULL;
    rp_reader r = rp_reader_of(raw->data, raw->size, "embedded", l->error);
    if (!ic_snapshot_read(&r, l->arena, &snapshot))
        return l->error->status;
    RP_TRY(ic_state_hash(hasher, &snapshot.core, hash, l->error));
    RP_TRY(put_metadata(l, meta));
    ic_save_parts parts = {.metadata = {(const char *)meta->data, meta->size},
                           .snapshot = *raw,
                           .sync_hash = ic_sync_hash(hash),
                           .level = RP_LZ4_BALANCED};
    RP_TRY(rp_sink_open_memory(l->replay->base.context, out, &sink, l->error));
    reprise_status status = ic_save_write(hasher, &parts, sink, l->error);
    rp_sink_close(sink);
    return status;
}

/* Offered as a save, which every operation can open. */
static reprise_status add_initial(listing *l, const ic_bytes *packed)
{
    rp_text raw, content = {0};
    ic_hasher hasher;
    rp_writer meta, out;
    rp_context *context = l->replay->base.context;
    RP_TRY(unpack(l, packed, IC_UNIT_MAX, &raw));
    rp_writer_init(&meta, context, IC_METADATA_MAX, l->error);
    rp_writer_init(&out, context, UINT32_MAX, l->error);
    reprise_status status = ic_hasher_init(&hasher, context, l->error);
    if (status == REPRISE_OK)
        status = make_save(l, &raw, &hasher, &meta, &out);
    if (status == REPRISE_OK)
        content = (rp_text){rp_arena_text(l->arena, out.data, out.size, l->error), out.size};
    ic_hasher_free(&hasher);
    rp_writer_free(&meta);
    rp_writer_free(&out);
    RP_TRY(status);
    return add(l,
               (reprise_blob){.name = "initial-state.icsave",
                              .kind = "state",
                              .guarded = true,
                              .stored_size = packed->value.size},
               content);
}

static reprise_status add_embedded(listing *l)
{
    ic_embedded embedded;
    RP_TRY(ic_embedded_load(l->replay, l->arena, &embedded, l->error));
    RP_TRY(ic_embedded_check(l->replay, &embedded, l->error));
    if (embedded.map_data)
        RP_TRY(add_map(l, embedded.map_data));
    if (embedded.mod_manifest)
        RP_TRY(add_rules(l, embedded.mod_manifest));
    if (embedded.balance_preset)
        RP_TRY(add(l,
                   (reprise_blob){.name = "balance-preset.txt", .kind = "preset", .guarded = true},
                   *(const ic_text *)embedded.balance_preset));
    return embedded.initial_state ? add_initial(l, embedded.initial_state) : REPRISE_OK;
}

/* ---- voices ---- */

/* Whether the player already has a track, here or in an earlier piece. */
static bool seen(const ic_voice *voices, size_t piece, size_t track)
{
    uint32_t player = ((const ic_voice_track *)voices[piece].tracks.items)[track].player;
    for (size_t i = 0; i <= piece; i++) {
        const ic_voice_track *tracks = voices[i].tracks.items;
        size_t count = i < piece ? voices[i].tracks.count : track;
        for (size_t k = 0; k < count; k++) {
            if (tracks[k].player == player)
                return true;
        }
    }
    return false;
}

static reprise_status add_voice(listing *l, const ic_voice *voices, size_t count, uint32_t player)
{
    rp_writer out;
    rp_writer_init(&out, l->replay->base.context, 2 * (size_t)IC_UNIT_MAX, l->error);
    reprise_status status = l->error->status;
    if (ic_voice_ogg(voices, count, player, l->replay->tick_seconds, &out)) {
        rp_text content = {rp_arena_text(l->arena, out.data, out.size, l->error), out.size};
        const char *name = rp_arena_format(l->arena, l->error, "voice/player-%u.opus", player);
        status = add(l, (reprise_blob){.name = name, .kind = "voice"}, content);
    }
    rp_writer_free(&out);
    return status == REPRISE_OK ? l->error->status : status;
}

static reprise_status add_voices(listing *l)
{
    ic_voice *voices = NULL;
    size_t count = 0;
    RP_TRY(ic_index(l->replay, l->error));
    RP_TRY(ic_voice_load(l->replay, l->arena, &voices, &count, l->error));
    for (size_t i = 0; i < count; i++) {
        const ic_voice_track *tracks = voices[i].tracks.items;
        for (size_t k = 0; k < voices[i].tracks.count && k < IC_PLAYERS_MAX; k++) {
            if (!seen(voices, i, k))
                RP_TRY(add_voice(l, voices, count, tracks[k].player));
        }
    }
    return REPRISE_OK;
}

/* ---- what is of types that are not known: as it was unpacked ---- */

/* Finds out which sections are of unknown types; `verify` reports damage. */
static reprise_status find_unknown(ic_replay *replay, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    (void)ic_decode_all(replay, &damage);
    if (rp_is_own_failure(replay->base.context, damage.status))
        *error = damage;
    return error->status;
}

static reprise_status add_unpacked(listing *l, ic_section_kind kind, const ic_piece *piece)
{
    rp_writer bytes;
    rp_writer_init(&bytes, l->replay->base.context, IC_UNIT_MAX + 1, l->error);
    rp_text content = {0};
    const char *name = rp_arena_format(l->arena, l->error, "unpacked/%s-%llu.bin",
                                       ic_section_names[kind], (unsigned long long)piece->tick);
    if (ic_piece_decode(l->replay, piece, ic_section_names[kind], &bytes, l->error) == REPRISE_OK)
        content = (rp_text){rp_arena_text(l->arena, bytes.data, bytes.size, l->error), bytes.size};
    l->unpacked += bytes.size;
    rp_writer_free(&bytes);
    if (l->unpacked > 4 * (uint64_t)IC_UNIT_MAX)
        return rp_error_set(l->error, REPRISE_E_LIMIT, "more than 256 MiB of unknown types");
    RP_TRY(l->error->status);
    return add(l, (reprise_blob){.name = name, .kind = "unpacked", .stored_size = piece->size},
               content);
}

static reprise_status add_unknown(listing *l)
{
    ic_replay *replay = l->replay;
    RP_TRY(find_unknown(replay, l->error));
    for (size_t kind = IC_ORDERS; kind <= IC_SIGNATURE; kind++) {
        const ic_pieces *pieces = &replay->pieces[kind];
        for (size_t i = 0; (replay->unknown_kinds >> kind & 1) && i < pieces->count; i++)
            RP_TRY(add_unpacked(l, (ic_section_kind)kind, &pieces->items[i]));
    }
    if (!(replay->unknown_kinds >> IC_EMBEDDED & 1))
        return REPRISE_OK;
    const ic_section *section = &replay->sections[IC_EMBEDDED];
    return add_unpacked(l, IC_EMBEDDED,
                        &(ic_piece){.offset = section->offset, .size = section->size});
}

/* A part of unknown types is listed with the unpacked ones. */
static reprise_status unless_unknown(reprise_status status, reprise_error *error)
{
    if (!ic_is_schema_unknown(error))
        return status;
    rp_error_clear(error);
    return REPRISE_OK;
}

/* ---- saves ---- */

reprise_status ic_save_blobs(rp_replay *base, reprise_error *error)
{
    ic_save *save = (ic_save *)base;
    ic_save_state state;
    reprise_status status = ic_save_load(save, &state, error);
    bool unknown = state.rest.unknown || ic_is_schema_unknown(error);
    if (unknown)
        rp_error_clear(error);
    size_t pictures = save->thumbnail_size > 0;
    reprise_blob *blobs = unknown ? rp_arena_array(&base->arena, 2, sizeof *blobs, error) : NULL;
    if (blobs) {
        if (pictures)
            blobs[0] = base->blobs[0];
        blobs[pictures] = (reprise_blob){.name = "unpacked/payload.bin",
                                         .kind = "unpacked",
                                         .size = state.bytes.size,
                                         .stored_size = save->header.payload_length};
        save->unpacked = (rp_text){
            rp_arena_text(&base->arena, state.bytes.data, state.bytes.size, error),
            state.bytes.size};
        base->blobs = blobs;
        base->blob_count = pictures + 1;
    }
    ic_save_state_free(&state);
    /* A damaged save still has its thumbnail. */
    if (!rp_is_own_failure(base->context, status) && !unknown)
        rp_error_clear(error);
    return error->status;
}

reprise_status ic_save_blob_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                                 reprise_error *error)
{
    const ic_save *save = (const ic_save *)base;
    if (index == 0 && save->thumbnail_size)
        return rp_stream_open_range(base->context, base->source, save->thumbnail_offset,
                                    save->thumbnail_size, "thumbnail", ret_stream, error);
    uint8_t *copy = rp_alloc(base->context, save->unpacked.size, error);
    if (!copy)
        return error->status;
    memcpy(copy, save->unpacked.data, save->unpacked.size);
    return rp_stream_open_owned(base->context, copy, save->unpacked.size, base->blobs[index].name,
                                ret_stream, error);
}

/* ---- all of them ---- */

reprise_status ic_list_blobs(rp_replay *base, reprise_error *error)
{
    listing l = {.replay = (ic_replay *)base, .arena = &base->arena, .error = error};
    RP_TRY(unless_unknown(add_embedded(&l), error));
    RP_TRY(unless_unknown(add_voices(&l), error));
    RP_TRY(add_unknown(&l));
    base->blobs = l.blobs;
    base->blob_count = l.count;
    l.replay->blob_contents = l.contents;
    return REPRISE_OK;
}

reprise_status ic_blob_open(rp_replay *base, size_t index, rp_stream **ret_stream,
                            reprise_error *error)
{
    const ic_replay *replay = (const ic_replay *)base;
    const reprise_blob *blob = &base->blobs[index];
    const rp_text *content = &replay->blob_contents[index];
    uint8_t *copy = rp_alloc(base->context, content->size, error);
    if (!copy)
        return error->status;
    memcpy(copy, content->data, content->size);
    return rp_stream_open_owned(base->context, copy, content->size, blob->name, ret_stream, error);
}
