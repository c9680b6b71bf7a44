/* render.c - see render.h. */
#include "render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "markup.h"
#include "units.h"

enum {
    TEXT_MAX = 160,     /* columns of a text, without --all */
    WORD_MAX = 48,      /* columns of a text without spaces, without --all */
    LIST_MAX = 24,      /* items on a line, without --all */
    TABLE_MAX = 20,     /* rows of a table, without --all */
    LOG_MAX = 6,        /* rows of a log, in brief */
    TURN_MAX = 6,       /* a table that is too wide is transposed up to this many rows */
    TURN_COLUMNS = 12,  /* and one with more columns than this keeps all of them */
    VECTOR_WIDTH = 7,   /* of one number: -12.345 */
    COLUMNS_FROM = 256, /* rows that are searched for columns */
};

static const char *const paints[] = {
    [CLI_PLAIN] = "",         [CLI_BOLD] = "\033[1m",    [CLI_DIM] = "\033[2m",
    [CLI_RED] = "\033[1;31m", [CLI_YELLOW] = "\033[33m", [CLI_GREEN] = "\033[32m",
    [CLI_CYAN] = "\033[36m",
};

void cli_put_painted(cli_strbuf *to, bool colour, cli_paint paint, const char *text)
{
    bool painted = colour && paint != CLI_PLAIN;
    if (painted)
        cli_puts(to, paints[paint]);
    cli_put_shown(to, text, strlen(text));
    if (painted)
        cli_puts(to, "\033[0m");
}

void cli_put_label(cli_strbuf *to, const char *key)
{
    size_t start = to->size;
    cli_put_shown(to, key, strlen(key));
    for (size_t i = start; i < to->size; i++) {
        if (to->data[i] == '_')
            to->data[i] = ' ';
    }
}

/* ---- kinds of values ---- */

static bool is_number(const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    return kind >= REPRISE_VALUE_INT && kind <= REPRISE_VALUE_DOUBLE;
}

static bool is_real(const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    return kind == REPRISE_VALUE_FLOAT || kind == REPRISE_VALUE_DOUBLE;
}

static bool has_fraction(const reprise_value *value)
{
    double number = is_real(value) ? reprise_value_double(value, 0) : 0;
    return number != floor(number);
}

static bool is_list(const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    return kind == REPRISE_VALUE_ARRAY || kind == REPRISE_VALUE_OBJECT;
}

/* Fits on a line: scalars, lists of scalars, and objects of these. */
static bool is_simple(const reprise_value *value, size_t depth)
{
    if (!is_list(value))
        return true;
    bool object = reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT;
    for (size_t i = 0; i < reprise_value_count(value); i++) {
        const reprise_value *item = reprise_value_at(value, i);
        if (is_list(item) && (!object || depth == 0 || !is_simple(item, depth - 1)))
            return false;
    }
    return true;
}

static bool all_objects(const reprise_value *array)
{
    for (size_t i = 0; i < reprise_value_count(array); i++) {
        if (reprise_value_kind_of(reprise_value_at(array, i)) != REPRISE_VALUE_OBJECT)
            return false;
    }
    return reprise_value_count(array) > 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static bool is_time(const char *key, const reprise_value *value)
{
    /* Integers under these names are frames. */
    if (strcmp(key, "from") == 0 || strcmp(key, "to") == 0)
        return is_real(value);
    return strcmp(key, "duration") == 0 || strcmp(key, "stored_duration") == 0 ||
           strcmp(key, "time") == 0 || strcmp(key, "timer") == 0 ||
           strcmp(key, "first_attack") == 0 || (ends_with(key, "_time") && is_real(value));
}

static bool is_size(const char *key)
{
    if (strcmp(key, "group_size") == 0)
        return false; /* of units */
    return strcmp(key, "size") == 0 || strcmp(key, "bytes") == 0 || ends_with(key, "_size") ||
           ends_with(key, "_bytes");
}

/* ---- on a line ---- */

/* 2027-03-15T15:00:00Z as dates are written in a sentence; other texts as they are. */
static bool put_date(cli_strbuf *to, const char *text, size_t size)
{
    static const char form[] = "0000-00-00T00:00:00";
    for (size_t i = 0; i < sizeof form - 1; i++) {
        bool digit = i < size && text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !digit : i >= size || text[i] != form[i])
            return false;
    }
    bool utc = size == sizeof form && text[size - 1] == 'Z';
    if (size != sizeof form - 1 && !utc)
        return false;
    cli_put(to, text, 10);
    cli_putc(to, ' ');
    cli_put(to, text + 11, 8);
    cli_puts(to, utc ? " (UTC)" : "");
    return true;
}

/* Seconds since 1970, which numbers of 64 bits have as text. 0: not such a time. */
static time_t unix_time_of(const char *key, const reprise_value *value)
{
    if (strcmp(key, "unix_time") != 0 && strcmp(key, "timestamp") != 0)
        return 0;
    const char *text = reprise_value_text(value, NULL);
    double seconds = text ? strtod(text, NULL) : reprise_value_double(value, 0);
    return seconds > 0 && seconds < 1e12 ? (time_t)seconds : 0;
}

void cli_put_unix_time(cli_strbuf *to, time_t seconds)
{
    struct tm date;
    char text[32];
    if (gmtime_r(&seconds, &date) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &date))
        cli_printf(to, "%s (UTC)", text);
    else
        cli_puts(to, "-");
}

static void put_text(cli_strbuf *to, const char *key, const char *text, size_t size, size_t columns)
{
    if (strstr(key, "date") && put_date(to, text, size))
        return;
    cli_strbuf plain = {0};
    cli_put_plain(&plain, text, size);
    /* Nothing could be wrapped in a hash. */
    if (columns != SIZE_MAX && plain.size > WORD_MAX && !memchr(plain.data, ' ', plain.size))
        columns = WORD_MAX;
    cli_put_cut(to, cli_strbuf_string(&plain), plain.size, columns);
    cli_strbuf_free(&plain);
}

static void put_scalar(cli_strbuf *to, const char *key, const reprise_value *value, bool all,
                       bool fixed)
{
    size_t size = 0;
    const char *text;
    time_t date = unix_time_of(key, value);
    if (date) {
        cli_put_unix_time(to, date);
        return;
    }
    switch (reprise_value_kind_of(value)) {
    case REPRISE_VALUE_NULL:
        cli_putc(to, '-');
        return;
    case REPRISE_VALUE_BOOL:
        cli_puts(to, reprise_value_bool(value, false) ? "yes" : "no");
        return;
    case REPRISE_VALUE_STRING:
        text = reprise_value_text(value, &size);
        put_text(to, key, text, size, all ? SIZE_MAX : TEXT_MAX);
        return;
    default:
        break;
    }
    if (is_time(key, value))
        cli_put_duration(to, reprise_value_double(value, 0));
    else if (is_size(key))
        cli_put_size(to, reprise_value_uint(value, 0));
    else if (is_real(value) || fixed)
        cli_put_real(to, reprise_value_double(value, 0), fixed);
    else if (reprise_value_kind_of(value) == REPRISE_VALUE_UINT)
        cli_printf(to, "%llu", (unsigned long long)reprise_value_uint(value, 0));
    else
        cli_printf(to, "%lld", (long long)reprise_value_int(value, 0));
}

/* The unit of a number, if its name does not say it. */
static const char *unit_of(const cli_render *r, const char *key)
{
    return r->replay ? cli_unit_of(reprise_format(r->replay), key) : NULL;
}

static void put_members(const cli_render *r, cli_strbuf *to, const reprise_value *object)
{
    size_t count = reprise_value_count(object);
    for (size_t i = 0; i < count; i++) {
        const reprise_value *item = reprise_value_at(object, i);
        const char *key = reprise_value_key(object, i);
        if (i)
            cli_puts(to, ", ");
        cli_put_label(to, key);
        cli_putc(to, ' ');
        bool nested = is_list(item) && reprise_value_count(item);
        if (nested)
            cli_putc(to, '(');
        cli_put_inline(r, to, key, item);
        if (nested)
            cli_putc(to, ')');
    }
}

static void put_quantity(const cli_render *r, cli_strbuf *to, const char *key,
                         const reprise_value *value, bool fixed)
{
    put_scalar(to, key, value, r->all, fixed);
    const char *unit = is_number(value) ? unit_of(r, key) : NULL;
    if (unit)
        cli_printf(to, " %s", unit);
}

void cli_put_inline(const cli_render *r, cli_strbuf *to, const char *key,
                    const reprise_value *value)
{
    if (!is_list(value)) {
        put_quantity(r, to, key, value, false);
        return;
    }
    size_t count = reprise_value_count(value);
    if (!count) {
        cli_puts(to, "none");
    } else if (reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT) {
        put_members(r, to, value);
    } else {
        size_t shown = r->all || count <= LIST_MAX ? count : LIST_MAX;
        for (size_t i = 0; i < shown; i++) {
            if (i)
                cli_puts(to, ", ");
            cli_put_inline(r, to, key, reprise_value_at(value, i));
        }
        if (shown < count)
            cli_printf(to, " ... %zu more (--all)", count - shown);
    }
}

static void put_unit(const cli_render *r, cli_strbuf *to, const char *order, const char *id)
{
    const char *name = reprise_item_name(r->replay, order, id);
    cli_put_shown(to, name ? name : id, strlen(name ? name : id));
}

/* Counts of units, by their names in the game: "Ranger 5, Ore Refinery 1". */
static void put_units(const cli_render *r, cli_strbuf *to, const reprise_value *counts)
{
    for (size_t i = 0; i < reprise_value_count(counts); i++) {
        cli_puts(to, i ? ", " : "");
        put_unit(r, to, NULL, reprise_value_key(counts, i));
        cli_putc(to, ' ');
        put_scalar(to, "", reprise_value_at(counts, i), r->all, false);
    }
}

static bool are_units(const cli_render *r, const char *key, const reprise_value *value)
{
    return r->replay && reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT &&
           reprise_value_count(value) &&
           (strcmp(key, "produced") == 0 || strcmp(key, "placed") == 0);
}

static const char *order_of(const reprise_value *row)
{
    const char *order = reprise_value_text(reprise_value_get(row, "order"), NULL);
    return order ? order : "";
}

/* Whether a cell is the id of a unit that has a name. */
static bool unit_in(const cli_render *r, const char *key, const reprise_value *row)
{
    const char *item = strcmp(key, "item") == 0
                           ? reprise_value_text(reprise_value_get(row, key), NULL)
                           : NULL;
    return item && reprise_item_name(r->replay, order_of(row), item);
}

/* ---- tables ---- */

/* A column of a table: a member, or the three or four of a vector. */
typedef struct table_column {
    const char *key;
    const char *number; /* of what `key` names, NULL if it names nothing: for rows without a name */
    size_t key_size;    /* without the axis */
    size_t span;
    bool real; /* some values have a fraction */
} table_column;

typedef struct column_list {
    table_column items[CLI_COLUMNS_MAX];
    size_t count;
} column_list;

/* The column that shows a member: its own, or that of its name. */
static table_column *find_column(column_list *columns, const char *key)
{
    for (size_t i = 0; i < columns->count; i++) {
        table_column *column = &columns->items[i];
        if (*column->key == *key && strcmp(column->key, key) == 0)
            return column;
        if (column->number && strcmp(column->number, key) == 0)
            return column;
    }
    return NULL;
}

/* Number of members from `index` that form a vector: name_x, name_y, name_z, optionally name_w. */
static size_t vector_span(const reprise_value *object, size_t index)
{
    static const char axes[] = "xyzw";
    const char *first = reprise_value_key(object, index);
    size_t size = strlen(first);
    if (size < 3 || first[size - 2] != '_')
        return 1;
    size_t span = 0;
    while (span < 4 && index + span < reprise_value_count(object)) {
        const char *key = reprise_value_key(object, index + span);
        if (strlen(key) != size || memcmp(key, first, size - 1) != 0 || key[size - 1] != axes[span])
            break;
        span++;
    }
    return span >= 3 ? span : 1;
}

/* The member that names what a number means: faction and faction_name, unit_type and type. */
static const char *name_of(const reprise_value *object, const char *key)
{
    size_t count = reprise_value_count(object), size = strlen(key);
    bool is_type = strcmp(key, "unit_type") == 0;
    for (size_t i = 0; i < count; i++) {
        const char *other = reprise_value_key(object, i);
        /* Most differ at once; a call for each pair of members would cost a tenth of the verb. */
        if (*other == *key && strncmp(other, key, size) == 0 && strcmp(other + size, "_name") == 0)
            return other;
        if (is_type && strcmp(other, "type") == 0)
            return other;
    }
    return NULL;
}

/*
 * Bytes as they are stored are for programs, and for --all. So are numbers of things that have
 * names: the name is shown in their place.
 */
static void add_columns(column_list *columns, const reprise_value *object, bool all)
{
    size_t count = reprise_value_count(object);
    for (size_t i = 0; i < count;) {
        const char *stored = reprise_value_key(object, i);
        size_t span = vector_span(object, i);
        table_column *found = find_column(columns, stored);
        const char *name = all || found ? NULL : name_of(object, stored);
        const char *key = name ? name : stored;
        if (!found && columns->count < CLI_COLUMNS_MAX && (all || strcmp(key, "raw") != 0)) {
            found = &columns->items[columns->count++];
            *found = (table_column){.key = key, .number = name ? stored : NULL, .span = span};
            found->key_size = strlen(key) - (span > 1 ? 2 : 0);
        }
        if (found && has_fraction(reprise_value_at(object, i)))
            found->real = true;
        i += span;
    }
}

static column_list columns_of(const reprise_value *array, bool all)
{
    column_list found = {0};
    size_t count = reprise_value_count(array);
    for (size_t i = 0; i < count && i < COLUMNS_FROM; i++)
        add_columns(&found, reprise_value_at(array, i), all);
    return found;
}

static size_t index_of(const reprise_value *object, const char *key)
{
    size_t count = reprise_value_count(object);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(reprise_value_key(object, i), key) == 0)
            return i;
    }
    return count;
}

/* Aligns the numbers of vectors below each other. */
static void put_axis(cli_strbuf *to, size_t axis, const reprise_value *value)
{
    cli_strbuf number = {0};
    put_scalar(&number, "", value, true, true);
    size_t room = axis ? VECTOR_WIDTH + 1 : 0;
    cli_fill(to, ' ', number.size < room ? room - number.size : axis > 0);
    cli_put(to, number.data, number.size);
    cli_strbuf_free(&number);
}

static void add_cell(const cli_render *r, cli_table *table, const table_column *column,
                     const reprise_value *object)
{
    size_t index = index_of(object, column->key);
    const reprise_value *value = reprise_value_at(object, index);
    if (column->number && reprise_value_kind_of(value) == REPRISE_VALUE_NULL) {
        index = index_of(object, column->number);
        value = reprise_value_at(object, index);
    }
    bool number = is_number(value);
    if (!value) {
        cli_table_cell(table, false);
        return;
    }
    for (size_t i = 0; i < column->span; i++) {
        const reprise_value *item = reprise_value_at(object, index + i);
        if (column->span > 1)
            put_axis(&table->text, i, item);
        else if (is_list(item))
            cli_put_inline(r, &table->text, column->key, item);
        else if (unit_in(r, column->key, object))
            put_unit(r, &table->text, order_of(object), reprise_value_text(item, NULL));
        else
            put_quantity(r, &table->text, column->key, item, column->real && is_number(item));
    }
    cli_table_cell(table, number);
}

static void put_note(const cli_render *r, size_t indent, const char *label, cli_strbuf *text,
                     const char *more)
{
    if (text->size) {
        cli_fill(r->to, ' ', indent);
        cli_puts(r->to, label);
        cli_puts(text, more);
        cli_put_wrapped(r->to, text->data, text->size, indent + strlen(label), r->width);
        cli_putc(r->to, '\n');
    }
    cli_strbuf_free(text);
}

/* One table, whatever the width: see render.h. */
static void put_fitting(const cli_render *r, size_t indent, cli_table *table)
{
    cli_table_style style = {.indent = indent, .colour = r->colour};
    size_t room = r->width > indent ? r->width - indent : 0;
    cli_strbuf same = {0}, left_out = {0};
    if (!r->all)
        cli_table_drop_blank(table);
    bool few = table->count / table->columns - 1 <= TURN_MAX;
    bool wide = cli_table_width(table) > room;
    if (wide && !r->all && !(few && table->columns > TURN_COLUMNS)) {
        cli_table_drop_same(table, &same);
        put_note(r, indent, "all: ", &same, "");
        wide = cli_table_width(table) > room;
    }
    if (wide) {
        style.turned = few && table->columns > 3;
        style.fold_width = r->width;
        style.wrap_width = style.turned ? r->width : 0;
        if (!style.turned && !r->all)
            cli_table_drop_wide(table, room, &left_out);
    }
    cli_table_put(table, &style, r->to);
    put_note(r, indent, "not shown: ", &left_out, " (--all)");
}

/* The unit of a vector is in its heading; other numbers have theirs after them. */
static void put_heading(const cli_render *r, cli_strbuf *to, const table_column *column)
{
    char key[128];
    snprintf(key, sizeof key, "%.*s", (int)column->key_size, column->key);
    cli_put_label(to, column->number ? column->number : key);
    const char *unit = column->span > 1 ? unit_of(r, key) : NULL;
    if (unit)
        cli_printf(to, " (%s)", unit);
}

void cli_render_table(const cli_render *r, size_t indent, const reprise_value *array)
{
    column_list found = columns_of(array, r->all);
    cli_table table = {.columns = found.count};
    for (size_t i = 0; i < found.count; i++) {
        put_heading(r, &table.text, &found.items[i]);
        cli_table_cell(&table, false);
    }
    size_t count = reprise_value_count(array);
    size_t shown = r->all || count <= TABLE_MAX + 1 ? count : TABLE_MAX;
    for (size_t i = 0; i < shown; i++) {
        for (size_t k = 0; k < found.count; k++)
            add_cell(r, &table, &found.items[k], reprise_value_at(array, i));
    }
    put_fitting(r, indent, &table);
    if (shown < count) {
        cli_fill(r->to, ' ', indent);
        cli_printf(r->to, "... %zu more (--all)\n", count - shown);
    }
    cli_table_free(&table);
}

/* ---- objects ---- */

static bool listed(const char *names, const char *key)
{
    const char *word;
    size_t size, key_size = strlen(key);
    while (names && *names) {
        word = names + strspn(names, " ");
        size = strcspn(word, " ");
        if (size == key_size && memcmp(word, key, size) == 0)
            return true;
        names = word + size;
    }
    return false;
}

void cli_render_heading(const cli_render *r, size_t indent, const char *key, const char *more)
{
    cli_strbuf label = {0};
    cli_put_label(&label, key);
    if (label.size && label.data[0] >= 'a' && label.data[0] <= 'z')
        label.data[0] = (char)(label.data[0] - 'a' + 'A');
    if (more)
        cli_printf(&label, " %s", more);
    cli_putc(r->to, '\n');
    cli_fill(r->to, ' ', indent);
    cli_put_painted(r->to, r->colour, CLI_BOLD, cli_strbuf_string(&label));
    cli_putc(r->to, '\n');
    cli_strbuf_free(&label);
}

/* Whether a value is shown on a line, which may be slightly too long; counts of units wrap. */
static bool fits_line(const cli_render *r, const char *key, const reprise_value *value)
{
    if (!is_simple(value, 1))
        return false;
    if (reprise_value_kind_of(value) != REPRISE_VALUE_OBJECT || are_units(r, key, value))
        return true;
    cli_strbuf line = {0};
    cli_put_inline(r, &line, key, value);
    size_t width = cli_width(cli_strbuf_string(&line), line.size);
    cli_strbuf_free(&line);
    return width < r->width * 3 / 2;
}

void cli_pairs_label(const cli_render *r, cli_table *pairs, const char *key)
{
    if (r->colour)
        cli_puts(&pairs->text, paints[CLI_DIM]);
    cli_put_label(&pairs->text, key);
    if (r->colour)
        cli_puts(&pairs->text, "\033[0m");
    cli_table_cell(pairs, false);
}

void cli_pairs_members(const cli_render *r, cli_table *pairs, const reprise_value *object,
                       const char *skip)
{
    for (size_t i = 0; i < reprise_value_count(object); i++) {
        const char *key = reprise_value_key(object, i);
        const reprise_value *value = reprise_value_at(object, i);
        if (listed(skip, key) || !fits_line(r, key, value))
            continue;
        cli_pairs_label(r, pairs, key);
        if (are_units(r, key, value))
            put_units(r, &pairs->text, value);
        else
            cli_put_inline(r, &pairs->text, key, value);
        cli_table_cell(pairs, false);
    }
}

void cli_pairs_put(const cli_render *r, size_t indent, cli_table *pairs)
{
    cli_table_style style = {.indent = indent, .no_heading = true, .wrap_width = r->width};
    cli_table_put(pairs, &style, r->to);
    cli_table_free(pairs);
}

static bool simple_rows(const reprise_value *array)
{
    for (size_t i = 0; i < reprise_value_count(array); i++) {
        if (!is_simple(reprise_value_at(array, i), 1))
            return false;
    }
    return true;
}

/* Objects with nested tables cannot be rows, so each becomes a block named by its first members. */
static void render_item(const cli_render *r, size_t indent, const char *key, size_t index,
                        const reprise_value *item)
{
    const char *first = reprise_value_key(item, 0);
    const reprise_value *name = reprise_value_get(item, "name");
    const reprise_value *time = reprise_value_get(item, "time");
    cli_strbuf label = {0}, skip = {0};
    if (time) {
        cli_put_inline(r, &label, "time", time);
        cli_puts(&skip, "tick time ");
    } else if (first && !is_list(reprise_value_at(item, 0))) {
        cli_put_inline(r, &label, first, reprise_value_at(item, 0));
        cli_printf(&skip, "%s ", first);
    } else {
        cli_printf(&label, "%zu", index);
    }
    if (name && name != reprise_value_at(item, 0)) {
        cli_puts(&label, ": ");
        cli_put_inline(r, &label, "name", name);
        cli_puts(&skip, "name");
    }
    cli_render_heading(r, indent, key, label.data);
    cli_render_members(r, indent + 2, item, cli_strbuf_string(&skip));
    cli_strbuf_free(&label);
    cli_strbuf_free(&skip);
}

static void render_block(const cli_render *r, size_t indent, const char *key,
                         const reprise_value *value)
{
    if (reprise_value_kind_of(value) == REPRISE_VALUE_OBJECT) {
        cli_render_heading(r, indent, key, NULL);
        cli_render_members(r, indent + 2, value, NULL);
    } else if (!all_objects(value)) {
        cli_render_heading(r, indent, key, NULL);
        cli_fill(r->to, ' ', indent + 2);
        cli_put_value(r->to, value);
        cli_putc(r->to, '\n');
    } else if (simple_rows(value)) {
        cli_render_heading(r, indent, key, NULL);
        cli_render_table(r, indent + 2, value);
    } else {
        for (size_t i = 0; i < reprise_value_count(value); i++)
            render_item(r, indent, key, i, reprise_value_at(value, i));
    }
}

static bool is_cell(const reprise_value *row)
{
    return reprise_value_get(row, "x") && reprise_value_get(row, "y");
}

/* Rows that happen one after another, their parts, and cells of heat maps: not rows of things. */
static bool is_log(const reprise_value *value)
{
    if (reprise_value_kind_of(value) != REPRISE_VALUE_ARRAY || !all_objects(value))
        return false;
    const reprise_value *row = reprise_value_at(value, 0);
    return reprise_value_get(row, "time") || reprise_value_get(row, "tick") ||
           reprise_value_get(row, "strafe") || is_cell(row);
}

static void render_log(const cli_render *r, size_t indent, const char *key,
                       const reprise_value *log)
{
    size_t count = reprise_value_count(log);
    if (!r->brief || r->all || count <= LOG_MAX) {
        render_block(r, indent, key, log);
        return;
    }
    cli_render_heading(r, indent, key, NULL);
    cli_fill(r->to, ' ', indent + 2);
    const reprise_value *from = reprise_value_get(reprise_value_at(log, 0), "time");
    const reprise_value *to = reprise_value_get(reprise_value_at(log, count - 1), "time");
    bool cells = !from && is_cell(reprise_value_at(log, 0));
    cli_printf(r->to, "%zu %s", count, cells ? "cells" : "entries");
    if (from) {
        cli_puts(r->to, ", ");
        cli_put_inline(r, r->to, "time", from);
        cli_puts(r->to, " to ");
        cli_put_inline(r, r->to, "time", to);
    }
    cli_puts(r->to, " (--all)\n");
}

void cli_render_blocks(const cli_render *r, size_t indent, const reprise_value *object,
                       const char *skip)
{
    for (int logs = 0; logs < 2; logs++) {
        for (size_t i = 0; i < reprise_value_count(object); i++) {
            const char *key = reprise_value_key(object, i);
            const reprise_value *value = reprise_value_at(object, i);
            if (listed(skip, key) || fits_line(r, key, value) || is_log(value) != (logs == 1))
                continue;
            if (logs)
                render_log(r, indent, key, value);
            else
                render_block(r, indent, key, value);
        }
    }
}

void cli_render_members(const cli_render *r, size_t indent, const reprise_value *object,
                        const char *skip)
{
    cli_table pairs = {.columns = 2};
    cli_pairs_members(r, &pairs, object, skip);
    cli_pairs_put(r, indent, &pairs);
    cli_render_blocks(r, indent, object, skip);
}

/* ---- findings ---- */

static cli_paint severity_paint(const char *severity)
{
    if (strcmp(severity, "fault") == 0)
        return CLI_RED;
    return strcmp(severity, "warning") == 0 ? CLI_YELLOW : CLI_CYAN;
}

static const char *text_of(const reprise_value *object, const char *key)
{
    const char *text = reprise_value_text(reprise_value_get(object, key), NULL);
    return text ? text : "";
}

static void put_finding_text(const reprise_value *finding, cli_strbuf *to)
{
    const char *path = text_of(finding, "path");
    if (*path) {
        cli_put_shown(to, path, strlen(path));
        cli_puts(to, ": ");
    }
    const char *message = text_of(finding, "message");
    cli_put_shown(to, message, strlen(message));
    uint64_t count = reprise_value_uint(reprise_value_get(finding, "count"), 1);
    if (count > 1)
        cli_printf(to, " (%llu times)", (unsigned long long)count);
}

void cli_render_findings(const cli_render *r, size_t indent, const reprise_value *findings)
{
    cli_table table = {.columns = 4};
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const reprise_value *finding = reprise_value_at(findings, i);
        const char *severity = text_of(finding, "severity");
        cli_put_painted(&table.text, r->colour, severity_paint(severity), severity);
        cli_table_cell(&table, false);
        cli_table_text(&table, text_of(finding, "id"));
        uint64_t offset = reprise_value_uint(reprise_value_get(finding, "offset"), 0);
        cli_put_shown(&table.text, text_of(finding, "stream"), strlen(text_of(finding, "stream")));
        cli_printf(&table.text, "+0x%llx", (unsigned long long)offset);
        cli_table_cell(&table, false);
        put_finding_text(finding, &table.text);
        cli_table_cell(&table, false);
    }
    cli_table_style style = {.indent = indent, .no_heading = true};
    cli_table_put(&table, &style, r->to);
    cli_table_free(&table);
}
