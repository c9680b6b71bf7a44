/* legacy.c - what a frame of the RGZP layouts holds: a flag for every object, then its state. */
#include "expand.h"
#include "read.h"

/* Legacy states in the order of the file; the player's is rig, head, left, right. */
/* clang-format off */
#define L1_PLAYER(F, T)             \
    F(T, rig_pos)   F(T, rig_rot)   \
    F(T, head_pos)  F(T, head_rot)  \
    F(T, lhand_pos) F(T, lhand_rot) \
    F(T, rhand_pos) F(T, rhand_rot) \
    F(T, health)    F(T, active)
#define L1_STRUCTURE(F, T) F(T, pos) F(T, rot) F(T, active) F(T, grounded)
/* clang-format on */

const uint8_t rumble_l1_player_order[RUMBLE_L1_PLAYER_FIELDS] = {
    L1_PLAYER(RP_PLAIN_NUMBER, rumble_player)};
static const uint8_t l1_structure_order[RUMBLE_L1_STRUCTURE_FIELDS] = {
    L1_STRUCTURE(RP_PLAIN_NUMBER, rumble_structure)};
enum {
    L1_PLAYER_SIZE = 0 L1_PLAYER(RP_PLAIN_BYTES, rumble_player),
    L1_STRUCTURE_SIZE = 0 L1_STRUCTURE(RP_PLAIN_BYTES, rumble_structure),
};
RP_EXPAND_PLAIN(quick_player, rumble_player, L1_PLAYER)
RP_EXPAND_PLAIN(quick_structure, rumble_structure, L1_STRUCTURE)

/* The kinds of objects in the order of the file. */
static const size_t order[] = {RUMBLE_CHUNK_STRUCTURE, RUMBLE_CHUNK_PLAYER};

void rumble_skip_legacy_objects(const rumble_decoder *d, rp_reader *r)
{
    bool chunked = !d->plain;
    for (size_t k = 0; k < RP_COUNT(order); k++) {
        int32_t plain = order[k] == RUMBLE_CHUNK_PLAYER ? L1_PLAYER_SIZE : L1_STRUCTURE_SIZE;
        for (uint32_t i = 0; i < d->objects[order[k]].count && rp_ok(r); i++) {
            uint8_t changed = rp_u8(r, "changed");
            if (chunked)
                rp_skip(r, 1, "type");
            if (changed != 1)
                continue;
            int32_t size = chunked ? rp_i32(r, "length") : plain;
            rp_skip(r, size < 0 ? SIZE_MAX : (size_t)size, "state");
        }
    }
}

/* A record of fixed size read in its own order; all of its fields are then there. */
static uint64_t read_l1_state(rp_reader *r, const rp_record *record, const uint8_t *fields,
                              size_t count, size_t size, void *to)
{
    rp_reader state = rp_sub(r, size, "state");
    rp_plain_read(&state, record, fields, count, to);
    uint64_t present = 0;
    for (size_t i = 0; i < count; i++)
        present |= UINT64_C(1) << fields[i];
    return present;
}

/* L2: a chunk of fields; an id it does not know ends it. */
static uint64_t read_l2_chunk(rp_reader *r, const rp_tag_map *map, void *to)
{
    int32_t length = rp_i32(r, "length");
    if (length < 0)
        rp_fail(r, REPRISE_E_CORRUPT, "length", "is %d", length);
    rp_reader chunk = rp_sub(r, rp_ok(r) ? (size_t)length : 0, "chunk");
    uint64_t present = 0;
    size_t unknown = 0;
    while (rp_ok(r) && rp_left(&chunk)) {
        int id = rp_peek(&chunk);
        if (map->tags[id].field == RP_TAG_UNKNOWN)
            break;
        rp_reader one = rp_sub(&chunk, 1u + map->tags[id].size_usual, "field");
        rp_tagged_read(&one, map, to, &present, &unknown);
    }
    return present;
}

static void read_legacy_object(rumble_decoder *d, size_t kind, uint32_t index, bool chunked,
                               rp_reader *r)
{
    const rumble_objects *objects = &d->objects[kind];
    void *state = (char *)objects->states + (size_t)index * objects->size;
    uint8_t changed = rp_u8(r, "changed");
    if (chunked)
        rp_u8(r, "type");
    if (changed > 1)
        rp_fail(r, REPRISE_E_CORRUPT, "changed", "flag is %u, 0 or 1 was expected", changed);
    if (!changed || !rp_ok(r))
        return;
    uint64_t present;
    if (chunked)
        present = read_l2_chunk(r, kind ? &d->wire->structure : &d->wire->player, state);
    else
        present = kind ? read_l1_state(r, &rumble_structure_record, l1_structure_order,
                                       RP_COUNT(l1_structure_order), L1_STRUCTURE_SIZE, state)
                       : read_l1_state(r, &rumble_player_record, rumble_l1_player_order,
                                       RUMBLE_L1_PLAYER_FIELDS, L1_PLAYER_SIZE, state);
    rumble_pen pen = rumble_take_pen(d);
    if (present)
        rumble_touched(&pen, objects, index, state, present);
    rumble_lay_pen(d, pen);
    d->about.entries++;
}

/*
 * The states of one kind in a well-written L1 frame, where flags of 0 (unchanged) stand side by
 * side. Returns false for anything else, at whatever place.
 */
#define QUICK_L1(function, T, ORDER, reader)                                               \
    static inline bool function(rumble_pen *pen, const rumble_objects *from, rp_cursor *c, \
                                uint32_t *changed)                                         \
    {                                                                                      \
        const rumble_objects objects = *from;                                              \
        for (uint32_t i = 0;; i++) {                                                       \
            i += (uint32_t)rp_cursor_zeros(c, objects.count - i);                          \
            if (i == objects.count)                                                        \
                return true;                                                               \
            T *state = (T *)objects.states + i;                                            \
            if (!c->left || rp_cursor_peek(c) != 1)                                        \
                return false;                                                              \
            rp_cursor_skip(c, 1);                                                          \
            if (!reader(c, state))                                                         \
                return false;                                                              \
            rumble_touched(pen, &objects, i, state, 0 ORDER(RP_PLAIN_BIT, T));             \
            ++*changed;                                                                    \
        }                                                                                  \
    }
QUICK_L1(quick_players, rumble_player, L1_PLAYER, quick_player)
QUICK_L1(quick_structures, rumble_structure, L1_STRUCTURE, quick_structure)

size_t rumble_quick_legacy_frame(rumble_decoder *d, rp_cursor c)
{
    size_t before = c.left;
    const uint8_t *time = rp_cursor_take(&c, 4);
    if (!time || d->base.batch.capacity <= d->object_count)
        return 0;
    d->time = rp_load_f32(time);
    rumble_begin_rows(d, 0, NULL);
    rumble_pen pen = rumble_take_pen(d);
    uint32_t changed = 0;
    if (!quick_structures(&pen, &d->objects[RUMBLE_CHUNK_STRUCTURE], &c, &changed) ||
        !quick_players(&pen, &d->objects[RUMBLE_CHUNK_PLAYER], &c, &changed)) {
        d->step++; /* whoever reads the frame now has touched nothing yet */
        return 0;
    }
    d->about.entries = changed;
    rumble_lay_pen(d, pen);
    return before - c.left;
}

static void careful_frame(rumble_decoder *d, bool chunked, rp_reader *r)
{
    for (size_t k = 0; k < RP_COUNT(order); k++) {
        for (uint32_t i = 0; i < d->objects[order[k]].count && rp_ok(r); i++) {
            read_legacy_object(d, order[k], i, chunked, r);
            if (!rp_ok(r))
                rp_error_at(r->error, "%s[%u]", rumble_tracks[RUMBLE_PLAYERS + order[k]].name, i);
        }
    }
}

void rumble_read_legacy_frame(rumble_decoder *d, rp_reader *r)
{
    d->time = rp_f32(r, "time");
    d->about.entries = 0;
    if (rp_ok(r) && rumble_begin_rows(d, rp_left(r), r->error))
        careful_frame(d, !d->plain, r);
}
