/*
 * sandbox.c - see reprise/sandbox.h: restricts files with landlock. seccomp_filter.c restricts
 * system calls.
 *
 * Uses raw system calls, because no library for landlock is widely available. Their numbers are the
 * same on all architectures.
 */
#define _GNU_SOURCE /* syscall, O_PATH */
#include <reprise/sandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checked.h"
#include "entry.h"
#include "prepared.h"
#include "seccomp_filter.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { SYS_CREATE_RULESET = 444, SYS_ADD_RULE = 445, SYS_RESTRICT_SELF = 446 };
enum { RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

/* Access rights: bits of the kernel interface. */
#define EXECUTE     (UINT64_C(1) << 0)
#define WRITE_FILE  (UINT64_C(1) << 1)
#define READ_FILE   (UINT64_C(1) << 2)
#define READ_DIR    (UINT64_C(1) << 3)
#define REMOVE_FILE (UINT64_C(1) << 5)
#define MAKE_REG    (UINT64_C(1) << 8)
#define REFER       (UINT64_C(1) << 13) /* since version 2 */
#define TRUNCATE    (UINT64_C(1) << 14) /* since version 3 */
#define VERSION_1   ((UINT64_C(1) << 13) - 1)
#define ANY_FILE    (WRITE_FILE | READ_FILE | TRUNCATE)

/* Later versions add members; the kernel gets the size of the struct. */
typedef struct ruleset {
    uint64_t files;
} ruleset;

/* Packed, as in the kernel. */
typedef struct __attribute__((packed)) beneath {
    uint64_t allowed;
    int32_t parent;
} beneath;

typedef struct sandbox {
    int fd;
    uint64_t handled; /* all rights that this kernel supports */
    bool failed;
} sandbox;

static void allow(sandbox *s, const char *path, uint64_t rights)
{
    struct stat info;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return; /* a missing file cannot be opened anyway */
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rights &= ANY_FILE;
    beneath rule = {.allowed = rights & s->handled, .parent = fd};
    /* Pipes cannot be named in rules and do not need any. */
    if (rule.allowed && syscall(SYS_ADD_RULE, s->fd, RULE_PATH_BENEATH, &rule, 0) != 0 &&
        errno != EBADFD)
        s->failed = true;
    close(fd);
}

/* A device or a pipe is opened directly; a file is written unnamed and linked at the end. */
static bool allow_result(sandbox *s, const char *path, bool replace)
{
    struct stat info;
    char directory[RP_DIRECTORY_MAX];
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        allow(s, path, WRITE_FILE);
        return true;
    }
    if (!rp_directory_of(path, directory) || !rp_prepare(directory, 1))
        return false;
    allow(s, directory, MAKE_REG | REFER | (replace ? REMOVE_FILE : 0));
    return true;
}

static const char *spool_directory(const reprise_sandbox *rules, char to[RP_DIRECTORY_MAX])
{
    /* The file system of the result has room for it. */
    for (size_t i = 0; i < rules->result_count; i++) {
        struct stat info;
        bool device = stat(rules->results[i], &info) == 0 && !S_ISREG(info.st_mode);
        if (!device && rp_directory_of(rules->results[i], to))
            return to;
    }
    const char *directory = getenv("TMPDIR");
    return directory && *directory ? directory : "/tmp";
}

static void allow_all(sandbox *s, const reprise_sandbox *rules)
{
    char directory[RP_DIRECTORY_MAX];
    for (size_t i = 0; i < rules->readable_count; i++)
        allow(s, rules->readable[i], READ_FILE | READ_DIR);
    for (size_t i = 0; i < rules->writable_count; i++)
        allow(s, rules->writable[i], s->handled & ~EXECUTE);
    for (size_t i = 0; i < rules->result_count; i++) {
        if (!allow_result(s, rules->results[i], rules->replace))
            s->failed = true;
    }
    if (rules->spools && !rp_prepare(spool_directory(rules, directory), rules->spools))
        s->failed = true;
#if defined(RP_TRACES_LEAKS)
    allow(s, "/proc", READ_FILE | READ_DIR); /* needed by the leak detector */
#endif
}

/* A nameless file gets its name through /proc, which a bare chroot does not have. */
static bool can_link(void)
{
    return access("/proc/self/fd", X_OK) == 0;
}

/* If a result cannot be opened beforehand, do not restrict files rather than fail. */
static bool restrict_files(const reprise_sandbox *rules)
{
    if (rules->result_count && !can_link())
        return false;
    long version = syscall(SYS_CREATE_RULESET, NULL, (size_t)0, RULESET_VERSION);
    if (version < 1 || (version < 2 && rules->result_count))
        return false;
    ruleset all = {VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0)};
    sandbox s = {.handled = all.files};
    s.fd = (int)syscall(SYS_CREATE_RULESET, &all, sizeof all, 0);
    if (s.fd < 0)
        return false;
    allow_all(&s, rules);
    bool done = !s.failed && syscall(SYS_RESTRICT_SELF, s.fd, 0) == 0;
    close(s.fd);
    return done;
}

/* Without the first call the kernel takes neither kind of restriction. */
static unsigned enter(const reprise_sandbox *rules)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 0;
    unsigned in_force = !rules->any_file && restrict_files(rules) ? REPRISE_SANDBOX_FILES : 0;
    return in_force | (rp_seccomp_enter() ? REPRISE_SANDBOX_SYSCALLS : 0);
}

#else

static unsigned enter(const reprise_sandbox *rules)
{
    (void)rules;
    return 0;
}

#endif

reprise_status reprise_sandbox_enter(const reprise_sandbox *rules, unsigned *ret_in_force,
                                     reprise_error *error)
{
    RP_ENTER(error, rules);
    reprise_sandbox all = REPRISE_SANDBOX_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, rules, error));
    unsigned in_force = enter(&all);
    if (ret_in_force)
        *ret_in_force = in_force;
    return REPRISE_OK;
}

int reprise_sandbox_file(const char *path)
{
    char directory[RP_DIRECTORY_MAX];
    return path && rp_directory_of(path, directory) ? rp_prepared_take(directory) : -1;
}
