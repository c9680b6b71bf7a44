/* cat_table.c - see cat_table.h. */
#include "cat_table.h"

#include <stdlib.h>
#include <string.h>

#include "ui/markup.h"

enum { PAGE_ROWS = 200, GAP = 2, INDENT = 0 };

/* ---- a page ---- */

static bool is_blank(const cli_table *page, size_t column)
{
    for (size_t i = page->columns + column; i < page->count; i += page->columns) {
        const cli_cell *cell = &page->cells[i];
        if (cell->size && (cell->size != 1 || page->text.data[cell->offset] != '-'))
            return false;
    }
    return true;
}

static size_t column_width(const cli_table *page, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < page->count; i += page->columns) {
        if (page->cells[i].width > width)
            width = page->cells[i].width;
    }
    return width;
}

/*
 * Columns that have values on the first page and fit. Values of later pages may be wider: then the
 * last columns are left out from there on.
 */
static void choose_columns(cli_cat_table *table)
{
    const cli_table *page = &table->page;
    size_t used = 0;
    bool first = !table->kept;
    if (first)
        table->kept = cli_memory(NULL, page->columns * sizeof *table->kept);
    for (size_t i = 0; i < page->columns; i++) {
        size_t width = column_width(page, i) + (used ? GAP : 0);
        bool wanted = first ? !is_blank(page, i) : table->kept[i];
        table->kept[i] = table->all || !used || (wanted && used + width <= table->width);
        if (table->kept[i])
            used += width;
    }
}

static void print_page(cli_cat_table *table)
{
    const cli_table *page = &table->page;
    if (!page->columns)
        return;
    choose_columns(table);
    cli_table shown = {0};
    for (size_t i = 0; i < page->columns; i++)
        shown.columns += table->kept[i];
    for (size_t i = 0; i < page->count; i++) {
        const cli_cell *cell = &page->cells[i];
        if (!table->kept[i % page->columns])
            continue;
        cli_put(&shown.text, page->text.data + cell->offset, cell->size);
        cli_table_cell(&shown, cell->right);
    }
    cli_strbuf text = {0};
    cli_table_style style = {.indent = INDENT, .colour = table->colour};
    cli_table_put(&shown, &style, &text);
    cli_out_put(table->to, text.data, text.size);
    cli_strbuf_free(&text);
    cli_table_free(&shown);
}

static void begin_page(cli_cat_table *table, const reprise_replay *replay, size_t track,
                       const size_t *columns, size_t count)
{
    cli_table_free(&table->page);
    table->page.columns = count;
    for (size_t i = 0; i < count; i++)
        cli_table_text(&table->page,
                       reprise_column_at(replay, track, columns ? columns[i] : i)->name);
}

/* ---- rows ---- */

/* Lists, bytes and texts as in CSV, on one line and without the markup of games. */
static reprise_status put_other(cli_strbuf *to, reprise_rows *rows, size_t column,
                                reprise_error *error)
{
    enum { SHOWN_MAX = 40 };
    reprise_row_text_options style = {.struct_size = sizeof style,
                                      .style = REPRISE_ROW_CSV,
                                      .columns = &column,
                                      .column_count = 1};
    const char *text;
    size_t size;
    if (reprise_row_format(rows, &style, &text, &size, error) != REPRISE_OK)
        return error->status;
    cli_strbuf plain = {0};
    cli_put_plain(&plain, text, size - (size && text[size - 1] == '\n'));
    cli_put_cut(to, cli_strbuf_string(&plain), plain.size, SHOWN_MAX);
    cli_strbuf_free(&plain);
    return REPRISE_OK;
}

/* What players call the unit that an order names; false if the cell is something else. */
static bool put_unit(cli_strbuf *to, const reprise_replay *replay, const reprise_column *column,
                     reprise_rows *rows, size_t index)
{
    int order = reprise_column_find(replay, reprise_row_track(rows), "order");
    if (strcmp(column->name, "item") != 0 || order < 0)
        return false;
    cli_strbuf words[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++) {
        size_t size = 0;
        const char *text = reprise_row_text(rows, i ? index : (size_t)order, &size);
        cli_put(&words[i], text ? text : "", text ? size : 0);
    }
    const char *name = reprise_item_name(replay, cli_strbuf_string(&words[0]),
                                         cli_strbuf_string(&words[1]));
    cli_puts(to, name ? name : "");
    cli_strbuf_free(&words[0]);
    cli_strbuf_free(&words[1]);
    return name;
}

static reprise_status put_cell(cli_table *page, const reprise_replay *replay,
                               const reprise_column *column, reprise_rows *rows, size_t index,
                               reprise_error *error)
{
    bool number = column->type == REPRISE_TYPE_INT || column->type == REPRISE_TYPE_UINT64 ||
                  column->type == REPRISE_TYPE_FLOAT || column->type == REPRISE_TYPE_DOUBLE;
    reprise_status status = REPRISE_OK;
    if (reprise_row_null(rows, index))
        cli_putc(&page->text, '-');
    else if (column->type == REPRISE_TYPE_BOOL)
        cli_puts(&page->text, reprise_row_int(rows, index) ? "yes" : "no");
    else if (number && strcmp(column->name, "time") == 0)
        cli_put_duration(&page->text, reprise_row_double(rows, index));
    else if (column->type == REPRISE_TYPE_FLOAT || column->type == REPRISE_TYPE_DOUBLE)
        cli_put_real(&page->text, reprise_row_double(rows, index), true);
    else if (!put_unit(&page->text, replay, column, rows, index))
        status = put_other(&page->text, rows, index, error);
    cli_table_cell(page, number);
    return status;
}

reprise_status cli_cat_table_row(cli_cat_table *table, const reprise_replay *replay,
                                 reprise_rows *rows, const size_t *columns, size_t column_count,
                                 reprise_error *error)
{
    size_t track = reprise_row_track(rows);
    size_t count = columns ? column_count : reprise_column_count(replay, track);
    if (table->rows % PAGE_ROWS == 0) {
        if (table->rows)
            print_page(table);
        begin_page(table, replay, track, columns, count);
    }
    table->rows++;
    for (size_t i = 0; i < count; i++) {
        size_t column = columns ? columns[i] : i;
        if (put_cell(&table->page, replay, reprise_column_at(replay, track, column), rows, column,
                     error) != REPRISE_OK)
            return error->status;
    }
    return REPRISE_OK;
}

void cli_cat_table_end(cli_cat_table *table)
{
    print_page(table);
    cli_strbuf line = {0};
    size_t left_out = 0;
    for (size_t i = 0; table->kept && i < table->page.columns; i++) {
        const cli_cell *cell = &table->page.cells[i];
        if (table->kept[i])
            continue;
        cli_puts(&line, left_out++ ? ", " : "not shown (see --columns): ");
        cli_put(&line, table->page.text.data + cell->offset, cell->size);
    }
    if (line.size) {
        cli_strbuf text = {0};
        cli_put_wrapped(&text, line.data, line.size, 0, table->width);
        cli_putc(&text, '\n');
        cli_out_put(table->to, text.data, text.size);
        cli_strbuf_free(&text);
    }
    cli_strbuf_free(&line);
    cli_table_free(&table->page);
    free(table->kept);
    *table = (cli_cat_table){0};
}
