/*
 * highlights.h - the moments of a match that are worth watching, found by the analysis of each
 * family. A timeline keeps the best of them; they become its chapters where it has no others.
 *
 * Scores are from 0 to 1 and mean the same in all families: 0.9 decides a match, 0.75 turns it, 0.5
 * is a good scene, 0.3 is the best of a quiet recording.
 */
#ifndef RP_HIGHLIGHTS_H
#define RP_HIGHLIGHTS_H

#include "timeline.h"

enum { RP_HIGHLIGHTS_MAX = 20 };

typedef struct rp_highlight {
    double time;     /* when it happens */
    double from, to; /* what to watch; cut to the recording */
    double score;
    const char *kind; /* "fight", "jump" ...; constant */
    const char *text; /* copied */
    int32_t player;   /* -1: none in particular */
} rp_highlight;

/* Of two of a kind that overlap, the better one is kept, the first of equals. */
void rp_timeline_highlight(rp_timeline *timeline, const rp_highlight *highlight);

/* A series of equal slots, in which the busiest windows are highlights. */
typedef struct rp_highlight_search {
    const float *slots;
    size_t count;
    double slot_s;
    size_t window; /* slots */
    double least;  /* a window with less is none */
    double full;   /* this much is worth `score_max` */
    double score_max;
    size_t most; /* windows */
    const char *kind;
    const char *name, *unit; /* "Exchange", "damage": "Exchange: 8 damage in 5 s" */
    int32_t player;
} rp_highlight_search;
void rp_timeline_highlight_windows(rp_timeline *timeline, const rp_highlight_search *search);

/* Adds the list to the document, in order of time, and chapters if there are none. */
void rp_timeline_set_highlights(rp_timeline *timeline, double duration);

#endif
