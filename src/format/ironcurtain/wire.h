/*
 * wire.h - every field that Iron Curtain files store, once: what bincode writes, in its order.
 *
 * A list gives the C struct (ic_name), its table (ic_name_record) and its field numbers; a list of
 * variants gives a tagged union (rp_choice in C) and the names of its numbers. Lists are in the
 * order in which they need one another. What tracks show is in records.h.
 */
#ifndef IC_WIRE_H
#define IC_WIRE_H

#include "schema.h"

extern const rp_enum ic_kick_reasons, ic_vote_choices, ic_ping_types, ic_locomotors, ic_armors;
extern const rp_enum ic_veterancies, ic_focuses, ic_group_actions, ic_vote_failures;

/* ---- 5: shared types ---- */

#define IC_U32(F, T)  F(T, value, U32, 0, NULL, "a number")
#define IC_TEXT(F, T) F(T, value, TEXT, 0, NULL, "a text")

#define IC_TAG(F, T)                                \
    F(T, index, U16, 0, NULL, "slot of the entity") \
    F(T, generation, U16, 0, NULL, "tells apart those that had the slot one after the other")

#define IC_POS(F, T)                                     \
    F(T, x, I32, 0, NULL, "1024 per cell, to the right") \
    F(T, y, I32, 0, NULL, "1024 per cell, downwards")    \
    F(T, z, I32, 0, NULL, "1024 per cell, up")

#define IC_CELL(F, T)               \
    F(T, x, I32, 0, NULL, "column") \
    F(T, y, I32, 0, NULL, "row")    \
    F(T, z, I32, 0, NULL, "level")

RP_STRUCT(ic_u32, IC_U32);
RP_STRUCT(ic_text, IC_TEXT);
RP_STRUCT(ic_tag, IC_TAG);
RP_STRUCT(ic_pos, IC_POS);
RP_STRUCT(ic_cell, IC_CELL);

/* ---- 5.1: orders ---- */

#define IC_TARGET(V, T)        \
    V(T, Unit, &ic_tag_record) \
    V(T, Ground, &ic_pos_record)
RP_SUM_NUMBERS(ic_target, IC_TARGET);

#define IC_WHISPER(F, T) F(T, target, U32, 0, NULL, "player who reads it")
#define IC_CHANNEL(V, T)              \
    V(T, All, NULL)                   \
    V(T, Team, NULL)                  \
    V(T, Whisper, &ic_whisper_record) \
    V(T, Observer, NULL)
RP_STRUCT(ic_whisper, IC_WHISPER);
RP_SUM_NUMBERS(ic_channel, IC_CHANNEL);

#define IC_KICK(F, T)                                  \
    F(T, target, U32, 0, NULL, "player to be removed") \
    F(T, reason, U32, 0, &ic_kick_reasons, "why")
#define IC_CUSTOM_VOTE(F, T) F(T, type_id, TEXT, 0, NULL, "name of the mod's kind of vote")
#define IC_VOTE_TYPE(V, T)      \
    V(T, Surrender, NULL)       \
    V(T, Kick, &ic_kick_record) \
    V(T, Remake, NULL)          \
    V(T, Draw, NULL)            \
    V(T, Custom, &ic_custom_vote_record)
RP_STRUCT(ic_kick, IC_KICK);
RP_STRUCT(ic_custom_vote, IC_CUSTOM_VOTE);
RP_SUM_NUMBERS(ic_vote_type, IC_VOTE_TYPE);

#define IC_PROPOSE(F, T) F(T, vote_type, SUM, 0, &ic_vote_type, "what is proposed")
#define IC_CAST(F, T)                         \
    F(T, vote_id, U32, 0, NULL, "which vote") \
    F(T, choice, U32, 0, &ic_vote_choices, "ballot")
#define IC_CANCEL(F, T) F(T, vote_id, U32, 0, NULL, "which vote")
#define IC_VOTE_ORDER(V, T)           \
    V(T, Propose, &ic_propose_record) \
    V(T, Cast, &ic_cast_record)       \
    V(T, Cancel, &ic_cancel_record)
RP_STRUCT(ic_propose, IC_PROPOSE);
RP_STRUCT(ic_cast, IC_CAST);
RP_STRUCT(ic_cancel, IC_CANCEL);
RP_SUM_NUMBERS(ic_vote_order, IC_VOTE_ORDER);

#define IC_MOVE(F, T)                          \
    F(T, units, SEQ, 0, &ic_tag_record, "who") \
    F(T, target, REC, ic_pos, &ic_pos_record, "where to")
#define IC_ATTACK(F, T)                        \
    F(T, units, SEQ, 0, &ic_tag_record, "who") \
    F(T, target, SUM, 0, &ic_target, "what")
#define IC_STOP(F, T) F(T, units, SEQ, 0, &ic_tag_record, "who")
#define IC_CHAT(F, T)                                  \
    F(T, channel, SUM, 0, &ic_channel, "who reads it") \
    F(T, text, TEXT, 0, NULL, "at most 512 characters")
#define IC_COMMAND(F, T)                            \
    F(T, cmd, TEXT, 0, NULL, "name of the command") \
    F(T, args, SEQ, 0, &ic_text_record, "its arguments")
#define IC_CVAR(F, T)                    \
    F(T, name, TEXT, 0, NULL, "setting") \
    F(T, value, TEXT, 0, NULL, "its new value")
#define IC_VOTE(F, T) F(T, vote, SUM, 0, &ic_vote_order, "propose, cast or cancel")
#define IC_GAME_ORDER(F, T)                                              \
    F(T, type_tag, U16, 0, NULL, "kind of order; 1 to 8 are known here") \
    F(T, payload, BYTES, 0, NULL, "its fields in bincode")
#define IC_VOICE_ACTIVITY(F, T) F(T, active, BOOL, 0, NULL, "speaks")
#define IC_PING(F, T)                                  \
    F(T, ping_type, U32, 0, &ic_ping_types, "meaning") \
    F(T, pos, REC, ic_pos, &ic_pos_record, "where")    \
    F(T, target, OPT, 0, &ic_tag_record, "entity that is meant, or none")
#define IC_PHRASE(F, T) F(T, phrase_id, U16, 0, NULL, "phrase of the chat wheel")
#define IC_DRAW(F, T)                                                 \
    F(T, points, SEQ, 0, &ic_pos_record, "stroke, at most 32 points") \
    F(T, color, U32, 0, NULL, "0xRRGGBB")
RP_STRUCT(ic_move, IC_MOVE);
RP_STRUCT(ic_attack, IC_ATTACK);
RP_STRUCT(ic_stop, IC_STOP);
RP_STRUCT(ic_chat, IC_CHAT);
RP_STRUCT(ic_command, IC_COMMAND);
RP_STRUCT(ic_cvar, IC_CVAR);
RP_STRUCT(ic_vote, IC_VOTE);
RP_STRUCT(ic_game_order, IC_GAME_ORDER);
RP_STRUCT(ic_voice_activity, IC_VOICE_ACTIVITY);
RP_STRUCT(ic_ping, IC_PING);
RP_STRUCT(ic_phrase, IC_PHRASE);
RP_STRUCT(ic_draw, IC_DRAW);

#define IC_PLAYER_ORDER(V, T)                      \
    V(T, Move, &ic_move_record)                    \
    V(T, Attack, &ic_attack_record)                \
    V(T, Stop, &ic_stop_record)                    \
    V(T, Idle, NULL)                               \
    V(T, ChatMessage, &ic_chat_record)             \
    V(T, ChatCommand, &ic_command_record)          \
    V(T, CheatCode, &ic_u32_record)                \
    V(T, SetCvar, &ic_cvar_record)                 \
    V(T, Vote, &ic_vote_record)                    \
    V(T, GameOrder, &ic_game_order_record)         \
    V(T, VoiceActivity, &ic_voice_activity_record) \
    V(T, TacticalPing, &ic_ping_record)            \
    V(T, ChatWheelPhrase, &ic_phrase_record)       \
    V(T, MinimapDraw, &ic_draw_record)
RP_SUM_NUMBERS(ic_player_order, IC_PLAYER_ORDER);

#define IC_ORDER(F, T)                            \
    F(T, player, U32, 0, NULL, "who gave it")     \
    F(T, order, SUM, 0, &ic_player_order, "what") \
    F(T, sub_tick_time, U32, 0, NULL, "microseconds after the tick began")
RP_STRUCT(ic_order, IC_ORDER);

#define IC_FRAME(F, T)                                                                          \
    F(T, tick, U64, 0, NULL, "the orders are applied to the state of this tick")                \
    F(T, state_hash, U64, 0, NULL, "SyncHash of that state; 0 in imported files: not recorded") \
    F(T, orders, SEQ, 0, &ic_order_record, "in the order received")
RP_STRUCT(ic_frame, IC_FRAME);

/* Payloads of GameOrder by their tag, counted from 1. */
#define IC_PRODUCE(F, T)                           \
    F(T, queue, TEXT, 0, NULL, "production queue") \
    F(T, item, TEXT, 0, NULL, "type to build")
#define IC_PLACE(F, T)                         \
    F(T, item, TEXT, 0, NULL, "type to place") \
    F(T, cell, REC, ic_cell, &ic_cell_record, "where")
#define IC_UNIT(F, T) F(T, unit, REC, ic_tag, &ic_tag_record, "which")
#define IC_RALLY(F, T)                               \
    F(T, unit, REC, ic_tag, &ic_tag_record, "which") \
    F(T, target, REC, ic_pos, &ic_pos_record, "where to")
#define IC_STANCE(F, T)                        \
    F(T, units, SEQ, 0, &ic_tag_record, "who") \
    F(T, stance, U8, 0, NULL, "the game's number")
RP_STRUCT(ic_produce, IC_PRODUCE);
RP_STRUCT(ic_place, IC_PLACE);
RP_STRUCT(ic_unit, IC_UNIT);
RP_STRUCT(ic_rally, IC_RALLY);
RP_STRUCT(ic_stance, IC_STANCE);

#define IC_GAME_ORDERS(V, T)                   \
    V(T, Produce, &ic_produce_record)          \
    V(T, PlaceBuilding, &ic_place_record)      \
    V(T, Sell, &ic_unit_record)                \
    V(T, SetRallyPoint, &ic_rally_record)      \
    V(T, Deploy, &ic_unit_record)              \
    V(T, SetStance, &ic_stance_record)         \
    V(T, CancelProduction, &ic_produce_record) \
    V(T, Repair, &ic_unit_record)
RP_SUM_NUMBERS(ic_game_orders, IC_GAME_ORDERS);
enum { IC_GAME_ORDER_FIRST = 1 }; /* the tag of variant 0 */

/* ---- 6.2: entities ---- */

#define IC_ENTITY(F, T)                                            \
    F(T, tag, REC, ic_tag, &ic_tag_record, "which")                \
    F(T, component_mask, U64, 0, NULL, "bit per component it has") \
    F(T, components, BYTES, 0, NULL, "those components, ascending by bit")
RP_STRUCT(ic_entity, IC_ENTITY);

#define IC_IDENTITY(F, T)                     \
    F(T, archetype, U32, 0, NULL, "interned") \
    F(T, unit_type, U32, 0, NULL, "interned") \
    F(T, owner, U32, 0, NULL, "player")
#define IC_POSITION(F, T) F(T, pos, REC, ic_pos, &ic_pos_record, "where")
#define IC_HEALTH(F, T)                \
    F(T, current, I32, 0, NULL, "now") \
    F(T, max, I32, 0, NULL, "when unhurt")
#define IC_MOBILE(F, T)                                          \
    F(T, facing, I32, 0, NULL, "0 to 1023, 1024 is a full turn") \
    F(T, speed, I32, 0, NULL, "per tick")                        \
    F(T, locomotor, U32, 0, &ic_locomotors, "how it moves")
#define IC_NAVIGATION(F, T) F(T, target, OPT, 0, &ic_pos_record, "where it goes, or none")
#define IC_ATTACKABLE(F, T) F(T, armor, U32, 0, &ic_armors, "kind of armour")
#define IC_ARMAMENT(F, T)                  \
    F(T, weapon, U32, 0, NULL, "interned") \
    F(T, cooldown, U32, 0, NULL, "ticks until it can fire")
#define IC_BUILDING(F, T) F(T, footprint, U32, 0, NULL, "the game's number")
#define IC_QUEUE_ITEM(F, T)                       \
    F(T, actor_type, U32, 0, NULL, "interned")    \
    F(T, remaining_cost, I32, 0, NULL, "credits") \
    F(T, remaining_time, U32, 0, NULL, "ticks")   \
    F(T, paid, I32, 0, NULL, "credits")           \
    F(T, infinite, BOOL, 0, NULL, "begins again when done")
#define IC_BUILD_QUEUE(F, T)                                     \
    F(T, items, SEQ, 0, &ic_queue_item_record, "first is built") \
    F(T, paused, BOOL, 0, NULL, "stands still")
#define IC_HARVESTER(F, T)               \
    F(T, capacity, I32, 0, NULL, "room") \
    F(T, carried, I32, 0, NULL, "load")  \
    F(T, resource, U32, 0, NULL, "interned")
#define IC_VETERANCY(F, T)                       \
    F(T, level, U32, 0, &ic_veterancies, "rank") \
    F(T, xp, U32, 0, NULL, "experience")
#define IC_EXTENSION(F, T) F(T, data, BYTES, 0, NULL, "opaque")
RP_STRUCT(ic_identity, IC_IDENTITY);
RP_STRUCT(ic_position, IC_POSITION);
RP_STRUCT(ic_health, IC_HEALTH);
RP_STRUCT(ic_mobile, IC_MOBILE);
RP_STRUCT(ic_navigation, IC_NAVIGATION);
RP_STRUCT(ic_attackable, IC_ATTACKABLE);
RP_STRUCT(ic_armament, IC_ARMAMENT);
RP_STRUCT(ic_building, IC_BUILDING);
RP_STRUCT(ic_queue_item, IC_QUEUE_ITEM);
RP_STRUCT(ic_build_queue, IC_BUILD_QUEUE);
RP_STRUCT(ic_harvester, IC_HARVESTER);
RP_STRUCT(ic_veterancy, IC_VETERANCY);
RP_STRUCT(ic_extension, IC_EXTENSION);

/* Bit, member, name. The record of a component is ic_<member>. */
#define IC_COMPONENTS(C)          \
    C(0, identity, Identity)      \
    C(1, position, Position)      \
    C(2, health, Health)          \
    C(3, mobile, Mobile)          \
    C(4, navigation, Navigation)  \
    C(5, attackable, Attackable)  \
    C(6, armament, Armament)      \
    C(7, building, Building)      \
    C(8, build_queue, BuildQueue) \
    C(9, harvester, Harvester)    \
    C(10, veterancy, Veterancy)   \
    C(63, extension, Extension)

/* ---- 6.1, 6.3: the core of a state ---- */

#define IC_RNG(F, T)                             \
    F(T, s0, U64, 0, NULL, "xoshiro256** state") \
    F(T, s1, U64, 0, NULL, "xoshiro256** state") \
    F(T, s2, U64, 0, NULL, "xoshiro256** state") \
    F(T, s3, U64, 0, NULL, "xoshiro256** state")
RP_STRUCT(ic_rng, IC_RNG);
#define IC_RNG_STATE(F, T) F(T, s, REC, ic_rng, &ic_rng_record, "all zero is invalid")
RP_STRUCT(ic_rng_state, IC_RNG_STATE);

#define IC_INTERN(F, T) F(T, entries, SEQ, 0, &ic_text_record, "the position is the id")
RP_STRUCT(ic_intern, IC_INTERN);

#define IC_PLAYER(F, T)                                               \
    F(T, player, U32, 0, NULL, "number")                              \
    F(T, team, U32, 0, NULL, "number")                                \
    F(T, faction, U32, 0, NULL, "interned")                           \
    F(T, credits, I64, 0, NULL, "money")                              \
    F(T, power_produced, I32, 0, NULL, "by power plants")             \
    F(T, power_drained, I32, 0, NULL, "by everything else")           \
    F(T, tech, SEQ, 0, &ic_u32_record, "interned, what can be built") \
    F(T, defeated, BOOL, 0, NULL, "out of the match")                 \
    F(T, cheats_used, BOOL, 0, NULL, "has cheated")                   \
    F(T, cosmetic_cheats_used, BOOL, 0, NULL, "has cheated harmlessly")
RP_STRUCT(ic_player, IC_PLAYER);

#define IC_CELL_STATE(F, T)                                     \
    F(T, terrain, U32, 0, NULL, "interned")                     \
    F(T, resource, OPT, 0, &ic_u32_record, "interned, or none") \
    F(T, amount, I32, 0, NULL, "of the resource")
RP_STRUCT(ic_cell_state, IC_CELL_STATE);
#define IC_MAP_CELL(F, T)                              \
    F(T, cell, REC, ic_cell, &ic_cell_record, "where") \
    F(T, state, REC, ic_cell_state, &ic_cell_state_record, "what is there")
RP_STRUCT(ic_map_cell, IC_MAP_CELL);
#define IC_MAP(F, T)                    \
    F(T, width, U32, 0, NULL, "cells")  \
    F(T, height, U32, 0, NULL, "cells") \
    F(T, cells, SEQ, 0, &ic_map_cell_record, "those that differ from the map file")
RP_STRUCT(ic_map, IC_MAP);

#define IC_CORE(F, T)                                                          \
    F(T, tick, U64, 0, NULL, "of this state")                                  \
    F(T, game_seed, U64, 0, NULL, "of the match")                              \
    F(T, map_hash, RAW, 32, NULL, "SHA-256 of the map file")                   \
    F(T, rng_state, REC, ic_rng_state, &ic_rng_state_record, "random numbers") \
    F(T, intern_table, REC, ic_intern, &ic_intern_record, "names of types")    \
    F(T, entities, SEQ, 0, &ic_entity_record, "ascending by tag.index")        \
    F(T, player_states, SEQ, 0, &ic_player_record, "ascending by player")      \
    F(T, map_state, REC, ic_map, &ic_map_record, "the map")
RP_STRUCT(ic_core, IC_CORE);

/* ---- 6.4: campaign and scripts ---- */

#define IC_BOOL(F, T)  F(T, value, BOOL, 0, NULL, "yes or no")
#define IC_I64(F, T)   F(T, value, I64, 0, NULL, "a number")
#define IC_FIXED(F, T) F(T, value, I32, 0, NULL, "1024 is 1.0")
RP_STRUCT(ic_bool, IC_BOOL);
RP_STRUCT(ic_i64, IC_I64);
RP_STRUCT(ic_fixed, IC_FIXED);
#define IC_SCRIPT_VALUE(V, T)     \
    V(T, Bool, &ic_bool_record)   \
    V(T, Int, &ic_i64_record)     \
    V(T, Fixed, &ic_fixed_record) \
    V(T, Str, &ic_text_record)
RP_SUM_NUMBERS(ic_script_value, IC_SCRIPT_VALUE);

#define IC_VAR(F, T)                 \
    F(T, name, TEXT, 0, NULL, "key") \
    F(T, value, SUM, 0, &ic_script_value, "its value")
#define IC_MOD_STATE(F, T)             \
    F(T, mod, TEXT, 0, NULL, "mod id") \
    F(T, data, BYTES, 0, NULL, "opaque")
RP_STRUCT(ic_var, IC_VAR);
RP_STRUCT(ic_mod_state, IC_MOD_STATE);

#define IC_CAMPAIGN(F, T)                                             \
    F(T, campaign_id, TEXT, 0, NULL, "which campaign")                \
    F(T, active_mission, OPT, 0, &ic_text_record, "mission, or none") \
    F(T, current_focus, U32, 0, &ic_focuses, "what is on screen")     \
    F(T, path_taken, SEQ, 0, &ic_text_record, "missions so far")      \
    F(T, resources, I64, 0, NULL, "between missions")                 \
    F(T, flags, MAP, 0, &ic_var_record, "set by missions")            \
    F(T, extension, BYTES, 0, NULL, "opaque")
#define IC_SCRIPT(F, T)                                                            \
    F(T, lua_states, MAP, 0, &ic_mod_state_record, "what save callbacks returned") \
    F(T, wasm_states, MAP, 0, &ic_mod_state_record, "persistent memory regions")   \
    F(T, mission_vars, MAP, 0, &ic_var_record, "variables of the engine")
RP_STRUCT(ic_campaign, IC_CAMPAIGN);
RP_STRUCT(ic_script, IC_SCRIPT);

#define IC_SNAPSHOT(F, T)                                           \
    F(T, core, REC, ic_core, &ic_core_record, "the simulation")     \
    F(T, campaign_state, OPT, 0, &ic_campaign_record, "not hashed") \
    F(T, script_state, OPT, 0, &ic_script_record, "not hashed")
RP_STRUCT(ic_snapshot, IC_SNAPSHOT);

/* ---- 6.5: deltas ---- */

#define IC_INTERN_DELTA(F, T)                                      \
    F(T, start_id, U32, 0, NULL, "length of the baseline's table") \
    F(T, new_entries, SEQ, 0, &ic_text_record, "appended")
#define IC_ENTITY_DELTA(F, T)                                                    \
    F(T, entity, REC, ic_tag, &ic_tag_record, "which; 65535/65535 is the world") \
    F(T, change_mask, U64, 0, NULL, "bit per component that follows")            \
    F(T, changed_components, BYTES, 0, NULL, "whole components, by bit")         \
    F(T, is_new, BOOL, 0, NULL, "was not in the baseline")                       \
    F(T, is_removed, BOOL, 0, NULL, "is gone")
#define IC_PLAYER_DELTA(F, T)                                                 \
    F(T, player, U32, 0, NULL, "number")                                      \
    F(T, change_mask, U32, 0, NULL, "bit per field that follows, team first") \
    F(T, changed_fields, BYTES, 0, NULL, "whole fields, by bit")
#define IC_MAP_DELTA(F, T) F(T, changed_cells, SEQ, 0, &ic_map_cell_record, "replaced or added")
RP_STRUCT(ic_intern_delta, IC_INTERN_DELTA);
RP_STRUCT(ic_entity_delta, IC_ENTITY_DELTA);
RP_STRUCT(ic_player_delta, IC_PLAYER_DELTA);
RP_STRUCT(ic_map_delta, IC_MAP_DELTA);

#define IC_CORE_DELTA(F, T)                                                              \
    F(T, baseline_tick, U64, 0, NULL, "nearest full keyframe before")                    \
    F(T, baseline_hash, RAW, 32, NULL, "its StateHash")                                  \
    F(T, tick, U64, 0, NULL, "of the state this gives")                                  \
    F(T, intern_table_delta, OPT, 0, &ic_intern_delta_record, "new names, or none")      \
    F(T, changed_entities, SEQ, 0, &ic_entity_delta_record, "ascending, the world last") \
    F(T, changed_players, SEQ, 0, &ic_player_delta_record, "those that changed")         \
    F(T, changed_map, OPT, 0, &ic_map_delta_record, "cells, or none")
RP_STRUCT(ic_core_delta, IC_CORE_DELTA);
#define IC_DELTA(F, T)                                                      \
    F(T, core, REC, ic_core_delta, &ic_core_delta_record, "the simulation") \
    F(T, campaign_state, OPT, 0, &ic_campaign_record, "if changed")         \
    F(T, script_state, OPT, 0, &ic_script_record, "if changed")
RP_STRUCT(ic_delta, IC_DELTA);

/* ---- 7.1, 7.2, 7.3, 8: containers ---- */

#define IC_REPLAY_HEADER(F, T)                                               \
    F(T, magic, RAW, 4, NULL, "ICRP")                                        \
    F(T, version, U16, 0, NULL, "1")                                         \
    F(T, compression_algorithm, U8, 0, NULL, "1: LZ4")                       \
    F(T, flags, U8, 0, NULL, "1 signed, 2 events, 8 voice, 16 incomplete")   \
    F(T, metadata_offset, U32, 0, NULL, "JSON")                              \
    F(T, metadata_length, U32, 0, NULL, "bytes")                             \
    F(T, orders_offset, U32, 0, NULL, "records ICOB")                        \
    F(T, orders_length, U32, 0, NULL, "bytes")                               \
    F(T, keyframes_offset, U32, 0, NULL, "index and blobs")                  \
    F(T, keyframes_length, U32, 0, NULL, "bytes")                            \
    F(T, events_offset, U32, 0, NULL, "sized LZ4 block")                     \
    F(T, events_length, U32, 0, NULL, "bytes")                               \
    F(T, signature_offset, U32, 0, NULL, "chain")                            \
    F(T, signature_length, U32, 0, NULL, "bytes")                            \
    F(T, total_ticks, U64, 0, NULL, "number of the terminal state")          \
    F(T, final_state_hash, RAW, 32, NULL, "StateHash of the terminal state") \
    F(T, voice_offset, U32, 0, NULL, "sized LZ4 block")                      \
    F(T, voice_length, U32, 0, NULL, "bytes")                                \
    F(T, embedded_offset, U32, 0, NULL, "resources")                         \
    F(T, embedded_length, U32, 0, NULL, "bytes")                             \
    F(T, lost_frame_count, U32, 0, NULL, "frames and keyframes the recorder dropped")
RP_STRUCT(ic_replay_header, IC_REPLAY_HEADER);
enum { IC_REPLAY_HEADER_SIZE = 108, IC_SAVE_HEADER_SIZE = 68, IC_RECORD_SIZE = 32 };
enum { IC_SIGNED = 1, IC_HAS_EVENTS = 2, IC_HAS_VOICE = 8, IC_INCOMPLETE = 16 };

#define IC_SAVE_HEADER(F, T)                                              \
    F(T, magic, RAW, 4, NULL, "ICSV")                                     \
    F(T, version, U16, 0, NULL, "1")                                      \
    F(T, compression_algorithm, U8, 0, NULL, "1: LZ4")                    \
    F(T, flags, U8, 0, NULL, "1 thumbnail")                               \
    F(T, metadata_offset, U32, 0, NULL, "JSON")                           \
    F(T, metadata_length, U32, 0, NULL, "bytes")                          \
    F(T, payload_offset, U32, 0, NULL, "sized LZ4 block of the snapshot") \
    F(T, payload_length, U32, 0, NULL, "bytes")                           \
    F(T, uncompressed_length, U32, 0, NULL, "of the snapshot")            \
    F(T, state_hash, U64, 0, NULL, "SyncHash of the state")               \
    F(T, payload_hash, RAW, 32, NULL, "SHA-256 of the stored payload")
RP_STRUCT(ic_save_header, IC_SAVE_HEADER);
enum { IC_HAS_THUMBNAIL = 1 };

#define IC_BLOCK(F, T)                                            \
    F(T, tag, RAW, 4, NULL, "ICOB, ICKF, ICEV, ICVO or ICSG")     \
    F(T, flags, U16, 0, NULL, "ICKF: 1 full; else 0")             \
    F(T, reserved, U16, 0, NULL, "0")                             \
    F(T, first_tick, U64, 0, NULL, "multiple of 256 for ICOB")    \
    F(T, item_count, U32, 0, NULL, "frames, events and so on")    \
    F(T, stored_length, U32, 0, NULL, "bytes behind this header") \
    F(T, uncompressed_length, U32, 0, NULL, "of them")            \
    F(T, crc, U32, 0, NULL, "CRC-32 of bytes 0 to 27 and the stored ones")
RP_STRUCT(ic_block, IC_BLOCK);

#define IC_KEYFRAME_PLACE(F, T)                                  \
    F(T, blob_offset, U32, 0, NULL, "from the end of the index") \
    F(T, blob_length, U32, 0, NULL, "bytes stored")
#define IC_KEYFRAME_REST(F, T)                               \
    F(T, uncompressed_length, U32, 0, NULL, "bytes decoded") \
    F(T, is_full, BOOL, 0, NULL, "snapshot, else delta")
#define IC_KEYFRAME(F, T)                    \
    F(T, tick, U64, 0, NULL, "of the state") \
    IC_KEYFRAME_PLACE(F, T)                  \
    IC_KEYFRAME_REST(F, T)
RP_STRUCT(ic_keyframe, IC_KEYFRAME);
enum { IC_KEYFRAME_SIZE = 21 };

/* ---- 7.5, 7.6, 7.7, 10 ---- */

#define IC_VOICE_TARGET(V, T) \
    V(T, All, NULL)           \
    V(T, Team, NULL)          \
    V(T, Player, &ic_u32_record)
RP_SUM_NUMBERS(ic_voice_target, IC_VOICE_TARGET);
#define IC_VOICE_FRAME_REST(F, T)                      \
    F(T, opus_data, BYTES, 0, NULL, "one Opus packet") \
    F(T, target, SUM, 0, &ic_voice_target, "who heard it")
#define IC_VOICE_FRAME(F, T)                     \
    F(T, tick, U64, 0, NULL, "when it was said") \
    IC_VOICE_FRAME_REST(F, T)
RP_STRUCT(ic_voice_frame, IC_VOICE_FRAME);
#define IC_VOICE_TRACK(F, T)                                \
    F(T, player, U32, 0, NULL, "speaker")                   \
    F(T, consented, BOOL, 0, NULL, "agreed to be recorded") \
    F(T, frames, SEQ, 0, &ic_voice_frame_record, "ascending by tick")
RP_STRUCT(ic_voice_track, IC_VOICE_TRACK);
#define IC_VOICE(F, T) F(T, tracks, SEQ, 0, &ic_voice_track_record, "one per player")
RP_STRUCT(ic_voice, IC_VOICE);

#define IC_TICK_SIGNATURE_REST(F, T)                                        \
    F(T, state_hash, RAW, 32, NULL, "its StateHash")                        \
    F(T, skipped_ticks, U32, 0, NULL, "frames lost since the entry before") \
    F(T, relay_sig, RAW, 64, NULL, "Ed25519")
#define IC_TICK_SIGNATURE(F, T)                     \
    F(T, tick, U64, 0, NULL, "of the signed state") \
    IC_TICK_SIGNATURE_REST(F, T)
RP_STRUCT(ic_tick_signature, IC_TICK_SIGNATURE);
#define IC_SIGNATURE(F, T)                                              \
    F(T, chain, SEQ, 0, &ic_tick_signature_record, "ascending by tick") \
    F(T, relay_public_key, RAW, 32, NULL, "Ed25519")
RP_STRUCT(ic_signature, IC_SIGNATURE);
enum { IC_TICK_SIGNATURE_SIZE = 108 };

#define IC_MOD(F, T)               \
    F(T, id, TEXT, 0, NULL, "mod") \
    F(T, version, TEXT, 0, NULL, "of the mod")
#define IC_RULE(F, T)                                    \
    F(T, mod_id, TEXT, 0, NULL, "whose rule")            \
    F(T, path, TEXT, 0, NULL, "relative, .yaml or .yml") \
    F(T, yaml, TEXT, 0, NULL, "the file")
RP_STRUCT(ic_mod, IC_MOD);
RP_STRUCT(ic_rule, IC_RULE);
#define IC_MANIFEST(F, T)                             \
    F(T, mods, SEQ, 0, &ic_mod_record, "active mods") \
    F(T, rules, SEQ, 0, &ic_rule_record, "their rules")
RP_STRUCT(ic_manifest, IC_MANIFEST);
#define IC_BYTES(F, T) F(T, value, BYTES, 0, NULL, "bytes")
RP_STRUCT(ic_bytes, IC_BYTES);
#define IC_EMBEDDED(F, T)                                                       \
    F(T, map_data, OPT, 0, &ic_bytes_record, "sized LZ4 block of the map file") \
    F(T, mod_manifest, OPT, 0, &ic_manifest_record, "mods and rules")           \
    F(T, balance_preset, OPT, 0, &ic_text_record, "name of the preset")         \
    F(T, initial_state, OPT, 0, &ic_bytes_record, "sized LZ4 block of the tick 0 snapshot")
RP_STRUCT(ic_embedded, IC_EMBEDDED);

#define IC_HASH(F, T) F(T, value, RAW, 32, NULL, "SHA-256")
RP_STRUCT(ic_hash, IC_HASH);
#define IC_PROOF(F, T)                                                \
    F(T, tick, U64, 0, NULL, "of the signed state")                   \
    F(T, leaf_label, TEXT, 0, NULL, "which part of the state")        \
    F(T, leaf_data, BYTES, 0, NULL, "that part")                      \
    F(T, leaf_index, U32, 0, NULL, "its place")                       \
    F(T, leaf_count, U32, 0, NULL, "parts of that state")             \
    F(T, siblings, SEQ, 0, &ic_hash_record, "the path to the root")   \
    F(T, skipped_ticks, U32, 0, NULL, "of the chain entry")           \
    F(T, prev_sig_hash, RAW, 32, NULL, "link before the chain entry") \
    F(T, relay_sig, RAW, 64, NULL, "of the chain entry")              \
    F(T, relay_public_key, RAW, 32, NULL, "Ed25519")
RP_STRUCT(ic_proof, IC_PROOF);

enum { IC_WIRE_RECORD_COUNT = 122 };
extern const rp_record *const ic_wire_records[IC_WIRE_RECORD_COUNT];

#endif
