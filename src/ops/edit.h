/*
 * edit.h - writing a replay again: in another layout, cut, without private data, at another level.
 *
 * All of these are one way through the data: the format plans, the source is decoded, rows are cut
 * and changed, the encoder writes, the result is proven where it must be, and only then appears.
 */
#ifndef RP_EDIT_H
#define RP_EDIT_H

#include "output.h"
#include "range.h"

typedef struct rp_edit_request {
    rp_edit edit; /* the range of a cut is found from the bounds below */
    reprise_bound from, to;
    int level;
    bool long_range;
    bool lossy;  /* go on although something is lost */
    bool proves; /* the result must pass verification, whatever is wrong with the source */
} rp_edit_request;

/*
 * Fills in the report: layouts, losses, notes, size, substitutions. It is complete as far as the
 * plan goes also when the status is REPRISE_E_LOSSY.
 */
reprise_status rp_edit_run(rp_replay *source, const rp_edit_request *request,
                           const rp_target *target, rp_doc *doc, reprise_value *report,
                           reprise_error *error);

/* The same content at another level, compared with the source before it appears. */
reprise_status rp_recompress(rp_replay *source, const rp_write_options *options,
                             const rp_target *target, rp_doc *doc, reprise_value *report,
                             reprise_error *error);

/* Several recordings as one; `offsets` has one number per recording, NaN where it is unknown. */
reprise_status rp_merge(rp_replay *const *sources, size_t count, double *offsets,
                        const rp_write_options *options, const rp_target *target, rp_doc *doc,
                        reprise_value *report, reprise_error *error);

#endif
