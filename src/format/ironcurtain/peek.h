/*
 * peek.h - components that are sound and usual, looked at fast: states consist mostly of these.
 *
 * One check of bounds per component instead of one per field, expanded from the same lists as the
 * structs and without a call, so that fields nobody asks about cost nothing. Whatever is unusual or
 * wrong makes it give up; the readers of components.c then say what it is.
 */
#ifndef IC_PEEK_H
#define IC_PEEK_H

#include "state.h"

#define SIZE_U32(tag)                            +4
#define SIZE_I32(tag)                            +4
#define SIZE_REC(tag)                            +tag##_size
#define SIZE_FIELD(T, name, kind, tag, sub, doc) SIZE_##kind(tag)
#define PEEK_U32(name, tag, sub)        \
    row->name = rp_load32(p);           \
    ok = ok && in_enum(sub, row->name); \
    p += 4;
#define PEEK_I32(name, tag, sub)       \
    row->name = (int32_t)rp_load32(p); \
    p += 4;
#define PEEK_REC(name, tag, sub)          \
    ok = ok && tag##_load(p, &row->name); \
    p += tag##_size;
#define PEEK_FIELD(T, name, kind, tag, sub, doc) PEEK_##kind(name, tag, sub)
#define PEEKER(T, LIST)                                   \
    enum { T##_size = 0 LIST(SIZE_FIELD, T) };            \
    static inline bool T##_load(const uint8_t *p, T *row) \
    {                                                     \
        bool ok = true;                                   \
        LIST(PEEK_FIELD, T)                               \
        RP_UNUSED(p);                                     \
        return ok;                                        \
    }
#define PEEK_FIXED(member)                                           \
    static inline bool peek_##member(rp_cursor *c, ic_##member *row) \
    {                                                                \
        const uint8_t *p = rp_cursor_take(c, ic_##member##_size);    \
        return p && ic_##member##_load(p, row);                      \
    }

/* NULL: any number will do. */
static inline bool in_enum(const void *names, uint32_t number)
{
    return !names || number < ((const rp_enum *)names)->count;
}

PEEKER(reprise_ic_pos, REPRISE_IC_POS)
PEEKER(ic_identity, REPRISE_IC_IDENTITY)
PEEKER(ic_position, REPRISE_IC_POSITION)
PEEKER(ic_health, REPRISE_IC_HEALTH)
PEEKER(ic_mobile, REPRISE_IC_MOBILE)
PEEKER(ic_attackable, REPRISE_IC_ATTACKABLE)
PEEKER(ic_armament, REPRISE_IC_ARMAMENT)
PEEKER(ic_building, REPRISE_IC_BUILDING)
PEEKER(ic_harvester, REPRISE_IC_HARVESTER)
PEEKER(ic_veterancy, REPRISE_IC_VETERANCY)
PEEK_FIXED(identity)
PEEK_FIXED(position)
PEEK_FIXED(health)
PEEK_FIXED(mobile)
PEEK_FIXED(attackable)
PEEK_FIXED(armament)
PEEK_FIXED(building)
PEEK_FIXED(harvester)
PEEK_FIXED(veterancy)

static inline bool peek_navigation(rp_cursor *c, ic_navigation *row)
{
    const uint8_t *flag = rp_cursor_take(c, 1);
    row->target = NULL;
    /* No branch: whether a unit goes somewhere is anybody's guess. */
    return flag && *flag <= 1 && rp_cursor_take(c, (size_t)*flag * reprise_ic_pos_size);
}

/* Most queues are empty: eight zeros, then a flag. */
static inline bool peek_build_queue(rp_cursor *c, ic_build_queue *row)
{
    const uint8_t *p = rp_cursor_take(c, 9);
    if (!p || rp_load64(p) || p[8] > 1)
        return false;
    *row = (ic_build_queue){.paused = p[8] == 1};
    return true;
}

static inline bool peek_extension(rp_cursor *c, ic_extension *row)
{
    RP_UNUSED(c);
    RP_UNUSED(row);
    return false;
}

#define PEEK_KNOWN(bit, member, name) | UINT64_C(1) << bit
#define PEEK_COMPONENT(bit, member, name)                      \
    if ((mask >> bit & 1) && !peek_##member(&c, &ret->member)) \
        return false;

/* False: look again with ic_components_look. Targets of navigation are not kept. */
static inline bool ic_components_peek(const rp_text *bytes, uint64_t mask, ic_components *ret)
{
    const uint64_t known = 0 REPRISE_IC_COMPONENTS(PEEK_KNOWN);
    rp_cursor c = rp_cursor_at(bytes->data, bytes->size);
    ret->mask = mask;
    if (mask & ~known)
        return false;
    REPRISE_IC_COMPONENTS(PEEK_COMPONENT)
    return !c.left;
}

#endif
