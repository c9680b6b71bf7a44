/* context.c - the only caller of malloc. */
#include "context.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"

/*
 * What follows from the size of the input, for limits that are 0: a part that is always there, and
 * so much for every byte. Memory: the windows of codecs and the buffers of readers; decoded values
 * are larger than stored ones, and some verbs keep columns of them. Output: rows as text; somebody
 * who stands still for hours takes hardly any input. Ticks: 16 hours of a match.
 */
typedef struct allowance {
    uint64_t base, per_byte;
} allowance;

static const allowance memory_allowance = {UINT64_C(48) << 20, 16};
static const allowance output_allowance = {UINT64_C(1) << 30, 1000};
static const allowance ticks_allowance = {900000, 16};
/* For those who write without reading. */
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

reprise_limits reprise_limits_default(void)
{
    return (reprise_limits){
        .input_bytes_max = UINT64_C(4) << 30,
        .decoded_bytes_max = UINT64_C(2) << 30,
        .expansion_ratio_max = 1000,
        .memory_bytes_max = 0,
        .zip_entries_max = 100000,
        .string_bytes_max = UINT64_C(16) << 20,
        .record_bytes_max = UINT64_C(16) << 20,
        .text_bytes_max = UINT64_C(16) << 20,
        .material_bytes_max = UINT64_C(1) << 20,
        .items_max = UINT64_C(16) << 20,
        .depth_max = 64,
    };
}

bool reprise_limits_set(reprise_limits *limits, const char *name, uint64_t value)
{
    if (!limits || !name)
        return false;
    const struct {
        const char *name;
        uint64_t *value;
    } table[] = {
        {"input_bytes", &limits->input_bytes_max},
        {"decoded_bytes", &limits->decoded_bytes_max},
        {"expansion_ratio", &limits->expansion_ratio_max},
        {"memory_bytes", &limits->memory_bytes_max},
        {"zip_entries", &limits->zip_entries_max},
        {"string_bytes", &limits->string_bytes_max},
        {"record_bytes", &limits->record_bytes_max},
        {"text_bytes", &limits->text_bytes_max},
        {"material_bytes", &limits->material_bytes_max},
        {"items", &limits->items_max},
        {"depth", &limits->depth_max},
        {"output_bytes", &limits->output_bytes_max},
        {"ticks", &limits->ticks_max},
    };
    static_assert(RP_COUNT(table) * sizeof(uint64_t) == sizeof(reprise_limits),
                  "every limit has a name");
    for (size_t i = 0; i < RP_COUNT(table); i++) {
        if (strcmp(table[i].name, name) == 0) {
            *table[i].value = value;
            return true;
        }
    }
    return false;
}

void reprise_options_init(reprise_options *options)
{
    if (!options)
        return;
    *options = (reprise_options){
        .struct_size = sizeof *options,
        .limits = reprise_limits_default(),
    };
}

void rp_context_init(rp_context *context, const reprise_options *options)
{
    *context = (rp_context){
        .allocator = options->allocator ? *options->allocator
                                        : (reprise_allocator){.alloc = libc_alloc,
                                                              .realloc = libc_realloc,
                                                              .free = libc_free},
        .limits = options->limits,
        .memory_max = options->limits.memory_bytes_max ? options->limits.memory_bytes_max
                                                       : MEMORY_WITHOUT_INPUT,
        .output_max = options->limits.output_bytes_max ? options->limits.output_bytes_max
                                                       : UINT64_MAX,
        .ticks_max = options->limits.ticks_max ? options->limits.ticks_max : UINT64_MAX,
        .progress = options->progress,
        .progress_ctx = options->progress_ctx,
        .trusted_keys = options->trusted_keys,
        .trusted_key_count = options->trusted_key_count,
        .simulation = options->simulation,
        .simulate = options->simulate,
        .threads = options->threads,
    };
}

void rp_context_add_input(rp_context *context, uint64_t size)
{
    uint64_t room = UINT64_MAX - context->input_bytes;
    context->input_bytes += RP_MIN(size, room);
    const reprise_limits *limits = &context->limits;
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

/* Books `size` more bytes, or says which limit stands in the way. */
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

/* The size in front keeps the strictest alignment. */
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

bool rp_our_trouble(const rp_context *context, reprise_status status)
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
