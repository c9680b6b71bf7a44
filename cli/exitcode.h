/* exitcode.h - exit codes of the command. */
#ifndef CLI_EXITCODE_H
#define CLI_EXITCODE_H

#include <reprise/reprise.h>

enum {
    CLI_DONE = 0,
    CLI_FAILED = 1, /* I/O or internal error; for diff: the replays differ */
    CLI_USAGE = 2,
    CLI_WARNED = 3, /* done, but data was missing, damaged or broke rules */
    CLI_UNRECOGNIZED = 4,
    CLI_REFUSED = 5, /* damaged or unsupported */
    CLI_LIMIT = 6,
};

int cli_exit_of(reprise_status status);
/* The exit code for the worst finding of a replay; a fault always has a status. */
int cli_exit_of_findings(reprise_severity severity, reprise_status status);
/* The exit code for several files. */
int cli_exit_worse(int a, int b);
/* Like cli_exit_of, if some rows were read before the data failed. */
int cli_exit_of_partial(reprise_status status);

#endif
