/* write_batch.c - see write_batch.h. */
#include "write_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "write_state.h"

typedef enum outcome { WRITTEN, SKIPPED, REFUSED, FAILED, NOT_A_REPLAY } outcome;

/* What is planned for a file, and what came of it. */
typedef struct item {
    char *output;        /* its name below the directory; NULL: it has none */
    const char *problem; /* why it is refused from the start, or NULL */
    const char *kind;    /* of a refusal or failure, for the report */
    outcome outcome;
    bool warned;
} item;

struct cli_write_batch {
    cli_run *run;
    const cli_writing *writing;
    const char *directory;
    int directory_fd;
    cli_strbuf options; /* what a result depends on besides its input */
    bool force;         /* replace existing files */
    bool reusable;      /* two runs with these options give the same results */
    cli_write_state state;
    cli_file_list files;
    item *items; /* one for each file */
    size_t documents;
};

/* ---- names ---- */

static bool is_part(const char *part, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(part, name, size) == 0;
}

/* A relative path without "." and empty parts; false if it has ".." in it or is absolute. */
static bool put_clean(cli_strbuf *to, const char *path)
{
    if (*path == '/')
        return false;
    while (*path) {
        size_t size = strcspn(path, "/");
        if (is_part(path, size, ".."))
            return false;
        if (size && !is_part(path, size, ".")) {
            cli_puts(to, to->size ? "/" : "");
            cli_put(to, path, size);
        }
        path += size + (path[size] == '/');
    }
    return true;
}

static void put_suffix(cli_strbuf *name, const char *suffix)
{
    const char *slash = strrchr(name->data, '/'), *dot = strrchr(name->data, '.');
    const char *start = slash ? slash + 1 : name->data;
    if (dot && dot > start) {
        name->size = (size_t)(dot - name->data);
        name->data[name->size] = '\0';
    }
    cli_puts(name, suffix);
}

/*
 * The name of a result: the path of the file below the directory that was searched, or as it was
 * given; only the last part of a path that leads elsewhere.
 */
static void plan_item(const cli_write_batch *b, const cli_file *file, item *to)
{
    cli_strbuf name = {0};
    const char *given = file->path + file->root;
    *to = (item){0};
    if (!put_clean(&name, given)) {
        cli_strbuf_clear(&name);
        (void)put_clean(&name, cli_base_name(given));
    }
    if (!name.size || strcmp(file->path, "-") == 0) {
        to->problem = "has no name for its result";
    } else if (strncmp(name.data, CLI_STATE_FOLDER "/", strlen(CLI_STATE_FOLDER "/")) == 0 ||
               strcmp(name.data, CLI_STATE_FOLDER) == 0) {
        to->problem = "its result would be among the files that reprise keeps for itself";
    } else {
        if (b->writing->suffix)
            put_suffix(&name, b->writing->suffix);
        to->output = name.data;
        return;
    }
    to->kind = "no name";
    cli_strbuf_free(&name);
}

static int compare_outputs(const void *a, const void *b)
{
    const item *x = *(item *const *)a, *y = *(item *const *)b;
    return strcmp(x->output, y->output);
}

/* None of several files with the same name is chosen: which one should depend on nothing. */
static void refuse_equal_names(item **sorted, size_t count)
{
    qsort(sorted, count, sizeof *sorted, compare_outputs);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) != 0)
            continue;
        sorted[i - 1]->problem = sorted[i]->problem = "another input gives a result of the same "
                                                      "name";
        sorted[i - 1]->kind = sorted[i]->kind = "same name";
    }
}

static void plan(cli_write_batch *b)
{
    size_t count = b->files.count, named = 0;
    b->items = cli_memory(NULL, (count + 1) * sizeof *b->items);
    item **sorted = cli_memory(NULL, (count + 1) * sizeof(item *));
    for (size_t i = 0; i < count; i++) {
        plan_item(b, &b->files.items[i], &b->items[i]);
        if (b->items[i].output)
            sorted[named++] = &b->items[i];
    }
    if (named)
        refuse_equal_names(sorted, named);
    free((void *)sorted);
}

/* ---- options ---- */

static bool is_neutral(const char *option)
{
    static const char *const words[] = {
        "output-dir", "output",  "batch",   "force", "jobs",     "progress",   "json",      "color",
        "quiet",      "include", "exclude", "help",  "settings", "files-from", "no-sandbox"};
    for (size_t i = 0; i < CLI_COUNT(words); i++) {
        if (strcmp(words[i], option) == 0)
            return true;
    }
    return false;
}

/* A file named by an option may change. What a directory holds is not followed. */
static void put_stamp_of_value(cli_write_batch *b, const char *value)
{
    struct stat info;
    if (!strchr(value, '/') && !strchr(value, '.'))
        return;
    if (stat(value, &info) != 0)
        return;
    if (S_ISDIR(info.st_mode))
        b->reusable = false;
    cli_stamp stamp = cli_stamp_of(&info);
    cli_printf(&b->options, "@%llu,%lld", (unsigned long long)stamp.size,
               (long long)stamp.mtime_ns);
}

static void put_options(cli_write_batch *b)
{
    const cli_strbuf *given = &b->run->common->given;
    cli_printf(&b->options, "%s %s", b->run->command->name, reprise_version());
    for (const char *at = given->data, *end = at + given->size; at < end;) {
        const char *value = at + strlen(at) + 1;
        b->force |= strcmp(at, "force") == 0;
        if (!is_neutral(at)) {
            cli_printf(&b->options, " --%s%s%s", at, *value ? "=" : "", value);
            put_stamp_of_value(b, value);
        }
        at = value + strlen(value) + 1;
    }
    if (b->writing->options)
        cli_printf(&b->options, " %s", b->writing->options);
}

/* ---- places ---- */

static reprise_status fail_io(reprise_error *error, const char *what, int cause)
{
    cli_fail(error, REPRISE_E_IO, "%s: %s", what, strerror(cause));
    error->cause = cause;
    return error->status;
}

reprise_status cli_output_dir_make(const char *path, reprise_error *error)
{
    cli_strbuf folder = {0};
    cli_printf(&folder, "%s/" CLI_STATE_FOLDER, path);
    if ((mkdir(path, 0777) != 0 && errno != EEXIST) ||
        (mkdir(folder.data, 0777) != 0 && errno != EEXIST))
        fail_io(error, "cannot create", errno);
    cli_strbuf_free(&folder);
    return error->status;
}

/* Opens a directory, made if it does not exist. A link is not followed: it may lead elsewhere. */
static int open_part(int parent, const char *name, reprise_error *error)
{
    struct stat info;
    if (mkdirat(parent, name, 0777) != 0 && errno != EEXIST) {
        fail_io(error, "cannot create the directory of the result", errno);
        return -1;
    }
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    int cause = errno;
    if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
        cli_fail(error, REPRISE_E_USAGE,
                 "a link in the output directory leads elsewhere and is not followed");
    else
        fail_io(error, "cannot open the directory of the result", cause);
    return -1;
}

static reprise_status make_parents(const cli_write_batch *b, const char *output,
                                   reprise_error *error)
{
    int at = b->directory_fd;
    cli_strbuf part = {0};
    for (const char *slash; at >= 0 && (slash = strchr(output, '/')); output = slash + 1) {
        cli_strbuf_clear(&part);
        cli_put(&part, output, (size_t)(slash - output));
        int next = open_part(at, part.data, error);
        if (at != b->directory_fd)
            close(at);
        at = next;
    }
    if (at >= 0 && at != b->directory_fd)
        close(at);
    cli_strbuf_free(&part);
    return error->status;
}

/* ---- one file ---- */

/* What is known about a file before it is read. */
typedef struct situation {
    struct stat input, result;
    bool exists;
    const cli_written *known;
} situation;

static reprise_status look(const cli_write_batch *b, const char *input, const cli_target *to,
                           situation *s, reprise_error *error)
{
    *s = (situation){.known = cli_write_state_find(&b->state, to->output)};
    if (stat(input, &s->input) != 0)
        return fail_io(error, "cannot open", errno);
    s->exists = lstat(to->path, &s->result) == 0;
    if (!s->exists && errno != ENOENT && errno != ENOTDIR)
        return fail_io(error, "cannot create the result", errno);
    return REPRISE_OK;
}

static bool same_work(const cli_write_batch *b, const situation *s)
{
    return s->known && b->reusable && strcmp(s->known->options, b->options.data) == 0 &&
           cli_stamp_same(s->known->input, cli_stamp_of(&s->input));
}

static bool is_done(const cli_write_batch *b, const situation *s)
{
    return s->exists && same_work(b, s) && s->known->done &&
           cli_stamp_same(s->known->result, cli_stamp_of(&s->result));
}

static const char *why_it_exists(const cli_write_batch *b, const situation *s)
{
    if (!s->known || !s->known->done)
        return "the result exists";
    if (!cli_stamp_same(s->known->result, cli_stamp_of(&s->result)))
        return "the result was changed after it was written";
    if (strcmp(s->known->options, b->options.data) != 0)
        return "the result was made with other options or by another version";
    return "the result was made from an earlier version of this file";
}

/* Whether an existing file may be replaced. One that an interrupted run began is ours. */
static reprise_status check_existing(const cli_write_batch *b, const situation *s,
                                     reprise_error *error)
{
    if (!S_ISREG(s->result.st_mode) && !S_ISLNK(s->result.st_mode))
        return cli_fail(error, REPRISE_E_USAGE, "the result exists and is not a file");
    if (s->input.st_dev == s->result.st_dev && s->input.st_ino == s->result.st_ino)
        return cli_fail(error, REPRISE_E_USAGE, "the result would replace this file itself");
    if (b->force || (same_work(b, s) && !s->known->done))
        return REPRISE_OK;
    cli_fail(error, REPRISE_E_USAGE, "%s", why_it_exists(b, s));
    snprintf(error->hint, sizeof error->hint, "use --force to replace it");
    return error->status;
}

reprise_status cli_target_begin(const cli_target *to, reprise_error *error)
{
    cli_write_batch *b = to->batch;
    struct stat input;
    if (stat(b->files.items[to->index].path, &input) != 0)
        return fail_io(error, "cannot open", errno);
    if (make_parents(b, to->output, error) != REPRISE_OK)
        return error->status;
    return cli_write_state_add(&b->state,
                               &(cli_written){.output = (char *)(uintptr_t)to->output,
                                              .options = b->options.data,
                                              .input = cli_stamp_of(&input)},
                               error);
}

/* The stamp of the input is of before it was read: if it changes meanwhile, it is not done. */
static reprise_status note_done(const cli_target *to, const situation *s, int code,
                                reprise_error *error)
{
    struct stat result;
    if (lstat(to->path, &result) != 0)
        return fail_io(error, "the result is gone", errno);
    return cli_write_state_add(&to->batch->state,
                               &(cli_written){.output = (char *)(uintptr_t)to->output,
                                              .options = to->batch->options.data,
                                              .done = true,
                                              .code = code,
                                              .input = cli_stamp_of(&s->input),
                                              .result = cli_stamp_of(&result)},
                               error);
}

static void write_result(cli_job *job, cli_target *to, const situation *s, item *about)
{
    cli_json json = cli_job_document(job);
    cli_json_text(&json, "output", to->path);
    cli_json_text(&json, "status", "written");
    to->replace = s->exists;
    to->batch->writing->write(job, to, &json);
    cli_json_close(&json);
    bool written = job->error.status == REPRISE_OK &&
                   (job->code == CLI_DONE || job->code == CLI_WARNED);
    if (written && note_done(to, s, job->code, &job->error) == REPRISE_OK) {
        about->outcome = WRITTEN;
        about->warned = job->code == CLI_WARNED;
    }
}

static void skip(cli_job *job, const cli_target *to, const situation *s, item *about)
{
    cli_json json = cli_job_document(job);
    cli_json_text(&json, "output", to->path);
    cli_json_text(&json, "status", "skipped");
    cli_json_close(&json);
    about->outcome = SKIPPED;
    job->code = s->known->code;
}

/* Before it is read a file can only be refused; what goes wrong later is a failure. */
static reprise_status consider(const cli_write_batch *b, const cli_job *job, const cli_target *to,
                               situation *s, item *about, reprise_error *error)
{
    if (look(b, job->path, to, s, error) != REPRISE_OK)
        return error->status;
    if (s->exists && !is_done(b, s) && check_existing(b, s, error) != REPRISE_OK) {
        about->outcome = REFUSED;
        about->kind = "exists";
    }
    return error->status;
}

static const char *kind_of(const reprise_error *error)
{
    return error->status == REPRISE_E_LOSSY   ? "would lose data"
           : error->status == REPRISE_E_USAGE ? "cannot be done"
                                              : reprise_status_name(error->status);
}

static void judge(const cli_job *job, item *about)
{
    reprise_status status = job->error.status;
    if (status == REPRISE_E_UNRECOGNIZED) {
        about->outcome = NOT_A_REPLAY;
    } else if (about->outcome != REFUSED) {
        bool refused = status == REPRISE_E_LOSSY || status == REPRISE_E_USAGE;
        about->outcome = refused ? REFUSED : FAILED;
        about->kind = kind_of(&job->error);
    }
}

static void process(cli_job *job)
{
    cli_write_batch *b = job->ctx;
    item *about = &b->items[job->index];
    cli_strbuf path = {0};
    situation s;
    about->outcome = FAILED;
    if (about->problem) {
        cli_fail(&job->error, REPRISE_E_USAGE, "%s", about->problem);
        about->outcome = REFUSED;
        return;
    }
    cli_printf(&path, "%s/%s", b->directory, about->output);
    cli_target to = {.path = path.data,
                     .ctx = b->writing->ctx,
                     .batch = b,
                     .output = about->output,
                     .index = job->index};
    if (consider(b, job, &to, &s, about, &job->error) == REPRISE_OK) {
        if (is_done(b, &s))
            skip(job, &to, &s, about);
        else
            write_result(job, &to, &s, about);
    }
    if (about->outcome != WRITTEN && about->outcome != SKIPPED)
        judge(job, about);
    cli_strbuf_free(&path);
}

static const char *outcome_name(outcome which)
{
    static const char *const names[] = {"written", "skipped", "refused", "failed", "not a replay"};
    return names[which];
}

static void put_failure(cli_job *job)
{
    const cli_write_batch *b = job->ctx;
    cli_strbuf_clear(&job->out);
    cli_json json = cli_job_document(job);
    cli_json_text(&json, "status", outcome_name(b->items[job->index].outcome));
    cli_json_error(&json, "error", &job->error);
    cli_json_close(&json);
}

/* ---- the report ---- */

static void put_document(void *ctx, cli_job *job)
{
    cli_write_batch *b = ctx;
    if (!b->run->common->json)
        return;
    const char *before = b->documents++ ? ",\n" : "\n";
    cli_out_put(&b->run->out, before, strlen(before));
    cli_out_put(&b->run->out, job->out.data, job->out.size);
}

static size_t count_outcome(const cli_write_batch *b, outcome which)
{
    size_t count = 0;
    for (size_t i = 0; i < b->files.count; i++)
        count += b->items[i].outcome == which;
    return count;
}

static size_t count_warned(const cli_write_batch *b)
{
    size_t count = 0;
    for (size_t i = 0; i < b->files.count; i++)
        count += b->items[i].outcome == WRITTEN && b->items[i].warned;
    return count;
}

static bool is_kind(const item *one, outcome which, const char *kind)
{
    return one->outcome == which && strcmp(one->kind ? one->kind : "other", kind) == 0;
}

/* Calls `put` for each kind of an outcome, in the order in which they occurred. */
static void each_kind(const cli_write_batch *b, outcome which,
                      void (*put)(void *to, const char *kind, size_t count), void *to)
{
    for (size_t i = 0; i < b->files.count; i++) {
        const char *kind = b->items[i].kind ? b->items[i].kind : "other";
        size_t count = 0, first = 0;
        if (b->items[i].outcome != which)
            continue;
        while (!is_kind(&b->items[first], which, kind))
            first++;
        for (size_t k = i; first == i && k < b->files.count; k++)
            count += is_kind(&b->items[k], which, kind);
        if (first == i)
            put(to, kind, count);
    }
}

static void put_kind_word(void *to, const char *kind, size_t count)
{
    cli_strbuf *words = to;
    cli_printf(words, "%s %s %zu", words->data[words->size - 1] == ':' ? "" : ",", kind, count);
}

static void put_kind_member(void *to, const char *kind, size_t count)
{
    cli_json_uint(to, kind, count);
}

static void put_kinds(const cli_write_batch *b, outcome which, cli_strbuf *words)
{
    if (!count_outcome(b, which))
        return;
    cli_printf(words, "reprise: %s:", outcome_name(which));
    each_kind(b, which, put_kind_word, words);
    cli_putc(words, '\n');
}

static void say_report(cli_write_batch *b, double seconds)
{
    cli_strbuf words = {0};
    size_t warned = count_warned(b), others = count_outcome(b, NOT_A_REPLAY);
    cli_printf(&words, "reprise: found %zu file%s: %zu written", b->files.count,
               b->files.count == 1 ? "" : "s", count_outcome(b, WRITTEN));
    if (warned)
        cli_printf(&words, " (%zu with warnings)", warned);
    cli_printf(&words, ", %zu skipped, %zu refused, %zu failed", count_outcome(b, SKIPPED),
               count_outcome(b, REFUSED), count_outcome(b, FAILED));
    if (others)
        cli_printf(&words, ", %zu not %s", others, others == 1 ? "a replay" : "replays");
    cli_printf(&words, ", in %.2f s\n", seconds);
    put_kinds(b, REFUSED, &words);
    put_kinds(b, FAILED, &words);
    cli_say(b->run, &words);
    cli_strbuf_free(&words);
}

static void print_head(cli_write_batch *b)
{
    cli_strbuf text = {0};
    cli_puts(&text, "{\"output_dir\":");
    cli_put_json(&text, b->directory, strlen(b->directory));
    cli_puts(&text, ",\"files\":[");
    cli_out_put(&b->run->out, text.data, text.size);
    cli_strbuf_free(&text);
}

static void print_counts(cli_write_batch *b, double seconds)
{
    cli_strbuf text = {0};
    cli_json json = {.to = &text};
    cli_json_object(&json, NULL);
    cli_json_uint(&json, "found", b->files.count);
    cli_json_uint(&json, "written", count_outcome(b, WRITTEN));
    cli_json_uint(&json, "with_warnings", count_warned(b));
    cli_json_uint(&json, "skipped", count_outcome(b, SKIPPED));
    cli_json_uint(&json, "not_replays", count_outcome(b, NOT_A_REPLAY));
    cli_json_object(&json, "refused");
    each_kind(b, REFUSED, put_kind_member, &json);
    cli_json_close(&json);
    cli_json_object(&json, "failed");
    each_kind(b, FAILED, put_kind_member, &json);
    cli_json_close(&json);
    cli_json_real(&json, "seconds", seconds);
    cli_json_close(&json);
    cli_out_put(&b->run->out, "\n],\"counts\":", strlen("\n],\"counts\":"));
    cli_out_put(&b->run->out, text.data, text.size);
    cli_out_put(&b->run->out, "}\n", 2);
    cli_strbuf_free(&text);
}

/* A directory without replays is an error, because the user expects some. */
static int report_empty(cli_write_batch *b)
{
    int code = CLI_DONE;
    for (size_t i = 0; i < b->run->operand_count; i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        cli_strbuf words = {0};
        if (b->files.recognised[i] != 0)
            continue;
        cli_fail(&error, REPRISE_E_UNRECOGNIZED, "no replay in this directory");
        cli_put_error_words(&words, b->run->words_colour, b->run->operands[i], &error);
        cli_say(b->run, &words);
        cli_strbuf_free(&words);
        code = cli_exit_of(error.status);
    }
    return code;
}

/* ---- all files ---- */

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int process_all(cli_write_batch *b)
{
    double started = now_seconds();
    b->files = cli_file_list_of(b->run, true);
    plan(b);
    if (b->run->common->json)
        print_head(b);
    b->files.several = true; /* also a single file is one of a batch */
    int code = cli_batch_run_list(b->run,
                                  &(cli_work){.work = process,
                                              .done = put_document,
                                              .ctx = b,
                                              .collects = true,
                                              .closed = true,
                                              .serial = b->writing->serial,
                                              .put_failure = put_failure},
                                  &b->files);
    if (b->run->common->json)
        print_counts(b, now_seconds() - started);
    code = cli_exit_worse(code, report_empty(b));
    say_report(b, now_seconds() - started);
    for (size_t i = 0; i < b->files.count; i++)
        free(b->items[i].output);
    free(b->items);
    cli_file_list_free(&b->files);
    return code;
}

static bool is_same_directory(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static reprise_status open_directory(cli_write_batch *b, reprise_error *error)
{
    cli_strbuf folder = {0};
    for (size_t i = 0; i < b->run->operand_count; i++) {
        if (is_same_directory(b->run->operands[i], b->directory))
            return cli_fail(error, REPRISE_E_USAGE, "is also an input");
    }
    if (cli_output_dir_make(b->directory, error) != REPRISE_OK)
        return error->status;
    b->directory_fd = open(b->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (b->directory_fd < 0)
        return fail_io(error, "cannot open", errno);
    cli_printf(&folder, "%s/" CLI_STATE_FOLDER, b->directory);
    (void)!cli_write_state_open(&b->state, folder.data, error);
    cli_strbuf_free(&folder);
    return error->status;
}

int cli_write_batch_run(cli_run *run, const cli_writing *writing)
{
    cli_write_batch b = {.run = run,
                         .writing = writing,
                         .directory = run->common->output_dir,
                         .directory_fd = -1,
                         .reusable = true,
                         .state = {.fd = -1, .lock = -1}};
    reprise_error error = REPRISE_ERROR_INIT;
    put_options(&b);
    int code = CLI_DONE;
    if (open_directory(&b, &error) == REPRISE_OK)
        code = process_all(&b);
    else
        code = cli_report(run, b.directory, &error);
    cli_write_state_close(&b.state);
    if (b.directory_fd >= 0)
        close(b.directory_fd);
    cli_strbuf_free(&b.options);
    return code;
}
