/*
 * context.h - what one replay may use: allocator, limits, and somebody to ask whether to go on.
 *
 * Every allocation of the library goes through here, so that the memory limit holds and tests can
 * make the Nth one fail. A context may be shared by the worker threads of one replay.
 */
#ifndef RP_CONTEXT_H
#define RP_CONTEXT_H

#include <stdatomic.h>

#include "error.h"

typedef struct rp_context {
    reprise_allocator allocator;
    reprise_limits limits;
    uint64_t input_bytes; /* of all sources that were opened */
    uint64_t memory_max;  /* limits.memory_bytes_max, or what follows from the input */
    uint64_t output_max;  /* likewise, limits.output_bytes_max */
    uint64_t ticks_max;   /* likewise, limits.ticks_max */
    _Atomic uint64_t bytes_live;
    _Atomic uint64_t bytes_peak;
    atomic_bool refused; /* memory, because of memory_max */
    bool (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    const uint8_t *trusted_keys; /* the caller's */
    size_t trusted_key_count;
    const struct reprise_ic_simulation *simulation; /* the caller's, or NULL */
    const struct rp_engine *engine; /* starts simulations if the caller has none; may be NULL */
    reprise_simulating simulate;    /* when verifying plays orders again */
    unsigned threads;               /* that may work on the replay, the caller's own among them */
} rp_context;

void rp_context_init(rp_context *context, const reprise_options *options);

/*
 * Counts input of `size` bytes. Limits of 0 follow from the size of the input: a small file can
 * never cost much.
 */
void rp_context_add_input(rp_context *context, uint64_t size);

/* Uninitialised memory, or NULL with the error set. A size of 0 gives a valid pointer. */
void *rp_alloc(rp_context *context, size_t size, reprise_error *error);
/* Zeroed memory for `count` items of `size` bytes; a product that overflows fails. */
void *rp_alloc_zero(rp_context *context, size_t count, size_t size, reprise_error *error);
void *rp_realloc(rp_context *context, void *old, size_t old_size, size_t size,
                 reprise_error *error);
void rp_free(rp_context *context, void *old, size_t size);

/*
 * For codec libraries that free without knowing the size: the size is kept in front. They have no
 * error to set; NULL means no memory.
 */
void *rp_codec_alloc(void *context, size_t size);
void rp_codec_free(void *context, void *memory);
/* The failure of a library that got NULL: the limit if that was the reason, else no memory. */
reprise_status rp_codec_no_memory(const rp_context *context, const char *what,
                                  reprise_error *error);

/*
 * Whether a failure says something about us and not about the file: no memory, reading, cancelling,
 * and the memory limit. Such a failure is never taken for damage that a reader may step over.
 */
bool rp_our_trouble(const rp_context *context, reprise_status status);

/* REPRISE_E_CANCELLED when the caller wants to stop. */
reprise_status rp_progress(const rp_context *context, uint64_t done, uint64_t total,
                           reprise_error *error);

/* Checks one declared size against one limit: "string of 99 bytes, limit string_bytes=10". */
reprise_status rp_limit(uint64_t value, uint64_t max, const char *what, const char *limit,
                        reprise_error *error);

#endif
