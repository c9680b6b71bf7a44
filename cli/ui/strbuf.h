/*
 * strbuf.h - growing text buffers, and text for terminals.
 *
 * Running out of memory ends the program, so callers do not check.
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

/* Untrusted text for a terminal: control characters and invalid UTF-8 are escaped. */
void cli_put_shown(cli_strbuf *to, const char *text, size_t size);
/*
 * For output to a terminal: escapes control characters, characters that change the direction of
 * writing, and invalid UTF-8 (as \u001b, which JSON can read). Line feeds and tabs are kept, and
 * our own colours if `colours`. Unless `last`, a character cut off at the end is left for the next
 * call. Returns the number of bytes consumed.
 */
size_t cli_put_safe(cli_strbuf *to, const char *text, size_t size, bool colours, bool last);
/* Like cli_put_shown, shortened to about `columns` with three dots. */
void cli_put_cut(cli_strbuf *to, const char *text, size_t size, size_t columns);
/* A JSON string with its quotes; whole documents are written with json.h. */
void cli_put_json(cli_strbuf *to, const char *text, size_t size);

/* Width of a text in terminal columns, without escape sequences for colours. */
size_t cli_width(const char *text, size_t size);

/* Wraps text at spaces to `width`; later lines start at `indent`. */
void cli_put_wrapped(cli_strbuf *to, const char *text, size_t size, size_t indent, size_t width);

/*
 * Breaks lines that are wider than `width` at spaces, and within a word only if it is wider than a
 * line. After `rows_max` rows a line ends with three dots; 0: never.
 */
void cli_put_fitted(cli_strbuf *to, const char *text, size_t size, size_t width, size_t rows_max);
/* 1.4 MiB; bytes below 10 KiB. */
void cli_put_size(cli_strbuf *to, uint64_t bytes);
/* 1:02.345, 1:00:02.345, -0:00.500 */
void cli_put_duration(cli_strbuf *to, double seconds);
/* Three decimals, without trailing zeros unless `fixed`. */
void cli_put_real(cli_strbuf *to, double value, bool fixed);

#endif
