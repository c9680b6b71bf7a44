/* recover.h - what a damaged replay still holds, as a sound one. */
#ifndef RP_RECOVER_H
#define RP_RECOVER_H

#include "format.h"
#include "output.h"

/*
 * Writes the frames of a replay that was opened to be salvaged. The result is verified before it
 * appears. The report's "lost" lists the findings about what is gone.
 */
reprise_status rp_recover(rp_replay *salvaged, const rp_write_options *options,
                          const rp_target *target, rp_doc *doc, reprise_value *report,
                          reprise_error *error);

/* Lists as "lost" the faults and warnings found while everything was read, unless they "remain". */
void rp_report_lost(const rp_replay *read, rp_doc *doc, reprise_value *report);

#endif
