/* cmd_stats.c - reprise stats: the numbers people ask for. */
#include "files.h"
#include "render.h"

typedef struct settings {
    cli_common common;
    bool all;
} settings;

static void show(cli_job *job)
{
    const settings *s = job->run->settings;
    const reprise_value *stats = NULL;
    if (reprise_stats(job->replay, &stats, &job->error) != REPRISE_OK)
        return;
    if (job->run->common->json) {
        cli_put_document(&job->out, job->path, stats);
        return;
    }
    cli_render r = {
        .to = &job->out, .width = job->run->width, .colour = job->run->out_colour, .all = s->all};
    cli_put_painted(r.to, r.colour, CLI_BOLD, job->path);
    cli_putc(r.to, '\n');
    cli_render_members(&r, 2, stats, NULL);
    if (job->several)
        cli_putc(r.to, '\n');
}

static int run_stats(cli_run *run)
{
    return cli_files_run(run, &(cli_work){.work = show});
}

static const cli_option options[] = {CLI_OPTION_ALL(settings)};

const cli_command cli_stats = {
    .name = "stats",
    .summary = "give the numbers people ask for: rounds, damage, moves, structures ...",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description = "Reads the whole replay and adds up what players and coaches ask for. What the "
                   "file itself says is kept apart from what was derived from it.",
    .examples = {{"reprise stats match.replay", "Tables for people."},
                 {"reprise stats --json *.replay | jq '.[].derived'",
                  "Only what was computed, of many files."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_stats,
};
