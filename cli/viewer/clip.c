/* clip.c - see clip.h. */
#include "clip.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "batch/outfile.h"
#include "browser.h"
#include "server.h"
#include "ui/report.h"

enum {
    SIDE_MIN = 16,
    SIDE_MAX = 7680,
    FPS_MAX = 120,
    /* A browser that says nothing for longer is taken for dead. Loading a large scene is silent. */
    SILENCE_S = 300,
};

typedef struct recording {
    const cli_clip *clip;
    const char *form;
    unsigned width, height;
    double fps;
    double from, to; /* seconds; NaN: the start, the end */
    cli_page_builder builder;
    cli_server *server;
    cli_inbox inbox;
    cli_strbuf program; /* the browser */
} recording;

bool cli_clip_form(const char *path, const char **ret_form)
{
    static const char *const forms[] = {"webm", "mp4", "gif"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < CLI_COUNT(forms); i++) {
        if (strcmp(dot + 1, forms[i]) != 0)
            continue;
        *ret_form = forms[i];
        return true;
    }
    return false;
}

static reprise_status refuse(reprise_error *error, reprise_status status, const char *message,
                             const char *hint)
{
    *error = (reprise_error){.status = status};
    snprintf(error->message, sizeof error->message, "%s", message);
    snprintf(error->hint, sizeof error->hint, "%s", hint);
    return status;
}

static reprise_status refuse_value(reprise_error *error, const char *option, const char *value,
                                   const char *hint)
{
    *error = (reprise_error){.status = REPRISE_E_USAGE};
    snprintf(error->message, sizeof error->message, "invalid value '%s' for '--%s'", value, option);
    snprintf(error->hint, sizeof error->hint, "%s", hint);
    return error->status;
}

/* ---- options ---- */

/* Encoders of video take even numbers of pixels only. */
static bool read_side(const char **at, unsigned *ret_side)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    unsigned long side = strtoul(*at, &end, 10);
    *at = end;
    *ret_side = (unsigned)side;
    return side >= SIDE_MIN && side <= SIDE_MAX && side % 2 == 0;
}

static reprise_status read_size(recording *r, const char *text, reprise_error *error)
{
    const char *at = text;
    bool ok = read_side(&at, &r->width) && *at == 'x';
    if (ok) {
        at++;
        ok = read_side(&at, &r->height) && !*at;
    }
    return ok ? REPRISE_OK
              : refuse_value(error, "size", text, "expected even numbers such as 1280x720");
}

static reprise_status read_options(recording *r, reprise_error *error)
{
    const cli_clip *clip = r->clip;
    bool gif = strcmp(r->form, "gif") == 0;
    r->width = gif ? 640 : 1280;
    r->height = gif ? 360 : 720;
    r->fps = gif ? 20 : 30;
    if (clip->size && read_size(r, clip->size, error) != REPRISE_OK)
        return error->status;
    if (clip->fps) {
        char *end;
        r->fps = strtod(clip->fps, &end);
        if (end == clip->fps || *end || !(r->fps >= 1 && r->fps <= FPS_MAX))
            return refuse_value(error, "fps", clip->fps, "expected 1 to 120 for a clip");
    }
    if (clip->camera &&
        strspn(clip->camera, "abcdefghijklmnopqrstuvwxyz0123456789:-_") != strlen(clip->camera))
        return refuse_value(error, "camera", clip->camera,
                            "expected a camera of the page such as follow:2, eyes, top or auto");
    if (!cli_headless_find(&r->program))
        return refuse(error, REPRISE_E_UNSUPPORTED, "clips are drawn by Chromium, which is missing",
                      "install chromium, set CHROMIUM to its path, or record in the Share tab of "
                      "'reprise view'");
    return cli_page_check(error);
}

/*
 * A range of times is recorded from the page of all of the replay, so that everything that came
 * before is there. For frames the scene is cut.
 */
static void read_range(recording *r)
{
    const reprise_scene_options all = REPRISE_SCENE_INIT;
    reprise_scene_options *part = &r->builder.items[0].options;
    r->from = r->to = NAN;
    if (part->index_from != all.index_from || part->index_to != all.index_to)
        return;
    if (r->clip->from->given)
        r->from = part->time_from;
    if (r->clip->to->given)
        r->to = part->time_to;
    part->time_from = all.time_from;
    part->time_to = all.time_to;
}

/* ---- recording ---- */

static void put_address(const recording *r, cli_strbuf *to)
{
    cli_printf(to, "%s?still&clip=%s&size=%ux%u&fps=%.6g", cli_server_address(r->server), r->form,
               r->width, r->height, r->fps);
    if (!isnan(r->from))
        cli_printf(to, "&from=%.6f", r->from);
    if (!isnan(r->to))
        cli_printf(to, "&to=%.6f", r->to);
    if (r->clip->camera)
        cli_printf(to, "&camera=%s", r->clip->camera);
    if (r->clip->plain)
        cli_puts(to, "&plain");
}

/* Waits until the page has sent the clip or a reason why it cannot. */
static reprise_status await(recording *r, cli_headless *browser, reprise_error *error)
{
    cli_progress_file progress = {.progress = &r->clip->run->progress, .name = r->clip->output};
    cli_inbox state = {0};
    double seen = -1;
    time_t news = time(NULL);
    while (cli_server_await_clip(r->server, &state)) {
        if (state.complete)
            return REPRISE_OK;
        if (state.problem[0])
            return refuse(error, REPRISE_E_UNSUPPORTED, state.problem, "");
        if (!cli_headless_runs(browser))
            return refuse(error, REPRISE_E_IO, "the browser ended before the clip was complete",
                          "start it without reprise to see why");
        if (state.done != seen) {
            news = time(NULL);
            (void)cli_progress_step(&progress, (uint64_t)(1000 * state.done), 1000);
        } else if (difftime(time(NULL), news) > SILENCE_S)
            return refuse(error, REPRISE_E_IO, "the browser does not answer",
                          "try a smaller --size");
        seen = state.done;
    }
    return refuse(error, REPRISE_E_CANCELLED, "recording was stopped", "");
}

static reprise_status record(recording *r, reprise_error *error)
{
    cli_headless browser = {0};
    cli_strbuf address = {0};
    put_address(r, &address);
    char *pointer = cli_browser_pointer(address.data);
    cli_strbuf_free(&address);
    if (!pointer || !cli_headless_start(r->program.data, pointer, &browser)) {
        *error = (reprise_error){.status = REPRISE_E_IO, .cause = errno};
        snprintf(error->message, sizeof error->message, "cannot start %s: %s", r->program.data,
                 strerror(errno));
    } else {
        await(r, &browser, error);
    }
    cli_headless_stop(&browser);
    cli_browser_forget(pointer);
    return error->status;
}

/* Makes the page and has it recorded. On failure *ret_path is the file that the error is about. */
static reprise_status serve(recording *r, const char **ret_path, reprise_error *error)
{
    cli_page_content content;
    *ret_path = r->clip->output;
    if (cli_server_start("Clip", &r->server, error) != REPRISE_OK)
        return error->status;
    cli_server_take_clip(r->server, &r->inbox);
    if (cli_page_builder_build(&r->builder, &content, ret_path, error) == REPRISE_OK) {
        *ret_path = r->clip->output;
        cli_server_ready(r->server, &content);
        record(r, error);
    } else {
        cli_server_failed(r->server, error, 0);
    }
    cli_server_stop(r->server);
    return error->status;
}

static reprise_status write_clip(recording *r, const char **ret_path, reprise_error *error)
{
    const cli_clip *clip = r->clip;
    cli_outfile file;
    *ret_path = clip->scenery;
    if (cli_scenery_open(clip->scenery, &r->builder.scenery, error) != REPRISE_OK ||
        cli_page_builder_open(&r->builder, ret_path, error) != REPRISE_OK)
        return error->status;
    read_range(r);
    *ret_path = clip->output;
    if (cli_outfile_open(&file, clip->output, clip->force, error) != REPRISE_OK)
        return error->status;
    r->inbox.out = &file.out;
    if (serve(r, ret_path, error) == REPRISE_OK)
        cli_outfile_commit(&file, error);
    cli_outfile_close(&file);
    return error->status;
}

/* ---- reporting ---- */

static void report(const recording *r)
{
    cli_run *run = r->clip->run;
    cli_strbuf words = {0};
    if (run->common->json) {
        cli_json json = {.to = &words};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "file", r->builder.items[0].path);
        cli_json_text(&json, "output", r->clip->output);
        cli_json_uint(&json, "width", r->width);
        cli_json_uint(&json, "height", r->height);
        cli_json_real(&json, "fps", r->fps);
        cli_json_uint(&json, "bytes", r->inbox.size);
        cli_json_close(&json);
        cli_putc(&words, '\n');
        cli_out_put(&run->out, words.data, words.size);
        cli_strbuf_clear(&words);
    }
    cli_puts(&words, "reprise: ");
    cli_put_shown(&words, r->clip->output, strlen(r->clip->output));
    cli_printf(&words, ": %u x %u, %.4g frames per second, ", r->width, r->height, r->fps);
    cli_put_size(&words, r->inbox.size);
    cli_puts(&words, "\n");
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

int cli_clip_write(const cli_clip *clip)
{
    cli_run *run = clip->run;
    recording r = {.clip = clip,
                   .builder = {.run = run,
                               .maps = clip->maps,
                               .from = clip->from,
                               .to = clip->to,
                               .scenery = CLI_SCENERY_NONE,
                               .scene_max = clip->scene_max}};
    reprise_error error = REPRISE_ERROR_INIT;
    const char *path = "export";
    (void)cli_clip_form(clip->output, &r.form);
    if (read_options(&r, &error) == REPRISE_OK) {
        path = clip->output;
        cli_outfile_check(clip->output, clip->force, &error);
    }
    for (size_t i = 0; i < run->operand_count; i++)
        cli_page_builder_add(&r.builder, run->operands[i], clip->offsets[i]);
    if (error.status == REPRISE_OK)
        write_clip(&r, &path, &error);
    cli_progress_clear(&run->progress);
    int code = error.status == REPRISE_OK ? r.builder.damaged : cli_report(run, path, &error);
    if (error.status == REPRISE_OK)
        report(&r);
    cli_page_builder_close(&r.builder);
    cli_strbuf_free(&r.program);
    return code;
}
