/* index_watch.c - reprise index --watch: keeps a catalog up to date and says what is new. */
#define _GNU_SOURCE /* ppoll */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/catalog_rows.h"
#include "batch/outfile.h"
#include "batch/watch.h"
#include "index.h"

enum { CHUNK = 64 }; /* files read at a time, after which a signal is noticed */

/* A path that was seen before and is looked at again, with the version it had. */
typedef struct waiting {
    char *path;
    cli_stamp stamp;
} waiting;

/* Paths in order. */
typedef struct path_set {
    char **items;
    size_t count, capacity;
} path_set;

typedef struct following {
    cli_indexing *index;
    cli_watch *watch;
    cli_strbuf lines; /* printed once the catalog has what they say */
    waiting *waiting;
    size_t waiting_count, waiting_capacity;
    path_set removed; /* files that are known to be */
    bool quiet;       /* take note of removed files without a line */
    sigset_t during;  /* signals that are blocked while waiting */
} following;

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
    (void)number;
    signalled = 1;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cli_memory(NULL, size);
    memcpy(copy, text, size);
    return copy;
}

/* ---- questions to the catalog ---- */

/* Asks with one parameter. A failure is kept in index->error. */
static void ask(following *f, const char *sql, const char *parameter, reprise_catalog_row *row,
                void *ctx)
{
    cli_indexing *x = f->index;
    if (x->error.status != REPRISE_OK)
        return;
    cli_parameters values = cli_parameters_new();
    cli_parameters_text(&values, parameter);
    (void)!reprise_catalog_query(x->catalog, sql, values.list, row, ctx, &x->error);
    cli_parameters_free(&values);
}

/* What the catalog knew about a path and a content before a file is put. */
typedef struct known {
    int64_t last_id; /* of all files */
    bool is_known;
    int64_t ids[16]; /* of files with the same content */
    char *paths[16];
    size_t count;
} known;

static bool take_known(void *ctx, const reprise_value *row)
{
    known *k = ctx;
    k->last_id = reprise_value_int(reprise_value_get(row, "last"), 0);
    k->is_known = reprise_value_int(reprise_value_get(row, "here"), 0) > 0;
    return true;
}

static bool take_same(void *ctx, const reprise_value *row)
{
    known *k = ctx;
    const char *path = reprise_value_text(reprise_value_get(row, "path"), NULL);
    k->ids[k->count] = reprise_value_int(reprise_value_get(row, "id"), 0);
    k->paths[k->count++] = copy_of(path ? path : "");
    return k->count < CLI_COUNT(k->ids);
}

static void learn(following *f, const char *below, const reprise_value *record, known *ret)
{
    const char *hash = reprise_value_text(reprise_value_get(record, "sha256"), NULL);
    *ret = (known){0};
    ask(f,
        "select (select max(id) from file) as last,"
        " (select count(*) from file where path = ? and removed = 0) as here",
        below, take_known, ret);
    if (hash)
        ask(f, "select id, path from file where sha256 = ?", hash, take_same, ret);
}

static bool take_id(void *ctx, const reprise_value *row)
{
    int64_t *id = ctx;
    *id = reprise_value_int(reprise_value_get(row, "id"), 0);
    return false;
}

/* The path that a file had before, if it was moved; else NULL. */
static const char *moved_from(following *f, const char *below, const known *k)
{
    int64_t id = 0;
    ask(f, "select id from file where path = ?", below, take_id, &id);
    for (size_t i = 0; id <= k->last_id && i < k->count; i++) {
        if (k->ids[i] == id && strcmp(k->paths[i], below) != 0)
            return k->paths[i];
    }
    return NULL;
}

static void free_known(known *k)
{
    for (size_t i = 0; i < k->count; i++)
        free(k->paths[i]);
}

/* ---- records ---- */

/* A run, and the best time of all others on its course. */
#define RECORD                                                                                  \
    "with run as (select f.path, coalesce(f.identity, f.path) as who, c.map, c.course, c.mode," \
    " c.styles, c.time, c.player,"                                                              \
    " case when c.teleports = 0 then 'pro' else 'teleport' end as kind"                         \
    " from cs2kz c join file f on f.id = c.file_id where f.removed = 0"                         \
    " and f.status in ('ok', 'warning') and c.type = 'run' and c.time is not null),"            \
    " mine as (select * from run where path = ?)"                                               \
    " select m.map, m.course, m.mode, m.kind, m.styles, m.player, m.time,"                      \
    " (select min(o.time) from run o where o.map is m.map and o.course is m.course"             \
    " and o.mode is m.mode and o.kind = m.kind and o.styles is m.styles and o.who != m.who)"    \
    " as before from mine m"

/* How much faster a run is than the best before it; the first run on a course beats nothing. */
static double gain_of(const reprise_value *row)
{
    const reprise_value *before = reprise_value_get(row, "before");
    if (reprise_value_kind_of(before) == REPRISE_VALUE_NULL)
        return 0;
    return reprise_value_double(before, 0) -
           reprise_value_double(reprise_value_get(row, "time"), 0);
}

static bool take_gain(void *ctx, const reprise_value *row)
{
    double *gain = ctx;
    *gain = gain_of(row);
    return false;
}

static bool put_record(void *ctx, const reprise_value *row)
{
    cli_json *json = ctx;
    cli_json_object(json, "record");
    cli_json_members(json, row, NULL);
    cli_json_real(json, "gain", gain_of(row));
    cli_json_close(json);
    return false;
}

/* ---- lines ---- */

static cli_json begin_line(following *f, const char *event)
{
    cli_json json = {.to = &f->lines};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "event", event);
    return json;
}

static void end_line(following *f, cli_json *json)
{
    cli_json_close(json);
    cli_putc(&f->lines, '\n');
}

static void put_members(cli_json *json, const reprise_value *record)
{
    static const char *const members[] = {"format", "layout", "status", "error",
                                          "map",    "date",   "length", "summary"};
    for (size_t i = 0; i < CLI_COUNT(members); i++) {
        const reprise_value *value = reprise_value_get(record, members[i]);
        if (value)
            cli_json_value(json, members[i], value);
    }
    const reprise_value *people = reprise_value_get(record, "people");
    cli_json_array(json, "players");
    for (size_t i = 0; i < reprise_value_count(people); i++)
        cli_json_value(json, NULL, reprise_value_get(reprise_value_at(people, i), "name"));
    cli_json_close(json);
}

static void put_event(following *f, const char *below, const reprise_value *record, const known *k)
{
    const char *status = reprise_value_text(reprise_value_get(record, "status"), NULL);
    if (strcmp(status, "not a replay") == 0)
        return;
    const char *from = k->is_known ? NULL : moved_from(f, below, k);
    bool damaged = strcmp(status, "ok") != 0 && strcmp(status, "warning") != 0;
    double gain = 0;
    if (!from && !damaged)
        ask(f, RECORD, below, take_gain, &gain);
    cli_json json = begin_line(f, from          ? "moved"
                                  : damaged     ? "damaged"
                                  : gain > 0    ? "record"
                                  : k->is_known ? "changed"
                                                : "new");
    cli_json_text(&json, "file", below);
    if (from)
        cli_json_text(&json, "from", from);
    put_members(&json, record);
    if (gain > 0)
        ask(f, RECORD, below, put_record, &json);
    end_line(f, &json);
}

void cli_index_print_ready(cli_indexing *x, const reprise_catalog_report *report, bool polls)
{
    following f = {.index = x};
    cli_json json = begin_line(&f, "ready");
    cli_json_text(&json, "catalog", x->path);
    cli_json_text(&json, "by", polls ? "polling" : "inotify");
    cli_json_uint(&json, "files", x->found);
    cli_json_uint(&json, "added", report->added);
    cli_json_uint(&json, "changed", report->changed);
    cli_json_uint(&json, "moved", report->moved);
    cli_json_uint(&json, "removed", report->removed);
    end_line(&f, &json);
    cli_out_put(&x->run->out, f.lines.data, f.lines.size);
    cli_out_flush(&x->run->out);
    cli_strbuf_free(&f.lines);
}

/* ---- files that are gone ---- */

static size_t place_of(const path_set *set, const char *path)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(set->items[middle], path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_in(const path_set *set, const char *path)
{
    size_t at = place_of(set, path);
    return at < set->count && strcmp(set->items[at], path) == 0;
}

static void insert(path_set *set, const char *path)
{
    size_t at = place_of(set, path);
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 64;
        set->items = cli_memory((void *)set->items, set->capacity * sizeof *set->items);
    }
    memmove((void *)(set->items + at + 1), (void *)(set->items + at),
            (set->count - at) * sizeof *set->items);
    set->items[at] = copy_of(path);
    set->count++;
}

static void take_out(path_set *set, const char *path)
{
    size_t at = place_of(set, path);
    if (!is_in(set, path))
        return;
    free(set->items[at]);
    memmove((void *)(set->items + at), (void *)(set->items + at + 1),
            (--set->count - at) * sizeof *set->items);
}

static void free_set(path_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->items[i]);
    free((void *)set->items);
}

static bool take_removed(void *ctx, const reprise_value *row)
{
    following *f = ctx;
    const char *path = reprise_value_text(reprise_value_get(row, "path"), NULL);
    if (!path || is_in(&f->removed, path))
        return true;
    insert(&f->removed, path);
    if (!f->quiet) {
        cli_json json = begin_line(f, "removed");
        cli_json_text(&json, "file", path);
        end_line(f, &json);
    }
    return true;
}

/* Says which files the catalog has as removed and did not before. */
static void put_removed(following *f)
{
    cli_indexing *x = f->index;
    if (x->error.status == REPRISE_OK)
        (void)!reprise_catalog_query(
            x->catalog,
            "select path from file where removed = 1 and format is not null order by path", NULL,
            take_removed, f, &x->error);
}

/* ---- files that are complete ---- */

static waiting *find_waiting(following *f, const char *path)
{
    for (size_t i = 0; i < f->waiting_count; i++) {
        if (strcmp(f->waiting[i].path, path) == 0)
            return &f->waiting[i];
    }
    return NULL;
}

static void forget_waiting(following *f, waiting *one)
{
    free(one->path);
    *one = f->waiting[--f->waiting_count];
}

/* A file whose writer cannot be known is complete if it stays the same until the next look. */
static bool has_settled(following *f, const char *path, cli_stamp stamp)
{
    waiting *one = find_waiting(f, path);
    if (one && cli_stamp_same(one->stamp, stamp)) {
        forget_waiting(f, one);
        return true;
    }
    if (!one) {
        if (f->waiting_count == f->waiting_capacity) {
            f->waiting_capacity = f->waiting_capacity ? 2 * f->waiting_capacity : 64;
            f->waiting = cli_memory(f->waiting, f->waiting_capacity * sizeof *f->waiting);
        }
        one = &f->waiting[f->waiting_count++];
        one->path = copy_of(path);
    }
    one->stamp = stamp;
    cli_watch_retry(f->watch, path);
    return false;
}

static bool is_complete(following *f, const char *path, cli_stamp stamp)
{
    cli_writer writer = cli_writer_of(path);
    if (writer == CLI_WRITER_SOME) {
        cli_watch_retry(f->watch, path); /* also if the event of its end should get lost */
        return false;
    }
    return writer == CLI_WRITER_NONE ? true : has_settled(f, path, stamp);
}

/* Adds a file that the catalog does not know as it is now, and that is complete. */
static void consider(following *f, const char *path, cli_file_list *ready)
{
    cli_indexing *x = f->index;
    struct stat info;
    bool is_known = false;
    if (x->error.status != REPRISE_OK || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    cli_stamp stamp = cli_stamp_of(&info);
    (void)!reprise_catalog_look(x->catalog, path + x->root_size, stamp.size, stamp.mtime_ns,
                                &is_known, &x->error);
    if (!is_known && x->error.status == REPRISE_OK && is_complete(f, path, stamp))
        cli_file_list_add(ready, path);
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const cli_file *)a)->path, ((const cli_file *)b)->path);
}

/* Several events may be about one file. */
static void sort_files(cli_file_list *files)
{
    size_t kept = 0;
    if (!files->count)
        return;
    qsort(files->items, files->count, sizeof *files->items, compare_files);
    for (size_t i = 0; i < files->count; i++) {
        if (kept && strcmp(files->items[kept - 1].path, files->items[i].path) == 0)
            free(files->items[i].path);
        else
            files->items[kept++] = files->items[i];
    }
    files->count = kept;
}

static void find_ready(following *f, cli_file_list *ready)
{
    bool all = cli_watch_all(f->watch);
    char *path;
    while ((path = cli_watch_next(f->watch))) {
        if (!all)
            consider(f, path, ready);
        free(path);
    }
    if (all) {
        cli_file_list files = cli_file_list_of(f->index->run, true);
        for (size_t i = 0; i < files.count; i++)
            consider(f, files.items[i].path, ready);
        cli_file_list_free(&files);
    }
    sort_files(ready);
}

/* ---- reading and storing ---- */

static void store(void *ctx, cli_job *job)
{
    following *f = ctx;
    cli_indexing *x = f->index;
    cli_index_entry *e = job->result;
    const char *below = job->path + x->root_size;
    if (e && e->record && x->error.status == REPRISE_OK) {
        const reprise_value *record = reprise_catalog_record_document(e->record);
        known k;
        learn(f, below, record, &k);
        if (x->error.status == REPRISE_OK &&
            reprise_catalog_put(x->catalog, below, e->stamp.size, e->stamp.mtime_ns, e->record,
                                &x->error) == REPRISE_OK)
            put_event(f, below, record, &k);
        take_out(&f->removed, below);
        free_known(&k);
    }
    cli_index_entry_free(e);
}

/* A file that is gone by now is no failure: its removal is another event. */
static void read_one(cli_job *job)
{
    cli_index_read(job);
    if (job->error.status == REPRISE_E_IO && access(job->path, F_OK) != 0)
        job->error = (reprise_error)REPRISE_ERROR_INIT;
}

static void read_chunk(following *f, cli_file *files, size_t count)
{
    cli_run *run = f->index->run;
    unsigned threads = run->threads; /* divided among files by the batch */
    size_t recognised = SIZE_MAX;
    cli_file_list part = {
        .items = files, .count = count, .several = true, .recognised = &recognised};
    (void)cli_batch_run_list(
        run,
        &(cli_work){.work = read_one, .done = store, .ctx = f, .collects = true, .closed = true},
        &part);
    run->threads = threads;
}

static void print_lines(following *f)
{
    cli_indexing *x = f->index;
    if (x->error.status == REPRISE_OK && f->lines.size)
        cli_out_put(&x->run->out, f->lines.data, f->lines.size);
    cli_out_flush(&x->run->out);
    cli_strbuf_clear(&f->lines);
}

/* Lines are printed once others can see what they say. */
static void commit(following *f)
{
    cli_indexing *x = f->index;
    reprise_catalog_report report = {.struct_size = sizeof report};
    if (x->error.status == REPRISE_OK)
        (void)!reprise_catalog_finish(x->catalog, &report, &x->error);
    if (report.removed)
        put_removed(f);
    print_lines(f);
}

/* Signals are blocked except here and while waiting. */
static bool goes_on(const following *f)
{
    struct timespec none = {0};
    (void)ppoll(NULL, 0, &none, &f->during);
    return !signalled && f->index->error.status == REPRISE_OK && !f->index->run->out.cause;
}

static void update(following *f)
{
    cli_file_list ready = {0};
    bool gone = cli_watch_gone(f->watch);
    find_ready(f, &ready);
    for (size_t i = 0; i < ready.count && goes_on(f); i += CHUNK) {
        size_t left = ready.count - i;
        read_chunk(f, ready.items + i, left < CHUNK ? left : CHUNK);
        commit(f);
    }
    if (gone && !ready.count)
        commit(f);
    cli_file_list_free(&ready);
}

/* ---- the loop ---- */

/* Signals end the wait only, so that the catalog is left complete. */
static void catch_signals(sigset_t *ret_during)
{
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t ending;
    cli_ending_signals(&ending);
    pthread_sigmask(SIG_BLOCK, &ending, ret_during);
    for (int number = 1; number < NSIG; number++) {
        if (sigismember(&ending, number) == 1)
            sigaction(number, &action, NULL);
    }
}

static void report_loss(following *f)
{
    reprise_error error = REPRISE_ERROR_INIT;
    cli_fail(&error, REPRISE_E_IO, "the directory is gone");
    f->index->code = cli_report(f->index->run, f->index->root, &error);
}

void cli_index_follow(cli_indexing *index, cli_watch *watch)
{
    following f = {.index = index, .watch = watch};
    index->code = CLI_DONE;
    index->run->progress.kind = CLI_PROGRESS_OFF;
    signalled = 0;
    catch_signals(&f.during);
    f.quiet = true;
    put_removed(&f);
    f.quiet = false;
    do
        update(&f);
    while (goes_on(&f) && cli_watch_wait(watch, &f.during));
    if (cli_watch_lost(watch))
        report_loss(&f);
    cli_strbuf_free(&f.lines);
    while (f.waiting_count)
        forget_waiting(&f, f.waiting);
    free(f.waiting);
    free_set(&f.removed);
}
