/* cat_table.h - rows of a track as a table for a terminal. */
#ifndef CLI_CAT_TABLE_H
#define CLI_CAT_TABLE_H

#include "ui/output.h"
#include "ui/table.h"

/*
 * Rows are printed in pages. The first page decides which columns fit the width: those with most
 * values in it, and names rather than the numbers they stand for. Start with the first five
 * members set.
 */
typedef struct cli_cat_table {
    cli_out *to;
    const char *format; /* of the rows, which decides their units of measurement */
    size_t width;
    bool colour;
    bool all; /* every column, whatever the width */
    cli_table page;
    bool *kept; /* columns that are shown; NULL before the first page */
    size_t rows;
} cli_cat_table;

/* Adds the current row; `columns` are those asked for, NULL for all of the track. */
reprise_status cli_cat_table_row(cli_cat_table *table, const reprise_replay *replay,
                                 reprise_rows *rows, const size_t *columns, size_t column_count,
                                 reprise_error *error);
/* Prints what is left and names the columns that are not shown. */
void cli_cat_table_end(cli_cat_table *table);

#endif
