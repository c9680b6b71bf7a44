/*
 * printer.c - see printer.h.
 *
 * Rows for threads are collected on pages: a copy of the row, of what was derived from it and of
 * the texts that it points to. Rows that point to more than texts are formatted at once and their
 * text is put on the page, so that the order is kept.
 */
#include "printer.h"

#include <string.h>

#include "workers.h"

enum {
    PAGE_SIZE = 1 << 16, /* of copied rows; it fits the cache of a processor */
    TEXT_SIZE = 1 << 16, /* written at once by a printer without threads */
    PAGES_MAX = 16,
    ALIGNMENT = 16,
    TEXTS_MAX = 64,
};

/* A row on a page; after it come the row's struct, what was derived from it, and texts. */
typedef struct entry {
    size_t size;    /* with everything after it */
    bool formatted; /* then its text comes after it, of `length` bytes */
    size_t length;
    rp_row row;
} entry;

typedef struct page {
    uint8_t *bytes; /* PAGE_SIZE of them */
    size_t used;
    uint64_t rows;
    rp_writer text;
    reprise_error error; /* of the text */
} page;

/* What is known of the rows of a track. */
typedef struct print_plan {
    reprise_row_text_options style;
    size_t row_size, derived_size; /* on a page, aligned */
    size_t row_bytes, derived_bytes;
    uint32_t texts[TEXTS_MAX]; /* where the struct has texts, then where the derived record has */
    size_t text_count, derived_texts;
    bool copies; /* texts are all it points to */
} print_plan;

struct rp_printer {
    rp_context *context;
    rp_sink *sink;
    const rp_format *format;
    rp_columns columns;
    rp_arena arena;
    print_plan *plans; /* per track */
    page pages[PAGES_MAX];
    size_t page_count;
    page *current; /* being filled, or NULL */
    rp_workers *workers;
    rp_writer text; /* of rows that are formatted at once */
    reprise_error text_error;
    uint64_t rows;    /* in `text` */
    uint64_t written; /* rows given to the sink */
    uint64_t bytes;
};

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* ---- formatting ---- */

static void format_row(const rp_printer *p, rp_writer *w, const rp_row *row, const void *derived)
{
    rp_row_text(w, p->format, &p->columns, &p->plans[row->track].style, row, derived);
}

/* The work of a thread. */
static void format_page(void *ctx, void *slot)
{
    const rp_printer *p = ctx;
    page *to = slot;
    rp_writer_clear(&to->text);
    for (size_t at = 0; at < to->used;) {
        const entry *e = (const entry *)(const void *)(to->bytes + at);
        const uint8_t *data = to->bytes + at + aligned(sizeof *e);
        if (e->formatted)
            rp_put(&to->text, data, e->length);
        else
            format_row(p, &to->text, &e->row, data + p->plans[e->row.track].row_size);
        at += e->size;
    }
}

/* ---- opening ---- */

/* Threads print only if one is left to read ahead, where there are many. */
static size_t pages_for(const rp_context *context)
{
    unsigned threads = context->threads > 3 ? context->threads - 2 : 1;
    return RP_MIN((size_t)2 * threads + 2, (size_t)PAGES_MAX);
}

static reprise_status open_pages(rp_printer *p, reprise_error *error)
{
    p->page_count = pages_for(p->context);
    for (size_t i = 0; i < p->page_count; i++) {
        page *to = &p->pages[i];
        to->error = (reprise_error)REPRISE_ERROR_INIT;
        rp_writer_init(&to->text, p->context, SIZE_MAX / 2, &to->error);
        to->bytes = rp_alloc(p->context, PAGE_SIZE, error);
        if (!to->bytes)
            return error->status;
    }
    return rp_workers_open(p->context, format_page, p, p->pages, sizeof *p->pages, p->page_count,
                           p->page_count / 2, &p->workers, error);
}

reprise_status rp_printer_open(rp_context *context, rp_sink *sink, rp_printer **ret_printer,
                               reprise_error *error)
{
    rp_printer *p = rp_alloc_zero(context, 1, sizeof *p, error);
    if (!p)
        return error->status;
    p->context = context;
    p->sink = sink;
    rp_arena_init(&p->arena, context);
    rp_writer_init(&p->text, context, SIZE_MAX / 2, &p->text_error);
    if (context->threads > 1 && open_pages(p, error) != REPRISE_OK) {
        rp_printer_close(p);
        return error->status;
    }
    *ret_printer = p;
    return REPRISE_OK;
}

void rp_printer_close(rp_printer *p)
{
    if (!p)
        return;
    rp_workers_close(p->workers);
    for (size_t i = 0; i < p->page_count; i++) {
        if (p->pages[i].bytes)
            rp_free(p->context, p->pages[i].bytes, PAGE_SIZE);
        rp_writer_free(&p->pages[i].text);
    }
    rp_writer_free(&p->text);
    rp_arena_free(&p->arena);
    rp_free(p->context, p, sizeof *p);
}

/* ---- plans ---- */

/* Notes where a record has texts. Returns false if it points to something else. */
static bool find_texts(const rp_record *record, size_t offset, print_plan *plan)
{
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *f = &record->fields[i];
        if (f->kind == RP_REC && !find_texts(f->sub, offset + f->offset, plan))
            return false;
        if (f->kind == RP_SEQ || f->kind == RP_MAP || f->kind == RP_OPT || f->kind == RP_SUM)
            return false;
        if (f->kind != RP_TEXT && f->kind != RP_BYTES)
            continue;
        if (plan->text_count == TEXTS_MAX)
            return false;
        plan->texts[plan->text_count++] = (uint32_t)(offset + f->offset);
    }
    return true;
}

static void plan_track(const rp_track *track, print_plan *plan)
{
    plan->style = (reprise_row_text_options){.struct_size = sizeof plan->style};
    plan->copies = true;
    for (size_t i = 0; i < track->part_count && plan->copies; i++)
        plan->copies = find_texts(track->parts[i].record, track->parts[i].offset, plan);
    plan->row_bytes = rp_track_row_size(track);
    plan->row_size = aligned(plan->row_bytes);
    plan->derived_texts = plan->text_count;
    if (!track->derived)
        return;
    plan->copies = plan->copies && find_texts(track->derived, 0, plan);
    plan->derived_bytes = track->derived->size;
    plan->derived_size = aligned(plan->derived_bytes);
}

reprise_status rp_printer_prepare(rp_printer *p, const rp_format *format, const rp_columns *columns,
                                  reprise_error *error)
{
    p->plans = rp_arena_array(&p->arena, format->track_count, sizeof *p->plans, error);
    if (!p->plans)
        return error->status;
    p->format = format;
    p->columns = *columns;
    for (size_t i = 0; i < format->track_count; i++)
        plan_track(&format->tracks[i], &p->plans[i]);
    return REPRISE_OK;
}

reprise_status rp_printer_set_style(rp_printer *p, size_t track,
                                    const reprise_row_text_options *style, reprise_error *error)
{
    if (track >= p->format->track_count)
        return rp_error_set(error, REPRISE_E_USAGE, "%s has no track %zu", p->format->name, track);
    reprise_row_text_options copy = *style;
    if (style->file) {
        copy.file = rp_arena_text(&p->arena, style->file, strlen(style->file), error);
        RP_TRY(error->status);
    }
    if (style->columns) {
        size_t *columns = rp_arena_array(&p->arena, style->column_count, sizeof *columns, error);
        if (!columns)
            return error->status;
        if (style->column_count)
            memcpy(columns, style->columns, style->column_count * sizeof *columns);
        copy.columns = columns;
    }
    p->plans[track].style = copy;
    return REPRISE_OK;
}

/* ---- writing ---- */

static reprise_status write_text(rp_printer *p, const rp_writer *text, uint64_t rows,
                                 reprise_error *error)
{
    if (text->error->status != REPRISE_OK) {
        *error = *text->error;
        return error->status;
    }
    p->bytes += text->size;
    RP_TRY(rp_limit(p->bytes, p->context->output_max, "rows as text:", "output_bytes", error));
    if (text->size)
        RP_TRY(rp_sink_write(p->sink, text->data, text->size, error));
    p->written += rows;
    return REPRISE_OK;
}

/* Writes the oldest page, if there is one. */
static reprise_status write_page(rp_printer *p, bool *ret_some, reprise_error *error)
{
    const page *done = rp_workers_take(p->workers);
    *ret_some = done != NULL;
    return done ? write_text(p, &done->text, done->rows, error) : REPRISE_OK;
}

static void give_page(rp_printer *p)
{
    if (p->current && p->current->used)
        rp_workers_give(p->workers);
    p->current = NULL;
}

static reprise_status write_pages(rp_printer *p, reprise_error *error)
{
    give_page(p);
    for (bool some = p->workers != NULL; some;)
        RP_TRY(write_page(p, &some, error));
    return REPRISE_OK;
}

static reprise_status write_rest(rp_printer *p, reprise_error *error)
{
    RP_TRY(write_text(p, &p->text, p->rows, error));
    rp_writer_clear(&p->text);
    p->rows = 0;
    return REPRISE_OK;
}

reprise_status rp_printer_end(rp_printer *p, reprise_error *error)
{
    RP_TRY(write_pages(p, error));
    return write_rest(p, error);
}

uint64_t rp_printer_written(const rp_printer *p)
{
    return p->written;
}

/* ---- rows ---- */

/* Room for an entry on a page, or NULL if none is large enough or after a failure. */
static entry *add_entry(rp_printer *p, size_t size, reprise_error *error)
{
    size += aligned(sizeof(entry));
    if (size > PAGE_SIZE)
        return NULL;
    if (p->current && size > PAGE_SIZE - p->current->used)
        give_page(p);
    while (!p->current) {
        bool some;
        p->current = rp_workers_empty(p->workers);
        if (p->current)
            p->current->used = p->current->rows = 0;
        else if (write_page(p, &some, error) != REPRISE_OK)
            return NULL;
    }
    entry *e = (entry *)(void *)(p->current->bytes + p->current->used);
    e->size = size;
    p->current->used += size;
    p->current->rows++;
    return e;
}

static uint8_t *content_of(entry *e)
{
    return (uint8_t *)e + aligned(sizeof *e);
}

static const rp_text *text_at(const void *data, size_t offset)
{
    return (const rp_text *)(const void *)((const char *)data + offset);
}

static size_t size_of_texts(const print_plan *plan, const rp_row *row, const void *derived)
{
    size_t size = 0;
    for (size_t i = 0; i < plan->text_count; i++) {
        size_t length =
            text_at(i < plan->derived_texts ? row->data : derived, plan->texts[i])->size;
        if (length >= PAGE_SIZE || size >= PAGE_SIZE)
            return PAGE_SIZE;
        size += length;
    }
    return size;
}

static void copy_texts(const print_plan *plan, uint8_t *row, uint8_t *derived, uint8_t *to)
{
    for (size_t i = 0; i < plan->text_count; i++) {
        uint8_t *data = i < plan->derived_texts ? row : derived;
        rp_text *text = (rp_text *)(void *)(data + plan->texts[i]);
        if (!text->data)
            continue;
        if (text->size)
            memcpy(to, text->data, text->size);
        text->data = (const char *)to;
        to += text->size;
    }
}

/* Returns false if the row is too large for a page, or after a failure. */
static bool copy_row(rp_printer *p, const rp_row *row, const void *derived, reprise_error *error)
{
    const print_plan *plan = &p->plans[row->track];
    size_t texts = plan->text_count ? size_of_texts(plan, row, derived) : 0;
    size_t fixed = plan->row_size + plan->derived_size;
    entry *e = add_entry(p, fixed + aligned(texts), error);
    if (!e)
        return false;
    uint8_t *data = content_of(e);
    e->formatted = false;
    rp_row_set(&e->row, *row);
    e->row.data = data;
    memcpy(data, row->data, plan->row_bytes);
    if (plan->derived_bytes)
        memcpy(data + plan->row_size, derived, plan->derived_bytes);
    if (plan->text_count)
        copy_texts(plan, data, data + plan->row_size, data + fixed);
    return true;
}

/* Puts the text of one row on a page. Text that is too large for one is written at once. */
static reprise_status place_text(rp_printer *p, reprise_error *error)
{
    entry *e = add_entry(p, aligned(p->text.size), error);
    RP_TRY(error->status);
    if (!e) {
        RP_TRY(write_pages(p, error));
        return write_rest(p, error);
    }
    e->formatted = true;
    e->length = p->text.size;
    memcpy(content_of(e), p->text.data, p->text.size);
    rp_writer_clear(&p->text);
    p->rows = 0;
    return REPRISE_OK;
}

reprise_status rp_printer_row(rp_printer *p, const rp_row *row, const void *derived,
                              reprise_error *error)
{
    bool shared = p->workers && rp_workers_help(p->workers);
    if (shared && p->plans[row->track].copies && copy_row(p, row, derived, error))
        return REPRISE_OK;
    RP_TRY(error->status);
    format_row(p, &p->text, row, derived);
    p->rows++;
    if (p->text_error.status != REPRISE_OK) {
        *error = p->text_error;
        return error->status;
    }
    if (shared)
        return place_text(p, error);
    return p->text.size < TEXT_SIZE ? REPRISE_OK : write_rest(p, error);
}
