/*
 * output.h - where an operation puts its result: a file that appears whole or not at all, or the
 * caller's sink, which gets everything at once when it is certain.
 */
#ifndef RP_OUTPUT_H
#define RP_OUTPUT_H

#include "sink.h"

/* Exactly one of path, callback and discard. */
typedef struct rp_target {
    const char *path;
    bool replace;  /* an existing file */
    uint32_t mode; /* permissions of the file, less the user's mask; 0: those of any new file */
    const reprise_sink *callback;
    bool discard; /* a rehearsal: everything is done, and nothing is kept */
} rp_target;

typedef struct rp_output {
    rp_context *context;
    rp_sink *sink; /* to write to; can be read again before the end */
    const reprise_sink *callback;
    bool discard;
} rp_output;

reprise_status rp_output_open(rp_context *context, const rp_target *target, rp_output *ret_output,
                              reprise_error *error);
/* Makes the result visible. */
reprise_status rp_output_commit(rp_output *output, reprise_error *error);
/* Without a commit nothing is left behind. */
void rp_output_close(rp_output *output);

#endif
