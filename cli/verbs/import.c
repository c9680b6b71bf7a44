/* import.c - reprise import: converts replays of other games to Iron Curtain replays. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <reprise/ironcurtain/live.h>

#include "batch/batch.h"
#include "rewrite.h"

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

/* ---- many files ---- */

/* The name of the source with our suffix, in the directory for results. */
static void put_target(cli_strbuf *to, const char *directory, const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t size = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    cli_printf(to, "%s/%.*s.icrep", directory, (int)size, name);
}

static uint64_t number(const reprise_value *report, const char *key)
{
    return reprise_value_uint(reprise_value_get(report, key), 0);
}

static void put_lost(cli_strbuf *to, const reprise_value *lost)
{
    for (size_t i = 0; i < reprise_value_count(lost); i++) {
        const reprise_value *message = reprise_value_get(reprise_value_at(lost, i), "message");
        const char *text = reprise_value_text(message, NULL);
        cli_puts(to, "  lost: ");
        cli_put_shown(to, text, strlen(text));
        cli_putc(to, '\n');
    }
}

static void put_result(cli_job *job, const char *target, const reprise_value *report)
{
    if (job->run->common->json) {
        cli_json json = cli_job_document(job);
        cli_json_text(&json, "result", target);
        cli_json_text(&json, "status", report ? "imported" : "already there");
        if (report)
            cli_json_value(&json, "report", report);
        cli_json_close(&json);
        return;
    }
    cli_put_shown(&job->out, target, strlen(target));
    if (report)
        cli_printf(&job->out, ": %llu orders, %llu left out\n",
                   (unsigned long long)number(report, "orders"),
                   (unsigned long long)number(report, "left_out"));
    else
        cli_puts(&job->out, ": already there\n");
    put_lost(&job->out, reprise_value_get(report, "lost"));
}

/* Results appear complete or not at all, so an existing one is not written again. */
static void import_one(cli_job *job)
{
    cli_run *run = (cli_run *)(uintptr_t)job->run;
    const settings *s = run->settings;
    cli_strbuf target = {0};
    put_target(&target, s->change.output, job->path);
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = cli_strbuf_string(&target);
    options.replace = s->change.force;
    options.level = s->change.level_given ? s->change.level : REPRISE_LEVEL_DEFAULT;
    const reprise_value *report = NULL;
    if (!s->change.force && access(options.path, F_OK) == 0) {
        put_result(job, options.path, NULL);
    } else if (apply(run, job->replay, &options, &report, &job->error) == REPRISE_OK) {
        put_result(job, options.path, report);
        bool complete = !number(report, "left_out") &&
                        !reprise_value_count(reprise_value_get(report, "lost"));
        job->code = complete ? CLI_DONE : CLI_WARNED;
    }
    cli_strbuf_free(&target);
}

static int run_batch(cli_run *run)
{
    const settings *s = run->settings;
    if (!s->change.output)
        return cli_usage(run, "import",
                         "--batch needs a directory for the results; such as -o imported");
    if (mkdir(s->change.output, 0777) != 0 && errno != EEXIST) {
        reprise_error error = {.status = REPRISE_E_IO, .cause = errno};
        snprintf(error.message, sizeof error.message, "cannot create: %s", strerror(errno));
        return cli_report(run, s->change.output, &error);
    }
    return cli_batch_run(run, &(cli_work){.work = import_one, .walks = true, .judges = true});
}

/* ---- one file ---- */

static int run_import(cli_run *run)
{
    const settings *s = run->settings;
    if (s->batch)
        return run_batch(run);
    if (run->operand_count > 2)
        return cli_usage(run, "import",
                         "too many operands, expected FILE and NEW; --batch takes several files");
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply, .writes = "icrep"});
}

static const cli_option options[] = {
    {.name = "lossless",
     .group = "Import",
     .doc = "Keep orders without a counterpart as stored instead of leaving them out.",
     .offset = offsetof(settings, lossless),
     .parse = cli_parse_flag},
    {.name = "batch",
     .group = "Import",
     .doc = "Import several files or directories into the directory given by --output. Existing "
            "results are skipped, so an interrupted import can be continued.",
     .offset = offsetof(settings, batch),
     .parse = cli_parse_flag},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_import = {
    .name = "import",
    .summary = "convert OpenRA and classic Command & Conquer replays to Iron Curtain",
    .operands = "FILE... [NEW]",
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
                 {"reprise import --batch --lossless -o imported openra/",
                  "Import a directory and keep every order."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_import,
};
