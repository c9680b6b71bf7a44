/* plot.c - reprise plot: draws plots as an SVG image, for reports and documents. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "batch/outfile.h"
#include "compare_run.h"
#include "ui/report.h"

typedef struct settings {
    cli_common common;
    cli_words what, players;
    cli_moment from, to;
    const char *size, *output, *against;
    size_t theme; /* index of the word chosen, in the order of reprise_theme */
    bool force, side;
} settings;

#define THEME_CHOICES "auto light dark"

static bool read_size(const settings *s, reprise_plot_options *options)
{
    if (!s->size)
        return true;
    char *end;
    unsigned long width = strtoul(s->size, &end, 10);
    if (*end != 'x')
        return false;
    unsigned long height = strtoul(end + 1, &end, 10);
    options->width_px = width < UINT32_MAX ? (uint32_t)width : 0;
    options->height_px = height < UINT32_MAX ? (uint32_t)height : 0;
    return !*end;
}

static bool read_players(const settings *s, reprise_plot_options *options)
{
    for (size_t i = 0; i < s->players.count; i++) {
        char *end;
        unsigned long number = strtoul(s->players.items[i], &end, 10);
        if (*end || number < 1 || number > 64)
            return false;
        options->players |= UINT64_C(1) << (number - 1);
    }
    return true;
}

static int write_out(void *ctx, const void *data, size_t size)
{
    cli_out *out = ctx;
    cli_out_put(out, data, size);
    return out->cause;
}

static reprise_status draw(cli_run *run, reprise_scene *scene, const reprise_plot_options *options,
                           bool *ret_empty, reprise_error *error)
{
    const settings *s = run->settings;
    reprise_sink sink = {.ctx = &run->out, .write = write_out};
    if (!s->output || strcmp(s->output, "-") == 0)
        return reprise_scene_plot(scene, options, &sink, ret_empty, error);
    cli_outfile file;
    if (cli_outfile_open(&file, s->output, s->force, error) != REPRISE_OK)
        return error->status;
    sink.ctx = &file.out;
    reprise_status status = reprise_scene_plot(scene, options, &sink, ret_empty, error);
    if (status == REPRISE_OK)
        status = cli_outfile_commit(&file, error);
    cli_outfile_close(&file);
    return status;
}

static const char *summary_of(const reprise_scene *scene, const char *id)
{
    const reprise_value *plots = reprise_value_get(reprise_scene_timeline(scene), "plots");
    for (size_t i = 0; i < reprise_value_count(plots); i++) {
        const reprise_value *plot = reprise_value_at(plots, i);
        const char *found = reprise_value_text(reprise_value_get(plot, "id"), NULL);
        if (found && strcmp(found, id) == 0)
            return reprise_value_text(reprise_value_get(plot, "summary"), NULL);
    }
    return NULL;
}

/* Which plots were drawn, each with its summary in words. */
static void put_report(cli_run *run, const char *path, const reprise_scene *scene,
                       const reprise_plot_options *options, bool empty)
{
    const settings *s = run->settings;
    cli_strbuf text = {0};
    cli_json json = {.to = &text};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", path);
    cli_json_text(&json, "output", s->output);
    cli_json_array(&json, "plots");
    for (size_t i = 0; i < options->plot_count; i++) {
        const char *summary = summary_of(scene, options->plots[i]);
        cli_json_object(&json, NULL);
        cli_json_text(&json, "id", options->plots[i]);
        if (summary)
            cli_json_text(&json, "summary", summary);
        cli_json_close(&json);
    }
    cli_json_close(&json);
    cli_json_bool(&json, "empty", empty);
    cli_json_bool(&json, "complete", !reprise_scene_damage(scene));
    cli_json_close(&json);
    cli_putc(&text, '\n');
    cli_out_put(&run->out, text.data, text.size);
    cli_strbuf_free(&text);
}

static int plot_file(cli_run *run, const char *path, const reprise_plot_options *options)
{
    const settings *s = run->settings;
    cli_progress_file progress = {.progress = &run->progress, .name = path};
    cli_open_options reading = cli_reading(run, &progress);
    reprise_scene_options shown = REPRISE_SCENE_INIT;
    const char *slash = strrchr(path, '/');
    shown.name = slash ? slash + 1 : path;
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_scene *scene = NULL;
    cli_compare_run rival = {0};
    const reprise_value *comparison = NULL;
    bool empty = false;
    reprise_status status = cli_open(path, &reading, &replay, &error);
    if (status == REPRISE_OK)
        status = cli_range_find(replay, &s->from, &s->to, CLI_RANGE_OF(&shown), &error);
    if (status == REPRISE_OK)
        status = reprise_scene_open(replay, &shown, &scene, &error);
    if (status == REPRISE_OK && s->against)
        status = cli_compare_run_open(&rival, s->against, &reading, scene, &comparison, &error);
    if (status == REPRISE_OK)
        status = draw(run, scene, options, &empty, &error);
    cli_progress_clear(&run->progress);
    const reprise_error *damage = scene ? reprise_scene_damage(scene) : NULL;
    int code = CLI_DONE;
    bool output_failed = status == REPRISE_E_IO && scene && s->output;
    if (status != REPRISE_OK)
        code = cli_report(run,
                          output_failed  ? s->output
                          : rival.failed ? s->against
                                         : path,
                          &error);
    else if (damage || empty)
        code = CLI_WARNED;
    if (status == REPRISE_OK && run->common->json)
        put_report(run, path, scene, options, empty);
    cli_strbuf words = {0};
    if (status == REPRISE_OK && damage)
        cli_put_error_words(&words, run->words_colour, path, damage);
    else if (status == REPRISE_OK && empty)
        cli_puts(&words, "reprise: a plot has no values\n");
    if (words.size)
        cli_say(run, &words);
    cli_strbuf_free(&words);
    reprise_scene_close(scene);
    cli_compare_run_close(&rival);
    reprise_close(replay);
    return code;
}

static int run_plot(cli_run *run)
{
    const settings *s = run->settings;
    reprise_plot_options options = REPRISE_PLOT_INIT;
    options.plots = s->what.items;
    options.plot_count = s->what.count;
    options.theme = (reprise_theme)s->theme;
    options.side = s->side;
    if (!s->what.count)
        return cli_usage(run, "plot", "needs --what NAMES; such as --what health,speed");
    if (run->common->json && (!s->output || strcmp(s->output, "-") == 0))
        return cli_usage(run, "plot",
                         "--json needs --output, because the plot goes to standard output");
    if (!read_size(s, &options))
        return cli_usage(
            run, "plot",
            "invalid value for '--size'; expected WIDTHxHEIGHT in pixels such as 960x320");
    if (!read_players(s, &options))
        return cli_usage(
            run, "plot",
            "invalid value for '--players'; expected numbers from 1 to 64 such as 1,2");
    reprise_error error = REPRISE_ERROR_INIT;
    if (s->output && strcmp(s->output, "-") != 0 &&
        cli_outfile_check(s->output, s->force, &error) != REPRISE_OK)
        return cli_report(run, s->output, &error);
    return plot_file(run, run->operands[0], &options);
}

#define WHAT  "Content"
#define LOOKS "Appearance"

static const cli_option options[] = {
    {.name = "what",
     .letter = 'w',
     .value = "NAMES",
     .group = WHAT,
     .doc =
         "Draw these plots, separated by commas or repeated: speed, height, health, damage, "
         "moves, apm, economy, army, power, kills, keys, latency and so on; timeline for markers "
         "by kind, path for the route from above. An unknown name lists those of the replay.",
     .offset = offsetof(settings, what),
     .parse = cli_parse_words},
    {.name = "players",
     .value = "NUMBERS",
     .group = WHAT,
     .doc = "Draw only these players, counted from 1, separated by commas.",
     .offset = offsetof(settings, players),
     .parse = cli_parse_words},
    CLI_OPTIONS_SPAN(settings, WHAT, ""),
    CLI_OPTION_AGAINST(settings, WHAT, " Adds a plot 'gap', the time between the runs."),
    {.name = "size",
     .value = "WxH",
     .group = LOOKS,
     .doc = "Make each plot W by H pixels (default: 960x320). A path is as high as it is wide.",
     .offset = offsetof(settings, size),
     .parse = cli_parse_text},
    {.name = "side",
     .group = LOOKS,
     .doc = "Draw a path from the side: height over distance travelled.",
     .offset = offsetof(settings, side),
     .parse = cli_parse_flag},
    {.name = "theme",
     .value = "THEME",
     .choices = THEME_CHOICES,
     .group = LOOKS,
     .doc = "Use theme light, dark, or auto, which follows the reader's system (default: auto)",
     .offset = offsetof(settings, theme),
     .parse = cli_parse_choice},
    CLI_OPTIONS_OUTPUT(settings, output, force, "Write to FILE instead of standard output."),
};

const cli_command cli_plot = {
    .name = "plot",
    .summary = "draw plots over time, or the path taken, as an SVG image",
    .operands = "FILE",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 1,
    .description =
        "Draws values over time as an SVG image without scripts, links or fonts. Several plots are "
        "drawn below each other with the same time axis. The same input always gives the same "
        "bytes. The plots are those of 'reprise export FILE x.json' and of the viewer.\n\n"
        "The exit code is 3 if a plot has no values or the file is damaged; parts that could not "
        "be "
        "read are hatched.",
    .examples = {{"reprise plot --what health,speed -o match.svg match.replay",
                  "Draw health and speed of all players."},
                 {"reprise plot --what apm --players 1 --theme dark -o apm.svg match.orarep",
                  "Draw the actions per minute of the first player for a dark page."},
                 {"reprise plot --what path -o run.svg run.replay",
                  "Draw the path of a run, coloured by speed."},
                 {"reprise plot --what gap,speed --against record.replay -o gap.svg run.replay",
                  "Compare a run with the record."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_plot,
};
