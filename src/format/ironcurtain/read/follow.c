/* follow.c - see follow.h. */
#include "follow.h"

reprise_status ic_follow_open(ic_follower *f, ic_replay *replay, uint64_t others, bool has_state,
                              const reprise_ic_simulation *simulation, reprise_error *error)
{
    rp_selection selection = {.tracks = others | UINT64_C(1) << IC_T_TICKS};
    rp_decoder *decoder = NULL;
    *f = (ic_follower){.has_state = has_state};
    if (has_state)
        RP_TRY(ic_simulation_init(&f->host, replay->base.context, simulation, error));
    RP_TRY(rp_decoder_open(&replay->base, selection, &decoder, error));
    f->decoder = (ic_decoder *)decoder;
    return REPRISE_OK;
}

void ic_follow_close(ic_follower *f)
{
    ic_simulation_free(&f->host);
    rp_decoder_close(f->decoder ? &f->decoder->base : NULL);
    f->decoder = NULL;
}

reprise_status ic_follow_restore(ic_follower *f, size_t keyframe, reprise_error *error)
{
    ic_loader *loader = &f->decoder->loader;
    f->tick = loader->replay->pieces[IC_KEYFRAMES].items[keyframe].tick;
    f->gap = false;
    if (!f->has_state)
        return REPRISE_OK;
    RP_TRY(ic_loader_load(loader, keyframe, error));
    ic_snapshot state = ic_loader_snapshot(loader);
    return ic_simulation_restore(&f->host, &state, error);
}

reprise_status ic_follow_frame(ic_follower *f, const ic_frame **ret_frame, reprise_error *error)
{
    ic_decoder *d = f->decoder;
    RP_TRY(ic_reach_frame(d, f->tick, error));
    *ret_frame = d->frames.waiting && d->frames.tick == f->tick ? &d->frame : NULL;
    return REPRISE_OK;
}

reprise_status ic_follow_apply(ic_follower *f, const ic_frame *frame, reprise_error *error)
{
    const ic_replay *replay = f->decoder->replay;
    if (f->has_state)
        RP_TRY(ic_simulation_apply(&f->host, f->tick, frame ? &frame->orders : NULL, error));
    f->tick++;
    f->gap |= !frame;
    if (!f->gap)
        return REPRISE_OK;
    size_t keyframe = ic_keyframe_at(replay, f->tick);
    bool here = replay->pieces[IC_KEYFRAMES].items[keyframe].tick == f->tick;
    return here ? ic_follow_restore(f, keyframe, error) : REPRISE_OK;
}
