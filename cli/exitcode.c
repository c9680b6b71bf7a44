/* exitcode.c - see exitcode.h. */
#include "exitcode.h"

int cli_exit_of(reprise_status status)
{
    switch (status) {
    case REPRISE_OK:
    case REPRISE_END:
        return CLI_DONE;
    case REPRISE_E_USAGE:
        return CLI_USAGE;
    case REPRISE_E_UNRECOGNIZED:
        return CLI_UNRECOGNIZED;
    case REPRISE_E_AMBIGUOUS:
    case REPRISE_E_UNSUPPORTED:
    case REPRISE_E_TRUNCATED:
    case REPRISE_E_CORRUPT:
    case REPRISE_E_CHECKSUM:
    case REPRISE_E_SIGNATURE:
    case REPRISE_E_LOSSY:
        return CLI_REFUSED;
    case REPRISE_E_LIMIT:
        return CLI_LIMIT;
    case REPRISE_E_IO:
    case REPRISE_E_NOMEM:
    case REPRISE_E_CANCELLED:
        break;
    }
    return CLI_FAILED;
}

int cli_exit_of_findings(reprise_severity severity, reprise_status status)
{
    switch (severity) {
    case REPRISE_NOTE:
        return CLI_DONE;
    case REPRISE_WARNING:
        return CLI_WARNED;
    case REPRISE_FAULT:
        break;
    }
    return cli_exit_of(status);
}

int cli_exit_worse(int a, int b)
{
    return a > b ? a : b;
}

int cli_exit_of_partial(reprise_status status)
{
    int code = cli_exit_of(status);
    return code == CLI_REFUSED ? CLI_WARNED : code;
}
