/*
 * playable.h - whether the game can play what was written, before it appears.
 *
 * A result that breaks a rule of the game is refused, unless the caller agreed to losses or the
 * source broke the same rule. What remains broken stands in the report, "unplayable".
 */
#ifndef RP_PLAYABLE_H
#define RP_PLAYABLE_H

#include "format.h"

/* `source` may be NULL: made anew. */
reprise_status rp_check_playable(rp_context *context, const rp_format *format, rp_replay *source,
                                 rp_sink *sink, bool lossy, rp_doc *doc, reprise_value *report,
                                 reprise_error *error);

#endif
