/* import.c - live.h: import and export. */
#include <time.h>

#include "handle.h"
#include "ironcurtain/import/import.h"
#include "output.h"
#include "playable.h"
#include "recover.h"

static void put_date(int64_t date, char *to, size_t size)
{
    time_t when = date ? (time_t)date : time(NULL);
    struct tm parts;
    if (!gmtime_r(&when, &parts) || !strftime(to, size, "%Y-%m-%dT%H:%M:%SZ", &parts))
        to[0] = '\0';
}

static reprise_status import_into(reprise_replay *handle, const reprise_ic_import_options *options,
                                  int level, rp_sink *sink, rp_doc *doc, reprise_value *report,
                                  reprise_error *error)
{
    rp_replay *replay = rp_use(handle);
    reprise_ic_import_options all = REPRISE_IC_IMPORT_INIT;
    char date[32];
    uint8_t digest[RP_SHA256_SIZE];
    rp_foreign foreign;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    if (!replay->format->foreign)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s replays have no orders to import",
                            replay->format->name);
    put_date(all.date, date, sizeof date);
    RP_TRY(rp_sha256_source(&handle->context, handle->source, digest, error));
    rp_foreign_init(&foreign, &handle->context);
    foreign.carries = all.lossless;
    reprise_status status = replay->format->foreign->read(replay, &foreign, error);
    if (status == REPRISE_OK)
        status = rp_foreign_finish(&foreign, error);
    ic_import_options importing = {.lossless = all.lossless,
                                   .date = date,
                                   .file = rp_source_name(handle->source),
                                   .file_hash = digest,
                                   .level = ic_level(level, RP_LZ4_FASTEST)};
    if (status == REPRISE_OK)
        status = ic_import(&handle->context, &foreign, &importing, sink, doc, report, error);
    if (status == REPRISE_OK)
        rp_report_lost(replay, doc, report);
    rp_foreign_reset(&foreign);
    return status;
}

static reprise_status export(reprise_replay *handle, rp_sink *sink, bool lossy, rp_doc *doc,
                             reprise_value *report, reprise_error *error)
{
    rp_foreign foreign;
    if (strcmp(handle->replay->format->name, "icrep") != 0)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s files are not imported replays",
                            handle->replay->format->name);
    const reprise_value *from = rp_get(((ic_replay *)handle->replay)->metadata, "converted_from");
    const char *name = rp_get_text(from, "source");
    const rp_format *format = name ? rp_format_find(name) : NULL;
    if (!format || !format->foreign || !format->foreign->write)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED,
                            "only replays imported from OpenRA can be exported");
    rp_foreign_init(&foreign, &handle->context);
    reprise_status status = ic_to_foreign((ic_replay *)rp_use(handle), &foreign, error);
    if (status == REPRISE_OK) {
        rp_set_text(doc, report, "format", format->name);
        status = format->foreign->write(&handle->context, &foreign, sink, doc, report, error);
    }
    if (status == REPRISE_OK)
        status = rp_check_playable(&handle->context, format, NULL, sink, lossy, doc, report, error);
    rp_foreign_reset(&foreign);
    return status;
}

/* Opens the output, imports or exports, and reports the size. */
static reprise_status write_out(reprise_replay *handle, const reprise_ic_import_options *options,
                                const reprise_write_options *writing, bool back,
                                const reprise_value **ret_report, reprise_error *error)
{
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = rp_new_object(&doc);
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, writing, error));
    rp_target target = {.path = all.path, .replace = all.replace, .callback = all.sink};
    rp_output output;
    RP_TRY(error->status);
    RP_TRY(rp_output_open(&handle->context, &target, &output, error));
    reprise_status status = back ? export(handle, output.sink, all.lossy, &doc, report, error)
                                 : import_into(handle, options, all.level, output.sink, &doc,
                                               report, error);
    if (status == REPRISE_OK)
        rp_set_uint(&doc, report, "size", rp_sink_size(output.sink));
    if (status == REPRISE_OK)
        status = rp_output_commit(&output, error);
    rp_output_close(&output);
    if (status == REPRISE_OK && ret_report)
        *ret_report = report;
    return status;
}

reprise_status reprise_ic_import(reprise_replay *handle, const reprise_ic_import_options *options,
                                 const reprise_write_options *writing,
                                 const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    return write_out(handle, options, writing, false, ret_report, error);
}

reprise_status reprise_ic_export(reprise_replay *handle, const reprise_write_options *writing,
                                 const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    return write_out(handle, NULL, writing, true, ret_report, error);
}
