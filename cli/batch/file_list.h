/*
 * file_list.h - the files that a verb works on: operands, files below directories, and names read
 * from a list.
 */
#ifndef CLI_FILE_LIST_H
#define CLI_FILE_LIST_H

#include <sys/stat.h>

#include "command.h"

/* A version of a file. */
typedef struct cli_stamp {
    uint64_t size;
    int64_t mtime_ns;
} cli_stamp;

cli_stamp cli_stamp_of(const struct stat *info);
bool cli_stamp_same(cli_stamp a, cli_stamp b);

typedef struct cli_file {
    char *path;
    bool walked;    /* found below a directory */
    size_t root;    /* where the path below that directory begins; 0: not walked */
    size_t operand; /* index of the operand it comes from */
} cli_file;

typedef struct cli_file_list {
    cli_file *items;
    size_t count, capacity;
    bool several;       /* a directory or a list was given, or more than one file */
    bool walked;        /* any operand is a directory */
    size_t *recognised; /* per operand: replays found, or SIZE_MAX if it is not a directory */
} cli_file_list;

/*
 * The files of all operands, in the order given; those below a directory are sorted by path and
 * chosen by --include and --exclude. `walks`: directories are searched, except --output-dir.
 */
cli_file_list cli_file_list_of(const cli_run *run, bool walks);
void cli_file_list_free(cli_file_list *files);

/*
 * Adds the names in the file --files-from to the operands: one on each line, or, if it has NUL
 * bytes, separated by these. False if it cannot be read; `problem` says why.
 */
bool cli_take_files_from(cli_run *run, cli_strbuf *problem);

/* Whether a search would find a file, by its path below the directory that is searched. */
bool cli_is_chosen(const cli_common *common, const char *below);
/* Appends a file that is not from an operand; its path is copied. */
void cli_file_list_add(cli_file_list *files, const char *path);

bool cli_is_directory(const char *path);

#endif
