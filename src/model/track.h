/*
 * track.h - tracks, rows and columns.
 *
 * A row is a C struct described by record tables, plus presence bits. It is always complete: fields
 * that the file omits because they did not change have their last value. The presence bits say
 * which fields are stored, so that a writer can reproduce the file. In a sparse track an omitted
 * field is null.
 */
#ifndef RP_TRACK_H
#define RP_TRACK_H

#include "schema.h"
#include "value.h"

enum { RP_TRACKS_MAX = 32, RP_PARTS_MAX = 8, RP_FIELDS_MAX = 64 };

typedef enum rp_track_kind {
    RP_TRACK_STATE, /* objects whose state holds until it changes */
    RP_TRACK_EVENT, /* events */
    RP_TRACK_TABLE, /* rows without a frame or time */
} rp_track_kind;

/*
 * The struct of a row consists of one or more records at some offset. A prefix distinguishes the
 * columns of a record that is used twice ("pre", "post"); NULL: none.
 */
typedef struct rp_part {
    const char *prefix;
    const rp_record *record;
    size_t offset;
} rp_part;

typedef struct rp_row {
    uint32_t track;
    uint32_t object;  /* number of the player, structure ...; 0 if the track has no objects */
    int64_t index;    /* frame or tick */
    double time;      /* seconds */
    uint64_t present; /* presence bits, one per field, counted over all parts */
    const void *data;
} rp_row;

struct rp_replay;
struct rp_tile;

typedef struct rp_track {
    const char *name;
    const char *doc;
    rp_track_kind kind;
    const char *clock;  /* name of the index column: "frame", "tick", or NULL */
    const char *object; /* name of the object column, or NULL */
    bool keyed;         /* rows have an object number without a column */
    bool divided;       /* the first field of a row is the number of a part of the object */
    bool timed;         /* rows have a time */
    bool storage;       /* describes how data is stored, not the content */
    bool time_single;   /* times have single precision in the file: print and compare them so */
    bool sparse;        /* an omitted field is null, not unchanged */
    rp_part parts[RP_PARTS_MAX];
    size_t part_count;
    const rp_record *derived; /* computed from a row, or NULL; an F64 that is NaN is null */
    void (*derive)(const struct rp_replay *replay, const rp_row *row, void *ret_derived);
    /*
     * The same for many rows, with the results as columns (rp_tile_derived); NULL: row by row. Only
     * for values of fixed size.
     */
    void (*derive_tile)(const struct rp_replay *replay, struct rp_tile *tile, void *ret_derived);
} rp_track;

/* The rows of one decoding step. They point into the decoder and are valid until the next step. */
typedef struct rp_batch {
    rp_row *rows;
    size_t count, capacity;
} rp_batch;

/* Appends a row to fill in. Returns NULL with the error set on failure. */
rp_row *rp_batch_add(rp_context *context, rp_batch *batch, reprise_error *error);
/* Makes room for more rows, for callers that fill them in directly and increase `count`. */
reprise_status rp_batch_reserve(rp_context *context, rp_batch *batch, size_t more,
                                reprise_error *error);
void rp_batch_free(rp_context *context, rp_batch *batch);

/*
 * Stores a row member by member, directly from registers. Assigning the struct would copy it in
 * wider pieces than it was just written in, and that stall costs ten times as much.
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

/* Returns the size of the struct of a row, at least 1. */
size_t rp_track_row_size(const rp_track *track);

/* ---- columns ---- */

typedef enum rp_column_source {
    RP_COLUMN_INDEX,
    RP_COLUMN_TIME,
    RP_COLUMN_OBJECT,
    RP_COLUMN_PRESENT, /* the presence bits; only where a table asks for them */
    RP_COLUMN_STORED,  /* a field of a part */
    RP_COLUMN_DERIVED, /* a field of the derived record */
} rp_column_source;

typedef struct rp_column {
    reprise_column about; /* first member: the public part */
    rp_column_source source;
    bool single;           /* a time in single precision */
    bool sparse;           /* null if the row does not store it */
    const rp_field *field; /* NULL for index, time and object */
    size_t offset;         /* of the scalar in row data or in the derived struct */
    rp_kind kind;          /* of the scalar; a VEC3 field has three F32 columns */
    uint8_t axis;          /* of a ROT, which is unpacked when read */
    uint8_t presence_bit;
} rp_column;

/*
 * Makes the columns of a track, in the arena. `fields` has a bit for every stored field of this
 * layout; the others get no column.
 */
reprise_status rp_track_columns(rp_arena *arena, const rp_track *track, uint64_t fields,
                                rp_column **ret_columns, size_t *ret_count, reprise_error *error);

/* Returns a pointer to a column's value in the row, or in `derived`, which derive() has filled. */
const void *rp_column_value(const rp_column *column, const rp_row *row, const void *derived);
/* One value in the JSON shape of rows (see document.h): as a value, as JSON text, as a CSV field.
 */
reprise_value *rp_column_new_value(rp_doc *doc, const rp_column *column, const rp_row *row,
                                   const void *derived);
void rp_column_json(rp_writer *w, const rp_column *column, const rp_row *row, const void *derived);
void rp_column_csv(rp_writer *w, const rp_column *column, const rp_row *row, const void *derived);
/* Quotes text with separators, quotes or line ends, and doubles quotes (RFC 4180). */
void rp_csv_text(rp_writer *w, const char *text, size_t size);
bool rp_column_null(const rp_column *column, const rp_row *row, const void *derived);
int64_t rp_column_int(const rp_column *column, const rp_row *row, const void *derived);
double rp_column_double(const rp_column *column, const rp_row *row, const void *derived);

#endif
