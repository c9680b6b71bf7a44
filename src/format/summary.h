/*
 * summary.h - a replay in one line: the columns in which the files of an archive are compared.
 *
 * Each family lists its columns once (summary.c in its directory). Tables of many files, the
 * catalog and bindings all take them from there. Most columns are values of the info document; a
 * few follow from statistics, for which the complete recording must be read.
 */
#ifndef RP_SUMMARY_H
#define RP_SUMMARY_H

#include "value.h"

typedef enum rp_summary_type {
    RP_SUMMARY_TEXT,
    RP_SUMMARY_LIST, /* of texts */
    RP_SUMMARY_INT,
    RP_SUMMARY_REAL,
    RP_SUMMARY_SECONDS,
    RP_SUMMARY_DATE, /* text: "2027-03-15 14:30:00", or as stored if that is no date */
    RP_SUMMARY_BOOL,
} rp_summary_type;

/* The documents that columns are taken from. */
typedef struct rp_summary_source {
    const reprise_value *info;
    const reprise_value *stats; /* NULL: the recording was not read */
} rp_summary_source;

/* Returns NULL if the file does not say. */
typedef reprise_value *rp_summary_maker(rp_doc *doc, const rp_summary_source *from);

typedef struct rp_summary_column {
    const char *name;
    rp_summary_type type;
    const char *path; /* in the info document, such as "map.name"; NULL: `make` */
    rp_summary_maker *make;
    bool analysed; /* taken from the statistics */
    bool extra;    /* not in tables unless it is asked for */
    const char *doc;
} rp_summary_column;

typedef struct rp_summary {
    const rp_summary_column *columns;
    size_t count;
    /*
     * A value that all recordings of one run or match share and other ones do not. NULL, or a
     * result of NULL: cannot be told.
     */
    rp_summary_maker *identity;
} rp_summary;

/* "text", "list", "int", "real", "seconds", "date" or "bool". */
const char *rp_summary_type_name(rp_summary_type type);

/* An object with a member for each column, null where there is no value. */
reprise_value *rp_summary_make(rp_doc *doc, const rp_summary *summary,
                               const rp_summary_source *from);

/* ---- for families ---- */

/* The names of all people who played. */
rp_summary_maker rp_summary_players;
/* The names of those who won, if the file says so. */
rp_summary_maker rp_summary_winners;
/* The names of all people who played, each with the text of a member: "Alice (allies)". */
reprise_value *rp_summary_players_with(rp_doc *doc, const rp_summary_source *from,
                                       const char *member);
/*
 * A list of the values at these paths of the info document; NULL if the first is missing. For
 * identities.
 */
reprise_value *rp_summary_values(rp_doc *doc, const reprise_value *info, const char *const *paths,
                                 size_t count);
/* The value at a path such as "map.name", or NULL. */
const reprise_value *rp_summary_find(const reprise_value *document, const char *path);

#endif
