/* trim.c - cuts a range of ticks out of a replay; write.h says what is kept. */
#include "write.h"

reprise_status ic_trim_init(ic_trim *cut, ic_replay *source, const rp_edit *edit,
                            reprise_error *error)
{
    cut->active = true;
    cut->first = (uint64_t)edit->index_from;
    cut->last = (uint64_t)edit->index_to;
    rp_arena_init(&cut->arena, source->base.context);
    RP_TRY(ic_loader_init(&cut->base, source, error));
    return ic_loader_init(&cut->now, source, error);
}

void ic_trim_free(ic_trim *cut)
{
    if (!cut->active)
        return;
    if (cut->base.replay)
        ic_loader_free(&cut->base);
    if (cut->now.replay)
        ic_loader_free(&cut->now);
    rp_arena_free(&cut->arena);
}

bool ic_trim_keeps(const ic_trim *cut, const rp_row *row)
{
    if (!cut->active)
        return true;
    uint64_t tick = (uint64_t)row->index;
    switch (row->track) {
    case IC_T_KEYFRAMES:
        /* The state after the last frame belongs to the result. */
        return !tick || (tick >= cut->first && tick <= cut->last + 1);
    case IC_T_SIGNATURES:
        return !cut->first && tick <= cut->last + 1;
    default:
        return tick >= cut->first && tick <= cut->last;
    }
}

static reprise_status write_full(ic_trim *cut, rp_writer *raw, reprise_error *error)
{
    ic_snapshot snapshot = ic_loader_snapshot(&cut->base);
    cut->rebased = true;
    rp_bincode_write(raw, &ic_snapshot_record, &snapshot);
    return error->status;
}

/* Campaign and script state are stored only when they change, so they may precede the cut. */
static reprise_status write_delta(ic_trim *cut, size_t index, rp_writer *raw, reprise_error *error)
{
    ic_core_delta core;
    RP_TRY(ic_loader_load(&cut->now, index, error));
    rp_arena_reset(&cut->arena);
    RP_TRY(ic_delta_build(&cut->base.now.core, cut->base.now.hash, &cut->now.now.core, &cut->arena,
                          &core, error));
    ic_delta delta = cut->now.delta;
    delta.core = core;
    rp_bincode_write(raw, &ic_delta_record, &delta);
    return error->status;
}

reprise_status ic_trim_keyframe(ic_trim *cut, size_t index, rp_writer *raw, bool *ret_made,
                                bool *ret_full, reprise_error *error)
{
    if (!cut->active || !cut->first)
        return REPRISE_OK;
    const ic_piece *piece = &cut->base.replay->pieces[IC_KEYFRAMES].items[index];
    if (piece->is_full && piece->tick > cut->first)
        cut->rebased = false;
    bool makes = piece->tick >= cut->first && !piece->is_full &&
                 (piece->tick == cut->first || cut->rebased);
    if (!makes)
        return REPRISE_OK;
    raw->error = error;
    rp_writer_clear(raw);
    *ret_made = true;
    *ret_full = piece->tick == cut->first;
    if (!*ret_full)
        return write_delta(cut, index, raw, error);
    RP_TRY(ic_loader_load(&cut->base, index, error));
    return write_full(cut, raw, error);
}
