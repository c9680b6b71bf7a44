/*
 * shape.h - entities that are sound and usual, checked fast: states consist mostly of these.
 *
 * Entities with the same components have the same shape: the same fields at the same places, of
 * which some must be below a limit. So a shape is made once, from the tables, and then every entity
 * that has it is checked against it without a branch. Whatever is unusual or wrong is left to the
 * readers of components.c, which say what it is.
 */
#ifndef IC_SHAPE_H
#define IC_SHAPE_H

#include "state.h"

enum {
    IC_SHAPE_LIMITS = 8, /* fields with a limit that the usual components have at most */
    IC_SHAPES = 32,
    /* Bytes of the components that every entity has, and so the place of the others. */
    IC_IDENTITY_BYTES = 12,
    IC_POSITION_BYTES = 12,
    IC_HEALTH_BYTES = 8,
    IC_REST_AT = IC_IDENTITY_BYTES + IC_POSITION_BYTES + IC_HEALTH_BYTES,
    IC_MOBILE_BYTES = 12,
};

typedef struct ic_shape {
    uint64_t key;  /* of what it was made; 0: of nothing yet */
    uint32_t size; /* of all components; 0: not usual */
    struct {
        uint32_t at, most;
    } limits[IC_SHAPE_LIMITS];
} ic_shape;

/* Shapes of one state: `names` limits what is interned. */
typedef struct ic_shapes {
    uint32_t names;
    ic_shape of[IC_SHAPES];
} ic_shapes;

void ic_shape_make(ic_shape *shape, uint64_t key, uint32_t names);

/* The fields that do not have a plain limit. */
typedef struct ic_outline {
    uint32_t owner;
    ic_pos pos;
    ic_health health;
} ic_outline;

/* A target changes the place of everything behind it, so it is part of the key. */
static inline uint64_t ic_shape_key(uint64_t mask, uint8_t target)
{
    return mask | (uint64_t)target << 62;
}

/* Sound but for what is in the outline; false: unusual or wrong. */
static inline bool ic_is_usual(ic_shapes *shapes, const ic_entity *entity, ic_outline *ret)
{
    uint64_t mask = entity->component_mask;
    size_t size = entity->components.size;
    size_t target_at = IC_REST_AT + IC_HAS(mask, Mobile) * IC_MOBILE_BYTES;
    rp_cursor c = rp_cursor_at(entity->components.data, size);
    const uint8_t *p = rp_cursor_take(&c, size);
    if (size <= target_at || mask >> 62)
        return false;
    /* No branch: whether a unit goes somewhere is anybody's guess. */
    uint8_t target = (uint8_t)(p[target_at] & -(unsigned)IC_HAS(mask, Navigation));
    uint64_t key = ic_shape_key(mask, target & 1);
    ic_shape *shape = &shapes->of[(key ^ key >> 5 ^ key >> 59) % IC_SHAPES];
    if (shape->key != key)
        ic_shape_make(shape, key, shapes->names);
    if (shape->size != size)
        return false;
    bool ok = target <= 1;
    for (size_t i = 0; i < IC_SHAPE_LIMITS; i++)
        ok &= rp_load32(p + shape->limits[i].at) <= shape->limits[i].most;
    const uint8_t *pos = p + IC_IDENTITY_BYTES, *health = pos + IC_POSITION_BYTES;
    ret->owner = rp_load32(p + 8);
    ret->pos = (ic_pos){(int32_t)rp_load32(pos), (int32_t)rp_load32(pos + 4),
                        (int32_t)rp_load32(pos + 8)};
    ret->health = (ic_health){(int32_t)rp_load32(health), (int32_t)rp_load32(health + 4)};
    return ok;
}

#endif
