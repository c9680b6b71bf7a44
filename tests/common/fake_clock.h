/*
 * fake_clock.h - a clock for tests of threads that wait with deadlines: time passes only when it is
 * read or waited for, so that a busy machine changes nothing.
 *
 * The functions here take the place of those of src/base/thread.h: a program that includes this is
 * linked with the shared library of all layers, whose calls go to the program's own. Each thread
 * has a time of its own. The first thread is never late, except while `clock_is_stuck` is set: then
 * nobody rings, and its waiting ends at once with the deadline. Other threads poll. `clock_jump_ns`
 * is how far time jumps at every hundredth reading, as after a suspension.
 */
#ifndef FAKE_CLOCK_H
#define FAKE_CLOCK_H

#include <sched.h>

#include "thread.h"

enum { CLOCK_STEP_NS = 100000 };

static atomic_bool clock_is_stuck;
static _Atomic uint64_t clock_jump_ns;
static _Thread_local unsigned clock_readings;
static _Thread_local uint64_t clock_ns = UINT64_C(1000000000);
static _Thread_local bool clock_is_first;

uint64_t rp_now_ns(void)
{
    if (clock_jump_ns && ++clock_readings % 100 == 0)
        clock_ns += clock_jump_ns;
    return clock_ns += CLOCK_STEP_NS;
}

bool rp_lock_take_until(rp_lock *lock, uint64_t deadline_ns)
{
    (void)deadline_ns;
    rp_lock_take(lock);
    return true;
}

bool rp_bell_wait(rp_bell *bell, uint64_t deadline_ns)
{
    bool rung = false;
    while (!(rung = sem_trywait(&bell->rung) == 0) && clock_is_first && !clock_is_stuck)
        sched_yield();
    if (!rung) {
        sched_yield();
        clock_ns = clock_ns > deadline_ns ? clock_ns : deadline_ns;
    }
    return rung;
}

#endif
