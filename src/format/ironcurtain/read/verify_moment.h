/* verify_moment.h - checks one tick against the signatures around it (specification, 10). */
#ifndef IRONCURTAIN_READ_VERIFY_MOMENT_H
#define IRONCURTAIN_READ_VERIFY_MOMENT_H

#include "ironcurtain/ironcurtain.h"

/*
 * Fills in the report: the verdict ("confirmed", "refuted", "not established") with its reason, the
 * state's hash, and the signatures that vouch. Damage on the way is an error.
 */
reprise_status ic_verify_moment(ic_replay *replay, uint64_t tick, rp_doc *doc,
                                reprise_value *report, reprise_error *error);

/*
 * For those who show a tick with its signatures, or without: notes the damage if one of the
 * signatures around it is invalid or out of order, since the tick's own may be that one.
 */
reprise_status ic_check_around(ic_replay *replay, uint64_t tick, reprise_error *error);

#endif
