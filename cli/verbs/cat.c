/* cat.c - reprise cat: rows of tracks as JSON lines or CSV, and as a table on a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "batch/outfile.h"
#include "batch/seen.h"
#include "cat.h"
#include "cat_table.h"
#include "table_file.h"

typedef cli_cat_settings settings;

#define STYLE_CHOICES "auto table jsonl csv arrow parquet"
enum { STYLE_AUTO, STYLE_TABLE, STYLE_JSONL, STYLE_CSV, STYLE_ARROW, STYLE_PARQUET };

/* Columns and conditions of one track. */
typedef struct track_plan {
    bool chosen;
    cli_tests tests;
    size_t *columns; /* NULL: all */
    size_t column_count;
} track_plan;

enum { TRACKS_MAX = 64 };

/* State of the run: the rows of all files go to one output and are counted together. */
typedef struct output {
    cli_run *run;
    const settings *s;
    cli_out *to;
    cli_outfile file; /* with --output */
    bool csv, several;
    bool readable;        /* a table on a terminal, if there is one track */
    cli_cat_table *table; /* of the file that is being read, or NULL */
    uint64_t rows;
    cli_seen seen;       /* in the file that is being read, while no row has passed */
    cli_strbuf heading;  /* of the CSV, once written */
    reprise_error error; /* the first one, for the status record */
    const char *error_file;
    int code;
} output;

/* ---- choosing ---- */

static reprise_status choose_tracks(const settings *s, const reprise_replay *replay,
                                    track_plan *plans, uint64_t *ret_tracks, reprise_error *error)
{
    size_t count = reprise_track_count(replay);
    uint64_t tracks = 0;
    if (!s->tracks.count && count != 1) {
        cli_no_track(replay, NULL, error);
        return error->status;
    }
    for (size_t i = 0; i < s->tracks.count; i++) {
        int track = reprise_track_find(replay, s->tracks.items[i]);
        bool all = strcmp(s->tracks.items[i], "all") == 0;
        if (track < 0 && !all) {
            cli_no_track(replay, s->tracks.items[i], error);
            return error->status;
        }
        tracks |= all ? UINT64_MAX : UINT64_C(1) << track;
    }
    if (!s->tracks.count)
        tracks = 1;
    for (size_t i = 0; i < count && i < TRACKS_MAX; i++)
        plans[i].chosen = tracks >> i & 1;
    *ret_tracks = tracks;
    return REPRISE_OK;
}

static void choose_columns(const settings *s, const reprise_replay *replay, size_t track,
                           track_plan *plan)
{
    if (!s->columns.count)
        return;
    plan->columns = cli_memory(NULL, s->columns.count * sizeof *plan->columns);
    for (size_t i = 0; i < s->columns.count; i++) {
        int column = cli_column_find(replay, track, s->columns.items[i]);
        if (column >= 0)
            plan->columns[plan->column_count++] = (size_t)column;
    }
}

/* A column must exist in at least one of the chosen tracks. */
static reprise_status check_name(const reprise_replay *replay, const track_plan *plans,
                                 const char *name, reprise_error *error)
{
    size_t chosen = 0;
    for (size_t i = reprise_track_count(replay); i-- > 0;) {
        if (!plans[i].chosen)
            continue;
        if (cli_column_find(replay, i, name) >= 0)
            return REPRISE_OK;
        chosen = i;
    }
    cli_fail(error, REPRISE_E_USAGE, "track %s has no column '%s'",
             reprise_track_name(replay, chosen), name);
    snprintf(error->hint, sizeof error->hint, "'reprise tracks --track %s FILE' lists them",
             reprise_track_name(replay, chosen));
    return error->status;
}

static reprise_status make_plans(const settings *s, const reprise_replay *replay, track_plan *plans,
                                 reprise_error *error)
{
    for (size_t i = 0; i < s->columns.count; i++) {
        if (check_name(replay, plans, s->columns.items[i], error) != REPRISE_OK)
            return error->status;
    }
    for (size_t i = 0; i < s->where.count; i++) {
        if (check_name(replay, plans, s->where.items[i].column, error) != REPRISE_OK)
            return error->status;
    }
    for (size_t i = 0; i < reprise_track_count(replay) && i < TRACKS_MAX; i++) {
        if (!plans[i].chosen)
            continue;
        choose_columns(s, replay, i, &plans[i]);
        if (!cli_filter_bind(&s->where, replay, i, &plans[i].tests, error))
            return error->status;
    }
    return REPRISE_OK;
}

static void free_plans(track_plan *plans)
{
    for (size_t i = 0; i < TRACKS_MAX; i++)
        free(plans[i].columns);
    free(plans);
}

static reprise_status set_range(const settings *s, reprise_replay *replay,
                                reprise_rows_options *options, reprise_error *error)
{
    cli_range range = CLI_RANGE_OF(options);
    if (cli_range_find(replay, &s->from, &s->to, range, error) != REPRISE_OK)
        return error->status;
    return cli_range_find(replay, &s->from_frame, &s->to_frame, range, error);
}

/* ---- CSV headings ---- */

static void put_heading(const output *o, const reprise_replay *replay, const track_plan *plans,
                        cli_strbuf *to)
{
    size_t track = 0;
    while (!plans[track].chosen)
        track++;
    const track_plan *plan = &plans[track];
    size_t count = plan->columns ? plan->column_count : reprise_column_count(replay, track);
    if (o->several)
        cli_puts(to, count ? "file," : "file");
    for (size_t i = 0; i < count; i++) {
        size_t column = plan->columns ? plan->columns[i] : i;
        cli_printf(to, "%s%s", i ? "," : "", reprise_column_at(replay, track, column)->name);
    }
    cli_putc(to, '\n');
}

/* The heading is written once, so later files must have the same columns. */
static reprise_status begin_csv(output *o, const reprise_replay *replay, const track_plan *plans,
                                reprise_error *error)
{
    cli_strbuf heading = {0};
    put_heading(o, replay, plans, &heading);
    if (!o->heading.size) {
        cli_out_put(o->to, heading.data, heading.size);
        o->heading = heading;
        return REPRISE_OK;
    }
    bool same = strcmp(heading.data, o->heading.data) == 0;
    cli_strbuf_free(&heading);
    if (same)
        return REPRISE_OK;
    cli_fail(error, REPRISE_E_USAGE, "columns differ from those of earlier files");
    snprintf(error->hint, sizeof error->hint, "select columns that all files have with --columns");
    return error->status;
}

/* ---- rows ---- */

static int give_text(void *ctx, const void *data, size_t size)
{
    cli_out_put(ctx, data, size);
    return 0; /* the loop over the rows ends when the output fails */
}

static reprise_status set_styles(const output *o, const char *path, const reprise_replay *replay,
                                 const track_plan *plans, reprise_printer *printer,
                                 reprise_error *error)
{
    reprise_row_text_options style = {
        .struct_size = sizeof style,
        .style = o->csv ? REPRISE_ROW_CSV : REPRISE_ROW_JSON,
        .with_track = o->s->tracks.count > 1 ||
                      (o->s->tracks.count == 1 && strcmp(o->s->tracks.items[0], "all") == 0),
        .with_stored = o->s->stored,
        .file = o->several ? path : NULL};
    for (size_t i = 0; i < reprise_track_count(replay) && i < TRACKS_MAX; i++) {
        style.columns = plans[i].columns;
        style.column_count = plans[i].column_count;
        if (reprise_printer_set_style(printer, i, &style, error) != REPRISE_OK)
            return error->status;
    }
    return REPRISE_OK;
}

/* Prints the rows that pass the filter. `ret_read` counts all rows. */
static reprise_status put_rows(output *o, const reprise_replay *replay, reprise_printer *printer,
                               const track_plan *plans, uint64_t *ret_read, bool *ret_passed,
                               reprise_error *error)
{
    reprise_rows *rows = reprise_printer_rows(printer);
    reprise_status status;
    while ((status = reprise_rows_next(rows, error)) == REPRISE_OK && !o->to->cause) {
        const track_plan *plan = &plans[reprise_row_track(rows) % TRACKS_MAX];
        ++*ret_read;
        if (!cli_filter_match(&plan->tests, rows)) {
            if (!*ret_passed)
                cli_seen_add(&o->seen, replay, &plan->tests, rows);
            continue;
        }
        *ret_passed = true;
        if (o->table) {
            status = cli_cat_table_row(o->table, replay, rows, plan->columns, plan->column_count,
                                       error);
            o->rows++;
        } else {
            status = reprise_printer_row(printer, error);
        }
        if (status != REPRISE_OK)
            return status;
    }
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* Complete rows are written before the damage that follows them is reported. */
static reprise_status end_rows(output *o, reprise_printer *printer, reprise_status status,
                               reprise_error *error)
{
    reprise_error late = REPRISE_ERROR_INIT;
    if (reprise_printer_end(printer, &late) != REPRISE_OK && status == REPRISE_OK) {
        *error = late;
        status = late.status;
    }
    o->rows += reprise_printer_count(printer);
    return status;
}

static bool one_track(uint64_t tracks)
{
    return tracks && (tracks & (tracks - 1)) == 0;
}

/* A text that no row has may be misspelt. */
static void say_seen(output *o, const char *path)
{
    cli_strbuf words = {0}, found = {0};
    cli_seen_put(&o->seen, &found);
    if (found.size) {
        cli_puts(&words, "reprise: ");
        cli_put_shown(&words, path, strlen(path));
        cli_puts(&words, ": ");
        cli_put(&words, found.data, found.size);
        cli_putc(&words, '\n');
        cli_say(o->run, &words);
    }
    cli_strbuf_free(&found);
    cli_strbuf_free(&words);
}

static reprise_status print_replay(output *o, const char *path, reprise_replay *replay,
                                   track_plan *plans, uint64_t *ret_read, reprise_error *error)
{
    bool passed = false;
    reprise_rows_options options = REPRISE_ROWS_INIT;
    options.every_frame = o->s->every_frame;
    options.linear = o->s->between == 1;
    reprise_status status = set_range(o->s, replay, &options, error);
    if (status == REPRISE_OK)
        status = choose_tracks(o->s, replay, plans, &options.tracks, error);
    if (status != REPRISE_OK)
        return status;
    reprise_printer *printer = NULL;
    reprise_sink sink = {.ctx = o->to, .write = give_text};
    status = reprise_printer_open(replay, &options, &sink, &printer, error);
    if (status == REPRISE_OK)
        status = make_plans(o->s, replay, plans, error);
    if (status == REPRISE_OK)
        status = set_styles(o, path, replay, plans, printer, error);
    if (status == REPRISE_OK && o->csv)
        status = begin_csv(o, replay, plans, error);
    cli_cat_table table = {.to = o->to,
                           .format = reprise_format(replay),
                           .width = o->run->width,
                           .colour = o->run->out_colour,
                           .all = o->s->columns.count > 0};
    o->table = o->readable && one_track(options.tracks) ? &table : NULL;
    if (status == REPRISE_OK)
        status = put_rows(o, replay, printer, plans, ret_read, &passed, error);
    if (printer)
        status = end_rows(o, printer, status, error);
    if (o->table)
        cli_cat_table_end(&table);
    o->table = NULL;
    reprise_printer_close(printer);
    if (status == REPRISE_OK && !passed)
        say_seen(o, path);
    cli_seen_free(&o->seen);
    return status;
}

static void print_file(output *o, const char *path)
{
    cli_progress_file file = {.progress = &o->run->progress, .name = path};
    cli_open_options options = cli_reading(o->run, &file);
    reprise_replay *replay = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    uint64_t read = 0;
    bool some = false;
    reprise_status status = cli_open(path, &options, &replay, &error);
    if (status == REPRISE_OK) {
        track_plan *plans = cli_memory(NULL, TRACKS_MAX * sizeof *plans);
        memset(plans, 0, TRACKS_MAX * sizeof *plans);
        status = print_replay(o, path, replay, plans, &read, &error);
        free_plans(plans);
        bool damaged = reprise_damage(replay, status == REPRISE_OK ? &error : NULL);
        status = status == REPRISE_OK ? error.status : status;
        some = read || (damaged && cli_has_row(replay));
        reprise_close(replay);
    }
    cli_progress_file_done(&o->run->progress, path);
    if (status == REPRISE_OK)
        return;
    cli_say_error(o->run, path, &error);
    o->code = cli_exit_worse(o->code, some ? cli_exit_of_partial(status) : cli_exit_of(status));
    if (o->error.status == REPRISE_OK) {
        o->error = error;
        o->error_file = path;
    }
}

/* ---- all files ---- */

static void put_status(output *o)
{
    cli_strbuf line = {0};
    cli_json json = {.to = &line};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "status", reprise_status_name(o->error.status));
    cli_json_uint(&json, "rows", o->rows);
    if (o->error.status != REPRISE_OK) {
        cli_json_text(&json, "file", o->error_file);
        cli_json_error(&json, "error", &o->error);
    }
    cli_json_close(&json);
    cli_putc(&line, '\n');
    cli_out_put(o->to, line.data, line.size);
    cli_strbuf_free(&line);
}

static void print_files(output *o)
{
    for (size_t i = 0; i < o->run->operand_count && !o->to->cause; i++)
        print_file(o, o->run->operands[i]);
    if (!o->csv && !o->readable && (!o->s->no_status || o->run->common->json))
        put_status(o);
    cli_progress_clear(&o->run->progress);
    cli_strbuf_free(&o->heading);
}

/* The file is kept if it is complete, or if only the input was damaged. */
static int print_to_file(output *o)
{
    reprise_error error = REPRISE_ERROR_INIT;
    if (cli_outfile_open(&o->file, o->s->output, o->s->force, &error) != REPRISE_OK)
        return cli_report(o->run, o->s->output, &error);
    o->to = &o->file.out;
    print_files(o);
    reprise_status status = REPRISE_OK;
    bool complete = o->code == CLI_DONE || o->code == CLI_WARNED;
    if (complete)
        status = cli_outfile_commit(&o->file, &error);
    cli_outfile_close(&o->file);
    if (status != REPRISE_OK)
        return cli_report(o->run, o->s->output, &error);
    if (complete)
        cli_say_written(o->run, o->rows, o->s->output);
    return o->code;
}

static bool wants_csv(const settings *s)
{
    if (s->style != STYLE_AUTO || s->common.json || !s->output)
        return s->style == STYLE_CSV;
    const char *dot = strrchr(s->output, '.');
    return dot && strcmp(dot, ".csv") == 0;
}

static const char *find_conflict(const settings *s, bool csv)
{
    bool many = s->tracks.count > 1 ||
                (s->tracks.count == 1 && strcmp(s->tracks.items[0], "all") == 0);
    if (csv && s->common.json)
        return "--json cannot be combined with CSV";
    if (csv && many)
        return "CSV holds one track only; tracks have different columns";
    if (csv && s->stored)
        return "--stored needs JSON lines; CSV cannot hold it";
    if (s->style == STYLE_TABLE && (many || s->stored || s->common.json))
        return "a table for people shows one track; --stored and --json need JSON lines";
    return NULL;
}

/* Whether Parquet or Arrow is asked for: by --format-out, or by the suffix of the output. */
static bool wants_table_file(const settings *s, reprise_table_form *ret_form)
{
    bool named = s->output && cli_table_form_of(s->output, ret_form);
    if (s->style == STYLE_AUTO)
        return named && !s->common.json;
    if (s->style == STYLE_PARQUET)
        *ret_form = REPRISE_TABLE_PARQUET;
    /* A pipe takes a stream, and so does a file whose suffix does not ask for the other format. */
    if (s->style == STYLE_ARROW && !(named && *ret_form != REPRISE_TABLE_PARQUET))
        *ret_form = REPRISE_TABLE_ARROW_STREAM;
    return s->style == STYLE_PARQUET || s->style == STYLE_ARROW;
}

int cli_cat_rows(cli_run *run, const cli_cat_settings *s)
{
    reprise_table_form form;
    if (wants_table_file(s, &form))
        return cli_table_write(run, s, form);
    bool csv = wants_csv(s);
    const char *conflict = find_conflict(s, csv);
    if (conflict)
        return cli_usage(run, run->command->name, conflict);
    output o = {.run = run, .s = s, .to = &run->out, .csv = csv, .several = run->operand_count > 1};
    run->progress.files_total = run->operand_count;
    /* Programs get JSON lines; people get a table. */
    o.readable = s->style == STYLE_TABLE ||
                 (run->out_terminal && s->style == STYLE_AUTO && !s->common.json && !s->output &&
                  !s->stored && !o.several);
    if (s->output && strcmp(s->output, "-") != 0)
        return print_to_file(&o);
    /* Rows on the terminal show progress already, and a progress line would mix with them. */
    if (run->out_terminal && run->progress.kind == CLI_PROGRESS_LINE)
        run->progress.kind = CLI_PROGRESS_OFF;
    print_files(&o);
    return o.code;
}

static int run_cat(cli_run *run)
{
    return cli_cat_rows(run, run->settings);
}

#define WHAT  "Columns"
#define WHICH "Rows"
#define WHERE CLI_OUTPUT_GROUP

static const cli_option options[] = {
    {.name = "track",
     .letter = 't',
     .value = "NAME",
     .choices = "<track>",
     .group = WHAT,
     .doc = "Print this track; 'all' prints every track. Separate names with commas or repeat. "
            "Required unless the replay has only one.",
     .offset = offsetof(settings, tracks),
     .parse = cli_parse_words},
    {.name = "columns",
     .letter = 'c',
     .value = "NAMES",
     .group = WHAT,
     .doc = "Print only these columns, in this order, separated by commas.",
     .offset = offsetof(settings, columns),
     .parse = cli_parse_words},
    {.name = "stored",
     .group = WHAT,
     .doc = "Add a member \"stored\" to each row: the columns that the file stores in this row. "
            "The others repeat earlier values.",
     .offset = offsetof(settings, stored),
     .parse = cli_parse_flag},
    CLI_OPTIONS_SPAN(settings, WHICH, ""),
    {.name = "from-frame",
     .value = "N",
     .group = WHICH,
     .doc = "Start at frame or tick N.",
     .offset = offsetof(settings, from_frame),
     .parse = cli_parse_index},
    {.name = "to-frame",
     .value = "N",
     .group = WHICH,
     .doc = "Stop after frame or tick N.",
     .offset = offsetof(settings, to_frame),
     .parse = cli_parse_index},
    {.name = "where",
     .letter = 'w',
     .value = "CONDITION",
     .group = WHICH,
     .doc = "Print only rows that meet CONDITION, such as 'health < 10', 'kind = hit' or 'name "
            "~ round' (contains). Relations are = != < <= > >= and ~. May be repeated; all must "
            "hold.",
     .offset = offsetof(settings, where),
     .parse = cli_parse_where},
    {.name = "every-frame",
     .group = WHICH,
     .doc = "Print a row for each object in each frame, even if it did not change.",
     .offset = offsetof(settings, every_frame),
     .parse = cli_parse_flag},
    {.name = "interpolate",
     .value = "HOW",
     .choices = "step linear",
     .group = WHICH,
     .doc =
         "With --every-frame, fill in values that a frame leaves out: repeat the last one (step) "
         "or interpolate between neighbours (linear), in formats that omit parts of an object "
         "(default: step)",
     .offset = offsetof(settings, between),
     .parse = cli_parse_choice},
    {.name = "format-out",
     .value = "STYLE",
     .choices = STYLE_CHOICES,
     .group = WHERE,
     .doc = "Print a table for people, jsonl (JSON lines), csv, arrow (an IPC stream) or parquet. "
            "auto means what the suffix of the output file names, else a table on a terminal and "
            "jsonl elsewhere (default: auto)",
     .offset = offsetof(settings, style),
     .parse = cli_parse_choice},
    CLI_OPTIONS_OUTPUT(settings, output, force, "Write to FILE instead of standard output."),
    {.name = "no-status",
     .group = WHERE,
     .doc = "Omit the last line of JSON lines, which says whether all rows were printed.",
     .offset = offsetof(settings, no_status),
     .parse = cli_parse_flag},
};

const cli_command cli_cat = {
    .name = "cat",
    .summary = "print rows of a track as a table, JSON lines, CSV, Arrow or Parquet",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Prints the rows of a track in file order. Every row is complete: values that the file "
        "omits because they did not change are filled in. 'reprise tracks' lists tracks and "
        "columns.\n\n"
        "JSON lines end with a line whose member \"status\" is \"ok\" or the error. If a file ends "
        "early, all complete rows are printed and the exit code is 3, or 5 if the file has none. "
        "With "
        "several files or tracks, each row names its own.",
    .examples = {{"reprise cat --track events --where 'kind = hit' match.replay",
                  "Print every hit with its damage as JSON lines."},
                 {"reprise cat --track players --columns frame,time,player,health -o health.csv "
                  "match.replay",
                  "Write health over time as a table for a spreadsheet."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_cat,
};
