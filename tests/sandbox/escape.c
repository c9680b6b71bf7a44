/*
 * escape.c - what a parser that was taken over could do after reprise_sandbox_enter: nothing.
 *
 * Each case runs in a process of its own, enters the sandbox as the command does, and then tries to
 * get out, from the thread that entered it and from one that was started later. Cases whose half of
 * the sandbox the kernel lacks are skipped by name. Prints TAP.
 */
#define _GNU_SOURCE
#include <reprise/sandbox.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ESCAPED = 1, HELD = 0, SKIPPED = 77 };

static char top[] = "/tmp/reprise-sandbox-XXXXXX";
static char input[64], secret[64], folder[64], inside[96], result[96], beside[96];

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* ---- files: landlock ---- */

static bool is_kept_from_its_input(void)
{
    return !opens(input, O_RDONLY);
}

static bool is_kept_from_its_folder(void)
{
    return !opens(inside, O_RDONLY);
}

static bool reads_another_file(void)
{
    return opens(secret, O_RDONLY) || opens("/etc/passwd", O_RDONLY);
}

static bool writes_its_input(void)
{
    return opens(input, O_WRONLY) || opens(inside, O_RDWR) || truncate(input, 0) == 0;
}

static bool reads_beside_its_result(void)
{
    return opens(beside, O_RDONLY) || opens(beside, O_WRONLY);
}

static bool makes_other_files(void)
{
    char other[96];
    snprintf(other, sizeof other, "%s/other", folder);
    return opens(other, O_WRONLY | O_CREAT) || mkdir(other, 0700) == 0 ||
           symlink("/", other) == 0 || opens("/tmp/reprise-other", O_WRONLY | O_CREAT);
}

static bool removes_files(void)
{
    return unlink(secret) == 0 || unlink(beside) == 0 || rename(secret, input) == 0;
}

static bool lists_other_folders(void)
{
    return opens("/", O_RDONLY | O_DIRECTORY) || opens("/proc/self/fd", O_RDONLY | O_DIRECTORY);
}

/* The one thing that must work: the prepared file gets the name of the result. */
static bool is_kept_from_its_result(void)
{
    char self[32];
    int fd = reprise_sandbox_file(result);
    if (fd < 0 || write(fd, "x", 1) != 1)
        return true;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, result, AT_SYMLINK_FOLLOW) != 0;
}

/* ---- system calls: seccomp ---- */

static bool makes_a_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
           socket(AF_NETLINK, SOCK_RAW, 0) >= 0;
}

static int old_socket = -1; /* from before */

static bool connects_an_old_socket(void)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    errno = 0;
    return connect(old_socket, (struct sockaddr *)&to, sizeof to) == 0 || errno != EPERM;
}

static bool runs_a_program(void)
{
    char name[] = "false", *arguments[] = {name, NULL}, *environment[] = {NULL};
    execve("/bin/false", arguments, environment);
    return false; /* else that program would have told that it escaped */
}

static bool starts_a_process(void)
{
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        _exit(0);
    return child > 0;
}

static bool traces_a_process(void)
{
    return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 || kill(getppid(), 0) == 0;
}

static bool makes_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED || mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0 ||
           mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool types_into_the_terminal(void)
{
    errno = 0;
    return syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x") == 0 || errno != EPERM;
}

static bool mounts_or_loads(void)
{
    errno = 0;
    bool io_uring = syscall(425, 1, NULL) >= 0 || errno != EPERM;
    errno = 0;
    return io_uring || syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno != EPERM;
}

/* ---- running ---- */

typedef bool attempt(void); /* true: it got out */

typedef struct test_case {
    const char *name;
    attempt *run;
    unsigned needs;
} test_case;

#define FILES_CASE(name)                   \
    {                                      \
#name, name, REPRISE_SANDBOX_FILES \
    }
#define CALLS_CASE(name)                      \
    {                                         \
#name, name, REPRISE_SANDBOX_SYSCALLS \
    }

static const test_case cases[] = {
    FILES_CASE(reads_another_file),
    FILES_CASE(writes_its_input),
    FILES_CASE(reads_beside_its_result),
    FILES_CASE(makes_other_files),
    FILES_CASE(removes_files),
    FILES_CASE(lists_other_folders),
    FILES_CASE(is_kept_from_its_input),
    FILES_CASE(is_kept_from_its_folder),
    FILES_CASE(is_kept_from_its_result),
    CALLS_CASE(makes_a_socket),
    CALLS_CASE(connects_an_old_socket),
    CALLS_CASE(runs_a_program),
    CALLS_CASE(starts_a_process),
    CALLS_CASE(traces_a_process),
    CALLS_CASE(makes_code),
    CALLS_CASE(types_into_the_terminal),
    CALLS_CASE(mounts_or_loads),
};

static void *in_thread(void *ctx)
{
    const test_case *test = ctx;
    return test->run() ? (void *)test : NULL;
}

static int run_case(const test_case *test, bool later_thread)
{
    const char *readable[] = {input, folder, "/nowhere/at/all"}, *results[] = {result};
    const reprise_sandbox rules = {.struct_size = sizeof rules,
                                   .readable = readable,
                                   .readable_count = 2 + 1,
                                   .results = results,
                                   .result_count = 1,
                                   .spools = 1};
    unsigned in_force = 0;
    if (reprise_sandbox_enter(&rules, &in_force, NULL) != REPRISE_OK || !(in_force & test->needs))
        return SKIPPED;
    pthread_t thread;
    void *escaped = NULL;
    if (!later_thread)
        return test->run() ? ESCAPED : HELD;
    if (pthread_create(&thread, NULL, in_thread, (void *)test) != 0)
        return ESCAPED;
    pthread_join(thread, &escaped);
    return escaped ? ESCAPED : HELD;
}

static bool make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    bool made = fd >= 0 && write(fd, "x", 1) == 1;
    if (fd >= 0)
        close(fd);
    return made;
}

static bool set_up(void)
{
    if (!mkdtemp(top))
        return false;
    char results[64];
    snprintf(input, sizeof input, "%s/input", top);
    snprintf(secret, sizeof secret, "%s/secret", top);
    snprintf(folder, sizeof folder, "%s/folder", top);
    snprintf(inside, sizeof inside, "%s/inside", folder);
    snprintf(results, sizeof results, "%s/results", top);
    snprintf(result, sizeof result, "%s/result", results);
    snprintf(beside, sizeof beside, "%s/beside", results);
    old_socket = socket(AF_INET, SOCK_STREAM, 0);
    return mkdir(folder, 0700) == 0 && mkdir(results, 0700) == 0 && make_file(input) &&
           make_file(secret) && make_file(inside) && make_file(beside);
}

static void tear_down(void)
{
    const char *const files[] = {input, secret, inside, beside, result};
    char results[64];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    snprintf(results, sizeof results, "%s/results", top);
    rmdir(results);
    rmdir(folder);
    rmdir(top);
}

int main(void)
{
    unsigned number = 0, failed = 0;
    if (!set_up()) {
        printf("Bail out! cannot make %s\n", top);
        return 1;
    }
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const test_case *test = &cases[i / 2];
        unlink(result);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(run_case(test, i % 2));
        int status = 0;
        waitpid(child, &status, 0);
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : ESCAPED;
        failed += code == ESCAPED;
        printf("%sok %u - sandbox__nothing_%s%s%s\n", code == ESCAPED ? "not " : "", ++number,
               test->name, i % 2 ? "_in_a_later_thread" : "",
               code != SKIPPED                        ? ""
               : test->needs == REPRISE_SANDBOX_FILES ? " # SKIP this kernel has no landlock"
                                                      : " # SKIP no seccomp here");
    }
    printf("1..%u\n", number);
    tear_down();
    return failed ? 1 : 0;
}
