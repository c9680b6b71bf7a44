/* header_kept.h - checks that a written replay has the metadata that was given. */
#ifndef RP_HEADER_KEPT_H
#define RP_HEADER_KEPT_H

#include "format.h"

/*
 * REPRISE_E_LOSSY, naming members, if the header of the result lacks or changes some of the given
 * metadata. Empty members (null, false, 0, "") may be missing, and members that the format fills in
 * may differ. Documents are made in `doc`.
 */
reprise_status rp_header_kept(const rp_encoder *encoder, rp_replay *result, rp_doc *doc,
                              reprise_error *error);

#endif
