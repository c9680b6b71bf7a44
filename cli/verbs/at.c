/* at.c - reprise at: the complete state at a moment. */
#include <math.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "ui/render.h"

typedef struct settings {
    cli_common common;
    bool all;
    cli_moment time, index, run_time;
} settings;

static void put_tables(const cli_render *r, const reprise_value *state)
{
    cli_table pairs = {.columns = 2};
    for (size_t i = 0; i < reprise_value_count(state); i++) {
        const reprise_value *value = reprise_value_at(state, i);
        const char *key = reprise_value_key(state, i);
        if (reprise_value_kind_of(value) == REPRISE_VALUE_ARRAY)
            continue;
        cli_pairs_label(r, &pairs, key);
        cli_put_inline(r, &pairs.text, key, value);
        cli_table_cell(&pairs, false);
    }
    cli_pairs_put(r, 2, &pairs);
    for (size_t i = 0; i < reprise_value_count(state); i++) {
        const reprise_value *value = reprise_value_at(state, i);
        if (reprise_value_kind_of(value) != REPRISE_VALUE_ARRAY || !reprise_value_count(value))
            continue;
        cli_render_heading(r, 2, reprise_value_key(state, i), NULL);
        cli_render_table(r, 4, value);
    }
}

static void show(cli_job *job)
{
    const settings *s = job->run->settings;
    const reprise_value *state = NULL;
    reprise_moment moment = s->index.given ? s->index.moment : s->time.moment;
    if (s->time.given &&
        cli_moment_find(job->replay, &s->time, -HUGE_VAL, &moment, &job->error) != REPRISE_OK)
        return;
    if (s->run_time.given)
        moment = (reprise_moment){.by_run = true, .time = s->run_time.moment.time};
    if (reprise_at(job->replay, moment, &state, &job->error) != REPRISE_OK)
        return;
    if (job->run->common->json) {
        cli_json json = cli_job_document(job);
        cli_json_members(&json, state, NULL);
        cli_json_close(&json);
        return;
    }
    cli_render r = cli_job_text(job, s->all);
    put_tables(&r, state);
    if (job->several)
        cli_putc(r.to, '\n');
}

static int run_at(cli_run *run)
{
    const settings *s = run->settings;
    if (s->time.given + s->index.given + s->run_time.given != 1)
        return cli_usage(run, "at",
                         "needs one of --time, --frame, --tick, --run-time; such as --time 1:02.5");
    return cli_batch_run(run, &(cli_work){.work = show});
}

#define WHEN "Time"

static const cli_option options[] = {
    {.name = "time",
     .letter = 't',
     .value = "TIME",
     .group = WHEN,
     .doc =
         "Show the last frame at or before TIME: seconds (12.5), minutes and seconds (1:02.5), or "
         "the name of a marker.",
     .offset = offsetof(settings, time),
     .parse = cli_parse_moment},
    {.name = "frame",
     .value = "N",
     .group = WHEN,
     .doc = "Show frame N, counted from 0.",
     .offset = offsetof(settings, index),
     .parse = cli_parse_index},
    {.name = "tick",
     .value = "N",
     .group = WHEN,
     .doc = "Show tick N, for games that count ticks.",
     .offset = offsetof(settings, index),
     .parse = cli_parse_index},
    {.name = "run-time",
     .value = "TIME",
     .group = WHEN,
     .doc = "Show the moment at which the run timer reads TIME; pauses do not count.",
     .offset = offsetof(settings, run_time),
     .parse = cli_parse_time},
    CLI_OPTION_ALL(settings),
};

const cli_command cli_at = {
    .name = "at",
    .summary = "show the state at a time, frame or tick",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description = "Shows the complete state at one moment: every object with all its values, "
                   "whether or not they changed in that frame, and the events of that frame.",
    .examples = {{"reprise at --time 1:02.5 match.replay", "Show the state after 62.5 seconds."},
                 {"reprise at --frame 0 --json match.replay | jq '.players[0].health'",
                  "Print the health of the first player at the start."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_at,
};
