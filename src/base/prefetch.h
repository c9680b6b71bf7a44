/*
 * prefetch.h - a bounded queue: one side fills slots in order, the other takes them.
 *
 * If the context can spare a thread, it fills slots ahead until all are full; else each slot is
 * filled when it is requested. The results are the same. Until the queue is closed, only the fill
 * callback may use what it uses, except the context.
 */
#ifndef RP_PREFETCH_H
#define RP_PREFETCH_H

#include "context.h"

typedef struct rp_prefetch rp_prefetch;

/* Fills a slot, overwriting its contents. Returns false if it is the last one. */
typedef bool rp_prefetch_fill(void *ctx, void *slot);

/* The `count` slots of `size` bytes belong to the caller and must outlive the queue. */
reprise_status rp_prefetch_open(rp_context *context, rp_prefetch_fill *fill, void *ctx, void *slots,
                                size_t size, size_t count, rp_prefetch **ret_prefetch,
                                reprise_error *error);
/* Returns the next slot, or NULL after the last. The previous slot may be filled again. */
void *rp_prefetch_next(rp_prefetch *prefetch);
/* Waits for the fill callback to return. NULL is allowed. */
void rp_prefetch_close(rp_prefetch *prefetch);

#endif
