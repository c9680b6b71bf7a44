/* grammar.c - the tables of grammar.h, the names of numbers, and the tracks. */
#include "grammar.h"

#include <assert.h>

#include "geometry.h"
#include "rumble.h"
#include "tile.h"

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

/* A hand or the head: where its place and rotation are, and those in the world. */
typedef struct limb {
    size_t pos, rot, world_pos;
} limb;

#define LIMB(name)                                                                \
    {                                                                             \
        offsetof(rumble_player, name##_pos), offsetof(rumble_player, name##_rot), \
            offsetof(rumble_player_derived, name##_world_pos)                     \
    }

static const limb limbs[] = {LIMB(lhand), LIMB(rhand), LIMB(head)};

typedef struct pose {
    rp_vec3 pos;
    rp_quat rot;
} pose;

static_assert(offsetof(rumble_player_derived, lhand_world_rot) ==
                  offsetof(rumble_player_derived, lhand_world_pos) + sizeof(rp_vec3),
              "a rotation follows its place");

static inline pose to_world(pose rig, pose local)
{
    rp_vec3 v = rp_rotation_apply(rig.rot, local.pos);
    return (pose){{rig.pos.x + v.x, rig.pos.y + v.y, rig.pos.z + v.z},
                  rp_rotation_then(local.rot, rig.rot)};
}

void rumble_player_to_world(const rumble_player *player, rumble_player_derived *ret_world)
{
    pose rig = {player->rig_pos, rp_rot_value(&player->rig_rot)};
    for (size_t i = 0; i < RP_COUNT(limbs); i++) {
        const char *from = (const char *)player;
        pose local = {.rot = rp_rot_value((const void *)(from + limbs[i].rot))};
        memcpy(&local.pos, from + limbs[i].pos, sizeof local.pos);
        pose world = to_world(rig, local);
        memcpy((char *)ret_world + limbs[i].world_pos, &world, sizeof world);
    }
}

static void derive_player(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    RP_UNUSED(replay);
    rumble_player_to_world(row->data, ret_derived);
}

static inline pose pose_at(const rp_tile_floats *pos, const rp_tile_floats *rot, size_t i)
{
    return (pose){{pos[0].at[i], pos[1].at[i], pos[2].at[i]},
                  {rot[0].at[i], rot[1].at[i], rot[2].at[i], rot[3].at[i]}};
}

/* Columns that are apart, so that the compiler computes several rows at a time. */
static void columns_to_world(const rp_tile_floats *restrict rig_pos,
                             const rp_tile_floats *restrict rig_rot,
                             const rp_tile_floats *restrict pos, const rp_tile_floats *restrict rot,
                             size_t count, rp_tile_floats *restrict ret_world)
{
    for (size_t i = 0; i < count; i++) {
        pose world = to_world(pose_at(rig_pos, rig_rot, i), pose_at(pos, rot, i));
        ret_world[0].at[i] = world.pos.x;
        ret_world[1].at[i] = world.pos.y;
        ret_world[2].at[i] = world.pos.z;
        ret_world[3].at[i] = world.rot.x;
        ret_world[4].at[i] = world.rot.y;
        ret_world[5].at[i] = world.rot.z;
        ret_world[6].at[i] = world.rot.w;
    }
}

static void derive_players(const rp_replay *replay, rp_tile *tile, void *ret_derived)
{
    RP_UNUSED(replay);
    rp_tile_floats rig_pos[3], pos[3];
    rp_tile_read(tile, offsetof(rumble_player, rig_pos), RP_COUNT(rig_pos), rig_pos);
    const rp_tile_floats *rig_rot = rp_tile_rotation_at(tile, offsetof(rumble_player, rig_rot));
    for (size_t i = 0; i < RP_COUNT(limbs); i++) {
        rp_tile_read(tile, limbs[i].pos, RP_COUNT(pos), pos);
        columns_to_world(rig_pos, rig_rot, pos, rp_tile_rotation_at(tile, limbs[i].rot),
                         tile->count, rp_tile_derived(ret_derived, limbs[i].world_pos));
    }
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
                        .derive = derive_player,
                        .derive_tile = derive_players},
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
