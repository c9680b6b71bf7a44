/*
 * read_seek.c - the state at any tick without reading everything again.
 *
 * The first seek stops at its moment; see read_moment.c. The second one unpacks ticks and commands
 * into spools, which are files when they are large, and the moves in use into others. In memory
 * stay the server tick and the number of moves of every record, and the state before every step of
 * at most 256 records: about seven bytes per record. A later seek reads and decodes one such step.
 * Jumps and events are few and are simply read again.
 */
#include "read.h"

/* Where a step of the decoder began, and the state before it. */
typedef struct mark {
    uint32_t row;
    uint64_t offset, moves; /* in the spools */
    union {
        kz_tick tick;
        kz_command command;
    } state;
} mark;

/* Bytes that were written once and are read in pieces. */
typedef struct store {
    rp_sink *sink;
    rp_source *source;
} store;

/* Ticks with their moves, or commands with theirs. */
typedef struct kept {
    store records, moves;
    mark *marks;
    size_t mark_count, mark_capacity;
    uint32_t *ticks; /* server tick of each record */
    size_t count, tick_capacity;
    uint8_t *move_counts; /* of each record; none in layout P */
    size_t move_count_capacity;
    uint64_t move_count;
    reprise_error damage; /* why some are missing; OK if none are */
} kept;

typedef struct kz_seek {
    kept of[2]; /* ticks, commands */
} kz_seek;

const kz_side kz_sides[2] = {
    {KZ_SECTION_TICKS, KZ_PHASE_TICKS, KZ_TICKS, KZ_SUBTICKS},
    {KZ_SECTION_COMMANDS, KZ_PHASE_COMMANDS, KZ_COMMANDS, KZ_COMMAND_SUBTICKS},
};

static void close_store(store *s)
{
    rp_source_close(s->source);
    rp_sink_close(s->sink);
}

static void free_kept(rp_context *context, kept *k)
{
    close_store(&k->records);
    close_store(&k->moves);
    rp_free(context, k->marks, k->mark_capacity * sizeof *k->marks);
    rp_free(context, k->ticks, k->tick_capacity * sizeof *k->ticks);
    rp_free(context, k->move_counts, k->move_count_capacity);
}

void kz_seek_free(kz_replay *replay)
{
    if (!replay->seek)
        return;
    for (size_t i = 0; i < RP_COUNT(kz_sides); i++)
        free_kept(replay->base.context, &replay->seek->of[i]);
    rp_free(replay->base.context, replay->seek, sizeof *replay->seek);
    replay->seek = NULL;
}

/* ---- making the index ---- */

/* Damage ends the index; everything before it can be reached. Anything else is a failure. */
static reprise_status only_damage(kept *k, const reprise_error *damage, reprise_error *error)
{
    bool damaged = damage->status != REPRISE_E_NOMEM && damage->status != REPRISE_E_IO &&
                   damage->status != REPRISE_E_CANCELLED && damage->status != REPRISE_E_LIMIT;
    if (damaged)
        k->damage = *damage;
    else if (error->status == REPRISE_OK)
        *error = *damage;
    return error->status;
}

/* The content of a section as far as it goes. */
static reprise_status store_section(kz_replay *replay, kz_section_kind kind, store *to,
                                    reprise_error *error)
{
    kz_section_reader reader;
    RP_TRY(rp_sink_open_spool(replay->base.context, NULL, &to->sink, error));
    RP_TRY(kz_section_reader_open_whole(replay, kind, &reader, error));
    rp_window *window = &reader.window;
    while (error->status == REPRISE_OK && rp_window_fill(window, 1, error) == REPRISE_OK &&
           rp_window_left(window)) {
        rp_reader r = rp_window_reader(window, error);
        size_t size = rp_left(&r);
        (void)rp_sink_write(to->sink, rp_take(&r, size, "section"), size, error);
        rp_window_skip(window, size);
    }
    if (error->status == REPRISE_OK &&
        rp_is_own_failure(replay->base.context, window->failure.status))
        *error = window->failure;
    kz_section_reader_close(&reader);
    RP_TRY(error->status);
    return rp_sink_reopen(to->sink, &to->source, error);
}

/* The state before the next step. */
static reprise_status add_mark(kept *k, const kz_decoder *d, bool ticks, uint64_t offset,
                               rp_context *context, reprise_error *error)
{
    mark *marks = rp_grow(context, k->marks, k->mark_count + 1, &k->mark_capacity, sizeof *marks,
                          error);
    if (!marks)
        return error->status;
    k->marks = marks;
    mark *to = &k->marks[k->mark_count++];
    *to = (mark){.row = (uint32_t)k->count, .offset = offset, .moves = k->move_count};
    if (ticks)
        to->state.tick = d->ticks[k->count ? d->count : 0];
    else
        to->state.command = d->commands[k->count ? d->count : 0];
    return REPRISE_OK;
}

static reprise_status add_moves(kept *k, const kz_decoder *d, rp_context *context,
                                reprise_error *error)
{
    const kz_moves *moves = d->moves;
    uint8_t *counts = rp_grow(context, k->move_counts, k->count + d->count, &k->move_count_capacity,
                              1, error);
    if (!counts)
        return error->status;
    k->move_counts = counts;
    for (size_t i = 0; i < d->count; i++)
        counts[k->count + i] = (uint8_t)(moves->start[i + 1] - moves->start[i]);
    size_t used = moves->start[d->count];
    k->move_count += used;
    return used ? rp_sink_write(k->moves.sink, moves->items, used * sizeof *moves->items, error)
                : REPRISE_OK;
}

static reprise_status add_step(kept *k, const kz_decoder *d, bool ticks, rp_context *context,
                               reprise_error *error)
{
    uint32_t *numbers = rp_grow(context, k->ticks, k->count + d->count, &k->tick_capacity,
                                sizeof *k->ticks, error);
    if (!numbers)
        return error->status;
    k->ticks = numbers;
    for (size_t i = 0; i < d->count; i++)
        numbers[k->count + i] = ticks ? d->ticks[i + 1].top.server_tick
                                      : d->commands[i + 1].server_tick;
    if (!d->wire->in_place && d->count)
        RP_TRY(add_moves(k, d, context, error));
    k->count += d->count;
    return REPRISE_OK;
}

static reprise_status index_side(kz_decoder *d, kept *k, size_t side, reprise_error *error)
{
    rp_context *context = d->base.replay->context;
    bool done = false, ticks = side == 0;
    d->phase = kz_sides[side].phase;
    kz_first_tick(d->wire, &d->ticks[0]);
    kz_first_command(&d->commands[0]);
    while (!done) {
        reprise_error damage = REPRISE_ERROR_INIT;
        d->base.batch.count = 0;
        RP_TRY(add_mark(k, d, ticks, d->open ? d->reader.window.offset : 0, context, error));
        if (kz_step_records(d, &done, &damage) != REPRISE_OK)
            return only_damage(k, &damage, error);
        d->open = true;
        if (!done)
            RP_TRY(add_step(k, d, ticks, context, error));
        if (d->pending.status != REPRISE_OK)
            return only_damage(k, &d->pending, error);
    }
    return REPRISE_OK;
}

static reprise_status keep_side(kz_replay *replay, size_t side, reprise_error *error)
{
    kept *k = &replay->seek->of[side];
    rp_context *context = replay->base.context;
    if (!kz_has_section(replay, kz_sides[side].section))
        return REPRISE_OK;
    reprise_error damage = REPRISE_ERROR_INIT;
    if (store_section(replay, kz_sides[side].section, &k->records, &damage) != REPRISE_OK)
        return only_damage(k, &damage, error);
    RP_TRY(rp_sink_open_spool(context, NULL, &k->moves.sink, error));
    rp_decoder *scan = NULL;
    rp_selection selection = {.tracks = UINT64_C(1) << kz_sides[side].records |
                                        UINT64_C(1) << kz_sides[side].moves};
    RP_TRY(rp_decoder_open(&replay->base, selection, &scan, error));
    reprise_status status = index_side((kz_decoder *)scan, k, side, error);
    rp_decoder_close(scan);
    RP_TRY(status);
    return rp_sink_reopen(k->moves.sink, &k->moves.source, error);
}

static reprise_status make_seek(kz_replay *replay, reprise_error *error)
{
    replay->seek = rp_alloc_zero(replay->base.context, 1, sizeof *replay->seek, error);
    if (!replay->seek)
        return error->status;
    for (size_t i = 0; i < RP_COUNT(kz_sides); i++) {
        replay->seek->of[i].damage = (reprise_error)REPRISE_ERROR_INIT;
        if (keep_side(replay, i, error) != REPRISE_OK) {
            kz_seek_free(replay);
            return error->status;
        }
    }
    return REPRISE_OK;
}

/* ---- finding a tick ---- */

/* In whole numbers: to a double, all ticks are equally far from a number that is large enough. */
static uint64_t distance(uint32_t a, int64_t b)
{
    return b > (int64_t)a ? (uint64_t)b - a : a - (uint64_t)b;
}

static uint32_t nearest_tick(const kept *k, int64_t tick)
{
    uint32_t nearest = k->ticks[0];
    for (size_t i = 1; i < k->count; i++) {
        if (distance(k->ticks[i], tick) < distance(nearest, tick))
            nearest = k->ticks[i];
    }
    return nearest;
}

static size_t first_of(const kept *k, int64_t tick)
{
    size_t row = 0;
    while (row < k->count && k->ticks[row] != tick)
        row++;
    return row;
}

/* The last tick that is not later than a time; the first one if all are. */
static size_t last_until(const kept *k, double time)
{
    size_t row = 0;
    uint32_t past = 0;
    for (size_t i = 0; i < k->count && past < KZ_MINUTE; i++) {
        bool fits = kz_time_of(k->ticks[i]) <= time;
        row = fits ? i : row;
        past = fits ? 0 : past + 1;
    }
    return row;
}

static reprise_status find_row(const kept *k, reprise_moment moment, size_t *ret_row,
                               reprise_error *error)
{
    if (!k->count)
        return rp_error_set(error, REPRISE_E_USAGE, "the replay has no complete tick");
    size_t row = moment.by_index ? first_of(k, moment.index) : last_until(k, moment.time);
    if (row == k->count)
        return rp_error_set(error, REPRISE_E_USAGE, "there is no tick %lld; the nearest is %u",
                            (long long)moment.index, nearest_tick(k, moment.index));
    *ret_row = row;
    return REPRISE_OK;
}

/* The last mark at or before a row; marks are in ascending order. */
static size_t find_mark(const kept *k, size_t row)
{
    size_t low = 0, high = k->mark_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (k->marks[middle].row <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Decodes one record from the mark before it; it becomes the last of the decoder's. */
static reprise_status read_row(kz_decoder *d, const kept *k, size_t side, size_t row,
                               reprise_error *error)
{
    const kz_replay *replay = (const kz_replay *)d->base.replay;
    size_t number = find_mark(k, row);
    const mark *from = &k->marks[number];
    uint64_t end = number + 1 < k->mark_count ? k->marks[number + 1].offset
                                              : rp_source_size(k->records.source);
    const uint8_t *bytes = NULL;
    uint8_t *spare = NULL;
    size_t size = (size_t)(end - from->offset);
    RP_TRY(rp_source_piece(k->records.source, from->offset, size, &bytes, &spare, error));
    d->phase = kz_sides[side].phase;
    d->reader = (kz_section_reader){.replay = replay,
                                    .kind = kz_sides[side].section,
                                    .section = &replay->sections[kz_sides[side].section],
                                    .next = from->row};
    rp_window_init_memory(&d->reader.window, bytes, size, "seek");
    if (side == 0)
        d->ticks[0] = from->state.tick;
    else
        d->commands[0] = from->state.command;
    reprise_status status = kz_read_records(d, row - from->row + 1, error);
    d->reader.window = (rp_window){0};
    if (spare)
        rp_free(d->base.replay->context, spare, size);
    return status;
}

/* The moves of the record that was read. They live as long as the moment. */
static reprise_status read_moves(kz_decoder *d, const kept *k, size_t row,
                                 const kz_move **ret_moves, size_t *ret_count, reprise_error *error)
{
    size_t count = d->wire->in_place ? d->literal.start[d->count] - d->literal.start[d->count - 1]
                                     : k->move_counts[row];
    kz_move *moves = count ? rp_arena_array(&d->moment, count, sizeof *moves, error) : NULL;
    RP_TRY(error->status);
    *ret_moves = moves;
    *ret_count = count;
    if (!count)
        return REPRISE_OK;
    if (d->wire->in_place) {
        memcpy(moves, d->literal.items + d->literal.start[d->count - 1], count * sizeof *moves);
        return REPRISE_OK;
    }
    const mark *from = &k->marks[find_mark(k, row)];
    uint64_t before = from->moves;
    for (size_t i = from->row; i < row; i++)
        before += k->move_counts[i];
    return rp_source_read(k->moves.source, before * sizeof *moves, moves, count * sizeof *moves,
                          error);
}

/* ---- rows of a moment ---- */

static reprise_status emit_record(kz_decoder *d, const kept *k, size_t side, size_t row,
                                  reprise_error *error)
{
    RP_TRY(read_row(d, k, side, row, error));
    bool ticks = side == 0;
    const void *data = ticks
                           ? kz_moment_copy(d, &d->ticks[d->count], sizeof *d->ticks, error)
                           : kz_moment_copy(d, &d->commands[d->count], sizeof *d->commands, error);
    if (!data)
        return error->status;
    uint64_t mask = d->masks[d->count];
    rp_row to = {.track = kz_sides[side].records,
                 .index = k->ticks[row],
                 .time = kz_time_of(k->ticks[row]),
                 .present = ticks ? kz_tick_present(d->wire, mask)
                                  : mask & rp_masked_bits(&kz_command_record, 0),
                 .data = data};
    RP_TRY(rp_emit(&d->base, to, error));
    const kz_move *moves = NULL;
    size_t count = 0;
    RP_TRY(read_moves(d, k, row, &moves, &count, error));
    for (size_t i = 0; i < count; i++) {
        to.track = kz_sides[side].moves;
        to.object = (uint32_t)row;
        to.present = UINT64_MAX;
        to.data = &moves[i];
        RP_TRY(rp_emit(&d->base, to, error));
    }
    return REPRISE_OK;
}

reprise_status kz_emit_moment(kz_decoder *d, reprise_error *error)
{
    d->phase = KZ_PHASE_END;
    if (d->rows_ahead) {
        d->base.batch.count = d->rows_ahead;
        return REPRISE_OK;
    }
    const kz_seek *seek = ((const kz_replay *)d->base.replay)->seek;
    const kept *commands = &seek->of[1];
    uint32_t tick = seek->of[0].ticks[d->moment_row];
    RP_TRY(emit_record(d, &seek->of[0], 0, d->moment_row, error));
    RP_TRY(rp_skip_damage(d->base.replay, &commands->damage, error));
    uint32_t past = 0;
    for (size_t i = 0; i < commands->count && past < KZ_MINUTE; i++) {
        past = commands->ticks[i] > tick ? past + 1 : 0;
        if (commands->ticks[i] == tick)
            RP_TRY(emit_record(d, commands, 1, i, error));
    }
    return kz_emit_happenings(d, tick, error);
}

reprise_status kz_decode_seek(rp_decoder *decoder, reprise_moment moment, reprise_error *error)
{
    kz_decoder *d = (kz_decoder *)decoder;
    kz_replay *replay = (kz_replay *)decoder->replay;
    bool first = !replay->seek_done && !decoder->replay->salvage, found = false;
    replay->seek_done = true;
    d->rows_ahead = 0;
    if (first)
        RP_TRY(kz_find_moment(d, moment, &found, error));
    if (!found && !replay->seek)
        RP_TRY(make_seek(replay, error));
    kz_close_phase(d);
    d->open = false;
    d->phase = KZ_PHASE_MOMENT;
    if (found)
        return REPRISE_OK;
    const kept *ticks = &replay->seek->of[0];
    /*
     * Each record is stored as its difference from the one before, so a wrong bit shows only where
     * a later record makes no sense. No record of such a section can be vouched for.
     */
    RP_TRY(rp_skip_damage(decoder->replay, &ticks->damage, error));
    return find_row(ticks, moment, &d->moment_row, error);
}
