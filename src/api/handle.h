/* handle.h - the public replay handle and helpers shared by the files of this layer. */
#ifndef RP_HANDLE_H
#define RP_HANDLE_H

#include "describe.h"
#include "entry.h"
#include "reprise/write.h"

struct reprise_replay {
    unsigned references; /* the caller's, and one for each child that is open */
    bool closed;         /* by the caller: a second close, while children are open, does nothing */
    rp_context context;
    rp_source *source;
    rp_replay *replay;
    rp_columns columns;
    const char *columns_layout; /* the layout they were made for */
    rp_replay *verified;        /* the one that verify opened for itself, or NULL */
    reprise_value *info;
    rp_arena answer;    /* of the last at, stats, verify or report */
    rp_arena settings;  /* copies of options that must outlive the options object */
    const char *layout; /* the layout that the options ask for, or NULL */
    reprise_error cut;  /* why it could only be opened in part, or REPRISE_OK */
};

enum { RP_TRUSTED_KEY_SIZE = 32 };

/*
 * The replay, to ask it something. What is read once and kept is not read again, and leaves its
 * findings only the first time; verify therefore opens another one after this.
 */
static inline rp_replay *rp_use(const reprise_replay *handle)
{
    handle->replay->used = true;
    return handle->replay;
}

/* Children (rows, scenes, players) keep their replay open until they are closed themselves. */
reprise_replay *rp_retain(reprise_replay *handle);
void rp_release(reprise_replay *handle);

/* Makes the columns again if the layout has changed since. */
reprise_status rp_refresh_columns(reprise_replay *handle, reprise_error *error);
/* The options with defaults for members that the caller's version lacks; NULL: all defaults. */
reprise_status rp_take_write_options(reprise_write_options *to, const reprise_write_options *from,
                                     reprise_error *error);
/* Opens the target, has `put` write it, and makes it visible if that succeeds. */
reprise_status rp_write_target(rp_context *context, const reprise_write_options *options,
                               reprise_status (*put)(void *ctx, rp_sink *sink,
                                                     reprise_error *error),
                               void *ctx, reprise_error *error);
/* The status of a step over rows: an end is the cut, if the file is cut short. */
reprise_status rp_end_with_cut(const reprise_replay *handle, reprise_status status,
                               reprise_error *error);
/* Fails if the file is cut short: for operations that need all of it. */
reprise_status rp_refuse_cut(const reprise_replay *handle, reprise_error *error);
/* The format of that name; REPRISE_E_USAGE if there is none. */
reprise_status rp_known_format(const char *name, const rp_format **ret_format,
                               reprise_error *error);
/* Frees the last answer and begins a new one. */
rp_doc rp_new_answer(reprise_replay *handle, reprise_error *error);

#endif
