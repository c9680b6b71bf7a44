/* snapshot.c - decodes snapshots and deltas, and checks the rules for states. */
#include "entity_fastcheck.h"

static bool check_trailing(rp_reader *r)
{
    if (rp_ok(r) && rp_left(r))
        rp_fail(r, REPRISE_E_CORRUPT, "", "%zu trailing bytes", rp_left(r));
    return rp_ok(r);
}

/*
 * Checks lists that have a limit before allocating them: in memory they are larger than in the
 * file. Counts that exceed the remaining bytes are rejected by the reader of the list.
 */
static bool check_count(rp_reader *r, size_t smallest, size_t count_max, const char *what)
{
    rp_reader ahead = *r;
    uint64_t count = rp_left(r) >= sizeof count ? rp_u64(&ahead, what) : 0;
    if (count > count_max && count <= rp_left(&ahead) / smallest)
        rp_fail(r, REPRISE_E_LIMIT, what, "%llu %s, at most %zu", (unsigned long long)count, what,
                count_max);
    return rp_ok(r);
}

/*
 * Entities make up most of a state, so their list is read without the table. The walk waits for the
 * size of one after the other, which leaves time to sort them into groups.
 */
static void read_entities(rp_reader *r, rp_arena *arena, const ic_intern *table,
                          reprise_ic_entity_list *ret, ic_archetypes *ret_groups)
{
    enum { SMALLEST_ENTITY = 20 };
    if (!check_count(r, SMALLEST_ENTITY, IC_ENTITIES_MAX, "entities"))
        return;
    uint64_t declared = rp_u64(r, "entities");
    size_t count = rp_count(r, declared, SMALLEST_ENTITY, arena->context->limits.items_max,
                            "entities");
    ic_entity *entities = rp_ok(r) ? rp_arena_room(arena, count, sizeof *entities, r->error) : NULL;
    if (!entities || ic_archetypes_init(ret_groups, table, count, arena, r->error) != REPRISE_OK)
        return;
    ic_archetypes groups = *ret_groups;
    rp_cursor c = rp_cursor_of(r);
    for (size_t i = 0; i < count; i++) {
        /* tag, mask and the size of the components, as IC_FIELDS_ENTITY lists them */
        const uint8_t *head = rp_cursor_take(&c, SMALLEST_ENTITY);
        uint64_t size = head ? rp_load64(head + 12) : 0;
        const uint8_t *bytes = size <= c.left ? rp_cursor_take(&c, (size_t)size) : NULL;
        if (!head || !bytes) {
            rp_move_to_cursor(r, &c);
            rp_skip(r, SIZE_MAX, head ? "components" : "entity");
            rp_error_at(r->error, "entities[%zu]", i);
            return;
        }
        entities[i] = (ic_entity){.tag = {rp_load16(head), rp_load16(head + 2)},
                                  .component_mask = rp_load64(head + 4),
                                  .components = {(const char *)bytes, (size_t)size}};
        ic_archetypes_add(&groups, &entities[i], (uint32_t)i);
    }
    ic_archetypes_end(&groups);
    *ret_groups = groups;
    rp_move_to_cursor(r, &c);
    *ret = (reprise_ic_entity_list){entities, count};
}

/* A range of fields of a record. */
static void read_fields(rp_reader *r, rp_arena *arena, const rp_record *record, size_t from,
                        size_t to, void *row)
{
    rp_record part = *record;
    part.fields += from;
    part.count = to - from;
    rp_bincode_read(r, arena, &part, row);
}

static void read_core(rp_reader *r, rp_arena *arena, ic_core *ret, ic_archetypes *ret_groups)
{
    enum { SMALLEST_STRING = 8, SMALLEST_PLAYER = 39 };
    read_fields(r, arena, &ic_core_record, 0, ic_core_F_intern_table, ret);
    if (rp_ok(r) && check_count(r, SMALLEST_STRING, IC_STRINGS_MAX, "interned strings"))
        read_fields(r, arena, &ic_core_record, ic_core_F_intern_table, ic_core_F_entities, ret);
    if (rp_ok(r))
        read_entities(r, arena, &ret->intern_table, &ret->entities, ret_groups);
    if (rp_ok(r) && check_count(r, SMALLEST_PLAYER, IC_PLAYERS_MAX, "players"))
        read_fields(r, arena, &ic_core_record, ic_core_F_entities + 1, ic_core_F_COUNT, ret);
}

/* Whether a campaign, whose maps are sorted on reading, was stored sorted. */
static bool is_canonical(const ic_campaign *campaign, const rp_text *stored, rp_context *context,
                         reprise_error *error)
{
    reprise_error failure = REPRISE_ERROR_INIT;
    rp_writer ours;
    if (!campaign || campaign->flags.count < 2)
        return true;
    rp_writer_init(&ours, context, stored->size, &failure);
    rp_bincode_write(&ours, &ic_campaign_record, campaign);
    bool same = rp_writer_ok(&ours) && ours.size < stored->size &&
                memcmp(ours.data, stored->data + 1, ours.size) == 0;
    rp_writer_free(&ours);
    if (rp_is_own_failure(context, failure.status) && error->status == REPRISE_OK)
        *error = failure;
    return same;
}

/* Campaign and scripts: the fields starting at `from`. */
static void read_rest(rp_reader *r, rp_arena *arena, const rp_record *record, size_t from,
                      void *row, ic_rest *ret)
{
    *ret = (ic_rest){.bytes = {(const char *)r->at, rp_left(r)}};
    rp_reader rest = *r;
    rest.error = &ret->why;
    read_fields(&rest, arena, record, from, record->count, row);
    (void)check_trailing(&rest);
    rp_skip(r, rp_left(r), "rest");
    if (ret->why.status == REPRISE_E_CORRUPT || ret->why.status == REPRISE_E_TRUNCATED)
        ret->unknown = true;
    else if (ret->why.status != REPRISE_OK)
        *r->error = ret->why; /* not caused by the file */
}

bool ic_snapshot_read_open(rp_reader *r, rp_arena *arena, ic_snapshot *ret,
                           ic_archetypes *ret_groups, ic_rest *ret_rest)
{
    *ret = (ic_snapshot){0};
    *ret_rest = (ic_rest){0};
    read_core(r, arena, &ret->core, ret_groups);
    if (!rp_ok(r))
        return false;
    read_rest(r, arena, &ic_snapshot_record, ic_snapshot_F_core + 1, ret, ret_rest);
    if (ret_rest->unknown) {
        ret->campaign_state = NULL;
        ret->script_state = NULL;
    }
    ret_rest->unsorted = !is_canonical(ret->campaign_state, &ret_rest->bytes, arena->context,
                                       r->error);
    return rp_ok(r);
}

bool ic_delta_read_open(rp_reader *r, rp_arena *arena, ic_delta *ret, ic_rest *ret_rest)
{
    *ret = (ic_delta){0};
    *ret_rest = (ic_rest){0};
    read_fields(r, arena, &ic_delta_record, 0, ic_delta_F_core + 1, ret);
    if (!rp_ok(r))
        return false;
    read_rest(r, arena, &ic_delta_record, ic_delta_F_core + 1, ret, ret_rest);
    if (ret_rest->unknown) {
        ret->campaign_state = NULL;
        ret->script_state = NULL;
    }
    ret_rest->unsorted = !is_canonical(ret->campaign_state, &ret_rest->bytes, arena->context,
                                       r->error);
    return rp_ok(r);
}

static void normalise(bool is_full, rp_writer *raw, rp_writer *ours, rp_arena *arena)
{
    reprise_error unread = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(raw->data, raw->size, "keyframe", &unread);
    union {
        ic_snapshot full;
        ic_delta delta;
    } state;
    ic_archetypes groups;
    ic_rest rest;
    bool known = is_full ? ic_snapshot_read_open(&r, arena, &state.full, &groups, &rest)
                         : ic_delta_read_open(&r, arena, &state.delta, &rest);
    if (rp_is_own_failure(raw->context, unread.status))
        *ours->error = unread;
    if (!known || rest.unknown || !rest.unsorted)
        return;
    rp_bincode_write(ours, is_full ? &ic_snapshot_record : &ic_delta_record, &state);
    rp_writer_clear(raw);
    rp_put(raw, ours->data, ours->size);
}

reprise_status ic_state_normalise(bool is_full, rp_writer *raw, reprise_error *error)
{
    rp_writer ours;
    rp_arena arena;
    rp_writer_init(&ours, raw->context, raw->size_max, error);
    rp_arena_init(&arena, raw->context);
    normalise(is_full, raw, &ours, &arena);
    rp_arena_free(&arena);
    rp_writer_free(&ours);
    return error->status;
}

/* For readers that need everything: unknown parts are a failure. */
static bool need_rest(rp_reader *r, const ic_rest *rest)
{
    if (rp_ok(r) && rest->unknown)
        *r->error = rest->why;
    return rp_ok(r);
}

bool ic_snapshot_read_grouped(rp_reader *r, rp_arena *arena, ic_snapshot *ret,
                              ic_archetypes *ret_groups)
{
    ic_rest rest;
    if (!ic_snapshot_read_open(r, arena, ret, ret_groups, &rest) || !need_rest(r, &rest))
        return false;
    if (ic_core_check(&ret->core, arena, r->error) != REPRISE_OK)
        rp_error_place(r->error, r->stream, 0, "core");
    return rp_ok(r);
}

bool ic_snapshot_read(rp_reader *r, rp_arena *arena, ic_snapshot *ret)
{
    ic_archetypes groups;
    return ic_snapshot_read_grouped(r, arena, ret, &groups);
}

bool ic_delta_read(rp_reader *r, rp_arena *arena, ic_delta *ret)
{
    ic_rest rest;
    return ic_delta_read_open(r, arena, ret, &rest) && need_rest(r, &rest);
}

/* ---- rules ---- */

#define bad(error, ...) rp_error_set(error, REPRISE_E_CORRUPT, __VA_ARGS__)

/* Names must be unique; a half-empty hash table finds duplicates. */
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
        const rp_text *text = &entries[i];
        uint32_t hash = 2166136261u;
        for (size_t k = 0; k < text->size; k++)
            hash = (hash ^ (uint8_t)text->data[k]) * 16777619u;
        size_t slot = (hash ^ hash >> 15) & (slots - 1);
        for (; table_of[slot]; slot = (slot + 1) & (slots - 1)) {
            const rp_text *other = &entries[table_of[slot] - 1];
            if (other->size == text->size &&
                (!text->size || memcmp(other->data, text->data, text->size) == 0))
                return bad(error, "interned string %zu is a duplicate", i);
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
            if (tech[k] >= names)
                return bad(error, "player %u: tech %u is not interned", players[i].player, tech[k]);
        }
    }
    return REPRISE_OK;
}

int ic_cell_order(const ic_cell *a, const ic_cell *b)
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
        if (i && ic_cell_order(&cells[i - 1].cell, cell) >= 0)
            return bad(error, "map cells do not ascend at cell %zu", i);
        if (cell->x < 0 || cell->y < 0 || (uint32_t)cell->x >= map->width ||
            (uint32_t)cell->y >= map->height)
            return bad(error, "map cell %d, %d is outside the map", cell->x, cell->y);
        if (cells[i].state.terrain >= names || (resource && *resource >= names))
            return bad(error, "map cell %d, %d: terrain or resource is not interned", cell->x,
                       cell->y);
    }
    return REPRISE_OK;
}

static bool is_player(const ic_core *core, uint32_t number)
{
    const ic_player *players = core->player_states.items;
    for (size_t i = 0; i < core->player_states.count; i++) {
        if (players[i].player == number)
            return true;
    }
    return false;
}

static bool in_bounds(const ic_map *map, const ic_pos *pos)
{
    return pos->x >= -IC_MAP_MARGIN &&
           (int64_t)pos->x < (int64_t)map->width * 1024 + IC_MAP_MARGIN &&
           pos->y >= -IC_MAP_MARGIN &&
           (int64_t)pos->y < (int64_t)map->height * 1024 + IC_MAP_MARGIN &&
           pos->z >= -IC_MAP_HEIGHT_MAX && pos->z <= IC_MAP_HEIGHT_MAX;
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

/* Checks every rule and reports the first violation. */
static reprise_status check_entity(const ic_core *core, const ic_entity *entity, rp_arena *arena,
                                   reprise_error *error)
{
    unsigned index = entity->tag.index;
    ic_components c;
    RP_TRY(look(entity, arena, &c, error));
    RP_TRY(check_set(c.mask, index, error));
    const ic_pos *pos = &c.position.pos;
    if (!is_interned(core, &c))
        return bad(error, "entity %u: id beyond the intern table", index);
    if (!is_player(core, c.identity.owner))
        return bad(error, "entity %u owner out of range: no player %u", index, c.identity.owner);
    if (c.health.max <= 0 || c.health.current > c.health.max)
        return bad(error, "entity %u: health %d of %d", index, c.health.current, c.health.max);
    if (!in_bounds(&core->map_state, pos))
        return bad(error, "entity %u position out of bounds: %d, %d, %d", index, pos->x, pos->y,
                   pos->z);
    return REPRISE_OK;
}

typedef struct checker {
    const ic_entity *entities;
    size_t count;
    ic_shapes shapes;
    ic_verdict verdict;
    int32_t before; /* index of the previous entity */
    bool ascends;
} checker;

/* Continues from entity `i` to the first that is not usual. */
static size_t pass_usual(checker *c, size_t i)
{
    /* No call in the loop and nothing shared, so that everything stays in registers. */
    const ic_entity *entities = c->entities;
    size_t count = c->count;
    ic_verdict verdict = c->verdict;
    bool ascends = c->ascends;
    int32_t before = c->before;
    for (; i < count && ic_add_usual(&c->shapes, &entities[i], &verdict); i++) {
        ascends &= entities[i].tag.index > before;
        before = entities[i].tag.index;
    }
    c->verdict = verdict;
    c->ascends = ascends;
    c->before = before;
    return i;
}

/* Whether all entities are valid, without reporting which is not. */
static bool are_sound(const ic_core *core, rp_arena *arena)
{
    checker c;
    c.entities = core->entities.items;
    c.count = core->entities.count;
    c.verdict = (ic_verdict){0};
    c.before = -1;
    c.ascends = true;
    ic_shapes_init(&c.shapes, core);
    for (size_t i = pass_usual(&c, 0); i < c.count; i = pass_usual(&c, i)) {
        reprise_error ignored = REPRISE_ERROR_INIT;
        if (ic_shapes_learn(&c.shapes, c.entities[i].component_mask))
            continue;
        if (check_entity(core, &c.entities[i], arena, &ignored) != REPRISE_OK)
            return false;
        c.ascends &= c.entities[i].tag.index > c.before;
        c.before = c.entities[i++].tag.index;
    }
    return c.ascends && c.before != IC_WORLD_INDEX && ic_is_sound(&c.shapes, c.verdict);
}

static reprise_status check_entities(const ic_core *core, rp_arena *arena, reprise_error *error)
{
    const ic_entity *entities = core->entities.items;
    size_t count = core->entities.count;
    if (count > IC_ENTITIES_MAX)
        return rp_error_set(error, REPRISE_E_LIMIT, "%zu entities, at most %d", count,
                            IC_ENTITIES_MAX);
    if (are_sound(core, arena))
        return REPRISE_OK;
    for (size_t i = 0; i < count; i++) {
        unsigned index = entities[i].tag.index;
        if (index == IC_WORLD_INDEX)
            return bad(error, "entity %u is reserved", index);
        if (i && index == entities[i - 1].tag.index)
            return bad(error, "duplicate entity %u", index);
        if (i && index < entities[i - 1].tag.index)
            return bad(error, "entities do not ascend at %u", index);
        RP_TRY(check_entity(core, &entities[i], arena, error));
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
