/*
 * thread.h - threads, locks and waiting with a deadline; the only place that knows how the system
 * calls them. Clocks are monotonic: setting the time of day wakes nobody.
 */
#ifndef RP_THREAD_H
#define RP_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "error.h"

typedef struct rp_lock {
    pthread_mutex_t mutex;
} rp_lock;

typedef struct rp_signal {
    pthread_cond_t condition;
} rp_signal;

/*
 * Wakes one thread. Waiting for it holds no lock, and ringing it never waits: so neither side can
 * be held up by the other, which a signal and its lock do not promise.
 */
typedef struct rp_bell {
    sem_t rung;
    atomic_bool awaited;
} rp_bell;

typedef struct rp_thread {
    pthread_t thread;
    bool running;
} rp_thread;

/* Nanoseconds since some moment in the past. */
uint64_t rp_now_ns(void);

reprise_status rp_lock_init(rp_lock *lock, reprise_error *error);
void rp_lock_free(rp_lock *lock);
void rp_lock_take(rp_lock *lock);
/* False when the lock could not be had before the deadline, in rp_now_ns. */
bool rp_lock_take_until(rp_lock *lock, uint64_t deadline_ns);
void rp_lock_leave(rp_lock *lock);

reprise_status rp_signal_init(rp_signal *signal, reprise_error *error);
void rp_signal_free(rp_signal *signal);
/* Wakes who waits; the lock may be held or not. */
void rp_signal_give(rp_signal *signal);
/* Leaves the lock, waits, takes it again. False when the deadline, in rp_now_ns, has passed. */
bool rp_signal_wait(rp_signal *signal, rp_lock *lock, uint64_t deadline_ns);

reprise_status rp_bell_init(rp_bell *bell, reprise_error *error);
void rp_bell_free(rp_bell *bell);
/* Wakes who listens; nobody else will hear of it. */
void rp_bell_ring(rp_bell *bell);
/* From now on ringing counts: look once more for the reason to wait, then wait. */
void rp_bell_listen(rp_bell *bell);
/* False when the deadline, in rp_now_ns, has passed. True may come without a reason. */
bool rp_bell_wait(rp_bell *bell, uint64_t deadline_ns);

reprise_status rp_thread_start(rp_thread *thread, void *(*run)(void *ctx), void *ctx,
                               reprise_error *error);
/* Waits for its end; does nothing if it was never started. */
void rp_thread_join(rp_thread *thread);

#endif
