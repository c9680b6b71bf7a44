/* driver.c - see driver.h and match.h. */
#include "driver.h"

/* ---- matches ---- */

void ic_match_close(ic_match *match)
{
    if (!match)
        return;
    rp_vector_free(match->context, &match->foreign_hashes, sizeof(ic_foreign_hash));
    if (match->close)
        match->close(match);
}

size_t ic_match_keyframe(const ic_match *match, uint64_t tick)
{
    size_t low = 0, high = match->keyframe_count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (match->keyframe_tick(match, middle) <= tick)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t ic_match_next_keyframe(const ic_match *match, uint64_t tick)
{
    size_t next = ic_match_keyframe(match, tick);
    if (next < match->keyframe_count && match->keyframe_tick(match, next) <= tick)
        next++;
    return next < match->keyframe_count ? match->keyframe_tick(match, next) : match->total_ticks;
}

bool ic_match_has_keyframe(const ic_match *match, uint64_t tick)
{
    size_t keyframe = ic_match_keyframe(match, tick);
    return keyframe < match->keyframe_count && match->keyframe_tick(match, keyframe) == tick;
}

uint64_t ic_match_recorded(const ic_match *match, uint64_t tick, const ic_frame *frame)
{
    const ic_foreign_hash *hashes = match->foreign_hashes.items;
    size_t low = 0, high = match->foreign_hashes.count;
    if (frame && frame->state_hash)
        return frame->state_hash;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hashes[middle].tick < tick)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < match->foreign_hashes.count && hashes[low].tick == tick;
    return found ? hashes[low].value : 0;
}

/* ---- opening ---- */

reprise_status ic_driver_open(ic_driver *d, ic_match *match, bool has_state,
                              const reprise_ic_simulation *given, reprise_error *error)
{
    *d = (ic_driver){.match = match, .has_state = has_state};
    return has_state ? ic_simulation_init(&d->simulation, match->context, given, error)
                     : REPRISE_OK;
}

void ic_driver_close(ic_driver *d)
{
    ic_simulation_free(&d->simulation);
    ic_match_close(d->match);
    d->match = NULL;
}

/* ---- steps ---- */

reprise_status ic_driver_restore(ic_driver *d, size_t keyframe, reprise_error *error)
{
    ic_snapshot state;
    d->tick = d->match->keyframe_tick(d->match, keyframe);
    d->gap = false;
    if (!d->has_state)
        return REPRISE_OK;
    RP_TRY(d->match->load(d->match, keyframe, &state, error));
    return ic_simulation_restore(&d->simulation, &state, error);
}

reprise_status ic_driver_frame(ic_driver *d, const ic_frame **ret_frame, reprise_error *error)
{
    return d->match->frame(d->match, d->tick, ret_frame, error);
}

reprise_status ic_driver_play(ic_driver *d, const ic_frame *frame, reprise_error *error)
{
    if (d->has_state)
        RP_TRY(ic_simulation_apply(&d->simulation, d->tick, frame ? &frame->orders : NULL, error));
    d->tick++;
    d->gap |= !frame;
    if (!d->gap || !ic_match_has_keyframe(d->match, d->tick))
        return REPRISE_OK;
    return ic_driver_restore(d, ic_match_keyframe(d->match, d->tick), error);
}

/* A complete state hash is recorded for the end only. */
reprise_status ic_driver_recorded(ic_driver *d, ic_comparison *ret, reprise_error *error)
{
    const ic_match *match = d->match;
    const ic_frame *frame = NULL;
    bool at_end = d->tick >= match->total_ticks;
    *ret = (ic_comparison){0};
    if (!d->has_state || d->gap)
        return REPRISE_OK;
    if (!at_end)
        RP_TRY(ic_driver_frame(d, &frame, error));
    ret->complete = at_end ? match->final_hash : NULL;
    ret->recorded = ret->complete ? ic_sync_hash(ret->complete)
                                  : ic_match_recorded(match, d->tick, frame);
    ret->known = ret->complete || (match->imported ? ret->recorded != 0 : frame != NULL);
    return REPRISE_OK;
}

void ic_comparison_end(ic_comparison *c, const uint8_t hash[IC_HASH_SIZE])
{
    memcpy(c->hash, hash, sizeof c->hash);
    c->ours = ic_sync_hash(hash);
    c->same = c->complete ? memcmp(c->complete, hash, sizeof c->hash) == 0 : c->ours == c->recorded;
}

reprise_status ic_driver_compare(ic_driver *d, ic_comparison *ret, reprise_error *error)
{
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_driver_recorded(d, ret, error));
    if (!ret->known)
        return REPRISE_OK;
    RP_TRY(ic_simulation_hash(&d->simulation, hash, error));
    ic_comparison_end(ret, hash);
    return REPRISE_OK;
}

/* ---- several ticks ---- */

reprise_status ic_driver_reach(ic_driver *d, uint64_t tick, reprise_error *error)
{
    const ic_frame *frame = NULL;
    size_t keyframe = ic_match_keyframe(d->match, tick);
    if (d->match->keyframe_tick(d->match, keyframe) > d->tick)
        RP_TRY(ic_driver_restore(d, keyframe, error));
    while (d->tick < tick && !d->gap) {
        RP_TRY(ic_driver_frame(d, &frame, error));
        d->gap = !frame;
        if (frame)
            RP_TRY(ic_driver_play(d, frame, error));
    }
    return REPRISE_OK;
}

reprise_status ic_driver_seek(ic_driver *d, uint64_t tick, reprise_error *error)
{
    const ic_frame *frame = NULL;
    RP_TRY(d->match->seek(d->match, tick, error));
    RP_TRY(ic_driver_restore(d, ic_match_keyframe(d->match, tick), error));
    if (!d->has_state)
        d->tick = tick;
    while (d->tick < tick) {
        RP_TRY(ic_driver_frame(d, &frame, error));
        RP_TRY(ic_driver_play(d, frame, error));
    }
    return REPRISE_OK;
}

reprise_status ic_driver_skip_gap(ic_driver *d, reprise_error *error)
{
    size_t next = ic_match_keyframe(d->match, d->tick) + 1;
    if (next < d->match->keyframe_count)
        return ic_driver_restore(d, next, error);
    d->tick = d->match->total_ticks;
    d->gap = true;
    return REPRISE_OK;
}
