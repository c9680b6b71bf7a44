/*
 * wire.h - the tables of the records in Iron Curtain files: ic_name_record and the numbers of its
 * fields. The fields are listed in fields.h and event_fields.h; the structs of those that programs
 * use are generated from the same lists into reprise/ironcurtain/types.h.
 */
#ifndef IRONCURTAIN_WIRE_WIRE_H
#define IRONCURTAIN_WIRE_WIRE_H

#include "reprise/ironcurtain/types.h"

#include "ironcurtain/wire/event_fields.h"
#include "ironcurtain/wire/fields.h"
#include "schema.h"

/*
 * Every record: name, list, name in documents, form in JSON, and where its type is declared. PUBLIC
 * records are structs of types.h, VALUE records plain numbers or texts there; FILE records are
 * parts of the container that only the library sees.
 */
#define IC_RECORDS(R)                                                                            \
    R(ic_u32, IC_FIELDS_U32, "u32", NEWTYPE, VALUE)                                              \
    R(ic_text, IC_FIELDS_TEXT, "text", NEWTYPE, VALUE)                                           \
    R(ic_tag, IC_FIELDS_TAG, "tag", STRUCT, PUBLIC)                                              \
    R(ic_pos, IC_FIELDS_POS, "pos", STRUCT, PUBLIC)                                              \
    R(ic_cell, IC_FIELDS_CELL, "cell", STRUCT, PUBLIC)                                           \
    R(ic_whisper, IC_FIELDS_WHISPER, "whisper", STRUCT, PUBLIC)                                  \
    R(ic_kick, IC_FIELDS_KICK, "kick", STRUCT, PUBLIC)                                           \
    R(ic_custom_vote, IC_FIELDS_CUSTOM_VOTE, "custom vote", STRUCT, PUBLIC)                      \
    R(ic_propose, IC_FIELDS_PROPOSE, "propose", STRUCT, PUBLIC)                                  \
    R(ic_cast, IC_FIELDS_CAST, "cast", STRUCT, PUBLIC)                                           \
    R(ic_cancel, IC_FIELDS_CANCEL, "cancel", STRUCT, PUBLIC)                                     \
    R(ic_move, IC_FIELDS_MOVE, "move", STRUCT, PUBLIC)                                           \
    R(ic_attack, IC_FIELDS_ATTACK, "attack", STRUCT, PUBLIC)                                     \
    R(ic_stop, IC_FIELDS_STOP, "stop", STRUCT, PUBLIC)                                           \
    R(ic_chat, IC_FIELDS_CHAT, "chat", STRUCT, PUBLIC)                                           \
    R(ic_command, IC_FIELDS_COMMAND, "command", STRUCT, PUBLIC)                                  \
    R(ic_cvar, IC_FIELDS_CVAR, "cvar", STRUCT, PUBLIC)                                           \
    R(ic_vote, IC_FIELDS_VOTE, "vote", NEWTYPE, PUBLIC)                                          \
    R(ic_game_order, IC_FIELDS_GAME_ORDER, "game order", STRUCT, PUBLIC)                         \
    R(ic_voice_activity, IC_FIELDS_VOICE_ACTIVITY, "voice activity", STRUCT, PUBLIC)             \
    R(ic_ping, IC_FIELDS_PING, "ping", STRUCT, PUBLIC)                                           \
    R(ic_phrase, IC_FIELDS_PHRASE, "phrase", STRUCT, PUBLIC)                                     \
    R(ic_draw, IC_FIELDS_DRAW, "draw", STRUCT, PUBLIC)                                           \
    R(ic_order, IC_FIELDS_ORDER, "order", STRUCT, PUBLIC)                                        \
    R(ic_frame, IC_FIELDS_FRAME, "frame", STRUCT, PUBLIC)                                        \
    R(ic_produce, IC_FIELDS_PRODUCE, "produce", STRUCT, PUBLIC)                                  \
    R(ic_place, IC_FIELDS_PLACE, "place", STRUCT, PUBLIC)                                        \
    R(ic_unit, IC_FIELDS_UNIT, "unit", STRUCT, PUBLIC)                                           \
    R(ic_rally, IC_FIELDS_RALLY, "rally", STRUCT, PUBLIC)                                        \
    R(ic_stance, IC_FIELDS_STANCE, "stance", STRUCT, PUBLIC)                                     \
    R(ic_entity, IC_FIELDS_ENTITY, "entity", STRUCT, PUBLIC)                                     \
    R(ic_identity, IC_FIELDS_IDENTITY, "identity", STRUCT, PUBLIC)                               \
    R(ic_position, IC_FIELDS_POSITION, "position", STRUCT, PUBLIC)                               \
    R(ic_health, IC_FIELDS_HEALTH, "health", STRUCT, PUBLIC)                                     \
    R(ic_mobile, IC_FIELDS_MOBILE, "mobile", STRUCT, PUBLIC)                                     \
    R(ic_navigation, IC_FIELDS_NAVIGATION, "navigation", STRUCT, PUBLIC)                         \
    R(ic_attackable, IC_FIELDS_ATTACKABLE, "attackable", STRUCT, PUBLIC)                         \
    R(ic_armament, IC_FIELDS_ARMAMENT, "armament", STRUCT, PUBLIC)                               \
    R(ic_building, IC_FIELDS_BUILDING, "building", STRUCT, PUBLIC)                               \
    R(ic_queue_item, IC_FIELDS_QUEUE_ITEM, "queue item", STRUCT, PUBLIC)                         \
    R(ic_build_queue, IC_FIELDS_BUILD_QUEUE, "build queue", STRUCT, PUBLIC)                      \
    R(ic_harvester, IC_FIELDS_HARVESTER, "harvester", STRUCT, PUBLIC)                            \
    R(ic_veterancy, IC_FIELDS_VETERANCY, "veterancy", STRUCT, PUBLIC)                            \
    R(ic_extension, IC_FIELDS_EXTENSION, "extension", STRUCT, PUBLIC)                            \
    R(ic_rng, IC_FIELDS_RNG, "rng", TUPLE, PUBLIC)                                               \
    R(ic_rng_state, IC_FIELDS_RNG_STATE, "rng state", STRUCT, PUBLIC)                            \
    R(ic_intern, IC_FIELDS_INTERN, "intern", STRUCT, PUBLIC)                                     \
    R(ic_player, IC_FIELDS_PLAYER, "player", STRUCT, PUBLIC)                                     \
    R(ic_cell_state, IC_FIELDS_CELL_STATE, "cell state", STRUCT, PUBLIC)                         \
    R(ic_map_cell, IC_FIELDS_MAP_CELL, "map cell", TUPLE, PUBLIC)                                \
    R(ic_map, IC_FIELDS_MAP, "map", STRUCT, PUBLIC)                                              \
    R(ic_core, IC_FIELDS_CORE, "core", STRUCT, PUBLIC)                                           \
    R(ic_bool, IC_FIELDS_BOOL, "bool", NEWTYPE, VALUE)                                           \
    R(ic_i64, IC_FIELDS_I64, "i64", NEWTYPE, VALUE)                                              \
    R(ic_fixed, IC_FIELDS_FIXED, "fixed", NEWTYPE, VALUE)                                        \
    R(ic_var, IC_FIELDS_VAR, "var", STRUCT, PUBLIC)                                              \
    R(ic_mod_state, IC_FIELDS_MOD_STATE, "mod state", STRUCT, PUBLIC)                            \
    R(ic_campaign, IC_FIELDS_CAMPAIGN, "campaign", STRUCT, PUBLIC)                               \
    R(ic_script, IC_FIELDS_SCRIPT, "script", STRUCT, PUBLIC)                                     \
    R(ic_snapshot, IC_FIELDS_SNAPSHOT, "snapshot", STRUCT, PUBLIC)                               \
    R(ic_intern_delta, IC_FIELDS_INTERN_DELTA, "intern delta", STRUCT, PUBLIC)                   \
    R(ic_entity_delta, IC_FIELDS_ENTITY_DELTA, "entity delta", STRUCT, PUBLIC)                   \
    R(ic_player_delta, IC_FIELDS_PLAYER_DELTA, "player delta", STRUCT, PUBLIC)                   \
    R(ic_map_delta, IC_FIELDS_MAP_DELTA, "map delta", STRUCT, PUBLIC)                            \
    R(ic_core_delta, IC_FIELDS_CORE_DELTA, "core delta", STRUCT, PUBLIC)                         \
    R(ic_delta, IC_FIELDS_DELTA, "delta", STRUCT, PUBLIC)                                        \
    R(ic_replay_header, IC_FIELDS_REPLAY_HEADER, "replay header", STRUCT, FILE)                  \
    R(ic_save_header, IC_FIELDS_SAVE_HEADER, "save header", STRUCT, FILE)                        \
    R(ic_block, IC_FIELDS_BLOCK, "block", STRUCT, FILE)                                          \
    R(ic_keyframe, IC_FIELDS_KEYFRAME, "keyframe", STRUCT, FILE)                                 \
    R(ic_voice_frame, IC_FIELDS_VOICE_FRAME, "voice frame", STRUCT, PUBLIC)                      \
    R(ic_voice_track, IC_FIELDS_VOICE_TRACK, "voice track", STRUCT, PUBLIC)                      \
    R(ic_voice, IC_FIELDS_VOICE, "voice", STRUCT, PUBLIC)                                        \
    R(ic_tick_signature, IC_FIELDS_TICK_SIGNATURE, "tick signature", STRUCT, PUBLIC)             \
    R(ic_signature, IC_FIELDS_SIGNATURE, "signature", STRUCT, PUBLIC)                            \
    R(ic_mod, IC_FIELDS_MOD, "mod", STRUCT, PUBLIC)                                              \
    R(ic_rule, IC_FIELDS_RULE, "rule", STRUCT, PUBLIC)                                           \
    R(ic_manifest, IC_FIELDS_MANIFEST, "manifest", STRUCT, PUBLIC)                               \
    R(ic_bytes, IC_FIELDS_BYTES, "bytes", NEWTYPE, FILE)                                         \
    R(ic_embedded, IC_FIELDS_EMBEDDED, "embedded", STRUCT, FILE)                                 \
    R(ic_hash, IC_FIELDS_HASH, "hash", NEWTYPE, FILE)                                            \
    R(ic_proof, IC_FIELDS_PROOF, "proof", STRUCT, FILE)                                          \
    R(ic_game_score, IC_FIELDS_GAME_SCORE, "game score", STRUCT, PUBLIC)                         \
    R(ic_player_stats, IC_FIELDS_PLAYER_STATS, "player stats", STRUCT, PUBLIC)                   \
    R(ic_unit_position, IC_FIELDS_UNIT_POSITION, "unit position", TUPLE, PUBLIC)                 \
    R(ic_ballot_result, IC_FIELDS_BALLOT_RESULT, "ballot result", TUPLE, PUBLIC)                 \
    R(ic_surrender, IC_FIELDS_SURRENDER, "surrender", STRUCT, PUBLIC)                            \
    R(ic_team_surrender, IC_FIELDS_TEAM_SURRENDER, "team surrender", STRUCT, PUBLIC)             \
    R(ic_agreed_draw, IC_FIELDS_AGREED_DRAW, "agreed draw", STRUCT, PUBLIC)                      \
    R(ic_completed, IC_FIELDS_COMPLETED, "completed", STRUCT, PUBLIC)                            \
    R(ic_abandoned, IC_FIELDS_ABANDONED, "abandoned", STRUCT, PUBLIC)                            \
    R(ic_drawn, IC_FIELDS_DRAWN, "drawn", STRUCT, PUBLIC)                                        \
    R(ic_desync_terminated, IC_FIELDS_DESYNC_TERMINATED, "desync terminated", STRUCT, PUBLIC)    \
    R(ic_fraction, IC_FIELDS_FRACTION, "fraction", STRUCT, PUBLIC)                               \
    R(ic_ballot, IC_FIELDS_BALLOT, "ballot", STRUCT, PUBLIC)                                     \
    R(ic_active_vote, IC_FIELDS_ACTIVE_VOTE, "active vote", STRUCT, PUBLIC)                      \
    R(ic_vote_passed, IC_FIELDS_VOTE_PASSED, "vote passed", STRUCT, PUBLIC)                      \
    R(ic_vote_failed, IC_FIELDS_VOTE_FAILED, "vote failed", STRUCT, PUBLIC)                      \
    R(ic_vote_proposed, IC_FIELDS_VOTE_PROPOSED, "vote proposed", STRUCT, PUBLIC)                \
    R(ic_ballot_cast, IC_FIELDS_BALLOT_CAST, "ballot cast", STRUCT, PUBLIC)                      \
    R(ic_vote_resolved, IC_FIELDS_VOTE_RESOLVED, "vote resolved", STRUCT, PUBLIC)                \
    R(ic_unit_created, IC_FIELDS_UNIT_CREATED, "unit created", STRUCT, PUBLIC)                   \
    R(ic_construction_started, IC_FIELDS_CONSTRUCTION_STARTED, "construction started", STRUCT,   \
      PUBLIC)                                                                                    \
    R(ic_construction_completed, IC_FIELDS_CONSTRUCTION_COMPLETED, "construction completed",     \
      STRUCT, PUBLIC)                                                                            \
    R(ic_unit_destroyed, IC_FIELDS_UNIT_DESTROYED, "unit destroyed", STRUCT, PUBLIC)             \
    R(ic_position_sample, IC_FIELDS_POSITION_SAMPLE, "position sample", STRUCT, PUBLIC)          \
    R(ic_stat_snapshot, IC_FIELDS_STAT_SNAPSHOT, "stat snapshot", STRUCT, PUBLIC)                \
    R(ic_resource_collected, IC_FIELDS_RESOURCE_COLLECTED, "resource collected", STRUCT, PUBLIC) \
    R(ic_upgrade_completed, IC_FIELDS_UPGRADE_COMPLETED, "upgrade completed", STRUCT, PUBLIC)    \
    R(ic_camera_sample, IC_FIELDS_CAMERA_SAMPLE, "camera sample", STRUCT, PUBLIC)                \
    R(ic_selection_changed, IC_FIELDS_SELECTION_CHANGED, "selection changed", STRUCT, PUBLIC)    \
    R(ic_control_group, IC_FIELDS_CONTROL_GROUP, "control group", STRUCT, PUBLIC)                \
    R(ic_ability_used, IC_FIELDS_ABILITY_USED, "ability used", STRUCT, PUBLIC)                   \
    R(ic_pause, IC_FIELDS_PAUSE, "pause", STRUCT, PUBLIC)                                        \
    R(ic_match_ended, IC_FIELDS_MATCH_ENDED, "match ended", STRUCT, PUBLIC)                      \
    R(ic_vote_event, IC_FIELDS_VOTE_EVENT, "vote event", STRUCT, PUBLIC)                         \
    R(ic_engagement_started, IC_FIELDS_ENGAGEMENT_STARTED, "engagement started", STRUCT, PUBLIC) \
    R(ic_engagement_ended, IC_FIELDS_ENGAGEMENT_ENDED, "engagement ended", STRUCT, PUBLIC)       \
    R(ic_superweapon_fired, IC_FIELDS_SUPERWEAPON_FIRED, "superweapon fired", STRUCT, PUBLIC)    \
    R(ic_base_destroyed, IC_FIELDS_BASE_DESTROYED, "base destroyed", STRUCT, PUBLIC)             \
    R(ic_army_wipe, IC_FIELDS_ARMY_WIPE, "army wipe", STRUCT, PUBLIC)                            \
    R(ic_comeback, IC_FIELDS_COMEBACK, "comeback", STRUCT, PUBLIC)

/* Every tagged union: name, list, name in messages. */
#define IC_SUMS(S)                                                        \
    S(ic_target, IC_VARIANTS_TARGET, "target")                            \
    S(ic_channel, IC_VARIANTS_CHANNEL, "channel")                         \
    S(ic_vote_type, IC_VARIANTS_VOTE_TYPE, "vote type")                   \
    S(ic_vote_order, IC_VARIANTS_VOTE_ORDER, "vote order")                \
    S(ic_player_order, IC_VARIANTS_PLAYER_ORDER, "player order")          \
    S(ic_known_order, IC_VARIANTS_KNOWN_ORDER, "game orders")             \
    S(ic_script_value, IC_VARIANTS_SCRIPT_VALUE, "script value")          \
    S(ic_voice_target, IC_VARIANTS_VOICE_TARGET, "voice target")          \
    S(ic_winning_side, IC_VARIANTS_WINNING_SIDE, "winning side")          \
    S(ic_end_reason, IC_VARIANTS_END_REASON, "end reason")                \
    S(ic_match_outcome, IC_VARIANTS_MATCH_OUTCOME, "match outcome")       \
    S(ic_vote_audience, IC_VARIANTS_VOTE_AUDIENCE, "vote audience")       \
    S(ic_vote_threshold, IC_VARIANTS_VOTE_THRESHOLD, "vote threshold")    \
    S(ic_vote_resolution, IC_VARIANTS_VOTE_RESOLUTION, "vote resolution") \
    S(ic_vote_analysis, IC_VARIANTS_VOTE_ANALYSIS, "vote analysis")       \
    S(ic_event, IC_VARIANTS_EVENT, "event")

/* Every list of named numbers, counted from 0. */
#define IC_ENUMS(E)                                                 \
    E(ic_kick_reason, IC_NAMES_KICK_REASON, "KickReason")           \
    E(ic_vote_choice, IC_NAMES_VOTE_CHOICE, "VoteChoice")           \
    E(ic_ping_type, IC_NAMES_PING_TYPE, "PingType")                 \
    E(ic_locomotor, IC_NAMES_LOCOMOTOR, "Locomotor")                \
    E(ic_armor, IC_NAMES_ARMOR, "Armor")                            \
    E(ic_veterancy_level, IC_NAMES_VETERANCY_LEVEL, "Veterancy")    \
    E(ic_focus, IC_NAMES_FOCUS, "Focus")                            \
    E(ic_group_action, IC_NAMES_GROUP_ACTION, "ControlGroupAction") \
    E(ic_vote_failure, IC_NAMES_VOTE_FAILURE, "VoteFailure")

#define IC_VALUE_TYPE(T, name, kind, tag, sub, doc) typedef rp_c_##kind T;
#define IC_TYPE_VALUE(T, LIST)                      LIST(IC_VALUE_TYPE, T)
#define IC_TYPE_PUBLIC(T, LIST)                     typedef reprise_##T T;
#define IC_TYPE_FILE(T, LIST) \
    typedef struct T {        \
        LIST(RP_MEMBER, T)    \
    } T;
#define IC_DECLARE_RECORD(T, LIST, label, shape, scope)                     \
    IC_TYPE_##scope(T, LIST) enum { LIST(RP_FIELD_NUMBER, T) T##_F_COUNT }; \
    extern const rp_record T##_record;
#define IC_DECLARE_SUM(T, LIST, label)  RP_SUM_NUMBERS(T, LIST);
#define IC_DECLARE_ENUM(T, LIST, label) extern const rp_enum T;
IC_ENUMS(IC_DECLARE_ENUM)
IC_RECORDS(IC_DECLARE_RECORD)
IC_SUMS(IC_DECLARE_SUM)

#define IC_BIT_NUMBER(bit, member, name) IC_BIT_##name = bit,
enum { IC_COMPONENTS(IC_BIT_NUMBER) IC_BIT_END };

enum { IC_GAME_ORDER_FIRST = 1 }; /* the tag of variant 0 */
enum { IC_REPLAY_HEADER_SIZE = 108, IC_SAVE_HEADER_SIZE = 68, IC_RECORD_SIZE = 32 };
enum { IC_SIGNED = 1, IC_HAS_EVENTS = 2, IC_HAS_VOICE = 8, IC_INCOMPLETE = 16 };
enum { IC_HAS_THUMBNAIL = 1 };
enum { IC_KEYFRAME_SIZE = 21 };
enum { IC_TICK_SIGNATURE_SIZE = 108 };

#define IC_COUNT_RECORD(T, LIST, label, shape, scope) +1
enum { IC_WIRE_RECORD_COUNT = 0 IC_RECORDS(IC_COUNT_RECORD) };
extern const rp_record *const ic_wire_records[IC_WIRE_RECORD_COUNT];

#endif
