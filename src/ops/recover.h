/* recover.h - writes what can be read of a damaged replay as an undamaged one. */
#ifndef RP_RECOVER_H
#define RP_RECOVER_H

#include "format.h"
#include "output.h"

/*
 * Writes the frames of a replay that was opened for recovery. The result is verified before it
 * becomes visible. The report lists the lost parts as "lost".
 */
reprise_status rp_recover(rp_replay *salvaged, const rp_write_options *options,
                          const rp_target *target, rp_doc *doc, reprise_value *report,
                          reprise_error *error);

/*
 * Lists the faults and warnings that were found while reading as "lost", except those that "remain"
 * in the result.
 */
void rp_report_lost(const rp_replay *read, rp_doc *doc, reprise_value *report);

#endif
