/* info.c - describes replays and saves from header and metadata alone. */
#include "info.h"
#include "document.h"
#include "ironcurtain/ironcurtain.h"

/* Members of the metadata that are shown unchanged. */
static void copy_members(rp_doc *doc, reprise_value *info, const reprise_value *metadata,
                         const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        reprise_value *value = rp_get(metadata, names[i]);
        if (value)
            rp_set(doc, info, names[i], value);
    }
}

static void set_people(rp_doc *doc, reprise_value *info, const reprise_value *metadata)
{
    static const char *const members[] = {"slot",    "name",    "faction",
                                          "outcome", "apm_avg", "is_human"};
    const reprise_value *players = rp_get(metadata, "players");
    reprise_value *people = rp_set_array(doc, info, "people");
    for (size_t i = 0; i < reprise_value_count(players); i++) {
        const reprise_value *player = reprise_value_at(players, i);
        reprise_value *person = rp_push_object(doc, people);
        rp_set_int(doc, person, "player", reprise_value_int(rp_get(player, "slot"), (int64_t)i));
        copy_members(doc, person, player, members + 1, RP_COUNT(members) - 1);
    }
}

static void set_map(rp_doc *doc, reprise_value *info, const reprise_value *metadata)
{
    reprise_value *map = rp_set_object(doc, info, "map");
    rp_set_text_if(doc, map, "name", rp_get_text(metadata, "map_name"));
    rp_set_text_if(doc, map, "hash", rp_get_text(metadata, "map_hash"));
}

static void add_part(rp_doc *doc, reprise_value *parts, const char *name, uint64_t offset,
                     uint64_t size)
{
    reprise_value *part = rp_push_object(doc, parts);
    rp_set_text(doc, part, "name", name);
    rp_set_text(doc, part, "kind", "section");
    rp_set_uint(doc, part, "offset", offset);
    rp_set_uint(doc, part, "stored_size", size);
}

/* ---- replays ---- */

static void set_trust(rp_doc *doc, reprise_value *info, const ic_replay *replay)
{
    bool is_signed = replay->live ? replay->pieces[IC_SIGNATURE].count > 0
                                  : ic_flag(replay, IC_SIGNED);
    bool complete = !replay->live && !ic_flag(replay, IC_INCOMPLETE);
    rp_set_bool(doc, info, "signed", is_signed);
    rp_set_bool(doc, info, "finalised", !replay->live);
    rp_set_bool(doc, info, "complete", complete);
    rp_set_bool(doc, info, "ranked_candidate", is_signed && complete);
    uint32_t entries = replay->header.signature_length;
    if (is_signed && !replay->live)
        rp_set_uint(doc, info, "signatures",
                    entries > 40 ? (entries - 40) / IC_TICK_SIGNATURE_SIZE : 0);
}

/* The end of the match according to the header; no row has this. */
static void set_end(rp_doc *doc, reprise_value *info, const ic_replay *replay)
{
    if (replay->live)
        return;
    const ic_replay_header *h = &replay->header;
    const reprise_value *header = rp_record_value(doc, &ic_replay_header_record, h);
    reprise_value *end = rp_set_object(doc, info, "end");
    rp_set_uint(doc, info, "lost_frames", h->lost_frame_count);
    rp_set_uint(doc, end, "ticks", h->total_ticks);
    rp_set_uint(doc, end, "lost_frames", h->lost_frame_count);
    rp_set(doc, end, "final_state_hash", rp_copy(doc, rp_get(header, "final_state_hash")));
}

static reprise_status set_embedding(rp_doc *doc, reprise_value *info, ic_replay *replay,
                                    reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, replay->base.context);
    ic_embedded embedded;
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_value *about = rp_set_object(doc, info, "embedding");
    if (ic_embedded_load(replay, &arena, &embedded, &damage) == REPRISE_OK) {
        const ic_manifest *manifest = embedded.mod_manifest;
        rp_set_text(doc, about, "mode", ic_embedded_mode(&embedded));
        rp_set_uint(doc, about, "bytes",
                    replay->sections[IC_EMBEDDED].present ? replay->sections[IC_EMBEDDED].size : 0);
        rp_set_uint(doc, about, "rules", manifest ? manifest->rules.count : 0);
        rp_set_bool(doc, about, "initial_state", embedded.initial_state != NULL);
        if (manifest)
            rp_set(doc, about, "mods",
                   rp_get(rp_record_value(doc, &ic_manifest_record, manifest), "mods"));
    } else if (rp_is_own_failure(replay->base.context, damage.status)) {
        *error = damage;
    } else {
        rp_set_text(doc, about, "mode", "damaged");
    }
    rp_arena_free(&arena);
    return error->status;
}

static void set_parts(rp_doc *doc, reprise_value *info, const ic_replay *replay)
{
    reprise_value *parts = rp_set_array(doc, info, "parts");
    for (size_t i = 0; i < IC_SECTION_COUNT; i++) {
        if (replay->sections[i].present)
            add_part(doc, parts, replay->live && i == IC_ORDERS ? "records" : ic_section_names[i],
                     replay->sections[i].offset, replay->sections[i].size);
    }
}

/*
 * From before the first tick to after the last one. The duration in the metadata is rounded to
 * seconds and may disagree; it is shown as stored.
 */
reprise_status ic_replay_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    (void)error;
    const ic_replay *replay = (const ic_replay *)base;
    *ret_seconds = (double)replay->total_ticks * replay->tick_seconds;
    return REPRISE_OK;
}

reprise_status ic_replay_info(rp_replay *base, rp_doc *doc, reprise_value *info,
                              reprise_error *error)
{
    static const char *const members[] = {
        "replay_id",      "engine_version", "game_module",  "active_mods",    "game_speed",
        "balance_preset", "data_version",   "relay_server", "converted_from", "branch_from",
    };
    ic_replay *replay = (ic_replay *)base;
    const reprise_value *meta = replay->metadata;
    set_map(doc, info, meta);
    rp_set_text_if(doc, info, "date", rp_get_text(meta, "timestamp"));
    reprise_value *stored = rp_get(meta, "duration_seconds");
    if (stored)
        rp_set(doc, info, "stored_duration", stored);
    rp_set_uint(doc, info, "ticks", replay->total_ticks);
    rp_set_f64(doc, info, "ticks_per_second", 1 / replay->tick_seconds);
    set_people(doc, info, meta);
    copy_members(doc, info, meta, members, RP_COUNT(members));
    set_trust(doc, info, replay);
    set_end(doc, info, replay);
    if (replay->torn) {
        reprise_value *torn = rp_set_object(doc, info, "torn_tail");
        rp_set_uint(doc, torn, "offset", replay->scan_end);
        rp_set_text(doc, torn, "reason", replay->torn);
    }
    RP_TRY(set_embedding(doc, info, replay, error));
    set_parts(doc, info, replay);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "warnings", replay->warnings);
    rp_set(doc, info, "file_header",
           rp_record_value(doc, &ic_replay_header_record, &replay->header));
    rp_set(doc, info, "header", replay->metadata);
    return error->status;
}

/* ---- saves ---- */

/* Whether this host could load it (specification, 16): mod interface 1, unknown engine version. */
static void set_compatibility(rp_doc *doc, reprise_value *info, const reprise_value *meta)
{
    const char *version = rp_get_text(meta, "mod_api_version");
    if (version && strncmp(version, "1.", 2) != 0 && strcmp(version, "1") != 0)
        rp_set_text(doc, info, "version_warning",
                    "made for another major version of the mod interface");
}

/* A save is one moment of a game; its length is the game time up to it. */
reprise_status ic_save_length(rp_replay *base, double *ret_seconds, reprise_error *error)
{
    (void)base;
    (void)error;
    *ret_seconds = 0;
    return REPRISE_OK;
}

reprise_status ic_save_info(rp_replay *base, rp_doc *doc, reprise_value *info, reprise_error *error)
{
    static const char *const members[] = {
        "engine_version", "mod_api_version", "game_module", "active_mods", "tick", "campaign"};
    ic_save *save = (ic_save *)base;
    const reprise_value *meta = save->metadata;
    const ic_save_header *h = &save->header;
    rp_set_text_if(doc, info, "title", rp_get_text(meta, "save_name"));
    set_map(doc, info, meta);
    rp_set_text_if(doc, info, "date", rp_get_text(meta, "timestamp"));
    reprise_value *time = rp_get(meta, "game_time_seconds");
    if (time)
        rp_set(doc, info, "game_time", time);
    set_people(doc, info, meta);
    copy_members(doc, info, meta, members, RP_COUNT(members));
    set_compatibility(doc, info, meta);
    rp_set_bool(doc, info, "thumbnail", save->thumbnail_size > 0);
    reprise_value *parts = rp_set_array(doc, info, "parts");
    add_part(doc, parts, "metadata", h->metadata_offset, h->metadata_length);
    if (save->thumbnail_size)
        add_part(doc, parts, "thumbnail", save->thumbnail_offset, save->thumbnail_size);
    add_part(doc, parts, "payload", h->payload_offset, h->payload_length);
    RP_TRY(rp_info_private(doc, info, base, error));
    rp_set(doc, info, "warnings", save->warnings);
    rp_set(doc, info, "file_header", rp_record_value(doc, &ic_save_header_record, h));
    rp_set(doc, info, "header", save->metadata);
    return error->status;
}
