/* grammar.c - the tables of grammar.h, the names of numbers, and the tracks. */
#include "grammar.h"

#include <math.h>

#include "analyse.h"

RP_ENUM(kz_type_names, "type", false, {0, "manual"}, {1, "cheater"}, {2, "run"}, {3, "jump"});
RP_ENUM(kz_move_type_names, "move type", false, {0, "none"}, {1, "obsolete"}, {2, "walk"},
        {3, "fly"}, {4, "fly_gravity"}, {5, "physics"}, {6, "push"}, {7, "noclip"}, {8, "observer"},
        {9, "ladder"}, {10, "custom"});
RP_ENUM(kz_replay_flag_names, "ducking", true, {1, "ducking"}, {2, "ducked"}, {4, "wants_to_duck"});
RP_ENUM(kz_button_names, "button", true, {0x1, "attack"}, {0x2, "jump"}, {0x4, "duck"},
        {0x8, "forward"}, {0x10, "back"}, {0x20, "use"}, {0x80, "turn_left"}, {0x100, "turn_right"},
        {0x200, "move_left"}, {0x400, "move_right"}, {0x800, "attack2"}, {0x2000, "reload"},
        {0x10000, "walk"});
RP_ENUM(kz_jump_type_names, "jump type", false, {0, "long_jump"}, {1, "bunnyhop"},
        {2, "multi_bunnyhop"}, {3, "weird_jump"}, {4, "ladder_jump"}, {5, "ladderhop"},
        {6, "jumpbug"}, {7, "fall"}, {8, "other"}, {9, "invalid"}, {255, "fully_invalid"});
RP_ENUM(kz_tier_names, "tier", false, {0, "none"}, {1, "meh"}, {2, "impressive"}, {3, "perfect"},
        {4, "godlike"}, {5, "ownage"}, {6, "wrecker"});
RP_ENUM(kz_event_names, "event", false, {KZ_EVENT_TIMER, "timer"}, {KZ_EVENT_MODE, "mode"},
        {KZ_EVENT_STYLE, "style"}, {KZ_EVENT_TELEPORT, "teleport"});
RP_ENUM(kz_timer_names, "timer", false, {KZ_TIMER_START, "start"}, {KZ_TIMER_END, "end"},
        {KZ_TIMER_STOP, "stop"}, {KZ_TIMER_PAUSE, "pause"}, {KZ_TIMER_RESUME, "resume"},
        {KZ_TIMER_SPLIT, "split"}, {KZ_TIMER_CHECKPOINT, "checkpoint"}, {KZ_TIMER_STAGE, "stage"});

RP_TABLE(kz_tick_top, KZ_TICK_TOP, "tick");
RP_TABLE(kz_tick_weapon, KZ_TICK_WEAPON, "tick, weapon");
RP_TABLE(kz_movement, KZ_MOVEMENT, "tick, movement");
RP_TABLE(kz_checkpoint, KZ_CHECKPOINT, "tick, checkpoints");
#define GROUP_TABLE(member, T, LIST, label, loss) RP_TABLE(T, LIST, label);
KZ_TICK_GROUPS(GROUP_TABLE)
RP_TABLE(kz_tick_derived, KZ_TICK_DERIVED, "tick, derived");
RP_TABLE(kz_move, KZ_MOVE, "subtick move");
RP_TABLE(kz_move_derived, KZ_MOVE_DERIVED, "subtick move, derived");
RP_TABLE(kz_command, KZ_COMMAND, "command");
RP_TABLE(kz_item, KZ_ITEM, "item");
RP_TABLE(kz_weapon, KZ_WEAPON, "weapon");
RP_TABLE(kz_attribute, KZ_ATTRIBUTE, "attribute");
RP_TABLE(kz_attribute_derived, KZ_ATTRIBUTE_DERIVED, "attribute, derived");
RP_TABLE(kz_weapon_attribute, KZ_WEAPON_ATTRIBUTE, "attribute, of a weapon");
RP_TABLE(kz_weapon_event, KZ_WEAPON_EVENT, "weapon event");
RP_TABLE(kz_jump, KZ_JUMP, "jump");
RP_TABLE(kz_strafe_place, KZ_STRAFE_PLACE, "strafe, place");
RP_TABLE(kz_strafe, KZ_STRAFE, "strafe");
RP_TABLE(kz_aircall, KZ_AIRCALL, "air-acceleration call");
RP_TABLE(kz_event, KZ_EVENT, "event");
RP_TABLE(kz_person, KZ_PERSON, "person");
RP_TABLE(kz_map, KZ_MAP, "map");
RP_TABLE(kz_mode, KZ_MODE, "mode or style");
RP_TABLE(kz_owned, KZ_OWNED, "item with attributes");
RP_TABLE(kz_manual, KZ_MANUAL, "header, saved by hand");
RP_TABLE(kz_cheater, KZ_CHEATER, "header, report");
RP_TABLE(kz_run, KZ_RUN, "header, run");
RP_TABLE(kz_jump_header, KZ_JUMP_HEADER, "header, jump");
RP_TABLE(kz_header, KZ_HEADER, "header");

#define GROUP_RECORD(member, T, LIST, label, loss) , &T##_record

const rp_record *const kz_records[KZ_RECORD_COUNT] = {
    &kz_header_record,
    &kz_person_record,
    &kz_map_record,
    &kz_mode_record,
    &kz_owned_record,
    &kz_item_record,
    &kz_attribute_record,
    &kz_manual_record,
    &kz_cheater_record,
    &kz_run_record,
    &kz_jump_header_record,
    &kz_tick_top_record,
    &kz_tick_weapon_record,
    &kz_movement_record,
    &kz_checkpoint_record KZ_TICK_GROUPS(GROUP_RECORD),
    &kz_tick_derived_record,
    &kz_move_record,
    &kz_move_derived_record,
    &kz_command_record,
    &kz_weapon_record,
    &kz_weapon_attribute_record,
    &kz_attribute_derived_record,
    &kz_weapon_event_record,
    &kz_jump_record,
    &kz_strafe_place_record,
    &kz_strafe_record,
    &kz_aircall_record,
    &kz_event_record,
};

const kz_group kz_groups[KZ_GROUP_COUNT] = {
#define GROUP(member, T, LIST, label, loss) \
    {&T##_record, offsetof(kz_tick, member), KZ_TICK_F_##member, loss},
    KZ_TICK_GROUPS(GROUP)};

/* ---- derived columns ---- */

static void derive_tick(const rp_replay *base, const rp_row *row, void *ret_derived)
{
    kz_derive_tick(&((const kz_replay *)base)->run, row->data, &(size_t){0}, ret_derived);
}

static void derive_ticks(const rp_replay *base, rp_tile *tile, void *ret_derived)
{
    kz_derive_ticks(&((const kz_replay *)base)->run, tile, ret_derived);
}

/* What the bytes of a move mean depends on the button and on the layout. */
static void derive_move(const rp_replay *base, const rp_row *row, void *ret_derived)
{
    const kz_replay *replay = (const kz_replay *)base;
    const kz_move *move = row->data;
    bool view = (move->button != 0) == replay->wire->button_view;
    *(kz_move_derived *)ret_derived = (kz_move_derived){
        .key = move->button,
        .pressed = move->button && move->data[0],
        .forward_delta = move->button ? NAN : (double)rp_load_f32(move->data),
        .left_delta = move->button ? NAN : (double)rp_load_f32(move->data + 4),
        .pitch_delta = view ? (double)rp_load_f32(move->data + 8) : NAN,
        .yaw_delta = view ? (double)rp_load_f32(move->data + 12) : NAN,
    };
}

static void derive_attribute(const rp_replay *replay, const rp_row *row, void *ret_derived)
{
    RP_UNUSED(replay);
    const kz_attribute_row *attribute = row->data;
    memcpy(&((kz_attribute_derived *)ret_derived)->bits, &attribute->attribute.value,
           sizeof(uint32_t));
}

#define ONE_PART(T) .parts = {{NULL, &T##_record, 0}}, .part_count = 1
#define PER_TICK    .clock = "tick", .timed = true
#define INPUTS                                                            \
    .kind = RP_TRACK_EVENT, PER_TICK, .object = "row", ONE_PART(kz_move), \
    .derived = &kz_move_derived_record, .derive = derive_move

#define GROUP_PART(member, T, LIST, label, loss) {NULL, &T##_record, offsetof(kz_tick, member)},

const rp_track kz_tracks[KZ_TRACK_COUNT] = {
    [KZ_TICKS] = {.name = "ticks",
                  .doc = "one row per recorded tick, 64 a second",
                  .kind = RP_TRACK_STATE,
                  PER_TICK,
                  .parts = {{NULL, &kz_tick_top_record, offsetof(kz_tick, top)},
                            {NULL, &kz_tick_weapon_record, offsetof(kz_tick, held)},
                            {"pre", &kz_movement_record, offsetof(kz_tick, pre)},
                            {"post", &kz_movement_record, offsetof(kz_tick, post)},
                            {NULL, &kz_checkpoint_record, offsetof(kz_tick, checkpoint)},
                            KZ_TICK_GROUPS(GROUP_PART)},
                  .part_count = 5 + KZ_GROUP_COUNT,
                  .derived = &kz_tick_derived_record,
                  .derive = derive_tick,
                  .derive_tile = derive_ticks},
    [KZ_SUBTICKS] = {.name = "subticks",
                     .doc = "inputs inside ticks; row is the number of the row in ticks",
                     INPUTS},
    [KZ_WEAPONS] = {.name = "weapons",
                    .doc = "weapons by number",
                    .kind = RP_TRACK_TABLE,
                    .parts = {{NULL, &kz_weapon_record, offsetof(kz_weapon_row, weapon)},
                              {NULL, &kz_item_record, offsetof(kz_weapon_row, item)}},
                    .part_count = 2},
    [KZ_WEAPON_ATTRIBUTES] =
        {.name = "weapon_attributes",
         .doc = "paint, wear, stickers and so on",
         .kind = RP_TRACK_TABLE,
         .parts = {{NULL, &kz_weapon_attribute_record, offsetof(kz_attribute_row, of)},
                   {NULL, &kz_attribute_record, offsetof(kz_attribute_row, attribute)}},
         .part_count = 2,
         .derived = &kz_attribute_derived_record,
         .derive = derive_attribute},
    [KZ_WEAPON_EVENTS] = {.name = "weapon_events",
                          .doc = "changes of the weapon in hand, in layouts without it in ticks",
                          .kind = RP_TRACK_EVENT,
                          PER_TICK,
                          ONE_PART(kz_weapon_event)},
    [KZ_JUMPS] = {.name = "jumps",
                  .doc = "jump statistics",
                  .kind = RP_TRACK_EVENT,
                  PER_TICK,
                  .object = "jump",
                  ONE_PART(kz_jump)},
    [KZ_STRAFES] = {.name = "strafes",
                    .doc = "strafes of jumps",
                    .kind = RP_TRACK_EVENT,
                    PER_TICK,
                    .object = "jump",
                    .parts = {{NULL, &kz_strafe_place_record, offsetof(kz_strafe_row, place)},
                              {NULL, &kz_strafe_record, offsetof(kz_strafe_row, strafe)}},
                    .part_count = 2},
    [KZ_AIRCALLS] = {.name = "aircalls",
                     .doc = "air acceleration during jumps, call by call",
                     .kind = RP_TRACK_EVENT,
                     PER_TICK,
                     .object = "jump",
                     ONE_PART(kz_aircall)},
    [KZ_EVENTS] = {.name = "events",
                   .doc = "timer, mode, styles and teleports",
                   .kind = RP_TRACK_EVENT,
                   PER_TICK,
                   .sparse = true,
                   ONE_PART(kz_event)},
    [KZ_COMMANDS] = {.name = "commands",
                     .doc = "every input packet from the client",
                     .kind = RP_TRACK_EVENT,
                     PER_TICK,
                     ONE_PART(kz_command)},
    [KZ_COMMAND_SUBTICKS] = {.name = "command_subticks",
                             .doc = "inputs inside commands; row is the number of the command",
                             INPUTS},
    [KZ_STYLES] = {.name = "styles",
                   .doc = "styles of the run, from the header",
                   .kind = RP_TRACK_TABLE,
                   ONE_PART(kz_mode)},
};
