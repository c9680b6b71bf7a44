/* stats.c - reprise stats: statistics of replays, and the comparison of two runs. */
#include <string.h>

#include "batch/batch.h"
#include "compare_run.h"
#include "ui/render.h"

typedef struct settings {
    cli_common common;
    const char *against;
    bool all;
} settings;

/* The comparison belongs to the scene, which must stay open while it is printed. */
typedef struct duel {
    reprise_scene *scene;
    cli_compare_run rival;
    const reprise_value *comparison;
} duel;

static reprise_status compare(cli_job *job, duel *d)
{
    const settings *s = job->run->settings;
    const cli_open_options *reading = &job->run->common->reading;
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.name = cli_base_name(job->path);
    if (reprise_scene_open(job->replay, &options, &d->scene, &job->error) != REPRISE_OK)
        return job->error.status;
    return cli_compare_run_open(&d->rival, s->against, reading, d->scene, &d->comparison,
                                &job->error);
}

static void put_json(cli_job *job, const reprise_value *stats, const reprise_value *comparison)
{
    cli_json json = cli_job_document(job);
    cli_json_members(&json, stats, NULL);
    if (comparison)
        cli_json_value(&json, "comparison", comparison);
    cli_json_close(&json);
}

/* The mod of an OpenRA replay, or NULL. */
static const char *mod_of(cli_job *job)
{
    const reprise_value *info = NULL;
    if (strcmp(reprise_format(job->replay), "openra") != 0 ||
        reprise_info(job->replay, &info, &job->error) != REPRISE_OK)
        return NULL;
    return reprise_value_text(reprise_value_get(info, "mod"), NULL);
}

static void put_words(cli_job *job, const reprise_value *stats, const reprise_value *comparison)
{
    const settings *s = job->run->settings;
    cli_render r = {.to = &job->out,
                    .width = job->run->width,
                    .colour = job->run->out_colour,
                    .all = s->all,
                    .brief = true,
                    .mod = mod_of(job)};
    cli_put_painted(r.to, r.colour, CLI_BOLD, job->path);
    cli_putc(r.to, '\n');
    cli_render_members(&r, 2, stats, NULL);
    if (comparison) {
        cli_render_heading(&r, 2, "comparison", NULL);
        cli_render_members(&r, 4, comparison, NULL);
    }
    if (job->several)
        cli_putc(r.to, '\n');
}

static void show(cli_job *job)
{
    const settings *s = job->run->settings;
    const reprise_value *stats = NULL;
    duel d = {0};
    if (reprise_stats(job->replay, &stats, &job->error) == REPRISE_OK &&
        (!s->against || compare(job, &d) == REPRISE_OK)) {
        if (job->run->common->json)
            put_json(job, stats, d.comparison);
        else
            put_words(job, stats, d.comparison);
    }
    reprise_scene_close(d.scene);
    cli_compare_run_close(&d.rival);
}

static int run_stats(cli_run *run)
{
    return cli_batch_run(run, &(cli_work){.work = show});
}

static const cli_option options[] = {
    CLI_OPTION_ALL(settings),
    CLI_OPTION_AGAINST(settings, "Comparison",
                       " Shows in which sections time was lost, by route or by speed.")};

const cli_command cli_stats = {
    .name = "stats",
    .summary = "print statistics: rounds, damage, moves, structures and so on",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description = "Reads the complete replay and computes statistics for players and coaches. "
                   "Values stored in the file are kept apart from derived ones.",
    .examples = {{"reprise stats match.replay", "Print tables."},
                 {"reprise stats --against record.replay run.replay",
                  "Show where the record is faster than a run, section by section."},
                 {"reprise stats --json *.replay | jq '.[].derived'",
                  "Print only the derived values of many files."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_stats,
};
