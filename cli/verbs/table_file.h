/* table_file.h - tracks as table files (Parquet, Arrow), for the verbs that write them. */
#ifndef CLI_TABLE_FILE_H
#define CLI_TABLE_FILE_H

#include "cat.h"
#include <reprise/tables.h>

/* Whether the suffix of a path names a kind of table file. */
bool cli_table_form_of(const char *path, reprise_table_form *ret_form);

/*
 * Writes one track of the only operand to settings->output, or to standard output if that is NULL
 * or
 * "-". Returns the exit code.
 */
int cli_table_write(cli_run *run, const cli_cat_settings *settings, reprise_table_form form);

/*
 * Writes every chosen track of all operands as Parquet files into the directory settings->output:
 * TRACK.parquet, or format=FORMAT/track=TRACK/FILE.parquet if there are several operands.
 */
int cli_table_write_directory(cli_run *run, const cli_cat_settings *settings);

/* Writes all tracks of all operands, which may be directories, into the SQLite database
 * settings->output. */
int cli_table_write_database(cli_run *run, const cli_cat_settings *settings);

/* Prints rows of values (reprise_table_write_values) and returns the exit code. */
int cli_table_print_values(cli_run *run, const reprise_value *columns, const reprise_value *rows,
                           reprise_table_form form);

#endif
