/*
 * read.c - frames of every layout into states and rows.
 *
 * A frame changes the states of the objects it names; rows point to those states. Events and
 * extensions belong to their frame alone. Everything a frame gives stays valid until the next.
 */
#include "read.h"

#include <math.h>

const char rumble_stream_magic[4] = {'R', 'P', 'L', 'Y'};

/*
 * Up to this size the legacy data is inflated in one piece by libdeflate, twice as fast as zlib's
 * stream. One hour at 50 frames per second is below it, and it leaves room for the rest within
 * the 64 MiB a reader may hold.
 */
#define INFLATE_WHOLE_MAX ((uint32_t)48 << 20)

/* ---- streams ---- */

static reprise_status open_brotli(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    rp_replay *base = &replay->base;
    uint64_t ratio = base->context->limits.expansion_ratio_max;
    rp_stream *entry = NULL, *stream = NULL;
    RP_TRY(rp_zip_open_entry(base->zip, (size_t)replay->stream_entry, "zip:replay", ratio, &entry,
                             error));
    RP_TRY(rp_stream_open_brotli(entry, "zip:replay", ratio, &stream, error));
    rp_window_init_stream(window, base->context, stream, "zip:replay");
    return REPRISE_OK;
}

static reprise_status open_gzip(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    rp_replay *base = &replay->base;
    rp_stream *member = NULL, *stream = NULL;
    RP_TRY(rp_stream_open_range(base->context, base->source, 12, replay->gzip_size, "gzip", &member,
                                error));
    RP_TRY(rp_stream_open_gzip(member, "gzip", base->context->limits.expansion_ratio_max, &stream,
                               error));
    rp_window_init_stream(window, base->context, stream, "gzip");
    return REPRISE_OK;
}

reprise_status rumble_open_stream(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    return replay->base.zip ? open_brotli(replay, window, error) : open_gzip(replay, window, error);
}

/* The whole legacy data in memory. A member that does not inflate goes through the stream instead,
   which gives everything in front of the damage. */
static reprise_status inflate_whole(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    rp_context *context = replay->base.context;
    const uint8_t *data = NULL;
    uint8_t *spare = NULL;
    RP_TRY(rp_source_piece(replay->base.source, 12, replay->gzip_size, &data, &spare, error));
    reprise_error failure = REPRISE_ERROR_INIT;
    reprise_status status = rp_gzip_decode(context, data, replay->gzip_size, replay->inner_size,
                                           INFLATE_WHOLE_MAX, &d->inflated, &d->inflated_size,
                                           &failure);
    rp_free(context, spare, replay->gzip_size);
    if (status == REPRISE_OK)
        rp_window_init_memory(&d->window, d->inflated, d->inflated_size, "gzip");
    else
        status = rumble_open_stream(replay, &d->window, error);
    return status;
}

/* ---- states ---- */

static const rp_record *const object_records[RUMBLE_OBJECT_KINDS] = {
    &rumble_player_record, &rumble_structure_record, &rumble_pedestal_record, &rumble_prop_record};

static reprise_status alloc_objects(rumble_decoder *d, rumble_objects *objects,
                                    reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    objects->present = rp_alloc_zero(context, objects->count, sizeof(uint64_t), error);
    objects->touched = rp_alloc_zero(context, objects->count, sizeof(uint32_t), error);
    return error->status;
}

/*
 * How many objects a header may claim. A legacy frame has a flag for each, so the inflated data
 * must hold them; deflate cannot expand more than 1032 times.
 */
static reprise_status check_object_counts(const rumble_replay *replay, reprise_error *error)
{
    uint64_t objects = (uint64_t)replay->player_count + replay->structure_count;
    if (!replay->wire.zip && replay->frame_count) {
        uint64_t room = RP_MIN((uint64_t)replay->gzip_size * 1032, (uint64_t)replay->inner_size);
        if (objects > room) {
            rp_error_set(error, REPRISE_E_CORRUPT, "%llu objects cannot fit in %llu bytes",
                         (unsigned long long)objects, (unsigned long long)room);
            rp_error_place(error, "gzip", 0, "StructureCount");
            return error->status;
        }
    }
    return rp_limit(objects, replay->base.context->limits.items_max, "number of objects", "items",
                    error);
}

reprise_status rumble_decoder_init(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    d->wire = &replay->wire;
    RP_TRY(check_object_counts(replay, error));
    bool legacy_empty = !replay->wire.zip && !replay->frame_count;
    const uint32_t counts[RUMBLE_OBJECT_KINDS] = {
        legacy_empty ? 0 : replay->player_count,
        legacy_empty ? 0 : replay->structure_count,
        replay->pedestal_count,
        replay->prop_count,
    };
    size_t offset = 0, offsets[RUMBLE_OBJECT_KINDS];
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        d->objects[k].count = counts[k];
        d->objects[k].size = object_records[k]->size;
        offsets[k] = offset;
        offset += counts[k] * object_records[k]->size;
        offset = (offset + 15) & ~(size_t)15;
    }
    d->states = rp_alloc_zero(replay->base.context, RP_MAX(offset, 1), 1, error);
    if (!d->states)
        return error->status;
    d->states_size = offset;
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        d->objects[k].states = d->states + offsets[k];
        RP_TRY(alloc_objects(d, &d->objects[k], error));
    }
    return REPRISE_OK;
}

reprise_status rumble_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    rumble_replay *replay = (rumble_replay *)decoder->replay;
    RP_TRY(rumble_settle_layout(replay, error));
    replay->unknown_chunks = replay->unknown_fields = replay->trailing = 0;
    if (replay->base.salvage) /* every reading finds the damage anew */
        rp_findings_rewind(&replay->base.findings, replay->opened);
    RP_TRY(rumble_decoder_init(d, error));
    if (!replay->wire.zip && replay->inner_size <= INFLATE_WHOLE_MAX)
        RP_TRY(inflate_whole(d, error));
    else
        RP_TRY(rumble_open_stream(replay, &d->window, error));
    size_t lead = replay->wire.zip ? sizeof rumble_stream_magic : replay->header_size;
    RP_TRY(rp_window_fill(&d->window, lead, error));
    if (rp_window_left(&d->window) < lead)
        return rp_window_short(&d->window, lead, "header", error);
    rp_window_skip(&d->window, lead);
    return REPRISE_OK;
}

static void free_texts(rumble_decoder *d)
{
    rp_context *context = d->base.replay->context;
    for (uint32_t i = 0; d->texts && i < d->objects[RUMBLE_CHUNK_PLAYER].count; i++)
        rp_writer_free(&d->texts[i]);
    rp_free(context, d->texts, d->objects[RUMBLE_CHUNK_PLAYER].count * sizeof *d->texts);
}

void rumble_decode_end(rp_decoder *decoder)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    rp_context *context = decoder->replay->context;
    rp_window_free(&d->window);
    free_texts(d);
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        rp_free(context, d->objects[k].present, d->objects[k].count * sizeof(uint64_t));
        rp_free(context, d->objects[k].touched, d->objects[k].count * sizeof(uint32_t));
    }
    rp_free(context, d->states, RP_MAX(d->states_size, 1));
    rp_free(context, d->before, d->before ? RP_MAX(d->states_size, 1) : 0);
    rp_free(context, d->inflated, d->inflated_size);
    rp_free(context, d->events, d->event_capacity * sizeof *d->events);
    rp_free(context, d->event_present, d->event_capacity * sizeof *d->event_present);
    rp_free(context, d->extensions, d->extension_capacity * sizeof *d->extensions);
    rp_free(context, d->markers, d->marker_capacity * sizeof *d->markers);
}

/* ---- lists that belong to a frame ---- */

/* Room for one more item; the list starts small because most frames have none. */
void *rumble_grow(rp_context *context, void *items, size_t count, size_t *capacity,
                  size_t item_size, reprise_error *error)
{
    if (count < *capacity)
        return items;
    size_t more = *capacity ? *capacity * 2 : 16;
    void *memory = rp_realloc(context, items, *capacity * item_size, more * item_size, error);
    if (memory)
        *capacity = more;
    return memory;
}

static rumble_event *add_event(rumble_decoder *d, reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    size_t capacity = d->event_capacity;
    rumble_event *events = rumble_grow(context, d->events, d->event_count, &capacity,
                                       sizeof *events, error);
    if (!events)
        return NULL;
    d->events = events;
    if (capacity != d->event_capacity) {
        uint64_t *present = rp_realloc(context, d->event_present,
                                       d->event_capacity * sizeof *present,
                                       capacity * sizeof *present, error);
        if (!present) {
            /* Keep the two arrays at one capacity, by which both are freed. */
            reprise_error ignored = REPRISE_ERROR_INIT;
            void *back = rp_realloc(context, events, capacity * sizeof *events,
                                    d->event_capacity * sizeof *events, &ignored);
            d->events = back ? back : events;
            return NULL;
        }
        d->event_present = present;
        d->event_capacity = capacity;
    }
    rumble_event *event = &d->events[d->event_count];
    *event = (rumble_event){.player = -1, .structure_id = -1};
    d->event_present[d->event_count++] = 0;
    return event;
}

/* Z3 and Z4a stored player numbers as floats. */
static int32_t fix_player(int32_t stored)
{
    if (stored < 0x3F800000)
        return stored;
    float value;
    memcpy(&value, &stored, sizeof value);
    return value < 2147483520.0f ? (int32_t)lrintf(value) : stored;
}

/* Some writers would put the length in front of the text, as readers expect. */
static rp_text fix_master_id(rp_text text)
{
    if (text.size && (uint8_t)text.data[0] == text.size - 1)
        return (rp_text){.data = text.data + 1, .size = text.size - 1};
    return text;
}

static void read_event(rumble_decoder *d, rp_reader *chunk, size_t *unknown)
{
    rumble_event *event = add_event(d, chunk->error);
    if (!event)
        return;
    uint64_t *present = &d->event_present[d->event_count - 1];
    rp_tagged_read(chunk, &d->wire->event, event, present, unknown);
    event->player = fix_player(event->player);
    if (event->master_id.data)
        event->master_id = fix_master_id(event->master_id);
}

static void add_extension(rumble_decoder *d, int32_t mod_id, int32_t sub_index, rp_reader *payload)
{
    rumble_extension *extensions = rumble_grow(d->base.replay->context, d->extensions,
                                               d->extension_count, &d->extension_capacity,
                                               sizeof *extensions, payload->error);
    if (!extensions)
        return;
    d->extensions = extensions;
    size_t size = rp_left(payload);
    const uint8_t *data = rp_take(payload, size, "extension");
    d->extensions[d->extension_count++] = (rumble_extension){
        .mod_id = mod_id, .sub_index = sub_index, .data = {(const char *)data, size}};
}

/* ---- entries ---- */

/* While streaming, text in a state must outlive the piece of the stream it came from. */
static void keep_text(rumble_decoder *d, uint32_t index, reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    const rumble_objects *players = &d->objects[RUMBLE_CHUNK_PLAYER];
    if (!d->texts) {
        d->texts = rp_alloc_zero(context, players->count, sizeof *d->texts, error);
        for (uint32_t i = 0; d->texts && i < players->count; i++)
            rp_writer_init(&d->texts[i], context, UINT16_MAX, NULL);
    }
    if (!d->texts)
        return;
    rp_text *text = &((rumble_player *)players->states + index)->visual_data;
    rp_writer *copy = &d->texts[index];
    copy->error = error;
    rp_writer_clear(copy);
    if (!rp_reserve(copy, RP_MAX(text->size, 1)))
        return;
    rp_put(copy, text->data, text->size);
    text->data = (const char *)copy->data;
}

static void read_state(rumble_decoder *d, size_t kind, const rp_tag_map *map, int32_t index,
                       rp_reader *chunk, size_t *unknown)
{
    rumble_objects *objects = &d->objects[kind];
    if (index < 0 || (uint32_t)index >= objects->count) {
        rp_fail(chunk, REPRISE_E_CORRUPT, "index", "%s %d of %u",
                rumble_tracks[RUMBLE_PLAYERS + kind].object, index, objects->count);
        return;
    }
    if (!rp_left(chunk))
        return;
    uint64_t *present = &objects->present[index];
    if (!*present)
        objects->touched[objects->touched_count++] = (uint32_t)index;
    uint64_t before = *present;
    *present = 0;
    rp_tagged_read(chunk, map, (char *)objects->states + (size_t)index * objects->size, present,
                   unknown);
    if (kind == RUMBLE_CHUNK_PLAYER && d->window.stream && rp_ok(chunk) &&
        *present >> rumble_player_F_visual_data & 1)
        keep_text(d, (uint32_t)index, chunk->error);
    *present |= before;
    if (!*present) /* nothing but unknown fields: not touched after all */
        objects->touched_count--;
}

static void read_chunk(rumble_decoder *d, uint8_t type, int32_t index, int32_t sub_index,
                       rp_reader *chunk, size_t *unknown)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    if (type == d->wire->extension) {
        add_extension(d, index, sub_index, chunk);
        return;
    }
    switch (type) {
    case RUMBLE_CHUNK_PLAYER:
        read_state(d, type, &d->wire->player, index, chunk, unknown);
        return;
    case RUMBLE_CHUNK_STRUCTURE:
        read_state(d, type, &d->wire->structure, index, chunk, unknown);
        return;
    case RUMBLE_CHUNK_PEDESTAL:
        read_state(d, type, &d->wire->pedestal, index, chunk, unknown);
        return;
    case RUMBLE_CHUNK_EVENT:
        read_event(d, chunk, unknown);
        return;
    case RUMBLE_CHUNK_PROP:
        if (replay->has_props) {
            read_state(d, RUMBLE_PROP_OBJECTS, &d->wire->prop, index, chunk, unknown);
            return;
        }
        break;
    default:
        break;
    }
    replay->unknown_chunks++;
    rp_note(&replay->base.findings, REPRISE_NOTE, "rumble.unknown-chunk", chunk->stream,
            chunk->offset, "chunk", "type %u, %zu bytes, skipped", type, rp_left(chunk));
}

static void read_entry(rumble_decoder *d, rp_reader *frame)
{
    uint8_t type = rp_u8(frame, "type");
    int32_t index = rp_i32(frame, "index");
    int32_t sub_index = 0;
    if (type == RUMBLE_CHUNK_EXTENSION && d->wire->sub_index)
        sub_index = rp_i32(frame, "sub_index");
    int32_t length = rp_i32(frame, "length");
    if (!rp_ok(frame))
        return;
    if (length < 0 || (size_t)length > rp_left(frame)) {
        rp_fail(frame, REPRISE_E_CORRUPT, "length", "entry of %d bytes, %zu left in the frame",
                length, rp_left(frame));
        return;
    }
    rp_reader chunk = rp_sub(frame, (size_t)length, "chunk");
    size_t unknown = 0;
    uint64_t offset = chunk.offset;
    read_chunk(d, type, index, sub_index, &chunk, &unknown);
    if (unknown) {
        rumble_replay *replay = (rumble_replay *)d->base.replay;
        replay->unknown_fields += unknown;
        rp_note(&replay->base.findings, REPRISE_NOTE, "rumble.unknown-field", frame->stream, offset,
                "chunk", "field ids that no known build wrote, skipped");
    }
}

/* ---- frames of the ZIP layouts ---- */

static void read_entries(rumble_decoder *d, rp_reader *frame)
{
    d->time = rp_f32(frame, "time");
    int32_t entries = rp_i32(frame, "entry count");
    if (entries < 0)
        rp_fail(frame, REPRISE_E_CORRUPT, "entry count", "is %d", entries);
    d->about.entries = (uint32_t)entries;
    for (int32_t i = 0; i < entries && rp_ok(frame); i++) {
        read_entry(d, frame);
        if (!rp_ok(frame))
            rp_error_at(frame->error, "entries[%d]", i);
    }
}

static reprise_status read_sized_frame(rumble_decoder *d, reprise_error *error)
{
    RP_TRY(rp_window_fill(&d->window, 4, error));
    if (rp_window_left(&d->window) < 4)
        return rp_window_short(&d->window, 4, "size", error);
    rp_reader r = rp_window_reader(&d->window, error);
    int32_t size = rp_i32(&r, "size");
    if (size < 8) {
        rp_fail(&r, REPRISE_E_CORRUPT, "size", "frame of %d bytes; 8 is the least", size);
        return error->status;
    }
    RP_TRY(rp_limit((uint64_t)size, d->base.replay->context->limits.record_bytes_max, "frame size",
                    "record_bytes", error));
    size_t whole = 4 + (size_t)size;
    RP_TRY(rp_window_fill(&d->window, whole, error));
    if (rp_window_left(&d->window) < whole)
        return rp_window_short(&d->window, whole, "frame", error);
    r = rp_window_reader(&d->window, error);
    rp_skip(&r, 4, "size");
    rp_reader frame = rp_sub(&r, (size_t)size, "frame");
    read_entries(d, &frame);
    d->about.size = (uint32_t)size;
    d->about.stray = (uint32_t)rp_left(&frame);
    if (rp_ok(&r))
        rp_window_skip(&d->window, whole);
    return error->status;
}

/* ---- frames without a size ---- */

/*
 * Finds how long such a frame is by stepping over it, before it is read for good: a state must not
 * change for a frame that is not there completely.
 */
static size_t frame_extent(const rumble_decoder *d, const rp_window *window, reprise_error *error)
{
    rp_reader r = rp_window_reader(window, error);
    size_t before = rp_left(&r);
    rp_skip(&r, 4, "time");
    if (d->wire->zip) {
        int32_t entries = rp_i32(&r, "entry count");
        for (int32_t i = 0; i < entries && rp_ok(&r); i++) {
            rp_skip(&r, 5, "entry");
            int32_t length = rp_i32(&r, "length");
            rp_skip(&r, length < 0 ? SIZE_MAX : (size_t)length, "chunk");
        }
        return before - rp_left(&r);
    }
    size_t objects = (size_t)d->objects[0].count + d->objects[1].count;
    for (size_t i = 0; i < objects && rp_ok(&r); i++) {
        uint8_t changed = rp_u8(&r, "changed");
        rp_skip(&r, 1, "type");
        if (changed == 1) {
            int32_t length = rp_i32(&r, "length");
            rp_skip(&r, length < 0 ? SIZE_MAX : (size_t)length, "chunk");
        }
    }
    return before - rp_left(&r);
}

/* Has a whole frame in reach, or all there is; then reading tells what is missing. */
static reprise_status reach_frame(rumble_decoder *d, reprise_error *error)
{
    uint64_t max = d->base.replay->context->limits.record_bytes_max;
    if (!d->window.stream)
        return REPRISE_OK;
    for (uint64_t want = 1 << 14; want <= max; want *= 2) {
        RP_TRY(rp_window_fill(&d->window, (size_t)want, error));
        reprise_error short_of = REPRISE_ERROR_INIT;
        frame_extent(d, &d->window, &short_of);
        if (short_of.status == REPRISE_OK || d->window.ended)
            return REPRISE_OK;
    }
    return rp_error_set(error, REPRISE_E_LIMIT, "frame is over limit record_bytes=%llu",
                        (unsigned long long)max);
}

/* Legacy states in the order of the file: rig, head, left, right. */
const uint8_t rumble_l1_player_order[RUMBLE_L1_PLAYER_FIELDS] = {
    rumble_player_F_rig_pos,   rumble_player_F_rig_rot,   rumble_player_F_head_pos,
    rumble_player_F_head_rot,  rumble_player_F_lhand_pos, rumble_player_F_lhand_rot,
    rumble_player_F_rhand_pos, rumble_player_F_rhand_rot, rumble_player_F_health,
    rumble_player_F_active};
enum { L1_STRUCTURE_SIZE = 30, L1_PLAYER_SIZE = 115 };

/* A record of fixed size read in its own order; all of its fields are then there. */
static uint64_t read_l1_state(rp_reader *r, const rp_record *record, const uint8_t *order,
                              size_t count, size_t size, void *to)
{
    rp_reader state = rp_sub(r, size, "state");
    rp_plain_read(&state, record, order, count, to);
    uint64_t present = 0;
    for (size_t i = 0; i < count; i++)
        present |= UINT64_C(1) << (order ? order[i] : i);
    return present;
}

/* L2: a chunk of fields; an id it does not know ends it. */
static uint64_t read_l2_chunk(rp_reader *r, const rp_tag_map *map, void *to)
{
    int32_t length = rp_i32(r, "length");
    if (length < 0)
        rp_fail(r, REPRISE_E_CORRUPT, "length", "is %d", length);
    rp_reader chunk = rp_sub(r, rp_ok(r) ? (size_t)length : 0, "chunk");
    uint64_t present = 0;
    size_t unknown = 0;
    while (rp_ok(r) && rp_left(&chunk)) {
        int id = rp_peek(&chunk);
        if (map->tags[id].field == RP_TAG_UNKNOWN)
            break;
        rp_reader one = rp_sub(&chunk, 1u + map->tags[id].size_usual, "field");
        rp_tagged_read(&one, map, to, &present, &unknown);
    }
    return present;
}

static void read_legacy_object(rumble_decoder *d, size_t kind, uint32_t index, bool chunked,
                               rp_reader *r)
{
    rumble_objects *objects = &d->objects[kind];
    void *state = (char *)objects->states + (size_t)index * objects->size;
    uint8_t changed = rp_u8(r, "changed");
    if (chunked)
        rp_u8(r, "type");
    if (changed > 1)
        rp_fail(r, REPRISE_E_CORRUPT, "changed", "flag is %u, 0 or 1 was expected", changed);
    if (!changed || !rp_ok(r))
        return;
    uint64_t present;
    if (chunked)
        present = read_l2_chunk(r, kind ? &d->wire->structure : &d->wire->player, state);
    else
        present = kind ? read_l1_state(r, &rumble_structure_record, NULL,
                                       RUMBLE_L1_STRUCTURE_FIELDS, L1_STRUCTURE_SIZE, state)
                       : read_l1_state(r, &rumble_player_record, rumble_l1_player_order,
                                       RUMBLE_L1_PLAYER_FIELDS, L1_PLAYER_SIZE, state);
    objects->present[index] = present;
    objects->touched[objects->touched_count++] = index;
    d->about.entries++;
}

static void read_legacy_frame(rumble_decoder *d, rp_reader *r)
{
    static const size_t order[] = {RUMBLE_CHUNK_STRUCTURE, RUMBLE_CHUNK_PLAYER};
    bool chunked = d->wire->name[1] == '2';
    d->time = rp_f32(r, "time");
    d->about.entries = 0;
    for (size_t k = 0; k < RP_COUNT(order); k++) {
        for (uint32_t i = 0; i < d->objects[order[k]].count && rp_ok(r); i++) {
            read_legacy_object(d, order[k], i, chunked, r);
            if (!rp_ok(r))
                rp_error_at(r->error, "%s[%u]", rumble_tracks[RUMBLE_PLAYERS + order[k]].name, i);
        }
    }
}

static reprise_status read_unsized_frame(rumble_decoder *d, reprise_error *error)
{
    RP_TRY(reach_frame(d, error));
    rp_reader r = rp_window_reader(&d->window, error);
    size_t before = rp_left(&r);
    if (before == 0)
        return rp_window_short(&d->window, 4, "time", error);
    if (d->wire->zip)
        read_entries(d, &r);
    else
        read_legacy_frame(d, &r);
    if (error->status == REPRISE_E_TRUNCATED && d->window.failure.status != REPRISE_OK)
        *error = d->window.failure; /* the reason behind the missing bytes */
    RP_TRY(error->status);
    d->about.size = (uint32_t)(before - rp_left(&r));
    d->about.stray = 0;
    rp_window_skip(&d->window, d->about.size);
    return REPRISE_OK;
}

/* ---- steps ---- */

static void forget_last_frame(rumble_decoder *d)
{
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        rumble_objects *objects = &d->objects[k];
        for (uint32_t i = 0; i < objects->touched_count; i++)
            objects->present[objects->touched[i]] = 0;
        objects->touched_count = 0;
    }
    d->event_count = d->extension_count = d->marker_count = 0;
}

/* What lies behind the last frame: nine stray bytes in real files, for no reason. */
static reprise_status finish(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    uint64_t offset = d->window.offset, trailing = 0;
    for (;;) {
        RP_TRY(rp_window_fill(&d->window, 1, error));
        size_t left = rp_window_left(&d->window);
        if (!left)
            break;
        trailing += left;
        rp_window_skip(&d->window, left);
    }
    replay->trailing = trailing;
    if (d->window.failure.status != REPRISE_OK) {
        *error = d->window.failure; /* e.g. a checksum at the very end */
        return error->status;
    }
    if (trailing)
        rp_note(&replay->base.findings, replay->wire.zip ? REPRISE_NOTE : REPRISE_WARNING,
                "rumble.trailing-bytes", d->window.name, offset, "",
                "%llu bytes behind the last frame", (unsigned long long)trailing);
    return REPRISE_END;
}

reprise_status rumble_step(rumble_decoder *d, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    forget_last_frame(d);
    if (d->frame == replay->frame_count)
        return finish(d, error);
    reprise_status status = d->wire->frame_size ? read_sized_frame(d, error)
                                                : read_unsized_frame(d, error);
    if (status != REPRISE_OK) {
        rp_error_at(error, "frames[%u]", d->frame);
        if (status == REPRISE_E_TRUNCATED)
            rp_error_hint(error, "'reprise recover' keeps the %u complete frames", d->frame);
        return status;
    }
    d->frame++;
    return REPRISE_OK;
}
