/*
 * json.h - JSON both ways.
 *
 * Our own because replays need what no packaged C library has at once: exact 64-bit integers, the
 * original text of every number (kept for rewriting), duplicate keys reported, byte offsets, and
 * limits on depth and size.
 */
#ifndef RP_JSON_H
#define RP_JSON_H

#include "value.h"
#include "writer.h"

/* What a reader may want to know beside the document. */
typedef struct rp_json_notes {
    bool bom;                  /* a byte order mark stood in front */
    size_t duplicate_keys;     /* members whose key stood before in the same object */
    uint64_t duplicate_offset; /* of the first of them */
    char duplicate_key[48];
} rp_json_notes;

/*
 * Parses exactly one value with white space around it; anything behind it is an error. Strings are
 * copied into the arena and checked: bad UTF-8, lone surrogates and control characters are errors.
 * `stream` names the text in errors. `notes` may be NULL. Numbers: integers that fit are INT or
 * UINT, all others DOUBLE, minus zero too; `raw` is always set. Strings are terminated and UTF-8.
 * Limits: text_bytes, string_bytes (for numbers as well), items, and depth, which is never more
 * than 1000 because documents are walked recursively.
 */
reprise_status rp_json_parse(rp_doc *doc, const char *text, size_t size, const char *stream,
                             reprise_value **ret_value, rp_json_notes *notes);

/* How a document is written. */
typedef struct rp_json_format {
    unsigned indent;     /* spaces per level; 0: all on one line without spaces */
    bool crlf;           /* line ends of indented text */
    bool exact_integers; /* write 64-bit integers as numbers, not as strings */
    bool dotnet_floats;  /* 12.0 and 1E-07 instead of 12 and 1e-7; `raw` text wins over both */
} rp_json_format;

/* Without a line end behind it. NULL is null. */
void rp_json_write(rp_writer *w, const reprise_value *value, const rp_json_format *format);

/* One string with quotes; bytes that are not UTF-8 become U+FFFD. */
void rp_json_string(rp_writer *w, const char *text, size_t size);
/* Numbers as JSON lines use them; NaN, infinities and integers beyond 32 bits become strings. */
void rp_json_f32(rp_writer *w, float value);
void rp_json_f64(rp_writer *w, double value);
/* As rp_set_seconds has it. */
void rp_json_seconds(rp_writer *w, double seconds);
void rp_json_int(rp_writer *w, int64_t value);
void rp_json_uint(rp_writer *w, uint64_t value);
/*
 * Numbers of a column, whose type must not depend on the value: 64-bit ones are always strings, and
 * the number of a frame or tick is always a number.
 */
void rp_json_long(rp_writer *w, int64_t value, bool is_unsigned);
void rp_json_index(rp_writer *w, int64_t value);

#endif
