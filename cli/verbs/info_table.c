/* info_table.c - see info_table.h. */
#include "info_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <reprise/write.h>

#include "info_cells.h"
#include "table_file.h"
#include "ui/csv.h"
#include "ui/render.h"

enum {
    FAMILIES_MAX = 16,
    COLUMNS_MAX = 32,
    SMALL_BYTES = 1 << 18, /* files that are read completely for columns from statistics */
};

/* Columns of every family, before and after its own. */
typedef enum common_column {
    COLUMN_FILE,
    COLUMN_FORMAT,
    COLUMN_LAYOUT,
    COLUMN_SIZE,
    COLUMN_FINDINGS,
    COLUMN_STATUS,
    COMMON_COUNT,
} common_column;
static const char *const common_names[] = {"file", "format",   "layout",
                                           "size", "findings", "status"};
static const char *const common_forms[] = {"path", "text", "text", "size", "count", "text"};

typedef struct family {
    const char *name, *title;
    const reprise_value *columns; /* of the schema: name, type, analysed, extra, doc */
} family;

/* A column of a table: one that all families have, or one of a summary. */
typedef struct column {
    const char *name;
    const char *type; /* as in the schema */
    bool common;
    size_t index; /* common_column, or of the summary */
} column;

/* One file. Values are kept as text for CSV and for people, and as numbers for sorting. */
typedef struct line {
    char *path;
    const family *family; /* NULL: it could not be read */
    bool empty_directory; /* a directory without replays, not a file */
    cli_strbuf texts;     /* for each column: as CSV, then as shown, each terminated */
    double numbers[COMMON_COUNT + COLUMNS_MAX]; /* NaN: not a number, or null */
    cli_strbuf json;
    reprise_document *document; /* for Parquet and Arrow: owns `values` */
    reprise_value *values;      /* as the texts */
    size_t order;
} line;

typedef struct tables {
    cli_run *run;
    const cli_table_choice *choice;
    void (*put_json)(cli_job *, const reprise_value *, const reprise_value *);
    reprise_library *library;
    family families[FAMILIES_MAX];
    size_t family_count;
    bool analyses; /* a column that follows from statistics was asked for by name */
    line **lines;
    size_t count, capacity;
    size_t printed; /* tables with a heading */
} tables;

static const char *text_of(const reprise_value *object, const char *key)
{
    return reprise_value_text(reprise_value_get(object, key), NULL);
}

bool cli_table_chosen(const cli_table_choice *choice)
{
    return choice->where.count || choice->columns.count || choice->sort.count ||
           choice->rows.given || choice->form != CLI_FORM_TABLE;
}

/* Files with warnings are shown like others; only the exit code differs. */
int cli_info_code(const reprise_value *info)
{
    const reprise_value *findings = reprise_value_get(info, "findings");
    for (size_t i = 0; i < reprise_value_count(findings); i++) {
        const char *severity = text_of(reprise_value_at(findings, i), "severity");
        if (severity && strcmp(severity, "note") != 0)
            return CLI_WARNED;
    }
    return CLI_DONE;
}

/* ---- columns ---- */

static reprise_status load_families(tables *t, reprise_error *error)
{
    const reprise_value *formats = NULL;
    reprise_status status = reprise_library_new(&t->library, error);
    if (status == REPRISE_OK)
        status = reprise_formats(t->library, &formats, error);
    for (size_t i = 0; i < reprise_value_count(formats) && status == REPRISE_OK; i++) {
        const reprise_value *schema = NULL;
        status = reprise_schema(t->library, text_of(reprise_value_at(formats, i), "name"), &schema,
                                error);
        if (status == REPRISE_OK && t->family_count < FAMILIES_MAX)
            t->families[t->family_count++] = (family){
                .name = text_of(schema, "format"),
                .title = text_of(schema, "title"),
                .columns = reprise_value_get(schema, "summary")};
    }
    return status;
}

static const char *column_text(const family *f, size_t index, const char *key)
{
    return text_of(reprise_value_at(f->columns, index), key);
}

static bool column_flag(const family *f, size_t index, const char *key)
{
    return reprise_value_bool(reprise_value_get(reprise_value_at(f->columns, index), key), false);
}

/* Whether a family has a column; `f` may be NULL. */
static bool find_column(const family *f, const char *name, column *ret_column)
{
    for (size_t i = 0; i < COMMON_COUNT; i++) {
        if (strcmp(common_names[i], name) == 0) {
            bool number = i == COLUMN_SIZE || i == COLUMN_FINDINGS;
            *ret_column = (column){common_names[i], number ? "int" : "text", true, i};
            return true;
        }
    }
    for (size_t i = 0; f && i < reprise_value_count(f->columns); i++) {
        const char *own = column_text(f, i, "name");
        if (strcmp(own, name) == 0) {
            *ret_column = (column){own, column_text(f, i, "type"), false, i};
            return true;
        }
    }
    return false;
}

static bool is_number_type(const char *type)
{
    return strcmp(type, "int") == 0 || strcmp(type, "real") == 0 || strcmp(type, "seconds") == 0;
}

/* Finds a name in any family. `ret_numbers`: every family that has it has numbers there. */
static bool is_known(const tables *t, const char *name, bool *ret_numbers, bool *ret_analysed)
{
    bool known = false;
    *ret_numbers = true;
    for (size_t i = 0; i < t->family_count; i++) {
        column c;
        if (!find_column(&t->families[i], name, &c))
            continue;
        known = true;
        *ret_numbers = *ret_numbers && is_number_type(c.type);
        *ret_analysed = *ret_analysed ||
                        (!c.common && column_flag(&t->families[i], c.index, "analysed"));
    }
    return known;
}

static void list_columns(const tables *t, cli_strbuf *to)
{
    for (size_t i = 0; i < COMMON_COUNT; i++)
        cli_printf(to, " %s", common_names[i]);
    for (size_t i = 0; i < t->family_count; i++) {
        for (size_t k = 0; k < reprise_value_count(t->families[i].columns); k++) {
            const char *name = column_text(&t->families[i], k, "name");
            column before;
            bool repeats = false;
            for (size_t n = 0; n < i; n++)
                repeats = repeats || find_column(&t->families[n], name, &before);
            if (!repeats)
                cli_printf(to, " %s", name);
        }
    }
}

/* Every name must be a column of some family, and numbers are compared with numbers. */
static bool names_ok(tables *t, cli_strbuf *problem)
{
    const cli_table_choice *c = t->choice;
    size_t total = c->columns.count + c->sort.count + c->where.count;
    for (size_t i = 0; i < total; i++) {
        size_t k = i - c->columns.count, n = k - c->sort.count;
        bool sorts = i >= c->columns.count && k < c->sort.count;
        const cli_condition *where = i >= c->columns.count + c->sort.count ? &c->where.items[n]
                                                                           : NULL;
        const char *name = where ? where->column : sorts ? c->sort.items[k] : c->columns.items[i];
        bool numbers;
        double number;
        if (sorts && *name == '-')
            name++;
        if (!is_known(t, name, &numbers, &t->analyses)) {
            cli_printf(problem, "unknown column '%s'; the columns are", name);
            list_columns(t, problem);
            return false;
        }
        if (where && numbers && !cli_filter_number(where->value, &number)) {
            cli_printf(problem, "column %s holds numbers and cannot be compared with '%s'", name,
                       where->value);
            return false;
        }
    }
    return true;
}

/* The columns of one family's table; a name that it lacks is left out. */
static size_t choose_columns(const tables *t, const family *f, column to[COLUMNS_MAX])
{
    static const char *const ends[] = {"size", "findings"};
    const cli_words *names = &t->choice->columns;
    size_t count = 0;
    for (size_t i = 0; i < names->count && count < COLUMNS_MAX; i++)
        count += find_column(f, names->items[i], &to[count]);
    if (names->count)
        return count;
    count += find_column(f, "file", &to[count]);
    for (size_t i = 0; i < reprise_value_count(f->columns) && count < COLUMNS_MAX - 2; i++) {
        if (!column_flag(f, i, "extra"))
            count += find_column(f, column_text(f, i, "name"), &to[count]);
    }
    for (size_t i = 0; i < CLI_COUNT(ends); i++)
        count += find_column(f, ends[i], &to[count]);
    return count;
}

/* ---- values ---- */

typedef struct values {
    const family *family;
    const char *path;
    const reprise_value *info, *summary;
    const reprise_value *common[COMMON_COUNT];
} values;

static const reprise_value *get_value(const void *ctx, const char *name)
{
    const values *v = ctx;
    column c;
    if (!find_column(v->family, name, &c))
        return NULL;
    return c.common ? v->common[c.index] : reprise_value_at(v->summary, c.index);
}

/* Values that are in no document get one of their own. */
static void make_common(values *v, reprise_document *document, int code)
{
    size_t findings = reprise_value_count(reprise_value_get(v->info, "findings"));
    const char *status = code == CLI_DONE ? "ok" : "warning";
    v->common[COLUMN_FILE] = reprise_value_new_text(document, v->path, strlen(v->path));
    v->common[COLUMN_FORMAT] = reprise_value_get(v->info, "format");
    v->common[COLUMN_LAYOUT] = reprise_value_get(v->info, "layout");
    v->common[COLUMN_SIZE] = reprise_value_get(v->info, "size");
    v->common[COLUMN_FINDINGS] = reprise_value_new_int(document, (int64_t)findings);
    v->common[COLUMN_STATUS] = reprise_value_new_text(document, status, strlen(status));
}

static double number_of(const reprise_value *value)
{
    bool flag = reprise_value_kind_of(value) == REPRISE_VALUE_BOOL;
    return flag ? (double)reprise_value_bool(value, false)
                : reprise_value_double(value, (double)NAN);
}

static void end_text(cli_strbuf *to)
{
    cli_putc(to, '\0');
}

/* ---- one file, on any thread ---- */

static void keep_value(line *l, const reprise_value *value)
{
    if (l->values)
        reprise_value_push(l->document, l->values,
                           value ? value : reprise_value_new_null(l->document));
}

static void fill_line(line *l, const values *v)
{
    size_t own = reprise_value_count(v->family->columns);
    for (size_t i = 0; i < COMMON_COUNT + own && i < COMMON_COUNT + COLUMNS_MAX; i++) {
        column c;
        const char *name = i < COMMON_COUNT ? common_names[i]
                                            : column_text(v->family, i - COMMON_COUNT, "name");
        const reprise_value *value = get_value(v, name);
        (void)find_column(v->family, name, &c);
        cli_info_plain(&l->texts, value);
        end_text(&l->texts);
        cli_info_shown(&l->texts, c.common ? common_forms[c.index] : c.type, value);
        end_text(&l->texts);
        keep_value(l, value);
        l->numbers[i] = number_of(value);
    }
}

static line *new_line(const char *path)
{
    line *l = cli_memory(NULL, sizeof *l);
    *l = (line){0};
    size_t size = strlen(path) + 1;
    l->path = cli_memory(NULL, size);
    memcpy(l->path, path, size);
    return l;
}

static const family *family_of(const tables *t, const char *format)
{
    for (size_t i = 0; i < t->family_count; i++) {
        if (strcmp(t->families[i].name, format) == 0)
            return &t->families[i];
    }
    return &t->families[0]; /* every format is listed */
}

static bool has_analysed(const family *f)
{
    bool any = false;
    for (size_t i = 0; i < reprise_value_count(f->columns); i++)
        any = any || column_flag(f, i, "analysed");
    return any;
}

static const tables *tables_of(const cli_job *job)
{
    return job->ctx;
}

static void show_line(cli_job *job)
{
    const tables *t = tables_of(job);
    values v = {.family = family_of(t, reprise_format(job->replay)), .path = job->path};
    reprise_document *document = NULL;
    if (reprise_info(job->replay, &v.info, &job->error) != REPRISE_OK)
        return;
    uint64_t size = reprise_value_uint(reprise_value_get(v.info, "size"), 0);
    job->code = cli_info_code(v.info);
    bool complete = has_analysed(v.family) && (t->analyses || size <= SMALL_BYTES);
    if (reprise_summary(job->replay, complete, &v.summary, &job->error) != REPRISE_OK ||
        reprise_document_new(&document, &job->error) != REPRISE_OK)
        return;
    make_common(&v, document, job->code);
    if (cli_filter_holds(&t->choice->where, get_value, &v)) {
        line *l = new_line(job->path);
        l->family = v.family;
        if (cli_form_is_file(t->choice->form) &&
            reprise_document_new(&l->document, &job->error) == REPRISE_OK)
            l->values = reprise_value_new_array(l->document);
        fill_line(l, &v);
        if (job->run->common->json)
            t->put_json(job, v.info, v.summary);
        job->result = l;
    }
    reprise_document_free(document);
}

/* ---- all files, on the main thread ---- */

static void collect(void *ctx, cli_job *job)
{
    tables *t = ctx;
    line *l = job->result;
    bool failed = job->error.status != REPRISE_OK;
    if (failed && !t->choice->where.count) {
        l = l ? l : new_line(job->path);
        l->family = NULL;
        cli_strbuf_clear(&l->texts);
        cli_puts(&l->texts, reprise_status_name(job->error.status));
        l->empty_directory = cli_is_directory(job->path);
    }
    if (!l)
        return;
    l->json = job->out;
    job->out = (cli_strbuf){0};
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 : 64;
        t->lines = cli_memory(t->lines, t->capacity * sizeof *t->lines);
    }
    l->order = t->count;
    t->lines[t->count++] = l;
}

static void free_tables(tables *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->lines[i]->path);
        cli_strbuf_free(&t->lines[i]->texts);
        cli_strbuf_free(&t->lines[i]->json);
        reprise_document_free(t->lines[i]->document);
        free(t->lines[i]);
    }
    free(t->lines);
    reprise_library_free(t->library);
}

/* The text of a column: as CSV or as shown. */
static const char *cell_of(const line *l, const column *c, bool shown)
{
    size_t skip = 2 * (c->common ? c->index : COMMON_COUNT + c->index) + shown;
    const char *at = l->texts.data;
    while (skip--)
        at += strlen(at) + 1;
    return at;
}

static double sort_number(const line *l, const column *c)
{
    return l->numbers[c->common ? c->index : COMMON_COUNT + c->index];
}

/* ---- sorting ---- */

/* Missing values come last in either direction. */
static int compare_by(const line *a, const line *b, const char *name)
{
    int sign = *name == '-' ? -1 : 1;
    column ca, cb;
    name += *name == '-';
    bool has_a = a->family && find_column(a->family, name, &ca);
    bool has_b = b->family && find_column(b->family, name, &cb);
    const char *text_a = has_a ? cell_of(a, &ca, false) : "";
    const char *text_b = has_b ? cell_of(b, &cb, false) : "";
    if (!*text_a || !*text_b)
        return (*text_a == '\0') - (*text_b == '\0');
    double x = sort_number(a, &ca), y = sort_number(b, &cb);
    if (!isnan(x) && !isnan(y))
        return sign * ((x > y) - (x < y));
    return sign * strcmp(text_a, text_b);
}

/* qsort has no context, so the lines are sorted by merging, which also keeps equal ones in order.
 */
static int compare_lines(const tables *t, const line *a, const line *b)
{
    for (size_t i = 0; i < t->choice->sort.count; i++) {
        int order = compare_by(a, b, t->choice->sort.items[i]);
        if (order)
            return order;
    }
    return (a->order > b->order) - (a->order < b->order);
}

static void sort_lines(const tables *t, line **lines, line **spare, size_t count)
{
    if (count < 2)
        return;
    size_t half = count / 2, left = 0, right = half;
    sort_lines(t, lines, spare, half);
    sort_lines(t, lines + half, spare, count - half);
    for (size_t i = 0; i < count; i++) {
        bool take_left = right == count ||
                         (left < half && compare_lines(t, lines[left], lines[right]) <= 0);
        spare[i] = lines[take_left ? left++ : right++];
    }
    memcpy(lines, spare, count * sizeof *lines);
}

static void sort_all(tables *t)
{
    if (!t->choice->sort.count || t->count < 2)
        return;
    line **spare = cli_memory(NULL, t->count * sizeof *spare);
    sort_lines(t, t->lines, spare, t->count);
    free(spare);
}

static size_t rows_max(const tables *t)
{
    const cli_number *rows = &t->choice->rows;
    return rows->given && rows->count < SIZE_MAX ? (size_t)rows->count : SIZE_MAX;
}

/* ---- printing ---- */

static void print(tables *t, cli_strbuf *text)
{
    cli_print_screen(t->run, text, 0);
    cli_strbuf_free(text);
}

static void put_heading(tables *t, const char *name, const char *title, cli_strbuf *to)
{
    cli_puts(to, t->printed++ ? "\n" : "");
    cli_put_painted(to, t->run->out_colour, CLI_BOLD, name);
    cli_printf(to, "%s%s\n", title ? ": " : "", title ? title : "");
}

static void put_table(const tables *t, cli_table *table, cli_strbuf *to)
{
    size_t width = t->run->out_terminal ? t->run->width : 0;
    cli_strbuf dropped = {0};
    if (!t->choice->columns.count)
        cli_table_drop_empty(table, 1, table->columns);
    if (width && cli_table_width(table) > width)
        cli_table_fit(table, width, &dropped);
    cli_table_put(table, &(cli_table_style){.colour = t->run->out_colour, .wrap_width = width}, to);
    if (dropped.size)
        cli_printf(to, "not shown: %s (--columns chooses)\n", dropped.data);
    cli_strbuf_free(&dropped);
}

static void print_family(tables *t, const family *f, bool several)
{
    column columns[COLUMNS_MAX];
    size_t count = choose_columns(t, f, columns), rows = 0;
    cli_table table = {.columns = count};
    for (size_t i = 0; i < count; i++)
        cli_table_text(&table, columns[i].name);
    for (size_t i = 0; i < t->count && rows < rows_max(t); i++) {
        if (t->lines[i]->family != f)
            continue;
        rows++;
        for (size_t k = 0; k < count; k++) {
            cli_puts(&table.text, cell_of(t->lines[i], &columns[k], true));
            cli_table_cell(&table, is_number_type(columns[k].type));
        }
    }
    cli_strbuf text = {0};
    if (rows && several)
        put_heading(t, f->name, f->title, &text);
    if (rows && count)
        put_table(t, &table, &text);
    print(t, &text);
    cli_table_free(&table);
}

/* Files that could not be read, with their status. */
static void print_failures(tables *t)
{
    cli_table table = {.columns = 2};
    cli_table_text(&table, "file");
    cli_table_text(&table, "status");
    for (size_t i = 0; i < t->count; i++) {
        if (t->lines[i]->family || t->lines[i]->empty_directory)
            continue;
        cli_table_text(&table, t->lines[i]->path);
        cli_put_painted(&table.text, t->run->out_colour, CLI_RED, t->lines[i]->texts.data);
        cli_table_cell(&table, false);
    }
    cli_strbuf text = {0};
    if (table.count > 2) {
        put_heading(t, "not read", NULL, &text);
        put_table(t, &table, &text);
    }
    print(t, &text);
    cli_table_free(&table);
}

static void print_tables(tables *t)
{
    size_t kinds = 0;
    for (size_t i = 0; i < t->family_count; i++) {
        bool any = false;
        for (size_t k = 0; k < t->count && !any; k++)
            any = t->lines[k]->family == &t->families[i];
        kinds += any;
    }
    bool failures = false;
    for (size_t i = 0; i < t->count; i++)
        failures = failures || (!t->lines[i]->family && !t->lines[i]->empty_directory);
    for (size_t i = 0; i < t->family_count; i++)
        print_family(t, &t->families[i], kinds + failures > 1);
    print_failures(t);
}

/* The names of all columns: as asked for, or those of all families that occur. */
static size_t csv_names(const tables *t, const char *names[FAMILIES_MAX * COLUMNS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < t->choice->columns.count; i++)
        names[count++] = t->choice->columns.items[i];
    if (count)
        return count;
    for (size_t i = 0; i < COMMON_COUNT; i++)
        names[count++] = common_names[i];
    for (size_t i = 0; i < t->family_count; i++) {
        bool occurs = false;
        for (size_t k = 0; k < t->count; k++)
            occurs = occurs || t->lines[k]->family == &t->families[i];
        for (size_t k = 0; occurs && k < reprise_value_count(t->families[i].columns); k++) {
            const char *name = column_text(&t->families[i], k, "name");
            size_t n = 0;
            while (n < count && strcmp(names[n], name) != 0)
                n++;
            names[n] = name;
            count += n == count;
        }
    }
    return count;
}

static void put_csv_cell(cli_strbuf *to, const line *l, const char *name)
{
    column c;
    if (!l->family && strcmp(name, "file") == 0)
        cli_put_csv(to, l->path);
    else if (!l->family && strcmp(name, "status") == 0)
        cli_put_csv(to, l->texts.data);
    else if (l->family && find_column(l->family, name, &c))
        cli_put_csv(to, cell_of(l, &c, false));
}

static void print_csv(tables *t)
{
    const char *names[FAMILIES_MAX * COLUMNS_MAX];
    size_t count = csv_names(t, names);
    cli_strbuf text = {0};
    for (size_t i = 0; i < count; i++) {
        cli_puts(&text, i ? "," : "");
        cli_put_csv(&text, names[i]);
    }
    cli_putc(&text, '\n');
    for (size_t i = 0, rows = 0; i < t->count && rows < rows_max(t); i++) {
        if (t->lines[i]->empty_directory)
            continue;
        rows++;
        for (size_t k = 0; k < count; k++) {
            cli_puts(&text, k ? "," : "");
            put_csv_cell(&text, t->lines[i], names[k]);
        }
        cli_putc(&text, '\n');
    }
    print(t, &text);
}

/* The type of a column that several families have; a text may be one item of a list. */
static const char *type_of(const tables *t, const char *name)
{
    const char *type = NULL;
    for (size_t i = 0; i < t->family_count; i++) {
        column c;
        if (find_column(&t->families[i], name, &c) && (!type || strcmp(c.type, "list") == 0))
            type = c.type;
    }
    return type;
}

static const reprise_value *value_of(reprise_document *document, const line *l, const char *name)
{
    column c;
    const char *text = strcmp(name, "file") == 0     ? l->path
                       : strcmp(name, "status") == 0 ? cli_strbuf_string(&l->texts)
                                                     : NULL;
    if (l->family && find_column(l->family, name, &c))
        return reprise_value_at(l->values, c.common ? c.index : COMMON_COUNT + c.index);
    return l->family || !text ? NULL : reprise_value_new_text(document, text, strlen(text));
}

static int print_table_file(tables *t, reprise_document *document)
{
    const char *names[FAMILIES_MAX * COLUMNS_MAX];
    size_t count = csv_names(t, names);
    reprise_value *columns = reprise_value_new_array(document);
    reprise_value *rows = reprise_value_new_array(document);
    for (size_t i = 0; i < count; i++) {
        reprise_value *about = reprise_value_new_object(document);
        reprise_value_set_text(document, about, "name", names[i]);
        reprise_value_set_text(document, about, "type", type_of(t, names[i]));
        reprise_value_push(document, columns, about);
    }
    for (size_t i = 0, shown = 0; i < t->count && shown < rows_max(t); i++) {
        if (t->lines[i]->empty_directory)
            continue;
        shown++;
        reprise_value *row = reprise_value_new_array(document);
        for (size_t k = 0; k < count; k++) {
            const reprise_value *value = value_of(document, t->lines[i], names[k]);
            reprise_value_push(document, row, value ? value : reprise_value_new_null(document));
        }
        reprise_value_push(document, rows, row);
    }
    return cli_table_print_values(t->run, columns, rows,
                                  t->choice->form == CLI_FORM_PARQUET ? REPRISE_TABLE_PARQUET
                                                                      : REPRISE_TABLE_ARROW_STREAM);
}

/* For other programs, with all formats in one table. */
static int print_for_programs(tables *t)
{
    reprise_document *document = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    if (reprise_document_new(&document, &error) != REPRISE_OK)
        return cli_report(t->run, NULL, &error);
    int code = print_table_file(t, document);
    reprise_document_free(document);
    return code;
}

static void print_json(tables *t)
{
    cli_strbuf text = {0};
    size_t count = 0;
    for (size_t i = 0; i < t->count && count < rows_max(t); i++) {
        cli_puts(&text, count++ ? ",\n" : "[\n");
        cli_put(&text, t->lines[i]->json.data, t->lines[i]->json.size);
    }
    cli_puts(&text, count ? "\n]\n" : "[]\n");
    print(t, &text);
}

int cli_info_table(cli_run *run, const cli_table_choice *choice,
                   void (*put_json)(cli_job *job, const reprise_value *info,
                                    const reprise_value *summary))
{
    tables t = {.run = run, .choice = choice, .put_json = put_json};
    reprise_error error = REPRISE_ERROR_INIT;
    cli_strbuf problem = {0};
    int code;
    if (load_families(&t, &error) != REPRISE_OK) {
        code = cli_report(run, NULL, &error);
    } else if (!names_ok(&t, &problem)) {
        code = cli_usage(run, "info", cli_strbuf_string(&problem));
    } else {
        code = cli_batch_run(
            run,
            &(cli_work){
                .work = show_line, .done = collect, .ctx = &t, .collects = true, .walks = true});
        sort_all(&t);
        if (run->common->json)
            print_json(&t);
        else if (choice->form == CLI_FORM_CSV)
            print_csv(&t);
        else if (cli_form_is_file(choice->form))
            code = cli_exit_worse(code, print_for_programs(&t));
        else
            print_tables(&t);
    }
    cli_strbuf_free(&problem);
    free_tables(&t);
    return code;
}
