/*
 * grammar_names.c - names for the numbers of the two games. The words are ours, the numbering is
 * the games'.
 */
#include "remastered.h"

#include <stdio.h>

const cnc_game cnc_ra = {
    .name = "ra",
    .title = "Red Alert",
    .target_size = 4,
    .event_size = 137,
    .data_offset = 5,
    .frame_bits = 26,
    .house_bits = 5,
    .special_size = CNC_RA_SPECIAL_SIZE,
    .special_used = CNC_RA_SPECIAL_USED,
    .houses = 20,
    .session_types = 9,
    .skirmish = 5,
    .cell_bits = 7,
    .header_size = 997,
};

const cnc_game cnc_td = {
    .name = "td",
    .title = "Tiberian Dawn",
    .td = true,
    .target_size = 2,
    .event_size = 146,
    .data_offset = 6,
    .frame_bits = 27,
    .house_bits = 4,
    .special_size = CNC_TD_SPECIAL_SIZE,
    .special_used = CNC_TD_SPECIAL_USED,
    .houses = 10,
    .session_types = 6,
    .skirmish = -1,
    .cell_bits = 6,
    .header_size = 286,
};

const cnc_layout cnc_layouts[CNC_LAYOUT_COUNT] = {
    {"ra-full", &cnc_ra, true},
    {"ra-events", &cnc_ra, false},
    {"td-full", &cnc_td, true},
    {"td-events", &cnc_td, false},
};

typedef struct words {
    const char *const *names;
    int32_t count;
} words;

#define WORDS(array)                    \
    {                                   \
        array, (int32_t)RP_COUNT(array) \
    }
#define LIST(name, ...) static const char *const name[] = {__VA_ARGS__}

/* Lists that start at -1 begin with "none". */
LIST(ra_houses, "none", "Spain", "Greece", "USSR", "England", "Ukraine", "Germany", "France",
     "Turkey", "Good", "Bad", "Neutral", "Special", "Multi1", "Multi2", "Multi3", "Multi4",
     "Multi5", "Multi6", "Multi7", "Multi8");
LIST(td_houses, "none", "GDI", "Nod", "neutral", "special", "Multi1", "Multi2", "Multi3", "Multi4",
     "Multi5", "Multi6");
LIST(ra_missions, "none", "sleep", "attack", "move", "queued move", "retreat", "guard", "sticky",
     "enter", "capture", "harvest", "guard area", "return", "stop", "ambush", "hunt", "unload",
     "sabotage", "construction", "deconstruction", "repair", "rescue", "missile", "harmless");
LIST(td_missions, "none", "sleep", "attack", "move", "retreat", "guard", "sticky", "enter",
     "capture", "harvest", "guard area", "return", "stop", "ambush", "hunt", "timed hunt", "unload",
     "sabotage", "construction", "deconstruction", "repair", "rescue", "missile");
LIST(ra_weapons, "none", "sonar", "nuclear", "chronosphere", "parabomb", "paratroops", "spy plane",
     "iron curtain", "GPS", "second chronosphere click");
LIST(td_weapons, "none", "ion cannon", "nuclear", "air strike");
LIST(ra_sessions, "normal", "modem", "null modem", "IPX", "internet", "skirmish", "TEN", "MPath",
     "glyphx");
LIST(td_sessions, "normal", "modem", "null modem", "IPX", "internet", "glyphx");
LIST(ra_classes, "none", "aircraft", "aircraft type", "anim", "anim type", "building",
     "building type", "bullet", "bullet type", "cell", "factory", "house", "house type", "infantry",
     "infantry type", "overlay", "overlay type", "smudge", "smudge type", "special", "team",
     "team type", "template", "template type", "terrain", "terrain type", "trigger", "trigger type",
     "unit", "unit type", "vessel", "vessel type");
LIST(td_classes, "none", "infantry", "infantry type", "unit", "unit type", "aircraft",
     "aircraft type", "building", "building type", "terrain", "abstract type", "anim", "anim type",
     "bullet", "bullet type", "overlay", "overlay type", "smudge", "smudge type", "team",
     "template", "template type", "terrain type", "object", "special");
LIST(ra_buildings, "advanced tech", "iron curtain", "war factory", "chronosphere", "pillbox",
     "camo pillbox", "radar", "gap", "turret", "AA gun", "flame turret", "construction yard",
     "refinery", "silo", "helipad", "SAM", "airstrip", "power", "advanced power", "soviet tech",
     "hospital", "barracks", "tent", "kennel", "repair", "bio lab", "mission", "ship yard",
     "sub pen", "missile silo", "forward command", "tesla", "fake war factory", "fake yard",
     "fake ship yard", "fake sub pen", "fake radar");
LIST(ra_infantry, "E1", "E2", "E3", "E4", "engineer", "tanya", "spy", "thief", "medic", "general",
     "dog", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "einstein", "delphi",
     "chan", "shock", "mechanic");
LIST(ra_units, "heavy tank", "medium tank", "medium tank 2", "light tank", "APC", "minelayer",
     "jeep", "harvester", "artillery", "radar jammer", "gap generator", "MCV", "V2", "truck",
     "ant1", "ant2", "ant3", "chrono tank", "tesla tank", "MAD tank", "demo truck", "phase");
LIST(ra_vessels, "sub", "destroyer", "cruiser", "transport", "PT", "missile sub", "carrier");
LIST(ra_aircraft, "transport", "badger", "spy plane", "MiG", "Yak", "longbow", "hind");
LIST(td_buildings, "war factory", "guard tower", "adv. guard tower", "obelisk", "radar", "turret",
     "construction yard", "refinery", "silo", "helipad", "SAM", "airstrip", "power", "adv. power",
     "hospital", "barracks", "tanker", "repair", "bio lab", "hand of Nod", "temple", "eye",
     "mission");
LIST(td_infantry, "E1", "E2", "E3", "E4", "E5", "E7", "rambo", "C1", "C2", "C3", "C4", "C5", "C6",
     "C7", "C8", "C9", "C10", "moebius", "delphi", "chan");
LIST(td_units, "heavy tank", "medium tank", "light tank", "stealth tank", "flame tank", "visceroid",
     "APC", "MLRS", "jeep", "buggy", "harvester", "artillery", "missile launcher", "hover", "MHQ",
     "gunboat", "MCV", "bike");
LIST(td_aircraft, "transport", "A10", "helicopter", "cargo", "orca");

static const char *word(words list, int32_t number)
{
    return number >= 0 && number < list.count ? list.names[number] : NULL;
}

const char *cnc_house_name(const cnc_game *game, int32_t house)
{
    static const words lists[] = {WORDS(ra_houses), WORDS(td_houses)};
    return house < -1 ? NULL : word(lists[game->td], house + 1);
}

const char *cnc_mission_name(const cnc_game *game, int32_t mission)
{
    static const words lists[] = {WORDS(ra_missions), WORDS(td_missions)};
    return mission < -1 ? NULL : word(lists[game->td], mission + 1);
}

/* Tiberian Dawn counts weapons from none = 0, Red Alert from none = -1. */
const char *cnc_weapon_name(const cnc_game *game, int32_t weapon)
{
    static const words lists[] = {WORDS(ra_weapons), WORDS(td_weapons)};
    if (weapon < -1 || weapon == INT32_MAX)
        return NULL;
    return word(lists[game->td], game->td ? weapon : weapon + 1);
}

const char *cnc_class_name(const cnc_game *game, uint32_t rtti)
{
    static const words lists[] = {WORDS(ra_classes), WORDS(td_classes)};
    return rtti < 256 ? word(lists[game->td], (int32_t)rtti) : NULL;
}

const char *cnc_session_name(const cnc_game *game, int32_t type)
{
    static const words lists[] = {WORDS(ra_sessions), WORDS(td_sessions)};
    return word(lists[game->td], type);
}

/* Types that can be produced, by class. */
static const struct {
    bool td;
    uint8_t rtti;
    bool is_building;
    words list;
} kinds[] = {
    {false, 2, false, WORDS(ra_aircraft)},  {false, 6, true, WORDS(ra_buildings)},
    {false, 14, false, WORDS(ra_infantry)}, {false, 29, false, WORDS(ra_units)},
    {false, 31, false, WORDS(ra_vessels)},  {true, 2, false, WORDS(td_infantry)},
    {true, 4, false, WORDS(td_units)},      {true, 6, false, WORDS(td_aircraft)},
    {true, 8, true, WORDS(td_buildings)},
};

const char *cnc_type_name(const cnc_game *game, uint32_t rtti, int32_t type_id)
{
    for (size_t i = 0; i < RP_COUNT(kinds); i++) {
        if (kinds[i].td == game->td && kinds[i].rtti == rtti)
            return word(kinds[i].list, type_id);
    }
    return NULL;
}

/* No name is one of a unit and one of a building. The games' prices are not known here. */
const rp_item *cnc_item(const char *mod, const char *name)
{
    static const rp_item building = {.which = RP_ITEMS_TECHNOLOGY, .is_building = true};
    static const rp_item unit = {.which = RP_ITEMS_ARMY};
    bool td = strcmp(mod, cnc_td.name) == 0;
    for (size_t i = 0; i < RP_COUNT(kinds); i++) {
        for (int32_t k = 0; kinds[i].td == td && k < kinds[i].list.count; k++) {
            if (strcmp(kinds[i].list.names[k], name) == 0)
                return kinds[i].is_building ? &building : &unit;
        }
    }
    return strncmp(name, "building", strlen("building")) == 0 ? &building : NULL;
}

void cnc_number_name(const cnc_game *game, uint32_t rtti, int32_t type_id, char *to, size_t size)
{
    const char *name = cnc_class_name(game, rtti);
    if (name)
        snprintf(to, size, "%s %d", name, type_id);
    else
        snprintf(to, size, "class %u %d", rtti, type_id);
}

bool cnc_target_cell(const cnc_game *game, uint32_t target, int32_t *ret_cell)
{
    enum { RA_CELL = 9, TD_CELL = 1, RA_SHIFT = 24, TD_SHIFT = 12 };
    unsigned shift = game->td ? TD_SHIFT : RA_SHIFT;
    if (target >> shift != (game->td ? TD_CELL : RA_CELL))
        return false;
    *ret_cell = (int32_t)(target & ((1u << shift) - 1));
    return true;
}

void cnc_td_scenario(const cnc_td_header *t, char *to, size_t size)
{
    static const char sides[] = "GBJMM";
    char side = t->scen_player >= 0 && t->scen_player < 5 ? sides[t->scen_player] : 'G';
    snprintf(to, size, "SC%c%02u%cA", side, t->scenario, t->scen_dir == 1 ? 'W' : 'E');
}

void cnc_cell_of(const cnc_game *game, int32_t cell, int32_t *ret_x, int32_t *ret_y)
{
    int32_t mask = (1 << game->cell_bits) - 1;
    *ret_x = cell & mask;
    *ret_y = (int32_t)((uint32_t)cell >> game->cell_bits) & mask;
}
