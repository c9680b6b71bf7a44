/* header_kept.c - see header_kept.h. */
#include "header_kept.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "json.h"

enum { PATH_SIZE = 96, MEMBERS_NAMED_MAX = 3 };

typedef struct header_check {
    const rp_encoder *encoder;
    char names[MEMBERS_NAMED_MAX * PATH_SIZE];
    size_t count;
} header_check;

static bool says_nothing(const reprise_value *value)
{
    size_t size = 0;
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_NULL:
        return true;
    case REPRISE_VALUE_STRING:
        (void)reprise_value_text(value, &size);
        return size == 0;
    case REPRISE_VALUE_ARRAY:
    case REPRISE_VALUE_OBJECT:
        for (size_t i = 0; i < reprise_value_count(value); i++) {
            if (!says_nothing(reprise_value_at(value, i)))
                return false;
        }
        return true;
    case REPRISE_VALUE_BOOL:
        return !reprise_value_bool(value, false);
    default:
        return reprise_value_double(value, 0) == 0;
    }
}

/* A 64-bit number may be given as text; one with a fraction is stored in single precision. */
static bool same_leaf(const reprise_value *given, const reprise_value *kept)
{
    size_t a = 0, b = 0;
    const char *text = reprise_value_text(given, &a), *other = reprise_value_text(kept, &b);
    if (text && other)
        return a == b && memcmp(text, other, a) == 0;
    if (reprise_value_kind_of(given) == REPRISE_VALUE_BOOL ||
        reprise_value_kind_of(kept) == REPRISE_VALUE_BOOL)
        return reprise_value_bool(given, false) == reprise_value_bool(kept, false) &&
               reprise_value_kind_of(given) == reprise_value_kind_of(kept);
    if (text || other) {
        char number[24];
        const reprise_value *as_number = text ? kept : given;
        bool is_signed = reprise_value_kind_of(as_number) == REPRISE_VALUE_INT;
        int size = is_signed ? snprintf(number, sizeof number, "%lld",
                                        (long long)reprise_value_int(as_number, 0))
                             : snprintf(number, sizeof number, "%llu",
                                        (unsigned long long)reprise_value_uint(as_number, 0));
        return (size_t)size == a + b && memcmp(number, text ? text : other, a + b) == 0;
    }
    double x = reprise_value_double(given, NAN), y = reprise_value_double(kept, NAN);
    return (float)x == (float)y || (isnan(x) && isnan(y));
}

static void lose(header_check *check, const char *path)
{
    size_t size = strlen(check->names);
    if (check->count++ < MEMBERS_NAMED_MAX)
        snprintf(check->names + size, sizeof check->names - size, "%sheader.%s", size ? ", " : "",
                 path);
}

static void compare(header_check *check, const char *path, const char *name,
                    const reprise_value *given, const reprise_value *kept)
{
    const rp_format *format = check->encoder->format;
    reprise_value_kind kind = reprise_value_kind_of(given);
    bool nested = kind == REPRISE_VALUE_OBJECT || kind == REPRISE_VALUE_ARRAY;
    if ((!kept && says_nothing(given)) ||
        (format->row_writer->header_made &&
         format->row_writer->header_made(check->encoder, name, given)))
        return;
    if (!kept || !nested || reprise_value_kind_of(kept) != kind) {
        if (!kept || nested || !same_leaf(given, kept))
            lose(check, path);
        return;
    }
    for (size_t i = 0; i < reprise_value_count(given); i++) {
        char inner[PATH_SIZE];
        const char *key = kind == REPRISE_VALUE_OBJECT ? reprise_value_key(given, i) : NULL;
        if (key)
            snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "." : "", key);
        else
            snprintf(inner, sizeof inner, "%s[%zu]", path, i);
        compare(check, inner, key ? key : name, reprise_value_at(given, i),
                key ? reprise_value_get(kept, key) : reprise_value_at(kept, i));
    }
}

reprise_status rp_header_kept(const rp_encoder *encoder, rp_replay *result, rp_doc *doc,
                              reprise_error *error)
{
    reprise_value *info = NULL;
    header_check check = {.encoder = encoder};
    RP_TRY(rp_describe_info(result, doc, &info, error));
    compare(&check, "", "", encoder->header, rp_get(info, "header"));
    if (!check.count)
        return REPRISE_OK;
    if (check.count > MEMBERS_NAMED_MAX)
        rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold %s and %zu more",
                     result->layout, check.names, check.count - MEMBERS_NAMED_MAX);
    else
        rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold %s", result->layout,
                     check.names);
    rp_error_hint(error, "choose another layout, or leave these members out");
    return error->status;
}
