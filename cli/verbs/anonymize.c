/* anonymize.c - reprise anonymize: removes private data and checks that it is gone. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "batch/outfile.h"
#include "rewrite.h"
#include "ui/report.h"

typedef struct settings {
    cli_rewrite change;
    cli_words only, keep;
    bool share, keep_dates, keep_extensions, drawings, drop_chat, dry_run;
    const char *substitutions, *report;
} settings;

static const struct {
    const char *name;
    uint32_t what;
} kinds[] = {
    {"names", REPRISE_PRIVATE_NAMES},           {"chat", REPRISE_PRIVATE_CHAT},
    {"voice", REPRISE_PRIVATE_VOICE},           {"ids", REPRISE_PRIVATE_IDS},
    {"addresses", REPRISE_PRIVATE_ADDRESSES},   {"times", REPRISE_PRIVATE_TIMES},
    {"looks", REPRISE_PRIVATE_LOOKS},           {"content", REPRISE_PRIVATE_CONTENT},
    {"extensions", REPRISE_PRIVATE_EXTENSIONS}, {"drawings", REPRISE_PRIVATE_MARKS},
};

static bool add_kinds(const char *option, const cli_words *words, uint32_t *what,
                      reprise_error *error)
{
    for (size_t i = 0; i < words->count; i++) {
        uint32_t one = 0;
        for (size_t k = 0; k < CLI_COUNT(kinds); k++) {
            if (strcmp(kinds[k].name, words->items[i]) == 0)
                one = kinds[k].what;
        }
        if (!one) {
            error->status = REPRISE_E_USAGE;
            snprintf(error->message, sizeof error->message, "unknown kind '%.40s' for '--%s'",
                     words->items[i], option);
            snprintf(
                error->hint, sizeof error->hint,
                "kinds: names chat voice ids addresses times looks content extensions drawings");
            return false;
        }
        *what |= one;
    }
    return true;
}

static bool choose(const settings *s, uint32_t *ret_what, reprise_error *error)
{
    uint32_t what = s->only.count ? 0 : REPRISE_PRIVATE_ALL, kept = 0;
    if (s->share)
        what = REPRISE_PRIVATE_CHAT | REPRISE_PRIVATE_WHISPERS | REPRISE_PRIVATE_IDS |
               REPRISE_PRIVATE_ADDRESSES;
    if (!add_kinds("only", &s->only, &what, error) || !add_kinds("keep", &s->keep, &kept, error))
        return false;
    if (s->keep_dates)
        kept |= REPRISE_PRIVATE_TIMES;
    if (s->keep_extensions)
        kept |= REPRISE_PRIVATE_EXTENSIONS;
    if (s->drawings)
        what |= REPRISE_PRIVATE_MARKS;
    if (s->drop_chat)
        what = (what | REPRISE_PRIVATE_CHAT) & ~(uint32_t)REPRISE_PRIVATE_WHISPERS;
    what &= ~kept;
    if (what & ~(uint32_t)REPRISE_PRIVATE_WHISPERS) {
        *ret_what = what;
        return true;
    }
    error->status = REPRISE_E_USAGE;
    snprintf(error->message, sizeof error->message,
             "nothing is left to remove; --keep names every kind");
    snprintf(error->hint, sizeof error->hint, "'reprise convert' writes an unchanged copy");
    return false;
}

/* ---- the files ---- */

/* The files written: the replay, the table of substitutions, and the report. */
typedef struct outputs {
    cli_outfile result, substitutions, report;
} outputs;

static reprise_status blame(const char *what, const char *path, reprise_error *error)
{
    char why[sizeof error->message];
    snprintf(why, sizeof why, "%s", error->message);
    snprintf(error->message, sizeof error->message, "%s %.80s: %.80s", what, path, why);
    return error->status;
}

static reprise_status open_beside(cli_outfile *file, const char *what, const char *path,
                                  uint32_t mode, bool force, reprise_error *error)
{
    if (!path)
        return REPRISE_OK;
    if (cli_outfile_open(file, path, force, error) != REPRISE_OK ||
        cli_outfile_mode(file, mode, error) != REPRISE_OK)
        return blame(what, path, error);
    return REPRISE_OK;
}

/* The table identifies people, so the report on standard output leaves it out. */
static reprise_status write_substitutions(cli_outfile *file, const reprise_value *report,
                                          reprise_error *error)
{
    cli_strbuf text = {0};
    cli_put_value(&text, reprise_value_get(report, "substitutions"));
    cli_putc(&text, '\n');
    cli_out_put(&file->out, text.data, text.size);
    cli_strbuf_free(&text);
    return cli_outfile_commit(file, error) == REPRISE_OK
               ? REPRISE_OK
               : blame("table of substitutions", file->path, error);
}

static reprise_status write_report(cli_outfile *file, const reprise_value *report,
                                   reprise_error *error)
{
    cli_strbuf text = {0};
    cli_json json = {.to = &text, .pretty = true};
    cli_json_object(&json, NULL);
    cli_json_members(&json, report, "substitutions");
    cli_json_close(&json);
    cli_putc(&text, '\n');
    cli_out_put(&file->out, text.data, text.size);
    cli_strbuf_free(&text);
    return cli_outfile_commit(file, error) == REPRISE_OK ? REPRISE_OK
                                                         : blame("report", file->path, error);
}

static int write_out(void *ctx, const void *data, size_t size)
{
    cli_out *out = ctx;
    cli_out_put(out, data, size);
    return out->cause;
}

/*
 * Writes all files or none; files they replace stay until all are on disk. Table and report come
 * first, so that the replay never appears without them.
 */
static reprise_status apply_all(outputs *to, reprise_replay *replay, uint32_t what,
                                reprise_write_options options, const reprise_value **ret_report,
                                reprise_error *error)
{
    const char *path = options.path;
    reprise_sink sink = {.ctx = &to->result.out, .write = write_out};
    if (path) {
        reprise_status status = cli_outfile_open(&to->result, path, options.replace, error);
        if (status == REPRISE_OK && options.mode)
            status = cli_outfile_mode(&to->result, options.mode, error);
        if (status != REPRISE_OK)
            return status;
        options.path = NULL;
        options.sink = &sink;
    }
    reprise_status status = reprise_anonymize(replay, what, &options, ret_report, error);
    if (status == REPRISE_OK && to->substitutions.path)
        status = write_substitutions(&to->substitutions, *ret_report, error);
    else if (status != REPRISE_OK)
        return status;
    if (status == REPRISE_OK && to->report.path) {
        status = write_report(&to->report, *ret_report, error);
        if (status != REPRISE_OK && to->substitutions.path)
            unlink(to->substitutions.path);
    }
    if (status != REPRISE_OK && !path && !options.dry_run) {
        error->advice = REPRISE_HINT_NONE;
        snprintf(error->hint, sizeof error->hint,
                 "the replay has already been written to standard output");
    }
    if (status != REPRISE_OK || !path)
        return status;
    status = cli_outfile_commit(&to->result, error);
    if (status != REPRISE_OK && to->substitutions.path)
        unlink(to->substitutions.path);
    if (status != REPRISE_OK && to->report.path)
        unlink(to->report.path);
    return status;
}

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    uint32_t what;
    if (!choose(s, &what, error))
        return error->status;
    if (!s->substitutions && !s->report)
        return reprise_anonymize(replay, what, options, ret_report, error);
    outputs to = {.result.out.fd = -1, .substitutions.out.fd = -1, .report.out.fd = -1};
    uint32_t owner_only = 0600;
    reprise_status status = open_beside(&to.substitutions, "table of substitutions",
                                        s->substitutions, owner_only, s->change.force, error);
    if (status == REPRISE_OK)
        status = open_beside(&to.report, "report", s->report, options->mode, s->change.force,
                             error);
    if (status == REPRISE_OK)
        status = apply_all(&to, replay, what, *options, ret_report, error);
    cli_outfile_close(&to.substitutions);
    cli_outfile_close(&to.report);
    cli_outfile_close(&to.result);
    return status;
}

static int run_anonymize(cli_run *run)
{
    const settings *s = run->settings;
    const char *const beside[] = {s->substitutions, s->report};
    if (s->change.common.output_dir && (s->substitutions || s->report))
        return cli_usage(run, "anonymize",
                         "--substitutions and --report are for one file; --json lists all reports "
                         "of --output-dir");
    for (size_t i = 0; i < CLI_COUNT(beside); i++) {
        reprise_error error = REPRISE_ERROR_INIT;
        if (beside[i] && cli_outfile_check(beside[i], s->change.force, &error) != REPRISE_OK)
            return cli_report(run, beside[i], &error);
    }
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply,
                                                .secret = "substitutions",
                                                .accounts = true,
                                                .dry_run = s->dry_run});
}

static const cli_option options[] = {
    {.name = "only",
     .value = "KINDS",
     .choices = "names chat voice ids addresses times looks content extensions drawings",
     .group = "Private data",
     .doc = "Remove only these kinds, separated by commas: names, chat, voice, ids, addresses, "
            "times, looks (cosmetics), content (custom maps, unknown members), extensions (data of "
            "other mods), drawings (pings and drawings on the map).",
     .offset = offsetof(settings, only),
     .parse = cli_parse_words},
    {.name = "keep",
     .value = "KINDS",
     .choices = "names chat voice ids addresses times looks content extensions drawings",
     .group = "Private data",
     .doc = "Keep these kinds. They are still searched for removed texts.",
     .offset = offsetof(settings, keep),
     .parse = cli_parse_words},
    {.name = "share",
     .group = "Private data",
     .doc = "Remove only what must not be published: account ids, addresses, and chat that was "
            "not sent to everyone, in formats that record this. Names are kept.",
     .offset = offsetof(settings, share),
     .parse = cli_parse_flag},
    {.name = "drop-chat",
     .group = "Private data",
     .doc = "With --share or --only, also remove all chat.",
     .offset = offsetof(settings, drop_chat),
     .parse = cli_parse_flag},
    {.name = "drawings",
     .group = "Private data",
     .doc = "Also remove pings and drawings on the map.",
     .offset = offsetof(settings, drawings),
     .parse = cli_parse_flag},
    {.name = "keep-dates",
     .group = "Private data",
     .doc = "Same as --keep times.",
     .offset = offsetof(settings, keep_dates),
     .parse = cli_parse_flag},
    {.name = "keep-extensions",
     .group = "Private data",
     .doc = "Same as --keep extensions.",
     .offset = offsetof(settings, keep_extensions),
     .parse = cli_parse_flag},
    {.name = "dry-run",
     .group = CLI_OUTPUT_GROUP,
     .doc = "Print the report but write no replay.",
     .offset = offsetof(settings, dry_run),
     .parse = cli_parse_flag},
    {.name = "report",
     .value = "FILE",
     .choices = "<file>",
     .group = CLI_OUTPUT_GROUP,
     .doc = "Write the report to FILE as JSON, with the SHA-256 of input and output.",
     .offset = offsetof(settings, report),
     .parse = cli_parse_text},
    {.name = "substitutions",
     .former_name = "map",
     .value = "FILE",
     .choices = "<file>",
     .group = CLI_OUTPUT_GROUP,
     .doc = "Write the table of replaced names and ids to FILE as JSON, readable only by you.",
     .offset = offsetof(settings, substitutions),
     .parse = cli_parse_text},
    CLI_OPTION_LOSSY(settings, CLI_OUTPUT_GROUP),
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_anonymize = {
    .name = "anonymize",
    .summary = "remove private data and check that it is gone",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Replaces names by 'Player 1' and so on, and ids, ratings, body measurements and mouse "
        "settings by neutral values. Removes chat, voices, addresses, dates, cosmetics, custom "
        "maps "
        "and data of other mods. The result is then decompressed and searched for every removed "
        "text, as UTF-8 and UTF-16, and for private values; if any is found, nothing is "
        "written.\n\n"
        "The report lists what was removed by kind, what was kept and why, and what is unproven "
        "because no program can judge it, such as the state of a campaign script. The exit code is "
        "3 if an unproven item should be checked by hand.\n\n"
        "A name of up to three letters can occur in binary data by chance, so it is compared with "
        "complete texts only; a note says so.",
    .examples =
        {{"reprise anonymize match.replay public.replay", "Remove everything private."},
         {"reprise anonymize --keep times --substitutions who.json match.replay public.replay",
          "Keep dates, and write a table of the replaced names."},
         {"reprise anonymize --dry-run match.replay", "Show what would be removed and kept."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_anonymize,
};
