/* strip-voice.c - reprise strip-voice: writes a replay without its recorded voices. */
#include "rewrite.h"

typedef struct settings {
    cli_rewrite change;
} settings;

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    (void)run;
    return reprise_anonymize(replay, REPRISE_PRIVATE_VOICE, options, ret_report, error);
}

static int run_strip_voice(cli_run *run)
{
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply});
}

static const cli_option options[] = {
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_strip_voice = {
    .name = "strip-voice",
    .summary = "remove recorded voices and nothing else",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description = "Writes a copy of a replay without its recorded voices. Everything else, "
                   "signatures included, does not change. Same as 'reprise anonymize --only "
                   "voice'.",
    .examples = {{"reprise strip-voice match.icrep quiet.icrep",
                  "Remove the voices of an Iron Curtain replay."},
                 {"reprise strip-voice match.replay quiet.replay",
                  "Remove the voices of a RUMBLE replay."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_strip_voice,
};
