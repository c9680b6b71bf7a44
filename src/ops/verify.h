/* verify.h - reads everything in a replay and reports what is wrong. */
#ifndef RP_VERIFY_H
#define RP_VERIFY_H

#include "format.h"

/*
 * Decodes all tracks, then runs the checks of the format that decoding does not include. Damage
 * becomes a fault among the findings; only failures of our own (memory, cancellation) are returned.
 */
reprise_status rp_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                         reprise_error *error);

/*
 * Notes the damage that verifying finds beyond decoding: checksums of parts that are not decoded,
 * and hashes and signatures that do not match. For operations that copy such parts or show what
 * they prove. Runs once per replay. Only failures of our own are returned.
 */
reprise_status rp_check(rp_replay *replay, reprise_error *error);
/* The same for two replays of one format. Signatures that both have are checked once. */
reprise_status rp_check_both(rp_replay *a, rp_replay *b, reprise_error *error);
/*
 * The same after all rows of these tracks were read, for formats with checked tracks. Signatures,
 * which take most of the time, are checked only if they are among the tracks.
 */
reprise_status rp_check_tracks(rp_replay *replay, uint64_t tracks, reprise_error *error);
/* The same for operations that read everything but show no signatures. */
reprise_status rp_check_states(rp_replay *replay, reprise_error *error);

#endif
