/* info.h - parts of the info document that all families share. */
#ifndef RP_INFO_H
#define RP_INFO_H

#include "private.h"

/*
 * Sets `private` to the private data in a replay, found by value. Only the beginning of a long
 * recording is read; then `private_complete` is false.
 */
reprise_status rp_info_private(rp_doc *doc, reprise_value *info, rp_replay *replay,
                               reprise_error *error);
/* Adds an object {kind, what, count} to a list. */
reprise_value *rp_info_private_item(rp_doc *doc, reprise_value *list, const rp_private_item *item);
/* Sets a date as text (ISO 8601, UTC). 0 means unknown; years after 9999 are left out. */
void rp_info_date(rp_doc *doc, reprise_value *info, const char *key, uint64_t unix_seconds);
/* Sets `parts` to the blobs of a replay; a family adds parts that are not blobs. */
reprise_value *rp_info_blobs(rp_doc *doc, reprise_value *info, const rp_replay *replay);

#endif
