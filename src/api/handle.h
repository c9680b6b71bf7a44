/* handle.h - what is behind the public handles; shared by the files of this layer. */
#ifndef RP_HANDLE_H
#define RP_HANDLE_H

#include "describe.h"

struct reprise_replay {
    rp_context context;
    rp_source *source;
    rp_replay *replay;
    rp_columns columns;
    const char *columns_layout; /* the layout they were made for */
    rp_finding *open_findings;  /* the last one noticed while opening */
    reprise_value *info;
    rp_arena answer; /* of the last at, stats, verify or report */
};

/* A caller compiled against an older header has a shorter struct: the rest are defaults. */
reprise_options rp_complete_options(const reprise_options *options);
/* Forgets the last answer. */
rp_doc rp_new_answer(reprise_replay *handle, reprise_error *error);

#endif
