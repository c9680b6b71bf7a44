/* extract.c - reprise extract: writes embedded content to files. */
#include <string.h>

#include "batch/batch.h"
#include "batch/outfile.h"
#include "trust_prompt.h"

typedef struct settings {
    cli_common common;
    cli_trust consent;
    cli_words only;
} settings;

static void put_names(cli_strbuf *to, const reprise_value *list, const char *directory)
{
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        size_t size = 0, why_size = 0;
        const char *name = reprise_value_text(reprise_value_get(one, "name"), &size);
        const char *why = reprise_value_text(reprise_value_get(one, "reason"), &why_size);
        if (why)
            cli_puts(to, "  not written: ");
        else
            cli_put_shown(to, directory, strlen(directory));
        if (!why)
            cli_putc(to, '/');
        cli_put_shown(to, name ? name : "", size);
        if (why)
            cli_printf(to, ": %s", why);
        cli_putc(to, '\n');
    }
}

static int tell(cli_run *run, const char *directory, const reprise_value *report)
{
    const reprise_value *refused = reprise_value_get(report, "refused");
    cli_strbuf text = {0};
    if (run->common->json) {
        cli_print_json(run, report);
    } else {
        put_names(&text, reprise_value_get(report, "files"), directory);
        cli_out_put(&run->out, text.data, text.size);
        cli_strbuf_clear(&text);
    }
    put_names(&text, refused, directory);
    cli_say(run, &text);
    cli_strbuf_free(&text);
    return reprise_value_count(refused) ? CLI_WARNED : CLI_DONE;
}

static int run_extract(cli_run *run)
{
    const settings *s = run->settings;
    const char *input = run->operands[0];
    cli_progress_file file = {.progress = &run->progress, .name = input};
    cli_open_options reading = cli_reading(run, &file);
    reading.trusted_keys = s->consent.keys.bytes;
    reading.trusted_key_count = s->consent.keys.count;
    cli_question question = {.run = run, .consent = &s->consent, .file = input};
    reprise_extract_options options = REPRISE_EXTRACT_INIT;
    options.directory = run->operands[1];
    options.kinds = s->only.items;
    options.kind_count = s->only.count;
    options.allow_guarded = s->consent.allow;
    options.consent = cli_trust_prompt;
    options.consent_ctx = &question;
    reprise_error error = REPRISE_ERROR_INIT;
    const reprise_value *report = NULL;
    const char *blamed = input;
    reprise_status status = cli_open(input, &reading, &question.replay, &error);
    if (status == REPRISE_OK) {
        status = cli_outdir_check(options.directory, &error);
        blamed = status == REPRISE_OK ? input : options.directory;
    }
    if (status == REPRISE_OK)
        status = reprise_extract(question.replay, &options, &report, &error);
    int code = status == REPRISE_OK ? tell(run, options.directory, report)
                                    : cli_report(run, blamed, &error);
    reprise_close(question.replay);
    cli_keys_free(&s->consent.keys);
    return code;
}

static const cli_option options[] = {
    {.name = "only",
     .value = "KINDS",
     .choices = "map rules preset state voice thumbnail",
     .group = "Content",
     .doc = "Write only these kinds, separated by commas: map, rules, preset, state (of tick 0, as "
            "a save), voice, thumbnail; for archives, the kinds of their members.",
     .offset = offsetof(settings, only),
     .parse = cli_parse_words},
    CLI_TRUST_OPTIONS(settings),
};

const cli_command cli_extract = {
    .name = "extract",
    .summary = "write embedded maps, rules, voices and pictures to files",
    .operands = "FILE DIR",
    .operand_choices = "<file>",
    .operands_min = 2,
    .operands_max = 2,
    .description =
        "Creates DIR, accessible only to you, and writes files into it: voices as Ogg Opus, "
        "thumbnails, embedded maps and rules. Nothing is written outside DIR, links are not "
        "followed, names that are special on any system are refused, scripts are never written, "
        "and "
        "network addresses in rules become about:blank.\n\n"
        "Embedded content is not covered by signatures, so you are asked before it is written; "
        "without a terminal it is refused. Only a map whose hash is part of a state signed by a "
        "trusted key is written without asking. The exit code is 3 if something was not written.",
    .examples = {{"reprise extract --allow-embedded archive.icrep match", "Write everything."},
                 {"reprise extract --only voice archive.icrep talk", "Write only voices."},
                 {"reprise extract --installed ~/mods archive.icrep match",
                  "Compare the rules with installed ones before writing."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_extract,
};
