/*
 * grammar.h - the tracks of replays and saves and their rows.
 *
 * Many rows are stored records of ironcurtain/wire/wire.h. This file lists the others: entities
 * with their components side by side, and records without their tick, because every row has one.
 */
#ifndef IRONCURTAIN_READ_GRAMMAR_H
#define IRONCURTAIN_READ_GRAMMAR_H

#include "ironcurtain/wire/wire.h"
#include "track.h"

extern const rp_enum ic_script_kinds, ic_var_kinds;

#define IC_TICK_ROW(F, T)                                                                      \
    F(T, state_hash, U64, 0, NULL, "SyncHash of the state before the orders; 0: not recorded") \
    F(T, orders, U32, 0, NULL, "orders in this tick")
RP_STRUCT(ic_tick_row, IC_TICK_ROW);

#define IC_GAME_ORDER_ROW(F, T) F(T, value, SUM, 0, &ic_known_order, "decoded payload")
RP_STRUCT(ic_game_order_row, IC_GAME_ORDER_ROW);
#define IC_ORDER_DERIVED(F, T)                     \
    F(T, kind, TEXT, 0, NULL, "name of the order") \
    F(T, game_order, OPT, 0, &ic_game_order_row_record, "payload of a GameOrder with a known tag")
RP_STRUCT(ic_order_derived, IC_ORDER_DERIVED);

/* The parts of a state that are not tracks themselves. */
#define IC_KEYFRAME_STATE(F, T)                                   \
    F(T, state_hash, RAW, 32, NULL, "StateHash, computed")        \
    F(T, rng, REC, ic_rng, &ic_rng_record, "random number state") \
    F(T, game_seed, U64, 0, NULL, "of the match")                 \
    F(T, map_hash, RAW, 32, NULL, "SHA-256 of the map file")      \
    F(T, map_width, U32, 0, NULL, "cells")                        \
    F(T, map_height, U32, 0, NULL, "cells")
/* The offset of a blob is not content: it changes with the compression. */
#define IC_KEYFRAME_DERIVED(F, T)                                     \
    IC_FIELDS_KEYFRAME_PLACE(F, T)                                    \
    F(T, baseline_tick, U64, 0, NULL, "full keyframe it is based on") \
    F(T, raw_sha256, RAW, 32, NULL, "digest of the decoded bytes")    \
    F(T, entities, U32, 0, NULL, "entities in the state")             \
    F(T, interned, U32, 0, NULL, "interned strings in the state")     \
    F(T, has_campaign, BOOL, 0, NULL, "carries a campaign state")     \
    F(T, has_script, BOOL, 0, NULL, "carries a script state")
RP_STRUCT(ic_keyframe_row, IC_FIELDS_KEYFRAME_REST);
RP_STRUCT(ic_keyframe_state, IC_KEYFRAME_STATE);
RP_STRUCT(ic_keyframe_derived, IC_KEYFRAME_DERIVED);

#define IC_ENTITY_ROW(F, T)                                                  \
    F(T, index, U16, 0, NULL, "slot")                                        \
    F(T, generation, U16, 0, NULL, "distinguishes units that used the slot") \
    F(T, removed, BOOL, 0, NULL, "removed since the last keyframe")          \
    F(T, archetype, U32, 0, NULL, "interned")                                \
    F(T, unit_type, U32, 0, NULL, "interned")                                \
    F(T, owner, U32, 0, NULL, "player")                                      \
    F(T, pos_x, I32, 0, NULL, "1024 per cell")                               \
    F(T, pos_y, I32, 0, NULL, "1024 per cell")                               \
    F(T, pos_z, I32, 0, NULL, "1024 per cell")                               \
    F(T, health, I32, 0, NULL, "now")                                        \
    F(T, health_max, I32, 0, NULL, "when unhurt")                            \
    F(T, mobile, OPT, 0, &ic_mobile_record, "moving units")                  \
    F(T, navigation, OPT, 0, &ic_navigation_record, "destination")           \
    F(T, attackable, OPT, 0, &ic_attackable_record, "armour")                \
    F(T, armament, OPT, 0, &ic_armament_record, "weapon")                    \
    F(T, building, OPT, 0, &ic_building_record, "buildings")                 \
    F(T, build_queue, OPT, 0, &ic_build_queue_record, "what is built")       \
    F(T, harvester, OPT, 0, &ic_harvester_record, "load")                    \
    F(T, veterancy, OPT, 0, &ic_veterancy_record, "rank")                    \
    F(T, extension, OPT, 0, &ic_extension_record, "opaque")
#define IC_ENTITY_DERIVED(F, T)                    \
    F(T, type, TEXT, 0, NULL, "name of unit_type") \
    F(T, archetype_name, TEXT, 0, NULL, "name of archetype")
RP_STRUCT(ic_entity_row, IC_ENTITY_ROW);
RP_STRUCT(ic_entity_derived, IC_ENTITY_DERIVED);

#define IC_QUEUE_PLACE(F, T)                          \
    F(T, index, U16, 0, NULL, "slot of the building") \
    F(T, generation, U16, 0, NULL, "of the building") \
    F(T, place, U32, 0, NULL, "in the queue, from 0") \
    F(T, paused, BOOL, 0, NULL, "production is paused")
#define IC_QUEUE_DERIVED(F, T) F(T, item, TEXT, 0, NULL, "name of actor_type")
RP_STRUCT(ic_queue_place, IC_QUEUE_PLACE);
RP_STRUCT(ic_queue_derived, IC_QUEUE_DERIVED);

#define IC_PLAYER_DERIVED(F, T) F(T, faction_name, TEXT, 0, NULL, "name of faction")
RP_STRUCT(ic_player_derived, IC_PLAYER_DERIVED);

#define IC_CELL_DERIVED(F, T)                            \
    F(T, terrain_name, TEXT, 0, NULL, "name of terrain") \
    F(T, resource_name, TEXT, 0, NULL, "name of resource")
RP_STRUCT(ic_cell_derived, IC_CELL_DERIVED);

#define IC_STRING_ROW(F, T)          \
    F(T, id, U32, 0, NULL, "number") \
    F(T, text, TEXT, 0, NULL, "name")
RP_STRUCT(ic_string_row, IC_STRING_ROW);

#define IC_SCRIPT_KIND(F, T) F(T, kind, U8, 0, &ic_script_kinds, "whose state")
#define IC_VAR_KIND(F, T)    F(T, kind, U8, 0, &ic_var_kinds, "where it is kept")
RP_STRUCT(ic_script_kind, IC_SCRIPT_KIND);
RP_STRUCT(ic_var_kind, IC_VAR_KIND);

#define IC_EVENT_ROW(F, T)     F(T, event, SUM, 0, &ic_event, "what happened")
#define IC_EVENT_DERIVED(F, T) F(T, kind, TEXT, 0, NULL, "name of the event")
RP_STRUCT(ic_event_row, IC_EVENT_ROW);
RP_STRUCT(ic_event_derived, IC_EVENT_DERIVED);

#define IC_SPEAKER(F, T) F(T, player, U32, 0, NULL, "speaker")
RP_STRUCT(ic_speaker, IC_SPEAKER);
RP_STRUCT(ic_voice_row, IC_FIELDS_VOICE_FRAME_REST);
RP_STRUCT(ic_signature_row, IC_FIELDS_TICK_SIGNATURE_REST);

#define IC_RESOURCE_ROW(F, T)                                               \
    F(T, kind, TEXT, 0, NULL, "map, rule, balance_preset or initial_state") \
    F(T, mod, TEXT, 0, NULL, "whose rule")                                  \
    F(T, name, TEXT, 0, NULL, "path or name")                               \
    F(T, size, U64, 0, NULL, "bytes")                                       \
    F(T, stored_size, U64, 0, NULL, "bytes as stored")                      \
    F(T, sha256, RAW, 32, NULL, "digest")
RP_STRUCT(ic_resource_row, IC_RESOURCE_ROW);

/* ---- rows as the decoder keeps them: stored parts first, then what is derived ---- */

typedef struct ic_order_data {
    ic_order order;
    ic_order_derived derived;
} ic_order_data;

typedef struct ic_keyframe_data {
    ic_keyframe_row stored;
    ic_keyframe_state state;
    ic_keyframe_derived derived;
} ic_keyframe_data;

typedef struct ic_entity_data {
    ic_entity_row stored;
    ic_entity_derived derived;
} ic_entity_data;

typedef struct ic_queue_data {
    ic_queue_place place;
    ic_queue_item item;
    ic_queue_derived derived;
} ic_queue_data;

typedef struct ic_player_data {
    ic_player stored;
    ic_player_derived derived;
} ic_player_data;

typedef struct ic_cell_data {
    ic_map_cell stored;
    ic_cell_derived derived;
} ic_cell_data;

typedef struct ic_script_data {
    ic_script_kind kind;
    ic_mod_state state;
} ic_script_data;

typedef struct ic_var_data {
    ic_var_kind kind;
    ic_var var;
} ic_var_data;

typedef struct ic_event_data {
    ic_event_row stored;
    ic_event_derived derived;
} ic_event_data;

typedef struct ic_voice_data {
    ic_speaker speaker;
    ic_voice_row stored;
} ic_voice_data;

/* The tracks, in the order of the descriptors. */
enum {
    IC_T_TICKS,
    IC_T_ORDERS,
    IC_T_KEYFRAMES,
    IC_T_ENTITIES,
    IC_T_QUEUES,
    IC_T_PLAYERS,
    IC_T_MAP_CELLS,
    IC_T_STRINGS,
    IC_T_CAMPAIGN,
    IC_T_SCRIPTS,
    IC_T_VARS,
    IC_T_EVENTS,
    IC_T_VOICE,
    IC_T_SIGNATURES,
    IC_T_RESOURCES,
    IC_TRACK_COUNT
};
extern const rp_track ic_tracks[IC_TRACK_COUNT];

/* Tracks whose rows come from states, that is, from keyframes. */
#define IC_STATE_TRACKS                                                                           \
    (UINT64_C(1) << IC_T_ENTITIES | UINT64_C(1) << IC_T_QUEUES | UINT64_C(1) << IC_T_PLAYERS |    \
     UINT64_C(1) << IC_T_MAP_CELLS | UINT64_C(1) << IC_T_STRINGS | UINT64_C(1) << IC_T_CAMPAIGN | \
     UINT64_C(1) << IC_T_SCRIPTS | UINT64_C(1) << IC_T_VARS)

#endif
