/*
 * output.h - where results go: standard output, and documents and errors as JSON or as words.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "json.h"
#include "strbuf.h"

/* Writes all of it. Returns 0 or errno. */
int cli_write(int fd, const char *data, size_t size);

/* A file descriptor with a buffer. The first failure is kept, and nothing is written after it. */
typedef struct cli_out {
    int fd;
    cli_strbuf buffer;
    int cause;              /* errno, 0 as long as all is well */
    bool terminal, colours; /* what replays hold must not reach a terminal as it is */
} cli_out;

void cli_out_put(cli_out *out, const char *data, size_t size);
void cli_out_flush(cli_out *out);
void cli_out_free(cli_out *out);

/* To standard error, made safe if that is a terminal. */
void cli_write_words(const cli_strbuf *words, bool colours);

/* ---- documents ---- */

/* A sink that appends to a text. */
reprise_sink cli_strbuf_sink(cli_strbuf *to);
/* A value on one line. */
void cli_put_value(cli_strbuf *to, const reprise_value *value);

/* ---- errors ---- */

/* The object {"status": ..., "stream": ... } */
void cli_json_error(cli_json *json, const char *key, const reprise_error *error);
/* The document {"file": ..., "error": {...}}; without "file" if it is NULL. */
void cli_json_failure(cli_json *json, const char *file, const reprise_error *error);
/*
 * One line: reprise: match.replay: zip:replay+0x1a2c: frames[12]: need 16 bytes, 9 left; hint.
 * Again, the file may be NULL.
 */
void cli_put_error_words(cli_strbuf *to, bool colour, const char *file, const reprise_error *error);

#endif
