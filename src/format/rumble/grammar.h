/*
 * grammar.h - every field of RUMBLE's records, once.
 *
 * Tags are the field ids of the current layouts (Z4a to Z6). A layout with different ids
 * gets an id map in grammar_layouts.c; fields that only such layouts have get a tag of RP_TAGS_MAX
 * or more. One struct holds a state of any layout.
 */
#ifndef RUMBLE_GRAMMAR_H
#define RUMBLE_GRAMMAR_H

#include "track.h"

extern const rp_enum rumble_stack_names, rumble_stone_names, rumble_stone_fx_names;
extern const rp_enum rumble_structure_names, rumble_state_names, rumble_fx_names;
extern const rp_enum rumble_marker_names;

#define RUMBLE_PLAYER(F, T)                                                            \
    F(T, rig_pos, VEC3, 0, NULL, "rig (floor under the player), world, metres")        \
    F(T, rig_rot, ROT, 1, NULL, "rig, world")                                          \
    F(T, lhand_pos, VEC3, 2, NULL, "left hand, relative to the rig")                   \
    F(T, lhand_rot, ROT, 3, NULL, "left hand, relative to the rig")                    \
    F(T, rhand_pos, VEC3, 4, NULL, "right hand, relative to the rig")                  \
    F(T, rhand_rot, ROT, 5, NULL, "right hand, relative to the rig")                   \
    F(T, head_pos, VEC3, 6, NULL, "head, relative to the rig")                         \
    F(T, head_rot, ROT, 7, NULL, "head, relative to the rig")                          \
    F(T, stack, I16, 8, &rumble_stack_names, "move performed in this frame")           \
    F(T, health, I16, 9, NULL, "0 to 20")                                              \
    F(T, active, BOOL, 10, NULL, "in the match")                                       \
    F(T, stone_fx, BYTE, 11, &rumble_stone_fx_names, "shiftstone effects that are on") \
    F(T, left_stone, BYTE, 12, &rumble_stone_names, "shiftstone in the left hand")     \
    F(T, right_stone, BYTE, 13, &rumble_stone_names, "shiftstone in the right hand")   \
    F(T, lgrip, F32, 14, NULL, "left grip, 0 to 1")                                    \
    F(T, lindex, F32, 15, NULL, "left index finger, 0 to 1")                           \
    F(T, lthumb, F32, 16, NULL, "left thumb, 0 to 1")                                  \
    F(T, rgrip, F32, 17, NULL, "right grip, 0 to 1")                                   \
    F(T, rindex, F32, 18, NULL, "right index finger, 0 to 1")                          \
    F(T, rthumb, F32, 19, NULL, "right thumb, 0 to 1")                                 \
    F(T, rockcam_active, BOOL, 20, NULL, "the in-game camera is out")                  \
    F(T, rockcam_pos, VEC3, 21, NULL, "in-game camera, world, metres")                 \
    F(T, rockcam_rot, ROT, 22, NULL, "in-game camera, world")                          \
    F(T, arm_span, F32, 23, NULL, "metres")                                            \
    F(T, length, F32, 24, NULL, "height, metres")                                      \
    F(T, visual_data, TEXT, 25, NULL, "cosmetics")

#define RUMBLE_STRUCTURE(F, T)                                             \
    F(T, pos, VEC3, 0, NULL, "world, metres")                              \
    F(T, rot, ROT, 1, NULL, "world")                                       \
    F(T, active, BOOL, 2, NULL, "exists in the scene")                     \
    F(T, grounded, BOOL, 3, NULL, "on the ground")                         \
    F(T, left_held, BOOL, 4, NULL, "held with a left hand")                \
    F(T, right_held, BOOL, 5, NULL, "held with a right hand")              \
    F(T, flicked, BOOL, 6, NULL, "in flight after a flick")                \
    F(T, state, BYTE, 7, &rumble_state_names, "physics state")             \
    F(T, target_disk, BOOL, 8, NULL, "is a target disc")                   \
    F(T, held, BOOL, 256, NULL, "held (layout Z3)")                        \
    F(T, shaking, BOOL, 257, NULL, "shaking before it breaks (layout Z3)") \
    F(T, game_state, BYTE, 258, NULL, "physics state, the game's own number (layout Z6)")

#define RUMBLE_PEDESTAL(F, T)                 \
    F(T, pos, VEC3, 0, NULL, "world, metres") \
    F(T, active, BOOL, 1, NULL, "shown")

#define RUMBLE_PROP(F, T)                     \
    F(T, pos, VEC3, 0, NULL, "world, metres") \
    F(T, rot, ROT, 1, NULL, "world")

#define RUMBLE_EVENT(F, T)                                                                \
    F(T, type, BYTE, 0, NULL,                                                             \
      "1 effect (0 in Z4p), 0 hit or marker; Z3: 0 measurement, 1 marker, 2 hit")         \
    F(T, pos, VEC3, 1, NULL, "world, metres; left out at the origin")                     \
    F(T, rot, ROT, 2, NULL, "world")                                                      \
    F(T, master_id, TEXT, 3, NULL, "account of a player")                                 \
    F(T, length, F32, 4, NULL, "measurement, metres")                                     \
    F(T, arm_span, F32, 5, NULL, "measurement, metres")                                   \
    F(T, marker, BYTE, 6, &rumble_marker_names, "marker kind, before markers had a list") \
    F(T, player, INT, 7, NULL, "player number, -1 none")                                  \
    F(T, damage, INT, 8, NULL, "damage done")                                             \
    F(T, fx, BYTE, 9, &rumble_fx_names, "effect shown")                                   \
    F(T, structure_id, INT, 10, NULL, "the game's structure id, -1 none")

#define RUMBLE_EVENT_DERIVED(F, T) \
    F(T, kind, TEXT, 0, NULL, "what the type means in this layout: OneShotFX, hit, marker")

#define RUMBLE_FRAME(F, T)                                       \
    F(T, size, U32, 0, NULL, "bytes of the frame in the stream") \
    F(T, entries, U32, 0, NULL, "records in the frame")          \
    F(T, stray, U32, 0, NULL, "bytes after the last record that belong to nothing")

#define RUMBLE_EXTENSION(F, T)                           \
    F(T, mod_id, I32, 0, NULL, "hash of the mod's name") \
    F(T, sub_index, I32, 0, NULL, "chosen by the mod")   \
    F(T, data, BYTES, 0, NULL, "opaque payload")

#define RUMBLE_EXTENSION_DERIVED(F, T) \
    F(T, mod, TEXT, 0, NULL, "name whose hash matches, from the archive's directories")

#define RUMBLE_MARKER(F, T)                                \
    F(T, name, TEXT, 0, NULL, "core.roundEnded and so on") \
    F(T, r, F32, 0, NULL, "colour, 0 to 1")                \
    F(T, g, F32, 0, NULL, "colour, 0 to 1")                \
    F(T, b, F32, 0, NULL, "colour, 0 to 1")                \
    F(T, player, I32, 0, NULL, "player number, -1 none")   \
    F(T, pos, VEC3, 0, NULL, "world, metres; the origin when there is none")

#define RUMBLE_VOICE(F, T)                                     \
    F(T, master_id, TEXT, 0, NULL, "account of the speaker")   \
    F(T, actor_id, I32, 0, NULL, "number in the network room") \
    F(T, voice_id, I32, 0, NULL, "number of the recording")    \
    F(T, file_name, TEXT, 0, NULL, "member under voices/")     \
    F(T, size, U64, 0, NULL, "bytes; 0 when the member is missing")

#define RUMBLE_FILE(F, T)                                                            \
    F(T, name, TEXT, 0, NULL, "archive member")                                      \
    F(T, kind, TEXT, 0, NULL, "manifest, stream, voice, voices, extension or other") \
    F(T, size, U64, 0, NULL, "bytes")                                                \
    F(T, stored_size, U64, 0, NULL, "bytes as stored")

/* Where hands and head are in the world: rig_pos + rig_rot * local. */
#define RUMBLE_PLAYER_DERIVED(F, T)                                   \
    F(T, lhand_world_pos, VEC3, 0, NULL, "left hand, world, metres")  \
    F(T, lhand_world_rot, QUAT, 0, NULL, "left hand, world")          \
    F(T, rhand_world_pos, VEC3, 0, NULL, "right hand, world, metres") \
    F(T, rhand_world_rot, QUAT, 0, NULL, "right hand, world")         \
    F(T, head_world_pos, VEC3, 0, NULL, "head, world, metres")        \
    F(T, head_world_rot, QUAT, 0, NULL, "head, world")

RP_STRUCT(rumble_player, RUMBLE_PLAYER);
RP_STRUCT(rumble_structure, RUMBLE_STRUCTURE);
RP_STRUCT(rumble_pedestal, RUMBLE_PEDESTAL);
RP_STRUCT(rumble_prop, RUMBLE_PROP);
RP_STRUCT(rumble_event, RUMBLE_EVENT);
RP_STRUCT(rumble_event_derived, RUMBLE_EVENT_DERIVED);
RP_STRUCT(rumble_frame, RUMBLE_FRAME);
RP_STRUCT(rumble_extension, RUMBLE_EXTENSION);
RP_STRUCT(rumble_extension_derived, RUMBLE_EXTENSION_DERIVED);
RP_STRUCT(rumble_marker, RUMBLE_MARKER);
RP_STRUCT(rumble_voice, RUMBLE_VOICE);
RP_STRUCT(rumble_file, RUMBLE_FILE);
RP_STRUCT(rumble_player_derived, RUMBLE_PLAYER_DERIVED);

/* The tracks, in the order of the descriptor. */
enum {
    RUMBLE_FRAMES,
    RUMBLE_PLAYERS,
    RUMBLE_STRUCTURES,
    RUMBLE_PEDESTALS,
    RUMBLE_PROPS,
    RUMBLE_EVENTS,
    RUMBLE_MARKERS,
    RUMBLE_EXTENSIONS,
    RUMBLE_VOICES,
    RUMBLE_FILES,
    RUMBLE_TRACK_COUNT
};
extern const rp_track rumble_tracks[RUMBLE_TRACK_COUNT];
enum { RUMBLE_RECORD_COUNT = 13 };
extern const rp_record *const rumble_records[RUMBLE_RECORD_COUNT];

#endif
