/* help.c - the text of --help, generated from the option table of a verb. */
#include <string.h>

#include "command.h"
#include "render.h"

enum { HELP_WIDTH_MAX = 100, DOC_COLUMN_MAX = 30 };

/* "-o, --output FILE" */
static void put_option(const cli_option *option, cli_strbuf *to)
{
    if (option->letter)
        cli_printf(to, "-%c, ", option->letter);
    else
        cli_puts(to, "    ");
    cli_printf(to, "--%s", option->name);
    if (option->value)
        cli_printf(to, " %s", option->value);
}

static size_t doc_column(const cli_command *command)
{
    size_t column = 0;
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        cli_strbuf text = {0};
        put_option(option, &text);
        size_t width = text.size + 4;
        cli_strbuf_free(&text);
        if (width > column && width <= DOC_COLUMN_MAX)
            column = width;
    }
    return column;
}

static void put_options(const cli_command *command, bool colour, size_t width, cli_strbuf *to)
{
    size_t column = doc_column(command);
    const char *group = "";
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_in_help(command, i)); i++) {
        if (strcmp(group, option->group) != 0) {
            group = option->group;
            cli_putc(to, '\n');
            cli_put_painted(to, colour, CLI_BOLD, group);
            cli_putc(to, '\n');
        }
        size_t start = to->size;
        cli_puts(to, "  ");
        put_option(option, to);
        size_t used = to->size - start;
        if (used + 2 > column) {
            cli_putc(to, '\n');
            used = 0;
        }
        cli_fill(to, ' ', column - used);
        cli_put_wrapped(to, option->doc, strlen(option->doc), column, width);
        cli_putc(to, '\n');
    }
}

static void put_examples(const cli_command *command, bool colour, cli_strbuf *to)
{
    cli_putc(to, '\n');
    cli_put_painted(to, colour, CLI_BOLD, "Examples");
    cli_putc(to, '\n');
    for (size_t i = 0; i < CLI_EXAMPLES_MAX && command->examples[i].command; i++) {
        cli_printf(to, "  %s\n", command->examples[i].command);
        cli_puts(to, "      ");
        cli_put_painted(to, colour, CLI_DIM, command->examples[i].says);
        cli_putc(to, '\n');
    }
}

void cli_help(const cli_command *command, bool colour, size_t width, cli_strbuf *to)
{
    if (width > HELP_WIDTH_MAX)
        width = HELP_WIDTH_MAX;
    cli_puts(to, "Usage: ");
    cli_strbuf name = {0};
    cli_printf(&name, "reprise %s", command->name);
    cli_put_painted(to, colour, CLI_BOLD, name.data);
    cli_strbuf_free(&name);
    cli_puts(to, " [OPTION...]");
    if (*command->operands)
        cli_printf(to, " %s", command->operands);
    cli_puts(to, "\n\n");
    cli_put_wrapped(to, command->description, strlen(command->description), 0, width);
    cli_putc(to, '\n');
    put_options(command, colour, width, to);
    put_examples(command, colour, to);
}
