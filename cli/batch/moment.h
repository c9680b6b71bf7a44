/* moment.h - moments given as options, in a replay: times, frames and names of markers. */
#ifndef CLI_BATCH_MOMENT_H
#define CLI_BATCH_MOMENT_H

#include "options.h"
#include "reprise/scene.h"

/*
 * The moment an option names. A marker is the first with that name after `after`; REPRISE_E_USAGE
 * if there is none.
 */
reprise_status cli_moment_find(reprise_replay *replay, const cli_moment *option, double after,
                               reprise_moment *ret_moment, reprise_error *error);

/*
 * The range of --from and --to, either of which may be missing. Bounds that are not given stay as
 * they are. REPRISE_E_USAGE if it ends before it starts.
 */
typedef struct cli_range {
    double time_from, time_to;
    int64_t index_from, index_to;
} cli_range;
reprise_status cli_range_find(reprise_replay *replay, const cli_moment *from, const cli_moment *to,
                              cli_range *range, reprise_error *error);
/* The same for a scene. */
reprise_status cli_scene_range(reprise_replay *replay, const cli_moment *from, const cli_moment *to,
                               reprise_scene_options *options, reprise_error *error);

#endif
