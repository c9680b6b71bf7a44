/*
 * outdir.h - output directories, and reading files by name, safe against hostile names.
 *
 * An output directory is newly created with permissions for its owner only. No symbolic link is
 * followed, no directory that another program put there is entered, and no existing file is opened.
 * Unless it is committed, everything in it is deleted.
 */
#ifndef RP_OUTDIR_H
#define RP_OUTDIR_H

#include "sink.h"

typedef struct rp_outdir rp_outdir;

/* Creates the directory. Fails if anything of that name exists. */
reprise_status rp_outdir_open(rp_context *context, const char *path, rp_outdir **ret_dir,
                              reprise_error *error);
/*
 * Creates a file and the directories leading to it. A name that rp_name_portable rejects is
 * REPRISE_E_CORRUPT. Commit and close the sink before the directory.
 */
reprise_status rp_outdir_create(rp_outdir *dir, const char *name, rp_sink **ret_sink,
                                reprise_error *error);
reprise_status rp_outdir_commit(rp_outdir *dir, reprise_error *error);
void rp_outdir_close(rp_outdir *dir);

/*
 * Whether a name is a safe relative file name on every system: UTF-8, parts of reasonable length
 * separated by single slashes, no "." or "..", no control character, backslash, colon or other
 * character with a special meaning, no space or dot at the end of a part, and no DOS device name
 * ("con", "LPT1.yaml").
 */
bool rp_name_portable(const char *name);

/*
 * Opens a regular file in a directory for reading, by a portable name and without following
 * symbolic links. Returns a descriptor, or -1 with the error set.
 */
int rp_open_below(const char *directory, const char *name, reprise_error *error);

#endif
