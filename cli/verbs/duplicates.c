/* duplicates.c - reprise duplicates: replays that a catalog holds more than once. */
#include "batch/catalog_rows.h"

typedef struct settings {
    cli_common common;
    size_t form;
} settings;

static const char sql[] =
    "select dense_rank() over (order by d.kind, d.key) as number, d.kind, f.format, f.layout,"
    " f.size, f.date, d.path as file from duplicate d join file f on f.id = d.file_id"
    " order by number, file";

static int run_duplicates(cli_run *run)
{
    const settings *s = run->settings;
    return cli_ask_run(run, run->operands[0],
                       &(cli_ask){.sql = sql, .form = s->form, .empty = "no duplicates"});
}

static const cli_option options[] = {
    CLI_OPTION_ROW_FORM(settings),
};

const cli_command cli_duplicates = {
    .name = "duplicates",
    .summary = "list replays that a catalog holds more than once",
    .operands = "DIR|CATALOG",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 1,
    .description =
        "Lists replays that are several times in a catalog, which 'reprise index' makes. The files "
        "of a group have one number. Kinds of groups: bytes (the same content), run (the same run "
        "in different layouts) and match (the same match, recorded by several people or in "
        "different layouts). Matches are recognised by the id or random seed of the game; RUMBLE "
        "has neither, so there it is the accounts of the players and the order in which they lose "
        "health.",
    .examples = {{"reprise duplicates replays/", "List all duplicates."},
                 {"reprise duplicates --json replays/ | jq -r '.[] | select(.kind == \"bytes\") | "
                  ".file'",
                  "List identical files for a script."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .settings_size = sizeof(settings),
    .run = run_duplicates,
};
