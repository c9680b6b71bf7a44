/* exitcode.h - what the command tells the shell. */
#ifndef CLI_EXITCODE_H
#define CLI_EXITCODE_H

#include <reprise/reprise.h>

enum {
    CLI_DONE = 0,
    CLI_FAILED = 1, /* input or output, or our own trouble */
    CLI_USAGE = 2,
    CLI_WARNED = 3, /* done, but something was missing, damaged or against the rules */
    CLI_UNRECOGNIZED = 4,
    CLI_REFUSED = 5, /* damaged, or not supported */
    CLI_LIMIT = 6,
};

int cli_exit_of(reprise_status status);
/* What the worst finding of a replay means; a fault always has a status. */
int cli_exit_of_findings(reprise_severity severity, reprise_status status);
/* What several files give together. */
int cli_exit_worse(int a, int b);
/* The same when rows could still be given before the data failed. */
int cli_exit_of_partial(reprise_status status);

#endif
