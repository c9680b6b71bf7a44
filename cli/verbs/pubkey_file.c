/* pubkey_file.c - see pubkey_file.h. */
#include "pubkey_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_SIZE = 32, KEYS_MAX = 10000 };

void cli_keys_free(const cli_keys *keys)
{
    if (keys->bytes)
        memset(keys->bytes, 0, keys->count * KEY_SIZE);
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

/* Permissions that a key file must not give to others, and the words for that. */
typedef struct access {
    mode_t forbidden;
    const char *others_may; /* "read" */
    const char *command;    /* that fixes it */
    bool is_secret;         /* the file may have the mark of a secret key */
} access_rule;

static bool check_access(const cli_option *option, const char *path, FILE *file,
                         const access_rule *rule, cli_strbuf *problem)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode) ||
        !(about.st_mode & rule->forbidden))
        return true;
    cli_printf(problem, "option '--%s': others can %s '%s' (mode %04o); %s it first", option->name,
               rule->others_may, path, (unsigned)(about.st_mode & 07777), rule->command);
    return false;
}

static bool read_keys(const cli_option *option, const char *path, FILE *file,
                      const access_rule *rule, cli_keys *keys, cli_strbuf *problem)
{
    char line[256];
    unsigned number = 0;
    bool ok = check_access(option, path, file, rule, problem);
    while (ok && keys->count < KEYS_MAX && fgets(line, sizeof line, file)) {
        number++;
        if (!rule->is_secret && strncmp(line, CLI_SECRET_KEY, strlen(CLI_SECRET_KEY)) == 0) {
            cli_printf(problem, "option '--%s': '%s' holds a secret key, not public ones",
                       option->name, path);
            ok = false;
        } else if (!read_line(line, keys)) {
            cli_printf(problem, "option '--%s': line %u of '%s' is not 64 hexadecimal digits",
                       option->name, number, path);
            ok = false;
        }
    }
    memset(line, 0, sizeof line);
    return ok;
}

static bool open_keys(const cli_option *option, const char *path, const access_rule *rule,
                      cli_keys *keys, cli_strbuf *problem)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        cli_printf(problem, "option '--%s': cannot open '%s': %s", option->name, path,
                   strerror(errno));
        return false;
    }
    bool ok = read_keys(option, path, file, rule, keys, problem);
    fclose(file);
    return ok;
}

bool cli_parse_keys(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    static const access_rule public = {
        .forbidden = S_IWOTH, .others_may = "write to", .command = "chmod o-w"};
    return open_keys(option, text, &public, to, problem);
}

bool cli_parse_secret_key(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    static const access_rule secret = {.forbidden = S_IRWXG | S_IRWXO,
                                       .others_may = "use",
                                       .command = "chmod 600",
                                       .is_secret = true};
    return open_keys(option, text, &secret, to, problem);
}
