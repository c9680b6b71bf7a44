/* proof.h - showing that what was taken out of a replay is really gone. */
#ifndef RP_PROOF_H
#define RP_PROOF_H

#include "format.h"

/*
 * Opens the result and searches everything in it, decompressed, for the `from` of every
 * substitution, as UTF-8 and as UTF-16 of both orders. Finding one is REPRISE_E_CORRUPT, and the
 * result must not be kept. Texts so short that chance would make them up are compared with whole
 * strings of the metadata only; the report counts them.
 */
reprise_status rp_proof(rp_replay *source, const reprise_value *substitutions, rp_sink *result,
                        rp_doc *doc, reprise_value *report, reprise_error *error);

#endif
