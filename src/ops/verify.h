/* verify.h - reads everything and reports what is wrong with it. */
#ifndef RP_VERIFY_H
#define RP_VERIFY_H

#include "format.h"

/*
 * Decodes all tracks and then asks the format for what decoding does not check. Damage becomes a
 * fault among the findings; only trouble of our own (memory, cancellation) is returned.
 */
reprise_status rp_verify(rp_replay *replay, rp_doc *doc, reprise_value *summary,
                         reprise_error *error);

#endif
