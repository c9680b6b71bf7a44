/* viewer_page.c - see viewer_page.h. */
#include "viewer_page.h"
#include "ui/clamp.h"

#include <brotli/decode.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 3 << 20, /* 4 MiB of base64, so that no HTML parser meets longer texts */
    CHUNK_BYTES = 1 << 16,
    PIECE_BYTES = 3 << 10, /* encoded at once; like a block, whole groups of three bytes */
    GZIP_LEVEL = 5, /* of the numbers of a scene, 6 saves 0.3 % more and takes a third longer */
    GZIP_WINDOW = 15 + 16, /* the largest, with a gzip header */
};

/* A self-contained page may access nothing beyond itself. */
static const char alone[] =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; worker-src "
    "blob:; connect-src blob:; base-uri 'none'; form-action 'none'\">\n";

reprise_status cli_page_check(reprise_error *error)
{
    if (cli_page_data_size)
        return REPRISE_OK;
    *error = (reprise_error){.status = REPRISE_E_UNSUPPORTED};
    snprintf(error->message, sizeof error->message, "this build has no viewer");
    snprintf(error->hint, sizeof error->hint,
             "run 'make viewer' in the source tree; it says what is missing");
    return error->status;
}

reprise_status cli_page_scene_max(const char *text, uint64_t usual, uint64_t *ret_bytes,
                                  reprise_error *error)
{
    char *end = NULL;
    double most = text ? strtod(text, &end) : (double)usual;
    if ((!text || (end != text && !*end)) && most >= 1 && most <= 1e18) {
        *ret_bytes = cli_to_uint(most);
        return REPRISE_OK;
    }
    *error = (reprise_error){.status = REPRISE_E_USAGE};
    snprintf(error->message, sizeof error->message, "invalid value for '--scene-max'");
    snprintf(error->hint, sizeof error->hint, "expected bytes such as 268435456");
    return error->status;
}

reprise_status cli_page_offsets(const cli_words *words, size_t count, const char *verb,
                                double *offsets, reprise_error *error)
{
    *error = (reprise_error){.status = REPRISE_E_USAGE};
    if (words->count && words->count >= count) {
        snprintf(error->message, sizeof error->message,
                 "too many values for '--offset', which is for files after the first");
        snprintf(error->hint, sizeof error->hint,
                 "such as 'reprise %s --offset 1.5 mine.replay yours.replay'", verb);
        return error->status;
    }
    for (size_t i = 0; i < count; i++) {
        const char *word = i && i <= words->count ? words->items[i - 1] : "0";
        char *end;
        offsets[i] = strtod(word, &end);
        if (end == word || *end || !isfinite(offsets[i])) {
            snprintf(error->message, sizeof error->message, "invalid value for '--offset'");
            snprintf(error->hint, sizeof error->hint, "expected seconds such as -0.5");
            return error->status;
        }
    }
    *error = (reprise_error)REPRISE_ERROR_INIT;
    return REPRISE_OK;
}

void cli_put_html(cli_strbuf *to, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '<')
            cli_puts(to, "&lt;");
        else if (*c == '>')
            cli_puts(to, "&gt;");
        else if (*c == '&')
            cli_puts(to, "&amp;");
        else if (*c == '"')
            cli_puts(to, "&quot;");
        else if (*c == '\'')
            cli_puts(to, "&#39;");
        else
            cli_putc(to, *c);
    }
}

/* The caller frees the text, which is terminated. */
static char *decompress(const unsigned char *data, size_t data_size, size_t size)
{
    char *page = cli_memory(NULL, size + 1);
    if (BrotliDecoderDecompress(data_size, data, &size, (uint8_t *)page) !=
        BROTLI_DECODER_RESULT_SUCCESS)
        size = 0; /* unreachable: the bytes were made by the build */
    page[size] = 0;
    return page;
}

/* Fills in the head; *ret_after is the part after the place for data, without which it is NULL. */
static void put_page(char *page, const char *title, const char *head, cli_strbuf *before,
                     const char **ret_after)
{
    static const char head_mark[] = "<!--reprise:head-->", data_mark[] = "<!--reprise:data-->";
    char *head_at = strstr(page, head_mark), *data_at = strstr(page, data_mark);
    *ret_after = NULL;
    if (!head_at)
        return;
    cli_put(before, page, (size_t)(head_at - page));
    cli_puts(before, head);
    cli_puts(before, "<title>");
    cli_put_html(before, title);
    cli_puts(before, "</title>");
    head_at += sizeof head_mark - 1;
    cli_put(before, head_at, data_at ? (size_t)(data_at - head_at) : strlen(head_at));
    if (data_at)
        *ret_after = data_at + sizeof data_mark - 1;
}

void cli_page_html(const char *title, const char *head, cli_strbuf *before, cli_strbuf *after)
{
    char *page = decompress(cli_page_data, cli_page_data_size, cli_page_size);
    const char *rest;
    put_page(page, title, head, before, &rest);
    cli_puts(after, rest ? rest : "");
    free(page);
}

void cli_page_archive_html(const char *title, const char *head, cli_strbuf *to)
{
    char *page = decompress(cli_archive_page_data, cli_archive_page_data_size,
                            cli_archive_page_size);
    const char *rest;
    put_page(page, title, head, to, &rest);
    free(page);
}

/* The text between two marks, of which the second is the last one of its kind if `last`. */
static void take_between(const char *page, const char *from, const char *to, bool last,
                         cli_strbuf *ret_text)
{
    const char *start = strstr(page, from);
    start = start ? start + strlen(from) : page + strlen(page);
    const char *end = strstr(start, to);
    for (const char *next = end; last && next; next = strstr(next + 1, to))
        end = next;
    cli_put(ret_text, start, end ? (size_t)(end - start) : 0);
}

void cli_page_assets_get(cli_page_assets *ret_assets)
{
    char *page = decompress(cli_page_data, cli_page_data_size, cli_page_size);
    *ret_assets = (cli_page_assets){0};
    take_between(page, "<style>", "</style>", false, &ret_assets->style);
    take_between(page, "<script type=\"module\">", "</script>", true, &ret_assets->script);
    take_between(page, "<!-- Bundled with this page:\n", "-->", false, &ret_assets->licences);
    free(page);
}

void cli_page_assets_free(cli_page_assets *assets)
{
    cli_strbuf_free(&assets->script);
    cli_strbuf_free(&assets->style);
    cli_strbuf_free(&assets->licences);
}

static void start_gzip(z_stream *stream)
{
    memset(stream, 0, sizeof *stream);
    if (deflateInit2(stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        fputs("reprise: out of memory\n", stderr);
        exit(1);
    }
}

void cli_gzip(const cli_strbuf *from, cli_strbuf *to)
{
    z_stream stream;
    start_gzip(&stream);
    size_t room = deflateBound(&stream, (uLong)from->size);
    char *out = cli_memory(NULL, room);
    stream.next_in = (unsigned char *)from->data;
    stream.avail_in = (uInt)from->size;
    stream.next_out = (unsigned char *)out;
    stream.avail_out = (uInt)room;
    deflate(&stream, Z_FINISH);
    cli_put(to, out, room - stream.avail_out);
    deflateEnd(&stream);
    free(out);
}

/* ---- blocks ---- */

static void encode(char *to, const unsigned char *from, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned long bits = (unsigned long)from[0] << 16 |
                         (size > 1 ? (unsigned long)from[1] << 8 : 0) | (size > 2 ? from[2] : 0);
    to[0] = digits[bits >> 18];
    to[1] = digits[bits >> 12 & 63];
    to[2] = size > 1 ? digits[bits >> 6 & 63] : '=';
    to[3] = size > 2 ? digits[bits & 63] : '=';
}

static void open_block(cli_block *block)
{
    cli_strbuf tag = {0};
    cli_printf(&tag,
               "<script type=\"application/octet-stream\" data-reprise=\"%s\" "
               "data-enc=\"gzip\">",
               block->id);
    cli_out_put(block->out, tag.data, tag.size);
    cli_strbuf_free(&tag);
    block->room = BLOCK_BYTES;
}

/* Groups of three bytes; only the last one of all may be shorter. */
static void put_groups(cli_block *block, const unsigned char *bytes, size_t size)
{
    char text[PIECE_BYTES / 3 * 4];
    while (size) {
        if (!block->room)
            open_block(block);
        size_t part = size < PIECE_BYTES ? size : PIECE_BYTES;
        part = part < block->room ? part : block->room;
        char *to = text;
        for (size_t i = 0; i < part; i += 3, to += 4)
            encode(to, bytes + i, part - i);
        cli_out_put(block->out, text, (size_t)(to - text));
        bytes += part;
        size -= part;
        block->room -= part;
        if (!block->room)
            cli_out_put(block->out, "</script>\n", 10);
    }
}

static void put_bytes(cli_block *block, const unsigned char *bytes, size_t size)
{
    for (; size && (block->rest_size || size < sizeof block->rest); size--) {
        block->rest[block->rest_size++] = *bytes++;
        if (block->rest_size == sizeof block->rest) {
            put_groups(block, block->rest, sizeof block->rest);
            block->rest_size = 0;
        }
    }
    if (!size)
        return;
    size_t whole = size - size % sizeof block->rest;
    put_groups(block, bytes, whole);
    block->rest_size = size - whole;
    memcpy(block->rest, bytes + whole, block->rest_size);
}

static void squeeze(cli_block *block, int flush)
{
    unsigned char chunk[CHUNK_BYTES];
    do {
        block->stream.next_out = chunk;
        block->stream.avail_out = sizeof chunk;
        deflate(&block->stream, flush);
        put_bytes(block, chunk, sizeof chunk - block->stream.avail_out);
    } while (!block->stream.avail_out);
}

void cli_block_begin(cli_block *block, cli_out *out, const char *id)
{
    *block = (cli_block){.out = out, .id = id};
    start_gzip(&block->stream);
}

int cli_block_put(void *ctx, const void *data, size_t size)
{
    cli_block *block = ctx;
    const unsigned char *bytes = data;
    while (size && !block->out->cause) {
        uInt part = size < CHUNK_BYTES ? (uInt)size : CHUNK_BYTES;
        block->stream.next_in = (unsigned char *)bytes;
        block->stream.avail_in = part;
        squeeze(block, Z_NO_FLUSH);
        bytes += part;
        size -= part;
    }
    return block->out->cause;
}

void cli_block_end(cli_block *block)
{
    squeeze(block, Z_FINISH);
    deflateEnd(&block->stream);
    if (block->rest_size)
        put_groups(block, block->rest, block->rest_size);
    if (block->room)
        cli_out_put(block->out, "</script>\n", 10);
}

/* ---- scenery ---- */

static reprise_status write_scenery(const cli_scenery *scenery, cli_out *out, reprise_error *error)
{
    if (!cli_scenery_name(scenery))
        return REPRISE_OK;
    cli_block block;
    char *chunk = cli_memory(NULL, CHUNK_BYTES);
    ssize_t got = 0;
    cli_block_begin(&block, out, "map");
    if (scenery->made.size)
        cli_block_put(&block, scenery->made.data, scenery->made.size);
    for (off_t at = 0; scenery->fd >= 0 && (got = pread(scenery->fd, chunk, CHUNK_BYTES, at)) > 0;
         at += got)
        cli_block_put(&block, chunk, (size_t)got);
    cli_block_end(&block);
    free(chunk);
    if (got < 0) {
        *error = (reprise_error){.status = REPRISE_E_IO, .cause = errno};
        snprintf(error->message, sizeof error->message, "cannot read the scenery: %s",
                 strerror(error->cause));
    }
    return error->status;
}

/* ---- the page in one file ---- */

typedef struct scene_block {
    cli_block block;
    uint64_t *size; /* of all scenes so far */
    uint64_t most;
} scene_block;

static int put_scene(void *ctx, const void *data, size_t size)
{
    scene_block *to = ctx;
    *to->size += size;
    if (*to->size > to->most)
        return EFBIG;
    return cli_block_put(&to->block, data, size);
}

static void too_large(uint64_t most, reprise_error *error)
{
    cli_strbuf size = {0};
    cli_put_size(&size, most);
    *error = (reprise_error){.status = REPRISE_E_LIMIT};
    snprintf(error->message, sizeof error->message,
             "the scene is larger than %s, too much for a page in one file", size.data);
    snprintf(error->hint, sizeof error->hint,
             "--from and --to, --fps or --tolerance make it smaller; --force writes it anyway");
    cli_strbuf_free(&size);
}

static reprise_status write_scene(reprise_scene *scene, const char *id, uint64_t most,
                                  uint64_t *size, cli_out *out, reprise_error *error)
{
    scene_block to = {.most = most, .size = size};
    reprise_sink sink = {.ctx = &to, .write = put_scene};
    cli_block_begin(&to.block, out, id);
    reprise_status status = reprise_scene_write(scene, REPRISE_SCENE_GLB, &sink, error);
    cli_block_end(&to.block);
    if (status != REPRISE_OK && *size > most)
        too_large(most, error);
    return status != REPRISE_OK ? error->status : REPRISE_OK;
}

static reprise_status write_timeline(reprise_scene *scene, const char *id, cli_out *out,
                                     reprise_error *error)
{
    cli_block block;
    reprise_sink sink = {.ctx = &block, .write = cli_block_put};
    cli_block_begin(&block, out, id);
    reprise_status status = reprise_scene_write(scene, REPRISE_SCENE_TIMELINE, &sink, error);
    cli_block_end(&block);
    return status;
}

static void write_voices(const cli_voices *voices, size_t part, cli_out *out)
{
    for (size_t i = 0; i < voices->count; i++) {
        cli_block block;
        cli_strbuf id = {0};
        if (!voices->items[i].size)
            continue;
        cli_printf(&id, "voice:%zu:%zu", part, i);
        cli_block_begin(&block, out, id.data);
        cli_block_put(&block, voices->items[i].data, voices->items[i].size);
        cli_block_end(&block);
        cli_strbuf_free(&id);
    }
}

static reprise_status write_part(const cli_page_part *part, size_t number, uint64_t most,
                                 uint64_t *size, cli_out *out, reprise_error *error)
{
    cli_strbuf id = {0};
    cli_printf(&id, "timeline:%zu", number);
    reprise_status status = write_timeline(part->scene, id.data, out, error);
    cli_strbuf_clear(&id);
    cli_printf(&id, "scene:%zu", number);
    if (status == REPRISE_OK)
        status = write_scene(part->scene, id.data, most, size, out, error);
    cli_strbuf_free(&id);
    if (status == REPRISE_OK)
        write_voices(&part->voices, number, out);
    return status;
}

static reprise_status write_page(const cli_page_part *parts, size_t count,
                                 const cli_scenery *scenery, cli_out *out, reprise_error *error)
{
    reprise_page_replay replays[CLI_PAGE_PARTS_MAX];
    for (size_t i = 0; i < count; i++)
        replays[i] = (reprise_page_replay){.label = parts[i].name,
                                           .offset = parts[i].offset,
                                           .has_scene = true,
                                           .scene = parts[i].scene};
    cli_block block;
    cli_strbuf page = {0};
    reprise_sink sink = cli_strbuf_sink(&page);
    reprise_status status = reprise_page_write(replays, count, cli_scenery_name(scenery), &sink,
                                               error);
    cli_block_begin(&block, out, "page");
    cli_block_put(&block, page.data, page.size);
    cli_block_end(&block);
    cli_strbuf_free(&page);
    return status;
}

reprise_status cli_page_write(const cli_page_part *parts, size_t count, const cli_scenery *scenery,
                              uint64_t scene_max, cli_out *out, reprise_error *error)
{
    if (cli_page_check(error) != REPRISE_OK)
        return error->status;
    cli_strbuf before = {0}, after = {0};
    uint64_t size = 0;
    cli_page_html(parts[0].name, alone, &before, &after);
    cli_out_put(out, before.data, before.size);
    reprise_status status = write_page(parts, count, scenery, out, error);
    if (status == REPRISE_OK)
        status = write_scenery(scenery, out, error);
    for (size_t i = 0; i < count && status == REPRISE_OK; i++)
        status = write_part(&parts[i], i, scene_max, &size, out, error);
    cli_out_put(out, after.data, after.size);
    cli_strbuf_free(&before);
    cli_strbuf_free(&after);
    return status;
}
