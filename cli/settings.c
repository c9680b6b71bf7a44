/* settings.c - see settings.h. Reads a subset of TOML: tables, strings, integers, comments. */
#include "settings.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/report.h"

enum { LINE_MAX_BYTES = 1024 };

typedef struct reading {
    const char *path;
    unsigned line;
    char table[64];
    cli_preferences *to;
    cli_strbuf ignored; /* notes about unknown tables and keys */
    reprise_error *error;
} reading;

static reprise_status invalid(reading *r, const char *what, const char *text)
{
    *r->error = (reprise_error){.status = REPRISE_E_USAGE};
    snprintf(r->error->message, sizeof r->error->message, "%.80s:%u: %s %.40s", r->path, r->line,
             what, text);
    return r->error->status;
}

/* Strips blanks and comments; a '#' inside quotes does not start one. */
static char *strip(char *text)
{
    bool quoted = false;
    for (char *p = text; *p; p++) {
        quoted ^= *p == '"';
        if (*p == '#' && !quoted)
            *p = '\0';
    }
    while (*text == ' ' || *text == '\t')
        text++;
    size_t size = strlen(text);
    while (size && strchr(" \t\r\n", text[size - 1]))
        text[--size] = '\0';
    return text;
}

static reprise_status read_level(reading *r, const char *value, int *to)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"\"fastest\"", REPRISE_LEVEL_FASTEST},
                  {"\"balanced\"", REPRISE_LEVEL_BALANCED},
                  {"\"compact\"", REPRISE_LEVEL_COMPACT}};
    for (size_t i = 0; i < CLI_COUNT(levels); i++) {
        if (strcmp(levels[i].name, value) == 0) {
            *to = levels[i].level;
            return REPRISE_OK;
        }
    }
    return invalid(r, "expected \"fastest\", \"balanced\" or \"compact\", not", value);
}

static reprise_status read_number(reading *r, const char *value, uint32_t *to)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    if (errno || *value < '0' || *value > '9' || *end || !number || number > 1000000000)
        return invalid(r, "expected an integer above 0, not", value);
    *to = (uint32_t)number;
    return REPRISE_OK;
}

static const struct {
    const char *table, *key;
    bool is_level;
    size_t offset;
} known[] = {
    {"compression", "save_level", true, offsetof(cli_preferences, save_level)},
    {"compression", "replay_level", true, offsetof(cli_preferences, replay_level)},
    {"recording", "keyframe_ticks", false, offsetof(cli_preferences, keyframe_ticks)},
    {"recording", "full_keyframe_ticks", false, offsetof(cli_preferences, full_keyframe_ticks)},
    {"recording", "signature_ticks", false, offsetof(cli_preferences, signature_ticks)},
    {"recording", "flush_ms", false, offsetof(cli_preferences, flush_ms)},
};

static bool is_table(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < CLI_COUNT(known); i++)
        found |= strcmp(known[i].table, name) == 0;
    return found;
}

/* A later version may know it, so it is not an error; it may also be a typo, so it is reported. */
static void ignore(reading *r, const char *what, const char *name)
{
    cli_puts(&r->ignored, "reprise: ");
    cli_put_shown(&r->ignored, r->path, strlen(r->path));
    cli_printf(&r->ignored, ":%u: %s ignored: ", r->line, what);
    cli_put_shown(&r->ignored, name, strlen(name));
    cli_putc(&r->ignored, '\n');
}

static void print_ignored(cli_run *run, reading *r)
{
    if (!r->ignored.size)
        return;
    cli_puts(&r->ignored, "  known keys:");
    for (size_t i = 0; i < CLI_COUNT(known); i++)
        cli_printf(&r->ignored, "%s %s.%s", i ? "," : "", known[i].table, known[i].key);
    cli_putc(&r->ignored, '\n');
    cli_say(run, &r->ignored);
    cli_strbuf_free(&r->ignored);
}

static reprise_status take(reading *r, const char *key, const char *value)
{
    for (size_t i = 0; i < CLI_COUNT(known); i++) {
        if (strcmp(known[i].table, r->table) != 0 || strcmp(known[i].key, key) != 0)
            continue;
        void *to = (char *)r->to + known[i].offset;
        return known[i].is_level ? read_level(r, value, to) : read_number(r, value, to);
    }
    /* The keys of an unknown table were reported with it. */
    if (!*r->table || is_table(r->table))
        ignore(r, *r->table ? "unknown key" : "key outside a table", key);
    return REPRISE_OK;
}

static reprise_status read_line(reading *r, char *line)
{
    char *text = strip(line);
    if (!*text)
        return REPRISE_OK;
    size_t size = strlen(text);
    if (text[0] == '[' && text[size - 1] == ']') {
        text[size - 1] = '\0';
        snprintf(r->table, sizeof r->table, "%s", strip(text + 1));
        if (!is_table(r->table))
            ignore(r, "unknown table", r->table);
        return REPRISE_OK;
    }
    char *equals = strchr(text, '=');
    if (!equals)
        return invalid(r, "expected [table] or key = value, not", text);
    *equals = '\0';
    return take(r, strip(text), strip(equals + 1));
}

bool cli_preferences_path(char *to, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        snprintf(to, size, "%s/reprise/settings.toml", config);
    else if (home && *home)
        snprintf(to, size, "%s/.config/reprise/settings.toml", home);
    else
        return false;
    return true;
}

reprise_status cli_preferences_read(cli_run *run, const char *path, cli_preferences *ret,
                                    reprise_error *error)
{
    char own[1024], line[LINE_MAX_BYTES];
    *ret = (cli_preferences){.save_level = REPRISE_LEVEL_DEFAULT,
                             .replay_level = REPRISE_LEVEL_DEFAULT};
    bool asked = path != NULL;
    if (!asked && !cli_preferences_path(own, sizeof own))
        return REPRISE_OK;
    path = asked ? path : own;
    FILE *file = fopen(path, "r");
    if (!file && !asked)
        return REPRISE_OK;
    if (!file) {
        *error = (reprise_error){.status = REPRISE_E_IO, .cause = errno};
        snprintf(error->message, sizeof error->message, "%.100s: cannot open: %s", path,
                 strerror(errno));
        return error->status;
    }
    reading r = {.path = path, .to = ret, .error = error};
    reprise_status status = REPRISE_OK;
    while (status == REPRISE_OK && fgets(line, sizeof line, file)) {
        r.line++;
        status = read_line(&r, line);
    }
    fclose(file);
    print_ignored(run, &r);
    return status;
}

int cli_preferred_level(const cli_preferences *preferences, const char *format)
{
    if (strcmp(format, "icrep") == 0)
        return preferences->replay_level;
    return strcmp(format, "icsave") == 0 ? preferences->save_level : REPRISE_LEVEL_DEFAULT;
}
