/* game.c - see game.h; the steps of a tick are numbered as in the specification. */
#include "game.h"

typedef struct unit {
    ic_tag tag;
    ic_components c; /* navigation.target is set only while encoding */
    ic_pos target;
    bool has_target;
} unit;

typedef struct side {
    ic_player state; /* without tech */
    ic_u32 *tech;    /* ascending */
    size_t tech_count, tech_capacity;
} side;

typedef struct cell {
    ic_map_cell state; /* without resource */
    uint32_t resource;
    bool has_resource;
} cell;

struct skirmish_game {
    rp_context *context;
    rp_arena arena;   /* lives as long as the game */
    rp_arena scratch; /* one tick */
    ic_core base;     /* seed, map, and everything that does not change */
    uint64_t tick;
    ic_rng rng;
    unit *units; /* ascending by index */
    size_t unit_count, unit_capacity;
    side *sides;
    size_t side_count;
    cell *cells;
    size_t cell_count;
    ic_text *names;
    size_t name_count, name_capacity;
    reprise_error *error;  /* of the current call */
    reprise_error made_up; /* of skirmish_game_spawn */
};

enum { SPAWN_COST = 100, SELL_PRICE = 50, UNITS_MAX = 200, COOLDOWN = 15 };

/* ---- random numbers: xoshiro256** ---- */

static uint64_t rotate(uint64_t x, unsigned k)
{
    return x << k | x >> (64 - k);
}

static uint64_t next_random(ic_rng *s)
{
    uint64_t result = rotate(s->s1 * 5, 7) * 9, t = s->s1 << 17;
    s->s2 ^= s->s0;
    s->s3 ^= s->s1;
    s->s1 ^= s->s2;
    s->s0 ^= s->s3;
    s->s2 ^= t;
    s->s3 = rotate(s->s3, 45);
    return result;
}

/* The id of a name, appended if it is new. */
static uint32_t intern(skirmish_game *game, rp_text name)
{
    for (size_t i = 0; i < game->name_count; i++) {
        if (rp_text_equal(&game->names[i], &name))
            return (uint32_t)i;
    }
    ic_text *names = rp_arena_grow(&game->arena, game->names, game->name_count + 1,
                                   &game->name_capacity, sizeof *names, game->error);
    const char *copy = rp_arena_text(&game->arena, name.data, name.size, game->error);
    if (!names || !copy)
        return 0;
    game->names = names;
    game->names[game->name_count] = (ic_text){copy, name.size};
    return (uint32_t)game->name_count++;
}

static uint32_t intern_word(skirmish_game *game, const char *word)
{
    return intern(game, (rp_text){word, strlen(word)});
}

/* ---- units ---- */

static size_t place_of(const skirmish_game *game, unsigned index)
{
    size_t low = 0, high = game->unit_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (game->units[middle].tag.index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static unit *find(const skirmish_game *game, const ic_tag *tag)
{
    size_t at = place_of(game, tag->index);
    bool found = at < game->unit_count && game->units[at].tag.index == tag->index &&
                 game->units[at].tag.generation == tag->generation;
    return found ? &game->units[at] : NULL;
}

static unit *find_owned(const skirmish_game *game, const ic_tag *tag, uint32_t player)
{
    unit *u = find(game, tag);
    return u && u->c.identity.owner == player ? u : NULL;
}

static void remove_unit(skirmish_game *game, size_t at)
{
    memmove(&game->units[at], &game->units[at + 1], (game->unit_count - at - 1) * sizeof(unit));
    game->unit_count--;
}

static side *side_of(const skirmish_game *game, uint32_t player)
{
    for (size_t i = 0; i < game->side_count; i++) {
        if (game->sides[i].state.player == player)
            return &game->sides[i];
    }
    return NULL;
}

static int32_t clamp(int64_t value, int64_t low, int64_t high)
{
    return (int32_t)(value < low ? low : value > high ? high : value);
}

static int32_t clamp_x(const skirmish_game *game, int64_t x)
{
    return clamp(x, 0, (int64_t)game->base.map_state.width * 1024 - 1);
}

static int32_t clamp_y(const skirmish_game *game, int64_t y)
{
    return clamp(y, 0, (int64_t)game->base.map_state.height * 1024 - 1);
}

/* ---- spawning ---- */

typedef struct type {
    const char *name, *archetype;
    int32_t health, speed; /* speed 0: a structure */
    uint32_t locomotor, armor;
    const char *weapon;
} type;

enum { FOOT = 0, WHEELED = 1, TRACKED = 2, BARE = 0, LIGHT = 1, HEAVY = 3, WOOD = 4 };

static const type types[] = {
    {"e1", "infantry", 50, 43, FOOT, BARE, "m60mg"},
    {"e3", "infantry", 45, 38, FOOT, BARE, "dragon"},
    {"2tnk", "vehicle", 400, 68, TRACKED, HEAVY, "90mm"},
    {"3tnk", "vehicle", 550, 60, TRACKED, HEAVY, "105mm"},
    {"jeep", "vehicle", 150, 113, WHEELED, LIGHT, "m60mg"},
    {"harv", "harvester", 600, 56, TRACKED, HEAVY, NULL},
    {"fact", "structure", 1000, 0, 0, WOOD, NULL},
    {"weap", "structure", 1000, 0, 0, WOOD, NULL},
    {"barr", "structure", 800, 0, 0, WOOD, NULL},
    {"proc", "structure", 900, 0, 0, WOOD, NULL},
};

/* Unknown names behave like e1. */
static const type *type_of(const rp_text *name)
{
    for (size_t i = 0; i < RP_COUNT(types); i++) {
        rp_text word = {types[i].name, strlen(types[i].name)};
        if (rp_text_equal(&word, name))
            return &types[i];
    }
    return &types[0];
}

static unit *insert_unit(skirmish_game *game)
{
    unit *units = rp_arena_grow(&game->arena, game->units, game->unit_count + 1,
                                &game->unit_capacity, sizeof *units, game->error);
    if (!units)
        return NULL;
    game->units = units;
    size_t at = 0; /* the lowest free index */
    while (at < game->unit_count && game->units[at].tag.index == at)
        at++;
    memmove(&units[at + 1], &units[at], (game->unit_count - at) * sizeof(unit));
    game->unit_count++;
    units[at] = (unit){.tag = {(uint16_t)at, (uint16_t)(game->tick + 1)}};
    return &units[at];
}

static void spawn(skirmish_game *game, const rp_text *name, uint32_t owner, int64_t x, int64_t y)
{
    const type *t = type_of(name);
    uint32_t archetype = intern_word(game, t->archetype), unit_type = intern(game, *name);
    uint32_t weapon = t->weapon ? intern_word(game, t->weapon) : 0;
    bool harvests = strcmp(t->archetype, "harvester") == 0;
    uint32_t ore = harvests ? intern_word(game, "ore") : 0;
    unit *u = insert_unit(game);
    if (!u)
        return;
    ic_components *c = &u->c;
    c->identity = (ic_identity){archetype, unit_type, owner};
    c->position.pos = (ic_pos){clamp_x(game, x), clamp_y(game, y), 0};
    c->health = (ic_health){t->health, t->health};
    c->attackable.armor = t->armor;
    c->mask = REPRISE_IC_COMPONENT_IDENTITY | REPRISE_IC_COMPONENT_POSITION |
              REPRISE_IC_COMPONENT_HEALTH | REPRISE_IC_COMPONENT_ATTACKABLE;
    if (t->speed) {
        c->mask |= REPRISE_IC_COMPONENT_MOBILE | REPRISE_IC_COMPONENT_NAVIGATION |
                   REPRISE_IC_COMPONENT_VETERANCY;
        c->mobile = (ic_mobile){0, t->speed, t->locomotor};
    } else {
        c->mask |= REPRISE_IC_COMPONENT_BUILDING | REPRISE_IC_COMPONENT_BUILD_QUEUE;
        c->building.footprint = 1;
    }
    if (t->weapon) {
        c->mask |= REPRISE_IC_COMPONENT_ARMAMENT;
        c->armament = (ic_armament){weapon, 0};
    }
    if (harvests) {
        c->mask |= REPRISE_IC_COMPONENT_HARVESTER;
        c->harvester = (ic_harvester){700, 0, ore};
    }
}

static void learn(skirmish_game *game, side *s, uint32_t item)
{
    size_t at = 0;
    while (at < s->tech_count && s->tech[at] < item)
        at++;
    if (at < s->tech_count && s->tech[at] == item)
        return;
    ic_u32 *tech = rp_arena_grow(&game->arena, s->tech, s->tech_count + 1, &s->tech_capacity,
                                 sizeof *tech, game->error);
    if (!tech)
        return;
    memmove(&tech[at + 1], &tech[at], (s->tech_count - at) * sizeof *tech);
    tech[at] = item;
    s->tech = tech;
    s->tech_count++;
}

/* ---- 1: orders ---- */

static void order_move(skirmish_game *game, uint32_t player, const reprise_ic_tag_list *tags,
                       const ic_pos *target)
{
    const ic_tag *tag = tags->items;
    for (size_t i = 0; i < tags->count; i++) {
        unit *u = find_owned(game, &tag[i], player);
        if (!u || !IC_HAS(u->c.mask, Navigation))
            continue;
        u->has_target = target != NULL;
        if (target)
            u->target = (ic_pos){clamp_x(game, target->x), clamp_y(game, target->y), 0};
    }
}

static void order_attack(skirmish_game *game, uint32_t player, const ic_attack *attack)
{
    const ic_tag *tag = attack->units.items;
    if (attack->target.variant == ic_target_V_Ground) {
        order_move(game, player, &attack->units, attack->target.as.ground);
        return;
    }
    unit *target = find(game, attack->target.as.unit);
    if (!target || target->c.identity.owner == player)
        return;
    for (size_t i = 0; i < attack->units.count; i++) {
        unit *u = find_owned(game, &tag[i], player);
        if (!u || !IC_HAS(u->c.mask, Armament) || u->c.armament.cooldown)
            continue;
        uint32_t damage = 8 + (uint32_t)(next_random(&game->rng) % 8);
        target->c.health.current = (int32_t)((uint32_t)target->c.health.current - damage);
        u->c.armament.cooldown = COOLDOWN;
    }
}

static void order_sell(skirmish_game *game, side *s, const ic_tag *tag)
{
    unit *u = find_owned(game, tag, s->state.player);
    if (!u || !IC_HAS(u->c.mask, Building))
        return;
    remove_unit(game, (size_t)(u - game->units));
    s->state.credits = (int64_t)((uint64_t)s->state.credits + SELL_PRICE);
}

static void order_build(skirmish_game *game, side *s, const rp_text *item, int64_t x, int64_t y)
{
    if (s->state.credits < SPAWN_COST || game->unit_count >= UNITS_MAX)
        return;
    s->state.credits -= SPAWN_COST;
    spawn(game, item, s->state.player, x, y);
    learn(game, s, intern(game, *item));
}

static void order_game(skirmish_game *game, side *s, const ic_game_order *order)
{
    uint32_t variant = (uint32_t)order->type_tag - IC_GAME_ORDER_FIRST;
    if (variant > ic_known_order_V_Sell)
        return;
    union {
        ic_produce produce;
        ic_place place;
        ic_unit sold;
    } payload = {0};
    reprise_error ignored = REPRISE_ERROR_INIT;
    rp_reader r = rp_reader_of(order->payload.data, order->payload.size, "payload", &ignored);
    rp_bincode_read(&r, &game->scratch, ic_known_order.variants[variant], &payload);
    if (!rp_ok(&r) || rp_left(&r))
        return;
    int64_t p = s->state.player;
    if (variant == ic_known_order_V_Sell)
        order_sell(game, s, &payload.sold.unit);
    else if (variant == ic_known_order_V_Produce)
        order_build(game, s, &payload.produce.item, 1024 * (4 + 9 * (p % 4)),
                    1024 * (4 + 12 * (p / 4 + p % 2)));
    else
        order_build(game, s, &payload.place.item, (int64_t)payload.place.cell.x * 1024,
                    (int64_t)payload.place.cell.y * 1024);
}

static void apply_order(skirmish_game *game, const ic_order *order)
{
    side *s = side_of(game, order->player);
    if (!s)
        return;
    switch (order->order.variant) {
    case ic_player_order_V_Move: {
        const ic_move *move = order->order.as.move;
        order_move(game, order->player, &move->units, &move->target);
        break;
    }
    case ic_player_order_V_Stop:
        order_move(game, order->player, &order->order.as.stop->units, NULL);
        break;
    case ic_player_order_V_Attack:
        order_attack(game, order->player, order->order.as.attack);
        break;
    case ic_player_order_V_CheatCode:
        s->state.cheats_used = true;
        break;
    case ic_player_order_V_GameOrder:
        order_game(game, s, order->order.as.game_order);
        break;
    default:
        break;
    }
}

static bool goes_before(const ic_order *a, const ic_order *b)
{
    if (a->sub_tick_time != b->sub_tick_time)
        return a->sub_tick_time < b->sub_tick_time;
    return a->player < b->player;
}

/* A stable merge sort: frames may have very many orders in any order. */
static const ic_order **sort_orders(skirmish_game *game, const ic_order *orders, size_t count)
{
    const ic_order **a = rp_arena_array(&game->scratch, count, sizeof *a, game->error);
    const ic_order **b = rp_arena_array(&game->scratch, count, sizeof *b, game->error);
    if (!a || !b)
        return NULL;
    for (size_t i = 0; i < count; i++)
        a[i] = &orders[i];
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = RP_MIN(start + run, count), end = RP_MIN(start + 2 * run, count);
            size_t i = start, k = middle;
            for (size_t at = start; at < end; at++)
                b[at] = k == end || (i < middle && !goes_before(a[k], a[i])) ? a[i++] : a[k++];
        }
        const ic_order **swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* ---- 2: units move, cool down and harvest ---- */

static void turn(ic_mobile *mobile, int64_t dx, int64_t dy)
{
    static const int32_t facings[3][3] = {{128, 256, 384}, {0, -1, 512}, {896, 768, 640}};
    int32_t facing = facings[(dx > 0) - (dx < 0) + 1][(dy > 0) - (dy < 0) + 1];
    if (facing >= 0)
        mobile->facing = facing;
}

/* The distance limited by the speed; max(-v, min(v, d)), also for negative speeds. */
static int64_t step_of(int64_t distance, int64_t speed)
{
    int64_t step = RP_MIN(speed, distance);
    return RP_MAX(-speed, step);
}

static void move_unit(unit *u)
{
    ic_pos *pos = &u->c.position.pos;
    int64_t dx = (int64_t)u->target.x - pos->x, dy = (int64_t)u->target.y - pos->y;
    turn(&u->c.mobile, dx, dy);
    pos->x = (int32_t)(uint32_t)(pos->x + step_of(dx, u->c.mobile.speed));
    pos->y = (int32_t)(uint32_t)(pos->y + step_of(dy, u->c.mobile.speed));
    if (pos->x == u->target.x && pos->y == u->target.y)
        u->has_target = false;
}

static void step_unit(skirmish_game *game, unit *u)
{
    if (IC_HAS(u->c.mask, Armament) && u->c.armament.cooldown)
        u->c.armament.cooldown--;
    if (u->has_target && IC_HAS(u->c.mask, Mobile))
        move_unit(u);
    if (!IC_HAS(u->c.mask, Harvester))
        return;
    ic_harvester *h = &u->c.harvester;
    h->carried = (int32_t)((uint32_t)h->carried + 1);
    if (h->carried < h->capacity)
        return;
    h->carried = 0;
    side *s = side_of(game, u->c.identity.owner);
    if (s)
        s->state.credits = (int64_t)((uint64_t)s->state.credits + (uint64_t)(int64_t)h->capacity);
}

/* ---- 3, 4: the dead are removed, resources shrink ---- */

static void remove_dead(skirmish_game *game)
{
    size_t kept = 0;
    for (size_t i = 0; i < game->unit_count; i++) {
        if (game->units[i].c.health.current > 0) {
            if (kept != i)
                game->units[kept] = game->units[i];
            kept++;
        }
    }
    game->unit_count = kept;
}

static void shrink_resource(skirmish_game *game)
{
    uint64_t r = next_random(&game->rng);
    if (game->tick % 64 != 63 || !game->cell_count)
        return;
    cell *c = &game->cells[r % game->cell_count];
    if (c->state.state.amount > 0)
        c->state.state.amount--;
    if (c->state.state.amount == 0)
        c->has_resource = false;
}

reprise_status skirmish_game_apply(skirmish_game *game, const ic_order *orders, size_t count,
                                   reprise_error *error)
{
    game->error = error;
    rp_arena_reset(&game->scratch);
    const ic_order **sorted = count ? sort_orders(game, orders, count) : NULL;
    for (size_t i = 0; sorted && i < count; i++)
        apply_order(game, sorted[i]);
    for (size_t i = 0; i < game->unit_count; i++)
        step_unit(game, &game->units[i]);
    remove_dead(game);
    shrink_resource(game);
    game->tick++;
    return error->status;
}

/* ---- in and out ---- */

static void take_units(skirmish_game *game, const ic_core *core)
{
    const ic_entity *entities = core->entities.items;
    game->unit_capacity = core->entities.count + 1;
    game->units = rp_arena_array(&game->arena, game->unit_capacity, sizeof(unit), game->error);
    for (size_t i = 0; game->units && i < core->entities.count; i++) {
        unit *u = &game->units[game->unit_count++];
        const char *copy = rp_arena_text(&game->arena, entities[i].components.data,
                                         entities[i].components.size, game->error);
        rp_reader r = rp_reader_of(copy, entities[i].components.size, "components", game->error);
        u->tag = entities[i].tag;
        ic_components_read(&r, &game->arena, entities[i].component_mask, &u->c);
        const ic_pos *target = IC_HAS(u->c.mask, Navigation) ? u->c.navigation.target : NULL;
        u->has_target = target != NULL;
        if (target)
            u->target = *target;
    }
}

static void take_sides(skirmish_game *game, const ic_core *core)
{
    const ic_player *players = core->player_states.items;
    game->side_count = core->player_states.count;
    game->sides = rp_arena_array(&game->arena, game->side_count, sizeof(side), game->error);
    for (size_t i = 0; game->sides && i < game->side_count; i++) {
        side *s = &game->sides[i];
        size_t count = players[i].tech.count;
        s->state = players[i];
        s->tech_count = s->tech_capacity = count;
        s->tech = rp_arena_array(&game->arena, count, sizeof *s->tech, game->error);
        if (s->tech && count)
            memcpy(s->tech, players[i].tech.items, count * sizeof *s->tech);
    }
}

static void take_cells(skirmish_game *game, const ic_core *core)
{
    const ic_map_cell *cells = core->map_state.cells.items;
    game->cell_count = core->map_state.cells.count;
    game->cells = rp_arena_array(&game->arena, game->cell_count, sizeof(cell), game->error);
    for (size_t i = 0; game->cells && i < game->cell_count; i++) {
        const ic_u32 *resource = cells[i].state.resource;
        game->cells[i] = (cell){.state = cells[i],
                                .resource = resource ? *resource : 0,
                                .has_resource = resource != NULL};
    }
}

static void take_names(skirmish_game *game, const ic_core *core)
{
    const ic_text *names = core->intern_table.entries.items;
    game->name_capacity = core->intern_table.entries.count + 16;
    game->names = rp_arena_array(&game->arena, game->name_capacity, sizeof *game->names,
                                 game->error);
    for (size_t i = 0; game->names && i < core->intern_table.entries.count; i++) {
        const char *copy = rp_arena_text(&game->arena, names[i].data, names[i].size, game->error);
        game->names[game->name_count++] = (ic_text){copy, names[i].size};
    }
}

reprise_status skirmish_game_new(rp_context *context, const ic_core *core, skirmish_game **ret_sim,
                                 reprise_error *error)
{
    skirmish_game *game = rp_alloc_zero(context, 1, sizeof *game, error);
    if (!game)
        return error->status;
    *game = (skirmish_game){.context = context,
                            .base = *core,
                            .tick = core->tick,
                            .rng = core->rng_state.s,
                            .error = error};
    rp_arena_init(&game->arena, context);
    rp_arena_init(&game->scratch, context);
    take_units(game, core);
    take_sides(game, core);
    take_cells(game, core);
    take_names(game, core);
    if (error->status != REPRISE_OK) {
        skirmish_game_free(game);
        return error->status;
    }
    *ret_sim = game;
    return REPRISE_OK;
}

static void *copy_of(rp_arena *arena, const void *items, size_t count, size_t size,
                     reprise_error *error)
{
    void *copy = rp_arena_room(arena, count, size, error);
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

/* Copies what a tick changes in place: names are only added, and lists of components stay. */
reprise_status skirmish_game_copy(rp_context *context, const skirmish_game *game,
                                  skirmish_game **to, reprise_error *error)
{
    skirmish_game *copy = *to ? *to : rp_alloc_zero(context, 1, sizeof *copy, error);
    if (!copy)
        return error->status;
    rp_arena arena = copy->arena;
    if (*to)
        rp_arena_reset(&arena);
    else
        rp_arena_init(&arena, context);
    *copy = *game;
    copy->context = context;
    rp_arena_init(&copy->scratch, context);
    copy->units = copy_of(&arena, game->units, game->unit_count, sizeof(unit), error);
    copy->sides = copy_of(&arena, game->sides, game->side_count, sizeof(side), error);
    copy->cells = copy_of(&arena, game->cells, game->cell_count, sizeof(cell), error);
    for (size_t i = 0; copy->sides && i < copy->side_count; i++)
        copy->sides[i].tech = copy_of(&arena, game->sides[i].tech, game->sides[i].tech_count,
                                      sizeof(ic_u32), error);
    copy->arena = arena;
    *to = copy;
    return error->status;
}

void skirmish_game_free(skirmish_game *game)
{
    if (!game)
        return;
    rp_arena_free(&game->arena);
    rp_arena_free(&game->scratch);
    rp_free(game->context, game, sizeof *game);
}

uint64_t skirmish_game_tick(const skirmish_game *game)
{
    return game->tick;
}

/* ---- for those who make a match up ---- */

void skirmish_game_spawn(skirmish_game *game, rp_text name, uint32_t owner, int64_t x, int64_t y)
{
    game->error = &game->made_up;
    spawn(game, &name, owner, x, y);
}

reprise_status skirmish_game_status(skirmish_game *game, reprise_error *error)
{
    if (game->made_up.status != REPRISE_OK)
        *error = game->made_up;
    return error->status;
}

bool skirmish_game_has(const skirmish_game *game, const ic_tag *tag)
{
    return find(game, tag) != NULL;
}

size_t skirmish_game_unit_count(const skirmish_game *game)
{
    return game->unit_count;
}

skirmish_unit skirmish_game_unit(const skirmish_game *game, size_t index)
{
    const unit *u = &game->units[index];
    return (skirmish_unit){.tag = u->tag,
                           .owner = u->c.identity.owner,
                           .type = u->c.identity.unit_type,
                           .pos = u->c.position.pos,
                           .moves = IC_HAS(u->c.mask, Navigation)};
}

size_t skirmish_game_side_count(const skirmish_game *game)
{
    return game->side_count;
}

uint32_t skirmish_game_side(const skirmish_game *game, size_t index)
{
    return game->sides[index].state.player;
}

static reprise_ic_entity_list give_units(const skirmish_game *game, rp_arena *arena,
                                         reprise_error *error)
{
    ic_entity *out = rp_arena_array(arena, game->unit_count, sizeof *out, error);
    rp_writer w;
    rp_writer_init(&w, arena->context, SIZE_MAX / 2, error);
    for (size_t i = 0; out && i < game->unit_count; i++) {
        const unit *u = &game->units[i];
        ic_components c = u->c;
        ic_pos target = u->target;
        c.navigation.target = u->has_target ? &target : NULL;
        rp_writer_clear(&w);
        ic_components_put(&w, &c);
        const char *bytes = rp_arena_text(arena, w.data, w.size, error);
        out[i] = (ic_entity){u->tag, c.mask, {bytes, w.size}};
    }
    rp_writer_free(&w);
    return (reprise_ic_entity_list){out, game->unit_count};
}

static reprise_ic_player_list give_sides(const skirmish_game *game, rp_arena *arena,
                                         reprise_error *error)
{
    ic_player *out = rp_arena_array(arena, game->side_count, sizeof *out, error);
    for (size_t i = 0; out && i < game->side_count; i++) {
        const side *s = &game->sides[i];
        out[i] = s->state;
        out[i].tech = (reprise_ic_u32_list){
            copy_of(arena, s->tech, s->tech_count, sizeof *s->tech, error), s->tech_count};
    }
    return (reprise_ic_player_list){out, game->side_count};
}

static reprise_ic_map_cell_list give_cells(const skirmish_game *game, rp_arena *arena,
                                           reprise_error *error)
{
    ic_map_cell *out = rp_arena_array(arena, game->cell_count, sizeof *out, error);
    ic_u32 *resources = rp_arena_array(arena, game->cell_count, sizeof *resources, error);
    for (size_t i = 0; out && resources && i < game->cell_count; i++) {
        out[i] = game->cells[i].state;
        resources[i] = game->cells[i].resource;
        out[i].state.resource = game->cells[i].has_resource ? &resources[i] : NULL;
    }
    return (reprise_ic_map_cell_list){out, game->cell_count};
}

static reprise_ic_text_list give_names(const skirmish_game *game, rp_arena *arena,
                                       reprise_error *error)
{
    ic_text *out = rp_arena_array(arena, game->name_count, sizeof *out, error);
    for (size_t i = 0; out && i < game->name_count; i++) {
        const rp_text *name = &game->names[i];
        out[i] = (ic_text){rp_arena_text(arena, name->data, name->size, error), name->size};
    }
    return (reprise_ic_text_list){out, game->name_count};
}

reprise_status skirmish_game_core(const skirmish_game *game, rp_arena *arena, ic_core *ret_core,
                                  reprise_error *error)
{
    ic_core core = game->base;
    core.tick = game->tick;
    core.rng_state.s = game->rng;
    core.entities = give_units(game, arena, error);
    core.player_states = give_sides(game, arena, error);
    core.map_state.cells = give_cells(game, arena, error);
    core.intern_table.entries = give_names(game, arena, error);
    RP_TRY(error->status);
    *ret_core = core;
    return REPRISE_OK;
}
