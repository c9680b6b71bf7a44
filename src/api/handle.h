/* handle.h - what is behind the public handles; shared by the files of this layer. */
#ifndef RP_HANDLE_H
#define RP_HANDLE_H

#include "describe.h"
#include "entry.h"

struct reprise_replay {
    unsigned references; /* the caller's, and one for each child that is open */
    rp_context context;
    rp_source *source;
    rp_replay *replay;
    rp_columns columns;
    const char *columns_layout; /* the layout they were made for */
    rp_finding *open_findings;  /* the last one noticed while opening */
    reprise_value *info;
    rp_arena answer; /* of the last at, stats, verify or report */
};

/* Children (rows, scenes, players) keep their replay open until they are closed themselves. */
reprise_replay *rp_retain(reprise_replay *handle);
void rp_release(reprise_replay *handle);

/* The options with defaults for what the caller's version does not have; NULL: all defaults. */
reprise_status rp_take_open_options(reprise_options *to, const reprise_options *from,
                                    reprise_error *error);
reprise_status rp_take_write_options(reprise_write_options *to, const reprise_write_options *from,
                                     reprise_error *error);
/* Opens what the options name, has `put` fill it, and makes it visible if that worked. */
reprise_status rp_write_target(rp_context *context, const reprise_write_options *options,
                               reprise_status (*put)(void *ctx, rp_sink *sink,
                                                     reprise_error *error),
                               void *ctx, reprise_error *error);
/* Forgets the last answer. */
rp_doc rp_new_answer(reprise_replay *handle, reprise_error *error);

#endif
