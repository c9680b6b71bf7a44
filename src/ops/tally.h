/*
 * tally.h - running sums over rows, one for each column, so that what was given can be compared
 * with what is read back although neither is kept.
 *
 * Rows of an event or a table count in their order. An object that keeps its state counts when a
 * value changes, so a state that is stored again, or is not, makes no difference. Memory grows with
 * the number of objects, not with the number of rows.
 */
#ifndef RP_TALLY_H
#define RP_TALLY_H

#include "format.h"

/* The sums of one field. */
typedef struct rp_field_tally {
    uint64_t zero;   /* what it holds where nothing was set */
    uint64_t sum;    /* of the values */
    uint64_t moment; /* of states: the same with the numbers of the steps */
    uint64_t steps;  /* of states: how many changed it, and the last one of them */
    int64_t last;
} rp_field_tally;

typedef struct rp_track_tally {
    uint64_t rows;
    uint64_t set;     /* fields that some row stores */
    uint64_t nonzero; /* fields that some row gives another value than `zero` */
    uint64_t index, time;
    rp_field_tally fields[RP_FIELDS_MAX];
    uint64_t **objects; /* of each object that had a row: what its fields hold */
    size_t object_count;
} rp_track_tally;

typedef struct rp_tally {
    const rp_format *format;
    rp_arena *arena; /* the caller's */
    bool numbered;   /* steps were given numbers; else the format numbers them as it will */
    rp_track_tally *tracks[RP_TRACKS_MAX]; /* NULL: no rows */
} rp_tally;

/* In the arena; NULL with the error set. */
rp_tally *rp_tally_new(rp_arena *arena, const rp_format *format, reprise_error *error);
reprise_status rp_tally_add(rp_tally *tally, const rp_row *row, reprise_error *error);
/*
 * REPRISE_E_LOSSY, naming tracks and columns, where `stored` does not hold what was `given`.
 * Columns that no given row sets are the writer's to fill in, as is everything about how things are
 * stored. `fields` are those that the layout has, for each track.
 */
reprise_status rp_tally_compare(const rp_tally *given, const rp_tally *stored, const char *layout,
                                const uint64_t *fields, reprise_error *error);

#endif
