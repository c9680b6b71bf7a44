/*
 * miniyaml.h - MiniYAML: one node per line, `key: value`, depth by leading tabs or groups of four
 * spaces.
 *
 * Reading goes from node to node and allocates nothing. Keys and values are slices of the text, so
 * a writer can replace one value and keep every other byte (rp_yaml_splice).
 */
#ifndef RP_MINIYAML_H
#define RP_MINIYAML_H

#include "reader.h"
#include "value.h"
#include "writer.h"

typedef struct rp_yaml_node {
    const char *key; /* trimmed, never empty */
    size_t key_size;
    const char *value; /* trimmed, guards removed, `\#` not unescaped; NULL if there is none */
    size_t value_size;
    size_t depth;
    size_t line;         /* counted from 1 */
    size_t value_offset; /* of the value with its guards, or where one would be */
    size_t value_extent; /* its size there */
    size_t line_offset;  /* where the line begins */
} rp_yaml_node;

typedef struct rp_yaml {
    const char *text;
    size_t size;
    size_t at; /* start of the next line */
    size_t line;
    size_t depth_next; /* maximum depth of the next node */
    const char *stream;
    reprise_error *error;
} rp_yaml;

/* The text must outlive the reader and its nodes. `stream` names it in errors. */
rp_yaml rp_yaml_of(const char *text, size_t size, const char *stream, reprise_error *error);

/*
 * Moves to the next node. Returns false at the end, or with the error set if the text is invalid.
 * The only possible error is a node more than one level deeper than the previous one.
 */
bool rp_yaml_next(rp_yaml *yaml, rp_yaml_node *ret_node);

/* Whether the key is `key`; whether it is "name@...", and the part after the @. */
bool rp_yaml_is(const rp_yaml_node *node, const char *key);
bool rp_yaml_has_prefix(const rp_yaml_node *node, const char *name, const char **ret_rest,
                        size_t *ret_size);

/*
 * Returns the value with `\#` unescaped: the slice itself if there is nothing to replace, else a
 * copy in the arena. Empty if there is no value. NULL with the error set if memory ran out.
 */
const char *rp_yaml_text(rp_arena *arena, const rp_yaml_node *node, size_t *ret_size,
                         reprise_error *error);

/* Returns the value as an integer, or `fallback` if it is not one. */
int64_t rp_yaml_int(const rp_yaml_node *node, int64_t fallback);
/* True for "True", "true" and "yes" in any case. */
bool rp_yaml_bool(const rp_yaml_node *node);

/*
 * Converts the text to a document: an object of keys. A node with children is an object whose own
 * value, if any, has the empty key. Duplicate keys are kept. Depth is limited.
 */
reprise_status rp_yaml_document(rp_doc *doc, const rp_limits *limits, const char *text, size_t size,
                                const char *stream, reprise_value **ret_value);

/* Writes one node like the game: tabs, `key:` or `key: value`, `#` escaped, LF. */
void rp_yaml_put(rp_writer *w, size_t depth, const char *key, const char *value, size_t size);

/*
 * Copies the text up to the node's value, writes `value` instead of it, and updates *copied, the
 * offset up to which the text is copied. Call for nodes in order, then copy the rest.
 */
void rp_yaml_splice(rp_writer *w, const rp_yaml *yaml, const rp_yaml_node *node, const char *value,
                    size_t size, size_t *copied);

#endif
