/* server.c - see server.h. */
#include "server.h"

#include <civetweb.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "batch/outfile.h"
#include "viewer_page.h"

enum {
    TOKEN_SIZE = 32,
    BODY_MAX = 1 << 20,
    PAGES_MAX = 16,        /* each occupies a thread */
    CHUNK_BYTES = 1 << 16, /* too large for the stacks of civetweb's threads */
};

struct cli_server {
    struct mg_context *http;
    pthread_t watch; /* waits for signals, which all other threads block */
    bool watched;
    sigset_t signals_before; /* what the thread of the caller blocked */
    char token[TOKEN_SIZE + 1];
    char hosts[2][32]; /* accepted Host headers */
    char address[80];
    cli_strbuf html;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* guarded by the lock until ready */
    bool ready, stopping;
    bool interrupted; /* by a signal that ends the program */
    double done;
    reprise_error failure; /* why there is nothing to show; OK: none */
    unsigned pages;        /* open now */
    bool visited;          /* a page was open */
    time_t left;           /* when the last page was closed */
    bool failure_sent;     /* to a page */
    /* constant once ready */
    cli_strbuf page;
    cli_scenery scenery;
    cli_served served[CLI_SERVED_MAX];
    size_t served_count;
};

/* ---- answers ---- */

static const char common_headers[] = "Cache-Control: no-store\r\n"
                                     "X-Content-Type-Options: nosniff\r\n"
                                     "Referrer-Policy: no-referrer\r\n"
                                     "Cross-Origin-Resource-Policy: same-origin\r\n"
                                     "X-Frame-Options: DENY\r\n";

static const char page_headers[] =
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; img-src data: blob:; media-src 'self' blob:; worker-src blob:; connect-src "
    "'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

typedef struct request {
    struct mg_connection *connection;
    const struct mg_request_info *info;
    cli_server *server;
    const char *name; /* the part of the path after the secret */
    bool head, post;
} request;

static int send_head(const request *r, int code, const char *reason, const char *type,
                     uint64_t size, const char *more)
{
    mg_printf(r->connection,
              "HTTP/1.1 %d %s\r\n%sContent-Type: %s\r\nContent-Length: %" PRIu64 "\r\n%s\r\n", code,
              reason, common_headers, type, size, more);
    return code;
}

static int refuse(const request *r)
{
    return send_head(r, 404, "Not Found", "text/plain", 0, "");
}

static int send_text(const request *r, const char *type, const cli_strbuf *text, const char *more)
{
    send_head(r, 200, "OK", type, text->size, more);
    if (!r->head && text->size)
        mg_write(r->connection, text->data, text->size);
    return 200;
}

/* ---- access ---- */

static bool same_secret(const char *a, const char *b)
{
    unsigned char differ = 0;
    for (size_t i = 0; i < TOKEN_SIZE; i++)
        differ |= (unsigned char)(a[i] ^ b[i]);
    return differ == 0;
}

static bool host_known(const cli_server *server, const char *host)
{
    return strcmp(host, server->hosts[0]) == 0 || strcmp(host, server->hosts[1]) == 0;
}

/* At least one header has this name, and all of them have this value. */
static bool header_is(const struct mg_request_info *info, const char *name, const char *value)
{
    unsigned count = 0;
    for (int i = 0; i < info->num_headers; i++) {
        if (strcasecmp(info->http_headers[i].name, name) != 0)
            continue;
        if (strcmp(info->http_headers[i].value, value) != 0)
            return false;
        count++;
    }
    return count > 0;
}

/*
 * A browser redirected by the local file of verbs/view.c reports a cross-site navigation. That is
 * allowed: the address contains the secret, and the page cannot be framed.
 */
static bool is_navigation(const struct mg_request_info *info)
{
    return strcmp(info->request_method, "GET") == 0 &&
           header_is(info, "Sec-Fetch-Mode", "navigate") &&
           header_is(info, "Sec-Fetch-Dest", "document");
}

/* Checks every header, so that a duplicate cannot hide another. */
static bool headers_allowed(const cli_server *server, const struct mg_request_info *info)
{
    static const char scheme[] = "http://";
    unsigned hosts = 0;
    for (int i = 0; i < info->num_headers; i++) {
        const char *name = info->http_headers[i].name, *value = info->http_headers[i].value;
        if (strcasecmp(name, "Host") == 0) {
            hosts++;
            if (!host_known(server, value))
                return false;
        } else if (strcasecmp(name, "Origin") == 0) {
            if (strncmp(value, scheme, sizeof scheme - 1) != 0 ||
                !host_known(server, value + sizeof scheme - 1))
                return false;
        } else if (strcasecmp(name, "Sec-Fetch-Site") == 0) {
            if (strcmp(value, "same-origin") != 0 && strcmp(value, "none") != 0 &&
                !is_navigation(info))
                return false;
        }
    }
    return hosts == 1;
}

static bool allowed(request *r)
{
    const char *method = r->info->request_method, *uri = r->info->request_uri;
    r->head = strcmp(method, "HEAD") == 0;
    r->post = strcmp(method, "POST") == 0;
    if (!r->head && !r->post && strcmp(method, "GET") != 0)
        return false;
    if (!headers_allowed(r->server, r->info) || strlen(uri) < TOKEN_SIZE + 2 || uri[0] != '/' ||
        uri[1 + TOKEN_SIZE] != '/' || !same_secret(uri + 1, r->server->token))
        return false;
    r->name = uri + TOKEN_SIZE + 2;
    /* Only the page itself takes a query string. */
    return !r->info->query_string || !*r->name;
}

/* ---- scenes ---- */

typedef struct span {
    uint64_t from, size;
    bool part, impossible;
} span;

/* Reads an integer and moves past it. */
static bool take_number(const char **at, uint64_t *ret_value)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    unsigned long long value = strtoull(*at, &end, 10);
    *at = end;
    *ret_value = value;
    return errno == 0;
}

/* Ranges "a-b", "a-" and "-n". Anything else, several ranges included, means everything. */
static span wanted_span(const char *range, uint64_t total)
{
    span all = {.size = total};
    uint64_t from = 0, last = 0;
    if (!range || strncmp(range, "bytes=", 6) != 0)
        return all;
    range += 6;
    bool tail = *range == '-';
    if (!tail && !take_number(&range, &from))
        return all;
    if (*range++ != '-')
        return all;
    bool open = !*range;
    if (tail && open)
        return all;
    if (!open && (!take_number(&range, &last) || *range || (!tail && last < from)))
        return all;
    if (tail) {
        uint64_t size = last < total ? last : total;
        return (span){.from = total - size, .size = size, .part = true, .impossible = !size};
    }
    if (from >= total)
        return (span){.part = true, .impossible = true};
    if (open || last >= total)
        last = total - 1;
    return (span){.from = from, .size = last - from + 1, .part = true};
}

static int send_scene(const request *r, int fd, uint64_t size)
{
    char more[128] = "Accept-Ranges: bytes\r\n";
    span s = wanted_span(mg_get_header(r->connection, "Range"), size);
    if (s.impossible) {
        snprintf(more, sizeof more, "Content-Range: bytes */%" PRIu64 "\r\n", size);
        return send_head(r, 416, "Range Not Satisfiable", "text/plain", 0, more);
    }
    if (s.part)
        snprintf(more, sizeof more,
                 "Accept-Ranges: bytes\r\nContent-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64
                 "\r\n",
                 s.from, s.from + s.size - 1, size);
    int code = s.part ? send_head(r, 206, "Partial Content", "model/gltf-binary", s.size, more)
                      : send_head(r, 200, "OK", "model/gltf-binary", s.size, more);
    char *chunk = cli_memory(NULL, CHUNK_BYTES);
    while (!r->head && s.size) {
        size_t part = s.size < CHUNK_BYTES ? (size_t)s.size : CHUNK_BYTES;
        ssize_t got = pread(fd, chunk, part, (off_t)s.from);
        if (got <= 0 || mg_write(r->connection, chunk, (size_t)got) <= 0)
            break;
        s.from += (uint64_t)got;
        s.size -= (uint64_t)got;
    }
    free(chunk);
    return code;
}

/* ---- bookmarks ---- */

static int send_bookmarks(const request *r, const cli_served *served)
{
    cli_strbuf text = {0};
    int fd = open(served->bookmarks, O_RDONLY | O_CLOEXEC);
    char chunk[4096];
    ssize_t got = 0;
    while (fd >= 0 && text.size < BODY_MAX && (got = read(fd, chunk, sizeof chunk)) > 0)
        cli_put(&text, chunk, (size_t)got);
    if (fd >= 0)
        close(fd);
    int code = send_text(r, "text/plain; charset=utf-8", &text, "");
    cli_strbuf_free(&text);
    return code;
}

/* Lines that start with a frame or tick number, as written by 'reprise play'. */
static bool are_bookmarks(const char *text, size_t size)
{
    bool begins = true;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((begins && (c < '0' || c > '9')) || (c < ' ' && c != '\n'))
            return false;
        begins = c == '\n';
    }
    return begins;
}

static bool write_bookmarks(const request *r, const cli_served *served, const char *text,
                            size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    cli_outfile file;
    bool saved = false;
    pthread_mutex_lock(&r->server->lock);
    if (cli_outfile_open(&file, served->bookmarks, true, &error) == REPRISE_OK) {
        cli_out_put(&file.out, text, size);
        saved = cli_outfile_commit(&file, &error) == REPRISE_OK;
        cli_outfile_close(&file);
    }
    pthread_mutex_unlock(&r->server->lock);
    return saved;
}

static int save_bookmarks(const request *r, const cli_served *served)
{
    const char *type = mg_get_header(r->connection, "Content-Type");
    if (!type || strncmp(type, "text/plain", 10) != 0 || r->info->content_length < 0)
        return refuse(r);
    if (r->info->content_length > BODY_MAX)
        return send_head(r, 413, "Content Too Large", "text/plain", 0, "Connection: close\r\n");
    size_t size = (size_t)r->info->content_length, have = 0;
    char *body = cli_memory(NULL, size + 1);
    int got = 0;
    while (have < size && (got = mg_read(r->connection, body + have, size - have)) > 0)
        have += (size_t)got;
    int code = 0;
    if (have < size || !are_bookmarks(body, size))
        code = refuse(r);
    else if (write_bookmarks(r, served, body, size))
        code = send_head(r, 204, "No Content", "text/plain", 0, "");
    else
        code = send_head(r, 500, "Internal Server Error", "text/plain", 0, "");
    free(body);
    return code;
}

/* ---- progress and open pages ---- */

/* Waits for a change, at most `seconds`. The lock is held. */
static void doze(cli_server *server, unsigned seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)seconds;
    pthread_cond_timedwait(&server->changed, &server->lock, &until);
}

static int send_progress(const request *r)
{
    cli_server *server = r->server;
    cli_strbuf text = {0};
    pthread_mutex_lock(&server->lock);
    double done = server->done;
    time_t start = time(NULL);
    while (!server->ready && server->failure.status == REPRISE_OK && !server->stopping &&
           server->done == done && time(NULL) - start < 10)
        doze(server, 1);
    bool failed = server->failure.status != REPRISE_OK;
    cli_json json = {.to = &text};
    cli_json_object(&json, NULL);
    cli_json_bool(&json, "ready", server->ready);
    cli_json_real(&json, "done", server->done);
    if (failed)
        cli_json_error(&json, "error", &server->failure);
    else
        cli_json_value(&json, "error", NULL);
    cli_json_close(&json);
    pthread_mutex_unlock(&server->lock);
    int code = send_text(r, "application/json", &text, "");
    cli_strbuf_free(&text);
    /* Only now may the program end: stopping the server cuts off answers. */
    pthread_mutex_lock(&server->lock);
    server->failure_sent = server->failure_sent || failed;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    return code;
}

/* Stays open as long as the page does; a failing write shows that it was closed. */
static int hold(const request *r)
{
    cli_server *server = r->server;
    pthread_mutex_lock(&server->lock);
    bool room = server->pages < PAGES_MAX / 2;
    if (room) {
        server->pages++;
        server->visited = true;
    }
    pthread_mutex_unlock(&server->lock);
    if (!room)
        return refuse(r);
    mg_printf(r->connection,
              "HTTP/1.1 200 OK\r\n%sContent-Type: text/plain\r\n"
              "Transfer-Encoding: chunked\r\n\r\n",
              common_headers);
    bool there = mg_send_chunk(r->connection, ".", 1) > 0;
    pthread_mutex_lock(&server->lock);
    while (there && !server->stopping) {
        doze(server, 1);
        pthread_mutex_unlock(&server->lock);
        there = mg_send_chunk(r->connection, ".", 1) > 0;
        pthread_mutex_lock(&server->lock);
    }
    server->pages--;
    server->left = time(NULL);
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    return 200;
}

/* ---- routes ---- */

/* For "0/scene.glb": the replay 0 and the rest of the name. */
static const cli_served *served_of(const request *r, const char **ret_rest)
{
    unsigned digit = (unsigned)(r->name[0] - '0');
    if (r->name[0] < '0' || digit >= r->server->served_count || r->name[1] != '/')
        return NULL;
    *ret_rest = r->name + 2;
    return &r->server->served[digit];
}

/* For "v0.ogg": the number, or -1. */
static int64_t voice_of(const char *name, const cli_served *served)
{
    uint64_t number = 0;
    if (*name++ != 'v' || !take_number(&name, &number) || strcmp(name, ".ogg") != 0 ||
        number >= served->voices.count)
        return -1;
    return (int64_t)number;
}

static int route_served(const request *r)
{
    const char *rest = NULL;
    const cli_served *served = served_of(r, &rest);
    if (!served)
        return refuse(r);
    if (strcmp(rest, "bookmarks") == 0 && served->bookmarks)
        return r->post ? save_bookmarks(r, served) : send_bookmarks(r, served);
    if (r->post)
        return refuse(r);
    if (strcmp(rest, "timeline.json") == 0)
        return send_text(r, "application/json", &served->timeline, "Content-Encoding: gzip\r\n");
    if (strcmp(rest, "scene.glb") == 0 && served->scene_fd >= 0)
        return send_scene(r, served->scene_fd, served->scene_size);
    for (size_t i = 0; i < served->series_count; i++) {
        if (strcmp(rest, served->series[i].name) == 0)
            return send_text(r, "application/json", &served->series[i].json,
                             "Content-Encoding: gzip\r\n");
    }
    int64_t voice = voice_of(rest, served);
    if (voice >= 0 && served->voices.items[voice].size)
        return send_text(r, "audio/ogg", &served->voices.items[voice], "");
    return refuse(r);
}

static int answer(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    request r = {.connection = connection, .info = info, .server = info->user_data};
    /* The lock is held during the start, until the address is known. */
    pthread_mutex_lock(&r.server->lock);
    bool ready = r.server->ready;
    pthread_mutex_unlock(&r.server->lock);
    if (!allowed(&r))
        return refuse(&r);
    if (ready && r.name[0] >= '0' && r.name[0] <= '9')
        return route_served(&r);
    if (r.post)
        return refuse(&r);
    if (!*r.name)
        return send_text(&r, "text/html; charset=utf-8", &r.server->html, page_headers);
    if (strcmp(r.name, "progress") == 0)
        return send_progress(&r);
    if (strcmp(r.name, "alive") == 0 && !r.head)
        return hold(&r);
    if (ready && strcmp(r.name, "page.json") == 0)
        return send_text(&r, "application/json", &r.server->page, "");
    if (ready && strcmp(r.name, "map.glb") == 0 && r.server->scenery.fd >= 0)
        return send_scene(&r, r.server->scenery.fd, r.server->scenery.size);
    return refuse(&r);
}

/* ---- start and stop ---- */

static int say_nothing(const struct mg_connection *connection, const char *message)
{
    (void)connection;
    (void)message;
    return 1;
}

static reprise_status fail(reprise_error *error, const char *what, int cause)
{
    *error = (reprise_error){.status = REPRISE_E_IO, .cause = cause};
    snprintf(error->message, sizeof error->message, "%s: %s", what, strerror(cause));
    return error->status;
}

static bool make_token(char *token)
{
    unsigned char bytes[TOKEN_SIZE / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/*
 * Once there is something to serve, a signal ends the server in an orderly way: answers are
 * finished and bookmarks saved. Until then it ends the program at once, since reading may take
 * long.
 */
static void *watch_signals(void *ctx)
{
    cli_server *server = ctx;
    sigset_t ending;
    int number = 0;
    cli_ending_signals(&ending);
    sigwait(&ending, &number);
    pthread_mutex_lock(&server->lock);
    if (!server->ready && server->failure.status == REPRISE_OK) {
        cli_end_by_signal(number);
        pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
    }
    server->interrupted = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

/* Threads started later inherit what is blocked. */
static bool start_watch(cli_server *server)
{
    sigset_t ending;
    cli_ending_signals(&ending);
    pthread_sigmask(SIG_BLOCK, &ending, &server->signals_before);
    server->watched = pthread_create(&server->watch, NULL, watch_signals, server) == 0;
    return server->watched;
}

static void stop_watch(cli_server *server)
{
    if (server->watched) {
        pthread_cancel(server->watch);
        pthread_join(server->watch, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &server->signals_before, NULL);
}

static bool listen_locally(cli_server *server)
{
    const char *options[] = {"listening_ports", "127.0.0.1:0",
                             /* An idle connection occupies a thread until it times out. */
                             "num_threads", "512", "decode_url", "no", "enable_directory_listing",
                             "no", "request_timeout_ms", "10000", NULL};
    struct mg_callbacks callbacks = {.begin_request = answer, .log_message = say_nothing};
    struct mg_server_port port;
    mg_init_library(0);
    server->http = mg_start(&callbacks, server, options);
    if (!server->http || mg_get_server_ports(server->http, 1, &port) != 1)
        return false;
    snprintf(server->hosts[0], sizeof server->hosts[0], "127.0.0.1:%d", port.port);
    snprintf(server->hosts[1], sizeof server->hosts[1], "localhost:%d", port.port);
    snprintf(server->address, sizeof server->address, "http://%s/%s/", server->hosts[0],
             server->token);
    return true;
}

reprise_status cli_server_start(const char *title, cli_server **ret_server, reprise_error *error)
{
    if (cli_page_check(error) != REPRISE_OK)
        return error->status;
    cli_server *server = cli_memory(NULL, sizeof *server);
    memset(server, 0, sizeof *server);
    server->scenery = CLI_SCENERY_NONE;
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, NULL);
    cli_strbuf after = {0};
    cli_page_html(title, "", &server->html, &after);
    cli_put(&server->html, after.data, after.size);
    cli_strbuf_free(&after);
    bool random = make_token(server->token);
    /* Requests wait for the lock until the address is known. */
    pthread_mutex_lock(&server->lock);
    bool listening = start_watch(server) && random && listen_locally(server);
    pthread_mutex_unlock(&server->lock);
    if (!listening) {
        int cause = errno ? errno : EADDRNOTAVAIL;
        cli_server_stop(server);
        return fail(error, "cannot serve the page on this machine", cause);
    }
    *ret_server = server;
    return REPRISE_OK;
}

const char *cli_server_address(const cli_server *server)
{
    return server->address;
}

void cli_server_progress(cli_server *server, double done)
{
    pthread_mutex_lock(&server->lock);
    if (done >= server->done + 0.01) {
        server->done = done;
        pthread_cond_broadcast(&server->changed);
    }
    pthread_mutex_unlock(&server->lock);
}

void cli_server_ready(cli_server *server, const cli_strbuf *page, const cli_scenery *scenery,
                      const cli_served *served, size_t count)
{
    pthread_mutex_lock(&server->lock);
    server->page = *page;
    server->scenery = *scenery;
    memcpy(server->served, served, count * sizeof *served);
    server->served_count = count;
    server->ready = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

void cli_server_failed(cli_server *server, const reprise_error *error)
{
    pthread_mutex_lock(&server->lock);
    server->failure = *error;
    pthread_cond_broadcast(&server->changed);
    time_t start = time(NULL);
    while (!server->failure_sent && !server->interrupted && time(NULL) - start < 3)
        doze(server, 1);
    pthread_mutex_unlock(&server->lock);
}

void cli_server_wait(cli_server *server, double seconds)
{
    pthread_mutex_lock(&server->lock);
    while (!server->interrupted && (seconds < 0 || server->pages || !server->visited ||
                                    difftime(time(NULL), server->left) < seconds))
        doze(server, 1);
    pthread_mutex_unlock(&server->lock);
}

void cli_served_free(cli_served *served)
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

void cli_server_stop(cli_server *server)
{
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    stop_watch(server);
    if (server->http)
        mg_stop(server->http);
    mg_exit_library();
    for (size_t i = 0; i < server->served_count; i++)
        cli_served_free(&server->served[i]);
    cli_scenery_close(&server->scenery);
    cli_strbuf_free(&server->html);
    cli_strbuf_free(&server->page);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    free(server);
}
