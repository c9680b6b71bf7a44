/* diff.c - reprise diff: compares two replays. */
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "compare_run.h"
#include "ui/render.h"
#include <reprise/write.h>

typedef struct settings {
    cli_common common;
    double tolerance, rotation_tolerance;
    bool storage, summary, all;
} settings;

static bool parse_number(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0))
        return cli_invalid(option, text, problem, "a number, 0 or more");
    *(double *)to = value;
    return true;
}

static int64_t number(const reprise_value *object, const char *name)
{
    return reprise_value_int(reprise_value_get(object, name), 0);
}

static const char *text_of(const reprise_value *object, const char *name)
{
    const char *text = reprise_value_text(reprise_value_get(object, name), NULL);
    return text ? text : "";
}

static void put_member(cli_strbuf *to, const reprise_value *object, const char *name)
{
    const reprise_value *value = reprise_value_get(object, name);
    if (value)
        cli_put_value(to, value);
    else
        cli_puts(to, "nothing");
}

static void put_metadata(cli_strbuf *to, const reprise_value *report, bool summary)
{
    int64_t count = number(report, "metadata_differences");
    if (!count)
        return;
    cli_printf(to, "metadata: %lld differences\n", (long long)count);
    const reprise_value *list = reprise_value_get(report, "metadata");
    for (size_t i = 0; !summary && i < reprise_value_count(list); i++) {
        const reprise_value *one = reprise_value_at(list, i);
        size_t size = 0;
        const char *path = reprise_value_text(reprise_value_get(one, "path"), &size);
        cli_puts(to, "  ");
        cli_put_shown(to, path ? path : "", size);
        cli_puts(to, ": ");
        put_member(to, one, "a");
        cli_puts(to, " / ");
        put_member(to, one, "b");
        cli_putc(to, '\n');
    }
}

/* "the second is a part of the first: through frame 50" */
static void put_part_of_match(cli_strbuf *to, const reprise_value *match)
{
    int64_t only_a = number(match, "frames_only_a"), only_b = number(match, "frames_only_b");
    bool differs = number(match, "frames_with_other_orders") ||
                   number(match, "frames_with_other_sync") ||
                   reprise_value_count(reprise_value_get(match, "differences"));
    if (differs || !only_a == !only_b)
        return;
    cli_printf(to, "the %s is a part of the %s: through frame %lld\n", only_a ? "second" : "first",
               only_a ? "first" : "second", (long long)number(match, "same_through_frame"));
}

/* Two recordings of one match: how far they agree, and what only one of them has. */
static void put_match(cli_run *run, cli_strbuf *to, const reprise_value *report)
{
    const settings *s = run->settings;
    const reprise_value *match = reprise_value_get(report, "match");
    if (!match)
        return;
    cli_render r = {.to = to, .width = run->width, .colour = run->out_colour, .all = s->all};
    cli_puts(to, "recordings of one match\n");
    put_part_of_match(to, match);
    cli_render_members(&r, 2, match, s->summary ? " differences said " : NULL);
    cli_putc(to, '\n');
}

static void put_fields(cli_strbuf *to, const reprise_value *track)
{
    const reprise_value *fields = reprise_value_get(track, "fields");
    for (size_t i = 0; i < reprise_value_count(fields); i++) {
        const reprise_value *field = reprise_value_at(fields, i);
        cli_printf(to, "  %s: %lld rows", reprise_value_key(fields, i),
                   (long long)number(field, "rows"));
        const reprise_value *most = reprise_value_get(field, "most");
        if (most)
            cli_printf(to, ", by up to %g", reprise_value_double(most, 0));
        cli_puts(to, "; first ");
        put_member(to, field, "first");
        cli_putc(to, '\n');
    }
}

static void put_tracks(cli_strbuf *to, const reprise_value *report, bool summary)
{
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        int64_t differ = number(track, "differ"), only_a = number(track, "only_a");
        int64_t only_b = number(track, "only_b");
        if (!differ && !only_a && !only_b)
            continue;
        cli_printf(to, "%s: %lld of %lld rows differ", reprise_value_key(tracks, i),
                   (long long)differ, (long long)number(track, "rows_a"));
        if (only_a || only_b)
            cli_printf(to, ", %lld only in the first, %lld only in the second", (long long)only_a,
                       (long long)only_b);
        if (number(track, "times"))
            cli_printf(to, ", %lld times", (long long)number(track, "times"));
        cli_putc(to, '\n');
        if (!summary)
            put_fields(to, track);
    }
}

/* Whether there were rows to compare. */
static bool has_rows(const reprise_value *report)
{
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    bool any = reprise_value_get(report, "match") != NULL;
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        any = any || number(track, "rows_a") || number(track, "rows_b");
    }
    return any;
}

static bool differs_in(const reprise_value *report, const char *path)
{
    const reprise_value *list = reprise_value_get(report, "metadata");
    for (size_t i = 0; i < reprise_value_count(list); i++) {
        const char *found = reprise_value_text(reprise_value_get(reprise_value_at(list, i), "path"),
                                               NULL);
        if (found && strcmp(found, path) == 0)
            return true;
    }
    return false;
}

/*
 * Two runs of one course are compared place by place, because their rows, which are compared by
 * tick, have nothing to do with each other. False if they are no such runs.
 */
static bool put_runs(cli_run *run, cli_strbuf *to, reprise_replay *first,
                     const reprise_value *report)
{
    const settings *s = run->settings;
    reprise_scene_options options = REPRISE_SCENE_INIT;
    reprise_scene *scene = NULL;
    cli_compare_run rival = {0};
    const reprise_value *comparison = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    options.name = cli_base_name(run->operands[0]);
    bool runs = strcmp(reprise_format(first), "cs2kz") == 0 && !differs_in(report, "map.name") &&
                !*text_of(report, "part") &&
                reprise_scene_open(first, &options, &scene, &error) == REPRISE_OK &&
                cli_compare_run_open(&rival, run->operands[1], &run->common->reading, scene,
                                     &comparison, &error) == REPRISE_OK;
    if (runs) {
        cli_render r = {.to = to, .width = run->width, .colour = run->out_colour, .all = s->all};
        cli_puts(to, "two runs of one course\n");
        cli_compare_run_show(&r, 2, comparison);
        cli_putc(to, '\n');
    }
    reprise_scene_close(scene);
    cli_compare_run_close(&rival);
    return runs;
}

static void put_short(cli_strbuf *to, const reprise_value *object, const char *name)
{
    enum { SHOWN_MAX = 40 };
    cli_strbuf value = {0};
    put_member(&value, object, name);
    cli_put_cut(to, cli_strbuf_string(&value), value.size, SHOWN_MAX);
    cli_strbuf_free(&value);
}

/* "first difference at 0:01.480 (frame 74): players 1, health: 18 / 17" */
static void put_first(cli_strbuf *to, const reprise_value *first)
{
    cli_puts(to, "first difference");
    const reprise_value *time = reprise_value_get(first, "time");
    if (time) {
        cli_puts(to, " at ");
        cli_put_duration(to, reprise_value_double(time, 0));
    }
    cli_printf(to, ": %s", text_of(first, "track"));
    /* Between the track and the values: frame or tick, time, player or another object. */
    for (size_t i = 1; i < reprise_value_count(first); i++) {
        const char *key = reprise_value_key(first, i);
        if (strcmp(key, "field") == 0 || strcmp(key, "only") == 0)
            break;
        if (strcmp(key, "time") != 0)
            cli_printf(to, ", %s %lld", key, (long long)number(first, key));
    }
    const char *only = text_of(first, "only");
    if (*only) {
        cli_printf(to, ", only in the %s\n", strcmp(only, "a") == 0 ? "first" : "second");
        return;
    }
    cli_printf(to, ", %s: ", text_of(first, "field"));
    put_short(to, first, "a");
    cli_puts(to, " / ");
    put_short(to, first, "b");
    cli_putc(to, '\n');
}

/* "the second is a part of the first: 0:01.000 to 0:02.500" */
static void put_part(cli_strbuf *to, const reprise_value *report)
{
    const char *part = text_of(report, "part");
    const reprise_value *totals = reprise_value_get(report, "totals");
    const reprise_value *from = reprise_value_get(totals, "common_from");
    /* What is not about a moment, such as resources, may be all that is missing. */
    const reprise_value *timed = reprise_value_get(reprise_value_get(report, "first"), "time");
    if (!*part)
        return;
    bool second = strcmp(part, "b") == 0;
    cli_printf(to, "the %s is a part of the %s", second ? "second" : "first",
               second ? "first" : "second");
    if (from && timed) {
        cli_puts(to, second ? ": " : ", by the times of the first: ");
        cli_put_duration(to, reprise_value_double(from, 0));
        cli_puts(to, " to ");
        cli_put_duration(to, reprise_value_double(reprise_value_get(totals, "common_to"), 0));
    }
    cli_putc(to, '\n');
}

/* "frame 0 of the second is frame 50 of the first, there 0:01.000 later" */
static void put_alignment(cli_strbuf *to, const reprise_value *report)
{
    const reprise_value *aligned = reprise_value_get(report, "aligned");
    if (!aligned)
        return;
    const char *clock = reprise_value_key(aligned, 0);
    long long by = (long long)number(aligned, clock);
    double time = reprise_value_double(reprise_value_get(aligned, "time"), 0);
    if (by)
        cli_printf(to, "%s %lld of the second is %s %lld of the first", clock, by < 0 ? -by : 0,
                   clock, by < 0 ? 0 : by);
    else
        cli_puts(to, "the second has the frames of the first");
    if (time != 0) {
        cli_puts(to, ", there ");
        cli_put_duration(to, time < 0 ? -time : time);
        cli_puts(to, time < 0 ? " earlier" : " later");
    }
    cli_putc(to, '\n');
}

/* How much is the same, in words, and where the difference begins. */
static void put_totals(cli_strbuf *to, const reprise_value *report)
{
    const reprise_value *totals = reprise_value_get(report, "totals");
    const reprise_value *first = reprise_value_get(report, "first");
    if (!totals)
        return;
    int64_t a = number(totals, "rows_a"), b = number(totals, "rows_b");
    if (reprise_value_bool(reprise_value_get(report, "unrelated"), false))
        cli_printf(to, "unrelated recordings: %lld of %lld rows are the same\n",
                   (long long)number(totals, "same"), (long long)(a < b ? a : b));
    put_part(to, report);
    put_alignment(to, report);
    if (first && !reprise_value_bool(reprise_value_get(report, "unrelated"), false))
        put_first(to, first);
    if (!first)
        cli_printf(to, "all %lld rows are the same\n", (long long)a);
    else
        cli_printf(to,
                   "rows: %lld the same, %lld differ, %lld only in the first, %lld only in the "
                   "second\n",
                   (long long)number(totals, "same"), (long long)number(totals, "differ"),
                   (long long)number(totals, "only_a"), (long long)number(totals, "only_b"));
}

static void show(cli_run *run, reprise_replay *const replays[2], const reprise_value *report,
                 bool equal, bool damaged)
{
    const settings *s = run->settings;
    if (run->common->json) {
        cli_print_json(run, report);
        return;
    }
    cli_strbuf text = {0};
    if (equal && damaged && !has_rows(report) && !run->common->quiet)
        cli_puts(&text, "no rows can be read\n");
    else if (equal && !run->common->quiet)
        cli_puts(&text, damaged ? "equal as far as they can be read\n" : "equal\n");
    put_match(run, &text, report);
    bool runs = !equal && !reprise_value_get(report, "match") &&
                put_runs(run, &text, replays[0], report);
    if (!equal && !runs && !reprise_value_get(report, "match"))
        put_totals(&text, report);
    /* Which rows of different events differ is no news. */
    bool apart = !s->all &&
                 (runs || reprise_value_bool(reprise_value_get(report, "unrelated"), false));
    put_metadata(&text, report, s->summary);
    if (!apart || !runs)
        put_tracks(&text, report, s->summary || apart);
    if (apart && !s->summary)
        cli_puts(&text, "rows that differ: --all\n");
    enum { ROWS_MAX = 4 }; /* of one difference on a terminal */
    cli_print_screen(run, &text, s->all ? 0 : ROWS_MAX);
    cli_strbuf_free(&text);
}

/* Damage in either file, which was not compared. */
static int report_damage(cli_run *run, reprise_replay *const replays[2])
{
    int code = CLI_DONE;
    reprise_error damage;
    for (size_t i = 0; i < 2; i++) {
        if (reprise_damage(replays[i], &damage))
            code = cli_exit_worse(code, cli_report_damage(run, run->operands[i], &damage));
    }
    return code;
}

static int run_diff(cli_run *run)
{
    const settings *s = run->settings;
    reprise_diff_options options = REPRISE_DIFF_INIT;
    options.float_tolerance = s->tolerance;
    options.rotation_tolerance = s->rotation_tolerance > 0 ? s->rotation_tolerance : s->tolerance;
    options.storage = s->storage;
    reprise_replay *replays[2] = {NULL, NULL};
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status = REPRISE_OK;
    size_t i = 0;
    for (; i < 2 && status == REPRISE_OK; i++)
        status = cli_open(run->operands[i], &run->common->reading, &replays[i], &error);
    bool equal = false;
    const reprise_value *report = NULL;
    if (status == REPRISE_OK)
        status = reprise_diff(replays[0], replays[1], &options, &equal, &report, &error);
    int code = CLI_DONE;
    if (status == REPRISE_OK) {
        reprise_error damage;
        bool damaged = reprise_damage(replays[0], &damage) || reprise_damage(replays[1], &damage);
        show(run, replays, report, equal, damaged);
        code = report_damage(run, replays);
        if (damaged && !has_rows(report)) /* nothing was compared */
            code = CLI_REFUSED;
        code = equal ? code : CLI_FAILED;
    } else {
        code = cli_report(run, run->operands[i - 1], &error);
    }
    reprise_close(replays[0]);
    reprise_close(replays[1]);
    return code;
}

static const cli_option options[] = {
    {.name = "tolerance",
     .value = "NUMBER",
     .group = "Comparison",
     .doc = "Treat floating-point numbers that differ by at most NUMBER as equal (default: 0)",
     .offset = offsetof(settings, tolerance),
     .parse = parse_number},
    {.name = "rotation-tolerance",
     .value = "NUMBER",
     .group = "Comparison",
     .doc = "The same for the components of rotations (default: the value of --tolerance). A "
            "rotation equals its negative. Rotations packed in seven bytes need 4e-5.",
     .offset = offsetof(settings, rotation_tolerance),
     .parse = parse_number},
    {.name = "storage",
     .group = "Comparison",
     .doc = "Also compare how data is stored: sizes of frames, members of archives, and the rows "
            "of two recordings of one match.",
     .offset = offsetof(settings, storage),
     .parse = cli_parse_flag},
    {.name = "summary",
     .letter = 's',
     .group = CLI_DISPLAY,
     .doc = "Show only how much differs.",
     .offset = offsetof(settings, summary),
     .parse = cli_parse_flag},
    CLI_OPTION_ALL(settings),
};

const cli_command cli_diff = {
    .name = "diff",
    .summary = "compare two replays by track, row and field",
    .operands = "FILE FILE",
    .operand_choices = "<file>",
    .operands_min = 2,
    .operands_max = 2,
    .description =
        "Compares metadata, rows and fields of two replays of one format, which may have different "
        "layouts. States are compared frame by frame, however often they were stored. If the "
        "frames "
        "of a recording are numbered from another start, as in a trimmed copy, it is moved to "
        "where the rows of both agree. Two "
        "recordings of one match by different players are compared by frame and client instead: "
        "orders, sync hashes and chat. Two runs of one course are also compared place by place. "
        "The "
        "earliest difference and the number of rows that are the same come first; recordings of "
        "different events that hardly share a row are called unrelated. Of these and of two runs, "
        "rows and fields that differ are shown only with --all.\n\n"
        "The exit code is 0 if the replays are equal and 1 if they differ. Damaged files are "
        "compared as far as they can be read; if no difference is found, the exit code is 3, or 5 "
        "if no row can be read.",
    .examples = {{"reprise diff old.replay new.replay", "Show all differences."},
                 {"reprise diff --rotation-tolerance 4e-5 --summary l1.replay z6.replay",
                  "Check that a conversion kept everything."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_diff,
};
