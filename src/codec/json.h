/*
 * json.h - reads and writes JSON.
 *
 * Replays need a combination that no packaged C library offers: exact 64-bit integers, the original
 * text of every number (for rewriting), reports of duplicate keys, byte offsets, and limits on
 * depth and size.
 */
#ifndef RP_JSON_H
#define RP_JSON_H

#include "value.h"
#include "writer.h"

/* Facts about the text that are not part of the document. */
typedef struct rp_json_notes {
    bool bom;                  /* the text starts with a byte order mark */
    size_t duplicate_keys;     /* members whose key already occurred in the same object */
    uint64_t duplicate_offset; /* of the first of them */
    char duplicate_key[48];
} rp_json_notes;

/*
 * Parses exactly one value, which may be surrounded by white space. Strings are copied into the
 * arena, terminated; invalid UTF-8, lone surrogates and control characters are errors. Integers
 * that fit are INT or UINT, all other numbers (including -0) are DOUBLE; `raw` is always set.
 * `stream` names the text in errors. `notes` may be NULL. Limits: text_bytes, string_bytes (also
 * for numbers), items, and depth, which is at most 1000 because documents are walked recursively.
 */
reprise_status rp_json_parse(rp_doc *doc, const char *text, size_t size, const char *stream,
                             reprise_value **ret_value, rp_json_notes *notes);

typedef struct rp_json_format {
    unsigned indent;     /* spaces per level; 0: all on one line without spaces */
    bool crlf;           /* line ends of indented text */
    bool exact_integers; /* write 64-bit integers as numbers, not as strings */
    bool dotnet_floats;  /* 12.0 and 1E-07 instead of 12 and 1e-7; `raw` text wins over both */
} rp_json_format;

/* Writes a value without a final line end. NULL is written as null. */
void rp_json_write(rp_writer *w, const reprise_value *value, const rp_json_format *format);

/* Writes a string in quotes. Bytes that are not UTF-8 become U+FFFD. */
void rp_json_string(rp_writer *w, const char *text, size_t size);
/* Write a number. NaN, infinities and integers beyond 32 bits become strings. */
void rp_json_f32(rp_writer *w, float value);
void rp_json_f64(rp_writer *w, double value);
/* See rp_set_seconds. */
void rp_json_seconds(rp_writer *w, double seconds);
void rp_json_int(rp_writer *w, int64_t value);
void rp_json_uint(rp_writer *w, uint64_t value);
/*
 * Write an integer of a column, whose JSON type must not depend on the value: 64-bit integers are
 * always strings, frame and tick numbers are always numbers.
 */
void rp_json_long(rp_writer *w, int64_t value, bool is_unsigned);
void rp_json_index(rp_writer *w, int64_t value);

#endif
