/* info.c - reprise info: describes a file from its beginning. */
#include <string.h>
#include <strings.h>

#include "info_table.h"
#include "ui/render.h"

#define TABLE "Tables of several files"

typedef struct settings {
    cli_common common;
    bool all, header, full;
    bool sizes;
    cli_table_choice table;
} settings;

static const char *text_of(const reprise_value *object, const char *key)
{
    return reprise_value_text(reprise_value_get(object, key), NULL);
}

/* ---- one file ---- */

static void put_shown(cli_strbuf *to, const char *text)
{
    cli_put_shown(to, text, strlen(text));
}

static void put_map(const reprise_value *map, cli_strbuf *to)
{
    const char *name = text_of(map, "name"), *scene = text_of(map, "scene");
    const char *custom = text_of(map, "custom");
    put_shown(to, name ? name : "unknown");
    if (scene && (!name || strcmp(scene, name) != 0)) {
        cli_puts(to, ", scene ");
        put_shown(to, scene);
    }
    if (custom) {
        cli_puts(to, ", custom map ");
        put_shown(to, custom);
    }
}

static void put_length(const reprise_value *info, cli_strbuf *to, bool rate)
{
    const reprise_value *duration = reprise_value_get(info, "duration");
    const reprise_value *frames = reprise_value_get(info, "frames");
    int64_t fps = reprise_value_int(reprise_value_get(info, "fps"), 0);
    if (duration)
        cli_put_duration(to, reprise_value_double(duration, 0));
    if (duration && frames)
        cli_puts(to, ", ");
    if (frames)
        cli_printf(to, "%lld frames", (long long)reprise_value_int(frames, 0));
    if (frames && fps > 0 && rate)
        cli_printf(to, " at %lld per second", (long long)fps);
}

static void put_private(const reprise_value *info, cli_strbuf *to)
{
    const reprise_value *list = reprise_value_get(info, "private");
    size_t count = reprise_value_count(list);
    for (size_t i = 0; i < count; i++) {
        const char *what = text_of(reprise_value_at(list, i), "what");
        int64_t number = reprise_value_int(reprise_value_get(reprise_value_at(list, i), "count"),
                                           1);
        cli_puts(to, i ? ", " : "");
        put_shown(to, what ? what : "?");
        if (number > 1)
            cli_printf(to, " (%lld)", (long long)number);
    }
    if (!count)
        cli_puts(to, "nothing");
    if (!reprise_value_bool(reprise_value_get(info, "private_complete"), true))
        cli_puts(to, " (at the start; 'reprise anonymize --dry-run' reads everything)");
}

/* Who won, if the replay says so. */
static void put_result(const cli_render *r, cli_table *pairs, const reprise_value *people)
{
    size_t winners = 0;
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *person = reprise_value_at(people, i);
        const char *outcome = text_of(person, "outcome");
        if (!outcome || strcasecmp(outcome, "won") != 0 || !text_of(person, "name"))
            continue;
        if (!winners++)
            cli_pairs_label(r, pairs, "result");
        else
            cli_puts(&pairs->text, ", ");
        cli_put_inline(r, &pairs->text, "name", reprise_value_get(person, "name"));
    }
    if (winners) {
        cli_puts(&pairs->text, " won");
        cli_table_cell(pairs, false);
    }
}

/* Members that most formats have, formatted for people; then all others. */
static void put_lines(const cli_render *r, const reprise_value *info)
{
    static const char skip[] =
        "format format_title layout size title version map date date_zone "
        "duration frames fps people parts private private_complete header "
        "findings timestamp archived_timestamp created " /* shown as "date" */
        "metadata_text lobby file_header";               /* for --all, and for programs */
    cli_table pairs = {.columns = 2};
    cli_pairs_label(r, &pairs, "format");
    cli_printf(&pairs.text, "%s: ", text_of(info, "format"));
    put_shown(&pairs.text, text_of(info, "format_title"));
    cli_printf(&pairs.text, ", layout %s", text_of(info, "layout"));
    cli_table_cell(&pairs, false);
    for (const char *const *key = (const char *const[]){"title", "version", NULL}; *key; key++) {
        const reprise_value *value = reprise_value_get(info, *key);
        if (!value)
            continue;
        cli_pairs_label(r, &pairs, *key);
        cli_put_inline(r, &pairs.text, *key, value);
        cli_table_cell(&pairs, false);
    }
    if (reprise_value_get(info, "map")) {
        cli_pairs_label(r, &pairs, "map");
        put_map(reprise_value_get(info, "map"), &pairs.text);
        cli_table_cell(&pairs, false);
    }
    if (text_of(info, "date")) {
        cli_pairs_label(r, &pairs, "date");
        cli_put_inline(r, &pairs.text, "date", reprise_value_get(info, "date"));
        if (text_of(info, "date_zone") && !strchr(text_of(info, "date"), 'Z'))
            cli_printf(&pairs.text, " (%s)", text_of(info, "date_zone"));
        cli_table_cell(&pairs, false);
    }
    put_result(r, &pairs, reprise_value_get(info, "people"));
    cli_pairs_label(r, &pairs, "length");
    put_length(info, &pairs.text, true);
    cli_table_cell(&pairs, false);
    cli_pairs_label(r, &pairs, "size");
    cli_put_size(&pairs.text, reprise_value_uint(reprise_value_get(info, "size"), 0));
    cli_table_cell(&pairs, false);
    cli_pairs_members(r, &pairs, info, skip);
    if (r->all && text_of(info, "metadata_text")) {
        cli_pairs_label(r, &pairs, "metadata_text");
        cli_render complete = *r;
        complete.all = true;
        cli_put_inline(&complete, &pairs.text, "metadata_text",
                       reprise_value_get(info, "metadata_text"));
        cli_table_cell(&pairs, false);
    }
    cli_pairs_label(r, &pairs, "private data");
    put_private(info, &pairs.text);
    cli_table_cell(&pairs, false);
    cli_pairs_put(r, 2, &pairs);
}

static void put_table(const cli_render *r, const char *heading, const reprise_value *array)
{
    if (!reprise_value_count(array))
        return;
    cli_render_heading(r, 2, heading, NULL);
    cli_render_table(r, 4, array);
}

static void put_header(const cli_render *r, const reprise_value *header)
{
    cli_render_heading(r, 2, "header", NULL);
    cli_json_value(&(cli_json){.to = r->to, .pretty = true}, NULL, header);
    cli_putc(r->to, '\n');
}

static void put_text(cli_job *job, const reprise_value *info)
{
    const settings *s = job->run->settings;
    cli_render r = cli_job_text(job, s->all);
    put_lines(&r, info);
    put_table(&r, "people", reprise_value_get(info, "people"));
    put_table(&r, "map objects", reprise_value_get(reprise_value_get(info, "map"), "objects"));
    cli_render_blocks(&r, 2, info,
                      s->all ? "people parts map private header findings"
                             : "people parts map private header findings lobby file_header");
    put_table(&r, "parts", reprise_value_get(info, "parts"));
    if (reprise_value_count(reprise_value_get(info, "findings"))) {
        cli_render_heading(&r, 2, "findings", NULL);
        cli_render_findings(&r, 4, reprise_value_get(info, "findings"));
    }
    if (s->header)
        put_header(&r, reprise_value_get(info, "header"));
    if (job->several)
        cli_putc(r.to, '\n');
}

static void put_json(cli_job *job, const reprise_value *info, const reprise_value *sizes)
{
    cli_json json = cli_job_document(job);
    cli_json_members(&json, info, NULL);
    if (sizes)
        cli_json_value(&json, "sizes", sizes);
    cli_json_close(&json);
}

static void put_sizes(cli_job *job, const reprise_value *sizes)
{
    cli_render r = {
        .to = &job->out, .width = job->run->width, .colour = job->run->out_colour, .all = true};
    put_table(&r, "sizes", sizes);
}

/* Sizes need the complete file, so they are computed only when asked for. */
static void show_one(cli_job *job)
{
    const settings *s = job->run->settings;
    const reprise_value *info = NULL, *sizes = NULL;
    if (reprise_info(job->replay, &info, &job->error) != REPRISE_OK)
        return;
    job->code = cli_info_code(info);
    if (!job->run->common->json)
        put_text(job, info);
    if (s->sizes && reprise_sizes(job->replay, &sizes, &job->error) != REPRISE_OK)
        return;
    if (job->run->common->json)
        put_json(job, info, sizes);
    else if (sizes)
        put_sizes(job, sizes);
}

/* ---- many files ---- */

static void put_listed_json(cli_job *job, const reprise_value *info, const reprise_value *summary)
{
    cli_json json = cli_job_document(job);
    cli_json_members(&json, info, NULL);
    cli_json_value(&json, "summary", summary);
    cli_json_close(&json);
}

static int run_info(cli_run *run)
{
    const settings *s = run->settings;
    bool several = run->operand_count != 1 || run->common->files_from ||
                   cli_is_directory(run->operands[0]);
    bool in_full = s->full || s->header || s->sizes;
    if (in_full && cli_table_chosen(&s->table))
        return cli_usage(run, "info",
                         "takes no options of tables with --long, --header or --sizes");
    if (cli_form_is_file(s->table.form) && (s->common.json || run->out_terminal))
        return cli_usage(run, "info",
                         s->common.json
                             ? "--json cannot be combined with Parquet or Arrow"
                             : "Parquet and Arrow are not written to a terminal; add '> FILE'");
    if ((several && !in_full) || cli_table_chosen(&s->table))
        return cli_info_table(run, &s->table, put_listed_json);
    return cli_batch_run(run, &(cli_work){.work = show_one, .walks = true, .judges = true});
}

static const cli_option options[] = {
    {.name = "long",
     .letter = 'l',
     .group = CLI_DISPLAY,
     .doc = "Show several files in full instead of one line each.",
     .offset = offsetof(settings, full),
     .parse = cli_parse_flag},
    {.name = "header",
     .group = CLI_DISPLAY,
     .doc = "Also show the header or manifest as stored.",
     .offset = offsetof(settings, header),
     .parse = cli_parse_flag},
    {.name = "sizes",
     .group = CLI_DISPLAY,
     .doc = "Also show the decompressed bytes by kind: players, structures, events and so on.",
     .offset = offsetof(settings, sizes),
     .parse = cli_parse_flag},
    CLI_OPTION_ALL(settings),
    {.name = "columns",
     .value = "NAMES",
     .group = TABLE,
     .doc = "Show these columns in this order, separated by commas. 'reprise schema FORMAT' lists "
            "the columns of a format; all have file, format, layout, size, findings and status.",
     .offset = offsetof(settings, table.columns),
     .parse = cli_parse_words},
    {.name = "where",
     .value = "CONDITION",
     .group = TABLE,
     .doc = "Show only files for which CONDITION holds: a column, one of = != < <= > >= ~ "
            "(contains) and a value; conditions are joined by 'and' and 'or'. Times are seconds or "
            "1:02.5. If repeated, all must hold.",
     .offset = offsetof(settings, table.where),
     .parse = cli_parse_where},
    {.name = "sort",
     .value = "NAMES",
     .group = TABLE,
     .doc = "Sort by these columns, separated by commas; a name after '-' sorts in descending "
            "order. Files without a value come last.",
     .offset = offsetof(settings, table.sort),
     .parse = cli_parse_words},
    {.name = "limit-rows",
     .value = "N",
     .group = TABLE,
     .doc = "Show at most N files of each table.",
     .offset = offsetof(settings, table.rows),
     .parse = cli_parse_count},
    {.name = "format-out",
     .value = "FORM",
     .choices = CLI_TABLE_FORMS,
     .group = TABLE,
     .doc = "Print a table for each format, or one for all as csv, parquet or arrow (an IPC "
            "stream) for other programs (default: table)",
     .offset = offsetof(settings, table.form),
     .parse = cli_parse_choice},
};

const cli_command cli_info = {
    .name = "info",
    .summary = "show what a file is, who plays in it and what looks wrong",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Shows the format and layout of a replay, its players, map, length and parts, the private "
        "data in it, and anything that looks wrong. Only the beginning of the file is read, so "
        "this "
        "is fast for any length; 'reprise verify' reads everything.\n\n"
        "Several files are shown in a table for each format with one line for each file. "
        "Directories "
        "are searched for replays; other files in them are counted and skipped. Columns that "
        "follow "
        "from statistics, such as the result of a match, are filled in for files up to 256 KiB; "
        "naming such a column with --columns, --where or --sort reads larger ones to their end "
        "too.",
    .examples = {{"reprise info match.replay", "Describe one file."},
                 {"reprise info --where 'time < 60 and mode = \"Vanilla\"' --sort time replays/",
                  "List the runs under a minute, the fastest first."},
                 {"reprise info --format-out csv --columns file,map,players,length replays/",
                  "Make a table for a spreadsheet."},
                 {"reprise info --format-out parquet replays/ > replays.parquet",
                  "Make a table for DuckDB, polars or pandas."},
                 {"reprise info --json replays/ | jq -r '.[] | [.file, .map.name] | @tsv'",
                  "List file and map of every replay in a directory."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .walks = true,
    .settings_size = sizeof(settings),
    .run = run_info,
};
