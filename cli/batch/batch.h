/*
 * batch.h - running a verb over files: each is opened, worked on and closed by one of several
 * threads, and results appear in the order in which the files were given.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "ui/report.h"
#include <reprise/scene.h>

/* One file on its way through a verb. */
typedef struct cli_job {
    const cli_run *run;
    const char *path;       /* "-" is standard input */
    bool several;           /* it is not the only one */
    bool walked;            /* found in a directory that was given */
    reprise_replay *replay; /* open while the verb works on it */
    cli_strbuf out, words;  /* for standard output and standard error */
    int code;               /* for the exit */
    reprise_error error;    /* why it could not be opened or read; OK if it could */
} cli_job;

typedef struct cli_work {
    /*
     * Looks at the open replay and fills in job->out and the rest, in any thread. An error left in
     * job->error is reported as for a file that cannot be opened.
     */
    void (*work)(cli_job *job);
    /* Takes the result in order, in the first thread; NULL: prints it. */
    void (*done)(void *ctx, cli_job *job);
    void *ctx;
    bool walks;  /* a directory means the files below it */
    bool judges; /* the answer itself says what is damaged, and the exit code is made of it */
    /* JSON for a file that cannot be opened; NULL: {"file": ..., "error": ...} */
    void (*put_failure)(cli_job *job);
} cli_work;

/* Begins the JSON document of a file: an object with the member "file". The caller closes it. */
cli_json cli_job_document(cli_job *job);

/* Runs all operands; returns the exit code. */
int cli_batch_run(cli_run *run, const cli_work *work);

/* Opens a file or, for "-", standard input. */
reprise_status cli_open(const char *path, const cli_open_options *options,
                        reprise_replay **ret_replay, reprise_error *error);

/*
 * The same for looking at what there is: a file too damaged to be opened is opened for the frames
 * that are whole, where its format can. *ret_damage then says why; else its status is OK.
 */
reprise_status cli_open_anyway(const char *path, const cli_open_options *options,
                               reprise_replay **ret_replay, reprise_error *ret_damage,
                               reprise_error *error);

/* The options for reading a file whose progress is shown; `file` must live as long as they. */
cli_open_options cli_reading(const cli_run *run, cli_progress_file *file);

/* The part of a scene between two moments, where they were given. */
void cli_scene_range(const cli_moment *from, const cli_moment *to, reprise_scene_options *options);
/* The name of a file without its directories. */
const char *cli_base_name(const char *path);

bool cli_is_directory(const char *path);
/* The error for a name that is not a track of this replay; it lists those there are. */
void cli_no_track(const reprise_replay *replay, const char *name, reprise_error *ret_error);

#endif
