/*
 * catalog.h - the database of include/reprise/catalog.h: its tables, and storing records.
 *
 * catalog_schema.c creates and migrates tables, catalog.c stores and asks, catalog_record.c makes
 * the document that is stored for a file. Every value is bound as a parameter; names of tables and
 * columns come from the lists of the formats only.
 */
#ifndef RP_CATALOG_H
#define RP_CATALOG_H

#include <sqlite3.h>

#include "format.h"
#include "reprise/catalog.h"

enum { RP_CATALOG_VERSION = 1 };

typedef struct rp_catalog {
    rp_context *context;
    sqlite3 *db;
    char path[4096]; /* for messages */
    char root[4096];
    bool writes;
    sqlite3_stmt *statements[48]; /* prepared once; the oldest gives way to another one */
    unsigned statement_next;
    bool in_transaction;
    unsigned pending;          /* files put since the transaction began */
    uint64_t pending_since_ns; /* by rp_now_ns */
    reprise_catalog_report report;
} rp_catalog;

reprise_status rp_catalog_open(rp_catalog *catalog, const char *path,
                               const reprise_catalog_options *options, reprise_error *error);
void rp_catalog_close(rp_catalog *catalog);

reprise_status rp_catalog_look(rp_catalog *catalog, const char *path, uint64_t size,
                               int64_t mtime_ns, bool *ret_known, reprise_error *error);
reprise_status rp_catalog_put(rp_catalog *catalog, const char *path, uint64_t size,
                              int64_t mtime_ns, const reprise_value *record, reprise_error *error);
reprise_status rp_catalog_finish(rp_catalog *catalog, reprise_error *error);
reprise_status rp_catalog_query(rp_catalog *catalog, const char *sql,
                                const reprise_value *parameters, reprise_catalog_row *row,
                                void *ctx, reprise_error *error);

/* Sets the error for a failure of SQLite, and takes back what was not committed. */
reprise_status rp_catalog_failed(rp_catalog *catalog, reprise_error *error);
/* Runs statements without parameters. */
reprise_status rp_catalog_run(rp_catalog *catalog, const char *sql, reprise_error *error);
/* Creates what is missing: a new catalog, or tables and columns of a later version. */
reprise_status rp_catalog_migrate(rp_catalog *catalog, reprise_error *error);

/*
 * The document that is stored for an open replay. `stats` may be NULL, and `damage` says why it or
 * something else is missing (status OK: nothing is).
 */
reprise_status rp_catalog_record_make(rp_doc *doc, rp_replay *replay, const reprise_value *info,
                                      const reprise_value *stats, const reprise_error *damage,
                                      reprise_value **ret_record, reprise_error *error);
/* The same for a file that cannot be opened. */
reprise_value *rp_catalog_record_failed(rp_doc *doc, const reprise_error *failure);

#endif
