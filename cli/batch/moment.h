/* moment.h - moments given as options, in a replay: times, frames and names of markers. */
#ifndef CLI_BATCH_MOMENT_H
#define CLI_BATCH_MOMENT_H

#include "options.h"
#include "reprise/reprise.h"

/*
 * The moment an option names. A marker is the first with that name after `after`; REPRISE_E_USAGE
 * if there is none.
 */
reprise_status cli_moment_find(reprise_replay *replay, const cli_moment *option, double after,
                               reprise_moment *ret_moment, reprise_error *error);

/* Where the bounds of a range are: in options for rows, for batches or for a scene. */
typedef struct cli_range {
    double *time_from, *time_to;
    int64_t *index_from, *index_to;
} cli_range;
#define CLI_RANGE_OF(options)                                                        \
    ((cli_range){&(options)->time_from, &(options)->time_to, &(options)->index_from, \
                 &(options)->index_to})

/*
 * Sets the range of --from and --to, either of which may be missing. Bounds that are not given stay
 * as they are. REPRISE_E_USAGE if it ends before it starts.
 */
reprise_status cli_range_find(reprise_replay *replay, const cli_moment *from, const cli_moment *to,
                              cli_range range, reprise_error *error);

#endif
