/* info_sizes.c - where the bytes of a replay go, like du: by what the records are about. */
#include "grammar_entry.h"
#include "read.h"

enum { FRAMING, PLAYERS, STRUCTURES, PEDESTALS, PROPS, EVENTS, EXTENSIONS, UNKNOWN, KINDS };

static const char *const names[KINDS] = {"framing", "players", "structures", "pedestals",
                                         "props",   "events",  "extensions", "unknown"};

static int kind_of(const rumble_replay *replay, uint8_t type)
{
    if (type == replay->wire.extension)
        return EXTENSIONS;
    switch (type) {
    case RUMBLE_CHUNK_PLAYER:
        return PLAYERS;
    case RUMBLE_CHUNK_STRUCTURE:
        return STRUCTURES;
    case RUMBLE_CHUNK_PEDESTAL:
        return PEDESTALS;
    case RUMBLE_CHUNK_EVENT:
        return EVENTS;
    case RUMBLE_CHUNK_PROP:
        return replay->has_props ? PROPS : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

/* ---- one frame ---- */

/* Entries with their heads count for what they are about; the rest of a frame is framing. */
static void weigh_entries(const rumble_replay *replay, rp_reader *frame, uint64_t *sizes)
{
    uint64_t before = rp_left(frame), entries_size = 0;
    float time;
    rumble_entry entry;
    rumble_entries entries = rumble_entries_of(frame, replay->wire.sub_index, true, &time);
    while (rumble_next_entry(&entries, &entry)) {
        sizes[kind_of(replay, entry.type)] += entry.size;
        entries_size += entry.size;
    }
    sizes[FRAMING] += before - rp_left(frame) - entries_size;
}

/* Objects that did not change are a flag, which is framing. */
static void weigh_objects(const rumble_replay *replay, rp_reader *frame, bool players,
                          uint64_t *sizes)
{
    bool chunked = strcmp(replay->wire.name, "l2") == 0;
    uint32_t count = players ? replay->player_count : replay->structure_count;
    for (uint32_t i = 0; i < count; i++) {
        rumble_legacy_object object;
        size_t before = rp_left(frame);
        if (!rumble_take_legacy_object(frame, chunked, players, &object))
            return;
        int kind = !object.changed ? FRAMING : players ? PLAYERS : STRUCTURES;
        sizes[kind] += before - rp_left(frame);
    }
}

static void weigh_unsized(const rumble_replay *replay, rp_reader *frame, uint64_t *sizes)
{
    if (replay->wire.zip) {
        weigh_entries(replay, frame, sizes);
        return;
    }
    rp_skip(frame, 4, "time");
    sizes[FRAMING] += 4;
    weigh_objects(replay, frame, false, sizes);
    if (rp_ok(frame))
        weigh_objects(replay, frame, true, sizes);
}

/* ---- all frames ---- */

static reprise_status next_sized(const rumble_replay *replay, rp_window *window, uint64_t *sizes,
                                 bool *ret_done, reprise_error *error)
{
    size_t size;
    uint64_t max = replay->base.context->limits.record_bytes_max;
    RP_TRY(rumble_next_sized_frame(window, max, &size, error));
    *ret_done = !size;
    if (!size)
        return REPRISE_OK;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_reader frame = rp_window_part(window, 4, size - 4, &damage);
    sizes[FRAMING] += 4;
    weigh_entries(replay, &frame, sizes);
    sizes[FRAMING] += rp_left(&frame);
    rp_window_skip(window, size);
    return REPRISE_OK;
}

/* Where a frame ends is known only after it was walked, so it is walked with more bytes in reach.
 */
static reprise_status next_unsized(const rumble_replay *replay, rp_window *window, uint64_t *sizes,
                                   bool *ret_done, reprise_error *error)
{
    uint64_t max = replay->base.context->limits.record_bytes_max;
    *ret_done = true;
    for (uint64_t want = 1 << 14; want <= max; want *= 2) {
        RP_TRY(rp_window_fill(window, (size_t)want, error));
        uint64_t frame_sizes[KINDS] = {0};
        reprise_error damage = REPRISE_ERROR_INIT;
        rp_reader frame = rp_window_reader(window, &damage);
        size_t before = rp_left(&frame);
        weigh_unsized(replay, &frame, frame_sizes);
        if (rp_ok(&frame)) {
            for (size_t i = 0; i < KINDS; i++)
                sizes[i] += frame_sizes[i];
            rp_window_skip(window, before - rp_left(&frame));
            *ret_done = false;
            return REPRISE_OK;
        }
        if (damage.status != REPRISE_E_TRUNCATED || window->ended)
            return REPRISE_OK;
    }
    return REPRISE_OK;
}

/* Damage ends the frames that are weighed. */
static reprise_status weigh_frames(rumble_replay *replay, uint64_t *sizes, reprise_error *error)
{
    rp_window window;
    size_t lead = replay->wire.zip ? sizeof rumble_stream_magic : replay->header_size;
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = rp_window_fill(&window, lead, error);
    rp_window_skip(&window, RP_MIN(lead, rp_window_left(&window)));
    sizes[FRAMING] += lead;
    bool done = false;
    for (uint32_t i = 0; i < replay->frame_count && status == REPRISE_OK && !done; i++)
        status = replay->wire.frame_size ? next_sized(replay, &window, sizes, &done, error)
                                         : next_unsized(replay, &window, sizes, &done, error);
    if (done)
        status = rp_skip_damage(&replay->base, &window.failure, error);
    rp_window_free(&window);
    return status;
}

reprise_status rumble_sizes(rp_replay *base, rp_doc *doc, reprise_value *list, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)base;
    uint64_t sizes[KINDS] = {0};
    RP_TRY(rumble_settle_layout(replay, error));
    RP_TRY(weigh_frames(replay, sizes, error));
    for (size_t i = 0; i < base->blob_count; i++) {
        const reprise_blob *blob = &base->blobs[i];
        if (strcmp(blob->kind, "stream") == 0)
            continue;
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "name", blob->name);
        rp_set_uint(doc, one, "size", blob->size);
    }
    for (size_t i = 0; i < KINDS; i++) {
        reprise_value *one = rp_push_object(doc, list);
        rp_set_text(doc, one, "name", names[i]);
        rp_set_uint(doc, one, "size", sizes[i]);
    }
    return error->status;
}
