/*
 * stats.c - the numbers people ask about a match: what the file says apart from what follows from
 * it. One pass over all events; every list is bounded.
 */
#include "remastered.h"
#include "whole.h"

enum {
    HOUSES = 32,
    LOG_MAX = 20000,
    MINUTES_MAX = 1440, /* what comes later counts for the last one */
    CELLS = 128 * 128,
};

typedef struct house {
    bool seen;
    uint64_t orders, repeats, log_cut;
    uint32_t kinds[CNC_EVENT_COUNT];
    uint32_t *per_minute, *fresh_per_minute, *heat;
    uint32_t minutes;
    uint64_t last_sum; /* of the event before, to tell repeats */
    reprise_value *produced, *build_order, *powers;
    double first_attack, left;
} house;

typedef struct match {
    cnc_replay *replay;
    const cnc_game *game;
    rp_doc *doc;
    house houses[HOUSES];
    reprise_value *speeds;
    double first_contact, last_time;
    uint32_t first_attacker, records;
    int64_t last_frame;
    uint64_t selections;
} match;

static bool has(const rp_row *row, unsigned field)
{
    return row->present >> field & 1;
}

/* The network's own events are no actions. */
static bool is_action(uint8_t event)
{
    switch (event) {
    case CNC_EMPTY:
    case CNC_OPTIONS:
    case CNC_FRAMESYNC:
    case CNC_MESSAGE:
    case CNC_RESPONSE_TIME:
    case CNC_FRAMEINFO:
    case CNC_SAVEGAME:
    case CNC_ADDPLAYER:
    case CNC_TIMING:
    case CNC_PROCESS_TIME:
        return false;
    default:
        return true;
    }
}

static house *house_of(match *m, uint8_t number)
{
    house *h = &m->houses[number % HOUSES];
    if (h->seen)
        return h;
    rp_arena *arena = m->doc->arena;
    reprise_error *error = m->doc->error;
    *h = (house){.first_attack = -1, .left = -1};
    h->per_minute = rp_arena_array(arena, MINUTES_MAX, sizeof *h->per_minute, error);
    h->fresh_per_minute = rp_arena_array(arena, MINUTES_MAX, sizeof *h->per_minute, error);
    h->heat = rp_arena_array(arena, CELLS, sizeof *h->heat, error);
    h->produced = rp_new_object(m->doc);
    h->build_order = rp_new_array(m->doc);
    h->powers = rp_new_array(m->doc);
    h->seen = error->status == REPRISE_OK;
    return h->seen ? h : NULL;
}

static reprise_value *log_entry(match *m, house *h, reprise_value *log, double time)
{
    if (reprise_value_count(log) >= LOG_MAX) {
        h->log_cut++;
        return NULL;
    }
    reprise_value *entry = rp_push_object(m->doc, log);
    rp_set_f64(m->doc, entry, "time", time);
    return entry;
}

/* Only the members count: behind them is noise. */
static uint64_t sum_of(const cnc_event *event)
{
    const uint8_t *members = cnc_event_types[event->event].members;
    uint64_t sum = UINT64_C(0xCBF29CE484222325) ^ event->event;
    for (size_t i = 0; i < CNC_MEMBERS_MAX && members[i]; i++) {
        const rp_field *field = &cnc_event_record.fields[members[i] - 1];
        if (field->kind != RP_BYTES)
            sum = (sum ^ (uint64_t)rp_field_int(field, event)) * UINT64_C(0x100000001B3);
    }
    return sum;
}

static void count_action(house *h, const cnc_event *event, double time)
{
    uint64_t sum = sum_of(event);
    bool repeat = h->orders && sum == h->last_sum;
    uint32_t minute = time < MINUTES_MAX * 60.0 ? rp_whole_u32(time / 60) : MINUTES_MAX - 1;
    h->last_sum = sum;
    h->orders++;
    h->repeats += repeat;
    h->per_minute[minute]++;
    h->fresh_per_minute[minute] += !repeat;
    h->minutes = RP_MAX(h->minutes, minute + 1);
}

/* ---- one event ---- */

static void note_mission(match *m, house *h, const cnc_event *event, double time)
{
    enum { MISSION_ATTACK = 1 };
    int32_t cell, x, y;
    if (cnc_target_cell(m->game, event->destination, &cell)) {
        cnc_cell_of(m->game, cell, &x, &y);
        h->heat[y * 128 + x]++;
    }
    if (event->mission != MISSION_ATTACK || !event->target)
        return;
    if (h->first_attack < 0)
        h->first_attack = time;
    if (m->first_contact < 0) {
        m->first_contact = time;
        m->first_attacker = (uint32_t)(h - m->houses);
    }
}

static void note_production(match *m, house *h, const cnc_event *event, double time)
{
    char number[48];
    const char *name = cnc_type_name(m->game, event->rtti, event->type_id);
    if (!name) {
        cnc_number_name(m->game, event->rtti, event->type_id, number, sizeof number);
        name = number;
    }
    reprise_value *count = rp_get(h->produced, name);
    if (count)
        count->as.integer++;
    else if (reprise_value_count(h->produced) < 1024)
        rp_set_int(m->doc, h->produced, name, 1);
    reprise_value *entry = log_entry(m, h, h->build_order, time);
    rp_set_text(m->doc, entry, "event", "PRODUCE");
    rp_set_text(m->doc, entry, "item", name);
}

static void note_place(match *m, house *h, const cnc_event *event, double time)
{
    int32_t x, y;
    cnc_cell_of(m->game, event->cell, &x, &y);
    reprise_value *entry = log_entry(m, h, h->build_order, time);
    rp_set_text(m->doc, entry, "event", "PLACE");
    rp_set_int(m->doc, entry, "x", x);
    rp_set_int(m->doc, entry, "y", y);
}

static void note_power(match *m, house *h, const cnc_event *event, double time)
{
    int32_t x, y;
    cnc_cell_of(m->game, event->cell, &x, &y);
    const char *name = cnc_weapon_name(m->game, event->weapon);
    reprise_value *entry = log_entry(m, h, h->powers, time);
    rp_set(m->doc, entry, "power",
           name ? rp_new_text(m->doc, name) : rp_new_int(m->doc, event->weapon));
    rp_set_int(m->doc, entry, "x", x);
    rp_set_int(m->doc, entry, "y", y);
}

static void note_event(match *m, const rp_row *row)
{
    const cnc_event *event = row->data;
    house *h = house_of(m, event->house);
    if (!h)
        return;
    h->kinds[event->event]++;
    if (is_action(event->event))
        count_action(h, event, row->time);
    if (has(row, cnc_event_F_mission))
        note_mission(m, h, event, row->time);
    if (event->event == CNC_PRODUCE)
        note_production(m, h, event, row->time);
    if (event->event == CNC_PLACE)
        note_place(m, h, event, row->time);
    if (event->event == CNC_SPECIAL_PLACE)
        note_power(m, h, event, row->time);
    if ((event->event == CNC_DESTRUCT || event->event == CNC_EXIT) && h->left < 0)
        h->left = row->time;
    if (event->event == CNC_GAMESPEED && reprise_value_count(m->speeds) < LOG_MAX) {
        reprise_value *entry = rp_push_object(m->doc, m->speeds);
        rp_set_f64(m->doc, entry, "time", row->time);
        rp_set_int(m->doc, entry, "speed", event->value);
    }
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    match *m = ctx;
    m->last_time = row->time;
    m->last_frame = row->index;
    m->records += row->track == CNC_FRAMES;
    m->selections += row->track == CNC_SELECTIONS;
    if (row->track == CNC_EVENT_ROWS)
        note_event(m, row);
    return error->status;
}

static reprise_status watch(match *m, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << CNC_FRAMES | UINT64_C(1) << CNC_EVENT_ROWS |
                                        UINT64_C(1) << CNC_SELECTIONS};
    return rp_each_row(&m->replay->base, selection, note_row, m, error);
}

/* ---- results ---- */

static reprise_value *begin_house(match *m, reprise_value *list, size_t number)
{
    reprise_value *entry = rp_push_object(m->doc, list);
    const char *name = cnc_house_name(m->game, (int32_t)number);
    rp_set_int(m->doc, entry, "house", (int64_t)number);
    if (name)
        rp_set_text(m->doc, entry, "house_name", name);
    const cnc_header *header = &m->replay->header;
    for (int32_t i = 0; !m->game->td && i < header->session.player_nodes; i++) {
        if (header->nodes[i].id != (int8_t)number)
            continue;
        rp_text text = cnc_text(header->nodes[i].name, sizeof header->nodes[i].name);
        rp_set(m->doc, entry, "name", rp_new_text_n(m->doc, text.data, text.size));
    }
    return entry;
}

static void record_house(match *m, reprise_value *list, size_t number)
{
    const house *h = &m->houses[number];
    reprise_value *entry = begin_house(m, list, number);
    rp_set_uint(m->doc, entry, "orders", h->orders);
    reprise_value *kinds = rp_set_object(m->doc, entry, "event_kinds");
    for (size_t i = 0; i < CNC_EVENT_COUNT; i++) {
        if (h->kinds[i])
            rp_set_int(m->doc, kinds, cnc_event_types[i].name, h->kinds[i]);
    }
    rp_set(m->doc, entry, "build_order", h->build_order);
    rp_set(m->doc, entry, "produced", h->produced);
    rp_set(m->doc, entry, "support_powers", h->powers);
    if (h->left >= 0)
        rp_set_f64(m->doc, entry, "left", h->left);
    if (h->log_cut)
        rp_set_uint(m->doc, entry, "not_logged", h->log_cut);
}

static void derive_house(match *m, reprise_value *list, size_t number)
{
    const house *h = &m->houses[number];
    double minutes = m->last_time / 60;
    reprise_value *entry = begin_house(m, list, number);
    rp_set_f64(m->doc, entry, "actions_per_minute", minutes > 0 ? (double)h->orders / minutes : 0);
    rp_set_f64(m->doc, entry, "actions_per_minute_without_repeats",
               minutes > 0 ? (double)(h->orders - h->repeats) / minutes : 0);
    rp_set_counts(m->doc, entry, "actions_by_minute", h->per_minute, h->minutes);
    rp_set_counts(m->doc, entry, "actions_by_minute_without_repeats", h->fresh_per_minute,
                  h->minutes);
    if (h->first_attack >= 0)
        rp_set_f64(m->doc, entry, "first_attack", h->first_attack);
    reprise_value *heat = rp_set_array(m->doc, entry, "army_heat");
    for (int32_t i = 0; i < CELLS; i++) {
        if (!h->heat[i])
            continue;
        reprise_value *cell = rp_push_object(m->doc, heat);
        rp_set_int(m->doc, cell, "x", i % 128);
        rp_set_int(m->doc, cell, "y", i / 128);
        rp_set_int(m->doc, cell, "count", h->heat[i]);
    }
}

static reprise_status record_desync(match *m, reprise_value *recorded, reprise_error *error)
{
    cnc_desync desync;
    RP_TRY(cnc_find_desync(&m->replay->base, &desync, error));
    rp_set_uint(m->doc, recorded, "sums", desync.sums);
    if (!desync.found)
        return REPRISE_OK;
    reprise_value *entry = rp_set_object(m->doc, recorded, "desync");
    rp_set_uint(m->doc, entry, "first_frame", desync.frame);
    reprise_value *houses = rp_set_array(m->doc, entry, "houses");
    for (size_t i = 0; i < RP_COUNT(desync.houses); i++)
        rp_push(m->doc, houses, rp_new_int(m->doc, desync.houses[i]));
    return REPRISE_OK;
}

reprise_status cnc_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                         reprise_value *derived, reprise_error *error)
{
    match *m = rp_arena_alloc(doc->arena, sizeof *m, error);
    if (!m)
        return error->status;
    m->replay = (cnc_replay *)base;
    m->game = m->replay->layout->game;
    m->doc = doc;
    m->speeds = rp_new_array(doc);
    m->first_contact = -1;
    RP_TRY(watch(m, error));
    rp_set_int(doc, recorded, "frames", m->records ? m->last_frame + 1 : 0);
    rp_set_uint(doc, recorded, "records", m->records);
    rp_set_uint(doc, recorded, "selection_changes", m->selections);
    rp_set(doc, recorded, "speed_changes", m->speeds);
    RP_TRY(record_desync(m, recorded, error));
    if (m->first_contact >= 0) {
        reprise_value *contact = rp_set_object(doc, derived, "first_contact");
        rp_set_f64(doc, contact, "time", m->first_contact);
        rp_set_int(doc, contact, "house", m->first_attacker);
    }
    reprise_value *told = rp_set_array(doc, recorded, "players");
    reprise_value *worked_out = rp_set_array(doc, derived, "players");
    for (size_t i = 0; i < HOUSES; i++) {
        if (!m->houses[i].seen)
            continue;
        record_house(m, told, i);
        derive_house(m, worked_out, i);
    }
    return error->status;
}
