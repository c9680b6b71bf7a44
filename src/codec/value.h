/*
 * value.h - documents: what reprise_value is inside, and how to build one.
 *
 * Values live in an arena. Building never needs a check in between: after a failure the builders
 * return NULL, setting members of NULL does nothing, and the document's error says so at the end.
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
    const char *raw; /* numbers read from text: that text, to be written back unchanged */
    uint64_t offset; /* where it stood in the text it was read from */
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
/* Copies the text; bytes that are not UTF-8 become U+FFFD, so that a document is always text. */
reprise_value *rp_new_text(rp_doc *doc, const char *text);
reprise_value *rp_new_text_n(rp_doc *doc, const char *text, size_t size);
reprise_value *rp_new_format(rp_doc *doc, const char *format, ...) REPRISE_PRINTF(2, 3);
/* Bytes as lower-case hexadecimal. */
reprise_value *rp_new_hex(rp_doc *doc, const void *bytes, size_t size);

/* Appends a member (the key is copied like a text) or an element, and returns it. */
reprise_value *rp_set(rp_doc *doc, reprise_value *object, const char *key, reprise_value *value);
reprise_value *rp_push(rp_doc *doc, reprise_value *array, reprise_value *value);

/* Puts a value in the place of the first member of that name, or appends it. */
reprise_value *rp_replace(rp_doc *doc, reprise_value *object, const char *key,
                          reprise_value *value);
/* Takes the first member of that name out; false if there is none. */
bool rp_remove(reprise_value *object, const char *key);
/* A deep copy, which keeps the text of numbers. */
reprise_value *rp_copy(rp_doc *doc, const reprise_value *value);

/* Shorthands for the common cases. */
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
/* Whether a number is one of single precision, so that fewer digits tell it. */
bool rp_is_single(double value);
/* Seconds that files keep in either precision: with the digits that they have there. */
void rp_set_seconds(rp_doc *doc, reprise_value *object, const char *key, double seconds);
void rp_set_text(rp_doc *doc, reprise_value *object, const char *key, const char *text);
/* The same, but no text means no member. */
void rp_set_text_if(rp_doc *doc, reprise_value *object, const char *key, const char *text);
reprise_value *rp_push_object(rp_doc *doc, reprise_value *array);

/* The first member of that name, NULL if there is none or `object` is no object. Linear. */
reprise_value *rp_get(const reprise_value *object, const char *key);
/* The text of a member; NULL where there is none. */
const char *rp_get_text(const reprise_value *object, const char *key);

/*
 * Same kind and content, members in any order; numbers compare by value and exactly, whatever their
 * kind (NaN equals NaN, 0 equals -0). Of a key that stands several times, the first is compared
 * with the first, and so on. Linear while the order is the same, quadratic in the members behind
 * the first difference in order.
 */
bool rp_value_equal(const reprise_value *a, const reprise_value *b);

#endif
