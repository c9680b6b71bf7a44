/*
 * expand.h - generates straight-line readers for a format's hot records from the lists of their
 * fields.
 *
 * The table engines take about three times as long per field. Here the compiler sees the list, so
 * every size, offset and field number is a constant. There are three kinds of readers:
 *
 *     RP_EXPAND_MASKED(read_top, kz_tick_top, KZ_TICK_TOP)        like rp_masked_read
 *     RP_EXPAND_TAGGED(quick_player, rumble_player, RUMBLE_PLAYER) like rp_tagged_read
 *     RP_EXPAND_PLAIN(quick_state, rumble_player, L1_PLAYER)       like rp_plain_read
 *
 * They only read well-formed data. Anything else is left to the engine, which reads the same bytes
 * again and reports errors.
 */
#ifndef RP_EXPAND_H
#define RP_EXPAND_H

#include "schema.h"

/* ---- values ---- */

/* Returns the next n bytes without moving, or NULL. */
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
/* The size of a record with all of its fields. */
#define RP_EXPAND_SIZE(LIST) (0 LIST(RP_EXPAND_FIELD_SIZE, ))

static inline void rp_expand_BOOL(const uint8_t *at, bool *to)
{
    *to = *at != 0;
}

static inline void rp_expand_U8(const uint8_t *at, uint8_t *to)
{
    *to = *at;
}

static inline void rp_expand_I16(const uint8_t *at, int16_t *to)
{
    *to = (int16_t)rp_load16(at);
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
    rp_load_floats(at, &to->x, 3);
}

/* ---- masked ----
 *
 * RP_EXPAND_SIZE(LIST) bytes must be readable (rp_reach). Bits are the list's tags; shift the mask
 * for a part that starts at another bit. Predicted fields need an rp_predict that the compiler can
 * see. Only kinds of fixed size. Branches are nearly free because change bits repeat from row to
 * row; loading without branches was slower.
 */

/* Handles an absent field: the type of the sub-object says whether it is predicted. */
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

/*
 * The same into two rows, for a record that starts as a copy of another. Copying it afterwards
 * would stall, because the copy is wider than the stores before it.
 */
#define RP_EXPAND_READ_BOTH(T, name, kind, tag, sub, doc) \
    if (mask >> (tag)&1) {                                \
        rp_expand_##kind(at, &row->name);                 \
        rp_expand_##kind(at, &also->name);                \
        at += RP_WIRE_##kind;                             \
    } else {                                              \
        RP_EXPAND_ABSENT(sub, &row->name);                \
        RP_EXPAND_ABSENT(sub, &also->name);               \
    }

#define RP_EXPAND_MASKED_BOTH(function, T, LIST)                                             \
    static inline const uint8_t *function(const uint8_t *at, uint64_t mask, T *row, T *also) \
    {                                                                                        \
        LIST(RP_EXPAND_READ_BOTH, T)                                                         \
        return at;                                                                           \
    }

/* ---- loads by the type of the member, for lists whose kinds share types ---- */

enum { RP_PACKED_SIZE = 7, RP_FULL_ROT_SIZE = 16 }; /* of rotations */

static inline void rp_expand_full(const uint8_t *at, rp_rot *to)
{
    to->size = RP_FULL_ROT_SIZE;
    memcpy(to->bytes, at, RP_FULL_ROT_SIZE);
}

/* Copies eight bytes, starting one before the value; the size then overwrites that byte. */
static inline void rp_expand_packed(const uint8_t *at, rp_rot *to)
{
    memcpy(to, at - 1, 1 + RP_PACKED_SIZE);
    to->size = RP_PACKED_SIZE;
}

/* Never called: text has no usual size. */
static inline void rp_expand_nothing(const uint8_t *at, rp_text *to)
{
    RP_UNUSED(at);
    RP_UNUSED(to);
}

#define RP_EXPAND_LOADS                                                                \
    bool * : rp_expand_BOOL,                                                           \
             uint8_t * : rp_expand_U8,                                                 \
                         int16_t * : rp_expand_I16,                                    \
                                     int32_t * : rp_expand_I32,                        \
                                                 float * : rp_expand_F32,              \
                                                           rp_vec3 * : rp_expand_VEC3, \
                                                                       rp_text         \
                                                                           * : rp_expand_nothing

#define RP_EXPAND_SIZES                                                                 \
    bool * : (size_t)1,                                                                 \
             uint8_t * : (size_t)1,                                                     \
                         int16_t * : (size_t)2,                                         \
                                     int32_t * : (size_t)4,                             \
                                                 float * : (size_t)4,                   \
                                                           rp_vec3 * : sizeof(rp_vec3), \
                                                                       rp_text * : SIZE_MAX / 4

/* ---- tagged, with sizes of two bytes; false for anything unusual ---- */

#define RP_TAGGED_LOAD(at, to) _Generic((to), RP_EXPAND_LOADS, rp_rot * : rp_expand_packed)(at, to)
#define RP_TAGGED_SIZE(to) \
    (RP_TAG_HEAD_SIZE + _Generic((to), RP_EXPAND_SIZES, rp_rot * : (size_t)RP_PACKED_SIZE))

static inline bool rp_packed_legal(const void *to)
{
    return ((const rp_rot *)to)->bytes[RP_PACKED_SIZE - 1] <= 3;
}

static inline bool rp_always_legal(const void *to)
{
    RP_UNUSED(to);
    return true;
}

#define RP_TAGGED_LEGAL(to) \
    _Generic((to), rp_rot * : rp_packed_legal, default : rp_always_legal)(to)

/*
 * A field is reached in two ways: from the field listed before it, by a comparison that usually
 * succeeds, or through the switch.
 */
#define RP_TAGGED_CASE(T, name, kind, tag, sub, doc)                                     \
    if (!rp_cursor_begins(&c, map->heads[T##_F_##name], RP_TAGGED_SIZE(&row->name)))     \
        continue;                                                                        \
    if (0) {                                                                             \
    case T##_F_##name:                                                                   \
        if (!rp_cursor_begins(&c, map->heads[T##_F_##name], RP_TAGGED_SIZE(&row->name))) \
            return false;                                                                \
    }                                                                                    \
    RP_TAGGED_LOAD(rp_cursor_past(&c, RP_TAG_HEAD_SIZE), &row->name);                    \
    if (!RP_TAGGED_LEGAL(&row->name))                                                    \
        return false;                                                                    \
    rp_cursor_skip(&c, RP_TAGGED_SIZE(&row->name));                                      \
    seen |= UINT64_C(1) << T##_F_##name;

/* Nearly every chunk starts with the first field of its list. */
#define RP_EXPAND_TAGGED(function, T, LIST)                                                        \
    static inline bool function(rp_cursor c, const rp_tag_map *map, T *row, uint64_t *ret_present) \
    {                                                                                              \
        uint64_t seen = 0;                                                                         \
        goto first;                                                                                \
        while (c.left) {                                                                           \
            switch (map->tags[rp_cursor_peek(&c)].field) {                                         \
            default:                                                                               \
                return false;                                                                      \
            first:                                                                                 \
                LIST(RP_TAGGED_CASE, T)                                                            \
            }                                                                                      \
        }                                                                                          \
        *ret_present = seen;                                                                       \
        return true;                                                                               \
    }

/* ---- plain: from an order of fields, which is a separate list F(T, name) ---- */

#define RP_PLAIN_LOAD(at, to) _Generic((to), RP_EXPAND_LOADS, rp_rot * : rp_expand_full)(at, to)
#define RP_PLAIN_SIZE(to)     _Generic((to), RP_EXPAND_SIZES, rp_rot * : (size_t)RP_FULL_ROT_SIZE)

/* For an order: field numbers for rp_plain_read, presence bits, size. */
#define RP_PLAIN_NUMBER(T, name) T##_F_##name,
#define RP_PLAIN_BIT(T, name)    | UINT64_C(1) << T##_F_##name
#define RP_PLAIN_BYTES(T, name)  +RP_PLAIN_SIZE(&((T *)NULL)->name)
#define RP_PLAIN_STEP(T, name)     \
    RP_PLAIN_LOAD(at, &row->name); \
    at += RP_PLAIN_SIZE(&row->name);

/* As with masked records, all bytes of the order must be readable. */
#define RP_EXPAND_PLAIN(function, T, ORDER)                  \
    static inline void function(const uint8_t *from, T *row) \
    {                                                        \
        const uint8_t *at = from;                            \
        ORDER(RP_PLAIN_STEP, T)                              \
    }

#endif
