/* site_page.h - pages of a site (site.h): the data of a replay, and HTML. */
#ifndef CLI_SITE_PAGE_H
#define CLI_SITE_PAGE_H

#include "archive.h"
#include "batch/batch.h"

typedef enum cli_site_state {
    CLI_SITE_FAILED, /* there is no page */
    CLI_SITE_MADE,
    CLI_SITE_KEPT, /* an earlier export made it */
} cli_site_state;

typedef struct cli_site_page {
    size_t row;
    char *path;                           /* of the replay */
    char name[CLI_ARCHIVE_PAGE_SIZE + 1]; /* of the page */
    cli_site_state state;
    bool has_picture;
} cli_site_page;

/*
 * Writes the data of a page below `root`, which ends with a slash, unless this version has done so.
 * It appears complete or not at all. Sets the state; an error is left in job->error. Any thread.
 */
void cli_site_make_page(cli_site_page *page, const char *root, cli_job *job, uint64_t scene_max);

/* What the head of a page says to browsers and to programs that preview links. */
typedef struct cli_site_head {
    const char *title, *about;
    const char *url;     /* of the site, or NULL: unknown */
    const char *address; /* of the page below it: "r/NAME/index.html" */
    bool picture;        /* there is a picture.png next to it */
} cli_site_head;

/* The page of a replay. */
void cli_site_put_page(const cli_site_head *head, cli_strbuf *to);
/* The page that compares the replays in its query. */
void cli_site_put_compare(const char *archive_name, cli_strbuf *to);
/* The page of the archive. */
void cli_site_put_index(const cli_site_head *head, cli_strbuf *to);

#endif
