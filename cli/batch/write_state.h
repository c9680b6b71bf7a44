/*
 * write_state.h - what earlier runs wrote into an output directory, so that a later run can skip
 * it.
 *
 * DIR/.reprise/written has a line for each result that was begun or done, with the size and time of
 * the input and of the result, and the options (docs/batch.md). Lines are only appended; a line
 * that is cut off or damaged is ignored, so the worst that a damaged file causes is that a result
 * must be replaced with --force.
 */
#ifndef CLI_WRITE_STATE_H
#define CLI_WRITE_STATE_H

#include <pthread.h>

#include "file_list.h"
#include "ui/report.h"

/* What is known about a result. */
typedef struct cli_written {
    char *output;    /* below the directory */
    char *options;   /* verb, options and version of the program */
    bool done;       /* false: begun, by a run that was interrupted or is still at it */
    int code;        /* exit code: CLI_DONE or CLI_WARNED */
    cli_stamp input; /* as it was read */
    cli_stamp result;
    size_t line; /* a later line replaces an earlier one */
} cli_written;

typedef struct cli_write_state {
    cli_written *items; /* sorted by output */
    size_t count, capacity;
    int fd;     /* of the file, open for appending */
    int lock;   /* of its directory, locked */
    bool ended; /* the last line is complete */
    pthread_mutex_t append;
} cli_write_state;

/* The directory in DIR that holds the file: DIR/.reprise. */
#define CLI_STATE_FOLDER ".reprise"

/*
 * Opens the file in `directory`, creating it. While it is open no other process can open it: that
 * is REPRISE_E_USAGE.
 */
reprise_status cli_write_state_open(cli_write_state *state, const char *folder,
                                    reprise_error *error);
void cli_write_state_close(cli_write_state *state);

/* NULL: no run has begun this result. */
const cli_written *cli_write_state_find(const cli_write_state *state, const char *output);
/* Appends a line; any thread may. */
reprise_status cli_write_state_add(cli_write_state *state, const cli_written *about,
                                   reprise_error *error);

#endif
