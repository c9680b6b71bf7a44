/* proof.c - see proof.h. */
#define _GNU_SOURCE /* memmem */
#include "proof.h"

#include <string.h>

#include "utf8.h"

enum {
    NEEDLE_MAX = 256, /* of a longer text its beginning is enough */
    PIECE_SIZE = 1 << 16,
    SIZE_MIN = 4,       /* below, a text is searched among whole strings only */
    SIZE_MIN_LARGE = 6, /* in data so large that chance finds four bytes */
    LARGE_BYTES = 1 << 22,
    FORMS = 3,
};

/* One text to look for, in its three forms. */
typedef struct needle {
    const char *text;
    size_t text_size;
    uint8_t bytes[FORMS][2 * NEEDLE_MAX];
    size_t size[FORMS];
} needle;

typedef struct search {
    rp_context *context;
    needle *needles;
    size_t count, shorts;
    uint64_t bytes, streams;
    uint8_t *piece; /* what is left of the last one, then the next */
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

/* Words of the format itself, and the stand-ins, are everywhere and nobody's secret. */
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
        size_t size = 0;
        const char *from = reprise_value_text(rp_get(reprise_value_at(substitutions, i), "from"),
                                              &size);
        make_needle(&s->needles[i], from ? from : "", size);
        bool word = reprise_value_bool(rp_get(reprise_value_at(substitutions, i), "word"), false);
        if (size < SIZE_MIN || word || is_key(header, from, size) ||
            is_stand_in(substitutions, from, size)) {
            s->needles[i].size[0] = 0;
            s->shorts++;
        }
    }
    return REPRISE_OK;
}

/* ---- searching ---- */

static reprise_status found(const needle *n, const char *where, uint64_t offset,
                            reprise_error *error)
{
    rp_error_set(error, REPRISE_E_CORRUPT, "'%.40s' is still in the result, which is not kept",
                 n->text);
    rp_error_place(error, where, offset, "");
    return error->status;
}

static reprise_status search_piece(const search *s, const uint8_t *data, size_t size,
                                   uint64_t offset, size_t size_min, const char *where,
                                   reprise_error *error)
{
    for (size_t i = 0; i < s->count; i++) {
        const needle *n = &s->needles[i];
        if (!n->size[0] || n->text_size < size_min)
            continue;
        for (size_t form = 0; form < FORMS; form++) {
            const uint8_t *hit = memmem(data, size, n->bytes[form], n->size[form]);
            if (hit)
                return found(n, where, offset + (uint64_t)(hit - data), error);
        }
    }
    return REPRISE_OK;
}

/* Goes through a stream in pieces that overlap by the longest needle. */
static reprise_status search_stream(search *s, rp_stream *stream, const char *where,
                                    size_t size_min, reprise_error *error)
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
        RP_TRY(search_piece(s, s->piece, size, offset, size_min, where, error));
        kept = RP_MIN(size, (size_t)(2 * NEEDLE_MAX));
        memmove(s->piece, s->piece + size - kept, kept);
        offset += size - kept;
    }
    s->streams++;
    return REPRISE_OK;
}

/* ---- everything in a file ---- */

static reprise_status search_strings(const search *s, const reprise_value *value,
                                     reprise_error *error)
{
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    for (size_t i = 0; text && i < s->count; i++) {
        const needle *n = &s->needles[i];
        bool same = n->text_size == size && size && memcmp(n->text, text, size) == 0;
        if (same || (n->size[0] && is_inside(text, size, n->text, n->text_size)))
            return found(n, "metadata", 0, error);
    }
    for (size_t i = 0; i < reprise_value_count(value); i++)
        RP_TRY(search_strings(s, reprise_value_at(value, i), error));
    return REPRISE_OK;
}

static reprise_status search_blobs(search *s, rp_replay *result, reprise_error *error)
{
    RP_TRY(rp_replay_blobs(result, error));
    for (size_t i = 0; i < result->blob_count; i++) {
        const reprise_blob *blob = &result->blobs[i];
        RP_TRY(search_piece(s, (const uint8_t *)blob->name, strlen(blob->name), 0, SIZE_MIN,
                            "member names", error));
        if (strcmp(blob->kind, "stream") == 0)
            continue; /* searched decompressed */
        rp_stream *stream = NULL;
        RP_TRY(result->format->blob_open(result, i, &stream, error));
        reprise_status status = search_stream(
            s, stream, blob->name, blob->size > LARGE_BYTES ? SIZE_MIN_LARGE : SIZE_MIN, error);
        rp_stream_close(stream);
        RP_TRY(status);
    }
    return REPRISE_OK;
}

static reprise_status search_streams(search *s, rp_replay *result, reprise_error *error)
{
    for (size_t i = 0; result->format->stream_open; i++) {
        rp_stream *stream = NULL;
        reprise_status status = result->format->stream_open(result, i, &stream, error);
        if (status == REPRISE_END)
            break;
        RP_TRY(status);
        bool large = rp_source_size(result->source) > LARGE_BYTES / 8;
        status = search_stream(s, stream, "stream", large ? SIZE_MIN_LARGE : SIZE_MIN, error);
        rp_stream_close(stream);
        RP_TRY(status);
    }
    return REPRISE_OK;
}

/* The bytes of the file itself: headers of containers, and what is not compressed at all. */
static reprise_status search_file(search *s, rp_replay *result, reprise_error *error)
{
    rp_stream *stream = NULL;
    RP_TRY(rp_stream_open_range(s->context, result->source, 0, rp_source_size(result->source),
                                "file", &stream, error));
    reprise_status status = search_stream(s, stream, "file", SIZE_MIN_LARGE, error);
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
    reprise_status status = result->format->info(result, &doc, info, error);
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
    rp_arena_free(&arena);
    return status;
}

reprise_status rp_proof(rp_replay *source, const reprise_value *substitutions, rp_sink *sink,
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
        reprise_value *proof = rp_set_object(doc, report, "proof");
        rp_set_uint(doc, proof, "texts", s.count);
        rp_set_uint(doc, proof, "too_short", s.shorts);
        rp_set_uint(doc, proof, "streams", s.streams);
        rp_set_uint(doc, proof, "bytes", s.bytes);
    }
    rp_free(s.context, s.piece, PIECE_SIZE + 2 * NEEDLE_MAX);
    if (s.needles)
        rp_free(s.context, s.needles, reprise_value_count(substitutions) * sizeof *s.needles);
    rp_replay_close(result);
    rp_source_close(bytes);
    return status;
}
