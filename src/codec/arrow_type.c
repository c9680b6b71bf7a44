/* arrow_type.c - see arrow_type.h. */
#include "arrow_type.h"

#include <stdlib.h>
#include <string.h>

#include "checked.h"

static reprise_status unknown(const struct ArrowSchema *schema, reprise_error *error)
{
    return rp_error_set(error, REPRISE_E_UNSUPPORTED, "column '%.60s' has the Arrow type '%.20s'",
                        schema->name ? schema->name : "", schema->format);
}

reprise_status rp_arrow_type_of(const struct ArrowSchema *schema, rp_arrow_type *ret_type,
                                reprise_error *error)
{
    static const struct {
        const char *format;
        rp_arrow_type type;
    } known[] = {
        {"b", {RP_ARROW_BOOL, 0}},  {"c", {RP_ARROW_INT, 1}},   {"s", {RP_ARROW_INT, 2}},
        {"i", {RP_ARROW_INT, 4}},   {"l", {RP_ARROW_INT, 8}},   {"C", {RP_ARROW_UINT, 1}},
        {"S", {RP_ARROW_UINT, 2}},  {"I", {RP_ARROW_UINT, 4}},  {"L", {RP_ARROW_UINT, 8}},
        {"f", {RP_ARROW_REAL, 4}},  {"g", {RP_ARROW_REAL, 8}},  {"u", {RP_ARROW_TEXT, 0}},
        {"z", {RP_ARROW_BYTES, 0}}, {"+l", {RP_ARROW_LIST, 0}}, {"+s", {RP_ARROW_STRUCT, 0}},
    };
    for (size_t i = 0; i < RP_COUNT(known); i++) {
        if (strcmp(schema->format, known[i].format) == 0) {
            *ret_type = known[i].type;
            return REPRISE_OK;
        }
    }
    bool list = strncmp(schema->format, "+w:", 3) == 0;
    if (!list && strncmp(schema->format, "w:", 2) != 0)
        return unknown(schema, error);
    long width = strtol(strchr(schema->format, ':') + 1, NULL, 10);
    if (width < 1 || width > INT32_MAX)
        return unknown(schema, error);
    *ret_type = (rp_arrow_type){list ? RP_ARROW_FIXED_LIST : RP_ARROW_FIXED_BYTES, (size_t)width};
    return REPRISE_OK;
}

size_t rp_arrow_nulls(const struct ArrowArray *array)
{
    const uint8_t *validity = array->n_buffers ? array->buffers[0] : NULL;
    if (!validity || array->null_count >= 0)
        return validity ? (size_t)array->null_count : 0;
    size_t nulls = 0;
    for (size_t i = 0; i < (size_t)array->length; i++)
        nulls += !rp_arrow_valid(validity, i);
    return nulls;
}

static size_t take_size(const char **at)
{
    int32_t size;
    memcpy(&size, *at, sizeof size);
    *at += sizeof size;
    return (size_t)size;
}

size_t rp_arrow_pair_count(const char *metadata)
{
    return metadata ? take_size(&metadata) : 0;
}

const char *rp_arrow_pairs(const char *metadata)
{
    return metadata ? metadata + sizeof(int32_t) : NULL;
}

rp_arrow_pair rp_arrow_pair_next(const char **at)
{
    rp_arrow_pair pair;
    pair.key_size = take_size(at);
    pair.key = *at;
    *at += pair.key_size;
    pair.value_size = take_size(at);
    pair.value = *at;
    *at += pair.value_size;
    return pair;
}

reprise_status rp_arrow_check(const struct ArrowSchema *schema, const struct ArrowArray *array,
                              reprise_error *error)
{
    rp_arrow_type type;
    RP_TRY(rp_arrow_type_of(schema, &type, error));
    bool indices = type.kind == RP_ARROW_INT && type.width == sizeof(int32_t);
    if (array->offset || array->n_children != schema->n_children ||
        !array->dictionary != !schema->dictionary || (schema->dictionary && !indices))
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "column '%.60s' has another layout",
                            schema->name ? schema->name : "");
    if (schema->dictionary)
        RP_TRY(rp_arrow_check(schema->dictionary, array->dictionary, error));
    for (int64_t i = 0; i < schema->n_children; i++)
        RP_TRY(rp_arrow_check(schema->children[i], array->children[i], error));
    return REPRISE_OK;
}
