/* player.c - see player.h. */
#include "player.h"

#include "entry.h"
#include "ironcurtain/import/import.h"
#include "ironcurtain/read/can_simulate.h"
#include "ironcurtain/read/verify_parts.h"
#include "whole.h"

/* ---- opening ---- */

reprise_status ic_playback_match(ic_replay *replay, ic_match **ret_match, reprise_error *error)
{
    ic_match *match = NULL;
    RP_TRY(ic_match_open(replay, UINT64_C(1) << IC_T_EVENTS | UINT64_C(1) << IC_T_VOICE, &match,
                         error));
    if (replay->imported &&
        ic_carried_hashes(replay, &match->foreign_hashes, error) != REPRISE_OK) {
        ic_match_close(match);
        return error->status;
    }
    *ret_match = match;
    return REPRISE_OK;
}

static reprise_status take_options(ic_playback *p, const reprise_ic_playback_options *given,
                                   reprise_error *error)
{
    reprise_ic_playback_options options = REPRISE_IC_PLAYBACK_INIT;
    RP_TRY(rp_take_options(&options, sizeof options, given, error));
    RP_TRY(rp_take_options(&p->report, sizeof p->report, options.callbacks, error));
    RP_TRY(ic_simulation_check(options.simulation, error));
    p->strict = options.strict;
    if (options.orders_only)
        p->no_state = "only orders were requested";
    else
        RP_TRY(ic_match_unplayable(p->match, options.simulation, &p->no_state, error));
    return ic_driver_open(&p->driver, p->match, !p->no_state, options.simulation, error);
}

reprise_status ic_playback_init(ic_playback *p, ic_match *match,
                                const reprise_ic_playback_options *options, reprise_error *error)
{
    *p = (ic_playback){.match = match,
                       .decoder = match->replay ? match->ctx : NULL,
                       .divergence = REPRISE_IC_DIVERGENCE_INIT};
    p->driver.match = match;
    rp_arena_init(&p->scratch, match->context);
    RP_TRY(take_options(p, options, error));
    ic_pacer_init(&p->pacer, rp_whole_u32(match->tick_seconds * 1e6 + 0.5));
    return ic_playback_seek(p, 0, error);
}

void ic_playback_free(ic_playback *p)
{
    ic_driver_close(&p->driver);
    if (p->scratch.context)
        rp_arena_free(&p->scratch);
}

/* ---- frames ---- */

/* The frame as callers see it: one that is missing is empty, and hashes are filled in. */
static const ic_frame *shown_frame(ic_playback *p, const ic_frame *frame)
{
    p->shown = frame ? *frame : (ic_frame){.tick = p->driver.tick};
    p->shown.state_hash = ic_match_recorded(p->match, p->driver.tick, frame);
    return &p->shown;
}

/* ---- gaps ---- */

/* Only replays have gaps; another game's ticks without orders are empty frames. */
static void report_gap(ic_playback *p)
{
    uint64_t tick = p->driver.tick, end = p->match->total_ticks;
    if (tick < p->gap_end)
        return;
    if (p->decoder->frames.waiting)
        end = RP_MIN(end, p->decoder->frames.tick);
    p->gap_end = end;
    if (p->report.gap)
        p->report.gap(p->report.ctx, tick, end, ic_match_next_keyframe(p->match, tick));
}

/* ---- events and voice ---- */

static reprise_status report_events(ic_playback *p, reprise_error *error)
{
    ic_decoder *d = p->decoder;
    while (!d->events.ended) {
        if (d->events.waiting && d->events.tick > p->driver.tick)
            break;
        if (d->events.waiting && p->report.event)
            p->report.event(p->report.ctx, (const reprise_ic_event *)&d->event);
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

static reprise_status report_voice(ic_playback *p, reprise_error *error)
{
    ic_decoder *d = p->decoder;
    while (!d->voice.ended) {
        if (d->voice.waiting && d->voice.tick > p->driver.tick)
            break;
        if (d->voice.waiting) {
            const ic_voice_track *track = (const ic_voice_track *)d->voices.tracks.items +
                                          d->voice_from;
            const ic_voice_frame *frame = (const ic_voice_frame *)track->frames.items +
                                          d->voice_at[d->voice_from];
            if (p->report.voice && !is_muted(p))
                p->report.voice(p->report.ctx, track->player, frame);
            ic_drop_voice(d);
        }
        RP_TRY(ic_next_voice(d, error));
    }
    return REPRISE_OK;
}

static reprise_status report_others(ic_playback *p, reprise_error *error)
{
    if (!p->decoder)
        return REPRISE_OK;
    if (p->jumped)
        RP_TRY(ic_seek_others(p->decoder, p->driver.tick, error));
    p->jumped = false;
    RP_TRY(report_events(p, error));
    return report_voice(p, error);
}

/* ---- desyncs ---- */

static reprise_status compare_state(ic_playback *p, reprise_error *error)
{
    ic_comparison found;
    RP_TRY(ic_driver_compare(&p->driver, &found, error));
    if (!found.known || found.same)
        return REPRISE_OK;
    p->divergence.mismatches++;
    if (p->match->imported) {
        ic_divergence_state(p);
        return REPRISE_OK;
    }
    if (p->desync == IC_NO_DESYNC) {
        p->desync = IC_DESYNC;
        p->desync_tick = p->driver.tick;
    }
    if (p->report.desync)
        p->report.desync(p->report.ctx, p->driver.tick, found.ours, found.recorded);
    return REPRISE_OK;
}

static reprise_status compare_parts(ic_playback *p, rp_doc *doc, reprise_value *ret_parts)
{
    ic_match *match = p->match;
    ic_snapshot ours, recorded;
    char words[IC_PARTS_TEXT];
    RP_TRY(match->load(match, ic_match_keyframe(match, p->driver.tick), &recorded, doc->error));
    RP_TRY(ic_simulation_snapshot(&p->driver.simulation, &ours, doc->error));
    return ic_differing_parts(match->context, &ours.core, &recorded.core, doc, ret_parts, words,
                              doc->error);
}

static reprise_status report_parts(ic_playback *p, const rp_doc *doc, const reprise_value *parts)
{
    size_t count = reprise_value_count(parts);
    const char **names = rp_arena_array(doc->arena, count, sizeof *names, doc->error);
    for (size_t i = 0; names && i < count; i++)
        names[i] = reprise_value_text(reprise_value_at(parts, i), NULL);
    RP_TRY(doc->error->status);
    p->report.desync_parts(p->report.ctx, &(reprise_ic_desync_parts){.tick = p->desync_tick,
                                                                     .keyframe = p->driver.tick,
                                                                     .parts = names,
                                                                     .part_count = count});
    return REPRISE_OK;
}

/* At the first keyframe after the first desync; a damaged keyframe names no parts. */
static reprise_status name_parts(ic_playback *p, reprise_error *error)
{
    if (p->desync != IC_DESYNC || !p->report.desync_parts ||
        !ic_simulation_has_snapshots(&p->driver.simulation) ||
        !ic_match_has_keyframe(p->match, p->driver.tick))
        return REPRISE_OK;
    p->desync = IC_DESYNC_NAMED;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_arena_reset(&p->scratch);
    rp_doc doc = {.arena = &p->scratch, .error = &damage};
    reprise_value *parts = rp_new_array(&doc);
    if (compare_parts(p, &doc, parts) == REPRISE_OK)
        (void)report_parts(p, &doc, parts);
    if (rp_is_own_failure(p->match->context, damage.status))
        *error = damage;
    return error->status;
}

static reprise_status report_end(ic_playback *p, reprise_error *error)
{
    if (p->ended)
        return REPRISE_END;
    p->ended = true;
    if (p->match->replay)
        p->match->replay->base.read_to_end = true;
    RP_TRY(compare_state(p, error));
    RP_TRY(name_parts(p, error));
    RP_TRY(report_others(p, error)); /* a match that ended says so after its last frame */
    if (p->report.end)
        p->report.end(p->report.ctx, p->driver.tick);
    return REPRISE_END;
}

/* ---- playing ---- */

reprise_status ic_playback_peek(ic_playback *p, const ic_frame **ret_frame, reprise_error *error)
{
    const ic_frame *frame = NULL;
    if (p->driver.tick >= p->match->total_ticks)
        return REPRISE_END;
    RP_TRY(ic_driver_frame(&p->driver, &frame, error));
    *ret_frame = shown_frame(p, frame);
    return REPRISE_OK;
}

static reprise_status check_frame(ic_playback *p, const ic_frame *frame, reprise_error *error)
{
    if (!frame && p->strict)
        return rp_error_set(error, REPRISE_E_TRUNCATED, "the frame of tick %llu is missing",
                            (unsigned long long)p->driver.tick);
    if (!frame)
        report_gap(p);
    else
        RP_TRY(compare_state(p, error));
    RP_TRY(name_parts(p, error));
    if (p->match->imported)
        ic_divergence_frame(p, &p->shown);
    return report_others(p, error);
}

reprise_status ic_playback_poll(ic_playback *p, const ic_frame **ret_frame, reprise_error *error)
{
    const ic_frame *frame = NULL;
    if (p->driver.tick >= p->match->total_ticks)
        return report_end(p, error);
    RP_TRY(ic_driver_frame(&p->driver, &frame, error));
    const ic_frame *shown = shown_frame(p, frame);
    RP_TRY(check_frame(p, frame, error));
    RP_TRY(ic_driver_play(&p->driver, frame, error));
    if (ret_frame)
        *ret_frame = shown;
    return REPRISE_OK;
}

reprise_status ic_playback_seek(ic_playback *p, uint64_t tick, reprise_error *error)
{
    if (tick > p->match->total_ticks)
        return rp_error_set(error, REPRISE_E_USAGE, "tick %llu is out of range (0-%llu)",
                            (unsigned long long)tick, (unsigned long long)p->match->total_ticks);
    p->ended = false;
    p->jumped = true; /* dragging a slider needs states at once; events can wait */
    p->gap_end = 0;
    p->desync = IC_NO_DESYNC;
    return ic_driver_seek(&p->driver, tick, error);
}
