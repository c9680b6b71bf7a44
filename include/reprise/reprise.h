/*
 * reprise.h - open, read, check and search game replays.
 *
 * This header is the manual. Read it once from top to bottom:
 *
 *   1  status and error        what every call returns
 *   2  options                 limits, allocator, cancellation
 *   3  sources and sinks       where bytes come from and go to
 *   4  values                  documents: metadata, statistics, reports
 *   5  replays                 open, describe, close
 *   6  tracks and rows         typed tables
 *   7  operations              at, stats, verify, blobs
 *   8  the library itself      formats, schemas, version
 *
 * Beside it: write.h (convert, trim, anonymize, record ...), scene.h (glTF, timelines, plots),
 * arrow.h (tracks as Arrow streams), tables.h (tracks as Parquet and Arrow files), catalog.h
 * (directories of replays), foreign.h (recorded orders), ironcurtain/ (for engines), sandbox.h.
 *
 * The shortest useful program:
 *
 *     reprise_replay *replay = NULL;
 *     reprise_error   error;
 *     if (reprise_open_file("match.replay", NULL, &replay, &error) != REPRISE_OK) {
 *         char text[REPRISE_ERROR_TEXT_MAX];
 *         fputs(reprise_error_text(&error, "match.replay", text, sizeof text), stderr);
 *         return 1;
 *     }
 *     printf("%s, layout %s\n", reprise_format(replay), reprise_layout(replay));
 *     reprise_close(replay);
 *
 * Rules that hold everywhere. A function that can fail returns a reprise_status and writes its
 * results (parameters named ret_*) only on success. It starts with a clean error, so one
 * reprise_error can serve many calls; pass NULL to ignore the details. A missing argument is
 * REPRISE_E_USAGE, or 0 or NULL from a function that cannot fail. Pointers returned as const belong
 * to the handle they came from and are valid as long as it is. A child (rows, batches, a scene, a
 * player) keeps its replay open, so handles may be closed in any order. Handles are not
 * thread-safe, but no two handles share anything, so each thread may have its own. There is no
 * global state, and errno is not used. Every *_close and *_free accepts NULL. A struct that begins
 * with struct_size may grow: initialise it with its REPRISE_..._INIT macro.
 */
#ifndef REPRISE_H
#define REPRISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(REPRISE_BUILD)
#define REPRISE_API __attribute__((visibility("default")))
#else
#define REPRISE_API
#endif
#if defined(__GNUC__)
#define REPRISE_MUST_USE        __attribute__((warn_unused_result))
#define REPRISE_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
#else
#define REPRISE_MUST_USE
#define REPRISE_PRINTF(fmt, va)
#endif

/* The version of this header; reprise_version_number() is that of the library at run time. */
#define REPRISE_VERSION_MAJOR 0
#define REPRISE_VERSION_MINOR 1
#define REPRISE_VERSION_PATCH 0
#define REPRISE_VERSION_NUMBER \
    (REPRISE_VERSION_MAJOR * 1000000 + REPRISE_VERSION_MINOR * 1000 + REPRISE_VERSION_PATCH)
#define REPRISE_VERSION "0.1.0"

/* ---- 1  status and error ------------------------------------------------------------------- */

/* The numbers never change; new ones are added at the end of their range. */
typedef enum reprise_status {
    REPRISE_OK = 0,
    REPRISE_END = 1, /* no more rows; not a failure */

    REPRISE_E_IO = 10,        /* the source or sink failed */
    REPRISE_E_NOMEM = 11,     /* the allocator returned NULL */
    REPRISE_E_LIMIT = 12,     /* a limit was reached; the message names it */
    REPRISE_E_CANCELLED = 13, /* the progress callback returned false */

    REPRISE_E_UNRECOGNIZED = 20, /* no format claims these bytes */
    REPRISE_E_AMBIGUOUS = 21,    /* several do, equally; the message lists them */
    REPRISE_E_UNSUPPORTED =
        22, /* recognised, but this layout or version cannot be read or written */

    REPRISE_E_TRUNCATED = 30, /* the data ends too early */
    REPRISE_E_CORRUPT = 31,   /* the data contradicts itself or its format */
    REPRISE_E_CHECKSUM = 32,
    REPRISE_E_SIGNATURE = 33,

    REPRISE_E_LOSSY = 40, /* the target cannot hold what the source has */

    REPRISE_E_USAGE = 50, /* an argument is missing or makes no sense */
} reprise_status;

/* What to try next, for programs that say it in their own words. New ones are added at the end. */
typedef enum reprise_hint {
    REPRISE_HINT_NONE,
    REPRISE_HINT_FORMATS, /* look at reprise_formats */
    REPRISE_HINT_FORMAT,  /* reprise_options_set_format */
    REPRISE_HINT_RECOVER, /* reprise_recover keeps everything complete */
    REPRISE_HINT_REPLACE, /* reprise_write_options.replace */
    REPRISE_HINT_LOSSY,   /* reprise_write_options.lossy */
    REPRISE_HINT_CONVERT, /* convert to one layout first */
    REPRISE_HINT_ZIP,     /* convert to the layout zip */
    REPRISE_HINT_MARKERS, /* read the track markers */
    REPRISE_HINT_PARTS,   /* read the track parts alone */
    REPRISE_HINT_OFFSET,  /* give the offsets to reprise_merge */
    REPRISE_HINT_PRIVATE, /* remove more kinds of private data */
    REPRISE_HINT_KEEP,    /* keep this kind of private data */
    REPRISE_HINT_CONSENT, /* reprise_extract_options.allow_guarded */
    REPRISE_HINT_SMALLER, /* a shorter range, fewer samples or a larger tolerance */
    REPRISE_HINT_MAP,     /* give the map to embed */
    REPRISE_HINT_RULES,   /* give the rules to embed */
} reprise_hint;

/*
 * What went wrong and where. Every call that takes one sets it: to REPRISE_OK and empty texts, or
 * to its failure. The caller owns it; nothing is allocated.
 */
typedef struct reprise_error {
    reprise_status status;
    int32_t cause;     /* errno or a codec's own code, 0 if none */
    uint64_t offset;   /* byte in the innermost stream */
    char stream[64];   /* "file", "zip:replay", "gzip" */
    char path[96];     /* frames[12].entries[3].rotation */
    char message[192]; /* need 16 bytes, 9 left */
    char hint[96];     /* what to try next, or empty */
    reprise_hint advice;
} reprise_error;

#define REPRISE_ERROR_INIT                                      \
    {                                                           \
        REPRISE_OK, 0, 0, {0}, {0}, {0}, {0}, REPRISE_HINT_NONE \
    }
#define REPRISE_ERROR_TEXT_MAX 640

/* One word per status, stable: "ok", "truncated", "limit" ... */
REPRISE_API const char *reprise_status_name(reprise_status status);

/* "match.replay: zip:replay+0x1a2c: frames[12]: need 16 bytes, 9 left". Returns `to`. */
REPRISE_API const char *reprise_error_text(const reprise_error *error, const char *name, char *to,
                                           size_t size);

/* ---- 2  options ---------------------------------------------------------------------------- */

/*
 * How to open and read. NULL in place of an options object means the defaults. Everything set is
 * copied, and an object may be changed or freed as soon as the call that takes it returns; a
 * simulation and the ctx of a callback must stay valid as long as the handle that was opened.
 */
typedef struct reprise_options reprise_options;

REPRISE_MUST_USE REPRISE_API reprise_status reprise_options_new(reprise_options **ret_options,
                                                                reprise_error *error);
REPRISE_API void reprise_options_free(reprise_options *options);

/*
 * Limits: how much a hostile or damaged file may cost. All are finite; reaching one is
 * REPRISE_E_LIMIT. A limit of 0 follows from the size of the input, so that a small file cannot
 * cost much: memory_bytes is 48 MiB + 16 times the input, output_bytes is 1 GiB + 1000 times the
 * input, ticks is 900 000 + 16 for each byte of the input.
 */
typedef struct reprise_limit {
    const char *name; /* "memory_bytes" */
    uint64_t value;   /* the default */
    const char *doc;
} reprise_limit;
REPRISE_API size_t reprise_limit_count(void);
REPRISE_API const reprise_limit *reprise_limit_at(size_t index); /* NULL after the last */

/* An unknown name is REPRISE_E_USAGE. */
REPRISE_API reprise_status reprise_options_set_limit(reprise_options *options, const char *name,
                                                     uint64_t value, reprise_error *error);
REPRISE_API reprise_status reprise_options_get_limit(const reprise_options *options,
                                                     const char *name, uint64_t *ret_value,
                                                     reprise_error *error);

/* Reads the file as this format or layout instead of recognising it; NULL: recognise it. */
REPRISE_API reprise_status reprise_options_set_format(reprise_options *options, const char *format,
                                                      reprise_error *error);
REPRISE_API reprise_status reprise_options_set_layout(reprise_options *options, const char *layout,
                                                      reprise_error *error);

/* All three functions are required and get `ctx`. realloc and free also get the old size. */
typedef struct reprise_allocator {
    void *(*alloc)(void *ctx, size_t size);
    void *(*realloc)(void *ctx, void *old, size_t old_size, size_t size);
    void (*free)(void *ctx, void *old, size_t size);
    void *ctx;
} reprise_allocator;
/* NULL: malloc, realloc and free. */
REPRISE_API reprise_status reprise_options_set_allocator(reprise_options *options,
                                                         const reprise_allocator *allocator,
                                                         reprise_error *error);

/*
 * Called from time to time with the work done and to do (0: unknown). Returning false stops the
 * operation with REPRISE_E_CANCELLED.
 */
typedef bool reprise_progress(void *ctx, uint64_t done, uint64_t total);
REPRISE_API reprise_status reprise_options_set_progress(reprise_options *options,
                                                        reprise_progress *progress, void *ctx,
                                                        reprise_error *error);

/*
 * Opens damaged and unfinished files that would be refused otherwise, and skips what is damaged.
 * reprise_recover needs this; most formats give all complete rows without it.
 */
REPRISE_API reprise_status reprise_options_set_salvage(reprise_options *options, bool salvage,
                                                       reprise_error *error);

/* Ed25519 public keys of 32 bytes each, one after the other, that signatures are trusted by. */
REPRISE_API reprise_status reprise_options_set_trusted_keys(reprise_options *options,
                                                            const uint8_t *keys, size_t count,
                                                            reprise_error *error);

/* Plays recorded orders where states are not stored; NULL: the built-in game. */
struct reprise_ic_simulation;
REPRISE_API reprise_status reprise_options_set_simulation(
    reprise_options *options, const struct reprise_ic_simulation *simulation, reprise_error *error);

/* Which Iron Curtain replays reprise_verify simulates, if there is a simulation of the game. */
typedef enum reprise_simulating {
    REPRISE_SIMULATE_SIGNED, /* signed ones, unless that takes very long */
    REPRISE_SIMULATE_ALL,
    REPRISE_SIMULATE_NEVER,
} reprise_simulating;
REPRISE_API reprise_status reprise_options_set_simulate(reprise_options *options,
                                                        reprise_simulating simulate,
                                                        reprise_error *error);

/*
 * Whether the document of reprise_verify has digests of the decoded content (default: true). They
 * check nothing, they only tell contents apart; without them CS2KZ files are verified in about
 * half the time.
 */
REPRISE_API reprise_status reprise_options_set_digests(reprise_options *options, bool digests,
                                                       reprise_error *error);

/*
 * Whether files of up to 16 MiB are mapped into memory (default: true). Switch it off where several
 * threads read files at the same time: unmapping one interrupts all threads of the process.
 */
REPRISE_API reprise_status reprise_options_set_mapping(reprise_options *options, bool maps,
                                                       reprise_error *error);

/*
 * The number of threads that may work on a replay, including the caller's; 0 and 1: only the
 * caller's. With more, allocator and source are called from several threads, perhaps at once.
 */
REPRISE_API reprise_status reprise_options_set_threads(reprise_options *options, unsigned threads,
                                                       reprise_error *error);

/* ---- 3  sources and sinks ------------------------------------------------------------------ */

/* Where bytes come from. Short reads are fine anywhere. */
typedef struct reprise_source {
    void *ctx;
    uint64_t size;
    /* Reads up to `size` bytes at `offset`. Returns how many, 0 at the end, or -errno. */
    int64_t (*read)(void *ctx, uint64_t offset, void *to, size_t size);
    void (*close)(void *ctx); /* may be NULL */
} reprise_source;

/* Where bytes go. write returns 0, or an errno that stops the operation. */
typedef struct reprise_sink {
    void *ctx;
    int (*write)(void *ctx, const void *data, size_t size);
} reprise_sink;

/* ---- 4  values ----------------------------------------------------------------------------- */

/*
 * A value is a JSON value with exact 64-bit integers and the original text of numbers. Metadata,
 * statistics and states are values, so they are printed, compared and searched the same way for
 * every format. write.h has functions that build values.
 */
typedef struct reprise_value reprise_value;

typedef enum reprise_value_kind {
    REPRISE_VALUE_NULL,
    REPRISE_VALUE_BOOL,
    REPRISE_VALUE_INT,    /* fits int64_t */
    REPRISE_VALUE_UINT,   /* fits uint64_t only */
    REPRISE_VALUE_FLOAT,  /* single precision */
    REPRISE_VALUE_DOUBLE, /* double precision, or a number whose text is kept */
    REPRISE_VALUE_STRING, /* UTF-8, may contain NUL: see reprise_value_text */
    REPRISE_VALUE_ARRAY,
    REPRISE_VALUE_OBJECT,
} reprise_value_kind;

/* A NULL value is a null: the getters below may be chained without checks. */
REPRISE_API reprise_value_kind reprise_value_kind_of(const reprise_value *value);
REPRISE_API size_t reprise_value_count(const reprise_value *value); /* elements or members */
REPRISE_API const reprise_value *reprise_value_at(const reprise_value *value, size_t index);
REPRISE_API const char *reprise_value_key(const reprise_value *object, size_t index);
REPRISE_API const reprise_value *reprise_value_get(const reprise_value *object, const char *key);
REPRISE_API bool reprise_value_bool(const reprise_value *value, bool fallback);
REPRISE_API int64_t reprise_value_int(const reprise_value *value, int64_t fallback);
REPRISE_API uint64_t reprise_value_uint(const reprise_value *value, uint64_t fallback);
REPRISE_API double reprise_value_double(const reprise_value *value, double fallback);
/* The text of a string and, if wanted, its length in bytes; NULL for other kinds. */
REPRISE_API const char *reprise_value_text(const reprise_value *value, size_t *ret_size);

/* Text or bytes with a size; not terminated by NUL. */
typedef struct reprise_text {
    const char *data; /* NULL when it was never set */
    size_t size;
} reprise_text;

typedef enum reprise_json_style {
    REPRISE_JSON_COMPACT,
    REPRISE_JSON_PRETTY, /* two spaces, line feeds */
} reprise_json_style;

/*
 * Writes a value as JSON. Integers beyond 32 bits become strings, because most JSON readers round
 * them; NaN and infinities are the strings "NaN", "Infinity" and "-Infinity".
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_value_write(const reprise_value *value,
                                                                reprise_json_style style,
                                                                const reprise_sink *sink,
                                                                reprise_error *error);

/* ---- 5  replays ---------------------------------------------------------------------------- */

typedef struct reprise_replay reprise_replay;

/*
 * Opens a replay by its content; the file name does not matter. Only metadata is read, so this is
 * fast for any length. A file that is cut short or damaged opens if anything in it can be read.
 * Memory must stay valid until reprise_close.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_open_file(const char *path,
                                                              const reprise_options *options,
                                                              reprise_replay **ret_replay,
                                                              reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_open_memory(const void *data, size_t size,
                                                                const reprise_options *options,
                                                                reprise_replay **ret_replay,
                                                                reprise_error *error);
/* Takes over the source: its close is called by reprise_close, and also when opening fails. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_open_source(const reprise_source *source,
                                                                const reprise_options *options,
                                                                reprise_replay **ret_replay,
                                                                reprise_error *error);
/* Reads a pipe to its end first, up to the limit input_bytes. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_open_pipe(int fd,
                                                              const reprise_options *options,
                                                              reprise_replay **ret_replay,
                                                              reprise_error *error);
REPRISE_API void reprise_close(reprise_replay *replay);

REPRISE_API const char *reprise_format(const reprise_replay *replay); /* "rumble" */
REPRISE_API const char *reprise_layout(const reprise_replay *replay); /* "z6" */
/*
 * What players call the unit or building that an order names by an id: "Advanced Power Plant" for
 * ("PlaceBuilding", "apwr"). With NULL for the order, the id is that of a unit or building. NULL if
 * it is not known, or if the format stores names.
 */
REPRISE_API const char *reprise_item_name(const reprise_replay *replay, const char *order,
                                          const char *item);

/*
 * Describes the replay: format, layout, people, map, length, sizes of parts, private data, warnings
 * found so far. Built on first use. Decodes the complete match only if no header states its length.
 * Schema: docs/json/info.schema.json.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_info(reprise_replay *replay,
                                                         const reprise_value **ret_info,
                                                         reprise_error *error);

/*
 * The length of the recording in seconds, the `duration` of every document; docs/design.md defines
 * it for each format. For a damaged replay without a stated length it is the length of the readable
 * part. NaN for files without a length, such as proofs.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_duration(reprise_replay *replay,
                                                             double *ret_seconds,
                                                             reprise_error *error);

/* ---- 6  tracks and rows -------------------------------------------------------------------- */

/*
 * A track is a table: rows in time order, typed columns. Read it in batches of columns (fast, and
 * laid out as Apache Arrow lays out memory), or row by row with a cursor over several tracks.
 */
typedef enum reprise_type {
    REPRISE_TYPE_BOOL,
    REPRISE_TYPE_INT, /* signed or unsigned up to 32 bits, and signed 64 */
    REPRISE_TYPE_UINT64,
    REPRISE_TYPE_FLOAT,
    REPRISE_TYPE_DOUBLE,
    REPRISE_TYPE_TEXT,
    REPRISE_TYPE_BYTES,
    REPRISE_TYPE_ENUM, /* a number with a name; unknown numbers have none */
    REPRISE_TYPE_LIST, /* a list, a nested record or a set of flags */
} reprise_type;

typedef struct reprise_column {
    const char *name; /* snake_case; vectors are three columns: pos_x pos_y pos_z */
    reprise_type type;
    const char *type_name; /* "f32", "u8" ...: how the file stores it */
    bool derived;          /* computed, not in the file */
    const char *doc;
} reprise_column;

REPRISE_API size_t reprise_track_count(const reprise_replay *replay);
REPRISE_API const char *reprise_track_name(const reprise_replay *replay, size_t track);
REPRISE_API const char *reprise_track_doc(const reprise_replay *replay, size_t track);
/* The index of a track, or -1. */
REPRISE_API int reprise_track_find(const reprise_replay *replay, const char *name);
/* Columns of a track; a layout may lack some of those that reprise_schema lists. */
REPRISE_API size_t reprise_column_count(const reprise_replay *replay, size_t track);
REPRISE_API const reprise_column *reprise_column_at(const reprise_replay *replay, size_t track,
                                                    size_t column);
/* The index of a column, or -1. */
REPRISE_API int reprise_column_find(const reprise_replay *replay, size_t track, const char *name);

/* ---- 6.1  batches of columns ---- */

/*
 * Sums a column over all rows of a track:
 *
 *     const char *columns[] = {"health"};
 *     reprise_batch_options options = REPRISE_BATCH_INIT;
 *     options.columns = columns;
 *     options.column_count = 1;
 *     int track = reprise_track_find(replay, "players");
 *     reprise_batches_open(replay, (size_t)track, &options, &batches, &error);
 *     while (reprise_batches_next(batches, &batch, &error) == REPRISE_OK)
 *         for (size_t i = 0; i < batch->row_count; i++)
 *             sum += reprise_array_int(batch->columns[0], i);
 *     reprise_batches_close(batches);
 */
typedef enum reprise_array_type {
    REPRISE_ARRAY_BOOL, /* one bit each, least significant first */
    REPRISE_ARRAY_INT8,
    REPRISE_ARRAY_INT16,
    REPRISE_ARRAY_INT32,
    REPRISE_ARRAY_INT64,
    REPRISE_ARRAY_UINT8,
    REPRISE_ARRAY_UINT16,
    REPRISE_ARRAY_UINT32,
    REPRISE_ARRAY_UINT64,
    REPRISE_ARRAY_FLOAT,
    REPRISE_ARRAY_DOUBLE,
    REPRISE_ARRAY_TEXT,        /* value i is values[offsets[i]] up to values[offsets[i + 1]] */
    REPRISE_ARRAY_BYTES,       /* likewise */
    REPRISE_ARRAY_FIXED_BYTES, /* `width` bytes each */
    REPRISE_ARRAY_LIST,        /* items offsets[i] up to offsets[i + 1] of the only child */
    REPRISE_ARRAY_FIXED_LIST,  /* `width` items of the only child each */
    REPRISE_ARRAY_STRUCT,      /* item i of every child */
    REPRISE_ARRAY_UNION,       /* item offsets[i] of child values[i] (uint8_t): a dense union */
} reprise_array_type;

/* A name for a number, or for a bit of a set of flags. */
typedef struct reprise_name {
    int64_t number;
    const char *name;
} reprise_name;

/*
 * A column, or a part of a nested one. Values are in native byte order and aligned to 8 bytes;
 * values that are null are 0 or empty. Lists count from the start of the batch.
 */
typedef struct reprise_array {
    const char *name;
    reprise_array_type type;
    size_t width; /* bytes of a value or items of a fixed list; 0: varies, or bits */
    size_t length;
    size_t null_count;
    const uint8_t *validity; /* bit per value, 1: not null; NULL: all are valid */
    const uint8_t *stored;   /* bit per row, 1: this row stores the value; NULL: not asked for */
    const void *values;
    const int32_t *offsets; /* length + 1 of them; of a union: length */
    size_t child_count;
    const struct reprise_array *const *children;
    size_t name_count; /* of an integer that has names; numbers without a name are legal */
    const reprise_name *names;
    bool flags; /* names are of bits that may be combined */
} reprise_array;

/* A value of a column of numbers or truth values; 0 for nulls, other types and a wrong index. */
REPRISE_API int64_t reprise_array_int(const reprise_array *array, size_t index);
REPRISE_API double reprise_array_double(const reprise_array *array, size_t index);

typedef struct reprise_batch {
    size_t row_count;
    size_t column_count;
    const reprise_array *const *columns;
} reprise_batch;

typedef struct reprise_batches reprise_batches;

/* Initialise with REPRISE_BATCH_INIT; all bounds are inclusive. */
typedef struct reprise_batch_options {
    size_t struct_size;
    const char *const *columns; /* names, in the order wanted; NULL: all that the schema lists */
    size_t column_count;
    double time_from; /* seconds */
    double time_to;
    int64_t index_from; /* frame or tick */
    int64_t index_to;
    bool every_frame; /* also rows of objects that did not change */
    bool linear;      /* with every_frame: interpolate values that a frame leaves out */
    bool stored;      /* fill in reprise_array.stored */
    size_t rows_max;  /* of one batch; 0: 4096 */
} reprise_batch_options;
#define REPRISE_BATCH_INIT                                                                         \
    {                                                                                              \
        sizeof(reprise_batch_options), NULL, 0, -1e300, 1e300, INT64_MIN, INT64_MAX, false, false, \
            false, 0                                                                               \
    }

/*
 * Opens one track for reading in batches. The columns are those of the format's schema, so that
 * files of different layouts give the same columns; one that this layout lacks is null in every
 * row. A name that the schema does not list is REPRISE_E_USAGE.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_batches_open(reprise_replay *replay, size_t track, const reprise_batch_options *options,
                     reprise_batches **ret_batches, reprise_error *error);
/*
 * The next batch, valid until the next call. REPRISE_END after the last one. If the file is cut
 * short or damaged, all complete rows come first, then REPRISE_E_TRUNCATED or REPRISE_E_CORRUPT.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_batches_next(reprise_batches *batches,
                                                                 const reprise_batch **ret_batch,
                                                                 reprise_error *error);
REPRISE_API void reprise_batches_close(reprise_batches *batches);

/* ---- 6.2  rows one by one ---- */

typedef struct reprise_rows reprise_rows;

/* Which rows. Initialise with REPRISE_ROWS_INIT; all bounds are inclusive. */
typedef struct reprise_rows_options {
    size_t struct_size;
    uint64_t tracks;  /* bit per track; 0 means all */
    double time_from; /* seconds */
    double time_to;
    int64_t index_from; /* frame or tick */
    int64_t index_to;
    bool every_frame; /* also rows of objects that did not change */
    bool linear; /* with every_frame: interpolate values that a frame leaves out; some formats */
} reprise_rows_options;
#define REPRISE_ROWS_INIT                                                                  \
    {                                                                                      \
        sizeof(reprise_rows_options), 0, -1e300, 1e300, INT64_MIN, INT64_MAX, false, false \
    }

/*
 * Reads rows one by one. Every row is complete: a field that the file leaves out because it did not
 * change holds its last value, and reprise_row_stored tells whether this row stores it. Memory
 * stays bounded. Opening rows may settle the layout: look up columns after that.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_rows_open(reprise_replay *replay,
                                                              const reprise_rows_options *options,
                                                              reprise_rows **ret_rows,
                                                              reprise_error *error);
/*
 * Steps to the next row, which is valid until the next call. REPRISE_END after the last one. If the
 * file is cut short or damaged, all complete rows come first, then REPRISE_E_TRUNCATED or
 * REPRISE_E_CORRUPT.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_rows_next(reprise_rows *rows,
                                                              reprise_error *error);
REPRISE_API void reprise_rows_close(reprise_rows *rows);

/*
 * The current row. Columns are numbered as by reprise_column_at of the row's track. Nulls are 0 as
 * numbers and NULL as text. Before the first row and after the last the track is SIZE_MAX, and
 * everything is null.
 */
REPRISE_API size_t reprise_row_track(const reprise_rows *rows);
REPRISE_API int64_t reprise_row_index(const reprise_rows *rows); /* frame or tick */
REPRISE_API double reprise_row_time(const reprise_rows *rows);
REPRISE_API bool reprise_row_stored(const reprise_rows *rows, size_t column);
REPRISE_API bool reprise_row_null(const reprise_rows *rows, size_t column);
REPRISE_API int64_t reprise_row_int(const reprise_rows *rows, size_t column);
REPRISE_API double reprise_row_double(const reprise_rows *rows, size_t column);
/* Text and bytes columns, and the names of enums; NULL where there is none. */
REPRISE_API const char *reprise_row_text(const reprise_rows *rows, size_t column, size_t *ret_size);

typedef enum reprise_row_style {
    REPRISE_ROW_JSON, /* one JSON object, then a line feed */
    REPRISE_ROW_CSV,
} reprise_row_style;

/*
 * Formats the current row as text. `columns` selects and orders the columns (NULL: all). The text
 * belongs to the rows handle and is valid until the next call.
 */
typedef struct reprise_row_text_options {
    size_t struct_size;
    reprise_row_style style;
    const size_t *columns;
    size_t column_count;
    bool with_track;  /* JSON: a member "track" first */
    bool with_stored; /* JSON: a member "stored", names of the columns this row stores */
    const char *file; /* a member or a column "file" before all others; NULL: none */
} reprise_row_text_options;
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_row_format(reprise_rows *rows, const reprise_row_text_options *options,
                   const char **ret_text, size_t *ret_size, reprise_error *error);

/*
 * Prints rows through a sink, as text as above. If the options of the replay allow two or more
 * threads, others format rows while the caller reads on; the sink is called by the caller's thread
 * alone, in the order of the rows.
 *
 *     reprise_printer_open(replay, NULL, &sink, &printer, &error);
 *     while (reprise_rows_next(reprise_printer_rows(printer), &error) == REPRISE_OK)
 *         reprise_printer_row(printer, &error);
 *     reprise_printer_end(printer, &error);
 */
typedef struct reprise_printer reprise_printer;
/* The sink is copied; its context must outlive the printer. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_printer_open(reprise_replay *replay,
                                                                 const reprise_rows_options *rows,
                                                                 const reprise_sink *sink,
                                                                 reprise_printer **ret_printer,
                                                                 reprise_error *error);
/* The rows to read. They belong to the printer; do not close them. */
REPRISE_API reprise_rows *reprise_printer_rows(const reprise_printer *printer);
/* How rows of a track are formatted, else JSON with all columns. The style is copied. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_printer_set_style(reprise_printer *printer, size_t track,
                          const reprise_row_text_options *style, reprise_error *error);
/* Prints the current row. Text reaches the sink then or later. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_printer_row(reprise_printer *printer,
                                                                reprise_error *error);
/* Gives the sink everything printed so far. Call it after the last row, also before damage. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_printer_end(reprise_printer *printer,
                                                                reprise_error *error);
/* The number of rows that the sink was given. */
REPRISE_API uint64_t reprise_printer_count(const reprise_printer *printer);
REPRISE_API void reprise_printer_close(reprise_printer *printer);

/* ---- 7  operations ------------------------------------------------------------------------- */

/* The document that an operation returns is valid until the next operation on the same replay. */

/*
 * A moment: seconds, or a frame or tick number. With `by_run` the seconds are those on the timer of
 * the run, which stops in pauses; only for games that have runs.
 */
typedef struct reprise_moment {
    bool by_index;
    double time;
    int64_t index;
    bool by_run;
} reprise_moment;

/*
 * The complete state at a moment: the last frame at or before a time, or exactly that frame.
 * Schema: docs/json/at.schema.json.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_at(reprise_replay *replay,
                                                       reprise_moment moment,
                                                       const reprise_value **ret_state,
                                                       reprise_error *error);

/* Statistics, recorded ones apart from derived ones. Reads the complete replay. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_stats(reprise_replay *replay,
                                                          const reprise_value **ret_stats,
                                                          reprise_error *error);

/*
 * A replay in one line: an object with the columns that reprise_schema lists as "summary", null
 * where the file does not say. Columns that follow from statistics are null unless `complete`,
 * which reads the complete replay; damage leaves them null and is not a failure.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_summary(reprise_replay *replay, bool complete,
                                                            const reprise_value **ret_summary,
                                                            reprise_error *error);

typedef enum reprise_severity {
    REPRISE_NOTE,    /* worth knowing */
    REPRISE_WARNING, /* against the format's rules, or something is missing */
    REPRISE_FAULT,   /* damaged */
} reprise_severity;

typedef struct reprise_finding {
    reprise_severity severity;
    const char *id; /* "rumble.frame-size"; stable, all are listed in docs/errors.md */
    const char *stream;
    uint64_t offset;
    const char *path;
    const char *message;
    uint64_t count;        /* how often; the place is that of the first of the worst ones */
    reprise_status status; /* kind of damage: of every fault, and of a warning about skipped data;
                              else REPRISE_OK */
} reprise_finding;

/*
 * Reads everything and checks all checksums, bounds and rules. Findings are passed to `finding` in
 * order and are valid until the next call of reprise_verify. Faults in the file are findings, not
 * errors: the status is REPRISE_OK unless checking itself failed. `finding` and `summary` may be
 * NULL.
 */
typedef struct reprise_verify_summary {
    uint64_t notes, warnings, faults;
    reprise_severity severity;     /* of the worst finding; REPRISE_NOTE also if there is none */
    reprise_status worst;          /* the status of the first fault, else REPRISE_OK */
    const reprise_value *document; /* rows per track, digests and findings; until the next answer */
} reprise_verify_summary;
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_verify(reprise_replay *replay, void (*finding)(void *ctx, const reprise_finding *finding),
               void *ctx, reprise_verify_summary *summary, reprise_error *error);

/*
 * Whether reading skipped something damaged instead of failing: one item, or everything after the
 * place where a file is cut. *ret_damage, which may be NULL, then says where and why.
 */
REPRISE_API bool reprise_damage(const reprise_replay *replay, reprise_error *ret_damage);

/* How large each part is, decompressed: an array of objects {name, size}. Reads everything. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_sizes(reprise_replay *replay,
                                                          const reprise_value **ret_sizes,
                                                          reprise_error *error);

/* Blobs: archive members, voices, thumbnails. Their names are as stored and not safe as paths. */
typedef struct reprise_blob {
    const char *name;
    const char *kind; /* "voice", "manifest", "stream", "map", "rules", "other" ... */
    uint64_t size;
    uint64_t stored_size;
    bool guarded;       /* a game would load it: see reprise_extract */
    const char *barred; /* why it cannot be read, or NULL */
} reprise_blob;
/* May have to read the file to count them; 0 if it is damaged there. */
REPRISE_API size_t reprise_blob_count(const reprise_replay *replay);
REPRISE_API const reprise_blob *reprise_blob_at(const reprise_replay *replay, size_t index);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_blob_read(reprise_replay *replay, size_t index,
                                                              const reprise_sink *sink,
                                                              reprise_error *error);

/*
 * Writes blobs as files into a new directory that only the user may enter; it is removed if
 * anything fails. Names that would lead out of it, or name a device on some system, are refused one
 * by one. Guarded blobs (maps, rules, states that a stranger put into a replay) need consent,
 * except a map named by a state that is signed with a trusted key. Scripts are never written.
 */
typedef struct reprise_extract_options {
    size_t struct_size;
    const char *directory;    /* created; must not exist */
    const char *const *kinds; /* of blobs; NULL: all */
    size_t kind_count;
    bool allow_guarded; /* consent given in advance */
    /* Asks for consent; NULL: no consent. `about` has the members origin and files. */
    bool (*consent)(void *ctx, const reprise_value *about);
    void *consent_ctx;
} reprise_extract_options;
#define REPRISE_EXTRACT_INIT                                              \
    {                                                                     \
        sizeof(reprise_extract_options), NULL, NULL, 0, false, NULL, NULL \
    }
/* Schema: docs/json/extract.schema.json. A replay with nothing to write is REPRISE_E_UNSUPPORTED.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_extract(reprise_replay *replay,
                                                            const reprise_extract_options *options,
                                                            const reprise_value **ret_report,
                                                            reprise_error *error);

/* ---- 8  the library itself ----------------------------------------------------------------- */

REPRISE_API const char *reprise_version(void);     /* "0.1.0" */
REPRISE_API unsigned reprise_version_number(void); /* as REPRISE_VERSION_NUMBER */

/* The formats and schemas this build knows, as documents owned by the library handle. */
typedef struct reprise_library reprise_library;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_library_new(reprise_library **ret_library,
                                                                reprise_error *error);
REPRISE_API void reprise_library_free(reprise_library *library);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_formats(reprise_library *library,
                                                            const reprise_value **ret_formats,
                                                            reprise_error *error);
/*
 * The schema of one format: every track with all its columns and types, whatever the layout, and
 * the records they are made of. Needs no file.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_schema(reprise_library *library,
                                                           const char *format,
                                                           const reprise_value **ret_schema,
                                                           reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
