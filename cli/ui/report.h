/* report.h - telling people and programs how a run goes: words, errors, single documents. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "command.h"

/* Makes an error that the command finds by itself; returns its status. */
reprise_status cli_fail(reprise_error *error, reprise_status status, const char *format, ...)
    REPRISE_PRINTF(3, 4);

/* Prints words on standard error unless they are not wanted. */
void cli_say(cli_run *run, const cli_strbuf *words);

/* Reports an error as words and, with --json, as a document. Returns the exit code. */
int cli_report(cli_run *run, const char *file, const reprise_error *error);

/* Only the words, for damage in front of which everything was done. Returns the exit code. */
int cli_report_damage(cli_run *run, const char *file, const reprise_error *damage);

/*
 * Like cli_report, for an error in how the command was called. What stands behind "; " in the words
 * is the hint. `verb` may be NULL.
 */
int cli_usage(cli_run *run, const char *verb, const char *words);

/* Prints a document: indented on a terminal, on one line elsewhere. */
void cli_print_json(cli_run *run, const reprise_value *value);
/* The same for an object without the member named (NULL: with all). */
void cli_print_json_except(cli_run *run, const reprise_value *object, const char *member);

#endif
