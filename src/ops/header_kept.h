/* header_kept.h - whether the header of a written replay holds the metadata that was given. */
#ifndef RP_HEADER_KEPT_H
#define RP_HEADER_KEPT_H

#include "format.h"

/*
 * REPRISE_E_LOSSY, naming members, where the result's header lacks or changes what was given.
 * Members that say nothing (null, false, 0, empty) may be missing, and those that the format fills
 * in may differ. Documents are made in `doc`.
 */
reprise_status rp_header_kept(const rp_encoder *encoder, rp_replay *result, rp_doc *doc,
                              reprise_error *error);

#endif
