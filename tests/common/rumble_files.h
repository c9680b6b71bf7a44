/*
 * rumble_files.h - makes files of a generated replay and compares a file with it.
 *
 * A problem is returned as text, NULL if there is none: tests and fuzzers fail in different ways.
 */
#ifndef RUMBLE_FILES_H
#define RUMBLE_FILES_H

#include <stdlib.h>

#include "json.h"
#include "options.h"
#include "packer.h"
#include "reprise/write.h"
#include "rumble_model.h"
#include "zip_write.h"

/* The three members a replay may have beside the fight. */
static const struct {
    const char *name, *content;
} model_members[] = {
    {"voices.json", "{\"Tracks\":[{\"MasterId\":\"00AA11BB22CC33DD\",\"ActorId\":3,\"VoiceId\":1,"
                    "\"FileName\":\"one.ogg\",\"StartTime\":0.125}]}"},
    {"voices/one.ogg", "OggS not really"},
    {"extensions/BellSupport/bells.bin", "ding\0dong"},
    {"readme.txt", "hello"},
};
static const size_t model_member_count = sizeof model_members / sizeof *model_members;

static inline bool model_has_member(const model *m, size_t i)
{
    return i < 2 ? m->has_voice : i == 2 ? m->has_extension : m->has_member;
}

static inline const char *model_trouble(const reprise_error *error)
{
    static char text[REPRISE_ERROR_TEXT_MAX];
    return error->status == REPRISE_OK ? NULL
                                       : reprise_error_text(error, "model", text, sizeof text);
}

/* ---- through the public writer ---- */

typedef struct model_writer {
    reprise_writer *writer;
    reprise_error error;
    reprise_status status;
} model_writer;

static inline void set_axes(model_writer *w, int track, const char *name, const float *values,
                            size_t count)
{
    for (size_t i = 0; i < count && w->status == REPRISE_OK; i++) {
        char column[64];
        snprintf(column, sizeof column, "%s_%c", name, "xyzw"[i]);
        w->status = reprise_writer_set_double(w->writer,
                                              reprise_writer_column(w->writer, track, column),
                                              (double)values[i], &w->error);
    }
}

static inline void set_field(model_writer *w, int track, const rp_field *field, const void *row)
{
    const void *at = rp_at_const(field, row);
    int column = reprise_writer_column(w->writer, track, field->name);
    if (w->status != REPRISE_OK)
        return;
    if (field->kind == RP_VEC3) {
        set_axes(w, track, field->name, at, 3);
    } else if (field->kind == RP_ROT) {
        rp_quat q = rp_rot_value(at);
        set_axes(w, track, field->name, &q.x, 4);
    } else if (field->kind == RP_F32) {
        w->status = reprise_writer_set_double(w->writer, column, (double)*(const float *)at,
                                              &w->error);
    } else if (field->kind == RP_TEXT || field->kind == RP_BYTES) {
        const rp_text *text = at;
        w->status = reprise_writer_set_text(w->writer, column, text->data, text->size, &w->error);
    } else {
        w->status = reprise_writer_set_int(w->writer, column, rp_field_int(field, row), &w->error);
    }
}

static inline void begin_row(model_writer *w, int track, uint32_t object, double time)
{
    if (w->status == REPRISE_OK)
        w->status = reprise_writer_row(w->writer, track, object, time, &w->error);
}

/* Only what changed is given, as a recorder would. */
static inline void record_states(model_writer *w, model *m, size_t at)
{
    static model_frame nothing;
    for (uint32_t i = 0; i < m->players; i++)
        nothing.players[i].visual_data = m->looks[i];
    model_frame *now = &m->frame[at], *before = at ? &m->frame[at - 1] : &nothing;
    for (size_t kind = 0; kind < MODEL_KINDS; kind++) {
        const rp_record *record = model_kinds[kind].record;
        int track = reprise_writer_track(w->writer, model_kinds[kind].track);
        for (uint32_t object = 0; object < model_count(m, kind); object++) {
            const void *row = model_object(now, kind, object);
            const void *old = model_object(before, kind, object);
            bool begun = false;
            for (size_t i = 0; i < record->count; i++) {
                if (rp_field_equal(&record->fields[i], row, old))
                    continue;
                if (!begun)
                    begin_row(w, track, object, (double)now->time);
                begun = true;
                set_field(w, track, &record->fields[i], row);
            }
        }
    }
}

static inline void record_events(model_writer *w, const model_frame *frame)
{
    int track = reprise_writer_track(w->writer, "events");
    for (size_t i = 0; i < frame->event_count; i++) {
        begin_row(w, track, 0, (double)frame->time);
        for (size_t k = 0; k < rumble_event_record.count; k++) {
            if (frame->event_present[i] >> k & 1)
                set_field(w, track, &rumble_event_record.fields[k], &frame->events[i]);
        }
    }
    track = reprise_writer_track(w->writer, "extensions");
    for (size_t i = 0; i < frame->extension_count; i++) {
        begin_row(w, track, 0, (double)frame->time);
        for (size_t k = 0; k < rumble_extension_record.count; k++)
            set_field(w, track, &rumble_extension_record.fields[k], &frame->extensions[i]);
    }
}

static inline void record_markers(model_writer *w, const model *m)
{
    int track = reprise_writer_track(w->writer, "markers");
    for (size_t i = 0; i < m->marker_count; i++) {
        begin_row(w, track, 0, (double)m->marker_times[i]);
        for (size_t k = 0; k < rumble_marker_record.count; k++)
            set_field(w, track, &rumble_marker_record.fields[k], &m->markers[i]);
    }
}

/* `clock` is when the recording started: the file starts at 0 whatever that was. */
static inline const char *model_record(model *m, const reprise_sink *sink)
{
    model_writer w = {.error = REPRISE_ERROR_INIT};
    reprise_write_options options = REPRISE_WRITE_INIT;
    options.sink = sink;
    options.layout = m->layout;
    char metadata[sizeof m->header + 2];
    snprintf(metadata, sizeof metadata, "%s}", m->header);
    w.status = writer_begin_json("rumble", metadata, &options, NULL, &w.writer, &w.error);
    for (size_t i = 0; i < m->frames && w.status == REPRISE_OK; i++) {
        begin_row(&w, reprise_writer_track(w.writer, "frames"), 0, (double)m->frame[i].time);
        record_states(&w, m, i);
        record_events(&w, &m->frame[i]);
        if (i == 0)
            record_markers(&w, m);
        if (w.status == REPRISE_OK)
            w.status = reprise_writer_step(w.writer, &w.error);
    }
    for (size_t i = 0; i < model_member_count && w.status == REPRISE_OK; i++) {
        if (model_has_member(m, i))
            w.status = reprise_writer_blob(w.writer, model_members[i].name,
                                           model_members[i].content,
                                           strlen(model_members[i].content), &w.error);
    }
    if (w.status == REPRISE_OK)
        w.status = reprise_writer_end(w.writer, &w.error);
    reprise_writer_close(w.writer);
    return model_trouble(&w.error);
}

/* ---- byte by byte ---- */

/* Z3 and Z4a stored bytes in two and the numbers of players as floats; L2 and Z2 tell no sizes. */
static inline void put_value(rp_writer *w, const model *m, const rp_tag_map *map,
                             const rp_field *field, const void *row)
{
    const void *at = rp_at_const(field, row);
    const rp_rot *rotation = at;
    const rp_text *text = at;
    bool wide = field->kind == RP_BYTE && map->size_width == 1;
    size_t size = field->kind == RP_ROT    ? (model_packs(m) ? 7 : 16)
                  : field->kind == RP_TEXT ? text->size + 1
                  : field->kind == RP_INT  ? 4
                  : field->kind == RP_BYTE ? 1u + wide
                                           : rp_wire_size[field->kind];
    if (map->size_width)
        rp_put_u8(w, (uint8_t)size);
    if (field->kind == RP_ROT && rotation->size) {
        rp_put(w, rotation->bytes, size);
    } else if (field->kind == RP_ROT) {
        rp_put(w, rp_rot_full((rp_quat){0, 0, 0, 1}).bytes, 16);
    } else if (field->kind == RP_TEXT) {
        rp_put_u8(w, (uint8_t)text->size);
        rp_put(w, text->data, text->size);
    } else if (field->kind == RP_INT && field->tag == 7 && rp_field_int(field, row) > 0) {
        rp_put_f32(w, (float)rp_field_int(field, row));
    } else if (field->kind == RP_INT) {
        rp_put_u32(w, (uint32_t)rp_field_int(field, row));
    } else if (field->kind == RP_BYTE) {
        rp_put_u8(w, (uint8_t)rp_field_int(field, row));
        if (wide)
            rp_put_u8(w, 0);
    } else {
        rp_value_write(w, field, at);
    }
}

static inline void put_fields(rp_writer *w, const model *m, const rp_tag_map *map, const void *row,
                              uint64_t present)
{
    for (unsigned id = 0; id < RP_TAGS_MAX; id++) {
        const rp_field *field = rp_tag_field(map, id);
        if (!field || !(present >> (field - map->record->fields) & 1))
            continue;
        rp_put_u8(w, (uint8_t)id);
        put_value(w, m, map, field, row);
    }
}

/* Complete states in L2 and Z2, changes in the others. */
static inline uint64_t fields_to_put(model *m, size_t at, size_t kind, uint32_t object)
{
    const rp_record *record = model_kinds[kind].record;
    uint64_t mapped = rumble_mapped_fields(model_map(m, kind)), changed = 0;
    const void *row = model_object(&m->frame[at], kind, object);
    static model_frame nothing;
    const void *old = model_object(at ? &m->frame[at - 1] : &nothing, kind, object);
    for (size_t i = 0; i < record->count; i++) {
        if (!rp_field_equal(&record->fields[i], row, old))
            changed |= UINT64_C(1) << i;
    }
    changed &= mapped;
    return changed && !model_map(m, kind)->size_width ? mapped : changed;
}

static inline uint32_t put_state_entries(rp_writer *w, model *m, size_t at)
{
    uint32_t entries = 0;
    for (size_t kind = 0; kind < MODEL_KINDS; kind++) {
        for (uint32_t object = 0; object < model_count(m, kind); object++) {
            uint64_t present = fields_to_put(m, at, kind, object);
            if (!present)
                continue;
            rp_put_u8(w, model_kinds[kind].chunk);
            rp_put_u32(w, object);
            size_t slot = rp_slot_begin(w);
            put_fields(w, m, model_map(m, kind), model_object(&m->frame[at], kind, object),
                       present);
            rp_slot_end(w, slot);
            entries++;
        }
    }
    return entries;
}

static inline void put_zip_frame(rp_writer *w, model *m, size_t at)
{
    const model_frame *frame = &m->frame[at];
    size_t slot = m->wire.frame_size ? rp_slot_begin(w) : 0;
    rp_put_f32(w, frame->time);
    size_t count_at = w->size;
    rp_put_u32(w, 0);
    uint32_t entries = put_state_entries(w, m, at);
    for (size_t i = 0; i < frame->event_count; i++, entries++) {
        rp_put_u8(w, RUMBLE_CHUNK_EVENT);
        rp_put_u32(w, (uint32_t)i);
        size_t chunk = rp_slot_begin(w);
        put_fields(w, m, &m->wire.event, &frame->events[i], frame->event_present[i]);
        rp_slot_end(w, chunk);
    }
    for (size_t i = 0; i < frame->extension_count; i++, entries++) {
        rp_put_u8(w, RUMBLE_CHUNK_EXTENSION);
        rp_put_u32(w, (uint32_t)frame->extensions[i].mod_id);
        rp_put_u32(w, (uint32_t)frame->extensions[i].sub_index);
        rp_put_u32(w, (uint32_t)frame->extensions[i].data.size);
        rp_put(w, frame->extensions[i].data.data, frame->extensions[i].data.size);
    }
    if (rp_writer_ok(w))
        rp_store32(w->data + count_at, entries);
    if (m->wire.frame_size)
        rp_slot_end(w, slot);
}

static inline void put_l2_frame(rp_writer *w, model *m, size_t at)
{
    rp_put_f32(w, m->frame[at].time);
    for (size_t kind = 0; kind < 2; kind++) {
        for (uint32_t object = 0; object < model_count(m, kind); object++) {
            uint64_t present = fields_to_put(m, at, kind, object);
            rp_put_u8(w, present != 0);
            rp_put_u8(w, model_kinds[kind].chunk);
            if (!present)
                continue;
            size_t slot = rp_slot_begin(w);
            put_fields(w, m, model_map(m, kind), model_object(&m->frame[at], kind, object),
                       present);
            rp_slot_end(w, slot);
        }
    }
}

static inline void put_str7(rp_writer *w, const reprise_value *object, const char *name)
{
    size_t size = 0;
    const char *text = reprise_value_text(rp_get(object, name), &size);
    rp_put_leb32(w, (uint32_t)size);
    rp_put(w, text ? text : "", size);
}

static inline void put_l2_header(rp_writer *w, const model *m, const reprise_value *header)
{
    const reprise_value *players = rp_get(header, "Players");
    rp_put_text(w, "REPLAY");
    put_str7(w, header, "Version");
    put_str7(w, header, "Scene");
    put_str7(w, header, "DateUTC");
    rp_put_u32(w, (uint32_t)m->frames);
    rp_put_u32(w, m->structures);
    rp_put_u32(w, (uint32_t)reprise_value_int(rp_get(header, "FPS"), 0));
    rp_put_u32(w, m->players);
    for (uint32_t i = 0; i < m->players; i++) {
        const reprise_value *player = reprise_value_at(players, i);
        const reprise_value *size = rp_get(player, "Measurement");
        const reprise_value *stones = rp_get(player, "EquippedShiftStones");
        rp_put_u8(w, (uint8_t)reprise_value_int(rp_get(player, "ActorId"), 0));
        put_str7(w, player, "MasterId");
        put_str7(w, player, "Name");
        rp_put_u32(w, (uint32_t)reprise_value_int(rp_get(player, "BattlePoints"), 0));
        put_str7(w, player, "VisualData");
        rp_put_u16(w, (uint16_t)reprise_value_int(reprise_value_at(stones, 0), 0));
        rp_put_u16(w, (uint16_t)reprise_value_int(reprise_value_at(stones, 1), 0));
        rp_put_f32(w, (float)reprise_value_double(rp_get(size, "Length"), 0));
        rp_put_f32(w, (float)reprise_value_double(rp_get(size, "ArmSpan"), 0));
        rp_put_u8(w, reprise_value_bool(rp_get(player, "WasHost"), false));
    }
    const reprise_value *structures = rp_get(header, "Structures");
    rp_put_u32(w, m->structures);
    for (uint32_t i = 0; i < m->structures; i++)
        rp_put_u8(w,
                  (uint8_t)reprise_value_int(rp_get(reprise_value_at(structures, i), "Type"), 0));
}

static inline void pack(rp_writer *to, const rp_writer *from, bool brotli, reprise_error *error)
{
    rp_sink *sink = NULL;
    rp_packer *packer = NULL;
    reprise_status status = rp_sink_open_memory(to->context, to, &sink, error);
    if (status == REPRISE_OK)
        status = brotli
                     ? rp_packer_open_brotli(to->context, sink, 1, RP_BROTLI_WINDOW, &packer, error)
                     : rp_packer_open_gzip(to->context, sink, 1, &packer, error);
    if (status == REPRISE_OK)
        status = rp_packer_write(packer, from->data, from->size, error);
    if (status == REPRISE_OK)
        status = rp_packer_finish(packer, error);
    (void)status;
    rp_packer_close(packer);
    rp_sink_close(sink);
}

static inline reprise_status put_archive(const model *m, const rp_writer *packed, rp_sink *sink,
                                         rp_context *context, reprise_error *error)
{
    char manifest[sizeof m->header + 64];
    int n = snprintf(manifest, sizeof manifest, "%s,\"FrameCount\":%zu}", m->header, m->frames);
    rp_zip_writer *zip = NULL;
    rp_source *stream = NULL;
    reprise_status status = rp_zip_writer_new(context, sink, &zip, error);
    if (status == REPRISE_OK)
        status = rp_source_open_memory(context, packed->data, packed->size, &stream, error);
    if (status == REPRISE_OK)
        status = rp_zip_add_stored(zip, "replay", stream, error);
    for (size_t i = 0; i < model_member_count && status == REPRISE_OK; i++) {
        if (model_has_member(m, i))
            status = rp_zip_add_bytes(zip, model_members[i].name, model_members[i].content,
                                      strlen(model_members[i].content), error);
    }
    if (status == REPRISE_OK)
        status = rp_zip_add_bytes(zip, "manifest.json", manifest, (size_t)n, error);
    if (status == REPRISE_OK)
        status = rp_zip_finish(zip, error);
    rp_source_close(stream);
    rp_zip_writer_free(zip);
    return status;
}

static inline reprise_status put_legacy(const rp_writer *raw, const rp_writer *packed,
                                        rp_sink *sink, reprise_error *error)
{
    uint8_t wrapper[12] = {'R', 'G', 'Z', 'P'};
    rp_store32(wrapper + 4, (uint32_t)raw->size);
    rp_store32(wrapper + 8, (uint32_t)packed->size);
    reprise_status status = rp_sink_write(sink, wrapper, sizeof wrapper, error);
    return status == REPRISE_OK ? rp_sink_write(sink, packed->data, packed->size, error) : status;
}

/* Layouts we do not write: L2, Z2, Z3, Z4a. */
static inline const char *model_build(model *m, const reprise_sink *to)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_context context;
    rp_context_init(&context, NULL);
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_writer raw, packed;
    rp_writer_init(&raw, &context, SIZE_MAX / 2, &error);
    rp_writer_init(&packed, &context, SIZE_MAX / 2, &error);
    if (m->wire.zip) {
        rp_put(&raw, rumble_stream_magic, sizeof rumble_stream_magic);
    } else {
        char text[sizeof m->header + 2];
        rp_doc doc = {.arena = &arena, .error = &error};
        reprise_value *header = NULL;
        int n = snprintf(text, sizeof text, "%s}", m->header);
        if (rp_json_parse(&doc, text, (size_t)n, "header", &header, NULL) == REPRISE_OK)
            put_l2_header(&raw, m, header);
    }
    for (size_t i = 0; i < m->frames; i++) {
        if (m->wire.zip)
            put_zip_frame(&raw, m, i);
        else
            put_l2_frame(&raw, m, i);
    }
    pack(&packed, &raw, m->wire.zip, &error);
    rp_sink *sink = NULL;
    reprise_status status = error.status;
    if (status == REPRISE_OK)
        status = rp_sink_open_callback(&context, to, &sink, &error);
    if (status == REPRISE_OK)
        status = m->wire.zip ? put_archive(m, &packed, sink, &context, &error)
                             : put_legacy(&raw, &packed, sink, &error);
    (void)status;
    rp_sink_close(sink);
    rp_writer_free(&raw);
    rp_writer_free(&packed);
    rp_arena_free(&arena);
    return model_trouble(&error);
}

/* ---- reading back ---- */

static inline const char *REPRISE_PRINTF(1, 2) model_problem(const char *format, ...)
{
    static char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

/* A rotation that was not stored is the identity. */
static inline bool same_field(const rp_field *field, const void *wanted, const void *given)
{
    if (rp_field_equal(field, wanted, given))
        return true;
    if (field->kind != RP_ROT)
        return false;
    rp_quat a = rp_rot_value(rp_at_const(field, wanted));
    rp_quat b = rp_rot_value(rp_at_const(field, given));
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline const char *compare_record(const char *track, size_t frame, uint32_t object,
                                         const rp_record *record, uint64_t fields,
                                         const void *wanted, const void *given)
{
    for (size_t i = 0; i < record->count; i++) {
        if ((fields >> i & 1) && !same_field(&record->fields[i], wanted, given))
            return model_problem("frame %zu: %s %u: %s is another one", frame, track, object,
                                 record->fields[i].name);
    }
    return NULL;
}

static inline const char *compare_states(model *m, size_t at, const rp_batch *batch)
{
    size_t seen = 0, wanted = 0;
    for (size_t kind = 0; kind < MODEL_KINDS; kind++)
        wanted += model_count(m, kind);
    for (size_t i = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        for (size_t kind = 0; kind < MODEL_KINDS; kind++) {
            if (strcmp(rumble_tracks[row->track].name, model_kinds[kind].track) != 0)
                continue;
            const char *problem = compare_record(
                model_kinds[kind].track, at, row->object, model_kinds[kind].record,
                rumble_mapped_fields(model_map(m, kind)),
                model_object(&m->frame[at], kind, row->object), row->data);
            if (problem)
                return problem;
            seen++;
        }
    }
    return seen == wanted ? NULL : model_problem("frame %zu: %zu of %zu states", at, seen, wanted);
}

static inline const char *compare_moments(const model *m, size_t at, const rp_batch *batch)
{
    const model_frame *frame = &m->frame[at];
    size_t events = 0, extensions = 0;
    const char *problem = NULL;
    for (size_t i = 0; i < batch->count && !problem; i++) {
        const rp_row *row = &batch->rows[i];
        if ((float)row->time != frame->time && rumble_tracks[row->track].clock)
            return model_problem("frame %zu: at another time", at);
        if (row->track == RUMBLE_EVENTS && events < frame->event_count) {
            rumble_event wanted = frame->events[events];
            if (m->wire.event.strict)
                wanted.type = 0; /* what an effect is there */
            if (row->present != frame->event_present[events])
                problem = model_problem("frame %zu: event %zu has other fields", at, events);
            else
                problem = compare_record("event", at, (uint32_t)events, &rumble_event_record,
                                         UINT64_MAX, &wanted, row->data);
        }
        if (row->track == RUMBLE_EXTENSIONS && extensions < frame->extension_count)
            problem = compare_record("extension", at, (uint32_t)extensions,
                                     &rumble_extension_record, UINT64_MAX,
                                     &frame->extensions[extensions], row->data);
        events += row->track == RUMBLE_EVENTS;
        extensions += row->track == RUMBLE_EXTENSIONS;
    }
    if (!problem && (events != frame->event_count || extensions != frame->extension_count))
        return model_problem("frame %zu: %zu events, %zu extensions", at, events, extensions);
    return problem;
}

static inline const char *compare_markers(const model *m, const rp_batch *batch)
{
    size_t seen = 0, listed = 0;
    for (size_t i = 0; i < batch->count; i++)
        listed += batch->rows[i].track == RUMBLE_MARKERS;
    for (size_t i = 0, k = 0; i < batch->count; i++) {
        const rp_row *row = &batch->rows[i];
        if (row->track != RUMBLE_MARKERS || ++k <= listed - m->marker_count)
            continue; /* those of the header come first and are compared there */
        const char *problem = compare_record("marker", 0, (uint32_t)seen, &rumble_marker_record,
                                             UINT64_MAX, &m->markers[seen], row->data);
        if (problem || (float)row->time != m->marker_times[seen])
            return problem ? problem : model_problem("marker %zu: at another time", seen);
        seen++;
    }
    return seen == m->marker_count ? NULL : model_problem("%zu of the markers are there", seen);
}

/* Every member that was given is in the header that is read; legacy headers know fewer. */
static inline const char *compare_header(const model *m, const reprise_value *given, rp_doc *doc)
{
    char text[sizeof m->header + 2];
    reprise_value *wanted = NULL;
    int n = snprintf(text, sizeof text, "%s}", m->header);
    if (rp_json_parse(doc, text, (size_t)n, "header", &wanted, NULL) != REPRISE_OK)
        return model_trouble(doc->error);
    bool looks_moved = m->wire.player.size_width == 2;
    reprise_value *players = rp_get(wanted, "Players");
    for (size_t i = 0; looks_moved && i < reprise_value_count(players); i++)
        rp_remove(players->as.list.items[i].value, "VisualData");
    for (size_t i = 0; i < reprise_value_count(wanted); i++) {
        const char *name = reprise_value_key(wanted, i);
        const reprise_value *value = rp_get(given, name);
        bool added = strcmp(name, "Markers") == 0 && m->marker_count;
        bool iso = strcmp(name, "Date") == 0 && m->wire.player.strict;
        if (!added && !iso && !rp_value_equal(reprise_value_at(wanted, i), value))
            return model_problem("header: %s is another one", name);
    }
    return NULL;
}

static inline const char *compare_rows(model *m, rp_decoder *decoder, bool markers)
{
    reprise_error error = REPRISE_ERROR_INIT;
    reprise_status status;
    const char *problem = NULL;
    size_t frames = 0;
    while (!problem && (status = rp_decoder_next(decoder, &error)) == REPRISE_OK) {
        const rp_batch *batch = &decoder->batch;
        if (!batch->count || !rumble_tracks[batch->rows[0].track].clock) {
            problem = markers ? compare_markers(m, batch) : NULL;
            continue;
        }
        if (frames == m->frames)
            return model_problem("more than %zu frames", frames);
        problem = compare_states(m, frames, batch);
        if (!problem)
            problem = compare_moments(m, frames, batch);
        frames++;
    }
    if (problem || (problem = model_trouble(&error)))
        return problem;
    return frames == m->frames ? NULL : model_problem("%zu frames of %zu", frames, m->frames);
}

/* Whether a file in the model's own layout holds all of the model. */
static inline const char *model_compare(model *m, const void *data, size_t size)
{
    reprise_error error = REPRISE_ERROR_INIT;
    rp_context context;
    rp_context_init(&context, NULL);
    rp_source *source = NULL;
    rp_replay *replay = NULL;
    rp_decoder *decoder = NULL;
    rp_arena arena;
    rp_arena_init(&arena, &context);
    rp_doc doc = {.arena = &arena, .error = &error};
    const char *problem = NULL;
    reprise_status status = rp_source_open_memory(&context, data, size, &source, &error);
    if (status == REPRISE_OK)
        status = rp_replay_open(&context, source, "rumble", NULL, &replay, &error);
    rp_selection selection = {.tracks = (UINT64_C(1) << RUMBLE_TRACK_COUNT) - 1, .dense = true};
    if (status == REPRISE_OK)
        status = rp_decoder_open(replay, selection, &decoder, &error);
    if (status != REPRISE_OK)
        problem = model_trouble(&error);
    else if (strcmp(replay->layout, m->layout) != 0)
        problem = model_problem("read as %s", replay->layout);
    if (!problem)
        problem = compare_header(m, ((const rumble_replay *)replay)->header, &doc);
    if (!problem)
        problem = compare_rows(m, decoder, m->marker_count > 0);
    rp_decoder_close(decoder);
    rp_replay_close(replay);
    rp_source_close(source);
    rp_arena_free(&arena);
    return problem;
}

#endif
