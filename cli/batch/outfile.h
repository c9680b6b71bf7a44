/*
 * outfile.h - output files that appear whole or not at all.
 *
 * Bytes go to a temporary file beside the target, which takes its name only when everything is on
 * disk. Failure, an interrupt or the end of the program leave nothing behind.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include "ui/output.h"

typedef struct cli_outfile {
    cli_out out; /* write here */
    const char *path;
    char *temp_path; /* NULL: the target is a device or pipe and is written directly */
    bool replace;
    bool nameless; /* no temporary path: it gets its name when it is complete */
} cli_outfile;

enum { CLI_OUTFILES_MAX = 3 }; /* open at a time */

/* Refuses to touch an existing file unless `replace`. */
reprise_status cli_outfile_open(cli_outfile *file, const char *path, bool replace,
                                reprise_error *error);
/* Permissions other than those of any new file; the user's mask applies. 0 changes nothing. */
reprise_status cli_outfile_mode(cli_outfile *file, uint32_t mode, reprise_error *error);
reprise_status cli_outfile_commit(cli_outfile *file, reprise_error *error);
/* Also removes what was not committed. */
void cli_outfile_close(cli_outfile *file);

/* Removes the temporary file, if there is one. May be called from anywhere, signal handlers too. */
void cli_outfile_abandon(void);

/* A file that shall not survive the program, even if a signal ends it. The path is the caller's. */
void cli_outfile_watch(char *path);
void cli_outfile_unwatch(const char *path);

#endif
