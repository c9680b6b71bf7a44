/* info.h - what `info` says of replays of every family in the same way. */
#ifndef RP_INFO_H
#define RP_INFO_H

#include "format.h"

/* Adds a kind of private data to the list of them, unless there is none of it. */
void rp_info_private(rp_doc *doc, reprise_value *list, const char *what, uint64_t count);
/* Sets a date as text (ISO 8601, UTC); 0 means unknown, and years beyond 9999 have no such form. */
void rp_info_date(rp_doc *doc, reprise_value *info, const char *key, uint64_t unix_seconds);
/* Sets `parts` to the blobs of a replay; a family adds what is not a blob. */
reprise_value *rp_info_blobs(rp_doc *doc, reprise_value *info, const rp_replay *replay);

#endif
