/*
 * arrow.h - the tracks of a replay as Apache Arrow streams.
 *
 * DuckDB, polars, pandas, Spark and every other program that reads Arrow takes such a stream
 * without copying it:
 *
 *     struct ArrowArrayStream stream;
 *     int track = reprise_track_find(replay, "ticks");
 *     if (reprise_arrow_stream(replay, (size_t)track, NULL, &stream, &error) == REPRISE_OK)
 *         duckdb_arrow_scan(connection, "ticks", &stream);
 *
 * The schema depends only on the format, the track and the options, so all layouts have the same
 * one: what a layout lacks is null. Types of columns:
 *
 *   bool, integers, float, double    as stored
 *   text                             utf8; bytes that are not UTF-8 become U+FFFD
 *   bytes                            binary, or fixed-size binary
 *   number with names                dictionary<int32, utf8>; a number without a name is "#17"
 *   set of flags                     the integer; the field's metadata "flags" names the bits
 *   vector or rotation in a record   fixed-size list of floats
 *   list, map                        list; a map is a list of structs of key and value
 *   nested record                    struct
 *   choice of records                struct of `kind` and one nullable struct per kind
 *
 * The metadata of the schema has "reprise.format" and "reprise.track", that of a field "doc", and
 * where they apply "derived" (computed, not in the file), "flags" and "stored_bit".
 */
#ifndef REPRISE_ARROW_H
#define REPRISE_ARROW_H

#include "reprise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structs of the Arrow C data and C stream interfaces, guarded as their specification asks. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/*
 * Opens a track as a stream of struct arrays, one per batch of at most options->rows_max rows (0:
 * 16384; a batch of large values has fewer). NULL in place of options means all columns and rows.
 * With options->stored there is one more column at the end, `stored` (uint64): the fields that the
 * row itself stores. The metadata "stored_bit" of a column names its bit; a column without one is
 * in every row or is computed.
 *
 * The stream keeps the replay open. Like every handle it is used by one thread at a time. Schemas
 * and batches own all they point to: release them before or after the stream and the replay, in any
 * order, on any thread. Their memory no longer counts towards the limit memory_bytes; an allocator
 * of the caller's must live until the last of them is released.
 *
 * If the file is cut short or damaged, all complete rows come first; then get_next returns an errno
 * and get_last_error the text. ECANCELED means that the progress callback returned false.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_arrow_stream(reprise_replay *replay, size_t track, const reprise_batch_options *options,
                     struct ArrowArrayStream *ret_stream, reprise_error *error);

/* The error that get_schema or get_next of a stream returned last; NULL: none, or not our stream.
 */
REPRISE_API const reprise_error *reprise_arrow_error(const struct ArrowArrayStream *stream);

/*
 * The schema of a format's track, without a file: exactly what the stream of any replay of this
 * format has with the same options. Of these only columns and stored matter.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_arrow_schema(const char *format, const char *track, const reprise_batch_options *options,
                     struct ArrowSchema *ret_schema, reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
