/* diff.h - the differences between two replays of one format: metadata, rows, fields. */
#ifndef RP_DIFF_H
#define RP_DIFF_H

#include "format.h"

/*
 * Frames are paired by number, objects within a frame by their number, everything else in order.
 * States are compared as they are at each frame, however often they were stored. A recording that
 * counts frames from another start than the other is moved to where most rows agree.
 */
reprise_status rp_diff(rp_replay *a, rp_replay *b, const reprise_diff_options *options, rp_doc *doc,
                       reprise_value *report, bool *ret_equal, reprise_error *error);

/* Whether two replays have exactly the same content. */
reprise_status rp_same_content(rp_replay *a, rp_replay *b, bool *ret_equal, reprise_error *error);

#endif
