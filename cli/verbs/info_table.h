/*
 * info_table.h - many files in tables: one line each, with the columns of their family's summary.
 */
#ifndef CLI_INFO_TABLE_H
#define CLI_INFO_TABLE_H

#include "batch/batch.h"
#include "batch/filter.h"

/* Which lines and columns; a member of the settings of info. */
typedef struct cli_table_choice {
    cli_filter where;
    cli_words columns;
    cli_words sort; /* "-" before a name: descending */
    cli_number rows;
    size_t form; /* index in CLI_TABLE_FORMS */
} cli_table_choice;

#define CLI_TABLE_FORMS "table csv parquet arrow"
enum { CLI_FORM_TABLE, CLI_FORM_CSV, CLI_FORM_PARQUET, CLI_FORM_ARROW };

/* Whether a form is a file for programs, not text. */
static inline bool cli_form_is_file(size_t form)
{
    return form == CLI_FORM_PARQUET || form == CLI_FORM_ARROW;
}

/* Whether any choice was made that only a table follows. */
bool cli_table_chosen(const cli_table_choice *choice);

/*
 * Prints a table for each family, one table for programs or JSON documents, and returns the exit
 * code. `put_json` writes the document of a file, into job->out.
 */
int cli_info_table(cli_run *run, const cli_table_choice *choice,
                   void (*put_json)(cli_job *job, const reprise_value *info,
                                    const reprise_value *summary));

/* The exit code for what reading the beginning of a file has shown. */
int cli_info_code(const reprise_value *info);

#endif
