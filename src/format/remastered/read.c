/*
 * read.c - frame records into rows. A step is one record. Selection and teams are states, which
 * give a row where they change. read_seek.c finds moments.
 */
#include "read.h"

reprise_status cnc_cursor_open_at(cnc_cursor *cursor, const cnc_replay *replay, uint64_t offset,
                                  reprise_error *error)
{
    cnc_cursor_init(cursor, &replay->header, replay->layout->full, replay->skirmish_gap);
    rp_source *source = replay->base.source;
    uint64_t size = rp_source_size(source);
    const uint8_t *view = rp_source_view(source, 0, (size_t)size);
    if (view) {
        rp_window_init_memory(&cursor->window, view, (size_t)size, "file");
        rp_window_skip(&cursor->window, (size_t)offset);
        return REPRISE_OK;
    }
    rp_stream *stream = NULL;
    RP_TRY(rp_stream_open_range(replay->base.context, source, offset, size - offset, "file",
                                &stream, error));
    rp_window_init_stream(&cursor->window, replay->base.context, stream, "file");
    cursor->window.offset = offset;
    return REPRISE_OK;
}

reprise_status cnc_cursor_open(cnc_cursor *cursor, const cnc_replay *replay, reprise_error *error)
{
    return cnc_cursor_open_at(cursor, replay, replay->header.size, error);
}

reprise_status cnc_decode_begin(rp_decoder *decoder, reprise_error *error)
{
    cnc_decoder *d = (cnc_decoder *)decoder;
    const cnc_replay *replay = (const cnc_replay *)decoder->replay;
    d->selection.objects.items = d->selected;
    return cnc_cursor_open(&d->cursor, replay, error);
}

void cnc_decode_end(rp_decoder *decoder)
{
    cnc_decoder *d = (cnc_decoder *)decoder;
    rp_context *context = decoder->replay->context;
    rp_window_free(&d->cursor.window);
    rp_free(context, d->events, d->event_capacity * sizeof *d->events);
    rp_free(context, d->event_present, d->event_capacity * sizeof *d->event_present);
}

/* ---- what a record changes ---- */

static void take_selection(cnc_decoder *d)
{
    const cnc_game *game = d->cursor.header->game;
    rp_reader r = d->record.selection;
    size_t count = (size_t)d->record.about.selected;
    d->selection_changed = count != d->selection.objects.count;
    for (size_t i = 0; i < count; i++) {
        uint32_t target = cnc_read_target(&r, game);
        d->selection_changed |= target != d->selected[i].target;
        d->selected[i].target = target;
    }
    d->selection.objects.count = count;
}

static void take_teams(cnc_decoder *d)
{
    rp_reader r = d->record.teams;
    d->teams_changed = 0;
    for (uint32_t house = 0; house < CNC_TEAM_HOUSES; house++) {
        cnc_team team;
        rp_plain_read(&r, &cnc_team_record, NULL, cnc_team_record.count, &team);
        if (memcmp(&team, &d->teams[house], sizeof team) == 0)
            continue;
        d->teams[house] = team;
        d->teams_changed |= 1u << house;
    }
}

static reprise_status grow_events(cnc_decoder *d, size_t count, reprise_error *error)
{
    if (count <= d->event_capacity)
        return REPRISE_OK;
    rp_context *context = d->base.replay->context;
    rp_free(context, d->events, d->event_capacity * sizeof *d->events);
    rp_free(context, d->event_present, d->event_capacity * sizeof *d->event_present);
    d->events = NULL;
    d->event_present = NULL;
    d->event_capacity = 0;
    cnc_event *events = rp_alloc(context, count * sizeof *events, error);
    uint64_t *present = rp_alloc(context, count * sizeof *present, error);
    if (!events || !present) {
        rp_free(context, events, events ? count * sizeof *events : 0);
        rp_free(context, present, present ? count * sizeof *present : 0);
        return error->status;
    }
    d->events = events;
    d->event_present = present;
    d->event_capacity = count;
    return REPRISE_OK;
}

static reprise_status take_events(cnc_decoder *d, reprise_error *error)
{
    size_t count = (size_t)d->record.event_count;
    RP_TRY(grow_events(d, count, error));
    rp_reader r = d->record.events;
    r.error = error;
    for (size_t i = 0; i < count; i++) {
        d->events[i] = (cnc_event){0};
        d->event_present[i] = 0;
        cnc_event_read(&r, d->cursor.header->game, &d->events[i], &d->event_present[i]);
    }
    return error->status;
}

static void note_damage(cnc_decoder *d)
{
    static const struct {
        const rp_finding_kind *kind;
        const char *what;
    } damages[] = {
        [CNC_CUT] = {CNC_FINDING(CUT), "record is cut"},
        [CNC_SELECTION_COUNT] = {CNC_FINDING(SELECTION), "selection count is out of range"},
        [CNC_SELECTION_SUM] = {CNC_FINDING(SELECTION_SUM), "selection sum does not match"},
        [CNC_EVENT_COUNT_WRONG] = {CNC_FINDING(EVENT_COUNT), "event count is out of range"},
        [CNC_EVENT_TYPE] = {CNC_FINDING(EVENT_TYPE), "unknown event type"},
        [CNC_EVENT_FRAME] = {CNC_FINDING(EVENT_FRAME), "event is of another frame"},
    };
    const cnc_cursor *c = &d->cursor;
    if (c->damage == CNC_SOUND)
        return;
    rp_note_lost(&d->base.replay->findings, damages[c->damage].kind,
                 c->damage == CNC_CUT ? REPRISE_E_TRUNCATED : REPRISE_E_CORRUPT, "file",
                 c->damage_offset, "", "%s (%lld) in the record of frame %u; the rest is not read",
                 damages[c->damage].what, (long long)c->damage_value, c->frame);
}

reprise_status cnc_pass(cnc_decoder *d, reprise_error *error)
{
    reprise_status status = cnc_cursor_next(&d->cursor, &d->record, error);
    if (status == REPRISE_END)
        note_damage(d);
    return status;
}

reprise_status cnc_step(cnc_decoder *d, reprise_error *error)
{
    RP_TRY(cnc_pass(d, error));
    d->selection_changed = false;
    d->teams_changed = 0;
    if (d->record.has_view) {
        take_selection(d);
        if (!d->cursor.header->game->td)
            take_teams(d);
    }
    return take_events(d, error);
}

/* ---- rows ---- */

static rp_row row_of(const cnc_decoder *d, uint32_t track, const void *data, uint64_t present)
{
    return (rp_row){.track = track,
                    .index = d->record.frame,
                    .time = d->record.time,
                    .present = present,
                    .data = data};
}

static reprise_status emit_record(cnc_decoder *d, reprise_error *error)
{
    bool dense = d->base.selection.dense && d->record.has_view;
    if (rp_selected(&d->base, CNC_FRAMES))
        RP_TRY(rp_emit(&d->base, row_of(d, CNC_FRAMES, &d->record.about, d->record.about_present),
                       error));
    for (size_t i = 0; rp_selected(&d->base, CNC_EVENT_ROWS) && i < (size_t)d->record.event_count;
         i++)
        RP_TRY(rp_emit(&d->base, row_of(d, CNC_EVENT_ROWS, &d->events[i], d->event_present[i]),
                       error));
    if (rp_selected(&d->base, CNC_SELECTIONS) && (d->selection_changed || dense))
        RP_TRY(rp_emit(&d->base, row_of(d, CNC_SELECTIONS, &d->selection, d->selection_changed),
                       error));
    dense = dense && !d->cursor.header->game->td;
    for (uint32_t house = 0; rp_selected(&d->base, CNC_TEAM_ROWS) && house < CNC_TEAM_HOUSES;
         house++) {
        bool changed = d->teams_changed >> house & 1;
        if (!changed && !dense)
            continue;
        rp_row row = row_of(d, CNC_TEAM_ROWS, &d->teams[house], changed ? UINT64_MAX : 0);
        row.object = house;
        RP_TRY(rp_emit(&d->base, row, error));
    }
    return REPRISE_OK;
}

#define HAS(field) (UINT64_C(1) << cnc_player_F_##field)

static void ra_player(const cnc_header *h, size_t i, cnc_player *to, uint64_t *present)
{
    const cnc_ra_node *node = &h->nodes[i];
    *to = (cnc_player){.name = cnc_text(node->name, sizeof node->name),
                       .id = node->id,
                       .house = node->house,
                       .color = node->color,
                       .address = {(const char *)node->address, sizeof node->address},
                       .process_time = node->process_time};
    *present = HAS(name) | HAS(id) | HAS(house) | HAS(color) | HAS(address) | HAS(process_time);
}

/* Only the local player's name is stored; its id says which player that is. */
static void td_player(const cnc_header *h, size_t i, cnc_player *to, uint64_t *present)
{
    uint8_t id = h->td.player_ids[i];
    *to = (cnc_player){.id = id, .house = (int8_t)h->td.player_houses[i], .color = id >> 4};
    *present = HAS(id) | HAS(house) | HAS(color);
    if (id == h->td.local_id || h->td.num_players == 1) {
        to->name = cnc_text(h->td.player_name, sizeof h->td.player_name);
        *present |= HAS(name);
    }
}

static reprise_status emit_players(cnc_decoder *d, reprise_error *error)
{
    const cnc_header *h = d->cursor.header;
    int32_t count = h->game->td ? RP_MIN(h->td.num_players, CNC_TD_PLAYERS)
                                : h->session.player_nodes;
    for (int32_t i = 0; i < count; i++) {
        uint64_t present = 0;
        (h->game->td ? td_player : ra_player)(h, (size_t)i, &d->players[i], &present);
        RP_TRY(rp_emit(&d->base, row_of(d, CNC_PLAYERS, &d->players[i], present), error));
    }
    return REPRISE_OK;
}

reprise_status cnc_decode_next(rp_decoder *decoder, reprise_error *error)
{
    cnc_decoder *d = (cnc_decoder *)decoder;
    if (!d->players_done) {
        d->players_done = true;
        return rp_selected(decoder, CNC_PLAYERS) ? emit_players(d, error) : REPRISE_OK;
    }
    if (!(decoder->selection.tracks & ~(UINT64_C(1) << CNC_PLAYERS)))
        return REPRISE_END;
    RP_TRY(cnc_step(d, error));
    return emit_record(d, error);
}
