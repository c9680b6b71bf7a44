/* report.h - prints messages, errors and documents. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "command.h"

/* Sets an error that the command detects itself; returns its status. */
reprise_status cli_fail(reprise_error *error, reprise_status status, const char *format, ...)
    REPRISE_PRINTF(3, 4);

/* Prints a message to standard error, unless --quiet is given. */
void cli_say(cli_run *run, const cli_strbuf *words);

/* Says how many rows a file has that was just written. */
void cli_say_written(cli_run *run, uint64_t rows, const char *output);

/* Prints an error as a message. */
void cli_say_error(cli_run *run, const char *file, const reprise_error *error);

/* Reports an error as a message and, with --json, as a document. Returns the exit code. */
int cli_report(cli_run *run, const char *file, const reprise_error *error);

/* Reports damage as a message only, if the data before it was processed. Returns the exit code. */
int cli_report_damage(cli_run *run, const char *file, const reprise_error *damage);

/*
 * Like cli_report, for a usage error. In JSON the text after "; " is the hint. `verb` may be NULL.
 */
int cli_usage(cli_run *run, const char *verb, const char *words);

/* Prints text for people. On a terminal lines are broken to fit, see cli_put_fitted. */
void cli_print_screen(cli_run *run, const cli_strbuf *text, size_t rows_max);
/* Prints a document: indented on a terminal, on one line elsewhere. */
void cli_print_json(cli_run *run, const reprise_value *value);
/* The same for an object without the member named (NULL: with all). */
void cli_print_json_except(cli_run *run, const reprise_value *object, const char *member);

#endif
