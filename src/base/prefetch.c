/*
 * prefetch.c - see prefetch.h.
 *
 * Waking a thread takes as long as filling several slots. A side that waits is woken when several
 * slots are ready for it, or one where there are few.
 */
#include "prefetch.h"

#include "checked.h"
#include "thread.h"

struct rp_prefetch {
    rp_context *context;
    rp_prefetch_fill *fill;
    void *ctx;
    uint8_t *slots;
    size_t slot_size, slot_count;
    rp_thread thread; /* if not running, slots are filled on request */
    /* Protected by the lock if there is a thread. */
    rp_lock lock;
    rp_signal changed;
    size_t first, full; /* number of filled slots, including the taken one */
    bool taken;         /* the caller uses the first of them */
    bool ended, stopped;
    bool locks, signals; /* initialised */
    unsigned spared;     /* threads that the context counts as ours */
};

static void *slot_at(const rp_prefetch *prefetch, size_t number)
{
    return prefetch->slots + number % prefetch->slot_count * prefetch->slot_size;
}

/* How many slots are worth waking a thread for. */
static size_t several(const rp_prefetch *prefetch)
{
    return RP_MAX(prefetch->slot_count / 8, 1);
}

static bool has_several_full(const rp_prefetch *prefetch)
{
    return prefetch->full >= several(prefetch);
}

static bool has_several_empty(const rp_prefetch *prefetch)
{
    return prefetch->slot_count - prefetch->full >= several(prefetch);
}

static void *run_ahead(void *ctx)
{
    rp_prefetch *prefetch = ctx;
    rp_lock_take(&prefetch->lock);
    while (!prefetch->ended && !prefetch->stopped) {
        if (prefetch->full == prefetch->slot_count) {
            while (!has_several_empty(prefetch) && !prefetch->stopped)
                (void)rp_signal_wait(&prefetch->changed, &prefetch->lock, UINT64_MAX);
            continue;
        }
        void *slot = slot_at(prefetch, prefetch->first + prefetch->full);
        rp_lock_leave(&prefetch->lock);
        bool more = prefetch->fill(prefetch->ctx, slot);
        rp_lock_take(&prefetch->lock);
        prefetch->full++;
        prefetch->ended = !more;
        if (has_several_full(prefetch) || prefetch->ended)
            rp_signal_give(&prefetch->changed);
    }
    rp_lock_leave(&prefetch->lock);
    return NULL;
}

reprise_status rp_prefetch_open(rp_context *context, rp_prefetch_fill *fill, void *ctx, void *slots,
                                size_t size, size_t count, rp_prefetch **ret_prefetch,
                                reprise_error *error)
{
    rp_prefetch *prefetch = rp_alloc_zero(context, 1, sizeof *prefetch, error);
    if (!prefetch)
        return error->status;
    prefetch->context = context;
    prefetch->fill = fill;
    prefetch->ctx = ctx;
    prefetch->slots = slots;
    prefetch->slot_size = size;
    prefetch->slot_count = count;
    reprise_error ignored = REPRISE_ERROR_INIT;
    /* Failing to start a thread is not an error. */
    prefetch->spared = rp_context_spare_threads(context, 1);
    if (prefetch->spared && rp_lock_init(&prefetch->lock, &ignored) == REPRISE_OK) {
        prefetch->locks = true;
        if (rp_signal_init(&prefetch->changed, &ignored) == REPRISE_OK) {
            prefetch->signals = true;
            (void)rp_thread_start(&prefetch->thread, run_ahead, prefetch, &ignored);
        }
    }
    *ret_prefetch = prefetch;
    return REPRISE_OK;
}

static void give_back(rp_prefetch *prefetch)
{
    if (!prefetch->taken)
        return;
    prefetch->taken = false;
    prefetch->first = (prefetch->first + 1) % prefetch->slot_count;
    prefetch->full--;
}

static void *next_alone(rp_prefetch *prefetch)
{
    give_back(prefetch);
    if (prefetch->ended)
        return NULL;
    void *slot = slot_at(prefetch, prefetch->first);
    prefetch->ended = !prefetch->fill(prefetch->ctx, slot);
    prefetch->full = 1;
    prefetch->taken = true;
    return slot;
}

void *rp_prefetch_next(rp_prefetch *prefetch)
{
    if (!prefetch->thread.running)
        return next_alone(prefetch);
    rp_lock_take(&prefetch->lock);
    give_back(prefetch);
    if (has_several_empty(prefetch))
        rp_signal_give(&prefetch->changed);
    while (!prefetch->full && !prefetch->ended)
        (void)rp_signal_wait(&prefetch->changed, &prefetch->lock, UINT64_MAX);
    prefetch->taken = prefetch->full > 0;
    void *slot = prefetch->taken ? slot_at(prefetch, prefetch->first) : NULL;
    rp_lock_leave(&prefetch->lock);
    return slot;
}

void rp_prefetch_close(rp_prefetch *prefetch)
{
    if (!prefetch)
        return;
    if (prefetch->thread.running) {
        rp_lock_take(&prefetch->lock);
        prefetch->stopped = true;
        rp_signal_give(&prefetch->changed);
        rp_lock_leave(&prefetch->lock);
        rp_thread_join(&prefetch->thread);
    }
    rp_context_return_threads(prefetch->context, prefetch->spared);
    if (prefetch->signals)
        rp_signal_free(&prefetch->changed);
    if (prefetch->locks)
        rp_lock_free(&prefetch->lock);
    rp_free(prefetch->context, prefetch, sizeof *prefetch);
}
