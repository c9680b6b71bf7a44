/* site_page.c - see site_page.h. */
#include "site_page.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preview.h"
#include "viewer_page.h"

/* ---- HTML ---- */

/* Pages of replays share their script, so nothing inline runs on them. */
static const char page_rules[] =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "worker-src blob:; connect-src 'self' blob:; base-uri 'none'; form-action 'none'\">\n";

static const char index_rules[] =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri "
    "'none'; form-action 'none'\">\n";

static void put_meta(cli_strbuf *to, const char *kind, const char *name, const char *text)
{
    cli_printf(to, "<meta %s=\"%s\" content=\"", kind, name);
    cli_put_html(to, text);
    cli_puts(to, "\">\n");
}

/* Previews want complete addresses; without --site-url they are relative. */
static void put_address(cli_strbuf *to, const cli_site_head *head, const char *property,
                        const char *file)
{
    cli_strbuf address = {0};
    const char *slash = strrchr(head->address, '/');
    int folder = slash ? (int)(slash - head->address) + 1 : 0;
    if (head->url) {
        bool closed = *head->url && head->url[strlen(head->url) - 1] == '/';
        cli_printf(&address, "%s%s%.*s", head->url, closed ? "" : "/", folder, head->address);
    }
    cli_puts(&address, file);
    put_meta(to, "property", property, cli_strbuf_string(&address));
    cli_strbuf_free(&address);
}

static void put_previews(cli_strbuf *to, const cli_site_head *head)
{
    put_meta(to, "name", "description", head->about);
    put_meta(to, "property", "og:type", "website");
    put_meta(to, "property", "og:title", head->title);
    put_meta(to, "property", "og:description", head->about);
    if (head->url)
        put_address(to, head, "og:url", "");
    put_meta(to, "name", "twitter:card", head->picture ? "summary_large_image" : "summary");
    if (!head->picture)
        return;
    put_address(to, head, "og:image", "picture.png");
    cli_printf(to,
               "<meta property=\"og:image:width\" content=\"%d\">\n"
               "<meta property=\"og:image:height\" content=\"%d\">\n",
               CLI_PREVIEW_WIDTH, CLI_PREVIEW_HEIGHT);
}

/* `up` leads to the root of the site. */
static void put_shell(const char *title, const cli_site_head *head, const char *up, cli_strbuf *to)
{
    cli_puts(to, "<!doctype html>\n"
                 "<html lang=\"en\" data-state=\"loading\" data-theme=\"dark\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"dark light\">\n");
    cli_puts(to, page_rules);
    cli_puts(to, CLI_PAGE_STATIC);
    cli_printf(to, CLI_PAGE_IN_ARCHIVE("%s"), up);
    cli_puts(to, "<title>");
    cli_put_html(to, title);
    cli_puts(to, "</title>\n");
    if (head)
        put_previews(to, head);
    cli_printf(to,
               "<link rel=\"icon\" href=\"data:,\">\n"
               "<link rel=\"stylesheet\" href=\"%sviewer.css\">\n</head>\n<body>\n"
               "<a class=\"skip\" href=\"#panel\">Skip to plots and tables</a>\n"
               "<div id=\"app\"></div>\n"
               "<noscript>This page needs JavaScript to show a replay.</noscript>\n"
               "<script type=\"module\" src=\"%sviewer.js\"></script>\n</body>\n</html>\n",
               up, up);
}

void cli_site_put_page(const cli_site_head *head, cli_strbuf *to)
{
    put_shell(head->title, head, "../../", to);
}

void cli_site_put_compare(const char *archive_name, cli_strbuf *to)
{
    put_shell(archive_name, NULL, "../", to);
}

void cli_site_put_index(const cli_site_head *head, cli_strbuf *to)
{
    cli_strbuf more = {0};
    cli_puts(&more, index_rules);
    cli_puts(&more, CLI_PAGE_STATIC);
    put_previews(&more, head);
    cli_page_archive_html(head->title, more.data, to);
    cli_strbuf_free(&more);
}

/* ---- the data of a replay ---- */

/* A directory that gets its name when everything is in it. */
typedef struct folder {
    cli_strbuf path; /* of the unfinished directory, with a slash */
    reprise_error *error;
} folder;

static reprise_status fail(const folder *f, const char *name)
{
    f->error->cause = errno;
    return cli_fail(f->error, REPRISE_E_IO, "cannot write %s: %s", name, strerror(errno));
}

static reprise_status make_folder(const folder *f, const char *name)
{
    cli_strbuf path = {0};
    cli_printf(&path, "%s%s", f->path.data, name);
    bool made = mkdir(path.data, 0777) == 0 || errno == EEXIST;
    cli_strbuf_free(&path);
    return made ? REPRISE_OK : fail(f, *name ? name : "a directory");
}

/* An output file in the directory. */
typedef struct output {
    cli_out out;
    uint64_t size, most;
} output;

static int put_out(void *ctx, const void *data, size_t size)
{
    output *o = ctx;
    o->size += size;
    if (o->size > o->most)
        return EFBIG;
    cli_out_put(&o->out, data, size);
    return o->out.cause;
}

static reprise_status begin(const folder *f, const char *name, uint64_t most, output *o)
{
    cli_strbuf path = {0};
    cli_printf(&path, "%s%s", f->path.data, name);
    int fd = open(path.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    *o = (output){.out = {.fd = fd}, .most = most};
    cli_strbuf_free(&path);
    return fd < 0 ? fail(f, name) : REPRISE_OK;
}

static reprise_status end(const folder *f, const char *name, output *o, reprise_status status)
{
    cli_out_flush(&o->out);
    int cause = o->out.cause;
    if (close(o->out.fd) != 0 && !cause)
        cause = errno;
    cli_out_free(&o->out);
    if (o->size > o->most)
        return cli_fail(f->error, REPRISE_E_LIMIT, "the scene is too large for a page");
    if (status == REPRISE_OK && cause) {
        errno = cause;
        return fail(f, name);
    }
    return status;
}

static reprise_status write_bytes(const folder *f, const char *name, const cli_strbuf *bytes)
{
    output o;
    if (begin(f, name, UINT64_MAX, &o) != REPRISE_OK)
        return f->error->status;
    put_out(&o, bytes->data, bytes->size);
    return end(f, name, &o, REPRISE_OK);
}

static reprise_status write_scene(const folder *f, reprise_scene *scene, reprise_scene_form form,
                                  const char *name, uint64_t most)
{
    output o;
    if (begin(f, name, most, &o) != REPRISE_OK)
        return f->error->status;
    reprise_sink sink = {.ctx = &o, .write = put_out};
    reprise_status status = reprise_scene_write(scene, form, &sink, f->error);
    return end(f, name, &o, status);
}

static reprise_status write_voices(const folder *f, const cli_voices *voices)
{
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < voices->count && status == REPRISE_OK; i++) {
        char name[40];
        snprintf(name, sizeof name, "0/v%zu.ogg", i);
        if (voices->items[i].size)
            status = write_bytes(f, name, &voices->items[i]);
    }
    return status;
}

static reprise_status write_picture(const folder *f, const reprise_scene *scene)
{
    cli_strbuf picture = {0};
    reprise_status status = REPRISE_OK;
    if (cli_put_preview(scene, &picture))
        status = write_bytes(f, "picture.png", &picture);
    cli_strbuf_free(&picture);
    return status;
}

static reprise_status write_page_json(const folder *f, const char *label)
{
    cli_strbuf page = {0};
    reprise_sink sink = cli_strbuf_sink(&page);
    reprise_page_replay replay = {.label = label, .has_scene = true};
    reprise_status status = reprise_page_write(&replay, 1, NULL, &sink, f->error);
    if (status == REPRISE_OK)
        status = write_bytes(f, "page.json", &page);
    cli_strbuf_free(&page);
    return status;
}

static reprise_status write_data(const folder *f, const cli_job *job, uint64_t scene_max)
{
    reprise_scene_options options = REPRISE_SCENE_INIT;
    reprise_error damage = REPRISE_ERROR_INIT;
    reprise_replay *replay = NULL;
    reprise_scene *scene = NULL;
    cli_voices voices = {0};
    options.name = cli_base_name(job->path);
    reprise_status status = cli_open_anyway(job->path, &job->run->common->reading, &replay, &damage,
                                            f->error);
    if (status == REPRISE_OK)
        status = reprise_scene_open(replay, &options, &scene, f->error);
    if (status == REPRISE_OK)
        status = write_scene(f, scene, REPRISE_SCENE_GLB, "0/scene.glb", scene_max);
    if (status == REPRISE_OK)
        status = write_scene(f, scene, REPRISE_SCENE_TIMELINE, "0/timeline.json", UINT64_MAX);
    if (status == REPRISE_OK) {
        cli_voices_read(replay, scene, &voices);
        status = write_voices(f, &voices);
    }
    if (status == REPRISE_OK)
        status = write_picture(f, scene);
    if (status == REPRISE_OK)
        status = write_page_json(f, options.name);
    cli_voices_free(&voices);
    reprise_scene_close(scene);
    reprise_close(replay);
    return status;
}

/* ---- directories ---- */

static void remove_folder(const char *path, unsigned depth)
{
    DIR *directory = opendir(path);
    struct dirent *item;
    while (directory && (item = readdir(directory))) {
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        cli_strbuf inner = {0};
        cli_printf(&inner, "%s/%s", path, item->d_name);
        if (unlink(inner.data) != 0 && depth)
            remove_folder(inner.data, depth - 1);
        cli_strbuf_free(&inner);
    }
    if (directory)
        closedir(directory);
    (void)rmdir(path);
}

/* Whether this version of the program has written a complete page. */
static bool is_current(const char *path)
{
    cli_strbuf name = {0}, mark = {0};
    char text[4096];
    cli_printf(&name, "%s/page.json", path);
    cli_printf(&mark, "\"version\":\"%s\"", reprise_version());
    int fd = open(name.data, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = '\0';
    bool current = strstr(text, mark.data) != NULL;
    cli_strbuf_free(&name);
    cli_strbuf_free(&mark);
    return current;
}

static bool has_picture(const char *path)
{
    cli_strbuf name = {0};
    cli_printf(&name, "%s/picture.png", path);
    bool found = access(name.data, F_OK) == 0;
    cli_strbuf_free(&name);
    return found;
}

static reprise_status make(const char *path, const cli_job *job, uint64_t scene_max,
                           reprise_error *error)
{
    folder f = {.error = error};
    enum { FOLDER_DEPTH = 2 };
    cli_printf(&f.path, "%s.new", path);
    remove_folder(f.path.data, FOLDER_DEPTH);
    cli_putc(&f.path, '/');
    reprise_status status = make_folder(&f, "");
    if (status == REPRISE_OK)
        status = make_folder(&f, "0");
    if (status == REPRISE_OK)
        status = write_data(&f, job, scene_max);
    f.path.data[--f.path.size] = '\0';
    if (status == REPRISE_OK) {
        remove_folder(path, FOLDER_DEPTH);
        if (rename(f.path.data, path) != 0)
            status = fail(&f, "a page");
    }
    if (status != REPRISE_OK)
        remove_folder(f.path.data, FOLDER_DEPTH);
    cli_strbuf_free(&f.path);
    return status;
}

void cli_site_make_page(cli_site_page *page, const char *root, cli_job *job, uint64_t scene_max)
{
    cli_strbuf path = {0};
    cli_printf(&path, "%sr/%s", root, page->name);
    if (is_current(path.data))
        page->state = CLI_SITE_KEPT;
    else if (make(path.data, job, scene_max, &job->error) == REPRISE_OK)
        page->state = CLI_SITE_MADE;
    page->has_picture = page->state != CLI_SITE_FAILED && has_picture(path.data);
    cli_strbuf_free(&path);
}
