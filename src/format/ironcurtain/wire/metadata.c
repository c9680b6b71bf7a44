/*
 * metadata.c - the JSON document of replays and saves, and what it must not contain (specification,
 * 7.8).
 *
 * Shared files can identify people by more than names. So the keys of a replay are limited to a
 * list, and texts are searched for paths and network addresses.
 */
#include "ironcurtain/ironcurtain.h"

#include <ctype.h>
#include <stdio.h>

#include "json.h"

reprise_status ic_metadata_read(rp_replay *replay, uint32_t offset, uint32_t size,
                                reprise_value **ret_metadata, reprise_error *error)
{
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(replay->source, offset, size, &data, &spare, error));
    rp_doc doc = {.arena = &replay->arena, .error = error};
    reprise_value *metadata = NULL;
    rp_json_notes notes = {0};
    reprise_status status = rp_json_parse(&doc, (const char *)data, size, "metadata", &metadata,
                                          &notes);
    rp_free(replay->context, spare, spare ? size : 0);
    if (status == REPRISE_OK && reprise_value_kind_of(metadata) != REPRISE_VALUE_OBJECT)
        status = rp_error_set(error, REPRISE_E_CORRUPT, "metadata is not a JSON object");
    if (status == REPRISE_OK && notes.duplicate_keys)
        status = rp_error_set(error, REPRISE_E_CORRUPT, "metadata has the key '%s' twice",
                              notes.duplicate_key);
    if (status == REPRISE_OK && notes.bom)
        status = rp_error_set(error, REPRISE_E_CORRUPT, "metadata begins with a byte order mark");
    rp_error_place(error, "metadata", 0, "");
    if (status == REPRISE_OK)
        *ret_metadata = metadata;
    return status;
}

/* ---- the allow-list ---- */

/* Keys by their path; a list adds nothing to the path. */
static const char *const allowed[] = {
    "replay_id",
    "timestamp",
    "engine_version",
    "base_build",
    "data_version",
    "game_module",
    "active_mods",
    "active_mods.id",
    "active_mods.version",
    "map_name",
    "map_hash",
    "game_speed",
    "balance_preset",
    "total_ticks",
    "duration_seconds",
    "players",
    "players.slot",
    "players.name",
    "players.faction",
    "players.outcome",
    "players.apm_avg",
    "initial_rng_seed",
    "signed",
    "relay_server",
    "converted_from",
    "converted_from.source",
    "converted_from.original_file",
    "converted_from.original_mod",
    "converted_from.original_version",
    "converted_from.conversion_date",
    "converted_from.translation_warnings",
    "converted_from.diverged_at_tick",
    "branch_from",
    "branch_from.parent_replay_id",
    "branch_from.parent_replay_file_sha256",
    "branch_from.branch_tick",
    "branch_from.branch_state_hash",
    "branch_from.original_player_slot",
    "branch_from.ai_assignments",
    "branch_from.ai_assignments.slot",
    "branch_from.ai_assignments.preset",
    "branch_from.ai_assignments.difficulty",
};

static bool is_listed(const char *const *list, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], path) == 0)
            return true;
    }
    return false;
}

static bool is_allowed(const char *path)
{
    return is_listed(allowed, RP_COUNT(allowed), path);
}

/* ---- paths and addresses ---- */

static bool is_path(const char *text, size_t size)
{
    if (!size)
        return false;
    if (text[0] == '/' || memchr(text, '\\', size))
        return true;
    if (size >= 2 && text[0] == '~' && text[1] == '/')
        return true;
    return size >= 3 && isalpha((unsigned char)text[0]) && text[1] == ':' && text[2] == '/';
}

/* The length of an IPv4 address at the start of the text; 0 if there is none. */
static size_t ipv4_size(const char *text, size_t size)
{
    size_t at = 0;
    for (int part = 0; part < 4; part++) {
        unsigned value = 0, digits = 0;
        if (part && (at == size || text[at++] != '.'))
            return 0;
        for (; at < size && digits < 3 && isdigit((unsigned char)text[at]); at++, digits++)
            value = value * 10 + (unsigned)(text[at] - '0');
        if (!digits || value > 255)
            return 0;
    }
    return at;
}

/* IPv6: hexadecimal groups with "::" or all eight of them; times of day do not match. */
static size_t ipv6_size(const char *text, size_t size)
{
    size_t at = 0, colons = 0, digits = 0;
    bool gap = false;
    for (; at < size; at++) {
        if (text[at] == ':') {
            gap |= at + 1 < size && text[at + 1] == ':';
            colons++;
            digits = 0;
        } else if (!isxdigit((unsigned char)text[at]) || ++digits > 4) {
            break;
        }
    }
    bool whole = colons == 7 || (gap && colons >= 2 && colons <= 7);
    return whole && at > 2 ? at : 0;
}

/* A MAC address: six pairs of hexadecimal digits with the same separator. */
static size_t mac_size(const char *text, size_t size)
{
    enum { PAIRS = 6, LENGTH = 3 * PAIRS - 1 };
    if (size < LENGTH || (text[2] != ':' && text[2] != '-'))
        return 0;
    for (size_t i = 0; i < LENGTH; i++) {
        bool mark = i % 3 == 2;
        if (mark ? text[i] != text[2] : !isxdigit((unsigned char)text[i]))
            return 0;
    }
    return LENGTH;
}

static bool boundary(const char *text, size_t size, size_t at)
{
    return at >= size || !(isalnum((unsigned char)text[at]) || text[at] == '.');
}

static bool has_address(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (i && !boundary(text, size, i - 1))
            continue;
        const size_t sizes[] = {ipv4_size(text + i, size - i), ipv6_size(text + i, size - i),
                                mac_size(text + i, size - i)};
        for (size_t k = 0; k < RP_COUNT(sizes); k++) {
            if (sizes[k] && boundary(text, size, i + sizes[k]))
                return true;
        }
    }
    return false;
}

/* ---- the walk ---- */

typedef struct walk {
    ic_metadata_warning *warn;
    void *ctx;
    size_t count;
} walk;

static void report(walk *w, const rp_finding_kind *kind, const char *what, const char *path)
{
    char message[192];
    snprintf(message, sizeof message, "%s%s", what, path);
    w->warn(w->ctx, kind, message);
    w->count++;
}

static void check_text(walk *w, const char *key, const char *shown, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    if (!text)
        return;
    if (is_path(text, size))
        report(w, IC_FINDING(METADATA_PATH), "file path in ", shown);
    bool name = strcmp(key, "players.name") == 0;
    if (!name && has_address(text, size))
        report(w, IC_FINDING(METADATA_ADDRESS), "network address in ", shown);
}

/* `key` is the path in the allow-list, `shown` the one in messages, where lists have []. */
static void check_value(walk *w, const char *key, const char *shown, const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    if (kind == REPRISE_VALUE_STRING)
        check_text(w, key, shown, value);
    if (kind != REPRISE_VALUE_ARRAY && kind != REPRISE_VALUE_OBJECT)
        return;
    for (size_t i = 0; i < reprise_value_count(value); i++) {
        char inner[128], inner_shown[128];
        if (kind == REPRISE_VALUE_ARRAY) {
            snprintf(inner_shown, sizeof inner_shown, "%s[]", shown);
            check_value(w, key, inner_shown, reprise_value_at(value, i));
            continue;
        }
        const char *name = reprise_value_key(value, i);
        snprintf(inner, sizeof inner, "%s%s%s", key, *key ? "." : "", name);
        snprintf(inner_shown, sizeof inner_shown, "%s%s%s", shown, *shown ? "." : "", name);
        if (!is_allowed(inner))
            report(w, IC_FINDING(METADATA_KEY), "metadata key not on the allow-list: ", inner);
        check_value(w, inner, inner_shown, reprise_value_at(value, i));
    }
}

size_t ic_metadata_check(const reprise_value *metadata, ic_metadata_warning *warn, void *ctx)
{
    walk w = {.warn = warn, .ctx = ctx};
    check_value(&w, "", "", metadata);
    return w.count;
}

/* ---- taking it out ---- */

/* The known keys of saves (specification, 8). Others are allowed and dropped only on request. */
static const char *const save_keys[] = {
    "save_name",
    "timestamp",
    "engine_version",
    "mod_api_version",
    "game_module",
    "active_mods",
    "active_mods.id",
    "active_mods.version",
    "map_name",
    "tick",
    "game_time_seconds",
    "players",
    "players.name",
    "players.faction",
    "players.is_human",
    "campaign",
    "campaign.campaign_id",
    "campaign.mission_id",
    "campaign.flags",
    "thumbnail",
};

static bool is_known(const ic_cleaning *c, const char *path)
{
    static const char flags[] = "campaign.flags.";
    if (!c->of_save)
        return is_allowed(path);
    return is_listed(save_keys, RP_COUNT(save_keys), path) ||
           strncmp(path, flags, sizeof flags - 1) == 0;
}

/* Keeps the last part of a path, and nothing of a text with an address. */
static reprise_value *clean_text(const ic_cleaning *c, const char *key, const reprise_value *value)
{
    size_t size = 0, start = 0;
    const char *text = reprise_value_text(value, &size);
    bool path = is_path(text, size);
    bool address = strcmp(key, "players.name") != 0 && has_address(text, size);
    if (!path && !address)
        return rp_copy(c->doc, value);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '/' || text[i] == '\\')
            start = i + 1;
    }
    bool keeps = path && !has_address(text + start, size - start);
    const char *to = keeps ? text + start : "";
    c->replaced(c->ctx, path ? "file path" : "network address", text, to);
    return rp_new_text(c->doc, to);
}

/* Drops an unknown key with everything below it and reports what identifies people there. */
static void report_texts(const ic_cleaning *c, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    if (text && (is_path(text, size) || has_address(text, size)))
        c->replaced(c->ctx, is_path(text, size) ? "file path" : "network address", text, "");
    for (size_t i = 0; i < reprise_value_count(value); i++)
        report_texts(c, reprise_value_at(value, i));
}

static reprise_value *clean_value(const ic_cleaning *c, const char *key, const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    if (kind == REPRISE_VALUE_STRING)
        return clean_text(c, key, value);
    if (kind != REPRISE_VALUE_ARRAY && kind != REPRISE_VALUE_OBJECT)
        return rp_copy(c->doc, value);
    bool list = kind == REPRISE_VALUE_ARRAY;
    reprise_value *to = list ? rp_new_array(c->doc) : rp_new_object(c->doc);
    for (size_t i = 0; i < reprise_value_count(value); i++) {
        const reprise_value *member = reprise_value_at(value, i);
        if (list) {
            rp_push(c->doc, to, clean_value(c, key, member));
            continue;
        }
        char inner[128];
        const char *name = reprise_value_key(value, i);
        snprintf(inner, sizeof inner, "%s%s%s", key, *key ? "." : "", name);
        if (is_known(c, inner)) {
            rp_set(c->doc, to, name, clean_value(c, inner, member));
        } else {
            report_texts(c, member);
            c->dropped(c->ctx, inner);
        }
    }
    return to;
}

reprise_value *ic_metadata_clean(const ic_cleaning *cleaning, const reprise_value *metadata)
{
    return clean_value(cleaning, "", metadata);
}

static const double default_tick = 66667 / 1e6; /* "slower", which is the engine's default */

/* The tick interval of the game speed in the metadata; 0 if the speed is missing or unknown. */
static double speed_tick(const reprise_value *metadata)
{
    static const struct {
        const char *name;
        double microseconds;
    } speeds[] = {
        {"slowest", 80000}, {"slower", 66667},  {"normal", 50000},
        {"faster", 35000},  {"fastest", 20000},
    };
    const char *speed = rp_get_text(metadata, "game_speed");
    for (size_t i = 0; speed && i < RP_COUNT(speeds); i++) {
        if (strcmp(speeds[i].name, speed) == 0)
            return speeds[i].microseconds / 1e6;
    }
    return 0;
}

double ic_tick_seconds(const reprise_value *metadata, uint64_t total_ticks)
{
    double tick = speed_tick(metadata);
    if (tick > 0)
        return tick;
    double duration = reprise_value_double(rp_get(metadata, "duration_seconds"), 0);
    return duration > 0 && total_ticks ? duration / (double)total_ticks : default_tick;
}

/*
 * The published example counts its ticks at the default speed although it names another one, so
 * both are accepted. Durations are rounded to seconds.
 */
bool ic_duration_fits(const reprise_value *metadata, uint64_t total_ticks, double duration)
{
    const double ticks[] = {speed_tick(metadata), default_tick};
    for (size_t i = 0; i < RP_COUNT(ticks); i++) {
        double seconds = ticks[i] * (double)total_ticks;
        double tolerance = 1 + seconds / 100;
        if (ticks[i] > 0 && duration >= seconds - tolerance && duration <= seconds + tolerance)
            return true;
    }
    return speed_tick(metadata) <= 0 && duration > 0 && total_ticks > 0;
}

/* ---- from callers ---- */

reprise_status ic_metadata_parse(rp_arena *arena, const char *metadata, reprise_value **ret_value,
                                 reprise_error *error)
{
    rp_doc doc = {.arena = arena, .error = error};
    rp_json_notes notes = {0};
    size_t size = strlen(metadata);
    if (size > IC_METADATA_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "metadata larger than 1 MiB");
    RP_TRY(rp_json_parse(&doc, metadata, size, "metadata", ret_value, &notes));
    if (notes.bom || notes.duplicate_keys ||
        reprise_value_kind_of(*ret_value) != REPRISE_VALUE_OBJECT)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "metadata must be one JSON object without duplicate keys and without a "
                            "byte order mark");
    return REPRISE_OK;
}

static void refuse(void *ctx, const rp_finding_kind *kind, const char *message)
{
    RP_UNUSED(kind);
    rp_error_set(ctx, REPRISE_E_USAGE, "%s", message);
}

reprise_status ic_metadata_accept(rp_arena *arena, const char *metadata, reprise_value **ret_value,
                                  reprise_error *error)
{
    RP_TRY(ic_metadata_parse(arena, metadata, ret_value, error));
    return ic_metadata_check(*ret_value, refuse, error) ? error->status : REPRISE_OK;
}
