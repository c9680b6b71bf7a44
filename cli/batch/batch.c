/* batch.c - see batch.h. */
#include "batch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    THREADS_MAX = 64,
    WINDOW = 256,           /* results that may wait for an earlier file */
    KEPT_BYTES = 64 << 20,  /* of memory that a thread has freed; more than most files need */
    LARGE_BYTES = 32 << 20, /* memory of a mapping of its own; libc allows no more */
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

reprise_status cli_make_options(const cli_open_options *from, reprise_options **ret_options,
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
        status = reprise_options_set_digests(to, !from->no_digests, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_mapping(to, !from->no_mapping, error);
    if (status == REPRISE_OK)
        status = reprise_options_set_threads(to, from->threads, error);
    return status;
}

reprise_status cli_open(const char *path, const cli_open_options *options,
                        reprise_replay **ret_replay, reprise_error *error)
{
    reprise_options *all = NULL;
    reprise_status status = cli_make_options(options, &all, error);
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
    options.threads = run->threads;
    options.no_mapping = run->parallel;
    return options;
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

/* ---- one file ---- */

/* One document is indented on a terminal; an array of them has one on each line. */
cli_json cli_job_document(cli_job *job)
{
    cli_json json = {.to = &job->out, .pretty = job->run->out_terminal && !job->several};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", job->path);
    return json;
}

cli_render cli_job_text(cli_job *job, bool all)
{
    cli_render r = {.to = &job->out,
                    .width = job->run->width,
                    .colour = job->run->out_colour,
                    .all = all,
                    .replay = job->replay};
    cli_put_painted(r.to, r.colour, CLI_BOLD, job->path);
    cli_putc(r.to, '\n');
    return r;
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
    if (job->several && !work->serial)
        options.threads = 1; /* files are already processed in parallel */
    if (work->closed) {
        work->work(job);
    } else if (cli_open(job->path, &options, &job->replay, &job->error) == REPRISE_OK) {
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
    cli_file_list *files;
    job_slot *slots; /* a ring of WINDOW */
    size_t next;     /* the next file to process */
    size_t printed;  /* files whose results were printed */
    size_t taking;   /* the file whose result is printed */
    pthread_mutex_t lock;
    pthread_cond_t taken, ready;
    /* printing */
    int code;
    size_t documents;
    size_t counts[CLI_LIMIT + 1]; /* of files by their exit code */
    double started;
} pool;

static void prepare(pool *p, size_t index, cli_job *ret_job)
{
    const cli_file *file = &p->files->items[index];
    *ret_job = (cli_job){.run = p->run,
                         .ctx = p->work->ctx,
                         .path = file->path,
                         .index = index,
                         .walked = file->walked,
                         .several = p->files->several};
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
    bool other = job->error.status == REPRISE_E_UNRECOGNIZED;
    p->counts[other ? CLI_UNRECOGNIZED : job->code == CLI_USAGE ? CLI_FAILED : job->code]++;
    /* A directory may contain other files. */
    if (!(job->walked && other)) {
        p->code = cli_exit_worse(p->code, job->code);
        /* The progress line must go before something else is printed on the terminal. */
        if (job->out.size && p->run->out_terminal)
            cli_progress_clear(&p->run->progress);
        if (p->work->collects || (p->work->done && !p->run->common->json)) {
            p->work->done(p->work->ctx, job);
        } else if (p->run->common->json && job->out.size) {
            print_document(p, job);
        } else if (job->out.size) {
            cli_print_screen(p->run, &job->out, 0);
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

static size_t thread_count(const cli_run *run, size_t files)
{
    size_t threads = run->threads < files ? run->threads : files;
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

/*
 * What a thread frees it needs again for its next file. Giving memory back to the system in between
 * interrupts all other threads, which took as long as reading small files.
 */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
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
        if (p->files->recognised[i] != 0 || p->work->closed)
            continue;
        cli_job job = {.run = p->run, .path = p->run->operands[i], .several = true};
        cli_fail(&job.error, REPRISE_E_UNRECOGNIZED, "no replay in this directory");
        put_failure(p->work, &job);
        p->code = cli_exit_worse(p->code, job.code);
        if (p->work->collects)
            p->work->done(p->work->ctx, &job);
        else if (job.out.size)
            print_document(p, &job);
        cli_say(p->run, &job.words);
        cli_strbuf_free(&job.out);
        cli_strbuf_free(&job.words);
    }
}

double cli_now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void cli_put_found(cli_strbuf *to, size_t found, const size_t counts[CLI_LIMIT + 1], double seconds)
{
    static const struct {
        int code;
        const char *word;
    } kinds[] = {{CLI_DONE, "good"},          {CLI_WARNED, "warned"},
                 {CLI_REFUSED, "damaged"},    {CLI_UNRECOGNIZED, "not replays"},
                 {CLI_LIMIT, "over a limit"}, {CLI_FAILED, "failed"}};
    size_t all = 0;
    for (size_t i = 0; i <= CLI_LIMIT; i++)
        all += counts[i];
    cli_printf(to, "reprise: found %zu file%s", found, found == 1 ? "" : "s");
    if (all != found) /* only some were looked for, or standard output failed */
        cli_printf(to, "; of all %zu", all);
    cli_puts(to, ": ");
    for (size_t i = 0; i < CLI_COUNT(kinds); i++) {
        size_t count = counts[kinds[i].code];
        if (count || i == 0)
            cli_printf(to, "%s%zu %s", i ? ", " : "", count, kinds[i].word);
    }
    cli_printf(to, ", in %.2f s\n", seconds);
}

static void finish(pool *p)
{
    report_empty(p);
    if (p->run->common->json && !p->work->collects) {
        const char *end = !p->files->several ? "\n" : p->documents ? "\n]\n" : "[]\n";
        cli_out_put(&p->run->out, end, strlen(end));
    }
    cli_progress_clear(&p->run->progress);
    if ((p->files->walked || p->run->common->files_from) && p->files->count && !p->work->closed) {
        cli_strbuf words = {0};
        cli_put_found(&words, p->files->count, p->counts, cli_now_seconds() - p->started);
        cli_say(p->run, &words);
        cli_strbuf_free(&words);
    }
}

int cli_batch_run_list(cli_run *run, const cli_work *work, cli_file_list *files)
{
    pool p = {.run = run, .work = work, .files = files, .started = cli_now_seconds()};
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.taken, NULL);
    pthread_cond_init(&p.ready, NULL);
    run->progress.files_total = files->count;
    size_t threads = thread_count(run, files->count);
    if (threads > 1 && !work->serial) {
        run->threads = run->threads / (unsigned)threads; /* those of each file */
        run->parallel = true;
        keep_freed_memory();
        run_threads(&p, threads);
    }
    /* All files, or those that remain if no thread could be started. */
    run_alone(&p);
    finish(&p);
    return p.code;
}

int cli_batch_run(cli_run *run, const cli_work *work)
{
    cli_file_list files = cli_file_list_of(run, work->walks);
    int code = cli_batch_run_list(run, work, &files);
    cli_file_list_free(&files);
    return code;
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

bool cli_has_row(reprise_replay *replay)
{
    reprise_rows_options options = REPRISE_ROWS_INIT;
    reprise_rows *rows = NULL;
    bool found = reprise_rows_open(replay, &options, &rows, NULL) == REPRISE_OK &&
                 reprise_rows_next(rows, NULL) == REPRISE_OK;
    reprise_rows_close(rows);
    return found;
}

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
