/*
 * export.c - reprise export: a replay as a file that other programs open. The suffix of the
 * output says which.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/outfile.h"
#include "cat.h"
#include "ui/report.h"
#include "viewer/viewer_page.h"

typedef struct settings {
    cli_common common;
    cli_words tracks, offsets;
    cli_moment from, to;
    const char *fps, *tolerance, *output, *scenery, *scene_max;
    bool exact, force;
} settings;

static void usage(reprise_error *error, const char *hint, const char *format, ...)
    REPRISE_PRINTF(3, 4);

static void usage(reprise_error *error, const char *hint, const char *format, ...)
{
    *error = (reprise_error){.status = REPRISE_E_USAGE};
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    snprintf(error->hint, sizeof error->hint, "%s", hint);
}

/* ---- what is wanted ---- */

/* One file is read whole by the browser before there is anything to see. */
static const uint64_t page_scene_max = UINT64_C(256) << 20;

typedef enum output_form {
    FORM_GLB,
    FORM_GLTF,
    FORM_TIMELINE,
    FORM_HTML,
    FORM_ROWS,
    FORM_UNKNOWN
} output_form;

static output_form form_of(const char *path)
{
    static const struct {
        const char *suffix;
        output_form form;
    } known[] = {
        {".glb", FORM_GLB},  {".gltf", FORM_GLTF},  {".json", FORM_TIMELINE},
        {".csv", FORM_ROWS}, {".jsonl", FORM_ROWS}, {".html", FORM_HTML},
    };
    size_t size = strlen(path);
    for (size_t i = 0; i < CLI_COUNT(known); i++) {
        size_t n = strlen(known[i].suffix);
        if (size > n && strcmp(path + size - n, known[i].suffix) == 0)
            return known[i].form;
    }
    return FORM_UNKNOWN;
}

static reprise_status choose_tracks(const settings *s, const reprise_replay *replay,
                                    reprise_scene_options *options, reprise_error *error)
{
    for (size_t i = 0; i < s->tracks.count; i++) {
        int track = reprise_track_find(replay, s->tracks.items[i]);
        if (strcmp(s->tracks.items[i], "all") == 0) {
            options->tracks = 0;
            return REPRISE_OK;
        }
        if (track < 0) {
            cli_no_track(replay, s->tracks.items[i], error);
            return error->status;
        }
        options->tracks |= UINT64_C(1) << track;
    }
    return REPRISE_OK;
}

/* A number with nothing behind it but what `end` allows. */
static bool parse_number(const char *text, double least, double most, double *ret_value,
                         const char **ret_end)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || !isfinite(value) || value < least || value > most)
        return false;
    *ret_value = value;
    *ret_end = end;
    return true;
}

static reprise_status set_keys(const settings *s, reprise_scene_options *options,
                               reprise_error *error)
{
    const char *end = "";
    options->exact = s->exact;
    if (s->fps && (!parse_number(s->fps, 0.01, 1000, &options->samples_per_s, &end) || *end)) {
        usage(error, "such as --fps 30", "--fps takes a number from 0.01 to 1000, not '%s'",
              s->fps);
        return error->status;
    }
    if (!s->tolerance)
        return REPRISE_OK;
    double mm = 0;
    bool ok = parse_number(s->tolerance, 0, 1e6, &mm, &end);
    if (ok && *end == ',')
        ok = parse_number(end + 1, 0, 90, &options->tolerance_deg, &end);
    if (!ok || *end) {
        usage(error, "such as --tolerance 0.1,0.01",
              "--tolerance takes millimetres and degrees, not '%s'", s->tolerance);
        return error->status;
    }
    options->tolerance_m = mm / 1000;
    return REPRISE_OK;
}

/* ---- writing ---- */

static int write_out(void *ctx, const void *data, size_t size)
{
    cli_out *out = ctx;
    cli_out_put(out, data, size);
    return out->cause;
}

static reprise_status write_scene(reprise_scene *scene, output_form form, cli_out *out,
                                  reprise_error *error)
{
    reprise_sink sink = {.ctx = out, .write = write_out};
    reprise_scene_form as = form == FORM_GLB    ? REPRISE_SCENE_GLB
                            : form == FORM_GLTF ? REPRISE_SCENE_GLTF
                                                : REPRISE_SCENE_TIMELINE;
    return reprise_scene_write(scene, as, &sink, error);
}

/* One replay on its way into the file. */
typedef struct source {
    const char *path;
    reprise_replay *replay;
    reprise_error damage; /* why it was opened for its whole frames only */
    cli_page_part part;
} source;

static reprise_status write_page(const settings *s, const source *sources, size_t count,
                                 cli_out *out, reprise_error *error)
{
    cli_page_part parts[CLI_PAGE_PARTS_MAX];
    for (size_t i = 0; i < count; i++)
        parts[i] = sources[i].part;
    cli_scenery scenery = CLI_SCENERY_NONE;
    uint64_t most = 0;
    reprise_status status = cli_page_scene_max(s->scene_max, page_scene_max, &most, error);
    if (status == REPRISE_OK)
        status = cli_scenery_open(s->scenery, &scenery, error);
    if (status == REPRISE_OK)
        status = cli_page_write(parts, count, &scenery, s->force ? UINT64_MAX : most, out, error);
    cli_scenery_close(&scenery);
    return status;
}

static reprise_status write_file(const settings *s, const source *sources, size_t count,
                                 const char *output, reprise_error *error)
{
    cli_outfile file;
    if (cli_outfile_open(&file, output, s->force, error) != REPRISE_OK)
        return error->status;
    output_form form = form_of(output);
    reprise_status status = form == FORM_HTML
                                ? write_page(s, sources, count, &file.out, error)
                                : write_scene(sources[0].part.scene, form, &file.out, error);
    if (status == REPRISE_OK)
        status = cli_outfile_commit(&file, error);
    cli_outfile_close(&file);
    return status;
}

/* ---- telling ---- */

static void say_done(cli_run *run, const char *output, const reprise_value *about)
{
    const settings *s = run->settings;
    cli_strbuf words = {0};
    int64_t seen = reprise_value_int(reprise_value_get(about, "keys_recorded"), 0);
    int64_t kept = reprise_value_int(reprise_value_get(about, "keys_kept"), 0);
    cli_puts(&words, "reprise: ");
    cli_put_shown(&words, output, strlen(output));
    cli_printf(&words, ": %lld nodes, ",
               (long long)reprise_value_int(reprise_value_get(about, "nodes"), 0));
    cli_put_duration(&words, reprise_value_double(reprise_value_get(about, "duration"), 0));
    /* Samples are other keys than those recorded, and there may be more of them. */
    cli_printf(&words, s->fps ? ", %lld keys for %lld recorded\n" : ", %lld of %lld keys kept\n",
               (long long)kept, (long long)seen);
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

static void put_report(cli_json *json, const source *from, const char *output)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "file", from->path);
    cli_json_members(json, reprise_scene_about(from->part.scene), NULL);
    cli_json_text(json, "output", output);
    cli_json_close(json);
}

/* One object, or an array of them for several replays. */
static void put_reports(cli_run *run, const source *sources, size_t count, const char *output)
{
    cli_strbuf text = {0};
    cli_json json = {.to = &text};
    if (count > 1)
        cli_json_array(&json, NULL);
    for (size_t i = 0; i < count; i++)
        put_report(&json, &sources[i], output);
    if (count > 1)
        cli_json_close(&json);
    cli_putc(&text, '\n');
    cli_out_put(&run->out, text.data, text.size);
    cli_strbuf_free(&text);
}

static reprise_status open_source(cli_run *run, source *from, output_form form,
                                  reprise_error *error)
{
    const settings *s = run->settings;
    cli_progress_file progress = {.progress = &run->progress, .name = from->path};
    cli_open_options reading = cli_reading(run, &progress);
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.name = from->part.name = cli_base_name(from->path);
    cli_scene_range(&s->from, &s->to, &options);
    reprise_status status = set_keys(s, &options, error);
    if (status == REPRISE_OK)
        status = form == FORM_HTML
                     ? cli_open_anyway(from->path, &reading, &from->replay, &from->damage, error)
                     : cli_open(from->path, &reading, &from->replay, error);
    if (status == REPRISE_OK)
        status = choose_tracks(s, from->replay, &options, error);
    if (status == REPRISE_OK)
        status = reprise_scene_open(from->replay, &options, &from->part.scene, error);
    if (status == REPRISE_OK && form == FORM_HTML)
        cli_voices_read(from->replay, from->part.scene, &from->part.voices);
    return status;
}

static void close_source(source *from)
{
    reprise_scene_close(from->part.scene);
    reprise_close(from->replay);
    cli_voices_free(&from->part.voices);
}

/* What became of one replay, in words. */
static int tell(cli_run *run, const source *from, const char *output)
{
    const reprise_value *about = reprise_scene_about(from->part.scene);
    int code = CLI_DONE;
    say_done(run, output, about);
    if (from->damage.status != REPRISE_OK)
        code = cli_report_damage(run, from->path, &from->damage);
    if (reprise_scene_damage(from->part.scene))
        code = cli_report_damage(run, from->path, reprise_scene_damage(from->part.scene));
    const reprise_value *left_out = reprise_value_get(about, "left_out");
    for (size_t i = 0; form_of(output) != FORM_TIMELINE && i < reprise_value_count(left_out); i++) {
        cli_strbuf words = {0};
        cli_puts(&words, "reprise: ");
        cli_put_shown(&words, output, strlen(output));
        cli_puts(&words, ": not in the scene: ");
        const char *what = reprise_value_text(reprise_value_at(left_out, i), NULL);
        cli_put_shown(&words, what, strlen(what));
        cli_puts(&words, "\n");
        cli_say(run, &words);
        cli_strbuf_free(&words);
        code = CLI_WARNED;
    }
    return code;
}

static int export_scenes(cli_run *run, size_t count, const char *output)
{
    const settings *s = run->settings;
    source sources[CLI_PAGE_PARTS_MAX] = {0};
    double offsets[CLI_PAGE_PARTS_MAX] = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    const char *path = "export"; /* what an error is about */
    reprise_status status = cli_page_offsets(&s->offsets, count, "export", offsets, &error);
    for (size_t i = 0; i < count && status == REPRISE_OK; i++) {
        path = sources[i].path = run->operands[i];
        sources[i].part.offset = offsets[i];
        status = open_source(run, &sources[i], form_of(output), &error);
    }
    if (status == REPRISE_OK)
        status = write_file(s, sources, count, output, &error);
    cli_progress_clear(&run->progress);
    int code = status == REPRISE_OK ? CLI_DONE : cli_report(run, path, &error);
    if (status == REPRISE_OK && run->common->json)
        put_reports(run, sources, count, output);
    for (size_t i = 0; i < count; i++) {
        int told = status == REPRISE_OK ? tell(run, &sources[i], output) : CLI_DONE;
        code = told != CLI_DONE ? told : code;
    }
    for (size_t i = 0; i < count; i++)
        close_source(&sources[i]);
    return code;
}

static int export_rows(cli_run *run, const char *output)
{
    const settings *s = run->settings;
    cli_cat_settings *rows = cli_memory(NULL, sizeof *rows);
    memset(rows, 0, sizeof *rows);
    rows->common = s->common;
    rows->tracks = s->tracks;
    rows->from = s->from;
    rows->to = s->to;
    rows->force = s->force;
    rows->output = output;
    int code = cli_cat_rows(run, rows);
    free(rows);
    return code;
}

/* Without --output the last operand is the output. Only a page holds several replays. */
static const char *choose_output(cli_run *run, reprise_error *error)
{
    const settings *s = run->settings;
    const char *output = s->output;
    if (!output && run->operand_count > 1)
        output = run->operands[--run->operand_count];
    if (!output) {
        usage(error, "such as 'reprise export match.replay match.glb'", "needs the file to write");
    } else if (form_of(output) == FORM_UNKNOWN) {
        usage(error, "endings are .glb .gltf .html .json .csv .jsonl",
              "the ending of '%s' says nothing about the kind of file", output);
    } else if (run->operand_count > 1 && form_of(output) != FORM_HTML) {
        usage(error, "such as 'reprise export mine.replay yours.replay both.html'",
              "only a page (.html) holds several replays, '%s' is written from one", output);
    } else if (run->operand_count > CLI_PAGE_PARTS_MAX) {
        usage(error, "leave some out", "a page holds %d replays at most", CLI_PAGE_PARTS_MAX);
    } else {
        return output;
    }
    return NULL;
}

static int run_export(cli_run *run)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const char *output = choose_output(run, &error);
    if (!output)
        return cli_report(run, "export", &error);
    return form_of(output) == FORM_ROWS ? export_rows(run, output)
                                        : export_scenes(run, run->operand_count, output);
}

#define WHAT "What is written"
#define KEYS "How motion is written"

static const cli_option options[] = {
    {.name = "track",
     .letter = 't',
     .value = "NAME",
     .choices = "<track>",
     .group = WHAT,
     .doc = "Only these tracks, between commas or repeated: what is seen in a scene, or which rows "
            "a table has.",
     .offset = offsetof(settings, tracks),
     .parse = cli_parse_words},
    CLI_OPTIONS_SPAN(settings, WHAT, " A scene then begins at 0 there."),
    CLI_OPTION_OFFSET(settings, WHAT),
    CLI_OPTION_SCENERY(settings, WHAT),
    CLI_OPTION_SCENE_MAX(settings, WHAT,
                         "Write no page (.html) with a larger scene, unless --force is given; 256 "
                         "MiB if not given."),
    {.name = "fps",
     .value = "N",
     .group = KEYS,
     .doc = "Sample motion this many times a second instead of at the times of the recording.",
     .offset = offsetof(settings, fps),
     .parse = cli_parse_text},
    {.name = "tolerance",
     .value = "MM[,DEG]",
     .group = KEYS,
     .doc = "Drop keys that interpolation gives back within so many millimetres and degrees; "
            "0.1,0.01 if not given.",
     .offset = offsetof(settings, tolerance),
     .parse = cli_parse_text},
    {.name = "exact",
     .group = KEYS,
     .doc = "Keep every key.",
     .offset = offsetof(settings, exact),
     .parse = cli_parse_flag},
    CLI_OPTIONS_OUTPUT(settings, output, force,
                       "The file to write, if it is not the last operand."),
};

const cli_command cli_export = {
    .name = "export",
    .summary = "write a scene (GLB, glTF), a page (HTML), or tables for other programs",
    .operands = "FILE... [OUTPUT]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Writes a replay as a file that other programs open. The ending of OUTPUT says which: .glb "
        "and .gltf are a moving 3D scene, .html is the viewer's page with the scene in it, which "
        "opens offline in any browser and also holds several replays, as 'reprise view' shows "
        "them; .json is the timeline (markers, plots, tables), .csv and "
        ".jsonl are the rows of a track as 'reprise cat' prints them.\n\n"
        "In a scene, keys that interpolation between their neighbours reproduces are dropped; how "
        "many is reported. Of a damaged replay everything readable is written, and the exit code "
        "is 3.",
    .examples = {{"reprise export match.replay match.glb", "A scene for Blender or a web page."},
                 {"reprise export match.replay match.html", "A page to send to somebody."},
                 {"reprise export mine.replay record.replay both.html",
                  "Two runs as ghosts or side by side on one page."},
                 {"reprise export --from 1:00 --to 1:30 --fps 30 match.replay round.glb",
                  "Half a minute of it, thirty samples a second."},
                 {"reprise export --track players match.replay players.csv",
                  "A table for a spreadsheet."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_export,
};
