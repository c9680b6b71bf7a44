/*
 * orders_timeline.h - the timeline of a match of which only orders were recorded: rates, orders by
 * kind, tables of orders, buildings and chat, and markers. Families with recorded orders share it.
 */
#ifndef RP_ORDERS_TIMELINE_H
#define RP_ORDERS_TIMELINE_H

#include "desync_lane.h"
#include "foreign.h"
#include "order_analysis.h"
#include "orders_production.h"
#include "timeline.h"
#include "topdown_map.h"

typedef struct rp_orders_player {
    const char *name;
    const char *colour;            /* "#rrggbb"; NULL: none */
    const char *faction, *outcome; /* NULL: not recorded */
    reprise_value *about;          /* in the timeline; NULL: not there */
    uint64_t placed, ordered;      /* buildings; things to be produced */
    rp_order_player *orders;
    rp_series *actions, *economy, *military, *so_far;
    rp_series *delay;
    rp_activity *busy;
} rp_orders_player;

typedef struct rp_orders_timeline {
    rp_timeline *timeline;
    rp_foreign *foreign;
    reprise_error *error;
    rp_orders_player players[RP_TOPDOWN_MAP_PLAYERS];
    size_t player_count;
    rp_order_analysis analysis; /* times are those of the scene */
    rp_desync_lane *lane;
    rp_plot *groups, *delays;
    bool any_delay;
    rp_heat *heats[RP_ORDER_GROUPS]; /* where the orders of a group went */
    rp_table *orders, *builds, *chat;
    rp_dictionary built; /* what each player has built before */
    rp_production production;
} rp_orders_timeline;

/*
 * The match is described in `foreign`. Free the timeline also after a failure; a zeroed one may be
 * freed too.
 */
reprise_status rp_orders_timeline_begin(rp_orders_timeline *t, rp_timeline *timeline,
                                        rp_foreign *foreign, reprise_error *error);
void rp_orders_timeline_free(rp_orders_timeline *t);

/* Adds an order at a time of the scene. */
void rp_orders_timeline_add(rp_orders_timeline *t, const rp_foreign_entry *entry, double time);
/* Plots the rates of all players and the orders by kind over the duration of the scene. */
void rp_orders_timeline_end(rp_orders_timeline *t, const rp_scene *scene);
/* Plots the delays of orders up to the present time of the scene and drops them. */
void rp_orders_timeline_take_delays(rp_orders_timeline *t, const rp_scene *scene);
/* Plots the remaining delays, if any were recorded. */
void rp_orders_timeline_delays(rp_orders_timeline *t, const rp_scene *scene);

#endif
