/*
 * compat.c - whether a host can load a save or play a replay (specification, 16): compares
 * versions, modules and rules. Files can be inspected whatever the answer is.
 */
#include "compat.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ironcurtain/container/schema_unknown.h"

enum { VERSION_PARTS = 4 };

typedef struct version {
    uint32_t part[VERSION_PARTS];
} version;

/* Numbers separated by dots; a suffix ("-beta") is ignored. */
static bool parse_version(const char *text, version *ret)
{
    *ret = (version){{0}};
    for (size_t i = 0; i < VERSION_PARTS; i++) {
        uint64_t number = 0;
        size_t digits = 0;
        for (; *text >= '0' && *text <= '9' && digits < 9; digits++)
            number = 10 * number + (uint64_t)(*text++ - '0');
        if (!digits)
            return i > 0;
        ret->part[i] = (uint32_t)number;
        if (*text != '.')
            return true;
        text++;
    }
    return true;
}

static int compare(const version *a, const version *b)
{
    for (size_t i = 0; i < VERSION_PARTS; i++) {
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    }
    return 0;
}

/* Keeps the worst answer and its reason. */
static void answer(reprise_ic_compat *fit, reprise_ic_verdict verdict, const char *format, ...)
    REPRISE_PRINTF(3, 4);
static void answer(reprise_ic_compat *fit, reprise_ic_verdict verdict, const char *format, ...)
{
    if (verdict <= fit->verdict)
        return;
    fit->verdict = verdict;
    va_list args;
    va_start(args, format);
    vsnprintf(fit->message, sizeof fit->message, format, args);
    va_end(args);
}

static const char *text_of(const reprise_value *metadata, const char *key)
{
    const char *text = rp_get_text(metadata, key);
    return text ? text : "";
}

/* ---- migrations ---- */

const ic_migration *ic_migration_for(const ic_migrations *all, const char *from, const char *host)
{
    version start, end, at;
    if (!parse_version(from, &at) || !parse_version(host, &end))
        return NULL;
    for (const ic_migration *m = all ? all->first : NULL; m; m = m->next) {
        version to;
        bool known = parse_version(m->from, &start) && parse_version(m->to, &to);
        if (known && compare(&start, &at) <= 0 && compare(&at, &to) < 0 && compare(&to, &end) <= 0)
            return m;
    }
    return NULL;
}

reprise_status ic_migration_check(const char *from, const char *to, reprise_error *error)
{
    version a, b;
    if (!parse_version(from, &a) || !parse_version(to, &b) || compare(&a, &b) >= 0)
        return rp_error_set(error, REPRISE_E_USAGE, "a migration must lead to a later version");
    return REPRISE_OK;
}

/* ---- saves ---- */

static void fit_mod_api(const reprise_value *metadata, const char *wanted, reprise_ic_compat *fit)
{
    const char *made = text_of(metadata, "mod_api_version");
    version a, b;
    if (!parse_version(made, &a) || !parse_version(wanted, &b))
        answer(fit, REPRISE_IC_WARN, "mod_api_version '%.40s' is not a version", made);
    else if (a.part[0] != b.part[0])
        answer(fit, REPRISE_IC_REFUSE, "made for mod interface %.40s, this host has %.40s", made,
               wanted);
    else if (compare(&a, &b) != 0)
        answer(fit, REPRISE_IC_NOTE, "made for mod interface %.40s, this host has %.40s", made,
               wanted);
}

static void fit_engine(const reprise_value *metadata, const char *wanted,
                       const ic_migrations *migrations, reprise_ic_compat *fit)
{
    const char *made = text_of(metadata, "engine_version");
    version a, b;
    if (!parse_version(made, &a) || !parse_version(wanted, &b)) {
        answer(fit, REPRISE_IC_WARN, "engine_version '%.40s' is not a version", made);
        return;
    }
    int order = compare(&a, &b);
    if (order > 0)
        answer(fit, REPRISE_IC_WARN, "made by a newer engine: %.40s, this is %.40s", made, wanted);
    else if (order < 0 && ic_migration_for(migrations, made, wanted))
        answer(fit, REPRISE_IC_MIGRATE, "made by engine %.40s: migrated to %.40s", made, wanted);
    else if (order < 0)
        answer(fit, REPRISE_IC_WARN, "made by an older engine: %.40s, this is %.40s", made, wanted);
}

void ic_save_fit(const ic_save *save, const reprise_ic_host_info *host,
                 const ic_migrations *migrations, reprise_ic_compat *fit)
{
    if (host->mod_api_version)
        fit_mod_api(save->metadata, host->mod_api_version, fit);
    if (host->engine_version)
        fit_engine(save->metadata, host->engine_version, migrations, fit);
}

/* ---- replays ---- */

static int by_name(const void *x, const void *y)
{
    const ic_rule *a = x, *b = y;
    int order = rp_text_order(&a->mod_id, &b->mod_id);
    return order ? order : rp_text_order(&a->path, &b->path);
}

reprise_status ic_data_version(const reprise_ic_rule_list *rules, rp_arena *arena,
                               ic_hasher *hasher, char ret[IC_DATA_VERSION_SIZE],
                               reprise_error *error)
{
    rp_writer w;
    uint8_t digest[IC_HASH_SIZE];
    ic_rule *sorted = rp_arena_array(arena, RP_MAX(rules->count, 1), sizeof *sorted, error);
    if (!sorted)
        return error->status;
    if (rules->count)
        memcpy(sorted, rules->items, rules->count * sizeof *sorted);
    qsort(sorted, rules->count, sizeof *sorted, by_name);
    rp_writer_init(&w, arena->context, UINT32_MAX, error);
    rp_put_u64(&w, rules->count);
    for (size_t i = 0; i < rules->count; i++)
        rp_bincode_write(&w, &ic_rule_record, &sorted[i]);
    ic_digest(hasher, w.data, w.size, digest);
    rp_writer_free(&w);
    memcpy(ret, "sha256:", 7);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(ret + 7 + 2 * i, 3, "%02x", digest[i]);
    return error->status;
}

bool ic_brings_rules(ic_replay *replay, const char *wanted)
{
    rp_arena arena;
    ic_hasher hasher;
    ic_embedded embedded;
    char found[IC_DATA_VERSION_SIZE] = "";
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_arena_init(&arena, replay->base.context);
    if (ic_hasher_init(&hasher, replay->base.context, &ignored) == REPRISE_OK &&
        ic_embedded_load(replay, &arena, &embedded, &ignored) == REPRISE_OK &&
        embedded.mod_manifest) {
        const ic_manifest *manifest = embedded.mod_manifest;
        (void)ic_data_version(&manifest->rules, &arena, &hasher, found, &ignored);
    }
    /* Unreadable rules are not the same as no rules. */
    if (ic_is_schema_unknown(&ignored))
        ic_note_unknown(replay, IC_EMBEDDED, &ignored);
    ic_hasher_free(&hasher);
    rp_arena_free(&arena);
    return ignored.status == REPRISE_OK && strcmp(found, wanted) == 0;
}

void ic_replay_fit(ic_replay *replay, const reprise_ic_host_info *host, reprise_ic_compat *fit)
{
    const reprise_value *meta = replay->metadata;
    int64_t build = reprise_value_int(rp_get(meta, "base_build"), -1);
    if (build != replay->header.version)
        answer(fit, REPRISE_IC_REFUSE, "base_build %lld differs from the file's version %u",
               (long long)build, replay->header.version);
    const char *module = text_of(meta, "game_module");
    if (host->game_module && strcmp(host->game_module, module) != 0)
        answer(fit, REPRISE_IC_REFUSE, "a replay of game module '%.40s', not '%.40s'", module,
               host->game_module);
    const char *rules = text_of(meta, "data_version");
    bool there = (host->has_rules && host->has_rules(host->ctx, rules)) ||
                 ic_brings_rules(replay, rules);
    if (!there)
        answer(fit, REPRISE_IC_REFUSE, "its rules %.80s are neither embedded nor available", rules);
}
