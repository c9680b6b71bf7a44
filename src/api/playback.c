/* playback.c - live.h: playback. */
#include "handle.h"
#include "ironcurtain/import/import.h"
#include "ironcurtain/live/player.h"

struct reprise_ic_playback {
    reprise_replay *handle;
    ic_playback player;
};

/* The match of a replay, or of the orders that another game recorded. */
static reprise_status open_match(reprise_replay *handle, ic_match **ret_match, reprise_error *error)
{
    rp_replay *replay = rp_use(handle);
    if (strcmp(replay->format->name, "icrep") == 0)
        return ic_playback_match((ic_replay *)replay, ret_match, error);
    if (replay->format->foreign)
        return ic_foreign_match_open(replay, ret_match, error);
    return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s files have no orders to play",
                        replay->format->name);
}

reprise_status reprise_ic_playback_new(reprise_replay *handle,
                                       const reprise_ic_playback_options *options,
                                       reprise_ic_playback **ret_player, reprise_error *error)
{
    RP_ENTER(error, handle && ret_player);
    ic_match *match = NULL;
    RP_TRY(open_match(handle, &match, error));
    reprise_ic_playback *p = rp_alloc_zero(&handle->context, 1, sizeof *p, error);
    if (!p) {
        ic_match_close(match);
        return error->status;
    }
    p->handle = rp_retain(handle);
    if (ic_playback_init(&p->player, match, options, error) != REPRISE_OK) {
        reprise_ic_playback_free(p);
        return error->status;
    }
    *ret_player = p;
    return REPRISE_OK;
}

void reprise_ic_playback_free(reprise_ic_playback *p)
{
    if (!p)
        return;
    ic_playback_free(&p->player);
    reprise_replay *handle = p->handle;
    rp_free(&handle->context, p, sizeof *p);
    rp_release(handle);
}

uint64_t reprise_ic_playback_tick(const reprise_ic_playback *p)
{
    if (!p)
        return 0;
    return p->player.driver.tick;
}

uint64_t reprise_ic_playback_length(const reprise_ic_playback *p)
{
    if (!p)
        return 0;
    return p->player.match->total_ticks;
}

bool reprise_ic_playback_has_state(const reprise_ic_playback *p)
{
    if (!p)
        return false;
    return p->player.driver.has_state;
}

const char *reprise_ic_playback_no_state_reason(const reprise_ic_playback *p)
{
    if (!p)
        return NULL;
    return p->player.no_state;
}

reprise_status reprise_ic_playback_peek(reprise_ic_playback *p, const reprise_ic_frame **ret_frame,
                                        reprise_error *error)
{
    RP_ENTER(error, p && ret_frame);
    return ic_playback_peek(&p->player, ret_frame, error);
}

reprise_status reprise_ic_playback_poll(reprise_ic_playback *p, const reprise_ic_frame **ret_frame,
                                        reprise_error *error)
{
    RP_ENTER(error, p);
    return ic_playback_poll(&p->player, ret_frame, error);
}

reprise_status reprise_ic_playback_seek(reprise_ic_playback *p, uint64_t tick, reprise_error *error)
{
    RP_ENTER(error, p);
    return ic_playback_seek(&p->player, tick, error);
}

reprise_status reprise_ic_playback_state(reprise_ic_playback *p, reprise_ic_snapshot *ret_snapshot,
                                         reprise_error *error)
{
    RP_ENTER(error, p && ret_snapshot);
    if (!p->player.driver.has_state)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "this replay has only orders, no states");
    return ic_simulation_snapshot(&p->player.driver.simulation, ret_snapshot, error);
}

reprise_status reprise_ic_playback_get_divergence(const reprise_ic_playback *p,
                                                  reprise_ic_divergence *ret_divergence,
                                                  reprise_error *error)
{
    RP_ENTER(error, p && ret_divergence);
    return rp_give_struct(ret_divergence, &p->player.divergence, sizeof *ret_divergence, error);
}

reprise_status reprise_ic_playback_set_speed(reprise_ic_playback *p, double speed,
                                             reprise_error *error)
{
    RP_ENTER(error, p);
    return ic_pacer_set_speed(&p->player.pacer, speed)
               ? REPRISE_OK
               : rp_error_set(error, REPRISE_E_USAGE,
                              "speed %g is not 0 or a multiple of 0.25 up to 8", speed);
}

double reprise_ic_playback_speed(const reprise_ic_playback *p)
{
    if (!p)
        return 0;
    return p->player.pacer.quarters / 4.0;
}

void reprise_ic_playback_pause(reprise_ic_playback *p, bool paused)
{
    if (!p)
        return;
    p->player.pacer.paused = paused;
}

bool reprise_ic_playback_is_paused(const reprise_ic_playback *p)
{
    if (!p)
        return false;
    return p->player.pacer.paused;
}

uint32_t reprise_ic_playback_tick_us(const reprise_ic_playback *p)
{
    if (!p)
        return 0;
    return p->player.pacer.tick_us;
}

uint64_t reprise_ic_playback_due(reprise_ic_playback *p, uint64_t now_us)
{
    if (!p)
        return 0;
    return ic_pacer_due(&p->player.pacer, now_us);
}

reprise_status reprise_ic_playback_branch(reprise_ic_playback *p, uint64_t tick, uint32_t slot,
                                          const char **ret_metadata, reprise_error *error)
{
    RP_ENTER(error, p && ret_metadata);
    return ic_playback_branch(&p->player, tick, slot, ret_metadata, error);
}
