/* tally.c - see tally.h. */
#include "tally.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "field_sum.h"

rp_tally *rp_tally_new(rp_arena *arena, const rp_format *format, reprise_error *error)
{
    rp_tally *tally = rp_arena_alloc(arena, sizeof *tally, error);
    if (tally) {
        tally->format = format;
        tally->arena = arena;
    }
    return tally;
}

/* ---- rows ---- */

/* Parts of an object have separate states, which are compared row by row. */
static bool keeps_state(const rp_track *track)
{
    return track->kind == RP_TRACK_STATE && !track->divided;
}

/* The values of the fields of one row; returns their number. */
static size_t sum_fields(const rp_track *track, const void *data, uint64_t *ret_values)
{
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count; p++) {
        const rp_part *part = &track->parts[p];
        const char *row = (const char *)data + part->offset;
        for (size_t i = 0; i < part->record->count && bit < RP_FIELDS_MAX; i++)
            ret_values[bit++] = rp_sum_field(0, &part->record->fields[i], row);
    }
    return bit;
}

static reprise_status begin_track(rp_tally *tally, uint32_t track, reprise_error *error)
{
    const rp_track *about = &tally->format->tracks[track];
    rp_track_tally *to = rp_arena_alloc(tally->arena, sizeof *to, error);
    void *nothing = rp_arena_alloc(tally->arena, rp_track_row_size(about), error);
    if (!to || !nothing)
        return error->status;
    if (tally->format->row_writer->init)
        tally->format->row_writer->init(track, nothing);
    uint64_t values[RP_FIELDS_MAX];
    size_t count = sum_fields(about, nothing, values);
    for (size_t i = 0; i < count; i++)
        to->fields[i].zero = values[i];
    tally->tracks[track] = to;
    return REPRISE_OK;
}

/* The values of an object after its last row, or NULL with the error set. */
static uint64_t *object_fields(rp_tally *tally, rp_track_tally *to, uint32_t object, size_t count,
                               reprise_error *error)
{
    if (object >= to->object_count) {
        size_t objects_count = RP_MAX((size_t)object + 1, 2 * to->object_count);
        uint64_t **objects = rp_arena_array(tally->arena, objects_count, sizeof *objects, error);
        if (!objects)
            return NULL;
        if (to->object_count)
            memcpy((void *)objects, (void *)to->objects, to->object_count * sizeof *objects);
        to->objects = objects;
        to->object_count = objects_count;
    }
    if (!to->objects[object]) {
        uint64_t *fields = rp_arena_array(tally->arena, count, sizeof *fields, error);
        for (size_t i = 0; fields && i < count; i++)
            fields[i] = to->fields[i].zero;
        to->objects[object] = fields;
    }
    return to->objects[object];
}

/* Changes are summed, because objects of one step may come in any order. */
static reprise_status add_state(rp_tally *tally, const rp_row *row, const uint64_t *values,
                                size_t count, reprise_error *error)
{
    rp_track_tally *to = tally->tracks[row->track];
    uint64_t *held = object_fields(tally, to, row->object, count, error);
    if (!held)
        return error->status;
    for (size_t i = 0; i < count; i++) {
        rp_field_tally *field = &to->fields[i];
        if (values[i] == held[i])
            continue;
        if (!field->steps || row->index != field->last)
            field->steps++;
        field->last = row->index;
        uint64_t change = rp_sum_mix(rp_sum_mix(0, row->object), values[i]);
        field->sum += rp_sum_mix(change, field->steps);
        field->moment += rp_sum_mix(change, (uint64_t)row->index);
        held[i] = values[i];
    }
    return REPRISE_OK;
}

static void add_event(rp_tally *tally, const rp_row *row, const uint64_t *values, size_t count)
{
    const rp_track *track = &tally->format->tracks[row->track];
    rp_track_tally *to = tally->tracks[row->track];
    float time = (float)row->time;
    if (track->clock)
        to->index = rp_sum_mix(to->index, (uint64_t)row->index);
    if (track->time_single)
        to->time = rp_sum_bytes(to->time, &time, sizeof time);
    for (size_t i = 0; i < count; i++) {
        if (!track->sparse || row->present >> i & 1)
            to->fields[i].sum = rp_sum_mix(rp_sum_mix(to->fields[i].sum, to->rows), values[i]);
    }
}

reprise_status rp_tally_add(rp_tally *tally, const rp_row *row, reprise_error *error)
{
    const rp_track *track = &tally->format->tracks[row->track];
    if (!tally->tracks[row->track])
        RP_TRY(begin_track(tally, row->track, error));
    rp_track_tally *to = tally->tracks[row->track];
    uint64_t values[RP_FIELDS_MAX];
    size_t count = sum_fields(track, row->data, values);
    for (size_t i = 0; i < count; i++)
        to->nonzero |= (uint64_t)(values[i] != to->fields[i].zero) << i;
    to->set |= row->present;
    if (keeps_state(track))
        RP_TRY(add_state(tally, row, values, count, error));
    else
        add_event(tally, row, values, count);
    to->rows++;
    return REPRISE_OK;
}

/* ---- comparison ---- */

enum { LOSSES_SIZE = 112 };

/* The losses, as far as a message can name them. */
typedef struct loss_list {
    char text[LOSSES_SIZE];
    size_t size, count, unnamed;
} loss_list;

static void add_loss(loss_list *losses, const char *format, ...) REPRISE_PRINTF(2, 3);

static void add_loss(loss_list *losses, const char *format, ...)
{
    char text[LOSSES_SIZE];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *join = losses->count++ ? ", " : "";
    size_t left = sizeof losses->text - losses->size;
    if (losses->unnamed || size < 0 || strlen(join) + (size_t)size >= left)
        losses->unnamed++;
    else
        losses->size += (size_t)snprintf(losses->text + losses->size, left, "%s%s", join, text);
}

static void compare_fields(const rp_track *track, const rp_track_tally *given,
                           const rp_track_tally *stored, uint64_t fields, bool numbered,
                           loss_list *losses)
{
    size_t bit = 0;
    for (size_t p = 0; p < track->part_count; p++) {
        const rp_part *part = &track->parts[p];
        for (size_t i = 0; i < part->record->count && bit < RP_FIELDS_MAX; i++, bit++) {
            bool has_place = fields >> bit & 1;
            bool meant = (has_place ? given->set : given->set & given->nonzero) >> bit & 1;
            const rp_field_tally *a = &given->fields[bit], *b = &stored->fields[bit];
            if (!meant || (a->sum == b->sum && (!numbered || a->moment == b->moment)))
                continue;
            add_loss(losses, "%s.%s%s%s%s", track->name, part->prefix ? part->prefix : "",
                     part->prefix ? "_" : "", part->record->fields[i].name,
                     has_place ? " as given" : "");
        }
    }
}

static void compare_track(const rp_track *track, const rp_track_tally *given,
                          const rp_track_tally *stored, uint64_t fields, bool numbered,
                          loss_list *losses)
{
    if (keeps_state(track) ? given->nonzero && !stored->rows : stored->rows != given->rows) {
        add_loss(losses, "%s (%llu of %llu rows)", track->name, (unsigned long long)stored->rows,
                 (unsigned long long)given->rows);
        return;
    }
    if (numbered && given->index != stored->index)
        add_loss(losses, "%s.%s as given", track->name, track->clock);
    if (given->time != stored->time)
        add_loss(losses, "%s.time as given", track->name);
    if (!track->storage)
        compare_fields(track, given, stored, fields, numbered, losses);
}

reprise_status rp_tally_compare(const rp_tally *given, const rp_tally *stored, const char *layout,
                                const uint64_t *fields, reprise_error *error)
{
    static const rp_track_tally nothing;
    const rp_format *format = given->format;
    loss_list losses = {0};
    for (size_t i = 0; i < format->track_count; i++) {
        const rp_track *track = &format->tracks[i];
        const rp_track_tally *a = given->tracks[i], *b = stored->tracks[i];
        if (a && !(track->storage && track->kind == RP_TRACK_TABLE))
            compare_track(track, a, b ? b : &nothing, fields[i], given->numbered, &losses);
    }
    if (!losses.count)
        return REPRISE_OK;
    if (losses.unnamed)
        rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold %s and %zu more", layout,
                     losses.text, losses.unnamed);
    else
        rp_error_set(error, REPRISE_E_LOSSY, "layout %s cannot hold %s", layout, losses.text);
    rp_error_hint(error, "choose another layout, or leave out what this one cannot hold");
    return error->status;
}
