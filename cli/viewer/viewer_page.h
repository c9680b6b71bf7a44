/*
 * viewer_page.h - the viewer's page, built from viewer/ and stored compressed in the command, and
 * pages in one file that contain their data.
 */
#ifndef CLI_VIEWER_PAGE_H
#define CLI_VIEWER_PAGE_H

#include <zlib.h>

#include "command.h"
#include "voices.h"
#include <reprise/scene.h>

/* The page has colours for this many. */
enum { CLI_PAGE_PARTS_MAX = 8 };

/* Built by viewer/: the page compressed with brotli, and its size. Both 0: built without it. */
extern const unsigned char cli_page_data[];
extern const size_t cli_page_data_size, cli_page_size;

/*
 * Parses the values of --offset: seconds for each part after the first, or fewer. An error names
 * `verb`.
 */
reprise_status cli_page_offsets(const cli_words *words, size_t count, const char *verb,
                                double *offsets, reprise_error *error);
/* clang-format off */
#define CLI_OPTION_OFFSET(settings_type, group_name)                                            \
    {.name = "offset",                                                                          \
     .value = "SECONDS",                                                                        \
     .group = group_name,                                                                       \
     .doc = "Delay the next file by SECONDS against the first. Separate several with commas or "  \
            "repeat; the page can change it.",                                                  \
     .offset = offsetof(settings_type, offsets),                                                \
     .parse = cli_parse_words}
/* clang-format on */

/* Scenery for games whose replays have none: a GLB file in metres, in the game's coordinates. */
typedef struct cli_scenery {
    int fd; /* -1: none */
    uint64_t size;
} cli_scenery;
#define CLI_SCENERY_NONE ((cli_scenery){.fd = -1})
/* A NULL path means none. The caller closes the file. */
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
     .doc = "Show a GLB file around the replay, in metres, y up, with the origin of the game's "  \
            "map, for formats without one such as CS2KZ.",                                      \
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

/* Parses the value of --scene-max; `usual` if it is NULL. */
reprise_status cli_page_scene_max(const char *text, uint64_t usual, uint64_t *ret_bytes,
                                  reprise_error *error);

/* Fails in builds without the page. */
reprise_status cli_page_check(reprise_error *error);

/*
 * The page in two halves, for data between them. `head` is HTML for its head; the title is escaped.
 * Requires cli_page_check.
 */
void cli_page_html(const char *title, const char *head, cli_strbuf *before, cli_strbuf *after);

/* Compresses with gzip, which the page decompresses. */
void cli_gzip(const cli_strbuf *from, cli_strbuf *to);

/* ---- data inside a page ---- */

/* One replay of a page. */
typedef struct cli_page_part {
    reprise_scene *scene;
    const char *name;
    double offset;     /* delay in seconds */
    cli_voices voices; /* owned by the caller */
} cli_page_part;

/*
 * Writes the page and its data as one self-contained file. REPRISE_E_LIMIT if the scenes together
 * are larger than `scene_max` bytes.
 */
reprise_status cli_page_write(const cli_page_part *parts, size_t count, const cli_scenery *scenery,
                              uint64_t scene_max, cli_out *out, reprise_error *error);

/* One piece of data, compressed, in base64, split into blocks. */
typedef struct cli_block {
    cli_out *out;
    const char *id; /* "timeline:0" */
    z_stream stream;
    unsigned char rest[3]; /* bytes of an incomplete group of three */
    size_t rest_size;
    size_t room; /* bytes left in the open block; 0: none is open */
} cli_block;
void cli_block_begin(cli_block *block, cli_out *out, const char *id);
/* For reprise_sink.write; ctx is the block. */
int cli_block_put(void *ctx, const void *data, size_t size);
void cli_block_end(cli_block *block);

#endif
