/*
 * scene_world_changes.c - the world over time: its blocks at the first moment, and later changes by
 * section.
 *
 * A later whole frame is turned into the changes it makes. Frames of the same time are one moment.
 * Memory is eight bytes per block of the first moment and about thirty per change.
 */
#include "scene_builder.h"

enum { SLOTS_LEAST = 64 };

typedef struct recorder {
    mc_world_changes *history;
    reprise_error *error;
    uint32_t moment;
    rp_vector numbers; /* uint32_t: cell model by palette entry; 0: not looked up yet */
} recorder;

/* ---- finding by hash ---- */

static uint64_t hash_place(int32_t x, int32_t y, int32_t z)
{
    uint64_t h = (uint32_t)x * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (uint32_t)y) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h = (h ^ (uint32_t)z) * UINT64_C(0x165667B19E3779F9);
    return h ^ h >> 32;
}

static uint32_t *chunk_slot(const mc_world_changes *h, int32_t x, int32_t y, int32_t z)
{
    for (uint64_t i = hash_place(x, y, z);; i++) {
        uint32_t *slot = &h->chunk_slots[i & (h->chunk_slot_count - 1)];
        const mc_chunk *known = *slot ? mc_chunk_at(h, *slot - 1) : NULL;
        if (!known || (known->x == x && known->y == y && known->z == z))
            return slot;
    }
}

/* Doubles the slots when half of them are taken. */
static bool grow_slots(mc_world_changes *h, reprise_error *error)
{
    if (h->chunks.count * 2 < h->chunk_slot_count)
        return true;
    size_t count = h->chunk_slot_count ? h->chunk_slot_count * 2 : SLOTS_LEAST;
    uint32_t *more = rp_alloc_zero(h->context, count, sizeof *more, error);
    if (!more)
        return false;
    rp_free(h->context, h->chunk_slots, h->chunk_slot_count * sizeof *more);
    h->chunk_slots = more;
    h->chunk_slot_count = count;
    for (size_t i = 0; i < h->chunks.count; i++) {
        const mc_chunk *known = mc_chunk_at(h, i);
        *chunk_slot(h, known->x, known->y, known->z) = (uint32_t)i + 1;
    }
    return true;
}

mc_chunk *mc_world_changes_chunk(const mc_world_changes *h, int32_t x, int32_t y, int32_t z)
{
    uint32_t slot = h->chunk_slots ? *chunk_slot(h, x, y, z) : 0;
    return slot ? mc_chunk_at(h, slot - 1) : NULL;
}

static mc_chunk *chunk_of(mc_world_changes *h, int32_t x, int32_t y, int32_t z,
                          reprise_error *error)
{
    if (!grow_slots(h, error))
        return NULL;
    uint32_t *slot = chunk_slot(h, x, y, z);
    if (*slot)
        return mc_chunk_at(h, *slot - 1);
    mc_chunk *chunk = rp_vector_add(h->context, &h->chunks, sizeof *chunk, error);
    if (!chunk)
        return NULL;
    *chunk = (mc_chunk){.x = x, .y = y, .z = z};
    *slot = (uint32_t)h->chunks.count;
    return chunk;
}

/* ---- recording changes ---- */

static bool same_cell(const mc_cell *a, const mc_cell *b)
{
    return a->model == b->model && memcmp(a->tint, b->tint, sizeof a->tint) == 0;
}

static mc_cell *new_cells(mc_world_changes *h, reprise_error *error)
{
    return rp_alloc_zero(h->context, MC_CHUNK_BLOCKS, sizeof(mc_cell), error);
}

static void set_cell(recorder *t, mc_chunk *chunk, uint16_t place, mc_cell cell)
{
    mc_world_changes *h = t->history;
    if (!t->moment) {
        if (!chunk->first)
            chunk->first = new_cells(h, t->error);
        if (chunk->first)
            chunk->first[place] = cell;
        return;
    }
    if (chunk->now && same_cell(&chunk->now[place], &cell))
        return;
    mc_cell_change *to = rp_vector_add(h->context, &chunk->changes, sizeof *to, t->error);
    if (!to)
        return;
    *to = (mc_cell_change){
        .moment = t->moment, .order = (uint32_t)chunk->changes.count, .place = place, .cell = cell};
    if (chunk->now)
        chunk->now[place] = cell;
}

/* Only whole frames need the current blocks, for comparison. */
static void find_now(recorder *t, mc_chunk *chunk)
{
    if (!t->moment || chunk->now)
        return;
    chunk->now = new_cells(t->history, t->error);
    if (!chunk->now)
        return;
    if (chunk->first)
        memcpy(chunk->now, chunk->first, MC_CHUNK_BLOCKS * sizeof *chunk->now);
    const mc_cell_change *changes = chunk->changes.items;
    for (size_t i = 0; i < chunk->changes.count; i++)
        chunk->now[changes[i].place] = changes[i].cell;
}

static mc_cell cell_of(recorder *t, const mc_block *block)
{
    mc_cell cell = {.tint = {block->red, block->green, block->blue}};
    while (t->numbers.count <= block->state) {
        if (!rp_vector_add(t->history->context, &t->numbers, sizeof(uint32_t), t->error))
            return cell;
    }
    uint32_t *number = (uint32_t *)t->numbers.items + block->state;
    if (!*number)
        *number = rp_dictionary_add(&t->history->models, &t->history->arena, block->model.data,
                                    block->model.size, t->error) +
                  1;
    cell.model = *number;
    return cell;
}

static int32_t chunk_place(int32_t block)
{
    return (int32_t)(((int64_t)block - (block < 0 ? MC_CHUNK_SIDE - 1 : 0)) / MC_CHUNK_SIDE);
}

static void record_blocks(recorder *t, const mc_world_piece *piece)
{
    bool whole = !piece->about;
    t->numbers.count = 0;
    for (size_t i = 0; i < piece->block_count && t->error->status == REPRISE_OK; i++) {
        const mc_block *b = &piece->blocks[i];
        int32_t at[3] = {chunk_place(b->x), chunk_place(b->y), chunk_place(b->z)};
        mc_chunk *chunk = chunk_of(t->history, at[0], at[1], at[2], t->error);
        mc_cell cell = cell_of(t, b);
        if (!chunk || t->error->status != REPRISE_OK)
            return;
        if (whole) {
            chunk->frame = piece->frame + 1;
            find_now(t, chunk);
        }
        int64_t x = b->x - (int64_t)at[0] * MC_CHUNK_SIDE,
                y = b->y - (int64_t)at[1] * MC_CHUNK_SIDE,
                z = b->z - (int64_t)at[2] * MC_CHUNK_SIDE;
        set_cell(t, chunk, (uint16_t)((y * MC_CHUNK_SIDE + z) * MC_CHUNK_SIDE + x), cell);
    }
}

/* A whole frame replaces the world: blocks that it lacks are removed. */
static void record_missing(recorder *t, uint32_t frame)
{
    mc_world_changes *h = t->history;
    static const mc_cell nothing = {0};
    for (size_t i = 0; i < h->chunks.count && t->error->status == REPRISE_OK; i++) {
        mc_chunk *chunk = mc_chunk_at(h, i);
        if (chunk->frame == frame + 1 || (!chunk->first && !chunk->changes.count))
            continue;
        find_now(t, chunk);
        for (uint32_t place = 0; place < MC_CHUNK_BLOCKS; place++)
            set_cell(t, chunk, (uint16_t)place, nothing);
    }
}

static void record_moment(recorder *t, double time)
{
    rp_vector *moments = &t->history->moments;
    if (moments->count && mc_moment_at(t->history, moments->count - 1)->time >= time)
        return;
    mc_moment *to = rp_vector_add(t->history->context, moments, sizeof *to, t->error);
    if (!to)
        return;
    *to = (mc_moment){.time = time};
    t->moment = (uint32_t)(moments->count - 1);
}

static reprise_status read_pieces(recorder *t, mc_world_reader *reader)
{
    mc_world_piece piece;
    reprise_status status;
    while ((status = mc_world_next(reader, &piece, t->error)) == REPRISE_OK) {
        record_moment(t, piece.time);
        if (t->error->status != REPRISE_OK)
            return t->error->status;
        mc_moment_at(t->history, t->moment)->changes += mc_stored_changes(&piece);
        record_blocks(t, &piece);
        if (piece.about && piece.about->type == MC_INTRACODED)
            record_missing(t, piece.frame);
        if (t->error->status != REPRISE_OK)
            return t->error->status;
    }
    return status == REPRISE_END ? REPRISE_OK : status;
}

void mc_world_changes_free(mc_world_changes *h)
{
    if (!h->context)
        return;
    for (size_t i = 0; i < h->chunks.count; i++) {
        mc_chunk *chunk = mc_chunk_at(h, i);
        rp_free(h->context, chunk->first, chunk->first ? MC_CHUNK_BLOCKS * sizeof(mc_cell) : 0);
        rp_free(h->context, chunk->now, chunk->now ? MC_CHUNK_BLOCKS * sizeof(mc_cell) : 0);
        rp_vector_free(h->context, &chunk->changes, sizeof(mc_cell_change));
    }
    rp_vector_free(h->context, &h->moments, sizeof(mc_moment));
    rp_dictionary_free(h->context, &h->models);
    rp_vector_free(h->context, &h->chunks, sizeof(mc_chunk));
    rp_free(h->context, h->chunk_slots, h->chunk_slot_count * sizeof(uint32_t));
    rp_arena_free(&h->arena);
    *h = (mc_world_changes){0};
}

reprise_status mc_world_changes_read(mc_replay *replay, mc_world_changes *ret_history,
                                     reprise_error *error)
{
    mc_world_changes history = {.context = replay->base.context};
    rp_arena_init(&history.arena, history.context);
    recorder t = {.history = &history, .error = error};
    mc_world_reader *reader = NULL;
    reprise_status status = mc_world_open(replay, &reader, error);
    if (status == REPRISE_OK)
        status = read_pieces(&t, reader);
    mc_world_close(reader);
    rp_vector_free(history.context, &t.numbers, sizeof(uint32_t));
    if (status != REPRISE_OK) {
        mc_world_changes_free(&history);
        return status;
    }
    *ret_history = history;
    return REPRISE_OK;
}
