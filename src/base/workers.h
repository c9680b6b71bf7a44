/*
 * workers.h - slots that the caller fills, threads work on, and the caller takes back in order.
 *
 * The threads are those that the context can spare. The caller works on slots too while it would
 * have to wait, and on all of them if there are no other threads. The results are the same.
 */
#ifndef RP_WORKERS_H
#define RP_WORKERS_H

#include "context.h"

typedef struct rp_workers rp_workers;

/* Works on a slot. It may use only what neither the caller nor the work on other slots changes. */
typedef void rp_work(void *ctx, void *slot);

/*
 * The `count` slots of `size` bytes belong to the caller and must outlive the workers. At most
 * `threads` other threads work. Two slots for each let one be filled while the other is worked on.
 */
reprise_status rp_workers_open(rp_context *context, rp_work *work, void *ctx, void *slots,
                               size_t size, size_t count, size_t threads, rp_workers **ret_workers,
                               reprise_error *error);
/* Whether there are other threads. */
bool rp_workers_help(const rp_workers *workers);
/* Returns a slot to fill; NULL if all are given away, then one must be taken first. */
void *rp_workers_empty(rp_workers *workers);
/* Gives away the slot that rp_workers_empty returned. */
void rp_workers_give(rp_workers *workers);
/*
 * Returns the oldest slot that was given away, once the work on it is done, or NULL if there is
 * none. It is the caller's until the next call of rp_workers_empty or rp_workers_take.
 */
void *rp_workers_take(rp_workers *workers);
/* Waits for the work that has begun. NULL is allowed. */
void rp_workers_close(rp_workers *workers);

#endif
