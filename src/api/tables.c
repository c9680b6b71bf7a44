/* tables.c - the functions of reprise/tables.h. */
#include "reprise/tables.h"

#include <math.h>

#include "database.h"
#include "handle.h"
#include "json.h"
#include "table_write.h"
#include "value_table.h"

static reprise_status write_table(reprise_replay *handle, size_t track, reprise_table_form form,
                                  const reprise_table_options *options, const reprise_sink *sink,
                                  rp_table_written *written, reprise_error *error)
{
    reprise_batch_options rows = REPRISE_BATCH_INIT;
    RP_TRY(rp_take_options(&rows, sizeof rows, options->rows, error));
    rp_sink *to = NULL;
    RP_TRY(rp_sink_open_callback(&handle->context, sink, &to, error));
    reprise_status status = rp_table_write(rp_use(handle), track, form, &rows, options->file, to,
                                           written, error);
    rp_sink_close(to);
    return status == REPRISE_OK ? rp_refuse_cut(handle, error) : status;
}

reprise_status reprise_table_write(reprise_replay *handle, size_t track, reprise_table_form form,
                                   const reprise_table_options *options, const reprise_sink *sink,
                                   reprise_table_result *result, reprise_error *error)
{
    RP_ENTER(error, handle && sink && sink->write);
    reprise_table_options all = REPRISE_TABLE_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    reprise_table_result own = {.struct_size = sizeof own};
    if (result)
        RP_TRY(rp_give_struct(result, &own, sizeof own, error));
    rp_table_written written = {0};
    reprise_status status = write_table(handle, track, form, &all, sink, &written, error);
    own.rows = written.rows;
    own.finished = written.finished;
    if (result)
        (void)rp_give_struct(result, &own, sizeof own, error);
    return status;
}

reprise_status reprise_table_write_values(const reprise_value *columns, const reprise_value *rows,
                                          reprise_table_form form, const reprise_sink *sink,
                                          reprise_error *error)
{
    RP_ENTER(error, columns && rows && sink && sink->write);
    rp_context context;
    rp_context_init(&context, NULL);
    rp_sink *to = NULL;
    RP_TRY(rp_sink_open_callback(&context, sink, &to, error));
    reprise_status status = rp_value_table_write(&context, columns, rows, form, to, error);
    rp_sink_close(to);
    return status;
}

/* ---- databases ---- */

struct reprise_database {
    rp_context context;
    rp_database *database;
};

reprise_status reprise_database_new(reprise_database **ret_database, reprise_error *error)
{
    RP_ENTER(error, ret_database);
    rp_context context;
    rp_context_init(&context, NULL);
    reprise_database *database = rp_alloc_zero(&context, 1, sizeof *database, error);
    if (!database)
        return error->status;
    database->context = context;
    if (rp_database_new(&database->context, &database->database, error) != REPRISE_OK) {
        reprise_database_free(database);
        return error->status;
    }
    *ret_database = database;
    return REPRISE_OK;
}

void reprise_database_free(reprise_database *database)
{
    if (!database)
        return;
    rp_context context = database->context;
    rp_database_free(database->database);
    rp_free(&context, database, sizeof *database);
}

/* What a damaged file does not tell stays null. */
static void describe(reprise_replay *handle, rp_database_entry *entry, rp_writer *text)
{
    const reprise_value *info = NULL;
    if (reprise_duration(handle, &entry->duration, NULL) != REPRISE_OK)
        entry->duration = NAN;
    if (reprise_info(handle, &info, NULL) != REPRISE_OK)
        return;
    rp_json_write(text, info, &(rp_json_format){0});
    rp_put_u8(text, 0);
    entry->info = rp_writer_ok(text) ? (const char *)text->data : NULL;
}

static reprise_status add_replay(reprise_database *database, reprise_replay *handle,
                                 const char *file, reprise_table_result *own, reprise_error *error)
{
    rp_writer text;
    reprise_error text_error = REPRISE_ERROR_INIT;
    rp_database_entry entry = {.file = file};
    rp_context_add_input(&database->context, handle->context.input_bytes);
    rp_writer_init(&text, &handle->context, SIZE_MAX / 2, &text_error);
    describe(handle, &entry, &text);
    if (handle->cut.status != REPRISE_OK)
        entry.cut = &handle->cut;
    reprise_status status = rp_database_add(database->database, rp_use(handle), &entry, &own->rows,
                                            &own->finished, error);
    rp_writer_free(&text);
    return status;
}

reprise_status reprise_database_add(reprise_database *database, reprise_replay *handle,
                                    const char *file, reprise_table_result *result,
                                    reprise_error *error)
{
    RP_ENTER(error, database && handle);
    reprise_table_result own = {.struct_size = sizeof own};
    if (result)
        RP_TRY(rp_give_struct(result, &own, sizeof own, error));
    reprise_status status = add_replay(database, handle, file, &own, error);
    if (result)
        (void)rp_give_struct(result, &own, sizeof own, error);
    return status;
}

reprise_status reprise_database_write(reprise_database *database, const reprise_sink *sink,
                                      reprise_error *error)
{
    RP_ENTER(error, database && sink && sink->write);
    rp_sink *to = NULL;
    RP_TRY(rp_sink_open_callback(&database->context, sink, &to, error));
    reprise_status status = rp_database_write(database->database, to, error);
    rp_sink_close(to);
    return status;
}
