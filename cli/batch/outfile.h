/*
 * outfile.h - output files that appear complete or not at all.
 *
 * Data is written to a temporary file in the directory of the target and renamed once it is on
 * disk. After a failure or a signal nothing is left.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include <signal.h>

#include "ui/output.h"

typedef struct cli_outfile {
    cli_out out; /* write here */
    const char *path;
    char *temp_path; /* NULL: the target is a device or pipe and is written directly */
    bool replace;
    bool nameless; /* the temporary file has no name until it is complete */
} cli_outfile;

enum { CLI_OUTFILES_MAX = 64 }; /* with temporary names at a time */

/*
 * Whether a file can be created: its directory exists, and it does not, is a device, or may be
 * replaced. Verbs ask before they begin, so that all of them say the same about this file.
 */
reprise_status cli_outfile_check(const char *path, bool replace, reprise_error *error);
/* The same for a directory, which must be a new one. */
reprise_status cli_outdir_check(const char *path, reprise_error *error);
/* "exists", with what to do about it. */
reprise_status cli_outfile_exists(const char *advice, reprise_error *error);

/* Fails as cli_outfile_check does. */
reprise_status cli_outfile_open(cli_outfile *file, const char *path, bool replace,
                                reprise_error *error);
/* Sets permissions, reduced by the umask. 0 changes nothing. */
reprise_status cli_outfile_mode(cli_outfile *file, uint32_t mode, reprise_error *error);
reprise_status cli_outfile_commit(cli_outfile *file, reprise_error *error);
/* Also removes the temporary file if it was not committed. */
void cli_outfile_close(cli_outfile *file);

/* Removes all temporary files. Async-signal-safe. */
void cli_outfile_abandon(void);

/* The signals that end the program, without those that its parent made it ignore. */
void cli_ending_signals(sigset_t *ret_set);
/* Ends the program as the signal does, once it is not blocked. Async-signal-safe. */
void cli_end_by_signal(int number);

/* Removes a file if a signal ends the program. The caller owns the path. */
void cli_outfile_watch(char *path);
void cli_outfile_unwatch(const char *path);

#endif
