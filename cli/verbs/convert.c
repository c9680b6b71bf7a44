/* convert.c - reprise convert: writes a replay in another layout, or changes what it embeds. */
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

/* Only the embedded section changes, so layout and level do not apply. */
static reprise_status embed(reprise_replay *replay, const cli_embedding *request,
                            const reprise_write_options *options, const reprise_value **ret_report,
                            reprise_error *error)
{
    const reprise_value *about = NULL;
    cli_embedded embedded;
    reprise_status status = reprise_info(replay, &about, error);
    if (status != REPRISE_OK)
        return status;
    status = cli_embedded_read(request, reprise_value_get(about, "active_mods"), &embedded, error);
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
        return cli_usage(
            run, "convert",
            "--embed-map and --installed need --embed, which cannot be combined with --to");
    bool openra = s->to && strcmp(s->to, "openra") == 0;
    return cli_rewrite_run(run,
                           &(cli_rewriter){.apply = apply, .suffix = openra ? ".orarep" : NULL});
}

static const cli_option options[] = {
    {.name = "to",
     .letter = 't',
     .value = "LAYOUT",
     .group = "Conversion",
     .doc =
         "Write this layout; 'reprise formats' lists them (default: the format's newest). 'openra' "
         "turns an imported replay back into an OpenRA one.",
     .offset = offsetof(settings, to),
     .parse = cli_parse_text},
    CLI_OPTION_LOSSY(settings, "Conversion"),
    CLI_EMBEDDING_OPTIONS(settings, "Embedded content"),
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_convert = {
    .name = "convert",
    .summary = "write a replay in another layout, with nothing lost unless allowed",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Writes a replay in another layout of its format. If that layout cannot hold everything, "
        "the losses are listed and nothing is written without --lossy. Unknown members, extra "
        "files "
        "and ids are kept.\n\n"
        "With --embed, the map and rules of an Iron Curtain replay are added or removed; hashes "
        "and "
        "signatures do not change.\n\n"
        "The exit code is 3 if something was lost or left out, and 5 if it would have been.",
    .examples =
        {{"reprise convert old.replay new.replay", "Convert to the newest layout."},
         {"reprise convert --to l1 --lossy new.replay old.replay",
          "Convert to the legacy layout and drop what it cannot hold."},
         {"reprise convert --embed self-contained --embed-map island.map --installed ~/mods "
          "match.icrep archive.icrep",
          "Embed map and rules for an archive."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_convert,
};
