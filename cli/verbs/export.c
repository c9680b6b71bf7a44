/*
 * export.c - reprise export: writes a replay for other programs. The suffix of the output selects
 * the kind of file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/catalog_rows.h"
#include "batch/moment.h"
#include "batch/outfile.h"
#include "batch/write_batch.h"
#include "cat.h"
#include "export.h"
#include "table_file.h"
#include "ui/report.h"
#include "viewer/archive.h"
#include "viewer/clip.h"
#include "viewer/page_content.h"
#include "viewer/site.h"
#include "viewer/viewer_page.h"

typedef struct settings {
    cli_common common;
    cli_words tracks, offsets;
    cli_moment from, to;
    const char *fps, *tolerance, *output, *scenery, *maps, *scene_max;
    const char *pages, *site_url, *catalog, *size, *camera;
    size_t as; /* index of the word chosen */
    bool exact, force, site, spoiler_free, plain;
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

/* ---- options ---- */

/* A browser reads a page in one file completely before it shows anything. */
static const uint64_t page_scene_max = UINT64_C(256) << 20;

typedef enum output_form {
    FORM_GLB,
    FORM_GLTF,
    FORM_TIMELINE,
    FORM_HTML,
    FORM_ROWS,
    FORM_TABLE,
    FORM_DIRECTORY,
    FORM_DATABASE,
    FORM_CLIP,
    FORM_UNKNOWN
} output_form;

static output_form form_of(const char *path)
{
    static const struct {
        const char *suffix;
        output_form form;
    } known[] = {
        {".glb", FORM_GLB},         {".gltf", FORM_GLTF},  {".json", FORM_TIMELINE},
        {".csv", FORM_ROWS},        {".jsonl", FORM_ROWS}, {".html", FORM_HTML},
        {".sqlite", FORM_DATABASE},
    };
    size_t size = strlen(path);
    reprise_table_form table;
    const char *clip;
    if ((size && path[size - 1] == '/') || cli_is_directory(path))
        return FORM_DIRECTORY;
    for (size_t i = 0; i < CLI_COUNT(known); i++) {
        size_t n = strlen(known[i].suffix);
        if (size > n && strcmp(path + size - n, known[i].suffix) == 0)
            return known[i].form;
    }
    if (cli_clip_form(path, &clip))
        return FORM_CLIP;
    return cli_table_form_of(path, &table) ? FORM_TABLE : FORM_UNKNOWN;
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

/* A number within bounds; *ret_end points after it. */
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

/* The options of an exported scene. */
typedef struct plan {
    reprise_scene_options scene;
    double offsets[CLI_PAGE_PARTS_MAX];
    uint64_t scene_max;
    cli_scenery scenery;
} plan;

static reprise_status set_keys(const settings *s, reprise_scene_options *options,
                               reprise_error *error)
{
    const char *end = "";
    options->exact = s->exact;
    if (s->fps && (!parse_number(s->fps, 0.01, 1000, &options->samples_per_s, &end) || *end)) {
        usage(error, "expected a number from 0.01 to 1000", "invalid value '%s' for '--fps'",
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
        usage(error, "expected millimetres and degrees such as 0.1,0.01",
              "invalid value '%s' for '--tolerance'", s->tolerance);
        return error->status;
    }
    options->tolerance_m = mm / 1000;
    return REPRISE_OK;
}

static reprise_status read_options(const settings *s, size_t count, plan *p, reprise_error *error)
{
    *p = (plan){.scene = REPRISE_SCENE_INIT, .scenery = CLI_SCENERY_NONE};
    reprise_status status = set_keys(s, &p->scene, error);
    if (status == REPRISE_OK)
        status = cli_page_offsets(&s->offsets, count, "export", p->offsets, error);
    if (status == REPRISE_OK)
        status = cli_page_scene_max(s->scene_max, page_scene_max, &p->scene_max, error);
    if (s->force)
        p->scene_max = UINT64_MAX;
    return status;
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

/* One replay to be exported. */
typedef struct source {
    const char *path;
    reprise_replay *replay;
    reprise_error damage; /* why only its complete frames could be opened; OK: none */
    cli_page_part part;
} source;

static reprise_status write_page(const plan *p, const source *sources, size_t count, cli_out *out,
                                 reprise_error *error)
{
    cli_page_part parts[CLI_PAGE_PARTS_MAX];
    for (size_t i = 0; i < count; i++)
        parts[i] = sources[i].part;
    return cli_page_write(parts, count, &p->scenery, p->scene_max, out, error);
}

static reprise_status write_file(const settings *s, const plan *p, const source *sources,
                                 size_t count, const char *output, reprise_error *error)
{
    cli_outfile file;
    if (cli_outfile_open(&file, output, s->force, error) != REPRISE_OK)
        return error->status;
    output_form form = form_of(output);
    reprise_status status = form == FORM_HTML
                                ? write_page(p, sources, count, &file.out, error)
                                : write_scene(sources[0].part.scene, form, &file.out, error);
    if (status == REPRISE_OK)
        status = cli_outfile_commit(&file, error);
    cli_outfile_close(&file);
    return status;
}

/* ---- reporting ---- */

static void print_done(cli_run *run, const char *output, const reprise_value *about)
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
    /* With --fps the keys are samples, and there may be more of them than recorded. */
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

static reprise_status open_source(cli_run *run, const plan *p, source *from, output_form form,
                                  reprise_error *error)
{
    const settings *s = run->settings;
    cli_progress_file progress = {.progress = &run->progress, .name = from->path};
    cli_open_options reading = cli_reading(run, &progress);
    reprise_scene_options options = p->scene;
    options.name = from->part.name = cli_base_name(from->path);
    reprise_status status = form == FORM_HTML
                                ? cli_open_anyway(from->path, &reading, &from->replay,
                                                  &from->damage, error)
                                : cli_open(from->path, &reading, &from->replay, error);
    if (status == REPRISE_OK)
        status = cli_range_find(from->replay, &s->from, &s->to, CLI_RANGE_OF(&options), error);
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

/* Prints what was written of one replay. Returns the exit code. */
static int report(cli_run *run, const source *from, const char *output)
{
    const reprise_value *about = reprise_scene_about(from->part.scene);
    int code = CLI_DONE;
    print_done(run, output, about);
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

/* The map of the first replay, unless scenery was given. */
static reprise_status find_map(cli_run *run, plan *p, reprise_replay *replay, reprise_error *error)
{
    const settings *s = run->settings;
    bool other = false;
    if (cli_scenery_name(&p->scenery) || !s->maps)
        return REPRISE_OK;
    if (cli_scenery_find(s->maps, replay, &p->scenery, &other, error) == REPRISE_OK)
        cli_say_map(run, &p->scenery, other);
    return error->status;
}

/* Opens and writes all sources. On failure *ret_path is the file that the error is about. */
static reprise_status write_sources(cli_run *run, plan *p, source *sources, size_t count,
                                    const char *output, const char **ret_path, reprise_error *error)
{
    for (size_t i = 0; i < count; i++) {
        *ret_path = sources[i].path = run->operands[i];
        sources[i].part.offset = p->offsets[i];
        if (open_source(run, p, &sources[i], form_of(output), error) != REPRISE_OK)
            return error->status;
    }
    *ret_path = ((const settings *)run->settings)->maps;
    if (form_of(output) == FORM_HTML && find_map(run, p, sources[0].replay, error) != REPRISE_OK)
        return error->status;
    *ret_path = sources[count - 1].path;
    reprise_status status = write_file(run->settings, p, sources, count, output, error);
    if (status == REPRISE_E_IO)
        *ret_path = output;
    return status;
}

static int export_scenes(cli_run *run, size_t count, const char *output)
{
    const settings *s = run->settings;
    source sources[CLI_PAGE_PARTS_MAX] = {0};
    reprise_error error = REPRISE_ERROR_INIT;
    plan p;
    if (read_options(s, count, &p, &error) != REPRISE_OK)
        return cli_report(run, "export", &error);
    if (cli_outfile_check(output, s->force, &error) != REPRISE_OK)
        return cli_report(run, output, &error);
    if (cli_scenery_open(s->scenery, &p.scenery, &error) != REPRISE_OK)
        return cli_report(run, s->scenery, &error);
    const char *path = output;
    reprise_status status = write_sources(run, &p, sources, count, output, &path, &error);
    cli_scenery_close(&p.scenery);
    cli_progress_clear(&run->progress);
    int code = status == REPRISE_OK ? CLI_DONE : cli_report(run, path, &error);
    if (status == REPRISE_OK && run->common->json)
        put_reports(run, sources, count, output);
    for (size_t i = 0; i < count; i++) {
        int reported = status == REPRISE_OK ? report(run, &sources[i], output) : CLI_DONE;
        code = reported != CLI_DONE ? reported : code;
    }
    for (size_t i = 0; i < count; i++)
        close_source(&sources[i]);
    return code;
}

static int write_rows(cli_run *run, const cli_cat_settings *rows)
{
    reprise_table_form form;
    switch (form_of(rows->output)) {
    case FORM_DIRECTORY:
        return cli_table_write_directory(run, rows);
    case FORM_DATABASE:
        return cli_table_write_database(run, rows);
    case FORM_TABLE:
        (void)cli_table_form_of(rows->output, &form);
        return cli_table_write(run, rows, form);
    default:
        return cli_cat_rows(run, rows);
    }
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
    int code = write_rows(run, rows);
    free(rows);
    return code;
}

static bool holds_several(output_form form)
{
    return form == FORM_HTML || form == FORM_DIRECTORY || form == FORM_DATABASE ||
           form == FORM_CLIP;
}

/* Without --output the last operand is the output. */
static const char *choose_output(cli_run *run, reprise_error *error)
{
    const settings *s = run->settings;
    const char *output = s->output;
    if (!output && run->operand_count > 1)
        output = run->operands[--run->operand_count];
    if (!output) {
        usage(error, "such as 'reprise export match.replay match.glb'",
              "missing operand, expected OUTPUT");
    } else if (form_of(output) == FORM_UNKNOWN) {
        usage(error, "pictures are made in the tab Share of 'reprise view'",
              "the suffix of '%s' is none of .glb, .gltf, .html, .webm, .mp4, .gif, .json, .csv, "
              ".jsonl, .parquet, .arrow, .arrows, .sqlite, DIR/",
              output);
    } else if (run->operand_count > 1 && !holds_several(form_of(output))) {
        usage(error, "such as 'reprise export mine.replay yours.replay both.html'",
              "only a page (.html), a clip, a database (.sqlite) or a directory holds several "
              "replays, not '%s'",
              output);
    } else if (run->operand_count > CLI_PAGE_PARTS_MAX &&
               (form_of(output) == FORM_HTML || form_of(output) == FORM_CLIP)) {
        usage(error, "leave some out", "a page or a clip holds at most %d replays",
              CLI_PAGE_PARTS_MAX);
    } else if ((s->size || s->camera || s->plain) && form_of(output) != FORM_CLIP) {
        usage(error, "leave them out",
              "--size, --camera and --plain are for clips (.webm, .mp4, "
              ".gif)");
    } else {
        return output;
    }
    return NULL;
}

static int export_site(cli_run *run)
{
    const settings *s = run->settings;
    reprise_error error = REPRISE_ERROR_INIT;
    uint64_t scene_max = 0;
    const char *output = s->output;
    if (!output && run->operand_count > 1)
        output = run->operands[--run->operand_count];
    if (output && run->operand_count == 1 && cli_catalog_missing(run->operands[0], &error))
        return cli_report(run, run->operands[0], &error);
    if (!output || run->operand_count != 1 || !cli_is_archive(run->operands[0])) {
        usage(&error, "such as 'reprise export --site replays/ site/'",
              "a site needs a directory with replays, or its catalog, and a directory to write");
        return cli_report(run, "export", &error);
    }
    if (cli_page_scene_max(s->scene_max, page_scene_max, &scene_max, &error) != REPRISE_OK)
        return cli_report(run, "export", &error);
    return cli_site_write(&(cli_site){.run = run,
                                      .operand = run->operands[0],
                                      .catalog = s->catalog,
                                      .output = output,
                                      .pages = s->pages,
                                      .url = s->site_url,
                                      .spoiler_free = s->spoiler_free,
                                      .force = s->force,
                                      .scene_max = scene_max});
}

static int export_clip(cli_run *run, const char *output)
{
    const settings *s = run->settings;
    reprise_error error = REPRISE_ERROR_INIT;
    double offsets[CLI_PAGE_PARTS_MAX] = {0};
    uint64_t scene_max = 0;
    if (cli_page_offsets(&s->offsets, run->operand_count, "export", offsets, &error) !=
            REPRISE_OK ||
        cli_page_scene_max(s->scene_max, CLI_PAGE_BUILDER_SCENE_MAX, &scene_max, &error) !=
            REPRISE_OK)
        return cli_report(run, "export", &error);
    return cli_clip_write(&(cli_clip){.run = run,
                                      .output = output,
                                      .scenery = s->scenery,
                                      .maps = s->maps,
                                      .size = s->size,
                                      .fps = s->fps,
                                      .camera = s->camera,
                                      .from = &s->from,
                                      .to = &s->to,
                                      .offsets = offsets,
                                      .scene_max = scene_max,
                                      .plain = s->plain,
                                      .force = s->force});
}

bool cli_export_is_site(const cli_run *run)
{
    const settings *s = run->settings;
    if (s->site || s->pages || s->site_url || s->catalog || s->spoiler_free)
        return true;
    if (s->tracks.count || run->common->output_dir || run->operand_count != (s->output ? 1 : 2))
        return false;
    return cli_is_archive(run->operands[0]) &&
           cli_site_is(s->output ? s->output : run->operands[1]);
}

/* Tables in a directory are not what those expect who want a page. */
static void mention_sites(cli_run *run, const char *output)
{
    cli_strbuf words = {0};
    if (run->operand_count != 1 || form_of(output) != FORM_DIRECTORY ||
        !cli_is_directory(run->operands[0]))
        return;
    cli_puts(&words,
             "reprise: these are tables; with --site, a directory gets the page of 'reprise "
             "view' instead\n");
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

static int export_to(cli_run *run, const char *output)
{
    switch (form_of(output)) {
    case FORM_CLIP:
        return export_clip(run, output);
    case FORM_ROWS:
    case FORM_TABLE:
    case FORM_DIRECTORY:
    case FORM_DATABASE:
        return export_rows(run, output);
    default:
        return export_scenes(run, run->operand_count, output);
    }
}

/* ---- many files ---- */

#define AS_CHOICES "glb gltf html json csv jsonl parquet arrow arrows"

static bool is_complete(int code)
{
    return code == CLI_DONE || code == CLI_WARNED;
}

/* Exports one file as if it were the only operand; reports go to the job. */
static int export_quietly(cli_job *job, const cli_target *to, cli_captured *captured)
{
    settings own = *(const settings *)job->run->settings;
    char *operands[] = {(char *)(uintptr_t)job->path};
    cli_run run = *job->run;
    own.force = to->replace;
    own.common.json = false;
    run.settings = &own;
    run.common = &own.common;
    run.operands = operands;
    run.operand_count = 1;
    run.captured = captured;
    cli_progress_init(&run.progress, CLI_PROGRESS_OFF);
    return export_to(&run, to->path);
}

static void export_one(cli_job *job, const cli_target *to, cli_json *json)
{
    cli_captured captured = {.error = REPRISE_ERROR_INIT};
    reprise_replay *replay = NULL;
    (void)json;
    /* What is no replay must leave no directory. */
    reprise_status status = cli_open(job->path, &job->run->common->reading, &replay, &job->error);
    reprise_close(replay);
    if (status == REPRISE_E_UNRECOGNIZED)
        return;
    job->error = (reprise_error)REPRISE_ERROR_INIT;
    if (cli_target_begin(to, &job->error) != REPRISE_OK)
        return;
    job->code = export_quietly(job, to, &captured);
    if (!is_complete(job->code))
        job->error = captured.error;
    else if (captured.error.status != REPRISE_OK)
        cli_put_error_words(&job->words, job->run->words_colour, job->path, &captured.error);
    if (job->code == CLI_WARNED)
        cli_put(&job->words, cli_strbuf_string(&captured.words), captured.words.size);
    cli_strbuf_free(&captured.words);
}

/* The suffix of the kind chosen: its name after a dot. */
static void put_suffix(cli_strbuf *to, size_t chosen)
{
    const char *at = AS_CHOICES, *word;
    size_t size;
    while (cli_next_word(&at, &word, &size) && chosen)
        chosen--;
    cli_putc(to, '.');
    cli_put(to, word, size);
}

static int export_many(cli_run *run)
{
    const settings *s = run->settings;
    cli_strbuf suffix = {0};
    if (!s->as || s->output)
        return cli_usage(run, "export",
                         "--output-dir needs --as, the kind of files to write, and no --output");
    put_suffix(&suffix, s->as - 1);
    int code = cli_write_batch_run(run, &(cli_writing){.suffix = suffix.data, .write = export_one});
    cli_strbuf_free(&suffix);
    return code;
}

static int run_export(cli_run *run)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const settings *s = run->settings;
    if (run->common->output_dir && cli_export_is_site(run))
        return cli_usage(run, "export", "--output-dir writes no site; name its directory last");
    if (cli_export_is_site(run))
        return export_site(run);
    if (run->common->output_dir)
        return export_many(run);
    if (s->as)
        return cli_usage(run, "export",
                         "--as needs --output-dir; the suffix of OUTPUT names a kind");
    const char *output = choose_output(run, &error);
    if (!output)
        return cli_report(run, "export", &error);
    int code = export_to(run, output);
    mention_sites(run, output);
    return code;
}

/* 0 is none, so that its absence is noticed. */
static bool parse_as(const cli_option *option, char *text, void *to, cli_strbuf *problem)
{
    size_t *chosen = to;
    if (!cli_parse_choice(option, text, to, problem))
        return false;
    ++*chosen;
    return true;
}

#define WHAT "Content"
#define KEYS "Motion"
#define CLIP "Clips"
#define SITE "Site"

static const cli_option options[] = {
    {.name = "track",
     .letter = 't',
     .value = "NAME",
     .choices = "<track>",
     .group = WHAT,
     .doc = "Export only these tracks, in a scene or as a table. Separate names with commas or "
            "repeat.",
     .offset = offsetof(settings, tracks),
     .parse = cli_parse_words},
    CLI_OPTIONS_SPAN(settings, WHAT, " The scene then starts at 0."),
    CLI_OPTION_OFFSET(settings, WHAT),
    CLI_OPTION_SCENERY(settings, WHAT),
    CLI_OPTION_SCENE_MAX(
        settings, WHAT,
        "Refuse to write a page (.html) with a larger scene unless --force is given "
        "(default: 268435456)"),
    {.name = "fps",
     .value = "N",
     .group = KEYS,
     .doc = "Sample motion N times per second instead of at the recorded times. Of a clip: its "
            "frames per second (default: 30; .gif: 20).",
     .offset = offsetof(settings, fps),
     .parse = cli_parse_text},
    {.name = "tolerance",
     .value = "MM[,DEG]",
     .group = KEYS,
     .doc = "Drop keys that interpolation reproduces within MM millimetres and DEG degrees "
            "(default: 0.1,0.01)",
     .offset = offsetof(settings, tolerance),
     .parse = cli_parse_text},
    {.name = "exact",
     .group = KEYS,
     .doc = "Keep every key.",
     .offset = offsetof(settings, exact),
     .parse = cli_parse_flag},
    {.name = "size",
     .value = "WxH",
     .group = CLIP,
     .doc = "Width and height of a clip in pixels (default: 1280x720; .gif: 640x360)",
     .offset = offsetof(settings, size),
     .parse = cli_parse_text},
    {.name = "camera",
     .value = "NAME",
     .group = CLIP,
     .doc =
         "Record a camera of the page: orbit, follow, follow:2 (the second player), eyes, eyes:2, "
         "top, auto or a recorded one (default: that with which the page opens)",
     .offset = offsetof(settings, camera),
     .parse = cli_parse_text},
    {.name = "plain",
     .group = CLIP,
     .doc = "Leave names and values out of a clip.",
     .offset = offsetof(settings, plain),
     .parse = cli_parse_flag},
    {.name = "site",
     .group = SITE,
     .doc = "Write the page of 'reprise view DIR' as static files for a web host, instead of "
            "tables.",
     .offset = offsetof(settings, site),
     .parse = cli_parse_flag},
    {.name = "pages",
     .value = "N|all",
     .group = SITE,
     .doc = "Write pages of N replays, records first, then the latest (default: 100)",
     .offset = offsetof(settings, pages),
     .parse = cli_parse_text},
    {.name = "site-url",
     .value = "URL",
     .group = SITE,
     .doc = "Name this address of the site in link previews, which most programs need for the "
            "picture. All other links are relative.",
     .offset = offsetof(settings, site_url),
     .parse = cli_parse_text},
    CLI_OPTION_CATALOG(settings, SITE),
    CLI_OPTION_SPOILER_FREE(settings, SITE),
    {.name = "as",
     .value = "KIND",
     .choices = AS_CHOICES,
     .group = CLI_OUTPUT_GROUP,
     .doc = "With --output-dir, write files of this kind: glb, gltf, html, json, csv, jsonl, "
            "parquet, arrow or arrows. Their names end in it.",
     .offset = offsetof(settings, as),
     .parse = parse_as},
    CLI_OPTIONS_OUTPUT(settings, output, force, "Write to FILE instead of the last operand."),
};

const cli_command cli_export = {
    .name = "export",
    .summary = "write a scene (GLB), a page (HTML), a clip or tables for other programs",
    .operands = "FILE... [OUTPUT]",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .description =
        "Writes a replay for other programs. The suffix of OUTPUT selects the kind of file: .glb "
        "and .gltf are an animated 3D scene; .html is the page of 'reprise view' with one or more "
        "replays in it, which works offline in any browser; .json is the timeline (markers, plots, "
        "tables); .csv and .jsonl are the rows of a track, as printed by 'reprise cat'; .parquet, "
        ".arrow (IPC file) and .arrows (IPC stream) are the same rows as columns, for DuckDB, "
        "polars, pandas and Spark. A directory (DIR/) gets one Parquet file per track; those of "
        "several replays are format=FORMAT/track=TRACK/REPLAY.parquet. .sqlite is a database of "
        "one or more replays with a table FORMAT_TRACK for each track. For both, FILE may be a "
        "directory with replays.\n\n"
        ".webm, .mp4 and .gif are clips of --from to --to, of one replay or of several as ghosts: "
        "an installed Chromium ($CHROMIUM, or found in PATH) draws every frame without a window, "
        "as the Share tab of 'reprise view' does. .mp4 is H.264, or VP9 or AV1 if it cannot encode "
        "that.\n\n"
        "With --site or another option of sites, and if OUTPUT is called site/ or has a site in "
        "it, "
        "FILE is a directory of replays and OUTPUT a directory that gets the page of 'reprise view "
        "DIR' as files that any web host serves. --force updates a site: pages that this "
        "version has written are kept.\n\n"
        "In a scene, keys that interpolation between their neighbours reproduces are dropped; the "
        "report says how many. Of a damaged replay everything readable is written, and the exit "
        "code is 3.",
    .examples =
        {{"reprise export match.replay match.glb", "Write a scene for Blender or a web page."},
         {"reprise export match.replay match.html", "Write a page to share."},
         {"reprise export mine.replay record.replay both.html", "Show two runs on one page."},
         {"reprise export --from 1:00 --to 1:30 --fps 30 match.icrep round.glb",
          "Write half a minute with thirty samples per second."},
         {"reprise export --from 1:00 --to 1:20 match.replay clip.webm",
          "Record twenty seconds as a video."},
         {"reprise export --track players match.replay players.csv",
          "Write a table for a spreadsheet."},
         {"reprise export --track players match.replay players.parquet",
          "Write a table for DuckDB, polars, pandas or Spark."},
         {"reprise export --pages all archive/ site/", "Write a site for a web host."},
         {"reprise export archive/ tables/", "Write all tracks of many replays as Parquet files."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .batches = true,
    .settings_size = sizeof(settings),
    .run = run_export,
};
