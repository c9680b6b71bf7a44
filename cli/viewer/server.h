/*
 * server.h - serves the viewer's page on the loopback interface, on a free port, under an address
 * that contains a secret.
 *
 * Names in requests are compared with a fixed list and never used as paths. Requests with another
 * host name, from another page or without the secret get 404.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

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

void cli_served_free(cli_served *served);

typedef struct cli_server cli_server;

/* Starts serving the page; the data follows. `title` is the replay's name. */
reprise_status cli_server_start(const char *title, cli_server **ret_server, reprise_error *error);
/* http://127.0.0.1:1234/secret/ */
const char *cli_server_address(const cli_server *server);

/* Progress of the scenes, 0 to 1. */
void cli_server_progress(cli_server *server, double done);
/* Passes ownership of all data to the server. `page` is page.json. */
void cli_server_ready(cli_server *server, const cli_strbuf *page, const cli_scenery *scenery,
                      const cli_served *served, size_t count);
/* Reports a failure to open pages and waits a moment until one has read it. */
void cli_server_failed(cli_server *server, const reprise_error *error);

/*
 * Returns `seconds` after the last page was closed, never if negative, or after a signal that ends
 * the program (Ctrl-C).
 */
void cli_server_wait(cli_server *server, double seconds);
void cli_server_stop(cli_server *server);

#endif
