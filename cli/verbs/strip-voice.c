/* strip-voice.c - reprise strip-voice: a replay without what was said. */
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
    .summary = "take recorded voices out and nothing else",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description = "Writes a replay again without the voices that were recorded with it; what is "
                   "known and signed about the match stays as it is. The same as 'anonymize "
                   "--only voice'.",
    .examples = {{"reprise strip-voice match.icrep quiet.icrep", "Ready for submission."},
                 {"reprise strip-voice match.replay quiet.replay", "The same for RUMBLE."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_strip_voice,
};
