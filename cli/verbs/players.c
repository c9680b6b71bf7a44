/* players.c - reprise players: who plays in the replays of a catalog. */
#include "batch/catalog_rows.h"

typedef struct settings {
    cli_common common;
    size_t form;
} settings;

static const char sql[] =
    "select p.name as player, p.account, p.format, count(distinct f.id) as replays,"
    " count(distinct f.map) as maps, sum(fp.outcome = 'won') as won, sum(fp.outcome = 'lost') as"
    " lost, sum(f.length) as length, min(f.date) as first, max(f.date) as last"
    " from player p join file_player fp on fp.player_id = p.id join file f on f.id = fp.file_id"
    " where f.removed = 0 and coalesce(fp.bot, 0) = 0"
    " and (?1 = '' or p.account = ?1 or p.id in (select player_id from file_player"
    "  where instr(lower(name), lower(?1))))"
    " group by p.id order by replays desc, player, p.id";

static int run_players(cli_run *run)
{
    const settings *s = run->settings;
    cli_parameters values = cli_parameters_new();
    cli_parameters_text(&values, run->operand_count > 1 ? run->operands[1] : "");
    int code = cli_ask_run(run, run->operands[0],
                           &(cli_ask){.sql = sql,
                                      .parameters = values.list,
                                      .form = s->form,
                                      .durations = " length ",
                                      .empty = "no players"});
    cli_parameters_free(&values);
    return code;
}

static const cli_option options[] = {
    CLI_OPTION_ROW_FORM(settings),
};

const cli_command cli_players = {
    .name = "players",
    .summary = "list the players in a catalog",
    .operands = "DIR|CATALOG [NAME]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Lists who plays in the replays of a catalog, which 'reprise index' makes: with account, "
        "number of replays and maps, matches won and lost, total length, and the dates of the "
        "first "
        "and last replay. A player with an account is one line under the latest name; NAME finds "
        "accounts, and parts of all names that were used.",
    .examples = {{"reprise players replays/", "List all players."},
                 {"reprise players replays/ alice", "Find a player by name."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .settings_size = sizeof(settings),
    .run = run_players,
};
