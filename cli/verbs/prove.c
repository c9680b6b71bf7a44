/* prove.c - reprise prove: writes a Merkle proof for one part of a signed state. */
#include <reprise/ironcurtain/codec.h>

#include "rewrite.h"
#include "ui/report.h"
#include <reprise/write.h>

typedef struct settings {
    cli_rewrite change;
    cli_moment tick;
    const char *part;
} settings;

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    return reprise_ic_prove(replay, (uint64_t)s->tick.moment.index, s->part, options, ret_report,
                            error);
}

static int run_prove(cli_run *run)
{
    const settings *s = run->settings;
    if (!s->tick.given || !s->part)
        return cli_usage(run, "prove", "needs --tick and --part; see 'reprise prove --help'");
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply});
}

static const cli_option options[] = {
    {.name = "tick",
     .value = "N",
     .group = "Proof",
     .doc = "Prove the state at signed tick N; 'reprise cat --track signatures' lists them.",
     .offset = offsetof(settings, tick),
     .parse = cli_parse_index},
    {.name = "part",
     .value = "NAME",
     .choices = "core rng intern players map",
     .group = "Proof",
     .doc = "Prove this part of the state: core, rng, intern, players, map, or arch:NAME for the "
            "entities of an archetype.",
     .offset = offsetof(settings, part),
     .parse = cli_parse_text},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_prove = {
    .name = "prove",
    .summary = "write a Merkle proof for one part of a signed state",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description = "Writes an .icproof file with one part of the state at a signed tick of an Iron "
                   "Curtain replay, the path from it to the signed hash, and the signature. "
                   "'reprise verify' checks it without the replay.",
    .examples = {{"reprise prove --tick 600 --part players signed.icrep players.icproof",
                  "Prove the resources of all players without publishing the rest."},
                 {"reprise verify --trusted-keys trusted.txt players.icproof",
                  "Check the proof and who signed it."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_prove,
};
