/* orders_timeline.c - see orders_timeline.h. */
#include "orders_timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "highlights.h"
#include "whole.h"

static const rp_table_column order_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},        {"player", "Player", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT}, {"name", "As recorded", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT},   {"x", "x", "cells", RP_CELL_F32},
    {"y", "y", "cells", RP_CELL_F32},       {"units", "Units", NULL, RP_CELL_I32},
};
static const rp_table_column build_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},      {"player", "Player", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT}, {"order", "Order", NULL, RP_CELL_TEXT},
    {"kind", "Kind", NULL, RP_CELL_TEXT}, {"credits", "Credits, about", NULL, RP_CELL_I32},
};
static const rp_table_column chat_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"text", "Text", NULL, RP_CELL_TEXT},
};

static const rp_table_column client_columns[] = {
    {"client", "Client", NULL, RP_CELL_I32},    {"player", "Player", NULL, RP_CELL_TEXT},
    {"faction", "Faction", NULL, RP_CELL_TEXT}, {"team", "Team", NULL, RP_CELL_I32},
    {"color", "Colour", NULL, RP_CELL_TEXT},    {"bot", "Bot", NULL, RP_CELL_TEXT},
    {"outcome", "Outcome", NULL, RP_CELL_TEXT},
};

/* ---- players ---- */

static const reprise_value *people_of(const rp_foreign *foreign)
{
    const reprise_value *metadata = rp_get(foreign->about, "metadata");
    const reprise_value *players = rp_get(metadata, "players");
    return players ? players : rp_get(foreign->about, "players");
}

static void set_hud(rp_timeline *t, int32_t player, const char *plot, const char *suffix)
{
    reprise_value *hud = rp_push_object(&t->doc, t->hud);
    rp_set_int(&t->doc, hud, "player", player);
    rp_set_text(&t->doc, hud, "plot", plot);
    rp_set_int(&t->doc, hud, "series", player);
    rp_set_text(&t->doc, hud, "suffix", suffix);
}

static reprise_status add_players(rp_orders_timeline *t)
{
    rp_timeline *to = t->timeline;
    const reprise_value *people = people_of(t->foreign);
    rp_production_begin(&t->production, to, t->error);
    rp_plot *apm = rp_timeline_plot(to, "apm", "Actions per minute", "1/min", "line", 0, 0);
    rp_plot *economy = rp_timeline_plot(to, "apm_economy", "Economy actions", "1/min", "line", 0,
                                        0);
    rp_plot *military = rp_timeline_plot(to, "apm_military", "Military actions", "1/min", "line", 0,
                                         0);
    rp_plot *so_far = rp_timeline_plot(to, "orders_so_far", "Orders so far", "orders", "step", 0,
                                       0);
    /* Single-player missions list no players: then there is one, without a name. */
    t->player_count = RP_MIN(RP_MAX(reprise_value_count(people), 1), RP_COUNT(t->players));
    for (size_t i = 0; i < t->player_count; i++) {
        rp_orders_player *p = &t->players[i];
        size_t size = 0;
        const reprise_value *one = reprise_value_at(people, i);
        const char *name = reprise_value_text(rp_get(one, "name"), &size);
        char number[32];
        snprintf(number, sizeof number, "Player %zu", i + 1);
        p->name = rp_timeline_plain(to, name && size ? name : number,
                                    name && size ? size : strlen(number));
        p->colour = rp_get_text(one, "color_rgb");
        p->faction = rp_get_text(one, "faction");
        p->outcome = rp_get_text(one, "outcome");
        int32_t player = (int32_t)i;
        p->actions = rp_plot_series(to, apm, p->name, player);
        p->economy = rp_plot_series(to, economy, p->name, player);
        p->military = rp_plot_series(to, military, p->name, player);
        p->so_far = rp_plot_series(to, so_far, p->name, player);
        p->busy = rp_timeline_activity(to, "orders", "orders", player);
        p->orders = rp_order_analysis_player(&t->analysis, player, t->error);
        if (!p->orders)
            return t->error->status;
        set_hud(to, player, "apm", " APM");
        set_hud(to, player, "orders_so_far", " orders");
        rp_production_add_player(&t->production, p->name);
    }
    return REPRISE_OK;
}

static rp_cell cell_of(rp_timeline *t, const reprise_value *from, const char *key)
{
    size_t size = 0;
    const char *text = reprise_value_text(rp_get(from, key), &size);
    return (rp_cell){.text = text ? rp_timeline_plain(t, text, size) : ""};
}

/* Lists everyone who had a slot in the match. */
static void list_clients(rp_orders_timeline *lines)
{
    rp_timeline *t = lines->timeline;
    const reprise_value *people = people_of(lines->foreign);
    rp_table *table = rp_timeline_table(t, "clients", "Clients", NULL, client_columns,
                                        RP_COUNT(client_columns));
    for (size_t i = 0; i < reprise_value_count(people); i++) {
        const reprise_value *one = reprise_value_at(people, i);
        bool bot = reprise_value_bool(rp_get(one, "is_bot"), false);
        const rp_cell cells[RP_COUNT(client_columns)] = {
            {.number = (double)reprise_value_int(rp_get(one, "client_index"), -1)},
            cell_of(t, one, "name"),
            cell_of(t, one, "faction"),
            {.number = (double)reprise_value_int(rp_get(one, "team"), 0)},
            cell_of(t, one, "color"),
            {.text = bot ? "yes" : ""},
            cell_of(t, one, "outcome"),
        };
        rp_table_row(t, table, cells);
    }
}

static const char *player_name(const rp_orders_timeline *t, uint8_t player)
{
    return player < t->player_count ? t->players[player].name : "";
}

/* ---- rates ---- */

static void begin_heats(rp_orders_timeline *t)
{
    for (size_t i = 0; i < RP_ORDER_GROUPS; i++) {
        const char *name = rp_order_group_name((rp_order_group)i);
        char id[32], title[48];
        snprintf(id, sizeof id, "targets:%s", name);
        snprintf(title, sizeof title, "Order targets: %s", name);
        t->heats[i] = rp_timeline_heat(t->timeline, id, title, RP_MAP_HEAT_M);
    }
}

/* The item of an order, without tags; "" if it has none. */
static const char *plain_item(rp_orders_timeline *t, const reprise_foreign_order *order)
{
    const char *name = rp_foreign_item_name(t->foreign, order);
    /* Tables keep each text once, copies are kept for good. */
    return !name               ? ""
           : strchr(name, '<') ? rp_timeline_plain(t->timeline, name, strlen(name))
                               : name;
}

static void count_production(rp_orders_timeline *t, rp_orders_player *p,
                             const reprise_foreign_order *order, double time)
{
    const char *name = plain_item(t, order);
    p->ordered += RP_MAX(order->count, 1u);
    rp_production_add(&t->production, order->player, *name ? name : "unknown",
                      rp_foreign_item(t->foreign, order), order->count, time);
}

static void count_order(rp_orders_timeline *t, const rp_foreign_entry *entry, double time)
{
    if (entry->order.player >= t->player_count || !entry->is_action)
        return;
    rp_orders_player *p = &t->players[entry->order.player];
    rp_activity_add(t->timeline, p->busy, time, 1);
    p->placed += entry->order.kind == REPRISE_FOREIGN_PLACE_BUILDING;
    if (entry->order.kind == REPRISE_FOREIGN_PRODUCE)
        count_production(t, p, &entry->order, time);
    rp_order_note note = {.time = time, .kind = entry->order.kind, .is_action = true};
    (void)!rp_order_analysis_add(&t->analysis, p->orders, &note, t->error);
}

/* A point for every second from 0 to the end of the scene. */
static void plot_actions(rp_orders_timeline *t, const rp_orders_player *p, int64_t seconds)
{
    rp_order_rate rate = {.player = p->orders};
    for (int64_t i = 0; i < seconds; i++) {
        rp_order_rate_next(&rate);
        rp_series_add(t->timeline, p->actions, (double)i, (double)rate.all);
        rp_series_add(t->timeline, p->economy, (double)i, (double)rate.economy);
        rp_series_add(t->timeline, p->military, (double)i, (double)rate.military);
        rp_series_add(t->timeline, p->so_far, (double)i, (double)rate.so_far);
    }
}

static void plot_groups(rp_orders_timeline *t, double duration)
{
    for (size_t group = 0; group < RP_ORDER_GROUPS; group++) {
        const char *name = rp_order_group_name((rp_order_group)group);
        rp_series *series = rp_plot_series(t->timeline, t->groups, name, -1);
        for (size_t i = 0; (double)(i * RP_ORDER_GROUP_S) <= duration; i++)
            rp_series_add(t->timeline, series, (double)(i * RP_ORDER_GROUP_S),
                          rp_order_group_count(&t->analysis, (rp_order_group)group, i));
    }
}

/* What `stats` says about the complete match. */
static void set_totals(rp_orders_timeline *t, const rp_orders_player *p)
{
    rp_timeline_total(t->timeline, p->about, "Orders", "%" PRIu64, p->orders->actions);
    rp_timeline_total(t->timeline, p->about, "Things ordered", "%" PRIu64, p->ordered);
    rp_timeline_total(t->timeline, p->about, "Buildings placed", "%" PRIu64, p->placed);
    if (t->production.priced)
        rp_timeline_total(t->timeline, p->about, "Credits ordered, about", "%.0f",
                          rp_production_total(&t->production, (size_t)(p - t->players)));
}

/* Fights are where many attacks are ordered: what happens is not recorded. */
static void find_fights(rp_orders_timeline *t, double duration)
{
    enum { FIGHT_SLOTS = 2 };
    size_t count = rp_whole_size(duration / RP_ORDER_GROUP_S) + 1;
    float *slots = rp_arena_array(&t->timeline->arena, count, sizeof *slots, t->error);
    for (size_t i = 0; slots && i < count; i++)
        slots[i] = (float)rp_order_group_count(&t->analysis, RP_ORDERS_ATTACK, i);
    if (slots)
        rp_timeline_highlight_windows(t->timeline,
                                      &(rp_highlight_search){.slots = slots,
                                                             .count = count,
                                                             .slot_s = RP_ORDER_GROUP_S,
                                                             .window = FIGHT_SLOTS,
                                                             .least = 5,
                                                             .full = 60,
                                                             .score_max = 0.85,
                                                             .most = 8,
                                                             .kind = "fight",
                                                             .name = "Fight",
                                                             .unit = "attack orders",
                                                             .player = -1});
    if (t->analysis.first_contact < 0)
        return;
    double time = t->analysis.first_contact;
    char text[160];
    snprintf(text, sizeof text, "First attack: %s",
             player_name(t, (uint8_t)t->analysis.first_attacker));
    rp_timeline_highlight(t->timeline,
                          &(rp_highlight){time, time - 3, time + 7, 0.5, "first attack", text,
                                          t->analysis.first_attacker});
}

void rp_orders_timeline_end(rp_orders_timeline *t, const rp_scene *scene)
{
    for (size_t i = 0; i < t->player_count && rp_scene_is_complete(scene); i++)
        set_totals(t, &t->players[i]);
    double duration = fmin(rp_scene_duration(scene), RP_ORDER_SECONDS_MAX - 1);
    for (size_t i = 0; i < t->player_count; i++)
        plot_actions(t, &t->players[i], rp_whole(floor(duration + 1)));
    plot_groups(t, duration);
    rp_production_end(&t->production, duration);
    find_fights(t, duration);
    rp_timeline_set_highlights(t->timeline, duration);
    for (size_t i = 0; i < t->player_count && t->production.priced; i++)
        set_hud(t->timeline, (int32_t)i, "credits", " credits ordered");
}

/* ---- delays ---- */

static void plot_delay(rp_orders_timeline *t, const rp_scene *scene, const rp_foreign_delay *delay)
{
    double time = rp_scene_time(scene, delay->time);
    if (delay->player < t->player_count && rp_scene_contains(scene, time))
        rp_series_add(t->timeline, t->players[delay->player].delay, time,
                      1000 * (double)delay->seconds);
}

void rp_orders_timeline_take_delays(rp_orders_timeline *t, const rp_scene *scene)
{
    rp_vector *list = &t->foreign->delays;
    rp_foreign_delay *delays = list->items;
    size_t taken = 0;
    while (scene->started && taken < list->count &&
           (float)rp_scene_time(scene, delays[taken].time) <= scene->latest)
        plot_delay(t, scene, &delays[taken++]);
    t->any_delay |= list->count > 0;
    list->count -= taken;
    if (taken)
        memmove(delays, delays + taken, list->count * sizeof *delays);
}

void rp_orders_timeline_delays(rp_orders_timeline *t, const rp_scene *scene)
{
    const rp_foreign_delay *delays = t->foreign->delays.items;
    for (size_t i = 0; i < t->foreign->delays.count; i++)
        plot_delay(t, scene, &delays[i]);
    t->any_delay |= t->foreign->delays.count > 0;
    rp_timeline_plot_last(t->timeline, t->delays, t->any_delay);
}

/* ---- rows and markers ---- */

/* What is placed is a building; what is produced, if anything is known about it. */
static const char *thing_of(const rp_orders_timeline *t, const reprise_foreign_order *order)
{
    const rp_item *item = rp_foreign_item(t->foreign, order);
    if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING)
        return "building";
    return !item ? "" : item->is_building ? "building" : "unit";
}

static void tabulate(rp_orders_timeline *t, const reprise_foreign_order *order, double time)
{
    const double none = (double)NAN;
    const char *kind = rp_foreign_kind_name(order->kind);
    const char *who = player_name(t, order->player);
    const char *item = plain_item(t, order);
    if (order->kind == REPRISE_FOREIGN_CHAT) {
        const rp_cell cells[] = {{.number = time}, {.text = who}, {.text = item}};
        rp_table_row(t->timeline, t->chat, cells);
        return;
    }
    const rp_cell cells[RP_COUNT(order_columns)] = {
        {.number = time},
        {.text = who},
        {.text = kind},
        {.text = order->name ? order->name : ""},
        {.text = item},
        {.number = order->has_cell ? order->x : none},
        {.number = order->has_cell ? order->y : none},
        {.number = (double)order->unit_count},
    };
    rp_table_row(t->timeline, t->orders, cells);
    if (order->kind == REPRISE_FOREIGN_PLACE_BUILDING || order->kind == REPRISE_FOREIGN_PRODUCE) {
        const rp_item *known = rp_foreign_item(t->foreign, order);
        bool paid = known && known->cost && order->kind == REPRISE_FOREIGN_PRODUCE;
        const rp_cell build[RP_COUNT(build_columns)] = {
            {.number = time},
            {.text = who},
            {.text = item},
            {.text = kind},
            {.text = thing_of(t, order)},
            {.number = paid ? (double)known->cost * RP_MAX(order->count, 1u) : 0},
        };
        rp_table_row(t->timeline, t->builds, build);
    }
}

/*
 * Only the first building or unit of a kind gets a marker; the tables have all of them. A building
 * is news when it is placed, not when it is ordered.
 */
static bool is_news(rp_orders_timeline *t, const reprise_foreign_order *order, double time)
{
    /* Games announce clients as gone "now" while a match starts; those play on. */
    if (order->kind == REPRISE_FOREIGN_DISCONNECT && time <= 0)
        return false;
    if (order->kind == REPRISE_FOREIGN_PRODUCE && strcmp(thing_of(t, order), "building") == 0)
        return false;
    if (order->kind != REPRISE_FOREIGN_PLACE_BUILDING && order->kind != REPRISE_FOREIGN_PRODUCE)
        return true;
    char key[96];
    snprintf(key, sizeof key, "%d %d %s", order->player, order->kind,
             order->item ? order->item : "");
    size_t before = t->built.texts.count;
    rp_dictionary_add(&t->built, &t->timeline->arena, key, strlen(key), t->error);
    return t->built.texts.count > before;
}

typedef struct weight {
    reprise_foreign_kind kind;
    const char *name;
    unsigned weight;
} weight;

static void mark(rp_orders_timeline *t, const reprise_foreign_order *order, double time)
{
    static const weight weights[] = {
        {REPRISE_FOREIGN_CHAT, "chat", 1},
        {REPRISE_FOREIGN_SUPPORT_POWER, "power", 4},
        {REPRISE_FOREIGN_SURRENDER, "surrender", 5},
        {REPRISE_FOREIGN_DISCONNECT, "disconnect", 4},
        {REPRISE_FOREIGN_PLACE_BUILDING, "building", 2},
        {REPRISE_FOREIGN_PRODUCE, "unit", 1},
        {REPRISE_FOREIGN_PAUSE, "pause", 2},
    };
    for (size_t i = 0; i < RP_COUNT(weights); i++) {
        if (weights[i].kind != order->kind || !is_news(t, order, time))
            continue;
        char text[160];
        const char *item = rp_foreign_item_name(t->foreign, order);
        snprintf(text, sizeof text, "%s%s%s", player_name(t, order->player), item ? ": " : " ",
                 item ? item : weights[i].name);
        int32_t player = order->player < t->player_count ? order->player : -1;
        if (weights[i].weight >= 4)
            rp_timeline_highlight(t->timeline, &(rp_highlight){time, time - 3, time + 5,
                                                               weights[i].weight == 5 ? 0.9 : 0.6,
                                                               weights[i].name, text, player});
        rp_timeline_marker(t->timeline, time, weights[i].name, player, weights[i].weight,
                           rp_timeline_plain(t->timeline, text, strlen(text)));
    }
}

/* ---- the timeline ---- */

reprise_status rp_orders_timeline_begin(rp_orders_timeline *t, rp_timeline *timeline,
                                        rp_foreign *foreign, reprise_error *error)
{
    *t = (rp_orders_timeline){.timeline = timeline, .foreign = foreign, .error = error};
    rp_order_analysis_init(&t->analysis, timeline->context);
    RP_TRY(add_players(t));
    t->lane = rp_desync_lane_new(timeline->context, error);
    t->groups = rp_timeline_plot(timeline, "orders", "Orders by kind", "per 10 s", "stack", 0, 0);
    t->delays = rp_timeline_plot(timeline, "latency", "Order delay", "ms", "line", 0, 0);
    for (size_t i = 0; i < t->player_count; i++)
        t->players[i].delay = rp_plot_series(timeline, t->delays, t->players[i].name, (int32_t)i);
    begin_heats(t);
    t->orders = rp_timeline_table(timeline, "orders", "Orders", "t", order_columns,
                                  RP_COUNT(order_columns));
    t->builds = rp_timeline_table(timeline, "builds", "Build order", "t", build_columns,
                                  RP_COUNT(build_columns));
    t->chat = rp_timeline_table(timeline, "chat", "Chat", "t", chat_columns,
                                RP_COUNT(chat_columns));
    list_clients(t);
    return error->status;
}

void rp_orders_timeline_add(rp_orders_timeline *t, const rp_foreign_entry *entry, double time)
{
    count_order(t, entry, time);
    tabulate(t, &entry->order, time);
    mark(t, &entry->order, time);
}

void rp_orders_timeline_free(rp_orders_timeline *t)
{
    if (!t->timeline)
        return;
    rp_order_analysis_free(&t->analysis);
    rp_desync_lane_free(t->lane);
    rp_production_free(&t->production);
    rp_dictionary_free(t->timeline->context, &t->built);
}
