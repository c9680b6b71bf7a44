/*
 * viewer_page.h - the viewer's page, built from viewer/ and stored compressed in the command, and
 * pages in one file that contain their data.
 */
#ifndef CLI_VIEWER_PAGE_H
#define CLI_VIEWER_PAGE_H

#include <zlib.h>

#include "command.h"
#include "scenery.h"
#include "voices.h"
#include <reprise/scene.h>

/* The page has colours for this many. */
enum { CLI_PAGE_PARTS_MAX = 8 };

/*
 * Built by viewer/: the page of replays and the one of an archive, compressed with brotli, and
 * their sizes. All 0: built without them.
 */
extern const unsigned char cli_page_data[], cli_archive_page_data[];
extern const size_t cli_page_data_size, cli_page_size;
extern const size_t cli_archive_page_data_size, cli_archive_page_size;

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

/* clang-format off */
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

/* The page of an archive. */
void cli_page_archive_html(const char *title, const char *head, cli_strbuf *to);

/* The parts of the page of replays, for pages that share them as files. */
typedef struct cli_page_assets {
    cli_strbuf script, style, licences;
} cli_page_assets;
void cli_page_assets_get(cli_page_assets *ret_assets);
void cli_page_assets_free(cli_page_assets *assets);

/* In the head of a page of an archive: where the page of the archive is. */
#define CLI_PAGE_IN_ARCHIVE(address) "<meta name=\"reprise-archive\" content=\"" address "\">\n"
/* In the head of pages on a web host: there is no server that makes data. */
#define CLI_PAGE_STATIC "<meta name=\"reprise-static\" content=\"\">\n"

/* Appends text for HTML, also inside quotes. */
void cli_put_html(cli_strbuf *to, const char *text);

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
