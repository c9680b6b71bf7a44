/* row_text.c - see row_text.h. */
#include "row_text.h"

#include <string.h>

#include "json.h"

/* Begins a member of a JSON object. The name needs no escapes. */
static void begin_member(rp_writer *w, bool first, const char *name)
{
    size_t size = strlen(name);
    uint8_t *to = rp_put_raw(w, size + 3 + !first);
    if (!to)
        return;
    if (!first)
        *to++ = ',';
    *to++ = '"';
    memcpy(to, name, size);
    to[size] = '"';
    to[size + 1] = ':';
}

static void put_stored(rp_writer *w, const rp_columns *columns, const rp_row *row)
{
    bool any = false;
    rp_put_text(w, ",\"stored\":[");
    for (size_t i = 0; i < columns->count[row->track]; i++) {
        const rp_column *c = &columns->of[row->track][i];
        if (c->source != RP_COLUMN_STORED || !(row->present >> c->presence_bit & 1))
            continue;
        if (any)
            rp_put_u8(w, ',');
        rp_json_string(w, c->about.name, strlen(c->about.name));
        any = true;
    }
    rp_put_u8(w, ']');
}

/* The columns of a row one by one: those of the style in its order, or all. */
typedef struct chosen {
    const rp_column *of;
    const size_t *numbers; /* NULL: all */
    size_t count, all;
} chosen;

static chosen choose(const rp_columns *columns, const reprise_row_text_options *style, size_t track)
{
    size_t all = columns->count[track];
    return (chosen){.of = columns->of[track],
                    .numbers = style->columns,
                    .count = style->columns ? style->column_count : all,
                    .all = all};
}

/* NULL if the row's track lacks it. */
static const rp_column *column_at(const chosen *c, size_t i)
{
    size_t number = c->numbers ? c->numbers[i] : i;
    return number < c->all ? &c->of[number] : NULL;
}

static void put_json(rp_writer *w, const rp_format *format, const rp_columns *columns,
                     const reprise_row_text_options *style, const rp_row *row, const void *derived)
{
    bool first = true;
    rp_put_u8(w, '{');
    if (style->file) {
        begin_member(w, first, "file");
        rp_json_string(w, style->file, strlen(style->file));
        first = false;
    }
    if (style->with_track) {
        const char *name = format->tracks[row->track].name;
        begin_member(w, first, "track");
        rp_json_string(w, name, strlen(name));
        first = false;
    }
    chosen c = choose(columns, style, row->track);
    for (size_t i = 0; i < c.count; i++) {
        const rp_column *column = column_at(&c, i);
        if (!column)
            continue;
        begin_member(w, first, column->about.name);
        rp_column_json(w, column, row, derived);
        first = false;
    }
    if (style->with_stored)
        put_stored(w, columns, row);
    rp_put_u8(w, '}');
}

static void put_csv(rp_writer *w, const rp_columns *columns, const reprise_row_text_options *style,
                    const rp_row *row, const void *derived)
{
    bool first = true;
    if (style->file) {
        rp_csv_text(w, style->file, strlen(style->file));
        first = false;
    }
    chosen c = choose(columns, style, row->track);
    for (size_t i = 0; i < c.count; i++) {
        const rp_column *column = column_at(&c, i);
        if (!column)
            continue;
        if (!first)
            rp_put_u8(w, ',');
        rp_column_csv(w, column, row, derived);
        first = false;
    }
}

void rp_row_text(rp_writer *w, const rp_format *format, const rp_columns *columns,
                 const reprise_row_text_options *style, const rp_row *row, const void *derived)
{
    if (style->style == REPRISE_ROW_JSON)
        put_json(w, format, columns, style, row, derived);
    else
        put_csv(w, columns, style, row, derived);
    rp_put_u8(w, '\n');
}
