/* keys.c - see keys.h. */
#include "keys.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 32, KEYS_MAX = 10000 };

void cli_keys_free(const cli_keys *keys)
{
    free(keys->bytes);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One line: nothing, a comment or a key. */
static bool read_line(const char *line, cli_keys *keys)
{
    line += strspn(line, " \t\r\n");
    if (!*line || *line == '#')
        return true;
    keys->bytes = cli_memory(keys->bytes, (keys->count + 1) * KEY_SIZE);
    uint8_t *key = keys->bytes + keys->count * KEY_SIZE;
    for (size_t i = 0; i < KEY_SIZE; i++, line += 2) {
        int high = digit(line[0]), low = high < 0 ? -1 : digit(line[1]);
        if (low < 0)
            return false;
        key[i] = (uint8_t)(high << 4 | low);
    }
    keys->count++;
    line += strspn(line, " \t\r\n");
    return !*line || *line == '#';
}

bool cli_parse_keys(const cli_option *option, char *text, void *to, cli_text *problem)
{
    cli_keys *keys = to;
    FILE *file = fopen(text, "r");
    if (!file) {
        cli_printf(problem, "option '--%s': cannot open '%s': %s", option->name, text,
                   strerror(errno));
        return false;
    }
    char line[256];
    unsigned number = 0;
    bool ok = true;
    while (ok && keys->count < KEYS_MAX && fgets(line, sizeof line, file)) {
        number++;
        ok = read_line(line, keys);
    }
    fclose(file);
    if (!ok)
        cli_printf(problem, "option '--%s': line %u of '%s' is no key of 64 hexadecimal digits",
                   option->name, number, text);
    return ok;
}
