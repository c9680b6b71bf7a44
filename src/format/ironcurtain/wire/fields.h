/*
 * fields.h - the field list of every record in Iron Curtain files.
 *
 * This is the one place that names a field. wire.h and wire.c turn the lists into tables for the
 * readers and writers, and tools/make-ic-types.py turns them into the structs of
 * include/reprise/ironcurtain/types.h: run it after every change here. The columns of a line are
 * those of schema.h. The comment before a list becomes the comment of the struct, and the last
 * column that of the member.
 */
#ifndef IRONCURTAIN_WIRE_FIELDS_H
#define IRONCURTAIN_WIRE_FIELDS_H

/* ---- shared types ---- */

#define IC_FIELDS_U32(F, T)  F(T, value, U32, 0, NULL, "a number")
#define IC_FIELDS_TEXT(F, T) F(T, value, TEXT, 0, NULL, "a text")

/* Identifies an entity. */
#define IC_FIELDS_TAG(F, T)                  \
    F(T, index, U16, 0, NULL, "entity slot") \
    F(T, generation, U16, 0, NULL, "counts how often the slot was reused")

/* A position in the world. */
#define IC_FIELDS_POS(F, T)                              \
    F(T, x, I32, 0, NULL, "1024 per cell, to the right") \
    F(T, y, I32, 0, NULL, "1024 per cell, down")         \
    F(T, z, I32, 0, NULL, "1024 per cell, up")

/* A cell of the map. */
#define IC_FIELDS_CELL(F, T)        \
    F(T, x, I32, 0, NULL, "column") \
    F(T, y, I32, 0, NULL, "row")    \
    F(T, z, I32, 0, NULL, "level")

/* ---- orders ---- */

/* The target of an attack. */
#define IC_VARIANTS_TARGET(V, T) \
    V(T, Unit, &ic_tag_record)   \
    V(T, Ground, &ic_pos_record)

#define IC_FIELDS_WHISPER(F, T) F(T, target, U32, 0, NULL, "player who receives the message")
/* Who receives a chat message. */
#define IC_VARIANTS_CHANNEL(V, T)     \
    V(T, All, NULL)                   \
    V(T, Team, NULL)                  \
    V(T, Whisper, &ic_whisper_record) \
    V(T, Observer, NULL)

/* Why a player should be removed. */
#define IC_NAMES_KICK_REASON(N, T) N(T, Afk) N(T, Griefing) N(T, AbusiveCommunication) N(T, Other)
#define IC_FIELDS_KICK(F, T)                       \
    F(T, target, U32, 0, NULL, "player to remove") \
    F(T, reason, U32, 0, &ic_kick_reason, "reason given")
#define IC_FIELDS_CUSTOM_VOTE(F, T) F(T, type_id, TEXT, 0, NULL, "name of the mod's vote type")
/* The subject of a vote. */
#define IC_VARIANTS_VOTE_TYPE(V, T) \
    V(T, Surrender, NULL)           \
    V(T, Kick, &ic_kick_record)     \
    V(T, Remake, NULL)              \
    V(T, Draw, NULL)                \
    V(T, Custom, &ic_custom_vote_record)

/* A ballot. */
#define IC_NAMES_VOTE_CHOICE(N, T) N(T, Yes) N(T, No)
#define IC_FIELDS_PROPOSE(F, T)    F(T, vote_type, SUM, 0, &ic_vote_type, "subject of the vote")
#define IC_FIELDS_CAST(F, T)               \
    F(T, vote_id, U32, 0, NULL, "vote id") \
    F(T, choice, U32, 0, &ic_vote_choice, "ballot")
#define IC_FIELDS_CANCEL(F, T) F(T, vote_id, U32, 0, NULL, "vote id")
/* Propose a vote, cast a ballot or cancel a vote. */
#define IC_VARIANTS_VOTE_ORDER(V, T)  \
    V(T, Propose, &ic_propose_record) \
    V(T, Cast, &ic_cast_record)       \
    V(T, Cancel, &ic_cancel_record)

/* Move units. */
#define IC_FIELDS_MOVE(F, T)                             \
    F(T, units, SEQ, 0, &ic_tag_record, "units to move") \
    F(T, target, REC, ic_pos, &ic_pos_record, "destination")
/* Attack a unit or a place. */
#define IC_FIELDS_ATTACK(F, T)                               \
    F(T, units, SEQ, 0, &ic_tag_record, "units that attack") \
    F(T, target, SUM, 0, &ic_target, "unit or place to attack")
/* Stop units. */
#define IC_FIELDS_STOP(F, T) F(T, units, SEQ, 0, &ic_tag_record, "units to stop")
/* Say something. */
#define IC_FIELDS_CHAT(F, T)                                    \
    F(T, channel, SUM, 0, &ic_channel, "who receives the text") \
    F(T, text, TEXT, 0, NULL, "at most 512 characters")
/* A command typed into the chat. */
#define IC_FIELDS_COMMAND(F, T)              \
    F(T, cmd, TEXT, 0, NULL, "command name") \
    F(T, args, SEQ, 0, &ic_text_record, "arguments")
/* Change a game setting. */
#define IC_FIELDS_CVAR(F, T)                  \
    F(T, name, TEXT, 0, NULL, "setting name") \
    F(T, value, TEXT, 0, NULL, "new value")
#define IC_FIELDS_VOTE(F, T) F(T, vote, SUM, 0, &ic_vote_order, "propose, cast or cancel")
/* An order that the game module defines; reprise_ic_known_order has those whose payload is known.
 */
#define IC_FIELDS_GAME_ORDER(F, T)                               \
    F(T, type_tag, U16, 0, NULL, "order type; 1 to 8 are known") \
    F(T, payload, BYTES, 0, NULL, "fields of the order in bincode")
#define IC_FIELDS_VOICE_ACTIVITY(F, T) F(T, active, BOOL, 0, NULL, "the player speaks")
/* What a ping means. */
#define IC_NAMES_PING_TYPE(N, T) \
    N(T, Generic)                \
    N(T, Attack) N(T, Defend) N(T, Danger) N(T, Rally) N(T, Assist) N(T, EnemySpotted) N(T, Economy)
/* Point at a place. */
#define IC_FIELDS_PING(F, T)                                      \
    F(T, ping_type, U32, 0, &ic_ping_type, "meaning of the ping") \
    F(T, pos, REC, ic_pos, &ic_pos_record, "place")               \
    F(T, target, OPT, 0, &ic_tag_record, "entity it refers to, if any")
#define IC_FIELDS_PHRASE(F, T) F(T, phrase_id, U16, 0, NULL, "phrase of the chat wheel")
/* Draw on the minimap. */
#define IC_FIELDS_DRAW(F, T)                                          \
    F(T, points, SEQ, 0, &ic_pos_record, "stroke, at most 32 points") \
    F(T, color, U32, 0, NULL, "0xRRGGBB")

/* What a player ordered. CheatCode holds the number of the cheat. */
#define IC_VARIANTS_PLAYER_ORDER(V, T)             \
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

/* An order with its sender. */
#define IC_FIELDS_ORDER(F, T)                               \
    F(T, player, U32, 0, NULL, "player who gave the order") \
    F(T, order, SUM, 0, &ic_player_order, "the order")      \
    F(T, sub_tick_time, U32, 0, NULL, "microseconds after the tick began")

/* The orders of one tick. */
#define IC_FIELDS_FRAME(F, T)                                                                    \
    F(T, tick, U64, 0, NULL, "the orders are applied to the state of this tick")                 \
    F(T, state_hash, U64, 0, NULL, "SyncHash of that state; 0 if not recorded (imported files)") \
    F(T, orders, SEQ, 0, &ic_order_record, "in the order received")

/* Build something, or cancel it. */
#define IC_FIELDS_PRODUCE(F, T)                    \
    F(T, queue, TEXT, 0, NULL, "production queue") \
    F(T, item, TEXT, 0, NULL, "type to build")
/* Place a finished building. */
#define IC_FIELDS_PLACE(F, T)                  \
    F(T, item, TEXT, 0, NULL, "type to place") \
    F(T, cell, REC, ic_cell, &ic_cell_record, "cell to place it on")
/* An order that names one entity. */
#define IC_FIELDS_UNIT(F, T) F(T, unit, REC, ic_tag, &ic_tag_record, "entity")
/* Set where new units go. */
#define IC_FIELDS_RALLY(F, T)                           \
    F(T, unit, REC, ic_tag, &ic_tag_record, "building") \
    F(T, target, REC, ic_pos, &ic_pos_record, "rally point")
/* Change the stance of units. */
#define IC_FIELDS_STANCE(F, T)                   \
    F(T, units, SEQ, 0, &ic_tag_record, "units") \
    F(T, stance, U8, 0, NULL, "stance, as the game numbers them")

/* The content of a game order whose type is known; type_tag is the variant plus 1. */
#define IC_VARIANTS_KNOWN_ORDER(V, T)          \
    V(T, Produce, &ic_produce_record)          \
    V(T, PlaceBuilding, &ic_place_record)      \
    V(T, Sell, &ic_unit_record)                \
    V(T, SetRallyPoint, &ic_rally_record)      \
    V(T, Deploy, &ic_unit_record)              \
    V(T, SetStance, &ic_stance_record)         \
    V(T, CancelProduction, &ic_produce_record) \
    V(T, Repair, &ic_unit_record)

/* ---- entities ---- */

/* An entity; reprise_ic_decode_components unpacks its components. */
#define IC_FIELDS_ENTITY(F, T)                                  \
    F(T, tag, REC, ic_tag, &ic_tag_record, "entity")            \
    F(T, component_mask, U64, 0, NULL, "one bit per component") \
    F(T, components, BYTES, 0, NULL, "the components in bincode, ascending by bit")

/* What an entity is and whose. */
#define IC_FIELDS_IDENTITY(F, T)                                  \
    F(T, archetype, U32, 0, NULL, "archetype, in the name table") \
    F(T, unit_type, U32, 0, NULL, "type, in the name table")      \
    F(T, owner, U32, 0, NULL, "player")
/* Where an entity is. */
#define IC_FIELDS_POSITION(F, T) F(T, pos, REC, ic_pos, &ic_pos_record, "position")
/* Health points. */
#define IC_FIELDS_HEALTH(F, T)                   \
    F(T, current, I32, 0, NULL, "health points") \
    F(T, max, I32, 0, NULL, "health points when undamaged")
/* How a unit moves. */
#define IC_NAMES_LOCOMOTOR(N, T) N(T, Foot) N(T, Wheeled) N(T, Tracked) N(T, Float) N(T, Fly)
/* Entities that move. */
#define IC_FIELDS_MOBILE(F, T)                                   \
    F(T, facing, I32, 0, NULL, "0 to 1023, 1024 is a full turn") \
    F(T, speed, I32, 0, NULL, "distance per tick")               \
    F(T, locomotor, U32, 0, &ic_locomotor, "how it moves")
/* Where a unit is going. */
#define IC_FIELDS_NAVIGATION(F, T) F(T, target, OPT, 0, &ic_pos_record, "destination, if any")
/* A type of armour. */
#define IC_NAMES_ARMOR(N, T) \
    N(T, None) N(T, Light) N(T, Medium) N(T, Heavy) N(T, Wood) N(T, Concrete)
/* Entities that can be attacked. */
#define IC_FIELDS_ATTACKABLE(F, T) F(T, armor, U32, 0, &ic_armor, "type of armour")
/* Entities that can attack. */
#define IC_FIELDS_ARMAMENT(F, T)                            \
    F(T, weapon, U32, 0, NULL, "weapon, in the name table") \
    F(T, cooldown, U32, 0, NULL, "ticks until it can fire")
/* Buildings. */
#define IC_FIELDS_BUILDING(F, T) F(T, footprint, U32, 0, NULL, "as the game numbers them")
/* One item that is being built. */
#define IC_FIELDS_QUEUE_ITEM(F, T)                                     \
    F(T, actor_type, U32, 0, NULL, "type to build, in the name table") \
    F(T, remaining_cost, I32, 0, NULL, "credits")                      \
    F(T, remaining_time, U32, 0, NULL, "ticks")                        \
    F(T, paid, I32, 0, NULL, "credits")                                \
    F(T, infinite, BOOL, 0, NULL, "restarts when finished")
/* Buildings that build. */
#define IC_FIELDS_BUILD_QUEUE(F, T)                                        \
    F(T, items, SEQ, 0, &ic_queue_item_record, "the first is being built") \
    F(T, paused, BOOL, 0, NULL, "production is paused")
/* Units that collect resources. */
#define IC_FIELDS_HARVESTER(F, T)                \
    F(T, capacity, I32, 0, NULL, "largest load") \
    F(T, carried, I32, 0, NULL, "current load")  \
    F(T, resource, U32, 0, NULL, "resource, in the name table")
/* A rank. */
#define IC_NAMES_VETERANCY_LEVEL(N, T) N(T, Rookie) N(T, Veteran) N(T, Elite) N(T, Heroic)
/* Units that gain experience. */
#define IC_FIELDS_VETERANCY(F, T)                    \
    F(T, level, U32, 0, &ic_veterancy_level, "rank") \
    F(T, xp, U32, 0, NULL, "experience points")
/* Data of the game module. */
#define IC_FIELDS_EXTENSION(F, T) F(T, data, BYTES, 0, NULL, "opaque")

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

/* ---- states ---- */

/* The state of xoshiro256**. */
#define IC_FIELDS_RNG(F, T)                      \
    F(T, s0, U64, 0, NULL, "xoshiro256** state") \
    F(T, s1, U64, 0, NULL, "xoshiro256** state") \
    F(T, s2, U64, 0, NULL, "xoshiro256** state") \
    F(T, s3, U64, 0, NULL, "xoshiro256** state")
/* The random number generator. */
#define IC_FIELDS_RNG_STATE(F, T) F(T, s, REC, ic_rng, &ic_rng_record, "all zero is invalid")

/* The name table: other fields refer to its entries by position. */
#define IC_FIELDS_INTERN(F, T) F(T, entries, SEQ, 0, &ic_text_record, "the position is the id")

/* A player of the match. */
#define IC_FIELDS_PLAYER(F, T)                                                 \
    F(T, player, U32, 0, NULL, "player id")                                    \
    F(T, team, U32, 0, NULL, "team id")                                        \
    F(T, faction, U32, 0, NULL, "faction, in the name table")                  \
    F(T, credits, I64, 0, NULL, "money")                                       \
    F(T, power_produced, I32, 0, NULL, "power of the player's plants")         \
    F(T, power_drained, I32, 0, NULL, "power the player's buildings use")      \
    F(T, tech, SEQ, 0, &ic_u32_record, "what can be built, in the name table") \
    F(T, defeated, BOOL, 0, NULL, "out of the match")                          \
    F(T, cheats_used, BOOL, 0, NULL, "used a cheat")                           \
    F(T, cosmetic_cheats_used, BOOL, 0, NULL, "used a cheat that changes looks only")

/* What a cell of the map holds. */
#define IC_FIELDS_CELL_STATE(F, T)                                                \
    F(T, terrain, U32, 0, NULL, "terrain, in the name table")                     \
    F(T, resource, OPT, 0, &ic_u32_record, "resource, in the name table, if any") \
    F(T, amount, I32, 0, NULL, "amount of the resource")
/* A cell with its content. */
#define IC_FIELDS_MAP_CELL(F, T)                      \
    F(T, cell, REC, ic_cell, &ic_cell_record, "cell") \
    F(T, state, REC, ic_cell_state, &ic_cell_state_record, "content")
/* The map. */
#define IC_FIELDS_MAP(F, T)             \
    F(T, width, U32, 0, NULL, "cells")  \
    F(T, height, U32, 0, NULL, "cells") \
    F(T, cells, SEQ, 0, &ic_map_cell_record, "cells that differ from the map file")

/* The simulated part of a state, which the state hash covers. */
#define IC_FIELDS_CORE(F, T)                                                            \
    F(T, tick, U64, 0, NULL, "tick of the state")                                       \
    F(T, game_seed, U64, 0, NULL, "seed of the match")                                  \
    F(T, map_hash, RAW, 32, NULL, "SHA-256 of the map file")                            \
    F(T, rng_state, REC, ic_rng_state, &ic_rng_state_record, "random number generator") \
    F(T, intern_table, REC, ic_intern, &ic_intern_record, "name table")                 \
    F(T, entities, SEQ, 0, &ic_entity_record, "ascending by tag.index")                 \
    F(T, player_states, SEQ, 0, &ic_player_record, "ascending by player")               \
    F(T, map_state, REC, ic_map, &ic_map_record, "map")

/* ---- campaign and scripts ---- */

#define IC_FIELDS_BOOL(F, T)  F(T, value, BOOL, 0, NULL, "true or false")
#define IC_FIELDS_I64(F, T)   F(T, value, I64, 0, NULL, "a number")
#define IC_FIELDS_FIXED(F, T) F(T, value, I32, 0, NULL, "1024 is 1.0")
/* The value of a script variable. A Fixed of 1024 is 1.0. */
#define IC_VARIANTS_SCRIPT_VALUE(V, T) \
    V(T, Bool, &ic_bool_record)        \
    V(T, Int, &ic_i64_record)          \
    V(T, Fixed, &ic_fixed_record)      \
    V(T, Str, &ic_text_record)

/* A script variable. */
#define IC_FIELDS_VAR(F, T)           \
    F(T, name, TEXT, 0, NULL, "name") \
    F(T, value, SUM, 0, &ic_script_value, "value")
/* The saved state of a mod. */
#define IC_FIELDS_MOD_STATE(F, T)      \
    F(T, mod, TEXT, 0, NULL, "mod id") \
    F(T, data, BYTES, 0, NULL, "opaque")

/* The part of a campaign that is on the screen. */
#define IC_NAMES_FOCUS(N, T) \
    N(T, StrategicLayer) N(T, Intermission) N(T, Briefing) N(T, Mission) N(T, Debrief)
/* The state of a campaign. */
#define IC_FIELDS_CAMPAIGN(F, T)                                        \
    F(T, campaign_id, TEXT, 0, NULL, "campaign")                        \
    F(T, active_mission, OPT, 0, &ic_text_record, "mission, if any")    \
    F(T, current_focus, U32, 0, &ic_focus, "what is on screen")         \
    F(T, path_taken, SEQ, 0, &ic_text_record, "missions played so far") \
    F(T, resources, I64, 0, NULL, "resources between missions")         \
    F(T, flags, MAP, 1, &ic_var_record, "variables that missions set")  \
    F(T, extension, BYTES, 0, NULL, "opaque")
/* The state of scripts. */
#define IC_FIELDS_SCRIPT(F, T)                                                   \
    F(T, lua_states, MAP, 0, &ic_mod_state_record, "results of save callbacks")  \
    F(T, wasm_states, MAP, 0, &ic_mod_state_record, "persistent memory regions") \
    F(T, mission_vars, MAP, 0, &ic_var_record, "engine variables")

/* A state: the content of a save and of a full keyframe. */
#define IC_FIELDS_SNAPSHOT(F, T)                                            \
    F(T, core, REC, ic_core, &ic_core_record, "simulation")                 \
    F(T, campaign_state, OPT, 0, &ic_campaign_record, "if any; not hashed") \
    F(T, script_state, OPT, 0, &ic_script_record, "if any; not hashed")

/* ---- deltas ---- */

/* Names appended to the name table. */
#define IC_FIELDS_INTERN_DELTA(F, T)                               \
    F(T, start_id, U32, 0, NULL, "length of the baseline's table") \
    F(T, new_entries, SEQ, 0, &ic_text_record, "appended names")
/* The changes of an entity. Index and generation 65535 carry the random number generator. */
#define IC_FIELDS_ENTITY_DELTA(F, T)                                                  \
    F(T, entity, REC, ic_tag, &ic_tag_record, "entity; 65535/65535 is the world")     \
    F(T, change_mask, U64, 0, NULL, "one bit per component that follows")             \
    F(T, changed_components, BYTES, 0, NULL, "complete components, ascending by bit") \
    F(T, is_new, BOOL, 0, NULL, "not in the baseline")                                \
    F(T, is_removed, BOOL, 0, NULL, "no longer in the state")
/* The changes of a player. */
#define IC_FIELDS_PLAYER_DELTA(F, T)                                              \
    F(T, player, U32, 0, NULL, "player id")                                       \
    F(T, change_mask, U32, 0, NULL, "one bit per field that follows, team first") \
    F(T, changed_fields, BYTES, 0, NULL, "complete fields, ascending by bit")
/* The changes of the map. */
#define IC_FIELDS_MAP_DELTA(F, T) \
    F(T, changed_cells, SEQ, 0, &ic_map_cell_record, "replaced or added cells")

/* The changes of a simulation since a full keyframe, the baseline. */
#define IC_FIELDS_CORE_DELTA(F, T)                                                       \
    F(T, baseline_tick, U64, 0, NULL, "tick of the preceding full keyframe")             \
    F(T, baseline_hash, RAW, 32, NULL, "StateHash of that keyframe")                     \
    F(T, tick, U64, 0, NULL, "tick of the resulting state")                              \
    F(T, intern_table_delta, OPT, 0, &ic_intern_delta_record, "new names, if any")       \
    F(T, changed_entities, SEQ, 0, &ic_entity_delta_record, "ascending, the world last") \
    F(T, changed_players, SEQ, 0, &ic_player_delta_record, "players that changed")       \
    F(T, changed_map, OPT, 0, &ic_map_delta_record, "changed cells, if any")
/* The content of a delta keyframe. */
#define IC_FIELDS_DELTA(F, T)                                           \
    F(T, core, REC, ic_core_delta, &ic_core_delta_record, "simulation") \
    F(T, campaign_state, OPT, 0, &ic_campaign_record, "if it changed")  \
    F(T, script_state, OPT, 0, &ic_script_record, "if it changed")

/* ---- containers ---- */

#define IC_FIELDS_REPLAY_HEADER(F, T)                                      \
    F(T, magic, RAW, 4, NULL, "ICRP")                                      \
    F(T, version, U16, 0, NULL, "1")                                       \
    F(T, compression_algorithm, U8, 0, NULL, "1: LZ4")                     \
    F(T, flags, U8, 0, NULL, "1 signed, 2 events, 8 voice, 16 incomplete") \
    F(T, metadata_offset, U32, 0, NULL, "JSON")                            \
    F(T, metadata_length, U32, 0, NULL, "bytes")                           \
    F(T, orders_offset, U32, 0, NULL, "ICOB records")                      \
    F(T, orders_length, U32, 0, NULL, "bytes")                             \
    F(T, keyframes_offset, U32, 0, NULL, "index and blobs")                \
    F(T, keyframes_length, U32, 0, NULL, "bytes")                          \
    F(T, events_offset, U32, 0, NULL, "sized LZ4 block")                   \
    F(T, events_length, U32, 0, NULL, "bytes")                             \
    F(T, signature_offset, U32, 0, NULL, "signature chain")                \
    F(T, signature_length, U32, 0, NULL, "bytes")                          \
    F(T, total_ticks, U64, 0, NULL, "tick of the final state")             \
    F(T, final_state_hash, RAW, 32, NULL, "StateHash of the final state")  \
    F(T, voice_offset, U32, 0, NULL, "sized LZ4 block")                    \
    F(T, voice_length, U32, 0, NULL, "bytes")                              \
    F(T, embedded_offset, U32, 0, NULL, "embedded resources")              \
    F(T, embedded_length, U32, 0, NULL, "bytes")                           \
    F(T, lost_frame_count, U32, 0, NULL, "frames and keyframes the recorder dropped")

#define IC_FIELDS_SAVE_HEADER(F, T)                                       \
    F(T, magic, RAW, 4, NULL, "ICSV")                                     \
    F(T, version, U16, 0, NULL, "1")                                      \
    F(T, compression_algorithm, U8, 0, NULL, "1: LZ4")                    \
    F(T, flags, U8, 0, NULL, "1 thumbnail")                               \
    F(T, metadata_offset, U32, 0, NULL, "JSON")                           \
    F(T, metadata_length, U32, 0, NULL, "bytes")                          \
    F(T, payload_offset, U32, 0, NULL, "sized LZ4 block of the snapshot") \
    F(T, payload_length, U32, 0, NULL, "bytes")                           \
    F(T, uncompressed_length, U32, 0, NULL, "bytes of the snapshot")      \
    F(T, state_hash, U64, 0, NULL, "SyncHash of the state")               \
    F(T, payload_hash, RAW, 32, NULL, "SHA-256 of the stored payload")

#define IC_FIELDS_BLOCK(F, T)                                     \
    F(T, tag, RAW, 4, NULL, "ICOB, ICKF, ICEV, ICVO or ICSG")     \
    F(T, flags, U16, 0, NULL, "ICKF: 1 full; else 0")             \
    F(T, reserved, U16, 0, NULL, "0")                             \
    F(T, first_tick, U64, 0, NULL, "multiple of 256 for ICOB")    \
    F(T, item_count, U32, 0, NULL, "frames, events and so on")    \
    F(T, stored_length, U32, 0, NULL, "bytes after this header")  \
    F(T, uncompressed_length, U32, 0, NULL, "bytes when decoded") \
    F(T, crc, U32, 0, NULL, "CRC-32 of bytes 0 to 27 and the stored ones")

#define IC_FIELDS_KEYFRAME_PLACE(F, T)                           \
    F(T, blob_offset, U32, 0, NULL, "from the end of the index") \
    F(T, blob_length, U32, 0, NULL, "bytes stored")
#define IC_FIELDS_KEYFRAME_REST(F, T)                        \
    F(T, uncompressed_length, U32, 0, NULL, "bytes decoded") \
    F(T, is_full, BOOL, 0, NULL, "snapshot, else delta")
#define IC_FIELDS_KEYFRAME(F, T)                  \
    F(T, tick, U64, 0, NULL, "tick of the state") \
    IC_FIELDS_KEYFRAME_PLACE(F, T)                \
    IC_FIELDS_KEYFRAME_REST(F, T)

/* ---- voice, signatures, embedded resources, proofs ---- */

/* Who heard a voice frame; Player holds the player's id. */
#define IC_VARIANTS_VOICE_TARGET(V, T) \
    V(T, All, NULL)                    \
    V(T, Team, NULL)                   \
    V(T, Player, &ic_u32_record)
#define IC_FIELDS_VOICE_FRAME_REST(F, T)               \
    F(T, opus_data, BYTES, 0, NULL, "one Opus packet") \
    F(T, target, SUM, 0, &ic_voice_target, "who heard it")
/* A piece of recorded voice. */
#define IC_FIELDS_VOICE_FRAME(F, T)               \
    F(T, tick, U64, 0, NULL, "tick it begins at") \
    IC_FIELDS_VOICE_FRAME_REST(F, T)
/* The recorded voice of a player. */
#define IC_FIELDS_VOICE_TRACK(F, T)                         \
    F(T, player, U32, 0, NULL, "speaker")                   \
    F(T, consented, BOOL, 0, NULL, "agreed to be recorded") \
    F(T, frames, SEQ, 0, &ic_voice_frame_record, "ascending by tick")
/* All recorded voice. */
#define IC_FIELDS_VOICE(F, T) F(T, tracks, SEQ, 0, &ic_voice_track_record, "one per player")

#define IC_FIELDS_TICK_SIGNATURE_REST(F, T)                                   \
    F(T, state_hash, RAW, 32, NULL, "StateHash of the state")                 \
    F(T, skipped_ticks, U32, 0, NULL, "frames lost since the previous entry") \
    F(T, relay_sig, RAW, 64, NULL, "Ed25519 signature")
/* The signature of one state. */
#define IC_FIELDS_TICK_SIGNATURE(F, T)                   \
    F(T, tick, U64, 0, NULL, "tick of the signed state") \
    IC_FIELDS_TICK_SIGNATURE_REST(F, T)
/* A signature chain. */
#define IC_FIELDS_SIGNATURE(F, T)                                       \
    F(T, chain, SEQ, 0, &ic_tick_signature_record, "ascending by tick") \
    F(T, relay_public_key, RAW, 32, NULL, "Ed25519 public key")

/* A mod that was active in the match. */
#define IC_FIELDS_MOD(F, T)           \
    F(T, id, TEXT, 0, NULL, "mod id") \
    F(T, version, TEXT, 0, NULL, "version of the mod")
/* A rules file of a mod. */
#define IC_FIELDS_RULE(F, T)                               \
    F(T, mod_id, TEXT, 0, NULL, "mod the rule belongs to") \
    F(T, path, TEXT, 0, NULL, "relative, .yaml or .yml")   \
    F(T, yaml, TEXT, 0, NULL, "content of the file")
/* The mods and rules of a match. */
#define IC_FIELDS_MANIFEST(F, T)                      \
    F(T, mods, SEQ, 0, &ic_mod_record, "active mods") \
    F(T, rules, SEQ, 0, &ic_rule_record, "their rules")
#define IC_FIELDS_BYTES(F, T) F(T, value, BYTES, 0, NULL, "bytes")
#define IC_FIELDS_EMBEDDED(F, T)                                                \
    F(T, map_data, OPT, 0, &ic_bytes_record, "sized LZ4 block of the map file") \
    F(T, mod_manifest, OPT, 0, &ic_manifest_record, "mods and rules")           \
    F(T, balance_preset, OPT, 0, &ic_text_record, "name of the preset")         \
    F(T, initial_state, OPT, 0, &ic_bytes_record, "sized LZ4 block of the tick 0 snapshot")

#define IC_FIELDS_HASH(F, T) F(T, value, RAW, 32, NULL, "SHA-256")
#define IC_FIELDS_PROOF(F, T)                                         \
    F(T, tick, U64, 0, NULL, "tick of the signed state")              \
    F(T, leaf_label, TEXT, 0, NULL, "part of the state")              \
    F(T, leaf_data, BYTES, 0, NULL, "content of that part")           \
    F(T, leaf_index, U32, 0, NULL, "position of the part")            \
    F(T, leaf_count, U32, 0, NULL, "parts of the state")              \
    F(T, siblings, SEQ, 0, &ic_hash_record, "path to the root")       \
    F(T, skipped_ticks, U32, 0, NULL, "of the chain entry")           \
    F(T, prev_sig_hash, RAW, 32, NULL, "link before the chain entry") \
    F(T, relay_sig, RAW, 64, NULL, "signature of the chain entry")    \
    F(T, relay_public_key, RAW, 32, NULL, "Ed25519 public key")

#endif
