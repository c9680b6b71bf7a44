/*
 * workers.c - see workers.h.
 *
 * Slots are numbered in the order in which they are given away: those below `taken` are back,
 * those below `begun` are worked on or done, and those below `given` wait for a thread.
 */
#include "workers.h"

#include "checked.h"
#include "thread.h"

enum { THREADS_MAX = 16 };

struct rp_workers {
    rp_context *context;
    rp_work *work;
    void *ctx;
    uint8_t *slots;
    size_t slot_size, slot_count;
    rp_thread threads[THREADS_MAX];
    unsigned thread_count;
    unsigned spared; /* threads that the context counts as ours */
    /* Protected by the lock if there are threads. */
    rp_lock lock;
    rp_signal changed;
    size_t taken, begun, given;
    bool *done; /* per slot */
    bool stopped;
    bool locks, signals; /* initialised */
};

static void *slot_at(const rp_workers *workers, size_t number)
{
    return workers->slots + number % workers->slot_count * workers->slot_size;
}

static bool *done_at(const rp_workers *workers, size_t number)
{
    return &workers->done[number % workers->slot_count];
}

static void lock(rp_workers *workers)
{
    if (workers->locks)
        rp_lock_take(&workers->lock);
}

static void unlock(rp_workers *workers)
{
    if (workers->locks)
        rp_lock_leave(&workers->lock);
}

/* Works on the oldest slot that waits. Called with the lock, which is free while it works. */
static void work_on_next(rp_workers *workers)
{
    size_t number = workers->begun++;
    unlock(workers);
    workers->work(workers->ctx, slot_at(workers, number));
    lock(workers);
    *done_at(workers, number) = true;
    if (workers->signals)
        rp_signal_give(&workers->changed);
}

static void *run(void *ctx)
{
    rp_workers *workers = ctx;
    lock(workers);
    while (!workers->stopped) {
        if (workers->begun == workers->given)
            (void)rp_signal_wait(&workers->changed, &workers->lock, UINT64_MAX);
        else
            work_on_next(workers);
    }
    unlock(workers);
    return NULL;
}

/* Failing to start a thread is not an error: there are fewer then. */
static void start_threads(rp_workers *workers, unsigned wanted)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    workers->locks = rp_lock_init(&workers->lock, &ignored) == REPRISE_OK;
    workers->signals = workers->locks && rp_signal_init(&workers->changed, &ignored) == REPRISE_OK;
    while (workers->signals && workers->thread_count < wanted &&
           rp_thread_start(&workers->threads[workers->thread_count], run, workers, &ignored) ==
               REPRISE_OK)
        workers->thread_count++;
}

reprise_status rp_workers_open(rp_context *context, rp_work *work, void *ctx, void *slots,
                               size_t size, size_t count, size_t threads, rp_workers **ret_workers,
                               reprise_error *error)
{
    rp_workers *workers = rp_alloc_zero(context, 1, sizeof *workers, error);
    if (!workers)
        return error->status;
    *workers = (rp_workers){.context = context,
                            .work = work,
                            .ctx = ctx,
                            .slots = slots,
                            .slot_size = size,
                            .slot_count = count};
    workers->done = rp_alloc_zero(context, count, sizeof *workers->done, error);
    if (!workers->done) {
        rp_workers_close(workers);
        return error->status;
    }
    size_t most = RP_MIN(threads, (size_t)THREADS_MAX);
    workers->spared = rp_context_spare_threads(context, (unsigned)most);
    if (workers->spared)
        start_threads(workers, workers->spared);
    *ret_workers = workers;
    return REPRISE_OK;
}

bool rp_workers_help(const rp_workers *workers)
{
    return workers->thread_count > 0;
}

void *rp_workers_empty(rp_workers *workers)
{
    return workers->given - workers->taken < workers->slot_count ? slot_at(workers, workers->given)
                                                                 : NULL;
}

void rp_workers_give(rp_workers *workers)
{
    lock(workers);
    *done_at(workers, workers->given) = false;
    workers->given++;
    if (workers->signals)
        rp_signal_give(&workers->changed);
    unlock(workers);
}

void *rp_workers_take(rp_workers *workers)
{
    void *slot = NULL;
    lock(workers);
    if (workers->taken < workers->given) {
        while (!*done_at(workers, workers->taken)) {
            if (workers->begun < workers->given)
                work_on_next(workers);
            else
                (void)rp_signal_wait(&workers->changed, &workers->lock, UINT64_MAX);
        }
        slot = slot_at(workers, workers->taken++);
    }
    unlock(workers);
    return slot;
}

void rp_workers_close(rp_workers *workers)
{
    if (!workers)
        return;
    if (workers->thread_count) {
        lock(workers);
        workers->stopped = true;
        rp_signal_give(&workers->changed);
        unlock(workers);
    }
    for (unsigned i = 0; i < workers->thread_count; i++)
        rp_thread_join(&workers->threads[i]);
    rp_context_return_threads(workers->context, workers->spared);
    if (workers->signals)
        rp_signal_free(&workers->changed);
    if (workers->locks)
        rp_lock_free(&workers->lock);
    if (workers->done)
        rp_free(workers->context, workers->done, workers->slot_count * sizeof *workers->done);
    rp_free(workers->context, workers, sizeof *workers);
}
