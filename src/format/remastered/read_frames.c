/*
 * read_frames.c - the iterator over frame records, and the events in them.
 *
 * Nothing marks where a record begins, so the first one that makes no sense ends the recording.
 * Events are checked with their record and decoded on demand.
 */
#include "remastered.h"

enum {
    VIEW_HEAD = 12, /* coordinate, count, sum */
    RA_VIEW_REST = 3 + CNC_TEAM_DATA + 3,
    COUNT_SIZE = 4,
};

/* ---- which frames have what ---- */

static bool plays_alone(const cnc_header *h)
{
    return h->type == CNC_SESSION_NORMAL || h->type == h->game->skirmish;
}

static bool has_events(const cnc_cursor *c)
{
    const cnc_header *h = c->header;
    if (h->type == CNC_SESSION_NORMAL)
        return true;
    if (h->type == h->game->skirmish)
        return c->frame != 0 || !c->skirmish_gap;
    if (c->frame == 0)
        return false;
    return h->comm_protocol != CNC_MULTI_FRAME || h->frame_send_rate == 0 ||
           c->frame % h->frame_send_rate == 0;
}

/* The distance to the next frame that may have a record. */
static uint32_t frame_step(const cnc_cursor *c)
{
    const cnc_header *h = c->header;
    if (!c->full && !plays_alone(h) && h->comm_protocol == CNC_MULTI_FRAME &&
        h->frame_send_rate > 1)
        return h->frame_send_rate - c->frame % h->frame_send_rate;
    return 1;
}

static void advance(cnc_cursor *c)
{
    uint32_t step = frame_step(c);
    c->frame += step;
    c->clock += (uint64_t)step * c->speed;
}

void cnc_cursor_init(cnc_cursor *c, const cnc_header *header, bool full, bool skirmish_gap)
{
    *c = (cnc_cursor){.header = header,
                      .full = full,
                      .skirmish_gap = skirmish_gap,
                      .speed = RP_MAX(header->game_speed, 1)};
    if (!c->full && !has_events(c))
        advance(c); /* frame 0 of sessions with several players */
}

uint32_t cnc_first_frame(const cnc_replay *replay)
{
    cnc_cursor c;
    cnc_cursor_init(&c, &replay->header, replay->layout->full, replay->skirmish_gap);
    return c.frame;
}

/* ---- events ---- */

uint32_t cnc_read_target(rp_reader *r, const cnc_game *game)
{
    return game->td ? rp_u16(r, "target") : rp_u32(r, "target");
}

uint32_t cnc_event_frame(const cnc_game *game, uint32_t word)
{
    return word & ((1u << game->frame_bits) - 1);
}

uint32_t cnc_event_house(const cnc_game *game, uint32_t word)
{
    return word >> game->frame_bits & ((1u << game->house_bits) - 1);
}

int cnc_event_of(const cnc_game *game, uint8_t type)
{
    if (!game->td)
        return type < CNC_EVENT_COUNT ? type : -1;
    for (int i = 0; i < CNC_EVENT_COUNT; i++) {
        if (cnc_event_types[i].td == type)
            return i;
    }
    return -1;
}

static void read_members(rp_reader *r, const cnc_game *game, cnc_event *event, uint64_t *present)
{
    const uint8_t *members = cnc_event_types[event->event].members;
    for (size_t i = 0; i < CNC_MEMBERS_MAX && members[i]; i++) {
        const rp_field *field = &cnc_event_record.fields[members[i] - 1];
        if (field->kind == RP_BYTES)
            event->flags = (rp_text){(const char *)rp_take(r, game->special_used, field->name),
                                     game->special_used};
        else if (field->tag == CNC_TARGET)
            *(uint32_t *)rp_at(field, event) = cnc_read_target(r, game);
        else
            rp_value_read(r, field, rp_at(field, event));
        *present |= UINT64_C(1) << (members[i] - 1);
    }
}

void cnc_event_read(rp_reader *r, const cnc_game *game, cnc_event *event, uint64_t *present)
{
    rp_reader whole = *r;
    rp_reader one = rp_sub(r, game->event_size, "event");
    event->type = rp_u8(&one, "type");
    uint32_t word = rp_u32(&one, "frame");
    int number = cnc_event_of(game, event->type);
    if (!rp_ok(r) || number < 0)
        return;
    event->event = (uint8_t)number;
    event->house = (uint8_t)cnc_event_house(game, word);
    event->executed = word >> 31;
    *present |= UINT64_C(1) << cnc_event_F_type | UINT64_C(1) << cnc_event_F_event |
                UINT64_C(1) << cnc_event_F_house | UINT64_C(1) << cnc_event_F_executed |
                UINT64_C(1) << cnc_event_F_raw;
    if (game->td) {
        event->mplayer_id = rp_u8(&one, "mplayer_id");
        *present |= UINT64_C(1) << cnc_event_F_mplayer_id;
    }
    read_members(&one, game, event, present);
    event->raw = (rp_text){(const char *)rp_take(&whole, game->event_size, "event"),
                           game->event_size};
}

/* ---- records ---- */

static bool wrong(cnc_cursor *c, cnc_damage damage, int64_t value, uint64_t offset)
{
    c->damage = damage;
    c->damage_value = value;
    c->damage_offset = offset;
    return false;
}

/* Makes n bytes from the start of the record available; false at the end of the file. */
static bool reach(cnc_cursor *c, size_t n, reprise_error *error)
{
    if (rp_window_left(&c->window) < n && rp_window_fill(&c->window, n, error) != REPRISE_OK)
        return false;
    return rp_window_left(&c->window) >= n || wrong(c, CNC_CUT, 0, c->window.offset);
}

/* A reader at `at` bytes from the start of the record. */
static rp_reader reader_at(const cnc_cursor *c, size_t at, reprise_error *error)
{
    rp_reader r = rp_window_reader(&c->window, error);
    rp_skip(&r, at, "record");
    return r;
}

#define SET(field) (UINT64_C(1) << cnc_frame_F_##field)

static void read_ra_view(rp_reader *r, cnc_record *record)
{
    cnc_frame *about = &record->about;
    about->team_event = (int8_t)rp_u8(r, "team_event");
    about->team_number = (int8_t)rp_u8(r, "team_number");
    about->formation_event = (int8_t)rp_u8(r, "formation_event");
    record->teams = rp_sub(r, CNC_TEAM_DATA, "team data");
    about->form_move = rp_u8(r, "form_move");
    about->form_speed = (int8_t)rp_u8(r, "form_speed");
    about->form_max_speed = rp_u8(r, "form_max_speed");
    record->about_present |= SET(team_event) | SET(team_number) | SET(formation_event) |
                             SET(form_move) | SET(form_speed) | SET(form_max_speed);
}

/* Reads the view at the start of the record and advances *at past it. */
static bool read_view(cnc_cursor *c, cnc_record *record, size_t *at, reprise_error *error)
{
    const cnc_game *game = c->header->game;
    if (!reach(c, VIEW_HEAD, error))
        return false;
    rp_reader r = reader_at(c, 0, error);
    record->about.coord = rp_u32(&r, "coord");
    int32_t count = rp_i32(&r, "selected");
    uint32_t sum = rp_u32(&r, "sum"), found = 0;
    if (count < 0 || count > CNC_SELECTED_MAX)
        return wrong(c, CNC_SELECTION_COUNT, count, r.offset - 8);
    size_t size = VIEW_HEAD + (size_t)count * game->target_size + (game->td ? 0 : RA_VIEW_REST);
    if (!reach(c, size, error))
        return false;
    r = reader_at(c, VIEW_HEAD, error);
    record->selection = rp_sub(&r, (size_t)count * game->target_size, "selected");
    rp_reader targets = record->selection;
    for (int32_t i = 0; i < count; i++)
        found += cnc_read_target(&targets, game);
    if (found != sum)
        return wrong(c, CNC_SELECTION_SUM, sum, record->offset + 8);
    record->has_view = true;
    record->about.selected = count;
    record->about_present |= SET(coord) | SET(selected);
    if (!game->td)
        read_ra_view(&r, record);
    *at = size;
    return true;
}

/* A new speed applies from the next frame on. 0 is as fast as the clock. */
static void change_speed(cnc_cursor *c, rp_reader *event)
{
    if (c->header->game->td)
        rp_skip(event, 1, "mplayer_id");
    int32_t speed = rp_i32(event, "value");
    if (speed >= 0)
        c->speed = (uint32_t)RP_MAX(speed, 1);
}

static bool check_events(cnc_cursor *c, const cnc_record *record)
{
    const cnc_game *game = c->header->game;
    rp_reader r = record->events;
    for (int32_t i = 0; i < record->event_count; i++) {
        rp_reader one = rp_sub(&r, game->event_size, "event");
        uint64_t offset = one.offset;
        uint8_t type = rp_u8(&one, "type");
        uint32_t word = rp_u32(&one, "frame");
        int number = cnc_event_of(game, type);
        if (number < 0)
            return wrong(c, CNC_EVENT_TYPE, type, offset);
        if (cnc_event_frame(game, word) != cnc_event_frame(game, c->frame))
            return wrong(c, CNC_EVENT_FRAME, cnc_event_frame(game, word), offset);
        if (number == CNC_GAMESPEED)
            change_speed(c, &one);
    }
    return true;
}

static bool read_events(cnc_cursor *c, cnc_record *record, size_t *at, reprise_error *error)
{
    if (!reach(c, *at + COUNT_SIZE, error))
        return false;
    rp_reader r = reader_at(c, *at, error);
    int32_t count = rp_i32(&r, "events");
    if (count < 0 || count > CNC_EVENTS_MAX)
        return wrong(c, CNC_EVENT_COUNT_WRONG, count, r.offset - COUNT_SIZE);
    size_t size = (size_t)count * c->header->game->event_size;
    size_t view = *at;
    *at += COUNT_SIZE + size;
    if (!reach(c, *at, error))
        return false;
    r = reader_at(c, view + COUNT_SIZE, error);
    record->events = rp_sub(&r, size, "events");
    record->event_count = record->about.events = count;
    record->about_present |= SET(events);
    record->has_events = true;
    return check_events(c, record);
}

/* Reading more bytes may have moved the window, and the view with it. */
static void place_view(const cnc_cursor *c, cnc_record *record, reprise_error *error)
{
    rp_reader r = reader_at(c, VIEW_HEAD, error);
    record->selection = rp_sub(&r, (size_t)record->about.selected * c->header->game->target_size,
                               "selected");
    if (!c->header->game->td) {
        rp_skip(&r, 3, "team event");
        record->teams = rp_sub(&r, CNC_TEAM_DATA, "team data");
    }
}

uint64_t cnc_cursor_skip_empty(cnc_cursor *c, cnc_record *last)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_window_reader(&c->window, &ignored);
    uint64_t skipped = 0;
    if (c->full || c->damage != CNC_SOUND || !has_events(c))
        return 0;
    uint32_t step = frame_step(c);
    while (rp_left(&r) >= COUNT_SIZE) {
        rp_reader here = r;
        if (rp_u32(&r, "events") != 0) {
            r = here;
            break;
        }
        last->frame = c->frame;
        last->time = cnc_clock_time(c->clock);
        c->frame += step;
        c->clock += (uint64_t)step * c->speed;
        skipped++;
    }
    rp_window_skip(&c->window, (size_t)skipped * COUNT_SIZE);
    return skipped;
}

reprise_status cnc_cursor_next(cnc_cursor *c, cnc_record *ret_record, reprise_error *error)
{
    if (c->damage != CNC_SOUND)
        return REPRISE_END;
    RP_TRY(rp_window_fill(&c->window, 1, error));
    if (c->window.failure.status != REPRISE_OK && !rp_window_left(&c->window))
        return rp_window_short(&c->window, 1, "record", error);
    if (!rp_window_left(&c->window))
        return REPRISE_END;
    cnc_record record = {
        .frame = c->frame, .time = cnc_clock_time(c->clock), .offset = c->window.offset};
    size_t at = 0;
    bool sound = !c->full || read_view(c, &record, &at, error);
    if (sound && has_events(c))
        sound = read_events(c, &record, &at, error);
    RP_TRY(error->status);
    if (!sound)
        return REPRISE_END;
    if (record.has_view)
        place_view(c, &record, error);
    record.size = record.about.size = (uint32_t)at;
    record.about.offset = record.offset;
    record.about_present |= SET(offset) | SET(size);
    rp_window_skip(&c->window, at);
    advance(c);
    *ret_record = record;
    return REPRISE_OK;
}
