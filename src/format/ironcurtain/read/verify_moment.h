/* verify_moment.h - checks one tick against the signatures around it (specification, 10). */
#ifndef IRONCURTAIN_READ_VERIFY_MOMENT_H
#define IRONCURTAIN_READ_VERIFY_MOMENT_H

#include "ironcurtain/ironcurtain.h"

/*
 * Fills in the report: the verdict ("confirmed", "refuted", "not established") and its reason, the
 * state hash, and the signatures used. Damage is an error.
 */
reprise_status ic_verify_moment(ic_replay *replay, uint64_t tick, rp_doc *doc,
                                reprise_value *report, reprise_error *error);

/*
 * For callers that show a tick: adds findings if a signature around it is invalid or out of order.
 */
reprise_status ic_check_around(ic_replay *replay, uint64_t tick, reprise_error *error);

#endif
