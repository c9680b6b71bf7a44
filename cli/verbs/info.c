/* info.c - reprise info: describes a file from its beginning. */
#include <string.h>
#include <strings.h>

#include "batch/batch.h"
#include "ui/render.h"

typedef struct settings {
    cli_common common;
    bool all, header, full;
    bool sizes;
} settings;

static const char *text_of(const reprise_value *object, const char *key)
{
    return reprise_value_text(reprise_value_get(object, key), NULL);
}

/* Files with warnings are shown like others; only the exit code differs. */
static int code_of(const reprise_value *info)
{
    const reprise_value *findings = reprise_value_get(info, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const char *severity = text_of(reprise_value_at(findings, i), "severity");
        if (severity && strcmp(severity, "note") != 0)
            return CLI_WARNED;
    }
    return CLI_DONE;
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
        cli_put_inline(&pairs->text, "name", reprise_value_get(person, "name"), r->all);
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
        cli_put_inline(&pairs.text, *key, value, r->all);
        cli_table_cell(&pairs, false);
    }
    if (reprise_value_get(info, "map")) {
        cli_pairs_label(r, &pairs, "map");
        put_map(reprise_value_get(info, "map"), &pairs.text);
        cli_table_cell(&pairs, false);
    }
    if (text_of(info, "date")) {
        cli_pairs_label(r, &pairs, "date");
        cli_put_inline(&pairs.text, "date", reprise_value_get(info, "date"), r->all);
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
        cli_put_inline(&pairs.text, "metadata_text", reprise_value_get(info, "metadata_text"),
                       true);
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
    cli_render r = {
        .to = &job->out, .width = job->run->width, .colour = job->run->out_colour, .all = s->all};
    cli_put_painted(r.to, r.colour, CLI_BOLD, job->path);
    cli_putc(r.to, '\n');
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
    job->code = code_of(info);
    if (!job->run->common->json)
        put_text(job, info);
    if (s->sizes && reprise_sizes(job->replay, &sizes, &job->error) != REPRISE_OK)
        return;
    if (job->run->common->json)
        put_json(job, info, sizes);
    else if (sizes)
        put_sizes(job, sizes);
}

/* ---- many files: one line each ---- */

/*
 * People come last, because only the last column of a table is wrapped. The columns of saves are
 * dropped if there are no saves.
 */
static const char *const headings[] = {"file",     "format", "layout",    "title",   "date",
                                       "campaign", "tick",   "game time", "picture", "map",
                                       "length",   "size",   "findings",  "people"};
enum { SAVES_FROM = 3, SAVES_TO = 9 };

/* The thread that reads a file passes the cells of its line as NUL-terminated strings. */
static void end_cell(cli_strbuf *to)
{
    cli_putc(to, '\0');
}

static void put_people(const reprise_value *people, cli_strbuf *to)
{
    enum { NAMES_MAX = 4, NAME_WIDTH_MAX = 32 };
    size_t count = reprise_value_count(people);
    for (size_t i = 0; i < count && i < NAMES_MAX; i++) {
        const char *name = text_of(reprise_value_at(people, i), "name");
        cli_puts(to, i ? ", " : "");
        cli_put_cut(to, name ? name : "-", name ? strlen(name) : 1, NAME_WIDTH_MAX);
    }
    if (count > NAMES_MAX)
        cli_printf(to, " +%zu", count - NAMES_MAX);
}

static void put_findings(const cli_run *run, const reprise_value *info, cli_strbuf *to)
{
    size_t count = reprise_value_count(reprise_value_get(info, "findings"));
    if (!count)
        return;
    cli_strbuf words = {0};
    cli_printf(&words, "%zu", count);
    cli_put_painted(to, run->out_colour, code_of(info) == CLI_DONE ? CLI_CYAN : CLI_YELLOW,
                    words.data);
    cli_strbuf_free(&words);
}

/* Columns of saves. Only a save has a tick. */
static void put_save(const reprise_value *info, cli_strbuf *to)
{
    const reprise_value *tick = reprise_value_get(info, "tick");
    const char *texts[] = {text_of(info, "title"), text_of(info, "date"),
                           text_of(reprise_value_get(info, "campaign"), "campaign_id")};
    for (size_t i = 0; i < CLI_COUNT(texts); i++) {
        put_shown(to, tick && texts[i] ? texts[i] : "");
        end_cell(to);
    }
    if (tick)
        cli_put_value(to, tick);
    end_cell(to);
    if (tick && reprise_value_get(info, "game_time"))
        cli_put_duration(to, reprise_value_double(reprise_value_get(info, "game_time"), 0));
    end_cell(to);
    if (tick && reprise_value_bool(reprise_value_get(info, "thumbnail"), false))
        cli_puts(to, "yes");
    end_cell(to);
}

static void show_line(cli_job *job)
{
    const reprise_value *info = NULL;
    if (reprise_info(job->replay, &info, &job->error) != REPRISE_OK)
        return;
    job->code = code_of(info);
    cli_strbuf *to = &job->out;
    cli_puts(to, text_of(info, "format"));
    end_cell(to);
    cli_puts(to, text_of(info, "layout"));
    end_cell(to);
    put_save(info, to);
    const char *map = text_of(reprise_value_get(info, "map"), "name");
    put_shown(to, map ? map : "");
    end_cell(to);
    if (reprise_value_get(info, "duration"))
        cli_put_duration(to, reprise_value_double(reprise_value_get(info, "duration"), 0));
    else if (reprise_value_get(info, "frames"))
        put_length(info, to, false);
    end_cell(to);
    cli_put_size(to, reprise_value_uint(reprise_value_get(info, "size"), 0));
    end_cell(to);
    put_findings(job->run, info, to);
    end_cell(to);
    put_people(reprise_value_get(info, "people"), to);
    end_cell(to);
}

/* A file that cannot be read shows its status in the format column. */
static void add_failure(cli_table *table, const cli_job *job)
{
    cli_put_painted(&table->text, job->run->out_colour, CLI_RED,
                    reprise_status_name(job->error.status));
    cli_table_cell(table, false);
    for (size_t i = 2; i < CLI_COUNT(headings); i++)
        cli_table_cell(table, false);
}

static void add_line(void *ctx, cli_job *job)
{
    cli_table *table = ctx;
    cli_table_text(table, job->path);
    if (job->error.status != REPRISE_OK) {
        add_failure(table, job);
        return;
    }
    const char *at = job->out.data;
    for (size_t i = 1; i < CLI_COUNT(headings); i++) {
        cli_puts(&table->text, at);
        bool right = strcmp(headings[i], "length") == 0 || strcmp(headings[i], "size") == 0 ||
                     strcmp(headings[i], "tick") == 0 || strcmp(headings[i], "game time") == 0;
        cli_table_cell(table, right);
        at += strlen(at) + 1;
    }
}

static int run_table(cli_run *run)
{
    cli_table table = {.columns = CLI_COUNT(headings)};
    for (size_t i = 0; i < CLI_COUNT(headings); i++)
        cli_table_text(&table, headings[i]);
    cli_work work = {.work = show_line, .done = add_line, .ctx = &table, .walks = true};
    int code = cli_batch_run(run, &work);
    cli_strbuf text = {0};
    cli_table_style style = {.colour = run->out_colour,
                             .wrap_width = run->out_terminal ? run->width : 0};
    bool any = table.count > CLI_COUNT(headings);
    cli_table_drop_empty(&table, SAVES_FROM, SAVES_TO);
    if (any)
        cli_table_put(&table, &style, &text);
    cli_out_put(&run->out, text.data, text.size);
    cli_strbuf_free(&text);
    cli_table_free(&table);
    return code;
}

static int run_info(cli_run *run)
{
    const settings *s = run->settings;
    bool lines = !run->common->json && !s->full && !s->header &&
                 (run->operand_count > 1 || cli_is_directory(run->operands[0]));
    if (lines)
        return run_table(run);
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
        "Several files are shown as a table with one line each. Directories are searched for "
        "replays; other files in them are counted and skipped.",
    .examples = {{"reprise info match.replay", "Describe one file."},
                 {"reprise info --json replays/ | jq -r '.[] | [.file, .map.name] | @tsv'",
                  "List file and map of every replay in a directory."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_info,
};
