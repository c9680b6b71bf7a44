/*
 * scratch.h - an unnamed temporary file with random access, for libraries that need one. It is gone
 * when it is closed, even if the program is killed.
 */
#ifndef RP_SCRATCH_H
#define RP_SCRATCH_H

#include "sink.h"

typedef struct rp_scratch {
    int fd;
    int cause; /* errno of the first failure, or 0 */
} rp_scratch;

/* False if no file can be made: `cause` says why. */
bool rp_scratch_open(rp_scratch *scratch);
void rp_scratch_close(rp_scratch *scratch);

/* Reads up to `size` bytes; returns how many, or -1. */
int64_t rp_scratch_read(rp_scratch *scratch, uint64_t offset, void *to, size_t size);
bool rp_scratch_write(rp_scratch *scratch, uint64_t offset, const void *data, size_t size);
bool rp_scratch_resize(rp_scratch *scratch, uint64_t size);
bool rp_scratch_size(rp_scratch *scratch, uint64_t *ret_size);

/* Copies everything to a sink. */
reprise_status rp_scratch_copy(rp_scratch *scratch, rp_context *context, rp_sink *to,
                               reprise_error *error);

#endif
