/* context.c - the only caller of malloc. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "checked.h"

/*
 * Limits of 0 follow from the size of the input: a base, and an amount for each byte. Memory covers
 * codec windows, read buffers, and decoded values, which are larger than stored ones. Output covers
 * rows as text: a player who does not move for hours costs hardly any input. The base of ticks is
 * 16 hours of a match.
 */
typedef struct allowance {
    uint64_t base, per_byte;
} allowance;

static const allowance memory_allowance = {UINT64_C(48) << 20, 16};
static const allowance output_allowance = {UINT64_C(1) << 30, 1000};
static const allowance ticks_allowance = {900000, 16};
enum { CAPACITY_MIN = 8 }; /* of a list that grows */
/* For writers without an input. */
#define MEMORY_WITHOUT_INPUT ((uint64_t)2 << 30)

static uint64_t limit_or(uint64_t limit, const allowance *allowed, uint64_t input)
{
    uint64_t most = (UINT64_MAX - allowed->base) / allowed->per_byte;
    return limit ? limit : allowed->base + allowed->per_byte * RP_MIN(input, most);
}

static void *libc_alloc(void *ctx, size_t size)
{
    RP_UNUSED(ctx);
    return malloc(size);
}

static void *libc_realloc(void *ctx, void *old, size_t old_size, size_t size)
{
    RP_UNUSED(ctx);
    RP_UNUSED(old_size);
    return realloc(old, size);
}

static void libc_free(void *ctx, void *old, size_t size)
{
    RP_UNUSED(ctx);
    RP_UNUSED(size);
    free(old);
}

/* ---- options ---- */

void rp_options_init(reprise_options *options)
{
#define LIMIT_VALUE(name, value, doc) .name##_max = (value),
    *options = (reprise_options){.limits = {RP_LIMITS(LIMIT_VALUE)}};
#undef LIMIT_VALUE
}

static const reprise_limit limit_list[] = {
#define LIMIT_ENTRY(name, value, doc) {#name, (value), doc},
    RP_LIMITS(LIMIT_ENTRY)
#undef LIMIT_ENTRY
};

static const size_t limit_offsets[] = {
#define LIMIT_OFFSET(name, value, doc) offsetof(rp_limits, name##_max),
    RP_LIMITS(LIMIT_OFFSET)
#undef LIMIT_OFFSET
};

size_t reprise_limit_count(void)
{
    return RP_COUNT(limit_list);
}

const reprise_limit *reprise_limit_at(size_t index)
{
    return index < RP_COUNT(limit_list) ? &limit_list[index] : NULL;
}

uint64_t *rp_limit_find(rp_limits *limits, const char *name)
{
    for (size_t i = 0; i < RP_COUNT(limit_list); i++) {
        if (strcmp(limit_list[i].name, name) == 0)
            return (void *)((char *)limits + limit_offsets[i]);
    }
    return NULL;
}

/* ---- contexts ---- */

void rp_context_init(rp_context *context, const reprise_options *options)
{
    reprise_options defaults;
    rp_options_init(&defaults);
    const reprise_options *o = options ? options : &defaults;
    *context = (rp_context){
        .allocator = o->allocator.alloc ? o->allocator
                                        : (reprise_allocator){.alloc = libc_alloc,
                                                              .realloc = libc_realloc,
                                                              .free = libc_free},
        .limits = o->limits,
        .memory_max = o->limits.memory_bytes_max ? o->limits.memory_bytes_max
                                                 : MEMORY_WITHOUT_INPUT,
        .output_max = o->limits.output_bytes_max ? o->limits.output_bytes_max : UINT64_MAX,
        .ticks_max = o->limits.ticks_max ? o->limits.ticks_max : UINT64_MAX,
        .progress = o->progress,
        .progress_ctx = o->progress_ctx,
        .simulation = o->simulation,
        .simulate = o->simulate,
        .no_digests = o->no_digests,
        .no_mapping = o->no_mapping,
        .threads = o->threads,
    };
}

unsigned rp_context_spare_threads(rp_context *context, unsigned most)
{
    unsigned others = context->threads > 1 ? context->threads - 1 : 0;
    unsigned busy = atomic_load(&context->threads_busy), count = 0;
    do {
        count = busy < others ? RP_MIN(others - busy, most) : 0;
    } while (!atomic_compare_exchange_weak(&context->threads_busy, &busy, busy + count));
    return count;
}

void rp_context_return_threads(rp_context *context, unsigned count)
{
    atomic_fetch_sub(&context->threads_busy, count);
}

void rp_context_add_input(rp_context *context, uint64_t size)
{
    uint64_t room = UINT64_MAX - context->input_bytes;
    context->input_bytes += RP_MIN(size, room);
    const rp_limits *limits = &context->limits;
    uint64_t input = context->input_bytes;
    context->memory_max = limit_or(limits->memory_bytes_max, &memory_allowance, input);
    context->output_max = limit_or(limits->output_bytes_max, &output_allowance, input);
    context->ticks_max = limit_or(limits->ticks_max, &ticks_allowance, input);
}

static void note_peak(rp_context *context, uint64_t live)
{
    uint64_t peak = atomic_load_explicit(&context->bytes_peak, memory_order_relaxed);
    while (live > peak &&
           !atomic_compare_exchange_weak_explicit(&context->bytes_peak, &peak, live,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

static reprise_status memory_refused(const rp_context *context, size_t size, reprise_error *error)
{
    return rp_error_set(error, REPRISE_E_LIMIT, "%zu more bytes would pass limit memory_bytes=%llu",
                        size, (unsigned long long)context->memory_max);
}

/* Books `size` more bytes; fails if that would pass the memory limit. */
static bool book(rp_context *context, size_t size, reprise_error *error)
{
    uint64_t live = atomic_fetch_add_explicit(&context->bytes_live, size, memory_order_relaxed);
    if (size <= context->memory_max && live <= context->memory_max - size) {
        note_peak(context, live + size);
        return true;
    }
    atomic_fetch_sub_explicit(&context->bytes_live, size, memory_order_relaxed);
    atomic_store_explicit(&context->refused, true, memory_order_relaxed);
    if (error)
        memory_refused(context, size, error);
    return false;
}

static void unbook(rp_context *context, size_t size)
{
    atomic_fetch_sub_explicit(&context->bytes_live, size, memory_order_relaxed);
}

void *rp_alloc(rp_context *context, size_t size, reprise_error *error)
{
    size = RP_MAX(size, 1);
    if (!book(context, size, error))
        return NULL;
    void *memory = context->allocator.alloc(context->allocator.ctx, size);
    if (!memory) {
        unbook(context, size);
        if (error)
            rp_error_set(error, REPRISE_E_NOMEM, "no memory for %zu bytes", size);
    }
    return memory;
}

void *rp_alloc_zero(rp_context *context, size_t count, size_t size, reprise_error *error)
{
    size_t bytes;
    if (!rp_mul(count, size, &bytes)) {
        rp_error_set(error, REPRISE_E_LIMIT, "%zu items of %zu bytes", count, size);
        return NULL;
    }
    void *memory = rp_alloc(context, bytes, error);
    if (memory)
        memset(memory, 0, RP_MAX(bytes, 1));
    return memory;
}

void *rp_realloc(rp_context *context, void *old, size_t old_size, size_t size, reprise_error *error)
{
    if (!old)
        return rp_alloc(context, size, error);
    old_size = RP_MAX(old_size, 1);
    size = RP_MAX(size, 1);
    if (size > old_size && !book(context, size - old_size, error))
        return NULL;
    void *memory = context->allocator.realloc(context->allocator.ctx, old, old_size, size);
    if (!memory) {
        if (size > old_size)
            unbook(context, size - old_size);
        rp_error_set(error, REPRISE_E_NOMEM, "no memory for %zu bytes", size);
        return NULL;
    }
    if (size < old_size)
        unbook(context, old_size - size);
    return memory;
}

void rp_free(rp_context *context, void *old, size_t size)
{
    if (!old)
        return;
    size = RP_MAX(size, 1);
    unbook(context, size);
    context->allocator.free(context->allocator.ctx, old, size);
}

void rp_give(rp_context *context, size_t size)
{
    unbook(context, RP_MAX(size, 1));
}

void rp_free_given(const reprise_allocator *allocator, void *given, size_t size)
{
    if (given)
        allocator->free(allocator->ctx, given, RP_MAX(size, 1));
}

bool rp_grown_size(size_t count, size_t item_size, size_t *capacity, size_t *ret_bytes,
                   reprise_error *error)
{
    size_t more = RP_MAX(RP_MAX(count, CAPACITY_MIN), *capacity > SIZE_MAX / 2 ? 0 : *capacity * 2);
    if (!rp_mul(more, item_size, ret_bytes)) {
        rp_error_set(error, REPRISE_E_LIMIT, "%zu items of %zu bytes", more, item_size);
        return false;
    }
    *capacity = more;
    return true;
}

void *rp_grow(rp_context *context, void *items, size_t count, size_t *capacity, size_t item_size,
              reprise_error *error)
{
    if (items && count <= *capacity)
        return items;
    size_t more = *capacity, bytes;
    if (!rp_grown_size(count, item_size, &more, &bytes, error))
        return NULL;
    items = rp_realloc(context, items, *capacity * item_size, bytes, error);
    if (items)
        *capacity = more;
    return items;
}

/* The size before a block, with the strictest alignment. */
typedef union codec_head {
    size_t size;
    max_align_t align;
} codec_head;

void *rp_codec_alloc(void *context, size_t size)
{
    size_t bytes;
    if (!rp_add(size, sizeof(codec_head), &bytes))
        return NULL;
    codec_head *head = rp_alloc(context, bytes, NULL);
    if (!head)
        return NULL;
    head->size = bytes;
    return head + 1;
}

void rp_codec_free(void *context, void *memory)
{
    if (!memory)
        return;
    codec_head *head = (codec_head *)memory - 1;
    rp_free(context, head, head->size);
}

reprise_status rp_codec_no_memory(const rp_context *context, const char *what, reprise_error *error)
{
    if (!atomic_load_explicit(&context->refused, memory_order_relaxed))
        return rp_error_set(error, REPRISE_E_NOMEM, "no memory for %s", what);
    return rp_error_set(error, REPRISE_E_LIMIT, "%s would pass limit memory_bytes=%llu", what,
                        (unsigned long long)context->memory_max);
}

bool rp_is_own_failure(const rp_context *context, reprise_status status)
{
    return status == REPRISE_E_NOMEM || status == REPRISE_E_IO || status == REPRISE_E_CANCELLED ||
           (status == REPRISE_E_LIMIT &&
            atomic_load_explicit(&context->refused, memory_order_relaxed));
}

reprise_status rp_progress(const rp_context *context, uint64_t done, uint64_t total,
                           reprise_error *error)
{
    if (context->progress && !context->progress(context->progress_ctx, done, total))
        return rp_error_set(error, REPRISE_E_CANCELLED, "stopped by the caller");
    return REPRISE_OK;
}

reprise_status rp_limit(uint64_t value, uint64_t max, const char *what, const char *limit,
                        reprise_error *error)
{
    if (value <= max)
        return REPRISE_OK;
    return rp_error_set(error, REPRISE_E_LIMIT, "%s %llu is over limit %s=%llu", what,
                        (unsigned long long)value, limit, (unsigned long long)max);
}
