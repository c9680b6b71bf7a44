/*
 * verify_orders.c - verification by re-simulation: compares the simulated states with the hash of
 * every frame, every signed hash, and the final state hash.
 */
#include "verify_orders.h"

#include <stdio.h>

#include "verify_parts.h"
#include "verify_states.h"

typedef struct playing {
    ic_replay *replay;
    const ic_chain *chain;
    size_t entry; /* first entry whose tick was not passed */
    ic_driver driver;
    ic_states states; /* of the driver's simulation */
    uint64_t compared, mismatches, gaps;
    bool parts_named; /* a keyframe after the first mismatch was compared */
    ic_replaying *ret;
    reprise_error *error;
} playing;

static void differs(playing *p, uint64_t tick, const uint8_t hash[IC_HASH_SIZE], uint64_t recorded,
                    bool from_signature)
{
    ic_replaying *ret = p->ret;
    if (p->mismatches++)
        return;
    ret->verdict = IC_ORDERS_DIVERGED;
    ret->diverged_at = tick;
    ret->from_signature = from_signature;
    ret->ours = ic_sync_hash(hash);
    ret->recorded = recorded;
    snprintf(ret->parts, sizeof ret->parts, "no later keyframe shows which part");
}

/* A frame's hash shows only that states differ; a keyframe shows in which parts. */
static reprise_status name_parts(playing *p, rp_doc *doc, reprise_value *summary)
{
    ic_driver *d = &p->driver;
    unsigned long long tick = d->tick;
    ic_replaying *ret = p->ret;
    ic_snapshot ours, recorded;
    char text[IC_PARTS_TEXT];
    if (p->parts_named || !ic_simulation_has_snapshots(&d->simulation) ||
        !ic_match_has_keyframe(d->match, d->tick))
        return REPRISE_OK;
    RP_TRY(ic_states_wait(&p->states, p->error));
    if (!p->mismatches)
        return REPRISE_OK;
    p->parts_named = true;
    RP_TRY(d->match->load(d->match, ic_match_keyframe(d->match, d->tick), &recorded, p->error));
    RP_TRY(ic_simulation_snapshot(&d->simulation, &ours, p->error));
    reprise_value *list = rp_set_array(doc, summary, "differing_parts");
    RP_TRY(ic_differing_parts(p->replay->base.context, &ours.core, &recorded.core, doc, list, text,
                              p->error));
    rp_set_uint(doc, summary, "compared_at", tick);
    if (reprise_value_count(list))
        rp_set_text(doc, summary, "first_part",
                    reprise_value_text(reprise_value_at(list, 0), NULL));
    if (*text)
        snprintf(ret->parts, sizeof ret->parts, "parts that differ at keyframe %llu: %s", tick,
                 text);
    else
        snprintf(ret->parts, sizeof ret->parts, "at keyframe %llu no part differs", tick);
    return REPRISE_OK;
}

/* The signed hash of the tick, or NULL. */
static const uint8_t *signed_hash(playing *p)
{
    const ic_chain *chain = p->chain;
    while (p->entry < chain->ascending && chain->entries[p->entry].tick < p->driver.tick)
        p->entry++;
    bool is_signed = p->entry < chain->ascending && chain->entries[p->entry].tick == p->driver.tick;
    return is_signed ? chain->entries[p->entry].state_hash : NULL;
}

static void compare_signed(playing *p, uint64_t tick, const uint8_t *wanted,
                           const uint8_t hash[IC_HASH_SIZE])
{
    if (!wanted)
        return;
    if (memcmp(wanted, hash, IC_HASH_SIZE) == 0)
        p->ret->signed_states++;
    else
        differs(p, tick, hash, ic_sync_hash(wanted), true);
}

static void compare(void *ctx, ic_state_asked *asked, const uint8_t hash[IC_HASH_SIZE])
{
    playing *p = ctx;
    ic_comparison_end(&asked->recorded, hash);
    if (asked->recorded.same)
        compare_signed(p, asked->tick, asked->wanted, hash);
    else
        differs(p, asked->tick, hash, asked->recorded.recorded, false);
}

static reprise_status compare_frame(playing *p)
{
    ic_state_asked asked = {.tick = p->driver.tick};
    RP_TRY(ic_driver_recorded(&p->driver, &asked.recorded, p->error));
    asked.wanted = signed_hash(p);
    p->compared++;
    return ic_states_add(&p->states, &asked, p->error);
}

static reprise_status play_frames(playing *p, rp_doc *doc, reprise_value *summary)
{
    const ic_frame *frame = NULL;
    ic_driver *d = &p->driver;
    while (d->tick < p->replay->total_ticks) {
        RP_TRY(rp_progress(p->replay->base.context, d->tick, p->replay->total_ticks, p->error));
        RP_TRY(ic_driver_frame(d, &frame, p->error));
        if (!frame) {
            p->gaps++;
            RP_TRY(ic_states_wait(&p->states, p->error));
            RP_TRY(ic_driver_skip_gap(d, p->error));
            continue;
        }
        RP_TRY(compare_frame(p));
        RP_TRY(name_parts(p, doc, summary));
        RP_TRY(ic_driver_play(d, frame, p->error));
        p->ret->ticks++;
    }
    return REPRISE_OK;
}

static reprise_status compare_end(playing *p, rp_doc *doc, reprise_value *summary)
{
    ic_comparison found;
    ic_driver *d = &p->driver;
    if (d->gap)
        return REPRISE_OK; /* frames are missing, and no keyframe follows */
    RP_TRY(ic_driver_compare(d, &found, p->error));
    const uint8_t *wanted = signed_hash(p);
    if (wanted && !found.known)
        RP_TRY(ic_simulation_hash(&d->simulation, found.hash, p->error));
    compare_signed(p, d->tick, wanted, found.hash);
    if (found.known)
        rp_set_bool(doc, summary, "final_state_matches", found.same);
    if (found.known && !found.same && !p->mismatches)
        differs(p, d->tick, found.hash, found.recorded, false);
    return name_parts(p, doc, summary);
}

static uint64_t largest_state(const ic_replay *replay)
{
    const ic_pieces *keyframes = &replay->pieces[IC_KEYFRAMES];
    uint64_t largest = 1;
    for (size_t i = 0; i < keyframes->count; i++)
        largest = RP_MAX(largest, keyframes->items[i].decoded_size);
    return largest;
}

static reprise_status play(playing *p, rp_doc *doc, reprise_value *summary)
{
    ic_replaying *ret = p->ret;
    RP_TRY(ic_states_open(&p->states, &p->driver.simulation, largest_state(p->replay), compare, p,
                          p->error));
    RP_TRY(ic_driver_restore(&p->driver, 0, p->error));
    ret->verdict = IC_ORDERS_REPLAYED;
    (void)play_frames(p, doc, summary);
    RP_TRY(ic_states_wait(&p->states, p->error));
    RP_TRY(compare_end(p, doc, summary));
    if (p->gaps && ret->verdict == IC_ORDERS_REPLAYED) {
        ret->verdict = IC_ORDERS_NOT_REPLAYED;
        ret->reason = "frames are missing; the others were replayed and match";
    }
    rp_set_uint(doc, summary, "ticks", p->driver.tick);
    rp_set_uint(doc, summary, "compared", p->compared);
    rp_set_uint(doc, summary, "signed_states", ret->signed_states);
    rp_set_uint(doc, summary, "mismatches", p->mismatches);
    if (p->mismatches)
        rp_set_uint(doc, summary, "first_mismatch", ret->diverged_at);
    rp_set_uint(doc, summary, "gaps", p->gaps);
    return doc->error->status;
}

/* ---- whether to ---- */

/*
 * A small file can claim millions of ticks of a large state. Without a request no more bytes of
 * states are hashed than this, which is many times what an hour of a large match takes.
 */
static bool takes_too_long(const ic_replay *replay)
{
    static const uint64_t bytes_max = UINT64_C(16) << 30;
    return replay->total_ticks > bytes_max / largest_state(replay);
}

static reprise_status find_reason(ic_replay *replay, const ic_chain *chain, const char **ret_reason,
                                  reprise_error *error)
{
    reprise_simulating when = replay->base.context->simulate;
    const char *reason = NULL;
    *ret_reason = NULL;
    if (when == REPRISE_SIMULATE_NEVER)
        *ret_reason = "simulation was turned off";
    else if (when == REPRISE_SIMULATE_SIGNED && !chain->count)
        *ret_reason = "it is not signed, and simulation was not requested";
    if (*ret_reason)
        return REPRISE_OK;
    RP_TRY(ic_unplayable(replay, NULL, &reason, error));
    if (reason)
        *ret_reason = rp_arena_format(&replay->base.arena, error, "cannot be simulated here: %s",
                                      reason);
    else if (when == REPRISE_SIMULATE_SIGNED && takes_too_long(replay))
        *ret_reason = "it would take too long, and simulation was not requested";
    return error->status;
}

reprise_status ic_simulate(ic_replay *replay, const ic_chain *chain, rp_doc *doc,
                           reprise_value *summary, ic_replaying *ret, reprise_error *error)
{
    *ret = (ic_replaying){.verdict = IC_ORDERS_NOT_REPLAYED};
    RP_TRY(find_reason(replay, chain, &ret->reason, error));
    if (ret->reason)
        return REPRISE_OK;
    playing p = {.replay = replay, .chain = chain, .ret = ret, .error = error};
    rp_findings kept = replay->base.findings; /* decoding has already added these */
    rp_findings_init(&replay->base.findings, kept.arena);
    reprise_status status = ic_drive_replay(&p.driver, replay, error);
    if (status == REPRISE_OK)
        status = play(&p, doc, rp_set_object(doc, summary, "simulation"));
    ic_states_close(&p.states);
    ic_driver_close(&p.driver);
    replay->base.findings = kept;
    if (status != REPRISE_OK && ret->verdict == IC_ORDERS_REPLAYED) {
        ret->verdict = IC_ORDERS_NOT_REPLAYED;
        ret->reason = "the file is damaged";
    }
    return status;
}
