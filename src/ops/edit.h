/*
 * edit.h - rewriting a replay: in another layout, trimmed, without private data, or compressed at
 * another level.
 *
 * All of these work the same way. The format plans the edit, the source is decoded, rows are
 * dropped or changed, the encoder writes, the result is checked, and only then does it become
 * visible.
 */
#ifndef RP_EDIT_H
#define RP_EDIT_H

#include "output.h"
#include "range.h"

typedef struct rp_edit_request {
    rp_edit edit; /* its range is computed from the bounds below */
    reprise_bound from, to;
    int level;
    bool long_range;
    bool lossy;  /* write the result even if something is lost */
    bool proves; /* the result must have no faults, even if the source has some */
} rp_edit_request;

/*
 * Fills in the report: layouts, losses, notes, size, substitutions. With REPRISE_E_LOSSY, the
 * report still has everything that is known from the plan.
 */
reprise_status rp_edit_run(rp_replay *source, const rp_edit_request *request,
                           const rp_target *target, rp_doc *doc, reprise_value *report,
                           reprise_error *error);

/*
 * Recompresses the content at another level, and compares it with the source before the result
 * becomes visible.
 */
reprise_status rp_recompress(rp_replay *source, const rp_write_options *options,
                             const rp_target *target, rp_doc *doc, reprise_value *report,
                             reprise_error *error);

/* Merges several recordings; `offsets` has one number per recording, NaN where it is unknown. */
reprise_status rp_merge(rp_replay *const *sources, size_t count, double *offsets,
                        const rp_write_options *options, const rp_target *target, rp_doc *doc,
                        reprise_value *report, reprise_error *error);

#endif
