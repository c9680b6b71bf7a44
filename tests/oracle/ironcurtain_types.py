"""The stored types of docs/spec/ironcurtain.md, sections 5 to 9, for bincode.py."""

TAG = [("index", "u16"), ("generation", "u16")]
POS = [("x", "i32"), ("y", "i32"), ("z", "i32")]
TAGS = ("vec", TAG)


def words(*names):
    return "enum", [(name, None) for name in names]


TARGET = "enum", [("Unit", TAG), ("Ground", POS)]
CHANNEL = "enum", [("All", None), ("Team", None), ("Whisper", [("target", "u32")]), ("Observer", None)]
CHOICE = words("Yes", "No")
VOTE_TYPE = "enum", [("Surrender", None),
                     ("Kick", [("target", "u32"), ("reason", words("Afk", "Griefing", "AbusiveCommunication", "Other"))]),
                     ("Remake", None), ("Draw", None), ("Custom", [("type_id", "str")])]
VOTE = "enum", [("Propose", [("vote_type", VOTE_TYPE)]), ("Cast", [("vote_id", "u32"), ("choice", CHOICE)]),
                ("Cancel", [("vote_id", "u32")])]
PING = words("Generic", "Attack", "Defend", "Danger", "Rally", "Assist", "EnemySpotted", "Economy")
ORDER = "enum", [
    ("Move", [("units", TAGS), ("target", POS)]), ("Attack", [("units", TAGS), ("target", TARGET)]),
    ("Stop", [("units", TAGS)]), ("Idle", None), ("ChatMessage", [("channel", CHANNEL), ("text", "str")]),
    ("ChatCommand", [("cmd", "str"), ("args", ("vec", "str"))]), ("CheatCode", "u32"),
    ("SetCvar", [("name", "str"), ("value", "str")]), ("Vote", VOTE),
    ("GameOrder", [("type_tag", "u16"), ("payload", "bytes")]), ("VoiceActivity", [("active", "bool")]),
    ("TacticalPing", [("ping_type", PING), ("pos", POS), ("target", ("opt", TAG))]),
    ("ChatWheelPhrase", [("phrase_id", "u16")]), ("MinimapDraw", [("points", ("vec", POS)), ("color", "u32")])]
TIMED = [("player", "u32"), ("order", ORDER), ("sub_tick_time", "u32")]
FRAME = [("tick", "u64"), ("state_hash", "u64"), ("orders", ("vec", TIMED))]
PRODUCE = [("queue", "str"), ("item", "str")]
PLACE = [("item", "str"), ("cell", POS)]

# ---- snapshots ----

VALUE = "enum", [("Bool", "bool"), ("Int", "i64"), ("Fixed", "i32"), ("Str", "str")]
COMPONENTS = {
    0: ("identity", [("archetype", "u32"), ("unit_type", "u32"), ("owner", "u32")]),
    1: ("position", POS), 2: ("health", [("current", "i32"), ("max", "i32")]),
    3: ("mobile", [("facing", "i32"), ("speed", "i32"),
                   ("locomotor", words("Foot", "Wheeled", "Tracked", "Float", "Fly"))]),
    4: ("navigation", [("target", ("opt", POS))]),
    5: ("attackable", [("armor", words("None", "Light", "Medium", "Heavy", "Wood", "Concrete"))]),
    6: ("armament", [("weapon", "u32"), ("cooldown", "u32")]), 7: ("building", [("footprint", "u32")]),
    8: ("build_queue", [("items", ("vec", [("actor_type", "u32"), ("remaining_cost", "i32"),
                                           ("remaining_time", "u32"), ("paid", "i32"), ("infinite", "bool")])),
                        ("paused", "bool")]),
    9: ("harvester", [("capacity", "i32"), ("carried", "i32"), ("resource", "u32")]),
    10: ("veterancy", [("level", words("Rookie", "Veteran", "Elite", "Heroic")), ("xp", "u32")]),
    63: ("extension", [("data", "bytes")])}
ENTITY = [("tag", TAG), ("component_mask", "u64"), ("components", "bytes")]
PLAYER = [("player", "u32"), ("team", "u32"), ("faction", "u32"), ("credits", "i64"), ("power_produced", "i32"),
          ("power_drained", "i32"), ("tech", ("vec", "u32")), ("defeated", "bool"), ("cheats_used", "bool"),
          ("cosmetic_cheats_used", "bool")]
CELL = ("pair", POS, [("terrain", "u32"), ("resource", ("opt", "u32")), ("amount", "i32")])
MAP = [("width", "u32"), ("height", "u32"), ("cells", ("vec", CELL))]
CORE = [("tick", "u64"), ("game_seed", "u64"), ("map_hash", "32"), ("rng", "32"), ("strings", ("vec", "str")),
        ("entities", ("vec", ENTITY)), ("players", ("vec", PLAYER)), ("map", MAP)]
CAMPAIGN = [("campaign_id", "str"), ("active_mission", ("opt", "str")),
            ("current_focus", words("StrategicLayer", "Intermission", "Briefing", "Mission", "Debrief")),
            ("path_taken", ("vec", "str")), ("resources", "i64"), ("flags", ("map", "str", VALUE)),
            ("extension", "bytes")]
SCRIPT = [("lua_states", ("map", "str", "bytes")), ("wasm_states", ("map", "str", "bytes")),
          ("mission_vars", ("map", "str", VALUE))]
REST = [("campaign_state", ("opt", CAMPAIGN)), ("script_state", ("opt", SCRIPT))]
SNAPSHOT = [("core", CORE), *REST]
DELTA = [("core", [("baseline_tick", "u64"), ("baseline_hash", "32"), ("tick", "u64"),
                   ("intern_table_delta", ("opt", [("start_id", "u32"), ("new_entries", ("vec", "str"))])),
                   ("changed_entities", ("vec", [("entity", TAG), ("change_mask", "u64"), ("changed", "bytes"),
                                                 ("is_new", "bool"), ("is_removed", "bool")])),
                   ("changed_players", ("vec", [("player", "u32"), ("change_mask", "u32"), ("changed", "bytes")])),
                   ("changed_map", ("opt", [("changed_cells", ("vec", CELL))]))]), *REST]
INDEX = [("tick", "u64"), ("offset", "u32"), ("length", "u32"), ("uncompressed", "u32"), ("is_full", "bool")]

# ---- events, voice, signatures ----

SCORE = [("total_collected", "i64"), ("total_spent", "i64"), ("collection_rate", "i64"),
         ("idle_harvester_ticks", "u64"), ("units_produced", "u32"), ("structures_built", "u32"),
         ("idle_production_ticks", "u64"), ("units_killed", "u32"), ("units_lost", "u32"),
         ("structures_destroyed", "u32"), ("structures_lost", "u32"), ("killed_value", "i64"), ("lost_value", "i64"),
         ("damage_dealt", "i64"), ("damage_received", "i64"), ("actions_per_minute", "u32"),
         ("effective_actions_per_minute", "u32")]
STATS = [("credits", "i64"), ("army_value", "i64"), ("power_produced", "i32"), ("power_drained", "i32"),
         ("harvesters", "u32"), ("score", SCORE)]
BALLOTS = ("vec", ("pair", "u32", "bool"))
REASON = "enum", [("Elimination", None), ("Surrender", [("player", "u32")]),
                  ("TeamSurrender", [("team", "u32"), ("vote_results", BALLOTS)]), ("ObjectiveCompleted", None),
                  ("Draw", [("vote_results", BALLOTS)])]
OUTCOME = "enum", [("Completed", [("winner", ("enum", [("Player", "u32"), ("Team", "u32")])), ("reason", REASON)]),
                   ("Abandoned", [("leaver", "u32"), ("tick", "u64")]), ("Draw", [("reason", REASON)]),
                   ("Remade", None), ("DesyncTerminated", [("first_divergence_tick", "u64")])]
ACTIVE = [("id", "u32"), ("vote_type", VOTE_TYPE), ("proposer", "u32"),
          ("audience", ("enum", [("Team", "u32"), ("AllPlayers", None)])), ("eligible_voters", ("vec", "u32")),
          ("ballots", ("map", "u32", CHOICE)), ("started_at", "u64"), ("expires_at", "u64"),
          ("threshold", ("enum", [("Fraction", [("required", "u32"), ("of", "u32")]), ("Unanimous", None),
                                  ("TeamScaled", None)]))]
RESOLUTION = "enum", [("Passed", [("vote", ACTIVE)]),
                      ("Failed", [("vote", ACTIVE),
                                  ("reason", words("TimerExpired", "ThresholdImpossible", "ProposerLeft"))]),
                      ("Cancelled", [("vote", ACTIVE)])]
VOTE_EVENT = "enum", [("Proposed", [("vote_id", "u32"), ("vote_type", VOTE_TYPE), ("proposer", "u32")]),
                      ("BallotCast", [("vote_id", "u32"), ("voter", "u32"), ("choice", CHOICE)]),
                      ("Resolved", [("vote_id", "u32"), ("resolution", RESOLUTION)])]
MADE = [("tag", TAG), ("unit_type", "u32"), ("owner", "u32"), ("pos", POS)]
EVENT_FIELDS = {
    "UnitCreated": MADE, "ConstructionStarted": MADE, "ConstructionCompleted": [("tag", TAG)],
    "UnitDestroyed": [("tag", TAG), ("killer_tag", ("opt", TAG)), ("killer_owner", ("opt", "u32"))],
    "UnitPositionSample": [("positions", ("vec", ("pair", TAG, POS)))],
    "PlayerStatSnapshot": [("player", "u32"), ("stats", STATS)],
    "ResourceCollected": [("player", "u32"), ("resource_type", "u32"), ("amount", "i32")],
    "UpgradeCompleted": [("player", "u32"), ("upgrade_id", "u32")],
    "CameraPositionSample": [("player", "u32"), ("viewport_center", POS), ("zoom_level", "u16")],
    "SelectionChanged": [("player", "u32"), ("added", TAGS), ("removed", TAGS)],
    "ControlGroupEvent": [("player", "u32"), ("group", "u8"), ("action", words("Assign", "Append", "Recall"))],
    "AbilityUsed": [("player", "u32"), ("ability_id", "u32"), ("target", ("opt", POS))],
    "PauseEvent": [("player", "u32"), ("paused", "bool")], "MatchEnded": [("outcome", OUTCOME)],
    "VoteEvent": [("event", VOTE_EVENT)],
    "EngagementStarted": [("center_pos", POS), ("friendly_units", TAGS), ("enemy_units", TAGS),
                          ("value_friendly", "i64"), ("value_enemy", "i64")],
    "EngagementEnded": [("center_pos", POS), ("friendly_losses", "u32"), ("enemy_losses", "u32"),
                        ("friendly_survivors", "u32"), ("enemy_survivors", "u32"), ("duration_ticks", "u64")],
    "SuperweaponFired": [("weapon_type", "u32"), ("target_pos", POS), ("player", "u32"), ("units_affected", "u32"),
                         ("buildings_affected", "u32")],
    "BaseDestroyed": [("player", "u32"), ("pos", POS), ("buildings_lost", TAGS)],
    "ArmyWipe": [("player", "u32"), ("units_lost", "u32"), ("total_value_lost", "i64"),
                 ("percentage_of_army", "u16")],
    "ComebackMoment": [("player", "u32"), ("deficit_before", "i64"), ("advantage_after", "i64"),
                       ("swing_value", "i64")]}
EVENT = "enum", [(name, [("tick", "u64"), *fields]) for name, fields in EVENT_FIELDS.items()]
VOICE = [("tracks", ("vec", [("player", "u32"), ("consented", "bool"), ("frames", ("vec", [
    ("tick", "u64"), ("opus_data", "bytes"),
    ("target", ("enum", [("All", None), ("Team", None), ("Player", "u32")]))]))]))]
LINK = [("tick", "u64"), ("state_hash", "32"), ("skipped_ticks", "u32"), ("relay_sig", "64")]
SIGNATURE = [("chain", ("vec", LINK)), ("key", "32")]
EMBEDDED = [("map_data", ("opt", "bytes")),
            ("mod_manifest", ("opt", [("mods", ("vec", [("id", "str"), ("version", "str")])),
                                      ("rules", ("vec", [("mod_id", "str"), ("path", "str"), ("yaml", "str")]))])),
            ("balance_preset", ("opt", "str")), ("initial_state", ("opt", "bytes"))]
PROOF = [("tick", "u64"), ("leaf_label", "str"), ("leaf_data", "bytes"), ("leaf_index", "u32"),
         ("leaf_count", "u32"), ("siblings", ("vec", "32")), ("skipped_ticks", "u32"), ("prev_sig_hash", "32"),
         ("relay_sig", "64"), ("relay_public_key", "32")]
