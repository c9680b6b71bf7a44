/*
 * order_analysis.h - what follows from recorded orders, computed once: actions per minute, orders
 * by group, attacks, production, and where armies were sent. Statistics and plots render it.
 *
 * Orders are added as they are read, in any order. Memory does not grow with their number: actions
 * are counted per second, orders per map cell and per name, and logs have a maximum length.
 */
#ifndef RP_ORDER_ANALYSIS_H
#define RP_ORDER_ANALYSIS_H

#include "foreign.h"
#include "schema.h"

enum {
    RP_ORDER_PLAYERS_MAX = 64,
    RP_ORDER_LOG_MAX = 5000, /* what a person would read; a document takes 500 bytes per entry */
    RP_ORDER_NAMES_MAX = 1024,
    RP_ORDER_CELLS_LISTED = 4096,   /* the busiest; likewise */
    RP_ORDER_SECONDS_MAX = 1000000, /* later actions count for the last second */
    RP_ORDER_MINUTES_LISTED = 1440, /* likewise in lists by minute */
    RP_ORDER_RATE_S = 60,           /* actions per minute are averaged over this time */
    RP_ORDER_GROUP_S = 10,          /* orders by group are counted over this time */
};

/* Coarser than kinds: as many as a plot can tell apart. */
typedef enum rp_order_group {
    RP_ORDERS_MOVE,
    RP_ORDERS_ATTACK,
    RP_ORDERS_BUILD,
    RP_ORDERS_ECONOMY,
    RP_ORDERS_POWER,
    RP_ORDERS_OTHER,
    RP_ORDER_GROUPS
} rp_order_group;

const char *rp_order_group_name(rp_order_group group);
rp_order_group rp_order_group_of(reprise_foreign_kind kind);

/* How often each name occurs, in order of first occurrence. */
typedef struct rp_name_counts {
    rp_dictionary names;
    int64_t counts[RP_ORDER_NAMES_MAX];
} rp_name_counts;

typedef struct rp_order_log_entry {
    double time;
    rp_text order, item;
    bool has_count, has_cell;
    uint32_t count;
    int32_t x, y;
} rp_order_log_entry;

typedef struct rp_order_cell {
    int32_t x, y;
    uint32_t count; /* 0: an empty slot */
} rp_order_cell;

typedef struct rp_order_minute {
    uint32_t actions[60], economy[60]; /* per second */
    uint32_t fresh;                    /* actions that do not repeat the one before */
} rp_order_minute;

typedef struct rp_order_player {
    int32_t id;
    size_t number; /* index in `players` */
    uint64_t actions, repeats;
    double first_attack; /* negative: none */
    rp_name_counts *order_names, *produced, *placed;
    rp_vector builds, powers; /* rp_order_log_entry */
    uint64_t unlogged;        /* entries that did not fit */
    uint64_t uncounted_cells; /* orders whose cell did not fit */
    rp_vector minutes;        /* rp_order_minute *, NULL where there is no action */
    rp_order_cell *cells;     /* hashed */
    size_t cell_count, cell_slots;
    uint64_t last_digest;
} rp_order_player;

typedef struct rp_order_analysis {
    rp_context *context;
    rp_arena arena;
    rp_dictionary texts; /* of logs */
    rp_order_player *players[RP_ORDER_PLAYERS_MAX];
    size_t player_count;
    uint64_t orders_of_others; /* of players beyond RP_ORDER_PLAYERS_MAX */
    rp_vector groups;          /* uint32_t [RP_ORDER_GROUPS], per RP_ORDER_GROUP_S */
    double first_contact;      /* time of the first attack of all; negative: none */
    int32_t first_attacker;
} rp_order_analysis;

/* One order, as far as the analysis looks at it. */
typedef struct rp_order_note {
    double time;
    reprise_foreign_kind kind;
    bool is_action;  /* given to the game, not to the network or to other people */
    uint64_t digest; /* equal for orders of the same content */
    bool is_army;    /* sends units to cell x, y */
    int32_t x, y;
} rp_order_note;

void rp_order_analysis_init(rp_order_analysis *analysis, rp_context *context);
void rp_order_analysis_free(rp_order_analysis *analysis);

/*
 * The player with an id of the caller's choice, who is added if new. NULL with the error set, or
 * without one when there are too many players; such orders are counted.
 */
rp_order_player *rp_order_analysis_player(rp_order_analysis *analysis, int32_t id,
                                          reprise_error *error);
reprise_status rp_order_analysis_add(rp_order_analysis *analysis, rp_order_player *player,
                                     const rp_order_note *note, reprise_error *error);
/* Adds to a log of a player; texts are copied. */
reprise_status rp_order_analysis_log(rp_order_analysis *analysis, rp_order_player *player,
                                     rp_vector *log, const rp_order_log_entry *entry,
                                     reprise_error *error);

reprise_status rp_name_counts_add(rp_order_analysis *analysis, rp_name_counts **counts,
                                  const rp_text *name, int64_t by, reprise_error *error);
/* Sets a member {name: count}. */
void rp_set_name_counts(rp_doc *doc, reprise_value *object, const char *key,
                        const rp_name_counts *counts);

/* Sets what follows from the actions of a player in a match of that many minutes. */
void rp_set_order_metrics(rp_doc *doc, reprise_value *object, const rp_order_player *player,
                          double minutes);
/*
 * Sets `army_heat`: the cells armies were sent to, the busiest first or in reading order. Orders to
 * cells that are not among the busiest RP_ORDER_CELLS_LISTED are counted.
 */
void rp_set_army_heat(rp_doc *doc, reprise_value *object, const rp_order_player *player,
                      bool busiest_first);

/* Walks a match second by second. Start with a zeroed struct and a player. */
typedef struct rp_order_rate {
    const rp_order_player *player;
    int64_t second;                  /* the next one */
    uint64_t all, economy, military; /* actions of the RP_ORDER_RATE_S up to here */
    uint64_t so_far;                 /* actions from the start up to here */
} rp_order_rate;

void rp_order_rate_next(rp_order_rate *rate);
/* Orders of a group that begin in [slot, slot + 1) * RP_ORDER_GROUP_S seconds. */
uint32_t rp_order_group_count(const rp_order_analysis *analysis, rp_order_group group, size_t slot);

#endif
