/* index.c - see index.h. */
#include "index.h"

#include <string.h>

#include "checked.h"

typedef struct block {
    uint64_t offset;
    float time_min; /* of the frames from here to the next checkpoint */
} block;

struct rp_index {
    rp_context *context;
    size_t stride, state_size;
    size_t count, capacity;
    double *times;
    size_t block_count, block_capacity;
    block *blocks;
    uint8_t *states; /* state_size bytes per block */
};

reprise_status rp_index_new(rp_context *context, size_t stride, size_t state_size,
                            rp_index **ret_index, reprise_error *error)
{
    rp_index *index = rp_alloc_zero(context, 1, sizeof *index, error);
    if (!index)
        return error->status;
    index->context = context;
    index->stride = stride;
    index->state_size = state_size;
    *ret_index = index;
    return REPRISE_OK;
}

void rp_index_free(rp_index *index)
{
    if (!index)
        return;
    rp_free(index->context, index->times, index->capacity * sizeof *index->times);
    rp_free(index->context, index->blocks, index->block_capacity * sizeof *index->blocks);
    rp_free(index->context, index->states, index->block_capacity * index->state_size);
    rp_free(index->context, index, sizeof *index);
}

static reprise_status grow(rp_context *context, void **items, size_t item_size, size_t old_capacity,
                           size_t capacity, reprise_error *error)
{
    size_t bytes;
    if (!rp_mul(capacity, item_size, &bytes))
        return rp_error_set(error, REPRISE_E_LIMIT, "index of %zu items", capacity);
    void *memory = rp_realloc(context, *items, old_capacity * item_size, bytes, error);
    if (!memory)
        return error->status;
    *items = memory;
    return REPRISE_OK;
}

static reprise_status add_block(rp_index *index, double time, uint64_t offset, const void *state,
                                reprise_error *error)
{
    if (index->block_count == index->block_capacity) {
        size_t old = index->block_capacity, capacity = old ? old * 2 : 16;
        void *blocks = index->blocks, *states = index->states;
        RP_TRY(grow(index->context, &blocks, sizeof(block), old, capacity, error));
        index->blocks = blocks;
        reprise_status status = grow(index->context, &states, index->state_size, old, capacity,
                                     error);
        if (status != REPRISE_OK) {
            /* Both arrays are freed by one capacity, so shrink the first back. */
            reprise_error ignored = REPRISE_ERROR_INIT;
            void *back = rp_realloc(index->context, blocks, capacity * sizeof(block),
                                    old * sizeof(block), &ignored);
            index->blocks = back ? back : blocks;
            return status;
        }
        index->states = states;
        index->block_capacity = capacity;
    }
    index->blocks[index->block_count] = (block){.offset = offset, .time_min = (float)time};
    memcpy(index->states + index->block_count * index->state_size, state, index->state_size);
    index->block_count++;
    return REPRISE_OK;
}

reprise_status rp_index_add(rp_index *index, double time, uint64_t offset, const void *state,
                            reprise_error *error)
{
    if (index->count == index->capacity) {
        size_t capacity = index->capacity ? index->capacity * 2 : 256;
        void *times = index->times;
        RP_TRY(grow(index->context, &times, sizeof(double), index->capacity, capacity, error));
        index->times = times;
        index->capacity = capacity;
    }
    if (index->count % index->stride == 0)
        RP_TRY(add_block(index, time, offset, state, error));
    else if ((float)time < index->blocks[index->block_count - 1].time_min)
        index->blocks[index->block_count - 1].time_min = (float)time;
    index->times[index->count++] = time;
    return REPRISE_OK;
}

size_t rp_index_count(const rp_index *index)
{
    return index->count;
}

double rp_index_time(const rp_index *index, size_t frame)
{
    return index->times[frame];
}

int64_t rp_index_at_time(const rp_index *index, double time)
{
    for (size_t b = index->block_count; b-- > 0;) {
        if ((double)index->blocks[b].time_min > time)
            continue;
        size_t end = RP_MIN(index->count, (b + 1) * index->stride);
        for (size_t frame = end; frame-- > b * index->stride;) {
            if (index->times[frame] <= time)
                return (int64_t)frame;
        }
    }
    return -1;
}

void rp_index_checkpoint(const rp_index *index, size_t frame, size_t *ret_frame,
                         uint64_t *ret_offset, const void **ret_state)
{
    size_t b = RP_MIN(frame / index->stride, index->block_count - 1);
    *ret_frame = b * index->stride;
    *ret_offset = index->blocks[b].offset;
    *ret_state = index->states + b * index->state_size;
}
