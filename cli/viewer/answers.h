/* answers.h - answers of the viewer's server: texts, parts of scenes, bookmarks. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include <civetweb.h>
#include <pthread.h>

#include "server.h"

/* Sent with every answer. */
extern const char cli_answer_headers[];

typedef struct cli_request {
    struct mg_connection *connection;
    const struct mg_request_info *info;
    const char *name; /* the part of the path after the secret, or after the name of the page */
    bool head, post;
    pthread_mutex_t *lock; /* held while a file of bookmarks is written */
} cli_request;

/* All return the HTTP status. `more` are further headers. */
int cli_answer_head(const cli_request *r, int code, const char *reason, const char *type,
                    uint64_t size, const char *more);
int cli_answer_nothing(const cli_request *r); /* 404 */
int cli_answer_text(const cli_request *r, const char *type, const cli_strbuf *text,
                    const char *more);
/* A part of the data of a page: page.json, map.glb, 0/timeline.json ... */
int cli_answer_content(const cli_request *r, const cli_page_content *content);
/*
 * What the page sends of a clip: "clip" is the file, "clip-state" how far it is, as a number, or
 * why there will be none.
 */
int cli_answer_clip(const cli_request *r, cli_inbox *inbox);

#endif
