/*
 * output.h - buffered output, and errors as JSON or as messages.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "json.h"
#include "strbuf.h"

/* Writes all bytes. Returns 0 or errno. */
int cli_write(int fd, const char *data, size_t size);

/* A file descriptor with a buffer. After the first failure nothing is written. */
typedef struct cli_out {
    int fd;
    cli_strbuf buffer;
    int cause;              /* errno of the first failure, or 0 */
    bool terminal, colours; /* escape control characters; allow our own colours */
} cli_out;

void cli_out_put(cli_out *out, const char *data, size_t size);
void cli_out_flush(cli_out *out);
void cli_out_free(cli_out *out);

/* Writes to standard error; escapes control characters if that is a terminal. */
void cli_write_words(const cli_strbuf *words, bool colours);

/* ---- documents ---- */

/* A sink that appends to a buffer. */
reprise_sink cli_strbuf_sink(cli_strbuf *to);
/* A value as JSON on one line. */
void cli_put_value(cli_strbuf *to, const reprise_value *value);

/* ---- errors ---- */

/* The object {"status": ..., "stream": ... } */
void cli_json_error(cli_json *json, const char *key, const reprise_error *error);
/* The document {"file": ..., "error": {...}}; without "file" if it is NULL. */
void cli_json_failure(cli_json *json, const char *file, const reprise_error *error);
/*
 * One line: reprise: match.replay: zip:replay+0x1a2c: frames[12]: need 16 bytes, 9 left; hint.
 * The file may be NULL.
 */
void cli_put_error_words(cli_strbuf *to, bool colour, const char *file, const reprise_error *error);

#endif
