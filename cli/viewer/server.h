/*
 * server.h - serves the viewer's page on the loopback interface, on a free port, under an address
 * that contains a secret.
 *
 * Names in requests are compared with a fixed list and never used as paths. Requests with another
 * host name, from another page or without the secret get 404.
 *
 * There is either one page with given replays, or the page of an archive and, below it, pages of
 * its replays (r/12/) and of several to compare (r/12+15/), which are made when they are asked for.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "page_content.h"

typedef struct cli_server cli_server;

/* What a server needs to know about an archive. */
typedef struct cli_server_archive {
    cli_strbuf html, index; /* the page, and archive.json in gzip; owned by the server */
    bool (*has)(void *ctx, uint64_t id);
    /* Makes the page of replays; called by cli_server_wait. */
    reprise_status (*build)(void *ctx, const uint64_t *ids, size_t count,
                            cli_page_content *ret_content, reprise_error *error);
    void *ctx;
} cli_server_archive;

/* Starts serving the page; the data follows. `title` is the replay's name. */
reprise_status cli_server_start(const char *title, cli_server **ret_server, reprise_error *error);
/* Starts serving the page of an archive. */
reprise_status cli_server_start_archive(const cli_server_archive *archive, cli_server **ret_server,
                                        reprise_error *error);
/* http://127.0.0.1:1234/secret/ */
const char *cli_server_address(const cli_server *server);

/* Progress of the page that is being made, 0 to 1; `server` is a cli_server. */
void cli_server_progress(void *server, double done);
/* Passes ownership of all data to the server. */
void cli_server_ready(cli_server *server, const cli_page_content *content);
/* Reports a failure to open pages and waits so many seconds at most until one has read it. */
void cli_server_failed(cli_server *server, const reprise_error *error, double seconds);

/* A clip that the page makes and sends. Guarded by the server. */
typedef struct cli_inbox {
    cli_out *out; /* where it goes */
    double done;  /* 0 to 1 */
    uint64_t size;
    bool begun, complete;
    char problem[160]; /* why there will be none */
} cli_inbox;
/* Accepts a clip from the page. */
void cli_server_take_clip(cli_server *server, cli_inbox *inbox);
/* Waits a second at most for news, and copies the state. False after a signal that ends the
 * program. */
bool cli_server_await_clip(cli_server *server, cli_inbox *ret_state);

/*
 * Makes the pages that are asked for. Returns `seconds` after the last page was closed, never if
 * negative, or after a signal that ends the program (Ctrl-C).
 */
void cli_server_wait(cli_server *server, double seconds);
void cli_server_stop(cli_server *server);

#endif
