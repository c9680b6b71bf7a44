/* convert.c - reprise convert: the same replay in another layout. */
#include <string.h>

#include <reprise/ironcurtain/live.h>

#include "installed_rules.h"
#include "rewrite.h"
#include "ui/report.h"

typedef struct settings {
    cli_rewrite change;
    const char *to;
    cli_embedding embedding;
} settings;

/* Everything but the embedded section stays, so neither layout nor level have a say. */
static reprise_status embed(reprise_replay *replay, const cli_embedding *wish,
                            const reprise_write_options *options, const reprise_value **ret_report,
                            reprise_error *error)
{
    const reprise_value *about = NULL;
    cli_embedded embedded;
    reprise_status status = reprise_info(replay, &about, error);
    if (status != REPRISE_OK)
        return status;
    status = cli_embedded_read(wish, reprise_value_get(about, "active_mods"), &embedded, error);
    if (status == REPRISE_OK)
        status = reprise_ic_embed(replay, embedded.mode, &embedded.with, options, ret_report,
                                  error);
    cli_embedded_free(&embedded);
    return status;
}

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    if (s->embedding.mode)
        return embed(replay, &s->embedding, options, ret_report, error);
    if (s->to && strcmp(s->to, "openra") == 0)
        return reprise_ic_export(replay, options, ret_report, error);
    options->layout = s->to;
    return reprise_convert(replay, options, ret_report, error);
}

static int run_convert(cli_run *run)
{
    const settings *s = run->settings;
    if (s->embedding.mode ? s->to != NULL : s->embedding.map || s->embedding.installed)
        return cli_usage(run, "convert",
                         "--embed changes what a replay brings along and nothing else; --embed-map "
                         "and --installed belong to it, --to does not");
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply});
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
    CLI_EMBEDDING_OPTIONS(settings, "Embedded content"),
    CLI_REWRITE_OPTIONS(settings),
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
        "With --embed an Iron Curtain replay gets or loses its map and rules; its hashes and "
        "signatures stay as they are.\n\n"
        "The exit code is 3 when something was lost or left out, 5 when that was refused.",
    .examples =
        {{"reprise convert old.replay new.replay", "The newest layout."},
         {"reprise convert --to l1 --lossy new.replay old.replay",
          "The published legacy layout, without what it cannot hold."},
         {"reprise convert --embed self-contained --embed-map island.map --installed ~/mods "
          "match.icrep archive.icrep",
          "With map and rules, for an archive."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_convert,
};
