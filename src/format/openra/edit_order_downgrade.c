/*
 * edit_order_downgrade.c - changes an order into what another dialect can hold.
 *
 * Most orders pass unchanged. What the other dialect cannot store is removed and reported as a bit,
 * so that a plan can count losses before anything is written.
 */
#include "write.h"

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)
#define HAS_TARGET                                                                        \
    (HAS(target_kind) | HAS(target_actor) | HAS(target_generation) | HAS(target_viewer) | \
     HAS(target_frozen) | HAS(target_cell_x) | HAS(target_cell_y) | HAS(target_layer) |   \
     HAS(target_subcell) | HAS(target_pos_x) | HAS(target_pos_y) | HAS(target_pos_z) |    \
     HAS(target_terrain))

const char *const ora_loss_names[ORA_LOSS_COUNT] = {
    [ORA_LOSS_EXTRA_ACTORS] = "extra actors",
    [ORA_LOSS_GENERATION] = "actor generations",
    [ORA_LOSS_TERRAIN] = "terrain positions",
    [ORA_LOSS_POSITION] = "positions between cells",
    [ORA_LOSS_FROZEN] = "targets under the fog",
    [ORA_LOSS_LAYER] = "layers and places inside cells",
    [ORA_LOSS_RANGE] = "cells beyond the packed range",
    [ORA_LOSS_IMMEDIATE] = "fields of immediate orders (team of a chat)",
    [ORA_LOSS_DAMAGED] = "packets that do not decode",
    [ORA_LOSS_DEFEAT] = "who has lost, in sync packets",
    [ORA_LOSS_SYNC_LIST] = "further values of sync packets",
};

enum {
    B_SUBCELL_INVALID = INT32_MIN,
    B_SUBCELL_ANY = INT32_MIN / 2,
    SUBCELL_INVALID = 255,
    SUBCELL_ANY = 254,
    PACKED_MIN = -2048,
    PACKED_MAX = 2047,
};

static bool is_handshake(const ora_order *o)
{
    return ora_is(&o->order, "HandshakeRequest") || ora_is(&o->order, "HandshakeResponse");
}

/* Older dialects store immediate orders as name and text, newer ones as fields. */
static uint32_t lower_type(const ora_dialect *to, ora_order *o, uint64_t *present)
{
    if (!to->any_handshake) {
        if (o->type == ORA_HANDSHAKE && !is_handshake(o))
            o->type = ORA_FIELDS;
        return 0;
    }
    if (o->frame != 0 || o->type == ORA_HANDSHAKE)
        return 0;
    uint32_t lost = *present & (HAS(extra_data) | HAS(subject) | HAS_TARGET)
                        ? 1u << ORA_LOSS_IMMEDIATE
                        : 0;
    o->type = ORA_HANDSHAKE;
    if (!(*present & HAS(item)))
        o->item = (rp_text){"", 0};
    *present |= HAS(item);
    return lost;
}

/* Dialect a can only store one actor or one cell. */
static uint32_t flatten_target(ora_order *o, uint64_t *present)
{
    uint32_t lost = 0;
    if (o->target_kind == ORA_TARGET_POS) {
        lost |= o->target_pos_x % ORA_UNITS_PER_CELL || o->target_pos_y % ORA_UNITS_PER_CELL ||
                        o->target_pos_z
                    ? 1u << ORA_LOSS_POSITION
                    : 0;
        o->target_cell_x = ora_cell_of(o->target_pos_x);
        o->target_cell_y = ora_cell_of(o->target_pos_y);
        *present |= HAS(target_cell_x) | HAS(target_cell_y);
    }
    if (o->target_kind == ORA_TARGET_FROZEN)
        lost |= 1u << ORA_LOSS_FROZEN;
    if ((*present & HAS(target_layer) && o->target_layer) ||
        (*present & HAS(target_subcell) && o->target_subcell))
        lost |= 1u << ORA_LOSS_LAYER;
    return lost;
}

static bool in_packed_range(int32_t x, int32_t y)
{
    return x >= PACKED_MIN && x <= PACKED_MAX && y >= PACKED_MIN && y <= PACKED_MAX;
}

static void convert_subcell(const ora_dialect *from, const ora_dialect *to, ora_order *o)
{
    if (from->subcell_size == 4 && to->subcell_size == 1) {
        if (o->target_subcell == B_SUBCELL_INVALID)
            o->target_subcell = SUBCELL_INVALID;
        else if (o->target_subcell == B_SUBCELL_ANY)
            o->target_subcell = SUBCELL_ANY;
    } else if (from->subcell_size == 1 && to->subcell_size == 4) {
        if (o->target_subcell == SUBCELL_INVALID)
            o->target_subcell = B_SUBCELL_INVALID;
        else if (o->target_subcell == SUBCELL_ANY)
            o->target_subcell = B_SUBCELL_ANY;
    }
}

static uint32_t lower_target(const ora_dialect *from, const ora_dialect *to, ora_order *o,
                             uint64_t *present)
{
    uint32_t lost = 0;
    if (!to->generation && *present & HAS(target_generation) && o->target_generation)
        lost |= 1u << ORA_LOSS_GENERATION;
    if (!to->terrain && *present & HAS(target_terrain))
        lost |= 1u << ORA_LOSS_TERRAIN;
    if (!to->typed_target)
        return lost | flatten_target(o, present);
    convert_subcell(from, to, o);
    /* Only dialect a can store both an actor and a cell. */
    if (o->target_kind == ORA_TARGET_ACTOR && *present & HAS(target_cell_x))
        lost |= 1u << ORA_LOSS_POSITION;
    if (to->cell == ORA_CELL_PACKED && *present & HAS(target_cell_x) &&
        !in_packed_range(o->target_cell_x, o->target_cell_y))
        lost |= 1u << ORA_LOSS_RANGE;
    return lost;
}

uint32_t ora_downgrade_order(const ora_dialect *from, const ora_dialect *to, ora_order *o,
                             uint64_t *present)
{
    uint32_t lost = lower_type(to, o, present);
    if (o->type == ORA_HANDSHAKE)
        return lost;
    if (*present & HAS(target_kind))
        lost |= lower_target(from, to, o, present);
    if (*present & HAS(extra_actors) && to->protocol < 9) {
        lost |= 1u << ORA_LOSS_EXTRA_ACTORS;
        *present &= ~HAS(extra_actors);
    }
    if (*present & HAS(extra_x)) {
        if (to->cell == ORA_CELL_PACKED && !in_packed_range(o->extra_x, o->extra_y))
            lost |= 1u << ORA_LOSS_RANGE;
        if (to->cell == ORA_CELL_XY && o->extra_layer)
            lost |= 1u << ORA_LOSS_LAYER;
    }
    return lost;
}

bool ora_splits(const ora_dialect *to, const ora_order *o, uint64_t present)
{
    return o->type == ORA_FIELDS && to->protocol < 11 && present & HAS(grouped);
}
