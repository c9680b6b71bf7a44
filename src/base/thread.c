/* thread.c - see thread.h. */
#define _GNU_SOURCE /* pthread_mutex_clocklock, sem_clockwait */
#include "thread.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum { SECOND_NS = 1000000000 };

static reprise_status failed(reprise_error *error, const char *what, int cause)
{
    rp_error_set(error, REPRISE_E_NOMEM, "cannot make a %s: %s", what, strerror(cause));
    error->cause = cause;
    return error->status;
}

uint64_t rp_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

static struct timespec moment(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
}

reprise_status rp_lock_init(rp_lock *lock, reprise_error *error)
{
    int cause = pthread_mutex_init(&lock->mutex, NULL);
    return cause ? failed(error, "lock", cause) : REPRISE_OK;
}

void rp_lock_free(rp_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

void rp_lock_take(rp_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

bool rp_lock_take_until(rp_lock *lock, uint64_t deadline_ns)
{
    struct timespec until = moment(deadline_ns);
    return pthread_mutex_clocklock(&lock->mutex, CLOCK_MONOTONIC, &until) == 0;
}

void rp_lock_leave(rp_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

reprise_status rp_signal_init(rp_signal *signal, reprise_error *error)
{
    pthread_condattr_t attributes;
    int cause = pthread_condattr_init(&attributes);
    if (cause)
        return failed(error, "signal", cause);
    cause = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (!cause)
        cause = pthread_cond_init(&signal->condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return cause ? failed(error, "signal", cause) : REPRISE_OK;
}

void rp_signal_free(rp_signal *signal)
{
    pthread_cond_destroy(&signal->condition);
}

void rp_signal_give(rp_signal *signal)
{
    pthread_cond_broadcast(&signal->condition);
}

bool rp_signal_wait(rp_signal *signal, rp_lock *lock, uint64_t deadline_ns)
{
    struct timespec until = moment(deadline_ns);
    return pthread_cond_timedwait(&signal->condition, &lock->mutex, &until) == 0;
}

reprise_status rp_bell_init(rp_bell *bell, reprise_error *error)
{
    atomic_init(&bell->awaited, false);
    return sem_init(&bell->rung, 0, 0) == 0 ? REPRISE_OK : failed(error, "bell", errno);
}

void rp_bell_free(rp_bell *bell)
{
    sem_destroy(&bell->rung);
}

void rp_bell_ring(rp_bell *bell)
{
    if (atomic_load(&bell->awaited) && atomic_exchange(&bell->awaited, false))
        sem_post(&bell->rung);
}

void rp_bell_listen(rp_bell *bell)
{
    atomic_store(&bell->awaited, true);
}

bool rp_bell_wait(rp_bell *bell, uint64_t deadline_ns)
{
    struct timespec until = moment(deadline_ns);
    return sem_clockwait(&bell->rung, CLOCK_MONOTONIC, &until) == 0 || errno != ETIMEDOUT;
}

reprise_status rp_thread_start(rp_thread *thread, void *(*run)(void *ctx), void *ctx,
                               reprise_error *error)
{
    int cause = pthread_create(&thread->thread, NULL, run, ctx);
    if (cause)
        return failed(error, "thread", cause);
    thread->running = true;
    return REPRISE_OK;
}

void rp_thread_join(rp_thread *thread)
{
    if (!thread->running)
        return;
    pthread_join(thread->thread, NULL);
    thread->running = false;
}
