/* analyse_compare.h - what analyse_compare.c and analyse_compare_list.c share. */
#ifndef OPENRA_ANALYSE_COMPARE_H
#define OPENRA_ANALYSE_COMPARE_H

#include "analyse.h"

enum { ORA_TURNS_LISTED = 100 }; /* turns whose orders are shown; more are counted */

/* What one client did in a frame, or the sum it sent. */
typedef struct ora_turn {
    int32_t frame, client;
    uint32_t packet, orders;
    uint64_t sum;
} ora_turn;

typedef struct ora_turns {
    ora_turn *items; /* by frame and client */
    size_t count, capacity;
} ora_turns;

typedef struct ora_recording {
    ora_replay *replay;
    const char *game;
    rp_doc *doc;
    bool same_dialect; /* as the other recording: orders can be compared as stored */
    ora_turns turns, sums;
    ora_turn open; /* collects the orders of the current packet */
    rp_writer text;
    reprise_value *said; /* chat and pauses */
    /* For the orders of turns that differ: */
    const struct ora_verdict *verdict;
    struct ora_shown *shown;
    size_t shown_count;
} ora_recording;

typedef struct ora_verdict {
    bool same_play, same; /* play alone; play and chat */
    int32_t orders, sync; /* first frames that differ; 0: none */
    uint32_t orders_differ, sync_differ, compared, only_a, only_b;
    uint64_t turns_differ;
    int32_t same_through;
    ora_turn listed[ORA_TURNS_LISTED]; /* the first turns that differ, by frame and client */
    size_t listed_count;
} ora_verdict;

uint64_t ora_order_digest(ora_recording *r, const ora_order *order);

/* ---- analyse_compare_list.c ---- */

/* Remembers an immediate order if it is chat or a pause. */
void ora_note_immediate(ora_recording *r, const rp_row *row);
/* What only one of the two recordings has. */
const reprise_value *ora_list_immediate(rp_doc *doc, const ora_recording *a,
                                        const ora_recording *b);
void ora_list_clients(rp_doc *doc, reprise_value *match, const ora_recording *a,
                      const ora_recording *b);
/* The orders of turns that differ. */
reprise_status ora_list_turns(rp_doc *doc, reprise_value *match, ora_recording *a, ora_recording *b,
                              const ora_verdict *v, reprise_error *error);

#endif
