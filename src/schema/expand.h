/*
 * expand.h - the one hot record of a format as straight-line code, from the same list as its table.
 *
 * The table engines take about three times as long per field. A reader made here does what
 * rp_masked_read does, on bytes that the caller has checked to be in reach (rp_reach): as many as
 * RP_EXPAND_SIZE of the list. Loading without branches was tried: change bits repeat from row to
 * row, so the branches are nearly free and skip the loads.
 *
 *     RP_EXPAND_MASKED(read_top, kz_tick_top, KZ_TICK_TOP)
 *     at = read_top(at, mask, &row);
 *
 * Bits are the list's tags; shift the mask for a part that begins elsewhere. Predicted fields work
 * if their rp_predict can be seen by the compiler. Kinds with a fixed size only.
 */
#ifndef RP_EXPAND_H
#define RP_EXPAND_H

#include "schema.h"

/* The next n bytes without stepping over them, or NULL. */
static inline const uint8_t *rp_reach(const rp_reader *r, size_t n)
{
    return n <= rp_left(r) ? r->at : NULL;
}

/* Sizes on the wire. */
enum {
#define RP_EXPAND_WIRE(kind, ctype, wire, label) RP_WIRE_##kind = wire,
    RP_KINDS(RP_EXPAND_WIRE)
#undef RP_EXPAND_WIRE
};
#define RP_EXPAND_FIELD_SIZE(T, name, kind, tag, sub, doc) +RP_WIRE_##kind
/* What a record takes when all of its fields are there. */
#define RP_EXPAND_SIZE(LIST) (0 LIST(RP_EXPAND_FIELD_SIZE, ))

/* Loads: one per kind. */
static inline void rp_expand_BOOL(const uint8_t *at, bool *to)
{
    *to = *at != 0;
}

static inline void rp_expand_U8(const uint8_t *at, uint8_t *to)
{
    *to = *at;
}

static inline void rp_expand_U32(const uint8_t *at, uint32_t *to)
{
    *to = rp_load32(at);
}

static inline void rp_expand_I32(const uint8_t *at, int32_t *to)
{
    *to = (int32_t)rp_load32(at);
}

static inline void rp_expand_F32(const uint8_t *at, float *to)
{
    *to = rp_load_f32(at);
}

static inline void rp_expand_U64(const uint8_t *at, uint64_t *to)
{
    *to = rp_load64(at);
}

static inline void rp_expand_VEC3(const uint8_t *at, rp_vec3 *to)
{
    *to = (rp_vec3){rp_load_f32(at), rp_load_f32(at + 4), rp_load_f32(at + 8)};
}

/* What an absent field becomes; the sub-object tells by its type whether it predicts. */
static inline void rp_expand_predict(const void *predict, void *value)
{
    ((const rp_predict *)predict)->apply(value);
}

static inline void rp_expand_keep(const void *sub, void *value)
{
    RP_UNUSED(sub);
    RP_UNUSED(value);
}

#define RP_EXPAND_ABSENT(sub, value) \
    _Generic((sub), const rp_predict *: rp_expand_predict, default: rp_expand_keep)((sub), (value))

#define RP_EXPAND_READ(T, name, kind, tag, sub, doc) \
    if (mask >> (tag)&1) {                           \
        rp_expand_##kind(at, &row->name);            \
        at += RP_WIRE_##kind;                        \
    } else {                                         \
        RP_EXPAND_ABSENT(sub, &row->name);           \
    }

#define RP_EXPAND_MASKED(function, T, LIST)                                         \
    static inline const uint8_t *function(const uint8_t *at, uint64_t mask, T *row) \
    {                                                                               \
        LIST(RP_EXPAND_READ, T)                                                     \
        return at;                                                                  \
    }

#endif
