/*
 * embed.c - adds, changes or removes embedded resources (specification, 14). Only the embedded
 * section is rewritten; all others are copied byte for byte, so hashes and signatures stay valid.
 */
#include "ironcurtain/container/schema_unknown.h"
#include "ironcurtain/read/compat.h"
#include "write.h"

/* ---- making the section ---- */

static ic_bytes *pack(rp_arena *arena, const void *data, size_t size, rp_lz4_level level,
                      reprise_error *error)
{
    ic_bytes *bytes = rp_arena_alloc(arena, sizeof *bytes, error);
    rp_writer packed;
    rp_writer_init(&packed, arena->context, UINT32_MAX, error);
    rp_lz4_write(&packed, data, size, level);
    if (bytes && error->status == REPRISE_OK)
        *bytes = (ic_bytes){{rp_arena_text(arena, packed.data, packed.size, error), packed.size}};
    rp_writer_free(&packed);
    return bytes;
}

static ic_bytes *pack_state(rp_arena *arena, const ic_snapshot *snapshot, rp_lz4_level level,
                            reprise_error *error)
{
    rp_writer raw;
    rp_writer_init(&raw, arena->context, IC_UNIT_MAX, error);
    rp_bincode_write(&raw, &ic_snapshot_record, snapshot);
    ic_bytes *bytes = pack(arena, raw.data, raw.size, level, error);
    rp_writer_free(&raw);
    return bytes;
}

bool ic_map_is_referenced(const reprise_ic_embedding *with)
{
    return with->map && with->map_size > IC_MAP_MAX;
}

bool ic_embedded_is_empty(const ic_embedded *embedded)
{
    const ic_manifest *manifest = embedded->mod_manifest;
    return !embedded->map_data && !(manifest && (manifest->rules.count || manifest->mods.count)) &&
           !embedded->balance_preset && !embedded->initial_state;
}

reprise_status ic_embedded_fill(ic_embedded *to, const reprise_ic_embedding *with,
                                const reprise_value *metadata, rp_lz4_level level, rp_arena *arena,
                                reprise_error *error)
{
    const ic_manifest *manifest = with->manifest;
    if (with->map) {
        RP_TRY(ic_map_check(metadata, with->map, with->map_size, arena->context, error));
        to->map_data = ic_map_is_referenced(with)
                           ? NULL
                           : pack(arena, with->map, with->map_size, level, error);
    }
    for (size_t i = 0; manifest && i < manifest->rules.count; i++)
        RP_TRY(ic_rule_check(&manifest->rules.items[i], i, true, error));
    if (manifest)
        to->mod_manifest = (void *)(uintptr_t)manifest;
    if (with->balance_preset) {
        ic_text *preset = rp_arena_alloc(arena, sizeof *preset, error);
        if (preset)
            *preset = (ic_text){with->balance_preset, strlen(with->balance_preset)};
        to->balance_preset = preset;
    }
    if (with->initial_state && with->initial_state->core.tick)
        return rp_error_set(error, REPRISE_E_USAGE, "the initial state is that of tick 0");
    if (with->initial_state) {
        RP_TRY(ic_core_check(&with->initial_state->core, arena, error));
        to->initial_state = pack_state(arena, with->initial_state, level, error);
    }
    return error->status;
}

/* ---- the three modes ---- */

static reprise_status missing(reprise_error *error, const char *what, reprise_hint advice)
{
    rp_error_set(error, REPRISE_E_USAGE, "this mode needs %s, and the replay has none", what);
    rp_error_advise(error, advice);
    return error->status;
}

/* A host would refuse a replay with rules that the match was not played by. */
static reprise_status check_version(const ic_replay *replay, const reprise_ic_rule_list *rules,
                                    rp_arena *arena, reprise_error *error)
{
    ic_hasher hasher;
    char found[IC_DATA_VERSION_SIZE] = "";
    const char *wanted = rp_get_text(replay->metadata, "data_version");
    reprise_status status = ic_hasher_init(&hasher, arena->context, error);
    if (status == REPRISE_OK)
        status = ic_data_version(rules, arena, &hasher, found, error);
    ic_hasher_free(&hasher);
    RP_TRY(status);
    if (wanted && strcmp(wanted, found) == 0)
        return REPRISE_OK;
    return rp_error_set(
        error, REPRISE_E_USAGE,
        "the rules do not belong to this match: data_version %.20s... instead of %.20s...", found,
        wanted ? wanted : "none");
}

static reprise_status drop_rules(ic_embedded *embedded, rp_arena *arena, reprise_error *error)
{
    if (!embedded->mod_manifest)
        return REPRISE_OK;
    ic_manifest *manifest = rp_arena_alloc(arena, sizeof *manifest, error);
    if (!manifest)
        return error->status;
    *manifest = *(const ic_manifest *)embedded->mod_manifest;
    manifest->rules = (reprise_ic_rule_list){0};
    embedded->mod_manifest = manifest;
    return REPRISE_OK;
}

static reprise_status choose(ic_replay *replay, reprise_ic_embedding_mode mode,
                             const reprise_ic_embedding *with, rp_arena *arena,
                             ic_embedded *ret_embedded, reprise_error *error)
{
    RP_TRY(ic_embedded_load(replay, arena, ret_embedded, error));
    RP_TRY(ic_embedded_fill(ret_embedded, with, replay->metadata, RP_LZ4_BALANCED, arena, error));
    const ic_manifest *manifest = ret_embedded->mod_manifest;
    if (!ret_embedded->map_data && !ic_map_is_referenced(with))
        return missing(error, "the map", REPRISE_HINT_MAP);
    if (mode == REPRISE_IC_MAP_EMBEDDED)
        return drop_rules(ret_embedded, arena, error);
    if (!manifest || !manifest->rules.count)
        return missing(error, "rules", REPRISE_HINT_RULES);
    return check_version(replay, &manifest->rules, arena, error);
}

static reprise_status put_section(ic_replay *replay, reprise_ic_embedding_mode mode,
                                  const reprise_ic_embedding *with, rp_writer *to,
                                  reprise_error *error)
{
    rp_arena arena;
    ic_embedded embedded;
    rp_arena_init(&arena, replay->base.context);
    reprise_status status = choose(replay, mode, with, &arena, &embedded, error);
    if (status == REPRISE_OK)
        status = ic_embedded_check(replay, &embedded, error);
    if (status == REPRISE_OK && !ic_embedded_is_empty(&embedded))
        rp_bincode_write(to, &ic_embedded_record, &embedded);
    rp_arena_free(&arena);
    return error->status;
}

reprise_status ic_embed(ic_replay *replay, reprise_ic_embedding_mode mode,
                        const reprise_ic_embedding *with, rp_sink *sink, reprise_error *error)
{
    if (replay->live) {
        rp_error_set(error, REPRISE_E_UNSUPPORTED, "the recording is not finished");
        rp_error_advise(error, REPRISE_HINT_RECOVER);
        return error->status;
    }
    RP_TRY(ic_decode_all(replay, error));
    ic_section_writer parts;
    ic_section_writer_init(&parts, replay->base.context, sink, error);
    parts.header = replay->header;
    parts.header.flags = replay->flags;
    for (size_t i = 0; i < IC_EMBEDDED; i++)
        ic_section_writer_keep(&parts, replay, (ic_section_kind)i);
    reprise_status status = REPRISE_OK;
    if (mode != REPRISE_IC_MINIMAL)
        status = put_section(replay, mode, with, &parts.of[IC_EMBEDDED], error);
    if (status == REPRISE_OK)
        status = ic_section_writer_write(&parts, sink, error);
    ic_section_writer_free(&parts);
    return status;
}
