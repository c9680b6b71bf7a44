/* cat_table.c - see cat_table.h. */
#include "cat_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/markup.h"
#include "ui/render.h"
#include "ui/units.h"

enum {
    PAGE_ROWS = 200,
    GAP = 2,
    INDENT = 0,
    SHOWN_MAX = 40, /* columns of a text */
    FEW_COLUMNS = 4,
};

/* ---- a page ---- */

static size_t column_width(const cli_table *page, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < page->count; i += page->columns) {
        if (page->cells[i].width > width)
            width = page->cells[i].width;
    }
    return width;
}

/* Rows of the page that have a value in a column. */
static size_t filled(const cli_table *page, size_t column)
{
    size_t count = 0;
    for (size_t i = page->columns + column; i < page->count; i += page->columns) {
        const cli_cell *cell = &page->cells[i];
        count += cell->size && (cell->size != 1 || page->text.data[cell->offset] != '-');
    }
    return count;
}

static bool is_heading(const cli_table *page, size_t column, const char *name, const char *end)
{
    const cli_cell *cell = &page->cells[column];
    size_t size = strlen(name), end_size = strlen(end);
    const char *text = page->text.data + cell->offset;
    return cell->size == size + end_size && memcmp(text, name, size) == 0 &&
           memcmp(text + size, end, end_size) == 0;
}

static bool names(const cli_table *page, size_t column, const char *number)
{
    return is_heading(page, column, number, "_name") ||
           (strcmp(number, "unit_type") == 0 && is_heading(page, column, "type", ""));
}

/* 1 for a column that names what another has a number of, -1 for that other and for bytes. */
static int rank(const cli_table *page, size_t column)
{
    char own[128], other[128];
    const cli_cell *cell = &page->cells[column];
    snprintf(own, sizeof own, "%.*s", (int)cell->size, page->text.data + cell->offset);
    if (strcmp(own, "raw") == 0)
        return -1;
    for (size_t i = 0; i < page->columns; i++) {
        cell = &page->cells[i];
        snprintf(other, sizeof other, "%.*s", (int)cell->size, page->text.data + cell->offset);
        if (names(page, i, own))
            return -1;
        if (names(page, column, other))
            return 1;
    }
    return 0;
}

/* The next best column that is not yet kept: the fullest of those that fit. */
static size_t best_column(const cli_cat_table *table, size_t room)
{
    const cli_table *page = &table->page;
    size_t best = page->columns, most = 0;
    for (size_t i = 0; i < page->columns; i++) {
        if (table->kept[i] || column_width(page, i) > room)
            continue;
        /* Long values come after short ones; names first, bytes and numbers of things last. */
        int about = rank(page, i);
        size_t weight = filled(page, i) * (column_width(page, i) < SHOWN_MAX ? 3 : 2);
        if (weight && about)
            weight = about > 0 ? 4 * weight : 1;
        if (weight > most) {
            best = i;
            most = weight;
        }
    }
    return best;
}

/* Columns that have values on the first page and fit, those with most values first. */
static void choose_first(cli_cat_table *table)
{
    const cli_table *page = &table->page;
    table->kept = cli_memory(NULL, page->columns * sizeof *table->kept);
    for (size_t i = 0; i < page->columns; i++)
        table->kept[i] = table->all || i == 0;
    size_t used = column_width(page, 0) + GAP;
    while (!table->all && used < table->width) {
        size_t best = best_column(table, table->width - used);
        if (best == page->columns)
            break;
        table->kept[best] = true;
        used += column_width(page, best) + GAP;
    }
}

/* Values of later pages may be wider: then the last columns are left out from there on. */
static void choose_columns(cli_cat_table *table)
{
    const cli_table *page = &table->page;
    size_t used = 0;
    if (!table->kept) {
        choose_first(table);
        return;
    }
    for (size_t i = 0; i < page->columns; i++) {
        size_t width = column_width(page, i) + (used ? GAP : 0);
        table->kept[i] = table->all || !used || (table->kept[i] && used + width <= table->width);
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

/* A field of CSV without its quotation marks; of a list or record, which are JSON, without any. */
static void put_unquoted(cli_strbuf *to, const char *text, size_t size, bool nested)
{
    bool quoted = size >= 2 && text[0] == '"' && text[size - 1] == '"';
    for (size_t i = quoted; i < size - quoted; i++) {
        if (!nested || text[i] != '"')
            cli_putc(to, text[i]);
        if (nested && (text[i] == ',' || text[i] == ':'))
            cli_putc(to, ' ');
        i += quoted && text[i] == '"';
    }
}

/* Lists, bytes and texts as in CSV, on one line and without the markup of games. */
static reprise_status put_other(cli_strbuf *to, reprise_rows *rows, size_t column, bool nested,
                                size_t width, reprise_error *error)
{
    reprise_row_text_options style = {.struct_size = sizeof style,
                                      .style = REPRISE_ROW_CSV,
                                      .columns = &column,
                                      .column_count = 1};
    const char *text;
    size_t size;
    if (reprise_row_format(rows, &style, &text, &size, error) != REPRISE_OK)
        return error->status;
    cli_strbuf field = {0}, plain = {0};
    put_unquoted(&field, text, size - (size && text[size - 1] == '\n'), nested);
    cli_put_plain(&plain, cli_strbuf_string(&field), field.size);
    cli_put_cut(to, cli_strbuf_string(&plain), plain.size, width);
    cli_strbuf_free(&field);
    cli_strbuf_free(&plain);
    return REPRISE_OK;
}

static bool is_real(const reprise_column *column)
{
    return column->type == REPRISE_TYPE_FLOAT || column->type == REPRISE_TYPE_DOUBLE;
}

static bool is_number(const reprise_column *column)
{
    return is_real(column) || column->type == REPRISE_TYPE_INT ||
           column->type == REPRISE_TYPE_UINT64;
}

/* game_time is a time as `time` is; integers under such names count frames. */
static bool is_time(const reprise_column *column)
{
    size_t size = strlen(column->name);
    return strcmp(column->name, "time") == 0 ||
           (is_real(column) && size > 5 && strcmp(column->name + size - 5, "_time") == 0);
}

/* Seconds since 1970; 0: not such a time. */
static time_t unix_time_of(const reprise_column *column, const reprise_rows *rows, size_t index)
{
    if (!is_number(column) || strcmp(column->name, "unix_time") != 0)
        return 0;
    double seconds = reprise_row_double(rows, index);
    return seconds > 0 && seconds < 1e12 ? (time_t)seconds : 0;
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
                               size_t width, reprise_error *error)
{
    bool number = is_number(column);
    time_t date = unix_time_of(column, rows, index);
    reprise_status status = REPRISE_OK;
    if (reprise_row_null(rows, index))
        cli_putc(&page->text, '-');
    else if (column->type == REPRISE_TYPE_BOOL)
        cli_puts(&page->text, reprise_row_int(rows, index) ? "yes" : "no");
    else if (date)
        cli_put_unix_time(&page->text, date);
    else if (number && is_time(column))
        cli_put_duration(&page->text, reprise_row_double(rows, index));
    else if (is_real(column))
        cli_put_real(&page->text, reprise_row_double(rows, index), true);
    else if (!put_unit(&page->text, replay, column, rows, index))
        status = put_other(&page->text, rows, index, column->type == REPRISE_TYPE_LIST, width,
                           error);
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
    /* Few columns leave room for one that is long. */
    size_t width = SHOWN_MAX;
    if (count <= FEW_COLUMNS && table->width >= 2 * SHOWN_MAX)
        width = table->width / 2 - FEW_COLUMNS;
    for (size_t i = 0; i < count; i++) {
        size_t column = columns ? columns[i] : i;
        if (put_cell(&table->page, replay, reprise_column_at(replay, track, column), rows, column,
                     width, error) != REPRISE_OK)
            return error->status;
    }
    return REPRISE_OK;
}

static void put_note(const cli_cat_table *table, cli_strbuf *line)
{
    cli_strbuf text = {0};
    if (line->size) {
        cli_put_wrapped(&text, line->data, line->size, 0, table->width);
        cli_putc(&text, '\n');
        cli_out_put(table->to, text.data, text.size);
    }
    cli_strbuf_free(&text);
    cli_strbuf_free(line);
}

/* "units: pos m, speed m/s", for the columns that are shown; a vector counts once. */
static void put_units(const cli_cat_table *table)
{
    const cli_table *page = &table->page;
    cli_strbuf line = {0};
    char last[128] = "";
    for (size_t i = 0; table->kept && i < page->columns; i++) {
        const cli_cell *cell = &page->cells[i];
        const char *name = page->text.data + cell->offset;
        bool axis = cell->size > 2 && name[cell->size - 2] == '_' &&
                    strchr("xyzw", name[cell->size - 1]);
        char key[128];
        snprintf(key, sizeof key, "%.*s", (int)(cell->size - (axis ? 2 : 0)), name);
        const char *unit = table->kept[i] ? cli_unit_of(table->format, key) : NULL;
        if (!unit || strcmp(key, last) == 0)
            continue;
        cli_printf(&line, "%s%s %s", line.size ? ", " : "units: ", key, unit);
        memcpy(last, key, sizeof last);
    }
    put_note(table, &line);
}

void cli_cat_table_end(cli_cat_table *table)
{
    print_page(table);
    cli_strbuf line = {0};
    for (size_t i = 0; table->kept && i < table->page.columns; i++) {
        const cli_cell *cell = &table->page.cells[i];
        if (table->kept[i])
            continue;
        cli_puts(&line, line.size ? ", " : "not shown (see --columns): ");
        cli_put(&line, table->page.text.data + cell->offset, cell->size);
    }
    put_units(table);
    put_note(table, &line);
    cli_table_free(&table->page);
    free(table->kept);
    *table = (cli_cat_table){0};
}
