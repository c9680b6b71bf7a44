/*
 * viewer_page.h - the viewer's page, built from viewer/ and kept compressed in the command, and the
 * one file that holds the page together with what it shows.
 */
#ifndef CLI_VIEWER_PAGE_H
#define CLI_VIEWER_PAGE_H

#include <zlib.h>

#include "command.h"
#include "voices.h"
#include <reprise/scene.h>

/* As many as a page has room and colours for. */
enum { CLI_PAGE_PARTS_MAX = 8 };

/* Made by viewer/: the page under brotli, and how large it is without. Both 0: left out. */
extern const unsigned char cli_page_data[];
extern const size_t cli_page_data_size, cli_page_size;

/*
 * Seconds by which parts are shifted against the first, as words of an option: one for each but the
 * first, or fewer. An error names `verb`.
 */
reprise_status cli_page_offsets(const cli_words *words, size_t count, const char *verb,
                                double *offsets, reprise_error *error);
/* clang-format off */
#define CLI_OPTION_OFFSET(settings_type, group_name)                                            \
    {.name = "offset",                                                                          \
     .value = "SECONDS",                                                                        \
     .group = group_name,                                                                       \
     .doc = "How much later the next file begins than the first. Repeated or between commas for " \
            "several; the page can change it.",                                                 \
     .offset = offsetof(settings_type, offsets),                                                \
     .parse = cli_parse_words}
/* clang-format on */

/* Scenery for games whose replays hold none: a GLB file in metres, as the game counts places. */
typedef struct cli_scenery {
    int fd; /* -1: none */
    uint64_t size;
} cli_scenery;
#define CLI_SCENERY_NONE ((cli_scenery){.fd = -1})
/* Without a path there is none. The caller closes the file. */
reprise_status cli_scenery_open(const char *path, cli_scenery *ret_scenery, reprise_error *error);
void cli_scenery_close(cli_scenery *scenery);
/* Its name in page.json and on the server; NULL if there is none. */
const char *cli_scenery_name(const cli_scenery *scenery);
/* clang-format off */
#define CLI_OPTION_SCENERY(settings_type, group_name)                                               \
    {.name = "scenery",                                                                         \
     .former_name = "map",                                                                      \
     .value = "GLB",                                                                            \
     .choices = "<file>",                                                                       \
     .group = group_name,                                                                       \
     .doc = "Show this scenery around the replay: a GLB file in metres, y up, with the origin of " \
            "the game's map. CS2KZ recordings hold no map.",                                    \
     .offset = offsetof(settings_type, scenery),                                                    \
     .parse = cli_parse_text}
#define CLI_OPTION_SCENE_MAX(settings_type, group_name, doc_text) \
    {.name = "scene-max",                                          \
     .value = "BYTES",                                             \
     .group = group_name,                                          \
     .doc = doc_text,                                              \
     .offset = offsetof(settings_type, scene_max),                 \
     .parse = cli_parse_text}
/* clang-format on */

/* The value of --scene-max; `usual` if it is NULL. */
reprise_status cli_page_scene_max(const char *text, uint64_t usual, uint64_t *ret_bytes,
                                  reprise_error *error);

/* An error for builds without the page. */
reprise_status cli_page_check(reprise_error *error);

/*
 * The page in two halves, between which data may stand. `head` is HTML for its head; the title is
 * escaped here. Check first that there is a page.
 */
void cli_page_html(const char *title, const char *head, cli_strbuf *before, cli_strbuf *after);

/* Compresses with gzip, as pages understand it. */
void cli_gzip(const cli_strbuf *from, cli_strbuf *to);

/* ---- data inside a page ---- */

/* One replay of a page. */
typedef struct cli_page_part {
    reprise_scene *scene;
    const char *name;
    double offset;     /* seconds it is shifted by */
    cli_voices voices; /* stay the caller's */
} cli_page_part;

/*
 * One file with the page and what it shows, which needs nothing else. Scenes that browsers would
 * not hold, those of more than `scene_max` bytes together, are REPRISE_E_LIMIT.
 */
reprise_status cli_page_write(const cli_page_part *parts, size_t count, const cli_scenery *scenery,
                              uint64_t scene_max, cli_out *out, reprise_error *error);

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
