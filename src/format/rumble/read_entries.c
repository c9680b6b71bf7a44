/*
 * read_entries.c - what a frame of the ZIP layouts holds: states of objects, events, extensions.
 *
 * Every entry can be read by its field table. Nearly all look as the game writes them, and for
 * those there is a fast path expanded from the same lists; see expand.h.
 */
#include <math.h>

#include "expand.h"
#include "grammar_entry.h"
#include "read.h"

/* ---- lists that belong to a frame ---- */

static rumble_event *add_event(rumble_decoder *d, reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    size_t capacity = d->event_capacity;
    rumble_event *events = rp_grow(context, d->events, d->event_count + 1, &capacity,
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

/* Some writers put the length before the text, as readers expect. */
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
    if (!rp_ok(chunk)) {
        d->event_count--;
        return;
    }
    event->player = fix_player(event->player);
    if (event->master_id.data)
        event->master_id = fix_master_id(event->master_id);
}

static void add_extension(rumble_decoder *d, int32_t mod_id, int32_t sub_index, rp_reader *payload)
{
    rumble_extension *extensions = rp_grow(d->base.replay->context, d->extensions,
                                           d->extension_count + 1, &d->extension_capacity,
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
    const rumble_objects *objects = &d->objects[kind];
    if (index < 0 || (uint32_t)index >= objects->count) {
        rp_fail(chunk, REPRISE_E_CORRUPT, "index", "%s %d of %u",
                rumble_tracks[objects->track].object, index, objects->count);
        return;
    }
    void *state = (char *)objects->states + (size_t)index * objects->size;
    uint64_t present = 0;
    rumble_any_state before;
    bool salvage = d->base.replay->salvage;
    if (salvage)
        memcpy(&before, state, objects->size);
    rp_tagged_read(chunk, map, state, &present, unknown);
    if (!rp_ok(chunk)) {
        if (salvage) /* an entry is read to its end or not at all */
            memcpy(state, &before, objects->size);
        return;
    }
    if (kind == RUMBLE_CHUNK_PLAYER && d->window.stream &&
        present >> rumble_player_F_visual_data & 1)
        keep_text(d, (uint32_t)index, chunk->error);
    rumble_row_cursor cursor = rumble_row_cursor_of(d);
    if (present) /* else there was nothing, or nothing but unknown fields */
        rumble_note_write(&cursor, objects, (uint32_t)index, state, present);
    rumble_keep_row_cursor(d, cursor);
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
    rp_note(&replay->base.findings, RUMBLE_FINDING(UNKNOWN_CHUNK), chunk->stream, chunk->offset,
            "chunk", "type %u, %zu bytes, skipped", type, rp_left(chunk));
}

static void read_entry(rumble_decoder *d, rumble_entry *entry)
{
    size_t unknown = 0;
    uint64_t offset = entry->chunk.offset;
    read_chunk(d, entry->type, entry->index, entry->sub_index, &entry->chunk, &unknown);
    if (unknown) {
        rumble_replay *replay = (rumble_replay *)d->base.replay;
        replay->unknown_fields += unknown;
        rp_note(&replay->base.findings, RUMBLE_FINDING(UNKNOWN_FIELD), entry->chunk.stream, offset,
                "chunk", "field ids that no known build wrote, skipped");
    }
}

/* Salvage: an entry that cannot be read costs itself; the frame and what else it says stays. */
static void read_or_lose_entry(rumble_decoder *d, uint32_t number, rumble_entry *entry,
                               reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    reprise_error damage = REPRISE_ERROR_INIT;
    entry->chunk.error = &damage;
    read_entry(d, entry);
    if (damage.status == REPRISE_E_NOMEM)
        *error = damage;
    else if (damage.status != REPRISE_OK)
        rp_note_gap(&replay->base.findings, RUMBLE_FINDING(LOST_ENTRY), damage.status,
                    damage.stream, damage.offset, damage.path,
                    "entry %u of frame %u is left out: %s", number, d->frame + d->lost,
                    damage.message);
}

/* ---- entries as the game writes them, which is nearly all ---- */

RP_EXPAND_TAGGED(quick_player, rumble_player, RUMBLE_PLAYER)
RP_EXPAND_TAGGED(quick_structure, rumble_structure, RUMBLE_STRUCTURE)

/* Reads any entry by its table; an error names the entry. */
static __attribute__((cold, noinline)) reprise_status careful_entry(rumble_decoder *d,
                                                                    uint32_t number,
                                                                    rp_reader *frame)
{
    rumble_entry entry;
    if (rumble_take_entry(frame, d->wire->sub_index, true, &entry)) {
        if (d->base.replay->salvage)
            read_or_lose_entry(d, number, &entry, frame->error);
        else
            read_entry(d, &entry);
    }
    if (!rp_ok(frame))
        rp_error_at(frame->error, "entries[%u]", number);
    return frame->error->status;
}

/* A state in range whose fields all have their usual size; false for any other entry. */
static inline bool quick_entry(rumble_decoder *d, rumble_row_cursor *cursor, uint8_t type,
                               uint32_t index, rp_cursor chunk)
{
    uint64_t present = 0;
    if (type == RUMBLE_CHUNK_STRUCTURE) {
        const rumble_objects *objects = &d->objects[RUMBLE_CHUNK_STRUCTURE];
        rumble_structure *state = (rumble_structure *)objects->states + index;
        if (index >= objects->count ||
            !quick_structure(chunk, &d->wire->structure, state, &present))
            return false;
        if (present)
            rumble_note_write(cursor, objects, index, state, present);
        return true;
    }
    if (type == RUMBLE_CHUNK_PLAYER) {
        const rumble_objects *objects = &d->objects[RUMBLE_CHUNK_PLAYER];
        rumble_player *state = (rumble_player *)objects->states + index;
        if (index >= objects->count || !quick_player(chunk, &d->wire->player, state, &present))
            return false;
        if (present)
            rumble_note_write(cursor, objects, index, state, present);
        return true;
    }
    return false;
}

/*
 * The entries of a frame, by the fast path where possible. What quick_entry gives up on is read
 * again by read_entry, which handles every case and overwrites what was stored already.
 */
static reprise_status read_entries(rumble_decoder *d, rp_reader *frame, uint32_t entries)
{
    if (!rumble_begin_rows(d, rp_left(frame) / RUMBLE_ENTRY_HEAD, frame->error))
        return frame->error->status;
    rumble_row_cursor cursor = rumble_row_cursor_of(d);
    rp_cursor c = rp_cursor_of(frame);
    for (uint32_t i = 0; i < entries; i++) {
        rp_cursor next = c, chunk;
        uint8_t type;
        uint32_t index;
        if (rumble_quick_entry(&next, &type, &index, &chunk) &&
            quick_entry(d, &cursor, type, index, chunk)) {
            c = next;
            continue;
        }
        rumble_keep_row_cursor(d, cursor);
        rp_move_to_cursor(frame, &c);
        RP_TRY(careful_entry(d, i, frame));
        c = rp_cursor_of(frame);
        cursor = rumble_row_cursor_of(d);
    }
    rumble_keep_row_cursor(d, cursor);
    rp_move_to_cursor(frame, &c);
    return REPRISE_OK;
}

reprise_status rumble_read_entries(rumble_decoder *d, rp_reader *frame)
{
    rumble_entries entries = rumble_entries_of(frame, d->wire->sub_index, true, &d->time);
    RP_TRY(frame->error->status);
    d->about.entries = entries.count;
    /* The fast path stores fields before it knows whether the complete entry can be read. */
    if (d->wire->player.size_width == 2 && !d->base.replay->salvage)
        return read_entries(d, frame, entries.count);
    if (!rumble_begin_rows(d, rp_left(frame) / RUMBLE_ENTRY_HEAD, frame->error))
        return frame->error->status;
    for (uint32_t i = 0; i < entries.count; i++)
        RP_TRY(careful_entry(d, i, frame));
    return REPRISE_OK;
}
