/* grammar.c - the tables of grammar.h, the names of numbers, and the tracks. */
#include "grammar.h"

#include "geometry.h"
#include "rumble.h"

RP_ENUM(rumble_stack_names, "stack", false, {0, "None"}, {1, "Dash"}, {2, "Jump"}, {3, "Flick"},
        {4, "Parry"}, {5, "HoldLeft"}, {6, "HoldRight"}, {7, "Ground"}, {8, "Straight"},
        {9, "Uppercut"}, {10, "Kick"}, {11, "Explode"});
RP_ENUM(rumble_stone_names, "shiftstone", false, {0, "Adamant"}, {1, "Charge"}, {2, "Flow"},
        {3, "Guard"}, {4, "Stubborn"}, {5, "Surge"}, {6, "Vigor"}, {7, "Volatile"}, {255, "none"});
RP_ENUM(rumble_stone_fx_names, "shiftstone effects", true, {1, "Charge"}, {2, "Adamant"},
        {4, "Vigor"}, {8, "Surge"});
RP_ENUM(rumble_structure_names, "structure", false, {0, "Cube"}, {1, "Pillar"}, {2, "Wall"},
        {3, "Disc"}, {4, "Ball"}, {5, "CagedBall"}, {6, "LargeRock"}, {7, "SmallRock"},
        {8, "TetheredCagedBall"}, {9, "WrappedWall"}, {10, "PrisonedPillar"}, {11, "DockedDisk"},
        {12, "CageCube"}, {13, "Target"});
RP_ENUM(rumble_state_names, "structure state before Z6", false, {0, "Default"}, {1, "Free"},
        {2, "Frozen"}, {3, "FreeGrounded"}, {4, "StableGrounded"}, {5, "Float"}, {6, "Normal"});
RP_ENUM(rumble_fx_names, "effect", false, {0, "None"}, {1, "StructureCollision"}, {2, "Ricochet"},
        {3, "Grounded"}, {4, "GroundedSFX"}, {5, "Ungrounded"}, {6, "DustImpact"},
        {7, "ImpactLight"}, {8, "ImpactMedium"}, {9, "ImpactHeavy"}, {10, "ImpactMassive"},
        {11, "Spawn"}, {12, "Break"}, {13, "BreakDisc"}, {14, "RockCamSpawn"},
        {15, "RockCamDespawn"}, {16, "RockCamStick"}, {17, "Fistbump"}, {18, "FistbumpGoin"},
        {19, "Jump"}, {20, "Dash"}, {21, "Hitmarker"});
RP_ENUM(rumble_marker_names, "marker", false, {1, "core.manual"}, {2, "core.roundEnded"},
        {3, "core.matchEnded"}, {4, "core.largeDamage"});

RP_TABLE(rumble_player, RUMBLE_PLAYER, "player state");
RP_TABLE(rumble_structure, RUMBLE_STRUCTURE, "structure state");
RP_TABLE(rumble_pedestal, RUMBLE_PEDESTAL, "pedestal state");
RP_TABLE(rumble_prop, RUMBLE_PROP, "scene prop state");
RP_TABLE(rumble_event, RUMBLE_EVENT, "event");
RP_TABLE(rumble_event_derived, RUMBLE_EVENT_DERIVED, "event, derived");
RP_TABLE(rumble_frame, RUMBLE_FRAME, "frame");
RP_TABLE(rumble_extension, RUMBLE_EXTENSION, "extension");
RP_TABLE(rumble_extension_derived, RUMBLE_EXTENSION_DERIVED, "extension, derived");
RP_TABLE(rumble_marker, RUMBLE_MARKER, "marker");
RP_TABLE(rumble_voice, RUMBLE_VOICE, "voice");
RP_TABLE(rumble_file, RUMBLE_FILE, "file");
RP_TABLE(rumble_player_derived, RUMBLE_PLAYER_DERIVED, "player, derived");

const rp_record *const rumble_records[RUMBLE_RECORD_COUNT] = {
    &rumble_frame_record,
    &rumble_player_record,
    &rumble_player_derived_record,
    &rumble_structure_record,
    &rumble_pedestal_record,
    &rumble_prop_record,
    &rumble_event_record,
    &rumble_event_derived_record,
    &rumble_marker_record,
    &rumble_extension_record,
    &rumble_extension_derived_record,
    &rumble_voice_record,
    &rumble_file_record,
};

/* ---- derived columns ---- */

static inline rp_vec3 to_world(rp_vec3 place, rp_quat rig, rp_vec3 local)
{
    rp_vec3 v = rp_rotation_apply(rig, local);
    return (rp_vec3){place.x + v.x, place.y + v.y, place.z + v.z};
}

void rumble_player_to_world(const rumble_player *player, rumble_player_derived *ret_world)
{
    rp_quat rig = rp_rot_value(&player->rig_rot);
    rp_vec3 place = player->rig_pos;
    ret_world->lhand_world_pos = to_world(place, rig, player->lhand_pos);
    ret_world->lhand_world_rot = rp_rotation_then(rp_rot_value(&player->lhand_rot), rig);
    ret_world->rhand_world_pos = to_world(place, rig, player->rhand_pos);
    ret_world->rhand_world_rot = rp_rotation_then(rp_rot_value(&player->rhand_rot), rig);
    ret_world->head_world_pos = to_world(place, rig, player->head_pos);
    ret_world->head_world_rot = rp_rotation_then(rp_rot_value(&player->head_rot), rig);
}

static void derive_player(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    RP_UNUSED(replay);
    rumble_player_to_world(row->data, ret_derived);
}

/* The number of an effect is 1 from Z4a on and 0 in Z4p; Z3 numbers events differently. */
static const char *event_kind(const rumble_wire *wire, const rp_row *row)
{
    static const char *const z3_kinds[] = {"measurement", "marker", "hit"};
    const rumble_event *event = row->data;
    bool marked = row->present >> rumble_event_F_marker & 1;
    if (strcmp(wire->name, "z3") == 0)
        return event->type < RP_COUNT(z3_kinds) ? z3_kinds[event->type] : NULL;
    if (event->type == (wire->player.strict ? 0 : 1))
        return "OneShotFX";
    if (event->type != 0 || wire->player.strict)
        return NULL;
    return marked ? "marker" : "hit";
}

static void derive_event(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const char *kind = event_kind(&((const rumble_replay *)replay)->wire, row);
    *(rumble_event_derived *)ret_derived = (rumble_event_derived){
        .kind = {.data = kind, .size = kind ? strlen(kind) : 0}};
}

static void derive_extension(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    const rumble_extension *extension = row->data;
    const char *name = rumble_mod_name((const rumble_replay *)replay, extension->mod_id);
    *(rumble_extension_derived *)ret_derived = (rumble_extension_derived){
        .mod = {.data = name, .size = name ? strlen(name) : 0},
    };
}

#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define PER_FRAME   .clock = "frame", .timed = true, .time_single = true

const rp_track rumble_tracks[RUMBLE_TRACK_COUNT] = {
    [RUMBLE_FRAMES] = {.name = "frames",
                       .doc = "one row per frame",
                       .kind = RP_TRACK_EVENT,
                       .storage = true,
                       PER_FRAME,
                       ONE_PART(rumble_frame)},
    [RUMBLE_PLAYERS] = {.name = "players",
                        .doc = "poses, health and inputs of players",
                        .kind = RP_TRACK_STATE,
                        PER_FRAME,
                        .object = "player",
                        ONE_PART(rumble_player),
                        .derived = &rumble_player_derived_record,
                        .derive = derive_player},
    [RUMBLE_STRUCTURES] = {.name = "structures",
                           .doc = "discs, walls, pillars and so on",
                           .kind = RP_TRACK_STATE,
                           PER_FRAME,
                           .object = "structure",
                           ONE_PART(rumble_structure)},
    [RUMBLE_PEDESTALS] = {.name = "pedestals",
                          .doc = "pedestals of the arena",
                          .kind = RP_TRACK_STATE,
                          PER_FRAME,
                          .object = "pedestal",
                          ONE_PART(rumble_pedestal)},
    [RUMBLE_PROPS] = {.name = "props",
                      .doc = "loose things in the scene",
                      .kind = RP_TRACK_STATE,
                      PER_FRAME,
                      .object = "prop",
                      ONE_PART(rumble_prop)},
    [RUMBLE_EVENTS] = {.name = "events",
                       .doc = "effects and hits",
                       .kind = RP_TRACK_EVENT,
                       PER_FRAME,
                       ONE_PART(rumble_event),
                       .derived = &rumble_event_derived_record,
                       .derive = derive_event},
    [RUMBLE_MARKERS] = {.name = "markers",
                        .doc = "bookmarks, by hand or by the recorder",
                        .kind = RP_TRACK_EVENT,
                        .timed = true,
                        .time_single = true,
                        ONE_PART(rumble_marker)},
    [RUMBLE_EXTENSIONS] = {.name = "extensions",
                           .doc = "data of other mods",
                           .kind = RP_TRACK_EVENT,
                           PER_FRAME,
                           ONE_PART(rumble_extension),
                           .derived = &rumble_extension_derived_record,
                           .derive = derive_extension},
    [RUMBLE_VOICES] = {.name = "voices",
                       .doc = "voice recordings; time is when one starts",
                       .kind = RP_TRACK_EVENT,
                       .timed = true,
                       .time_single = true,
                       ONE_PART(rumble_voice)},
    [RUMBLE_FILES] = {.name = "files",
                      .doc = "members of the archive",
                      .kind = RP_TRACK_TABLE,
                      .storage = true,
                      ONE_PART(rumble_file)},
};
