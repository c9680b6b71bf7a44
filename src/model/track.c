/* track.c - batches of rows, and the columns of a track. */
#include "track.h"

#include <math.h>
#include <string.h>

#include "document.h"
#include "json.h"
#include "whole.h"

rp_row *rp_batch_add(rp_context *context, rp_batch *batch, reprise_error *error)
{
    if (batch->count == batch->capacity && rp_batch_reserve(context, batch, 1, error) != REPRISE_OK)
        return NULL;
    return &batch->rows[batch->count++];
}

reprise_status rp_batch_reserve(rp_context *context, rp_batch *batch, size_t more,
                                reprise_error *error)
{
    if (more <= batch->capacity - batch->count)
        return REPRISE_OK;
    rp_row *rows = rp_grow(context, batch->rows, batch->count + more, &batch->capacity,
                           sizeof *rows, error);
    if (!rows)
        return error->status;
    batch->rows = rows;
    return REPRISE_OK;
}

void rp_batch_free(rp_context *context, rp_batch *batch)
{
    rp_free(context, batch->rows, batch->capacity * sizeof *batch->rows);
    *batch = (rp_batch){0};
}

size_t rp_track_row_size(const rp_track *track)
{
    size_t size = 1;
    for (size_t i = 0; i < track->part_count; i++)
        size = RP_MAX(size, track->parts[i].offset + track->parts[i].record->size);
    return size;
}

/* ---- making columns ---- */

typedef struct builder {
    rp_arena *arena;
    rp_column *columns;
    size_t count;
    bool sparse;
    reprise_error *error;
} builder;

/* Returns the number of columns of a field. */
static size_t width(const rp_field *field)
{
    switch (field->kind) {
    case RP_VEC3:
        return 3;
    case RP_QUAT:
    case RP_ROT:
        return 4;
    default:
        return 1;
    }
}

static reprise_type type_of(const rp_field *field, rp_kind kind)
{
    const rp_enum *names = rp_field_enum(field);
    if (names)
        return names->flags ? REPRISE_TYPE_LIST : REPRISE_TYPE_ENUM;
    switch (kind) {
    case RP_BOOL:
        return REPRISE_TYPE_BOOL;
    case RP_U64:
        return REPRISE_TYPE_UINT64;
    case RP_F32:
        return REPRISE_TYPE_FLOAT;
    case RP_F64:
        return REPRISE_TYPE_DOUBLE;
    case RP_TEXT:
        return REPRISE_TYPE_TEXT;
    case RP_BYTES:
    case RP_RAW:
        return REPRISE_TYPE_BYTES;
    case RP_MAT34:
    case RP_SEQ:
    case RP_MAP:
    case RP_OPT:
    case RP_SUM:
    case RP_REC:
        return REPRISE_TYPE_LIST;
    default:
        return REPRISE_TYPE_INT;
    }
}

/* Joined by hand: every file that is opened needs a hundred names, and printf takes ten times as
 * long. */
static const char *column_name(builder *b, const char *prefix, const rp_field *field, size_t axis)
{
    static const char axes[] = "xyzw";
    bool many = width(field) > 1;
    if (!prefix && !many)
        return field->name;
    size_t lead = prefix ? strlen(prefix) + 1 : 0, size = strlen(field->name);
    char *name = rp_arena_alloc(b->arena, lead + size + 2 * many + 1, b->error);
    if (!name)
        return NULL;
    char *to = name;
    if (prefix) {
        memcpy(to, prefix, lead - 1);
        to[lead - 1] = '_';
        to += lead;
    }
    memcpy(to, field->name, size);
    to += size;
    if (many) {
        *to++ = '_';
        *to++ = axes[axis];
    }
    *to = '\0';
    return name;
}

static void add_clock(builder *b, const char *name, rp_column_source source, reprise_type type,
                      const char *type_name, const char *doc)
{
    b->columns[b->count++] = (rp_column){
        .about = {.name = name, .type = type, .type_name = type_name, .doc = doc},
        .source = source,
    };
}

static void add_field(builder *b, const char *prefix, const rp_field *field, size_t base,
                      rp_column_source source, size_t bit)
{
    bool packed = field->kind == RP_ROT;
    rp_kind kind = width(field) > 1 && !packed ? RP_F32 : field->kind;
    for (size_t axis = 0; axis < width(field); axis++) {
        b->columns[b->count++] = (rp_column){
            .about = {.name = column_name(b, prefix, field, axis),
                      .type = type_of(field, packed ? RP_F32 : kind),
                      .type_name = rp_kind_label[packed ? RP_F32 : kind],
                      .derived = source == RP_COLUMN_DERIVED,
                      .doc = field->doc},
            .source = source,
            .field = field,
            .offset = base + field->offset + (packed ? 0 : axis * sizeof(float)),
            .kind = kind,
            .axis = (uint8_t)axis,
            .sparse = b->sparse && source == RP_COLUMN_STORED,
            .presence_bit = (uint8_t)bit,
        };
    }
}

static size_t count_columns(const rp_track *track)
{
    size_t count = 3;
    for (size_t p = 0; p < track->part_count; p++) {
        for (size_t i = 0; i < track->parts[p].record->count; i++)
            count += width(&track->parts[p].record->fields[i]);
    }
    for (size_t i = 0; track->derived && i < track->derived->count; i++)
        count += width(&track->derived->fields[i]);
    return count;
}

reprise_status rp_track_columns(rp_arena *arena, const rp_track *track, uint64_t fields,
                                rp_column **ret_columns, size_t *ret_count, reprise_error *error)
{
    builder b = {.arena = arena, .sparse = track->sparse, .error = error};
    b.columns = rp_arena_array(arena, count_columns(track), sizeof(rp_column), error);
    if (!b.columns)
        return error->status;
    if (track->clock)
        add_clock(&b, track->clock, RP_COLUMN_INDEX, REPRISE_TYPE_INT, "i64",
                  "number, counted from 0");
    if (track->timed) {
        add_clock(&b, "time", RP_COLUMN_TIME, REPRISE_TYPE_DOUBLE,
                  track->time_single ? "f32" : "f64", "seconds");
        b.columns[b.count - 1].single = track->time_single;
    }
    if (track->object)
        add_clock(&b, track->object, RP_COLUMN_OBJECT, REPRISE_TYPE_INT, "u32", "which one");
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count; p++) {
        const rp_part *part = &track->parts[p];
        for (size_t i = 0; i < part->record->count; i++, bit++) {
            if (fields >> bit & 1)
                add_field(&b, part->prefix, &part->record->fields[i], part->offset,
                          RP_COLUMN_STORED, bit);
        }
    }
    for (size_t i = 0; track->derived && i < track->derived->count; i++)
        add_field(&b, NULL, &track->derived->fields[i], 0, RP_COLUMN_DERIVED, 0);
    if (error->status != REPRISE_OK)
        return error->status;
    *ret_columns = b.columns;
    *ret_count = b.count;
    return REPRISE_OK;
}

/* ---- values ---- */

static float rotation_axis(const rp_column *column, const void *value)
{
    rp_quat q = rp_rot_value(value);
    return (&q.x)[column->axis];
}

/* Returns the scalar field of a column: for a VEC3 field, one of its floats. */
static rp_field scalar(const rp_column *column)
{
    rp_field field = *column->field;
    field.kind = column->kind;
    field.offset = 0;
    return field;
}

const void *rp_column_value(const rp_column *column, const rp_row *row, const void *derived)
{
    const void *base = column->source == RP_COLUMN_DERIVED ? derived : row->data;
    return (const char *)base + column->offset;
}

bool rp_column_null(const rp_column *column, const rp_row *row, const void *derived)
{
    if (column->source < RP_COLUMN_STORED)
        return false;
    if (column->sparse && !(row->present >> column->presence_bit & 1))
        return true;
    const void *value = rp_column_value(column, row, derived);
    if (column->kind == RP_TEXT || column->kind == RP_BYTES)
        return !((const rp_text *)value)->data;
    /* Whether a derived number is missing. */
    if (column->source == RP_COLUMN_DERIVED && column->kind == RP_F64)
        return isnan(*(const double *)value);
    return column->kind == RP_OPT && !*(void *const *)value;
}

int64_t rp_column_int(const rp_column *column, const rp_row *row, const void *derived)
{
    switch (column->source) {
    case RP_COLUMN_INDEX:
        return row->index;
    case RP_COLUMN_OBJECT:
        return row->object;
    case RP_COLUMN_TIME:
        return rp_whole(row->time);
    default: {
        const void *value = rp_column_value(column, row, derived);
        if (column->kind == RP_F32)
            return rp_whole((double)*(const float *)value);
        if (column->kind == RP_ROT)
            return rp_whole((double)rotation_axis(column, value));
        if (column->kind == RP_F64)
            return rp_whole(*(const double *)value);
        rp_field field = scalar(column);
        return rp_field_int(&field, value);
    }
    }
}

double rp_column_double(const rp_column *column, const rp_row *row, const void *derived)
{
    if (column->source == RP_COLUMN_TIME)
        return row->time;
    if (column->source >= RP_COLUMN_STORED) {
        const void *value = rp_column_value(column, row, derived);
        if (column->kind == RP_F32)
            return (double)*(const float *)value;
        if (column->kind == RP_ROT)
            return (double)rotation_axis(column, value);
        if (column->kind == RP_F64)
            return *(const double *)value;
    }
    return (double)rp_column_int(column, row, derived);
}

static bool may_be_null(const rp_column *column)
{
    return column->sparse || (column->source == RP_COLUMN_DERIVED && column->kind == RP_F64);
}

void rp_column_json(rp_writer *w, const rp_column *column, const rp_row *row, const void *derived)
{
    switch (column->source) {
    case RP_COLUMN_INDEX:
        rp_json_index(w, row->index);
        return;
    case RP_COLUMN_TIME:
        if (column->single)
            rp_json_f32(w, (float)row->time);
        else
            rp_json_f64(w, row->time);
        return;
    case RP_COLUMN_OBJECT:
        rp_json_int(w, row->object);
        return;
    default:
        break;
    }
    if (may_be_null(column) && rp_column_null(column, row, derived)) {
        rp_put_text(w, "null");
        return;
    }
    const void *value = rp_column_value(column, row, derived);
    if (column->kind == RP_F32) {
        rp_json_f32(w, *(const float *)value);
        return;
    }
    if (column->kind == RP_ROT) {
        rp_json_f32(w, rotation_axis(column, value));
        return;
    }
    rp_field field = scalar(column);
    rp_field_json(w, &field, value);
}

reprise_value *rp_column_new_value(rp_doc *doc, const rp_column *column, const rp_row *row,
                                   const void *derived)
{
    switch (column->source) {
    case RP_COLUMN_INDEX:
        return rp_new_int(doc, row->index);
    case RP_COLUMN_TIME:
        return column->single ? rp_new_f32(doc, (float)row->time) : rp_new_f64(doc, row->time);
    case RP_COLUMN_OBJECT:
        return rp_new_int(doc, row->object);
    default:
        break;
    }
    if (may_be_null(column) && rp_column_null(column, row, derived))
        return rp_new_null(doc);
    const void *value = rp_column_value(column, row, derived);
    if (column->kind == RP_ROT)
        return rp_new_f32(doc, rotation_axis(column, value));
    rp_field field = scalar(column);
    return rp_field_value(doc, &field, value);
}

void rp_csv_text(rp_writer *w, const char *text, size_t size)
{
    bool quote = false;
    for (size_t i = 0; i < size && !quote; i++)
        quote = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    if (!quote) {
        rp_put(w, text, size);
        return;
    }
    rp_put_u8(w, '"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            rp_put_u8(w, '"');
        rp_put_u8(w, (uint8_t)text[i]);
    }
    rp_put_u8(w, '"');
}

void rp_column_csv(rp_writer *w, const rp_column *column, const rp_row *row, const void *derived)
{
    if (rp_column_null(column, row, derived))
        return;
    if (column->kind == RP_TEXT && column->source >= RP_COLUMN_STORED) {
        const rp_text *text = rp_column_value(column, row, derived);
        rp_csv_text(w, text->data, text->size);
        return;
    }
    size_t start = w->size;
    rp_column_json(w, column, row, derived);
    if (!rp_writer_ok(w) || w->size == start)
        return;
    /* Removes the JSON quotes of names and hexadecimal text. Lists keep their JSON form, quoted. */
    if (w->data[start] == '"') {
        memmove(w->data + start, w->data + start + 1, w->size - start - 1);
        w->size -= 2;
    } else if (w->data[start] == '[' || w->data[start] == '{') {
        rp_writer copy;
        rp_writer_init(&copy, w->context, w->size_max, w->error);
        rp_put(&copy, w->data + start, w->size - start);
        w->size = start;
        rp_csv_text(w, (const char *)copy.data, copy.size);
        rp_writer_free(&copy);
    }
}
