/*
 * value.c - builds, compares and reads documents; see value.h.
 *
 * Documents are compared recursively, so code that builds one from a file must limit its nesting.
 */
#include "value.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "utf8.h"
#include "whole.h"

static reprise_value *new_value(rp_doc *doc, reprise_value_kind kind)
{
    if (doc->error->status != REPRISE_OK)
        return NULL;
    reprise_value *value = rp_arena_alloc(doc->arena, sizeof *value, doc->error);
    if (value)
        value->kind = kind;
    return value;
}

reprise_value *rp_new_object(rp_doc *doc)
{
    return new_value(doc, REPRISE_VALUE_OBJECT);
}

reprise_value *rp_new_array(rp_doc *doc)
{
    return new_value(doc, REPRISE_VALUE_ARRAY);
}

reprise_value *rp_new_null(rp_doc *doc)
{
    return new_value(doc, REPRISE_VALUE_NULL);
}

reprise_value *rp_new_bool(rp_doc *doc, bool boolean)
{
    reprise_value *value = new_value(doc, REPRISE_VALUE_BOOL);
    if (value)
        value->boolean = boolean;
    return value;
}

reprise_value *rp_new_int(rp_doc *doc, int64_t integer)
{
    reprise_value *value = new_value(doc, REPRISE_VALUE_INT);
    if (value)
        value->as.integer = integer;
    return value;
}

reprise_value *rp_new_uint(rp_doc *doc, uint64_t natural)
{
    if (natural <= INT64_MAX)
        return rp_new_int(doc, (int64_t)natural);
    reprise_value *value = new_value(doc, REPRISE_VALUE_UINT);
    if (value)
        value->as.natural = natural;
    return value;
}

reprise_value *rp_new_f32(rp_doc *doc, float single)
{
    reprise_value *value = new_value(doc, REPRISE_VALUE_FLOAT);
    if (value)
        value->as.single = single;
    return value;
}

reprise_value *rp_new_f64(rp_doc *doc, double real)
{
    reprise_value *value = new_value(doc, REPRISE_VALUE_DOUBLE);
    if (value)
        value->as.real = real;
    return value;
}

/* Copies text, replacing invalid UTF-8 by U+FFFD. Only counts if `to` is NULL. Returns the size. */
static size_t repair(const char *text, size_t size, char *to)
{
    static const char replacement[] = {'\xEF', '\xBF', '\xBD'};
    size_t from = 0, used = 0;
    while (from < size) {
        size_t good = rp_utf8_valid(text + from, size - from);
        if (to)
            memcpy(to + used, text + from, good);
        used += good;
        from += good;
        if (from == size)
            break;
        if (to)
            memcpy(to + used, replacement, sizeof replacement);
        used += sizeof replacement;
        from += rp_utf8_invalid_size(text + from, size - from);
    }
    return used;
}

/* Makes a terminated copy in valid UTF-8. Returns NULL after a failure. */
static const char *copy_text(rp_doc *doc, const char *text, size_t size, size_t *ret_size)
{
    bool good = rp_utf8_valid(text, size) == size;
    size_t copy_size = good ? size : repair(text, size, NULL);
    char *copy = good ? rp_arena_text(doc->arena, text, size, doc->error)
                      : rp_arena_alloc(doc->arena, copy_size + 1, doc->error);
    if (!copy)
        return NULL;
    if (!good)
        repair(text, size, copy);
    *ret_size = copy_size;
    return copy;
}

reprise_value *rp_new_text_n(rp_doc *doc, const char *text, size_t size)
{
    reprise_value *value = new_value(doc, REPRISE_VALUE_STRING);
    if (!value)
        return NULL;
    value->as.string.text = copy_text(doc, text, size, &value->as.string.size);
    return value->as.string.text ? value : NULL;
}

reprise_value *rp_new_text(rp_doc *doc, const char *text)
{
    return rp_new_text_n(doc, text, strlen(text));
}

/* Uses text that is already in the arena, unless it has to be repaired. */
static reprise_value *adopt_text(rp_doc *doc, const char *text, size_t size)
{
    if (rp_utf8_valid(text, size) != size)
        return rp_new_text_n(doc, text, size);
    reprise_value *value = new_value(doc, REPRISE_VALUE_STRING);
    if (value) {
        value->as.string.text = text;
        value->as.string.size = size;
    }
    return value;
}

reprise_value *rp_new_format(rp_doc *doc, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = n < 0 ? 0 : (size_t)n;
    char *text = doc->error->status == REPRISE_OK ? rp_arena_alloc(doc->arena, size + 1, doc->error)
                                                  : NULL;
    if (text && size)
        vsnprintf(text, size + 1, format, again);
    va_end(again);
    return text ? adopt_text(doc, text, size) : NULL;
}

reprise_value *rp_new_hex(rp_doc *doc, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    reprise_value *value = new_value(doc, REPRISE_VALUE_STRING);
    if (!value)
        return NULL;
    size_t text_size;
    if (!rp_mul(size, 2, &text_size) || text_size == SIZE_MAX) {
        rp_error_set(doc->error, REPRISE_E_LIMIT, "%zu bytes as text", size);
        return NULL;
    }
    char *text = rp_arena_alloc(doc->arena, text_size + 1, doc->error);
    if (!text)
        return NULL;
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[from[i] >> 4];
        text[2 * i + 1] = digits[from[i] & 15];
    }
    value->as.string.text = text;
    value->as.string.size = text_size;
    return value;
}

static bool is_list(const reprise_value *value)
{
    return value && (value->kind == REPRISE_VALUE_ARRAY || value->kind == REPRISE_VALUE_OBJECT);
}

static reprise_value *append(rp_doc *doc, reprise_value *list, const char *key, size_t key_size,
                             reprise_value *value)
{
    size_t count = list->as.list.count + 1;
    if (rp_limit(count, doc->arena->context->limits.items_max, "list size", "items", doc->error) !=
        REPRISE_OK)
        return NULL;
    rp_member *items = rp_arena_grow(doc->arena, list->as.list.items, count,
                                     &list->as.list.capacity, sizeof *items, doc->error);
    if (!items)
        return NULL;
    list->as.list.items = items;
    list->as.list.items[list->as.list.count++] = (rp_member){
        .key = key, .key_size = key_size, .value = value};
    return value;
}

reprise_value *rp_set(rp_doc *doc, reprise_value *object, const char *key, reprise_value *value)
{
    if (!object || !value || doc->error->status != REPRISE_OK)
        return NULL;
    assert(object->kind == REPRISE_VALUE_OBJECT);
    size_t size;
    const char *copy = copy_text(doc, key, strlen(key), &size);
    return copy ? append(doc, object, copy, size, value) : NULL;
}

/* Returns the index of the first member of that name, or -1. */
static int64_t find_member(const reprise_value *object, const char *key)
{
    size_t size = strlen(key);
    if (!object || object->kind != REPRISE_VALUE_OBJECT)
        return -1;
    for (size_t i = 0; i < object->as.list.count; i++) {
        const rp_member *member = &object->as.list.items[i];
        if (member->key_size == size && memcmp(member->key, key, size) == 0)
            return (int64_t)i;
    }
    return -1;
}

reprise_value *rp_replace(rp_doc *doc, reprise_value *object, const char *key, reprise_value *value)
{
    int64_t at = find_member(object, key);
    if (at < 0)
        return rp_set(doc, object, key, value);
    if (!value || doc->error->status != REPRISE_OK)
        return NULL;
    object->as.list.items[at].value = value;
    return value;
}

bool rp_remove(reprise_value *object, const char *key)
{
    int64_t at = find_member(object, key);
    if (at < 0)
        return false;
    rp_member *items = object->as.list.items;
    memmove(&items[at], &items[at + 1], (object->as.list.count - (size_t)at - 1) * sizeof *items);
    object->as.list.count--;
    return true;
}

reprise_value *rp_copy(rp_doc *doc, const reprise_value *from)
{
    reprise_value *to = new_value(doc, from ? from->kind : REPRISE_VALUE_NULL);
    if (!to || !from)
        return to;
    bool list = from->kind == REPRISE_VALUE_ARRAY || from->kind == REPRISE_VALUE_OBJECT;
    if (!list) {
        *to = *from;
        if (from->raw)
            to->raw = rp_arena_text(doc->arena, from->raw, from->raw_size, doc->error);
        if (from->kind == REPRISE_VALUE_STRING)
            to->as.string.text = rp_arena_text(doc->arena, from->as.string.text,
                                               from->as.string.size, doc->error);
        return doc->error->status == REPRISE_OK ? to : NULL;
    }
    for (size_t i = 0; i < from->as.list.count; i++) {
        const rp_member *member = &from->as.list.items[i];
        const char *key = member->key
                              ? rp_arena_text(doc->arena, member->key, member->key_size, doc->error)
                              : NULL;
        reprise_value *value = rp_copy(doc, member->value);
        if (!value || (member->key && !key) || !append(doc, to, key, member->key_size, value))
            return NULL;
    }
    return to;
}

reprise_value *rp_push(rp_doc *doc, reprise_value *array, reprise_value *value)
{
    if (!array || !value || doc->error->status != REPRISE_OK)
        return NULL;
    assert(array->kind == REPRISE_VALUE_ARRAY);
    return append(doc, array, NULL, 0, value);
}

reprise_value *rp_set_object(rp_doc *doc, reprise_value *object, const char *key)
{
    return rp_set(doc, object, key, rp_new_object(doc));
}

reprise_value *rp_set_array(rp_doc *doc, reprise_value *object, const char *key)
{
    return rp_set(doc, object, key, rp_new_array(doc));
}

void rp_set_bool(rp_doc *doc, reprise_value *object, const char *key, bool value)
{
    rp_set(doc, object, key, rp_new_bool(doc, value));
}

void rp_set_int(rp_doc *doc, reprise_value *object, const char *key, int64_t value)
{
    rp_set(doc, object, key, rp_new_int(doc, value));
}

void rp_set_uint(rp_doc *doc, reprise_value *object, const char *key, uint64_t value)
{
    rp_set(doc, object, key, rp_new_uint(doc, value));
}

void rp_set_counts(rp_doc *doc, reprise_value *object, const char *key, const uint32_t *counts,
                   size_t count)
{
    reprise_value *list = rp_set_array(doc, object, key);
    for (size_t i = 0; i < count; i++)
        rp_push(doc, list, rp_new_uint(doc, counts[i]));
}

void rp_set_f32(rp_doc *doc, reprise_value *object, const char *key, float value)
{
    rp_set(doc, object, key, rp_new_f32(doc, value));
}

void rp_set_f64(rp_doc *doc, reprise_value *object, const char *key, double value)
{
    rp_set(doc, object, key, rp_new_f64(doc, value));
}

bool rp_is_single(double value)
{
    return fabs(value) <= (double)FLT_MAX && (double)(float)value == value;
}

void rp_set_seconds(rp_doc *doc, reprise_value *object, const char *key, double seconds)
{
    rp_set(doc, object, key,
           rp_is_single(seconds) ? rp_new_f32(doc, (float)seconds) : rp_new_f64(doc, seconds));
}

void rp_set_text(rp_doc *doc, reprise_value *object, const char *key, const char *text)
{
    rp_set(doc, object, key, rp_new_text(doc, text));
}

void rp_set_text_if(rp_doc *doc, reprise_value *object, const char *key, const char *text)
{
    if (text)
        rp_set_text(doc, object, key, text);
}

const char *rp_get_text(const reprise_value *object, const char *key)
{
    return reprise_value_text(rp_get(object, key), NULL);
}

reprise_value *rp_push_object(rp_doc *doc, reprise_value *array)
{
    return rp_push(doc, array, rp_new_object(doc));
}

static bool same_bytes(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

static bool same_key(const rp_member *a, const rp_member *b)
{
    return same_bytes(a->key, a->key_size, b->key, b->key_size);
}

reprise_value *rp_get(const reprise_value *object, const char *key)
{
    if (!object || object->kind != REPRISE_VALUE_OBJECT)
        return NULL;
    size_t size = strlen(key);
    for (size_t i = 0; i < object->as.list.count; i++) {
        const rp_member *member = &object->as.list.items[i];
        if (same_bytes(member->key, member->key_size, key, size))
            return member->value;
    }
    return NULL;
}

bool rp_is_number(const reprise_value *value)
{
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_INT:
    case REPRISE_VALUE_UINT:
    case REPRISE_VALUE_FLOAT:
    case REPRISE_VALUE_DOUBLE:
        return true;
    default:
        return false;
    }
}

/* An exact integer that fits in 64 bits, signed or unsigned. */
typedef struct whole {
    bool negative;
    uint64_t bits; /* of the int64_t if negative */
} whole;

static bool whole_of_double(double real, whole *ret_whole)
{
    whole number;
    if (real >= 0 && real < 0x1p64)
        number = (whole){.bits = rp_whole_u64(real)};
    else if (real < 0 && real >= -0x1p63)
        number = (whole){.negative = true, .bits = (uint64_t)rp_whole(real)};
    else
        return false;
    double back = number.negative ? (double)(int64_t)number.bits : (double)number.bits;
    if (back != real)
        return false;
    *ret_whole = number;
    return true;
}

static bool whole_of(const reprise_value *value, whole *ret_whole)
{
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_INT:
        *ret_whole = (whole){.negative = value->as.integer < 0,
                             .bits = (uint64_t)value->as.integer};
        return true;
    case REPRISE_VALUE_UINT:
        *ret_whole = (whole){.bits = value->as.natural};
        return true;
    case REPRISE_VALUE_FLOAT:
        return whole_of_double((double)value->as.single, ret_whole);
    case REPRISE_VALUE_DOUBLE:
        return whole_of_double(value->as.real, ret_whole);
    default:
        return false;
    }
}

/* Integers compare exactly, because a double cannot distinguish 2^53 from 2^53 + 1. */
static bool same_number(const reprise_value *a, const reprise_value *b)
{
    whole a_whole, b_whole;
    bool a_is_whole = whole_of(a, &a_whole), b_is_whole = whole_of(b, &b_whole);
    if (a_is_whole != b_is_whole)
        return false;
    if (a_is_whole)
        return a_whole.negative == b_whole.negative && a_whole.bits == b_whole.bits;
    double x = reprise_value_double(a, 0), y = reprise_value_double(b, 0);
    return x == y || (isnan(x) && isnan(y));
}

/* Counts how often the key of items[index] occurs in items[from..index). */
static size_t earlier_keys(const rp_member *items, size_t from, size_t index)
{
    size_t count = 0;
    for (size_t i = from; i < index; i++)
        count += same_key(&items[i], &items[index]);
    return count;
}

/* Finds the member of items[from..count) with this key, after skipping `skip` of them. */
static const rp_member *find_key(const rp_member *items, size_t from, size_t count,
                                 const rp_member *key, size_t skip)
{
    for (size_t i = from; i < count; i++) {
        if (same_key(&items[i], key) && skip-- == 0)
            return &items[i];
    }
    return NULL;
}

/*
 * Duplicate keys are compared in order, because their order is significant.
 */
static bool same_members(const reprise_value *a, const reprise_value *b)
{
    const rp_member *mine = a->as.list.items, *theirs = b->as.list.items;
    size_t count = a->as.list.count, start = 0;
    while (start < count && same_key(&mine[start], &theirs[start])) {
        if (!rp_value_equal(mine[start].value, theirs[start].value))
            return false;
        start++;
    }
    for (size_t i = start; i < count; i++) {
        const rp_member *twin = find_key(theirs, start, count, &mine[i],
                                         earlier_keys(mine, start, i));
        if (!twin || !rp_value_equal(mine[i].value, twin->value))
            return false;
    }
    return true;
}

bool rp_value_equal(const reprise_value *a, const reprise_value *b)
{
    if (rp_is_number(a) && rp_is_number(b))
        return same_number(a, b);
    if (reprise_value_kind_of(a) != reprise_value_kind_of(b) ||
        reprise_value_count(a) != reprise_value_count(b))
        return false;
    switch (reprise_value_kind_of(a)) {
    case REPRISE_VALUE_BOOL:
        return a->boolean == b->boolean;
    case REPRISE_VALUE_STRING:
        return same_bytes(a->as.string.text, a->as.string.size, b->as.string.text,
                          b->as.string.size);
    case REPRISE_VALUE_ARRAY:
    case REPRISE_VALUE_OBJECT:
        /* Elements have no keys and are compared by index. */
        return same_members(a, b);
    default:
        return true;
    }
}

reprise_value_kind reprise_value_kind_of(const reprise_value *value)
{
    return value ? value->kind : REPRISE_VALUE_NULL;
}

size_t reprise_value_count(const reprise_value *value)
{
    return is_list(value) ? value->as.list.count : 0;
}

const reprise_value *reprise_value_at(const reprise_value *value, size_t index)
{
    return index < reprise_value_count(value) ? value->as.list.items[index].value : NULL;
}

const char *reprise_value_key(const reprise_value *object, size_t index)
{
    return index < reprise_value_count(object) ? object->as.list.items[index].key : NULL;
}

const reprise_value *reprise_value_get(const reprise_value *object, const char *key)
{
    return key ? rp_get(object, key) : NULL;
}

bool reprise_value_bool(const reprise_value *value, bool fallback)
{
    return reprise_value_kind_of(value) == REPRISE_VALUE_BOOL ? value->boolean : fallback;
}

int64_t reprise_value_int(const reprise_value *value, int64_t fallback)
{
    whole number;
    if (!whole_of(value, &number) || (!number.negative && number.bits > INT64_MAX))
        return fallback;
    return (int64_t)number.bits;
}

uint64_t reprise_value_uint(const reprise_value *value, uint64_t fallback)
{
    whole number;
    if (!whole_of(value, &number) || number.negative)
        return fallback;
    return number.bits;
}

double reprise_value_double(const reprise_value *value, double fallback)
{
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_INT:
        return (double)value->as.integer;
    case REPRISE_VALUE_UINT:
        return (double)value->as.natural;
    case REPRISE_VALUE_FLOAT:
        return (double)value->as.single;
    case REPRISE_VALUE_DOUBLE:
        return value->as.real;
    default:
        return fallback;
    }
}

const char *reprise_value_text(const reprise_value *value, size_t *ret_size)
{
    if (reprise_value_kind_of(value) != REPRISE_VALUE_STRING)
        return NULL;
    if (ret_size)
        *ret_size = value->as.string.size;
    return value->as.string.text;
}
