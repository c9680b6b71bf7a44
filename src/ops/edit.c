/* edit.c - see edit.h. */
#include "edit.h"

#include <string.h>

#include "describe.h"
#include "diff.h"
#include "leak_check.h"
#include "playable.h"
#include "redaction_report.h"
#include "verify.h"

enum { PROGRESS_BATCHES = 1024 };

static reprise_status check_long_range(const rp_format *format, bool asked, reprise_error *error)
{
    return asked && !(format->write && format->write->long_range)
               ? rp_error_set(error, REPRISE_E_USAGE, "%s does not support long-range compression",
                              format->name)
               : REPRISE_OK;
}

/* ---- plans ---- */

static void plan_init(rp_plan *plan, rp_replay *source, const rp_edit *edit, reprise_error *error)
{
    *plan = (rp_plan){.source = source, .edit = *edit};
    rp_arena_init(&plan->arena, source->context);
    rp_arena_init(&plan->scratch, source->context);
    plan->doc = (rp_doc){.arena = &plan->arena, .error = error};
    plan->losses = rp_new_array(&plan->doc);
    plan->notes = rp_new_array(&plan->doc);
    plan->dropped = rp_new_array(&plan->doc);
    plan->substitutions = rp_new_array(&plan->doc);
}

static void plan_free(rp_plan *plan)
{
    const rp_format_edit *edit = plan->source->format->edit;
    if (edit && edit->plan_free)
        edit->plan_free(plan);
    rp_arena_free(&plan->scratch);
    rp_arena_free(&plan->arena);
}

static reprise_status make_plan(rp_plan *plan, const rp_edit_request *request, reprise_error *error)
{
    const rp_format *format = plan->source->format;
    if (!format->edit || !format->write) {
        rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s cannot be written", format->name);
        rp_error_advise(error, REPRISE_HINT_FORMATS);
        return error->status;
    }
    RP_TRY(check_long_range(format, request->long_range, error));
    if (plan->edit.trims) {
        rp_range range;
        RP_TRY(rp_range_find(plan->source, &request->from, &request->to, &range, error));
        plan->edit.index_from = range.index_from;
        plan->edit.index_to = range.index_to;
        plan->edit.time_from = range.time_from;
        plan->edit.time_to = range.time_to;
        plan->edit.time_least = range.time_least;
        plan->edit.time_end = range.time_end;
    }
    RP_TRY(format->edit->plan(plan, error));
    return plan->doc.error->status;
}

static reprise_status refuse_losses(const rp_plan *plan, reprise_error *error)
{
    size_t count = reprise_value_count(plan->losses);
    const char *first = reprise_value_text(reprise_value_at(plan->losses, 0), NULL);
    if (count == 1)
        rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold %s", plan->edit.layout, first);
    else
        rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold %s, and %zu more",
                     plan->edit.layout, first, count - 1);
    rp_error_advise(error, REPRISE_HINT_LOSSY);
    return error->status;
}

/* ---- rows ---- */

/* Keeps the rows of the range and moves them to its start. */
static void cut_batch(const rp_plan *plan, rp_batch *batch)
{
    const rp_edit *edit = &plan->edit;
    const rp_format *format = plan->source->format;
    const rp_track *tracks = format->tracks;
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        rp_row row = batch->rows[i];
        const rp_track *track = &tracks[row.track];
        if (track->clock) {
            bool outside = row.index < edit->index_from || row.index > edit->index_to;
            if (outside && !(format->edit->outlasts_cut && format->edit->outlasts_cut(plan, &row)))
                continue;
            row.index -= edit->index_from;
            if (!edit->keep_times)
                row.time = track->time_single ? (double)((float)row.time - (float)edit->time_from)
                                              : row.time - edit->time_from;
        }
        batch->rows[kept++] = row;
    }
    batch->count = kept;
}

static bool after_range(const rp_plan *plan, const rp_batch *batch)
{
    const rp_track *tracks = plan->source->format->tracks;
    for (size_t i = 0; i < batch->count; i++) {
        if (!tracks[batch->rows[i].track].clock || batch->rows[i].index <= plan->edit.index_to)
            return false;
    }
    return batch->count > 0;
}

static reprise_status encode_batch(rp_plan *plan, rp_encoder *encoder, rp_batch *batch,
                                   reprise_error *error)
{
    const rp_format *format = plan->source->format;
    size_t before = batch->count;
    if (plan->edit.trims && !format->edit->cuts)
        cut_batch(plan, batch);
    if (before && !batch->count)
        return REPRISE_OK;
    if (plan->edit.remove && format->edit->rows) {
        rp_arena_reset(&plan->scratch);
        RP_TRY(format->edit->rows(plan, batch, error));
    }
    return format->write->rows(encoder, batch, error);
}

static reprise_status encode_all(rp_plan *plan, rp_encoder *encoder, reprise_error *error)
{
    rp_replay *source = plan->source;
    /* A cut needs the state of every object at its start, even of unchanged ones. */
    rp_selection selection = {.tracks = (UINT64_C(1) << source->format->track_count) - 1,
                              .dense = plan->edit.trims};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(source, selection, &decoder, error));
    reprise_status status;
    for (uint64_t n = 0; (status = rp_decoder_next(decoder, error)) == REPRISE_OK; n++) {
        if (plan->edit.trims && !source->format->read->track_by_track &&
            !source->format->edit->cuts && after_range(plan, &decoder->batch)) {
            status = REPRISE_END;
            break;
        }
        status = encode_batch(plan, encoder, &decoder->batch, error);
        if (status == REPRISE_OK && n % PROGRESS_BATCHES == 0)
            status = rp_progress(source->context, n, 0, error);
        if (status != REPRISE_OK)
            break;
    }
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

/* ---- blobs ---- */

static reprise_status encode_bytes(rp_encoder *encoder, const rp_carried *carried,
                                   reprise_error *error)
{
    rp_source *bytes = NULL;
    rp_stream *stream = NULL;
    RP_TRY(rp_source_open_memory(encoder->context, carried->content.data, carried->content.size,
                                 &bytes, error));
    reprise_status status = rp_stream_open_range(encoder->context, bytes, 0, carried->content.size,
                                                 carried->name, &stream, error);
    if (status == REPRISE_OK)
        status = encoder->format->write->blob(encoder, carried->name, stream, error);
    rp_stream_close(stream);
    rp_source_close(bytes);
    return status;
}

static reprise_status encode_carried(rp_plan *plan, rp_encoder *encoder, const rp_carried *carried,
                                     reprise_error *error)
{
    if (carried->blob < 0)
        return encode_bytes(encoder, carried, error);
    rp_stream *stream = NULL;
    RP_TRY(
        plan->source->format->read->blob_open(plan->source, (size_t)carried->blob, &stream, error));
    reprise_status status = encoder->format->write->blob(encoder, carried->name, stream, error);
    rp_stream_close(stream);
    return status;
}

static reprise_status write_result(rp_plan *plan, const rp_edit_request *request, rp_sink *sink,
                                   reprise_error *error)
{
    const rp_format *format = plan->source->format;
    rp_write_options options = {.layout = plan->edit.layout,
                                .level = request->level,
                                .long_range = request->long_range,
                                .removed = plan->edit.remove,
                                .cut = plan->edit.trims && format->edit->cuts ? &plan->edit : NULL};
    rp_encoder *encoder = NULL;
    RP_TRY(rp_encoder_open(plan->source->context, format, &options, plan->header, plan->source,
                           sink, &encoder, error));
    reprise_status status = encode_all(plan, encoder, error);
    for (size_t i = 0; i < plan->carried_count && status == REPRISE_OK; i++)
        status = encode_carried(plan, encoder, &plan->carried[i], error);
    if (status == REPRISE_OK)
        status = format->write->end(encoder, error);
    rp_encoder_close(encoder);
    return status;
}

/* ---- checks of the result ---- */

/* Warnings about the result: what they describe was kept. */
static void report_remains(const rp_replay *result, rp_doc *doc, reprise_value *report)
{
    reprise_value *remains = rp_set_array(doc, report, "remains");
    for (const rp_finding *f = result->findings.first; f; f = f->next) {
        if (f->about.severity == REPRISE_NOTE)
            continue;
        reprise_value *one = rp_push_object(doc, remains);
        rp_set_text(doc, one, "id", f->about.id);
        rp_set_text(doc, one, "message", f->about.message);
    }
}

/* The first fault of the result that the source does not have too, or NULL. */
static const rp_finding *new_fault(const rp_replay *result, const rp_replay *source)
{
    for (const rp_finding *f = result->findings.first; f; f = f->next) {
        const rp_finding *same = source->findings.first;
        while (same && strcmp(same->about.id, f->about.id) != 0)
            same = same->next;
        if (f->about.severity == REPRISE_FAULT && !(same && same->about.severity == REPRISE_FAULT))
            return f;
    }
    return NULL;
}

static bool has_fault(const rp_replay *result)
{
    const rp_finding *worst = rp_worst_finding(&result->findings);
    return worst && worst->about.severity == REPRISE_FAULT;
}

/*
 * Fails if the result has a fault, or, without `proves`, one that the source does not have. Faults
 * copied from the source are noted as findings of the source.
 */
static reprise_status check_result(const rp_replay *result, rp_replay *source, bool proves,
                                   reprise_error *error)
{
    if (!has_fault(result))
        return REPRISE_OK;
    if (!proves)
        RP_TRY(rp_check(source, error));
    const rp_finding *fault = proves ? rp_worst_finding(&result->findings)
                                     : new_fault(result, source);
    return fault ? rp_error_set(error, REPRISE_E_CORRUPT, "the result does not verify: %s",
                                fault->about.message)
                 : REPRISE_OK;
}

/* Verifies the result by reading all of it. */
static reprise_status verify_result(rp_sink *sink, rp_replay *source, bool proves,
                                    rp_doc *report_doc, reprise_value *report, reprise_error *error)
{
    rp_source *bytes = NULL;
    rp_replay *result = NULL;
    rp_arena arena;
    rp_arena_init(&arena, source->context);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_status status = rp_sink_reopen(sink, &bytes, error);
    if (status == REPRISE_OK)
        status = rp_replay_open(source->context, bytes, source->format->name, NULL, &result, error);
    /* Orders are copied or dropped on purpose; simulating them again would prove nothing. */
    reprise_simulating simulate = source->context->simulate;
    source->context->simulate = REPRISE_SIMULATE_NEVER;
    if (status == REPRISE_OK)
        status = rp_verify(result, &doc, rp_new_object(&doc), error);
    source->context->simulate = simulate;
    if (status == REPRISE_OK)
        status = check_result(result, source, proves, error);
    if (status == REPRISE_OK && proves)
        report_remains(result, report_doc, report);
    else if (status == REPRISE_OK)
        rp_set_bool(report_doc, rp_get(report, "proof"), "verified", !has_fault(result));
    rp_replay_close(result);
    rp_source_close(bytes);
    rp_arena_free(&arena);
    return status;
}

/* Fails if the edit would still remove rows from the result. */
static reprise_status search_rows(rp_plan *plan, rp_replay *result, uint64_t *ret_rows,
                                  reprise_error *error)
{
    const rp_format *format = plan->source->format;
    rp_selection selection = {.tracks = (UINT64_C(1) << format->track_count) - 1};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(result, selection, &decoder, error));
    reprise_status status;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        size_t before = decoder->batch.count;
        rp_arena_reset(&plan->scratch);
        *ret_rows += before;
        status = format->edit->rows(plan, &decoder->batch, error);
        if (status == REPRISE_OK && decoder->batch.count != before)
            status = rp_error_set(error, REPRISE_E_CORRUPT,
                                  "private rows are still in the result, which is discarded");
        if (status != REPRISE_OK)
            break;
    }
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

static reprise_status prove_rows(rp_plan *plan, rp_sink *sink, rp_doc *doc, reprise_value *report,
                                 reprise_error *error)
{
    rp_replay *source = plan->source, *result = NULL;
    rp_source *bytes = NULL;
    uint64_t rows = 0;
    RP_TRY(rp_sink_reopen(sink, &bytes, error));
    reprise_status status = rp_replay_open(source->context, bytes, source->format->name, NULL,
                                           &result, error);
    if (status == REPRISE_OK)
        status = search_rows(plan, result, &rows, error);
    rp_replay_close(result);
    rp_source_close(bytes);
    rp_set_uint(doc, rp_get(report, "proof"), "rows", rows);
    return status;
}

static reprise_status prove(rp_plan *plan, const rp_edit_request *request, rp_sink *sink,
                            rp_doc *doc, reprise_value *report, reprise_error *error)
{
    if (plan->edit.remove)
        RP_TRY(rp_leak_check(plan->source, plan->substitutions, sink, doc, report, error));
    if (plan->edit.remove && plan->source->format->edit->rows)
        RP_TRY(prove_rows(plan, sink, doc, report, error));
    if (plan->edit.remove)
        RP_TRY(rp_redaction_report(plan->source, plan->edit.remove, sink, doc, report, error));
    if (plan->edit.remove || request->proves)
        RP_TRY(verify_result(sink, plan->source, request->proves, doc, report, error));
    return REPRISE_OK;
}

/* ---- all of it ---- */

static void report_plan(const rp_plan *plan, rp_doc *doc, reprise_value *report)
{
    rp_set_text(doc, report, "format", plan->source->format->name);
    rp_set_text(doc, report, "from_layout", plan->source->layout);
    rp_set_text(doc, report, "layout", plan->edit.layout);
    if (plan->edit.trims) {
        reprise_value *range = rp_set_object(doc, report, "range");
        rp_set_int(doc, range, "first", plan->edit.index_from);
        rp_set_int(doc, range, "last", plan->edit.index_to);
        rp_set_f64(doc, range, "from", plan->edit.time_from);
        rp_set_f64(doc, range, "to", plan->edit.time_to);
    }
    rp_set(doc, report, "losses", rp_copy(doc, plan->losses));
    rp_set(doc, report, "dropped", rp_copy(doc, plan->dropped));
    rp_set(doc, report, "notes", rp_copy(doc, plan->notes));
    if (plan->edit.remove)
        rp_set(doc, report, "substitutions", rp_copy(doc, plan->substitutions));
}

/* Makes the result visible if everything before succeeded, and closes it in any case. */
static reprise_status finish_output(rp_output *output, reprise_status status, rp_doc *doc,
                                    reprise_value *report, reprise_error *error)
{
    uint64_t size = rp_sink_size(output->sink);
    if (status == REPRISE_OK)
        status = rp_output_commit(output, error);
    rp_output_close(output);
    if (status == REPRISE_OK)
        rp_set_uint(doc, report, "size", size);
    return status == REPRISE_OK ? doc->error->status : status;
}

static reprise_status run_plan(rp_plan *plan, const rp_edit_request *request,
                               const rp_target *target, rp_doc *doc, reprise_value *report,
                               reprise_error *error)
{
    if (reprise_value_count(plan->losses) && !request->lossy)
        return refuse_losses(plan, error);
    rp_output output;
    RP_TRY(rp_output_open(plan->source->context, target, &output, error));
    reprise_status status = write_result(plan, request, output.sink, error);
    if (status == REPRISE_OK)
        status = rp_check_playable(plan->source->context, plan->source->format, plan->source,
                                   output.sink, request->lossy, doc, report, error);
    if (status == REPRISE_OK)
        status = prove(plan, request, output.sink, doc, report, error);
    return finish_output(&output, status, doc, report, error);
}

reprise_status rp_edit_run(rp_replay *source, const rp_edit_request *request,
                           const rp_target *target, rp_doc *doc, reprise_value *report,
                           reprise_error *error)
{
    rp_plan plan;
    plan_init(&plan, source, &request->edit, error);
    reprise_status status = make_plan(&plan, request, error);
    if (status == REPRISE_OK) {
        report_plan(&plan, doc, report);
        status = run_plan(&plan, request, target, doc, report, error);
    }
    if (status == REPRISE_OK)
        status = rp_check(source, error);
    plan_free(&plan);
    return status;
}

/* ---- recompress ---- */

/* Compares two streams to their end. */
static reprise_status compare_streams(rp_stream *a, rp_stream *b, bool *ret_equal,
                                      reprise_error *error)
{
    *ret_equal = true;
    while (*ret_equal) {
        uint8_t left[4096], right[sizeof left];
        size_t x = 0, y = 0;
        RP_TRY(rp_stream_read(a, left, sizeof left, &x, error));
        RP_TRY(rp_stream_read(b, right, sizeof right, &y, error));
        *ret_equal = x == y && memcmp(left, right, x) == 0;
        if (!x)
            break;
    }
    return REPRISE_OK;
}

/* Content of unknown types has no rows, so the decompressed bytes are compared. */
static reprise_status compare_unpacked(rp_replay *a, rp_replay *b, bool *ret_equal,
                                       reprise_error *error)
{
    const rp_format *format = a->format;
    *ret_equal = true;
    for (size_t i = 0; *ret_equal; i++) {
        rp_stream *left = NULL, *right = NULL;
        reprise_status one = format->read->stream_open(a, i, &left, error);
        reprise_status other = one == REPRISE_OK || one == REPRISE_END
                                   ? format->read->stream_open(b, i, &right, error)
                                   : one;
        if (one == REPRISE_OK && other == REPRISE_OK)
            (void)compare_streams(left, right, ret_equal, error);
        else
            *ret_equal = one == other;
        rp_stream_close(left);
        rp_stream_close(right);
        RP_TRY(error->status);
        if (one == REPRISE_END)
            break;
    }
    return REPRISE_OK;
}

static reprise_status compare_content(rp_replay *a, rp_replay *b, bool *ret_equal,
                                      reprise_error *error)
{
    reprise_status status = rp_same_content(a, b, ret_equal, error);
    if (status != REPRISE_E_UNSUPPORTED || !a->format->read->stream_open)
        return status;
    rp_error_clear(error);
    return compare_unpacked(a, b, ret_equal, error);
}

static reprise_status compare_result(rp_replay *source, rp_sink *sink, reprise_error *error)
{
    rp_source *bytes = NULL;
    rp_replay *result = NULL;
    bool equal = false;
    RP_TRY(rp_sink_reopen(sink, &bytes, error));
    reprise_status status = rp_replay_open(source->context, bytes, source->format->name,
                                           source->layout, &result, error);
    if (status == REPRISE_OK)
        status = compare_content(source, result, &equal, error);
    if (status == REPRISE_OK && !equal)
        status = rp_error_set(error, REPRISE_E_CORRUPT,
                              "the result differs from the source and is discarded");
    rp_replay_close(result);
    rp_source_close(bytes);
    return status;
}

/* Writes the result, compares and checks it; it is not visible yet. */
static reprise_status repack(rp_replay *source, const rp_write_options *how, rp_sink *sink,
                             rp_doc *doc, reprise_value *report, reprise_error *error)
{
    RP_TRY(source->format->edit->recompress(source, how, sink, error));
    RP_TRY(compare_result(source, sink, error));
    return rp_check_playable(source->context, source->format, source, sink, false, doc, report,
                             error);
}

/* Replaces a result that is larger than the source with a copy of the source. */
static reprise_status keep_original(rp_replay *source, const rp_target *target, rp_output *output,
                                    reprise_error *error)
{
    rp_output_close(output);
    RP_TRY(rp_output_open(source->context, target, output, error));
    return rp_sink_copy(output->sink, source->source, error);
}

/* A result that is not smaller is reported. */
static void report_sizes(const rp_replay *source, uint64_t packed, uint64_t written, rp_doc *doc,
                         reprise_value *report)
{
    uint64_t before = rp_source_size(source->source);
    rp_set_text(doc, report, "format", source->format->name);
    rp_set_text(doc, report, "layout", source->layout);
    rp_set_uint(doc, report, "size_before", before);
    rp_set_uint(doc, report, "size", written);
    reprise_value *notes = rp_set_array(doc, report, "notes");
    if (packed <= before)
        return;
    unsigned long long more = packed - before;
    rp_push(doc, notes,
            written > before
                ? rp_new_format(
                      doc, "%llu bytes larger than the original, which was better compressed", more)
                : rp_new_format(doc, "kept as it was: recompressed, it would be %llu bytes larger",
                                more));
}

reprise_status rp_recompress(rp_replay *source, const rp_write_options *options,
                             const rp_target *target, rp_doc *doc, reprise_value *report,
                             reprise_error *error)
{
    const rp_format *format = source->format;
    if (!format->edit || !format->edit->recompress)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s cannot be recompressed",
                            format->name);
    RP_TRY(check_long_range(format, options->long_range, error));
    /* Recompressed files are kept for long: without a level, use the best compression. */
    rp_write_options how = *options;
    how.smallest = how.level == REPRISE_LEVEL_DEFAULT;
    if (how.smallest)
        how.level = REPRISE_LEVEL_COMPACT;
    RP_TRY(rp_check(source, error));
    rp_output output;
    RP_TRY(rp_output_open(source->context, target, &output, error));
    reprise_status status = repack(source, &how, output.sink, doc, report, error);
    uint64_t packed = rp_sink_size(output.sink), written = packed;
    if (status == REPRISE_OK && how.smallest && packed > rp_source_size(source->source)) {
        status = keep_original(source, target, &output, error);
        written = rp_source_size(source->source);
    }
    if (status == REPRISE_OK)
        status = rp_output_commit(&output, error);
    rp_output_close(&output);
    if (status == REPRISE_OK)
        report_sizes(source, packed, written, doc, report);
    return status == REPRISE_OK ? doc->error->status : status;
}

/* ---- merge ---- */

reprise_status rp_merge(rp_replay *const *sources, size_t count, double *offsets,
                        const rp_write_options *options, const rp_target *target, rp_doc *doc,
                        reprise_value *report, reprise_error *error)
{
    const rp_format *format = sources[0]->format;
    for (size_t i = 0; i < count; i++) {
        if (sources[i]->format != format || !format->edit || !format->edit->merge)
            return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s cannot be merged with %s",
                                format->name, sources[i]->format->name);
    }
    rp_output output;
    RP_TRY(rp_output_open(sources[0]->context, target, &output, error));
    reprise_status status = format->edit->merge(sources, count, offsets, options, output.sink, doc,
                                                report, error);
    if (status == REPRISE_OK)
        status = verify_result(output.sink, sources[0], true, doc, report, error);
    return finish_output(&output, status, doc, report, error);
}
