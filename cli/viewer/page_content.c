/* page_content.c - see page_content.h. */
#include "page_content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "ui/report.h"

enum { WINDOWS_MAX = 8 };

static void free_served(cli_served *served)
{
    cli_strbuf_free(&served->timeline);
    cli_voices_free(&served->voices);
    free(served->bookmarks);
    for (size_t i = 0; i < served->series_count; i++) {
        free(served->series[i].name);
        cli_strbuf_free(&served->series[i].json);
    }
    free(served->series);
    if (served->scene_fd >= 0)
        close(served->scene_fd);
    *served = (cli_served){.scene_fd = -1};
}

void cli_page_content_free(cli_page_content *content)
{
    cli_strbuf_free(&content->page);
    cli_scenery_close(&content->scenery);
    for (size_t i = 0; i < content->count; i++)
        free_served(&content->served[i]);
    *content = CLI_PAGE_CONTENT_NONE;
}

/* ---- scenes ---- */

static bool report_progress(void *ctx, uint64_t done, uint64_t total)
{
    const cli_page_builder *v = ctx;
    double part = total ? (double)done / (double)total : 0;
    if (v->progress)
        v->progress(v->progress_ctx, ((double)v->now + part) / (double)v->count);
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
static reprise_status shorten(const cli_page_builder *v, const reprise_scene *scene, uint64_t size,
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
static reprise_status open_scene(cli_page_builder *v, cli_page_replay *item,
                                 reprise_scene_options *options, cli_strbuf *notice,
                                 reprise_error *error)
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
static void name_bookmarks(const cli_page_builder *v, const char *path, bool part, cli_served *to)
{
    if (strcmp(path, "-") == 0 || v->from->given || v->to->given || part)
        return;
    cli_strbuf name = {0};
    cli_printf(&name, "%s.bookmarks", path);
    to->bookmarks = name.data;
}

static reprise_status build(cli_page_builder *v, cli_page_replay *item, reprise_error *error)
{
    cli_strbuf notice = {0};
    reprise_status status = open_scene(v, item, &item->options, &notice, error);
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
        name_bookmarks(v, item->path, part, &item->served);
    }
    cli_strbuf_free(&timeline);
    return status;
}

static void close_scenes(cli_page_builder *v)
{
    for (size_t i = 0; i < v->count; i++) {
        reprise_scene_close(v->items[i].scene);
        v->items[i].scene = NULL;
    }
}

static reprise_status build_all(cli_page_builder *v, cli_page_content *to, reprise_error *error)
{
    reprise_page_replay replays[CLI_SERVED_MAX];
    for (v->now = 0; v->now < v->count; v->now++) {
        cli_page_replay *item = &v->items[v->now];
        reprise_status status = build(v, item, error);
        if (status != REPRISE_OK)
            return status;
        replays[v->now] = (reprise_page_replay){.label = cli_base_name(item->path),
                                                .offset = item->offset,
                                                .has_scene = true,
                                                .scene = item->scene};
    }
    reprise_sink sink = cli_strbuf_sink(&to->page);
    const char *scenery = cli_scenery_name(&v->scenery);
    return reprise_page_write(replays, v->count, scenery, &sink, error);
}

reprise_status cli_page_builder_build(cli_page_builder *v, cli_page_content *ret_content,
                                      const char **ret_path, reprise_error *error)
{
    *ret_content = CLI_PAGE_CONTENT_NONE;
    reprise_status status = build_all(v, ret_content, error);
    *ret_path = v->items[v->now < v->count ? v->now : 0].path;
    close_scenes(v);
    if (status != REPRISE_OK) {
        cli_page_content_free(ret_content);
        return status;
    }
    ret_content->scenery = v->scenery;
    v->scenery = CLI_SCENERY_NONE;
    ret_content->count = v->count;
    for (size_t i = 0; i < v->count; i++) {
        ret_content->served[i] = v->items[i].served;
        v->items[i].served = (cli_served){.scene_fd = -1};
    }
    return REPRISE_OK;
}

/* ---- opening ---- */

void cli_page_builder_add(cli_page_builder *v, const char *path, double offset)
{
    v->items[v->count++] = (cli_page_replay){.path = path, .offset = offset, .served.scene_fd = -1};
}

/* The map of the first replay, unless scenery was given. */
static reprise_status find_map(cli_page_builder *v, reprise_error *error)
{
    bool other = false;
    if (cli_scenery_name(&v->scenery) || !v->maps)
        return REPRISE_OK;
    reprise_status status = cli_scenery_find(v->maps, v->items[0].replay, &v->scenery, &other,
                                             error);
    if (status == REPRISE_OK)
        cli_say_map(v->run, &v->scenery, other);
    return status;
}

/* A range that is not one is said before a page is served. */
static reprise_status choose_part(const cli_page_builder *v, cli_page_replay *item,
                                  reprise_error *error)
{
    item->options = (reprise_scene_options)REPRISE_SCENE_INIT;
    item->options.name = cli_base_name(item->path);
    item->options.keep_points = true;
    return cli_range_find(item->replay, v->from, v->to, CLI_RANGE_OF(&item->options), error);
}

reprise_status cli_page_builder_open(cli_page_builder *v, const char **ret_path,
                                     reprise_error *error)
{
    cli_open_options reading = v->run->common->reading;
    reading.progress = report_progress;
    reading.progress_ctx = v;
    for (size_t i = 0; i < v->count; i++) {
        reprise_error damage = REPRISE_ERROR_INIT;
        *ret_path = v->items[i].path;
        if (cli_open_anyway(*ret_path, &reading, &v->items[i].replay, &damage, error) != REPRISE_OK)
            return error->status;
        if (damage.status != REPRISE_OK)
            v->damaged = cli_report_damage(v->run, *ret_path, &damage);
        if (choose_part(v, &v->items[i], error) != REPRISE_OK)
            return error->status;
    }
    *ret_path = v->maps;
    return find_map(v, error);
}

void cli_page_builder_close(cli_page_builder *v)
{
    close_scenes(v);
    for (size_t i = 0; i < v->count; i++) {
        free_served(&v->items[i].served);
        reprise_close(v->items[i].replay);
        v->items[i].replay = NULL;
    }
    cli_scenery_close(&v->scenery);
}
