/*
 * rows.c - what a step of the decoder shows: rows of the frame it read, and before the first frame
 * the tables that stand outside of frames.
 */
#include "read.h"

static rp_row row_of(const rumble_decoder *d, uint32_t track, const void *data, uint64_t present)
{
    return (rp_row){.track = track,
                    .index = (int64_t)d->frame - 1,
                    .time = (double)d->time,
                    .present = present,
                    .data = data};
}

static reprise_status emit_objects(rumble_decoder *d, size_t kind, uint32_t track,
                                   reprise_error *error)
{
    const rumble_objects *objects = &d->objects[kind];
    bool dense = d->base.selection.dense;
    uint32_t count = dense ? objects->count : objects->touched_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t object = dense ? i : objects->touched[i];
        rp_row row = row_of(d, track, (const char *)objects->states + object * objects->size,
                            objects->present[object]);
        row.object = object;
        RP_TRY(rp_emit(&d->base, row, error));
    }
    return REPRISE_OK;
}

static reprise_status add_marker(rumble_decoder *d, const rumble_marker *marker, float time,
                                 reprise_error *error)
{
    rumble_marker *markers = rumble_grow(d->base.replay->context, d->markers, d->marker_count,
                                         &d->marker_capacity, sizeof *markers, error);
    if (!markers)
        return error->status;
    d->markers = markers;
    d->markers[d->marker_count++] = *marker;
    rp_row row = row_of(d, RUMBLE_MARKERS, NULL, UINT64_MAX);
    row.time = (double)time;
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

/* Before markers had a list they were events with a kind. */
static reprise_status emit_event_markers(rumble_decoder *d, reprise_error *error)
{
    for (size_t i = 0; i < d->event_count; i++) {
        const rumble_event *event = &d->events[i];
        if (!(d->event_present[i] >> rumble_event_F_marker & 1))
            continue;
        const char *name = rp_enum_name(&rumble_marker_names, event->marker);
        rumble_marker marker = {
            .name = {name, name ? strlen(name) : 0}, .player = event->player, .pos = event->pos};
        RP_TRY(add_marker(d, &marker, d->time, error));
    }
    point_markers(d);
    return REPRISE_OK;
}

static reprise_status emit_frame(rumble_decoder *d, reprise_error *error)
{
    static const uint32_t tracks[RUMBLE_OBJECT_KINDS] = {RUMBLE_PLAYERS, RUMBLE_STRUCTURES,
                                                         RUMBLE_PEDESTALS, RUMBLE_PROPS};
    if (rp_selected(&d->base, RUMBLE_FRAMES))
        RP_TRY(rp_emit(&d->base, row_of(d, RUMBLE_FRAMES, &d->about, UINT64_MAX), error));
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        if (rp_selected(&d->base, tracks[k]))
            RP_TRY(emit_objects(d, k, tracks[k], error));
    }
    for (size_t i = 0; rp_selected(&d->base, RUMBLE_EVENTS) && i < d->event_count; i++)
        RP_TRY(
            rp_emit(&d->base, row_of(d, RUMBLE_EVENTS, &d->events[i], d->event_present[i]), error));
    for (size_t i = 0; rp_selected(&d->base, RUMBLE_EXTENSIONS) && i < d->extension_count; i++)
        RP_TRY(
            rp_emit(&d->base, row_of(d, RUMBLE_EXTENSIONS, &d->extensions[i], UINT64_MAX), error));
    if (rp_selected(&d->base, RUMBLE_MARKERS))
        RP_TRY(emit_event_markers(d, error));
    return REPRISE_OK;
}

/* ---- tables: what stands outside the frames ---- */

static reprise_status emit_markers(rumble_decoder *d, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    rumble_marker marker;
    float time;
    for (size_t i = 0; rumble_marker_at(replay, i, &marker, &time); i++)
        RP_TRY(add_marker(d, &marker, time, error));
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
        RP_TRY(rp_emit(&d->base, row_of(d, RUMBLE_FILES, &files[i], UINT64_MAX), error));
    }
    return error->status;
}

static uint64_t voice_size(const rp_replay *replay, const char *file_name)
{
    static const char folder[] = "voices/";
    for (size_t i = 0; i < replay->blob_count; i++) {
        const char *name = replay->blobs[i].name;
        if (strncmp(name, folder, sizeof folder - 1) == 0 &&
            strcmp(name + sizeof folder - 1, file_name) == 0)
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
        rp_row row = row_of(d, RUMBLE_VOICES, voice, UINT64_MAX);
        row.time = (double)(float)reprise_value_double(rp_get(from, "StartTime"), 0);
        RP_TRY(rp_emit(&d->base, row, error));
    }
    return error->status;
}

static reprise_status emit_tables(rumble_decoder *d, reprise_error *error)
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

/* Whether the selected tracks have rows in frames at all. */
static bool needs_frames(const rumble_decoder *d)
{
    uint64_t tables = UINT64_C(1) << RUMBLE_VOICES | UINT64_C(1) << RUMBLE_FILES;
    bool event_markers = d->wire->event.size_width == 1;
    if (!event_markers)
        tables |= UINT64_C(1) << RUMBLE_MARKERS;
    return (d->base.selection.tracks & ~tables) != 0;
}

reprise_status rumble_decode_next(rp_decoder *decoder, reprise_error *error)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    if (!d->tables_done)
        return emit_tables(d, error);
    if (!needs_frames(d))
        return REPRISE_END;
    RP_TRY(decoder->replay->salvage ? rumble_salvage_step(d, error) : rumble_step(d, error));
    return emit_frame(d, error);
}
