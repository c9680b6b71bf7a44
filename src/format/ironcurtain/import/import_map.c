/* import_map.c - translates orders of other games (the tables of specification, 14). */
#include "import.h"

enum { PRODUCTION_MAX = 256, CELL = 1024, HALF_CELL = 512 };

/* ---- parts of orders ---- */

/* Turns a 32-bit unit id into a tag: low half and high half. */
static ic_tag tag_of(uint32_t unit)
{
    return (ic_tag){(uint16_t)unit, (uint16_t)(unit >> 16)};
}

/* The middle of a cell. The arithmetic wraps: hostile files have any cell. */
static ic_pos pos_of(const reprise_foreign_order *order)
{
    uint32_t x = (uint32_t)order->x * CELL + HALF_CELL, y = (uint32_t)order->y * CELL + HALF_CELL;
    return (ic_pos){(int32_t)x, (int32_t)y, 0};
}

/* Texts of other games may be any bytes; documents turn them into UTF-8. */
static rp_text text_of(ic_translator *t, const char *text)
{
    rp_doc doc = {.arena = &t->arena, .error = t->error};
    rp_text clean = {"", 0};
    const reprise_value *value = text ? rp_new_text(&doc, text) : NULL;
    if (value)
        clean.data = reprise_value_text(value, &clean.size);
    return clean;
}

static void add(ic_translator *t, uint32_t variant, const void *value, size_t size)
{
    reprise_ic_player_order *orders = rp_arena_grow(&t->arena, t->orders, t->count + 1,
                                                    &t->capacity, sizeof *orders, t->error);
    void *copy = orders ? rp_arena_alloc(&t->arena, size, t->error) : NULL;
    if (!copy)
        return;
    t->orders = orders;
    memcpy(copy, value, size);
    const rp_choice order = {variant, copy};
    memcpy(&t->orders[t->count++], &order, sizeof order);
}

static reprise_ic_tag_list tags_of(ic_translator *t, const reprise_foreign_order *order)
{
    ic_tag *tags = rp_arena_array(&t->arena, order->unit_count, sizeof *tags, t->error);
    for (size_t i = 0; tags && i < order->unit_count; i++)
        tags[i] = tag_of(order->units[i]);
    return (reprise_ic_tag_list){tags, tags ? order->unit_count : 0};
}

static void add_game_order(ic_translator *t, uint32_t variant, const void *value)
{
    rp_writer payload;
    rp_writer_init(&payload, t->context, 2 * IC_ORDER_BYTES_MAX + (1 << 20), t->error);
    rp_bincode_write(&payload, ic_known_order.variants[variant], value);
    const char *copy = rp_arena_text(&t->arena, payload.data, payload.size, t->error);
    ic_game_order order = {(uint16_t)(variant + IC_GAME_ORDER_FIRST), {copy, payload.size}};
    if (copy)
        add(t, ic_player_order_V_GameOrder, &order, sizeof order);
    rp_writer_free(&payload);
}

/* ---- kinds of orders ---- */

static ic_translated to_move(ic_translator *t, const reprise_foreign_order *order)
{
    if (!order->unit_count || !order->has_cell)
        return IC_NO_COUNTERPART;
    ic_move move = {tags_of(t, order), pos_of(order)};
    add(t, ic_player_order_V_Move, &move, sizeof move);
    return IC_TRANSLATED;
}

static ic_translated to_attack(ic_translator *t, const reprise_foreign_order *order)
{
    bool at_unit = order->target != REPRISE_FOREIGN_NONE;
    if (!order->unit_count || (!at_unit && !order->has_cell))
        return IC_NO_COUNTERPART;
    ic_tag *tag = rp_arena_alloc(&t->arena, sizeof *tag, t->error);
    ic_pos *pos = rp_arena_alloc(&t->arena, sizeof *pos, t->error);
    if (!tag || !pos)
        return IC_NO_COUNTERPART;
    *tag = tag_of(order->target);
    *pos = pos_of(order);
    ic_attack attack = {.units = tags_of(t, order)};
    if (at_unit)
        attack.target = (reprise_ic_target){ic_target_V_Unit, {.unit = tag}};
    else
        attack.target = (reprise_ic_target){ic_target_V_Ground, {.ground = pos}};
    add(t, ic_player_order_V_Attack, &attack, sizeof attack);
    return IC_TRANSLATED;
}

static ic_translated to_stop(ic_translator *t, const reprise_foreign_order *order)
{
    if (!order->unit_count)
        return IC_NO_COUNTERPART;
    ic_stop stop = {tags_of(t, order)};
    add(t, ic_player_order_V_Stop, &stop, sizeof stop);
    return IC_TRANSLATED;
}

/* One order for each unit, or for the target if it comes first. */
static ic_translated to_each(ic_translator *t, const reprise_foreign_order *order, uint32_t variant,
                             bool target_first)
{
    if (target_first && order->target != REPRISE_FOREIGN_NONE) {
        ic_unit unit = {tag_of(order->target)};
        add_game_order(t, variant, &unit);
        return IC_TRANSLATED;
    }
    for (size_t i = 0; i < order->unit_count; i++) {
        if (order->units[i] == REPRISE_FOREIGN_NONE)
            return IC_NO_COUNTERPART; /* the unit that deploys is not recorded */
        ic_unit unit = {tag_of(order->units[i])};
        add_game_order(t, variant, &unit);
    }
    return order->unit_count ? IC_TRANSLATED : IC_NO_COUNTERPART;
}

/* Production of n items becomes n orders. */
static ic_translated to_produce(ic_translator *t, const reprise_foreign_order *order,
                                uint32_t variant)
{
    uint32_t count = t->openra ? order->count : 1;
    if (!order->item || !count || count > PRODUCTION_MAX)
        return IC_NO_COUNTERPART;
    ic_produce produce = {{"", 0}, text_of(t, order->item)};
    for (uint32_t i = 0; i < count; i++)
        add_game_order(t, variant, &produce);
    return IC_TRANSLATED;
}

static ic_translated to_place(ic_translator *t, const reprise_foreign_order *order)
{
    if (!order->has_cell || !order->item)
        return IC_NO_COUNTERPART;
    ic_place place = {text_of(t, order->item), {order->x, order->y, 0}};
    add_game_order(t, ic_known_order_V_PlaceBuilding, &place);
    return IC_TRANSLATED;
}

static ic_translated to_rally(ic_translator *t, const reprise_foreign_order *order)
{
    if (!order->has_cell || !order->unit_count)
        return IC_NO_COUNTERPART;
    for (size_t i = 0; i < order->unit_count; i++) {
        ic_rally rally = {tag_of(order->units[i]), pos_of(order)};
        add_game_order(t, ic_known_order_V_SetRallyPoint, &rally);
    }
    return IC_TRANSLATED;
}

static ic_translated to_stance(ic_translator *t, const reprise_foreign_order *order)
{
    if (!order->unit_count || order->count > UINT8_MAX)
        return IC_NO_COUNTERPART;
    ic_stance stance = {tags_of(t, order), (uint8_t)order->count};
    add_game_order(t, ic_known_order_V_SetStance, &stance);
    return IC_TRANSLATED;
}

static ic_translated to_chat(ic_translator *t, const reprise_foreign_order *order)
{
    enum { ALL = 0, TEAM = 1, OBSERVER = 3 };
    uint32_t channel = order->team == 0                            ? ALL
                       : order->team == REPRISE_FOREIGN_SPECTATORS ? OBSERVER
                                                                   : TEAM;
    ic_chat chat = {{.variant = channel}, text_of(t, order->item)};
    add(t, ic_player_order_V_ChatMessage, &chat, sizeof chat);
    return IC_TRANSLATED;
}

static ic_translated to_surrender(ic_translator *t)
{
    ic_propose *propose = rp_arena_alloc(&t->arena, sizeof *propose, t->error);
    if (!propose)
        return IC_NO_COUNTERPART;
    propose->vote_type = (reprise_ic_vote_type){.variant = ic_vote_type_V_Surrender};
    ic_vote vote = {{ic_vote_order_V_Propose, {.propose = propose}}};
    add(t, ic_player_order_V_Vote, &vote, sizeof vote);
    return IC_TRANSLATED;
}

static ic_translated to_ping(ic_translator *t, const reprise_foreign_order *order)
{
    if (!order->has_cell)
        return IC_NO_COUNTERPART;
    ic_ping ping = {.pos = pos_of(order)};
    add(t, ic_player_order_V_TacticalPing, &ping, sizeof ping);
    return IC_TRANSLATED;
}

/* ---- all of them ---- */

/* Names of this kind without a counterpart. */
static bool is_other_repair(const ic_translator *t, const reprise_foreign_order *order)
{
    return t->openra && strcmp(order->name, "RepairBuilding") != 0;
}

ic_translated ic_translate(ic_translator *t, const reprise_foreign_order *order)
{
    rp_arena_reset(&t->arena);
    t->orders = NULL;
    t->count = t->capacity = 0;
    switch (order->kind) {
    case REPRISE_FOREIGN_MOVE:
        return to_move(t, order);
    case REPRISE_FOREIGN_ATTACK:
        return to_attack(t, order);
    case REPRISE_FOREIGN_STOP:
        return to_stop(t, order);
    case REPRISE_FOREIGN_DEPLOY:
        return to_each(t, order, ic_known_order_V_Deploy, false);
    case REPRISE_FOREIGN_PRODUCE:
        return to_produce(t, order, ic_known_order_V_Produce);
    case REPRISE_FOREIGN_CANCEL_PRODUCTION:
        return to_produce(t, order, ic_known_order_V_CancelProduction);
    case REPRISE_FOREIGN_PLACE_BUILDING:
        return to_place(t, order);
    case REPRISE_FOREIGN_SELL:
        return to_each(t, order, ic_known_order_V_Sell, true);
    case REPRISE_FOREIGN_REPAIR:
        return is_other_repair(t, order) ? IC_NO_COUNTERPART
                                         : to_each(t, order, ic_known_order_V_Repair, true);
    case REPRISE_FOREIGN_SET_RALLY_POINT:
        return to_rally(t, order);
    case REPRISE_FOREIGN_STANCE:
        return to_stance(t, order);
    case REPRISE_FOREIGN_BEACON:
        return to_ping(t, order);
    case REPRISE_FOREIGN_CHAT:
        return to_chat(t, order);
    case REPRISE_FOREIGN_SURRENDER:
        return to_surrender(t);
    case REPRISE_FOREIGN_DISCONNECT:
        return order->raw_size ? IC_NO_COUNTERPART : IC_NOT_AN_ORDER;
    default:
        return IC_NO_COUNTERPART;
    }
}

bool ic_carry_raw(ic_translator *t, const reprise_foreign_order *order)
{
    t->orders = NULL;
    t->count = t->capacity = 0;
    if (!order->raw_size || order->raw_size > IC_ORDER_BYTES_MAX)
        return false;
    size_t size = order->raw_size + t->openra;
    char *payload = rp_arena_alloc(&t->arena, size, t->error);
    if (!payload)
        return false;
    if (t->openra)
        payload[0] = (char)t->dialect;
    memcpy(payload + t->openra, order->raw, order->raw_size);
    ic_game_order carried = {t->carrier, {payload, size}};
    add(t, ic_player_order_V_GameOrder, &carried, sizeof carried);
    return t->count == 1;
}
