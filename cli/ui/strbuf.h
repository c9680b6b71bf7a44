/*
 * strbuf.h - growing pieces of text, and what a terminal makes of them.
 *
 * Running out of memory ends the program here, so nobody has to check: a command that cannot hold
 * a line of text has nothing useful left to do.
 */
#ifndef CLI_STRBUF_H
#define CLI_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <reprise/reprise.h>

#define CLI_COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct cli_strbuf {
    char *data; /* terminated, unless NULL */
    size_t size, capacity;
} cli_strbuf;

/* realloc that does not fail. */
void *cli_memory(void *old, size_t size);

void cli_strbuf_free(cli_strbuf *text);
void cli_strbuf_clear(cli_strbuf *text);
const char *cli_strbuf_string(const cli_strbuf *text); /* "" rather than NULL */

void cli_put(cli_strbuf *to, const char *data, size_t size);
void cli_puts(cli_strbuf *to, const char *text);
void cli_putc(cli_strbuf *to, char c);
void cli_fill(cli_strbuf *to, char c, size_t count);
void cli_printf(cli_strbuf *to, const char *format, ...) REPRISE_PRINTF(2, 3);
void cli_vprintf(cli_strbuf *to, const char *format, va_list args) REPRISE_PRINTF(2, 0);

/* Text of unknown origin for a terminal: what could control it, or is not UTF-8, is spelt out. */
void cli_put_shown(cli_strbuf *to, const char *text, size_t size);
/*
 * For output that goes to a terminal: control characters, those that turn the direction of writing,
 * and bytes that are not UTF-8 become visible (\u001b, which JSON reads back). Line feeds and tabs
 * stay; so do our own colours. Unless it is the last piece, a character that is cut off is left for
 * the next. Returns how many bytes were taken.
 */
size_t cli_put_safe(cli_strbuf *to, const char *text, size_t size, bool colours, bool last);
/* The same, but not much wider than so many columns; a cut is shown by three dots. */
void cli_put_cut(cli_strbuf *to, const char *text, size_t size, size_t columns);
/* A JSON string with its quotes; whole documents are written with json.h. */
void cli_put_json(cli_strbuf *to, const char *text, size_t size);

/* How many columns of a terminal a text takes. Escape sequences for colours take none. */
size_t cli_width(const char *text, size_t size);

/* Breaks text at spaces so that no line is wider than `width`; later lines start at `indent`. */
void cli_put_wrapped(cli_strbuf *to, const char *text, size_t size, size_t indent, size_t width);

/* 1.4 MiB; below 10 KiB the bytes. */
void cli_put_size(cli_strbuf *to, uint64_t bytes);
/* 1:02.345, 1:00:02.345, -0:00.500 */
void cli_put_duration(cli_strbuf *to, double seconds);
/* Three decimals, without zeros at the end unless `fixed`. */
void cli_put_real(cli_strbuf *to, double value, bool fixed);

#endif
