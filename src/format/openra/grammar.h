/*
 * grammar.h - every field of OpenRA's rows.
 *
 * Orders have no fixed layout: which fields follow depends on values already read. grammar_order.c
 * reads and writes them by hand, and these lists only name the result. Tags are not used.
 */
#ifndef OPENRA_GRAMMAR_H
#define OPENRA_GRAMMAR_H

#include "track.h"

extern const rp_enum ora_packet_names, ora_type_names, ora_target_names;
extern const rp_enum ora_channel_names;

#define ORA_ACTOR(F, T) F(T, id, U32, 0, NULL, "actor id")
#define ORA_HASH(F, T)  F(T, value, I32, 0, NULL, "32-bit sum over the world")

#define ORA_POSITION(F, T)                               \
    F(T, x, I32, 0, NULL, "world units, 1024 to a cell") \
    F(T, y, I32, 0, NULL, "world units, 1024 to a cell") \
    F(T, z, I32, 0, NULL, "height in world units")

/* In the order of the wire, protocol 8 and later. */
#define ORA_ORDER(F, T)                                                                          \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")                               \
    F(T, frame, I32, 0, NULL, "network frame it applies to; 0 for immediate orders")             \
    F(T, client, I32, 0, NULL, "client that sent it; 0 the server, or the host of a local game") \
    F(T, type, U8, 0, &ora_type_names, "how it is stored")                                       \
    F(T, order, TEXT, 0, NULL, "name of the order")                                              \
    F(T, subject, U32, 0, NULL, "commanded actor; the player's own for player orders")           \
    F(T, target_kind, U8, 0, &ora_target_names, "what the target fields hold")                   \
    F(T, target_actor, U32, 0, NULL, "target actor")                                             \
    F(T, target_generation, I32, 0, NULL, "reuse counter of the target actor (p20)")             \
    F(T, target_viewer, U32, 0, NULL, "player actor who sees the frozen actor")                  \
    F(T, target_frozen, U32, 0, NULL, "frozen actor: remembered under the fog")                  \
    F(T, target_cell_x, I32, 0, NULL, "target cell")                                             \
    F(T, target_cell_y, I32, 0, NULL, "target cell")                                             \
    F(T, target_layer, U8, 0, NULL, "layer of the target cell, 0 the ground")                    \
    F(T, target_subcell, I32, 0, NULL, "place in the cell; 0 all of it")                         \
    F(T, target_pos_x, I32, 0, NULL, "target position in world units, 1024 to a cell")           \
    F(T, target_pos_y, I32, 0, NULL, "target position in world units")                           \
    F(T, target_pos_z, I32, 0, NULL, "target height in world units")                             \
    F(T, target_terrain, SEQ, 0, &ora_position_record, "further positions (p21)")                \
    F(T, item, TEXT, 0, NULL, "target string: what is built, the text of a message ...")         \
    F(T, extra_actors, SEQ, 0, &ora_actor_record, "further actors (p9)")                         \
    F(T, extra_x, I32, 0, NULL, "extra location, cell")                                          \
    F(T, extra_y, I32, 0, NULL, "extra location, cell")                                          \
    F(T, extra_layer, U8, 0, NULL, "extra location, layer")                                      \
    F(T, extra_data, U32, 0, NULL, "count, stance, team ...: depends on the order")              \
    F(T, grouped, SEQ, 0, &ora_actor_record, "actors commanded instead of the subject (p11)")    \
    F(T, queued, BOOL, 0, NULL, "appended to what the actor does")                               \
    F(T, raw, BYTES, 0, NULL, "the order as stored")

#define ORA_ORDER_DERIVED(F, T)                       \
    F(T, player, TEXT, 0, NULL, "name of the client") \
    F(T, group_size, U32, 0, NULL, "how many actors it commands")

#define ORA_SYNC(F, T)                                                                            \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")                                \
    F(T, frame, I32, 0, NULL, "network frame after whose orders it was taken")                    \
    F(T, client, I32, 0, NULL, "client that sent it")                                             \
    F(T, hash, I32, 0, NULL, "32-bit sum over the world, of the client's engine")                 \
    F(T, hashes, SEQ, 0, &ora_hash_record, "all sums; several before 2015-12, halves of 64 bits") \
    F(T, defeat, U64, 0, NULL, "bit per player of the world who has lost (p11)")

#define ORA_CHAT(F, T)                                              \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")  \
    F(T, client, I32, 0, NULL, "client that sent it")               \
    F(T, channel, U8, 0, &ora_channel_names, "who may read it")     \
    F(T, team, U32, 0, NULL, "team number, for team chat since p8") \
    F(T, text, TEXT, 0, NULL, "the message; of a notification, its key")

#define ORA_CHAT_DERIVED(F, T) F(T, player, TEXT, 0, NULL, "name of the client")

/*
 * Fields are named after the keys of the file's MiniYAML (SpawnPoint is spawn_point), by which
 * read_lobby.c finds them.
 */
#define ORA_CLIENT(F, T)                                                            \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")                  \
    F(T, at_start, BOOL, 0, NULL, "describes the match: the last before it starts") \
    F(T, index, I32, 0, NULL, "client id")                                          \
    F(T, name, TEXT, 0, NULL, "player name")                                        \
    F(T, faction, TEXT, 0, NULL, "chosen faction; Race up to release-20150919")     \
    F(T, color, TEXT, 0, NULL, "as stored")                                         \
    F(T, preferred_color, TEXT, 0, NULL, "as stored")                               \
    F(T, spawn_point, I32, 0, NULL, "0 is random")                                  \
    F(T, team, I32, 0, NULL, "0 is none")                                           \
    F(T, handicap, I32, 0, NULL, "per cent")                                        \
    F(T, slot, TEXT, 0, NULL, "empty for observers")                                \
    F(T, bot, TEXT, 0, NULL, "bot type; empty for people")                          \
    F(T, bot_controller_client_index, I32, 0, NULL, "client that runs the bot")     \
    F(T, state, TEXT, 0, NULL, "NotReady, Ready, Disconnected ...")                 \
    F(T, is_admin, BOOL, 0, NULL, "may change the settings")                        \
    F(T, connection_quality, TEXT, 0, NULL, "Good, Moderate, Poor")                 \
    F(T, address, TEXT, 0, NULL, "network address, complete or shortened: private") \
    F(T, location, TEXT, 0, NULL, "country: private")                               \
    F(T, fingerprint, TEXT, 0, NULL, "account: private")

#define ORA_SLOT(F, T)                                                              \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")                  \
    F(T, at_start, BOOL, 0, NULL, "describes the match: the last before it starts") \
    F(T, slot, TEXT, 0, NULL, "name of the slot")                                   \
    F(T, player_reference, TEXT, 0, NULL, "player of the map")                      \
    F(T, closed, BOOL, 0, NULL, "closed to players")                                \
    F(T, allow_bots, BOOL, 0, NULL, "bots may join")                                \
    F(T, lock_faction, BOOL, 0, NULL, "given by the map")                           \
    F(T, lock_color, BOOL, 0, NULL, "given by the map")                             \
    F(T, lock_team, BOOL, 0, NULL, "given by the map")                              \
    F(T, lock_handicap, BOOL, 0, NULL, "given by the map")                          \
    F(T, lock_spawn, BOOL, 0, NULL, "given by the map")                             \
    F(T, required, BOOL, 0, NULL, "must be taken")

#define ORA_SETTING(F, T)                                                           \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")                  \
    F(T, at_start, BOOL, 0, NULL, "describes the match: the last before it starts") \
    F(T, name, TEXT, 0, NULL, "name of the setting")                                \
    F(T, option, BOOL, 0, NULL, "a lobby option, not a value of the server")        \
    F(T, value, TEXT, 0, NULL, "as stored")                                         \
    F(T, preferred_value, TEXT, 0, NULL, "options: what the host prefers")          \
    F(T, is_locked, BOOL, 0, NULL, "options: cannot be changed")

#define ORA_DISCONNECT(F, T)                                                             \
    F(T, packet, U32, 0, NULL, "number of the packet in the file")                       \
    F(T, frame, I32, 0, NULL, "as stored: from where no orders come; 2147483647 is now") \
    F(T, client, I32, 0, NULL, "client that left")                                       \
    F(T, sender, I32, 0, NULL, "client id of the packet")

#define ORA_DISCONNECT_DERIVED(F, T) F(T, player, TEXT, 0, NULL, "name of the client")

#define ORA_PACKET(F, T)                                                 \
    F(T, packet, U32, 0, NULL, "number in the file, counted from 0")     \
    F(T, offset, U64, 0, NULL, "byte in the packet stream")              \
    F(T, client, I32, 0, NULL, "client it came from")                    \
    F(T, frame, I32, 0, NULL, "network frame; 0 is immediate")           \
    F(T, kind, U8, 0, &ora_packet_names, "what it holds")                \
    F(T, length, U32, 0, NULL, "bytes after the length, frame included") \
    F(T, damaged, BOOL, 0, NULL, "does not decode to its end")           \
    F(T, raw, BYTES, 0, NULL, "bytes after the frame")

RP_STRUCT(ora_actor, ORA_ACTOR);
RP_STRUCT(ora_hash, ORA_HASH);
RP_STRUCT(ora_position, ORA_POSITION);
RP_STRUCT(ora_order, ORA_ORDER);
RP_STRUCT(ora_order_derived, ORA_ORDER_DERIVED);
RP_STRUCT(ora_sync, ORA_SYNC);
RP_STRUCT(ora_chat, ORA_CHAT);
RP_STRUCT(ora_chat_derived, ORA_CHAT_DERIVED);
RP_STRUCT(ora_client, ORA_CLIENT);
RP_STRUCT(ora_slot, ORA_SLOT);
RP_STRUCT(ora_setting, ORA_SETTING);
RP_STRUCT(ora_disconnect, ORA_DISCONNECT);
RP_STRUCT(ora_disconnect_derived, ORA_DISCONNECT_DERIVED);
RP_STRUCT(ora_packet, ORA_PACKET);

/* The tracks, in the order of the descriptor. */
enum {
    ORA_ORDERS,
    ORA_SYNCS,
    ORA_CHATS,
    ORA_CLIENTS,
    ORA_SLOTS,
    ORA_SETTINGS,
    ORA_DISCONNECTS,
    ORA_PACKETS,
    ORA_TRACK_COUNT
};
extern const rp_track ora_tracks[ORA_TRACK_COUNT];
enum { ORA_RECORD_COUNT = 14 };
extern const rp_record *const ora_records[ORA_RECORD_COUNT];

#endif
