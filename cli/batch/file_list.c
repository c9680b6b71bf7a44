/* file_list.c - see file_list.h. */
#include "file_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEPTH_MAX = 64, /* of nested directories */
    READ_BYTES = 1 << 16,
    LIST_BYTES_MAX = 1 << 28, /* of the names in --files-from */
};

cli_stamp cli_stamp_of(const struct stat *info)
{
    return (cli_stamp){.size = (uint64_t)info->st_size,
                       .mtime_ns = (int64_t)info->st_mtim.tv_sec * 1000000000 +
                                   info->st_mtim.tv_nsec};
}

bool cli_stamp_same(cli_stamp a, cli_stamp b)
{
    return a.size == b.size && a.mtime_ns == b.mtime_ns;
}

bool cli_is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Appends a file; `about` has its path, which is copied. */
static void add_file(cli_file_list *files, cli_file about)
{
    if (files->count == files->capacity) {
        files->capacity = files->capacity ? files->capacity * 2 : 64;
        files->items = cli_memory(files->items, files->capacity * sizeof *files->items);
    }
    size_t size = strlen(about.path) + 1;
    char *copy = cli_memory(NULL, size);
    memcpy(copy, about.path, size);
    about.path = copy;
    files->items[files->count++] = about;
}

void cli_file_list_add(cli_file_list *files, const char *path)
{
    if (!files->recognised) {
        files->recognised = cli_memory(NULL, sizeof *files->recognised);
        *files->recognised = SIZE_MAX;
    }
    files->several = true;
    add_file(files, (cli_file){.path = (char *)(uintptr_t)path});
}

void cli_file_list_free(cli_file_list *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i].path);
    free(files->items);
    free(files->recognised);
    *files = (cli_file_list){0};
}

/* ---- directories ---- */

typedef struct walk {
    cli_file_list *files;
    const cli_common *common;
    size_t operand;
    cli_strbuf path; /* of the directory or file that is looked at */
    size_t root;     /* size of the operand with its slash */
    bool skips;      /* the directory `skipped`, which is --output-dir */
    struct stat skipped;
} walk;

/* A pattern with a slash is compared with the path below the operand, any other with the name. */
static bool is_among(const cli_words *patterns, const char *path, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->items[i];
        if (fnmatch(pattern, strchr(pattern, '/') ? path : name, 0) == 0)
            return true;
    }
    return false;
}

static void walk_directory(walk *w, size_t depth);

bool cli_is_chosen(const cli_common *common, const char *below)
{
    cli_strbuf path = {0};
    bool chosen = true;
    for (const char *part = below; chosen && part;) {
        const char *slash = strchr(part, '/');
        size_t size = slash ? (size_t)(slash - below) : strlen(below);
        cli_strbuf_clear(&path);
        cli_put(&path, below, size);
        const char *name = path.data + (part - below);
        chosen = *name != '.' && !is_among(&common->exclude, path.data, name) &&
                 (slash || !common->include.count || is_among(&common->include, path.data, name));
        part = slash ? slash + 1 : NULL;
    }
    cli_strbuf_free(&path);
    return chosen;
}

static bool is_skipped(const walk *w, const struct stat *info)
{
    return w->skips && info->st_dev == w->skipped.st_dev && info->st_ino == w->skipped.st_ino;
}

static void walk_item(walk *w, const char *name, size_t depth)
{
    struct stat info, link;
    size_t size = w->path.size;
    cli_puts(&w->path, name);
    const char *below = w->path.data + w->root;
    bool there = stat(w->path.data, &info) == 0 && lstat(w->path.data, &link) == 0;
    if (!there || is_among(&w->common->exclude, below, name)) {
        /* gone, a link to nothing, or not wanted */
    } else if (S_ISREG(info.st_mode)) {
        if (!w->common->include.count || is_among(&w->common->include, below, name))
            add_file(w->files, (cli_file){.path = w->path.data,
                                          .walked = true,
                                          .root = w->root,
                                          .operand = w->operand});
    } else if (S_ISDIR(link.st_mode) &&
               !is_skipped(w, &link)) { /* links to directories may form a loop */
        cli_putc(&w->path, '/');
        walk_directory(w, depth + 1);
    }
    w->path.size = size;
    w->path.data[size] = '\0';
}

/* A directory that cannot be opened is added itself, so that its error is reported. */
static void walk_directory(walk *w, size_t depth)
{
    DIR *directory = depth < DEPTH_MAX ? opendir(w->path.data) : NULL;
    struct dirent *item;
    if (!directory) {
        add_file(w->files, (cli_file){.path = w->path.data, .operand = w->operand});
        return;
    }
    while ((item = readdir(directory))) {
        if (item->d_name[0] != '.')
            walk_item(w, item->d_name, depth);
    }
    closedir(directory);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const cli_file *)a)->path, ((const cli_file *)b)->path);
}

static void walk_operand(cli_file_list *files, const cli_run *run, size_t operand)
{
    size_t first = files->count;
    walk w = {.files = files, .common = run->common, .operand = operand};
    cli_puts(&w.path, run->operands[operand]);
    while (w.path.size > 1 && w.path.data[w.path.size - 1] == '/')
        w.path.data[--w.path.size] = '\0';
    if (w.path.data[w.path.size - 1] != '/')
        cli_putc(&w.path, '/');
    w.root = w.path.size;
    w.skips = run->common->output_dir && stat(run->common->output_dir, &w.skipped) == 0;
    walk_directory(&w, 0);
    cli_strbuf_free(&w.path);
    if (files->count > first)
        qsort(files->items + first, files->count - first, sizeof *files->items, compare_paths);
}

cli_file_list cli_file_list_of(const cli_run *run, bool walks)
{
    cli_file_list files = {.several = run->operand_count > 1 || run->common->files_from};
    files.recognised = cli_memory(NULL, (run->operand_count + 1) * sizeof *files.recognised);
    for (size_t i = 0; i < run->operand_count; i++) {
        bool directory = walks && cli_is_directory(run->operands[i]);
        files.recognised[i] = directory ? 0 : SIZE_MAX;
        files.walked = files.walked || directory;
        if (directory)
            walk_operand(&files, run, i);
        else
            add_file(&files, (cli_file){.path = run->operands[i], .operand = i});
    }
    files.several = files.several || files.walked;
    return files;
}

/* ---- lists of names ---- */

static bool read_all(const char *path, cli_strbuf *to)
{
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char *piece = cli_memory(NULL, READ_BYTES);
    ssize_t size;
    while ((size = read(fd, piece, READ_BYTES)) > 0 && to->size < LIST_BYTES_MAX)
        cli_put(to, piece, (size_t)size);
    int cause = size < 0 ? errno : size > 0 ? EFBIG : 0;
    free(piece);
    if (fd != STDIN_FILENO)
        close(fd);
    errno = cause;
    return cause == 0;
}

/* Splits in place. Returns the number of names; `names` may be NULL to count them only. */
static size_t split_names(char *text, size_t size, char **names)
{
    char end = memchr(text, '\0', size) ? '\0' : '\n';
    size_t count = 0;
    for (char *at = text, *stop = text + size; at < stop;) {
        char *found = memchr(at, end, (size_t)(stop - at));
        char *next = found ? found : stop;
        if (next > at && names) {
            *next = '\0';
            names[count] = at;
        }
        count += next > at;
        at = next + 1;
    }
    return count;
}

bool cli_take_files_from(cli_run *run, cli_strbuf *problem)
{
    const char *path = run->common->files_from;
    if (!read_all(path, &run->listed)) {
        cli_printf(problem, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    char *text = run->listed.data;
    size_t size = run->listed.size, named = run->operand_count;
    size_t count = size ? split_names(text, size, NULL) : 0;
    char **all = cli_memory(NULL, (named + count + 1) * sizeof *all);
    memcpy(all, run->operands, named * sizeof *all);
    if (count)
        split_names(text, size, all + named);
    run->operands = run->operands_owned = all;
    run->operand_count = named + count;
    return true;
}
