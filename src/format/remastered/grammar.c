/* grammar.c - the tables of grammar.h, the meaning of events, and the tracks. */
#include "grammar.h"

#include "remastered.h"

#define EVENT_NAME(ra, td, name, ...) {ra, #name},
#define EVENT_TYPE(ra, td, name, ...) [ra] = {td, #name, {__VA_ARGS__}},

static const rp_enum_value event_values[] = {CNC_EVENTS(EVENT_NAME)};
const rp_enum cnc_event_names = {RP_SUB_ENUM, "event", event_values, RP_COUNT(event_values), false};
const cnc_event_type cnc_event_types[CNC_EVENT_COUNT] = {CNC_EVENTS(EVENT_TYPE)};

RP_TABLE(cnc_ra_session, CNC_RA_SESSION, "Red Alert session");
RP_TABLE(cnc_ra_node, CNC_RA_NODE, "Red Alert player node");
RP_TABLE(cnc_ra_scenario, CNC_RA_SCENARIO, "Red Alert scenario");
RP_TABLE(cnc_td_header, CNC_TD_HEADER, "Tiberian Dawn header");
RP_TABLE(cnc_object, CNC_OBJECT, "object");
RP_TABLE(cnc_frame, CNC_FRAME, "frame");
RP_TABLE(cnc_frame_derived, CNC_FRAME_DERIVED, "frame, derived");
RP_TABLE(cnc_player, CNC_PLAYER, "player");
RP_TABLE(cnc_player_derived, CNC_PLAYER_DERIVED, "player, derived");
RP_TABLE(cnc_event, CNC_EVENT, "event");
RP_TABLE(cnc_event_derived, CNC_EVENT_DERIVED, "event, derived");
RP_TABLE(cnc_selection, CNC_SELECTION, "selection");
RP_TABLE(cnc_team, CNC_TEAM, "team data");

const rp_record *const cnc_records[CNC_RECORD_COUNT] = {
    &cnc_ra_session_record,    &cnc_ra_node_record,        &cnc_ra_scenario_record,
    &cnc_td_header_record,     &cnc_frame_record,          &cnc_frame_derived_record,
    &cnc_player_record,        &cnc_player_derived_record, &cnc_event_record,
    &cnc_event_derived_record, &cnc_selection_record,      &cnc_object_record,
    &cnc_team_record,
};

/* ---- derived columns ---- */

static rp_text text_of(const char *text)
{
    return (rp_text){.data = text, .size = text ? strlen(text) : 0};
}

static const cnc_game *game_of(const rp_replay *replay)
{
    return ((const cnc_replay *)replay)->layout->game;
}

static void derive_frame(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    RP_UNUSED(replay);
    const cnc_frame *frame = row->data;
    *(cnc_frame_derived *)ret_derived = (cnc_frame_derived){
        .view_x = (frame->coord & 0xFFFF) / 256.0,
        .view_y = (frame->coord >> 16) / 256.0,
    };
}

static void derive_player(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const cnc_player *player = row->data;
    *(cnc_player_derived *)ret_derived = (cnc_player_derived){
        .house_name = text_of(cnc_house_name(game_of(replay), player->house)),
    };
}

static bool has(const rp_row *row, unsigned field)
{
    return row->present >> field & 1;
}

static void derive_event(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const cnc_event *event = row->data;
    const cnc_game *game = game_of(replay);
    cnc_event_derived derived = {.cell_x = -1, .cell_y = -1};
    derived.house_name = text_of(cnc_house_name(game, event->house));
    if (has(row, cnc_event_F_mission))
        derived.mission_name = text_of(cnc_mission_name(game, event->mission));
    if (has(row, cnc_event_F_type_id))
        derived.item = text_of(cnc_type_name(game, event->rtti, event->type_id));
    if (has(row, cnc_event_F_weapon))
        derived.item = text_of(cnc_weapon_name(game, event->weapon));
    if (has(row, cnc_event_F_cell))
        cnc_cell_of(game, event->cell, &derived.cell_x, &derived.cell_y);
    *(cnc_event_derived *)ret_derived = derived;
}

#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define PER_FRAME   .clock = "frame", .timed = true

const rp_track cnc_tracks[CNC_TRACK_COUNT] = {
    [CNC_FRAMES] = {.name = "frames",
                    .doc = "one row per frame record, with its view where there is one",
                    .kind = RP_TRACK_EVENT,
                    PER_FRAME,
                    .sparse = true,
                    ONE_PART(cnc_frame),
                    .derived = &cnc_frame_derived_record,
                    .derive = derive_frame},
    [CNC_PLAYERS] = {.name = "players",
                     .doc = "who plays, from the header",
                     .kind = RP_TRACK_TABLE,
                     .sparse = true,
                     ONE_PART(cnc_player),
                     .derived = &cnc_player_derived_record,
                     .derive = derive_player},
    [CNC_EVENT_ROWS] = {.name = "events",
                        .doc = "everything that was ordered, and the network's own events",
                        .kind = RP_TRACK_EVENT,
                        PER_FRAME,
                        .sparse = true,
                        ONE_PART(cnc_event),
                        .derived = &cnc_event_derived_record,
                        .derive = derive_event},
    [CNC_SELECTIONS] = {.name = "selections",
                        .doc = "what is selected; a row where that changes",
                        .kind = RP_TRACK_STATE,
                        PER_FRAME,
                        ONE_PART(cnc_selection)},
    [CNC_TEAM_ROWS] = {.name = "teams",
                       .doc = "team speeds per house (Red Alert); a row where they change",
                       .kind = RP_TRACK_STATE,
                       PER_FRAME,
                       .object = "house",
                       ONE_PART(cnc_team)},
};

/* ---- what events mean ---- */

static bool is_word(const char *name, const char *word)
{
    return name && strcmp(name, word) == 0;
}

/* The meaning of a mission depends on its target. */
static reprise_foreign_kind mission_kind(const cnc_game *game, const cnc_event *event)
{
    const char *name = cnc_mission_name(game, event->mission);
    int32_t cell;
    bool to_cell = cnc_target_cell(game, event->destination, &cell);
    if (is_word(name, "move") || is_word(name, "queued move") || is_word(name, "guard area"))
        return to_cell ? REPRISE_FOREIGN_MOVE : REPRISE_FOREIGN_UNKNOWN;
    if (is_word(name, "attack"))
        return event->target ? REPRISE_FOREIGN_ATTACK : REPRISE_FOREIGN_UNKNOWN;
    if (is_word(name, "enter") || is_word(name, "capture") || is_word(name, "sabotage"))
        return REPRISE_FOREIGN_ENTER;
    if (is_word(name, "harvest") || is_word(name, "return"))
        return REPRISE_FOREIGN_HARVEST;
    if (is_word(name, "guard") || is_word(name, "stop"))
        return event->destination ? REPRISE_FOREIGN_UNKNOWN : REPRISE_FOREIGN_STOP;
    return REPRISE_FOREIGN_UNKNOWN;
}

reprise_foreign_kind cnc_order_kind(const cnc_game *game, const cnc_event *event)
{
    static const uint8_t kinds[CNC_EVENT_COUNT] = {
        [CNC_IDLE] = REPRISE_FOREIGN_STOP,
        [CNC_SCATTER] = REPRISE_FOREIGN_MOVE,
        [CNC_DESTRUCT] = REPRISE_FOREIGN_SURRENDER,
        [CNC_DEPLOY] = REPRISE_FOREIGN_DEPLOY,
        [CNC_PLACE] = REPRISE_FOREIGN_PLACE_BUILDING,
        [CNC_PRODUCE] = REPRISE_FOREIGN_PRODUCE,
        [CNC_SUSPEND] = REPRISE_FOREIGN_PAUSE_PRODUCTION,
        [CNC_ABANDON] = REPRISE_FOREIGN_CANCEL_PRODUCTION,
        [CNC_PRIMARY] = REPRISE_FOREIGN_PRIMARY_BUILDING,
        [CNC_SPECIAL_PLACE] = REPRISE_FOREIGN_SUPPORT_POWER,
        [CNC_EXIT] = REPRISE_FOREIGN_DISCONNECT,
        [CNC_REPAIR] = REPRISE_FOREIGN_REPAIR,
        [CNC_SELL] = REPRISE_FOREIGN_SELL,
        [CNC_SELLCELL] = REPRISE_FOREIGN_SELL,
        [CNC_ARCHIVE] = REPRISE_FOREIGN_SET_RALLY_POINT,
    };
    if (event->event == CNC_MEGAMISSION || event->event == CNC_MEGAMISSION_F)
        return mission_kind(game, event);
    return (reprise_foreign_kind)kinds[event->event];
}

/* Timing of the network and sums of the game accompany the orders. */
bool cnc_is_order(uint8_t event)
{
    return event != CNC_FRAMEINFO && event != CNC_FRAMESYNC && event != CNC_TIMING &&
           event != CNC_RESPONSE_TIME && event != CNC_PROCESS_TIME;
}

bool cnc_is_action(uint8_t event)
{
    return cnc_is_order(event) && event != CNC_EMPTY && event != CNC_OPTIONS &&
           event != CNC_MESSAGE && event != CNC_SAVEGAME && event != CNC_ADDPLAYER;
}

bool cnc_sync_frame(const rp_row *row, int64_t *ret_frame)
{
    const cnc_event *event = row->data;
    if (event->event != CNC_FRAMEINFO || row->index < event->delay)
        return false;
    *ret_frame = row->index - event->delay;
    return true;
}
