/* wire.c - the tables behind wire.h, and the names of numbers. */
#include "wire.h"

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

RP_TABLE_SHAPED(ic_u32, REPRISE_IC_U32, "u32", RP_SHAPE_NEWTYPE);
RP_TABLE_SHAPED(ic_text, REPRISE_IC_TEXT, "text", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_tag, REPRISE_IC_TAG, "tag");
RP_TABLE(ic_pos, REPRISE_IC_POS, "pos");
RP_TABLE(ic_cell, REPRISE_IC_CELL, "cell");
RP_TABLE(ic_whisper, REPRISE_IC_WHISPER, "whisper");
RP_TABLE(ic_kick, REPRISE_IC_KICK, "kick");
RP_TABLE(ic_custom_vote, REPRISE_IC_CUSTOM_VOTE, "custom vote");
RP_TABLE(ic_propose, REPRISE_IC_PROPOSE, "propose");
RP_TABLE(ic_cast, REPRISE_IC_CAST, "cast");
RP_TABLE(ic_cancel, REPRISE_IC_CANCEL, "cancel");
RP_TABLE(ic_move, REPRISE_IC_MOVE, "move");
RP_TABLE(ic_attack, REPRISE_IC_ATTACK, "attack");
RP_TABLE(ic_stop, REPRISE_IC_STOP, "stop");
RP_TABLE(ic_chat, REPRISE_IC_CHAT, "chat");
RP_TABLE(ic_command, REPRISE_IC_COMMAND, "command");
RP_TABLE(ic_cvar, REPRISE_IC_CVAR, "cvar");
RP_TABLE_SHAPED(ic_vote, REPRISE_IC_VOTE, "vote", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_game_order, REPRISE_IC_GAME_ORDER, "game order");
RP_TABLE(ic_voice_activity, REPRISE_IC_VOICE_ACTIVITY, "voice activity");
RP_TABLE(ic_ping, REPRISE_IC_PING, "ping");
RP_TABLE(ic_phrase, REPRISE_IC_PHRASE, "phrase");
RP_TABLE(ic_draw, REPRISE_IC_DRAW, "draw");
RP_TABLE(ic_order, REPRISE_IC_ORDER, "order");
RP_TABLE(ic_frame, REPRISE_IC_FRAME, "frame");
RP_TABLE(ic_produce, REPRISE_IC_PRODUCE, "produce");
RP_TABLE(ic_place, REPRISE_IC_PLACE, "place");
RP_TABLE(ic_unit, REPRISE_IC_UNIT, "unit");
RP_TABLE(ic_rally, REPRISE_IC_RALLY, "rally");
RP_TABLE(ic_stance, REPRISE_IC_STANCE, "stance");
RP_TABLE(ic_entity, REPRISE_IC_ENTITY, "entity");
RP_TABLE(ic_identity, REPRISE_IC_IDENTITY, "identity");
RP_TABLE(ic_position, REPRISE_IC_POSITION, "position");
RP_TABLE(ic_health, REPRISE_IC_HEALTH, "health");
RP_TABLE(ic_mobile, REPRISE_IC_MOBILE, "mobile");
RP_TABLE(ic_navigation, REPRISE_IC_NAVIGATION, "navigation");
RP_TABLE(ic_attackable, REPRISE_IC_ATTACKABLE, "attackable");
RP_TABLE(ic_armament, REPRISE_IC_ARMAMENT, "armament");
RP_TABLE(ic_building, REPRISE_IC_BUILDING, "building");
RP_TABLE(ic_queue_item, REPRISE_IC_QUEUE_ITEM, "queue item");
RP_TABLE(ic_build_queue, REPRISE_IC_BUILD_QUEUE, "build queue");
RP_TABLE(ic_harvester, REPRISE_IC_HARVESTER, "harvester");
RP_TABLE(ic_veterancy, REPRISE_IC_VETERANCY, "veterancy");
RP_TABLE(ic_extension, REPRISE_IC_EXTENSION, "extension");
RP_TABLE_SHAPED(ic_rng, REPRISE_IC_RNG, "rng", RP_SHAPE_TUPLE);
RP_TABLE(ic_rng_state, REPRISE_IC_RNG_STATE, "rng state");
RP_TABLE(ic_intern, REPRISE_IC_INTERN, "intern");
RP_TABLE(ic_player, REPRISE_IC_PLAYER, "player");
RP_TABLE(ic_cell_state, REPRISE_IC_CELL_STATE, "cell state");
RP_TABLE_SHAPED(ic_map_cell, REPRISE_IC_MAP_CELL, "map cell", RP_SHAPE_TUPLE);
RP_TABLE(ic_map, REPRISE_IC_MAP, "map");
RP_TABLE(ic_core, REPRISE_IC_CORE, "core");
RP_TABLE_SHAPED(ic_bool, REPRISE_IC_BOOL, "bool", RP_SHAPE_NEWTYPE);
RP_TABLE_SHAPED(ic_i64, REPRISE_IC_I64, "i64", RP_SHAPE_NEWTYPE);
RP_TABLE_SHAPED(ic_fixed, REPRISE_IC_FIXED, "fixed", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_var, REPRISE_IC_VAR, "var");
RP_TABLE(ic_mod_state, REPRISE_IC_MOD_STATE, "mod state");
RP_TABLE(ic_campaign, REPRISE_IC_CAMPAIGN, "campaign");
RP_TABLE(ic_script, REPRISE_IC_SCRIPT, "script");
RP_TABLE(ic_snapshot, REPRISE_IC_SNAPSHOT, "snapshot");
RP_TABLE(ic_intern_delta, REPRISE_IC_INTERN_DELTA, "intern delta");
RP_TABLE(ic_entity_delta, REPRISE_IC_ENTITY_DELTA, "entity delta");
RP_TABLE(ic_player_delta, REPRISE_IC_PLAYER_DELTA, "player delta");
RP_TABLE(ic_map_delta, REPRISE_IC_MAP_DELTA, "map delta");
RP_TABLE(ic_core_delta, REPRISE_IC_CORE_DELTA, "core delta");
RP_TABLE(ic_delta, REPRISE_IC_DELTA, "delta");
RP_TABLE(ic_replay_header, REPRISE_IC_REPLAY_HEADER, "replay header");
RP_TABLE(ic_save_header, REPRISE_IC_SAVE_HEADER, "save header");
RP_TABLE(ic_block, REPRISE_IC_BLOCK, "block");
RP_TABLE(ic_keyframe, REPRISE_IC_KEYFRAME, "keyframe");
RP_TABLE(ic_voice_frame, REPRISE_IC_VOICE_FRAME, "voice frame");
RP_TABLE(ic_voice_track, REPRISE_IC_VOICE_TRACK, "voice track");
RP_TABLE(ic_voice, REPRISE_IC_VOICE, "voice");
RP_TABLE(ic_tick_signature, REPRISE_IC_TICK_SIGNATURE, "tick signature");
RP_TABLE(ic_signature, REPRISE_IC_SIGNATURE, "signature");
RP_TABLE(ic_mod, REPRISE_IC_MOD, "mod");
RP_TABLE(ic_rule, REPRISE_IC_RULE, "rule");
RP_TABLE(ic_manifest, REPRISE_IC_MANIFEST, "manifest");
RP_TABLE_SHAPED(ic_bytes, REPRISE_IC_BYTES, "bytes", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_embedded, REPRISE_IC_EMBEDDED, "embedded");
RP_TABLE_SHAPED(ic_hash, REPRISE_IC_HASH, "hash", RP_SHAPE_NEWTYPE);
RP_TABLE(ic_proof, REPRISE_IC_PROOF, "proof");
RP_SUM_TABLE(ic_target, REPRISE_IC_TARGET, "target");
RP_SUM_TABLE(ic_channel, REPRISE_IC_CHANNEL, "channel");
RP_SUM_TABLE(ic_vote_type, REPRISE_IC_VOTE_TYPE, "vote type");
RP_SUM_TABLE(ic_vote_order, REPRISE_IC_VOTE_ORDER, "vote order");
RP_SUM_TABLE(ic_player_order, REPRISE_IC_PLAYER_ORDER, "player order");
RP_SUM_TABLE(ic_game_orders, REPRISE_IC_GAME_ORDERS, "game orders");
RP_SUM_TABLE(ic_script_value, REPRISE_IC_SCRIPT_VALUE, "script value");
RP_SUM_TABLE(ic_voice_target, REPRISE_IC_VOICE_TARGET, "voice target");

RP_TABLE(ic_game_score, REPRISE_IC_GAME_SCORE, "game score");
RP_TABLE(ic_player_stats, REPRISE_IC_PLAYER_STATS, "player stats");
RP_TABLE_SHAPED(ic_unit_position, REPRISE_IC_UNIT_POSITION, "unit position", RP_SHAPE_TUPLE);
RP_TABLE_SHAPED(ic_ballot_result, REPRISE_IC_BALLOT_RESULT, "ballot result", RP_SHAPE_TUPLE);
RP_TABLE(ic_surrender, REPRISE_IC_SURRENDER, "surrender");
RP_TABLE(ic_team_surrender, REPRISE_IC_TEAM_SURRENDER, "team surrender");
RP_TABLE(ic_agreed_draw, REPRISE_IC_AGREED_DRAW, "agreed draw");
RP_TABLE(ic_completed, REPRISE_IC_COMPLETED, "completed");
RP_TABLE(ic_abandoned, REPRISE_IC_ABANDONED, "abandoned");
RP_TABLE(ic_drawn, REPRISE_IC_DRAWN, "drawn");
RP_TABLE(ic_desync_terminated, REPRISE_IC_DESYNC_TERMINATED, "desync terminated");
RP_TABLE(ic_fraction, REPRISE_IC_FRACTION, "fraction");
RP_TABLE(ic_ballot, REPRISE_IC_BALLOT, "ballot");
RP_TABLE(ic_active_vote, REPRISE_IC_ACTIVE_VOTE, "active vote");
RP_TABLE(ic_vote_passed, REPRISE_IC_VOTE_PASSED, "vote passed");
RP_TABLE(ic_vote_failed, REPRISE_IC_VOTE_FAILED, "vote failed");
RP_TABLE(ic_vote_proposed, REPRISE_IC_VOTE_PROPOSED, "vote proposed");
RP_TABLE(ic_ballot_cast, REPRISE_IC_BALLOT_CAST, "ballot cast");
RP_TABLE(ic_vote_resolved, REPRISE_IC_VOTE_RESOLVED, "vote resolved");
RP_TABLE(ic_unit_created, REPRISE_IC_UNIT_CREATED, "unit created");
RP_TABLE(ic_construction_started, REPRISE_IC_CONSTRUCTION_STARTED, "construction started");
RP_TABLE(ic_construction_completed, REPRISE_IC_CONSTRUCTION_COMPLETED, "construction completed");
RP_TABLE(ic_unit_destroyed, REPRISE_IC_UNIT_DESTROYED, "unit destroyed");
RP_TABLE(ic_position_sample, REPRISE_IC_POSITION_SAMPLE, "position sample");
RP_TABLE(ic_stat_snapshot, REPRISE_IC_STAT_SNAPSHOT, "stat snapshot");
RP_TABLE(ic_resource_collected, REPRISE_IC_RESOURCE_COLLECTED, "resource collected");
RP_TABLE(ic_upgrade_completed, REPRISE_IC_UPGRADE_COMPLETED, "upgrade completed");
RP_TABLE(ic_camera_sample, REPRISE_IC_CAMERA_SAMPLE, "camera sample");
RP_TABLE(ic_selection_changed, REPRISE_IC_SELECTION_CHANGED, "selection changed");
RP_TABLE(ic_control_group, REPRISE_IC_CONTROL_GROUP, "control group");
RP_TABLE(ic_ability_used, REPRISE_IC_ABILITY_USED, "ability used");
RP_TABLE(ic_pause, REPRISE_IC_PAUSE, "pause");
RP_TABLE(ic_match_ended, REPRISE_IC_MATCH_ENDED, "match ended");
RP_TABLE(ic_vote_event, REPRISE_IC_VOTE_EVENT, "vote event");
RP_TABLE(ic_engagement_started, REPRISE_IC_ENGAGEMENT_STARTED, "engagement started");
RP_TABLE(ic_engagement_ended, REPRISE_IC_ENGAGEMENT_ENDED, "engagement ended");
RP_TABLE(ic_superweapon_fired, REPRISE_IC_SUPERWEAPON_FIRED, "superweapon fired");
RP_TABLE(ic_base_destroyed, REPRISE_IC_BASE_DESTROYED, "base destroyed");
RP_TABLE(ic_army_wipe, REPRISE_IC_ARMY_WIPE, "army wipe");
RP_TABLE(ic_comeback, REPRISE_IC_COMEBACK, "comeback");
RP_SUM_TABLE(ic_winning_side, REPRISE_IC_WINNING_SIDE, "winning side");
RP_SUM_TABLE(ic_end_reason, REPRISE_IC_END_REASON, "end reason");
RP_SUM_TABLE(ic_match_outcome, REPRISE_IC_MATCH_OUTCOME, "match outcome");
RP_SUM_TABLE(ic_vote_audience, REPRISE_IC_VOTE_AUDIENCE, "vote audience");
RP_SUM_TABLE(ic_vote_threshold, REPRISE_IC_VOTE_THRESHOLD, "vote threshold");
RP_SUM_TABLE(ic_vote_resolution, REPRISE_IC_VOTE_RESOLUTION, "vote resolution");
RP_SUM_TABLE(ic_vote_analysis, REPRISE_IC_VOTE_ANALYSIS, "vote analysis");
RP_SUM_TABLE(ic_event, REPRISE_IC_EVENT, "event");

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
