/* import.c - reprise import: replays of other games as Iron Curtain replays. */
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

/* Programs that build the same thing twice say when it was built: the date of all conversions. */
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

/* ---- whole folders ---- */

typedef struct batch {
    int level;
} batch;

/* The name of the source with our suffix, in the folder for results. */
static void put_target(cli_strbuf *to, const char *folder, const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t size = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    cli_printf(to, "%s/%.*s.icrep", folder, (int)size, name);
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

/* Results appear whole or not at all, so one that is there needs no second run. */
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
        bool whole = !number(report, "left_out") &&
                     !reprise_value_count(reprise_value_get(report, "lost"));
        job->code = whole ? CLI_DONE : CLI_WARNED;
    }
    cli_strbuf_free(&target);
}

static int run_batch(cli_run *run)
{
    const settings *s = run->settings;
    if (!s->change.output)
        return cli_usage(run, "import", "--batch needs a folder for the results; try -o FOLDER");
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
        return cli_usage(run, "import", "takes FILE and NEW; --batch takes many");
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply, .writes = "icrep"});
}

static const cli_option options[] = {
    {.name = "lossless",
     .group = "What is imported",
     .doc = "Carry orders that have no counterpart as they were stored, instead of leaving them "
            "out.",
     .offset = offsetof(settings, lossless),
     .parse = cli_parse_flag},
    {.name = "batch",
     .group = "What is imported",
     .doc = "Import many files, or all of a folder, into the folder named by --output. Results "
            "that are there already are left alone, so an import that was stopped can go on.",
     .offset = offsetof(settings, batch),
     .parse = cli_parse_flag},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_import = {
    .name = "import",
    .summary = "make Iron Curtain replays of OpenRA and classic Command & Conquer ones",
    .operands = "FILE... [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Translates the orders of another game. Times become ticks of a fifteenth of a second; "
        "where it comes from, and how many orders had no counterpart, stands in the result. There "
        "are no states in it, because no simulation of that game is at hand.\n\n"
        "The exit code is 3 when orders were left out, or the file is damaged; the report lists "
        "what is gone. --lossless leaves out nothing that has an author.",
    .examples = {{"reprise import match.orarep imported.icrep", "Translate one replay."},
                 {"reprise import --batch --lossless -o imported openra/",
                  "Translate a whole folder, keeping everything."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_import,
};
