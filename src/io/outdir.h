/*
 * outdir.h - directories that hostile names cannot lead out of: one that is made for a result, and
 * ones that files are read from by name.
 *
 * The first is new, for the user alone, and holds only what was put into it here: no link is
 * followed, no directory that somebody else put there is entered, nothing that exists is opened.
 * Without a commit everything goes again.
 */
#ifndef RP_OUTDIR_H
#define RP_OUTDIR_H

#include "sink.h"

typedef struct rp_outdir rp_outdir;

/* A name that is taken, by whatever it may be, is refused. */
reprise_status rp_outdir_open(rp_context *context, const char *path, rp_outdir **ret_dir,
                              reprise_error *error);
/*
 * A new file in it; directories on the way are made. A name that rp_name_portable does not like is
 * REPRISE_E_CORRUPT. The sink is closed before the directory, and its commit counts.
 */
reprise_status rp_outdir_create(rp_outdir *dir, const char *name, rp_sink **ret_sink,
                                reprise_error *error);
reprise_status rp_outdir_commit(rp_outdir *dir, reprise_error *error);
void rp_outdir_close(rp_outdir *dir);

/*
 * Whether a name means a file below any directory on any system: relative, parts of sensible length
 * between single slashes, none of them "." or "..", no control character, backslash, colon or other
 * sign that some system gives a meaning, no space or dot at the end of a part, no device of DOS
 * ("con", "LPT1.yaml"), UTF-8.
 */
bool rp_name_portable(const char *name);

/*
 * Opens a regular file below a directory for reading, by such a name and without following a link
 * anywhere on the way. Returns a descriptor, or -1 with the error set.
 */
int rp_open_below(const char *directory, const char *name, reprise_error *error);

#endif
