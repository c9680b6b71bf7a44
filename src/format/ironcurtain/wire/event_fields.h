/* event_fields.h - the field lists of events: scores, outcomes, votes. See fields.h. */
#ifndef IRONCURTAIN_WIRE_EVENT_FIELDS_H
#define IRONCURTAIN_WIRE_EVENT_FIELDS_H

/* ---- scores ---- */

/* The score of a player so far. */
#define IC_FIELDS_GAME_SCORE(F, T)                            \
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
    F(T, actions_per_minute, U32, 0, NULL, "all actions")     \
    F(T, effective_actions_per_minute, U32, 0, NULL, "actions that had an effect")
/* The economy of a player and the score so far. */
#define IC_FIELDS_PLAYER_STATS(F, T)                                      \
    F(T, credits, I64, 0, NULL, "money")                                  \
    F(T, army_value, I64, 0, NULL, "credits")                             \
    F(T, power_produced, I32, 0, NULL, "power of the player's plants")    \
    F(T, power_drained, I32, 0, NULL, "power the player's buildings use") \
    F(T, harvesters, U32, 0, NULL, "units")                               \
    F(T, score, REC, ic_game_score, &ic_game_score_record, "totals so far")
/* A unit and its position. */
#define IC_FIELDS_UNIT_POSITION(F, T)              \
    F(T, tag, REC, ic_tag, &ic_tag_record, "unit") \
    F(T, pos, REC, ic_pos, &ic_pos_record, "position")

/* ---- outcomes ---- */

/* The winner: a player's or a team's id. */
#define IC_VARIANTS_WINNING_SIDE(V, T) \
    V(T, Player, &ic_u32_record)       \
    V(T, Team, &ic_u32_record)
/* A counted ballot. */
#define IC_FIELDS_BALLOT_RESULT(F, T)   \
    F(T, player, U32, 0, NULL, "voter") \
    F(T, yes, BOOL, 0, NULL, "voted yes")
#define IC_FIELDS_SURRENDER(F, T) F(T, player, U32, 0, NULL, "player who surrendered")
#define IC_FIELDS_TEAM_SURRENDER(F, T)                \
    F(T, team, U32, 0, NULL, "team that surrendered") \
    F(T, vote_results, SEQ, 0, &ic_ballot_result_record, "ballots")
#define IC_FIELDS_AGREED_DRAW(F, T) F(T, vote_results, SEQ, 0, &ic_ballot_result_record, "ballots")
/* Why a match ended. */
#define IC_VARIANTS_END_REASON(V, T)               \
    V(T, Elimination, NULL)                        \
    V(T, Surrender, &ic_surrender_record)          \
    V(T, TeamSurrender, &ic_team_surrender_record) \
    V(T, ObjectiveCompleted, NULL)                 \
    V(T, Draw, &ic_agreed_draw_record)
#define IC_FIELDS_COMPLETED(F, T)                    \
    F(T, winner, SUM, 0, &ic_winning_side, "winner") \
    F(T, reason, SUM, 0, &ic_end_reason, "why the match ended")
#define IC_FIELDS_ABANDONED(F, T)                 \
    F(T, leaver, U32, 0, NULL, "player who left") \
    F(T, tick, U64, 0, NULL, "tick")
#define IC_FIELDS_DRAWN(F, T) F(T, reason, SUM, 0, &ic_end_reason, "why the match ended")
#define IC_FIELDS_DESYNC_TERMINATED(F, T) \
    F(T, first_divergence_tick, U64, 0, NULL, "first tick that differed")
/* How a match ended. */
#define IC_VARIANTS_MATCH_OUTCOME(V, T)   \
    V(T, Completed, &ic_completed_record) \
    V(T, Abandoned, &ic_abandoned_record) \
    V(T, Draw, &ic_drawn_record)          \
    V(T, Remade, NULL)                    \
    V(T, DesyncTerminated, &ic_desync_terminated_record)

/* ---- votes ---- */

/* Who may vote; Team holds the team's id. */
#define IC_VARIANTS_VOTE_AUDIENCE(V, T) \
    V(T, Team, &ic_u32_record)          \
    V(T, AllPlayers, NULL)
#define IC_FIELDS_FRACTION(F, T)              \
    F(T, required, U32, 0, NULL, "yes votes") \
    F(T, of, U32, 0, NULL, "out of this many")
/* What a vote needs to pass. */
#define IC_VARIANTS_VOTE_THRESHOLD(V, T) \
    V(T, Fraction, &ic_fraction_record)  \
    V(T, Unanimous, NULL)                \
    V(T, TeamScaled, NULL)
/* The ballot of a player. */
#define IC_FIELDS_BALLOT(F, T)          \
    F(T, player, U32, 0, NULL, "voter") \
    F(T, choice, U32, 0, &ic_vote_choice, "ballot")
/* A vote with everything that is known about it. */
#define IC_FIELDS_ACTIVE_VOTE(F, T)                                 \
    F(T, id, U32, 0, NULL, "vote id")                               \
    F(T, vote_type, SUM, 0, &ic_vote_type, "subject")               \
    F(T, proposer, U32, 0, NULL, "player")                          \
    F(T, audience, SUM, 0, &ic_vote_audience, "who may vote")       \
    F(T, eligible_voters, SEQ, 0, &ic_u32_record, "players")        \
    F(T, ballots, MAP, 0, &ic_ballot_record, "ascending by player") \
    F(T, started_at, U64, 0, NULL, "tick")                          \
    F(T, expires_at, U64, 0, NULL, "tick")                          \
    F(T, threshold, SUM, 0, &ic_vote_threshold, "needed to pass")
/* Why a vote failed. */
#define IC_NAMES_VOTE_FAILURE(N, T) N(T, TimerExpired) N(T, ThresholdImpossible) N(T, ProposerLeft)
#define IC_FIELDS_VOTE_PASSED(F, T) \
    F(T, vote, REC, ic_active_vote, &ic_active_vote_record, "the vote")
#define IC_FIELDS_VOTE_FAILED(F, T)                                     \
    F(T, vote, REC, ic_active_vote, &ic_active_vote_record, "the vote") \
    F(T, reason, U32, 0, &ic_vote_failure, "why it failed")
/* How a vote ended. */
#define IC_VARIANTS_VOTE_RESOLUTION(V, T) \
    V(T, Passed, &ic_vote_passed_record)  \
    V(T, Failed, &ic_vote_failed_record)  \
    V(T, Cancelled, &ic_vote_passed_record)
#define IC_FIELDS_VOTE_PROPOSED(F, T)                 \
    F(T, vote_id, U32, 0, NULL, "vote id")            \
    F(T, vote_type, SUM, 0, &ic_vote_type, "subject") \
    F(T, proposer, U32, 0, NULL, "player")
#define IC_FIELDS_BALLOT_CAST(F, T)        \
    F(T, vote_id, U32, 0, NULL, "vote id") \
    F(T, voter, U32, 0, NULL, "player")    \
    F(T, choice, U32, 0, &ic_vote_choice, "ballot")
#define IC_FIELDS_VOTE_RESOLVED(F, T)      \
    F(T, vote_id, U32, 0, NULL, "vote id") \
    F(T, resolution, SUM, 0, &ic_vote_resolution, "how it ended")
/* A step of a vote. */
#define IC_VARIANTS_VOTE_ANALYSIS(V, T)      \
    V(T, Proposed, &ic_vote_proposed_record) \
    V(T, BallotCast, &ic_ballot_cast_record) \
    V(T, Resolved, &ic_vote_resolved_record)

/* ---- events ---- */

#define IC_FIELDS_UNIT_CREATED(F, T)                         \
    F(T, tick, U64, 0, NULL, "tick")                         \
    F(T, tag, REC, ic_tag, &ic_tag_record, "unit")           \
    F(T, unit_type, U32, 0, NULL, "type, in the name table") \
    F(T, owner, U32, 0, NULL, "player")                      \
    F(T, pos, REC, ic_pos, &ic_pos_record, "position")
#define IC_FIELDS_CONSTRUCTION_STARTED(F, T)                 \
    F(T, tick, U64, 0, NULL, "tick")                         \
    F(T, tag, REC, ic_tag, &ic_tag_record, "building")       \
    F(T, unit_type, U32, 0, NULL, "type, in the name table") \
    F(T, owner, U32, 0, NULL, "player")                      \
    F(T, pos, REC, ic_pos, &ic_pos_record, "position")
#define IC_FIELDS_CONSTRUCTION_COMPLETED(F, T) \
    F(T, tick, U64, 0, NULL, "tick")           \
    F(T, tag, REC, ic_tag, &ic_tag_record, "building")
#define IC_FIELDS_UNIT_DESTROYED(F, T)                             \
    F(T, tick, U64, 0, NULL, "tick")                               \
    F(T, tag, REC, ic_tag, &ic_tag_record, "unit")                 \
    F(T, killer_tag, OPT, 0, &ic_tag_record, "attacker, if known") \
    F(T, killer_owner, OPT, 0, &ic_u32_record, "attacking player, if known")
#define IC_FIELDS_POSITION_SAMPLE(F, T) \
    F(T, tick, U64, 0, NULL, "tick")    \
    F(T, positions, SEQ, 0, &ic_unit_position_record, "ascending by tag, at most 256")
#define IC_FIELDS_STAT_SNAPSHOT(F, T)    \
    F(T, tick, U64, 0, NULL, "tick")     \
    F(T, player, U32, 0, NULL, "player") \
    F(T, stats, REC, ic_player_stats, &ic_player_stats_record, "statistics so far")
#define IC_FIELDS_RESOURCE_COLLECTED(F, T)                           \
    F(T, tick, U64, 0, NULL, "tick")                                 \
    F(T, player, U32, 0, NULL, "player")                             \
    F(T, resource_type, U32, 0, NULL, "resource, in the name table") \
    F(T, amount, I32, 0, NULL, "credits")
#define IC_FIELDS_UPGRADE_COMPLETED(F, T) \
    F(T, tick, U64, 0, NULL, "tick")      \
    F(T, player, U32, 0, NULL, "player")  \
    F(T, upgrade_id, U32, 0, NULL, "upgrade, in the name table")
#define IC_FIELDS_CAMERA_SAMPLE(F, T)                                        \
    F(T, tick, U64, 0, NULL, "tick")                                         \
    F(T, player, U32, 0, NULL, "player")                                     \
    F(T, viewport_center, REC, ic_pos, &ic_pos_record, "centre of the view") \
    F(T, zoom_level, U16, 0, NULL, "1024 is 1.0")
#define IC_FIELDS_SELECTION_CHANGED(F, T)           \
    F(T, tick, U64, 0, NULL, "tick")                \
    F(T, player, U32, 0, NULL, "player")            \
    F(T, added, SEQ, 0, &ic_tag_record, "selected") \
    F(T, removed, SEQ, 0, &ic_tag_record, "no longer selected")
/* What a player did with a control group. */
#define IC_NAMES_GROUP_ACTION(N, T) N(T, Assign) N(T, Append) N(T, Recall)
#define IC_FIELDS_CONTROL_GROUP(F, T)        \
    F(T, tick, U64, 0, NULL, "tick")         \
    F(T, player, U32, 0, NULL, "player")     \
    F(T, group, U8, 0, NULL, "group number") \
    F(T, action, U32, 0, &ic_group_action, "what was done")
#define IC_FIELDS_ABILITY_USED(F, T)                             \
    F(T, tick, U64, 0, NULL, "tick")                             \
    F(T, player, U32, 0, NULL, "player")                         \
    F(T, ability_id, U32, 0, NULL, "ability, in the name table") \
    F(T, target, OPT, 0, &ic_pos_record, "place, if any")
#define IC_FIELDS_PAUSE(F, T)            \
    F(T, tick, U64, 0, NULL, "tick")     \
    F(T, player, U32, 0, NULL, "player") \
    F(T, paused, BOOL, 0, NULL, "the pause begins, else it ends")
#define IC_FIELDS_MATCH_ENDED(F, T)  \
    F(T, tick, U64, 0, NULL, "tick") \
    F(T, outcome, SUM, 0, &ic_match_outcome, "how the match ended")
#define IC_FIELDS_VOTE_EVENT(F, T)   \
    F(T, tick, U64, 0, NULL, "tick") \
    F(T, event, SUM, 0, &ic_vote_analysis, "step of the vote")
#define IC_FIELDS_ENGAGEMENT_STARTED(F, T)                      \
    F(T, tick, U64, 0, NULL, "tick")                            \
    F(T, center_pos, REC, ic_pos, &ic_pos_record, "centre")     \
    F(T, friendly_units, SEQ, 0, &ic_tag_record, "one side")    \
    F(T, enemy_units, SEQ, 0, &ic_tag_record, "the other side") \
    F(T, value_friendly, I64, 0, NULL, "credits")               \
    F(T, value_enemy, I64, 0, NULL, "credits")
#define IC_FIELDS_ENGAGEMENT_ENDED(F, T)                    \
    F(T, tick, U64, 0, NULL, "tick")                        \
    F(T, center_pos, REC, ic_pos, &ic_pos_record, "centre") \
    F(T, friendly_losses, U32, 0, NULL, "units")            \
    F(T, enemy_losses, U32, 0, NULL, "units")               \
    F(T, friendly_survivors, U32, 0, NULL, "units")         \
    F(T, enemy_survivors, U32, 0, NULL, "units")            \
    F(T, duration_ticks, U64, 0, NULL, "ticks")
#define IC_FIELDS_SUPERWEAPON_FIRED(F, T)                        \
    F(T, tick, U64, 0, NULL, "tick")                             \
    F(T, weapon_type, U32, 0, NULL, "weapon, in the name table") \
    F(T, target_pos, REC, ic_pos, &ic_pos_record, "place")       \
    F(T, player, U32, 0, NULL, "player")                         \
    F(T, units_affected, U32, 0, NULL, "units hit")              \
    F(T, buildings_affected, U32, 0, NULL, "buildings hit")
#define IC_FIELDS_BASE_DESTROYED(F, T)                 \
    F(T, tick, U64, 0, NULL, "tick")                   \
    F(T, player, U32, 0, NULL, "owner")                \
    F(T, pos, REC, ic_pos, &ic_pos_record, "position") \
    F(T, buildings_lost, SEQ, 0, &ic_tag_record, "buildings")
#define IC_FIELDS_ARMY_WIPE(F, T)                   \
    F(T, tick, U64, 0, NULL, "tick")                \
    F(T, player, U32, 0, NULL, "owner")             \
    F(T, units_lost, U32, 0, NULL, "units")         \
    F(T, total_value_lost, I64, 0, NULL, "credits") \
    F(T, percentage_of_army, U16, 0, NULL, "basis points, 10000 is all")
#define IC_FIELDS_COMEBACK(F, T)                         \
    F(T, tick, U64, 0, NULL, "tick")                     \
    F(T, player, U32, 0, NULL, "player")                 \
    F(T, deficit_before, I64, 0, NULL, "credits behind") \
    F(T, advantage_after, I64, 0, NULL, "credits ahead") \
    F(T, swing_value, I64, 0, NULL, "difference in credits")

/* Something that happened in the match. */
#define IC_VARIANTS_EVENT(V, T)                                    \
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

#endif
