/*
 * private.h - what is private in a replay, found by value.
 *
 * A family looks at its metadata and at single rows and tells what it finds. A field that is empty,
 * neutral or a stand-in is not private data. `info` shows the list; `anonymize` makes it of the
 * original and of the result: the difference is what was removed, and a kind that was to go must
 * not be in the second list.
 */
#ifndef RP_PRIVATE_H
#define RP_PRIVATE_H

#include "format.h"

enum { RP_PRIVATE_ITEMS_MAX = 48 };

typedef struct rp_private_item {
    uint32_t kind;    /* RP_PRIVATE_... */
    const char *what; /* for people; static */
    const char
        *reason; /* of a doubt: why nobody can say; static. NULL: it is private for certain */
    bool warns;  /* a doubt that somebody should look into */
    uint64_t count;
} rp_private_item;

struct rp_private {
    rp_private_item items[RP_PRIVATE_ITEMS_MAX];
    size_t count;
    bool quick;           /* do without what takes long, and without doubts */
    bool incomplete;      /* not everything was looked at */
    reprise_error damage; /* why, if damage ended the reading of rows */
};

/* Counts private data; a count of 0 is nothing. */
void rp_private_add(rp_private *found, uint32_t kind, const char *what, uint64_t count);
/* Counts text that may be private and that no program can judge. */
void rp_private_doubt(rp_private *found, uint32_t kind, const char *what, const char *reason,
                      bool warns, uint64_t count);

/* The word for a kind on the command line and in JSON. */
const char *rp_private_kind(uint32_t kind);
/* Whether an edit that removes these kinds removes this one. */
bool rp_private_goes(uint32_t remove, uint32_t kind);

/*
 * Everything private in a replay. Rows are read with a handle of its own, so that nothing is noted
 * on this one; after `rows_max` of them the rest is left unread. Damage ends the reading of rows
 * without an error: others tell about it.
 */
reprise_status rp_private_find(rp_replay *replay, uint64_t rows_max, rp_private *found,
                               reprise_error *error);

/* ---- for families ---- */

/* "Player 3" and what else stands in for a name: `word`, alone or with a number after a space. */
bool rp_is_stand_in(const char *text, size_t size, const char *word);
/* Texts of letters, digits, '.', '_', '-', '/' and ':' that begin with a letter or digit. */
bool rp_is_identifier(const char *text, size_t size);

/* An id for a copy that says nothing about the original: the same for the same digest. */
enum { RP_NEUTRAL_ID_SIZE = 37 };
void rp_neutral_id(const uint8_t digest[static 8], char ret_id[RP_NEUTRAL_ID_SIZE]);
bool rp_is_neutral_id(const char *text, size_t size);

#endif
