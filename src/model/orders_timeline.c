/* orders_timeline.c - see orders_timeline.h. */
#include "orders_timeline.h"

#include <math.h>
#include <stdio.h>

#include "checked.h"
#include "whole.h"

static const rp_table_column order_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},        {"player", "Player", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT}, {"name", "As recorded", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT},   {"x", "x", "cells", RP_CELL_F32},
    {"y", "y", "cells", RP_CELL_F32},       {"units", "Units", NULL, RP_CELL_I32},
};
static const rp_table_column build_columns[] = {
    {"t", "Time", "s", RP_CELL_F32},
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"item", "What", NULL, RP_CELL_TEXT},
    {"order", "Order", NULL, RP_CELL_TEXT},
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

/* ---- rates ---- */

static void begin_heats(rp_orders_timeline *t)
{
    for (size_t i = 0; i < RP_ORDER_GROUPS; i++) {
        const char *name = rp_order_group_name((rp_order_group)i);
        char id[32], title[48];
        snprintf(id, sizeof id, "targets:%s", name);
        snprintf(title, sizeof title, "Order targets: %s", name);
        t->heats[i] = rp_timeline_heat(t->timeline, id, title);
    }
}

static void count_order(rp_orders_timeline *t, const rp_foreign_entry *entry, double time)
{
    if (entry->order.player >= t->player_count || !entry->is_action)
        return;
    rp_orders_player *p = &t->players[entry->order.player];
    rp_activity_add(t->timeline, p->busy, time, 1);
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

void rp_orders_timeline_end(rp_orders_timeline *t, const rp_scene *scene)
{
    double duration = fmin(rp_scene_duration(scene), RP_ORDER_SECONDS_MAX - 1);
    for (size_t i = 0; i < t->player_count; i++)
        plot_actions(t, &t->players[i], rp_whole(floor(duration + 1)));
    plot_groups(t, duration);
}

/* ---- delays ---- */

void rp_orders_timeline_delays(rp_orders_timeline *t, const rp_scene *scene)
{
    const rp_vector *list = &t->foreign->delays;
    const rp_foreign_delay *delays = list->items;
    if (!list->count)
        return;
    rp_plot *plot = rp_timeline_plot(t->timeline, "latency", "Order delay", "ms", "line", 0, 0);
    rp_series *series[RP_TOPDOWN_MAP_PLAYERS];
    for (size_t i = 0; i < t->player_count; i++)
        series[i] = rp_plot_series(t->timeline, plot, t->players[i].name, (int32_t)i);
    for (size_t i = 0; i < list->count; i++) {
        double time = rp_scene_time(scene, delays[i].time);
        if (delays[i].player < t->player_count && rp_scene_contains(scene, time))
            rp_series_add(t->timeline, series[delays[i].player], time,
                          1000 * (double)delays[i].seconds);
    }
}

/* ---- rows and markers ---- */

static const char *player_name(const rp_orders_timeline *t, uint8_t player)
{
    return player < t->player_count ? t->players[player].name : "";
}

static void tabulate(rp_orders_timeline *t, const reprise_foreign_order *order, double time)
{
    const double none = (double)NAN;
    const char *kind = rp_foreign_kind_name(order->kind);
    const char *who = player_name(t, order->player);
    const char *item = order->item
                           ? rp_timeline_plain(t->timeline, order->item, strlen(order->item))
                           : "";
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
        const rp_cell build[] = {{.number = time}, {.text = who}, {.text = item}, {.text = kind}};
        rp_table_row(t->timeline, t->builds, build);
    }
}

/* Only the first building or unit of a kind gets a marker; the tables have all of them. */
static bool is_news(rp_orders_timeline *t, const reprise_foreign_order *order)
{
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
        if (weights[i].kind != order->kind || !is_news(t, order))
            continue;
        char text[160];
        snprintf(text, sizeof text, "%s%s%s", player_name(t, order->player),
                 order->item ? ": " : " ", order->item ? order->item : weights[i].name);
        int32_t player = order->player < t->player_count ? order->player : -1;
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
    t->groups = rp_timeline_plot(timeline, "orders", "Orders by kind", "per 10 s", "stack", 0, 0);
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
    rp_dictionary_free(t->timeline->context, &t->built);
}
