/* rows.c - the public functions that read rows. */
#include "rows.h"
#include "handle.h"
#include "printer.h"

struct reprise_rows {
    reprise_replay *handle;
    rp_rows rows;
    rp_arena arena;
    rp_writer text;
    uint64_t text_bytes; /* of all rows so far */
    void *derived;
    bool derived_valid; /* of the current row */
    reprise_error error;
};

static reprise_status prepare_rows(reprise_rows *rows, reprise_error *error)
{
    const rp_format *format = rows->handle->replay->format;
    RP_TRY(rp_refresh_columns(rows->handle, error));
    size_t size = 1;
    for (size_t i = 0; i < format->track_count; i++) {
        if (format->tracks[i].derived)
            size = RP_MAX(size, format->tracks[i].derived->size);
    }
    rows->derived = rp_arena_alloc(&rows->arena, size, error);
    return error->status;
}

reprise_status reprise_rows_open(reprise_replay *handle, const reprise_rows_options *options,
                                 reprise_rows **ret_rows, reprise_error *error)
{
    RP_ENTER(error, handle && ret_rows);
    reprise_rows_options all = REPRISE_ROWS_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    reprise_rows *rows = rp_alloc_zero(&handle->context, 1, sizeof *rows, error);
    if (!rows)
        return error->status;
    rows->handle = rp_retain(handle);
    rp_arena_init(&rows->arena, &handle->context);
    rp_writer_init(&rows->text, &handle->context, SIZE_MAX / 2, &rows->error);
    reprise_status status = rp_rows_open(rp_use(handle), &all, &rows->rows, error);
    if (status == REPRISE_OK)
        status = prepare_rows(rows, error);
    if (status != REPRISE_OK) {
        reprise_rows_close(rows);
        return status;
    }
    *ret_rows = rows;
    return REPRISE_OK;
}

reprise_status rp_end_with_cut(const reprise_replay *handle, reprise_status status,
                               reprise_error *error)
{
    if (status != REPRISE_END || handle->cut.status == REPRISE_OK)
        return status;
    *error = handle->cut;
    return error->status;
}

reprise_status rp_refuse_cut(const reprise_replay *handle, reprise_error *error)
{
    if (handle->cut.status != REPRISE_OK)
        *error = handle->cut;
    return error->status;
}

reprise_status reprise_rows_next(reprise_rows *rows, reprise_error *error)
{
    RP_ENTER(error, rows);
    rows->derived_valid = false;
    return rp_end_with_cut(rows->handle, rp_rows_next(&rows->rows, error), error);
}

void reprise_rows_close(reprise_rows *rows)
{
    if (!rows)
        return;
    rp_rows_close(&rows->rows);
    rp_writer_free(&rows->text);
    rp_arena_free(&rows->arena);
    reprise_replay *handle = rows->handle;
    rp_free(&handle->context, rows, sizeof *rows);
    rp_release(handle);
}

/* Derived values are computed on first access. */
static const void *derived_of(const reprise_rows *rows)
{
    reprise_rows *mutable = (reprise_rows *)(uintptr_t)rows;
    const rp_row *row = rows->rows.row;
    const rp_track *track = &rows->handle->replay->format->tracks[row->track];
    if (!rows->derived_valid && track->derive)
        track->derive(rows->handle->replay, row, mutable->derived);
    mutable->derived_valid = true;
    return rows->derived;
}

/* NULL also before the first row, after the last, and without rows. */
static const rp_column *column_of(const reprise_rows *rows, size_t column)
{
    if (!rows || !rows->rows.row)
        return NULL;
    size_t track = rows->rows.row->track;
    return column < rows->handle->columns.count[track] ? &rows->handle->columns.of[track][column]
                                                       : NULL;
}

size_t reprise_row_track(const reprise_rows *rows)
{
    return !rows || !rows->rows.row ? SIZE_MAX : rows->rows.row->track;
}

int64_t reprise_row_index(const reprise_rows *rows)
{
    return !rows || !rows->rows.row ? 0 : rows->rows.row->index;
}

double reprise_row_time(const reprise_rows *rows)
{
    return !rows || !rows->rows.row ? 0 : rows->rows.row->time;
}

bool reprise_row_stored(const reprise_rows *rows, size_t column)
{
    const rp_column *c = column_of(rows, column);
    if (!c || c->source == RP_COLUMN_DERIVED)
        return false;
    return c->source != RP_COLUMN_STORED || (rows->rows.row->present >> c->presence_bit & 1);
}

bool reprise_row_null(const reprise_rows *rows, size_t column)
{
    const rp_column *c = column_of(rows, column);
    return !c || rp_column_null(c, rows->rows.row, derived_of(rows));
}

/* The column if the current row has a value in it, else NULL. */
static const rp_column *value_of(const reprise_rows *rows, size_t column)
{
    return reprise_row_null(rows, column) ? NULL : column_of(rows, column);
}

int64_t reprise_row_int(const reprise_rows *rows, size_t column)
{
    const rp_column *c = value_of(rows, column);
    return c ? rp_column_int(c, rows->rows.row, derived_of(rows)) : 0;
}

double reprise_row_double(const reprise_rows *rows, size_t column)
{
    const rp_column *c = value_of(rows, column);
    return c ? rp_column_double(c, rows->rows.row, derived_of(rows)) : 0;
}

const char *reprise_row_text(const reprise_rows *rows, size_t column, size_t *ret_size)
{
    const rp_column *c = value_of(rows, column);
    const char *text = NULL;
    size_t size = 0;
    if (c && c->source >= RP_COLUMN_STORED && (c->kind == RP_TEXT || c->kind == RP_BYTES)) {
        const rp_text *value = rp_column_value(c, rows->rows.row, derived_of(rows));
        text = value->data;
        size = value->size;
    } else if (c && c->field && rp_field_enum(c->field)) {
        text = rp_enum_name(rp_field_enum(c->field),
                            rp_column_int(c, rows->rows.row, derived_of(rows)));
        size = text ? strlen(text) : 0;
    }
    if (ret_size)
        *ret_size = size;
    return text;
}

reprise_status reprise_row_format(reprise_rows *rows, const reprise_row_text_options *options,
                                  const char **ret_text, size_t *ret_size, reprise_error *error)
{
    reprise_row_text_options all = {.struct_size = sizeof all};
    RP_ENTER(error, rows && ret_text && ret_size);
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    if (!rows->rows.row)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no current row");
    rp_writer_clear(&rows->text);
    rp_row_text(&rows->text, rows->handle->replay->format, &rows->handle->columns, &all,
                rows->rows.row, derived_of(rows));
    if (rows->error.status != REPRISE_OK) {
        *error = rows->error;
        return error->status;
    }
    rows->text_bytes += rows->text.size;
    RP_TRY(rp_limit(rows->text_bytes, rows->handle->context.output_max,
                    "rows as text:", "output_bytes", error));
    *ret_text = (const char *)rows->text.data;
    *ret_size = rows->text.size;
    return REPRISE_OK;
}

/* ---- printing ---- */

struct reprise_printer {
    reprise_replay *handle;
    reprise_rows *rows;
    rp_sink *sink;
    rp_printer *printer;
};

static reprise_status open_printer(reprise_printer *printer, const reprise_rows_options *options,
                                   const reprise_sink *sink, reprise_error *error)
{
    reprise_replay *handle = printer->handle;
    RP_TRY(rp_sink_open_callback(&handle->context, sink, &printer->sink, error));
    /* Before the rows: formatting takes longer than reading, so threads are of more use to it. */
    RP_TRY(rp_printer_open(&handle->context, printer->sink, &printer->printer, error));
    RP_TRY(reprise_rows_open(handle, options, &printer->rows, error));
    return rp_printer_prepare(printer->printer, handle->replay->format, &handle->columns, error);
}

reprise_status reprise_printer_open(reprise_replay *handle, const reprise_rows_options *options,
                                    const reprise_sink *sink, reprise_printer **ret_printer,
                                    reprise_error *error)
{
    RP_ENTER(error, handle && sink && sink->write && ret_printer);
    reprise_printer *printer = rp_alloc_zero(&handle->context, 1, sizeof *printer, error);
    if (!printer)
        return error->status;
    printer->handle = rp_retain(handle);
    if (open_printer(printer, options, sink, error) != REPRISE_OK) {
        reprise_printer_close(printer);
        return error->status;
    }
    *ret_printer = printer;
    return REPRISE_OK;
}

reprise_rows *reprise_printer_rows(const reprise_printer *printer)
{
    return printer ? printer->rows : NULL;
}

reprise_status reprise_printer_set_style(reprise_printer *printer, size_t track,
                                         const reprise_row_text_options *style,
                                         reprise_error *error)
{
    reprise_row_text_options all = {.struct_size = sizeof all};
    RP_ENTER(error, printer);
    RP_TRY(rp_take_options(&all, sizeof all, style, error));
    return rp_printer_set_style(printer->printer, track, &all, error);
}

reprise_status reprise_printer_row(reprise_printer *printer, reprise_error *error)
{
    RP_ENTER(error, printer);
    const rp_row *row = printer->rows->rows.row;
    if (!row)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no current row");
    return rp_printer_row(printer->printer, row, derived_of(printer->rows), error);
}

reprise_status reprise_printer_end(reprise_printer *printer, reprise_error *error)
{
    RP_ENTER(error, printer);
    return rp_printer_end(printer->printer, error);
}

uint64_t reprise_printer_count(const reprise_printer *printer)
{
    return printer ? rp_printer_written(printer->printer) : 0;
}

void reprise_printer_close(reprise_printer *printer)
{
    if (!printer)
        return;
    reprise_rows_close(printer->rows);
    rp_printer_close(printer->printer);
    rp_sink_close(printer->sink);
    reprise_replay *handle = printer->handle;
    rp_free(&handle->context, printer, sizeof *printer);
    rp_release(handle);
}
