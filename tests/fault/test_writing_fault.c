/*
 * test_writing_fault.c - operations that cannot finish: no memory, a full disk, a closed pipe, a
 * signal. Each leaves no file behind, no temporary one either, and says why if it can.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "samples.h"
#include "test_allocator.h"
#include "written.h"

#define SAMPLE "tests/data/rumble/z6_edge.replay"
#define LARGE  "tests/data/rumble/z6_match_like_1.2.4.replay"

enum { FAULTS_MAX = 4000, FILE_MAX = 1024 };

static const change changes[] = {
    {.convert = "z6"},
    {.convert = "l1"},
    {.recompress = true},
    {.recover = true},
    {.anonymize = REPRISE_PRIVATE_ALL},
    {.trim = true, .from = 1, .to = 3},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

static reprise_status change_file(const char *path, const change *c, reprise_options *options,
                                  reprise_write_options *writing, reprise_error *error)
{
    reprise_replay *replay = NULL;
    const reprise_value *report = NULL;
    options->salvage = c->recover;
    writing->layout = c->convert;
    writing->lossy = true;
    reprise_status status = reprise_open_file(path, options, &replay, error);
    if (status == REPRISE_OK)
        status = apply(replay, c, writing, &report, error);
    reprise_close(replay);
    return status;
}

/* ---- memory ---- */

static void fail_allocations(const change *c)
{
    for (size_t n = 1; n <= FAULTS_MAX; n++) {
        test_allocator allocator;
        test_context(&allocator, n);
        bytes result = {0};
        reprise_sink sink = {.ctx = &result, .write = bytes_write};
        reprise_options options;
        reprise_options_init(&options);
        options.allocator = &allocator.hooks;
        reprise_write_options writing = REPRISE_WRITE_INIT;
        writing.sink = &sink;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = change_file(SAMPLE, c, &options, &writing, &error);
        if (allocator.live_count)
            fail_msg("allocation %zu failed and %zu blocks stayed", n, allocator.live_count);
        bool survived = test_allocator_survived(&allocator);
        if (survived)
            assert_int_equal(status, REPRISE_OK);
        bytes_free(&result);
        if (survived)
            return;
    }
    fail_msg("still failing after %d allocations", FAULTS_MAX);
}

static void writing_fault__no_allocation_failure_leaks(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++)
        fail_allocations(&changes[i]);
}

/* ---- files ---- */

static void make_directory(char *to, size_t size)
{
    snprintf(to, size, "/tmp/reprise-test-XXXXXX");
    assert_non_null(mkdtemp(to));
}

static size_t count_entries(const char *path)
{
    DIR *directory = opendir(path);
    assert_non_null(directory);
    size_t count = 0;
    for (const struct dirent *e; (e = readdir(directory));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(directory);
    return count;
}

/* What happens to the program half way. */
static bool interrupt(void *ctx, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    raise(*(const int *)ctx);
    return true;
}

static bool stop(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    return false;
}

typedef struct trouble {
    int signal; /* to die by, or 0 */
    bool full;  /* no file may grow beyond FILE_MAX */
    bool cancels;
    reprise_status status; /* that is told, if anything is */
} trouble;

/* In a process of its own; returns whether it was as foreseen. */
static bool suffer(const change *c, const trouble *t, const char *path)
{
    reprise_options options;
    reprise_options_init(&options);
    int number = t->signal;
    if (t->signal) {
        options.progress = interrupt;
        options.progress_ctx = &number;
    }
    if (t->cancels)
        options.progress = stop;
    if (t->full) {
        signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit = {FILE_MAX, FILE_MAX};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.path = path;
    reprise_error error = REPRISE_ERROR_INIT;
    return change_file(LARGE, c, &options, &writing, &error) == t->status;
}

static void in_trouble(const change *c, const trouble *t)
{
    char directory[64], path[128];
    make_directory(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/new.replay", directory);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(suffer(c, t, path) ? 0 : 1);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (t->signal)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == t->signal);
    else
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(count_entries(directory), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void writing_fault__signals_leave_nothing(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        in_trouble(&(change){.convert = "z6"}, &(trouble){.signal = signals[i]});
        in_trouble(&(change){.trim = true, .to = 50}, &(trouble){.signal = signals[i]});
    }
}

static void writing_fault__a_full_disk_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++)
        in_trouble(&changes[i], &(trouble){.full = true, .status = REPRISE_E_IO});
}

static void writing_fault__cancelling_leaves_nothing(void **state)
{
    (void)state;
    in_trouble(&(change){.convert = "z6"},
               &(trouble){.cancels = true, .status = REPRISE_E_CANCELLED});
}

static int broken_pipe(void *ctx, const void *data, size_t size)
{
    (void)ctx, (void)data, (void)size;
    return EPIPE;
}

static void writing_fault__a_closed_pipe_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        reprise_sink sink = {.write = broken_pipe};
        reprise_options options;
        reprise_options_init(&options);
        reprise_write_options writing = REPRISE_WRITE_INIT;
        writing.sink = &sink;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(change_file(SAMPLE, &changes[i], &options, &writing, &error),
                         REPRISE_E_IO);
        assert_int_equal(error.cause, EPIPE);
    }
}

/* A file that is there is not replaced unasked, and never by half. */
static void writing_fault__an_existing_file_is_kept(void **state)
{
    (void)state;
    char directory[64], path[128];
    make_directory(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/new.replay", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("mine", file);
    fclose(file);
    reprise_options options;
    reprise_options_init(&options);
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.path = path;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(change_file(SAMPLE, &changes[0], &options, &writing, &error), REPRISE_E_USAGE);
    sample kept = load_sample(path);
    assert_int_equal(kept.size, 4);
    free(kept.data);
    writing.replace = true;
    error = (reprise_error)REPRISE_ERROR_INIT;
    assert_int_equal(change_file(SAMPLE, &changes[0], &options, &writing, &error), REPRISE_OK);
    assert_int_equal(count_entries(directory), 1);
    unlink(path);
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_fault__no_allocation_failure_leaks),
        cmocka_unit_test(writing_fault__signals_leave_nothing),
        cmocka_unit_test(writing_fault__a_full_disk_leaves_nothing),
        cmocka_unit_test(writing_fault__cancelling_leaves_nothing),
        cmocka_unit_test(writing_fault__a_closed_pipe_is_told),
        cmocka_unit_test(writing_fault__an_existing_file_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
