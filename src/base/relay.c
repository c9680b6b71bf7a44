/* relay.c - see relay.h. */
#include "relay.h"

#include <pthread.h>

struct rp_relay {
    rp_context *context;
    rp_relay_fill *fill;
    void *ctx;
    uint8_t *slots;
    size_t slot_size, slot_count;
    bool threaded;
    pthread_t thread;
    /* Under the lock where there is a thread. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t first, full; /* slots that are filled and not given back */
    bool taken;         /* the first of them is being looked at */
    bool ended, stopped;
};

static void *slot_at(const rp_relay *relay, size_t number)
{
    return relay->slots + number % relay->slot_count * relay->slot_size;
}

static void *run_ahead(void *ctx)
{
    rp_relay *relay = ctx;
    pthread_mutex_lock(&relay->lock);
    while (!relay->ended && !relay->stopped) {
        if (relay->full == relay->slot_count) {
            pthread_cond_wait(&relay->changed, &relay->lock);
            continue;
        }
        void *slot = slot_at(relay, relay->first + relay->full);
        pthread_mutex_unlock(&relay->lock);
        bool more = relay->fill(relay->ctx, slot);
        pthread_mutex_lock(&relay->lock);
        relay->full++;
        relay->ended = !more;
        pthread_cond_signal(&relay->changed);
    }
    pthread_mutex_unlock(&relay->lock);
    return NULL;
}

reprise_status rp_relay_open(rp_context *context, rp_relay_fill *fill, void *ctx, void *slots,
                             size_t size, size_t count, rp_relay **ret_relay, reprise_error *error)
{
    rp_relay *relay = rp_alloc_zero(context, 1, sizeof *relay, error);
    if (!relay)
        return error->status;
    relay->context = context;
    relay->fill = fill;
    relay->ctx = ctx;
    relay->slots = slots;
    relay->slot_size = size;
    relay->slot_count = count;
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->changed, NULL);
    /* A thread that cannot be had is no failure. */
    relay->threaded = context->threads > 1 &&
                      pthread_create(&relay->thread, NULL, run_ahead, relay) == 0;
    *ret_relay = relay;
    return REPRISE_OK;
}

static void give_back(rp_relay *relay)
{
    if (!relay->taken)
        return;
    relay->taken = false;
    relay->first = (relay->first + 1) % relay->slot_count;
    relay->full--;
}

static void *next_alone(rp_relay *relay)
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

void *rp_relay_next(rp_relay *relay)
{
    if (!relay->threaded)
        return next_alone(relay);
    pthread_mutex_lock(&relay->lock);
    if (relay->full == relay->slot_count)
        pthread_cond_signal(&relay->changed);
    give_back(relay);
    while (!relay->full && !relay->ended)
        pthread_cond_wait(&relay->changed, &relay->lock);
    relay->taken = relay->full > 0;
    void *slot = relay->taken ? slot_at(relay, relay->first) : NULL;
    pthread_mutex_unlock(&relay->lock);
    return slot;
}

void rp_relay_close(rp_relay *relay)
{
    if (!relay)
        return;
    if (relay->threaded) {
        pthread_mutex_lock(&relay->lock);
        relay->stopped = true;
        pthread_cond_signal(&relay->changed);
        pthread_mutex_unlock(&relay->lock);
        pthread_join(relay->thread, NULL);
    }
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->lock);
    rp_free(relay->context, relay, sizeof *relay);
}
