/*
 * database.h - replays as a SQLite database.
 *
 * The table `replay` has one row per replay; each track of a format is a table FORMAT_TRACK whose
 * rows refer to it. Numbers with names and texts are text, nested values JSON text. The indices for
 * joins are made last, because that is faster.
 */
#ifndef RP_DATABASE_H
#define RP_DATABASE_H

#include "format.h"
#include "sink.h"

typedef struct rp_database rp_database;

/* What is known of a replay beside its rows. */
typedef struct rp_database_entry {
    const char *file;         /* or NULL */
    double duration;          /* NaN: none */
    const char *info;         /* as JSON text, or NULL */
    const reprise_error *cut; /* why it could only be opened in part, or NULL */
} rp_database_entry;

reprise_status rp_database_new(rp_context *context, rp_database **ret_database,
                               reprise_error *error);
void rp_database_free(rp_database *database);

/*
 * Adds a replay with all rows. If reading fails because of the input, the rows before that stay and
 * the failure is returned; if there are none, nothing is added. After any other failure the
 * database can only be freed.
 */
reprise_status rp_database_add(rp_database *database, rp_replay *replay,
                               const rp_database_entry *entry, uint64_t *ret_rows, bool *ret_added,
                               reprise_error *error);
/* Completes the database and writes it. Nothing can be added afterwards. */
reprise_status rp_database_write(rp_database *database, rp_sink *sink, reprise_error *error);

#endif
