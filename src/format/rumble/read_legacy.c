/* read_legacy.c - what a frame of the RGZP layouts holds: a flag for every object, then its state.
 */
#include "grammar_entry.h"
#include "read.h"

const uint8_t rumble_l1_player_order[RUMBLE_L1_PLAYER_FIELDS] = {
    RUMBLE_L1_PLAYER(RP_PLAIN_NUMBER, rumble_player)};
static const uint8_t l1_structure_order[RUMBLE_L1_STRUCTURE_FIELDS] = {
    RUMBLE_L1_STRUCTURE(RP_PLAIN_NUMBER, rumble_structure)};
RP_EXPAND_PLAIN(quick_player, rumble_player, RUMBLE_L1_PLAYER)
RP_EXPAND_PLAIN(quick_structure, rumble_structure, RUMBLE_L1_STRUCTURE)

/* The kinds of objects in the order of the file. */
static const size_t order[] = {RUMBLE_CHUNK_STRUCTURE, RUMBLE_CHUNK_PLAYER};

void rumble_skip_legacy_objects(const rumble_decoder *d, rp_reader *r)
{
    rumble_legacy_object object;
    for (size_t k = 0; k < RP_COUNT(order); k++) {
        bool player = order[k] == RUMBLE_CHUNK_PLAYER;
        for (uint32_t i = 0; i < d->objects[order[k]].count; i++) {
            if (!rumble_take_legacy_object(r, !d->plain, player, &object))
                return;
        }
    }
}

/* A record of fixed size read in its own order; all of its fields are then there. */
static uint64_t read_l1_state(rp_reader *state, const rp_record *record, const uint8_t *fields,
                              size_t count, void *to)
{
    rp_plain_read(state, record, fields, count, to);
    uint64_t present = 0;
    for (size_t i = 0; i < count; i++)
        present |= UINT64_C(1) << fields[i];
    return present;
}

/* L2: a chunk of fields; an unknown id ends it. */
static uint64_t read_l2_chunk(rp_reader *chunk, const rp_tag_map *map, void *to)
{
    uint64_t present = 0;
    size_t unknown = 0;
    while (rp_ok(chunk) && rp_left(chunk)) {
        int id = rp_peek(chunk);
        if (map->tags[id].field == RP_TAG_UNKNOWN)
            break;
        rp_reader one = rp_sub(chunk, 1u + map->tags[id].size_usual, "field");
        rp_tagged_read(&one, map, to, &present, &unknown);
    }
    return present;
}

static void read_legacy_object(rumble_decoder *d, size_t kind, uint32_t index, bool chunked,
                               rp_reader *r)
{
    const rumble_objects *objects = &d->objects[kind];
    void *state = (char *)objects->states + (size_t)index * objects->size;
    rumble_legacy_object object;
    bool player = kind == RUMBLE_CHUNK_PLAYER;
    if (!rumble_take_legacy_object(r, chunked, player, &object) || !object.changed)
        return;
    uint64_t present;
    if (chunked)
        present = read_l2_chunk(&object.state, player ? &d->wire->player : &d->wire->structure,
                                state);
    else
        present = player ? read_l1_state(&object.state, &rumble_player_record,
                                         rumble_l1_player_order, RUMBLE_L1_PLAYER_FIELDS, state)
                         : read_l1_state(&object.state, &rumble_structure_record,
                                         l1_structure_order, RP_COUNT(l1_structure_order), state);
    rumble_row_cursor cursor = rumble_row_cursor_of(d);
    if (present)
        rumble_note_write(&cursor, objects, index, state, present);
    rumble_keep_row_cursor(d, cursor);
    d->about.entries++;
}

/* ---- L1 frames as they are usually written ----
 *
 * The bytes are gone over without a look at how many are left: the most that a frame can take is in
 * reach. An object comes once in a frame, so it cannot have a row already.
 */

static inline void quick_row(rumble_row_cursor *cursor, const rumble_objects *objects,
                             uint32_t index, const void *state, uint64_t present)
{
    if (objects->shown)
        rp_row_set(cursor->row++,
                   (rp_row){objects->track, index, cursor->index, cursor->time, present, state});
    else
        objects->last_writes[index] = (rumble_last_write){cursor->step, present};
    cursor->changed++;
}

/*
 * Return where the states end, or NULL for anything unusual. Most structures do not change, so
 * flags of 0 come in runs. The branch at the end of a run is predicted well; code without the
 * branch has to wait for every run and is slower.
 */
static inline const uint8_t *quick_structures(rumble_row_cursor *cursor, rumble_objects objects,
                                              const uint8_t *at)
{
    for (uint32_t i = 0;;) {
        uint32_t run = rp_zero_run(at), left = objects.count - i;
        if (run >= left)
            return at + left;
        at += run;
        i += run;
        if (run == RP_ZERO_RUN_MAX)
            continue;
        if (*at++ != 1)
            return NULL;
        rumble_structure *state = (rumble_structure *)objects.states + i;
        quick_structure(at, state);
        at += RUMBLE_L1_STRUCTURE_SIZE;
        quick_row(cursor, &objects, i++, state,
                  0 RUMBLE_L1_STRUCTURE(RP_PLAIN_BIT, rumble_structure));
    }
}

static inline const uint8_t *quick_players(rumble_row_cursor *cursor, rumble_objects objects,
                                           const uint8_t *at)
{
    for (uint32_t i = 0; i < objects.count; i++) {
        uint8_t changed = *at++;
        if (changed == 0)
            continue;
        if (changed != 1)
            return NULL;
        rumble_player *state = (rumble_player *)objects.states + i;
        quick_player(at, state);
        at += RUMBLE_L1_PLAYER_SIZE;
        quick_row(cursor, &objects, i, state, 0 RUMBLE_L1_PLAYER(RP_PLAIN_BIT, rumble_player));
    }
    return at;
}

enum { TIME_SIZE = 4 };

uint64_t rumble_quick_reach(const rumble_decoder *d)
{
    return TIME_SIZE + RP_ZERO_RUN_MAX +
           (uint64_t)d->objects[RUMBLE_CHUNK_STRUCTURE].count * (1 + RUMBLE_L1_STRUCTURE_SIZE) +
           (uint64_t)d->objects[RUMBLE_CHUNK_PLAYER].count * (1 + RUMBLE_L1_PLAYER_SIZE);
}

bool rumble_quick_step(rumble_decoder *d)
{
    const rumble_replay *replay = (const rumble_replay *)d->base.replay;
    rp_cursor c = rp_window_cursor(&d->window);
    const uint8_t *start = rp_cursor_take(&c, d->quick_reach);
    if (!start || d->frame == replay->frame_count || d->base.batch.capacity <= d->object_count)
        return false;
    d->step++;
    d->time = rp_load_f32(start);
    rumble_begin_rows(d, 0, NULL);
    rumble_row_cursor cursor = rumble_row_cursor_of(d);
    const uint8_t *at = quick_structures(&cursor, d->objects[RUMBLE_CHUNK_STRUCTURE],
                                         start + TIME_SIZE);
    if (at)
        at = quick_players(&cursor, d->objects[RUMBLE_CHUNK_PLAYER], at);
    if (!at)
        return false;
    size_t size = (size_t)(at - start);
    d->about = (rumble_frame){.entries = cursor.changed, .size = (uint32_t)size};
    d->base.batch.count = (size_t)(cursor.row - d->base.batch.rows);
    rp_window_skip(&d->window, size);
    d->frame++;
    return true;
}

/* ---- all others ---- */

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
