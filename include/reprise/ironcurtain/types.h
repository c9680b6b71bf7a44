/*
 * types.h - the types of Iron Curtain files as C structs: states, deltas, orders, events, headers.
 *
 * reprise/ironcurtain/codec.h turns them into bytes and back; reprise/ironcurtain/live.h records
 * and plays them.
 */
#ifndef REPRISE_IRONCURTAIN_TYPES_H
#define REPRISE_IRONCURTAIN_TYPES_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  types ------------------------------------------------------------------------------ */

/*
 * A list names the fields of a struct, one line each: name, kind, and what it means. (The columns
 * between are for the library's own tables.) The kinds:
 *
 *   BOOL U8 U16 U32 I32 U64 I64    numbers
 *   TEXT BYTES                     reprise_text: UTF-8, or any bytes
 *   SEQ MAP                        reprise_list of the struct named by the fourth column; the keys
 *                                  of a MAP, the first members, rise strictly
 *   OPT                            pointer to that struct, or NULL
 *   SUM                            reprise_choice: the number of a variant and, if it has content,
 *                                  a pointer to it
 *   REC                            that struct itself
 *   RAW                            so many bytes
 *
 * A struct is called reprise_ic_ and the name of its list in small letters; the variants of a union
 * are numbered reprise_ic_<union>_<Variant>.
 */
#define REPRISE_IC_STRUCT(T, LIST) \
    typedef struct T {             \
        LIST(REPRISE_IC_MEMBER, T) \
    } T
#define REPRISE_IC_VARIANTS(T, LIST)                    enum { LIST(REPRISE_IC_VARIANT, T) T##_COUNT }
#define REPRISE_IC_VARIANT(T, name, record)             T##_##name,
#define REPRISE_IC_MEMBER(T, name, kind, tag, sub, doc) REPRISE_IC_MEMBER_##kind(name, tag)
#define REPRISE_IC_MEMBER_BOOL(name, tag)               bool name;
#define REPRISE_IC_MEMBER_U8(name, tag)                 uint8_t name;
#define REPRISE_IC_MEMBER_U16(name, tag)                uint16_t name;
#define REPRISE_IC_MEMBER_U32(name, tag)                uint32_t name;
#define REPRISE_IC_MEMBER_I32(name, tag)                int32_t name;
#define REPRISE_IC_MEMBER_U64(name, tag)                uint64_t name;
#define REPRISE_IC_MEMBER_I64(name, tag)                int64_t name;
#define REPRISE_IC_MEMBER_TEXT(name, tag)               reprise_text name;
#define REPRISE_IC_MEMBER_BYTES(name, tag)              reprise_text name;
#define REPRISE_IC_MEMBER_SEQ(name, tag)                reprise_list name;
#define REPRISE_IC_MEMBER_MAP(name, tag)                reprise_list name;
#define REPRISE_IC_MEMBER_OPT(name, tag)                void *name;
#define REPRISE_IC_MEMBER_SUM(name, tag)                reprise_choice name;
#define REPRISE_IC_MEMBER_REC(name, tag)                tag name;
#define REPRISE_IC_MEMBER_RAW(name, tag)                uint8_t name[tag];

/* ---- 2  the lists -------------------------------------------------------------------------- */

/* ---- 5: shared types ---- */

#define REPRISE_IC_U32(F, T)  F(T, value, U32, 0, NULL, "a number")
#define REPRISE_IC_TEXT(F, T) F(T, value, TEXT, 0, NULL, "a text")

#define REPRISE_IC_TAG(F, T)                        \
    F(T, index, U16, 0, NULL, "slot of the entity") \
    F(T, generation, U16, 0, NULL, "tells apart those that had the slot one after the other")

#define REPRISE_IC_POS(F, T)                             \
    F(T, x, I32, 0, NULL, "1024 per cell, to the right") \
    F(T, y, I32, 0, NULL, "1024 per cell, downwards")    \
    F(T, z, I32, 0, NULL, "1024 per cell, up")

#define REPRISE_IC_CELL(F, T)       \
    F(T, x, I32, 0, NULL, "column") \
    F(T, y, I32, 0, NULL, "row")    \
    F(T, z, I32, 0, NULL, "level")

REPRISE_IC_STRUCT(reprise_ic_u32, REPRISE_IC_U32);
REPRISE_IC_STRUCT(reprise_ic_text, REPRISE_IC_TEXT);
REPRISE_IC_STRUCT(reprise_ic_tag, REPRISE_IC_TAG);
REPRISE_IC_STRUCT(reprise_ic_pos, REPRISE_IC_POS);
REPRISE_IC_STRUCT(reprise_ic_cell, REPRISE_IC_CELL);

/* ---- 5.1: orders ---- */

#define REPRISE_IC_TARGET(V, T) \
    V(T, Unit, &ic_tag_record)  \
    V(T, Ground, &ic_pos_record)
REPRISE_IC_VARIANTS(reprise_ic_target, REPRISE_IC_TARGET);

#define REPRISE_IC_WHISPER(F, T) F(T, target, U32, 0, NULL, "player who reads it")
#define REPRISE_IC_CHANNEL(V, T)      \
    V(T, All, NULL)                   \
    V(T, Team, NULL)                  \
    V(T, Whisper, &ic_whisper_record) \
    V(T, Observer, NULL)
REPRISE_IC_STRUCT(reprise_ic_whisper, REPRISE_IC_WHISPER);
REPRISE_IC_VARIANTS(reprise_ic_channel, REPRISE_IC_CHANNEL);

#define REPRISE_IC_KICK(F, T)                          \
    F(T, target, U32, 0, NULL, "player to be removed") \
    F(T, reason, U32, 0, &ic_kick_reasons, "why")
#define REPRISE_IC_CUSTOM_VOTE(F, T) F(T, type_id, TEXT, 0, NULL, "name of the mod's kind of vote")
#define REPRISE_IC_VOTE_TYPE(V, T) \
    V(T, Surrender, NULL)          \
    V(T, Kick, &ic_kick_record)    \
    V(T, Remake, NULL)             \
    V(T, Draw, NULL)               \
    V(T, Custom, &ic_custom_vote_record)
REPRISE_IC_STRUCT(reprise_ic_kick, REPRISE_IC_KICK);
REPRISE_IC_STRUCT(reprise_ic_custom_vote, REPRISE_IC_CUSTOM_VOTE);
REPRISE_IC_VARIANTS(reprise_ic_vote_type, REPRISE_IC_VOTE_TYPE);

#define REPRISE_IC_PROPOSE(F, T) F(T, vote_type, SUM, 0, &ic_vote_type, "what is proposed")
#define REPRISE_IC_CAST(F, T)                 \
    F(T, vote_id, U32, 0, NULL, "which vote") \
    F(T, choice, U32, 0, &ic_vote_choices, "ballot")
#define REPRISE_IC_CANCEL(F, T) F(T, vote_id, U32, 0, NULL, "which vote")
#define REPRISE_IC_VOTE_ORDER(V, T)   \
    V(T, Propose, &ic_propose_record) \
    V(T, Cast, &ic_cast_record)       \
    V(T, Cancel, &ic_cancel_record)
REPRISE_IC_STRUCT(reprise_ic_propose, REPRISE_IC_PROPOSE);
REPRISE_IC_STRUCT(reprise_ic_cast, REPRISE_IC_CAST);
REPRISE_IC_STRUCT(reprise_ic_cancel, REPRISE_IC_CANCEL);
REPRISE_IC_VARIANTS(reprise_ic_vote_order, REPRISE_IC_VOTE_ORDER);

#define REPRISE_IC_MOVE(F, T)                  \
    F(T, units, SEQ, 0, &ic_tag_record, "who") \
    F(T, target, REC, reprise_ic_pos, &ic_pos_record, "where to")
#define REPRISE_IC_ATTACK(F, T)                \
    F(T, units, SEQ, 0, &ic_tag_record, "who") \
    F(T, target, SUM, 0, &ic_target, "what")
#define REPRISE_IC_STOP(F, T) F(T, units, SEQ, 0, &ic_tag_record, "who")
#define REPRISE_IC_CHAT(F, T)                          \
    F(T, channel, SUM, 0, &ic_channel, "who reads it") \
    F(T, text, TEXT, 0, NULL, "at most 512 characters")
#define REPRISE_IC_COMMAND(F, T)                    \
    F(T, cmd, TEXT, 0, NULL, "name of the command") \
    F(T, args, SEQ, 0, &ic_text_record, "its arguments")
#define REPRISE_IC_CVAR(F, T)            \
    F(T, name, TEXT, 0, NULL, "setting") \
    F(T, value, TEXT, 0, NULL, "its new value")
#define REPRISE_IC_VOTE(F, T) F(T, vote, SUM, 0, &ic_vote_order, "propose, cast or cancel")
#define REPRISE_IC_GAME_ORDER(F, T)                                      \
    F(T, type_tag, U16, 0, NULL, "kind of order; 1 to 8 are known here") \
    F(T, payload, BYTES, 0, NULL, "its fields in bincode")
#define REPRISE_IC_VOICE_ACTIVITY(F, T) F(T, active, BOOL, 0, NULL, "speaks")
#define REPRISE_IC_PING(F, T)                               \
    F(T, ping_type, U32, 0, &ic_ping_types, "meaning")      \
    F(T, pos, REC, reprise_ic_pos, &ic_pos_record, "where") \
    F(T, target, OPT, 0, &ic_tag_record, "entity that is meant, or none")
#define REPRISE_IC_PHRASE(F, T) F(T, phrase_id, U16, 0, NULL, "phrase of the chat wheel")
#define REPRISE_IC_DRAW(F, T)                                         \
    F(T, points, SEQ, 0, &ic_pos_record, "stroke, at most 32 points") \
    F(T, color, U32, 0, NULL, "0xRRGGBB")
REPRISE_IC_STRUCT(reprise_ic_move, REPRISE_IC_MOVE);
REPRISE_IC_STRUCT(reprise_ic_attack, REPRISE_IC_ATTACK);
REPRISE_IC_STRUCT(reprise_ic_stop, REPRISE_IC_STOP);
REPRISE_IC_STRUCT(reprise_ic_chat, REPRISE_IC_CHAT);
REPRISE_IC_STRUCT(reprise_ic_command, REPRISE_IC_COMMAND);
REPRISE_IC_STRUCT(reprise_ic_cvar, REPRISE_IC_CVAR);
REPRISE_IC_STRUCT(reprise_ic_vote, REPRISE_IC_VOTE);
REPRISE_IC_STRUCT(reprise_ic_game_order, REPRISE_IC_GAME_ORDER);
REPRISE_IC_STRUCT(reprise_ic_voice_activity, REPRISE_IC_VOICE_ACTIVITY);
REPRISE_IC_STRUCT(reprise_ic_ping, REPRISE_IC_PING);
REPRISE_IC_STRUCT(reprise_ic_phrase, REPRISE_IC_PHRASE);
REPRISE_IC_STRUCT(reprise_ic_draw, REPRISE_IC_DRAW);

#define REPRISE_IC_PLAYER_ORDER(V, T)              \
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
REPRISE_IC_VARIANTS(reprise_ic_player_order, REPRISE_IC_PLAYER_ORDER);

#define REPRISE_IC_ORDER(F, T)                    \
    F(T, player, U32, 0, NULL, "who gave it")     \
    F(T, order, SUM, 0, &ic_player_order, "what") \
    F(T, sub_tick_time, U32, 0, NULL, "microseconds after the tick began")
REPRISE_IC_STRUCT(reprise_ic_order, REPRISE_IC_ORDER);

#define REPRISE_IC_FRAME(F, T)                                                                  \
    F(T, tick, U64, 0, NULL, "the orders are applied to the state of this tick")                \
    F(T, state_hash, U64, 0, NULL, "SyncHash of that state; 0 in imported files: not recorded") \
    F(T, orders, SEQ, 0, &ic_order_record, "in the order received")
REPRISE_IC_STRUCT(reprise_ic_frame, REPRISE_IC_FRAME);

/* Payloads of GameOrder by their tag, counted from 1. */
#define REPRISE_IC_PRODUCE(F, T)                   \
    F(T, queue, TEXT, 0, NULL, "production queue") \
    F(T, item, TEXT, 0, NULL, "type to build")
#define REPRISE_IC_PLACE(F, T)                 \
    F(T, item, TEXT, 0, NULL, "type to place") \
    F(T, cell, REC, reprise_ic_cell, &ic_cell_record, "where")
#define REPRISE_IC_UNIT(F, T) F(T, unit, REC, reprise_ic_tag, &ic_tag_record, "which")
#define REPRISE_IC_RALLY(F, T)                               \
    F(T, unit, REC, reprise_ic_tag, &ic_tag_record, "which") \
    F(T, target, REC, reprise_ic_pos, &ic_pos_record, "where to")
#define REPRISE_IC_STANCE(F, T)                \
    F(T, units, SEQ, 0, &ic_tag_record, "who") \
    F(T, stance, U8, 0, NULL, "the game's number")
REPRISE_IC_STRUCT(reprise_ic_produce, REPRISE_IC_PRODUCE);
REPRISE_IC_STRUCT(reprise_ic_place, REPRISE_IC_PLACE);
REPRISE_IC_STRUCT(reprise_ic_unit, REPRISE_IC_UNIT);
REPRISE_IC_STRUCT(reprise_ic_rally, REPRISE_IC_RALLY);
REPRISE_IC_STRUCT(reprise_ic_stance, REPRISE_IC_STANCE);

#define REPRISE_IC_GAME_ORDERS(V, T)           \
    V(T, Produce, &ic_produce_record)          \
    V(T, PlaceBuilding, &ic_place_record)      \
    V(T, Sell, &ic_unit_record)                \
    V(T, SetRallyPoint, &ic_rally_record)      \
    V(T, Deploy, &ic_unit_record)              \
    V(T, SetStance, &ic_stance_record)         \
    V(T, CancelProduction, &ic_produce_record) \
    V(T, Repair, &ic_unit_record)
REPRISE_IC_VARIANTS(reprise_ic_game_orders, REPRISE_IC_GAME_ORDERS);

/* ---- 6.2: entities ---- */

#define REPRISE_IC_ENTITY(F, T)                                    \
    F(T, tag, REC, reprise_ic_tag, &ic_tag_record, "which")        \
    F(T, component_mask, U64, 0, NULL, "bit per component it has") \
    F(T, components, BYTES, 0, NULL, "those components, ascending by bit")
REPRISE_IC_STRUCT(reprise_ic_entity, REPRISE_IC_ENTITY);

#define REPRISE_IC_IDENTITY(F, T)             \
    F(T, archetype, U32, 0, NULL, "interned") \
    F(T, unit_type, U32, 0, NULL, "interned") \
    F(T, owner, U32, 0, NULL, "player")
#define REPRISE_IC_POSITION(F, T) F(T, pos, REC, reprise_ic_pos, &ic_pos_record, "where")
#define REPRISE_IC_HEALTH(F, T)        \
    F(T, current, I32, 0, NULL, "now") \
    F(T, max, I32, 0, NULL, "when unhurt")
#define REPRISE_IC_MOBILE(F, T)                                  \
    F(T, facing, I32, 0, NULL, "0 to 1023, 1024 is a full turn") \
    F(T, speed, I32, 0, NULL, "per tick")                        \
    F(T, locomotor, U32, 0, &ic_locomotors, "how it moves")
#define REPRISE_IC_NAVIGATION(F, T) F(T, target, OPT, 0, &ic_pos_record, "where it goes, or none")
#define REPRISE_IC_ATTACKABLE(F, T) F(T, armor, U32, 0, &ic_armors, "kind of armour")
#define REPRISE_IC_ARMAMENT(F, T)          \
    F(T, weapon, U32, 0, NULL, "interned") \
    F(T, cooldown, U32, 0, NULL, "ticks until it can fire")
#define REPRISE_IC_BUILDING(F, T) F(T, footprint, U32, 0, NULL, "the game's number")
#define REPRISE_IC_QUEUE_ITEM(F, T)               \
    F(T, actor_type, U32, 0, NULL, "interned")    \
    F(T, remaining_cost, I32, 0, NULL, "credits") \
    F(T, remaining_time, U32, 0, NULL, "ticks")   \
    F(T, paid, I32, 0, NULL, "credits")           \
    F(T, infinite, BOOL, 0, NULL, "begins again when done")
#define REPRISE_IC_BUILD_QUEUE(F, T)                             \
    F(T, items, SEQ, 0, &ic_queue_item_record, "first is built") \
    F(T, paused, BOOL, 0, NULL, "stands still")
#define REPRISE_IC_HARVESTER(F, T)       \
    F(T, capacity, I32, 0, NULL, "room") \
    F(T, carried, I32, 0, NULL, "load")  \
    F(T, resource, U32, 0, NULL, "interned")
#define REPRISE_IC_VETERANCY(F, T)               \
    F(T, level, U32, 0, &ic_veterancies, "rank") \
    F(T, xp, U32, 0, NULL, "experience")
#define REPRISE_IC_EXTENSION(F, T) F(T, data, BYTES, 0, NULL, "opaque")
REPRISE_IC_STRUCT(reprise_ic_identity, REPRISE_IC_IDENTITY);
REPRISE_IC_STRUCT(reprise_ic_position, REPRISE_IC_POSITION);
REPRISE_IC_STRUCT(reprise_ic_health, REPRISE_IC_HEALTH);
REPRISE_IC_STRUCT(reprise_ic_mobile, REPRISE_IC_MOBILE);
REPRISE_IC_STRUCT(reprise_ic_navigation, REPRISE_IC_NAVIGATION);
REPRISE_IC_STRUCT(reprise_ic_attackable, REPRISE_IC_ATTACKABLE);
REPRISE_IC_STRUCT(reprise_ic_armament, REPRISE_IC_ARMAMENT);
REPRISE_IC_STRUCT(reprise_ic_building, REPRISE_IC_BUILDING);
REPRISE_IC_STRUCT(reprise_ic_queue_item, REPRISE_IC_QUEUE_ITEM);
REPRISE_IC_STRUCT(reprise_ic_build_queue, REPRISE_IC_BUILD_QUEUE);
REPRISE_IC_STRUCT(reprise_ic_harvester, REPRISE_IC_HARVESTER);
REPRISE_IC_STRUCT(reprise_ic_veterancy, REPRISE_IC_VETERANCY);
REPRISE_IC_STRUCT(reprise_ic_extension, REPRISE_IC_EXTENSION);

/* Bit, member, name. The record of a component is ic_<member>. */
#define REPRISE_IC_COMPONENTS(C)  \
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

#define REPRISE_IC_RNG(F, T)                     \
    F(T, s0, U64, 0, NULL, "xoshiro256** state") \
    F(T, s1, U64, 0, NULL, "xoshiro256** state") \
    F(T, s2, U64, 0, NULL, "xoshiro256** state") \
    F(T, s3, U64, 0, NULL, "xoshiro256** state")
REPRISE_IC_STRUCT(reprise_ic_rng, REPRISE_IC_RNG);
#define REPRISE_IC_RNG_STATE(F, T) \
    F(T, s, REC, reprise_ic_rng, &ic_rng_record, "all zero is invalid")
REPRISE_IC_STRUCT(reprise_ic_rng_state, REPRISE_IC_RNG_STATE);

#define REPRISE_IC_INTERN(F, T) F(T, entries, SEQ, 0, &ic_text_record, "the position is the id")
REPRISE_IC_STRUCT(reprise_ic_intern, REPRISE_IC_INTERN);

#define REPRISE_IC_PLAYER(F, T)                                       \
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
REPRISE_IC_STRUCT(reprise_ic_player, REPRISE_IC_PLAYER);

#define REPRISE_IC_CELL_STATE(F, T)                             \
    F(T, terrain, U32, 0, NULL, "interned")                     \
    F(T, resource, OPT, 0, &ic_u32_record, "interned, or none") \
    F(T, amount, I32, 0, NULL, "of the resource")
REPRISE_IC_STRUCT(reprise_ic_cell_state, REPRISE_IC_CELL_STATE);
#define REPRISE_IC_MAP_CELL(F, T)                              \
    F(T, cell, REC, reprise_ic_cell, &ic_cell_record, "where") \
    F(T, state, REC, reprise_ic_cell_state, &ic_cell_state_record, "what is there")
REPRISE_IC_STRUCT(reprise_ic_map_cell, REPRISE_IC_MAP_CELL);
#define REPRISE_IC_MAP(F, T)            \
    F(T, width, U32, 0, NULL, "cells")  \
    F(T, height, U32, 0, NULL, "cells") \
    F(T, cells, SEQ, 0, &ic_map_cell_record, "those that differ from the map file")
REPRISE_IC_STRUCT(reprise_ic_map, REPRISE_IC_MAP);

#define REPRISE_IC_CORE(F, T)                                                          \
    F(T, tick, U64, 0, NULL, "of this state")                                          \
    F(T, game_seed, U64, 0, NULL, "of the match")                                      \
    F(T, map_hash, RAW, 32, NULL, "SHA-256 of the map file")                           \
    F(T, rng_state, REC, reprise_ic_rng_state, &ic_rng_state_record, "random numbers") \
    F(T, intern_table, REC, reprise_ic_intern, &ic_intern_record, "names of types")    \
    F(T, entities, SEQ, 0, &ic_entity_record, "ascending by tag.index")                \
    F(T, player_states, SEQ, 0, &ic_player_record, "ascending by player")              \
    F(T, map_state, REC, reprise_ic_map, &ic_map_record, "the map")
REPRISE_IC_STRUCT(reprise_ic_core, REPRISE_IC_CORE);

/* ---- 6.4: campaign and scripts ---- */

#define REPRISE_IC_BOOL(F, T)  F(T, value, BOOL, 0, NULL, "yes or no")
#define REPRISE_IC_I64(F, T)   F(T, value, I64, 0, NULL, "a number")
#define REPRISE_IC_FIXED(F, T) F(T, value, I32, 0, NULL, "1024 is 1.0")
REPRISE_IC_STRUCT(reprise_ic_bool, REPRISE_IC_BOOL);
REPRISE_IC_STRUCT(reprise_ic_i64, REPRISE_IC_I64);
REPRISE_IC_STRUCT(reprise_ic_fixed, REPRISE_IC_FIXED);
#define REPRISE_IC_SCRIPT_VALUE(V, T) \
    V(T, Bool, &ic_bool_record)       \
    V(T, Int, &ic_i64_record)         \
    V(T, Fixed, &ic_fixed_record)     \
    V(T, Str, &ic_text_record)
REPRISE_IC_VARIANTS(reprise_ic_script_value, REPRISE_IC_SCRIPT_VALUE);

#define REPRISE_IC_VAR(F, T)         \
    F(T, name, TEXT, 0, NULL, "key") \
    F(T, value, SUM, 0, &ic_script_value, "its value")
#define REPRISE_IC_MOD_STATE(F, T)     \
    F(T, mod, TEXT, 0, NULL, "mod id") \
    F(T, data, BYTES, 0, NULL, "opaque")
REPRISE_IC_STRUCT(reprise_ic_var, REPRISE_IC_VAR);
REPRISE_IC_STRUCT(reprise_ic_mod_state, REPRISE_IC_MOD_STATE);

#define REPRISE_IC_CAMPAIGN(F, T)                                     \
    F(T, campaign_id, TEXT, 0, NULL, "which campaign")                \
    F(T, active_mission, OPT, 0, &ic_text_record, "mission, or none") \
    F(T, current_focus, U32, 0, &ic_focuses, "what is on screen")     \
    F(T, path_taken, SEQ, 0, &ic_text_record, "missions so far")      \
    F(T, resources, I64, 0, NULL, "between missions")                 \
    F(T, flags, MAP, 1, &ic_var_record, "set by missions")            \
    F(T, extension, BYTES, 0, NULL, "opaque")
#define REPRISE_IC_SCRIPT(F, T)                                                    \
    F(T, lua_states, MAP, 0, &ic_mod_state_record, "what save callbacks returned") \
    F(T, wasm_states, MAP, 0, &ic_mod_state_record, "persistent memory regions")   \
    F(T, mission_vars, MAP, 0, &ic_var_record, "variables of the engine")
REPRISE_IC_STRUCT(reprise_ic_campaign, REPRISE_IC_CAMPAIGN);
REPRISE_IC_STRUCT(reprise_ic_script, REPRISE_IC_SCRIPT);

#define REPRISE_IC_SNAPSHOT(F, T)                                       \
    F(T, core, REC, reprise_ic_core, &ic_core_record, "the simulation") \
    F(T, campaign_state, OPT, 0, &ic_campaign_record, "not hashed")     \
    F(T, script_state, OPT, 0, &ic_script_record, "not hashed")
REPRISE_IC_STRUCT(reprise_ic_snapshot, REPRISE_IC_SNAPSHOT);

/* ---- 6.5: deltas ---- */

#define REPRISE_IC_INTERN_DELTA(F, T)                              \
    F(T, start_id, U32, 0, NULL, "length of the baseline's table") \
    F(T, new_entries, SEQ, 0, &ic_text_record, "appended")
#define REPRISE_IC_ENTITY_DELTA(F, T)                                                    \
    F(T, entity, REC, reprise_ic_tag, &ic_tag_record, "which; 65535/65535 is the world") \
    F(T, change_mask, U64, 0, NULL, "bit per component that follows")                    \
    F(T, changed_components, BYTES, 0, NULL, "whole components, by bit")                 \
    F(T, is_new, BOOL, 0, NULL, "was not in the baseline")                               \
    F(T, is_removed, BOOL, 0, NULL, "is gone")
#define REPRISE_IC_PLAYER_DELTA(F, T)                                         \
    F(T, player, U32, 0, NULL, "number")                                      \
    F(T, change_mask, U32, 0, NULL, "bit per field that follows, team first") \
    F(T, changed_fields, BYTES, 0, NULL, "whole fields, by bit")
#define REPRISE_IC_MAP_DELTA(F, T) \
    F(T, changed_cells, SEQ, 0, &ic_map_cell_record, "replaced or added")
REPRISE_IC_STRUCT(reprise_ic_intern_delta, REPRISE_IC_INTERN_DELTA);
REPRISE_IC_STRUCT(reprise_ic_entity_delta, REPRISE_IC_ENTITY_DELTA);
REPRISE_IC_STRUCT(reprise_ic_player_delta, REPRISE_IC_PLAYER_DELTA);
REPRISE_IC_STRUCT(reprise_ic_map_delta, REPRISE_IC_MAP_DELTA);

#define REPRISE_IC_CORE_DELTA(F, T)                                                      \
    F(T, baseline_tick, U64, 0, NULL, "nearest full keyframe before")                    \
    F(T, baseline_hash, RAW, 32, NULL, "its StateHash")                                  \
    F(T, tick, U64, 0, NULL, "of the state this gives")                                  \
    F(T, intern_table_delta, OPT, 0, &ic_intern_delta_record, "new names, or none")      \
    F(T, changed_entities, SEQ, 0, &ic_entity_delta_record, "ascending, the world last") \
    F(T, changed_players, SEQ, 0, &ic_player_delta_record, "those that changed")         \
    F(T, changed_map, OPT, 0, &ic_map_delta_record, "cells, or none")
REPRISE_IC_STRUCT(reprise_ic_core_delta, REPRISE_IC_CORE_DELTA);
#define REPRISE_IC_DELTA(F, T)                                                      \
    F(T, core, REC, reprise_ic_core_delta, &ic_core_delta_record, "the simulation") \
    F(T, campaign_state, OPT, 0, &ic_campaign_record, "if changed")                 \
    F(T, script_state, OPT, 0, &ic_script_record, "if changed")
REPRISE_IC_STRUCT(reprise_ic_delta, REPRISE_IC_DELTA);

/* ---- 7.1, 7.2, 7.3, 8: containers ---- */

#define REPRISE_IC_REPLAY_HEADER(F, T)                                       \
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
REPRISE_IC_STRUCT(reprise_ic_replay_header, REPRISE_IC_REPLAY_HEADER);

#define REPRISE_IC_SAVE_HEADER(F, T)                                      \
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
REPRISE_IC_STRUCT(reprise_ic_save_header, REPRISE_IC_SAVE_HEADER);

#define REPRISE_IC_BLOCK(F, T)                                    \
    F(T, tag, RAW, 4, NULL, "ICOB, ICKF, ICEV, ICVO or ICSG")     \
    F(T, flags, U16, 0, NULL, "ICKF: 1 full; else 0")             \
    F(T, reserved, U16, 0, NULL, "0")                             \
    F(T, first_tick, U64, 0, NULL, "multiple of 256 for ICOB")    \
    F(T, item_count, U32, 0, NULL, "frames, events and so on")    \
    F(T, stored_length, U32, 0, NULL, "bytes behind this header") \
    F(T, uncompressed_length, U32, 0, NULL, "of them")            \
    F(T, crc, U32, 0, NULL, "CRC-32 of bytes 0 to 27 and the stored ones")
REPRISE_IC_STRUCT(reprise_ic_block, REPRISE_IC_BLOCK);

#define REPRISE_IC_KEYFRAME_PLACE(F, T)                          \
    F(T, blob_offset, U32, 0, NULL, "from the end of the index") \
    F(T, blob_length, U32, 0, NULL, "bytes stored")
#define REPRISE_IC_KEYFRAME_REST(F, T)                       \
    F(T, uncompressed_length, U32, 0, NULL, "bytes decoded") \
    F(T, is_full, BOOL, 0, NULL, "snapshot, else delta")
#define REPRISE_IC_KEYFRAME(F, T)            \
    F(T, tick, U64, 0, NULL, "of the state") \
    REPRISE_IC_KEYFRAME_PLACE(F, T)          \
    REPRISE_IC_KEYFRAME_REST(F, T)
REPRISE_IC_STRUCT(reprise_ic_keyframe, REPRISE_IC_KEYFRAME);

/* ---- 7.5, 7.6, 7.7, 10 ---- */

#define REPRISE_IC_VOICE_TARGET(V, T) \
    V(T, All, NULL)                   \
    V(T, Team, NULL)                  \
    V(T, Player, &ic_u32_record)
REPRISE_IC_VARIANTS(reprise_ic_voice_target, REPRISE_IC_VOICE_TARGET);
#define REPRISE_IC_VOICE_FRAME_REST(F, T)              \
    F(T, opus_data, BYTES, 0, NULL, "one Opus packet") \
    F(T, target, SUM, 0, &ic_voice_target, "who heard it")
#define REPRISE_IC_VOICE_FRAME(F, T)             \
    F(T, tick, U64, 0, NULL, "when it was said") \
    REPRISE_IC_VOICE_FRAME_REST(F, T)
REPRISE_IC_STRUCT(reprise_ic_voice_frame, REPRISE_IC_VOICE_FRAME);
#define REPRISE_IC_VOICE_TRACK(F, T)                        \
    F(T, player, U32, 0, NULL, "speaker")                   \
    F(T, consented, BOOL, 0, NULL, "agreed to be recorded") \
    F(T, frames, SEQ, 0, &ic_voice_frame_record, "ascending by tick")
REPRISE_IC_STRUCT(reprise_ic_voice_track, REPRISE_IC_VOICE_TRACK);
#define REPRISE_IC_VOICE(F, T) F(T, tracks, SEQ, 0, &ic_voice_track_record, "one per player")
REPRISE_IC_STRUCT(reprise_ic_voice, REPRISE_IC_VOICE);

#define REPRISE_IC_TICK_SIGNATURE_REST(F, T)                                \
    F(T, state_hash, RAW, 32, NULL, "its StateHash")                        \
    F(T, skipped_ticks, U32, 0, NULL, "frames lost since the entry before") \
    F(T, relay_sig, RAW, 64, NULL, "Ed25519")
#define REPRISE_IC_TICK_SIGNATURE(F, T)             \
    F(T, tick, U64, 0, NULL, "of the signed state") \
    REPRISE_IC_TICK_SIGNATURE_REST(F, T)
REPRISE_IC_STRUCT(reprise_ic_tick_signature, REPRISE_IC_TICK_SIGNATURE);
#define REPRISE_IC_SIGNATURE(F, T)                                      \
    F(T, chain, SEQ, 0, &ic_tick_signature_record, "ascending by tick") \
    F(T, relay_public_key, RAW, 32, NULL, "Ed25519")
REPRISE_IC_STRUCT(reprise_ic_signature, REPRISE_IC_SIGNATURE);

#define REPRISE_IC_MOD(F, T)       \
    F(T, id, TEXT, 0, NULL, "mod") \
    F(T, version, TEXT, 0, NULL, "of the mod")
#define REPRISE_IC_RULE(F, T)                            \
    F(T, mod_id, TEXT, 0, NULL, "whose rule")            \
    F(T, path, TEXT, 0, NULL, "relative, .yaml or .yml") \
    F(T, yaml, TEXT, 0, NULL, "the file")
REPRISE_IC_STRUCT(reprise_ic_mod, REPRISE_IC_MOD);
REPRISE_IC_STRUCT(reprise_ic_rule, REPRISE_IC_RULE);
#define REPRISE_IC_MANIFEST(F, T)                     \
    F(T, mods, SEQ, 0, &ic_mod_record, "active mods") \
    F(T, rules, SEQ, 0, &ic_rule_record, "their rules")
REPRISE_IC_STRUCT(reprise_ic_manifest, REPRISE_IC_MANIFEST);
#define REPRISE_IC_BYTES(F, T) F(T, value, BYTES, 0, NULL, "bytes")
REPRISE_IC_STRUCT(reprise_ic_bytes, REPRISE_IC_BYTES);
#define REPRISE_IC_EMBEDDED(F, T)                                               \
    F(T, map_data, OPT, 0, &ic_bytes_record, "sized LZ4 block of the map file") \
    F(T, mod_manifest, OPT, 0, &ic_manifest_record, "mods and rules")           \
    F(T, balance_preset, OPT, 0, &ic_text_record, "name of the preset")         \
    F(T, initial_state, OPT, 0, &ic_bytes_record, "sized LZ4 block of the tick 0 snapshot")
REPRISE_IC_STRUCT(reprise_ic_embedded, REPRISE_IC_EMBEDDED);

#define REPRISE_IC_HASH(F, T) F(T, value, RAW, 32, NULL, "SHA-256")
REPRISE_IC_STRUCT(reprise_ic_hash, REPRISE_IC_HASH);
#define REPRISE_IC_PROOF(F, T)                                        \
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
REPRISE_IC_STRUCT(reprise_ic_proof, REPRISE_IC_PROOF);

/* ---- scores ---- */

#define REPRISE_IC_GAME_SCORE(F, T)                           \
    F(T, total_collected, I64, 0, NULL, "credits")            \
    F(T, total_spent, I64, 0, NULL, "credits")                \
    F(T, collection_rate, I64, 0, NULL, "credits per minute") \
    F(T, idle_harvester_ticks, U64, 0, NULL, "ticks")         \
    F(T, units_produced, U32, 0, NULL, "units")               \
    F(T, structures_built, U32, 0, NULL, "buildings")         \
    F(T, idle_production_ticks, U64, 0, NULL, "ticks")        \
    F(T, units_killed, U32, 0, NULL, "units")                 \
    F(T, units_lost, U32, 0, NULL, "units")                   \
    F(T, structures_destroyed, U32, 0, NULL, "buildings")     \
    F(T, structures_lost, U32, 0, NULL, "buildings")          \
    F(T, killed_value, I64, 0, NULL, "credits")               \
    F(T, lost_value, I64, 0, NULL, "credits")                 \
    F(T, damage_dealt, I64, 0, NULL, "health points")         \
    F(T, damage_received, I64, 0, NULL, "health points")      \
    F(T, actions_per_minute, U32, 0, NULL, "all")             \
    F(T, effective_actions_per_minute, U32, 0, NULL, "those that did something")
REPRISE_IC_STRUCT(reprise_ic_game_score, REPRISE_IC_GAME_SCORE);
#define REPRISE_IC_PLAYER_STATS(F, T)                       \
    F(T, credits, I64, 0, NULL, "money")                    \
    F(T, army_value, I64, 0, NULL, "credits")               \
    F(T, power_produced, I32, 0, NULL, "by power plants")   \
    F(T, power_drained, I32, 0, NULL, "by everything else") \
    F(T, harvesters, U32, 0, NULL, "units")                 \
    F(T, score, REC, reprise_ic_game_score, &ic_game_score_record, "totals so far")
REPRISE_IC_STRUCT(reprise_ic_player_stats, REPRISE_IC_PLAYER_STATS);
#define REPRISE_IC_UNIT_POSITION(F, T)                      \
    F(T, tag, REC, reprise_ic_tag, &ic_tag_record, "which") \
    F(T, pos, REC, reprise_ic_pos, &ic_pos_record, "where")
REPRISE_IC_STRUCT(reprise_ic_unit_position, REPRISE_IC_UNIT_POSITION);

/* ---- how a match ends ---- */

#define REPRISE_IC_WINNING_SIDE(V, T) \
    V(T, Player, &ic_u32_record)      \
    V(T, Team, &ic_u32_record)
REPRISE_IC_VARIANTS(reprise_ic_winning_side, REPRISE_IC_WINNING_SIDE);
#define REPRISE_IC_BALLOT_RESULT(F, T) \
    F(T, player, U32, 0, NULL, "who")  \
    F(T, yes, BOOL, 0, NULL, "for it")
REPRISE_IC_STRUCT(reprise_ic_ballot_result, REPRISE_IC_BALLOT_RESULT);
#define REPRISE_IC_SURRENDER(F, T) F(T, player, U32, 0, NULL, "who")
REPRISE_IC_STRUCT(reprise_ic_surrender, REPRISE_IC_SURRENDER);
#define REPRISE_IC_TEAM_SURRENDER(F, T) \
    F(T, team, U32, 0, NULL, "which")   \
    F(T, vote_results, SEQ, 0, &ic_ballot_result_record, "ballots")
REPRISE_IC_STRUCT(reprise_ic_team_surrender, REPRISE_IC_TEAM_SURRENDER);
#define REPRISE_IC_AGREED_DRAW(F, T) F(T, vote_results, SEQ, 0, &ic_ballot_result_record, "ballots")
REPRISE_IC_STRUCT(reprise_ic_agreed_draw, REPRISE_IC_AGREED_DRAW);
#define REPRISE_IC_END_REASON(V, T)                \
    V(T, Elimination, NULL)                        \
    V(T, Surrender, &ic_surrender_record)          \
    V(T, TeamSurrender, &ic_team_surrender_record) \
    V(T, ObjectiveCompleted, NULL)                 \
    V(T, Draw, &ic_agreed_draw_record)
REPRISE_IC_VARIANTS(reprise_ic_end_reason, REPRISE_IC_END_REASON);
#define REPRISE_IC_COMPLETED(F, T)                    \
    F(T, winner, SUM, 0, &ic_winning_side, "who won") \
    F(T, reason, SUM, 0, &ic_end_reason, "why")
REPRISE_IC_STRUCT(reprise_ic_completed, REPRISE_IC_COMPLETED);
#define REPRISE_IC_ABANDONED(F, T)         \
    F(T, leaver, U32, 0, NULL, "who left") \
    F(T, tick, U64, 0, NULL, "when")
REPRISE_IC_STRUCT(reprise_ic_abandoned, REPRISE_IC_ABANDONED);
#define REPRISE_IC_DRAWN(F, T) F(T, reason, SUM, 0, &ic_end_reason, "why")
REPRISE_IC_STRUCT(reprise_ic_drawn, REPRISE_IC_DRAWN);
#define REPRISE_IC_DESYNC_TERMINATED(F, T) F(T, first_divergence_tick, U64, 0, NULL, "since when")
REPRISE_IC_STRUCT(reprise_ic_desync_terminated, REPRISE_IC_DESYNC_TERMINATED);
#define REPRISE_IC_MATCH_OUTCOME(V, T)    \
    V(T, Completed, &ic_completed_record) \
    V(T, Abandoned, &ic_abandoned_record) \
    V(T, Draw, &ic_drawn_record)          \
    V(T, Remade, NULL)                    \
    V(T, DesyncTerminated, &ic_desync_terminated_record)
REPRISE_IC_VARIANTS(reprise_ic_match_outcome, REPRISE_IC_MATCH_OUTCOME);

/* ---- votes ---- */

#define REPRISE_IC_VOTE_AUDIENCE(V, T) \
    V(T, Team, &ic_u32_record)         \
    V(T, AllPlayers, NULL)
REPRISE_IC_VARIANTS(reprise_ic_vote_audience, REPRISE_IC_VOTE_AUDIENCE);
#define REPRISE_IC_FRACTION(F, T)             \
    F(T, required, U32, 0, NULL, "this many") \
    F(T, of, U32, 0, NULL, "of so many")
REPRISE_IC_STRUCT(reprise_ic_fraction, REPRISE_IC_FRACTION);
#define REPRISE_IC_VOTE_THRESHOLD(V, T) \
    V(T, Fraction, &ic_fraction_record) \
    V(T, Unanimous, NULL)               \
    V(T, TeamScaled, NULL)
REPRISE_IC_VARIANTS(reprise_ic_vote_threshold, REPRISE_IC_VOTE_THRESHOLD);
#define REPRISE_IC_BALLOT(F, T)         \
    F(T, player, U32, 0, NULL, "voter") \
    F(T, choice, U32, 0, &ic_vote_choices, "ballot")
REPRISE_IC_STRUCT(reprise_ic_ballot, REPRISE_IC_BALLOT);
#define REPRISE_IC_ACTIVE_VOTE(F, T)                         \
    F(T, id, U32, 0, NULL, "number")                         \
    F(T, vote_type, SUM, 0, &ic_vote_type, "what about")     \
    F(T, proposer, U32, 0, NULL, "player")                   \
    F(T, audience, SUM, 0, &ic_vote_audience, "who votes")   \
    F(T, eligible_voters, SEQ, 0, &ic_u32_record, "players") \
    F(T, ballots, MAP, 0, &ic_ballot_record, "by player")    \
    F(T, started_at, U64, 0, NULL, "tick")                   \
    F(T, expires_at, U64, 0, NULL, "tick")                   \
    F(T, threshold, SUM, 0, &ic_vote_threshold, "needed to pass")
REPRISE_IC_STRUCT(reprise_ic_active_vote, REPRISE_IC_ACTIVE_VOTE);
#define REPRISE_IC_VOTE_PASSED(F, T) \
    F(T, vote, REC, reprise_ic_active_vote, &ic_active_vote_record, "the vote")
REPRISE_IC_STRUCT(reprise_ic_vote_passed, REPRISE_IC_VOTE_PASSED);
#define REPRISE_IC_VOTE_FAILED(F, T)                                            \
    F(T, vote, REC, reprise_ic_active_vote, &ic_active_vote_record, "the vote") \
    F(T, reason, U32, 0, &ic_vote_failures, "why")
REPRISE_IC_STRUCT(reprise_ic_vote_failed, REPRISE_IC_VOTE_FAILED);
#define REPRISE_IC_VOTE_RESOLUTION(V, T) \
    V(T, Passed, &ic_vote_passed_record) \
    V(T, Failed, &ic_vote_failed_record) \
    V(T, Cancelled, &ic_vote_passed_record)
REPRISE_IC_VARIANTS(reprise_ic_vote_resolution, REPRISE_IC_VOTE_RESOLUTION);
#define REPRISE_IC_VOTE_PROPOSED(F, T)                   \
    F(T, vote_id, U32, 0, NULL, "which")                 \
    F(T, vote_type, SUM, 0, &ic_vote_type, "what about") \
    F(T, proposer, U32, 0, NULL, "player")
REPRISE_IC_STRUCT(reprise_ic_vote_proposed, REPRISE_IC_VOTE_PROPOSED);
#define REPRISE_IC_BALLOT_CAST(F, T)     \
    F(T, vote_id, U32, 0, NULL, "which") \
    F(T, voter, U32, 0, NULL, "player")  \
    F(T, choice, U32, 0, &ic_vote_choices, "ballot")
REPRISE_IC_STRUCT(reprise_ic_ballot_cast, REPRISE_IC_BALLOT_CAST);
#define REPRISE_IC_VOTE_RESOLVED(F, T)   \
    F(T, vote_id, U32, 0, NULL, "which") \
    F(T, resolution, SUM, 0, &ic_vote_resolution, "how")
REPRISE_IC_STRUCT(reprise_ic_vote_resolved, REPRISE_IC_VOTE_RESOLVED);
#define REPRISE_IC_VOTE_ANALYSIS(V, T)       \
    V(T, Proposed, &ic_vote_proposed_record) \
    V(T, BallotCast, &ic_ballot_cast_record) \
    V(T, Resolved, &ic_vote_resolved_record)
REPRISE_IC_VARIANTS(reprise_ic_vote_analysis, REPRISE_IC_VOTE_ANALYSIS);

/* ---- the events ---- */

#define REPRISE_IC_UNIT_CREATED(F, T)                       \
    F(T, tick, U64, 0, NULL, "when")                        \
    F(T, tag, REC, reprise_ic_tag, &ic_tag_record, "which") \
    F(T, unit_type, U32, 0, NULL, "interned")               \
    F(T, owner, U32, 0, NULL, "player")                     \
    F(T, pos, REC, reprise_ic_pos, &ic_pos_record, "where")
REPRISE_IC_STRUCT(reprise_ic_unit_created, REPRISE_IC_UNIT_CREATED);
#define REPRISE_IC_CONSTRUCTION_STARTED(F, T)               \
    F(T, tick, U64, 0, NULL, "when")                        \
    F(T, tag, REC, reprise_ic_tag, &ic_tag_record, "which") \
    F(T, unit_type, U32, 0, NULL, "interned")               \
    F(T, owner, U32, 0, NULL, "player")                     \
    F(T, pos, REC, reprise_ic_pos, &ic_pos_record, "where")
REPRISE_IC_STRUCT(reprise_ic_construction_started, REPRISE_IC_CONSTRUCTION_STARTED);
#define REPRISE_IC_CONSTRUCTION_COMPLETED(F, T) \
    F(T, tick, U64, 0, NULL, "when")            \
    F(T, tag, REC, reprise_ic_tag, &ic_tag_record, "which")
REPRISE_IC_STRUCT(reprise_ic_construction_completed, REPRISE_IC_CONSTRUCTION_COMPLETED);
#define REPRISE_IC_UNIT_DESTROYED(F, T)                             \
    F(T, tick, U64, 0, NULL, "when")                                \
    F(T, tag, REC, reprise_ic_tag, &ic_tag_record, "which")         \
    F(T, killer_tag, OPT, 0, &ic_tag_record, "by whom, or unknown") \
    F(T, killer_owner, OPT, 0, &ic_u32_record, "whose, or unknown")
REPRISE_IC_STRUCT(reprise_ic_unit_destroyed, REPRISE_IC_UNIT_DESTROYED);
#define REPRISE_IC_POSITION_SAMPLE(F, T) \
    F(T, tick, U64, 0, NULL, "when")     \
    F(T, positions, SEQ, 0, &ic_unit_position_record, "ascending by tag, at most 256")
REPRISE_IC_STRUCT(reprise_ic_position_sample, REPRISE_IC_POSITION_SAMPLE);
#define REPRISE_IC_STAT_SNAPSHOT(F, T)  \
    F(T, tick, U64, 0, NULL, "when")    \
    F(T, player, U32, 0, NULL, "whose") \
    F(T, stats, REC, reprise_ic_player_stats, &ic_player_stats_record, "numbers so far")
REPRISE_IC_STRUCT(reprise_ic_stat_snapshot, REPRISE_IC_STAT_SNAPSHOT);
#define REPRISE_IC_RESOURCE_COLLECTED(F, T)       \
    F(T, tick, U64, 0, NULL, "when")              \
    F(T, player, U32, 0, NULL, "who")             \
    F(T, resource_type, U32, 0, NULL, "interned") \
    F(T, amount, I32, 0, NULL, "credits")
REPRISE_IC_STRUCT(reprise_ic_resource_collected, REPRISE_IC_RESOURCE_COLLECTED);
#define REPRISE_IC_UPGRADE_COMPLETED(F, T) \
    F(T, tick, U64, 0, NULL, "when")       \
    F(T, player, U32, 0, NULL, "who")      \
    F(T, upgrade_id, U32, 0, NULL, "interned")
REPRISE_IC_STRUCT(reprise_ic_upgrade_completed, REPRISE_IC_UPGRADE_COMPLETED);
#define REPRISE_IC_CAMERA_SAMPLE(F, T)                                                  \
    F(T, tick, U64, 0, NULL, "when")                                                    \
    F(T, player, U32, 0, NULL, "whose")                                                 \
    F(T, viewport_center, REC, reprise_ic_pos, &ic_pos_record, "what is in the middle") \
    F(T, zoom_level, U16, 0, NULL, "1024 is 1.0")
REPRISE_IC_STRUCT(reprise_ic_camera_sample, REPRISE_IC_CAMERA_SAMPLE);
#define REPRISE_IC_SELECTION_CHANGED(F, T)          \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, player, U32, 0, NULL, "who")               \
    F(T, added, SEQ, 0, &ic_tag_record, "selected") \
    F(T, removed, SEQ, 0, &ic_tag_record, "no longer selected")
REPRISE_IC_STRUCT(reprise_ic_selection_changed, REPRISE_IC_SELECTION_CHANGED);
#define REPRISE_IC_CONTROL_GROUP(F, T) \
    F(T, tick, U64, 0, NULL, "when")   \
    F(T, player, U32, 0, NULL, "who")  \
    F(T, group, U8, 0, NULL, "number") \
    F(T, action, U32, 0, &ic_group_actions, "what was done")
REPRISE_IC_STRUCT(reprise_ic_control_group, REPRISE_IC_CONTROL_GROUP);
#define REPRISE_IC_ABILITY_USED(F, T)          \
    F(T, tick, U64, 0, NULL, "when")           \
    F(T, player, U32, 0, NULL, "who")          \
    F(T, ability_id, U32, 0, NULL, "interned") \
    F(T, target, OPT, 0, &ic_pos_record, "where, or nowhere")
REPRISE_IC_STRUCT(reprise_ic_ability_used, REPRISE_IC_ABILITY_USED);
#define REPRISE_IC_PAUSE(F, T)        \
    F(T, tick, U64, 0, NULL, "when")  \
    F(T, player, U32, 0, NULL, "who") \
    F(T, paused, BOOL, 0, NULL, "begins, else ends")
REPRISE_IC_STRUCT(reprise_ic_pause, REPRISE_IC_PAUSE);
#define REPRISE_IC_MATCH_ENDED(F, T) \
    F(T, tick, U64, 0, NULL, "when") \
    F(T, outcome, SUM, 0, &ic_match_outcome, "how")
REPRISE_IC_STRUCT(reprise_ic_match_ended, REPRISE_IC_MATCH_ENDED);
#define REPRISE_IC_VOTE_EVENT(F, T)  \
    F(T, tick, U64, 0, NULL, "when") \
    F(T, event, SUM, 0, &ic_vote_analysis, "what happened")
REPRISE_IC_STRUCT(reprise_ic_vote_event, REPRISE_IC_VOTE_EVENT);
#define REPRISE_IC_ENGAGEMENT_STARTED(F, T)                        \
    F(T, tick, U64, 0, NULL, "when")                               \
    F(T, center_pos, REC, reprise_ic_pos, &ic_pos_record, "where") \
    F(T, friendly_units, SEQ, 0, &ic_tag_record, "one side")       \
    F(T, enemy_units, SEQ, 0, &ic_tag_record, "other side")        \
    F(T, value_friendly, I64, 0, NULL, "credits")                  \
    F(T, value_enemy, I64, 0, NULL, "credits")
REPRISE_IC_STRUCT(reprise_ic_engagement_started, REPRISE_IC_ENGAGEMENT_STARTED);
#define REPRISE_IC_ENGAGEMENT_ENDED(F, T)                          \
    F(T, tick, U64, 0, NULL, "when")                               \
    F(T, center_pos, REC, reprise_ic_pos, &ic_pos_record, "where") \
    F(T, friendly_losses, U32, 0, NULL, "units")                   \
    F(T, enemy_losses, U32, 0, NULL, "units")                      \
    F(T, friendly_survivors, U32, 0, NULL, "units")                \
    F(T, enemy_survivors, U32, 0, NULL, "units")                   \
    F(T, duration_ticks, U64, 0, NULL, "how long")
REPRISE_IC_STRUCT(reprise_ic_engagement_ended, REPRISE_IC_ENGAGEMENT_ENDED);
#define REPRISE_IC_SUPERWEAPON_FIRED(F, T)                         \
    F(T, tick, U64, 0, NULL, "when")                               \
    F(T, weapon_type, U32, 0, NULL, "interned")                    \
    F(T, target_pos, REC, reprise_ic_pos, &ic_pos_record, "where") \
    F(T, player, U32, 0, NULL, "who")                              \
    F(T, units_affected, U32, 0, NULL, "units hit")                \
    F(T, buildings_affected, U32, 0, NULL, "buildings hit")
REPRISE_IC_STRUCT(reprise_ic_superweapon_fired, REPRISE_IC_SUPERWEAPON_FIRED);
#define REPRISE_IC_BASE_DESTROYED(F, T)                     \
    F(T, tick, U64, 0, NULL, "when")                        \
    F(T, player, U32, 0, NULL, "whose")                     \
    F(T, pos, REC, reprise_ic_pos, &ic_pos_record, "where") \
    F(T, buildings_lost, SEQ, 0, &ic_tag_record, "which")
REPRISE_IC_STRUCT(reprise_ic_base_destroyed, REPRISE_IC_BASE_DESTROYED);
#define REPRISE_IC_ARMY_WIPE(F, T)                  \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, player, U32, 0, NULL, "whose")             \
    F(T, units_lost, U32, 0, NULL, "units")         \
    F(T, total_value_lost, I64, 0, NULL, "credits") \
    F(T, percentage_of_army, U16, 0, NULL, "basis points, 10000 is all")
REPRISE_IC_STRUCT(reprise_ic_army_wipe, REPRISE_IC_ARMY_WIPE);
#define REPRISE_IC_COMEBACK(F, T)                        \
    F(T, tick, U64, 0, NULL, "when")                     \
    F(T, player, U32, 0, NULL, "who")                    \
    F(T, deficit_before, I64, 0, NULL, "credits behind") \
    F(T, advantage_after, I64, 0, NULL, "credits ahead") \
    F(T, swing_value, I64, 0, NULL, "the difference")
REPRISE_IC_STRUCT(reprise_ic_comeback, REPRISE_IC_COMEBACK);

#define REPRISE_IC_EVENT(V, T)                                     \
    V(T, UnitCreated, &ic_unit_created_record)                     \
    V(T, ConstructionStarted, &ic_construction_started_record)     \
    V(T, ConstructionCompleted, &ic_construction_completed_record) \
    V(T, UnitDestroyed, &ic_unit_destroyed_record)                 \
    V(T, UnitPositionSample, &ic_position_sample_record)           \
    V(T, PlayerStatSnapshot, &ic_stat_snapshot_record)             \
    V(T, ResourceCollected, &ic_resource_collected_record)         \
    V(T, UpgradeCompleted, &ic_upgrade_completed_record)           \
    V(T, CameraPositionSample, &ic_camera_sample_record)           \
    V(T, SelectionChanged, &ic_selection_changed_record)           \
    V(T, ControlGroupEvent, &ic_control_group_record)              \
    V(T, AbilityUsed, &ic_ability_used_record)                     \
    V(T, PauseEvent, &ic_pause_record)                             \
    V(T, MatchEnded, &ic_match_ended_record)                       \
    V(T, VoteEvent, &ic_vote_event_record)                         \
    V(T, EngagementStarted, &ic_engagement_started_record)         \
    V(T, EngagementEnded, &ic_engagement_ended_record)             \
    V(T, SuperweaponFired, &ic_superweapon_fired_record)           \
    V(T, BaseDestroyed, &ic_base_destroyed_record)                 \
    V(T, ArmyWipe, &ic_army_wipe_record)                           \
    V(T, ComebackMoment, &ic_comeback_record)
REPRISE_IC_VARIANTS(reprise_ic_event, REPRISE_IC_EVENT);

/* All components an entity may have; bits of `mask` say which it has. */
#define REPRISE_IC_COMPONENT_MEMBER(bit, member, name) reprise_ic_##member member;
#define REPRISE_IC_COMPONENT_BIT(bit, member, name)    REPRISE_IC_BIT_##name = bit,
typedef struct reprise_ic_components {
    uint64_t mask;
    REPRISE_IC_COMPONENTS(REPRISE_IC_COMPONENT_MEMBER)
} reprise_ic_components;
enum { REPRISE_IC_COMPONENTS(REPRISE_IC_COMPONENT_BIT) REPRISE_IC_BIT_END };

#ifdef __cplusplus
}
#endif
#endif
