/* again.c - see again.h. */
#include "again.h"

#include "can_simulate.h"

reprise_status ic_again_init(ic_again *again, ic_replay *replay, reprise_error *error)
{
    const char *reason = NULL;
    *again = (ic_again){.lost = true};
    RP_TRY(ic_unplayable(replay, NULL, &reason, error));
    if (reason)
        return REPRISE_OK;
    RP_TRY(ic_follow_open(&again->follow, replay, 0, true, NULL, error));
    again->lost = !again->follow.host.calls->snapshot || !replay->pieces[IC_KEYFRAMES].count;
    return again->lost ? REPRISE_OK : ic_follow_restore(&again->follow, 0, error);
}

void ic_again_free(ic_again *again)
{
    ic_follow_close(&again->follow);
}

/* Whether this is the state that was recorded. */
static reprise_status confirm(ic_again *again, bool *ret_same, reprise_error *error)
{
    ic_follower *f = &again->follow;
    const ic_frame *frame = NULL;
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_follow_frame(f, &frame, error));
    if (!frame || f->gap)
        return REPRISE_OK;
    RP_TRY(ic_simulation_hash(&f->host, hash, error));
    *ret_same = frame->state_hash == ic_sync_hash(hash);
    again->checked = frame->state_hash != 0;
    return REPRISE_OK;
}

reprise_status ic_again_reach(ic_again *again, uint64_t tick, const ic_core **ret_core,
                              reprise_error *error)
{
    ic_follower *f = &again->follow;
    const ic_frame *frame = NULL;
    bool same = false;
    *ret_core = NULL;
    again->checked = false;
    if (again->lost)
        return REPRISE_OK;
    const ic_replay *replay = f->decoder->replay;
    size_t keyframe = ic_keyframe_at(replay, tick);
    if (replay->pieces[IC_KEYFRAMES].items[keyframe].tick > f->tick)
        RP_TRY(ic_follow_restore(f, keyframe, error));
    /* Ticks without frames may be millions; a state behind them would be wrong anyway. */
    while (f->tick < tick && !f->gap) {
        RP_TRY(ic_follow_frame(f, &frame, error));
        f->gap = !frame;
        if (frame)
            RP_TRY(ic_follow_apply(f, frame, error));
    }
    RP_TRY(confirm(again, &same, error));
    if (!same)
        return REPRISE_OK;
    RP_TRY(ic_simulation_snapshot(&f->host, &again->reached, error));
    *ret_core = &again->reached.core;
    return REPRISE_OK;
}
