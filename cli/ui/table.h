/* table.h - tables of text with columns as wide as their widest cell. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "strbuf.h"

enum { CLI_COLUMNS_MAX = 160 };

typedef struct cli_cell {
    size_t offset, size; /* in the text */
    size_t width;
    bool right; /* align right, for numbers */
} cli_cell;

/* Cells are added row by row; the first row is the heading. Start with {.columns = n}. */
typedef struct cli_table {
    size_t columns;
    cli_cell *cells;
    size_t count, capacity;
    cli_strbuf text;
} cli_table;

void cli_table_free(cli_table *table);

/* Ends a cell: the text put into table->text since the last one. */
void cli_table_cell(cli_table *table, bool right);
/* Adds a cell of untrusted text. */
void cli_table_text(cli_table *table, const char *text);
void cli_table_printf(cli_table *table, bool right, const char *format, ...) REPRISE_PRINTF(3, 4);

/* Removes the columns from `from` to `to` that are empty below their heading. */
void cli_table_drop_empty(cli_table *table, size_t from, size_t to);

/* Removes columns without a value, and columns of which every value is "-". */
void cli_table_drop_blank(cli_table *table);
/*
 * Removes columns after the first in which all rows have one value and lists them: "active yes,
 * held no". Nothing happens to tables of one row.
 */
void cli_table_drop_same(cli_table *table, cli_strbuf *to);
/* Removes columns at the end until the table is not wider than `width`, and lists their names. */
void cli_table_drop_wide(cli_table *table, size_t width, cli_strbuf *to);

/*
 * Makes the table not wider than `width`: cuts long texts, those of the first column at their
 * front, because the ends of paths tell files apart; where that is not enough, removes columns at
 * the end as above. Numbers and short texts such as dates stay whole.
 */
void cli_table_fit(cli_table *table, size_t width, cli_strbuf *to);

size_t cli_table_width(const cli_table *table);

typedef struct cli_table_style {
    size_t indent;
    bool colour;
    bool turned;       /* transposed, for tables that are too wide */
    bool no_heading;   /* the first row is not a heading */
    size_t wrap_width; /* wrap the last column at this width; 0: never */
    size_t fold_width; /* print columns that do not fit below, after the first again; 0: never */
} cli_table_style;
void cli_table_put(const cli_table *table, const cli_table_style *style, cli_strbuf *to);

#endif
