/* snapshot.c - decoding whole snapshots and deltas, and the rules a state must keep. */
#include "shape.h"

static bool check_trailing(rp_reader *r)
{
    if (rp_ok(r) && rp_left(r))
        rp_fail(r, REPRISE_E_CORRUPT, "", "%zu trailing bytes", rp_left(r));
    return rp_ok(r);
}

/* Entities are most of a state, so their list is read without the table. */
static void read_entities(rp_reader *r, rp_arena *arena, rp_list *ret)
{
    enum { SMALLEST_ENTITY = 20 };
    uint64_t declared = rp_u64(r, "entities");
    size_t count = rp_count(r, declared, SMALLEST_ENTITY, arena->context->limits.items_max,
                            "entities");
    ic_entity *entities = rp_ok(r) ? rp_arena_array(arena, count, sizeof *entities, r->error)
                                   : NULL;
    for (size_t i = 0; entities && i < count; i++) {
        /* tag, mask and the size of the components, as REPRISE_IC_ENTITY lists them */
        const uint8_t *head = rp_take(r, SMALLEST_ENTITY, "entity");
        uint64_t size = head ? rp_load64(head + 12) : 0;
        const uint8_t *bytes = head ? rp_take(r, size <= rp_left(r) ? (size_t)size : SIZE_MAX,
                                              "components")
                                    : NULL;
        if (!bytes) {
            rp_error_at(r->error, "entities[%zu]", i);
            return;
        }
        entities[i] = (ic_entity){.tag = {rp_load16(head), rp_load16(head + 2)},
                                  .component_mask = rp_load64(head + 4),
                                  .components = {(const char *)bytes, (size_t)size}};
    }
    *ret = (rp_list){entities, count};
}

/* Some fields of a record, from one number up to another. */
static void read_fields(rp_reader *r, rp_arena *arena, const rp_record *record, size_t from,
                        size_t to, void *row)
{
    rp_record part = *record;
    part.fields += from;
    part.count = to - from;
    rp_bincode_read(r, arena, &part, row);
}

static void read_core(rp_reader *r, rp_arena *arena, ic_core *ret)
{
    read_fields(r, arena, &ic_core_record, 0, ic_core_F_entities, ret);
    if (rp_ok(r))
        read_entities(r, arena, &ret->entities);
    if (rp_ok(r))
        read_fields(r, arena, &ic_core_record, ic_core_F_entities + 1, ic_core_F_COUNT, ret);
}

bool ic_snapshot_read(rp_reader *r, rp_arena *arena, ic_snapshot *ret)
{
    *ret = (ic_snapshot){0};
    read_core(r, arena, &ret->core);
    if (rp_ok(r))
        read_fields(r, arena, &ic_snapshot_record, ic_snapshot_F_core + 1, ic_snapshot_F_COUNT,
                    ret);
    if (!check_trailing(r))
        return false;
    if (ic_core_check(&ret->core, arena, r->error) != REPRISE_OK)
        rp_error_place(r->error, r->stream, 0, "core");
    return rp_ok(r);
}

bool ic_delta_read(rp_reader *r, rp_arena *arena, ic_delta *ret)
{
    *ret = (ic_delta){0};
    rp_bincode_read(r, arena, &ic_delta_record, ret);
    return check_trailing(r);
}

/* ---- rules ---- */

#define bad(error, ...) rp_error_set(error, REPRISE_E_CORRUPT, __VA_ARGS__)

/* Names are unique: a table of hashes, half empty, finds two of the same. */
static reprise_status check_strings(const ic_intern *table, rp_arena *arena, reprise_error *error)
{
    size_t count = table->entries.count, slots = 2;
    const ic_text *entries = table->entries.items;
    if (count > IC_STRINGS_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "%zu interned strings, at most %d", count,
                            IC_STRINGS_MAX);
    while (slots < count * 2)
        slots *= 2;
    uint32_t *table_of = rp_arena_array(arena, slots, sizeof *table_of, error);
    for (size_t i = 0; table_of && i < count; i++) {
        const rp_text *text = &entries[i].value;
        uint32_t hash = 2166136261u;
        for (size_t k = 0; k < text->size; k++)
            hash = (hash ^ (uint8_t)text->data[k]) * 16777619u;
        size_t slot = (hash ^ hash >> 15) & (slots - 1);
        for (; table_of[slot]; slot = (slot + 1) & (slots - 1)) {
            const rp_text *other = &entries[table_of[slot] - 1].value;
            if (other->size == text->size &&
                (!text->size || memcmp(other->data, text->data, text->size) == 0))
                return bad(error, "interned string %zu stands twice", i);
        }
        table_of[slot] = (uint32_t)i + 1;
    }
    return error->status;
}

static reprise_status check_players(const ic_core *core, reprise_error *error)
{
    const ic_player *players = core->player_states.items;
    size_t count = core->player_states.count, names = core->intern_table.entries.count;
    if (count > IC_PLAYERS_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "%zu players, at most %d", count,
                            IC_PLAYERS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (i && players[i].player <= players[i - 1].player)
            return bad(error, "players do not ascend at %u", players[i].player);
        if (players[i].faction >= names)
            return bad(error, "player %u: faction %u is not interned", players[i].player,
                       players[i].faction);
        const ic_u32 *tech = players[i].tech.items;
        for (size_t k = 0; k < players[i].tech.count; k++) {
            if (tech[k].value >= names)
                return bad(error, "player %u: tech %u is not interned", players[i].player,
                           tech[k].value);
        }
    }
    return REPRISE_OK;
}

static int compare_cells(const ic_cell *a, const ic_cell *b)
{
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

static reprise_status check_map(const ic_core *core, reprise_error *error)
{
    enum { SIDE_MAX = 4096 };
    const ic_map *map = &core->map_state;
    const ic_map_cell *cells = map->cells.items;
    size_t names = core->intern_table.entries.count;
    if (map->width < 1 || map->width > SIDE_MAX || map->height < 1 || map->height > SIDE_MAX)
        return bad(error, "map of %u by %u cells", map->width, map->height);
    for (size_t i = 0; i < map->cells.count; i++) {
        const ic_cell *cell = &cells[i].cell;
        const ic_u32 *resource = cells[i].state.resource;
        if (i && compare_cells(&cells[i - 1].cell, cell) >= 0)
            return bad(error, "map cells do not ascend at cell %zu", i);
        if (cell->x < 0 || cell->y < 0 || (uint32_t)cell->x >= map->width ||
            (uint32_t)cell->y >= map->height)
            return bad(error, "map cell %d, %d is outside the map", cell->x, cell->y);
        if (cells[i].state.terrain >= names || (resource && resource->value >= names))
            return bad(error, "map cell %d, %d: terrain or resource is not interned", cell->x,
                       cell->y);
    }
    return REPRISE_OK;
}

/* Players of small numbers as bits, so that the usual owner is found at once. */
static uint64_t player_bits(const ic_core *core)
{
    const ic_player *players = core->player_states.items;
    uint64_t bits = 0;
    for (size_t i = 0; i < core->player_states.count; i++)
        bits |= players[i].player < 64 ? UINT64_C(1) << players[i].player : 0;
    return bits;
}

static bool is_player(const ic_core *core, uint64_t bits, uint32_t number)
{
    if (number < 64)
        return bits >> number & 1;
    const ic_player *players = core->player_states.items;
    for (size_t i = 0; i < core->player_states.count; i++) {
        if (players[i].player == number)
            return true;
    }
    return false;
}

static bool in_bounds(const ic_map *map, const ic_pos *pos)
{
    enum { MARGIN = 32 * 1024, HEIGHT_MAX = 65536 };
    return pos->x >= -MARGIN && (int64_t)pos->x < (int64_t)map->width * 1024 + MARGIN &&
           pos->y >= -MARGIN && (int64_t)pos->y < (int64_t)map->height * 1024 + MARGIN &&
           pos->z >= -HEIGHT_MAX && pos->z <= HEIGHT_MAX;
}

static bool is_interned(const ic_core *core, const ic_components *c)
{
    size_t names = core->intern_table.entries.count;
    if (c->identity.archetype >= names || c->identity.unit_type >= names)
        return false;
    if (IC_HAS(c->mask, Armament) && c->armament.weapon >= names)
        return false;
    if (IC_HAS(c->mask, Harvester) && c->harvester.resource >= names)
        return false;
    const ic_queue_item *items = c->build_queue.items.items;
    for (size_t i = 0; IC_HAS(c->mask, BuildQueue) && i < c->build_queue.items.count; i++) {
        if (items[i].actor_type >= names)
            return false;
    }
    return true;
}

static reprise_status check_set(uint64_t mask, unsigned index, reprise_error *error)
{
    if (!IC_HAS(mask, Identity) || !IC_HAS(mask, Position) || !IC_HAS(mask, Health))
        return bad(error, "entity %u: Identity, Position or Health is missing", index);
    if (IC_HAS(mask, Building) && !IC_HAS(mask, BuildQueue))
        return bad(error, "entity %u: Building without BuildQueue", index);
    if (IC_HAS(mask, Building) && IC_HAS(mask, Mobile))
        return bad(error, "entity %u: both Building and Mobile", index);
    if (IC_HAS(mask, Mobile) && !IC_HAS(mask, Navigation))
        return bad(error, "entity %u: Mobile without Navigation", index);
    return REPRISE_OK;
}

static reprise_status look(const ic_entity *entity, rp_arena *arena, ic_components *ret,
                           reprise_error *error)
{
    rp_reader r = rp_reader_of(entity->components.data, entity->components.size, "components",
                               error);
    ic_components_look(&r, arena, entity->component_mask, ret);
    if (!rp_ok(&r))
        rp_error_at(error, "entity %u", entity->tag.index);
    return error->status;
}

/* What the shapes do not know, with words for everything that is wrong. */
static reprise_status check_unusual(const ic_core *core, const ic_entity *entity, rp_arena *arena,
                                    ic_outline *ret, reprise_error *error)
{
    unsigned index = entity->tag.index;
    ic_components c;
    RP_TRY(look(entity, arena, &c, error));
    RP_TRY(check_set(c.mask, index, error));
    *ret = (ic_outline){c.identity.owner, c.position.pos, c.health};
    return is_interned(core, &c) ? REPRISE_OK
                                 : bad(error, "entity %u: id beyond the intern table", index);
}

static reprise_status check_entity(const ic_core *core, const ic_entity *entity, ic_shapes *shapes,
                                   uint64_t players, rp_arena *arena, reprise_error *error)
{
    unsigned index = entity->tag.index;
    ic_outline o;
    if (!ic_is_usual(shapes, entity, &o))
        RP_TRY(check_unusual(core, entity, arena, &o, error));
    if (!is_player(core, players, o.owner))
        return bad(error, "entity %u owner out of range: no player %u", index, o.owner);
    if (o.health.max <= 0 || o.health.current > o.health.max)
        return bad(error, "entity %u: health %d of %d", index, o.health.current, o.health.max);
    if (!in_bounds(&core->map_state, &o.pos))
        return bad(error, "entity %u position out of bounds: %d, %d, %d", index, o.pos.x, o.pos.y,
                   o.pos.z);
    return REPRISE_OK;
}

static reprise_status check_entities(const ic_core *core, rp_arena *arena, reprise_error *error)
{
    const ic_entity *entities = core->entities.items;
    size_t count = core->entities.count;
    uint64_t players = player_bits(core);
    ic_shapes shapes = {.names = (uint32_t)core->intern_table.entries.count};
    if (count > IC_ENTITIES_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "%zu entities, at most %d", count,
                            IC_ENTITIES_MAX);
    for (size_t i = 0; i < count; i++) {
        unsigned index = entities[i].tag.index;
        if (index == IC_WORLD_INDEX)
            return bad(error, "entity %u is reserved", index);
        if (i && index == entities[i - 1].tag.index)
            return bad(error, "duplicate entity %u", index);
        if (i && index < entities[i - 1].tag.index)
            return bad(error, "entities do not ascend at %u", index);
        RP_TRY(check_entity(core, &entities[i], &shapes, players, arena, error));
    }
    return REPRISE_OK;
}

reprise_status ic_core_check(const ic_core *core, rp_arena *arena, reprise_error *error)
{
    const ic_rng *rng = &core->rng_state.s;
    if (!(rng->s0 | rng->s1 | rng->s2 | rng->s3))
        return bad(error, "the random number state is all zero");
    RP_TRY(check_strings(&core->intern_table, arena, error));
    RP_TRY(check_players(core, error));
    RP_TRY(check_map(core, error));
    return check_entities(core, arena, error);
}
