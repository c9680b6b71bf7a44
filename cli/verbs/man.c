/* man.c - reprise man: prints manual pages as scdoc source, generated from the option tables. */
#include <string.h>

#include "ui/report.h"

typedef struct settings {
    cli_common common;
} settings;

/* Escapes the characters that are markup in scdoc. */
static void put_plain(cli_strbuf *to, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\*_`<[#", *text))
            cli_putc(to, '\\');
        cli_putc(to, *text);
    }
}

static void put_option(cli_strbuf *to, const cli_option *option)
{
    if (option->letter)
        cli_printf(to, "*-%c*, ", option->letter);
    cli_printf(to, "*--%s*", option->name);
    if (option->value)
        cli_printf(to, " _%s_", option->value);
    cli_puts(to, "\n\t");
    put_plain(to, option->doc);
    cli_puts(to, "\n\n");
}

static void put_options(cli_strbuf *to, const cli_command *command)
{
    cli_puts(to, "# OPTIONS\n\n");
    const char *group = "";
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_in_help(command, i)); i++) {
        if (strcmp(group, option->group) != 0) {
            group = option->group;
            cli_printf(to, "## %s\n\n", group);
        }
        put_option(to, option);
    }
}

static void put_exit_codes(cli_strbuf *to)
{
    cli_puts(to, "# EXIT STATUS\n\n"
                 "*0*\n\tSuccess.\n\n"
                 "*1*\n\tFailure: input, output or memory. For *diff*: the replays differ.\n\n"
                 "*2*\n\tUsage error.\n\n"
                 "*3*\n\tSuccess with warnings: data was missing or damaged, or broke the rules "
                 "of its format.\n\n"
                 "*4*\n\tUnknown format.\n\n"
                 "*5*\n\tDamaged or unsupported.\n\n"
                 "*6*\n\tA limit was reached.\n\n"
                 "For several files the exit code is the highest of all.\n\n");
}

static void put_verb_page(cli_strbuf *to, const cli_command *command)
{
    cli_printf(to, "reprise-%s(1)\n\n# NAME\n\nreprise-%s - ", command->name, command->name);
    put_plain(to, command->summary);
    cli_printf(to, "\n\n# SYNOPSIS\n\n*reprise %s* [_OPTION_...]", command->name);
    if (*command->operands)
        cli_printf(to, " _%s_", command->operands);
    cli_puts(to, "\n\n# DESCRIPTION\n\n");
    put_plain(to, command->description);
    cli_puts(to, "\n\n");
    put_options(to, command);
    cli_puts(to, "# EXAMPLES\n\n");
    for (size_t i = 0; i < CLI_EXAMPLES_MAX && command->examples[i].command; i++) {
        put_plain(to, command->examples[i].says);
        cli_printf(to, "\n\n```\n%s\n```\n\n", command->examples[i].command);
    }
    put_exit_codes(to);
    cli_puts(to, "# SEE ALSO\n\n*reprise*(1)\n");
}

static void put_main_page(cli_strbuf *to)
{
    cli_puts(to,
             "reprise(1)\n\n# NAME\n\nreprise - read, check, convert and show game replays\n\n"
             "# SYNOPSIS\n\n*reprise* _VERB_ [_OPTION_...] _FILE_...\n\n# DESCRIPTION\n\n"
             "Reads replays of several games. Formats are detected by content, not by file name. "
             "_FILE_ may be *-* for standard input. Results go to standard output, messages to "
             "standard error. Output files appear complete or not at all.\n\n"
             "# VERBS\n\n");
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->hidden)
            continue;
        cli_printf(to, "*%s*\n\t", command->name);
        put_plain(to, command->summary);
        cli_printf(to, "; see *reprise-%s*(1)\n\n", command->name);
    }
    put_exit_codes(to);
    cli_puts(to, "# ENVIRONMENT\n\n*NO\\_COLOR*\n\tIf set and not empty, no colours are used.\n\n"
                 "# SEE ALSO\n\n");
    for (size_t i = 0; (command = cli_command_at(i)) && !command->hidden; i++)
        cli_printf(to, "%s*reprise-%s*(1)", i ? ", " : "", command->name);
    cli_putc(to, '\n');
}

static int run_man(cli_run *run)
{
    const cli_command *command = NULL;
    cli_strbuf text = {0};
    if (run->operand_count && !(command = cli_command_find(run->operands[0])))
        return cli_usage(run, "man", "unknown verb; see 'reprise --help'");
    if (command)
        put_verb_page(&text, command);
    else
        put_main_page(&text);
    cli_out_put(&run->out, text.data, text.size);
    cli_strbuf_free(&text);
    return CLI_DONE;
}

const cli_command cli_man = {
    .name = "man",
    .summary = "print the source of a manual page",
    .operands = "[VERB]",
    .operands_max = 1,
    .description = "Prints the manual page of the command or of a verb as scdoc source, generated "
                   "from the same tables as the help.",
    .examples = {{"reprise man cat | scdoc > reprise-cat.1", "Build the manual page of a verb."},
                 {"reprise man | scdoc | man -l -", "Read the manual of the command."}},
    .hidden = true,
    .settings_size = sizeof(settings),
    .run = run_man,
};
