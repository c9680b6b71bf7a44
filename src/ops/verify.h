/* verify.h - reads everything and reports what is wrong with it. */
#ifndef RP_VERIFY_H
#define RP_VERIFY_H

#include "format.h"

/*
 * Decodes all tracks and then asks the format for what decoding does not check. Damage becomes a
 * fault among the findings; only trouble of our own (memory, cancellation) is returned.
 */
reprise_status rp_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                         reprise_error *error);

/*
 * Notes what verifying finds beyond decoding: checksums of parts that nobody decodes, hashes and
 * signatures that do not fit. For those who pass on parts as they are or show what these vouch for;
 * done once per replay. Only trouble of our own is returned.
 */
reprise_status rp_check(rp_replay *replay, reprise_error *error);
/*
 * The same where rows of these tracks were read to their end, for formats that have such tracks.
 * Signatures, which take most of the time, are checked only for those who read them.
 */
reprise_status rp_check_tracks(rp_replay *replay, uint64_t tracks, reprise_error *error);
/* For those who read everything but show no signatures. */
reprise_status rp_check_states(rp_replay *replay, reprise_error *error);

#endif
