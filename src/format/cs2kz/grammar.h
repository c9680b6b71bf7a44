/*
 * grammar.h - every field of CS2KZ's records, once.
 *
 * Ticks and commands are delta-masked: the tag is the change bit, counted from the first bit of its
 * part (see the shifts below), and the order of lines is the order on the wire. Header records have
 * the protobuf field number as their tag; the fixed structs of the older generation hold the same
 * fields. Everything else is plain.
 */
#ifndef CS2KZ_GRAMMAR_H
#define CS2KZ_GRAMMAR_H

#include "track.h"

extern const rp_enum kz_type_names, kz_move_type_names, kz_replay_flag_names, kz_button_names;
extern const rp_enum kz_jump_type_names, kz_tier_names, kz_event_names, kz_timer_names;

#define KZ_TICK_SECONDS 0.015625f /* 64 ticks a second */

/* Here, so that the expanded loops see what they do. */
static inline void kz_step_tick(void *value)
{
    ++*(uint32_t *)value;
}

static inline void kz_step_time(void *value)
{
    *(float *)value += KZ_TICK_SECONDS;
}

static const rp_predict kz_next_tick = {RP_SUB_PREDICT, kz_step_tick};
static const rp_predict kz_next_time = {RP_SUB_PREDICT, kz_step_time};

/* ---- ticks ---- */

#define KZ_TICK_TOP(F, T)                                         \
    F(T, server_tick, U32, 0, &kz_next_tick, "server tick")       \
    F(T, game_time, F32, 1, NULL, "game clock, seconds")          \
    F(T, real_time, F32, 2, NULL, "server's clock, seconds")      \
    F(T, unix_time, U64, 3, NULL, "wall clock, Unix seconds")     \
    F(T, cmd_number, U32, 4, NULL, "number of the input command") \
    F(T, client_tick, U32, 5, NULL, "tick of the client")         \
    F(T, forward, F32, 6, NULL, "forward input, -1 to 1")         \
    F(T, left, F32, 7, NULL, "sideways input, left is positive")  \
    F(T, up, F32, 8, NULL, "upward input, -1 to 1")               \
    F(T, left_handed, BOOL, 9, NULL, "weapon held in the left hand")

/* Bit 39, although it is stored after left_handed. */
#define KZ_TICK_WEAPON(F, T) F(T, weapon, I32, 0, NULL, "number of a weapon, -1 none")

/* Before the tick and after it: listed once, used twice. */
#define KZ_MOVEMENT(F, T)                                                        \
    F(T, origin, VEC3, 0, NULL, "position, units")                               \
    F(T, velocity, VEC3, 1, NULL, "units per second")                            \
    F(T, angles, VEC3, 2, NULL, "view: pitch, yaw, roll, degrees")               \
    F(T, buttons0, U32, 3, NULL, "buttons held")                                 \
    F(T, buttons1, U32, 4, NULL, "buttons changed, as the engine keeps it")      \
    F(T, buttons2, U32, 5, NULL, "buttons changed, as the engine keeps it")      \
    F(T, jump_pressed_time, F32, 6, NULL, "when jump was pressed last, seconds") \
    F(T, duck_speed, F32, 7, NULL, "speed of ducking")                           \
    F(T, duck_amount, F32, 8, NULL, "0 standing to 1 ducked")                    \
    F(T, duck_offset, F32, 9, NULL, "always 0 in newer files")                   \
    F(T, last_duck_time, F32, 10, NULL, "when duck was pressed last, seconds")   \
    F(T, replay_flags, U8, 11, &kz_replay_flag_names, "state of ducking")        \
    F(T, entity_flags, U32, 12, NULL, "bit 0 on ground, 1 ducking, 7 player")    \
    F(T, move_type, U8, 13, &kz_move_type_names, "how the engine moves the player")

#define KZ_CHECKPOINT(F, T)                                            \
    F(T, checkpoint_index, I32, 0, NULL, "checkpoint in use, -1 none") \
    F(T, checkpoint_count, I32, 0, NULL, "checkpoints set")            \
    F(T, teleport_count, I32, 0, NULL, "teleports made")

#define KZ_PRESSES(F, T)                                                            \
    F(T, press_tick, I32, 0, NULL, "last jump press: tick")                         \
    F(T, press_fraction, F32, 0, NULL, "last jump press: part of the tick")         \
    F(T, usable_tick, I32, 1, NULL, "last jump press that counted: tick")           \
    F(T, usable_fraction, F32, 1, NULL, "last jump press that counted: part of it") \
    F(T, landing_tick, I32, 2, NULL, "last landing: tick")                          \
    F(T, landing_fraction, F32, 2, NULL, "last landing: part of the tick")          \
    F(T, landing_velocity, VEC3, 2, NULL, "last landing: velocity")

/*
 * Groups of fields that only some layouts have, in the order of the wire, after everything else in
 * a tick: G(member, record, list, label, what is lost in a layout without it). A layout has a group
 * if its table gives the group a change bit (grammar_layouts.c). Nothing else lists them.
 */
#define KZ_TICK_GROUPS(G) \
    G(presses, kz_presses, KZ_PRESSES, "tick, jump presses", "jump presses and landings of ticks")

#define KZ_TICK_DERIVED(F, T)                                                            \
    F(T, speed, F64, 0, NULL, "length of the velocity after the tick, units per second") \
    F(T, horizontal_speed, F64, 0, NULL, "the same without the vertical part")           \
    F(T, on_ground, BOOL, 0, NULL, "on the ground after the tick")                       \
    F(T, ducked, BOOL, 0, NULL, "fully ducked after the tick")                           \
    F(T, run_time, F64, 0, NULL, "seconds on the run's timer; null outside the run")     \
    F(T, keys, U32, 0, &kz_button_names, "keys held after the tick")

/* ---- subticks: what happened inside a tick or command ---- */

#define KZ_MOVE(F, T)                                              \
    F(T, when, F32, 0, NULL, "part of the tick, 0 to 1")           \
    F(T, button, U32, 0, NULL, "the button, 0 for an analog move") \
    F(T, data, RAW, 16, NULL, "the rest as stored; some of it is noise in old files")

#define KZ_MOVE_DERIVED(F, T)                                                           \
    F(T, key, U32, 0, &kz_button_names, "the button by name")                           \
    F(T, pressed, BOOL, 0, NULL, "pressed, not released")                               \
    F(T, forward_delta, F64, 0, NULL, "analog moves: change forward")                   \
    F(T, left_delta, F64, 0, NULL, "analog moves: change to the left")                  \
    F(T, pitch_delta, F64, 0, NULL, "change of view; null where this layout has noise") \
    F(T, yaw_delta, F64, 0, NULL, "change of view; null where this layout has noise")

/* ---- commands ---- */

#define KZ_COMMAND(F, T)                                             \
    F(T, server_tick, U32, 0, &kz_next_tick, "server tick")          \
    F(T, game_time, F32, 1, &kz_next_time, "game clock, seconds")    \
    F(T, real_time, F32, 2, NULL, "server's clock, seconds")         \
    F(T, unix_time, U64, 3, NULL, "wall clock, Unix seconds")        \
    F(T, framerate, F32, 4, NULL, "frames per second of the client") \
    F(T, latency, F32, 5, NULL, "network latency, seconds")          \
    F(T, average_loss, F32, 6, NULL, "packets lost")                 \
    F(T, cmd_number, U32, 7, NULL, "number of the input command")    \
    F(T, client_tick, U32, 8, NULL, "tick of the client")            \
    F(T, forward, F32, 9, NULL, "forward input, -1 to 1")            \
    F(T, left, F32, 10, NULL, "sideways input, left is positive")    \
    F(T, up, F32, 11, NULL, "upward input, -1 to 1")                 \
    F(T, buttons0, U64, 12, NULL, "buttons held")                    \
    F(T, buttons1, U64, 13, NULL, "buttons changed")                 \
    F(T, buttons2, U64, 14, NULL, "buttons changed")                 \
    F(T, angles, VEC3, 15, NULL, "view: pitch, yaw, roll, degrees")  \
    F(T, mouse_dx, I32, 16, NULL, "mouse counts to the right")       \
    F(T, mouse_dy, I32, 17, NULL, "mouse counts down")               \
    F(T, sensitivity, F32, 18, NULL, "client setting")               \
    F(T, m_yaw, F32, 19, NULL, "client setting")                     \
    F(T, m_pitch, F32, 20, NULL, "client setting")

/* ---- weapons ---- */

#define KZ_ITEM(F, T)                                                        \
    F(T, item_def, I32, 1, NULL, "kind of item, 0 none")                     \
    F(T, quality, I32, 2, NULL, "quality")                                   \
    F(T, level, I32, 3, NULL, "level")                                       \
    F(T, account_id, I32, 4, NULL, "account of the owner")                   \
    F(T, item_id, I64, 5, NULL, "this very item")                            \
    F(T, inventory_position, I32, 6, NULL, "place in the owner's inventory") \
    F(T, custom_name, TEXT, 7, NULL, "name given by the owner")              \
    F(T, custom_name_override, TEXT, 8, NULL, "name that replaces it")

#define KZ_WEAPON(F, T)                                            \
    F(T, number, I32, 0, NULL, "number that ticks and events use") \
    F(T, attribute_count, I32, 0, NULL, "rows in weapon_attributes")

#define KZ_ATTRIBUTE(F, T)                                                        \
    F(T, def_index, I32, 1, NULL, "which attribute: 6 paint, 7 seed, 8 wear ...") \
    F(T, value, F32, 2, NULL, "value; some are integers in the float's bits")

#define KZ_WEAPON_ATTRIBUTE(F, T)  F(T, weapon, I32, 0, NULL, "number of the weapon")
#define KZ_ATTRIBUTE_DERIVED(F, T) F(T, bits, U32, 0, NULL, "the value's bits")

#define KZ_WEAPON_EVENT(F, T)                      \
    F(T, server_tick, U32, 0, NULL, "server tick") \
    F(T, weapon, U32, 0, NULL, "number of the weapon now in hand")

/* ---- jumps ---- */

#define KZ_JUMP(F, T)                                                   \
    F(T, server_tick, U32, 0, NULL, "server tick of the landing")       \
    F(T, takeoff_origin, VEC3, 0, NULL, "units")                        \
    F(T, adjusted_takeoff_origin, VEC3, 0, NULL, "units")               \
    F(T, takeoff_velocity, VEC3, 0, NULL, "units per second")           \
    F(T, landing_origin, VEC3, 0, NULL, "units")                        \
    F(T, adjusted_landing_origin, VEC3, 0, NULL, "units")               \
    F(T, jump_type, U8, 0, &kz_jump_type_names, "kind of jump")         \
    F(T, distance_tier, U8, 0, &kz_tier_names, "how good it was")       \
    F(T, total_distance, F32, 0, NULL, "units")                         \
    F(T, max_speed, F32, 0, NULL, "units per second")                   \
    F(T, max_height, F32, 0, NULL, "units")                             \
    F(T, airtime, F32, 0, NULL, "seconds")                              \
    F(T, duck_duration, F32, 0, NULL, "seconds")                        \
    F(T, duck_end_duration, F32, 0, NULL, "seconds")                    \
    F(T, release, F32, 0, NULL, "when forward was released")            \
    F(T, block, F32, 0, NULL, "length of the block, units")             \
    F(T, edge, F32, 0, NULL, "distance to the edge, units")             \
    F(T, landing_edge, F32, 0, NULL, "distance to the far edge, units") \
    F(T, invalid_reason, TEXT, 0, NULL, "why it does not count; empty if it does")

#define KZ_STRAFE_PLACE(F, T) F(T, strafe, U32, 0, NULL, "number in the jump")
#define KZ_STRAFE(F, T)                                                   \
    F(T, duration, F32, 0, NULL, "seconds")                               \
    F(T, bad_angles, F32, 0, NULL, "seconds at angles that gain nothing") \
    F(T, overlap, F32, 0, NULL, "seconds with both keys held")            \
    F(T, dead_air, F32, 0, NULL, "seconds with no key held")              \
    F(T, sync_duration, F32, 0, NULL, "seconds that gained speed")        \
    F(T, width, F32, 0, NULL, "degrees turned")                           \
    F(T, air_gain, F32, 0, NULL, "speed gained")                          \
    F(T, max_gain, F32, 0, NULL, "speed that could have been gained")     \
    F(T, air_loss, F32, 0, NULL, "speed lost")                            \
    F(T, collision_gain, F32, 0, NULL, "speed gained by collisions")      \
    F(T, collision_loss, F32, 0, NULL, "speed lost by collisions")        \
    F(T, external_gain, F32, 0, NULL, "speed gained from outside")        \
    F(T, external_loss, F32, 0, NULL, "speed lost from outside")          \
    F(T, max_speed, F32, 0, NULL, "units per second")                     \
    F(T, has_ratio, BOOL, 0, NULL, "the ratios mean something")           \
    F(T, ratio_max, F32, 0, NULL, "angle ratio: largest")                 \
    F(T, ratio_median, F32, 0, NULL, "angle ratio: median")               \
    F(T, ratio_average, F32, 0, NULL, "angle ratio: average")

#define KZ_AIRCALL(F, T)                                                       \
    F(T, strafe, U32, 0, NULL, "number of the strafe in the jump")             \
    F(T, external_speed_diff, F32, 0, NULL, "speed change from outside")       \
    F(T, prev_yaw, F32, 0, NULL, "degrees")                                    \
    F(T, current_yaw, F32, 0, NULL, "degrees")                                 \
    F(T, start_fraction, F32, 0, NULL, "part of the tick where it starts; B5") \
    F(T, end_fraction, F32, 0, NULL, "part of the tick where it ends; B5")     \
    F(T, wish_dir, VEC3, 0, NULL, "direction asked for")                       \
    F(T, wish_speed, F32, 0, NULL, "speed asked for")                          \
    F(T, acceleration, F32, 0, NULL, "air acceleration")                       \
    F(T, surface_friction, F32, 0, NULL, "friction")                           \
    F(T, duration, F32, 0, NULL, "seconds")                                    \
    F(T, buttons0, U32, 0, NULL, "buttons held")                               \
    F(T, buttons1, U32, 0, NULL, "buttons changed")                            \
    F(T, buttons2, U32, 0, NULL, "buttons changed")                            \
    F(T, velocity_before, VEC3, 0, NULL, "units per second")                   \
    F(T, velocity_after, VEC3, 0, NULL, "units per second")                    \
    F(T, ducking, BOOL, 0, NULL, "ducking")

/* ---- events ---- */

#define KZ_EVENT(F, T)                                                        \
    F(T, type, U32, 0, &kz_event_names, "what happened")                      \
    F(T, server_tick, U32, 0, NULL, "server tick; 0: the state at the start") \
    F(T, timer, I32, 0, &kz_timer_names, "timer: what it did")                \
    F(T, number, I32, 0, NULL, "timer: course, split, checkpoint or stage")   \
    F(T, run_time, F32, 0, NULL, "timer: seconds so far")                     \
    F(T, name, TEXT, 0, NULL, "mode or style: name")                          \
    F(T, md5, TEXT, 0, NULL, "mode or style: digest")                         \
    F(T, clear_styles, BOOL, 0, NULL, "style: drop all others first")         \
    F(T, has_origin, BOOL, 0, NULL, "teleport: origin was set")               \
    F(T, has_angles, BOOL, 0, NULL, "teleport: angles were set")              \
    F(T, has_velocity, BOOL, 0, NULL, "teleport: velocity was set")           \
    F(T, origin, VEC3, 0, NULL, "teleport: units")                            \
    F(T, angles, VEC3, 0, NULL, "teleport: degrees")                          \
    F(T, velocity, VEC3, 0, NULL, "teleport: units per second")               \
    F(T, data, BYTES, 0, NULL, "unknown types: the 164 bytes as stored")

/* ---- headers ---- */

#define KZ_PERSON(F, T)                                \
    F(T, name, TEXT, 1, NULL, "name")                  \
    F(T, steam_id, U64, 2, NULL, "account, SteamID64") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_MAP(F, T)                   \
    F(T, name, TEXT, 1, NULL, "name")  \
    F(T, md5, TEXT, 2, NULL, "digest") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_MODE(F, T)                               \
    F(T, name, TEXT, 1, NULL, "name")               \
    F(T, short_name, TEXT, 2, NULL, "abbreviation") \
    F(T, md5, TEXT, 3, NULL, "digest")              \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_OWNED(F, T)                                                      \
    F(T, item, OPT, 1, &kz_item_record, "the item")                         \
    F(T, attributes, SEQ, 2, &kz_attribute_record, "paint, wear, stickers") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_MANUAL(F, T)                                       \
    F(T, saved_by, OPT, 1, &kz_person_record, "who saved it") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_CHEATER(F, T)                                         \
    F(T, reason, TEXT, 1, NULL, "why it was reported")           \
    F(T, reporter, OPT, 2, &kz_person_record, "who reported it") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_RUN(F, T)                                \
    F(T, course_name, TEXT, 1, NULL, "course")      \
    F(T, mode, OPT, 2, &kz_mode_record, "mode")     \
    F(T, styles, SEQ, 3, &kz_mode_record, "styles") \
    F(T, time, F32, 4, NULL, "seconds")             \
    F(T, teleports, I32, 5, NULL, "teleports made") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

#define KZ_JUMP_HEADER(F, T)                                           \
    F(T, mode, OPT, 1, &kz_mode_record, "mode")                        \
    F(T, jump_type, U32, 2, &kz_jump_type_names, "kind of jump")       \
    F(T, distance, F32, 3, NULL, "units")                              \
    F(T, block_distance, I32, 4, NULL, "units, -1 none")               \
    F(T, strafes, U32, 5, NULL, "strafes")                             \
    F(T, sync, F32, 6, NULL, "part of the air time that gained speed") \
    F(T, pre, F32, 7, NULL, "speed at take-off")                       \
    F(T, max, F32, 8, NULL, "highest speed")                           \
    F(T, air_time, F32, 9, NULL, "seconds")                            \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

/* Tags are protobuf field numbers; 0 where only the struct generation has the field. */
#define KZ_HEADER(F, T)                                                        \
    F(T, version, U32, 1, NULL, "version of the layout")                       \
    F(T, type, U32, 2, &kz_type_names, "why it was recorded")                  \
    F(T, player, OPT, 3, &kz_person_record, "who is recorded")                 \
    F(T, map, OPT, 4, &kz_map_record, "map")                                   \
    F(T, first_weapon, OPT, 0, &kz_owned_record, "weapon at the start")        \
    F(T, gloves, OPT, 5, &kz_owned_record, "gloves")                           \
    F(T, model_name, TEXT, 6, NULL, "player model")                            \
    F(T, timestamp, U64, 7, NULL, "when it was written, Unix seconds")         \
    F(T, plugin_version, TEXT, 8, NULL, "version of the server plugin")        \
    F(T, server_version, U32, 9, NULL, "version of the game server")           \
    F(T, server_ip, U32, 10, NULL, "address, first octet highest; 0 unknown")  \
    F(T, sensitivity, F32, 11, NULL, "mouse sensitivity")                      \
    F(T, yaw, F32, 12, NULL, "mouse yaw factor")                               \
    F(T, pitch, F32, 13, NULL, "mouse pitch factor")                           \
    F(T, archived_timestamp, U64, 0, NULL, "when it was archived, 0 never")    \
    F(T, manual, OPT, 14, &kz_manual_record, "of a recording saved by hand")   \
    F(T, cheater, OPT, 15, &kz_cheater_record, "of a report")                  \
    F(T, run, OPT, 16, &kz_run_record, "of a run")                             \
    F(T, jump, OPT, 17, &kz_jump_header_record, "of a jump")                   \
    F(T, viewmodel_offset_x, F32, 18, NULL, "place of the weapon on screen")   \
    F(T, viewmodel_offset_y, F32, 19, NULL, "place of the weapon on screen")   \
    F(T, viewmodel_offset_z, F32, 20, NULL, "place of the weapon on screen")   \
    F(T, viewmodel_fov, F32, 21, NULL, "field of view of the weapon, degrees") \
    F(T, unknown, BYTES, 0, NULL, "unknown protobuf fields")

RP_STRUCT(kz_tick_top, KZ_TICK_TOP);
RP_STRUCT(kz_tick_weapon, KZ_TICK_WEAPON);
RP_STRUCT(kz_movement, KZ_MOVEMENT);
RP_STRUCT(kz_checkpoint, KZ_CHECKPOINT);
#define KZ_GROUP_STRUCT(member, T, LIST, label, loss) RP_STRUCT(T, LIST);
KZ_TICK_GROUPS(KZ_GROUP_STRUCT)
RP_STRUCT(kz_tick_derived, KZ_TICK_DERIVED);
RP_STRUCT(kz_move, KZ_MOVE);
RP_STRUCT(kz_move_derived, KZ_MOVE_DERIVED);
RP_STRUCT(kz_command, KZ_COMMAND);
RP_STRUCT(kz_item, KZ_ITEM);
RP_STRUCT(kz_weapon, KZ_WEAPON);
RP_STRUCT(kz_attribute, KZ_ATTRIBUTE);
RP_STRUCT(kz_attribute_derived, KZ_ATTRIBUTE_DERIVED);
RP_STRUCT(kz_weapon_attribute, KZ_WEAPON_ATTRIBUTE);
RP_STRUCT(kz_weapon_event, KZ_WEAPON_EVENT);
RP_STRUCT(kz_jump, KZ_JUMP);
RP_STRUCT(kz_strafe_place, KZ_STRAFE_PLACE);
RP_STRUCT(kz_strafe, KZ_STRAFE);
RP_STRUCT(kz_aircall, KZ_AIRCALL);
RP_STRUCT(kz_event, KZ_EVENT);
RP_STRUCT(kz_person, KZ_PERSON);
RP_STRUCT(kz_map, KZ_MAP);
RP_STRUCT(kz_mode, KZ_MODE);
RP_STRUCT(kz_owned, KZ_OWNED);
RP_STRUCT(kz_manual, KZ_MANUAL);
RP_STRUCT(kz_cheater, KZ_CHEATER);
RP_STRUCT(kz_run, KZ_RUN);
RP_STRUCT(kz_jump_header, KZ_JUMP_HEADER);
RP_STRUCT(kz_header, KZ_HEADER);

/* The rows that are made of several records. */
typedef struct kz_tick {
    kz_tick_top top;
    kz_tick_weapon held;
    kz_movement pre, post;
    kz_checkpoint checkpoint;
#define KZ_GROUP_MEMBER(member, T, LIST, label, loss) T member;
    KZ_TICK_GROUPS(KZ_GROUP_MEMBER)
} kz_tick;

enum {
#define KZ_GROUP_NUMBER(member, T, LIST, label, loss) KZ_GROUP_##member,
    KZ_TICK_GROUPS(KZ_GROUP_NUMBER) KZ_GROUP_COUNT
};

typedef struct kz_group {
    const rp_record *record;
    size_t offset;     /* in kz_tick */
    unsigned presence; /* its first presence bit */
    const char *loss;  /* what a layout without it loses */
} kz_group;
extern const kz_group kz_groups[KZ_GROUP_COUNT];

typedef struct kz_weapon_row {
    kz_weapon weapon;
    kz_item item;
} kz_weapon_row;

typedef struct kz_attribute_row {
    kz_weapon_attribute of;
    kz_attribute attribute;
} kz_attribute_row;

typedef struct kz_strafe_row {
    kz_strafe_place place;
    kz_strafe strafe;
} kz_strafe_row;

/* Where the presence bits of a tick's parts begin. */
enum {
    KZ_TICK_F_WEAPON = kz_tick_top_F_COUNT,
    KZ_TICK_F_PRE = KZ_TICK_F_WEAPON + kz_tick_weapon_F_COUNT,
    KZ_TICK_F_POST = KZ_TICK_F_PRE + kz_movement_F_COUNT,
    KZ_TICK_F_CHECKPOINT = KZ_TICK_F_POST + kz_movement_F_COUNT,
    KZ_TICK_F_BEFORE_GROUPS = KZ_TICK_F_CHECKPOINT + kz_checkpoint_F_COUNT - 1,
#define KZ_GROUP_PRESENCE(member, T, LIST, label, loss) \
    KZ_TICK_F_##member, KZ_TICK_F_AFTER_##member = KZ_TICK_F_##member + T##_F_COUNT - 1,
    KZ_TICK_GROUPS(KZ_GROUP_PRESENCE) KZ_TICK_F_COUNT
};

/* The tracks, in the order of the descriptor. */
enum {
    KZ_TICKS,
    KZ_SUBTICKS,
    KZ_WEAPONS,
    KZ_WEAPON_ATTRIBUTES,
    KZ_WEAPON_EVENTS,
    KZ_JUMPS,
    KZ_STRAFES,
    KZ_AIRCALLS,
    KZ_EVENTS,
    KZ_COMMANDS,
    KZ_COMMAND_SUBTICKS,
    KZ_STYLES,
    KZ_TRACK_COUNT
};
extern const rp_track kz_tracks[KZ_TRACK_COUNT];
enum { KZ_RECORD_COUNT = 28 + KZ_GROUP_COUNT };
extern const rp_record *const kz_records[KZ_RECORD_COUNT];

#endif
