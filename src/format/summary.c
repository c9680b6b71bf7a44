/* summary.c - see summary.h. */
#include "summary.h"

#include <string.h>
#include <strings.h>

const char *rp_summary_type_name(rp_summary_type type)
{
    static const char *const names[] = {"text", "list", "int", "real", "seconds", "date", "bool"};
    return names[type];
}

const reprise_value *rp_summary_find(const reprise_value *document, const char *path)
{
    char key[64];
    while (document && *path) {
        size_t size = strcspn(path, ".");
        if (size >= sizeof key)
            return NULL;
        memcpy(key, path, size);
        key[size] = '\0';
        document = rp_get(document, key);
        path += size + (path[size] == '.');
    }
    return document;
}

/* ---- values ---- */

/* Whether a text begins like a pattern of digits (0) and other characters. */
static bool is_like(const char *text, size_t size, const char *pattern)
{
    for (size_t i = 0; pattern[i]; i++) {
        bool digit = i < size && text[i] >= '0' && text[i] <= '9';
        if (i >= size || (pattern[i] == '0' ? !digit : text[i] != pattern[i]))
            return false;
    }
    return true;
}

/* Families write dates differently; one form makes them sort and compare. */
static reprise_value *new_date(rp_doc *doc, const char *text, size_t size)
{
    if (size >= 19 && is_like(text, size, "0000-00-00T00:00:00"))
        return rp_new_format(doc, "%.10s %.8s", text, text + 11);
    return rp_new_text_n(doc, text, size);
}

static reprise_value *new_text(rp_doc *doc, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    if (text)
        return size ? rp_new_text_n(doc, text, size) : NULL;
    bool whole = reprise_value_kind_of(value) == REPRISE_VALUE_INT;
    return whole ? rp_new_format(doc, "%lld", (long long)reprise_value_int(value, 0)) : NULL;
}

static reprise_value *new_list(rp_doc *doc, const reprise_value *value)
{
    reprise_value *list = rp_new_array(doc);
    for (size_t i = 0; i < reprise_value_count(value); i++) {
        reprise_value *text = new_text(doc, reprise_value_at(value, i));
        if (text)
            rp_push(doc, list, text);
    }
    return reprise_value_count(list) ? list : NULL;
}

/* A value of another type than the column's is left out: metadata may hold anything. */
static reprise_value *new_value(rp_doc *doc, rp_summary_type type, const reprise_value *value)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    switch (type) {
    case RP_SUMMARY_TEXT:
        return new_text(doc, value);
    case RP_SUMMARY_DATE:
        return text && size ? new_date(doc, text, size) : NULL;
    case RP_SUMMARY_LIST:
        return new_list(doc, value);
    case RP_SUMMARY_INT:
        return reprise_value_kind_of(value) == REPRISE_VALUE_INT ||
                       reprise_value_kind_of(value) == REPRISE_VALUE_UINT
                   ? rp_copy(doc, value)
                   : NULL;
    case RP_SUMMARY_REAL:
    case RP_SUMMARY_SECONDS:
        return rp_is_number(value) ? rp_copy(doc, value) : NULL;
    case RP_SUMMARY_BOOL:
        return reprise_value_kind_of(value) == REPRISE_VALUE_BOOL ? rp_copy(doc, value) : NULL;
    }
    return NULL;
}

static reprise_value *make_column(rp_doc *doc, const rp_summary_column *column,
                                  const rp_summary_source *from)
{
    if (column->make)
        return column->make(doc, from);
    return new_value(doc, column->type, rp_summary_find(from->info, column->path));
}

reprise_value *rp_summary_make(rp_doc *doc, const rp_summary *summary,
                               const rp_summary_source *from)
{
    reprise_value *line = rp_new_object(doc);
    for (size_t i = 0; i < summary->count; i++) {
        reprise_value *value = make_column(doc, &summary->columns[i], from);
        rp_set(doc, line, summary->columns[i].name, value ? value : rp_new_null(doc));
    }
    return line;
}

/* ---- people ---- */

static bool plays(const reprise_value *person)
{
    return !reprise_value_bool(rp_get(person, "observer"), false) && rp_get_text(person, "name");
}

reprise_value *rp_summary_players_with(rp_doc *doc, const rp_summary_source *from,
                                       const char *member)
{
    const reprise_value *people = rp_get(from->info, "people");
    reprise_value *names = rp_new_array(doc);
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *more = member ? rp_get_text(person, member) : NULL;
        if (!plays(person))
            continue;
        rp_push(doc, names,
                more && *more ? rp_new_format(doc, "%s (%s)", rp_get_text(person, "name"), more)
                              : rp_new_text(doc, rp_get_text(person, "name")));
    }
    return reprise_value_count(names) ? names : NULL;
}

reprise_value *rp_summary_players(rp_doc *doc, const rp_summary_source *from)
{
    return rp_summary_players_with(doc, from, NULL);
}

reprise_value *rp_summary_winners(rp_doc *doc, const rp_summary_source *from)
{
    const reprise_value *people = rp_get(from->info, "people");
    reprise_value *names = rp_new_array(doc);
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *outcome = rp_get_text(person, "outcome");
        if (outcome && strcasecmp(outcome, "won") == 0 && rp_get_text(person, "name"))
            rp_push(doc, names, rp_new_text(doc, rp_get_text(person, "name")));
    }
    return reprise_value_count(names) ? names : NULL;
}

/* ---- identities ---- */

reprise_value *rp_summary_values(rp_doc *doc, const reprise_value *info, const char *const *paths,
                                 size_t count)
{
    reprise_value *parts = rp_new_array(doc);
    for (size_t i = 0; i < count; i++) {
        const reprise_value *part = rp_summary_find(info, paths[i]);
        if (!part && i == 0)
            return NULL;
        rp_push(doc, parts, part ? rp_copy(doc, part) : rp_new_null(doc));
    }
    return parts;
}
