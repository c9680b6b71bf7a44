/*
 * sink.h - where output goes: memory, the caller's callback, a file that appears whole or not at
 * all, or a spool that only its writer ever sees.
 */
#ifndef RP_SINK_H
#define RP_SINK_H

#include "source.h"
#include "writer.h"

typedef struct rp_sink rp_sink;

/* Collects in `to`, which the caller owns. */
reprise_status rp_sink_open_memory(rp_context *context, rp_writer *to, rp_sink **ret_sink,
                                   reprise_error *error);
reprise_status rp_sink_open_callback(rp_context *context, const reprise_sink *callback,
                                     rp_sink **ret_sink, reprise_error *error);
/*
 * Writes to a temporary name beside `path`; rp_sink_commit flushes it to disk and renames it. An
 * existing file is replaced only with `replace`. `mode` is the file's permissions before the user's
 * mask; 0: those of any new file.
 */
reprise_status rp_sink_open_file(rp_context *context, const char *path, bool replace, uint32_t mode,
                                 rp_sink **ret_sink, reprise_error *error);

/* A file that is open for reading and writing; the sink owns the descriptor, also on failure. */
reprise_status rp_sink_open_descriptor(rp_context *context, int fd, rp_sink **ret_sink,
                                       reprise_error *error);

/*
 * Holds bytes whose place in the output is not known yet: a little in memory, more in a file
 * without a name beside what `beside` writes (NULL: in the directory for temporary files). It
 * vanishes with the sink, also when the program is killed.
 */
reprise_status rp_sink_open_spool(rp_context *context, const rp_sink *beside, rp_sink **ret_sink,
                                  reprise_error *error);

reprise_status rp_sink_write(rp_sink *sink, const void *data, size_t size, reprise_error *error);
uint64_t rp_sink_size(const rp_sink *sink);

/*
 * For files whose header must not be believed before everything behind it is on disk: `size` zeros
 * stand at the start, and what they shall become is written by the commit, after a sync of the rest
 * and before another. A callback cannot; what it gets comes from a spool anyway.
 */
reprise_status rp_sink_begin_head(rp_sink *sink, size_t size, reprise_error *error);
reprise_status rp_sink_end_head(rp_sink *sink, const void *head, size_t size, reprise_error *error);

/*
 * What was written so far, as a source; the sink must outlive it and not be written to meanwhile.
 * A callback keeps nothing: that is REPRISE_E_UNSUPPORTED.
 */
reprise_status rp_sink_reopen(rp_sink *sink, rp_source **ret_source, reprise_error *error);
/* Everything of a source. */
reprise_status rp_sink_copy(rp_sink *sink, rp_source *from, reprise_error *error);
reprise_status rp_sink_copy_range(rp_sink *sink, rp_source *from, uint64_t offset, uint64_t size,
                                  reprise_error *error);

/* Makes the result visible. Without it, rp_sink_close leaves nothing behind. */
reprise_status rp_sink_commit(rp_sink *sink, reprise_error *error);
void rp_sink_close(rp_sink *sink);

#endif
