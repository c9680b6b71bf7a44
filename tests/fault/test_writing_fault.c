/*
 * test_writing_fault.c - operations that cannot finish: no memory, a full disk, a closed pipe, a
 * signal. Each leaves no file behind, no temporary one either, and says why if it can.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "end_child.h"
#include "options.h"
#include "reprise/write.h"
#include "samples.h"
#include "share.h"
#include "skip.h"
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

/* Two cuts of one recording, put together again. */
static reprise_status merge_file(const char *path, reprise_options *options,
                                 const reprise_write_options *writing, reprise_error *error)
{
    static const double offsets[] = {0, 1};
    reprise_replay *replays[2] = {NULL, NULL};
    const reprise_value *report = NULL;
    options->salvage = false;
    reprise_status status = reprise_open_file(path, options, &replays[0], error);
    if (status == REPRISE_OK)
        status = reprise_open_file(path, options, &replays[1], error);
    if (status == REPRISE_OK)
        status = reprise_merge(replays, 2, offsets, writing, &report, error);
    reprise_close(replays[0]);
    reprise_close(replays[1]);
    return status;
}

enum { RECORDED_FRAMES = 600 };

/* Something that does not compress, so that a small disk is full before the end. */
static reprise_status record_file(const reprise_options *options,
                                  const reprise_write_options *writing, reprise_error *error)
{
    reprise_writer *writer = NULL;
    uint32_t noise = 1;
    reprise_status status = writer_begin_json("rumble", "{\"Players\":[{\"Name\":\"A\"}]}", writing,
                                              options, &writer, error);
    for (int i = 0; i < RECORDED_FRAMES && status == REPRISE_OK; i++) {
        int players = reprise_writer_track(writer, "players");
        status = reprise_writer_row(writer, reprise_writer_track(writer, "frames"), 0, i / 50.0,
                                    error);
        if (status == REPRISE_OK)
            status = reprise_writer_row(writer, players, 0, i / 50.0, error);
        noise = noise * 1664525 + 1013904223;
        if (status == REPRISE_OK)
            status = reprise_writer_set_double(
                writer, reprise_writer_column(writer, players, "rig_pos_x"), noise / 1e6, error);
        if (status == REPRISE_OK)
            status = reprise_writer_step(writer, error);
    }
    if (status == REPRISE_OK)
        status = reprise_writer_end(writer, error);
    reprise_writer_close(writer);
    return status;
}

/* Everything that writes a file: the changes above, merging, recording. */
enum { MERGE = CHANGES, RECORD, OPERATIONS };

static reprise_status operate(size_t operation, const char *path, reprise_options *options,
                              reprise_write_options *writing, reprise_error *error)
{
    if (operation == MERGE)
        return merge_file(path, options, writing, error);
    if (operation == RECORD)
        return record_file(options, writing, error);
    return change_file(path, &changes[operation], options, writing, error);
}

/* ---- memory ---- */

static void fail_allocations(size_t operation)
{
    for (size_t n = 1; n <= FAULTS_MAX; n++) {
        if (!case_runs(n + operation, 3))
            continue;
        test_allocator allocator;
        test_context(&allocator, n);
        bytes result = {0};
        reprise_sink sink = {.ctx = &result, .write = bytes_write};
        TEST_OPTIONS(options);
        reprise_options_set_allocator(options, &allocator.hooks, NULL);
        reprise_write_options writing = REPRISE_WRITE_INIT;
        writing.sink = &sink;
        reprise_error error = REPRISE_ERROR_INIT;
        reprise_status status = operate(operation, SAMPLE, options, &writing, &error);
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
    for (size_t i = 0; i < RECORD; i++)
        fail_allocations(i);
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

/* An allocator that kills the program at the Nth request: anywhere, as it happens in life. */
typedef struct killer {
    reprise_allocator hooks;
    size_t requests, at;
    int signal;
} killer;

static void *killer_alloc(void *ctx, size_t size)
{
    killer *self = ctx;
    if (++self->requests == self->at)
        raise(self->signal);
    return malloc(size);
}

static void *killer_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    killer *self = ctx;
    (void)old_size;
    if (++self->requests == self->at)
        raise(self->signal);
    return realloc(old, size);
}

static void killer_free(void *ctx, void *old, size_t size)
{
    (void)ctx, (void)size;
    free(old);
}

static void killer_init(killer *k, size_t at, int signal)
{
    *k = (killer){
        .hooks = {killer_alloc, killer_realloc, killer_free, k}, .at = at, .signal = signal};
}

static bool stop(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    return false;
}

typedef struct failing_call {
    long number;
    int cause;
    uint32_t open_flags; /* openat: only calls with one of these */
} failing_call;

/* From here on this call fails. The filters of a process add up. */
static bool forbid_call(const failing_call *call)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call->number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, call->open_flags ? offsetof(struct seccomp_data, args[2])
                                                            : offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, call->open_flags ? call->open_flags : UINT32_MAX, 0,
                 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)call->cause),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof steps / sizeof steps[0], .filter = steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/*
 * From here on nothing can be created without a name, as on file systems that do not know how, or,
 * with `no_proc`, given a name later. False if this system has no such filters.
 */
static bool forbid_nameless(bool no_proc)
{
    static const failing_call creating = {__NR_openat, EOPNOTSUPP, O_TMPFILE & ~O_DIRECTORY},
                              naming = {__NR_linkat, ENOENT, 0};
    return forbid_call(no_proc ? &naming : &creating);
}

/* In processes of their own, because there is no way back. */
static bool can_forbid_nameless(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(forbid_nameless(false) && open("/tmp", O_TMPFILE | O_RDWR, 0600) < 0 ? 0 : 1);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

typedef struct trouble {
    int signal; /* to die by, or 0 */
    size_t at;  /* allocation at which that happens */
    bool full;  /* no file may grow beyond FILE_MAX */
    bool cancels;
    bool named, no_proc;   /* every file has a name; no file can be given one */
    reprise_status status; /* reported, if anything is */
} trouble;

/* In a process of its own; returns whether it was as foreseen. */
static bool suffer(size_t operation, const trouble *t, const char *path)
{
    TEST_OPTIONS(options);
    killer k;
    killer_init(&k, t->at, t->signal);
    /* A shell that starts tests in the background has them ignore SIGINT. */
    if (t->signal && t->signal != SIGKILL)
        signal(t->signal, SIG_DFL);
    if (t->signal)
        reprise_options_set_allocator(options, &k.hooks, NULL);
    if (t->cancels)
        reprise_options_set_progress(options, stop, NULL, NULL);
    if ((t->named && !forbid_nameless(false)) || (t->no_proc && !forbid_nameless(true)))
        return false;
    struct rlimit old, limit;
    if (getrlimit(RLIMIT_FSIZE, &old) != 0)
        return false;
    limit = (struct rlimit){t->full ? FILE_MAX : old.rlim_cur, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return false;
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.path = path;
    reprise_error error = REPRISE_ERROR_INIT;
    bool expected = operate(operation, LARGE, options, &writing, &error) == t->status;
    /* The limit would also cut the counters of a coverage build. */
    return setrlimit(RLIMIT_FSIZE, &old) == 0 && expected;
}

static void in_trouble(size_t operation, const trouble *t)
{
    char directory[64], path[128];
    make_directory(directory, sizeof directory);
    snprintf(path, sizeof path, "%s/new.replay", directory);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        end_child(suffer(operation, t, path) ? 0 : 1);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (t->signal)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == t->signal);
    else
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(count_entries(directory), 0);
    assert_int_equal(rmdir(directory), 0);
}

/* How many allocations an operation makes when nothing happens. */
static size_t count_allocations(size_t operation)
{
    killer k;
    killer_init(&k, 0, 0);
    TEST_OPTIONS(options);
    reprise_options_set_allocator(options, &k.hooks, NULL);
    bytes result = {0};
    reprise_sink sink = {.ctx = &result, .write = bytes_write};
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.sink = &sink;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(operate(operation, LARGE, options, &writing, &error), REPRISE_OK);
    bytes_free(&result);
    return k.requests;
}

static void writing_fault__signals_leave_nothing(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    for (size_t operation = 0; operation < OPERATIONS; operation++) {
        size_t requests = count_allocations(operation);
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
            in_trouble(operation,
                       &(trouble){.signal = signals[i], .at = 1 + requests * (i + 1) / 4});
    }
}

static void writing_fault__a_full_disk_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATIONS; i++)
        in_trouble(i, &(trouble){.full = true, .status = REPRISE_E_IO});
}

static void writing_fault__cancelling_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < RECORD; i++) /* a recording is its caller's to end */
        in_trouble(i, &(trouble){.cancels = true, .status = REPRISE_E_CANCELLED});
}

/* On file systems on which every file has a name, and where /proc is not there. */
static void writing_fault__named_files_leave_nothing_either(void **state)
{
    (void)state;
    if (!can_forbid_nameless())
        SKIP_BECAUSE("files without a name cannot be forbidden here");
    for (size_t i = 0; i < OPERATIONS; i++) {
        size_t requests = count_allocations(i);
        in_trouble(i, &(trouble){.named = true, .signal = SIGINT, .at = 1 + requests / 2});
        in_trouble(i, &(trouble){.named = true, .signal = SIGKILL, .at = 1 + requests * 3 / 4});
        in_trouble(i, &(trouble){.named = true, .full = true, .status = REPRISE_E_IO});
        in_trouble(i, &(trouble){.no_proc = true, .full = true, .status = REPRISE_E_IO});
    }
    in_trouble(0, &(trouble){.named = true, .cancels = true, .status = REPRISE_E_CANCELLED});
}

/* The same bytes as elsewhere, and nothing beside them. */
static void writing_fault__named_files_are_written_whole(void **state)
{
    (void)state;
    if (!can_forbid_nameless())
        SKIP_BECAUSE("files without a name cannot be forbidden here");
    char directory[64], path[2][128];
    make_directory(directory, sizeof directory);
    sample made[2];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path[i > 0], sizeof path[0], "%s/%zu.replay", directory, i);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            end_child(suffer(0, &(trouble){.named = i == 1, .no_proc = i == 2}, path[i > 0]) ? 0
                                                                                             : 1);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_int_equal(count_entries(directory), 1 + (i > 0));
        made[i > 0] = load_sample(path[i > 0]);
        if (!i)
            continue;
        assert_int_equal(made[0].size, made[1].size);
        assert_memory_equal(made[0].data, made[1].data, made[0].size);
        free(made[1].data);
        unlink(path[1]);
    }
    free(made[0].data);
    unlink(path[0]);
    assert_int_equal(rmdir(directory), 0);
}

/* ---- system calls ---- */

enum { WRITTEN = 0, REPORTED = 1, WRONG = 2 };

/* In a process of its own. A failure is reported with the cause that was given. */
static int convert_without(const failing_call *call, bool named, const char *path)
{
    TEST_OPTIONS(options);
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.path = path;
    reprise_error error = REPRISE_ERROR_INIT;
    if ((named && !forbid_nameless(false)) || (call && !forbid_call(call)))
        return WRONG;
    reprise_status status = operate(0, LARGE, options, &writing, &error);
    if (status == REPRISE_OK)
        return WRITTEN;
    bool told = call && status == REPRISE_E_IO && error.cause == call->cause && error.message[0];
    return told ? REPORTED : WRONG;
}

static int try_without(const failing_call *call, bool named, const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        end_child(convert_without(call, named, path));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Whichever call fails: the complete file, or the reason and no file. */
static void writing_fault__a_failing_call_gives_all_or_nothing(void **state)
{
    (void)state;
    static const failing_call calls[] = {
        {__NR_fsync, EIO, 0},           {__NR_linkat, EPERM, 0},
        {__NR_linkat, ENOSPC, 0},       {__NR_renameat2, EINVAL, 0},
        {__NR_renameat2, EACCES, 0},    {__NR_openat, EACCES, O_CREAT},
        {__NR_openat, ENFILE, O_CREAT}, {__NR_openat, EMFILE, O_DIRECTORY},
#ifdef __NR_rename
        {__NR_rename, EIO, 0},
#endif
    };
    if (!can_forbid_nameless())
        SKIP_BECAUSE("files without a name cannot be forbidden here");
    char directory[64], path[2][128];
    make_directory(directory, sizeof directory);
    snprintf(path[0], sizeof path[0], "%s/wanted.replay", directory);
    snprintf(path[1], sizeof path[1], "%s/new.replay", directory);
    assert_int_equal(try_without(NULL, false, path[0]), WRITTEN);
    sample wanted = load_sample(path[0]);
    unsigned written = 0, reported = 0;
    for (size_t i = 0; i < 2 * sizeof calls / sizeof calls[0]; i++) {
        int result = try_without(&calls[i / 2], i % 2, path[1]);
        if (result == WRONG)
            fail_msg("call %zu, %s: neither written nor reported", i / 2,
                     i % 2 ? "named" : "nameless");
        /* Data that may not be on disk is not a result, although the file looks complete. */
        assert_true(calls[i / 2].number != __NR_fsync || result == REPORTED);
        written += result == WRITTEN;
        reported += result == REPORTED;
        assert_int_equal(count_entries(directory), result == WRITTEN ? 2 : 1);
        if (result == REPORTED)
            continue;
        sample made = load_sample(path[1]);
        assert_int_equal(made.size, wanted.size);
        assert_memory_equal(made.data, wanted.data, wanted.size);
        free(made.data);
        unlink(path[1]);
    }
    assert_true(written > 2 && reported > 2);
    free(wanted.data);
    unlink(path[0]);
    assert_int_equal(rmdir(directory), 0);
}

static int broken_pipe(void *ctx, const void *data, size_t size)
{
    (void)ctx, (void)data, (void)size;
    return EPIPE;
}

static void writing_fault__a_closed_pipe_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATIONS; i++) {
        reprise_sink sink = {.write = broken_pipe};
        TEST_OPTIONS(options);
        reprise_write_options writing = REPRISE_WRITE_INIT;
        writing.sink = &sink;
        reprise_error error = REPRISE_ERROR_INIT;
        assert_int_equal(operate(i, SAMPLE, options, &writing, &error), REPRISE_E_IO);
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
    TEST_OPTIONS(options);
    reprise_write_options writing = REPRISE_WRITE_INIT;
    writing.path = path;
    reprise_error error = REPRISE_ERROR_INIT;
    assert_int_equal(change_file(SAMPLE, &changes[0], options, &writing, &error), REPRISE_E_USAGE);
    sample kept = load_sample(path);
    assert_int_equal(kept.size, 4);
    free(kept.data);
    writing.replace = true;
    error = (reprise_error)REPRISE_ERROR_INIT;
    assert_int_equal(change_file(SAMPLE, &changes[0], options, &writing, &error), REPRISE_OK);
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
        cmocka_unit_test(writing_fault__named_files_leave_nothing_either),
        cmocka_unit_test(writing_fault__named_files_are_written_whole),
        cmocka_unit_test(writing_fault__a_failing_call_gives_all_or_nothing),
        cmocka_unit_test(writing_fault__a_closed_pipe_is_told),
        cmocka_unit_test(writing_fault__an_existing_file_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
