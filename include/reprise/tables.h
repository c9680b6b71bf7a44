/*
 * tables.h - writes tracks as tables for other programs: Parquet, Arrow IPC and SQLite.
 *
 *   1  table files          one track each
 *   2  tables of values     such as the summaries of many replays
 *   3  databases            all tracks of several replays
 *
 * One track becomes one file, with the schema of arrow.h:
 *
 *     int track = reprise_track_find(replay, "ticks");
 *     reprise_sink sink = {file, write_to_file};
 *     status = reprise_table_write(replay, (size_t)track, REPRISE_TABLE_PARQUET, NULL, &sink, NULL,
 *                                  &error);
 *
 * Files are written from front to back with bounded memory, whatever the length of the track.
 * Numbers with names are text; dictionaries, unsigned integers and the metadata of columns are kept
 * for readers of Arrow. In Parquet, fixed-size lists are lists, and nested dictionaries texts. The
 * metadata of a file are "reprise.format", "reprise.track", "reprise.layout", "reprise.version"
 * and, if its name is given, "reprise.file".
 */
#ifndef REPRISE_TABLES_H
#define REPRISE_TABLES_H

#include "arrow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  table files ------------------------------------------------------------------------ */

typedef enum reprise_table_form {
    REPRISE_TABLE_PARQUET,      /* zstd pages with statistics and page indices */
    REPRISE_TABLE_ARROW,        /* the Arrow IPC file format, which can be mapped */
    REPRISE_TABLE_ARROW_STREAM, /* the Arrow IPC stream format, for pipes */
} reprise_table_form;

/* Initialise with REPRISE_TABLE_INIT. */
typedef struct reprise_table_options {
    size_t struct_size;
    /*
     * Columns and rows; NULL: all. rows_max is the rows of a page or record batch (0: 32768 in
     * Parquet, 16384 in Arrow).
     */
    const reprise_batch_options *rows;
    const char *file; /* the name of the replay for the metadata; NULL: none */
} reprise_table_options;
#define REPRISE_TABLE_INIT                        \
    {                                             \
        sizeof(reprise_table_options), NULL, NULL \
    }

/* What was written. Set struct_size before the call. */
typedef struct reprise_table_result {
    size_t struct_size;
    uint64_t rows;
    bool finished; /* the sink has a complete file, if only of the rows before the damage */
} reprise_table_result;

/*
 * Writes one track as a table. If the replay is cut short or damaged, all complete rows are
 * written, the file is finished, and the status is REPRISE_E_TRUNCATED or another that says why
 * rows are missing. After any other failure the sink has an incomplete file, which the caller
 * discards. `result`, which may be NULL, is set in both cases.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_table_write(reprise_replay *replay, size_t track, reprise_table_form form,
                    const reprise_table_options *options, const reprise_sink *sink,
                    reprise_table_result *result, reprise_error *error);

/* ---- 2  tables of values ------------------------------------------------------------------- */

/*
 * Writes rows of values as a table. `columns` is an array of objects with `name` and `type`, one of
 * text, date, list (of texts), int, real, seconds and bool, as in the summary of reprise_schema.
 * `rows` is an array of arrays with a value or null for each column; what is missing at the end of
 * a row is null, and a text is a list of one. Another kind of value than the column's is
 * REPRISE_E_USAGE. After a failure the sink has an incomplete file.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_table_write_values(const reprise_value *columns,
                                                                       const reprise_value *rows,
                                                                       reprise_table_form form,
                                                                       const reprise_sink *sink,
                                                                       reprise_error *error);

/* ---- 3  databases -------------------------------------------------------------------------- */

/*
 * A SQLite database of replays. The table `replay` has one row each: id, file, format, layout,
 * duration, rows, complete (0: damaged), error, and info, the document of reprise_info as JSON
 * text. Every track is a table FORMAT_TRACK, such as cs2kz_ticks, whose column replay_id refers to
 * it; row_id keeps the order of the file. Tables have an index on replay_id, frame or tick, and
 * object, by which they are joined.
 *
 * Types belong to the column: numbers with names are text, truth values and sets of flags integers,
 * nested values JSON text. SQLite's integers are signed: an unsigned one of 2^63 or more has the
 * same 64 bits and is negative. NaN is null, and -0 is 0.
 */
typedef struct reprise_database reprise_database;

REPRISE_MUST_USE REPRISE_API reprise_status reprise_database_new(reprise_database **ret_database,
                                                                 reprise_error *error);
/*
 * Adds all tracks of a replay. `file` is its name for the table `replay`, or NULL. If it is cut
 * short or damaged, all complete rows of each track are added, and the status says why rows are
 * missing; without any row nothing is added. `result`, which may be NULL, is set in both cases:
 * `finished` means that the replay was added. After any other failure the database can only be
 * freed.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_database_add(reprise_database *database,
                                                                 reprise_replay *replay,
                                                                 const char *file,
                                                                 reprise_table_result *result,
                                                                 reprise_error *error);
/* Completes the database and writes it to a sink. Nothing can be added afterwards. */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_database_write(reprise_database *database,
                                                                   const reprise_sink *sink,
                                                                   reprise_error *error);
REPRISE_API void reprise_database_free(reprise_database *database);

#ifdef __cplusplus
}
#endif
#endif
