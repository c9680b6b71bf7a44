/* grammar_layouts.c - the nine layouts as a table: how frames are written and which ids fields
 * have. */
#include "rumble.h"

/* Fields that came later than a layout have no id in it. */
static void forget_from(rp_tag_map *map, unsigned first_id)
{
    for (unsigned id = first_id; id < RP_TAGS_MAX; id++)
        rp_tag_map_set(map, id, RP_TAG_UNKNOWN);
}

static void init_maps(rumble_wire *wire, unsigned size_width)
{
    rp_tag_map_init(&wire->player, &rumble_player_record, size_width);
    rp_tag_map_init(&wire->structure, &rumble_structure_record, size_width);
    rp_tag_map_init(&wire->pedestal, &rumble_pedestal_record, size_width);
    rp_tag_map_init(&wire->event, &rumble_event_record, size_width);
    rp_tag_map_init(&wire->prop, &rumble_prop_record, size_width);
}

static void init_z3_structure(rp_tag_map *map)
{
    forget_from(map, 7);
    rp_tag_map_set(map, 4, rumble_structure_F_held);
    rp_tag_map_set(map, 5, rumble_structure_F_flicked);
    rp_tag_map_set(map, 6, rumble_structure_F_shaking);
}

/* The published document numbers its fields in the order of its tables. */
static void init_z4p(rumble_wire *wire)
{
    wire->extension = RUMBLE_CHUNK_PROP;
    wire->player.strict = wire->structure.strict = wire->pedestal.strict = true;
    wire->event.strict = true;
    forget_from(&wire->player, 8);
    rp_tag_map_set(&wire->player, 8, rumble_player_F_health);
    rp_tag_map_set(&wire->player, 9, rumble_player_F_active);
    rp_tag_map_set(&wire->structure, 4, rumble_structure_F_flicked);
    rp_tag_map_set(&wire->structure, 5, rumble_structure_F_left_held);
    rp_tag_map_set(&wire->structure, 6, rumble_structure_F_right_held);
    forget_from(&wire->event, 4);
    rp_tag_map_set(&wire->event, 4, rumble_event_F_player);
    rp_tag_map_set(&wire->event, 5, rumble_event_F_damage);
    rp_tag_map_set(&wire->event, 6, rumble_event_F_fx);
}

typedef enum variant { L1, L2, Z2, Z3, Z4A, Z4, Z4P, Z5, Z6 } variant;

static const struct {
    const char *name;
    unsigned size_width;
    bool zip, frame_size, sub_index;
    unsigned player_ids; /* how many the layout knows */
} variants[] = {
    [L1] = {"l1", 0, false, false, false, 11}, [L2] = {"l2", 0, false, false, false, 11},
    [Z2] = {"z2", 0, true, false, false, 11},  [Z3] = {"z3", 1, true, true, true, 14},
    [Z4A] = {"z4a", 1, true, true, true, 25},  [Z4] = {"z4", 1, true, true, true, 25},
    [Z4P] = {"z4p", 1, true, true, false, 25}, [Z5] = {"z5", 2, true, true, true, 26},
    [Z6] = {"z6", 2, true, true, true, 26},
};

static void init_variant(rumble_wire *wire, variant v)
{
    *wire = (rumble_wire){
        .name = variants[v].name,
        .zip = variants[v].zip,
        .frame_size = variants[v].frame_size,
        .sub_index = variants[v].sub_index,
        .extension = RUMBLE_CHUNK_EXTENSION,
        .props = v == Z6,
    };
    init_maps(wire, variants[v].size_width);
    forget_from(&wire->player, variants[v].player_ids);
    if (v <= Z2)
        forget_from(&wire->structure, 4);
    else if (v == Z3)
        init_z3_structure(&wire->structure);
    else if (v == Z4P)
        init_z4p(wire);
    if (v == Z6)
        rp_tag_map_set(&wire->structure, 7, rumble_structure_F_game_state);
    if (v == L1)
        rp_tag_map_set(&wire->player, 8, RP_TAG_UNKNOWN); /* no currentStack yet */
}

bool rumble_wire_init(rumble_wire *wire, const char *name)
{
    for (size_t i = 0; i < RP_COUNT(variants); i++) {
        if (strcmp(variants[i].name, name) == 0) {
            init_variant(wire, (variant)i);
            return true;
        }
    }
    return false;
}

uint64_t rumble_mapped_fields(const rp_tag_map *map)
{
    uint64_t fields = 0;
    for (unsigned id = 0; id < RP_TAGS_MAX; id++) {
        if (map->tags[id].field != RP_TAG_UNKNOWN)
            fields |= UINT64_C(1) << map->tags[id].field;
    }
    return fields;
}

void rumble_set_layout(rumble_replay *replay, const char *name)
{
    bool sub_index = replay->wire.name ? replay->wire.sub_index : true;
    if (!rumble_wire_init(&replay->wire, name))
        return;
    /* For one day extensions had no SubIndex yet: that is found by walking, not by the layout. */
    if (replay->wire.sub_index)
        replay->wire.sub_index = sub_index;
    replay->base.layout = replay->wire.name;
    replay->base.fields[RUMBLE_PLAYERS] = rumble_mapped_fields(&replay->wire.player);
    replay->base.fields[RUMBLE_STRUCTURES] = rumble_mapped_fields(&replay->wire.structure);
    replay->base.fields[RUMBLE_EVENTS] = rumble_mapped_fields(&replay->wire.event);
}
