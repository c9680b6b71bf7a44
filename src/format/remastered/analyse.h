/*
 * analyse.h - every metric of a Command & Conquer recording, computed in one pass. stats.c renders
 * it.
 */
#ifndef REMASTERED_ANALYSE_H
#define REMASTERED_ANALYSE_H

#include "desync.h"
#include "order_analysis.h"
#include "remastered.h"

enum { CNC_HOUSES = 32 };

/* What a house did beyond rp_order_player. */
typedef struct cnc_house {
    rp_order_player *orders; /* NULL: has no events */
    uint32_t events[CNC_EVENT_COUNT];
    double left; /* time of the first DESTRUCT or EXIT; negative: none */
} cnc_house;

typedef struct cnc_speed_change {
    double time;
    int32_t speed;
} cnc_speed_change;

typedef struct cnc_analysis {
    cnc_replay *replay;
    rp_order_analysis orders; /* players are houses */
    cnc_house houses[CNC_HOUSES];
    rp_vector speed_changes; /* cnc_speed_change, at most RP_ORDER_LOG_MAX */
    rp_desync_watch desync;
    uint64_t records, selections;
    int64_t last_frame;
    double last_time;
} cnc_analysis;

/* Free the analysis, also after a failure. */
reprise_status cnc_analyse(cnc_replay *replay, cnc_analysis **ret_analysis, reprise_error *error);
void cnc_analysis_free(cnc_analysis *analysis);

/* Compares the hash of a FRAMEINFO event with those of other houses. Ignores other events. */
void cnc_watch_sync(rp_desync_watch *watch, const rp_row *row);
/* Sets `desync` if there is one. */
void cnc_set_desync(rp_doc *doc, reprise_value *object, const rp_desync *desync);

#endif
