/*
 * pacing.c - computes when ticks are due. The rest of a tick is kept as an integer and added to the
 * next, so there is no drift over hours.
 */
#include "player.h"
#include "whole.h"

enum { QUARTERS = 4, QUARTERS_MAX = 32 };

void ic_pacer_init(ic_pacer *pacer, uint32_t tick_us)
{
    *pacer = (ic_pacer){.tick_us = tick_us, .quarters = QUARTERS};
}

bool ic_pacer_set_speed(ic_pacer *pacer, double speed)
{
    double quarters = speed * QUARTERS;
    if (!(quarters >= 0 && quarters <= QUARTERS_MAX) || quarters != (double)rp_whole_u32(quarters))
        return false;
    pacer->quarters = rp_whole_u32(quarters);
    return true;
}

uint64_t ic_pacer_due(ic_pacer *pacer, uint64_t now_us)
{
    enum { GAP_US = 1000000 }; /* do not catch up after the program was suspended */
    uint64_t passed = pacer->started && now_us > pacer->last_us ? now_us - pacer->last_us : 0;
    pacer->started = true;
    pacer->last_us = now_us;
    if (pacer->paused)
        return 0;
    if (!pacer->quarters)
        return UINT64_MAX;
    pacer->waiting += RP_MIN(passed, (uint64_t)GAP_US) * pacer->quarters;
    uint64_t tick = (uint64_t)pacer->tick_us * QUARTERS;
    uint64_t due = pacer->waiting / tick;
    pacer->waiting %= tick;
    return due;
}
