/*
 * orders_production.h - what players ordered to be produced: a build order chart for each of them,
 * and the credits that this would cost, over time and by kind. What was completed or lost is not
 * recorded, and prices differ between releases: credits are about, and an upper bound.
 */
#ifndef RP_ORDERS_PRODUCTION_H
#define RP_ORDERS_PRODUCTION_H

#include "foreign.h"
#include "timeline.h"

enum { RP_PRODUCTION_PLAYERS = 64, RP_PRODUCTION_SLOT_S = 10 };

typedef struct rp_production_player {
    const char *name;
    rp_dictionary items; /* by the name that players know */
    rp_vector buildings; /* bool: of each item, whether it is a building */
    rp_vector orders;    /* rp_production_order */
    double credits[RP_ITEM_CLASSES];
    rp_series *spent;
} rp_production_player;

typedef struct rp_production_order {
    float time;
    uint32_t item;
} rp_production_order;

typedef struct rp_production {
    rp_timeline *timeline;
    reprise_error *error;
    rp_production_player players[RP_PRODUCTION_PLAYERS];
    size_t player_count;
    rp_plot *credits, *by_kind;
    rp_vector slots; /* double [RP_ITEM_CLASSES]: credits per RP_PRODUCTION_SLOT_S */
    bool priced;     /* something with a known price was ordered */
} rp_production;

/* Adds the plots of credits, which come first. Free it also after a failure. */
void rp_production_begin(rp_production *p, rp_timeline *timeline, reprise_error *error);
void rp_production_free(rp_production *p);
void rp_production_add_player(rp_production *p, const char *name);

/* `item` may be NULL. Players beyond RP_PRODUCTION_PLAYERS are ignored. */
void rp_production_add(rp_production *p, size_t player, const char *name, const rp_item *item,
                       uint32_t count, double time);
/* The credits that a player ordered, of all kinds. */
double rp_production_total(const rp_production *p, size_t player);
/* Draws the charts of a match of this length; plots of which nothing is known are removed. */
void rp_production_end(rp_production *p, double duration);

#endif
