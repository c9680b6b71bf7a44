/*
 * read.c - a recording phase by phase: styles, weapons, ticks with their subticks, jumps, events,
 * commands with theirs.
 *
 * Weapons come before the ticks, unlike in the file: who writes another layout must know them by
 * then. With `salvage` a section that fails is noted and the next one begins.
 */
#include "read.h"

typedef struct phase_ops {
    uint64_t tracks; /* that it gives rows of */
    reprise_status (*step)(kz_decoder *d, bool *ret_done, reprise_error *error);
} phase_ops;

#define TRACK(name) (UINT64_C(1) << KZ_##name)

static const phase_ops phases[KZ_PHASE_END] = {
    [KZ_PHASE_STYLES] = {TRACK(STYLES), kz_step_styles},
    [KZ_PHASE_WEAPONS] = {TRACK(WEAPONS) | TRACK(WEAPON_ATTRIBUTES), kz_step_weapons},
    [KZ_PHASE_WEAPON_EVENTS] = {TRACK(WEAPON_EVENTS), kz_step_weapon_events},
    [KZ_PHASE_TICKS] = {TRACK(TICKS) | TRACK(SUBTICKS), kz_step_records},
    [KZ_PHASE_JUMPS] = {TRACK(JUMPS) | TRACK(STRAFES) | TRACK(AIRCALLS), kz_step_jumps},
    [KZ_PHASE_EVENTS] = {TRACK(EVENTS), kz_step_events},
    [KZ_PHASE_COMMANDS] = {TRACK(COMMANDS) | TRACK(COMMAND_SUBTICKS), kz_step_records},
};

reprise_status kz_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    kz_decoder *d = (kz_decoder *)decoder;
    kz_replay *replay = (kz_replay *)decoder->replay;
    rp_context *context = decoder->replay->context;
    d->wire = replay->wire;
    rp_arena_init(&d->scratch, context);
    rp_arena_init(&d->moment, context);
    d->ticks = rp_alloc(context, (KZ_BATCH + 1) * sizeof *d->ticks, error);
    d->commands = rp_alloc(context, (KZ_BATCH + 1) * sizeof *d->commands, error);
    RP_TRY(error->status);
    /* The timer is a column of ticks. */
    return rp_selected(decoder, KZ_TICKS) ? kz_find_run(replay, error) : REPRISE_OK;
}

void kz_close_phase(kz_decoder *d)
{
    kz_section_reader_close(&d->reader);
    kz_entries_close(d->entries);
    d->entries = NULL;
}

void kz_decode_end(rp_decoder *decoder)
{
    kz_decoder *d = (kz_decoder *)decoder;
    rp_context *context = decoder->replay->context;
    kz_close_phase(d);
    kz_table_free(d);
    rp_free(context, d->ticks, (KZ_BATCH + 1) * sizeof *d->ticks);
    rp_free(context, d->commands, (KZ_BATCH + 1) * sizeof *d->commands);
    kz_moves_free(context, &d->literal);
    rp_arena_free(&d->scratch);
    rp_arena_free(&d->moment);
}

static void next_phase(kz_decoder *d)
{
    kz_close_phase(d);
    d->open = false;
    d->phase++;
}

/* With `salvage`, damage in one section does not end the reading. */
static reprise_status failed(kz_decoder *d, reprise_error *error)
{
    rp_replay *replay = d->base.replay;
    if (!replay->salvage || rp_is_own_failure(replay->context, error->status))
        return error->status;
    rp_note_error(&replay->findings, replay->format->name, error);
    rp_error_clear(error);
    next_phase(d);
    return REPRISE_OK;
}

reprise_status kz_decode_next(rp_decoder *decoder, reprise_error *error)
{
    kz_decoder *d = (kz_decoder *)decoder;
    if (d->pending.status != REPRISE_OK) {
        *error = d->pending;
        rp_error_clear(&d->pending);
        return failed(d, error);
    }
    if (d->phase == KZ_PHASE_MOMENT)
        return kz_emit_moment(d, error);
    while (d->phase < KZ_PHASE_END && !(phases[d->phase].tracks & decoder->selection.tracks))
        next_phase(d);
    if (d->phase == KZ_PHASE_END)
        return REPRISE_END;
    rp_arena_reset(&d->scratch);
    bool done = false;
    if (phases[d->phase].step(d, &done, error) != REPRISE_OK)
        return failed(d, error);
    d->open = true;
    if (done)
        next_phase(d);
    return REPRISE_OK;
}
