/* browser.c - see browser.h. */
#define _DEFAULT_SOURCE /* mkstemps, mkdtemp */
#define _XOPEN_SOURCE   700
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "batch/outfile.h"
#include "viewer_page.h"

extern char **environ;

enum { REMOVE_FILES = 32, REMOVE_TRIES = 20 };

static const char *temporary_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory && *directory ? directory : "/tmp";
}

char *cli_browser_pointer(const char *address)
{
    static const char suffix[] = ".html";
    const char *directory = getenv("XDG_RUNTIME_DIR");
    cli_strbuf path = {0}, page = {0};
    cli_printf(&path, "%s/reprise-XXXXXX%s",
               directory && *directory ? directory : temporary_directory(), suffix);
    int fd = mkstemps(path.data, sizeof suffix - 1);
    cli_puts(&page, "<!DOCTYPE html><meta charset=\"utf-8\"><title>reprise</title>"
                    "<meta http-equiv=\"refresh\" content=\"0;url=");
    cli_put_html(&page, address);
    cli_puts(&page, "\">\n");
    bool written = fd >= 0 && cli_write(fd, page.data, page.size) == 0;
    if (fd >= 0 && close(fd) != 0)
        written = false;
    if (fd >= 0 && !written)
        unlink(path.data);
    cli_strbuf_free(&page);
    if (written) {
        cli_outfile_watch(path.data);
        return path.data;
    }
    cli_strbuf_free(&path);
    return NULL;
}

void cli_browser_forget(char *pointer)
{
    if (pointer) {
        unlink(pointer);
        cli_outfile_unwatch(pointer);
    }
    free(pointer);
}

/*
 * Starts a program that reads and prints nothing. The server blocks the signals that end the
 * program; a browser must not inherit that. With `group` it leads a group of processes, so that all
 * of them can be ended.
 */
static bool start(const char *const *arguments, const char *const *environment, bool group,
                  pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             (short)(POSIX_SPAWN_SETSIGMASK | (group ? POSIX_SPAWN_SETPGROUP : 0)));
    int cause = posix_spawnp(ret_pid, arguments[0], &actions, &attributes,
                             (char *const *)(uintptr_t)arguments,
                             (char *const *)(uintptr_t)environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = cause;
    return cause == 0;
}

void cli_browser_open(const char *pointer)
{
    const char *chosen = getenv("BROWSER");
    const char *arguments[] = {chosen && *chosen ? chosen : "xdg-open", pointer, NULL};
    pid_t child;
    /* A failure is harmless: the address is printed in any case. */
    (void)start(arguments, (const char *const *)environ, false, &child);
}

/* ---- without a window ---- */

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool find_in_path(const char *name, cli_strbuf *ret_path)
{
    const char *at = getenv("PATH");
    cli_strbuf_clear(ret_path);
    if (strchr(name, '/'))
        at = "";
    while (at) {
        size_t size = strcspn(at, ":");
        cli_strbuf_clear(ret_path);
        if (size)
            cli_printf(ret_path, "%.*s/", (int)size, at);
        cli_puts(ret_path, name);
        if (is_program(cli_strbuf_string(ret_path)))
            return true;
        at = at[size] ? at + size + 1 : NULL;
    }
    return false;
}

bool cli_headless_find(cli_strbuf *ret_path)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome-stable",
                                        "google-chrome", "microsoft-edge"};
    const char *chosen = getenv("CHROMIUM");
    if (chosen && *chosen)
        return find_in_path(chosen, ret_path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (find_in_path(names[i], ret_path))
            return true;
    }
    return false;
}

/* The environment, with its temporary files in the profile, so that they are removed with it. */
static const char **environment_in(const char *profile, cli_strbuf *ret_texts)
{
    static const char *const moved[] = {"TMPDIR=", "XDG_RUNTIME_DIR="};
    size_t count = 0, texts = 0;
    while (environ[count])
        count++;
    const char **made = cli_memory(NULL, (count + 3) * sizeof *made);
    count = 0;
    for (size_t i = 0; environ[i]; i++) {
        if (strncmp(environ[i], moved[0], strlen(moved[0])) != 0 &&
            strncmp(environ[i], moved[1], strlen(moved[1])) != 0)
            made[count++] = environ[i];
    }
    for (size_t i = 0; i < 2; i++) {
        cli_printf(ret_texts, "%s%s", moved[i], profile);
        cli_putc(ret_texts, '\0');
        texts += i ? 0 : ret_texts->size;
    }
    made[count++] = ret_texts->data;
    made[count++] = ret_texts->data + texts;
    made[count] = NULL;
    return made;
}

bool cli_headless_start(const char *program, const char *pointer, cli_headless *ret_browser)
{
    cli_strbuf profile = {0}, option = {0}, texts = {0};
    cli_printf(&profile, "%s/reprise-XXXXXX", temporary_directory());
    if (!mkdtemp(profile.data)) {
        cli_strbuf_free(&profile);
        return false;
    }
    cli_printf(&option, "--user-data-dir=%s", profile.data);
    /* Where there is no graphics card it draws in software; and it asks the network for nothing. */
    const char *arguments[] = {program,
                               "--headless=new",
                               option.data,
                               "--enable-unsafe-swiftshader",
                               "--force-color-profile=srgb",
                               "--hide-scrollbars",
                               "--mute-audio",
                               "--no-first-run",
                               "--disable-background-networking",
                               "--disable-component-update",
                               "--disable-sync",
                               "--disable-extensions",
                               "--disable-dev-shm-usage",
                               pointer,
                               NULL,
                               NULL};
    /* Chromium refuses to run its own sandbox as root. */
    if (geteuid() == 0) {
        arguments[sizeof arguments / sizeof *arguments - 3] = "--no-sandbox";
        arguments[sizeof arguments / sizeof *arguments - 2] = pointer;
    }
    *ret_browser = (cli_headless){.profile = profile.data};
    const char **environment = environment_in(profile.data, &texts);
    bool started = start(arguments, environment, true, &ret_browser->pid);
    int cause = errno;
    free(environment);
    cli_strbuf_free(&texts);
    cli_strbuf_free(&option);
    if (!started) {
        ret_browser->pid = 0;
        cli_headless_stop(ret_browser);
    }
    errno = cause;
    return started;
}

bool cli_headless_runs(cli_headless *browser)
{
    if (browser->pid > 0 && waitpid(browser->pid, NULL, WNOHANG) == browser->pid) {
        kill(-browser->pid, SIGKILL);
        browser->pid = 0;
    }
    return browser->pid > 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    (void)remove(path);
    return 0;
}

void cli_headless_stop(cli_headless *browser)
{
    static const struct timespec moment = {.tv_nsec = 50000000};
    if (browser->pid > 0) {
        kill(-browser->pid, SIGKILL);
        waitpid(browser->pid, NULL, 0);
    }
    /* Its other processes may still write for a moment. */
    for (unsigned tries = 0; browser->profile && tries < REMOVE_TRIES; tries++) {
        nftw(browser->profile, remove_one, REMOVE_FILES, FTW_DEPTH | FTW_PHYS);
        if (access(browser->profile, F_OK) != 0)
            break;
        nanosleep(&moment, NULL);
    }
    free(browser->profile);
    *browser = (cli_headless){0};
}
