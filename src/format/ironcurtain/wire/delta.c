/*
 * delta.c - applies a delta to a full state, and builds the delta between two states.
 *
 * All lists are sorted, so both are merges. Lists of a delta must ascend as well: states and deltas
 * have exactly one encoding.
 */
#include "state.h"

#define bad(error, ...) rp_error_set(error, REPRISE_E_CORRUPT, __VA_ARGS__)

static uint32_t tag_order(const ic_tag *tag)
{
    return (uint32_t)tag->index << 16 | tag->generation;
}

static bool is_world(const ic_entity_delta *delta)
{
    return delta->entity.index == IC_WORLD_INDEX;
}

/* ---- applying: entities ---- */

/* A merge in progress. */
typedef struct merge {
    const ic_entity *base;
    size_t base_count;
    bool *removed; /* per entity of the baseline */
    ic_entity *out;
    size_t count;
    rp_arena *arena;
    reprise_error *error;
} merge;

static const ic_entity *find_entity(const merge *m, const ic_tag *tag)
{
    size_t low = 0, high = m->base_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->base[middle].tag.index < tag->index)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < m->base_count && tag_order(&m->base[low].tag) == tag_order(tag);
    return found ? &m->base[low] : NULL;
}

static reprise_status check_deltas(const ic_core_delta *delta, reprise_error *error)
{
    const ic_entity_delta *changes = delta->changed_entities.items;
    size_t count = delta->changed_entities.count;
    if (!count || !is_world(&changes[count - 1]))
        return bad(error, "delta lacks the world record");
    const ic_entity_delta *world = &changes[count - 1];
    if (world->entity.generation != IC_WORLD_INDEX || world->change_mask != 1 || world->is_new ||
        world->is_removed || world->changed_components.size != 32)
        return bad(error, "the world record of the delta is damaged");
    for (size_t i = 0; i + 1 < count; i++) {
        if (is_world(&changes[i]))
            return bad(error, "delta has more than one world record");
        if (i && tag_order(&changes[i].entity) <= tag_order(&changes[i - 1].entity))
            return bad(error, "entities of the delta do not ascend at %u", changes[i].entity.index);
    }
    return REPRISE_OK;
}

static reprise_status mark_removed(merge *m, const ic_entity_delta *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!changes[i].is_removed)
            continue;
        const ic_entity *entity = find_entity(m, &changes[i].entity);
        if (!entity)
            return bad(m->error, "delta removes entity %u, which does not exist",
                       changes[i].entity.index);
        if (changes[i].is_new || changes[i].change_mask || changes[i].changed_components.size)
            return bad(m->error, "delta both removes and changes entity %u",
                       changes[i].entity.index);
        m->removed[entity - m->base] = true;
    }
    return REPRISE_OK;
}

/* Replaces the changed components of an existing entity. */
static reprise_status change_entity(merge *m, const ic_entity *base, const ic_entity_delta *change,
                                    ic_entity *ret)
{
    if (change->change_mask & ~base->component_mask)
        return bad(m->error, "delta adds components to entity %u", base->tag.index);
    ic_spans old, new;
    rp_reader r = rp_reader_of(base->components.data, base->components.size, "components",
                               m->error);
    ic_components_split(&r, m->arena, base->component_mask, &old);
    r = rp_reader_of(change->changed_components.data, change->changed_components.size,
                     "changed_components", m->error);
    ic_components_split(&r, m->arena, change->change_mask, &new);
    RP_TRY(m->error->status);
    char *to = rp_arena_alloc(m->arena, base->components.size + change->changed_components.size,
                              m->error);
    if (!to)
        return m->error->status;
    size_t size = 0;
    for (size_t i = 0; i < IC_COMPONENT_COUNT; i++) {
        const rp_text *part = change->change_mask >> ic_component_bits[i] & 1 ? &new.of[i]
                                                                              : &old.of[i];
        if (part->size)
            memcpy(to + size, part->data, part->size);
        size += part->size;
    }
    *ret = (ic_entity){base->tag, base->component_mask, {to, size}};
    return REPRISE_OK;
}

static reprise_status merge_entity(merge *m, const ic_entity_delta *change)
{
    const ic_entity *base = find_entity(m, &change->entity);
    ic_entity *to = &m->out[m->count];
    if (change->is_new) {
        if (base)
            return bad(m->error, "delta creates entity %u, which exists", change->entity.index);
        *to = (ic_entity){change->entity, change->change_mask, change->changed_components};
    } else {
        if (!base)
            return bad(m->error, "delta changes entity %u, which does not exist",
                       change->entity.index);
        RP_TRY(change_entity(m, base, change, to));
    }
    m->count++;
    return REPRISE_OK;
}

static reprise_status apply_entities(merge *m, const ic_entity_delta *changes, size_t count)
{
    RP_TRY(mark_removed(m, changes, count));
    size_t b = 0;
    for (size_t i = 0; i < count; i++) {
        if (changes[i].is_removed)
            continue;
        for (; b < m->base_count && m->base[b].tag.index < changes[i].entity.index; b++) {
            if (!m->removed[b])
                m->out[m->count++] = m->base[b];
        }
        RP_TRY(merge_entity(m, &changes[i]));
        if (!changes[i].is_new)
            b++;
    }
    for (; b < m->base_count; b++) {
        if (!m->removed[b])
            m->out[m->count++] = m->base[b];
    }
    return REPRISE_OK;
}

/* ---- applying: the rest ---- */

static reprise_status apply_strings(const ic_core *base, const ic_intern_delta *change,
                                    rp_arena *arena, ic_core *core, reprise_error *error)
{
    if (!change)
        return REPRISE_OK;
    size_t count = base->intern_table.entries.count, more = change->new_entries.count;
    if (change->start_id != count)
        return bad(error, "interned strings of the delta start at %u instead of %zu",
                   change->start_id, count);
    ic_text *all = rp_arena_array(arena, count + more, sizeof *all, error);
    if (!all)
        return error->status;
    if (count)
        memcpy(all, base->intern_table.entries.items, count * sizeof *all);
    if (more)
        memcpy(all + count, change->new_entries.items, more * sizeof *all);
    core->intern_table.entries = (reprise_ic_text_list){all, count + more};
    return REPRISE_OK;
}

/* Bit 0 of a player's mask is the field after its number. */
static rp_record player_field(unsigned bit)
{
    rp_record one = ic_player_record;
    one.fields += bit + 1;
    one.count = 1;
    return one;
}

static reprise_status apply_player(const ic_player_delta *change, rp_arena *arena,
                                   ic_player *player, reprise_error *error)
{
    if (change->change_mask >> (ic_player_F_COUNT - 1))
        return bad(error, "delta of player %u: unknown field bits 0x%x", change->player,
                   change->change_mask);
    rp_reader r = rp_reader_of(change->changed_fields.data, change->changed_fields.size,
                               "changed_fields", error);
    for (unsigned bit = 0; bit + 1 < ic_player_F_COUNT && rp_ok(&r); bit++) {
        rp_record field = player_field(bit);
        if (change->change_mask >> bit & 1)
            rp_bincode_read(&r, arena, &field, player);
    }
    if (rp_ok(&r) && rp_left(&r))
        return bad(error, "delta of player %u: %zu bytes left over", change->player, rp_left(&r));
    return error->status;
}

static reprise_status apply_players(const ic_core *base,
                                    const reprise_ic_player_delta_list *changes, rp_arena *arena,
                                    ic_core *core, reprise_error *error)
{
    size_t count = base->player_states.count;
    ic_player *players = rp_arena_array(arena, count, sizeof *players, error);
    if (!players)
        return error->status;
    if (count)
        memcpy(players, base->player_states.items, count * sizeof *players);
    const ic_player_delta *change = changes->items;
    size_t at = 0;
    for (size_t i = 0; i < changes->count; i++, at++) {
        while (at < count && players[at].player < change[i].player)
            at++;
        if (at == count || players[at].player != change[i].player)
            return bad(error, "delta changes player %u, who does not exist or is out of order",
                       change[i].player);
        RP_TRY(apply_player(&change[i], arena, &players[at], error));
    }
    core->player_states.items = players;
    return REPRISE_OK;
}

/* The changed cells are checked to ascend with the result. */
static reprise_status apply_cells(const ic_core *base, const ic_map_delta *change, rp_arena *arena,
                                  ic_core *core, reprise_error *error)
{
    if (!change)
        return REPRISE_OK;
    const reprise_ic_map_cell_list *old = &base->map_state.cells, *new = &change->changed_cells;
    const ic_map_cell *a = old->items, *b = new->items;
    ic_map_cell *out = rp_arena_array(arena, old->count + new->count, sizeof *out, error);
    if (!out)
        return error->status;
    size_t i = 0, k = 0, count = 0;
    while (i < old->count || k < new->count) {
        int order = i == old->count   ? 1
                    : k == new->count ? -1
                                      : ic_cell_order(&a[i].cell, &b[k].cell);
        i += order == 0;
        out[count++] = order < 0 ? a[i++] : b[k++];
    }
    core->map_state.cells = (reprise_ic_map_cell_list){out, count};
    return REPRISE_OK;
}

reprise_status ic_delta_apply(const ic_core *base, const uint8_t base_hash[IC_HASH_SIZE],
                              const ic_core_delta *delta, rp_arena *arena, ic_core *ret_core,
                              reprise_error *error)
{
    if (delta->baseline_tick != base->tick ||
        memcmp(delta->baseline_hash, base_hash, IC_HASH_SIZE) != 0)
        return bad(error,
                   "delta baseline mismatch: it builds on tick %llu, the full keyframe is %llu",
                   (unsigned long long)delta->baseline_tick, (unsigned long long)base->tick);
    RP_TRY(check_deltas(delta, error));
    size_t changes = delta->changed_entities.count - 1; /* without the world */
    merge m = {
        .base = base->entities.items,
        .base_count = base->entities.count,
        .removed = rp_arena_array(arena, base->entities.count, sizeof(bool), error),
        .out = rp_arena_array(arena, base->entities.count + changes, sizeof(ic_entity), error),
        .arena = arena,
        .error = error};
    RP_TRY(error->status);
    RP_TRY(apply_entities(&m, delta->changed_entities.items, changes));
    ic_core core = *base;
    core.tick = delta->tick;
    core.entities = (reprise_ic_entity_list){m.out, m.count};
    const ic_entity_delta *world = (const ic_entity_delta *)delta->changed_entities.items + changes;
    rp_reader r = rp_reader_of(world->changed_components.data, 32, "world", error);
    rp_bincode_read(&r, arena, &ic_rng_state_record, &core.rng_state);
    RP_TRY(apply_strings(base, delta->intern_table_delta, arena, &core, error));
    RP_TRY(apply_players(base, &delta->changed_players, arena, &core, error));
    RP_TRY(apply_cells(base, delta->changed_map, arena, &core, error));
    RP_TRY(ic_core_check(&core, arena, error));
    *ret_core = core;
    return REPRISE_OK;
}

/* ---- building ---- */

/* Encodes a value into the arena, for the byte vectors of a delta. */
typedef struct builder {
    rp_arena *arena;
    rp_writer bytes;
    reprise_error *error;
} builder;

static rp_text keep_bytes(builder *b)
{
    rp_text text = {.size = b->bytes.size,
                    .data = rp_arena_text(b->arena, b->bytes.data, b->bytes.size, b->error)};
    rp_writer_clear(&b->bytes);
    return text;
}

static uint64_t diff_components(builder *b, const ic_entity *old, const ic_entity *new)
{
    ic_spans before, after;
    rp_reader r = rp_reader_of(old->components.data, old->components.size, "components", b->error);
    ic_components_split(&r, b->arena, old->component_mask, &before);
    r = rp_reader_of(new->components.data, new->components.size, "components", b->error);
    ic_components_split(&r, b->arena, new->component_mask, &after);
    uint64_t mask = 0;
    for (size_t i = 0; i < IC_COMPONENT_COUNT; i++) {
        if (!after.of[i].data || rp_text_equal(&before.of[i], &after.of[i]))
            continue;
        mask |= UINT64_C(1) << ic_component_bits[i];
        rp_put(&b->bytes, after.of[i].data, after.of[i].size);
    }
    return mask;
}

static void add_new(ic_entity_delta *to, const ic_entity *entity)
{
    *to = (ic_entity_delta){entity->tag, entity->component_mask, entity->components, true, false};
}

static void add_removed(ic_entity_delta *to, const ic_entity *entity)
{
    *to = (ic_entity_delta){.entity = entity->tag, .is_removed = true};
}

static reprise_status build_entities(builder *b, const ic_core *base, const ic_core *core,
                                     reprise_ic_entity_delta_list *ret_list)
{
    const ic_entity *old = base->entities.items, *new = core->entities.items;
    size_t old_count = base->entities.count, new_count = core->entities.count;
    ic_entity_delta *out = rp_arena_array(b->arena, old_count + new_count + 1, sizeof *out,
                                          b->error);
    if (!out)
        return b->error->status;
    size_t i = 0, k = 0, count = 0;
    while (i < old_count || k < new_count) {
        uint64_t x = i < old_count ? tag_order(&old[i].tag) : UINT64_MAX;
        uint64_t y = k < new_count ? tag_order(&new[k].tag) : UINT64_MAX;
        if (x < y) {
            add_removed(&out[count++], &old[i++]);
        } else if (y < x) {
            add_new(&out[count++], &new[k++]);
        } else {
            if (old[i].component_mask != new[k].component_mask)
                return rp_error_set(b->error, REPRISE_E_USAGE,
                                    "entity %u gained or lost a component", old[i].tag.index);
            uint64_t mask = diff_components(b, &old[i], &new[k]);
            if (mask)
                out[count++] = (ic_entity_delta){new[k].tag, mask, keep_bytes(b), false, false};
            i++;
            k++;
        }
    }
    rp_bincode_write(&b->bytes, &ic_rng_state_record, &core->rng_state);
    out[count++] = (ic_entity_delta){
        {IC_WORLD_INDEX, IC_WORLD_INDEX}, 1, keep_bytes(b), false, false};
    *ret_list = (reprise_ic_entity_delta_list){out, count};
    return b->error->status;
}

static reprise_status build_players(builder *b, const ic_core *base, const ic_core *core,
                                    reprise_ic_player_delta_list *ret_list)
{
    const ic_player *old = base->player_states.items, *new = core->player_states.items;
    size_t count = base->player_states.count, changed = 0;
    bool same = count == core->player_states.count;
    for (size_t i = 0; same && i < count; i++)
        same = old[i].player == new[i].player;
    if (!same)
        return rp_error_set(b->error, REPRISE_E_USAGE, "the list of players has changed");
    ic_player_delta *out = rp_arena_array(b->arena, count, sizeof *out, b->error);
    for (size_t i = 0; out && i < count; i++) {
        uint32_t mask = 0;
        for (unsigned bit = 0; bit + 1 < ic_player_F_COUNT; bit++) {
            rp_record field = player_field(bit);
            if (rp_field_equal(field.fields, &old[i], &new[i]))
                continue;
            mask |= 1u << bit;
            rp_bincode_write(&b->bytes, &field, &new[i]);
        }
        if (mask)
            out[changed++] = (ic_player_delta){new[i].player, mask, keep_bytes(b)};
    }
    *ret_list = (reprise_ic_player_delta_list){out, changed};
    return b->error->status;
}

static reprise_status build_strings(builder *b, const ic_core *base, const ic_core *core,
                                    ic_intern_delta **ret_change)
{
    const reprise_ic_text_list *old = &base->intern_table.entries,
                               *new = &core->intern_table.entries;
    const ic_text *a = old->items, *c = new->items;
    bool appended = new->count >= old->count;
    for (size_t i = 0; appended && i < old->count; i++)
        appended = rp_text_equal(&a[i], &c[i]);
    if (!appended)
        return rp_error_set(b->error, REPRISE_E_USAGE, "interned strings have changed");
    if (new->count == old->count)
        return REPRISE_OK;
    ic_intern_delta *change = rp_arena_alloc(b->arena, sizeof *change, b->error);
    if (!change)
        return b->error->status;
    ic_text *more = new->items + old->count;
    *change = (ic_intern_delta){(uint32_t)old->count, {more, new->count - old->count}};
    *ret_change = change;
    return REPRISE_OK;
}

static reprise_status build_cells(builder *b, const ic_core *base, const ic_core *core,
                                  ic_map_delta **ret_change)
{
    const reprise_ic_map_cell_list *old = &base->map_state.cells, *new = &core->map_state.cells;
    const ic_map_cell *a = old->items, *c = new->items;
    ic_map_cell *out = rp_arena_array(b->arena, new->count, sizeof *out, b->error);
    ic_map_delta *change = rp_arena_alloc(b->arena, sizeof *change, b->error);
    if (!out || !change)
        return b->error->status;
    size_t i = 0, count = 0;
    for (size_t k = 0; k < new->count; k++) {
        int order = i < old->count ? ic_cell_order(&a[i].cell, &c[k].cell) : 1;
        if (order < 0)
            return rp_error_set(b->error, REPRISE_E_USAGE, "a map cell has disappeared");
        if (order || !rp_field_equal(&ic_map_cell_record.fields[ic_map_cell_F_state], &a[i], &c[k]))
            out[count++] = c[k];
        i += order == 0;
    }
    if (i < old->count)
        return rp_error_set(b->error, REPRISE_E_USAGE, "a map cell has disappeared");
    change->changed_cells = (reprise_ic_map_cell_list){out, count};
    *ret_change = count ? change : NULL;
    return REPRISE_OK;
}

static reprise_status build(builder *b, const ic_core *base, const ic_core *core,
                            ic_core_delta *delta)
{
    if (base->game_seed != core->game_seed || base->map_state.width != core->map_state.width ||
        base->map_state.height != core->map_state.height ||
        memcmp(base->map_hash, core->map_hash, sizeof core->map_hash) != 0)
        return rp_error_set(b->error, REPRISE_E_USAGE, "the two states are not of one match");
    RP_TRY(build_strings(b, base, core, &delta->intern_table_delta));
    RP_TRY(build_entities(b, base, core, &delta->changed_entities));
    RP_TRY(build_players(b, base, core, &delta->changed_players));
    return build_cells(b, base, core, &delta->changed_map);
}

reprise_status ic_delta_build(const ic_core *base, const uint8_t base_hash[IC_HASH_SIZE],
                              const ic_core *core, rp_arena *arena, ic_core_delta *ret_delta,
                              reprise_error *error)
{
    builder b = {.arena = arena, .error = error};
    rp_writer_init(&b.bytes, arena->context, SIZE_MAX / 2, error);
    ic_core_delta delta = {.baseline_tick = base->tick, .tick = core->tick};
    memcpy(delta.baseline_hash, base_hash, sizeof delta.baseline_hash);
    reprise_status status = build(&b, base, core, &delta);
    rp_writer_free(&b.bytes);
    if (status == REPRISE_OK)
        *ret_delta = delta;
    return status;
}
