/*
 * track.h - tables: what a format's tracks look like and what a row is.
 *
 * A row is a C struct described by record tables plus presence bits. It is always complete: fields
 * the file left out because they did not change hold their last value, and the presence bits say
 * which ones were stored, so that a writer can reproduce the file. In a sparse track a field that
 * was left out means that there is none.
 */
#ifndef RP_TRACK_H
#define RP_TRACK_H

#include "schema.h"
#include "value.h"

enum { RP_TRACKS_MAX = 32, RP_PARTS_MAX = 8, RP_FIELDS_MAX = 64 };

typedef enum rp_track_kind {
    RP_TRACK_STATE, /* objects that keep their state until it changes */
    RP_TRACK_EVENT, /* things that happen at a moment */
    RP_TRACK_TABLE, /* things that do not change: no frame, no time */
} rp_track_kind;

/*
 * The struct behind a row is made of one or more records at some offset. A prefix tells columns of
 * a record apart that is used twice ("pre", "post"); NULL for none.
 */
typedef struct rp_part {
    const char *prefix;
    const rp_record *record;
    size_t offset;
} rp_part;

typedef struct rp_row {
    uint32_t track;
    uint32_t object;  /* which player, structure ...; 0 where the track has no objects */
    int64_t index;    /* frame or tick */
    double time;      /* seconds */
    uint64_t present; /* bit per field, counted through the parts: stored in this very row */
    const void *data;
} rp_row;

struct rp_replay;

typedef struct rp_track {
    const char *name;
    const char *doc;
    rp_track_kind kind;
    const char *clock;  /* name of the index column: "frame", "tick", or NULL */
    const char *object; /* name of the object column, or NULL */
    bool keyed;         /* rows have a number of their object though no column shows it */
    bool divided;       /* the first field of a row is the number of a part of its object */
    bool timed;         /* rows have a time */
    bool storage;       /* says how things are stored, not what they are: no part of the content */
    bool time_single;   /* the file keeps times in single precision: print and compare them so */
    bool sparse;        /* a field that a row does not store is null, not unchanged */
    rp_part parts[RP_PARTS_MAX];
    size_t part_count;
    const rp_record *derived; /* values computed from a row, or NULL; an F64 that is NaN is null */
    void (*derive)(const struct rp_replay *replay, const rp_row *row, void *ret_derived);
} rp_track;

/* The rows one decoding step gave; they point into the decoder and are valid until the next. */
typedef struct rp_batch {
    rp_row *rows;
    size_t count, capacity;
} rp_batch;

/* Adds a row to fill in, or NULL with the error set. */
rp_row *rp_batch_add(rp_context *context, rp_batch *batch, reprise_error *error);
/* Makes room for so many more rows, for who fills them in directly and then adds to `count`. */
reprise_status rp_batch_reserve(rp_context *context, rp_batch *batch, size_t more,
                                reprise_error *error);
void rp_batch_free(rp_context *context, rp_batch *batch);

/*
 * Fills in a row member by member, so that a row that was just put together goes there straight
 * from registers. As a whole it would be copied in wider pieces than it was written in, and the
 * processor waits for such writes to arrive: ten times the cost of the row.
 */
static inline void rp_row_set(rp_row *to, rp_row row)
{
    to->track = row.track;
    to->object = row.object;
    to->index = row.index;
    to->time = row.time;
    to->present = row.present;
    to->data = row.data;
}

/* Bytes of the struct behind a row; at least 1. */
size_t rp_track_row_size(const rp_track *track);

/* ---- columns: the flat view that tables, CSV and comparisons use ---- */

typedef enum rp_column_source {
    RP_COLUMN_INDEX,
    RP_COLUMN_TIME,
    RP_COLUMN_OBJECT,
    RP_COLUMN_STORED,  /* a field of a part */
    RP_COLUMN_DERIVED, /* a field of the derived record */
} rp_column_source;

typedef struct rp_column {
    reprise_column about; /* first: what the outside sees */
    rp_column_source source;
    bool single;           /* a time kept in single precision */
    bool sparse;           /* null where the row does not store it */
    const rp_field *field; /* NULL for index, time and object */
    size_t offset;         /* of the scalar in row data or in the derived struct */
    rp_kind kind;          /* of the scalar: a VEC3 field gives three F32 columns */
    uint8_t axis;          /* of a ROT, which is unpacked on access */
    uint8_t presence_bit;
} rp_column;

/*
 * The columns of a track, in the arena. `fields` has a bit for every stored field that this layout
 * really has; the others get no column.
 */
reprise_status rp_track_columns(rp_arena *arena, const rp_track *track, uint64_t fields,
                                rp_column **ret_columns, size_t *ret_count, reprise_error *error);

/* Where a column's value is: in the row, or in `derived`, which the caller filled by derive. */
const void *rp_column_value(const rp_column *column, const rp_row *row, const void *derived);
/* Writes one value as JSON or as a CSV field. */
void rp_column_json(rp_writer *w, const rp_column *column, const rp_row *row, const void *derived);
void rp_column_csv(rp_writer *w, const rp_column *column, const rp_row *row, const void *derived);
bool rp_column_null(const rp_column *column, const rp_row *row, const void *derived);
int64_t rp_column_int(const rp_column *column, const rp_row *row, const void *derived);
double rp_column_double(const rp_column *column, const rp_row *row, const void *derived);

#endif
