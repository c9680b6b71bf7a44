/*
 * batch.h - runs a verb over many files: several threads open, process and close them, and results
 * are printed in the order in which the files were given.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "file_list.h"
#include "ui/render.h"
#include "ui/report.h"
#include <reprise/scene.h>

/* One file of a run. */
typedef struct cli_job {
    const cli_run *run;
    void *ctx;              /* of the cli_work */
    const char *path;       /* "-" is standard input */
    size_t index;           /* in the list of files */
    bool several;           /* one of several files */
    bool walked;            /* found in a directory operand */
    reprise_replay *replay; /* open while the verb works on it */
    cli_strbuf out, words;  /* for standard output and standard error */
    int code;               /* exit code */
    reprise_error error;    /* why it could not be opened or read; OK: none */
    void *result;           /* from `work` to `done`, which frees it */
} cli_job;

typedef struct cli_work {
    /*
     * Processes the open replay and fills in job->out, job->words and job->code, on any thread. An
     * error left in job->error is reported like one of opening the file.
     */
    void (*work)(cli_job *job);
    /* Called with each result, in order, on the main thread; NULL: print it. */
    void (*done)(void *ctx, cli_job *job);
    void *ctx;
    bool collects; /* `done` gets every result, also as JSON, and prints all of them at the end */
    bool closed;   /* `work` opens files itself, and reports what was found */
    bool walks;    /* directories are searched for replays */
    bool judges;   /* the result itself reports damage, so the batch does not */
    bool serial;   /* one file after the other, on the main thread, each with all threads */
    /* JSON for a file that cannot be opened; NULL: {"file": ..., "error": ...} */
    void (*put_failure)(cli_job *job);
} cli_work;

/* Begins the JSON document of a file: an object with the member "file". The caller closes it. */
cli_json cli_job_document(cli_job *job);
/* Begins the text about a file with its path as a heading; the result renders the rest of it. */
cli_render cli_job_text(cli_job *job, bool all);

/* Runs all operands; returns the exit code. */
int cli_batch_run(cli_run *run, const cli_work *work);
/* The same for a list of files. */
/*
 * "reprise: found 3 files: 2 good, 1 damaged, in 0.10 s", by exit code. A catalog counts those too
 * that were not looked for.
 */
void cli_put_found(cli_strbuf *to, size_t found, const size_t counts[CLI_LIMIT + 1],
                   double seconds);
/* Seconds since some moment. */
double cli_now_seconds(void);

int cli_batch_run_list(cli_run *run, const cli_work *work, cli_file_list *files);

/* The library's form of options; *ret_options is allocated also on failure. */
reprise_status cli_make_options(const cli_open_options *from, reprise_options **ret_options,
                                reprise_error *error);

/* Opens a file or, for "-", standard input. */
reprise_status cli_open(const char *path, const cli_open_options *options,
                        reprise_replay **ret_replay, reprise_error *error);

/*
 * Like cli_open, but a damaged file is opened with its complete frames, if its format supports
 * that. *ret_damage is then the damage; its status is OK for a sound file.
 */
reprise_status cli_open_anyway(const char *path, const cli_open_options *options,
                               reprise_replay **ret_replay, reprise_error *ret_damage,
                               reprise_error *error);

/* The options for reading a file with progress; `file` must outlive them. */
cli_open_options cli_reading(const cli_run *run, cli_progress_file *file);

/* Whether any track of a damaged file has a row that can be read: else the file is refused. */
bool cli_has_row(reprise_replay *replay);

/* The name of a file without its directories. */
const char *cli_base_name(const char *path);

/* The error for an unknown track, or for a missing --track if `name` is NULL; it lists the tracks.
 */
void cli_no_track(const reprise_replay *replay, const char *name, reprise_error *ret_error);

#endif
