/* metadata_diff.h - the differences between the metadata of two replays. */
#ifndef RP_METADATA_DIFF_H
#define RP_METADATA_DIFF_H

#include "format.h"

typedef struct rp_metadata_diff {
    rp_doc *doc;         /* NULL: they are only counted */
    reprise_value *list; /* gets {path, a, b} for each difference, up to a limit */
    uint64_t count;
    bool other_events; /* it is not the metadata of one event */
} rp_metadata_diff;

reprise_status rp_metadata_compare(rp_metadata_diff *diff, rp_replay *a, rp_replay *b,
                                   reprise_error *error);

#endif
