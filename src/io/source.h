/*
 * source.h - bytes with random access, wherever they are.
 *
 * Four kinds look the same from here: a file, memory, the caller's callbacks, and a pipe (read to
 * its end first). Code above this layer never sees a file descriptor.
 */
#ifndef RP_SOURCE_H
#define RP_SOURCE_H

#include "context.h"
#include "reader.h"

typedef struct rp_source rp_source;

/* Small files are mapped; larger ones are read in pieces, so that resident memory stays bounded. */
reprise_status rp_source_open_file(rp_context *context, const char *path, rp_source **ret_source,
                                   reprise_error *error);
reprise_status rp_source_open_memory(rp_context *context, const void *data, size_t size,
                                     rp_source **ret_source, reprise_error *error);
/* Takes over the callbacks, also on failure. */
reprise_status rp_source_open_callbacks(rp_context *context, const reprise_source *callbacks,
                                        rp_source **ret_source, reprise_error *error);
reprise_status rp_source_open_pipe(rp_context *context, int fd, rp_source **ret_source,
                                   reprise_error *error);
/* A regular file that is open already, read in pieces; the descriptor stays the caller's. */
reprise_status rp_source_open_descriptor(rp_context *context, int fd, rp_source **ret_source,
                                         reprise_error *error);
void rp_source_close(rp_source *source);

uint64_t rp_source_size(const rp_source *source);
/* Whether the bytes lie in the caller's memory, so that looking at all of them takes none of ours.
 */
bool rp_source_borrowed(const rp_source *source);
/* The name of the file without its folders, or NULL where there is none. */
const char *rp_source_name(const rp_source *source);

/* Reads exactly `size` bytes; fewer is REPRISE_E_TRUNCATED. */
reprise_status rp_source_read(rp_source *source, uint64_t offset, void *to, size_t size,
                              reprise_error *error);

/*
 * The bytes themselves where they are in memory anyway, else NULL: a shortcut, never a failure.
 * Valid until the source is closed.
 */
const uint8_t *rp_source_view(const rp_source *source, uint64_t offset, size_t size);

/*
 * Part of a source as one piece: its own memory, or a copy in *spare, which the caller frees with
 * rp_free(context, *spare, size). *spare is NULL when nothing was copied.
 */
reprise_status rp_source_piece(rp_source *source, uint64_t offset, size_t size,
                               const uint8_t **ret_data, uint8_t **ret_spare, reprise_error *error);

#endif
