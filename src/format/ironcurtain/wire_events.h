/*
 * wire_events.h - the 21 kinds of analysis events and what is nested in them; goes on where wire.h
 * ends. Every kind begins with its tick.
 */
#ifndef IC_WIRE_EVENTS_H
#define IC_WIRE_EVENTS_H

#include "wire.h"

/* ---- scores ---- */

#define IC_GAME_SCORE(F, T)                                   \
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
RP_STRUCT(ic_game_score, IC_GAME_SCORE);
#define IC_PLAYER_STATS(F, T)                               \
    F(T, credits, I64, 0, NULL, "money")                    \
    F(T, army_value, I64, 0, NULL, "credits")               \
    F(T, power_produced, I32, 0, NULL, "by power plants")   \
    F(T, power_drained, I32, 0, NULL, "by everything else") \
    F(T, harvesters, U32, 0, NULL, "units")                 \
    F(T, score, REC, ic_game_score, &ic_game_score_record, "totals so far")
RP_STRUCT(ic_player_stats, IC_PLAYER_STATS);
#define IC_UNIT_POSITION(F, T)                      \
    F(T, tag, REC, ic_tag, &ic_tag_record, "which") \
    F(T, pos, REC, ic_pos, &ic_pos_record, "where")
RP_STRUCT(ic_unit_position, IC_UNIT_POSITION);

/* ---- how a match ends ---- */

#define IC_WINNING_SIDE(V, T)    \
    V(T, Player, &ic_u32_record) \
    V(T, Team, &ic_u32_record)
RP_SUM_NUMBERS(ic_winning_side, IC_WINNING_SIDE);
#define IC_BALLOT_RESULT(F, T)        \
    F(T, player, U32, 0, NULL, "who") \
    F(T, yes, BOOL, 0, NULL, "for it")
RP_STRUCT(ic_ballot_result, IC_BALLOT_RESULT);
#define IC_SURRENDER(F, T) F(T, player, U32, 0, NULL, "who")
RP_STRUCT(ic_surrender, IC_SURRENDER);
#define IC_TEAM_SURRENDER(F, T)       \
    F(T, team, U32, 0, NULL, "which") \
    F(T, vote_results, SEQ, 0, &ic_ballot_result_record, "ballots")
RP_STRUCT(ic_team_surrender, IC_TEAM_SURRENDER);
#define IC_AGREED_DRAW(F, T) F(T, vote_results, SEQ, 0, &ic_ballot_result_record, "ballots")
RP_STRUCT(ic_agreed_draw, IC_AGREED_DRAW);
#define IC_END_REASON(V, T)                        \
    V(T, Elimination, NULL)                        \
    V(T, Surrender, &ic_surrender_record)          \
    V(T, TeamSurrender, &ic_team_surrender_record) \
    V(T, ObjectiveCompleted, NULL)                 \
    V(T, Draw, &ic_agreed_draw_record)
RP_SUM_NUMBERS(ic_end_reason, IC_END_REASON);
#define IC_COMPLETED(F, T)                            \
    F(T, winner, SUM, 0, &ic_winning_side, "who won") \
    F(T, reason, SUM, 0, &ic_end_reason, "why")
RP_STRUCT(ic_completed, IC_COMPLETED);
#define IC_ABANDONED(F, T)                 \
    F(T, leaver, U32, 0, NULL, "who left") \
    F(T, tick, U64, 0, NULL, "when")
RP_STRUCT(ic_abandoned, IC_ABANDONED);
#define IC_DRAWN(F, T) F(T, reason, SUM, 0, &ic_end_reason, "why")
RP_STRUCT(ic_drawn, IC_DRAWN);
#define IC_DESYNC_TERMINATED(F, T) F(T, first_divergence_tick, U64, 0, NULL, "since when")
RP_STRUCT(ic_desync_terminated, IC_DESYNC_TERMINATED);
#define IC_MATCH_OUTCOME(V, T)            \
    V(T, Completed, &ic_completed_record) \
    V(T, Abandoned, &ic_abandoned_record) \
    V(T, Draw, &ic_drawn_record)          \
    V(T, Remade, NULL)                    \
    V(T, DesyncTerminated, &ic_desync_terminated_record)
RP_SUM_NUMBERS(ic_match_outcome, IC_MATCH_OUTCOME);

/* ---- votes ---- */

#define IC_VOTE_AUDIENCE(V, T) \
    V(T, Team, &ic_u32_record) \
    V(T, AllPlayers, NULL)
RP_SUM_NUMBERS(ic_vote_audience, IC_VOTE_AUDIENCE);
#define IC_FRACTION(F, T)                     \
    F(T, required, U32, 0, NULL, "this many") \
    F(T, of, U32, 0, NULL, "of so many")
RP_STRUCT(ic_fraction, IC_FRACTION);
#define IC_VOTE_THRESHOLD(V, T)         \
    V(T, Fraction, &ic_fraction_record) \
    V(T, Unanimous, NULL)               \
    V(T, TeamScaled, NULL)
RP_SUM_NUMBERS(ic_vote_threshold, IC_VOTE_THRESHOLD);
#define IC_BALLOT(F, T)                 \
    F(T, player, U32, 0, NULL, "voter") \
    F(T, choice, U32, 0, &ic_vote_choices, "ballot")
RP_STRUCT(ic_ballot, IC_BALLOT);
#define IC_ACTIVE_VOTE(F, T)                                 \
    F(T, id, U32, 0, NULL, "number")                         \
    F(T, vote_type, SUM, 0, &ic_vote_type, "what about")     \
    F(T, proposer, U32, 0, NULL, "player")                   \
    F(T, audience, SUM, 0, &ic_vote_audience, "who votes")   \
    F(T, eligible_voters, SEQ, 0, &ic_u32_record, "players") \
    F(T, ballots, MAP, 0, &ic_ballot_record, "by player")    \
    F(T, started_at, U64, 0, NULL, "tick")                   \
    F(T, expires_at, U64, 0, NULL, "tick")                   \
    F(T, threshold, SUM, 0, &ic_vote_threshold, "needed to pass")
RP_STRUCT(ic_active_vote, IC_ACTIVE_VOTE);
#define IC_VOTE_PASSED(F, T) F(T, vote, REC, ic_active_vote, &ic_active_vote_record, "the vote")
RP_STRUCT(ic_vote_passed, IC_VOTE_PASSED);
#define IC_VOTE_FAILED(F, T)                                            \
    F(T, vote, REC, ic_active_vote, &ic_active_vote_record, "the vote") \
    F(T, reason, U32, 0, &ic_vote_failures, "why")
RP_STRUCT(ic_vote_failed, IC_VOTE_FAILED);
#define IC_VOTE_RESOLUTION(V, T)         \
    V(T, Passed, &ic_vote_passed_record) \
    V(T, Failed, &ic_vote_failed_record) \
    V(T, Cancelled, &ic_vote_passed_record)
RP_SUM_NUMBERS(ic_vote_resolution, IC_VOTE_RESOLUTION);
#define IC_VOTE_PROPOSED(F, T)                           \
    F(T, vote_id, U32, 0, NULL, "which")                 \
    F(T, vote_type, SUM, 0, &ic_vote_type, "what about") \
    F(T, proposer, U32, 0, NULL, "player")
RP_STRUCT(ic_vote_proposed, IC_VOTE_PROPOSED);
#define IC_BALLOT_CAST(F, T)             \
    F(T, vote_id, U32, 0, NULL, "which") \
    F(T, voter, U32, 0, NULL, "player")  \
    F(T, choice, U32, 0, &ic_vote_choices, "ballot")
RP_STRUCT(ic_ballot_cast, IC_BALLOT_CAST);
#define IC_VOTE_RESOLVED(F, T)           \
    F(T, vote_id, U32, 0, NULL, "which") \
    F(T, resolution, SUM, 0, &ic_vote_resolution, "how")
RP_STRUCT(ic_vote_resolved, IC_VOTE_RESOLVED);
#define IC_VOTE_ANALYSIS(V, T)               \
    V(T, Proposed, &ic_vote_proposed_record) \
    V(T, BallotCast, &ic_ballot_cast_record) \
    V(T, Resolved, &ic_vote_resolved_record)
RP_SUM_NUMBERS(ic_vote_analysis, IC_VOTE_ANALYSIS);

/* ---- the events ---- */

#define IC_UNIT_CREATED(F, T)                       \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, tag, REC, ic_tag, &ic_tag_record, "which") \
    F(T, unit_type, U32, 0, NULL, "interned")       \
    F(T, owner, U32, 0, NULL, "player")             \
    F(T, pos, REC, ic_pos, &ic_pos_record, "where")
RP_STRUCT(ic_unit_created, IC_UNIT_CREATED);
#define IC_CONSTRUCTION_STARTED(F, T)               \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, tag, REC, ic_tag, &ic_tag_record, "which") \
    F(T, unit_type, U32, 0, NULL, "interned")       \
    F(T, owner, U32, 0, NULL, "player")             \
    F(T, pos, REC, ic_pos, &ic_pos_record, "where")
RP_STRUCT(ic_construction_started, IC_CONSTRUCTION_STARTED);
#define IC_CONSTRUCTION_COMPLETED(F, T) \
    F(T, tick, U64, 0, NULL, "when")    \
    F(T, tag, REC, ic_tag, &ic_tag_record, "which")
RP_STRUCT(ic_construction_completed, IC_CONSTRUCTION_COMPLETED);
#define IC_UNIT_DESTROYED(F, T)                                     \
    F(T, tick, U64, 0, NULL, "when")                                \
    F(T, tag, REC, ic_tag, &ic_tag_record, "which")                 \
    F(T, killer_tag, OPT, 0, &ic_tag_record, "by whom, or unknown") \
    F(T, killer_owner, OPT, 0, &ic_u32_record, "whose, or unknown")
RP_STRUCT(ic_unit_destroyed, IC_UNIT_DESTROYED);
#define IC_POSITION_SAMPLE(F, T)     \
    F(T, tick, U64, 0, NULL, "when") \
    F(T, positions, SEQ, 0, &ic_unit_position_record, "ascending by tag, at most 256")
RP_STRUCT(ic_position_sample, IC_POSITION_SAMPLE);
#define IC_STAT_SNAPSHOT(F, T)          \
    F(T, tick, U64, 0, NULL, "when")    \
    F(T, player, U32, 0, NULL, "whose") \
    F(T, stats, REC, ic_player_stats, &ic_player_stats_record, "numbers so far")
RP_STRUCT(ic_stat_snapshot, IC_STAT_SNAPSHOT);
#define IC_RESOURCE_COLLECTED(F, T)               \
    F(T, tick, U64, 0, NULL, "when")              \
    F(T, player, U32, 0, NULL, "who")             \
    F(T, resource_type, U32, 0, NULL, "interned") \
    F(T, amount, I32, 0, NULL, "credits")
RP_STRUCT(ic_resource_collected, IC_RESOURCE_COLLECTED);
#define IC_UPGRADE_COMPLETED(F, T)    \
    F(T, tick, U64, 0, NULL, "when")  \
    F(T, player, U32, 0, NULL, "who") \
    F(T, upgrade_id, U32, 0, NULL, "interned")
RP_STRUCT(ic_upgrade_completed, IC_UPGRADE_COMPLETED);
#define IC_CAMERA_SAMPLE(F, T)                                                  \
    F(T, tick, U64, 0, NULL, "when")                                            \
    F(T, player, U32, 0, NULL, "whose")                                         \
    F(T, viewport_center, REC, ic_pos, &ic_pos_record, "what is in the middle") \
    F(T, zoom_level, U16, 0, NULL, "1024 is 1.0")
RP_STRUCT(ic_camera_sample, IC_CAMERA_SAMPLE);
#define IC_SELECTION_CHANGED(F, T)                  \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, player, U32, 0, NULL, "who")               \
    F(T, added, SEQ, 0, &ic_tag_record, "selected") \
    F(T, removed, SEQ, 0, &ic_tag_record, "no longer selected")
RP_STRUCT(ic_selection_changed, IC_SELECTION_CHANGED);
#define IC_CONTROL_GROUP(F, T)         \
    F(T, tick, U64, 0, NULL, "when")   \
    F(T, player, U32, 0, NULL, "who")  \
    F(T, group, U8, 0, NULL, "number") \
    F(T, action, U32, 0, &ic_group_actions, "what was done")
RP_STRUCT(ic_control_group, IC_CONTROL_GROUP);
#define IC_ABILITY_USED(F, T)                  \
    F(T, tick, U64, 0, NULL, "when")           \
    F(T, player, U32, 0, NULL, "who")          \
    F(T, ability_id, U32, 0, NULL, "interned") \
    F(T, target, OPT, 0, &ic_pos_record, "where, or nowhere")
RP_STRUCT(ic_ability_used, IC_ABILITY_USED);
#define IC_PAUSE(F, T)                \
    F(T, tick, U64, 0, NULL, "when")  \
    F(T, player, U32, 0, NULL, "who") \
    F(T, paused, BOOL, 0, NULL, "begins, else ends")
RP_STRUCT(ic_pause, IC_PAUSE);
#define IC_MATCH_ENDED(F, T)         \
    F(T, tick, U64, 0, NULL, "when") \
    F(T, outcome, SUM, 0, &ic_match_outcome, "how")
RP_STRUCT(ic_match_ended, IC_MATCH_ENDED);
#define IC_VOTE_EVENT(F, T)          \
    F(T, tick, U64, 0, NULL, "when") \
    F(T, event, SUM, 0, &ic_vote_analysis, "what happened")
RP_STRUCT(ic_vote_event, IC_VOTE_EVENT);
#define IC_ENGAGEMENT_STARTED(F, T)                          \
    F(T, tick, U64, 0, NULL, "when")                         \
    F(T, center_pos, REC, ic_pos, &ic_pos_record, "where")   \
    F(T, friendly_units, SEQ, 0, &ic_tag_record, "one side") \
    F(T, enemy_units, SEQ, 0, &ic_tag_record, "other side")  \
    F(T, value_friendly, I64, 0, NULL, "credits")            \
    F(T, value_enemy, I64, 0, NULL, "credits")
RP_STRUCT(ic_engagement_started, IC_ENGAGEMENT_STARTED);
#define IC_ENGAGEMENT_ENDED(F, T)                          \
    F(T, tick, U64, 0, NULL, "when")                       \
    F(T, center_pos, REC, ic_pos, &ic_pos_record, "where") \
    F(T, friendly_losses, U32, 0, NULL, "units")           \
    F(T, enemy_losses, U32, 0, NULL, "units")              \
    F(T, friendly_survivors, U32, 0, NULL, "units")        \
    F(T, enemy_survivors, U32, 0, NULL, "units")           \
    F(T, duration_ticks, U64, 0, NULL, "how long")
RP_STRUCT(ic_engagement_ended, IC_ENGAGEMENT_ENDED);
#define IC_SUPERWEAPON_FIRED(F, T)                         \
    F(T, tick, U64, 0, NULL, "when")                       \
    F(T, weapon_type, U32, 0, NULL, "interned")            \
    F(T, target_pos, REC, ic_pos, &ic_pos_record, "where") \
    F(T, player, U32, 0, NULL, "who")                      \
    F(T, units_affected, U32, 0, NULL, "units hit")        \
    F(T, buildings_affected, U32, 0, NULL, "buildings hit")
RP_STRUCT(ic_superweapon_fired, IC_SUPERWEAPON_FIRED);
#define IC_BASE_DESTROYED(F, T)                     \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, player, U32, 0, NULL, "whose")             \
    F(T, pos, REC, ic_pos, &ic_pos_record, "where") \
    F(T, buildings_lost, SEQ, 0, &ic_tag_record, "which")
RP_STRUCT(ic_base_destroyed, IC_BASE_DESTROYED);
#define IC_ARMY_WIPE(F, T)                          \
    F(T, tick, U64, 0, NULL, "when")                \
    F(T, player, U32, 0, NULL, "whose")             \
    F(T, units_lost, U32, 0, NULL, "units")         \
    F(T, total_value_lost, I64, 0, NULL, "credits") \
    F(T, percentage_of_army, U16, 0, NULL, "basis points, 10000 is all")
RP_STRUCT(ic_army_wipe, IC_ARMY_WIPE);
#define IC_COMEBACK(F, T)                                \
    F(T, tick, U64, 0, NULL, "when")                     \
    F(T, player, U32, 0, NULL, "who")                    \
    F(T, deficit_before, I64, 0, NULL, "credits behind") \
    F(T, advantage_after, I64, 0, NULL, "credits ahead") \
    F(T, swing_value, I64, 0, NULL, "the difference")
RP_STRUCT(ic_comeback, IC_COMEBACK);

#define IC_EVENT(V, T)                                             \
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
RP_SUM_NUMBERS(ic_event, IC_EVENT);

#endif
