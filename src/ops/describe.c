/* describe.c - see describe.h. */
#include "describe.h"

#include "verify.h"

reprise_status rp_columns_make(const rp_replay *replay, rp_arena *arena, rp_columns *ret_columns,
                               reprise_error *error)
{
    rp_columns columns = {0};
    for (size_t i = 0; i < replay->format->track_count; i++)
        RP_TRY(rp_track_columns(arena, &replay->format->tracks[i], replay->fields[i],
                                &columns.of[i], &columns.count[i], error));
    *ret_columns = columns;
    return REPRISE_OK;
}

/* ---- findings ---- */

static const char *severity_name(reprise_severity severity)
{
    static const char *const names[] = {"note", "warning", "fault"};
    return names[severity];
}

void rp_describe_finding(rp_doc *doc, reprise_value *to, const rp_finding *finding)
{
    const reprise_finding *about = &finding->about;
    rp_set_text(doc, to, "id", about->id);
    rp_set_text(doc, to, "stream", about->stream);
    rp_set_uint(doc, to, "offset", about->offset);
    rp_set_text(doc, to, "path", about->path);
    rp_set_text(doc, to, "message", about->message);
    rp_set_uint(doc, to, "count", about->count);
}

reprise_value *rp_describe_findings(rp_doc *doc, const rp_findings *findings)
{
    reprise_value *list = rp_new_array(doc);
    for (const rp_finding *f = findings->first; f; f = f->next) {
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "severity", severity_name(f->about.severity));
        rp_describe_finding(doc, one, f);
    }
    return list;
}

/* ---- info ---- */

reprise_status rp_describe_info(rp_replay *replay, rp_doc *doc, reprise_value **ret_info,
                                reprise_error *error)
{
    const rp_format *format = replay->format;
    reprise_value *info = rp_new_object(doc);
    rp_set_text(doc, info, "format", format->name);
    rp_set_text(doc, info, "format_title", format->title);
    rp_set_text(doc, info, "layout", replay->layout);
    rp_set_uint(doc, info, "size", rp_source_size(replay->source));
    RP_TRY(rp_set_length(doc, info, replay, error));
    RP_TRY(format->read->info(replay, doc, info, error));
    /* Always present, even where the format has no people or nothing private. */
    static const char *const lists[] = {"people", "private"};
    for (size_t i = 0; i < RP_COUNT(lists); i++) {
        if (!rp_get(info, lists[i]))
            rp_set_array(doc, info, lists[i]);
    }
    reprise_value *tracks = rp_set_array(doc, info, "tracks");
    for (size_t i = 0; i < format->track_count; i++)
        rp_push(doc, tracks, rp_new_text(doc, format->tracks[i].name));
    rp_set(doc, info, "findings", rp_describe_findings(doc, &replay->findings));
    RP_TRY(doc->error->status);
    *ret_info = info;
    return REPRISE_OK;
}

/* ---- at ---- */

static void add_row(rp_doc *doc, const rp_replay *replay, const rp_columns *columns,
                    const rp_row *row, void *derived, reprise_value *list)
{
    const rp_track *track = &replay->format->tracks[row->track];
    if (track->derive)
        track->derive(replay, row, derived);
    reprise_value *object = rp_push_object(doc, list);
    for (size_t i = 0; i < columns->count[row->track]; i++) {
        const rp_column *column = &columns->of[row->track][i];
        if (column->source == RP_COLUMN_INDEX || column->source == RP_COLUMN_TIME)
            continue;
        rp_set(doc, object, column->about.name, rp_column_new_value(doc, column, row, derived));
    }
}

static void *derived_room(const rp_replay *replay, rp_arena *arena, reprise_error *error)
{
    size_t size = 1;
    for (size_t i = 0; i < replay->format->track_count; i++) {
        const rp_record *derived = replay->format->tracks[i].derived;
        if (derived)
            size = RP_MAX(size, derived->size);
    }
    return rp_arena_alloc(arena, size, error);
}

static uint64_t moment_tracks(const rp_format *format)
{
    uint64_t tracks = 0;
    for (size_t i = 0; i < format->track_count; i++) {
        if (format->tracks[i].clock)
            tracks |= UINT64_C(1) << i;
    }
    return tracks;
}

static reprise_value *state_document(rp_replay *replay, const rp_columns *columns,
                                     const rp_batch *batch, rp_doc *doc)
{
    void *derived = derived_room(replay, doc->arena, doc->error);
    reprise_value *state = rp_new_object(doc);
    if (batch->count) {
        const rp_row *first = &batch->rows[0];
        const rp_track *track = &replay->format->tracks[first->track];
        rp_set_int(doc, state, track->clock, first->index);
        rp_set(doc, state, "time",
               track->time_single ? rp_new_f32(doc, (float)first->time)
                                  : rp_new_f64(doc, first->time));
    }
    for (size_t t = 0; t < replay->format->track_count; t++) {
        if (!replay->format->tracks[t].clock)
            continue;
        reprise_value *list = rp_set_array(doc, state, replay->format->tracks[t].name);
        for (size_t i = 0; derived && i < batch->count; i++) {
            if (batch->rows[i].track == t)
                add_row(doc, replay, columns, &batch->rows[i], derived, list);
        }
    }
    return state;
}

reprise_status rp_describe_at(rp_replay *replay, const rp_columns *columns, reprise_moment moment,
                              rp_doc *doc, reprise_value **ret_state, reprise_error *error)
{
    rp_selection selection = {
        .tracks = moment_tracks(replay->format), .dense = true, .seeks = true};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(replay, selection, &decoder, error));
    reprise_status status = rp_decoder_seek(decoder, moment, error);
    if (status == REPRISE_OK)
        status = rp_decoder_next(decoder, error);
    if (status == REPRISE_OK) {
        *ret_state = state_document(replay, columns, &decoder->batch, doc);
        status = doc->error->status;
        if (status == REPRISE_OK && replay->format->read->at)
            status = replay->format->read->at(decoder, doc, *ret_state, error);
    }
    /* A signature that is shown is also checked. */
    for (size_t i = 0; i < decoder->batch.count && status == REPRISE_OK; i++)
        status = rp_check_tracks(replay,
                                 UINT64_C(1) << decoder->batch.rows[i].track &
                                     rp_vouching_tracks(replay->format),
                                 error);
    rp_decoder_close(decoder);
    return status;
}

/* ---- stats ---- */

reprise_status rp_describe_stats(rp_replay *replay, rp_doc *doc, reprise_value **ret_stats,
                                 reprise_error *error)
{
    const rp_format *format = replay->format;
    if (!format->analyse)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s has no statistics", format->name);
    reprise_value *stats = rp_new_object(doc);
    rp_set_text(doc, stats, "format", format->name);
    rp_set_text(doc, stats, "layout", replay->layout);
    reprise_value *recorded = rp_set_object(doc, stats, "recorded");
    reprise_value *derived = rp_set_object(doc, stats, "derived");
    if (format->read->length)
        rp_set_seconds(doc, derived, "duration", 0); /* its place: stats may learn it on the way */
    RP_TRY(format->analyse->stats(replay, doc, recorded, derived, error));
    reprise_value *known = rp_new_object(doc);
    RP_TRY(rp_set_length(doc, known, replay, error));
    if (format->read->length)
        rp_replace(doc, derived, "duration", rp_copy(doc, rp_get(known, "duration")));
    RP_TRY(rp_check_states(replay, error));
    RP_TRY(doc->error->status);
    *ret_stats = stats;
    return REPRISE_OK;
}

/* ---- summary ---- */

reprise_status rp_describe_summary(rp_replay *replay, rp_doc *doc, const reprise_value *info,
                                   bool complete, reprise_value **ret_summary, reprise_error *error)
{
    reprise_value *stats = NULL;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_doc reading = {.arena = doc->arena, .error = &damage};
    if (complete && replay->format->analyse &&
        rp_describe_stats(replay, &reading, &stats, &damage) != REPRISE_OK) {
        stats = NULL;
        if (rp_is_own_failure(replay->context, damage.status)) {
            *error = damage;
            return error->status;
        }
    }
    *ret_summary = rp_summary_make(doc, replay->format->summary,
                                   &(rp_summary_source){.info = info, .stats = stats});
    return doc->error->status;
}

/* ---- formats and schema ---- */

reprise_status rp_describe_formats(rp_doc *doc, reprise_value **ret_formats)
{
    reprise_value *list = rp_new_array(doc);
    for (size_t i = 0; i < rp_format_count; i++) {
        const rp_format *format = rp_formats[i];
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "name", format->name);
        rp_set_text(doc, one, "title", format->title);
        rp_set_text(doc, one, "extensions", format->extensions);
        reprise_value *layouts = rp_set_array(doc, one, "layouts");
        for (size_t k = 0; k < format->layout_count; k++) {
            reprise_value *layout = rp_push_object(doc, layouts);
            rp_set_text(doc, layout, "name", format->layouts[k].name);
            rp_set_text(doc, layout, "title", format->layouts[k].doc);
            rp_set_bool(doc, layout, "reads", format->layouts[k].reads);
            rp_set_bool(doc, layout, "writes", format->layouts[k].writes);
        }
        reprise_value *tracks = rp_set_array(doc, one, "tracks");
        for (size_t k = 0; k < format->track_count; k++)
            rp_push(doc, tracks, rp_new_text(doc, format->tracks[k].name));
    }
    *ret_formats = list;
    return doc->error->status;
}

static void describe_names(rp_doc *doc, reprise_value *row, const rp_enum *names)
{
    reprise_value *values = rp_set_array(doc, row, "values");
    for (size_t i = 0; i < names->count; i++) {
        reprise_value *one = rp_push_object(doc, values);
        rp_set_int(doc, one, "number", names->values[i].number);
        rp_set_text(doc, one, "name", names->values[i].name);
    }
}

static void describe_record(rp_doc *doc, reprise_value *list, const rp_record *record)
{
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text(doc, one, "name", record->name);
    reprise_value *fields = rp_set_array(doc, one, "fields");
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        reprise_value *row = rp_push_object(doc, fields);
        rp_set_text(doc, row, "name", field->name);
        rp_set_text(doc, row, "type", rp_kind_label[field->kind]);
        rp_set_int(doc, row, "tag", field->tag);
        rp_set_text(doc, row, "doc", field->doc);
        if (rp_field_enum(field))
            describe_names(doc, row, rp_field_enum(field));
    }
}

static void describe_inside(rp_doc *doc, reprise_value *to, const rp_field *field);

static void describe_fields(rp_doc *doc, reprise_value *to, const rp_record *record)
{
    reprise_value *fields = rp_set_array(doc, to, "fields");
    for (size_t i = 0; i < record->count; i++) {
        const rp_field *field = &record->fields[i];
        reprise_value *row = rp_push_object(doc, fields);
        rp_set_text(doc, row, "name", field->name);
        rp_set_text(doc, row, "type", rp_kind_label[field->kind]);
        rp_set_text(doc, row, "doc", field->doc);
        describe_inside(doc, row, field);
    }
}

/* The names of a number, the fields of a record or list, the variants of a tagged union. */
static void describe_inside(rp_doc *doc, reprise_value *to, const rp_field *field)
{
    if (rp_field_enum(field))
        describe_names(doc, to, rp_field_enum(field));
    switch (field->kind) {
    case RP_SEQ:
    case RP_MAP:
    case RP_OPT:
    case RP_REC:
        describe_fields(doc, to, field->sub);
        break;
    case RP_SUM: {
        const rp_sum *sum = field->sub;
        reprise_value *variants = rp_set_array(doc, to, "variants");
        for (uint32_t i = 0; i < sum->count; i++) {
            reprise_value *variant = rp_push_object(doc, variants);
            rp_set_text(doc, variant, "name", sum->names[i]);
            if (sum->variants[i])
                describe_fields(doc, variant, sum->variants[i]);
        }
        break;
    }
    default:
        break;
    }
}

static void describe_track(rp_doc *doc, reprise_value *list, const rp_track *track)
{
    rp_column *columns = NULL;
    size_t count = 0;
    if (rp_track_columns(doc->arena, track, UINT64_MAX, &columns, &count, doc->error) != REPRISE_OK)
        return;
    reprise_value *one = rp_push_object(doc, list);
    rp_set_text(doc, one, "name", track->name);
    rp_set_text(doc, one, "doc", track->doc);
    reprise_value *rows = rp_set_array(doc, one, "columns");
    for (size_t i = 0; i < count; i++) {
        reprise_value *row = rp_push_object(doc, rows);
        rp_set_text(doc, row, "name", columns[i].about.name);
        rp_set_text(doc, row, "type", columns[i].about.type_name);
        rp_set_bool(doc, row, "derived", columns[i].about.derived);
        rp_set_text(doc, row, "doc", columns[i].about.doc);
        if (columns[i].field)
            describe_inside(doc, row, columns[i].field);
    }
}

static void describe_finding(rp_doc *doc, reprise_value *list, const char *format_name,
                             const rp_finding_kind *kind)
{
    reprise_value *one = rp_push_object(doc, list);
    if (format_name)
        rp_set(doc, one, "id", rp_new_format(doc, "%s.%s", format_name, kind->id));
    else
        rp_set_text(doc, one, "id", kind->id);
    rp_set_text(doc, one, "severity", severity_name(kind->severity));
    rp_set_text(doc, one, "doc", kind->text);
    rp_set_bool(doc, one, "shared", format_name != NULL);
}

static void describe_summary_columns(rp_doc *doc, reprise_value *list, const rp_summary *summary)
{
    for (size_t i = 0; i < summary->count; i++) {
        const rp_summary_column *column = &summary->columns[i];
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "name", column->name);
        rp_set_text(doc, one, "type", rp_summary_type_name(column->type));
        rp_set_bool(doc, one, "analysed", column->analysed);
        rp_set_bool(doc, one, "extra", column->extra);
        rp_set_text(doc, one, "doc", column->doc);
    }
}

reprise_status rp_describe_schema(rp_doc *doc, const rp_format *format, reprise_value **ret_schema)
{
    reprise_value *schema = rp_new_object(doc);
    rp_set_text(doc, schema, "format", format->name);
    rp_set_text(doc, schema, "title", format->title);
    reprise_value *tracks = rp_set_array(doc, schema, "tracks");
    for (size_t i = 0; i < format->track_count; i++)
        describe_track(doc, tracks, &format->tracks[i]);
    reprise_value *records = rp_set_array(doc, schema, "records");
    for (size_t i = 0; i < format->record_count; i++)
        describe_record(doc, records, format->records[i]);
    reprise_value *findings = rp_set_array(doc, schema, "findings");
    for (size_t i = 0; i < format->finding_count; i++)
        describe_finding(doc, findings, NULL, &format->findings[i]);
    for (size_t i = 0; i < rp_shared_finding_count; i++)
        describe_finding(doc, findings, format->name, &rp_shared_findings[i]);
    describe_summary_columns(doc, rp_set_array(doc, schema, "summary"), format->summary);
    *ret_schema = schema;
    return doc->error->status;
}
