/*
 * server.h - the page on a local address: this machine only, a port that was free, and a secret in
 * the address without which nothing is answered.
 *
 * Names in requests are compared with the few there are and never become paths. Whoever asks with
 * another host name, from another page or without the secret gets 404 and learns nothing.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "viewer_page.h"

enum { CLI_SERVED_MAX = CLI_PAGE_PARTS_MAX };

/* A series with all its points. */
typedef struct cli_series {
    char *name;      /* "plots/speed/0" */
    cli_strbuf json; /* gzip */
} cli_series;

/* What is shown of one replay. */
typedef struct cli_served {
    cli_strbuf timeline; /* gzip */
    cli_series *series;  /* those that the timeline has joined points of */
    size_t series_count;
    int scene_fd; /* a file without a name; -1: none */
    uint64_t scene_size;
    cli_voices voices;
    char *bookmarks; /* path of the file beside the replay; NULL: they are not kept */
} cli_served;

void cli_served_free(cli_served *served);

typedef struct cli_server cli_server;

/* Serves the page at once; data follows. `title` is the replay's name. */
reprise_status cli_server_start(const char *title, cli_server **ret_server, reprise_error *error);
/* http://127.0.0.1:1234/secret/ */
const char *cli_server_address(const cli_server *server);

/* How far the scenes are, 0 to 1. */
void cli_server_progress(cli_server *server, double done);
/* Everything there is to show; the server takes it over. `page` is page.json. */
void cli_server_ready(cli_server *server, const cli_strbuf *page, const cli_scenery *scenery,
                      const cli_served *served, size_t count);
/* There will be nothing to show. Gives pages that are open a moment to say so. */
void cli_server_failed(cli_server *server, const reprise_error *error);

/* Returns when the last page has been closed for so many seconds; never if negative. */
void cli_server_wait(cli_server *server, double seconds);
void cli_server_stop(cli_server *server);

#endif
