/*
 * xml.c - see xml.h.
 *
 * Expat gets the input up to the next '>' at a time, so it has nothing pending when a start tag is
 * complete. Text after it that is plain (no markup, no reference, only ASCII) is returned in place
 * and bypasses expat. The first byte that is not plain goes to expat, with everything up to the
 * next
 * '>'.
 */
#include "xml.h"

#include <expat.h>

#include "checked.h"
#include "utf8.h"
#include "writer.h"

enum {
    PIECE_SIZE = 1 << 16,
    REFERENCE_MAX = 12, /* longer than "&#x10FFFF;" */
    FOREIGN_GROWTH = 3, /* a Windows-1252 byte becomes up to three of UTF-8 */
    SEQUENCE_MAX = 4,   /* bytes of one UTF-8 character */
    /* Expat buffers a tag or comment until its end and rescans it with every piece. */
    TAG_SIZE_MAX = 1 << 20,
};

/* An event from expat, with offsets in `texts`, which may move as it grows. */
typedef struct queued {
    rp_xml_kind kind;
    size_t at, size;        /* text, or the name with its terminator */
    size_t attribute_count; /* names and values */
} queued;

struct rp_xml {
    rp_context *context;
    rp_stream *stream;
    XML_Parser parser;
    uint8_t *piece;   /* input */
    size_t at, end;   /* of the unused input */
    uint64_t offset;  /* of piece[at] in the input */
    uint64_t fed;     /* bytes that expat got */
    uint64_t tag_end; /* end of the last start tag in those bytes */
    size_t depth;
    bool plain;    /* in text, and expat has nothing pending */
    bool after_cr; /* a carriage return was returned as a line feed */
    bool foreign, ended, finished;
    rp_writer texts;      /* of the queued events */
    rp_writer queue;      /* queued */
    size_t queue_at;      /* bytes of the queue already returned */
    rp_writer attributes; /* const char *, of the current event */
    rp_writer converted;  /* Windows-1252 as UTF-8 */
    reprise_error inner;  /* of a handler */
    size_t missing;       /* missing bytes of a character split by the last piece */
    reprise_error cut;    /* why the input failed; reported after all of it is used */
    reprise_error standing;
};

/*
 * Plain bytes: printable ASCII except markup, references and the end of "]]>", tabs and line feeds,
 * but not carriage returns.
 */
/* clang-format off */
static const uint8_t plain_bytes[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
};
/* clang-format on */

/* ---- memory ---- */

/*
 * Expat's memory functions have no user pointer. While expat runs, the context is in a thread-local
 * variable; each block also stores its context, because it may be freed at any time.
 */
static _Thread_local rp_context *allocating;

typedef union block {
    struct {
        rp_context *context;
        size_t size;
    } of;
    max_align_t align;
} block;

static void *expat_realloc(void *memory, size_t size)
{
    block *old = memory ? (block *)memory - 1 : NULL;
    rp_context *context = old ? old->of.context : allocating;
    reprise_error ignored = REPRISE_ERROR_INIT; /* expat reports the error */
    size_t bytes;
    if (!rp_add(size, sizeof(block), &bytes))
        return NULL;
    block *head = rp_realloc(context, old, old ? old->of.size : 0, bytes, &ignored);
    if (!head)
        return NULL;
    head->of.context = context;
    head->of.size = bytes;
    return head + 1;
}

static void *expat_alloc(size_t size)
{
    return expat_realloc(NULL, size);
}

static void expat_free(void *memory)
{
    block *head = memory ? (block *)memory - 1 : NULL;
    if (head)
        rp_free(head->of.context, head, head->of.size);
}

static XML_Parser new_parser(rp_context *context)
{
    static const XML_Memory_Handling_Suite memory = {expat_alloc, expat_realloc, expat_free};
    allocating = context;
    XML_Parser parser = XML_ParserCreate_MM("UTF-8", &memory, NULL);
    allocating = NULL;
    return parser;
}

static enum XML_Status parse(rp_xml *xml, const uint8_t *data, size_t size, bool last)
{
    allocating = xml->context;
    enum XML_Status status = XML_Parse(xml->parser, (const char *)data, (int)size, last);
    allocating = NULL;
    return status;
}

/* ---- handlers ---- */

static void stop(rp_xml *xml)
{
    XML_StopParser(xml->parser, XML_FALSE);
}

static void push(rp_xml *xml, queued event)
{
    rp_put(&xml->queue, &event, sizeof event);
    if (xml->inner.status != REPRISE_OK)
        stop(xml);
}

static size_t put_terminated(rp_xml *xml, const char *text)
{
    size_t at = xml->texts.size;
    rp_put(&xml->texts, text, strlen(text) + 1);
    return at;
}

static void on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
    rp_xml *xml = ctx;
    if (++xml->depth > xml->context->limits.depth_max) {
        rp_limit(xml->depth, xml->context->limits.depth_max, "depth of elements", "depth",
                 &xml->inner);
        stop(xml);
        return;
    }
    queued event = {.kind = RP_XML_START, .at = put_terminated(xml, name)};
    for (; attributes[event.attribute_count]; event.attribute_count++)
        put_terminated(xml, attributes[event.attribute_count]);
    xml->tag_end = (uint64_t)XML_GetCurrentByteIndex(xml->parser) +
                   (uint64_t)XML_GetCurrentByteCount(xml->parser);
    push(xml, event);
}

static void on_end(void *ctx, const XML_Char *name)
{
    rp_xml *xml = ctx;
    xml->depth--;
    push(xml, (queued){.kind = RP_XML_END, .at = put_terminated(xml, name)});
}

/* Expat reports lines and line ends separately; adjacent ones are joined. */
static void on_text(void *ctx, const XML_Char *text, int size)
{
    rp_xml *xml = ctx;
    size_t at = xml->texts.size, n = (size_t)size;
    rp_put(&xml->texts, text, n);
    queued *last = xml->queue.size ? (queued *)(void *)(xml->queue.data + xml->queue.size) - 1
                                   : NULL;
    if (last && last->kind == RP_XML_TEXT)
        last->size += n;
    else
        push(xml, (queued){.kind = RP_XML_TEXT, .at = at, .size = n});
}

static void on_doctype(void *ctx, const XML_Char *name, const XML_Char *system,
                       const XML_Char *public, int has_internal)
{
    rp_xml *xml = ctx;
    RP_UNUSED(name);
    RP_UNUSED(system);
    RP_UNUSED(public);
    RP_UNUSED(has_internal);
    rp_error_set(&xml->inner, REPRISE_E_UNSUPPORTED, "document type declarations are not read");
    stop(xml);
}

/* ---- opening ---- */

reprise_status rp_xml_open(rp_context *context, rp_stream *stream, rp_xml **ret_xml,
                           reprise_error *error)
{
    rp_xml *xml = rp_alloc_zero(context, 1, sizeof *xml, error);
    if (!xml) {
        rp_stream_close(stream);
        return error->status;
    }
    xml->context = context;
    xml->stream = stream;
    /* Limits the texts and events of one piece of input, including a long tag. */
    size_t max = (size_t)RP_MIN(context->limits.string_bytes_max, (uint64_t)SIZE_MAX / 16) +
                 PIECE_SIZE * FOREIGN_GROWTH;
    rp_writer_init(&xml->texts, context, max, &xml->inner);
    rp_writer_init(&xml->queue, context, max * sizeof(queued), &xml->inner);
    rp_writer_init(&xml->attributes, context, max * sizeof(char *), &xml->inner);
    rp_writer_init(&xml->converted, context, PIECE_SIZE * FOREIGN_GROWTH, &xml->inner);
    xml->piece = rp_alloc(context, PIECE_SIZE, error);
    xml->parser = new_parser(context);
    if (xml->piece && !xml->parser)
        (void)rp_codec_no_memory(context, "reading XML", error);
    if (!xml->piece || !xml->parser) {
        rp_xml_close(xml);
        return error->status;
    }
    XML_SetUserData(xml->parser, xml);
    XML_SetElementHandler(xml->parser, on_start, on_end);
    XML_SetCharacterDataHandler(xml->parser, on_text);
    XML_SetStartDoctypeDeclHandler(xml->parser, on_doctype);
    *ret_xml = xml;
    return REPRISE_OK;
}

void rp_xml_close(rp_xml *xml)
{
    if (!xml)
        return;
    if (xml->parser)
        XML_ParserFree(xml->parser);
    rp_stream_close(xml->stream);
    rp_writer_free(&xml->texts);
    rp_writer_free(&xml->queue);
    rp_writer_free(&xml->attributes);
    rp_writer_free(&xml->converted);
    rp_free(xml->context, xml->piece, PIECE_SIZE);
    rp_free(xml->context, xml, sizeof *xml);
}

bool rp_xml_foreign(const rp_xml *xml)
{
    return xml->foreign;
}

const char *rp_xml_attribute(const rp_xml_event *event, const char *name)
{
    for (const char *const *a = event->attributes; a && *a; a += 2) {
        if (strcmp(a[0], name) == 0)
            return a[1];
    }
    return NULL;
}

/* ---- input ---- */

/* Returns how many bytes at the end start an incomplete character, and how many it lacks. */
static size_t open_sequence(const uint8_t *data, size_t size, size_t *ret_missing)
{
    *ret_missing = 0;
    for (size_t n = 1; n <= RP_MIN(size, (size_t)SEQUENCE_MAX - 1); n++) {
        uint8_t c = data[size - n];
        size_t whole = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
        if (c < 0x80 || (c >= 0xC0 && n >= whole))
            return 0;
        if (c >= 0xC0) {
            *ret_missing = whole - n;
            return n;
        }
    }
    return 0;
}

/* Whether the piece is UTF-8. A character may be split at either end. */
static bool is_utf8(rp_xml *xml)
{
    size_t start = 0;
    for (; start < xml->end && start < xml->missing; start++) {
        if ((xml->piece[start] & 0xC0) != 0x80)
            return false;
    }
    size_t size = xml->end - start;
    bool whole = xml->ended && xml->cut.status == REPRISE_OK;
    size_t open = open_sequence(xml->piece + start, size, &xml->missing);
    size -= whole ? 0 : open;
    return rp_utf8_valid((const char *)xml->piece + start, size) == size;
}

/*
 * Fills the piece completely if the stream allows, because the encoding is detected per piece.
 * Bytes read before the stream failed are used first.
 */
static void fill(rp_xml *xml)
{
    size_t left = xml->end - xml->at;
    memmove(xml->piece, xml->piece + xml->at, left);
    xml->at = 0;
    xml->end = left;
    if (left)
        xml->missing = 0;
    while (xml->end < PIECE_SIZE && !xml->ended) {
        size_t got = 0;
        reprise_status status = rp_stream_read(xml->stream, xml->piece + xml->end,
                                               PIECE_SIZE - xml->end, &got, &xml->cut);
        xml->end += status == REPRISE_OK ? got : 0;
        xml->ended = status != REPRISE_OK || got == 0;
    }
    xml->foreign = xml->foreign || !is_utf8(xml);
}

/* Windows-1252 leaves five bytes undefined; they become the C1 control characters. */
static uint32_t foreign_character(uint8_t c)
{
    static const uint16_t upper[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178,
    };
    return c >= 0x80 && c < 0xA0 ? upper[c - 0x80] : c;
}

static const uint8_t *convert(rp_xml *xml, const uint8_t *data, size_t *size)
{
    rp_writer_clear(&xml->converted);
    for (size_t i = 0; i < *size; i++) {
        char bytes[SEQUENCE_MAX];
        rp_put(&xml->converted, bytes, rp_utf8_put(bytes, foreign_character(data[i])));
    }
    *size = xml->converted.size;
    return xml->converted.data;
}

static reprise_status expat_failure(rp_xml *xml, reprise_error *error)
{
    if (xml->inner.status != REPRISE_OK) {
        *error = xml->inner;
    } else {
        enum XML_Error code = XML_GetErrorCode(xml->parser);
        error->cause = (int32_t)code;
        if (code == XML_ERROR_NO_MEMORY)
            (void)rp_codec_no_memory(xml->context, "reading XML", error);
        else
            rp_error_set(error, REPRISE_E_CORRUPT, "XML: %s", XML_ErrorString(code));
    }
    rp_error_place(error, xml->stream->name, xml->offset, "");
    return error->status;
}

/* Passes the next n bytes, or the end, to expat. */
static reprise_status feed(rp_xml *xml, size_t n, bool last, reprise_error *error)
{
    const uint8_t *data = xml->piece + xml->at;
    size_t size = n;
    if (xml->foreign && size)
        data = convert(xml, data, &size);
    xml->fed += size;
    if (parse(xml, data, size, last) != XML_STATUS_OK)
        return expat_failure(xml, error);
    xml->at += n;
    xml->offset += n;
    if (xml->inner.status != REPRISE_OK)
        return expat_failure(xml, error);
    uint64_t seen = (uint64_t)XML_GetCurrentByteIndex(xml->parser);
    uint64_t pending = xml->fed - RP_MIN(seen, xml->fed);
    reprise_status status = rp_limit(pending, xml->context->limits.string_bytes_max + PIECE_SIZE,
                                     "length of a tag", "string_bytes", error);
    if (pending > TAG_SIZE_MAX)
        status = rp_error_set(error, REPRISE_E_LIMIT, "a tag of more than %d bytes", TAG_SIZE_MAX);
    rp_error_place(error, xml->stream->name, xml->offset, "");
    return status;
}

/* ---- events ---- */

static void take_queued(rp_xml *xml, rp_xml_event *ret_event)
{
    const queued *event = (const queued *)(const void *)(xml->queue.data + xml->queue_at);
    xml->queue_at += sizeof *event;
    const char *text = (const char *)xml->texts.data + event->at;
    *ret_event = (rp_xml_event){.kind = event->kind, .offset = xml->offset};
    if (event->kind == RP_XML_TEXT) {
        ret_event->text = text;
        ret_event->size = event->size;
        return;
    }
    ret_event->name = text;
    rp_writer_clear(&xml->attributes);
    for (size_t i = 0; i < event->attribute_count; i++) {
        text += strlen(text) + 1;
        rp_put(&xml->attributes, &text, sizeof text);
    }
    text = NULL;
    rp_put(&xml->attributes, &text, sizeof text);
    ret_event->attributes = (const char *const *)(const void *)xml->attributes.data;
    bool last = xml->queue_at == xml->queue.size;
    xml->plain = last && event->kind == RP_XML_START && xml->tag_end == xml->fed;
    xml->after_cr = false;
}

/*
 * Returns plain text without expat. A carriage return, alone or before a line feed, is a line feed
 * in XML. Returns false if there is no plain text here.
 */
static bool take_plain(rp_xml *xml, rp_xml_event *ret_event)
{
    const uint8_t *p = xml->piece + xml->at, *end = xml->piece + xml->end;
    if (xml->after_cr && p < end && *p == '\n') {
        p++;
        xml->at++;
        xml->offset++;
    }
    xml->after_cr = false;
    const uint8_t *start = p;
    while (p < end && plain_bytes[*p])
        p++;
    *ret_event = (rp_xml_event){.kind = RP_XML_TEXT, .offset = xml->offset};
    if (p == start && p < end && *p == '\r') {
        ret_event->text = "\n";
        ret_event->size = 1;
        xml->after_cr = true;
        p++;
    } else {
        ret_event->text = (const char *)start;
        ret_event->size = (size_t)(p - start);
    }
    xml->at += (size_t)(p - start);
    xml->offset += (size_t)(p - start);
    return p != start;
}

/* Returns the size of a complete reference, or 0. */
static size_t reference_size(const rp_xml *xml)
{
    const uint8_t *p = xml->piece + xml->at;
    size_t left = RP_MIN(xml->end - xml->at, (size_t)REFERENCE_MAX);
    const uint8_t *end = left && *p == '&' ? memchr(p, ';', left) : NULL;
    return end ? (size_t)(end - p) + 1 : 0;
}

/* Passes input to expat: up to the next '>', or only one reference within plain text. */
static reprise_status step(rp_xml *xml, reprise_error *error)
{
    rp_writer_clear(&xml->texts);
    rp_writer_clear(&xml->queue);
    xml->queue_at = 0;
    if (xml->plain && xml->end - xml->at < REFERENCE_MAX && !xml->ended)
        fill(xml);
    size_t reference = xml->plain ? reference_size(xml) : 0;
    if (reference)
        return feed(xml, reference, false, error);
    xml->plain = false;
    if (xml->at == xml->end && !xml->ended)
        fill(xml);
    size_t left = xml->end - xml->at;
    if (!left && xml->cut.status != REPRISE_OK) {
        *error = xml->cut;
        return error->status;
    }
    if (!left) {
        RP_TRY(feed(xml, 0, true, error));
        xml->finished = true;
        return REPRISE_OK;
    }
    const uint8_t *p = xml->piece + xml->at, *stop_at = memchr(p, '>', left);
    return feed(xml, stop_at ? (size_t)(stop_at - p) + 1 : left, false, error);
}

static reprise_status next(rp_xml *xml, rp_xml_event *ret_event, reprise_error *error)
{
    for (;;) {
        if (xml->queue_at < xml->queue.size) {
            take_queued(xml, ret_event);
            return xml->inner.status == REPRISE_OK ? REPRISE_OK : expat_failure(xml, error);
        }
        if (xml->finished) {
            *ret_event = (rp_xml_event){.kind = RP_XML_FINISHED, .offset = xml->offset};
            return REPRISE_OK;
        }
        if (xml->plain && xml->at == xml->end && !xml->ended)
            fill(xml);
        if (xml->plain && take_plain(xml, ret_event))
            return REPRISE_OK;
        RP_TRY(step(xml, error));
    }
}

reprise_status rp_xml_next(rp_xml *xml, rp_xml_event *ret_event, reprise_error *error)
{
    if (xml->standing.status == REPRISE_OK)
        (void)next(xml, ret_event, &xml->standing);
    if (xml->standing.status != REPRISE_OK && error->status == REPRISE_OK)
        *error = xml->standing;
    return xml->standing.status;
}

/* ---- writing ---- */

void rp_xml_put_text(rp_writer *w, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        switch (c) {
        case '&':
            rp_put_text(w, "&amp;");
            break;
        case '<':
            rp_put_text(w, "&lt;");
            break;
        case '>':
            rp_put_text(w, "&gt;");
            break;
        case '"':
            rp_put_text(w, "&quot;");
            break;
        case '\t':
        case '\n':
        case '\r':
            rp_put_format(w, "&#%u;", c);
            break;
        default:
            if (c >= 0x20)
                rp_put_u8(w, c);
        }
    }
}
