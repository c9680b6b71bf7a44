/*
 * grammar_entry.h - the entries of a frame in the ZIP layouts: the only place that knows how one is
 * framed.
 *
 * An entry is a type, an index, a length and so many bytes; extensions have a second number before
 * the length, except for one day's builds and in Z4p. Reading, telling layouts apart, recovery and
 * sizes all walk this iterator.
 */
#ifndef RUMBLE_ENTRY_H
#define RUMBLE_ENTRY_H

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
 * Takes the next entry off a frame; false with the error set if it is not there. `whole`: nothing
 * can follow what the reader shows, so an entry that is longer is corrupt and not cut off.
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

/* Reads what stands before the entries; on failure there are none. */
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

/* The same for loops that read without a reader: an entry without a second number, or nothing. */
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

#endif
