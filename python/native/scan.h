/*
 * scan.h - many files as one Arrow stream.
 *
 * Worker threads open files and read one track of each; the stream hands out their batches in the
 * order of the files, whatever the number of threads. Workers are ahead of the consumer by a
 * bounded number of bytes. They use neither the GIL nor Python objects.
 *
 * A plan says what to read and never changes; a run is one reading of it.
 */
#ifndef SCAN_H
#define SCAN_H

#include "native.h"

typedef struct scan_input {
    char *name;       /* in the column of files */
    char *path;       /* NULL: in memory */
    const void *data; /* in a view of the plan */
    size_t size;
} scan_input;

typedef struct scan_plan {
    atomic_size_t owners;
    scan_input *inputs;
    size_t input_count;
    Py_buffer *views; /* of the inputs in memory */
    size_t view_count;
    char *format, *track, *file_column;
    bool skip_others; /* files of other formats are no failures */
    unsigned threads;
    size_t ahead_bytes;
    reprise_options *options; /* of every file */
    texts columns;
    reprise_batch_options batch;
} scan_plan;

scan_plan *plan_retain(scan_plan *plan);
void plan_release(scan_plan *plan);

typedef struct scan_failure {
    size_t input;
    int64_t rows; /* complete ones, given before */
    reprise_error error;
} scan_failure;

typedef struct scan_run scan_run;
scan_run *run_new(scan_plan *plan);
void run_retain(scan_run *run);
void run_release(scan_run *run);
/* The stream takes over one ownership of the run. */
struct ArrowArrayStream run_stream(scan_run *run);

/* A copy of the failures so far, sorted by file; free() it. */
scan_failure *run_failures(scan_run *run, size_t *ret_count);
typedef struct scan_counts {
    size_t files, skipped, failed;
    bool complete; /* read to the end */
} scan_counts;
scan_counts run_counts(scan_run *run);

#endif
