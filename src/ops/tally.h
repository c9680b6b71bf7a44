/*
 * tally.h - checksums over rows, one per column, to compare given rows with those read back without
 * keeping either.
 *
 * Rows of events and tables are summed in order. An object with a state is summed when a value
 * changes, so it does not matter whether an unchanged state is stored again. Memory grows with the
 * number of objects, not of rows.
 */
#ifndef RP_TALLY_H
#define RP_TALLY_H

#include "format.h"

/* The sums of one field. */
typedef struct rp_field_tally {
    uint64_t zero;   /* the value where nothing was set */
    uint64_t sum;    /* of the values */
    uint64_t moment; /* of states: the same with the step numbers */
    uint64_t steps;  /* of states: number of changes, and the step of the last one */
    int64_t last;
} rp_field_tally;

typedef struct rp_track_tally {
    uint64_t rows;
    uint64_t set;     /* fields stored by some row */
    uint64_t nonzero; /* fields with a value other than `zero` in some row */
    uint64_t index, time;
    rp_field_tally fields[RP_FIELDS_MAX];
    uint64_t **objects; /* for each object with a row: the values of its fields */
    size_t object_count;
} rp_track_tally;

typedef struct rp_tally {
    const rp_format *format;
    rp_arena *arena; /* the caller's */
    bool numbered;   /* the caller numbers the steps; otherwise the format does */
    rp_track_tally *tracks[RP_TRACKS_MAX]; /* NULL: no rows */
} rp_tally;

/* Allocated in the arena; NULL with the error set. */
rp_tally *rp_tally_new(rp_arena *arena, const rp_format *format, reprise_error *error);
reprise_status rp_tally_add(rp_tally *tally, const rp_row *row, reprise_error *error);
/*
 * REPRISE_E_LOSSY, naming tracks and columns, if `stored` differs from `given`. Columns that no
 * given row sets may have any value, and rows may be stored in any way. `fields` are the fields
 * that the layout has, per track.
 */
reprise_status rp_tally_compare(const rp_tally *given, const rp_tally *stored, const char *layout,
                                const uint64_t *fields, reprise_error *error);

#endif
