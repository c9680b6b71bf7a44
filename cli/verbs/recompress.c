/* recompress.c - reprise recompress: writes the same content at another compression level. */
#include "rewrite.h"

typedef struct settings {
    cli_rewrite change;
    bool long_range;
} settings;

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    options->long_range = s->long_range;
    /* The user's settings are for new recordings, not for archiving. */
    if (!s->change.level_given)
        options->level = REPRISE_LEVEL_DEFAULT;
    return reprise_recompress(replay, options, ret_report, error);
}

static int run_recompress(cli_run *run)
{
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply});
}

static const cli_option options[] = {
    {.name = "long",
     .group = CLI_OUTPUT_GROUP,
     .doc = "Search for repetitions up to 16 MiB back, in formats that use zstd.",
     .offset = offsetof(settings, long_range),
     .parse = cli_parse_flag},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_recompress = {
    .name = "recompress",
    .summary = "compress a replay again without changing its content",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description = "Compresses a replay again without changing its content, in any layout that can "
                   "be read. Without --level the result is as small as possible, and never larger "
                   "than the original. All tracks of the result are compared with those of the "
                   "original before the new file appears.",
    .examples = {{"reprise recompress match.replay small.replay",
                  "Make a replay as small as possible."},
                 {"reprise recompress --level 19 --long record.replay small.replay",
                  "Compress a long recording with many repetitions."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_recompress,
};
