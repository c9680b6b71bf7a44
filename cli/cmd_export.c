/*
 * cmd_export.c - reprise export: a replay as a file that other programs open. The suffix of the
 * output says which.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cat.h"
#include "files.h"
#include "outfile.h"
#include "page.h"
#include "report.h"

typedef struct settings {
    cli_common common;
    cli_words tracks;
    cli_moment from, to;
    const char *fps, *tolerance, *output;
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

static reprise_status write_file(const settings *s, reprise_scene *scene, const char *name,
                                 const char *output, reprise_error *error)
{
    cli_outfile file;
    if (cli_outfile_open(&file, output, s->force, error) != REPRISE_OK)
        return error->status;
    output_form form = form_of(output);
    reprise_status status = form == FORM_HTML
                                ? cli_page_write(scene, name, s->force, &file.out, error)
                                : write_scene(scene, form, &file.out, error);
    if (status == REPRISE_OK)
        status = cli_outfile_commit(&file, error);
    cli_outfile_close(&file);
    return status;
}

/* ---- telling ---- */

static void say_done(cli_run *run, const char *output, const reprise_value *about)
{
    cli_text words = {0};
    int64_t seen = reprise_value_int(reprise_value_get(about, "keys_recorded"), 0);
    int64_t kept = reprise_value_int(reprise_value_get(about, "keys_kept"), 0);
    cli_puts(&words, "reprise: ");
    cli_put_shown(&words, output, strlen(output));
    cli_printf(&words, ": %lld nodes, ",
               (long long)reprise_value_int(reprise_value_get(about, "nodes"), 0));
    cli_put_duration(&words, reprise_value_double(reprise_value_get(about, "duration"), 0));
    cli_printf(&words, ", %lld of %lld keys kept\n", (long long)kept, (long long)seen);
    cli_say(run, &words);
    cli_text_free(&words);
}

static int report_damage(cli_run *run, const char *path, const reprise_error *damage)
{
    cli_text words = {0};
    cli_put_error_words(&words, run->words_colour, path, damage);
    cli_say(run, &words);
    cli_text_free(&words);
    return CLI_WARNED;
}

static void put_report(cli_run *run, const char *path, const char *output,
                       const reprise_value *about)
{
    cli_text json = {0};
    cli_put_document(&json, path, about);
    /* The document ends with a brace, which moves behind the name of the result. */
    json.size--;
    cli_puts(&json, ",\"output\":");
    cli_put_json(&json, output, strlen(output));
    cli_puts(&json, "}\n");
    cli_out_put(&run->out, json.data, json.size);
    cli_text_free(&json);
}

static int export_scene(cli_run *run, const char *path, const char *output)
{
    const settings *s = run->settings;
    cli_progress_file progress = {.progress = &run->progress, .name = path};
    reprise_options reading = cli_reading(run, &progress);
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.name = cli_base_name(path);
    cli_scene_range(&s->from, &s->to, &options);
    reprise_error error = REPRISE_ERROR_INIT, damage = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_scene *scene = NULL;
    int code = CLI_DONE;
    reprise_status status = set_keys(s, &options, &error);
    if (status == REPRISE_OK)
        status = form_of(output) == FORM_HTML
                     ? cli_open_anyway(path, &reading, &replay, &damage, &error)
                     : cli_open(path, &reading, &replay, &error);
    if (status == REPRISE_OK)
        status = choose_tracks(s, replay, &options, &error);
    if (status == REPRISE_OK)
        status = reprise_scene_open(replay, &options, &scene, &error);
    if (status == REPRISE_OK)
        status = write_file(s, scene, options.name, output, &error);
    cli_progress_clear(&run->progress);
    if (status != REPRISE_OK) {
        code = cli_report(run, path, &error);
    } else {
        if (run->common->json)
            put_report(run, path, output, reprise_scene_about(scene));
        say_done(run, output, reprise_scene_about(scene));
        if (damage.status != REPRISE_OK)
            code = report_damage(run, path, &damage);
        if (reprise_scene_damage(scene))
            code = report_damage(run, path, reprise_scene_damage(scene));
    }
    reprise_scene_close(scene);
    reprise_close(replay);
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

static int run_export(cli_run *run)
{
    const settings *s = run->settings;
    reprise_error error;
    bool both = s->output && run->operand_count == 2;
    const char *output = s->output ? s->output : run->operand_count == 2 ? run->operands[1] : NULL;
    if (!output || both) {
        usage(&error, "such as 'reprise export match.replay match.glb'",
              both ? "takes one output, as second name or with --output"
                   : "needs the file to write");
        return cli_report(run, "export", &error);
    }
    run->operand_count = 1;
    output_form form = form_of(output);
    if (form == FORM_UNKNOWN) {
        usage(&error, "endings are .glb .gltf .html .json .csv .jsonl",
              "the ending of '%s' says nothing about the kind of file", output);
        return cli_report(run, "export", &error);
    }
    return form == FORM_ROWS ? export_rows(run, output)
                             : export_scene(run, run->operands[0], output);
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
                       "The file to write, if it is not the second operand."),
};

const cli_command cli_export = {
    .name = "export",
    .summary = "write a scene (GLB, glTF), a page (HTML), or tables for other programs",
    .operands = "FILE [OUTPUT]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = 2,
    .description =
        "Writes a replay as a file that other programs open. The ending of OUTPUT says which: .glb "
        "and .gltf are a moving 3D scene, .html is the viewer's page with the scene in it, which "
        "opens offline in any browser, .json is the timeline (markers, plots, tables), .csv and "
        ".jsonl are the rows of a track as 'reprise cat' prints them.\n\n"
        "In a scene, keys that interpolation between their neighbours reproduces are dropped; how "
        "many is reported. Of a damaged replay everything readable is written, and the exit code "
        "is 3.",
    .examples = {{"reprise export match.replay match.glb", "A scene for Blender or a web page."},
                 {"reprise export match.replay match.html", "A page to send to somebody."},
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
