/*
 * prefetch.h - work that runs ahead: somebody fills slots, one after the other, and somebody else
 * takes them in the same order.
 *
 * With two threads in the context the filling is done by a thread of its own, which stops when all
 * slots are full; else each slot is filled when it is asked for. Results are the same. Whatever the
 * filler uses is its own until the relay is closed, the context excepted.
 */
#ifndef RP_PREFETCH_H
#define RP_PREFETCH_H

#include "context.h"

typedef struct rp_prefetch rp_prefetch;

/* Fills a slot, whatever was in it before; false when it is the last. */
typedef bool rp_prefetch_fill(void *ctx, void *slot);

/* The slots, `count` of `size` bytes each, are the caller's and must outlive the relay. */
reprise_status rp_prefetch_open(rp_context *context, rp_prefetch_fill *fill, void *ctx, void *slots,
                                size_t size, size_t count, rp_prefetch **ret_relay,
                                reprise_error *error);
/* The next slot, or NULL behind the last. The one before goes back to be filled again. */
void *rp_prefetch_next(rp_prefetch *relay);
/* Waits until nothing is filled any more. NULL is fine. */
void rp_prefetch_close(rp_prefetch *relay);

#endif
