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

/* Two recordings of one match: how far they agree, and what only one of them has. */
static void put_match(cli_run *run, cli_strbuf *to, const reprise_value *report)
{
    const settings *s = run->settings;
    const reprise_value *match = reprise_value_get(report, "match");
    if (!match)
        return;
    cli_render r = {.to = to, .width = run->width, .colour = run->out_colour, .all = s->all};
    cli_puts(to, "recordings of one match\n");
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
                reprise_scene_open(first, &options, &scene, &error) == REPRISE_OK &&
                cli_compare_run_open(&rival, run->operands[1], &run->common->reading, scene,
                                     &comparison, &error) == REPRISE_OK;
    if (runs) {
        cli_render r = {.to = to, .width = run->width, .colour = run->out_colour, .all = s->all};
        cli_puts(to, "two runs of one course\n");
        cli_render_members(&r, 2, comparison, NULL);
        cli_putc(to, '\n');
    }
    reprise_scene_close(scene);
    cli_compare_run_close(&rival);
    return runs;
}

static bool are_different(const reprise_value *a, const reprise_value *b)
{
    const char *x = reprise_value_text(a, NULL), *y = reprise_value_text(b, NULL);
    return x && y && strcmp(x, y) != 0;
}

/* Whether the recordings state different dates or maps, which a copy or a part of one does not. */
static bool are_other_matches(reprise_replay *const replays[2])
{
    const reprise_value *info[2] = {NULL, NULL};
    reprise_error error = REPRISE_ERROR_INIT;
    for (size_t i = 0; i < 2; i++) {
        if (reprise_info(replays[i], &info[i], &error) != REPRISE_OK)
            return false;
    }
    const reprise_value *maps[2] = {reprise_value_get(info[0], "map"),
                                    reprise_value_get(info[1], "map")};
    return are_different(reprise_value_get(info[0], "date"), reprise_value_get(info[1], "date")) ||
           are_different(reprise_value_get(maps[0], "name"), reprise_value_get(maps[1], "name"));
}

/* Says so if recordings of different matches have hardly a row in common. */
static void put_unrelated(cli_strbuf *to, reprise_replay *const replays[2],
                          const reprise_value *report)
{
    enum { RELATED_SHARE = 10 }; /* one row in this many is the same */
    const reprise_value *tracks = reprise_value_get(report, "tracks");
    int64_t same = 0, most = 0;
    for (size_t i = 0; i < reprise_value_count(tracks); i++) {
        const reprise_value *track = reprise_value_at(tracks, i);
        int64_t a = number(track, "rows_a"), b = number(track, "rows_b");
        same += a - number(track, "only_a") - number(track, "differ");
        most += a < b ? a : b;
    }
    if (most && same < most / RELATED_SHARE && are_other_matches(replays))
        cli_printf(to, "unrelated recordings: %lld of %lld rows are the same\n", (long long)same,
                   (long long)most);
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
    if (!equal && !reprise_value_get(report, "match") && !put_runs(run, &text, replays[0], report))
        put_unrelated(&text, replays, report);
    put_metadata(&text, report, s->summary);
    put_tracks(&text, report, s->summary);
    cli_out_put(&run->out, text.data ? text.data : "", text.size);
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
        "layouts. States are compared frame by frame, however often they were stored. Two "
        "recordings of one match by different players are compared by frame and client instead: "
        "orders, sync hashes and chat. Two runs of one course are also compared place by place.\n\n"
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
