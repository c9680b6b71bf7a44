/* index.c - reprise index: makes and updates the catalog of a directory. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/catalog_rows.h"
#include "batch/watch.h"
#include "index.h"

typedef struct settings {
    cli_common common;
    const char *catalog;
    bool rebuild, watch;
    cli_number poll;
} settings;

/* ---- one file ---- */

static int code_of(const reprise_value *record)
{
    const char *status = reprise_value_text(reprise_value_get(record, "status"), NULL);
    bool good = strcmp(status, "ok") == 0 || strcmp(status, "not a replay") == 0;
    return good ? CLI_DONE : CLI_WARNED;
}

void cli_index_read(cli_job *job)
{
    struct stat info;
    cli_index_entry *e = cli_memory(NULL, sizeof *e);
    reprise_options *options = NULL;
    *e = (cli_index_entry){0};
    if (stat(job->path, &info) != 0)
        cli_fail(&job->error, REPRISE_E_IO, "%s", strerror(errno));
    else if (cli_make_options(&job->run->common->reading, &options, &job->error) == REPRISE_OK)
        (void)!reprise_catalog_read(job->path, options, &e->record, &job->error);
    reprise_options_free(options);
    if (e->record) {
        e->stamp = cli_stamp_of(&info);
        job->code = code_of(reprise_catalog_record_document(e->record));
    }
    job->result = e;
}

void cli_index_entry_free(cli_index_entry *entry)
{
    if (entry)
        reprise_catalog_record_free(entry->record);
    free(entry);
}

static void store(void *ctx, cli_job *job)
{
    cli_indexing *x = ctx;
    cli_index_entry *e = job->result;
    if (e && e->record && x->error.status == REPRISE_OK)
        (void)!reprise_catalog_put(x->catalog, job->path + x->root_size, e->stamp.size,
                                   e->stamp.mtime_ns, e->record, &x->error);
    cli_index_entry_free(e);
}

/* ---- all files ---- */

/* Keeps the files that the catalog does not know as they are now. */
static void look(cli_indexing *x, cli_file_list *files)
{
    size_t kept = 0;
    x->found = files->count;
    for (size_t i = 0; i < files->count; i++) {
        cli_file *file = &files->items[i];
        struct stat info;
        bool known = false;
        if (x->error.status == REPRISE_OK && file->walked && stat(file->path, &info) == 0)
            (void)!reprise_catalog_look(x->catalog, file->path + x->root_size,
                                        (uint64_t)info.st_size, cli_stamp_of(&info).mtime_ns,
                                        &known, &x->error);
        if (known)
            free(file->path);
        else
            files->items[kept++] = *file;
    }
    files->count = kept;
}

/* How many files have each status. */
typedef struct statuses {
    cli_json *json;               /* NULL: for people */
    size_t counts[CLI_LIMIT + 1]; /* by exit code */
} statuses;

static bool add_status(void *ctx, const reprise_value *row)
{
    static const struct {
        const char *status;
        int code;
    } known[] = {{"ok", CLI_DONE},         {"warning", CLI_WARNED},
                 {"damaged", CLI_REFUSED}, {"not a replay", CLI_UNRECOGNIZED},
                 {"limit", CLI_LIMIT},     {"unsupported", CLI_REFUSED}};
    statuses *s = ctx;
    const char *status = reprise_value_text(reprise_value_at(row, 0), NULL);
    uint64_t count = reprise_value_uint(reprise_value_at(row, 1), 0);
    int code = CLI_FAILED;
    for (size_t i = 0; status && i < CLI_COUNT(known); i++)
        code = strcmp(status, known[i].status) == 0 ? known[i].code : code;
    s->counts[code] += (size_t)count;
    if (s->json && status)
        cli_json_uint(s->json, status, count);
    return true;
}

static void count_statuses(cli_indexing *x, statuses *to)
{
    (void)!reprise_catalog_query(x->catalog,
                                 "select status, count(*) from file where removed = 0 group by"
                                 " status order by status",
                                 NULL, add_status, to, &x->error);
}

/* How many of all files are good, also of those that were not read this time. */
static void say_statuses(cli_indexing *x)
{
    statuses all = {0};
    cli_strbuf words = {0};
    count_statuses(x, &all);
    cli_put_found(&words, x->found, all.counts, cli_now_seconds() - x->started);
    cli_say(x->run, &words);
    cli_strbuf_free(&words);
}

static void put_report(cli_indexing *x, const reprise_catalog_report *report)
{
    cli_strbuf text = {0};
    if (x->run->common->json) {
        cli_json json = {.to = &text, .pretty = x->run->out_terminal};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "catalog", x->path);
        cli_json_uint(&json, "files", x->found);
        cli_json_uint(&json, "added", report->added);
        cli_json_uint(&json, "changed", report->changed);
        cli_json_uint(&json, "moved", report->moved);
        cli_json_uint(&json, "removed", report->removed);
        cli_json_uint(&json, "unchanged", report->unchanged);
        cli_json_object(&json, "statuses");
        count_statuses(x, &(statuses){.json = &json});
        cli_json_close(&json);
        cli_json_close(&json);
        cli_putc(&text, '\n');
    } else {
        cli_put_shown(&text, x->path, strlen(x->path));
        cli_printf(&text,
                   ": %zu files, %llu added, %llu changed, %llu moved, %llu removed,"
                   " %llu unchanged\n",
                   x->found, (unsigned long long)report->added, (unsigned long long)report->changed,
                   (unsigned long long)report->moved, (unsigned long long)report->removed,
                   (unsigned long long)report->unchanged);
    }
    cli_out_put(&x->run->out, text.data, text.size);
    cli_strbuf_free(&text);
    say_statuses(x);
}

static void update(cli_indexing *x, const cli_watch *watch)
{
    reprise_catalog_report report = {.struct_size = sizeof report};
    cli_file_list files = cli_file_list_of(x->run, true);
    look(x, &files);
    if (x->error.status == REPRISE_OK)
        x->code = cli_batch_run_list(
            x->run,
            &(cli_work){
                .work = cli_index_read, .done = store, .ctx = x, .collects = true, .closed = true},
            &files);
    if (x->error.status == REPRISE_OK &&
        reprise_catalog_finish(x->catalog, &report, &x->error) == REPRISE_OK) {
        if (watch)
            cli_index_print_ready(x, &report, cli_watch_polls(watch));
        else
            put_report(x, &report);
    }
    cli_file_list_free(&files);
}

static int index_folder(cli_run *run, const char *root)
{
    const settings *s = run->settings;
    const char *operand = run->operands[0];
    reprise_catalog_options options = REPRISE_CATALOG_INIT;
    char *path = cli_catalog_path(s->catalog ? operand : root, s->catalog);
    cli_indexing x = {
        .run = run, .path = path, .root_size = strlen(operand), .started = cli_now_seconds()};
    while (x.root_size > 1 && operand[x.root_size - 1] == '/')
        x.root_size--;
    x.root_size += operand[x.root_size - 1] != '/';
    cli_strbuf folder = {0};
    cli_put(&folder, operand, x.root_size > 1 ? x.root_size - 1 : 1);
    x.root = folder.data;
    options.write = true;
    options.rebuild = s->rebuild;
    options.root = root;
    cli_catalog_folder(path);
    if (reprise_catalog_open(path, &options, &x.catalog, &x.error) == REPRISE_OK) {
        cli_watch *watch = s->watch ? cli_watch_new(x.root, run->common, s->poll.real) : NULL;
        update(&x, watch);
        if (watch && x.error.status == REPRISE_OK)
            cli_index_follow(&x, watch);
        cli_watch_free(watch);
    }
    if (x.error.status == REPRISE_E_CORRUPT)
        cli_catalog_advise(&x.error, operand);
    if (x.error.status != REPRISE_OK) /* then no file matters: 3 would say that all were indexed */
        x.code = cli_report(run, path, &x.error);
    reprise_catalog_close(x.catalog);
    cli_strbuf_free(&folder);
    free(path);
    return x.code;
}

static int run_index(cli_run *run)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const settings *s = run->settings;
    if (run->common->files_from)
        return cli_usage(run, "index", "takes a directory, not --files-from");
    if (s->poll.given && (!s->watch || s->poll.real <= 0))
        return cli_usage(run, "index", "--poll needs --watch and a number above 0");
    if (cli_catalog_missing(run->operands[0], &error))
        return cli_report(run, run->operands[0], &error);
    if (!cli_is_directory(run->operands[0])) {
        cli_fail(&error, REPRISE_E_USAGE, "is not a directory");
        return cli_report(run, run->operands[0], &error);
    }
    char *root = realpath(run->operands[0], NULL);
    if (!root) {
        cli_fail(&error, REPRISE_E_IO, "%s", strerror(errno));
        return cli_report(run, run->operands[0], &error);
    }
    int code = index_folder(run, root);
    free(root);
    return code;
}

static const cli_option options[] = {
    {.name = "catalog",
     .value = "CATALOG",
     .choices = "<file>",
     .group = CLI_OUTPUT_GROUP,
     .doc = "Keep the catalog in this file (default: DIR/.reprise/catalog.sqlite)",
     .offset = offsetof(settings, catalog),
     .parse = cli_parse_text},
    {.name = "rebuild",
     .group = CLI_OUTPUT_GROUP,
     .doc = "Delete the catalog and read all files again, for one that is damaged.",
     .offset = offsetof(settings, rebuild),
     .parse = cli_parse_flag},
    {.name = "watch",
     .group = "Following",
     .doc =
         "Then follow the directory until SIGINT or SIGTERM: add files once they are complete, and "
         "print a line of JSON for each new, changed, moved, damaged or removed replay and each "
         "record that was beaten.",
     .offset = offsetof(settings, watch),
     .parse = cli_parse_flag},
    {.name = "poll",
     .value = "SECONDS",
     .group = "Following",
     .doc = "With --watch, look for changes this often, for file systems that do not report them "
            "(default: 2 where the system has no inotify)",
     .offset = offsetof(settings, poll),
     .parse = cli_parse_real},
};

const cli_command cli_index = {
    .name = "index",
    .summary = "make or update the catalog of a directory",
    .operands = "DIR",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 1,
    .description =
        "Keeps a catalog of all replays below a directory: a SQLite database with their size, "
        "time, "
        "SHA-256, format, status and error, the columns of their summaries, players, every number "
        "of their statistics, and names and chat for full-text search. 'reprise query', 'records', "
        "'players' and 'duplicates' read it, and so does any program that knows SQLite.\n\n"
        "Only files whose size or time of change differs are read. A file that was moved is "
        "recognised by its hash, and one that is gone is marked as removed. What was read is "
        "stored every few files, so an interrupted run continues where it stopped. The exit code "
        "is 3 if any file that was read is damaged or breaks the rules of its format.\n\n"
        "With --watch, the first line has the event \"ready\". A file that a program still writes "
        "to "
        "is read when it is closed. A line is printed once its file is in the catalog.",
    .examples = {{"reprise index replays/", "Make or update the catalog."},
                 {"reprise index --rebuild replays/", "Replace a damaged catalog."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .walks = true,
    .settings_size = sizeof(settings),
    .run = run_index,
};
