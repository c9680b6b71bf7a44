/*
 * fuzz_http.c - any bytes as a request to the page's server, which really listens here. In the
 * input '@' means the secret and '^' the host's name. A request without the secret is
 * never answered with content.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "viewer/server.h"

enum { TOKEN_SIZE = 32, ANSWER_MAX = 1 << 16 };

static cli_server *server;
static char token[TOKEN_SIZE + 1], host[32];
static unsigned port;

static void must(bool condition)
{
    if (!condition)
        abort();
}

static void serve(void)
{
    reprise_error error = REPRISE_ERROR_INIT;
    cli_page_content content = CLI_PAGE_CONTENT_NONE;
    cli_served *served = &content.served[0];
    FILE *scene = tmpfile();
    *served = (cli_served){.scene_fd = scene ? dup(fileno(scene)) : -1, .scene_size = 5000};
    content.count = 1;
    must(served->scene_fd >= 0 && ftruncate(served->scene_fd, 5000) == 0);
    cli_puts(&content.page, "{}");
    cli_puts(&served->timeline, "timeline");
    must(cli_server_start("fuzz", &server, &error) == REPRISE_OK);
    cli_server_ready(server, &content);
    must(sscanf(cli_server_address(server), "http://127.0.0.1:%u/%32[0-9a-f]/", &port, token) == 2);
    snprintf(host, sizeof host, "127.0.0.1:%u", port);
    fclose(scene);
}

/* The request with secret and host put in. */
static cli_strbuf request_of(const uint8_t *data, size_t size)
{
    cli_strbuf request = {0};
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '@')
            cli_puts(&request, token);
        else if (data[i] == '^')
            cli_puts(&request, host);
        else
            cli_putc(&request, (char)data[i]);
    }
    return request;
}

static size_t ask(const cli_strbuf *request, char *answer)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct linger at_once = {.l_onoff = 1};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    must(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    (void)!send(fd, request->data, request->size, MSG_NOSIGNAL);
    /* No more will come: the server need not wait for the rest of a request. */
    shutdown(fd, SHUT_WR);
    size_t have = 0;
    ssize_t got;
    while (have < ANSWER_MAX && (got = recv(fd, answer + have, ANSWER_MAX - have, 0)) > 0)
        have += (size_t)got;
    close(fd);
    return have;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char answer[ANSWER_MAX + 1];
    if (!server)
        serve();
    /* "alive" stays open for as long as the page does, by design. */
    cli_strbuf request = request_of(data, size);
    bool stays = request.size && memmem(request.data, request.size, "alive", 5);
    if (request.size && !stays) {
        size_t have = ask(&request, answer);
        answer[have] = 0;
        bool secret = memmem(request.data, request.size, token, TOKEN_SIZE) != NULL;
        must(secret || !strstr(answer, " 200 OK"));
        must(!memmem(answer, have, token, TOKEN_SIZE) || secret);
    }
    cli_strbuf_free(&request);
    return 0;
}
