/*
 * read_seek.c - any frame without reading from the start again.
 *
 * The first seek reads up to its moment and stops. The second one expects more to come: it keeps
 * the decompressed stream in memory (within the limits) and notes the time of every frame and the
 * complete state at every 256th, so that later seeks read at most 255 frames.
 */
#include "read.h"

#include "index.h"

enum { CHECKPOINT_FRAMES = 256 };

typedef struct rumble_seek {
    uint8_t *data;
    size_t size;
    rp_index *index;
    reprise_error damage; /* why the index ends early; OK if it does not */
} rumble_seek;

void rumble_seek_free(rumble_replay *replay)
{
    rumble_seek *seek = replay->seek;
    if (!seek)
        return;
    rp_index_free(seek->index);
    rp_free(replay->base.context, seek->data, seek->size);
    rp_free(replay->base.context, seek, sizeof *seek);
    replay->seek = NULL;
}

/* Puts a decoder at a place in the kept stream. */
static void place(rumble_decoder *d, const rumble_seek *seek, uint64_t offset, uint32_t frame)
{
    rp_window_free(&d->window);
    rp_window_init_memory(&d->window, seek->data, seek->size, d->wire->zip ? "zip:replay" : "gzip");
    rp_window_skip(&d->window, (size_t)offset);
    d->frame = frame;
}

/* A stream that breaks off still gives its complete frames, so its error is not ours. */
static reprise_status keep_stream(rumble_replay *replay, rumble_seek *seek, reprise_error *error)
{
    rp_window window;
    RP_TRY(rumble_open_stream(replay, &window, error));
    size_t want = 1 << 20;
    reprise_status status = REPRISE_OK;
    while (status == REPRISE_OK && !window.ended) {
        status = rp_window_fill(&window, want, error);
        want *= 2;
    }
    size_t size = rp_window_left(&window);
    seek->damage = window.failure;
    uint8_t *data = status == REPRISE_OK ? rp_alloc(replay->base.context, size, error) : NULL;
    if (data && size)
        memcpy(data, window.base + window.start, size);
    rp_window_free(&window);
    if (!data)
        return error->status;
    seek->data = data;
    seek->size = size;
    return REPRISE_OK;
}

/* Reads all frames once. Damage ends the index; frames before it can be reached. */
static reprise_status index_frames(rumble_replay *replay, rumble_decoder *d, rumble_seek *seek,
                                   reprise_error *error)
{
    RP_TRY(rp_index_new(replay->base.context, CHECKPOINT_FRAMES, RP_MAX(d->states_size, 1),
                        &seek->index, error));
    size_t lead = replay->wire.zip ? sizeof rumble_stream_magic : replay->header_size;
    place(d, seek, RP_MIN(lead, seek->size), 0);
    uint8_t *before = rp_alloc(replay->base.context, RP_MAX(d->states_size, 1), error);
    reprise_status status = before ? REPRISE_OK : error->status;
    while (status == REPRISE_OK && d->frame < replay->frame_count) {
        uint64_t offset = d->window.offset;
        if (d->frame % CHECKPOINT_FRAMES == 0)
            memcpy(before, d->states, d->states_size);
        reprise_error damage = REPRISE_ERROR_INIT;
        if (rumble_step(d, &damage) != REPRISE_OK) {
            /* Why the stream ends says more than that a frame is incomplete. */
            if (seek->damage.status == REPRISE_OK)
                seek->damage = damage;
            break;
        }
        status = rp_index_add(seek->index, (double)d->time, offset, before, error);
    }
    rp_free(replay->base.context, before, RP_MAX(d->states_size, 1));
    return status;
}

static reprise_status make_seek(rumble_replay *replay, reprise_error *error)
{
    rumble_seek *seek = rp_alloc_zero(replay->base.context, 1, sizeof *seek, error);
    if (!seek)
        return error->status;
    replay->seek = seek;
    seek->damage = (reprise_error)REPRISE_ERROR_INIT;
    rumble_decoder scan = {.base = {.replay = &replay->base}};
    reprise_status status = keep_stream(replay, seek, error);
    if (status == REPRISE_OK)
        status = rumble_decoder_init(&scan, error);
    if (status == REPRISE_OK)
        status = index_frames(replay, &scan, seek, error);
    rumble_decode_end(&scan.base);
    rp_batch_free(replay->base.context, &scan.base.batch);
    if (status != REPRISE_OK)
        rumble_seek_free(replay);
    return status;
}

/*
 * Whether damage concerns a moment. After the last readable frame, a lost frame may be meant. If
 * the stream is corrupt rather than cut, or ends within the first frames, which identify the
 * layout, any frame may be wrong.
 */
static bool concerns(const rumble_seek *seek, reprise_moment moment)
{
    size_t count = rp_index_count(seek->index);
    bool cut = seek->damage.status == REPRISE_E_TRUNCATED && count > 1;
    if (seek->damage.status != REPRISE_OK && !cut)
        return true;
    if (moment.by_index)
        return moment.index >= 0 && (uint64_t)moment.index >= count;
    return !count || (double)(float)moment.time > rp_index_time(seek->index, count - 1);
}

static reprise_status find_frame(const rumble_seek *seek, reprise_moment moment, size_t *ret_frame,
                                 reprise_error *error)
{
    size_t count = rp_index_count(seek->index);
    if (count == 0)
        return rp_error_set(error, REPRISE_E_USAGE, "the replay has no complete frame");
    if (moment.by_index) {
        if (moment.index < 0 || (uint64_t)moment.index >= count)
            return rp_error_set(error, REPRISE_E_USAGE, "frame %lld is out of range (0-%zu)",
                                (long long)moment.index, count - 1);
        *ret_frame = (size_t)moment.index;
        return REPRISE_OK;
    }
    /* Times are kept in single precision: a time given as it was shown must find its frame. */
    int64_t frame = rp_index_at_time(seek->index, (double)(float)moment.time);
    *ret_frame = frame < 0 ? 0 : (size_t)frame;
    return REPRISE_OK;
}

/* ---- the first seek ---- */

/* A step that gives no rows. */
static reprise_status step_over(rumble_decoder *d, reprise_error *error)
{
    rp_selection selection = d->base.selection;
    d->base.selection = (rp_selection){0};
    reprise_status status = rumble_step(d, error);
    d->base.selection = selection;
    return status;
}

/*
 * Whether the next frame is the last one at or before a time. REPRISE_END: the one before it was,
 * which a gap between the two has hidden.
 */
static reprise_status is_moment(rumble_decoder *d, float time, bool *ret_is, reprise_error *error)
{
    static const float near_s = 1; /* from here on, the frame after the next is looked at */
    float next, after;
    *ret_is = false;
    if (!rumble_frame_time(d, false, &next, error) || next < time - near_s)
        return error->status;
    if (next > time) {
        *ret_is = d->frame == 0;
        return *ret_is ? REPRISE_OK : REPRISE_END;
    }
    *ret_is = rumble_frame_time(d, true, &after, error) && after > time;
    return error->status;
}

/* Reads on until the moment is the next frame. */
static reprise_status read_up_to(rumble_decoder *d, reprise_moment moment, reprise_error *error)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    uint32_t last = moment.by_index ? (uint32_t)moment.index : replay->frame_count - 1;
    RP_TRY(rumble_open_frames(d, error));
    for (;;) {
        bool found = moment.by_index && d->frame == last;
        if (!moment.by_index)
            RP_TRY(is_moment(d, (float)moment.time, &found, error));
        if (found || d->frame == last)
            return REPRISE_OK;
        RP_TRY(step_over(d, error));
    }
}

/* Reads the frame itself as well: only then is it certain that it can be read. */
static reprise_status read_moment(rumble_decoder *d, reprise_moment moment, reprise_error *error)
{
    size_t quick = d->quick_reach;
    if (d->plain)
        d->quick_reach = (size_t)RP_MIN(rumble_quick_reach(d), SIZE_MAX);
    reprise_status status = read_up_to(d, moment, error);
    d->quick_reach = quick;
    RP_TRY(status);
    RP_TRY(rumble_step(d, error));
    d->read_ahead = true;
    d->rows_ahead = d->base.batch.count;
    return REPRISE_OK;
}

static bool may_be_there(const rumble_replay *replay, reprise_moment moment)
{
    return replay->frame_count && !replay->base.salvage &&
           (!moment.by_index || (moment.index >= 0 && moment.index < replay->frame_count));
}

/* False: the moment was not reached, and nothing has happened. */
static bool seek_first(rumble_decoder *d, reprise_moment moment, reprise_error *error)
{
    rumble_replay *replay = (rumble_replay *)d->base.replay;
    bool first = !replay->seek_done && may_be_there(replay, moment);
    replay->seek_done = true;
    if (!first)
        return false;
    reprise_error damage = REPRISE_ERROR_INIT;
    d->stopped = read_moment(d, moment, &damage) == REPRISE_OK;
    if (rp_is_own_failure(replay->base.context, damage.status))
        *error = damage;
    return d->stopped;
}

reprise_status rumble_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    rumble_replay *replay = (rumble_replay *)decoder->replay;
    d->tables_done = true;
    if (!replay->seek && seek_first(d, moment, error))
        return REPRISE_OK;
    RP_TRY(error->status);
    if (!replay->seek)
        RP_TRY(make_seek(replay, error));
    if (concerns(replay->seek, moment))
        RP_TRY(rp_skip_damage(decoder->replay, &replay->seek->damage, error));
    size_t target = 0, frame;
    RP_TRY(find_frame(replay->seek, moment, &target, error));
    uint64_t offset;
    const void *state;
    rp_index_checkpoint(replay->seek->index, target, &frame, &offset, &state);
    place(d, replay->seek, offset, (uint32_t)frame);
    memcpy(d->states, state, d->states_size);
    while (d->frame < target)
        RP_TRY(rumble_step(d, error));
    return REPRISE_OK;
}

/*
 * Frames after the moment tell whether it was understood: where a size is wrong, the next ones make
 * no sense. A stream that only ends is no reason for doubt. The checksum is that of all bytes.
 */
reprise_status rumble_confirm_moment(rp_decoder *decoder, rp_doc *doc, reprise_value *state,
                                     reprise_error *error)
{
    RP_UNUSED(doc);
    RP_UNUSED(state);
    rumble_decoder *d = (rumble_decoder *)decoder;
    rumble_replay *replay = (rumble_replay *)decoder->replay;
    if (!d->stopped)
        return REPRISE_OK;
    reprise_error damage = REPRISE_ERROR_INIT;
    uint32_t last = RP_MIN(replay->frame_count, d->frame + CHECKPOINT_FRAMES);
    while (d->frame < last && damage.status == REPRISE_OK)
        RP_UNUSED(step_over(d, &damage));
    bool cut = damage.status == REPRISE_E_TRUNCATED && d->frame > 1;
    if (damage.status == REPRISE_OK || cut) {
        rp_error_clear(&damage);
        RP_UNUSED(rumble_check_stream(replay, &d->window, &damage));
        cut = damage.status == REPRISE_E_TRUNCATED;
    }
    return cut ? REPRISE_OK : rp_skip_damage(decoder->replay, &damage, error);
}
