/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "ui/hints.h"

enum { FLUSH_SIZE = 1 << 16 };

int cli_write(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

static void flush_to_terminal(cli_out *out, bool last)
{
    cli_strbuf safe = {0};
    size_t taken = cli_put_safe(&safe, out->buffer.data, out->buffer.size, out->colours, last);
    out->cause = cli_write(out->fd, safe.data, safe.size);
    cli_strbuf_free(&safe);
    size_t left = out->buffer.size - taken;
    if (left)
        memmove(out->buffer.data, out->buffer.data + taken, left);
    out->buffer.size = left;
}

static void flush(cli_out *out, bool last)
{
    if (out->terminal && !out->cause) {
        flush_to_terminal(out, last);
        return;
    }
    if (!out->cause)
        out->cause = cli_write(out->fd, out->buffer.data, out->buffer.size);
    cli_strbuf_clear(&out->buffer);
}

void cli_out_flush(cli_out *out)
{
    flush(out, true);
}

void cli_out_put(cli_out *out, const char *data, size_t size)
{
    if (out->cause)
        return;
    cli_put(&out->buffer, data, size);
    if (out->buffer.size >= FLUSH_SIZE)
        flush(out, false);
}

void cli_write_words(const cli_strbuf *words, bool colours)
{
    cli_out out = {.fd = STDERR_FILENO, .terminal = isatty(STDERR_FILENO), .colours = colours};
    cli_out_put(&out, words->data, words->size);
    cli_out_flush(&out);
    cli_out_free(&out);
}

void cli_out_free(cli_out *out)
{
    cli_strbuf_free(&out->buffer);
}

/* ---- documents ---- */

static int text_write(void *ctx, const void *data, size_t size)
{
    cli_put(ctx, data, size);
    return 0;
}

reprise_sink cli_strbuf_sink(cli_strbuf *to)
{
    return (reprise_sink){.ctx = to, .write = text_write};
}

void cli_put_value(cli_strbuf *to, const reprise_value *value)
{
    reprise_sink sink = cli_strbuf_sink(to);
    reprise_error error = REPRISE_ERROR_INIT;
    /* The sink never fails, so writing cannot fail. */
    (void)!reprise_value_write(value, REPRISE_JSON_COMPACT, &sink, &error);
}

/* ---- errors ---- */

void cli_json_error(cli_json *json, const char *key, const reprise_error *error)
{
    char hint[CLI_HINT_SIZE] = "";
    cli_json_object(json, key);
    cli_json_text(json, "status", reprise_status_name(error->status));
    cli_json_text(json, "stream", error->stream);
    cli_json_uint(json, "offset", error->offset);
    cli_json_text(json, "path", error->path);
    cli_json_text(json, "message", error->message);
    cli_json_text(json, "hint", cli_hint(error, hint));
    cli_json_close(json);
}

void cli_json_failure(cli_json *json, const char *file, const reprise_error *error)
{
    cli_json_object(json, NULL);
    if (file)
        cli_json_text(json, "file", file);
    cli_json_error(json, "error", error);
    cli_json_close(json);
}

void cli_put_error_words(cli_strbuf *to, bool colour, const char *file, const reprise_error *error)
{
    cli_puts(to, colour ? "\033[1;31mreprise:\033[0m " : "reprise: ");
    char text[REPRISE_ERROR_TEXT_MAX];
    reprise_error without_hint = *error;
    without_hint.hint[0] = '\0';
    reprise_error_text(&without_hint, "", text, sizeof text);
    /* The name is added here, because it may be longer than the library's buffer. */
    const char *rest = text;
    if (file)
        cli_put_shown(to, file, strlen(file));
    else
        rest += strspn(rest, ": ");
    cli_put_shown(to, rest, strlen(rest));
    const char *hint = cli_hint(error, (char[CLI_HINT_SIZE]){0});
    if (*hint) {
        cli_puts(to, "; ");
        cli_put_shown(to, hint, strlen(hint));
    }
    cli_putc(to, '\n');
}
