/* grammar.c - the tables of grammar.h, and the tracks. */
#include "grammar.h"

#include "format.h"

RP_ENUM(ic_script_kinds, "script state", false, {0, "lua"}, {1, "wasm"});
RP_ENUM(ic_var_kinds, "variable", false, {0, "campaign_flag"}, {1, "mission_var"});

RP_TABLE(ic_tick_row, IC_TICK_ROW, "tick");
RP_TABLE_SHAPED(ic_game_order_row, IC_GAME_ORDER_ROW, "game order, decoded", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_order_derived, IC_ORDER_DERIVED, "order, derived");
RP_TABLE(ic_keyframe_row, IC_FIELDS_KEYFRAME_REST, "keyframe row");
RP_TABLE(ic_keyframe_state, IC_KEYFRAME_STATE, "keyframe state");
RP_TABLE(ic_keyframe_derived, IC_KEYFRAME_DERIVED, "keyframe, derived");
RP_TABLE(ic_entity_row, IC_ENTITY_ROW, "entity row");
RP_TABLE(ic_entity_derived, IC_ENTITY_DERIVED, "entity, derived");
RP_TABLE(ic_queue_place, IC_QUEUE_PLACE, "place in a build queue");
RP_TABLE(ic_queue_derived, IC_QUEUE_DERIVED, "queue item, derived");
RP_TABLE(ic_player_derived, IC_PLAYER_DERIVED, "player, derived");
RP_TABLE(ic_cell_derived, IC_CELL_DERIVED, "map cell, derived");
RP_TABLE(ic_string_row, IC_STRING_ROW, "interned string");
RP_TABLE(ic_script_kind, IC_SCRIPT_KIND, "kind of script state");
RP_TABLE(ic_var_kind, IC_VAR_KIND, "kind of variable");
RP_TABLE(ic_event_row, IC_EVENT_ROW, "event row");
RP_TABLE(ic_event_derived, IC_EVENT_DERIVED, "event, derived");
RP_TABLE(ic_speaker, IC_SPEAKER, "speaker");
RP_TABLE(ic_voice_row, IC_FIELDS_VOICE_FRAME_REST, "voice row");
RP_TABLE(ic_signature_row, IC_FIELDS_TICK_SIGNATURE_REST, "signature row");
RP_TABLE(ic_resource_row, IC_RESOURCE_ROW, "resource");

/* Derived columns need the state of their tick, so the decoder puts them after the stored ones. */
#define DERIVED_FROM(T, D)                                                                \
    static void derive_##D(const rp_replay *replay, const rp_row *row, void *ret_derived) \
    {                                                                                     \
        RP_UNUSED(replay);                                                                \
        *(D *)ret_derived = ((const T *)row->data)->derived;                              \
    }
DERIVED_FROM(ic_order_data, ic_order_derived)
DERIVED_FROM(ic_keyframe_data, ic_keyframe_derived)
DERIVED_FROM(ic_entity_data, ic_entity_derived)
DERIVED_FROM(ic_queue_data, ic_queue_derived)
DERIVED_FROM(ic_player_data, ic_player_derived)
DERIVED_FROM(ic_cell_data, ic_cell_derived)
DERIVED_FROM(ic_event_data, ic_event_derived)

#define PER_TICK    .clock = "tick", .timed = true
#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define TWO_PARTS(D, T, t, U, u)                                                         \
    .parts = {{NULL, &T##_record, offsetof(D, t)}, {NULL, &U##_record, offsetof(D, u)}}, \
    .part_count = 2
#define DERIVES(D) .derived = &D##_record, .derive = derive_##D

const rp_track ic_tracks[IC_TRACK_COUNT] = {
    [IC_T_TICKS] = {.name = "ticks",
                    .doc = "one row per recorded frame",
                    .kind = RP_TRACK_EVENT,
                    PER_TICK,
                    ONE_PART(ic_tick_row)},
    [IC_T_ORDERS] = {.name = "orders",
                     .doc = "orders of players, as received",
                     .kind = RP_TRACK_EVENT,
                     PER_TICK,
                     ONE_PART(ic_order),
                     DERIVES(ic_order_derived)},
    [IC_T_KEYFRAMES] = {.name = "keyframes",
                        .doc = "stored states, full or as delta",
                        .kind = RP_TRACK_EVENT,
                        PER_TICK,
                        TWO_PARTS(ic_keyframe_data, ic_keyframe_row, stored, ic_keyframe_state,
                                  state),
                        DERIVES(ic_keyframe_derived)},
    [IC_T_ENTITIES] = {.name = "entities",
                       .doc = "units and buildings at keyframes",
                       .kind = RP_TRACK_STATE,
                       PER_TICK,
                       .keyed = true,
                       ONE_PART(ic_entity_row),
                       DERIVES(ic_entity_derived)},
    [IC_T_QUEUES] = {.name = "queues",
                     .doc = "what buildings build, at keyframes",
                     .kind = RP_TRACK_STATE,
                     PER_TICK,
                     TWO_PARTS(ic_queue_data, ic_queue_place, place, ic_queue_item, item),
                     DERIVES(ic_queue_derived)},
    [IC_T_PLAYERS] = {.name = "players",
                      .doc = "money, power and technology at keyframes",
                      .kind = RP_TRACK_STATE,
                      PER_TICK,
                      .keyed = true,
                      ONE_PART(ic_player),
                      DERIVES(ic_player_derived)},
    [IC_T_MAP_CELLS] = {.name = "map_cells",
                        .doc = "cells that differ from the map file, at keyframes",
                        .kind = RP_TRACK_STATE,
                        PER_TICK,
                        .keyed = true,
                        TWO_PARTS(ic_map_cell, ic_cell, cell, ic_cell_state, state),
                        DERIVES(ic_cell_derived)},
    [IC_T_STRINGS] = {.name = "strings",
                      .doc = "interned names; the table only grows",
                      .kind = RP_TRACK_TABLE,
                      ONE_PART(ic_string_row)},
    [IC_T_CAMPAIGN] = {.name = "campaign",
                       .doc = "campaign state where it changed",
                       .kind = RP_TRACK_STATE,
                       PER_TICK,
                       ONE_PART(ic_campaign)},
    [IC_T_SCRIPTS] = {.name = "scripts",
                      .doc = "opaque state of mods where it changed",
                      .kind = RP_TRACK_STATE,
                      PER_TICK,
                      TWO_PARTS(ic_script_data, ic_script_kind, kind, ic_mod_state, state)},
    [IC_T_VARS] = {.name = "vars",
                   .doc = "campaign flags and mission variables where they changed",
                   .kind = RP_TRACK_STATE,
                   PER_TICK,
                   TWO_PARTS(ic_var_data, ic_var_kind, kind, ic_var, var)},
    [IC_T_EVENTS] = {.name = "events",
                     .doc = "analysis events",
                     .kind = RP_TRACK_EVENT,
                     PER_TICK,
                     ONE_PART(ic_event_row),
                     DERIVES(ic_event_derived)},
    [IC_T_VOICE] = {.name = "voice",
                    .doc = "Opus packets of players who agreed",
                    .kind = RP_TRACK_EVENT,
                    PER_TICK,
                    TWO_PARTS(ic_voice_data, ic_speaker, speaker, ic_voice_row, stored)},
    [IC_T_SIGNATURES] = {.name = "signatures",
                         .doc = "the relay's signature chain",
                         .kind = RP_TRACK_EVENT,
                         PER_TICK,
                         ONE_PART(ic_signature_row)},
    [IC_T_RESOURCES] = {.name = "resources",
                        .doc = "embedded map, rules and states",
                        .kind = RP_TRACK_TABLE,
                        ONE_PART(ic_resource_row)},
};
