/* browser.h - starts browsers: the one that people use, or one without a window. */
#ifndef CLI_BROWSER_H
#define CLI_BROWSER_H

#include <sys/types.h>

#include "ui/strbuf.h"

/*
 * Writes a page that redirects to the address. All users of the machine can read the arguments of a
 * program, and the address contains the secret, so a browser gets the path of this file, which only
 * its owner can read. Returns the path, or NULL.
 */
char *cli_browser_pointer(const char *address);
/* Removes the file and frees the path, which may be NULL. */
void cli_browser_forget(char *pointer);

/* Opens the file in $BROWSER, or as the desktop does. A failure is not reported. */
void cli_browser_open(const char *pointer);

/* A browser without a window. */
typedef struct cli_headless {
    pid_t pid;
    char *profile; /* its directory, which is removed with it */
} cli_headless;

/* Finds Chromium: $CHROMIUM, or the first of its usual names in PATH. False if there is none. */
bool cli_headless_find(cli_strbuf *ret_path);
/* False if it cannot be started; errno says why. */
bool cli_headless_start(const char *program, const char *pointer, cli_headless *ret_browser);
bool cli_headless_runs(cli_headless *browser);
/* Ends it with all processes that it started, and removes its files. */
void cli_headless_stop(cli_headless *browser);

#endif
