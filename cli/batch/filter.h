/*
 * filter.h - conditions on rows: "health < 10", "kind = hit", "name ~ round".
 *
 * A condition is parsed once and then bound to the columns of each track, because a column of the
 * same name may have a different type in another track.
 */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include "options.h"

typedef enum cli_relation {
    CLI_EQUAL,
    CLI_NOT_EQUAL,
    CLI_LESS,
    CLI_LESS_EQUAL,
    CLI_GREATER,
    CLI_GREATER_EQUAL,
    CLI_CONTAINS,
} cli_relation;

typedef struct cli_condition {
    const char *column;
    cli_relation relation;
    const char *value;
} cli_condition;

enum { CLI_CONDITIONS_MAX = 32 };

typedef struct cli_filter {
    cli_condition items[CLI_CONDITIONS_MAX];
    size_t count;
} cli_filter;

cli_parser cli_parse_where; /* cli_filter; adds a condition, and all must hold */

/* A condition on one column of one track. */
typedef struct cli_test {
    size_t column;
    reprise_type type;
    cli_relation relation;
    bool by_number; /* compare as numbers; enums too */
    bool is_unsigned;
    int64_t integer;
    double real;
    const char *text;
} cli_test;

typedef struct cli_tests {
    cli_test items[CLI_CONDITIONS_MAX];
    size_t count;
    bool never; /* the track lacks a column that a condition names */
} cli_tests;

/* Binds conditions to a track. False with `error` set if a value does not suit its column. */
bool cli_filter_bind(const cli_filter *where, const reprise_replay *replay, size_t track,
                     cli_tests *ret_tests, reprise_error *error);
/* Whether the current row passes. */
bool cli_filter_match(const cli_tests *tests, const reprise_rows *rows);

/* The index of a column, or -1. */
int cli_column_find(const reprise_replay *replay, size_t track, const char *name);

#endif
