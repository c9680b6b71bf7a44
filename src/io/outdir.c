/* outdir.c - see outdir.h. */
#define _GNU_SOURCE /* O_DIRECTORY and others in all C libraries */
#include "outdir.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "utf8.h"

enum { PART_MAX = 200, DEPTH_MAX = 16, NAME_MAX_BYTES = 1000, ITEMS_MAX = 20000 };

/* ---- names ---- */

static bool is_device(const char *part, size_t size)
{
    static const char *const devices[] = {"con",    "prn",     "aux",   "nul",
                                          "conin$", "conout$", "clock$"};
    size_t stem = 0;
    while (stem < size && part[stem] != '.')
        stem++;
    while (stem && part[stem - 1] == ' ')
        stem--;
    char word[8] = "";
    if (stem >= sizeof word)
        return false;
    for (size_t i = 0; i < stem; i++)
        word[i] = (char)tolower((unsigned char)part[i]);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (strcmp(word, devices[i]) == 0)
            return true;
    }
    bool port = memcmp(word, "com", 3) == 0 || memcmp(word, "lpt", 3) == 0;
    return port && stem == 4 && isdigit((unsigned char)word[3]);
}

static bool part_portable(const char *part, size_t size)
{
    if (!size || size > PART_MAX || is_device(part, size))
        return false;
    /* This also rejects "." and "..". */
    if (part[size - 1] == '.' || part[size - 1] == ' ' || part[0] == ' ' || part[0] == '~')
        return false;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)part[i];
        if (c < 0x20 || c == 0x7F || strchr("\\:<>\"|?*", c))
            return false;
    }
    return true;
}

bool rp_name_portable(const char *name)
{
    size_t size = strlen(name), start = 0, parts = 0;
    if (size > NAME_MAX_BYTES || rp_utf8_valid(name, size) != size)
        return false;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && name[i] != '/')
            continue;
        if (++parts > DEPTH_MAX || !part_portable(name + start, i - start))
            return false;
        start = i + 1;
    }
    return true;
}

/* ---- the directory ---- */

/* A created file or directory, with its identity. */
typedef struct made {
    char *name; /* relative to the output directory */
    size_t size;
    bool directory;
    dev_t device;
    ino_t inode;
} made;

struct rp_outdir {
    rp_context *context;
    char *path;
    size_t path_size;
    int fd;
    bool committed;
    made *items;
    size_t count, capacity;
};

static reprise_status fail(reprise_error *error, const char *what, const char *name)
{
    int cause = errno;
    rp_error_set(error, REPRISE_E_IO, "cannot %s %s: %s", what, name, strerror(cause));
    error->cause = cause;
    return error->status;
}

/* Opens the directory that mkdir just created, unless something else replaced it. */
static int open_fresh(int at, const char *name)
{
    struct stat about;
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &about) == 0 && about.st_uid == geteuid() && !(about.st_mode & 077))
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

reprise_status rp_outdir_open(rp_context *context, const char *path, rp_outdir **ret_dir,
                              reprise_error *error)
{
    rp_outdir *dir = rp_alloc_zero(context, 1, sizeof *dir, error);
    if (!dir)
        return error->status;
    dir->context = context;
    dir->fd = -1;
    dir->path_size = strlen(path) + 1;
    dir->path = rp_alloc(context, dir->path_size, error);
    if (!dir->path) {
        rp_outdir_close(dir);
        return error->status;
    }
    memcpy(dir->path, path, dir->path_size);
    if (mkdir(path, 0700) != 0) {
        bool taken = errno == EEXIST;
        fail(error, "make", path);
        if (taken)
            rp_error_hint(error, "the directory must be a new one");
        dir->committed = true; /* not ours to remove */
        rp_outdir_close(dir);
        return error->status;
    }
    dir->fd = open_fresh(AT_FDCWD, path);
    if (dir->fd < 0) {
        fail(error, "enter", path);
        rp_outdir_close(dir);
        return error->status;
    }
    *ret_dir = dir;
    return REPRISE_OK;
}

static made *find(const rp_outdir *dir, const char *name, size_t size)
{
    /* From the end, because files of one directory are created together. */
    for (size_t i = dir->count; i-- > 0;) {
        if (dir->items[i].size == size && memcmp(dir->items[i].name, name, size) == 0)
            return &dir->items[i];
    }
    return NULL;
}

/* Makes room before creating anything, so that everything created can be removed. */
static made *new_item(rp_outdir *dir, const char *name, size_t size, reprise_error *error)
{
    if (dir->count >= ITEMS_MAX) {
        rp_error_set(error, REPRISE_E_LIMIT, "more than %d files", ITEMS_MAX);
        return NULL;
    }
    if (dir->count == dir->capacity) {
        size_t capacity = dir->capacity ? 2 * dir->capacity : 16;
        made *items = rp_realloc(dir->context, dir->items, dir->capacity * sizeof *items,
                                 capacity * sizeof *items, error);
        if (!items)
            return NULL;
        dir->items = items;
        dir->capacity = capacity;
    }
    made *item = &dir->items[dir->count];
    *item = (made){.name = rp_alloc(dir->context, size + 1, error), .size = size};
    if (!item->name)
        return NULL;
    memcpy(item->name, name, size);
    item->name[size] = '\0';
    return item;
}

static const char *last_part(const made *item)
{
    const char *slash = strrchr(item->name, '/');
    return slash ? slash + 1 : item->name;
}

/* Opens a directory created here; one that merely has the same name is refused. */
static int enter(int at, const made *item)
{
    struct stat about;
    int fd = openat(at, last_part(item), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &about) == 0 && about.st_dev == item->device && about.st_ino == item->inode)
        return fd;
    close(fd);
    errno = ENOTDIR;
    return -1;
}

static int make_directory(rp_outdir *dir, int at, const char *name, size_t size,
                          reprise_error *error)
{
    made *item = new_item(dir, name, size, error);
    if (!item)
        return -1;
    int fd = mkdirat(at, last_part(item), 0700) == 0 ? open_fresh(at, last_part(item)) : -1;
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0) {
        fail(error, "make", item->name);
        rp_free(dir->context, item->name, item->size + 1);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    item->directory = true;
    item->device = about.st_dev;
    item->inode = about.st_ino;
    dir->count++;
    return fd;
}

/* Opens the directory of `name`, creating missing ones if `makes`. -1 with the error set. */
static int open_parent(rp_outdir *dir, const char *name, bool makes, reprise_error *error)
{
    int at = fcntl(dir->fd, F_DUPFD_CLOEXEC, 0);
    if (at < 0)
        fail(error, "enter", dir->path);
    for (const char *slash = strchr(name, '/'); at >= 0 && slash; slash = strchr(slash + 1, '/')) {
        size_t size = (size_t)(slash - name);
        const made *item = find(dir, name, size);
        int next = -1;
        if (item && item->directory) {
            next = enter(at, item);
            if (next < 0)
                fail(error, "enter", item->name);
        } else if (item) {
            rp_error_set(error, REPRISE_E_CORRUPT, "%s is a file and a directory", item->name);
        } else if (makes) {
            next = make_directory(dir, at, name, size, error);
        }
        close(at);
        at = next;
    }
    return at;
}

reprise_status rp_outdir_create(rp_outdir *dir, const char *name, rp_sink **ret_sink,
                                reprise_error *error)
{
    if (!rp_name_portable(name))
        return rp_error_set(error, REPRISE_E_CORRUPT, "'%.100s' is not a safe file name", name);
    int at = open_parent(dir, name, true, error);
    if (at < 0)
        return error->status;
    made *item = new_item(dir, name, strlen(name), error);
    int fd = -1;
    if (item) {
        fd = openat(at, last_part(item), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0) {
            fail(error, "create", name);
            rp_free(dir->context, item->name, item->size + 1);
        } else {
            dir->count++;
        }
    }
    close(at);
    return fd < 0 ? error->status : rp_sink_open_descriptor(dir->context, fd, ret_sink, error);
}

reprise_status rp_outdir_commit(rp_outdir *dir, reprise_error *error)
{
    if (fsync(dir->fd) != 0)
        return fail(error, "write", dir->path);
    dir->committed = true;
    return REPRISE_OK;
}

/* Removes what was created, and nothing else, last first. */
static void remove_items(rp_outdir *dir)
{
    for (size_t i = dir->count; i-- > 0;) {
        reprise_error ignored = REPRISE_ERROR_INIT;
        const made *item = &dir->items[i];
        int at = open_parent(dir, item->name, false, &ignored);
        if (at < 0)
            continue;
        int self = item->directory ? enter(at, item) : -1;
        if (item->directory && self < 0) {
            close(at); /* replaced by another program */
            continue;
        }
        if (self >= 0)
            close(self);
        (void)unlinkat(at, last_part(item), item->directory ? AT_REMOVEDIR : 0);
        close(at);
    }
}

void rp_outdir_close(rp_outdir *dir)
{
    if (!dir)
        return;
    if (!dir->committed && dir->fd >= 0)
        remove_items(dir);
    if (dir->fd >= 0)
        close(dir->fd);
    if (!dir->committed && dir->path)
        (void)rmdir(dir->path); /* fails unless it is empty */
    for (size_t i = 0; i < dir->count; i++)
        rp_free(dir->context, dir->items[i].name, dir->items[i].size + 1);
    rp_free(dir->context, dir->items, dir->capacity * sizeof *dir->items);
    rp_free(dir->context, dir->path, dir->path_size);
    rp_free(dir->context, dir, sizeof *dir);
}

/* ---- reading ---- */

int rp_open_below(const char *directory, const char *name, reprise_error *error)
{
    struct stat about;
    if (!rp_name_portable(name)) {
        rp_error_set(error, REPRISE_E_USAGE, "'%.100s' is not a valid file name in this directory",
                     name);
        return -1;
    }
    int at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *part = name; at >= 0 && part;) {
        char word[PART_MAX + 1];
        const char *slash = strchr(part, '/');
        size_t size = slash ? (size_t)(slash - part) : strlen(part);
        memcpy(word, part, size);
        word[size] = '\0';
        int kind = slash ? O_DIRECTORY : O_NONBLOCK;
        int next = openat(at, word, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
        int cause = errno;
        close(at);
        errno = cause;
        at = next;
        part = slash ? slash + 1 : NULL;
    }
    if (at < 0) {
        fail(error, "open", name);
        return -1;
    }
    if (fstat(at, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(at);
        rp_error_set(error, REPRISE_E_USAGE, "'%.100s' is not a regular file", name);
        return -1;
    }
    return at;
}
