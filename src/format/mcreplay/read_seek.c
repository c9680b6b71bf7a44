/*
 * read_seek.c - the state at a moment.
 *
 * Entities have different rates and starts, so they share no frames: each is given with its last
 * frame at or before the moment, and not at all before its first frame or after its last. Frames of
 * the complete scene are counted at the rate of the first entity. Omitted values are held, so an
 * entity is read from its start.
 */
#include <math.h>
#include <stdlib.h>

#include "read.h"
#include "whole.h"

#define SCENE_FPS_DEFAULT 20

void mc_free_moment(mc_decoder *d)
{
    rp_context *context = d->base.replay->context;
    for (size_t i = 0; i < d->present_count; i++)
        mc_entity_close(d->present[i]);
    size_t room = ((const mc_replay *)d->base.replay)->outer.entities.count;
    rp_free(context, d->present, room * sizeof *d->present);
    d->present = NULL;
    d->present_count = 0;
    rp_free(context, d->changed.blocks, d->changed.capacity * sizeof *d->changed.blocks);
    rp_free(context, d->changed.slots, d->changed.slot_count * sizeof *d->changed.slots);
    d->changed = (mc_changed_blocks){0};
}

/* ---- entities ---- */

/* The last frame at or before a time, or -1; may be above the entity's last frame. */
static int64_t frame_at(const mc_entity_row *row, double time)
{
    double number = floor((time - row->start_time) * row->fps);
    if (!(number > -2) || number > 1e15)
        return number > 0 ? INT64_MAX : -1;
    int64_t frame = rp_whole(number);
    if (row->start_time + (double)(frame + 1) / row->fps <= time)
        return frame + 1;
    if (row->start_time + (double)frame / row->fps > time)
        return frame - 1;
    return frame;
}

/* Reads an entity up to the moment. REPRISE_END if it does not exist at that moment. */
static reprise_status read_up_to(mc_decoder *d, mc_entity_reader *reader, reprise_error *failure)
{
    int64_t target = frame_at(&mc_entity_of(reader)->row, d->moment);
    if (target < 0 || target == INT64_MAX)
        return REPRISE_END;
    while (mc_entity_frame(reader) <= (uint64_t)target)
        RP_TRY(mc_entity_next(reader, failure));
    return REPRISE_OK;
}

static reprise_status add_entity(mc_decoder *d, size_t index, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)d->base.replay;
    reprise_error failure = REPRISE_ERROR_INIT;
    mc_entity_reader *reader = NULL;
    reprise_status status = mc_entity_open_head(replay, index, &reader, &failure);
    if (status == REPRISE_OK)
        status = read_up_to(d, reader, &failure);
    if (status != REPRISE_OK) {
        mc_entity_close(reader);
        return status == REPRISE_END ? REPRISE_OK
                                     : mc_entity_failed(replay, index, &failure, error);
    }
    mc_entity_rest(reader);
    d->present[d->present_count++] = reader;
    return mc_emit_entity(d, mc_entity_of(reader), (uint32_t)index, d->moment_frame, d->moment,
                          true, error);
}

/* ---- blocks ---- */

static size_t hash_place(const mc_block *block)
{
    uint64_t h = (uint32_t)block->x * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (uint32_t)block->y) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h = (h ^ (uint32_t)block->z) * UINT64_C(0x165667B19E3779F9);
    return (size_t)(h >> 20);
}

/* The slot of a place, or the free one where it would be. */
static uint32_t *find_slot(const mc_changed_blocks *changed, const mc_block *block)
{
    for (size_t i = hash_place(block);; i++) {
        uint32_t *slot = &changed->slots[i & (changed->slot_count - 1)];
        const mc_block *known = *slot ? &changed->blocks[*slot - 1] : NULL;
        if (!known || (known->x == block->x && known->y == block->y && known->z == block->z))
            return slot;
    }
}

static reprise_status grow_changed(rp_context *context, mc_changed_blocks *changed,
                                   reprise_error *error)
{
    if (changed->count < changed->capacity)
        return REPRISE_OK;
    mc_block *blocks = rp_grow(context, changed->blocks, changed->count + 1, &changed->capacity,
                               sizeof *blocks, error);
    if (!blocks)
        return error->status;
    changed->blocks = blocks;
    rp_free(context, changed->slots, changed->slot_count * sizeof *changed->slots);
    changed->slot_count = 0;
    changed->slots = rp_alloc_zero(context, changed->capacity * 2, sizeof *changed->slots, error);
    if (!changed->slots)
        return error->status;
    changed->slot_count = changed->capacity * 2;
    for (size_t i = 0; i < changed->count; i++)
        *find_slot(changed, &blocks[i]) = (uint32_t)i + 1;
    return REPRISE_OK;
}

static reprise_status add_changed(mc_decoder *d, const mc_block *block, reprise_error *error)
{
    mc_changed_blocks *changed = &d->changed;
    RP_TRY(grow_changed(d->base.replay->context, changed, error));
    uint32_t *slot = find_slot(changed, block);
    if (!*slot)
        *slot = (uint32_t)++changed->count;
    mc_block *to = &changed->blocks[*slot - 1];
    *to = *block;
    to->model.data = rp_arena_text(&d->arena, block->model.data, block->model.size, error);
    return error->status;
}

static int compare_blocks(const void *left, const void *right)
{
    const mc_block *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

/*
 * Gives the last frame at or before the moment, and the blocks that changed since the last whole
 * frame.
 */
static reprise_status read_world(mc_decoder *d, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)d->base.replay;
    RP_TRY(mc_world_open(replay, &d->world, error));
    uint32_t frames = mc_world_seek(d->world, d->moment);
    mc_world_piece piece = {0};
    for (uint32_t done = 0; done < frames; done += piece.about != NULL) {
        RP_TRY(mc_world_next(d->world, &piece, error));
        bool changes = piece.about && piece.about->type == MC_PREDICTED;
        for (size_t i = 0; changes && i < piece.block_count; i++)
            RP_TRY(add_changed(d, &piece.blocks[i], error));
    }
    rp_row row = {.index = d->moment_frame, .time = d->moment, .present = UINT64_MAX};
    if (piece.about && rp_selected(&d->base, MC_WORLD_FRAMES)) {
        row.track = MC_WORLD_FRAMES;
        row.data = piece.about;
        RP_TRY(rp_emit(&d->base, row, error));
    }
    if (d->changed.count)
        qsort(d->changed.blocks, d->changed.count, sizeof *d->changed.blocks, compare_blocks);
    row.track = MC_BLOCKS;
    for (size_t i = 0; rp_selected(&d->base, MC_BLOCKS) && i < d->changed.count; i++) {
        row.data = &d->changed.blocks[i];
        RP_TRY(rp_emit(&d->base, row, error));
    }
    return REPRISE_OK;
}

/* ---- both ---- */

reprise_status mc_read_moment(mc_decoder *d, reprise_error *error)
{
    mc_replay *replay = (mc_replay *)d->base.replay;
    size_t count = replay->outer.entities.count;
    d->present = rp_alloc_zero(replay->base.context, count, sizeof *d->present, error);
    if (!d->present)
        return error->status;
    for (size_t i = 0; i < count; i++)
        RP_TRY(add_entity(d, i, error));
    return replay->has_world ? read_world(d, error) : REPRISE_OK;
}

reprise_status mc_scene_rate(mc_replay *replay, double *ret_rate, reprise_error *error)
{
    *ret_rate = SCENE_FPS_DEFAULT;
    for (size_t i = 0; i < replay->outer.entities.count; i++) {
        reprise_error failure = REPRISE_ERROR_INIT;
        mc_entity_reader *reader = NULL;
        if (mc_entity_open_head(replay, i, &reader, &failure) != REPRISE_OK) {
            RP_TRY(mc_entity_failed(replay, i, &failure, error));
            continue;
        }
        *ret_rate = mc_entity_of(reader)->row.fps;
        mc_entity_close(reader);
        return REPRISE_OK;
    }
    return REPRISE_OK;
}

reprise_status mc_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    mc_decoder *d = (mc_decoder *)decoder;
    double rate;
    RP_TRY(mc_scene_rate((mc_replay *)decoder->replay, &rate, error));
    if (moment.by_index && moment.index < 0)
        return rp_error_set(error, REPRISE_E_USAGE, "frame %lld is out of range",
                            (long long)moment.index);
    d->moment = moment.by_index ? (double)moment.index / rate : moment.time;
    double frame = floor(d->moment * rate);
    d->moment_frame = moment.by_index ? moment.index : (int64_t)RP_MAX(RP_MIN(frame, 9e15), -9e15);
    mc_free_moment(d);
    mc_world_close(d->world);
    d->world = NULL;
    d->stage = MC_STAGE_MOMENT;
    return REPRISE_OK;
}
