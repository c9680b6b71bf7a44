/*
 * page_content.h - the data of a page: opens replays, makes their scenes and timelines, and
 * compares them.
 */
#ifndef CLI_PAGE_CONTENT_H
#define CLI_PAGE_CONTENT_H

#include "viewer_page.h"

enum { CLI_SERVED_MAX = CLI_PAGE_PARTS_MAX };

/* A full-resolution series. */
typedef struct cli_series {
    char *name;      /* "plots/speed/0" */
    cli_strbuf json; /* gzip */
} cli_series;

/* The data of one replay. */
typedef struct cli_served {
    cli_strbuf timeline; /* gzip */
    cli_series *series;  /* those that the timeline holds in reduced resolution */
    size_t series_count;
    int scene_fd; /* unnamed file; -1: none */
    uint64_t scene_size;
    cli_voices voices;
    char *bookmarks; /* path of the bookmark file; NULL: not saved */
} cli_served;

/* The data of a page. */
typedef struct cli_page_content {
    cli_strbuf page; /* page.json */
    cli_scenery scenery;
    cli_served served[CLI_SERVED_MAX];
    size_t count;
} cli_page_content;
#define CLI_PAGE_CONTENT_NONE ((cli_page_content){.scenery = {.fd = -1}})
void cli_page_content_free(cli_page_content *content);

/* One replay of a page that is being made. */
typedef struct cli_page_replay {
    const char *path;
    double offset;
    reprise_replay *replay;
    reprise_scene_options options; /* with the part that is shown */
    reprise_scene *scene;          /* NULL once the page is written */
    cli_served served;
} cli_page_replay;

/* A page that is being made. Set the members up to `scene_max` first. */
typedef struct cli_page_builder {
    cli_run *run;
    const char *maps;            /* directory of maps, or NULL */
    const cli_moment *from, *to; /* the part to show */
    cli_scenery scenery;         /* passes to the cli_page_content */
    uint64_t scene_max;          /* bytes; larger scenes are shortened */
    cli_page_replay items[CLI_SERVED_MAX];
    size_t count, now; /* `now` is being read */
    int damaged;       /* exit code for damaged input, or 0 */
    /* Called with 0 to 1, or NULL. */
    void (*progress)(void *ctx, double done);
    void *progress_ctx;
} cli_page_builder;

/* What browsers can hold: a scene_max. */
#define CLI_PAGE_BUILDER_SCENE_MAX (UINT64_C(1) << 30)

void cli_page_builder_add(cli_page_builder *builder, const char *path, double offset);
/* Opens all replays. On failure *ret_path is the file that the error is about. */
reprise_status cli_page_builder_open(cli_page_builder *builder, const char **ret_path,
                                     reprise_error *error);
/* Makes the data of the page, which the caller owns. */
reprise_status cli_page_builder_build(cli_page_builder *builder, cli_page_content *ret_content,
                                      const char **ret_path, reprise_error *error);
void cli_page_builder_close(cli_page_builder *builder);

#endif
