/*
 * watch.h - notices files below a directory that are new, changed or gone, by inotify or by looking
 * again and again.
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <signal.h>

#include "file_list.h"

typedef struct cli_watch cli_watch;

/*
 * Starts to watch. Files are chosen as in a search of the directory. poll_s > 0: look every so many
 * seconds instead of using inotify, which is also done where there is none.
 */
cli_watch *cli_watch_new(const char *root, const cli_common *common, double poll_s);
void cli_watch_free(cli_watch *watch);

/* Whether changes are noticed by looking again and again. */
bool cli_watch_polls(const cli_watch *watch);

/*
 * Waits until something may have changed, with the signals of `during` blocked only. False if
 * a signal came or the directory is gone: see cli_watch_lost.
 */
bool cli_watch_wait(cli_watch *watch, const sigset_t *during);
bool cli_watch_lost(const cli_watch *watch);

/* All files must be looked at: because files are polled, or events were lost. */
bool cli_watch_all(const cli_watch *watch);
/* Something was deleted or moved away since the last call. */
bool cli_watch_gone(cli_watch *watch);
/* The next path of a file that may be new or changed; the caller frees it. NULL: no more. */
char *cli_watch_next(cli_watch *watch);

/* Whether a program has the file open for writing. */
typedef enum cli_writer { CLI_WRITER_NONE, CLI_WRITER_SOME, CLI_WRITER_UNKNOWN } cli_writer;
cli_writer cli_writer_of(const char *path);

/* Looks at a path again after a while: it was not complete. */
void cli_watch_retry(cli_watch *watch, const char *path);

#endif
