/*
 * miniyaml.h - MiniYAML: one node per line, `key: value`, depth by leading tabs or groups of four
 * spaces.
 *
 * Reading steps from node to node and allocates nothing: a text of any size costs its own bytes.
 * Keys and values are slices of the text, so that a writer may replace a value and leave every
 * other byte alone (rp_yaml_splice).
 */
#ifndef RP_MINIYAML_H
#define RP_MINIYAML_H

#include "reader.h"
#include "value.h"
#include "writer.h"

typedef struct rp_yaml_node {
    const char *key; /* trimmed, never empty */
    size_t key_size;
    const char *value; /* trimmed, guards removed, `\#` as it stands; NULL if there is none */
    size_t value_size;
    size_t depth;
    size_t line;         /* counted from 1 */
    size_t value_offset; /* where the value stands, guards included, or would stand */
    size_t value_extent; /* its bytes there */
    size_t line_offset;  /* where the line begins */
} rp_yaml_node;

typedef struct rp_yaml {
    const char *text;
    size_t size;
    size_t at; /* where the next line begins */
    size_t line;
    size_t depth_next; /* the deepest the next node may be */
    const char *stream;
    reprise_error *error;
} rp_yaml;

/* The text must outlive the reader and its nodes. `stream` names it in errors. */
rp_yaml rp_yaml_of(const char *text, size_t size, const char *stream, reprise_error *error);

/*
 * Steps to the next node. False at the end, or where the text is wrong: then the error is set. The
 * only thing that can be wrong is a node more than one level deeper than the one before it.
 */
bool rp_yaml_next(rp_yaml *yaml, rp_yaml_node *ret_node);

/* Whether the key is this one; with `prefix`, whether it is "name@..." and what stands behind. */
bool rp_yaml_is(const rp_yaml_node *node, const char *key);
bool rp_yaml_has_prefix(const rp_yaml_node *node, const char *name, const char **ret_rest,
                        size_t *ret_size);

/*
 * The value with `\#` as `#`: the slice itself where nothing had to be replaced, else a copy in the
 * arena. Empty text for none. NULL with the error set when memory ran out.
 */
const char *rp_yaml_text(rp_arena *arena, const rp_yaml_node *node, size_t *ret_size,
                         reprise_error *error);

/* A whole number, or `fallback` if the value is none. */
int64_t rp_yaml_int(const rp_yaml_node *node, int64_t fallback);
/* True for "True", "true" and "yes" in any case. */
bool rp_yaml_bool(const rp_yaml_node *node);

/*
 * The text as a document: an object of keys, a node with children being an object whose own value,
 * if it has one, is under the empty key. Keys that stand twice stand twice. Depth is limited.
 */
reprise_status rp_yaml_document(rp_doc *doc, const rp_limits *limits, const char *text, size_t size,
                                const char *stream, reprise_value **ret_value);

/* Writes one node as the game does: tabs, `key:` or `key: value`, `#` escaped, LF. */
void rp_yaml_put(rp_writer *w, size_t depth, const char *key, const char *value, size_t size);

/*
 * Copies the text up to the node's value and puts `value` in its place; *copied is how far the text
 * has been copied. Call for nodes in order, then copy the rest.
 */
void rp_yaml_splice(rp_writer *w, const rp_yaml *yaml, const rp_yaml_node *node, const char *value,
                    size_t size, size_t *copied);

#endif
