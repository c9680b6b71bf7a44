/* grammar_layouts.c - the nine layouts as a table. */
#include <string.h>

#include "cs2kz.h"

#define SEVEN_SECTIONS                                                                \
    .section_count = 7,                                                               \
    .sections = {KZ_SECTION_TICKS,        KZ_SECTION_TICK_MOVES, KZ_SECTION_WEAPONS,  \
                 KZ_SECTION_JUMPS,        KZ_SECTION_EVENTS,     KZ_SECTION_COMMANDS, \
                 KZ_SECTION_COMMAND_MOVES}
#define EIGHT_SECTIONS                                                                  \
    .section_count = 8,                                                                 \
    .sections = {KZ_SECTION_TICKS,         KZ_SECTION_TICK_MOVES,   KZ_SECTION_WEAPONS, \
                 KZ_SECTION_WEAPON_EVENTS, KZ_SECTION_JUMPS,        KZ_SECTION_EVENTS,  \
                 KZ_SECTION_COMMANDS,      KZ_SECTION_COMMAND_MOVES}
#define FIVE_SECTIONS                                                             \
    .section_count = 5, .sections = {KZ_SECTION_TICKS, KZ_SECTION_WEAPON_CHANGES, \
                                     KZ_SECTION_JUMPS, KZ_SECTION_EVENTS, KZ_SECTION_COMMANDS}

const kz_wire kz_wires[KZ_WIRE_COUNT] = {
    {.name = "a1",
     .structs = true,
     .version = 1,
     .first_weapon = true,
     .inner_counts = true,
     .slots = 64,
     .call_size = 84,
     .forgetful = true,
     EIGHT_SECTIONS},
    {.name = "a2",
     .structs = true,
     .version = 2,
     .inner_counts = true,
     .slots = 64,
     .call_size = 84,
     .forgetful = true,
     EIGHT_SECTIONS},
    {.name = "a3",
     .structs = true,
     .version = 3,
     .weapon_bit = KZ_WEAPON_BIT,
     .slots = 64,
     .call_size = 84,
     .forgetful = true,
     SEVEN_SECTIONS},
    {.name = "b1",
     .version = 1,
     .weapon_bit = KZ_WEAPON_BIT,
     .slots = 64,
     .call_size = 84,
     .forgetful = true,
     SEVEN_SECTIONS},
    {.name = "b2",
     .version = 2,
     .weapon_bit = KZ_WEAPON_BIT,
     .group_bits = {[KZ_GROUP_presses] = 39},
     .slots = 64,
     .call_size = 84,
     .button_view = true,
     SEVEN_SECTIONS},
    {.name = "b3",
     .version = 3,
     .weapon_bit = KZ_WEAPON_BIT,
     .group_bits = {[KZ_GROUP_presses] = 40},
     .slots = 64,
     .call_size = 84,
     .button_view = true,
     SEVEN_SECTIONS},
    {.name = "b4",
     .version = 4,
     .weapon_bit = KZ_WEAPON_BIT,
     .group_bits = {[KZ_GROUP_presses] = 40},
     .slots = 36,
     .call_size = 84,
     .button_view = true,
     SEVEN_SECTIONS},
    {.name = "b5",
     .version = 5,
     .weapon_bit = KZ_WEAPON_BIT,
     .group_bits = {[KZ_GROUP_presses] = 40},
     .slots = 36,
     .call_size = 92,
     .button_view = true,
     SEVEN_SECTIONS},
    {.name = "p",
     .structs = true,
     .version = 1,
     .first_weapon = true,
     .in_place = true,
     .call_size = 84,
     FIVE_SECTIONS},
};

const char *const kz_section_names[KZ_SECTION_COUNT] = {
    [KZ_SECTION_TICKS] = "ticks",
    [KZ_SECTION_TICK_MOVES] = "tickSubticks",
    [KZ_SECTION_WEAPONS] = "weaponTable",
    [KZ_SECTION_WEAPON_EVENTS] = "weaponEvents",
    [KZ_SECTION_WEAPON_CHANGES] = "weaponChanges",
    [KZ_SECTION_JUMPS] = "jumps",
    [KZ_SECTION_EVENTS] = "events",
    [KZ_SECTION_COMMANDS] = "commands",
    [KZ_SECTION_COMMAND_MOVES] = "commandSubticks",
};

const kz_wire *kz_wire_find(const char *name)
{
    for (size_t i = 0; i < KZ_WIRE_COUNT; i++) {
        if (strcmp(kz_wires[i].name, name) == 0)
            return &kz_wires[i];
    }
    return NULL;
}

const kz_wire *kz_wire_of(bool structs, uint32_t version)
{
    for (size_t i = 0; i < KZ_WIRE_COUNT; i++) {
        const kz_wire *wire = &kz_wires[i];
        if (wire->structs == structs && wire->version == version && !wire->in_place)
            return wire;
    }
    return NULL;
}
