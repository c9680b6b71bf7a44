/* query.c - reprise query: asks the catalog of a directory, with SQL or with filters. */
#include <string.h>

#include "batch/catalog_rows.h"
#include "batch/filter.h"

typedef struct settings {
    cli_common common;
    const char *of, *search;
    cli_filter where;
    cli_words columns, sort;
    cli_number rows;
    size_t form;
} settings;

#define FILTER "Filters"

static const char *operator_of(cli_relation relation)
{
    switch (relation) {
    case CLI_EQUAL:
        return "=";
    case CLI_NOT_EQUAL:
        return "is not";
    case CLI_LESS:
        return "<";
    case CLI_LESS_EQUAL:
        return "<=";
    case CLI_GREATER:
        return ">";
    case CLI_GREATER_EQUAL:
        return ">=";
    case CLI_CONTAINS:
        break;
    }
    return NULL;
}

/* Names go into the statement in brackets, which always mean a column; values never do. */
static void put_condition(cli_strbuf *sql, const cli_condition *condition, cli_parameters *values)
{
    const char *operator= operator_of(condition->relation);
    if (operator)
        cli_printf(sql, "[%s] %s ?", condition->column, operator);
    else
        cli_printf(sql, "instr([%s], ?)", condition->column);
    cli_parameters_value(values, condition->value);
}

static void put_conditions(cli_strbuf *sql, const cli_filter *where, cli_parameters *values)
{
    for (size_t i = 0; i < where->count; i++) {
        cli_joint joint = where->items[i].joint;
        cli_puts(sql, joint == CLI_AND ? " and " : joint == CLI_OR ? " or " : i ? ") and (" : "");
        cli_puts(sql, i ? "" : " where (");
        put_condition(sql, &where->items[i], values);
    }
    cli_puts(sql, where->count ? ")" : "");
}

static void put_names(cli_strbuf *sql, const cli_words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        bool descends = *name == '-';
        cli_printf(sql, "%s[%s]%s", i ? ", " : "", name + descends, descends ? " desc" : "");
    }
}

static const char *wrong_name(const settings *s)
{
    for (size_t i = 0; i < s->columns.count; i++) {
        if (!cli_is_column_name(s->columns.items[i]))
            return s->columns.items[i];
    }
    for (size_t i = 0; i < s->sort.count; i++) {
        if (!cli_is_column_name(s->sort.items[i] + (*s->sort.items[i] == '-')))
            return s->sort.items[i];
    }
    for (size_t i = 0; i < s->where.count; i++) {
        if (!cli_is_column_name(s->where.items[i].column))
            return s->where.items[i].column;
    }
    return s->of && !cli_is_column_name(s->of) ? s->of : NULL;
}

/* ---- searching ---- */

/* The end of a word, of a text in quotation marks or of a part in parentheses. */
static const char *term_end(const char *at)
{
    size_t depth = 0;
    bool quoted = false;
    for (; *at && (quoted || depth || *at != ' '); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (!quoted && *at == '(')
            depth++;
        else if (!quoted && *at == ')' && depth)
            depth--;
    }
    return at;
}

static bool is_term(const char *at, const char *end, const char *word)
{
    size_t size = (size_t)(end - at);
    return strlen(word) == size && memcmp(at, word, size) == 0;
}

/* Whether terms are joined in a way that has to be left to SQLite. */
static bool is_joined(const char *words)
{
    const char *end;
    for (const char *at = words + strspn(words, " "); *at; at = end + strspn(end, " ")) {
        end = term_end(at);
        if (is_term(at, end, "OR") || is_term(at, end, "+") || is_term(at, end, ":") ||
            strncmp(at, "NEAR(", 5) == 0)
            return true;
    }
    return false;
}

static void put_term(cli_strbuf *sql, bool without, const char *term, size_t size,
                     cli_parameters *values)
{
    cli_strbuf text = {0};
    cli_put(&text, term, size);
    cli_printf(sql,
               " and f.id %sin (select file_id from word where id in"
               " (select rowid from search where search match ?))",
               without ? "not " : "");
    cli_parameters_text(values, cli_strbuf_string(&text));
    cli_strbuf_free(&text);
}

/*
 * A replay has many texts: names, the map, each line of the chat. SQLite looks for all words in one
 * of them, so each term that AND or NOT joins is looked for on its own.
 */
static void put_search(cli_strbuf *sql, const char *words, cli_parameters *values)
{
    bool without = false, any = false;
    const char *end;
    if (is_joined(words)) {
        put_term(sql, false, words, strlen(words), values);
        return;
    }
    for (const char *at = words + strspn(words, " "); *at; at = end + strspn(end, " ")) {
        end = term_end(at);
        if (is_term(at, end, "AND"))
            continue;
        if (is_term(at, end, "NOT")) {
            without = true;
            continue;
        }
        put_term(sql, without, at, (size_t)(end - at), values);
        without = false;
        any = true;
    }
    if (!any) /* an error of SQLite */
        put_term(sql, false, words, strlen(words), values);
}

/* Files with what all of them have and, for one format, the columns of its summary. */
static void put_filters(const settings *s, cli_strbuf *sql, cli_parameters *values)
{
    cli_puts(sql, "select ");
    if (s->columns.count)
        put_names(sql, &s->columns);
    else
        cli_puts(sql, "*");
    cli_puts(sql, " from (select f.path as file, f.format, f.layout, f.size, f.status, f.findings");
    if (s->of)
        cli_printf(sql, ", t.* from file f join [%s] t on t.file_id = f.id", s->of);
    else
        cli_puts(sql, ", f.map, f.date, f.length, f.sha256, f.error from file f");
    cli_puts(sql, " where f.removed = 0");
    if (s->search)
        put_search(sql, s->search, values);
    cli_puts(sql, ")");
    put_conditions(sql, &s->where, values);
    cli_puts(sql, " order by ");
    if (s->sort.count)
        put_names(sql, &s->sort);
    else
        cli_puts(sql, "file");
    if (s->rows.given)
        cli_printf(sql, " limit %llu", (unsigned long long)s->rows.count);
}

static int run_query(cli_run *run)
{
    const settings *s = run->settings;
    bool filters = s->of || s->search || s->where.count || s->columns.count || s->sort.count ||
                   s->rows.given;
    if (run->operand_count == 2 && filters)
        return cli_usage(run, "query", "takes SQL or filters, not both");
    const char *wrong = wrong_name(s);
    cli_strbuf text = {0};
    if (wrong) {
        cli_printf(&text, "'%s' is not the name of a column or format", wrong);
        int code = cli_usage(run, "query", text.data);
        cli_strbuf_free(&text);
        return code;
    }
    cli_parameters values = cli_parameters_new();
    if (run->operand_count == 2)
        cli_puts(&text, run->operands[1]);
    else
        put_filters(s, &text, &values);
    int code = cli_ask_run(
        run, run->operands[0],
        &(cli_ask){.sql = text.data, .parameters = values.list, .form = s->form});
    cli_parameters_free(&values);
    cli_strbuf_free(&text);
    return code;
}

static const cli_option options[] = {
    {.name = "of",
     .value = "FORMAT",
     .choices = "<format>",
     .group = FILTER,
     .doc = "List only replays of this format, with the columns of its summary.",
     .offset = offsetof(settings, of),
     .parse = cli_parse_text},
    {.name = "search",
     .value = "WORDS",
     .group = FILTER,
     .doc =
         "List only replays with these words in names of players, maps and titles or in the chat. "
         "Words may be joined by AND, OR, NOT and end with '*'.",
     .offset = offsetof(settings, search),
     .parse = cli_parse_text},
    {.name = "where",
     .value = "CONDITION",
     .group = FILTER,
     .doc =
         "List only files for which CONDITION holds, as in 'reprise info --where'. Lists are JSON "
         "text here and compared with '~'.",
     .offset = offsetof(settings, where),
     .parse = cli_parse_where},
    {.name = "columns",
     .value = "NAMES",
     .group = FILTER,
     .doc = "Show these columns, separated by commas.",
     .offset = offsetof(settings, columns),
     .parse = cli_parse_words},
    {.name = "sort",
     .value = "NAMES",
     .group = FILTER,
     .doc = "Sort by these columns, separated by commas; a name after '-' sorts in descending "
            "order.",
     .offset = offsetof(settings, sort),
     .parse = cli_parse_words},
    {.name = "limit-rows",
     .value = "N",
     .group = FILTER,
     .doc = "Show at most N rows.",
     .offset = offsetof(settings, rows),
     .parse = cli_parse_count},
    CLI_OPTION_ROW_FORM(settings),
};

const cli_command cli_query = {
    .name = "query",
    .summary = "ask the catalog of a directory, with SQL or filters",
    .operands = "DIR|CATALOG [SQL]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Runs one SQL statement on a catalog, which it cannot change, or lists the files that pass "
        "filters. docs/catalog.md explains the tables: file, player, file_player, metric, word, "
        "search, duplicate, and one for each format with the columns of its summary.",
    .examples = {{"reprise query replays/ --of cs2kz --where 'time < 60 and teleports = 0'",
                  "List pro runs under a minute."},
                 {"reprise query replays/ --search 'alice AND hf'",
                  "Find replays by names and chat."},
                 {"reprise query replays/ 'select format, count(*) from file group by format'",
                  "Count replays with SQL."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .settings_size = sizeof(settings),
    .run = run_query,
};
