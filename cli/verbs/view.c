/* view.c - reprise view: serves the viewer's page and opens it in a browser. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "batch/moment.h"
#include "ui/report.h"
#include "viewer/archive.h"
#include "viewer/archive_view.h"
#include "viewer/browser.h"
#include "viewer/server.h"
#include "viewer/viewer_page.h"

typedef struct settings {
    cli_common common;
    cli_words offsets;
    cli_moment from, to;
    const char *wait, *scenery, *maps, *scene_max, *catalog;
    bool no_open, keep, spoiler_free;
} settings;

enum { WAIT_S = 30, FAILED_WAIT_S = 3 };

typedef struct view {
    cli_run *run;
    cli_server *server;
    cli_page_builder builder;
    double wait_s;
    char *pointer; /* path of the file that redirects a browser to the page, or NULL */
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

/* ---- the verb ---- */

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
        v->pointer = cli_browser_pointer(address);
    if (v->pointer)
        cli_browser_open(v->pointer);
    cli_puts(&text, s->keep ? "reprise: serving the page until interrupted\n"
                            : "reprise: serving the page until it is closed\n");
    cli_say(run, &text);
    cli_strbuf_free(&text);
}

static int serve(view *v)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const char *path = v->builder.items[0].path;
    cli_page_content content;
    if (cli_server_start(cli_base_name(path), &v->server, &error) != REPRISE_OK)
        return cli_report(v->run, "view", &error);
    announce(v);
    v->builder.progress = cli_server_progress;
    v->builder.progress_ctx = v->server;
    int code = CLI_DONE;
    if (cli_page_builder_build(&v->builder, &content, &path, &error) == REPRISE_OK) {
        cli_server_ready(v->server, &content);
        cli_server_wait(v->server, v->wait_s);
    } else {
        code = cli_report(v->run, path, &error);
        const settings *s = v->run->settings;
        cli_server_failed(v->server, &error, s->wait && !s->keep ? v->wait_s : FAILED_WAIT_S);
    }
    cli_server_stop(v->server);
    cli_browser_forget(v->pointer);
    return code;
}

static int open_and_serve(view *v)
{
    reprise_error error = REPRISE_ERROR_INIT;
    const char *path = NULL;
    int code;
    if (cli_page_builder_open(&v->builder, &path, &error) != REPRISE_OK) {
        code = cli_report(v->run, path, &error);
    } else {
        code = serve(v);
        code = code == CLI_DONE ? v->builder.damaged : code;
    }
    return code;
}

static int view_files(view *v, const double *offsets)
{
    const settings *s = v->run->settings;
    reprise_error error = REPRISE_ERROR_INIT;
    if (cli_page_check(&error) != REPRISE_OK)
        return cli_report(v->run, "view", &error);
    for (size_t i = 0; i < v->run->operand_count; i++)
        cli_page_builder_add(&v->builder, v->run->operands[i], offsets[i]);
    if (cli_scenery_open(s->scenery, &v->builder.scenery, &error) != REPRISE_OK)
        return cli_report(v->run, s->scenery, &error);
    int code = open_and_serve(v);
    cli_page_builder_close(&v->builder);
    return code;
}

static void announce_archive(void *ctx, cli_server *server)
{
    view *v = ctx;
    v->server = server;
    announce(v);
}

static int view_archive(view *v)
{
    const settings *s = v->run->settings;
    if (v->run->operand_count > 1)
        return refuse(v->run, "a directory is shown alone", "select what to compare on its page");
    if (s->offsets.count || s->scenery || s->from.given || s->to.given)
        return refuse(v->run,
                      "--offset, --scenery, --from and --to are for files, not for a directory",
                      "leave them out");
    reprise_error error = REPRISE_ERROR_INIT;
    if (cli_page_check(&error) != REPRISE_OK)
        return cli_report(v->run, "view", &error);
    int code = cli_archive_view_serve(&(cli_archive_view){.run = v->run,
                                                          .operand = v->run->operands[0],
                                                          .catalog = s->catalog,
                                                          .maps = s->maps,
                                                          .scene_max = v->builder.scene_max,
                                                          .spoiler_free = s->spoiler_free,
                                                          .wait_s = v->wait_s,
                                                          .announce = announce_archive,
                                                          .ctx = v});
    cli_browser_forget(v->pointer);
    return code;
}

static bool has_archive(const cli_run *run)
{
    for (size_t i = 0; i < run->operand_count; i++) {
        if (cli_is_archive(run->operands[i]))
            return true;
    }
    return false;
}

static int run_view(cli_run *run)
{
    const settings *s = run->settings;
    view v = {.run = run,
              .builder = {.run = run,
                          .maps = s->maps,
                          .from = &s->from,
                          .to = &s->to,
                          .scenery = CLI_SCENERY_NONE},
              .wait_s = s->keep ? -1 : WAIT_S};
    reprise_error error = REPRISE_ERROR_INIT;
    double offsets[CLI_SERVED_MAX] = {0};
    if (cli_page_scene_max(s->scene_max, CLI_PAGE_BUILDER_SCENE_MAX, &v.builder.scene_max,
                           &error) != REPRISE_OK)
        return cli_report(run, "view", &error);
    if (s->wait && !s->keep && (!read_number(s->wait, &v.wait_s) || v.wait_s < 0))
        return refuse(run, "invalid value for '--wait'", "expected seconds such as 5");
    bool archive = has_archive(run);
    if (!archive &&
        cli_page_offsets(&s->offsets, run->operand_count, "view", offsets, &error) != REPRISE_OK)
        return cli_report(run, "view", &error);
    if (archive)
        return view_archive(&v);
    if (s->catalog || s->spoiler_free)
        return refuse(run, "--catalog and --spoiler-free are for a directory", "leave them out");
    return view_files(&v, offsets);
}

#define SEEN        "Content"
#define DIRECTORIES "Directories"
#define HOW         "Server"

static const cli_option options[] = {
    CLI_OPTION_OFFSET(settings, SEEN),
    CLI_OPTION_SCENERY(settings, SEEN),
    CLI_OPTIONS_SPAN(settings, SEEN, ""),
    CLI_OPTION_SCENE_MAX(settings, SEEN,
                         "Show only the first part of larger scenes, with a notice (default: "
                         "1073741824)"),
    CLI_OPTION_CATALOG(settings, DIRECTORIES),
    CLI_OPTION_SPOILER_FREE(settings, DIRECTORIES),
    {.name = "no-open",
     .group = HOW,
     .doc = "Print the address without starting a browser.",
     .offset = offsetof(settings, no_open),
     .parse = cli_parse_flag},
    {.name = "wait",
     .value = "SECONDS",
     .group = HOW,
     .doc =
         "Exit this many seconds after the last page is closed (default: 30), or after a failure "
         "if no page asks for it (default: 3)",
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
    .summary = "watch replays in a browser, or search a directory of them",
    .operands = "FILE... | DIR",
    .operand_choices = "<file>",
    .operands_min = 1,
    .operands_max = CLI_SERVED_MAX,
    .description =
        "Serves a page with the replay on this machine only and opens it in a browser. The address "
        "is printed; it contains a secret. Several files are shown as ghosts in one scene or side "
        "by side.\n\n"
        "A directory is shown as a page of all replays in it: a table to search, filter and sort, "
        "records, players, and the page of each replay, or of several to compare. Its catalog is "
        "made or updated first, as by 'reprise index'; a catalog given instead of a directory is "
        "used "
        "as it is.\n\n"
        "Bookmarks set on the page are saved in FILE.bookmarks. Of a damaged replay everything "
        "readable is shown. 'reprise export FILE page.html' writes the same page as one file.",
    .examples = {{"reprise view match.replay", "Watch a replay."},
                 {"reprise view --offset 0.25 mine.replay record.replay",
                  "Show two runs in one scene, the second delayed by a quarter of a second."},
                 {"reprise view replays/", "Search all replays of a directory."},
                 {"reprise view --no-open --keep match.replay",
                  "Print an address that works until Ctrl-C."}},
    .options = options,
    .option_count = CLI_COUNT(options),
    .reads = true,
    .settings_size = sizeof(settings),
    .run = run_view,
};
