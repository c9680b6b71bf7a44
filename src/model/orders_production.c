/* orders_production.c - see orders_production.h. */
#include "orders_production.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "order_analysis.h"
#include "whole.h"

/* Lanes of one chart: as many as can be read, of buildings and of units; the rest share one. */
enum { LANES_MAX = 9 };

static const rp_table_column credit_columns[] = {
    {"player", "Player", NULL, RP_CELL_TEXT},
    {"economy", "Economy", NULL, RP_CELL_I32},
    {"technology", "Technology", NULL, RP_CELL_I32},
    {"defence", "Defence", NULL, RP_CELL_I32},
    {"army", "Army", NULL, RP_CELL_I32},
    {"total", "All, about", NULL, RP_CELL_I32},
};

/* ---- collecting ---- */

void rp_production_begin(rp_production *p, rp_timeline *timeline, reprise_error *error)
{
    *p = (rp_production){.timeline = timeline, .error = error};
    p->credits = rp_timeline_plot(timeline, "credits", "Credits ordered, about", "credits", "step",
                                  0, 0);
    p->by_kind = rp_timeline_plot(timeline, "credits_by_kind", "Credits ordered by kind, about",
                                  "per 10 s", "stack", 0, 0);
}

void rp_production_free(rp_production *p)
{
    rp_context *context = p->timeline ? p->timeline->context : NULL;
    for (size_t i = 0; context && i < p->player_count; i++) {
        rp_dictionary_free(context, &p->players[i].items);
        rp_vector_free(context, &p->players[i].buildings, sizeof(bool));
        rp_vector_free(context, &p->players[i].orders, sizeof(rp_production_order));
    }
    if (context)
        rp_vector_free(context, &p->slots, sizeof(double[RP_ITEM_CLASSES]));
}

void rp_production_add_player(rp_production *p, const char *name)
{
    if (p->player_count == RP_PRODUCTION_PLAYERS)
        return;
    rp_production_player *player = &p->players[p->player_count];
    player->name = name;
    player->spent = rp_plot_series(p->timeline, p->credits, name, (int32_t)p->player_count);
    p->player_count++;
    rp_series_add(p->timeline, player->spent, 0, 0);
}

static double (*slot_at(rp_production *p, double time))[RP_ITEM_CLASSES]
{
    size_t wanted = rp_whole_size(fmin(fmax(time, 0), RP_ORDER_SECONDS_MAX) / RP_PRODUCTION_SLOT_S);
    while (p->slots.count <= wanted) {
        double(*slot)[RP_ITEM_CLASSES] = rp_vector_add(p->timeline->context, &p->slots,
                                                       sizeof *slot, p->error);
        if (!slot)
            return NULL;
        memset(slot, 0, sizeof *slot);
    }
    return (double(*)[RP_ITEM_CLASSES])p->slots.items + wanted;
}

static void add_credits(rp_production *p, rp_production_player *player, const rp_item *item,
                        uint32_t count, double time)
{
    double credits = (double)item->cost * count;
    double(*slot)[RP_ITEM_CLASSES] = slot_at(p, time);
    if (slot)
        (*slot)[item->which] += credits;
    player->credits[item->which] += credits;
    p->priced = true;
    rp_series_add(p->timeline, player->spent, time,
                  rp_production_total(p, (size_t)(player - p->players)));
}

void rp_production_add(rp_production *p, size_t number, const char *name, const rp_item *item,
                       uint32_t count, double time)
{
    if (number >= p->player_count || p->error->status != REPRISE_OK)
        return;
    rp_production_player *player = &p->players[number];
    rp_context *context = p->timeline->context;
    if (item && item->cost)
        add_credits(p, player, item, RP_MAX(count, 1u), time);
    if (player->orders.count >= RP_ORDER_LOG_MAX)
        return;
    size_t before = player->items.texts.count;
    uint32_t at = rp_dictionary_add(&player->items, &p->timeline->arena, name, strlen(name),
                                    p->error);
    bool *building = p->error->status == REPRISE_OK && player->items.texts.count > before
                         ? rp_vector_add(context, &player->buildings, sizeof *building, p->error)
                         : NULL;
    if (building)
        *building = item && item->is_building;
    rp_production_order *order = p->error->status == REPRISE_OK
                                     ? rp_vector_add(context, &player->orders, sizeof *order,
                                                     p->error)
                                     : NULL;
    if (order)
        *order = (rp_production_order){(float)time, at};
}

double rp_production_total(const rp_production *p, size_t player)
{
    double sum = 0;
    for (size_t i = 0; player < p->player_count && i < RP_ITEM_CLASSES; i++)
        sum += p->players[player].credits[i];
    return sum;
}

/* ---- charts ---- */

/* Each order is a bar from its time on; orders that follow at once make one longer bar. */
static void draw_lane(rp_production *p, const rp_production_player *player, rp_series *lane,
                      const int *lanes, int number, double bar)
{
    const rp_production_order *orders = player->orders.items;
    double until = -1;
    rp_series_add(p->timeline, lane, 0, 0);
    for (size_t i = 0; i < player->orders.count; i++) {
        double time = (double)orders[i].time;
        if (lanes[orders[i].item] != number)
            continue;
        if (until >= 0 && time > until)
            rp_series_add(p->timeline, lane, until, 0);
        if (until < 0 || time > until)
            rp_series_add(p->timeline, lane, time, 1);
        until = time + bar;
    }
    if (until >= 0)
        rp_series_add(p->timeline, lane, until, 0);
}

/*
 * Chooses lanes for buildings or units in the order in which they were first ordered; those that do
 * not fit share the last one. Returns the number of the next free lane.
 */
static size_t choose_lanes(const rp_production_player *player, bool buildings, size_t first,
                           int *lanes, const char **names)
{
    const bool *is_building = player->buildings.items;
    size_t found = 0;
    for (size_t i = 0; i < player->items.texts.count; i++) {
        if (is_building[i] != buildings)
            continue;
        size_t lane = first + RP_MIN(found, (size_t)LANES_MAX - 1);
        lanes[i] = (int)lane;
        names[lane] = found < LANES_MAX ? rp_dictionary_text(&player->items, i)
                      : buildings       ? "other buildings"
                                        : "other units";
        found++;
    }
    return first + RP_MIN(found, (size_t)LANES_MAX);
}

static void draw_chart(rp_production *p, size_t number, double duration)
{
    const rp_production_player *player = &p->players[number];
    if (!player->orders.count)
        return;
    const char *names[2 * LANES_MAX] = {NULL};
    int *lanes = rp_arena_array(&p->timeline->arena, player->items.texts.count, sizeof *lanes,
                                p->error);
    if (!lanes)
        return;
    size_t count = choose_lanes(player, true, 0, lanes, names);
    count = choose_lanes(player, false, count, lanes, names);
    char id[32], title[160];
    snprintf(id, sizeof id, "builds-%zu", number + 1);
    snprintf(title, sizeof title, "Build order: %s", player->name);
    rp_plot *plot = rp_timeline_plot(p->timeline, id, title, "", "lanes", 0, 0);
    double bar = fmin(fmax(duration / 100, 0.2), 20);
    for (size_t i = 0; i < count; i++)
        draw_lane(p, player, rp_plot_series(p->timeline, plot, names[i], (int32_t)number), lanes,
                  (int)i, bar);
}

static void draw_kinds(rp_production *p, double duration)
{
    const double(*slots)[RP_ITEM_CLASSES] = (const double(*)[RP_ITEM_CLASSES])p->slots.items;
    for (size_t kind = 0; kind < RP_ITEM_CLASSES; kind++) {
        rp_series *series = rp_plot_series(p->timeline, p->by_kind,
                                           rp_item_class_name((rp_item_class)kind), -1);
        for (size_t i = 0; (double)(i * RP_PRODUCTION_SLOT_S) <= duration; i++)
            rp_series_add(p->timeline, series, (double)(i * RP_PRODUCTION_SLOT_S),
                          i < p->slots.count ? slots[i][kind] : 0);
    }
}

static void tabulate_credits(rp_production *p)
{
    rp_table *table = rp_timeline_table(p->timeline, "credits", "Credits ordered", NULL,
                                        credit_columns, RP_COUNT(credit_columns));
    for (size_t i = 0; i < p->player_count; i++) {
        const double *c = p->players[i].credits;
        const rp_cell cells[RP_COUNT(credit_columns)] = {
            {.text = p->players[i].name},       {.number = c[RP_ITEMS_ECONOMY]},
            {.number = c[RP_ITEMS_TECHNOLOGY]}, {.number = c[RP_ITEMS_DEFENCE]},
            {.number = c[RP_ITEMS_ARMY]},       {.number = rp_production_total(p, i)},
        };
        rp_table_row(p->timeline, table, cells);
    }
}

void rp_production_end(rp_production *p, double duration)
{
    if (p->priced) {
        draw_kinds(p, fmin(duration, RP_ORDER_SECONDS_MAX - 1));
        tabulate_credits(p);
    } else {
        rp_timeline_plot_last(p->timeline, p->credits, false);
        rp_timeline_plot_last(p->timeline, p->by_kind, false);
    }
    for (size_t i = 0; i < p->player_count; i++)
        draw_chart(p, i, duration);
}
