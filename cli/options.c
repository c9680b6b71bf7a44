/* options.c - the parser over option tables, and the options that verbs share. */
#include "options.h"

#include <string.h>

#define READING "Input"
#define GENERAL "General"

/* Options of every verb that opens replays. */
static const cli_option reading_options[] = {
    {.name = "format",
     .value = "NAME",
     .choices = "<format>",
     .group = READING,
     .doc = "Read the input as format NAME instead of detecting it.",
     .offset = offsetof(cli_common, reading.format),
     .parse = cli_parse_text},
    {.name = "layout",
     .value = "NAME",
     .choices = "<layout>",
     .group = READING,
     .doc = "Read the input as layout NAME of its format.",
     .offset = offsetof(cli_common, reading.layout),
     .parse = cli_parse_text},
    {.name = "limit",
     .value = "NAME=VALUE",
     .choices = "<limit>",
     .group = READING,
     .doc = "Set a limit on what reading a file may cost, such as decoded_bytes=512M. May be "
            "repeated.",
     .offset = offsetof(cli_common, reading.limits),
     .parse = cli_parse_limit},
    {.name = "progress",
     .value = "WHEN",
     .choices = CLI_PROGRESS_CHOICES,
     .group = READING,
     .doc = "Show progress on standard error: auto (on a terminal, after one second), json (lines "
            "of JSON) or none (default: auto)",
     .offset = offsetof(cli_common, progress),
     .parse = cli_parse_choice},
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .group = READING,
     .doc = "Use at most N threads (default: the processors that this process may use)",
     .offset = offsetof(cli_common, jobs),
     .parse = cli_parse_count},
    {.name = "no-sandbox",
     .group = READING,
     .doc = "Do not restrict this process while it reads. By default it cannot open other files, "
            "open sockets or start programs, if the kernel supports Landlock and seccomp.",
     .offset = offsetof(cli_common, no_sandbox),
     .parse = cli_parse_flag},
};

/* Options of every verb that searches directories. */
static const cli_option walking_options[] = {
    {.name = "include",
     .value = "GLOB",
     .group = READING,
     .doc = "Take only files in directories that match GLOB, such as '*.replay'. A GLOB with a "
            "slash is compared with the path below the directory, any other with the name. May be "
            "repeated.",
     .offset = offsetof(cli_common, include),
     .parse = cli_parse_line},
    {.name = "exclude",
     .value = "GLOB",
     .group = READING,
     .doc = "Leave out files and directories in directories that match GLOB. May be repeated.",
     .offset = offsetof(cli_common, exclude),
     .parse = cli_parse_line},
    {.name = "files-from",
     .value = "FILE",
     .choices = "<file>",
     .group = READING,
     .doc = "Also take the files named in FILE, one on each line or separated by NUL bytes ('-': "
            "standard input).",
     .offset = offsetof(cli_common, files_from),
     .parse = cli_parse_text},
};

/* Options of every verb that writes a file for each one it reads. */
static const cli_option batch_options[] = {
    {.name = "output-dir",
     .value = "DIR",
     .choices = "<file>",
     .group = "Output",
     .doc = "Take many files and directories, and write a result for each into DIR, at the same "
            "relative path. What an earlier run wrote is skipped if input, options and version are "
            "the same. The last lines count what was written, skipped, refused and failed.",
     .offset = offsetof(cli_common, output_dir),
     .parse = cli_parse_text},
};

static const cli_option general_options[] = {
    {.name = "json",
     .group = GENERAL,
     .doc = "Print JSON, also for errors.",
     .offset = offsetof(cli_common, json),
     .parse = cli_parse_flag},
    {.name = "color",
     .value = "WHEN",
     .choices = CLI_COLOUR_CHOICES,
     .group = GENERAL,
     .doc = "Use colours: auto (on a terminal, unless NO_COLOR is set), always or never (default: "
            "auto)",
     .offset = offsetof(cli_common, colour),
     .parse = cli_parse_choice},
    {.name = "quiet",
     .letter = 'q',
     .group = GENERAL,
     .doc = "Print nothing to standard error.",
     .offset = offsetof(cli_common, quiet),
     .parse = cli_parse_flag},
    {.name = "help",
     .letter = 'h',
     .group = GENERAL,
     .doc = "Show this help.",
     .offset = offsetof(cli_common, help),
     .parse = cli_parse_flag},
};

const cli_option *cli_option_at(const cli_command *command, size_t index)
{
    if (index < command->option_count)
        return &command->options[index];
    index -= command->option_count;
    if (command->reads) {
        if (index < CLI_COUNT(reading_options))
            return &reading_options[index];
        index -= CLI_COUNT(reading_options);
    }
    if (command->walks || command->batches) {
        if (index < CLI_COUNT(walking_options))
            return &walking_options[index];
        index -= CLI_COUNT(walking_options);
    }
    if (command->batches) {
        if (index < CLI_COUNT(batch_options))
            return &batch_options[index];
        index -= CLI_COUNT(batch_options);
    }
    return index < CLI_COUNT(general_options) ? &general_options[index] : NULL;
}

static bool is_first_of_group(const cli_command *command, size_t index)
{
    const char *group = cli_option_at(command, index)->group;
    for (size_t i = 0; i < index; i++) {
        if (strcmp(cli_option_at(command, i)->group, group) == 0)
            return false;
    }
    return true;
}

const cli_option *cli_option_in_help(const cli_command *command, size_t index)
{
    const cli_option *first, *option;
    for (size_t i = 0; (first = cli_option_at(command, i)); i++) {
        if (!is_first_of_group(command, i))
            continue;
        for (size_t k = i; (option = cli_option_at(command, k)); k++) {
            if (strcmp(option->group, first->group) == 0 && index-- == 0)
                return option;
        }
    }
    return NULL;
}

/* ---- suggestions ---- */

enum { WORD_MAX = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance: letters to add, drop, change or swap with a neighbour to turn `a` into `b`. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size > WORD_MAX || b_size > WORD_MAX)
        return SIZE_MAX;
    for (size_t k = 0; k <= b_size; k++)
        last[k] = before[k] = k;
    for (size_t i = 1; i <= a_size; i++) {
        now[0] = i;
        for (size_t k = 1; k <= b_size; k++) {
            now[k] = least(last[k] + 1, now[k - 1] + 1);
            now[k] = least(now[k], last[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before[k - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[b_size];
}

const char *cli_closest(const char *word, const char *(*next)(const void *ctx, size_t index),
                        const void *ctx)
{
    const char *found = NULL, *candidate;
    size_t size = strlen(word), best = 1 + size / 3;
    for (size_t i = 0; (candidate = next(ctx, i)); i++) {
        /* A prefix counts as nearly the word. */
        bool begins = size > 2 && strncmp(word, candidate, size) == 0;
        size_t edits = begins ? 1 : distance(word, candidate);
        if (edits < best || (edits == best && !found)) {
            best = edits;
            found = candidate;
        }
    }
    return found;
}

static const char *option_name(const void *ctx, size_t index)
{
    const cli_option *option = cli_option_at(ctx, index);
    return option ? option->name : NULL;
}

bool cli_next_word(const char **at, const char **ret_word, size_t *ret_size)
{
    const char *start = *at + strspn(*at, " ");
    size_t size = strcspn(start, " ");
    *at = start + size;
    *ret_word = start;
    *ret_size = size;
    return size > 0;
}

/* ---- parsing ---- */

typedef struct parser {
    const cli_command *command;
    char **arguments;
    size_t count, at;
    char *settings;
    cli_strbuf *notes, *problem;
} parser;

static bool is_name(const char *name, const char *text, size_t size)
{
    return name && strlen(name) == size && memcmp(name, text, size) == 0;
}

static void note_former_name(const parser *p, const cli_option *option)
{
    cli_printf(p->notes,
               "reprise: %s: '--%s' is now '--%s'; the old name will go in the next version\n",
               p->command->name, option->former_name, option->name);
}

static const cli_option *find_long(const parser *p, const char *name, size_t size)
{
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(p->command, i)); i++) {
        if (is_name(option->name, name, size))
            return option;
        if (is_name(option->former_name, name, size)) {
            note_former_name(p, option);
            return option;
        }
    }
    return NULL;
}

static const cli_option *find_short(const cli_command *command, char letter)
{
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        if (option->letter && option->letter == letter)
            return option;
    }
    return NULL;
}

/* Parsers may change the text, so it is kept as given. */
static void remember(parser *p, const cli_option *option, const char *value)
{
    cli_strbuf *given = &((cli_common *)(void *)p->settings)->given;
    cli_put(given, option->name, strlen(option->name) + 1);
    cli_put(given, value ? value : "", value ? strlen(value) + 1 : 1);
}

static bool apply(parser *p, const cli_option *option, char *value)
{
    if (!value && option->value) {
        if (p->at == p->count) {
            cli_printf(p->problem, "option '--%s' needs a value (%s)", option->name, option->value);
            return false;
        }
        value = p->arguments[p->at++];
    }
    remember(p, option, value);
    return option->parse(option, value, p->settings + option->offset, p->problem);
}

static bool parse_long(parser *p, char *name)
{
    size_t size = strcspn(name, "=");
    char *value = name[size] ? name + size + 1 : NULL;
    const cli_option *option = find_long(p, name, size);
    if (!option) {
        name[size] = '\0';
        cli_printf(p->problem, "unknown option '--%s'", name);
        const char *meant = cli_closest(name, option_name, p->command);
        if (meant)
            cli_printf(p->problem, "; did you mean '--%s'?", meant);
        else
            cli_printf(p->problem, "; see 'reprise %s --help'", p->command->name);
        return false;
    }
    if (value && !option->value) {
        cli_printf(p->problem, "option '--%s' takes no value", option->name);
        return false;
    }
    return apply(p, option, value);
}

/* -q, -qa, -o FILE and -oFILE. */
static bool parse_short(parser *p, char *letters)
{
    while (*letters) {
        const cli_option *option = find_short(p->command, *letters);
        if (!option) {
            cli_printf(p->problem, "unknown option '-%c'; see 'reprise %s --help'", *letters,
                       p->command->name);
            return false;
        }
        letters++;
        if (option->value)
            return apply(p, option, *letters ? letters : NULL);
        if (!apply(p, option, NULL))
            return false;
    }
    return true;
}

bool cli_options_parse(const cli_command *command, char **arguments, size_t count, void *settings,
                       size_t *ret_operands, cli_strbuf *notes, cli_strbuf *problem)
{
    parser p = {.command = command,
                .arguments = arguments,
                .count = count,
                .settings = settings,
                .notes = notes,
                .problem = problem};
    size_t operands = 0;
    bool options_end = false;
    while (p.at < p.count) {
        char *argument = arguments[p.at++];
        bool ok = true;
        if (options_end || argument[0] != '-' || !argument[1])
            arguments[operands++] = argument;
        else if (argument[1] != '-')
            ok = parse_short(&p, argument + 1);
        else if (argument[2])
            ok = parse_long(&p, argument + 2);
        else
            options_end = true;
        if (!ok)
            return false;
    }
    *ret_operands = operands;
    return true;
}
