/* catalog_rows.c - see catalog_rows.h. */
#include "catalog_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/file_list.h"
#include "batch/filter.h"
#include "ui/csv.h"
#include "ui/markup.h"
#include "ui/report.h"
#include "ui/table.h"

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cli_memory(NULL, size);
    memcpy(copy, text, size);
    return copy;
}

char *cli_catalog_path(const char *operand, const char *option)
{
    if (option)
        return copy_of(option);
    if (!cli_is_directory(operand))
        return copy_of(operand);
    cli_strbuf path = {0};
    cli_printf(&path, "%s/.reprise/catalog.sqlite", operand);
    return path.data;
}

void cli_catalog_folder(const char *path)
{
    static const char end[] = "/.reprise/catalog.sqlite";
    size_t size = strlen(path), end_size = sizeof end - 1;
    if (size <= end_size || strcmp(path + size - end_size, end) != 0)
        return;
    char *folder = copy_of(path);
    folder[size - strlen("/catalog.sqlite")] = '\0';
    (void)mkdir(folder, 0777); /* opening the catalog says why it cannot be made */
    free(folder);
}

/* ---- rows ---- */

typedef struct rows {
    cli_run *run;
    const cli_ask *query;
    cli_table table;
    cli_strbuf text; /* CSV or JSON */
    size_t count;
} rows;

static bool is_duration(const rows *r, const char *name)
{
    cli_strbuf word = {0};
    cli_printf(&word, " %s ", name);
    bool found = r->query->durations && strstr(r->query->durations, word.data);
    cli_strbuf_free(&word);
    return found;
}

enum { CELL_WIDTH_MAX = 60 };

/* A text without the colours of games; a list of texts, which is JSON here, as words. */
static void put_words(cli_strbuf *to, const char *text, size_t size)
{
    cli_strbuf plain = {0}, words = {0};
    bool list = size > 3 && memcmp(text, "[\"", 2) == 0 && memcmp(text + size - 2, "\"]", 2) == 0;
    cli_put_plain(&plain, text, size);
    for (size_t i = list; list && i + 1 < plain.size; i++) {
        if (plain.data[i] != '"')
            cli_putc(&words, plain.data[i]);
        if (plain.data[i] == ',' && plain.data[i - 1] == '"')
            cli_putc(&words, ' ');
    }
    const cli_strbuf *shown = list ? &words : &plain;
    cli_put_cut(to, cli_strbuf_string(shown), shown->size, CELL_WIDTH_MAX);
    cli_strbuf_free(&plain);
    cli_strbuf_free(&words);
}

static void add_cell(rows *r, const char *name, const reprise_value *value)
{
    reprise_value_kind kind = reprise_value_kind_of(value);
    size_t size = 0;
    const char *text = reprise_value_text(value, &size);
    bool number = !text && reprise_value_kind_of(value) != REPRISE_VALUE_NULL;
    if (text && strcmp(name, "file") == 0)
        cli_put_shown(&r->table.text, text, size); /* complete, to be copied */
    else if (text)
        put_words(&r->table.text, text, size);
    else if (number && is_duration(r, name))
        cli_put_duration(&r->table.text, reprise_value_double(value, 0));
    else if (kind == REPRISE_VALUE_INT || kind == REPRISE_VALUE_UINT)
        cli_printf(&r->table.text, "%lld", (long long)reprise_value_int(value, 0));
    else if (reprise_value_kind_of(value) == REPRISE_VALUE_INT) /* in JSON, large ones are texts */
        cli_printf(&r->table.text, "%lld", (long long)reprise_value_int(value, 0));
    else if (number)
        cli_put_value(&r->table.text, value);
    cli_table_cell(&r->table, number);
}

static void add_names(rows *r, const reprise_value *row)
{
    for (size_t i = 0; i < reprise_value_count(row); i++) {
        const char *name = reprise_value_key(row, i);
        if (r->query->form == CLI_ROWS_TABLE) {
            cli_table_text(&r->table, name);
            continue;
        }
        cli_puts(&r->text, i ? "," : "");
        cli_put_csv(&r->text, name);
    }
    if (r->query->form == CLI_ROWS_CSV)
        cli_putc(&r->text, '\n');
}

static void add_line(rows *r, const reprise_value *row)
{
    if (r->run->common->json) {
        cli_puts(&r->text, r->count ? ",\n" : "[\n");
        cli_put_value(&r->text, row);
        return;
    }
    r->table.columns = reprise_value_count(row);
    if (!r->count)
        add_names(r, row);
    for (size_t i = 0; i < reprise_value_count(row); i++) {
        const reprise_value *value = reprise_value_at(row, i);
        if (r->query->form == CLI_ROWS_TABLE) {
            add_cell(r, reprise_value_key(row, i), value);
        } else {
            cli_puts(&r->text, i ? "," : "");
            cli_put_csv_value(&r->text, value);
        }
    }
    if (r->query->form == CLI_ROWS_CSV)
        cli_putc(&r->text, '\n');
}

static bool add_row(void *ctx, const reprise_value *row)
{
    enum { FLUSH_BYTES = 1 << 16 };
    rows *r = ctx;
    if (reprise_value_count(row) > CLI_COLUMNS_MAX)
        return false;
    add_line(r, row);
    r->count++;
    if (r->text.size > FLUSH_BYTES) {
        cli_out_put(&r->run->out, r->text.data, r->text.size);
        cli_strbuf_clear(&r->text);
    }
    return !r->run->out.cause;
}

/* On a terminal, long texts are cut and columns at the end left out until the table fits. */
static void put_table(rows *r, size_t width)
{
    cli_table_style style = {.colour = r->run->out_colour, .wrap_width = width};
    cli_strbuf dropped = {0};
    if (width && cli_table_width(&r->table) > width) {
        cli_table_drop_empty(&r->table, 1, r->table.columns);
        cli_table_fit(&r->table, width, &dropped);
    }
    cli_table_put(&r->table, &style, &r->text);
    if (dropped.size) {
        cli_puts(&dropped, " (--format-out csv)");
        cli_puts(&r->text, "not shown: ");
        cli_put_wrapped(&r->text, dropped.data, dropped.size, sizeof "not shown: " - 1, width);
        cli_putc(&r->text, '\n');
    }
    cli_strbuf_free(&dropped);
}

static void print_rows(rows *r)
{
    bool table = !r->run->common->json && r->query->form == CLI_ROWS_TABLE;
    size_t width = r->run->out_terminal ? r->run->width : 0;
    if (r->run->common->json)
        cli_puts(&r->text, r->count ? "\n]\n" : "[]\n");
    if (table && r->count)
        put_table(r, width);
    cli_out_put(&r->run->out, r->text.data, r->text.size);
    if (!r->count && r->query->empty) {
        cli_strbuf words = {0};
        cli_printf(&words, "reprise: %s\n", r->query->empty);
        cli_say(r->run, &words);
        cli_strbuf_free(&words);
    }
}

void cli_catalog_advise(reprise_error *error, const char *operand)
{
    const char *folder = cli_is_directory(operand) ? operand : "DIR";
    if (error->status == REPRISE_E_CORRUPT)
        snprintf(error->hint, sizeof error->hint, "'reprise index --rebuild %.50s' makes a new one",
                 folder);
    else if (error->status == REPRISE_E_IO)
        snprintf(error->hint, sizeof error->hint, "'reprise index %.50s' makes one", folder);
}

bool cli_catalog_missing(const char *operand, reprise_error *error)
{
    struct stat info;
    if (stat(operand, &info) == 0)
        return false;
    cli_fail(error, REPRISE_E_IO, "cannot open: %s", strerror(errno));
    return true;
}

int cli_ask_run(cli_run *run, const char *operand, const cli_ask *query)
{
    reprise_error missing = REPRISE_ERROR_INIT;
    if (cli_catalog_missing(operand, &missing))
        return cli_report(run, operand, &missing);
    char *path = cli_catalog_path(operand, NULL);
    reprise_catalog *catalog = NULL;
    reprise_error error = REPRISE_ERROR_INIT;
    rows r = {.run = run, .query = query};
    reprise_status status = reprise_catalog_open(path, NULL, &catalog, &error);
    if (status == REPRISE_OK)
        status = reprise_catalog_query(catalog, query->sql, query->parameters, add_row, &r, &error);
    int code = CLI_DONE;
    if (status == REPRISE_OK)
        print_rows(&r);
    if (status != REPRISE_OK) {
        cli_catalog_advise(&error, operand);
        code = cli_report(run, path, &error);
    }
    reprise_catalog_close(catalog);
    cli_table_free(&r.table);
    cli_strbuf_free(&r.text);
    free(path);
    return code;
}

/* ---- parameters ---- */

cli_parameters cli_parameters_new(void)
{
    cli_parameters p = {0};
    if (reprise_document_new(&p.document, NULL) == REPRISE_OK)
        p.list = reprise_value_new_array(p.document);
    return p;
}

void cli_parameters_text(cli_parameters *to, const char *text)
{
    reprise_value_push(to->document, to->list,
                       reprise_value_new_text(to->document, text, strlen(text)));
}

void cli_parameters_value(cli_parameters *to, const char *text)
{
    double number;
    if (strchr(text, ':') && cli_filter_number(text, &number))
        reprise_value_push(to->document, to->list, reprise_value_new_double(to->document, number));
    else
        cli_parameters_text(to, text);
}

void cli_parameters_free(cli_parameters *parameters)
{
    reprise_document_free(parameters->document);
}

bool cli_is_column_name(const char *name)
{
    return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}
