/* anonymize.c - reprise anonymize: private data out, and a proof that it is gone. */
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
            snprintf(error->message, sizeof error->message, "--%s: no '%.40s'", option,
                     words->items[i]);
            snprintf(error->hint, sizeof error->hint,
                     "names chat voice ids addresses times looks content extensions drawings");
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
    snprintf(error->message, sizeof error->message, "--keep leaves nothing to remove");
    snprintf(error->hint, sizeof error->hint, "'reprise convert' writes a copy as it is");
    return false;
}

/* ---- the files ---- */

/* What is written: the replay, the table for the owner, and the report. */
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

/* The table says who is who: it is for the owner alone. */
static reprise_status write_substitutions(cli_outfile *file, const reprise_value *report,
                                          reprise_error *error)
{
    cli_strbuf text = {0};
    cli_put_value(&text, reprise_value_get(report, "substitutions"));
    cli_putc(&text, '\n');
    cli_out_put(&file->out, text.data, text.size);
    cli_strbuf_free(&text);
    return cli_outfile_commit(file, error) == REPRISE_OK ? REPRISE_OK
                                                         : blame("the table", file->path, error);
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
                                                         : blame("the report", file->path, error);
}

static int write_out(void *ctx, const void *data, size_t size)
{
    cli_out *out = ctx;
    cli_out_put(out, data, size);
    return out->cause;
}

/*
 * All files or none, and what they replace stays until all are on disk. Table and report come
 * first: without them the replay does not appear.
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
                 "the table is missing; the replay is on standard output already");
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
    reprise_status status = open_beside(&to.substitutions, "the table", s->substitutions,
                                        owner_only, s->change.force, error);
    if (status == REPRISE_OK)
        status = open_beside(&to.report, "the report", s->report, options->mode, s->change.force,
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
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply,
                                                .secret = "substitutions",
                                                .accounts = true,
                                                .dry_run = s->dry_run});
}

static const cli_option options[] = {
    {.name = "only",
     .value = "KINDS",
     .choices = "names chat voice ids addresses times looks content extensions drawings",
     .group = "What goes",
     .doc = "Just these, between commas: names, chat, voice, ids, addresses, times, looks "
            "(cosmetics), content (custom maps, members nobody knows), extensions (of other mods), "
            "drawings "
            "(pings and drawings on the map).",
     .offset = offsetof(settings, only),
     .parse = cli_parse_words},
    {.name = "keep",
     .value = "KINDS",
     .choices = "names chat voice ids addresses times looks content extensions drawings",
     .group = "What goes",
     .doc = "Leave these kinds in. What stays is searched like the rest.",
     .offset = offsetof(settings, keep),
     .parse = cli_parse_words},
    {.name = "share",
     .group = "What goes",
     .doc = "What publication needs: account ids, addresses, and of chat what was not meant for "
            "everybody, in formats that tell; names stay.",
     .offset = offsetof(settings, share),
     .parse = cli_parse_flag},
    {.name = "drop-chat",
     .group = "What goes",
     .doc = "All chat as well, beside --share or --only; otherwise it goes anyway.",
     .offset = offsetof(settings, drop_chat),
     .parse = cli_parse_flag},
    {.name = "drawings",
     .group = "What goes",
     .doc = "Pings and drawings on the map as well, which stay otherwise.",
     .offset = offsetof(settings, drawings),
     .parse = cli_parse_flag},
    {.name = "keep-dates",
     .group = "What goes",
     .doc = "The same as --keep times.",
     .offset = offsetof(settings, keep_dates),
     .parse = cli_parse_flag},
    {.name = "keep-extensions",
     .group = "What goes",
     .doc = "The same as --keep extensions.",
     .offset = offsetof(settings, keep_extensions),
     .parse = cli_parse_flag},
    {.name = "dry-run",
     .group = "Where it goes",
     .doc = "Do everything and report it, but write no replay.",
     .offset = offsetof(settings, dry_run),
     .parse = cli_parse_flag},
    {.name = "report",
     .value = "FILE",
     .choices = "<file>",
     .group = "Where it goes",
     .doc = "Write the report as JSON, with the SHA-256 of input and output.",
     .offset = offsetof(settings, report),
     .parse = cli_parse_text},
    {.name = "substitutions",
     .former_name = "map",
     .value = "FILE",
     .choices = "<file>",
     .group = "Where it goes",
     .doc = "Write the table of what became what as JSON. Only the owner can read the file.",
     .offset = offsetof(settings, substitutions),
     .parse = cli_parse_text},
    CLI_OPTION_LOSSY(settings, "Where it goes"),
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_anonymize = {
    .name = "anonymize",
    .summary = "remove private data, and prove that it is gone",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Replaces names by 'Player 1' and so on, and ids, ratings, body measurements and mouse "
        "settings by neutral values; removes chat, voices, addresses, dates, cosmetics, custom "
        "maps and data of other mods. Then everything in the result is decompressed and searched "
        "for each text that was removed, as UTF-8 and UTF-16, and for private values; if one is "
        "found, the result is not kept.\n\n"
        "Ends with a report: what was removed, by kind; what was kept, and why; and what is "
        "unproven, because no program can judge it, such as the state of a campaign script. The "
        "exit code is 3 if something unproven should be looked into.\n\n"
        "A name of three letters may be in binary data by chance, so it is compared with every "
        "text of the result; a note says so.",
    .examples =
        {{"reprise anonymize match.replay public.replay", "Everything private."},
         {"reprise anonymize --keep times --substitutions who.json match.replay public.replay",
          "With dates, and a table for yourself."},
         {"reprise anonymize --dry-run match.replay", "What would go, and what would stay."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_anonymize,
};
