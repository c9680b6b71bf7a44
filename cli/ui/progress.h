/*
 * progress.h - progress on standard error: on a terminal one line that is redrawn, shown after one
 * second; for programs lines of JSON.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <pthread.h>

#include "strbuf.h"

typedef enum cli_progress_kind {
    CLI_PROGRESS_OFF,
    CLI_PROGRESS_LINE,
    CLI_PROGRESS_LINES_OF_JSON,
} cli_progress_kind;

typedef struct cli_progress {
    cli_progress_kind kind;
    pthread_mutex_t lock; /* files are read by several threads */
    uint64_t next_ms;     /* time of the next update */
    bool visible;         /* the line is on the terminal */
    size_t files_done, files_total;
    uint64_t begun_ms; /* time at which the first file was begun */
} cli_progress;

/* Context of the library's progress callback for one file. */
typedef struct cli_progress_file {
    cli_progress *progress;
    const char *name;
} cli_progress_file;

void cli_progress_init(cli_progress *progress, cli_progress_kind kind);
/* A reprise_progress callback; ctx is a cli_progress_file. */
bool cli_progress_step(void *ctx, uint64_t done, uint64_t total);
void cli_progress_file_done(cli_progress *progress, const char *name);
/* Erases the line, so that something else can be printed. */
void cli_progress_clear(cli_progress *progress);

#endif
