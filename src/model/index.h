/*
 * index.h - finds a frame by number or time, and the checkpoint to start decoding from.
 *
 * Frame times may decrease. Every `stride` frames there is a checkpoint with a copy of the
 * decoder's state and an offset, so a seek decodes at most that many frames.
 */
#ifndef RP_INDEX_H
#define RP_INDEX_H

#include "context.h"

typedef struct rp_index rp_index;

reprise_status rp_index_new(rp_context *context, size_t stride, size_t state_size,
                            rp_index **ret_index, reprise_error *error);
void rp_index_free(rp_index *index);

/*
 * Adds the next frame. If its number is a multiple of the stride, `offset` is where it starts and
 * `state` the state before it; else both are ignored.
 */
reprise_status rp_index_add(rp_index *index, double time, uint64_t offset, const void *state,
                            reprise_error *error);

size_t rp_index_count(const rp_index *index);
double rp_index_time(const rp_index *index, size_t frame);
/* Returns the last frame before the first one that is later than `time`, or -1. */
int64_t rp_index_at_time(const rp_index *index, double time);

/* Gets the last checkpoint at or before a frame: its frame number, offset and state. */
void rp_index_checkpoint(const rp_index *index, size_t frame, size_t *ret_frame,
                         uint64_t *ret_offset, const void **ret_state);

#endif
