/*
 * sink.h - where output goes: memory, the caller's callback, or a file that appears whole or not
 * at all.
 */
#ifndef RP_SINK_H
#define RP_SINK_H

#include "writer.h"

typedef struct rp_sink rp_sink;

/* Collects in `to`, which the caller owns. */
reprise_status rp_sink_open_memory(rp_context *context, rp_writer *to, rp_sink **ret_sink,
                                   reprise_error *error);
reprise_status rp_sink_open_callback(rp_context *context, const reprise_sink *callback,
                                     rp_sink **ret_sink, reprise_error *error);
/*
 * Writes to a temporary name beside `path`; rp_sink_commit flushes it to disk and renames it. An
 * existing file is replaced only with `replace`.
 */
reprise_status rp_sink_open_file(rp_context *context, const char *path, bool replace,
                                 rp_sink **ret_sink, reprise_error *error);

reprise_status rp_sink_write(rp_sink *sink, const void *data, size_t size, reprise_error *error);
uint64_t rp_sink_size(const rp_sink *sink);

/* Makes the result visible. Without it, rp_sink_close leaves nothing behind. */
reprise_status rp_sink_commit(rp_sink *sink, reprise_error *error);
void rp_sink_close(rp_sink *sink);

#endif
