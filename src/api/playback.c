/* playback.c - the functions of reprise/ironcurtain/live.h: playing. */
#include "import.h"
#include "ironcurtain/live/player.h"

struct reprise_ic_playback {
    reprise_replay *handle;
    rp_context *context;
    ic_playback player;
    /* a replay of another game, as it would be imported */
    rp_writer imported;
    rp_source *source;
    rp_replay *replay;
};

/* What another game recorded is translated in memory: playing it is playing what an import gives.
 */
static reprise_status open_foreign(reprise_ic_playback *p, reprise_replay *handle,
                                   reprise_error *error)
{
    rp_sink *sink = NULL;
    rp_doc doc = rp_new_answer(handle, error);
    const reprise_ic_import_options options = {.struct_size = sizeof options, .lossless = true};
    rp_writer_init(&p->imported, p->context, UINT32_MAX, error);
    RP_TRY(rp_sink_open_memory(p->context, &p->imported, &sink, error));
    reprise_status status = rp_import(handle, &options, REPRISE_LEVEL_FASTEST, sink, &doc,
                                      rp_new_object(&doc), error);
    rp_sink_close(sink);
    RP_TRY(status);
    RP_TRY(
        rp_source_open_memory(p->context, p->imported.data, p->imported.size, &p->source, error));
    return rp_replay_open(p->context, p->source, "icrep", NULL, &p->replay, error);
}

reprise_status reprise_ic_playback_new(reprise_replay *handle,
                                       const reprise_ic_playback_options *options,
                                       reprise_ic_playback **ret_player, reprise_error *error)
{
    RP_ENTER(error, handle && ret_player);
    bool native = strcmp(handle->replay->format->name, "icrep") == 0;
    if (!native && !handle->replay->format->foreign)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "%s files cannot be played",
                            handle->replay->format->name);
    reprise_ic_playback *p = rp_alloc_zero(&handle->context, 1, sizeof *p, error);
    if (!p)
        return error->status;
    p->handle = rp_retain(handle);
    p->context = &handle->context;
    reprise_status status = native ? REPRISE_OK : open_foreign(p, handle, error);
    rp_replay *replay = native ? handle->replay : p->replay;
    if (status == REPRISE_OK)
        status = ic_playback_init(&p->player, (ic_replay *)replay, options, error);
    if (status != REPRISE_OK) {
        reprise_ic_playback_free(p);
        return status;
    }
    *ret_player = p;
    return REPRISE_OK;
}

void reprise_ic_playback_free(reprise_ic_playback *p)
{
    if (!p)
        return;
    ic_playback_free(&p->player);
    rp_replay_close(p->replay);
    rp_source_close(p->source);
    if (p->imported.context)
        rp_writer_free(&p->imported);
    reprise_replay *handle = p->handle;
    rp_free(&handle->context, p, sizeof *p);
    rp_release(handle);
}

uint64_t reprise_ic_playback_tick(const reprise_ic_playback *p)
{
    if (!p)
        return 0;
    return p->player.follow.tick;
}

uint64_t reprise_ic_playback_length(const reprise_ic_playback *p)
{
    if (!p)
        return 0;
    return p->player.replay->total_ticks;
}

bool reprise_ic_playback_has_state(const reprise_ic_playback *p)
{
    if (!p)
        return false;
    return p->player.follow.has_state;
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
    if (!p->player.follow.has_state)
        return rp_error_set(error, REPRISE_E_UNSUPPORTED, "this replay has orders only");
    return ic_simulation_snapshot(&p->player.follow.host, ret_snapshot, error);
}

void reprise_ic_playback_divergence(const reprise_ic_playback *p,
                                    reprise_ic_divergence *ret_divergence)
{
    if (!p || !ret_divergence)
        return;
    *ret_divergence = p->player.divergence;
}

reprise_status reprise_ic_playback_set_speed(reprise_ic_playback *p, double speed,
                                             reprise_error *error)
{
    RP_ENTER(error, p);
    return ic_pacer_set_speed(&p->player.pacer, speed)
               ? REPRISE_OK
               : rp_error_set(error, REPRISE_E_USAGE,
                              "speeds are quarters from 0.25 to 8, or 0 for as fast as possible");
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
