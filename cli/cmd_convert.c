/* cmd_convert.c - reprise convert: the same replay in another layout. */
#include <string.h>

#include <reprise/live.h>

#include "change.h"

typedef struct settings {
    cli_change change;
    const char *to;
} settings;

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    if (s->to && strcmp(s->to, "openra") == 0)
        return reprise_restore(replay, options, ret_report, error);
    options->layout = s->to;
    return reprise_convert(replay, options, ret_report, error);
}

static int run_convert(cli_run *run)
{
    return cli_change_run(run, &(cli_changer){.apply = apply});
}

static const cli_option options[] = {
    {.name = "to",
     .letter = 't',
     .value = "LAYOUT",
     .group = "What is written",
     .doc =
         "The layout to write; 'reprise formats' lists them. Without it, the format's usual one. "
         "'openra' takes an imported replay back to where it came from.",
     .offset = offsetof(settings, to),
     .parse = cli_parse_text},
    CLI_OPTION_LOSSY(settings, "What is written"),
    CLI_CHANGE_OPTIONS(settings),
};

const cli_command cli_convert = {
    .name = "convert",
    .summary = "write a replay in another layout; says what would be lost and refuses",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Writes a replay in another layout of its format. What that layout cannot hold is found "
        "out before anything is written; it is listed, and nothing happens without --lossy. "
        "Unknown members, extra files and ids are kept.\n\n"
        "The exit code is 3 when something was lost or left out, 5 when that was refused.",
    .examples = {{"reprise convert old.replay new.replay", "The newest layout."},
                 {"reprise convert --to l1 --lossy new.replay old.replay",
                  "The published legacy layout, without what it cannot hold."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_convert,
};
