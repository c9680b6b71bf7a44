/* archive_view.c - see archive_view.h. */
#include "archive_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive.h"
#include "batch/batch.h"

typedef struct serving {
    const cli_archive_view *view;
    cli_archive archive;
    cli_server *server;
} serving;

static bool has_replay(void *ctx, uint64_t id)
{
    const serving *s = ctx;
    size_t row = cli_archive_find(&s->archive, id);
    return row != SIZE_MAX && s->archive.rows[row].page[0];
}

static reprise_status build(const serving *s, char *const *paths, size_t count,
                            cli_page_content *ret_content, reprise_error *error)
{
    static const cli_moment whole = {0};
    cli_page_builder builder = {.run = s->view->run,
                                .maps = s->view->maps,
                                .from = &whole,
                                .to = &whole,
                                .scenery = CLI_SCENERY_NONE,
                                .scene_max = s->view->scene_max,
                                .progress = cli_server_progress,
                                .progress_ctx = s->server};
    const char *path = NULL;
    for (size_t i = 0; i < count; i++)
        cli_page_builder_add(&builder, paths[i], 0);
    reprise_status status = cli_page_builder_open(&builder, &path, error);
    if (status == REPRISE_OK)
        status = cli_page_builder_build(&builder, ret_content, &path, error);
    cli_page_builder_close(&builder);
    if (status != REPRISE_OK)
        (void)cli_report(s->view->run, path, error);
    return status;
}

static reprise_status build_page(void *ctx, const uint64_t *ids, size_t count,
                                 cli_page_content *ret_content, reprise_error *error)
{
    serving *s = ctx;
    char *paths[CLI_SERVED_MAX] = {0};
    bool found = true;
    for (size_t i = 0; i < count; i++) {
        paths[i] = cli_archive_path(&s->archive, cli_archive_find(&s->archive, ids[i]));
        found = found && paths[i];
    }
    reprise_status status = found ? build(s, paths, count, ret_content, error)
                                  : cli_fail(error, REPRISE_E_IO,
                                             "the catalog names a file outside its directory");
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    return status;
}

/* Pages are named by the number of the file in the catalog. */
static void name_pages(cli_archive *archive)
{
    for (size_t i = 0; i < archive->count; i++) {
        cli_archive_row *row = &archive->rows[i];
        if (row->sound)
            snprintf(row->page, sizeof row->page, "%llu", (unsigned long long)row->id);
    }
}

int cli_archive_view_serve(const cli_archive_view *view)
{
    serving s = {.view = view};
    reprise_error error = REPRISE_ERROR_INIT;
    int code = cli_archive_open(view->run, view->operand, view->catalog, &s.archive);
    if (code != CLI_DONE)
        return code;
    name_pages(&s.archive);
    cli_server_archive served = {.has = has_replay, .build = build_page, .ctx = &s};
    cli_strbuf index = {0};
    cli_page_archive_html(s.archive.name, "", &served.html);
    cli_archive_put_json(&s.archive, view->spoiler_free, false, &index);
    cli_gzip(&index, &served.index);
    cli_strbuf_free(&index);
    if (cli_server_start_archive(&served, &s.server, &error) != REPRISE_OK) {
        code = cli_report(view->run, "view", &error);
    } else {
        view->announce(view->ctx, s.server);
        cli_server_wait(s.server, view->wait_s);
        cli_server_stop(s.server);
    }
    cli_archive_close(&s.archive);
    return code;
}
