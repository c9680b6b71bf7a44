/* prefetch.c - see prefetch.h. */
#include "prefetch.h"

#include "thread.h"

struct rp_prefetch {
    rp_context *context;
    rp_prefetch_fill *fill;
    void *ctx;
    uint8_t *slots;
    size_t slot_size, slot_count;
    rp_thread thread; /* running, or each slot is filled when it is asked for */
    /* Under the lock where there is a thread. */
    rp_lock lock;
    rp_signal changed;
    size_t first, full; /* slots that are filled and not given back */
    bool taken;         /* the first of them is being looked at */
    bool ended, stopped;
    bool locks, signals; /* what there is to be freed */
};

static void *slot_at(const rp_prefetch *relay, size_t number)
{
    return relay->slots + number % relay->slot_count * relay->slot_size;
}

static void *run_ahead(void *ctx)
{
    rp_prefetch *relay = ctx;
    rp_lock_take(&relay->lock);
    while (!relay->ended && !relay->stopped) {
        if (relay->full == relay->slot_count) {
            (void)rp_signal_wait(&relay->changed, &relay->lock, UINT64_MAX);
            continue;
        }
        void *slot = slot_at(relay, relay->first + relay->full);
        rp_lock_leave(&relay->lock);
        bool more = relay->fill(relay->ctx, slot);
        rp_lock_take(&relay->lock);
        relay->full++;
        relay->ended = !more;
        rp_signal_give(&relay->changed);
    }
    rp_lock_leave(&relay->lock);
    return NULL;
}

reprise_status rp_prefetch_open(rp_context *context, rp_prefetch_fill *fill, void *ctx, void *slots,
                                size_t size, size_t count, rp_prefetch **ret_relay,
                                reprise_error *error)
{
    rp_prefetch *relay = rp_alloc_zero(context, 1, sizeof *relay, error);
    if (!relay)
        return error->status;
    relay->context = context;
    relay->fill = fill;
    relay->ctx = ctx;
    relay->slots = slots;
    relay->slot_size = size;
    relay->slot_count = count;
    reprise_error ignored = REPRISE_ERROR_INIT;
    /* A thread that cannot be had is no failure. */
    if (context->threads > 1 && rp_lock_init(&relay->lock, &ignored) == REPRISE_OK) {
        relay->locks = true;
        if (rp_signal_init(&relay->changed, &ignored) == REPRISE_OK) {
            relay->signals = true;
            (void)rp_thread_start(&relay->thread, run_ahead, relay, &ignored);
        }
    }
    *ret_relay = relay;
    return REPRISE_OK;
}

static void give_back(rp_prefetch *relay)
{
    if (!relay->taken)
        return;
    relay->taken = false;
    relay->first = (relay->first + 1) % relay->slot_count;
    relay->full--;
}

static void *next_alone(rp_prefetch *relay)
{
    give_back(relay);
    if (relay->ended)
        return NULL;
    void *slot = slot_at(relay, relay->first);
    relay->ended = !relay->fill(relay->ctx, slot);
    relay->full = 1;
    relay->taken = true;
    return slot;
}

void *rp_prefetch_next(rp_prefetch *relay)
{
    if (!relay->thread.running)
        return next_alone(relay);
    rp_lock_take(&relay->lock);
    if (relay->full == relay->slot_count)
        rp_signal_give(&relay->changed);
    give_back(relay);
    while (!relay->full && !relay->ended)
        (void)rp_signal_wait(&relay->changed, &relay->lock, UINT64_MAX);
    relay->taken = relay->full > 0;
    void *slot = relay->taken ? slot_at(relay, relay->first) : NULL;
    rp_lock_leave(&relay->lock);
    return slot;
}

void rp_prefetch_close(rp_prefetch *relay)
{
    if (!relay)
        return;
    if (relay->thread.running) {
        rp_lock_take(&relay->lock);
        relay->stopped = true;
        rp_signal_give(&relay->changed);
        rp_lock_leave(&relay->lock);
        rp_thread_join(&relay->thread);
    }
    if (relay->signals)
        rp_signal_free(&relay->changed);
    if (relay->locks)
        rp_lock_free(&relay->lock);
    rp_free(relay->context, relay, sizeof *relay);
}
