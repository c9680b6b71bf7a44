/* import.c - reprise import: converts replays of other games to Iron Curtain replays. */
#include <stdlib.h>

#include <reprise/ironcurtain/live.h>

#include "rewrite.h"
#include "ui/report.h"

typedef struct settings {
    cli_rewrite change;
    bool lossless, batch;
} settings;

/* Reproducible builds set the date of the conversion. */
static int64_t conversion_date(void)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    return text ? strtoll(text, NULL, 10) : 0;
}

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    reprise_ic_import_options importing = REPRISE_IC_IMPORT_INIT;
    importing.lossless = s->lossless;
    importing.date = conversion_date();
    return reprise_ic_import(replay, &importing, options, ret_report, error);
}

static int run_import(cli_run *run)
{
    settings *s = (settings *)(uintptr_t)run->settings; /* of this run alone */
    if (s->batch && !s->change.output)
        return cli_usage(run, "import",
                         "--batch needs a directory for the results; such as -o imported");
    if (!s->batch && !s->change.common.output_dir && run->operand_count > 2)
        return cli_usage(
            run, "import",
            "too many operands, expected FILE and NEW; --output-dir takes several files");
    if (s->batch) {
        s->change.common.output_dir = s->change.output;
        s->change.output = NULL;
    }
    return cli_rewrite_run(run,
                           &(cli_rewriter){.apply = apply, .writes = "icrep", .suffix = ".icrep"});
}

static const cli_option options[] = {
    {.name = "lossless",
     .group = "Import",
     .doc = "Keep orders without a counterpart as stored instead of leaving them out.",
     .offset = offsetof(settings, lossless),
     .parse = cli_parse_flag},
    {.name = "batch",
     .group = "Import",
     .doc = "With --output DIR, same as --output-dir DIR.",
     .offset = offsetof(settings, batch),
     .parse = cli_parse_flag},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_import = {
    .name = "import",
    .summary = "convert OpenRA and classic Command & Conquer replays to Iron Curtain",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Translates the orders of another game. Times become ticks of a fifteenth of a second. The "
        "result names its source and counts the orders without a counterpart. It holds no states, "
        "because the other game cannot be simulated.\n\n"
        "The exit code is 3 if orders were left out or the file is damaged; the report lists the "
        "losses. With --lossless, every order of a player is kept.",
    .examples = {{"reprise import match.orarep imported.icrep", "Import one replay."},
                 {"reprise import --lossless --output-dir imported openra/",
                  "Import a directory and keep every order."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_import,
};
