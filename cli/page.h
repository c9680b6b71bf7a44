/*
 * page.h - the viewer's page, built from viewer/ and kept compressed in the command, and the one
 * file that holds the page together with what it shows.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <zlib.h>

#include "output.h"

/* Made by viewer/: the page under brotli, and how large it is without. Both 0: left out. */
extern const unsigned char cli_page_data[];
extern const size_t cli_page_data_size, cli_page_size;

/* An error for builds without the page. */
reprise_status cli_page_check(reprise_error *error);

/*
 * The page in two halves, between which data may stand. `head` is HTML for its head; the title is
 * escaped here. Check first that there is a page.
 */
void cli_page_html(const char *title, const char *head, cli_text *before, cli_text *after);

/* Compresses with gzip, as pages understand it. */
void cli_gzip(const cli_text *from, cli_text *to);

/* ---- data inside a page ---- */

/*
 * One file with the page and a scene in it, which needs nothing else. Scenes that browsers would
 * not hold are REPRISE_E_LIMIT unless `any_size`.
 */
reprise_status cli_page_write(reprise_scene *scene, const char *name, bool any_size, cli_out *out,
                              reprise_error *error);

/* One piece of data, compressed and in base64, in as many blocks as it takes. */
typedef struct cli_block {
    cli_out *out;
    const char *id; /* "timeline:0" */
    z_stream stream;
    unsigned char rest[3]; /* bytes that do not make a group of three yet */
    size_t rest_size;
    size_t room; /* bytes that still fit into the open block; 0: none is open */
} cli_block;
void cli_block_begin(cli_block *block, cli_out *out, const char *id);
/* For reprise_sink.write; ctx is the block. */
int cli_block_put(void *ctx, const void *data, size_t size);
void cli_block_end(cli_block *block);

#endif
