/* view.c - reprise view: serves the viewer's page and opens it in a browser. */
#define _DEFAULT_SOURCE /* mkstemps */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "batch/outfile.h"
#include "ui/report.h"
#include "viewer/server.h"
#include "viewer/viewer_page.h"

typedef struct settings {
    cli_common common;
    cli_words offsets;
    cli_moment from, to;
    const char *wait, *scenery, *scene_max;
    bool no_open, keep;
} settings;

enum { WAIT_S = 30, WINDOWS_MAX = 8 };
static const uint64_t scene_bytes_max = UINT64_C(1) << 30; /* what browsers can hold */

/* One replay on the page. */
typedef struct shown {
    const char *path;
    double offset;
    reprise_replay *replay;
    reprise_scene *scene; /* NULL once the page is written */
    cli_served served;
} shown;

typedef struct view {
    cli_run *run;
    cli_server *server;
    shown items[CLI_SERVED_MAX];
    size_t count, now; /* `now` is being read */
    double wait_s;
    uint64_t scene_max;  /* bytes; larger scenes are shortened */
    cli_scenery scenery; /* owned by the server once everything is ready */
    int damaged;         /* exit code for damaged input, or 0 */
    char *pointer;       /* path of the file that redirects a browser to the page, or NULL */
} view;

static int refuse(cli_run *run, const char *message, const char *hint)
{
    reprise_error error = {.status = REPRISE_E_USAGE};
    snprintf(error.message, sizeof error.message, "%s", message);
    snprintf(error.hint, sizeof error.hint, "%s", hint);
    return cli_report(run, "view", &error);
}

static bool read_number(const char *text, double *ret_value)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return false;
    *ret_value = value;
    return true;
}

/* ---- scenes ---- */

static bool report_progress(void *ctx, uint64_t done, uint64_t total)
{
    view *v = ctx;
    double part = total ? (double)done / (double)total : 0;
    if (v->server)
        cli_server_progress(v->server, ((double)v->now + part) / (double)v->count);
    return true;
}

/* A temporary file that is deleted when it is closed. */
static int open_unnamed(void)
{
    const char *directory = getenv("TMPDIR");
    cli_strbuf path = {0};
    cli_printf(&path, "%s/reprise.XXXXXX", directory && *directory ? directory : "/tmp");
    int fd = mkstemp(path.data);
    if (fd >= 0) {
        unlink(path.data);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    cli_strbuf_free(&path);
    return fd;
}

/* Writes up to `most` bytes and counts all. */
typedef struct measured {
    cli_out *out;
    uint64_t size, most;
} measured;

static int write_out(void *ctx, const void *data, size_t size)
{
    measured *m = ctx;
    m->size += size;
    if (m->size <= m->most)
        cli_out_put(m->out, data, size);
    return m->out->cause;
}

/* A scene that is too large sets its size but no file. */
static reprise_status write_scene(reprise_scene *scene, uint64_t most, cli_served *to,
                                  reprise_error *error)
{
    cli_out out = {.fd = open_unnamed()};
    if (out.fd < 0) {
        *error = (reprise_error){.status = REPRISE_E_IO, .cause = errno};
        snprintf(error->message, sizeof error->message, "cannot create a temporary file: %s",
                 strerror(error->cause));
        return error->status;
    }
    measured m = {.out = &out, .most = most};
    reprise_sink sink = {.ctx = &m, .write = write_out};
    reprise_status status = reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, error);
    cli_out_flush(&out);
    if (status == REPRISE_OK && out.cause) {
        *error = (reprise_error){.status = REPRISE_E_IO, .cause = out.cause};
        snprintf(error->message, sizeof error->message, "cannot write a temporary file: %s",
                 strerror(out.cause));
        status = error->status;
    }
    to->scene_size = m.size;
    to->scene_fd = m.size <= most ? out.fd : -1;
    if (m.size > most)
        close(out.fd);
    cli_out_free(&out);
    return status;
}

/* ---- scenes that are too large ---- */

/* Estimates from the size of the scene how long a part from the start fits. */
static reprise_status shorten(const view *v, const reprise_scene *scene, uint64_t size,
                              reprise_scene_options *options, cli_strbuf *notice,
                              reprise_error *error)
{
    const reprise_value *about = reprise_scene_about(scene);
    double length = reprise_value_double(reprise_value_get(about, "duration"), 0);
    double start = reprise_value_double(reprise_value_get(about, "time_offset"), 0);
    uint64_t fixed = reprise_value_uint(reprise_value_get(about, "static_bytes"), 0);
    if (fixed >= v->scene_max || size <= fixed || !(length > 0)) {
        *error = (reprise_error){.status = REPRISE_E_LIMIT};
        snprintf(error->message, sizeof error->message,
                 "the scene is too large for a browser even without its motion");
        snprintf(error->hint, sizeof error->hint,
                 "'reprise export FILE scene.glb' writes it for other programs");
        return error->status;
    }
    double share = (double)(v->scene_max - fixed) / (double)(size - fixed);
    options->time_to = start + 0.9 * share * length;
    cli_strbuf_clear(notice);
    cli_printf(notice,
               "The scene is too large for a browser. This is the part from %.1f to %.1f seconds; "
               "select another with --from and --to.",
               start, options->time_to);
    options->notice = notice->data;
    return REPRISE_OK;
}

static void print_notice(cli_run *run, const char *path, const cli_strbuf *notice)
{
    cli_strbuf words = {0};
    cli_printf(&words, "reprise: %s: %s\n", path, notice->data);
    cli_say(run, &words);
    cli_strbuf_free(&words);
}

/* Opens the scene and writes it to a file, shortened until it fits. */
static reprise_status open_scene(view *v, shown *item, reprise_scene_options *options,
                                 cli_strbuf *notice, reprise_error *error)
{
    for (unsigned tries = 0; tries < WINDOWS_MAX; tries++) {
        reprise_status status = reprise_scene_open(item->replay, options, &item->scene, error);
        if (status == REPRISE_OK)
            status = write_scene(item->scene, v->scene_max, &item->served, error);
        if (status != REPRISE_OK || item->served.scene_fd >= 0)
            return status;
        status = shorten(v, item->scene, item->served.scene_size, options, notice, error);
        reprise_scene_close(item->scene);
        item->scene = NULL;
        if (status != REPRISE_OK)
            return status;
    }
    *error = (reprise_error){.status = REPRISE_E_LIMIT};
    snprintf(error->message, sizeof error->message,
             "the scene is too large for a browser in every part");
    snprintf(error->hint, sizeof error->hint, "select a shorter part with --from and --to");
    return error->status;
}

/* ---- full-resolution series ---- */

static reprise_status add_series(reprise_scene *scene, const char *plot, size_t number,
                                 const char *name, cli_served *to, reprise_error *error)
{
    cli_strbuf json = {0};
    reprise_sink sink = cli_strbuf_sink(&json);
    reprise_status status = reprise_scene_series(scene, plot, number, &sink, error);
    if (status == REPRISE_OK) {
        to->series = cli_memory(to->series, (to->series_count + 1) * sizeof *to->series);
        cli_series *one = &to->series[to->series_count++];
        *one = (cli_series){.name = cli_memory(NULL, strlen(name) + 1)};
        memcpy(one->name, name, strlen(name) + 1);
        cli_gzip(&json, &one->json);
    }
    cli_strbuf_free(&json);
    return status;
}

static reprise_status collect_series(reprise_scene *scene, cli_served *to, reprise_error *error)
{
    const reprise_value *plots = reprise_value_get(reprise_scene_timeline(scene), "plots");
    for (size_t i = 0; i < reprise_value_count(plots); i++) {
        const reprise_value *plot = reprise_value_at(plots, i);
        const reprise_value *list = reprise_value_get(plot, "series");
        const char *id = reprise_value_text(reprise_value_get(plot, "id"), NULL);
        for (size_t j = 0; j < reprise_value_count(list); j++) {
            const reprise_value *full = reprise_value_get(reprise_value_at(list, j), "full");
            const char *name = reprise_value_text(full, NULL);
            if (name && add_series(scene, id, j, name, to, error) != REPRISE_OK)
                return error->status;
        }
    }
    return REPRISE_OK;
}

/* The same file as that of 'reprise play'. A part of a scene counts its frames from 0, so it has
 * none. */
static void name_bookmarks(const settings *s, const char *path, bool part, cli_served *to)
{
    if (strcmp(path, "-") == 0 || s->from.given || s->to.given || part)
        return;
    cli_strbuf name = {0};
    cli_printf(&name, "%s.bookmarks", path);
    to->bookmarks = name.data;
}

static reprise_status build(view *v, shown *item, reprise_error *error)
{
    const settings *s = v->run->settings;
    reprise_scene_options options = REPRISE_SCENE_INIT;
    options.name = cli_base_name(item->path);
    options.keep_points = true;
    cli_strbuf notice = {0};
    reprise_status status = cli_scene_range(item->replay, &s->from, &s->to, &options, error);
    if (status == REPRISE_OK)
        status = open_scene(v, item, &options, &notice, error);
    if (status == REPRISE_OK && notice.size)
        print_notice(v->run, item->path, &notice);
    bool part = notice.size > 0;
    cli_strbuf_free(&notice);
    if (status != REPRISE_OK)
        return status;
    reprise_scene *scene = item->scene;
    if (reprise_scene_damage(scene))
        v->damaged = cli_report_damage(v->run, item->path, reprise_scene_damage(scene));
    cli_strbuf timeline = {0};
    reprise_sink sink = cli_strbuf_sink(&timeline);
    status = reprise_scene_write(scene, REPRISE_SCENE_TIMELINE, &sink, error);
    if (status == REPRISE_OK)
        status = collect_series(scene, &item->served, error);
    if (status == REPRISE_OK) {
        cli_gzip(&timeline, &item->served.timeline);
        cli_voices_read(item->replay, scene, &item->served.voices);
        name_bookmarks(s, item->path, part, &item->served);
    }
    cli_strbuf_free(&timeline);
    return status;
}

static void close_scenes(view *v)
{
    for (size_t i = 0; i < v->count; i++) {
        reprise_scene_close(v->items[i].scene);
        v->items[i].scene = NULL;
    }
}

static reprise_status build_all(view *v, reprise_error *error)
{
    reprise_page_replay replays[CLI_SERVED_MAX];
    cli_served served[CLI_SERVED_MAX];
    for (v->now = 0; v->now < v->count; v->now++) {
        shown *item = &v->items[v->now];
        reprise_status status = build(v, item, error);
        if (status != REPRISE_OK)
            return status;
        replays[v->now] = (reprise_page_replay){.label = cli_base_name(item->path),
                                                .offset = item->offset,
                                                .has_scene = true,
                                                .scene = item->scene};
        served[v->now] = item->served;
    }
    cli_strbuf page = {0};
    reprise_sink sink = cli_strbuf_sink(&page);
    const char *scenery = cli_scenery_name(&v->scenery);
    reprise_status status = reprise_page_write(replays, v->count, scenery, &sink, error);
    close_scenes(v);
    if (status != REPRISE_OK) {
        cli_strbuf_free(&page);
        return status;
    }
    cli_server_ready(v->server, &page, &v->scenery, served, v->count);
    v->scenery = CLI_SCENERY_NONE;
    for (size_t i = 0; i < v->count; i++)
        v->items[i].served = (cli_served){.scene_fd = -1};
    return REPRISE_OK;
}

/* ---- the browser ---- */

extern char **environ;

/*
 * Writes a page that redirects to the address. All users of the machine can read the arguments of a
 * program, and the address contains the secret, so the browser gets the path of this file, which
 * only its owner can read. Returns the path, which the caller frees, or NULL.
 */
static char *write_pointer(const char *address)
{
    static const char suffix[] = ".html";
    const char *directory = getenv("XDG_RUNTIME_DIR");
    if (!directory || !*directory)
        directory = getenv("TMPDIR");
    cli_strbuf path = {0}, page = {0};
    cli_printf(&path, "%s/reprise-XXXXXX%s", directory && *directory ? directory : "/tmp", suffix);
    int fd = mkstemps(path.data, sizeof suffix - 1);
    cli_printf(&page,
               "<!DOCTYPE html><meta charset=\"utf-8\"><title>reprise</title>"
               "<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n",
               address);
    bool written = fd >= 0 && cli_write(fd, page.data, page.size) == 0;
    if (fd >= 0 && close(fd) != 0)
        written = false;
    if (fd >= 0 && !written)
        unlink(path.data);
    cli_strbuf_free(&page);
    if (written) {
        cli_outfile_watch(path.data);
        return path.data;
    }
    cli_strbuf_free(&path);
    return NULL;
}

static void open_browser(char *pointer)
{
    const char *chosen = getenv("BROWSER");
    char *arguments[] = {(char *)(chosen && *chosen ? chosen : "xdg-open"), pointer, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    /* The server blocks the signals that end the program; a browser must not inherit that. */
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child;
    /* A failure is harmless: the address is printed in any case. */
    int ignored = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
    (void)ignored;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

static void announce(view *v)
{
    cli_run *run = v->run;
    const char *address = cli_server_address(v->server);
    cli_strbuf text = {0};
    if (run->common->json) {
        cli_json json = {.to = &text};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "address", address);
        cli_json_close(&json);
        cli_putc(&text, '\n');
    } else {
        cli_printf(&text, "%s\n", address);
    }
    cli_out_put(&run->out, text.data, text.size);
    cli_out_flush(&run->out);
    cli_strbuf_clear(&text);
    const settings *s = run->settings;
    if (!s->no_open)
        v->pointer = write_pointer(address);
    if (v->pointer)
        open_browser(v->pointer);
    cli_puts(&text, s->keep ? "reprise: serving the page until interrupted\n"
                            : "reprise: serving the page until it is closed\n");
    cli_say(run, &text);
    cli_strbuf_free(&text);
}

/* ---- the verb ---- */

static int serve(view *v)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const char *first = cli_base_name(v->items[0].path);
    if (cli_server_start(first, &v->server, &error) != REPRISE_OK)
        return cli_report(v->run, "view", &error);
    announce(v);
    int code = CLI_DONE;
    if (build_all(v, &error) == REPRISE_OK) {
        cli_server_wait(v->server, v->wait_s);
    } else {
        code = cli_report(v->run, v->items[v->now < v->count ? v->now : 0].path, &error);
        cli_server_failed(v->server, &error);
    }
    cli_server_stop(v->server);
    if (v->pointer) {
        unlink(v->pointer);
        cli_outfile_unwatch(v->pointer);
    }
    free(v->pointer);
    return code;
}

static int open_and_serve(view *v)
{
    cli_open_options reading = v->run->common->reading;
    reading.progress = report_progress;
    reading.progress_ctx = v;
    int code = CLI_DONE;
    for (size_t i = 0; i < v->count && code == CLI_DONE; i++) {
        reprise_error error = REPRISE_ERROR_INIT, damage = REPRISE_ERROR_INIT;
        const char *path = v->items[i].path;
        if (cli_open_anyway(path, &reading, &v->items[i].replay, &damage, &error) != REPRISE_OK)
            code = cli_report(v->run, path, &error);
        else if (damage.status != REPRISE_OK)
            v->damaged = cli_report_damage(v->run, path, &damage);
    }
    if (code == CLI_DONE) {
        code = serve(v);
        code = code == CLI_DONE ? v->damaged : code;
    }
    close_scenes(v);
    for (size_t i = 0; i < v->count; i++) {
        cli_served_free(&v->items[i].served);
        reprise_close(v->items[i].replay);
    }
    return code;
}

static int run_view(cli_run *run)
{
    const settings *s = run->settings;
    view v = {.run = run, .count = run->operand_count, .wait_s = s->keep ? -1 : WAIT_S};
    reprise_error error = REPRISE_ERROR_INIT;
    if (cli_page_scene_max(s->scene_max, scene_bytes_max, &v.scene_max, &error) != REPRISE_OK)
        return cli_report(run, "view", &error);
    if (s->wait && !s->keep && (!read_number(s->wait, &v.wait_s) || v.wait_s < 0))
        return refuse(run, "invalid value for '--wait'", "expected seconds such as 5");
    double offsets[CLI_SERVED_MAX] = {0};
    if (cli_page_offsets(&s->offsets, v.count, "view", offsets, &error) != REPRISE_OK)
        return cli_report(run, "view", &error);
    for (size_t i = 0; i < v.count; i++)
        v.items[i] = (shown){.path = run->operands[i], .offset = offsets[i], .served.scene_fd = -1};
    if (cli_page_check(&error) != REPRISE_OK)
        return cli_report(run, "view", &error);
    if (cli_scenery_open(s->scenery, &v.scenery, &error) != REPRISE_OK)
        return cli_report(run, s->scenery, &error);
    int code = open_and_serve(&v);
    cli_scenery_close(&v.scenery);
    return code;
}

#define SEEN "Content"
#define HOW  "Server"

static const cli_option options[] = {
    CLI_OPTION_OFFSET(settings, SEEN),
    CLI_OPTION_SCENERY(settings, SEEN),
    CLI_OPTIONS_SPAN(settings, SEEN, ""),
    CLI_OPTION_SCENE_MAX(settings, SEEN,
                         "Show only the first part of larger scenes, with a notice (default: "
                         "1073741824)"),
    {.name = "no-open",
     .group = HOW,
     .doc = "Print the address without starting a browser.",
     .offset = offsetof(settings, no_open),
     .parse = cli_parse_flag},
    {.name = "wait",
     .value = "SECONDS",
     .group = HOW,
     .doc = "Exit this many seconds after the last page is closed (default: 30)",
     .offset = offsetof(settings, wait),
     .parse = cli_parse_text},
    {.name = "keep",
     .group = HOW,
     .doc = "Run until interrupted.",
     .offset = offsetof(settings, keep),
     .parse = cli_parse_flag},
};

const cli_command cli_view = {
    .name = "view",
    .summary = "watch replays in a browser: scene or map, timeline, plots, tables",
    .operands = "FILE...",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = CLI_SERVED_MAX,
    .description =
        "Serves a page with the replay on this machine only and opens it in a browser. The address "
        "is printed; it contains a secret. Several files are shown as ghosts in one scene or side "
        "by side.\n\n"
        "Bookmarks set on the page are saved in FILE.bookmarks. Of a damaged replay everything "
        "readable is shown. 'reprise export FILE page.html' writes the same page as one file.",
    .examples = {{"reprise view match.replay", "Watch a replay."},
                 {"reprise view --offset 0.25 mine.replay record.replay",
                  "Show two runs in one scene, the second delayed by a quarter of a second."},
                 {"reprise view --no-open --keep match.replay",
                  "Print an address that works until Ctrl-C."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_view,
};
