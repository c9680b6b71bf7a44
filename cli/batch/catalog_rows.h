/*
 * catalog_rows.h - catalogs for verbs: where they are, and the rows of a query as a table, CSV or
 * JSON.
 */
#ifndef CLI_CATALOG_ROWS_H
#define CLI_CATALOG_ROWS_H

#include <reprise/catalog.h>
#include <reprise/write.h>

#include "ui/report.h"

/*
 * The catalog that `operand` means: the one of a directory, or the file itself. The caller frees
 * it. `option`, if given, is a file that is used instead.
 */
char *cli_catalog_path(const char *operand, const char *option);

/* Makes the hidden directory in which the catalog of a directory is; any other must exist. */
void cli_catalog_folder(const char *path);

/* Says which command to try next, for a catalog that cannot be used. */
void cli_catalog_advise(reprise_error *error, const char *operand);
/* Whether there is no such directory or file, with the words that every verb has for it. */
bool cli_catalog_missing(const char *operand, reprise_error *error);

#define CLI_ROW_FORMS "table csv"
enum { CLI_ROWS_TABLE, CLI_ROWS_CSV };

typedef struct cli_ask {
    const char *sql;
    const reprise_value *parameters; /* or NULL */
    size_t form;
    const char *durations; /* names of columns that are shown as durations, each with a space
                              before and after it; or NULL */
    const char *empty;     /* what to say if there are no rows, or NULL */
} cli_ask;

/* Runs a query on the catalog of an operand, prints its rows and returns the exit code. */
int cli_ask_run(cli_run *run, const char *operand, const cli_ask *query);

/* A list of parameters for a query. */
typedef struct cli_parameters {
    reprise_document *document;
    reprise_value *list;
} cli_parameters;
cli_parameters cli_parameters_new(void);
void cli_parameters_text(cli_parameters *to, const char *text);
/* As a number, if it is a duration such as 1:02.5; else as text. */
void cli_parameters_value(cli_parameters *to, const char *text);
void cli_parameters_free(cli_parameters *parameters);

/* Whether a text can be the name of a column: letters, digits and underscores. */
bool cli_is_column_name(const char *name);

/* For verbs that print rows. */
#define CLI_OPTION_ROW_FORM(settings_type)                                                     \
    {                                                                                          \
        .name = "format-out", .value = "FORM", .choices = CLI_ROW_FORMS, .group = CLI_DISPLAY, \
        .doc = "Print table or csv (default: table)", .offset = offsetof(settings_type, form), \
        .parse = cli_parse_choice                                                              \
    }

#endif
