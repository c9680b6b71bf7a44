/*
 * simulate.c - verifying by playing everything again: every frame's hash against the state the
 * simulation has reached, and the state at the end (chapter 10, point 7).
 */
#include "host.h"
#include "read.h"

typedef struct playing {
    ic_replay *replay;
    ic_decoder *decoder;
    ic_loader loader;
    ic_host host;
    size_t keyframe; /* next to resynchronise at */
    uint64_t tick;   /* of the simulation's state */
    uint64_t compared, mismatches, gaps;
    uint64_t first_mismatch;
    bool in_gap; /* what follows a missing frame cannot be right */
    reprise_error *error;
} playing;

/* After a gap the next keyframe puts things right again. */
static reprise_status resynchronise(playing *p)
{
    const ic_pieces *list = &p->replay->pieces[IC_KEYFRAMES];
    while (p->keyframe < list->count && list->items[p->keyframe].tick < p->tick)
        p->keyframe++;
    if (!p->in_gap || p->keyframe == list->count || list->items[p->keyframe].tick != p->tick)
        return REPRISE_OK;
    RP_TRY(ic_loader_load(&p->loader, p->keyframe, p->error));
    ic_snapshot state = ic_loader_snapshot(&p->loader);
    p->in_gap = false;
    return ic_host_restore(&p->host, &state, p->error);
}

static reprise_status compare(playing *p, uint64_t recorded)
{
    uint8_t hash[IC_HASH_SIZE];
    RP_TRY(ic_host_hash(&p->host, hash, p->error));
    p->compared++;
    if (ic_sync_hash(hash) == recorded)
        return REPRISE_OK;
    if (!p->mismatches++) {
        p->first_mismatch = p->tick;
        rp_fault(&p->replay->base.findings, REPRISE_E_CORRUPT, "icrep.desync", "orders", 0, "",
                 "tick %llu: played again the state is %016llx, recorded was %016llx",
                 (unsigned long long)p->tick, (unsigned long long)ic_sync_hash(hash),
                 (unsigned long long)recorded);
    }
    return REPRISE_OK;
}

/* Ticks without a frame are played without orders. */
static reprise_status skip_to(playing *p, uint64_t tick)
{
    while (p->tick < tick) {
        p->gaps += !p->in_gap;
        p->in_gap = true;
        RP_TRY(ic_host_apply(&p->host, p->tick, NULL, p->error));
        p->tick++;
        RP_TRY(resynchronise(p));
    }
    return REPRISE_OK;
}

static reprise_status play_frames(playing *p)
{
    ic_decoder *d = p->decoder;
    while (true) {
        RP_TRY(rp_progress(p->replay->base.context, p->tick, p->replay->total_ticks, p->error));
        RP_TRY(ic_next_frame(d, p->error));
        if (d->frames.ended)
            return skip_to(p, p->replay->total_ticks);
        RP_TRY(skip_to(p, d->frame.tick));
        if (!p->in_gap)
            RP_TRY(compare(p, d->frame.state_hash));
        RP_TRY(ic_host_apply(&p->host, p->tick, &d->frame.orders, p->error));
        p->tick++;
        RP_TRY(resynchronise(p));
    }
}

static reprise_status compare_end(playing *p, rp_doc *doc, reprise_value *summary)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    const uint8_t *final = p->replay->header.final_state_hash;
    uint8_t hash[IC_HASH_SIZE];
    if (p->in_gap || memcmp(final, unknown, sizeof unknown) == 0)
        return REPRISE_OK;
    RP_TRY(ic_host_hash(&p->host, hash, p->error));
    bool same = memcmp(final, hash, sizeof hash) == 0;
    rp_set_bool(doc, summary, "final_state_matches", same);
    if (!same && !p->mismatches)
        rp_fault(&p->replay->base.findings, REPRISE_E_CORRUPT, "icrep.desync", "orders", 0, "",
                 "tick %llu: played again the match ends in another state",
                 (unsigned long long)p->tick);
    return REPRISE_OK;
}

static reprise_status play(playing *p, rp_doc *doc, reprise_value *summary)
{
    RP_TRY(ic_loader_load(&p->loader, 0, p->error));
    ic_snapshot start = ic_loader_snapshot(&p->loader);
    RP_TRY(ic_host_restore(&p->host, &start, p->error));
    RP_TRY(play_frames(p));
    RP_TRY(compare_end(p, doc, summary));
    rp_set_uint(doc, summary, "ticks", p->tick);
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
    if (replay->imported) {
        rp_note(&replay->base.findings, REPRISE_NOTE, "icrep.not-simulated", "file", 0, "",
                "imported from another game: there is nothing to play it with");
        return REPRISE_OK;
    }
    playing p = {.replay = replay, .error = error};
    rp_selection frames = {.tracks = UINT64_C(1) << IC_T_TICKS};
    rp_decoder *decoder = NULL;
    reprise_status status = rp_decoder_open(&replay->base, frames, &decoder, error);
    p.decoder = (ic_decoder *)decoder;
    if (status == REPRISE_OK)
        status = ic_loader_init(&p.loader, replay, error);
    if (status == REPRISE_OK)
        status = ic_host_init(&p.host, replay->base.context, NULL, error);
    if (status == REPRISE_OK)
        status = play(&p, doc, rp_set_object(doc, summary, "simulation"));
    ic_host_free(&p.host);
    ic_loader_free(&p.loader);
    rp_decoder_close(decoder);
    return status;
}
