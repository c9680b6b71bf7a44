/* batch.c - see batch.h. */
#include "batch.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    THREADS_MAX = 64,
    WINDOW = 256,   /* results that may wait for an earlier file */
    DEPTH_MAX = 64, /* of nested directories */
};

static reprise_status set_limits(const cli_limits *limits, reprise_options *to,
                                 reprise_error *error)
{
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; cli_limit_name(i) && status == REPRISE_OK; i++) {
        if (limits->given[i])
            status = reprise_options_set_limit(to, cli_limit_name(i), limits->values[i], error);
    }
    return status;
}

/* Allocates *ret_options also when it fails. */
static reprise_status make_options(const cli_open_options *from, reprise_options **ret_options,
                                   reprise_error *error)
{
    reprise_status status = reprise_options_new(ret_options, error);
    reprise_options *to = *ret_options;
    if (status == REPRISE_OK)
        status = set_limits(&from->limits, to, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_format(to, from->format, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_layout(to, from->layout, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_progress(to, from->progress, from->progress_ctx, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_salvage(to, from->salvage, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_trusted_keys(to, from->trusted_keys, from->trusted_key_count,
                                                  error);
    if (status == REPRISE_OK)
        status = reprise_options_set_simulate(to, from->simulate, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_threads(to, from->threads, error);
    return status;
}

reprise_status cli_open(const char *path, const cli_open_options *options,
                        reprise_replay **ret_replay, reprise_error *error)
{
    reprise_options *all = NULL;
    reprise_status status = make_options(options, &all, error);
    if (status == REPRISE_OK && strcmp(path, "-") == 0)
        status = reprise_open_pipe(STDIN_FILENO, all, ret_replay, error);
    else if (status == REPRISE_OK)
        status = reprise_open_file(path, all, ret_replay, error);
    reprise_options_free(all);
    return status;
}

cli_open_options cli_reading(const cli_run *run, cli_progress_file *file)
{
    cli_open_options options = run->common->reading;
    if (run->progress.kind != CLI_PROGRESS_OFF) {
        options.progress = cli_progress_step;
        options.progress_ctx = file;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    options.threads = cores > 1 ? (unsigned)cores : 1;
    return options;
}

bool cli_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void cli_no_track(const reprise_replay *replay, const char *name, reprise_error *ret_error)
{
    cli_strbuf message = {0};
    if (name)
        cli_printf(&message, "unknown track '%s'; the tracks are", name);
    else
        cli_puts(&message, "needs --track NAME; the tracks are");
    for (size_t i = 0; i < reprise_track_count(replay); i++)
        cli_printf(&message, " %s", reprise_track_name(replay, i));
    *ret_error = (reprise_error){.status = REPRISE_E_USAGE};
    snprintf(ret_error->message, sizeof ret_error->message, "%s", message.data);
    cli_strbuf_free(&message);
}

/* ---- the list of files ---- */

typedef struct entry {
    char *path;
    bool walked;
    size_t operand; /* index of the operand it comes from */
} entry;

typedef struct list {
    entry *items;
    size_t count, capacity;
    bool several;
    size_t *recognised; /* per operand: replays found, or SIZE_MAX if it is not a directory */
} list;

static void list_add(list *files, size_t operand, const char *directory, const char *name)
{
    if (files->count == files->capacity) {
        files->capacity = files->capacity ? files->capacity * 2 : 64;
        files->items = cli_memory(files->items, files->capacity * sizeof *files->items);
    }
    cli_strbuf path = {0};
    if (directory) {
        size_t size = strlen(directory);
        while (size > 1 && directory[size - 1] == '/')
            size--;
        cli_put(&path, directory, size);
        if (path.data[path.size - 1] != '/')
            cli_putc(&path, '/');
    }
    cli_puts(&path, name);
    files->items[files->count++] = (entry){
        .path = path.data, .walked = directory != NULL, .operand = operand};
}

static void list_free(list *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i].path);
    free(files->items);
    free(files->recognised);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->path, ((const entry *)b)->path);
}

/*
 * Adds the regular files below a directory. Links to directories are not followed, because they may
 * form a loop. A directory that cannot be opened is added itself, so that its error is reported.
 */
static void list_below(list *files, size_t operand, const char *path, size_t depth)
{
    DIR *directory = depth < DEPTH_MAX ? opendir(path) : NULL;
    if (!directory) {
        list_add(files, operand, NULL, path);
        return;
    }
    struct dirent *item;
    while ((item = readdir(directory))) {
        struct stat info, link;
        if (item->d_name[0] == '.')
            continue;
        list_add(files, operand, path, item->d_name);
        char *added = files->items[files->count - 1].path;
        bool there = stat(added, &info) == 0 && lstat(added, &link) == 0;
        if (there && S_ISREG(info.st_mode))
            continue;
        files->count--;
        if (there && S_ISDIR(link.st_mode))
            list_below(files, operand, added, depth + 1);
        free(added);
    }
    closedir(directory);
}

/* Adds the files below a directory, sorted by name. False if `path` is not a directory. */
static bool list_walk(list *files, size_t operand, const char *path)
{
    if (!cli_is_directory(path))
        return false;
    size_t first = files->count;
    list_below(files, operand, path, 0);
    if (files->count > first)
        qsort(files->items + first, files->count - first, sizeof *files->items, compare_paths);
    return true;
}

static list list_of(const cli_run *run, const cli_work *work)
{
    list files = {.several = run->operand_count > 1};
    files.recognised = cli_memory(NULL, (run->operand_count + 1) * sizeof *files.recognised);
    for (size_t i = 0; i < run->operand_count; i++) {
        bool walked = work->walks && list_walk(&files, i, run->operands[i]);
        files.recognised[i] = walked ? 0 : SIZE_MAX;
        files.several = files.several || walked;
        if (!walked)
            list_add(&files, i, NULL, run->operands[i]);
    }
    return files;
}

/* ---- one file ---- */

/* One document is indented on a terminal; an array of them has one on each line. */
cli_json cli_job_document(cli_job *job)
{
    cli_json json = {.to = &job->out, .pretty = job->run->out_terminal && !job->several};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", job->path);
    return json;
}

static void put_failure(const cli_work *work, cli_job *job)
{
    if (job->run->common->json && work->put_failure) {
        work->put_failure(job);
    } else if (job->run->common->json) {
        cli_json json = cli_job_document(job);
        cli_json_error(&json, "error", &job->error);
        cli_json_close(&json);
    }
    cli_put_error_words(&job->words, job->run->words_colour, job->path, &job->error);
    job->code = cli_exit_worse(job->code, cli_exit_of(job->error.status));
}

/* Reports damage that was skipped while the verb was reading. */
static void report_damage(cli_job *job)
{
    reprise_error damage;
    if (!reprise_damage(job->replay, &damage))
        return;
    cli_put_error_words(&job->words, job->run->words_colour, job->path, &damage);
    job->code = cli_exit_worse(job->code, cli_exit_of_partial(damage.status));
}

static void run_job(const cli_work *work, cli_job *job)
{
    /* All threads share the progress, which has a lock. */
    cli_progress *progress = (cli_progress *)(uintptr_t)&job->run->progress;
    cli_progress_file file = {.progress = progress, .name = job->path};
    cli_open_options options = cli_reading(job->run, &file);
    if (job->several)
        options.threads = 1; /* files are already processed in parallel */
    if (cli_open(job->path, &options, &job->replay, &job->error) == REPRISE_OK) {
        work->work(job);
        if (!work->judges && job->error.status == REPRISE_OK)
            report_damage(job);
        reprise_close(job->replay);
        job->replay = NULL;
    }
    if (job->error.status != REPRISE_OK)
        put_failure(work, job);
    cli_progress_file_done(progress, job->path);
}

/* ---- all files ---- */

typedef struct job_slot {
    cli_job job;
    bool ready;
} job_slot;

typedef struct pool {
    cli_run *run;
    const cli_work *work;
    list *files;
    job_slot *slots; /* a ring of WINDOW */
    size_t next;     /* the next file to process */
    size_t printed;  /* files whose results were printed */
    size_t taking;   /* the file whose result is printed */
    pthread_mutex_t lock;
    pthread_cond_t taken, ready;
    /* printing */
    int code;
    size_t documents, skipped;
} pool;

static void prepare(pool *p, size_t index, cli_job *ret_job)
{
    const entry *file = &p->files->items[index];
    *ret_job = (cli_job){
        .run = p->run, .path = file->path, .walked = file->walked, .several = p->files->several};
}

static void print_document(pool *p, const cli_job *job)
{
    if (p->files->several)
        cli_out_put(&p->run->out, p->documents ? ",\n" : "[\n", 2);
    cli_out_put(&p->run->out, job->out.data, job->out.size);
    p->documents++;
}

/* Prints the next result. */
static void take(pool *p, cli_job *job)
{
    size_t *recognised = &p->files->recognised[p->files->items[p->taking].operand];
    p->taking++;
    if (job->error.status != REPRISE_E_UNRECOGNIZED && *recognised != SIZE_MAX)
        ++*recognised;
    /* A directory may contain other files. */
    if (job->walked && job->error.status == REPRISE_E_UNRECOGNIZED) {
        p->skipped++;
    } else {
        p->code = cli_exit_worse(p->code, job->code);
        /* The progress line must go before something else is printed on the terminal. */
        if (job->out.size && p->run->out_terminal)
            cli_progress_clear(&p->run->progress);
        if (p->run->common->json && job->out.size) {
            print_document(p, job);
        } else if (p->work->done) {
            p->work->done(p->work->ctx, job);
        } else if (job->out.size) {
            cli_out_put(&p->run->out, job->out.data, job->out.size);
        }
        cli_say(p->run, &job->words);
    }
    cli_strbuf_free(&job->out);
    cli_strbuf_free(&job->words);
}

static void *worker(void *ctx)
{
    pool *p = ctx;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->files->count) {
        if (p->next >= p->printed + WINDOW) {
            pthread_cond_wait(&p->taken, &p->lock);
            continue;
        }
        size_t index = p->next++;
        job_slot *slot = &p->slots[index % WINDOW];
        pthread_mutex_unlock(&p->lock);
        prepare(p, index, &slot->job);
        run_job(p->work, &slot->job);
        pthread_mutex_lock(&p->lock);
        slot->ready = true;
        if (index == p->printed)
            pthread_cond_signal(&p->ready);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static size_t thread_count(size_t files)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t threads = cores > 1 ? (size_t)cores : 1;
    if (threads > files)
        threads = files;
    return threads < THREADS_MAX ? threads : THREADS_MAX;
}

static void print_in_order(pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->printed < p->files->count) {
        job_slot *slot = &p->slots[p->printed % WINDOW];
        if (!slot->ready) {
            pthread_cond_wait(&p->ready, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        take(p, &slot->job);
        pthread_mutex_lock(&p->lock);
        slot->ready = false;
        p->printed++;
        pthread_cond_broadcast(&p->taken);
        if (p->run->out.cause)
            p->next = p->printed = p->files->count;
    }
    pthread_mutex_unlock(&p->lock);
}

static void run_threads(pool *p, size_t wanted)
{
    pthread_t threads[THREADS_MAX];
    size_t count = 0;
    p->slots = cli_memory(NULL, WINDOW * sizeof *p->slots);
    memset(p->slots, 0, WINDOW * sizeof *p->slots);
    while (count < wanted && pthread_create(&threads[count], NULL, worker, p) == 0)
        count++;
    if (count)
        print_in_order(p);
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    /* Results that were not printed because standard output failed. */
    for (size_t i = 0; i < WINDOW; i++) {
        cli_strbuf_free(&p->slots[i].job.out);
        cli_strbuf_free(&p->slots[i].job.words);
    }
    free(p->slots);
}

static void run_alone(pool *p)
{
    while (p->printed < p->files->count && !p->run->out.cause) {
        cli_job job;
        prepare(p, p->printed++, &job);
        run_job(p->work, &job);
        take(p, &job);
    }
}

/* A directory without replays is an error, because the user expects some. */
static void report_empty(pool *p)
{
    for (size_t i = 0; i < p->run->operand_count && !p->run->out.cause; i++) {
        if (p->files->recognised[i] != 0)
            continue;
        cli_job job = {.run = p->run, .path = p->run->operands[i], .several = true};
        cli_fail(&job.error, REPRISE_E_UNRECOGNIZED, "no replay in this directory");
        put_failure(p->work, &job);
        p->code = cli_exit_worse(p->code, job.code);
        if (job.out.size)
            print_document(p, &job);
        cli_say(p->run, &job.words);
        cli_strbuf_free(&job.out);
        cli_strbuf_free(&job.words);
    }
}

static void finish(pool *p)
{
    report_empty(p);
    if (p->run->common->json) {
        const char *end = !p->files->several ? "\n" : p->documents ? "\n]\n" : "[]\n";
        cli_out_put(&p->run->out, end, strlen(end));
    }
    if (p->skipped) {
        cli_strbuf words = {0};
        cli_printf(&words, "reprise: skipped %zu other file%s in the director%s\n", p->skipped,
                   p->skipped > 1 ? "s" : "", p->run->operand_count > 1 ? "ies" : "y");
        cli_say(p->run, &words);
        cli_strbuf_free(&words);
    }
    cli_progress_clear(&p->run->progress);
}

int cli_batch_run(cli_run *run, const cli_work *work)
{
    list files = list_of(run, work);
    pool p = {.run = run, .work = work, .files = &files};
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.taken, NULL);
    pthread_cond_init(&p.ready, NULL);
    run->progress.files_total = files.count;
    size_t threads = thread_count(files.count);
    if (threads > 1)
        run_threads(&p, threads);
    /* All files, or those that remain if no thread could be started. */
    run_alone(&p);
    finish(&p);
    list_free(&files);
    return p.code;
}

reprise_status cli_open_anyway(const char *path, const cli_open_options *options,
                               reprise_replay **ret_replay, reprise_error *ret_damage,
                               reprise_error *error)
{
    reprise_status status = cli_open(path, options, ret_replay, error);
    bool damaged = status == REPRISE_E_TRUNCATED || status == REPRISE_E_CORRUPT ||
                   status == REPRISE_E_CHECKSUM;
    /* A pipe cannot be read twice. */
    if (!damaged || options->salvage || strcmp(path, "-") == 0)
        return status;
    cli_open_options salvaging = *options;
    salvaging.salvage = true;
    reprise_error second = REPRISE_ERROR_INIT;
    if (cli_open(path, &salvaging, ret_replay, &second) != REPRISE_OK)
        return status;
    *ret_damage = *error;
    *error = (reprise_error)REPRISE_ERROR_INIT;
    return REPRISE_OK;
}

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
