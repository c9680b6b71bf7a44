/* watch.c - see watch.h. */
#define _GNU_SOURCE /* F_SETLEASE, ppoll */
#include "watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 64, EVENT_BYTES = 1 << 16 };
static const double FALLBACK_S = 2, RETRY_S = 0.5;

typedef struct path_list {
    char **items;
    size_t count, capacity;
} path_list;

struct cli_watch {
    const cli_common *common;
    char *root;
    int fd; /* of inotify; -1: polling */
    double poll_s;
    path_list directories; /* by watch descriptor; NULL: none */
    path_list changed, later;
    bool all, gone, lost;
};

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cli_memory(NULL, size);
    memcpy(copy, text, size);
    return copy;
}

static void add_path(path_list *to, char *path)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->items = cli_memory((void *)to->items, to->capacity * sizeof *to->items);
    }
    to->items[to->count++] = path;
}

static void free_paths(path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free((void *)list->items);
}

static char *join(const char *directory, const char *name)
{
    cli_strbuf path = {0};
    cli_printf(&path, "%s/%s", directory, name);
    return path.data;
}

/* ---- directories ---- */

/* Without a watch on every directory changes would be missed, so then all are polled. */
static void poll_instead(cli_watch *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    w->all = true;
    if (w->poll_s <= 0)
        w->poll_s = FALLBACK_S;
}

static void name_directory(cli_watch *w, int number, const char *path)
{
    while (w->directories.count <= (size_t)number)
        add_path(&w->directories, NULL);
    free(w->directories.items[number]);
    w->directories.items[number] = copy_of(path);
}

static void watch_directory(cli_watch *w, const char *path, unsigned depth);

static void watch_item(cli_watch *w, const char *path, unsigned depth)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return;
    if (S_ISDIR(info.st_mode))
        watch_directory(w, path, depth + 1);
    else
        add_path(&w->changed, copy_of(path));
}

/* Watches a directory, then looks into it: what is made in between is seen twice, not never. */
static void watch_directory(cli_watch *w, const char *path, unsigned depth)
{
    const uint32_t mask = IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE |
                          IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW;
    int number = inotify_add_watch(w->fd, path, depth ? mask : mask & ~(uint32_t)IN_DONT_FOLLOW);
    if (number < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
        poll_instead(w);
    if (number < 0)
        return;
    name_directory(w, number, path);
    DIR *directory = depth < DEPTH_MAX ? opendir(path) : NULL;
    struct dirent *item;
    while (directory && w->fd >= 0 && (item = readdir(directory))) {
        if (item->d_name[0] == '.')
            continue;
        char *below = join(path, item->d_name);
        watch_item(w, below, depth);
        free(below);
    }
    if (directory)
        closedir(directory);
}

cli_watch *cli_watch_new(const char *root, const cli_common *common, double poll_s)
{
    cli_watch *w = cli_memory(NULL, sizeof *w);
    *w = (cli_watch){.common = common, .root = copy_of(root), .fd = -1, .poll_s = poll_s};
    /* A program that waits for our lease to end sends it. */
    signal(SIGIO, SIG_IGN);
    if (poll_s <= 0)
        w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd < 0)
        poll_instead(w);
    else
        watch_directory(w, root, 0);
    /* The first search finds what is there. */
    free_paths(&w->changed);
    w->changed = (path_list){0};
    return w;
}

void cli_watch_free(cli_watch *w)
{
    if (!w)
        return;
    if (w->fd >= 0)
        close(w->fd);
    free_paths(&w->directories);
    free_paths(&w->changed);
    free_paths(&w->later);
    free(w->root);
    free(w);
}

bool cli_watch_polls(const cli_watch *w)
{
    return w->fd < 0;
}

/* ---- events ---- */

static void take_event(cli_watch *w, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW)
        w->all = w->gone = true;
    const char *directory = event->wd >= 0 && (size_t)event->wd < w->directories.count
                                ? w->directories.items[event->wd]
                                : NULL;
    if (!directory)
        return;
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) {
        w->lost |= strcmp(directory, w->root) == 0;
        return;
    }
    if (event->mask & (IN_DELETE | IN_MOVED_FROM))
        w->gone = true;
    bool appeared = event->mask & (IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO);
    if (!appeared || !event->len || event->name[0] == '.')
        return;
    char *path = join(directory, event->name);
    if (event->mask & IN_ISDIR)
        watch_directory(w, path, 1);
    else
        add_path(&w->changed, copy_of(path));
    free(path);
}

static void read_events(cli_watch *w)
{
    char *buffer = cli_memory(NULL, EVENT_BYTES); /* aligned for any type */
    ssize_t size;
    while (w->fd >= 0 && (size = read(w->fd, buffer, EVENT_BYTES)) > 0) {
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *event = (const void *)(buffer + at);
            take_event(w, event);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    free(buffer);
}

bool cli_watch_wait(cli_watch *w, const sigset_t *during)
{
    struct pollfd poll = {.fd = w->fd, .events = POLLIN};
    bool times_out = w->fd < 0 || w->later.count;
    double seconds = w->fd < 0 ? w->poll_s : RETRY_S;
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    if (ppoll(&poll, w->fd < 0 ? 0 : 1, times_out ? &time : NULL, during) < 0)
        return false;
    read_events(w);
    struct stat info;
    if (w->fd < 0) {
        w->all = w->gone = true;
        w->lost |= stat(w->root, &info) != 0;
    }
    while (w->later.count)
        add_path(&w->changed, w->later.items[--w->later.count]);
    return !w->lost;
}

bool cli_watch_lost(const cli_watch *w)
{
    return w->lost;
}

bool cli_watch_all(const cli_watch *w)
{
    return w->all;
}

bool cli_watch_gone(cli_watch *w)
{
    bool gone = w->gone;
    w->gone = false;
    return gone;
}

char *cli_watch_next(cli_watch *w)
{
    size_t root = strlen(w->root) + 1;
    while (w->changed.count) {
        char *path = w->changed.items[--w->changed.count];
        if (cli_is_chosen(w->common, path + root))
            return path;
        free(path);
    }
    w->all = false;
    return NULL;
}

void cli_watch_retry(cli_watch *w, const char *path)
{
    add_path(&w->later, copy_of(path));
}

/* A lease for reading is granted only if no process has the file open for writing. Not every file
 * system has leases. */
cli_writer cli_writer_of(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return CLI_WRITER_UNKNOWN;
    bool granted = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    cli_writer writer = granted           ? CLI_WRITER_NONE
                        : errno == EAGAIN ? CLI_WRITER_SOME
                                          : CLI_WRITER_UNKNOWN;
    if (granted)
        fcntl(fd, F_SETLEASE, F_UNLCK);
    close(fd);
    return writer;
}
