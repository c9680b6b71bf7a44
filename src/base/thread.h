/*
 * thread.h - threads, locks and waiting with a deadline, on top of POSIX threads.
 *
 * Deadlines use a monotonic clock, so changing the time of day wakes no thread.
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
 * Wakes one thread. Waiting holds no lock and ringing never blocks, so neither side can delay the
 * other. A signal with its lock does not guarantee that.
 */
typedef struct rp_bell {
    sem_t rung;
    atomic_bool awaited;
} rp_bell;

typedef struct rp_thread {
    pthread_t thread;
    bool running;
} rp_thread;

/* Returns nanoseconds since some moment in the past. */
uint64_t rp_now_ns(void);

reprise_status rp_lock_init(rp_lock *lock, reprise_error *error);
void rp_lock_free(rp_lock *lock);
void rp_lock_take(rp_lock *lock);
/* Returns false if the lock was not available before the deadline (in rp_now_ns). */
bool rp_lock_take_until(rp_lock *lock, uint64_t deadline_ns);
void rp_lock_leave(rp_lock *lock);

reprise_status rp_signal_init(rp_signal *signal, reprise_error *error);
void rp_signal_free(rp_signal *signal);
/* Wakes the waiting threads. The lock may be held or not. */
void rp_signal_give(rp_signal *signal);
/* Releases the lock, waits and takes the lock again. Returns false if the deadline has passed. */
bool rp_signal_wait(rp_signal *signal, rp_lock *lock, uint64_t deadline_ns);

reprise_status rp_bell_init(rp_bell *bell, reprise_error *error);
void rp_bell_free(rp_bell *bell);
/* Wakes the listening thread. Has no effect if none is listening. */
void rp_bell_ring(rp_bell *bell);
/* Starts listening. Check the reason to wait once more before waiting. */
void rp_bell_listen(rp_bell *bell);
/* Returns false if the deadline has passed. Wakeups may be spurious. */
bool rp_bell_wait(rp_bell *bell, uint64_t deadline_ns);

reprise_status rp_thread_start(rp_thread *thread, void *(*run)(void *ctx), void *ctx,
                               reprise_error *error);
/* Waits for the thread to end. Does nothing if it was never started. */
void rp_thread_join(rp_thread *thread);

#endif
