/* trim.c - reprise trim: writes a range of a replay as a new replay. */

#include "batch/moment.h"
#include "rewrite.h"
#include "ui/report.h"

typedef struct settings {
    cli_rewrite change;
    cli_moment from, to;
    bool keep_times, run;
    cli_moment lead_in, lead_out;
} settings;

static reprise_bound bound_of(const cli_moment *moment)
{
    if (!moment->given)
        return (reprise_bound){.by = REPRISE_BY_NOTHING};
    if (moment->marker)
        return (reprise_bound){.by = REPRISE_BY_MARKER, .marker = moment->marker};
    return (reprise_bound){
        .by = moment->moment.by_index ? REPRISE_BY_INDEX : REPRISE_BY_TIME,
        .time = moment->moment.time,
        .index = moment->moment.index,
    };
}

static reprise_status apply(cli_run *run, reprise_replay *replay, reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    const settings *s = run->settings;
    reprise_bound from = bound_of(&s->from), to = bound_of(&s->to);
    /* The library would find these faults too, but every verb has the same words for them. */
    reprise_rows_options range = REPRISE_ROWS_INIT;
    if (cli_range_find(replay, &s->from, &s->to, CLI_RANGE_OF(&range), error) != REPRISE_OK)
        return error->status;
    if (s->run) {
        from = (reprise_bound){.by = REPRISE_BY_RUN, .time = -s->lead_in.moment.time};
        to = (reprise_bound){.by = REPRISE_BY_RUN, .time = s->lead_out.moment.time};
    }
    return reprise_trim(replay, from, to, s->keep_times, options, ret_report, error);
}

static int run_trim(cli_run *run)
{
    const settings *s = run->settings;
    if (s->run && (s->from.given || s->to.given))
        return cli_usage(run, "trim", "--run cannot be combined with --from and --to");
    if (!s->run && (s->lead_in.given || s->lead_out.given))
        return cli_usage(run, "trim", "--lead-in and --lead-out need --run");
    return cli_rewrite_run(run, &(cli_rewriter){.apply = apply});
}

static const cli_option options[] = {
    {.name = "from",
     .value = "MOMENT",
     .group = "Range",
     .doc = "Start at MOMENT: seconds (12.5), minutes and seconds (1:02.5), a frame or tick "
            "('#120'), or the name of a marker.",
     .offset = offsetof(settings, from),
     .parse = cli_parse_moment},
    {.name = "to",
     .value = "MOMENT",
     .group = "Range",
     .doc = "Stop after MOMENT, which is included.",
     .offset = offsetof(settings, to),
     .parse = cli_parse_moment},
    {.name = "run",
     .group = "Range",
     .doc = "Keep the run, from the start of its timer to the end, for games that have runs.",
     .offset = offsetof(settings, run),
     .parse = cli_parse_flag},
    {.name = "lead-in",
     .value = "TIME",
     .group = "Range",
     .doc = "Also keep this much before the run.",
     .offset = offsetof(settings, lead_in),
     .parse = cli_parse_time},
    {.name = "lead-out",
     .value = "TIME",
     .group = "Range",
     .doc = "Also keep this much after the run.",
     .offset = offsetof(settings, lead_out),
     .parse = cli_parse_time},
    {.name = "keep-times",
     .group = "Range",
     .doc = "Keep the original times instead of starting at 0.",
     .offset = offsetof(settings, keep_times),
     .parse = cli_parse_flag},
    CLI_OPTION_LOSSY(settings, "Range"),
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_trim = {
    .name = "trim",
    .summary = "keep a time range, with the full state at its start",
    .operands = "FILE [NEW]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description = "Keeps the frames of a range, both ends included. The first frame gets the full "
                   "state, so the result needs nothing from before the cut; markers and voices are "
                   "shifted with the frames.",
    .examples = {{"reprise trim --from 0:01 --to 0:02.5 match.replay round.replay",
                  "Keep a second and a half."},
                 {"reprise trim --from core.roundEnded match.replay rest.replay",
                  "Keep everything after a marker."},
                 {"reprise trim --run --lead-in 2 --lead-out 2 record.replay run.replay",
                  "Keep a run with two seconds before and after it."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_trim,
};
