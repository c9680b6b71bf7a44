/* again.c - see again.h. */
#include "again.h"

static reprise_status restore(ic_again *again, size_t keyframe, reprise_error *error)
{
    RP_TRY(ic_loader_load(&again->loader, keyframe, error));
    ic_snapshot state = ic_loader_snapshot(&again->loader);
    again->tick = state.core.tick;
    again->gap = false;
    return ic_host_restore(&again->host, &state, error);
}

reprise_status ic_again_init(ic_again *again, ic_replay *replay, reprise_error *error)
{
    *again = (ic_again){.lost = replay->imported};
    if (again->lost)
        return REPRISE_OK;
    rp_selection ticks = {.tracks = UINT64_C(1) << IC_T_TICKS};
    RP_TRY(rp_decoder_open(&replay->base, ticks, &again->frames, error));
    RP_TRY(ic_loader_init(&again->loader, replay, error));
    RP_TRY(ic_host_init(&again->host, replay->base.context, NULL, error));
    again->lost = !again->host.calls->snapshot || !replay->pieces[IC_KEYFRAMES].count;
    return again->lost ? REPRISE_OK : restore(again, 0, error);
}

void ic_again_free(ic_again *again)
{
    ic_host_free(&again->host);
    ic_loader_free(&again->loader);
    rp_decoder_close(again->frames);
}

/* The frame of a tick, if it is there. */
static reprise_status find_frame(ic_again *again, uint64_t tick, const ic_frame **ret_frame,
                                 reprise_error *error)
{
    ic_decoder *d = (ic_decoder *)again->frames;
    RP_TRY(ic_reach_frame(d, tick, error));
    again->gap = !d->frames.waiting || d->frames.tick != tick;
    *ret_frame = &d->frame;
    return REPRISE_OK;
}

/* Whether this is the state that was recorded. */
static reprise_status confirm(ic_again *again, bool *ret_same, reprise_error *error)
{
    const ic_frame *frame = NULL;
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(find_frame(again, again->tick, &frame, error));
    if (again->gap)
        return REPRISE_OK;
    RP_TRY(ic_host_hash(&again->host, hash, error));
    *ret_same = frame->state_hash == ic_sync_hash(hash);
    again->checked = frame->state_hash != 0;
    return REPRISE_OK;
}

static reprise_status play_to(ic_again *again, uint64_t tick, reprise_error *error)
{
    const ic_frame *frame = NULL;
    while (again->tick < tick) {
        RP_TRY(find_frame(again, again->tick, &frame, error));
        if (again->gap)
            return REPRISE_OK;
        RP_TRY(ic_host_apply(&again->host, again->tick, &frame->orders, error));
        again->tick++;
    }
    return REPRISE_OK;
}

reprise_status ic_again_reach(ic_again *again, uint64_t tick, const ic_core **ret_core,
                              reprise_error *error)
{
    *ret_core = NULL;
    again->checked = false;
    if (again->lost)
        return REPRISE_OK;
    size_t keyframe = ic_keyframe_at(again->loader.replay, tick);
    bool same = false;
    if (again->loader.replay->pieces[IC_KEYFRAMES].items[keyframe].tick > again->tick)
        RP_TRY(restore(again, keyframe, error));
    if (!again->gap)
        RP_TRY(play_to(again, tick, error));
    if (!again->gap)
        RP_TRY(confirm(again, &same, error));
    if (!same)
        return REPRISE_OK;
    RP_TRY(ic_host_snapshot(&again->host, &again->reached, error));
    *ret_core = &again->reached.core;
    return REPRISE_OK;
}
