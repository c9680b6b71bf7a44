/* stats.c - reprise stats: statistics of replays, and the comparison of two runs. */
#include "batch/batch.h"
#include "compare_run.h"
#include "ui/render.h"

typedef struct settings {
    cli_common common;
    const char *against;
    bool all, highlights;
} settings;

/* These belong to the scene, which must stay open while they are printed. */
typedef struct duel {
    reprise_scene *scene;
    cli_compare_run rival;
    const reprise_value *comparison;
    const reprise_value *highlights;
} duel;

/* Comparison and highlights are found while a scene is made. */
static reprise_status look(cli_job *job, duel *d)
{
    const settings *s = job->run->settings;
    const cli_open_options *reading = &job->run->common->reading;
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.name = cli_base_name(job->path);
    if (reprise_scene_open(job->replay, &options, &d->scene, &job->error) != REPRISE_OK)
        return job->error.status;
    if (s->highlights)
        d->highlights = reprise_value_get(reprise_scene_timeline(d->scene), "highlights");
    if (!s->against)
        return REPRISE_OK;
    reprise_status status = cli_compare_run_open(&d->rival, s->against, reading, d->scene,
                                                 &d->comparison, &job->error);
    if (d->rival.failed)
        job->path = s->against;
    return status;
}

static void put_json(cli_job *job, const reprise_value *stats, const duel *d)
{
    const settings *s = job->run->settings;
    cli_json json = cli_job_document(job);
    cli_json_members(&json, stats, NULL);
    if (d->comparison)
        cli_json_value(&json, "comparison", d->comparison);
    if (s->highlights && d->highlights)
        cli_json_value(&json, "highlights", d->highlights);
    cli_json_close(&json);
}

/* One line each, in order of time: when, how good, and what. */
static void put_highlights(cli_render *r, const reprise_value *list)
{
    cli_render_heading(r, 2, "highlights", NULL);
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        cli_puts(r->to, "    ");
        cli_put_inline(r, r->to, "time", reprise_value_get(one, "t"));
        cli_printf(r->to, "  %.2f  ", reprise_value_double(reprise_value_get(one, "score"), 0));
        cli_put_painted(r->to, false, CLI_PLAIN,
                        reprise_value_text(reprise_value_get(one, "text"), NULL));
        cli_putc(r->to, '\n');
    }
    if (!reprise_value_count(list))
        cli_puts(r->to, "    none\n");
}

static void put_words(cli_job *job, const reprise_value *stats, const duel *d)
{
    const settings *s = job->run->settings;
    cli_render r = cli_job_text(job, s->all);
    r.brief = true;
    if (!s->highlights || d->comparison)
        cli_render_members(&r, 2, stats, NULL);
    if (d->comparison) {
        cli_render_heading(&r, 2, "comparison", NULL);
        cli_compare_run_show(&r, 4, d->comparison);
    }
    if (s->highlights)
        put_highlights(&r, d->highlights);
    if (job->several)
        cli_putc(r.to, '\n');
}

static void show(cli_job *job)
{
    const settings *s = job->run->settings;
    const reprise_value *stats = NULL;
    duel d = {0};
    if (reprise_stats(job->replay, &stats, &job->error) == REPRISE_OK &&
        ((!s->against && !s->highlights) || look(job, &d) == REPRISE_OK)) {
        if (job->run->common->json)
            put_json(job, stats, &d);
        else
            put_words(job, stats, &d);
    }
    reprise_scene_close(d.scene);
    cli_compare_run_close(&d.rival);
}

static int run_stats(cli_run *run)
{
    return cli_batch_run(run, &(cli_work){.work = show, .walks = true});
}

static const cli_option options[] = {
    CLI_OPTION_ALL(settings),
    {.name = "highlights",
     .group = CLI_DISPLAY,
     .doc =
         "List what is worth watching: fights, records, comebacks, jumps; with a score of 0 to 1.",
     .offset = offsetof(settings, highlights),
     .parse = cli_parse_flag},
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
                 {"reprise stats --highlights match.replay",
                  "List what is worth watching, with times."},
                 {"reprise stats --json *.replay | jq '.[].derived'",
                  "Print only the derived values of many files."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .walks = true,
    .settings_size = sizeof(settings),
    .run = run_stats,
};
