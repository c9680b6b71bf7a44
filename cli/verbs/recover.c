/* recover.c - reprise recover: writes the complete parts of a damaged file as a sound one. */
#include "rewrite.h"

typedef struct settings {
    cli_rewrite change;
} settings;

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    (void)run;
    return reprise_recover(replay, options, ret_report, error);
}

static int run_recover(cli_run *run)
{
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply, .salvage = true});
}

static const cli_option options[] = {
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_recover = {
    .name = "recover",
    .summary = "write a sound replay from a damaged or unfinished file",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Writes every complete frame as a sound replay, which is verified before it appears. "
        "Archives without a directory, truncated streams, wrong checksums and damaged frames in "
        "the "
        "middle are read as far as possible; a lost manifest is rebuilt.\n\n"
        "The exit code is 3 if something was lost; the report lists it.",
    .examples = {{"reprise recover broken.replay sound.replay", "Keep everything complete."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_recover,
};
