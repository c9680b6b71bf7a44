/*
 * read_moment.c - one moment of a recording, which is read up to there and a minute further.
 *
 * A wrong bit shows only where a later record makes no sense, so the minute after the moment is
 * read as well. Damage in it, or before it, means that the recording must be read completely to say
 * what can be vouched for; see read_seek.c.
 */
#include "read.h"

/* ---- rows that live as long as the moment ---- */

void *kz_moment_copy(kz_decoder *d, const void *from, size_t size, reprise_error *error)
{
    void *to = rp_arena_alloc(&d->moment, size, error);
    if (to)
        memcpy(to, from, size);
    return to;
}

static size_t row_size(const rp_track *track)
{
    const rp_part *last = &track->parts[track->part_count - 1];
    return last->offset + last->record->size;
}

/* A copy of a row that lives as long as the moment, with its texts. */
static reprise_status emit_copy(kz_decoder *d, const rp_row *row, reprise_error *error)
{
    const rp_track *track = &kz_tracks[row->track];
    char *data = kz_moment_copy(d, row->data, row_size(track), error);
    for (size_t p = 0; data && p < track->part_count; p++) {
        const rp_part *part = &track->parts[p];
        for (size_t i = 0; i < part->record->count; i++) {
            const rp_field *field = &part->record->fields[i];
            if (field->kind != RP_TEXT && field->kind != RP_BYTES)
                continue;
            rp_text *text = rp_at(field, data + part->offset);
            if (text->data)
                text->data = rp_arena_text(&d->moment, text->data, text->size, error);
        }
    }
    if (!data || error->status != REPRISE_OK)
        return error->status;
    rp_row copy = *row;
    copy.data = data;
    return rp_emit(&d->base, copy, error);
}

/* Jumps, events and weapon changes of this tick. Damage is noted: the lost ones may be of it, too.
 */
reprise_status kz_emit_happenings(kz_decoder *d, int64_t tick, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << KZ_WEAPON_EVENTS | UINT64_C(1) << KZ_JUMPS |
                                        UINT64_C(1) << KZ_STRAFES | UINT64_C(1) << KZ_AIRCALLS |
                                        UINT64_C(1) << KZ_EVENTS};
    rp_decoder *few = NULL;
    RP_TRY(rp_decoder_open(d->base.replay, selection, &few, error));
    reprise_error damage = REPRISE_ERROR_INIT;
    while (error->status == REPRISE_OK && rp_decoder_next(few, &damage) == REPRISE_OK) {
        for (size_t i = 0; i < few->batch.count && error->status == REPRISE_OK; i++) {
            if (few->batch.rows[i].index == tick)
                (void)emit_copy(d, &few->batch.rows[i], error);
        }
    }
    rp_decoder_close(few);
    return rp_skip_damage(d->base.replay, &damage, error);
}

/* ---- the search ---- */

typedef struct search {
    kz_decoder *d; /* gets the rows of the moment */
    size_t side;
    reprise_moment moment;
    bool any;      /* rows were kept */
    uint32_t past; /* records after the moment, one after the other */
} search;

/* Keeps a record and its moves. The moves of a batch follow all of its records. */
static reprise_status keep(search *s, const rp_batch *batch, size_t records, const rp_row *record,
                           reprise_error *error)
{
    s->any = true;
    RP_TRY(emit_copy(s->d, record, error));
    for (size_t i = records; i < batch->count; i++) {
        if (batch->rows[i].object == record->object)
            RP_TRY(emit_copy(s->d, &batch->rows[i], error));
    }
    return REPRISE_OK;
}

/* The first tick of that number, or the last one that is not later. */
static reprise_status look_at_ticks(search *s, const rp_batch *batch, size_t records,
                                    reprise_error *error)
{
    bool by_index = s->moment.by_index;
    const rp_row *best = NULL;
    for (size_t i = 0; i < records && s->past < KZ_MINUTE; i++) {
        const rp_row *row = &batch->rows[i];
        bool known = s->any || best;
        bool fits = by_index ? !known && row->index == s->moment.index
                             : row->time <= s->moment.time;
        s->past = !fits && (known || !by_index) ? s->past + 1 : 0;
        if (fits || !(known || by_index)) /* before the first tick there is only that one */
            best = row;
    }
    if (!best)
        return REPRISE_OK;
    s->d->base.batch.count = 0; /* an earlier tick is no longer the last one */
    rp_arena_reset(&s->d->moment);
    return keep(s, batch, records, best, error);
}

static reprise_status look_at_commands(search *s, const rp_batch *batch, size_t records,
                                       reprise_error *error)
{
    for (size_t i = 0; i < records && s->past < KZ_MINUTE; i++) {
        const rp_row *row = &batch->rows[i];
        s->past = row->index > s->moment.index ? s->past + 1 : 0;
        if (row->index == s->moment.index)
            RP_TRY(keep(s, batch, records, row, error));
    }
    return REPRISE_OK;
}

static reprise_status look_at(search *s, const rp_batch *batch, reprise_error *error)
{
    size_t records = 0;
    while (records < batch->count && batch->rows[records].track == kz_sides[s->side].records)
        records++;
    return s->side == 0 ? look_at_ticks(s, batch, records, error)
                        : look_at_commands(s, batch, records, error);
}

static reprise_status read_side(search *s, reprise_error *damage, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << kz_sides[s->side].records |
                                        UINT64_C(1) << kz_sides[s->side].moves};
    rp_decoder *scan = NULL;
    RP_TRY(rp_decoder_open(s->d->base.replay, selection, &scan, error));
    reprise_status status = REPRISE_OK;
    while (status == REPRISE_OK && s->past < KZ_MINUTE) {
        status = rp_decoder_next(scan, damage);
        if (status == REPRISE_OK)
            status = look_at(s, &scan->batch, error);
    }
    if (status == REPRISE_OK)
        kz_note_unknown_bits((kz_decoder *)scan);
    rp_decoder_close(scan);
    return error->status;
}

/* Ticks first: commands and happenings are those of the tick. */
static reprise_status read_moment(kz_decoder *d, reprise_moment moment, reprise_error *damage,
                                  reprise_error *error)
{
    search ticks = {.d = d, .side = 0, .moment = moment};
    RP_TRY(read_side(&ticks, damage, error));
    if (!ticks.any || damage->status != REPRISE_OK)
        return REPRISE_OK;
    int64_t tick = d->base.batch.rows[0].index;
    search commands = {.d = d, .side = 1, .moment = {.by_index = true, .index = tick}};
    RP_TRY(read_side(&commands, damage, error));
    return damage->status == REPRISE_OK ? kz_emit_happenings(d, tick, error) : REPRISE_OK;
}

reprise_status kz_find_moment(kz_decoder *d, reprise_moment moment, bool *ret_found,
                              reprise_error *error)
{
    kz_replay *replay = (kz_replay *)d->base.replay;
    reprise_error damage = REPRISE_ERROR_INIT;
    rp_finding *noted = replay->base.findings.last;
    RP_TRY(read_moment(d, moment, &damage, error));
    if (rp_is_own_failure(replay->base.context, damage.status)) {
        *error = damage;
        return error->status;
    }
    *ret_found = damage.status == REPRISE_OK && d->base.batch.count;
    if (*ret_found) {
        d->rows_ahead = d->base.batch.count;
        return rp_skip_damage(d->base.replay, &replay->run_damage, error);
    }
    rp_findings_rewind(&replay->base.findings, noted);
    d->base.batch.count = 0;
    rp_arena_reset(&d->moment);
    return REPRISE_OK;
}
