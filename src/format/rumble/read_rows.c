/*
 * read_rows.c - what a step of the decoder shows: rows of the frame it read, and before the first
 * frame the tables outside of frames.
 */
#include "read.h"

/* ---- frames ---- */

bool rumble_more_rows(rumble_decoder *d, size_t most, reprise_error *error)
{
    return rp_batch_reserve(d->base.replay->context, &d->base.batch,
                            1 + RP_MIN(most, d->object_count), error) == REPRISE_OK;
}

/* Rows of all objects, whether the frame names them or not. */
static reprise_status emit_all_objects(rumble_decoder *d, reprise_error *error)
{
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        const rumble_objects *objects = &d->objects[k];
        for (uint32_t i = 0; rp_selected(&d->base, objects->track) && i < objects->count; i++) {
            const rumble_last_write *write = &objects->last_writes[i];
            rp_row row = rumble_row(d, objects->track,
                                    (const char *)objects->states + i * objects->size,
                                    write->step == d->step ? write->present : 0);
            row.object = i;
            RP_TRY(rp_emit(&d->base, row, error));
        }
    }
    return REPRISE_OK;
}

static reprise_status add_marker(rumble_decoder *d, const rumble_marker *marker, rp_row row,
                                 reprise_error *error)
{
    rumble_marker *markers = rp_grow(d->base.replay->context, d->markers, d->marker_count + 1,
                                     &d->marker_capacity, sizeof *markers, error);
    if (!markers)
        return error->status;
    d->markers = markers;
    d->markers[d->marker_count++] = *marker;
    return rp_emit(&d->base, row, error);
}

/* Rows may point into the list only once it has stopped growing. */
static void point_markers(rumble_decoder *d)
{
    size_t next = 0;
    for (size_t i = 0; i < d->base.batch.count; i++) {
        if (d->base.batch.rows[i].track == RUMBLE_MARKERS)
            d->base.batch.rows[i].data = &d->markers[next++];
    }
}

rumble_marker rumble_marker_of_event(const rumble_event *event)
{
    const char *name = rp_enum_name(&rumble_marker_names, event->marker);
    return (rumble_marker){
        .name = {name, name ? strlen(name) : 0}, .player = event->player, .pos = event->pos};
}

static reprise_status emit_event_markers(rumble_decoder *d, reprise_error *error)
{
    for (size_t i = 0; i < d->event_count; i++) {
        const rumble_event *event = &d->events[i];
        if (!(d->event_present[i] >> rumble_event_F_marker & 1))
            continue;
        rumble_marker marker = rumble_marker_of_event(event);
        RP_TRY(add_marker(d, &marker, rumble_row(d, RUMBLE_MARKERS, NULL, UINT64_MAX), error));
    }
    point_markers(d);
    return REPRISE_OK;
}

static reprise_status emit_events(rumble_decoder *d, reprise_error *error)
{
    for (size_t i = 0; rp_selected(&d->base, RUMBLE_EVENTS) && i < d->event_count; i++)
        RP_TRY(rp_emit(&d->base, rumble_row(d, RUMBLE_EVENTS, &d->events[i], d->event_present[i]),
                       error));
    return rp_selected(&d->base, RUMBLE_MARKERS) ? emit_event_markers(d, error) : REPRISE_OK;
}

static reprise_status emit_extensions(rumble_decoder *d, reprise_error *error)
{
    for (size_t i = 0; rp_selected(&d->base, RUMBLE_EXTENSIONS) && i < d->extension_count; i++)
        RP_TRY(rp_emit(&d->base, rumble_row(d, RUMBLE_EXTENSIONS, &d->extensions[i], UINT64_MAX),
                       error));
    return REPRISE_OK;
}

reprise_status rumble_late_rows(rumble_decoder *d, reprise_error *error)
{
    if (d->base.selection.dense)
        RP_TRY(emit_all_objects(d, error));
    if (d->event_count)
        RP_TRY(emit_events(d, error));
    return emit_extensions(d, error);
}

/* ---- tables: content outside the frames ---- */

static rp_row table_row(uint32_t track, const void *data, float time)
{
    return (rp_row){
        .track = track, .index = -1, .time = (double)time, .present = UINT64_MAX, .data = data};
}

static reprise_status emit_markers(rumble_decoder *d, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    rumble_marker marker;
    float time;
    for (size_t i = 0; rumble_marker_at(replay, i, &marker, &time); i++)
        RP_TRY(add_marker(d, &marker, table_row(RUMBLE_MARKERS, NULL, time), error));
    point_markers(d);
    return REPRISE_OK;
}

static reprise_status emit_files(rumble_decoder *d, reprise_error *error)
{
    const rp_replay *replay = d->base.replay;
    rp_arena *arena = &d->base.replay->arena;
    rumble_file *files = rp_arena_array(arena, replay->blob_count, sizeof *files, error);
    for (size_t i = 0; files && i < replay->blob_count; i++) {
        const reprise_blob *blob = &replay->blobs[i];
        files[i] = (rumble_file){.name = {blob->name, strlen(blob->name)},
                                 .kind = {blob->kind, strlen(blob->kind)},
                                 .size = blob->size,
                                 .stored_size = blob->stored_size};
        RP_TRY(rp_emit(&d->base, table_row(RUMBLE_FILES, &files[i], 0), error));
    }
    return error->status;
}

static uint64_t voice_size(const rp_replay *replay, const char *file_name)
{
    for (size_t i = 0; i < replay->blob_count; i++) {
        if (strcmp(replay->blobs[i].kind, "voice") == 0 &&
            strcmp(replay->blobs[i].name + strlen(RUMBLE_VOICE_FOLDER), file_name) == 0)
            return replay->blobs[i].size;
    }
    return 0;
}

static reprise_status emit_voices(rumble_decoder *d, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    const reprise_value *tracks = rp_get(replay->voices, "Tracks");
    size_t count = reprise_value_count(tracks);
    rumble_voice *voices = rp_arena_array(&d->base.replay->arena, count, sizeof *voices, error);
    for (size_t i = 0; voices && i < count; i++) {
        const reprise_value *from = reprise_value_at(tracks, i);
        rumble_voice *voice = &voices[i];
        voice->master_id.data = reprise_value_text(rp_get(from, "MasterId"),
                                                   &voice->master_id.size);
        voice->file_name.data = reprise_value_text(rp_get(from, "FileName"),
                                                   &voice->file_name.size);
        voice->actor_id = (int32_t)reprise_value_int(rp_get(from, "ActorId"), 0);
        voice->voice_id = (int32_t)reprise_value_int(rp_get(from, "VoiceId"), 0);
        if (voice->file_name.data)
            voice->size = voice_size(&replay->base, voice->file_name.data);
        float start = (float)reprise_value_double(rp_get(from, "StartTime"), 0);
        RP_TRY(rp_emit(&d->base, table_row(RUMBLE_VOICES, voice, start), error));
    }
    return error->status;
}

/* Runs once; kept out of line so that steps stay short. */
static __attribute__((cold)) reprise_status emit_tables(rumble_decoder *d, reprise_error *error)
{
    d->tables_done = true;
    if (rp_selected(&d->base, RUMBLE_MARKERS))
        RP_TRY(emit_markers(d, error));
    if (rp_selected(&d->base, RUMBLE_VOICES))
        RP_TRY(emit_voices(d, error));
    if (rp_selected(&d->base, RUMBLE_FILES))
        RP_TRY(emit_files(d, error));
    return REPRISE_OK;
}

/*
 * Whether frames must be read: the selected tracks have rows in them, or list their member, whose
 * size means nothing if it is damaged.
 */
bool rumble_needs_frames(const rumble_decoder *d)
{
    uint64_t tables = UINT64_C(1) << RUMBLE_VOICES;
    uint64_t event_fields = d->wire->frame_size ? rumble_mapped_fields(&d->wire->event) : 0;
    if (!(event_fields >> rumble_event_F_marker & 1)) /* no event is a marker */
        tables |= UINT64_C(1) << RUMBLE_MARKERS;
    return (d->base.selection.tracks & ~tables) != 0;
}

/* After the last row: members that were listed are read, so that damage in them is noted. */
static __attribute__((cold)) reprise_status end_rows(rumble_decoder *d, reprise_error *error)
{
    rp_replay *replay = d->base.replay;
    bool lists = rp_selected(&d->base, RUMBLE_FILES) || rp_selected(&d->base, RUMBLE_VOICES);
    if (lists && replay->zip && !replay->salvage)
        RP_TRY(rumble_check_members((rumble_replay *)replay, error));
    return REPRISE_END;
}

reprise_status rumble_decode_next(rp_decoder *decoder, reprise_error *error)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    if (!d->tables_done)
        return emit_tables(d, error);
    if (d->read_ahead) {
        d->read_ahead = false;
        decoder->batch.count = d->rows_ahead;
        return REPRISE_OK;
    }
    reprise_status status = REPRISE_END;
    if (d->needs_frames)
        status = decoder->replay->salvage ? rumble_recover_step(d, error) : rumble_step(d, error);
    return status == REPRISE_END ? end_rows(d, error) : status;
}
