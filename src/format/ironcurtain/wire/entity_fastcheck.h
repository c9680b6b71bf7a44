/*
 * entity_fastcheck.h - entities that are sound and usual, checked fast: states consist mostly of
 * these.
 *
 * Entities with the same components have the same shape: the same fields at the same places, most
 * of which must lie in some range. So a shape is made once, from the tables, and then every entity
 * that has it is held against it, four neighbouring fields at a time and without a branch. Whatever
 * is unusual or wrong is left to the readers of components.c, which say what it is.
 */
#ifndef IRONCURTAIN_WIRE_ENTITY_FASTCHECK_H
#define IRONCURTAIN_WIRE_ENTITY_FASTCHECK_H

#include "state.h"

enum {
    IC_QUAD_LANES = 4,
    IC_QUAD_BYTES = sizeof(rp_quad),
    /* Size of the components that every entity has, and so the offset of the others. */
    IC_IDENTITY_BYTES = 12,
    IC_POSITION_BYTES = 12,
    IC_HEALTH_BYTES = 8,
    IC_REST_AT = IC_IDENTITY_BYTES + IC_POSITION_BYTES + IC_HEALTH_BYTES,
    IC_OWNER_AT = 8,
    IC_HEALTH_AT = IC_IDENTITY_BYTES + IC_POSITION_BYTES,
    IC_COMMON_QUADS = IC_REST_AT / IC_QUAD_BYTES,
    IC_SHAPE_QUADS = 3, /* enough for all other fields with a range */
    IC_SHAPES = 32,
    IC_SHAPE_SHIFT = 64 - 5, /* leaves the top 5 bits of a hash: a shape number */
    IC_PLAYER_BITS = 64,
    /* Entities may be this far outside the map, and this far above or below it. */
    IC_MAP_MARGIN = 32 * 1024,
    IC_MAP_HEIGHT_MAX = 65536,
};

/*
 * Four consecutive fields and their ranges. A field minus `base`, as a signed number, is at most
 * `most`: with a base 2^31 above the smallest value this takes one subtraction and one comparison.
 */
typedef struct ic_quad {
    rp_quad base;
    rp_signed_quad most;
} ic_quad;

/* Nonzero in each lane whose field is outside its range. */
static inline rp_signed_quad ic_quad_outside(const ic_quad *quad, const uint8_t *fields)
{
    return (rp_signed_quad)(rp_load_quad(fields) - quad->base) > quad->most;
}

typedef struct ic_shape {
    _Alignas(128) ic_quad quads[IC_SHAPE_QUADS]; /* aligned so that finding a shape is a shift */
    uint32_t at[IC_SHAPE_QUADS];
    uint32_t size; /* of all components; 0: not a usual entity */
} ic_shape;

/* A set of components and the offset of the flag of a target, which moves everything after it. */
typedef struct ic_shape_key {
    uint64_t mask; /* 0: not learned yet */
    uint32_t flag_at;
    uint32_t flag_bits; /* 0: there is no such flag */
} ic_shape_key;

/* The shapes of one state; its tables, players and map limit the fields. */
typedef struct ic_shapes {
    const ic_core *core;
    uint64_t players; /* those with small numbers, as bits */
    ic_quad common[IC_COMMON_QUADS];
    ic_shape_key keys[IC_SHAPES];
    ic_shape of[IC_SHAPES][2]; /* without a target, with one */
} ic_shapes;

void ic_shapes_init(ic_shapes *shapes, const ic_core *core);
/* Learns the shapes of a set of components; false: they are known. */
bool ic_shapes_learn(ic_shapes *shapes, uint64_t mask);

/*
 * The combined result for usual entities: whether all are valid is decided once, at the end. The
 * readers of components.c find out which one is not.
 */
typedef struct ic_verdict {
    rp_signed_quad outside; /* of the ranges */
    uint64_t owners;        /* as bits */
    uint32_t flags;         /* of targets */
    bool overfull;          /* of health */
} ic_verdict;

static inline size_t ic_shape_number(uint64_t mask)
{
    return mask * UINT64_C(0x9E3779B97F4A7C15) >> IC_SHAPE_SHIFT;
}

/* Adds an entity to the result; false: it is not usual, or its shape was not learned. */
static inline bool ic_add_usual(const ic_shapes *shapes, const ic_entity *entity,
                                ic_verdict *verdict)
{
    uint64_t mask = entity->component_mask;
    size_t size = entity->components.size, number = ic_shape_number(mask);
    const ic_shape_key *key = &shapes->keys[number];
    rp_cursor c = rp_cursor_at(entity->components.data, size);
    const uint8_t *p = rp_cursor_take(&c, size);
    if (key->mask != mask || size <= key->flag_at)
        return false;
    /* No branch: whether a unit has a target is unpredictable. */
    uint32_t flag = p[key->flag_at] & key->flag_bits;
    const ic_shape *shape = &shapes->of[number][flag & 1];
    if (shape->size != size)
        return false;
    rp_signed_quad outside = verdict->outside;
    for (size_t i = 0; i < IC_COMMON_QUADS; i++)
        outside |= ic_quad_outside(&shapes->common[i], p + i * IC_QUAD_BYTES);
    for (size_t i = 0; i < IC_SHAPE_QUADS; i++)
        outside |= ic_quad_outside(&shape->quads[i], p + shape->at[i]);
    verdict->outside = outside;
    verdict->flags |= flag;
    verdict->owners |= UINT64_C(1) << (rp_load32(p + IC_OWNER_AT) % IC_PLAYER_BITS);
    verdict->overfull |= (int32_t)rp_load32(p + IC_HEALTH_AT) >
                         (int32_t)rp_load32(p + IC_HEALTH_AT + 4);
    return true;
}

bool ic_is_sound(const ic_shapes *shapes, ic_verdict verdict);

#endif
