/*
 * read_seek.c - any frame without reading from the start again.
 *
 * The first seek keeps the decompressed stream in memory (within the limits) and notes the time of
 * every frame and the complete state at every 256th, so that later seeks read at most 255 frames.
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

reprise_status rumble_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    rumble_decoder *d = (rumble_decoder *)decoder;
    rumble_replay *replay = (rumble_replay *)decoder->replay;
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
    d->tables_done = true;
    while (d->frame < target)
        RP_TRY(rumble_step(d, error));
    return REPRISE_OK;
}
