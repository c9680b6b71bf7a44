/*
 * archive.h - what the archive page shows: the replays of a catalog, who plays in them, and which
 * runs are records. Catalogs are described in docs/catalog.md, archive.json in
 * docs/json/archive.schema.json.
 *
 * Texts come from replays and file names. Those for the page are as on a terminal (cli_put_cut):
 * control characters, those that change the direction of writing and invalid UTF-8 are escaped, and
 * the length is limited. HTML escapes them where it is written.
 */
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

#include <reprise/catalog.h>

#include "command.h"

/* Distinct texts, numbered in the order in which they were added. */
typedef struct cli_texts {
    char **items;
    size_t count, capacity;
    uint32_t *slots; /* hash table: number + 1, or 0 */
    size_t slot_count;
} cli_texts;

/* Columns whose values are numbers of texts. */
typedef enum cli_archive_text {
    CLI_ARCHIVE_FORMAT,
    CLI_ARCHIVE_MAP,
    CLI_ARCHIVE_MODE,
    CLI_ARCHIVE_COURSE,
    CLI_ARCHIVE_STYLES,
    CLI_ARCHIVE_TYPE,
    CLI_ARCHIVE_STATUS,
    CLI_ARCHIVE_RESULT,
    CLI_ARCHIVE_TITLE,
    CLI_ARCHIVE_FOLDER,
    CLI_ARCHIVE_TEXTS
} cli_archive_text;
extern const char *const cli_archive_text_names[CLI_ARCHIVE_TEXTS];

enum { CLI_ARCHIVE_PAGE_SIZE = 16 };

typedef struct cli_archive_row {
    uint64_t id;
    char *path;                             /* below the root, as on disk */
    char page[CLI_ARCHIVE_PAGE_SIZE + 1];   /* name of the replay's page; "": it has none */
    char digest[CLI_ARCHIVE_PAGE_SIZE + 1]; /* start of its SHA-256 */
    int32_t texts[CLI_ARCHIVE_TEXTS];       /* -1: none */
    int64_t date;                           /* seconds after the start of 2000; -1: unknown */
    double length, time;                    /* seconds; NaN: unknown */
    int64_t teleports;                      /* -1: unknown */
    size_t people, people_count;            /* in cli_archive.seats */
    bool sound;                             /* its scene can be shown */
} cli_archive_row;

/* A player in a replay. */
typedef struct cli_archive_seat {
    uint32_t person;
    bool won;
} cli_archive_seat;

typedef struct cli_archive_person {
    uint64_t id;
    char *name;
    bool bot;
} cli_archive_person;

typedef struct cli_archive {
    char *root; /* directory that paths are relative to */
    char *name; /* of the directory, for the page */
    cli_texts texts[CLI_ARCHIVE_TEXTS];
    cli_archive_row *rows; /* latest first */
    size_t count;
    uint32_t *by_id; /* rows in the order of their ids */
    cli_archive_seat *seats;
    size_t seat_count;
    cli_archive_person *people;
    size_t people_count;
    uint32_t *records, *history; /* rows of runs that are or were records */
    size_t record_count, history_count;
} cli_archive;

/* clang-format off */
#define CLI_OPTION_CATALOG(settings_type, group_name)                                           \
    {.name = "catalog",                                                                         \
     .value = "CATALOG",                                                                        \
     .choices = "<file>",                                                                       \
     .group = group_name,                                                                       \
     .doc = "Keep the catalog of a directory in this file (default: "                           \
            "DIR/.reprise/catalog.sqlite)",                                                     \
     .offset = offsetof(settings_type, catalog),                                                \
     .parse = cli_parse_text}
#define CLI_OPTION_SPOILER_FREE(settings_type, group_name)                                      \
    {.name = "spoiler-free",                                                                    \
     .group = group_name,                                                                       \
     .doc = "Leave results, times and lengths out of the page of a directory.",                 \
     .offset = offsetof(settings_type, spoiler_free),                                           \
     .parse = cli_parse_flag}
/* clang-format on */

/* Whether an operand is an archive: a directory or a catalog. */
bool cli_is_archive(const char *operand);

/*
 * Makes or updates the catalog of a directory (that of `catalog`, unless NULL) and reads it. A
 * catalog that is the operand itself is read as it is. Returns the exit code, after reporting a
 * failure.
 */
int cli_archive_open(cli_run *run, const char *operand, const char *catalog,
                     cli_archive *ret_archive);
void cli_archive_close(cli_archive *archive);

/* The number of the row with an id, or SIZE_MAX. */
size_t cli_archive_find(const cli_archive *archive, uint64_t id);
/* The path of a replay, which the caller frees; NULL if it would be outside the directory. */
char *cli_archive_path(const cli_archive *archive, size_t row);

/*
 * archive.json; spoiler-free it has neither results nor lengths. For a site it names files and
 * directories only where a replay has no other title: strangers need no more, and they are half of
 * it.
 */
void cli_archive_put_json(const cli_archive *archive, bool spoiler_free, bool site, cli_strbuf *to);
/* "Alice vs Bob on Oracle Isle" */
void cli_archive_put_title(const cli_archive *archive, size_t row, cli_strbuf *to);
/* "OpenRA, 2024-02-03, 7:12, Alice won" */
void cli_archive_put_description(const cli_archive *archive, size_t row, bool spoiler_free,
                                 cli_strbuf *to);

#endif
