/*
 * read.c - frames of every layout into states and rows.
 *
 * A frame changes the states of the objects it names; rows point to those states. Events and
 * extensions belong to their frame alone. Everything a frame gives stays valid until the next.
 */
#include "read.h"

#include <math.h>

#include "grammar_entry.h"

const char rumble_stream_magic[4] = {'R', 'P', 'L', 'Y'};

/*
 * Up to this size the legacy data is inflated in one piece by libdeflate, twice as fast as zlib's
 * stream. It leaves room for the rest within the 64 MiB a reader may hold.
 */
#define INFLATE_WHOLE_MAX ((uint64_t)59 << 20)

/* Below this compressed size, starting a thread takes longer than it saves. */
#define AHEAD_MIN ((uint64_t)1 << 18)

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

reprise_status rumble_check_stream(rumble_replay *replay, rp_window *window, reprise_error *error)
{
    if (!replay->base.zip)
        return window->stream ? rp_stream_finish(window->stream, error) : REPRISE_OK;
    /* The checksum of a member is that of its compressed bytes, which are few. */
    rp_stream *entry = NULL;
    RP_TRY(rp_zip_open_entry(replay->base.zip, (size_t)replay->stream_entry, "zip:replay",
                             replay->base.context->limits.expansion_ratio_max, &entry, error));
    reprise_status status = rp_stream_finish(entry, error);
    rp_stream_close(entry);
    return status;
}

/* Whether the data fits, and the file beside it unless that is in the caller's memory. */
static bool inflates_whole(const rumble_replay *replay)
{
    uint64_t held = replay->inner_size;
    if (!rp_source_borrowed(replay->base.source))
        held += replay->gzip_size;
    return !replay->wire.zip && held <= INFLATE_WHOLE_MAX;
}

/* Inflates the legacy data into memory. A member that does not inflate is read as a stream instead,
   which gives everything before the damage. */
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
    objects->last_writes = rp_alloc_zero(context, objects->count, sizeof(rumble_last_write), error);
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
    d->plain = strcmp(d->wire->name, "l1") == 0;
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
        d->objects[k].track = RUMBLE_PLAYERS + (uint32_t)k;
        d->objects[k].shown = rp_selected(&d->base, d->objects[k].track) &&
                              !d->base.selection.dense;
        d->object_count += counts[k];
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
    if (d->plain && !replay->base.salvage && !d->base.selection.dense)
        d->quick_reach = (size_t)RP_MIN(rumble_quick_reach(d), SIZE_MAX);
    return REPRISE_OK;
}

/* The digest of the stream, while it is read. */
static reprise_status begin_hash(rumble_decoder *d, reprise_error *error)
{
    RP_TRY(rp_sha256_new(d->base.replay->context, &d->hash, error));
    if (d->inflated)
        rp_sha256_update(d->hash, d->inflated, d->inflated_size);
    else
        d->window.hash = d->hash;
    return REPRISE_OK;
}

/* Takes over the stream that opening the file left at its first byte. A digest needs all bytes,
   also those that are unpacked already. */
static bool take_start(rumble_decoder *d)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    if (!replay->start.stream || d->base.selection.hashes)
        return false;
    d->window = replay->start;
    replay->start = (rp_window){0};
    return true;
}

static uint64_t stored_size(const rumble_replay *replay)
{
    const rp_zip *zip = replay->base.zip;
    return zip ? rp_zip_entry_at(zip, (size_t)replay->stream_entry)->stored_size
               : replay->gzip_size;
}

/* Unpacking takes longer than reading frames, so another thread does it where there is one. */
static reprise_status read_ahead(rumble_decoder *d, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    bool alone = replay->base.context->threads < 2 || d->base.selection.seeks;
    if (alone || !d->window.stream || stored_size(replay) < AHEAD_MIN)
        return REPRISE_OK;
    rp_stream *input = d->window.stream;
    d->window.stream = NULL;
    return rp_stream_open_ahead(input, &d->window.stream, error);
}

reprise_status rumble_open_frames(rumble_decoder *d, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    if (inflates_whole(replay))
        RP_TRY(inflate_whole(d, error));
    else if (!take_start(d))
        RP_TRY(rumble_open_stream(replay, &d->window, error));
    RP_TRY(read_ahead(d, error));
    if (d->base.selection.hashes)
        RP_TRY(begin_hash(d, error));
    size_t lead = replay->wire.zip ? sizeof rumble_stream_magic : replay->header_size;
    RP_TRY(rp_window_fill(&d->window, lead, error));
    if (rp_window_left(&d->window) < lead)
        return rp_window_short(&d->window, lead, "header", error);
    rp_window_skip(&d->window, lead);
    return REPRISE_OK;
}

reprise_status rumble_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    rumble_replay *replay = (rumble_replay *)decoder->replay;
    RP_TRY(rumble_settle_layout(replay, error));
    replay->unknown_chunks = replay->unknown_fields = replay->trailing = 0;
    if (replay->base.salvage) /* every reading finds the damage again */
        rp_findings_rewind(&replay->base.findings, replay->opened);
    RP_TRY(rumble_decoder_init(d, error));
    d->needs_frames = rumble_needs_frames(d);
    return decoder->selection.seeks ? REPRISE_OK : rumble_open_frames(d, error);
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
    rp_sha256_free(d->hash);
    free_texts(d);
    for (size_t k = 0; k < RUMBLE_OBJECT_KINDS; k++) {
        rp_free(context, d->objects[k].last_writes,
                d->objects[k].count * sizeof(rumble_last_write));
    }
    rp_free(context, d->states, RP_MAX(d->states_size, 1));
    rp_free(context, d->before, d->before ? RP_MAX(d->states_size, 1) : 0);
    rp_free(context, d->inflated, d->inflated_size);
    rp_free(context, d->events, d->event_capacity * sizeof *d->events);
    rp_free(context, d->event_present, d->event_capacity * sizeof *d->event_present);
    rp_free(context, d->extensions, d->extension_capacity * sizeof *d->extensions);
    rp_free(context, d->markers, d->marker_capacity * sizeof *d->markers);
}

/* ---- frames ---- */

reprise_status rumble_next_sized_frame(rp_window *window, uint64_t max, size_t *ret_size,
                                       reprise_error *error)
{
    *ret_size = 0;
    RP_TRY(rp_window_fill(window, 4, error));
    if (rp_window_left(window) < 4)
        return REPRISE_OK;
    int32_t size = (int32_t)rp_window_peek32(window);
    if (size < RUMBLE_FRAME_HEAD || (uint64_t)size > max)
        return REPRISE_OK;
    RP_TRY(rp_window_fill(window, 4 + (size_t)size, error));
    *ret_size = rp_window_left(window) < 4 + (size_t)size ? 0 : 4 + (size_t)size;
    return REPRISE_OK;
}

/* Why a frame cannot have this size. */
static __attribute__((cold)) reprise_status refuse_size(rumble_decoder *d, int32_t size,
                                                        reprise_error *error)
{
    if (size < RUMBLE_FRAME_HEAD) {
        rp_reader r = rp_window_reader(&d->window, error);
        rp_fail(&r, REPRISE_E_CORRUPT, "size", "frame of %d bytes; %d is the least", size,
                RUMBLE_FRAME_HEAD);
        return error->status;
    }
    return rp_limit((uint64_t)size, d->base.replay->context->limits.record_bytes_max, "frame size",
                    "record_bytes", error);
}

static reprise_status read_sized_frame(rumble_decoder *d, reprise_error *error)
{
    rp_window *window = &d->window;
    RP_TRY(rp_window_fill(window, 4, error));
    if (rp_window_left(window) < 4)
        return rp_window_short(window, 4, "size", error);
    int32_t size = (int32_t)(d->fixed_size ? d->fixed_size : rp_window_peek32(window));
    if (size < RUMBLE_FRAME_HEAD ||
        (uint32_t)size > d->base.replay->context->limits.record_bytes_max)
        return refuse_size(d, size, error);
    size_t whole = 4 + (size_t)size;
    RP_TRY(rp_window_fill(window, whole, error));
    if (rp_window_left(window) < whole)
        return rp_window_short(window, whole, "frame", error);
    rp_reader frame = rp_window_part(window, 4, (size_t)size, error);
    RP_TRY(rumble_read_entries(d, &frame));
    d->about.size = (uint32_t)size;
    d->about.stray = (uint32_t)rp_left(&frame);
    d->about_offset = window->offset;
    rp_window_skip(window, whole);
    return REPRISE_OK;
}

/*
 * Finds how long such a frame is by stepping over it, before it is read for good: a state must not
 * change for a frame that is incomplete.
 */
static size_t frame_extent(const rumble_decoder *d, const rp_window *window, reprise_error *error)
{
    rp_reader r = rp_window_reader(window, error);
    size_t before = rp_left(&r);
    if (d->wire->zip) {
        float time;
        rumble_entry entry;
        rumble_entries entries = rumble_entries_of(&r, d->wire->sub_index, false, &time);
        while (rumble_next_entry(&entries, &entry)) {
        }
        return before - rp_left(&r);
    }
    rp_skip(&r, 4, "time");
    rumble_skip_legacy_objects(d, &r);
    return before - rp_left(&r);
}

/* Brings a complete frame in reach, or everything that is left; reading reports what is missing. */
static reprise_status reach_frame(rumble_decoder *d, reprise_error *error)
{
    uint64_t max = d->base.replay->context->limits.record_bytes_max;
    for (uint64_t want = 1 << 14; want <= max; want *= 2) {
        RP_TRY(rp_window_fill(&d->window, (size_t)want, error));
        reprise_error short_of = REPRISE_ERROR_INIT;
        frame_extent(d, &d->window, &short_of);
        if (short_of.status != REPRISE_E_TRUNCATED || d->window.ended)
            return REPRISE_OK;
    }
    return rp_error_set(error, REPRISE_E_LIMIT, "frame is over limit record_bytes=%llu",
                        (unsigned long long)max);
}

/* How many bytes the next frame takes, which are then in reach; 0 if it is incomplete. */
static size_t next_extent(rumble_decoder *d, reprise_error *error)
{
    rp_window *window = &d->window;
    size_t extent = 0;
    if (d->wire->frame_size) {
        RP_UNUSED(rumble_next_sized_frame(window, d->base.replay->context->limits.record_bytes_max,
                                          &extent, error));
    } else if (!window->stream || reach_frame(d, error) == REPRISE_OK) {
        extent = frame_extent(d, window, error);
    }
    return error->status == REPRISE_OK ? extent : 0;
}

bool rumble_frame_time(rumble_decoder *d, bool after, float *ret_time, reprise_error *error)
{
    rp_window *window = &d->window;
    size_t lead = d->wire->frame_size ? 4 : 0;
    size_t start = after ? next_extent(d, error) : 0;
    size_t end = start + lead + sizeof *ret_time;
    if ((after && !start) || rp_window_fill(window, end, error) != REPRISE_OK ||
        rp_window_left(window) < end)
        return false;
    rp_reader r = rp_window_part(window, start + lead, sizeof *ret_time, error);
    *ret_time = rp_f32(&r, "time");
    return true;
}

static reprise_status read_unsized_frame(rumble_decoder *d, reprise_error *error)
{
    if (d->window.stream)
        RP_TRY(reach_frame(d, error));
    rp_reader r = rp_window_reader(&d->window, error);
    size_t before = rp_left(&r);
    if (before == 0)
        return rp_window_short(&d->window, 4, "time", error);
    if (d->wire->zip)
        RP_UNUSED(rumble_read_entries(d, &r));
    else
        rumble_read_legacy_frame(d, &r);
    if (error->status == REPRISE_E_TRUNCATED && d->window.failure.status != REPRISE_OK)
        *error = d->window.failure; /* why the bytes are missing */
    RP_TRY(error->status);
    d->about.size = (uint32_t)(before - rp_left(&r));
    d->about.stray = 0;
    rp_window_skip(&d->window, d->about.size);
    return REPRISE_OK;
}

/* ---- steps ---- */

void rumble_note_second_write(rp_row *end, const rumble_objects *objects, uint32_t index,
                              uint64_t present)
{
    objects->last_writes[index].present |= present;
    if (!objects->shown)
        return;
    rp_row *row = end - 1;
    while (row->track != objects->track || row->object != index)
        row--;
    row->present |= present;
}

/* The length is that of the manifest, so a difference to the frames is worth a note. */
static void check_length(const rumble_decoder *d)
{
    static const double tolerance_s = 0.01; /* less than a frame */
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    const reprise_value *stored = rp_get(replay->header, "Duration");
    double seconds = (double)(d->time - d->first_time);
    if (stored && d->from_start && !(fabs(reprise_value_double(stored, 0) - seconds) < tolerance_s))
        rp_note(&replay->base.findings, RUMBLE_FINDING(DURATION), "zip:manifest.json", 0,
                "Duration", "the manifest says %.7g seconds, the frames take %.7g",
                reprise_value_double(stored, 0), seconds);
}

/* Counts the bytes after the last frame. Real files have nine stray ones. */
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
    replay->stream_read = true;
    replay->stream_size = d->window.offset;
    if (d->hash) {
        rp_sha256_final(d->hash, replay->digest);
        replay->digested = true;
    }
    check_length(d);
    if (trailing)
        rp_note_as(&replay->base.findings, RUMBLE_FINDING(TRAILING_BYTES),
                   replay->wire.zip ? REPRISE_NOTE : REPRISE_WARNING, d->window.name, offset, "",
                   "%llu bytes after the last frame", (unsigned long long)trailing);
    return REPRISE_END;
}

/*
 * Whether a frame that cannot be read is the fault of the one before it: one whose size is not that
 * of its entries, and not with the nine stray bytes either that real builds left.
 */
static bool size_is_to_blame(const rumble_decoder *d)
{
    return d->wire->frame_size && d->frame > 0 && d->about.stray != 0 &&
           d->about.stray != RUMBLE_STRAY_USUAL;
}

/*
 * Whether the stream itself is damaged there. That it fails somewhere later does not count: how
 * much of it was unpacked ahead depends on who opened it.
 */
static bool is_of_stream(const rumble_decoder *d, const reprise_error *error)
{
    const reprise_error *failure = &d->window.failure;
    return failure->status == error->status && failure->offset == error->offset &&
           strcmp(failure->message, error->message) == 0;
}

static __attribute__((cold)) reprise_status explain_failure(rumble_decoder *d, reprise_error *error)
{
    bool damage = error->status == REPRISE_E_CORRUPT || error->status == REPRISE_E_TRUNCATED ||
                  error->status == REPRISE_E_LIMIT;
    if (damage && !is_of_stream(d, error) && size_is_to_blame(d)) {
        rp_error_clear(error);
        rp_error_set(error, REPRISE_E_CORRUPT,
                     "frame of %u bytes, its entries take %u, and no frame follows it",
                     d->about.size, d->about.size - d->about.stray);
        rp_error_place(error, d->window.name, d->about_offset, "size");
        rp_error_at(error, "frames[%u]", d->frame - 1);
        return error->status;
    }
    rp_error_at(error, "frames[%u]", d->frame);
    if (error->status == REPRISE_E_TRUNCATED)
        rp_error_advise(error, REPRISE_HINT_RECOVER);
    return error->status;
}

reprise_status rumble_step(rumble_decoder *d, reprise_error *error)
{
    if (d->quick_reach && rumble_quick_step(d))
        return REPRISE_OK;
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    d->step++;
    d->event_count = d->extension_count = d->marker_count = 0;
    d->base.batch.count = 0;
    if (d->frame == replay->frame_count)
        return finish(d, error);
    reprise_status status = d->wire->frame_size ? read_sized_frame(d, error)
                                                : read_unsized_frame(d, error);
    if (status == REPRISE_OK)
        status = rumble_end_rows(d, error);
    if (status != REPRISE_OK) {
        d->base.batch.count = 0;
        return explain_failure(d, error);
    }
    if (!d->frame) {
        d->first_time = d->time;
        d->from_start = true;
    }
    d->frame++;
    return REPRISE_OK;
}
