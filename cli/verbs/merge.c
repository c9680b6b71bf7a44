/* merge.c - reprise merge: merges several recordings of one match. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/outfile.h"
#include "rewrite.h"
#include <reprise/write.h>

enum { RECORDINGS_MAX = 16 };

typedef struct settings {
    cli_rewrite change;
    cli_words offsets;
} settings;

/* One offset for each recording after the first; NAN: to be found. */
static bool read_offsets(const settings *s, size_t count, double *offsets)
{
    for (size_t i = 0; i < count; i++)
        offsets[i] = i ? NAN : 0;
    for (size_t i = 0; i < s->offsets.count; i++) {
        char *end = NULL;
        double value = strtod(s->offsets.items[i], &end);
        if (*end || end == s->offsets.items[i] || i + 1 >= count || !isfinite(value))
            return false;
        offsets[i + 1] = value;
    }
    return true;
}

static void tell(cli_run *run, const reprise_value *report, const char *output)
{
    if (run->common->json) {
        cli_print_json(run, report);
        return;
    }
    cli_strbuf words = {0};
    cli_put_shown(&words, output, strlen(output));
    cli_printf(&words, ": %lld players, %lld structures\n",
               (long long)reprise_value_int(reprise_value_get(report, "players"), 0),
               (long long)reprise_value_int(reprise_value_get(report, "structures"), 0));
    const reprise_value *list = reprise_value_get(report, "recordings");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        cli_puts(&words, "  ");
        cli_put_shown(&words, run->operands[i], strlen(run->operands[i]));
        cli_printf(&words, ": %lld of %lld frames, offset %.3f s\n",
                   (long long)reprise_value_int(reprise_value_get(one, "frames_used"), 0),
                   (long long)reprise_value_int(reprise_value_get(one, "frames"), 0),
                   reprise_value_double(reprise_value_get(one, "offset"), 0));
    }
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

static int run_merge(cli_run *run)
{
    const settings *s = run->settings;
    size_t count = run->operand_count;
    double offsets[RECORDINGS_MAX];
    if (!s->change.output || strcmp(s->change.output, "-") == 0)
        return cli_usage(run, "merge", "needs --output FILE; such as -o both.replay");
    if (count > RECORDINGS_MAX)
        return cli_usage(run, "merge", "too many recordings; at most 16");
    if (!read_offsets(s, count, offsets))
        return cli_usage(run, "merge",
                         "--offset takes seconds, one value for each file after the first");
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.path = s->change.output;
    options.replace = s->change.force;
    if (s->change.level_given)
        options.level = s->change.level;
    reprise_replay *replays[RECORDINGS_MAX] = {NULL};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = REPRISE_OK;
    const char *at = s->change.output;
    for (size_t i = 0; i < count && status == REPRISE_OK; i++) {
        status = cli_open(run->operands[i], &run->common->reading, &replays[i], &error);
        at = status == REPRISE_OK ? at : run->operands[i];
    }
    const reprise_value *report = NULL;
    if (status == REPRISE_OK)
        status = cli_outfile_check(options.path, options.replace, &error);
    if (status == REPRISE_OK)
        status = reprise_merge(replays, count, offsets, &options, &report, &error);
    int code = CLI_DONE;
    if (status == REPRISE_OK)
        tell(run, report, s->change.output);
    else
        code = cli_report(run, at, &error);
    for (size_t i = 0; i < count; i++)
        reprise_close(replays[i]);
    return code;
}

static const cli_option options[] = {
    {.name = "offset",
     .value = "SECONDS",
     .group = "Alignment",
     .doc =
         "Start the next recording at SECONDS on the timeline of the first. Separate several with "
         "commas or repeat (default: found by comparing the motion of players)",
     .offset = offsetof(settings, offsets),
     .parse = cli_parse_words},
    CLI_REWRITE_OPTIONS(settings),
};

const cli_command cli_merge = {
    .name = "merge",
    .summary = "merge several recordings of one match",
    .operands = "FILE FILE...",
    .operand_choices = "<file>",
    .operands_min = 2,
    .operands_max = RECORDINGS_MAX,
    .description =
        "Merges recordings of one match on the timeline of the first. Its frames are used where it "
        "has any; the others add what happened before and after, and objects it did not record. "
        "Players are matched by account. Structures are matched by the game's id or, without one, "
        "by type and motion.",
    .examples = {{"reprise merge mine.replay yours.replay -o both.replay",
                  "Align and merge two recordings."},
                 {"reprise merge --offset 62.5 first.replay second.replay -o all.replay",
                  "Start the second recording at 62.5 seconds."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_merge,
};
