/*
 * write_batch.h - runs a verb that writes a file for each file it reads (--output-dir).
 *
 * Results keep the paths of their inputs, and no name can lead out of the output directory. What an
 * earlier run has done is skipped (write_state.h); one bad file never stops the rest; the last
 * lines are a report.
 */
#ifndef CLI_WRITE_BATCH_H
#define CLI_WRITE_BATCH_H

#include "batch.h"

typedef struct cli_write_batch cli_write_batch;

/* Where the result of one file goes. */
typedef struct cli_target {
    const char *path;
    bool replace;
    void *ctx; /* of the cli_writing */
    /* private */
    cli_write_batch *batch;
    const char *output;
    size_t index;
} cli_target;

typedef struct cli_writing {
    const char *suffix;  /* of results, such as ".icrep"; NULL: that of the input */
    const char *options; /* what else the result depends on, or NULL */
    bool serial;         /* one file after the other, on the main thread */
    /*
     * Reads job->path and writes the result, after cli_target_begin. Fills in job->code, job->words
     * and, on failure, job->error; may add members to the document of the file.
     */
    void (*write)(cli_job *job, const cli_target *to, cli_json *json);
    void *ctx;
} cli_writing;

/* Makes the directories of the result. Call it once it is clear that there will be a result. */
reprise_status cli_target_begin(const cli_target *to, reprise_error *error);

/* Runs all operands into common->output_dir; returns the exit code. */
int cli_write_batch_run(cli_run *run, const cli_writing *writing);

/* Makes an output directory and the directory for the state in it. */
reprise_status cli_output_dir_make(const char *path, reprise_error *error);

#endif
