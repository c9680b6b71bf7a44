/* wire.c - the tables behind wire.h and wire_events.h, and the names of numbers. */
#include "wire.h"
#include "wire_events.h"

RP_ENUM(ic_kick_reasons, "KickReason", false, {0, "Afk"}, {1, "Griefing"},
        {2, "AbusiveCommunication"}, {3, "Other"});
RP_ENUM(ic_vote_choices, "VoteChoice", false, {0, "Yes"}, {1, "No"});
RP_ENUM(ic_ping_types, "PingType", false, {0, "Generic"}, {1, "Attack"}, {2, "Defend"},
        {3, "Danger"}, {4, "Rally"}, {5, "Assist"}, {6, "EnemySpotted"}, {7, "Economy"});
RP_ENUM(ic_locomotors, "Locomotor", false, {0, "Foot"}, {1, "Wheeled"}, {2, "Tracked"},
        {3, "Float"}, {4, "Fly"});
RP_ENUM(ic_armors, "Armor", false, {0, "None"}, {1, "Light"}, {2, "Medium"}, {3, "Heavy"},
        {4, "Wood"}, {5, "Concrete"});
RP_ENUM(ic_veterancies, "Veterancy", false, {0, "Rookie"}, {1, "Veteran"}, {2, "Elite"},
        {3, "Heroic"});
RP_ENUM(ic_focuses, "Focus", false, {0, "StrategicLayer"}, {1, "Intermission"}, {2, "Briefing"},
        {3, "Mission"}, {4, "Debrief"});
RP_ENUM(ic_group_actions, "ControlGroupAction", false, {0, "Assign"}, {1, "Append"}, {2, "Recall"});
RP_ENUM(ic_vote_failures, "VoteFailure", false, {0, "TimerExpired"}, {1, "ThresholdImpossible"},
        {2, "ProposerLeft"});

RP_TABLE_SHAPED(ic_u32, IC_U32, "u32", RP_SHAPE_NEWTYPE);
RP_TABLE_SHAPED(ic_text, IC_TEXT, "text", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_tag, IC_TAG, "tag");
RP_TABLE(ic_pos, IC_POS, "pos");
RP_TABLE(ic_cell, IC_CELL, "cell");
RP_TABLE(ic_whisper, IC_WHISPER, "whisper");
RP_TABLE(ic_kick, IC_KICK, "kick");
RP_TABLE(ic_custom_vote, IC_CUSTOM_VOTE, "custom vote");
RP_TABLE(ic_propose, IC_PROPOSE, "propose");
RP_TABLE(ic_cast, IC_CAST, "cast");
RP_TABLE(ic_cancel, IC_CANCEL, "cancel");
RP_TABLE(ic_move, IC_MOVE, "move");
RP_TABLE(ic_attack, IC_ATTACK, "attack");
RP_TABLE(ic_stop, IC_STOP, "stop");
RP_TABLE(ic_chat, IC_CHAT, "chat");
RP_TABLE(ic_command, IC_COMMAND, "command");
RP_TABLE(ic_cvar, IC_CVAR, "cvar");
RP_TABLE_SHAPED(ic_vote, IC_VOTE, "vote", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_game_order, IC_GAME_ORDER, "game order");
RP_TABLE(ic_voice_activity, IC_VOICE_ACTIVITY, "voice activity");
RP_TABLE(ic_ping, IC_PING, "ping");
RP_TABLE(ic_phrase, IC_PHRASE, "phrase");
RP_TABLE(ic_draw, IC_DRAW, "draw");
RP_TABLE(ic_order, IC_ORDER, "order");
RP_TABLE(ic_frame, IC_FRAME, "frame");
RP_TABLE(ic_produce, IC_PRODUCE, "produce");
RP_TABLE(ic_place, IC_PLACE, "place");
RP_TABLE(ic_unit, IC_UNIT, "unit");
RP_TABLE(ic_rally, IC_RALLY, "rally");
RP_TABLE(ic_stance, IC_STANCE, "stance");
RP_TABLE(ic_entity, IC_ENTITY, "entity");
RP_TABLE(ic_identity, IC_IDENTITY, "identity");
RP_TABLE(ic_position, IC_POSITION, "position");
RP_TABLE(ic_health, IC_HEALTH, "health");
RP_TABLE(ic_mobile, IC_MOBILE, "mobile");
RP_TABLE(ic_navigation, IC_NAVIGATION, "navigation");
RP_TABLE(ic_attackable, IC_ATTACKABLE, "attackable");
RP_TABLE(ic_armament, IC_ARMAMENT, "armament");
RP_TABLE(ic_building, IC_BUILDING, "building");
RP_TABLE(ic_queue_item, IC_QUEUE_ITEM, "queue item");
RP_TABLE(ic_build_queue, IC_BUILD_QUEUE, "build queue");
RP_TABLE(ic_harvester, IC_HARVESTER, "harvester");
RP_TABLE(ic_veterancy, IC_VETERANCY, "veterancy");
RP_TABLE(ic_extension, IC_EXTENSION, "extension");
RP_TABLE_SHAPED(ic_rng, IC_RNG, "rng", RP_SHAPE_TUPLE);
RP_TABLE(ic_rng_state, IC_RNG_STATE, "rng state");
RP_TABLE(ic_intern, IC_INTERN, "intern");
RP_TABLE(ic_player, IC_PLAYER, "player");
RP_TABLE(ic_cell_state, IC_CELL_STATE, "cell state");
RP_TABLE_SHAPED(ic_map_cell, IC_MAP_CELL, "map cell", RP_SHAPE_TUPLE);
RP_TABLE(ic_map, IC_MAP, "map");
RP_TABLE(ic_core, IC_CORE, "core");
RP_TABLE_SHAPED(ic_bool, IC_BOOL, "bool", RP_SHAPE_NEWTYPE);
RP_TABLE_SHAPED(ic_i64, IC_I64, "i64", RP_SHAPE_NEWTYPE);
RP_TABLE_SHAPED(ic_fixed, IC_FIXED, "fixed", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_var, IC_VAR, "var");
RP_TABLE(ic_mod_state, IC_MOD_STATE, "mod state");
RP_TABLE(ic_campaign, IC_CAMPAIGN, "campaign");
RP_TABLE(ic_script, IC_SCRIPT, "script");
RP_TABLE(ic_snapshot, IC_SNAPSHOT, "snapshot");
RP_TABLE(ic_intern_delta, IC_INTERN_DELTA, "intern delta");
RP_TABLE(ic_entity_delta, IC_ENTITY_DELTA, "entity delta");
RP_TABLE(ic_player_delta, IC_PLAYER_DELTA, "player delta");
RP_TABLE(ic_map_delta, IC_MAP_DELTA, "map delta");
RP_TABLE(ic_core_delta, IC_CORE_DELTA, "core delta");
RP_TABLE(ic_delta, IC_DELTA, "delta");
RP_TABLE(ic_replay_header, IC_REPLAY_HEADER, "replay header");
RP_TABLE(ic_save_header, IC_SAVE_HEADER, "save header");
RP_TABLE(ic_block, IC_BLOCK, "block");
RP_TABLE(ic_keyframe, IC_KEYFRAME, "keyframe");
RP_TABLE(ic_voice_frame, IC_VOICE_FRAME, "voice frame");
RP_TABLE(ic_voice_track, IC_VOICE_TRACK, "voice track");
RP_TABLE(ic_voice, IC_VOICE, "voice");
RP_TABLE(ic_tick_signature, IC_TICK_SIGNATURE, "tick signature");
RP_TABLE(ic_signature, IC_SIGNATURE, "signature");
RP_TABLE(ic_mod, IC_MOD, "mod");
RP_TABLE(ic_rule, IC_RULE, "rule");
RP_TABLE(ic_manifest, IC_MANIFEST, "manifest");
RP_TABLE_SHAPED(ic_bytes, IC_BYTES, "bytes", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_embedded, IC_EMBEDDED, "embedded");
RP_TABLE_SHAPED(ic_hash, IC_HASH, "hash", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_proof, IC_PROOF, "proof");
RP_SUM_TABLE(ic_target, IC_TARGET, "target");
RP_SUM_TABLE(ic_channel, IC_CHANNEL, "channel");
RP_SUM_TABLE(ic_vote_type, IC_VOTE_TYPE, "vote type");
RP_SUM_TABLE(ic_vote_order, IC_VOTE_ORDER, "vote order");
RP_SUM_TABLE(ic_player_order, IC_PLAYER_ORDER, "player order");
RP_SUM_TABLE(ic_game_orders, IC_GAME_ORDERS, "game orders");
RP_SUM_TABLE(ic_script_value, IC_SCRIPT_VALUE, "script value");
RP_SUM_TABLE(ic_voice_target, IC_VOICE_TARGET, "voice target");

RP_TABLE(ic_game_score, IC_GAME_SCORE, "game score");
RP_TABLE(ic_player_stats, IC_PLAYER_STATS, "player stats");
RP_TABLE_SHAPED(ic_unit_position, IC_UNIT_POSITION, "unit position", RP_SHAPE_TUPLE);
RP_TABLE_SHAPED(ic_ballot_result, IC_BALLOT_RESULT, "ballot result", RP_SHAPE_TUPLE);
RP_TABLE(ic_surrender, IC_SURRENDER, "surrender");
RP_TABLE(ic_team_surrender, IC_TEAM_SURRENDER, "team surrender");
RP_TABLE(ic_agreed_draw, IC_AGREED_DRAW, "agreed draw");
RP_TABLE(ic_completed, IC_COMPLETED, "completed");
RP_TABLE(ic_abandoned, IC_ABANDONED, "abandoned");
RP_TABLE(ic_drawn, IC_DRAWN, "drawn");
RP_TABLE(ic_desync_terminated, IC_DESYNC_TERMINATED, "desync terminated");
RP_TABLE(ic_fraction, IC_FRACTION, "fraction");
RP_TABLE(ic_ballot, IC_BALLOT, "ballot");
RP_TABLE(ic_active_vote, IC_ACTIVE_VOTE, "active vote");
RP_TABLE(ic_vote_passed, IC_VOTE_PASSED, "vote passed");
RP_TABLE(ic_vote_failed, IC_VOTE_FAILED, "vote failed");
RP_TABLE(ic_vote_proposed, IC_VOTE_PROPOSED, "vote proposed");
RP_TABLE(ic_ballot_cast, IC_BALLOT_CAST, "ballot cast");
RP_TABLE(ic_vote_resolved, IC_VOTE_RESOLVED, "vote resolved");
RP_TABLE(ic_unit_created, IC_UNIT_CREATED, "unit created");
RP_TABLE(ic_construction_started, IC_CONSTRUCTION_STARTED, "construction started");
RP_TABLE(ic_construction_completed, IC_CONSTRUCTION_COMPLETED, "construction completed");
RP_TABLE(ic_unit_destroyed, IC_UNIT_DESTROYED, "unit destroyed");
RP_TABLE(ic_position_sample, IC_POSITION_SAMPLE, "position sample");
RP_TABLE(ic_stat_snapshot, IC_STAT_SNAPSHOT, "stat snapshot");
RP_TABLE(ic_resource_collected, IC_RESOURCE_COLLECTED, "resource collected");
RP_TABLE(ic_upgrade_completed, IC_UPGRADE_COMPLETED, "upgrade completed");
RP_TABLE(ic_camera_sample, IC_CAMERA_SAMPLE, "camera sample");
RP_TABLE(ic_selection_changed, IC_SELECTION_CHANGED, "selection changed");
RP_TABLE(ic_control_group, IC_CONTROL_GROUP, "control group");
RP_TABLE(ic_ability_used, IC_ABILITY_USED, "ability used");
RP_TABLE(ic_pause, IC_PAUSE, "pause");
RP_TABLE(ic_match_ended, IC_MATCH_ENDED, "match ended");
RP_TABLE(ic_vote_event, IC_VOTE_EVENT, "vote event");
RP_TABLE(ic_engagement_started, IC_ENGAGEMENT_STARTED, "engagement started");
RP_TABLE(ic_engagement_ended, IC_ENGAGEMENT_ENDED, "engagement ended");
RP_TABLE(ic_superweapon_fired, IC_SUPERWEAPON_FIRED, "superweapon fired");
RP_TABLE(ic_base_destroyed, IC_BASE_DESTROYED, "base destroyed");
RP_TABLE(ic_army_wipe, IC_ARMY_WIPE, "army wipe");
RP_TABLE(ic_comeback, IC_COMEBACK, "comeback");
RP_SUM_TABLE(ic_winning_side, IC_WINNING_SIDE, "winning side");
RP_SUM_TABLE(ic_end_reason, IC_END_REASON, "end reason");
RP_SUM_TABLE(ic_match_outcome, IC_MATCH_OUTCOME, "match outcome");
RP_SUM_TABLE(ic_vote_audience, IC_VOTE_AUDIENCE, "vote audience");
RP_SUM_TABLE(ic_vote_threshold, IC_VOTE_THRESHOLD, "vote threshold");
RP_SUM_TABLE(ic_vote_resolution, IC_VOTE_RESOLUTION, "vote resolution");
RP_SUM_TABLE(ic_vote_analysis, IC_VOTE_ANALYSIS, "vote analysis");
RP_SUM_TABLE(ic_event, IC_EVENT, "event");

const rp_record *const ic_wire_records[IC_WIRE_RECORD_COUNT] = {
    &ic_u32_record,
    &ic_text_record,
    &ic_tag_record,
    &ic_pos_record,
    &ic_cell_record,
    &ic_whisper_record,
    &ic_kick_record,
    &ic_custom_vote_record,
    &ic_propose_record,
    &ic_cast_record,
    &ic_cancel_record,
    &ic_move_record,
    &ic_attack_record,
    &ic_stop_record,
    &ic_chat_record,
    &ic_command_record,
    &ic_cvar_record,
    &ic_vote_record,
    &ic_game_order_record,
    &ic_voice_activity_record,
    &ic_ping_record,
    &ic_phrase_record,
    &ic_draw_record,
    &ic_order_record,
    &ic_frame_record,
    &ic_produce_record,
    &ic_place_record,
    &ic_unit_record,
    &ic_rally_record,
    &ic_stance_record,
    &ic_entity_record,
    &ic_identity_record,
    &ic_position_record,
    &ic_health_record,
    &ic_mobile_record,
    &ic_navigation_record,
    &ic_attackable_record,
    &ic_armament_record,
    &ic_building_record,
    &ic_queue_item_record,
    &ic_build_queue_record,
    &ic_harvester_record,
    &ic_veterancy_record,
    &ic_extension_record,
    &ic_rng_record,
    &ic_rng_state_record,
    &ic_intern_record,
    &ic_player_record,
    &ic_cell_state_record,
    &ic_map_cell_record,
    &ic_map_record,
    &ic_core_record,
    &ic_bool_record,
    &ic_i64_record,
    &ic_fixed_record,
    &ic_var_record,
    &ic_mod_state_record,
    &ic_campaign_record,
    &ic_script_record,
    &ic_snapshot_record,
    &ic_intern_delta_record,
    &ic_entity_delta_record,
    &ic_player_delta_record,
    &ic_map_delta_record,
    &ic_core_delta_record,
    &ic_delta_record,
    &ic_replay_header_record,
    &ic_save_header_record,
    &ic_block_record,
    &ic_keyframe_record,
    &ic_voice_frame_record,
    &ic_voice_track_record,
    &ic_voice_record,
    &ic_tick_signature_record,
    &ic_signature_record,
    &ic_mod_record,
    &ic_rule_record,
    &ic_manifest_record,
    &ic_bytes_record,
    &ic_embedded_record,
    &ic_hash_record,
    &ic_proof_record,
    &ic_game_score_record,
    &ic_player_stats_record,
    &ic_unit_position_record,
    &ic_ballot_result_record,
    &ic_surrender_record,
    &ic_team_surrender_record,
    &ic_agreed_draw_record,
    &ic_completed_record,
    &ic_abandoned_record,
    &ic_drawn_record,
    &ic_desync_terminated_record,
    &ic_fraction_record,
    &ic_ballot_record,
    &ic_active_vote_record,
    &ic_vote_passed_record,
    &ic_vote_failed_record,
    &ic_vote_proposed_record,
    &ic_ballot_cast_record,
    &ic_vote_resolved_record,
    &ic_unit_created_record,
    &ic_construction_started_record,
    &ic_construction_completed_record,
    &ic_unit_destroyed_record,
    &ic_position_sample_record,
    &ic_stat_snapshot_record,
    &ic_resource_collected_record,
    &ic_upgrade_completed_record,
    &ic_camera_sample_record,
    &ic_selection_changed_record,
    &ic_control_group_record,
    &ic_ability_used_record,
    &ic_pause_record,
    &ic_match_ended_record,
    &ic_vote_event_record,
    &ic_engagement_started_record,
    &ic_engagement_ended_record,
    &ic_superweapon_fired_record,
    &ic_base_destroyed_record,
    &ic_army_wipe_record,
    &ic_comeback_record,
};
