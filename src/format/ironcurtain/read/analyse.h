/*
 * analyse.h - the metrics of a match, computed once: stats.c renders them as a document,
 * timeline.c as plots, tables and markers.
 */
#ifndef IRONCURTAIN_READ_ANALYSE_H
#define IRONCURTAIN_READ_ANALYSE_H

#include "read.h"
#include "verify_hashes.h"

enum { IC_APM_SECONDS = 60 };

/* What one player did. */
typedef struct ic_activity {
    uint32_t player;
    uint64_t orders;
    uint64_t actions; /* orders that change the game: chat, pings and votes do not */
    uint64_t by_kind[ic_player_order_V_COUNT];
    uint64_t selections, selected_units, groups[3];
    uint32_t recent[IC_APM_SECONDS]; /* actions of the last minute, by second */
    int64_t second;                  /* the last one of `recent` */
} ic_activity;

typedef struct ic_analysis {
    ic_activity players[IC_PLAYERS_MAX]; /* in the order in which they appear */
    size_t player_count;
    uint64_t frames;
    uint64_t missing_frames; /* between those that are there */
    ic_hashes hashes;
} ic_analysis;

/* ---- orders and frames ---- */

/* `seconds` is the time of the order on the clock of ic_actions_per_minute. */
void ic_analyse_order(ic_analysis *analysis, const ic_order *order, double seconds);
/* Actions of a player in the minute that ends with a second; seconds must not decrease. */
uint64_t ic_actions_per_minute(ic_analysis *analysis, uint32_t player, int64_t second);

/* Returns how many frames are missing before this one. */
uint64_t ic_analyse_frame(ic_analysis *analysis, uint64_t tick, uint64_t hash,
                          ic_hashes_found *ret_found);
/* The hash of a keyframe's state, or a signed hash. */
ic_hashes_found ic_analyse_state(ic_analysis *analysis, uint64_t tick,
                                 const uint8_t hash[IC_HASH_SIZE]);

/* ---- curves ---- */

typedef enum ic_metric {
    IC_CREDITS,
    IC_POWER, /* produced minus drained */
    IC_ARMY_VALUE,
    IC_HARVESTERS,
    IC_KILLS,  /* units and buildings */
    IC_INCOME, /* credits per minute */
    IC_METRIC_COUNT
} ic_metric;

/* Values of one player at one tick. */
typedef struct ic_sample {
    uint32_t player;
    size_t count; /* the first ones are known */
    double values[IC_METRIC_COUNT];
} ic_sample;

ic_sample ic_sample_state(const ic_player *player);
ic_sample ic_sample_event(const ic_stat_snapshot *event);

/* ---- events ---- */

/* An analysis event in terms that all reports share. */
typedef struct ic_event_summary {
    uint64_t tick;
    int64_t player; /* -1: no player in particular */
    bool has_type;
    uint32_t type;          /* interned: unit, building, upgrade, ability or weapon */
    const ic_pos *pos;      /* NULL: it has no place */
    const char *production; /* "unit created", "upgrade completed" ... or NULL */
    const char *highlight;  /* what is worth watching: "superweapon" ... or NULL */
    double score;           /* of a highlight, by the event documentation */
    const char *amount_key; /* NULL: it has no amount */
    int64_t amount;
    bool listed;      /* in tables of events */
    unsigned weight;  /* of its marker; 0: none */
    const char *text; /* NULL: the name of its type */
} ic_event_summary;

ic_event_summary ic_event_summary_of(const rp_choice *event);
/* Counts selections and control groups. */
void ic_analyse_event(ic_analysis *analysis, const rp_choice *event);
/* The share of those engaged that were lost, 0-1. */
double ic_loss_share(const ic_engagement_ended *event);
/* The cell of a position; rounds down, also to the left of the map. */
ic_cell ic_cell_of(const ic_pos *pos);

#endif
