/*
 * grammar.h - every field of the recordings.
 *
 * Headers are packed C structures and are read as listed. Events are a union: cnc_event holds the
 * members of all of them, and CNC_EVENTS says which ones an event has, in stored order. The tag
 * CNC_TARGET marks targets, which take four bytes in Red Alert and two in Tiberian Dawn.
 */
#ifndef REMASTERED_GRAMMAR_H
#define REMASTERED_GRAMMAR_H

#include "track.h"

extern const rp_enum cnc_event_names;

enum {
    CNC_TARGET = 1,
    CNC_RA_SPECIAL_SIZE = 132,
    CNC_TD_SPECIAL_SIZE = 140,
    CNC_RA_SPECIAL_USED = 4,
    CNC_TD_SPECIAL_USED = 16,
    CNC_TEAM_HOUSES = 20,
    CNC_TEAMS = 10,
    CNC_TD_PLAYERS = 6,
};

/* ---- headers ---- */

#define CNC_RA_SESSION(F, T)                                                   \
    F(T, type, I32, 0, NULL, "session type")                                   \
    F(T, comm_protocol, I32, 0, NULL, "0 single, 1 compressed, 2 multi frame") \
    F(T, frame_send_rate, U32, 0, NULL, "frames between records, multi frame") \
    F(T, pref_color, I8, 0, NULL, "preferred colour")                          \
    F(T, color_idx, I8, 0, NULL, "colour")                                     \
    F(T, house, I8, 0, NULL, "house")                                          \
    F(T, num_players, I32, 0, NULL, "number of players")                       \
    F(T, bases, I32, 0, NULL, "bases on")                                      \
    F(T, credits, I32, 0, NULL, "credits at the start")                        \
    F(T, tiberium, I32, 0, NULL, "ore on")                                     \
    F(T, goodies, I32, 0, NULL, "crates on")                                   \
    F(T, ghosts, I32, 0, NULL, "ghosts on")                                    \
    F(T, unit_count, I32, 0, NULL, "units at the start")                       \
    F(T, ai_players, I32, 0, NULL, "computer players")                         \
    F(T, obi_wan, I32, 0, NULL, "sees all")                                    \
    F(T, emergency_save, I32, 0, NULL, "made by an emergency save")            \
    F(T, player_nodes, I32, 0, NULL, "player nodes that follow")

#define CNC_RA_NODE(F, T)                                     \
    F(T, name, RAW, 12, NULL, "player name")                  \
    F(T, address, RAW, 10, NULL, "network and node: private") \
    F(T, house, I8, 0, NULL, "acting house")                  \
    F(T, color, I8, 0, NULL, "colour")                        \
    F(T, id, I8, 0, NULL, "house in the match")               \
    F(T, process_time, I32, 0, NULL, "ticks per frame, -1 unknown")

#define CNC_RA_SCENARIO(F, T)                                              \
    F(T, build_level, I32, 0, NULL, "technology level")                    \
    F(T, debug_unshroud, U8, 0, NULL, "map is shown")                      \
    F(T, seed, I32, 0, NULL, "random seed")                                \
    F(T, scenario, I32, 0, NULL, "scenario number")                        \
    F(T, scenario_name, RAW, 512, NULL, "file name, then undefined bytes") \
    F(T, whom, I8, 0, NULL, "house of the command line")                   \
    F(T, special, RAW, 132, NULL, "flags of the rules")                    \
    F(T, game_speed, U32, 0, NULL, "delay in 1/60 s")                      \
    F(T, scroll_rate, I32, 0, NULL, "of the map")                          \
    F(T, options, RAW, 272, NULL, "volumes, colours, keys, geometry")

#define CNC_TD_HEADER(F, T)                                                                 \
    F(T, type, U8, 0, NULL, "session type")                                                 \
    F(T, modem_type, U8, 0, NULL, "modem role")                                             \
    F(T, build_level, U32, 0, NULL, "technology level")                                     \
    F(T, player_name, RAW, 12, NULL, "local player")                                        \
    F(T, pref_color, I32, 0, NULL, "preferred colour")                                      \
    F(T, color_idx, I32, 0, NULL, "colour")                                                 \
    F(T, house, I8, 0, NULL, "house")                                                       \
    F(T, local_id, U8, 0, NULL, "colour and house of the local player")                     \
    F(T, num_players, I32, 0, NULL, "number of players")                                    \
    F(T, bases, I32, 0, NULL, "bases on")                                                   \
    F(T, credits, I32, 0, NULL, "credits at the start")                                     \
    F(T, tiberium, I32, 0, NULL, "tiberium on")                                             \
    F(T, goodies, I32, 0, NULL, "crates on")                                                \
    F(T, ghosts, I32, 0, NULL, "ghosts on")                                                 \
    F(T, unit_count, I32, 0, NULL, "units at the start")                                    \
    F(T, player_ids, RAW, 6, NULL, "colour and house of each player")                       \
    F(T, player_houses, RAW, 6, NULL, "house of each player in the match")                  \
    F(T, seed, I32, 0, NULL, "random seed")                                                 \
    F(T, scenario, U32, 0, NULL, "scenario number")                                         \
    F(T, scen_player, I8, 0, NULL, "-1 none, 0 GDI, 1 Nod, 2 special, 3 and 4 multiplayer") \
    F(T, scen_dir, I8, 0, NULL, "-1 none, 0 east, 1 west")                                  \
    F(T, whom, I8, 0, NULL, "house of the command line")                                    \
    F(T, special, RAW, 140, NULL, "flags of the rules")                                     \
    F(T, game_speed, U32, 0, NULL, "delay in 1/60 s")                                       \
    F(T, scroll_rate, I32, 0, NULL, "of the map")                                           \
    F(T, options, RAW, 54, NULL, "volumes, colours, geometry")                              \
    F(T, frame_send_rate, U32, 0, NULL, "frames between records, multi frame")              \
    F(T, comm_protocol, U8, 0, NULL, "0 single, 1 compressed, 2 multi frame")

/* ---- rows ---- */

#define CNC_OBJECT(F, T) F(T, target, U32, 0, NULL, "class and number")

/* Fields of the view in Red Alert's stored order, around the parts of variable size. */
#define CNC_FRAME(F, T)                                                          \
    F(T, offset, U64, 0, NULL, "byte where the record begins")                   \
    F(T, size, U32, 0, NULL, "bytes of the record")                              \
    F(T, coord, U32, 0, NULL, "corner of the map view: y and x, 8.8 cells each") \
    F(T, selected, I32, 0, NULL, "number of selected objects")                   \
    F(T, team_event, I8, 0, NULL, "0 none, else team action + 1")                \
    F(T, team_number, I8, 0, NULL, "team it is about")                           \
    F(T, formation_event, I8, 0, NULL, "formation key pressed")                  \
    F(T, form_move, U8, 0, NULL, "moves in formation")                           \
    F(T, form_speed, I8, 0, NULL, "speed class of the formation, -1 none")       \
    F(T, form_max_speed, U8, 0, NULL, "speed of the formation")                  \
    F(T, events, I32, 0, NULL, "number of events; null without a record")

#define CNC_FRAME_DERIVED(F, T)                             \
    F(T, view_x, F64, 0, NULL, "corner of the view, cells") \
    F(T, view_y, F64, 0, NULL, "corner of the view, cells")

#define CNC_PLAYER(F, T)                                                          \
    F(T, name, TEXT, 0, NULL, "player name; of Tiberian Dawn only the local one") \
    F(T, id, I32, 0, NULL, "house in the match, or colour and house")             \
    F(T, house, I32, 0, NULL, "house played")                                     \
    F(T, color, I32, 0, NULL, "colour")                                           \
    F(T, address, BYTES, 0, NULL, "network address: private")                     \
    F(T, process_time, I32, 0, NULL, "ticks per frame, -1 unknown")

#define CNC_PLAYER_DERIVED(F, T) F(T, house_name, TEXT, 0, NULL, "name of the house")

#define CNC_EVENT(F, T)                                                             \
    F(T, type, U8, 0, NULL, "number in the file")                                   \
    F(T, event, U8, 0, &cnc_event_names, "what it is")                              \
    F(T, house, U8, 0, NULL, "house that gave it")                                  \
    F(T, executed, BOOL, 0, NULL, "0 on disk")                                      \
    F(T, mplayer_id, U8, 0, NULL, "colour and house of the player (Tiberian Dawn)") \
    F(T, whom, U32, CNC_TARGET, NULL, "commanded object")                           \
    F(T, mission, I8, 0, NULL, "mission number")                                    \
    F(T, target, U32, CNC_TARGET, NULL, "target of the mission")                    \
    F(T, destination, U32, CNC_TARGET, NULL, "destination of the mission")          \
    F(T, speed, I8, 0, NULL, "speed class of the formation")                        \
    F(T, max_speed, U8, 0, NULL, "speed of the formation")                          \
    F(T, value, I32, 0, NULL, "house to ally with, or game speed")                  \
    F(T, rtti, U8, 0, NULL, "object class")                                         \
    F(T, cell, I16, 0, NULL, "cell number")                                         \
    F(T, type_id, I32, 0, NULL, "what to build")                                    \
    F(T, weapon, I32, 0, NULL, "special weapon")                                    \
    F(T, what, I8, 0, NULL, "animation")                                            \
    F(T, owner, I8, 0, NULL, "house of the animation")                              \
    F(T, where, U32, 0, NULL, "coordinate of the animation")                        \
    F(T, visible, I32, 0, NULL, "who sees the animation")                           \
    F(T, archive, U32, CNC_TARGET, NULL, "where the archive target is")             \
    F(T, crc, U32, 0, NULL, "the sender's game CRC")                                \
    F(T, command_count, U16, 0, NULL, "commands sent so far")                       \
    F(T, delay, U8, 0, NULL, "frames ahead")                                        \
    F(T, pointer, U32, 0, NULL, "means nothing on disk")                            \
    F(T, size, U32, 0, NULL, "bytes of the player data")                            \
    F(T, desired_frame_rate, U16, 0, NULL, "frames per second")                     \
    F(T, max_ahead, U16, 0, NULL, "frames that events are sent ahead")              \
    F(T, average_ticks, U16, 0, NULL, "ticks per frame")                            \
    F(T, flags, BYTES, 0, NULL, "special flags, the part that is used")             \
    F(T, raw, BYTES, 0, NULL, "the event as stored; unused bytes are noise")

#define CNC_EVENT_DERIVED(F, T)                                          \
    F(T, house_name, TEXT, 0, NULL, "name of the house")                 \
    F(T, mission_name, TEXT, 0, NULL, "name of the mission")             \
    F(T, item, TEXT, 0, NULL, "name of what is built, or of the weapon") \
    F(T, cell_x, I32, 0, NULL, "column of the cell, -1 without one")     \
    F(T, cell_y, I32, 0, NULL, "row of the cell, -1 without one")

#define CNC_SELECTION(F, T) F(T, objects, SEQ, 0, &cnc_object_record, "selected objects")

#define CNC_TEAM(F, T)                                               \
    F(T, max_speed, RAW, 10, NULL, "per team: speed of the slowest") \
    F(T, speed, RAW, 10, NULL, "per team: speed class")

RP_STRUCT(cnc_ra_session, CNC_RA_SESSION);
RP_STRUCT(cnc_ra_node, CNC_RA_NODE);
RP_STRUCT(cnc_ra_scenario, CNC_RA_SCENARIO);
RP_STRUCT(cnc_td_header, CNC_TD_HEADER);
RP_STRUCT(cnc_object, CNC_OBJECT);
RP_STRUCT(cnc_frame, CNC_FRAME);
RP_STRUCT(cnc_frame_derived, CNC_FRAME_DERIVED);
RP_STRUCT(cnc_player, CNC_PLAYER);
RP_STRUCT(cnc_player_derived, CNC_PLAYER_DERIVED);
RP_STRUCT(cnc_event, CNC_EVENT);
RP_STRUCT(cnc_event_derived, CNC_EVENT_DERIVED);
RP_STRUCT(cnc_selection, CNC_SELECTION);
RP_STRUCT(cnc_team, CNC_TEAM);

/* ---- events: number in Red Alert, in Tiberian Dawn (-1: none), name, members ---- */

#define CNC_M(name) cnc_event_F_##name + 1
#define CNC_EVENTS(E)                                                                       \
    E(0, 0, EMPTY, 0)                                                                       \
    E(1, 1, ALLY, CNC_M(value))                                                             \
    E(2, 2, MEGAMISSION, CNC_M(whom), CNC_M(mission), CNC_M(target), CNC_M(destination))    \
    E(3, -1, MEGAMISSION_F, CNC_M(whom), CNC_M(mission), CNC_M(target), CNC_M(destination), \
      CNC_M(speed), CNC_M(max_speed))                                                       \
    E(4, 3, IDLE, CNC_M(whom))                                                              \
    E(5, 4, SCATTER, CNC_M(whom))                                                           \
    E(6, 5, DESTRUCT, 0)                                                                    \
    E(7, 6, DEPLOY, 0)                                                                      \
    E(8, 7, PLACE, CNC_M(rtti), CNC_M(cell))                                                \
    E(9, 8, OPTIONS, 0)                                                                     \
    E(10, 9, GAMESPEED, CNC_M(value))                                                       \
    E(11, 10, PRODUCE, CNC_M(rtti), CNC_M(type_id))                                         \
    E(12, 11, SUSPEND, CNC_M(rtti))                                                         \
    E(13, 12, ABANDON, CNC_M(rtti))                                                         \
    E(14, 13, PRIMARY, CNC_M(whom))                                                         \
    E(15, 14, SPECIAL_PLACE, CNC_M(weapon), CNC_M(cell))                                    \
    E(16, 15, EXIT, 0)                                                                      \
    E(17, 16, ANIMATION, CNC_M(what), CNC_M(owner), CNC_M(where), CNC_M(visible))           \
    E(18, 17, REPAIR, CNC_M(whom))                                                          \
    E(19, 18, SELL, CNC_M(whom))                                                            \
    E(20, -1, SELLCELL, CNC_M(cell))                                                        \
    E(21, 19, SPECIAL, CNC_M(flags))                                                        \
    E(22, 20, FRAMESYNC, CNC_M(crc), CNC_M(command_count), CNC_M(delay))                    \
    E(23, 21, MESSAGE, 0)                                                                   \
    E(24, 22, RESPONSE_TIME, CNC_M(crc), CNC_M(command_count), CNC_M(delay))                \
    E(25, 23, FRAMEINFO, CNC_M(crc), CNC_M(command_count), CNC_M(delay))                    \
    E(26, -1, SAVEGAME, 0)                                                                  \
    E(27, 24, ARCHIVE, CNC_M(whom), CNC_M(archive))                                         \
    E(28, -1, ADDPLAYER, CNC_M(pointer), CNC_M(size))                                       \
    E(29, 25, TIMING, CNC_M(desired_frame_rate), CNC_M(max_ahead))                          \
    E(30, 26, PROCESS_TIME, CNC_M(average_ticks))                                           \
    E(31, -1, PROPOSE_DRAW, 0)                                                              \
    E(32, -1, RETRACT_DRAW, 0)

#define CNC_EVENT_NUMBER(ra, td, name, ...) CNC_##name = ra,
enum { CNC_EVENTS(CNC_EVENT_NUMBER) CNC_EVENT_COUNT };
#undef CNC_EVENT_NUMBER

enum { CNC_MEMBERS_MAX = 6 };
typedef struct cnc_event_type {
    int8_t td; /* -1: Tiberian Dawn has none */
    const char *name;
    uint8_t members[CNC_MEMBERS_MAX]; /* field number + 1; 0 ends */
} cnc_event_type;
/* By Red Alert's number, which `event` holds for both games. */
extern const cnc_event_type cnc_event_types[CNC_EVENT_COUNT];

/* The tracks, in the order of the descriptor. */
enum { CNC_FRAMES, CNC_PLAYERS, CNC_EVENT_ROWS, CNC_SELECTIONS, CNC_TEAM_ROWS, CNC_TRACK_COUNT };
extern const rp_track cnc_tracks[CNC_TRACK_COUNT];
enum { CNC_RECORD_COUNT = 13 };
extern const rp_record *const cnc_records[CNC_RECORD_COUNT];

#endif
