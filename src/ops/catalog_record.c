/* catalog_record.c - what a catalog holds about a file, as a document. */
#include <stdio.h>

#include "catalog.h"
#include "hash.h"
#include "json.h"
#include "writer.h"

enum {
    DEPTH_MAX = 4,      /* of nested objects that metrics are taken from */
    METRICS_MAX = 4000, /* of one file */
    NAME_MAX_BYTES = 160,
    PEOPLE_MAX = 4096,
    WORDS_MAX = 20000,
};

/* ---- metrics: every number of the statistics, by its path ---- */

typedef struct metrics {
    rp_doc *doc;
    reprise_value *list;
} metrics;

static void add_metric(metrics *m, const char *name, const char *player, const reprise_value *value)
{
    if (reprise_value_count(m->list) >= METRICS_MAX)
        return;
    reprise_value *one = rp_push_object(m->doc, m->list);
    rp_set_text(m->doc, one, "name", name);
    rp_set_text(m->doc, one, "player", player);
    rp_set_f64(m->doc, one, "value", reprise_value_double(value, 0));
}

/* The name of an element of a list of players, or its number as text. */
static void player_label(const reprise_value *player, char to[NAME_MAX_BYTES])
{
    static const char *const numbers[] = {"player", "client", "house", "slot"};
    const char *name = rp_get_text(player, "name");
    snprintf(to, NAME_MAX_BYTES, "%s", name ? name : "");
    for (size_t i = 0; !name && i < RP_COUNT(numbers); i++) {
        const reprise_value *number = rp_get(player, numbers[i]);
        if (!number)
            continue;
        snprintf(to, NAME_MAX_BYTES, "#%lld", (long long)reprise_value_int(number, 0));
        return;
    }
}

static void add_metrics(metrics *m, const char *prefix, const char *player,
                        const reprise_value *object, unsigned depth)
{
    for (size_t i = 0; i < reprise_value_count(object) && depth < DEPTH_MAX; i++) {
        const reprise_value *value = reprise_value_at(object, i);
        const char *key = reprise_value_key(object, i);
        char name[NAME_MAX_BYTES];
        int size = snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (size >= (int)sizeof name)
            continue;
        if (rp_is_number(value))
            add_metric(m, name, player, value);
        else if (reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT)
            add_metrics(m, name, player, value, depth + 1);
        else if (!*player && strcmp(key, "players") == 0) {
            for (size_t k = 0; k < reprise_value_count(value); k++) {
                char label[NAME_MAX_BYTES];
                player_label(reprise_value_at(value, k), label);
                add_metrics(m, prefix, label, reprise_value_at(value, k), depth + 1);
            }
        }
    }
}

/* ---- people and words ---- */

static void add_word(rp_doc *doc, reprise_value *list, const char *kind, const reprise_value *text)
{
    size_t size = 0;
    const char *data = reprise_value_text(text, &size);
    if (!data || !size || reprise_value_count(list) >= WORDS_MAX)
        return;
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text(doc, one, "kind", kind);
    rp_set(doc, one, "text", rp_new_text_n(doc, data, size));
}

static void set_account(rp_doc *doc, reprise_value *to, const reprise_value *id, const char *name)
{
    const char *text = reprise_value_text(id, NULL);
    uint64_t number = reprise_value_uint(id, 0);
    reprise_value *account = NULL;
    if (text && *text)
        account = rp_new_text(doc, text);
    else if (number > UINT32_MAX) /* smaller ones are places in a game, not accounts */
        account = rp_new_format(doc, "%llu", (unsigned long long)number);
    if (account)
        rp_set(doc, to, "account", account);
    rp_set(doc, to, "key", account ? rp_copy(doc, account) : rp_new_text(doc, name));
}

/* Games write "Won" and "won". */
static reprise_value *new_lower(rp_doc *doc, const char *text)
{
    char lower[32] = "";
    for (size_t i = 0; i < sizeof lower - 1 && text[i]; i++)
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 'a' - 'A' : text[i]);
    return rp_new_text(doc, lower);
}

static void add_people(rp_doc *doc, reprise_value *record, reprise_value *words,
                       const reprise_value *info)
{
    static const char *const members[] = {"role", "faction", "team", "bot"};
    const reprise_value *people = rp_get(info, "people");
    reprise_value *list = rp_set_array(doc, record, "people");
    for (size_t i = 0; i < reprise_value_count(people) && i < PEOPLE_MAX; i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *name = rp_get_text(person, "name");
        if (!name)
            continue;
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "name", name);
        set_account(doc, one, rp_get(person, "id"), name);
        for (size_t k = 0; k < RP_COUNT(members); k++) {
            const reprise_value *value = rp_get(person, members[k]);
            if (value)
                rp_set(doc, one, members[k], rp_copy(doc, value));
        }
        if (!rp_get(one, "role") && reprise_value_bool(rp_get(person, "observer"), false))
            rp_set_text(doc, one, "role", "observer");
        const char *outcome = rp_get_text(person, "outcome");
        if (outcome)
            rp_set(doc, one, "outcome", new_lower(doc, outcome));
        add_word(doc, words, "player", rp_get(person, "name"));
    }
}

static void add_words(rp_doc *doc, reprise_value *words, const reprise_value *info,
                      const reprise_value *stats)
{
    static const char *const members[] = {"title", "course", "server"};
    add_word(doc, words, "map", rp_summary_find(info, "map.name"));
    for (size_t i = 0; i < RP_COUNT(members); i++)
        add_word(doc, words, members[i], rp_get(info, members[i]));
    const reprise_value *chat = rp_summary_find(stats, "recorded.chat");
    for (size_t i = 0; i < reprise_value_count(chat); i++)
        add_word(doc, words, "chat", rp_get(reprise_value_at(chat, i), "text"));
}

/* ---- the record ---- */

/* Identities may be long and hold ids; their digest compares as well. */
static reprise_status set_identity(rp_doc *doc, reprise_value *record, rp_replay *replay,
                                   const rp_summary_source *from, reprise_error *error)
{
    const rp_summary *summary = replay->format->summary;
    const reprise_value *identity = summary->identity ? summary->identity(doc, from) : NULL;
    uint8_t digest[RP_SHA256_SIZE];
    rp_sha256 *hash = NULL;
    rp_writer text;
    if (!identity)
        return error->status;
    RP_TRY(rp_sha256_new(replay->context, &hash, error));
    rp_writer_init(&text, replay->context, SIZE_MAX / 2, error);
    rp_json_write(&text, identity, &(rp_json_format){0});
    if (rp_writer_ok(&text)) {
        rp_sha256_update(hash, text.data, text.size);
        rp_sha256_final(hash, digest);
        rp_set(doc, record, "identity", rp_new_hex(doc, digest, sizeof digest / 2));
    }
    rp_writer_free(&text);
    rp_sha256_free(hash);
    return error->status;
}

static const char *status_word(const rp_replay *replay, const reprise_error *damage)
{
    const rp_finding *worst = rp_worst_finding(&replay->findings);
    if (damage->status != REPRISE_OK || (worst && worst->about.severity == REPRISE_FAULT))
        return "damaged";
    return worst && worst->about.severity == REPRISE_WARNING ? "warning" : "ok";
}

static reprise_status set_digest(rp_doc *doc, reprise_value *record, rp_replay *replay,
                                 reprise_error *error)
{
    uint8_t digest[RP_SHA256_SIZE];
    RP_TRY(rp_sha256_source(replay->context, replay->source, digest, error));
    rp_set(doc, record, "sha256", rp_new_hex(doc, digest, sizeof digest));
    return REPRISE_OK;
}

static size_t finding_count(const rp_findings *findings)
{
    size_t count = 0;
    for (const rp_finding *f = findings->first; f; f = f->next)
        count++;
    return count;
}

reprise_status rp_catalog_record_make(rp_doc *doc, rp_replay *replay, const reprise_value *info,
                                      const reprise_value *stats, const reprise_error *damage,
                                      reprise_value **ret_record, reprise_error *error)
{
    rp_summary_source from = {.info = info, .stats = stats};
    reprise_value *record = rp_new_object(doc);
    rp_set_text(doc, record, "format", replay->format->name);
    rp_set_text(doc, record, "layout", replay->layout);
    rp_set_text(doc, record, "status", status_word(replay, damage));
    if (damage->status != REPRISE_OK)
        rp_set_text(doc, record, "error", damage->message);
    rp_set_uint(doc, record, "findings", finding_count(&replay->findings));
    RP_TRY(set_digest(doc, record, replay, error));
    reprise_value *summary = rp_summary_make(doc, replay->format->summary, &from);
    static const char *const shared[] = {"map", "date"};
    for (size_t i = 0; i < RP_COUNT(shared); i++) {
        const reprise_value *value = rp_get(summary, shared[i]);
        if (value)
            rp_set(doc, record, shared[i], rp_copy(doc, value));
    }
    const reprise_value *length = rp_get(info, "duration");
    if (length)
        rp_set(doc, record, "length", rp_copy(doc, length));
    RP_TRY(set_identity(doc, record, replay, &from, error));
    rp_set(doc, record, "summary", summary);
    reprise_value *words = rp_new_array(doc);
    add_people(doc, record, words, info);
    add_words(doc, words, info, stats);
    rp_set(doc, record, "words", words);
    metrics m = {.doc = doc, .list = rp_set_array(doc, record, "metrics")};
    add_metrics(&m, "", "", rp_get(stats, "recorded"), 0);
    add_metrics(&m, "", "", rp_get(stats, "derived"), 0);
    *ret_record = record;
    return doc->error->status;
}

reprise_value *rp_catalog_record_failed(rp_doc *doc, const reprise_error *failure)
{
    reprise_value *record = rp_new_object(doc);
    bool other = failure->status == REPRISE_E_UNRECOGNIZED;
    bool damaged = failure->status >= REPRISE_E_TRUNCATED && failure->status < REPRISE_E_LOSSY;
    rp_set_text(doc, record, "status",
                other     ? "not a replay"
                : damaged ? "damaged"
                          : reprise_status_name(failure->status));
    rp_set_text(doc, record, "error", failure->message);
    return record;
}
