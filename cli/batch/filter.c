/* filter.c - see filter.h. */
#include "filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading ---- */

/* A relation comes before its own prefixes. */
static const struct {
    const char *text;
    cli_relation relation;
} relations[] = {
    {"!=", CLI_NOT_EQUAL}, {"<=", CLI_LESS_EQUAL}, {">=", CLI_GREATER_EQUAL}, {"==", CLI_EQUAL},
    {"=", CLI_EQUAL},      {"<", CLI_LESS},        {">", CLI_GREATER},        {"~", CLI_CONTAINS},
};

/* Strips spaces from both ends of a text, in place. */
static char *trim(char *start, char *end)
{
    while (start < end && *start == ' ')
        start++;
    while (end > start && end[-1] == ' ')
        end--;
    *end = '\0';
    return start;
}

static bool split(char *text, cli_condition *ret_condition)
{
    char *sign = strpbrk(text, "=!<>~");
    if (!sign)
        return false;
    for (size_t i = 0; i < CLI_COUNT(relations); i++) {
        size_t size = strlen(relations[i].text);
        if (strncmp(sign, relations[i].text, size) != 0)
            continue;
        char *value = sign + size;
        value = trim(value, value + strlen(value));
        *ret_condition = (cli_condition){
            .column = trim(text, sign), .relation = relations[i].relation, .value = value};
        return *ret_condition->column != '\0';
    }
    return false;
}

/* Removes the quotes of a value in quotes, in place. */
static void unquote(cli_condition *condition, char *value)
{
    size_t size = strlen(value);
    if (size < 2 || (value[0] != '"' && value[0] != '\'') || value[size - 1] != value[0])
        return;
    value[size - 1] = '\0';
    condition->value = value + 1;
}

/* The word "and" or "or" at a space; *ret_size is its size with both spaces, or 0. */
static cli_joint joint_at(const char *text, size_t *ret_size)
{
    bool is_and = strncasecmp(text, " and ", 5) == 0, is_or = strncasecmp(text, " or ", 4) == 0;
    *ret_size = is_and ? 5 : is_or ? 4 : 0;
    return is_and ? CLI_AND : CLI_OR;
}

/* Cuts off the first condition. Returns the rest, or NULL after the last one. */
static char *cut_condition(char *text, cli_joint *ret_joint)
{
    char quote = '\0';
    for (char *at = text; *at; at++) {
        size_t size = 0;
        cli_joint joint = joint_at(at, &size);
        if (!quote && size) {
            *at = '\0';
            *ret_joint = joint;
            return at + size;
        }
        if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
    }
    return NULL;
}

static bool add_conditions(cli_filter *where, char *text)
{
    cli_joint joint = CLI_BEGINS, next = CLI_BEGINS;
    while (text) {
        if (where->count == CLI_CONDITIONS_MAX)
            return false;
        char *rest = cut_condition(text, &next);
        cli_condition *condition = &where->items[where->count];
        if (!split(text, condition))
            return false;
        unquote(condition, (char *)(uintptr_t)condition->value);
        condition->joint = joint;
        where->count++;
        joint = next;
        text = rest;
    }
    return true;
}

bool cli_parse_where(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    cli_filter *where = to;
    cli_strbuf original = {0};
    cli_puts(&original, text);
    bool ok = add_conditions(where, text);
    if (!ok && where->count == CLI_CONDITIONS_MAX)
        cli_printf(problem, "option '--%s' takes at most %d conditions", option->name,
                   CLI_CONDITIONS_MAX);
    else if (!ok)
        cli_invalid(option, original.data, problem,
                    "'COLUMN RELATION VALUE' with = != < <= > >= or ~, joined by and, or");
    cli_strbuf_free(&original);
    return ok;
}

/* ---- binding ---- */

int cli_column_find(const reprise_replay *replay, size_t track, const char *name)
{
    for (size_t i = 0; i < reprise_column_count(replay, track); i++) {
        if (strcmp(reprise_column_at(replay, track, i)->name, name) == 0)
            return (int)i;
    }
    return -1;
}

static bool read_integer(const char *text, cli_test *test)
{
    char *end;
    errno = 0;
    test->is_unsigned = text[0] != '-';
    /* Numbers above the signed range keep their bits; `is_unsigned` tells them apart. */
    test->integer = test->is_unsigned ? (int64_t)strtoull(text, &end, 0) : strtoll(text, &end, 0);
    return errno == 0 && end != text && *end == '\0';
}

static bool read_real(const char *text, bool single, cli_test *test)
{
    char *end;
    /* A value copied from the output must compare equal, so read it in the stored precision. */
    test->real = single ? (double)strtof(text, &end) : strtod(text, &end);
    return end != text && *end == '\0';
}

static bool read_bool(const char *text, cli_test *test)
{
    bool yes = strcmp(text, "true") == 0 || strcmp(text, "yes") == 0 || strcmp(text, "1") == 0;
    bool no = strcmp(text, "false") == 0 || strcmp(text, "no") == 0 || strcmp(text, "0") == 0;
    test->integer = yes;
    return yes || no;
}

static bool read_value(const cli_condition *condition, const reprise_column *column, cli_test *test)
{
    const char *text = condition->value;
    test->text = text;
    switch (column->type) {
    case REPRISE_TYPE_BOOL:
        test->by_number = true;
        return read_bool(text, test) && condition->relation != CLI_CONTAINS;
    case REPRISE_TYPE_INT:
    case REPRISE_TYPE_UINT64:
        test->by_number = true;
        return read_integer(text, test) && condition->relation != CLI_CONTAINS;
    case REPRISE_TYPE_FLOAT:
    case REPRISE_TYPE_DOUBLE: {
        test->by_number = true;
        bool single = strcmp(column->type_name, "f32") == 0;
        return read_real(text, single, test) && condition->relation != CLI_CONTAINS;
    }
    case REPRISE_TYPE_ENUM:
        test->by_number = condition->relation != CLI_CONTAINS && read_integer(text, test);
        return true;
    case REPRISE_TYPE_TEXT:
    case REPRISE_TYPE_BYTES:
    case REPRISE_TYPE_LIST:
        break;
    }
    return column->type == REPRISE_TYPE_TEXT;
}

/* The names a column of the schema has for its numbers: an array of {number, name}, or NULL. */
static const reprise_value *names_of(const reprise_value *schema, const char *track,
                                     const char *column)
{
    const reprise_value *tracks = reprise_value_get(schema, "tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *item = reprise_value_at(tracks, i);
        if (strcmp(reprise_value_text(reprise_value_get(item, "name"), NULL), track) != 0)
            continue;
        const reprise_value *columns = reprise_value_get(item, "columns");
        for (size_t k = 0; k < reprise_value_count(columns); k++) {
            const reprise_value *found = reprise_value_at(columns, k);
            if (strcmp(reprise_value_text(reprise_value_get(found, "name"), NULL), column) == 0)
                return reprise_value_get(found, "values");
        }
    }
    return NULL;
}

/* False if the column has names for its numbers and this is none of them. */
static bool is_name(const reprise_value *names, const char *text, cli_strbuf *ret_list)
{
    for (size_t i = 0; i < reprise_value_count(names); i++) {
        const char *name = reprise_value_text(reprise_value_get(reprise_value_at(names, i), "name"),
                                              NULL);
        if (name && strcmp(name, text) == 0)
            return true;
        cli_printf(ret_list, "%s%s", i ? ", " : "", name ? name : "");
    }
    return reprise_value_count(names) == 0;
}

/* Shortens a list to what a message holds, at a comma. */
static void cut_words(cli_strbuf *words, size_t size_max)
{
    static const char more[] = " ...";
    if (words->size <= size_max)
        return;
    words->size = size_max - sizeof more;
    while (words->size && words->data[words->size - 1] != ',')
        words->size--;
    cli_puts(words, more);
}

static bool check_name(const reprise_replay *replay, size_t track, const reprise_column *column,
                       const char *value, reprise_error *error)
{
    reprise_library *library = NULL;
    const reprise_value *schema = NULL;
    cli_strbuf list = {0};
    bool ok = false;
    if (reprise_library_new(&library, error) == REPRISE_OK &&
        reprise_schema(library, reprise_format(replay), &schema, error) == REPRISE_OK) {
        const char *name = reprise_track_name(replay, track);
        ok = is_name(names_of(schema, name, column->name), value, &list);
        if (!ok) {
            *error = (reprise_error){.status = REPRISE_E_USAGE};
            cli_strbuf words = {0};
            cli_printf(&words, "column %s has no value '%s', only %s", column->name, value,
                       cli_strbuf_string(&list));
            cut_words(&words, sizeof error->message - 1);
            snprintf(error->message, sizeof error->message, "%s", cli_strbuf_string(&words));
            snprintf(error->hint, sizeof error->hint, "'reprise schema %s' lists the values",
                     reprise_format(replay));
            cli_strbuf_free(&words);
        }
    }
    cli_strbuf_free(&list);
    reprise_library_free(library);
    return ok;
}

bool cli_filter_bind(const cli_filter *where, const reprise_replay *replay, size_t track,
                     cli_tests *ret_tests, reprise_error *error)
{
    cli_tests tests = {0};
    for (size_t i = 0; i < where->count; i++) {
        const cli_condition *condition = &where->items[i];
        int index = cli_column_find(replay, track, condition->column);
        cli_test *test = &tests.items[tests.count++];
        *test = (cli_test){.joint = condition->joint, .missing = index < 0};
        if (index < 0)
            continue;
        const reprise_column *column = reprise_column_at(replay, track, (size_t)index);
        test->column = (size_t)index;
        test->type = column->type;
        test->relation = condition->relation;
        if (!read_value(condition, column, test)) {
            *error = (reprise_error){.status = REPRISE_E_USAGE};
            snprintf(error->message, sizeof error->message,
                     "column %s of track %s cannot be compared with '%s' like this", column->name,
                     reprise_track_name(replay, track), condition->value);
            return false;
        }
        bool exact = condition->relation == CLI_EQUAL || condition->relation == CLI_NOT_EQUAL;
        if (column->type == REPRISE_TYPE_ENUM && exact && !test->by_number &&
            !check_name(replay, track, column, condition->value, error))
            return false;
    }
    *ret_tests = tests;
    return true;
}

/* ---- matching ---- */

static bool holds(cli_relation relation, int order)
{
    switch (relation) {
    case CLI_EQUAL:
        return order == 0;
    case CLI_NOT_EQUAL:
        return order != 0;
    case CLI_LESS:
        return order < 0;
    case CLI_LESS_EQUAL:
        return order <= 0;
    case CLI_GREATER:
        return order > 0;
    case CLI_GREATER_EQUAL:
        return order >= 0;
    case CLI_CONTAINS:
        break;
    }
    return false;
}

static bool match_real(const cli_test *test, double value)
{
    /* NaN has no order and is unequal to everything. */
    if (value != value || test->real != test->real)
        return test->relation == CLI_NOT_EQUAL;
    return holds(test->relation, (value > test->real) - (value < test->real));
}

static bool match_integer(const cli_test *test, int64_t value)
{
    bool huge = test->is_unsigned && test->integer < 0;
    if (test->type == REPRISE_TYPE_UINT64) {
        uint64_t natural = (uint64_t)value, other = (uint64_t)test->integer;
        int order = test->is_unsigned ? (natural > other) - (natural < other) : 1;
        return holds(test->relation, order);
    }
    return holds(test->relation, huge ? -1 : (value > test->integer) - (value < test->integer));
}

/* memmem is not in POSIX. */
static bool contains(const char *text, size_t size, const char *part)
{
    size_t part_size = strlen(part);
    for (size_t i = 0; i + part_size <= size; i++) {
        if (memcmp(text + i, part, part_size) == 0)
            return true;
    }
    return false;
}

static bool match_text(const cli_test *test, const char *text, size_t size)
{
    if (!text)
        return test->relation == CLI_NOT_EQUAL;
    if (test->relation == CLI_CONTAINS)
        return contains(text, size, test->text);
    size_t other_size = strlen(test->text);
    int order = memcmp(text, test->text, size < other_size ? size : other_size);
    if (order == 0)
        order = (size > other_size) - (size < other_size);
    return holds(test->relation, order);
}

static bool match(const cli_test *test, const reprise_rows *rows)
{
    if (reprise_row_null(rows, test->column))
        return test->relation == CLI_NOT_EQUAL;
    if (!test->by_number) {
        size_t size = 0;
        const char *text = reprise_row_text(rows, test->column, &size);
        return match_text(test, text, size);
    }
    if (test->type == REPRISE_TYPE_FLOAT || test->type == REPRISE_TYPE_DOUBLE)
        return match_real(test, reprise_row_double(rows, test->column));
    return match_integer(test, reprise_row_int(rows, test->column));
}

/* Joins the results of conditions as they come: an option holds if one of its alternatives does. */
typedef struct verdict {
    bool options, alternative, together;
} verdict;

static void add_result(verdict *v, cli_joint joint, bool result)
{
    if (joint == CLI_AND) {
        v->together = v->together && result;
        return;
    }
    v->alternative = v->alternative || v->together;
    if (joint == CLI_BEGINS) {
        v->options = v->options && v->alternative;
        v->alternative = false;
    }
    v->together = result;
}

/* Starts with an option that holds. */
#define VERDICT_INIT                                           \
    {                                                          \
        .options = true, .alternative = true, .together = true \
    }

static bool result_of(const verdict *v)
{
    return v->options && (v->alternative || v->together);
}

bool cli_filter_match(const cli_tests *tests, const reprise_rows *rows)
{
    verdict v = VERDICT_INIT;
    for (size_t i = 0; i < tests->count; i++)
        add_result(&v, tests->items[i].joint,
                   !tests->items[i].missing && match(&tests->items[i], rows));
    return result_of(&v);
}

/* ---- lines of values ---- */

bool cli_filter_number(const char *text, double *ret_number)
{
    char *end;
    double number = strtod(text, &end);
    while (end != text && *end == ':') {
        const char *more = end + 1;
        number = number * 60 + strtod(more, &end);
        if (end == more)
            return false;
    }
    *ret_number = number;
    return end != text && *end == '\0';
}

static bool match_value(const cli_condition *condition, const reprise_value *value)
{
    cli_test test = {.relation = condition->relation, .text = condition->value};
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    bool denies = condition->relation == CLI_NOT_EQUAL;
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_STRING:
        return match_text(&test, text, size);
    case REPRISE_VALUE_BOOL:
        return read_bool(condition->value, &test) &&
               match_integer(&test, reprise_value_bool(value, false));
    case REPRISE_VALUE_ARRAY:
        for (size_t i = 0; i < reprise_value_count(value); i++) {
            if (match_value(condition, reprise_value_at(value, i)) != denies)
                return !denies;
        }
        return denies;
    case REPRISE_VALUE_INT:
    case REPRISE_VALUE_UINT:
    case REPRISE_VALUE_FLOAT:
    case REPRISE_VALUE_DOUBLE: {
        double number = reprise_value_double(value, 0);
        if (!cli_filter_number(condition->value, &test.real))
            return denies;
        /* A value copied from the output must compare equal. */
        if (reprise_value_kind_of(value) == REPRISE_VALUE_FLOAT)
            test.real = (double)(float)test.real;
        return match_real(&test, number);
    }
    default:
        return denies; /* null */
    }
}

bool cli_filter_holds(const cli_filter *where, cli_value_getter *get, const void *ctx)
{
    verdict v = VERDICT_INIT;
    for (size_t i = 0; i < where->count; i++) {
        const reprise_value *value = get(ctx, where->items[i].column);
        add_result(&v, where->items[i].joint, value && match_value(&where->items[i], value));
    }
    return result_of(&v);
}
