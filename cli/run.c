/* run.c - see run.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "batch/cores.h"
#include "batch/file_list.h"
#include "run.h"
#include "sandbox.h"
#include "ui/render.h"
#include "ui/report.h"

enum { WIDTH_DEFAULT = 100, WIDTH_MIN = 40 };

#define VERB(verb) &cli_##verb,
static const cli_command *const commands[] = {CLI_VERBS(VERB)};
#undef VERB

const cli_command *cli_command_at(size_t index)
{
    return index < CLI_COUNT(commands) ? commands[index] : NULL;
}

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < CLI_COUNT(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

static const char *command_name(const void *ctx, size_t index)
{
    (void)ctx;
    const cli_command *command = cli_command_at(index);
    return command && !command->hidden ? command->name : NULL;
}

/* ---- the terminal ---- */

static bool colour_wanted(const cli_common *common, int fd)
{
    if (common->colour != CLI_AUTO)
        return common->colour == CLI_COLOUR_ALWAYS;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_DEFAULT;
    return size.ws_col > WIDTH_MIN ? size.ws_col : WIDTH_MIN;
}

static cli_progress_kind progress_wanted(const cli_common *common)
{
    if (common->quiet)
        return CLI_PROGRESS_OFF;
    if (common->progress == CLI_PROGRESS_JSON)
        return CLI_PROGRESS_LINES_OF_JSON;
    return common->progress == CLI_AUTO && isatty(STDERR_FILENO) ? CLI_PROGRESS_LINE
                                                                 : CLI_PROGRESS_OFF;
}

static void prepare(cli_run *run)
{
    run->out.fd = STDOUT_FILENO;
    run->out_terminal = isatty(STDOUT_FILENO);
    run->out_colour = colour_wanted(run->common, STDOUT_FILENO);
    run->out.terminal = run->out_terminal;
    run->out.colours = run->out_colour;
    run->words_colour = colour_wanted(run->common, STDERR_FILENO);
    run->width = terminal_width();
    cli_progress_init(&run->progress, progress_wanted(run->common));
}

/* Output that could not be written is a failure, whatever the verb returned. */
static int finish(cli_run *run, int code)
{
    cli_out_flush(&run->out);
    int cause = run->out.cause;
    cli_out_free(&run->out);
    if (!cause)
        return code;
    /* A reader that closed the pipe, such as head, has what it wanted. */
    if (cause != EPIPE && !run->common->quiet)
        fprintf(stderr, "reprise: standard output: cannot write: %s\n", strerror(cause));
    return CLI_FAILED;
}

/* ---- help ---- */

static void put_overview(bool colour, cli_strbuf *to)
{
    cli_puts(to, "Usage: ");
    cli_put_painted(to, colour, CLI_BOLD, "reprise VERB");
    cli_puts(to,
             " [OPTION...] FILE...\n\n"
             "Read, check, convert, anonymize, record, play and show game replays. Formats are\n"
             "detected by content.\n\n");
    for (size_t i = 0; i < CLI_COUNT(commands); i++) {
        if (commands[i]->hidden)
            continue;
        cli_puts(to, "  ");
        cli_put_painted(to, colour, CLI_BOLD, commands[i]->name);
        cli_fill(to, ' ', 12 - strlen(commands[i]->name));
        cli_printf(to, "%s\n", commands[i]->summary);
    }
    cli_puts(to, "\nSee 'reprise VERB --help' for a verb. FILE may be '-' for standard input.\n"
                 "Exit codes: 0 success, 1 failure, 2 usage error, 3 success with warnings,\n"
                 "            4 unknown format, 5 damaged or unsupported, 6 limit reached.\n");
}

static int print_text(cli_run *run, cli_strbuf *text)
{
    cli_out_put(&run->out, text->data, text->size);
    cli_strbuf_free(text);
    return CLI_DONE;
}

static int print_help(cli_run *run, const cli_command *command)
{
    cli_strbuf text = {0};
    if (command)
        cli_help(command, run->out_colour, run->width, &text);
    else
        put_overview(run->out_colour, &text);
    return print_text(run, &text);
}

/* ---- running ---- */

/* Asked before the sandbox is entered: it takes files outside the inputs to tell. */
static void choose_threads(cli_run *run)
{
    const cli_number *jobs = &run->common->jobs;
    run->threads = 1;
    if (jobs->given)
        run->threads = jobs->count < UINT_MAX ? (unsigned)jobs->count : UINT_MAX;
    else if (run->command->reads && cli_is_worth_threads(run->operands, run->operand_count))
        run->threads = cli_cores();
}

static bool jobs_ok(const cli_common *common, cli_strbuf *problem)
{
    if (!common->jobs.given || common->jobs.count)
        return true;
    cli_puts(problem, "invalid value '0' for '--jobs'; expected an integer, 1 or more");
    return false;
}

/* Which files of a directory are chosen matters only to a verb that searches directories. */
static bool choice_ok(const cli_run *run, cli_strbuf *problem)
{
    const cli_common *common = run->common;
    bool chosen = common->include.count || common->exclude.count || common->files_from;
    if (!chosen || !run->command->batches || common->output_dir)
        return true;
    cli_puts(problem, "--include, --exclude and --files-from need --output-dir");
    return false;
}

/* A list of names may be empty; then there is nothing to do. */
static bool operands_ok(const cli_run *run, cli_strbuf *problem)
{
    const cli_command *command = run->command;
    size_t count = run->operand_count;
    bool batch = command->batches && run->common->output_dir;
    if (run->common->files_from && (command->walks || batch))
        return true;
    if (count >= command->operands_min && (batch || count <= command->operands_max))
        return true;
    if (count < command->operands_min)
        cli_printf(problem, "missing operand, expected %s; see 'reprise %s --help'",
                   command->operands, command->name);
    else if (command->operands_max)
        cli_printf(problem, "too many operands, expected %s; see 'reprise %s --help'",
                   command->operands, command->name);
    else
        cli_printf(problem, "takes no operands; see 'reprise %s --help'", command->name);
    return false;
}

/* Usage errors are JSON too if --json is given, even after the wrong option. */
static bool json_asked(char **arguments, size_t count)
{
    for (size_t i = 0; i < count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "--json") == 0)
            return true;
    }
    return false;
}

static int run_command(const cli_command *command, char **arguments, size_t count)
{
    cli_common *common = cli_memory(NULL, command->settings_size);
    memset(common, 0, command->settings_size);
    bool json = json_asked(arguments, count);
    cli_run run = {.command = command, .settings = common, .common = common, .operands = arguments};
    cli_strbuf problem = {0}, notes = {0};
    bool ok = cli_options_parse(command, arguments, count, common, &run.operand_count, &notes,
                                &problem);
    prepare(&run);
    cli_say(&run, &notes);
    int code;
    if (common->help) {
        code = print_help(&run, command);
    } else if (!ok || !jobs_ok(common, &problem) || !choice_ok(&run, &problem) ||
               (common->files_from && !cli_take_files_from(&run, &problem)) ||
               !operands_ok(&run, &problem)) {
        common->json = json;
        code = cli_usage(&run, command->name, cli_strbuf_string(&problem));
    } else {
        choose_threads(&run);
        cli_sandbox_enter(&run);
        code = command->run(&run);
    }
    code = finish(&run, code);
    cli_strbuf_free(&notes);
    cli_strbuf_free(&problem);
    free(run.operands_owned);
    cli_strbuf_free(&run.listed);
    cli_strbuf_free(&common->given);
    free(common);
    return code;
}

/* Without a known verb: --version, help, or a usage error. */
static int run_without_verb(int argc, char **argv)
{
    cli_common common = {0};
    cli_run run = {.common = &common};
    prepare(&run);
    cli_strbuf problem = {0};
    const char *word = argc > 1 ? argv[1] : "--help";
    int code = CLI_DONE;
    if (strcmp(word, "--version") == 0) {
        cli_printf(&problem, "reprise %s\n", reprise_version());
        cli_out_put(&run.out, problem.data, problem.size);
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
               strcmp(word, "help") == 0) {
        /* Without arguments the overview answers a mistake, so it goes to standard error. */
        run.out.fd = argc > 1 ? STDOUT_FILENO : STDERR_FILENO;
        print_help(&run, argc > 2 ? cli_command_find(argv[2]) : NULL);
        code = argc > 1 ? CLI_DONE : CLI_USAGE;
    } else {
        common.json = json_asked(argv + 1, (size_t)argc - 1);
        cli_printf(&problem, "'%s' is not a verb; ", word);
        const char *meant = cli_closest(word, command_name, NULL);
        if (meant)
            cli_printf(&problem, "did you mean '%s'?", meant);
        else if (access(word, F_OK) == 0)
            cli_printf(&problem, "did you mean 'reprise info %s'?", word);
        else
            cli_puts(&problem, "see 'reprise --help'");
        code = cli_usage(&run, NULL, problem.data);
    }
    cli_strbuf_free(&problem);
    return finish(&run, code);
}

int cli_main(int argc, char **argv)
{
    const cli_command *command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    if (!command)
        return run_without_verb(argc, argv);
    return run_command(command, argv + 2, (size_t)argc - 2);
}
