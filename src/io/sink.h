/*
 * sink.h - output to memory, to the caller's callback, to a file that appears only when complete,
 * or to a temporary spool.
 */
#ifndef RP_SINK_H
#define RP_SINK_H

#include "source.h"
#include "writer.h"

typedef struct rp_sink rp_sink;

/* Appends to `to`, which the caller owns. */
reprise_status rp_sink_open_memory(rp_context *context, rp_writer *to, rp_sink **ret_sink,
                                   reprise_error *error);
reprise_status rp_sink_open_callback(rp_context *context, const reprise_sink *callback,
                                     rp_sink **ret_sink, reprise_error *error);
/*
 * Writes to a temporary file in the directory of `path`; rp_sink_commit flushes it to disk and
 * renames it. An existing file is replaced only if `replace` is set. `mode` is the file's
 * permissions before the umask; 0: those of any new file.
 */
reprise_status rp_sink_open_file(rp_context *context, const char *path, bool replace, uint32_t mode,
                                 rp_sink **ret_sink, reprise_error *error);

/* Writes to an open file. The sink owns the descriptor, even if opening fails. */
reprise_status rp_sink_open_descriptor(rp_context *context, int fd, rp_sink **ret_sink,
                                       reprise_error *error);

/*
 * Holds bytes whose place in the output is not known yet: a small amount in memory, more in an
 * unnamed file in the directory of the file that `beside` writes (NULL: in the directory for
 * temporary files). It is deleted with the sink, even if the program is killed.
 */
reprise_status rp_sink_open_spool(rp_context *context, const rp_sink *beside, rp_sink **ret_sink,
                                  reprise_error *error);

/* An unnamed file in the directory for temporary files, which the caller closes, or -1. */
int rp_spool_descriptor(void);

reprise_status rp_sink_write(rp_sink *sink, const void *data, size_t size, reprise_error *error);
/* Writes numbers as 32 bits each, little-endian. */
reprise_status rp_sink_write_floats(rp_sink *sink, const float *values, size_t count,
                                    reprise_error *error);
uint64_t rp_sink_size(const rp_sink *sink);

/*
 * For files whose header must become valid only after the rest is on disk: the file starts with
 * `size` zeros, and rp_sink_commit syncs the rest, writes the header and syncs again. Callback
 * sinks do not support this.
 */
reprise_status rp_sink_begin_head(rp_sink *sink, size_t size, reprise_error *error);
reprise_status rp_sink_end_head(rp_sink *sink, const void *head, size_t size, reprise_error *error);

/*
 * Opens what was written so far as a source. The sink must outlive the source and must not be
 * written to while it is open. REPRISE_E_UNSUPPORTED for callbacks.
 */
reprise_status rp_sink_reopen(rp_sink *sink, rp_source **ret_source, reprise_error *error);
/* Copies a complete source. */
reprise_status rp_sink_copy(rp_sink *sink, rp_source *from, reprise_error *error);
reprise_status rp_sink_copy_range(rp_sink *sink, rp_source *from, uint64_t offset, uint64_t size,
                                  reprise_error *error);

/* Makes the result visible. Without it, rp_sink_close discards the output. */
reprise_status rp_sink_commit(rp_sink *sink, reprise_error *error);
void rp_sink_close(rp_sink *sink);

#endif
