/* records.c - reprise records: the best runs in the catalog of a directory. */
#include <string.h>

#include "batch/catalog_rows.h"
#include "batch/record_query.h"

typedef struct settings {
    cli_common common;
    cli_words by;
    const char *player;
    bool history;
    size_t form;
} settings;

/* "map, course, mode": checked names of columns. */
static void put_keys(cli_strbuf *to, const cli_words *by)
{
    if (!by->count)
        cli_puts(to, CLI_RECORD_KEYS);
    for (size_t i = 0; i < by->count; i++)
        cli_printf(to, "%s[%s]", i ? ", " : "", by->items[i]);
}

static int run_records(cli_run *run)
{
    const settings *s = run->settings;
    for (size_t i = 0; i < s->by.count; i++) {
        if (!cli_is_column_name(s->by.items[i]))
            return cli_usage(run, "records", "--by takes names of columns, such as map,course");
    }
    cli_strbuf keys = {0}, columns = {0}, sql = {0};
    cli_parameters values = cli_parameters_new();
    put_keys(&keys, &s->by);
    /* Who and how fast first: a narrow terminal shows no more. */
    cli_printf(&columns, "%s, kind, %s, styles, %sfile", keys.data,
               s->history ? "date, time, before - time as gain, player" : "time, player, teleports",
               s->history ? "" : "date, runs, ");
    if (s->history)
        cli_put_run_history(&sql, keys.data, columns.data);
    else
        cli_put_best_runs(&sql, keys.data, columns.data);
    cli_parameters_text(&values, s->player ? s->player : "");
    int code = cli_ask_run(run, run->operands[0],
                           &(cli_ask){.sql = sql.data,
                                      .parameters = values.list,
                                      .form = s->form,
                                      .durations = " time gain ",
                                      .empty = "no runs"});
    cli_parameters_free(&values);
    cli_strbuf_free(&keys);
    cli_strbuf_free(&columns);
    cli_strbuf_free(&sql);
    return code;
}

static const cli_option options[] = {
    {.name = "by",
     .value = "NAMES",
     .group = CLI_DISPLAY,
     .doc = "List one record for each combination of these columns (default: map,course,mode)",
     .offset = offsetof(settings, by),
     .parse = cli_parse_words},
    {.name = "player",
     .value = "NAME",
     .group = CLI_DISPLAY,
     .doc = "List only records of this player, by name or Steam id.",
     .offset = offsetof(settings, player),
     .parse = cli_parse_text},
    {.name = "history",
     .group = CLI_DISPLAY,
     .doc = "Show how records improved: each run that was faster than all before it, and by how "
            "much.",
     .offset = offsetof(settings, history),
     .parse = cli_parse_flag},
    CLI_OPTION_ROW_FORM(settings),
};

const cli_command cli_records = {
    .name = "records",
    .summary = "list the fastest CS2KZ runs in a catalog",
    .operands = "DIR|CATALOG",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 1,
    .description =
        "Lists the fastest runs in the catalog of a directory, which 'reprise index' makes: one "
        "line "
        "for each map, course and mode, and several if runs are tied. Runs without teleports (pro) "
        "and with them are apart, and so are runs with different styles. Copies of one run count "
        "once; damaged replays do not count.",
    .examples = {{"reprise records replays/", "List all records."},
                 {"reprise records --history --by map,mode replays/",
                  "Show how the records of each map improved."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .settings_size = sizeof(settings),
    .run = run_records,
};
