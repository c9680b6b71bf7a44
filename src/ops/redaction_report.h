/*
 * redaction_report.h - the report of anonymize: what was removed, what was kept and why, and what
 * cannot be proven. It compares the values in the original with those in the result, not with the
 * plan.
 */
#ifndef RP_REDACTION_REPORT_H
#define RP_REDACTION_REPORT_H

#include "private.h"

/*
 * Adds to the report: `removed`, `kept`, `unproven` and the digests of `input` and `output`. Fails
 * if private data of a kind that was to be removed is still in the result.
 */
reprise_status rp_redaction_report(rp_replay *source, uint32_t remove, rp_sink *sink, rp_doc *doc,
                                   reprise_value *report, reprise_error *error);

#endif
