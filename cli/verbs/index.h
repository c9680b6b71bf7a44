/* index.h - shared by the parts of 'reprise index': one update, and following a directory. */
#ifndef CLI_INDEX_H
#define CLI_INDEX_H

#include "batch/batch.h"
#include <reprise/catalog.h>

/* What a worker hands over about a file. */
typedef struct cli_index_entry {
    reprise_catalog_record *record; /* NULL: it could not be read */
    cli_stamp stamp;
} cli_index_entry;

/* A cli_work.work: job->result is a cli_index_entry, to be freed with cli_index_entry_free. */
void cli_index_read(cli_job *job);
void cli_index_entry_free(cli_index_entry *entry);

/* An open catalog, and the directory that it is about. */
typedef struct cli_indexing {
    cli_run *run;
    reprise_catalog *catalog;
    const char *path; /* of the catalog */
    const char *root; /* the directory as given, without slashes at its end */
    size_t root_size; /* of the directory and the slash after it */
    size_t found;
    double started;
    reprise_error error; /* the first failure of the catalog */
    int code;
} cli_indexing;

/*
 * Follows the directory until a signal ends it, after it was indexed. `watch` was started before
 * that.
 */
struct cli_watch;
void cli_index_follow(cli_indexing *indexing, struct cli_watch *watch);
/* The first line: the directory was indexed and is being followed. */
void cli_index_print_ready(cli_indexing *indexing, const reprise_catalog_report *report,
                           bool polls);

#endif
