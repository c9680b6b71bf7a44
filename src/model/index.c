/* index.c - see index.h. */
#include "index.h"

#include <math.h>
#include <string.h>

#include "checked.h"
#include "vector.h"

typedef struct block {
    uint64_t offset;
    double time_max; /* of the frames up to the next checkpoint */
} block;

struct rp_index {
    rp_context *context;
    size_t stride, state_size;
    rp_vector times;  /* double */
    rp_vector blocks; /* block */
    rp_vector states; /* state_size bytes per block */
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
    rp_vector_free(index->context, &index->times, sizeof(double));
    rp_vector_free(index->context, &index->blocks, sizeof(block));
    rp_vector_free(index->context, &index->states, index->state_size);
    rp_free(index->context, index, sizeof *index);
}

static block *blocks_of(const rp_index *index)
{
    return index->blocks.items;
}

static const double *times_of(const rp_index *index)
{
    return index->times.items;
}

static reprise_status add_block(rp_index *index, double time, uint64_t offset, const void *state,
                                reprise_error *error)
{
    void *copy = rp_vector_add(index->context, &index->states, index->state_size, error);
    block *to = copy ? rp_vector_add(index->context, &index->blocks, sizeof *to, error) : NULL;
    if (!to)
        return error->status;
    *to = (block){.offset = offset, .time_max = time};
    memcpy(copy, state, index->state_size);
    return REPRISE_OK;
}

reprise_status rp_index_add(rp_index *index, double time, uint64_t offset, const void *state,
                            reprise_error *error)
{
    if (index->times.count % index->stride == 0) {
        RP_TRY(add_block(index, time, offset, state, error));
    } else {
        block *last = &blocks_of(index)[index->blocks.count - 1];
        last->time_max = fmax(last->time_max, time);
    }
    double *to = rp_vector_add(index->context, &index->times, sizeof *to, error);
    if (!to)
        return error->status;
    *to = time;
    return REPRISE_OK;
}

size_t rp_index_count(const rp_index *index)
{
    return index->times.count;
}

double rp_index_time(const rp_index *index, size_t frame)
{
    return times_of(index)[frame];
}

int64_t rp_index_at_time(const rp_index *index, double time)
{
    const double *times = times_of(index);
    size_t b = 0;
    while (b < index->blocks.count && !(blocks_of(index)[b].time_max > time))
        b++;
    size_t frame = RP_MIN(index->times.count, b * index->stride);
    while (frame < index->times.count && !(times[frame] > time))
        frame++;
    return (int64_t)frame - 1;
}

void rp_index_checkpoint(const rp_index *index, size_t frame, size_t *ret_frame,
                         uint64_t *ret_offset, const void **ret_state)
{
    size_t b = RP_MIN(frame / index->stride, index->blocks.count - 1);
    *ret_frame = b * index->stride;
    *ret_offset = blocks_of(index)[b].offset;
    *ret_state = (const uint8_t *)index->states.items + b * index->state_size;
}
