/*
 * reprise.h - open, read, check and search game replays.
 *
 * This header is the manual. Read it from top to bottom once; the parts are
 *
 *   1  status and error        what every call returns
 *   2  options                 limits, allocator, cancellation
 *   3  sources and sinks       where bytes come from and go to
 *   4  values                  documents: metadata, statistics, findings
 *   5  replays                 open, describe, close
 *   6  tracks and rows         typed tables, one row after the other
 *   7  operations              at, stats, verify, blobs
 *   8  writing                 record, convert, trim, anonymize, recover, compare
 *   9  foreign replays         orders of other engines in one form
 *  10  scenes                  what can be seen, as glTF, timelines and plots
 *  11  the library itself      formats, record tables, version
 *
 * The shortest useful program:
 *
 *     reprise_replay *replay = NULL;
 *     reprise_error   error  = REPRISE_ERROR_INIT;
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
 * reprise_error can serve many calls; NULL means that the caller does not want to know. A missing
 * argument is REPRISE_E_USAGE, or 0 or NULL from a function that cannot fail. Pointers returned as
 * const belong to the handle they came from and live as long as it does. A child (rows, a scene, a
 * player) keeps its replay open, so handles may be closed in any order. Handles are not
 * thread-safe, but two handles share nothing, so every thread may have its own. There is no global
 * state and errno means nothing. Every *_close and *_free accepts NULL.
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

#define REPRISE_VERSION "0.1.0"

/* ---- 1  status and error ------------------------------------------------------------------- */

/* The numbers are pinned: new ones go at the end of their range. */
typedef enum reprise_status {
    REPRISE_OK = 0,
    REPRISE_END = 1, /* no more rows; not a failure */

    REPRISE_E_IO = 10,        /* the source or sink failed */
    REPRISE_E_NOMEM = 11,     /* the allocator returned NULL */
    REPRISE_E_LIMIT = 12,     /* a limit of reprise_limits was reached; the message names it */
    REPRISE_E_CANCELLED = 13, /* reprise_options.progress asked to stop */

    REPRISE_E_UNRECOGNIZED = 20, /* no format claims these bytes */
    REPRISE_E_AMBIGUOUS = 21,    /* several do, equally; the message lists them */
    REPRISE_E_UNSUPPORTED = 22,  /* recognised, but this layout or version is not read or written */

    REPRISE_E_TRUNCATED = 30, /* the data ends too early */
    REPRISE_E_CORRUPT = 31,   /* the data contradicts itself or its format */
    REPRISE_E_CHECKSUM = 32,
    REPRISE_E_SIGNATURE = 33,

    REPRISE_E_LOSSY = 40, /* the target cannot hold what the source has */

    REPRISE_E_USAGE = 50, /* the caller passed something that makes no sense */
} reprise_status;

/*
 * Says what went wrong and where, after a call that failed; after any other it is clean. The caller
 * owns it, nothing is allocated.
 */
typedef struct reprise_error {
    reprise_status status;
    int32_t cause;     /* errno or a codec's own code, 0 if none */
    uint64_t offset;   /* byte in the innermost stream */
    char stream[64];   /* "file", "zip:replay", "gzip" */
    char path[96];     /* frames[12].entries[3].rotation */
    char message[192]; /* need 16 bytes, 9 left */
    char hint[96];     /* what to try next, or empty */
} reprise_error;

#define REPRISE_ERROR_INIT               \
    {                                    \
        REPRISE_OK, 0, 0, {0}, {0}, {0}, \
        {                                \
            0                            \
        }                                \
    }
#define REPRISE_ERROR_TEXT_MAX 640

/* One word per status, stable: "ok", "truncated", "limit" ... */
REPRISE_API const char *reprise_status_name(reprise_status status);

/* "match.replay: zip:replay+0x1a2c: frames[12]: need 16 bytes, 9 left". Returns `to`. */
REPRISE_API const char *reprise_error_text(const reprise_error *error, const char *name, char *to,
                                           size_t size);

/* ---- 2  options ---------------------------------------------------------------------------- */

/*
 * What a hostile or damaged file may cost. All finite; hitting one is REPRISE_E_LIMIT.
 *
 * Three follow from the size of the input where they are 0, so that a small file cannot cost much:
 * memory is 48 MiB + 16 times the input (with the program itself less than 64 MiB + 16 times),
 * output is 1 GiB + 1000 times the input, ticks are 900 000 + 16 for each byte of the input.
 */
typedef struct reprise_limits {
    uint64_t input_bytes_max;     /* size of the input: 4 GiB */
    uint64_t decoded_bytes_max;   /* what one compressed stream may expand to: 2 GiB */
    uint64_t expansion_ratio_max; /* decoded : stored, checked above 16 MiB: 1000 */
    uint64_t memory_bytes_max;    /* all that one replay may hold allocated: 0, see above */
    uint64_t zip_entries_max;     /* 100 000 */
    uint64_t string_bytes_max;    /* one string: 16 MiB */
    uint64_t record_bytes_max;    /* one frame or record: 16 MiB */
    uint64_t text_bytes_max;      /* one metadata document: 16 MiB */
    uint64_t material_bytes_max;  /* one material of a scene: 1 MiB */
    uint64_t items_max;           /* one list: 16 Mi */
    uint64_t depth_max;           /* nesting: 64 */
    uint64_t output_bytes_max;    /* one result, or the rows of one reading: 0, see above */
    uint64_t ticks_max;           /* of a match whose orders are played or imported: 0, see above */
} reprise_limits;

/* The defaults above. */
REPRISE_API reprise_limits reprise_limits_default(void);

/* Sets a limit by its name without "_max" ("zip_entries"); false if there is none of that name. */
REPRISE_API bool reprise_limits_set(reprise_limits *limits, const char *name, uint64_t value);

/* All three get the caller's ctx. realloc is told the old size; free is told the size. */
typedef struct reprise_allocator {
    void *(*alloc)(void *ctx, size_t size);
    void *(*realloc)(void *ctx, void *old, size_t old_size, size_t size);
    void (*free)(void *ctx, void *old, size_t size);
    void *ctx;
} reprise_allocator;

/* Which Iron Curtain replays reprise_verify plays again, if a simulation of the game is at hand. */
typedef enum reprise_simulating {
    REPRISE_SIMULATE_SIGNED, /* what is signed, unless that takes very long */
    REPRISE_SIMULATE_ALL,
    REPRISE_SIMULATE_NEVER,
} reprise_simulating;

typedef struct reprise_options {
    size_t struct_size; /* sizeof(reprise_options): lets the struct grow */
    reprise_limits limits;
    const reprise_allocator *allocator; /* NULL: libc */
    const char *format;                 /* NULL: recognise by content */
    const char *layout;                 /* NULL: recognise; else take this layout as given */
    /* Called now and then with work done and to do (0: unknown); return false to stop. */
    bool (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    bool salvage; /* damaged or unfinished: give every frame that is whole, see reprise_recover */
    /* Ed25519 public keys of 32 bytes, one after the other, that signatures may be trusted by. */
    const uint8_t *trusted_keys;
    size_t trusted_key_count;
    /* Plays orders again where states are not stored; NULL: the built-in game. See live.h. */
    const struct reprise_ic_simulation *simulation;
    reprise_simulating simulate; /* when reprise_verify replays orders and compares states */
    /*
     * How many threads may work on the replay, the caller's own among them; 0 and 1: no other. With
     * more, allocator and source are called from any of them, perhaps at once.
     */
    unsigned threads;
} reprise_options;

/* Fills in the defaults. */
REPRISE_API void reprise_options_init(reprise_options *options);

/* ---- 3  sources and sinks ------------------------------------------------------------------ */

/* Where bytes come from. Reading past the end gives fewer bytes; short reads are fine anywhere. */
typedef struct reprise_source {
    void *ctx;
    uint64_t size;
    /* Reads up to `size` bytes at `offset`. Returns how many, 0 at the end, or -errno. */
    int64_t (*read)(void *ctx, uint64_t offset, void *to, size_t size);
    void (*close)(void *ctx); /* may be NULL */
} reprise_source;

/* Where bytes go: returns 0, or an errno that stops the operation. */
typedef struct reprise_sink {
    void *ctx;
    int (*write)(void *ctx, const void *data, size_t size);
} reprise_sink;

/*
 * Bytes that are written piece by piece and can be read meanwhile: what a recorder needs where
 * there are no files. Calls come from the recorder's own thread, one at a time.
 */
typedef struct reprise_storage {
    void *ctx;
    /* Writes up to `size` bytes at `offset`. Returns how many, or -errno. */
    int64_t (*write)(void *ctx, uint64_t offset, const void *data, size_t size);
    /* As reprise_source.read. */
    int64_t (*read)(void *ctx, uint64_t offset, void *to, size_t size);
    int (*sync)(void *ctx); /* 0 or errno; may be NULL */
} reprise_storage;

/* ---- 4  values ----------------------------------------------------------------------------- */

/*
 * A document: what JSON can say, with exact 64-bit integers and the original text of numbers.
 * Metadata, statistics and states come as values, so they are printed, compared and searched the
 * same way for every format.
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

/* Text or bytes, lists and choices as structs of a format have them; see
 * reprise/ironcurtain/codec.h. */
typedef struct reprise_text {
    const char *data; /* NULL when it was never set */
    size_t size;
} reprise_text;
typedef struct reprise_list {
    void *items;
    size_t count;
} reprise_list;
typedef struct reprise_choice {
    uint32_t variant;
    void *value; /* NULL for a variant without content */
} reprise_choice;

typedef enum reprise_json_style {
    REPRISE_JSON_COMPACT,
    REPRISE_JSON_PRETTY, /* two spaces, line feeds */
} reprise_json_style;

/*
 * Writes a value as JSON. Integers beyond 32 bits are written as strings, because most readers of
 * JSON round them; NaN and infinities are the strings "NaN", "Infinity" and "-Infinity".
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_value_write(const reprise_value *value,
                                                                reprise_json_style style,
                                                                const reprise_sink *sink,
                                                                reprise_error *error);

/* ---- 5  replays ---------------------------------------------------------------------------- */

typedef struct reprise_replay reprise_replay;

/*
 * Opens a replay by its content; the name of the file decides nothing. Reads metadata only, so it
 * is fast for any length. `options` may be NULL. Memory must stay valid until reprise_close.
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
/* Reads a pipe or terminal to its end first, within limits.input_bytes_max. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_open_pipe(int fd,
                                                              const reprise_options *options,
                                                              reprise_replay **ret_replay,
                                                              reprise_error *error);
REPRISE_API void reprise_close(reprise_replay *replay);

REPRISE_API const char *reprise_format(const reprise_replay *replay); /* "rumble" */
REPRISE_API const char *reprise_layout(const reprise_replay *replay); /* "z6" */

/*
 * What this is: format, layout, people, map, length, sizes of parts, private data, warnings found
 * so far. Built on first use. Decodes a whole match only where no header tells how long it is.
 * Schema: docs/json/info.schema.json.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_info(reprise_replay *replay,
                                                         const reprise_value **ret_info,
                                                         reprise_error *error);

/*
 * How long the recording is, in seconds: the `duration` of every document, which docs/design.md
 * defines for each format. Of a damaged replay it is the length of what can be read, unless its
 * header tells. NaN for files without a length, such as proofs.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_duration(reprise_replay *replay,
                                                             double *ret_seconds,
                                                             reprise_error *error);

/* ---- 6  tracks and rows -------------------------------------------------------------------- */

/* A track is a table: rows in time order, typed columns. */
typedef enum reprise_type {
    REPRISE_TYPE_BOOL,
    REPRISE_TYPE_INT, /* signed or unsigned up to 32 bits, and signed 64 */
    REPRISE_TYPE_UINT64,
    REPRISE_TYPE_FLOAT,
    REPRISE_TYPE_DOUBLE,
    REPRISE_TYPE_TEXT,
    REPRISE_TYPE_BYTES,
    REPRISE_TYPE_ENUM, /* a number with a name; unknown numbers have none */
    REPRISE_TYPE_LIST, /* a list or nested record, as a document */
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
REPRISE_API size_t reprise_column_count(const reprise_replay *replay, size_t track);
REPRISE_API const reprise_column *reprise_column_at(const reprise_replay *replay, size_t track,
                                                    size_t column);

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
    /*
     * With every_frame: what a frame leaves out lies on a line between the values before and
     * behind, instead of holding the one before. Only for formats that leave values out.
     */
    bool linear;
} reprise_rows_options;
#define REPRISE_ROWS_INIT                                                                  \
    {                                                                                      \
        sizeof(reprise_rows_options), 0, -1e300, 1e300, INT64_MIN, INT64_MAX, false, false \
    }

/*
 * Walks rows. Every row is complete: fields the file left out because they did not change hold
 * their last value, and reprise_row_stored tells the difference. Memory stays bounded. A few
 * layouts can be told apart only by reading everything: ask for columns after opening rows.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_rows_open(reprise_replay *replay,
                                                              const reprise_rows_options *options,
                                                              reprise_rows **ret_rows,
                                                              reprise_error *error);
/*
 * Steps to the next row. REPRISE_END after the last one. On an error all complete rows have been
 * given already. The row is valid until the next call.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_rows_next(reprise_rows *rows,
                                                              reprise_error *error);
REPRISE_API void reprise_rows_close(reprise_rows *rows);

/*
 * The current row. Columns are numbered as by reprise_column_at of the row's track. Before the
 * first row and after the last the track is SIZE_MAX, everything is null, and numbers are 0.
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
 * Formats rows as text. `columns` selects and orders them (NULL: all). The text belongs to the rows
 * handle and is valid until the next call.
 */
typedef struct reprise_row_text_options {
    size_t struct_size;
    reprise_row_style style;
    const size_t *columns;
    size_t column_count;
    bool with_track;  /* JSON: a member "track" first */
    bool with_stored; /* JSON: a member "stored", names of the columns this row stores */
    const char *file; /* JSON: a member "file" before all others; NULL: none */
} reprise_row_text_options;
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_row_format(reprise_rows *rows, const reprise_row_text_options *options,
                   const char **ret_text, size_t *ret_size, reprise_error *error);

/* ---- 7  operations ------------------------------------------------------------------------- */

/* The document of reprise_at, reprise_stats and reprise_verify lives until the next of these. */

/*
 * A moment: by seconds, or by frame or tick number. With `by_run` the seconds are those on the
 * timer of the run, for games that have runs: pauses do not count.
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

/* The numbers people ask for, recorded ones apart from derived ones. Reads the whole replay. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_stats(reprise_replay *replay,
                                                          const reprise_value **ret_stats,
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
    reprise_status status; /* kind of damage: always of a fault, and of a warning about something
                              that is left out; else REPRISE_OK */
} reprise_finding;

/*
 * Reads everything and checks all checksums, bounds and rules. Findings are given in order; what
 * they point to lives until the next call of reprise_verify. Returns REPRISE_OK also when faults
 * were found, and an error only when checking itself could not go on. `summary` may be NULL.
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
 * Whether reading came to a damaged place that was left out instead of failing: one thing that was
 * skipped, or everything after the place where a file is cut. *ret_damage, which may be NULL, then
 * says where and why. What was read before reaching such a place is whole.
 */
REPRISE_API bool reprise_damage(const reprise_replay *replay, reprise_error *ret_damage);

/*
 * Where the bytes go, decompressed, like du: an array of objects {name, size}. Reads the whole
 * replay.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_sizes(reprise_replay *replay,
                                                          const reprise_value **ret_sizes,
                                                          reprise_error *error);

/* Blobs: archive members, voices, thumbnails. Their names are as stored and not safe as paths. */
typedef struct reprise_blob {
    const char *name;
    const char *kind; /* "voice", "manifest", "stream", "map", "rules", "other" ... */
    uint64_t size;
    uint64_t stored_size;
    bool guarded;       /* a game would use it: see reprise_extract */
    const char *barred; /* why it is never given, or NULL */
} reprise_blob;
/* A format may have to look into the file to count them; damage there gives none. */
REPRISE_API size_t reprise_blob_count(const reprise_replay *replay);
REPRISE_API const reprise_blob *reprise_blob_at(const reprise_replay *replay, size_t index);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_blob_read(reprise_replay *replay, size_t index,
                                                              const reprise_sink *sink,
                                                              reprise_error *error);

/*
 * Writes blobs as files into a new directory that only the user may enter; it is gone again when
 * anything fails. Names that would lead out of it, or mean a device somewhere, are refused one by
 * one. What is guarded (maps, rules, states that a stranger put into a replay) needs consent, but a
 * map that a state signed by one of options.trusted_keys names. Scripts are never written.
 */
typedef struct reprise_extract_options {
    size_t struct_size;
    const char *directory;    /* is made; must not exist */
    const char *const *kinds; /* of blobs; NULL: all */
    size_t kind_count;
    bool allow_guarded; /* consent, given beforehand */
    /* Asks for it; NULL: no. `about` has the members origin and files. */
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

/* ---- 8  writing ---------------------------------------------------------------------------- */

/*
 * Every operation writes a new file; nothing is changed in place. A result appears whole or not at
 * all: what fails, is cancelled or killed leaves no file and no temporary file behind. The same
 * input always gives the same bytes.
 */

/* Levels of compression: a codec's own number from 0 on, or one of these. */
enum {
    REPRISE_LEVEL_DEFAULT = -1,
    REPRISE_LEVEL_FASTEST = -2,
    REPRISE_LEVEL_BALANCED = -3,
    REPRISE_LEVEL_COMPACT = -4,
};

/* Where a result goes and how it is written. Initialise with REPRISE_WRITE_INIT. */
typedef struct reprise_write_options {
    size_t struct_size;
    const char *path;         /* a file, or NULL: */
    const reprise_sink *sink; /* gets everything at once, when it is complete and proven */
    bool replace;             /* an existing file */
    bool lossy;               /* go on although the layout cannot hold everything */
    int level;
    const char *layout; /* NULL: the source's where it is written, else the format's default */
    bool long_range;    /* look for repetitions far back: formats that use zstd */
    bool dry_run;       /* do everything, prove it, and keep nothing; needs no path and no sink */
    uint32_t mode;      /* permissions of the file, before the mask; 0: those of any new file */
} reprise_write_options;
#define REPRISE_WRITE_INIT                                                                    \
    {                                                                                         \
        sizeof(reprise_write_options), NULL, NULL, false, false, REPRISE_LEVEL_DEFAULT, NULL, \
            false, false, 0                                                                   \
    }

/*
 * Operations tell what they did in a report, which lives until the next answer of the replay:
 * layouts, sizes, and as texts what the layout cannot hold ("losses"), what nobody understands and
 * is gone ("dropped"), and what is worth knowing ("notes").
 */

/*
 * Writes a replay in another layout (NULL: the format's default one). What the layout cannot hold
 * is found out before anything is written: then the status is REPRISE_E_LOSSY unless options.lossy
 * is set, and the report lists it all the same.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_convert(reprise_replay *replay,
                                                            const reprise_write_options *options,
                                                            const reprise_value **ret_report,
                                                            reprise_error *error);

/*
 * The same content at another level, compared with the original before it appears. With
 * REPRISE_LEVEL_DEFAULT it is as small as it gets, and a file that was compressed better is kept as
 * it was; with any other level a result may be larger than the original. Both have a note.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_recompress(reprise_replay *replay,
                                                               const reprise_write_options *options,
                                                               const reprise_value **ret_report,
                                                               reprise_error *error);

/*
 * One end of a range: nothing (open), seconds, frame or tick, the name of a marker, or so many
 * seconds behind the same end of the run (before it, if negative).
 */
typedef enum reprise_bound_kind {
    REPRISE_BY_NOTHING,
    REPRISE_BY_TIME,
    REPRISE_BY_INDEX,
    REPRISE_BY_MARKER,
    REPRISE_BY_RUN,
} reprise_bound_kind;
typedef struct reprise_bound {
    reprise_bound_kind by;
    double time;
    int64_t index;
    const char *marker;
} reprise_bound;

/*
 * Keeps the frames of a range, both ends included. The first one gets the complete state; times
 * start at 0 again unless `keep_times`.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_trim(reprise_replay *replay, reprise_bound from,
                                                         reprise_bound to, bool keep_times,
                                                         const reprise_write_options *options,
                                                         const reprise_value **ret_report,
                                                         reprise_error *error);

/* Kinds of private data. */
enum {
    REPRISE_PRIVATE_NAMES = 1 << 0,
    REPRISE_PRIVATE_CHAT = 1 << 1,
    REPRISE_PRIVATE_VOICE = 1 << 2,
    REPRISE_PRIVATE_IDS = 1 << 3, /* of accounts and of the recording */
    REPRISE_PRIVATE_ADDRESSES = 1 << 4,
    REPRISE_PRIVATE_TIMES = 1 << 5,      /* when it was recorded */
    REPRISE_PRIVATE_LOOKS = 1 << 6,      /* cosmetics */
    REPRISE_PRIVATE_CONTENT = 1 << 7,    /* custom maps, members nobody knows */
    REPRISE_PRIVATE_EXTENSIONS = 1 << 8, /* what other mods put in */
    REPRISE_PRIVATE_ALL = (1 << 9) - 1,
    REPRISE_PRIVATE_MARKS = 1 << 9, /* pings and drawings on the map: only when asked for */
    /* With CHAT: of chat only what was not meant for everybody, in formats that tell. */
    REPRISE_PRIVATE_WHISPERS = 1 << 10,
};

/*
 * Removes private data. The result is searched, decompressed, for everything that was removed, as
 * UTF-8 and UTF-16, and read again for rows and values that should be gone; it is kept only if
 * nothing is found. What data may hold by chance, such as a name of three letters, is compared with
 * every text of the result instead. The report says what was "removed" and "kept", by kind and with
 * counts, what is "unproven" (texts that no program can judge), the SHA-256 of "input" and
 * "output", and has the table of "substitutions" {what, from, to}, which is for the owner alone.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_anonymize(reprise_replay *replay, uint32_t what,
                                                              const reprise_write_options *options,
                                                              const reprise_value **ret_report,
                                                              reprise_error *error);

/*
 * Writes what a damaged or unfinished file still holds as a sound one, which is verified before it
 * appears. The replay must have been opened with options.salvage. "lost" in the report says what is
 * gone; an undamaged file loses nothing.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_recover(reprise_replay *replay,
                                                            const reprise_write_options *options,
                                                            const reprise_value **ret_report,
                                                            reprise_error *error);

/*
 * Several recordings of one match as one, on the timeline of the first, whose frames come before
 * those of the others. Objects that are the same are found out. offsets[i] is when the ith begins
 * on that timeline; NaN, or NULL for all, finds it by the motion of players both know. The report
 * says who became whom; it belongs to the first.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_merge(reprise_replay *const *replays,
                                                          size_t count, const double *offsets,
                                                          const reprise_write_options *options,
                                                          const reprise_value **ret_report,
                                                          reprise_error *error);

/* Initialise with REPRISE_DIFF_INIT. */
typedef struct reprise_diff_options {
    size_t struct_size;
    double float_tolerance;    /* numbers this close are equal */
    double rotation_tolerance; /* per component, up to the sign of all four */
    bool storage;              /* also compare how things are stored: sizes, members */
} reprise_diff_options;
#define REPRISE_DIFF_INIT                             \
    {                                                 \
        sizeof(reprise_diff_options), 0.0, 0.0, false \
    }

/*
 * What differs between two replays of one format: metadata by path, tracks by row and field. The
 * report belongs to `a`.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_diff(reprise_replay *a, reprise_replay *b,
                                                         const reprise_diff_options *options,
                                                         bool *ret_equal,
                                                         const reprise_value **ret_report,
                                                         reprise_error *error);

/*
 * Recording a new replay. The tracks and columns are those reprise_schema lists; rows are given
 * frame by frame:
 *
 *     reprise_writer_begin("rumble", "{\"Scene\":\"Gym\",\"Players\":[{...}]}", &options, NULL,
 * ...); for each frame: reprise_writer_row(writer, frames, 0, time, &error);
 *         reprise_writer_row(writer, players, 0, time, &error);
 *         reprise_writer_set_double(writer, rig_pos_x, x, &error);
 *         reprise_writer_step(writer, &error);
 *     reprise_writer_end(writer, &error);
 *     reprise_writer_close(writer);
 *
 * A row of an object that keeps its state starts with that state, so only changes need be set. What
 * can be computed (counts, durations, ids) is filled in. Memory stays bounded, except for formats
 * whose files are not in the order of time (CS2KZ, OpenRA, Minecraft): their rows are kept until
 * the end, within the limit memory_bytes.
 *
 * A Minecraft scene has a row of entities, with its parts and its file, for every entity that has
 * frames; materials are given by their `source`, textures as blobs ("tex/wool.png", those of the
 * world "world.vcap/tex/dirt.png").
 *
 * RUMBLE, CS2KZ, OpenRA, classic recordings, Minecraft scenes and cameras are written. Iron Curtain
 * is REPRISE_E_UNSUPPORTED: it has recorders of its own in reprise/ironcurtain/live.h.
 */
typedef struct reprise_writer reprise_writer;

/* `metadata` is JSON text in the shape of the "header" member of reprise_info. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_begin(
    const char *format, const char *metadata, const reprise_write_options *options,
    const reprise_options *limits, reprise_writer **ret_writer, reprise_error *error);
/* The number of a track or column, or -1. */
REPRISE_API int reprise_writer_track(const reprise_writer *writer, const char *name);
REPRISE_API int reprise_writer_column(const reprise_writer *writer, int track, const char *name);
/* Begins a row; `object` is 0 where the track has none. The setters then fill it in. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_row(reprise_writer *writer, int track,
                                                               uint32_t object, double time,
                                                               reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_set_int(reprise_writer *writer,
                                                                   int column, int64_t value,
                                                                   reprise_error *error);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_set_double(reprise_writer *writer,
                                                                      int column, double value,
                                                                      reprise_error *error);
/* Text, bytes, or the name of an enum's value. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_set_text(reprise_writer *writer,
                                                                    int column, const char *text,
                                                                    size_t size,
                                                                    reprise_error *error);
/*
 * Any column from JSON, as reprise_row_format shows it: lists, nested records, numbers of 64 bits
 * as text.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_set_value(reprise_writer *writer,
                                                                     int column, const char *json,
                                                                     size_t size,
                                                                     reprise_error *error);
/*
 * The frame or tick of the rows to come. Without it steps count from 0; it must precede the first
 * row of its step.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_at(reprise_writer *writer, int64_t index,
                                                              reprise_error *error);
/* Hands over the rows of one frame or tick, which may have been given in any order. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_step(reprise_writer *writer,
                                                                reprise_error *error);
/* A blob, after all rows. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_blob(reprise_writer *writer,
                                                                const char *name, const void *data,
                                                                size_t size, reprise_error *error);
/*
 * Completes the file, reads it back, compares every value that was given and makes it visible.
 * REPRISE_E_LOSSY: the layout does not hold the tracks, columns and members of the metadata that
 * the message names, or the game would not open the result (options.lossy writes the latter all the
 * same); nothing is left behind. Numbers of steps are compared if reprise_writer_at gave them, and
 * times where the format stores them. Columns that no row sets are filled in.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_end(reprise_writer *writer,
                                                               reprise_error *error);
/* Without an end before, nothing is left behind. */
REPRISE_API void reprise_writer_close(reprise_writer *writer);

/* ---- 9  foreign replays -------------------------------------------------------------------- */

/*
 * Recordings of OpenRA and of the classic Command & Conquer games hold orders, not states. This is
 * their common form: who played what, and for every frame the orders that were given, with the
 * words of the source beside ours. It is what an import into another engine starts from.
 */
typedef enum reprise_foreign_kind {
    REPRISE_FOREIGN_UNKNOWN = 0, /* see name and raw */
    REPRISE_FOREIGN_MOVE = 1,
    REPRISE_FOREIGN_ATTACK = 2, /* target is REPRISE_FOREIGN_NONE for an attack on the ground */
    REPRISE_FOREIGN_DEPLOY = 3,
    REPRISE_FOREIGN_PRODUCE = 4,
    REPRISE_FOREIGN_SELL = 5,
    REPRISE_FOREIGN_PLACE_BUILDING = 6,
    REPRISE_FOREIGN_SET_RALLY_POINT = 7,
    REPRISE_FOREIGN_STOP = 8,
    REPRISE_FOREIGN_CHAT = 9,
    REPRISE_FOREIGN_SURRENDER = 10,
    REPRISE_FOREIGN_STANCE = 11, /* count: the stance */
    REPRISE_FOREIGN_REPAIR = 12,
    REPRISE_FOREIGN_POWER_TOGGLE = 13,
    REPRISE_FOREIGN_SUPPORT_POWER = 14,
    REPRISE_FOREIGN_CANCEL_PRODUCTION = 15,
    REPRISE_FOREIGN_PAUSE_PRODUCTION = 16, /* count: 1 pause, 0 resume */
    REPRISE_FOREIGN_GUARD = 17,
    REPRISE_FOREIGN_ENTER = 18,
    REPRISE_FOREIGN_HARVEST = 19,
    REPRISE_FOREIGN_GROUP = 20,
    REPRISE_FOREIGN_BEACON = 21,
    REPRISE_FOREIGN_PAUSE = 22, /* count: 1 pause, 0 resume */
    REPRISE_FOREIGN_PRIMARY_BUILDING = 23,
    REPRISE_FOREIGN_DISCONNECT = 24,
    REPRISE_FOREIGN_KINDS
} reprise_foreign_kind;

#define REPRISE_FOREIGN_NONE UINT32_C(0xFFFFFFFF) /* no target, no unit */
enum {
    REPRISE_FOREIGN_NOBODY = 255,           /* player: spectator or server */
    REPRISE_FOREIGN_SPECTATORS = 0x7FFFFFFF /* team of a chat */
};

typedef struct reprise_foreign_order {
    reprise_foreign_kind kind;
    uint8_t player;        /* index in the list of players, or REPRISE_FOREIGN_NOBODY */
    int32_t client;        /* the source's own number: client id, or house */
    const char *name;      /* the source's own name for the order */
    const uint32_t *units; /* commanded units; buildings for what concerns one */
    size_t unit_count;
    uint32_t target; /* actor, or REPRISE_FOREIGN_NONE */
    bool has_cell;
    int32_t x, y;     /* cell */
    const char *item; /* what is built, the power, the text; NULL without */
    uint32_t count;   /* how many, or the value of the order */
    uint32_t team;    /* chat: 0 all, a team, or REPRISE_FOREIGN_SPECTATORS */
    bool queued;
    const uint8_t *raw; /* the order as stored, without unused bytes */
    size_t raw_size;
} reprise_foreign_order;

typedef struct reprise_foreign_frame {
    int64_t number; /* the source's frame */
    double time;    /* seconds */
    const reprise_foreign_order *orders;
    size_t order_count;
    bool has_hash; /* the source engine's own state hash; means nothing to another */
    uint64_t hash;
} reprise_foreign_frame;

typedef struct reprise_foreign reprise_foreign;

/* Reads the whole replay. REPRISE_E_UNSUPPORTED for formats that are not of this kind. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_foreign_new(reprise_replay *replay,
                                                                reprise_foreign **ret_foreign,
                                                                reprise_error *error);
REPRISE_API void reprise_foreign_free(reprise_foreign *foreign);
/* An object with source, metadata, initial_state and divergence. */
REPRISE_API const reprise_value *reprise_foreign_about(const reprise_foreign *foreign);
/* Frames that have orders or a hash, in order of their number. */
REPRISE_API size_t reprise_foreign_count(const reprise_foreign *foreign);
REPRISE_API const reprise_foreign_frame *reprise_foreign_at(const reprise_foreign *foreign,
                                                            size_t index);
/* "Move", "SetRallyPoint" ...; stable. */
REPRISE_API const char *reprise_foreign_kind_name(reprise_foreign_kind kind);
/* ---- 10  scenes ---------------------------------------------------------------------------- */

/*
 * A replay made visible: a scene that moves (glTF) and a timeline of everything else that has a
 * time axis (markers, plots, tables). Opening reads the replay once, the rest only writes. Geometry
 * and keys are kept in temporary files, so memory stays bounded. The replay must not be read while
 * its scene is open.
 */
typedef struct reprise_scene reprise_scene;

/* Initialise with REPRISE_SCENE_INIT; bounds are inclusive. */
typedef struct reprise_scene_options {
    size_t struct_size;
    uint64_t tracks;  /* what shall be seen, bit per track; 0 means all */
    double time_from; /* seconds of the recording; a scene that is cut starts at 0 again */
    double time_to;
    int64_t index_from; /* frame or tick */
    int64_t index_to;
    double samples_per_s; /* 0: keys at the times of the recording */
    bool exact;           /* keep every key */
    double tolerance_m;   /* how far interpolation between the keys that stay may be off: 0.1 mm */
    double tolerance_deg; /* and 0.01 degrees */
    const char *name;     /* what the replay is called; NULL: its format */
    bool keep_points;     /* also of long series, whose plots show them joined: see below */
    const char *notice;   /* among the timeline's warnings, why this is not all; NULL: it is */
} reprise_scene_options;
#define REPRISE_SCENE_INIT                                                                         \
    {                                                                                              \
        sizeof(reprise_scene_options), 0, -1e300, 1e300, INT64_MIN, INT64_MAX, 0.0, false, 0.0001, \
            0.01, NULL, false, NULL                                                                \
    }

/*
 * A replay that turns out to be damaged is shown as far as it goes: see reprise_scene_damage. A
 * format without anything to see is REPRISE_E_UNSUPPORTED.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_open(reprise_replay *replay,
                                                               const reprise_scene_options *options,
                                                               reprise_scene **ret_scene,
                                                               reprise_error *error);
REPRISE_API void reprise_scene_close(reprise_scene *scene);

/* Counts: nodes, keys before and after reduction, duration. Schema: docs/json/export.schema.json.
 */
REPRISE_API const reprise_value *reprise_scene_about(const reprise_scene *scene);
/* Why the scene ends before the recording does, or NULL. */
REPRISE_API const reprise_error *reprise_scene_damage(const reprise_scene *scene);
/* The timeline as a document. Schema: docs/json/timeline.schema.json. */
REPRISE_API const reprise_value *reprise_scene_timeline(const reprise_scene *scene);

typedef enum reprise_scene_form {
    REPRISE_SCENE_GLB,      /* glTF 2.0, binary, static bytes first */
    REPRISE_SCENE_GLTF,     /* the same as JSON text with the bytes inside */
    REPRISE_SCENE_TIMELINE, /* the timeline as JSON */
} reprise_scene_form;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_write(reprise_scene *scene,
                                                                reprise_scene_form form,
                                                                const reprise_sink *sink,
                                                                reprise_error *error);

/*
 * A series of very many points stands in the timeline as the extremes of some thousand stretches.
 * In a scene that keeps points such a series says where it is whole, "full": "plots/PLOT/SERIES",
 * and this writes it as JSON: name, player, t and v, as in the timeline. REPRISE_E_USAGE: there is
 * no such series, or it is whole already.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_series(reprise_scene *scene,
                                                                 const char *plot, size_t series,
                                                                 const reprise_sink *sink,
                                                                 reprise_error *error);

/* Plots as one SVG picture, one below the other with a common time axis. */
typedef enum reprise_theme {
    REPRISE_THEME_AUTO, /* as the reader's screen has it */
    REPRISE_THEME_LIGHT,
    REPRISE_THEME_DARK,
} reprise_theme;
typedef struct reprise_plot_options {
    size_t struct_size;
    const char *const *plots; /* ids, as the timeline has them */
    size_t plot_count;
    uint64_t players;   /* bit per player; 0 means all */
    uint32_t width_px;  /* of the picture */
    uint32_t height_px; /* of one plot */
    reprise_theme theme;
    bool side; /* a path from the side: height against the way that was gone */
} reprise_plot_options;
#define REPRISE_PLOT_INIT                                                             \
    {                                                                                 \
        sizeof(reprise_plot_options), NULL, 0, 0, 960, 320, REPRISE_THEME_AUTO, false \
    }
/* A plot that the replay does not have is REPRISE_E_USAGE; *ret_empty: a plot had no values. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_scene_plot(reprise_scene *scene,
                                                               const reprise_plot_options *options,
                                                               const reprise_sink *sink,
                                                               bool *ret_empty,
                                                               reprise_error *error);

/*
 * Two runs over the same course, place by place: in which parts of the way the second one lost or
 * won how much. Gives the scene `a` a further plot, "gap". The document belongs to `a`; its members
 * are in docs/json/page.schema.json. REPRISE_E_USAGE: the runs are of different maps, courses or
 * modes; REPRISE_E_UNSUPPORTED: one of them is no complete run.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_scene_compare(reprise_scene *a, const reprise_scene *b,
                      const reprise_value **ret_comparison, reprise_error *error);

/* What a page with one or more scenes is told: docs/json/page.schema.json. */
typedef struct reprise_page_replay {
    const char *label;
    double offset;        /* seconds it is shifted by against the others */
    bool has_scene;       /* there is a scene.glb beside its timeline.json */
    reprise_scene *scene; /* those of the first two are compared; NULL: they are not */
} reprise_page_replay;
/*
 * Files are named by position: 0/timeline.json, 0/scene.glb, 1/timeline.json ... `scenery` is the
 * name of a GLB file that is shown around all replays, or NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_page_write(const reprise_page_replay *replays,
                                                               size_t count, const char *scenery,
                                                               const reprise_sink *sink,
                                                               reprise_error *error);

/* ---- 11  the library itself ---------------------------------------------------------------- */

REPRISE_API const char *reprise_version(void);

/* The formats and record tables this build knows, as documents owned by the library handle. */
typedef struct reprise_library reprise_library;
REPRISE_MUST_USE REPRISE_API reprise_status reprise_library_new(reprise_library **ret_library,
                                                                reprise_error *error);
REPRISE_API void reprise_library_free(reprise_library *library);
REPRISE_MUST_USE REPRISE_API reprise_status reprise_formats(reprise_library *library,
                                                            const reprise_value **ret_formats,
                                                            reprise_error *error);
/* The field tables of one format. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_schema(reprise_library *library,
                                                           const char *format,
                                                           const reprise_value **ret_schema,
                                                           reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
