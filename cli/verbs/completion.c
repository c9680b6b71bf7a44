/*
 * completion.c - reprise completion: prints completion scripts for shells, generated from the
 * option tables.
 */
#include <string.h>

#include "ui/report.h"

typedef struct settings {
    cli_common common;
} settings;

/* ---- candidates ---- */

/* Names of formats, layouts and tracks, from the library. */
typedef struct names {
    reprise_library *library;
    const reprise_value *formats;
} names;

static bool same(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

static bool wants_files(const char *choices)
{
    return same(choices, "<file>");
}

/* Formats share track names, so duplicates are skipped. */
static void add_word(cli_strbuf *to, const char *word)
{
    const char *at = cli_strbuf_string(to), *other;
    size_t size;
    while (cli_next_word(&at, &other, &size)) {
        if (size == strlen(word) && memcmp(other, word, size) == 0)
            return;
    }
    if (to->size)
        cli_putc(to, ' ');
    cli_puts(to, word);
}

static void add_members(const names *n, const char *list, cli_strbuf *to)
{
    for (size_t i = 0; i < reprise_value_count(n->formats); i++) {
        const reprise_value *items = reprise_value_get(reprise_value_at(n->formats, i), list);
        for (size_t k = 0; k < reprise_value_count(items); k++) {
            const reprise_value *item = reprise_value_at(items, k);
            const char *name = reprise_value_text(item, NULL);
            add_word(to, name ? name : reprise_value_text(reprise_value_get(item, "name"), NULL));
        }
    }
}

/* The words that `choices` means, separated by spaces. */
static void put_words(const names *n, const char *choices, cli_strbuf *to)
{
    if (same(choices, "<format>")) {
        for (size_t i = 0; i < reprise_value_count(n->formats); i++) {
            const reprise_value *format = reprise_value_at(n->formats, i);
            add_word(to, reprise_value_text(reprise_value_get(format, "name"), NULL));
        }
    } else if (same(choices, "<layout>")) {
        add_members(n, "layouts", to);
    } else if (same(choices, "<track>")) {
        add_members(n, "tracks", to);
    } else if (same(choices, "<limit>")) {
        for (size_t i = 0; cli_limit_name(i); i++) {
            add_word(to, cli_limit_name(i));
            cli_putc(to, '=');
        }
    } else if (choices && !wants_files(choices)) {
        cli_puts(to, choices);
    }
}

/* The first sentence, without its full stop. */
static size_t sentence_size(const char *doc)
{
    const char *end = strstr(doc, ". ");
    size_t size = end ? (size_t)(end - doc) : strlen(doc);
    return size && doc[size - 1] == '.' ? size - 1 : size;
}

/* ---- bash ---- */

static void bash_values(const names *n, const cli_command *command, cli_strbuf *to)
{
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        if (!option->value)
            continue;
        cli_printf(to, "    '%s --%s'", command->name, option->name);
        if (option->letter)
            cli_printf(to, " | '%s -%c'", command->name, option->letter);
        cli_puts(to, ") ");
        cli_strbuf words = {0};
        put_words(n, option->choices, &words);
        if (wants_files(option->choices))
            cli_puts(to, "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); ");
        else if (words.size)
            cli_printf(to, "mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\"); ", words.data);
        cli_puts(to, "return ;;\n");
        cli_strbuf_free(&words);
    }
}

static void bash_options(const cli_command *command, cli_strbuf *to)
{
    cli_printf(to, "    %s) options='", command->name);
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        cli_printf(to, "%s--%s", i ? " " : "", option->name);
    cli_puts(to, "' ;;\n");
}

static void bash_operands(const names *n, const cli_command *command, cli_strbuf *to)
{
    if (!command->operand_choices)
        return;
    cli_printf(to, "    %s) ", command->name);
    cli_strbuf words = {0};
    put_words(n, command->operand_choices, &words);
    if (wants_files(command->operand_choices))
        cli_puts(to, "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n");
    else
        cli_printf(to, "mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\") ;;\n",
                   cli_strbuf_string(&words));
    cli_strbuf_free(&words);
}

static void put_verbs(cli_strbuf *to)
{
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (!command->hidden)
            cli_printf(to, "%s%s", i ? " " : "", command->name);
    }
}

static void put_bash(const names *n, cli_strbuf *to)
{
    const cli_command *command;
    cli_puts(to, "# bash completion for reprise\n_reprise()\n{\n"
                 "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                 "    local verb=${COMP_WORDS[1]} options=\n"
                 "    COMPREPLY=()\n"
                 "    if ((COMP_CWORD == 1)); then\n"
                 "        mapfile -t COMPREPLY < <(compgen -W '");
    put_verbs(to);
    cli_puts(to, " --help --version' -- \"$cur\")\n        return\n    fi\n"
                 "    case \"$verb $prev\" in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        bash_values(n, command, to);
    cli_puts(to, "    esac\n    case $verb in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        bash_options(command, to);
    cli_puts(to, "    esac\n    if [[ $cur == -* ]]; then\n"
                 "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
                 "        return\n    fi\n    case $verb in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        bash_operands(n, command, to);
    cli_puts(to, "    esac\n}\ncomplete -o filenames -F _reprise reprise\n");
}

/* ---- zsh ---- */

/* Text within single quotes and the brackets of an argument description. */
static void zsh_text(cli_strbuf *to, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'') {
            cli_puts(to, "'\\''");
            continue;
        }
        if (strchr("[]:\\", text[i]))
            cli_putc(to, '\\');
        cli_putc(to, text[i]);
    }
}

static void zsh_choices(const names *n, const char *choices, cli_strbuf *to)
{
    cli_strbuf words = {0};
    put_words(n, choices, &words);
    if (wants_files(choices))
        cli_puts(to, "_files");
    else if (words.size)
        cli_printf(to, "(%s)", words.data);
    cli_strbuf_free(&words);
}

static void zsh_option(const names *n, const cli_option *option, cli_strbuf *to)
{
    cli_puts(to, " \\\n            '*'");
    if (option->letter)
        cli_printf(to, "{-%c,--%s}", option->letter, option->name);
    else
        cli_printf(to, "--%s", option->name);
    cli_puts(to, "'[");
    zsh_text(to, option->doc, sentence_size(option->doc));
    cli_putc(to, ']');
    if (option->value) {
        cli_printf(to, ":%s:", option->value);
        zsh_choices(n, option->choices, to);
    }
    cli_putc(to, '\'');
}

static void put_zsh(const names *n, cli_strbuf *to)
{
    const cli_command *command;
    cli_puts(to, "#compdef reprise\n_reprise()\n{\n    local -a verbs\n    verbs=(");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->hidden)
            continue;
        cli_printf(to, "\n        '%s:", command->name);
        zsh_text(to, command->summary, strlen(command->summary));
        cli_putc(to, '\'');
    }
    cli_puts(to, "\n    )\n    if ((CURRENT == 2)); then\n        _describe verb verbs\n"
                 "        return\n    fi\n    local verb=$words[2]\n    shift words\n"
                 "    ((CURRENT--))\n    case $verb in\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        cli_printf(to, "        %s)\n            _arguments -s", command->name);
        const cli_option *option;
        for (size_t k = 0; (option = cli_option_at(command, k)); k++)
            zsh_option(n, option, to);
        if (command->operand_choices) {
            cli_puts(to, " \\\n            '*:operand:");
            zsh_choices(n, command->operand_choices, to);
            cli_putc(to, '\'');
        }
        cli_puts(to, " ;;\n");
    }
    cli_puts(to, "    esac\n}\n_reprise \"$@\"\n");
}

/* ---- fish ---- */

static void fish_text(cli_strbuf *to, const char *text, size_t size)
{
    cli_putc(to, '\'');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'' || text[i] == '\\')
            cli_putc(to, '\\');
        cli_putc(to, text[i]);
    }
    cli_putc(to, '\'');
}

static void fish_option(const names *n, const cli_command *command, const cli_option *option,
                        cli_strbuf *to)
{
    cli_printf(to, "complete -c reprise -n '__fish_seen_subcommand_from %s' -l %s", command->name,
               option->name);
    if (option->letter)
        cli_printf(to, " -s %c", option->letter);
    if (option->value) {
        cli_strbuf words = {0};
        put_words(n, option->choices, &words);
        cli_puts(to, wants_files(option->choices) ? " -r -F" : " -x");
        if (words.size)
            cli_printf(to, " -a '%s'", words.data);
        cli_strbuf_free(&words);
    }
    cli_puts(to, " -d ");
    fish_text(to, option->doc, sentence_size(option->doc));
    cli_putc(to, '\n');
}

static void put_fish(const names *n, cli_strbuf *to)
{
    const cli_command *command;
    cli_puts(to, "# fish completion for reprise\n");
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->hidden)
            continue;
        cli_printf(to, "complete -c reprise -n __fish_use_subcommand -f -a %s -d ", command->name);
        fish_text(to, command->summary, strlen(command->summary));
        cli_putc(to, '\n');
        const cli_option *option;
        for (size_t k = 0; (option = cli_option_at(command, k)); k++)
            fish_option(n, command, option, to);
        if (wants_files(command->operand_choices))
            continue;
        cli_strbuf words = {0};
        put_words(n, command->operand_choices, &words);
        cli_printf(to, "complete -c reprise -n '__fish_seen_subcommand_from %s' -f -a '%s'\n",
                   command->name, cli_strbuf_string(&words));
        cli_strbuf_free(&words);
    }
}

/* ---- JSON: the tables themselves ---- */

static void json_option(const names *n, const cli_option *option, cli_json *json)
{
    char letter[] = {option->letter, '\0'};
    cli_strbuf words = {0};
    put_words(n, option->choices, &words);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", option->name);
    cli_json_text(json, "letter", option->letter ? letter : NULL);
    cli_json_text(json, "value", option->value);
    cli_json_array(json, "choices");
    const char *at = cli_strbuf_string(&words), *word;
    size_t size;
    while (cli_next_word(&at, &word, &size))
        cli_json_bytes(json, NULL, word, size);
    cli_json_close(json);
    cli_json_text(json, "doc", option->doc);
    cli_json_close(json);
    cli_strbuf_free(&words);
}

static void json_command(const names *n, const cli_command *command, cli_json *json)
{
    const cli_option *option;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", command->name);
    cli_json_text(json, "summary", command->summary);
    cli_json_text(json, "operands", command->operands);
    cli_json_array(json, "options");
    for (size_t i = 0; (option = cli_option_at(command, i)); i++)
        json_option(n, option, json);
    cli_json_close(json);
    cli_json_close(json);
}

static void put_json(const names *n, cli_strbuf *to)
{
    const cli_command *command;
    cli_json json = {.to = to};
    cli_json_array(&json, NULL);
    for (size_t i = 0; (command = cli_command_at(i)) && !command->hidden; i++)
        json_command(n, command, &json);
    cli_json_close(&json);
    cli_putc(to, '\n');
}

/* ---- running ---- */

static const struct {
    const char *name;
    void (*put)(const names *n, cli_strbuf *to);
} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

static int print_script(cli_run *run, const names *n)
{
    cli_strbuf text = {0};
    for (size_t i = 0; i < CLI_COUNT(shells); i++) {
        if (!run->common->json && run->operand_count && same(run->operands[0], shells[i].name))
            shells[i].put(n, &text);
    }
    if (run->common->json)
        put_json(n, &text);
    if (!text.size)
        return cli_usage(run, "completion", "missing or unknown SHELL; expected bash, zsh or fish");
    cli_out_put(&run->out, text.data, text.size);
    cli_strbuf_free(&text);
    return CLI_DONE;
}

static int run_completion(cli_run *run)
{
    names n = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    int code;
    if (reprise_library_new(&n.library, &error) == REPRISE_OK &&
        reprise_formats(n.library, &n.formats, &error) == REPRISE_OK)
        code = print_script(run, &n);
    else
        code = cli_report(run, NULL, &error);
    reprise_library_free(n.library);
    return code;
}

const cli_command cli_completion = {
    .name = "completion",
    .summary = "print a completion script for bash, zsh or fish",
    .operands = "SHELL",
    .operand_choices = "bash zsh fish",
    .operands_max = 1,
    .description = "Prints a script for completing verbs, options and values in a shell. With "
                   "--json, prints the verbs and options for other programs.",
    .examples = {{"source <(reprise completion bash)", "Enable completion in this bash."},
                 {"reprise completion fish > ~/.config/fish/completions/reprise.fish",
                  "Enable completion in fish."}},
    .settings_size = sizeof(settings),
    .run = run_completion,
};
