/*
 * redaction_report.h - the account that anonymize gives: what was removed, what was kept and why,
 * and what nobody can prove. It comes from the values in the original and in the result, not from
 * what the plan intended.
 */
#ifndef RP_REDACTION_REPORT_H
#define RP_REDACTION_REPORT_H

#include "private.h"

/*
 * Adds to the report: `removed`, `kept`, `unproven` and the digests of `input` and `output`. Fails
 * if a kind of private data that was to go is still in the result.
 */
reprise_status rp_account(rp_replay *source, uint32_t remove, rp_sink *sink, rp_doc *doc,
                          reprise_value *report, reprise_error *error);

#endif
