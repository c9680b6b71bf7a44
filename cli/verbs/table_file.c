/* table_file.c - see table_file.h. */
#include "table_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "batch/outfile.h"

bool cli_table_form_of(const char *path, reprise_table_form *ret_form)
{
    static const struct {
        const char *suffix;
        reprise_table_form form;
    } known[] = {{".parquet", REPRISE_TABLE_PARQUET},
                 {".arrow", REPRISE_TABLE_ARROW},
                 {".arrows", REPRISE_TABLE_ARROW_STREAM}};
    size_t size = strlen(path);
    for (size_t i = 0; i < CLI_COUNT(known); i++) {
        size_t n = strlen(known[i].suffix);
        if (size > n && strcmp(path + size - n, known[i].suffix) == 0) {
            *ret_form = known[i].form;
            return true;
        }
    }
    return false;
}

/* ---- one table ---- */

static int write_out(void *ctx, const void *data, size_t size)
{
    cli_out *out = ctx;
    cli_out_put(out, data, size);
    return out->cause;
}

/* A table of one track of an open replay, and how writing it ended. */
typedef struct table {
    const cli_cat_settings *s;
    const char *path; /* of the replay */
    reprise_replay *replay;
    size_t track;
    reprise_table_form form;
    uint64_t rows;
    reprise_error error; /* OK: everything was written */
    const char *failed;  /* the file that the error is about */
    bool kept;           /* the file is complete, if only of the rows before the damage */
    int code;
} table;

static reprise_status set_rows(table *t, reprise_batch_options *rows, reprise_error *error)
{
    const cli_cat_settings *s = t->s;
    cli_range range = CLI_RANGE_OF(rows);
    if (cli_range_find(t->replay, &s->from, &s->to, range, error) != REPRISE_OK ||
        cli_range_find(t->replay, &s->from_frame, &s->to_frame, range, error) != REPRISE_OK)
        return error->status;
    rows->every_frame = s->every_frame;
    rows->linear = s->between == 1;
    rows->stored = s->stored;
    if (s->columns.count) {
        rows->columns = (const char *const *)s->columns.items;
        rows->column_count = s->columns.count;
    }
    return REPRISE_OK;
}

static void write_table(table *t, cli_out *out)
{
    reprise_batch_options rows = REPRISE_BATCH_INIT;
    reprise_table_options options = REPRISE_TABLE_INIT;
    reprise_table_result result = {.struct_size = sizeof result};
    reprise_sink sink = {.ctx = out, .write = write_out};
    options.rows = &rows;
    options.file = cli_base_name(t->path);
    reprise_status status = set_rows(t, &rows, &t->error);
    if (status == REPRISE_OK)
        status = reprise_table_write(t->replay, t->track, t->form, &options, &sink, &result,
                                     &t->error);
    bool damaged = reprise_damage(t->replay, status == REPRISE_OK ? &t->error : NULL);
    t->rows = result.rows;
    t->code = CLI_DONE;
    t->kept = true;
    t->failed = t->path;
    if (t->error.status == REPRISE_OK)
        return;
    t->kept = result.finished && (result.rows || (damaged && cli_has_row(t->replay)));
    t->code = t->kept ? cli_exit_of_partial(t->error.status) : cli_exit_of(t->error.status);
}

/* Writes the table to a file that appears complete or not at all. */
static void write_table_file(table *t, const char *output)
{
    reprise_error error = REPRISE_ERROR_INIT;
    cli_outfile file;
    if (cli_outfile_open(&file, output, t->s->force, &error) == REPRISE_OK) {
        write_table(t, &file.out);
        if (t->kept || file.out.cause) /* which it reports */
            (void)!cli_outfile_commit(&file, &error);
        cli_outfile_close(&file);
    }
    if (error.status != REPRISE_OK) {
        t->error = error;
        t->failed = output;
        t->kept = false;
        t->code = cli_exit_of(error.status);
    }
}

/* ---- choosing ---- */

static reprise_status choose_track(table *t, reprise_error *error)
{
    const cli_words *names = &t->s->tracks;
    if (!names->count && reprise_track_count(t->replay) == 1) {
        t->track = 0;
        return REPRISE_OK;
    }
    int track = names->count ? reprise_track_find(t->replay, names->items[0]) : -1;
    if (track < 0) {
        cli_no_track(t->replay, names->count ? names->items[0] : NULL, error);
        return error->status;
    }
    t->track = (size_t)track;
    return REPRISE_OK;
}

static const char *find_conflict(const cli_run *run, const cli_cat_settings *s, bool to_terminal)
{
    bool many = s->tracks.count > 1 ||
                (s->tracks.count == 1 && strcmp(s->tracks.items[0], "all") == 0);
    if (run->operand_count > 1)
        return "a table file holds one replay only; export to a directory writes several files";
    if (many)
        return "a table file holds one track only; export to a directory writes one file per track";
    if (s->where.count)
        return "--where needs JSON lines or CSV; a reader of Parquet or Arrow filters itself";
    if (s->common.json)
        return "--json cannot be combined with Parquet or Arrow";
    if (to_terminal)
        return "Parquet and Arrow are not written to a terminal; give a file with --output";
    return NULL;
}

int cli_table_write(cli_run *run, const cli_cat_settings *s, reprise_table_form form)
{
    bool to_file = s->output && strcmp(s->output, "-") != 0;
    const char *conflict = find_conflict(run, s, !to_file && run->out_terminal);
    if (conflict)
        return cli_usage(run, run->command->name, conflict);
    table t = {.s = s, .path = run->operands[0], .form = form};
    cli_progress_file progress = {.progress = &run->progress, .name = t.path};
    cli_open_options reading = cli_reading(run, &progress);
    run->progress.files_total = 1;
    if (cli_open(t.path, &reading, &t.replay, &t.error) != REPRISE_OK ||
        choose_track(&t, &t.error) != REPRISE_OK) {
        t.code = cli_exit_of(t.error.status);
    } else if (to_file) {
        write_table_file(&t, s->output);
    } else {
        write_table(&t, &run->out);
    }
    cli_progress_clear(&run->progress);
    /* What is wrong with standard output is said at the end of every verb. */
    if (t.error.status != REPRISE_OK && (to_file || !run->out.cause))
        cli_say_error(run, t.failed ? t.failed : t.path, &t.error);
    if (to_file && t.kept)
        cli_say_written(run, t.rows, s->output);
    reprise_close(t.replay);
    return t.code;
}

int cli_table_print_values(cli_run *run, const reprise_value *columns, const reprise_value *rows,
                           reprise_table_form form)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_sink sink = {.ctx = &run->out, .write = write_out};
    if (reprise_table_write_values(columns, rows, form, &sink, &error) == REPRISE_OK)
        return CLI_DONE;
    return cli_report(run, NULL, &error);
}

/* ---- a directory of tables ---- */

static reprise_status make_directory(const char *path, reprise_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return REPRISE_OK;
    error->cause = errno;
    return cli_fail(error, REPRISE_E_IO, "cannot create: %s", strerror(errno));
}

/* The path of a replay as the name of one file. */
static void put_file_name(cli_strbuf *to, const char *path)
{
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    for (path += *path == '/'; *path; path++) {
        if (*path == '/')
            cli_puts(to, "%2F");
        else
            cli_putc(to, *path);
    }
}

/* Makes the directories of a table among those of many replays, and its path. */
static reprise_status put_partition(cli_strbuf *to, const cli_job *job, const char *track,
                                    reprise_error *error)
{
    cli_printf(to, "/format=%s", reprise_format(job->replay));
    if (make_directory(cli_strbuf_string(to), error) != REPRISE_OK)
        return error->status;
    cli_printf(to, "/track=%s", track);
    if (make_directory(cli_strbuf_string(to), error) != REPRISE_OK)
        return error->status;
    cli_putc(to, '/');
    put_file_name(to, job->path);
    cli_puts(to, ".parquet");
    return REPRISE_OK;
}

static bool is_chosen(const cli_words *names, const char *track)
{
    bool chosen = names->count == 0;
    for (size_t i = 0; i < names->count; i++)
        chosen |= strcmp(names->items[i], track) == 0 || strcmp(names->items[i], "all") == 0;
    return chosen;
}

static void put_path(cli_strbuf *to, const cli_cat_settings *s)
{
    size_t size = strlen(s->output);
    cli_put(to, s->output, size - (size > 1 && s->output[size - 1] == '/'));
}

/* The path of the file of a track, whose directories are made. */
static reprise_status put_table_path(cli_strbuf *to, const cli_job *job, const char *track,
                                     reprise_error *error)
{
    put_path(to, job->run->settings);
    if (job->several || job->walked)
        return put_partition(to, job, track, error);
    cli_printf(to, "/%s.parquet", track);
    return REPRISE_OK;
}

/* The tables of one replay, or of all. */
typedef struct tables {
    uint64_t written; /* bit per track */
    size_t count;
    uint64_t rows;
    bool stopped; /* by a failure that is not the replay's */
} tables;

/* Writes one track of a replay. The first error of a replay is reported. */
static void write_one(cli_job *job, size_t track, tables *all)
{
    table t = {.s = job->run->settings, .path = job->path, .replay = job->replay, .track = track};
    cli_strbuf path = {0};
    const char *name = reprise_track_name(job->replay, track);
    if (put_table_path(&path, job, name, &t.error) == REPRISE_OK)
        write_table_file(&t, cli_strbuf_string(&path));
    else
        t.code = cli_exit_of(t.error.status);
    if (t.error.status != REPRISE_OK && job->code == CLI_DONE)
        cli_put_error_words(&job->words, job->run->words_colour,
                            t.failed ? t.failed : cli_strbuf_string(&path), &t.error);
    job->code = cli_exit_worse(job->code, t.code);
    all->stopped = t.code == CLI_FAILED || t.code == CLI_USAGE;
    cli_strbuf_free(&path);
    if (!t.kept)
        return;
    all->written |= UINT64_C(1) << track;
    all->count++;
    all->rows += t.rows;
}

/* Of a replay that has no row, the tables of its sound tracks say nothing. */
static void remove_tables(cli_job *job, const tables *all)
{
    for (size_t i = 0; i < reprise_track_count(job->replay); i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        cli_strbuf path = {0};
        if ((all->written >> i & 1) &&
            put_table_path(&path, job, reprise_track_name(job->replay, i), &error) == REPRISE_OK)
            (void)unlink(cli_strbuf_string(&path));
        cli_strbuf_free(&path);
    }
}

/* A track that is damaged before its first row has no table; those of the others are written. */
static void write_tracks(cli_job *job)
{
    const cli_cat_settings *s = job->run->settings;
    size_t chosen = 0;
    tables all = {0};
    for (size_t i = 0; i < reprise_track_count(job->replay) && !all.stopped; i++) {
        if (!is_chosen(&s->tracks, reprise_track_name(job->replay, i)))
            continue;
        chosen++;
        write_one(job, i, &all);
    }
    bool kept = !all.stopped && (all.rows || job->code == CLI_DONE || job->code == CLI_WARNED);
    if (job->code == CLI_REFUSED && kept)
        job->code = CLI_WARNED;
    if (!chosen)
        cli_no_track(job->replay, s->tracks.items[0], &job->error);
    else if (!kept)
        remove_tables(job, &all);
    tables *written = chosen && kept ? malloc(sizeof *written) : NULL;
    if (written)
        *written = all;
    job->result = written;
}

/* Adds what one replay has given to the sum of all. */
static void add_tables(void *ctx, cli_job *job)
{
    tables *sum = ctx, *one = job->result;
    if (one) {
        sum->count += one->count;
        sum->rows += one->rows;
    }
    free(one);
}

/* One line, however many replays there are. */
static void say_tables(cli_run *run, const char *output, const tables *sum)
{
    cli_strbuf words = {0};
    cli_printf(&words, "reprise: %zu table%s with %llu rows written to ", sum->count,
               sum->count == 1 ? "" : "s", (unsigned long long)sum->rows);
    cli_put_shown(&words, output, strlen(output));
    cli_putc(&words, '\n');
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

int cli_table_write_directory(cli_run *run, const cli_cat_settings *s)
{
    reprise_error error = REPRISE_ERROR_INIT;
    if (s->common.json)
        return cli_usage(run, run->command->name, "--json cannot be combined with a directory");
    bool existed = cli_is_directory(s->output);
    if (make_directory(s->output, &error) != REPRISE_OK)
        return cli_report(run, s->output, &error);
    const void *own = run->settings;
    run->settings = s; /* for the jobs */
    tables sum = {0};
    int code = cli_batch_run(
        run,
        &(cli_work){
            .work = write_tracks, .done = add_tables, .ctx = &sum, .walks = true, .judges = true});
    run->settings = own;
    cli_progress_clear(&run->progress);
    if (sum.count)
        say_tables(run, s->output, &sum);
    if (!existed)
        (void)!rmdir(s->output); /* fails unless nothing was written */
    return code;
}

/* ---- a database ---- */

/* Tracks of all files go into one database, in the order of the files. */
typedef struct database {
    cli_cat_settings rows; /* first: what the jobs find as their settings */
    reprise_database *into;
    size_t added;
    uint64_t row_count;
    bool failed; /* the database cannot be completed */
} database;

/* A replay that has no row is reported and left out. */
static void add_replay(cli_job *job)
{
    database *d = (database *)(uintptr_t)job->run->settings;
    reprise_table_result result = {.struct_size = sizeof result};
    reprise_error error = REPRISE_ERROR_INIT;
    if (d->failed)
        return;
    if (reprise_database_add(d->into, job->replay, job->path, &result, &error) == REPRISE_OK)
        (void)reprise_damage(job->replay, &error);
    d->added += result.finished;
    d->row_count += result.rows;
    if (error.status == REPRISE_OK)
        return;
    d->failed = !result.finished && cli_exit_of(error.status) == CLI_FAILED;
    if (!result.finished) {
        job->error = error;
        return;
    }
    cli_put_error_words(&job->words, job->run->words_colour, job->path, &error);
    job->code = cli_exit_of_partial(error.status);
}

static int write_database(cli_run *run, database *d, reprise_error *error)
{
    const cli_cat_settings *s = &d->rows;
    cli_outfile file;
    if (cli_outfile_open(&file, s->output, s->force, error) != REPRISE_OK)
        return CLI_DONE;
    reprise_sink sink = {.ctx = &file.out, .write = write_out};
    int code = cli_batch_run(
        run, &(cli_work){.work = add_replay, .walks = true, .judges = true, .serial = true});
    reprise_status status = REPRISE_OK;
    if (d->added && !d->failed)
        status = reprise_database_write(d->into, &sink, error);
    if (d->added && !d->failed && status == REPRISE_OK)
        status = cli_outfile_commit(&file, error);
    cli_outfile_close(&file);
    return code;
}

int cli_table_write_database(cli_run *run, const cli_cat_settings *s)
{
    database d = {.rows = *s};
    reprise_error error = REPRISE_ERROR_INIT;
    if (s->common.json || s->tracks.count || s->from.given || s->to.given)
        return cli_usage(run, run->command->name,
                         "a database holds all tracks; --track, --from, --to and --json "
                         "need a file of rows");
    const void *own = run->settings;
    run->settings = &d; /* for the jobs */
    int code = CLI_DONE;
    if (reprise_database_new(&d.into, &error) == REPRISE_OK)
        code = write_database(run, &d, &error);
    run->settings = own;
    reprise_database_free(d.into);
    cli_progress_clear(&run->progress);
    if (error.status != REPRISE_OK)
        return cli_report(run, s->output, &error);
    if (d.added && !d.failed)
        cli_say_written(run, d.row_count, s->output);
    return code;
}
