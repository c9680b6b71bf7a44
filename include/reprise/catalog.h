/*
 * catalog.h - a database about the replays in a directory.
 *
 *   1  opening              and what can be wrong with a catalog
 *   2  indexing             which files are new, what is known about a file, storing it
 *   3  queries              read-only SQL
 *
 * A catalog is a SQLite database (docs/catalog.md has its tables). It holds, for each file, its
 * size, time, SHA-256, format, status and error, the columns of its summary, its players, all
 * metrics of its statistics and, for full-text search, names and chat. Only what has changed is
 * read again:
 *
 *     reprise_catalog_look(catalog, "2025/run.replay", size, mtime_ns, &known, &error);
 *     if (!known) {
 *         reprise_catalog_read("archive/2025/run.replay", NULL, &record, &error);
 *         reprise_catalog_put(catalog, "2025/run.replay", size, mtime_ns, record, &error);
 *         reprise_catalog_record_free(record);
 *     }
 *     ...
 *     reprise_catalog_finish(catalog, &report, &error);
 *
 * What was put is committed every few files, so an interrupted run continues where it stopped.
 * Several programs may use a catalog at a time.
 */
#ifndef REPRISE_CATALOG_H
#define REPRISE_CATALOG_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1  opening ---------------------------------------------------------------------------- */

typedef struct reprise_catalog reprise_catalog;

/* Initialise with REPRISE_CATALOG_INIT. */
typedef struct reprise_catalog_options {
    size_t struct_size;
    bool write;       /* for indexing: the catalog is created or brought up to date */
    bool rebuild;     /* with `write`: delete it first */
    const char *root; /* with `write`: the directory that paths are relative to */
} reprise_catalog_options;
#define REPRISE_CATALOG_INIT                                \
    {                                                       \
        sizeof(reprise_catalog_options), false, false, NULL \
    }

/*
 * Opens a catalog, read-only by default. A file that is no catalog is REPRISE_E_UNRECOGNIZED, a
 * damaged one REPRISE_E_CORRUPT, one of a later version REPRISE_E_UNSUPPORTED. With `write`, a
 * catalog of another root is REPRISE_E_USAGE.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_catalog_open(const char *path, const reprise_catalog_options *options,
                     reprise_catalog **ret_catalog, reprise_error *error);
REPRISE_API void reprise_catalog_close(reprise_catalog *catalog);

/* ---- 2  indexing --------------------------------------------------------------------------- */

/*
 * Whether a file is in the catalog with this size and time of change. `path` is relative to the
 * root. Look at all files before the first one is put, so that moved ones are recognised.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_catalog_look(reprise_catalog *catalog,
                                                                 const char *path, uint64_t size,
                                                                 int64_t mtime_ns, bool *ret_known,
                                                                 reprise_error *error);

/* Everything a catalog holds about a file. */
typedef struct reprise_catalog_record reprise_catalog_record;

/*
 * Reads a file completely; any thread may do this. A damaged file and one of no known format have
 * a record too. Fails only if the file or memory cannot be had.
 */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_catalog_read(const char *file, const reprise_options *options,
                     reprise_catalog_record **ret_record, reprise_error *error);
REPRISE_API void reprise_catalog_record_free(reprise_catalog_record *record);
/* The record as a document: format, status, error, summary, people, metrics, words ... */
REPRISE_API const reprise_value *reprise_catalog_record_document(
    const reprise_catalog_record *record);

/* Stores a record in place of what was known. A file with the hash of a missing one has moved. */
REPRISE_MUST_USE REPRISE_API reprise_status
reprise_catalog_put(reprise_catalog *catalog, const char *path, uint64_t size, int64_t mtime_ns,
                    const reprise_catalog_record *record, reprise_error *error);

/* What an update did. Set struct_size before the call. */
typedef struct reprise_catalog_report {
    size_t struct_size;
    uint64_t unchanged, added, changed, moved, removed;
} reprise_catalog_report;

/*
 * Marks files that no longer exist as removed, commits, and starts over with the counts and with
 * what was looked at.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_catalog_finish(reprise_catalog *catalog,
                                                                   reprise_catalog_report *report,
                                                                   reprise_error *error);

/* ---- 3  queries ---------------------------------------------------------------------------- */

/*
 * Gets a row: an object with the columns in order, valid during the call. Returning false stops.
 */
typedef bool reprise_catalog_row(void *ctx, const reprise_value *row);

/*
 * Runs one SQL statement that only reads; anything else is REPRISE_E_USAGE. `parameters` is an
 * array of texts and numbers for the ? in it, or NULL.
 */
REPRISE_MUST_USE REPRISE_API reprise_status reprise_catalog_query(reprise_catalog *catalog,
                                                                  const char *sql,
                                                                  const reprise_value *parameters,
                                                                  reprise_catalog_row *row,
                                                                  void *ctx, reprise_error *error);

#ifdef __cplusplus
}
#endif
#endif
