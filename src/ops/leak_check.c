/* leak_check.c - see leak_check.h. */
#define _GNU_SOURCE /* memmem */
#include "leak_check.h"

#include <string.h>

#include "utf8.h"

enum {
    NEEDLE_MAX = 256, /* the beginning of a longer text is enough */
    PIECE_SIZE = 1 << 16,
    SIZE_MIN = 4,  /* shorter texts occur by chance in any data */
    SIZE_SURE = 6, /* texts this long do not occur by chance even in large data */
    LARGE_BYTES = 1 << 22,
    FORMS = 3,
};

/* What a match in binary data proves. */
typedef enum weight {
    SURE,   /* that the text is still there */
    SHORT,  /* nothing */
    COMMON, /* nothing: it is a word of the format or of a substitute */
    BROKEN, /* not searchable: its bytes were not text */
    CHANCE, /* found in a large result, and short enough for a chance match */
} weight;
static const char *const reasons[] = {
    [SHORT] = "too short to search for in binary data",
    [COMMON] = "also a word of the format or of a substitute",
    [BROKEN] = "not text, so its original bytes are unknown",
    [CHANCE] = "found in binary data, probably by chance",
};

/* One text to search for, in its three encodings. */
typedef struct needle {
    const char *text, *what;
    size_t text_size;
    weight weight;
    bool chance; /* matched where a chance match is possible */
    uint8_t bytes[FORMS][2 * NEEDLE_MAX];
    size_t size[FORMS];
} needle;

typedef struct search {
    rp_context *context;
    needle *needles;
    size_t count;
    uint64_t bytes, streams;
    uint8_t *piece; /* the rest of the last piece, then the next one */
} search;

/* ---- needles ---- */

static void put16(uint8_t *to, size_t *size, uint16_t unit, bool big)
{
    to[*size] = (uint8_t)(big ? unit >> 8 : unit);
    to[*size + 1] = (uint8_t)(big ? unit : unit >> 8);
    *size += 2;
}

static void make_needle(needle *n, const char *text, size_t size)
{
    *n = (needle){.text = text, .text_size = size};
    for (size_t at = 0; at < size;) {
        size_t length;
        uint32_t c = rp_utf8_next(text + at, &length);
        if (n->size[0] + length > NEEDLE_MAX)
            break;
        memcpy(n->bytes[0] + n->size[0], text + at, length);
        n->size[0] += length;
        at += length;
        for (size_t form = 1; form < FORMS; form++) {
            if (c >= 0x10000)
                put16(n->bytes[form], &n->size[form], (uint16_t)(0xD7C0 + (c >> 10)), form == 2);
            put16(n->bytes[form], &n->size[form],
                  (uint16_t)(c >= 0x10000 ? 0xDC00 + (c & 0x3FF) : c), form == 2);
        }
    }
}

/* Words of the format and substitutes occur everywhere and are not secret. */
static bool is_inside(const char *text, size_t size, const char *needle_text, size_t needle_size)
{
    return size >= needle_size && memmem(text, size, needle_text, needle_size) != NULL;
}

static bool is_key(const reprise_value *value, const char *text, size_t size)
{
    for (size_t i = 0; i < reprise_value_count(value); i++) {
        const char *key = reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT
                              ? reprise_value_key(value, i)
                              : NULL;
        if ((key && is_inside(key, strlen(key), text, size)) ||
            is_key(reprise_value_at(value, i), text, size))
            return true;
    }
    return false;
}

static bool is_stand_in(const reprise_value *substitutions, const char *text, size_t size)
{
    for (size_t i = 0; i < reprise_value_count(substitutions); i++) {
        size_t to_size = 0;
        const char *to = reprise_value_text(rp_get(reprise_value_at(substitutions, i), "to"),
                                            &to_size);
        if (to && is_inside(to, to_size, text, size))
            return true;
    }
    return false;
}

static reprise_status make_needles(search *s, const reprise_value *substitutions,
                                   const reprise_value *header, reprise_error *error)
{
    size_t count = reprise_value_count(substitutions);
    s->needles = rp_alloc_zero(s->context, count, sizeof *s->needles, error);
    s->piece = rp_alloc(s->context, PIECE_SIZE + 2 * NEEDLE_MAX, error);
    if (!s->needles || !s->piece)
        return error->status;
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        const reprise_value *one = reprise_value_at(substitutions, i);
        size_t size = 0;
        const char *from = reprise_value_text(rp_get(one, "from"), &size);
        needle *n = &s->needles[i];
        make_needle(n, from ? from : "", size);
        n->what = rp_get_text(one, "what");
        if (is_inside(n->text, size, "\xEF\xBF\xBD", 3))
            n->weight = BROKEN;
        else if (size < SIZE_MIN)
            n->weight = SHORT;
        else if (reprise_value_bool(rp_get(one, "word"), false) || is_key(header, from, size) ||
                 is_stand_in(substitutions, from, size))
            n->weight = COMMON;
    }
    return REPRISE_OK;
}

/* ---- searching ---- */

static reprise_status found(const needle *n, const char *where, uint64_t offset,
                            reprise_error *error)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "'%.40s' is still in the result, which is discarded",
                 n->text);
    rp_error_place(error, where, offset, "");
    rp_error_advise(error, REPRISE_HINT_PRIVATE);
    return error->status;
}

/* `large`: there is enough data for matches by chance. */
static reprise_status search_piece(search *s, const uint8_t *data, size_t size, uint64_t offset,
                                   bool large, const char *where, reprise_error *error)
{
    for (size_t i = 0; i < s->count; i++) {
        needle *n = &s->needles[i];
        if (n->weight != SURE)
            continue;
        for (size_t form = 0; form < FORMS; form++) {
            const uint8_t *hit = memmem(data, size, n->bytes[form], n->size[form]);
            if (!hit)
                continue;
            if (!large || n->size[form] >= SIZE_SURE)
                return found(n, where, offset + (uint64_t)(hit - data), error);
            n->chance = true;
        }
    }
    return REPRISE_OK;
}

/* Searches a stream in pieces that overlap by the longest needle. */
static reprise_status search_stream(search *s, rp_stream *stream, const char *where, bool large,
                                    reprise_error *error)
{
    size_t kept = 0;
    uint64_t offset = 0;
    for (;;) {
        size_t n;
        RP_TRY(rp_stream_read(stream, s->piece + kept, PIECE_SIZE, &n, error));
        if (!n)
            break;
        size_t size = kept + n;
        s->bytes += n;
        RP_TRY(search_piece(s, s->piece, size, offset, large, where, error));
        kept = RP_MIN(size, (size_t)(2 * NEEDLE_MAX));
        memmove(s->piece, s->piece + size - kept, kept);
        offset += size - kept;
    }
    s->streams++;
    return REPRISE_OK;
}

/* ---- texts ---- */

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* Whether a short text occurs in another text as a separate word. */
static bool is_word_of(const needle *n, const char *text, size_t size)
{
    bool word = false;
    for (size_t i = 0; i < n->text_size; i++)
        word = word || (is_letter(n->text[i]) && !(n->text[i] >= '0' && n->text[i] <= '9'));
    for (size_t i = 0; word && i + n->text_size <= size; i++) {
        size_t after = i + n->text_size;
        if (memcmp(text + i, n->text, n->text_size) == 0 && (!i || !is_letter(text[i - 1])) &&
            (after == size || !is_letter(text[after])))
            return true;
    }
    return false;
}

/* Whether a text reveals a removed value. */
static bool reveals(const needle *n, const char *text, size_t size)
{
    if (!n->text_size || !text)
        return false;
    if (n->text_size == size && memcmp(n->text, text, size) == 0)
        return true;
    switch (n->weight) {
    case SURE:
    case CHANCE:
        return is_inside(text, size, n->text, n->text_size);
    case SHORT:
        return is_word_of(n, text, size);
    default:
        return false;
    }
}

static reprise_status search_strings(const search *s, const reprise_value *value,
                                     reprise_error *error)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    for (size_t i = 0; text && i < s->count; i++) {
        if (reveals(&s->needles[i], text, size))
            return found(&s->needles[i], "metadata", 0, error);
    }
    for (size_t i = 0; i < reprise_value_count(value); i++)
        RP_TRY(search_strings(s, reprise_value_at(value, i), error));
    return REPRISE_OK;
}

/* ---- texts of rows: for needles that binary data cannot prove ---- */

typedef struct row_search {
    const search *search;
    const rp_format *format;
    const needle *found;
} row_search;

static bool look_at_text(void *ctx, const rp_text *text, bool binary)
{
    row_search *rows = ctx;
    for (size_t i = 0; text->data && i < rows->search->count; i++) {
        const needle *n = &rows->search->needles[i];
        bool asks = n->weight != SURE && !(binary && n->weight != CHANCE);
        if (asks && reveals(n, text->data, text->size)) {
            rows->found = n;
            return false;
        }
    }
    return true;
}

static reprise_status look_at_row(void *ctx, const rp_row *row, reprise_error *error)
{
    row_search *rows = ctx;
    const rp_track *track = &rows->format->tracks[row->track];
    for (size_t i = 0; i < track->part_count && !rows->found; i++)
        rp_record_texts(track->parts[i].record, (const char *)row->data + track->parts[i].offset,
                        look_at_text, rows);
    return rows->found ? found(rows->found, "rows", 0, error) : REPRISE_OK;
}

static reprise_status search_rows(const search *s, rp_replay *result, reprise_error *error)
{
    row_search rows = {.search = s, .format = result->format};
    rp_selection selection = {.tracks = (UINT64_C(1) << result->format->track_count) - 1};
    return rp_each_row(result, selection, look_at_row, &rows, error);
}

/* Chance matches are decided by the search of the texts. */
static size_t count_unproven(search *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->needles[i].chance)
            s->needles[i].weight = CHANCE;
        count += s->needles[i].weight != SURE;
    }
    return count;
}

/* ---- everything in a file ---- */

static reprise_status search_blobs(search *s, rp_replay *result, reprise_error *error)
{
    RP_TRY(rp_replay_blobs(result, error));
    for (size_t i = 0; i < result->blob_count; i++) {
        const reprise_blob *blob = &result->blobs[i];
        RP_TRY(search_piece(s, (const uint8_t *)blob->name, strlen(blob->name), 0, false,
                            "member names", error));
        if (strcmp(blob->kind, "stream") == 0)
            continue; /* searched after decompression */
        rp_stream *stream = NULL;
        RP_TRY(result->format->read->blob_open(result, i, &stream, error));
        reprise_status status = search_stream(s, stream, blob->name, blob->size > LARGE_BYTES,
                                              error);
        rp_stream_close(stream);
        RP_TRY(status);
    }
    return REPRISE_OK;
}

static reprise_status search_streams(search *s, rp_replay *result, reprise_error *error)
{
    for (size_t i = 0; result->format->read->stream_open; i++) {
        rp_stream *stream = NULL;
        reprise_status status = result->format->read->stream_open(result, i, &stream, error);
        if (status == REPRISE_END)
            break;
        RP_TRY(status);
        bool large = rp_source_size(result->source) > LARGE_BYTES / 8;
        status = search_stream(s, stream, "stream", large, error);
        rp_stream_close(stream);
        RP_TRY(status);
    }
    return REPRISE_OK;
}

/* The raw bytes of the file: container headers and uncompressed content. */
static reprise_status search_file(search *s, rp_replay *result, reprise_error *error)
{
    rp_stream *stream = NULL;
    RP_TRY(rp_stream_open_range(s->context, result->source, 0, rp_source_size(result->source),
                                "file", &stream, error));
    reprise_status status = search_stream(s, stream, "file", true, error);
    rp_stream_close(stream);
    return status;
}

static reprise_status search_replay(search *s, rp_replay *result,
                                    const reprise_value *substitutions, reprise_error *error)
{
    rp_arena arena;
    rp_arena_init(&arena, s->context);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_value *info = rp_new_object(&doc);
    reprise_status status = result->format->read->info(result, &doc, info, error);
    const reprise_value *header = rp_get(info, "header");
    if (status == REPRISE_OK)
        status = make_needles(s, substitutions, header, error);
    if (status == REPRISE_OK)
        status = search_strings(s, header, error);
    if (status == REPRISE_OK)
        status = search_blobs(s, result, error);
    if (status == REPRISE_OK)
        status = search_streams(s, result, error);
    if (status == REPRISE_OK)
        status = search_file(s, result, error);
    if (status == REPRISE_OK && count_unproven(s))
        status = search_rows(s, result, error);
    rp_arena_free(&arena);
    return status;
}

/* Short texts were compared with every text of the result, which proves as much as a search. */
static bool is_compared(const needle *n)
{
    return n->weight == SHORT || n->weight == CHANCE;
}

static void report_texts(const search *s, rp_doc *doc, reprise_value *list, bool compared)
{
    for (size_t i = 0; i < s->count; i++) {
        const needle *n = &s->needles[i];
        if (n->weight == SURE || is_compared(n) != compared)
            continue;
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "what", n->what ? n->what : "");
        rp_set_uint(doc, one, "bytes", n->text_size);
        rp_set_text(doc, one, "reason", reasons[n->weight]);
    }
}

reprise_status rp_leak_check(rp_replay *source, const reprise_value *substitutions, rp_sink *sink,
                             rp_doc *doc, reprise_value *report, reprise_error *error)
{
    search s = {.context = source->context};
    rp_source *bytes = NULL;
    rp_replay *result = NULL;
    reprise_status status = rp_sink_reopen(sink, &bytes, error);
    if (status == REPRISE_OK)
        status = rp_replay_open(s.context, bytes, source->format->name, NULL, &result, error);
    if (status == REPRISE_OK)
        status = search_replay(&s, result, substitutions, error);
    if (status == REPRISE_OK) {
        reprise_value *checked = rp_set_object(doc, report, "proof");
        rp_set_uint(doc, checked, "texts", s.count);
        rp_set_uint(doc, checked, "streams", s.streams);
        rp_set_uint(doc, checked, "bytes", s.bytes);
        report_texts(&s, doc, rp_set_array(doc, checked, "compared"), true);
        report_texts(&s, doc, rp_set_array(doc, checked, "unproven"), false);
    }
    rp_free(s.context, s.piece, PIECE_SIZE + 2 * NEEDLE_MAX);
    if (s.needles)
        rp_free(s.context, s.needles, reprise_value_count(substitutions) * sizeof *s.needles);
    rp_replay_close(result);
    rp_source_close(bytes);
    return status;
}
