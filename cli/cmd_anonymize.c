/* cmd_anonymize.c - reprise anonymize: private data out, and a proof that it is gone. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "change.h"
#include "outfile.h"

typedef struct settings {
    cli_change change;
    cli_words only;
    bool share, keep_dates, keep_extensions, drawings, drop_chat;
    const char *map;
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

static bool choose(const settings *s, uint32_t *ret_what, reprise_error *error)
{
    uint32_t what = s->only.count ? 0 : REPRISE_PRIVATE_ALL;
    if (s->share)
        what = REPRISE_PRIVATE_CHAT | REPRISE_PRIVATE_WHISPERS | REPRISE_PRIVATE_IDS |
               REPRISE_PRIVATE_ADDRESSES;
    for (size_t i = 0; i < s->only.count; i++) {
        uint32_t one = 0;
        for (size_t k = 0; k < CLI_COUNT(kinds); k++) {
            if (strcmp(kinds[k].name, s->only.items[i]) == 0)
                one = kinds[k].what;
        }
        if (!one) {
            error->status = REPRISE_E_USAGE;
            snprintf(error->message, sizeof error->message, "--only: no '%.40s'", s->only.items[i]);
            snprintf(error->hint, sizeof error->hint,
                     "names chat voice ids addresses times looks content extensions drawings");
            return false;
        }
        what |= one;
    }
    if (s->keep_dates)
        what &= ~(uint32_t)REPRISE_PRIVATE_TIMES;
    if (s->keep_extensions)
        what &= ~(uint32_t)REPRISE_PRIVATE_EXTENSIONS;
    if (s->drawings)
        what |= REPRISE_PRIVATE_MARKS;
    if (s->drop_chat)
        what = (what | REPRISE_PRIVATE_CHAT) & ~(uint32_t)REPRISE_PRIVATE_WHISPERS;
    *ret_what = what;
    return true;
}

/* The table for the owner, in a file of its own. */
static reprise_status write_map(cli_outfile *file, const reprise_value *report,
                                reprise_error *error)
{
    cli_text text = {0};
    cli_put_value(&text, reprise_value_get(report, "substitutions"));
    cli_putc(&text, '\n');
    cli_out_put(&file->out, text.data, text.size);
    cli_text_free(&text);
    reprise_status status = cli_outfile_commit(file, error);
    if (status != REPRISE_OK) {
        char why[sizeof error->message];
        snprintf(why, sizeof why, "%s", error->message);
        snprintf(error->message, sizeof error->message, "the table %.80s: %.80s", file->path, why);
    }
    return status;
}

static int write_out(void *ctx, const void *data, size_t size)
{
    cli_out *out = ctx;
    cli_out_put(out, data, size);
    return out->cause;
}

/*
 * Both files or none, and what they replace stays until both are on disk. The table comes first:
 * without it the replay does not appear.
 */
static reprise_status apply_both(cli_outfile *map, cli_outfile *result, reprise_replay *replay,
                                 uint32_t what, reprise_write_options options,
                                 const reprise_value **ret_report, reprise_error *error)
{
    const char *path = options.path;
    reprise_sink sink = {.ctx = &result->out, .write = write_out};
    if (path) {
        reprise_status status = cli_outfile_open(result, path, options.replace, error);
        if (status != REPRISE_OK)
            return status;
        options.path = NULL;
        options.sink = &sink;
    }
    reprise_status status = reprise_anonymize(replay, what, &options, ret_report, error);
    if (status != REPRISE_OK)
        return status;
    status = write_map(map, *ret_report, error);
    if (status != REPRISE_OK && !path)
        snprintf(error->hint, sizeof error->hint,
                 "the table is missing; the replay is on standard output already");
    if (status != REPRISE_OK || !path)
        return status;
    status = cli_outfile_commit(result, error);
    if (status != REPRISE_OK)
        unlink(map->path);
    return status;
}

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    uint32_t what;
    cli_outfile map, result = {.out.fd = -1};
    if (!choose(s, &what, error))
        return error->status;
    if (!s->map)
        return reprise_anonymize(replay, what, options, ret_report, error);
    reprise_status status = cli_outfile_open(&map, s->map, s->change.force, error);
    if (status != REPRISE_OK)
        return status;
    status = apply_both(&map, &result, replay, what, *options, ret_report, error);
    cli_outfile_close(&map);
    cli_outfile_close(&result);
    return status;
}

static int run_anonymize(cli_run *run)
{
    return cli_change_run(run, &(cli_changer){.apply = apply, .secret = "substitutions"});
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
     .doc = "Leave dates as they are.",
     .offset = offsetof(settings, keep_dates),
     .parse = cli_parse_flag},
    {.name = "keep-extensions",
     .group = "What goes",
     .doc = "Leave data of other mods in. It is searched like the rest.",
     .offset = offsetof(settings, keep_extensions),
     .parse = cli_parse_flag},
    {.name = "map",
     .value = "FILE",
     .choices = "<file>",
     .group = "Where it goes",
     .doc = "Write the table of what became what as JSON. It is for the owner alone.",
     .offset = offsetof(settings, map),
     .parse = cli_parse_text},
    CLI_OPTION_LOSSY(settings, "Where it goes"),
    CLI_CHANGE_OPTIONS(settings),
};

const cli_command cli_anonymize = {
    .name = "anonymize",
    .summary = "take private data out, and prove that it is gone",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Replaces names by 'Player 1' and so on and ids consistently; takes out cosmetics, titles, "
        "dates, custom maps, voices and data of other mods. Then everything in the result is "
        "decompressed and searched for each text that was removed, as UTF-8 and UTF-16; if one is "
        "found, the result is not kept. Rows that should be gone are looked for, too.\n\n"
        "A text that data may hold by chance, such as a name of three letters, is compared with "
        "every text instead; that is said, and the exit code is 3.",
    .examples = {{"reprise anonymize match.replay public.replay", "Everything private."},
                 {"reprise anonymize --keep-dates --map who.json match.replay public.replay",
                  "With a table for yourself."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_anonymize,
};
