/*
 * stats.c - the numbers people ask about a match: what the file says apart from what follows from
 * it. One pass over all orders; every list is bounded.
 */
#include "openra.h"
#include "whole.h"

#include <stdlib.h>

enum {
    PLAYERS_MAX = 64,
    LOG_MAX = 20000,
    NAMES_MAX = 1024,   /* different order names or items per player */
    MINUTES_MAX = 1440, /* what comes later counts for the last one */
    CELLS_MAX = 1 << 14,
    DEFEAT_BITS = 64,
};

typedef struct heat {
    int32_t x, y;
    uint32_t count;
} heat;

typedef struct player {
    int32_t client;
    uint64_t orders, repeats, queued, groups, group_orders, log_cut, cells_cut;
    uint32_t largest_group;
    uint32_t *per_minute, *fresh_per_minute;
    uint32_t minutes;
    uint64_t last_sum; /* of the order before, to tell repeats */
    reprise_value *kinds, *produced, *placed, *build_order, *powers, *stances;
    double first_attack;
    heat *cells; /* open addressing, CELLS_MAX slots */
    uint32_t cell_count;
} player;

typedef struct match {
    ora_replay *replay;
    rp_doc *doc;
    player players[PLAYERS_MAX];
    size_t player_count;
    uint64_t players_cut;
    reprise_value *chat, *pauses, *disconnects;
    double defeated[DEFEAT_BITS]; /* when a bit was first set; negative: never */
    double first_contact;
    int32_t first_attacker;
} match;

#define HAS(field) (UINT64_C(1) << ora_order_F_##field)

/* ---- counting by name ---- */

static void count_name(match *m, reprise_value *counts, const rp_text *name, int64_t by)
{
    char key[128];
    size_t size = RP_MIN(name->size, sizeof key - 1);
    if (size)
        memcpy(key, name->data, size);
    key[size] = '\0';
    reprise_value *count = rp_get(counts, key);
    if (count)
        count->as.integer += by;
    else if (reprise_value_count(counts) < NAMES_MAX)
        rp_set_int(m->doc, counts, key, by);
}

static player *player_of(match *m, int32_t client)
{
    for (size_t i = 0; i < m->player_count; i++) {
        if (m->players[i].client == client)
            return &m->players[i];
    }
    if (m->player_count == PLAYERS_MAX) {
        m->players_cut++;
        return NULL;
    }
    player *p = &m->players[m->player_count++];
    rp_arena *arena = m->doc->arena;
    reprise_error *error = m->doc->error;
    *p = (player){.client = client, .first_attack = -1};
    p->per_minute = rp_arena_array(arena, MINUTES_MAX, sizeof *p->per_minute, error);
    p->fresh_per_minute = rp_arena_array(arena, MINUTES_MAX, sizeof *p->per_minute, error);
    p->cells = rp_arena_array(arena, CELLS_MAX, sizeof *p->cells, error);
    reprise_value **objects[] = {&p->kinds, &p->produced, &p->placed, &p->stances};
    for (size_t i = 0; i < RP_COUNT(objects); i++)
        *objects[i] = rp_new_object(m->doc);
    p->build_order = rp_new_array(m->doc);
    p->powers = rp_new_array(m->doc);
    if (error->status != REPRISE_OK) {
        m->player_count--;
        return NULL;
    }
    return p;
}

static reprise_value *log_entry(match *m, player *p, reprise_value *log, double time)
{
    if (reprise_value_count(log) >= LOG_MAX) {
        p->log_cut++;
        return NULL;
    }
    reprise_value *entry = rp_push_object(m->doc, log);
    rp_set_f64(m->doc, entry, "time", time);
    return entry;
}

static void set_text(match *m, reprise_value *to, const char *key, const rp_text *text)
{
    rp_set(m->doc, to, key, rp_new_text_n(m->doc, text->data, text->size));
}

/* ---- one order ---- */

static uint64_t sum_of(const rp_text *raw)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < raw->size; i++)
        sum = (sum ^ (uint8_t)raw->data[i]) * UINT64_C(0x100000001B3);
    return sum;
}

static void count_group(player *p, const ora_order *order, uint64_t present)
{
    uint32_t size = ora_group_size(order, present);
    p->group_orders += size > 1;
    p->largest_group = RP_MAX(p->largest_group, size);
}

static void count_action(player *p, const ora_order *order, double time)
{
    uint64_t sum = sum_of(&order->raw);
    bool repeat = p->orders && sum == p->last_sum;
    uint32_t minute = time < MINUTES_MAX * 60.0 ? rp_whole_u32(time / 60) : MINUTES_MAX - 1;
    p->last_sum = sum;
    p->orders++;
    p->repeats += repeat;
    p->queued += order->queued;
    p->per_minute[minute]++;
    p->fresh_per_minute[minute] += !repeat;
    p->minutes = RP_MAX(p->minutes, minute + 1);
}

static void count_heat(player *p, const ora_order *order, uint64_t present)
{
    int32_t x, y;
    if (present & HAS(target_cell_x)) {
        x = order->target_cell_x;
        y = order->target_cell_y;
    } else if (present & HAS(target_pos_x)) {
        x = ora_cell_of(order->target_pos_x);
        y = ora_cell_of(order->target_pos_y);
    } else {
        return;
    }
    uint32_t slot = ((uint32_t)x * 2654435761u ^ (uint32_t)y * 40503u) % CELLS_MAX;
    while (p->cells[slot].count && (p->cells[slot].x != x || p->cells[slot].y != y))
        slot = (slot + 1) % CELLS_MAX;
    if (!p->cells[slot].count) {
        if (p->cell_count >= CELLS_MAX / 2) {
            p->cells_cut++;
            return;
        }
        p->cell_count++;
        p->cells[slot] = (heat){x, y, 0};
    }
    p->cells[slot].count++;
}

typedef enum sort {
    SORT_OTHER,
    SORT_ARMY,
    SORT_ATTACK,
    SORT_PRODUCE,
    SORT_PLACE,
    SORT_POWER,
    SORT_STANCE,
    SORT_GROUP
} sort;

static sort sort_of(const rp_text *name)
{
    static const struct {
        const char *name;
        sort sort;
    } orders[] = {
        {"Move", SORT_ARMY},           {"AttackMove", SORT_ARMY},
        {"AssaultMove", SORT_ARMY},    {"Guard", SORT_ARMY},
        {"Scatter", SORT_ARMY},        {"Attack", SORT_ATTACK},
        {"ForceAttack", SORT_ATTACK},  {"StartProduction", SORT_PRODUCE},
        {"PlaceBuilding", SORT_PLACE}, {"LineBuild", SORT_PLACE},
        {"PlacePlug", SORT_PLACE},     {"SetUnitStance", SORT_STANCE},
        {"CreateGroup", SORT_GROUP},
    };
    for (size_t i = 0; i < RP_COUNT(orders); i++) {
        if (ora_is(name, orders[i].name))
            return orders[i].sort;
    }
    return ora_is_power(name) ? SORT_POWER : SORT_OTHER;
}

static void log_build(match *m, player *p, const ora_order *order, uint64_t present, double time)
{
    reprise_value *entry = log_entry(m, p, p->build_order, time);
    set_text(m, entry, "order", &order->order);
    set_text(m, entry, "item", &order->item);
    if (present & HAS(extra_data))
        rp_set_uint(m->doc, entry, "count", order->extra_data);
}

static void log_place(match *m, player *p, const ora_order *order, uint64_t present, double time)
{
    reprise_value *entry = log_entry(m, p, p->build_order, time);
    set_text(m, entry, "order", &order->order);
    set_text(m, entry, "item", &order->item);
    if (present & HAS(target_cell_x)) {
        rp_set_int(m->doc, entry, "x", order->target_cell_x);
        rp_set_int(m->doc, entry, "y", order->target_cell_y);
    }
}

static void note_stance(match *m, player *p, const ora_order *order)
{
    static const char *const stances[] = {"hold fire", "return fire", "defend", "attack anything"};
    const char *name = order->extra_data < RP_COUNT(stances) ? stances[order->extra_data]
                                                             : "unknown";
    count_name(m, p->stances, &(rp_text){name, strlen(name)}, 1);
}

static void note_attack(match *m, player *p, double time)
{
    if (p->first_attack < 0)
        p->first_attack = time;
    if (m->first_contact < 0) {
        m->first_contact = time;
        m->first_attacker = p->client;
    }
}

static void note_game_order(match *m, const rp_row *row)
{
    const ora_order *order = row->data;
    player *p = player_of(m, order->client);
    if (!p)
        return;
    count_action(p, order, row->time);
    count_group(p, order, row->present);
    count_name(m, p->kinds, &order->order, 1);
    switch (sort_of(&order->order)) {
    case SORT_ATTACK:
        note_attack(m, p, row->time);
        count_heat(p, order, row->present);
        break;
    case SORT_ARMY:
        count_heat(p, order, row->present);
        break;
    case SORT_PRODUCE:
        count_name(m, p->produced, &order->item, RP_MAX((int64_t)order->extra_data, 1));
        log_build(m, p, order, row->present, row->time);
        break;
    case SORT_PLACE:
        count_name(m, p->placed, &order->item, 1);
        log_place(m, p, order, row->present, row->time);
        break;
    case SORT_POWER:
        set_text(m, log_entry(m, p, p->powers, row->time), "power", &order->order);
        break;
    case SORT_STANCE:
        note_stance(m, p, order);
        break;
    case SORT_GROUP:
        p->groups++;
        break;
    case SORT_OTHER:
        break;
    }
}

/* ---- other rows ---- */

static void name_client(match *m, reprise_value *entry, int32_t client)
{
    const char *name = ora_client_name(m->replay, client);
    rp_set_int(m->doc, entry, "client", client);
    if (name)
        rp_set_text(m->doc, entry, "name", name);
}

static void note_order(match *m, const rp_row *row)
{
    const ora_order *order = row->data;
    if (order->frame > 0) {
        note_game_order(m, row);
        return;
    }
    if (!ora_is(&order->order, "PauseGame") || reprise_value_count(m->pauses) >= LOG_MAX)
        return;
    reprise_value *entry = rp_push_object(m->doc, m->pauses);
    rp_set_f64(m->doc, entry, "time", row->time);
    name_client(m, entry, order->client);
    rp_set_bool(m->doc, entry, "paused", ora_is(&order->item, "Pause"));
}

static void note_chat(match *m, const rp_row *row)
{
    const ora_chat *chat = row->data;
    if (reprise_value_count(m->chat) >= LOG_MAX)
        return;
    reprise_value *entry = rp_push_object(m->doc, m->chat);
    rp_set_f64(m->doc, entry, "time", row->time);
    name_client(m, entry, chat->client);
    rp_set_text(m->doc, entry, "channel", rp_enum_name(&ora_channel_names, chat->channel));
    set_text(m, entry, "text", &chat->text);
}

static void note_disconnect(match *m, const rp_row *row)
{
    const ora_disconnect *disconnect = row->data;
    if (reprise_value_count(m->disconnects) >= LOG_MAX)
        return;
    reprise_value *entry = rp_push_object(m->doc, m->disconnects);
    rp_set_f64(m->doc, entry, "time", row->time);
    name_client(m, entry, disconnect->client);
}

static void note_sync(match *m, const rp_row *row)
{
    const ora_sync *sync = row->data;
    for (unsigned bit = 0; sync->defeat && bit < DEFEAT_BITS; bit++) {
        if (sync->defeat >> bit & 1 && m->defeated[bit] < 0)
            m->defeated[bit] = row->time;
    }
}

static reprise_status note_row(void *ctx, const rp_row *row, reprise_error *error)
{
    match *m = ctx;
    switch (row->track) {
    case ORA_ORDERS:
        note_order(m, row);
        break;
    case ORA_CHATS:
        note_chat(m, row);
        break;
    case ORA_DISCONNECTS:
        note_disconnect(m, row);
        break;
    default:
        note_sync(m, row);
    }
    return error->status;
}

static reprise_status watch(match *m, reprise_error *error)
{
    rp_selection selection = {.tracks = UINT64_C(1) << ORA_ORDERS | UINT64_C(1) << ORA_CHATS |
                                        UINT64_C(1) << ORA_DISCONNECTS | UINT64_C(1) << ORA_SYNCS};
    return rp_each_row(&m->replay->base, selection, note_row, m, error);
}

/* ---- results ---- */

static void record_player(match *m, reprise_value *list, const player *p)
{
    reprise_value *entry = rp_push_object(m->doc, list);
    name_client(m, entry, p->client);
    rp_set_uint(m->doc, entry, "orders", p->orders);
    rp_set(m->doc, entry, "order_kinds", p->kinds);
    rp_set(m->doc, entry, "build_order", p->build_order);
    rp_set(m->doc, entry, "produced", p->produced);
    rp_set(m->doc, entry, "placed", p->placed);
    rp_set(m->doc, entry, "support_powers", p->powers);
    rp_set(m->doc, entry, "stances", p->stances);
    rp_set_uint(m->doc, entry, "groups_made", p->groups);
    rp_set_uint(m->doc, entry, "orders_to_groups", p->group_orders);
    rp_set_uint(m->doc, entry, "largest_group", p->largest_group);
    rp_set_uint(m->doc, entry, "queued_orders", p->queued);
    if (p->log_cut)
        rp_set_uint(m->doc, entry, "not_logged", p->log_cut);
}

/* The busiest cells first, then from top to bottom. */
static int compare_heat(const void *left, const void *right)
{
    const heat *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static void derive_player(match *m, reprise_value *list, player *p, double minutes)
{
    reprise_value *entry = rp_push_object(m->doc, list);
    name_client(m, entry, p->client);
    rp_set_f64(m->doc, entry, "actions_per_minute", minutes > 0 ? (double)p->orders / minutes : 0);
    rp_set_f64(m->doc, entry, "actions_per_minute_without_repeats",
               minutes > 0 ? (double)(p->orders - p->repeats) / minutes : 0);
    rp_set_counts(m->doc, entry, "actions_by_minute", p->per_minute, p->minutes);
    rp_set_counts(m->doc, entry, "actions_by_minute_without_repeats", p->fresh_per_minute,
                  p->minutes);
    if (p->first_attack >= 0)
        rp_set_f64(m->doc, entry, "first_attack", p->first_attack);
    reprise_value *heat_map = rp_set_array(m->doc, entry, "army_heat");
    qsort(p->cells, CELLS_MAX, sizeof *p->cells, compare_heat);
    for (size_t i = 0; i < p->cell_count; i++) {
        reprise_value *cell = rp_push_object(m->doc, heat_map);
        rp_set_int(m->doc, cell, "x", p->cells[i].x);
        rp_set_int(m->doc, cell, "y", p->cells[i].y);
        rp_set_int(m->doc, cell, "count", p->cells[i].count);
    }
    if (p->cells_cut)
        rp_set_uint(m->doc, entry, "army_heat_not_listed", p->cells_cut);
}

static void record_outcomes(match *m, reprise_value *recorded)
{
    reprise_value *list = rp_set_array(m->doc, recorded, "outcomes");
    const reprise_value *header = m->replay->header;
    for (size_t i = 0; i < reprise_value_count(header); i++) {
        const reprise_value *from = reprise_value_at(header, i);
        const char *name = rp_get_text(from, "Name");
        const char *outcome = rp_get_text(from, "Outcome");
        if (!name || !outcome)
            continue;
        reprise_value *entry = rp_push_object(m->doc, list);
        rp_set_text(m->doc, entry, "name", name);
        rp_set_text(m->doc, entry, "outcome", outcome);
    }
}

/* Which player a bit stands for only the map knows: the world's list has others than ours. */
static void record_defeats(match *m, reprise_value *recorded)
{
    reprise_value *list = rp_set_array(m->doc, recorded, "defeats");
    for (int bit = 0; bit < DEFEAT_BITS; bit++) {
        if (m->defeated[bit] < 0)
            continue;
        reprise_value *entry = rp_push_object(m->doc, list);
        rp_set_f64(m->doc, entry, "time", m->defeated[bit]);
        rp_set_int(m->doc, entry, "world_player", bit);
    }
}

static reprise_status record_desync(match *m, reprise_value *recorded, reprise_error *error)
{
    ora_desync desync;
    RP_TRY(ora_find_desync(m->replay, &desync, error));
    if (!desync.frame)
        return REPRISE_OK;
    reprise_value *entry = rp_set_object(m->doc, recorded, "desync");
    rp_set_int(m->doc, entry, "first_frame", desync.frame);
    rp_set_int(m->doc, entry, "frames", desync.frames);
    reprise_value *clients = rp_set_array(m->doc, entry, "clients");
    for (size_t i = 0; i < RP_COUNT(desync.clients); i++)
        rp_push(m->doc, clients, rp_new_int(m->doc, desync.clients[i]));
    return REPRISE_OK;
}

static reprise_status report(match *m, reprise_value *recorded, reprise_value *derived,
                             reprise_error *error)
{
    double length = 0;
    RP_TRY(rp_replay_length(&m->replay->base, &length, NULL, error));
    rp_set_int(m->doc, recorded, "frames", m->replay->frame_last);
    record_outcomes(m, recorded);
    reprise_value *players = rp_set_array(m->doc, recorded, "players");
    for (size_t i = 0; i < m->player_count; i++)
        record_player(m, players, &m->players[i]);
    rp_set(m->doc, recorded, "chat", m->chat);
    rp_set(m->doc, recorded, "pauses", m->pauses);
    rp_set(m->doc, recorded, "disconnects", m->disconnects);
    record_defeats(m, recorded);
    RP_TRY(record_desync(m, recorded, error));
    if (m->first_contact >= 0) {
        reprise_value *contact = rp_set_object(m->doc, derived, "first_contact");
        rp_set_f64(m->doc, contact, "time", m->first_contact);
        name_client(m, contact, m->first_attacker);
    }
    players = rp_set_array(m->doc, derived, "players");
    for (size_t i = 0; i < m->player_count; i++)
        derive_player(m, players, &m->players[i], length / 60);
    if (m->players_cut)
        rp_set_uint(m->doc, derived, "orders_of_further_clients", m->players_cut);
    return error->status;
}

reprise_status ora_stats(rp_replay *base, rp_doc *doc, reprise_value *recorded,
                         reprise_value *derived, reprise_error *error)
{
    match *m = rp_arena_alloc(doc->arena, sizeof *m, error);
    if (!m)
        return error->status;
    m->replay = (ora_replay *)base;
    m->doc = doc;
    m->chat = rp_new_array(doc);
    m->pauses = rp_new_array(doc);
    m->disconnects = rp_new_array(doc);
    m->first_contact = -1;
    for (size_t i = 0; i < DEFEAT_BITS; i++)
        m->defeated[i] = -1;
    RP_TRY(watch(m, error));
    return report(m, recorded, derived, error);
}
