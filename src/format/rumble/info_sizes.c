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

/* Entries with their heads count for what they are about; the rest of a frame is framing. */
static void weigh_frame(const rumble_replay *replay, rp_reader *frame, uint64_t *sizes)
{
    uint64_t whole = rp_left(frame), entries_size = 0;
    float time;
    rumble_entry entry;
    rumble_entries entries = rumble_entries_of(frame, replay->wire.sub_index, true, &time);
    while (rumble_next_entry(&entries, &entry)) {
        sizes[kind_of(replay, entry.type)] += entry.size;
        entries_size += entry.size;
    }
    sizes[FRAMING] += 4 + whole - entries_size;
}

static reprise_status weigh_frames(rumble_replay *replay, uint64_t *sizes, reprise_error *error)
{
    rp_window window;
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = rp_window_fill(&window, sizeof rumble_stream_magic, error);
    rp_window_skip(&window, RP_MIN(sizeof rumble_stream_magic, rp_window_left(&window)));
    sizes[FRAMING] += sizeof rumble_stream_magic;
    for (uint32_t i = 0; i < replay->frame_count && status == REPRISE_OK; i++) {
        status = rp_window_fill(&window, 4, error);
        reprise_error ended = REPRISE_ERROR_INIT;
        rp_reader r = rp_window_reader(&window, &ended);
        int32_t size = rp_i32(&r, "size");
        if (status != REPRISE_OK || !rp_ok(&r) || size < 8)
            break;
        status = rp_window_fill(&window, 4 + (size_t)size, error);
        if (status != REPRISE_OK || rp_window_left(&window) < 4 + (size_t)size)
            break;
        r = rp_window_reader(&window, &ended);
        rp_skip(&r, 4, "size");
        rp_reader frame = rp_sub(&r, (size_t)size, "frame");
        weigh_frame(replay, &frame, sizes);
        rp_window_skip(&window, 4 + (size_t)size);
    }
    rp_window_free(&window);
    return status;
}

static void move(uint64_t *sizes, int kind, uint64_t size)
{
    sizes[kind] += size;
    sizes[FRAMING] -= RP_MIN(size, sizes[FRAMING]);
}

/* Legacy frames have a flag and perhaps a state for each object. */
static reprise_status weigh_rows(rumble_replay *replay, uint64_t *sizes, reprise_error *error)
{
    static const uint64_t state_sizes[] = {[PLAYERS] = 115, [STRUCTURES] = 30};
    bool chunked = replay->wire.name[1] == '2';
    uint64_t extra = chunked ? 6 : 1;
    rp_selection selection = {.tracks = 1u << RUMBLE_FRAMES | 1u << RUMBLE_PLAYERS |
                                        1u << RUMBLE_STRUCTURES};
    rp_decoder *decoder = NULL;
    RP_TRY(rp_decoder_open(&replay->base, selection, &decoder, error));
    reprise_status status;
    sizes[FRAMING] += replay->header_size;
    while ((status = rp_decoder_next(decoder, error)) == REPRISE_OK) {
        for (size_t i = 0; i < decoder->batch.count; i++) {
            const rp_row *row = &decoder->batch.rows[i];
            int kind = row->track == RUMBLE_PLAYERS ? PLAYERS : STRUCTURES;
            uint64_t size = chunked ? (kind == PLAYERS ? 128 : 34) : state_sizes[kind];
            if (row->track == RUMBLE_FRAMES)
                sizes[FRAMING] += ((const rumble_frame *)row->data)->size;
            else
                move(sizes, kind, size + extra);
        }
    }
    rp_decoder_close(decoder);
    return status == REPRISE_END ? REPRISE_OK : status;
}

reprise_status rumble_sizes(rp_replay *base, rp_doc *doc, reprise_value *list, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)base;
    uint64_t sizes[KINDS] = {0};
    RP_TRY(rumble_settle_layout(replay, error));
    RP_TRY(replay->wire.frame_size ? weigh_frames(replay, sizes, error)
                                   : weigh_rows(replay, sizes, error));
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
