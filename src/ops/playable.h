/*
 * playable.h - checks whether the game can play a result, before it becomes visible.
 *
 * A result that breaks a rule of the game is refused, unless the caller agreed to losses or the
 * source breaks the same rule. Broken rules are listed in the report, "unplayable".
 */
#ifndef RP_PLAYABLE_H
#define RP_PLAYABLE_H

#include "format.h"

/* `source` is NULL for a result that was not made from a file of this format. */
reprise_status rp_check_playable(rp_context *context, const rp_format *format, rp_replay *source,
                                 rp_sink *sink, bool lossy, rp_doc *doc, reprise_value *report,
                                 reprise_error *error);

#endif
