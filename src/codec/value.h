/*
 * value.h - the structure of reprise_value, and building documents.
 *
 * Values live in an arena. Building needs no checks in between: after a failure the builders return
 * NULL, adding to NULL does nothing, and the document's error is set.
 */
#ifndef RP_VALUE_H
#define RP_VALUE_H

#include "arena.h"

typedef struct rp_member {
    const char *key; /* NULL in arrays */
    size_t key_size;
    reprise_value *value;
} rp_member;

struct reprise_value {
    reprise_value_kind kind;
    bool boolean;
    uint32_t raw_size;
    const char *raw; /* numbers read from text: that text, for writing it back unchanged */
    uint64_t offset; /* in the text it was read from */
    union {
        int64_t integer;
        uint64_t natural;
        float single;
        double real;
        struct {
            const char *text;
            size_t size;
        } string;
        struct {
            rp_member *items;
            size_t count, capacity;
        } list; /* arrays and objects, in order */
    } as;
};

typedef struct rp_doc {
    rp_arena *arena;
    reprise_error *error;
} rp_doc;

reprise_value *rp_new_object(rp_doc *doc);
reprise_value *rp_new_array(rp_doc *doc);
reprise_value *rp_new_null(rp_doc *doc);
reprise_value *rp_new_bool(rp_doc *doc, bool value);
reprise_value *rp_new_int(rp_doc *doc, int64_t value);
reprise_value *rp_new_uint(rp_doc *doc, uint64_t value); /* INT if it fits */
reprise_value *rp_new_f32(rp_doc *doc, float value);
reprise_value *rp_new_f64(rp_doc *doc, double value);
/* Copy the text. Bytes that are not UTF-8 become U+FFFD. */
reprise_value *rp_new_text(rp_doc *doc, const char *text);
reprise_value *rp_new_text_n(rp_doc *doc, const char *text, size_t size);
reprise_value *rp_new_format(rp_doc *doc, const char *format, ...) REPRISE_PRINTF(2, 3);
/* Bytes as lower-case hexadecimal. */
reprise_value *rp_new_hex(rp_doc *doc, const void *bytes, size_t size);

/* Appends a member (the key is copied like a text) or an element, and returns it. */
reprise_value *rp_set(rp_doc *doc, reprise_value *object, const char *key, reprise_value *value);
reprise_value *rp_push(rp_doc *doc, reprise_value *array, reprise_value *value);

/* Replaces the first member of that name, or appends one. */
reprise_value *rp_replace(rp_doc *doc, reprise_value *object, const char *key,
                          reprise_value *value);
/* Removes the first member of that name. Returns false if there is none. */
bool rp_remove(reprise_value *object, const char *key);
/* Makes a deep copy that keeps the text of numbers. */
reprise_value *rp_copy(rp_doc *doc, const reprise_value *value);

reprise_value *rp_set_object(rp_doc *doc, reprise_value *object, const char *key);
reprise_value *rp_set_array(rp_doc *doc, reprise_value *object, const char *key);
void rp_set_bool(rp_doc *doc, reprise_value *object, const char *key, bool value);
void rp_set_int(rp_doc *doc, reprise_value *object, const char *key, int64_t value);
void rp_set_uint(rp_doc *doc, reprise_value *object, const char *key, uint64_t value);
/* A list of numbers. */
void rp_set_counts(rp_doc *doc, reprise_value *object, const char *key, const uint32_t *counts,
                   size_t count);
void rp_set_f32(rp_doc *doc, reprise_value *object, const char *key, float value);
void rp_set_f64(rp_doc *doc, reprise_value *object, const char *key, double value);
/* Whether a value is a number of any kind. */
bool rp_is_number(const reprise_value *value);
/* Whether a number has single precision, so that fewer digits identify it. */
bool rp_is_single(double value);
/* Seconds that were stored in either precision, with the digits of that precision. */
void rp_set_seconds(rp_doc *doc, reprise_value *object, const char *key, double seconds);
void rp_set_text(rp_doc *doc, reprise_value *object, const char *key, const char *text);
/* The same, but NULL adds no member. */
void rp_set_text_if(rp_doc *doc, reprise_value *object, const char *key, const char *text);
reprise_value *rp_push_object(rp_doc *doc, reprise_value *array);

/* Returns the first member of that name, or NULL (also if `object` is not an object). Linear. */
reprise_value *rp_get(const reprise_value *object, const char *key);
/* Returns the text of a member, or NULL. */
const char *rp_get_text(const reprise_value *object, const char *key);

/*
 * Whether two values have the same content; the order of members does not matter. Numbers compare
 * exactly by value, whatever their kind (NaN equals NaN, 0 equals -0). Duplicate keys are compared
 * in order. Linear if the order is the same, quadratic in the members after the first difference.
 */
bool rp_value_equal(const reprise_value *a, const reprise_value *b);

#endif
