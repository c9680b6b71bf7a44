/* table.c - see table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

void cli_table_free(cli_table *table)
{
    free(table->cells);
    cli_strbuf_free(&table->text);
    *table = (cli_table){0};
}

void cli_table_cell(cli_table *table, bool right)
{
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? table->capacity * 2 : 64;
        table->cells = cli_memory(table->cells, table->capacity * sizeof *table->cells);
    }
    size_t start = 0;
    if (table->count) {
        const cli_cell *last = &table->cells[table->count - 1];
        start = last->offset + last->size;
    }
    size_t size = table->text.size - start;
    table->cells[table->count++] = (cli_cell){
        .offset = start,
        .size = size,
        .width = cli_width(cli_strbuf_string(&table->text) + start, size),
        .right = right,
    };
}

void cli_table_text(cli_table *table, const char *text)
{
    cli_put_shown(&table->text, text, strlen(text));
    cli_table_cell(table, false);
}

void cli_table_printf(cli_table *table, bool right, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_vprintf(&table->text, format, args);
    va_end(args);
    cli_table_cell(table, right);
}

static bool is_empty(const cli_table *table, size_t column)
{
    for (size_t i = table->columns + column; i < table->count; i += table->columns) {
        if (table->cells[i].size)
            return false;
    }
    return true;
}

static bool is_cell(const cli_table *table, size_t index, const char *text, size_t size)
{
    const cli_cell *cell = &table->cells[index];
    return cell->size == size && memcmp(table->text.data + cell->offset, text, size) == 0;
}

static bool is_blank(const cli_table *table, size_t column)
{
    for (size_t i = table->columns + column; i < table->count; i += table->columns) {
        const cli_cell *cell = &table->cells[i];
        for (size_t k = 0; k < cell->size; k++) {
            if (!strchr("- ", table->text.data[cell->offset + k]))
                return false;
        }
    }
    return true;
}

static bool is_same(const cli_table *table, size_t column)
{
    const cli_cell *first = &table->cells[table->columns + column];
    for (size_t i = 2 * table->columns + column; i < table->count; i += table->columns) {
        if (!is_cell(table, i, table->text.data + first->offset, first->size))
            return false;
    }
    return true;
}

static void drop(cli_table *table, size_t column)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (i % table->columns != column)
            table->cells[kept++] = table->cells[i];
    }
    table->count = kept;
    table->columns--;
}

void cli_table_drop_blank(cli_table *table)
{
    for (size_t column = table->columns; column-- > 1;) {
        if (is_blank(table, column))
            drop(table, column);
    }
}

static void put_listed(const cli_table *table, size_t index, const char *before, cli_strbuf *to)
{
    cli_puts(to, before);
    cli_put(to, table->text.data + table->cells[index].offset, table->cells[index].size);
}

void cli_table_drop_same(cli_table *table, cli_strbuf *to)
{
    if (table->count <= 2 * table->columns)
        return;
    for (size_t column = 1; column < table->columns;) {
        if (!is_same(table, column)) {
            column++;
            continue;
        }
        put_listed(table, column, to->size ? ", " : "", to);
        put_listed(table, table->columns + column, " ", to);
        drop(table, column);
    }
}

void cli_table_drop_empty(cli_table *table, size_t from, size_t to)
{
    for (size_t column = to; column-- > from;) {
        if (is_empty(table, column))
            drop(table, column);
    }
}

/* ---- columns as printed ---- */

/* A table as printed: normal or transposed. */
typedef struct view {
    const cli_table *table;
    const cli_table_style *style;
    size_t lines, columns;
    size_t widths[CLI_COLUMNS_MAX];
    bool numbers[CLI_COLUMNS_MAX]; /* some cell is aligned right */
} view;

static const cli_cell *cell_at(const view *v, size_t line, size_t column)
{
    size_t index = v->style->turned ? column * v->table->columns + line
                                    : line * v->table->columns + column;
    return &v->table->cells[index];
}

static view view_of(const cli_table *table, const cli_table_style *style)
{
    size_t rows = table->columns ? table->count / table->columns : 0;
    view v = {.table = table, .style = style};
    v.lines = style->turned ? table->columns : rows;
    v.columns = style->turned ? rows : table->columns;
    if (v.columns > CLI_COLUMNS_MAX)
        v.columns = CLI_COLUMNS_MAX;
    for (size_t line = 0; line < v.lines; line++) {
        for (size_t column = 0; column < v.columns; column++) {
            const cli_cell *cell = cell_at(&v, line, column);
            if (cell->width > v.widths[column])
                v.widths[column] = cell->width;
            v.numbers[column] |= cell->right;
        }
    }
    return v;
}

size_t cli_table_width(const cli_table *table)
{
    view v = view_of(table, &(cli_table_style){0});
    size_t width = 0;
    for (size_t column = 0; column < v.columns; column++)
        width += v.widths[column] + (column ? GAP : 0);
    return width;
}

void cli_table_drop_wide(cli_table *table, size_t width, cli_strbuf *to)
{
    view v = view_of(table, &(cli_table_style){0});
    size_t kept = 1, used = v.widths[0];
    while (kept < table->columns && (kept < 2 || used + GAP + v.widths[kept] <= width))
        used += GAP + v.widths[kept++];
    for (size_t column = kept; column < table->columns; column++)
        put_listed(table, column, to->size ? ", " : "", to);
    while (table->columns > kept)
        drop(table, table->columns - 1);
}

/* ---- fitting ---- */

enum {
    WHOLE_WIDTH = 19, /* a text of at most this width, such as a date, is not cut */
    CUT_WIDTH = 3,    /* of the dots */
};

static size_t least_width(const view *v, size_t column)
{
    bool whole = v->numbers[column] || v->widths[column] <= WHOLE_WIDTH;
    return whole ? v->widths[column] : WHOLE_WIDTH;
}

/* Columns from the first on that fit when all are cut. */
static size_t count_fitting(const view *v, size_t width)
{
    size_t kept = 1, used = least_width(v, 0);
    while (kept < v->columns && used + GAP + least_width(v, kept) <= width)
        used += GAP + least_width(v, kept++);
    return kept;
}

/* Takes from the widest column until all fit. */
static void narrow(view *v, size_t width)
{
    size_t used = 0;
    for (size_t i = 0; i < v->columns; i++)
        used += v->widths[i] + (i ? GAP : 0);
    while (used > width) {
        size_t widest = SIZE_MAX;
        for (size_t i = 0; i < v->columns; i++) {
            if (v->widths[i] > least_width(v, i) &&
                (widest == SIZE_MAX || v->widths[i] > v->widths[widest]))
                widest = i;
        }
        if (widest == SIZE_MAX)
            return;
        v->widths[widest]--;
        used--;
    }
}

/* Puts the end of a text, in at most `width` columns. */
static void put_end(cli_strbuf *to, const char *text, size_t size, size_t width)
{
    while (size && cli_width(text, size) > width) {
        do {
            text++;
            size--;
        } while (size && ((unsigned char)*text & 0xC0) == 0x80);
    }
    cli_put(to, text, size);
}

/* Puts the start of a text, in at most `width` columns. */
static void put_start(cli_strbuf *to, const char *text, size_t size, size_t width)
{
    while (size && cli_width(text, size) > width) {
        do
            size--;
        while (size && ((unsigned char)text[size] & 0xC0) == 0x80);
    }
    cli_put(to, text, size);
}

/* Copies the table with cells of the new widths. */
static void cut_cells(cli_table *table, const size_t *widths)
{
    cli_table cut = {.columns = table->columns};
    for (size_t i = 0; i < table->count; i++) {
        const cli_cell *cell = &table->cells[i];
        const char *text = cli_strbuf_string(&table->text) + cell->offset;
        size_t room = widths[i % table->columns];
        if (cell->width <= room) {
            cli_put(&cut.text, text, cell->size);
        } else if (i % table->columns == 0) {
            cli_puts(&cut.text, "...");
            put_end(&cut.text, text, cell->size, room - CUT_WIDTH);
        } else {
            put_start(&cut.text, text, cell->size, room - CUT_WIDTH);
            cli_puts(&cut.text, "...");
        }
        cli_table_cell(&cut, cell->right);
    }
    cli_table_free(table);
    *table = cut;
}

void cli_table_fit(cli_table *table, size_t width, cli_strbuf *to)
{
    view v = view_of(table, &(cli_table_style){0});
    size_t kept = count_fitting(&v, width);
    for (size_t column = kept; column < table->columns; column++)
        put_listed(table, column, to->size ? ", " : "", to);
    while (table->columns > kept)
        drop(table, table->columns - 1);
    v = view_of(table, &(cli_table_style){0});
    narrow(&v, width);
    cut_cells(table, v.widths);
}

/* ---- printing ---- */

static bool heading_of(const view *v, size_t line, size_t column)
{
    return !v->style->no_heading && (v->style->turned ? column == 0 : line == 0);
}

/* A heading is aligned right if the numbers below it are. */
static bool right_of(const view *v, size_t line, size_t column)
{
    if (v->style->turned)
        return false;
    return heading_of(v, line, column) ? v->numbers[column] : cell_at(v, line, column)->right;
}

static void put_cell(const view *v, size_t line, size_t column, size_t start, bool last,
                     cli_strbuf *to)
{
    const cli_cell *cell = cell_at(v, line, column);
    const char *text = cli_strbuf_string(&v->table->text) + cell->offset;
    bool heading = v->style->colour && heading_of(v, line, column);
    size_t room = v->widths[column] - cell->width;
    if (right_of(v, line, column)) {
        cli_fill(to, ' ', room);
        room = 0;
    }
    if (heading)
        cli_puts(to, "\033[2m");
    if (last && v->style->wrap_width > start + 15)
        cli_put_wrapped(to, text, cell->size, start, v->style->wrap_width);
    else
        cli_put(to, text, cell->size);
    if (heading)
        cli_puts(to, "\033[0m");
    if (!last)
        cli_fill(to, ' ', room + GAP);
}

/* Removes the trailing spaces that empty cells leave. */
static void trim_end(cli_strbuf *to)
{
    while (to->size && to->data[to->size - 1] == ' ')
        to->size--;
}

/* The lines of the first column and of those from `first` to `end`. */
static void put_columns(const view *v, size_t first, size_t end, cli_strbuf *to)
{
    for (size_t line = 0; line < v->lines; line++) {
        size_t start = v->style->indent;
        cli_fill(to, ' ', v->style->indent);
        for (size_t column = 0; column < end; column++) {
            if (column && column < first)
                continue;
            put_cell(v, line, column, start, column + 1 == end, to);
            start += v->widths[column] + GAP;
        }
        trim_end(to);
        cli_putc(to, '\n');
    }
}

void cli_table_put(const cli_table *table, const cli_table_style *style, cli_strbuf *to)
{
    view v = view_of(table, style);
    size_t first = 1;
    do {
        size_t end = first;
        size_t width = style->indent + v.widths[0];
        while (end < v.columns) {
            width += GAP + v.widths[end];
            if (style->fold_width && width > style->fold_width && end > first)
                break;
            end++;
        }
        if (first > 1)
            cli_putc(to, '\n');
        put_columns(&v, first, end, to);
        first = end;
    } while (first < v.columns);
}
