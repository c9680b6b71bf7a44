/* trust_prompt.c - see trust_prompt.h. */
#include "trust_prompt.h"

#include <string.h>
#include <unistd.h>

#include "installed_rules.h"
#include "ui/report.h"

enum { LINES_SHOWN = 40 };

/* ---- differences ---- */

static size_t line_size(const char *text, size_t size)
{
    const char *end = size ? memchr(text, '\n', size) : NULL;
    return end ? (size_t)(end - text) + 1 : size;
}

static void put_lines(cli_strbuf *to, char sign, const char *text, size_t size)
{
    for (size_t shown = 0; size; shown++) {
        size_t line = line_size(text, size);
        if (shown == LINES_SHOWN) {
            cli_printf(to, "      %c ...\n", sign);
            return;
        }
        size_t end = line && text[line - 1] == '\n' ? line - 1 : line;
        cli_printf(to, "      %c ", sign);
        cli_put_shown(to, text, end);
        cli_putc(to, '\n');
        text += line;
        size -= line;
    }
}

/* Shows the lines between the common start and the common end. */
static void put_changes(cli_strbuf *to, const cli_strbuf *ours, const cli_strbuf *theirs)
{
    const char *a = ours->data, *b = theirs->data;
    size_t a_size = ours->size, b_size = theirs->size;
    for (;;) {
        size_t line = line_size(a, a_size);
        if (!line || line != line_size(b, b_size) || memcmp(a, b, line) != 0)
            break;
        a += line, b += line;
        a_size -= line, b_size -= line;
    }
    size_t same = 0, same_lines = 0;
    while (same < a_size && same < b_size && a[a_size - 1 - same] == b[b_size - 1 - same]) {
        same++;
        bool starts = (same == a_size || a[a_size - 1 - same] == '\n') &&
                      (same == b_size || b[b_size - 1 - same] == '\n');
        if (starts)
            same_lines = same;
    }
    put_lines(to, '-', a, a_size - same_lines);
    put_lines(to, '+', b, b_size - same_lines);
}

static void put_one(cli_strbuf *to, const reprise_blob *blob, const char *installed,
                    const cli_strbuf *theirs)
{
    static const char prefix[] = "rules/";
    cli_strbuf ours = {0};
    const char *name = blob->name;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        name += sizeof prefix - 1;
    bool there = cli_read_installed(installed, name, &ours);
    bool same = there && ours.size == theirs->size &&
                (!ours.size || memcmp(ours.data, theirs->data, ours.size) == 0);
    cli_puts(to, "    ");
    cli_put_shown(to, name, strlen(name));
    cli_puts(to, !there ? ": not installed\n" : same ? ": as installed\n" : ": differs\n");
    if (there && !same)
        put_changes(to, &ours, theirs);
    cli_strbuf_free(&ours);
}

void cli_put_difference(cli_strbuf *to, reprise_replay *replay, const char *installed)
{
    for (size_t i = 0; i < reprise_blob_count(replay); i++) {
        const reprise_blob *blob = reprise_blob_at(replay, i);
        cli_strbuf content = {0};
        reprise_sink sink = cli_strbuf_sink(&content);
        reprise_error error = REPRISE_ERROR_INIT;
        if (strcmp(blob->kind, "rules") == 0 && !blob->barred &&
            reprise_blob_read(replay, i, &sink, &error) == REPRISE_OK)
            put_one(to, blob, installed, &content);
        cli_strbuf_free(&content);
    }
}

/* ---- the question ---- */

static void put_origin(cli_strbuf *to, const cli_question *q, const reprise_value *about)
{
    const reprise_value *origin = reprise_value_get(about, "origin");
    const reprise_value *files = reprise_value_get(about, "files");
    const char *key = reprise_value_text(reprise_value_get(origin, "key"), NULL);
    uint64_t size = 0;
    for (size_t i = 0; i < reprise_value_count(files); i++)
        size += reprise_value_uint(reprise_value_get(reprise_value_at(files, i), "size"), 0);
    cli_put_shown(to, q->file, strlen(q->file));
    cli_printf(to, " embeds %zu files, ", reprise_value_count(files));
    cli_put_size(to, size);
    if (!reprise_value_bool(reprise_value_get(origin, "sound"), false))
        cli_puts(to, "; the replay is damaged");
    else if (reprise_value_bool(reprise_value_get(origin, "trusted"), false))
        cli_puts(to, "; a trusted key signed the states of the replay but not these files");
    else if (key)
        cli_printf(to, "; the replay is signed by an untrusted key: %s", key);
    else
        cli_puts(to, "; the replay is not signed");
    cli_puts(to, ".\n");
    for (size_t i = 0; i < reprise_value_count(files) && i < LINES_SHOWN; i++) {
        size_t length = 0;
        const char *name = reprise_value_text(reprise_value_get(reprise_value_at(files, i), "name"),
                                              &length);
        cli_puts(to, "    ");
        cli_put_shown(to, name ? name : "", length);
        cli_putc(to, '\n');
    }
}

static char read_answer(void)
{
    char line[64] = "";
    ssize_t n = read(STDIN_FILENO, line, sizeof line - 1);
    return n > 0 ? line[0] : 'r';
}

bool cli_trust_prompt(void *question, const reprise_value *about)
{
    enum { ASKED_MAX = 10 };
    const cli_question *q = question;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    cli_strbuf words = {0};
    put_origin(&words, q, about);
    char answer = '\0';
    for (int i = 0; i < ASKED_MAX && answer != 'l' && answer != 'r'; i++) {
        cli_puts(&words, q->consent->installed
                             ? "[l]oad, [r]efuse, or show the [d]ifference? "
                             : "[l]oad or [r]efuse? (--installed DIR shows the difference) ");
        cli_write_words(&words, false);
        cli_strbuf_clear(&words);
        answer = read_answer();
        if (answer == 'd' && q->consent->installed)
            cli_put_difference(&words, q->replay, q->consent->installed);
    }
    cli_strbuf_free(&words);
    return answer == 'l';
}
