/* row_writer.c - see row_writer.h. */
#include "row_writer.h"

#include <string.h>

#include "document.h"
#include "header_kept.h"
#include "json.h"
#include "playable.h"

/* ---- begin ---- */

static reprise_status take_metadata(rp_row_writer *r, const reprise_value *metadata,
                                    reprise_error *error)
{
    rp_doc doc = {.arena = &r->arena, .error = error};
    if (metadata && reprise_value_kind_of(metadata) != REPRISE_VALUE_OBJECT)
        return rp_error_set(error, REPRISE_E_USAGE, "the metadata are not an object");
    r->header = metadata ? rp_copy(&doc, metadata) : rp_new_object(&doc);
    return error->status;
}

static reprise_status make_columns(rp_row_writer *r, reprise_error *error)
{
    size_t largest = 1;
    for (size_t i = 0; i < r->format->track_count; i++) {
        const rp_track *track = &r->format->tracks[i];
        largest = RP_MAX(largest, rp_track_row_size(track));
        RP_TRY(rp_track_columns(&r->arena, track, UINT64_MAX, &r->columns.of[i],
                                &r->columns.count[i], error));
    }
    r->held = rp_arena_alloc(&r->arena, largest, error);
    return error->status;
}

reprise_status rp_row_writer_begin(rp_row_writer *r, rp_context *context, const rp_format *format,
                                   const reprise_value *metadata, const rp_write_options *options,
                                   const rp_target *target, reprise_error *error)
{
    *r = (rp_row_writer){.context = context, .format = format};
    rp_arena_init(&r->arena, context);
    rp_arena_init(&r->frame, context);
    if (!format->write || !format->row_writer) {
        rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s cannot be written row by row", format->name);
        rp_error_hint(error, "reprise/ironcurtain/live.h has a recorder for Iron Curtain");
        return error->status;
    }
    RP_TRY(take_metadata(r, metadata, error));
    RP_TRY(make_columns(r, error));
    r->given = rp_tally_new(&r->arena, r->format, error);
    if (!r->given)
        return error->status;
    RP_TRY(rp_output_open(context, target, &r->output, error));
    return rp_encoder_open(context, r->format, options, r->header, NULL, r->output.sink,
                           &r->encoder, error);
}

void rp_row_writer_free(rp_row_writer *r)
{
    rp_encoder_close(r->encoder);
    rp_output_close(&r->output);
    rp_batch_free(r->context, &r->batch);
    rp_batch_free(r->context, &r->order);
    rp_arena_free(&r->frame);
    rp_arena_free(&r->arena);
}

/* ---- rows ---- */

/* Rows live until the step is encoded, or until the end. */
static rp_arena *row_arena(rp_row_writer *r)
{
    return r->format->row_writer->collects ? &r->arena : &r->frame;
}

/* A row with default values. */
static void *new_row(rp_row_writer *r, size_t track, rp_arena *arena, reprise_error *error)
{
    void *row = rp_arena_alloc(arena, rp_track_row_size(&r->format->tracks[track]), error);
    if (row && r->format->row_writer->init)
        r->format->row_writer->init((uint32_t)track, row);
    return row;
}

/* A new row with the previous state of the object. */
static void *copy_state(rp_row_writer *r, size_t track, const void *state, reprise_error *error)
{
    size_t size = rp_track_row_size(&r->format->tracks[track]);
    void *copy = rp_arena_alloc(row_arena(r), size, error);
    if (copy)
        memcpy(copy, state, size);
    return copy;
}

/* The last row of an object, or a new one. */
static void *state_of(rp_row_writer *r, size_t track, uint32_t object, reprise_error *error)
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
        r->states[track][object] = new_row(r, track, &r->arena, error);
    return r->states[track][object];
}

reprise_status rp_row_writer_row(rp_row_writer *r, size_t track, uint32_t object, double time,
                                 reprise_error *error)
{
    if (track >= r->format->track_count)
        return rp_error_set(error, REPRISE_E_USAGE, "%s has no track %zu", r->format->name, track);
    const rp_track *about = &r->format->tracks[track];
    bool state = about->kind == RP_TRACK_STATE && !about->divided;
    void *data = state ? state_of(r, track, object, error) : new_row(r, track, row_arena(r), error);
    if (data && state && r->format->row_writer->collects) {
        data = copy_state(r, track, data, error);
        r->states[track][object] = data;
    }
    /* Rows without an object are numbered, and other rows refer to them by that number. */
    if (!about->object && !about->keyed)
        object = r->format->row_writer->collects ? (uint32_t)r->rows[track] : object;
    r->rows[track]++;
    rp_row *row = data ? rp_batch_add(r->context, &r->batch, error) : NULL;
    if (!row)
        return error->status;
    *row = (rp_row){
        .track = (uint32_t)track, .object = object, .index = r->index, .time = time, .data = data};
    return REPRISE_OK;
}

static reprise_status current(rp_row_writer *r, int column, rp_row **ret_row,
                              const rp_column **ret_column, reprise_error *error)
{
    if (r->batch.count == r->stepped)
        return rp_error_set(error, REPRISE_E_USAGE, "begin a row first");
    rp_row *row = &r->batch.rows[r->batch.count - 1];
    if (column < 0 || (size_t)column >= r->columns.count[row->track])
        return rp_error_set(error, REPRISE_E_USAGE, "track %s has no column %d",
                            r->format->tracks[row->track].name, column);
    const rp_column *about = &r->columns.of[row->track][column];
    if (about->source != RP_COLUMN_STORED)
        return rp_error_set(error, REPRISE_E_USAGE, "column %s is computed and cannot be set",
                            about->about.name);
    row->present |= UINT64_C(1) << about->presence_bit;
    *ret_row = row;
    *ret_column = about;
    return REPRISE_OK;
}

/* Rows belong to the writer until they are encoded. */
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
    *rotation = rp_rot_full(q);
}

reprise_status rp_row_writer_set_double(rp_row_writer *r, int column, double value,
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

reprise_status rp_row_writer_set_int(rp_row_writer *r, int column, int64_t value,
                                     reprise_error *error)
{
    rp_row *row = NULL;
    const rp_column *c = NULL;
    RP_TRY(current(r, column, &row, &c, error));
    if (!is_whole(c->kind))
        return rp_row_writer_set_double(r, column, (double)value, error);
    rp_field field = *c->field;
    field.kind = c->kind;
    field.offset = 0;
    rp_field_set_int(&field, place(row, c), value);
    if (rp_field_int(&field, place(row, c)) != value)
        return rp_error_set(error, REPRISE_E_USAGE, "column %s (%s) cannot hold %lld",
                            c->about.name, c->about.type_name, (long long)value);
    return REPRISE_OK;
}

reprise_status rp_row_writer_set_text(rp_row_writer *r, int column, const char *text, size_t size,
                                      reprise_error *error)
{
    rp_row *row = NULL;
    const rp_column *c = NULL;
    RP_TRY(current(r, column, &row, &c, error));
    const rp_enum *names = rp_field_enum(c->field);
    int64_t number;
    if (names && rp_enum_number(names, text, size, &number))
        return rp_row_writer_set_int(r, column, number, error);
    if (c->kind == RP_RAW && size == c->field->tag) {
        memcpy(place(row, c), text, size);
        return REPRISE_OK;
    }
    if (c->kind != RP_TEXT && c->kind != RP_BYTES)
        return wrong_kind(c, "text", error);
    /* A state outlives its step; setting the same text again allocates nothing. */
    rp_text *to = place(row, c);
    if (to->data && to->size == size && memcmp(to->data, text, size) == 0)
        return REPRISE_OK;
    bool state = r->format->tracks[row->track].kind == RP_TRACK_STATE;
    char *copy = rp_arena_text(state ? &r->arena : row_arena(r), text, size, error);
    if (!copy)
        return error->status;
    *to = (rp_text){copy, size};
    return REPRISE_OK;
}

reprise_status rp_row_writer_set_value(rp_row_writer *r, int column, const reprise_value *value,
                                       reprise_error *error)
{
    rp_row *row = NULL;
    const rp_column *c = NULL;
    RP_TRY(current(r, column, &row, &c, error));
    bool state = r->format->tracks[row->track].kind == RP_TRACK_STATE;
    rp_arena *arena = state ? &r->arena : row_arena(r);
    rp_doc doc = {.arena = arena, .error = error};
    reprise_value *object = rp_new_object(&doc);
    rp_field field = *c->field;
    if (field.kind != c->kind) /* one axis of a vector */
        return rp_row_writer_set_double(r, column, reprise_value_double(value, 0), error);
    field.offset = 0;
    rp_set(&doc, object, field.name, rp_copy(&doc, value));
    const rp_record record = {.name = "column", .size = 0, .fields = &field, .count = 1};
    uint64_t present = 0;
    rp_document_read(arena, object, &record, place(row, c), &present, error);
    RP_TRY(error->status);
    return present ? REPRISE_OK : wrong_kind(c, "this value", error);
}

/* ---- steps ---- */

static int compare_rows(const rp_format *format, const rp_row *a, const rp_row *b)
{
    if (format->row_writer->order)
        return format->row_writer->order(a, b);
    return a->track < b->track ? -1 : a->track > b->track;
}

/* Bottom-up merge sort, which is stable. */
static reprise_status sort_rows(rp_row_writer *r, rp_batch *batch, reprise_error *error)
{
    size_t count = batch->count;
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++)
        sorted = compare_rows(r->format, &batch->rows[i - 1], &batch->rows[i]) <= 0;
    if (sorted)
        return REPRISE_OK;
    r->order.count = 0;
    RP_TRY(rp_batch_reserve(r->context, &r->order, count, error));
    rp_row *from = batch->rows, *to = r->order.rows;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            size_t middle = RP_MIN(at + run, count), end = RP_MIN(at + 2 * run, count);
            for (size_t a = at, b = middle, n = at; n < end; n++) {
                bool second = a == middle ||
                              (b < end && compare_rows(r->format, &from[b], &from[a]) < 0);
                to[n] = second ? from[b++] : from[a++];
            }
        }
        rp_row *swap = from;
        from = to;
        to = swap;
    }
    if (from != batch->rows)
        memcpy(batch->rows, from, count * sizeof *from);
    return REPRISE_OK;
}

static reprise_status add_to_tally(void *ctx, const rp_row *row, reprise_error *error)
{
    return rp_tally_add(ctx, row, error);
}

/* Adds the rows that a reader gets without having been given them. */
static reprise_status tally_implied(rp_row_writer *r, const rp_batch *batch, reprise_error *error)
{
    const rp_format_row_writer *about = r->format->row_writer;
    return about->implied ? about->implied(r->encoder, batch, add_to_tally, r->given, error)
                          : REPRISE_OK;
}

/* Adds what a reader of the layout must hold of the rows. */
static reprise_status tally_rows(rp_row_writer *r, const rp_batch *batch, reprise_error *error)
{
    const rp_format *format = r->format;
    RP_TRY(tally_implied(r, batch, error));
    for (size_t i = 0; i < batch->count; i++) {
        rp_row row = batch->rows[i];
        if (format->row_writer->repeats &&
            format->row_writer->repeats(r->encoder, batch, &batch->rows[i]))
            continue;
        if (format->row_writer->held) {
            memcpy(r->held, row.data, rp_track_row_size(&format->tracks[row.track]));
            format->row_writer->held(r->encoder, &row, r->held);
            row.data = r->held;
        }
        RP_TRY(rp_tally_add(r->given, &row, error));
    }
    return REPRISE_OK;
}

/* Passes rows to the encoder, batch by batch. */
static reprise_status encode(rp_row_writer *r, reprise_error *error)
{
    const rp_format *format = r->format;
    rp_batch *all = &r->batch;
    RP_TRY(sort_rows(r, all, error));
    for (size_t from = 0, to; from < all->count; from = to) {
        to = from + 1;
        while (to < all->count &&
               !(format->row_writer->batch_begins &&
                 format->row_writer->batch_begins(&all->rows[to - 1], &all->rows[to])))
            to++;
        rp_batch batch = {.rows = all->rows + from, .count = to - from};
        RP_TRY(tally_rows(r, &batch, error));
        RP_TRY(format->write->rows(r->encoder, &batch, error));
    }
    all->count = 0;
    return REPRISE_OK;
}

reprise_status rp_row_writer_at(rp_row_writer *r, int64_t index, reprise_error *error)
{
    size_t count = r->batch.count;
    if (count > r->stepped)
        return rp_error_set(error, REPRISE_E_USAGE, "rows of step %lld were already given",
                            (long long)r->index);
    r->index = index;
    r->given->numbered = true;
    return REPRISE_OK;
}

reprise_status rp_row_writer_step(rp_row_writer *r, reprise_error *error)
{
    if (r->batch.count == r->stepped)
        return REPRISE_OK;
    r->index++;
    r->stepped = r->batch.count;
    if (r->format->row_writer->collects)
        return REPRISE_OK;
    r->stepped = 0;
    RP_TRY(encode(r, error));
    rp_arena_reset(&r->frame);
    return REPRISE_OK;
}

/* ---- end ---- */

reprise_status rp_row_writer_blob(rp_row_writer *r, const char *name, const void *data, size_t size,
                                  reprise_error *error)
{
    RP_TRY(rp_row_writer_step(r, error));
    RP_TRY(encode(r, error));
    r->stepped = 0;
    if (!r->format->write->blob)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s has no place for '%s'",
                            r->format->name, name);
    rp_source *bytes = NULL;
    rp_stream *stream = NULL;
    RP_TRY(rp_source_open_memory(r->context, data, size, &bytes, error));
    reprise_status status = rp_stream_open_range(r->context, bytes, 0, size, name, &stream, error);
    if (status == REPRISE_OK)
        status = r->format->write->blob(r->encoder, name, stream, error);
    rp_stream_close(stream);
    rp_source_close(bytes);
    return status;
}

/* Compares the result with the given rows. */
static reprise_status compare_values(rp_row_writer *r, rp_replay *result, rp_arena *arena,
                                     reprise_error *error)
{
    rp_selection all = {.tracks = (UINT64_C(1) << r->format->track_count) - 1};
    rp_tally *stored = rp_tally_new(arena, r->format, error);
    if (!stored)
        return error->status;
    RP_TRY(rp_each_row(result, all, add_to_tally, stored, error));
    return rp_tally_compare(r->given, stored, result->layout, result->fields, error);
}

/* A result that cannot be read means that the layout has no place for these rows. */
static reprise_status explain(const rp_row_writer *r, reprise_status status, reprise_error *error)
{
    if (status == REPRISE_OK || status == REPRISE_E_LOSSY || status == REPRISE_E_LIMIT ||
        rp_is_own_failure(r->context, status))
        return status;
    reprise_error cause = *error;
    rp_error_clear(error);
    rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold these rows: %.100s",
                 r->encoder->options.layout, cause.message);
    rp_error_hint(error, "choose another layout, or leave out what this one cannot hold");
    return error->status;
}

/* The result must be recognised as the format that was written. */
static reprise_status recognise(const rp_row_writer *r, rp_source *bytes, reprise_error *error)
{
    const rp_format *format = NULL;
    reprise_status status = rp_recognise(r->context, bytes, &format, error);
    if (status == REPRISE_OK && strcmp(format->name, r->format->name) != 0)
        status = rp_error_set(error, REPRISE_E_LOSSY, "the result would be recognised as %s",
                              format->name);
    return explain(r, status, error);
}

/* Reads the complete result before it becomes visible. */
static reprise_status read_back(rp_row_writer *r, reprise_error *error)
{
    rp_source *bytes = NULL;
    rp_replay *result = NULL;
    rp_arena arena;
    rp_arena_init(&arena, r->context);
    rp_doc doc = {.arena = &arena, .error = error};
    reprise_status status = rp_sink_reopen(r->output.sink, &bytes, error);
    if (status == REPRISE_OK)
        status = rp_replay_open(r->context, bytes, r->format->name, NULL, &result, error);
    if (status == REPRISE_OK)
        status = compare_values(r, result, &arena, error);
    status = explain(r, status, error);
    if (status == REPRISE_OK)
        status = rp_header_kept(r->encoder, result, &doc, error);
    if (status == REPRISE_OK)
        status = rp_check_playable(r->context, r->format, NULL, r->output.sink, r->lossy, &doc,
                                   rp_new_object(&doc), error);
    if (status == REPRISE_OK)
        status = recognise(r, bytes, error);
    rp_replay_close(result);
    rp_source_close(bytes);
    rp_arena_free(&arena);
    return status;
}

reprise_status rp_row_writer_end(rp_row_writer *r, reprise_error *error)
{
    RP_TRY(rp_row_writer_step(r, error));
    RP_TRY(encode(r, error));
    RP_TRY(tally_implied(r, NULL, error));
    RP_TRY(r->format->write->end(r->encoder, error));
    RP_TRY(read_back(r, error));
    return rp_output_commit(&r->output, error);
}
