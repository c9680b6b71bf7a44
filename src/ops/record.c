/* record.c - see record.h. */
#include "record.h"

#include <string.h>

#include "json.h"

/* ---- begin ---- */

static reprise_status parse_metadata(rp_recorder *r, const char *metadata, reprise_error *error)
{
    rp_doc doc = {.arena = &r->arena, .error = error};
    if (!metadata || !*metadata)
        metadata = "{}";
    return rp_json_parse(&doc, metadata, strlen(metadata), "metadata", &r->header, NULL);
}

static reprise_status make_columns(rp_recorder *r, reprise_error *error)
{
    for (size_t i = 0; i < r->format->track_count; i++)
        RP_TRY(rp_track_columns(&r->arena, &r->format->tracks[i], UINT64_MAX, &r->columns.of[i],
                                &r->columns.count[i], error));
    return REPRISE_OK;
}

reprise_status rp_recorder_begin(rp_recorder *r, rp_context *context, const char *format,
                                 const char *metadata, const rp_write_options *options,
                                 const rp_target *target, reprise_error *error)
{
    *r = (rp_recorder){.context = context, .format = rp_format_find(format)};
    rp_arena_init(&r->arena, context);
    rp_arena_init(&r->frame, context);
    if (!r->format)
        return rp_error_set(error, REPRISE_E_USAGE, "no format is called '%s'", format);
    if (!r->format->encode_begin)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s is not written", format);
    RP_TRY(parse_metadata(r, metadata, error));
    RP_TRY(make_columns(r, error));
    RP_TRY(rp_output_open(context, target, &r->output, error));
    return rp_encoder_open(context, r->format, options, r->header, NULL, r->output.sink,
                           &r->encoder, error);
}

void rp_recorder_free(rp_recorder *r)
{
    rp_encoder_close(r->encoder);
    rp_output_close(&r->output);
    rp_batch_free(r->context, &r->batch);
    rp_arena_free(&r->frame);
    rp_arena_free(&r->arena);
}

/* ---- rows ---- */

static size_t row_size(const rp_track *track)
{
    size_t size = 1;
    for (size_t i = 0; i < track->part_count; i++)
        size = RP_MAX(size, track->parts[i].offset + track->parts[i].record->size);
    return size;
}

/* The last row of an object, zeroed if it never had one. */
static void *state_of(rp_recorder *r, size_t track, uint32_t object, reprise_error *error)
{
    if (object >= r->state_count[track]) {
        if (rp_limit(object, r->context->limits.items_max, "object", "items", error) != REPRISE_OK)
            return NULL;
        size_t count = RP_MAX((size_t)object + 1, 2 * r->state_count[track]);
        void **states = rp_arena_array(&r->arena, count, sizeof *states, error);
        if (!states)
            return NULL;
        if (r->state_count[track])
            memcpy(states, r->states[track], r->state_count[track] * sizeof *states);
        r->states[track] = states;
        r->state_count[track] = count;
    }
    if (!r->states[track][object])
        r->states[track][object] = rp_arena_alloc(&r->arena, row_size(&r->format->tracks[track]),
                                                  error);
    return r->states[track][object];
}

reprise_status rp_recorder_row(rp_recorder *r, size_t track, uint32_t object, double time,
                               reprise_error *error)
{
    if (track >= r->format->track_count)
        return rp_error_set(error, REPRISE_E_USAGE, "%s has no track %zu", r->format->name, track);
    const rp_track *about = &r->format->tracks[track];
    void *data = about->kind == RP_TRACK_STATE ? state_of(r, track, object, error)
                                               : rp_arena_alloc(&r->frame, row_size(about), error);
    rp_row *row = data ? rp_batch_add(r->context, &r->batch, error) : NULL;
    if (!row)
        return error->status;
    *row = (rp_row){
        .track = (uint32_t)track, .object = object, .index = r->index, .time = time, .data = data};
    return REPRISE_OK;
}

static reprise_status current(rp_recorder *r, int column, rp_row **ret_row,
                              const rp_column **ret_column, reprise_error *error)
{
    if (!r->batch.count)
        return rp_error_set(error, REPRISE_E_USAGE, "a row must be begun first");
    rp_row *row = &r->batch.rows[r->batch.count - 1];
    if (column < 0 || (size_t)column >= r->columns.count[row->track])
        return rp_error_set(error, REPRISE_E_USAGE, "track %s has no column %d",
                            r->format->tracks[row->track].name, column);
    const rp_column *about = &r->columns.of[row->track][column];
    if (about->source != RP_COLUMN_STORED)
        return rp_error_set(error, REPRISE_E_USAGE, "column %s is not set by hand",
                            about->about.name);
    row->present |= UINT64_C(1) << about->presence_bit;
    *ret_row = row;
    *ret_column = about;
    return REPRISE_OK;
}

/* Rows belong to the recorder until they are handed over. */
static void *place(const rp_row *row, const rp_column *column)
{
    return (char *)(uintptr_t)row->data + column->offset;
}

static reprise_status wrong_kind(const rp_column *column, const char *what, reprise_error *error)
{
    return rp_error_set(error, REPRISE_E_USAGE, "column %s holds %s, not %s", column->about.name,
                        column->about.type_name, what);
}

static void set_axis(rp_rot *rotation, unsigned axis, float value)
{
    rp_quat q = rp_rot_value(rotation);
    (&q.x)[axis] = value;
    *rotation = rp_rot_whole(q);
}

reprise_status rp_recorder_set_double(rp_recorder *r, int column, double value,
                                      reprise_error *error)
{
    rp_row *row = NULL;
    const rp_column *c = NULL;
    RP_TRY(current(r, column, &row, &c, error));
    switch (c->kind) {
    case RP_F32:
        *(float *)place(row, c) = (float)value;
        return REPRISE_OK;
    case RP_F64:
        *(double *)place(row, c) = value;
        return REPRISE_OK;
    case RP_ROT:
        set_axis(place(row, c), c->axis, (float)value);
        return REPRISE_OK;
    default:
        return wrong_kind(c, "a number with a fraction", error);
    }
}

static bool is_whole(rp_kind kind)
{
    return kind <= RP_I64 || kind == RP_INT || kind == RP_BYTE;
}

reprise_status rp_recorder_set_int(rp_recorder *r, int column, int64_t value, reprise_error *error)
{
    rp_row *row = NULL;
    const rp_column *c = NULL;
    RP_TRY(current(r, column, &row, &c, error));
    if (!is_whole(c->kind))
        return rp_recorder_set_double(r, column, (double)value, error);
    rp_field field = *c->field;
    field.kind = c->kind;
    field.offset = 0;
    rp_field_set_int(&field, place(row, c), value);
    if (rp_field_int(&field, place(row, c)) != value)
        return rp_error_set(error, REPRISE_E_USAGE, "column %s (%s) cannot hold %lld",
                            c->about.name, c->about.type_name, (long long)value);
    return REPRISE_OK;
}

reprise_status rp_recorder_set_text(rp_recorder *r, int column, const char *text, size_t size,
                                    reprise_error *error)
{
    rp_row *row = NULL;
    const rp_column *c = NULL;
    RP_TRY(current(r, column, &row, &c, error));
    const rp_enum *names = rp_field_enum(c->field);
    int64_t number;
    if (names && rp_enum_number(names, text, size, &number))
        return rp_recorder_set_int(r, column, number, error);
    if (c->kind != RP_TEXT && c->kind != RP_BYTES)
        return wrong_kind(c, "text", error);
    /* A state lives longer than its frame; setting the same text again costs nothing. */
    rp_text *to = place(row, c);
    if (to->data && to->size == size && memcmp(to->data, text, size) == 0)
        return REPRISE_OK;
    bool state = r->format->tracks[row->track].kind == RP_TRACK_STATE;
    char *copy = rp_arena_text(state ? &r->arena : &r->frame, text, size, error);
    if (!copy)
        return error->status;
    *to = (rp_text){copy, size};
    return REPRISE_OK;
}

reprise_status rp_recorder_step(rp_recorder *r, reprise_error *error)
{
    if (!r->batch.count)
        return REPRISE_OK;
    RP_TRY(r->format->encode_rows(r->encoder, &r->batch, error));
    r->batch.count = 0;
    r->index++;
    rp_arena_reset(&r->frame);
    return REPRISE_OK;
}

/* ---- end ---- */

reprise_status rp_recorder_blob(rp_recorder *r, const char *name, const void *data, size_t size,
                                reprise_error *error)
{
    RP_TRY(rp_recorder_step(r, error));
    if (!r->format->encode_blob)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s has no place for '%s'",
                            r->format->name, name);
    rp_source *bytes = NULL;
    rp_stream *stream = NULL;
    RP_TRY(rp_source_open_memory(r->context, data, size, &bytes, error));
    reprise_status status = rp_stream_open_range(r->context, bytes, 0, size, name, &stream, error);
    if (status == REPRISE_OK)
        status = r->format->encode_blob(r->encoder, name, stream, error);
    rp_stream_close(stream);
    rp_source_close(bytes);
    return status;
}

reprise_status rp_recorder_end(rp_recorder *r, reprise_error *error)
{
    RP_TRY(rp_recorder_step(r, error));
    RP_TRY(r->format->encode_end(r->encoder, error));
    return rp_output_commit(&r->output, error);
}
