/*
 * write.h - write replays: convert, trim, anonymize, recover, merge, compare, record.
 *
 * Every operation writes a new file; nothing is changed in place. A result appears complete or not
 * at all: an operation that fails, is cancelled or is killed leaves no file and no temporary file.
 * The same input always gives the same bytes.
 *
 *   1  where a result goes
 *   2  operations on a replay
 *   3  comparing
 *   4  building values      metadata for a writer
 *   5  recording            a new replay, row by row
 *
 * The rules of reprise.h hold here too.
 */
#ifndef REPRISE_WRITE_H
#define REPRISE_WRITE_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  where a result goes ---------------------------------------------------------------- */

/* Compression levels: a codec's own number, 0 or more, or one of these. */
enum {
    REPRISE_LEVEL_DEFAULT = -1,
    REPRISE_LEVEL_FASTEST = -2,
    REPRISE_LEVEL_BALANCED = -3,
    REPRISE_LEVEL_COMPACT = -4,
};

/* Where a result goes and how it is written. Initialise with REPRISE_WRITE_INIT. */
typedef struct reprise_write_options {
    size_t struct_size;
    const char *path;         /* a file, or NULL: use the sink */
    const reprise_sink *sink; /* receives the result once it is complete and checked */
    bool replace;             /* replace an existing file */
    bool lossy;               /* write even if the layout cannot hold everything */
    int level;
    const char *layout; /* NULL: the source's if it can be written, else the format's default */
    bool long_range;    /* search far back for repetitions: formats that use zstd */
    bool dry_run;       /* do and check everything but keep nothing; needs no path and no sink */
    uint32_t mode;      /* permissions of the file, before the umask; 0: those of any new file */
} reprise_write_options;
#define REPRISE_WRITE_INIT                                                                    \
    {                                                                                         \
        sizeof(reprise_write_options), NULL, NULL, false, false, REPRISE_LEVEL_DEFAULT, NULL, \
            false, false, 0                                                                   \
    }

/*
 * Storage that is written piece by piece and can be read at the same time. A recorder uses it where
 * there are no files. Calls come from the recorder's own thread, one at a time.
 */
typedef struct reprise_storage {
    void *ctx;
    /* Writes up to `size` bytes at `offset`. Returns how many, or -errno. */
    int64_t (*write)(void *ctx, uint64_t offset, const void *data, size_t size);
    /* Same contract as reprise_source.read. */
    int64_t (*read)(void *ctx, uint64_t offset, void *to, size_t size);
    int (*sync)(void *ctx); /* 0 or errno; may be NULL */
} reprise_storage;

/* ---- 2  operations on a replay ------------------------------------------------------------- */

/*
 * Each operation returns a report, a document that is valid until the replay's next answer:
 * layouts, sizes, and lists of texts: "losses" (what the layout cannot hold), "dropped" (unknown
 * data that is gone) and "notes".
 */

/*
 * Writes a replay in another layout (NULL: the format's default). Losses are found before anything
 * is written: the status is then REPRISE_E_LOSSY unless options.lossy is set. The report lists them
 * either way.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_convert(reprise_replay *replay,
                                                            const reprise_write_options *options,
                                                            const reprise_value **ret_report,
                                                            reprise_error *error);

/*
 * Writes the same content at another compression level and compares it with the original before it
 * appears. REPRISE_LEVEL_DEFAULT makes the file as small as possible, and keeps a file that is
 * already smaller; any other level may give a larger file. The report notes both cases.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_recompress(reprise_replay *replay,
                                                               const reprise_write_options *options,
                                                               const reprise_value **ret_report,
                                                               reprise_error *error);

/*
 * One end of a range: open, seconds, a frame or tick, the name of a marker, or seconds relative to
 * the same end of the run (negative: before it).
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
 * Keeps the frames of a range, both ends included. The first frame gets the complete state; times
 * restart at 0 unless `keep_times` is set.
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
    REPRISE_PRIVATE_CONTENT = 1 << 7,    /* custom maps, unknown archive members */
    REPRISE_PRIVATE_EXTENSIONS = 1 << 8, /* data of other mods */
    REPRISE_PRIVATE_ALL = (1 << 9) - 1,
    REPRISE_PRIVATE_MARKS = 1 << 9, /* pings and drawings on the map; not part of ALL */
    /* With CHAT: only messages not meant for everyone, in formats that record the recipient. */
    REPRISE_PRIVATE_WHISPERS = 1 << 10,
};

/*
 * Removes private data. The decompressed result is searched for everything that was removed, as
 * UTF-8 and UTF-16, and read again for rows and values that must be gone; it is kept only if
 * nothing is found. A value that data may contain by chance, such as a three-letter name, is
 * compared with every text of the result instead. The report lists by kind what was "removed" and
 * "kept", what is "unproven" (texts that no program can judge), the SHA-256 of "input" and
 * "output", and the "substitutions" {what, from, to}, which are for the owner alone.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_anonymize(reprise_replay *replay, uint32_t what,
                                                              const reprise_write_options *options,
                                                              const reprise_value **ret_report,
                                                              reprise_error *error);

/*
 * Writes everything readable of a damaged or unfinished file as a sound file, which is verified
 * before it appears. The replay must have been opened with salvage set. "lost" in the report says
 * what is gone; an undamaged file loses nothing.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_recover(reprise_replay *replay,
                                                            const reprise_write_options *options,
                                                            const reprise_value **ret_report,
                                                            reprise_error *error);

/*
 * Merges several recordings of one match on the timeline of the first, whose frames come before
 * those of the others. Objects that are the same are detected. offsets[i] is when recording i
 * begins on that timeline; NaN, or NULL for all, detects it from the motion of common players. The
 * report says which player became which; it belongs to the first replay.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_merge(reprise_replay *const *replays,
                                                          size_t count, const double *offsets,
                                                          const reprise_write_options *options,
                                                          const reprise_value **ret_report,
                                                          reprise_error *error);

/* ---- 3  comparing -------------------------------------------------------------------------- */

/* Initialise with REPRISE_DIFF_INIT. */
typedef struct reprise_diff_options {
    size_t struct_size;
    double float_tolerance;    /* numbers this close are equal */
    double rotation_tolerance; /* per component; q and -q are the same rotation */
    bool storage;              /* also compare how things are stored: sizes, members */
} reprise_diff_options;
#define REPRISE_DIFF_INIT                             \
    {                                                 \
        sizeof(reprise_diff_options), 0.0, 0.0, false \
    }

/*
 * The differences between two replays of one format: metadata by path, tracks by row and field. A
 * recording whose frames are numbered from another start, such as a trimmed copy, is moved to where
 * the rows of both agree ("aligned" in the report). The report belongs to `a`.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_diff(reprise_replay *a, reprise_replay *b,
                                                         const reprise_diff_options *options,
                                                         bool *ret_equal,
                                                         const reprise_value **ret_report,
                                                         reprise_error *error);

/* ---- 4  building values -------------------------------------------------------------------- */

/*
 * A document owns the values built in it; reprise_document_free frees them all. Nothing needs to be
 * checked while building: after a failure the functions return NULL, calls with a NULL value do
 * nothing, and reprise_document_status reports the first failure.
 *
 *     reprise_value *players = reprise_value_new_array(document);
 *     reprise_value *player = reprise_value_new_object(document);
 *     reprise_value_set_text(document, player, "Name", "Walker");
 *     reprise_value_push(document, players, player);
 *     reprise_value_set(document, metadata, "Players", players);
 */
typedef struct reprise_document reprise_document;

REPRISE_MUST_USE REPRISE_API reprise_status reprise_document_new(reprise_document **ret_document,
                                                                 reprise_error *error);
REPRISE_API void reprise_document_free(reprise_document *document);
/* The first failure since the document was made: no memory, a limit, or a misuse. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_document_status(const reprise_document *document, reprise_error *error);
/* Parses JSON text into a value of the document. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_value_parse(reprise_document *document,
                                                                const char *json, size_t size,
                                                                reprise_value **ret_value,
                                                                reprise_error *error);

REPRISE_API reprise_value *reprise_value_new_object(reprise_document *document);
REPRISE_API reprise_value *reprise_value_new_array(reprise_document *document);
REPRISE_API reprise_value *reprise_value_new_null(reprise_document *document);
REPRISE_API reprise_value *reprise_value_new_bool(reprise_document *document, bool value);
REPRISE_API reprise_value *reprise_value_new_int(reprise_document *document, int64_t value);
REPRISE_API reprise_value *reprise_value_new_uint(reprise_document *document, uint64_t value);
REPRISE_API reprise_value *reprise_value_new_double(reprise_document *document, double value);
REPRISE_API reprise_value *reprise_value_new_text(reprise_document *document, const char *text,
                                                  size_t size);

/*
 * Sets a member, replacing one of the same name, or appends an element. The value is copied with
 * everything in it, so it may come from another document or from a replay.
 */
REPRISE_API void reprise_value_set(reprise_document *document, reprise_value *object,
                                   const char *key, const reprise_value *value);
REPRISE_API void reprise_value_push(reprise_document *document, reprise_value *array,
                                    const reprise_value *value);
/* Shorthands; the text ends with NUL. */
REPRISE_API void reprise_value_set_bool(reprise_document *document, reprise_value *object,
                                        const char *key, bool value);
REPRISE_API void reprise_value_set_int(reprise_document *document, reprise_value *object,
                                       const char *key, int64_t value);
REPRISE_API void reprise_value_set_double(reprise_document *document, reprise_value *object,
                                          const char *key, double value);
REPRISE_API void reprise_value_set_text(reprise_document *document, reprise_value *object,
                                        const char *key, const char *text);

/* ---- 5  recording -------------------------------------------------------------------------- */

/*
 * Recording a new replay. Tracks and columns are those that reprise_schema lists; rows are given
 * frame by frame:
 *
 *     reprise_writer_begin("rumble", metadata, &options, NULL, &writer, &error);
 *     for each frame:
 *         reprise_writer_row(writer, frames, 0, time, &error);
 *         reprise_writer_row(writer, players, 0, time, &error);
 *         reprise_writer_set_double(writer, rig_pos_x, x, &error);
 *         reprise_writer_step(writer, &error);
 *     reprise_writer_end(writer, &error);
 *     reprise_writer_close(writer);
 *
 * A row of an object that keeps its state starts with that state, so only changes need to be set.
 * Values that can be computed (counts, durations, ids) are filled in. Memory stays bounded, except
 * for formats whose files are not in time order (CS2KZ, OpenRA, Minecraft): their rows are kept
 * until the end, within the limit memory_bytes.
 *
 * A Minecraft scene has a row of `entities`, with its parts and its file, for every entity that has
 * frames; materials are given by their `source`, textures as blobs ("tex/wool.png", those of the
 * world "world.vcap/tex/dirt.png").
 *
 * RUMBLE, CS2KZ, OpenRA, classic recordings, Minecraft scenes and cameras can be written. Iron
 * Curtain is REPRISE_E_UNSUPPORTED: use the recorder in reprise/ironcurtain/live.h.
 */
typedef struct reprise_writer reprise_writer;

/* `metadata` has the shape of the "header" member of reprise_info; NULL: empty. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_begin(
    const char *format, const reprise_value *metadata, const reprise_write_options *options,
    const reprise_options *limits, reprise_writer **ret_writer, reprise_error *error);
/* The number of a track or column, or -1. */
REPRISE_API int reprise_writer_track(const reprise_writer *writer, const char *name);
REPRISE_API int reprise_writer_column(const reprise_writer *writer, int track, const char *name);
/* Begins a row; `object` is 0 if the track has none. The setters below then fill it in. */
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
 * Any column from a value in the form that reprise_row_format prints: lists, nested records, 64-bit
 * numbers as text.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_set_value(reprise_writer *writer,
                                                                     int column,
                                                                     const reprise_value *value,
                                                                     reprise_error *error);
/*
 * Sets the frame or tick of the rows that follow. Call it before the first row of a step; by
 * default steps count from 0.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_at(reprise_writer *writer, int64_t index,
                                                              reprise_error *error);
/* Ends one frame or tick, whose rows may have been given in any order. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_step(reprise_writer *writer,
                                                                reprise_error *error);
/* Adds a blob, after all rows. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_blob(reprise_writer *writer,
                                                                const char *name, const void *data,
                                                                size_t size, reprise_error *error);
/*
 * Completes the file, reads it back, compares every value that was given, and makes it visible.
 * REPRISE_E_LOSSY: the layout cannot hold the tracks, columns or members of the metadata that the
 * message names, or the game would not open the result (options.lossy writes the latter anyway); no
 * file is left. Frame numbers are compared if reprise_writer_at gave them, times if the format
 * stores them. Columns that no row sets are filled in.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_writer_end(reprise_writer *writer,
                                                               reprise_error *error);
/* Without a successful reprise_writer_end before, no file is left. */
REPRISE_API void reprise_writer_close(reprise_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
