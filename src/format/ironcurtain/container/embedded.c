/*
 * embedded.c - reads and checks maps and rules embedded in a replay (specification, 7.7). Nothing
 * is written here.
 */
#include "schema_unknown.h"

#include <ctype.h>
#include <stdio.h>

reprise_status ic_embedded_load(ic_replay *replay, rp_arena *arena, ic_embedded *ret_embedded,
                                reprise_error *error)
{
    const ic_section *section = &replay->sections[IC_EMBEDDED];
    *ret_embedded = (ic_embedded){0};
    if (!section->present)
        return REPRISE_OK;
    uint8_t *data = rp_arena_alloc(arena, section->size, error);
    if (!data)
        return error->status;
    RP_TRY(rp_source_read(replay->base.source, section->offset, data, section->size, error));
    rp_reader r = rp_reader_of(data, section->size, "embedded", error);
    rp_bincode_read(&r, arena, &ic_embedded_record, ret_embedded);
    if (rp_ok(&r) && rp_left(&r))
        rp_fail(&r, REPRISE_E_CORRUPT, "", "%zu trailing bytes", rp_left(&r));
    return replay->base.salvage ? error->status
                                : ic_schema_unknown(error, "embedded", "bounds hold");
}

const char *ic_embedded_mode(const ic_embedded *embedded)
{
    const ic_manifest *manifest = embedded->mod_manifest;
    if (!embedded->map_data)
        return manifest || embedded->initial_state || embedded->balance_preset ? "Other"
                                                                               : "Minimal";
    return manifest && manifest->rules.count ? "SelfContained" : "MapEmbedded";
}

reprise_status ic_embedded_unpack(ic_replay *replay, const ic_bytes *packed, uint64_t size_max,
                                  rp_writer *to, reprise_error *error)
{
    RP_UNUSED(replay);
    rp_lz4_limits limits = {.size_max = size_max, .ratio_max = IC_RATIO_MAX};
    rp_reader r = rp_reader_of(packed->value.data, packed->value.size, "embedded", error);
    to->error = error;
    (void)rp_lz4_read(&r, limits, to);
    return error->status;
}

/* ---- rules ---- */

static bool ends_with(const rp_text *text, const char *end)
{
    size_t size = strlen(end);
    if (text->size < size)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (tolower((unsigned char)text->data[text->size - size + i]) != end[i])
            return false;
    }
    return true;
}

/* Relative, parts separated by single slashes, none of them "." or "..". */
static bool safe_path(const rp_text *path)
{
    size_t start = 0;
    if (!path->size)
        return false;
    for (size_t i = 0; i <= path->size; i++) {
        char c = i < path->size ? path->data[i] : '/';
        if (c == '\\' || c == ':' || c == '\0')
            return false;
        if (c != '/')
            continue;
        size_t part = i - start;
        const char *at = path->data + start;
        if (!part || (part == 1 && at[0] == '.') || (part == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        start = i + 1;
    }
    return true;
}

/* The next network address at or after `from`; SIZE_MAX if there is none. */
static size_t find_url(const rp_text *text, size_t from)
{
    static const char *const schemes[] = {"http://", "https://", "ftp://", "ws://", "wss://"};
    for (size_t i = from; i < text->size; i++) {
        for (size_t k = 0; k < RP_COUNT(schemes); k++) {
            size_t size = strlen(schemes[k]), same = 0;
            while (same < size && i + same < text->size &&
                   tolower((unsigned char)text->data[i + same]) == schemes[k][same])
                same++;
            if (same == size)
                return i;
        }
    }
    return SIZE_MAX;
}

static bool ends_url(char c)
{
    return (unsigned char)c <= ' ' || strchr("\"'<>[],", c) != NULL;
}

rp_text ic_rule_text(const ic_rule *rule, rp_arena *arena, reprise_error *error)
{
    static const char placeholder[] = "about:blank";
    const rp_text *from = &rule->yaml;
    rp_writer out;
    rp_writer_init(&out, arena->context, SIZE_MAX / 2, error);
    for (size_t at = 0; at < from->size;) {
        size_t url = find_url(from, at);
        rp_put(&out, from->data + at, RP_MIN(url, from->size) - at);
        if (url == SIZE_MAX)
            break;
        rp_put(&out, placeholder, sizeof placeholder - 1);
        for (at = url; at < from->size && !ends_url(from->data[at]);)
            at++;
    }
    rp_text text = {rp_arena_text(arena, out.data, out.size, error), out.size};
    rp_writer_free(&out);
    return text;
}

static reprise_status refuse(reprise_error *error, size_t rule, const char *what,
                             const rp_text *path)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "%s: %.*s", what, (int)RP_MIN(path->size, (size_t)80),
                 path->data);
    rp_error_place(error, "embedded", 0, "");
    rp_error_at(error, "rules[%zu]", rule);
    return error->status;
}

reprise_status ic_rule_check(const ic_rule *rule, size_t index, bool writing, reprise_error *error)
{
    if (!safe_path(&rule->path))
        return refuse(error, index, "unsafe embedded path", &rule->path);
    if (!ends_with(&rule->path, ".yaml") && !ends_with(&rule->path, ".yml"))
        return refuse(error, index, "embedded content type not allowed", &rule->path);
    if (rule->yaml.size && memchr(rule->yaml.data, 0, rule->yaml.size))
        return refuse(error, index, "embedded rule contains NUL", &rule->path);
    /* The profile does not restrict ids: an id that is not a file name is read but not written. */
    if (writing && (!safe_path(&rule->mod_id) || memchr(rule->mod_id.data, '/', rule->mod_id.size)))
        return refuse(error, index, "unsafe mod id", &rule->mod_id);
    return REPRISE_OK;
}

static reprise_status check_rule(ic_replay *replay, const ic_rule *rule, size_t index,
                                 reprise_error *error)
{
    RP_TRY(ic_rule_check(rule, index, false, error));
    if (find_url(&rule->yaml, 0) != SIZE_MAX)
        ic_warn(&replay->base, replay->warnings, IC_FINDING(EMBEDDED_URL),
                replay->sections[IC_EMBEDDED].offset, "external URL in embedded rule %.*s",
                (int)RP_MIN(rule->path.size, (size_t)100), rule->path.data);
    return REPRISE_OK;
}

bool ic_hash_matches(const char *text, const uint8_t digest[IC_HASH_SIZE])
{
    char wanted[7 + 2 * IC_HASH_SIZE + 1] = "sha256:";
    for (size_t i = 0; i < IC_HASH_SIZE; i++)
        snprintf(wanted + 7 + 2 * i, 3, "%02x", digest[i]);
    return text && strcmp(text, wanted) == 0;
}

static reprise_status compare_map(const reprise_value *metadata, const void *map, size_t size,
                                  ic_hasher *hasher, reprise_error *error)
{
    uint8_t digest[IC_HASH_SIZE];
    ic_digest(hasher, map, size, digest);
    if (ic_hash_matches(rp_get_text(metadata, "map_hash"), digest))
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_CORRUPT, "embedded map does not match map_hash");
    rp_error_place(error, "embedded", 0, "map_data");
    return error->status;
}

reprise_status ic_map_check(const reprise_value *metadata, const void *map, size_t size,
                            rp_context *context, reprise_error *error)
{
    ic_hasher hasher;
    reprise_status status = ic_hasher_init(&hasher, context, error);
    if (status == REPRISE_OK)
        status = compare_map(metadata, map, size, &hasher, error);
    ic_hasher_free(&hasher);
    return status;
}

/* ---- scripts in maps ---- */

bool ic_is_script(const char *name, const void *data, size_t size)
{
    static const char *const suffixes[] = {".lua", ".luac", ".wasm", ".wat"};
    static const char *const signatures[] = {"\x1bLua", "\0asm"};
    const rp_text text = {name, strlen(name)};
    for (size_t i = 0; i < RP_COUNT(suffixes); i++) {
        if (ends_with(&text, suffixes[i]))
            return true;
    }
    for (size_t i = 0; i < RP_COUNT(signatures); i++) {
        if (size >= 4 && memcmp(data, signatures[i], 4) == 0)
            return true;
    }
    return false;
}

static void warn_of_script(ic_replay *replay, const char *name)
{
    ic_warn(&replay->base, replay->warnings, IC_FINDING(EMBEDDED_SCRIPT),
            replay->sections[IC_EMBEDDED].offset, "script in the embedded map: %.100s", name);
}

/* The first bytes of an entry; fewer if it cannot be read, which extracting it will report. */
static size_t read_start(rp_zip *zip, size_t index, uint8_t start[4], reprise_error *error)
{
    rp_stream *stream = NULL;
    size_t size = 0, n = 1;
    if (rp_zip_open_entry(zip, index, "embedded map", IC_RATIO_MAX, &stream, error) != REPRISE_OK)
        return 0;
    while (size < 4 && n && error->status == REPRISE_OK) {
        if (rp_stream_read(stream, start + size, 4 - size, &n, error) == REPRISE_OK)
            size += n;
    }
    rp_stream_close(stream);
    return size;
}

static reprise_status look_for_scripts(ic_replay *replay, rp_zip *zip, reprise_error *error)
{
    for (size_t i = 0; i < rp_zip_count(zip); i++) {
        const char *name = rp_zip_entry_at(zip, i)->name;
        reprise_error damage = REPRISE_ERROR_INIT;
        uint8_t start[4];
        size_t size = read_start(zip, i, start, &damage);
        if (rp_is_own_failure(replay->base.context, damage.status)) {
            *error = damage;
            return error->status;
        }
        if (ic_is_script(name, start, size))
            warn_of_script(replay, name);
    }
    return REPRISE_OK;
}

/* A map is a file or an archive. One that is no sound archive is refused when it is extracted. */
static reprise_status warn_of_scripts(ic_replay *replay, const rp_writer *map, reprise_error *error)
{
    rp_context *context = replay->base.context;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_source *source = NULL;
    rp_zip *zip = NULL;
    if (ic_is_script("", map->data, map->size))
        warn_of_script(replay, "map.bin");
    if (map->size < 4 || memcmp(map->data, "PK\3\4", 4) != 0)
        return REPRISE_OK;
    RP_TRY(rp_source_open_memory(context, map->data, map->size, &source, error));
    reprise_status status = rp_zip_open(context, source, &zip, &damage);
    if (status == REPRISE_OK)
        status = look_for_scripts(replay, zip, &damage);
    rp_zip_close(zip);
    rp_source_close(source);
    if (!rp_is_own_failure(context, status))
        return REPRISE_OK;
    *error = damage;
    return status;
}

static reprise_status check_map(ic_replay *replay, const ic_bytes *map, ic_hasher *hasher,
                                rp_writer *bytes, reprise_error *error)
{
    RP_TRY(ic_embedded_unpack(replay, map, IC_MAP_MAX, bytes, error));
    RP_TRY(compare_map(replay->metadata, bytes->data, bytes->size, hasher, error));
    return warn_of_scripts(replay, bytes, error);
}

/* The initial state must be a valid snapshot of tick 0. */
static reprise_status check_initial(ic_replay *replay, const ic_bytes *initial, rp_writer *bytes,
                                    reprise_error *error)
{
    RP_TRY(ic_embedded_unpack(replay, initial, IC_UNIT_MAX, bytes, error));
    rp_arena arena;
    rp_arena_init(&arena, replay->base.context);
    rp_reader r = rp_reader_of(bytes->data, bytes->size, "embedded", error);
    ic_snapshot snapshot;
    ic_archetypes groups;
    ic_rest rest;
    bool decoded = ic_snapshot_read_open(&r, &arena, &snapshot, &groups, &rest);
    if (decoded && ic_core_check(&snapshot.core, &arena, error) == REPRISE_OK && snapshot.core.tick)
        rp_error_set(error, REPRISE_E_CORRUPT, "the initial state is of tick %llu",
                     (unsigned long long)snapshot.core.tick);
    rp_error_place(error, "embedded", 0, "initial_state");
    if ((!decoded || ic_is_about_types(error)) && !replay->base.salvage)
        (void)ic_schema_unknown(error, "initial_state", "bounds and LZ4 hold");
    rp_arena_free(&arena);
    return error->status;
}

static reprise_status check_packed(ic_replay *replay, const ic_embedded *embedded,
                                   ic_hasher *hasher, rp_writer *bytes, reprise_error *error)
{
    if (embedded->map_data)
        RP_TRY(check_map(replay, embedded->map_data, hasher, bytes, error));
    if (embedded->initial_state)
        RP_TRY(check_initial(replay, embedded->initial_state, bytes, error));
    return REPRISE_OK;
}

reprise_status ic_embedded_check(ic_replay *replay, const ic_embedded *embedded,
                                 reprise_error *error)
{
    const ic_manifest *manifest = embedded->mod_manifest;
    for (size_t i = 0; manifest && i < manifest->rules.count; i++)
        RP_TRY(check_rule(replay, (const ic_rule *)manifest->rules.items + i, i, error));
    ic_hasher hasher;
    rp_writer bytes;
    rp_writer_init(&bytes, replay->base.context, IC_UNIT_MAX + 1, error);
    reprise_status status = ic_hasher_init(&hasher, replay->base.context, error);
    if (status == REPRISE_OK)
        status = check_packed(replay, embedded, &hasher, &bytes, error);
    ic_hasher_free(&hasher);
    rp_writer_free(&bytes);
    return status;
}
