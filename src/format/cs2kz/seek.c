/*
 * seek.c - the state at any tick without reading everything again.
 *
 * The first seek keeps the decompressed ticks and commands, the moves in use, the server tick of
 * every record, and the state in front of every step of 256 records; a later one decodes at most so
 * many. Jumps and events are few and are simply read again.
 */
#include "read.h"

/* Where a step of the decoder began, and the state in front of it. */
typedef struct mark {
    uint32_t row;
    uint64_t offset;
    kz_tick tick;
    kz_command command;
} mark;

/* Ticks with their moves, or commands with theirs. */
typedef struct kept {
    kz_lane lane; /* its window holds the whole section */
    mark *marks;
    size_t mark_count, mark_capacity;
    uint32_t *ticks; /* server tick of each record */
    size_t count, tick_capacity;
    kz_move *moves;
    size_t move_count, move_capacity;
    size_t *starts; /* of the moves of each record */
    size_t start_capacity;
} kept;

typedef struct kz_seek {
    kept of[2]; /* ticks, commands */
} kz_seek;

static const struct {
    kz_section_kind section;
    kz_phase phase;
    uint32_t records, moves;
} sides[2] = {
    {KZ_SECTION_TICKS, KZ_PHASE_TICKS, KZ_TICKS, KZ_SUBTICKS},
    {KZ_SECTION_COMMANDS, KZ_PHASE_COMMANDS, KZ_COMMANDS, KZ_COMMAND_SUBTICKS},
};

static void *grow(rp_context *context, void *items, size_t need, size_t *capacity, size_t size,
                  reprise_error *error)
{
    if (items && need <= *capacity)
        return items;
    size_t more = RP_MAX(*capacity * 2, RP_MAX(need, 1024));
    void *memory = rp_realloc(context, items, *capacity * size, more * size, error);
    if (memory)
        *capacity = more;
    return memory;
}

static void free_kept(rp_context *context, kept *k)
{
    kz_lane_close(&k->lane);
    rp_free(context, k->marks, k->mark_capacity * sizeof *k->marks);
    rp_free(context, k->ticks, k->tick_capacity * sizeof *k->ticks);
    rp_free(context, k->moves, k->move_capacity * sizeof *k->moves);
    rp_free(context, k->starts, k->start_capacity * sizeof *k->starts);
}

void kz_seek_free(kz_replay *replay)
{
    if (!replay->seek)
        return;
    for (size_t i = 0; i < RP_COUNT(sides); i++)
        free_kept(replay->base.context, &replay->seek->of[i]);
    rp_free(replay->base.context, replay->seek, sizeof *replay->seek);
    replay->seek = NULL;
}

/* ---- making the index ---- */

static reprise_status add_mark(kept *k, const kz_decoder *d, rp_context *context,
                               reprise_error *error)
{
    mark *marks = grow(context, k->marks, k->mark_count + 1, &k->mark_capacity, sizeof *marks,
                       error);
    if (!marks)
        return error->status;
    k->marks = marks;
    k->marks[k->mark_count++] = (mark){.row = (uint32_t)k->count,
                                       .offset = d->lane.window.offset,
                                       .tick = d->ticks[d->count],
                                       .command = d->commands[d->count]};
    return REPRISE_OK;
}

static reprise_status add_step(kept *k, const kz_decoder *d, bool ticks, rp_context *context,
                               reprise_error *error)
{
    void *memory = grow(context, k->ticks, k->count + d->count, &k->tick_capacity, sizeof *k->ticks,
                        error);
    if (!memory)
        return error->status;
    k->ticks = memory;
    memory = grow(context, k->starts, k->count + d->count + 1, &k->start_capacity,
                  sizeof *k->starts, error);
    if (!memory)
        return error->status;
    k->starts = memory;
    memory = grow(context, k->moves, k->move_count + d->moves.count, &k->move_capacity,
                  sizeof *k->moves, error);
    if (!memory)
        return error->status;
    k->moves = memory;
    for (size_t i = 0; i < d->count; i++) {
        k->ticks[k->count + i] = ticks ? d->ticks[i + 1].top.server_tick
                                       : d->commands[i + 1].server_tick;
        k->starts[k->count + i] = k->move_count + d->moves.start[i];
    }
    if (d->moves.count)
        memcpy(k->moves + k->move_count, d->moves.items, d->moves.count * sizeof *k->moves);
    k->count += d->count;
    k->move_count += d->moves.count;
    k->starts[k->count] = k->move_count;
    return REPRISE_OK;
}

/* Steps through the section. Damage ends the index; what is in front of it can be reached. */
static reprise_status index_side(kz_decoder *d, kept *k, size_t side, reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    bool done = false;
    d->phase = sides[side].phase;
    while (!done) {
        reprise_error damage = REPRISE_ERROR_INIT;
        d->base.batch.count = 0;
        bool first = !d->open;
        if (!first)
            RP_TRY(add_mark(k, d, context, error));
        if (kz_step_records(d, &done, &damage) != REPRISE_OK || (done && first))
            return damage.status == REPRISE_E_NOMEM ? (*error = damage, damage.status) : REPRISE_OK;
        d->open = true;
        if (first) {
            k->marks = grow(context, k->marks, 1, &k->mark_capacity, sizeof *k->marks, error);
            if (!k->marks)
                return error->status;
            k->marks[k->mark_count] = (mark){0};
            kz_first_tick(d->wire, &k->marks[k->mark_count].tick);
            kz_first_command(&k->marks[k->mark_count++].command);
        }
        if (!done)
            RP_TRY(add_step(k, d, side == 0, context, error));
        if (d->pending.status != REPRISE_OK)
            return REPRISE_OK;
    }
    return REPRISE_OK;
}

static reprise_status keep_side(kz_replay *replay, size_t side, reprise_error *error)
{
    kept *k = &replay->seek->of[side];
    if (!kz_has_section(replay, sides[side].section))
        return REPRISE_OK;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (kz_lane_open(replay, sides[side].section, &k->lane, &damage) != REPRISE_OK)
        return damage.status == REPRISE_E_NOMEM ? (*error = damage, damage.status) : REPRISE_OK;
    RP_TRY(rp_window_fill(&k->lane.window, (size_t)k->lane.section->size + 1, error));
    rp_decoder *scan = NULL;
    rp_selection selection = {.tracks = UINT64_C(1) << sides[side].records |
                                        UINT64_C(1) << sides[side].moves};
    RP_TRY(rp_decoder_open(&replay->base, selection, &scan, error));
    reprise_status status = index_side((kz_decoder *)scan, k, side, error);
    rp_decoder_close(scan);
    return status;
}

static reprise_status make_seek(kz_replay *replay, reprise_error *error)
{
    replay->seek = rp_alloc_zero(replay->base.context, 1, sizeof *replay->seek, error);
    if (!replay->seek)
        return error->status;
    for (size_t i = 0; i < RP_COUNT(sides); i++) {
        if (keep_side(replay, i, error) != REPRISE_OK) {
            kz_seek_free(replay);
            return error->status;
        }
    }
    return REPRISE_OK;
}

/* ---- finding a tick ---- */

static reprise_status find_row(const kept *k, reprise_moment moment, size_t *ret_row,
                               reprise_error *error)
{
    if (!k->count)
        return rp_error_set(error, REPRISE_E_USAGE, "the replay has no complete tick");
    size_t row = 0;
    bool found = false;
    /* Server ticks need not rise: a recording may be put together from several. */
    for (size_t i = 0; i < k->count && !(moment.by_index && found); i++) {
        bool fits = moment.by_index ? k->ticks[i] == moment.index
                                    : kz_time_of(k->ticks[i]) <= moment.time;
        row = fits ? i : row;
        found = found || fits;
    }
    if (moment.by_index && !found)
        return rp_error_set(error, REPRISE_E_USAGE, "tick %lld is not there; it begins with %u",
                            (long long)moment.index, k->ticks[0]);
    *ret_row = row;
    return REPRISE_OK;
}

/* Decodes one record from the mark in front of it, into the first place behind [0]. */
static reprise_status read_row(kz_decoder *d, const kept *k, size_t side, size_t row,
                               reprise_error *error)
{
    const mark *from = &k->marks[0];
    for (size_t i = 0; i < k->mark_count && k->marks[i].row <= row; i++)
        from = &k->marks[i];
    const rp_window *all = &k->lane.window;
    d->phase = sides[side].phase;
    d->lane = (kz_lane){.replay = k->lane.replay,
                        .kind = sides[side].section,
                        .section = k->lane.section,
                        .next = from->row};
    rp_window_init_memory(&d->lane.window, all->base, all->end, all->name);
    rp_window_skip(&d->lane.window, (size_t)from->offset);
    d->ticks[0] = from->tick;
    d->commands[0] = from->command;
    return kz_read_records(d, row - from->row + 1, error);
}

/* ---- rows of a moment ---- */

static void *copy_of(kz_decoder *d, const void *from, size_t size, reprise_error *error)
{
    void *to = rp_arena_alloc(&d->moment, size, error);
    if (to)
        memcpy(to, from, size);
    return to;
}

static reprise_status emit_record(kz_decoder *d, const kept *k, size_t side, size_t row,
                                  reprise_error *error)
{
    RP_TRY(read_row(d, k, side, row, error));
    bool ticks = side == 0;
    const void *data = ticks ? copy_of(d, &d->ticks[d->count], sizeof *d->ticks, error)
                             : copy_of(d, &d->commands[d->count], sizeof *d->commands, error);
    if (!data)
        return error->status;
    uint64_t mask = d->masks[d->count];
    rp_row to = {.track = sides[side].records,
                 .index = k->ticks[row],
                 .time = kz_time_of(k->ticks[row]),
                 .present = ticks ? kz_tick_present(d->wire, mask)
                                  : mask & rp_masked_bits(&kz_command_record, 0),
                 .data = data};
    RP_TRY(rp_emit(&d->base, to, error));
    for (size_t i = k->starts[row]; i < k->starts[row + 1]; i++) {
        to.track = sides[side].moves;
        to.object = (uint32_t)row;
        to.present = UINT64_MAX;
        to.data = &k->moves[i];
        RP_TRY(rp_emit(&d->base, to, error));
    }
    return REPRISE_OK;
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
    char *data = copy_of(d, row->data, row_size(track), error);
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

/* Jumps, events and weapon changes of this tick. Damage further on is not the moment's concern. */
static reprise_status emit_happenings(kz_decoder *d, int64_t tick, reprise_error *error)
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
    return error->status;
}

reprise_status kz_emit_moment(kz_decoder *d, reprise_error *error)
{
    const kz_seek *seek = ((const kz_replay *)d->base.replay)->seek;
    const kept *commands = &seek->of[1];
    uint32_t tick = seek->of[0].ticks[d->moment_row];
    RP_TRY(emit_record(d, &seek->of[0], 0, d->moment_row, error));
    for (size_t i = 0; i < commands->count; i++) {
        if (commands->ticks[i] == tick)
            RP_TRY(emit_record(d, commands, 1, i, error));
    }
    d->phase = KZ_PHASE_END;
    return emit_happenings(d, tick, error);
}

reprise_status kz_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    kz_decoder *d = (kz_decoder *)decoder;
    kz_replay *replay = (kz_replay *)decoder->replay;
    if (!replay->seek)
        RP_TRY(make_seek(replay, error));
    RP_TRY(find_row(&replay->seek->of[0], moment, &d->moment_row, error));
    kz_lane_close(&d->lane);
    kz_lane_close(&d->moves_lane);
    d->open = false;
    d->phase = KZ_PHASE_MOMENT;
    return REPRISE_OK;
}
