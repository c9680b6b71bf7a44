/* write.c - the functions of reprise/write.h: operations and their reports, recording. */
#include <math.h>

#include "diff.h"
#include "edit.h"
#include "handle.h"
#include "recover.h"
#include "row_writer.h"

reprise_status rp_take_write_options(reprise_write_options *to, const reprise_write_options *from,
                                     reprise_error *error)
{
    *to = (reprise_write_options)REPRISE_WRITE_INIT;
    return rp_take_options(to, sizeof *to, from, error);
}

static rp_target target_of(const reprise_write_options *options)
{
    return (rp_target){.path = options->path,
                       .replace = options->replace,
                       .mode = options->mode,
                       .callback = options->sink,
                       .discard = options->dry_run};
}

/* ---- operations ---- */

static reprise_status run(reprise_replay *handle, rp_edit_request *request,
                          const reprise_write_options *options, const reprise_value **ret_report,
                          reprise_error *error)
{
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, options, error));
    RP_TRY(rp_refuse_cut(handle, error));
    rp_target target = target_of(&all);
    /* A separate error for the document: the report is also returned with REPRISE_E_LOSSY. */
    reprise_error broken = REPRISE_ERROR_INIT;
    rp_doc doc = rp_new_answer(handle, &broken);
    reprise_value *report = rp_new_object(&doc);
    request->level = all.level;
    request->long_range = all.long_range;
    request->lossy = all.lossy;
    if (all.layout)
        request->edit.layout = all.layout;
    reprise_status status = rp_edit_run(rp_use(handle), request, &target, &doc, report, error);
    if (error->status == REPRISE_OK)
        *error = broken;
    if (status == REPRISE_OK || status == REPRISE_E_LOSSY)
        if (ret_report)
            *ret_report = report;
    return status;
}

reprise_status reprise_convert(reprise_replay *handle, const reprise_write_options *options,
                               const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    rp_edit_request request = {.edit = {.layout = rp_default_layout(handle->replay->format)}};
    return run(handle, &request, options, ret_report, error);
}

reprise_status reprise_trim(reprise_replay *handle, reprise_bound from, reprise_bound to,
                            bool keep_times, const reprise_write_options *options,
                            const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    rp_edit_request request = {
        .edit = {.trims = true, .keep_times = keep_times}, .from = from, .to = to};
    return run(handle, &request, options, ret_report, error);
}

reprise_status reprise_anonymize(reprise_replay *handle, uint32_t what,
                                 const reprise_write_options *options,
                                 const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    const uint32_t known = REPRISE_PRIVATE_ALL | REPRISE_PRIVATE_MARKS | REPRISE_PRIVATE_WHISPERS;
    if (!what || what & ~known)
        return rp_error_set(error, REPRISE_E_USAGE, "unknown kinds of private data: 0x%x", what);
    rp_edit_request request = {.edit = {.remove = what}};
    return run(handle, &request, options, ret_report, error);
}

reprise_status reprise_recompress(reprise_replay *handle, const reprise_write_options *options,
                                  const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, options, error));
    rp_target target = target_of(&all);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = rp_new_object(&doc);
    rp_write_options how = {.level = all.level, .long_range = all.long_range};
    RP_TRY(rp_refuse_cut(handle, error));
    RP_TRY(rp_recompress(rp_use(handle), &how, &target, &doc, report, error));
    if (ret_report)
        *ret_report = report;
    return REPRISE_OK;
}

reprise_status reprise_recover(reprise_replay *handle, const reprise_write_options *options,
                               const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, handle);
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, options, error));
    rp_target target = target_of(&all);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *report = rp_new_object(&doc);
    rp_write_options how = {.layout = all.layout, .level = all.level};
    RP_TRY(rp_recover(rp_use(handle), &how, &target, &doc, report, error));
    if (ret_report)
        *ret_report = report;
    return REPRISE_OK;
}

enum { MERGE_MAX = 16 };

reprise_status reprise_merge(reprise_replay *const *handles, size_t count, const double *offsets,
                             const reprise_write_options *options, const reprise_value **ret_report,
                             reprise_error *error)
{
    RP_ENTER(error, handles);
    if (count < 2 || count > MERGE_MAX)
        return rp_error_set(error, REPRISE_E_USAGE, "%zu recordings cannot be merged (2-%d)", count,
                            MERGE_MAX);
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, options, error));
    rp_target target = target_of(&all);
    rp_write_options how = {.layout = all.layout, .level = all.level};
    rp_replay *sources[MERGE_MAX];
    double own[MERGE_MAX];
    for (size_t i = 0; i < count; i++) {
        if (!handles[i])
            return rp_error_set(error, REPRISE_E_USAGE, "recording %zu is NULL", i);
        RP_TRY(rp_refuse_cut(handles[i], error));
        sources[i] = rp_use(handles[i]);
        own[i] = offsets ? offsets[i] : NAN;
    }
    rp_doc doc = rp_new_answer(handles[0], error);
    reprise_value *report = rp_new_object(&doc);
    RP_TRY(rp_merge(sources, count, own, &how, &target, &doc, report, error));
    if (ret_report)
        *ret_report = report;
    return REPRISE_OK;
}

reprise_status reprise_diff(reprise_replay *a, reprise_replay *b,
                            const reprise_diff_options *options, bool *ret_equal,
                            const reprise_value **ret_report, reprise_error *error)
{
    RP_ENTER(error, a && b && ret_equal);
    reprise_diff_options all = REPRISE_DIFF_INIT;
    RP_TRY(rp_take_options(&all, sizeof all, options, error));
    rp_doc doc = rp_new_answer(a, error);
    reprise_value *report = rp_new_object(&doc);
    RP_TRY(rp_diff(rp_use(a), rp_use(b), &all, &doc, report, ret_equal, error));
    if (ret_report)
        *ret_report = report;
    return REPRISE_OK;
}

reprise_status reprise_sizes(reprise_replay *handle, const reprise_value **ret_sizes,
                             reprise_error *error)
{
    RP_ENTER(error, handle && ret_sizes);
    const rp_format *format = handle->replay->format;
    if (!format->read->sizes)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s replays have no sizes by part",
                            format->name);
    rp_doc doc = rp_new_answer(handle, error);
    reprise_value *list = rp_new_array(&doc);
    RP_TRY(format->read->sizes(rp_use(handle), &doc, list, error));
    *ret_sizes = list;
    return doc.error->status;
}

/* ---- recording ---- */

struct reprise_writer {
    rp_context context;
    rp_row_writer recorder;
    bool ended;
};

reprise_status reprise_writer_begin(const char *format, const reprise_value *metadata,
                                    const reprise_write_options *options,
                                    const reprise_options *limits, reprise_writer **ret_writer,
                                    reprise_error *error)
{
    RP_ENTER(error, format && ret_writer);
    const rp_format *about = rp_format_find(format);
    if (!about)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no format '%.80s'", format);
    reprise_write_options all;
    RP_TRY(rp_take_write_options(&all, options, error));
    rp_context context;
    rp_context_init(&context, limits);
    reprise_writer *writer = rp_alloc_zero(&context, 1, sizeof *writer, error);
    if (!writer)
        return error->status;
    rp_context_init(&writer->context, limits);
    rp_target target = target_of(&all);
    rp_write_options how = {.layout = all.layout, .level = all.level};
    reprise_status status = rp_row_writer_begin(&writer->recorder, &writer->context, about,
                                                metadata, &how, &target, error);
    if (status != REPRISE_OK) {
        reprise_writer_close(writer);
        return status;
    }
    writer->recorder.lossy = all.lossy;
    *ret_writer = writer;
    return REPRISE_OK;
}

void reprise_writer_close(reprise_writer *writer)
{
    if (!writer)
        return;
    rp_row_writer_free(&writer->recorder);
    writer->context.allocator.free(writer->context.allocator.ctx, writer, sizeof *writer);
}

int reprise_writer_track(const reprise_writer *writer, const char *name)
{
    if (!writer || !name)
        return -1;
    const rp_format *format = writer->recorder.format;
    for (size_t i = 0; i < format->track_count; i++) {
        if (strcmp(format->tracks[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

int reprise_writer_column(const reprise_writer *writer, int track, const char *name)
{
    if (!writer || !name)
        return -1;
    const rp_row_writer *r = &writer->recorder;
    if (track < 0 || (size_t)track >= r->format->track_count)
        return -1;
    for (size_t i = 0; i < r->columns.count[track]; i++) {
        if (strcmp(r->columns.of[track][i].about.name, name) == 0)
            return (int)i;
    }
    return -1;
}

static reprise_status check_open(const reprise_writer *writer, reprise_error *error)
{
    return writer->ended ? rp_error_set(error, REPRISE_E_USAGE, "the recording has ended")
                         : REPRISE_OK;
}

reprise_status reprise_writer_row(reprise_writer *writer, int track, uint32_t object, double time,
                                  reprise_error *error)
{
    RP_ENTER(error, writer);
    RP_TRY(check_open(writer, error));
    return rp_row_writer_row(&writer->recorder, track < 0 ? SIZE_MAX : (size_t)track, object, time,
                             error);
}

reprise_status reprise_writer_set_int(reprise_writer *writer, int column, int64_t value,
                                      reprise_error *error)
{
    RP_ENTER(error, writer);
    return rp_row_writer_set_int(&writer->recorder, column, value, error);
}

reprise_status reprise_writer_set_double(reprise_writer *writer, int column, double value,
                                         reprise_error *error)
{
    RP_ENTER(error, writer);
    return rp_row_writer_set_double(&writer->recorder, column, value, error);
}

reprise_status reprise_writer_set_text(reprise_writer *writer, int column, const char *text,
                                       size_t size, reprise_error *error)
{
    RP_ENTER(error, writer && (text || !size));
    return rp_row_writer_set_text(&writer->recorder, column, text, size, error);
}

reprise_status reprise_writer_set_value(reprise_writer *writer, int column,
                                        const reprise_value *value, reprise_error *error)
{
    RP_ENTER(error, writer && value);
    return rp_row_writer_set_value(&writer->recorder, column, value, error);
}

reprise_status reprise_writer_at(reprise_writer *writer, int64_t index, reprise_error *error)
{
    RP_ENTER(error, writer);
    RP_TRY(check_open(writer, error));
    return rp_row_writer_at(&writer->recorder, index, error);
}

reprise_status reprise_writer_step(reprise_writer *writer, reprise_error *error)
{
    RP_ENTER(error, writer);
    RP_TRY(check_open(writer, error));
    return rp_row_writer_step(&writer->recorder, error);
}

reprise_status reprise_writer_blob(reprise_writer *writer, const char *name, const void *data,
                                   size_t size, reprise_error *error)
{
    RP_ENTER(error, writer && name && (data || !size));
    RP_TRY(check_open(writer, error));
    return rp_row_writer_blob(&writer->recorder, name, data, size, error);
}

reprise_status reprise_writer_end(reprise_writer *writer, reprise_error *error)
{
    RP_ENTER(error, writer);
    RP_TRY(check_open(writer, error));
    writer->ended = true;
    return rp_row_writer_end(&writer->recorder, error);
}
