/*
 * read_seek.c - the state at any tick: loads the preceding keyframe and re-simulates from there.
 *
 * Between keyframes only a simulation knows the state, and the frame's hash confirms it. If the
 * replay cannot be simulated here, its states differ, or a frame is missing, the state shown is
 * that of the keyframe. Where no hash was recorded, the simulated state is shown as unconfirmed.
 */
#include "can_simulate.h"
#include "seek_cache.h"
#include "verify_moment.h"
#include "whole.h"

static reprise_status target_tick(ic_replay *replay, reprise_moment moment, uint64_t *ret_tick,
                                  reprise_error *error)
{
    if (!moment.by_index) {
        double tick = moment.time / replay->tick_seconds + 1e-6;
        *ret_tick = tick <= 0                             ? 0
                    : tick >= (double)replay->total_ticks ? replay->total_ticks
                                                          : rp_whole_u64(tick);
        replay->base.read_to_end |= tick >= (double)replay->total_ticks + 1;
        return REPRISE_OK;
    }
    if (moment.index < 0 || (uint64_t)moment.index > replay->total_ticks)
        return rp_error_set(error, REPRISE_E_USAGE, "tick %lld is out of range (0-%llu)",
                            (long long)moment.index, (unsigned long long)replay->total_ticks);
    *ret_tick = (uint64_t)moment.index;
    return REPRISE_OK;
}

static void place_frames(ic_decoder *d, uint64_t tick)
{
    const ic_pieces *blocks = &d->replay->pieces[IC_ORDERS];
    size_t block = ic_block_at(d->replay, tick);
    d->frames.next = block;
    d->frames.left = 0;
    d->frames.waiting = d->frames.ended = false;
    d->frames_from_start = false;
    d->frame_expected = block < blocks->count ? blocks->items[block].tick : 0;
}

reprise_status ic_reach_frame(ic_decoder *d, uint64_t tick, reprise_error *error)
{
    while (!d->frames.ended && (!d->frames.waiting || d->frames.tick < tick))
        RP_TRY(ic_next_frame(d, error));
    return REPRISE_OK;
}

/* The signed hash of a tick counts if the frame has none. A damaged chain has no hashes. */
static reprise_status compare_signed(ic_decoder *d, ic_comparison *found, reprise_error *error)
{
    const ic_chain *chain = NULL;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_findings kept = d->replay->base.findings; /* `verify` reports the chain */
    rp_findings_init(&d->replay->base.findings, kept.arena);
    reprise_status status = ic_cached_chain(d->replay, &chain, &damage);
    d->replay->base.findings = kept;
    for (size_t i = 0; status == REPRISE_OK && i < chain->ascending; i++) {
        if (chain->entries[i].tick == d->target.tick) {
            found->known = true;
            found->same = memcmp(chain->entries[i].state_hash, found->hash, IC_HASH_SIZE) == 0;
        }
    }
    if (!rp_is_own_failure(d->replay->base.context, status))
        return REPRISE_OK;
    *error = damage;
    return status;
}

/* Plays from the keyframe to the target and keeps the state unless it is not the recorded one. */
static reprise_status resimulate(ic_decoder *d, reprise_error *error)
{
    ic_driver *driver = &d->driver;
    ic_seek_target *s = &d->target;
    ic_comparison found;
    ic_snapshot reached;
    if (!driver->simulation.calls)
        RP_TRY(ic_driver_open(driver, &d->match, true, NULL, error));
    RP_TRY(ic_driver_restore(driver, d->loader.index, error));
    RP_TRY(ic_driver_reach(driver, s->tick, error));
    s->stopped = driver->gap;
    s->stopped_at = driver->tick;
    if (driver->gap || !ic_simulation_has_snapshots(&driver->simulation))
        return REPRISE_OK;
    RP_TRY(ic_driver_compare(driver, &found, error));
    if (!found.known) {
        RP_TRY(ic_simulation_hash(&driver->simulation, found.hash, error));
        RP_TRY(compare_signed(d, &found, error));
    }
    s->reached = !found.known || found.same;
    s->exact = found.known && found.same;
    memcpy(s->hash, found.hash, sizeof found.hash);
    RP_TRY(ic_simulation_snapshot(&driver->simulation, &reached, error));
    s->core = reached.core;
    return REPRISE_OK;
}

static reprise_status skip_others(ic_decoder *d, uint64_t tick, reprise_error *error)
{
    while (!d->events.ended && (!d->events.waiting || d->events.tick < tick)) {
        ic_forget_rows(d);
        RP_TRY(ic_next_event(d, error));
    }
    while (!d->voice.ended && (!d->voice.waiting || d->voice.tick < tick)) {
        if (d->voice.waiting)
            ic_drop_voice(d);
        RP_TRY(ic_next_voice(d, error));
    }
    while (!d->signatures.ended && (!d->signatures.waiting || d->signatures.tick < tick)) {
        d->signature_at += d->signatures.waiting;
        RP_TRY(ic_next_signature(d, error));
    }
    return REPRISE_OK;
}

static void restart(ic_cursor *c)
{
    c->ended = c->ended && !c->next; /* cursors of unselected tracks stay ended */
    c->next = 0;
    c->left = 0;
    c->waiting = false;
}

reprise_status ic_seek_others(ic_decoder *d, uint64_t tick, reprise_error *error)
{
    d->event_tick = 0;
    d->signature = (ic_signature){0};
    d->signature_at = 0;
    restart(&d->events);
    restart(&d->voice);
    restart(&d->signatures);
    RP_TRY(ic_place_events(d, tick, error));
    return skip_others(d, tick, error);
}

reprise_status ic_seek_keyframe(ic_decoder *d, uint64_t target, reprise_error *error)
{
    size_t keyframe = ic_keyframe_at(d->replay, target);
    RP_TRY(ic_loader_load(&d->loader, keyframe, error));
    place_frames(d, d->loader.now.core.tick);
    d->keyframe = keyframe + 1;
    d->strings_given = 0;
    d->tables_done = true;
    return REPRISE_OK;
}

void ic_fault_keyframe(ic_replay *replay, uint64_t tick)
{
    rp_fault(&replay->base.findings, IC_FINDING(FRAME_HASH), REPRISE_E_CORRUPT, "keyframes", 0, "",
             "the state of keyframe %llu differs from the recorded hash", (unsigned long long)tick);
}

/* Compares the state of a keyframe with the hash of its frame. */
static reprise_status check_keyframe(ic_decoder *d, reprise_error *error)
{
    uint64_t tick = d->loader.now.core.tick;
    RP_TRY(ic_reach_frame(d, tick, error));
    static const uint8_t unknown[IC_HASH_SIZE];
    const uint8_t *hash = d->loader.now.hash, *final = d->replay->header.final_state_hash;
    /* Imported replays have no hashes, or hashes of the other game. */
    bool there = d->frames.waiting && d->frames.tick == tick &&
                 !(d->replay->imported && !d->frame.state_hash);
    bool last = !d->replay->live && tick == d->replay->total_ticks &&
                memcmp(final, unknown, sizeof unknown) != 0;
    if ((there && d->frame.state_hash != ic_sync_hash(hash)) ||
        (last && memcmp(final, hash, IC_HASH_SIZE) != 0))
        ic_fault_keyframe(d->replay, tick);
    return REPRISE_OK;
}

reprise_status ic_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    ic_decoder *d = (ic_decoder *)decoder;
    ic_seek_target *s = &d->target;
    uint64_t target = 0;
    RP_TRY(target_tick(d->replay, moment, &target, error));
    bool frames_wanted = !d->frames.ended || d->frames.next;
    RP_TRY(ic_seek_keyframe(d, target, error));
    RP_TRY(ic_seek_others(d, target, error));
    s->pending = true;
    s->reached = s->exact = s->stopped = false;
    s->unplayable = NULL;
    s->tick = target;
    uint64_t from = d->loader.now.core.tick;
    RP_TRY(check_keyframe(d, error));
    RP_TRY(ic_keyframe_check_next(d->replay, d->loader.index, error));
    if (from == target) {
        s->reached = s->exact = true;
        s->core = d->loader.now.core;
        memcpy(s->hash, d->loader.now.hash, IC_HASH_SIZE);
        RP_TRY(ic_reach_frame(d, target, error));
    } else {
        RP_TRY(ic_unplayable(d->replay, NULL, &s->unplayable, error));
        if (!s->unplayable)
            RP_TRY(resimulate(d, error));
        RP_TRY(ic_reach_frame(d, target, error));
    }
    if (!frames_wanted) {
        d->frames.waiting = false;
        d->frames.ended = true;
    }
    return REPRISE_OK;
}

/* The step after a seek: the complete state, then everything of that tick. */
reprise_status ic_step_seek(ic_decoder *d, reprise_error *error)
{
    ic_seek_target *s = &d->target;
    const ic_pieces *keyframes = &d->replay->pieces[IC_KEYFRAMES];
    ic_snapshot snapshot = ic_loader_snapshot(&d->loader);
    s->pending = false;
    d->step_tick = s->reached ? s->tick : d->loader.now.core.tick;
    if (rp_selected(&d->base, IC_T_KEYFRAMES))
        RP_TRY(ic_emit_keyframe(d, &keyframes->items[d->loader.index], error));
    ic_state_view view = {.core = s->reached ? &s->core : &d->loader.now.core,
                          .campaign = snapshot.campaign_state,
                          .script = snapshot.script_state};
    RP_TRY(ic_emit_state(d, &view, error));
    d->step_tick = s->tick;
    return REPRISE_OK;
}

/*
 * The events of a tick end at the first one of a later tick. If it is later only because of damage,
 * and hides others, the one after it shows that: ticks must not decrease.
 */
static reprise_status check_next_event(ic_decoder *d, reprise_error *error)
{
    reprise_error damage = REPRISE_ERROR_INIT;
    if (d->events.waiting)
        (void)ic_next_event(d, &damage);
    return rp_skip_damage(&d->replay->base, &damage, error);
}

reprise_status ic_replay_at(rp_decoder *decoder, rp_doc *doc, reprise_value *state,
                            reprise_error *error)
{
    ic_decoder *d = (ic_decoder *)decoder;
    const ic_seek_target *s = &d->target;
    RP_TRY(ic_check_around(d->replay, s->tick, error));
    RP_TRY(check_next_event(d, error));
    uint64_t from = d->loader.now.core.tick;
    const uint8_t *hash = s->reached ? s->hash : d->loader.now.hash;
    rp_set_uint(doc, state, "target", s->tick);
    rp_set_bool(doc, state, "exact", s->exact);
    if (s->reached && !s->exact)
        rp_set_bool(doc, state, "unconfirmed", true);
    rp_set_uint(doc, state, "keyframe", from);
    rp_set_uint(doc, state, "full_keyframe", d->loader.full.core.tick);
    rp_set_uint(doc, state, "blobs_read", d->loader.index - d->loader.full_index + 1);
    rp_set_uint(doc, state, "ticks_between", s->tick - from);
    rp_set(doc, state, "state_hash", rp_new_hex(doc, hash, IC_HASH_SIZE));
    if (s->stopped)
        rp_set_uint(doc, state, "stopped_at", s->stopped_at);
    if (s->unplayable)
        rp_set(doc, state, "not_simulated",
               rp_new_format(doc, "cannot be simulated here: %s", s->unplayable));
    return error->status;
}
