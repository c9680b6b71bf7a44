/*
 * private.h - finds the private data in a replay, by value.
 *
 * A family examines its metadata and single rows and reports private data. A field that is empty,
 * neutral or a substitute is not private. `info` shows the list. `anonymize` compares the lists of
 * the original and of the result: the difference was removed, and a kind that was to be removed
 * must not be in the second list.
 */
#ifndef RP_PRIVATE_H
#define RP_PRIVATE_H

#include "format.h"

enum { RP_PRIVATE_ITEMS_MAX = 48 };

typedef struct rp_private_item {
    uint32_t kind;      /* RP_PRIVATE_... */
    const char *what;   /* for people; static */
    const char *reason; /* why it cannot be decided; static. NULL: certainly private */
    bool warns;         /* a doubt that a person should check */
    uint64_t count;
} rp_private_item;

struct rp_private {
    rp_private_item items[RP_PRIVATE_ITEMS_MAX];
    size_t count;
    bool quick;           /* skip slow searches and doubts */
    bool incomplete;      /* not everything was examined */
    reprise_error damage; /* why, if damage is the reason: the first that was met */
};

/* Counts private data; a count of 0 adds nothing. */
void rp_private_add(rp_private *found, uint32_t kind, const char *what, uint64_t count);
/* Counts text that may be private, which no program can decide. */
void rp_private_add_unproven(rp_private *found, uint32_t kind, const char *what, const char *reason,
                             bool warns, uint64_t count);
/*
 * Notes that `damage` kept a part from being examined. Failures that are not damage of the file go
 * to `error` instead.
 */
reprise_status rp_private_add_unread(rp_private *found, const reprise_error *damage,
                                     reprise_error *error);

/* The word for a kind on the command line and in JSON. */
const char *rp_private_kind(uint32_t kind);
/* Whether an edit that removes these kinds removes this one. */
bool rp_private_is_removed(uint32_t remove, uint32_t kind);

/*
 * Finds everything private in a replay. Rows are read with a separate handle, so that no finding is
 * noted on this one; only the first `rows_max` rows are read. Damage stops the reading of rows
 * without an error: it is reported elsewhere.
 */
reprise_status rp_private_find(rp_replay *replay, uint64_t rows_max, rp_private *found,
                               reprise_error *error);

/* ---- for families ---- */

/*
 * Whether a text is a substitute such as "Player 3": `word`, alone or with a number after a space.
 */
bool rp_is_substitute(const char *text, size_t size, const char *word);
/* Texts of letters, digits, '.', '_', '-', '/' and ':' that begin with a letter or digit. */
bool rp_is_identifier(const char *text, size_t size);

/* A neutral id for a copy, the same for the same digest. */
enum { RP_NEUTRAL_ID_SIZE = 37 };
void rp_neutral_id(const uint8_t digest[static 8], char ret_id[RP_NEUTRAL_ID_SIZE]);
bool rp_is_neutral_id(const char *text, size_t size);

#endif
