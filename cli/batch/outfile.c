/* outfile.c - see outfile.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <reprise/sandbox.h>

#include "ui/report.h"

/*
 * Global, because a signal handler gets no context. Changed only while signals are blocked.
 */
static char *volatile temps_in_use[CLI_OUTFILES_MAX];
static pthread_mutex_t temps_lock = PTHREAD_MUTEX_INITIALIZER;

void cli_outfile_abandon(void)
{
    for (size_t i = 0; i < CLI_OUTFILES_MAX; i++) {
        if (temps_in_use[i])
            unlink(temps_in_use[i]);
    }
}

/* Replaces an entry; NULL is a free one. */
static void replace_temp(const char *from, char *to)
{
    pthread_mutex_lock(&temps_lock);
    size_t i = 0;
    while (i < CLI_OUTFILES_MAX && temps_in_use[i] != from)
        i++;
    if (i < CLI_OUTFILES_MAX)
        temps_in_use[i] = to;
    pthread_mutex_unlock(&temps_lock);
}

void cli_end_by_signal(int number)
{
    cli_outfile_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

/* A signal that the parent ignores, such as SIGHUP under nohup, stays ignored. */
static bool ends_program(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
}

void cli_ending_signals(sigset_t *ret_set)
{
    sigemptyset(ret_set);
    for (size_t i = 0; i < CLI_COUNT(signals); i++) {
        if (ends_program(signals[i]))
            sigaddset(ret_set, signals[i]);
    }
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = cli_end_by_signal};
    for (size_t i = 0; i < CLI_COUNT(signals); i++) {
        if (ends_program(signals[i]))
            sigaction(signals[i], &action, NULL);
    }
}

static void block_signals(sigset_t *ret_old)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < CLI_COUNT(signals); i++)
        sigaddset(&set, signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, ret_old);
}

void cli_outfile_watch(char *path)
{
    sigset_t old;
    catch_signals();
    block_signals(&old);
    replace_temp(NULL, path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void cli_outfile_unwatch(const char *path)
{
    sigset_t old;
    block_signals(&old);
    replace_temp(path, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static reprise_status fail(reprise_error *error, int cause, const char *what)
{
    *error = (reprise_error){.status = REPRISE_E_IO, .cause = cause};
    snprintf(error->message, sizeof error->message, "%s: %s", what, strerror(cause));
    return error->status;
}

reprise_status cli_outfile_exists(const char *advice, reprise_error *error)
{
    cli_fail(error, REPRISE_E_USAGE, "exists");
    snprintf(error->hint, sizeof error->hint, "%s", advice);
    return error->status;
}

/* Devices and pipes are written to as they are. */
static bool is_device(const struct stat *info)
{
    return !S_ISREG(info->st_mode) && !S_ISLNK(info->st_mode) && !S_ISDIR(info->st_mode);
}

static reprise_status check_parent(const char *path, reprise_error *error)
{
    size_t size = strlen(path);
    while (size && path[size - 1] == '/')
        size--;
    while (size && path[size - 1] != '/')
        size--;
    cli_strbuf directory = {0};
    cli_put(&directory, size ? path : ".", size ? size : 1);
    int cause = access(directory.data, W_OK | X_OK) == 0 ? 0 : errno;
    cli_strbuf_free(&directory);
    return cause ? fail(error, cause, "cannot create") : REPRISE_OK;
}

reprise_status cli_outfile_check(const char *path, bool replace, reprise_error *error)
{
    struct stat info;
    if (lstat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return fail(error, EISDIR, "cannot create");
        return replace || is_device(&info) ? REPRISE_OK
                                           : cli_outfile_exists("use --force to replace it", error);
    }
    return errno == ENOENT ? check_parent(path, error) : fail(error, errno, "cannot create");
}

reprise_status cli_outdir_check(const char *path, reprise_error *error)
{
    struct stat info;
    if (lstat(path, &info) == 0)
        return cli_outfile_exists("the directory must be a new one", error);
    return errno == ENOENT ? check_parent(path, error) : fail(error, errno, "cannot create");
}

static mode_t process_umask;

static void read_umask(void)
{
    process_umask = umask(0);
    umask(process_umask);
}

/* Asked once: to ask changes it for a moment, for all threads. */
static mode_t umask_of_process(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_umask);
    return process_umask;
}

/* Creates the temporary file in the directory of the target, where a rename is atomic. */
static int create_temp(cli_outfile *file)
{
    static const char suffix[] = ".XXXXXX";
    size_t size = strlen(file->path);
    file->temp_path = cli_memory(NULL, size + sizeof suffix);
    memcpy(file->temp_path, file->path, size);
    memcpy(file->temp_path + size, suffix, sizeof suffix);
    sigset_t old;
    block_signals(&old);
    int fd = mkstemp(file->temp_path);
    int cause = fd < 0 ? errno : 0;
    if (fd >= 0)
        replace_temp(NULL, file->temp_path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    file->out.fd = fd;
    if (fd < 0)
        return cause;
    /* mkstemp makes private files; give this one the permissions of any new file. */
    return fchmod(fd, (mode_t)0666 & ~umask_of_process()) == 0 ? 0 : errno;
}

/* A file without a name leaves nothing, however the program ends. Not all file systems have them.
 */
static int open_nameless(const char *path)
{
    int fd = reprise_sandbox_file(path);
    if (fd >= 0 || access("/proc/self/fd", X_OK) != 0)
        return fd;
    const char *slash = strrchr(path, '/');
    cli_strbuf directory = {0};
    cli_put(&directory, slash ? path : ".", slash > path ? (size_t)(slash - path) : 1);
    fd = open(directory.data, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    cli_strbuf_free(&directory);
    return fd;
}

reprise_status cli_outfile_open(cli_outfile *file, const char *path, bool replace,
                                reprise_error *error)
{
    *file = (cli_outfile){.path = path, .replace = replace, .out.fd = -1};
    struct stat info;
    if (lstat(path, &info) == 0 && is_device(&info)) {
        file->out.fd = open(path, O_WRONLY | O_CLOEXEC);
        return file->out.fd < 0 ? fail(error, errno, "cannot open") : REPRISE_OK;
    }
    if (cli_outfile_check(path, replace, error) != REPRISE_OK)
        return error->status;
    file->out.fd = open_nameless(path);
    file->nameless = file->out.fd >= 0;
    if (file->nameless)
        return REPRISE_OK;
    catch_signals();
    int cause = create_temp(file);
    if (cause) {
        cli_outfile_close(file);
        return fail(error, cause, "cannot create");
    }
    return REPRISE_OK;
}

reprise_status cli_outfile_mode(cli_outfile *file, uint32_t mode, reprise_error *error)
{
    if ((!file->temp_path && !file->nameless) || !mode)
        return REPRISE_OK;
    return fchmod(file->out.fd, (mode_t)mode & ~umask_of_process()) == 0
               ? REPRISE_OK
               : fail(error, errno, "cannot set permissions");
}

/* Without `replace`, a file created in the meantime must survive; link fails where rename does not.
 */
static int move_into_place(const cli_outfile *file)
{
    if (!file->replace) {
        if (link(file->temp_path, file->path) == 0)
            return unlink(file->temp_path) == 0 ? 0 : errno;
        if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
            return errno;
    }
    return rename(file->temp_path, file->path) == 0 ? 0 : errno;
}

/* Names a nameless file. To replace an existing target, it is linked next to it and renamed. */
static int link_into_place(const cli_outfile *file)
{
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file->out.fd);
    if (!file->replace)
        return linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
    cli_strbuf beside = {0};
    cli_printf(&beside, "%s.%lx", file->path, (unsigned long)getpid());
    int cause = linkat(AT_FDCWD, self, AT_FDCWD, beside.data, AT_SYMLINK_FOLLOW) ? errno : 0;
    if (!cause && rename(beside.data, file->path) != 0) {
        cause = errno;
        unlink(beside.data);
    }
    cli_strbuf_free(&beside);
    return cause;
}

static reprise_status commit_nameless(cli_outfile *file, reprise_error *error)
{
    int cause = file->out.cause;
    if (!cause && fsync(file->out.fd) != 0)
        cause = errno;
    if (!cause)
        cause = link_into_place(file);
    return cause ? fail(error, cause, "cannot write") : REPRISE_OK;
}

reprise_status cli_outfile_commit(cli_outfile *file, reprise_error *error)
{
    cli_out_flush(&file->out);
    int cause = file->out.cause;
    if (file->nameless)
        return commit_nameless(file, error);
    if (!file->temp_path)
        return cause ? fail(error, cause, "cannot write") : REPRISE_OK;
    if (!cause && fsync(file->out.fd) != 0)
        cause = errno;
    if (!cause) {
        sigset_t old;
        block_signals(&old);
        cause = move_into_place(file);
        if (!cause)
            replace_temp(file->temp_path, NULL);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    if (cause)
        return fail(error, cause, "cannot write");
    free(file->temp_path);
    file->temp_path = NULL;
    return REPRISE_OK;
}

void cli_outfile_close(cli_outfile *file)
{
    if (file->out.fd >= 0)
        close(file->out.fd);
    if (file->temp_path) {
        sigset_t old;
        block_signals(&old);
        if (file->out.fd >= 0)
            unlink(file->temp_path);
        replace_temp(file->temp_path, NULL);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        free(file->temp_path);
    }
    cli_out_free(&file->out);
    *file = (cli_outfile){.out.fd = -1};
}
