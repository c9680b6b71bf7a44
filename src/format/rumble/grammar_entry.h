/*
 * grammar_entry.h - how the content of a frame is framed, in the ZIP layouts and in the RGZP ones.
 * Reading, layout detection, recovery and sizes all walk these iterators.
 *
 * An entry of a ZIP layout is a type, an index, a length and that many bytes; extensions have a
 * second number before the length, except in the builds of one day and in Z4p. An RGZP frame has a
 * flag for every object, and a state after each flag that is set.
 */
#ifndef RUMBLE_ENTRY_H
#define RUMBLE_ENTRY_H

#include "expand.h"
#include "rumble.h"

enum {
    RUMBLE_FRAME_HEAD = 8,  /* time and number of entries */
    RUMBLE_ENTRY_HEAD = 9,  /* type, index and length */
    RUMBLE_STRAY_USUAL = 9, /* an entry's head that some builds left after the last entry */
};

typedef struct rumble_entry {
    uint8_t type;
    int32_t index;     /* of the object, or a mod's hash */
    int32_t sub_index; /* 0 where there is none */
    size_t size;       /* with its head */
    rp_reader chunk;
} rumble_entry;

/*
 * Takes the next entry off a frame; false with the error set if it is missing. `whole`: the
 * reader shows the complete frame, so an entry that is longer is corrupt and not cut off.
 */
static inline bool rumble_take_entry(rp_reader *frame, bool sub_index, bool whole,
                                     rumble_entry *ret_entry)
{
    size_t before = rp_left(frame);
    ret_entry->type = rp_u8(frame, "type");
    ret_entry->index = rp_i32(frame, "index");
    ret_entry->sub_index = 0;
    if (sub_index && ret_entry->type == RUMBLE_CHUNK_EXTENSION)
        ret_entry->sub_index = rp_i32(frame, "sub_index");
    int32_t length = rp_i32(frame, "length");
    if (!rp_ok(frame))
        return false;
    if (length < 0 || (whole && (size_t)length > rp_left(frame))) {
        rp_fail(frame, REPRISE_E_CORRUPT, "length", "entry of %d bytes, %zu left in the frame",
                length, rp_left(frame));
        return false;
    }
    ret_entry->chunk = rp_sub(frame, (size_t)length, "chunk");
    ret_entry->size = before - rp_left(frame);
    return rp_ok(frame);
}

/* All entries of a frame, one after the other. */
typedef struct rumble_entries {
    rp_reader *frame;
    bool sub_index, whole;
    uint32_t count, next;
} rumble_entries;

/* Reads the head of a frame; on failure there are no entries. */
static inline rumble_entries rumble_entries_of(rp_reader *frame, bool sub_index, bool whole,
                                               float *ret_time)
{
    *ret_time = rp_f32(frame, "time");
    int32_t count = rp_i32(frame, "entry count");
    if (count < 0)
        rp_fail(frame, REPRISE_E_CORRUPT, "entry count", "is %d", count);
    return (rumble_entries){frame, sub_index, whole, rp_ok(frame) ? (uint32_t)count : 0, 0};
}

/* False after the last entry, or with the frame's error set. */
static inline bool rumble_next_entry(rumble_entries *entries, rumble_entry *ret_entry)
{
    if (entries->next == entries->count)
        return false;
    entries->next++;
    return rumble_take_entry(entries->frame, entries->sub_index, entries->whole, ret_entry);
}

/* For loops that read without a reader: takes an entry without a second number, or nothing. */
static inline bool rumble_quick_entry(rp_cursor *c, uint8_t *ret_type, uint32_t *ret_index,
                                      rp_cursor *ret_chunk)
{
    const uint8_t *head = rp_cursor_take(c, RUMBLE_ENTRY_HEAD);
    if (!head || !rp_cursor_sub(c, rp_load32(head + 5), ret_chunk))
        return false;
    *ret_type = head[0];
    *ret_index = rp_load32(head + 1);
    return true;
}

/* ---- RGZP ---- */

/* States of L1 have all fields of these lists and nothing else. */
/* clang-format off */
#define RUMBLE_L1_PLAYER(F, T)      \
    F(T, rig_pos)   F(T, rig_rot)   \
    F(T, head_pos)  F(T, head_rot)  \
    F(T, lhand_pos) F(T, lhand_rot) \
    F(T, rhand_pos) F(T, rhand_rot) \
    F(T, health)    F(T, active)
#define RUMBLE_L1_STRUCTURE(F, T) F(T, pos) F(T, rot) F(T, active) F(T, grounded)
/* clang-format on */

enum {
    RUMBLE_L1_PLAYER_SIZE = 0 RUMBLE_L1_PLAYER(RP_PLAIN_BYTES, rumble_player),
    RUMBLE_L1_STRUCTURE_SIZE = 0 RUMBLE_L1_STRUCTURE(RP_PLAIN_BYTES, rumble_structure),
    RUMBLE_L1_HEAD = 1, /* the flag */
    RUMBLE_L2_HEAD = 6, /* flag, type and length */
};

typedef struct rumble_legacy_object {
    bool changed;
    uint8_t type; /* L2 only; readers ignore it */
    rp_reader state;
} rumble_legacy_object;

/* The beginning of an object: its flag and, in L2, its type. False with the error set. */
static inline bool rumble_take_legacy_head(rp_reader *frame, bool chunked,
                                           rumble_legacy_object *ret_object)
{
    uint8_t changed = rp_u8(frame, "changed");
    if (changed > 1)
        rp_fail(frame, REPRISE_E_CORRUPT, "changed", "flag is %u, 0 or 1 was expected", changed);
    ret_object->changed = changed;
    ret_object->type = chunked ? rp_u8(frame, "type") : 0;
    return rp_ok(frame);
}

/* The rest of it. */
static inline bool rumble_take_legacy_state(rp_reader *frame, bool chunked, bool player,
                                            rumble_legacy_object *object)
{
    if (!object->changed)
        return true;
    int32_t length = chunked  ? rp_i32(frame, "length")
                     : player ? (int32_t)RUMBLE_L1_PLAYER_SIZE
                              : (int32_t)RUMBLE_L1_STRUCTURE_SIZE;
    if (length < 0)
        rp_fail(frame, REPRISE_E_CORRUPT, "length", "is %d", length);
    object->state = rp_sub(frame, rp_ok(frame) ? (size_t)length : 0, chunked ? "chunk" : "state");
    return rp_ok(frame);
}

/* Takes the next object off a legacy frame; false with the error set if it is missing. */
static inline bool rumble_take_legacy_object(rp_reader *frame, bool chunked, bool player,
                                             rumble_legacy_object *ret_object)
{
    return rumble_take_legacy_head(frame, chunked, ret_object) &&
           rumble_take_legacy_state(frame, chunked, player, ret_object);
}

#endif
