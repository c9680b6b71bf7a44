/*
 * render.h - documents as text for people: aligned members and tables.
 *
 * The name of a member decides how it is shown: "duration" and "time" as 1:02.345, "size" and
 * "..._bytes" as 1.4 MiB, "pos_x pos_y pos_z" as one column. Units of measurement are in units.c.
 */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include <time.h>

#include "output.h"
#include "table.h"

typedef struct cli_render {
    cli_strbuf *to;
    size_t width; /* preferred length of lines */
    bool colour;
    bool all;   /* show long lists, every column and every log in full */
    bool brief; /* show how long a log is instead of the log */
    /* Whose values they are: knows units of measurement and what things are called. May be NULL. */
    const reprise_replay *replay;
} cli_render;

typedef enum cli_paint {
    CLI_PLAIN,
    CLI_BOLD,
    CLI_DIM,
    CLI_RED,
    CLI_YELLOW,
    CLI_GREEN,
    CLI_CYAN,
} cli_paint;
/* Untrusted text in a colour. */
void cli_put_painted(cli_strbuf *to, bool colour, cli_paint paint, const char *text);

/* A value within a line: "3", "1.5 m/s", "yes", "a, b, c", "average 48, least 31". */
void cli_put_inline(const cli_render *r, cli_strbuf *to, const char *key,
                    const reprise_value *value);
/* Seconds since 1970 as a date. */
void cli_put_unix_time(cli_strbuf *to, time_t seconds);
/* The name of a member with spaces: "stored_size" becomes "stored size". */
void cli_put_label(cli_strbuf *to, const char *key);

/* An empty line, then the name of a member, then `more` if it is not NULL. */
void cli_render_heading(const cli_render *r, size_t indent, const char *key, const char *more);
/*
 * An array of objects as a table; the columns are the members of all objects, but for numbers whose
 * names are members too. A table that is too
 * wide gives up columns without values, then lists what is the same in all rows before the table,
 * then is transposed if it has few rows, and then names the columns that did not fit.
 */
void cli_render_table(const cli_render *r, size_t indent, const reprise_value *array);
/*
 * All members of an object: first those that fit on a line, then tables and nested objects, then
 * logs (rows with a time, cells of heat maps). `skip` lists names to leave out, separated by
 * spaces; it may be NULL.
 */
void cli_render_members(const cli_render *r, size_t indent, const reprise_value *object,
                        const char *skip);
/* Only the second half of that. */
void cli_render_blocks(const cli_render *r, size_t indent, const reprise_value *object,
                       const char *skip);

/*
 * The first half, to be mixed with other lines: a table of two columns. After a label, the text put
 * into pairs->text up to the next cli_table_cell is its value.
 */
void cli_pairs_label(const cli_render *r, cli_table *pairs, const char *key);
void cli_pairs_members(const cli_render *r, cli_table *pairs, const reprise_value *object,
                       const char *skip);
/* Prints and frees the pairs. */
void cli_pairs_put(const cli_render *r, size_t indent, cli_table *pairs);

/* Findings, one line each, coloured by severity. */
void cli_render_findings(const cli_render *r, size_t indent, const reprise_value *findings);

#endif
