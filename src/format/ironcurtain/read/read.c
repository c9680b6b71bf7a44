/*
 * read.c - decodes a replay or a save step by step.
 *
 * Keyframes, frames, events, voice and signatures are stored separately. Each kind has a cursor
 * with the next item, and a step emits everything of the smallest waiting tick. Only one piece of
 * each kind is in memory at a time.
 */
#include "read.h"

#include "ironcurtain/container/schema_unknown.h"
#include "seek_cache.h"

/* Most items of one tick in a step: a file may have millions in one tick. */
enum { STEP_ITEMS_MAX = 4096 };

static bool wants(const ic_decoder *d, uint64_t tracks)
{
    return d->base.selection.tracks & tracks;
}

#define TRACK(name) (UINT64_C(1) << IC_T_##name)
#define REST_TRACKS (TRACK(CAMPAIGN) | TRACK(SCRIPTS) | TRACK(VARS))

static void cursor_init(ic_cursor *c, ic_decoder *d, ic_section_kind kind, bool wanted,
                        reprise_error *error)
{
    *c = (ic_cursor){.kind = kind, .ended = !wanted};
    rp_writer_init(&c->bytes, d->base.replay->context, IC_UNIT_MAX + 1, error);
    rp_arena_init(&c->arena, d->base.replay->context);
}

static void cursor_free(ic_cursor *c)
{
    rp_writer_free(&c->bytes);
    rp_arena_free(&c->arena);
}

/* Events of more than this are decoded again by every seek. */
enum { EVENTS_KEPT_MAX = 16 << 20 };

/* Where a decoder that seeks keeps the events of a replay, so that the next one has them. */
static rp_writer *kept_events(const ic_decoder *d, reprise_error *error)
{
    if (!d->base.selection.seeks || d->replay->pieces[IC_EVENTS].count != 1)
        return NULL;
    ic_seek_cache *cache = ic_seek_cache_of(d->replay, error);
    return cache ? &cache->events : NULL;
}

/* Decodes the next piece of a kind; sets `ended` if there is none. */
static reprise_status next_piece(ic_decoder *d, ic_cursor *c, reprise_error *error)
{
    const ic_pieces *list = &d->replay->pieces[c->kind];
    if (c->next == list->count) {
        c->ended = true;
        return REPRISE_OK;
    }
    const char *stream = ic_section_names[c->kind];
    rp_writer *bytes = c->kind == IC_EVENTS ? kept_events(d, error) : NULL;
    RP_TRY(error->status);
    const ic_piece *piece = &list->items[c->next++];
    if (!bytes) {
        bytes = &c->bytes;
        RP_TRY(ic_piece_decode(d->replay, piece, stream, bytes, error));
    } else if (!d->replay->seek_cache->has_events) {
        RP_TRY(ic_piece_decode(d->replay, piece, stream, bytes, error));
        d->replay->seek_cache->has_events = bytes->size <= EVENTS_KEPT_MAX;
    }
    c->reader = rp_reader_of(bytes->data, bytes->size, stream, error);
    return REPRISE_OK;
}

static const ic_piece *this_piece(const ic_decoder *d, const ic_cursor *c)
{
    return &d->replay->pieces[c->kind].items[c->next - 1];
}

static void expect_end(ic_cursor *c)
{
    if (rp_ok(&c->reader) && rp_left(&c->reader))
        rp_fail(&c->reader, REPRISE_E_CORRUPT, "", "%zu trailing bytes", rp_left(&c->reader));
}

/* ---- frames ---- */

static void check_frame(ic_decoder *d, ic_cursor *c)
{
    const ic_piece *piece = this_piece(d, c);
    unsigned long long tick = d->frame.tick;
    if (tick < piece->tick || tick - piece->tick >= d->replay->block_ticks)
        rp_fail(&c->reader, REPRISE_E_CORRUPT, "tick", "frame %llu is outside its block at %llu",
                tick, (unsigned long long)piece->tick);
    else if (tick < d->frame_expected)
        rp_fail(&c->reader, REPRISE_E_CORRUPT, "tick", "frame ticks not ascending at %llu", tick);
    else if (tick >= d->replay->total_ticks)
        rp_fail(&c->reader, REPRISE_E_CORRUPT, "tick", "frame %llu after the last tick", tick);
}

/* Notes that frames are missing between the last frame and this one, or the end. */
static void count_missing(ic_decoder *d, uint64_t tick)
{
    uint64_t missing = tick - d->frame_expected;
    if (!missing)
        return;
    d->missing += missing;
    rp_note(&d->replay->base.findings, IC_FINDING(MISSING_FRAMES), "orders", 0, "",
            "%llu frames missing from tick %llu on", (unsigned long long)missing,
            (unsigned long long)d->frame_expected);
}

static reprise_status end_frames(ic_decoder *d, reprise_error *error)
{
    ic_replay *replay = d->replay;
    if (!d->frames_from_start)
        return REPRISE_OK;
    count_missing(d, replay->total_ticks);
    replay->missing_frames = d->missing;
    if (!d->missing || replay->live || replay->base.salvage || ic_flag(replay, IC_INCOMPLETE))
        return REPRISE_OK;
    rp_error_set(error, REPRISE_E_CORRUPT, "%llu frames missing but INCOMPLETE not set",
                 (unsigned long long)d->missing);
    rp_error_place(error, "orders", 0, "");
    return error->status;
}

/* Decodes a frame of a block with a valid checksum: a failure means unknown types. */
static reprise_status read_frame(ic_decoder *d, ic_cursor *c, reprise_error *error)
{
    const ic_piece *piece = this_piece(d, c);
    c->reader.error = error;
    ic_frame_read(&c->reader, &c->arena, &d->frame);
    bool decoded = rp_ok(&c->reader);
    if (decoded)
        check_frame(d, c);
    bool left_over = rp_ok(&c->reader) && c->left == 1 && rp_left(&c->reader);
    if (--c->left == 0)
        expect_end(c);
    bool outside = decoded && (d->frame.tick < piece->tick ||
                               d->frame.tick - piece->tick >= d->replay->block_ticks);
    if (piece->summed && (!decoded || outside || left_over))
        return ic_schema_unknown(error, "orders", "the block's checksum and LZ4 hold");
    return error->status;
}

reprise_status ic_next_frame(ic_decoder *d, reprise_error *error)
{
    ic_cursor *c = &d->frames;
    rp_arena_reset(&c->arena);
    c->waiting = false;
    while (!c->ended && !c->left) {
        RP_TRY(next_piece(d, c, error));
        if (c->ended)
            return end_frames(d, error);
        c->left = this_piece(d, c)->count;
    }
    if (c->ended)
        return REPRISE_OK;
    RP_TRY(read_frame(d, c, error));
    RP_TRY(ic_frame_check(d->replay, &d->frame, d->base.replay->context, error));
    if (d->frames_from_start)
        count_missing(d, d->frame.tick);
    d->frame_expected = d->frame.tick + 1;
    c->tick = d->frame.tick;
    c->waiting = true;
    return REPRISE_OK;
}

/* ---- events ---- */

/*
 * These sections have no checksum, so damage cannot be distinguished from unknown types. Recovery
 * treats both as damage and leaves the section out.
 */
static reprise_status other_types(const ic_decoder *d, const char *part, reprise_error *error)
{
    if (d->base.replay->salvage)
        return ic_left_out(error, part);
    return ic_schema_unknown(error, part, "bounds and LZ4 hold");
}

static void check_event(ic_decoder *d, ic_cursor *c)
{
    if (c->tick < d->event_tick)
        rp_fail(&c->reader, REPRISE_E_CORRUPT, "tick", "event ticks decrease at %llu",
                (unsigned long long)c->tick);
    d->event_tick = c->tick;
    if (d->event.variant != ic_event_V_UnitPositionSample)
        return;
    const ic_position_sample *sample = d->event.value;
    const ic_unit_position *at = sample->positions.items;
    if (sample->positions.count > IC_SAMPLES_MAX)
        rp_fail(&c->reader, REPRISE_E_LIMIT, "positions", "%zu positions in one event, at most %d",
                sample->positions.count, IC_SAMPLES_MAX);
    for (size_t i = 1; i < sample->positions.count; i++) {
        uint32_t a = (uint32_t)at[i - 1].tag.index << 16 | at[i - 1].tag.generation;
        uint32_t b = (uint32_t)at[i].tag.index << 16 | at[i].tag.generation;
        if (a >= b)
            rp_fail(&c->reader, REPRISE_E_CORRUPT, "positions", "positions do not ascend by tag");
    }
}

/* Whether the next event is of a kind just after the known ones; damage rarely produces these. */
static bool is_of_kind_to_come(const rp_reader *r)
{
    enum { KINDS_FORESEEN = 64 };
    uint32_t kind = rp_left(r) >= sizeof kind ? rp_load32(r->at) : 0;
    return kind >= ic_event.count && kind < KINDS_FORESEEN;
}

static reprise_status read_event(ic_decoder *d, ic_cursor *c, reprise_error *error)
{
    bool is_to_come = is_of_kind_to_come(&c->reader);
    c->reader.error = error;
    d->event_decoded = true;
    rp_bincode_read_sum(&c->reader, &d->event_arenas[d->event_turn], &ic_event, &d->event);
    return is_to_come ? ic_schema_unknown(error, "events", "bounds and LZ4 hold")
                      : other_types(d, "events", error);
}

reprise_status ic_next_event(ic_decoder *d, reprise_error *error)
{
    enum { SMALLEST_EVENT = 12 };
    ic_cursor *c = &d->events;
    c->waiting = false;
    while (!c->ended && !c->left) {
        RP_TRY(next_piece(d, c, error));
        if (c->ended)
            return REPRISE_OK;
        uint64_t declared = rp_u64(&c->reader, "count");
        c->left = rp_count(&c->reader, declared, SMALLEST_EVENT, UINT64_MAX, "events");
        if (!c->left)
            expect_end(c);
        RP_TRY(error->status);
    }
    if (c->ended)
        return REPRISE_OK;
    ic_mark_event(d);
    RP_TRY(read_event(d, c, error));
    c->tick = *(const uint64_t *)d->event.value; /* every kind begins with a tick */
    check_event(d, c);
    if (--c->left == 0)
        expect_end(c);
    c->waiting = true;
    return error->status;
}

reprise_status ic_place_events(ic_decoder *d, uint64_t tick, reprise_error *error)
{
    ic_cursor *c = &d->events;
    ic_event_mark mark;
    d->event_number = 0;
    if (c->ended || !ic_find_event_mark(d, tick, &mark))
        return REPRISE_OK;
    c->next = mark.piece;
    RP_TRY(next_piece(d, c, error));
    rp_skip(&c->reader, mark.offset, "events");
    c->left = mark.left;
    d->event_tick = mark.tick;
    return error->status;
}

/* ---- voice ---- */

static reprise_status open_voice(ic_decoder *d, ic_cursor *c, reprise_error *error)
{
    RP_TRY(next_piece(d, c, error));
    if (c->ended)
        return REPRISE_OK;
    rp_arena_reset(&c->arena);
    d->voices = (ic_voice){0};
    rp_bincode_read(&c->reader, &c->arena, &ic_voice_record, &d->voices);
    expect_end(c);
    RP_TRY(other_types(d, "voice", error));
    if (rp_ok(&c->reader))
        ic_voice_check(&c->reader, &d->voices);
    RP_TRY(error->status);
    const ic_voice_track *tracks = d->voices.tracks.items;
    for (size_t i = 0; i < d->voices.tracks.count; i++)
        c->left += tracks[i].frames.count;
    d->voice_at = rp_arena_array(&c->arena, d->voices.tracks.count, sizeof(size_t), error);
    return error->status;
}

/* Selects the track with the earliest next frame. */
static size_t voice_track(const ic_decoder *d)
{
    const ic_voice_track *tracks = d->voices.tracks.items;
    size_t best = SIZE_MAX;
    uint64_t tick = UINT64_MAX;
    for (size_t i = 0; i < d->voices.tracks.count; i++) {
        if (d->voice_at[i] == tracks[i].frames.count)
            continue;
        uint64_t at = ((const ic_voice_frame *)tracks[i].frames.items)[d->voice_at[i]].tick;
        if (best == SIZE_MAX || at < tick) {
            best = i;
            tick = at;
        }
    }
    return best;
}

reprise_status ic_next_voice(ic_decoder *d, reprise_error *error)
{
    ic_cursor *c = &d->voice;
    c->waiting = false;
    while (!c->ended && !c->left)
        RP_TRY(open_voice(d, c, error));
    if (c->ended)
        return REPRISE_OK;
    d->voice_from = voice_track(d);
    const ic_voice_track *track = (const ic_voice_track *)d->voices.tracks.items + d->voice_from;
    c->tick = ((const ic_voice_frame *)track->frames.items)[d->voice_at[d->voice_from]].tick;
    c->waiting = true;
    return REPRISE_OK;
}

/* ---- signatures ---- */

/* A later seek takes the only record from the chain that an earlier one has loaded. */
static bool take_known_record(ic_decoder *d)
{
    ic_cursor *c = &d->signatures;
    const ic_chain *known = d->base.selection.seeks && !c->next ? ic_only_chain(d->replay) : NULL;
    if (!known)
        return false;
    c->next = 1;
    d->signature = (ic_signature){.chain = {(void *)known->bytes.data, known->count}};
    memcpy(d->signature.relay_public_key, known->key, sizeof known->key);
    d->signature_at = 0;
    return true;
}

reprise_status ic_next_signature(ic_decoder *d, reprise_error *error)
{
    ic_cursor *c = &d->signatures;
    c->waiting = false;
    while (!c->ended && d->signature_at == d->signature.chain.count) {
        if (take_known_record(d))
            continue;
        RP_TRY(next_piece(d, c, error));
        if (c->ended)
            return REPRISE_OK;
        rp_arena_reset(&c->arena);
        d->signature = (ic_signature){0};
        d->signature_at = 0;
        ic_signature_read(&c->reader, &c->arena, &d->signature);
        RP_TRY(error->status);
    }
    if (c->ended)
        return REPRISE_OK;
    c->tick = ((const ic_tick_signature *)d->signature.chain.items)[d->signature_at].tick;
    c->waiting = true;
    return REPRISE_OK;
}

/* ---- steps ---- */

static reprise_status begin_replay(ic_decoder *d, reprise_error *error)
{
    cursor_init(&d->frames, d, IC_ORDERS, wants(d, TRACK(TICKS) | TRACK(ORDERS)), error);
    cursor_init(&d->events, d, IC_EVENTS, wants(d, TRACK(EVENTS)), error);
    cursor_init(&d->voice, d, IC_VOICE, wants(d, TRACK(VOICE)), error);
    cursor_init(&d->signatures, d, IC_SIGNATURE, wants(d, TRACK(SIGNATURES)), error);
    d->frames_from_start = true;
    RP_TRY(ic_loader_init(&d->loader, d->replay, error));
    d->loader.seeks = d->base.selection.seeks;
    ic_match_init(&d->match, d);
    if (!wants(d, TRACK(KEYFRAMES) | IC_STATE_TRACKS))
        d->keyframe = d->replay->pieces[IC_KEYFRAMES].count;
    return REPRISE_OK;
}

reprise_status ic_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    ic_decoder *d = (ic_decoder *)decoder;
    rp_arena_init(&d->rows, decoder->replay->context);
    rp_arena_init(&d->event_arenas[0], decoder->replay->context);
    rp_arena_init(&d->event_arenas[1], decoder->replay->context);
    if (decoder->replay->format->read->replay_size == sizeof(ic_save))
        return ic_save_load((ic_save *)decoder->replay, &d->save, error);
    d->replay = (ic_replay *)decoder->replay;
    return begin_replay(d, error);
}

void ic_decode_end(rp_decoder *decoder)
{
    ic_decoder *d = (ic_decoder *)decoder;
    if (d->replay) {
        cursor_free(&d->frames);
        cursor_free(&d->events);
        cursor_free(&d->voice);
        cursor_free(&d->signatures);
        ic_loader_free(&d->loader);
        ic_simulation_free(&d->driver.simulation);
    } else if (d->save.arena.context) {
        ic_save_state_free(&d->save);
    }
    rp_arena_free(&d->rows);
    rp_arena_free(&d->event_arenas[0]);
    rp_arena_free(&d->event_arenas[1]);
}

/* Whether recovery skips this error; any other is returned. */
static bool survives(ic_decoder *d, reprise_error *error)
{
    if (!d->base.replay->salvage || ic_is_schema_unknown(error) ||
        rp_is_own_failure(d->base.replay->context, error->status))
        return false;
    rp_note_error(&d->base.replay->findings, d->base.replay->format->name, error);
    rp_error_clear(error);
    return true;
}

/*
 * Sections are independent: one of unknown types is left out, and the others are read. Recovery
 * must not write a file without it, so there it is an error.
 */
static bool sets_aside(ic_decoder *d, ic_section_kind kind, reprise_error *error)
{
    if (!ic_is_schema_unknown(error) || d->base.replay->salvage)
        return false;
    ic_note_unknown(d->replay, kind, error);
    if (d->unknown.status == REPRISE_OK)
        d->unknown = *error;
    rp_error_clear(error);
    return true;
}

/* The same for the section of a cursor; ends the cursor. */
static bool ends_aside(ic_decoder *d, ic_cursor *c, reprise_error *error)
{
    if (!sets_aside(d, c->kind, error))
        return false;
    c->ended = true;
    c->waiting = false;
    return true;
}

/* Decodes the next item of a cursor; recovery skips damaged pieces. */
static reprise_status fill_cursor(ic_decoder *d, ic_cursor *c,
                                  reprise_status (*next)(ic_decoder *, reprise_error *),
                                  reprise_error *error)
{
    while (!c->ended && !c->waiting) {
        reprise_status status = next(d, error);
        if (status == REPRISE_OK)
            continue;
        if (ends_aside(d, c, error))
            return REPRISE_OK;
        if (!survives(d, error))
            return status;
        c->left = 0;
        c->waiting = false;
        if (c == &d->signatures)
            d->signature_at = d->signature.chain.count;
    }
    return REPRISE_OK;
}

static reprise_status fill(ic_decoder *d, reprise_error *error)
{
    RP_TRY(fill_cursor(d, &d->frames, ic_next_frame, error));
    RP_TRY(fill_cursor(d, &d->events, ic_next_event, error));
    RP_TRY(fill_cursor(d, &d->voice, ic_next_voice, error));
    return fill_cursor(d, &d->signatures, ic_next_signature, error);
}

static bool smallest_tick(const ic_decoder *d, uint64_t *ret_tick)
{
    const ic_pieces *keyframes = &d->replay->pieces[IC_KEYFRAMES];
    const ic_cursor *cursors[] = {&d->frames, &d->events, &d->voice, &d->signatures};
    bool any = d->keyframe < keyframes->count;
    uint64_t tick = any ? keyframes->items[d->keyframe].tick : UINT64_MAX;
    for (size_t i = 0; i < RP_COUNT(cursors); i++) {
        if (cursors[i]->waiting) {
            any = true;
            tick = RP_MIN(tick, cursors[i]->tick);
        }
    }
    *ret_tick = tick;
    return any;
}

static reprise_status step_keyframe(ic_decoder *d, reprise_error *error)
{
    const ic_piece *piece = &d->replay->pieces[IC_KEYFRAMES].items[d->keyframe];
    reprise_status status = ic_loader_load(&d->loader, d->keyframe, error);
    if (status != REPRISE_OK && sets_aside(d, IC_KEYFRAMES, error)) {
        d->keyframe = d->replay->pieces[IC_KEYFRAMES].count;
        return REPRISE_OK;
    }
    if (status != REPRISE_OK && d->keyframe && survives(d, error)) {
        d->keyframe++;
        return REPRISE_OK;
    }
    RP_TRY(status);
    d->keyframe++;
    if (d->loader.rest.unknown && wants(d, REST_TRACKS) && d->unknown.status == REPRISE_OK)
        d->unknown = d->loader.rest.why;
    if (rp_selected(&d->base, IC_T_KEYFRAMES))
        RP_TRY(ic_emit_keyframe(d, piece, error));
    ic_snapshot snapshot = ic_loader_snapshot(&d->loader);
    ic_state_view view = {
        .core = &d->loader.now.core,
        .delta = piece->is_full || d->base.selection.dense ? NULL : &d->loader.delta.core,
        .before = &d->loader.full.core,
        .campaign = d->loader.has_campaign || d->base.selection.dense ? snapshot.campaign_state
                                                                      : NULL,
        .script = d->loader.has_script || d->base.selection.dense ? snapshot.script_state : NULL,
    };
    return ic_emit_state(d, &view, error);
}

static reprise_status step_events(ic_decoder *d, uint64_t tick, reprise_error *error)
{
    for (size_t i = 0; d->events.waiting && d->events.tick == tick && i < STEP_ITEMS_MAX; i++) {
        ic_event_data *row = rp_arena_alloc(&d->rows, sizeof *row, error);
        if (!row)
            return error->status;
        const char *kind = ic_event.names[d->event.variant];
        *row = (ic_event_data){{d->event}, {{kind, strlen(kind)}}};
        RP_TRY(rp_emit(&d->base, ic_row(d, IC_T_EVENTS, row), error));
        reprise_status status = ic_next_event(d, error);
        if (status == REPRISE_OK || ends_aside(d, &d->events, error))
            continue;
        if (!survives(d, error))
            return status;
        d->events.left = 0;
    }
    return REPRISE_OK;
}

void ic_drop_voice(ic_decoder *d)
{
    d->voice_at[d->voice_from]++;
    d->voice.left--;
    d->voice.waiting = false;
}

static reprise_status step_voice(ic_decoder *d, reprise_error *error)
{
    const ic_voice_track *track = (const ic_voice_track *)d->voices.tracks.items + d->voice_from;
    const ic_voice_frame *frame = (const ic_voice_frame *)track->frames.items +
                                  d->voice_at[d->voice_from];
    ic_voice_data *row = rp_arena_alloc(&d->rows, sizeof *row, error);
    if (!row)
        return error->status;
    *row = (ic_voice_data){{track->player},
                           {frame->opus_data, {frame->target.variant, frame->target.as.player}}};
    ic_drop_voice(d);
    return rp_emit(&d->base, ic_row(d, IC_T_VOICE, row), error);
}

static reprise_status step_signature(ic_decoder *d, reprise_error *error)
{
    const ic_tick_signature *entry = (const ic_tick_signature *)d->signature.chain.items +
                                     d->signature_at++;
    ic_signature_row *row = rp_arena_alloc(&d->rows, sizeof *row, error);
    if (!row)
        return error->status;
    memcpy(row->state_hash, entry->state_hash, sizeof row->state_hash);
    row->skipped_ticks = entry->skipped_ticks;
    memcpy(row->relay_sig, entry->relay_sig, sizeof row->relay_sig);
    d->signatures.waiting = false;
    return rp_emit(&d->base, ic_row(d, IC_T_SIGNATURES, row), error);
}

void ic_forget_rows(ic_decoder *d)
{
    rp_arena_reset(&d->rows);
    if (!d->event_decoded)
        return;
    d->event_turn ^= 1;
    rp_arena_reset(&d->event_arenas[d->event_turn]);
    d->event_decoded = false;
}

/* Errors of unreadable sections are returned after everything readable was emitted. */
static reprise_status at_end(const ic_decoder *d, reprise_error *error)
{
    if (d->unknown.status == REPRISE_OK)
        return REPRISE_END;
    *error = d->unknown;
    return error->status;
}

static reprise_status step_save(ic_decoder *d, reprise_error *error)
{
    if (d->save_done)
        return at_end(d, error);
    d->save_done = true;
    if (d->save.rest.unknown && wants(d, REST_TRACKS))
        d->unknown = d->save.rest.why;
    d->step_tick = d->save.snapshot.core.tick;
    if (rp_selected(&d->base, IC_T_KEYFRAMES))
        RP_TRY(ic_emit_save(d, error));
    ic_state_view view = {.core = &d->save.snapshot.core,
                          .campaign = d->save.snapshot.campaign_state,
                          .script = d->save.snapshot.script_state};
    return ic_emit_state(d, &view, error);
}

static reprise_status step_tables(ic_decoder *d, reprise_error *error)
{
    d->tables_done = true;
    if (!rp_selected(&d->base, IC_T_RESOURCES))
        return REPRISE_OK;
    reprise_status status = ic_emit_resources(d, error);
    if (status == REPRISE_OK || sets_aside(d, IC_EMBEDDED, error))
        return REPRISE_OK;
    (void)ic_left_out(error, "resources");
    if (!survives(d, error))
        return status;
    d->replay->resources_lost = true;
    return REPRISE_OK;
}

/* Emits everything of this tick. */
static reprise_status step_tick(ic_decoder *d, uint64_t tick, reprise_error *error)
{
    if (d->frames.waiting && d->frames.tick == tick) {
        RP_TRY(ic_emit_frame(d, &d->frame, error));
        d->frames.waiting = false;
    }
    RP_TRY(step_events(d, tick, error));
    if (d->voice.waiting && d->voice.tick == tick)
        RP_TRY(step_voice(d, error));
    if (d->signatures.waiting && d->signatures.tick == tick)
        RP_TRY(step_signature(d, error));
    return REPRISE_OK;
}

reprise_status ic_decode_next(rp_decoder *decoder, reprise_error *error)
{
    ic_decoder *d = (ic_decoder *)decoder;
    ic_forget_rows(d);
    if (!d->replay)
        return step_save(d, error);
    if (!d->tables_done)
        return step_tables(d, error);
    if (d->target.pending) {
        RP_TRY(ic_step_seek(d, error));
        return step_tick(d, d->target.tick, error);
    }
    RP_TRY(fill(d, error));
    uint64_t tick;
    if (!smallest_tick(d, &tick))
        return at_end(d, error);
    d->step_tick = tick;
    const ic_pieces *keyframes = &d->replay->pieces[IC_KEYFRAMES];
    if (d->keyframe < keyframes->count && keyframes->items[d->keyframe].tick == tick)
        RP_TRY(step_keyframe(d, error));
    return step_tick(d, tick, error);
}
