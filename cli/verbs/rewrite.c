/* rewrite.c - see rewrite.h. */
#include "rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/batch.h"
#include "batch/outfile.h"
#include "batch/write_batch.h"

bool cli_parse_level(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    static const struct {
        const char *name;
        int level;
    } names[] = {{"fastest", REPRISE_LEVEL_FASTEST},
                 {"balanced", REPRISE_LEVEL_BALANCED},
                 {"compact", REPRISE_LEVEL_COMPACT}};
    cli_rewrite *change = to;
    change->level_given = true;
    for (size_t i = 0; i < CLI_COUNT(names); i++) {
        if (strcmp(names[i].name, text) == 0) {
            change->level = names[i].level;
            return true;
        }
    }
    char *end = NULL;
    long level = strtol(text, &end, 10);
    if (end == text || *end || level < 0 || level > 100) {
        change->level_given = false;
        return cli_invalid(option, text, problem,
                           "fastest, balanced, compact or a number from 0 to 100");
    }
    change->level = (int)level;
    return true;
}

static int write_out(void *ctx, const void *data, size_t size)
{
    const int *fd = ctx;
    return cli_write(*fd, data, size);
}

static void put_list(cli_strbuf *to, const reprise_value *report, const char *name,
                     const char *word)
{
    const reprise_value *list = reprise_value_get(report, name);
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *item = reprise_value_at(list, i);
        size_t size = 0;
        const char *text = reprise_value_text(item, &size);
        if (!text)
            text = reprise_value_text(reprise_value_get(item, "message"), &size);
        cli_printf(to, "  %s: ", word);
        cli_put_shown(to, text ? text : "", size);
        cli_putc(to, '\n');
    }
}

/* ---- the report of anonymize ---- */

static const char *kind_of(const reprise_value *item)
{
    const char *kind = reprise_value_text(reprise_value_get(item, "kind"), NULL);
    return kind ? kind : "other";
}

static uint64_t count_kind(const reprise_value *list, const char *kind)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *item = reprise_value_at(list, i);
        if (strcmp(kind_of(item), kind) == 0)
            sum += reprise_value_uint(reprise_value_get(item, "count"), 0);
    }
    return sum;
}

static bool is_first_of_kind(const reprise_value *list, size_t index)
{
    const char *kind = kind_of(reprise_value_at(list, index));
    for (size_t i = 0; i < index; i++) {
        if (strcmp(kind_of(reprise_value_at(list, i)), kind) == 0)
            return false;
    }
    return true;
}

/* "names 3 (player names 2, title 1)": one kind of a list with its parts. */
static void put_kind(cli_strbuf *to, const reprise_value *list, const char *kind)
{
    const char *comma = "";
    cli_printf(to, "%s %llu (", kind, (unsigned long long)count_kind(list, kind));
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *item = reprise_value_at(list, i);
        if (strcmp(kind_of(item), kind) != 0)
            continue;
        cli_printf(to, "%s%s %llu", comma,
                   reprise_value_text(reprise_value_get(item, "what"), NULL),
                   (unsigned long long)reprise_value_uint(reprise_value_get(item, "count"), 0));
        comma = ", ";
    }
    cli_putc(to, ')');
}

static void put_removed(cli_strbuf *to, const reprise_value *list)
{
    if (!reprise_value_count(list))
        cli_puts(to, "  removed: nothing\n");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        if (!is_first_of_kind(list, i))
            continue;
        cli_puts(to, "  removed: ");
        put_kind(to, list, kind_of(reprise_value_at(list, i)));
        cli_putc(to, '\n');
    }
}

static void put_reasons(cli_strbuf *to, const reprise_value *list, const char *word)
{
    if (!reprise_value_count(list))
        cli_printf(to, "  %s: nothing\n", word);
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        const char *what = reprise_value_text(reprise_value_get(one, "what"), NULL);
        const char *why = reprise_value_text(reprise_value_get(one, "why"), NULL);
        cli_printf(to, "  %s: %s %llu: %s\n", word, what ? what : "",
                   (unsigned long long)reprise_value_uint(reprise_value_get(one, "count"), 0),
                   why ? why : "");
    }
}

static void put_compared(cli_strbuf *to, const reprise_value *report)
{
    const reprise_value *list = reprise_value_get(reprise_value_get(report, "proof"), "compared");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        cli_printf(
            to, "  note: a %s of %lld bytes is %s, so it was compared with complete texts only\n",
            reprise_value_text(reprise_value_get(one, "what"), NULL),
            (long long)reprise_value_int(reprise_value_get(one, "bytes"), 0),
            reprise_value_text(reprise_value_get(one, "reason"), NULL));
    }
}

static void put_checked(cli_strbuf *to, const reprise_value *report)
{
    const reprise_value *proof = reprise_value_get(report, "proof");
    unsigned long long streams = reprise_value_uint(reprise_value_get(proof, "streams"), 0);
    unsigned long long texts = reprise_value_uint(reprise_value_get(proof, "texts"), 0);
    bool verified = reprise_value_bool(reprise_value_get(proof, "verified"), false);
    cli_printf(to, "  checked: searched %llu stream%s for %llu removed text%s; %s\n", streams,
               streams == 1 ? "" : "s", texts, texts == 1 ? "" : "s",
               verified ? "the result is sound" : "the result has the faults of the original");
}

static void put_account(cli_strbuf *to, const reprise_value *report)
{
    put_checked(to, report);
    put_removed(to, reprise_value_get(report, "removed"));
    put_reasons(to, reprise_value_get(report, "kept"), "kept");
    put_reasons(to, reprise_value_get(report, "unproven"), "unproven");
}

/* Whether an unproven item needs to be checked by hand. */
static bool has_doubts(const reprise_value *report)
{
    const reprise_value *list = reprise_value_get(report, "unproven");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        if (reprise_value_bool(reprise_value_get(reprise_value_at(list, i), "warning"), false))
            return true;
    }
    return false;
}

/* ---- messages ---- */

static void put_words(cli_strbuf *words, const char *output, const reprise_value *report,
                      const cli_rewriter *changer)
{
    const char *layout = reprise_value_text(reprise_value_get(report, "layout"), NULL);
    const char *format = reprise_value_text(reprise_value_get(report, "format"), NULL);
    cli_put_shown(words, output, strlen(output));
    cli_printf(words, ": %s %s, ", format ? format : "", layout ? layout : "");
    cli_put_size(words, reprise_value_uint(reprise_value_get(report, "size"), 0));
    cli_putc(words, '\n');
    put_list(words, report, "losses", "lost");
    put_list(words, report, "lost", "lost");
    put_list(words, report, "dropped", "left out");
    put_list(words, report, "remains", "warning");
    put_list(words, report, "unplayable", "warning");
    put_compared(words, report);
    put_list(words, report, "notes", "note");
    if (changer->accounts)
        put_account(words, report);
}

/* Lists everything that would be lost, not only the first item. */
static void put_refused(cli_strbuf *words, const reprise_value *report, const reprise_error *error)
{
    if (error->status == REPRISE_E_LOSSY)
        put_list(words, report, "losses", "would be lost");
}

static int refuse(cli_run *run, const char *input, const reprise_value *report,
                  const reprise_error *error)
{
    cli_strbuf words = {0};
    put_refused(&words, report, error);
    cli_say(run, &words);
    cli_strbuf_free(&words);
    return cli_report(run, input, error);
}

static size_t count(const reprise_value *report, const char *name)
{
    return reprise_value_count(reprise_value_get(report, name));
}

static int code_of(const reprise_value *report)
{
    bool missing = count(report, "losses") || count(report, "lost") || count(report, "dropped") ||
                   count(report, "remains") || count(report, "unplayable") || has_doubts(report);
    return missing ? CLI_WARNED : CLI_DONE;
}

static int report_result(cli_run *run, const char *output, const reprise_value *report,
                         const cli_rewriter *changer)
{
    bool to_stdout = strcmp(output, "-") == 0;
    cli_strbuf words = {0};
    if (!run->common->json || to_stdout)
        put_words(&words, to_stdout ? "standard output" : output, report, changer);
    else
        cli_print_json_except(run, report, changer->secret);
    cli_say(run, &words);
    cli_strbuf_free(&words);
    return code_of(report);
}

static int need_output(cli_run *run)
{
    reprise_error error = {.status = REPRISE_E_USAGE};
    snprintf(error.message, sizeof error.message, "missing operand, expected NEW");
    snprintf(error.hint, sizeof error.hint, "such as 'reprise %s old.replay new.replay'",
             run->command->name);
    return cli_report(run, run->command->name, &error);
}

/* The result is not readable by more users than the source. 0: the source is not a file. */
static uint32_t mode_of(const char *input)
{
    struct stat about;
    if (strcmp(input, "-") == 0 || stat(input, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    return (uint32_t)about.st_mode & 0777;
}

static reprise_write_options options_of(const cli_rewrite *change, const char *input)
{
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.replace = change->force;
    options.lossy = change->lossy;
    options.mode = mode_of(input);
    return options;
}

/* Without --level, the level comes from the user's settings. */
static int level_of(const cli_rewrite *change, const cli_rewriter *changer,
                    const cli_preferences *preferences, const reprise_replay *replay)
{
    if (change->level_given)
        return change->level;
    return cli_preferred_level(preferences,
                               changer->writes ? changer->writes : reprise_format(replay));
}

/* ---- many files ---- */

typedef struct batch {
    const cli_rewriter *changer;
    cli_preferences preferences;
} batch;

static void put_report(cli_job *job, const cli_rewriter *changer, const char *output,
                       const reprise_value *report, cli_json *json)
{
    job->code = code_of(report);
    if (job->code != CLI_DONE)
        put_words(&job->words, output, report, changer);
    cli_json_object(json, "report");
    cli_json_members(json, report, changer->secret);
    cli_json_close(json);
}

static void rewrite_one(cli_job *job, const cli_target *to, cli_json *json)
{
    const batch *b = to->ctx;
    cli_run *run = (cli_run *)(uintptr_t)job->run; /* verbs only read it */
    reprise_write_options options = options_of(run->settings, job->path);
    cli_progress_file file = {.progress = &run->progress, .name = job->path};
    cli_open_options reading = cli_reading(run, &file);
    reprise_replay *replay = NULL;
    const reprise_value *report = NULL;
    reprise_error damage;
    options.path = to->path;
    options.replace = to->replace;
    reading.salvage = b->changer->salvage;
    reprise_status status = cli_open(job->path, &reading, &replay, &job->error);
    if (status == REPRISE_OK)
        status = cli_target_begin(to, &job->error);
    if (status == REPRISE_OK) {
        options.level = level_of(run->settings, b->changer, &b->preferences, replay);
        status = b->changer->apply(run, replay, &options, &report, &job->error);
    }
    if (status == REPRISE_OK)
        put_report(job, b->changer, to->path, report, json);
    else
        put_refused(&job->words, report, &job->error);
    if (status == REPRISE_OK && !count(report, "lost") && reprise_damage(replay, &damage)) {
        cli_put_error_words(&job->words, run->words_colour, job->path, &damage);
        job->code = cli_exit_worse(job->code, cli_exit_of_partial(damage.status));
    }
    reprise_close(replay);
}

static int rewrite_many(cli_run *run, const cli_rewriter *changer)
{
    const cli_rewrite *change = run->settings;
    batch b = {.changer = changer};
    reprise_error error = REPRISE_ERROR_INIT;
    char levels[64];
    if (changer->dry_run)
        return cli_usage(run, run->command->name, "--dry-run writes nothing to --output-dir");
    if (cli_preferences_read(run, change->settings, &b.preferences, &error) != REPRISE_OK)
        return cli_report(run, change->settings ? change->settings : "settings", &error);
    snprintf(levels, sizeof levels, "levels %d %d", b.preferences.save_level,
             b.preferences.replay_level);
    return cli_write_batch_run(
        run, &(cli_writing){
                 .suffix = changer->suffix, .options = levels, .write = rewrite_one, .ctx = &b});
}

/* ---- one file ---- */

static int rewrite_file(cli_run *run, const cli_rewriter *changer, const char *input,
                        const char *output)
{
    const cli_rewrite *change = run->settings;
    int fd = STDOUT_FILENO;
    reprise_sink sink = {.ctx = &fd, .write = write_out};
    bool to_stdout = strcmp(output, "-") == 0;
    reprise_write_options options = options_of(change, input);
    options.dry_run = changer->dry_run;
    options.path = to_stdout || changer->dry_run ? NULL : output;
    options.sink = to_stdout && !changer->dry_run ? &sink : NULL;
    cli_progress_file file = {.progress = &run->progress, .name = input};
    cli_open_options reading = cli_reading(run, &file);
    reading.salvage = changer->salvage;
    reprise_replay *replay = NULL;
    const reprise_value *report = NULL;
    cli_preferences preferences = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = cli_open(input, &reading, &replay, &error);
    if (status == REPRISE_OK && !change->level_given)
        status = cli_preferences_read(run, change->settings, &preferences, &error);
    if (status == REPRISE_OK)
        options.level = level_of(change, changer, &preferences, replay);
    const char *blamed = input;
    if (status == REPRISE_OK && options.path) {
        status = cli_outfile_check(options.path, options.replace, &error);
        blamed = status == REPRISE_OK ? input : options.path;
    }
    if (status == REPRISE_OK)
        status = changer->apply(run, replay, &options, &report, &error);
    int code = status == REPRISE_OK ? report_result(run, output, report, changer)
                                    : refuse(run, blamed, report, &error);
    /* A report with losses covers the damage. */
    reprise_error damage;
    if (status == REPRISE_OK && !count(report, "lost") && reprise_damage(replay, &damage))
        code = cli_exit_worse(code, cli_report_damage(run, input, &damage));
    reprise_close(replay);
    return code;
}

int cli_rewrite_run(cli_run *run, const cli_rewriter *changer)
{
    const cli_rewrite *change = run->settings;
    if (run->common->output_dir && change->output)
        return cli_usage(run, run->command->name,
                         "--output is for one file and cannot be combined with --output-dir");
    if (run->common->output_dir)
        return rewrite_many(run, changer);
    const char *output = change->output           ? change->output
                         : run->operand_count > 1 ? run->operands[1]
                                                  : NULL;
    if (changer->dry_run && !output)
        output = "dry run";
    if (!output || (change->output && run->operand_count > 1))
        return need_output(run);
    if (strcmp(output, "-") == 0 && run->out_terminal)
        return cli_usage(run, run->command->name, "will not write a replay to a terminal");
    return rewrite_file(run, changer, run->operands[0], output);
}
