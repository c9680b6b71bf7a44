/* answers.c - see answers.h. */
#include "answers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/outfile.h"

enum {
    BODY_MAX = 1 << 20,
    CHUNK_BYTES = 1 << 16, /* too large for the stacks of civetweb's threads */
};

/* The server ends a connection after each answer. A client that is not told would use it again. */
const char cli_answer_headers[] = "Connection: close\r\n"
                                  "Cache-Control: no-store\r\n"
                                  "X-Content-Type-Options: nosniff\r\n"
                                  "Referrer-Policy: no-referrer\r\n"
                                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                                  "X-Frame-Options: DENY\r\n";

int cli_answer_head(const cli_request *r, int code, const char *reason, const char *type,
                    uint64_t size, const char *more)
{
    mg_printf(r->connection,
              "HTTP/1.1 %d %s\r\n%sContent-Type: %s\r\nContent-Length: %" PRIu64 "\r\n%s\r\n", code,
              reason, cli_answer_headers, type, size, more);
    return code;
}

int cli_answer_nothing(const cli_request *r)
{
    return cli_answer_head(r, 404, "Not Found", "text/plain", 0, "");
}

int cli_answer_text(const cli_request *r, const char *type, const cli_strbuf *text,
                    const char *more)
{
    cli_answer_head(r, 200, "OK", type, text->size, more);
    if (!r->head && text->size)
        mg_write(r->connection, text->data, text->size);
    return 200;
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

static int send_scene(const cli_request *r, int fd, uint64_t size)
{
    char more[128] = "Accept-Ranges: bytes\r\n";
    span s = wanted_span(mg_get_header(r->connection, "Range"), size);
    if (s.impossible) {
        snprintf(more, sizeof more, "Content-Range: bytes */%" PRIu64 "\r\n", size);
        return cli_answer_head(r, 416, "Range Not Satisfiable", "text/plain", 0, more);
    }
    if (s.part)
        snprintf(more, sizeof more,
                 "Accept-Ranges: bytes\r\nContent-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64
                 "\r\n",
                 s.from, s.from + s.size - 1, size);
    int code = s.part
                   ? cli_answer_head(r, 206, "Partial Content", "model/gltf-binary", s.size, more)
                   : cli_answer_head(r, 200, "OK", "model/gltf-binary", s.size, more);
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

static int send_bookmarks(const cli_request *r, const cli_served *served)
{
    cli_strbuf text = {0};
    int fd = open(served->bookmarks, O_RDONLY | O_CLOEXEC);
    char chunk[4096];
    ssize_t got = 0;
    while (fd >= 0 && text.size < BODY_MAX && (got = read(fd, chunk, sizeof chunk)) > 0)
        cli_put(&text, chunk, (size_t)got);
    if (fd >= 0)
        close(fd);
    int code = cli_answer_text(r, "text/plain; charset=utf-8", &text, "");
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

static bool write_bookmarks(const cli_request *r, const cli_served *served, const char *text,
                            size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    cli_outfile file;
    bool saved = false;
    pthread_mutex_lock(r->lock);
    if (cli_outfile_open(&file, served->bookmarks, true, &error) == REPRISE_OK) {
        cli_out_put(&file.out, text, size);
        saved = cli_outfile_commit(&file, &error) == REPRISE_OK;
        cli_outfile_close(&file);
    }
    pthread_mutex_unlock(r->lock);
    return saved;
}

static int save_bookmarks(const cli_request *r, const cli_served *served)
{
    const char *type = mg_get_header(r->connection, "Content-Type");
    if (!type || strncmp(type, "text/plain", 10) != 0 || r->info->content_length < 0)
        return cli_answer_nothing(r);
    if (r->info->content_length > BODY_MAX)
        return cli_answer_head(r, 413, "Content Too Large", "text/plain", 0, "");
    size_t size = (size_t)r->info->content_length, have = 0;
    char *body = cli_memory(NULL, size + 1);
    int got = 0;
    while (have < size && (got = mg_read(r->connection, body + have, size - have)) > 0)
        have += (size_t)got;
    int code = 0;
    if (have < size || !are_bookmarks(body, size))
        code = cli_answer_nothing(r);
    else if (write_bookmarks(r, served, body, size))
        code = cli_answer_head(r, 204, "No Content", "text/plain", 0, "");
    else
        code = cli_answer_head(r, 500, "Internal Server Error", "text/plain", 0, "");
    free(body);
    return code;
}

/* ---- clips ---- */

/* Reads the body in pieces; `take` gets each. False if it is shorter than announced. */
static bool read_body(const cli_request *r, void (*take)(void *, const char *, size_t), void *ctx)
{
    uint64_t left = (uint64_t)r->info->content_length;
    char *chunk = cli_memory(NULL, CHUNK_BYTES);
    while (left) {
        int got = mg_read(r->connection, chunk, left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES);
        if (got <= 0)
            break;
        take(ctx, chunk, (size_t)got);
        left -= (uint64_t)got;
    }
    free(chunk);
    return left == 0;
}

static void take_bytes(void *ctx, const char *data, size_t size)
{
    cli_inbox *inbox = ctx;
    cli_out_put(inbox->out, data, size);
    inbox->size += size;
}

static void take_text(void *ctx, const char *data, size_t size)
{
    cli_put(ctx, data, size);
}

static int take_clip(const cli_request *r, cli_inbox *inbox)
{
    pthread_mutex_lock(r->lock);
    bool first = !inbox->begun;
    inbox->begun = true;
    pthread_mutex_unlock(r->lock);
    if (!first)
        return cli_answer_nothing(r);
    bool whole = read_body(r, take_bytes, inbox);
    int code = cli_answer_head(r, 204, "No Content", "text/plain", 0, "");
    pthread_mutex_lock(r->lock);
    inbox->complete = whole;
    if (!whole)
        snprintf(inbox->problem, sizeof inbox->problem, "the browser sent a part of the clip only");
    pthread_mutex_unlock(r->lock);
    return code;
}

static int take_state(const cli_request *r, cli_inbox *inbox)
{
    cli_strbuf text = {0};
    char *end;
    if (r->info->content_length > (long long)sizeof inbox->problem ||
        !read_body(r, take_text, &text)) {
        cli_strbuf_free(&text);
        return cli_answer_nothing(r);
    }
    const char *words = cli_strbuf_string(&text);
    double done = strtod(words, &end);
    pthread_mutex_lock(r->lock);
    if (end != words && !*end)
        inbox->done = done;
    else
        snprintf(inbox->problem, sizeof inbox->problem, "%s", words);
    pthread_mutex_unlock(r->lock);
    cli_strbuf_free(&text);
    return cli_answer_head(r, 204, "No Content", "text/plain", 0, "");
}

int cli_answer_clip(const cli_request *r, cli_inbox *inbox)
{
    if (r->info->content_length < 0)
        return cli_answer_nothing(r);
    if (strcmp(r->name, "clip") == 0)
        return take_clip(r, inbox);
    return strcmp(r->name, "clip-state") == 0 ? take_state(r, inbox) : cli_answer_nothing(r);
}

/* ---- the data of a page ---- */

/* For "0/scene.glb": the replay 0 and the rest of the name. */
static const cli_served *served_of(const cli_request *r, const cli_page_content *content,
                                   const char **ret_rest)
{
    unsigned digit = (unsigned)(r->name[0] - '0');
    if (r->name[0] < '0' || digit >= content->count || r->name[1] != '/')
        return NULL;
    *ret_rest = r->name + 2;
    return &content->served[digit];
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

static int send_served(const cli_request *r, const cli_page_content *content)
{
    const char *rest = NULL;
    const cli_served *served = served_of(r, content, &rest);
    if (!served)
        return cli_answer_nothing(r);
    if (strcmp(rest, "bookmarks") == 0 && served->bookmarks)
        return r->post ? save_bookmarks(r, served) : send_bookmarks(r, served);
    if (r->post)
        return cli_answer_nothing(r);
    if (strcmp(rest, "timeline.json") == 0)
        return cli_answer_text(r, "application/json", &served->timeline,
                               "Content-Encoding: gzip\r\n");
    if (strcmp(rest, "scene.glb") == 0 && served->scene_fd >= 0)
        return send_scene(r, served->scene_fd, served->scene_size);
    for (size_t i = 0; i < served->series_count; i++) {
        if (strcmp(rest, served->series[i].name) == 0)
            return cli_answer_text(r, "application/json", &served->series[i].json,
                                   "Content-Encoding: gzip\r\n");
    }
    int64_t voice = voice_of(rest, served);
    if (voice >= 0 && served->voices.items[voice].size)
        return cli_answer_text(r, "audio/ogg", &served->voices.items[voice], "");
    return cli_answer_nothing(r);
}

int cli_answer_content(const cli_request *r, const cli_page_content *content)
{
    if (r->name[0] >= '0' && r->name[0] <= '9')
        return send_served(r, content);
    if (r->post)
        return cli_answer_nothing(r);
    if (strcmp(r->name, "page.json") == 0)
        return cli_answer_text(r, "application/json", &content->page, "");
    if (strcmp(r->name, "map.glb") == 0 && content->scenery.made.size)
        return cli_answer_text(r, "model/gltf-binary", &content->scenery.made, "");
    if (strcmp(r->name, "map.glb") == 0 && content->scenery.fd >= 0)
        return send_scene(r, content->scenery.fd, content->scenery.size);
    return cli_answer_nothing(r);
}
