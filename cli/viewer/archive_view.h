/* archive_view.h - serves the page of an archive, and those of its replays when asked for. */
#ifndef CLI_ARCHIVE_VIEW_H
#define CLI_ARCHIVE_VIEW_H

#include "server.h"

typedef struct cli_archive_view {
    cli_run *run;
    const char *operand, *catalog; /* as for cli_archive_open */
    const char *maps;              /* directory of maps, or NULL */
    uint64_t scene_max;
    bool spoiler_free;
    double wait_s; /* as for cli_server_wait */
    /* Called once the address is known. */
    void (*announce)(void *ctx, cli_server *server);
    void *ctx;
} cli_archive_view;

/* Returns the exit code. */
int cli_archive_view_serve(const cli_archive_view *view);

#endif
