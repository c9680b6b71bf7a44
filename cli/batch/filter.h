/*
 * filter.h - conditions on rows: "health < 10", "kind = hit and name ~ round", "map = 'a b' or x".
 *
 * Conditions are parsed once and then bound to the columns of each track, because a column of the
 * same name may have a different type in another track. Lines of a table of many files are compared
 * by the kinds of their values.
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

/* How a condition is joined with the one before it; "and" binds more tightly than "or". */
typedef enum cli_joint {
    CLI_BEGINS, /* the first of an option: all options must hold */
    CLI_AND,
    CLI_OR,
} cli_joint;

typedef struct cli_condition {
    cli_joint joint;
    const char *column;
    cli_relation relation;
    const char *value;
} cli_condition;

enum { CLI_CONDITIONS_MAX = 32 };

typedef struct cli_filter {
    cli_condition items[CLI_CONDITIONS_MAX];
    size_t count;
} cli_filter;

cli_parser cli_parse_where; /* cli_filter; adds conditions */

/* A condition on one column of one track. */
typedef struct cli_test {
    cli_joint joint;
    bool missing; /* the track lacks the column, so the condition does not hold */
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
} cli_tests;

/* Binds conditions to a track. False with `error` set if a value does not suit its column. */
bool cli_filter_bind(const cli_filter *where, const reprise_replay *replay, size_t track,
                     cli_tests *ret_tests, reprise_error *error);
/* Whether the current row passes. */
bool cli_filter_match(const cli_tests *tests, const reprise_rows *rows);

/* The value of a column in one line; NULL: it has no such column, so its conditions do not hold. */
typedef const reprise_value *cli_value_getter(const void *ctx, const char *column);
/* Whether a line of values passes. A list passes if one of its elements does. */
bool cli_filter_holds(const cli_filter *where, cli_value_getter *get, const void *ctx);
/* Whether a text is a number, or a duration such as 1:02.5. */
bool cli_filter_number(const char *text, double *ret_number);

/* The index of a column, or -1. */
int cli_column_find(const reprise_replay *replay, size_t track, const char *name);

#endif
