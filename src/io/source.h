/*
 * source.h - input with random access: a file, memory, the caller's callbacks, or a pipe (which is
 * read to its end first). Code above this layer never sees a file descriptor.
 */
#ifndef RP_SOURCE_H
#define RP_SOURCE_H

#include "context.h"
#include "reader.h"

typedef struct rp_source rp_source;

/*
 * Small files are mapped, unless the context says no; larger ones are read in pieces to bound
 * resident memory.
 */
reprise_status rp_source_open_file(rp_context *context, const char *path, rp_source **ret_source,
                                   reprise_error *error);
reprise_status rp_source_open_memory(rp_context *context, const void *data, size_t size,
                                     rp_source **ret_source, reprise_error *error);
/* Owns the callbacks, even if opening fails. */
reprise_status rp_source_open_callbacks(rp_context *context, const reprise_source *callbacks,
                                        rp_source **ret_source, reprise_error *error);
reprise_status rp_source_open_pipe(rp_context *context, int fd, rp_source **ret_source,
                                   reprise_error *error);
/* Reads an open regular file in pieces. The caller keeps the descriptor. */
reprise_status rp_source_open_descriptor(rp_context *context, int fd, rp_source **ret_source,
                                         reprise_error *error);
void rp_source_close(rp_source *source);

uint64_t rp_source_size(const rp_source *source);
/* Whether the bytes are in the caller's memory, so that reading them uses none of ours. */
bool rp_source_borrowed(const rp_source *source);
/* Returns the name of the file without its directory, or NULL. */
const char *rp_source_name(const rp_source *source);

/* Reads exactly `size` bytes, or fails with REPRISE_E_TRUNCATED. */
reprise_status rp_source_read(rp_source *source, uint64_t offset, void *to, size_t size,
                              reprise_error *error);

/*
 * Returns the bytes if they are in memory, else NULL, which is not a failure. Valid until the
 * source is closed.
 */
const uint8_t *rp_source_view(const rp_source *source, uint64_t offset, size_t size);

/*
 * Gives part of a source as contiguous memory: the source's own, or a copy in *ret_spare, which the
 * caller frees with rp_free(context, *ret_spare, size). *ret_spare is NULL if nothing was copied.
 */
reprise_status rp_source_piece(rp_source *source, uint64_t offset, size_t size,
                               const uint8_t **ret_data, uint8_t **ret_spare, reprise_error *error);

#endif
