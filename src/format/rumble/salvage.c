/*
 * salvage.c - reading what is left of a damaged or unfinished replay.
 *
 * Every frame that is wholly there is given. One that makes no sense inside is stepped over by its
 * size, where frames have one, and the states are those before it; anything else ends the replay.
 * A manifest that is lost is made up from what the frames name.
 */
#include "hash.h"
#include "json.h"
#include "read.h"

/* ---- frames ---- */

static void lose_rest(rumble_decoder *d, const reprise_error *why)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    uint32_t missing = replay->frame_count - d->frame - d->lost;
    if (replay->frames_guessed)
        rp_note(&replay->base.findings, REPRISE_WARNING, "rumble.lost-end", why->stream,
                why->offset, why->path, "the recording breaks off after %u frames: %s", d->frame,
                why->message);
    else
        rp_note(&replay->base.findings, REPRISE_WARNING, "rumble.lost-end", why->stream,
                why->offset, why->path, "the last %u of %u frames are gone: %s", missing,
                replay->frame_count, why->message);
}

/* Steps over a frame whose size is known and whose bytes are there. */
static bool skip_frame(rumble_decoder *d)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_window_reader(&d->window, &ignored);
    int32_t size = rp_i32(&r, "size");
    if (!d->wire->frame_size || !rp_ok(&r) || size < 8 || (size_t)size > rp_left(&r))
        return false;
    rp_window_skip(&d->window, 4 + (size_t)size);
    return true;
}

/* Back to the states before the frame. Copies of texts may have moved or changed meanwhile. */
static void restore(rumble_decoder *d)
{
    memcpy(d->states, d->before, d->states_size);
    for (uint32_t i = 0; d->texts && i < d->objects[RUMBLE_CHUNK_PLAYER].count; i++) {
        rp_text *text = &((rumble_player *)d->objects[RUMBLE_CHUNK_PLAYER].states + i)->visual_data;
        if (text->data && d->texts[i].data)
            *text = (rp_text){(const char *)d->texts[i].data, d->texts[i].size};
    }
}

static bool our_trouble(reprise_status status)
{
    return status == REPRISE_E_NOMEM || status == REPRISE_E_CANCELLED || status == REPRISE_E_IO;
}

reprise_status rumble_salvage_step(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    if (!d->before) {
        d->before = rp_alloc(replay->base.context, RP_MAX(d->states_size, 1), error);
        if (!d->before)
            return error->status;
    }
    while (d->frame + d->lost < replay->frame_count) {
        memcpy(d->before, d->states, d->states_size);
        uint64_t offset = d->window.offset;
        reprise_error damage = REPRISE_ERROR_INIT;
        if (rumble_step(d, &damage) == REPRISE_OK)
            return REPRISE_OK;
        if (our_trouble(damage.status)) {
            *error = damage;
            return error->status;
        }
        restore(d);
        if (!skip_frame(d)) {
            lose_rest(d, &damage);
            return REPRISE_END;
        }
        rp_note(&replay->base.findings, REPRISE_WARNING, "rumble.lost-frame", damage.stream, offset,
                damage.path, "frame %u makes no sense and is left out: %s", d->frame + d->lost,
                damage.message);
        d->lost++;
    }
    return REPRISE_END;
}

/* ---- members ---- */

bool rumble_member_whole(rumble_replay *replay, size_t index)
{
    const rp_zip_entry *entry = rp_zip_entry_at(replay->base.zip, index);
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    reprise_status status = replay->base.format->blob_open(&replay->base, index, &stream, &damage);
    uint8_t piece[4096];
    uint32_t crc32 = 0;
    size_t got = 1;
    while (status == REPRISE_OK && got) {
        status = rp_stream_read(stream, piece, sizeof piece, &got, &damage);
        if (status == REPRISE_OK)
            crc32 = rp_crc32(crc32, piece, got);
    }
    rp_stream_close(stream);
    return status == REPRISE_OK && (!entry->crc32 || entry->crc32 == crc32);
}

/* ---- a manifest from nothing ---- */

enum { OBJECTS_MAX = 4096 }; /* an index beyond this is damage, too */

typedef struct census {
    uint32_t objects[5]; /* by chunk type: highest index + 1 */
    uint32_t frames;
} census;

static void count_entries(rp_reader *frame, census *c)
{
    rp_skip(frame, 4, "time");
    int32_t entries = rp_i32(frame, "entry count");
    for (int32_t i = 0; i < entries && rp_ok(frame); i++) {
        uint8_t type = rp_u8(frame, "type");
        int32_t index = rp_i32(frame, "index");
        if (type == RUMBLE_CHUNK_EXTENSION)
            rp_skip(frame, 4, "sub_index");
        int32_t length = rp_i32(frame, "length");
        rp_skip(frame, length < 0 ? SIZE_MAX : (size_t)length, "chunk");
        if (rp_ok(frame) && type < RP_COUNT(c->objects) && index >= 0 && index < OBJECTS_MAX)
            c->objects[type] = RP_MAX(c->objects[type], (uint32_t)index + 1);
    }
}

static reprise_status take_census(rumble_replay *replay, census *ret_census, reprise_error *error)
{
    rp_window window;
    census c = {0};
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = rp_window_fill(&window, sizeof rumble_stream_magic, error);
    rp_window_skip(&window, RP_MIN(sizeof rumble_stream_magic, rp_window_left(&window)));
    while (status == REPRISE_OK) {
        status = rp_window_fill(&window, 4, error);
        reprise_error ended = REPRISE_ERROR_INIT;
        rp_reader r = rp_window_reader(&window, &ended);
        int32_t size = rp_i32(&r, "size");
        if (status != REPRISE_OK || !rp_ok(&r) || size < 8 ||
            (uint64_t)size > replay->base.context->limits.record_bytes_max)
            break;
        status = rp_window_fill(&window, 4 + (size_t)size, error);
        if (status != REPRISE_OK || rp_window_left(&window) < 4 + (size_t)size)
            break;
        r = rp_window_reader(&window, &ended);
        rp_skip(&r, 4, "size");
        rp_reader frame = rp_sub(&r, (size_t)size, "frame");
        count_entries(&frame, &c);
        rp_window_skip(&window, 4 + (size_t)size);
        c.frames++;
    }
    rp_window_free(&window);
    *ret_census = c;
    return status;
}

static reprise_value *made_up_header(rp_doc *doc, const census *c)
{
    reprise_value *header = rp_new_object(doc);
    rp_set_text(doc, header, "Title", "Recovered replay");
    rp_set_int(doc, header, "FrameCount", c->frames);
    rp_set_int(doc, header, "PedestalCount", c->objects[RUMBLE_CHUNK_PEDESTAL]);
    rp_set_int(doc, header, "ScenePropCount", c->objects[RUMBLE_CHUNK_PROP]);
    reprise_value *players = rp_set_array(doc, header, "Players");
    for (uint32_t i = 0; i < c->objects[RUMBLE_CHUNK_PLAYER]; i++)
        rp_set(doc, rp_push_object(doc, players), "Name", rp_new_format(doc, "Player %u", i + 1));
    reprise_value *structures = rp_set_array(doc, header, "Structures");
    for (uint32_t i = 0; i < c->objects[RUMBLE_CHUNK_STRUCTURE]; i++)
        rp_set_int(doc, rp_push_object(doc, structures), "Type", 255);
    reprise_value *props = rp_set_array(doc, header, "SceneProps");
    for (uint32_t i = 0; i < c->objects[RUMBLE_CHUNK_PROP]; i++)
        rp_set_int(doc, rp_push_object(doc, props), "type", 0);
    return header;
}

reprise_status rumble_make_up_header(rumble_replay *replay, const reprise_error *why,
                                     reprise_error *error)
{
    census c;
    rp_doc doc = {.arena = &replay->base.arena, .error = error};
    RP_TRY(take_census(replay, &c, error));
    replay->header = made_up_header(&doc, &c);
    replay->frames_guessed = true;
    rp_note(&replay->base.findings, REPRISE_WARNING, "rumble.lost-manifest", "zip:manifest.json",
            why->offset, why->path, "%s; players and structures are made up from %u frames",
            why->message, c.frames);
    return error->status;
}
