/* recompress.c - reprise recompress: the same content at another level. */
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
    /* Settings are about new recordings; this one is to be kept. */
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
     .group = "How",
     .doc = "Look for repetitions far back, up to 16 MiB; for formats that use zstd.",
     .offset = offsetof(settings, long_range),
     .parse = cli_parse_flag},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_recompress = {
    .name = "recompress",
    .summary = "the same content at another level, compared before it appears",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description = "Compresses a replay anew without touching what is inside, in any layout that "
                   "can be read; without --level as small as it gets, and never larger than it "
                   "was: a file that was compressed better is kept as it is. All tracks of "
                   "the result are compared with those of the original "
                   "before the new file appears.",
    .examples = {{"reprise recompress match.replay small.replay", "As small as it gets."},
                 {"reprise recompress --level 19 --long record.replay small.replay",
                  "A long recording in which much comes back."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_recompress,
};
