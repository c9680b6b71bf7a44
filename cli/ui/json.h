/*
 * json.h - writes JSON documents member by member.
 *
 * The writer places commas, quotes and, for people, line breaks, so a document is written once and
 * never edited as text. Start with {.to = ...}. `key` is NULL at the top level and inside arrays.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "strbuf.h"

enum { CLI_JSON_DEPTH_MAX = 64 };

typedef struct cli_json {
    cli_strbuf *to;
    bool pretty; /* break lines and indent by two spaces */
    size_t depth;
    uint64_t arrays; /* a bit for each open level: an array, not an object */
    bool follows;    /* the next item needs a comma before it */
} cli_json;

void cli_json_object(cli_json *json, const char *key);
void cli_json_array(cli_json *json, const char *key);
/* Closes the innermost object or array. */
void cli_json_close(cli_json *json);

/* NULL is written as null. */
void cli_json_text(cli_json *json, const char *key, const char *text);
void cli_json_bytes(cli_json *json, const char *key, const char *text, size_t size);
void cli_json_bool(cli_json *json, const char *key, bool value);
/* A string above 32 bits, as everywhere in our JSON. */
void cli_json_uint(cli_json *json, const char *key, uint64_t value);
/* Always digits, for readers that need a number of 64 bits. */
void cli_json_number(cli_json *json, const char *key, uint64_t value);
/* The shortest digits that read back as the same number; null if it is not finite. */
void cli_json_real(cli_json *json, const char *key, double value);
void cli_json_value(cli_json *json, const char *key, const reprise_value *value);
/* The members of an object as members of the open one, except the one named (NULL: none). */
void cli_json_members(cli_json *json, const reprise_value *object, const char *except);

#endif
