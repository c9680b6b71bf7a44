/*
 * simulate.c - verifying by playing everything again: every frame's hash against the state the
 * simulation has reached, and the state at the end (chapter 10, point 7).
 */
#include "module.h"

typedef struct playing {
    ic_replay *replay;
    ic_follower follow;
    uint64_t compared, mismatches, gaps;
    uint64_t first_mismatch;
    reprise_error *error;
} playing;

static reprise_status compare(playing *p, uint64_t recorded)
{
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_host_hash(&p->follow.host, hash, p->error));
    p->compared++;
    if (ic_sync_hash(hash) == recorded)
        return REPRISE_OK;
    if (!p->mismatches++) {
        p->first_mismatch = p->follow.tick;
        rp_fault(&p->replay->base.findings, REPRISE_E_CORRUPT, "icrep.desync", "orders", 0, "",
                 "tick %llu: played again the state is %016llx, recorded was %016llx",
                 (unsigned long long)p->follow.tick, (unsigned long long)ic_sync_hash(hash),
                 (unsigned long long)recorded);
    }
    return REPRISE_OK;
}

static reprise_status play_frames(playing *p)
{
    const ic_frame *frame = NULL;
    while (p->follow.tick < p->replay->total_ticks) {
        RP_TRY(
            rp_progress(p->replay->base.context, p->follow.tick, p->replay->total_ticks, p->error));
        RP_TRY(ic_follow_frame(&p->follow, &frame, p->error));
        p->gaps += !frame && !p->follow.gap;
        /* What follows a missing frame cannot be right. */
        if (frame && !p->follow.gap)
            RP_TRY(compare(p, frame->state_hash));
        RP_TRY(ic_follow_apply(&p->follow, frame, p->error));
    }
    return REPRISE_OK;
}

static reprise_status compare_end(playing *p, rp_doc *doc, reprise_value *summary)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    const uint8_t *final = p->replay->header.final_state_hash;
    uint8_t hash[IC_HASH_SIZE];
    if (p->follow.gap || memcmp(final, unknown, sizeof unknown) == 0)
        return REPRISE_OK;
    RP_TRY(ic_host_hash(&p->follow.host, hash, p->error));
    bool same = memcmp(final, hash, sizeof hash) == 0;
    rp_set_bool(doc, summary, "final_state_matches", same);
    if (!same && !p->mismatches)
        rp_fault(&p->replay->base.findings, REPRISE_E_CORRUPT, "icrep.desync", "orders", 0, "",
                 "tick %llu: played again the match ends in another state",
                 (unsigned long long)p->follow.tick);
    return REPRISE_OK;
}

static reprise_status play(playing *p, rp_doc *doc, reprise_value *summary)
{
    RP_TRY(ic_follow_restore(&p->follow, 0, p->error));
    RP_TRY(play_frames(p));
    RP_TRY(compare_end(p, doc, summary));
    rp_set_uint(doc, summary, "ticks", p->follow.tick);
    rp_set_uint(doc, summary, "compared", p->compared);
    rp_set_uint(doc, summary, "mismatches", p->mismatches);
    if (p->mismatches)
        rp_set_uint(doc, summary, "first_mismatch", p->first_mismatch);
    rp_set_uint(doc, summary, "gaps", p->gaps);
    return doc->error->status;
}

reprise_status ic_simulate(ic_replay *replay, rp_doc *doc, reprise_value *summary,
                           reprise_error *error)
{
    const char *reason = NULL;
    RP_TRY(ic_unplayable(replay, NULL, &reason, error));
    if (reason) {
        rp_note(&replay->base.findings, REPRISE_NOTE, "icrep.not-simulated", "file", 0, "",
                "cannot be simulated here: %s", reason);
        return REPRISE_OK;
    }
    playing p = {.replay = replay, .error = error};
    reprise_status status = ic_follow_open(&p.follow, replay, 0, true, NULL, error);
    if (status == REPRISE_OK)
        status = play(&p, doc, rp_set_object(doc, summary, "simulation"));
    ic_follow_close(&p.follow);
    return status;
}
