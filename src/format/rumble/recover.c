/*
 * recover.c - reading what is left of a damaged or unfinished replay.
 *
 * Every complete frame is given. One that makes no sense inside is skipped by its
 * size, where frames have one, and the states are those before it. A size that leads nowhere is
 * corrected by what the frame holds; if that makes no sense either, the next frame is searched for.
 * In layouts without sizes, damage ends the replay. A manifest that is lost is made up from what
 * the frames name.
 */
#include <math.h>

#include "grammar_entry.h"
#include "hash.h"
#include "json.h"
#include "read.h"

/* ---- frames ---- */

static void lose_rest(rumble_decoder *d, const reprise_error *why)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    uint32_t missing = replay->frame_count - d->frame - d->lost;
    if (replay->frames_guessed)
        rp_note(&replay->base.findings, RUMBLE_FINDING(LOST_END), why->stream, why->offset,
                why->path, "the recording breaks off after %u frames: %s", d->frame, why->message);
    else
        rp_note(&replay->base.findings, RUMBLE_FINDING(LOST_END), why->stream, why->offset,
                why->path, "the last %u of %u frames are gone: %s", missing, replay->frame_count,
                why->message);
}

/* ---- sizes ---- */

enum {
    SEARCH_PIECE = 1 << 16,
    SEARCHED_FRAME_MAX = 1 << 20,
    BUDGET = 256 << 20,
};

static const rp_tag_map *map_of(const rumble_decoder *d, uint8_t type, int32_t index)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    const rp_tag_map *const maps[] = {&d->wire->player, &d->wire->structure, &d->wire->pedestal,
                                      &d->wire->event, &d->wire->prop};
    if (type > RUMBLE_CHUNK_PROP || (type == RUMBLE_CHUNK_PROP && !replay->has_props))
        return NULL;
    size_t kind = type == RUMBLE_CHUNK_PROP ? RUMBLE_PROP_OBJECTS : type;
    bool there = type == RUMBLE_CHUNK_EVENT ||
                 (index >= 0 && (uint32_t)index < d->objects[kind].count);
    return there ? maps[type] : NULL;
}

/* Whether an entry is one that this replay can have. */
static bool entry_fits(const rumble_decoder *d, const rumble_entry *entry)
{
    if (entry->type == d->wire->extension)
        return true;
    const rp_tag_map *map = map_of(d, entry->type, entry->index);
    return map && rp_tagged_fits(&entry->chunk, map);
}

/* How many entries of a frame may make no sense. */
typedef enum patience { EVERY_ENTRY_FITS, HALF_OF_THEM_FIT } patience;

/* The size of a frame by what it holds, from its time on; 0 if that makes no sense. */
static size_t size_by_entries(rumble_decoder *d, rp_reader r, patience how)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    r.error = &ignored;
    size_t before = rp_left(&r);
    float time;
    rumble_entry entry;
    rumble_entries entries = rumble_entries_of(&r, d->wire->sub_index, false, &time);
    if (!rp_ok(&r) || !isfinite(time) || entries.count > rp_left(&r) / RUMBLE_ENTRY_HEAD)
        return 0;
    uint32_t misfits = 0, most = how == HALF_OF_THEM_FIT ? entries.count / 2 : 0;
    while (misfits <= most && rumble_next_entry(&entries, &entry))
        misfits += !entry_fits(d, &entry);
    size_t size = before - rp_left(&r);
    d->budget -= RP_MIN(d->budget, (uint64_t)size);
    return rp_ok(&r) && misfits <= most ? size : 0;
}

/* Whether a frame may begin at this offset, by its first numbers; or the stream ends there. */
static bool may_begin(const rumble_decoder *d, size_t at)
{
    size_t left = rp_window_left(&d->window);
    if (at >= left)
        return at == left && d->window.ended;
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_window_part(&d->window, at, left - at, &ignored);
    int32_t size = rp_i32(&r, "size");
    float time;
    uint32_t entries = rumble_entries_of(&r, d->wire->sub_index, false, &time).count;
    return rp_ok(&r) && size >= RUMBLE_FRAME_HEAD && isfinite(time) &&
           entries <= ((uint32_t)size - RUMBLE_FRAME_HEAD) / RUMBLE_ENTRY_HEAD &&
           (uint64_t)size <= d->base.replay->context->limits.record_bytes_max;
}

/* Whether a frame begins at this offset that makes sense to its end and is followed by what may be
   another one; or the stream ends there. */
static bool begins(rumble_decoder *d, size_t at)
{
    const rp_window *window = &d->window;
    size_t left = rp_window_left(window);
    if (!may_begin(d, at) || at == left)
        return at == left && window->ended;
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_window_part(window, at, left - at, &ignored);
    size_t size = rp_u32(&r, "size");
    if (size > rp_left(&r))
        return false;
    size_t held = size_by_entries(d, rp_sub(&r, size, "frame"), EVERY_ENTRY_FITS);
    return held && held + RUMBLE_STRAY_USUAL >= size && may_begin(d, at + 4 + size);
}

/* The size a frame states, if all of it is there; else 0. */
static size_t stated_size(const rumble_decoder *d)
{
    if (rp_window_left(&d->window) < 4)
        return 0;
    size_t size = rp_window_peek32(&d->window);
    return size >= RUMBLE_FRAME_HEAD && size <= rp_window_left(&d->window) - 4 ? size : 0;
}

/* Brings the frame in reach, and enough after it to see whether another one begins there. */
static reprise_status reach(rumble_decoder *d, reprise_error *error)
{
    RP_TRY(rp_window_fill(&d->window, 4, error));
    size_t size = rp_window_left(&d->window) < 4 ? 0 : rp_window_peek32(&d->window);
    if (size > d->base.replay->context->limits.record_bytes_max)
        size = 0;
    return rp_window_fill(&d->window, 4 + size + 4 + RUMBLE_FRAME_HEAD, error);
}

/* Replaces the size of a frame by that of its entries if only the latter leads to the next frame.
 */
static reprise_status fix_size(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    d->fixed_size = 0;
    RP_TRY(reach(d, error));
    size_t stated = stated_size(d), left = rp_window_left(&d->window);
    if (left < 4 || !d->budget)
        return REPRISE_OK;
    size_t held = 0;
    if (stated)
        held = size_by_entries(d, rp_window_part(&d->window, 4, stated, error), HALF_OF_THEM_FIT);
    if (held + RUMBLE_STRAY_USUAL == stated)
        RP_TRY(rp_window_fill(&d->window, 4 + stated + SEARCH_PIECE, error));
    if (held && (held == stated || (held + RUMBLE_STRAY_USUAL == stated && begins(d, 4 + stated))))
        return REPRISE_OK;
    d->budget -= RP_MIN(d->budget, (uint64_t)SEARCH_PIECE); /* the cost of the search */
    RP_TRY(rp_window_fill(&d->window, SEARCHED_FRAME_MAX, error));
    left = rp_window_left(&d->window);
    held = size_by_entries(d, rp_window_part(&d->window, 4, left - 4, error), HALF_OF_THEM_FIT);
    if (held && !begins(d, 4 + held) && begins(d, 4 + held + RUMBLE_STRAY_USUAL))
        held += RUMBLE_STRAY_USUAL;
    else if (!held || !begins(d, 4 + held))
        return REPRISE_OK;
    if (held == stated)
        return REPRISE_OK;
    d->fixed_size = (uint32_t)held;
    rp_note_gap(&replay->base.findings, RUMBLE_FINDING(MENDED_SIZE), REPRISE_E_CORRUPT,
                d->window.name, d->window.offset, "size",
                "frame %u says it has %d bytes and has %zu", d->frame + d->lost,
                (int)rp_window_peek32(&d->window), held);
    return REPRISE_OK;
}

/* Whether the size of this frame leads to the next one. */
static bool size_leads_on(rumble_decoder *d)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    size_t size = stated_size(d);
    bool last = d->frame + d->lost + 1 == replay->frame_count; /* anything may follow it */
    return size && (last || begins(d, 4 + size));
}

/* Skips byte by byte until a frame begins; false if none does. */
static reprise_status search_frame(rumble_decoder *d, bool *ret_found, reprise_error *error)
{
    rp_window *window = &d->window;
    *ret_found = false;
    for (;;) {
        if (rp_window_left(window) < SEARCHED_FRAME_MAX)
            RP_TRY(rp_window_fill(window, SEARCHED_FRAME_MAX + SEARCH_PIECE, error));
        if (rp_window_left(window) < 2 || !d->budget)
            return REPRISE_OK;
        rp_window_skip(window, 1);
        d->budget--;
        if (begins(d, 0)) {
            *ret_found = true;
            return REPRISE_OK;
        }
    }
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

/* Skips a frame that makes no sense. *ret_over is false if no other frame follows. */
static reprise_status get_over(rumble_decoder *d, const reprise_error *damage, bool *ret_over,
                               reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    uint64_t offset = d->window.offset;
    *ret_over = false;
    if (!d->wire->frame_size)
        return REPRISE_OK;
    RP_TRY(rp_window_fill(&d->window, SEARCHED_FRAME_MAX, error));
    if (d->fixed_size || size_leads_on(d)) {
        rp_window_skip(&d->window, 4 + (d->fixed_size ? d->fixed_size : stated_size(d)));
        *ret_over = true;
        rp_note(&replay->base.findings, RUMBLE_FINDING(LOST_FRAME), damage->stream, offset,
                damage->path, "frame %u makes no sense and is left out: %s", d->frame + d->lost,
                damage->message);
        d->lost++;
        return REPRISE_OK;
    }
    RP_TRY(search_frame(d, ret_over, error));
    if (!*ret_over)
        return REPRISE_OK;
    rp_note(&replay->base.findings, RUMBLE_FINDING(LOST_FRAME), damage->stream, offset,
            damage->path, "from frame %u on, %llu bytes make no sense and are left out: %s",
            d->frame + d->lost, (unsigned long long)(d->window.offset - offset), damage->message);
    d->lost++;
    d->gap = true;
    return REPRISE_OK;
}

/* The end of the data is where it should be, only some frames are missing before it. */
static bool ends_after_gap(const rumble_decoder *d)
{
    return d->gap && d->window.ended && d->window.failure.status == REPRISE_OK &&
           rp_window_left(&d->window) <= RUMBLE_STRAY_USUAL;
}

static reprise_status begin_salvage(rumble_decoder *d, reprise_error *error)
{
    d->before = rp_alloc(d->base.replay->context, RP_MAX(d->states_size, 1), error);
    d->budget = BUDGET;
    return error->status;
}

reprise_status rumble_recover_step(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    if (!d->before)
        RP_TRY(begin_salvage(d, error));
    while (d->frame + d->lost < replay->frame_count) {
        memcpy(d->before, d->states, d->states_size);
        reprise_error damage = REPRISE_ERROR_INIT;
        if (d->wire->frame_size)
            RP_TRY(fix_size(d, error));
        if (rumble_step(d, &damage) == REPRISE_OK)
            return REPRISE_OK;
        if (rp_is_own_failure(d->base.replay->context, damage.status)) {
            *error = damage;
            return error->status;
        }
        restore(d);
        bool over = false;
        if (!ends_after_gap(d))
            RP_TRY(get_over(d, &damage, &over, error));
        if (!over && !ends_after_gap(d))
            lose_rest(d, &damage);
        if (!over)
            return REPRISE_END;
    }
    return REPRISE_END;
}

/* ---- members ---- */

bool rumble_member_is_complete(rumble_replay *replay, size_t index)
{
    const rp_zip_entry *entry = rp_zip_entry_at(replay->base.zip, index);
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_stream *stream = NULL;
    reprise_status status = replay->base.format->read->blob_open(&replay->base, index, &stream,
                                                                 &damage);
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
    bool no_props;       /* chunks with the type of props are something else */
    uint32_t frames;     /* by their sizes */
    uint32_t sound;      /* of these, whose entries fill them */
} census;

/* Adds what a frame names, if all of it is there and makes sense. */
static bool count_entries(rp_reader *frame, bool sub_index, census *c)
{
    census with = *c;
    float time;
    rumble_entry entry;
    rumble_entries entries = rumble_entries_of(frame, sub_index, false, &time);
    while (rumble_next_entry(&entries, &entry)) {
        uint8_t type = entry.type;
        if (type < RP_COUNT(with.objects) && entry.index >= 0 && entry.index < OBJECTS_MAX)
            with.objects[type] = RP_MAX(with.objects[type], (uint32_t)entry.index + 1);
        else if (type == RUMBLE_CHUNK_PROP)
            with.no_props = true;
    }
    with.sound++;
    if (rp_ok(frame))
        *c = with;
    return rp_ok(frame);
}

/* The next frame of a layout without sizes, as far as its entries go. */
static reprise_status next_unsized(rp_window *window, bool sub_index, size_t *ret_size,
                                   reprise_error *error)
{
    *ret_size = 0;
    for (size_t want = SEARCH_PIECE; want <= SEARCHED_FRAME_MAX; want *= 2) {
        census c = {0};
        reprise_error ended = REPRISE_ERROR_INIT;
        rp_reader r = rp_window_reader(window, &ended);
        size_t before = rp_left(&r);
        count_entries(&r, sub_index, &c);
        bool states = !c.objects[RUMBLE_CHUNK_PEDESTAL] && !c.objects[RUMBLE_CHUNK_PROP];
        if (rp_ok(&r) || window->ended) {
            *ret_size = rp_ok(&r) && states ? before - rp_left(&r) : 0;
            return REPRISE_OK;
        }
        RP_TRY(rp_window_fill(window, want, error));
    }
    return REPRISE_OK;
}

static reprise_status take_census(rumble_replay *replay, bool sized, bool sub_index,
                                  census *ret_census, reprise_error *error)
{
    rp_window window;
    census c = {0};
    RP_TRY(rumble_open_stream(replay, &window, error));
    reprise_status status = rp_window_fill(&window, sizeof rumble_stream_magic, error);
    rp_window_skip(&window, RP_MIN(sizeof rumble_stream_magic, rp_window_left(&window)));
    while (status == REPRISE_OK) {
        size_t size;
        uint64_t max = replay->base.context->limits.record_bytes_max;
        status = sized ? rumble_next_sized_frame(&window, max, &size, error)
                       : next_unsized(&window, sub_index, &size, error);
        if (status != REPRISE_OK || !size)
            break;
        size_t head = sized ? 4 : 0;
        reprise_error ended = REPRISE_ERROR_INIT;
        rp_reader frame = rp_window_part(&window, head, size - head, &ended);
        count_entries(&frame, sub_index, &c);
        rp_window_skip(&window, size);
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
    if (!c->no_props)
        rp_set_int(doc, header, "ScenePropCount", c->objects[RUMBLE_CHUNK_PROP]);
    reprise_value *players = rp_set_array(doc, header, "Players");
    for (uint32_t i = 0; i < c->objects[RUMBLE_CHUNK_PLAYER]; i++)
        rp_set(doc, rp_push_object(doc, players), "Name", rp_new_format(doc, "Player %u", i + 1));
    reprise_value *structures = rp_set_array(doc, header, "Structures");
    for (uint32_t i = 0; i < c->objects[RUMBLE_CHUNK_STRUCTURE]; i++)
        rp_set_int(doc, rp_push_object(doc, structures), "Type", 255);
    reprise_value *props = c->no_props ? NULL : rp_set_array(doc, header, "SceneProps");
    for (uint32_t i = 0; props && i < c->objects[RUMBLE_CHUNK_PROP]; i++)
        rp_set_int(doc, rp_push_object(doc, props), "type", 0);
    return header;
}

reprise_status rumble_make_up_header(rumble_replay *replay, const reprise_error *why,
                                     reprise_error *error)
{
    /* The framings in use; the one that explains most frames is taken. */
    static const struct {
        bool sized, sub_index;
    } ways[] = {{true, true}, {true, false}, {false, false}};
    census c = {0};
    rp_doc doc = {.arena = &replay->base.arena, .error = error};
    for (size_t i = 0; i < RP_COUNT(ways); i++) {
        census other;
        RP_TRY(take_census(replay, ways[i].sized, ways[i].sub_index, &other, error));
        if (i == 0 || other.sound > c.sound)
            c = other;
    }
    replay->header = made_up_header(&doc, &c);
    replay->frames_guessed = true;
    rp_note(&replay->base.findings, RUMBLE_FINDING(LOST_MANIFEST), "zip:manifest.json", why->offset,
            why->path, "%s; players and structures are made up from %u frames", why->message,
            c.frames);
    return error->status;
}
