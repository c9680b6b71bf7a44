/*
 * output.h - where an operation puts its result: a file that appears complete or not at all, or the
 * caller's sink, which gets everything at once when the result is certain.
 */
#ifndef RP_OUTPUT_H
#define RP_OUTPUT_H

#include "sink.h"

/* Exactly one of path, callback and discard. */
typedef struct rp_target {
    const char *path;
    bool replace;  /* an existing file */
    uint32_t mode; /* permissions of the file, reduced by the umask; 0: the default of new files */
    const reprise_sink *callback;
    bool discard; /* dry run: do everything, keep nothing */
} rp_target;

typedef struct rp_output {
    rp_context *context;
    rp_sink *sink; /* for writing; can be read back before the commit */
    const reprise_sink *callback;
    bool discard;
} rp_output;

reprise_status rp_output_open(rp_context *context, const rp_target *target, rp_output *ret_output,
                              reprise_error *error);
/* Makes the result visible. */
reprise_status rp_output_commit(rp_output *output, reprise_error *error);
/* Without a commit, no file is left. */
void rp_output_close(rp_output *output);

#endif
