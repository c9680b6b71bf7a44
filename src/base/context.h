/*
 * context.h - the resources of one replay: allocator, limits, cancellation callback.
 *
 * Every allocation of the library goes through here, so the memory limit always applies and tests
 * can make the Nth allocation fail. A context may be shared by the worker threads of one replay.
 */
#ifndef RP_CONTEXT_H
#define RP_CONTEXT_H

#include <stdatomic.h>

#include "error.h"

/*
 * The limits: name, default, documentation. A limit of 0 follows from the size of the input. Adding
 * a line here adds the limit to the public list, the help and the documentation.
 */
#define RP_LIMITS(L)                                                                \
    L(input_bytes, UINT64_C(4) << 30, "size of the input")                          \
    L(decoded_bytes, UINT64_C(2) << 30, "decoded size of one compressed stream")    \
    L(expansion_ratio, 1000, "decoded size : stored size, checked above 16 MiB")    \
    L(memory_bytes, 0, "memory that one replay may hold")                           \
    L(zip_entries, 100000, "entries of an archive")                                 \
    L(string_bytes, UINT64_C(16) << 20, "size of one string")                       \
    L(record_bytes, UINT64_C(16) << 20, "size of one frame or record")              \
    L(text_bytes, UINT64_C(16) << 20, "size of one metadata document")              \
    L(material_bytes, UINT64_C(1) << 20, "size of one material of a scene")         \
    L(items, UINT64_C(16) << 20, "length of one list")                              \
    L(depth, 64, "nesting of values")                                               \
    L(output_bytes, 0, "size of one result, or of the rows of one reading as text") \
    L(ticks, 0, "ticks of a match whose orders are simulated or imported")

typedef struct rp_limits {
#define RP_LIMIT_MEMBER(name, value, doc) uint64_t name##_max;
    RP_LIMITS(RP_LIMIT_MEMBER)
#undef RP_LIMIT_MEMBER
} rp_limits;

/* The public options object; src/api/options.c makes and changes it. */
struct reprise_options {
    rp_limits limits;
    reprise_allocator allocator; /* alloc is NULL: libc */
    char *format, *layout;       /* owned; NULL: recognise */
    reprise_progress *progress;
    void *progress_ctx;
    bool salvage;
    uint8_t *trusted_keys; /* owned */
    size_t trusted_key_count;
    const struct reprise_ic_simulation *simulation;
    reprise_simulating simulate;
    bool no_digests;
    bool no_mapping;
    unsigned threads;
};

/* Fills in the defaults. */
void rp_options_init(reprise_options *options);
/* The limit of that name, or NULL. */
uint64_t *rp_limit_find(rp_limits *limits, const char *name);

typedef struct rp_context {
    reprise_allocator allocator;
    rp_limits limits;
    uint64_t input_bytes; /* of all sources that were opened */
    uint64_t memory_max;  /* limits.memory_bytes_max, or the value that follows from the input */
    uint64_t output_max;  /* likewise, limits.output_bytes_max */
    uint64_t ticks_max;   /* likewise, limits.ticks_max */
    _Atomic uint64_t bytes_live;
    _Atomic uint64_t bytes_peak;
    atomic_bool refused; /* memory, because of memory_max */
    reprise_progress *progress;
    void *progress_ctx;
    const uint8_t *trusted_keys; /* owned by whoever owns the context; see rp_context_init */
    size_t trusted_key_count;
    const struct reprise_ic_simulation *simulation; /* the caller's, or NULL */
    const struct rp_engine *engine; /* starts simulations if the caller has none; may be NULL */
    reprise_simulating simulate;    /* which replays reprise_verify simulates */
    bool no_digests;                /* reprise_verify takes none of the decoded content */
    bool no_mapping;                /* files are read in pieces, however small */
    unsigned threads;               /* that may work on the replay, including the caller's */
    _Atomic unsigned threads_busy;  /* of the others, those that already do */
} rp_context;

/* NULL means the defaults. Trusted keys are not taken: whoever needs them makes a copy. */
void rp_context_init(rp_context *context, const reprise_options *options);

/*
 * Counts `size` bytes of input. Limits of 0 are derived from the total input size, so a small file
 * can never use much memory.
 */
void rp_context_add_input(rp_context *context, uint64_t size);

/*
 * Reserves up to `most` threads beside the caller's, so that together no more than the context
 * allows work on the replay. Returns how many; they are given back with rp_context_return_threads.
 */
unsigned rp_context_spare_threads(rp_context *context, unsigned most);
void rp_context_return_threads(rp_context *context, unsigned count);

/* Returns uninitialised memory, or NULL with the error set. A size of 0 gives a valid pointer. */
void *rp_alloc(rp_context *context, size_t size, reprise_error *error);
/* Returns zeroed memory for `count` items of `size` bytes. Fails if the product overflows. */
void *rp_alloc_zero(rp_context *context, size_t count, size_t size, reprise_error *error);
void *rp_realloc(rp_context *context, void *old, size_t old_size, size_t size,
                 reprise_error *error);
void rp_free(rp_context *context, void *old, size_t size);
/*
 * Memory that is handed over to the caller of the library no longer counts as the replay's. It
 * outlives the context, so its new owner keeps the allocator and frees it with rp_free_given.
 */
void rp_give(rp_context *context, size_t size);
void rp_free_given(const reprise_allocator *allocator, void *given, size_t size);
/*
 * Makes room for `count` items in a list that holds *capacity of them. Returns the list, which may
 * have moved, and updates *capacity; on failure returns NULL with the error set and changes
 * neither. The capacity at least doubles, so appending is cheap.
 */
void *rp_grow(rp_context *context, void *items, size_t count, size_t *capacity, size_t item_size,
              reprise_error *error);
/* The next capacity of a growing list and its size in bytes. */
bool rp_grown_size(size_t count, size_t item_size, size_t *capacity, size_t *ret_bytes,
                   reprise_error *error);

/*
 * For codec libraries that free without knowing the size, which is stored before the block. They
 * have no error to set; NULL means no memory.
 */
void *rp_codec_alloc(void *context, size_t size);
void rp_codec_free(void *context, void *memory);
/* Sets the error after a library got NULL: the memory limit if that was the reason, else no memory.
 */
reprise_status rp_codec_no_memory(const rp_context *context, const char *what,
                                  reprise_error *error);

/*
 * Whether a failure is about this process and not about the file: no memory, I/O, cancellation, the
 * memory limit. A reader must never treat such a failure as damage to skip.
 */
bool rp_is_own_failure(const rp_context *context, reprise_status status);

/* REPRISE_E_CANCELLED if the progress callback asks to stop. */
reprise_status rp_progress(const rp_context *context, uint64_t done, uint64_t total,
                           reprise_error *error);

/* Checks a declared size against a limit: "string size 99 is over limit string_bytes=10". */
reprise_status rp_limit(uint64_t value, uint64_t max, const char *what, const char *limit,
                        reprise_error *error);

#endif
