/* analyse.h - every metric of an OpenRA match, computed in one pass. stats.c renders it. */
#ifndef OPENRA_ANALYSE_H
#define OPENRA_ANALYSE_H

#include "desync.h"
#include "openra.h"
#include "order_analysis.h"

enum { ORA_DEFEAT_BITS = 64 };

/* What a player did beyond rp_order_player, which has the same index in `orders`. */
typedef struct ora_player_extras {
    uint64_t queued, groups_made, group_orders;
    uint32_t largest_group;
    rp_name_counts *stances;
} ora_player_extras;

/* A line of chat, a pause or a disconnect. */
typedef struct ora_moment {
    double time;
    int32_t client;
    uint8_t channel; /* chat */
    rp_text text;    /* chat */
    bool paused;     /* pauses: begins, not ends */
} ora_moment;

typedef struct ora_analysis {
    ora_replay *replay;
    rp_order_analysis orders; /* players are clients */
    ora_player_extras extras[RP_ORDER_PLAYERS_MAX];
    rp_vector chat, pauses, disconnects; /* ora_moment, at most RP_ORDER_LOG_MAX */
    double defeated[ORA_DEFEAT_BITS];    /* when a bit was first set; negative: never */
    rp_desync_watch desync;
} ora_analysis;

/* Free the analysis, also after a failure. */
reprise_status ora_analyse(ora_replay *replay, ora_analysis **ret_analysis, reprise_error *error);
void ora_analysis_free(ora_analysis *analysis);

/* FNV-1a over bytes, from ORA_DIGEST_START or an earlier digest. */
#define ORA_DIGEST_START UINT64_C(0xCBF29CE484222325)
uint64_t ora_digest(uint64_t start, const void *data, size_t size);

/* What clients must agree on after a frame: all sums of a row, and who has lost. */
uint64_t ora_sync_digest(const ora_sync *sync);
void ora_watch_sync(rp_desync_watch *watch, const ora_sync *sync);
/* Sets `desync` if there is one. */
void ora_set_desync(rp_doc *doc, reprise_value *object, const rp_desync *desync);

#endif
