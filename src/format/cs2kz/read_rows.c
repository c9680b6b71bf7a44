/* read_rows.c - steps that give rows of ticks and commands, and of the moves inside them. */
#include "read.h"

reprise_status kz_step_styles(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    const kz_run *run = ((const kz_replay *)d->base.replay)->header.run;
    const kz_mode *styles = run ? run->styles.items : NULL;
    for (size_t i = 0; run && i < run->styles.count; i++)
        RP_TRY(rp_emit(&d->base,
                       (rp_row){.track = KZ_STYLES, .present = UINT64_MAX, .data = &styles[i]},
                       error));
    *ret_done = true;
    return REPRISE_OK;
}

/* ---- opening ---- */

static bool wants_moves(const kz_decoder *d)
{
    return rp_selected(&d->base, d->phase == KZ_PHASE_TICKS ? KZ_SUBTICKS : KZ_COMMAND_SUBTICKS);
}

static reprise_status open_records(kz_decoder *d, reprise_error *error)
{
    kz_replay *replay = (kz_replay *)d->base.replay;
    bool ticks = d->phase == KZ_PHASE_TICKS;
    d->unknown_bits = d->unknown_literal = 0;
    kz_first_tick(d->wire, &d->ticks[0]);
    kz_first_command(&d->commands[0]);
    d->count = 0;
    RP_TRY(kz_section_reader_open(replay, ticks ? KZ_SECTION_TICKS : KZ_SECTION_COMMANDS,
                                  &d->reader, error));
    if (wants_moves(d) && !d->wire->in_place)
        RP_TRY(kz_entries_open(replay, ticks ? KZ_SECTION_TICK_MOVES : KZ_SECTION_COMMAND_MOVES,
                               &d->entries, error));
    return REPRISE_OK;
}

void kz_note_unknown_bits(kz_decoder *d)
{
    bool ticks = d->phase == KZ_PHASE_TICKS;
    uint64_t known = ticks ? kz_tick_bits(d->wire) : rp_masked_bits(&kz_command_record, 0);
    uint64_t unknown = (d->unknown_bits & ~known) | d->unknown_literal;
    if (unknown)
        rp_note(&d->base.replay->findings,
                ticks ? KZ_FINDING(UNKNOWN_TICK_FLAG) : KZ_FINDING(UNKNOWN_COMMAND_FLAG),
                d->reader.window.name, 0, "flags", "bits %llx mean nothing in layout %s",
                (unsigned long long)unknown, d->wire->name);
}

/* ---- rows ---- */

/* The tick of one of this step's records. */
static uint32_t tick_of(const kz_decoder *d, size_t index)
{
    return d->phase == KZ_PHASE_TICKS ? d->ticks[index + 1].top.server_tick
                                      : d->commands[index + 1].server_tick;
}

static reprise_status emit_records(kz_decoder *d, uint32_t first, reprise_error *error)
{
    bool ticks = d->phase == KZ_PHASE_TICKS;
    if (!d->count)
        return REPRISE_OK;
    RP_TRY(rp_batch_reserve(d->base.replay->context, &d->base.batch, d->count, error));
    rp_row *to = d->base.batch.rows + d->base.batch.count;
    uint64_t known = rp_masked_bits(&kz_command_record, 0);
    for (size_t i = 0; i < d->count; i++) {
        uint32_t tick = tick_of(d, i);
        uint64_t mask = d->masks[i + 1];
        rp_row_set(
            &to[i],
            (rp_row){
                .track = ticks ? KZ_TICKS : KZ_COMMANDS,
                .object = first + (uint32_t)i, /* not shown; its moves have the same */
                .index = tick,
                .time = kz_time_of(tick),
                .present = ticks ? kz_tick_present(d->wire, mask) : mask & known,
                .data = ticks ? (const void *)&d->ticks[i + 1] : (const void *)&d->commands[i + 1],
            });
    }
    d->base.batch.count += d->count;
    return REPRISE_OK;
}

static reprise_status emit_moves(kz_decoder *d, uint32_t first, reprise_error *error)
{
    const kz_moves *moves = d->moves;
    size_t count = d->count ? moves->start[d->count] : 0;
    if (!count)
        return REPRISE_OK;
    RP_TRY(rp_batch_reserve(d->base.replay->context, &d->base.batch, count, error));
    rp_row *to = d->base.batch.rows + d->base.batch.count;
    uint32_t track = d->phase == KZ_PHASE_TICKS ? KZ_SUBTICKS : KZ_COMMAND_SUBTICKS;
    for (size_t i = 0; i < d->count; i++) {
        uint32_t tick = tick_of(d, i);
        for (size_t k = moves->start[i]; k < moves->start[i + 1]; k++)
            rp_row_set(to++, (rp_row){.track = track,
                                      .object = first + (uint32_t)i,
                                      .index = tick,
                                      .time = kz_time_of(tick),
                                      .present = UINT64_MAX,
                                      .data = &moves->items[k]});
    }
    d->base.batch.count += count;
    return REPRISE_OK;
}

static reprise_status emit(kz_decoder *d, uint32_t first, reprise_error *error)
{
    bool ticks = d->phase == KZ_PHASE_TICKS;
    if (rp_selected(&d->base, ticks ? KZ_TICKS : KZ_COMMANDS))
        RP_TRY(emit_records(d, first, error));
    if (wants_moves(d))
        RP_TRY(emit_moves(d, first, error));
    return REPRISE_OK;
}

/* Carries the last record over to the next step. */
static void carry_over(kz_decoder *d)
{
    if (!d->count)
        return;
    d->ticks[0] = d->ticks[d->count];
    d->commands[0] = d->commands[d->count];
}

static reprise_status finish_records(kz_decoder *d, reprise_error *error)
{
    kz_note_unknown_bits(d);
    RP_TRY(kz_section_reader_finish(&d->reader, error));
    if (d->phase == KZ_PHASE_TICKS && rp_selected(&d->base, KZ_TICKS)) {
        kz_replay *replay = (kz_replay *)d->base.replay;
        RP_TRY(rp_skip_damage(&replay->base, &replay->run_damage, error));
    }
    return d->entries ? kz_entries_finish(d->entries, error) : REPRISE_OK;
}

reprise_status kz_step_records(kz_decoder *d, bool *ret_done, reprise_error *error)
{
    if (!d->open) {
        kz_section_kind kind = d->phase == KZ_PHASE_TICKS ? KZ_SECTION_TICKS : KZ_SECTION_COMMANDS;
        if (!kz_has_section((const kz_replay *)d->base.replay, kind)) {
            *ret_done = true;
            return REPRISE_OK;
        }
        RP_TRY(open_records(d, error));
    }
    carry_over(d);
    uint32_t first = d->reader.next;
    if (first == d->reader.section->count) {
        *ret_done = true;
        return finish_records(d, error);
    }
    reprise_status status = kz_read_records(d, RP_MIN(d->reader.section->count - first, KZ_BATCH),
                                            &d->pending);
    d->moves = &d->literal;
    if (d->entries) {
        /* Ticks whose moves are missing are left out as well. */
        reprise_error damage = REPRISE_ERROR_INIT;
        d->count = kz_entries_next(d->entries, &d->base.replay->findings, first, d->count,
                                   &d->moves, &damage);
        if (damage.status != REPRISE_OK && status == REPRISE_OK)
            d->pending = damage;
    }
    return emit(d, first, error);
}
