/*
 * show.h - the data of a page: opens replays, makes their scenes and timelines, and compares them.
 */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

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
typedef struct cli_show {
    cli_strbuf page; /* page.json */
    cli_scenery scenery;
    cli_served served[CLI_SERVED_MAX];
    size_t count;
} cli_show;
#define CLI_SHOW_NONE ((cli_show){.scenery = {.fd = -1}})
void cli_show_free(cli_show *show);

/* One replay of a page that is being made. */
typedef struct cli_shown {
    const char *path;
    double offset;
    reprise_replay *replay;
    reprise_scene_options options; /* with the part that is shown */
    reprise_scene *scene;          /* NULL once the page is written */
    cli_served served;
} cli_shown;

/* A page that is being made. Set the members up to `scene_max` first. */
typedef struct cli_showing {
    cli_run *run;
    const char *maps;            /* directory of maps, or NULL */
    const cli_moment *from, *to; /* the part to show */
    cli_scenery scenery;         /* passes to the cli_show */
    uint64_t scene_max;          /* bytes; larger scenes are shortened */
    cli_shown items[CLI_SERVED_MAX];
    size_t count, now; /* `now` is being read */
    int damaged;       /* exit code for damaged input, or 0 */
    /* Called with 0 to 1, or NULL. */
    void (*progress)(void *ctx, double done);
    void *progress_ctx;
} cli_showing;

/* What browsers can hold: a scene_max. */
#define CLI_SHOWING_SCENE_MAX (UINT64_C(1) << 30)

void cli_showing_add(cli_showing *showing, const char *path, double offset);
/* Opens all replays. On failure *ret_path is the file that the error is about. */
reprise_status cli_showing_open(cli_showing *showing, const char **ret_path, reprise_error *error);
/* Makes the data of the page, which the caller owns. */
reprise_status cli_showing_build(cli_showing *showing, cli_show *ret_show, const char **ret_path,
                                 reprise_error *error);
void cli_showing_close(cli_showing *showing);

#endif
