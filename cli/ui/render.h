/*
 * render.h - documents for people: aligned members, tables, and numbers as people write them.
 *
 * Nothing here knows a format. What a member is, its name tells: "duration" and "time" are shown
 * as 1:02.345, "size" and "..._bytes" as 1.4 MiB, "pos_x pos_y pos_z" as one column.
 */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include "output.h"
#include "table.h"

typedef struct cli_render {
    cli_strbuf *to;
    size_t width; /* lines should not be longer */
    bool colour;
    bool all; /* show long lists whole */
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
/* Text of unknown origin in a colour. */
void cli_put_painted(cli_strbuf *to, bool colour, cli_paint paint, const char *text);

/* A value within a line: "3", "yes", "a, b, c", "average 48, least 31". */
void cli_put_inline(cli_strbuf *to, const char *key, const reprise_value *value, bool all);
/* A member's name for people: "stored_size" is "stored size". */
void cli_put_label(cli_strbuf *to, const char *key);

/* An empty line, then the name of a member and, if not NULL, more words. */
void cli_render_heading(const cli_render *r, size_t indent, const char *key, const char *more);
/* An array of objects; columns are the members of all of them. */
void cli_render_table(const cli_render *r, size_t indent, const reprise_value *array);
/*
 * All members of an object: what fits in a line first, then tables and objects of their own.
 * `skip` lists names between spaces that are left out; it may be NULL.
 */
void cli_render_members(const cli_render *r, size_t indent, const reprise_value *object,
                        const char *skip);
/* Only the second half of that. */
void cli_render_blocks(const cli_render *r, size_t indent, const reprise_value *object,
                       const char *skip);

/*
 * The first half, mixed with lines of one's own: a table of two columns. A label is followed by
 * whatever is put into pairs->text up to the next cli_table_cell.
 */
void cli_pairs_label(const cli_render *r, cli_table *pairs, const char *key);
void cli_pairs_members(const cli_render *r, cli_table *pairs, const reprise_value *object,
                       const char *skip);
/* Prints and frees them. */
void cli_pairs_put(const cli_render *r, size_t indent, cli_table *pairs);

/* Findings, one line each, worst ones coloured. */
void cli_render_findings(const cli_render *r, size_t indent, const reprise_value *findings);

#endif
