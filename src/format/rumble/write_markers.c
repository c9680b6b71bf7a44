/*
 * write_markers.c - content of a recording that comes by two ways: markers and cosmetics, which the
 * metadata can hold as well as rows.
 *
 * The manifest lists markers, rows add to that list, and readers also make a marker of each event
 * that has a marker kind. A row that repeats a listed marker or a marker event is not stored again.
 * Cosmetics of the metadata go to the first frame of layouts that have a field for them.
 */
#include "write.h"

/* ---- repeated markers ---- */

static bool same_time(float a, float b)
{
    return !(a < b) && !(a > b);
}

/* Whether a marker has every value that the row sets. */
static bool marker_has(const rumble_marker *marker, const rp_row *row)
{
    const rp_record *record = &rumble_marker_record;
    for (size_t i = 0; i < record->count; i++) {
        if ((row->present >> i & 1) && !rp_field_equal(&record->fields[i], row->data, marker))
            return false;
    }
    return true;
}

/* Takes the first listed marker that no other row repeats. */
static bool repeats_listed(const rumble_encoder *e, const rp_row *row, bool *repeated)
{
    const rumble_replay view = {.header = e->header};
    rumble_marker marker;
    float time;
    for (size_t i = 0; i < e->listed_markers && rumble_marker_at(&view, i, &marker, &time); i++) {
        if (repeated[i] || !same_time(time, (float)row->time) || !marker_has(&marker, row))
            continue;
        repeated[i] = true;
        return true;
    }
    return false;
}

/* Whether a reader makes the marker of an event of the same frame. */
static bool repeats_event(const rumble_encoder *e, const rp_batch *batch, const rp_row *row)
{
    uint64_t marker_bit = rumble_mapped_fields(&e->wire.event) & UINT64_C(1)
                                                                     << rumble_event_F_marker;
    size_t events = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *other = &batch->rows[i];
        if (other->track == RUMBLE_EVENTS && (other->present & marker_bit) &&
            same_time((float)other->time, (float)row->time)) {
            rumble_marker marker = rumble_marker_of_event(other->data);
            events += marker_has(&marker, row);
        }
    }
    for (size_t i = 0; events && i < batch->count && &batch->rows[i] != row; i++) {
        const rp_row *other = &batch->rows[i];
        events -= other->track == RUMBLE_MARKERS &&
                  same_time((float)other->time, (float)row->time) && marker_has(other->data, row);
    }
    return events > 0;
}

static bool repeats(const rumble_encoder *e, const rp_batch *batch, const rp_row *row,
                    bool *repeated)
{
    return repeats_listed(e, row, repeated) || repeats_event(e, batch, row);
}

/* The row writer asks before the encoder does, so each has a list of what was repeated. */
bool rumble_row_repeats(rp_encoder *encoder, const rp_batch *batch, const rp_row *row)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    return row->track == RUMBLE_MARKERS && repeats(e, batch, row, e->repeated_tally);
}

/* ---- markers ---- */

reprise_status rumble_init_markers(rumble_encoder *e, reprise_error *error)
{
    const reprise_value *list = rp_get(e->header, "Markers");
    bool is_list = reprise_value_kind_of(list) == REPRISE_VALUE_ARRAY;
    e->listed_markers = is_list ? reprise_value_count(list) : 0;
    e->repeated = rp_arena_array(&e->arena, e->listed_markers, sizeof(bool), error);
    e->repeated_tally = rp_arena_array(&e->arena, e->listed_markers, sizeof(bool), error);
    return error->status;
}

reprise_status rumble_write_marker(rumble_encoder *e, const rp_batch *batch, const rp_row *row,
                                   reprise_error *error)
{
    if (e->base.source || repeats(e, batch, row, e->repeated))
        return REPRISE_OK;
    const rumble_marker *from = row->data;
    rp_doc doc = {.arena = &e->arena, .error = error};
    reprise_value *list = rp_get(e->header, "Markers");
    if (!list || list->kind != REPRISE_VALUE_ARRAY)
        list = rp_replace(&doc, e->header, "Markers", rp_new_array(&doc));
    reprise_value *marker = rp_push_object(&doc, list);
    rp_set_f32(&doc, marker, "r", from->r);
    rp_set_f32(&doc, marker, "g", from->g);
    rp_set_f32(&doc, marker, "b", from->b);
    rp_set(&doc, marker, "name",
           rp_new_text_n(&doc, from->name.data ? from->name.data : "", from->name.size));
    rp_set_f32(&doc, marker, "time", (float)row->time);
    if (row->present >> rumble_marker_F_pos & 1) {
        reprise_value *pos = rp_set_object(&doc, marker, "position");
        rp_set_f32(&doc, pos, "x", from->pos.x);
        rp_set_f32(&doc, pos, "y", from->pos.y);
        rp_set_f32(&doc, pos, "z", from->pos.z);
    }
    if ((row->present >> rumble_marker_F_player & 1) && from->player >= 0)
        rp_set_int(&doc, marker, "PlayerIndex", from->player);
    return error->status;
}

reprise_status rumble_note_event_marker(rumble_encoder *e, const rumble_event *event,
                                        reprise_error *error)
{
    if (e->base.source)
        return REPRISE_OK;
    rumble_event_marker *added = rp_arena_alloc(&e->arena, sizeof *added, error);
    if (!added)
        return error->status;
    *added = (rumble_event_marker){.marker = rumble_marker_of_event(event), .time = e->last_time};
    if (e->last_event_marker)
        e->last_event_marker->next = added;
    else
        e->event_markers = added;
    e->last_event_marker = added;
    return REPRISE_OK;
}

/* ---- cosmetics ---- */

bool rumble_looks_need_row(const rumble_encoder *e, const rp_batch *batch, uint32_t player)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->rows[i].track == RUMBLE_PLAYERS && batch->rows[i].object == player)
            return false;
    }
    return rumble_first_looks(e, player).data != NULL;
}

void rumble_hold_looks(const rumble_encoder *e, uint32_t player, rumble_player *row)
{
    const rumble_reader_state *players = &e->held[RUMBLE_CHUNK_PLAYER];
    if (row->visual_data.data || player >= players->count)
        return;
    row->visual_data =
        e->frame_count ? ((const rumble_player *)(const void *)players->states)[player].visual_data
                       : rumble_first_looks(e, player);
}

/* ---- rows that are not given ---- */

static reprise_status visit_listed(const rumble_encoder *e, rp_row_visitor *visit, void *ctx,
                                   reprise_error *error)
{
    const rumble_replay view = {.header = e->header};
    rumble_marker marker;
    float time;
    for (size_t i = 0; i < e->listed_markers && rumble_marker_at(&view, i, &marker, &time); i++) {
        const rp_row row = {
            .track = RUMBLE_MARKERS, .time = (double)time, .present = UINT64_MAX, .data = &marker};
        RP_TRY(visit(ctx, &row, error));
    }
    return REPRISE_OK;
}

static reprise_status visit_event_markers(const rumble_encoder *e, rp_row_visitor *visit, void *ctx,
                                          reprise_error *error)
{
    for (const rumble_event_marker *at = e->event_markers; at; at = at->next) {
        const rp_row row = {.track = RUMBLE_MARKERS,
                            .time = (double)at->time,
                            .present = UINT64_MAX,
                            .data = &at->marker};
        RP_TRY(visit(ctx, &row, error));
    }
    return REPRISE_OK;
}

static reprise_status visit_looks(const rumble_encoder *e, const rp_batch *batch,
                                  rp_row_visitor *visit, void *ctx, reprise_error *error)
{
    for (uint32_t i = 0; i < e->held[RUMBLE_CHUNK_PLAYER].count; i++) {
        if (!rumble_looks_need_row(e, batch, i))
            continue;
        const rumble_player player = {.visual_data = rumble_first_looks(e, i)};
        const rp_row row = {.track = RUMBLE_PLAYERS,
                            .object = i,
                            .present = UINT64_C(1) << rumble_player_F_visual_data,
                            .data = &player};
        RP_TRY(visit(ctx, &row, error));
    }
    return REPRISE_OK;
}

/* Readers give listed markers before all others and those of events after them. */
reprise_status rumble_implied_rows(rp_encoder *encoder, const rp_batch *batch,
                                   rp_row_visitor *visit, void *ctx, reprise_error *error)
{
    rumble_encoder *e = (rumble_encoder *)encoder;
    bool has_frame = false;
    if (!batch)
        return visit_event_markers(e, visit, ctx, error);
    if (!e->tallied)
        RP_TRY(visit_listed(e, visit, ctx, error));
    e->tallied = true;
    for (size_t i = 0; i < batch->count && !has_frame; i++)
        has_frame = batch->rows[i].track == RUMBLE_FRAMES;
    return has_frame && !e->frame_count ? visit_looks(e, batch, visit, ctx, error) : REPRISE_OK;
}
