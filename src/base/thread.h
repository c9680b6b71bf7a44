/*
 * thread.h - threads, locks and waiting with a deadline; the only place that knows how the system
 * calls them. Clocks are monotonic: setting the time of day wakes nobody.
 */
#ifndef RP_THREAD_H
#define RP_THREAD_H

#include <pthread.h>

#include "error.h"

typedef struct rp_lock {
    pthread_mutex_t mutex;
} rp_lock;

typedef struct rp_signal {
    pthread_cond_t condition;
} rp_signal;

typedef struct rp_thread {
    pthread_t thread;
    bool running;
} rp_thread;

/* Nanoseconds since some moment in the past. */
uint64_t rp_now_ns(void);

reprise_status rp_lock_init(rp_lock *lock, reprise_error *error);
void rp_lock_free(rp_lock *lock);
void rp_lock_take(rp_lock *lock);
void rp_lock_leave(rp_lock *lock);

reprise_status rp_signal_init(rp_signal *signal, reprise_error *error);
void rp_signal_free(rp_signal *signal);
/* Wakes who waits; the lock may be held or not. */
void rp_signal_give(rp_signal *signal);
/* Leaves the lock, waits, takes it again. False when the deadline, in rp_now_ns, has passed. */
bool rp_signal_wait(rp_signal *signal, rp_lock *lock, uint64_t deadline_ns);

reprise_status rp_thread_start(rp_thread *thread, void *(*run)(void *ctx), void *ctx,
                               reprise_error *error);
/* Waits for its end; does nothing if it was never started. */
void rp_thread_join(rp_thread *thread);

#endif
