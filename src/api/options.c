/* options.c - the public options object. */
#include "handle.h"

/* The object belongs to no replay: its memory comes from libc. */
static rp_context libc_context(void)
{
    rp_context context;
    rp_context_init(&context, NULL);
    return context;
}

reprise_status reprise_options_new(reprise_options **ret_options, reprise_error *error)
{
    RP_ENTER(error, ret_options);
    rp_context context = libc_context();
    reprise_options *options = rp_alloc(&context, sizeof *options, error);
    if (!options)
        return error->status;
    rp_options_init(options);
    *ret_options = options;
    return REPRISE_OK;
}

static void free_text(char *text)
{
    rp_context context = libc_context();
    if (text)
        rp_free(&context, text, strlen(text) + 1);
}

static void free_keys(reprise_options *options)
{
    rp_context context = libc_context();
    rp_free(&context, options->trusted_keys, options->trusted_key_count * RP_TRUSTED_KEY_SIZE);
    options->trusted_keys = NULL;
    options->trusted_key_count = 0;
}

void reprise_options_free(reprise_options *options)
{
    if (!options)
        return;
    rp_context context = libc_context();
    free_text(options->format);
    free_text(options->layout);
    free_keys(options);
    rp_free(&context, options, sizeof *options);
}

/* Replaces an owned text by a copy of `text`, which may be NULL. */
static reprise_status set_text(char **to, const char *text, reprise_error *error)
{
    rp_context context = libc_context();
    char *copy = NULL;
    if (text) {
        size_t size = strlen(text) + 1;
        copy = rp_alloc(&context, size, error);
        if (!copy)
            return error->status;
        memcpy(copy, text, size);
    }
    free_text(*to);
    *to = copy;
    return REPRISE_OK;
}

/* ---- limits ---- */

static reprise_status find_limit(rp_limits *limits, const char *name, uint64_t **ret_limit,
                                 reprise_error *error)
{
    uint64_t *limit = rp_limit_find(limits, name);
    if (!limit)
        return rp_error_set(error, REPRISE_E_USAGE, "unknown limit '%.80s'", name);
    *ret_limit = limit;
    return REPRISE_OK;
}

reprise_status reprise_options_set_limit(reprise_options *options, const char *name, uint64_t value,
                                         reprise_error *error)
{
    RP_ENTER(error, options && name);
    uint64_t *limit = NULL;
    RP_TRY(find_limit(&options->limits, name, &limit, error));
    *limit = value;
    return REPRISE_OK;
}

reprise_status reprise_options_get_limit(const reprise_options *options, const char *name,
                                         uint64_t *ret_value, reprise_error *error)
{
    RP_ENTER(error, name && ret_value);
    reprise_options defaults;
    rp_options_init(&defaults);
    rp_limits limits = options ? options->limits : defaults.limits;
    uint64_t *limit = NULL;
    RP_TRY(find_limit(&limits, name, &limit, error));
    *ret_value = *limit;
    return REPRISE_OK;
}

/* ---- other settings ---- */

reprise_status reprise_options_set_format(reprise_options *options, const char *format,
                                          reprise_error *error)
{
    RP_ENTER(error, options);
    return set_text(&options->format, format, error);
}

reprise_status reprise_options_set_layout(reprise_options *options, const char *layout,
                                          reprise_error *error)
{
    RP_ENTER(error, options);
    return set_text(&options->layout, layout, error);
}

reprise_status reprise_options_set_allocator(reprise_options *options,
                                             const reprise_allocator *allocator,
                                             reprise_error *error)
{
    RP_ENTER(error, options);
    if (allocator && (!allocator->alloc || !allocator->realloc || !allocator->free))
        return rp_error_set(error, REPRISE_E_USAGE, "a function of the allocator is NULL");
    options->allocator = allocator ? *allocator : (reprise_allocator){0};
    return REPRISE_OK;
}

reprise_status reprise_options_set_progress(reprise_options *options, reprise_progress *progress,
                                            void *ctx, reprise_error *error)
{
    RP_ENTER(error, options);
    options->progress = progress;
    options->progress_ctx = ctx;
    return REPRISE_OK;
}

reprise_status reprise_options_set_salvage(reprise_options *options, bool salvage,
                                           reprise_error *error)
{
    RP_ENTER(error, options);
    options->salvage = salvage;
    return REPRISE_OK;
}

reprise_status reprise_options_set_trusted_keys(reprise_options *options, const uint8_t *keys,
                                                size_t count, reprise_error *error)
{
    RP_ENTER(error, options && (keys || !count));
    rp_context context = libc_context();
    size_t size;
    if (!rp_mul(count, RP_TRUSTED_KEY_SIZE, &size))
        return rp_error_set(error, REPRISE_E_USAGE, "%zu trusted keys", count);
    uint8_t *copy = count ? rp_alloc(&context, size, error) : NULL;
    RP_TRY(error->status);
    if (copy)
        memcpy(copy, keys, size);
    free_keys(options);
    options->trusted_keys = copy;
    options->trusted_key_count = count;
    return REPRISE_OK;
}

reprise_status reprise_options_set_simulation(reprise_options *options,
                                              const struct reprise_ic_simulation *simulation,
                                              reprise_error *error)
{
    RP_ENTER(error, options);
    options->simulation = simulation;
    return REPRISE_OK;
}

reprise_status reprise_options_set_simulate(reprise_options *options, reprise_simulating simulate,
                                            reprise_error *error)
{
    RP_ENTER(error, options);
    if (simulate > REPRISE_SIMULATE_NEVER)
        return rp_error_set(error, REPRISE_E_USAGE, "unknown value %d of simulate", (int)simulate);
    options->simulate = simulate;
    return REPRISE_OK;
}

reprise_status reprise_options_set_digests(reprise_options *options, bool digests,
                                           reprise_error *error)
{
    RP_ENTER(error, options);
    options->no_digests = !digests;
    return REPRISE_OK;
}

reprise_status reprise_options_set_mapping(reprise_options *options, bool maps,
                                           reprise_error *error)
{
    RP_ENTER(error, options);
    options->no_mapping = !maps;
    return REPRISE_OK;
}

reprise_status reprise_options_set_threads(reprise_options *options, unsigned threads,
                                           reprise_error *error)
{
    RP_ENTER(error, options);
    options->threads = threads;
    return REPRISE_OK;
}
