/* player.c - see player.h. */
#include "player.h"

#include "entry.h"
#include "ironcurtain/import/import.h"
#include "ironcurtain/read/can_simulate.h"
#include "ironcurtain/read/desync.h"
#include "whole.h"

/* ---- making one ---- */

static uint64_t recorded_divergence(const ic_replay *replay)
{
    const reprise_value *from = rp_get(replay->metadata, "converted_from");
    const reprise_value *tick = rp_get(from, "diverged_at_tick");
    return reprise_value_kind_of(tick) == REPRISE_VALUE_NULL ? UINT64_MAX
                                                             : reprise_value_uint(tick, UINT64_MAX);
}

static reprise_status take_options(ic_playback *p, const reprise_ic_playback_options *given,
                                   reprise_error *error)
{
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    RP_TRY(rp_take_options(&options, sizeof options, given, error));
    if (options.callbacks)
        p->tell = *options.callbacks;
    p->strict = options.strict;
    if (options.orders_only)
        p->no_state = "only orders were asked for";
    else
        RP_TRY(ic_unplayable(p->replay, options.simulation, &p->no_state, error));
    return ic_follow_open(&p->follow, p->replay,
                          UINT64_C(1) << IC_T_EVENTS | UINT64_C(1) << IC_T_VOICE, !p->no_state,
                          options.simulation, error);
}

reprise_status ic_playback_init(ic_playback *p, ic_replay *replay,
                                const reprise_ic_playback_options *options, reprise_error *error)
{
    *p = (ic_playback){.replay = replay, .diverged_at = recorded_divergence(replay)};
    rp_arena_init(&p->scratch, replay->base.context);
    if (replay->imported)
        RP_TRY(ic_carried_sums(replay, &p->sums, error));
    RP_TRY(take_options(p, options, error));
    ic_pacer_init(&p->pacer, rp_whole_u32(replay->tick_seconds * 1e6 + 0.5));
    return ic_playback_seek(p, 0, error);
}

void ic_playback_free(ic_playback *p)
{
    ic_follow_close(&p->follow);
    if (p->replay)
        rp_vector_free(p->replay->base.context, &p->sums, sizeof(ic_sum));
    if (p->scratch.context)
        rp_arena_free(&p->scratch);
}

/* ---- frames ---- */

/* What the game that recorded it summed its world up to before a tick; 0: nobody knows. */
static uint64_t foreign_sum(const ic_playback *p, uint64_t tick)
{
    const ic_sum *sums = p->sums.items;
    size_t low = 0, high = p->sums.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle].tick < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->sums.count && sums[low].tick == tick ? sums[low].value : 0;
}

/* The frame as it is given away: one that is not there is empty, and sums stand in their place. */
static const ic_frame *shown_frame(ic_playback *p, const ic_frame *frame)
{
    p->shown = frame ? *frame : (ic_frame){.tick = p->follow.tick};
    if (!p->shown.state_hash)
        p->shown.state_hash = foreign_sum(p, p->follow.tick);
    return &p->shown;
}

static uint64_t keyframe_behind(const ic_playback *p, uint64_t tick)
{
    const ic_pieces *list = &p->replay->pieces[IC_KEYFRAMES];
    size_t index = ic_keyframe_at(p->replay, tick);
    while (index < list->count && list->items[index].tick <= tick)
        index++;
    return index < list->count ? list->items[index].tick : p->replay->total_ticks;
}

/* ---- gaps ---- */

static void tell_gap(ic_playback *p)
{
    const ic_cursor *c = &p->follow.decoder->frames;
    uint64_t end = c->waiting ? RP_MIN(c->tick, p->replay->total_ticks) : p->replay->total_ticks;
    if (p->follow.tick < p->gap_end)
        return;
    p->gap_end = end;
    if (p->tell.gap)
        p->tell.gap(p->tell.ctx, p->follow.tick, end, keyframe_behind(p, p->follow.tick));
}

/* ---- what is told ---- */

static reprise_status tell_events(ic_playback *p, reprise_error *error)
{
    ic_decoder *d = p->follow.decoder;
    while (!d->events.ended) {
        if (d->events.waiting && d->events.tick > p->follow.tick)
            break;
        if (d->events.waiting && p->tell.event)
            p->tell.event(p->tell.ctx, &d->event);
        ic_forget_rows(d);
        RP_TRY(ic_next_event(d, error));
    }
    return REPRISE_OK;
}

static bool is_muted(const ic_playback *p)
{
    enum { QUARTERS_MAX = 16 };
    return !p->pacer.quarters || p->pacer.quarters > QUARTERS_MAX;
}

static reprise_status tell_voice(ic_playback *p, reprise_error *error)
{
    ic_decoder *d = p->follow.decoder;
    while (!d->voice.ended) {
        if (d->voice.waiting && d->voice.tick > p->follow.tick)
            break;
        if (d->voice.waiting) {
            const ic_voice_track *track = (const ic_voice_track *)d->voices.tracks.items +
                                          d->voice_from;
            const ic_voice_frame *frame = (const ic_voice_frame *)track->frames.items +
                                          d->voice_at[d->voice_from];
            if (p->tell.voice && !is_muted(p))
                p->tell.voice(p->tell.ctx, track->player, frame);
            ic_drop_voice(d);
        }
        RP_TRY(ic_next_voice(d, error));
    }
    return REPRISE_OK;
}

/* In files from other games a hash of 0 was never recorded, and differences are only doubts. */
static void compare(ic_playback *p, uint64_t ours, uint64_t recorded)
{
    if (p->replay->imported) {
        if (recorded)
            ic_doubt_state(p, ours, recorded);
        return;
    }
    if (ours == recorded)
        return;
    p->divergence.mismatches++;
    if (p->desync == IC_NO_DESYNC) {
        p->desync = IC_DESYNC;
        p->desync_tick = p->follow.tick;
    }
    if (p->tell.desync)
        p->tell.desync(p->tell.ctx, p->follow.tick, ours, recorded);
}

static reprise_status compare_state(ic_playback *p, uint64_t recorded, reprise_error *error)
{
    uint8_t hash[IC_HASH_SIZE];
    if (!p->follow.has_state || p->follow.gap || (p->replay->imported && !recorded))
        return REPRISE_OK;
    RP_TRY(ic_simulation_hash(&p->follow.host, hash, error));
    compare(p, ic_sync_hash(hash), recorded);
    return REPRISE_OK;
}

/* ---- which part of the state it is ---- */

static reprise_status compare_parts(ic_playback *p, size_t keyframe, rp_doc *doc,
                                    reprise_value *ret_parts)
{
    ic_loader *loader = &p->follow.decoder->loader;
    ic_snapshot ours;
    char words[IC_PARTS_TEXT];
    RP_TRY(ic_loader_load(loader, keyframe, doc->error));
    RP_TRY(ic_simulation_snapshot(&p->follow.host, &ours, doc->error));
    return ic_differing_parts(p->replay->base.context, &ours.core, &loader->now.core, doc,
                              ret_parts, words, doc->error);
}

static reprise_status tell_parts(ic_playback *p, const rp_doc *doc, const reprise_value *parts)
{
    size_t count = reprise_value_count(parts);
    const char **names = rp_arena_array(doc->arena, count, sizeof *names, doc->error);
    for (size_t i = 0; names && i < count; i++)
        names[i] = reprise_value_text(reprise_value_at(parts, i), NULL);
    RP_TRY(doc->error->status);
    p->tell.desync_parts(p->tell.ctx, &(reprise_ic_desync_parts){.tick = p->desync_tick,
                                                                 .keyframe = p->follow.tick,
                                                                 .parts = names,
                                                                 .part_count = count});
    return REPRISE_OK;
}

/* At the first keyframe after the first desync; one that is damaged tells nothing. */
static reprise_status name_parts(ic_playback *p, reprise_error *error)
{
    size_t keyframe = ic_keyframe_at(p->replay, p->follow.tick);
    if (p->desync != IC_DESYNC || !p->tell.desync_parts || !p->follow.host.calls->snapshot ||
        p->replay->pieces[IC_KEYFRAMES].items[keyframe].tick != p->follow.tick)
        return REPRISE_OK;
    p->desync = IC_DESYNC_NAMED;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_arena_reset(&p->scratch);
    rp_doc doc = {.arena = &p->scratch, .error = &damage};
    reprise_value *parts = rp_new_array(&doc);
    if (compare_parts(p, keyframe, &doc, parts) == REPRISE_OK)
        (void)tell_parts(p, &doc, parts);
    if (rp_our_trouble(p->replay->base.context, damage.status))
        *error = damage;
    return error->status;
}

static reprise_status tell_end(ic_playback *p, reprise_error *error)
{
    static const uint8_t unknown[IC_HASH_SIZE];
    const uint8_t *final = p->replay->header.final_state_hash;
    if (p->ended)
        return REPRISE_END;
    p->ended = true;
    p->replay->base.read_to_end = true;
    bool known = memcmp(final, unknown, sizeof unknown) != 0;
    uint64_t recorded = known ? ic_sync_hash(final) : foreign_sum(p, p->follow.tick);
    if (recorded || known)
        RP_TRY(compare_state(p, recorded, error));
    RP_TRY(name_parts(p, error));
    if (p->tell.end)
        p->tell.end(p->tell.ctx, p->follow.tick);
    return REPRISE_END;
}

/* ---- playing ---- */

reprise_status ic_playback_peek(ic_playback *p, const ic_frame **ret_frame, reprise_error *error)
{
    const ic_frame *frame = NULL;
    if (p->follow.tick >= p->replay->total_ticks)
        return REPRISE_END;
    RP_TRY(ic_follow_frame(&p->follow, &frame, error));
    *ret_frame = shown_frame(p, frame);
    return REPRISE_OK;
}

static reprise_status check_frame(ic_playback *p, const ic_frame *frame, reprise_error *error)
{
    if (!frame && p->strict)
        return rp_error_set(error, REPRISE_E_TRUNCATED, "the frame of tick %llu is missing",
                            (unsigned long long)p->follow.tick);
    if (!frame)
        tell_gap(p);
    else
        RP_TRY(compare_state(p, p->shown.state_hash, error));
    RP_TRY(name_parts(p, error));
    if (p->replay->imported)
        ic_doubt_frame(p, &p->shown);
    if (p->jumped)
        RP_TRY(ic_seek_others(p->follow.decoder, p->follow.tick, error));
    p->jumped = false;
    RP_TRY(tell_events(p, error));
    return tell_voice(p, error);
}

reprise_status ic_playback_poll(ic_playback *p, const ic_frame **ret_frame, reprise_error *error)
{
    const ic_frame *frame = NULL;
    if (p->follow.tick >= p->replay->total_ticks)
        return tell_end(p, error);
    RP_TRY(ic_follow_frame(&p->follow, &frame, error));
    const ic_frame *given = shown_frame(p, frame);
    RP_TRY(check_frame(p, frame, error));
    RP_TRY(ic_follow_apply(&p->follow, frame, error));
    if (ret_frame)
        *ret_frame = given;
    return REPRISE_OK;
}

reprise_status ic_playback_seek(ic_playback *p, uint64_t tick, reprise_error *error)
{
    if (tick > p->replay->total_ticks)
        return rp_error_set(error, REPRISE_E_USAGE, "tick %llu is not there; 0 to %llu are",
                            (unsigned long long)tick, (unsigned long long)p->replay->total_ticks);
    RP_TRY(ic_seek_keyframe(p->follow.decoder, tick, error));
    RP_TRY(ic_follow_restore(&p->follow, ic_keyframe_at(p->replay, tick), error));
    p->ended = false;
    p->jumped = true; /* whoever drags a slider about wants states; events can wait */
    p->gap_end = 0;
    p->desync = IC_NO_DESYNC;
    if (!p->follow.has_state)
        p->follow.tick = tick;
    while (p->follow.tick < tick) {
        const ic_frame *frame = NULL;
        RP_TRY(ic_follow_frame(&p->follow, &frame, error));
        RP_TRY(ic_follow_apply(&p->follow, frame, error));
    }
    return REPRISE_OK;
}
