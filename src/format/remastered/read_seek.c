/*
 * read_seek.c - finds the record of a moment.
 *
 * Records have no index and no fixed size, so the first seek reads from the start. What it passes
 * on the way is noted every few hundred frames, and later seeks begin there. A view says everything
 * about selection and teams, so the record before a moment is all the state that a checkpoint
 * needs.
 */
#include "read.h"

enum { CHECKPOINTS_MAX = 512, CHECKPOINT_FRAMES = 256 };

/* A place before a record. */
typedef struct checkpoint {
    uint64_t offset;
    uint64_t clock;
    uint32_t frame, speed;
} checkpoint;

typedef struct cnc_checkpoints {
    uint64_t distance; /* in frames; doubles when the list is full */
    size_t count;
    checkpoint list[CHECKPOINTS_MAX]; /* the first is the start */
} cnc_checkpoints;

static checkpoint place_of(const cnc_cursor *c)
{
    return (checkpoint){
        .offset = c->window.offset, .clock = c->clock, .frame = c->frame, .speed = c->speed};
}

/* Keeps every second one. */
static void thin_out(cnc_checkpoints *known)
{
    for (size_t i = 0; i < known->count; i += 2)
        known->list[i / 2] = known->list[i];
    known->count = (known->count + 1) / 2;
    known->distance *= 2;
}

static void add_checkpoint(cnc_checkpoints *known, checkpoint place)
{
    if (known->count && place.frame < known->list[known->count - 1].frame + known->distance)
        return;
    if (known->count == CHECKPOINTS_MAX)
        thin_out(known);
    known->list[known->count++] = place;
}

static reprise_status get_checkpoints(cnc_replay *replay, cnc_checkpoints **ret_known,
                                      reprise_error *error)
{
    if (!replay->checkpoints) {
        replay->checkpoints = rp_arena_alloc(&replay->base.arena, sizeof *replay->checkpoints,
                                             error);
        if (!replay->checkpoints)
            return error->status;
        replay->checkpoints->count = 0;
        replay->checkpoints->distance = CHECKPOINT_FRAMES;
    }
    *ret_known = replay->checkpoints;
    return REPRISE_OK;
}

/* Frames and times both increase from record to record. */
static bool is_before(const checkpoint *place, reprise_moment moment)
{
    return moment.by_index ? (int64_t)place->frame <= moment.index
                           : cnc_clock_time(place->clock) <= moment.time;
}

/* The last checkpoint at or before a moment, or the start. NULL: none is known. */
static const checkpoint *checkpoint_of(const cnc_checkpoints *known, reprise_moment moment)
{
    size_t low = 0, high = known->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&known->list[middle], moment))
            low = middle;
        else
            high = middle;
    }
    return known->count ? &known->list[low] : NULL;
}

static reprise_status go_to(cnc_decoder *d, const checkpoint *place, reprise_error *error)
{
    cnc_cursor cursor;
    RP_TRY(cnc_cursor_open_at(&cursor, (const cnc_replay *)d->base.replay, place->offset, error));
    cursor.frame = place->frame;
    cursor.clock = place->clock;
    cursor.speed = place->speed;
    rp_window_free(&d->cursor.window);
    d->cursor = cursor;
    d->players_done = true;
    d->selection.objects.count = 0;
    memset(d->teams, 0, sizeof d->teams);
    return REPRISE_OK;
}

/* Reads past the moment, and gives the frame whose record is its own. */
static reprise_status find_frame(cnc_decoder *d, cnc_checkpoints *known, reprise_moment moment,
                                 uint32_t *ret_wanted, reprise_error *error)
{
    bool found = false;
    uint32_t wanted = 0, last = 0;
    reprise_status status;
    checkpoint place = place_of(&d->cursor);
    while ((status = cnc_pass(d, error)) == REPRISE_OK) {
        add_checkpoint(known, place);
        place = place_of(&d->cursor);
        last = d->record.frame;
        if (moment.by_index ? d->record.frame == moment.index
                            : (d->record.time <= moment.time || !found)) {
            wanted = d->record.frame;
            found = true;
        }
        if (moment.by_index ? found : d->record.time > moment.time)
            break;
    }
    if (status != REPRISE_END)
        RP_TRY(status);
    else if (!moment.by_index)
        d->base.replay->read_to_end |= moment.time > d->record.time;
    if (!found)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "frame %lld has no record; the last one is frame %u",
                            (long long)moment.index, last);
    *ret_wanted = wanted;
    return REPRISE_OK;
}

reprise_status cnc_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    cnc_decoder *d = (cnc_decoder *)decoder;
    cnc_checkpoints *known = NULL;
    uint32_t wanted = 0;
    RP_TRY(get_checkpoints((cnc_replay *)decoder->replay, &known, error));
    const checkpoint *place = checkpoint_of(known, moment);
    if (place)
        RP_TRY(go_to(d, place, error));
    RP_TRY(find_frame(d, known, moment, &wanted, error));
    /* From the record before it, for what has changed in this one. */
    reprise_moment before = {.by_index = true, .index = (int64_t)wanted - 1};
    RP_TRY(go_to(d, checkpoint_of(known, before), error));
    while (d->cursor.frame < wanted)
        RP_TRY(cnc_step(d, error));
    return REPRISE_OK;
}
