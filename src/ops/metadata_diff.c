/* metadata_diff.c - see metadata_diff.h. */
#include "metadata_diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LISTED_MAX = 1000 }; /* differences to list; the rest are only counted */

static void differ_at(rp_metadata_diff *c, const char *path, const reprise_value *a,
                      const reprise_value *b)
{
    if (c->count++ >= LISTED_MAX || !c->doc)
        return;
    reprise_value *one = rp_push_object(c->doc, c->list);
    rp_set_text(c->doc, one, "path", path);
    if (a)
        rp_set(c->doc, one, "a", rp_copy(c->doc, a));
    if (b)
        rp_set(c->doc, one, "b", rp_copy(c->doc, b));
}

static void compare_values(rp_metadata_diff *c, const char *path, const reprise_value *a,
                           const reprise_value *b);

static void compare_members(rp_metadata_diff *c, const char *path, const reprise_value *a,
                            const reprise_value *b)
{
    char inner[256];
    const char *dot = *path ? "." : "";
    for (size_t i = 0; i < reprise_value_count(a); i++) {
        const char *key = reprise_value_key(a, i);
        snprintf(inner, sizeof inner, "%s%s%s", path, dot, key);
        compare_values(c, inner, reprise_value_at(a, i), rp_get(b, key));
    }
    for (size_t i = 0; i < reprise_value_count(b); i++) {
        const char *key = reprise_value_key(b, i);
        snprintf(inner, sizeof inner, "%s%s%s", path, dot, key);
        if (!rp_get(a, key))
            differ_at(c, inner, NULL, reprise_value_at(b, i));
    }
}

static void compare_elements(rp_metadata_diff *c, const char *path, const reprise_value *a,
                             const reprise_value *b)
{
    char inner[256];
    size_t count = RP_MAX(reprise_value_count(a), reprise_value_count(b));
    for (size_t i = 0; i < count; i++) {
        snprintf(inner, sizeof inner, "%s[%zu]", path, i);
        compare_values(c, inner, reprise_value_at(a, i), reprise_value_at(b, i));
    }
}

/* A single-precision number equals the text it was printed as. */
static bool same_scalar(const reprise_value *a, const reprise_value *b)
{
    bool single = reprise_value_kind_of(a) == REPRISE_VALUE_FLOAT ||
                  reprise_value_kind_of(b) == REPRISE_VALUE_FLOAT;
    double x = reprise_value_double(a, NAN), y = reprise_value_double(b, NAN);
    if (single && !isnan(x) && !isnan(y))
        return (float)x == (float)y;
    return rp_value_equal(a, b);
}

static void compare_values(rp_metadata_diff *c, const char *path, const reprise_value *a,
                           const reprise_value *b)
{
    reprise_value_kind kind = reprise_value_kind_of(a);
    bool same_kind = a && b && kind == reprise_value_kind_of(b);
    if (same_kind && kind == REPRISE_VALUE_OBJECT)
        compare_members(c, path, a, b);
    else if (same_kind && kind == REPRISE_VALUE_ARRAY)
        compare_elements(c, path, a, b);
    else if (!a != !b || (a && !same_scalar(a, b)))
        differ_at(c, path, a, b);
}

/* ---- whether both are of one event ---- */

static bool have_common_name(const reprise_value *a, const reprise_value *b)
{
    for (size_t i = 0; i < reprise_value_count(a); i++) {
        const reprise_value *name = rp_get(reprise_value_at(a, i), "name");
        for (size_t k = 0; name && k < reprise_value_count(b); k++) {
            const reprise_value *other = rp_get(reprise_value_at(b, k), "name");
            if (other && rp_value_equal(name, other))
                return true;
        }
    }
    return false;
}

/* What `anonymize` puts in the place of ids, dates and places says nothing. */
static bool is_stated(const reprise_value *value)
{
    static const char *const substitutes[] = {"00000000-0000-8000-", "0001-01-01", "1970-01-01",
                                              "2000-01-01"};
    const char *text = reprise_value_text(value, NULL);
    for (size_t i = 0; text && i < RP_COUNT(substitutes); i++) {
        if (strncmp(text, substitutes[i], strlen(substitutes[i])) == 0)
            return false;
    }
    bool zero = reprise_value_kind_of(value) == REPRISE_VALUE_ARRAY;
    for (size_t i = 0; i < reprise_value_count(value); i++)
        zero = zero && reprise_value_double(reprise_value_at(value, i), 1) == 0;
    return value && !zero;
}

/* Whether two recordings are of different maps, matches, days, places or things. */
static bool are_other_events(const reprise_value *a, const reprise_value *b)
{
    static const char *const stated[] = {"random_seed", "replay_id", "game_uid",
                                         "date",        "offset",    "id"};
    const reprise_value *x = rp_get(rp_get(a, "map"), "name");
    const reprise_value *y = rp_get(rp_get(b, "map"), "name");
    if (x && y && !rp_value_equal(x, y))
        return true;
    x = rp_get(rp_get(a, "header"), "seed");
    y = rp_get(rp_get(b, "header"), "seed");
    if (x && y && !rp_value_equal(x, y))
        return true;
    for (size_t i = 0; i < RP_COUNT(stated); i++) {
        x = rp_get(a, stated[i]);
        y = rp_get(b, stated[i]);
        if (is_stated(x) && is_stated(y))
            return !rp_value_equal(x, y);
    }
    x = rp_get(a, "entities");
    y = rp_get(b, "entities");
    return reprise_value_count(x) && reprise_value_count(y) && !have_common_name(x, y);
}

static reprise_status info_of(rp_replay *replay, rp_doc *doc, const reprise_value **ret_info,
                              reprise_error *error)
{
    reprise_value *info = rp_new_object(doc);
    /* Private data is not compared, and finding it means to open and read the file again. */
    bool lists_none = replay->lists_no_private;
    replay->lists_no_private = true;
    if (info && replay->format->read->info)
        (void)replay->format->read->info(replay, doc, info, error);
    replay->lists_no_private = lists_none;
    *ret_info = info;
    return error->status;
}

reprise_status rp_metadata_compare(rp_metadata_diff *c, rp_replay *a_replay, rp_replay *b_replay,
                                   reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, a_replay->context);
    rp_doc doc = {.arena = &arena, .error = error};
    const reprise_value *a = NULL, *b = NULL;
    reprise_status status = info_of(a_replay, &doc, &a, error);
    if (status == REPRISE_OK)
        status = info_of(b_replay, &doc, &b, error);
    if (status == REPRISE_OK) {
        compare_values(c, "", rp_get(a, "header"), rp_get(b, "header"));
        compare_values(c, "end", rp_get(a, "end"), rp_get(b, "end"));
        c->other_events = are_other_events(a, b);
    }
    rp_arena_free(&arena);
    return status == REPRISE_OK ? error->status : status;
}
