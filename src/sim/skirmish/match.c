/*
 * match.c - matches of the reference game that play themselves, for recorders, players and tests.
 * Orders depend only on the seed and the state, so a match can be continued from any tick.
 */
#include "skirmish.h"

enum {
    MAP_SIZE = 64,
    ORE_CELLS = 48,
    CREDITS = 3000,
    THINK_TICKS = 15, /* interval at which a player gives orders */
    GROUP_MAX = 8,    /* units per order */
};

/* ---- the start ---- */

static rp_text word(const char *text)
{
    return (rp_text){text, strlen(text)};
}

static reprise_ic_player_list make_players(rp_arena *arena, uint32_t count, reprise_error *error)
{
    ic_player *players = rp_arena_array(arena, count, sizeof *players, error);
    for (uint32_t i = 0; players && i < count; i++)
        players[i] = (ic_player){
            .player = i, .team = i, .faction = i % 2, .credits = CREDITS, .power_produced = 100};
    return (reprise_ic_player_list){players, players ? count : 0};
}

/* A field of ore in the middle, in rows of eight. */
static reprise_ic_map_cell_list make_cells(rp_arena *arena, uint32_t ore, reprise_error *error)
{
    enum { ROW = 8 };
    ic_map_cell *cells = rp_arena_array(arena, ORE_CELLS, sizeof *cells, error);
    ic_u32 *resource = rp_arena_alloc(arena, sizeof *resource, error);
    if (!cells || !resource)
        return (reprise_ic_map_cell_list){0};
    *resource = ore;
    for (int32_t i = 0; i < ORE_CELLS; i++) {
        cells[i].cell = (ic_cell){MAP_SIZE / 2 - ROW / 2 + i % ROW, MAP_SIZE / 2 - 3 + i / ROW, 0};
        cells[i].state = (ic_cell_state){.terrain = 1, .resource = resource, .amount = 40};
    }
    return (reprise_ic_map_cell_list){cells, ORE_CELLS};
}

static void spawn_units(skirmish_game *game, uint32_t players, uint32_t units_per_player,
                        uint64_t seed)
{
    static const char *const types[] = {"fact", "proc", "harv", "e1",   "2tnk",
                                        "jeep", "e3",   "3tnk", "barr", "e1"};
    for (uint32_t p = 0; p < players; p++) {
        int64_t x = 1024 * (4 + 9 * (p % 4)), y = 1024 * (4 + 12 * (p / 4 + p % 2));
        for (uint32_t i = 0; i < units_per_player; i++) {
            uint64_t r = ic_split_mix(&seed);
            skirmish_game_spawn(game, word(types[i % RP_COUNT(types)]), p,
                                x + (int64_t)(r % 6144) - 3072,
                                y + (int64_t)(r >> 32) % 6144 - 3072);
        }
    }
}

static const char demo_map[] = "skirmish demonstration map";

const void *skirmish_map(size_t *ret_size)
{
    *ret_size = sizeof demo_map - 1;
    return demo_map;
}

static reprise_status first_core(rp_arena *arena, ic_hasher *hasher, uint64_t seed,
                                 uint32_t players, ic_core *ret_core, reprise_error *error)
{
    static const char *const names[] = {"allies", "soviet", "ore"};
    ic_core core = {.game_seed = seed, .map_state = {.width = MAP_SIZE, .height = MAP_SIZE}};
    uint64_t state = seed;
    core.rng_state.s = (ic_rng){ic_split_mix(&state), ic_split_mix(&state), ic_split_mix(&state),
                                0};
    core.rng_state.s.s3 = ic_split_mix(&state);
    ic_digest(hasher, demo_map, sizeof demo_map - 1, core.map_hash);
    ic_text *table = rp_arena_array(arena, RP_COUNT(names), sizeof *table, error);
    for (size_t i = 0; table && i < RP_COUNT(names); i++)
        table[i] = word(names[i]);
    core.intern_table.entries = (reprise_ic_text_list){table, RP_COUNT(names)};
    core.player_states = make_players(arena, players, error);
    core.map_state.cells = make_cells(arena, 2, error);
    RP_TRY(error->status);
    *ret_core = core;
    return REPRISE_OK;
}

reprise_status skirmish_start(skirmish_sim *s, uint64_t seed, uint32_t players,
                              uint32_t units_per_player, reprise_error *error)
{
    enum { PLAYERS_MAX = 8, UNITS_MAX = 5000 };
    ic_snapshot start = {0};
    if (!players || players > PLAYERS_MAX || units_per_player > UNITS_MAX)
        return rp_error_set(error, REPRISE_E_USAGE,
                            "a match has 1-%d players with at most %d units each", PLAYERS_MAX,
                            UNITS_MAX);
    rp_arena_reset(&s->orders);
    RP_TRY(first_core(&s->orders, &s->hasher, seed, players, &start.core, error));
    RP_TRY(s->calls.restore(s, &start, error));
    s->seed = seed;
    s->seen_count = 0;
    spawn_units(s->game, players, units_per_player, seed ^ 0x5851F42Du);
    return skirmish_game_status(s->game, error);
}

/* ---- what players order ---- */

typedef struct thinker {
    skirmish_sim *s;
    uint32_t player;
    uint64_t dice;
    ic_tag *own, *others; /* some armed or moving units of the player, some of the others */
    size_t own_count, other_count;
    rp_arena *arena;
    reprise_error *error;
} thinker;

/* Picks a few units, starting at a random one. */
static void look_around(thinker *t)
{
    size_t count = skirmish_game_unit_count(t->s->game);
    size_t start = count ? (size_t)(ic_split_mix(&t->dice) % count) : 0;
    t->own = rp_arena_array(t->arena, GROUP_MAX, sizeof *t->own, t->error);
    t->others = rp_arena_array(t->arena, 1, sizeof *t->others, t->error);
    for (size_t i = 0; t->own && t->others && i < count; i++) {
        skirmish_unit unit = skirmish_game_unit(t->s->game, (start + i) % count);
        if (unit.owner == t->player && unit.moves && t->own_count < GROUP_MAX)
            t->own[t->own_count++] = unit.tag;
        if (unit.owner != t->player && !t->other_count)
            t->others[t->other_count++] = unit.tag;
    }
}

static ic_pos anywhere(thinker *t)
{
    uint64_t r = ic_split_mix(&t->dice);
    return (ic_pos){(int32_t)(r % (MAP_SIZE * 1024)), (int32_t)((r >> 32) % (MAP_SIZE * 1024)), 0};
}

static void *order_new(const thinker *t, size_t size)
{
    return rp_arena_alloc(t->arena, size, t->error);
}

static reprise_ic_player_order think_move(thinker *t)
{
    ic_move *move = order_new(t, sizeof *move);
    if (move)
        *move = (ic_move){{t->own, t->own_count}, anywhere(t)};
    return (reprise_ic_player_order){ic_player_order_V_Move, {.move = move}};
}

static reprise_ic_player_order think_attack(thinker *t)
{
    ic_attack *attack = order_new(t, sizeof *attack);
    if (attack)
        *attack = (ic_attack){{t->own, t->own_count}, {ic_target_V_Unit, {.unit = t->others}}};
    return (reprise_ic_player_order){ic_player_order_V_Attack, {.attack = attack}};
}

static reprise_ic_player_order think_produce(thinker *t)
{
    static const char *const items[] = {"e1", "2tnk", "jeep", "e3", "harv"};
    ic_produce item = {word(""), word(items[ic_split_mix(&t->dice) % RP_COUNT(items)])};
    ic_game_order *order = order_new(t, sizeof *order);
    rp_writer payload;
    rp_writer_init(&payload, t->s->context, 256, t->error);
    rp_bincode_write(&payload, &ic_produce_record, &item);
    const char *copy = rp_arena_text(t->arena, payload.data, payload.size, t->error);
    if (order && copy)
        *order = (ic_game_order){ic_known_order_V_Produce + IC_GAME_ORDER_FIRST,
                                 {copy, payload.size}};
    rp_writer_free(&payload);
    return (reprise_ic_player_order){ic_player_order_V_GameOrder, {.game_order = order}};
}

static reprise_ic_player_order think_chat(thinker *t)
{
    static const char *const words[] = {"gl hf", "attack now", "need help", "well played"};
    ic_chat *chat = order_new(t, sizeof *chat);
    if (chat)
        *chat = (ic_chat){.text = word(words[ic_split_mix(&t->dice) % RP_COUNT(words)])};
    return (reprise_ic_player_order){ic_player_order_V_ChatMessage, {.chat_message = chat}};
}

static reprise_ic_player_order think_ping(thinker *t)
{
    ic_ping *ping = order_new(t, sizeof *ping);
    if (ping)
        *ping = (ic_ping){.ping_type = 1, .pos = anywhere(t)};
    return (reprise_ic_player_order){ic_player_order_V_TacticalPing, {.tactical_ping = ping}};
}

static reprise_ic_player_order think(thinker *t)
{
    uint64_t mood = ic_split_mix(&t->dice) % 32;
    if (mood == 0)
        return think_chat(t);
    if (mood == 1)
        return think_ping(t);
    if (mood < 8)
        return think_produce(t);
    look_around(t);
    if (mood < 20 && t->own_count && t->other_count)
        return think_attack(t);
    if (t->own_count)
        return think_move(t);
    return (reprise_ic_player_order){.variant = ic_player_order_V_Idle};
}

reprise_status skirmish_orders(skirmish_sim *s, const ic_order **ret_orders, size_t *ret_count,
                               reprise_error *error)
{
    if (!s->game)
        return rp_error_set(error, REPRISE_E_USAGE, "no match was started");
    uint64_t tick = skirmish_game_tick(s->game);
    size_t sides = skirmish_game_side_count(s->game), count = 0;
    rp_arena_reset(&s->orders);
    ic_order *orders = rp_arena_array(&s->orders, sides, sizeof *orders, error);
    for (size_t i = 0; orders && i < sides; i++) {
        thinker t = {.s = s,
                     .player = skirmish_game_side(s->game, i),
                     .arena = &s->orders,
                     .error = error,
                     .dice = s->seed + tick * 64 + i};
        if ((tick + 7 * i) % THINK_TICKS)
            continue;
        orders[count] = (ic_order){.player = t.player,
                                   .order = think(&t),
                                   .sub_tick_time = (uint32_t)(ic_split_mix(&t.dice) % 60000)};
        count++;
    }
    RP_TRY(error->status);
    *ret_orders = orders;
    *ret_count = count;
    return REPRISE_OK;
}

/* ---- what happened ---- */

static reprise_ic_event created(skirmish_sim *s, const skirmish_unit *unit, reprise_error *error)
{
    ic_unit_created *event = rp_arena_alloc(&s->orders, sizeof *event, error);
    if (event)
        *event = (ic_unit_created){.tick = skirmish_game_tick(s->game),
                                   .tag = unit->tag,
                                   .unit_type = unit->type,
                                   .owner = unit->owner,
                                   .pos = unit->pos};
    return (reprise_ic_event){ic_event_V_UnitCreated, {.unit_created = event}};
}

static reprise_ic_event destroyed(skirmish_sim *s, const ic_tag *tag, reprise_error *error)
{
    ic_unit_destroyed *event = rp_arena_alloc(&s->orders, sizeof *event, error);
    if (event)
        *event = (ic_unit_destroyed){.tick = skirmish_game_tick(s->game), .tag = *tag};
    return (reprise_ic_event){ic_event_V_UnitDestroyed, {.unit_destroyed = event}};
}

/* Both lists ascend by index, so one walk finds the units created and destroyed. */
static size_t compare_units(skirmish_sim *s, reprise_ic_event *events, reprise_error *error)
{
    size_t count = 0, k = 0, units = skirmish_game_unit_count(s->game);
    for (size_t i = 0; i < units || k < s->seen_count;) {
        skirmish_unit unit = i < units ? skirmish_game_unit(s->game, i) : (skirmish_unit){0};
        const ic_tag *old = k < s->seen_count ? &s->seen[k] : NULL;
        bool same = old && i < units && old->index == unit.tag.index;
        if (same && old->generation == unit.tag.generation) {
            i++, k++;
        } else if (old && (i == units || old->index <= unit.tag.index)) {
            events[count++] = destroyed(s, old, error);
            k++;
        } else {
            events[count++] = created(s, &unit, error);
            i++;
        }
    }
    return count;
}

reprise_status skirmish_events(skirmish_sim *s, const reprise_ic_event **ret_events,
                               size_t *ret_count, reprise_error *error)
{
    if (!s->game)
        return rp_error_set(error, REPRISE_E_USAGE, "no match was started");
    size_t units = skirmish_game_unit_count(s->game);
    reprise_ic_event *events = rp_arena_array(&s->orders, units + s->seen_count, sizeof *events,
                                              error);
    s->alive_turn ^= 1;
    rp_arena *arena = &s->alive[s->alive_turn];
    rp_arena_reset(arena);
    ic_tag *now = rp_arena_array(arena, units, sizeof *now, error);
    RP_TRY(error->status);
    size_t count = compare_units(s, events, error);
    for (size_t i = 0; i < units; i++)
        now[i] = skirmish_game_unit(s->game, i).tag;
    s->seen = now;
    s->seen_count = units;
    RP_TRY(error->status);
    *ret_events = events;
    *ret_count = count;
    return REPRISE_OK;
}
