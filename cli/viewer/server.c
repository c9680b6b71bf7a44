/* server.c - see server.h. */
#include "server.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>

#include "answers.h"
#include "batch/outfile.h"

enum {
    TOKEN_SIZE = 32,
    OPEN_MAX = 8, /* pages that are held open, each in a thread */
    KEPT_MAX = 8, /* pages of an archive that are kept once made */
    IDS_MAX = CLI_SERVED_MAX,
    ID_DIGITS_MAX = 18,
    KEY_SIZE = IDS_MAX * (ID_DIGITS_MAX + 1) + 1,
};

/* A page with replays. Those of an archive are made when they are asked for. */
typedef struct page {
    char key[KEY_SIZE]; /* "12+15"; "": the only one, or none */
    bool wanted;        /* not made yet */
    bool ready;
    double done;
    reprise_error failure;    /* why there is nothing to show; OK: none */
    bool failure_sent;        /* to a browser */
    unsigned users;           /* requests that are being answered */
    uint64_t used;            /* larger for later use */
    cli_page_content content; /* constant while ready */
} page;

struct cli_server {
    struct mg_context *http;
    pthread_t watch; /* waits for signals, which all other threads block */
    bool watched;
    sigset_t signals_before; /* what the thread of the caller blocked */
    char token[TOKEN_SIZE + 1];
    char hosts[2][32]; /* accepted Host headers */
    char address[80];
    cli_strbuf html;
    bool has_archive;
    cli_server_archive archive;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* guarded by the lock */
    bool stopping;
    bool interrupted; /* by a signal that ends the program */
    unsigned opened;  /* pages that are open in browsers */
    bool visited;     /* a page was open */
    time_t left;      /* when the last page was closed */
    page *making;     /* the page that is being made, or NULL */
    cli_inbox *inbox; /* of a clip, or NULL */
    uint64_t uses;
    page pages[KEPT_MAX]; /* without an archive only the first */
};

static const char page_headers[] =
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; img-src data: blob:; media-src 'self' blob:; worker-src blob:; connect-src "
    "'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

typedef struct request {
    cli_request http;
    cli_server *server;
} request;

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
 * A browser redirected by the local file of browser.c reports a cross-site navigation. That is
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
    cli_request *http = &r->http;
    const char *method = http->info->request_method, *uri = http->info->request_uri;
    http->head = strcmp(method, "HEAD") == 0;
    http->post = strcmp(method, "POST") == 0;
    if (!http->head && !http->post && strcmp(method, "GET") != 0)
        return false;
    if (!headers_allowed(r->server, http->info) || strlen(uri) < TOKEN_SIZE + 2 || uri[0] != '/' ||
        uri[1 + TOKEN_SIZE] != '/' || !same_secret(uri + 1, r->server->token))
        return false;
    http->name = uri + TOKEN_SIZE + 2;
    /* Only pages take a query string. */
    size_t size = strlen(http->name);
    return !http->info->query_string || !size || http->name[size - 1] == '/';
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

static bool is_pending(const cli_server *server, const page *p)
{
    return !p->ready && p->failure.status == REPRISE_OK && !server->stopping;
}

static int send_progress(const cli_request *r, cli_server *server, page *p)
{
    cli_strbuf text = {0};
    pthread_mutex_lock(&server->lock);
    double done = p->done;
    time_t start = time(NULL);
    while (is_pending(server, p) && p->done == done && time(NULL) - start < 10)
        doze(server, 1);
    bool failed = p->failure.status != REPRISE_OK;
    cli_json json = {.to = &text};
    cli_json_object(&json, NULL);
    cli_json_bool(&json, "ready", p->ready);
    cli_json_real(&json, "done", p->done);
    if (failed)
        cli_json_error(&json, "error", &p->failure);
    else
        cli_json_value(&json, "error", NULL);
    cli_json_close(&json);
    pthread_mutex_unlock(&server->lock);
    int code = cli_answer_text(r, "application/json", &text, "");
    cli_strbuf_free(&text);
    /* Only now may the program end: stopping the server cuts off answers. */
    pthread_mutex_lock(&server->lock);
    p->failure_sent = p->failure_sent || failed;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    return code;
}

/* Stays open as long as the page does; a failing write shows that it was closed. */
static int hold(const cli_request *r, cli_server *server)
{
    pthread_mutex_lock(&server->lock);
    bool room = server->opened < OPEN_MAX;
    if (room) {
        server->opened++;
        server->visited = true;
    }
    pthread_mutex_unlock(&server->lock);
    if (!room)
        return cli_answer_nothing(r);
    mg_printf(r->connection,
              "HTTP/1.1 200 OK\r\n%sContent-Type: text/plain\r\n"
              "Transfer-Encoding: chunked\r\n\r\n",
              cli_answer_headers);
    bool there = mg_send_chunk(r->connection, ".", 1) > 0;
    pthread_mutex_lock(&server->lock);
    while (there && !server->stopping) {
        doze(server, 1);
        pthread_mutex_unlock(&server->lock);
        there = mg_send_chunk(r->connection, ".", 1) > 0;
        pthread_mutex_lock(&server->lock);
    }
    server->opened--;
    server->left = time(NULL);
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    return 200;
}

/* ---- pages of an archive ---- */

/* Reads "12+15" up to a slash; returns the number of ids, or 0 if it is anything else. */
static size_t read_ids(const char *name, uint64_t *ids, const char **ret_end)
{
    for (size_t count = 0; count < IDS_MAX;) {
        size_t digits = strspn(name, "0123456789");
        if (!digits || digits > ID_DIGITS_MAX || name[0] == '0')
            return 0;
        ids[count++] = strtoull(name, NULL, 10);
        name += digits;
        *ret_end = name;
        if (*name == '/')
            return count;
        if (*name++ != '+')
            return 0;
    }
    return 0;
}

/* Frees a place for a page; NULL if all are in use. The lock is held. */
static page *make_room(cli_server *server)
{
    page *oldest = NULL;
    for (size_t i = 0; i < KEPT_MAX; i++) {
        page *p = &server->pages[i];
        if (!p->key[0])
            return p;
        if (!p->users && p != server->making && (!oldest || p->used < oldest->used))
            oldest = p;
    }
    if (oldest)
        cli_page_content_free(&oldest->content);
    return oldest;
}

/* The page with these replays, which cli_server_wait makes if it is new. The lock is held. */
static page *find_page(cli_server *server, const char *key, size_t size)
{
    for (size_t i = 0; i < KEPT_MAX; i++) {
        if (strlen(server->pages[i].key) == size && memcmp(server->pages[i].key, key, size) == 0)
            return &server->pages[i];
    }
    page *p = make_room(server);
    if (!p)
        return NULL;
    *p = (page){.wanted = true, .content = CLI_PAGE_CONTENT_NONE};
    memcpy(p->key, key, size);
    pthread_cond_broadcast(&server->changed);
    return p;
}

/* The page that r->name names as "r/12/...", which becomes the rest of the name. */
static page *take_page(cli_server *server, cli_request *r)
{
    static const char prefix[] = "r/";
    uint64_t ids[IDS_MAX];
    const char *end = NULL, *key = r->name + sizeof prefix - 1;
    if (strncmp(r->name, prefix, sizeof prefix - 1) != 0)
        return NULL;
    size_t count = read_ids(key, ids, &end);
    for (size_t i = 0; i < count; i++) {
        if (!server->archive.has(server->archive.ctx, ids[i]))
            return NULL;
    }
    if (!count)
        return NULL;
    r->name = end + 1;
    pthread_mutex_lock(&server->lock);
    page *p = find_page(server, key, (size_t)(end - key));
    if (p) {
        p->users++;
        p->used = ++server->uses;
        /* Who opens the page again tries again. */
        if (p->failure_sent && !*r->name)
            *p = (page){.wanted = true,
                        .users = p->users,
                        .used = p->used,
                        .content = CLI_PAGE_CONTENT_NONE};
    }
    pthread_mutex_unlock(&server->lock);
    return p;
}

static void leave_page(cli_server *server, page *p)
{
    pthread_mutex_lock(&server->lock);
    p->users--;
    pthread_mutex_unlock(&server->lock);
}

/* ---- routes ---- */

/* Data of a page that was dropped meanwhile is waited for. */
static bool is_ready(cli_server *server, const page *p)
{
    pthread_mutex_lock(&server->lock);
    while (server->has_archive && is_pending(server, p))
        doze(server, 1);
    bool ready = p->ready;
    pthread_mutex_unlock(&server->lock);
    return ready;
}

static int answer_page(cli_request *r, cli_server *server, page *p)
{
    if (!r->post && !*r->name)
        return cli_answer_text(r, "text/html; charset=utf-8", &server->html, page_headers);
    if (!r->post && strcmp(r->name, "progress") == 0)
        return send_progress(r, server, p);
    if (!r->post && !r->head && strcmp(r->name, "alive") == 0)
        return hold(r, server);
    if (r->post && server->inbox && strncmp(r->name, "clip", 4) == 0) {
        int code = cli_answer_clip(r, server->inbox);
        pthread_mutex_lock(&server->lock);
        pthread_cond_broadcast(&server->changed);
        pthread_mutex_unlock(&server->lock);
        return code;
    }
    return is_ready(server, p) ? cli_answer_content(r, &p->content) : cli_answer_nothing(r);
}

static int answer_archive(cli_request *r, cli_server *server)
{
    page *p = take_page(server, r);
    if (p) {
        int code = answer_page(r, server, p);
        leave_page(server, p);
        return code;
    }
    if (r->post)
        return cli_answer_nothing(r);
    if (!*r->name)
        return cli_answer_text(r, "text/html; charset=utf-8", &server->archive.html, page_headers);
    if (strcmp(r->name, "archive.json") == 0)
        return cli_answer_text(r, "application/json", &server->archive.index,
                               "Content-Encoding: gzip\r\n");
    if (strcmp(r->name, "alive") == 0 && !r->head)
        return hold(r, server);
    return cli_answer_nothing(r);
}

static int answer(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    cli_server *server = info->user_data;
    request r = {.http = {.connection = connection, .info = info, .lock = &server->lock},
                 .server = server};
    /* The lock is held during the start, until the address is known. */
    pthread_mutex_lock(&server->lock);
    pthread_mutex_unlock(&server->lock);
    if (!allowed(&r))
        return cli_answer_nothing(&r.http);
    return server->has_archive ? answer_archive(&r.http, server)
                               : answer_page(&r.http, server, &server->pages[0]);
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
 * A signal ends the server in an orderly way: answers are finished and bookmarks saved. While a
 * page is being made it ends the program at once, since reading may take long.
 */
static void *watch_signals(void *ctx)
{
    cli_server *server = ctx;
    sigset_t ending;
    int number = 0;
    cli_ending_signals(&ending);
    sigwait(&ending, &number);
    pthread_mutex_lock(&server->lock);
    if (server->making) {
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

static reprise_status start(cli_server *server, cli_server **ret_server, reprise_error *error)
{
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, NULL);
    for (size_t i = 0; i < KEPT_MAX; i++)
        server->pages[i].content = CLI_PAGE_CONTENT_NONE;
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

static cli_server *new_server(const char *title, const char *head)
{
    cli_server *server = cli_memory(NULL, sizeof *server);
    memset(server, 0, sizeof *server);
    cli_strbuf after = {0};
    cli_page_html(title, head, &server->html, &after);
    cli_put(&server->html, after.data, after.size);
    cli_strbuf_free(&after);
    return server;
}

reprise_status cli_server_start(const char *title, cli_server **ret_server, reprise_error *error)
{
    if (cli_page_check(error) != REPRISE_OK)
        return error->status;
    cli_server *server = new_server(title, "");
    server->making = &server->pages[0];
    return start(server, ret_server, error);
}

reprise_status cli_server_start_archive(const cli_server_archive *archive, cli_server **ret_server,
                                        reprise_error *error)
{
    cli_server *server = new_server("Replay", CLI_PAGE_IN_ARCHIVE("../../"));
    server->has_archive = true;
    server->archive = *archive;
    return start(server, ret_server, error);
}

const char *cli_server_address(const cli_server *server)
{
    return server->address;
}

/* ---- making pages ---- */

void cli_server_progress(void *ctx, double done)
{
    cli_server *server = ctx;
    pthread_mutex_lock(&server->lock);
    if (server->making && done >= server->making->done + 0.01) {
        server->making->done = done;
        pthread_cond_broadcast(&server->changed);
    }
    pthread_mutex_unlock(&server->lock);
}

/* The page that is being made is ready, or there is none for a reason. */
static void finish_page(cli_server *server, const cli_page_content *content,
                        const reprise_error *failure)
{
    pthread_mutex_lock(&server->lock);
    page *p = server->making;
    server->making = NULL;
    if (content) {
        p->content = *content;
        p->ready = true;
    } else {
        p->failure = *failure;
    }
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

void cli_server_ready(cli_server *server, const cli_page_content *content)
{
    finish_page(server, content, NULL);
}

void cli_server_failed(cli_server *server, const reprise_error *error, double seconds)
{
    finish_page(server, NULL, error);
    pthread_mutex_lock(&server->lock);
    time_t start = time(NULL);
    while (!server->interrupted && !server->pages[0].failure_sent &&
           difftime(time(NULL), start) < seconds)
        doze(server, 1);
    pthread_mutex_unlock(&server->lock);
}

void cli_server_take_clip(cli_server *server, cli_inbox *inbox)
{
    pthread_mutex_lock(&server->lock);
    server->inbox = inbox;
    pthread_mutex_unlock(&server->lock);
}

bool cli_server_await_clip(cli_server *server, cli_inbox *ret_state)
{
    pthread_mutex_lock(&server->lock);
    if (!server->interrupted && !server->inbox->complete)
        doze(server, 1);
    *ret_state = *server->inbox;
    bool going = !server->interrupted;
    pthread_mutex_unlock(&server->lock);
    return going;
}

/* The lock is held, except while the page is made. */
static bool make_wanted(cli_server *server)
{
    uint64_t ids[IDS_MAX];
    char key[KEY_SIZE + 1];
    page *p = NULL;
    for (size_t i = 0; i < KEPT_MAX && !p; i++)
        p = server->pages[i].wanted ? &server->pages[i] : NULL;
    if (!p)
        return false;
    p->wanted = false;
    server->making = p;
    snprintf(key, sizeof key, "%s/", p->key);
    pthread_mutex_unlock(&server->lock);
    const char *end;
    cli_page_content content;
    reprise_error error = REPRISE_ERROR_INIT;
    size_t count = read_ids(key, ids, &end);
    bool made = server->archive.build(server->archive.ctx, ids, count, &content, &error) ==
                REPRISE_OK;
    finish_page(server, made ? &content : NULL, &error);
    pthread_mutex_lock(&server->lock);
    return true;
}

void cli_server_wait(cli_server *server, double seconds)
{
    pthread_mutex_lock(&server->lock);
    while (!server->interrupted && (seconds < 0 || server->opened || !server->visited ||
                                    difftime(time(NULL), server->left) < seconds)) {
        if (!make_wanted(server))
            doze(server, 1);
    }
    pthread_mutex_unlock(&server->lock);
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
    for (size_t i = 0; i < KEPT_MAX; i++)
        cli_page_content_free(&server->pages[i].content);
    cli_strbuf_free(&server->html);
    cli_strbuf_free(&server->archive.html);
    cli_strbuf_free(&server->archive.index);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    free(server);
}
